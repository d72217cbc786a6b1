//! A selection slip: what a patron asks (s. 80), validated and priced.

mod price;

use crate::bet::SelectionType;
use crate::cents::Cents;
use crate::selection::{Selection, letter};

pub use price::price;

/// What one slip asks: selections (s. 79), all for the same draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    /// In the order of the slip.
    pub selections: Vec<SlipSelection>,
    /// How many consecutive draws.
    pub draws: u16,
}

/// What one selection asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlipSelection {
    /// The code of the game.
    pub game: String,
    /// The type of selection.
    pub kind: SelectionType,
    /// The numbers, or that the computer chooses them.
    pub pick: Pick,
    /// Which ways are played, one line a size. A straight may leave it empty.
    pub conditioning: Vec<ConditioningAsked>,
    /// The wager of a straight without conditioning; `None` otherwise.
    pub wager: Option<Cents>,
}

/// Who chooses the numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// The patron: groups of numbers and lone kings, as marked. One group and no
    /// king for a straight.
    Numbers {
        /// The groups, in the order marked.
        groups: Vec<Vec<u8>>,
        /// The kings.
        kings: Vec<u8>,
    },
    /// The computer: so many numbers. Only for a straight.
    Quick {
        /// How many numbers.
        spots: u8,
    },
}

/// One line of conditioning as asked: `2/4 @ 1.00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditioningAsked {
    /// How many ways the patron wrote; `None` takes all of the size. If it is not
    /// what the groups generate the line is refused, never reinterpreted: a patron
    /// who means two of six ways must split the selection.
    pub ways: Option<u32>,
    /// Numbers of one way.
    pub spots: u8,
    /// The wager per way, per draw.
    pub wager: Cents,
}

/// A valid slip with its price. The selections are what is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priced {
    /// In the order of the slip, quick picks filled in.
    pub selections: Vec<Selection>,
    /// The wager of all selections for one draw.
    pub per_draw: Cents,
    /// The wager of the ticket: per draw × draws.
    pub total: Cents,
}

/// Why a slip is refused. Closed and ordered: the slip as a whole first, then each
/// selection in turn by the order below, then what concerns all selections
/// together. The first that applies is the one told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SlipRefusalCode {
    /// A slip without selection.
    NoSelections,
    /// More selections than the rule book lets a slip have.
    TooManySelections,
    /// For no draw.
    NoDraws,
    /// For more draws than the rule book permits.
    TooManyDraws,
    /// The rule book has no such game.
    UnknownGame,
    /// The game has no such type of selection.
    UnknownType,
    /// The computer chooses the numbers of a straight only.
    QuickPickNotStraight,
    /// No numbers, or a group without numbers.
    NoNumbers,
    /// Groups or kings that the type does not have, or lacks.
    NumbersNotOfType,
    /// A number outside the pool, such as 0 or 81.
    NumberOutOfRange,
    /// A number twice in one group.
    NumberRepeated,
    /// More numbers than a straight may have (s. 78).
    TooManyNumbers,
    /// Fewer numbers than a straight may have.
    TooFewNumbers,
    /// A number in two groups.
    GroupsOverlap,
    /// The groups don't generate exactly these ways.
    WayNotGenerated,
    /// The same size in two lines.
    WayRepeated,
    /// A way or king selection that says no way.
    NoWaysChosen,
    /// A size that can't win: not played by this type, or without pay table.
    WayPaysNothing,
    /// More ways than the rule book permits in one selection.
    TooManyWays,
    /// No wager, or a wager of nothing.
    WagerMissing,
    /// A wager for the selection and others in its lines: which is meant?
    WagerGivenTwice,
    /// Below the minimum (s. 3).
    WagerBelowMinimum,
    /// Above the maximum (s. 3).
    WagerAboveMaximum,
    /// Not a multiple of the step.
    WagerOffStep,
    /// More on the same numbers than one ticket may carry, over all its
    /// selections and ways.
    SameNumbersOverLimit,
    /// A price beyond what can be counted.
    TotalOverflow,
    /// The computer gave no usable numbers.
    QuickPickFailed,
}

impl SlipRefusalCode {
    /// Every code, in the order of the checks.
    pub const ALL: [SlipRefusalCode; 27] = [
        SlipRefusalCode::NoSelections,
        SlipRefusalCode::TooManySelections,
        SlipRefusalCode::NoDraws,
        SlipRefusalCode::TooManyDraws,
        SlipRefusalCode::UnknownGame,
        SlipRefusalCode::UnknownType,
        SlipRefusalCode::QuickPickNotStraight,
        SlipRefusalCode::NoNumbers,
        SlipRefusalCode::NumbersNotOfType,
        SlipRefusalCode::NumberOutOfRange,
        SlipRefusalCode::NumberRepeated,
        SlipRefusalCode::TooManyNumbers,
        SlipRefusalCode::TooFewNumbers,
        SlipRefusalCode::GroupsOverlap,
        SlipRefusalCode::WayNotGenerated,
        SlipRefusalCode::WayRepeated,
        SlipRefusalCode::NoWaysChosen,
        SlipRefusalCode::WayPaysNothing,
        SlipRefusalCode::TooManyWays,
        SlipRefusalCode::WagerMissing,
        SlipRefusalCode::WagerGivenTwice,
        SlipRefusalCode::WagerBelowMinimum,
        SlipRefusalCode::WagerAboveMaximum,
        SlipRefusalCode::WagerOffStep,
        SlipRefusalCode::SameNumbersOverLimit,
        SlipRefusalCode::TotalOverflow,
        SlipRefusalCode::QuickPickFailed,
    ];

    /// Stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SlipRefusalCode::NoSelections => "no_selections",
            SlipRefusalCode::TooManySelections => "too_many_selections",
            SlipRefusalCode::NoDraws => "no_draws",
            SlipRefusalCode::TooManyDraws => "too_many_draws",
            SlipRefusalCode::UnknownGame => "unknown_game",
            SlipRefusalCode::UnknownType => "unknown_type",
            SlipRefusalCode::QuickPickNotStraight => "quick_pick_not_straight",
            SlipRefusalCode::NoNumbers => "no_numbers",
            SlipRefusalCode::NumbersNotOfType => "numbers_not_of_type",
            SlipRefusalCode::NumberOutOfRange => "number_out_of_range",
            SlipRefusalCode::NumberRepeated => "number_repeated",
            SlipRefusalCode::TooManyNumbers => "too_many_numbers",
            SlipRefusalCode::TooFewNumbers => "too_few_numbers",
            SlipRefusalCode::GroupsOverlap => "groups_overlap",
            SlipRefusalCode::WayNotGenerated => "way_not_generated",
            SlipRefusalCode::WayRepeated => "way_repeated",
            SlipRefusalCode::NoWaysChosen => "no_ways_chosen",
            SlipRefusalCode::WayPaysNothing => "way_pays_nothing",
            SlipRefusalCode::TooManyWays => "too_many_ways",
            SlipRefusalCode::WagerMissing => "wager_missing",
            SlipRefusalCode::WagerGivenTwice => "wager_given_twice",
            SlipRefusalCode::WagerBelowMinimum => "wager_below_minimum",
            SlipRefusalCode::WagerAboveMaximum => "wager_above_maximum",
            SlipRefusalCode::WagerOffStep => "wager_off_step",
            SlipRefusalCode::SameNumbersOverLimit => "same_numbers_over_limit",
            SlipRefusalCode::TotalOverflow => "total_overflow",
            SlipRefusalCode::QuickPickFailed => "quick_pick_failed",
        }
    }

    /// The code of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<SlipRefusalCode> {
        SlipRefusalCode::ALL
            .into_iter()
            .find(|code| code.name() == name)
    }
}

/// The figures that a person needs to put a slip right.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SlipDetail {
    /// Nothing more to say.
    #[default]
    None,
    /// A count outside its bounds.
    Count {
        /// What was asked.
        asked: u64,
        /// The least allowed.
        min: u64,
        /// The most allowed.
        max: u64,
    },
    /// The number at fault.
    Number(u8),
    /// A number at fault in a pool.
    NumberOfPool {
        /// The number at fault.
        number: u8,
        /// The largest number of the pool.
        max: u8,
    },
    /// A wager outside its bounds.
    Wager {
        /// What was asked.
        asked: Cents,
        /// The smallest.
        min: Cents,
        /// The largest.
        max: Cents,
        /// The step.
        step: Cents,
    },
    /// An amount above its limit.
    Amount {
        /// What was asked.
        asked: Cents,
        /// The most.
        max: Cents,
    },
    /// The way at fault, and every way that the groups generate.
    Ways {
        /// Ways asked, if the patron said how many.
        asked_ways: Option<u32>,
        /// Numbers of the way at fault.
        asked_spots: u8,
        /// What can be asked: (ways, spots), spots ascending.
        generated: Vec<(u64, u8)>,
    },
    /// The rules say the numbers, and those that were asked are others.
    Named,
    /// The size at fault and the sizes that may be played.
    Spots {
        /// Numbers of the way at fault.
        asked: u8,
        /// The least.
        min: u8,
        /// The most.
        max: u8,
    },
}

/// A refused slip: why, where, and what would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlipRefusal {
    /// Why.
    pub code: SlipRefusalCode,
    /// Which selection, from 0; `None` for the slip as a whole.
    pub selection: Option<u8>,
    /// Which field: `selections`, `draws`, `game`, `type`, `numbers`, `groups`,
    /// `kings`, `conditioning`, `wager`.
    pub field: Option<&'static str>,
    /// Figures that help.
    pub detail: SlipDetail,
}

/// The stable name, for the log of a process; people get a sentence.
impl std::fmt::Display for SlipRefusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.code.name())?;
        if let Some(index) = self.selection {
            write!(formatter, " in selection {}", letter(index.into()))?;
        }
        if let Some(field) = self.field {
            write!(formatter, " ({field})")?;
        }
        Ok(())
    }
}

impl std::error::Error for SlipRefusal {}

//! A selection slip: what a patron asks (s. 80), validated and priced.

mod price;

use crate::bet::SelectionType;
use crate::cents::Cents;
use crate::numbered::named;
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

named! {
    /// Why a slip is refused. Closed and ordered: the slip as a whole first, then each
    /// selection in turn by the order below, then what concerns all selections
    /// together. The first that applies is the one told.
    SlipRefusalCode {
        /// A slip without selection.
        NoSelections "no_selections",
        /// More selections than the rule book lets a slip have.
        TooManySelections "too_many_selections",
        /// For no draw.
        NoDraws "no_draws",
        /// For more draws than the rule book permits.
        TooManyDraws "too_many_draws",
        /// The rule book has no such game.
        UnknownGame "unknown_game",
        /// The game has no such type of selection.
        UnknownType "unknown_type",
        /// The computer chooses the numbers of a straight only.
        QuickPickNotStraight "quick_pick_not_straight",
        /// No numbers, or a group without numbers.
        NoNumbers "no_numbers",
        /// Groups or kings that the type does not have, or lacks.
        NumbersNotOfType "numbers_not_of_type",
        /// A number outside the pool, such as 0 or 81.
        NumberOutOfRange "number_out_of_range",
        /// A number twice in one group.
        NumberRepeated "number_repeated",
        /// More numbers than a straight may have (s. 78).
        TooManyNumbers "too_many_numbers",
        /// Fewer numbers than a straight may have.
        TooFewNumbers "too_few_numbers",
        /// A number in two groups.
        GroupsOverlap "groups_overlap",
        /// The groups don't generate exactly these ways.
        WayNotGenerated "way_not_generated",
        /// The same size in two lines.
        WayRepeated "way_repeated",
        /// A way or king selection that says no way.
        NoWaysChosen "no_ways_chosen",
        /// A size that can't win: not played by this type, or without pay table.
        WayPaysNothing "way_pays_nothing",
        /// More ways than the rule book permits in one selection.
        TooManyWays "too_many_ways",
        /// No wager, or a wager of nothing.
        WagerMissing "wager_missing",
        /// A wager for the selection and others in its lines: which is meant?
        WagerGivenTwice "wager_given_twice",
        /// Below the minimum (s. 3).
        WagerBelowMinimum "wager_below_minimum",
        /// Above the maximum (s. 3).
        WagerAboveMaximum "wager_above_maximum",
        /// Not a multiple of the step.
        WagerOffStep "wager_off_step",
        /// More on the same numbers than one ticket may carry, over all its
        /// selections and ways.
        SameNumbersOverLimit "same_numbers_over_limit",
        /// A price beyond what can be counted.
        TotalOverflow "total_overflow",
        /// The computer gave no usable numbers.
        QuickPickFailed "quick_pick_failed",
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

//! A rule book version: everything about the game that the house decides and
//! publishes (ss. 2, 3, 76). A ticket keeps the version that it was sold under.

use std::collections::BTreeMap;
use std::fmt;

use crate::ball::{BallSet, Pool};
use crate::bet::SelectionType;
use crate::cents::Cents;
use crate::numbered::numbered;
use crate::paytable::PayTable;

/// One version of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleBook {
    /// From 1.
    pub version: u32,
    /// What is drawn from what. Belongs to the draw, like the cap.
    pub pool: Pool,
    /// The maximum payable in prizes per draw (ss. 77, 82(5)).
    pub cap: Cents,
    /// Prizes (per way) below it are paid in full when the cap bites.
    pub cap_threshold: Cents,
    /// At least one.
    pub games: Vec<Game>,
    /// How much one slip may ask.
    pub limits: Limits,
    /// What a wager may be paid with; never credit (s. 5).
    pub tenders: Vec<Tender>,
    /// The most change that a chip gives, in cash.
    pub chip_change: Cents,
    /// From which amounts a clerk confirms a sale.
    pub confirm: ConfirmThresholds,
    /// From which amounts a payout needs more than a clerk.
    pub payout: PayoutThresholds,
    /// How long and where prizes are claimed (s. 86).
    pub claim: Claim,
    /// What becomes of a ticket whose code cannot be read (s. 83).
    pub damaged: Damaged,
    /// The most that the largest sum of top prizes on one identical selection may
    /// reach in one draw; a sale beyond it is refused. `None` sets no limit.
    pub liability_max: Option<Cents>,
}

/// How much one slip may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Selections on one slip (s. 79).
    pub selections_max: u8,
    /// Consecutive draws of one ticket (s. 80).
    pub draws_max: u16,
    /// How far the first draw may be ahead of the next one.
    pub draws_ahead_max: u16,
    /// Ways of one selection, at most [`WAYS_MAX`].
    pub ways_max: u16,
    /// Papers of one ticket, the first among them, at most [`COPIES_MAX`].
    pub copies_max: u8,
}

/// The most ways that a rule book may permit in one selection.
pub const WAYS_MAX: u16 = 2_000;

/// The most papers of one ticket that a rule book may permit.
pub const COPIES_MAX: u8 = 8;

/// The longest that payments wait for the second computation before two people may open them: a
/// week, in minutes.
pub const SECOND_COMPUTATION_MAX: u16 = 10_080;

/// The most hours that a file of a damaged ticket may wait before it is judged.
pub const WAIT_HOURS_MAX: u16 = 720;

/// The most days within which whoever presented a damaged ticket is answered.
pub const ANSWER_DAYS_MAX: u16 = 90;

/// The amount from which Canada wants a report of a payout, and that no house may
/// raise: 10,000.00.
pub const FEDERAL_REPORT_MAX: Cents = Cents::new(1_000_000);

/// One game: a straight keno, or a special with its own tables and its own gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Stable name: 1 to 16 of `a-z`, `0-9` and the hyphen.
    pub code: String,
    /// Shown in French.
    pub name_fr: String,
    /// Shown in English.
    pub name_en: String,
    /// One for each spot count that can be played.
    pub tables: Vec<PayTable>,
    /// The types of selection that it sells, each with the numbers that one way of it may have.
    pub types: BTreeMap<SelectionType, SpotsAllowed>,
    /// The numbers of its named set, which its name stands for; `None` if it sells none.
    pub set: Option<BallSet>,
    /// Whether kings may play without a group.
    pub king_alone: bool,
    /// What may be wagered (s. 3).
    pub wager: WagerLimits,
}

/// How many numbers may be played, both bounds included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpotsAllowed {
    /// At least 1.
    pub min: u8,
    /// At least `min`.
    pub max: u8,
}

impl SpotsAllowed {
    /// Whether so many numbers may be played.
    #[must_use]
    pub fn contains(self, spots: u8) -> bool {
        (self.min..=self.max).contains(&spots)
    }
}

/// What may be wagered per way of a selection and per draw (s. 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WagerLimits {
    /// A wager is a multiple of it.
    pub step: Cents,
    /// The smallest.
    pub min: Cents,
    /// The largest.
    pub max: Cents,
    /// The most that one ticket may carry on the same numbers, per draw. The
    /// return is certified for all that it lets a ticket carry, since the cap
    /// lowers the return of a ticket that carries more (s. 85).
    pub same_numbers_max: Cents,
}

numbered! {
    /// What a wager is paid with. There is no credit in any form (s. 5).
    Tender, number, from_number, code, from_code {
        /// Canadian money.
        Cash = 1 "cash",
        /// A coupon of the house.
        Coupon = 2 "coupon",
        /// A chip of the house.
        Chip = 3 "chip",
    }
}

impl Tender {
    /// The change for what a patron hands over, in cents: a coupon gives none. Below zero is what
    /// is missing.
    #[must_use]
    pub fn change_cents(self, received_cents: i64, total_cents: i64) -> i64 {
        let left = received_cents.saturating_sub(total_cents);
        match self {
            Self::Cash | Self::Chip => left,
            Self::Coupon => left.min(0),
        }
    }
}

impl fmt::Display for Tender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.code())
    }
}

/// From which totals a clerk confirms a sale, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConfirmThresholds {
    /// From this total on: another key than the usual one.
    pub second_key: Cents,
    /// From this total on: the total is typed.
    pub type_total: Cents,
    /// From so many draws on: another key than the usual one.
    pub draws: u16,
}

/// From which amounts money that leaves needs more than a clerk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PayoutThresholds {
    /// From this amount on: a second person.
    pub second_person: Cents,
    /// From this amount on: the main cage.
    pub cage: Cents,
    /// From this amount on: the federal report; at most [`FEDERAL_REPORT_MAX`].
    pub federal_report: Cents,
    /// Up to this amount one person cancels a ticket; zero: nobody cancels alone.
    pub cancel_alone: Cents,
    /// Up to this amount one person pays by the number and the 20 signs of a paper, typed.
    pub typed_alone: Cents,
    /// So many of those are paid by one person in a day.
    pub typed_per_day: u16,
    /// Where it is there, payments that need a second person wait for the second computation, and
    /// after so many minutes two people may open them; from 1 to [`SECOND_COMPUTATION_MAX`].
    pub second_computation: Option<u16>,
}

/// How long and where prizes are claimed (ss. 82(6), 86).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Days after the last draw of the ticket.
    pub days: u16,
    /// The counters, in French.
    pub place_fr: String,
    /// The counters, in English.
    pub place_en: String,
    /// The main cage, in French.
    pub cage_fr: String,
    /// The main cage, in English.
    pub cage_en: String,
}

/// What becomes of a ticket whose code cannot be read (s. 83).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// Up to this amount a ticket is paid at once, read by two people; zero: none is.
    pub at_once: Cents,
    /// So many of them are paid by one clerk in a day.
    pub per_day: u16,
    /// Hours that a file waits before it is judged.
    pub wait_hours: u16,
    /// From this amount on: a third person judges a file.
    pub third_person: Cents,
    /// Days within which whoever presented the paper is answered.
    pub answer_days: u16,
    /// Where to complain, in French.
    pub complaints_fr: String,
    /// Where to complain, in English.
    pub complaints_en: String,
}

impl PayoutThresholds {
    /// [`Self::cancel_alone`] of a book that does not say it: 100.00.
    pub const CANCEL_ALONE: Cents = Cents::new(10_000);
    /// [`Self::typed_alone`] of a book that does not say it: 50.00.
    pub const TYPED_ALONE: Cents = Cents::new(5_000);
    /// [`Self::typed_per_day`] of a book that does not say it.
    pub const TYPED_PER_DAY: u16 = 5;

    /// Whether a ticket of so many cents is cancelled by two people.
    #[must_use]
    pub fn is_cancelled_by_two(&self, total_cents: i64) -> bool {
        total_cents > self.cancel_alone.get()
    }
}

impl RuleBook {
    /// [`Self::chip_change`] of a book that does not say it: 100.00.
    pub const CHIP_CHANGE: Cents = Cents::new(10_000);

    /// The game of a code.
    #[must_use]
    pub fn game(&self, code: &str) -> Option<&Game> {
        self.games.iter().find(|game| game.code == code)
    }

    /// The most that a ticket can cost, in cents: every draw, every selection, every way, at the
    /// highest wager of a game. No ticket of the book costs more; it may be beyond 64 bits.
    #[must_use]
    pub fn most_of_a_ticket(&self) -> i128 {
        let of_selection = self.games.iter().map(|game| {
            let ways = if game.has_ways() {
                i128::from(self.limits.ways_max)
            } else {
                1
            };
            ways * i128::from(game.wager.max.get())
        });
        let dearest = of_selection.max().unwrap_or(0);
        dearest * i128::from(self.limits.selections_max) * i128::from(self.limits.draws_max)
    }
}

impl Game {
    /// The pay table of a spot count.
    #[must_use]
    pub fn table(&self, spots: u8) -> Option<&PayTable> {
        self.tables.iter().find(|table| table.spots() == spots)
    }

    /// The spots allowed for a type of selection; `None` if the game has no such
    /// type.
    #[must_use]
    pub fn spots_allowed(&self, kind: SelectionType) -> Option<SpotsAllowed> {
        self.types.get(&kind).copied()
    }

    /// Whether the pool has what it sells of a type: some spots, and no more than its numbers; of
    /// a named set, its numbers.
    pub(crate) fn is_of(&self, pool: Pool, kind: SelectionType) -> bool {
        let named = self.set.filter(|set| set.is_subset(pool.all()));
        self.spots_allowed(kind).is_some_and(|allowed| {
            let is_range =
                0 < allowed.min && allowed.min <= allowed.max && allowed.max <= pool.size();
            let whole = |set: BallSet| (allowed.min, allowed.max) == (set.len(), set.len());
            is_range && (!kind.is_named() || named.is_some_and(whole))
        })
    }

    /// Whether a selection of it may have more than one way.
    #[must_use]
    pub fn has_ways(&self) -> bool {
        self.types.keys().any(|kind| kind.has_ways())
    }
}

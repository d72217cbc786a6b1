//! A selection: numbers, type, and the wager on each size of way (s. 80).

use crate::ball::BallSet;
use crate::bet::SelectionType;
use crate::cents::{Cents, CentsOverflow};

/// The letter of a selection by its place on the slip, the first one 0: A to Z, then AA, AB, …
#[must_use]
pub fn letter(place: usize) -> String {
    let own = char::from(b'A' + u8::try_from(place % 26).unwrap_or_default());
    match place / 26 {
        0 => own.to_string(),
        before => format!("{}{own}", letter(before - 1)),
    }
}

/// One line of conditioning: `2/4 @ 1.00` is two ways of four spots, one dollar
/// for each way and draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Conditioning {
    /// How many ways; always all that the groups generate at this size.
    pub ways: u32,
    /// How many numbers one way has.
    pub spots: u8,
    /// The wager per way, per draw.
    pub wager: Cents,
}

/// What is recorded of one selection. Only recorded ways can win.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Selection {
    /// The code of the game in the rule book.
    pub game: String,
    /// Straight, way or king.
    pub kind: SelectionType,
    /// Whether the computer chose the numbers; the ticket says so.
    pub quick_pick: bool,
    /// Disjoint, none empty; exactly one for a straight.
    pub groups: Vec<BallSet>,
    /// The lone numbers of a king selection; otherwise empty.
    pub kings: BallSet,
    /// One line a size; exactly one line of one way for a straight.
    pub conditioning: Vec<Conditioning>,
}

impl Selection {
    /// Every number that is played.
    #[must_use]
    pub fn numbers(&self) -> BallSet {
        self.groups
            .iter()
            .fold(self.kings, |all, group| all.union(*group))
    }

    /// All ways of all lines; stays at `u32::MAX`.
    #[must_use]
    pub fn ways_total(&self) -> u32 {
        self.conditioning
            .iter()
            .fold(0, |total, line| total.saturating_add(line.ways))
    }

    /// Ways × wager, over all lines.
    ///
    /// # Errors
    /// [`CentsOverflow`] beyond 64 bits.
    pub fn wager_per_draw(&self) -> Result<Cents, CentsOverflow> {
        self.conditioning.iter().try_fold(Cents::ZERO, |sum, line| {
            line.wager
                .checked_mul(u64::from(line.ways))
                .and_then(|price| sum.checked_add(price))
                .ok_or(CentsOverflow)
        })
    }
}

/// The letters of a game's code: `a-z`, `0-9` and the hyphen.
pub(crate) fn is_code_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

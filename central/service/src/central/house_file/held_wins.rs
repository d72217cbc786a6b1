//! `[held_wins]`: who answers for a win that the guard holds, and within how long it is decided. Its
//! holder is told both.

use std::ops::RangeInclusive;

use keno_book::toml_faults::Section;

use super::{Reader, plain_text};

/// Hours within which a win is decided, where the house does not say.
const USUAL_HOURS: u16 = 72;
/// A month at most.
const HOURS: RangeInclusive<i64> = 1..=744;

/// Who decides about held wins, and by when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldWins {
    /// Who answers for it, as its holder is told; the management where the house does not say.
    pub owner: Option<String>,
    /// Hours after which a win that is still held is an alarm.
    pub hours: u16,
}

impl Default for HeldWins {
    fn default() -> Self {
        Self {
            owner: None,
            hours: USUAL_HOURS,
        }
    }
}

/// Reads `[held_wins]`; what is left out is as usual.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<HeldWins> {
    let mut wins = HeldWins::default();
    if !root.has("held_wins") {
        return Some(wins);
    }
    let section = reader.section(root, "held_wins", &["owner", "hours"]);
    if section.has("owner") {
        wins.owner = Some(plain_text(reader, &section, "owner")?);
    }
    if section.has("hours") {
        wins.hours = reader.number(&section, "hours", HOURS)?;
    }
    Some(wins)
}

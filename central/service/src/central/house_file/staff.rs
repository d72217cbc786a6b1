//! `[staff]`: how few people a house has, and what a second person shows at another's screen.

use keno_book::toml_faults::Section;
use keno_game::rules::RuleBook;

use super::Reader;

/// The most that a house says of its smallest staff: more are never needed.
const FEWEST: std::ops::RangeInclusive<i64> = 2..=100;

/// What a house says of its people.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HouseStaff {
    /// Humans at its smallest; nothing is judged by it where the house does not say.
    pub fewest: Option<u8>,
    /// Whether a second person at another's screen must have a card that is scanned. Whoever has
    /// one must show it whatever the house says.
    pub cards_needed: bool,
}

/// Reads `[staff]`; where it is left out nothing is said, and nobody needs a card.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<HouseStaff> {
    if !root.has("staff") {
        return Some(HouseStaff::default());
    }
    let section = reader.section(root, "staff", &["fewest", "cards"]);
    let fewest = match section.has("fewest") {
        true => Some(reader.number(&section, "fewest", FEWEST)?),
        false => None,
    };
    let cards_needed = section.has("cards") && reader.flag(&section, "cards")?;
    Some(HouseStaff {
        fewest,
        cards_needed,
    })
}

/// How many humans the rules need at least. A file of a damaged paper is decided by two of whom
/// neither opened it (s. 83), and by three from `damaged.third_person` on, where a prize can come to
/// that: the cap bounds what is payable. All else takes two at most.
pub fn people_needed(rules: &RuleBook) -> u8 {
    match rules.damaged.third_person <= rules.cap {
        true => 4,
        false => 3,
    }
}

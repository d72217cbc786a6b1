//! `[badges]`: what a second person shows at another's screen.

use keno_book::toml_faults::Section;

use super::Reader;

/// What badges must show.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Badges {
    /// Whether a second person at another's screen must have a card that is scanned. Whoever has
    /// one must show it whatever the house says.
    pub cards_needed: bool,
}

/// Reads `[badges]`; nobody needs a card where it is left out.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<Badges> {
    if !root.has("badges") {
        return Some(Badges::default());
    }
    let section = reader.section(root, "badges", &["cards"]);
    Some(Badges {
        cards_needed: reader.flag(&section, "cards")?,
    })
}

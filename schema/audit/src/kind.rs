//! The kinds of selection (`RULES.md`, "Selections, ways, kings, prices"), each declared once.

use keno_log::event::SelectionRecord;

/// What a selection of a kind is made of.
pub struct Kind {
    /// Number in the log.
    pub number: u8,
    /// Whether kings stand beside its groups; one at least then.
    with_kings: bool,
    /// Whether its groups are combined; otherwise it is one group of one line.
    pub combines: bool,
}

/// Every kind.
const KINDS: [Kind; 3] = [STRAIGHT, WAY, KING];

/// One group, played whole.
pub const STRAIGHT: Kind = Kind {
    number: 1,
    with_kings: false,
    combines: false,
};

/// Groups, combined.
pub const WAY: Kind = Kind {
    number: 2,
    with_kings: false,
    combines: true,
};

/// Groups, combined with kings.
pub const KING: Kind = Kind {
    number: 3,
    with_kings: true,
    combines: true,
};

impl Kind {
    /// The kind of a number.
    #[must_use]
    pub fn of(number: u8) -> Option<&'static Self> {
        KINDS.iter().find(|kind| kind.number == number)
    }

    /// Whether the groups, kings and lines are those of the kind.
    #[must_use]
    pub fn fits(&self, record: &SelectionRecord) -> bool {
        let is_whole = (record.groups.len(), record.conditioning.len()) == (1, 1);
        self.with_kings != record.kings.is_empty() && (self.combines || is_whole)
    }
}

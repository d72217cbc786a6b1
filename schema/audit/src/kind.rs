//! The kinds of selection (`RULES.md`, "Selections, ways, kings, prices"), each declared once.

use keno_log::event::SelectionRecord;

/// What a selection of a kind is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Number in the log.
    pub number: u8,
    /// Whether kings stand beside its groups; one at least then.
    with_kings: bool,
    /// Whether its groups are combined; otherwise it is one group of one line.
    pub combines: bool,
}

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

/// The numbers that the rule book names, whole.
pub const SET: Kind = Kind {
    number: 4,
    with_kings: false,
    combines: false,
};

/// A kind as a game offers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The kind.
    pub kind: Kind,
    /// Fewest spots of one way.
    pub from: u8,
    /// Most spots of one way.
    pub to: u8,
    /// The only numbers that can be played, bit n-1 for number n; any when there are none.
    pub numbers: Option<u128>,
}

impl Offer {
    /// Whether so many spots of a way are offered.
    #[must_use]
    pub fn has(&self, spots: u8) -> bool {
        (self.from..=self.to).contains(&spots)
    }

    /// Whether the pool has such ways.
    #[must_use]
    pub fn is_of(&self, pool_size: u8) -> bool {
        let beyond = self.numbers.unwrap_or(0) >> pool_size.min(127);
        self.from >= 1 && self.from <= self.to && self.to <= pool_size && beyond == 0
    }

    /// A named set of these numbers.
    #[must_use]
    pub fn named(numbers: u128) -> Self {
        let spots = numbers.count_ones() as u8;
        Self {
            kind: SET,
            from: spots,
            to: spots,
            numbers: Some(numbers),
        }
    }

    /// Whether the groups, kings and lines are those of the kind, and the numbers those of a set.
    #[must_use]
    pub fn fits(&self, record: &SelectionRecord) -> bool {
        let is_whole = (record.groups.len(), record.conditioning.len()) == (1, 1);
        let played = record.groups.iter().flatten();
        let played = played.fold(0_u128, |all, number| {
            all | 1_u128.checked_shl(u32::from(*number)).unwrap_or(0) >> 1
        });
        self.kind.with_kings != record.kings.is_empty()
            && (self.kind.combines || is_whole)
            && self.numbers.is_none_or(|named| named == played)
    }
}

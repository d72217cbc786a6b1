//! The types of selection (s. 80), each declared once: a row here says what it is made of, and
//! whoever picks, checks, prices, packs, prints or reads one goes by its row and never by its name.
//!
//! What is the same for all of them stands elsewhere and asks nothing of the type: ways and their
//! catches ([`crate::ways`]), prizes ([`crate::settle`]), returns ([`crate::returns`]).

/// The type of a selection (s. 80).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SelectionType {
    /// One group, one price.
    Straight,
    /// Groups, taken in combinations.
    Way,
    /// Groups and lone numbers that join any of them.
    King,
    /// The numbers that the rule book names, whole, under the name of their game. Its text is that
    /// of a straight on them: the game says which it is.
    NamedSet,
}

/// What is declared of a type.
struct Row {
    number: u8,
    code: &'static str,
    has_ways: bool,
    has_kings: bool,
    may_be_quick: bool,
    is_named: bool,
}

const STRAIGHT: Row = Row {
    number: 1,
    code: "straight",
    has_ways: false,
    has_kings: false,
    may_be_quick: true,
    is_named: false,
};

const WAY: Row = Row {
    number: 2,
    code: "way",
    has_ways: true,
    has_kings: false,
    may_be_quick: false,
    is_named: false,
};

const KING: Row = Row {
    number: 3,
    code: "king",
    has_ways: true,
    has_kings: true,
    may_be_quick: false,
    is_named: false,
};

const NAMED_SET: Row = Row {
    number: 4,
    code: "set",
    has_ways: false,
    has_kings: false,
    may_be_quick: false,
    is_named: true,
};

impl SelectionType {
    /// Every type, in the order of their numbers.
    pub const ALL: [SelectionType; 4] = [
        SelectionType::Straight,
        SelectionType::Way,
        SelectionType::King,
        SelectionType::NamedSet,
    ];

    const fn row(self) -> &'static Row {
        match self {
            SelectionType::Straight => &STRAIGHT,
            SelectionType::Way => &WAY,
            SelectionType::King => &KING,
            SelectionType::NamedSet => &NAMED_SET,
        }
    }

    /// Stable name: on the wire, and the key of the rule book that offers it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.row().code
    }

    /// Stable number, from 1 up: in the log, and less one in the code of a slip.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.row().number
    }

    /// Whether groups are taken in combinations, and each size has its line of conditioning.
    /// Otherwise one group is played whole, at one wager.
    #[must_use]
    pub const fn has_ways(self) -> bool {
        self.row().has_ways
    }

    /// Whether one or more lone numbers join the groups; otherwise none do.
    #[must_use]
    pub const fn has_kings(self) -> bool {
        self.row().has_kings
    }

    /// Whether the computer may choose the numbers.
    #[must_use]
    pub const fn may_be_quick(self) -> bool {
        self.row().may_be_quick
    }

    /// Whether the rule book says the numbers; otherwise the patron or the computer does.
    #[must_use]
    pub const fn is_named(self) -> bool {
        self.row().is_named
    }

    /// The type of a name.
    #[must_use]
    pub fn from_code(code: &str) -> Option<SelectionType> {
        SelectionType::ALL
            .into_iter()
            .find(|kind| kind.code() == code)
    }

    /// The type of a number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<SelectionType> {
        SelectionType::ALL
            .into_iter()
            .find(|kind| kind.number() == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_of_types_read_back() {
        for (kind, number) in SelectionType::ALL.into_iter().zip(1..) {
            assert_eq!(kind.number(), number);
            assert_eq!(SelectionType::from_code(kind.code()), Some(kind));
            assert_eq!(SelectionType::from_number(kind.number()), Some(kind));
        }
        assert_eq!(SelectionType::from_code("STRAIGHT"), None);
        assert_eq!(SelectionType::from_number(0), None);
    }
}

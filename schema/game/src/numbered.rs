//! What leaves and rows say by a number: each is an enumeration here, and its number is declared
//! once. A leaf may hold any number: it is compared as it stands, or read by `from_number`.

/// An enumeration, the stable number of each of its members and its stable name. What reads and
/// says them is called as the line of the name says. A number, of a leaf or of a row, can be compared
/// with what it stands for.
#[macro_export]
macro_rules! numbered {
    (
        $(#[doc = $about:literal])*
        $name:ident, $number_of:ident, $from_number:ident, $name_of:ident, $from_name:ident {
            $($(#[doc = $what:literal])+ $member:ident = $number:literal $text:literal,)*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[doc = $what])+ $member = $number,)*
        }

        impl $name {
            /// Every member, in the order of their numbers.
            pub const ALL: [Self; [$($number),*].len()] = [$(Self::$member),*];

            /// Stable number.
            #[must_use]
            pub const fn $number_of(self) -> u8 {
                self as u8
            }

            /// What a number stands for.
            #[must_use]
            pub const fn $from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$member),)*
                    _ => None,
                }
            }

            /// Stable name.
            #[must_use]
            pub const fn $name_of(self) -> &'static str {
                match self {
                    $(Self::$member => $text,)*
                }
            }

            /// What a name stands for.
            #[must_use]
            pub fn $from_name(name: &str) -> Option<Self> {
                match name {
                    $($text => Some(Self::$member),)*
                    _ => None,
                }
            }
        }

        impl PartialEq<$name> for u8 {
            fn eq(&self, other: &$name) -> bool {
                *self == other.$number_of()
            }
        }

        impl PartialEq<$name> for i16 {
            fn eq(&self, other: &$name) -> bool {
                *self == i16::from(other.$number_of())
            }
        }
    };
}
pub(crate) use numbered;

/// An enumeration of which each member has a stable name and no number, such as the refusals of a
/// slip.
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        $name:ident {
            $($(#[$what:meta])+ $member:ident $text:literal,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$what])+ $member,)*
        }

        impl $name {
            /// Every member, in their order.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$member),*];

            /// Stable name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$member => $text,)*
                }
            }

            /// What a name stands for.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|member| member.name() == name)
            }
        }
    };
}
pub(crate) use named;

numbered! {
    /// Which way cash goes between a till and the house.
    TillMovementKind, number, from_number, name, from_name {
        /// Cash is put into the till.
        Fill = 1 "fill",
        /// Cash is taken out of the till.
        Drop = 2 "drop",
    }
}

numbered! {
    /// How it is known that a paper came out whole.
    PrintMeans, number, from_number, name, from_name {
        /// The printer answered so.
        Printer = 1 "printer",
        /// The printer's status says so.
        Status = 2 "status",
        /// A clerk saw it.
        Clerk = 3 "clerk",
    }
}

numbered! {
    /// What a payment pays for a draw.
    PaidKind, number, from_number, name, from_name {
        /// A prize.
        Prize = 1 "prize",
        /// The wager of a void draw.
        Refund = 2 "refund",
    }
}

numbered! {
    /// Where the numbers of a draw come from (s. 75).
    DrawSource, number, from_number, name, from_name {
        /// The computer.
        Computer = 1 "computer",
        /// A ball machine.
        Balls = 2 "balls",
    }
}

numbered! {
    /// What two people found of the balls of an interrupted draw.
    TubesFinding, number, from_number, name, from_name {
        /// Every ball that counts is still in its tube.
        InTubes = 1 "in_tubes",
        /// The tubes were emptied.
        Emptied = 2 "emptied",
        /// A ball fell, or broke.
        Fell = 3 "fell",
        /// One of the two who entered the balls is missing.
        PersonMissing = 4 "person_missing",
        /// The draw cannot go on as it is: it is interrupted with these balls.
        Unfinished = 5 "unfinished",
    }
}

numbered! {
    /// Where a slip came from.
    Intake, number, from_number, name, from_name {
        /// A marked paper slip.
        Slip = 1 "slip",
        /// A code prepared at a kiosk.
        ESlip = 2 "e_slip",
        /// Keyed on screen, mirrored to the patron.
        Screen = 3 "screen",
        /// An earlier ticket, sold again.
        Replay = 4 "replay",
        /// A pre-marked card of the counter.
        Express = 5 "express",
    }
}

#[cfg(test)]
mod tests {
    use super::{DrawSource, PaidKind, TillMovementKind};
    use crate::{Tender, TicketState};

    #[test]
    fn a_number_is_what_it_stands_for_and_no_other() {
        assert!(2_u8 == PaidKind::Refund && 2_i16 == PaidKind::Refund);
        assert!(1_u8 != PaidKind::Refund && -1_i16 != PaidKind::Prize);
        assert!(1_u8 == Tender::Cash && 3_i16 == TicketState::VoidUnpaid);
        for number in 0..=u8::MAX {
            let kind = TillMovementKind::from_number(number);
            assert_eq!(kind.is_some(), (1..=2).contains(&number));
            assert!(kind.is_none_or(|kind| kind.number() == number && number == kind));
        }
        assert_eq!(
            DrawSource::from_number(2).map(DrawSource::name),
            Some("balls")
        );
    }
}

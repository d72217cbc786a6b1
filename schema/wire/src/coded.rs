//! Names of closed lists, as they travel: an enumeration on both sides, its stable name between
//! them. A newer program may say a name that this one does not know. It stays as it came, and
//! stands for nothing.

use std::fmt;

use keno_game::{DrawSource, DrawState, Intake, PaidKind, SelectionType, Tender, TicketState};
use keno_words::{Language, Say};
use serde::{Deserialize, Serialize};

/// An enumeration whose members have stable names.
pub trait Coded: Copy + PartialEq {
    /// Stable name.
    fn code(self) -> &'static str;

    /// What a name stands for.
    fn of_code(code: &str) -> Option<Self>;
}

/// A stable name, as what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String", bound = "T: Coded")]
pub enum Name<T> {
    /// What it stands for.
    Known(T),
    /// A name that this program does not know.
    Other(String),
}

impl<T: Coded> Name<T> {
    /// What it stands for, if that is known here.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(known) => Some(*known),
            Self::Other(_) => None,
        }
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(known) => known.code(),
            Self::Other(name) => name,
        }
    }
}

impl<T: Coded> From<T> for Name<T> {
    fn from(known: T) -> Self {
        Self::Known(known)
    }
}

/// What a number of the record stands for: `unknown` if for nothing.
impl<T: Coded> From<Option<T>> for Name<T> {
    fn from(known: Option<T>) -> Self {
        known.map_or_else(|| "unknown".into(), Self::Known)
    }
}

impl<T: Coded> From<&str> for Name<T> {
    fn from(name: &str) -> Self {
        T::of_code(name).map_or_else(|| Self::Other(name.to_owned()), Self::Known)
    }
}

impl<T: Coded> From<String> for Name<T> {
    fn from(name: String) -> Self {
        Self::from(name.as_str())
    }
}

impl<T: Coded> From<Name<T>> for String {
    fn from(name: Name<T>) -> Self {
        name.as_str().to_owned()
    }
}

impl<T: Coded> PartialEq<&str> for Name<T> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl<T: Coded> fmt::Display for Name<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// A name that is no word of either language: of what is not known here, or is said as it is.
impl<T: Coded> Say for Name<T> {
    fn say(&self, _: Language, to: &mut String) {
        to.push_str(self.as_str());
    }
}

/// Enumerations that travel by their names, with what says and what reads each.
macro_rules! travels {
    ($($name:ident $name_of:ident $from_name:ident,)*) => {$(
        impl Coded for $name {
            fn code(self) -> &'static str {
                self.$name_of()
            }

            fn of_code(code: &str) -> Option<Self> {
                Self::$from_name(code)
            }
        }
    )*};
}

travels! {
    DrawSource name from_name,
    DrawState name from_name,
    Intake name from_name,
    PaidKind name from_name,
    SelectionType code from_code,
    Tender code from_code,
    TicketState name from_name,
}

/// Enumerations of the interface itself, each member with its name.
macro_rules! coded {
    ($($(#[$about:meta])* $name:ident $members:tt)*) => {$(
        keno_game::named! { $(#[$about])* $name $members }
        travels! { $name name from_name, }
    )*};
}

coded! {
    /// Where a ticket's draw is, as its holder is told.
    TicketDrawState {
        /// On sale, or planned.
        ToCome "to_come",
        /// Between its close and its prizes.
        BeingVerified "being_verified",
        /// Its prizes are payable.
        Settled "settled",
        /// Of no effect: its wager is refunded.
        Void "void",
    }

    /// What a ticket's draw owes.
    Due {
        /// Nothing yet, or nothing.
        Nothing "none",
        /// A prize.
        Prize "prize",
        /// The wager of a void draw.
        Refund "refund",
    }

    /// What became of what is due.
    Payment {
        /// Nothing is due.
        Nothing "none",
        /// Due and unpaid.
        Unpaid "unpaid",
        /// Paid.
        Paid "paid",
        /// Not claimed in time.
        Expired "expired",
    }

    /// The verdict on a ticket: one of the eighteen of the house.
    VerdictCode {
        /// No draw of the ticket has taken place.
        NotYetDrawn "not_yet_drawn",
        /// Some draws are settled, others to come.
        PartlyDrawn "partly_drawn",
        /// Something can be paid.
        Winner "winner",
        /// Something can be paid, at the main cage.
        WinnerAtCage "winner_at_cage",
        /// Every draw is settled and nothing was won.
        NotWinner "not_winner",
        /// Everything won was paid.
        AlreadyPaid "already_paid",
        /// Cancelled before its first draw closed.
        Cancelled "cancelled",
        /// Void: the wager was never paid (s. 83).
        VoidUnpaid "void_unpaid",
        /// This paper was replaced by a duplicate.
        Replaced "replaced",
        /// The claim period is over.
        ClaimExpired "claim_expired",
        /// Held: its paper was never confirmed.
        InDoubt "in_doubt",
        /// Numbers are out but not official or not settled.
        DrawUnofficial "draw_unofficial",
        /// A draw of the ticket is void.
        DrawCancelled "draw_cancelled",
        /// The number is not in the record.
        NotFound "not_found",
        /// Sold before a restore that lost its record.
        RecordLost "record_lost",
        /// Lost in a restore, and its price was given back.
        LostRefunded "lost_refunded",
        /// The code cannot be read.
        Unreadable "unreadable",
        /// Central cannot be asked.
        CentralDown "central_down",
    }

    /// What became of a key.
    KeyState {
        /// Central never heard of it.
        Unknown "unknown",
        /// A ticket was sold.
        Sale "sale",
        /// A ticket was cancelled.
        Cancellation "cancellation",
        /// Prizes or refunds were paid.
        Payment "payment",
        /// A till was filled or dropped.
        TillMovement "till_movement",
        /// A lost ticket was refunded.
        LostRefund "lost_refund",
        /// It has no outcome, and will have none.
        Closed "closed",
    }

    /// Whether a terminal counts.
    TerminalStanding {
        /// It does.
        Active "active",
        /// Its certificate was taken back.
        Revoked "revoked",
        /// It was handed over to another.
        Left "left",
    }

    /// What the record says of a key.
    KeyEvidence {
        /// Nothing.
        Unknown "unknown",
        /// It has an outcome.
        Recorded "recorded",
        /// It has none, and will have none.
        Closed "closed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_and_one_that_is_not_known_stays_as_it_came() {
        let void = Name::<TicketDrawState>::from("void");
        assert_eq!(void, Name::Known(TicketDrawState::Void));
        let newer = Name::<DrawState>::from("postponed");
        assert_eq!((newer.known(), newer.as_str()), (None, "postponed"));
        assert_eq!(newer, "postponed");
        let travels: String = newer.into();
        assert_eq!(travels, "postponed");
        assert_eq!(Name::from(DrawState::Drawn).to_string(), "drawn");
    }
}

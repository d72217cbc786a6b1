//! Every fact about money, as the log holds it (`FORMAT.md`, "Kinds").
//!
//! The declarations below are the format: the encoding of an event is its fields in order. A
//! test holds `FORMAT.md` to the same names in the same order, so the document and the code
//! cannot part.

mod draw;
mod house;
mod ticket;

use crate::encode::{DecodeFault, Field, Reader, record};

pub use draw::*;
pub use house::*;
pub use ticket::*;

record! {
    /// The key of a command that moves money: made and synced by the device before it is sent.
    #[derive(Copy, PartialOrd, Ord, Hash)]
    CommandKey {
        /// Device number.
        device: u32,
        /// Session number, given by central.
        session: u64,
        /// Counter of the device within the session.
        counter: u64,
    }
}

record! {
    /// A line of a selection's composition: so many ways of so many spots, at so much a way.
    #[derive(Copy)]
    ConditioningRecord {
        /// Ways of that many spots.
        ways: u32,
        /// Spots of each way.
        spots: u8,
        /// Wager per way, per draw.
        wager_cents: i64,
    }
}

record! {
    /// A selection as registered (s. 82(1)-(2)).
    SelectionRecord {
        /// Code of the game in the rule book.
        game: String,
        /// Type of selection: 1 straight, 2 way, 3 king.
        kind: u8,
        /// True when the computer chose the numbers (s. 80).
        quick_pick: bool,
        /// Groups of numbers, each ascending.
        groups: Vec<Vec<u8>>,
        /// King numbers, ascending.
        kings: Vec<u8>,
        /// What is wagered on which ways.
        conditioning: Vec<ConditioningRecord>,
    }
}

record! {
    /// What stands on a damaged paper beside its control number; what is not legible is absent.
    DamagedReading {
        /// First draw of the ticket.
        first_draw: Option<u64>,
        /// Last draw of the ticket.
        last_draw: Option<u64>,
        /// Price of the ticket.
        total_cents: Option<i64>,
        /// Number of the device that sold it.
        sold_at: Option<u32>,
        /// All numbers of one of its selections, kings too, ascending; none if none is legible.
        numbers: Vec<u8>,
    }
}

record! {
    /// A part of a payment.
    #[derive(Copy)]
    PaidItem {
        /// Draw number.
        draw: u64,
        /// 1 prize, 2 refund of a void draw.
        kind: u8,
        /// Amount in cents.
        amount_cents: i64,
    }
}

record! {
    /// A prize whose claim period is over.
    #[derive(Copy)]
    ExpiredItem {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Draw number.
        draw: u64,
        /// Amount in cents.
        amount_cents: i64,
    }
}

/// Declares the closed list of events: name, stable number, whether the body is public, and the
/// field that holds the draw it is about.
macro_rules! events {
    ($($name:ident = $number:literal, $public:literal, $draw:expr;)*) => {
        /// The kind of a fact, by its stable number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum EventKind {
            $(#[doc = concat!("[`", stringify!($name), "`]")] $name = $number),*
        }

        impl EventKind {
            /// Every kind, ascending by number.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The stable number in the leaf's header.
            pub fn number(self) -> u8 {
                self as u8
            }

            /// The kind of a stable number.
            pub fn from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The stable name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name)),*
                }
            }

            /// True when the body may be shown to anyone (for the numbers of a draw: once the
            /// last one has been shown).
            pub fn is_public(self) -> bool {
                match self {
                    $(Self::$name => $public),*
                }
            }

            /// Names of the body's fields in order.
            pub fn fields(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => $name::FIELDS),*
                }
            }
        }

        /// A fact.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Event {
            $(#[doc = concat!("[`", stringify!($name), "`]")] $name($name)),*
        }

        impl Event {
            /// The kind of this fact.
            pub fn kind(&self) -> EventKind {
                match self {
                    $(Self::$name(_) => EventKind::$name),*
                }
            }

            /// The body's bytes.
            pub fn encode(&self) -> Vec<u8> {
                let mut out = Vec::with_capacity(256);
                match self {
                    $(Self::$name(body) => body.put(&mut out)),*
                }
                out
            }

            /// Reads a body of `kind`.
            ///
            /// # Errors
            /// A [`DecodeFault`] when the bytes are not such a body.
            pub fn decode(kind: EventKind, bytes: &[u8]) -> Result<Self, DecodeFault> {
                let mut reader = Reader::new(bytes);
                let event = match kind {
                    $(EventKind::$name => Self::$name($name::take(&mut reader)?)),*
                };
                reader.finish()?;
                Ok(event)
            }

            /// The draw that the fact is about, as the header shows it; 0 for none.
            pub fn draw(&self) -> u64 {
                match self {
                    $(Self::$name(body) => {
                        let of: fn(&$name) -> u64 = $draw;
                        of(body)
                    }),*
                }
            }
        }

        $(impl From<$name> for Event {
            fn from(body: $name) -> Self {
                Self::$name(body)
            }
        })*
    };
}

events! {
    HouseOpened = 1, true, |_| 0;
    RuleBookPublished = 2, true, |_| 0;
    PersonRecorded = 3, false, |_| 0;
    DeviceRecorded = 4, false, |_| 0;
    SessionOpened = 5, false, |_| 0;
    SessionEnded = 6, false, |_| 0;
    ShiftOpened = 7, false, |_| 0;
    ShiftClosed = 8, false, |_| 0;
    TillMoved = 9, false, |_| 0;
    LeaseTaken = 10, false, |_| 0;
    ScheduleHalted = 11, false, |_| 0;
    ScheduleConfirmed = 12, false, |_| 0;
    SalesSuspended = 13, true, |_| 0;
    SalesResumed = 14, true, |_| 0;
    EpochOpened = 15, true, |_| 0;
    DeviceHandedOver = 16, false, |_| 0;
    TillCounted = 17, false, |_| 0;
    ActingNamed = 18, false, |_| 0;
    ActingMade = 19, false, |_| 0;
    DrawScheduled = 20, true, |body| body.draw;
    CommitmentRecorded = 21, true, |body| body.draw;
    DrawOpened = 22, true, |body| body.draw;
    DrawClosed = 23, true, |body| body.draw;
    DrawStarted = 24, true, |body| body.draw;
    BallsRecorded = 25, true, |body| body.draw;
    DrawCertified = 26, true, |body| body.draw;
    SecretsRevealed = 27, true, |body| body.draw;
    DrawSettled = 28, true, |body| body.draw;
    DrawSuspended = 29, true, |body| body.draw;
    DrawResumed = 30, true, |body| body.draw;
    DrawVoided = 31, true, |body| body.draw;
    TicketSold = 40, false, |body| body.first_draw;
    TicketCancelled = 41, false, |body| body.first_draw;
    TicketUnpaid = 42, false, |body| body.first_draw;
    PrintConfirmed = 43, false, |_| 0;
    TicketReleased = 44, false, |_| 0;
    TicketDuplicated = 45, false, |_| 0;
    ClaimPresented = 46, false, |_| 0;
    PrizePaid = 47, false, |_| 0;
    PaymentReversed = 48, false, |_| 0;
    DiscrepancyNoted = 49, false, |_| 0;
    KeyClosed = 50, false, |_| 0;
    PrizesExpired = 51, false, |_| 0;
    PaymentHeld = 52, false, |_| 0;
    LostTicketRefunded = 53, false, |_| 0;
    PatronRefused = 54, false, |_| 0;
    DamagedTicketRead = 55, false, |_| 0;
    FileOpened = 56, false, |_| 0;
    FileJudged = 57, false, |_| 0;
}

//! Every fact about money, as the log holds it (`FORMAT.md`, "Kinds").
//!
//! A fact is declared once: its body by `record!` in the file of its family, its row in the list at
//! the end of this file. The encoding of an event is its fields in order; the chapters of
//! `FORMAT.md` about bodies and kinds, and the fields of the stranger's verifier, are made from the
//! declaration.

mod draw;
mod follower;
mod house;
mod names;
mod room;
mod ticket;

use self::names::Named;
use crate::encode::{Declared, DecodeFault, Field, Reader, record};

pub use draw::*;
pub use follower::*;
pub use house::*;
pub use names::{Marks, Names};
pub use room::*;
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

/// Declares the closed list of events: name, stable number, marks, and which of its fields are
/// what [`Names`] has. Facts of `notes` stand in the log and in the life of the ticket that they
/// name, and nothing else follows from them: [`a_note!`](crate::a_note) is the pattern of them all.
/// What is `retired` was recorded by an earlier version: its number is given to nothing else.
macro_rules! events {
    (
        changes { $($changes:tt)* }
        notes { $($note:ident = $number:literal $(, $mark:ident)* { $($names:tt)* };)* }
        retired { $($retired:ident = $gone:literal: $meaning:literal;)* }
    ) => {
        kinds! { $($changes)* $($note = $number $(, $mark)* { $($names)* };)* }
        retired! { $($retired = $gone: $meaning;)* }
        taken! {
            { $($changes)* $($note = $number $(, $mark)* { $($names)* };)* }
            $($retired = $gone;)*
        }

        /// The facts that are only noted, as a pattern: whoever treats none of them apart has one
        /// line for all.
        #[macro_export]
        macro_rules! a_note {
            () => { $($crate::Event::$note(_))|* };
        }
    };
}

macro_rules! retired {
    ($($name:ident = $number:literal: $meaning:literal;)*) => {
        /// The kind of a fact that an earlier version recorded, and this one does not know.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum RetiredKind {
            $(#[doc = $meaning] $name = $number),*
        }

        impl RetiredKind {
            /// Each of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The number in the leaf's header, which no other kind is given.
            pub fn number(self) -> u8 {
                self as u8
            }

            /// The retired kind of a number.
            pub fn from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The name that it had.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name)),*
                }
            }

            /// What it was.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning),*
                }
            }
        }
    };
}

macro_rules! taken {
    (
        { $($name:ident = $number:literal $(, $mark:ident)* { $($names:tt)* };)* }
        $($retired:ident = $gone:literal;)*
    ) => {
        /// Every number and every name, those of retired kinds too: what takes one of them a second
        /// time does not compile.
        #[expect(dead_code, reason = "it is there for the compiler")]
        #[repr(u8)]
        enum EveryKind {
            $($name = $number,)*
            $($retired = $gone,)*
        }
    };
}

/// The field of a body that is a part of [`Names`], or its name: that of the part where no other
/// is said.
macro_rules! field {
    ($part:ident) => { stringify!($part) };
    ($part:ident: $($field:ident).+) => { stringify!($($field).+) };
    ($body:ident $part:ident) => { $body.$part };
    ($body:ident $part:ident: $($field:ident).+) => { $body.$($field).+ };
}

macro_rules! kinds {
    ($($name:ident = $number:literal $(, $mark:ident)* {
        $($part:ident $(: $($field:ident).+)?),*
    };)*) => {
        /// The kind of a fact, by its stable number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum EventKind {
            $(#[doc = concat!("[`", stringify!($name), "`]")] $name = $number),*
        }

        impl EventKind {
            /// Every kind, ascending by number.
            pub const ALL: &'static [Self] = &Self::ascending([$(Self::$name),*]);

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

            /// What is to be known of it beside its body.
            pub fn marks(self) -> Marks {
                match self {
                    $(Self::$name => Marks { $($mark: true,)* ..Marks::NONE }),*
                }
            }

            /// Its body's fields in order.
            pub fn fields(self) -> &'static [Declared] {
                match self {
                    $(Self::$name => $name::FIELDS),*
                }
            }

            /// What it is, in lines.
            pub fn meaning(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => $name::MEANING),*
                }
            }

            /// What it names, each with its field.
            pub fn parts(self) -> &'static [(&'static str, &'static str)] {
                match self {
                    $(Self::$name => &[$((stringify!($part), field!($part $(: $($field).+)?))),*]),*
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

            /// What the fact names.
            pub fn names(&self) -> Names<'_> {
                match self {
                    $(Self::$name(body) => {
                        let _ = body;
                        Names {
                            $($part: field!(body $part $(: $($field).+)?).named(),)*
                            ..Names::default()
                        }
                    }),*
                }
            }
        }

        $(impl From<$name> for Event {
            fn from(body: $name) -> Self {
                Self::$name(body)
            }
        }

        impl TryFrom<Event> for $name {
            /// A fact of another kind.
            type Error = Event;

            fn try_from(event: Event) -> Result<Self, Event> {
                match event {
                    Event::$name(body) => Ok(body),
                    other => Err(other),
                }
            }
        })*
    };
}

impl EventKind {
    /// Puts kinds in the order of their numbers.
    const fn ascending<const COUNT: usize>(mut kinds: [Self; COUNT]) -> [Self; COUNT] {
        let mut end = COUNT;
        while end > 1 {
            let mut at = 1;
            while at < end {
                if kinds[at - 1] as u8 > kinds[at] as u8 {
                    kinds.swap(at - 1, at);
                }
                at += 1;
            }
            end -= 1;
        }
        kinds
    }

    /// True when the body may be shown to anyone (for the numbers of a draw: once the last one has
    /// been shown).
    pub fn is_public(self) -> bool {
        self.marks().public
    }
}

impl Event {
    /// The draw that the fact is about, as the header shows it; 0 for none.
    pub fn draw(&self) -> u64 {
        let names = self.names();
        names.draw.or(names.first_draw).unwrap_or(0)
    }

    /// The shift whose till it moves cash of, and how much, in cents. Whose money a ticket that is
    /// marked unpaid was is in its sale alone.
    pub fn cash(&self) -> Option<(u64, i64)> {
        let names = self.names();
        let cents = match self {
            Self::TillMoved(body) if body.kind == 1 => Some(body.amount_cents),
            Self::TillMoved(body) => Some(body.amount_cents.wrapping_neg()),
            _ => names.cash_cents(),
        };
        names.shift.zip(cents)
    }
}

events! {
    changes {
        HouseOpened = 1, public {};
        RuleBookPublished = 2, public { by, second };
        PersonRecorded = 3 { by, second };
        DeviceRecorded = 4 { device, by, second };
        SessionOpened = 5 { device, by: badge };
        SessionEnded = 6 { by };
        ShiftOpened = 7 { shift, device, by: badge };
        ShiftClosed = 8 { shift, by, second };
        TillMoved = 9 { key, content: content_hash, shift, by, second };
        LeaseTaken = 10 {};
        ScheduleHalted = 11 {};
        ScheduleConfirmed = 12 { by, second };
        SalesSuspended = 13, public { by, said: reason };
        SalesResumed = 14, public { by, second };
        EpochOpened = 15, public { by, second, said: reason };
        DeviceHandedOver = 16 { shift, device: to, by, second, said: reason };
        TillCounted = 17 { shift, device, by, second, said: reason };
        ActingNamed = 18 { by, second };
        ActingMade = 19 { by, second };
        DrawScheduled = 20, public { draw };
        CommitmentRecorded = 21, public { draw };
        DrawOpened = 22, public { draw };
        DrawClosed = 23, public { draw };
        DrawStarted = 24, public { draw };
        BallsRecorded = 25, public { draw };
        DrawCertified = 26, public { draw };
        SecretsRevealed = 27, public { draw };
        DrawSettled = 28, public { draw };
        DrawSuspended = 29, public { draw, by, said: reason };
        DrawResumed = 30, public { draw, by, second };
        DrawVoided = 31, public { draw, by, second, said: reason };
        BallEntered = 32 { draw, by, device };
        BallDrawn = 33, public { draw, by, second };
        EntererReplaced = 34, public { draw, by: arriving, second, said: reason };
        TubesAttested = 35, public { draw, by, second };
        ComputerStoodIn = 36, public { draw, by, second, said: reason };
        DrawPostponed = 39, public { draw, by, second, said: reason };
        TicketSold = 40 {
            first_draw, key, content: content_hash, device: key.device, by: badge, shift, tender,
            received: total_cents, rounding: chip_change_cents
        };
        TicketCancelled = 41 {
            first_draw, ticket, key, content: content_hash, device: key.device, by: badge, second,
            shift, tender, given: refund_cents
        };
        TicketUnpaid = 42, incident { first_draw, ticket, by, second };
        PrintConfirmed = 43 { ticket, device, copy };
        TicketReleased = 44, incident { ticket, by, second, said: evidence };
        TicketDuplicated = 45, incident { ticket, copy, by, second, said: reason };
        ClaimPresented = 46 { ticket, device, by: badge, second };
        PrizePaid = 47 {
            ticket, key, content: content_hash, by: badge, second, shift, tender,
            given: total_cents, rounding: rounding_cents
        };
        PaymentReversed = 48, incident {
            ticket, by, second, shift, received: cash_cents, said: reason
        };
        KeyClosed = 50 { key, by: badge };
        PaymentHeld = 52, incident { ticket, by };
        LostTicketRefunded = 53 {
            key, content: content_hash, by: badge, second, shift, tender, given: amount_cents,
            said: reason
        };
        PatronRefused = 54, incident { ticket, device, by: badge };
        DamagedTicketRead = 55 { ticket, device, by: badge, second };
        FileOpened = 56 { ticket, device, by: badge, said: note };
        FileJudged = 57 { ticket, by, second, third, said: note };
        BallSetMeasured = 60, public { by, second, said: instruments };
        BallSetsOffered = 61, public { by, second, said: reason };
        DrawRoomOpened = 62, public { by, second, said: camera };
        DrawRoomEnded = 63, public { by, second };
        FollowerBegan = 65, public { by, second };
        DrawFollowed = 66, public { draw };
        PayoutsOpened = 67, public { draw, by, second, said: reason };
        BallRead = 68, public { draw };
        LineIncident = 69, public { draw, said };
    }
    notes {
        HostsNamed = 37, public { draw };
        HostsSigned = 38, public { draw };
        DiscrepancyNoted = 49, incident { ticket, by: badge, said: note };
        TicketRemarked = 58 { ticket, by: badge, said: text };
        IncidentLogged = 64, incident { draw, by, device, said: text };
    }
    retired {
        SecretEscrowed = 70: "A holder's secret of a draw, given into escrow with two auditors.";
    }
}

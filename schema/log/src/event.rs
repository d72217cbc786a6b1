//! Every fact about money, as the log holds it (`FORMAT.md`, "Kinds").
//!
//! The declarations below are the format: the encoding of an event is its fields in order. A
//! test holds `FORMAT.md` to the same names in the same order, so the document and the code
//! cannot part.

use crate::encode::{DecodeFault, Field, Reader, record};
use crate::hash::Hash;

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

record! {
    /// The log begins: whose it is and which key signs its checkpoints.
    HouseOpened {
        /// Short name of the house, part of every derivation.
        house: String,
        /// Name printed on paper.
        name: String,
        /// IANA time zone of the business day.
        zone: String,
        /// Verifier key of the checkpoints, C2SP text form.
        log_key: String,
        /// Number of the first draw.
        first_draw: u64,
    }
}

record! {
    /// A version of the rules, published by two people (ss. 2, 76, 85).
    RuleBookPublished {
        /// Version number, one more than the last.
        version: u32,
        /// First draw that it governs for new tickets.
        effective_from: u64,
        /// SHA-256 of the text.
        hash: Hash,
        /// The rule book's text, byte for byte.
        text: String,
        /// Badge of who published.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A person's badge, roles and credential, as they now stand.
    PersonRecorded {
        /// Badge code.
        badge: String,
        /// Name shown to colleagues; may be empty.
        name: String,
        /// Role numbers, ascending.
        roles: Vec<u8>,
        /// argon2id over HMAC(pepper; badge, PIN), PHC text form.
        credential: String,
        /// False once the badge is withdrawn.
        active: bool,
        /// Badge of the administrator, or `console`.
        by: String,
    }
}

record! {
    /// A device and its key, as they now stand.
    DeviceRecorded {
        /// Device number, never reused.
        device: u32,
        /// Name on screens and paper, such as T07.
        name: String,
        /// 1 counter, 2 kiosk, 3 display, 4 audit office.
        role: u8,
        /// SHA-256 of the device's key.
        key_hash: Hash,
        /// False once the device is revoked.
        active: bool,
        /// Badge of the technician, or `console`.
        by: String,
    }
}

record! {
    /// A person signs on at a device; the session's keys can be used.
    SessionOpened {
        /// Session number, never reused.
        session: u64,
        /// Device number.
        device: u32,
        /// Badge code.
        badge: String,
        /// SHA-256 of the session's token.
        token_hash: Hash,
    }
}

record! {
    /// A session ends; its unknown keys are dead from here on.
    SessionEnded {
        /// Session number.
        session: u64,
        /// 1 signed off, 2 replaced by a new sign-on, 3 ended by a supervisor, 4 device revoked.
        reason: u8,
        /// Badge code.
        by: String,
    }
}

record! {
    /// A till is opened for a person.
    ShiftOpened {
        /// Shift number, never reused.
        shift: u64,
        /// Device number of the till.
        device: u32,
        /// Badge of the holder of the till.
        badge: String,
        /// Opening float.
        float_cents: i64,
    }
}

record! {
    /// A till is counted blind and closed.
    ShiftClosed {
        /// Shift number.
        shift: u64,
        /// Cash counted before the expected figure was shown.
        counted_cents: i64,
        /// Cash that the record expects.
        expected_cents: i64,
        /// Badge code.
        by: String,
    }
}

record! {
    /// Cash put into or taken out of a till by two people.
    TillMoved {
        /// Shift number.
        shift: u64,
        /// 1 fill, 2 drop.
        kind: u8,
        /// Positive.
        amount_cents: i64,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A central takes over the writing of the log.
    LeaseTaken {
        /// Name of the running central.
        instance: String,
        /// Fencing number, one more than the last.
        fence: u64,
    }
}

record! {
    /// The clock is doubtful: no draw step is taken until two people confirm it.
    ScheduleHalted {
        /// 1 wall clock jumped against the monotonic one, 2 long silence before the start, 3 clock behind the log.
        reason: u8,
        /// What the clock showed.
        seen_ms: i64,
        /// What it should have shown.
        expected_ms: i64,
    }
}

record! {
    /// Two people confirm the clock; the schedule goes on.
    ScheduleConfirmed {
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// Sales stop for the whole house.
    SalesSuspended {
        /// Why, in words.
        reason: String,
        /// Badge code, or `guard`.
        by: String,
    }
}

record! {
    /// Sales go on.
    SalesResumed {
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A draw is announced: its times, source, pool and cap.
    DrawScheduled {
        /// Draw number, sequential, never reused (NJ (d)).
        draw: u64,
        /// When sales close.
        closes_at_ms: i64,
        /// When the first number is shown.
        draws_at_ms: i64,
        /// 1 computer, 2 balls (s. 75).
        source: u8,
        /// Names of the holders of secrets, in the order of the derivation.
        holders: Vec<String>,
        /// Numbers in the pool.
        pool_size: u8,
        /// Numbers drawn.
        drawn: u8,
        /// Maximum payable in prizes (ss. 77, 82(5)).
        cap_cents: i64,
        /// Prizes per way below it are paid in full when the cap bites.
        full_below_cents: i64,
    }
}

record! {
    /// A holder commits to its secret, before the first wager for the draw.
    CommitmentRecorded {
        /// Draw number.
        draw: u64,
        /// Place of the holder in the derivation, from 0.
        position: u8,
        /// SHA-256(tag, house, draw, secret).
        commitment: Hash,
    }
}

record! {
    /// Wagers for the draw may be registered from here on.
    DrawOpened {
        /// Draw number.
        draw: u64,
    }
}

record! {
    /// Sales are closed. The tree's size and root just after this leaf are the seal.
    DrawClosed {
        /// Draw number.
        draw: u64,
        /// Tickets that take part.
        tickets: u64,
        /// Selections that take part.
        selections: u64,
        /// Wagers for this draw alone.
        wagered_cents: i64,
    }
}

record! {
    /// The seal is handed to the machine; nothing before it can change.
    DrawStarted {
        /// Draw number.
        draw: u64,
        /// Leaves in the tree just after the closing leaf.
        seal_size: u64,
        /// Root of that tree.
        seal_root: Hash,
        /// SHA-256 of the rule book in force for new tickets of this draw.
        rule_book_hash: Hash,
    }
}

record! {
    /// The winning numbers in order; all of them are recorded before the first is shown.
    BallsRecorded {
        /// Draw number.
        draw: u64,
        /// 1 computer, 2 balls, 3 recording played back (drills only).
        machine: u8,
        /// Winning numbers in the order drawn.
        balls: Vec<u8>,
        /// Words of the key stream that were read.
        words_used: u64,
        /// Words among them that were rejected.
        words_rejected: u64,
        /// SHA-256 over the secrets in holder order: what is revealed later is what was used.
        secrets_hash: Hash,
    }
}

record! {
    /// The result is official.
    DrawCertified {
        /// Draw number.
        draw: u64,
        /// Badges, or `guard` for a computer draw that passed every check.
        certifiers: Vec<String>,
    }
}

record! {
    /// The secrets of the draw, for anyone to recompute it.
    SecretsRevealed {
        /// Draw number.
        draw: u64,
        /// Secrets in holder order, 32 bytes each.
        secrets: Vec<Hash>,
    }
}

record! {
    /// Every prize of the draw is fixed and payable.
    DrawSettled {
        /// Draw number.
        draw: u64,
        /// Tickets with a prize.
        winners: u64,
        /// Sum of the prizes per way below the threshold, before the cap.
        small_cents: i64,
        /// Sum of the other prizes, before the cap.
        large_cents: i64,
        /// Sum of what is payable.
        payable_cents: i64,
        /// Factor of the small prizes, numerator.
        small_numerator: u64,
        /// Factor of the small prizes, denominator.
        small_denominator: u64,
        /// Factor of the large prizes, numerator.
        large_numerator: u64,
        /// Factor of the large prizes, denominator.
        large_denominator: u64,
        /// What rounding down left of the lesser of cap and total.
        breakage_cents: i64,
        /// Root of the tree over the prize list (`FORMAT.md`, "Prize list").
        prize_root: Hash,
    }
}

record! {
    /// The draw is interrupted; its seal stands.
    DrawSuspended {
        /// Draw number.
        draw: u64,
        /// Why, in words.
        reason: String,
        /// Badge code, or `guard`.
        by: String,
    }
}

record! {
    /// The interrupted draw goes on from its seal.
    DrawResumed {
        /// Draw number.
        draw: u64,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The draw is void; every wager for it is refunded.
    DrawVoided {
        /// Draw number.
        draw: u64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
        /// Tickets with a refund.
        tickets: u64,
        /// Sum of the refunds.
        refund_cents: i64,
    }
}

record! {
    /// A slip, paid for, is registered: this leaf is the ticket (ss. 80-84).
    TicketSold {
        /// The device's key for the sale.
        key: CommandKey,
        /// SHA-256 of the request, to tell a repetition from another sale.
        content_hash: Hash,
        /// Keyed hash of the control number.
        control_hash: Hash,
        /// Which candidate number of the key was free.
        control_attempt: u8,
        /// Key id of the claim secret.
        secret_key: u16,
        /// Version of the rules it was sold under.
        rule_book: u32,
        /// First draw of the ticket (s. 82(3)).
        first_draw: u64,
        /// Last draw of the ticket.
        last_draw: u64,
        /// The selections and wagers (s. 82(1)-(2)).
        selections: Vec<SelectionRecord>,
        /// Wagers of all the selections for one draw.
        per_draw_cents: i64,
        /// Price of the ticket.
        total_cents: i64,
        /// Maximum payable per draw as printed (s. 82(5)).
        cap_cents: i64,
        /// Last business day to claim, yyyymmdd (s. 82(6)).
        claim_by: u32,
        /// 1 cash, 2 coupon, 3 chip (s. 5: never credit).
        tender: u8,
        /// What the patron handed over.
        received_cents: i64,
        /// Badge of the clerk.
        badge: String,
        /// Shift number of the till.
        shift: u64,
        /// 1 slip, 2 e-slip, 3 screen, 4 replay, 5 express slip.
        intake: u8,
        /// The ticket it repeats.
        replay_of: Option<u64>,
    }
}

record! {
    /// The ticket is withdrawn before its first draw closed; the wager is given back.
    TicketCancelled {
        /// First draw of the ticket.
        first_draw: u64,
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The device's key.
        key: CommandKey,
        /// SHA-256 of the request.
        content_hash: Hash,
        /// 1 patron changed mind, 2 keyed wrong, 3 printed badly, 4 not paid, 5 other.
        reason: u8,
        /// What is given back.
        refund_cents: i64,
        /// In the tender of the sale.
        tender: u8,
        /// Badge of the clerk.
        badge: String,
        /// Shift number.
        shift: u64,
    }
}

record! {
    /// The patron left without paying: void (s. 83), by two people before the first ball.
    TicketUnpaid {
        /// First draw of the ticket.
        first_draw: u64,
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The wager that was never received.
        amount_cents: i64,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The printer, or the clerk, says that the paper came out whole.
    PrintConfirmed {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Copy index.
        copy: u8,
        /// 1 printer's own confirmation, 2 printer status, 3 clerk's word.
        how: u8,
        /// Device number.
        device: u32,
    }
}

record! {
    /// A held ticket is released on evidence, by two people.
    TicketReleased {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// What was seen.
        evidence: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// A new copy is issued; the old copy index is dead.
    TicketDuplicated {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The new copy index.
        copy: u8,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The ticket was presented as a claim: in time or not is judged by this moment (s. 86).
    ClaimPresented {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Device number.
        device: u32,
        /// Badge of the clerk.
        badge: String,
    }
}

record! {
    /// Prizes and refunds of a ticket are paid, each (ticket, draw) once.
    PrizePaid {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// The device's key.
        key: CommandKey,
        /// SHA-256 of the request.
        content_hash: Hash,
        /// What is paid, by draw.
        items: Vec<PaidItem>,
        /// Sum of the items.
        total_cents: i64,
        /// 1 cash; a refund goes back in the tender of the sale.
        tender: u8,
        /// Cash rounding at the till: paid out minus total, a multiple of a cent from -2 to 2.
        rounding_cents: i64,
        /// 1 by claim code, 2 by control number under supervision (s. 83).
        path: u8,
        /// Badge of the clerk.
        badge: String,
        /// Badge of the second person, above the limit.
        second: Option<String>,
        /// Shift number.
        shift: u64,
    }
}

record! {
    /// A payment that was not handed over is undone by two people in the same shift.
    PaymentReversed {
        /// Index of the payment's leaf.
        payment: u64,
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
        /// Shift number.
        shift: u64,
        /// Cash that returns to the till; 0 for another tender.
        cash_cents: i64,
    }
}

record! {
    /// Paper and record differ; the record prevails (s. 84).
    DiscrepancyNoted {
        /// Index of the ticket's leaf.
        ticket: u64,
        /// Bit n-1 set: fact n of s. 82 differs.
        facts: u8,
        /// What was seen on the paper.
        note: String,
        /// Badge code.
        badge: String,
    }
}

record! {
    /// A key that central did not know is closed: a late copy of its command is refused.
    KeyClosed {
        /// The device's key.
        key: CommandKey,
        /// Badge code.
        badge: String,
    }
}

record! {
    /// Prizes whose claim period is over, in a slice.
    PrizesExpired {
        /// Business day through which claims are over, yyyymmdd.
        through_day: u32,
        /// What expires.
        items: Vec<ExpiredItem>,
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
}

//! Refusals: a closed, ordered list. The order of the declaration is the order in which the
//! checks are made; the names are stable; each has a sentence in both languages that says what
//! to do next.

mod damaged;
mod draw_state;
mod english;
mod field;
mod french;
mod names;

use keno_book::rules_file::RuleBookFault;
use keno_game::SlipRefusal;
use keno_record::fault::QueueFull;
use keno_record::roles::{DeviceRole, Role};

pub use damaged::DamagedRefusal;

/// Why a command was not carried out.
pub type Stop = keno_record::Stop<Refusal>;

impl std::fmt::Display for Refusal {
    /// The stable name, for the log of the process.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<QueueFull> for Refusal {
    fn from(_: QueueFull) -> Self {
        Self::QueueFull
    }
}

/// The rules say no. Nothing was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// This device is not enrolled. Call the technician.
    DeviceUnknown,
    /// This device has been revoked. Call the technician.
    DeviceRevoked,
    /// This terminal was handed over to `to`. Go on there.
    DeviceHandedOver {
        /// Name of the device that goes on.
        to: String,
    },
    /// Sign on with your badge first.
    NotSignedIn,
    /// This session has ended. Sign on again.
    SessionEnded,
    /// Nobody was seen at this screen for a while. Unlock it with your PIN.
    SessionIdle,
    /// Badge, PIN or place is not right.
    BadgeOrPinWrong,
    /// Too many tries. Wait `seconds` s, or go on at another terminal.
    LockedOut {
        /// Seconds until the next try is taken.
        seconds: i64,
    },
    /// Too many wrong PINs for this badge: it only serves where it has served before, until two
    /// people lift that.
    BadgeLocked,
    /// Too many people sign on at once. Try again in a moment; nothing was tried.
    PinsBusy,
    /// This is not done at this device. Where: `needed`.
    WrongPlace {
        /// What the sentence names; none where only the command line of central's machine will do.
        needed: &'static [DeviceRole],
    },
    /// Your role does not allow this. Needed: `needed`.
    WrongRole {
        /// What the sentence names.
        needed: Vec<Role>,
    },
    /// A second authorised person must give badge and PIN.
    SecondPersonNeeded,
    /// The second person must be someone else.
    SamePersonTwice,
    /// The second person does not have the role for this.
    SecondPersonRefused,
    /// A PIN is 6 to 12 digits, without three in a row alike or following, or a repeated piece.
    PinTooEasy,
    /// The new PIN is the one that the badge has already.
    PinUnchanged,
    /// This PIN was set for you: choose your own first.
    PinMustChange,
    /// This PIN is not reset so.
    PinNotReset,
    /// This badge cannot act as a supervisor.
    CannotAct,
    /// Two administrators have not named this badge as one that may act as a supervisor.
    NotNamedToAct,
    /// An acting supervisor does not judge a ticket that he sold himself.
    ActingOwnSale,
    /// One of the two set the PIN of the other, who has not changed it yet.
    PinKnownToOther,
    /// The card of this badge is to be scanned, and not its letters typed.
    CardNeeded,
    /// Who set this PIN is signed on at this device.
    PinChosenElsewhere,
    /// The field `field` is empty.
    NameNeeded {
        /// Which field of the request.
        field: &'static str,
    },
    /// A badge is letters, digits and hyphens, and no name that central goes by.
    BadgeSigns,
    /// Nobody is `one` and `other` at once.
    RolesExclude {
        /// A role that excludes the other.
        one: Role,
        /// The other.
        other: Role,
    },
    /// This badge is that of staff number `staff`, and stays it.
    StaffNumberKept {
        /// What the badge has.
        staff: String,
    },
    /// It would be read as `other`, who is there already.
    LooksLikeAnother {
        /// The badge or staff number on record.
        other: String,
    },
    /// A house keeps two administrators.
    AdministratorsTooFew,
    /// This house has its two administrators: they make further people.
    HouseHasAdministrators,
    /// This house has its recovery code: two administrators make another.
    HouseHasRecoveryCode,
    /// Nobody withdraws their own badge.
    OwnBadge,
    /// There is no such approval.
    ApprovalUnknown,
    /// Nobody has answered yet. Wait, or call the supervisor.
    ApprovalWaiting,
    /// The supervisor has refused.
    ApprovalRefused,
    /// This approval is over. Ask again.
    ApprovalExpired,
    /// This approval was used or answered already.
    ApprovalUsed,
    /// This approval is for another command. Ask again.
    ApprovalNotForThis,
    /// This key was already used for another request. Nothing was done.
    KeyOtherContent,
    /// This key is closed. Start again with a new request.
    KeyClosed,
    /// This key does not belong to this device and session.
    KeyForeign,
    /// Open a till with a float first.
    NoOpenTill,
    /// The float must be from $0.00 to `most_en`.
    FloatInvalid {
        /// Most that a till takes, in cents.
        most: i64,
    },
    /// A till is already open at this terminal.
    TillAlreadyOpen,
    /// The till of this shift is not counted yet: its sheet comes after the count.
    TillStillOpen,
    /// This till is another person's: a supervisor and one other close it.
    TillOfAnother,
    /// Name the terminal that is left, not this one.
    DeviceIsThisOne,
    /// This device was not handed over to another.
    DeviceNotHandedOver,
    /// The device that is to come back was revoked for good.
    RevokedForGood,
    /// What is to be taken over is no counter of this house.
    NoSuchCounter,
    /// The amount must be from $0.01 to `most_en`.
    AmountInvalid {
        /// Most that is moved at once, in cents.
        most: i64,
    },
    /// The cash counted must be from $0.00 to `most_en`.
    CountInvalid {
        /// Most that a till takes, in cents.
        most: i64,
    },
    /// A supervisor has stopped this terminal: it sells nothing for now.
    TerminalStopped,
    /// The slip is at fault: selection, field and sentence are inside.
    Slip {
        /// What the sentence names.
        refusal: SlipRefusal,
    },
    /// Sales are suspended for the whole house.
    SalesSuspended,
    /// No version of the rules is published for this draw.
    NoRules,
    /// Draw `draw` does not exist yet; 0 when no draw at all is on sale.
    DrawUnknown {
        /// What the sentence names.
        draw: u64,
    },
    /// Sales for draw `draw` are closed.`next_en`
    DrawClosed {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        next: Option<u64>,
    },
    /// Draw `draw` is not on sale.
    DrawNotOpen {
        /// What the sentence names.
        draw: u64,
    },
    /// Draw `draw` is too far ahead. Latest first draw: `furthest`.
    DrawTooFarAhead {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        furthest: u64,
    },
    /// This tender does not exist. No credit is given (s. 5).
    TenderUnknown,
    /// This tender is not accepted.
    TenderNotAccepted,
    /// The intake of the slip is not known.
    IntakeUnknown,
    /// The total told (`told_en`) is not the price (`price_en`). Tell the right total.
    TotalChanged {
        /// What the sentence names.
        told: i64,
        /// What the sentence names.
        price: i64,
    },
    /// Received `received_en` for `price_en`. No credit is given (s. 5).
    ReceivedTooLittle {
        /// What the sentence names.
        received: i64,
        /// What the sentence names.
        price: i64,
    },
    /// The amount received is at most `most_en`.
    ReceivedTooMuch {
        /// What the sentence names, in cents.
        most: i64,
    },
    /// This selection would raise the possible prizes over the house's limit.
    LiabilityOverLimit,
    /// The ticket to replay is not known.
    ReplayUnknown,
    /// This code cannot be read. Show the ticket again, flat, or type the control number printed on it.
    CodeUnreadable,
    /// Mistyped number: the check digits do not agree.
    NumberMistyped,
    /// No ticket has this number and code: the number is in no record, or the claim is not this
    /// house's, and nobody is told which.
    NumberUnknown,
    /// Too many unknown numbers. Wait a minute.
    TooManyUnknown,
    /// The ticket's code is needed, scanned or typed: a number alone pays nothing.
    ClaimCodeNeeded,
    /// This paper was replaced by a duplicate. It is no longer valid.
    CopyReplaced,
    /// The price of this ticket was given back when its sale was put aside: no paper of it is made.
    MoneyGivenBack,
    /// A paper of this ticket came out: it was paid for.
    PaperIsWhole,
    /// This ticket is in the record: pay or cancel it as any other.
    TicketNotLost,
    /// No restore has lost this ticket. Keep the paper and call the supervisor.
    NothingLost,
    /// This lost ticket was refunded on `at`, `device`, by `by` and `second`.
    LostRefunded {
        /// What the sentence names.
        at: String,
        /// What the sentence names.
        device: String,
        /// What the sentence names.
        by: String,
        /// What the sentence names.
        second: String,
    },
    /// Only the device that issued this paper can say that it came out.
    PrintElsewhere,
    /// This ticket was cancelled.
    TicketCancelled,
    /// Void ticket: wager not paid before the draw (s. 83).
    TicketVoidUnpaid,
    /// Ticket being checked: two people have to release it first. Call the supervisor.
    TicketHeld,
    /// This ticket is not held.
    NotHeld,
    /// Draw `draw` is closed: the ticket can no longer be cancelled.
    CancelAfterClose {
        /// What the sentence names.
        draw: u64,
    },
    /// Draw `draw` has begun: the wager can no longer be declared unpaid.
    UnpaidAfterFirstBall {
        /// What the sentence names.
        draw: u64,
    },
    /// This reason is not on the list.
    ReasonUnknown,
    /// Give a reason.
    ReasonNeeded,
    /// This text has a sign that is neither seen nor printed.
    TextSigns {
        /// The field of the request.
        field: &'static str,
    },
    /// This text has more than `most` characters.
    TextTooLong {
        /// The field of the request.
        field: &'static str,
        /// What the sentence names.
        most: usize,
    },
    /// A ticket that was paid, even in part, gets no duplicate.
    DuplicateAfterPayment,
    /// A ticket has `most` papers at most.
    CopiesUsedUp {
        /// What the sentence names.
        most: u8,
    },
    /// Nothing to pay on this ticket.
    NothingToPay,
    /// Draw `draw` is not on this ticket.
    DrawNotOfTicket {
        /// What the sentence names.
        draw: u64,
    },
    /// Draw `draw` has not taken place yet.
    NotDrawnYet {
        /// What the sentence names.
        draw: u64,
    },
    /// The result of draw `draw` is being verified. Wait.
    ResultNotOfficial {
        /// What the sentence names.
        draw: u64,
    },
    /// Draw `draw` of this ticket was already paid on `at`, `device`.
    AlreadyPaid {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        at: String,
        /// What the sentence names.
        device: String,
    },
    /// This prize or refund had to be claimed by `day`.
    ClaimExpired {
        /// What the sentence names.
        day: String,
    },
    /// The amount for draw `draw` is not `shown_en` but `payable_en`. Tell the player again.
    AmountChanged {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        shown: i64,
        /// What the sentence names.
        payable: i64,
    },
    /// This amount is paid at the main cage.
    CageOnly,
    /// Pay the prize and the refund apart: they are not given back in the same way.
    MixedTenders,
    /// Draw `draw` is listed twice in the request.
    DrawListedTwice {
        /// What the sentence names.
        draw: u64,
    },
    /// This payment is not known.
    PaymentUnknown,
    /// This payment was already reversed.
    PaymentReversed,
    /// A payment can be reversed only in the same shift.
    PaymentOtherShift,
    /// A payment can be reversed only at the till that paid: `device`.
    PaymentOtherTill {
        /// Name of the device where that till is.
        device: String,
    },
    /// The rules have `count` fault(s). The first: `first_en`
    RuleBookFaulty {
        /// What the sentence names.
        faults: Vec<RuleBookFault>,
    },
    /// The version must be `expected`.
    RuleBookVersion {
        /// What the sentence names.
        expected: u32,
    },
    /// The rules have changed since they were read: version `version` is the newest. Read it, then
    /// make the change again.
    RuleBookMovedOn {
        /// What the sentence names.
        version: u32,
    },
    /// These rules can only hold from draw `earliest` on.
    RuleBookTooEarly {
        /// What the sentence names.
        earliest: u64,
    },
    /// The draw is in state `state`: this step is not possible.
    DrawStepRefused {
        /// What the sentence names.
        state: &'static str,
    },
    /// The rules say what becomes of an interrupted draw of balls: `rule_en`.
    RuleForInterrupted {
        /// The rule: `void` or `complete`.
        rule: &'static str,
    },
    /// `badge` sold for draw `draw`: somebody else must decide about it.
    SoldForDraw {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        badge: String,
    },
    /// The schedule is not halted.
    NotHalted,
    /// The rules need more people than the house says it has.
    StaffTooFew {
        /// Humans that the rules need.
        needed: u8,
        /// What the house says.
        stated: u8,
    },
    /// There is no such entry in the record.
    RecordUnknown,
    /// A file of a paper whose code cannot be read waits until `from`.
    FileWaits {
        /// What the sentence names.
        from: String,
    },
    /// A paper whose code cannot be read.
    Damaged {
        /// What is refused of it.
        refusal: DamagedRefusal,
    },
    /// The system is busy. Try again in a moment; nothing was done.
    QueueFull,
    /// The central record is unavailable. Nothing was done; try again.
    RecordUnavailable,
}

impl Refusal {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DeviceUnknown => "device_unknown",
            Self::DeviceRevoked => "device_revoked",
            Self::DeviceHandedOver { .. } => "device_handed_over",
            Self::NotSignedIn => "not_signed_in",
            Self::SessionEnded => "session_ended",
            Self::SessionIdle => "session_idle",
            Self::BadgeOrPinWrong => "badge_or_pin_wrong",
            Self::LockedOut { .. } => "locked_out",
            Self::BadgeLocked => "badge_locked",
            Self::PinsBusy => "pins_busy",
            Self::WrongPlace { .. } => "wrong_place",
            Self::WrongRole { .. } => "wrong_role",
            Self::SecondPersonNeeded => "second_person_needed",
            Self::SamePersonTwice => "same_person_twice",
            Self::SecondPersonRefused => "second_person_refused",
            Self::PinTooEasy => "pin_too_easy",
            Self::PinUnchanged => "pin_unchanged",
            Self::PinMustChange => "pin_must_change",
            Self::PinNotReset => "pin_not_reset",
            Self::CannotAct => "cannot_act",
            Self::NotNamedToAct => "not_named_to_act",
            Self::ActingOwnSale => "acting_own_sale",
            Self::PinKnownToOther => "pin_known_to_other",
            Self::CardNeeded => "card_needed",
            Self::PinChosenElsewhere => "pin_chosen_elsewhere",
            Self::NameNeeded { .. } => "name_needed",
            Self::BadgeSigns => "badge_signs",
            Self::RolesExclude { .. } => "roles_exclude",
            Self::StaffNumberKept { .. } => "staff_number_kept",
            Self::LooksLikeAnother { .. } => "looks_like_another",
            Self::AdministratorsTooFew => "administrators_too_few",
            Self::HouseHasAdministrators => "house_has_administrators",
            Self::HouseHasRecoveryCode => "house_has_recovery_code",
            Self::OwnBadge => "own_badge",
            Self::ApprovalUnknown => "approval_unknown",
            Self::ApprovalWaiting => "approval_waiting",
            Self::ApprovalRefused => "approval_refused",
            Self::ApprovalExpired => "approval_expired",
            Self::ApprovalUsed => "approval_used",
            Self::ApprovalNotForThis => "approval_not_for_this",
            Self::KeyOtherContent => "key_other_content",
            Self::KeyClosed => "key_closed",
            Self::KeyForeign => "key_foreign",
            Self::NoOpenTill => "no_open_till",
            Self::FloatInvalid { .. } => "float_invalid",
            Self::TillAlreadyOpen => "till_already_open",
            Self::TillStillOpen => "till_still_open",
            Self::TillOfAnother => "till_of_another",
            Self::DeviceIsThisOne => "device_is_this_one",
            Self::DeviceNotHandedOver => "device_not_handed_over",
            Self::RevokedForGood => "revoked_for_good",
            Self::NoSuchCounter => "no_such_counter",
            Self::AmountInvalid { .. } => "amount_invalid",
            Self::CountInvalid { .. } => "count_invalid",
            Self::TerminalStopped => "terminal_stopped",
            Self::Slip { refusal } => refusal.code.name(),
            Self::SalesSuspended => "sales_suspended",
            Self::NoRules => "no_rules",
            Self::DrawUnknown { .. } => "draw_unknown",
            Self::DrawClosed { .. } => "draw_closed",
            Self::DrawNotOpen { .. } => "draw_not_open",
            Self::DrawTooFarAhead { .. } => "draw_too_far_ahead",
            Self::TenderUnknown => "tender_unknown",
            Self::TenderNotAccepted => "tender_not_accepted",
            Self::IntakeUnknown => "intake_unknown",
            Self::TotalChanged { .. } => "total_changed",
            Self::ReceivedTooLittle { .. } => "received_too_little",
            Self::ReceivedTooMuch { .. } => "received_too_much",
            Self::LiabilityOverLimit => "liability_over_limit",
            Self::ReplayUnknown => "replay_unknown",
            Self::CodeUnreadable => "code_unreadable",
            Self::NumberMistyped => "number_mistyped",
            Self::NumberUnknown => "number_unknown",
            Self::TooManyUnknown => "too_many_unknown",
            Self::ClaimCodeNeeded => "claim_code_needed",
            Self::CopyReplaced => "copy_replaced",
            Self::MoneyGivenBack => "money_given_back",
            Self::PaperIsWhole => "paper_is_whole",
            Self::TicketNotLost => "ticket_not_lost",
            Self::NothingLost => "nothing_lost",
            Self::LostRefunded { .. } => "lost_refunded",
            Self::PrintElsewhere => "print_elsewhere",
            Self::TicketCancelled => "ticket_cancelled",
            Self::TicketVoidUnpaid => "ticket_void_unpaid",
            Self::TicketHeld => "ticket_held",
            Self::NotHeld => "not_held",
            Self::CancelAfterClose { .. } => "cancel_after_close",
            Self::UnpaidAfterFirstBall { .. } => "unpaid_after_first_ball",
            Self::ReasonUnknown => "reason_unknown",
            Self::ReasonNeeded => "reason_needed",
            Self::TextTooLong { .. } => "text_too_long",
            Self::TextSigns { .. } => "text_signs",
            Self::DuplicateAfterPayment => "duplicate_after_payment",
            Self::CopiesUsedUp { .. } => "copies_used_up",
            Self::NothingToPay => "nothing_to_pay",
            Self::DrawNotOfTicket { .. } => "draw_not_of_ticket",
            Self::NotDrawnYet { .. } => "not_drawn_yet",
            Self::ResultNotOfficial { .. } => "result_not_official",
            Self::AlreadyPaid { .. } => "already_paid",
            Self::ClaimExpired { .. } => "claim_expired",
            Self::AmountChanged { .. } => "amount_changed",
            Self::CageOnly => "cage_only",
            Self::MixedTenders => "mixed_tenders",
            Self::DrawListedTwice { .. } => "draw_listed_twice",
            Self::PaymentUnknown => "payment_unknown",
            Self::PaymentReversed => "payment_reversed",
            Self::PaymentOtherShift => "payment_other_shift",
            Self::PaymentOtherTill { .. } => "payment_other_till",
            Self::RuleBookFaulty { .. } => "rule_book_faulty",
            Self::RuleBookVersion { .. } => "rule_book_version",
            Self::RuleBookMovedOn { .. } => "rule_book_moved_on",
            Self::RuleBookTooEarly { .. } => "rule_book_too_early",
            Self::DrawStepRefused { .. } => "draw_step_refused",
            Self::RuleForInterrupted { .. } => "rule_for_interrupted",
            Self::SoldForDraw { .. } => "sold_for_draw",
            Self::NotHalted => "not_halted",
            Self::StaffTooFew { .. } => "staff_too_few",
            Self::RecordUnknown => "record_unknown",
            Self::FileWaits { .. } => DamagedRefusal::FileWaits.name(),
            Self::Damaged { refusal } => refusal.name(),
            Self::QueueFull => "queue_full",
            Self::RecordUnavailable => "record_unavailable",
        }
    }
}

impl From<DamagedRefusal> for Refusal {
    fn from(refusal: DamagedRefusal) -> Self {
        Self::Damaged { refusal }
    }
}

impl From<SlipRefusal> for Refusal {
    fn from(refusal: SlipRefusal) -> Self {
        Self::Slip { refusal }
    }
}

//! The supervisor's wall: how the terminals are, what waits for a second person, and messages.

use macro_rules_attribute::apply;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::amendment::{ApprovalAmendment, RulesChanges};
use crate::coded::name;
use crate::discreet::discreet;
use crate::reply::{Bilingual, DrawTime, TicketReference};
use crate::request::{CommandKey, PayItem, TillMovementKind};

/// The printer of a terminal as it last said of itself.
#[apply(request!)]
pub struct PrinterReport {
    /// `ready`, `silent`, or the name of a trouble.
    pub state: String,
    /// The roll is near its end.
    pub near_end: bool,
}

/// A command of a terminal for which something is left to do.
#[apply(request!)]
pub struct OpenReport {
    /// Its key.
    pub key: CommandKey,
    /// The device that sent it, when that one was handed over to the one that tells.
    pub device: Option<u32>,
    /// What kind of command it is.
    pub kind: name::CommandKind,
    /// What it waits for.
    pub stage: name::Stage,
    /// Of a sale that was put aside, what was said of its money then.
    pub money: Option<name::ParkedMoney>,
    /// Price, refund or prize in cents, as the terminal has it.
    pub total_cents: i64,
    /// For so long the terminal has seen it open, in milliseconds.
    pub since_ms: u64,
}

/// `POST /api/v1/terminals/report`: how a device is. Kept in memory alone, and never in the record.
#[apply(request!)]
pub struct TerminalReport {
    /// Version of its program.
    pub version: String,
    /// Its screen waits for the person who is signed on.
    pub locked: bool,
    /// Milliseconds since a hand was last seen at it, where it sees hands.
    pub hand_ms: Option<u64>,
    /// Its printer, once that has been asked.
    pub printer: Option<PrinterReport>,
    /// What is in doubt or left to do there.
    pub open: Vec<OpenReport>,
}

/// A report was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HeardReply {
    /// Central's time of hearing, UTC milliseconds.
    pub heard_ms: i64,
}

/// What a terminal sold last.
#[apply(reply!)]
pub struct LastSale {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub local: String,
    /// Its price in cents.
    pub total_cents: i64,
}

/// How much cash a till holds, roughly: whoever looks may be the one who counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CashBand {
    /// Under the lower threshold of the house: it wants a fill.
    Low,
    /// Between the two.
    Usual,
    /// From the upper threshold on: it wants a drop.
    High,
}

/// Whether a terminal was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TerminalState {
    /// Heard in the last seconds.
    Online,
    /// The same, and its screen is locked.
    Locked,
    /// Not heard for more than six seconds.
    Silent,
    /// Not heard since central's start.
    NeverHeard,
}

/// One terminal on the wall.
#[apply(reply!)]
pub struct WallRow {
    /// Device number.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// `counter`, `kiosk`, `display` or `audit`.
    pub role: String,
    /// Whether it counts.
    pub standing: name::TerminalStanding,
    /// Badge of who is signed on.
    pub badge: Option<String>,
    /// Since when, UTC milliseconds.
    pub since_ms: Option<i64>,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub since_local: Option<String>,
    /// Shift number of its open till.
    pub shift: Option<u64>,
    /// Whether it was heard.
    pub state: TerminalState,
    /// Milliseconds since it was heard.
    pub silent_ms: Option<u64>,
    /// What it sold last.
    pub last_sale: Option<LastSale>,
    /// How much cash its open till holds, roughly.
    pub cash: Option<CashBand>,
    /// Its printer as it last said of itself.
    pub printer: Option<PrinterReport>,
    /// Version of its program.
    pub version: Option<String>,
    /// Commands in doubt or left to do there.
    pub in_doubt: u32,
    /// A supervisor has stopped it: it sells nothing until one lets it sell again.
    pub stopped: Option<StoppedView>,
}

/// Who has stopped a terminal, when and why.
#[apply(reply!)]
pub struct StoppedView {
    /// Badge.
    pub by: String,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub local: String,
    /// Why.
    pub reason: String,
}

/// `POST /api/v1/terminals/{number}/stop` and `/start`: why.
#[apply(request!)]
pub struct StopRequest {
    /// Why.
    pub reason: String,
}

/// What the record says of a key.
#[apply(reply!)]
pub struct RecordEvidence {
    /// What the record says of it.
    pub state: name::KeyEvidence,
    /// Leaf of what was recorded; of a sale, its ticket.
    pub leaf: Option<u64>,
    /// Price in cents, of a sale.
    pub total_cents: Option<i64>,
    /// Whether its paper was confirmed, of a sale.
    pub print_confirmed: Option<bool>,
    /// The ticket by reference, of a sale without paper: two people decide, here or there.
    pub reference: Option<TicketReference>,
}

/// A command in doubt, with both sides.
#[apply(reply!)]
pub struct InDoubtView {
    /// Device that tells.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// What it says.
    pub terminal: OpenReport,
    /// What the record says of the key.
    pub record: RecordEvidence,
}

/// A ticket that is held: it stays in its draws, and is not paid until people have looked.
#[apply(reply!)]
pub struct HeldView {
    /// Leaf of the ticket.
    pub ticket: u64,
    /// Control number, masked.
    pub number: String,
    /// Device that sold it.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// First draw.
    pub first_draw: u64,
    /// Last draw.
    pub last_draw: u64,
    /// Price in cents; absent where the record of it does not hold.
    pub total_cents: Option<i64>,
    /// Why it is held.
    pub why: String,
    /// Until when people decide about an improbable win, `yyyy-mm-dd HH:MM`.
    pub decided_by_local: Option<String>,
    /// That is over.
    pub is_late: bool,
}

/// The follower of the log, which computes each finished draw a second time.
#[apply(reply!)]
pub struct FollowerView {
    /// Name of its host.
    pub name: String,
    /// How it stands.
    pub standing: name::FollowerStanding,
    /// Milliseconds since it last answered, or since central was started.
    pub silent_ms: u64,
    /// Entries of the log that it does not have yet.
    pub behind: u64,
    /// Why it goes on with nothing: the name of its refusal, and its words in English.
    pub refuses: Option<String>,
    /// How it began its copy, in lower-case hexadecimal, where two people are to say that it is who
    /// follows.
    pub began: Option<String>,
}

/// A finished draw that waits for the second computation.
#[apply(reply!)]
pub struct UnfollowedView {
    /// The draw.
    pub draw: u64,
    /// Since when, `yyyy-mm-dd HH:MM`.
    pub since_local: String,
    /// Payments that need a second person wait for it.
    pub holds_large: bool,
    /// What the second computation found wrong first, by the name of `RULES.md`: nothing of the draw
    /// is paid.
    pub differs: Option<String>,
    /// The entry of the log in which that is.
    pub entry: Option<u64>,
    /// From when on two people may open its payouts, `yyyy-mm-dd HH:MM`; no time opens what differs.
    pub opens_local: Option<String>,
    /// They may now.
    pub may_be_opened: bool,
}

/// The draw clock.
#[apply(reply!)]
pub struct WallClock {
    /// Central's time, UTC milliseconds.
    pub central_ms: i64,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub local: String,
    /// The next draw on sale.
    pub next: Option<DrawTime>,
    /// When its sales close, UTC milliseconds.
    pub closes_at_ms: Option<i64>,
    /// Sales are suspended for the whole house.
    pub sales_suspended: bool,
    /// They are since a restore: two people look at staff and devices first.
    pub restored: bool,
    /// The schedule waits for two people to confirm the clock.
    pub schedule_halted: bool,
}

/// `GET /api/v1/wall`.
#[apply(reply!)]
pub struct WallReply {
    /// Name of the house.
    pub house_name: String,
    /// The draw clock.
    pub clock: WallClock,
    /// Alarms that stand: what happened and what to do.
    pub alarms: Vec<Bilingual>,
    /// One row for each device, by number.
    pub rows: Vec<WallRow>,
    /// What is in doubt at the terminals.
    pub in_doubt: Vec<InDoubtView>,
    /// Tickets of the last twelve hours that are held, the newest first, at most fifty.
    pub held: Vec<HeldView>,
    /// The follower of the log, where the house has one.
    pub follower: Option<FollowerView>,
    /// Finished draws that wait for it: first those that differ, at most fifty.
    pub unfollowed: Vec<UnfollowedView>,
    /// Approvals that wait, the oldest first.
    pub approvals: Vec<ApprovalView>,
    /// Messages of the last twelve hours, the newest first.
    pub messages: Vec<MessageView>,
}

/// What a second person is asked to approve: the command as it will be sent, without its key and
/// its second person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "what", rename_all = "snake_case", deny_unknown_fields)]
pub enum ApprovalContent {
    /// `POST /api/v1/payments`.
    Payment {
        /// Claim code.
        code: String,
        /// Draws and amounts.
        items: Vec<PayItem>,
    },
    /// `POST /api/v1/cancellations`.
    Cancellation {
        /// Claim code, or the leaf.
        code: String,
        /// Why.
        reason: String,
    },
    /// `POST /api/v1/shifts/movements`.
    TillMovement {
        /// Which way.
        kind: TillMovementKind,
        /// How much, in cents.
        amount_cents: i64,
    },
    /// `POST /api/v1/shifts/counts`.
    TillCount {
        /// Cash that was counted, in cents.
        counted_cents: i64,
        /// Why.
        reason: String,
    },
    /// `POST /api/v1/duplicates`.
    Duplicate {
        /// Claim code or control number.
        code: String,
        /// Why.
        reason: String,
    },
    /// `POST /api/v1/unpaid`.
    Unpaid {
        /// Claim code or control number.
        code: String,
    },
    /// `POST /api/v1/releases`.
    Release {
        /// Claim code or control number.
        code: String,
        /// What was seen.
        evidence: String,
    },
    /// `POST /api/v1/reversals`.
    Reversal {
        /// Leaf of the payment.
        payment: u64,
        /// Why.
        reason: String,
    },
    /// `POST /api/v1/lost-refunds`.
    LostRefund {
        /// The claim code on the paper.
        code: String,
        /// The price on the paper, in cents.
        amount_cents: i64,
        /// The tender on the paper.
        tender: name::Tender,
        /// How it was found out.
        reason: String,
    },
    /// `POST /api/v1/hand-overs`.
    TakeOver {
        /// Number of the device that is left.
        device: u32,
        /// Why.
        reason: String,
    },
    /// `POST /api/v1/rules/amendments`.
    RulesAmendment {
        /// The newest version when it was read.
        base_version: u32,
        /// What is to change.
        changes: RulesChanges,
        /// First draw.
        effective_from: u64,
    },
}

/// `POST /api/v1/approvals`: a supervisor is asked, at the wall, to be the second person.
#[apply(request!)]
pub struct ApprovalRequest {
    /// What is asked.
    pub content: ApprovalContent,
    /// A word to whoever approves; may be empty.
    #[serde(default)]
    pub reason: String,
}

/// The ticket that an approval is about.
#[apply(reply!)]
pub struct ApprovalTicket {
    /// Leaf of the ticket.
    pub ticket: u64,
    /// Control number, masked.
    pub number: String,
    /// First draw.
    pub first_draw: u64,
    /// Last draw.
    pub last_draw: u64,
    /// What was wagered, in cents.
    pub total_cents: i64,
}

/// An approval as supervisors, and whoever asked for it, see it.
#[apply(reply!)]
pub struct ApprovalView {
    /// Its number.
    pub id: u64,
    /// What is to be approved.
    pub what: name::Approved,
    /// `fill` or `drop`, of a till movement.
    pub kind: Option<TillMovementKind>,
    /// How it stands.
    pub state: name::ApprovalState,
    /// Badge of who asks.
    pub by: String,
    /// Device at which.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// The ticket, where it is about one.
    pub ticket: Option<ApprovalTicket>,
    /// The change of the rules that it is about, as it was when it was asked.
    pub amendment: Option<ApprovalAmendment>,
    /// Prize, refund or cash in cents, where it is about an amount.
    pub amount_cents: Option<i64>,
    /// The rule that asks for two people.
    pub rule: name::ApprovalRule,
    /// Reason or evidence that the command carries, and the word of who asks.
    pub reason: String,
    /// Milliseconds since it was asked.
    pub age_ms: u64,
    /// Badge of who granted or refused it.
    pub answered_by: Option<String>,
    /// Why it was refused.
    pub refusal: Option<String>,
}

/// `GET /api/v1/approvals`.
#[apply(reply!)]
pub struct ApprovalsReply {
    /// Those that wait, the oldest first.
    pub waiting: Vec<ApprovalView>,
}

/// `POST /api/v1/approvals/{id}/grant`: the supervisor's PIN once more.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantRequest {
    /// PIN of who is signed on.
    pub pin: String,
}

// A PIN is never printed, whoever asks.
discreet!(GrantRequest {});

/// `POST /api/v1/approvals/{id}/refuse`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefuseRequest {
    /// PIN of who is signed on.
    pub pin: String,
    /// Why.
    pub reason: String,
}

// A PIN is never printed, whoever asks.
discreet!(RefuseRequest { reason });

/// `POST /api/v1/messages`: a word to the clerks.
#[apply(request!)]
pub struct MessageRequest {
    /// Device number; every counter when left out.
    pub device: Option<u32>,
    /// In French, or the same text for both languages.
    pub fr: String,
    /// In English; as in French when left out.
    pub en: Option<String>,
}

/// Who has read a message, where and when.
#[apply(reply!)]
pub struct AcknowledgementView {
    /// Device number.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// Badge.
    pub badge: String,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub local: String,
}

/// A message as the wall shows it.
#[apply(reply!)]
pub struct MessageView {
    /// Its number.
    pub id: u64,
    /// Badge of who sent it.
    pub by: String,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub local: String,
    /// Device that it is for; every counter when absent.
    pub device: Option<u32>,
    /// In French.
    pub fr: String,
    /// In English.
    pub en: String,
    /// Who has read it.
    pub acknowledged: Vec<AcknowledgementView>,
    /// Devices that somebody is signed on at and where nobody has read it.
    pub waiting: Vec<u32>,
}

/// A message that waits for the clerk of the device that asks.
#[apply(reply!)]
pub struct PendingMessage {
    /// Its number.
    pub id: u64,
    /// Badge of who sent it.
    pub by: String,
    /// When, in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub local: String,
    /// In French.
    pub fr: String,
    /// In English.
    pub en: String,
}

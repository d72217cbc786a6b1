//! Requests. Each is refused whole when it has a field that is not listed here.

use macro_rules_attribute::apply;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::coded::name;
use crate::discreet::discreet;

/// The key of a command that moves money: made and synced by the device before it is sent.
/// The device is known from its own credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CommandKey {
    /// Session number, given by central at sign-on.
    pub session: u64,
    /// Counter of the device within the session.
    pub counter: u64,
}

/// One composition line of a selection.
#[apply(request!)]
pub struct Conditioning {
    /// Ways of that many spots; left out when every generated way is played.
    pub ways: Option<u32>,
    /// Spots of each way.
    pub spots: u8,
    /// Wager per way, per draw, in cents.
    pub wager_cents: i64,
}

/// One selection of a slip (s. 80).
#[apply(request!)]
pub struct Selection {
    /// Code of the game in the rule book; `keno` when left out.
    #[serde(default = "default_game")]
    pub game: String,
    /// Type of selection, as the game of the rule book has it.
    #[serde(rename = "type")]
    pub kind: name::SelectionType,
    /// Numbers of a straight selection.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<i64>,
    /// Groups of a way or king selection.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<i64>>,
    /// King numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kings: Vec<i64>,
    /// The computer chooses this many numbers.
    pub quick_pick: Option<u8>,
    /// Wager per draw of a straight selection, in cents.
    pub wager_cents: Option<i64>,
    /// Composition of a way or king selection.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<Conditioning>,
}

/// The game that a selection is for when it does not say.
pub fn default_game() -> String {
    "keno".to_owned()
}

/// What a patron asks (s. 80).
#[apply(request!)]
pub struct Slip {
    /// The selections, A first.
    pub selections: Vec<Selection>,
    /// Number of draws.
    pub draws: u32,
    /// First draw; the next one open for sale when left out.
    pub first_draw: Option<u64>,
}

/// `POST /api/v1/sales`: the slip is paid for; register it.
#[apply(request!)]
pub struct SellRequest {
    /// Key of the command.
    pub key: CommandKey,
    /// The slip.
    pub slip: Slip,
    /// What the wager is paid with.
    pub tender: name::Tender,
    /// What the patron handed over, in cents.
    pub received_cents: i64,
    /// The total that the clerk told the patron, in cents: refused if it is not the price.
    pub total_cents: i64,
    /// How the wager came in.
    pub intake: name::Intake,
    /// Ticket that is repeated: its leaf index.
    pub replay_of: Option<u64>,
}

/// `POST /api/v1/prices`: what would this slip cost?
#[apply(request!)]
pub struct PriceRequest {
    /// The slip.
    pub slip: Slip,
}

/// `POST /api/v1/replays`: the slip of an earlier ticket, to be sold again.
/// `POST /api/v1/checks`: an inquiry; nothing moves.
#[apply(request!)]
pub struct CheckRequest {
    /// A claim code as scanned, or a control number as typed.
    pub code: String,
}

/// `POST /api/v1/cancellations`.
#[apply(request!)]
pub struct CancelRequest {
    /// Key of the command.
    pub key: CommandKey,
    /// The claim code on the paper; or `#` and the leaf of a ticket whose print was never confirmed,
    /// of which two people have the pieces.
    pub code: String,
    /// `changed_mind`, `keyed_wrong`, `printed_badly`, `not_paid` or `other`.
    pub reason: String,
    /// Second person, above the limit, and without the code.
    pub second: Option<SecondPerson>,
}

/// `POST /api/v1/presentations`: the ticket is presented as a claim; stops the claim clock.
#[apply(request!)]
pub struct PresentRequest {
    /// The claim code on the paper.
    pub code: String,
}

/// `POST /api/v1/audit/tickets`: everything on record about a ticket. A code is no part of an
/// address: addresses are kept by whoever passes them on.
#[apply(request!)]
pub struct TicketRecordRequest {
    /// Control number or claim code; or `#` and the leaf, and the number stays masked then.
    pub code: String,
    /// `claim`, `complaint`, `sampling` or `inquiry`.
    #[serde(default)]
    pub purpose: String,
}

/// `POST /api/v1/reports/tickets`: the evidence pack of a ticket.
#[apply(request!)]
pub struct TicketReportRequest {
    /// Control number or claim code; or `#` and the leaf, and the number stays masked then.
    pub code: String,
    /// `claim`, `complaint`, `sampling` or `inquiry`.
    #[serde(default)]
    pub purpose: String,
    /// `pdf` (usual) or `csv`.
    pub format: Option<String>,
}

/// One draw of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PayItem {
    /// Draw number.
    pub draw: u64,
    /// The amount that was shown for it, in cents.
    pub amount_cents: i64,
}

/// The second person of a two-person action: at the same screen, by badge and PIN, or at the
/// supervisor's wall, by the number of an approval.
#[skip_serializing_none]
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondPerson {
    /// Badge.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub badge: String,
    /// PIN.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pin: String,
    /// The secret on the badge's card, where it was scanned.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub card: String,
    /// An approval that was granted at the wall, in the place of badge and PIN.
    pub approval: Option<u64>,
}

// A PIN is never printed, whoever asks.
discreet!(SecondPerson { badge, approval });

/// `POST /api/v1/payments`: prizes, and refunds of void draws, each (ticket, draw) once.
#[apply(request!)]
pub struct PayRequest {
    /// Key of the command.
    pub key: CommandKey,
    /// The claim code on the paper, or its control number and secret: a number alone pays nothing.
    pub code: String,
    /// The draws and amounts that were shown; refused if they changed.
    pub items: Vec<PayItem>,
    /// Second person, from the limit on, or where a holder was refused.
    pub second: Option<SecondPerson>,
}

/// `POST /api/v1/reversals`: a payment that was not handed over, in the same shift.
#[apply(request!)]
pub struct ReverseRequest {
    /// Leaf index of the payment.
    pub payment: u64,
    /// Why.
    pub reason: String,
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/unpaid`: the patron left without paying (s. 83).
#[apply(request!)]
pub struct UnpaidRequest {
    /// Claim code or control number; or `#` and the leaf.
    pub code: String,
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/duplicates`: a new copy; the old copy index dies.
#[apply(request!)]
pub struct DuplicateRequest {
    /// Claim code or control number; or `#` and the leaf.
    pub code: String,
    /// Why.
    pub reason: String,
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/releases`: a held ticket is released on evidence.
#[apply(request!)]
pub struct ReleaseRequest {
    /// Claim code or control number; or `#` and the leaf.
    pub code: String,
    /// What was seen.
    pub evidence: String,
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/discrepancies`: paper and record differ; the record prevails (s. 84).
#[apply(request!)]
pub struct DiscrepancyRequest {
    /// Control number or claim code.
    pub code: String,
    /// Which of the six facts of s. 82 differ, each 1 to 6.
    pub facts: Vec<u8>,
    /// What was seen on the paper.
    pub note: String,
}

/// `POST /api/v1/patron-refusals`: the holder of a ticket is not paid. Who it is has no field.
#[apply(request!)]
pub struct PatronRefusalRequest {
    /// Control number or claim code.
    pub code: String,
    /// `minor` (or no proof of age), `excluded` or `other`.
    pub reason: String,
}

/// `POST /api/v1/prints`: the paper came out whole.
#[apply(request!)]
pub struct PrintConfirmation {
    /// Leaf index of the ticket.
    pub ticket: u64,
    /// Copy index.
    pub copy: u8,
    /// How that is known.
    pub how: name::PrintMeans,
}

/// `POST /api/v1/keys/question` and `/api/v1/keys/close`.
#[apply(request!)]
pub struct KeyRequest {
    /// The key in doubt.
    pub key: CommandKey,
    /// The device that the key is of, when that is one that was handed over to the one that asks.
    pub device: Option<u32>,
}

/// `POST /api/v1/hand-overs`: two people go on here with what another device left open.
#[apply(request!)]
pub struct TakeOverRequest {
    /// Number of the device that is left.
    pub device: u32,
    /// Why.
    pub reason: String,
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/sessions`: sign on.
#[skip_serializing_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignOnRequest {
    /// Badge.
    pub badge: String,
    /// PIN.
    pub pin: String,
    /// Opening float of the till in cents, when a shift is to be opened.
    pub float_cents: Option<i64>,
}

// A PIN is never printed, whoever asks.
discreet!(SignOnRequest { badge, float_cents });

/// `POST /api/v1/sessions/unlock`: the person who is signed on comes back to a locked screen.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UnlockRequest {
    /// Badge.
    pub badge: String,
    /// PIN.
    pub pin: String,
}

// A PIN is never printed, whoever asks.
discreet!(UnlockRequest { badge });

/// `POST /api/v1/shifts/close`: blind count.
#[apply(request!)]
pub struct CloseShiftRequest {
    /// Cash counted, in cents.
    pub counted_cents: i64,
    /// Coupons counted; none where there are none.
    pub coupons: Option<PieceCount>,
    /// Chips counted; none where there are none.
    pub chips: Option<PieceCount>,
    /// A second person, where the till is another's: one of the two is a supervisor.
    pub second: Option<SecondPerson>,
}

/// Coupons or chips as they were counted.
#[apply(request!)]
#[derive(Copy, Default)]
pub struct PieceCount {
    /// How many.
    pub pieces: u32,
    /// What they come to, in cents.
    pub total_cents: i64,
}

/// `POST /api/v1/shifts/counts`: two people count the till of this device blind, in the middle of
/// a shift. It moves nothing, and has no key: sent again, it is another count.
#[apply(request!)]
pub struct TillCountRequest {
    /// Cash counted, in cents.
    pub counted_cents: i64,
    /// Why.
    pub reason: String,
    /// Second person.
    pub second: SecondPerson,
}

/// Which way cash goes at a till.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TillMovementKind {
    /// Cash is put into the till.
    Fill,
    /// Cash is taken out of the till.
    Drop,
}

/// `POST /api/v1/shifts/movements`: two people fill or drop the till of this device.
#[apply(request!)]
pub struct TillMovementRequest {
    /// Key of the command.
    pub key: CommandKey,
    /// Which way.
    pub kind: TillMovementKind,
    /// How much, in cents, above zero.
    pub amount_cents: i64,
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/draws/{number}/void`, `/resume`, `/certification`, `/replacement`, `/computer`;
/// `/suspend` takes no second person.
#[apply(request!)]
pub struct DrawActionRequest {
    /// Why.
    pub reason: String,
    /// What was found in the tubes of an interrupted draw of balls: `in_tubes` to complete it, another
    /// to void it where it cannot be completed.
    pub finding: Option<name::TubesFinding>,
    /// Badge of the enterer whose place is taken.
    pub leaving: Option<String>,
    /// Minutes by which it is held later.
    pub minutes: Option<u16>,
    /// Number of what another has asked, as the desk shows it: agrees to that and nothing else.
    pub agreeing: Option<u64>,
    /// Second person, at the same screen; at a draw desk they may ask the same from their own.
    pub second: Option<SecondPerson>,
}

/// `POST /api/v1/rules`: publish a version of the rules, by two people.
#[apply(request!)]
pub struct PublishRulesRequest {
    /// The rule book, as TOML text.
    pub text: String,
    /// First draw that it governs.
    pub effective_from: u64,
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/lost-refunds`: the price of a ticket whose record a restore lost is given back by
/// two people, once, out of the till of this device.
#[apply(request!)]
pub struct LostRefundRequest {
    /// Key of the command.
    pub key: CommandKey,
    /// The claim code on the paper.
    pub code: String,
    /// The price on the paper, in cents.
    pub amount_cents: i64,
    /// The tender on the paper.
    pub tender: name::Tender,
    /// How the two found out what was paid, in words.
    pub reason: String,
    /// Second person.
    pub second: SecondPerson,
}

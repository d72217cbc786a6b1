//! Requests and replies of this edge that no terminal needs.

use keno_wire::coded::name;
use keno_wire::reply::{Bilingual, DrawTime, TicketReference, TicketView, VerdictView};
use keno_wire::request::SecondPerson;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::look_up::record::{AuditDraw, InclusionView};

/// `POST /api/v1/sessions/end`: nothing but the headers matters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// `POST /api/v1/badges/lift`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LiftRequest {
    /// The badge that too many wrong PINs keep out.
    pub badge: String,
    /// The second person.
    pub second: keno_wire::request::SecondPerson,
}

/// `POST /api/v1/house/suspend`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SuspendSalesRequest {
    /// Why.
    pub reason: String,
}

/// `POST /api/v1/house/resume` and `POST /api/v1/schedule/confirm`: two people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TwoPeopleRequest {
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/follower/begin`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BeginFollowingRequest {
    /// How it began, as the wall shows it: 64 signs in lower-case hexadecimal.
    pub began: String,
    /// Second person.
    pub second: SecondPerson,
}

/// `POST /api/v1/follower/payouts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenPayoutsRequest {
    /// The draw.
    pub draw: u64,
    /// Why.
    pub reason: String,
    /// Second person.
    pub second: SecondPerson,
}

/// Done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DoneReply {
    /// Leaves in the log just after.
    pub log_size: u64,
}

/// Central's time.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimeReply {
    /// UTC milliseconds.
    pub central_ms: i64,
    /// In the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub local: String,
    /// Business day, `yyyy-mm-dd`.
    pub business_day: String,
    /// IANA name of the zone.
    pub zone: String,
    /// The schedule waits for two people to confirm the clock.
    pub schedule_halted: bool,
    /// Version of central.
    #[serde(default)]
    pub version: String,
    /// The oldest version of an agent that may sign on, when there is one.
    pub agents_minimum: Option<String>,
    /// Number of the device that went on, when the one that asks was left and serves no more.
    pub handed_over_to: Option<u32>,
}

/// One line of the certificate of returns (s. 85). No ticket returns less than the lowest line,
/// whatever it carries on the same numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CertificateLineView {
    /// Code of the game.
    pub game: String,
    /// Numbers played.
    pub spots: u8,
    /// Wager of one selection, in cents.
    pub wager_cents: i64,
    /// Least return of what a ticket may carry with it on the same numbers, with the maximum per
    /// draw applied, `numerator/denominator`: exact, or a lower bound where there are many tickets.
    pub exact: String,
    /// The same in per cent, cut after two decimals.
    pub percent: String,
}

/// The rules in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RulesReply {
    /// Version number.
    pub version: u32,
    /// First draw that it governs.
    pub effective_from: u64,
    /// SHA-256 of the text, 64 hexadecimal digits.
    pub hash: String,
    /// Leaf index of the publication.
    pub leaf: u64,
    /// The text, byte for byte.
    pub text: String,
    /// Return of every game, spots and permitted wager.
    pub certificate: Vec<CertificateLineView>,
}

/// A holder's part of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TranscriptHolder {
    /// Name.
    pub name: String,
    /// The host that holds its secret: `central`, the machine of the central computer.
    pub host: String,
    /// 64 hexadecimal digits.
    pub commitment: String,
    /// 64 hexadecimal digits.
    pub secret: String,
}

/// Everything from which a draw's numbers follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TranscriptReply {
    /// Short name of the house.
    pub house: String,
    /// Draw number.
    pub draw: u64,
    /// Leaves under the seal.
    pub log_size: u64,
    /// Root under the seal, 64 hexadecimal digits.
    pub seal_root: String,
    /// SHA-256 of the rule book, 64 hexadecimal digits.
    pub rule_book_hash: String,
    /// Pool size.
    pub pool: u8,
    /// Numbers drawn.
    pub drawn: u8,
    /// Holders in the order of the derivation.
    pub holders: Vec<TranscriptHolder>,
    /// The host that drew: `central`, or the name of a host of its own.
    pub drawn_by: String,
    /// Winning numbers in order.
    pub balls: Vec<u8>,
    /// Words of the key stream that were read.
    pub words_used: u64,
    /// Words among them that were rejected.
    pub words_rejected: u64,
    /// What this proves, and whom it trusts.
    pub assurance: Bilingual,
}

/// One fact of a ticket's life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LifeFact {
    /// Leaf index.
    pub leaf: u64,
    /// Kind name.
    pub kind: String,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Who: badges and device.
    pub by: String,
    /// What else the fact says.
    pub detail: Bilingual,
    /// Leaf hash, 64 hexadecimal digits.
    pub leaf_hash: String,
}

/// Everything on record about a ticket.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditTicketReply {
    /// The verdict.
    pub verdict: VerdictView,
    /// As registered.
    pub ticket: TicketView,
    /// What became of it.
    pub state: name::TicketState,
    /// Held for want of a confirmed paper.
    pub held: bool,
    /// When it was presented as a claim, UTC milliseconds.
    pub presented_at_ms: Option<i64>,
    /// Every fact, in order.
    pub life: Vec<LifeFact>,
    /// Its draws.
    pub draws: Vec<AuditDraw>,
    /// How the prizes were computed anew.
    pub recomputed_by: Bilingual,
    /// Place in the log; absent before the first checkpoint that covers it.
    pub inclusion: Option<InclusionView>,
    /// The ticket sold just before, by reference: whoever looks this one up does not hold it.
    pub before: Option<TicketReference>,
    /// The ticket sold just after.
    pub after: Option<TicketReference>,
    /// The ticket that this one repeats.
    pub replay_of: Option<TicketReference>,
    /// The next draw open for sale, for orientation.
    pub next: Option<DrawTime>,
}

/// An entry of the log as anyone may see it.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EntryReply {
    /// Leaf index.
    pub index: u64,
    /// Kind name.
    pub kind: String,
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Business day, `yyyy-mm-dd`.
    pub business_day: String,
    /// The draw that it is about; 0 for none.
    pub draw: u64,
    /// The leaf's bytes, in hexadecimal.
    pub leaf: String,
    /// Its hash, 64 hexadecimal digits.
    pub leaf_hash: String,
    /// Nonce of the commitment, in hexadecimal; for public facts that may be shown.
    pub nonce: Option<String>,
    /// The body's bytes, in hexadecimal; for public facts that may be shown.
    pub body: Option<String>,
}

/// A checkpoint that somebody cosigned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CosignatureRequest {
    /// The signed note: the checkpoint, the log's signature, and cosignatures (C2SP tlog-cosignature).
    pub note: String,
}

/// Who cosigned a checkpoint that was handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CosignatureReply {
    /// Names of those whose cosignature holds.
    pub by: Vec<String>,
}

/// A proof that one tree is the beginning of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConsistencyReply {
    /// Leaves of the older tree.
    pub from: u64,
    /// Leaves of the newer tree.
    pub to: u64,
    /// Hashes, 64 hexadecimal digits each.
    pub proof: Vec<String>,
}

/// A proof that a leaf is in a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InclusionReply {
    /// Leaf index.
    pub index: u64,
    /// Leaves of the tree.
    pub size: u64,
    /// Leaf hash, 64 hexadecimal digits.
    pub leaf_hash: String,
    /// Hashes from the leaf's sibling upwards, 64 hexadecimal digits each.
    pub proof: Vec<String>,
}

//! What the state is made of.

use keno_book::rules_file::RuleTexts;
use keno_game::{DrawState, PackedStraight, PackedWay, RuleBook};
use keno_log::{EventKind, Hash, LeafHeader};

use super::Hands;
use crate::roles::DeviceRole;

keno_game::numbered! {
    /// The outcome of a key.
    KeyKind, number, from_number, name, from_name {
        /// A sale.
        Sale = 1 "sale",
        /// A cancellation.
        Cancellation = 2 "cancellation",
        /// A payment.
        Payment = 3 "payment",
        /// Closed without an outcome.
        Closed = 4 "closed",
        /// A fill or a drop of a till.
        TillMovement = 5 "till_movement",
        /// A refund of a ticket that a restore lost.
        LostRefund = 6 "lost_refund",
    }
}

impl KeyKind {
    /// The outcome that a fact is of the key that it names.
    pub fn answered_by(fact: EventKind) -> Option<Self> {
        Some(match fact {
            EventKind::TicketSold => Self::Sale,
            EventKind::TicketCancelled => Self::Cancellation,
            EventKind::PrizePaid => Self::Payment,
            EventKind::KeyClosed => Self::Closed,
            EventKind::TillMoved => Self::TillMovement,
            EventKind::LostTicketRefunded => Self::LostRefund,
            _ => return None,
        })
    }
}

/// The house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct House {
    /// Short name.
    pub code: String,
    /// Name on paper.
    pub name: String,
    /// IANA zone.
    pub zone: String,
    /// Verifier key of the checkpoints.
    pub log_key: String,
    /// Number of the first draw.
    pub first_draw: u64,
}

/// A silence before a start that halts the schedule, and that extends what can be claimed.
pub const SILENCE_MS: i64 = 86_400_000;

/// The last leaf by which somebody was served: a sign-on, a sale or a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// Which.
    pub leaf: u64,
    /// When.
    pub at_ms: i64,
}

impl Served {
    /// That of a leaf, if somebody was served by it.
    pub fn by(header: &LeafHeader) -> Option<Self> {
        let is_service = matches!(
            header.kind,
            EventKind::SessionOpened | EventKind::TicketSold | EventKind::PrizePaid
        );
        is_service.then_some(Self {
            leaf: header.index,
            at_ms: header.at_ms,
        })
    }
}

/// A time of more than a day in which nobody was served and so nobody could claim, and after which
/// central was started, a record restored or the clock found doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silence {
    /// The leaf that says so.
    pub leaf: u64,
    /// The last leaf before by which somebody was served.
    pub served_leaf: u64,
    /// When that was.
    pub from_ms: i64,
    /// Time of the leaf that says so.
    pub until_ms: i64,
}

impl Silence {
    /// The silence that a leaf ends, if it does.
    pub fn after(served: Option<Served>, header: &LeafHeader) -> Option<Self> {
        let may_end = matches!(
            header.kind,
            EventKind::LeaseTaken | EventKind::ScheduleHalted | EventKind::EpochOpened
        );
        let served = served.filter(|_| may_end)?;
        let silent_ms = header.at_ms.saturating_sub(served.at_ms);
        (silent_ms > SILENCE_MS).then_some(Self {
            leaf: header.index,
            served_leaf: served.leaf,
            from_ms: served.at_ms,
            until_ms: header.at_ms,
        })
    }
}

/// The epoch that a log is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// No draw of this epoch has a lower number.
    pub next_draw: u64,
    /// When it was opened by a restore; a log begins in its first.
    pub opened_at_ms: Option<i64>,
    /// Where: its leaf.
    pub leaf: Option<u64>,
}

impl Default for Epoch {
    fn default() -> Self {
        Self {
            number: 1,
            next_draw: 1,
            opened_at_ms: None,
            leaf: None,
        }
    }
}

/// A published version of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedRules {
    /// The rules.
    pub rules: RuleBook,
    /// Its sentences.
    pub texts: RuleTexts,
    /// First draw that it governs.
    pub effective_from: u64,
    /// SHA-256 of the text.
    pub hash: Hash,
    /// The text.
    pub text: String,
    /// Leaf of the publication.
    pub leaf: u64,
}

/// A person with a badge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Staff number: two badges with the same are one human.
    pub staff: String,
    /// Name shown to colleagues.
    pub name: String,
    /// Role numbers.
    pub roles: Vec<u8>,
    /// SHA-256 of the credential, which is kept beside the record.
    pub credential: Hash,
    /// True until the owner has changed the PIN that was set for them.
    pub must_change: bool,
    /// Badges of those who set that PIN; none once the owner has changed it.
    pub pin_set_by: Vec<String>,
    /// Which card of the badge counts; 0 while none was made.
    pub card: u32,
    /// False once withdrawn.
    pub active: bool,
}

/// Who may be made an acting supervisor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acting {
    /// Leaf at which two administrators named them.
    pub named: u64,
    /// The business day for which they were made one last, yyyymmdd, and the leaf that says so.
    pub made: Option<(u32, u64)>,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Name on screens and paper.
    pub name: String,
    /// Role number.
    pub role: u8,
    /// SHA-256 of its key.
    pub key_hash: Hash,
    /// False once revoked.
    pub active: bool,
}

impl Device {
    /// True where tickets are sold and paid from a till.
    pub fn has_till(&self) -> bool {
        DeviceRole::from_number(self.role).is_some_and(DeviceRole::has_till)
    }
}

/// Where a device was left to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandedOver {
    /// Device that went on.
    pub to: u32,
    /// Leaf of the fact.
    pub leaf: u64,
    /// Till that moved.
    pub shift: Option<u64>,
    /// True until the device is recorded anew.
    pub is_locked: bool,
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Device.
    pub device: u32,
    /// Badge.
    pub badge: String,
    /// SHA-256 of its token.
    pub token_hash: Hash,
    /// When it was opened, UTC milliseconds.
    pub opened_at_ms: i64,
}

/// An open till.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shift {
    /// Device.
    pub device: u32,
    /// Badge of its holder.
    pub badge: String,
    /// Cash that the record expects in it. Exact in the writer's state; a reader's picture may
    /// lag behind the last sales.
    pub expected_cents: i64,
    /// Leaf that opened it.
    pub opened_leaf: u64,
}

/// A holder of a draw's secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HolderState {
    /// Name.
    pub name: String,
    /// Commitment, once recorded.
    pub commitment: Option<Hash>,
    /// Secret, once revealed.
    pub secret: Option<Hash>,
}

/// The seal of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealState {
    /// Leaves just after the closing leaf.
    pub size: u64,
    /// Root of that tree.
    pub root: Hash,
}

/// The recorded numbers of a draw. Who may see them, and when, is judged by
/// [`crate::view::DrawInfo`].
#[derive(Clone, PartialEq, Eq)]
pub struct RecordedBalls {
    /// In the order drawn.
    pub balls: Vec<u8>,
    /// SHA-256 over the secrets in holder order.
    pub secrets_hash: Hash,
    /// When they were recorded.
    pub recorded_at_ms: i64,
}

impl std::fmt::Debug for RecordedBalls {
    /// The numbers are left out: in a line of the process's log they could show before their
    /// moment.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RecordedBalls")
            .field("count", &self.balls.len())
            .field("recorded_at_ms", &self.recorded_at_ms)
            .finish_non_exhaustive()
    }
}

/// What a settled draw came to, as its leaf says.
pub type Settlement = keno_log::event::DrawSettled;

/// A draw that is not long over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// Number.
    pub number: u64,
    /// State.
    pub state: DrawState,
    /// When sales close.
    pub closes_at_ms: i64,
    /// When the first number is shown.
    pub draws_at_ms: i64,
    /// 1 computer, 2 balls: the computer too where it stands in.
    pub source: u8,
    /// Numbers in the pool.
    pub pool_size: u8,
    /// Numbers drawn.
    pub drawn: u8,
    /// Maximum payable in prizes.
    pub cap_cents: i64,
    /// Threshold of the small prizes.
    pub full_below_cents: i64,
    /// Holders in the order of the derivation.
    pub holders: Vec<HolderState>,
    /// Tickets that take part.
    pub tickets: u64,
    /// Selections that take part.
    pub selections: u64,
    /// Wagers for this draw.
    pub wagered_cents: i64,
    /// Tickets and wagers that the seal counts but that were marked unpaid after it (s. 83):
    /// nothing is refunded for them if the draw is void.
    pub unpaid_after_seal: (u64, i64),
    /// The seal, once closed.
    pub seal: Option<SealState>,
    /// The rule book's hash in the derivation, once started.
    pub rule_book_hash: Option<Hash>,
    /// What two people entered of its balls.
    pub hands: Hands,
    /// The set of balls with which it was started, where the house has a register of them.
    pub ball_set: Option<String>,
    /// Numbers, once recorded.
    pub balls: Option<RecordedBalls>,
    /// Who certified.
    pub certifiers: Vec<String>,
    /// Totals, once settled.
    pub settlement: Option<Settlement>,
    /// Leaves about the draw: kind, index, time.
    pub leaves: Vec<(EventKind, u64, i64)>,
}

/// A straight wager for several draws: stored once with its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangedStraight {
    /// First draw.
    pub first: u64,
    /// Last draw.
    pub last: u64,
    /// The wager.
    pub wager: PackedStraight,
}

/// A way or king wager with its range.
#[derive(Debug, Clone, PartialEq)]
pub struct RangedWay {
    /// First draw.
    pub first: u64,
    /// Last draw.
    pub last: u64,
    /// The wager.
    pub wager: PackedWay,
}

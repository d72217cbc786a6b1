//! What anybody sees of draws: boards, terminals, public pages.

use macro_rules_attribute::apply;

use super::DrawTime;
use crate::coded::name;

/// A draw as anyone may see it.
#[apply(reply!)]
pub struct DrawView {
    /// Number and time.
    pub draw: DrawTime,
    /// How far it is.
    pub state: name::DrawState,
    /// When sales close, UTC milliseconds.
    pub closes_at_ms: i64,
    /// What draws its numbers.
    pub source: name::DrawSource,
    /// The set of balls, where balls are drawn and the house has a register of sets.
    pub ball_set: Option<String>,
    /// Winning numbers in order, as many as have been shown.
    pub balls: Vec<u8>,
    /// Numbers that the draw has.
    pub drawn: u8,
    /// Pool size.
    pub pool: u8,
    /// Maximum payable in prizes.
    pub cap_cents: i64,
    /// Holders and commitments, in the order of the derivation.
    pub commitments: Vec<CommitmentView>,
    /// The seal, once sales are closed.
    pub seal: Option<SealView>,
    /// Totals, once settled.
    pub settlement: Option<SettlementView>,
    /// Leaf that closed the draw and others, by kind name.
    pub leaves: Vec<LeafRef>,
}

/// A commitment and, once revealed, its secret.
#[apply(reply!)]
pub struct CommitmentView {
    /// Name of the holder.
    pub holder: String,
    /// 64 hexadecimal digits.
    pub commitment: String,
    /// Secret, 64 hexadecimal digits, once revealed.
    pub secret: Option<String>,
}

/// The seal of a draw.
#[apply(reply!)]
pub struct SealView {
    /// Leaves in the tree.
    pub size: u64,
    /// Root, 64 hexadecimal digits.
    pub root: String,
    /// Tickets that take part.
    pub tickets: u64,
}

/// What a settled draw came to.
#[apply(reply!)]
pub struct SettlementView {
    /// Tickets with a prize.
    pub winners: u64,
    /// Prizes before the cap, in cents.
    pub computed_cents: i64,
    /// Prizes payable, in cents.
    pub payable_cents: i64,
    /// Factor of large prizes, `numerator/denominator`.
    pub large_factor: String,
    /// Factor of small prizes.
    pub small_factor: String,
    /// What rounding left.
    pub breakage_cents: i64,
    /// Root of the prize list.
    pub prize_root: String,
}

/// A leaf of the log by kind.
#[apply(reply!)]
pub struct LeafRef {
    /// Kind name.
    pub kind: String,
    /// Leaf index.
    pub leaf: u64,
    /// When, UTC milliseconds.
    pub at_ms: i64,
}

/// What a board or a terminal needs at once: the first event of `/live`.
#[apply(reply!)]
pub struct Snapshot {
    /// Sequence number; a gap means: take a new snapshot.
    pub seq: u64,
    /// Central's time, UTC milliseconds.
    pub central_ms: i64,
    /// Name of the house.
    pub house_name: String,
    /// The draw on the board, if one is being shown or was the last.
    pub current: Option<DrawView>,
    /// The next draw open for sale.
    pub next: Option<DrawView>,
    /// Last official draws, newest first.
    pub last: Vec<DrawView>,
    /// Sales are suspended for the whole house.
    pub sales_suspended: bool,
    /// Milliseconds between numbers on the board.
    pub ball_interval_ms: i64,
    /// Maximum payable in prizes per draw.
    pub cap_cents: i64,
}

//! Rows, one structure a table, in the order of its columns.

use diesel::prelude::*;

use crate::tables;

/// Whose record this is; one row.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::house)]
#[diesel(treat_none_as_default_value = false)]
pub struct HouseRow {
    /// Column `id`.
    pub id: i16,
    /// Column `code`.
    pub code: String,
    /// Column `name`.
    pub name: String,
    /// Column `zone`.
    pub zone: String,
    /// Column `log_key`.
    pub log_key: String,
    /// Column `first_draw`.
    pub first_draw: i64,
    /// Column `sales_suspended_leaf`.
    pub sales_suspended_leaf: Option<i64>,
    /// Column `schedule_halted_leaf`.
    pub schedule_halted_leaf: Option<i64>,
    /// Column `fence`.
    pub fence: i64,
    /// Column `instance`.
    pub instance: String,
}

/// The record itself: every fact as a leaf with its nonce and body. Rows are inserted once and never changed; all other tables can be rebuilt from this one.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::log_entry)]
#[diesel(treat_none_as_default_value = false)]
pub struct LogEntryRow {
    /// Column `leaf_index`.
    pub leaf_index: i64,
    /// Column `leaf`.
    pub leaf: Vec<u8>,
    /// Column `leaf_hash`.
    pub leaf_hash: Vec<u8>,
    /// Column `nonce`.
    pub nonce: Vec<u8>,
    /// Column `body`.
    pub body: Vec<u8>,
}

/// The right edge of the tree; advanced by compare-and-swap on size, so that two writers cannot both append.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::log_head)]
#[diesel(treat_none_as_default_value = false)]
pub struct LogHeadRow {
    /// Column `id`.
    pub id: i16,
    /// Column `size`.
    pub size: i64,
    /// Column `edge`.
    pub edge: Vec<u8>,
    /// Column `root`.
    pub root: Vec<u8>,
    /// Column `at_ms`.
    pub at_ms: i64,
}

/// Epochs: each says from where the log went on after a restore, and which numbers may not be used again.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::epoch)]
#[diesel(treat_none_as_default_value = false)]
pub struct EpochRow {
    /// Column `number`.
    pub number: i64,
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `continues_size`.
    pub continues_size: i64,
    /// Column `continues_root`.
    pub continues_root: Vec<u8>,
    /// Column `lost_size`.
    pub lost_size: i64,
    /// Column `lost_root`.
    pub lost_root: Vec<u8>,
    /// Column `next_draw`.
    pub next_draw: i64,
    /// Column `next_session`.
    pub next_session: i64,
    /// Column `next_shift`.
    pub next_shift: i64,
    /// Column `reason`.
    pub reason: String,
    /// Column `opened_by`.
    pub opened_by: String,
    /// Column `second`.
    pub second: String,
}

/// Devices that were left, and which device went on with what they left open.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::hand_over)]
#[diesel(treat_none_as_default_value = false)]
pub struct HandOverRow {
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `device`.
    pub device: i64,
    /// Column `to_device`.
    pub to_device: i64,
    /// Column `shift`.
    pub shift: Option<i64>,
    /// Column `reason`.
    pub reason: String,
    /// Column `handed_by`.
    pub handed_by: String,
    /// Column `second`.
    pub second: String,
    /// Column `returned_leaf`.
    pub returned_leaf: Option<i64>,
}

/// Versions of the rules (ss. 2, 76).
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::rule_book)]
#[diesel(treat_none_as_default_value = false)]
pub struct RuleBookRow {
    /// Column `version`.
    pub version: i64,
    /// Column `effective_from`.
    pub effective_from: i64,
    /// Column `hash`.
    pub hash: Vec<u8>,
    /// Column `text`.
    pub text: String,
    /// Column `published_by`.
    pub published_by: String,
    /// Column `second`.
    pub second: String,
    /// Column `leaf`.
    pub leaf: i64,
}

/// Credentials of PINs, by their SHA-256, which the record holds.
#[derive(Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::credential)]
#[diesel(treat_none_as_default_value = false)]
pub struct CredentialRow {
    /// Column `hash`.
    pub hash: Vec<u8>,
    /// Column `phc`.
    pub phc: String,
}

/// A credential is never printed.
impl std::fmt::Debug for CredentialRow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CredentialRow")
    }
}

/// People with badges and roles, as they now stand.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::person)]
#[diesel(treat_none_as_default_value = false)]
pub struct PersonRow {
    /// Column `badge`.
    pub badge: String,
    /// Column `staff`.
    pub staff: String,
    /// Column `name`.
    pub name: String,
    /// Column `roles`.
    pub roles: Vec<u8>,
    /// Column `credential`.
    pub credential: Vec<u8>,
    /// Column `must_change`.
    pub must_change: bool,
    /// Column `active`.
    pub active: bool,
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `named_leaf`.
    pub named_leaf: Option<i64>,
    /// Column `acting_leaf`.
    pub acting_leaf: Option<i64>,
}

/// Devices and the hash of their keys, as they now stand.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::device)]
#[diesel(treat_none_as_default_value = false)]
pub struct DeviceRow {
    /// Column `number`.
    pub number: i64,
    /// Column `name`.
    pub name: String,
    /// Column `role`.
    pub role: i16,
    /// Column `key_hash`.
    pub key_hash: Vec<u8>,
    /// Column `active`.
    pub active: bool,
    /// Column `leaf`.
    pub leaf: i64,
}

/// Sign-ons. An ended session's unknown keys are dead.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::session)]
#[diesel(treat_none_as_default_value = false)]
pub struct SessionRow {
    /// Column `number`.
    pub number: i64,
    /// Column `device`.
    pub device: i64,
    /// Column `badge`.
    pub badge: String,
    /// Column `token_hash`.
    pub token_hash: Vec<u8>,
    /// Column `opened_leaf`.
    pub opened_leaf: i64,
    /// Column `ended_leaf`.
    pub ended_leaf: Option<i64>,
}

/// Tills: opened with a float, counted blind, closed once.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::shift)]
#[diesel(treat_none_as_default_value = false)]
pub struct ShiftRow {
    /// Column `number`.
    pub number: i64,
    /// Column `device`.
    pub device: i64,
    /// Column `badge`.
    pub badge: String,
    /// Column `float_cents`.
    pub float_cents: i64,
    /// Column `opened_leaf`.
    pub opened_leaf: i64,
    /// Column `closed_leaf`.
    pub closed_leaf: Option<i64>,
    /// Column `counted_cents`.
    pub counted_cents: Option<i64>,
    /// Column `expected_cents`.
    pub expected_cents: Option<i64>,
}

/// Fills and drops, by two people.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::till_movement)]
#[diesel(treat_none_as_default_value = false)]
pub struct TillMovementRow {
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `shift`.
    pub shift: i64,
    /// Column `kind`.
    pub kind: i16,
    /// Column `amount_cents`.
    pub amount_cents: i64,
    /// Column `moved_by`.
    pub moved_by: String,
    /// Column `second`.
    pub second: String,
}

/// Blind counts in the middle of a shift, by two people.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::till_count)]
#[diesel(treat_none_as_default_value = false)]
pub struct TillCountRow {
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `shift`.
    pub shift: i64,
    /// Column `device`.
    pub device: i64,
    /// Column `counted_cents`.
    pub counted_cents: i64,
    /// Column `expected_cents`.
    pub expected_cents: i64,
    /// Column `reason`.
    pub reason: String,
    /// Column `counted_by`.
    pub counted_by: String,
    /// Column `second`.
    pub second: String,
}

/// Draws: times, pool, cap and seal. Numbers are never reused.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::draw)]
#[diesel(treat_none_as_default_value = false)]
pub struct DrawRow {
    /// Column `number`.
    pub number: i64,
    /// Column `state`.
    pub state: i16,
    /// Column `closes_at_ms`.
    pub closes_at_ms: i64,
    /// Column `draws_at_ms`.
    pub draws_at_ms: i64,
    /// Column `source`.
    pub source: i16,
    /// Column `pool_size`.
    pub pool_size: i16,
    /// Column `drawn`.
    pub drawn: i16,
    /// Column `cap_cents`.
    pub cap_cents: i64,
    /// Column `full_below_cents`.
    pub full_below_cents: i64,
    /// Column `scheduled_leaf`.
    pub scheduled_leaf: i64,
    /// Column `opened_leaf`.
    pub opened_leaf: Option<i64>,
    /// Column `closed_leaf`.
    pub closed_leaf: Option<i64>,
    /// Column `seal_root`.
    pub seal_root: Option<Vec<u8>>,
    /// Column `tickets`.
    pub tickets: i64,
    /// Column `selections`.
    pub selections: i64,
    /// Column `wagered_cents`.
    pub wagered_cents: i64,
    /// Column `started_leaf`.
    pub started_leaf: Option<i64>,
    /// Column `voided_leaf`.
    pub voided_leaf: Option<i64>,
    /// Column `void_reason`.
    pub void_reason: Option<String>,
}

/// Holders of a draw's secrets, in the order of the derivation.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::draw_holder)]
#[diesel(treat_none_as_default_value = false)]
pub struct DrawHolderRow {
    /// Column `draw`.
    pub draw: i64,
    /// Column `position`.
    pub position: i16,
    /// Column `holder`.
    pub holder: String,
    /// Column `commitment`.
    pub commitment: Option<Vec<u8>>,
    /// Column `commitment_leaf`.
    pub commitment_leaf: Option<i64>,
    /// Column `secret`.
    pub secret: Option<Vec<u8>>,
}

/// Winning numbers in order. A row is written once, with all the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::draw_result)]
#[diesel(treat_none_as_default_value = false)]
pub struct DrawResultRow {
    /// Column `draw`.
    pub draw: i64,
    /// Column `machine`.
    pub machine: i16,
    /// Column `balls`.
    pub balls: Vec<u8>,
    /// Column `words_used`.
    pub words_used: i64,
    /// Column `words_rejected`.
    pub words_rejected: i64,
    /// Column `secrets_hash`.
    pub secrets_hash: Vec<u8>,
    /// Column `recorded_leaf`.
    pub recorded_leaf: i64,
    /// Column `recorded_at_ms`.
    pub recorded_at_ms: i64,
    /// Column `certified_leaf`.
    pub certified_leaf: Option<i64>,
    /// Column `certifiers`.
    pub certifiers: Option<String>,
    /// Column `revealed_leaf`.
    pub revealed_leaf: Option<i64>,
}

/// What a settled draw came to.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::draw_settlement)]
#[diesel(treat_none_as_default_value = false)]
pub struct DrawSettlementRow {
    /// Column `draw`.
    pub draw: i64,
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `winners`.
    pub winners: i64,
    /// Column `small_cents`.
    pub small_cents: i64,
    /// Column `large_cents`.
    pub large_cents: i64,
    /// Column `payable_cents`.
    pub payable_cents: i64,
    /// Column `small_numerator`.
    pub small_numerator: i64,
    /// Column `small_denominator`.
    pub small_denominator: i64,
    /// Column `large_numerator`.
    pub large_numerator: i64,
    /// Column `large_denominator`.
    pub large_denominator: i64,
    /// Column `breakage_cents`.
    pub breakage_cents: i64,
    /// Column `prize_root`.
    pub prize_root: Vec<u8>,
}

/// Tickets: what was registered (ss. 81, 82, 84), and what became of them. The control number stands here only as a keyed hash.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::ticket)]
#[diesel(treat_none_as_default_value = false)]
pub struct TicketRow {
    /// Column `number`.
    pub number: i64,
    /// Column `control_hash`.
    pub control_hash: Vec<u8>,
    /// Column `device`.
    pub device: i64,
    /// Column `session`.
    pub session: i64,
    /// Column `counter`.
    pub counter: i64,
    /// Column `control_attempt`.
    pub control_attempt: i16,
    /// Column `secret_key`.
    pub secret_key: i16,
    /// Column `rule_book`.
    pub rule_book: i64,
    /// Column `first_draw`.
    pub first_draw: i64,
    /// Column `last_draw`.
    pub last_draw: i64,
    /// Column `selections`.
    pub selections: String,
    /// Column `per_draw_cents`.
    pub per_draw_cents: i64,
    /// Column `total_cents`.
    pub total_cents: i64,
    /// Column `cap_cents`.
    pub cap_cents: i64,
    /// Column `claim_by`.
    pub claim_by: i64,
    /// Column `tender`.
    pub tender: i16,
    /// Column `received_cents`.
    pub received_cents: i64,
    /// Column `badge`.
    pub badge: String,
    /// Column `shift`.
    pub shift: i64,
    /// Column `intake`.
    pub intake: i16,
    /// Column `replay_of`.
    pub replay_of: Option<i64>,
    /// Column `sold_at_ms`.
    pub sold_at_ms: i64,
    /// Column `state`.
    pub state: i16,
    /// Column `copy`.
    pub copy: i16,
    /// Column `confirmed_copy`.
    pub confirmed_copy: i16,
    /// Column `presented_at_ms`.
    pub presented_at_ms: Option<i64>,
    /// Column `held_leaf`.
    pub held_leaf: Option<i64>,
    /// Column `released_leaf`.
    pub released_leaf: Option<i64>,
    /// Column `refused_reason`.
    pub refused_reason: Option<i16>,
}

/// What happened to a ticket after its sale, for its life line.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::ticket_fact)]
#[diesel(treat_none_as_default_value = false)]
pub struct TicketFactRow {
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `ticket`.
    pub ticket: i64,
    /// Column `kind`.
    pub kind: i16,
}

/// Prizes of settled draws.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::prize)]
#[diesel(treat_none_as_default_value = false)]
pub struct PrizeRow {
    /// Column `draw`.
    pub draw: i64,
    /// Column `ticket`.
    pub ticket: i64,
    /// Column `computed_cents`.
    pub computed_cents: i64,
    /// Column `payable_cents`.
    pub payable_cents: i64,
    /// Column `expired_leaf`.
    pub expired_leaf: Option<i64>,
}

/// Payments of prizes and refunds.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::payment)]
#[diesel(treat_none_as_default_value = false)]
pub struct PaymentRow {
    /// Column `number`.
    pub number: i64,
    /// Column `ticket`.
    pub ticket: i64,
    /// Column `total_cents`.
    pub total_cents: i64,
    /// Column `tender`.
    pub tender: i16,
    /// Column `rounding_cents`.
    pub rounding_cents: i64,
    /// Column `path`.
    pub path: i16,
    /// Column `badge`.
    pub badge: String,
    /// Column `second`.
    pub second: Option<String>,
    /// Column `shift`.
    pub shift: i64,
    /// Column `paid_at_ms`.
    pub paid_at_ms: i64,
    /// Column `reversed_leaf`.
    pub reversed_leaf: Option<i64>,
}

/// What a payment paid, by draw. `reversed` is the payment's leaf once undone, else 0: a (ticket, draw) is paid at most once.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::payment_item)]
#[diesel(treat_none_as_default_value = false)]
pub struct PaymentItemRow {
    /// Column `payment`.
    pub payment: i64,
    /// Column `draw`.
    pub draw: i64,
    /// Column `ticket`.
    pub ticket: i64,
    /// Column `kind`.
    pub kind: i16,
    /// Column `amount_cents`.
    pub amount_cents: i64,
    /// Column `reversed`.
    pub reversed: i64,
}

/// One outcome for each key of a device: sale, cancellation, payment, or closed.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::command_key)]
#[diesel(treat_none_as_default_value = false)]
pub struct CommandKeyRow {
    /// Column `device`.
    pub device: i64,
    /// Column `session`.
    pub session: i64,
    /// Column `counter`.
    pub counter: i64,
    /// Column `kind`.
    pub kind: i16,
    /// Column `content_hash`.
    pub content_hash: Vec<u8>,
    /// Column `leaf`.
    pub leaf: i64,
}

/// Refunds of tickets whose record a restore lost: each control number once.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::lost_refund)]
#[diesel(treat_none_as_default_value = false)]
pub struct LostRefundRow {
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `control_hash`.
    pub control_hash: Vec<u8>,
    /// Column `sold_epoch`.
    pub sold_epoch: i64,
    /// Column `paper_size`.
    pub paper_size: i64,
    /// Column `amount_cents`.
    pub amount_cents: i64,
    /// Column `tender`.
    pub tender: i16,
    /// Column `reason`.
    pub reason: String,
    /// Column `badge`.
    pub badge: String,
    /// Column `second`.
    pub second: String,
    /// Column `shift`.
    pub shift: i64,
    /// Column `refunded_at_ms`.
    pub refunded_at_ms: i64,
}

/// Files of damaged papers, and what was decided of each (s. 83).
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::damaged_file)]
#[diesel(treat_none_as_default_value = false)]
pub struct DamagedFileRow {
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `ticket`.
    pub ticket: Option<i64>,
    /// Column `device`.
    pub device: i64,
    /// Column `badge`.
    pub badge: String,
    /// Column `opened_at_ms`.
    pub opened_at_ms: i64,
    /// Column `judged_leaf`.
    pub judged_leaf: Option<i64>,
    /// Column `is_paid`.
    pub is_paid: i16,
    /// Column `by_three`.
    pub by_three: i16,
}

/// Times of more than a day in which nobody was served, by the leaf after and the last before.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = tables::silence)]
#[diesel(treat_none_as_default_value = false)]
pub struct SilenceRow {
    /// Column `leaf`.
    pub leaf: i64,
    /// Column `served_leaf`.
    pub served_leaf: i64,
}

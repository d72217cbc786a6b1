//! Replies: what a command or a question was answered, and in `draw` what anybody sees of draws.

mod draw;

use keno_words::{Language, Say};
use macro_rules_attribute::apply;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::coded::name;
use crate::request::{CommandKey, TillMovementKind};

pub use draw::{CommitmentView, DrawView, LeafRef, SealView, SettlementView, Snapshot};

/// A sentence in both languages of the house.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Bilingual {
    /// French.
    pub fr: String,
    /// English.
    pub en: String,
}

impl Say for Bilingual {
    fn say(&self, language: Language, to: &mut String) {
        to.push_str(match language {
            Language::French => &self.fr,
            Language::English => &self.en,
        });
    }
}

impl Bilingual {
    /// A text of the house, in both.
    pub fn new(fr: &str, en: &str) -> Self {
        Self {
            fr: fr.to_owned(),
            en: en.to_owned(),
        }
    }

    /// Words of the catalogue.
    pub fn of(words: &dyn Say) -> Self {
        Self {
            fr: words.fr(),
            en: words.en(),
        }
    }
}

/// A composition line as registered.
#[apply(reply!)]
pub struct ConditioningView {
    /// Ways of that many spots.
    pub ways: u32,
    /// Spots of each way.
    pub spots: u8,
    /// Wager per way, per draw, in cents.
    pub wager_cents: i64,
}

/// A selection as registered, or as priced.
#[apply(reply!)]
pub struct SelectionView {
    /// Code of the game.
    pub game: String,
    /// Name of the game.
    pub game_name: Bilingual,
    /// Type of selection.
    #[serde(rename = "type")]
    pub kind: name::SelectionType,
    /// The computer chose the numbers.
    pub quick_pick: bool,
    /// Groups of numbers; a straight selection has one.
    pub groups: Vec<Vec<u8>>,
    /// King numbers.
    pub kings: Vec<u8>,
    /// What is wagered on which ways.
    pub conditioning: Vec<ConditioningView>,
    /// Wager per draw, in cents.
    pub per_draw_cents: i64,
}

/// When a draw is planned.
#[apply(reply!)]
pub struct DrawTime {
    /// Draw number.
    pub draw: u64,
    /// Planned moment of its first number.
    pub draws_at_ms: i64,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM`.
    pub local: String,
    /// `HAE`/`HNE` (EDT/EST) when the hour repeats that night, else empty.
    pub zone_mark: String,
}

/// What a slip would cost.
#[apply(reply!)]
pub struct PriceReply {
    /// Selections as they would be registered (a quick pick has no numbers yet).
    pub selections: Vec<SelectionView>,
    /// First and last draw.
    pub first: DrawTime,
    /// Last draw.
    pub last: DrawTime,
    /// Number of draws.
    pub draws: u32,
    /// Wagers for one draw.
    pub per_draw_cents: i64,
    /// Price.
    pub total_cents: i64,
}

/// Everything that a ticket says: the six facts of s. 82 and what a counter adds.
#[apply(reply!)]
pub struct TicketView {
    /// Leaf index: the ticket's number in the record.
    pub ticket: u64,
    /// Name of the house.
    pub house_name: String,
    /// Control number, 16 digits (s. 82(4)); masked where the paper is neither printed nor shown.
    pub control_number: String,
    /// Claim code in the QR: digits and A-Z. Absent when the secret is not to be given again.
    pub claim_code: Option<String>,
    /// Copy index: 1 is the original.
    pub copy: u8,
    /// Selections and wagers (s. 82(1)-(2)).
    pub selections: Vec<SelectionView>,
    /// First draw (s. 82(3)).
    pub first: DrawTime,
    /// Last draw.
    pub last: DrawTime,
    /// Number of draws.
    pub draws: u32,
    /// Wagers for one draw.
    pub per_draw_cents: i64,
    /// Price.
    pub total_cents: i64,
    /// What the wager was paid with.
    pub tender: name::Tender,
    /// What the patron handed over.
    pub received_cents: i64,
    /// Change given.
    pub change_cents: i64,
    /// When the wager was received and registered, UTC milliseconds.
    pub sold_at_ms: i64,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub sold_at_local: String,
    /// Maximum payable in prizes per draw (s. 82(5)).
    pub cap_cents: i64,
    /// Last day to claim, `yyyy-mm-dd` (s. 82(6)): that of the paper, and in a check the day to
    /// which a late draw or a silence of the house extends it.
    pub claim_by: String,
    /// Where to claim (s. 86).
    pub claim_place: Bilingual,
    /// From so many cents on, all that the ticket comes to, it is claimed elsewhere.
    pub cage_from_cents: i64,
    /// Where.
    pub cage_place: Bilingual,
    /// Where the rules are (s. 76).
    pub rules_place: Bilingual,
    /// What the rules have every ticket say.
    pub notice: Bilingual,
    /// Rule book version.
    pub rule_book: u32,
    /// Name of the terminal.
    pub terminal: String,
    /// Badge of the clerk.
    pub badge: String,
    /// How the wager came in.
    pub intake: name::Intake,
}

/// A ticket named by reference, to people who do not hold it: nothing is paid with that.
#[apply(reply!)]
pub struct TicketReference {
    /// Leaf index: the ticket's number in the record.
    pub ticket: u64,
    /// Control number, masked.
    pub number: String,
    /// Name of the terminal that sold it.
    pub terminal: String,
    /// When, in the house's zone, `yyyy-mm-dd HH:MM:SS`.
    pub sold_at_local: String,
}

/// Reply to a sale.
#[apply(reply!)]
pub struct SellReply {
    /// The key that was answered.
    pub key: CommandKey,
    /// The ticket.
    pub ticket: TicketView,
    /// True when the key had been answered before.
    pub repeated: bool,
    /// The ticket by reference, when no paper of it is known to be whole and none can be printed
    /// any more without two people.
    pub without_paper: Option<TicketReference>,
    /// What the seller is told: which draws somebody with a draw role does not certify any more.
    pub notice: Option<Bilingual>,
}

/// A ticket's verdict: one of the sixteen of the house, by its stable name.
#[apply(reply!)]
pub struct VerdictView {
    /// Stable name, such as `winner`.
    pub code: name::VerdictCode,
    /// The sentence.
    pub sentence: Bilingual,
}

/// One draw of a ticket.
#[apply(reply!)]
pub struct TicketDrawView {
    /// The draw and its time.
    pub draw: DrawTime,
    /// How far it is.
    pub state: name::TicketDrawState,
    /// Winning numbers in order, once all have been shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub balls: Vec<u8>,
    /// For each selection: how many of its numbers were drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caught: Vec<u8>,
    /// Prize before the cap, in cents; 0 while it waits for the second computation.
    pub computed_cents: i64,
    /// Prize payable (or refund of a void draw), in cents.
    pub payable_cents: i64,
    /// What is due.
    pub kind: name::Due,
    /// What became of it.
    pub payment: name::Payment,
}

/// Reply to an inquiry.
#[apply(reply!)]
pub struct CheckReply {
    /// The verdict.
    pub verdict: VerdictView,
    /// What can be paid now, in cents; absent where amounts are not shown.
    pub payable_cents: Option<i64>,
    /// What can be paid now, by draw: what a payment request repeats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub payable: Vec<crate::request::PayItem>,
    /// The ticket, for a claim code; never with that code.
    pub ticket: Option<TicketView>,
    /// The draws of the ticket.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub draws: Vec<TicketDrawView>,
    /// What became of it; absent when unknown.
    pub state: Option<name::TicketState>,
    /// True while a second person is needed to pay.
    pub second_person: bool,
    /// True while a second person is needed to cancel.
    #[serde(default)]
    pub cancel_by_two: bool,
    /// True when a number alone was typed: neither amount nor ticket is shown, to nobody.
    #[serde(default)]
    pub code_needed: bool,
    /// True when the till of the device that asks has less cash, by the record, than can be paid
    /// now: it is filled first, or the main cage pays, and never a part. What is in it is not said.
    #[serde(default)]
    pub till_short: bool,
    /// True when the main cage alone pays, and whoever asks is not of it.
    #[serde(default)]
    pub for_the_cage: bool,
    /// Why a holder of the ticket was not paid, last: `minor`, `excluded` or `other`. Two people
    /// pay it since, whatever the amount. Said to whoever is signed on, and to nobody else.
    pub patron_refused: Option<String>,
}

/// Reply to a cancellation.
#[apply(reply!)]
pub struct CancelReply {
    /// The key that was answered.
    pub key: CommandKey,
    /// Leaf index of the cancellation.
    pub leaf: u64,
    /// Control number of the ticket.
    pub control_number: String,
    /// Given back, in cents.
    pub refund_cents: i64,
    /// What a coupon or a chip is above that, and goes back whole, in cents.
    #[serde(default)]
    pub above_cents: i64,
    /// Change for a chip, which the patron gives back in cash, in cents.
    #[serde(default)]
    pub change_cents: i64,
    /// In which tender.
    pub tender: name::Tender,
    /// When, in the house's zone.
    pub at_local: String,
    /// Name of the terminal.
    pub terminal: String,
    /// Badge of the clerk.
    pub badge: String,
    /// Name of the house.
    pub house_name: String,
    /// True when the key had been answered before.
    pub repeated: bool,
}

impl CancelReply {
    /// What the patron is handed in the tender of the sale, in cents.
    pub const fn handed_cents(&self) -> i64 {
        self.refund_cents.saturating_add(self.above_cents)
    }
}

/// One paid draw.
#[apply(reply!)]
pub struct PaidItemView {
    /// Draw number.
    pub draw: u64,
    /// `prize` or `refund`.
    pub kind: name::PaidKind,
    /// Amount in cents.
    pub amount_cents: i64,
}

/// Reply to a payment.
#[apply(reply!)]
pub struct PayReply {
    /// The key that was answered.
    pub key: CommandKey,
    /// Leaf index of the payment.
    pub payment: u64,
    /// Control number of the ticket.
    pub control_number: String,
    /// What was paid, by draw.
    pub items: Vec<PaidItemView>,
    /// Sum in cents.
    pub total_cents: i64,
    /// Cash to hand over, rounded to 5 cents at the till.
    pub cash_cents: i64,
    /// In which tender.
    pub tender: name::Tender,
    /// Draws of the ticket that are still to come.
    pub draws_left: u32,
    /// What the claims that the house links come to within 24 hours, in cents, where a federal
    /// report may be due. Nothing is withheld.
    pub report_cents: Option<i64>,
    /// When, in the house's zone.
    pub at_local: String,
    /// Name of the terminal.
    pub terminal: String,
    /// Badge of the clerk.
    pub badge: String,
    /// Badge of the second person.
    pub second: Option<String>,
    /// Name of the house.
    pub house_name: String,
    /// True when the key had been answered before.
    pub repeated: bool,
}

/// Answer to a question about a key.
#[apply(reply!)]
pub struct KeyReply {
    /// What became of the key.
    pub state: name::KeyState,
    /// Leaf index of the fact.
    pub leaf: Option<u64>,
    /// The reply to the sale, repeated; without the claim code once the paper was confirmed or
    /// the first draw has closed.
    pub sale: Option<SellReply>,
    /// The reply to the cancellation, repeated.
    pub cancellation: Option<CancelReply>,
    /// The reply to the payment, repeated.
    pub payment: Option<PayReply>,
    /// The reply to the fill or the drop, repeated.
    pub till_movement: Option<TillMovementReply>,
    /// The reply to the refund of a lost ticket, repeated.
    pub lost_refund: Option<LostRefundReply>,
}

/// A till that was counted and closed.
#[apply(reply!)]
pub struct CloseShiftReply {
    /// Shift number.
    pub shift: u64,
    /// Leaf index of the fact.
    pub leaf: u64,
    /// Cash counted, in cents.
    pub counted_cents: i64,
    /// Cash that the record expected, in cents.
    pub expected_cents: i64,
    /// Over (positive) or short, in cents.
    pub difference_cents: i64,
}

/// Reply to a count in the middle of a shift; both people sign its paper.
#[apply(reply!)]
pub struct TillCountReply {
    /// Leaf index of the fact.
    pub leaf: u64,
    /// Number of the shift.
    pub shift: u64,
    /// Cash counted, in cents.
    pub counted_cents: i64,
    /// Cash that the record expected at that moment, in cents.
    pub expected_cents: i64,
    /// Over (positive) or short, in cents.
    pub difference_cents: i64,
    /// Why.
    pub reason: String,
    /// When, in the house's zone.
    pub at_local: String,
    /// Name of the terminal.
    pub terminal: String,
    /// Badge of the first person.
    pub badge: String,
    /// Badge of the second person.
    pub second: String,
    /// Name of the house.
    pub house_name: String,
}

/// A kind of movement of a shift, added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShiftLine {
    /// How many.
    pub count: u64,
    /// How much, in cents, whatever the tender.
    pub amount_cents: i64,
    /// How much of it in cash, in cents.
    pub cash_cents: i64,
    /// How much of it in coupons, in cents.
    pub coupon_cents: i64,
    /// How much of it in chips, in cents.
    pub chip_cents: i64,
}

/// `GET /api/v1/shifts/{number}/sheet`: a shift whose till was counted. The cash that is expected
/// is float, sales, reversals and fills, less cancels, unpaid, payouts, refunds, refunds of lost
/// tickets, rounding and drops, each in cash.
#[apply(reply!)]
pub struct ShiftSheetReply {
    /// Number of the shift.
    pub shift: u64,
    /// Business day on which the till was opened, `yyyy-mm-dd`.
    pub business_day: String,
    /// Name of the terminal; of each in turn, where the till moved.
    pub terminal: String,
    /// When the till was opened, in the house's zone.
    pub opened_at_local: String,
    /// When it was counted and closed.
    pub closed_at_local: String,
    /// Badge for whom the till was opened.
    pub holder: String,
    /// Badge of who counted it and left.
    pub outgoing: String,
    /// Badge for whom the next till was opened at the terminal, once it was.
    pub incoming: Option<String>,
    /// Badges of the second persons at this till, each once, ascending.
    pub seconds: Vec<String>,
    /// Starting amount, in cents.
    pub float_cents: i64,
    /// Tickets sold.
    pub sales: ShiftLine,
    /// Tickets cancelled.
    pub cancels: ShiftLine,
    /// Tickets of this till that were declared unpaid (s. 83).
    pub unpaid: ShiftLine,
    /// Prizes paid, by ticket and draw.
    pub payouts: ShiftLine,
    /// Refunds of void draws, by ticket and draw.
    pub refunds: ShiftLine,
    /// Tickets that a restore lost, refunded.
    pub lost_refunds: ShiftLine,
    /// Payments undone, before rounding.
    pub reversals: ShiftLine,
    /// Cash put in.
    pub fills: ShiftLine,
    /// Cash taken out.
    pub drops: ShiftLine,
    /// Cash rounding to 5 ¢: paid out above what was due, less that of payments undone, in cents.
    pub rounding_cents: i64,
    /// Change for chips, given in cash, in cents.
    #[serde(default)]
    pub chip_change_cents: i64,
    /// Coupons in the till.
    #[serde(default)]
    pub coupons: PieceLine,
    /// Chips in the till.
    #[serde(default)]
    pub chips: PieceLine,
    /// Counts in the middle of the shift, in their order.
    pub counts: Vec<TillCountReply>,
    /// Cash that the record expected at the count, in cents.
    pub expected_cents: i64,
    /// Cash counted, in cents.
    pub counted_cents: i64,
    /// Over (positive) or short, in cents.
    pub difference_cents: i64,
    /// What the leaves of the shift add up to, in cents: `expected_cents`, or the record is wrong.
    pub added_up_cents: i64,
    /// Leaf at which the till was opened.
    pub opened_leaf: u64,
    /// Leaf at which it was closed.
    pub closed_leaf: u64,
    /// When this was read from the record, in the house's zone.
    pub at_local: String,
    /// Name of the house.
    pub house_name: String,
}

/// Coupons or chips of a till as they were counted, and as the leaves of the shift add up.
#[apply(reply!)]
#[derive(Copy, Default)]
pub struct PieceLine {
    /// How many were counted.
    pub pieces: u32,
    /// What they come to, in cents.
    pub counted_cents: i64,
    /// What was taken in, less what was given back, in cents.
    pub expected_cents: i64,
    /// Over (positive) or short, in cents.
    pub difference_cents: i64,
}

/// Reply to a fill or a drop of a till; both people sign its paper.
#[apply(reply!)]
pub struct TillMovementReply {
    /// The key that was answered.
    pub key: CommandKey,
    /// Leaf index of the movement.
    pub movement: u64,
    /// Number of the shift.
    pub shift: u64,
    /// Which way.
    pub kind: TillMovementKind,
    /// How much, in cents.
    pub amount_cents: i64,
    /// When, in the house's zone.
    pub at_local: String,
    /// Name of the terminal.
    pub terminal: String,
    /// Badge of the first person.
    pub badge: String,
    /// Badge of the second person.
    pub second: String,
    /// Name of the house.
    pub house_name: String,
    /// True when the key had been answered before.
    pub repeated: bool,
}

/// Reply to a sign-on.
#[apply(reply!)]
pub struct SignOnReply {
    /// Session number.
    pub session: u64,
    /// Token for the header `Boulier-Session`.
    pub token: String,
    /// Shift number, when a till is open.
    pub shift: Option<u64>,
    /// Roles of the person.
    pub roles: Vec<String>,
    /// Central's time, UTC milliseconds.
    pub central_ms: i64,
}

/// A ticket whose paper nobody has confirmed.
#[apply(reply!)]
pub struct UnconfirmedView {
    /// Key of its sale.
    pub key: CommandKey,
    /// Leaf index of the ticket.
    pub ticket: u64,
    /// Its price, in cents.
    pub total_cents: i64,
    /// What the patron handed over, in cents.
    pub received_cents: i64,
}

/// A device that was handed over to the one that asks, and what the record knows of what it left
/// open.
#[apply(reply!)]
pub struct TakenView {
    /// Leaf index of the fact.
    pub leaf: u64,
    /// Number of the device that was left.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// Shift number of the till that moved, where one was open.
    pub shift: Option<u64>,
    /// Tickets that it sold and whose paper nobody has confirmed.
    pub unconfirmed: Vec<UnconfirmedView>,
}

/// Where the device that asks was left to, the last time.
#[apply(reply!)]
pub struct LeftView {
    /// Leaf index of the fact.
    pub leaf: u64,
    /// Number of the device that went on.
    pub to: u32,
    /// Its name.
    pub to_name: String,
    /// True until the device is recorded anew.
    pub is_locked: bool,
}

/// `GET /api/v1/hand-overs`: what the device that asks left, and what it took over.
#[apply(reply!)]
pub struct HandOversReply {
    /// Where it was left to, the last time.
    pub left: Option<LeftView>,
    /// The devices that were handed over to it the last time that each was.
    pub taken: Vec<TakenView>,
}

/// Reply to `POST /api/v1/presentations`: what these draws of the ticket owe is in time from here
/// on, however late it is paid (s. 86).
#[apply(reply!)]
pub struct PresentationReply {
    /// Leaf index of this presentation.
    pub leaf: u64,
    /// Leaf index of the ticket's sale.
    pub ticket: u64,
    /// The last four digits of the control number: the paper still is money.
    pub number_end: String,
    /// When they were presented, in the house's zone: `yyyy-mm-dd hh:mm:ss`.
    pub presented_at_local: String,
    /// The draws that were presented, ascending: those of the ticket that have numbers or are void.
    pub draws: Vec<u64>,
    /// The last day to claim the last of them, yyyy-mm-dd.
    pub claim_by: String,
    /// True when nothing was left to present: this is what was answered then.
    pub repeated: bool,
    /// Name of the terminal.
    pub terminal: String,
    /// Badge of the clerk.
    pub badge: String,
    /// Name of the house.
    pub house_name: String,
}

/// A fact was recorded.
#[apply(reply!)]
pub struct RecordedReply {
    /// Leaf index of the fact.
    pub leaf: u64,
}

impl From<u64> for RecordedReply {
    fn from(leaf: u64) -> Self {
        Self { leaf }
    }
}

/// Reply to the refund of a ticket that a restore lost; both people sign its paper. The control
/// number is not in it.
#[apply(reply!)]
pub struct LostRefundReply {
    /// The key that was answered.
    pub key: CommandKey,
    /// Leaf index of the refund.
    pub leaf: u64,
    /// Number of the shift.
    pub shift: u64,
    /// Given back, in cents.
    pub amount_cents: i64,
    /// In which tender.
    pub tender: name::Tender,
    /// How the two found out what was paid.
    pub reason: String,
    /// When, in the house's zone.
    pub at_local: String,
    /// Name of the terminal.
    pub terminal: String,
    /// Badge of the first person.
    pub badge: String,
    /// Badge of the second person.
    pub second: String,
    /// Name of the house.
    pub house_name: String,
    /// True when the key had been answered before.
    pub repeated: bool,
}

//! What each page says, as plain values. Whoever serves the pages fills these; the pages only
//! present them.
//!
//! Money is in integer cents, moments in UTC milliseconds, days as `yyyy-mm-dd` in the house's
//! zone. Types of [`keno_wire::reply`] are used where they fit.

use chrono_tz::Tz;
use keno_game::{Tender, TicketState};
use keno_wire::coded::{Name, Payment};
use keno_wire::reply::{
    Bilingual, CheckReply, DrawTime, DrawView, Snapshot, TicketView, VerdictView,
};

/// What surrounds every page.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Name of the house.
    pub house_name: String,
    /// Path of this page, for the other language.
    pub path: String,
    /// Zone of the house.
    pub zone: Tz,
    /// Sent back by forms that need a sign-in, as `form_token`; empty where none is needed.
    pub form_token: String,
}

/// `/board`: the hall monitor.
#[derive(Debug, Clone)]
pub struct BoardView {
    /// Frame.
    pub frame: Frame,
    /// What the first event of `/live` would say; `None` while central starts.
    pub snapshot: Option<Snapshot>,
    /// Where the events come from: `/live`.
    pub live_path: String,
    /// The prize tables in rotation (s. 76); `None` before rules are published.
    pub prizes: Option<PrizeTables>,
}

/// `/check`: what a patron asks about a ticket.
#[derive(Debug, Clone)]
pub struct CheckView {
    /// Frame.
    pub frame: Frame,
    /// The answer to a form that was sent; `None` on a new visit.
    pub reply: Option<CheckReply>,
    /// What the next draw is, for the idle screen.
    pub next: Option<DrawTime>,
    /// Last official draw, for the idle screen.
    pub last: Option<DrawView>,
    /// Amounts from here on are behind a button, in cents.
    pub hide_from_cents: i64,
}

/// `/draws`: the list.
#[derive(Debug, Clone)]
pub struct DrawsView {
    /// Frame.
    pub frame: Frame,
    /// Newest first.
    pub draws: Vec<DrawView>,
    /// Next draw open for sale.
    pub next: Option<DrawView>,
    /// Draw number from which the page of older draws starts.
    pub older_from: Option<u64>,
    /// Draw number from which the page of newer draws starts.
    pub newer_from: Option<u64>,
}

/// `/draws/{number}`: one draw and what proves it.
#[derive(Debug, Clone)]
pub struct DrawPageView {
    /// Frame.
    pub frame: Frame,
    /// The draw.
    pub draw: DrawView,
    /// Version of the rule book that governs it.
    pub rule_book: u32,
    /// SHA-256 of that rule book, 64 hexadecimal digits; empty while unknown.
    pub rule_book_hash: String,
    /// Keys of its hosts, machine first, then the holders; none where all is within central.
    pub hosts: Vec<String>,
    /// Commands that verify it from the published log, one a line.
    pub commands: Vec<String>,
    /// The draw before.
    pub previous: Option<u64>,
    /// The draw after.
    pub following: Option<u64>,
}

/// `/prizes`: the prize tables of the rule book in force (s. 76).
#[derive(Debug, Clone)]
pub struct PrizesView {
    /// Frame.
    pub frame: Frame,
    /// The tables; `None` before rules are published.
    pub prizes: Option<PrizeTables>,
}

/// The prize tables of a rule book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrizeTables {
    /// Version of the rule book.
    pub version: u32,
    /// First draw that it governs.
    pub effective_from: u64,
    /// SHA-256 of its text, 64 hexadecimal digits.
    pub hash: String,
    /// Pool size.
    pub pool: u8,
    /// Numbers drawn.
    pub drawn: u8,
    /// Maximum payable in prizes per draw, in cents (ss. 77, 82(5)).
    pub cap_cents: i64,
    /// Prizes (per way) below it are paid in full when the maximum is reached, in cents.
    pub full_below_cents: i64,
    /// Selections on one slip, at most.
    pub selections_max: u8,
    /// Draws on one ticket, at most.
    pub draws_max: u32,
    /// Days to claim, from the last draw.
    pub claim_days: u32,
    /// Where to claim.
    pub claim_place: Bilingual,
    /// Where the rules are.
    pub rules_place: Bilingual,
    /// The games.
    pub games: Vec<GamePrizes>,
}

/// One game of a rule book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamePrizes {
    /// Code.
    pub code: String,
    /// Name.
    pub name: Bilingual,
    /// Numbers that a patron may play in a selection (s. 77), fewest and most; `None` where the game
    /// sells its named set alone.
    pub spots: Option<(u8, u8)>,
    /// The numbers of its named set, ascending; `None` if it sells none.
    pub set: Option<Vec<u8>>,
    /// Smallest wager, in cents.
    pub wager_min_cents: i64,
    /// Largest wager, in cents.
    pub wager_max_cents: i64,
    /// Step of wagers, in cents.
    pub wager_step_cents: i64,
    /// Tables, ascending by spots.
    pub tables: Vec<SpotTable>,
}

/// What a count of numbers played pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpotTable {
    /// Numbers played.
    pub spots: u8,
    /// Prize for one dollar wagered, in hundredths, by numbers found; only those that pay.
    pub pays: Vec<(u8, u64)>,
    /// Exact return before the maximum per draw, `numerator/denominator` (s. 85).
    pub return_exact: String,
    /// The same in per cent, cut after the last decimal that is shown: `78.25`.
    pub return_percent: String,
    /// Lowest return that the certificate found, with the maximum per draw applied: no ticket of
    /// these numbers returns less on them. A fraction, as above.
    pub lowest_exact: String,
    /// The same in per cent.
    pub lowest_percent: String,
}

/// `/audit/sign-in`.
#[derive(Debug, Clone)]
pub struct SignInView {
    /// Frame.
    pub frame: Frame,
    /// Why the last try was refused; `None` on a first visit.
    pub refusal: Option<Bilingual>,
    /// Badge of the last try.
    pub badge: String,
}

keno_game::named! {
    /// Why an auditor looks a ticket up: sent as `purpose`, and kept in the access log.
    Purpose {
        /// A prize is claimed.
        Claim "claim",
        /// Somebody complains.
        Complaint "complaint",
        /// The office draws samples.
        Sampling "sampling",
        /// Something is looked into.
        Inquiry "inquiry",
    }
}

/// `/audit`: a control number and all that is on record about it.
#[derive(Debug, Clone)]
pub struct AuditView {
    /// Frame.
    pub frame: Frame,
    /// Badge of the auditor who is signed in.
    pub badge: String,
    /// Why they look, kept from the last look-up.
    pub purpose: Option<Purpose>,
    /// What was typed; empty on a first visit.
    pub searched: String,
    /// What the search came to.
    pub found: AuditFinding,
    /// A remark that was not taken.
    pub refusal: Option<NotTaken>,
}

/// A remark that was not taken.
#[derive(Debug, Clone)]
pub struct NotTaken {
    /// Why.
    pub why: Bilingual,
    /// What was typed, so that nobody types it again.
    pub typed: String,
}

/// What a search came to.
#[derive(Debug, Clone)]
pub enum AuditFinding {
    /// Nothing was asked yet.
    Idle,
    /// What was typed is not 16 digits, or its check digits are wrong: a typing slip.
    Malformed,
    /// No ticket has that number.
    Unknown,
    /// A restore lost its record, and it was refunded: when, where and by whom.
    LostRefunded(Bilingual),
    /// Central cannot answer now.
    Unavailable,
    /// The ticket.
    Ticket(Box<AuditTicket>),
}

/// All that is on record about one ticket.
#[derive(Debug, Clone)]
pub struct AuditTicket {
    /// The verdict.
    pub verdict: VerdictView,
    /// The six facts of s. 82 and what a counter adds, as registered.
    pub ticket: TicketView,
    /// Its state.
    pub state: TicketState,
    /// The print was not confirmed: not payable until someone resolves it.
    pub held: bool,
    /// What happened, in order.
    pub life: Vec<LifeLine>,
    /// Each draw and selection, stored and computed again.
    pub evaluation: Vec<EvaluationLine>,
    /// A sentence that says who computed again, and how; none when nobody did.
    pub recomputed_by: Option<Bilingual>,
    /// The money.
    pub money: Vec<MoneyLine>,
    /// Place in the log.
    pub integrity: Integrity,
    /// Ticket sold just before, by reference.
    pub before: Option<String>,
    /// Ticket sold just after, by reference.
    pub after: Option<String>,
    /// Ticket that this one replays, by reference.
    pub replay_of: Option<String>,
    /// Discrepancies, duplicates, holds, each a sentence.
    pub incidents: Vec<Bilingual>,
    /// When this look-up was recorded, UTC milliseconds.
    pub looked_at_ms: i64,
}

/// One line of a ticket's life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifeLine {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Kind name of the fact, such as `TicketSold`; shown in words when known.
    pub kind: String,
    /// Leaf index, for facts of the log.
    pub leaf: Option<u64>,
    /// Who and where: badge, terminal, kiosk.
    pub by: String,
    /// What else there is to say; may be empty.
    pub detail: Bilingual,
}

/// One draw and selection: the stored prize beside the one computed again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationLine {
    /// The draw.
    pub draw: DrawTime,
    /// Selection, 0 for A.
    pub selection: u8,
    /// The player's numbers.
    pub numbers: Vec<u8>,
    /// Winning numbers in order; empty before the draw.
    pub balls: Vec<u8>,
    /// How it was found, such as `3/5` or `2 × 3/4`; empty before the draw.
    pub catches: String,
    /// Stored payable, in cents; `None` before settlement.
    pub stored_cents: Option<i64>,
    /// Payable computed again, in cents; `None` where it was not.
    pub recomputed_cents: Option<i64>,
    /// Payable was lowered by the maximum per draw: what it was before, in cents.
    pub before_cap_cents: Option<i64>,
    /// Whether it was paid.
    pub payment: Name<Payment>,
}

impl EvaluationLine {
    /// Whether both computations agree; `None` while there is nothing to compare.
    pub fn agrees(&self) -> Option<bool> {
        Some(self.stored_cents? == self.recomputed_cents?)
    }
}

/// One movement of money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoneyLine {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// Kind name of the fact: `TicketSold`, `PrizePaid`, ...
    pub kind: String,
    /// Signed: what came into the till is positive, in cents.
    pub amount_cents: i64,
    /// How it was paid.
    pub tender: Name<Tender>,
    /// Terminal.
    pub terminal: String,
    /// Shift number.
    pub shift: Option<u64>,
    /// Badges: the first and, where two were needed, the second.
    pub badges: Vec<String>,
}

/// Where a ticket stands in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Integrity {
    /// Leaf index.
    pub leaf: u64,
    /// Leaf hash, 64 hexadecimal digits.
    pub leaf_hash: String,
    /// Size of the checkpoint that it was proved against.
    pub checkpoint_size: u64,
    /// Root of that checkpoint, 64 hexadecimal digits.
    pub checkpoint_root: String,
    /// The inclusion proof holds; `None` when no checkpoint covers the leaf yet.
    pub included: Option<bool>,
    /// Hashes on the path, 64 hexadecimal digits each.
    pub path: Vec<String>,
}

/// `/`: the index.
#[derive(Debug, Clone)]
pub struct HomeView {
    /// Frame.
    pub frame: Frame,
    /// Next draw open for sale.
    pub next: Option<DrawView>,
    /// Last official draw.
    pub last: Option<DrawView>,
    /// Size and root (64 hexadecimal digits) of the newest checkpoint.
    pub checkpoint: Option<(u64, String)>,
    /// Who cosigns the log, and up to which size each has; none for a witness that has not yet.
    pub cosigned: Vec<(String, Option<u64>)>,
}

/// A page that says why there is no other.
#[derive(Debug, Clone)]
pub struct MessageView {
    /// Frame.
    pub frame: Frame,
    /// What it is about.
    pub message: Message,
}

/// The reasons that have a page of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Message {
    /// Central reads its record before it answers.
    Starting,
    /// No such page.
    NotFound,
    /// No such draw.
    NoSuchDraw,
    /// Too many look-ups from here.
    TooMany,
    /// Central cannot answer.
    Down,
    /// Signed in, but without the role.
    Forbidden,
    /// A form of another page, or of a session that is over.
    FormExpired,
    /// The request is for a name that central does not have.
    WrongName,
    /// Address or headers of the request are too long.
    TooLong,
}

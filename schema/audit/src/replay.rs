//! The facts of a log in their order, and what they must mean.
//!
//! [`Replay`] is fed entry by entry and keeps what later entries can refer to: draws, rule
//! books, tickets (24 bytes each, their wagers until their last draw is over), prizes of
//! settled draws, command keys. `RULES.md` says what is judged. It never reads anything back and trusts nothing but the bytes
//! that it was given.

/// Something is wrong with this entry: by which code, and the figures.
macro_rules! find {
    ($replay:ident => $code:ident) => { find!($replay => $code, "") };
    ($replay:ident => $code:ident, $($figures:tt)+) => {{
        let figures = format!($($figures)+);
        $replay.find($crate::finding::FindingCode::$code, figures)
    }};
}

/// Something is wrong with this entry unless that holds.
macro_rules! must {
    ($replay:ident, $holds:expr => $code:ident $(, $($figures:tt)+)?) => {
        if !$holds {
            find!($replay => $code $(, $($figures)+)?);
        }
    };
}

mod account;
mod authority;
mod books;
mod damaged;
mod draws;
mod epochs;
mod follower;
mod hand_over;
mod hands;
mod hosts;
mod house;
mod keys;
mod lost;
mod outcome;
mod payments;
mod people;
mod room;
mod sales;
mod tills;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use keno_log::event::{EpochOpened, HouseOpened};
use keno_log::leaf::{Entry, EntryFault, Leaf};
use keno_log::tree::Edge;
use keno_log::{Event, EventKind, Hash};

use crate::calendar::Calendar;
use crate::finding::{Finding, FindingCode};
use crate::rule_book::RuleBook;
use crate::tickets::{Ticket, Tickets};

use books::Books;
use damaged::Damaged;
use follower::Follower;
use keys::Keys;
use people::Staff;
use room::Room;
use tills::Till;

pub use account::{Close, DrawAccount, DrawState};
pub use payments::cash_rounding;

/// Findings kept. A log with more is no better for being listed further, and what its entries mean
/// is not judged any more: only what an entry says of itself. So the work that unlawful entries can
/// make has an end, whatever they are.
pub const FINDINGS_MAX: usize = 1_000;
/// Longest detail of a finding, in characters: figures fit, and whoever wrote a log does not write
/// the report on it.
const DETAIL_MAX: usize = 400;

/// What a log may hold beside the ordinary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Draws played back from a recording are lawful: the log of a drill.
    pub drill: bool,
}

/// Sums over the whole log, in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Tickets sold.
    pub tickets: u64,
    /// Price of all tickets sold.
    pub sold_cents: i64,
    /// Given back for cancelled tickets.
    pub cancelled_cents: i64,
    /// Never received for tickets void as unpaid.
    pub unpaid_cents: i64,
    /// Prizes payable in settled draws.
    pub payable_cents: i64,
    /// Prizes paid, less payments reversed.
    pub paid_cents: i64,
    /// Refunds of void draws paid, less payments reversed.
    pub refunded_cents: i64,
    /// Prizes and refunds that nobody can claim any more.
    pub expired_cents: i64,
    /// Given back for tickets whose record a restore lost.
    pub lost_refunded_cents: i64,
}

/// A rule book version as published.
#[derive(Debug)]
struct Published {
    effective_from: u64,
    hash: Hash,
    book: RuleBook,
}

#[derive(Debug)]
struct Payment {
    ticket: u64,
    shift: u64,
    items: Box<[(u64, u8, i64)]>,
    /// Wider than any figure: a sum beyond 64 bits is equal to none.
    cash_cents: i128,
    reversed: bool,
}

#[derive(Debug, Clone, Copy)]
struct Session {
    device: u32,
    /// Number of the badge.
    badge: u32,
    /// How many epochs had been opened before it: with the next it ends.
    epoch: usize,
    ended: bool,
}

/// The entry being judged.
#[derive(Debug, Clone, Copy, Default)]
struct Now {
    entry: u64,
    kind: Option<EventKind>,
    at_ms: i64,
    business_day: u32,
}

/// The second computation over a log.
///
/// ```
/// use keno_audit::{Options, Replay};
///
/// let entries: Vec<keno_log::leaf::Entry> = Vec::new(); // from the record, in order
/// let mut replay = Replay::new(Options::default());
/// for entry in &entries {
///     replay.push(entry);
/// }
/// assert!(replay.findings().is_empty());
/// for draw in replay.draws() {
///     let _payable_cents = draw.settlement.as_ref().map(|settled| settled.payable_cents);
/// }
/// ```
#[derive(Debug, Default)]
pub struct Replay {
    options: Options,
    edge: Edge,
    now: Now,
    findings: Vec<Finding>,
    house: Option<HouseOpened>,
    calendar: Option<Calendar>,
    books: Books,
    draws: BTreeMap<u64, DrawAccount>,
    open_draws: BTreeSet<u64>,
    finished_through: u64,
    drawn_sets: HashSet<u128>,
    secrets: HashSet<Hash>,
    tickets: Tickets,
    /// Places of the tickets of which a draw is not over, by their last draw.
    live: BTreeMap<u64, Vec<usize>>,
    held: HashSet<u64>,
    refused: HashSet<u64>,
    /// Tickets whose price was given back when their sale was put aside.
    given_back: HashSet<u64>,
    /// Change that was given for the chips of a ticket, in cents.
    chip_changes: HashMap<u64, i64>,
    badges: HashMap<String, u32>,
    /// Lost tickets that were refunded: epoch and leaf.
    lost_tickets: HashSet<(u32, u64)>,
    keys: Keys,
    sessions: HashMap<u64, Session>,
    last_session: Option<u64>,
    /// Which sessions are open at each device.
    open_sessions: HashMap<u32, BTreeSet<u64>>,
    /// How many sessions are open of each badge, by its number.
    open_of_badge: HashMap<u32, u64>,
    tills: HashMap<u64, Till>,
    last_shift: Option<u64>,
    open_tills: HashMap<u32, BTreeSet<u64>>,
    /// Devices that were handed over and not recorded anew since.
    locked: HashSet<u32>,
    staff: Staff,
    damaged: Damaged,
    room: Room,
    follower: Follower,
    fence: u64,
    epochs: Vec<EpochOpened>,
    /// Places of the epochs with a number above all before.
    rising_epochs: Vec<usize>,
    /// Root of the tree before the entry being judged, where it opens an epoch.
    root_before: Option<Hash>,
    halted: bool,
    /// When somebody was served last: a sign-on, a sale or a payment.
    served_ms: Option<i64>,
    /// Silences: the day on which each began, and the last day to claim what could be claimed then.
    /// Later days have later last days: any other row says nothing.
    silences: BTreeMap<u32, u32>,
    sales_suspended: bool,
    /// What is paid, by ticket and draw.
    paid: BTreeSet<(u64, u64)>,
    /// Tickets and draws that were presented as claims.
    presented: HashSet<(u64, u64)>,
    payments: HashMap<u64, Payment>,
    totals: Totals,
}

impl Replay {
    /// A replay before the first entry.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// Judges the next entry. What is wrong is added to [`Replay::findings`]; the replay goes on
    /// as well as it can.
    pub fn push(&mut self, entry: &Entry) {
        self.push_read(&entry.leaf, entry.event());
    }

    /// The same of an entry that was read, with what came of that.
    pub(crate) fn push_read(&mut self, leaf: &Leaf, event: Result<Event, EntryFault>) {
        let header = leaf.header;
        let place = self.edge.size();
        self.root_before = (header.kind == EventKind::EpochOpened).then(|| self.edge.root());
        self.edge.append(leaf.hash());
        let before = self.now;
        self.now = Now {
            entry: place,
            kind: Some(header.kind),
            at_ms: header.at_ms,
            business_day: header.business_day,
        };
        if matches!(
            header.kind,
            EventKind::SessionOpened | EventKind::TicketSold | EventKind::PrizePaid
        ) {
            self.served_ms = Some(header.at_ms);
        }
        if header.index != place {
            find!(self => IndexWrong, "index {}", header.index);
        }
        if place > 0 && header.at_ms < before.at_ms {
            find!(self => TimeDecreases, "{} after {}", header.at_ms, before.at_ms);
        }
        if header.business_day < before.business_day {
            find!(self => BusinessDayDecreases,
                "{} after {}", header.business_day, before.business_day);
        }
        self.judge_day();
        self.staff.today = header.business_day;
        self.staff.seller = None;
        match event {
            Ok(event) if self.findings.len() < FINDINGS_MAX => self.judge(&event),
            Ok(_) => {}
            Err(fault) => self.find(code_of(&fault), chain(&fault)),
        }
    }

    fn judge(&mut self, event: &Event) {
        let opens = matches!(event, Event::HouseOpened(_));
        if opens != (self.now.entry == 0) {
            find!(self => HouseNotFirst);
        }
        self.judge_epoch(event);
        match event {
            Event::HouseOpened(body) => self.house_opened(body),
            Event::RuleBookPublished(body) => self.rule_book_published(body),
            Event::SessionOpened(body) => self.session_opened(body),
            Event::SessionEnded(body) => self.session_ended(body),
            Event::ShiftOpened(body) => self.shift_opened(body),
            Event::ShiftClosed(body) => self.shift_closed(body),
            Event::LeaseTaken(body) => self.lease_taken(body),
            Event::ScheduleHalted(_) => {
                self.halted = true;
                self.silence_ended();
            }
            Event::ScheduleConfirmed(_) => self.halted = false,
            Event::SalesSuspended(_) => self.sales_suspended = true,
            Event::SalesResumed(_) => self.sales_suspended = false,
            Event::EpochOpened(body) => self.epoch_opened(body),
            Event::DeviceRecorded(body) => self.device_recorded(body),
            Event::DeviceHandedOver(body) => self.device_handed_over(body),
            Event::TillCounted(body) => self.till_counted(body),
            Event::DrawScheduled(body) => self.draw_scheduled(body),
            Event::CommitmentRecorded(body) => self.commitment_recorded(body),
            Event::DrawOpened(body) => self.draw_opened(body),
            Event::DrawClosed(body) => self.draw_closed(body),
            Event::DrawStarted(body) => self.draw_started(body),
            Event::BallsRecorded(body) => self.balls_recorded(body),
            Event::DrawCertified(body) => self.draw_certified(body),
            Event::SecretsRevealed(body) => self.secrets_revealed(body),
            Event::DrawSettled(body) => self.draw_settled(body),
            Event::DrawSuspended(body) => self.draw_suspended(body),
            Event::DrawResumed(body) => self.draw_resumed(body),
            Event::DrawVoided(body) => self.draw_voided(body),
            Event::BallEntered(body) => self.ball_entered(body),
            Event::BallDrawn(body) => self.ball_drawn(body),
            Event::EntererReplaced(body) => self.enterer_replaced(body),
            Event::BallRead(body) => self.ball_read(body),
            Event::LineIncident(body) => self.line_incident(body),
            Event::TubesAttested(body) => self.tubes_attested(body),
            Event::ComputerStoodIn(body) => self.computer_stood_in(body),
            Event::HostsNamed(body) => self.hosts_named(body),
            Event::HostsSigned(body) => self.hosts_signed(body),
            Event::DrawPostponed(body) => self.draw_postponed(body),
            Event::BallSetMeasured(body) => self.ball_set_measured(body),
            Event::BallSetsOffered(body) => self.ball_sets_offered(body),
            Event::DrawRoomOpened(body) => self.draw_room_opened(body),
            Event::DrawRoomEnded(body) => self.draw_room_ended(body),
            Event::IncidentLogged(body) => self.incident_logged(body),
            Event::FollowerBegan(body) => self.follower_began(body),
            Event::DrawFollowed(body) => self.draw_followed(body),
            Event::PayoutsOpened(body) => self.payouts_opened(body),
            Event::TicketSold(body) => self.ticket_sold(body),
            Event::TicketCancelled(body) => self.ticket_cancelled(body),
            Event::TicketUnpaid(body) => self.ticket_unpaid(body),
            Event::PrintConfirmed(body) => self.print_confirmed(body),
            Event::TicketReleased(body) => self.ticket_held(body.ticket, false),
            Event::TicketDuplicated(body) => self.ticket_duplicated(body),
            Event::ClaimPresented(body) => self.claim_presented(body),
            Event::PrizePaid(body) => self.prize_paid(body),
            Event::PaymentReversed(body) => self.payment_reversed(body),
            Event::PaymentHeld(body) => self.ticket_held(body.ticket, true),
            Event::KeyClosed(body) => self.key_closed(body),
            Event::TillMoved(body) => self.till_moved(body),
            Event::LostTicketRefunded(body) => self.lost_ticket_refunded(body),
            Event::PatronRefused(body) => self.patron_refused(body),
            Event::PersonRecorded(body) => self.person_recorded(body),
            Event::ActingNamed(body) => self.acting_named(body),
            Event::ActingMade(body) => self.acting_made(body),
            Event::DamagedTicketRead(body) => self.damaged_ticket_read(body),
            Event::FileOpened(body) => self.file_opened(body),
            Event::FileJudged(body) => self.file_judged(body),
            keno_log::a_note!() => {
                if let Some(ticket) = event.names().ticket {
                    self.ticket_named(ticket);
                }
            }
        }
        self.judge_authority(event);
    }

    /// What is wrong so far, in the order in which it came to light.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Number of leaves.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.edge.size()
    }

    /// Root of the tree over the leaves so far.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.edge.root()
    }

    /// The right edge of that tree.
    pub(crate) const fn edge(&self) -> &Edge {
        &self.edge
    }

    /// The first entry's facts.
    #[must_use]
    pub fn house(&self) -> Option<&HouseOpened> {
        self.house.as_ref()
    }

    /// The draws, ascending.
    pub fn draws(&self) -> impl Iterator<Item = &DrawAccount> {
        self.draws.values()
    }

    /// One draw.
    #[must_use]
    pub fn draw(&self, draw: u64) -> Option<&DrawAccount> {
        self.draws.get(&draw)
    }

    /// Sums over the log.
    #[must_use]
    pub fn totals(&self) -> Totals {
        Totals {
            expired_cents: self.expired_cents(),
            ..self.totals
        }
    }

    /// What is payable to a ticket for a settled draw, in cents; none before it is settled.
    #[must_use]
    pub fn payable_cents(&self, ticket: u64, draw: u64) -> Option<i64> {
        self.draws.get(&draw)?.payable_cents(ticket)
    }

    /// Versions of the rules with the draw from which each governs and its hash.
    pub fn rule_books(&self) -> impl Iterator<Item = (u32, u64, Hash)> {
        self.books.versions()
    }

    fn find(&mut self, code: FindingCode, detail: String) {
        self.find_at(self.now.entry, self.now.kind, code, detail);
    }

    fn find_at(&mut self, entry: u64, kind: Option<EventKind>, code: FindingCode, detail: String) {
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(Finding {
                entry: Some(entry),
                kind,
                code,
                detail: printable(&detail),
            });
        }
    }

    /// The ticket of a leaf, as it stands.
    fn ticket_at(&self, leaf: u64) -> Option<Ticket> {
        self.tickets.get(self.tickets.place_of(leaf)?)
    }

    /// The ticket of a leaf; a finding when there is none.
    fn ticket_of(&mut self, leaf: u64) -> Option<Ticket> {
        let ticket = self.ticket_at(leaf);
        must!(self, ticket.is_some() => TicketUnknown, "ticket {leaf}");
        ticket
    }

    /// The rule book in force for new tickets of a draw: the newest that governs it.
    fn book_of_draw(&self, draw: u64) -> Option<(u32, &Published)> {
        self.books.in_force(draw)
    }
}

/// Adds to a sum, which stays at the most that can be counted.
fn add(sum: &mut i64, cents: i64) {
    *sum = sum.saturating_add(cents);
}

/// A detail as it may be shown on a terminal: without control characters, and cut if it is long.
pub(crate) fn printable(detail: &str) -> String {
    let shown = |one: char| if one.is_control() { '\u{fffd}' } else { one };
    let mut text: String = detail.chars().take(DETAIL_MAX).map(shown).collect();
    if detail.chars().nth(DETAIL_MAX).is_some() {
        text.push('…');
    }
    text
}

/// The finding for an entry whose parts disagree.
#[must_use]
pub fn code_of(fault: &EntryFault) -> FindingCode {
    match fault {
        EntryFault::Commitment => FindingCode::BodyNotCommitted,
        EntryFault::Body(_) => FindingCode::BodyUnreadable,
        EntryFault::Draw { .. } => FindingCode::HeaderDrawWrong,
    }
}

fn chain(fault: &dyn std::error::Error) -> String {
    fault.source().unwrap_or(fault).to_string()
}

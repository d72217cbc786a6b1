//! What the pages of this device see: one snapshot, written by the threads that do the work.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use keno_wire::Version;
use keno_wire::reply::{Bilingual, TicketReference};
use keno_wire::request::{CommandKey, Slip};
use keno_wire::wall::PendingMessage;
use keno_words::{Say, counter as words};
use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::watch;

use super::counter::customer::Customer;
use super::counter::draft::DraftView;
use super::counter::on_sale::{OnSale, SaleLine};
use super::task::Task;
use super::versions::{MismatchView, mismatch};
use crate::clock::{now, since_ms};
use crate::config::Role;
use crate::journal::{CommandKind, Item, ParkedMoney, Stage};
use crate::witness::Mistrust;

/// How central stands with this device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// It does not answer.
    Away,
    /// It answers, and has not yet proven that its log goes on from what this device saw.
    Unproven,
    /// It answers, and its log goes on.
    Trusted,
    /// It answers, and takes nothing from this device, which people revoked.
    Revoked,
    /// It answers, and does not know this device, or not by its key.
    Unknown,
    /// It answers, and this device was handed over to that one.
    HandedOver(u32),
    /// Its log is refused.
    Refused(Mistrust),
    /// This machine's clock is too far from central's.
    Skewed,
}

impl Link {
    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Away => "away",
            Self::Unproven => "unproven",
            Self::Trusted => "trusted",
            Self::Revoked | Self::Unknown => "denied",
            Self::HandedOver(_) => "handed_over",
            Self::Refused(_) => "refused",
            Self::Skewed => "skewed",
        }
    }

    /// Why this device is denied, by the name of central's refusal.
    pub const fn denial(self) -> Option<&'static str> {
        match self {
            Self::Revoked => Some("device_revoked"),
            Self::Unknown => Some("device_unknown"),
            _ => None,
        }
    }

    /// What the person is told.
    pub fn sentence(self) -> Bilingual {
        let words: &dyn Say = match self {
            Self::Away => &words::NoSaleWithoutCentral,
            Self::Unproven => &words::CentralDoesNotProveYet,
            Self::Trusted => &words::CentralAnswers,
            Self::Revoked => &words::DeviceRevoked,
            Self::Unknown => &words::DeviceUnknown,
            Self::HandedOver(ref to) => &words::HandedOverTo { to },
            Self::Refused(ref mistrust) => mistrust,
            Self::Skewed => &words::ClockOff,
        };
        Bilingual::of(words)
    }
}

/// A command for which something is left to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OpenView {
    /// Its key.
    pub key: CommandKey,
    /// The device that sent it, when that one was handed over to this.
    pub device: Option<u32>,
    /// `sale`, `cancellation`, `payment`, `till_movement` or `lost_refund`.
    pub kind: CommandKind,
    /// `asking`, `parked`, `to_tell`, `to_print`, `paper_in_doubt`, `torn`, `to_withdraw`,
    /// `to_report`, `to_hand_over`, `no_paper` or `referred`; `done` when it was left to a neighbour.
    pub stage: Stage,
    /// It was put aside.
    pub parked: bool,
    /// `kept` or `given_back`: what was said of the money of a sale when it was.
    pub money: Option<ParkedMoney>,
    /// Price, refund or prize in cents.
    pub total_cents: i64,
    /// What the patron handed over, in cents.
    pub received_cents: i64,
    /// Cash that is owed by it, in cents, when it was in doubt before it was known.
    pub owed_cents: Option<i64>,
    /// The ticket by reference, when it is recorded and has no paper.
    pub reference: Option<TicketReference>,
}

impl From<&Item> for OpenView {
    fn from(item: &Item) -> Self {
        Self {
            key: item.key,
            device: item.device,
            kind: item.kind,
            stage: item.stage(),
            parked: item.is_parked,
            money: item.money,
            total_cents: item.total_cents,
            received_cents: item.received_cents,
            owed_cents: item.owed_cents,
            reference: item.reference(),
        }
    }
}

/// Central as the page sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LinkView {
    /// `away`, `unproven`, `trusted`, `denied`, `handed_over`, `refused` or `skewed`.
    pub state: &'static str,
    /// Why the log is refused, by its stable name.
    pub mistrust: Option<&'static str>,
    /// Why this device is denied: `device_revoked` or `device_unknown`.
    pub denial: Option<&'static str>,
    /// The sentence.
    pub sentence: Bilingual,
    /// Milliseconds since it is so.
    pub since_ms: u64,
    /// How far this machine's clock is before central's, in milliseconds; when it was last heard.
    pub skew_ms: Option<i64>,
    /// Leaves of the newest checkpoint that was proven.
    pub log_size: Option<u64>,
    /// Its version, when it has said so.
    pub version: Option<String>,
    /// Why its program and this one do not go together, when they do not.
    pub mismatch: Option<MismatchView>,
}

/// The snapshot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct BoardView {
    /// Grows with every change: what to ask for the next one with.
    pub change: u64,
    /// `pos`, `kiosk`, `display`, `audit`, `desk` or `office`.
    pub role: Role,
    /// Number of the device.
    pub device: u64,
    /// Version of this program.
    pub version: &'static str,
    /// Central.
    pub central: LinkView,
    /// Badge of who is signed on.
    pub badge: Option<String>,
    /// Messages of the supervisors that wait to be read here, the oldest first.
    pub messages: Vec<PendingMessage>,
    /// A command is at work: `asking` when central is asked about a key, else its name.
    pub busy: Option<Task>,
    /// How often central was asked about the key in doubt.
    pub asked: u32,
    /// The key that central is asked about while `busy` is `asking`.
    pub asking: Option<CommandKey>,
    /// The command of that key.
    pub asking_item: Option<OpenView>,
    /// Commands for which something is left to do, oldest first.
    pub open: Vec<OpenView>,
    /// What was open when this device was handed over: the neighbour does it.
    pub left: Vec<OpenView>,
    /// What is open was written down for a neighbour: nothing is done here.
    pub handed_out: bool,
    /// The slip that was being made where this terminal took over.
    pub draft: Option<Slip>,
    /// The last official draw that central told, with the moment of this machine's clock.
    pub last_draw: Option<serde_json::Value>,
    /// The next draw on sale, when it was last told.
    pub next_draw: Option<serde_json::Value>,
    /// When the two were told, UTC milliseconds of this machine's clock.
    pub draws_at_ms: Option<i64>,
    /// The line of sales of a counter.
    pub sale: Option<SaleLine>,
    /// What the patron's screen shows.
    pub(super) customer: Customer,
    /// The screen waits for the person who locked it.
    pub locked: bool,
    /// Badge of that person.
    pub locked_by: Option<String>,
    /// The printer as it last said of itself.
    pub printer: Option<PrinterLine>,
    /// Number of the last scan of a scanner that is a device of its own.
    pub scan: u64,
    /// The sign with which a scanner that types begins; empty where it has none.
    pub scanner_start: String,
    /// A device that types was plugged in, and nobody knows yet whose the keys of the page are.
    pub keys_held: bool,
}

/// The printer as it last said of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrinterLine {
    /// `ready`, `silent`, or the name of a trouble.
    pub state: &'static str,
    /// The same in words.
    pub sentence: Bilingual,
    /// That the roll is near its end.
    pub near_end: Option<Bilingual>,
}

/// What the snapshot is made of.
#[derive(Debug)]
struct State {
    link: Link,
    link_since: Instant,
    version: Option<Version>,
    agents_minimum: Option<Version>,
    on_sale: Option<Arc<OnSale>>,
    /// The snapshot, but for what follows from the above and from the moment.
    shown: BoardView,
}

/// The draws as central last told them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, serde::Deserialize)]
pub(super) struct Draws {
    pub last: Option<serde_json::Value>,
    pub next: Option<serde_json::Value>,
    pub at_ms: Option<i64>,
}

/// The snapshot, shared.
#[derive(Debug)]
pub struct Board {
    state: Mutex<State>,
    change: watch::Sender<u64>,
    /// Turns of the hands since the start.
    turns: AtomicU64,
    /// Commands that were ever sent from here.
    commands: AtomicU64,
}

impl Board {
    /// The board of a device that has not heard of central yet.
    pub(super) fn new(role: Role, device: u64) -> Self {
        Self {
            state: Mutex::new(State {
                link: Link::Away,
                link_since: now(),
                version: None,
                agents_minimum: None,
                on_sale: None,
                shown: BoardView {
                    role,
                    device,
                    version: env!("CARGO_PKG_VERSION"),
                    ..BoardView::default()
                },
            }),
            change: watch::channel(1).0,
            turns: AtomicU64::new(0),
            commands: AtomicU64::new(0),
        }
    }

    /// The hands turn: they are between two steps of their work.
    pub(super) fn turns(&self) {
        self.turns.fetch_add(1, Ordering::Relaxed);
    }

    /// How often the hands have turned.
    pub fn turned(&self) -> u64 {
        self.turns.load(Ordering::Relaxed)
    }

    /// So many commands were sent from here.
    pub(super) fn set_commands(&self, commands: usize) {
        let commands = u64::try_from(commands).unwrap_or(u64::MAX);
        self.commands.store(commands, Ordering::Relaxed);
    }

    /// Commands that were ever sent from here.
    pub(super) fn commands(&self) -> u64 {
        self.commands.load(Ordering::Relaxed)
    }

    fn with<R>(&self, look: impl FnOnce(&mut State) -> R) -> R {
        look(&mut self.state.lock())
    }

    /// Changes what the pages see, and tells those that wait for it.
    fn change<R>(&self, change: impl FnOnce(&mut State) -> R) -> R {
        let changed = self.with(change);
        self.change.send_modify(|number| *number += 1);
        changed
    }

    /// Shows something else in one field, where that is news.
    fn show<T: PartialEq>(&self, field: fn(&mut BoardView) -> &mut T, now: T) {
        if self.with(|state| *field(&mut state.shown) != now) {
            self.change(|state| *field(&mut state.shown) = now);
        }
    }

    /// The number of the last change.
    pub(super) fn changed(&self) -> u64 {
        *self.change.borrow()
    }

    /// Waits until the board is not as it was at `change`.
    pub(super) async fn until_changed(&self, change: u64) {
        // The sender lives as long as this board.
        let _ = self
            .change
            .subscribe()
            .wait_for(|number| *number != change)
            .await;
    }

    /// How central stands.
    pub fn link(&self) -> Link {
        self.with(|state| state.link)
    }

    /// Central stands so from now on; true when that is news.
    pub(super) fn set_link(&self, link: Link) -> bool {
        let is_news = self.link() != link;
        if is_news {
            self.change(|state| {
                state.link = link;
                state.link_since = now();
            });
        }
        is_news
    }

    pub(super) fn set_heard(&self, skew_ms: i64) {
        self.with(|state| state.shown.central.skew_ms = Some(skew_ms));
    }

    /// Central is of this version, and lets no older agent than that sign on. True when that is
    /// news.
    pub(super) fn set_versions(
        &self,
        version: Option<Version>,
        agents_minimum: Option<Version>,
    ) -> bool {
        let is_news =
            self.with(|state| (state.version, state.agents_minimum) != (version, agents_minimum));
        if is_news {
            self.change(|state| {
                state.version = version;
                state.agents_minimum = agents_minimum;
            });
        }
        is_news
    }

    pub(super) fn set_log_size(&self, size: u64) {
        self.show(|shown| &mut shown.central.log_size, Some(size));
    }

    pub(super) fn set_draws(&self, draws: Draws) {
        self.change(|State { shown, .. }| {
            shown.last_draw = draws.last;
            shown.next_draw = draws.next;
            shown.draws_at_ms = draws.at_ms;
        });
    }

    pub(super) fn set_busy(&self, busy: Option<Task>) {
        self.change(|State { shown, .. }| {
            shown.busy = busy;
            shown.asked = 0;
            shown.asking = None;
            shown.asking_item = None;
        });
    }

    /// Central is asked about a key once more.
    pub(super) fn asks(&self, item: &Item) {
        let key = item.key;
        self.change(|State { shown, .. }| {
            shown.asking_item = Some(OpenView::from(item));
            shown.busy = Some(Task::Asking);
            if shown.asking != Some(key) {
                shown.asked = 0;
            }
            shown.asking = Some(key);
            shown.asked += 1;
        });
    }

    /// Reserves the hands for a command; false when another has them.
    pub(super) fn reserve(&self, task: Task) -> bool {
        let is_free = self.with(|State { shown, .. }| {
            let is_free = shown.busy.is_none();
            if is_free {
                shown.busy = Some(task);
                shown.asked = 0;
            }
            is_free
        });
        if is_free {
            self.change(|_| ());
        }
        is_free
    }

    pub(super) fn set_open(&self, open: Vec<OpenView>, left: Vec<OpenView>, badge: Option<String>) {
        let is_same = |State { shown, .. }: &mut State| {
            shown.open == open && shown.left == left && shown.badge == badge
        };
        if self.with(is_same) {
            return;
        }
        self.change(|State { shown, .. }| {
            if shown.badge != badge {
                // What one clerk's patron saw is not the next one's.
                shown.customer = Customer::Idle;
            }
            shown.open = open;
            shown.left = left;
            shown.badge = badge;
        });
    }

    pub(super) fn set_handed_out(&self, handed_out: bool) {
        self.show(|shown| &mut shown.handed_out, handed_out);
    }

    pub(super) fn set_draft(&self, draft: Option<&Slip>) {
        self.show(|shown| &mut shown.draft, draft.cloned());
    }

    /// What is on sale, from now on.
    pub(super) fn set_on_sale(&self, sale: OnSale) {
        let sale = Arc::new(sale);
        let is_news = self.with(|state| {
            let before = state.on_sale.replace(Arc::clone(&sale));
            before.is_none_or(|before| before.differs(&sale))
        });
        if is_news {
            self.change(|_| ());
        }
    }

    /// What is on sale.
    pub(super) fn on_sale(&self) -> Option<Arc<OnSale>> {
        self.with(|state| state.on_sale.clone())
    }

    /// A slip in the making, on the patron's screen.
    pub(super) fn show_draft(&self, draft: Option<DraftView>, is_next: bool) {
        let after = self.with(|state| state.shown.customer.after(draft, is_next));
        self.set_customer(after);
    }

    pub(super) fn set_customer(&self, customer: Customer) {
        self.show(|shown| &mut shown.customer, customer);
    }

    /// The screen is locked for that badge, or open.
    pub(super) fn set_locked(&self, by: Option<String>) {
        if self.with(|state| state.shown.locked_by != by) {
            self.change(|State { shown, .. }| {
                shown.locked_by = by;
                // Whoever walks by is not told what the last patron played.
                shown.customer = Customer::Idle;
            });
        }
    }

    /// Whose screen it is that may lock itself when nobody touches it: somebody is signed on,
    /// nothing waits for a hand, and central is there to open it again.
    pub(super) fn may_lock(&self) -> Option<String> {
        let waits = |item: &OpenView| !matches!(item.stage, Stage::Parked | Stage::Referred);
        self.with(|State { link, shown, .. }| {
            let may = !shown.handed_out
                && shown.busy.is_none()
                && matches!(link, Link::Trusted | Link::Skewed)
                && !shown.open.iter().any(waits);
            shown.badge.clone().filter(|_| may)
        })
    }

    /// Badge of who is signed on.
    pub(super) fn badge(&self) -> Option<String> {
        self.with(|state| state.shown.badge.clone())
    }

    pub(super) fn set_scan(&self, number: u64) {
        self.change(|state| state.shown.scan = number);
    }

    pub(super) fn set_scanner_start(&self, start: &str) {
        self.change(|state| start.clone_into(&mut state.shown.scanner_start));
    }

    pub(super) fn hold_keys(&self, is_held: bool) {
        self.show(|board| &mut board.keys_held, is_held);
    }

    pub(super) fn set_printer(&self, printer: PrinterLine) {
        self.show(|shown| &mut shown.printer, Some(printer));
    }

    /// Whether a command was put aside before the one at work began.
    pub(super) fn is_parked(&self, key: CommandKey) -> bool {
        let is_it = |item: &OpenView| item.key == key && item.parked;
        self.with(|state| state.shown.open.iter().any(is_it))
    }

    /// The snapshot.
    pub fn view(&self) -> BoardView {
        let change = self.changed();
        self.with(|state| BoardView {
            change,
            central: LinkView {
                state: state.link.name(),
                mistrust: match state.link {
                    Link::Refused(mistrust) => Some(mistrust.name()),
                    _ => None,
                },
                denial: state.link.denial(),
                sentence: state.link.sentence(),
                since_ms: since_ms(state.link_since),
                version: state.version.map(|version| version.to_string()),
                mismatch: mismatch(state.version, state.agents_minimum),
                ..state.shown.central
            },
            messages: state
                .on_sale
                .as_ref()
                .map_or_else(Vec::new, |sale| sale.messages().to_vec()),
            sale: state.on_sale.as_ref().map(|sale| sale.line()),
            locked: state.shown.locked_by.is_some(),
            ..state.shown.clone()
        })
    }
}

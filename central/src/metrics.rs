//! What is counted, and whether central is at work.

use std::fmt;
use std::sync::atomic::AtomicU64;

use actix_web::http::Method;
use keno_game::DrawState;
use keno_record::fault::Fault;
use keno_record::sequencer::Lane;
use keno_service::counter::Sold;
use keno_service::{Central, Stop};
use keno_wire::reply::{CancelReply, PayReply};
use parking_lot::Mutex;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry};

use crate::alarm::Alarms;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: String,
    route: String,
    status: u32,
}

/// One label: its name and its value.
type Label = [(&'static str, &'static str); 1];

/// What is counted.
#[derive(Debug)]
pub struct Metrics {
    registry: Mutex<Registry>,
    answers: Family<Answered, Counter>,
    seconds: Histogram,
    sales: Counter,
    sales_cents: Counter,
    cancellations: Counter,
    cancelled_cents: Counter,
    payments: Counter,
    paid_cents: Counter,
    unknown_numbers: Counter,
    checkpoint_size: Gauge<u64, AtomicU64>,
    waiting: Family<Label, Gauge>,
    draws: Family<Label, Gauge>,
    sales_suspended: Gauge,
    schedule_halted: Gauge,
    live_clients: Gauge,
    open_sessions: Gauge,
    open_tills: Gauge,
}

fn amount(cents: i64) -> u64 {
    u64::try_from(cents).unwrap_or(0)
}

/// Registers a metric; the registry tells it from then on.
fn told<M: Metric + Clone>(registry: &mut Registry, name: &str, help: &str, metric: M) -> M {
    registry.register(name, help, metric.clone());
    metric
}

/// Registers a metric that is at zero.
fn counted<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    told(registry, name, help, M::default())
}

/// A method as it is counted: whoever invents some makes one name of them.
fn named(method: &Method) -> &str {
    let known = [&Method::GET, &Method::HEAD, &Method::POST, &Method::DELETE];
    match known.contains(&method) {
        true => method.as_str(),
        false => "other",
    }
}

impl Metrics {
    /// Counters at zero.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("boulier");
        let all = &mut registry;
        // 1 ms to 16 s.
        let buckets = || Histogram::new(exponential_buckets(0.001, 2.0, 15));
        let metrics = Self {
            registry: Mutex::default(),
            answers: counted(all, "http_answers", "Answers by route and status"),
            seconds: told(all, "http_seconds", "Time to answer", buckets()),
            sales: counted(all, "sales", "Tickets registered"),
            sales_cents: counted(all, "sales_cents", "Wagers registered, in cents"),
            cancellations: counted(all, "cancellations", "Tickets cancelled"),
            cancelled_cents: counted(all, "cancelled_cents", "Wagers given back, in cents"),
            payments: counted(all, "payments", "Payments made"),
            paid_cents: counted(all, "paid_cents", "Prizes and refunds paid, in cents"),
            unknown_numbers: counted(
                all,
                "unknown_numbers",
                "Look-ups of numbers that do not exist",
            ),
            checkpoint_size: counted(all, "checkpoint_size", "Leaves under the newest checkpoint"),
            waiting: counted(all, "waiting", "Commands that wait for the writer"),
            draws: counted(all, "draws", "Draws in memory by state"),
            sales_suspended: counted(all, "sales_suspended", "1 while sales are suspended"),
            schedule_halted: counted(all, "schedule_halted", "1 while the schedule is halted"),
            live_clients: counted(all, "live_clients", "Clients of the live stream"),
            open_sessions: counted(all, "open_sessions", "Open sessions"),
            open_tills: counted(all, "open_tills", "Open tills"),
        };
        *metrics.registry.lock() = registry;
        metrics
    }

    /// Counters at zero, told together with the alarms.
    pub fn with(alarms: &Alarms) -> Self {
        let metrics = Self::new();
        alarms.register(&mut metrics.registry.lock());
        metrics
    }

    /// A request was answered.
    pub fn answered(&self, method: &Method, route: &str, status: u16, elapsed_ms: i64) {
        self.answers
            .get_or_create(&Answered {
                method: named(method).to_owned(),
                route: route.to_owned(),
                status: u32::from(status),
            })
            .inc();
        let elapsed_ms = u32::try_from(elapsed_ms).unwrap_or(u32::MAX);
        self.seconds.observe(f64::from(elapsed_ms) / 1_000.0);
    }

    /// A sale was answered; a repetition counts nothing.
    pub fn sold(&self, sold: &Sold) {
        if !sold.repeated {
            self.sales.inc();
            self.sales_cents.inc_by(amount(sold.sold.total_cents));
        }
    }

    /// A cancellation was answered.
    pub fn cancelled(&self, reply: &CancelReply) {
        if !reply.repeated {
            self.cancellations.inc();
            self.cancelled_cents.inc_by(amount(reply.refund_cents));
        }
    }

    /// A payment was answered.
    pub fn paid(&self, reply: &PayReply) {
        if !reply.repeated {
            self.payments.inc();
            self.paid_cents.inc_by(amount(reply.total_cents));
        }
    }

    /// A number that does not exist was asked for.
    pub fn unknown_number(&self) {
        self.unknown_numbers.inc();
    }

    /// Numbers that do not exist, asked for since the start.
    pub fn unknown_numbers(&self) -> u64 {
        self.unknown_numbers.get()
    }

    /// Everything that is counted, as text for Prometheus, with what is read when asked.
    ///
    /// # Errors
    /// When the text cannot be written.
    pub fn text(&self, central: &Central, live_clients: usize) -> Result<String, fmt::Error> {
        self.look(central, live_clients);
        let mut text = String::new();
        let registry = self.registry.lock();
        encode(&mut text, &registry)?;
        Ok(text)
    }

    /// Sets what is read when asked.
    fn look(&self, central: &Central, live_clients: usize) {
        let view = central.view.get();
        self.checkpoint_size
            .set(central.checkpoint().map_or(0, |newest| newest.size));
        let (draw, money, sale) = central.sequencer.waiting();
        for (lane, count) in [("draw", draw), ("money", money), ("sale", sale)] {
            let waiting = self.waiting.get_or_create(&[("lane", lane)]);
            waiting.set(gauge(count));
        }
        for state in DrawState::ALL {
            let draws = view.draws.values();
            let count = draws.filter(|draw| draw.state() == state).count();
            let draws = self.draws.get_or_create(&[("state", state.name())]);
            draws.set(gauge(count));
        }
        self.sales_suspended
            .set(i64::from(view.sales_suspended.is_some()));
        self.schedule_halted
            .set(i64::from(view.schedule_halted.is_some()));
        self.live_clients.set(gauge(live_clients));
        self.open_sessions.set(gauge(view.sessions.len()));
        self.open_tills.set(gauge(view.shifts.len()));
    }
}

fn gauge(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

/// Waits until an empty command has gone through the writer's door, as `/healthz` does, and says
/// whether it did: the watchdog's question. A writer that hangs is waited for.
///
/// An answer that names a fault is an answer: a database that is away comes back, and a new start
/// would not bring it. A writer that has stopped is none.
pub fn is_at_work(central: &Central) -> bool {
    !matches!(
        central.sequencer.submit_blocking(Lane::Draw, |_| Ok(())),
        Err(Stop::Broke(Fault::Stopped) | Stop::Undone(Fault::Stopped))
    )
}

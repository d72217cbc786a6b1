//! `/live`: what boards and terminals see as it happens.
//!
//! ```text
//! snapshot   keno_wire::reply::Snapshot, first, and again when the house stops or resumes sales
//! draw       {"seq", "role": "current" | "next" | "last", "draw": DrawView}
//! ball       {"seq", "draw", "position", "number"}
//! hb         {"seq", "central_ms"} every two seconds; it repeats the last event's number
//! ```
//!
//! A number is sent at its moment and never earlier: everything here is made from
//! [`DrawInfo::shown`]. Events are encoded once for all clients, and so is a snapshot for all who
//! come between two changes: each hears the time behind it. A client that falls behind is dropped;
//! it comes back and gets a new snapshot.

mod sent;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use actix_web::web::Bytes;
use futures_util::{Stream, stream};
use keno_game::DrawState;
use keno_record::view::{DrawInfo, View};
use keno_service::Central;
use keno_wire::reply::Snapshot;
use parking_lot::Mutex;
use sent::{Heartbeat, Sent, Whole, encoded};
use tokio::sync::{Notify, broadcast};

use crate::convert;

/// Events that a client may be behind.
const BEHIND_MAX: usize = 256;
/// Between two heartbeats.
const HEARTBEAT_MS: i64 = 2_000;
/// Longest sleep of the task: clocks may be set while it sleeps.
const LOOK_EVERY_MS: i64 = 250;
/// Official draws in a snapshot.
const LAST_DRAWS: usize = 10;

/// The draw on the board: the one under way, else the last that was drawn or void.
fn current(view: &View, now_ms: i64) -> Option<&Arc<DrawInfo>> {
    let is_under_way = |state: DrawState| {
        matches!(
            state,
            DrawState::Closed | DrawState::Drawing | DrawState::Drawn | DrawState::Suspended
        )
    };
    view.draws
        .values()
        .find(|draw| is_under_way(draw.state()))
        .or_else(|| {
            view.draws.values().rev().find(|draw| match draw.state() {
                DrawState::Official | DrawState::Settled => true,
                // A draw that was cancelled ahead of its time is no news for the hall yet.
                DrawState::Void => draw.closes_at_ms() <= now_ms,
                _ => false,
            })
        })
}

fn last(view: &View) -> impl Iterator<Item = &Arc<DrawInfo>> {
    view.draws
        .values()
        .rev()
        .filter(|draw| matches!(draw.state(), DrawState::Official | DrawState::Settled))
        .take(LAST_DRAWS)
}

/// What a client needs at once.
pub fn snapshot(central: &Central, seq: u64) -> Snapshot {
    let now_ms = central.clock.now_ms();
    let view = central.view.get();
    let shown = |draw: &Arc<DrawInfo>| convert::draw_view(central, draw, now_ms);
    let current = current(&view, now_ms);
    let next = view.next_open();
    let cap_cents = next
        .or(current)
        .map(|draw| draw.cap_cents())
        .or_else(|| {
            let rules = view.rule_books.values().next_back()?;
            Some(rules.rules.cap.get())
        })
        .unwrap_or(0);
    Snapshot {
        seq,
        central_ms: now_ms,
        house_name: central.house_name.clone(),
        current: current.map(shown),
        next: next.map(shown),
        last: last(&view).map(shown).collect(),
        sales_suspended: view.sales_suspended.is_some(),
        ball_interval_ms: central.schedule.ball_interval_ms,
        cap_cents,
    }
}

/// Sends events to every client.
#[derive(Debug)]
pub struct Hub {
    central: Weak<Central>,
    sent: Mutex<Sent>,
    sender: broadcast::Sender<Bytes>,
    news: Arc<Notify>,
    is_running: AtomicBool,
    clients: AtomicUsize,
}

/// A client's place in the stream: counted while it is held.
struct Client {
    hub: Arc<Hub>,
    first: std::array::IntoIter<Bytes, 2>,
    events: broadcast::Receiver<Bytes>,
}

impl Drop for Client {
    fn drop(&mut self) {
        self.hub.clients.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Hub {
    /// A hub that hears of every commit.
    pub fn new(central: &Arc<Central>) -> Arc<Self> {
        let news = Arc::new(Notify::new());
        let waker = Arc::clone(&news);
        central.watch(move || waker.notify_one());
        Arc::new(Self {
            central: Arc::downgrade(central),
            sent: Mutex::default(),
            sender: broadcast::channel(BEHIND_MAX).0,
            news,
            is_running: AtomicBool::new(false),
            clients: AtomicUsize::new(0),
        })
    }

    /// Clients connected now.
    pub fn clients(&self) -> usize {
        self.clients.load(Ordering::Relaxed)
    }

    /// Sends what is new, and a heartbeat when one is due. Returns when to look again, in
    /// milliseconds; `None` once central is gone.
    pub fn step(&self) -> Option<i64> {
        let central = self.central.upgrade()?;
        let mut sent = self.sent.lock();
        self.send_news(&central, &mut sent);
        Some(wait_ms(&central, &sent))
    }

    fn send_news(&self, central: &Central, sent: &mut Sent) {
        let now = snapshot(central, sent.seq);
        let mut events = sent.news(&now);
        // On the clock that nobody sets: a heartbeat must come however the other is moved.
        let monotonic_ms = central.clock.monotonic_ms();
        if sent
            .heartbeat_at_ms
            .is_none_or(|at_ms| monotonic_ms - at_ms >= HEARTBEAT_MS)
        {
            sent.heartbeat_at_ms = Some(monotonic_ms);
            events.extend(encoded(
                "hb",
                &Heartbeat {
                    seq: sent.seq,
                    central_ms: now.central_ms,
                },
            ));
        }
        for event in events {
            // Nobody listening is no fault.
            let _ = self.sender.send(event);
        }
    }

    /// A new client: a snapshot, then everything after it, with nothing lost between.
    fn join(self: &Arc<Self>) -> Option<Client> {
        let central = self.central.upgrade()?;
        let mut sent = self.sent.lock();
        let now_ms = central.clock.now_ms();
        let known = sent.whole.as_ref().filter(|whole| now_ms < whole.until_ms);
        let whole = match known {
            Some(whole) => whole.encoded.clone(),
            None => {
                // First to the others what they lack, so that one number means one state for all.
                self.send_news(&central, &mut sent);
                let now = snapshot(&central, sent.seq);
                let encoded = sent.whole_of(now)?;
                sent.whole = Some(Whole {
                    until_ms: now_ms.saturating_add(wait_ms(&central, &sent)),
                    encoded: encoded.clone(),
                });
                encoded
            }
        };
        let time = Heartbeat {
            seq: sent.seq,
            central_ms: now_ms,
        };
        let time = encoded("hb", &time)?;
        // Nothing fails from here on: what is counted is given back with the client.
        self.clients.fetch_add(1, Ordering::Relaxed);
        Some(Client {
            hub: Arc::clone(self),
            first: [whole, time].into_iter(),
            events: self.sender.subscribe(),
        })
    }

    /// What one more client hears, from now on; `None` once central is gone.
    pub fn events(self: &Arc<Self>) -> Option<impl Stream<Item = Bytes> + use<>> {
        self.run();
        let client = self.join()?;
        Some(stream::unfold(client, |mut client| async move {
            if let Some(first) = client.first.next() {
                return Some((first, client));
            }
            // A client that is behind is dropped: it comes back for a new snapshot.
            let event = client.events.recv().await.ok()?;
            Some((event, client))
        }))
    }

    /// Starts the task that sends, once.
    fn run(self: &Arc<Self>) {
        if self.is_running.swap(true, Ordering::SeqCst) {
            return;
        }
        let hub = Arc::clone(self);
        let spawned = std::thread::Builder::new()
            .name("live".to_owned())
            .spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_time()
                    .build();
                match runtime {
                    Ok(runtime) => runtime.block_on(send_while_wanted(&hub)),
                    Err(error) => tracing::error!(%error, "no live events: no runtime"),
                }
                hub.is_running.store(false, Ordering::SeqCst);
            });
        if let Err(error) = spawned {
            self.is_running.store(false, Ordering::SeqCst);
            tracing::error!(%error, "no live events: no thread");
        }
    }
}

/// Sends as long as there is a central.
async fn send_while_wanted(hub: &Hub) {
    while let Some(wait_ms) = hub.step() {
        let wait = Duration::from_millis(u64::try_from(wait_ms).unwrap_or(0).max(1));
        tokio::select! {
            () = hub.news.notified() => {}
            () = tokio::time::sleep(wait) => {}
        }
    }
}

/// Until the next number's moment, the next heartbeat, or the next look.
fn wait_ms(central: &Central, sent: &Sent) -> i64 {
    let heartbeat_ms = sent.heartbeat_at_ms.map_or(0, |at_ms| {
        at_ms + HEARTBEAT_MS - central.clock.monotonic_ms()
    });
    let now_ms = central.clock.now_ms();
    let interval_ms = central.schedule.ball_interval_ms.max(1);
    let view = central.view.get();
    let ball_ms = current(&view, now_ms)
        .and_then(|draw| draw.reveal_starts_ms())
        .map_or(LOOK_EVERY_MS, |start_ms| {
            if now_ms < start_ms {
                start_ms - now_ms
            } else {
                interval_ms - (now_ms - start_ms) % interval_ms
            }
        });
    heartbeat_ms.min(ball_ms).clamp(1, LOOK_EVERY_MS)
}

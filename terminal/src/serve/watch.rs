//! The watch on central: is it there, does its log go on from what this device saw, how far is
//! its clock. It reconnects by itself, and everything else asks the board.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use serde::Deserialize;

use super::WallClock;
use super::board::{Board, Draws, Link};
use super::counter::on_sale::OnSale;
use super::hands::Hands;
use super::lock::Lock;
use super::report::Reporter;
use crate::central::{CallFault, Central};
use crate::clock::{HEARTBEAT, now, since_ms};
use crate::kept;
use crate::witness::{Witness, WitnessFault};

/// A trusted central proves its log again after so long.
const PROOF_EVERY_MS: u64 = 2_000;
/// The draws that are shown while central is away are asked for after so long.
const DRAWS_EVERY_MS: u64 = 5_000;
/// A device that is not accepted looks for another key of its own after so long.
const DENIED_EVERY_MS: u64 = 10_000;
/// What is on sale is asked for after so long.
const SALE_EVERY_MS: u64 = 1_000;
/// Whether the certificate is due is asked after so long.
const RENEWAL_EVERY_MS: u64 = 10 * 60 * 1_000;
/// Clocks that are further apart are told.
const SKEW_ALARM_MS: i64 = 2_000;
/// Clocks that are further apart stop the sales of this device.
const SKEW_STOP_MS: i64 = 5_000;

/// `/api/v1/time`, as much of it as is needed.
#[derive(Deserialize)]
struct Time {
    central_ms: i64,
    /// A central that is older than this field says nothing.
    #[serde(default)]
    version: Option<String>,
    #[serde(default)]
    agents_minimum: Option<String>,
    #[serde(default)]
    handed_over_to: Option<u32>,
}

/// The screen of a device whose people sign on.
pub(super) struct Screen {
    /// Its lock; none where nobody signs on.
    pub(super) lock: Option<Arc<Lock>>,
    /// Whether it sells.
    pub(super) sells: bool,
}

/// The watch of one device.
pub(super) struct Watch {
    central: Central,
    witness: Witness,
    board: Arc<Board>,
    draws_path: PathBuf,
    wall: WallClock,
    proven_at: Option<std::time::Instant>,
    draws_at: Option<std::time::Instant>,
    has_told_skew: bool,
    folder: PathBuf,
    sale_at: Option<std::time::Instant>,
    reporter: Reporter,
    /// Of a counter alone.
    lock: Option<Arc<Lock>>,
    /// Whether it sells, and shows what is on sale.
    sells: bool,
}

impl Watch {
    pub(super) fn new(
        central: Central,
        witness: Witness,
        board: Arc<Board>,
        folder: &Path,
        wall: WallClock,
        Screen { lock, sells }: Screen,
    ) -> Self {
        let draws_path = folder.join("draws.json");
        // What was heard before the restart is shown with its time; unreadable, it is not.
        let kept = std::fs::read(&draws_path)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Draws>(&bytes).ok());
        if let Some(draws) = kept {
            board.set_draws(draws);
        }
        if sells && let Some(sale) = OnSale::kept(folder) {
            board.set_on_sale(sale);
        }
        if let Some(known) = witness.known() {
            board.set_log_size(known.size);
        }
        if let Some(against) = witness.against() {
            board.set_link(Link::Refused(against.mistrust));
        }
        Self {
            central,
            witness,
            board,
            draws_path,
            wall,
            proven_at: None,
            draws_at: None,
            has_told_skew: false,
            folder: folder.to_owned(),
            sale_at: None,
            reporter: Reporter::default(),
            lock,
            sells,
        }
    }

    /// Watches until the other end of `stop` is gone. The hands are told when central stands
    /// otherwise than before; `renew` gives another way to central when the certificate was due, or
    /// when central does not accept this device: a new key that was in doubt is asked about then.
    pub(super) fn run(
        mut self,
        stop: &Receiver<()>,
        hands: &Hands,
        renew: impl Fn(bool) -> anyhow::Result<Option<Central>>,
    ) {
        let mut renewed_at = now();
        loop {
            let link = self.look_patiently();
            if self.board.set_link(link) {
                tracing::info!(state = link.name(), "central");
                hands.changed();
            }
            if link == Link::Trusted {
                self.refresh_draws();
                self.refresh_sale();
            }
            self.lock_when_left();
            if matches!(link, Link::Trusted | Link::Skewed) {
                let hand_ms = self.lock.as_ref().and_then(|lock| lock.hand_ms());
                self.reporter.tell(&self.central, &self.board, hand_ms);
            }
            let is_denied = link.denial().is_some();
            let every_ms = if is_denied {
                DENIED_EVERY_MS
            } else {
                RENEWAL_EVERY_MS
            };
            if (is_denied || link == Link::Trusted) && since_ms(renewed_at) > every_ms {
                renewed_at = now();
                match renew(is_denied) {
                    Ok(None) => {}
                    Ok(Some(central)) => {
                        self.central = central;
                        hands.renewed();
                    }
                    Err(error) => tracing::error!(error = format!("{error:#}"), "the certificate"),
                }
            }
            match stop.recv_timeout(HEARTBEAT) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Looks, and once more at a central that was there a moment ago: one answer that is late or
    /// lost, as a packet that must be sent again is, is no absence. A connection that is refused is
    /// refused again at once, and whoever answers the second time proves its log first.
    fn look_patiently(&mut self) -> Link {
        match self.look() {
            Link::Away | Link::Unproven if self.board.link() == Link::Trusted => self.look(),
            link => link,
        }
    }

    fn look(&mut self) -> Link {
        if let Some(against) = self.witness.against() {
            return Link::Refused(against.mistrust);
        }
        let before_ms = (self.wall)();
        let time = match self.central.get::<Time>("/api/v1/time") {
            Ok(time) => time,
            Err(fault) => {
                // Whoever answers next has to prove its log first.
                self.proven_at = None;
                return match fault {
                    CallFault::Refused(problem) if problem.name() == "device_revoked" => {
                        Link::Revoked
                    }
                    CallFault::Refused(problem) if !problem.retry => Link::Unknown,
                    _ => Link::Away,
                };
            }
        };
        // The answer was stamped somewhere between question and answer.
        let middle_ms = before_ms + ((self.wall)() - before_ms) / 2;
        let skew_ms = middle_ms - time.central_ms;
        self.board.set_heard(skew_ms);
        self.tell_versions(&time);
        let is_proven = self
            .proven_at
            .is_some_and(|proven_at| since_ms(proven_at) < PROOF_EVERY_MS);
        if !is_proven {
            match self.witness.look(&mut &self.central) {
                Ok(known) => {
                    self.board.set_log_size(known.size);
                    self.proven_at = Some(now());
                }
                Err(WitnessFault::Mistrusted(mistrust)) => return Link::Refused(mistrust),
                Err(fault) => {
                    tracing::warn!(%fault, "central's log");
                    return Link::Unproven;
                }
            }
        }
        self.tell_skew(skew_ms);
        if let Some(to) = time.handed_over_to {
            return Link::HandedOver(to);
        }
        if skew_ms.abs() > SKEW_STOP_MS {
            return Link::Skewed;
        }
        Link::Trusted
    }

    fn tell_versions(&self, time: &Time) {
        let read = |text: &Option<String>| text.as_deref().and_then(|text| text.parse().ok());
        let (version, minimum) = (read(&time.version), read(&time.agents_minimum));
        if self.board.set_versions(version, minimum)
            && let Some(mismatch) = super::versions::mismatch(version, minimum)
        {
            tracing::error!(name = mismatch.name, "{}", mismatch.sentence.en);
        }
    }

    fn tell_skew(&mut self, skew_ms: i64) {
        let is_far = skew_ms.abs() > SKEW_ALARM_MS;
        if is_far && !self.has_told_skew {
            tracing::error!(skew_ms, "this machine's clock is far from central's");
        }
        self.has_told_skew = is_far;
    }

    /// Asks what is on sale, which a counter shows beside each key.
    fn refresh_sale(&mut self) {
        let is_fresh = self.sale_at.is_some_and(|at| since_ms(at) < SALE_EVERY_MS);
        if is_fresh || !self.sells {
            return;
        }
        let before = self.board.on_sale();
        match OnSale::ask(&self.central, before.as_deref()) {
            Ok(sale) => {
                let is_news = before.is_none_or(|before| before.differs(&sale));
                if is_news && let Err(error) = sale.keep(&self.folder) {
                    tracing::warn!(%error, "what is on sale cannot be kept for a restart");
                }
                self.board.set_on_sale(sale);
            }
            // An older central does not tell: it prices and judges all the same.
            Err(fault) => tracing::debug!(%fault, "what is on sale"),
        }
        self.sale_at = Some(now());
    }

    /// A counter that nobody touches locks itself.
    fn lock_when_left(&self) {
        let Some(lock) = &self.lock else {
            return;
        };
        let Some(badge) = self.board.may_lock() else {
            return;
        };
        if lock.is_due() && !lock.is_locked() {
            match lock.lock(&badge) {
                Ok(()) => self.board.set_locked(Some(badge)),
                Err(error) => tracing::error!(%error, "the screen cannot be locked"),
            }
        }
    }

    fn refresh_draws(&mut self) {
        let is_fresh = self
            .draws_at
            .is_some_and(|at| since_ms(at) < DRAWS_EVERY_MS);
        if is_fresh {
            return;
        }
        // A house without draws answers with a refusal: then there is nothing to show.
        let draws = Draws {
            last: self.central.get("/api/v1/draws/last").ok(),
            next: self.central.get("/api/v1/draws/next").ok(),
            at_ms: Some((self.wall)()),
        };
        self.draws_at = Some(now());
        if let Err(error) = kept::remember(&self.draws_path, &draws) {
            tracing::warn!(%error, "the draws cannot be kept for a restart without central");
        }
        self.board.set_draws(draws);
    }
}

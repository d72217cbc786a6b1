//! What the supervisor's wall keeps in memory beside the record: how the terminals say they are, and
//! what waits for a second person, which the service judges. None of it is a fact about money, and
//! after a restart it is asked for again.

mod approvals;
mod reports;

use parking_lot::Mutex;
use std::collections::BTreeMap;

use keno_record::fault::Fault;
use keno_service::house::{Approvals, Held};
use keno_service::{Central, house};
use keno_wire::wall::ApprovalView;

pub use approvals::{Shown, approval_for, approval_view, content_hash, operation_of};
pub use reports::{Heard, Reports, SILENT_AFTER_MS};

/// Held tickets are looked for again after so long.
const HELD_EVERY_MS: i64 = 15_000;

/// What the wall keeps.
#[derive(Debug, Default)]
pub struct Wall {
    /// How the terminals say they are.
    pub reports: Reports,
    /// What waits for a second person.
    pub approvals: Approvals<Shown>,
    /// Since when each session is open: it never changes.
    opened: Mutex<BTreeMap<u64, i64>>,
    /// Held tickets and when they were looked for, by the monotonic clock.
    held: Mutex<Option<(i64, Vec<Held>)>>,
}

impl Wall {
    /// What waits for a second person, the oldest first.
    pub fn waiting(&self, central: &Central) -> Vec<ApprovalView> {
        let waiting = self.approvals.waiting(central.clock.monotonic_ms());
        let view = |approval| approval_view(central, approval);
        waiting.into_iter().map(view).collect()
    }

    /// Since when a session is open, UTC milliseconds.
    ///
    /// # Errors
    /// A fault.
    pub fn opened_ms(&self, central: &Central, session: u64) -> Result<Option<i64>, Fault> {
        let lock = || self.opened.lock();
        if let Some(at_ms) = lock().get(&session) {
            return Ok(Some(*at_ms));
        }
        let at_ms = house::session_opened_ms(central, session)?;
        if let Some(at_ms) = at_ms {
            let view = central.view.get();
            let mut opened = lock();
            opened.retain(|session, _| view.sessions.contains_key(session));
            opened.insert(session, at_ms);
        }
        Ok(at_ms)
    }

    /// The held tickets, at most `HELD_EVERY_MS` old: many look at the wall, and none of them
    /// makes the record be read through each second.
    ///
    /// # Errors
    /// A fault.
    pub fn held(&self, central: &Central) -> Result<Vec<Held>, Fault> {
        let lock = || self.held.lock();
        let now_ms = central.clock.monotonic_ms();
        if let Some((at_ms, held)) = lock().as_ref()
            && now_ms - at_ms < HELD_EVERY_MS
        {
            return Ok(held.clone());
        }
        let found = Held::all(central, central.clock.now_ms())?;
        *lock() = Some((now_ms, found.clone()));
        Ok(found)
    }
}

//! The audit office: what an auditor remarks on tickets.

use std::sync::Arc;

use keno_record::roles::{DeviceRole, Role};
use keno_service::authority::identity::{Caller, DeviceCaller};

use super::{Day, Flight};
use crate::command::{Order, ask};
use crate::judge::Failure;

/// The device of the audit office.
pub(super) const AUDIT: u32 = 9;
/// The auditor's badge.
pub(super) const AUDITOR: &str = "U1";

/// A place with no counter: who asks from there has neither drawer nor journal.
const NO_PLACE: usize = usize::MAX;

/// What is remarked: so few that the same is said again.
const REMARKS: [&str; 3] = [
    "La copie est au dossier.",
    "The patron was called back.",
    "Reçu en main propre, à comparer avec la vidéo du 2.",
];

fn auditor() -> Caller {
    Caller {
        device: DeviceCaller {
            device: AUDIT,
            role: DeviceRole::Audit,
            name: format!("T{AUDIT:02}"),
        },
        session: 0,
        badge: AUDITOR.to_owned(),
        roles: vec![Role::Auditor.number()],
    }
}

impl Day {
    /// Now and then an auditor remarks on a ticket, or on a leaf that is none, and sometimes the
    /// network brings it twice.
    pub(super) fn remarks(&mut self) -> Result<(), Failure> {
        let Some(office) = &mut self.office else {
            return Ok(());
        };
        if !office.in_thousand(15) {
            return Ok(());
        }
        let ticket = match office.below(20) {
            0 => Some(0),
            _ => office.one(&self.counters.papers).map(|held| held.ticket),
        };
        let text = office.one(&REMARKS).copied();
        let times = 1 + usize::from(office.below(4) == 0);
        let Some((ticket, text)) = ticket.zip(text) else {
            return Ok(());
        };
        for time in 0..times {
            let central = Arc::clone(self.world.central()?);
            let order = Order::Remark(ticket, text);
            self.report.commands += 1;
            self.report.copies += u64::from(time > 0);
            self.flights.push(Flight {
                place: NO_PLACE,
                device: AUDIT,
                answer: ask(central, auditor(), order.clone()),
                order,
                is_copy: time > 0,
                reply_is_lost: false,
                sent_at: (self.model.size, self.failed()),
            });
            self.hear(self.flights.len() - 1)?;
        }
        Ok(())
    }
}

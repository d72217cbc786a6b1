//! A new epoch of the log: it goes on from an older state of itself, by two people and in words
//! (`FORMAT.md`, "Epochs").

use std::collections::BTreeSet;

use keno_game::DrawState;
use keno_log::Hash;
use keno_log::event::{DrawVoided, EpochOpened};
use keno_record::fault::Fault;
use keno_record::people::RECOVERY;
use keno_record::sequencer::Lane;
use keno_record::state::{Device, Person, Shift, State};
use keno_record::store::house;
use keno_schema::Connection;

use crate::central::Central;
use crate::refusal::Refusal;
use crate::staff::two_people::must_differ;
use crate::{Stop, bounds};

/// Draws that may be announced in a minute, beside those that are open for sale at once: one, and
/// two to spare.
const DRAWS_A_MINUTE: u64 = 3;

/// What two people say when they open an epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpochOrder {
    /// Size and root of the newest state known of what was lost, if any is.
    pub lost: Option<(u64, Hash)>,
    /// The newest epoch known to have been opened in what was lost; 1 if none is.
    pub lost_epoch: u32,
    /// Why, in words.
    pub reason: String,
    /// Badge of the first person.
    pub by: String,
    /// Badge of the second.
    pub second: String,
}

/// An epoch just opened, with what people must know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedEpoch {
    /// The leaf.
    pub event: EpochOpened,
    /// Draws that are void now: number, tickets, refund in cents.
    pub voided: Vec<(u64, u64, i64)>,
    /// Draws that are official and are still to be settled.
    pub to_settle: Vec<u64>,
    /// Sessions that ended.
    pub sessions: usize,
    /// Tills that are open: they are to be counted and closed.
    pub shifts: Vec<(u64, Shift)>,
    /// Badges that stand, in order: sales wait until two have looked at them.
    pub people: Vec<(String, Person)>,
    /// Those of them who may be made an acting supervisor.
    pub may_act: BTreeSet<String>,
    /// Devices that stand, by number, likewise.
    pub devices: Vec<(u32, Device)>,
}

impl EpochOrder {
    /// The epoch that a record is in.
    ///
    /// # Errors
    /// The database's.
    pub fn current(connection: &mut Connection) -> Result<u32, Fault> {
        let last = house::epochs(connection)?.pop();
        Ok(last.map_or(1, |row| row.number))
    }
}

/// The first number that a draw of the new epoch may have.
///
/// The lost part began with the record's last leaf and ended before now. In each of its minutes it
/// announced at most as many draws as are open at once and one more. Counting generously for every
/// minute, and not for the whole, also keeps apart two restores of one backup, of which the second
/// does not know the first.
fn next_draw(state: &State, saleable_draws: u64, now_ms: i64) -> u64 {
    let silent_ms = u64::try_from(now_ms.saturating_sub(state.last_at_ms)).unwrap_or(0);
    let minutes = silent_ms / 60_000 + 1;
    let gap = minutes.saturating_mul(saleable_draws.saturating_add(DRAWS_A_MINUTE));
    let first = state.house.as_ref().map_or(1, |house| house.first_draw);
    let next = state
        .draws
        .keys()
        .next_back()
        .map_or(first, |last| last + 1);
    next.max(state.epoch.next_draw).saturating_add(gap)
}

/// Badges that stand, in order.
fn people_of(state: &State) -> Vec<(String, Person)> {
    let people = state.people.iter();
    let people = people.filter(|(badge, person)| person.active && *badge != RECOVERY);
    let mut people: Vec<(String, Person)> = people
        .map(|(badge, person)| (badge.clone(), person.clone()))
        .collect();
    people.sort_by(|one, other| one.0.cmp(&other.0));
    people
}

/// Devices that stand, by number.
fn devices_of(state: &State) -> Vec<(u32, Device)> {
    let devices = state.devices.iter().filter(|(_, device)| device.active);
    let mut devices: Vec<(u32, Device)> = devices
        .map(|(number, device)| (*number, device.clone()))
        .collect();
    devices.sort_by_key(|(number, _)| *number);
    devices
}

impl EpochOrder {
    /// Opens a new epoch of the log, and voids every draw that is not official: one batch. Central
    /// was opened for it ([`crate::central::Options::opens_epoch`]), and is closed after it.
    ///
    /// Sessions are numbered from the millisecond on, tills from the second: neither can be opened
    /// faster than that for long, since each sign-on takes some 15 ms of one core, one at a time;
    /// so no epoch reaches the numbers of a later one, whether or not that one knows of it.
    ///
    /// # Errors
    /// [`Refusal::ReasonNeeded`], [`Refusal::SamePersonTwice`], or a fault.
    pub fn open(self, central: &Central) -> Result<OpenedEpoch, Stop> {
        bounds::reason("reason", &self.reason)?;
        if self.by.is_empty() || self.second.is_empty() {
            return Err(Refusal::SamePersonTwice.into());
        }
        must_differ(&central.view.get().people, &self.by, &self.second)?;
        let saleable_draws = central.schedule.saleable_draws;
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let state = &*judge.state;
            let continues = (state.edge.size(), state.edge.root());
            let lost = self.lost.filter(|(size, _)| *size > continues.0);
            let (lost_size, lost_root) = lost.unwrap_or(continues);
            let now_ms = judge.now_ms.max(state.last_at_ms);
            let since_1970 = u64::try_from(now_ms).unwrap_or(0);
            let event = EpochOpened {
                epoch: state.epoch.number.max(self.lost_epoch).saturating_add(1),
                continues_size: continues.0,
                continues_root: continues.1,
                lost_size,
                lost_root,
                next_draw: next_draw(state, saleable_draws, now_ms),
                next_session: state.next_session.max(since_1970),
                next_shift: state.next_shift.max(since_1970 / 1000),
                reason: self.reason.clone(),
                by: self.by.clone(),
                second: self.second.clone(),
            };
            let sessions = state.sessions.len();
            let shifts = state
                .shifts
                .iter()
                .map(|(number, shift)| (*number, shift.clone()))
                .collect();
            let to_settle = state
                .draws
                .values()
                .filter(|draw| draw.state == DrawState::Official)
                .map(|draw| draw.number)
                .collect();
            let lost_draws: Vec<(u64, u64, i64)> = state
                .draws
                .values()
                .filter(|draw| {
                    !matches!(
                        draw.state,
                        DrawState::Official | DrawState::Settled | DrawState::Void
                    )
                })
                .map(|draw| {
                    (
                        draw.number,
                        draw.tickets.saturating_sub(draw.unpaid_after_seal.0),
                        draw.wagered_cents - draw.unpaid_after_seal.1,
                    )
                })
                .collect();
            let (people, devices) = (people_of(state), devices_of(state));
            let may_act = state.acting.keys().cloned().collect();
            judge.record(event.clone())?;
            for (draw, tickets, refund_cents) in &lost_draws {
                judge.record(DrawVoided {
                    draw: *draw,
                    reason: self.reason.clone(),
                    by: self.by.clone(),
                    second: self.second.clone(),
                    tickets: *tickets,
                    refund_cents: *refund_cents,
                })?;
            }
            Ok(OpenedEpoch {
                event,
                voided: lost_draws,
                to_settle,
                sessions,
                shifts,
                people,
                may_act,
                devices,
            })
        })
    }
}

//! Tills: opened with a float, counted blind, closed.

use keno_log::event::{ShiftClosed, ShiftOpened};

use crate::central::Central;
use crate::fault::Stop;
use crate::identity::{Caller, Role, has_any};
use crate::refusal::Refusal;
use crate::sequencer::Lane;

/// A till that was counted and closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedShift {
    /// Shift number.
    pub shift: u64,
    /// Leaf of the fact.
    pub leaf: u64,
    /// Cash counted.
    pub counted_cents: i64,
    /// Cash that the record expected.
    pub expected_cents: i64,
}

impl Central {
    /// Judges what can be judged of a till before anyone is signed on at it.
    ///
    /// # Errors
    /// [`Refusal::WrongRole`], [`Refusal::FloatInvalid`].
    pub fn may_open_shift(roles: &[u8], float_cents: i64) -> Result<(), Refusal> {
        if !has_any(roles, &[Role::Clerk, Role::Supervisor, Role::Cage]) {
            return Err(Refusal::WrongRole {
                needed: Role::Clerk.name(),
            });
        }
        if float_cents < 0 {
            return Err(Refusal::FloatInvalid);
        }
        Ok(())
    }

    /// Opens a till at the caller's device.
    ///
    /// # Errors
    /// [`Refusal::WrongRole`], [`Refusal::FloatInvalid`], [`Refusal::TillAlreadyOpen`].
    pub async fn open_shift(&self, caller: &Caller, float_cents: i64) -> Result<u64, Stop> {
        Self::may_open_shift(&caller.roles, float_cents)?;
        let (device, badge, session) = (caller.device.device, caller.badge.clone(), caller.session);
        self.sequencer
            .submit(Lane::Money, move |judge| {
                if !judge.state.sessions.contains_key(&session) {
                    return Err(Refusal::SessionEnded.into());
                }
                if judge
                    .state
                    .shifts
                    .values()
                    .any(|shift| shift.device == device)
                {
                    return Err(Refusal::TillAlreadyOpen.into());
                }
                let shift = judge.state.next_shift;
                judge.record(ShiftOpened {
                    shift,
                    device,
                    badge: badge.clone(),
                    float_cents,
                })?;
                Ok(shift)
            })
            .await
    }

    /// Closes the till at the caller's device; the expected figure is shown only after the
    /// count.
    ///
    /// # Errors
    /// [`Refusal::NoOpenTill`].
    pub async fn close_shift(
        &self,
        caller: &Caller,
        counted_cents: i64,
    ) -> Result<ClosedShift, Stop> {
        let (device, badge) = (caller.device.device, caller.badge.clone());
        self.sequencer
            .submit(Lane::Money, move |judge| {
                let Some((shift, expected_cents)) = judge
                    .state
                    .shifts
                    .iter()
                    .find(|(_, shift)| shift.device == device)
                    .map(|(number, shift)| (*number, shift.expected_cents))
                else {
                    return Err(Refusal::NoOpenTill.into());
                };
                let leaf = judge.record(ShiftClosed {
                    shift,
                    counted_cents,
                    expected_cents,
                    by: badge.clone(),
                })?;
                Ok(ClosedShift {
                    shift,
                    leaf,
                    counted_cents,
                    expected_cents,
                })
            })
            .await
    }
}

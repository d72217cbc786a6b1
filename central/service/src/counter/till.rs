//! Tills: opened with a float, filled, dropped and counted by two people, counted blind and closed.

use keno_game::TillMovementKind;
use keno_log::CommandKey;
use keno_log::event::{ShiftClosed, ShiftOpened, TillCounted, TillMoved};
use keno_record::roles::{Role, TILL_ROLES, has_any};
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::KeyKind;
use keno_record::store::house;
use keno_schema::Connection;

use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::bounds::TILL_CENTS_MOST;
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::counter::key::{ContentHash, Recorded, judge_key};
use crate::refusal::Refusal;
use crate::staff::sessions::must_be_open;
use crate::staff::two_people::must_be_second;
use crate::{Stop, bounds};

/// A request to move cash.
#[derive(Debug, Clone)]
pub struct TillOrder {
    /// Counter of the device's key.
    pub counter: u64,
    /// Session of the device's key.
    pub session: u64,
    /// Which way.
    pub kind: TillMovementKind,
    /// How much, above zero.
    pub amount_cents: i64,
    /// Second person, already recognised.
    pub second: Recognised,
}

/// Coupons or chips as they were counted: how many, and what they come to in cents.
pub type Pieces = (u32, i64);

/// What was counted of a till that is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TillContents {
    /// Cash, in cents.
    pub cash_cents: i64,
    /// Coupons.
    pub coupons: Pieces,
    /// Chips.
    pub chips: Pieces,
}

impl TillContents {
    /// Cash alone.
    pub const fn cash(cash_cents: i64) -> Self {
        Self {
            cash_cents,
            coupons: (0, 0),
            chips: (0, 0),
        }
    }

    /// Whether somebody can have counted it: pieces come to something, and none come to nothing.
    fn can_be(self) -> bool {
        let is_sum = |cents: i64| (0..=TILL_CENTS_MOST).contains(&cents);
        let are_pieces = |(pieces, cents): Pieces| is_sum(cents) && (pieces == 0) == (cents == 0);
        is_sum(self.cash_cents) && are_pieces(self.coupons) && are_pieces(self.chips)
    }
}

/// A request to note a count in the middle of a shift.
#[derive(Debug, Clone)]
pub struct CountOrder {
    /// Cash counted.
    pub counted_cents: i64,
    /// Why, in words.
    pub reason: String,
    /// Second person, already recognised.
    pub second: Recognised,
}

/// The open till of a device: its shift and what the record expects in it.
pub(crate) fn till_of(judge: &Judge<'_>, device: u32) -> Result<(u64, i64), Refusal> {
    judge
        .state
        .shifts
        .iter()
        .find(|(_, shift)| shift.device == device)
        .map(|(number, shift)| (*number, shift.expected_cents))
        .ok_or(Refusal::NoOpenTill)
}

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

impl Recognised {
    /// As `may_open_shift`, of somebody who is about to sign on.
    ///
    /// # Errors
    /// [`Refusal::WrongRole`], [`Refusal::FloatInvalid`].
    pub fn may_open_shift(&self, float_cents: i64) -> Result<(), Refusal> {
        may_open_shift(&self.roles, float_cents)
    }
}

/// Judges what can be judged of a till before anyone is signed on at it.
///
/// # Errors
/// [`Refusal::WrongRole`], [`Refusal::FloatInvalid`].
fn may_open_shift(roles: &[u8], float_cents: i64) -> Result<(), Refusal> {
    Operation::CloseTill.judge_roles(roles)?;
    if !(0..=TILL_CENTS_MOST).contains(&float_cents) {
        return Err(Refusal::FloatInvalid {
            most: TILL_CENTS_MOST,
        });
    }
    Ok(())
}

impl Caller {
    /// Opens a till at the caller's device.
    ///
    /// # Errors
    /// [`Refusal::WrongRole`], [`Refusal::FloatInvalid`], [`Refusal::TillAlreadyOpen`].
    pub async fn open_shift(&self, central: &Central, float_cents: i64) -> Result<u64, Stop> {
        may_open_shift(&self.roles, float_cents)?;
        let (device, badge, session) = (self.device.device, self.badge.clone(), self.session);
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                must_be_open(judge, session)?;
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
}

impl TillOrder {
    /// Two people fill or drop the till at the caller's device. A drop above what the record
    /// expects is not refused: that would tell the expected figure before the count.
    ///
    /// # Errors
    /// A refusal in the order of [`Refusal`], or a fault; nothing was recorded unless it is
    /// [`Stop::Broke`].
    pub async fn move_cash(
        &self,
        central: &Central,
        caller: &Caller,
    ) -> Result<Recorded<TillMoved>, Stop> {
        caller.may(Operation::MoveTill)?;
        must_be_second(central, Operation::MoveTill, caller, &self.second)?;
        let key = CommandKey {
            device: caller.device.device,
            session: self.session,
            counter: self.counter,
        };
        let (kind, amount_cents) = (self.kind.number(), self.amount_cents);
        let content = ContentHash::of("till")
            .number(i64::from(kind))
            .number(amount_cents)
            .finish();
        let (by, second) = (caller.badge.clone(), self.second.badge.clone());
        let (leaf, repeated) = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                if let Some(leaf) = judge_key(judge, &key, KeyKind::TillMovement, &content)? {
                    return Ok((leaf, true));
                }
                let (shift, _) = till_of(judge, key.device)?;
                if !(1..=TILL_CENTS_MOST).contains(&amount_cents) {
                    return Err(Refusal::AmountInvalid {
                        most: TILL_CENTS_MOST,
                    }
                    .into());
                }
                let leaf = judge.record(TillMoved {
                    shift,
                    key,
                    content_hash: content,
                    kind,
                    amount_cents,
                    by: by.clone(),
                    second: second.clone(),
                })?;
                Ok((leaf, false))
            })
            .await?;
        Ok(Recorded::read(central, leaf, repeated)?)
    }
}

impl CountOrder {
    /// Two people count the till at the caller's device in the middle of a shift, for a dispute.
    /// It moves nothing and the till stays open; what the record expects is told only now. Asked
    /// again after a lost answer it is another count, which says the same.
    ///
    /// # Errors
    /// A refusal in the order of [`Refusal`], or a fault; nothing was recorded unless it is
    /// [`Stop::Broke`].
    pub async fn count(
        &self,
        central: &Central,
        caller: &Caller,
    ) -> Result<Recorded<TillCounted>, Stop> {
        caller.may(Operation::CountTill)?;
        must_be_second(central, Operation::CountTill, caller, &self.second)?;
        let (device, session) = (caller.device.device, caller.session);
        let (counted_cents, reason) = (self.counted_cents, self.reason.clone());
        let (by, second) = (caller.badge.clone(), self.second.badge.clone());
        let leaf = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                must_be_open(judge, session)?;
                let (shift, expected_cents) = till_of(judge, device)?;
                if !(0..=TILL_CENTS_MOST).contains(&counted_cents) {
                    return Err(Refusal::CountInvalid {
                        most: TILL_CENTS_MOST,
                    }
                    .into());
                }
                bounds::reason("reason", &reason)?;
                Ok(judge.record(TillCounted {
                    shift,
                    device,
                    counted_cents,
                    expected_cents,
                    reason: reason.clone(),
                    by: by.clone(),
                    second: second.clone(),
                })?)
            })
            .await?;
        Ok(Recorded::read(central, leaf, false)?)
    }
}

impl Caller {
    /// Closes the till at the caller's device; the expected figure is shown only after the
    /// count. Whose till it is closes it alone; another's is closed by a supervisor and one other.
    ///
    /// # Errors
    /// A refusal in the order of [`Refusal`], or a fault.
    pub async fn close_shift(
        &self,
        central: &Central,
        counted: TillContents,
        second: Option<&Recognised>,
    ) -> Result<ClosedShift, Stop> {
        self.may(Operation::CloseTill)?;
        if let Some(second) = second {
            must_be_second(central, Operation::CloseTill, self, second)?;
        }
        let (device, badge, session) = (self.device.device, self.badge.clone(), self.session);
        let second = second.map(|second| second.badge.clone());
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                must_be_open(judge, session)?;
                let (shift, expected_cents) = till_of(judge, device)?;
                let is_own = judge
                    .state
                    .shifts
                    .get(&shift)
                    .is_some_and(|till| till.badge == badge);
                if !is_own && second.is_none() {
                    return Err(Refusal::TillOfAnother.into());
                }
                if !counted.can_be() {
                    return Err(Refusal::CountInvalid {
                        most: TILL_CENTS_MOST,
                    }
                    .into());
                }
                let leaf = judge.record(ShiftClosed {
                    shift,
                    counted_cents: counted.cash_cents,
                    expected_cents,
                    by: badge.clone(),
                    second: second.clone(),
                    coupons: counted.coupons.0,
                    coupon_cents: counted.coupons.1,
                    chips: counted.chips.0,
                    chip_cents: counted.chips.1,
                })?;
                Ok(ClosedShift {
                    shift,
                    leaf,
                    counted_cents: counted.cash_cents,
                    expected_cents,
                })
            })
            .await
    }
}

/// Who may read the sheet of a shift, whoever's it is.
const ANY_SHIFT: [Role; 2] = [Role::Supervisor, Role::Auditor];

impl Caller {
    /// Judges who reads the sheet of a shift. What went through an open till adds up to the figure
    /// that is expected in it: only an auditor, who counts none, sees it before the count.
    ///
    /// # Errors
    /// [`Refusal::WrongRole`], [`Refusal::TillStillOpen`], [`Refusal::RecordUnknown`], or a fault.
    pub fn may_read_sheet(&self, connection: &mut Connection, number: u64) -> Result<(), Stop> {
        self.may(Operation::ReadSheet)?;
        let device = self.device.device;
        let row = house::shift(connection, number)?;
        let may_read_any = has_any(&self.roles, &ANY_SHIFT);
        if !may_read_any {
            let last = house::last_closed_at(connection, device)?;
            let is_last = last == Some(number);
            let is_open_here = row
                .as_ref()
                .is_some_and(|row| row.device == device && row.closed_leaf.is_none());
            if !is_last && !is_open_here {
                let needed = ANY_SHIFT.to_vec();
                return Err(Refusal::WrongRole { needed }.into());
            }
        }
        let row = row.ok_or(Refusal::RecordUnknown)?;
        let counts_tills = has_any(&self.roles, &TILL_ROLES);
        if row.closed_leaf.is_none() && counts_tills {
            return Err(Refusal::TillStillOpen.into());
        }
        Ok(())
    }
}

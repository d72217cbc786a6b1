//! From what is on a paper to the ticket in the record: control number, copy and secret.

use keno_game::{ControlNumber, ControlNumberError};
use keno_schema::rows::TicketRow;
use subtle::ConstantTimeEq;

use crate::central::Central;
use crate::fault::Fault;
use crate::keys::ServerKeys;
use crate::refusal::Refusal;
use crate::store::tickets;

/// The first 100 bits of the claim MAC are printed.
pub const SECRET_BITS: usize = 100;

/// What a paper or a typed number says.
#[derive(Clone, PartialEq, Eq)]
pub struct Paper {
    /// Control number.
    pub number: ControlNumber,
    /// Copy index and secret, when the whole claim code was scanned. The secret is the first
    /// [`SECRET_BITS`] bits of the MAC in 13 bytes, the last four bits zero.
    pub claim: Option<(u8, [u8; 13])>,
}

impl std::fmt::Debug for Paper {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Paper")
            .field("number", &self.number.masked())
            .field("whole", &self.claim.is_some())
            .finish()
    }
}

/// The printed part of a claim MAC.
pub fn printed_secret(mac: &[u8; 32]) -> [u8; 13] {
    let mut secret = [0; 13];
    for (byte, of) in secret.iter_mut().zip(mac) {
        *byte = *of;
    }
    // 100 bits are twelve bytes and a half.
    secret[12] &= 0xF0;
    secret
}

/// A refusal for a number that was not typed right.
pub fn number_refusal(fault: ControlNumberError) -> Refusal {
    match fault {
        ControlNumberError::CheckDigits => Refusal::NumberMistyped,
        _ => Refusal::CodeUnreadable,
    }
}

/// Judges the claim part of a paper against the ticket in the record.
///
/// # Errors
/// [`Refusal::ClaimCodeNeeded`], [`Refusal::ClaimCodeWrong`] or [`Refusal::CopyReplaced`].
pub fn check_claim(
    keys: &ServerKeys,
    house: &str,
    paper: &Paper,
    ticket: &TicketRow,
) -> Result<(), Refusal> {
    let Some((copy, secret)) = paper.claim else {
        return Err(Refusal::ClaimCodeNeeded);
    };
    let key_id = u16::try_from(ticket.secret_key).unwrap_or(0);
    let mac = keys
        .claim_mac(key_id, house, &paper.number, copy)
        .unwrap_or([0; 32]);
    let right: bool = printed_secret(&mac).ct_eq(&secret).into();
    if !right {
        return Err(Refusal::ClaimCodeWrong);
    }
    // The secret of a dead copy is right, but the copy is dead.
    if i16::from(copy) != ticket.copy {
        return Err(Refusal::CopyReplaced);
    }
    Ok(())
}

impl Central {
    /// The ticket of a control number.
    ///
    /// # Errors
    /// A fault.
    pub fn find_ticket(&self, number: &ControlNumber) -> Result<Option<TicketRow>, Fault> {
        let hash = self.keys.control_hash(&self.house_code, number);
        let mut reader = self.readers.get()?;
        Ok(tickets::find_by_control(&mut reader, &hash)?)
    }

    /// When a restore lost the ticket of this paper: the number is in no record, but its claim
    /// secret could only be made by this house, with a key of an epoch that has ended.
    pub fn lost_in_restore(&self, paper: &Paper) -> Option<i64> {
        let opened_at_ms = self.view.get().epoch.opened_at_ms?;
        self.ended_epoch_of(paper).map(|_| opened_at_ms)
    }

    /// The epoch in which the ticket of this paper was sold, when it is one that has ended: the
    /// claim secret was made with its key, and by nobody but this house.
    pub fn ended_epoch_of(&self, paper: &Paper) -> Option<u32> {
        let (copy, secret) = paper.claim?;
        let ended = self.view.get().epoch.number.saturating_sub(1);
        if ended == 0 {
            return None;
        }
        let ids = self.keys.claim_key_ids(ended);
        let made_with = ids.into_iter().find(|id| {
            let mac = self
                .keys
                .claim_mac(*id, &self.house_code, &paper.number, copy);
            mac.is_some_and(|mac| printed_secret(&mac).ct_eq(&secret).into())
        });
        made_with.map(|id| self.keys.epoch_of_claim_key(id))
    }

    /// The control number of a ticket in the record.
    pub fn control_number(&self, ticket: &TicketRow) -> ControlNumber {
        let key = keno_log::CommandKey {
            device: u32::try_from(ticket.device).unwrap_or(0),
            session: crate::store::unbig(ticket.session),
            counter: crate::store::unbig(ticket.counter),
        };
        self.keys.control_number(
            &self.house_code,
            &key,
            u8::try_from(ticket.control_attempt).unwrap_or(0),
        )
    }
}

//! From what is on a paper to the ticket in the record: control number, copy and secret.
//!
//! A claim is judged by the keys alone, before any limit and any look at the record, and with the
//! same work whatever comes out. What is not this house's is looked for in vain afterwards, as a
//! number is that does not exist: one answer, one size, one time.

use keno_game::{ControlNumber, ControlNumberError};
use keno_log::event::TicketSold;
use keno_log::{Event, Hash};
use keno_record::fault::Fault;
use keno_record::keys::ServerKeys;
use keno_record::numbers::{Epochs, Place};
use keno_record::paper_code::{Shown, WholeCode};
use keno_record::store::leaves::{self, event_if_any};
use keno_record::ticket::Ticket;

use crate::central::Central;
use crate::refusal::Refusal;

/// A leaf that no log has.
const NOBODYS_LEAF: u64 = i64::MAX.unsigned_abs();

/// A claim that this house made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrueClaim {
    /// Copy index.
    pub copy: u8,
    /// Id of the claim key.
    pub key: u16,
    /// Size and root of the log that the paper names, when the whole code was scanned.
    pub knows: Option<(u64, Hash)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Claim {
    None,
    True(TrueClaim),
    Wrong,
}

/// A paper or a typed number, judged by the keys.
#[derive(Clone, PartialEq, Eq)]
pub struct Paper {
    /// Control number.
    pub number: ControlNumber,
    claim: Claim,
}

impl std::fmt::Debug for Paper {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Paper")
            .field("number", &self.number.masked())
            .field("claim", &self.claim)
            .finish()
    }
}

impl Paper {
    /// Why a payment is held: a paper that a duplicate replaced was shown.
    pub const REPLACED_SHOWN: u8 = 3;

    /// What was shown of a paper, judged under every claim key of the first `epochs` epochs.
    pub fn judged(
        keys: &ServerKeys,
        house: &str,
        epochs: u32,
        number: ControlNumber,
        shown: &Shown,
    ) -> Self {
        let claim = judge(keys, house, epochs, &number, shown);
        Self { number, claim }
    }

    /// A number without any claim.
    pub fn number_alone(number: ControlNumber) -> Self {
        let claim = Claim::None;
        Self { number, claim }
    }

    /// The claim, when it is this house's.
    pub fn true_claim(&self) -> Option<&TrueClaim> {
        match &self.claim {
            Claim::True(claim) => Some(claim),
            Claim::None | Claim::Wrong => None,
        }
    }

    /// Judges the claim part against the paper's ticket ([`Self::find`]).
    ///
    /// # Errors
    /// [`Refusal::ClaimCodeNeeded`], [`Refusal::NumberUnknown`] or [`Refusal::CopyReplaced`].
    pub(crate) fn check_claim(&self, ticket: &Ticket) -> Result<(), Refusal> {
        match &self.claim {
            Claim::None => Err(Refusal::ClaimCodeNeeded),
            Claim::True(claim) if claim.key == ticket.sale.secret_key => {
                // The claim of a dead copy is right, but the copy is dead.
                if claim.copy == ticket.copy {
                    Ok(())
                } else {
                    Err(Refusal::CopyReplaced)
                }
            }
            Claim::True(_) | Claim::Wrong => Err(Refusal::NumberUnknown),
        }
    }

    /// True when the 20 signs of a paper were typed, and not its whole code shown.
    pub fn is_typed(&self) -> bool {
        self.true_claim().is_some_and(|claim| claim.knows.is_none())
    }

    /// True when a claim was shown, be it this house's or not.
    pub fn is_claimed(&self) -> bool {
        self.claim != Claim::None
    }
}

/// What a command of two people names a ticket by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// What was shown of its paper, or its number.
    Paper(Paper),
    /// Its leaf: nobody there holds its paper, or knows its number. Or that of what stands for a
    /// code that cannot be read: a reading.
    Reference(u64),
    /// The leaf of a file, whose receipt is in hand.
    File(u64),
}

impl From<Paper> for Named {
    fn from(paper: Paper) -> Self {
        Self::Paper(paper)
    }
}

impl From<&Paper> for Named {
    fn from(paper: &Paper) -> Self {
        Self::Paper(paper.clone())
    }
}

impl Named {
    /// As [`Paper::is_typed`].
    pub fn is_typed(&self) -> bool {
        matches!(self, Self::Paper(paper) if paper.is_typed())
    }

    /// Judges whether the living paper is in hand; a leaf never shows that it is.
    ///
    /// # Errors
    /// [`Refusal::ClaimCodeNeeded`], [`Refusal::NumberUnknown`] or [`Refusal::CopyReplaced`].
    pub fn check_claim(&self, ticket: &Ticket) -> Result<(), Refusal> {
        match self {
            Self::Paper(paper) => paper.check_claim(ticket),
            Self::Reference(_) | Self::File(_) => Err(Refusal::ClaimCodeNeeded),
        }
    }

    /// What the code on the receipt of a file names: with another secret, a paper that nobody has.
    pub fn by_receipt(central: &Central, file: u64, secret: &str) -> Named {
        if central.keys.is_receipt(&central.house_code, file, secret) {
            return Named::File(file);
        }
        let number = central
            .keys
            .control_number(&central.house_code, Place::NOBODYS);
        Named::Paper(Paper {
            number,
            claim: Claim::Wrong,
        })
    }

    /// The code that is printed on the receipt of a file.
    pub fn receipt_secret(central: &Central, file: u64) -> String {
        central.keys.receipt_secret(&central.house_code, file)
    }
}

impl From<ControlNumberError> for Refusal {
    /// A number that was not typed right.
    fn from(fault: ControlNumberError) -> Self {
        match fault {
            ControlNumberError::CheckDigits => Self::NumberMistyped,
            _ => Self::CodeUnreadable,
        }
    }
}

/// Judges what was shown under every claim key of the first `epochs` epochs.
fn judge(
    keys: &ServerKeys,
    house: &str,
    epochs: u32,
    number: &ControlNumber,
    shown: &Shown,
) -> Claim {
    let mut found = Claim::Wrong;
    for key in keys.claim_key_ids(epochs) {
        // A bare number takes the time of a whole code, so that one that does not exist is like a
        // wrong code in that too.
        let claim = match shown {
            Shown::Number => keys
                .judge_whole(key, house, number, &WholeCode::nobodys())
                .then_some((0, None)),
            Shown::Secret(secret) => keys
                .copy_of_secret(key, house, number, secret)
                .map(|copy| (copy, None)),
            Shown::Whole(code) => keys
                .judge_whole(key, house, number, code)
                .then_some((code.copy, Some((code.log_size, code.log_root)))),
        };
        if let Some((copy, knows)) = claim {
            found = Claim::True(TrueClaim { copy, key, knows });
        }
    }
    match (shown, std::hint::black_box(found)) {
        (Shown::Number, _) => Claim::None,
        (Shown::Secret(_) | Shown::Whole(_), found) => found,
    }
}

impl Paper {
    /// Judges what was shown of a paper by the keys alone.
    pub fn shown(central: &Central, number: ControlNumber, shown: &Shown) -> Paper {
        let epochs = central.view.get().epoch.number;
        Paper::judged(&central.keys, &central.house_code, epochs, number, shown)
    }

    /// The whole code of a copy, with the newest checkpoint; `None` when the claim key is missing.
    pub fn whole_code(
        central: &Central,
        key: u16,
        number: &ControlNumber,
        copy: u8,
    ) -> Option<WholeCode> {
        let (log_size, log_root) = central.checkpoint().map_or_else(
            || (0, keno_log::hash::EMPTY_ROOT),
            |signed| (signed.size, signed.root),
        );
        central
            .keys
            .whole_code(key, &central.house_code, number, copy, (log_size, log_root))
    }
}

impl Paper {
    /// Where the leaf of its ticket stands, by its number alone.
    pub fn place(&self, keys: &ServerKeys, house: &str) -> Place {
        keys.place(house, &self.number)
    }

    /// The leaf that its number leads to in this log; none when its claim is wrong.
    pub(crate) fn leaf(&self, keys: &ServerKeys, house: &str, epochs: &Epochs) -> Option<u64> {
        let leaf = epochs.leaf(self.place(keys, house));
        leaf.filter(|_| self.claim != Claim::Wrong)
    }

    /// The ticket of a paper; `None` too when its claim is wrong.
    ///
    /// # Errors
    /// A fault.
    pub fn find(&self, central: &Central) -> Result<Option<Ticket>, Fault> {
        let epochs = &central.view.get().epochs;
        let leaf = self.leaf(&central.keys, &central.house_code, epochs);
        let mut reader = central.readers.get()?;
        // What leads nowhere is looked for as long, where there is nothing.
        let ticket = Ticket::read(&mut reader, leaf.unwrap_or(NOBODYS_LEAF))?;
        if let (None, Some(leaf), Some(signed)) = (&ticket, leaf, central.checkpoint())
            && leaf < signed.size
        {
            // Each leaf below a signed checkpoint was there: one that is gone is a fault of the record,
            // and its paper is not to be called unknown.
            leaves::fact(&mut reader, leaf)?;
        }
        let claim = self.true_claim();
        let is_its = |sale: &TicketSold| claim.is_none_or(|claim| claim.key == sale.secret_key);
        Ok(ticket.filter(|ticket| is_its(&ticket.sale)))
    }
}

impl Named {
    /// The ticket that people name.
    ///
    /// # Errors
    /// A fault.
    pub fn find(&self, central: &Central) -> Result<Option<Ticket>, Fault> {
        match self {
            Named::Paper(paper) => paper.find(central),
            Named::Reference(leaf) | Named::File(leaf) => {
                let mut reader = central.readers.get()?;
                let ticket = match Ticket::read(&mut reader, *leaf)? {
                    Some(ticket) => return Ok(Some(ticket)),
                    None => match event_if_any(&mut reader, *leaf)? {
                        Some(Event::DamagedTicketRead(body)) => Some(body.ticket),
                        Some(Event::FileOpened(body)) => body.ticket,
                        _ => None,
                    },
                };
                match ticket {
                    Some(ticket) => Ticket::read(&mut reader, ticket),
                    None => Ok(None),
                }
            }
        }
    }
}

impl Paper {
    /// When a restore lost the ticket of this paper.
    pub fn lost_in_restore(&self, central: &Central) -> Option<i64> {
        let opened_at_ms = central.view.get().epoch.opened_at_ms?;
        self.lost_place(central).map(|_| opened_at_ms)
    }

    /// Epoch and leaf of the ticket of this paper, when a restore lost it. The claim was made by
    /// nobody but this house.
    pub fn lost_place(&self, central: &Central) -> Option<(u32, u64)> {
        self.true_claim()?;
        self.lost_from(central, &central.view.get().epochs)
    }

    /// The same by the number, where nothing was shown of its claim.
    pub(crate) fn lost_from(&self, central: &Central, epochs: &Epochs) -> Option<(u32, u64)> {
        let place = self.place(&central.keys, &central.house_code);
        let said = self.true_claim();
        let said = said.map(|claim| central.keys.epoch_of_claim_key(claim.key));
        let sold = epochs
            .lost(place, said)
            .filter(|_| self.claim != Claim::Wrong)?;
        Some((sold, place.leaf))
    }

    /// The control number of the ticket of a leaf in the record.
    pub fn control_number(central: &Central, ticket: u64) -> ControlNumber {
        let place = central.view.get().epochs.place(ticket);
        central.keys.control_number(&central.house_code, place)
    }
}

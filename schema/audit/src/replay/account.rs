//! What the log says of a draw, kept with what was recomputed.

use keno_log::Hash;
use keno_log::event::BallsRecorded;

use crate::balls::Derivation;
use crate::prizes::{Cap, Settlement};
use crate::tickets::Ticket;

named! {
    /// Where a draw stands.
    #[derive(Default)]
    DrawState: audited_draw {
        /// Announced.
        #[default]
        Scheduled "scheduled",
        /// Takes wagers.
        Open "open",
        /// Closed and sealed.
        Closed "closed",
        /// The seal is with the machine.
        Drawing "drawing",
        /// The numbers are recorded.
        Drawn "drawn",
        /// The result is official.
        Official "official",
        /// Every prize is fixed.
        Settled "settled",
        /// Interrupted.
        Suspended "suspended",
        /// Void, refunded.
        Void "void",
    }
}

/// Closing of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Close {
    /// The closing leaf.
    pub entry: u64,
    /// Its time, from which the round of a beacon follows.
    pub at_ms: i64,
    /// Tickets that take part.
    pub tickets: u64,
    /// Their selections.
    pub selections: u64,
    /// Their wagers for this draw, in cents.
    pub wagered_cents: i64,
    /// Root of the tree just after the closing leaf; its size is `entry + 1`.
    pub seal_root: Hash,
}

/// All that the log says of a draw, and what was recomputed.
#[derive(Debug, Default)]
pub struct DrawAccount {
    /// Draw number.
    pub number: u64,
    /// Where it stands.
    pub state: DrawState,
    /// 1 computer, 2 balls.
    pub source: u8,
    /// When its sales were to close.
    pub closes_at_ms: i64,
    /// When its first number is to be shown.
    pub draws_at_ms: i64,
    /// The same as it was put off last; how long can be claimed still follows from the above.
    pub postponed_to_ms: Option<i64>,
    /// When its numbers were official, or it was void: from then on there is something to claim.
    pub decided_at_ms: Option<i64>,
    /// Holders of secrets, in the order of the derivation.
    pub holders: Vec<String>,
    /// Numbers in the pool.
    pub pool_size: u8,
    /// Numbers drawn.
    pub drawn: u8,
    /// Its cap.
    pub cap: Cap,
    /// Commitments by position.
    pub commitments: Vec<Option<Hash>>,
    /// Leaf of the last commitment.
    pub committed_at: Option<u64>,
    /// Keys of the hosts of its machine and of each holder; empty texts for what is within central.
    pub hosts: Option<Vec<String>>,
    /// Leaf of the first ticket that covers it.
    pub first_wager: Option<u64>,
    /// Its closing, with totals recomputed.
    pub close: Option<Close>,
    /// What two people entered of its balls.
    pub hands: Hands,
    /// The set of balls that its last start counts for.
    pub started_with: Option<String>,
    /// What two people found in the tubes last.
    pub attested: Option<Attested>,
    /// SHA-256 of the rules that the machine was given.
    pub rule_book_hash: Option<Hash>,
    /// The numbers as recorded.
    pub balls: Option<BallsRecorded>,
    /// Their leaf; 0 before they are recorded.
    pub balls_at: u64,
    /// Leaf of what its hosts signed last.
    pub signed_at: Option<u64>,
    /// What they signed then, each for its place.
    pub signatures: Vec<String>,
    /// Who made it official.
    pub certifiers: Vec<String>,
    /// The secrets, once revealed.
    pub secrets: Option<Vec<Hash>>,
    /// The settlement, recomputed.
    pub settlement: Option<Settlement>,
    /// Tickets refunded and the sum in cents, recomputed, when void.
    pub refund: Option<(u64, i64)>,
}

/// Balls as two people entered them, or the machine read them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hands {
    /// The two, each with what they entered: 0 where it is asked again.
    pub people: Vec<(String, Vec<u8>)>,
    /// The balls that count, in order.
    pub counted: Vec<u8>,
    /// Machine and set of the first ball that the machine read.
    pub read: Option<(String, String)>,
    /// Others were named since.
    pub is_mixed: bool,
    /// Incidents on its line.
    pub incidents: Vec<u8>,
    /// Its line is read no more.
    pub has_stopped: bool,
}

/// What two people found in the tubes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attested {
    /// The entry that says so.
    pub entry: u64,
    /// 1 every ball is there, 2 to 4 why it is not known.
    pub finding: u8,
    /// Who.
    pub by: [String; 2],
}

impl DrawAccount {
    /// Whether a ball of it was entered or read.
    #[must_use]
    pub fn has_balls(&self) -> bool {
        !self.hands.people.is_empty() || self.hands.read.is_some()
    }

    /// Whether every ball of it counts.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.hands.counted.len() == usize::from(self.drawn)
    }

    /// Whether there are holders, and each has committed.
    #[must_use]
    pub fn is_committed(&self) -> bool {
        !self.commitments.is_empty() && !self.commitments.contains(&None)
    }

    /// Whether nothing more can happen to its wagers.
    #[must_use]
    pub fn is_over(&self) -> bool {
        matches!(self.state, DrawState::Settled | DrawState::Void)
    }

    /// What its numbers follow from, beside the secrets; none before the machine has the seal.
    #[must_use]
    pub fn derivation<'a>(&self, house: &'a str) -> Option<Derivation<'a>> {
        let close = self.close?;
        Some(Derivation {
            house,
            draw: self.number,
            seal_size: close.entry + 1,
            seal_root: close.seal_root,
            rule_book_hash: self.rule_book_hash?,
            pool_size: self.pool_size,
            drawn: self.drawn,
        })
    }

    /// What is payable to a ticket, in cents; none before settlement.
    #[must_use]
    pub fn payable_cents(&self, ticket: u64) -> Option<i64> {
        let payable = &self.settlement.as_ref()?.payable;
        let place = payable.binary_search_by_key(&ticket, |(leaf, _)| *leaf);
        Some(
            place
                .ok()
                .and_then(|at| payable.get(at))
                .map_or(0, |(_, cents)| *cents),
        )
    }

    /// Whether a ticket can win: in range, before the closing leaf, and not withdrawn. A ticket
    /// marked unpaid between seal and start is counted by the seal, but is void (s. 83).
    pub(super) fn takes_part(&self, ticket: &Ticket) -> bool {
        let Some(close) = &self.close else {
            return false;
        };
        ticket.covers(self.number) && ticket.leaf < close.entry && ticket.withdrawn == 0
    }
}

#[cfg(test)]
mod tests {
    use super::DrawState;

    #[test]
    fn programs_are_told_these_names_whatever_the_catalogue_says() {
        let names: Vec<&str> = DrawState::ALL.iter().map(|state| state.name()).collect();
        assert_eq!(
            names.join(" "),
            "scheduled open closed drawing drawn official settled suspended void"
        );
    }
}

//! The refund of a ticket whose record a restore lost, by two people, against its paper.

use keno_game::Tender;
use keno_wire::coded::{Name, VerdictCode};
use keno_wire::request::{LostRefundRequest, SecondPerson};
use keno_words::{Money, agent as words};
use serde::Deserialize;

use super::Agent;
use super::money_out::masked;
use super::recorded::Recorded;
use super::second::noted;
use crate::exit::{Exit, Stop};
use crate::journal::CommandKind;

/// The verdict on a paper whose ticket can be refunded so, and no other.
const LOST: VerdictCode = VerdictCode::RecordLost;

/// What two people have read on the paper and found out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LostTicket {
    /// The claim code on the paper.
    pub code: String,
    /// The price on the paper, in cents.
    pub amount_cents: i64,
    /// The tender on the paper.
    #[serde(default = "cash")]
    pub tender: Name<Tender>,
    /// How they found out what was paid.
    pub reason: String,
    /// Who looks at it too.
    pub second: SecondPerson,
}

/// What is paid in when nothing is said.
pub const fn cash() -> Name<Tender> {
    Name::Known(Tender::Cash)
}

impl Agent<'_> {
    /// Gives the price of a lost ticket back, out of this till, and prints the paper that both
    /// people sign; the ticket stays at the counter. Central is asked for its verdict first: for
    /// any other ticket nothing is sent.
    pub fn refund_lost(&mut self, ticket: LostTicket) -> Result<Exit, Stop> {
        self.resolve_all()?;
        self.ensure_session()?;
        let check = self.checked(&ticket.code)?;
        self.tell_check(&check);
        if check.verdict.code.known() != Some(LOST) {
            self.told.note(&words::NotALostTicket);
            return Ok(Exit::Refused);
        }
        let second = self.second_person(ticket.second)?;
        let noted = serde_json::json!({
            "code": masked(&ticket.code),
            "tender": ticket.tender,
            "reason": ticket.reason,
            "second": noted(&second),
        });
        let total_cents = ticket.amount_cents;
        let key = self.journal_sent(CommandKind::LostRefund, noted, total_cents, 0)?;
        let request = LostRefundRequest {
            key,
            code: ticket.code,
            amount_cents: ticket.amount_cents,
            tender: ticket.tender,
            reason: ticket.reason,
            second,
        };
        let (fact, issue) = self.command(key, "/lost-refunds", &request, Recorded::LostRefund)?;
        let amount = &Money(fact.owed_cents());
        self.finish(key, &fact, issue, &words::LostTicketRefunded { amount })
    }
}

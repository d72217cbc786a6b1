//! The refund of a ticket whose record a restore lost, by two people, against its paper.

use keno_wire::reply::{CheckReply, LostRefundReply};
use keno_wire::request::{CheckRequest, LostRefundRequest};

use super::Agent;
use super::money_out::masked;
use super::recorded::Fact;
use super::second::{Second, noted};
use crate::desk::PageFact;
use crate::exit::{Exit, Stop};
use crate::journal::{CommandKind, Record};

/// The verdict on a paper whose ticket can be refunded so, and no other.
const LOST: &str = "record_lost";

/// What two people have read on the paper and found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostTicket {
    /// The claim code on the paper.
    pub code: String,
    /// The price on the paper, in cents.
    pub amount_cents: i64,
    /// The tender on the paper: `cash`, `coupon` or `chip`.
    pub tender: String,
    /// How they found out what was paid.
    pub reason: String,
}

impl Agent<'_> {
    /// Gives the price of a lost ticket back, out of this till, and prints the paper that both
    /// people sign; the ticket stays at the counter. Central is asked for its verdict first: for
    /// any other ticket nothing is sent.
    ///
    /// # Errors
    /// [`Stop`] with the exit that says how it ended.
    pub fn refund_lost(&mut self, ticket: &LostTicket, second: Second) -> Result<Exit, Stop> {
        self.resolve()?;
        self.ensure_session()?;
        let check: CheckReply = self.inquire(
            "/checks",
            &CheckRequest {
                code: ticket.code.clone(),
            },
        )?;
        self.tell_check(&check);
        if check.verdict.code != LOST {
            self.desk.note(
                "Seul un billet perdu à une restauration se rembourse ainsi, et une seule fois. \
                 Rien n’a été remboursé.",
                "Only a ticket that a restore lost is refunded like this, and only once. Nothing \
                 was refunded.",
            );
            return Ok(Exit::Refused);
        }
        let second = self.second_person(second)?;
        // The session of the key is the one that central has just answered in.
        let session = self.ensure_session()?;
        let key = self.journal.next_key(session.session);
        self.journal.write(&Record::Sent {
            key,
            kind: CommandKind::LostRefund,
            request: serde_json::json!({
                "code": masked(&ticket.code),
                "tender": ticket.tender,
                "reason": ticket.reason,
                "second": noted(&second),
            }),
            total_cents: ticket.amount_cents,
            received_cents: 0,
            device: None,
        })?;
        let request = LostRefundRequest {
            key,
            code: ticket.code.clone(),
            amount_cents: ticket.amount_cents,
            tender: ticket.tender.clone(),
            reason: ticket.reason.clone(),
            second,
        };
        let fact = self.command(key, "/lost-refunds", &request, |reply: LostRefundReply| {
            let is_repeated = reply.repeated;
            (Fact::LostRefund(reply), is_repeated)
        })?;
        let Some((fact, issue)) = fact else {
            return Ok(Exit::Refused);
        };
        if let Fact::LostRefund(reply) = &fact {
            self.desk.kept.fact = Some(PageFact::LostRefund(reply.clone()));
            self.desk.tell_amount(
                "Billet perdu, remboursé : rendez {} et gardez le papier.",
                "Lost ticket, refunded: give {} back and keep the paper.",
                reply.amount_cents,
            );
            self.open_drawer_for(&reply.tender);
            self.print_fact(key, &fact, issue)?;
        }
        Ok(Exit::Done)
    }
}

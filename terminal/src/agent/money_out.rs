//! Cancellations and payments: money leaves the till, so the key is settled first.

use keno_slip::Issue;
use keno_slip::money::draw_number;
use keno_wire::claim_code::reference;
use keno_wire::reply::CheckReply;
use keno_wire::request::{
    CancelRequest, CheckRequest, CommandKey, PayRequest, PresentRequest, SecondPerson,
};
use keno_words::{Money, Say, agent as words};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Agent;
use super::no_paper::Decision;
use super::recorded::Recorded;
use super::second::noted;
use super::session::is_signed_off;
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::journal::{CommandKind, Outcome, Record};
use crate::told::Choice;

impl Agent<'_> {
    /// Journals that a command was refused, or never left, and tells it.
    pub(super) fn close_refused(
        &mut self,
        key: CommandKey,
        fault: CallFault,
    ) -> Result<Stop, Stop> {
        let outcome = match &fault {
            CallFault::Refused(problem) => Outcome::Refused {
                name: problem.name().to_owned(),
            },
            _ => Outcome::NotSent,
        };
        self.journal.write(&Record::Outcome { key, outcome })?;
        if matches!(&fault, CallFault::Refused(problem) if is_signed_off(problem)) {
            self.forget_session()?;
        }
        let stop = self.stop_for(fault);
        // A refusal answers the clerk who has just pressed the key: being told is enough.
        self.journal.write(&Record::Told { key })?;
        Ok(stop)
    }

    /// Journals a command before it is sent, under a key of the session that central knows.
    pub(super) fn journal_sent(
        &mut self,
        kind: CommandKind,
        request: serde_json::Value,
        total_cents: i64,
        received_cents: i64,
    ) -> Result<CommandKey, Stop> {
        let session = self.ensure_session()?;
        let key = self.journal.next_key(session.session);
        self.journal.write(&Record::Sent {
            key,
            kind,
            request,
            total_cents,
            received_cents,
            device: None,
        })?;
        Ok(key)
    }

    /// Journals what central recorded for a key, and says which paper of it is printed: one that
    /// central had answered before and this journal has not may have a paper, since its past was lost.
    pub(super) fn journal_recorded(
        &mut self,
        key: CommandKey,
        fact: Recorded,
    ) -> Result<(Recorded, Issue), Stop> {
        self.journal.write(&Record::Outcome {
            key,
            outcome: Outcome::Recorded { leaf: fact.leaf() },
        })?;
        let issue = Issue::again_if(fact.is_repeated());
        Ok((fact, issue))
    }

    /// Settles a key whose request got no answer.
    pub(super) fn settle_sent(&mut self, key: CommandKey) -> Result<Option<Recorded>, Stop> {
        let item = self
            .journal
            .item(key)
            .cloned()
            .ok_or_else(|| anyhow::anyhow!("a key that the journal does not know"))?;
        self.settle(&item)
    }

    /// Sends a journaled command and settles its key. None when it will never be recorded.
    pub(super) fn command<Q: Serialize, R: DeserializeOwned>(
        &mut self,
        key: CommandKey,
        path: &str,
        request: &Q,
        recorded: impl FnOnce(R) -> Recorded,
    ) -> Result<(Recorded, Issue), Stop> {
        match self.central.post::<Q, R>(path, request) {
            Ok(reply) => self.journal_recorded(key, recorded(reply)),
            Err(CallFault::Lost(error)) => {
                tracing::warn!(%error, "command in doubt");
                let fact = self.settle_sent(key)?;
                Ok((fact.ok_or(Stop::End(Exit::Refused))?, Issue::First))
            }
            Err(fault) => Err(self.close_refused(key, fault)?),
        }
    }

    /// Tells what was recorded and which cash moves by it, and opens the drawer for that.
    pub(super) fn show_fact(&mut self, fact: &Recorded, words: &dyn Say) {
        self.so_far.fact = Some(fact.shown());
        self.told.tell(words);
        self.open_drawer_for(fact.tender());
    }

    /// As [`Self::show_fact`], and prints its paper.
    pub(super) fn finish(
        &mut self,
        key: CommandKey,
        fact: &Recorded,
        issue: Issue,
        words: &dyn Say,
    ) -> Result<Exit, Stop> {
        self.show_fact(fact, words);
        self.print_fact(key, fact, issue)?;
        Ok(Exit::Done)
    }

    /// Cancels a ticket before its first draw closes; the paper stays at the counter. A sale without
    /// paper, which its reference names, two people cancel with the pieces.
    pub fn cancel(
        &mut self,
        code: &str,
        reason: &str,
        second: Option<SecondPerson>,
    ) -> Result<Exit, Stop> {
        let reference = reference(code);
        self.must_follow_money(reference, Decision::Cancel)?;
        self.resolve_all()?;
        let second = self.second_person_if_any(second)?;
        let torn = reference.and_then(|ticket| self.sale_without_paper(ticket));
        let ended = self.cancel_now(code, reason, torn, second)?;
        if let Some(ticket) = reference {
            self.decided(ticket)?;
        }
        Ok(ended)
    }

    /// As [`Agent::cancel`], before what else is open is resolved. The journal notes the sale that it
    /// takes back: its paper is torn, or its money was given back when it was put aside.
    pub(super) fn cancel_now(
        &mut self,
        code: &str,
        reason: &str,
        torn: Option<CommandKey>,
        second: Option<SecondPerson>,
    ) -> Result<Exit, Stop> {
        let noted = serde_json::json!({
            "code": masked(code),
            "reason": reason,
            "torn": torn,
            "second": second.as_ref().map(noted),
        });
        let key = self.journal_sent(CommandKind::Cancellation, noted, 0, 0)?;
        let request = CancelRequest {
            key,
            code: code.to_owned(),
            reason: reason.to_owned(),
            second,
        };
        let (fact, issue) =
            self.command(key, "/cancellations", &request, Recorded::Cancellation)?;
        let is_back = self.journal.item(key).cloned();
        if is_back.is_some_and(|item| self.has_money_back(&item)) {
            // No cash moves any more, and whoever stands at the counter now is another patron.
            self.told.tell(&words::CancelledMoneyGivenBefore);
            self.print_fact(key, &fact, issue)?;
            return Ok(Exit::Done);
        }
        let amount = &Money(fact.owed_cents());
        self.finish(key, &fact, issue, &words::CancelledGiveBack { amount })
    }

    /// Pays what can be paid now of a ticket: presents it, shows the amounts, pays them.
    pub fn pay(
        &mut self,
        code: &str,
        second: SecondPerson,
        is_confirmed: bool,
    ) -> Result<Exit, Stop> {
        self.pay_told(code, second, is_confirmed, None)
    }

    /// As [`Agent::pay`], of the amount that was told before: another is not paid.
    pub fn pay_told(
        &mut self,
        code: &str,
        second: SecondPerson,
        is_confirmed: bool,
        told_cents: Option<i64>,
    ) -> Result<Exit, Stop> {
        self.resolve_all()?;
        self.ensure_session()?;
        self.present_first(code)?;
        let question = CheckRequest {
            code: code.to_owned(),
        };
        let lost = &words::NoAnswerNothingPaid;
        let check: CheckReply = self.command_without_key("/checks", &question, lost)?;
        self.tell_check(&check);
        let Some(total_cents) = self.agreed_on(&check, is_confirmed, told_cents) else {
            return Ok(Exit::Refused);
        };
        let takes_two = check.second_person || second != SecondPerson::default();
        let second = self.second_person_if_any(takes_two.then_some(second))?;
        let noted = serde_json::json!({
            "code": masked(code),
            "items": check.payable,
            "second": second.as_ref().map(noted),
        });
        let key = self.journal_sent(CommandKind::Payment, noted, total_cents, 0)?;
        self.send_payment(&PayRequest {
            key,
            code: code.to_owned(),
            items: check.payable,
            second,
        })
    }

    /// Presenting comes first: it stops the claim clock, whatever happens next (s. 86). A ticket that
    /// cannot be presented is judged by the check that follows.
    fn present_first(&mut self, code: &str) -> Result<(), Stop> {
        let present = PresentRequest {
            code: code.to_owned(),
        };
        // In a session that central ended nothing was presented: the clock would go on.
        let presented = self.in_session(|central| {
            central.post::<_, serde_json::Value>("/presentations", &present)
        })?;
        match presented {
            Ok(_) => Ok(()),
            Err(CallFault::Refused(problem)) => {
                tracing::debug!(name = problem.name(), "presentation");
                Ok(())
            }
            Err(fault) => Err(self.stop_for_sent(fault, &words::NoAnswerNothingPaid)),
        }
    }

    /// What can be paid now, once it is what was told and whoever pays has said so; none when nothing
    /// is paid, and the person knows why.
    fn agreed_on(
        &mut self,
        check: &CheckReply,
        is_confirmed: bool,
        told_cents: Option<i64>,
    ) -> Option<i64> {
        let total_cents = check
            .payable
            .iter()
            .try_fold(0_i64, |sum, item| sum.checked_add(item.amount_cents));
        let total_cents = match total_cents {
            Some(total) if !check.payable.is_empty() => total,
            // What is to be done was said with the verdict.
            _ if check.code_needed => return None,
            _ => {
                self.told.note(&words::NothingToPayNow);
                return None;
            }
        };
        if told_cents.is_some_and(|told_cents| told_cents != total_cents) {
            self.told.note(&words::AmountToPayDiffers);
            return None;
        }
        for item in &check.payable {
            let line = format!(
                "{}  {}",
                draw_number(item.draw),
                Money(item.amount_cents).fr()
            );
            self.told.tell_line(&line);
        }
        if !is_confirmed && self.told.decide(Choice::PayAmounts) != Some(true) {
            self.told.note(&words::NothingWasPaid);
            return None;
        }
        Some(total_cents)
    }

    /// Sends a journaled payment, settles its key, and prints its receipt.
    fn send_payment(&mut self, request: &PayRequest) -> Result<Exit, Stop> {
        let key = request.key;
        let (fact, issue) = self.command(key, "/payments", request, Recorded::Payment)?;
        let amount = &Money(fact.owed_cents());
        self.show_fact(&fact, &words::HandOver { amount });
        if let Recorded::Payment(reply) = &fact {
            if let Some(cents) = reply.report_cents {
                self.told.tell(&words::FederalReportMayBeDue {
                    amount: &Money(cents),
                });
            }
            if reply.draws_left > 0 {
                self.told.tell(&words::GiveTicketBack);
            }
        }
        self.print_fact(key, &fact, issue)?;
        Ok(Exit::Done)
    }
}

/// The last four digits of a code's control number: a journal that is read by others must not
/// be money.
pub(super) fn masked(code: &str) -> String {
    let read = keno_wire::PaperCode::parse(code);
    read.map_or_else(|_| "?".to_owned(), |read| read.control_number().masked())
}

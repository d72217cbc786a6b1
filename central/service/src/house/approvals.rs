//! What waits for a second person who stands at the wall and not at the clerk's screen. A grant is
//! for one command of one session, with the content that was shown, once, and for five minutes.
//! None of it is a fact about money: it is kept in memory, and asked again after a restart.

use std::collections::BTreeMap;

use keno_log::{CommandKey, Hash};
use keno_record::people::is_one_human;
use keno_record::ticket::Ticket;
use parking_lot::Mutex;

use crate::access::{AccessKind, AccessLine, AccessLog};
use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::counter::cancel::cancel_on;
use crate::counter::guesses::LookUpLimits;
use crate::counter::paper::Named;
use crate::house::supervision::payment_facts;
use crate::refusal::Refusal;
use crate::staff::signing::recognise_answering;
use crate::staff::two_people::{must_be_second, staff_of};
use crate::{Stop, bounds};

/// A question waits so long for its answer, and a grant so long for its command.
const LASTS_MS: i64 = 5 * 60 * 1000;
/// What is over is told for so long.
const FORGOTTEN_AFTER_MS: i64 = 60 * 60 * 1000;
/// Questions of one session that wait: the oldest gives way.
const WAITING_MOST: usize = 4;
/// Letters of a reason that are shown.
const REASON_MOST: usize = 400;

/// A question to the supervisors, as it comes. `S` is what they are shown of it beside the rest.
#[derive(Debug, Clone)]
pub struct Question<S> {
    /// What is to be approved.
    pub operation: Operation,
    /// Stable name of the command.
    pub what: &'static str,
    /// Hash of what is asked: a claim code is money, and is not kept.
    pub content: Hash,
    /// What names the ticket that it is about.
    pub named: Option<Named>,
    /// Leaf of the payment that it is about.
    pub payment: Option<u64>,
    /// Cash in cents; of a payment on record, what that came to.
    pub amount_cents: Option<i64>,
    /// The reason that the command carries, and the word of who asks; each may be empty.
    pub reasons: [String; 2],
    /// What is shown beside it.
    pub shown: S,
}

/// A question that was asked.
#[derive(Debug, Clone)]
pub struct Asked<S> {
    /// Session that asks: no other may use the answer.
    session: u64,
    content: Hash,
    /// Badge of who asks.
    pub by: String,
    /// Device at which.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// Stable name of the command.
    pub what: &'static str,
    /// The ticket that it is about.
    pub ticket: Option<Ticket>,
    /// Prize, refund or cash in cents.
    pub amount_cents: Option<i64>,
    /// A payment of a ticket that was refused to a holder: whoever grants it is told so.
    pub is_refused: bool,
    /// Words for whoever answers.
    pub reason: String,
    /// What is shown beside it.
    pub shown: S,
}

/// What a supervisor answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Badge.
    pub by: String,
    /// Why not, when it was refused.
    pub refusal: Option<String>,
    at_ms: i64,
}

/// A question and how it stands.
#[derive(Debug, Clone)]
pub struct Approval<S> {
    /// Its number.
    pub id: u64,
    /// What is asked.
    pub asked: Asked<S>,
    /// How it stands.
    pub standing: Standing,
    /// Milliseconds since it was asked.
    pub age_ms: u64,
    /// Who answered, and what.
    pub answer: Option<Answer>,
}

/// How a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nobody answered.
    Waiting,
    /// Granted, and its command has not come.
    Granted,
    /// Refused.
    Refused,
    /// Its command was recorded, or is being.
    Used,
    /// Over, unanswered or unused.
    Expired,
}

#[derive(Debug)]
struct Kept<S> {
    asked: Asked<S>,
    asked_at_ms: i64,
    answer: Option<Answer>,
    /// The command that it was given to; the key of one that has a key.
    spent: Option<Option<CommandKey>>,
}

impl<S: Clone> Kept<S> {
    fn standing(&self, now_ms: i64) -> Standing {
        match &self.answer {
            _ if self.spent.is_some() => Standing::Used,
            Some(answer) if answer.refusal.is_some() => Standing::Refused,
            None if now_ms - self.asked_at_ms < LASTS_MS => Standing::Waiting,
            Some(answer) if now_ms - answer.at_ms < LASTS_MS => Standing::Granted,
            None | Some(_) => Standing::Expired,
        }
    }

    fn picture(&self, id: u64, now_ms: i64) -> Approval<S> {
        Approval {
            id,
            asked: self.asked.clone(),
            standing: self.standing(now_ms),
            age_ms: u64::try_from(now_ms - self.asked_at_ms).unwrap_or(0),
            answer: self.answer.clone(),
        }
    }

    /// Refuses to answer a question of one's own, one that has its answer, and one that is over.
    fn must_wait(&self, by: &str, now_ms: i64) -> Result<(), Refusal> {
        if self.asked.by == by {
            return Err(Refusal::SamePersonTwice);
        }
        match self.standing(now_ms) {
            Standing::Waiting => Ok(()),
            Standing::Expired => Err(Refusal::ApprovalExpired),
            Standing::Granted | Standing::Refused | Standing::Used => Err(Refusal::ApprovalUsed),
        }
    }
}

#[derive(Debug)]
struct Book<S> {
    last: u64,
    all: BTreeMap<u64, Kept<S>>,
}

/// The questions, by number. Times are of central's monotonic clock.
#[derive(Debug)]
pub struct Approvals<S>(Mutex<Book<S>>);

impl<S> Default for Approvals<S> {
    fn default() -> Self {
        let all = BTreeMap::new();
        Self(Mutex::new(Book { last: 0, all }))
    }
}

/// What supervisors see of a question. Whether the command will be allowed is judged when it comes.
fn asked<S>(central: &Central, caller: &Caller, question: Question<S>) -> Result<Asked<S>, Stop> {
    let (mut ticket, mut amount_cents) = (None, question.amount_cents);
    let mut is_refused = false;
    if let Some(named) = &question.named {
        let row = named.find(central)?.ok_or(Refusal::NumberUnknown)?;
        if question.operation == Operation::Pay {
            // What would be refused is not asked for.
            named.check_claim(&row)?;
            is_refused = row.refused_reason().is_some();
        }
        if question.operation == Operation::Cancel {
            cancel_on(named, &row, true)?;
            amount_cents = Some(row.sale.total_cents);
        }
        ticket = Some(row);
    }
    if let Some(payment) = question.payment {
        let (row, cents) = payment_facts(central, payment)?.ok_or(Refusal::PaymentUnknown)?;
        (ticket, amount_cents) = (Some(row), Some(cents));
    }
    for text in &question.reasons {
        bounds::note("reason", text)?;
    }
    let mut reasons = question.reasons.to_vec();
    reasons.retain(|text| !text.is_empty());
    Ok(Asked {
        session: caller.session,
        content: question.content,
        by: caller.badge.clone(),
        device: caller.device.device,
        name: caller.device.name.clone(),
        what: question.what,
        ticket,
        amount_cents,
        is_refused,
        reason: reasons.join(" · ").chars().take(REASON_MOST).collect(),
        shown: question.shown,
    })
}

/// Refuses that an acting supervisor answers for a ticket that they sold.
fn must_not_grant_own<S>(central: &Central, badge: &str, asked: &Asked<S>) -> Result<(), Refusal> {
    let view = central.view.get();
    let staff = staff_of(central, &view);
    match &asked.ticket {
        Some(ticket) if staff.acts(badge) && is_one_human(staff.people, badge, &ticket.badge) => {
            Err(Refusal::ActingOwnSale)
        }
        _ => Ok(()),
    }
}

impl<S: Clone + PartialEq> Approvals<S> {
    fn of<R>(
        &self,
        id: u64,
        change: impl FnOnce(&mut Kept<S>) -> Result<R, Refusal>,
    ) -> Result<R, Refusal> {
        let mut book = self.0.lock();
        change(book.all.get_mut(&id).ok_or(Refusal::ApprovalUnknown)?)
    }

    /// Asks, for a command that the caller may give. The same question of a session that waits
    /// already is the same question. A number that is a guess is asked for at the caller's budget.
    ///
    /// # Errors
    /// One of the caller's place and role, [`Refusal::NumberUnknown`], [`Refusal::PaymentUnknown`],
    /// [`Refusal::TooManyUnknown`], those of [`bounds::note`]; of a payment without its code,
    /// [`Refusal::ClaimCodeNeeded`] or [`Refusal::CopyReplaced`]; a fault.
    pub async fn ask(
        &self,
        central: &Central,
        limits: &LookUpLimits,
        caller: &Caller,
        question: Question<S>,
    ) -> Result<Approval<S>, Stop> {
        caller.may(question.operation)?;
        let guesses = question.named.as_ref().is_some_and(Named::is_guess);
        let asked = async { asked(central, caller, question) };
        let asked = limits.counted(central, caller, guesses, asked).await?;
        Ok(self.put(asked, central.clock.monotonic_ms()))
    }

    fn put(&self, asked: Asked<S>, now_ms: i64) -> Approval<S> {
        let mut book = self.0.lock();
        book.all
            .retain(|_, kept| now_ms - kept.asked_at_ms < FORGOTTEN_AFTER_MS);
        let is_same = |one: &Asked<S>| {
            (one.content, one.is_refused, &one.reason)
                == (asked.content, asked.is_refused, &asked.reason)
                && one.shown == asked.shown
        };
        let mut waiting = book.all.iter().filter(|(_, one)| {
            one.asked.session == asked.session && one.standing(now_ms) == Standing::Waiting
        });
        if let Some((id, kept)) = waiting.clone().find(|(_, one)| is_same(&one.asked)) {
            return kept.picture(*id, now_ms);
        }
        let (number, oldest) = (waiting.clone().count(), waiting.next().map(|(id, _)| *id));
        if let (Some(oldest), WAITING_MOST..) = (oldest, number) {
            book.all.remove(&oldest);
        }
        book.last += 1;
        let id = book.last;
        let kept = Kept {
            asked,
            asked_at_ms: now_ms,
            answer: None,
            spent: None,
        };
        let picture = kept.picture(id, now_ms);
        book.all.insert(id, kept);
        picture
    }

    /// Those that wait at a moment of the monotonic clock, the oldest first.
    pub fn waiting(&self, now_ms: i64) -> Vec<Approval<S>> {
        let book = self.0.lock();
        let all = book.all.iter();
        all.filter(|(_, one)| one.standing(now_ms) == Standing::Waiting)
            .map(|(id, one)| one.picture(*id, now_ms))
            .collect()
    }

    /// One of them, for the session that asked and for whoever may answer.
    ///
    /// # Errors
    /// [`Refusal::ApprovalUnknown`], also to anybody else.
    pub fn one(&self, central: &Central, caller: &Caller, id: u64) -> Result<Approval<S>, Refusal> {
        let now_ms = central.clock.monotonic_ms();
        let approval = self.of(id, |kept| Ok(kept.picture(id, now_ms)))?;
        if approval.asked.session != caller.session
            && caller.may(Operation::AnswerApproval).is_err()
        {
            return Err(Refusal::ApprovalUnknown);
        }
        Ok(approval)
    }

    /// A supervisor who is signed on at the wall gives the PIN once more, and grants it, or refuses
    /// it with a reason that the clerk reads. The answer is noted in the access log.
    ///
    /// # Errors
    /// [`Refusal::ReasonNeeded`] and those of [`bounds::note`] of a refusal; one of the caller's
    /// place and role; [`Refusal::ApprovalUnknown`], [`Refusal::ActingOwnSale`],
    /// [`Refusal::SamePersonTwice`], [`Refusal::ApprovalExpired`], [`Refusal::ApprovalUsed`], and
    /// as `recognise_answering`.
    pub async fn answer(
        &self,
        central: &Central,
        log: &AccessLog,
        caller: &Caller,
        (id, pin): (u64, &str),
        refusal: Option<&str>,
    ) -> Result<Approval<S>, Stop> {
        caller.may(Operation::AnswerApproval)?;
        let refusal = refusal.map(str::trim);
        if let Some(why) = refusal {
            bounds::reason("reason", why)?;
        }
        let (by, now_ms) = (&caller.badge, || central.clock.monotonic_ms());
        let asked = self.of(id, |kept| {
            if refusal.is_none() {
                must_not_grant_own(central, by, &kept.asked)?;
            }
            kept.must_wait(by, now_ms())?;
            Ok(kept.asked.clone())
        })?;
        recognise_answering(central, caller, &asked.by, pin).await?;
        let approval = self.close(id, by, refusal, now_ms())?;
        log.note(AccessLine {
            at_ms: central.clock.now_ms(),
            kind: match refusal {
                None => AccessKind::ApprovalGranted,
                Some(_) => AccessKind::ApprovalRefused,
            },
            device: Some(caller.device.device),
            badge: by.clone(),
            trace: String::new(),
            purpose: format!("{} {} {}", asked.what, asked.by, asked.name),
        });
        Ok(approval)
    }

    fn close(
        &self,
        id: u64,
        by: &str,
        refusal: Option<&str>,
        at_ms: i64,
    ) -> Result<Approval<S>, Refusal> {
        self.of(id, |kept| {
            kept.must_wait(by, at_ms)?;
            kept.answer = Some(Answer {
                by: by.to_owned(),
                refusal: refusal.map(str::to_owned),
                at_ms,
            });
            Ok(kept.picture(id, at_ms))
        })
    }

    /// Who granted it, for one command of the session that asked: they are judged as if they stood
    /// at the screen. The same command may come again under its key, which is answered once.
    ///
    /// # Errors
    /// [`Refusal::ApprovalUnknown`], also to another session; [`Refusal::ApprovalNotForThis`],
    /// [`Refusal::ApprovalWaiting`], [`Refusal::ApprovalRefused`], [`Refusal::ApprovalExpired`],
    /// [`Refusal::ApprovalUsed`], and as `must_be_second`.
    pub fn spend(
        &self,
        central: &Central,
        (operation, caller): (Operation, &Caller),
        id: u64,
        content: &Hash,
        key: Option<CommandKey>,
    ) -> Result<Recognised, Refusal> {
        let now_ms = central.clock.monotonic_ms();
        let badge = self.take(id, caller.session, content, key, now_ms)?;
        let roles = staff_of(central, &central.view.get()).roles(&badge);
        let second = Recognised {
            badge,
            roles,
            credential: None,
        };
        if let Err(refusal) = must_be_second(central, operation, caller, &second) {
            self.give_back(id);
            return Err(refusal);
        }
        Ok(second)
    }

    fn take(
        &self,
        id: u64,
        session: u64,
        content: &Hash,
        key: Option<CommandKey>,
        now_ms: i64,
    ) -> Result<String, Refusal> {
        self.of(id, |kept| {
            if kept.asked.session != session {
                return Err(Refusal::ApprovalUnknown);
            }
            if kept.asked.content != *content {
                return Err(Refusal::ApprovalNotForThis);
            }
            let is_again = kept
                .spent
                .is_some_and(|spent| spent.is_some() && spent == key);
            match (kept.standing(now_ms), &kept.answer) {
                (Standing::Granted, Some(answer)) => {
                    kept.spent = Some(key);
                    Ok(answer.by.clone())
                }
                (Standing::Used, Some(answer)) if is_again => Ok(answer.by.clone()),
                (Standing::Refused, _) => Err(Refusal::ApprovalRefused),
                (Standing::Expired, _) => Err(Refusal::ApprovalExpired),
                (Standing::Used, _) => Err(Refusal::ApprovalUsed),
                (Standing::Waiting | Standing::Granted, _) => Err(Refusal::ApprovalWaiting),
            }
        })
    }

    /// The command that it was given to recorded nothing: it may come again.
    pub fn give_back(&self, id: u64) {
        // One that is forgotten by now is over.
        let _ = self.of(id, |kept| {
            kept.spent = None;
            Ok(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(session: u64, amount_cents: u8) -> Asked<()> {
        Asked {
            session,
            content: [amount_cents; 32],
            by: "C1".to_owned(),
            device: 1,
            name: "T01".to_owned(),
            what: "till_movement",
            ticket: None,
            amount_cents: Some(i64::from(amount_cents)),
            is_refused: false,
            reason: String::new(),
            shown: (),
        }
    }

    const KEY: CommandKey = CommandKey {
        device: 1,
        session: 1,
        counter: 7,
    };

    #[test]
    fn a_grant_is_for_one_command_and_that_may_come_again() {
        let approvals = Approvals::default();
        let one = asked(1, 50);
        let content = one.content;
        let id = approvals.put(one, 0).id;
        let spend = |key, now_ms| approvals.take(id, 1, &content, Some(key), now_ms);
        assert_eq!(spend(KEY, 1), Err(Refusal::ApprovalWaiting));
        approvals.close(id, "S1", None, 2).unwrap();
        assert_eq!(spend(KEY, 3).as_deref(), Ok("S1"));
        // The answer was lost: the same key is answered once, whatever comes.
        assert_eq!(spend(KEY, 4).as_deref(), Ok("S1"));
        let other = CommandKey { counter: 8, ..KEY };
        assert_eq!(spend(other, 5), Err(Refusal::ApprovalUsed));
        approvals.give_back(id);
        assert_eq!(spend(other, 6).as_deref(), Ok("S1"));
        approvals.give_back(id);
        assert_eq!(spend(other, 2 + LASTS_MS), Err(Refusal::ApprovalExpired));
    }

    #[test]
    fn a_command_without_a_key_has_its_grant_once() {
        let approvals = Approvals::default();
        let one = asked(1, 50);
        let content = one.content;
        let id = approvals.put(one, 0).id;
        approvals.close(id, "S1", None, 1).unwrap();
        assert!(approvals.take(id, 1, &content, None, 2).is_ok());
        let again = approvals.take(id, 1, &content, None, 3);
        assert_eq!(again, Err(Refusal::ApprovalUsed));
    }

    #[test]
    fn a_grant_is_for_its_session_and_its_content() {
        let approvals = Approvals::default();
        let one = asked(1, 50);
        let content = one.content;
        let id = approvals.put(one, 0).id;
        approvals.close(id, "S1", None, 1).unwrap();
        let of = |session, content| approvals.take(id, session, content, None, 2);
        assert_eq!(of(2, &content), Err(Refusal::ApprovalUnknown));
        assert_eq!(of(1, &[51; 32]), Err(Refusal::ApprovalNotForThis));
        assert_eq!(of(1, &content).as_deref(), Ok("S1"));
    }

    #[test]
    fn who_asked_never_answers_and_a_late_answer_is_refused() {
        let approvals = Approvals::default();
        let id = approvals.put(asked(1, 50), 0).id;
        let grant = |id, by, now_ms| approvals.close(id, by, None, now_ms).map(drop);
        assert_eq!(grant(id, "C1", 1), Err(Refusal::SamePersonTwice));
        assert_eq!(grant(9, "S1", 1), Err(Refusal::ApprovalUnknown));
        assert_eq!(grant(id, "S1", LASTS_MS), Err(Refusal::ApprovalExpired));
        assert!(approvals.waiting(LASTS_MS).is_empty());
    }

    #[test]
    fn the_same_question_is_asked_once_and_too_many_push_the_oldest_out() {
        let approvals = Approvals::default();
        let first = approvals.put(asked(1, 50), 0).id;
        assert_eq!(approvals.put(asked(1, 50), 1).id, first);
        let second = approvals.put(asked(2, 50), 1).id;
        assert_ne!(second, first);
        for cents in 51..55 {
            approvals.put(asked(1, cents), 2);
        }
        let waiting = approvals.waiting(3);
        assert_eq!(waiting.len(), WAITING_MOST + 1);
        assert!(waiting.iter().all(|one| one.id != first));
        assert!(waiting.iter().any(|one| one.id == second));
    }
}

//! What waits for a second person who stands at the wall and not at the clerk's screen. A grant is
//! for one command of one session, with the content that was shown, once, and for five minutes.

use std::collections::BTreeMap;

use keno_log::Hash;
use keno_service::counter::ContentHash;
use keno_service::refusal::Refusal;
use keno_wire::amendment::{ApprovalAmendment, RulesChanges};
use keno_wire::request::{CommandKey, TillMovementKind};
use keno_wire::wall::{ApprovalContent, ApprovalTicket, ApprovalView};
use parking_lot::Mutex;

/// A question waits so long for its answer, and a grant so long for its command.
const LASTS_MS: i64 = 5 * 60 * 1000;
/// What is over is told for so long.
const FORGOTTEN_AFTER_MS: i64 = 60 * 60 * 1000;
/// Questions of one session that wait: the oldest gives way.
const WAITING_MOST: usize = 4;

/// A question to the supervisors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Session that asks: no other may use the answer.
    pub session: u64,
    /// Badge of who asks.
    pub by: String,
    /// Device at which.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// Hash of what is asked: a claim code is money, and is not kept.
    pub content: Hash,
    /// Stable name of the command.
    pub what: &'static str,
    /// `fill` or `drop`, of a till movement.
    pub kind: Option<&'static str>,
    /// The ticket that it is about.
    pub ticket: Option<ApprovalTicket>,
    /// The change of the rules that it is about.
    pub amendment: Option<ApprovalAmendment>,
    /// Prize, refund or cash in cents.
    pub amount_cents: Option<i64>,
    /// Stable name of the rule that asks for two people.
    pub rule: &'static str,
    /// Words for whoever answers.
    pub reason: String,
}

/// How a question stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has answered.
    Waiting,
    /// It was granted, and its command has not come.
    Granted,
    /// It was refused.
    Refused,
    /// Its command was recorded, or is being.
    Used,
    /// It took too long.
    Expired,
}

impl Standing {
    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Granted => "granted",
            Self::Refused => "refused",
            Self::Used => "used",
            Self::Expired => "expired",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    None,
    Granted { by: String, at_ms: i64 },
    Refused { by: String, why: String },
}

#[derive(Debug, Clone)]
struct Approval {
    asked: Asked,
    asked_at_ms: i64,
    answer: Answer,
    /// The command that it was given to; the key of one that has a key.
    spent: Option<Option<CommandKey>>,
}

impl Approval {
    fn standing(&self, now_ms: i64) -> Standing {
        match &self.answer {
            _ if self.spent.is_some() => Standing::Used,
            Answer::Refused { .. } => Standing::Refused,
            Answer::None if now_ms - self.asked_at_ms < LASTS_MS => Standing::Waiting,
            Answer::Granted { at_ms, .. } if now_ms - at_ms < LASTS_MS => Standing::Granted,
            Answer::None | Answer::Granted { .. } => Standing::Expired,
        }
    }

    fn view(&self, id: u64, now_ms: i64) -> ApprovalView {
        let (answered_by, refusal) = match &self.answer {
            Answer::None => (None, None),
            Answer::Granted { by, .. } => (Some(by.clone()), None),
            Answer::Refused { by, why } => (Some(by.clone()), Some(why.clone())),
        };
        let asked = &self.asked;
        ApprovalView {
            id,
            what: asked.what.to_owned(),
            kind: asked.kind.map(str::to_owned),
            state: self.standing(now_ms).name().to_owned(),
            by: asked.by.clone(),
            device: asked.device,
            name: asked.name.clone(),
            ticket: asked.ticket.clone(),
            amendment: asked.amendment.clone(),
            amount_cents: asked.amount_cents,
            rule: asked.rule.to_owned(),
            reason: asked.reason.clone(),
            age_ms: u64::try_from(now_ms - self.asked_at_ms).unwrap_or(0),
            answered_by,
            refusal,
        }
    }

    /// Refuses to answer a question that has its answer, or is over.
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

#[derive(Debug, Default)]
struct Book {
    last: u64,
    all: BTreeMap<u64, Approval>,
}

/// The questions, by number. Times are of central's monotonic clock.
#[derive(Debug, Default)]
pub struct Approvals(Mutex<Book>);

impl Approvals {
    fn with<R>(&self, change: impl FnOnce(&mut Book) -> R) -> R {
        change(&mut self.0.lock())
    }

    fn of<R>(
        &self,
        id: u64,
        change: impl FnOnce(&mut Approval) -> Result<R, Refusal>,
    ) -> Result<R, Refusal> {
        self.with(|book| change(book.all.get_mut(&id).ok_or(Refusal::ApprovalUnknown)?))
    }

    /// Asks. The same question of a session that waits already is the same question.
    pub fn ask(&self, asked: Asked, now_ms: i64) -> u64 {
        self.with(|book| {
            book.all
                .retain(|_, approval| now_ms - approval.asked_at_ms < FORGOTTEN_AFTER_MS);
            let waiting: Vec<u64> = book
                .all
                .iter()
                .filter(|(_, one)| {
                    one.asked.session == asked.session && one.standing(now_ms) == Standing::Waiting
                })
                .map(|(id, _)| *id)
                .collect();
            let is_same = |id: &&u64| book.all.get(id).is_some_and(|one| one.asked == asked);
            if let Some(id) = waiting.iter().find(is_same) {
                return *id;
            }
            if let (Some(oldest), WAITING_MOST..) = (waiting.first(), waiting.len()) {
                book.all.remove(oldest);
            }
            book.last += 1;
            let approval = Approval {
                asked,
                asked_at_ms: now_ms,
                answer: Answer::None,
                spent: None,
            };
            book.all.insert(book.last, approval);
            book.last
        })
    }

    /// Those that wait, the oldest first.
    pub fn waiting(&self, now_ms: i64) -> Vec<ApprovalView> {
        self.with(|book| {
            book.all
                .iter()
                .filter(|(_, one)| one.standing(now_ms) == Standing::Waiting)
                .map(|(id, one)| one.view(*id, now_ms))
                .collect()
        })
    }

    /// One of them, and the session that asked.
    ///
    /// # Errors
    /// [`Refusal::ApprovalUnknown`].
    pub fn one(&self, id: u64, now_ms: i64) -> Result<(u64, ApprovalView), Refusal> {
        self.of(id, |one| Ok((one.asked.session, one.view(id, now_ms))))
    }

    /// Judges whether somebody may answer.
    ///
    /// # Errors
    /// [`Refusal::ApprovalUnknown`], [`Refusal::SamePersonTwice`], [`Refusal::ApprovalExpired`],
    /// [`Refusal::ApprovalUsed`].
    pub fn may_answer(&self, id: u64, by: &str, now_ms: i64) -> Result<(), Refusal> {
        self.of(id, |one| one.must_wait(by, now_ms))
    }

    /// Grants.
    ///
    /// # Errors
    /// As [`Self::may_answer`].
    pub fn grant(&self, id: u64, by: &str, now_ms: i64) -> Result<ApprovalView, Refusal> {
        self.of(id, |one| {
            one.must_wait(by, now_ms)?;
            one.answer = Answer::Granted {
                by: by.to_owned(),
                at_ms: now_ms,
            };
            Ok(one.view(id, now_ms))
        })
    }

    /// Refuses.
    ///
    /// # Errors
    /// As [`Self::may_answer`].
    pub fn refuse(
        &self,
        id: u64,
        by: &str,
        why: &str,
        now_ms: i64,
    ) -> Result<ApprovalView, Refusal> {
        self.of(id, |one| {
            one.must_wait(by, now_ms)?;
            one.answer = Answer::Refused {
                by: by.to_owned(),
                why: why.to_owned(),
            };
            Ok(one.view(id, now_ms))
        })
    }

    /// Gives the badge that granted it to one command of the session that asked. The same command
    /// may come again under its key, which is answered once.
    ///
    /// # Errors
    /// [`Refusal::ApprovalUnknown`], also to another session; [`Refusal::ApprovalNotForThis`],
    /// [`Refusal::ApprovalWaiting`], [`Refusal::ApprovalRefused`], [`Refusal::ApprovalExpired`],
    /// [`Refusal::ApprovalUsed`].
    pub fn spend(
        &self,
        id: u64,
        session: u64,
        content: &Hash,
        key: Option<CommandKey>,
        now_ms: i64,
    ) -> Result<String, Refusal> {
        self.of(id, |one| {
            if one.asked.session != session {
                return Err(Refusal::ApprovalUnknown);
            }
            if one.asked.content != *content {
                return Err(Refusal::ApprovalNotForThis);
            }
            let is_again = one
                .spent
                .is_some_and(|spent| spent.is_some() && spent == key);
            match one.standing(now_ms) {
                Standing::Granted => {}
                Standing::Used if is_again => {}
                Standing::Waiting => return Err(Refusal::ApprovalWaiting),
                Standing::Refused => return Err(Refusal::ApprovalRefused),
                Standing::Expired => return Err(Refusal::ApprovalExpired),
                Standing::Used => return Err(Refusal::ApprovalUsed),
            }
            let Answer::Granted { by, .. } = &one.answer else {
                return Err(Refusal::ApprovalWaiting);
            };
            one.spent = Some(key);
            Ok(by.clone())
        })
    }

    /// The command that it was given to recorded nothing: it may come again.
    pub fn give_back(&self, id: u64) {
        // One that is forgotten by now is over.
        let _ = self.of(id, |one| {
            one.spent = None;
            Ok(())
        });
    }
}

/// Stable name of what is asked.
pub const fn name_of(content: &ApprovalContent) -> &'static str {
    match content {
        ApprovalContent::Payment { .. } => "payment",
        ApprovalContent::TillMovement { .. } => "till_movement",
        ApprovalContent::TillCount { .. } => "till_count",
        ApprovalContent::Duplicate { .. } => "duplicate",
        ApprovalContent::Unpaid { .. } => "unpaid",
        ApprovalContent::Release { .. } => "release",
        ApprovalContent::Reversal { .. } => "reversal",
        ApprovalContent::LostRefund { .. } => "lost_refund",
        ApprovalContent::TakeOver { .. } => "take_over",
        ApprovalContent::RulesAmendment { .. } => "rules_amendment",
    }
}

/// Hash of what is asked, every part with its length.
pub fn content_hash(content: &ApprovalContent) -> Hash {
    let hash = ContentHash::of("approval").text(name_of(content));
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    match content {
        ApprovalContent::Payment { code, items } => {
            items.iter().fold(hash.text(code), |hash, item| {
                hash.number(number(item.draw)).number(item.amount_cents)
            })
        }
        ApprovalContent::TillMovement { kind, amount_cents } => {
            hash.text(kind_name(*kind)).number(*amount_cents)
        }
        ApprovalContent::TillCount {
            counted_cents,
            reason,
        } => hash.number(*counted_cents).text(reason),
        ApprovalContent::Duplicate { code, reason } => hash.text(code).text(reason),
        ApprovalContent::Unpaid { code } => hash.text(code),
        ApprovalContent::Release { code, evidence } => hash.text(code).text(evidence),
        ApprovalContent::Reversal { payment, reason } => hash.number(number(*payment)).text(reason),
        ApprovalContent::LostRefund {
            code,
            amount_cents,
            tender,
            reason,
        } => hash
            .text(code)
            .number(*amount_cents)
            .text(tender)
            .text(reason),
        ApprovalContent::TakeOver { device, reason } => {
            hash.number(i64::from(*device)).text(reason)
        }
        ApprovalContent::RulesAmendment {
            base_version,
            changes,
            effective_from,
        } => changes_hash(
            hash.number(i64::from(*base_version))
                .number(number(*effective_from)),
            changes,
        ),
    }
    .finish()
}

/// Adds what is to change; what is left out is not what is zero.
fn changes_hash(hash: ContentHash, changes: &RulesChanges) -> ContentHash {
    let maybe = |hash: ContentHash, value: Option<i64>| match value {
        None => hash.text(""),
        Some(value) => hash.number(value),
    };
    let hash = [
        changes.usual_wager_cents,
        changes.second_key_cents,
        changes.type_total_cents,
        changes.confirm_draws,
        changes.second_person_cents,
        changes.cage_cents,
        changes.draws,
        changes.draws_ahead,
        changes.selections,
        changes.ways,
        changes
            .express
            .as_ref()
            .map(|picks| i64::try_from(picks.len()).unwrap_or(i64::MAX)),
    ]
    .into_iter()
    .fold(hash, maybe);
    let picks = changes.express.iter().flatten();
    let hash = picks.fold(hash, |hash, pick| {
        hash.text(pick.game.as_deref().unwrap_or_default())
            .number(pick.spots)
            .number(pick.wager_cents)
    });
    changes.games.iter().fold(hash, |hash, game| {
        let hash = maybe(hash.text(&game.code), game.wager_max_cents);
        maybe(hash, game.same_numbers_cents)
    })
}

/// Stable name of which way cash goes.
pub const fn kind_name(kind: TillMovementKind) -> &'static str {
    match kind {
        TillMovementKind::Fill => "fill",
        TillMovementKind::Drop => "drop",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(session: u64, amount_cents: i64) -> Asked {
        let content = ApprovalContent::TillMovement {
            kind: TillMovementKind::Fill,
            amount_cents,
        };
        Asked {
            session,
            by: "C1".to_owned(),
            device: 1,
            name: "T01".to_owned(),
            content: content_hash(&content),
            what: name_of(&content),
            kind: Some("fill"),
            ticket: None,
            amendment: None,
            amount_cents: Some(amount_cents),
            rule: "always_by_two",
            reason: String::new(),
        }
    }

    const KEY: CommandKey = CommandKey {
        session: 1,
        counter: 7,
    };

    #[test]
    fn a_grant_is_for_one_command_and_that_may_come_again() {
        let approvals = Approvals::default();
        let one = asked(1, 500);
        let content = one.content;
        let id = approvals.ask(one, 0);
        let spend = |key, now_ms| approvals.spend(id, 1, &content, Some(key), now_ms);
        assert_eq!(spend(KEY, 1), Err(Refusal::ApprovalWaiting));
        approvals.grant(id, "S1", 2).unwrap();
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
        let one = asked(1, 500);
        let content = one.content;
        let id = approvals.ask(one, 0);
        approvals.grant(id, "S1", 1).unwrap();
        assert!(approvals.spend(id, 1, &content, None, 2).is_ok());
        let again = approvals.spend(id, 1, &content, None, 3);
        assert_eq!(again, Err(Refusal::ApprovalUsed));
    }

    #[test]
    fn who_asked_never_answers_and_a_late_answer_is_refused() {
        let approvals = Approvals::default();
        let id = approvals.ask(asked(1, 500), 0);
        assert_eq!(approvals.grant(id, "C1", 1), Err(Refusal::SamePersonTwice));
        assert_eq!(approvals.grant(9, "S1", 1), Err(Refusal::ApprovalUnknown));
        let late = approvals.grant(id, "S1", LASTS_MS);
        assert_eq!(late, Err(Refusal::ApprovalExpired));
        assert!(approvals.waiting(LASTS_MS).is_empty());
    }

    #[test]
    fn the_same_question_is_asked_once_and_too_many_push_the_oldest_out() {
        let approvals = Approvals::default();
        let first = approvals.ask(asked(1, 500), 0);
        assert_eq!(approvals.ask(asked(1, 500), 1), first);
        let second = approvals.ask(asked(2, 500), 1);
        assert_ne!(second, first);
        for cents in 501..505 {
            approvals.ask(asked(1, cents), 2);
        }
        let waiting = approvals.waiting(3);
        assert_eq!(waiting.len(), WAITING_MOST + 1);
        assert!(waiting.iter().all(|one| one.id != first));
        assert!(waiting.iter().any(|one| one.id == second));
    }

    #[test]
    fn contents_that_differ_anywhere_have_other_hashes() {
        let duplicate = |code: &str, reason: &str| {
            content_hash(&ApprovalContent::Duplicate {
                code: code.to_owned(),
                reason: reason.to_owned(),
            })
        };
        assert_eq!(duplicate("1", "23"), duplicate("1", "23"));
        assert_ne!(duplicate("1", "23"), duplicate("12", "3"));
        let unpaid = content_hash(&ApprovalContent::Unpaid {
            code: "1".to_owned(),
        });
        assert_ne!(duplicate("1", ""), unpaid);
    }
}

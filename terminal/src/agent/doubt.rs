//! Keys in doubt: asked about, closed when central does not know them, and only then is money
//! given back.

use std::time::Duration;

use keno_wire::coded::KeyState;
use keno_wire::reply::KeyReply;
use keno_wire::request::{CommandKey, KeyRequest};
use keno_words::{Money, Say, agent as words};

use super::Agent;
use super::recorded::Recorded;
use super::session::is_signed_off;
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::journal::{CommandKind, Item, Outcome, PARKED_MAX, ParkedMoney, Record, Stage};
use crate::told::Choice;

/// How long to wait before each question about a key: about ten seconds in all.
const PAUSES_MS: [u64; 8] = [0, 250, 500, 1000, 2000, 2000, 2000, 2000];

/// What central says of a key.
enum Knowledge {
    Recorded(Box<Recorded>),
    Closed,
    Unknown,
}

fn knowledge(reply: KeyReply) -> Option<Knowledge> {
    let fact = reply
        .sale
        .map(|sale| Recorded::Sale(Box::new(sale)))
        .or(reply.cancellation.map(Recorded::Cancellation))
        .or(reply.payment.map(Recorded::Payment))
        .or(reply.till_movement.map(Recorded::TillMovement))
        .or(reply.lost_refund.map(Recorded::LostRefund));
    match (reply.state.known(), fact) {
        (Some(KeyState::Unknown), None) => Some(Knowledge::Unknown),
        (Some(KeyState::Closed), None) => Some(Knowledge::Closed),
        (_, Some(fact)) => Some(Knowledge::Recorded(Box::new(fact))),
        _ => None,
    }
}

impl Agent<'_> {
    /// Resolves what earlier commands left open, as before every command that moves money.
    pub fn resolve(&mut self) -> Result<Exit, Stop> {
        self.resolve_all()?;
        Ok(Exit::Done)
    }

    /// Resolves what earlier commands left open, oldest first; nothing new may be done before,
    /// but what was put aside waits for central without keeping anyone up.
    ///
    /// # Errors
    /// [`Exit::InDoubt`] while central does not answer, or while the clerk has not said that
    /// money was given back; [`Exit::PrinterTrouble`] while a paper is not known to be whole.
    pub(super) fn resolve_all(&mut self) -> Result<(), Stop> {
        self.must_not_be_handed_out()?;
        let has_heard = self.journal.open_items().is_empty() || self.hear_of_hand_overs()?;
        for item in self.journal.open_items() {
            // One that was resolved on the way to another has nothing left to do.
            let now = self.journal.item(item.key).filter(|item| item.is_open());
            let Some(item) = now.cloned() else {
                continue;
            };
            // What waits for the clerk's own key stands on the page, and is not told again in the
            // middle of another patron's business.
            let waits_for_a_key = self.acknowledges_by_hand
                && (matches!(item.stage(), Stage::ToHandOver | Stage::NoPaper)
                    || (item.is_parked && item.stage() == Stage::ToTell));
            if waits_for_a_key {
                continue;
            }
            let needs_central = !matches!(
                item.stage(),
                Stage::ToTell | Stage::ToHandOver | Stage::NoPaper
            );
            let resolved = if needs_central && !has_heard {
                self.note_first(item.key);
                self.in_doubt()
            } else {
                self.resolve_item(&item)
            };
            match resolved {
                // What waits for two people keeps nobody up.
                Err(Stop::End(Exit::InDoubt | Exit::CentralUnreachable))
                    if item.is_parked || item.stage() == Stage::Referred => {}
                other => other?,
            }
        }
        Ok(())
    }

    /// Takes one command up again.
    pub fn take_up(&mut self, item: &Item) -> Result<(), Stop> {
        self.must_not_be_handed_out()?;
        if !self.hear_of_hand_overs()? {
            return self.in_doubt();
        }
        match self.journal.item(item.key).cloned() {
            Some(item) => self.resolve_item(&item),
            None => Ok(()),
        }
    }

    /// Takes the command of a key up again.
    pub fn resolve_key(&mut self, key: CommandKey) -> Result<Exit, Stop> {
        self.must_not_be_handed_out()?;
        if !self.hear_of_hand_overs()? {
            self.in_doubt()?;
        }
        match self
            .journal
            .item(key)
            .filter(|item| item.is_open())
            .cloned()
        {
            Some(item) => self.resolve_item(&item).map(|()| Exit::Done),
            None => Ok(Exit::Refused),
        }
    }

    fn resolve_item(&mut self, item: &Item) -> Result<(), Stop> {
        let key = item.key;
        if matches!(item.stage(), Stage::NoPaper | Stage::Referred) {
            return self.look_after(item);
        }
        self.note_first(key);
        match item.stage() {
            Stage::Done => return Ok(()),
            Stage::ToTell => return self.tell_not_recorded(item),
            Stage::ToHandOver => {
                self.tell_owed(item, item.owed_cents.unwrap_or(0));
                return self.told(item.key);
            }
            _ => {}
        }
        self.ensure_session()?;
        if item.stage() == Stage::ToReport {
            return self.report_known(item);
        }
        let was_in_doubt = item.outcome.is_none();
        let Some(fact) = self.settle(item)? else {
            return Ok(());
        };
        if let Recorded::Sale(reply) = &fact
            && let Some(reference) = &reply.without_paper
        {
            return self.refer(key, reference);
        }
        if was_in_doubt {
            // What was given back at parking is not given back again.
            let is_back = self.has_money_back(item);
            let cents = if is_back { 0 } else { fact.owed_cents() };
            self.journal.write(&Record::Owed { key, cents })?;
            self.tell_owed(item, cents);
            self.told(key)?;
        }
        self.finish_paper(key, &fact)
    }

    /// True where the player had the money back when the sale was put aside: of that sale, and of
    /// the cancellation that follows from it.
    pub(super) fn has_money_back(&self, item: &Item) -> bool {
        let sale = item.torn.and_then(|sale| self.journal.item(sale));
        item.is_given_back() || sale.is_some_and(Item::is_given_back)
    }

    fn note_first(&mut self, key: CommandKey) {
        let name = self.name_of(key);
        self.told.note(&words::ResolveFirst { name: &name });
    }

    /// What people call a command: on the page, on the paper that is put aside, and here.
    pub(super) fn name_of(&self, key: CommandKey) -> String {
        let taken_over = self.journal.item(key).and_then(|item| item.device);
        let device = taken_over.map_or(self.device, u64::from);
        format!("{device}-{}-{}", key.session, key.counter)
    }

    /// Reports a paper that was whole before a restart. Central is asked about the key first:
    /// after a restore the leaf may be another ticket's.
    fn report_known(&mut self, item: &Item) -> Result<(), Stop> {
        let fact = match self.ask_key(item)? {
            Some(Knowledge::Recorded(fact)) => Some(fact.leaf()),
            Some(Knowledge::Closed | Knowledge::Unknown) => None,
            None => return Err(Stop::End(Exit::InDoubt)),
        };
        match (&item.outcome, fact) {
            (Some(Outcome::Recorded { leaf }), Some(known)) if *leaf == known => {
                self.report_printed(item)
            }
            _ => {
                self.told.note(&words::TicketLostToRestore);
                Ok(self.journal.write(&Record::Reported { key: item.key })?)
            }
        }
    }

    /// Tells what cash moves by a command that was in doubt and is recorded after all.
    fn tell_owed(&mut self, item: &Item, cents: i64) {
        let amount = &Money(cents);
        let words: &dyn Say = match item.kind {
            CommandKind::Sale if item.is_given_back() => &words::SaleRecordedThenCancelled,
            CommandKind::Sale if item.money == Some(ParkedMoney::Kept) => {
                &words::HandOverAgainstWaitingSlip { amount }
            }
            CommandKind::Cancellation if self.has_money_back(item) => {
                &words::CancelledMoneyGivenBefore
            }
            CommandKind::Sale => &words::GiveTicketToPlayer { amount },
            CommandKind::Cancellation => &words::CancelledGiveBack { amount },
            CommandKind::Payment => &words::HandOver { amount },
            CommandKind::TillMovement => &words::MovementRecorded { amount },
            CommandKind::LostRefund => &words::LostTicketRefunded { amount },
        };
        self.told.tell(words);
    }

    /// Puts the command that is in doubt aside, with a paper that says so, so that the queue moves
    /// on. Central is asked about it again by itself. Of a sale it is said now what becomes of the
    /// money, and journaled before the paper: nobody chooses once numbers exist.
    pub fn park(
        &mut self,
        meant: Option<CommandKey>,
        money: Option<ParkedMoney>,
    ) -> Result<Exit, Stop> {
        let asking = |item: &Item| item.stage() == Stage::Asking;
        let found = self.journal.open_items().into_iter().find(asking);
        if let Some(meant) = meant
            && found.as_ref().is_none_or(|item| item.key != meant)
        {
            if self.journal.item(meant).map(Item::stage) == Some(Stage::Parked) {
                self.told.note(&words::AlreadyPutAside);
                return Ok(Exit::Done);
            }
            // A window that was opened before means a command that is no longer in doubt.
            self.told.note(&words::NoLongerInDoubt);
            return Ok(Exit::Refused);
        }
        let Some(item) = found else {
            self.told.note(&words::NothingInDoubt);
            return Ok(Exit::Refused);
        };
        if self.journal.parked() >= PARKED_MAX {
            self.told.note(&words::TooManyPutAside);
            return Ok(Exit::Refused);
        }
        let money = match (item.kind, money) {
            (CommandKind::Sale, None) => match self.ask_money() {
                None => return Ok(Exit::Refused),
                said => said,
            },
            (CommandKind::Sale, said) => said,
            // Only of a sale is there the player's money.
            _ => None,
        };
        let key = item.key;
        self.journal.write(&Record::Parked { key, money })?;
        let name = self.name_of(key);
        if money == Some(ParkedMoney::GivenBack) {
            self.told.tell(&words::PutAsideGiveBack {
                amount: &Money(item.received_cents),
                name: &name,
            });
        } else {
            self.told.tell(&words::PutAsideKeepMoney { name: &name });
        }
        self.print_in_doubt(&Item { money, ..item })?;
        Ok(Exit::Done)
    }

    /// What becomes of the money, asked where it was not said; none when nobody answers.
    fn ask_money(&mut self) -> Option<ParkedMoney> {
        match self.told.decide(Choice::MoneyIsKept) {
            Some(true) => Some(ParkedMoney::Kept),
            Some(false) => Some(ParkedMoney::GivenBack),
            None => {
                self.told.note(&words::MoneyMustBeTold);
                None
            }
        }
    }

    /// The clerk says that the money of a command that came to nothing is where it belongs.
    pub fn acknowledge(&mut self, key: CommandKey) -> Result<Exit, Stop> {
        self.must_not_be_handed_out()?;
        match self.journal.item(key).map(Item::stage) {
            Some(Stage::ToTell | Stage::ToHandOver | Stage::NoPaper) => {
                self.journal.write(&Record::Told { key })?;
                Ok(Exit::Done)
            }
            _ => Ok(Exit::Refused),
        }
    }

    /// Asks central about a key until it is known what became of it, and journals that.
    ///
    /// # Errors
    /// [`Exit::InDoubt`] when central does not answer.
    pub(super) fn settle(&mut self, item: &Item) -> Result<Option<Recorded>, Stop> {
        let key = item.key;
        match self.ask_key(item)? {
            Some(Knowledge::Recorded(fact)) => {
                if item.outcome.is_none() {
                    let leaf = fact.leaf();
                    self.journal.write(&Record::Outcome {
                        key,
                        outcome: Outcome::Recorded { leaf },
                    })?;
                    self.told.note(&words::RecordedByCentral);
                }
                Ok(Some(*fact))
            }
            Some(Knowledge::Closed | Knowledge::Unknown) => {
                self.journal.write(&Record::Outcome {
                    key,
                    outcome: Outcome::Closed,
                })?;
                self.tell_not_recorded(item)?;
                Ok(None)
            }
            None => self.in_doubt().map(|()| None),
        }
    }

    /// Nobody says what became of it.
    fn in_doubt(&mut self) -> Result<(), Stop> {
        self.told.note(&words::InDoubtNoAnswer);
        Err(Stop::End(Exit::InDoubt))
    }

    /// Tells what to do with the money of a command that central will never record. Where the
    /// clerk acknowledges by hand, it stands until that is done.
    fn tell_not_recorded(&mut self, item: &Item) -> Result<(), Stop> {
        match item.kind {
            CommandKind::Sale if item.is_given_back() => {
                self.told.tell(&words::SaleNotRecordedMoneyGiven)
            }
            CommandKind::Sale if item.money == Some(ParkedMoney::Kept) => {
                self.told.tell(&words::SaleNotRecordedAgainstSlip {
                    amount: &Money(item.received_cents),
                })
            }
            CommandKind::Sale => self.told.tell(&words::SaleNotRecorded {
                amount: &Money(item.received_cents),
            }),
            CommandKind::Cancellation => self.told.tell(&words::CancellationNotRecorded),
            CommandKind::Payment => self.told.tell(&words::PaymentNotRecorded),
            CommandKind::TillMovement => self.told.tell(&words::MovementNotRecorded {
                amount: &Money(item.total_cents),
            }),
            CommandKind::LostRefund => self.told.tell(&words::RefundNotRecorded),
        }
        self.told(item.key)?;
        if self.acknowledges_by_hand && !item.is_parked {
            return Err(Stop::End(Exit::InDoubt));
        }
        Ok(())
    }

    /// Journals that the clerk was told, where being told is enough.
    pub(super) fn told(&mut self, key: CommandKey) -> Result<(), Stop> {
        if self.acknowledges_by_hand {
            return Ok(());
        }
        Ok(self.journal.write(&Record::Told { key })?)
    }

    /// What central says of a key: asked, and closed when it is unknown. None when central
    /// does not answer. A key is never given up before central has closed it: a late copy of
    /// the request could still arrive.
    fn ask_key(&mut self, item: &Item) -> Result<Option<Knowledge>, Stop> {
        let request = KeyRequest {
            key: item.key,
            device: item.device,
        };
        let mut has_signed_on = false;
        for pause_ms in PAUSES_MS {
            if !(self.pause)(item, Duration::from_millis(pause_ms)) {
                return Ok(None);
            }
            match self.question(&request) {
                Ok(Some(known)) => return Ok(Some(known)),
                Ok(None) | Err(CallFault::Unreachable(_) | CallFault::Lost(_)) => {}
                Err(CallFault::Refused(problem)) if is_signed_off(&problem) && !has_signed_on => {
                    has_signed_on = true;
                    self.forget_session()?;
                    self.open_session(None)?;
                }
                Err(CallFault::Refused(problem)) => {
                    self.told.note_problem(&problem);
                    if !problem.retry {
                        self.told.note(&words::InDoubtRefused);
                        return Err(Stop::End(Exit::InDoubt));
                    }
                }
            }
        }
        Ok(None)
    }

    fn question(&self, request: &KeyRequest) -> Result<Option<Knowledge>, CallFault> {
        let reply: KeyReply = self.central.post("/keys/question", request)?;
        match knowledge(reply) {
            Some(Knowledge::Unknown) => {
                let reply: KeyReply = self.central.post("/keys/close", request)?;
                // Still unknown after closing is not an answer.
                Ok(knowledge(reply).filter(|known| !matches!(known, Knowledge::Unknown)))
            }
            known => Ok(known),
        }
    }
}

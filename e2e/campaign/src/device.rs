//! A counter as central sees it: it writes each keyed command down before it sends it, never
//! takes silence for an answer, and does nothing new while something is open. `acts` is what happens
//! at it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::door::{Answer, Door};
use crate::founded::{FLOAT_CENTS, SECOND_BADGE, pin_of};
use crate::journal::{
    Attempt, Command, Deed, Ending, Journal, Key, Kind, Outcome, Till, lasting, say_the_same,
};

mod acts;

/// Tickets that a counter may still do something with.
const CARDS_MAX: usize = 400;

/// A ticket in a patron's hand.
#[derive(Debug, Clone)]
pub struct Card {
    /// Leaf of the ticket.
    pub ticket: u64,
    /// The claim code on the newest paper.
    pub code: String,
    /// First draw.
    pub first_draw: u64,
    /// Price, in cents.
    pub total_cents: i64,
    /// `cash`, `coupon` or `chip`.
    pub tender: String,
    /// Change that was given, in cents.
    pub change_cents: i64,
    /// Till of the sale.
    pub shift: u64,
    /// The counter that sold it.
    pub device: u32,
}

/// Tickets that any counter may be asked to pay.
pub type Patrons = Arc<Mutex<Vec<Card>>>;

/// What a campaign plants in a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plant {
    /// Nothing.
    Nothing,
    /// After a lost answer it sends the command again under a new key, and forgets the old one.
    NewKey,
}

/// No answer: what was begun is open, and nothing new may be done before it is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InDoubt;

/// How a doubt is resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// By asking about the key, as the terminal does, and closing it when it is unknown.
    Asked,
    /// By either way: asking, or sending the same command again.
    AskedOrRepeated,
}

/// A counter.
#[derive(Debug)]
pub struct Device {
    /// Its number.
    pub number: u32,
    badge: String,
    /// Its way to central.
    pub door: Door,
    session: u64,
    counter: u64,
    /// The till that is open.
    pub shift: u64,
    /// What it did.
    pub journal: Journal,
    /// Its choices.
    pub chance: Chance,
    /// Tickets that it sold and that nothing final happened to.
    cards: Vec<Card>,
    patrons: Patrons,
    /// Payments that may still be undone: leaf, till, cash.
    payments: Vec<(u64, u64, i64)>,
    doubt: Doubt,
    plant: Plant,
    /// What it saw that must not be.
    pub breaches: Vec<String>,
    /// The next draw, as last heard.
    pub next_draw: u64,
    /// The key that it asked central to close: its command is never sent again.
    closing: Option<Key>,
    /// Deed that was lost and is to be tried again.
    again: Option<(Deed, &'static str, Value)>,
}

/// A refusal that says that central did nothing, and may do it later.
fn is_busy(name: &str) -> bool {
    matches!(name, "record_unavailable" | "queue_full")
}

impl Device {
    /// A counter that is not signed on yet.
    pub fn new(
        number: u32,
        badge: String,
        door: Door,
        chance: Chance,
        patrons: Patrons,
        doubt: Doubt,
        plant: Plant,
    ) -> Self {
        Self {
            number,
            badge,
            door,
            session: 0,
            counter: 0,
            shift: 0,
            journal: Journal::default(),
            chance,
            cards: Vec::new(),
            patrons,
            payments: Vec::new(),
            doubt,
            plant,
            breaches: Vec::new(),
            next_draw: 0,
            closing: None,
            again: None,
        }
    }

    fn second() -> Value {
        json!({"badge": SECOND_BADGE, "pin": pin_of(SECOND_BADGE)})
    }

    fn breach(&mut self, words: String) {
        self.breaches
            .push(format!("device {}: {words}", self.number));
    }

    /// Central is elsewhere now.
    pub fn moved(&mut self, address: SocketAddr) {
        self.door.moved(address);
    }

    /// Signs on; a till is opened when none is.
    ///
    /// # Errors
    /// [`InDoubt`].
    pub fn sign_on(&mut self) -> Result<(), InDoubt> {
        let body = json!({
            "badge": self.badge, "pin": pin_of(&self.badge), "float_cents": FLOAT_CENTS,
        });
        let answer = self.door.post("/sessions", &body);
        let ending = match &answer {
            Answer::Done(_) => Ending::Done(None),
            Answer::Refused(name) => Ending::Refused(name.clone()),
            Answer::Lost => Ending::Lost,
        };
        self.journal.attempts.push(Attempt {
            deed: Deed::SignOn,
            ending,
        });
        let reply = match answer {
            Answer::Done(reply) => reply,
            Answer::Refused(name) => {
                if !is_busy(&name) {
                    self.breach(format!("may not sign on: {name}"));
                }
                return Err(InDoubt);
            }
            Answer::Lost => return Err(InDoubt),
        };
        let token = reply["token"].as_str().unwrap_or("");
        self.session = reply["session"].as_u64().unwrap_or(0);
        self.counter = 0;
        self.door.session = Some(format!("{}.{token}", self.session));
        let shift = reply["shift"].as_u64().unwrap_or(0);
        if shift != self.shift {
            self.shift = shift;
            self.journal.tills.push(Till {
                shift,
                float_cents: FLOAT_CENTS,
                expected_cents: None,
            });
        }
        Ok(())
    }

    /// A key that was never used.
    pub fn new_key(&mut self) -> Key {
        self.counter += 1;
        Key {
            device: self.number,
            session: self.session,
            counter: self.counter,
        }
    }

    /// A keyed command: written down, sent, its answer written down.
    fn command(&mut self, kind: Kind, mut request: Value) -> Result<Option<Value>, InDoubt> {
        let key = self.new_key();
        request["key"] = key.value();
        self.journal.commands.push(Command {
            key,
            kind,
            request,
            shift: self.shift,
            outcome: Outcome::Open,
        });
        let at = self.journal.commands.len() - 1;
        self.send(at)
    }

    /// Sends a written command, for the first time or again.
    fn send(&mut self, at: usize) -> Result<Option<Value>, InDoubt> {
        let Some(command) = self.journal.commands.get(at) else {
            return Ok(None);
        };
        let (kind, request) = (command.kind, command.request.clone());
        match self.door.post(kind.path(), &request) {
            Answer::Done(reply) if kind == Kind::Nothing => {
                self.learn(at, &reply);
                Ok(None)
            }
            Answer::Done(reply) => {
                self.recorded(at, &reply);
                Ok(Some(reply))
            }
            Answer::Refused(name) => match name.as_str() {
                // Nothing was done, and the same command may be sent again.
                busy if is_busy(busy) => Err(InDoubt),
                _ => {
                    self.refused(at, name);
                    Ok(None)
                }
            },
            Answer::Lost if self.plant == Plant::NewKey => {
                let key = self.new_key();
                if let Some(command) = self.journal.commands.get_mut(at) {
                    command.key = key;
                    command.request["key"] = key.value();
                }
                Err(InDoubt)
            }
            Answer::Lost => Err(InDoubt),
        }
    }

    fn refused(&mut self, at: usize, name: String) {
        // What these devices send is right in itself: only what others did, or the time, may be
        // in its way.
        let is_wrong = matches!(
            name.as_str(),
            "total_changed"
                | "malformed_request"
                | "key_other_content"
                | "key_closed"
                | "key_foreign"
                | "device_unknown"
                | "number_unknown"
                | "not_signed_in"
                | "session_ended"
                | "no_open_till"
        );
        if is_wrong {
            let request = self.journal.commands.get(at).map(|it| it.request.clone());
            self.breach(format!("refused as {name}: {request:?}"));
        }
        if let Some(command) = self.journal.commands.get_mut(at) {
            command.outcome = Outcome::Refused(name);
        }
    }

    fn recorded(&mut self, at: usize, reply: &Value) {
        let Some(command) = self.journal.commands.get_mut(at) else {
            return;
        };
        let Some(leaf) = command.kind.leaf_of(reply) else {
            let key = command.key;
            self.breach(format!("the reply to {key:?} names no leaf: {reply}"));
            return;
        };
        command.outcome = Outcome::Recorded {
            leaf,
            reply: lasting(reply),
        };
        let (kind, request, shift) = (command.kind, command.request.clone(), command.shift);
        match kind {
            Kind::Sale => self.keep_card(leaf, reply, shift),
            Kind::Payment => {
                let cash = match reply["tender"].as_str() {
                    Some("cash") => reply["cash_cents"].as_i64().unwrap_or(0),
                    _ => 0,
                };
                self.payments.push((leaf, shift, cash));
            }
            Kind::Cancellation => {
                let code = request["code"].as_str().unwrap_or("").to_owned();
                self.forget_code(&code);
            }
            Kind::TillMovement | Kind::Nothing => {}
        }
    }

    fn keep_card(&mut self, ticket: u64, reply: &Value, shift: u64) {
        let view = &reply["ticket"];
        // Without its code, nothing can be done with it; it is in the journal all the same.
        let Some(code) = view["claim_code"].as_str() else {
            return;
        };
        let card = Card {
            ticket,
            code: code.to_owned(),
            first_draw: view["first"]["draw"].as_u64().unwrap_or(0),
            total_cents: view["total_cents"].as_i64().unwrap_or(0),
            change_cents: view["change_cents"].as_i64().unwrap_or(0),
            tender: view["tender"].as_str().unwrap_or("").to_owned(),
            shift,
            device: self.number,
        };
        if self.cards.len() == CARDS_MAX {
            self.cards.remove(0);
        }
        self.cards.push(card.clone());
        let mut patrons = self.patrons.lock().unwrap_or_else(PoisonError::into_inner);
        if patrons.len() >= 4 * CARDS_MAX {
            patrons.remove(0);
        }
        patrons.push(card);
    }

    fn forget_code(&mut self, code: &str) {
        self.cards.retain(|card| card.code != code);
        self.patrons
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|card| card.code != code);
    }

    /// What central says of a key.
    fn learn(&mut self, at: usize, reply: &Value) -> bool {
        let Some(command) = self.journal.commands.get_mut(at) else {
            return true;
        };
        let (key, kind) = (command.key, command.kind);
        let state = reply["state"].as_str().unwrap_or("");
        if state == "closed" {
            command.outcome = Outcome::Closed;
            return true;
        }
        if state == "unknown" {
            return false;
        }
        let fact = reply[state].clone();
        if state == kind.state() && fact.is_object() {
            self.recorded(at, &fact);
        } else {
            self.breach(format!("{key:?} is said to be {state}: {reply}"));
        }
        true
    }

    /// Resolves what is open, oldest first.
    ///
    /// # Errors
    /// [`InDoubt`] while central does not answer.
    pub fn resolve(&mut self) -> Result<(), InDoubt> {
        let open: Vec<usize> = (0..self.journal.commands.len())
            .rev()
            .take(4)
            .filter(|at| self.outcome(*at) == Some(&Outcome::Open))
            .collect();
        for at in open.into_iter().rev() {
            self.resolve_one(at)?;
        }
        if let Some((deed, path, body)) = self.again.take() {
            self.deed(deed, path, body)?;
        }
        Ok(())
    }

    fn outcome(&self, at: usize) -> Option<&Outcome> {
        self.journal
            .commands
            .get(at)
            .map(|command| &command.outcome)
    }

    fn resolve_one(&mut self, at: usize) -> Result<(), InDoubt> {
        let Some(key) = self.journal.commands.get(at).map(|it| it.key) else {
            return Ok(());
        };
        let may_repeat = match self.doubt {
            Doubt::Asked => self.plant == Plant::NewKey,
            Doubt::AskedOrRepeated => self.plant == Plant::NewKey || self.chance.percent(50),
        };
        if may_repeat && self.closing != Some(key) {
            return self.send(at).map(drop);
        }
        let question = json!({"key": key.value()});
        let told = self.door.post("/keys/question", &question);
        match self.told_of(key, &told)? {
            Some(reply) if self.learn(at, reply) => return Ok(()),
            _ => {}
        }
        self.closing = Some(key);
        let told = self.door.post("/keys/close", &question);
        if let Some(reply) = self.told_of(key, &told)?
            && !self.learn(at, reply)
        {
            self.breach(format!("{key:?} is unknown after it was closed"));
        }
        Ok(())
    }

    /// What central says of a key: it is never in a position to refuse that, unless it is busy.
    fn told_of<'a>(&mut self, key: Key, answer: &'a Answer) -> Result<Option<&'a Value>, InDoubt> {
        match answer {
            Answer::Done(reply) => Ok(Some(reply)),
            Answer::Refused(name) if is_busy(name) => Err(InDoubt),
            Answer::Refused(name) => {
                self.breach(format!("{key:?} cannot be asked about or closed: {name}"));
                Err(InDoubt)
            }
            Answer::Lost => Err(InDoubt),
        }
    }

    /// A deed without a key.
    fn deed(
        &mut self,
        deed: Deed,
        path: &'static str,
        body: Value,
    ) -> Result<Option<Value>, InDoubt> {
        let answer = self.door.post(path, &body);
        let (ending, reply) = match answer {
            Answer::Done(reply) => (Ending::Done(reply["leaf"].as_u64()), Some(reply)),
            Answer::Refused(name) => (Ending::Refused(name), None),
            Answer::Lost => (Ending::Lost, None),
        };
        let is_lost = ending == Ending::Lost;
        self.journal.attempts.push(Attempt { deed, ending });
        if is_lost {
            self.again = Some((deed, path, body));
            return Err(InDoubt);
        }
        Ok(reply)
    }

    /// Counts the till, closes it and opens the next.
    ///
    /// # Errors
    /// [`InDoubt`].
    pub fn change_shift(&mut self) -> Result<(), InDoubt> {
        self.close_shift()?;
        self.sign_on()
    }

    /// Counts the till and closes it; what central expected must be what the journal says.
    ///
    /// # Errors
    /// [`InDoubt`].
    pub fn close_shift(&mut self) -> Result<(), InDoubt> {
        let shift = self.shift;
        let body = json!({"counted_cents": FLOAT_CENTS});
        let reply = self.deed(Deed::CloseShift(shift), "/shifts/close", body)?;
        let Some(till) = self.journal.tills.iter_mut().find(|it| it.shift == shift) else {
            return Ok(());
        };
        if let Some(expected) = reply.and_then(|reply| reply["expected_cents"].as_i64()) {
            till.expected_cents = Some(expected);
            let till = *till;
            let own = self.journal.expected_cents(&till);
            if own != expected {
                self.breach(format!(
                    "till {shift}: central expects {expected}, the journal says {own}"
                ));
            }
        }
        Ok(())
    }

    /// After central came back: a session that ended meanwhile is opened again, a till too.
    ///
    /// # Errors
    /// [`InDoubt`].
    pub fn come_back(&mut self) -> Result<(), InDoubt> {
        self.resolve()?;
        let is_signed_on = self.journal.attempts.last().is_none_or(|last| {
            !matches!(last.deed, Deed::SignOn | Deed::CloseShift(_))
                || (last.deed == Deed::SignOn && matches!(last.ending, Ending::Done(_)))
        });
        if is_signed_on { Ok(()) } else { self.sign_on() }
    }

    /// Asks again for what was acknowledged: from command `since` on all of it, and `older` of
    /// those before. The same key has the same answer, asked about or sent again.
    ///
    /// # Errors
    /// [`InDoubt`] when central does not answer; what is wrong is among the breaches. Else how
    /// many answers were compared.
    pub fn verify(&mut self, since: usize, older: u64) -> Result<u64, InDoubt> {
        let mut places: Vec<usize> = (since..self.journal.commands.len()).collect();
        for _ in 0..older {
            let all = u64::try_from(since).unwrap_or(0);
            places.extend(
                usize::try_from(self.chance.below(all))
                    .ok()
                    .filter(|_| all > 0),
            );
        }
        let mut compared = 0;
        for at in places {
            let Some(command) = self.journal.commands.get(at).cloned() else {
                continue;
            };
            let Outcome::Recorded { reply, .. } = &command.outcome else {
                continue;
            };
            let state = command.kind.state();
            let told = if self.chance.percent(15) {
                match self.door.post(command.kind.path(), &command.request) {
                    Answer::Done(again) if again["repeated"].as_bool() != Some(true) => {
                        self.breach(format!("{:?} was done a second time", command.key));
                        Some(again)
                    }
                    Answer::Done(again) => Some(again),
                    Answer::Refused(name) => {
                        self.breach(format!("{:?} sent again: {name}", command.key));
                        None
                    }
                    Answer::Lost => return Err(InDoubt),
                }
            } else {
                let question = json!({"key": command.key.value()});
                match self.door.post("/keys/question", &question) {
                    Answer::Done(told) => Some(told[state].clone()),
                    Answer::Refused(name) => {
                        self.breach(format!("{:?} asked about: {name}", command.key));
                        None
                    }
                    Answer::Lost => return Err(InDoubt),
                }
            };
            compared += 1;
            if !told.as_ref().is_some_and(|told| say_the_same(told, reply)) {
                let told = told.unwrap_or(Value::Null);
                self.breach(format!(
                    "{:?} was acknowledged with {reply} and is now {told}",
                    command.key
                ));
            }
        }
        Ok(compared)
    }
}

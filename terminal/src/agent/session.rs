//! Signing on and off. The session is kept beside the journal between two commands.

use keno_daemon::private::write_whole;
use keno_wire::Problem;
use keno_wire::counter::CounterReply;
use keno_wire::people::{ChoosePinRequest, ReliefRequest};
use keno_wire::reply::{CheckReply, RecordedReply, SignOnReply};
use keno_wire::request::{CheckRequest, SignOnRequest, UnlockRequest};
use keno_words::{Say, agent as words};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::second::shown;
use super::{Agent, Credentials};
use crate::central::{CallFault, Central, Session};
use crate::exit::{Exit, Stop};
use crate::kept;
use crate::told::Entry;

/// Rows of the journal beyond which old ones are taken out: some days of a busy counter, read in a
/// moment at every start.
const ROWS_MAX: u32 = 60_000;

/// The state of what a command is about answers it when it is given again.
pub(super) const ASK_AGAIN: &dyn Say = &words::NoAnswerRepeatCommand;

/// True when central no longer knows the session: signing on again is all that is needed.
pub(super) fn is_signed_off(problem: &Problem) -> bool {
    matches!(
        problem.name(),
        "session_ended" | "session_elsewhere" | "not_signed_in"
    )
}

/// The refusal of a PIN that somebody else set.
const PIN_MUST_CHANGE: &str = "pin_must_change";

const SESSION_FILE: &str = "session.json";

/// The session that is kept in a folder.
pub fn kept_session(folder: &std::path::Path) -> Option<Session> {
    let text = std::fs::read(folder.join(SESSION_FILE)).ok()?;
    serde_json::from_slice(&text).ok()
}

impl Agent<'_> {
    fn session_path(&self) -> std::path::PathBuf {
        self.folder.join(SESSION_FILE)
    }

    fn keep_session(&mut self, session: &Session) -> Result<(), Stop> {
        write_whole(&self.session_path(), &serde_json::to_vec(session)?)?;
        self.central.set_session(Some(session.clone()));
        Ok(())
    }

    pub(super) fn kept_session(&self) -> Option<Session> {
        kept_session(&self.folder)
    }

    /// Badge of who is signed on, as far as this terminal knows.
    pub fn signed_on(&self) -> Option<String> {
        self.kept_session().map(|session| session.badge)
    }

    /// The session of the last sign-on, or a new one when there is none.
    ///
    /// # Errors
    /// As [`Agent::open_session`].
    pub(super) fn ensure_session(&mut self) -> Result<Session, Stop> {
        if let Some(session) = self.central.session() {
            return Ok(session.clone());
        }
        if let Some(session) = self.kept_session() {
            self.central.set_session(Some(session.clone()));
            return Ok(session);
        }
        self.open_session(None)
    }

    /// A call that moves nothing: made in a new session when central has ended the old one.
    ///
    /// # Errors
    /// A refusal of central, or central out of reach; the person has been told.
    pub(super) fn inquire<Q: Serialize, R: DeserializeOwned>(
        &mut self,
        path: &str,
        request: &Q,
    ) -> Result<R, Stop> {
        let answer = self.in_session(|central| central.post(path, request))?;
        answer.map_err(|fault| self.stop_for(fault))
    }

    /// Asks central in the session of this terminal, and once more in a new one when central has
    /// ended the old one.
    ///
    /// # Errors
    /// No session could be opened; what central answers is no error of this.
    pub(super) fn in_session<R>(
        &mut self,
        ask: impl Fn(&Central) -> Result<R, CallFault>,
    ) -> Result<Result<R, CallFault>, Stop> {
        self.ensure_session()?;
        match ask(&self.central) {
            Err(CallFault::Refused(problem)) if is_signed_off(&problem) => {
                self.forget_session()?;
                if let Err(stop) = self.open_session(None) {
                    // At a page nobody answers in the middle of a command.
                    self.told.note_problem(&problem);
                    return Err(stop);
                }
                Ok(ask(&self.central))
            }
            answer => Ok(answer),
        }
    }

    /// What central says of a ticket.
    ///
    /// # Errors
    /// As [`Agent::inquire`].
    pub(super) fn checked(&mut self, code: &str) -> Result<CheckReply, Stop> {
        let code = code.to_owned();
        self.inquire("/checks", &CheckRequest { code })
    }

    /// A command without a key: made in a new session when central has ended the old one. When it
    /// was sent and nobody answers, the sentences say what to do.
    ///
    /// # Errors
    /// A refusal of central; [`Exit::InDoubt`] when it was sent and nobody answered.
    pub(super) fn command_without_key<Q: Serialize, R: DeserializeOwned>(
        &mut self,
        path: &str,
        request: &Q,
        lost: &dyn Say,
    ) -> Result<R, Stop> {
        let answer = self.in_session(|central| central.post(path, request))?;
        answer.map_err(|fault| self.stop_for_sent(fault, lost))
    }

    /// Why what records something gave no reply: once it was sent, only central knows whether it did.
    pub(super) fn stop_for_sent(&mut self, fault: CallFault, lost: &dyn Say) -> Stop {
        match fault {
            CallFault::Lost(error) => {
                tracing::warn!(%error, "no answer to a command");
                self.told.note(lost);
                Stop::End(Exit::InDoubt)
            }
            fault => self.stop_for(fault),
        }
    }

    /// Signs on, with an opening float when a shift is to be opened.
    pub fn sign_on(&mut self, float_cents: Option<i64>) -> Result<Exit, Stop> {
        self.open_session(float_cents).map(|_| Exit::Done)
    }

    /// As [`Self::sign_on`], with what is given here instead of what this terminal has. A PIN is not
    /// kept for later: a session that ends is opened by its person.
    pub fn sign_on_as(&mut self, who: Credentials, float_cents: Option<i64>) -> Result<Exit, Stop> {
        self.credentials = who;
        let opened = self.open_session(float_cents);
        self.credentials = Credentials::default();
        opened.map(|_| Exit::Done)
    }

    /// As [`Self::sign_on`], in the middle of a command.
    ///
    /// # Errors
    /// A refusal of central, or central out of reach.
    pub(super) fn open_session(&mut self, float_cents: Option<i64>) -> Result<Session, Stop> {
        self.must_not_be_handed_out()?;
        if !self.hear_of_hand_overs()? {
            return Err(self.stop_unreachable());
        }
        let badge = match self.credentials.badge.clone() {
            Some(badge) => badge,
            None => self.typed(Entry::Badge)?,
        };
        let is_typed = self.credentials.pin.is_none();
        let pin = match self.credentials.pin.clone() {
            Some(pin) => pin,
            None => self.typed(Entry::Pin)?,
        };
        self.central.set_session(None);
        // A till that is open already has its float.
        let open = match float_cents {
            Some(_) => self.central.get::<CounterReply>("/api/v1/counter").ok(),
            None => None,
        };
        let open = open.and_then(|counter| counter.shift);
        let mut request = SignOnRequest {
            badge: badge.clone(),
            pin,
            float_cents,
        };
        let mut answer: Result<SignOnReply, _> = self.central.post("/sessions", &request);
        if let Err(CallFault::Refused(problem)) = &answer
            && problem.name() == PIN_MUST_CHANGE
            && is_typed
        {
            self.told.note(&problem.sentence);
            let new_pin = self.typed(Entry::NewPin)?;
            self.change_pin(&ChoosePinRequest {
                badge: badge.clone(),
                pin: request.pin,
                new_pin: new_pin.clone(),
                card: String::new(),
            })?;
            request.pin = new_pin;
            answer = self.central.post("/sessions", &request);
        }
        let reply = answer.map_err(|fault| self.stop_for_sent(fault, ASK_AGAIN))?;
        let session = Session {
            session: reply.session,
            token: reply.token,
            badge,
        };
        self.keep_session(&session)?;
        // The quietest moment of a shift, and one that every shift has.
        match self.journal.cut(ROWS_MAX) {
            Ok(0) => {}
            Ok(taken_out) => tracing::info!(taken_out, "old rows of the journal"),
            // It stands as it was, and the next shift tries again.
            Err(error) => tracing::error!(%error, "the journal cannot be made shorter"),
        }
        self.told.note(&words::SignedOn {
            badge: &session.badge,
            session: &session.session,
        });
        if let Some(shift) = open {
            self.told.note(&words::TillWasOpen { shift: &shift });
        }
        Ok(session)
    }

    /// Whoever has a badge chooses another PIN; their sessions end, here and elsewhere.
    pub fn choose_pin(&mut self, asked: &ChoosePinRequest) -> Result<Exit, Stop> {
        self.change_pin(asked).map(|()| Exit::Done)
    }

    fn change_pin(&mut self, asked: &ChoosePinRequest) -> Result<(), Stop> {
        let answer: Result<RecordedReply, _> = self.central.post("/people/pin", asked);
        answer.map_err(|fault| self.stop_for_sent(fault, &words::NoAnswerPinMayBeChosen))?;
        self.told.note(&words::PinChanged);
        Ok(())
    }

    /// As [`Self::choose_pin`], with what is typed here.
    pub fn choose_pin_typed(&mut self) -> Result<Exit, Stop> {
        let (badge, card) = shown(self.typed(Entry::Badge)?);
        let asked = ChoosePinRequest {
            badge,
            card,
            pin: self.typed(Entry::Pin)?,
            new_pin: self.typed(Entry::NewPin)?,
        };
        self.change_pin(&asked)?;
        Ok(Exit::Done)
    }

    /// The person whose screen is locked comes back to it, and signs on anew where the session has
    /// ended meanwhile.
    pub fn come_back(&mut self, asked: &UnlockRequest) -> Result<Exit, Stop> {
        if self.signed_on().is_some() && self.is_still_on(asked)? {
            return Ok(Exit::Done);
        }
        let who = Credentials {
            badge: Some(asked.badge.clone()),
            pin: Some(asked.pin.clone()),
        };
        self.sign_on_as(who, None)
    }

    /// False when central has ended the session, which is forgotten then.
    fn is_still_on(&mut self, asked: &UnlockRequest) -> Result<bool, Stop> {
        if let Some(session) = self.kept_session() {
            self.central.set_session(Some(session));
        }
        let answer: Result<serde_json::Value, _> = self.central.post("/sessions/unlock", asked);
        match answer {
            Ok(_) => Ok(true),
            Err(CallFault::Refused(problem)) if is_signed_off(&problem) => {
                self.forget_session()?;
                Ok(false)
            }
            Err(fault) => Err(self.stop_for_sent(fault, ASK_AGAIN)),
        }
    }

    /// Two people, one of them a supervisor, end the session of somebody who does not come back, and
    /// one of them goes on here: central has both PINs right, or nothing comes of it.
    pub fn relieve(&mut self, asked: &ReliefRequest) -> Result<Exit, Stop> {
        let (absent, staying) = (&asked.absent, &asked.staying.badge);
        if [absent, staying].contains(&&asked.second.badge) || absent == staying {
            self.told.note(&words::ReliefTakesTwoPeople);
            return Err(Stop::End(Exit::Refused));
        }
        if !self.hear_of_hand_overs()? {
            return Err(self.stop_unreachable());
        }
        let reply: SignOnReply = self
            .central
            .post("/sessions/relief", asked)
            .map_err(|fault| self.stop_for_sent(fault, ASK_AGAIN))?;
        self.keep_session(&Session {
            session: reply.session,
            token: reply.token,
            badge: staying.clone(),
        })?;
        self.told.note(&words::SessionRelieved {
            absent,
            badge: staying,
        });
        Ok(Exit::Done)
    }

    /// Ends the session at central and forgets its token.
    pub fn sign_off(&mut self) -> Result<Exit, Stop> {
        let Some(session) = self.kept_session() else {
            self.told.note(&words::NobodySignedOn);
            return Ok(Exit::Done);
        };
        self.resolve_all()?;
        self.central.set_session(Some(session));
        let answer: Result<serde_json::Value, _> =
            self.central.post("/sessions/end", &serde_json::json!({}));
        match answer {
            Ok(_) => {}
            // It had ended before.
            Err(CallFault::Refused(problem)) if is_signed_off(&problem) => {}
            Err(fault) => return Err(self.stop_for_sent(fault, ASK_AGAIN)),
        }
        self.forget_session()?;
        self.told.note(&words::SessionEnded);
        Ok(Exit::Done)
    }

    /// Forgets the session that central no longer knows.
    pub(super) fn forget_session(&mut self) -> Result<(), Stop> {
        self.central.set_session(None);
        Ok(kept::remove(&self.session_path())?)
    }
}

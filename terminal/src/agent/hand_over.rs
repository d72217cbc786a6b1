//! A terminal that is left in the middle of a shift, and the neighbour that goes on with its till
//! and with what it left open.

use keno_wire::reply::{HandOversReply, TakenView};
use keno_wire::request::{Slip, TakeOverRequest};
use keno_words::{Money, agent as words};

use super::Agent;
use super::done::Fact;
use super::session::ASK_AGAIN;
use crate::bundle::{Bundle, unconfirmed};
use crate::central::CallFault;
use crate::exit::{Exit, Stop};
use crate::journal::{CommandKind, Journal, JournalFault, Record};

/// Takes a command of another device into the journal, once; true when it was not there.
///
/// One that stands here by the record alone, and is still open, is completed: the record does not
/// know that it was in doubt, nor which cash is owed by it.
fn adopt(journal: &mut Journal, records: &[Record]) -> Result<bool, JournalFault> {
    let Some(key) = records.first().and_then(Record::key) else {
        return Ok(false);
    };
    if journal.is_settled(key) {
        return Ok(false);
    }
    match journal.item(key).filter(|item| !item.is_left()).cloned() {
        None => {
            journal.adopt(records)?;
            Ok(true)
        }
        Some(item) => {
            let lacks_cash = item.device.is_some() && item.is_open() && item.owed_cents.is_none();
            if let Some(cents) = owed_by(records).filter(|_| lacks_cash) {
                journal.write(&Record::Owed { key, cents })?;
            }
            Ok(false)
        }
    }
}

/// The cash that is owed by a sale that was in doubt when it was written down: what was said of
/// it, or its change.
fn owed_by(records: &[Record]) -> Option<i64> {
    let said = records.iter().find_map(|record| match record {
        Record::Owed { cents, .. } => Some(*cents),
        _ => None,
    });
    let was_known = records
        .iter()
        .any(|record| matches!(record, Record::Outcome { .. }));
    match records.first() {
        Some(Record::Sent {
            kind: CommandKind::Sale,
            total_cents,
            received_cents,
            ..
        }) if !was_known => said.or_else(|| received_cents.checked_sub(*total_cents)),
        _ => said,
    }
}

impl Agent<'_> {
    /// Writes down what is open here, for the neighbour that goes on; nothing is done here from
    /// now on. The code that says it is what it came to.
    pub fn hand_out(&mut self, draft: Option<Slip>) -> Result<String, Stop> {
        let device = u32::try_from(self.device)?;
        // Asked again, it shows what it showed.
        self.draft = draft.or_else(|| self.draft.take());
        let draft = self.draft.clone();
        if !self.journal.is_handed_out() {
            self.journal.write(&Record::HandedOut)?;
        }
        let bundle = Bundle::new(device, &self.journal.open_items(), draft);
        let code = bundle.code()?;
        self.told.note(&words::HandedOutWithCode);
        self.so_far.fact = Some(Fact::HandedOut { code: code.clone() });
        Ok(code)
    }

    /// This terminal was not taken over after all, and goes on; central says so first.
    pub fn take_back(&mut self) -> Result<Exit, Stop> {
        if !self.journal.is_handed_out() {
            self.told.note(&words::NotHandedOver);
            return Ok(Exit::Refused);
        }
        let known: Result<HandOversReply, _> = self.central.get("/api/v1/hand-overs");
        let known = known.map_err(|fault| self.stop_for(fault))?;
        self.heard(&known)?;
        if self.journal.is_handed_out() {
            self.journal.write(&Record::TakenBack)?;
        }
        self.told.note(&words::TerminalGoesOn);
        Ok(Exit::Done)
    }

    /// What central says of hand-overs, before anything that is open is taken up: another may
    /// have gone on with it. False when central does not say.
    ///
    /// # Errors
    /// [`Exit::Refused`] when this device was handed over, and serves no more.
    pub fn hear_of_hand_overs(&mut self) -> Result<bool, Stop> {
        match self.central.get::<HandOversReply>("/api/v1/hand-overs") {
            Ok(known) => self.heard(&known).map(|()| true),
            // A central that is older than hand-overs has none.
            Err(CallFault::Refused(problem)) if problem.name() == "path_unknown" => Ok(true),
            // What has no till has none to leave.
            Err(CallFault::Refused(problem)) if problem.name() == "wrong_place" => Ok(true),
            Err(fault) => {
                tracing::debug!(%fault, "hand-overs");
                Ok(false)
            }
        }
    }

    fn heard(&mut self, known: &HandOversReply) -> Result<(), Stop> {
        if let Some(left) = &known.left {
            // Another leaf than the one that is known, lower or higher: after a restore leaves
            // are counted anew.
            if self.journal.left() != Some(left.leaf) {
                self.tell_left();
                self.journal.write(&Record::Left {
                    leaf: left.leaf,
                    to: left.to,
                })?;
                self.forget_session()?;
            }
            if left.is_locked {
                self.told.note(&words::HandedOverTo {
                    to_name: &left.to_name,
                });
                return Err(Stop::End(Exit::Refused));
            }
        }
        for taken in &known.taken {
            self.adopt_unconfirmed(taken)?;
        }
        Ok(())
    }

    /// Tells what was open when this device was left: the neighbour may know some of it by the
    /// record alone, and an envelope by nothing.
    fn tell_left(&mut self) {
        for item in self.journal.open_items() {
            let name = self.name_of(item.key);
            self.told.tell(&words::LeftOpenHere {
                amount: &Money(item.total_cents),
                name: &name,
            });
        }
    }

    /// Refuses while what is open here stands written down for a neighbour.
    pub(super) fn must_not_be_handed_out(&mut self) -> Result<(), Stop> {
        if !self.journal.is_handed_out() {
            return Ok(());
        }
        self.told.note(&words::HandedOut);
        Err(Stop::End(Exit::Refused))
    }

    fn adopt_unconfirmed(&mut self, taken: &TakenView) -> Result<usize, Stop> {
        let mut adopted = 0;
        for one in &taken.unconfirmed {
            let records = unconfirmed(taken.device, one);
            adopted += usize::from(adopt(&mut self.journal, &records)?);
        }
        Ok(adopted)
    }

    /// Two people go on here with what another terminal left open: its till moves here, it is
    /// locked, and what it had in doubt is resolved here, first of all.
    pub fn take_over(
        &mut self,
        mut request: TakeOverRequest,
        code: Option<&str>,
    ) -> Result<Exit, Stop> {
        let bundle = match code.map(Bundle::read).transpose() {
            Ok(bundle) => bundle,
            Err(fault) => {
                tracing::debug!(%fault, "a code");
                self.told.note(&words::HandOverCodeUnreadable);
                return Ok(Exit::Refused);
            }
        };
        let is_of_other = |bundle: &Bundle| bundle.device != request.device;
        if bundle.as_ref().is_some_and(is_of_other) {
            self.told.note(&words::HandOverCodeOfOther);
            return Ok(Exit::Refused);
        }
        self.must_not_be_handed_out()?;
        self.ensure_session()?;
        request.second = self.second_person(request.second)?;
        let taken: TakenView = self.command_without_key("/hand-overs", &request, ASK_AGAIN)?;
        let mut adopted = 0;
        for records in bundle.iter().flat_map(Bundle::adopted) {
            adopted += usize::from(adopt(&mut self.journal, &records)?);
        }
        adopted += self.adopt_unconfirmed(&taken)?;
        // What the one that was left had itself taken over.
        let before = self.journal.open_items().len();
        self.hear_of_hand_overs()?;
        adopted += self.journal.open_items().len().saturating_sub(before);
        self.draft = bundle.and_then(|bundle| bundle.draft);
        let name = &taken.name;
        match taken.shift {
            Some(shift) => self.told.tell(&words::TakenOverWithTill {
                name: &name,
                shift: &shift,
            }),
            None => self.told.tell(&words::TakenOverWithoutTill { name: &name }),
        }
        self.told
            .tell(&words::CommandsToResolve { adopted: &adopted });
        self.resolve_all()?;
        Ok(Exit::Done)
    }
}

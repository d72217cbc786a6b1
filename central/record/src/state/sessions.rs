//! Sessions with the keys of their commands, and tills.

use keno_log::event::{Names, SessionEnded, SessionOpened, ShiftClosed, ShiftOpened};
use keno_log::hash::sha256;
use keno_log::{EventKind, LeafHeader};

use super::keys::page_bytes;
use super::{KeyKind, Keys, Session, Shift, State, Undo};

impl State {
    pub(super) fn open_session(
        &mut self,
        header: &LeafHeader,
        body: &SessionOpened,
        undo: &mut Vec<Undo>,
    ) {
        undo.push(Undo::Session(body.session, None, self.next_session));
        self.next_session = body.session.saturating_add(1);
        let session = Session {
            device: body.device,
            badge: body.badge.clone(),
            token_hash: body.token_hash,
            opened_at_ms: header.at_ms,
        };
        self.sessions.insert(body.session, session);
    }

    pub(super) fn end_session(&mut self, body: &SessionEnded, undo: &mut Vec<Undo>) {
        let before = self.sessions.remove(&body.session);
        undo.push(Undo::Session(body.session, before, self.next_session));
        let ended = self.keys.take_session(body.session);
        self.end_keys(ended, undo);
    }

    /// Lets go of the keys of sessions that have ended: the hash of each page stays, so that a key
    /// that was taken away or written in is seen.
    pub(super) fn end_keys(&mut self, ended: Keys, undo: &mut Vec<Undo>) {
        for (number, page) in ended.pages() {
            self.ended_pages.insert(*number, sha256(&page_bytes(page)));
        }
        self.ended_keys = ended.clone();
        undo.push(Undo::Keys(ended));
    }

    /// The answer to the key that a fact names. Of a session that is over no key is kept.
    pub(super) fn answer_key(
        &mut self,
        fact: EventKind,
        leaf: u64,
        names: &Names<'_>,
        undo: &mut Vec<Undo>,
    ) {
        if let Some(key) = names.key
            && KeyKind::answered_by(fact).is_some()
            && self.sessions.contains_key(&key.session)
        {
            self.keys.insert(key, leaf);
            undo.push(Undo::Key(key));
        }
    }

    pub(super) fn open_shift(&mut self, leaf: u64, body: &ShiftOpened, undo: &mut Vec<Undo>) {
        undo.push(Undo::Shift(body.shift, None, self.next_shift));
        self.next_shift = body.shift.saturating_add(1);
        let shift = Shift {
            device: body.device,
            badge: body.badge.clone(),
            expected_cents: body.float_cents,
            opened_leaf: leaf,
        };
        self.shifts.insert(body.shift, shift);
    }

    pub(super) fn close_shift(&mut self, body: &ShiftClosed, undo: &mut Vec<Undo>) {
        let before = self.shifts.remove(&body.shift);
        undo.push(Undo::Shift(body.shift, before, self.next_shift));
    }

    pub(super) fn move_till(&mut self, shift: u64, cents: i64, undo: &mut Vec<Undo>) {
        if let Some(till) = self.shifts.get_mut(&shift) {
            till.expected_cents = till.expected_cents.saturating_add(cents);
            undo.push(Undo::TillCash(shift, cents));
        }
    }
}

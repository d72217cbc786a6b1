//! What readers see: a picture of the state after the last commit, swapped whole.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use keno_game::{DrawSource, DrawState};
use keno_log::{EventKind, Hash};
use parking_lot::RwLock;

use crate::numbers::Epochs;
use crate::state::{
    Acting, Device, Draw, DrawRoom, Epoch, Following, Frequency, HandedOver, HolderState, House,
    Person, PublishedRules, ReadLine, SealState, Session, Settlement, Shift, Silence, State,
    chooses, next_position,
};

/// A draw as readers may hold it. Its numbers are hidden until their moments: only
/// [`DrawInfo::shown`] gives any out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawInfo {
    inner: Draw,
}

impl DrawInfo {
    /// A draw as the state holds it.
    pub fn new(draw: Draw) -> Self {
        Self { inner: draw }
    }

    /// Draw number.
    pub fn number(&self) -> u64 {
        self.inner.number
    }

    /// State.
    pub fn state(&self) -> DrawState {
        self.inner.state
    }

    /// When sales close.
    pub fn closes_at_ms(&self) -> i64 {
        self.inner.closes_at_ms
    }

    /// When the first number is shown.
    pub fn draws_at_ms(&self) -> i64 {
        self.inner.draws_at_ms
    }

    /// 1 computer, 2 balls.
    pub fn source(&self) -> u8 {
        self.inner.source
    }

    /// Pool size and numbers drawn.
    pub fn pool(&self) -> (u8, u8) {
        (self.inner.pool_size, self.inner.drawn)
    }

    /// Maximum payable in prizes.
    pub fn cap_cents(&self) -> i64 {
        self.inner.cap_cents
    }

    /// Holders with commitments, and secrets once revealed.
    pub fn holders(&self) -> &[HolderState] {
        &self.inner.holders
    }

    /// Seal and the tickets under it, once closed.
    pub fn seal(&self) -> Option<(SealState, u64)> {
        self.inner.seal.map(|seal| (seal, self.inner.tickets))
    }

    /// Who certified.
    pub fn certifiers(&self) -> &[String] {
        &self.inner.certifiers
    }

    /// Totals, once settled.
    pub fn settlement(&self) -> Option<&Settlement> {
        self.inner.settlement.as_ref()
    }

    /// The draw itself, once it is settled: nothing of it is withheld any more.
    pub fn settled(&self) -> Option<&Draw> {
        (self.inner.state == DrawState::Settled).then_some(&self.inner)
    }

    /// Hash of the rule book in the derivation, once started.
    pub fn rule_book_hash(&self) -> Option<Hash> {
        self.inner.rule_book_hash
    }

    /// Leaves about the draw that may be shown at `now_ms`: kind, index, time.
    pub fn leaves(&self) -> &[(EventKind, u64, i64)] {
        &self.inner.leaves
    }

    /// When the first number is shown, once the numbers are recorded: late numbers are shown
    /// late, never all at once.
    pub fn reveal_starts_ms(&self) -> Option<i64> {
        self.inner
            .balls
            .as_ref()
            .map(|recorded| recorded.recorded_at_ms.max(self.inner.draws_at_ms))
    }

    /// When the last number has been shown for one interval. Of balls the last was shown before it
    /// was recorded.
    pub fn reveal_ends_ms(&self, interval_ms: i64) -> Option<i64> {
        let shown = match self.is_of_balls() {
            true => 0,
            false => i64::from(self.inner.drawn),
        };
        self.reveal_starts_ms()
            .map(|start| start + interval_ms * shown)
    }

    /// Whether balls are drawn, and not numbers computed.
    pub fn is_of_balls(&self) -> bool {
        self.inner.source == DrawSource::Balls.number()
    }

    /// The set of balls with which it was started, where it is known.
    pub fn ball_set(&self) -> Option<&str> {
        self.inner.ball_set.as_deref()
    }

    /// Whether somebody has entered a ball: from then on nobody chooses what becomes of the draw.
    pub fn has_balls(&self) -> bool {
        self.inner.hands.has_begun()
    }

    /// Whether the machine may read its balls: nobody has entered one, and its line has not stopped.
    pub fn may_be_read(&self) -> bool {
        self.inner.hands.may_read()
    }

    /// The balls that count, in order.
    pub fn counted(&self) -> &[u8] {
        &self.inner.hands.counted
    }

    /// The set that the machine named with the balls that it read.
    pub fn set_read(&self) -> Option<&str> {
        let line = &self.inner.hands.line;
        line.has_read().then_some(line.ball_set.as_str())
    }

    /// What the machine said on its line, where it reads its balls.
    pub fn line(&self) -> &ReadLine {
        &self.inner.hands.line
    }

    /// Who enters the balls, in the order in which they began.
    pub fn enterers(&self) -> impl Iterator<Item = &str> {
        self.inner.hands.people.iter().map(|one| one.badge.as_str())
    }

    /// What somebody entered of the balls; 0 where it is asked for once more. It is theirs alone.
    pub fn entered_by(&self, badge: &str) -> &[u8] {
        self.inner.hands.entries_of(badge)
    }

    /// The ball that somebody enters next: one that is asked again, else the one after the last;
    /// none once they have entered all.
    pub fn next_ball(&self, badge: &str) -> Option<u8> {
        let next = next_position(self.entered_by(badge));
        (next <= self.inner.drawn).then_some(next)
    }

    /// Whether every ball counts, or the numbers are recorded.
    pub fn is_drawn(&self) -> bool {
        let counted = self.inner.hands.counted.len();
        self.inner.balls.is_some() || counted == usize::from(self.inner.drawn)
    }

    /// Whether nobody interrupts it any more: every ball counts, by what people said.
    pub fn is_final(&self) -> bool {
        self.inner.balls.is_some() || self.inner.hands.is_final(self.inner.drawn)
    }

    /// Whether every ball was entered by both, alike.
    pub fn is_entered(&self) -> bool {
        self.inner.hands.is_complete(self.inner.drawn)
    }

    /// The numbers that may be seen at `now_ms`, in order. Balls are seen as they count: the hall
    /// has watched them fall.
    pub fn shown(&self, now_ms: i64, interval_ms: i64) -> &[u8] {
        if self.is_of_balls() && self.inner.state != DrawState::Void {
            let recorded = self.inner.balls.as_ref();
            return recorded.map_or(&self.inner.hands.counted, |recorded| &recorded.balls);
        }
        let Some(recorded) = &self.inner.balls else {
            return &[];
        };
        if matches!(self.inner.state, DrawState::Official | DrawState::Settled) {
            return &recorded.balls;
        }
        let Some(start) = self.reveal_starts_ms() else {
            return &[];
        };
        // A void draw shows what had been shown, which nobody can take back, and no more; its
        // numbers are evidence in the record.
        if now_ms < start || self.inner.state == DrawState::Void {
            return &[];
        }
        let count =
            usize::try_from((now_ms - start) / interval_ms.max(1) + 1).unwrap_or(usize::MAX);
        recorded.balls.get(..count).unwrap_or(&recorded.balls)
    }

    /// True when no wager for the draw can be withdrawn or added any more.
    pub fn is_sealed(&self) -> bool {
        self.inner.seal.is_some()
    }
}

/// What readers see.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// Counts the pictures.
    pub seq: u64,
    /// The house.
    pub house: Option<House>,
    /// Leaves in the log.
    pub log_size: u64,
    /// Rules by version.
    pub rule_books: BTreeMap<u32, Arc<PublishedRules>>,
    /// Draws: all that are not finished, and the last that are.
    pub draws: BTreeMap<u64, Arc<DrawInfo>>,
    /// People by badge.
    pub people: HashMap<String, Person>,
    /// Who may be made an acting supervisor, by badge.
    pub acting: BTreeMap<String, Acting>,
    /// Devices by number.
    pub devices: HashMap<u32, Device>,
    /// Devices that were left, by number: the last time that each was.
    pub handed_over: BTreeMap<u32, HandedOver>,
    /// Open sessions.
    pub sessions: BTreeMap<u64, Session>,
    /// Open tills.
    pub shifts: BTreeMap<u64, Shift>,
    /// Sales stopped for the whole house, since this leaf.
    pub sales_suspended: Option<u64>,
    /// Schedule halted, since this leaf.
    pub schedule_halted: Option<u64>,
    /// Sets of balls, and the draw room.
    pub room: Arc<DrawRoom>,
    /// Who follows the log, and which draws wait for that.
    pub following: Arc<Following>,
    /// How often each number came up in official draws, by kind of draw.
    pub frequencies: Vec<Frequency>,
    /// The epoch that the log is in.
    pub epoch: Epoch,
    /// Where the later epochs begin.
    pub epochs: Epochs,
    /// Tickets that a restore lost and that were refunded, by epoch and leaf: the leaf that says so.
    pub lost_refunds: BTreeMap<(u32, u64), u64>,
    /// Silences of the house, by their leaves.
    pub silences: Arc<Vec<Silence>>,
}

impl View {
    /// The rules that were published last, whichever draw they begin with.
    pub fn newest_rules(&self) -> Option<&Arc<PublishedRules>> {
        self.rule_books.values().next_back()
    }

    /// A picture of the state.
    pub fn of(state: &State, seq: u64) -> Self {
        Self {
            seq,
            house: state.house.clone(),
            log_size: state.edge.size(),
            rule_books: state.rule_books.clone(),
            draws: state
                .draws
                .iter()
                .map(|(number, draw)| (*number, Arc::new(DrawInfo::new(draw.clone()))))
                .collect(),
            people: state.people.clone(),
            acting: state.acting.clone(),
            devices: state.devices.clone(),
            handed_over: state.handed_over.clone(),
            sessions: state.sessions.clone(),
            shifts: state.shifts.clone(),
            sales_suspended: state.sales_suspended,
            schedule_halted: state.schedule_halted,
            room: Arc::clone(&state.room),
            following: Arc::clone(&state.following),
            frequencies: state.frequencies.clone(),
            epoch: state.epoch,
            epochs: state.epochs.clone(),
            lost_refunds: state.lost_refunds.clone(),
            silences: Arc::clone(&state.silences),
        }
    }

    /// The draw whose secrets would choose a set of balls now.
    pub fn choosing_draw(&self) -> Option<&Arc<DrawInfo>> {
        self.draws.values().find(|draw| chooses(&draw.inner))
    }

    /// The first draw of balls whose hour has come, `lead_ms` before its first number, while the draw
    /// room is not ready for it.
    pub fn waits_for_room(&self, now_ms: i64, lead_ms: i64) -> Option<&Arc<DrawInfo>> {
        let waits = |draw: &&Arc<DrawInfo>| {
            draw.is_of_balls()
                && draw.state() == DrawState::Closed
                && now_ms >= draw.draws_at_ms() - lead_ms
                && !self.room.is_ready(draw.pool().0, now_ms)
        };
        self.draws.values().find(waits)
    }

    /// True while sales stand since a restore: nobody has looked yet at who is recorded.
    pub fn waits_after_restore(&self) -> bool {
        self.epoch.leaf.is_some() && self.sales_suspended == self.epoch.leaf
    }

    /// The lowest draw that is open for sale.
    pub fn next_open(&self) -> Option<&Arc<DrawInfo>> {
        self.draws
            .values()
            .find(|draw| draw.state() == DrawState::Open)
    }

    /// The last draw whose result is official.
    pub fn last_official(&self) -> Option<&Arc<DrawInfo>> {
        let is_official = |draw: &&Arc<DrawInfo>| {
            matches!(draw.state(), DrawState::Official | DrawState::Settled)
        };
        self.draws.values().rev().find(is_official)
    }

    /// The rules that govern a new ticket whose first draw is `draw`.
    pub fn rules_for(&self, draw: u64) -> Option<&Arc<PublishedRules>> {
        self.rule_books
            .values()
            .rev()
            .find(|rules| rules.effective_from <= draw)
    }

    /// The open till at a device.
    pub fn shift_at(&self, device: u32) -> Option<(u64, &Shift)> {
        self.shifts
            .iter()
            .find(|(_, shift)| shift.device == device)
            .map(|(number, shift)| (*number, shift))
    }
}

/// The cell that holds the newest picture.
#[derive(Debug, Default)]
pub struct ViewCell(RwLock<Arc<View>>);

impl ViewCell {
    /// The newest picture.
    pub fn get(&self) -> Arc<View> {
        Arc::clone(&self.0.read())
    }

    /// Swaps in a newer picture.
    pub fn set(&self, view: View) {
        *self.0.write() = Arc::new(view);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Hands, RecordedBalls};

    fn draw(state: DrawState) -> DrawInfo {
        DrawInfo::new(Draw {
            number: 7,
            state,
            closes_at_ms: 90_000,
            draws_at_ms: 100_000,
            source: DrawSource::Computer.number(),
            pool_size: 80,
            drawn: 20,
            cap_cents: 5_000_000,
            full_below_cents: 100_000,
            holders: Vec::new(),
            tickets: 0,
            selections: 0,
            wagered_cents: 0,
            unpaid_after_seal: (0, 0),
            seal: None,
            rule_book_hash: None,
            hands: Hands::default(),
            ball_set: None,
            balls: Some(RecordedBalls {
                balls: (1..=20).collect(),
                secrets_hash: [0; 32],
                recorded_at_ms: 99_000,
            }),
            certifiers: Vec::new(),
            settlement: None,
            leaves: Vec::new(),
        })
    }

    #[test]
    fn no_number_shows_before_its_moment() {
        let draw = draw(DrawState::Drawn);
        assert_eq!(draw.shown(99_999, 2_000), &[] as &[u8]);
        assert_eq!(draw.shown(100_000, 2_000), &[1]);
        assert_eq!(draw.shown(101_999, 2_000), &[1]);
        assert_eq!(draw.shown(102_000, 2_000), &[1, 2]);
        assert_eq!(draw.shown(138_000, 2_000).len(), 20);
        assert_eq!(draw.shown(i64::MAX, 2_000).len(), 20);
        assert_eq!(draw.reveal_ends_ms(2_000), Some(140_000));
    }

    #[test]
    fn a_void_draw_shows_nothing_more() {
        assert!(draw(DrawState::Void).shown(200_000, 2_000).is_empty());
    }
}

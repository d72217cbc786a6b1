//! What facts change of the draw room and its sets of balls.

use std::sync::Arc;

use keno_game::{DrawSource, DrawState};
use keno_log::{Event, Hash, LeafHeader};

use super::room::{DrawRoom, chosen_set};
use super::{Draw, State, Undo};

impl State {
    fn change_room(&mut self, undo: &mut Vec<Undo>, change: impl FnOnce(&mut DrawRoom)) {
        undo.push(Undo::Room(Arc::clone(&self.room)));
        change(Arc::make_mut(&mut self.room));
    }

    /// What a fact of the draw room changes there.
    pub(super) fn take_room(&mut self, header: &LeafHeader, event: &Event, undo: &mut Vec<Undo>) {
        self.change_room(undo, |room| match event {
            Event::BallSetMeasured(body) => room.measure(body, header.at_ms),
            Event::BallSetsOffered(body) => room.offer(body),
            Event::DrawRoomOpened(body) => room.open(body, header.at_ms),
            Event::DrawRoomEnded(body) => room.end(body),
            _ => {}
        });
    }

    /// A draw begins: with balls, it is a start of the set in the room.
    pub(super) fn set_starts(&mut self, number: u64, undo: &mut Vec<Undo>) {
        let Some(open) = &self.room.open else { return };
        let set = open.set.clone();
        let Some(draw) = self.draws.get_mut(&number) else {
            return;
        };
        if draw.source != DrawSource::Balls.number() {
            return;
        }
        draw.ball_set = Some(set.clone());
        self.change_room(undo, |room| {
            if let Some(set) = room.sets.get_mut(&set) {
                set.starts = set.starts.saturating_add(1);
            }
        });
    }

    /// The secrets of a draw are known: they choose where a choice waits for them.
    pub(super) fn choose_set(&mut self, number: u64, secrets: &[Hash], undo: &mut Vec<Undo>) {
        let Some(choice) = self.room.choice.as_ref().filter(|it| it.draw == number) else {
            return;
        };
        let house = self.house.as_ref().map_or("", |house| house.code.as_str());
        let chosen = chosen_set(house, number, secrets, &choice.sets);
        self.change_room(undo, |room| {
            if let Some(choice) = &mut room.choice {
                choice.chosen = chosen;
            }
        });
    }

    /// The lowest draw whose secrets may choose a set.
    pub fn choosing_draw(&self) -> Option<u64> {
        let mut draws = self.draws.values();
        draws.find(|draw| chooses(draw)).map(|draw| draw.number)
    }
}

/// Whether the secrets of a draw may choose a set: the computer's, on sale, and committed to. Nobody knows
/// them yet.
pub(crate) fn chooses(draw: &Draw) -> bool {
    draw.state == DrawState::Open
        && draw.source == DrawSource::Computer.number()
        && !draw.holders.is_empty()
        && draw.holders.iter().all(|it| it.commitment.is_some())
}

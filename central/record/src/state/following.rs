//! What facts change of who follows the log, and of what waits for that.

use std::sync::Arc;

use keno_log::{Event, LeafHeader};

use super::{Following, State, Undo, WaitingDraw};

impl State {
    fn change_following(&mut self, undo: &mut Vec<Undo>, change: impl FnOnce(&mut Following)) {
        undo.push(Undo::Following(Arc::clone(&self.following)));
        change(Arc::make_mut(&mut self.following));
    }

    /// What a fact of the follower changes.
    pub(super) fn take_following(
        &mut self,
        header: &LeafHeader,
        event: &Event,
        undo: &mut Vec<Undo>,
    ) {
        let house = self
            .house
            .as_ref()
            .map_or("", |house| &house.code)
            .to_owned();
        self.change_following(undo, |following| {
            following.change(&house, header.at_ms, event);
        });
    }

    /// A draw was settled, or is void: it waits, where somebody follows or its rules ask for it.
    pub(super) fn draw_waits(&mut self, draw: u64, header: &LeafHeader, undo: &mut Vec<Undo>) {
        let rules = self.rules_for(draw);
        let minutes = rules.and_then(|rules| rules.rules.payout.second_computation);
        if minutes.is_none() && self.following.last.is_none() {
            return;
        }
        let waiting = WaitingDraw {
            size: self.edge.size(),
            root: self.edge.root(),
            since_ms: header.at_ms,
            minutes,
            differs: None,
        };
        self.change_following(undo, |following| {
            following.waiting.insert(draw, waiting);
        });
    }
}

//! Draws, from their announcement to their settlement.

use keno_game::{DrawSource, DrawState, DrawStep, draw};
use keno_log::event::{
    BallsRecorded, CommitmentRecorded, DrawCertified, DrawPostponed, DrawScheduled, DrawSettled,
    DrawStarted, SecretsRevealed,
};
use keno_log::{Event, EventKind, LeafHeader};

use super::frequency::Frequency;
use super::wagers::ball_set;
use super::{Draw, Hands, HolderState, RecordedBalls, SealState, State, Undo, record_fault};
use crate::fault::Fault;

impl State {
    /// Notes a draw as it is, before it is changed.
    fn keep_draw(&mut self, number: u64, undo: &mut Vec<Undo>) {
        let draw = self.draws.get(&number).cloned().map(Box::new);
        undo.push(Undo::Draw(number, draw));
    }

    pub(super) fn step(
        &mut self,
        number: u64,
        step: DrawStep,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.keep_draw(number, undo);
        let draw = self
            .draws
            .get_mut(&number)
            .ok_or_else(|| record_fault(format!("a step of draw {number}, which is unknown")))?;
        draw.state = draw::next(draw.state, step).map_err(|refused| {
            record_fault(format!(
                "draw {number} is {} and cannot {}",
                refused.state.name(),
                refused.step.name()
            ))
        })?;
        Ok(())
    }

    pub(super) fn with_draw(
        &mut self,
        number: u64,
        undo: &mut Vec<Undo>,
        change: impl FnOnce(&mut Draw),
    ) -> Result<(), Fault> {
        self.keep_draw(number, undo);
        self.draws
            .get_mut(&number)
            .map(change)
            .ok_or_else(|| record_fault(format!("a fact of draw {number}, which is unknown")))
    }

    /// A step, and what the draw knows since.
    pub(super) fn step_with(
        &mut self,
        number: u64,
        step: DrawStep,
        undo: &mut Vec<Undo>,
        change: impl FnOnce(&mut Draw),
    ) -> Result<(), Fault> {
        self.step(number, step, undo)?;
        self.with_draw(number, undo, change)
    }

    pub(super) fn schedule_draw(
        &mut self,
        header: &LeafHeader,
        body: &DrawScheduled,
        undo: &mut Vec<Undo>,
    ) {
        self.keep_draw(body.draw, undo);
        let holder = |name: &String| HolderState {
            name: name.clone(),
            commitment: None,
            secret: None,
        };
        let draw = Draw {
            number: body.draw,
            state: DrawState::Scheduled,
            closes_at_ms: body.closes_at_ms,
            draws_at_ms: body.draws_at_ms,
            source: body.source,
            pool_size: body.pool_size,
            drawn: body.drawn,
            cap_cents: body.cap_cents,
            full_below_cents: body.full_below_cents,
            holders: body.holders.iter().map(holder).collect(),
            tickets: 0,
            selections: 0,
            wagered_cents: 0,
            unpaid_after_seal: (0, 0),
            seal: None,
            rule_book_hash: None,
            hands: Hands::default(),
            ball_set: None,
            balls: None,
            certifiers: Vec::new(),
            settlement: None,
            leaves: vec![(header.kind, header.index, header.at_ms)],
        };
        self.draws.insert(body.draw, draw);
    }

    /// Notes a leaf of a draw. The announcement itself makes the draw; what is told ball by ball stands
    /// in its hands; what is said of the hosts is read where it is shown. What a follower says is of a
    /// draw that is over.
    pub(super) fn note_leaf(
        &mut self,
        draw: u64,
        header: &LeafHeader,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        use EventKind::{
            BallDrawn, BallEntered, BallRead, DrawFollowed, DrawScheduled, HostsNamed, HostsSigned,
            LineIncident, PayoutsOpened,
        };
        if matches!(
            header.kind,
            DrawScheduled
                | BallEntered
                | BallDrawn
                | BallRead
                | LineIncident
                | HostsNamed
                | HostsSigned
                | DrawFollowed
                | PayoutsOpened
        ) {
            return Ok(());
        }
        self.with_draw(draw, undo, |draw| {
            draw.leaves.push((header.kind, header.index, header.at_ms));
        })
    }

    /// What two people enter, and what counts of it.
    pub(super) fn take_balls(
        &mut self,
        header: &LeafHeader,
        event: &Event,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.with_draw(header.draw, undo, |draw| match event {
            Event::BallEntered(body) => draw.hands.enter(&body.by, body.position, body.number),
            Event::BallDrawn(body) => {
                draw.hands.count(body.position, body.number, header.at_ms);
            }
            Event::EntererReplaced(body) => {
                draw.hands.replace(&body.leaving, &body.arriving);
            }
            Event::BallRead(body) => draw.hands.read(body, header.at_ms),
            Event::LineIncident(body) => draw.hands.line.note(body.incident),
            _ => {}
        })
    }

    /// A holder has committed to its secret.
    pub(super) fn commit(
        &mut self,
        body: &CommitmentRecorded,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.with_draw(body.draw, undo, |draw| {
            if let Some(holder) = draw.holders.get_mut(usize::from(body.position)) {
                holder.commitment = Some(body.commitment);
            }
        })
    }

    /// It is interrupted: what its machine says on a line counts no more.
    pub(super) fn suspend_draw(&mut self, number: u64, undo: &mut Vec<Undo>) -> Result<(), Fault> {
        self.step_with(number, DrawStep::Suspend, undo, |draw| {
            draw.hands.line.has_stopped = true;
        })
    }

    /// It is held later.
    pub(super) fn postpone_draw(
        &mut self,
        body: &DrawPostponed,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.with_draw(body.draw, undo, |draw| draw.draws_at_ms = body.draws_at_ms)
    }

    /// The computer draws from here on.
    pub(super) fn stand_in(&mut self, number: u64, undo: &mut Vec<Undo>) -> Result<(), Fault> {
        self.step_with(number, DrawStep::StandIn, undo, |draw| {
            draw.source = DrawSource::Computer.number();
            draw.ball_set = None;
        })
    }

    pub(super) fn start_draw(
        &mut self,
        body: &DrawStarted,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.step_with(body.draw, DrawStep::Start, undo, |draw| {
            draw.rule_book_hash = Some(body.rule_book_hash);
        })?;
        self.set_starts(body.draw, undo);
        Ok(())
    }

    pub(super) fn close_draw(&mut self, number: u64, undo: &mut Vec<Undo>) -> Result<(), Fault> {
        let seal = SealState {
            size: self.edge.size(),
            root: self.edge.root(),
        };
        self.step_with(number, DrawStep::Close, undo, |draw| draw.seal = Some(seal))
    }

    pub(super) fn record_balls(
        &mut self,
        header: &LeafHeader,
        body: &BallsRecorded,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        let recorded = RecordedBalls {
            balls: body.balls.clone(),
            secrets_hash: body.secrets_hash,
            recorded_at_ms: header.at_ms,
        };
        self.step_with(body.draw, DrawStep::Record, undo, |draw| {
            draw.balls = Some(recorded);
        })?;
        let set = ball_set(&body.balls)?.bits();
        if self.drawn_sets.insert(set) {
            undo.push(Undo::DrawnSet(set));
        }
        Ok(())
    }

    /// The numbers are official, and count from here on among how often each came up: before that
    /// nothing may tell of them.
    pub(super) fn certify_draw(
        &mut self,
        body: &DrawCertified,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.step_with(body.draw, DrawStep::Certify, undo, |draw| {
            draw.certifiers = body.certifiers.clone();
        })?;
        let Some(draw) = self.draws.get(&body.draw) else {
            return Ok(());
        };
        if let Some(recorded) = &draw.balls {
            let kind = (
                draw.source,
                draw.ball_set.as_deref(),
                draw.pool_size,
                draw.drawn,
            );
            undo.push(Undo::Frequencies(self.frequencies.clone()));
            Frequency::add(&mut self.frequencies, kind, &recorded.balls);
        }
        Ok(())
    }

    pub(super) fn reveal_secrets(
        &mut self,
        body: &SecretsRevealed,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.with_draw(body.draw, undo, |draw| {
            for (holder, secret) in draw.holders.iter_mut().zip(&body.secrets) {
                holder.secret = Some(*secret);
            }
        })?;
        self.choose_set(body.draw, &body.secrets, undo);
        Ok(())
    }

    pub(super) fn settle_draw(
        &mut self,
        header: &LeafHeader,
        body: &DrawSettled,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.step_with(body.draw, DrawStep::Settle, undo, |draw| {
            draw.settlement = Some(body.clone());
        })?;
        self.draw_waits(body.draw, header, undo);
        self.finish_draw(body.draw, undo);
        Ok(())
    }

    pub(super) fn void_draw(
        &mut self,
        header: &LeafHeader,
        number: u64,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        self.step(number, DrawStep::Void, undo)?;
        self.draw_waits(number, header, undo);
        self.finish_draw(number, undo);
        Ok(())
    }
}

//! Balls that two people enter, each from a session of their own and blind of the other (s. 75).
//!
//! What agrees counts and is seen at once; where the two differ, both are asked again. A ball that
//! counts is corrected by both entering it anew. Whatever the machine reads by itself (`ball_line`) they
//! take over once it reads no more.

use keno_draw::ball_reader::Incident;
use keno_game::{DrawSource, DrawState, Drawn, Pool};
use keno_log::event::{BallDrawn, BallEntered, BallsRecorded, EntererReplaced};
use keno_log::hash::sha256;
use keno_record::fault::Fault;
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::{Draw as LiveDraw, next_position};

use crate::Stop;
use crate::authority::Operation;
use crate::authority::identity::Caller;
use crate::bounds;
use crate::central::Central;
use crate::draw::steps::{Draw, must_not_have_sold};
use crate::refusal::Refusal;
use crate::staff::two_people::{must_be_two, must_differ};

/// A ball as somebody says it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnteredBall {
    /// Place in the order, from 1.
    pub position: u8,
    /// The number; 0 asks for this ball once more, of both.
    pub number: u8,
}

impl EnteredBall {
    /// Refuses what cannot be the ball of a draw, beside what this person entered before.
    fn judge(self, live: &LiveDraw, entries: &[u8]) -> Result<(), Refusal> {
        let Self { position, number } = self;
        let most = entries.len() + usize::from(number != 0);
        let is_in_turn = (1..=most.min(usize::from(live.drawn))).contains(&usize::from(position));
        if !is_in_turn {
            return Err(Refusal::BallOutOfTurn {
                next: next_position(entries).min(live.drawn),
            });
        }
        if number > live.pool_size {
            return Err(Refusal::BallOutOfPool {
                most: live.pool_size,
            });
        }
        let stands_at = (1_u8..)
            .zip(entries)
            .find(|(at, one)| **one == number && *at != position && number != 0);
        match stands_at {
            Some((position, _)) => Err(Refusal::BallRepeated { number, position }),
            None => Ok(()),
        }
    }
}

impl Draw {
    /// The draw, if it is one of balls that are being drawn.
    pub(super) fn drawing_balls<'a>(self, judge: &'a Judge<'_>) -> Result<&'a LiveDraw, Refusal> {
        let live = judge.state.draws.get(&self.0);
        let live = live.ok_or(Refusal::DrawUnknown { draw: self.0 })?;
        if live.source != DrawSource::Balls.number() {
            return Err(Refusal::DrawByComputer { draw: self.0 });
        }
        match live.state {
            DrawState::Drawing => Ok(live),
            state => Err(Refusal::DrawStepRefused {
                state: state.name(),
            }),
        }
    }

    /// Enters a ball, as one of two people. The same again changes nothing.
    ///
    /// # Errors
    /// [`Refusal::DrawByComputer`], [`Refusal::DrawStepRefused`], [`Refusal::BallOutOfTurn`],
    /// [`Refusal::BallOutOfPool`], [`Refusal::BallRepeated`], [`Refusal::SamePersonTwice`],
    /// [`Refusal::TwoEnterAlready`], [`Refusal::SoldForDraw`], [`Refusal::LineReads`], or a fault.
    pub fn enter_ball(self, central: &Central, by: &Caller, ball: EnteredBall) -> Result<(), Stop> {
        let entered = BallEntered {
            draw: self.0,
            position: ball.position,
            number: ball.number,
            by: by.badge.clone(),
            device: by.device.device,
        };
        let line = central.ball_line.as_ref();
        let has_line = line.is_some();
        let reads = line.is_some_and(|line| line.standing().reads(self.0));
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let by = &entered.by;
            Operation::EnterBall.judge_roles(&judge.staff().roles(by))?;
            let live = self.drawing_balls(judge)?;
            let people = &live.hands.people;
            if people.iter().all(|one| one.badge != *by) {
                for other in people {
                    must_differ(&judge.state.people, &other.badge, by)?;
                }
                if let [first, second] = people.as_slice() {
                    return Err(Refusal::TwoEnterAlready {
                        first: first.badge.clone(),
                        second: second.badge.clone(),
                    }
                    .into());
                }
            }
            let entries = live.hands.entries_of(by);
            ball.judge(live, entries)?;
            if entries.get(usize::from(ball.position) - 1) == Some(&ball.number) {
                return Ok(());
            }
            let hands = &live.hands;
            let is_left = hands.may_read() && hands.counted.len() < usize::from(live.drawn);
            // One key too many does not take a draw from a machine that reads it.
            if reads && is_left {
                return Err(Refusal::LineReads.into());
            }
            let is_taken_over = hands.line.has_read() || (has_line && hands.may_read());
            must_not_have_sold(judge, self.0, std::slice::from_ref(by))?;
            if is_taken_over {
                self.record_incident(judge, Incident::TakenOver, by)?;
            }
            judge.record(entered.clone())?;
            self.count_balls(judge)
        })
    }

    /// Records what both agree on by now.
    fn count_balls(self, judge: &mut Judge<'_>) -> Result<(), Stop> {
        let Some(live) = judge.state.draws.get(&self.0) else {
            return Err(Refusal::DrawUnknown { draw: self.0 }.into());
        };
        let [first, second] = live.hands.people.as_slice() else {
            return Ok(());
        };
        let (by, second) = (first.badge.clone(), second.badge.clone());
        for (position, number) in live.hands.due() {
            judge.record(BallDrawn {
                draw: self.0,
                position,
                number,
                by: by.clone(),
                second: second.clone(),
            })?;
        }
        Ok(())
    }

    /// Puts another person in the place of one who entered balls: all are entered anew, from the
    /// film. Somebody else agrees.
    ///
    /// # Errors
    /// [`Refusal::NotEntering`], [`Refusal::DrawStepRefused`], [`Refusal::SamePersonTwice`],
    /// [`Refusal::SoldForDraw`], [`Refusal::SecondPersonRefused`], or a fault.
    pub fn replace_enterer(
        self,
        central: &Central,
        leaving: &str,
        arriving: &str,
        second: &str,
        reason: &str,
    ) -> Result<(), Stop> {
        bounds::reason("reason", reason)?;
        let event = EntererReplaced {
            draw: self.0,
            leaving: leaving.to_owned(),
            arriving: arriving.to_owned(),
            second: second.to_owned(),
            reason: reason.to_owned(),
        };
        central.sequencer.submit_blocking(Lane::Draw, move |judge| {
            let EntererReplaced {
                leaving,
                arriving,
                second,
                ..
            } = &event;
            Operation::EnterBall.judge_roles(&judge.staff().roles(arriving))?;
            must_be_two(judge.staff(), Operation::ReplaceEnterer, arriving, second)?;
            let live = self.drawing_balls(judge)?;
            if live.hands.is_complete(live.drawn) {
                return Err(Refusal::DrawStepRefused {
                    state: DrawState::Drawn.name(),
                }
                .into());
            }
            let people = &live.hands.people;
            if people.iter().all(|one| one.badge != *leaving) {
                return Err(Refusal::NotEntering {
                    badge: leaving.clone(),
                }
                .into());
            }
            // Not the other of the two, and not whoever leaves: neither as arriving nor as agreeing.
            for one in people {
                must_differ(&judge.state.people, &one.badge, arriving)?;
            }
            must_differ(&judge.state.people, leaving, second)?;
            must_not_have_sold(judge, self.0, std::slice::from_ref(arriving))?;
            judge.record(event.clone())?;
            Ok(())
        })
    }

    /// The numbers of balls that both have entered alike, to be recorded; none where no such draw is
    /// under way.
    pub(super) fn entered(self, judge: &Judge<'_>) -> Result<Option<BallsRecorded>, Stop> {
        let Ok(live) = self.drawing_balls(judge) else {
            return Ok(None);
        };
        if !live.hands.is_complete(live.drawn) {
            return Err(Refusal::BallsNotEntered.into());
        }
        let balls = live.hands.counted.clone();
        let fault = |fault: String| Fault::Machine(fault);
        let pool = Pool::new(live.pool_size, live.drawn).map_err(|it| fault(it.to_string()))?;
        let drawn = Drawn::new(pool, &balls).map_err(|it| fault(it.to_string()))?;
        // One pair in 3.5 × 10^18: people look again.
        if judge.state.drawn_sets.contains(&drawn.set().bits()) {
            return Err(Refusal::NumbersRepeated.into());
        }
        Ok(Some(BallsRecorded {
            draw: self.0,
            machine: DrawSource::Balls.number(),
            balls,
            words_used: 0,
            words_rejected: 0,
            secrets_hash: sha256(&[]),
        }))
    }
}

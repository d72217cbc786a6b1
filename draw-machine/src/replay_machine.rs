//! Recorded draws for tests and drills.
//!
//! Its kind is [`MachineKind::Replay`], which is not real: whoever records balls records the
//! kind beside them ([`crate::Collected`] carries both), and a draw of that kind never pays.

use std::collections::BTreeMap;

use crate::adapter::{
    DrawEvent, DrawMachine, DrawOrder, InterruptReason, MachineFault, MachineKind,
};
use crate::transcript::check_context;

/// A recorded draw.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recording {
    /// Balls in order. Nothing checks them here: a drill may want bad ones.
    pub balls: Vec<u8>,
    /// If the draw is to stop: after how many balls, and why.
    pub interrupted: Option<(usize, InterruptReason)>,
}

/// Plays recorded draws.
#[derive(Debug, Clone, Default)]
pub struct ReplayMachine {
    recordings: BTreeMap<u64, Recording>,
    under_way: Option<(u64, usize)>,
}

impl ReplayMachine {
    /// A machine that plays `recordings` by draw number.
    #[must_use]
    pub fn new(recordings: BTreeMap<u64, Recording>) -> Self {
        Self {
            recordings,
            under_way: None,
        }
    }
}

impl DrawMachine for ReplayMachine {
    fn kind(&self) -> MachineKind {
        MachineKind::Replay
    }

    fn begin(&mut self, order: &DrawOrder) -> Result<(), MachineFault> {
        self.under_way = None;
        check_context(&order.ctx)?;
        let draw = order.ctx.draw;
        if !self.recordings.contains_key(&draw) {
            return Err(MachineFault::NotRecorded { draw });
        }
        self.under_way = Some((draw, 0));
        Ok(())
    }

    fn next(&mut self) -> Result<DrawEvent, MachineFault> {
        let Some((draw, yielded)) = &mut self.under_way else {
            return Err(MachineFault::NotBegun);
        };
        let Some(recording) = self.recordings.get(draw) else {
            return Err(MachineFault::NotRecorded { draw: *draw });
        };
        if let Some((after, reason)) = &recording.interrupted
            && *yielded >= *after
        {
            return Ok(DrawEvent::Interrupted {
                reason: reason.clone(),
            });
        }
        let Some(number) = recording.balls.get(*yielded).copied() else {
            return Ok(DrawEvent::Complete);
        };
        *yielded += 1;
        Ok(DrawEvent::Ball {
            position: u8::try_from(*yielded).unwrap_or(u8::MAX),
            number,
            at_ms: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::collect;
    use crate::context::DrawContext;

    fn order(draw: u64) -> DrawOrder {
        let ctx = DrawContext {
            house: "drill".to_owned(),
            draw,
            log_size: 1,
            seal_root: [1; 32],
            rule_book_hash: [2; 32],
            pool_size: 80,
            drawn: 20,
        };
        DrawOrder::within(ctx, Vec::new())
    }

    fn machine(recording: Recording) -> ReplayMachine {
        ReplayMachine::new(BTreeMap::from([(5, recording)]))
    }

    #[test]
    fn a_recording_is_played_and_never_real() {
        let balls: Vec<u8> = (1..=20).collect();
        let mut machine = machine(Recording {
            balls: balls.clone(),
            interrupted: None,
        });
        for _ in 0..2 {
            let collected = collect(&mut machine, &order(5)).unwrap();
            assert_eq!(collected.balls, balls);
            assert_eq!(collected.end, DrawEvent::Complete);
            assert!(!collected.kind.is_real());
        }
        let absent = collect(&mut machine, &order(6)).unwrap_err();
        assert_eq!(absent.name(), "not_recorded");
        assert_eq!(machine.next().unwrap_err().name(), "not_begun");
    }

    #[test]
    fn an_interruption_keeps_the_balls_so_far() {
        let mut machine = machine(Recording {
            balls: (1..=20).collect(),
            interrupted: Some((7, InterruptReason::Stopped)),
        });
        let collected = collect(&mut machine, &order(5)).unwrap();
        assert_eq!(collected.balls, (1..=7).collect::<Vec<u8>>());
        let reason = InterruptReason::Stopped;
        assert_eq!(collected.end, DrawEvent::Interrupted { reason });
    }

    #[test]
    fn impossible_balls_are_refused_on_collecting() {
        let repeated = [vec![7, 7], (20..38).collect()].concat();
        let outside = [vec![81], (1..20).collect()].concat();
        for (balls, expected) in [
            (repeated, "ball_repeated"),
            (outside, "ball_out_of_pool"),
            ((1..=19).collect(), "ball_count"),
            ((1..=60).collect(), "ball_count"),
        ] {
            let mut machine = machine(Recording {
                balls,
                interrupted: None,
            });
            let fault = collect(&mut machine, &order(5)).unwrap_err();
            assert_eq!(fault.name(), expected);
        }
    }
}

//! The states of a draw and the only steps between them.

use std::fmt;

use thiserror::Error;

use crate::numbered::numbered;

numbered! {
    /// Where a draw is in its life.
    DrawState, code, from_code, name, from_name {
        /// Known, not yet on sale.
        Scheduled = 1 "scheduled",
        /// On sale.
        Open = 2 "open",
        /// No sale, no cancellation any more; sealed.
        Closed = 3 "closed",
        /// The numbers are coming out.
        Drawing = 4 "drawing",
        /// All numbers are recorded.
        Drawn = 5 "drawn",
        /// Certified.
        Official = 6 "official",
        /// Prizes are computed; payable.
        Settled = 7 "settled",
        /// Stopped until people decide.
        Suspended = 8 "suspended",
        /// Of no effect; wagers are refunded.
        Void = 9 "void",
    }
}

numbered! {
    /// What may be done to a draw.
    DrawStep, code, from_code, name, from_name {
        /// Put it on sale.
        Open = 1 "open",
        /// End the sale and seal.
        Close = 2 "close",
        /// Start to draw.
        Start = 3 "start",
        /// Record all numbers.
        Record = 4 "record",
        /// Make the numbers official.
        Certify = 5 "certify",
        /// Make the prizes payable.
        Settle = 6 "settle",
        /// Stop it until people decide.
        Suspend = 7 "suspend",
        /// Go on after a suspension.
        Resume = 8 "resume",
        /// Make it of no effect.
        Void = 9 "void",
        /// Let the computer draw in place of the ball machine.
        StandIn = 10 "stand_in",
    }
}

/// A step that the state does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a draw that is {state} can't take the step {step}")]
pub struct StepRefused {
    /// The state the draw is in.
    pub state: DrawState,
    /// The step that was asked for.
    pub step: DrawStep,
}

/// Every allowed step: from, step, to. What is not here is refused. A draw that
/// is official can neither be suspended nor made void: its result is public.
pub const STEPS: [(DrawState, DrawStep, DrawState); 18] = [
    (DrawState::Scheduled, DrawStep::Open, DrawState::Open),
    (DrawState::Open, DrawStep::Close, DrawState::Closed),
    (DrawState::Closed, DrawStep::Start, DrawState::Drawing),
    (DrawState::Drawing, DrawStep::Record, DrawState::Drawn),
    (DrawState::Drawn, DrawStep::Certify, DrawState::Official),
    (DrawState::Official, DrawStep::Settle, DrawState::Settled),
    (DrawState::Closed, DrawStep::Suspend, DrawState::Suspended),
    (DrawState::Drawing, DrawStep::Suspend, DrawState::Suspended),
    (DrawState::Suspended, DrawStep::Resume, DrawState::Closed),
    (DrawState::Scheduled, DrawStep::Void, DrawState::Void),
    (DrawState::Open, DrawStep::Void, DrawState::Void),
    (DrawState::Closed, DrawStep::Void, DrawState::Void),
    (DrawState::Drawing, DrawStep::Void, DrawState::Void),
    (DrawState::Drawn, DrawStep::Void, DrawState::Void),
    (DrawState::Suspended, DrawStep::Void, DrawState::Void),
    (DrawState::Closed, DrawStep::StandIn, DrawState::Closed),
    (DrawState::Drawing, DrawStep::StandIn, DrawState::Closed),
    (DrawState::Suspended, DrawStep::StandIn, DrawState::Closed),
];

/// The state after the step.
///
/// # Errors
/// [`StepRefused`] for everything that [`STEPS`] does not list.
pub fn next(state: DrawState, step: DrawStep) -> Result<DrawState, StepRefused> {
    STEPS
        .iter()
        .find(|(from, taken, _)| *from == state && *taken == step)
        .map(|(_, _, to)| *to)
        .ok_or(StepRefused { state, step })
}

impl fmt::Display for DrawState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl fmt::Display for DrawStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row a state, a column a step; `-` is refused. Read it aloud: this is
    /// written apart from the table of the code on purpose.
    const TABLE: &str = "
                  open   close   start    record  certify   settle   suspend    resume  void  stand_in
        scheduled open   -       -        -       -         -        -          -       void  -
        open      -      closed  -        -       -         -        -          -       void  -
        closed    -      -       drawing  -       -         -        suspended  -       void  closed
        drawing   -      -       -        drawn   -         -        suspended  -       void  closed
        drawn     -      -       -        -       official  -        -          -       void  -
        official  -      -       -        -       -         settled  -          -       -     -
        settled   -      -       -        -       -         -        -          -       -     -
        suspended -      -       -        -       -         -        -          closed  void  closed
        void      -      -       -        -       -         -        -          -       -     -
    ";

    #[test]
    fn every_pair_of_state_and_step_is_as_the_table_says() {
        let mut rows = TABLE.lines().map(str::trim).filter(|row| !row.is_empty());
        let steps: Vec<&str> = rows.next().unwrap().split_whitespace().collect();
        assert_eq!(steps, DrawStep::ALL.map(DrawStep::name));
        let rows: Vec<Vec<&str>> = rows.map(|row| row.split_whitespace().collect()).collect();
        assert_eq!(rows.len(), DrawState::ALL.len());
        for (state, row) in DrawState::ALL.into_iter().zip(rows) {
            assert_eq!(row[0], state.name());
            for (step, wanted) in DrawStep::ALL.into_iter().zip(&row[1..]) {
                let told = match next(state, step) {
                    Ok(to) => to.name(),
                    Err(refused) => {
                        assert_eq!(refused, StepRefused { state, step });
                        "-"
                    }
                };
                assert_eq!(&told, wanted, "{state} {step}");
            }
        }
    }

    #[test]
    fn codes_count_from_one_and_read_back() {
        for (index, state) in DrawState::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(state.code()), index + 1);
            assert_eq!(DrawState::from_code(state.code()), Some(state));
        }
        for (index, step) in DrawStep::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(step.code()), index + 1);
            assert_eq!(DrawStep::from_code(step.code()), Some(step));
        }
        assert_eq!(DrawState::from_code(0), None);
        assert_eq!(DrawStep::from_code(11), None);
    }
}

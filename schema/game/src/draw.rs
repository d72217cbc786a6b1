//! The states of a draw and the only steps between them.

use std::fmt;

use thiserror::Error;

/// Where a draw is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DrawState {
    /// Known, not yet on sale.
    Scheduled,
    /// On sale.
    Open,
    /// No sale, no cancellation any more; sealed.
    Closed,
    /// The numbers are coming out.
    Drawing,
    /// All numbers are recorded.
    Drawn,
    /// Certified.
    Official,
    /// Prizes are computed; payable.
    Settled,
    /// Stopped until people decide.
    Suspended,
    /// Of no effect; wagers are refunded.
    Void,
}

/// What may be done to a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DrawStep {
    /// Put it on sale.
    Open,
    /// End the sale and seal.
    Close,
    /// Start to draw.
    Start,
    /// Record all numbers.
    Record,
    /// Make the numbers official.
    Certify,
    /// Make the prizes payable.
    Settle,
    /// Stop it until people decide.
    Suspend,
    /// Go on after a suspension.
    Resume,
    /// Make it of no effect.
    Void,
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
pub const STEPS: [(DrawState, DrawStep, DrawState); 15] = [
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

impl DrawState {
    /// Every state, in the order of their codes.
    pub const ALL: [DrawState; 9] = [
        DrawState::Scheduled,
        DrawState::Open,
        DrawState::Closed,
        DrawState::Drawing,
        DrawState::Drawn,
        DrawState::Official,
        DrawState::Settled,
        DrawState::Suspended,
        DrawState::Void,
    ];

    /// Stable code, 1 to 9.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            DrawState::Scheduled => 1,
            DrawState::Open => 2,
            DrawState::Closed => 3,
            DrawState::Drawing => 4,
            DrawState::Drawn => 5,
            DrawState::Official => 6,
            DrawState::Settled => 7,
            DrawState::Suspended => 8,
            DrawState::Void => 9,
        }
    }

    /// The state of a code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<DrawState> {
        DrawState::ALL
            .into_iter()
            .find(|state| state.code() == code)
    }

    /// Stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DrawState::Scheduled => "scheduled",
            DrawState::Open => "open",
            DrawState::Closed => "closed",
            DrawState::Drawing => "drawing",
            DrawState::Drawn => "drawn",
            DrawState::Official => "official",
            DrawState::Settled => "settled",
            DrawState::Suspended => "suspended",
            DrawState::Void => "void",
        }
    }

    /// The state of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<DrawState> {
        DrawState::ALL
            .into_iter()
            .find(|state| state.name() == name)
    }
}

impl DrawStep {
    /// Every step, in the order of their codes.
    pub const ALL: [DrawStep; 9] = [
        DrawStep::Open,
        DrawStep::Close,
        DrawStep::Start,
        DrawStep::Record,
        DrawStep::Certify,
        DrawStep::Settle,
        DrawStep::Suspend,
        DrawStep::Resume,
        DrawStep::Void,
    ];

    /// Stable code, 1 to 9.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            DrawStep::Open => 1,
            DrawStep::Close => 2,
            DrawStep::Start => 3,
            DrawStep::Record => 4,
            DrawStep::Certify => 5,
            DrawStep::Settle => 6,
            DrawStep::Suspend => 7,
            DrawStep::Resume => 8,
            DrawStep::Void => 9,
        }
    }

    /// The step of a code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<DrawStep> {
        DrawStep::ALL.into_iter().find(|step| step.code() == code)
    }

    /// Stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DrawStep::Open => "open",
            DrawStep::Close => "close",
            DrawStep::Start => "start",
            DrawStep::Record => "record",
            DrawStep::Certify => "certify",
            DrawStep::Settle => "settle",
            DrawStep::Suspend => "suspend",
            DrawStep::Resume => "resume",
            DrawStep::Void => "void",
        }
    }
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
                  open   close   start    record  certify   settle   suspend    resume  void
        scheduled open   -       -        -       -         -        -          -       void
        open      -      closed  -        -       -         -        -          -       void
        closed    -      -       drawing  -       -         -        suspended  -       void
        drawing   -      -       -        drawn   -         -        suspended  -       void
        drawn     -      -       -        -       official  -        -          -       void
        official  -      -       -        -       -         settled  -          -       -
        settled   -      -       -        -       -         -        -          -       -
        suspended -      -       -        -       -         -        -          closed  void
        void      -      -       -        -       -         -        -          -       -
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
    fn codes_are_one_to_nine_and_read_back() {
        for (index, state) in DrawState::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(state.code()), index + 1);
            assert_eq!(DrawState::from_code(state.code()), Some(state));
        }
        for (index, step) in DrawStep::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(step.code()), index + 1);
            assert_eq!(DrawStep::from_code(step.code()), Some(step));
        }
        assert_eq!(DrawState::from_code(0), None);
        assert_eq!(DrawStep::from_code(10), None);
    }
}

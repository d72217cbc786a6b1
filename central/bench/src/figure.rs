//! A figure: a ratio of two arms by rounds, beside its floor and its goal.

use std::fmt;

use crate::cpu::Others;
use crate::ranks::median;

/// Rounds below which no figure is given, unless its limits say otherwise.
pub const ROUNDS_MIN: usize = 5;
/// Share of the processors that others may take before a figure says nothing.
pub const OTHERS_MAX: f64 = 0.25;

/// Which side of a limit is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The ratio must reach the limit.
    AtLeast,
    /// The ratio must stay below the limit.
    AtMost,
}

/// Floor and goal of a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Which side is good.
    pub wanted: Wanted,
    /// Not met: the design is wrong.
    pub floor: f64,
    /// What is aimed at.
    pub goal: f64,
    /// Rounds below which there is no verdict.
    pub rounds_min: usize,
}

impl Limits {
    /// A ratio that should be large.
    pub const fn at_least(floor: f64, goal: f64) -> Self {
        Self {
            wanted: Wanted::AtLeast,
            floor,
            goal,
            rounds_min: ROUNDS_MIN,
        }
    }

    /// A ratio that should be small.
    pub const fn at_most(floor: f64, goal: f64) -> Self {
        Self {
            wanted: Wanted::AtMost,
            floor,
            goal,
            rounds_min: ROUNDS_MIN,
        }
    }

    /// The same of what is judged by so many rounds: what takes minutes is not done five times.
    #[must_use]
    pub const fn after(self, rounds_min: usize) -> Self {
        Self { rounds_min, ..self }
    }

    fn holds(&self, ratio: f64, limit: f64) -> bool {
        match self.wanted {
            Wanted::AtLeast => ratio >= limit,
            Wanted::AtMost => ratio <= limit,
        }
    }
}

/// What a ratio comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The goal is met.
    Goal,
    /// The floor is met and the goal is not.
    Floor,
    /// The floor is not met.
    NotMet,
    /// Others took too much of the machine, or there were too few rounds.
    None,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Goal => "goal met",
            Self::Floor => "floor met",
            Self::NotMet => "NOT MET",
            Self::None => "no verdict",
        })
    }
}

/// A figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Name of the command that measured it.
    pub command: &'static str,
    /// What is divided by what.
    pub what: String,
    /// The ratio of each round.
    pub ratios: Vec<f64>,
    /// Absolute values, for context.
    pub context: String,
    /// Floor and goal; none for a figure that is only told.
    pub limits: Option<Limits>,
    /// What other processes took while it was measured.
    pub others: Others,
}

impl Figure {
    /// The median of the rounds.
    pub fn ratio(&self) -> f64 {
        median(&self.ratios)
    }

    /// What it comes to.
    pub fn verdict(&self) -> Verdict {
        let Some(limits) = &self.limits else {
            return Verdict::None;
        };
        if self.others.share() > OTHERS_MAX || self.ratios.len() < limits.rounds_min {
            Verdict::None
        } else if limits.holds(self.ratio(), limits.goal) {
            Verdict::Goal
        } else if limits.holds(self.ratio(), limits.floor) {
            Verdict::Floor
        } else {
            Verdict::NotMet
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounds: Vec<String> = self.ratios.iter().map(|one| format!("{one:.2}")).collect();
        writeln!(
            formatter,
            "{}: {}: {:.2}x",
            self.command,
            self.what,
            self.ratio()
        )?;
        if let Some(limits) = &self.limits {
            let side = match limits.wanted {
                Wanted::AtLeast => "at least",
                Wanted::AtMost => "at most",
            };
            writeln!(
                formatter,
                "  floor {side} {}x, goal {side} {}x: {}",
                limits.floor,
                limits.goal,
                self.verdict()
            )?;
        }
        writeln!(formatter, "  rounds: {}", rounds.join(" "))?;
        writeln!(formatter, "  {}", self.context)?;
        write!(formatter, "  others took {}", self.others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(ratios: &[f64], limits: Limits, others: f64) -> Figure {
        Figure {
            command: "test",
            what: "a by b".to_owned(),
            ratios: ratios.to_vec(),
            context: String::new(),
            limits: Some(limits),
            others: Others::of(others),
        }
    }

    #[test]
    fn a_verdict_needs_rounds_and_a_quiet_machine() {
        let five = [5.0; 5];
        let large = Limits::at_least(4.0, 8.0);
        assert_eq!(figure(&five, large, 0.1).verdict(), Verdict::Floor);
        assert_eq!(figure(&five, large, 0.3).verdict(), Verdict::None);
        assert_eq!(figure(&five[..4], large, 0.1).verdict(), Verdict::None);
        assert_eq!(
            figure(&[5.0], large.after(1), 0.1).verdict(),
            Verdict::Floor
        );
        assert_eq!(figure(&[3.9; 5], large, 0.1).verdict(), Verdict::NotMet);
        assert_eq!(figure(&[8.0; 5], large, 0.1).verdict(), Verdict::Goal);
        let small = Limits::at_most(4.0, 2.0);
        assert_eq!(figure(&five, small, 0.1).verdict(), Verdict::NotMet);
        assert_eq!(figure(&[2.0; 5], small, 0.1).verdict(), Verdict::Goal);
    }
}

//! `[ball_sets]`: what balls may weigh, and how long a set is good after it was measured.

use std::ops::RangeInclusive;

use keno_book::toml_faults::{Section, Words};
use keno_words::file_fault;

use super::{HouseFaultKind, Reader};

/// Milligrams of a ball.
const MASS_MG: RangeInclusive<i64> = 1..=1_000_000;
/// Draws that are started with a set between two measurings.
const DRAWS: RangeInclusive<i64> = 1..=100_000;
/// Days between two measurings.
const DAYS: RangeInclusive<i64> = 1..=366;

/// What sets of balls are held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BallSetLimits {
    /// The least that a ball may have, in milligrams.
    pub least_mg: u32,
    /// The most that a ball may have, in milligrams.
    pub most_mg: u32,
    /// Draws that may be started with a set after it was measured.
    pub draws: u32,
    /// Days that it is good for.
    pub days: u16,
}

impl Default for BallSetLimits {
    /// Balls of table tennis, 2.67 g to 2.77 g each; a week of a draw every five minutes.
    fn default() -> Self {
        Self {
            least_mg: 2_670,
            most_mg: 2_770,
            draws: 1_500,
            days: 7,
        }
    }
}

/// Reads `[ball_sets]`; what is left out is as usual.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<BallSetLimits> {
    let mut limits = BallSetLimits::default();
    if !root.has("ball_sets") {
        return Some(limits);
    }
    let keys = ["least_mg", "most_mg", "draws", "days"];
    let section = reader.section(root, "ball_sets", &keys);
    if section.has("least_mg") {
        limits.least_mg = reader.number(&section, "least_mg", MASS_MG)?;
    }
    if section.has("most_mg") {
        limits.most_mg = reader.number(&section, "most_mg", MASS_MG)?;
    }
    if section.has("draws") {
        limits.draws = reader.number(&section, "draws", DRAWS)?;
    }
    if section.has("days") {
        limits.days = reader.number(&section, "days", DAYS)?;
    }
    if limits.least_mg > limits.most_mg {
        let detail = Words::of(&file_fault::MassesReversed);
        reader.fault(
            &section.at("most_mg"),
            HouseFaultKind::MassesReversed,
            detail,
        );
        return None;
    }
    Some(limits)
}

//! `[wall]`: what the supervisor's wall calls little and much cash in a till. It never shows the
//! figure itself: whoever looks may be the one who counts.

use std::ops::RangeInclusive;

use keno_book::toml_faults::{Section, Words};
use keno_words::file_fault;

use super::{HouseFaultKind, Reader};
use crate::bounds::TILL_CENTS_MOST;

/// A till under this wants a fill, where the house does not say: $100.00.
const LOW_CENTS: i64 = 10_000;
/// A till from this on wants a drop, where the house does not say: $3,000.00.
const HIGH_CENTS: i64 = 300_000;

const CENTS: RangeInclusive<i64> = 0..=TILL_CENTS_MOST;

/// Where a till is said to hold little or much cash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CashBands {
    /// Little under this, in cents.
    pub low_cents: i64,
    /// Much from this on, in cents.
    pub high_cents: i64,
}

impl Default for CashBands {
    fn default() -> Self {
        Self {
            low_cents: LOW_CENTS,
            high_cents: HIGH_CENTS,
        }
    }
}

/// Reads `[wall]`; each threshold that is left out is as usual.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<CashBands> {
    let mut bands = CashBands::default();
    if !root.has("wall") {
        return Some(bands);
    }
    let section = reader.section(root, "wall", &["cash_low_cents", "cash_high_cents"]);
    if section.has("cash_low_cents") {
        bands.low_cents = reader.number(&section, "cash_low_cents", CENTS)?;
    }
    if section.has("cash_high_cents") {
        bands.high_cents = reader.number(&section, "cash_high_cents", CENTS)?;
    }
    if bands.low_cents >= bands.high_cents {
        let detail = Words::of(&file_fault::CashBandsReversed);
        reader.fault(
            &section.at("cash_high_cents"),
            HouseFaultKind::CashBandsReversed,
            detail,
        );
        return None;
    }
    Some(bands)
}

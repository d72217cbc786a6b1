//! The second computation over an export, and its sums beside those of the journals.

use keno_audit::{Options, Outside};

use crate::judge::Sums;

/// What the second computation finds wrong, and where its sums are not the journals'.
///
/// # Errors
/// When the export cannot be read at all.
pub fn breaches(export: &[u8], own: Sums) -> anyhow::Result<Vec<String>> {
    let outcome = keno_audit::verify(export, Outside::default(), Options::default())?;
    let mut found: Vec<String> = outcome
        .findings
        .iter()
        .take(5)
        .map(|finding| format!("keno-audit: {finding:?}"))
        .collect();
    let totals = outcome.replay.totals();
    let theirs = Sums {
        tickets: totals.tickets,
        sold_cents: totals.sold_cents,
        cancelled_cents: totals.cancelled_cents,
        unpaid_cents: totals.unpaid_cents,
        paid_cents: totals.paid_cents + totals.refunded_cents,
    };
    if theirs != own {
        found.push(format!(
            "keno-audit sums up {theirs:?}, the journals {own:?}"
        ));
    }
    Ok(found)
}

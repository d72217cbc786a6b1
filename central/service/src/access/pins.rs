//! Counters of PINs in the file of the access log: they hold through a restart.

use diesel::QueryResult;
use keno_record::store::access;
use keno_record::store::access::{AccessFile, PinCountRow};

use super::AccessKind;
use crate::central::pin_door::Reason;
use crate::central::pin_door::limiter::{Count, DEVICE_HOURLY, HOUSE_HOURLY, Origin};

/// The command line among devices, none of which has this number.
const CONSOLE: i64 = 0;

/// What a start finds.
#[derive(Debug, Default)]
pub(super) struct KeptPins {
    /// The counters.
    pub(super) counts: Vec<Count>,
    /// Failures, the newest of the file, in their order.
    pub(super) failed: Vec<(i64, Origin)>,
}

fn origin(device: Option<i64>) -> Option<Origin> {
    match device {
        None | Some(CONSOLE) => Some(Origin::Console),
        Some(number) => u32::try_from(number).ok().map(Origin::Device),
    }
}

/// Reads what was kept.
pub(super) fn read(file: &mut AccessFile) -> QueryResult<KeptPins> {
    let counts = access::pin_counts(file)?
        .into_iter()
        .filter_map(|row| {
            Some(Count {
                badge: row.badge,
                origin: origin(Some(row.device))?,
                failures: u32::try_from(row.failures).unwrap_or(u32::MAX),
                waits_until_ms: row.waits_until_ms,
                has_succeeded: row.has_succeeded,
            })
        })
        .collect();
    let newest = i64::try_from(HOUSE_HOURLY.max(DEVICE_HOURLY)).unwrap_or(i64::MAX);
    let counted = [Reason::WrongPin, Reason::UnknownBadge].map(Reason::name);
    let kind = AccessKind::SignOnRefused.name();
    let failed = access::newest_of(file, kind, counted, newest)?
        .into_iter()
        .filter_map(|(at_ms, device)| Some((at_ms, origin(device)?)))
        .collect();
    Ok(KeptPins { counts, failed })
}

/// Keeps a counter.
pub(super) fn write(file: &mut AccessFile, count: &Count) -> QueryResult<()> {
    let row = PinCountRow {
        badge: count.badge.clone(),
        device: count.origin.device().map_or(CONSOLE, i64::from),
        failures: i64::from(count.failures),
        waits_until_ms: count.waits_until_ms,
        has_succeeded: count.has_succeeded,
    };
    access::keep_pin_count(file, &row)
}

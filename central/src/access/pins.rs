//! Counters of PINs in the file of the access log: they hold through a restart.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use keno_service::staff::Reason;
use keno_service::staff::limiter::{Count, DEVICE_HOURLY, HOUSE_HOURLY, Origin};

diesel::table! {
    /// How a badge stands at an origin.
    pin_count (badge, device) {
        /// The badge.
        badge -> Text,
        /// Device number; 0 is the command line.
        device -> BigInt,
        /// Failures since it last succeeded there.
        failures -> BigInt,
        /// No try is taken before, UTC milliseconds.
        waits_until_ms -> BigInt,
        /// Whether it ever succeeded there.
        has_succeeded -> Bool,
    }
}

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

/// The counters in the file.
pub(super) struct PinFile;

fn origin(device: Option<i64>) -> Option<Origin> {
    match device {
        None | Some(CONSOLE) => Some(Origin::Console),
        Some(number) => u32::try_from(number).ok().map(Origin::Device),
    }
}

impl PinFile {
    /// Makes the table.
    pub(super) const TABLE: &'static str = "CREATE TABLE IF NOT EXISTS pin_count (
             badge TEXT NOT NULL,
             device BIGINT NOT NULL,
             failures BIGINT NOT NULL,
             waits_until_ms BIGINT NOT NULL,
             has_succeeded BOOLEAN NOT NULL,
             PRIMARY KEY (badge, device))";

    /// Reads what was kept.
    pub(super) fn read(connection: &mut SqliteConnection) -> QueryResult<KeptPins> {
        let rows: Vec<(String, i64, i64, i64, bool)> = pin_count::table.load(connection)?;
        let counts = rows
            .into_iter()
            .filter_map(|(badge, device, failures, waits_until_ms, has_succeeded)| {
                Some(Count {
                    badge,
                    origin: origin(Some(device))?,
                    failures: u32::try_from(failures).unwrap_or(u32::MAX),
                    waits_until_ms,
                    has_succeeded,
                })
            })
            .collect();
        let counted = [Reason::WrongPin, Reason::UnknownBadge, Reason::NoCredential]
            .map(|reason| reason.name());
        let newest = i64::try_from(HOUSE_HOURLY.max(DEVICE_HOURLY)).unwrap_or(i64::MAX);
        let mut failed: Vec<(i64, Option<i64>)> = super::access::table
            .filter(super::access::kind.eq(super::AccessKind::SignOnRefused.name()))
            .filter(
                super::access::purpose
                    .like(format!("%: {}", counted[0]))
                    .or(super::access::purpose.like(format!("%: {}", counted[1]))),
            )
            .order(super::access::id.desc())
            .limit(newest)
            .select((super::access::at_ms, super::access::device))
            .load(connection)?;
        failed.reverse();
        let failed = failed
            .into_iter()
            .filter_map(|(at_ms, device)| Some((at_ms, origin(device)?)))
            .collect();
        Ok(KeptPins { counts, failed })
    }

    /// Keeps a counter.
    pub(super) fn write(connection: &mut SqliteConnection, count: &Count) -> QueryResult<()> {
        let device = count.origin.device().map_or(CONSOLE, i64::from);
        let values = (
            pin_count::badge.eq(&count.badge),
            pin_count::device.eq(device),
            pin_count::failures.eq(i64::from(count.failures)),
            pin_count::waits_until_ms.eq(count.waits_until_ms),
            pin_count::has_succeeded.eq(count.has_succeeded),
        );
        diesel::replace_into(pin_count::table)
            .values(values)
            .execute(connection)
            .map(drop)
    }
}

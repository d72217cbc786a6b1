//! How the central of a test is opened.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use keno_record::clock::Clock;
use keno_service::central::{Options, QuickPicks};
use keno_service::house_file::HouseFile;

/// 20 November 2026, 12:00:00 in Montréal.
pub const NOON_MS: i64 = 1_795_194_000_000;

/// The demonstration rules, whose maximum per draw is 50,000.00.
pub const RULES: &str = include_str!("../../../samples/rules/demonstration.toml");

/// Draws on sale at once: fewer than in the demonstration, since each costs its leaves.
const SALEABLE_DRAWS: u16 = 20;

/// The house file of the demonstration with 20 draws on sale; its record in the folder, or in the
/// PostgreSQL database of that address.
///
/// # Errors
/// When the demonstration has faults.
pub fn house_file(database: Option<&str>) -> anyhow::Result<HouseFile> {
    let mut file = HouseFile::read(&HouseFile::demonstration())
        .map_err(|faults| anyhow!("the demonstration's house file: {faults:?}"))?;
    file.saleable_draws = SALEABLE_DRAWS;
    if let Some(address) = database {
        address.clone_into(&mut file.database_url);
    }
    Ok(file)
}

/// Central on a folder, as tests open it: quick picks of a known seed, no space kept back on the
/// disk, and a process that goes on when the writer may not.
pub fn options(folder: &Path, clock: &Arc<impl Clock>, file: HouseFile) -> Options {
    let clock = Arc::clone(clock);
    let mut options = Options::new(folder.to_owned(), file, clock);
    options.quick_picks = Some(QuickPicks::seeded([7; 32]));
    options.reserve_bytes = 0;
    options.fatal = Some(Box::new(|_| {}));
    options
}

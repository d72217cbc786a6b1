//! A house whose first draw is closed and sealed and not drawn yet, as a folder; and central's
//! own steps that draw it.
//!
//! The folder holds everything that the balls depend on: the holders' journals with the secrets,
//! and the record with the seal. So whoever opens it, whenever, must draw the same balls.

use keno_service::draw::Draw;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use keno_draw::{FileHolder, OsEntropy, SecretHolder};
use keno_house_builder::{NOON_MS, NewHouse};
use keno_log::Event;
use keno_record::clock::{Clock, ManualClock, SystemClock};
use keno_schema::Database;
use keno_service::central::{MachineParts, Options};
use keno_service::{Central, Stop};

use crate::tampering::{InstantPlant, machine};

/// The draw that is sealed.
const DRAW: u64 = 1;

fn options(folder: &Path, clock: &Arc<impl Clock>) -> Result<Options> {
    let file = keno_house_builder::house_file(None)?;
    Ok(keno_house_builder::options(folder, clock, file))
}

fn told(stop: Stop) -> anyhow::Error {
    anyhow!("{stop:?}")
}

/// Founds the house in `folder`, seals its first draw and stops. Gives the moment after which
/// the draw is due.
///
/// # Errors
/// What central refuses.
pub fn found(folder: &Path) -> Result<i64> {
    let clock = Arc::new(ManualClock::at(NOON_MS));
    let house = NewHouse {
        people: Vec::new(),
        devices: Vec::new(),
        ..NewHouse::default()
    };
    let central = keno_house_builder::found(options(folder, &clock)?, &house)?.central;
    let view = central.view.get();
    let (closes_ms, draws_ms) = view
        .draws
        .get(&DRAW)
        .map(|draw| (draw.closes_at_ms(), draw.draws_at_ms()))
        .ok_or_else(|| anyhow!("no draw was announced"))?;
    drop(view);
    clock.advance(closes_ms - clock.now_ms());
    Draw(DRAW).close(&central).map_err(told)?;
    let view = central.view.get();
    let sealed = view.draws.get(&DRAW).is_some_and(|draw| draw.is_sealed());
    ensure!(sealed, "the draw was not sealed");
    drop(view);
    ensure!(
        Arc::into_inner(central).is_some(),
        "central is still in use"
    );
    Ok(draws_ms)
}

/// Opens central on the folder of such a house, on the machine's clock, and takes the two steps
/// that the conductor takes when the draw is due: hand the seal out, record the balls. Gives what
/// the record then says, or the words of a refusal.
///
/// # Errors
/// When central cannot be opened, or the record not read.
pub fn draw(folder: &Path, plant: Option<InstantPlant>) -> Result<String> {
    let mut options = options(folder, &Arc::new(SystemClock::new()))?;
    if plant.is_some() {
        let code = options.house.code.clone();
        let mut holders: Vec<Box<dyn SecretHolder>> = Vec::new();
        for holder in &options.house.holders {
            let at = folder.join(holder.folder().context("a holder within central")?);
            holders.push(Box::new(FileHolder::open(
                &at,
                &code,
                holder.name(),
                OsEntropy,
            )?));
        }
        options.machine = Some(MachineParts {
            machine: machine(&folder.join("draw-machine"), &code, plant)?,
            holders,
        });
    }
    let record = folder.join(&options.house.database_url);
    let central = Central::open(options)?;
    let steps = Draw(DRAW)
        .start(&central)
        .and_then(|()| Draw(DRAW).record_balls(&central));
    drop(Arc::into_inner(central));
    if let Err(stop) = steps {
        return Ok(format!("refused: {stop:?}"));
    }
    let mut connection = Database::Sqlite(record).open_reader()?;
    for row in keno_record::store::log::entries(&mut connection, 0, i64::MAX)? {
        let (entry, _) = keno_record::store::log::checked_entry(&row)?;
        if let Event::BallsRecorded(recorded) = entry.event()? {
            return Ok(format!(
                "balls {:?} secrets {} words {} {}",
                recorded.balls,
                hex::encode(recorded.secrets_hash),
                recorded.words_used,
                recorded.words_rejected
            ));
        }
    }
    bail!("no balls were recorded")
}

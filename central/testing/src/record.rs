//! Time that passes in the house of a test, and what stands in its record then.

use anyhow::{Result, ensure};
use keno_game::DrawState;
use keno_record::clock::ManualClock;
use keno_record::past_draws::draw_range;
use keno_record::view::DrawInfo;
use keno_service::draw::Conductor;
use keno_service::{Central, maintenance};

/// Takes the steps that are due, and lets time pass, a second at a time, until a draw `is_there`.
///
/// # Errors
/// When the draw does not exist, or does not come to it within so many seconds.
pub fn until_draw(
    central: &Central,
    clock: &ManualClock,
    (draw, seconds): (u64, u32),
    is_there: impl Fn(&DrawInfo) -> bool,
) -> Result<()> {
    for _ in 0..seconds {
        Conductor::tick(central);
        let found = draw_range(central, draw, draw)?;
        ensure!(found.len() == 1, "there is no draw {draw}");
        if found.iter().all(&is_there) {
            return Ok(());
        }
        clock.advance(1_000);
    }
    anyhow::bail!("draw {draw} did not come to it within {seconds} seconds")
}

/// Whether a draw is settled or void.
pub fn is_over(draw: &DrawInfo) -> bool {
    matches!(draw.state(), DrawState::Settled | DrawState::Void)
}

/// The record up to its last leaf, as it is exported, once that leaf is published.
///
/// # Errors
/// When the record cannot be read.
pub fn exported(central: &Central) -> Result<Vec<u8>> {
    let size = central.view.get().log_size;
    let checkpoint = loop {
        match central.checkpoint() {
            Some(newest) if newest.size >= size => break newest,
            _ => std::thread::yield_now(),
        }
    };
    let mut bytes = Vec::new();
    let mut reader = central.readers.get()?;
    maintenance::export(&mut reader, &checkpoint, &mut bytes)?;
    Ok(bytes)
}

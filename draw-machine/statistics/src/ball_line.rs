//! Draws of a machine with real balls that is none, as central reads them: its frames, put together
//! from bytes, and judged by the reader.

use anyhow::{Result, bail, ensure};
use keno_draw::ball_line::{Lines, read};
use keno_draw::ball_reader::{BallReader, Heard};
use keno_draw_machine::simulator::{Answer, Simulator, Trouble};

use crate::draws::Draws;

const POOL: u8 = 80;
const DRAWN: u8 = 20;
/// A draw is asked for so often at most: once for its balls, once for all of them again.
const ASKED_MAX: u32 = 4;

/// Reads so many draws; the same for the same seed.
///
/// # Errors
/// A draw that is not whole, or of which anything is told but balls.
pub fn read_draws(seed: u64, count: u64) -> Result<Draws> {
    let mut balls = Vec::new();
    for draw in 1..=count {
        // Nothing of a machine's memory is needed beyond a draw.
        let mut machine = Simulator::new(seed, "A", 0, Trouble::None);
        let mut reader = BallReader::new(draw, (POOL, DRAWN), None, Vec::new(), 0);
        let mut lines = Lines::default();
        for _ in 0..ASKED_MAX {
            let Answer::Bytes(bytes) = machine.answer(reader.question(), 0) else {
                bail!("the machine of draw {draw} hangs up");
            };
            for line in bytes.iter().filter_map(|byte| lines.take(*byte)) {
                for heard in reader.hear(read(line), 0, 0) {
                    match heard {
                        Heard::Ball { number, .. } => balls.push(number),
                        Heard::Incident { incident, .. } => {
                            bail!("draw {draw}: {}", incident.name())
                        }
                    }
                }
            }
            if reader.is_complete() {
                break;
            }
        }
        ensure!(reader.is_complete(), "draw {draw} is not whole");
    }
    Ok(Draws {
        pool: POOL,
        drawn: DRAWN,
        balls,
    })
}

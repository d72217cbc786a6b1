//! `start`: the memory made again after a kill, from the newest snapshot and from the first leaf,
//! each by reading the bytes of the leaves that it folds.

use std::path::Path;
use std::time::Duration;

use anyhow::ensure;

use crate::clock::{ms, now};
use crate::cpu::Watch;
use crate::figure::{Figure, Limits};
use crate::history::{Years, make, read, start};
use crate::ranks::median;

/// A start from a snapshot by one from the first leaf.
pub const SNAPSHOT: Limits = Limits::at_most(0.5, 0.1);

/// Measures.
///
/// # Errors
/// When anything fails, or the two starts come to different memories.
pub fn measure(folder: &Path, years: &Years, rounds: usize) -> anyhow::Result<Vec<Figure>> {
    let history = make(&folder.join("start"), years)?;
    let (kept, folded) = (start(&history, true)?, start(&history, false)?);
    ensure!(history.kept > 0, "no snapshot was due");
    ensure!(
        kept.to_bytes() == folded.to_bytes(),
        "the two starts come to different memories"
    );
    drop((kept, folded));
    let watch = Watch::start(&[])?;
    let timed = |work: &mut dyn FnMut() -> anyhow::Result<()>| -> anyhow::Result<Duration> {
        let begun = now();
        work()?;
        Ok(begun.elapsed())
    };
    let (mut by_fold, mut by_read) = (Vec::new(), Vec::new());
    let (mut kept, mut folded, mut reads) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let from_kept = timed(&mut || start(&history, true).map(drop))?;
        let from_first = timed(&mut || start(&history, false).map(drop))?;
        let all_read = timed(&mut || read(&history, 0).map(drop))?;
        by_fold.push(from_kept.as_secs_f64() / from_first.as_secs_f64());
        by_read.push(from_first.as_secs_f64() / all_read.as_secs_f64());
        kept.push(ms(from_kept));
        folded.push(ms(from_first));
        reads.push(ms(all_read));
    }
    let others = watch.others()?;
    let context = format!(
        "{} leaves, {} after the snapshot; from the snapshot {:.0} ms, from the first leaf {:.0} \
         ms, read alone {:.0} ms",
        history.leaves,
        history.leaves - history.kept,
        median(&kept),
        median(&folded),
        median(&reads)
    );
    Ok(vec![
        Figure {
            command: "start",
            what: "the memory from the newest snapshot by the memory from the first leaf"
                .to_owned(),
            ratios: by_fold,
            context: context.clone(),
            limits: Some(SNAPSHOT),
            others,
        },
        Figure {
            command: "start",
            what: "the memory from the first leaf by reading its leaves".to_owned(),
            ratios: by_read,
            context,
            limits: None,
            others,
        },
    ])
}

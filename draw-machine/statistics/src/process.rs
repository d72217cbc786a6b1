//! Processes that are shown another clock, on a folder that holds exactly what another one held.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, ensure};

/// The shared object that stands before the C library's clocks.
const WALL_CLOCK: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/wall_clock.so"));

/// What a process is shown instead of its machine's clocks.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// UTC milliseconds since 1970 on every wall clock, frozen.
    pub wall_ms: i64,
    /// Milliseconds on every other clock, frozen; as usual when absent.
    pub uptime_ms: Option<i64>,
}

/// Where the shared object lies.
#[derive(Debug)]
pub struct ClockShim(PathBuf);

impl ClockShim {
    /// Writes the shared object into a folder.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn write(folder: &Path) -> Result<Self> {
        let path = folder.join("wall_clock.so");
        fs::write(&path, WALL_CLOCK).context("the clock's shared object")?;
        Ok(Self(path))
    }

    /// Runs a program under a clock and gives what it said. Its environment is the same each time.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn run<A: AsRef<OsStr>>(
        &self,
        program: &Path,
        arguments: &[A],
        shown: Shown,
    ) -> Result<Output> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("LD_PRELOAD", &self.0)
            .env("KENO_SHOWN_MS", shown.wall_ms.to_string())
            .stdin(Stdio::null());
        if let Some(uptime_ms) = shown.uptime_ms {
            command.env("KENO_SHOWN_UPTIME_MS", uptime_ms.to_string());
        }
        command.output().context("a process cannot be started")
    }
}

/// What the wall clock shows, asked for as any code may ask.
#[must_use]
#[expect(
    clippy::disallowed_methods,
    reason = "the question is what code that asks the machine's clock is told"
)]
pub fn machine_clock_ms() -> i64 {
    let now = std::time::SystemTime::now();
    now.duration_since(std::time::UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}

/// Makes `to` hold exactly what `from` holds, with the modes; what was in `to` is removed.
///
/// # Errors
/// What the operating system says.
pub fn restore(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            restore(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    Ok(())
}

/// Does `action` for each of `0..count` on `threads` threads; each thread has a number.
///
/// # Errors
/// The first failure.
pub fn side_by_side<T: Send>(
    count: usize,
    threads: usize,
    action: impl Fn(usize, usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let threads = threads.clamp(1, count.max(1));
    let action = &action;
    let mut all: Vec<(usize, T)> = Vec::with_capacity(count);
    let parts: Vec<Result<Vec<(usize, T)>>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    (thread..count)
                        .step_by(threads)
                        .map(|number| Ok((number, action(thread, number)?)))
                        .collect()
                })
            })
            .collect();
        let ended = || anyhow::anyhow!("a thread ended");
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| ended())?)
            .collect()
    });
    for part in parts {
        all.extend(part?);
    }
    all.sort_by_key(|(number, _)| *number);
    ensure!(all.len() == count, "something was left out");
    Ok(all.into_iter().map(|(_, outcome)| outcome).collect())
}

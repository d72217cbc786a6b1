//! Processes that are measured: what one holds in memory, and one that is run to its end.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::clock::now;

/// How often a process is asked what it holds; the kernel keeps the most, so that only what it
/// took after the last question is missed.
const LOOK_EVERY: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};
/// A megabyte, as people say it.
pub const MEGABYTE: f64 = 1_000_000.0;

/// Memory of a process that is in the machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Bytes now.
    pub resident: u64,
    /// The most bytes there were at once.
    pub peak: u64,
}

/// Bytes as megabytes.
#[expect(clippy::cast_precision_loss, reason = "bytes of memory or of a file")]
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / MEGABYTE
}

/// What a process holds.
///
/// # Errors
/// When it has ended, or `/proc` cannot be read.
pub fn memory(process: u32) -> io::Result<Memory> {
    let text = fs::read_to_string(format!("/proc/{process}/status"))?;
    of_status(&text)
        .ok_or_else(|| io::Error::other(format!("/proc/{process}/status says no memory")))
}

/// `VmRSS` and `VmHWM`, which the kernel says in KiB.
fn of_status(text: &str) -> Option<Memory> {
    let bytes = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let number = line.strip_suffix(" kB")?.trim();
        number.parse::<u64>().ok()?.checked_mul(1024)
    };
    Some(Memory {
        resident: bytes("VmRSS:")?,
        peak: bytes("VmHWM:")?,
    })
}

/// A program that has ended well.
#[derive(Debug, Clone, Copy)]
pub struct Ran {
    /// From its start to its end.
    pub took: Duration,
    /// The most bytes that it held, where that is known.
    pub peak: Option<u64>,
}

/// Runs a program to its end.
///
/// # Errors
/// Unless it ends well: with what it said.
pub fn run(program: &Path, arguments: &[&OsStr]) -> anyhow::Result<Ran> {
    let start = now();
    let child = Command::new(program)
        .args(arguments)
        .env("BOULIER_LOG", "warn")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    let pid = Pid::from_raw(i32::try_from(child.id())?).context("a process without a number")?;
    let ends = pidfd_open(pid, PidfdFlags::empty())?;
    let mut peak = None;
    loop {
        peak = memory(child.id()).map(|memory| memory.peak).ok().max(peak);
        let mut waited = [PollFd::new(&ends, PollFlags::IN)];
        if poll(&mut waited, Some(&LOOK_EVERY))? > 0 {
            break;
        }
    }
    let took = start.elapsed();
    let said = child.wait_with_output()?;
    ensure!(
        said.status.success(),
        "{} {:?} ended with {}:\n{}{}",
        program.display(),
        arguments,
        said.status,
        String::from_utf8_lossy(&said.stdout),
        String::from_utf8_lossy(&said.stderr)
    );
    Ok(Ran { took, peak })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_as_the_kernel_writes_it() {
        let text = "Name:\tx\nVmPeak:\t  900 kB\nVmHWM:\t     612 kB\nVmRSS:\t  \t 512 kB\n";
        let wanted = Memory {
            resident: 512 * 1024,
            peak: 612 * 1024,
        };
        assert_eq!(of_status(text), Some(wanted));
        assert_eq!(of_status("Name:\tx\n"), None);
        let own = memory(std::process::id()).unwrap();
        assert!(own.resident > 0 && own.peak >= own.resident);
    }

    #[test]
    fn a_program_that_fails_is_an_error_with_its_words() {
        let shell = Path::new("/bin/sh");
        let ran = run(shell, &["-c".as_ref(), "exit 0".as_ref()]).unwrap();
        assert!(ran.took > Duration::ZERO);
        let failed = run(shell, &["-c".as_ref(), "echo why >&2; exit 3".as_ref()]);
        assert!(failed.unwrap_err().to_string().contains("why"));
    }
}

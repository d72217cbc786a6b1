//! What other processes took of the processors while something was measured.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;

/// What a tick of `/proc` is on Linux.
const TICK_MICROSECONDS: u64 = 10_000;

/// Ticks of all processors, and of the processes that a measurement is about.
#[derive(Debug, Clone)]
pub struct Watch {
    processes: Vec<u32>,
    family: Option<u32>,
    start: Ticks,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Ticks {
    /// User, nice, system and stolen: what some program ran. What the kernel did for interrupts
    /// is left out: loopback traffic is most of it, and ours.
    busy: u64,
    /// Everything, idle too.
    all: u64,
    /// Of the processes that are watched.
    own: u64,
}

/// The share of all processors that other processes took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Others(f64);

impl Others {
    /// A share from 0 to 1.
    pub fn of(share: f64) -> Self {
        Self(share)
    }

    /// From 0 to 1.
    pub fn share(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Others {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.0} % of the processors", self.0 * 100.0)
    }
}

/// The median of several stretches; nothing of none.
pub fn median(stretches: &[Others]) -> Others {
    let shares: Vec<f64> = stretches.iter().map(|others| others.0).collect();
    Others(crate::ranks::median(&shares))
}

impl Watch {
    /// Begins to watch; `servers` are processes of the measurement besides this one.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub fn start(servers: &[u32]) -> io::Result<Self> {
        Self::start_with(servers, None)
    }

    /// As [`Self::start`], beside a server that gives each connection a process of its own: all of
    /// them count, and those that have ended.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub fn start_with(servers: &[u32], family: Option<u32>) -> io::Result<Self> {
        let mut processes = vec![std::process::id()];
        processes.extend(servers);
        let start = Ticks::read(&processes, family)?;
        Ok(Self {
            processes,
            family,
            start,
        })
    }

    /// Other servers are of the measurement from now on. Those of before were started by this
    /// process and have ended, so that what they took is counted with its own.
    pub fn follow(&mut self, servers: &[u32]) {
        self.processes.truncate(1);
        self.processes.extend(servers);
    }

    /// What others took since.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub fn others(&self) -> io::Result<Others> {
        let now = Ticks::read(&self.processes, self.family)?;
        let all = now.all.saturating_sub(self.start.all);
        let busy = now.busy.saturating_sub(self.start.busy);
        let own = now.own.saturating_sub(self.start.own);
        if all == 0 {
            return Ok(Others(0.0));
        }
        #[expect(clippy::cast_precision_loss, reason = "ticks of minutes")]
        let share = busy.saturating_sub(own) as f64 / all as f64;
        Ok(Others(share))
    }
}

impl Ticks {
    fn read(processes: &[u32], family: Option<u32>) -> io::Result<Self> {
        let mut ticks = of_all(&fs::read_to_string("/proc/stat")?)
            .ok_or_else(|| io::Error::other("/proc/stat has no line of all processors"))?;
        for process in processes {
            let text = fs::read_to_string(format!("/proc/{process}/stat"))?;
            ticks.own += of_family(&text)
                .ok_or_else(|| io::Error::other(format!("/proc/{process}/stat is cut short")))?;
        }
        if let Some(root) = family {
            ticks.own += of_tree(root)?;
        }
        Ok(ticks)
    }
}

/// Ticks of a process, of those that it has started and of those of them that have ended.
fn of_tree(root: u32) -> io::Result<u64> {
    let text = fs::read_to_string(format!("/proc/{root}/stat"))?;
    let mut ticks = of_family(&text).unwrap_or(0);
    for entry in fs::read_dir("/proc")? {
        // A process may end while the list is read; what is no process has no such file.
        if let Ok(text) = fs::read_to_string(entry?.path().join("stat"))
            && parent_of(&text) == Some(root)
        {
            ticks += of_process(&text).unwrap_or(0);
        }
    }
    Ok(ticks)
}

/// Microseconds of the processors that each kind of thread of a process has taken, by the
/// thread's name. The kernel counts in hundredths of a second.
///
/// # Errors
/// When `/proc` cannot be read.
pub fn by_thread(process: u32) -> io::Result<BTreeMap<String, u64>> {
    let mut threads = BTreeMap::new();
    for entry in fs::read_dir(format!("/proc/{process}/task"))? {
        // A thread may end while the list is read.
        let Ok(text) = fs::read_to_string(entry?.path().join("stat")) else {
            continue;
        };
        let name = text
            .split_once('(')
            .and_then(|(_, rest)| rest.rsplit_once(')'))
            .map_or("unknown", |(name, _)| name);
        *threads.entry(name.to_owned()).or_insert(0) +=
            of_process(&text).unwrap_or(0) * TICK_MICROSECONDS;
    }
    Ok(threads)
}

/// The first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal.
fn of_all(text: &str) -> Option<Ticks> {
    let line = text.lines().next()?.strip_prefix("cpu ")?;
    let fields: Vec<u64> = line
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let [user, nice, system, idle, iowait, irq, softirq, steal, ..] = fields[..] else {
        return None;
    };
    Some(Ticks {
        busy: user + nice + system + steal,
        all: user + nice + system + idle + iowait + irq + softirq + steal,
        own: 0,
    })
}

/// User and system ticks of a process or a thread; its name may hold spaces and parentheses.
fn of_process(text: &str) -> Option<u64> {
    summed(text, 2)
}

/// User and system ticks of a process, and of those that it started and that have ended.
fn of_family(text: &str) -> Option<u64> {
    summed(text, 4)
}

/// The sum of so many fields from the user's ticks on.
fn summed(text: &str, fields: usize) -> Option<u64> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut values = rest.split_whitespace().skip(11);
    let mut sum = 0;
    for _ in 0..fields {
        sum += values.next()?.parse::<u64>().ok()?;
    }
    Some(sum)
}

/// Who started a process.
fn parent_of(text: &str) -> Option<u32> {
    let (_, rest) = text.rsplit_once(')')?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_are_read_as_the_kernel_writes_them() {
        let all = of_all("cpu  100 1 50 800 9 2 3 5 0 0\ncpu0 1 2 3\n").unwrap();
        assert_eq!((all.busy, all.all), (156, 970));
        let stat = "7 (a) name) S 1 7 7 0 -1 4194560 100 0 0 0 30 12 0 0 20 0 9 0";
        assert_eq!((of_process(stat), of_family(stat)), (Some(42), Some(42)));
        let parent = stat.replace(" 30 12 0 0 ", " 30 12 5 3 ");
        assert_eq!(
            (of_process(&parent), of_family(&parent)),
            (Some(42), Some(50))
        );
        assert_eq!(of_process("7 (name) S 1"), None);
        assert_eq!(parent_of(stat), Some(1));
    }

    #[test]
    fn this_machine_answers() {
        let others = Watch::start(&[]).unwrap().others().unwrap();
        assert!((0.0..=1.0).contains(&others.share()));
    }
}

//! The log on stderr. The journal gets each line with its priority (`sd-daemon(3)`) and without a
//! time, which it adds itself; a person gets the time and no numbers.

use std::io::{self, Write};
use std::os::fd::AsFd;

use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// How grave a line is, as the journal counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    /// The program cannot do what it is for.
    Error,
    /// Someone should look.
    Warning,
    /// What happened.
    Info,
    /// For who looks for a fault.
    Debug,
}

impl Priority {
    /// The number of `syslog(3)`.
    const fn number(self) -> u8 {
        match self {
            Self::Error => 3,
            Self::Warning => 4,
            Self::Info => 6,
            Self::Debug => 7,
        }
    }
}

impl From<Level> for Priority {
    fn from(level: Level) -> Self {
        match level {
            Level::ERROR => Self::Error,
            Level::WARN => Self::Warning,
            Level::INFO => Self::Info,
            Level::DEBUG | Level::TRACE => Self::Debug,
        }
    }
}

/// Whether `stream` is the journal: `journal_stream` is what `JOURNAL_STREAM` says, device and
/// inode. A program whose output was led elsewhere still has the variable.
pub fn is_journal(stream: impl AsFd, journal_stream: Option<&str>) -> bool {
    let Some((device, inode)) = journal_stream.and_then(|text| text.split_once(':')) else {
        return false;
    };
    rustix::fs::fstat(stream)
        .is_ok_and(|about| device.parse() == Ok(about.st_dev) && inode.parse() == Ok(about.st_ino))
}

fn stderr_is_journal() -> bool {
    is_journal(
        io::stderr(),
        std::env::var("JOURNAL_STREAM").ok().as_deref(),
    )
}

/// Begins the log of a program, filtered as `BOULIER_LOG` says, or `otherwise`.
pub fn start(otherwise: &str) {
    let filter = EnvFilter::try_from_env("BOULIER_LOG").unwrap_or_else(|_| otherwise.into());
    let log = tracing_subscriber::fmt().with_env_filter(filter);
    if stderr_is_journal() {
        log.without_time()
            .with_level(false)
            .with_writer(Journal(io::stderr))
            .init();
    } else {
        log.with_writer(io::stderr).init();
    }
}

/// A line to stderr that is no part of the log, such as a hint: with its priority when the
/// journal reads it.
pub fn line(priority: Priority, text: &str) {
    // When nobody can read it, there is nobody to tell.
    if stderr_is_journal() {
        let _ = io::stderr().write_all(&with_priority(priority, text.as_bytes()));
    } else {
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// Each line of a text behind its priority: no text can give itself another.
fn with_priority(priority: Priority, text: &[u8]) -> Vec<u8> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let mut out = Vec::with_capacity(text.len() + 8);
    for one in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        out.extend_from_slice(format!("<{}>", priority.number()).as_bytes());
        out.extend_from_slice(one);
        out.push(b'\n');
    }
    out
}

/// Lines for the journal, to what `F` opens.
pub struct Journal<F>(pub F);

/// A line that is being written.
pub struct JournalLine<W> {
    out: W,
    priority: Priority,
}

impl<W: Write> Write for JournalLine<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        // An event comes whole, in one call.
        self.out.write_all(&with_priority(self.priority, text))?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<'a, W: Write, F: Fn() -> W> MakeWriter<'a> for Journal<F> {
    type Writer = JournalLine<W>;

    fn make_writer(&'a self) -> Self::Writer {
        JournalLine {
            out: (self.0)(),
            priority: Priority::Info,
        }
    }

    fn make_writer_for(&'a self, about: &Metadata<'_>) -> Self::Writer {
        JournalLine {
            out: (self.0)(),
            priority: (*about.level()).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn every_line_has_the_priority_of_its_event() {
        #[derive(Clone, Default)]
        struct Page(Arc<Mutex<Vec<u8>>>);
        impl Write for Page {
            fn write(&mut self, text: &[u8]) -> io::Result<usize> {
                self.0.lock().unwrap().write(text)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let page = Page::default();
        let to = page.clone();
        let log = tracing_subscriber::fmt()
            .with_max_level(Level::DEBUG)
            .without_time()
            .with_level(false)
            .with_target(false)
            .with_writer(Journal(move || to.clone()))
            .finish();
        tracing::subscriber::with_default(log, || {
            tracing::error!("one");
            tracing::warn!("two\n<0>three");
            tracing::info!("four");
            tracing::debug!("five");
        });
        let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.first(), Some(&"<3>one"));
        assert!(
            lines.contains(&"<6>four") && lines.contains(&"<7>five"),
            "{text}"
        );
        for line in &lines {
            let grave = line.get(..3);
            assert!(
                ["<3>", "<4>", "<6>", "<7>"].map(Some).contains(&grave),
                "{line:?} gave itself a priority"
            );
        }
    }

    #[test]
    fn the_journal_is_known_by_its_stream_and_not_by_a_variable_alone() {
        let (one, other) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        let about = rustix::fs::fstat(&one).unwrap();
        let said = format!("{}:{}", about.st_dev, about.st_ino);
        assert!(is_journal(&one, Some(&said)));
        assert!(!is_journal(&other, Some(&said)));
        assert!(!is_journal(&one, None));
        for nonsense in ["", ":", "1", "x:y", "-1:2"] {
            assert!(!is_journal(&one, Some(nonsense)));
        }
    }
}

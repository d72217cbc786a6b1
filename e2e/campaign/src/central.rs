//! The real `keno-central` as a child process: started, frozen, killed.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};

use crate::clock::{Stopwatch, pass};

/// Central that is not ready by then will not be.
const READY_AT_MOST: Duration = Duration::from_secs(60);
/// Lines of its notes that are kept.
const NOTES_MAX: usize = 60;

/// A central that runs.
#[derive(Debug)]
pub struct Running {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it listens with TLS, if it does.
    pub tls: Option<SocketAddr>,
    /// Where it listens with TLS for everybody, when the house has that.
    pub public: Option<SocketAddr>,
    /// From exec to the first good answer of `/healthz`.
    pub ready_after: Duration,
    notes: Arc<Mutex<Vec<String>>>,
}

/// The program beside our own executable, where cargo puts both.
///
/// # Errors
/// When it is not there.
pub fn program_beside() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("our own program has no path")?;
    let found = own
        .ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join("keno-central"))
        .find(|path| path.is_file());
    found.context(
        "keno-central is not beside this program; build it in the same profile: cargo build \
         --release -p keno-central -p keno-campaign, or name it with --central",
    )
}

/// A copy of the program in a folder: a build that goes on meanwhile changes nothing.
///
/// # Errors
/// When it cannot be copied.
pub fn copied(program: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let copy = folder.join("keno-central");
    std::fs::copy(program, &copy)
        .with_context(|| format!("{} cannot be copied", program.display()))?;
    Ok(copy)
}

impl Running {
    /// Starts central on a data folder and waits for its first good answer.
    ///
    /// # Errors
    /// When it ends or is silent instead, with what it said.
    pub fn start(program: &Path, data: &Path) -> anyhow::Result<Self> {
        let since = Stopwatch::start();
        let mut child = Command::new(program)
            .args(["serve", "--data"])
            .arg(data)
            .env("BOULIER_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be run", program.display()))?;
        let stderr = child.stderr.take().context("central has no stderr")?;
        let notes: Arc<Mutex<Vec<String>>> = Arc::default();
        let (tell, told) = mpsc::channel();
        let kept = Arc::clone(&notes);
        std::thread::spawn(move || {
            let (mut tls, mut public) = (None, None);
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                tls = tls.or_else(|| tls_address_in(&line));
                public = public.or_else(|| public_address_in(&line));
                if let Some(address) = address_in(&line) {
                    let _ = tell.send((address, tls, public));
                }
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == NOTES_MAX {
                    kept.remove(0);
                }
                kept.push(line);
            }
        });
        let mut running = Self {
            child,
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            tls: None,
            public: None,
            ready_after: Duration::ZERO,
            notes,
        };
        match told.recv_timeout(READY_AT_MOST) {
            Ok(all) => (running.address, running.tls, running.public) = all,
            Err(_) => bail!("central does not listen:\n{}", running.notes()),
        }
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .proxy(None)
            .timeout_global(Some(Duration::from_secs(5)))
            .build()
            .into();
        let question = format!("http://{}/healthz", running.address);
        while agent.get(&question).call().is_err() {
            if since.elapsed() > READY_AT_MOST {
                bail!("central is not ready:\n{}", running.notes());
            }
            pass(Duration::from_millis(1));
        }
        running.ready_after = since.elapsed();
        Ok(running)
    }

    /// The last lines that it wrote.
    pub fn notes(&self) -> String {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.join("\n")
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, signal);
        }
    }

    /// From now on it may have so many descriptors and no more.
    ///
    /// # Errors
    /// When the system does not let that be said.
    pub fn may_open(&self, descriptors: u64) -> anyhow::Result<()> {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let limit = Rlimit {
            current: Some(descriptors),
            maximum: Some(descriptors),
        };
        prlimit(pid, Resource::Nofile, limit).context("descriptors cannot be limited")?;
        Ok(())
    }

    /// Stops every thread of it where it stands.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    /// Kills it with SIGKILL, without waiting until it is gone.
    pub fn kill_now(&self) {
        self.signal(Signal::KILL);
    }

    /// Kills it with SIGKILL and waits until it is gone.
    pub fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// The address in the line by which central says that it listens.
fn address_in(line: &str) -> Option<SocketAddr> {
    line.strip_prefix("central listens on http://")?
        .trim_end_matches('/')
        .parse()
        .ok()
}

/// The same of the line before it, which a central with TLS says.
fn tls_address_in(line: &str) -> Option<SocketAddr> {
    line.strip_prefix("central listens with TLS on https://")?
        .trim_end_matches('/')
        .parse()
        .ok()
}

/// The same of the line after that, of the door for everybody.
fn public_address_in(line: &str) -> Option<SocketAddr> {
    line.strip_prefix("the public comes by https://")?
        .trim_end_matches('/')
        .parse()
        .ok()
}

/// Exports the record by the program's own command.
///
/// # Errors
/// When the command fails, with what it said.
pub fn export(program: &Path, data: &Path, out: &Path) -> anyhow::Result<Vec<u8>> {
    let output = Command::new(program)
        .args(["export", "--data"])
        .arg(data)
        .arg("--out")
        .arg(out)
        .stdin(Stdio::null())
        .output()
        .context("the export cannot be run")?;
    if !output.status.success() {
        bail!(
            "the export failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    std::fs::read(out).context("the export cannot be read")
}

#[cfg(test)]
mod tests {
    use super::{address_in, tls_address_in};

    #[test]
    fn the_line_that_says_where_central_listens_is_read() {
        let address = address_in("central listens on http://127.0.0.1:40123/");
        assert_eq!(address, Some(([127, 0, 0, 1], 40_123).into()));
        assert_eq!(address_in("hint: something else"), None);
        let with_tls = "central listens with TLS on https://127.0.0.1:40124/";
        assert_eq!(address_in(with_tls), None);
        assert_eq!(
            tls_address_in(with_tls),
            Some(([127, 0, 0, 1], 40_124).into())
        );
    }
}

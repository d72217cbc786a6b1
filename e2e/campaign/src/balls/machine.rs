//! The simulated ball machine as a child process: killed with SIGKILL, and started again where it was,
//! with the balls of the same seed or of another.

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;
use keno_draw_machine::simulator::{Simulator, Trouble};

/// The set of balls that it names.
const SET: &str = "A";

/// How central reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Wire {
    /// TCP.
    Network,
    /// A pseudo-terminal.
    Serial,
}

/// The balls of a draw, as the machine of a seed draws them.
pub(super) fn balls_of(seed: u64, draw: u64) -> Vec<u8> {
    Simulator::new(seed, SET, 0, Trouble::None).balls(draw)
}

/// Where the machine stands: its wire, and the file that says what lies in its tubes.
#[derive(Debug)]
pub(super) struct Machine {
    program: PathBuf,
    tubes: PathBuf,
    place: Place,
    running: Option<Child>,
}

#[derive(Debug)]
enum Place {
    /// The same port at each start.
    Network(SocketAddr),
    /// A link to the pseudo-terminal of the last start.
    Serial(PathBuf),
}

impl Machine {
    /// A place for a machine in a folder; it does not run yet.
    ///
    /// # Errors
    /// When no port is free.
    pub(super) fn new(program: &Path, wire: Wire, folder: &Path) -> anyhow::Result<Self> {
        let place = match wire {
            // Free now; where it is taken at a start the campaign ends.
            Wire::Network => Place::Network(TcpListener::bind("127.0.0.1:0")?.local_addr()?),
            Wire::Serial => Place::Serial(folder.join("ball-line")),
        };
        Ok(Self {
            program: program.to_owned(),
            tubes: folder.join("tubes"),
            place,
            running: None,
        })
    }

    /// What the house file says of it.
    pub(super) fn in_house(&self) -> String {
        let place = match &self.place {
            Place::Network(address) => format!("address = \"{address}\""),
            // A pseudo-terminal has no speed; one is said all the same.
            Place::Serial(link) => {
                format!("device = {:?}\nbauds = 115200", link.display().to_string())
            }
        };
        format!("\n[ball_machine]\nname = \"k-1\"\n{place}\n")
    }

    /// So many balls of a draw lie in the tubes.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(super) fn falls(&self, draw: u64, count: u8) -> anyhow::Result<()> {
        // Whole or not at all: it is read at any moment.
        let next = self.tubes.with_extension("next");
        std::fs::write(&next, format!("{draw} {count}\n"))?;
        std::fs::rename(&next, &self.tubes)?;
        Ok(())
    }

    /// Starts it, with the balls of a seed.
    ///
    /// # Errors
    /// When it does not say where it is.
    pub(super) fn start(&mut self, seed: u64) -> anyhow::Result<()> {
        let mut command = Command::new(&self.program);
        command
            .args(["simulate", "--set", SET, "--seed", &seed.to_string()])
            .arg("--tubes")
            .arg(&self.tubes);
        match &self.place {
            Place::Network(address) => command.args(["--listen", &address.to_string()]),
            Place::Serial(_) => command.arg("--pty"),
        };
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be run", self.program.display()))?;
        let stdout = child.stdout.take().context("the machine has no stdout")?;
        self.running = Some(child);
        let mut said = String::new();
        BufReader::new(stdout).read_line(&mut said)?;
        let said = said.trim_end();
        match (&self.place, said.split_once('\t')) {
            (Place::Network(_), Some(("listening", _))) => Ok(()),
            (Place::Serial(link), Some(("device", device))) => {
                let next = link.with_extension("next");
                symlink(device, &next)?;
                std::fs::rename(&next, link)?;
                Ok(())
            }
            _ => anyhow::bail!("the ball machine does not start: {said:?}"),
        }
    }

    /// Kills it, and waits until it is gone.
    pub(super) fn kill(&mut self) {
        // The system gives the number of a pseudo-terminal to the next that asks for one, and that may be
        // the machine of another house.
        if let Place::Serial(link) = &self.place {
            let _ = std::fs::remove_file(link);
        }
        if let Some(mut child) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.kill();
    }
}

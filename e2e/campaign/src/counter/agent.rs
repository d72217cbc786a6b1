//! The real `keno-terminal serve` as a child process, asked as its pages ask.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use ureq::Agent as Client;

use crate::clock::Stopwatch;

/// An agent that is not there by then will not be.
const READY_AT_MOST: Duration = Duration::from_secs(30);
/// A page that waits longer calls it lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// An agent that runs.
#[derive(Debug)]
pub struct Agent {
    child: Child,
    address: SocketAddr,
    client: Client,
}

/// The program beside our own executable, where cargo puts both.
///
/// # Errors
/// When it is not there.
pub fn program_beside() -> anyhow::Result<PathBuf> {
    let central = crate::central::program_beside()?;
    let terminal = central.with_file_name("keno-terminal");
    if !terminal.is_file() {
        bail!("keno-terminal is not beside this program; build it in the same profile");
    }
    Ok(terminal)
}

impl Agent {
    /// Starts the agent of a settings file and waits until its pages are there.
    ///
    /// # Errors
    /// When it ends or is silent instead.
    pub fn start(program: &Path, settings: &Path) -> anyhow::Result<Self> {
        let mut child = Command::new(program)
            .arg("--config")
            .arg(settings)
            .arg("serve")
            .env("BOULIER_LOG", "off")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be run", program.display()))?;
        let stderr = child.stderr.take().context("the agent has no stderr")?;
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let address = line
                    .split_once("pages at http://")
                    .and_then(|(_, rest)| rest.trim_end_matches('/').parse().ok());
                let _ = tell.send(address.ok_or(line));
            }
        });
        let mut said = String::new();
        loop {
            match told.recv_timeout(READY_AT_MOST) {
                Ok(Ok(address)) => {
                    let client = Client::config_builder()
                        .http_status_as_error(false)
                        .proxy(None)
                        .max_idle_connections(0)
                        .timeout_global(Some(PATIENCE))
                        .build()
                        .into();
                    return Ok(Self {
                        child,
                        address,
                        client,
                    });
                }
                Ok(Err(line)) => {
                    said.push_str(&line);
                    said.push('\n');
                }
                Err(_) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    bail!("the agent does not start:\n{said}");
                }
            }
        }
    }

    /// Number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// A way to give it commands from another thread.
    pub fn pages(&self) -> Pages {
        Pages {
            client: self.client.clone(),
            address: self.address,
        }
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

impl Drop for Agent {
    fn drop(&mut self) {
        self.end();
    }
}

/// The pages of an agent.
#[derive(Debug, Clone)]
pub struct Pages {
    client: Client,
    address: SocketAddr,
}

impl Pages {
    /// Gives a command; none when nobody answered.
    pub fn does(&self, command: &str, body: &Value) -> Option<Value> {
        self.client
            .post(format!("http://{}/agent/{command}", self.address))
            .header("Boulier-Page", "1")
            // An office asks where a form comes from.
            .header("Origin", format!("http://{}", self.address))
            .header("Sec-Fetch-Site", "same-origin")
            .send_json(body)
            .ok()?
            .body_mut()
            .read_json()
            .ok()
    }

    /// `GET /agent/{what}`; none when nobody answered.
    pub fn reads(&self, what: &str) -> Option<Value> {
        self.client
            .get(format!("http://{}/agent/{what}", self.address))
            .call()
            .ok()?
            .body_mut()
            .read_json()
            .ok()
    }

    /// What the pages see; after a change when one is named. None when nobody answered.
    pub fn state(&self, after: Option<u64>) -> Option<Value> {
        let query = after.map_or_else(String::new, |after| format!("?after={after}"));
        self.client
            .get(format!("http://{}/agent/state{query}", self.address))
            .call()
            .ok()?
            .body_mut()
            .read_json()
            .ok()
    }

    /// The state once it is so.
    ///
    /// # Errors
    /// When it is not so within so long, with the last one.
    pub fn until(&self, within: Duration, is_so: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
        let since = Stopwatch::start();
        let mut state = json!(null);
        while since.elapsed() < within {
            let after = state["change"].as_u64();
            match self.state(after) {
                Some(next) if is_so(&next) => return Ok(next),
                Some(next) => state = next,
                None => bail!("the agent does not answer"),
            }
        }
        bail!("it never came to that: {state}")
    }
}

//! A draw desk: the real agent of a device with that role, and whoever sits at it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use serde_json::{Value, json};

use crate::clock::{Stopwatch, pass};
use crate::counter::agent::{Agent, Pages};
use crate::founded::pin_of;

/// A desk that shows nothing by then will not.
const SHOWS_AT_MOST: Duration = Duration::from_secs(30);

/// What became of what was asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// Done; the reply.
    Done(Value),
    /// Refused, by its name.
    Refused(String),
    /// Nobody can say.
    Lost,
}

impl Said {
    fn of(answer: Option<Value>) -> Self {
        let Some(answer) = answer else {
            return Self::Lost;
        };
        match answer["name"].as_str() {
            Some("central_away" | "central_unanswered") => Self::Lost,
            Some(name) if answer["status"].is_number() || answer["exit"].is_null() => {
                Self::Refused(name.to_owned())
            }
            _ => Self::Done(answer),
        }
    }
}

/// A desk.
#[derive(Debug)]
pub(super) struct Desk {
    /// Who sits at it.
    pub(super) badge: &'static str,
    program: PathBuf,
    settings: PathBuf,
    agent: Option<Agent>,
}

impl Desk {
    /// A desk with its settings in a folder; its agent does not run yet.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub(super) fn new(
        program: &Path,
        folder: &Path,
        central: &str,
        (device, key): (u32, &str),
        badge: &'static str,
    ) -> anyhow::Result<Self> {
        let own = folder.join(format!("desk-{device}"));
        std::fs::create_dir_all(&own)?;
        let settings = own.join("terminal.toml");
        let path = |name: &str| own.join(name).display().to_string();
        std::fs::write(
            &settings,
            format!(
                "role = \"desk\"\ncentral = \"{central}\"\nlisten = \"127.0.0.1:0\"\n\
                 device = {device}\ndevice_key = \"{key}\"\njournal = {:?}\ntrust = {:?}\n",
                path("journal"),
                path("trust"),
            ),
        )?;
        Ok(Self {
            badge,
            program: program.to_owned(),
            settings,
            agent: None,
        })
    }

    /// Starts its agent, and waits until it shows the draws to whoever sits at it, signed on as before
    /// or anew.
    ///
    /// # Errors
    /// When it does not come to that.
    pub(super) fn start(&mut self) -> anyhow::Result<()> {
        self.agent = Some(Agent::start(&self.program, &self.settings)?);
        self.is_there()
    }

    /// Waits until it shows the draws.
    ///
    /// # Errors
    /// When it does not come to that.
    pub(super) fn is_there(&self) -> anyhow::Result<()> {
        let since = Stopwatch::start();
        loop {
            match self.reads() {
                Said::Done(_) => return Ok(()),
                Said::Refused(_) => self.sign_on()?,
                Said::Lost => pass(Duration::from_millis(5)),
            }
            if since.elapsed() > SHOWS_AT_MOST {
                bail!(
                    "the desk of {} shows nothing: {:?}",
                    self.badge,
                    self.reads()
                );
            }
        }
    }

    fn sign_on(&self) -> anyhow::Result<()> {
        let Some(pages) = self.pages() else {
            bail!("the desk of {} has no agent", self.badge);
        };
        pages.until(SHOWS_AT_MOST, |state| {
            state["central"]["state"] == "trusted"
        })?;
        let body = json!({"badge": self.badge, "pin": pin_of(self.badge)});
        let said = pages.does("sign-on", &body);
        match said.as_ref().map(|said| &said["exit"]) {
            Some(exit) if exit == "done" => Ok(()),
            // Central went away just then: it is asked again.
            _ if said.as_ref().is_none_or(is_away) => Ok(()),
            _ => bail!("{} cannot sign on: {said:?}", self.badge),
        }
    }

    fn pages(&self) -> Option<Pages> {
        self.agent.as_ref().map(Agent::pages)
    }

    /// Kills its agent, and waits until it is gone.
    pub(super) fn kill(&mut self) {
        self.agent.take().into_iter().for_each(Agent::kill);
    }

    /// Whether its agent runs.
    pub(super) const fn is_up(&self) -> bool {
        self.agent.is_some()
    }

    fn reads(&self) -> Said {
        Said::of(self.pages().and_then(|pages| pages.reads("desk")))
    }

    /// A draw as the desk shows it, while it is under way. A desk that hears nothing is read again.
    pub(super) fn sees(&self, draw: u64) -> Option<Value> {
        let since = Stopwatch::start();
        let desk = loop {
            match self.reads() {
                Said::Done(desk) => break desk,
                Said::Lost if since.elapsed() < SHOWS_AT_MOST => pass(Duration::from_millis(5)),
                Said::Lost | Said::Refused(_) => return None,
            }
        };
        let mut draws = desk["draws"].as_array()?.iter();
        draws.find(|it| it["draw"]["draw"]["draw"] == draw).cloned()
    }

    /// Asks something of a draw.
    pub(super) fn asks(&self, draw: u64, what: &str, body: &Value) -> Said {
        let pages = self.pages();
        Said::of(pages.and_then(|pages| pages.does(&format!("draws/{draw}/{what}"), body)))
    }

    /// The same from another thread, so that something can happen while it is asked.
    pub(super) fn asks_apart(
        &self,
        draw: u64,
        what: &str,
        body: &Value,
    ) -> std::thread::JoinHandle<Said> {
        let (pages, path) = (self.pages(), format!("draws/{draw}/{what}"));
        let body = body.clone();
        std::thread::spawn(move || Said::of(pages.and_then(|pages| pages.does(&path, &body))))
    }
}

fn is_away(said: &Value) -> bool {
    let name = said["name"].as_str().or_else(|| said["exit"].as_str());
    name.is_some_and(|name| name.starts_with("central_") || name.starts_with("in_doubt"))
}

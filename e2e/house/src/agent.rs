//! The long-lived agent of a terminal, asked as its pages ask.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use keno_terminal::config::{Config, Role};
use keno_terminal::printer::Timing;
use keno_terminal::serve::{Running, Surroundings, start};
use serde_json::{Value, json};

use crate::counter::Counter;
use crate::house::House;
use crate::http::{Answer, Request};

/// How often a state is looked at before it is given up: each look waits up to two seconds.
const LOOKS_MAX: usize = 60;

/// An agent at work on the folder of a counter.
pub struct AtWork(Option<Running>);

/// How an agent differs from the usual one.
#[derive(Debug, Clone, Copy)]
pub struct How {
    /// What the device is.
    pub role: Role,
    /// After so long without an answer a command is in doubt, and central away.
    pub patience: Duration,
    /// How far its clock is before central's, in milliseconds.
    pub ahead_ms: i64,
}

impl Default for How {
    /// A counter with all the patience of the world.
    fn default() -> Self {
        Self {
            role: Role::Pos,
            patience: Duration::from_secs(60),
            ahead_ms: 0,
        }
    }
}

impl AtWork {
    /// The agent of a counter, by the clock of its house, once it has heard of central.
    pub fn start(house: &House, counter: &Counter) -> Self {
        let agent = Self::start_as(house, counter, How::default());
        agent.until_central("trusted");
        agent
    }

    /// As [`Self::start`], without waiting for anything.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_as(house: &House, counter: &Counter, how: How) -> Self {
        Self::try_start(house, counter, how).unwrap()
    }

    /// As [`Self::start_as`].
    ///
    /// # Errors
    /// When it does not start.
    pub fn try_start(house: &House, counter: &Counter, how: How) -> Result<Self, String> {
        Self::on(house, counter.settings(), counter.printer_patience, how)
    }

    /// The agent of any settings, by the clock of its house.
    ///
    /// # Errors
    /// When it does not start.
    pub fn on(
        house: &House,
        mut settings: Config,
        patient: Duration,
        how: How,
    ) -> Result<Self, String> {
        settings.listen = ([127, 0, 0, 1], 0).into();
        settings.role = how.role;
        let clock = Arc::clone(&house.clock);
        let surroundings = Surroundings {
            wall: Arc::new(move || keno_record::clock::Clock::now_ms(&*clock) + how.ahead_ms),
            time: crate::secure::noon,
            answer: how.patience,
            heartbeat: how.patience,
            printer: Some(Timing {
                connect: patient,
                status: patient,
                confirmation: patient,
                // The fake and the virtual printer print in no time.
                millimetres_per_second: u32::MAX,
            }),
        };
        match start(&settings, &surroundings) {
            Ok(running) => Ok(Self(Some(running))),
            Err(error) => Err(format!("{error:#}")),
        }
    }

    fn running(&self) -> &Running {
        self.0.as_ref().expect("it has not been stopped")
    }

    /// Where its pages are.
    pub fn address(&self) -> SocketAddr {
        self.running().address
    }

    /// The question of its watchdog.
    pub fn is_at_work(&self) -> impl FnMut() -> bool + Send + use<> {
        self.running().is_at_work()
    }

    /// Stops it in order.
    pub fn stop(mut self) {
        if let Some(running) = self.0.take() {
            running.stop();
        }
    }

    /// Asks with these headers.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let body = if method == "GET" {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        let at = self.address();
        let mut request = Request::new(method, path, headers, body);
        // As a browser names it.
        request.head = request
            .head
            .replace("host: 127.0.0.1\r\n", &format!("host: {at}\r\n"));
        request.ask(at)
    }

    /// Sends a request as it is.
    pub fn sends(&self, request: &Request) -> Answer {
        request.ask(self.running().address)
    }

    /// What the pages see.
    pub fn state(&self) -> Value {
        let answer = self.ask("GET", "/agent/state", &[], &Value::Null);
        assert_eq!(answer.status, 200);
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// The state once it is as wanted.
    ///
    /// # Panics
    /// When it never is.
    pub fn until(&self, is_so: impl Fn(&Value) -> bool) -> Value {
        let mut state = self.state();
        for _ in 0..LOOKS_MAX {
            if is_so(&state) {
                return state;
            }
            let path = format!("/agent/state?after={}", state["change"]);
            let answer = self.ask("GET", &path, &[], &Value::Null);
            state = serde_json::from_slice(&answer.body).unwrap();
        }
        panic!("it never came to that: {state:#}");
    }

    /// Waits until central stands so.
    pub fn until_central(&self, wanted: &str) -> Value {
        self.until(|state| state["central"]["state"] == wanted)
    }

    /// Waits until these stages are open, and nothing else.
    pub fn until_open(&self, stages: &[&str]) -> Value {
        self.until(|state| stages_of(state) == stages && state["busy"].is_null())
    }

    /// Gives a command as a page does.
    pub fn does(&self, command: &str, body: &Value) -> Said {
        let answer = self.ask(
            "POST",
            &format!("/agent/{command}"),
            &[("boulier-page", "1")],
            body,
        );
        Said {
            status: answer.status,
            reply: serde_json::from_slice(&answer.body).unwrap(),
        }
    }

    /// Sells the text of a slip at the price that a page is told, confirmed as the biggest sale is.
    pub fn sells(&self, slip: &str) -> Said {
        let slip: Value = serde_json::from_str(slip).unwrap();
        // Central tells what is on sale a moment after it is there.
        self.until(|state| state["sale"]["next"].is_object());
        let told = self.does("draft", &json!({ "slip": slip }));
        let total_cents = told.reply["draft"]["total_cents"].clone();
        self.does(
            "sales",
            &json!({
                "slip": slip,
                "total_cents": total_cents,
                "confirm": "typed",
                "typed_cents": total_cents,
            }),
        )
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        if let Some(running) = self.0.take() {
            running.stop();
        }
    }
}

/// Stages of what is open, oldest first.
pub fn stages_of(state: &Value) -> Vec<&str> {
    let open = state["open"].as_array().expect("a list");
    open.iter()
        .map(|item| item["stage"].as_str().unwrap())
        .collect()
}

/// What a command came to.
#[derive(Debug)]
pub struct Said {
    /// Status of the answer.
    pub status: u16,
    /// The answer.
    pub reply: Value,
}

impl Said {
    /// The same, after seeing that it ended so.
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn ended(self, exit: &str) -> Self {
        assert_eq!(self.reply["exit"], exit, "{:#}", self.reply);
        self
    }

    /// The same, after seeing that it was refused by that name.
    ///
    /// # Panics
    /// When it was not.
    #[track_caller]
    pub fn refused(self, name: &str) -> Self {
        assert_eq!(self.reply["name"], name, "{:#}", self.reply);
        self
    }

    /// The same, after seeing that all of these were said.
    ///
    /// # Panics
    /// When one was not.
    #[track_caller]
    pub fn said(self, words: &[&str]) -> Self {
        let all = self.reply.to_string().replace('\u{A0}', " ");
        for word in words {
            assert!(all.contains(word), "{word:?} was not said: {all}");
        }
        self
    }
}

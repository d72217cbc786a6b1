//! Central's public door as a device uses it: JSON under `/api/v1`, on a connection that is kept.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;

/// A device that waits longer calls it lost. Nothing here is slow but a machine under load.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a request came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Done; the reply.
    Done(Value),
    /// Central says no: nothing was done. The stable name of the problem.
    Refused(String),
    /// Nobody can say: no answer, or one that says so itself.
    Lost,
}

/// A way to central.
#[derive(Debug, Clone)]
pub struct Door {
    agent: Agent,
    address: SocketAddr,
    device: Option<String>,
    /// `number.token` of the session, once signed on.
    pub session: Option<String>,
}

fn agent() -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .max_redirects(0)
        .timeout_global(Some(PATIENCE))
        .build()
        .into()
}

impl Door {
    /// The way of a device that proves itself with its key.
    pub fn of_device(address: SocketAddr, device: u32, key: &str) -> Self {
        Self {
            agent: agent(),
            address,
            device: Some(format!("{device}.{key}")),
            session: None,
        }
    }

    /// The way of anyone.
    pub fn of_anyone(address: SocketAddr) -> Self {
        Self {
            agent: agent(),
            address,
            device: None,
            session: None,
        }
    }

    /// Central is elsewhere now.
    pub fn moved(&mut self, address: SocketAddr) {
        self.address = address;
        // Connections to the dead one are of no use.
        self.agent = agent();
    }

    /// `POST /api/v1{path}`.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let mut call = self
            .agent
            .post(format!("http://{}/api/v1{path}", self.address));
        if let Some(device) = &self.device {
            call = call.header("Boulier-Device", device);
        }
        if let Some(session) = &self.session {
            call = call.header("Boulier-Session", session);
        }
        read(call.send_json(body))
    }

    /// `GET /api/v1{path}`.
    pub fn get(&self, path: &str) -> Answer {
        let address = format!("http://{}/api/v1{path}", self.address);
        let mut call = self.agent.get(address);
        if let Some(device) = &self.device {
            call = call.header("Boulier-Device", device);
        }
        read(call.call())
    }

    /// What a board of the hall is told when it comes: the first event of `/live`. None when nobody
    /// answers.
    pub fn board(&self) -> Option<Value> {
        let mut answer = self
            .agent
            .get(format!("http://{}/live", self.address))
            .call()
            .ok()?;
        let lines = BufReader::new(answer.body_mut().as_reader()).lines();
        let mut data = lines
            .map_while(Result::ok)
            .filter_map(|line| line.strip_prefix("data:").map(str::to_owned));
        serde_json::from_str(&data.next()?).ok()
    }
}

fn read(answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let Ok(mut answer) = answer else {
        return Answer::Lost;
    };
    let status = answer.status();
    let Ok(body) = answer.body_mut().read_json::<Value>() else {
        return Answer::Lost;
    };
    if status.is_success() {
        return Answer::Done(body);
    }
    // As the terminal reads it: 4xx, and 503, which says that this request did nothing.
    if status.is_client_error() || status.as_u16() == 503 {
        let kind = body.get("type").and_then(Value::as_str).unwrap_or("");
        let name = kind.rsplit('/').next().unwrap_or(kind);
        return Answer::Refused(name.to_owned());
    }
    Answer::Lost
}

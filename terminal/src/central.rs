//! Central, by HTTP: requests, and what their absence of an answer means.

use std::io;
use std::time::Duration;

use keno_wire::Problem;
use keno_wire::reply::Bilingual;
use keno_wire::version::AGENT_HEADER;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use ureq::Agent;

/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A session at central, as it is kept between two commands.
#[derive(Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Session {
    /// Its number.
    pub session: u64,
    /// The token for the header.
    pub token: String,
    /// Who signed on.
    pub badge: String,
}

/// How long to wait for central.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For a whole answer.
    pub answer: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(1),
            answer: Duration::from_secs(5),
        }
    }
}

/// A call that did not give a reply.
#[derive(Debug, Error)]
pub enum CallFault {
    /// Central answered no. Nothing was recorded.
    #[error("central refused: {}", .0.name())]
    Refused(Box<Problem>),
    /// The request certainly never arrived.
    #[error("central cannot be reached")]
    Unreachable(#[source] Box<ureq::Error>),
    /// The request may have arrived; there is no answer that can be read.
    #[error("central did not answer")]
    Lost(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The way to central.
pub struct Central {
    agent: Agent,
    base: String,
    device: String,
    session: Option<Session>,
}

/// True when the error says that no byte of the request can have been taken.
fn never_arrived(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::HostNotFound | ureq::Error::ConnectionFailed | ureq::Error::BadUri(_) => true,
        ureq::Error::Io(error) => error.kind() == io::ErrorKind::ConnectionRefused,
        ureq::Error::Timeout(stage) => {
            matches!(stage, ureq::Timeout::Connect | ureq::Timeout::Resolve)
        }
        _ => false,
    }
}

impl Central {
    /// A way to central for a device; nothing is sent yet.
    pub fn new(base: &str, device: u64, key: &str, patience: Patience) -> Self {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            // A proxy named in the environment would see keys and claim codes.
            .proxy(None)
            .max_redirects(0)
            // A connection that was kept may be dead, and its error would be a doubt.
            .max_idle_connections(0)
            .timeout_connect(Some(patience.connect))
            .timeout_global(Some(patience.answer))
            .build()
            .new_agent();
        Self {
            agent,
            base: base.trim_end_matches('/').to_owned(),
            device: format!("{device}.{key}"),
            session: None,
        }
    }

    /// The session that the next calls are made in.
    pub fn set_session(&mut self, session: Option<Session>) {
        self.session = session;
    }

    /// The session that calls are made in.
    pub const fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// `POST /api/v1{path}`.
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn post<Q: Serialize, R: DeserializeOwned>(
        &self,
        path: &str,
        request: &Q,
    ) -> Result<R, CallFault> {
        let mut call = self
            .agent
            .post(format!("{}/api/v1{path}", self.base))
            .header("Accept", "application/json, application/problem+json")
            .header("Boulier-Device", &self.device)
            .header(AGENT_HEADER, env!("CARGO_PKG_VERSION"));
        if let Some(session) = &self.session {
            call = call.header(
                "Boulier-Session",
                format!("{}.{}", session.session, session.token),
            );
        }
        read_answer(call.send_json(request))
    }

    /// `GET {path}`: a JSON document that anyone may read.
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn get<R: DeserializeOwned>(&self, path: &str) -> Result<R, CallFault> {
        read_answer(self.agent.get(format!("{}{path}", self.base)).call())
    }

    /// `GET {path}`: a text that anyone may read.
    ///
    /// # Errors
    /// A [`CallFault`]; an answer that is no success is [`CallFault::Lost`].
    pub fn get_text(&self, path: &str) -> Result<String, CallFault> {
        let mut answer = match self.agent.get(format!("{}{path}", self.base)).call() {
            Ok(answer) => answer,
            Err(error) if never_arrived(&error) => {
                return Err(CallFault::Unreachable(Box::new(error)));
            }
            Err(error) => return Err(CallFault::Lost(Box::new(error))),
        };
        if !answer.status().is_success() {
            return Err(CallFault::Lost(
                format!("central answered with status {}", answer.status().as_u16()).into(),
            ));
        }
        answer
            .body_mut()
            .with_config()
            .limit(ANSWER_BYTES_MAX)
            .read_to_string()
            .map_err(|error| CallFault::Lost(Box::new(error)))
    }

    /// `GET {path}`: is anybody there?
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn is_alive(&self) -> Result<bool, CallFault> {
        let answer = self.agent.get(format!("{}/healthz", self.base)).call();
        match answer {
            Ok(answer) => Ok(answer.status().is_success()),
            Err(error) if never_arrived(&error) => Err(CallFault::Unreachable(Box::new(error))),
            Err(error) => Err(CallFault::Lost(Box::new(error))),
        }
    }
}

fn read_answer<R: DeserializeOwned>(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<R, CallFault> {
    let mut answer = match answer {
        Ok(answer) => answer,
        Err(error) if never_arrived(&error) => {
            return Err(CallFault::Unreachable(Box::new(error)));
        }
        Err(error) => return Err(CallFault::Lost(Box::new(error))),
    };
    let status = answer.status();
    let is_problem = answer.body().mime_type() == Some("application/problem+json");
    let body = answer
        .body_mut()
        .with_config()
        .limit(ANSWER_BYTES_MAX)
        .read_to_vec()
        .map_err(|error| CallFault::Lost(Box::new(error)))?;
    if status.is_success() {
        // An empty answer is the reply of a call that gives none.
        let text: &[u8] = if body.is_empty() { b"null" } else { &body };
        return serde_json::from_slice(text).map_err(|error| CallFault::Lost(Box::new(error)));
    }
    // 503 says that this request did nothing: central was busy, or took it back. Another fault of central says nothing
    // about the record, so the key has to be asked about.
    let is_answer = status.is_client_error() || status.as_u16() == 503;
    match serde_json::from_slice::<Problem>(&body) {
        Ok(problem) if is_answer && is_problem => Err(CallFault::Refused(Box::new(problem))),
        _ if is_answer => Err(CallFault::Refused(Box::new(bare_problem(status.as_u16())))),
        _ => Err(CallFault::Lost(
            format!("central answered with status {}", status.as_u16()).into(),
        )),
    }
}

/// A refusal without a problem document: something between us and central spoke.
fn bare_problem(status: u16) -> Problem {
    Problem {
        kind: format!("/problems/status_{status}"),
        status,
        title: Bilingual {
            fr: format!("Central a refusé sans dire pourquoi (HTTP {status})."),
            en: format!("Central refused without saying why (HTTP {status})."),
        },
        selection: None,
        field: None,
        retry: false,
        next_draw: None,
    }
}

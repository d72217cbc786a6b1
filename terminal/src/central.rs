//! Central, by HTTP: requests, and what their absence of an answer means.

use std::io;
use std::time::Duration;

use keno_wire::Problem;
use keno_wire::people::PIN_REFUSED_AFTER_MS;
use keno_wire::version::AGENT_HEADER;
use keno_words::connection as words;
use rustls::ClientConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;
use ureq::Agent;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{Connector, TcpConnector};

use crate::trust::connection::{TlsConnector, never_connected};

/// What a PIN that is refused is answered later than all else.
const PIN_REFUSED_AFTER: Duration = Duration::from_millis(PIN_REFUSED_AFTER_MS);
/// Bytes of an answer that are read.
const ANSWER_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Bytes of a page that are read: a report is the largest.
const PAGE_BYTES_MAX: u64 = 16 * 1024 * 1024;

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

/// What is asked of a page of central.
pub struct PageRequest {
    /// Path and query, from the root of central's address.
    pub target: String,
    /// Headers, by their names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// What a form says; none for a page that is only read.
    pub form: Option<Vec<u8>>,
}

/// A page of central, whatever its status says.
pub struct PageReply {
    /// Status.
    pub status: u16,
    /// Headers, by their names in lower case. One that is no text is left out.
    pub headers: Vec<(String, String)>,
    /// All of it.
    pub body: Vec<u8>,
}

/// The way to central.
pub struct Central {
    agent: Agent,
    base: String,
    /// Name and value of the header that says who asks.
    device: Option<(&'static str, String)>,
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
        other => never_connected(other),
    }
}

/// A call that failed before its answer was read.
fn failed(error: ureq::Error) -> CallFault {
    if never_arrived(&error) {
        CallFault::Unreachable(Box::new(error))
    } else {
        CallFault::Lost(Box::new(error))
    }
}

/// Somebody's PIN, of the person here or of a second one.
fn has_pin(request: &Value) -> bool {
    let fields = request.as_object();
    fields.is_some_and(|fields| fields.contains_key("pin") || fields.values().any(has_pin))
}

fn config(patience: Patience) -> ureq::config::Config {
    Agent::config_builder()
        .http_status_as_error(false)
        // A proxy named in the environment would see keys and claim codes.
        .proxy(None)
        .max_redirects(0)
        // A connection that was kept may be dead, and its error would be a doubt.
        .max_idle_connections(0)
        .timeout_connect(Some(patience.connect))
        .timeout_global(Some(patience.answer))
        .build()
}

impl Central {
    /// A way to a central on this machine, for a device that sends its key; nothing is sent yet.
    pub fn new(base: &str, device: u64, key: &str, patience: Patience) -> Self {
        Self {
            agent: config(patience).new_agent(),
            base: base.trim_end_matches('/').to_owned(),
            device: Some(("Boulier-Device", format!("{device}.{key}"))),
            session: None,
        }
    }

    /// A way to central with TLS, for a device that is its certificate or is not enrolled yet;
    /// `instance` says which machine and folder this is.
    pub fn over_tls(
        base: &str,
        tls: ClientConfig,
        instance: Option<String>,
        patience: Patience,
    ) -> Self {
        let connector = TcpConnector::default().chain(TlsConnector::new(tls));
        Self {
            agent: Agent::with_parts(config(patience), connector, DefaultResolver::default()),
            base: base.trim_end_matches('/').to_owned(),
            device: instance.map(|value| ("Boulier-Instance", value)),
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
        self.post_in(self.session.as_ref(), path, request)
    }

    /// The same in another session than the one that calls are made in.
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn post_in<Q: Serialize, R: DeserializeOwned>(
        &self,
        session: Option<&Session>,
        path: &str,
        request: &Q,
    ) -> Result<R, CallFault> {
        let call = self.agent.post(format!("{}/api/v1{path}", self.base));
        let mut patience = self.agent.config().timeouts().global;
        if serde_json::to_value(request).is_ok_and(|request| has_pin(&request)) {
            patience = patience.map(|answer| answer + PIN_REFUSED_AFTER);
        }
        let call = call.config().timeout_global(patience).build();
        read_answer(with_headers(call, &self.headers(session)).send_json(request))
    }

    /// `GET /api/v1{path}` in the session.
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn read<R: DeserializeOwned>(&self, path: &str) -> Result<R, CallFault> {
        self.read_in(self.session.as_ref(), path)
    }

    /// The same in another session than the one that calls are made in.
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn read_in<R: DeserializeOwned>(
        &self,
        session: Option<&Session>,
        path: &str,
    ) -> Result<R, CallFault> {
        let call = self.agent.get(format!("{}/api/v1{path}", self.base));
        read_answer(with_headers(call, &self.headers(session)).call())
    }

    /// What is said with every call of the interface.
    fn headers(&self, session: Option<&Session>) -> Vec<(&'static str, String)> {
        let accepts = "application/json, application/problem+json";
        let mut headers = vec![
            ("Accept", accepts.to_owned()),
            (AGENT_HEADER, env!("CARGO_PKG_VERSION").to_owned()),
        ];
        headers.extend(self.device.clone());
        headers.extend(session.map(|session| {
            let value = format!("{}.{}", session.session, session.token);
            ("Boulier-Session", value)
        }));
        headers
    }

    /// A request for what anyone may read. The device says who it is here too: a request without
    /// that would look like one of somebody else who holds its key.
    fn fetch(&self, path: &str) -> Result<Answer, ureq::Error> {
        let call = self.agent.get(format!("{}{path}", self.base));
        with_headers(call, self.device.as_slice()).call()
    }

    /// `GET {path}`: a JSON document that anyone may read.
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn get<R: DeserializeOwned>(&self, path: &str) -> Result<R, CallFault> {
        read_answer(self.fetch(path))
    }

    /// `GET {path}`: a text that anyone may read.
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn get_text(&self, path: &str) -> Result<String, CallFault> {
        let body = read_body(self.fetch(path))?;
        String::from_utf8(body).map_err(|error| CallFault::Lost(Box::new(error)))
    }

    /// A page, for a person in front of this device. Nothing of it is judged here, and no redirect is
    /// followed.
    ///
    /// # Errors
    /// [`CallFault::Unreachable`] or [`CallFault::Lost`]; a page larger than `PAGE_BYTES_MAX` is
    /// lost.
    pub fn page(&self, asked: PageRequest) -> Result<PageReply, CallFault> {
        let url = format!("{}{}", self.base, asked.target);
        let mut headers = asked.headers;
        headers.push((AGENT_HEADER, env!("CARGO_PKG_VERSION").to_owned()));
        headers.extend(self.device.clone());
        let answer = match asked.form {
            None => with_headers(self.agent.get(url), &headers).call(),
            Some(form) => with_headers(self.agent.post(url), &headers).send(&form[..]),
        };
        let mut answer = answer.map_err(failed)?;
        let body = body_of(&mut answer, PAGE_BYTES_MAX)?;
        Ok(PageReply {
            status: answer.status().as_u16(),
            headers: answer
                .headers()
                .iter()
                .filter_map(|(name, value)| {
                    Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
                })
                .collect(),
            body,
        })
    }

    /// Where central is, as its pages name themselves: scheme, host and port.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// `GET /healthz`: is anybody there?
    ///
    /// # Errors
    /// A [`CallFault`].
    pub fn is_alive(&self) -> Result<bool, CallFault> {
        let answer = self.fetch("/healthz").map_err(failed)?;
        Ok(answer.status().is_success())
    }
}

fn with_headers<B>(
    call: ureq::RequestBuilder<B>,
    headers: &[(&'static str, String)],
) -> ureq::RequestBuilder<B> {
    headers
        .iter()
        .fold(call, |call, (name, value)| call.header(*name, value))
}

type Answer = ureq::http::Response<ureq::Body>;

fn body_of(answer: &mut Answer, bytes_max: u64) -> Result<Vec<u8>, CallFault> {
    let body = answer.body_mut().with_config().limit(bytes_max);
    body.read_to_vec()
        .map_err(|error| CallFault::Lost(Box::new(error)))
}

fn read_answer<R: DeserializeOwned>(answer: Result<Answer, ureq::Error>) -> Result<R, CallFault> {
    let body = read_body(answer)?;
    // An empty answer is the reply of a call that gives none.
    let text: &[u8] = if body.is_empty() { b"null" } else { &body };
    serde_json::from_slice(text).map_err(|error| CallFault::Lost(Box::new(error)))
}

/// The body of an answer that is a success.
fn read_body(answer: Result<Answer, ureq::Error>) -> Result<Vec<u8>, CallFault> {
    let mut answer = answer.map_err(failed)?;
    let status = answer.status();
    let is_problem = answer.body().mime_type() == Some("application/problem+json");
    let body = body_of(&mut answer, ANSWER_BYTES_MAX)?;
    if status.is_success() {
        return Ok(body);
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
    let words = words::CentralRefusedWithoutSaying { status: &status };
    Problem::of(&format!("status_{status}"), status, &words)
}

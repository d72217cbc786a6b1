//! Copies of requests for money that arrive when all is over: doubled on the line, or kept up
//! somewhere. Each is answered as before, or refused; none is taken.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use keno_terminal::central::{CallFault, Central, Patience, Session};
use keno_terminal::trust::connection::of_identity;
use keno_terminal::trust::{Slot, TrustFolder, instance};
use serde_json::{Value, json};

use super::clerk::Given;
use crate::clock::now_ms;
use crate::proxy::message;

/// A late copy that is not answered by then is not answered.
const PATIENCE: Duration = Duration::from_secs(20);
/// What is added to the number of a key to make it another one.
const OTHER_KEY: u64 = 1_000_000;

/// What central said to a late copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// The answer of before.
    Repeated,
    /// No, by that name.
    Refused(String),
    /// It was taken as something new.
    Taken,
    /// Nothing that can be read.
    Nothing,
}

fn said(status: u16, body: &Value) -> Said {
    match status {
        200..300 if body["repeated"] == true => Said::Repeated,
        200..300 => Said::Taken,
        400..500 | 503 => {
            let kind = body["type"].as_str().unwrap_or_default();
            Said::Refused(kind.rsplit('/').next().unwrap_or(kind).to_owned())
        }
        _ => Said::Nothing,
    }
}

/// Gives a request another key, as if central did not know that it is the same.
fn under_another_key(body: &mut Value) {
    if let Some(counter) = body["key"]["counter"].as_u64() {
        body["key"]["counter"] = json!(counter + OTHER_KEY);
    }
}

/// Lets a copy arrive, byte for byte as it was on the line.
pub fn as_it_was(request: &[u8], central: SocketAddr, other_key: bool) -> Said {
    let request = if other_key {
        with_another_key(request).unwrap_or_default()
    } else {
        request.to_vec()
    };
    let answered = || -> anyhow::Result<(u16, Value)> {
        let mut stream = TcpStream::connect(central)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(&request)?;
        let answer = message(&mut stream, &mut Vec::new())?.context("no answer")?;
        let text = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").context("no body")?;
        let status = head.split(' ').nth(1).context("no status")?.parse()?;
        Ok((status, serde_json::from_str(body)?))
    };
    answered().map_or(Said::Nothing, |(status, body)| said(status, &body))
}

fn with_another_key(request: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(request).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut body: Value = serde_json::from_str(body).ok()?;
    under_another_key(&mut body);
    let body = body.to_string();
    let lines = head.split("\r\n").map(|line| {
        if line.to_ascii_lowercase().starts_with("content-length:") {
            format!("content-length: {}", body.len())
        } else {
            line.to_owned()
        }
    });
    let head: Vec<String> = lines.collect();
    Some(format!("{}\r\n\r\n{body}", head.join("\r\n")).into_bytes())
}

/// A request for money as the journal and the clerk know it: what a copy on an encrypted line
/// must have said. None where the code is no longer known.
pub fn as_journaled(sent: &Value, given: &Given) -> Option<(&'static str, Value)> {
    let (key, request) = (&sent["key"], &sent["request"]);
    match sent["kind"].as_str()? {
        "sale" => Some((
            "/sales",
            json!({
                "key": key, "slip": request, "tender": "cash", "intake": "screen",
                "received_cents": sent["received_cents"], "total_cents": sent["total_cents"],
            }),
        )),
        "cancellation" => Some((
            "/cancellations",
            json!({"key": key, "code": given.code()?, "reason": request["reason"]}),
        )),
        "payment" => Some((
            "/payments",
            json!({"key": key, "code": given.code()?, "items": request["items"]}),
        )),
        _ => None,
    }
}

/// A way to central with the counter's own certificate, in its session.
///
/// # Errors
/// When the counter is not enrolled or not signed on.
pub fn way(central: SocketAddr, trust: &Path, journal: &Path) -> anyhow::Result<Central> {
    let folder = TrustFolder::new(trust);
    let identity = folder
        .read(Slot::Current)?
        .context("the counter is not enrolled")?;
    let patience = Patience {
        connect: PATIENCE,
        answer: PATIENCE,
    };
    let mut way = Central::over_tls(
        &format!("https://{central}"),
        of_identity(&identity, now_ms)?,
        Some(instance::of_folder(trust)?),
        patience,
    );
    let session: Session = serde_json::from_slice(&std::fs::read(journal.join("session.json"))?)?;
    way.set_session(Some(session));
    Ok(way)
}

/// Lets a copy arrive on a way of its own.
pub fn again(way: &Central, path: &str, mut body: Value, other_key: bool) -> Said {
    if other_key {
        under_another_key(&mut body);
    }
    match way.post::<_, Value>(path, &body) {
        Ok(reply) => said(200, &reply),
        Err(CallFault::Refused(problem)) => Said::Refused(problem.name().to_owned()),
        Err(_) => Said::Nothing,
    }
}

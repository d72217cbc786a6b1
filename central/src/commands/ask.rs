//! Asking a central that runs, on its own machine.

use std::time::Duration;

use anyhow::Context;
use keno_wire::Problem;
use keno_wire::reply::RecordedReply;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::fail::{advised, refused_by_central};
use super::folder::Folder;
use keno_central::console::{CONSOLE_FILE, CONSOLE_HEADER};

/// How long central may take: a code is tried against each device that waits.
const PATIENCE: Duration = Duration::from_secs(30);

/// `POST /api/v1{path}` at the central that listens there.
///
/// # Errors
/// A refusal of central, or no answer.
pub fn running<Q: Serialize, R: DeserializeOwned>(
    folder: &Folder,
    path: &str,
    request: &Q,
) -> anyhow::Result<R> {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        // A proxy named in the environment would see the PIN.
        .proxy(None)
        .max_redirects(0)
        .timeout_global(Some(PATIENCE))
        .build()
        .new_agent();
    let listen = folder.address();
    let key = std::fs::read_to_string(folder.path.join(CONSOLE_FILE)).unwrap_or_default();
    let mut answer = agent
        .post(format!("http://{listen}/api/v1{path}"))
        .header(CONSOLE_HEADER, key)
        .send_json(request)
        .map_err(|error| {
            advised(
                format!(
                    "another program has the data folder, and central does not answer: {error}"
                ),
                &[&format!("its address should be http://{listen}/")],
            )
        })?;
    if answer.status().is_success() {
        return answer
            .body_mut()
            .read_json()
            .context("the answer of central cannot be read");
    }
    let problem: Problem = answer
        .body_mut()
        .read_json()
        .context("the refusal of central cannot be read")?;
    Err(refused_by_central(problem))
}

/// The same, where the answer is the leaf of what was recorded.
///
/// # Errors
/// A refusal of central, or no answer.
pub fn recorded<Q: Serialize>(folder: &Folder, path: &str, request: &Q) -> anyhow::Result<u64> {
    let reply: RecordedReply = running(folder, path, request)?;
    Ok(reply.leaf)
}

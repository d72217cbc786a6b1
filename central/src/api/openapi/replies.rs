//! What each operation answered when a test ran its example: `replies.json`, which the test writes. Of
//! each reply it has what is always there, and one of each list.

use serde_json::{Map, Value};

use super::served::operations;

const REPLIES: &str = include_str!("replies.json");

/// Puts a reply beside the schema of each.
///
/// # Errors
/// The replies cannot be read.
pub(super) fn show(document: &mut Value) -> serde_json::Result<()> {
    let mut replies: Map<String, Value> = serde_json::from_str(REPLIES)?;
    for operation in operations(document) {
        let name = operation["operationId"].as_str().unwrap_or_default();
        let Some(reply) = replies.remove(name) else {
            continue;
        };
        if let Some(described) = operation.pointer_mut("/responses/200/content/application~1json") {
            described["example"] = reply;
        }
    }
    Ok(())
}

//! Tickets that the tests share.
#![allow(clippy::unwrap_used)]

use keno_wire::reply::TicketView;

/// A ticket of `tests/tickets` by its file's name.
pub fn sample(name: &str) -> TicketView {
    let path = format!("tests/tickets/{name}.json");
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str(&text).unwrap()
}

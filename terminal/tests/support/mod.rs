//! What the tests of papers share.
#![allow(clippy::unwrap_used, dead_code)]

use keno_slip::{Issue, Paper, Width, ticket};
use keno_terminal::printer::{JobId, render};
use keno_terminal::virtual_printer::{Sheet, decode};
use keno_wire::reply::TicketView;

/// A ticket of the slip package's samples.
pub fn sample(name: &str) -> TicketView {
    let path = format!("slip/tests/tickets/{name}.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The paper of a sample ticket.
pub fn paper(name: &str, width: Width) -> Paper {
    ticket(&sample(name), Issue::First, width).unwrap()
}

/// The bytes of a paper.
pub fn bytes(paper: &Paper) -> Vec<u8> {
    render(paper, JobId::from_number(46_655)).unwrap()
}

/// A paper as the independent decoder reads its bytes.
pub fn printed(paper: &Paper) -> Sheet {
    let mut sheets = decode(&bytes(paper), paper.width.dots()).unwrap();
    assert_eq!(sheets.len(), 1);
    sheets.remove(0)
}

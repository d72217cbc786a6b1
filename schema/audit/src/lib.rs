//! The second computation of draws and prizes, and the auditor's program.
//!
//! Everything here is written from the rule book's text, `FORMAT.md`, `RULES.md` and `DRAW.md`, not from the
//! server's code: catches, ways, prizes, caps, returns, the derivation of the balls. Of ours it
//! needs `keno-log` alone, for the bytes. That the two agree is the point; that they share
//! arithmetic would defeat it.
//!
//! | Module | Subject |
//! |---|---|
//! | [`mod@verify`] | an exported log from its first byte to its signed checkpoint |
//! | [`compare`] | papers and anchors against a log, and against each other |
//! | [`replay`] | what the facts mean, one entry after the other |
//! | [`follow`] | a log as it grows: a copy of one's own, and a signed word on each finished draw |
//! | [`finding`] | the closed list of what can be wrong |
//! | [`rule_book`], [`returns`] | the rules as published, and the return of each line (s. 85) |
//! | `named` | what has a stable name and a text of the catalogue |
//! | [`kind`] | the kinds of selection, each once |
//! | [`ticket`], [`tickets`] | wagers against the rules, and every ticket in few bytes |
//! | [`ways`], [`prizes`] | catches by enumeration, cap and prize list |
//! | [`calendar`] | days in the house's zone |
//! | [`balls`], [`chacha`] | from secrets and seal to winning numbers |
//! | [`stream`] | the export's records, read one at a time |
//! | [`report`], [`show`] | what the program prints |

#[macro_use]
mod named;

pub mod balls;
pub mod calendar;
pub mod chacha;
pub mod compare;
pub mod finding;
pub mod follow;
pub mod kind;
pub mod prizes;
pub mod replay;
pub mod report;
pub mod returns;
pub mod rule_book;
pub mod show;
pub mod stream;
pub mod ticket;
pub mod tickets;
pub mod verify;
pub mod ways;

pub use finding::{Finding, FindingCode};
pub use replay::{DrawAccount, Options, Replay, Totals};
pub use verify::{Outcome, Outside, verify};

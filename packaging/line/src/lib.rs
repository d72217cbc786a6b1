//! The line between central and its hosts: the draw machine, the holders of secrets, the follower of
//! the audit office. What they say to each other is theirs; how it goes over the line is here.
//!
//! | Module | Subject | Touches the world |
//! |---|---|---|
//! | [`host_key`] | the host's own key | a file |
//! | [`trust`] | TLS 1.3 between two keys that know each other | no |
//! | [`frame`] | an ask or an answer, a line of JSON each | no |
//! | [`server`] | the host's end of the line | network |
//! | [`client`] | central's end of the line | network |
//! | [`follow`] | what central and the follower say to each other | no |
//! | [`program`] | a host as a program | network, environment |
//! | [`settings`] | what the settings files of all hosts have in common | a file |

pub mod client;
mod deadline;
pub mod follow;
pub mod frame;
pub mod host_key;
pub mod program;
pub mod server;
pub mod settings;
pub mod trust;

use std::time::Duration;

pub use client::{Answers, Host, HostPlace};
pub use host_key::HostKey;

/// What a line has room and time for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Longest line, in bytes.
    pub line_bytes: usize,
    /// How long a connection may last.
    pub within: Duration,
}

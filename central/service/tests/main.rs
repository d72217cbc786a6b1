//! Every test of the package, in one program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test's failure is its own report"
)]

mod acting;
mod audit_agrees;
mod backup;
mod ball_line;
mod balls;
mod beacon;
mod cash;
mod claims;
mod crash;
mod damaged;
mod doubtful_past;
mod draws;
mod failures;
mod follower;
mod guard;
mod hosts;
mod life;
mod maintenance;
#[allow(dead_code, reason = "not every test of hosts needs all of it")]
#[path = "support/hosts.rs"]
mod of_hosts;
mod recovery;
mod relief;
mod room;
mod rule_keys;
mod support;

//! The whole house at work, for tests: the real terminal, with its journal and a printer whose
//! bytes are read by an independent decoder, against the real central over TCP on this machine.
//!
//! - [`house`]: a founded house whose clock moves when told; its server stops and starts again.
//! - [`mod@line`]: the wire between a counter and central, which loses what it is told to lose.
//! - [`counter`]: a terminal with its settings, its journal and its printers.
//! - [`agent`]: the long-lived agent of a terminal, asked as its pages ask.
//! - [`paper`]: what stands on a paper, read from its bytes and not from what was to be printed.
//! - [`fake_printer`]: a printer that dies in every way, on a network address or a line.
//! - [`mod@printing`]: sales whose printer dies at a chosen byte, each judged.
//! - [`canary`]: secrets that a test knows, looked for in every form.
//! - [`programs`]: the real programs as child processes.
//! - [`http`]: one request, one answer.
//! - [`secure`]: the same over TLS: devices with certificates, and who stands in between.
//!
//! Nothing here belongs to a program: what fails fails the test that asked.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "support code of tests, whose failures are the test's"
)]

pub mod agent;
pub mod canary;
pub mod counter;
pub mod fake_printer;
pub mod house;
pub mod http;
pub mod line;
pub mod paper;
pub mod printing;
pub mod programs;
pub mod secure;

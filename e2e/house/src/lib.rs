//! The whole house at work, for tests: the real terminal, with its journal and a printer whose
//! bytes are read by an independent decoder, against the real central over TCP on this machine.
//!
//! - [`house`]: a founded house whose clock moves when told; its server stops and starts again.
//! - [`mod@line`]: the wire between a counter and central, which loses what it is told to lose.
//! - [`counter`]: a terminal with its settings, its journal and its printers.
//! - [`paper`]: what stands on a paper, read from its bytes and not from what was to be printed.
//! - [`http`]: one request, one answer.
//! - [`secure`]: the same over TLS: devices with certificates, and who stands in between.
//!
//! Nothing here belongs to a program: what fails fails the test that asked.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "support code of tests, whose failures are the test's"
)]

pub mod counter;
pub mod house;
pub mod http;
pub mod line;
pub mod paper;
pub mod secure;

//! The condition of a printer without its details.

use std::time::Duration;

use super::condition::{Standing, condition_over};
use super::fault::PrinterFault;
use super::transport::Transport;

/// What a printer says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It is ready.
    Ready,
    /// It says nothing, as many do: not an error.
    Unknown,
    /// It names a trouble.
    Trouble(PrinterFault),
}

/// As [`condition_over`], without what it says of its roll and drawer.
pub fn status(transport: &mut dyn Transport, wait: Duration) -> Status {
    match condition_over(transport, wait).standing {
        Standing::Ready => Status::Ready,
        Standing::Silent => Status::Unknown,
        Standing::Trouble(fault) => Status::Trouble(fault),
    }
}

//! Printing: a [`keno_slip::Paper`] becomes bytes, goes to a printer, and the outcome has a
//! name.
//!
//! The order is: is the printer ready ([`status`]); send every byte once; ask the printer to
//! say that it has printed, after the last line and again after the cut ([`job`]). Bytes that
//! left for a printer are never sent a second time by this module: whether to print again, and
//! with which words on the paper, is decided by who called.

pub mod fault;
pub mod job;
pub mod render;
pub mod status;
pub mod transport;

pub use fault::{PrintFailure, PrinterFault};
pub use job::{Confirmation, Timing, print_bytes};
pub use render::{JobId, RenderFault, render};
pub use transport::{Driver, Transport, open};

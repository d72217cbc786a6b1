//! Printing: a [`keno_slip::Paper`] becomes bytes, goes to a printer, and the outcome has a
//! name.
//!
//! The order is: is the printer ready ([`mod@condition`]); send every byte once; ask the printer to
//! say that it has printed, after the last line and again after the cut ([`job`]). Bytes that
//! left for a printer are never sent a second time by this module: whether to print again, and
//! with which words on the paper, is decided by who called.
//!
//! Every function here blocks, and ends: each wait has a bound that the caller gave.

mod answers;
pub mod condition;
pub mod device;
pub mod drawer;
pub mod driver;
pub mod fault;
pub mod job;
pub mod patience;
pub mod render;
pub mod serial;
pub mod settings;
pub mod transport;
pub mod trial;

pub use condition::{Condition, Standing, condition};
pub use drawer::{Drawer, open_drawer};
pub use driver::{Driver, open};
pub use fault::{PrintFailure, PrinterFault};
pub use job::{Confirmation, Job, print_job, print_paper};
pub use patience::Timing;
pub use render::{JobId, RenderFault, render};
pub use serial::{Flow, Parity, SerialLine};
pub use settings::PrintingSettings;
pub use transport::Transport;

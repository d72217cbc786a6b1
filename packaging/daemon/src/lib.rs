//! What a long-lived program owes to its machine. To systemd, without its library: it says when it
//! is ready and when it stops, it says that it lives only while it does, it logs with priorities,
//! and it finds the secrets that were handed to it; without systemd nothing of this does anything.
//! To whoever starts a second one: that the first is at work.
//!
//! - `supervisor`: the words of `sd_notify(3)`.
//! - `watchdog`: the keep-alive that comes from real work.
//! - `log`: lines to the journal, or to a person.
//! - `credential`: `credential:NAME`, a file that systemd hands over.
//! - `private`: files that nobody else reads.
//! - `sole`: the lock by which one program alone is at a folder.

pub mod credential;
pub mod log;
pub mod private;
pub mod sole;
pub mod supervisor;
pub mod watchdog;

pub use supervisor::Supervisor;
pub use watchdog::Watchdog;

//! The doors of central: who may come in, how many at once, and for how long.
//!
//! Devices and everybody else come by doors of their own, and what strangers may hold is counted
//! apart, so that a sale goes through with every connection of theirs in use:
//!
//! - [`budget`]: what each door lets in at once, and who goes when it is full;
//! - [`guarded`]: a socket that ends at its time, or at once when it is cut;
//! - [`refusal`]: why a request goes no further;
//! - [`descriptors`]: what the system must give for all of it.
//!
//! What becomes of a socket that was let in, and what is refused before an address is looked at,
//! stands in [`crate::server`].

pub mod budget;
pub mod descriptors;
pub mod guarded;
pub mod refusal;

pub use budget::{Budget, Class, Line};
pub use refusal::DoorRefusal;

/// A door of central.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// Central's own machine, without TLS: devices by the key that they send, and everybody else.
    Own,
    /// Devices over TLS: who has no certificate of the house is not let into the handshake.
    Devices,
    /// Everybody over TLS: pages, checks, the public log, and devices that enrol.
    Public,
}

impl Door {
    /// Whether TLS is spoken there.
    pub const fn is_over_tls(self) -> bool {
        matches!(self, Self::Devices | Self::Public)
    }
}

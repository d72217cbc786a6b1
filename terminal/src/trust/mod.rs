//! Trust in central: the device's key and certificate, the authority of the house, and how they
//! come, are renewed, and pass to a new key.
//!
//! - [`folder`]: what is kept, whole or not at all.
//! - [`connection`]: TLS under requests; what failed before a byte of a request left.
//! - [`enrol`]: a device that nobody knows yet, and the code on its screen.
//! - [`renewal`]: new certificates and new keys, without a stop.
//! - [`instance`]: which machine and folder this is.

pub mod connection;
pub mod enrol;
pub mod folder;
pub mod instance;
mod large;
pub mod renewal;

pub use connection::Time;
pub use folder::{Identity, Slot, TrustFolder, TrustFolderFault};

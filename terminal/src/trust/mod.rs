//! Trust in central: the device's key and certificate, and the authority of the house.
//!
//! - [`folder`]: what is kept, whole or not at all.
//! - [`connection`]: TLS under requests; what failed before a byte of a request left.
//! - [`instance`]: which machine and folder this is.

pub mod connection;
pub mod folder;
pub mod instance;

pub use connection::Time;
pub use folder::{Identity, Slot, TrustFolder, TrustFolderFault};

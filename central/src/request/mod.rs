//! What handlers take out of a request: who asks, what they send, who signs with them. No address
//! is known here.

pub mod asked;
pub mod body;
pub mod caller;
pub(crate) mod second;
pub(crate) mod signer;

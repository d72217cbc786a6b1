//! What a counter's screen is about, without the screen: nothing here answers a request.
//!
//! - `on_sale`: draws and rules, as central last told them.
//! - `draft`: what a slip in the making comes to.
//! - `split`: what to offer for ways that groups do not generate.
//! - `customer`: what the patron's screen shows.

pub(super) mod customer;
pub(super) mod draft;
pub(super) mod on_sale;
mod split;

//! Looking a ticket up: its verdict for whoever asks, and everything on record for the audit
//! office. Each look-up counts against its limits and is noted in the access log. It blocks, and
//! knows no address.

pub mod check;
mod recompute;
pub mod record;

//! Draws: their schedule, and their steps from announced to settled.

pub(crate) mod conductor;
pub(crate) mod improbable_wins;
pub(crate) mod settle;
pub(crate) mod steps;

pub use conductor::{Conductor, Rounds, Step};
pub use improbable_wins::Suspicion;
pub use steps::{Draw, confirm_schedule, halt_schedule, resume_sales, suspend_sales};

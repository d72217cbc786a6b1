//! Draws: their schedule, their steps from announced to settled, and what nobody claimed of them.

pub(crate) mod conductor;
pub(crate) mod expiry;
pub(crate) mod improbable_wins;
pub(crate) mod settle;
pub(crate) mod steps;

pub use conductor::{ClockWatch, Conductor, Rounds, Step, check_silence, due, tick};
pub use expiry::sweep_expired;
pub use improbable_wins::{Suspicion, act, judge_seen};
pub use settle::{Progress, SLICE, needs, next_slice, prepare, prize_rows};
pub use steps::{Draw, certifies, confirm_schedule, halt_schedule, resume_sales, suspend_sales};

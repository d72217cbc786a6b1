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
pub use steps::{
    certifies, certify_draw, close_draw, confirm_schedule, find, halt_schedule, record_balls,
    resume_draw, resume_sales, reveal_secrets, schedule_draw, settle_slice, start_draw,
    suspend_draw, suspend_sales, transcript, void_draw,
};

//! Draws: their schedule, and their steps from announced to settled.

pub(crate) mod ball_line;
pub(crate) mod conductor;
pub(crate) mod decision;
pub(crate) mod hands;
pub(crate) mod hosts;
pub(crate) mod improbable_wins;
pub(crate) mod interrupted;
pub(crate) mod postponed;
pub(crate) mod room;
pub(crate) mod settle;
pub(crate) mod steps;

pub use conductor::{Conductor, Rounds, Step};
pub use decision::{Decision, Offered, Waiting};
pub use hands::EnteredBall;
pub use improbable_wins::Suspicion;
pub use room::{Incident, RoomAsked, RoomStep};
pub use steps::{Draw, confirm_schedule, halt_schedule, resume_sales, suspend_sales};

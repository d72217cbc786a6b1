//! The desk of the draws: balls that two people enter, and what two people decide.

use macro_rules_attribute::apply;

use crate::coded::name;
use crate::reply::{Bilingual, DrawView};

/// `POST /api/v1/draws/{number}/balls`: a ball, as one of two people saw it.
#[apply(request!)]
pub struct BallRequest {
    /// Place in the order, from 1.
    pub position: u8,
    /// The number; 0 asks for this ball once more, of both.
    pub number: u8,
}

/// Somebody who enters balls, as the other sees it.
#[apply(reply!)]
pub struct EntererView {
    /// Badge.
    pub badge: String,
    /// How many balls they have entered, of those that are not asked again.
    pub entered: u8,
}

/// The machine that reads the balls of a draw by itself.
#[apply(reply!)]
pub struct LineView {
    /// The machine, as the house calls it.
    pub machine: String,
    /// How it stands.
    pub standing: name::LineStandingName,
    /// Why it has stopped, where it has and the draw was not interrupted.
    pub why: Option<Bilingual>,
    /// What else was wrong on its line.
    pub noticed: Vec<Bilingual>,
}

/// A decision that waits for a second person.
#[apply(reply!)]
pub struct WaitingView {
    /// Its number, by which it is agreed to.
    pub number: u64,
    /// What was decided.
    pub decision: name::DrawDecision,
    /// What was found in the tubes, where the draw cannot be completed.
    pub finding: Option<name::TubesFinding>,
    /// Whose place is taken.
    pub leaving: Option<String>,
    /// Minutes by which it is held later.
    pub minutes: Option<u16>,
    /// Why, in words.
    pub reason: String,
    /// Badge of who decided first.
    pub by: String,
    /// Whether the second person may be whoever asks.
    pub may_agree: bool,
}

/// A draw at the desk.
#[apply(reply!)]
pub struct DeskDraw {
    /// The draw, with the balls that count.
    pub draw: DrawView,
    /// Whoever asks sold for it: others enter its balls and decide.
    pub sold: bool,
    /// What whoever asks has entered, in order; 0 where a ball is asked for once more.
    pub entered: Vec<u8>,
    /// The ball that is theirs to enter next; absent when there is none.
    pub next: Option<u8>,
    /// The two who enter, in the order in which they began.
    pub enterers: Vec<EntererView>,
    /// The machine that reads the balls, where there is one and the draw is under way.
    pub line: Option<LineView>,
    /// What may be done by one person, or decided by two.
    pub offered: Vec<name::DrawDecision>,
    /// What waits for a second person.
    pub waiting: Option<WaitingView>,
}

/// `GET /api/v1/desk`: the draws that are not over, as far as whoever asks may see them.
#[apply(reply!)]
pub struct DeskReply {
    /// Central's clock, UTC milliseconds.
    pub central_ms: i64,
    /// Badge of whoever asks.
    pub badge: String,
    /// Whether they may enter balls.
    pub enters: bool,
    /// Draws under way, then the next that is on sale.
    pub draws: Vec<DeskDraw>,
}

/// What became of a decision.
#[apply(reply!)]
pub struct DecisionReply {
    /// Leaves in the log.
    pub log_size: u64,
    /// Two people have decided, and it is done; otherwise a second person is waited for.
    pub is_done: bool,
}

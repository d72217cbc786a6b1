//! The draw room: sets of balls, their measures, the choice by chance, and the room's day.

use macro_rules_attribute::apply;

use crate::coded::name;
use crate::reply::DrawTime;

/// `POST /api/v1/room/measures`: a set was put on the scale and through the gauge.
#[apply(request!)]
pub struct MeasureRequest {
    /// Name of the set.
    pub set: String,
    /// Mass of each ball in milligrams, from ball 1.
    pub masses_mg: Vec<u32>,
    /// Every ball passes the gauge.
    pub passed: bool,
    /// Scale and gauge with their certificates, in words.
    pub instruments: String,
}

/// `POST /api/v1/room/choice`: chance is to choose a set.
#[apply(request!)]
pub struct ChoiceRequest {
    /// Why the set that was chosen is not used; nothing where none was.
    pub reason: String,
}

/// `POST /api/v1/room/opening`: the set that was chosen is in the machine.
#[apply(request!)]
pub struct OpeningRequest {
    /// Balls that were counted, each number once.
    pub counted: u8,
    /// Where the film shows the empty tubes.
    pub camera: String,
}

/// `POST /api/v1/room/end`: the room's day is over, or passes to whoever agrees.
#[apply(request!)]
pub struct EndRequest {
    /// The room stays open, and whoever agrees takes it over.
    pub hands_over: bool,
}

/// `POST /api/v1/room/agreement`: the second person.
#[apply(request!)]
pub struct AgreementRequest {
    /// Number of what was asked, as the room shows it.
    pub number: u64,
}

/// `POST /api/v1/room/incidents`: something happened.
#[apply(request!)]
pub struct IncidentRequest {
    /// The draw in which it did, if in one.
    pub draw: Option<u64>,
    /// What, in words.
    pub text: String,
    /// Where the film shows it.
    pub camera: String,
}

/// A set of balls in the register.
#[apply(reply!)]
pub struct BallSetView {
    /// Name.
    pub name: String,
    /// Balls.
    pub balls: u8,
    /// Mass of the lightest, in milligrams.
    pub lightest_mg: u32,
    /// Mass of the heaviest.
    pub heaviest_mg: u32,
    /// Scale and gauge, in words.
    pub instruments: String,
    /// When it was measured.
    pub measured_at_ms: i64,
    /// The same in the house's zone, `yyyy-mm-dd HH:MM`.
    pub measured_at_local: String,
    /// Good until then.
    pub good_until_ms: i64,
    /// The same in the house's zone.
    pub good_until_local: String,
    /// Draws that were started with it since.
    pub starts: u32,
    /// Good for so many.
    pub most_draws: u32,
    /// Why it may not be used, if it may not.
    pub fault: Option<name::SetFault>,
    /// Official draws with it, ever.
    pub draws: u64,
    /// How uneven its numbers are: X² times 79/60 in tenths; 79.0 is expected.
    pub spread_tenths: u64,
    /// Numbers that came up so often or so rarely that it is no chance.
    pub uneven: Vec<u8>,
}

/// The choice of a set by chance.
#[apply(reply!)]
pub struct SetChoiceView {
    /// The sets.
    pub sets: Vec<String>,
    /// The draw whose secrets choose.
    pub draw: DrawTime,
    /// What it chose; absent until it is drawn.
    pub chosen: Option<String>,
}

/// The room while it is open.
#[apply(reply!)]
pub struct OpenRoomView {
    /// The set in the machine.
    pub set: String,
    /// Since when.
    pub since_ms: i64,
    /// The same in the house's zone.
    pub since_local: String,
    /// Who answers for it.
    pub people: Vec<String>,
}

/// Something to look at before the room is opened.
#[apply(reply!)]
pub struct RoomCheckView {
    /// What.
    pub check: name::RoomCheck,
    /// Whether it is as it should be.
    pub is_good: bool,
}

/// How many people a step of the evening lacks.
#[apply(reply!)]
pub struct LackView {
    /// The step.
    pub step: name::TeamStep,
    /// People who are to sign on yet.
    pub people: u8,
}

/// What waits for a second person.
#[apply(reply!)]
pub struct RoomAskedView {
    /// Its number, by which it is agreed to.
    pub number: u64,
    /// What was asked.
    pub step: name::RoomStepName,
    /// The set that is measured.
    pub set: Option<String>,
    /// Mass of each of its balls in milligrams, from ball 1.
    pub masses_mg: Option<Vec<u32>>,
    /// Whether every ball passes the gauge.
    pub passed: Option<bool>,
    /// The sets that chance would choose from now.
    pub sets: Vec<String>,
    /// The draw that would choose.
    pub draw: Option<DrawTime>,
    /// Scale and gauge, the reason, or where the film shows the tubes.
    pub said: String,
    /// Badge of who asked.
    pub by: String,
    /// Whether the second person may be whoever asks.
    pub may_agree: bool,
    /// Whether whoever asks for this page asked for it.
    pub is_own: bool,
}

/// `GET /api/v1/room`: the draw room.
#[apply(reply!)]
pub struct RoomReply {
    /// Central's clock, UTC milliseconds.
    pub central_ms: i64,
    /// Badge of whoever asks.
    pub badge: String,
    /// Balls of a set, by the rules.
    pub balls: u8,
    /// What a ball may have at least and at most, in milligrams.
    pub bounds_mg: Vec<u32>,
    /// The room, while it is open.
    pub open: Option<OpenRoomView>,
    /// A choice that stands.
    pub choice: Option<SetChoiceView>,
    /// The register.
    pub sets: Vec<BallSetView>,
    /// What to look at before the room is opened.
    pub checks: Vec<RoomCheckView>,
    /// People whom the steps of the evening lack.
    pub lacks: Vec<LackView>,
    /// The next draw of balls.
    pub next: Option<DrawTime>,
    /// A draw of balls that waits for the room to be ready.
    pub waits: Option<DrawTime>,
    /// What waits for a second person.
    pub asked: Option<RoomAskedView>,
    /// What may be asked now.
    pub offered: Vec<name::RoomStepName>,
}

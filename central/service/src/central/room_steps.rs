//! What one person asks for in the draw room, and a second has not agreed to yet: no record, and
//! forgotten by a start.

use parking_lot::Mutex;

/// What two people do in the draw room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoomStep {
    /// A set was put on the scale and through the gauge.
    Measure {
        /// Its name.
        set: String,
        /// Mass of each ball in milligrams, from ball 1.
        masses_mg: Vec<u32>,
        /// Every ball passes the gauge.
        passed: bool,
        /// Scale and gauge with their certificates, in words.
        instruments: String,
    },
    /// Chance is to choose a set.
    Offer {
        /// Why the one that was chosen is not used; nothing where none was.
        reason: String,
    },
    /// The set that was chosen is in the machine.
    Open {
        /// Balls that were counted.
        counted: u8,
        /// Where the film shows the empty tubes.
        camera: String,
    },
    /// Whoever agrees takes the room over.
    HandOver,
    /// The room's day is over.
    End,
}

/// A step that waits for the second person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomAsked {
    /// Its number, by which it is agreed to.
    pub number: u64,
    /// The step.
    pub step: RoomStep,
    /// Badge of who asked.
    pub by: String,
    /// Until when, by the clock that nobody sets.
    pub(crate) until_ms: i64,
    /// Somebody has agreed: it is being recorded, and nobody else agrees to it.
    pub(crate) is_taken: bool,
}

/// The step that waits in the draw room.
pub(crate) type RoomSteps = Mutex<Option<RoomAsked>>;

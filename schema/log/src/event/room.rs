//! Facts of the draw room: sets of balls, the room's day, and what happens in it.

use crate::encode::record;

record! {
    /// Two people put a set of balls on the scale and through the gauge. A set is in the register from
    /// its first measuring on.
    BallSetMeasured {
        /// Name of the set.
        set: String,
        /// Mass of each ball in milligrams, from ball 1.
        masses_mg: Vec<u32>,
        /// 1 every ball passes the gauge, 2 not every one.
        gauge: u8,
        /// Scale and gauge, with their certificates, in words.
        instruments: String,
        /// The least that a ball may have.
        least_mg: u32,
        /// The most that a ball may have.
        most_mg: u32,
        /// The set is good for so many starts of a draw, counted from here.
        most_draws: u32,
        /// And until then.
        good_until_ms: i64,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The sets from which the secrets of a draw will choose one, while nobody knows them.
    BallSetsOffered {
        /// Every set that may be used, ascending by bytes.
        sets: Vec<String>,
        /// The computer's draw whose secrets choose.
        draw: u64,
        /// Why the set that was chosen before is not used; empty where none was chosen.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The draw room is open: the set that was chosen is in the machine.
    DrawRoomOpened {
        /// The set.
        set: String,
        /// The draw whose secrets chose it.
        draw: u64,
        /// Balls that were counted, each number once.
        counted: u8,
        /// Where the film shows the empty tubes, in words.
        camera: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// The draw room's day is over, or passes to other people.
    DrawRoomEnded {
        /// 0 it is over; 1 the room stays open, and `second` takes it over.
        goes_on: u8,
        /// Badge code of who leaves.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

record! {
    /// Something happened in the draw room.
    IncidentLogged {
        /// The draw, if it was in one.
        draw: Option<u64>,
        /// What, in words.
        text: String,
        /// Where the film shows it, in words.
        camera: String,
        /// Badge code.
        by: String,
        /// Device of the session.
        device: u32,
    }
}

record! {
    /// A draw that is closed is held later than announced; its seal stands.
    DrawPostponed {
        /// Draw number.
        draw: u64,
        /// When its first number is to be shown.
        draws_at_ms: i64,
        /// Why, in words.
        reason: String,
        /// Badge code.
        by: String,
        /// Badge of the second person.
        second: String,
    }
}

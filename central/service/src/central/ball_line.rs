//! The line to a machine that reads its own balls, and how it stands.

use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

use keno_draw::ball_line::Lines;
use keno_draw::ball_reader::BallReader;
use keno_draw_machine::ball_link::{BallLink, BallMachine};
use parking_lot::Mutex;

/// How the line stands. Nothing of it is a fact: a start of central forgets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineStanding {
    /// Whether the wire is open.
    pub is_connected: bool,
    /// Whether the machine answered within the last three seconds.
    pub answers: bool,
    /// The draw that is read.
    pub draw: Option<u64>,
    /// Whether nothing was heard of that draw for two seconds.
    pub is_silent: bool,
    /// Whether it read no ball of that draw for half a minute.
    pub is_stalled: bool,
}

impl LineStanding {
    /// Whether the machine is reading the balls of a draw just now.
    pub fn reads(&self, draw: u64) -> bool {
        match self.draw {
            Some(read) => self.is_connected && read == draw && !self.is_silent && !self.is_stalled,
            // It is there, and is asked in a moment.
            None => self.answers,
        }
    }
}

/// The line to the machine.
#[derive(Debug)]
pub struct BallLine {
    pub(crate) machine: BallMachine,
    standing: Mutex<LineStanding>,
    pub(crate) reading: Mutex<Reading>,
    /// Held by the thread that reads; it ends with this.
    pub(crate) thread: Mutex<Option<(Sender<()>, JoinHandle<()>)>>,
}

/// Where the reading stands.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub link: Option<BallLink>,
    pub lines: Lines,
    pub reader: Option<BallReader>,
    /// When the machine said anything last, on the clock that nobody can set, milliseconds.
    pub heard_at: Option<i64>,
    /// When the machine is asked next, and called again once it is gone, on the clock that nobody can
    /// set, milliseconds.
    pub asks_at: i64,
    /// See `asks_at`.
    pub calls_at: i64,
    /// When the wire was opened.
    pub opened_at: i64,
    /// What is wrong with the wire, so that it is told once.
    pub trouble: Option<String>,
}

impl BallLine {
    pub(crate) fn new(machine: BallMachine) -> Self {
        Self {
            machine,
            standing: Mutex::default(),
            reading: Mutex::default(),
            thread: Mutex::default(),
        }
    }

    /// The machine.
    pub fn name(&self) -> &str {
        &self.machine.name
    }

    /// How it stands.
    pub fn standing(&self) -> LineStanding {
        *self.standing.lock()
    }

    pub(crate) fn stands(&self, standing: LineStanding) {
        *self.standing.lock() = standing;
    }
}

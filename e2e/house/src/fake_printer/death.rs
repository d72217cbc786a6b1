//! The ways in which a printer, its wire or its terminal dies in the middle of a paper.

/// A way to die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Death {
    /// The plug is pulled: the wire ends, what was not printed is lost, and nobody answers until
    /// it is plugged in again.
    Unplugged,
    /// The cover is opened: nothing more is printed until it is closed, and then the rest is.
    Cover,
    /// The roll ends: nothing more is printed, and what waits is lost with the change of rolls.
    PaperEnd,
    /// The wire is reset; what was not printed is lost.
    Reset,
    /// It prints on and says nothing more.
    Silent,
    /// It takes everything, prints nothing more and says nothing more.
    Hung,
    /// It takes one byte at a time.
    Slow,
    /// The power goes and comes back: the wire ends, what was not printed is lost.
    PowerCycle,
    /// It prints on and says nonsense: noise, automatic states, halves of confirmations.
    Garbage,
    /// The terminal loses its power; the printer prints on.
    TerminalDies,
}

impl Death {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Unplugged,
        Self::Cover,
        Self::PaperEnd,
        Self::Reset,
        Self::Silent,
        Self::Hung,
        Self::Slow,
        Self::PowerCycle,
        Self::Garbage,
        Self::TerminalDies,
    ];

    /// True when the wire ends.
    pub const fn cuts_the_wire(self) -> bool {
        matches!(self, Self::Unplugged | Self::Reset | Self::PowerCycle)
    }
}

/// A way to die, and when: once so many bytes of a job have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// How.
    pub death: Death,
    /// After how many bytes of the next job; questions about the state are none.
    pub at: usize,
}

//! What every draw machine looks like from outside: it is given an order, then yields events,
//! ball by ball.
//!
//! A computer draw, a machine with real balls and a recording differ in what they need before
//! they start (secrets, or nothing) and in when the balls come; not in how they are asked.
//! [`DrawMachine::next`] never waits: a machine with real balls answers
//! [`DrawEvent::Waiting`] until the next ball is in its tube.

use crate::context::DrawContext;
use crate::holder::SealProof;
use crate::journal::JournalFault;
use crate::transcript::{HolderRecord, TranscriptFault, check_balls};

/// Where balls come from. The numbers are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum MachineKind {
    /// Computed from secrets and seal.
    Rng = 1,
    /// A machine with real balls.
    Balls = 2,
    /// A recording, for tests and drills.
    Replay = 3,
}

impl MachineKind {
    /// Stable number.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// False for a recording: what it yields must never be recorded as a draw that pays.
    #[must_use]
    pub fn is_real(self) -> bool {
        self != Self::Replay
    }
}

/// What a machine is asked to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawOrder {
    /// The draw and its seal.
    pub ctx: DrawContext,
    /// Holders with commitments and revealed secrets, in the order of the derivation. Empty
    /// for machines that need none.
    pub holders: Vec<HolderRecord>,
    /// What proves the seal, for a machine on a host of its own.
    pub proof: SealProof,
    /// The signature line of each holder for this seal, in their order; empty for one within central.
    pub signatures: Vec<String>,
}

impl DrawOrder {
    /// An order for a machine within central, which needs no proof.
    #[must_use]
    pub fn within(ctx: DrawContext, holders: Vec<HolderRecord>) -> Self {
        Self {
            ctx,
            signatures: vec![String::new(); holders.len()],
            holders,
            proof: SealProof::default(),
        }
    }
}

/// Why a draw stopped before its last ball.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InterruptReason {
    /// The machine does not answer.
    ConnectionLost,
    /// The machine says that it is stopped.
    Stopped,
    /// What the machine sent is not a ball of this draw.
    FrameRefused,
}

/// What a machine has to say next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrawEvent {
    /// A ball.
    Ball {
        /// Place in the order, from 1.
        position: u8,
        /// The number.
        number: u8,
        /// UTC milliseconds, where the machine itself tells the time; a computer draw has none.
        at_ms: Option<i64>,
    },
    /// Nothing yet: ask again later.
    Waiting,
    /// The draw stopped; the balls so far stand as recorded.
    Interrupted {
        /// Why.
        reason: InterruptReason,
    },
    /// All balls were yielded.
    Complete,
}

/// Why a machine does not draw. Closed.
#[derive(Debug, thiserror::Error)]
pub enum MachineFault {
    /// No order was given.
    #[error("no draw was begun")]
    NotBegun,
    /// The order is of another house.
    #[error("the order is of house {found:?}")]
    HouseDiffers {
        /// House of the order.
        found: String,
    },
    /// Pool, seal, holders or commitments do not allow a draw.
    #[error("the order does not allow a draw")]
    OrderInvalid(#[from] TranscriptFault),
    /// The draw has another seal already. This stays so forever.
    #[error("draw {draw} already has another seal")]
    SecondSeal {
        /// The draw.
        draw: u64,
    },
    /// The seal is the one of another draw.
    #[error("the seal given for draw {draw} is the seal of draw {other}")]
    SealOfAnotherDraw {
        /// The draw asked for.
        draw: u64,
        /// The draw that the seal was given for before.
        other: u64,
    },
    /// Same draw and seal, but other holders, rule book or pool than the first time.
    #[error("draw {draw} was ordered differently before")]
    OrderDiffers {
        /// The draw.
        draw: u64,
    },
    /// The journal holds other balls than secrets and seal give.
    #[error("the balls on record for draw {draw} are not those that its order gives")]
    RecordDiffers {
        /// The draw.
        draw: u64,
    },
    /// The recording does not hold this draw.
    #[error("draw {draw} is not in the recording")]
    NotRecorded {
        /// The draw.
        draw: u64,
    },
    /// The journal cannot be used.
    #[error("the machine's journal cannot be used")]
    Journal(#[from] JournalFault),
    /// The machine's host cannot be reached, or does not speak as it should.
    #[error("the machine's host does not answer: {0}")]
    Away(String),
    /// The machine's host refused.
    #[error("the machine's host refuses ({name}): {words}")]
    ByHost {
        /// The stable name of its refusal.
        name: String,
        /// Its words.
        words: String,
    },
}

impl MachineFault {
    /// Stable name; that of the cause for order and journal.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotBegun => "not_begun",
            Self::HouseDiffers { .. } => "house_differs",
            Self::OrderInvalid(fault) => fault.name(),
            Self::SecondSeal { .. } => "second_seal",
            Self::SealOfAnotherDraw { .. } => "seal_of_another_draw",
            Self::OrderDiffers { .. } => "order_differs",
            Self::RecordDiffers { .. } => "record_differs",
            Self::NotRecorded { .. } => "not_recorded",
            Self::Journal(fault) => fault.name(),
            Self::Away(_) => "host_away",
            Self::ByHost { .. } => "refused_by_host",
        }
    }
}

/// A source of balls.
pub trait DrawMachine: Send {
    /// Where its balls come from.
    fn kind(&self) -> MachineKind;

    /// The key of its host, in the text form of C2SP signed notes; empty within central.
    fn host(&self) -> String {
        String::new()
    }

    /// Takes an order. The same order again starts over with the same balls.
    ///
    /// # Errors
    /// [`MachineFault`]; no ball can be had after an error.
    fn begin(&mut self, order: &DrawOrder) -> Result<(), MachineFault>;

    /// The next event of the draw that was begun.
    ///
    /// # Errors
    /// [`MachineFault::NotBegun`] without an order.
    fn next(&mut self) -> Result<DrawEvent, MachineFault>;

    /// The signature line by which a host of its own says that it drew these balls for this order
    /// (C2SP signed note), once they are complete; empty from a machine within central.
    fn signature(&self) -> String {
        String::new()
    }
}

/// All balls of a draw with the kind of machine that gave them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// Where the balls come from; travels with them so that a recording stays recognisable.
    pub kind: MachineKind,
    /// Balls in order.
    pub balls: Vec<u8>,
    /// How it ended: [`DrawEvent::Complete`], [`DrawEvent::Interrupted`] or
    /// [`DrawEvent::Waiting`].
    pub end: DrawEvent,
    /// See [`DrawMachine::signature`].
    pub signature: String,
}

/// Begins `order` and takes every ball that is there already. A complete draw has been checked
/// for count, range and distinctness.
///
/// # Errors
/// What the machine refuses, or [`MachineFault::OrderInvalid`] for balls that cannot be.
pub fn collect(
    machine: &mut dyn DrawMachine,
    order: &DrawOrder,
) -> Result<Collected, MachineFault> {
    machine.begin(order)?;
    let mut balls = Vec::new();
    let end = loop {
        match machine.next()? {
            DrawEvent::Ball { number, .. } if balls.len() <= usize::from(order.ctx.drawn) => {
                balls.push(number);
            }
            // A machine that never ends has sent too many: the count is refused below.
            DrawEvent::Ball { .. } => break DrawEvent::Complete,
            end => break end,
        }
    };
    if end == DrawEvent::Complete {
        check_balls(order.ctx.pool_size, order.ctx.drawn, &balls)?;
    }
    Ok(Collected {
        kind: machine.kind(),
        balls,
        end,
        signature: machine.signature(),
    })
}

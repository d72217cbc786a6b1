//! The computer draw: all balls are computed and journalled before the first is yielded.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::adapter::{DrawEvent, DrawMachine, DrawOrder, MachineFault, MachineKind};
use crate::bytes::{Fields, put, put_u64};
use crate::context::put_context;
use crate::holder::Seal;
use crate::journal::{Journal, JournalFault};
use crate::medium::{FileMedium, Medium};
use crate::transcript::{Transcript, check_balls};

/// Name of the journal in the machine's folder.
pub const MACHINE_JOURNAL: &str = "draws.journal";
/// First field of the record that says whose journal it is.
const MACHINE_TAG: &str = "boulier/machine/v1";
/// First field of what stands for an order in the journal.
const ORDER_TAG: &str = "boulier/order/v1";

/// A draw on record.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Recorded {
    seal: Seal,
    order_hash: [u8; 32],
    balls: Vec<u8>,
}

/// The draw under way.
struct UnderWay {
    balls: Vec<u8>,
    yielded: usize,
}

/// The computer draw with its own journal.
pub struct RngMachine {
    house: String,
    journal: Journal,
    draws: BTreeMap<u64, Recorded>,
    seals: BTreeMap<[u8; 32], u64>,
    under_way: Option<UnderWay>,
}

impl fmt::Debug for RngMachine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the draw under way: its balls are nobody's business before their moment.
        formatter
            .debug_struct("RngMachine")
            .field("house", &self.house)
            .field("draws", &self.draws.len())
            .finish_non_exhaustive()
    }
}

impl RngMachine {
    /// Opens the machine's journal in `folder` (made if missing, mode 0700) for this house.
    ///
    /// # Errors
    /// [`JournalFault`]: a damaged journal, or one of another house, refuses to start.
    pub fn open(folder: &Path, house: &str) -> Result<Self, JournalFault> {
        let medium = FileMedium::open(folder, MACHINE_JOURNAL)?;
        Self::open_on(Box::new(medium), house)
    }

    /// Opens the machine's journal on any medium.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_on(medium: Box<dyn Medium>, house: &str) -> Result<Self, JournalFault> {
        let mut subject = Vec::new();
        put(&mut subject, MACHINE_TAG.as_bytes());
        put(&mut subject, house.as_bytes());
        let (journal, records) = Journal::open(medium, &subject)?;
        let mut machine = Self {
            house: house.to_owned(),
            journal,
            draws: BTreeMap::new(),
            seals: BTreeMap::new(),
            under_way: None,
        };
        for (index, (_, payload)) in records.iter().enumerate() {
            let contradiction = JournalFault::Contradiction { record: index + 1 };
            let Some((draw, recorded)) = decode(payload) else {
                return Err(contradiction);
            };
            machine.seals.insert(recorded.seal.root, draw);
            if machine.draws.insert(draw, recorded).is_some() {
                return Err(contradiction);
            }
        }
        Ok(machine)
    }

    /// Whether a draw is on record.
    #[must_use]
    pub fn has_drawn(&self, draw: u64) -> bool {
        self.draws.contains_key(&draw)
    }

    /// How many draws are on record.
    #[must_use]
    pub fn draws_on_record(&self) -> u64 {
        self.draws.len() as u64
    }

    /// The balls on record of an order that may be answered, computed and recorded if it is
    /// the first time.
    fn balls_of(&mut self, order: &DrawOrder) -> Result<Vec<u8>, MachineFault> {
        let context = &order.ctx;
        if context.house != self.house {
            return Err(MachineFault::HouseDiffers {
                found: context.house.clone(),
            });
        }
        let draw = context.draw;
        let seal = Seal {
            size: context.log_size,
            root: context.seal_root,
        };
        // The seal is judged before the rest of the order: a second seal is refused as such,
        // whatever else is wrong with it.
        let known = self.draws.get(&draw);
        if known.is_some_and(|known| known.seal != seal) && !seal.is_missing() {
            return Err(MachineFault::SecondSeal { draw });
        }
        let transcript = Transcript::compute(context.clone(), order.holders.clone())?;
        let order_hash = order_hash(order);
        if let Some(known) = known {
            if known.order_hash != order_hash {
                return Err(MachineFault::OrderDiffers { draw });
            }
            if known.balls != transcript.balls {
                return Err(MachineFault::RecordDiffers { draw });
            }
            return Ok(known.balls.clone());
        }
        if let Some(other) = self.seals.get(&seal.root).copied() {
            return Err(MachineFault::SealOfAnotherDraw { draw, other });
        }
        check_balls(context.pool_size, context.drawn, &transcript.balls)?;
        let recorded = Recorded {
            seal,
            order_hash,
            balls: transcript.balls,
        };
        self.journal.append(&encode(draw, &recorded))?;
        let balls = recorded.balls.clone();
        self.seals.insert(seal.root, draw);
        self.draws.insert(draw, recorded);
        Ok(balls)
    }
}

impl DrawMachine for RngMachine {
    fn kind(&self) -> MachineKind {
        MachineKind::Rng
    }

    fn begin(&mut self, order: &DrawOrder) -> Result<(), MachineFault> {
        self.under_way = None;
        let balls = self.balls_of(order)?;
        self.under_way = Some(UnderWay { balls, yielded: 0 });
        Ok(())
    }

    fn next(&mut self) -> Result<DrawEvent, MachineFault> {
        let Some(under_way) = &mut self.under_way else {
            return Err(MachineFault::NotBegun);
        };
        let Some(number) = under_way.balls.get(under_way.yielded).copied() else {
            return Ok(DrawEvent::Complete);
        };
        under_way.yielded += 1;
        Ok(DrawEvent::Ball {
            // At most 255 balls are drawn.
            position: u8::try_from(under_way.yielded).unwrap_or(u8::MAX),
            number,
            at_ms: None,
        })
    }
}

/// What stands for an order in the journal: everything that may move a ball, and names and
/// commitments. The secrets stay out.
fn order_hash(order: &DrawOrder) -> [u8; 32] {
    let mut input = Vec::new();
    put(&mut input, ORDER_TAG.as_bytes());
    put_context(&mut input, &order.ctx);
    put_u64(&mut input, order.holders.len() as u64);
    for holder in &order.holders {
        put(&mut input, holder.name.as_bytes());
        put(&mut input, &holder.commitment);
    }
    Sha256::digest(&input).into()
}

fn encode(draw: u64, recorded: &Recorded) -> Vec<u8> {
    let mut record = Vec::new();
    put_u64(&mut record, draw);
    put_u64(&mut record, recorded.seal.size);
    put(&mut record, &recorded.seal.root);
    put(&mut record, &recorded.order_hash);
    put(&mut record, &recorded.balls);
    record
}

fn decode(record: &[u8]) -> Option<(u64, Recorded)> {
    let mut fields = Fields::new(record);
    let draw = fields.take_u64()?;
    let recorded = Recorded {
        seal: Seal {
            size: fields.take_u64()?,
            root: fields.take_array()?,
        },
        order_hash: fields.take_array()?,
        balls: fields.take()?.to_vec(),
    };
    fields.is_done().then_some((draw, recorded))
}

#[cfg(test)]
#[path = "rng_machine_tests.rs"]
mod tests;

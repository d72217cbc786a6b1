//! What the writer holds in memory: open and unsettled draws with their wagers packed, rules,
//! sessions, tills and keys.
//!
//! It is a fold over the events of the log and nothing else: [`State::apply`] is the only
//! function that changes it, at start from leaves checked against their hashes, and while
//! running from the events just recorded. Each change notes how to take it back, so that a
//! batch whose transaction fails leaves no trace.

mod draws;
mod fingerprint;
mod follower;
mod following;
pub mod frequency;
mod hands;
mod house;
pub mod improbable;
mod kept;
mod keys;
mod leaves;
mod model;
mod people;
pub mod prizes;
mod room;
mod sessions;
mod sets;
mod tickets;
mod undo;
mod wagers;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use keno_game::{DrawState, DrawStep, PackedStraight, PayTable};
use keno_log::event::TicketSold;
use keno_log::tree::Edge;
use keno_log::{CommandKey, Event, Hash, LeafHeader};

use crate::fault::Fault;
use crate::numbers::Epochs;

pub use follower::{Begun, Differing, Following, WaitingDraw};
pub use frequency::{DrawKind, Frequency};
pub use hands::{Enterer, Hands, LINE_STOPS, ReadLine, next_position};
pub use keys::{Keys, PageNumber, leaf_in, page_bytes, page_of};
pub use leaves::{Block, Leaves, counted_with};
pub use model::{
    Acting, Device, Draw, Epoch, HandedOver, HolderState, House, KeyKind, Person, PublishedRules,
    RangedStraight, RangedWay, RecordedBalls, SILENCE_MS, SealState, Served, Session, Settlement,
    Shift, Silence,
};
pub use room::{DrawRoom, OpenRoom, SetChoice, SetOfBalls, Unusable, chosen_set};
pub(crate) use sets::chooses;
pub use undo::Undo;
pub use wagers::{exposure, prize_of};

/// The writer's memory.
#[derive(Debug, Clone)]
pub struct State {
    /// The house, once founded.
    pub house: Option<House>,
    /// The right edge of the tree.
    pub edge: Edge,
    /// What proves a leaf that is read, and that no fact of a ticket is missing.
    pub leaves: Leaves,
    /// Time of the last leaf.
    pub last_at_ms: i64,
    /// Rules by version.
    pub rule_books: BTreeMap<u32, Arc<PublishedRules>>,
    /// Pay tables in use, by the index in packed wagers.
    pub tables: Vec<PayTable>,
    table_index: HashMap<(u32, u8), Vec<(String, u16)>>,
    /// People by badge.
    pub people: HashMap<String, Person>,
    /// Who may be made an acting supervisor, by badge.
    pub acting: BTreeMap<String, Acting>,
    /// Devices by number.
    pub devices: HashMap<u32, Device>,
    /// Devices that were left, by number: the last time that each was.
    pub handed_over: BTreeMap<u32, HandedOver>,
    /// Open sessions.
    pub sessions: BTreeMap<u64, Session>,
    /// Open tills.
    pub shifts: BTreeMap<u64, Shift>,
    /// Next session number.
    pub next_session: u64,
    /// Next shift number.
    pub next_shift: u64,
    /// Draws by number: all that are not finished, and the last that are.
    pub draws: BTreeMap<u64, Draw>,
    /// Keys of the open sessions.
    pub keys: Keys,
    /// Keys of the sessions that were ended last: their rows are written with that leaf.
    pub(crate) ended_keys: Keys,
    /// SHA-256 of each page of keys of the sessions that have ended, as its row has it.
    pub ended_pages: BTreeMap<PageNumber, Hash>,
    /// The last sale of each device: the moment, UTC milliseconds, and the price in cents.
    pub last_sales: BTreeMap<u32, (i64, i64)>,
    /// Straight wagers for a single draw, ascending by ticket.
    pub single: BTreeMap<u64, Vec<PackedStraight>>,
    /// Straight wagers for several draws, ascending by ticket.
    pub ranged: Vec<RangedStraight>,
    /// Way and king wagers, ascending by ticket.
    pub ways: Vec<RangedWay>,
    /// Sum of the top prizes on each set of numbers, by draw.
    pub liability: BTreeMap<u64, HashMap<u128, i64>>,
    /// Winning sets of all draws: a repetition is an alarm.
    pub drawn_sets: HashSet<u128>,
    /// How often each number came up in official draws, by kind of draw.
    pub frequencies: Vec<Frequency>,
    /// Sets of balls, and the draw room.
    pub room: Arc<DrawRoom>,
    /// Who follows the log, and which draws wait for that.
    pub following: Arc<Following>,
    /// Sales stopped for the whole house, since this leaf.
    pub sales_suspended: Option<u64>,
    /// Schedule halted, since this leaf.
    pub schedule_halted: Option<u64>,
    /// Fencing number of the lease.
    pub fence: u64,
    /// The epoch that the log is in, from 1.
    pub epoch: Epoch,
    /// Where the later epochs begin.
    pub epochs: Epochs,
    /// The last leaf by which somebody was served.
    pub served: Option<Served>,
    /// Silences of the house, by their leaves.
    pub silences: Arc<Vec<Silence>>,
    /// Tickets that a restore lost and that were refunded, by epoch and leaf: the leaf that says so.
    pub lost_refunds: BTreeMap<(u32, u64), u64>,
    /// Files of s. 83 that people judged: the leaf of the last judgement.
    pub judged_files: BTreeMap<u64, u64>,
    /// Counts the facts that a reader's view shows: all but sales, prints and closed keys.
    pub changes: u64,
}

impl Default for State {
    fn default() -> Self {
        Self {
            house: None,
            edge: Edge::new(),
            leaves: Leaves::default(),
            last_at_ms: i64::MIN,
            rule_books: BTreeMap::new(),
            tables: Vec::new(),
            table_index: HashMap::new(),
            people: HashMap::new(),
            acting: BTreeMap::new(),
            devices: HashMap::new(),
            handed_over: BTreeMap::new(),
            sessions: BTreeMap::new(),
            shifts: BTreeMap::new(),
            next_session: 1,
            next_shift: 1,
            draws: BTreeMap::new(),
            keys: Keys::default(),
            ended_keys: Keys::default(),
            ended_pages: BTreeMap::new(),
            last_sales: BTreeMap::new(),
            single: BTreeMap::new(),
            ranged: Vec::new(),
            ways: Vec::new(),
            liability: BTreeMap::new(),
            drawn_sets: HashSet::new(),
            frequencies: Vec::new(),
            room: Arc::default(),
            following: Arc::default(),
            sales_suspended: None,
            schedule_halted: None,
            fence: 0,
            epoch: Epoch::default(),
            epochs: Epochs::default(),
            served: None,
            silences: Arc::default(),
            lost_refunds: BTreeMap::new(),
            judged_files: BTreeMap::new(),
            changes: 0,
        }
    }
}

fn record_fault(what: impl Into<String>) -> Fault {
    Fault::Record(what.into())
}

impl State {
    /// The house.
    ///
    /// # Errors
    /// [`Fault::Record`] before the house is founded.
    pub fn house(&self) -> Result<&House, Fault> {
        self.house
            .as_ref()
            .ok_or_else(|| record_fault("the log has no HouseOpened leaf"))
    }

    /// The rules that govern a new ticket whose first draw is `draw`.
    pub fn rules_for(&self, draw: u64) -> Option<&Arc<PublishedRules>> {
        self.rule_books
            .values()
            .rev()
            .find(|rules| rules.effective_from <= draw)
    }

    /// The lowest draw that is open for sale.
    pub fn next_open(&self) -> Option<u64> {
        self.draws
            .values()
            .find(|draw| draw.state == DrawState::Open)
            .map(|draw| draw.number)
    }

    /// The leaf that answered a key of an open session.
    pub fn key(&self, key: &CommandKey) -> Option<u64> {
        self.keys.get(key)
    }

    /// The hash of the page in which a key of a session that has ended lies, if it has one.
    pub fn ended_page(&self, key: &CommandKey) -> Option<Hash> {
        self.ended_pages.get(&page_of(key).0).copied()
    }

    /// Applies an event just recorded, or read from a checked leaf.
    ///
    /// `sale` finds the sale of a ticket that an event names, from the record.
    ///
    /// # Errors
    /// [`Fault::Record`] when the event cannot follow what came before: such a record is not
    /// one of this program's.
    pub fn apply(
        &mut self,
        header: &LeafHeader,
        event: &Event,
        leaf_hash: Hash,
        sale: &mut dyn FnMut(u64) -> Result<TicketSold, Fault>,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        let filled = self.leaves.append(leaf_hash);
        let before = (self.edge.clone(), self.last_at_ms, self.served);
        undo.push(Undo::Head(before.0, before.1, before.2, filled));
        if let Some(silence) = Silence::after(self.served, header) {
            undo.push(Undo::Silences(Arc::clone(&self.silences)));
            Arc::make_mut(&mut self.silences).push(silence);
        }
        self.served = Served::by(header).or(self.served);
        self.edge.append(leaf_hash);
        self.last_at_ms = header.at_ms;
        if !matches!(
            event,
            Event::TicketSold(_) | Event::PrintConfirmed(_) | Event::KeyClosed(_)
        ) {
            self.changes = self.changes.wrapping_add(1);
        }
        let names = event.names();
        if let Some(draw) = names.draw {
            self.note_leaf(draw, header, undo)?;
        }
        if let Some(ticket) = names.ticket {
            self.leaves.count(ticket, 1);
            undo.push(Undo::Fact(ticket));
        }
        let leaf = header.index;
        match event {
            Event::HouseOpened(body) => self.open_house(body, undo),
            Event::RuleBookPublished(body) => self.publish_rules(leaf, body, undo)?,
            Event::EpochOpened(body) => self.open_epoch(header, body, undo),
            Event::LeaseTaken(body) => self.keep_marks(undo).fence = body.fence,
            Event::ScheduleHalted(_) => self.keep_marks(undo).schedule_halted = Some(leaf),
            Event::ScheduleConfirmed(_) => self.keep_marks(undo).schedule_halted = None,
            Event::SalesSuspended(_) => self.keep_marks(undo).sales_suspended = Some(leaf),
            Event::SalesResumed(_) => self.keep_marks(undo).sales_suspended = None,
            Event::PersonRecorded(body) => self.record_person(body, undo),
            Event::ActingNamed(body) => self.name_acting(leaf, body, undo),
            Event::ActingMade(body) => self.make_acting(header, body, undo),
            Event::DeviceRecorded(body) => self.record_device(body, undo),
            Event::DeviceHandedOver(body) => self.hand_over(leaf, body, undo),
            Event::SessionOpened(body) => self.open_session(header, body, undo),
            Event::SessionEnded(body) => self.end_session(body, undo),
            Event::ShiftOpened(body) => self.open_shift(leaf, body, undo),
            Event::ShiftClosed(body) => self.close_shift(body, undo),
            Event::DrawScheduled(body) => self.schedule_draw(header, body, undo),
            Event::CommitmentRecorded(body) => self.commit(body, undo)?,
            Event::DrawOpened(body) => self.step(body.draw, DrawStep::Open, undo)?,
            Event::DrawClosed(body) => self.close_draw(body.draw, undo)?,
            Event::DrawStarted(body) => self.start_draw(body, undo)?,
            Event::BallsRecorded(body) => self.record_balls(header, body, undo)?,
            Event::DrawCertified(body) => self.certify_draw(body, undo)?,
            Event::SecretsRevealed(body) => self.reveal_secrets(body, undo)?,
            Event::DrawSettled(body) => self.settle_draw(header, body, undo)?,
            Event::DrawSuspended(body) => self.suspend_draw(body.draw, undo)?,
            Event::DrawResumed(body) => self.step(body.draw, DrawStep::Resume, undo)?,
            Event::DrawVoided(body) => self.void_draw(header, body.draw, undo)?,
            Event::FollowerBegan(_) | Event::DrawFollowed(_) | Event::PayoutsOpened(_) => {
                self.take_following(header, event, undo);
            }
            Event::BallEntered(_)
            | Event::BallDrawn(_)
            | Event::EntererReplaced(_)
            | Event::BallRead(_)
            | Event::LineIncident(_) => {
                self.take_balls(header, event, undo)?;
            }
            Event::ComputerStoodIn(body) => self.stand_in(body.draw, undo)?,
            Event::DrawPostponed(body) => self.postpone_draw(body, undo)?,
            Event::BallSetMeasured(_)
            | Event::BallSetsOffered(_)
            | Event::DrawRoomOpened(_)
            | Event::DrawRoomEnded(_) => self.take_room(header, event, undo),
            Event::TicketSold(body) => self.add_ticket(leaf, body, undo)?,
            Event::TicketCancelled(body) => {
                self.take_cancelled(body, &sale(body.ticket)?, undo)?;
            }
            Event::TicketUnpaid(body) => self.take_unpaid(body, &sale(body.ticket)?, undo)?,
            Event::LostTicketRefunded(body) => self.refund_lost(leaf, body, undo),
            Event::FileJudged(body) => self.judge_file(leaf, body, undo),
            // Of these memory has the key and the cash alone, or nothing.
            Event::TubesAttested(_)
            | Event::PrizePaid(_)
            | Event::PaymentReversed(_)
            | Event::TillMoved(_)
            | Event::KeyClosed(_)
            | Event::TillCounted(_)
            | Event::PrintConfirmed(_)
            | Event::TicketReleased(_)
            | Event::TicketDuplicated(_)
            | Event::ClaimPresented(_)
            | Event::PatronRefused(_)
            | Event::PaymentHeld(_)
            | Event::DamagedTicketRead(_)
            | Event::FileOpened(_)
            | keno_log::a_note!() => {}
        }
        self.answer_key(header.kind, leaf, &names, undo);
        if let Some((shift, cents)) = event.cash() {
            self.move_till(shift, cents, undo);
        }
        Ok(())
    }
}

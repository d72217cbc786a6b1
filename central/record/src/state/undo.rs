//! Every change can be taken back: a batch whose transaction fails leaves no trace in memory.

use std::collections::HashMap;
use std::sync::Arc;

use keno_game::{PackedStraight, PackedWay};
use keno_log::tree::Edge;
use keno_log::{CommandKey, Hash};

use super::{
    Acting, Device, Draw, DrawRoom, Epoch, Following, Frequency, HandedOver, House, Keys, Person,
    RangedStraight, RangedWay, Served, Session, Shift, Silence, State,
};

/// Puts back what a map had under a key, which may be nothing.
macro_rules! restore {
    ($map:expr, $key:expr, $value:expr) => {
        match $value {
            Some(value) => drop($map.insert($key, value)),
            None => drop($map.remove(&$key)),
        }
    };
}

/// How to take one change back.
#[derive(Debug)]
pub enum Undo {
    /// The head before a leaf, and the block of leaves that it filled.
    Head(Edge, i64, Option<Served>, Option<Vec<Hash>>),
    /// A fact of a ticket was counted.
    Fact(u64),
    /// The silences, as they were.
    Silences(Arc<Vec<Silence>>),
    /// A small part of the state, as it was.
    House(Option<House>),
    /// A rule book was added, with so many tables before it.
    RuleBook(u32, usize),
    /// A person, as it was.
    Person(String, Option<Person>),
    /// Who may act, as it was.
    Acting(String, Option<Acting>),
    /// A device, as it was.
    Device(u32, Option<Device>),
    /// Where a device was left to, as it was.
    HandedOver(u32, Option<HandedOver>),
    /// A session, as it was, and the next number.
    Session(u64, Option<Session>, u64),
    /// A till, as it was, and the next number.
    Shift(u64, Option<Shift>, u64),
    /// A till's expected cash moved by so much.
    TillCash(u64, i64),
    /// A draw, as it was.
    Draw(u64, Option<Box<Draw>>),
    /// A draw's totals moved by tickets, selections, cents.
    Counters(u64, i64, i64, i64),
    /// A key was answered.
    Key(CommandKey),
    /// The last sale of a device, as it was.
    LastSale(u32, Option<(i64, i64)>),
    /// Keys of an ended session.
    Keys(Keys),
    /// A single-draw wager was appended.
    Single(u64),
    /// A multi-draw wager was appended.
    Ranged,
    /// A way wager was appended.
    Way,
    /// A wager was taken out of play.
    SingleWager(u64, usize, u32),
    /// A wager was taken out of play.
    RangedWager(usize, u32),
    /// A wager was taken out of play.
    WayWager(usize, Box<PackedWay>),
    /// Liability moved by so much on these numbers.
    Liability(u64, u128, i64),
    /// How often each number came up before.
    Frequencies(Vec<Frequency>),
    /// Sets of balls and the draw room, as they were.
    Room(Arc<DrawRoom>),
    /// Who follows and what waits, as it was.
    Following(Arc<Following>),
    /// A winning set was remembered.
    DrawnSet(u128),
    /// The house-wide marks, as they were.
    Marks(Option<u64>, Option<u64>, u64),
    /// The epoch, and the next numbers of session and shift, as they were.
    Epoch(Epoch, (u64, u64)),
    /// The refund of a lost ticket, as it was.
    LostRefund((u32, u64), Option<u64>),
    /// The judgement of a file, as it was.
    JudgedFile(u64, Option<u64>),
    /// Wagers of a finished draw, let go.
    Finished(Box<FinishedWagers>),
}

/// Wagers let go when a draw was finished.
#[derive(Debug)]
pub struct FinishedWagers {
    pub(super) draw: u64,
    pub(super) single: Vec<PackedStraight>,
    pub(super) ranged: Vec<RangedStraight>,
    pub(super) ways: Vec<RangedWay>,
    pub(super) liability: HashMap<u128, i64>,
    pub(super) old_draws: Vec<Draw>,
}

impl State {
    /// Takes changes back, the last first.
    pub fn take_back(&mut self, undo: &mut Vec<Undo>) {
        while let Some(change) = undo.pop() {
            self.take_one_back(change);
        }
    }

    fn take_one_back(&mut self, change: Undo) {
        match change {
            Undo::Fact(ticket) => self.leaves.count(ticket, -1),
            Undo::Head(edge, at_ms, served, filled) => {
                self.leaves.take_back(filled);
                self.edge = edge;
                self.last_at_ms = at_ms;
                self.served = served;
            }
            Undo::House(house) => self.house = house,
            Undo::RuleBook(version, tables) => {
                self.rule_books.remove(&version);
                self.table_index.retain(|(of, _), _| *of != version);
                self.tables.truncate(tables);
            }
            Undo::Person(badge, person) => restore!(self.people, badge, person),
            Undo::Acting(badge, acting) => restore!(self.acting, badge, acting),
            Undo::Device(number, device) => restore!(self.devices, number, device),
            Undo::HandedOver(number, before) => restore!(self.handed_over, number, before),
            Undo::Session(number, session, next) => {
                restore!(self.sessions, number, session);
                self.next_session = next;
            }
            Undo::Shift(number, shift, next) => {
                restore!(self.shifts, number, shift);
                self.next_shift = next;
            }
            Undo::TillCash(shift, cents) => {
                if let Some(till) = self.shifts.get_mut(&shift) {
                    till.expected_cents = till.expected_cents.saturating_sub(cents);
                }
            }
            Undo::Draw(number, draw) => restore!(self.draws, number, draw.map(|draw| *draw)),
            Undo::Counters(number, tickets, selections, cents) => {
                if let Some(draw) = self.draws.get_mut(&number) {
                    draw.tickets = draw.tickets.saturating_add_signed(-tickets);
                    draw.selections = draw.selections.saturating_add_signed(-selections);
                    draw.wagered_cents = draw.wagered_cents.saturating_sub(cents);
                }
            }
            Undo::Key(key) => self.keys.remove(&key),
            Undo::LastSale(device, before) => restore!(self.last_sales, device, before),
            Undo::Keys(keys) => {
                for (number, _) in keys.pages() {
                    self.ended_pages.remove(number);
                }
                self.keys.put_back(keys);
            }
            Undo::Single(draw) => self.lose_single(draw),
            Undo::Ranged => {
                self.ranged.pop();
            }
            Undo::Way => {
                self.ways.pop();
            }
            Undo::SingleWager(draw, offset, cents) => {
                if let Some(wager) = self
                    .single
                    .get_mut(&draw)
                    .and_then(|list| list.get_mut(offset))
                {
                    wager.wager_cents = cents;
                }
            }
            Undo::RangedWager(offset, cents) => {
                if let Some(ranged) = self.ranged.get_mut(offset) {
                    ranged.wager.wager_cents = cents;
                }
            }
            Undo::WayWager(offset, wager) => {
                if let Some(ranged) = self.ways.get_mut(offset) {
                    ranged.wager = *wager;
                }
            }
            Undo::Liability(draw, numbers, cents) => self.lower_liability(draw, numbers, cents),
            Undo::Frequencies(before) => self.frequencies = before,
            Undo::Room(before) => self.room = before,
            Undo::Following(before) => self.following = before,
            Undo::DrawnSet(set) => _ = self.drawn_sets.remove(&set),
            Undo::Marks(suspended, halted, fence) => {
                self.sales_suspended = suspended;
                self.schedule_halted = halted;
                self.fence = fence;
            }
            Undo::Epoch(epoch, (session, shift)) => {
                self.epoch = epoch;
                Arc::make_mut(&mut self.epochs.0).pop();
                self.next_session = session;
                self.next_shift = shift;
            }
            Undo::Silences(before) => self.silences = before,
            Undo::LostRefund(place, before) => restore!(self.lost_refunds, place, before),
            Undo::JudgedFile(file, before) => restore!(self.judged_files, file, before),
            Undo::Finished(finished) => self.put_back(*finished),
        }
    }

    fn lose_single(&mut self, draw: u64) {
        if let Some(wagers) = self.single.get_mut(&draw) {
            wagers.pop();
            if wagers.is_empty() {
                self.single.remove(&draw);
            }
        }
    }

    fn lower_liability(&mut self, draw: u64, numbers: u128, cents: i64) {
        if let Some(sums) = self.liability.get_mut(&draw) {
            if let Some(sum) = sums.get_mut(&numbers) {
                *sum = sum.saturating_sub(cents);
                if *sum == 0 {
                    sums.remove(&numbers);
                }
            }
            if sums.is_empty() {
                self.liability.remove(&draw);
            }
        }
    }

    fn put_back(&mut self, finished: FinishedWagers) {
        if !finished.single.is_empty() {
            self.single.insert(finished.draw, finished.single);
        }
        if !finished.ranged.is_empty() {
            self.ranged = finished.ranged;
        }
        if !finished.ways.is_empty() {
            self.ways = finished.ways;
        }
        if !finished.liability.is_empty() {
            self.liability.insert(finished.draw, finished.liability);
        }
        for draw in finished.old_draws {
            self.draws.insert(draw.number, draw);
        }
    }
}

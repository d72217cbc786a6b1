//! What the writer holds in memory: open and unsettled draws with their wagers packed, rules,
//! sessions, tills and keys.
//!
//! It is a fold over the events of the log and nothing else: [`State::apply`] is the only
//! function that changes it, at start from leaves checked against their hashes, and while
//! running from the events just recorded. Each change notes how to take it back, so that a
//! batch whose transaction fails leaves no trace.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use keno_game::{
    BallSet, Cents, DrawState, DrawStep, PackedLine, PackedStraight, PackedWay, PayTable, RuleBook,
    TicketPrize, draw,
};
use keno_log::event::{SelectionRecord, TicketSold};
use keno_log::tree::Edge;
use keno_log::{CommandKey, Event, Hash, LeafHeader};

use crate::fault::Fault;
use crate::rules_file::{self, RuleTexts};

/// The outcome of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// A sale.
    Sale = 1,
    /// A cancellation.
    Cancellation = 2,
    /// A payment.
    Payment = 3,
    /// Closed without an outcome.
    Closed = 4,
}

impl KeyKind {
    /// The kind of a stable number.
    pub fn from_number(number: i16) -> Option<Self> {
        Some(match number {
            1 => Self::Sale,
            2 => Self::Cancellation,
            3 => Self::Payment,
            4 => Self::Closed,
            _ => return None,
        })
    }
}

/// What a key was answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyOutcome {
    /// Kind of outcome.
    pub kind: KeyKind,
    /// SHA-256 of the request; zero for a closed key.
    pub content_hash: Hash,
    /// Leaf of the fact.
    pub leaf: u64,
}

/// The house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct House {
    /// Short name.
    pub code: String,
    /// Name on paper.
    pub name: String,
    /// IANA zone.
    pub zone: String,
    /// Verifier key of the checkpoints.
    pub log_key: String,
    /// Number of the first draw.
    pub first_draw: u64,
}

/// A published version of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedRules {
    /// The rules.
    pub rules: RuleBook,
    /// Its sentences.
    pub texts: RuleTexts,
    /// First draw that it governs.
    pub effective_from: u64,
    /// SHA-256 of the text.
    pub hash: Hash,
    /// The text.
    pub text: String,
    /// Leaf of the publication.
    pub leaf: u64,
}

/// A person with a badge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// Name shown to colleagues.
    pub name: String,
    /// Role numbers.
    pub roles: Vec<u8>,
    /// argon2id, PHC text form.
    pub credential: String,
    /// False once withdrawn.
    pub active: bool,
}

/// A device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Name on screens and paper.
    pub name: String,
    /// Role number.
    pub role: u8,
    /// SHA-256 of its key.
    pub key_hash: Hash,
    /// False once revoked.
    pub active: bool,
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Device.
    pub device: u32,
    /// Badge.
    pub badge: String,
    /// SHA-256 of its token.
    pub token_hash: Hash,
}

/// An open till.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shift {
    /// Device.
    pub device: u32,
    /// Badge of its holder.
    pub badge: String,
    /// Cash that the record expects in it.
    pub expected_cents: i64,
    /// Leaf that opened it.
    pub opened_leaf: u64,
}

/// A holder of a draw's secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HolderState {
    /// Name.
    pub name: String,
    /// Commitment, once recorded.
    pub commitment: Option<Hash>,
    /// Secret, once revealed.
    pub secret: Option<Hash>,
}

/// The seal of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealState {
    /// Leaves just after the closing leaf.
    pub size: u64,
    /// Root of that tree.
    pub root: Hash,
}

/// The recorded numbers of a draw. Who may see them, and when, is judged by
/// [`crate::view::DrawInfo`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedBalls {
    /// In the order drawn.
    pub balls: Vec<u8>,
    /// SHA-256 over the secrets in holder order.
    pub secrets_hash: Hash,
    /// When they were recorded.
    pub recorded_at_ms: i64,
}

/// What a settled draw came to, as its leaf says.
pub type Settlement = keno_log::event::DrawSettled;

/// A draw that is not long over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// Number.
    pub number: u64,
    /// State.
    pub state: DrawState,
    /// When sales close.
    pub closes_at_ms: i64,
    /// When the first number is shown.
    pub draws_at_ms: i64,
    /// 1 computer, 2 balls.
    pub source: u8,
    /// Numbers in the pool.
    pub pool_size: u8,
    /// Numbers drawn.
    pub drawn: u8,
    /// Maximum payable in prizes.
    pub cap_cents: i64,
    /// Threshold of the small prizes.
    pub full_below_cents: i64,
    /// Holders in the order of the derivation.
    pub holders: Vec<HolderState>,
    /// Tickets that take part.
    pub tickets: u64,
    /// Selections that take part.
    pub selections: u64,
    /// Wagers for this draw.
    pub wagered_cents: i64,
    /// The seal, once closed.
    pub seal: Option<SealState>,
    /// The rule book's hash in the derivation, once started.
    pub rule_book_hash: Option<Hash>,
    /// Numbers, once recorded.
    pub balls: Option<RecordedBalls>,
    /// Who certified.
    pub certifiers: Vec<String>,
    /// Totals, once settled.
    pub settlement: Option<Settlement>,
    /// Leaves about the draw: kind, index, time.
    pub leaves: Vec<(keno_log::EventKind, u64, i64)>,
}

/// A straight wager for several draws: stored once with its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangedStraight {
    /// First draw.
    pub first: u64,
    /// Last draw.
    pub last: u64,
    /// The wager.
    pub wager: PackedStraight,
}

/// A way or king wager with its range.
#[derive(Debug, Clone, PartialEq)]
pub struct RangedWay {
    /// First draw.
    pub first: u64,
    /// Last draw.
    pub last: u64,
    /// The wager.
    pub wager: PackedWay,
}

/// A settlement under way: computed once, written in slices.
#[derive(Debug, Clone)]
pub struct Settling {
    /// The draw.
    pub draw: u64,
    /// Its prizes, ascending by ticket.
    pub prizes: Arc<Vec<TicketPrize>>,
    /// The closing leaf, complete.
    pub leaf: Settlement,
    /// How many prizes are written.
    pub written: usize,
}

/// How many finished draws stay in memory for boards and history checks.
const FINISHED_KEPT: usize = 40;

/// The writer's memory.
#[derive(Debug)]
pub struct State {
    /// The house, once founded.
    pub house: Option<House>,
    /// The right edge of the tree.
    pub edge: Edge,
    /// Time of the last leaf.
    pub last_at_ms: i64,
    /// Rules by version.
    pub rule_books: BTreeMap<u32, Arc<PublishedRules>>,
    /// Pay tables in use, by the index in packed wagers.
    pub tables: Vec<PayTable>,
    table_index: HashMap<(u32, String, u8), u16>,
    /// People by badge.
    pub people: HashMap<String, Person>,
    /// Devices by number.
    pub devices: HashMap<u32, Device>,
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
    pub keys: HashMap<CommandKey, KeyOutcome>,
    /// Straight wagers for a single draw, ascending by ticket.
    pub single: BTreeMap<u64, Vec<PackedStraight>>,
    /// Straight wagers for several draws, ascending by ticket.
    pub ranged: Vec<RangedStraight>,
    /// Way and king wagers, ascending by ticket.
    pub ways: Vec<RangedWay>,
    /// Sum of top prizes on one identical selection, by draw.
    pub liability: BTreeMap<u64, HashMap<u128, i64>>,
    /// Winning sets of all draws: a repetition is an alarm.
    pub drawn_sets: HashSet<u128>,
    /// Sales stopped for the whole house, since this leaf.
    pub sales_suspended: Option<u64>,
    /// Schedule halted, since this leaf.
    pub schedule_halted: Option<u64>,
    /// Fencing number of the lease.
    pub fence: u64,
    /// The settlement under way.
    pub settling: Option<Settling>,
    /// Counts the facts that a reader's view shows: all but sales, prints and closed keys.
    pub changes: u64,
}

/// How to take one change back.
#[derive(Debug)]
pub enum Undo {
    /// The head before a leaf.
    Head(Edge, i64),
    /// A small part of the state, as it was.
    House(Option<House>),
    /// A rule book was added, with so many tables before it.
    RuleBook(u32, usize),
    /// A person, as it was.
    Person(String, Option<Person>),
    /// A device, as it was.
    Device(u32, Option<Device>),
    /// A session, as it was, and the next number.
    Session(u64, Option<Session>, u64),
    /// A till, as it was, and the next number.
    Shift(u64, Option<Shift>, u64),
    /// A till's expected cash moved by so much.
    TillCash(u64, i64),
    /// A draw, as it was.
    Draw(u64, Option<Box<Draw>>),
    /// A draw's totals moved by tickets, selections, cents.
    Counters(u64, u64, i64, i64, i64),
    /// A key was answered.
    Key(CommandKey),
    /// Keys of an ended session.
    Keys(Vec<(CommandKey, KeyOutcome)>),
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
    /// A winning set was remembered.
    DrawnSet(u128),
    /// The house-wide marks, as they were.
    Marks(Option<u64>, Option<u64>, u64),
    /// The settlement under way, as it was.
    Settling(Option<Settling>),
    /// Wagers of a finished draw, let go.
    Finished(Box<FinishedWagers>),
}

/// Wagers let go when a draw was finished.
#[derive(Debug)]
pub struct FinishedWagers {
    draw: u64,
    single: Vec<PackedStraight>,
    ranged: Vec<RangedStraight>,
    ways: Vec<RangedWay>,
    liability: HashMap<u128, i64>,
    old_draws: Vec<Draw>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            house: None,
            edge: Edge::new(),
            last_at_ms: i64::MIN,
            rule_books: BTreeMap::new(),
            tables: Vec::new(),
            table_index: HashMap::new(),
            people: HashMap::new(),
            devices: HashMap::new(),
            sessions: BTreeMap::new(),
            shifts: BTreeMap::new(),
            next_session: 1,
            next_shift: 1,
            draws: BTreeMap::new(),
            keys: HashMap::new(),
            single: BTreeMap::new(),
            ranged: Vec::new(),
            ways: Vec::new(),
            liability: BTreeMap::new(),
            drawn_sets: HashSet::new(),
            sales_suspended: None,
            schedule_halted: None,
            fence: 0,
            settling: None,
            changes: 0,
        }
    }
}

fn record_fault(what: impl Into<String>) -> Fault {
    Fault::Record(what.into())
}

/// The numbers of a recorded group.
fn ball_set(numbers: &[u8]) -> Result<BallSet, Fault> {
    BallSet::from_numbers(numbers).map_err(|fault| record_fault(fault.to_string()))
}

/// A straight selection's single line: spots and wager.
fn straight_of(selection: &SelectionRecord) -> Option<(&[u8], i64)> {
    match (
        selection.kind,
        selection.groups.as_slice(),
        selection.conditioning.as_slice(),
    ) {
        (1, [group], [line]) => Some((group, line.wager_cents)),
        _ => None,
    }
}

fn wager_u32(cents: i64) -> Result<u32, Fault> {
    u32::try_from(cents).map_err(|_| record_fault(format!("a wager of {cents} cents")))
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

    /// The outcome of a key of an open session.
    pub fn key(&self, key: &CommandKey) -> Option<KeyOutcome> {
        self.keys.get(key).copied()
    }

    fn table(&self, rule_book: u32, game: &str, spots: u8) -> Result<u16, Fault> {
        // A lookup by a borrowed tuple needs an owned key; games are few and the string short.
        self.table_index
            .get(&(rule_book, game.to_owned(), spots))
            .copied()
            .ok_or_else(|| {
                record_fault(format!(
                    "a ticket of rule book {rule_book} plays {game} with {spots} numbers, which \
                     has no pay table"
                ))
            })
    }

    fn add_rules(&mut self, rules: PublishedRules, undo: &mut Vec<Undo>) -> Result<(), Fault> {
        let version = rules.rules.version;
        undo.push(Undo::RuleBook(version, self.tables.len()));
        for game in &rules.rules.games {
            for table in &game.tables {
                let index = u16::try_from(self.tables.len())
                    .map_err(|_| record_fault("more than 65,536 pay tables are in use"))?;
                self.tables.push(table.clone());
                self.table_index
                    .insert((version, game.code.clone(), table.spots()), index);
            }
        }
        self.rule_books.insert(version, Arc::new(rules));
        Ok(())
    }

    /// Notes a draw as it is, before it is changed.
    fn keep_draw(&mut self, number: u64, undo: &mut Vec<Undo>) {
        undo.push(Undo::Draw(
            number,
            self.draws.get(&number).cloned().map(Box::new),
        ));
    }

    fn step(&mut self, number: u64, step: DrawStep, undo: &mut Vec<Undo>) -> Result<(), Fault> {
        self.keep_draw(number, undo);
        let draw = self
            .draws
            .get_mut(&number)
            .ok_or_else(|| record_fault(format!("a step of draw {number}, which is unknown")))?;
        draw.state = draw::next(draw.state, step).map_err(|refused| {
            record_fault(format!(
                "draw {number} is {} and cannot {}",
                refused.state.name(),
                refused.step.name()
            ))
        })?;
        Ok(())
    }

    fn with_draw(
        &mut self,
        number: u64,
        undo: &mut Vec<Undo>,
        change: impl FnOnce(&mut Draw),
    ) -> Result<(), Fault> {
        self.keep_draw(number, undo);
        self.draws
            .get_mut(&number)
            .map(change)
            .ok_or_else(|| record_fault(format!("a fact of draw {number}, which is unknown")))
    }

    fn move_counters(
        &mut self,
        draw: u64,
        tickets: i64,
        selections: i64,
        cents: i64,
        undo: &mut Vec<Undo>,
    ) {
        if let Some(live) = self.draws.get_mut(&draw) {
            live.tickets = live.tickets.saturating_add_signed(tickets);
            live.selections = live.selections.saturating_add_signed(selections);
            live.wagered_cents = live.wagered_cents.saturating_add(cents);
            undo.push(Undo::Counters(
                draw,
                tickets.unsigned_abs(),
                selections,
                tickets.signum(),
                cents,
            ));
        }
    }

    fn move_till(&mut self, shift: u64, cents: i64, undo: &mut Vec<Undo>) {
        if let Some(till) = self.shifts.get_mut(&shift) {
            till.expected_cents = till.expected_cents.saturating_add(cents);
            undo.push(Undo::TillCash(shift, cents));
        }
    }

    fn answer_key(&mut self, key: CommandKey, outcome: KeyOutcome, undo: &mut Vec<Undo>) {
        if self.sessions.contains_key(&key.session) {
            self.keys.insert(key, outcome);
            undo.push(Undo::Key(key));
        }
    }

    /// The top prize of a straight selection: what it adds to the liability of its numbers.
    fn top_prize(&self, table: u16, wager: i64) -> i64 {
        self.tables
            .get(usize::from(table))
            .map_or(0, |table| table.top_prize(Cents::new(wager)).get())
    }

    fn add_ticket(
        &mut self,
        ticket: u64,
        sold: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        let selections = i64::try_from(sold.selections.len()).unwrap_or(i64::MAX);
        for draw in sold.first_draw..=sold.last_draw {
            self.move_counters(draw, 1, selections, sold.per_draw_cents, undo);
        }
        let limits_liability = self
            .rule_books
            .get(&sold.rule_book)
            .is_some_and(|rules| rules.rules.liability_max.is_some());
        for selection in &sold.selections {
            if let Some((group, wager)) = straight_of(selection) {
                let numbers = ball_set(group)?;
                let table = self.table(sold.rule_book, &selection.game, numbers.len())?;
                let packed = PackedStraight::new(ticket, numbers, table, wager_u32(wager)?);
                if sold.first_draw == sold.last_draw {
                    self.single.entry(sold.first_draw).or_default().push(packed);
                    undo.push(Undo::Single(sold.first_draw));
                } else {
                    self.ranged.push(RangedStraight {
                        first: sold.first_draw,
                        last: sold.last_draw,
                        wager: packed,
                    });
                    undo.push(Undo::Ranged);
                }
                if limits_liability {
                    let top = self.top_prize(table, wager);
                    for draw in sold.first_draw..=sold.last_draw {
                        self.move_liability(draw, numbers.bits(), top, undo);
                    }
                }
            } else {
                let groups: Result<Vec<BallSet>, Fault> = selection
                    .groups
                    .iter()
                    .map(|group| ball_set(group))
                    .collect();
                let king_alone = self
                    .rule_books
                    .get(&sold.rule_book)
                    .and_then(|rules| rules.rules.game(&selection.game))
                    .is_some_and(|game| game.king_alone);
                let lines: Result<Vec<PackedLine>, Fault> = selection
                    .conditioning
                    .iter()
                    .map(|line| {
                        Ok(PackedLine {
                            spots: line.spots,
                            table: self.table(sold.rule_book, &selection.game, line.spots)?,
                            wager_cents: wager_u32(line.wager_cents)?,
                        })
                    })
                    .collect();
                self.ways.push(RangedWay {
                    first: sold.first_draw,
                    last: sold.last_draw,
                    wager: PackedWay {
                        ticket,
                        groups: groups?.into(),
                        kings: ball_set(&selection.kings)?,
                        king_alone,
                        lines: lines?.into(),
                    },
                });
                undo.push(Undo::Way);
            }
        }
        Ok(())
    }

    fn move_liability(&mut self, draw: u64, numbers: u128, cents: i64, undo: &mut Vec<Undo>) {
        let sum = self
            .liability
            .entry(draw)
            .or_default()
            .entry(numbers)
            .or_default();
        *sum = sum.saturating_add(cents);
        undo.push(Undo::Liability(draw, numbers, cents));
    }

    /// Takes a ticket's wagers out of play: a wager of nothing wins nothing.
    fn withdraw(&mut self, ticket: u64, undo: &mut Vec<Undo>) {
        for (draw, wagers) in &mut self.single {
            let start = wagers.partition_point(|wager| wager.ticket < ticket);
            for (offset, wager) in wagers.iter_mut().enumerate().skip(start) {
                if wager.ticket != ticket {
                    break;
                }
                undo.push(Undo::SingleWager(*draw, offset, wager.wager_cents));
                wager.wager_cents = 0;
            }
        }
        let start = self
            .ranged
            .partition_point(|ranged| ranged.wager.ticket < ticket);
        for (offset, ranged) in self.ranged.iter_mut().enumerate().skip(start) {
            if ranged.wager.ticket != ticket {
                break;
            }
            undo.push(Undo::RangedWager(offset, ranged.wager.wager_cents));
            ranged.wager.wager_cents = 0;
        }
        let start = self
            .ways
            .partition_point(|ranged| ranged.wager.ticket < ticket);
        for (offset, ranged) in self.ways.iter_mut().enumerate().skip(start) {
            if ranged.wager.ticket != ticket {
                break;
            }
            undo.push(Undo::WayWager(offset, Box::new(ranged.wager.clone())));
            ranged.wager.lines = Box::default();
        }
    }

    fn withdraw_ticket(
        &mut self,
        ticket: u64,
        sold: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        let selections = i64::try_from(sold.selections.len()).unwrap_or(i64::MAX);
        for draw in sold.first_draw..=sold.last_draw {
            // Only draws that are not closed yet lose the ticket: a closed draw's totals are
            // sealed.
            if self
                .draws
                .get(&draw)
                .is_some_and(|draw| matches!(draw.state, DrawState::Open | DrawState::Scheduled))
            {
                self.move_counters(draw, -1, -selections, -sold.per_draw_cents, undo);
            }
        }
        let limits_liability = self
            .rule_books
            .get(&sold.rule_book)
            .is_some_and(|rules| rules.rules.liability_max.is_some());
        if limits_liability {
            for selection in &sold.selections {
                if let Some((group, wager)) = straight_of(selection) {
                    let numbers = ball_set(group)?;
                    let table = self.table(sold.rule_book, &selection.game, numbers.len())?;
                    let top = self.top_prize(table, wager);
                    for draw in sold.first_draw..=sold.last_draw {
                        if self.liability.contains_key(&draw) {
                            self.move_liability(draw, numbers.bits(), -top, undo);
                        }
                    }
                }
            }
        }
        self.withdraw(ticket, undo);
        Ok(())
    }

    /// Lets go of what only an unfinished draw needs.
    fn finish_draw(&mut self, number: u64, undo: &mut Vec<Undo>) {
        let single = self.single.remove(&number).unwrap_or_default();
        let liability = self.liability.remove(&number).unwrap_or_default();
        let oldest_live = self
            .draws
            .values()
            .find(|draw| !matches!(draw.state, DrawState::Settled | DrawState::Void))
            .map_or(u64::MAX, |draw| draw.number);
        let over = |last: u64| last < oldest_live;
        let (mut ranged, mut ways) = (Vec::new(), Vec::new());
        if self.ranged.iter().any(|ranged| over(ranged.last)) {
            ranged.clone_from(&self.ranged);
            self.ranged.retain(|ranged| !over(ranged.last));
        }
        if self.ways.iter().any(|ranged| over(ranged.last)) {
            ways.clone_from(&self.ways);
            self.ways.retain(|ranged| !over(ranged.last));
        }
        let finished: Vec<u64> = self
            .draws
            .values()
            .filter(|draw| matches!(draw.state, DrawState::Settled | DrawState::Void))
            .map(|draw| draw.number)
            .collect();
        let drop_count = finished.len().saturating_sub(FINISHED_KEPT);
        let old_draws = finished
            .iter()
            .take(drop_count)
            .filter_map(|number| self.draws.remove(number))
            .collect();
        undo.push(Undo::Finished(Box::new(FinishedWagers {
            draw: number,
            single,
            ranged,
            ways,
            liability,
            old_draws,
        })));
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
        undo.push(Undo::Head(self.edge.clone(), self.last_at_ms));
        self.edge.append(leaf_hash);
        self.last_at_ms = header.at_ms;
        if !matches!(
            event,
            Event::TicketSold(_) | Event::PrintConfirmed(_) | Event::KeyClosed(_)
        ) {
            self.changes = self.changes.wrapping_add(1);
        }
        if event.draw() != 0
            && !matches!(
                event,
                Event::TicketSold(_)
                    | Event::TicketCancelled(_)
                    | Event::TicketUnpaid(_)
                    | Event::DrawScheduled(_)
            )
        {
            self.with_draw(event.draw(), undo, |draw| {
                draw.leaves.push((header.kind, header.index, header.at_ms));
            })?;
        }
        match event {
            Event::HouseOpened(body) => {
                undo.push(Undo::House(self.house.take()));
                self.house = Some(House {
                    code: body.house.clone(),
                    name: body.name.clone(),
                    zone: body.zone.clone(),
                    log_key: body.log_key.clone(),
                    first_draw: body.first_draw,
                });
            }
            Event::RuleBookPublished(body) => {
                let file = rules_file::read(&body.text).map_err(|faults| {
                    record_fault(format!(
                        "rule book {} cannot be read: {}",
                        body.version,
                        faults
                            .first()
                            .map(rules_file::RuleBookFault::sentence_en)
                            .unwrap_or_default()
                    ))
                })?;
                self.add_rules(
                    PublishedRules {
                        rules: file.rules,
                        texts: file.texts,
                        effective_from: body.effective_from,
                        hash: body.hash,
                        text: body.text.clone(),
                        leaf: header.index,
                    },
                    undo,
                )?;
            }
            Event::PersonRecorded(body) => {
                let before = self.people.insert(
                    body.badge.clone(),
                    Person {
                        name: body.name.clone(),
                        roles: body.roles.clone(),
                        credential: body.credential.clone(),
                        active: body.active,
                    },
                );
                undo.push(Undo::Person(body.badge.clone(), before));
            }
            Event::DeviceRecorded(body) => {
                let before = self.devices.insert(
                    body.device,
                    Device {
                        name: body.name.clone(),
                        role: body.role,
                        key_hash: body.key_hash,
                        active: body.active,
                    },
                );
                undo.push(Undo::Device(body.device, before));
            }
            Event::SessionOpened(body) => {
                undo.push(Undo::Session(body.session, None, self.next_session));
                self.next_session = body.session.saturating_add(1);
                self.sessions.insert(
                    body.session,
                    Session {
                        device: body.device,
                        badge: body.badge.clone(),
                        token_hash: body.token_hash,
                    },
                );
            }
            Event::SessionEnded(body) => {
                let before = self.sessions.remove(&body.session);
                undo.push(Undo::Session(body.session, before, self.next_session));
                let ended: Vec<_> = self
                    .keys
                    .iter()
                    .filter(|(key, _)| key.session == body.session)
                    .map(|(key, outcome)| (*key, *outcome))
                    .collect();
                for (key, _) in &ended {
                    self.keys.remove(key);
                }
                undo.push(Undo::Keys(ended));
            }
            Event::ShiftOpened(body) => {
                undo.push(Undo::Shift(body.shift, None, self.next_shift));
                self.next_shift = body.shift.saturating_add(1);
                self.shifts.insert(
                    body.shift,
                    Shift {
                        device: body.device,
                        badge: body.badge.clone(),
                        expected_cents: body.float_cents,
                        opened_leaf: header.index,
                    },
                );
            }
            Event::ShiftClosed(body) => {
                let before = self.shifts.remove(&body.shift);
                undo.push(Undo::Shift(body.shift, before, self.next_shift));
            }
            Event::TillMoved(body) => {
                let sign = if body.kind == 1 { 1 } else { -1 };
                self.move_till(body.shift, sign * body.amount_cents, undo);
            }
            Event::LeaseTaken(body) => {
                undo.push(self.marks());
                self.fence = body.fence;
            }
            Event::ScheduleHalted(_) => {
                undo.push(self.marks());
                self.schedule_halted = Some(header.index);
            }
            Event::ScheduleConfirmed(_) => {
                undo.push(self.marks());
                self.schedule_halted = None;
            }
            Event::SalesSuspended(_) => {
                undo.push(self.marks());
                self.sales_suspended = Some(header.index);
            }
            Event::SalesResumed(_) => {
                undo.push(self.marks());
                self.sales_suspended = None;
            }
            Event::DrawScheduled(body) => {
                self.keep_draw(body.draw, undo);
                self.draws.insert(
                    body.draw,
                    Draw {
                        number: body.draw,
                        state: DrawState::Scheduled,
                        closes_at_ms: body.closes_at_ms,
                        draws_at_ms: body.draws_at_ms,
                        source: body.source,
                        pool_size: body.pool_size,
                        drawn: body.drawn,
                        cap_cents: body.cap_cents,
                        full_below_cents: body.full_below_cents,
                        holders: body
                            .holders
                            .iter()
                            .map(|name| HolderState {
                                name: name.clone(),
                                commitment: None,
                                secret: None,
                            })
                            .collect(),
                        tickets: 0,
                        selections: 0,
                        wagered_cents: 0,
                        seal: None,
                        rule_book_hash: None,
                        balls: None,
                        certifiers: Vec::new(),
                        settlement: None,
                        leaves: vec![(header.kind, header.index, header.at_ms)],
                    },
                );
            }
            Event::CommitmentRecorded(body) => {
                let (position, commitment) = (usize::from(body.position), body.commitment);
                self.with_draw(body.draw, undo, |draw| {
                    if let Some(holder) = draw.holders.get_mut(position) {
                        holder.commitment = Some(commitment);
                    }
                })?;
            }
            Event::DrawOpened(body) => self.step(body.draw, DrawStep::Open, undo)?,
            Event::DrawClosed(body) => {
                self.step(body.draw, DrawStep::Close, undo)?;
                let seal = SealState {
                    size: self.edge.size(),
                    root: self.edge.root(),
                };
                self.with_draw(body.draw, undo, |draw| draw.seal = Some(seal))?;
            }
            Event::DrawStarted(body) => {
                self.step(body.draw, DrawStep::Start, undo)?;
                let hash = body.rule_book_hash;
                self.with_draw(body.draw, undo, |draw| draw.rule_book_hash = Some(hash))?;
            }
            Event::BallsRecorded(body) => {
                self.step(body.draw, DrawStep::Record, undo)?;
                let recorded = RecordedBalls {
                    balls: body.balls.clone(),
                    secrets_hash: body.secrets_hash,
                    recorded_at_ms: header.at_ms,
                };
                self.with_draw(body.draw, undo, |draw| draw.balls = Some(recorded))?;
                let set = ball_set(&body.balls)?.bits();
                if self.drawn_sets.insert(set) {
                    undo.push(Undo::DrawnSet(set));
                }
            }
            Event::DrawCertified(body) => {
                self.step(body.draw, DrawStep::Certify, undo)?;
                let certifiers = body.certifiers.clone();
                self.with_draw(body.draw, undo, |draw| draw.certifiers = certifiers)?;
            }
            Event::SecretsRevealed(body) => {
                let secrets = body.secrets.clone();
                self.with_draw(body.draw, undo, |draw| {
                    for (holder, secret) in draw.holders.iter_mut().zip(secrets) {
                        holder.secret = Some(secret);
                    }
                })?;
            }
            Event::DrawSettled(body) => {
                self.step(body.draw, DrawStep::Settle, undo)?;
                let settlement = body.clone();
                self.with_draw(body.draw, undo, |draw| draw.settlement = Some(settlement))?;
                undo.push(Undo::Settling(self.settling.take()));
                self.finish_draw(body.draw, undo);
            }
            Event::DrawSuspended(body) => self.step(body.draw, DrawStep::Suspend, undo)?,
            Event::DrawResumed(body) => self.step(body.draw, DrawStep::Resume, undo)?,
            Event::DrawVoided(body) => {
                self.step(body.draw, DrawStep::Void, undo)?;
                self.finish_draw(body.draw, undo);
            }
            Event::TicketSold(body) => {
                self.add_ticket(header.index, body, undo)?;
                self.answer_key(
                    body.key,
                    KeyOutcome {
                        kind: KeyKind::Sale,
                        content_hash: body.content_hash,
                        leaf: header.index,
                    },
                    undo,
                );
                if body.tender == 1 {
                    self.move_till(body.shift, body.total_cents, undo);
                }
            }
            Event::TicketCancelled(body) => {
                let sold = sale(body.ticket)?;
                self.withdraw_ticket(body.ticket, &sold, undo)?;
                self.answer_key(
                    body.key,
                    KeyOutcome {
                        kind: KeyKind::Cancellation,
                        content_hash: body.content_hash,
                        leaf: header.index,
                    },
                    undo,
                );
                if body.tender == 1 {
                    self.move_till(body.shift, -body.refund_cents, undo);
                }
            }
            Event::TicketUnpaid(body) => {
                let sold = sale(body.ticket)?;
                self.withdraw_ticket(body.ticket, &sold, undo)?;
                if sold.tender == 1 {
                    self.move_till(sold.shift, -body.amount_cents, undo);
                }
            }
            Event::PrizePaid(body) => {
                self.answer_key(
                    body.key,
                    KeyOutcome {
                        kind: KeyKind::Payment,
                        content_hash: body.content_hash,
                        leaf: header.index,
                    },
                    undo,
                );
                if body.tender == 1 {
                    self.move_till(body.shift, -(body.total_cents + body.rounding_cents), undo);
                }
            }
            Event::KeyClosed(body) => self.answer_key(
                body.key,
                KeyOutcome {
                    kind: KeyKind::Closed,
                    content_hash: [0; 32],
                    leaf: header.index,
                },
                undo,
            ),
            Event::PaymentReversed(body) => self.move_till(body.shift, body.cash_cents, undo),
            Event::PrintConfirmed(_)
            | Event::TicketReleased(_)
            | Event::TicketDuplicated(_)
            | Event::ClaimPresented(_)
            | Event::DiscrepancyNoted(_)
            | Event::PrizesExpired(_) => {}
        }
        Ok(())
    }

    /// Replaces the settlement under way.
    pub fn set_settling(&mut self, settling: Option<Settling>, undo: &mut Vec<Undo>) {
        undo.push(Undo::Settling(std::mem::replace(
            &mut self.settling,
            settling,
        )));
    }

    fn marks(&self) -> Undo {
        Undo::Marks(self.sales_suspended, self.schedule_halted, self.fence)
    }

    /// Takes changes back, the last first.
    pub fn take_back(&mut self, undo: &mut Vec<Undo>) {
        while let Some(change) = undo.pop() {
            self.take_one_back(change);
        }
    }

    fn take_one_back(&mut self, change: Undo) {
        fn restore<K: std::hash::Hash + Eq, V>(map: &mut HashMap<K, V>, key: K, value: Option<V>) {
            match value {
                Some(value) => {
                    map.insert(key, value);
                }
                None => {
                    map.remove(&key);
                }
            }
        }
        fn restore_ordered<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) {
            match value {
                Some(value) => {
                    map.insert(key, value);
                }
                None => {
                    map.remove(&key);
                }
            }
        }
        match change {
            Undo::Head(edge, at_ms) => {
                self.edge = edge;
                self.last_at_ms = at_ms;
            }
            Undo::House(house) => self.house = house,
            Undo::RuleBook(version, tables) => {
                self.rule_books.remove(&version);
                self.table_index.retain(|(of, _, _), _| *of != version);
                self.tables.truncate(tables);
            }
            Undo::Person(badge, person) => restore(&mut self.people, badge, person),
            Undo::Device(number, device) => restore(&mut self.devices, number, device),
            Undo::Session(number, session, next) => {
                restore_ordered(&mut self.sessions, number, session);
                self.next_session = next;
            }
            Undo::Shift(number, shift, next) => {
                restore_ordered(&mut self.shifts, number, shift);
                self.next_shift = next;
            }
            Undo::TillCash(shift, cents) => {
                if let Some(till) = self.shifts.get_mut(&shift) {
                    till.expected_cents = till.expected_cents.saturating_sub(cents);
                }
            }
            Undo::Draw(number, draw) => {
                restore_ordered(&mut self.draws, number, draw.map(|draw| *draw));
            }
            Undo::Counters(number, tickets, selections, sign, cents) => {
                if let Some(draw) = self.draws.get_mut(&number) {
                    let tickets = i64::try_from(tickets).unwrap_or(0) * sign;
                    draw.tickets = draw.tickets.saturating_add_signed(-tickets);
                    draw.selections = draw.selections.saturating_add_signed(-selections);
                    draw.wagered_cents = draw.wagered_cents.saturating_sub(cents);
                }
            }
            Undo::Key(key) => {
                self.keys.remove(&key);
            }
            Undo::Keys(keys) => self.keys.extend(keys),
            Undo::Single(draw) => {
                if let Some(wagers) = self.single.get_mut(&draw) {
                    wagers.pop();
                    if wagers.is_empty() {
                        self.single.remove(&draw);
                    }
                }
            }
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
            Undo::Liability(draw, numbers, cents) => {
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
            Undo::DrawnSet(set) => {
                self.drawn_sets.remove(&set);
            }
            Undo::Marks(suspended, halted, fence) => {
                self.sales_suspended = suspended;
                self.schedule_halted = halted;
                self.fence = fence;
            }
            Undo::Settling(settling) => self.settling = settling,
            Undo::Finished(finished) => {
                let finished = *finished;
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
    }
}

//! What the writer holds in memory: open and unsettled draws with their wagers packed, rules,
//! sessions, tills and keys.
//!
//! It is a fold over the events of the log and nothing else: [`State::apply`] is the only
//! function that changes it, at start from leaves checked against their hashes, and while
//! running from the events just recorded. Each change notes how to take it back, so that a
//! batch whose transaction fails leaves no trace.

mod fingerprint;
pub mod improbable;
mod model;
pub mod prizes;
mod undo;
mod wagers;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use keno_book::rules_file;
use keno_game::{DrawState, DrawStep, PackedStraight, PayTable, draw};
use keno_log::event::{DeviceHandedOver, EpochOpened, TicketSold};
use keno_log::tree::Edge;
use keno_log::{CommandKey, Event, Hash, LeafHeader};
use wagers::ball_set;

use crate::fault::Fault;
use crate::planted::{Plant, planted};

pub use model::{
    Acting, Device, Draw, Epoch, HandedOver, HolderState, House, KeyKind, KeyOutcome, Person,
    PublishedRules, RangedStraight, RangedWay, RecordedBalls, SILENCE_MS, SealState, Served,
    Session, Settlement, Settling, Shift, Silence,
};
pub use undo::Undo;
pub use wagers::exposure;

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
    pub keys: HashMap<CommandKey, KeyOutcome>,
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
    /// Sales stopped for the whole house, since this leaf.
    pub sales_suspended: Option<u64>,
    /// Schedule halted, since this leaf.
    pub schedule_halted: Option<u64>,
    /// Fencing number of the lease.
    pub fence: u64,
    /// The epoch that the log is in, from 1.
    pub epoch: Epoch,
    /// The last leaf by which somebody was served.
    pub served: Option<Served>,
    /// Silences of the house, by their leaves.
    pub silences: Arc<Vec<Silence>>,
    /// Tickets that a restore lost and that were refunded, by the keyed hash of their control
    /// number: the leaf that says so.
    pub lost_refunds: BTreeMap<Hash, u64>,
    /// The settlement under way.
    pub settling: Option<Settling>,
    /// Counts the facts that a reader's view shows: all but sales, prints and closed keys.
    pub changes: u64,
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
            acting: BTreeMap::new(),
            devices: HashMap::new(),
            handed_over: BTreeMap::new(),
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
            epoch: Epoch::default(),
            served: None,
            silences: Arc::default(),
            lost_refunds: BTreeMap::new(),
            settling: None,
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

    /// The outcome of a key of an open session.
    pub fn key(&self, key: &CommandKey) -> Option<KeyOutcome> {
        self.keys.get(key).copied()
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
                    .entry((version, table.spots()))
                    .or_default()
                    .push((game.code.clone(), index));
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

    pub(super) fn with_draw(
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
        undo.push(Undo::Head(self.edge.clone(), self.last_at_ms, self.served));
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
                        staff: body.staff.clone(),
                        name: body.name.clone(),
                        roles: body.roles.clone(),
                        credential: body.credential,
                        must_change: body.must_change,
                        pin_set_by: match body.must_change {
                            true => vec![body.by.clone(), body.second.clone()],
                            false => Vec::new(),
                        },
                        card: body.card,
                        active: body.active,
                    },
                );
                undo.push(Undo::Person(body.badge.clone(), before));
                // Whatever of a person is changed ends what they act as; by others, the naming too.
                let is_own = body.by == body.badge && body.second.is_empty();
                self.end_acting(&body.badge, is_own, undo);
            }
            Event::ActingNamed(body) => {
                self.end_acting(&body.badge, false, undo);
                if body.may_act {
                    let named = Acting {
                        named: header.index,
                        made: None,
                    };
                    self.set_acting(&body.badge, named, undo);
                }
            }
            Event::ActingMade(body) => {
                if let Some(acting) = self.acting.get(&body.badge).copied() {
                    let made = Some((header.business_day, header.index));
                    self.set_acting(&body.badge, Acting { made, ..acting }, undo);
                }
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
                self.unlock(body.device, body.active, undo);
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
                        opened_at_ms: header.at_ms,
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
                self.answer_key(
                    body.key,
                    KeyOutcome {
                        kind: KeyKind::TillMovement,
                        content_hash: body.content_hash,
                        leaf: header.index,
                    },
                    undo,
                );
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
            Event::EpochOpened(body) => self.open_epoch(header, body, undo),
            Event::DeviceHandedOver(body) => self.hand_over(header, body, undo),
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
                        unpaid_after_seal: (0, 0),
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
                if body.tender == 1 || planted(Plant::ChipAsCash) {
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
            // A count in the middle of a shift moves nothing.
            Event::TillCounted(_)
            | Event::PrintConfirmed(_)
            | Event::TicketReleased(_)
            | Event::TicketDuplicated(_)
            | Event::ClaimPresented(_)
            | Event::DiscrepancyNoted(_)
            | Event::PatronRefused(_)
            | Event::PaymentHeld(_)
            | Event::PrizesExpired(_)
            | Event::DamagedTicketRead(_)
            | Event::FileOpened(_)
            | Event::FileJudged(_) => {}
            Event::LostTicketRefunded(body) => {
                self.answer_key(
                    body.key,
                    KeyOutcome {
                        kind: KeyKind::LostRefund,
                        content_hash: body.content_hash,
                        leaf: header.index,
                    },
                    undo,
                );
                let before = self.lost_refunds.insert(body.control_hash, header.index);
                undo.push(Undo::LostRefund(body.control_hash, before));
                if body.tender == 1 {
                    self.move_till(body.shift, -body.amount_cents, undo);
                }
            }
        }
        Ok(())
    }

    /// The log goes on in a new epoch: sessions of before are over, and numbers that the lost
    /// part can have used are not used again.
    fn open_epoch(&mut self, header: &LeafHeader, body: &EpochOpened, undo: &mut Vec<Undo>) {
        let opened = Epoch {
            number: body.epoch,
            next_draw: body.next_draw,
            opened_at_ms: Some(header.at_ms),
            leaf: Some(header.index),
        };
        let next = (self.next_session, self.next_shift);
        undo.push(Undo::Epoch(
            std::mem::replace(&mut self.epoch, opened),
            next,
        ));
        undo.push(Undo::Keys(self.keys.drain().collect()));
        for (number, session) in std::mem::take(&mut self.sessions) {
            undo.push(Undo::Session(number, Some(session), self.next_session));
        }
        self.next_session = self.next_session.max(body.next_session);
        self.next_shift = self.next_shift.max(body.next_shift);
        // Whoever was withdrawn and whatever was revoked in the lost part is good again: two people
        // look at who is recorded, and let sales go on.
        undo.push(self.marks());
        self.sales_suspended = Some(header.index);
    }

    fn set_acting(&mut self, badge: &str, acting: Acting, undo: &mut Vec<Undo>) {
        let before = self.acting.insert(badge.to_owned(), acting);
        undo.push(Undo::Acting(badge.to_owned(), before));
    }

    /// Nobody acts under this badge any more; whether they still may is `stays_named`.
    fn end_acting(&mut self, badge: &str, stays_named: bool, undo: &mut Vec<Undo>) {
        let Some(before) = self.acting.remove(badge) else {
            return;
        };
        undo.push(Undo::Acting(badge.to_owned(), Some(before)));
        if stays_named {
            let made = None;
            self.acting
                .insert(badge.to_owned(), Acting { made, ..before });
        }
    }

    /// A device is left: its till is the neighbour's, and it is locked.
    fn hand_over(&mut self, header: &LeafHeader, body: &DeviceHandedOver, undo: &mut Vec<Undo>) {
        let handed_over = HandedOver {
            to: body.to,
            leaf: header.index,
            shift: body.shift,
            is_locked: true,
        };
        let before = self.handed_over.insert(body.device, handed_over);
        undo.push(Undo::HandedOver(body.device, before));
        // Of a device that is read before the scan of a start, the till is closed by now.
        if let Some((number, shift)) = body
            .shift
            .and_then(|number| Some((number, self.shifts.get_mut(&number)?)))
        {
            undo.push(Undo::Shift(number, Some(shift.clone()), self.next_shift));
            if !planted(Plant::TillLeftBehind) {
                shift.device = body.to;
                shift.badge.clone_from(&body.by);
            }
        }
    }

    /// A device that is recorded anew, and active, serves again.
    fn unlock(&mut self, device: u32, is_active: bool, undo: &mut Vec<Undo>) {
        if let Some(handed_over) = self.handed_over.get_mut(&device)
            && handed_over.is_locked
            && is_active
        {
            undo.push(Undo::HandedOver(device, Some(*handed_over)));
            handed_over.is_locked = false;
        }
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
}

//! The house as its record tells it, rebuilt leaf by leaf with the simplest means, and everything
//! that must not happen in it.
//!
//! Nothing here is shared with what is judged: no rule, no sum, no index. Each leaf is held
//! against what came before it; the first that contradicts it ends the day.

mod damaged;
mod draws;
mod lives;
mod payments;
mod sales;
mod verdict;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Datelike, Utc};
use keno_log::event::{DeviceHandedOver, SessionOpened, ShiftOpened, TicketRemarked, TicketSold};
use keno_log::{CommandKey, Event, Hash, LeafHeader};

use crate::book::Book;

pub use damaged::File;
pub use payments::Due;
pub use verdict::Verdict;

/// What is wrong, in words.
pub type Wrong = String;

/// Fails with words unless something holds.
pub(crate) fn must(holds: bool, words: impl FnOnce() -> String) -> Result<(), Wrong> {
    if holds { Ok(()) } else { Err(words()) }
}

/// Where a draw stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Announced.
    Scheduled,
    /// On sale.
    Open,
    /// Closed and sealed.
    Closed,
    /// The machine has the seal.
    Drawing,
    /// The numbers are recorded.
    Drawn,
    /// The numbers are official.
    Official,
    /// Prizes are payable.
    Settled,
    /// Interrupted.
    Suspended,
    /// Refunded.
    Void,
}

/// A draw.
#[derive(Debug, Clone)]
pub struct Draw {
    /// Where it stands.
    pub stage: Stage,
    /// When sales close.
    pub closes_at_ms: i64,
    /// When the first number is shown.
    pub draws_at_ms: i64,
    /// Maximum payable.
    pub cap_cents: i64,
    /// Threshold of the small prizes.
    pub full_below_cents: i64,
    /// Commitments recorded.
    pub commitments: usize,
    /// Holders announced.
    pub holders: usize,
    /// Size and root just after the closing leaf.
    pub seal: Option<(u64, Hash)>,
    /// Whether the seal was ever handed out.
    pub started: bool,
    /// The numbers in order, and when they were recorded.
    pub balls: Option<(Vec<u8>, i64)>,
    /// Whether the secrets are published.
    pub revealed: bool,
    /// Tickets sold for it.
    pub tickets: BTreeSet<u64>,
    /// Prize before and after the maximum, by ticket.
    pub prizes: BTreeMap<u64, (i64, i64)>,
    /// When it was settled or void.
    pub over_at_ms: Option<i64>,
    /// When its numbers were official, or it was void.
    pub decided_at_ms: Option<i64>,
}

/// Where a ticket stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// In play or played.
    Sold,
    /// Given back before its first draw closed.
    Cancelled,
    /// Never paid for.
    Unpaid,
}

/// A ticket.
#[derive(Debug, Clone)]
pub struct Ticket {
    /// As recorded.
    pub sold: TicketSold,
    /// When it was cancelled or found unpaid: not, if it was not.
    pub standing: Standing,
    /// Newest copy.
    pub copy: u8,
    /// Newest copy whose paper came out whole.
    pub confirmed_copy: u8,
    /// First presentation as a claim.
    pub presented_at_ms: Option<i64>,
    /// Draws that were presented.
    pub presented: BTreeSet<u64>,
    /// Two people released it.
    pub released: bool,
    /// The guard held it.
    pub held_by_guard: bool,
    /// Why a holder was not paid, last: two people pay from then on.
    pub refused: Option<u8>,
    /// Payments that stand, by draw.
    pub paid: BTreeMap<u64, u64>,
}

/// A payment.
#[derive(Debug, Clone)]
pub struct Payment {
    /// The ticket.
    pub ticket: u64,
    /// Its draws.
    pub draws: Vec<u64>,
    /// Cash that left the till.
    pub cash_cents: i64,
    /// The till.
    pub shift: u64,
    /// Leaf that undid it.
    pub reversed: Option<u64>,
}

/// A till.
#[derive(Debug, Clone)]
pub struct Till {
    /// Its device.
    pub device: u32,
    /// Badge of its holder.
    pub holder: String,
    /// Cash that must be in it.
    pub expected_cents: i64,
}

/// The house.
#[derive(Debug, Default)]
pub struct Model {
    /// Leaves so far.
    pub size: u64,
    /// Time of the last.
    pub last_at_ms: i64,
    /// Versions of the rules and the first draw of each.
    pub books: BTreeMap<u32, (u64, Book)>,
    /// Versions that may be published: their figures, known from outside the record.
    pub known_books: BTreeMap<u32, Book>,
    /// Draws.
    pub draws: BTreeMap<u64, Draw>,
    /// Tickets by leaf.
    pub tickets: BTreeMap<u64, Ticket>,
    /// Open sessions with their device.
    pub sessions: BTreeMap<u64, u32>,
    /// Devices that were left, until they are recorded anew.
    pub locked: BTreeSet<u32>,
    /// What each device is, as last recorded.
    pub device_roles: BTreeMap<u32, u8>,
    /// Open tills.
    pub tills: BTreeMap<u64, Till>,
    /// What each key ended as.
    pub keys: HashMap<CommandKey, (&'static str, u64)>,
    /// Payments by leaf.
    pub payments: BTreeMap<u64, Payment>,
    /// Cash given back for cancelled tickets, by leaf.
    pub given_back: BTreeMap<u64, i64>,
    /// Sales are stopped.
    pub sales_suspended: bool,
    /// The schedule waits for people.
    pub halted: bool,
    /// The clock was set and central has not halted yet.
    pub jumped: bool,
    /// When somebody signed on, bought or was paid last.
    pub served_ms: Option<i64>,
    /// The first day of each silence, and the last to claim what could be claimed then.
    pub silences: Vec<(u32, u32)>,
    /// Milliseconds between two numbers on the boards.
    pub ball_interval_ms: i64,
    /// The last leaf at which a badge read a ticket.
    pub readings: BTreeMap<(u64, String), u64>,
    /// Files of damaged papers, by leaf.
    pub files: BTreeMap<u64, File>,
    /// What the audit office remarked, by leaf.
    pub remarks: BTreeMap<u64, TicketRemarked>,
    /// The leaves about each ticket after its sale, in their order.
    pub lives: BTreeMap<u64, Vec<u64>>,
    /// Payments of papers that were read, by badge and day.
    at_once: BTreeMap<(String, u32), u64>,
    /// Payments on typed signs by one person, by badge and day.
    typed_alone: BTreeMap<(String, u32), u64>,
    /// The leaf that opened each till.
    till_leaves: BTreeMap<u64, u64>,
    last_session: u64,
    last_shift: u64,
    fence: u64,
}

/// The local day of a moment in Montréal, yyyymmdd, `days` later.
pub(crate) fn local_day(at_ms: i64, days: u64) -> u32 {
    let moment = DateTime::<Utc>::from_timestamp_millis(at_ms).unwrap_or_default();
    let day = moment
        .with_timezone(&chrono_tz::America::Toronto)
        .date_naive()
        + chrono::Days::new(days);
    u32::try_from(day.year()).unwrap_or(0) * 10_000 + day.month() * 100 + day.day()
}

impl Model {
    /// A house without a past, whose boards show a number so often.
    pub fn new(ball_interval_ms: i64) -> Self {
        Self {
            ball_interval_ms,
            ..Self::default()
        }
    }

    /// Whether somebody is served, or the house wakes after more than a day without it.
    fn hear(&mut self, at_ms: i64, event: &Event) {
        match event {
            Event::SessionOpened(_) | Event::TicketSold(_) | Event::PrizePaid(_) => {
                self.served_ms = Some(at_ms);
            }
            Event::LeaseTaken(_) | Event::ScheduleHalted(_) | Event::EpochOpened(_) => {
                let since_ms = self.served_ms.filter(|it| at_ms - it > 24 * 3_600_000);
                let days = since_ms.map(|it| (local_day(it, 0), local_day(at_ms, 7)));
                self.silences.extend(days);
            }
            _ => {}
        }
    }

    /// Takes the next leaf. `root` is that of the tree with it.
    ///
    /// # Errors
    /// What it contradicts.
    pub fn apply(&mut self, header: &LeafHeader, event: &Event, root: Hash) -> Result<(), Wrong> {
        must(header.index == self.size, || {
            format!("leaf {} where {} is next", header.index, self.size)
        })?;
        must(header.at_ms >= self.last_at_ms, || {
            format!(
                "time runs back from {} to {}",
                self.last_at_ms, header.at_ms
            )
        })?;
        must(header.business_day == local_day(header.at_ms, 0), || {
            format!("business day {}", header.business_day)
        })?;
        self.size += 1;
        self.last_at_ms = header.at_ms;
        let at_ms = header.at_ms;
        self.hear(header.at_ms, event);
        match event {
            // Nothing follows from a remark.
            Event::TicketRemarked(body) => self.remark(header.index, body),
            Event::HouseOpened(_)
            | Event::PersonRecorded(_)
            | Event::ActingNamed(_)
            | Event::ActingMade(_)
            | keno_log::a_note!() => Ok(()),
            Event::DeviceRecorded(body) => {
                self.locked.remove(&body.device);
                self.device_roles.insert(body.device, body.role);
                Ok(())
            }
            Event::RuleBookPublished(body) => {
                let book = self.known_books.get(&body.version).cloned();
                let book = book.filter(|book| book.text() == body.text);
                let book = book.ok_or_else(|| format!("nobody wrote rules {}", body.version))?;
                self.books.insert(body.version, (body.effective_from, book));
                Ok(())
            }
            Event::SessionOpened(body) => self.open_session(body),
            Event::SessionEnded(body) => {
                let was_open = self.sessions.remove(&body.session).is_some();
                must(was_open, || format!("session {} ended twice", body.session))
            }
            Event::ShiftOpened(body) => self.open_till(header.index, body),
            Event::ShiftClosed(body) => {
                let till = self.tills.remove(&body.shift);
                let is_own = till.as_ref().is_some_and(|till| till.holder == body.by);
                must(is_own || body.second.is_some(), || {
                    format!("shift {} is closed alone by {}", body.shift, body.by)
                })?;
                let expected = till.map(|till| till.expected_cents);
                must(expected == Some(body.expected_cents), || {
                    format!(
                        "shift {} expects {} and must expect {expected:?}",
                        body.shift, body.expected_cents
                    )
                })
            }
            Event::TillCounted(body) => {
                let till = self.tills.get(&body.shift);
                let known = till.map(|till| (till.device, till.expected_cents));
                must(
                    known == Some((body.device, body.expected_cents)) && body.by != body.second,
                    || {
                        format!(
                            "shift {} is counted for {} at device {} and is {known:?}",
                            body.shift, body.expected_cents, body.device
                        )
                    },
                )
            }
            Event::TillMoved(body) => {
                self.use_key(&body.key, "till", header.index)?;
                let sign = if body.kind == 1 { 1 } else { -1 };
                self.move_cash(body.shift, sign * body.amount_cents, body.key.device)
            }
            Event::LeaseTaken(body) => {
                must(body.fence == self.fence + 1, || {
                    format!("fence {} after {}", body.fence, self.fence)
                })?;
                self.fence = body.fence;
                Ok(())
            }
            Event::ScheduleHalted(_) => {
                (self.halted, self.jumped) = (true, false);
                Ok(())
            }
            Event::ScheduleConfirmed(body) => {
                must(self.halted && body.by != body.second, || {
                    "a schedule that was not halted, or one person, is confirmed".to_owned()
                })?;
                self.halted = false;
                Ok(())
            }
            Event::SalesSuspended(_) => {
                self.sales_suspended = true;
                Ok(())
            }
            Event::SalesResumed(_) => {
                self.sales_suspended = false;
                Ok(())
            }
            // These days have no restore in them: who goes on in an epoch does so from a backup.
            Event::EpochOpened(_) => Err("an epoch is opened".to_owned()),
            Event::DeviceHandedOver(body) => self.hand_over(body),
            // So no ticket of theirs is ever lost.
            Event::LostTicketRefunded(_) => Err("a lost ticket is refunded".to_owned()),
            Event::TicketSold(body) => self.sell(header.index, at_ms, body),
            Event::TicketCancelled(body) => self.cancel(header.index, body),
            Event::TicketUnpaid(body) => self.unpaid(body),
            Event::PrintConfirmed(body) => self.print(body),
            Event::TicketReleased(body) => self.release(at_ms, body.ticket),
            Event::TicketDuplicated(body) => self.duplicate(body),
            Event::ClaimPresented(body) => self.present(at_ms, body),
            Event::DamagedTicketRead(body) => self.read(header.index, body),
            Event::FileOpened(body) => self.open_file(header.index, at_ms, body),
            Event::FileJudged(body) => self.judge_file(at_ms, body),
            Event::PaymentHeld(body) => self.hold(body),
            Event::PatronRefused(body) => self.refuse_patron(body),
            Event::KeyClosed(body) => self.use_key(&body.key, "closed", header.index),
            Event::PrizePaid(body) => self.pay(header.index, at_ms, body),
            Event::PaymentReversed(body) => self.reverse(header.index, body),
            _ => self.draw_step(at_ms, event, root),
        }
        .map_err(|wrong| format!("leaf {} ({}): {wrong}", header.index, event.kind().name()))?;
        self.lived(header.index, event);
        Ok(())
    }

    fn open_session(&mut self, body: &SessionOpened) -> Result<(), Wrong> {
        must(!self.locked.contains(&body.device), || {
            format!("device {} was left", body.device)
        })?;
        must(body.session == self.last_session + 1, || {
            format!("session {} after {}", body.session, self.last_session)
        })?;
        let is_taken = self.sessions.values().any(|device| *device == body.device);
        must(!is_taken, || {
            format!("device {} has two sessions", body.device)
        })?;
        self.last_session = body.session;
        self.sessions.insert(body.session, body.device);
        Ok(())
    }

    /// A terminal is left, with nobody signed on: its till is the neighbour's, which had none.
    fn hand_over(&mut self, body: &DeviceHandedOver) -> Result<(), Wrong> {
        let is_signed_on = self.sessions.values().any(|device| *device == body.device);
        let till_at = |at: u32| {
            let mut tills = self.tills.iter();
            tills
                .find(|(_, till)| till.device == at)
                .map(|(shift, _)| *shift)
        };
        let holds = !is_signed_on
            && till_at(body.device) == body.shift
            && (body.shift.is_none() || till_at(body.to).is_none())
            && !self.locked.contains(&body.to)
            && body.device != body.to
            && body.by != body.second;
        must(holds, || format!("{body:?} is no hand-over"))?;
        if let Some(till) = body.shift.and_then(|shift| self.tills.get_mut(&shift)) {
            till.device = body.to;
            till.holder.clone_from(&body.by);
        }
        let is_new = self.locked.insert(body.device);
        must(is_new, || format!("device {} was left twice", body.device))
    }

    fn open_till(&mut self, leaf: u64, body: &ShiftOpened) -> Result<(), Wrong> {
        self.till_leaves.insert(body.shift, leaf);
        must(body.shift == self.last_shift + 1, || {
            format!("shift {} after {}", body.shift, self.last_shift)
        })?;
        let is_taken = self.tills.values().any(|till| till.device == body.device);
        must(!is_taken, || {
            format!("device {} has two tills", body.device)
        })?;
        self.last_shift = body.shift;
        let till = Till {
            device: body.device,
            holder: body.badge.clone(),
            expected_cents: body.float_cents,
        };
        self.tills.insert(body.shift, till);
        Ok(())
    }

    /// A key ends once.
    fn use_key(&mut self, key: &CommandKey, kind: &'static str, leaf: u64) -> Result<(), Wrong> {
        must(self.sessions.get(&key.session) == Some(&key.device), || {
            format!("session {} is not of device {}", key.session, key.device)
        })?;
        let before = self.keys.insert(*key, (kind, leaf));
        must(before.is_none(), || {
            format!("key {key:?} ended before as {before:?}")
        })
    }

    /// Cash goes into (or, below zero, out of) an open till of this device.
    fn move_cash(&mut self, shift: u64, cents: i64, device: u32) -> Result<(), Wrong> {
        let till = self.tills.get_mut(&shift);
        let till = till.filter(|till| till.device == device);
        let till = till.ok_or_else(|| format!("shift {shift} is not open at device {device}"))?;
        till.expected_cents += cents;
        Ok(())
    }

    /// The version of the rules for a new ticket.
    pub fn book_for(&self, draw: u64) -> Option<&Book> {
        let in_force = |(_, (from, _)): &(&u32, &(u64, Book))| *from <= draw;
        self.books
            .iter()
            .rev()
            .find(in_force)
            .map(|(_, (_, book))| book)
    }

    fn book_of(&self, ticket: &Ticket) -> Result<&Book, Wrong> {
        let found = self.books.get(&ticket.sold.rule_book);
        found
            .map(|(_, book)| book)
            .ok_or_else(|| format!("rules {} are unknown", ticket.sold.rule_book))
    }

    fn ticket(&self, ticket: u64) -> Result<&Ticket, Wrong> {
        let found = self.tickets.get(&ticket);
        found.ok_or_else(|| format!("ticket {ticket} is unknown"))
    }

    fn ticket_mut(&mut self, ticket: u64) -> Result<&mut Ticket, Wrong> {
        let found = self.tickets.get_mut(&ticket);
        found.ok_or_else(|| format!("ticket {ticket} is unknown"))
    }

    /// Whether a ticket is kept from payment until two people release it.
    pub fn is_held(&self, ticket: &Ticket, now_ms: i64) -> bool {
        let first = self.draws.get(&ticket.sold.first_draw);
        let closed = first.filter(|draw| draw.seal.is_some());
        let doubtful = ticket.confirmed_copy < ticket.copy
            && closed.is_some_and(|draw| now_ms >= draw.closes_at_ms + 30_000);
        ticket.standing == Standing::Sold && !ticket.released && (doubtful || ticket.held_by_guard)
    }
}

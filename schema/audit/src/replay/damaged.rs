//! Tickets without a code (`RULES.md`, "Without a code").

use std::collections::HashMap;

use keno_log::event::{DamagedReading, DamagedTicketRead, FileJudged, FileOpened, PrizePaid};

use super::Replay;
use crate::tickets::Ticket;

/// On the code of a paper.
pub(super) const ON_CODE: u8 = 1;
/// On a print that was never confirmed.
pub(super) const ON_UNCONFIRMED: u8 = 2;
/// On a file that was judged to be paid.
pub(super) const ON_FILE: u8 = 3;

/// Path of a payment or a presentation: the claim code.
pub(super) const BY_CODE: u8 = 1;
/// Read from the paper.
pub(super) const BY_READING: u8 = 2;
/// With a file.
pub(super) const BY_FILE: u8 = 3;
/// By the claim code, entered afterwards.
pub(super) const AFTERWARDS: u8 = 4;

/// By number and 20 signs, typed.
pub(super) const BY_TYPING: u8 = 5;

/// A presentation is entered so long afterwards at most.
pub(super) const AFTERWARDS_MS: i64 = 7 * 24 * HOUR_MS;

const HOUR_MS: i64 = 3_600_000;
const DIGITS: u8 = 16;
const REASONS: std::ops::RangeInclusive<u8> = 1..=6;
/// What stands for two tickets or more.
const SEVERAL: u8 = 2;

#[derive(Debug)]
struct File {
    ticket: Option<u64>,
    badge: String,
    opened_at_ms: i64,
    wait_ms: i64,
    is_judged: bool,
}

/// How a file decided that a ticket is paid.
#[derive(Debug, Clone, Copy)]
struct Granted {
    by_three: bool,
}

/// What was read and decided of damaged papers, as far as the log was read.
#[derive(Debug, Default)]
pub(super) struct Damaged {
    /// The last entry at which a badge read a ticket.
    read: HashMap<u64, Vec<(String, u64)>>,
    files: HashMap<u64, File>,
    /// Tickets that a file names.
    filed: HashMap<u64, Option<Granted>>,
    /// Payments of a path that one human makes so many of, by path and human: the day of the last,
    /// and how many that day.
    of_day: HashMap<(u8, String), (u32, u64)>,
}

impl Damaged {
    /// The ticket that a file names.
    pub(super) fn ticket_of(&self, file: u64) -> Option<u64> {
        self.files.get(&file)?.ticket
    }

    pub(super) fn is_read(&self, ticket: u64) -> bool {
        self.read.contains_key(&ticket)
    }

    pub(super) fn is_filed(&self, ticket: u64) -> bool {
        self.filed.contains_key(&ticket)
    }

    pub(super) fn is_granted(&self, ticket: u64) -> bool {
        self.granted(ticket).is_some()
    }

    fn granted(&self, ticket: u64) -> Option<Granted> {
        self.filed.get(&ticket).copied().flatten()
    }

    /// The last entry at which this badge read this ticket.
    fn read_by(&self, ticket: u64, badge: &str) -> Option<u64> {
        let readers = self.read.get(&ticket)?;
        let own = readers.iter().find(|(by, _)| by == badge);
        own.map(|(_, entry)| *entry)
    }
}

/// Whether what is legible, if anything, is the ticket's.
fn agrees(reading: &DamagedReading, ticket: &Ticket) -> bool {
    let first = reading
        .first_draw
        .is_none_or(|it| it == ticket.terms.first_draw);
    let last = reading
        .last_draw
        .is_none_or(|it| it == ticket.terms.last_draw);
    let total = reading
        .total_cents
        .is_none_or(|it| it == ticket.terms.total_cents);
    let device = reading.sold_at.is_none_or(|it| it == ticket.seller.device);
    first && last && total && device
}

impl Replay {
    pub(super) fn damaged_ticket_read(&mut self, body: &DamagedTicketRead) {
        let Some(ticket) = self.ticket_of(body.ticket) else {
            return;
        };
        must!(self, ticket.withdrawn == 0 => TicketWithdrawn, "by entry {}", ticket.withdrawn);
        let reading = &body.reading;
        let whole = reading.first_draw.is_some()
            && reading.last_draw.is_some()
            && reading.total_cents.is_some()
            && reading.sold_at.is_some()
            && !reading.numbers.is_empty();
        must!(self, whole && agrees(reading, &ticket) => ReadingWrong, "ticket {}", ticket.leaf);
        let entry = self.now.entry;
        let readers = self.damaged.read.entry(ticket.leaf).or_default();
        match readers.iter_mut().find(|(by, _)| *by == body.badge) {
            Some((_, last)) => *last = entry,
            None => readers.push((body.badge.clone(), entry)),
        }
    }

    pub(super) fn file_opened(&mut self, body: &FileOpened) {
        let is_one = body.ticket.is_some() == (body.fits == 1);
        let is_well = is_one && body.fits <= SEVERAL && body.digits <= DIGITS;
        must!(self, is_well => FileWrong, "{} of {} digits", body.fits, body.digits);
        let ticket = body.ticket.and_then(|leaf| self.ticket_of(leaf));
        if let Some(ticket) = &ticket {
            must!(self, agrees(&body.reading, ticket) => ReadingWrong, "ticket {}", ticket.leaf);
            self.damaged.filed.entry(ticket.leaf).or_insert(None);
        }
        let book = match &ticket {
            Some(ticket) => self.books.get(ticket.terms.rule_book),
            None => self.books.newest(),
        };
        let wait_hours = book.map_or(0, |it| it.book.wait_hours);
        let file = File {
            ticket: ticket.map(|ticket| ticket.leaf),
            badge: body.badge.clone(),
            opened_at_ms: self.now.at_ms,
            wait_ms: i64::from(wait_hours) * HOUR_MS,
            is_judged: false,
        };
        self.damaged.files.insert(self.now.entry, file);
    }

    pub(super) fn file_judged(&mut self, body: &FileJudged) {
        let Some(mut file) = self.damaged.files.remove(&body.file) else {
            find!(self => FileUnknown, "file {}", body.file);
            return;
        };
        let people = [
            Some(file.badge.clone()),
            Some(body.by.clone()),
            Some(body.second.clone()),
            body.third.clone(),
        ];
        let mut rest = people.iter().flatten();
        while let Some(one) = rest.next() {
            for other in rest.clone() {
                // By and second are judged as everybody's are.
                if (one, other) != (&body.by, &body.second) {
                    self.are_two(one, other);
                }
            }
        }
        let ticket = file.ticket.and_then(|leaf| self.ticket_at(leaf));
        let granted = ticket.as_ref().and_then(|it| self.damaged.granted(it.leaf));
        // Once paid by two, three may judge it again: what it comes to has grown.
        let is_again = granted.is_some_and(|it| !it.by_three) && body.third.is_some();
        let reason_fits = match body.is_paid {
            true => body.reason == 0 && ticket.is_some(),
            false => REASONS.contains(&body.reason),
        };
        let is_of = body.ticket == file.ticket;
        let is_well = is_of && reason_fits && (!file.is_judged || (is_again && body.is_paid));
        must!(self, is_well => FileWrong, "file {}, reason {}", body.file, body.reason);
        let waited = self.now.at_ms.saturating_sub(file.opened_at_ms);
        must!(self, waited >= file.wait_ms => FileEarly, "after {waited} ms");
        if let Some(ticket) = ticket.filter(|_| body.is_paid) {
            let by_three = body.third.is_some();
            self.three_if_large(&ticket, by_three);
            let grant = self.damaged.filed.entry(ticket.leaf).or_insert(None);
            let by_three = by_three || grant.is_some_and(|it| it.by_three);
            *grant = Some(Granted { by_three });
        }
        file.is_judged = true;
        self.damaged.files.insert(body.file, file);
    }

    fn three_if_large(&mut self, ticket: &Ticket, by_three: bool) {
        let tier = self.tier_cents(ticket);
        let limit = self
            .books
            .get(ticket.terms.rule_book)
            .map(|it| it.book.third_person_cents);
        let is_large = limit.is_some_and(|limit| tier >= i128::from(limit));
        must!(self, !is_large || by_three => FileThird, "{tier} by two");
    }

    /// On what a payment is made.
    pub(super) fn judge_path(&mut self, body: &PrizePaid, ticket: &Ticket) {
        let holds = match body.path {
            BY_CODE | BY_TYPING => true,
            BY_READING => {
                let opened = self.till_opened(body.shift).unwrap_or(u64::MAX);
                let read = self.damaged.read_by(ticket.leaf, &body.badge);
                read.is_some_and(|entry| entry > opened)
            }
            BY_FILE => self.damaged.is_granted(ticket.leaf),
            _ => false,
        };
        must!(self, holds => PaymentWithoutCode, "path {}", body.path);
        match body.path {
            BY_READING => self.judge_at_once(body, ticket),
            BY_TYPING if body.second.is_none() => self.judge_typed_alone(body, ticket),
            BY_FILE => {
                let granted = self.damaged.granted(ticket.leaf);
                self.three_if_large(ticket, granted.is_some_and(|it| it.by_three));
            }
            _ => {}
        }
    }

    /// Which one of that path and human it is, that day.
    fn count_of_day(&mut self, body: &PrizePaid) -> u64 {
        let today = self.now.business_day;
        let human = self.staff.human(&body.badge);
        let counted = self.damaged.of_day.entry((body.path, human)).or_default();
        if counted.0 != today {
            *counted = (today, 0);
        }
        counted.1 += 1;
        counted.1
    }

    fn judge_typed_alone(&mut self, body: &PrizePaid, ticket: &Ticket) {
        let count = self.count_of_day(body);
        let tier = self.tier_cents(ticket);
        let is_within = self.books.get(ticket.terms.rule_book).is_none_or(|it| {
            tier <= i128::from(it.book.typed_alone_cents)
                && count <= u64::from(it.book.typed_per_day)
        });
        must!(self, is_within => PaymentTyped, "{tier}, the {count}. of {:?} that day", body.badge);
    }

    fn judge_at_once(&mut self, body: &PrizePaid, ticket: &Ticket) {
        let count = self.count_of_day(body);
        let tier = self.tier_cents(ticket);
        let is_within = self.books.get(ticket.terms.rule_book).is_none_or(|it| {
            tier <= i128::from(it.book.at_once_cents) && count <= u64::from(it.book.at_once_per_day)
        });
        must!(self, is_within => PaymentAtOnce,
            "{tier}, the {count}. of {:?} that day", body.badge);
    }
}

//! On what somebody pays or presents a ticket: its code, a reading of theirs, a file (s. 83).

use keno_game::PayoutThresholds;
use keno_log::Event;
use keno_log::event::FileJudged;
use keno_record::calendar::Calendar;
use keno_record::fault::Fault;
use keno_record::people::{People, is_one_human};
use keno_record::sequencer::Judge;
use keno_record::state::State;
use keno_record::store::damaged;
use keno_record::store::leaves::{body_at, event_if_any};
use keno_record::ticket::Ticket;
use keno_schema::Connection;

use crate::Stop;
use crate::authority::identity::Caller;
use crate::counter::deadline::HOUR_MS;
use crate::counter::owed::tier_cents;
use crate::counter::paper::Named;
use crate::counter::ticket::fact_of;
use crate::counter::till::till_of;
use crate::refusal::Refusal;

/// Path of a payment or a presentation: the claim code.
pub const BY_CODE: u8 = 1;
/// Read from the paper by two people.
pub const BY_READING: u8 = 2;
/// With a file.
pub const BY_FILE: u8 = 3;
/// By the claim code, and entered afterwards.
pub const AFTERWARDS: u8 = 4;
/// By the number and the 20 signs, typed.
pub const BY_TYPING: u8 = 5;
/// Longer than any business day.
const DAY_MS: i64 = 26 * HOUR_MS;

/// On what a payment or a presentation is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ground {
    /// As the leaf says it.
    pub(crate) path: u8,
    /// Three people decided about the file.
    by_three: bool,
}

/// The version of the rules that a file goes by: its ticket's, or the newest.
pub(crate) fn book_of(state: &State, ticket: Option<&Ticket>) -> Option<u32> {
    match ticket {
        Some(ticket) => Some(ticket.sale.rule_book),
        None => state.rule_books.keys().next_back().copied(),
    }
}

/// Payments of a path that a person made today, with however many badges, reversed or not.
fn paid_today(
    connection: &mut Connection,
    (people, calendar, now_ms): (&People, Calendar, i64),
    badge: &str,
    path: u8,
) -> Result<usize, Fault> {
    let since_ms = now_ms.saturating_sub(DAY_MS);
    let today = calendar.business_day(now_ms);
    let own = people.keys().filter(|it| is_one_human(people, badge, it));
    let mut count = 0;
    for badge in own {
        let paid = damaged::paid_by_path(connection, badge, path, since_ms)?;
        // What one person pays on a reading two have looked at; what was typed, nobody else has.
        let counts = |&&(at_ms, is_alone): &&(i64, bool)| {
            calendar.business_day(at_ms) == today && (is_alone || path == BY_READING)
        };
        count += paid.iter().filter(counts).count();
    }
    Ok(count)
}

/// Refuses what is more than the rules let be paid at once, by this badge and today.
pub(crate) fn must_be_small(
    judge: &mut Judge<'_>,
    ticket: &Ticket,
    badge: &str,
) -> Result<(), Stop> {
    let tier = tier_cents(judge, ticket)?;
    let now = (&judge.state.people, judge.calendar, judge.now_ms);
    let count = paid_today(judge.connection, now, badge, BY_READING)?;
    let book = judge.state.rule_books.get(&ticket.sale.rule_book);
    let damaged = book.map(|book| &book.rules.damaged);
    let Some(damaged) = damaged.filter(|damaged| tier <= damaged.at_once.get()) else {
        return Err(Refusal::FileNeeded.into());
    };
    if count < usize::from(damaged.per_day) {
        Ok(())
    } else {
        Err(Refusal::PaidEnoughToday.into())
    }
}

/// Whether two people pay on typed signs: more than one pays so, by amount or by number that day.
pub(crate) fn typed_takes_two(
    connection: &mut Connection,
    now: (&People, Calendar, i64),
    badge: &str,
    (payout, tier): (&PayoutThresholds, i64),
) -> Result<bool, Fault> {
    if tier > payout.typed_alone.get() {
        return Ok(true);
    }
    let count = paid_today(connection, now, badge, BY_TYPING)?;
    Ok(count >= usize::from(payout.typed_per_day))
}

/// The leaf that opened the till of a device.
pub(crate) fn till_opened(judge: &Judge<'_>, device: u32) -> Result<u64, Stop> {
    let (number, _) = till_of(judge, device)?;
    let shift = judge.state.shifts.get(&number);
    Ok(shift.map_or(u64::MAX, |shift| shift.opened_leaf))
}

/// The leaf at which a badge read a ticket since one.
pub(crate) fn read_since(ticket: &Ticket, badge: &str, since: u64) -> Option<u64> {
    let mut facts = ticket.facts.iter().rev().filter(|fact| fact.leaf > since);
    let is_theirs =
        |event: &Event| matches!(event, Event::DamagedTicketRead(it) if it.badge == badge);
    Some(facts.find(|fact| is_theirs(&fact.event))?.leaf)
}

/// On what somebody at a till acts about a ticket that has no code.
///
/// # Errors
/// A refusal: what is named is neither a reading of theirs in this shift nor a file that is paid.
pub(crate) fn ground_without_code(
    judge: &mut Judge<'_>,
    named: &Named,
    caller: &Caller,
) -> Result<Ground, Stop> {
    let since = till_opened(judge, caller.device.device);
    if let Named::Reference(leaf) | Named::File(leaf) = named {
        fact_of(judge, *leaf)?;
        let file = damaged::find(judge.connection, *leaf)?;
        if let Some(judged) = file.and_then(|file| file.judged_leaf) {
            fact_of(judge, judged)?;
        }
    }
    ground_of(judge.connection, named, &caller.badge, since)
}

/// The same for a reader, of leaves that nobody has proven; `since` opened the till.
pub(crate) fn ground_of(
    connection: &mut Connection,
    named: &Named,
    badge: &str,
    since: Result<u64, Stop>,
) -> Result<Ground, Stop> {
    let (leaf, has_receipt) = match named {
        Named::Reference(leaf) => (*leaf, false),
        Named::File(leaf) => (*leaf, true),
        Named::Paper(_) => return Err(Refusal::NumberUnknown.into()),
    };
    let (path, by_three) = match event_if_any(connection, leaf)? {
        Some(Event::DamagedTicketRead(body)) => {
            let is_theirs = body.badge == badge;
            if !is_theirs || leaf <= since? {
                return Err(Refusal::ReadAgain.into());
            }
            (BY_READING, false)
        }
        // A number is no secret: whoever is paid shows the receipt.
        Some(Event::FileOpened(_)) if !has_receipt => {
            return Err(Refusal::ReceiptNeeded.into());
        }
        Some(Event::FileOpened(_)) => {
            let file = damaged::find(connection, leaf)?;
            match file {
                None => return Err(Refusal::FileUnknown.into()),
                Some(file) => {
                    let judged = file.judged_leaf.ok_or(Refusal::FileNotJudged)?;
                    let (judged, _): (FileJudged, _) = body_at(connection, judged)?;
                    if judged.file != leaf {
                        return Err(Refusal::TicketDoubtful.into());
                    }
                    if !judged.is_paid {
                        return Err(Refusal::FileRefused.into());
                    }
                    (BY_FILE, judged.third.is_some())
                }
            }
        }
        _ => return Err(Refusal::ClaimCodeNeeded.into()),
    };
    Ok(Ground { path, by_three })
}

impl Ground {
    /// The claim code: the whole of it, or the signs that were typed.
    pub(crate) const fn of_code(is_typed: bool) -> Self {
        Self {
            path: if is_typed { BY_TYPING } else { BY_CODE },
            by_three: false,
        }
    }

    /// Refuses what the rules do not let be paid on this ground.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub(crate) fn must_suffice(
        self,
        judge: &mut Judge<'_>,
        ticket: &Ticket,
        badge: &str,
        tier: i64,
    ) -> Result<(), Stop> {
        match self.path {
            BY_READING => must_be_small(judge, ticket, badge),
            BY_FILE => must_be_by_three(judge.state, ticket, tier, self.by_three),
            _ => Ok(()),
        }
    }
}

pub(crate) fn must_be_by_three(
    state: &State,
    ticket: &Ticket,
    tier: i64,
    by_three: bool,
) -> Result<(), Stop> {
    let book = book_of(state, Some(ticket)).and_then(|version| state.rule_books.get(&version));
    let is_large = book.is_none_or(|book| tier >= book.rules.damaged.third_person.get());
    match is_large && !by_three {
        true => Err(Refusal::ThirdPersonNeeded.into()),
        false => Ok(()),
    }
}

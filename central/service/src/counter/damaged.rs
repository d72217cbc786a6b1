//! Papers whose code cannot be read (s. 83; `RULES.md`, "Without a code").
//!
//! Two paths, and nobody sees an amount before one of them ends. *Read*: the whole control number
//! and what else stands on the paper are typed, the record says whether all of it is of one ticket
//! and nothing more, a second person looks, and a small sum is paid at once. *File*: the paper is
//! kept, a receipt is given, and others decide after a while. What is presented on either path is
//! presented at that moment: no wait takes a prize away.

mod fits;

use std::collections::BTreeMap;
use std::sync::Arc;

use keno_log::event::{DamagedReading, DamagedTicketRead, FileJudged, FileOpened};
use keno_log::{Event, Hash};
use keno_record::calendar::Calendar;
use keno_record::fault::Fault;
use keno_record::roles::has_any;
use keno_record::sequencer::{Judge, Lane};
use keno_record::state::PublishedRules;
use keno_record::store::damaged;
use keno_record::store::leaves::{body_at, event_at};
use keno_record::ticket::Ticket;
use keno_schema::rows::DamagedFileRow;

use crate::authority::identity::{Caller, DeviceCaller};
use crate::authority::{Operation, THIRD_JUDGES};
use crate::central::Central;
use crate::central::pin_door::Recognised;
use crate::counter::check::closes_at;
use crate::counter::damaged::fits::{agrees, tickets_that_fit};
use crate::counter::deadline::{AFTERWARDS_MS, HOUR_MS};
use crate::counter::ground::{
    BY_FILE, BY_READING, ground_of, must_be_by_three, must_be_small, read_since, till_opened,
};
use crate::counter::owed::tier_cents;
use crate::counter::paper::{Named, Paper};
use crate::counter::presentation::{Presenting, judge_presentation, present_by};
use crate::counter::ticket::{doubtful, fact_of, must_be_sold, reason_of, ticket_named, ticket_of};
use crate::refusal::Refusal;
use crate::staff::acting::must_not_be_own;
use crate::staff::sessions::must_be_open;
use crate::staff::two_people::{must_be_second, must_differ};
use crate::{Stop, bounds};

pub use fits::Fragment;

/// Files that a list shows.
const FILES_MOST: i64 = 200;

/// A paper that two people read, as recorded.
#[derive(Debug, Clone)]
pub struct ReadPaper {
    /// Leaf of the reading: what the ticket is paid on.
    pub leaf: u64,
    /// The ticket.
    pub ticket: Ticket,
}

/// What is needed to open a file.
#[derive(Debug, Clone)]
pub struct FileOrder {
    /// What is legible of the control number, and of the rest.
    pub fragment: Fragment,
    /// Who presents it, as told.
    pub presented_by: String,
    /// What was seen of the paper.
    pub note: String,
}

/// A decision about a file.
#[derive(Debug, Clone)]
pub struct FileDecision {
    /// Number of the file.
    pub file: u64,
    /// The reason why nothing is paid; none if its ticket is paid.
    pub refused: Option<String>,
    /// SHA-256 of the picture of the paper.
    pub picture: Hash,
    /// What was seen, in words.
    pub note: String,
    /// Second person, already recognised.
    pub second: Recognised,
    /// Third person, already recognised.
    pub third: Option<Recognised>,
}

/// A file as it stands. It says neither a ticket nor an amount.
#[derive(Debug, Clone)]
pub struct FileView {
    /// Number of the file: its leaf.
    pub number: u64,
    /// What was recorded when it was opened.
    pub opened: FileOpened,
    /// When.
    pub opened_at_ms: i64,
    /// When it can be judged.
    pub judged_from_ms: i64,
    /// The day by which the holder is answered, yyyymmdd.
    pub answer_by: u32,
    /// Version of the rules that say so.
    pub rule_book: u32,
    /// The last decision, and when it was made.
    pub judged: Option<(FileJudged, i64)>,
}

/// Presents what can be; that nothing can be is no obstacle to a reading or a file.
fn present_if_any(
    judge: &mut Judge<'_>,
    ticket: Ticket,
    presenting: &Presenting,
) -> Result<(), Stop> {
    if must_be_sold(&ticket).is_err() {
        return Ok(());
    }
    match judge_presentation(judge, ticket, presenting) {
        Ok(_) | Err(Stop::Refused(_)) => Ok(()),
        Err(stop) => Err(stop),
    }
}

impl Paper {
    /// Whether what was typed from a paper is all of one ticket, and a second person looked at it:
    /// it is then presented, and the ticket can be paid on the leaf of this by who typed. That the
    /// number is unknown and that something else disagrees are one refusal.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn read_damaged(
        &self,
        central: &Central,
        caller: &Caller,
        second: &Recognised,
        reading: &DamagedReading,
    ) -> Result<ReadPaper, Stop> {
        caller.may(Operation::ReadDamaged)?;
        must_be_second(central, Operation::ReadDamaged, caller, second)?;
        let disagrees = || Stop::from(Refusal::PaperDisagrees);
        let found = self.find(central).map_err(doubtful)?;
        let ticket = found.ok_or_else(disagrees)?;
        if !fits::is_whole(reading) || !agrees(reading, &ticket) {
            return Err(disagrees());
        }
        let (number, named) = (ticket.number, Named::from(self));
        let closes = closes_at(central, ticket.first_draw)?;
        let event = DamagedTicketRead {
            ticket: number,
            reading: reading.clone(),
            device: caller.device.device,
            badge: caller.badge.clone(),
            second: second.badge.clone(),
        };
        let presenting = Presenting::now(caller, BY_READING);
        let leaf = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                let since = till_opened(judge, event.device)?;
                let ticket = ticket_named(judge, &named, number)?;
                must_be_sold(&ticket)?;
                let two = (event.badge.as_str(), event.second.as_str(), None);
                must_not_be_own(judge, Operation::ReadDamaged, &ticket.badge, two)?;
                if crate::counter::ticket::is_held(&ticket, closes, judge.now_ms) {
                    return Err(Refusal::TicketHeld.into());
                }
                must_be_small(judge, &ticket, &event.badge)?;
                if let Some(leaf) = read_since(&ticket, &event.badge, since) {
                    return Ok(leaf);
                }
                let leaf = judge.record(event.clone())?;
                present_if_any(judge, ticket, &presenting)?;
                Ok(leaf)
            })
            .await?;
        let mut reader = central.readers.get()?;
        let ticket = Ticket::read(&mut reader, number)?.ok_or(Refusal::RecordUnknown)?;
        Ok(ReadPaper { leaf, ticket })
    }
}

impl FileOrder {
    /// A damaged paper is kept, and its file opened: what it can be presented for is presented at
    /// this moment. Neither whether a ticket was found nor which one is told.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn open(&self, central: &Central, caller: &Caller) -> Result<FileView, Stop> {
        caller.may(Operation::OpenFile)?;
        if self.presented_by.trim().is_empty() {
            return Err(Refusal::PresenterNeeded.into());
        }
        bounds::note("presented_by", &self.presented_by)?;
        bounds::note("note", &self.note)?;
        let (fits, ticket) = tickets_that_fit(central, &self.fragment)?;
        let event = FileOpened {
            ticket: ticket.as_ref().map(|ticket| ticket.number),
            fits,
            digits: self.fragment.digits(),
            trace: central.keys.trace(&self.fragment.text()),
            reading: self.fragment.reading.clone(),
            presented_by: self.presented_by.clone(),
            note: self.note.clone(),
            device: caller.device.device,
            badge: caller.badge.clone(),
        };
        let presenting = Presenting::now(caller, BY_FILE);
        let session = caller.session;
        let leaf = central
            .sequencer
            .submit(Lane::Money, move |judge| {
                must_be_open(judge, session)?;
                judge.settle_rows()?;
                // The same request again, because its answer was lost, opens no second file.
                if let Some(last) = damaged::last_at(judge.connection, event.device)?
                    && last.judged_leaf.is_none()
                    && event_at(judge.connection, last.leaf)?.0 == Event::from(event.clone())
                {
                    return Ok(last.leaf);
                }
                let leaf = judge.record(event.clone())?;
                if let Some(ticket) = event.ticket {
                    let ticket = ticket_of(judge, ticket)?;
                    present_if_any(judge, ticket, &presenting)?;
                }
                Ok(leaf)
            })
            .await?;
        FileView::of(central, leaf)
    }
}

impl FileDecision {
    /// Why a file is not paid.
    pub const REASONS: [(&str, u8); 6] = [
        ("not_one_ticket", 1),
        ("not_genuine", 2),
        ("no_prize", 3),
        ("withdrawn_or_paid", 4),
        ("late", 5),
        ("other", 6),
    ];

    /// Two people, or three, who did not open a file decide about it.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn judge(&self, central: &Central, caller: &Caller) -> Result<u64, Stop> {
        caller.may(Operation::JudgeFile)?;
        must_be_second(central, Operation::JudgeFile, caller, &self.second)?;
        if let Some(third) = &self.third
            && !has_any(&third.roles, THIRD_JUDGES)
        {
            return Err(Refusal::SecondPersonRefused.into());
        }
        if self.note.trim().is_empty() {
            return Err(Refusal::NoteNeeded.into());
        }
        bounds::note("note", &self.note)?;
        let reason = match &self.refused {
            None => 0,
            Some(name) => reason_of(&Self::REASONS, name)?,
        };
        let file = FileView::of(central, self.file)?;
        let third = self.third.as_ref().map(|third| third.badge.clone());
        let mut people = vec![
            file.opened.badge.as_str(),
            caller.badge.as_str(),
            self.second.badge.as_str(),
        ];
        people.extend(third.as_deref());
        for (place, one) in people.iter().enumerate() {
            for other in people.iter().skip(place + 1) {
                match must_differ(&central.view.get().people, one, other) {
                    Err(_) if place == 0 => return Err(Refusal::OpenerJudges.into()),
                    differ => differ?,
                }
            }
        }
        let event = FileJudged {
            file: self.file,
            ticket: file.opened.ticket,
            is_paid: reason == 0,
            reason,
            picture: self.picture,
            note: self.note.clone(),
            by: caller.badge.clone(),
            second: self.second.badge.clone(),
            third,
        };
        // Where the paper was presented, by who says so now.
        let there = Caller {
            device: DeviceCaller {
                device: file.opened.device,
                ..caller.device.clone()
            },
            ..caller.clone()
        };
        let presenting = Presenting::now(&there, BY_FILE);
        central
            .sequencer
            .submit(Lane::Money, move |judge| {
                let opened = fact_of(judge, event.file)?.ok_or(Refusal::FileUnknown)?;
                let Event::FileOpened(file) = opened.event else {
                    return Err(Refusal::FileUnknown.into());
                };
                if file.ticket != event.ticket {
                    return Err(Refusal::TicketDoubtful.into());
                }
                if let Some(ticket) = file.ticket {
                    let ticket = ticket_of(judge, ticket)?;
                    let seller = &ticket.badge;
                    let who = (&*event.by, &*event.second, event.third.as_deref());
                    must_not_be_own(judge, Operation::JudgeFile, seller, who)?;
                }
                judge_decision(judge, opened.at_ms, &event)?;
                let leaf = judge.record(event.clone())?;
                // What was drawn while it waited is presented too.
                if let Some(ticket) = file.ticket.filter(|_| event.is_paid) {
                    let ticket = ticket_of(judge, ticket)?;
                    present_if_any(judge, ticket, &presenting)?;
                }
                Ok(leaf)
            })
            .await
    }
}

impl Paper {
    /// A presentation that took place while nothing could be entered, with the code of its paper,
    /// by two people.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub async fn present_afterwards(
        &self,
        central: &Central,
        caller: &Caller,
        second: &Recognised,
        presented_at_ms: i64,
    ) -> Result<crate::counter::presentation::Presented, Stop> {
        caller.may(Operation::PresentAfterwards)?;
        must_be_second(central, Operation::PresentAfterwards, caller, second)?;
        let now_ms = central.clock.now_ms();
        let earliest = now_ms.saturating_sub(AFTERWARDS_MS);
        if !(earliest..=now_ms).contains(&presented_at_ms) {
            return Err(Refusal::MomentInvalid.into());
        }
        let presenting = Presenting::afterwards(caller, &second.badge, presented_at_ms);
        present_by(central, &Named::Paper(self.clone()), presenting).await
    }
}

impl Named {
    /// The ticket that somebody at a till may pay without its code, by the leaf that stands for
    /// it. Of any other the amount is nobody's.
    ///
    /// # Errors
    /// A refusal or a fault.
    pub fn without_code(
        &self,
        central: &Central,
        device: u32,
        badge: &str,
    ) -> Result<Ticket, Stop> {
        let view = central.view.get();
        let till = view.shift_at(device).map(|(_, shift)| shift.opened_leaf);
        let since = till.ok_or(Stop::Refused(Refusal::NoOpenTill));
        let mut reader = central.readers.get()?;
        ground_of(&mut reader, self, badge, since)?;
        drop(reader);
        self.must_find(central)
    }
}

impl FileView {
    /// A file.
    ///
    /// # Errors
    /// [`Refusal::FileUnknown`], or a fault.
    pub fn of(central: &Central, number: u64) -> Result<FileView, Stop> {
        let mut reader = central.readers.get()?;
        let row = damaged::find(&mut reader, number)?.ok_or(Refusal::FileUnknown)?;
        Ok(file_view(central, &mut reader, &row)?)
    }

    /// The files, those that nobody has judged first.
    ///
    /// # Errors
    /// A fault.
    pub fn all(central: &Central) -> Result<Vec<FileView>, Fault> {
        let mut reader = central.readers.get()?;
        let rows = damaged::newest(&mut reader, FILES_MOST)?;
        rows.iter()
            .map(|row| file_view(central, &mut reader, row))
            .collect()
    }
}

fn file_view(
    central: &Central,
    reader: &mut keno_schema::Connection,
    row: &DamagedFileRow,
) -> Result<FileView, Fault> {
    let number = row.leaf;
    let (opened, _) = body_at(reader, number)?;
    let judged = row
        .judged_leaf
        .map(|leaf| body_at(reader, leaf))
        .transpose()?;
    let ticket = match row.ticket {
        None => None,
        // Where its leaves do not hold, the rules before the file: its list is not to go with them.
        Some(ticket) => Ticket::if_it_holds(reader, ticket)?,
    };
    let view = central.view.get();
    let (rule_book, book) =
        book_of_file(&view.rule_books, ticket.map(|it| it.sale.rule_book), number)?;
    let damaged = &book.rules.damaged;
    Ok(FileView {
        number,
        opened,
        opened_at_ms: row.opened_at_ms,
        judged_from_ms: wait_over(row.opened_at_ms, damaged.wait_hours),
        answer_by: answer_by(central.calendar, row.opened_at_ms, damaged.answer_days),
        rule_book,
        judged,
    })
}

/// The rules that a file goes by: its ticket's, or those before it. Rules that came after a file do
/// not change what its receipt says.
fn book_of_file(
    books: &BTreeMap<u32, Arc<PublishedRules>>,
    of_ticket: Option<u32>,
    file: u64,
) -> Result<(u32, &PublishedRules), Fault> {
    let book = match of_ticket {
        Some(version) => books.get_key_value(&version),
        None => books.iter().rev().find(|(_, book)| book.leaf < file),
    };
    book.map(|(version, book)| (*version, &**book))
        .ok_or_else(|| Fault::Record(format!("file {file} has no rule book")))
}

fn wait_over(opened_at_ms: i64, wait_hours: u16) -> i64 {
    opened_at_ms.saturating_add(i64::from(wait_hours) * HOUR_MS)
}

fn answer_by(calendar: Calendar, opened_at_ms: i64, answer_days: u16) -> u32 {
    calendar.day_after(opened_at_ms, answer_days)
}

fn judge_decision(
    judge: &mut Judge<'_>,
    opened_at_ms: i64,
    event: &FileJudged,
) -> Result<(), Stop> {
    let before = match judge.state.judged_files.get(&event.file).copied() {
        Some(leaf) => fact_of(judge, leaf)?.map(|fact| fact.event),
        None => None,
    };
    let is_again = match &before {
        Some(Event::FileJudged(it)) => it.is_paid && it.third.is_none() && event.third.is_some(),
        _ => false,
    };
    if before.is_some() && !(is_again && event.is_paid) {
        return Err(Refusal::FileJudged.into());
    }
    let ticket = event
        .ticket
        .map(|ticket| ticket_of(judge, ticket))
        .transpose()?;
    let of_ticket = ticket.as_ref().map(|ticket| ticket.sale.rule_book);
    let (_, book) = book_of_file(&judge.state.rule_books, of_ticket, event.file)?;
    let judged_from_ms = wait_over(opened_at_ms, book.rules.damaged.wait_hours);
    if judge.now_ms < judged_from_ms {
        let from = judge.calendar.minute_text(judged_from_ms);
        return Err(Refusal::FileWaits { from }.into());
    }
    if !event.is_paid {
        return Ok(());
    }
    let ticket = ticket.ok_or(Refusal::FileWithoutTicket)?;
    must_be_sold(&ticket)?;
    let tier = tier_cents(judge, &ticket)?;
    must_be_by_three(judge.state, &ticket, tier, event.third.is_some())
}

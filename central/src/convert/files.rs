//! Papers whose code cannot be read, between what travels and what the service knows.

use keno_log::event::{DamagedReading, FileJudged};
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_service::Central;
use keno_service::counter::{FileDecision, FileView as File, Fragment};
use keno_service::refusal::Refusal;
use keno_wire::claim_code::reference_text;
use keno_wire::damaged::{FileView, JudgementView, PaperReading};
use keno_wire::reply::Bilingual;
use keno_words::{Say, not_paid};

use super::terminal_name;

/// A device that no house has: a terminal of no such name sold nothing.
const NO_DEVICE: u32 = 0;

/// What was typed. A name that several terminals have is told apart by `sold_at`, the device of
/// the ticket that the number leads to, if there is one; else it says nothing.
pub fn reading(central: &Central, typed: &PaperReading, sold_at: Option<u32>) -> DamagedReading {
    let view = central.view.get();
    let named = typed.terminal.as_deref().map(str::trim).map(|name| {
        let devices = view.devices.iter();
        let mut found: Vec<u32> = devices
            .filter(|(_, device)| device.name.to_lowercase() == name.to_lowercase())
            .map(|(number, _)| *number)
            .collect();
        found.sort_unstable();
        found
    });
    let sold_at = named.and_then(|found| match (sold_at, found.as_slice()) {
        (Some(device), found) if found.contains(&device) => Some(device),
        (_, []) => Some(NO_DEVICE),
        (_, [one]) => Some(*one),
        (Some(_), [one, ..]) => Some(*one),
        (None, _) => None,
    });
    let mut numbers = typed.numbers.clone();
    numbers.sort_unstable();
    DamagedReading {
        first_draw: typed.first_draw,
        last_draw: typed.last_draw,
        total_cents: typed.total_cents,
        sold_at,
        numbers,
    }
}

/// What is legible of a paper.
///
/// # Errors
/// [`Refusal::CodeUnreadable`].
pub fn fragment(
    central: &Central,
    number: &str,
    typed: &PaperReading,
) -> Result<Fragment, Refusal> {
    Fragment::new(number, reading(central, typed, None))
}

/// Why nothing is paid, in the words of the paper that says so.
fn words(reason: u8) -> Option<Bilingual> {
    let words: &dyn Say = match reason {
        1 => &not_paid::UnknownTicket,
        2 => &not_paid::NotGenuine,
        3 => &not_paid::NoPrize,
        4 => &not_paid::CancelledOrPaid,
        5 => &not_paid::TooLate,
        6 => &not_paid::ReasonBelow,
        _ => return None,
    };
    Some(Bilingual::of(words))
}

fn judgement(central: &Central, judged: &FileJudged, at_ms: i64) -> JudgementView {
    let name = FileDecision::REASONS
        .iter()
        .find(|(_, number)| *number == judged.reason);
    JudgementView {
        is_paid: judged.is_paid,
        refused: name.map(|(name, _)| (*name).to_owned()),
        words: words(judged.reason),
        note: judged.note.clone(),
        at_local: central.calendar.minute_text(at_ms),
        by: judged.by.clone(),
        second: judged.second.clone(),
        third: judged.third.clone(),
    }
}

/// A file as it travels.
///
/// # Errors
/// A fault.
pub fn file_view(central: &Central, file: &File) -> Result<FileView, Fault> {
    let view = central.view.get();
    let rules = view
        .rule_books
        .get(&file.rule_book)
        .ok_or_else(|| Fault::Record(format!("file {} has no rule book", file.number)))?;
    let damaged = &rules.rules.damaged;
    let opened = &file.opened;
    let reading = PaperReading {
        first_draw: opened.reading.first_draw,
        last_draw: opened.reading.last_draw,
        total_cents: opened.reading.total_cents,
        terminal: opened.reading.sold_at.map(|at| terminal_name(&view, at)),
        numbers: opened.reading.numbers.clone(),
    };
    let house = view.house.as_ref();
    Ok(FileView {
        number: file.number,
        code: reference_text(file.number),
        digits: opened.digits,
        reading,
        presented_by: opened.presented_by.clone(),
        note: opened.note.clone(),
        opened_at_local: central.calendar.minute_text(file.opened_at_ms),
        terminal: terminal_name(&view, opened.device),
        badge: opened.badge.clone(),
        judged_from_local: central.calendar.minute_text(file.judged_from_ms),
        is_ready: central.clock.now_ms() >= file.judged_from_ms,
        answer_by: day_text(file.answer_by),
        complaints: Bilingual::new(&damaged.complaints_fr, &damaged.complaints_en),
        house_name: house.map_or_else(String::new, |house| house.name.clone()),
        judgement: file
            .judged
            .as_ref()
            .map(|(judged, at_ms)| judgement(central, judged, *at_ms)),
    })
}

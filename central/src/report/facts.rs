//! Facts in words: what happened, by whom, and what else a leaf says.

use keno_draw::Assurance;
use keno_draw::ball_reader::Incident;
use keno_game::PrintMeans;
use keno_log::{Event, EventKind};
use keno_record::store::leaves::Fact;
use keno_service::counter::{Named, Paper};
use keno_wire::reply::Bilingual;
use keno_words::{Joined, Say, fact, report};

use super::sheet::{ColumnOf, Section, Value};
use crate::pages::{Lang, fact_on_sheets, money, tender_in_words};

/// A column of a table of facts.
type FactColumn = ColumnOf<'static, Fact>;

/// Where a fact stands in the log.
pub const LEAF: FactColumn = ("leaf", &report::Leaf, &|fact| Value::Leaf(fact.leaf));
/// When it happened.
pub const AT: FactColumn = ("at", &report::When, &|fact| Value::Moment(fact.at_ms));
/// What happened.
pub const KIND: FactColumn = ("kind", &report::What, &|fact| {
    kind(fact.event.kind()).into()
});
/// Whose badges stand in it.
pub const BY: FactColumn = ("by", &report::By, &|fact| {
    Value::text_or_absent(by(&fact.event))
});
/// What else it says.
pub const DETAIL: FactColumn = ("detail", &report::Detail, &|fact| {
    detail(&fact.event).into()
});

/// What happened.
pub fn kind(kind: EventKind) -> Bilingual {
    let [fr, en] = fact_on_sheets(kind).unwrap_or([kind.name(); 2]);
    Bilingual::new(fr, en)
}

/// An amount in both languages.
pub fn amount(cents: i64) -> Bilingual {
    Bilingual {
        fr: money(cents, Lang::Fr),
        en: money(cents, Lang::En),
    }
}

/// Yes or no.
pub fn yes_or_no(is_so: bool) -> Value {
    match is_so {
        true => Value::said(&report::Yes),
        false => Value::said(&report::No),
    }
}

/// Where the numbers of a draw come from.
pub fn source(is_of_balls: bool) -> Value {
    match is_of_balls {
        true => Value::said(&report::DrawMachine),
        false => Value::said(&report::Computer),
    }
}

/// The numbers of a draw in their order, and ascending.
pub fn winning_numbers(section: &mut Section, balls: &[u8]) {
    let mut ascending = balls.to_vec();
    ascending.sort_unstable();
    let in_order = Value::Numbers(balls.to_vec());
    section.total("in_order", &report::InOrderDrawn, in_order);
    section.fact("ascending", &report::Ascending, Value::Numbers(ascending));
}

/// What a transcript proves, as it says so.
pub fn assurance(assurance: Assurance) -> Bilingual {
    Bilingual::new(&assurance.sentence_fr(), &assurance.sentence_en())
}

/// The tender of a recorded number.
pub fn tender(number: u8) -> Bilingual {
    let [fr, en] = tender_in_words(number);
    Bilingual::new(fr, en)
}

/// Two badges, or one.
pub fn badges(first: &str, second: &str) -> String {
    [first, second]
        .into_iter()
        .filter(|badge| !badge.is_empty())
        .collect::<Vec<_>>()
        .join(" + ")
}

/// Whose badges stand in a fact.
pub fn by(event: &Event) -> String {
    event.names().badges().collect::<Vec<_>>().join(" + ")
}

/// Several things in one line, with the same sign between any two.
fn joined(parts: &[&dyn Say], sign: &str) -> Bilingual {
    Bilingual::of(&Joined(parts, sign))
}

/// An amount, and what is said of it.
fn with(cents: i64, what: &dyn Say) -> Bilingual {
    joined(&[&amount(cents), what], " ")
}

/// What else a fact about a ticket and its papers says.
fn of_a_ticket(event: &Event) -> Option<Bilingual> {
    Some(match event {
        Event::TicketSold(body) => with(body.total_cents, &tender(body.tender)),
        Event::TicketCancelled(body) => {
            let why: &dyn Say = match body.reason {
                1 => &fact::ChangedMind,
                2 => &fact::KeyedWrong,
                3 => &fact::PrintedBadly,
                4 => &fact::NotPaid,
                _ => &fact::OtherReason,
            };
            joined(&[&amount(body.refund_cents), why], " · ")
        }
        Event::TicketUnpaid(body) => amount(body.amount_cents),
        Event::PrintConfirmed(body) => {
            let what: &dyn Say = match PrintMeans::from_number(body.how) {
                Some(PrintMeans::Printer) => &fact::ByPrinter,
                Some(PrintMeans::Status) => &fact::ByPrinterStatus,
                Some(PrintMeans::Clerk) | None => &fact::ByClerk,
            };
            let copy = &body.copy;
            Bilingual::of(&fact::Copy { copy, what: &what })
        }
        Event::TicketDuplicated(body) => Bilingual::of(&fact::Copy {
            copy: &body.copy,
            what: &body.reason,
        }),
        Event::DiscrepancyNoted(body) => {
            let facts: Vec<String> = (1..=6)
                .filter(|fact| body.facts & (1 << (fact - 1)) != 0)
                .map(|fact: u8| fact.to_string())
                .collect();
            Bilingual::of(&fact::Discrepancy {
                facts: &facts.join(", "),
                note: &body.note,
            })
        }
        _ => return None,
    })
}

/// What else a fact about a payment, or one that was refused, says.
fn of_a_payment(event: &Event) -> Option<Bilingual> {
    Some(match event {
        Event::PrizePaid(body) => {
            let path: &dyn Say = match body.path {
                2 => &fact::ByControlNumber,
                _ => &fact::ByClaimCode,
            };
            with(body.total_cents, path)
        }
        Event::PaymentReversed(body) => Bilingual::of(&fact::Payment {
            payment: &body.payment,
            reason: &body.reason,
        }),
        Event::PaymentHeld(body) => {
            let why: &dyn Say = match body.reason {
                1 => &fact::ImprobableWin,
                Paper::REPLACED_SHOWN => &fact::ReplacedPaper,
                _ => &fact::RarePrizeAgain,
            };
            let draw = &body.draw;
            Bilingual::of(&fact::Draw { draw, why: &why })
        }
        Event::PatronRefused(body) => Bilingual::of(match Named::refusal_reason(body.reason) {
            Some("minor") => &fact::Minor,
            Some("excluded") => &fact::Excluded,
            _ => &fact::OtherReason,
        }),
        Event::LostTicketRefunded(body) => {
            let paid = with(body.amount_cents, &tender(body.tender));
            joined(&[&paid, &body.reason], " · ")
        }
        _ => return None,
    })
}

/// What else a fact about tills, devices, draws and the record says.
fn of_the_house(event: &Event) -> Option<Bilingual> {
    Some(match event {
        Event::TillMoved(body) => {
            let way: &dyn Say = match body.kind {
                1 => &fact::Fill,
                _ => &fact::Drop,
            };
            with(body.amount_cents, way)
        }
        Event::TillCounted(body) => {
            let expected = &amount(body.expected_cents);
            let reason = &body.reason;
            with(body.counted_cents, &fact::Counted { expected, reason })
        }
        Event::DeviceHandedOver(body) => Bilingual::of(&fact::HandedOver {
            device: &body.device,
            to: &body.to,
            reason: &body.reason,
        }),
        Event::BallSetMeasured(body) => Bilingual::of(&fact::BallSet {
            set: &body.set,
            detail: &body.instruments,
        }),
        Event::BallSetsOffered(body) => Bilingual::of(&fact::Offered {
            sets: &body.sets.join(", "),
            draw: &body.draw,
            reason: &body.reason,
        }),
        Event::DrawRoomOpened(body) => Bilingual::of(&fact::BallSet {
            set: &body.set,
            detail: &body.camera,
        }),
        Event::DrawRoomEnded(body) => Bilingual::of(match body.goes_on {
            1 => &fact::RoomHandsOver as &dyn Say,
            _ => &fact::RoomIsOver,
        }),
        Event::IncidentLogged(body) => Bilingual::of(&fact::Incident {
            text: &body.text,
            camera: &body.camera,
        }),
        Event::BallRead(body) => joined(&[&body.position, &body.number], " : "),
        Event::LineIncident(body) if body.said.is_empty() => line_incident(body.incident),
        Event::LineIncident(body) => Bilingual::of(&fact::LineIncident {
            what: &line_incident(body.incident),
            said: &body.said,
        }),
        Event::FollowerBegan(body) => Bilingual::of(&body.key),
        Event::DrawFollowed(body) if body.finding.is_empty() => Bilingual::of(&fact::Agrees),
        Event::DrawFollowed(body) => Bilingual::of(&fact::Differs {
            finding: &body.finding,
        }),
        Event::KeyClosed(body) => joined(&[&body.key.session, &body.key.counter], "/"),
        Event::EpochOpened(body) => Bilingual::of(&fact::Epoch {
            epoch: &body.epoch,
            size: &body.continues_size,
            reason: &body.reason,
        }),
        _ => return None,
    })
}

/// What was wrong on the line of a machine, by its number in the record.
pub fn line_incident(number: u8) -> Bilingual {
    use keno_words::line_incident as words;
    let Some(incident) = Incident::of(number) else {
        return Bilingual::of(&number);
    };
    Bilingual::of(match incident {
        Incident::Noise => &words::Noise as &dyn Say,
        Incident::FrameBroken => &words::FrameBroken,
        Incident::FrameDoubled => &words::FrameDoubled,
        Incident::BallAhead => &words::BallAhead,
        Incident::OtherDraw => &words::OtherDraw,
        Incident::Silent => &words::Silent,
        Incident::ConnectionLost => &words::ConnectionLost,
        Incident::ClockWrong => &words::ClockWrong,
        Incident::TakenOver => &words::TakenOver,
        Incident::BallRepeated => &words::BallRepeated,
        Incident::BallOutside => &words::BallOutside,
        Incident::BallChanged => &words::BallChanged,
        Incident::PlaceOutside => &words::PlaceOutside,
        Incident::OtherSet => &words::OtherSet,
        Incident::EndedShort => &words::EndedShort,
        Incident::MachineStopped => &words::MachineStopped,
        Incident::Forgotten => &words::Forgotten,
    })
}

/// What else a fact says, with its amount.
pub fn detail(event: &Event) -> Bilingual {
    of_a_ticket(event)
        .or_else(|| of_a_payment(event))
        .or_else(|| of_the_house(event))
        .unwrap_or_else(|| Bilingual::of(&event.names().said))
}

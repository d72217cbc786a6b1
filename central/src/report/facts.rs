//! Facts in words: what happened, by whom, and what else a leaf says.

use keno_game::Tender;
use keno_log::{Event, EventKind};
use keno_record::store::leaves::Fact;
use keno_service::counter;
use keno_service::counter::REPLACED_SHOWN;
use keno_words::{Say, fact, report};

use super::sheet::{ColumnOf, Value, Words, said, words};
use crate::pages::{Lang, fact_on_sheets, money};

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
pub fn kind(kind: EventKind) -> Words {
    let [fr, en] = fact_on_sheets(kind).unwrap_or([kind.name(); 2]);
    words(fr, en)
}

/// An amount in both languages.
pub fn amount(cents: i64) -> Words {
    words(money(cents, Lang::Fr), money(cents, Lang::En))
}

/// Yes or no.
pub fn yes_or_no(is_so: bool) -> Words {
    if is_so {
        said(&report::Yes)
    } else {
        said(&report::No)
    }
}

/// The tender of a recorded number.
pub fn tender(number: u8) -> Words {
    match Tender::from_number(number) {
        Some(Tender::Cash) => words("comptant", "cash"),
        Some(Tender::Coupon) => words("coupon", "coupon"),
        Some(Tender::Chip) => words("jetons", "chips"),
        None => words("unknown", "unknown"),
    }
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

fn same(text: impl Into<String>) -> Words {
    let text = text.into();
    words(text.clone(), text)
}

/// An amount, and what is said of it.
fn with(cents: i64, what: &dyn Say) -> Words {
    let amount = amount(cents);
    words(
        format!("{} {}", amount.fr, what.fr()),
        format!("{} {}", amount.en, what.en()),
    )
}

/// What else a fact about a ticket and its papers says.
fn of_a_ticket(event: &Event) -> Option<Words> {
    Some(match event {
        Event::TicketSold(body) => {
            let paid = tender(body.tender);
            with(body.total_cents, &paid)
        }
        Event::TicketCancelled(body) => {
            let why: &dyn Say = match body.reason {
                1 => &fact::ChangedMind,
                2 => &fact::KeyedWrong,
                3 => &fact::PrintedBadly,
                4 => &fact::NotPaid,
                _ => &fact::OtherReason,
            };
            let why = words(format!("· {}", why.fr()), format!("· {}", why.en()));
            with(body.refund_cents, &why)
        }
        Event::TicketUnpaid(body) => amount(body.amount_cents),
        Event::PrintConfirmed(body) => {
            let what: &dyn Say = match body.how {
                1 => &fact::ByPrinter,
                2 => &fact::ByPrinterStatus,
                _ => &fact::ByClerk,
            };
            let copy = &body.copy;
            said(&fact::Copy { copy, what: &what })
        }
        Event::TicketDuplicated(body) => said(&fact::Copy {
            copy: &body.copy,
            what: &body.reason,
        }),
        Event::DiscrepancyNoted(body) => {
            let facts: Vec<String> = (1..=6)
                .filter(|fact| body.facts & (1 << (fact - 1)) != 0)
                .map(|fact: u8| fact.to_string())
                .collect();
            said(&fact::Discrepancy {
                facts: &facts.join(", "),
                note: &body.note,
            })
        }
        _ => return None,
    })
}

/// What else a fact about a payment, or one that was refused, says.
fn of_a_payment(event: &Event) -> Option<Words> {
    Some(match event {
        Event::PrizePaid(body) => {
            if body.path == 2 {
                with(body.total_cents, &fact::ByControlNumber)
            } else {
                with(body.total_cents, &fact::ByClaimCode)
            }
        }
        Event::PaymentReversed(body) => said(&fact::Payment {
            payment: &body.payment,
            reason: &body.reason,
        }),
        Event::PaymentHeld(body) => {
            let why: &dyn Say = match body.reason {
                1 => &fact::ImprobableWin,
                REPLACED_SHOWN => &fact::ReplacedPaper,
                _ => &fact::RarePrizeAgain,
            };
            let draw = &body.draw;
            said(&fact::Draw { draw, why: &why })
        }
        Event::PatronRefused(body) => said(match counter::reason_name(body.reason) {
            Some("minor") => &fact::Minor,
            Some("excluded") => &fact::Excluded,
            _ => &fact::OtherReason,
        }),
        Event::LostTicketRefunded(body) => {
            let paid = tender(body.tender);
            let paid = words(
                format!("{} · {}", paid.fr, body.reason),
                format!("{} · {}", paid.en, body.reason),
            );
            with(body.amount_cents, &paid)
        }
        _ => return None,
    })
}

/// What else a fact about tills, devices, draws and the record says.
fn of_the_house(event: &Event) -> Option<Words> {
    Some(match event {
        Event::TillMoved(body) => {
            if body.kind == 1 {
                with(body.amount_cents, &fact::Fill)
            } else {
                with(body.amount_cents, &fact::Drop)
            }
        }
        Event::TillCounted(body) => {
            let expected = &amount(body.expected_cents);
            let reason = &body.reason;
            with(body.counted_cents, &fact::Counted { expected, reason })
        }
        Event::DeviceHandedOver(body) => said(&fact::HandedOver {
            device: &body.device,
            to: &body.to,
            reason: &body.reason,
        }),
        Event::KeyClosed(body) => same(format!("{}/{}", body.key.session, body.key.counter)),
        Event::EpochOpened(body) => said(&fact::Epoch {
            epoch: &body.epoch,
            size: &body.continues_size,
            reason: &body.reason,
        }),
        _ => return None,
    })
}

/// What else a fact says, with its amount.
pub fn detail(event: &Event) -> Words {
    of_a_ticket(event)
        .or_else(|| of_a_payment(event))
        .or_else(|| of_the_house(event))
        .unwrap_or_else(|| same(event.names().said.unwrap_or_default()))
}

//! What a ticket comes to, draw by draw, stored beside recomputed; and what was paid.

use keno_game::{DrawState, PaidKind, selection_letter};
use keno_log::Event;
use keno_log::event::PrizePaid;
use keno_service::counter::{DueKind, DueState, TicketDraw};
use keno_words::report;

use super::Pack;
use crate::look_up::record::{AuditDraw, recomputed_by};
use crate::report::facts;
use crate::report::sheet::{Section, Value, Words, said};

fn payment_words(draw: &TicketDraw) -> Words {
    match (&draw.due, draw.kind) {
        (DueState::Paid { .. }, DueKind::Refund) => said(&report::Refunded),
        (DueState::Paid { .. }, _) => said(&report::Paid),
        (DueState::Unpaid, _) => said(&report::Unpaid),
        (DueState::Expired, _) => said(&report::Expired),
        (DueState::None, _) => said(&report::NothingDue),
    }
}

fn draw_state(state: DrawState) -> Words {
    match state {
        DrawState::Scheduled | DrawState::Open => said(&report::ToCome),
        DrawState::Settled => said(&report::Settled),
        DrawState::Void => said(&report::Void),
        DrawState::Closed
        | DrawState::Drawing
        | DrawState::Drawn
        | DrawState::Official
        | DrawState::Suspended => said(&report::BeingVerified),
    }
}

/// Each draw, stored and recomputed.
fn by_draw(section: &mut Section, pack: &Pack) {
    let draws = pack.record.draws.iter().zip(&pack.record.picture.draws);
    let recomputed = |draw: &AuditDraw| {
        draw.agrees?;
        let each = draw.recomputed.iter().map(|line| line.payable_cents);
        Some(Value::Money(each.fold(0, i64::saturating_add)))
    };
    let agrees = |draw: &AuditDraw| match draw.agrees? {
        true => Some(said(&report::Yes)),
        false => Some(said(&report::NoInCapitals)),
    };
    section.table(
        &draws.collect::<Vec<_>>(),
        &[
            ("draw", &report::Draw, &|(draw, _)| {
                Value::Draw(draw.stored.draw.draw)
            }),
            ("state", &report::State, &|(_, pictured)| {
                draw_state(pictured.draw.state()).into()
            }),
            ("computed", &report::Computed, &|(draw, _)| {
                Value::Money(draw.stored.computed_cents)
            }),
            ("payable", &report::PayableStored, &|(draw, _)| {
                Value::Money(draw.stored.payable_cents)
            }),
            ("recomputed", &report::PayableRecomputed, &|(draw, _)| {
                recomputed(draw).into()
            }),
            ("agrees", &report::Agrees, &|(draw, _)| agrees(draw).into()),
            ("payment", &report::Payment, &|(_, pictured)| {
                payment_words(pictured).into()
            }),
        ],
        &report::NoDraw,
    );
}

/// The numbers of the draws that have some.
fn drawn(section: &mut Section, pack: &Pack) {
    let draws = pack.record.draws.iter().map(|draw| &draw.stored);
    let drawn: Vec<_> = draws.filter(|draw| !draw.balls.is_empty()).collect();
    if !drawn.is_empty() {
        section.table(
            &drawn,
            &[
                ("draw", &report::Draw, &|drawn| Value::Draw(drawn.draw.draw)),
                ("numbers", &report::WinningNumbersInOrder, &|drawn| {
                    Value::Numbers(drawn.balls.clone())
                }),
            ],
            &report::None,
        );
    }
}

/// Each selection recomputed.
fn by_selection(section: &mut Section, pack: &Pack) {
    let draws = pack.record.draws.iter();
    let lines: Vec<_> = draws
        .flat_map(|draw| {
            let number = draw.stored.draw.draw;
            draw.recomputed.iter().map(move |line| (number, line))
        })
        .collect();
    if !lines.is_empty() {
        section.table(
            &lines,
            &[
                ("draw", &report::Draw, &|(draw, _)| Value::Draw(*draw)),
                ("selection", &report::SelectionShort, &|(_, line)| {
                    Value::Text(selection_letter(usize::from(line.selection)))
                }),
                ("catches", &report::Catches, &|(_, line)| {
                    Value::Text(line.catches.clone())
                }),
                ("computed", &report::Recomputed, &|(_, line)| {
                    Value::Money(line.computed_cents)
                }),
                ("payable", &"Payable", &|(_, line)| {
                    Value::Money(line.payable_cents)
                }),
            ],
            &report::None,
        );
    }
}

pub(super) fn evaluation(pack: &Pack) -> Section {
    let mut section = Section::new("evaluation", &report::EvaluationPerDraw);
    by_draw(&mut section, pack);
    drawn(&mut section, pack);
    by_selection(&mut section, pack);
    let by = recomputed_by();
    section.note(&by);
    section
}

pub(super) fn payments(pack: &Pack) -> Section {
    let mut section = Section::new("payments", &report::Payments);
    let reversed = |payment: u64| {
        pack.record.facts.iter().any(
            |fact| matches!(&fact.event, Event::PaymentReversed(body) if body.payment == payment),
        )
    };
    let facts = pack.record.facts.iter();
    let items: Vec<_> = facts
        .filter_map(|fact| match &fact.event {
            Event::PrizePaid(body) => Some((fact, body)),
            _ => None,
        })
        .flat_map(|(fact, body)| body.items.iter().map(move |item| (fact, body, item)))
        .collect();
    let by =
        |body: &PrizePaid| facts::badges(&body.badge, body.second.as_deref().unwrap_or_default());
    section.table(
        &items,
        &[
            ("payment", &report::Payment, &|(fact, ..)| {
                Value::Leaf(fact.leaf)
            }),
            ("at", &report::When, &|(fact, ..)| Value::Moment(fact.at_ms)),
            ("draw", &report::Draw, &|(.., item)| Value::Draw(item.draw)),
            (
                "kind",
                &report::What,
                &|(.., item)| match item.kind == PaidKind::Refund {
                    true => said(&report::Refund).into(),
                    false => said(&report::Prize).into(),
                },
            ),
            ("amount", &report::Amount, &|(.., item)| {
                Value::Money(item.amount_cents)
            }),
            ("tender", &report::TenderShort, &|(_, body, _)| {
                facts::tender(body.tender).into()
            }),
            ("by", &report::By, &|(_, body, _)| Value::Text(by(body))),
            (
                "state",
                &report::State,
                &|(fact, ..)| match reversed(fact.leaf) {
                    true => said(&report::Reversed).into(),
                    false => said(&report::HandedOver).into(),
                },
            ),
        ],
        &report::NoPayment,
    );
    section
}

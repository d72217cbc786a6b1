//! What a ticket comes to, draw by draw, stored beside recomputed; and what was paid.

use keno_game::{DrawState, PaidKind, selection_letter};
use keno_log::Event;
use keno_log::event::{PaidItem, PrizePaid};
use keno_service::counter::{DueKind, DueState, TicketDraw};
use keno_words::report;

use super::Pack;
use crate::look_up::record::{AuditDraw, recomputed_by};
use crate::report::facts;
use crate::report::sheet::{Section, Value, columns};

fn payment_words(draw: &TicketDraw) -> Value {
    Value::said(match (&draw.due, draw.kind) {
        (DueState::Paid { .. }, DueKind::Refund) => &report::Refunded,
        (DueState::Paid { .. }, _) => &report::Paid,
        (DueState::Unpaid, _) => &report::Unpaid,
        (DueState::Waits, _) => &report::Waits,
        (DueState::Expired, _) => &report::Expired,
        (DueState::None, _) => &report::NothingDue,
    })
}

fn draw_state(state: DrawState) -> Value {
    Value::said(match state {
        DrawState::Scheduled | DrawState::Open => &report::ToCome,
        DrawState::Settled => &report::Settled,
        DrawState::Void => &report::Void,
        DrawState::Closed
        | DrawState::Drawing
        | DrawState::Drawn
        | DrawState::Official
        | DrawState::Suspended => &report::BeingVerified,
    })
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
        true => Some(Value::said(&report::Yes)),
        false => Some(Value::said(&report::NoInCapitals)),
    };
    section.table(
        &draws.collect::<Vec<_>>(),
        columns![
            "draw" Draw: |(draw, _)| Value::Draw(draw.stored.draw.draw),
            "state" State: |(_, pictured)| draw_state(pictured.draw.state()),
            "computed" Computed: |(draw, _)| Value::Money(draw.stored.computed_cents),
            "payable" PayableStored: |(draw, _)| Value::Money(draw.stored.payable_cents),
            "recomputed" PayableRecomputed: |(draw, _)| recomputed(draw).into(),
            "agrees" Agrees: |(draw, _)| agrees(draw).into(),
            "payment" Payment: |(_, pictured)| payment_words(pictured),
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
            columns![
                "draw" Draw: |drawn| Value::Draw(drawn.draw.draw),
                "numbers" WinningNumbersInOrder: |drawn| Value::Numbers(drawn.balls.clone()),
            ],
            &report::None,
        );
    }
}

fn letter(selection: u8) -> Value {
    Value::Text(selection_letter(selection.into()))
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
            columns![
                "draw" Draw: |(draw, _)| Value::Draw(*draw),
                "selection" SelectionShort: |(_, line)| letter(line.selection),
                "catches" Catches: |(_, line)| Value::Text(line.catches.clone()),
                "computed" Recomputed: |(_, line)| Value::Money(line.computed_cents),
                "payable" "Payable": |(_, line)| Value::Money(line.payable_cents),
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
    let state = |payment: u64| {
        let undoes = |event: &Event| matches!(event, Event::PaymentReversed(body) if body.payment == payment);
        match pack.record.facts.iter().any(|fact| undoes(&fact.event)) {
            true => Value::said(&report::Reversed),
            false => Value::said(&report::HandedOver),
        }
    };
    let kind = |item: &PaidItem| match item.kind == PaidKind::Refund {
        true => Value::said(&report::Refund),
        false => Value::said(&report::Prize),
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
        columns![
            "payment" Payment: |(fact, ..)| Value::Leaf(fact.leaf),
            "at" When: |(fact, ..)| Value::Moment(fact.at_ms),
            "draw" Draw: |(.., item)| Value::Draw(item.draw),
            "kind" What: |(.., item)| kind(item),
            "amount" Amount: |(.., item)| Value::Money(item.amount_cents),
            "tender" TenderShort: |(_, body, _)| facts::tender(body.tender).into(),
            "by" By: |(_, body, _)| Value::Text(by(body)),
            "state" State: |(fact, ..)| state(fact.leaf),
        ],
        &report::NoPayment,
    );
    section
}

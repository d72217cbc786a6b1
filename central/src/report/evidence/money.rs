//! What a ticket comes to, draw by draw, stored beside recomputed; and what was paid.

use keno_game::{DrawState, PaidKind, selection_letter};
use keno_log::Event;
use keno_service::counter::{DueKind, DueState, TicketDraw};
use keno_words::report;

use super::Pack;
use crate::look_up::record::recomputed_by;
use crate::report::facts;
use crate::report::sheet::{Block, Section, Value, Words, column, said};

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
    let rows = pack
        .record
        .draws
        .iter()
        .zip(&pack.record.picture.draws)
        .map(|(draw, pictured)| {
            let stored = &draw.stored;
            let sum = draw.agrees.map(|_| {
                draw.recomputed
                    .iter()
                    .fold(0_i64, |sum, line| sum.saturating_add(line.payable_cents))
            });
            vec![
                Value::Draw(stored.draw.draw),
                draw_state(pictured.draw.state()).into(),
                Value::Money(stored.computed_cents),
                Value::Money(stored.payable_cents),
                sum.map_or(Value::Absent, Value::Money),
                match draw.agrees {
                    None => Value::Absent,
                    Some(true) => said(&report::Yes).into(),
                    Some(false) => said(&report::NoInCapitals).into(),
                },
                payment_words(pictured).into(),
            ]
        })
        .collect();
    section.table(
        vec![
            column("draw", &report::Draw),
            column("state", &report::State),
            column("computed", &report::Computed),
            column("payable", &report::PayableStored),
            column("recomputed", &report::PayableRecomputed),
            column("agrees", &report::Agrees),
            column("payment", &report::Payment),
        ],
        rows,
        said(&report::NoDraw),
    );
}

/// The numbers of the draws that have some.
fn drawn(section: &mut Section, pack: &Pack) {
    let drawn = pack
        .record
        .draws
        .iter()
        .filter(|draw| !draw.stored.balls.is_empty())
        .map(|draw| {
            vec![
                Value::Draw(draw.stored.draw.draw),
                Value::Numbers(draw.stored.balls.clone()),
            ]
        })
        .collect::<Vec<_>>();
    if !drawn.is_empty() {
        section.blocks.push(Block::Table {
            columns: vec![
                column("draw", &report::Draw),
                column("numbers", &report::WinningNumbersInOrder),
            ],
            rows: drawn,
        });
    }
}

/// Each selection recomputed.
fn by_selection(section: &mut Section, pack: &Pack) {
    let lines: Vec<Vec<Value>> = pack
        .record
        .draws
        .iter()
        .flat_map(|draw| {
            draw.recomputed.iter().map(|line| {
                vec![
                    Value::Draw(draw.stored.draw.draw),
                    Value::Text(selection_letter(usize::from(line.selection))),
                    Value::Text(line.catches.clone()),
                    Value::Money(line.computed_cents),
                    Value::Money(line.payable_cents),
                ]
            })
        })
        .collect();
    if !lines.is_empty() {
        section.blocks.push(Block::Table {
            columns: vec![
                column("draw", &report::Draw),
                column("selection", &report::SelectionShort),
                column("catches", &report::Catches),
                column("computed", &report::Recomputed),
                column("payable", &"Payable"),
            ],
            rows: lines,
        });
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
    let rows = pack
        .record
        .facts
        .iter()
        .filter_map(|fact| match &fact.event {
            Event::PrizePaid(body) => Some((fact, body)),
            _ => None,
        })
        .flat_map(|(fact, body)| {
            let state = if reversed(fact.leaf) {
                said(&report::Reversed)
            } else {
                said(&report::HandedOver)
            };
            body.items.iter().map(move |item| {
                vec![
                    Value::Leaf(fact.leaf),
                    Value::Moment(fact.at_ms),
                    Value::Draw(item.draw),
                    if item.kind == PaidKind::Refund {
                        said(&report::Refund).into()
                    } else {
                        said(&report::Prize).into()
                    },
                    Value::Money(item.amount_cents),
                    facts::tender(body.tender).into(),
                    Value::Text(facts::badges(
                        &body.badge,
                        body.second.as_deref().unwrap_or_default(),
                    )),
                    state.clone().into(),
                ]
            })
        })
        .collect();
    section.table(
        vec![
            column("payment", &report::Payment),
            column("at", &report::When),
            column("draw", &report::Draw),
            column("kind", &report::What),
            column("amount", &report::Amount),
            column("tender", &report::TenderShort),
            column("by", &report::By),
            column("state", &report::State),
        ],
        rows,
        said(&report::NoPayment),
    );
    section
}

//! What a ticket comes to, draw by draw, stored beside recomputed; and what was paid.

use keno_game::{DrawState, PaidKind, selection_letter};
use keno_log::Event;
use keno_service::counter::{DueKind, DueState, TicketDraw};

use super::Pack;
use crate::look_up::record::recomputed_by;
use crate::report::facts;
use crate::report::sheet::{Block, Section, Value, Words, column, words};

fn payment_words(draw: &TicketDraw) -> Words {
    match (&draw.due, draw.kind) {
        (DueState::Paid { .. }, DueKind::Refund) => words("remboursé", "refunded"),
        (DueState::Paid { .. }, _) => words("payé", "paid"),
        (DueState::Unpaid, _) => words("à payer", "unpaid"),
        (DueState::Expired, _) => words("expiré", "expired"),
        (DueState::None, _) => words("rien à payer", "nothing due"),
    }
}

fn draw_state(state: DrawState) -> Words {
    match state {
        DrawState::Scheduled | DrawState::Open => words("à venir", "to come"),
        DrawState::Settled => words("réglé", "settled"),
        DrawState::Void => words("annulé", "void"),
        DrawState::Closed
        | DrawState::Drawing
        | DrawState::Drawn
        | DrawState::Official
        | DrawState::Suspended => words("en vérification", "being verified"),
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
                    Some(true) => words("oui", "yes").into(),
                    Some(false) => words("NON", "NO").into(),
                },
                payment_words(pictured).into(),
            ]
        })
        .collect();
    section.table(
        vec![
            column("draw", "Tirage", "Draw"),
            column("state", "État", "State"),
            column("computed", "Calculé", "Computed"),
            column("payable", "Payable inscrit", "Payable stored"),
            column("recomputed", "Payable recalculé", "Payable recomputed"),
            column("agrees", "Concorde", "Agrees"),
            column("payment", "Paiement", "Payment"),
        ],
        rows,
        words("Aucun tirage.", "No draw."),
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
                column("draw", "Tirage", "Draw"),
                column(
                    "numbers",
                    "Numéros gagnants dans l’ordre",
                    "Winning numbers in order",
                ),
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
                column("draw", "Tirage", "Draw"),
                column("selection", "Sél.", "Sel."),
                column("catches", "Numéros trouvés", "Catches"),
                column("computed", "Recalculé", "Recomputed"),
                column("payable", "Payable", "Payable"),
            ],
            rows: lines,
        });
    }
}

pub(super) fn evaluation(pack: &Pack) -> Section {
    let mut section = Section::new(
        "evaluation",
        "Évaluation par tirage : inscrit et recalculé",
        "Evaluation per draw: stored and recomputed",
    );
    by_draw(&mut section, pack);
    drawn(&mut section, pack);
    by_selection(&mut section, pack);
    let by = recomputed_by();
    section.note(by.fr, by.en);
    section
}

pub(super) fn payments(pack: &Pack) -> Section {
    let mut section = Section::new("payments", "Paiements", "Payments");
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
                words("annulé", "reversed")
            } else {
                words("remis", "handed over")
            };
            body.items.iter().map(move |item| {
                vec![
                    Value::Leaf(fact.leaf),
                    Value::Moment(fact.at_ms),
                    Value::Draw(item.draw),
                    if item.kind == PaidKind::Refund {
                        words("remboursement", "refund").into()
                    } else {
                        words("lot", "prize").into()
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
            column("payment", "Paiement", "Payment"),
            column("at", "Quand", "When"),
            column("draw", "Tirage", "Draw"),
            column("kind", "Quoi", "What"),
            column("amount", "Montant", "Amount"),
            column("tender", "Mode", "Tender"),
            column("by", "Par", "By"),
            column("state", "État", "State"),
        ],
        rows,
        words("Aucun paiement.", "No payment."),
    );
    section
}

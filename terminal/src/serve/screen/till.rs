//! The till, and what one must not do alone.

use actix_web::web;
use keno_wire::request::{SecondPerson, TillMovementKind};
use serde::Deserialize;

use crate::serve::door::{Needs, command};
use crate::serve::task::Task;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Movement {
    kind: TillMovementKind,
    amount_cents: i64,
    second: SecondPerson,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    counted_cents: i64,
    /// Where the till is another person's.
    #[serde(default)]
    second: Option<SecondPerson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountByTwo {
    counted_cents: i64,
    reason: String,
    second: SecondPerson,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shift {
    shift: u64,
}

/// A ticket, why, and the second person.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ByTwo {
    code: String,
    #[serde(default)]
    reason: String,
    second: SecondPerson,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reversal {
    payment: u64,
    reason: String,
    second: SecondPerson,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Discrepancy {
    code: String,
    /// Which of the six facts of s. 82 differ, each 1 to 6.
    facts: Vec<u8>,
    note: String,
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route(
        "/agent/till-movements",
        command(
            Task::TillMovement,
            Needs::Central,
            |agent, asked: Movement| {
                agent.move_till(asked.kind, asked.amount_cents, asked.second.into())
            },
        ),
    )
    .route(
        "/agent/till-counts",
        command(
            Task::TillCount,
            Needs::Central,
            |agent, asked: CountByTwo| {
                agent.count_till(asked.counted_cents, &asked.reason, asked.second.into())
            },
        ),
    )
    .route(
        "/agent/till-close",
        command(Task::TillClose, Needs::Central, |agent, asked: Count| {
            agent.close_till(asked.counted_cents, asked.second.map(Into::into))
        }),
    )
    .route(
        "/agent/shift-sheets",
        command(Task::ShiftSheet, Needs::Central, |agent, asked: Shift| {
            agent.shift_sheet(asked.shift)
        }),
    )
    .route(
        "/agent/duplicates",
        command(Task::Duplicate, Needs::Central, |agent, asked: ByTwo| {
            agent.duplicate(&asked.code, &asked.reason, asked.second.into())
        }),
    )
    .route(
        "/agent/unpaid",
        command(Task::Unpaid, Needs::Central, |agent, asked: ByTwo| {
            agent.unpaid(&asked.code, asked.second.into())
        }),
    )
    .route(
        "/agent/releases",
        command(Task::Release, Needs::Central, |agent, asked: ByTwo| {
            agent.release(&asked.code, &asked.reason, asked.second.into())
        }),
    )
    .route(
        "/agent/reversals",
        command(Task::Reversal, Needs::Central, |agent, asked: Reversal| {
            agent.reverse(asked.payment, &asked.reason, asked.second.into())
        }),
    )
    .route(
        "/agent/discrepancies",
        command(
            Task::Discrepancy,
            Needs::Central,
            |agent, asked: Discrepancy| {
                agent.note_discrepancy(&asked.code, &asked.facts, &asked.note)
            },
        ),
    );
}

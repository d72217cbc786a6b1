//! The till, and what one must not do alone.

use actix_web::web;
use keno_wire::request::{
    DuplicateRequest, ReleaseRequest, SecondPerson, TillMovementKind, UnpaidRequest,
};
use serde::Deserialize;

use crate::agent::Agent;
use crate::serve::door::command;
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

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    command(
        cfg,
        "/agent/till-movements",
        Task::TillMovement,
        |agent, asked: Movement| agent.move_till(asked.kind, asked.amount_cents, asked.second),
    );
    command(
        cfg,
        "/agent/till-counts",
        Task::TillCount,
        Agent::count_till,
    );
    command(cfg, "/agent/till-close", Task::TillClose, Agent::close_till);
    command(
        cfg,
        "/agent/shift-sheets",
        Task::ShiftSheet,
        |agent, asked: Shift| agent.shift_sheet(asked.shift),
    );
    command(
        cfg,
        "/agent/duplicates",
        Task::Duplicate,
        |agent, asked: ByTwo| {
            let ByTwo {
                code,
                reason,
                second,
            } = asked;
            agent.duplicate(DuplicateRequest {
                code,
                reason,
                second,
            })
        },
    );
    command(cfg, "/agent/unpaid", Task::Unpaid, |agent, asked: ByTwo| {
        let ByTwo { code, second, .. } = asked;
        agent.unpaid(UnpaidRequest { code, second })
    });
    command(
        cfg,
        "/agent/releases",
        Task::Release,
        |agent, asked: ByTwo| {
            let ByTwo {
                code,
                reason: evidence,
                second,
            } = asked;
            agent.release(ReleaseRequest {
                code,
                evidence,
                second,
            })
        },
    );
    command(cfg, "/agent/reversals", Task::Reversal, Agent::reverse);
    command(
        cfg,
        "/agent/discrepancies",
        Task::Discrepancy,
        |agent, asked| agent.note_discrepancy(&asked),
    );
}

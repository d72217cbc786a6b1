//! The till, and what one must not do alone.

use actix_web::web;
use keno_wire::request::{SecondPerson, TillMovementKind};
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

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    let moves = |agent: &mut Agent<'static>, asked: Movement| {
        agent.move_till(asked.kind, asked.amount_cents, asked.second)
    };
    command(cfg, "till-movements", Task::TillMovement, moves);
    command(cfg, "till-counts", Task::TillCount, Agent::count_till);
    command(cfg, "till-close", Task::TillClose, Agent::close_till);
    let sheet = |agent: &mut Agent<'static>, asked: Shift| agent.shift_sheet(asked.shift);
    command(cfg, "shift-sheets", Task::ShiftSheet, sheet);
    command(cfg, "duplicates", Task::Duplicate, Agent::duplicate);
    command(cfg, "unpaid", Task::Unpaid, Agent::unpaid);
    command(cfg, "releases", Task::Release, Agent::release);
    command(cfg, "reversals", Task::Reversal, Agent::reverse);
    command(
        cfg,
        "discrepancies",
        Task::Discrepancy,
        Agent::note_discrepancy,
    );
}

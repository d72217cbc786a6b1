//! The till, and what one must not do alone.

use actix_web::{HttpResponse, web};
use keno_wire::request::{SecondPerson, TillMovementKind};
use serde::Deserialize;

use crate::agent::Agent;
use crate::serve::door::{Needs, Shared, give};
use crate::serve::task::Task;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Movement {
    kind: TillMovementKind,
    amount_cents: i64,
    second: SecondPerson,
}

async fn move_till(shared: web::Data<Shared>, asked: web::Json<Movement>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| {
        agent.move_till(asked.kind, asked.amount_cents, asked.second.into())
    };
    give(&shared, Task::TillMovement, Needs::Central, Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    counted_cents: i64,
    /// Where the till is another person's.
    #[serde(default)]
    second: Option<SecondPerson>,
}

async fn close(shared: web::Data<Shared>, asked: web::Json<Count>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| {
        agent.close_till(asked.counted_cents, asked.second.map(Into::into))
    };
    give(&shared, Task::TillClose, Needs::Central, Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountByTwo {
    counted_cents: i64,
    reason: String,
    second: SecondPerson,
}

async fn count(shared: web::Data<Shared>, asked: web::Json<CountByTwo>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| {
        agent.count_till(asked.counted_cents, &asked.reason, asked.second.into())
    };
    give(&shared, Task::TillCount, Needs::Central, Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shift {
    shift: u64,
}

async fn sheet(shared: web::Data<Shared>, asked: web::Json<Shift>) -> HttpResponse {
    let shift = asked.into_inner().shift;
    let work = move |agent: &mut Agent<'static>| agent.shift_sheet(shift);
    give(&shared, Task::ShiftSheet, Needs::Central, Box::new(work)).await
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

async fn duplicate(shared: web::Data<Shared>, asked: web::Json<ByTwo>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| {
        agent.duplicate(&asked.code, &asked.reason, asked.second.into())
    };
    give(&shared, Task::Duplicate, Needs::Central, Box::new(work)).await
}

async fn unpaid(shared: web::Data<Shared>, asked: web::Json<ByTwo>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| agent.unpaid(&asked.code, asked.second.into());
    give(&shared, Task::Unpaid, Needs::Central, Box::new(work)).await
}

async fn release(shared: web::Data<Shared>, asked: web::Json<ByTwo>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| {
        agent.release(&asked.code, &asked.reason, asked.second.into())
    };
    give(&shared, Task::Release, Needs::Central, Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reversal {
    payment: u64,
    reason: String,
    second: SecondPerson,
}

async fn reverse(shared: web::Data<Shared>, asked: web::Json<Reversal>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| {
        agent.reverse(asked.payment, &asked.reason, asked.second.into())
    };
    give(&shared, Task::Reversal, Needs::Central, Box::new(work)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Discrepancy {
    code: String,
    /// Which of the six facts of s. 82 differ, each 1 to 6.
    facts: Vec<u8>,
    note: String,
}

async fn discrepancy(shared: web::Data<Shared>, asked: web::Json<Discrepancy>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| {
        agent.note_discrepancy(&asked.code, &asked.facts, &asked.note)
    };
    give(&shared, Task::Discrepancy, Needs::Central, Box::new(work)).await
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/till-movements", web::post().to(move_till))
        .route("/agent/till-counts", web::post().to(count))
        .route("/agent/till-close", web::post().to(close))
        .route("/agent/shift-sheets", web::post().to(sheet))
        .route("/agent/duplicates", web::post().to(duplicate))
        .route("/agent/unpaid", web::post().to(unpaid))
        .route("/agent/releases", web::post().to(release))
        .route("/agent/reversals", web::post().to(reverse))
        .route("/agent/discrepancies", web::post().to(discrepancy));
}

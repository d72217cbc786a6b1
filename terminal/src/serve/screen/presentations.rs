//! Tickets presented one after the other, as on the last day of a claim period: what their receipt
//! will list. The record has every presentation; the list is only this screen's memory of it, and
//! scanning the tickets again makes the same receipt.

use actix_web::{HttpResponse, web};
use keno_slip::Issue;
use keno_wire::reply::PresentationReply;
use keno_wire::request::SecondPerson;
use keno_words::counter as words;
use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};

use super::Code;
use crate::agent::Agent;
use crate::exit::Exit;
use crate::serve::door::{Shared, give, locked, refused};
use crate::serve::task::Task;

/// A receipt lists so many at most: half a metre of paper.
const TICKETS_MAX: usize = 60;

/// What was presented for one patron.
#[derive(Debug, Default, Clone, Serialize)]
struct Batch {
    /// The presentations, each ticket once, the last one last.
    presented: Vec<PresentationReply>,
    /// The receipt came out.
    printed: bool,
}

/// The presentations of the patron who is at the counter.
#[derive(Debug, Default)]
pub(in crate::serve) struct Presentations(Mutex<Batch>);

impl Presentations {
    fn batch(&self) -> MutexGuard<'_, Batch> {
        self.0.lock()
    }

    /// Adds one. After a receipt, and with another clerk, a new list begins.
    fn add(&self, reply: PresentationReply) {
        let mut batch = self.batch();
        let is_anothers = |one: &PresentationReply| one.badge != reply.badge;
        if batch.printed || batch.presented.iter().any(is_anothers) {
            *batch = Batch::default();
        }
        batch.presented.retain(|one| one.ticket != reply.ticket);
        batch.presented.push(reply);
    }

    /// What this clerk has presented; what another one has is forgotten.
    fn of(&self, badge: Option<&str>) -> Batch {
        let mut batch = self.batch();
        if batch
            .presented
            .iter()
            .any(|one| badge != Some(one.badge.as_str()))
        {
            *batch = Batch::default();
        }
        batch.clone()
    }

    fn has_room_for(&self, count: usize) -> bool {
        let batch = self.batch();
        let before = if batch.printed {
            0
        } else {
            batch.presented.len()
        };
        before.saturating_add(count) <= TICKETS_MAX
    }

    fn set_printed(&self) {
        self.batch().printed = true;
    }
}

fn badge(shared: &Shared) -> Option<String> {
    shared.board.view().badge
}

async fn list(shared: web::Data<Shared>, presentations: web::Data<Presentations>) -> HttpResponse {
    if let Some(refusal) = locked(&shared) {
        return refusal;
    }
    HttpResponse::Ok().json(presentations.of(badge(&shared).as_deref()))
}

async fn present(
    shared: web::Data<Shared>,
    presentations: web::Data<Presentations>,
    asked: web::Json<Code>,
) -> HttpResponse {
    if !presentations.has_room_for(1) {
        return refused("receipt_full", 409, &words::ReceiptFull);
    }
    let code = asked.into_inner().code;
    let work = move |agent: &mut Agent<'static>| {
        presentations.add(agent.present(&code)?);
        Ok(Exit::Done)
    };
    give(&shared, Task::Presentation, work).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Afterwards {
    codes: Vec<String>,
    /// `HHMM` or `DDHHMM`, by the house's clock.
    at: String,
    second: SecondPerson,
}

/// Tickets that were presented while central was away, by two people: they join the same receipt.
async fn afterwards(
    shared: web::Data<Shared>,
    presentations: web::Data<Presentations>,
    asked: web::Json<Afterwards>,
) -> HttpResponse {
    let Afterwards { codes, at, second } = asked.into_inner();
    if !presentations.has_room_for(codes.len()) {
        return refused("receipt_full", 409, &words::ReceiptTooLong);
    }
    let work = move |agent: &mut Agent<'static>| {
        agent.present_afterwards(&codes, &at, second, |reply| presentations.add(reply))
    };
    give(&shared, Task::Presentation, work).await
}

/// Prints the receipt; once it came out, the same again says that it is a reprint.
async fn receipt(
    shared: web::Data<Shared>,
    presentations: web::Data<Presentations>,
) -> HttpResponse {
    let batch = presentations.of(badge(&shared).as_deref());
    if batch.presented.is_empty() {
        return refused("nothing_presented", 409, &words::NoTicketPresented);
    }
    let work = move |agent: &mut Agent<'static>| {
        let issue = Issue::again_if(batch.printed);
        let exit = agent.print_presentations(&batch.presented, issue)?;
        if exit == Exit::Done {
            presentations.set_printed();
        }
        Ok(exit)
    };
    give(&shared, Task::PresentationReceipt, work).await
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/presentations", web::get().to(list))
        .route("/agent/presentations", web::post().to(present))
        .route(
            "/agent/presentations-afterwards",
            web::post().to(afterwards),
        )
        .route("/agent/presentation-receipts", web::post().to(receipt));
}

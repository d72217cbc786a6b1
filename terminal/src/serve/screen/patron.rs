//! A patron who is not paid. There is no field for a name, so that none is ever sent.

use actix_web::{HttpResponse, web};
use serde::Deserialize;

use crate::agent::Agent;
use crate::serve::door::{Needs, Shared, give};
use crate::serve::task::Task;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    code: String,
    reason: String,
}

async fn refuse(shared: web::Data<Shared>, asked: web::Json<Refusal>) -> HttpResponse {
    let asked = asked.into_inner();
    let work = move |agent: &mut Agent<'static>| agent.refuse_patron(&asked.code, &asked.reason);
    give(&shared, Task::PatronRefusal, Needs::Central, Box::new(work)).await
}

/// The address.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/patron-refusals", web::post().to(refuse));
}

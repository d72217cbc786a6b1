//! A terminal that is left in the middle of a shift, and the neighbour that goes on.

use crate::serve::object::object;
use actix_web::{HttpResponse, web};
use keno_wire::request::{SecondPerson, Slip, TakeOverRequest};
use serde::Deserialize;

use crate::agent::{Agent, Done, Fact};
use crate::exit::Exit;
use crate::serve::code_image::code_image;
use crate::serve::door::{Shared, answer, command, locked, order};
use crate::serve::hands::{Beforehand, Work};
use crate::serve::task::Task;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HandOut {
    /// The slip that is being made.
    #[serde(default)]
    draft: Option<Slip>,
}

/// Writes down what is open, and does nothing any more; asked again, it shows the same.
async fn hand_out(shared: web::Data<Shared>, asked: web::Json<HandOut>) -> HttpResponse {
    if let Some(refusal) = locked(&shared) {
        return refusal;
    }
    let draft = asked.into_inner().draft;
    let work: Work = Box::new(move |agent| agent.hand_out(draft).map(|_| Exit::Done));
    // Also while central is being asked about a key: it may never answer again.
    if let Some(key) = shared.board.view().asking {
        shared.hands.interrupt(key);
    }
    let ended = shared
        .hands
        .queue(Task::HandOut, Beforehand::default(), work)
        .await;
    match ended {
        Ok(Done {
            fact: Some(Fact::HandedOut { code }),
            ..
        }) => {
            let svg = code_image(&code, qrcode::EcLevel::L);
            // The code as text, and the same as an image.
            HttpResponse::Ok().json(object! { "code": code, "svg": svg })
        }
        ended => answer(ended),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TakeOver {
    device: u32,
    reason: String,
    /// The code of the terminal that is left, when it could still show one.
    #[serde(default)]
    code: Option<String>,
    second: SecondPerson,
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/hand-out", web::post().to(hand_out));
    order(cfg, "take-back", Task::TakeBack, Agent::take_back);
    let takes = |agent: &mut Agent<'static>, asked: TakeOver| {
        let request = TakeOverRequest {
            device: asked.device,
            reason: asked.reason,
            second: asked.second,
        };
        agent.take_over(request, asked.code.as_deref())
    };
    command(cfg, "take-over", Task::TakeOver, takes);
}

//! The commands that move money, and what becomes of one that is in doubt.

use actix_web::{HttpResponse, web};
use keno_game::{Intake, Tender};
use keno_wire::coded::Name;
use keno_wire::request::{CommandKey, SecondPerson, Slip};
use keno_words::counter as words;
use serde::Deserialize;

use super::Code;
use crate::agent::{Agent, SaleOptions, cash};
use crate::config::Role;
use crate::journal::ParkedMoney;
use crate::serve::counter::draft::{self, Confirm};
use crate::serve::door::{Shared, answer, command, give, give_answered, locked, order, refused};
use crate::serve::hands::{Beforehand, Work};
use crate::serve::task::Task;

/// Refuses a sale that was not confirmed as its price asks for; nothing has been done.
fn unconfirmed(
    shared: &Shared,
    slip: &Slip,
    total_cents: i64,
    is_replay: bool,
    (how, typed_cents): (Confirm, Option<i64>),
) -> Option<HttpResponse> {
    let sale = shared.board.on_sale()?;
    // Where no rules are known at all, central alone judges; the rules of another draw judge nothing.
    sale.book()?;
    let Some(book) = sale.book_for(slip.first_draw) else {
        return Some(refused(draft::RULES_UNKNOWN, 503, &words::RulesUnknown));
    };
    let needed = draft::confirm(&book.rules, slip, total_cents, is_replay).how;
    if how < needed {
        return Some(refused("confirm_needed", 409, &words::ConfirmedByOtherKey));
    }
    (needed == Confirm::Typed && typed_cents != Some(total_cents))
        .then(|| refused("total_mistyped", 409, &words::TypedTotalDiffers))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sale {
    slip: Slip,
    /// The total that was told, in cents: another price is not sold.
    total_cents: i64,
    #[serde(default = "cash")]
    tender: Name<Tender>,
    /// What the patron handed over, in cents; the price when it is not said.
    #[serde(default)]
    received_cents: Option<i64>,
    #[serde(default = "screen")]
    intake: Name<Intake>,
    /// The ticket that is repeated: its leaf index.
    #[serde(default)]
    replay_of: Option<u64>,
    /// By which key it was confirmed.
    #[serde(default = "usual_key")]
    confirm: Confirm,
    /// The total as the clerk typed it, in cents, where it has to be.
    #[serde(default)]
    typed_cents: Option<i64>,
}

const fn usual_key() -> Confirm {
    Confirm::Enter
}

const fn screen() -> Name<Intake> {
    Name::Known(Intake::Screen)
}

async fn sell(shared: web::Data<Shared>, asked: web::Json<Sale>) -> HttpResponse {
    let asked = asked.into_inner();
    let is_replay = asked.replay_of.is_some() || asked.intake.known() == Some(Intake::Replay);
    let refusal = unconfirmed(
        &shared,
        &asked.slip,
        asked.total_cents,
        is_replay,
        (asked.confirm, asked.typed_cents),
    );
    if let Some(refusal) = refusal {
        return refusal;
    }
    let options = SaleOptions {
        tender: asked.tender,
        received_cents: asked.received_cents,
        told_cents: Some(asked.total_cents),
        // The key that brought this here is the one that says so.
        is_confirmed: true,
        intake: asked.intake,
        replay_of: asked.replay_of,
    };
    let slip = asked.slip;
    give(&shared, Task::Sale, move |agent| {
        agent.sell(&slip, &options)
    })
    .await
}

async fn check(shared: web::Data<Shared>, asked: web::Json<Code>) -> HttpResponse {
    let code = asked.into_inner().code;
    let look = match shared.role {
        Role::Kiosk => Agent::check_for_patron,
        _ => Agent::check,
    };
    give(&shared, Task::Check, move |agent| look(agent, &code)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancellation {
    code: String,
    reason: String,
    #[serde(default)]
    second: Option<SecondPerson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Payment {
    code: String,
    /// The amount that was shown, in cents: another is not paid.
    total_cents: i64,
    #[serde(default)]
    second: Option<SecondPerson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Park {
    key: CommandKey,
    /// What becomes of the money, of a sale.
    money: Option<ParkedMoney>,
}

async fn park(shared: web::Data<Shared>, asked: web::Json<Park>) -> HttpResponse {
    if let Some(refusal) = locked(&shared) {
        return refusal;
    }
    let Park { key, money } = asked.into_inner();
    // What asks about this key now stops asking; then it is put aside. What asks about another
    // goes on: a page that was opened before does not put that one aside.
    shared.hands.interrupt(key);
    let work: Work = Box::new(move |agent| agent.park(Some(key), money));
    answer(
        shared
            .hands
            .queue(Task::Park, Beforehand::default(), work)
            .await,
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    key: CommandKey,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paper {
    key: CommandKey,
    /// The clerk has looked: it ends with `*** FIN / END`, or it does not.
    whole: bool,
}

async fn paper(shared: web::Data<Shared>, asked: web::Json<Paper>) -> HttpResponse {
    let Paper { key, whole } = asked.into_inner();
    let beforehand = Beforehand {
        paper_is_whole: Some(whole),
    };
    let work: Work = Box::new(move |agent| agent.resolve_key(key));
    give_answered(&shared, Task::Paper, beforehand, work).await
}

/// The address of an inquiry.
pub(in crate::serve) fn configure_check(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/checks", web::post().to(check));
}

/// The addresses.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/agent/sales", web::post().to(sell))
        .route("/agent/park", web::post().to(park))
        .route("/agent/paper", web::post().to(paper));
    let cancels = |agent: &mut Agent<'static>, asked: Cancellation| {
        agent.cancel(&asked.code, &asked.reason, asked.second)
    };
    command(cfg, "cancellations", Task::Cancellation, cancels);
    let pays = |agent: &mut Agent<'static>, asked: Payment| {
        let second = asked.second.unwrap_or_default();
        agent.pay_told(&asked.code, second, true, Some(asked.total_cents))
    };
    command(cfg, "payments", Task::Payment, pays);
    command(cfg, "lost-refunds", Task::LostRefund, Agent::refund_lost);
    // There is no field for a name, so that none is ever sent.
    let refuses = Agent::refuse_patron;
    command(cfg, "patron-refusals", Task::PatronRefusal, refuses);
    let knows = |agent: &mut Agent<'static>, asked: Key| agent.acknowledge(asked.key);
    command(cfg, "acknowledge", Task::Acknowledge, knows);
    order(cfg, "resolve", Task::Resolve, Agent::resolve);
}

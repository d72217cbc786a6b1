//! What a counter needs to make a slip before it asks for anything.

use std::sync::Arc;

use actix_web::HttpRequest;
use keno_game::DrawState;
use keno_record::calendar::day_text;
use keno_record::state::PublishedRules;
use keno_record::view::View;
use keno_wire::counter::{CounterReply, LaterRules, SaleDraw};

use super::handler::{App, web};
use super::messages;
use super::rules::current_rules;
use crate::convert;
use crate::request::caller::device_that_asks;

/// Where the draws on sale change over to other rules.
fn later_rules(view: &View) -> Vec<LaterRules> {
    let governed: Vec<(u64, &Arc<PublishedRules>)> = view
        .draws
        .values()
        .filter(|draw| draw.state() == DrawState::Open)
        .filter_map(|draw| Some((draw.number(), view.rules_for(draw.number())?)))
        .collect();
    governed
        .windows(2)
        .filter(|pair| pair[0].1.rules.version != pair[1].1.rules.version)
        .map(|pair| LaterRules {
            version: pair[1].1.rules.version,
            hash: hex::encode(pair[1].1.hash),
            from_draw: pair[1].0,
        })
        .collect()
}

/// The draws on sale, which rules govern them, and the till of the device that asks.
#[utoipa::path(
    get, path = "/api/v1/counter", tag = "house", operation_id = "counter",
    responses((status = 200, description = "What is on sale", body = CounterReply))
)]
pub(super) async fn counter(app: web::Data<App>, request: HttpRequest) -> web::Json<CounterReply> {
    let central = &app.central;
    let view = central.view.get();
    let rules = current_rules(central);
    let device = device_that_asks(&request);
    let shift = device
        .as_ref()
        .and_then(|device| view.shift_at(device.device));
    let now_ms = central.clock.now_ms();
    web::Json(CounterReply {
        central_ms: now_ms,
        today: day_text(central.calendar.business_day(now_ms)),
        house_name: central.house_name.clone(),
        sales_suspended: view.sales_suspended.is_some(),
        rules_version: rules.as_ref().map(|rules| rules.rules.version),
        rules_hash: rules.as_ref().map(|rules| hex::encode(rules.hash)),
        later_rules: later_rules(&view),
        draws: view
            .draws
            .values()
            .filter(|draw| draw.state() == DrawState::Open)
            .map(|draw| SaleDraw {
                draw: convert::draw_time(central, draw.number(), draw.draws_at_ms()),
                closes_at_ms: draw.closes_at_ms(),
            })
            .collect(),
        shift: shift.map(|(number, _)| number),
        shift_badge: shift.map(|(_, shift)| shift.badge.clone()),
        stopped: device
            .as_ref()
            .is_some_and(|device| central.stops.is_stopped(device.device)),
        messages: device.map_or_else(Vec::new, |device| messages::pending(&app, &device)),
    })
}

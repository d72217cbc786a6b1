//! Sales of the whole house, the schedule's clock, and the time.

use actix_web::HttpRequest;
use keno_record::calendar::day_text;
use keno_service::authority::Operation;
use keno_service::draw;
use keno_service::house_file::HouseFile;
use keno_wire::Version;
use keno_wire::version::OLDEST;

use super::handler::{App, By, Reply, done, web};
use super::types::{DoneReply, SuspendSalesRequest, TimeReply, TwoPeopleRequest};
use crate::request::caller::device_that_asks;
use crate::request::second::second_at_the_screen;

/// Stop sales for the whole house.
#[utoipa::path(
    post, path = "/api/v1/house/suspend", tag = "house", operation_id = "suspend_sales",
    request_body(content = SuspendSalesRequest, example = json!({"reason": "improbable wins"})),
    responses((status = 200, description = "Sales are suspended", body = DoneReply))
)]
pub(super) async fn suspend(By(app, caller, asked): By<SuspendSalesRequest>) -> Reply<DoneReply> {
    done(app, move |central| {
        draw::suspend_sales(central, &asked.reason, &caller.badge)
    })
    .await
}

/// Let sales go on, by two people.
#[utoipa::path(
    post, path = "/api/v1/house/resume", tag = "house", operation_id = "resume_sales",
    request_body(content = TwoPeopleRequest, example = json!({"second": {"badge": "S102", "pin": "135792"}})),
    responses((status = 200, description = "Sales go on", body = DoneReply))
)]
pub(super) async fn resume(By(app, caller, asked): By<TwoPeopleRequest>) -> Reply<DoneReply> {
    let second = second_at_the_screen(&app, &caller, &asked.second, Operation::ResumeSales).await?;
    done(app, move |central| {
        draw::resume_sales(central, &caller.badge, &second.badge)
    })
    .await
}

/// Two people confirm the clock: the halted schedule goes on.
#[utoipa::path(
    post, path = "/api/v1/schedule/confirm", tag = "house", operation_id = "confirm_schedule",
    request_body(content = TwoPeopleRequest, example = json!({"second": {"badge": "S102", "pin": "135792"}})),
    responses((status = 200, description = "The schedule goes on", body = DoneReply))
)]
pub(super) async fn confirm_schedule(
    By(app, caller, asked): By<TwoPeopleRequest>,
) -> Reply<DoneReply> {
    let second =
        second_at_the_screen(&app, &caller, &asked.second, Operation::ConfirmSchedule).await?;
    done(app, move |central| {
        draw::confirm_schedule(central, &caller.badge, &second.badge)
    })
    .await
}

/// The oldest agent that may sign on, by the house and by what this program can speak with.
fn agents_minimum(house: &HouseFile) -> String {
    let of_house = house.agents_minimum.as_deref();
    let of_house = of_house.and_then(|text| text.parse::<Version>().ok());
    of_house.map_or(OLDEST, |own| own.max(OLDEST)).to_string()
}

/// Central's time: terminals compare theirs with it.
#[utoipa::path(
    get, path = "/api/v1/time", tag = "house", operation_id = "time",
    responses((status = 200, description = "The time", body = TimeReply))
)]
pub(super) async fn time(app: web::Data<App>, request: HttpRequest) -> web::Json<TimeReply> {
    let central = &app.central;
    let view = central.view.get();
    let handed_over_to = device_that_asks(&request)
        .and_then(|device| view.handed_over.get(&device.device))
        .filter(|left| left.is_locked)
        .map(|left| left.to);
    let now_ms = central.clock.now_ms();
    web::Json(TimeReply {
        central_ms: now_ms,
        local: central.calendar.second_text(now_ms),
        business_day: day_text(central.calendar.business_day(now_ms)),
        zone: central.house.zone.clone(),
        schedule_halted: view.schedule_halted.is_some(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        agents_minimum: Some(agents_minimum(&central.house)),
        handed_over_to,
    })
}

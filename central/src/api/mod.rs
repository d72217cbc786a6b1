//! The addresses for programs: `/api/v1` (JSON for terminals, kiosks, displays and the audit office),
//! `/log`, `/live`, `/metrics`, `/healthz` and the document of them all.

mod alarms;
mod amendments;
mod approvals;
mod audit;
mod checks;
mod claims;
mod counter;
mod damaged;
mod devices;
mod draws;
mod hand_overs;
mod handler;
mod health;
mod house;
mod keys;
mod live;
mod log;
mod lost;
mod messages;
pub mod openapi;
mod people;
mod reports;
mod rules;
mod sales;
mod sessions;
mod shifts;
mod slips;
mod tickets;
pub mod types;
mod wall;

use actix_web::web;

use crate::endpoint::Endpoint;
use crate::trust::rotation::CONFIRM_PATH;

pub(crate) use draws::number_of as draw_number_of;
pub use rules::{certificate_lines, current_rules};

/// Every address for programs: those that `/openapi.json` describes.
pub fn endpoints() -> Vec<Endpoint> {
    let mut all = of_the_counter();
    all.extend(of_the_house());
    all.extend(of_people_and_devices());
    all.extend(of_the_record());
    all
}

/// Sessions, tills and tickets.
fn of_the_counter() -> Vec<Endpoint> {
    let (get, post) = (Endpoint::get, Endpoint::post);
    vec![
        post("/api/v1/sessions", web::to(sessions::sign_on)),
        Endpoint::delete("/api/v1/sessions/current", web::to(sessions::sign_off)),
        post("/api/v1/sessions/end", web::to(sessions::end_session)),
        post("/api/v1/sessions/unlock", web::to(sessions::unlock)),
        post("/api/v1/sessions/relief", web::to(sessions::relieve)),
        post("/api/v1/badges/lift", web::to(sessions::lift)),
        post("/api/v1/devices/begin-anew", web::to(sessions::begin_anew)),
        post("/api/v1/shifts/close", web::to(sessions::close_shift)),
        post("/api/v1/shifts/movements", web::to(sessions::move_till)),
        post("/api/v1/shifts/counts", web::to(shifts::count)),
        get("/api/v1/shifts/{number}/sheet", web::to(shifts::sheet)),
        post("/api/v1/prices", web::to(sales::price)),
        post("/api/v1/sales", web::to(sales::sell)),
        post("/api/v1/prints", web::to(tickets::confirm_print)),
        post("/api/v1/checks", web::to(checks::check)),
        post("/api/v1/presentations", web::to(claims::present)),
        post("/api/v1/cancellations", web::to(sales::cancel)),
        post("/api/v1/payments", web::to(claims::pay)),
        post(
            "/api/v1/presentations/afterwards",
            web::to(damaged::present_afterwards),
        ),
        post("/api/v1/damaged/readings", web::to(damaged::read)),
        post("/api/v1/damaged/files", web::to(damaged::open)),
        get("/api/v1/damaged/files", web::to(damaged::list)),
        post(
            "/api/v1/damaged/files/{number}/judgement",
            web::to(damaged::judge),
        ),
        post("/api/v1/reversals", web::to(claims::reverse)),
        post("/api/v1/lost-refunds", web::to(lost::refund)),
        post("/api/v1/unpaid", web::to(tickets::unpaid)),
        post("/api/v1/releases", web::to(tickets::release)),
        post("/api/v1/duplicates", web::to(tickets::duplicate)),
        post("/api/v1/discrepancies", web::to(tickets::discrepancy)),
        post("/api/v1/patron-refusals", web::to(tickets::refuse_patron)),
        get("/api/v1/hand-overs", web::to(hand_overs::list)),
        post("/api/v1/hand-overs", web::to(hand_overs::take_over)),
    ]
}

/// Keys, draws, rules, the audit office and reports.
fn of_the_house() -> Vec<Endpoint> {
    let (get, post) = (Endpoint::get, Endpoint::post);
    vec![
        post("/api/v1/keys/question", web::to(keys::question)),
        post("/api/v1/keys/close", web::to(keys::close)),
        get("/api/v1/draws/last", web::to(draws::last)),
        get("/api/v1/draws/next", web::to(draws::next)),
        get("/api/v1/draws/{number}", web::to(draws::one)),
        get(
            "/api/v1/draws/{number}/transcript",
            web::to(draws::transcript),
        ),
        post("/api/v1/draws/{number}/suspend", web::to(draws::suspend)),
        post("/api/v1/draws/{number}/resume", web::to(draws::resume)),
        post("/api/v1/draws/{number}/void", web::to(draws::void)),
        post("/api/v1/house/suspend", web::to(house::suspend)),
        post("/api/v1/house/resume", web::to(house::resume)),
        post("/api/v1/schedule/confirm", web::to(house::confirm_schedule)),
        get("/api/v1/counter", web::to(counter::counter)),
        get("/api/v1/rules/current", web::to(rules::current)),
        get("/api/v1/rules/versions/{version}", web::to(rules::version)),
        post("/api/v1/rules", web::to(rules::publish)),
        get("/api/v1/rules/amendments", web::to(amendments::amendable)),
        post("/api/v1/rules/amendments", web::to(amendments::amend)),
        post(
            "/api/v1/rules/amendments/preview",
            web::to(amendments::preview),
        ),
        post("/api/v1/audit/tickets", web::to(audit::ticket)),
        post("/api/v1/audit/remarks", web::to(audit::remark)),
        get("/api/v1/reports/draws/{number}", web::to(reports::draw)),
        get("/api/v1/reports/shifts/{number}", web::to(reports::shift)),
        post("/api/v1/reports/tickets", web::to(reports::ticket)),
        get("/api/v1/slips/{name}", web::to(slips::slip)),
        get("/api/v1/alarms", web::to(alarms::alarms)),
    ]
}

/// People, devices, the wall and messages.
fn of_people_and_devices() -> Vec<Endpoint> {
    let (get, post) = (Endpoint::get, Endpoint::post);
    vec![
        get("/api/v1/people", web::to(people::list)),
        post("/api/v1/people", web::to(people::record)),
        post("/api/v1/people/withdraw", web::to(people::withdraw)),
        post("/api/v1/people/card", web::to(people::card)),
        post("/api/v1/people/acting/naming", web::to(people::name_acting)),
        post("/api/v1/people/acting", web::to(people::make_acting)),
        post("/api/v1/people/pin", web::to(people::choose_pin)),
        post("/api/v1/people/pin/reset", web::to(people::reset_pin)),
        post("/api/v1/enrolments", web::to(devices::enrol)),
        post("/api/v1/enrolments/question", web::to(devices::question)),
        post("/api/v1/enrolments/approve", web::to(devices::approve)),
        post("/api/v1/certificates", web::to(devices::renew)),
        post(CONFIRM_PATH, web::to(devices::confirm)),
        post("/api/v1/devices/{number}/revoke", web::to(devices::revoke)),
        post(
            "/api/v1/devices/{number}/return",
            web::to(devices::take_back),
        ),
        get("/api/v1/time", web::to(house::time)),
        post("/api/v1/terminals/report", web::to(wall::report)),
        post("/api/v1/terminals/{number}/stop", web::to(wall::stop)),
        post("/api/v1/terminals/{number}/start", web::to(wall::start)),
        get("/api/v1/wall", web::to(wall::wall)),
        get("/api/v1/approvals", web::to(approvals::list)),
        post("/api/v1/approvals", web::to(approvals::ask)),
        get("/api/v1/approvals/{id}", web::to(approvals::one)),
        post("/api/v1/approvals/{id}/grant", web::to(approvals::grant)),
        post("/api/v1/approvals/{id}/refuse", web::to(approvals::refuse)),
        post("/api/v1/messages", web::to(messages::send)),
        post(
            "/api/v1/messages/{id}/acknowledge",
            web::to(messages::acknowledge),
        ),
    ]
}

/// The published log, live events and how central is.
fn of_the_record() -> Vec<Endpoint> {
    let get = Endpoint::get;
    vec![
        get("/log/checkpoint", web::to(log::checkpoint)),
        get("/log/tile/{tile:.*}", web::to(log::tile)),
        get("/log/entries/{index}", web::to(log::entry)),
        get("/log/epochs", web::to(log::epochs)),
        get("/log/inclusion/{index}", web::to(log::inclusion)),
        get("/log/consistency", web::to(log::consistency)),
        get("/live", web::to(live::live)),
        get("/metrics", web::to(health::metrics)),
        get("/healthz", web::to(health::healthz)),
        get("/openapi.json", web::to(openapi::document)),
    ]
}

//! `/openapi.json`: every address for programs, with schemas and examples. A test runs each
//! example against a running server. Who may ask is in no attribute: it is said from the table of
//! authority (`asked`).

mod asked;

use std::sync::OnceLock;

use actix_web::HttpResponse;
use actix_web::web::Bytes;
use keno_wire::Problem;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::{
    alarms, amendments, approvals, audit, checks, claims, counter, damaged, devices, draws,
    hand_overs, health, house, keys, live, log, lost, messages, people, reports, rules, sales,
    sessions, shifts, slips, tickets, wall,
};
use crate::console::CONSOLE_HEADER;
use crate::request::caller::{DEVICE_HEADER, SESSION_HEADER};

struct Headers;

impl Modify for Headers {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_with(Default::default);
        components.add_security_scheme(
            "certificate",
            SecurityScheme::MutualTls {
                description: Some(
                    "A certificate that the house's own authority gave the device; \
                     `Boulier-Instance` says which machine and folder the agent runs in"
                        .to_owned(),
                ),
                extensions: None,
                deprecated: None,
            },
        );
        for (name, header, words) in [
            (
                "device",
                DEVICE_HEADER,
                "`<device number>.<key>`, the key in hexadecimal: on central's own machine alone. \
                 Over TLS a device is its certificate",
            ),
            (
                "session",
                SESSION_HEADER,
                "`<session number>.<token>`, the token as given at sign-on",
            ),
            (
                "console",
                CONSOLE_HEADER,
                "The key in `console.key` of the data folder: the command line of central's own \
                 machine",
            ),
        ] {
            components.add_security_scheme(
                name,
                SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::with_description(
                    header, words,
                ))),
            );
        }
    }
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Boulier central",
        description = "Keno draws and tickets. Money is in integer cents, times are UTC \
                       milliseconds since 1970. Unknown fields are refused.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    modifiers(&Headers),
    components(schemas(Problem)),
    paths(
        sessions::sign_on, sessions::sign_off, sessions::end_session, sessions::unlock, sessions::relieve, sessions::lift, sessions::begin_anew, sessions::close_shift, sessions::move_till,
        shifts::count, shifts::sheet,
        sales::price, sales::sell, sales::cancel,
        tickets::confirm_print, tickets::unpaid, tickets::release, tickets::duplicate, tickets::discrepancy,
        tickets::refuse_patron,
        checks::check,
        claims::present, claims::pay, claims::reverse, lost::refund,
        damaged::read, damaged::open, damaged::list, damaged::judge, damaged::present_afterwards,
        keys::question, keys::close,
        draws::last, draws::next, draws::one, draws::transcript, draws::suspend, draws::resume, draws::void,
        house::suspend, house::resume, house::confirm_schedule, house::time, counter::counter,
        rules::current, rules::version, rules::publish, slips::slip,
        amendments::amendable, amendments::preview, amendments::amend,
        devices::enrol, devices::question, devices::approve, devices::renew, devices::confirm, devices::revoke,
        people::list, people::record, people::card, people::withdraw, people::choose_pin, people::reset_pin,
        people::name_acting, people::make_acting,
        devices::take_back, hand_overs::list, hand_overs::take_over,
        wall::report, wall::wall, wall::stop, wall::start, approvals::ask, approvals::list, approvals::one, approvals::grant,
        approvals::refuse, messages::send, messages::acknowledge,
        audit::ticket, audit::remark, alarms::alarms, reports::draw, reports::shift, reports::ticket,
        live::live, health::metrics, health::healthz, document,
        log::checkpoint, log::tile, log::entry, log::epochs,
        log::inclusion, log::consistency,
    )
)]
struct Document;

/// The document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    asked::from_the_table(&mut document);
    document
}

/// This document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "house", operation_id = "openapi",
    responses((status = 200, description = "This document", content_type = "application/json"))
)]
pub(crate) async fn document() -> HttpResponse {
    // Made once: nobody has the house make it again by asking.
    static DOCUMENT: OnceLock<Bytes> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| match openapi().to_json() {
        Ok(text) => Bytes::from(text),
        Err(fault) => {
            tracing::error!(%fault, "the document of the addresses cannot be written");
            Bytes::new()
        }
    });
    HttpResponse::Ok()
        .content_type("application/json")
        .body(document.clone())
}

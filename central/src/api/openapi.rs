//! `/openapi.json`: every address for programs, with schemas and examples. A test runs each
//! example against a running server. Who may ask is in no attribute: it is said from the table of
//! authority (`asked`); that any of them may answer with a problem is said of all.

mod asked;
mod lists;
mod replies;
mod served;

use std::sync::OnceLock;

use actix_web::web::Bytes;
use actix_web::{HttpResponse, web};
use keno_wire::Problem;
use serde_json::Value;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::{
    alarms, amendments, approvals, audit, checks, claims, counter, damaged, desk, devices, draws,
    follower, hand_overs, health, house, keys, live, log, lost, messages, people, problems,
    reports, room, rules, sales, sessions, shifts, slips, tickets, wall,
};
use crate::console::CONSOLE_HEADER;
use crate::endpoint::Endpoint;
use crate::problem::described;
use crate::request::caller::{DEVICE_HEADER, SESSION_HEADER};

struct Headers;

impl Modify for Headers {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_with(Default::default);
        described::describe(components);
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

/// The handlers for programs: the router and the document have each at the address that its
/// `utoipa::path` says.
macro_rules! handlers {
    ($($module:ident: $($handler:ident),+;)+) => {
        #[derive(OpenApi)]
        #[openapi(
            info(
                title = "Boulier central",
                description = "Keno draws and tickets. Bodies are JSON by their content type alone. Unknown fields are refused; \
                               a newer central may tell more, and its lists of names may grow. What is not there is left out, never null. \
                               Numbers are whole and have 64 bits. By the end of a name: `_cents` money in cents, `_ms` \
                               UTC milliseconds since 1970, `_local` the same in the house's zone, `_day` `yyyy-mm-dd`; hashes and keys are in \
                               hexadecimal. Where there is GET, there is HEAD. `x-boulier-authority` says which roles may ask at which devices, \
                               by its own name or the operation's. A reply is shown with what is always in it and one of each list.",
                license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
            ),
            modifiers(&Headers),
            components(schemas(Problem)),
            paths($($($module::$handler),+),+)
        )]
        struct Document;

        pastey::paste! {
            /// Every address for programs: those that `/openapi.json` describes.
            pub fn endpoints() -> Vec<Endpoint> {
                vec![$($(
                    Endpoint::of::<$module::[<__path_ $handler>]>(web::to($module::$handler))
                ),+),+]
            }
        }
    };
}

// The router takes the first that fits: `last` stands before `one`.
handlers! {
    sessions: sign_on, sign_off, end_session, unlock, relieve, lift,
        begin_anew, close_shift, move_till;
    shifts: count, sheet;
    sales: price, sell, cancel;
    tickets: confirm_print, unpaid, release, duplicate, discrepancy, refuse_patron;
    checks: check;
    claims: present, pay, reverse;
    damaged: present_afterwards, read, open, list, judge;
    lost: refund;
    hand_overs: list, take_over;
    keys: question, close;
    draws: last, next, one, transcript, suspend, resume, void, certify, replace, stand_in,
        postpone;
    desk: desk, ball;
    room: seen, measure, choose, open, end, agree, incident;
    house: suspend, resume, confirm_schedule, time;
    follower: begin, payouts;
    counter: counter;
    rules: current, version, publish;
    amendments: amendable, amend, preview;
    audit: ticket, remark;
    reports: draw, certificate, numbers, shift, ticket;
    slips: slip;
    alarms: alarms;
    people: list, record, withdraw, card, name_acting, make_acting, choose_pin, reset_pin;
    devices: enrol, question, approve, renew, confirm, revoke, take_back;
    wall: report, stop, start, wall;
    approvals: list, ask, one, grant, refuse;
    messages: send, acknowledge;
    log: checkpoint, cosigned, take_cosignature, tile, entry, epochs, inclusion, consistency;
    live: live;
    health: metrics, healthz;
    problems: problem;
    self: document;
}

/// All that there is to say, with a description of every field.
///
/// # Errors
/// It cannot be written.
pub fn whole() -> serde_json::Result<Value> {
    let mut document = Document::openapi();
    asked::from_the_table(&mut document);
    let mut document = serde_json::to_value(document)?;
    lists::close(&mut document);
    replies::show(&mut document)?;
    Ok(document)
}

/// The document as it is served.
///
/// # Errors
/// It cannot be written.
pub fn openapi() -> serde_json::Result<Value> {
    whole().map(served::served)
}

/// This document.
#[utoipa::path(
    get, path = "/openapi.json", tag = "house", operation_id = "openapi",
    responses((status = 200, description = "This document", content_type = "application/json"))
)]
pub(crate) async fn document() -> HttpResponse {
    // Made once: nobody has the house make it again by asking.
    static DOCUMENT: OnceLock<Bytes> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| match openapi() {
        Ok(document) => Bytes::from(document.to_string()),
        Err(fault) => {
            tracing::error!(%fault, "the document of the addresses cannot be written");
            Bytes::new()
        }
    });
    HttpResponse::Ok()
        .content_type("application/json")
        .body(document.clone())
}

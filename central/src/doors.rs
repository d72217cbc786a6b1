//! Every request is judged by the table of authority before its handler sees it: the device and
//! its role, the session, the roles of the person. What has no row is not served.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use actix_web::HttpRequest;
use actix_web::http::Method;
use keno_service::authority::{Door, Operation, Place, Who};

use crate::problem::ApiError;
use crate::request::caller::{SESSION_HEADER, person as person_of, place as place_of};

/// The addresses of the table.
static ADDRESSES: LazyLock<BTreeMap<(&'static str, &'static str), Operation>> =
    LazyLock::new(|| {
        let mut all = BTreeMap::new();
        for operation in Operation::ALL {
            for door in operation.row().doors {
                if let Door::Api(method, path) | Door::Page(method, path) = door {
                    all.insert((*path, *method), *operation);
                }
            }
        }
        all
    });

/// The operation behind an address, if the table has it. Who asks for the head of an answer alone asks
/// for what the answer is.
pub fn operation_of(method: &Method, pattern: &str) -> Option<Operation> {
    let method = if *method == Method::HEAD {
        "GET"
    } else {
        method.as_str()
    };
    let addresses: &BTreeMap<(&str, &str), Operation> = &ADDRESSES;
    addresses.get(&(pattern, method)).copied()
}

/// Judges a request before its handler sees it, by the pattern of its address. An address that the
/// table does not have is left to whoever says so: it has no handler.
///
/// # Errors
/// What the table refuses, or a device or session that is not recognised.
pub fn judge(request: &HttpRequest, pattern: &str) -> Result<(), ApiError> {
    let Some(operation) = operation_of(request.method(), pattern) else {
        return Ok(());
    };
    match operation.row().who {
        // The listener with TLS has asked for a certificate before.
        Who::Public | Who::House => Ok(()),
        Who::Anyone => {
            if request.headers().contains_key(SESSION_HEADER) {
                person_of(request)?;
            } else {
                place_of(request)?;
            }
            Ok(())
        }
        Who::Person { .. } => {
            // The place is told first: where nothing of this is done, nobody need sign on.
            operation.judge_place(place_of(request)?)?;
            Ok(person_of(request)?.may(operation)?)
        }
        Who::Device { .. } | Who::Signing { .. } => Ok(operation.judge_place(place_of(request)?)?),
        // The command line's alone: no address leads here.
        Who::Console { .. } | Who::Host => Ok(operation.judge_place(Place::Nowhere)?),
    }
}

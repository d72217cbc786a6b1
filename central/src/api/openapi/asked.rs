//! Who may ask, in the document: from the table of authority, and from nowhere else. A row of the
//! table stands once, and each of its addresses names it.

use std::collections::BTreeMap;

use actix_web::http::Method;
use keno_record::roles::{DeviceRole, Role};
use keno_service::authority::{Operation, Own, Second, Who};
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::Operation as Described;
use utoipa::openapi::security::SecurityRequirement;

use crate::doors::operation_of;
use crate::endpoint::pattern;
use crate::problem::described::may_be_a_problem;

/// The extension that says it for programs.
const EXTENSION: &str = "x-boulier-authority";

/// Each scheme of a combination is demanded; any one combination is enough.
fn requirement(schemes: &[&str]) -> SecurityRequirement {
    schemes
        .iter()
        .fold(SecurityRequirement::default(), |all, scheme| {
            all.add(*scheme, Vec::<String>::new())
        })
}

/// What comes with the request of somebody who is signed on: what most addresses ask for.
const PERSON: [&[&str]; 2] = [&["certificate", "session"], &["device", "session"]];

/// What must come with a request, by who may ask.
fn security(who: Who) -> Vec<SecurityRequirement> {
    const DEVICE: [&[&str]; 2] = [&["certificate"], &["device"]];
    const CONSOLE: [&[&str]; 1] = [&["console"]];
    const NOTHING: [&[&str]; 1] = [&[]];
    let combinations: Vec<&[&str]> = match who {
        Who::Public => NOTHING.to_vec(),
        Who::House => [&NOTHING[..], &DEVICE].concat(),
        Who::Anyone => [&NOTHING[..], &DEVICE, &PERSON].concat(),
        Who::Device { .. } | Who::Signing { console: false, .. } => DEVICE.to_vec(),
        Who::Signing { console: true, .. } => [&DEVICE[..], &CONSOLE].concat(),
        Who::Person { .. } => PERSON.to_vec(),
        Who::Console { .. } | Who::Host => CONSOLE.to_vec(),
    };
    combinations.into_iter().map(requirement).collect()
}

fn devices(all: &[DeviceRole]) -> Vec<&'static str> {
    all.iter().copied().map(DeviceRole::name).collect()
}

fn persons(all: &[Role]) -> Vec<&'static str> {
    all.iter().copied().map(Role::name).collect()
}

/// At these devices, these persons; either may be left out.
fn grant(at: &[DeviceRole], roles: &[Role]) -> Value {
    let mut grant = Map::new();
    for (name, all) in [("devices", devices(at)), ("persons", persons(roles))] {
        if !all.is_empty() {
            grant.insert(name.to_owned(), json!(all));
        }
    }
    Value::Object(grant)
}

fn grants(who: Who) -> Value {
    match who {
        Who::Public | Who::Anyone | Who::House | Who::Host => json!([]),
        Who::Device { at } => json!([grant(at, &[])]),
        Who::Signing { at, roles, .. } => json!([grant(at, roles)]),
        Who::Console { roles } => json!([grant(&[], roles)]),
        Who::Person { at, roles, also } => std::iter::once((at, roles))
            .chain(also.iter().copied())
            .map(|(at, roles)| grant(at, roles))
            .collect(),
    }
}

fn second(second: Second) -> Value {
    match second {
        Second::None => Value::Null,
        Second::OneOf(roles) => json!({"persons": persons(roles)}),
        Second::WhenRuled(roles) => json!({"persons": persons(roles), "where_ruled": true}),
        Second::UnlessBy { alone, either } => {
            json!({"persons": persons(either), "unless_first": persons(alone)})
        }
        Second::Beside { answering, either } => {
            json!({"persons": persons(either), "one_of_both": persons(answering)})
        }
    }
}

/// What a row says, for programs.
fn said(operation: Operation) -> Value {
    let row = operation.row();
    let mut said = json!({ "grants": grants(row.who) });
    if row.second != Second::None {
        said["second"] = second(row.second);
    }
    if row.own != Own::Nothing {
        said["own"] = json!(true);
    }
    said
}

/// What most addresses ask for stands once, for the whole document.
fn describe(described: &mut Described, operation: Operation, usual: &[SecurityRequirement]) {
    let row = operation.row();
    let asked = security(row.who);
    described.security = (asked != usual).then_some(asked);
    // Of most the row has the name of the operation.
    described.extensions = (described.operation_id.as_deref() != Some(row.name))
        .then(|| Extensions::builder().add(EXTENSION, row.name).build());
    may_be_a_problem(&mut described.responses);
}

/// Says of each address who may ask. One that the table does not have says nothing, and is not
/// served.
pub(super) fn from_the_table(document: &mut OpenApi) {
    let usual: Vec<_> = PERSON.into_iter().map(requirement).collect();
    let mut rows = BTreeMap::new();
    for (path, item) in &mut document.paths.paths {
        let pattern = pattern(path);
        for (method, described) in [
            (Method::GET, &mut item.get),
            (Method::POST, &mut item.post),
            (Method::DELETE, &mut item.delete),
        ] {
            if let (Some(described), Some(operation)) = (described, operation_of(&method, &pattern))
            {
                describe(described, operation, &usual);
                rows.insert(operation.row().name, said(operation));
            }
        }
    }
    document.security = Some(usual);
    document.extensions = Some(Extensions::builder().add(EXTENSION, json!(rows)).build());
}

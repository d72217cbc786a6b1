//! Who may ask, in the document: from the table of authority, and from nowhere else.

use actix_web::http::Method;
use keno_record::roles::{DeviceRole, Role};
use keno_service::authority::{Operation, Own, Second, Who};
use serde_json::{Value, json};
use utoipa::openapi::OpenApi;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::Operation as Described;
use utoipa::openapi::security::SecurityRequirement;

use crate::doors::operation_of;
use crate::endpoint::pattern;

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

/// What must come with a request, by who may ask.
fn security(who: Who) -> Vec<SecurityRequirement> {
    const DEVICE: [&[&str]; 2] = [&["certificate"], &["device"]];
    const PERSON: [&[&str]; 2] = [&["certificate", "session"], &["device", "session"]];
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

fn grants(who: Who) -> Value {
    match who {
        Who::Public | Who::Anyone | Who::House | Who::Host => json!([]),
        Who::Device { at } => json!([{"devices": devices(at), "persons": []}]),
        Who::Signing { at, roles, .. } => {
            json!([{"devices": devices(at), "persons": persons(roles)}])
        }
        Who::Console { roles } => json!([{"devices": [], "persons": persons(roles)}]),
        Who::Person { at, roles, also } => std::iter::once((at, roles))
            .chain(also.iter().copied())
            .map(|(at, roles)| json!({"devices": devices(at), "persons": persons(roles)}))
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

fn describe(described: &mut Described, operation: Operation) {
    let row = operation.row();
    described.security = Some(security(row.who));
    let words = row.asked_in_words();
    described.description = Some(match described.description.take() {
        Some(before) if !before.trim().is_empty() => format!("{}\n\n{words}", before.trim()),
        _ => words,
    });
    let mut said = json!({
        "operation": row.name,
        "grants": grants(row.who),
        "second": second(row.second),
    });
    if let (Some(said), true) = (said.as_object_mut(), row.own != Own::Nothing) {
        said.insert("own".to_owned(), json!(true));
    }
    described.extensions = Some(Extensions::builder().add(EXTENSION, said).build());
}

/// Says of each address who may ask. One that the table does not have says nothing, and is not
/// served.
pub(super) fn from_the_table(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        let pattern = pattern(path);
        for (method, described) in [
            (Method::GET, &mut item.get),
            (Method::POST, &mut item.post),
            (Method::DELETE, &mut item.delete),
        ] {
            if let (Some(described), Some(operation)) = (described, operation_of(&method, &pattern))
            {
                describe(described, operation);
            }
        }
    }
}

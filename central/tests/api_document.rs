//! `/openapi.json` against the running server: every address of the table is described, every
//! description has an address, and every example succeeds in a house where it makes sense.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeSet;

use crate::common::House;
use crate::common::restored::restored;
use crate::common::stage::{ALONE, FOLLOWED, OVER_TLS, Sent, Stage, document, operations};
use actix_web::test::TestRequest;
use keno_central::api;
use keno_record::roles::DeviceRole;
use keno_service::authority::{Door, Operation, Second, Who};
use serde_json::{Value, json};

#[test]
fn the_document_and_the_table_name_the_same_addresses() {
    let document = document();
    let described: BTreeSet<(String, String)> = operations(&document)
        .into_iter()
        .map(|(method, path, _)| (method, path))
        .collect();
    let served: BTreeSet<(String, String)> = api::endpoints()
        .into_iter()
        .map(|endpoint| {
            (
                endpoint.method.to_string(),
                endpoint.path.replace("{tile:.*}", "{tile}"),
            )
        })
        .collect();
    assert_eq!(described, served);
}

/// The operation of the table behind an address of the document, judged on its own: what must come
/// with a request, and which roles the document names.
fn disagreements(document: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for (method, path, described) in operations(document) {
        let address = format!("{method} {}", path.replace("{tile}", "{tile:.*}"));
        let row = Operation::ALL
            .iter()
            .map(|operation| operation.row())
            .find(|row| {
                let mut doors = row.doors.iter();
                doors.any(|door| matches!(door, Door::Api(..)) && door.text() == address)
            });
        let Some(row) = row else {
            wrong.push(format!("{address} has no row"));
            continue;
        };
        let said = &described["x-boulier-authority"];
        if said["operation"] != row.name {
            wrong.push(format!("{address} is said to be {}", said["operation"]));
        }
        let Some(ways) = described["security"].as_array() else {
            wrong.push(format!("{address} says nothing of security"));
            continue;
        };
        // As a server must judge it: each way in, with what comes by it.
        let ways: BTreeSet<BTreeSet<&str>> = ways
            .iter()
            .map(|way| {
                way.as_object()
                    .unwrap()
                    .keys()
                    .map(String::as_str)
                    .collect()
            })
            .collect();
        let is_open = ways.contains(&BTreeSet::new());
        let is_by_device = ways.contains(&BTreeSet::from(["certificate"]));
        let is_by_person = ways.contains(&BTreeSet::from(["certificate", "session"]));
        let is_by_console = ways.contains(&BTreeSet::from(["console"]));
        let expected = match row.who {
            Who::Public => (true, false, false, false),
            Who::House => (true, true, false, false),
            Who::Anyone => (true, true, true, false),
            Who::Device { .. } => (false, true, false, false),
            Who::Signing { console, .. } => (false, true, false, console),
            Who::Person { .. } => (false, false, true, false),
            Who::Console { .. } | Who::Host => (false, false, false, true),
        };
        if (is_open, is_by_device, is_by_person, is_by_console) != expected {
            wrong.push(format!("{address} asks for {ways:?}"));
        }
        // Over TLS a certificate, on central's own machine the key in a header.
        for way in &ways {
            let mut other = way.clone();
            if other.remove("certificate") && !(other.insert("device") && ways.contains(&other)) {
                wrong.push(format!(
                    "{address} knows {way:?} and not its like without TLS"
                ));
            }
        }
        // Whom the document lets in, at each device, is whom the table lets in.
        let names = |value: &Value| -> Vec<String> {
            let all = value.as_array().cloned().unwrap_or_default();
            all.iter()
                .map(|name| name.as_str().unwrap().to_owned())
                .collect()
        };
        for place in DeviceRole::ALL {
            let here = said["grants"].as_array().cloned().unwrap_or_default();
            let here: Vec<&Value> = here
                .iter()
                .filter(|grant| names(&grant["devices"]).contains(&place.name().to_owned()))
                .collect();
            let named: BTreeSet<String> = here
                .iter()
                .flat_map(|grant| names(&grant["persons"]))
                .collect();
            let (is_let_in, roles) = match row.who {
                Who::Public | Who::Anyone | Who::House => continue,
                Who::Console { .. } | Who::Host => (false, Vec::new()),
                Who::Device { at } => (at.contains(&place), Vec::new()),
                Who::Signing { at, roles, .. } => {
                    let is_there = at.contains(&place);
                    (is_there, if is_there { roles.to_vec() } else { Vec::new() })
                }
                Who::Person { .. } => {
                    let roles = row.who.roles_at(place);
                    (!roles.is_empty(), roles)
                }
            };
            let roles: BTreeSet<String> = roles
                .into_iter()
                .map(|role| role.name().to_owned())
                .collect();
            if (!here.is_empty(), &named) != (is_let_in, &roles) {
                wrong.push(format!("{address} at a {}: {named:?}", place.name()));
            }
        }
        let second: BTreeSet<String> = names(&said["second"]["persons"]).into_iter().collect();
        let needed = match row.second {
            Second::None => &[][..],
            Second::OneOf(roles) | Second::WhenRuled(roles) => roles,
            Second::Beside { either, .. } | Second::UnlessBy { either, .. } => either,
        };
        let needed: BTreeSet<String> = needed.iter().map(|role| role.name().to_owned()).collect();
        if second != needed {
            wrong.push(format!("{address}: second {second:?}"));
        }
        let words = described["description"].as_str().unwrap_or_default();
        if !words.contains("Who may ask: ") {
            wrong.push(format!("{address} has no sentence of who may ask"));
        }
    }
    wrong
}

#[test]
fn the_document_says_of_each_address_what_the_table_says() {
    let document = document();
    assert_eq!(disagreements(&document), [] as [String; 0]);
    // Each way to be wrong is noticed.
    for (pointer, planted) in [
        ("/paths/~1api~1v1~1sales/post/security", json!([{}])),
        (
            "/paths/~1api~1v1~1sales/post/security",
            json!([{"device": []}]),
        ),
        (
            "/paths/~1api~1v1~1sales/post/x-boulier-authority/grants/0/devices/0",
            json!("kiosk"),
        ),
        (
            "/paths/~1api~1v1~1sales/post/x-boulier-authority/grants/0/persons/0",
            json!("auditor"),
        ),
        (
            "/paths/~1api~1v1~1reversals/post/x-boulier-authority/second",
            Value::Null,
        ),
        ("/paths/~1api~1v1~1sales/post/description", json!("Sells.")),
    ] {
        let mut other = document.clone();
        *other
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("{pointer}")) = planted;
        assert_ne!(disagreements(&other), [] as [String; 0], "{pointer}");
    }
    // So is an address that the table does not have.
    let mut other = document.clone();
    let paths = other["paths"].as_object_mut().unwrap();
    paths.insert("/api/v1/gifts".to_owned(), paths["/api/v1/sales"].clone());
    assert_eq!(disagreements(&other), ["POST /api/v1/gifts has no row"]);
}

#[test]
fn every_reference_leads_to_a_schema() {
    let document = document();
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}

#[test]
fn every_command_has_an_example_its_problems_and_its_reply() {
    for (method, path, operation) in operations(&document()) {
        if !path.starts_with("/api/") {
            continue;
        }
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.contains_key("200"), "{path}");
        assert!(operation["operationId"].is_string(), "{path}");
        if method == "POST" {
            let media = &operation["requestBody"]["content"]["application/json"];
            assert!(!media["example"].is_null(), "{path} has no example");
            for status in ["400", "401", "409", "413", "422", "503"] {
                let problem = &responses[status]["content"]["application/problem+json"];
                assert!(problem.is_object(), "{path} {status}");
            }
        }
    }
}

/// True when a value has every field that its schema requires and none that it does not know.
fn fits(document: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(reference.trim_start_matches('#')).unwrap();
        return fits(document, target, value, at);
    }
    if let Some(any) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        let outcomes: Vec<_> = any
            .iter()
            .map(|one| fits(document, one, value, at))
            .collect();
        return if outcomes.iter().any(Result::is_ok) {
            Ok(())
        } else {
            outcomes.into_iter().next().unwrap()
        };
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !types.is_empty() && !types.contains(&kind) {
        return Err(format!("{at} is {kind} and not {types:?}"));
    }
    if let Value::Array(items) = value {
        for (index, item) in items.iter().enumerate() {
            fits(document, &schema["items"], item, &format!("{at}[{index}]"))?;
        }
    }
    if let (Value::Object(fields), Some(properties)) = (value, schema["properties"].as_object()) {
        for required in schema["required"].as_array().into_iter().flatten() {
            let name = required.as_str().unwrap();
            if !fields.contains_key(name) {
                return Err(format!("{at} lacks {name}"));
            }
        }
        for (name, field) in fields {
            let property = properties
                .get(name)
                .ok_or_else(|| format!("{at} has {name}"))?;
            fits(document, property, field, &format!("{at}.{name}"))?;
        }
    }
    Ok(())
}

#[actix_web::test]
async fn every_example_succeeds_and_its_reply_is_as_described() {
    let document = document();
    let shared = Stage::of(House::new(None)).await;
    let mut run = 0;
    for (method, path, operation) in operations(&document) {
        if path == "/live" {
            continue; // A stream has no end: it has a test of its own.
        }
        let name = operation["operationId"].as_str().unwrap();
        if OVER_TLS.contains(&name) {
            let request = TestRequest::post()
                .uri(&path)
                .set_json(&operation["requestBody"]["content"]["application/json"]["example"]);
            let (status, refusal) = shared.house.call(request).await.refusal();
            assert!(
                matches!(refusal.as_str(), "tls_needed" | "certificate_needed"),
                "{name} {status} {refusal}"
            );
            continue;
        }
        // A ticket is lost where a house was restored, and nowhere else.
        let mut lost = None;
        let own = if name == "refund_lost" {
            let after = restored(None, None).await;
            lost.clone_from(&after.lost[0].ticket.claim_code);
            Some(Stage::of(after.house).await)
        } else if ALONE.contains(&name) {
            Some(Stage::of(House::new(None)).await)
        } else {
            None
        };
        let stage = own.as_ref().unwrap_or(&shared);
        // A code is money: it stands in no address.
        assert!(!path.contains("code"), "{path}");
        let Sent {
            address,
            example,
            answer,
            ..
        } = stage
            .send(&(method, path.clone(), operation.clone()), lost)
            .await;
        if let Some((_, refusal)) = FOLLOWED.iter().find(|(one, _)| *one == name) {
            assert_eq!(answer.refusal().1, *refusal, "{name}");
            continue;
        }
        assert_eq!(
            answer.status,
            200,
            "{name} {address} {example}: {}",
            answer.text()
        );
        let described = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        if described.is_object() {
            let value = answer.value();
            fits(&document, described, &value, name).unwrap_or_else(|why| panic!("{why}\n{value}"));
        }
        run += 1;
    }
    assert!(run >= 40, "{run}");
}

#[test]
fn a_reply_that_is_not_as_described_is_caught() {
    let document = document();
    let schema = json!({"$ref": "#/components/schemas/TimeReply"});
    let right = json!({
        "central_ms": 1, "local": "", "business_day": "", "zone": "", "schedule_halted": false
    });
    assert_eq!(fits(&document, &schema, &right, "time"), Ok(()));
    for (field, value) in [("central_ms", json!("1")), ("extra", json!(1))] {
        let mut wrong = right.clone();
        wrong[field] = value;
        assert!(fits(&document, &schema, &wrong, "time").is_err(), "{field}");
    }
    let mut lacking = right;
    lacking.as_object_mut().unwrap().remove("zone");
    assert!(fits(&document, &schema, &lacking, "time").is_err());
}

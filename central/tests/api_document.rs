//! `/openapi.json` against the running server: every address of the table is described, every
//! description has an address, and every example succeeds in a house where it makes sense.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

mod replies;
mod types;

use std::collections::BTreeSet;

use crate::common::House;
use crate::common::restored::restored;
use crate::common::stage::{
    ALONE, FOLLOWED, OVER_TLS, Sent, Stage, document, operations, response,
};
use actix_web::test::TestRequest;
use keno_central::api;
use keno_record::roles::{DeviceRole, Role};
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
        let name = described
            .get("x-boulier-authority")
            .unwrap_or(&described["operationId"]);
        if name != row.name {
            wrong.push(format!("{address} is said to be {name}"));
        }
        let said = &document["x-boulier-authority"][row.name];
        let Some(grants) = said["grants"].as_array() else {
            wrong.push(format!("{address} does not say who may ask"));
            continue;
        };
        // What an address does not say is as for the whole document.
        let security = described.get("security").unwrap_or(&document["security"]);
        let Some(ways) = security.as_array() else {
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
        // At no device: whom the console lets in, and nobody else is granted anything there.
        let anywhere = grants.iter().filter(|grant| grant["devices"].is_null());
        let anywhere: Vec<_> = anywhere.map(|grant| names(&grant["persons"])).collect();
        let at_the_console: Vec<Vec<String>> = match row.who {
            Who::Console { roles } => {
                vec![roles.iter().map(|role| role.name().to_owned()).collect()]
            }
            _ => Vec::new(),
        };
        if anywhere != at_the_console {
            wrong.push(format!("{address} at no device: {anywhere:?}"));
        }
        for place in DeviceRole::ALL {
            let here = grants.iter();
            let here: Vec<&Value> = here
                .filter(|grant| names(&grant["devices"]).contains(&place.name().to_owned()))
                .collect();
            let named: BTreeSet<String> = here
                .iter()
                .flat_map(|grant| names(&grant["persons"]))
                .collect();
            let (is_let_in, roles) = match row.who {
                Who::Public | Who::Anyone | Who::House | Who::Console { .. } | Who::Host => {
                    (false, Vec::new())
                }
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
    }
    wrong
}

#[test]
fn the_document_says_of_each_address_what_the_table_says() {
    let document = document();
    assert_eq!(disagreements(&document), [] as [String; 0]);
    // Each way to be wrong is noticed.
    for (pointer, planted) in [
        ("/paths/~1healthz/get/security", json!([{"device": []}])),
        (
            "/paths/~1api~1v1~1counter/get/security",
            json!([{"device": []}]),
        ),
        (
            "/x-boulier-authority/sell/grants/0/devices/0",
            json!("kiosk"),
        ),
        (
            "/x-boulier-authority/sell/grants/0/persons/0",
            json!("auditor"),
        ),
        ("/x-boulier-authority/reverse_payment/second", Value::Null),
        ("/x-boulier-authority/sell", Value::Null),
        ("/paths/~1api~1v1~1sales/post/operationId", json!("cancel")),
        ("/x-boulier-authority/read_log", Value::Null),
        (
            "/x-boulier-authority/read_log/grants",
            json!([{"devices": ["counter"]}]),
        ),
        (
            "/paths/~1api~1v1~1counter/get/x-boulier-authority",
            json!("cancel"),
        ),
        ("/security/0", json!({"console": []})),
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
fn every_operation_has_an_example_its_problems_and_its_reply() {
    let document = document();
    let problem = json!(["type", "status", "title", "sentence", "retry"]);
    for (method, path, operation) in operations(&document) {
        let reply = response(&document, &operation, "200");
        assert!(reply["description"].is_string(), "{path}");
        assert!(operation["operationId"].is_string(), "{path}");
        let described = response(&document, &operation, "default");
        let schema = &described["content"]["application/problem+json"]["schema"];
        assert_eq!(schema["required"], problem, "{path}");
        if method == "POST" {
            let media = &operation["requestBody"]["content"]["application/json"];
            assert!(!media["example"].is_null(), "{path} has no example");
        }
    }
}

/// The statuses whose meaning the document tells.
fn told(document: &Value) -> BTreeSet<u16> {
    let described = &document["components"]["responses"]["Problem"]["description"];
    let lines = described.as_str().unwrap().lines();
    lines
        .filter_map(|line| line.strip_prefix("- `")?.split_once("`: "))
        .map(|(status, meaning)| {
            assert!(meaning.len() > 10, "{status} means {meaning}");
            status.parse().unwrap()
        })
        .collect()
}

#[test]
fn every_status_that_a_problem_can_have_is_told_and_no_other() {
    let mut document = document();
    let given: BTreeSet<u16> = keno_central::problem::meaning::statuses().collect();
    assert_eq!(told(&document), given);
    assert!(given.contains(&421) && given.len() > 10, "{given:?}");
    // One that is not told is missed.
    let described = &mut document["components"]["responses"]["Problem"]["description"];
    *described = json!(described.as_str().unwrap().replace("- `421`", "- 421"));
    assert_ne!(told(&document), given);
}

/// Texts that are lists of another program, or lists and more, each with the reason.
const FREE: [(&str, &str, &str); 5] = [
    ("BeginAnewRequest", "refused", "a list of the terminal"),
    (
        "FollowerView",
        "refuses",
        "a name of the follower, with its words",
    ),
    (
        "PrinterReport",
        "state",
        "a list of the terminal, by its printers",
    ),
    (
        "RuleFaultView",
        "name",
        "faults of a rule book, and refusals",
    ),
    ("UnfollowedView", "differs", "a finding of keno-audit"),
];

/// Names of fields that say one of a few words.
const OF_FEW: [&str; 14] = [
    "decision", "finding", "how", "intake", "kind", "purpose", "refused", "role", "roles", "stage",
    "standing", "state", "step", "tender",
];

/// Free strings that look like a closed list: by the name of the field, or because its description
/// lists words.
fn looks_closed(schema: &Value, name: &str, field: &Value) -> bool {
    let text = if field["items"].is_object() {
        &field["items"]
    } else {
        field
    };
    let kind = &text["type"];
    let is_text = *kind == "string"
        || kind
            .as_array()
            .is_some_and(|all| all.contains(&json!("string")));
    if !is_text || !text["enum"].is_null() || schema.is_null() {
        return false;
    }
    let said = field["description"].as_str().unwrap_or_default();
    let is_word = |part: &&str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let words = said.split('`').skip(1).step_by(2).filter(is_word).count();
    OF_FEW.contains(&name) || words >= 2
}

#[test]
fn what_is_left_a_free_string_has_a_reason() {
    let mut whole = keno_central::api::openapi::whole().unwrap();
    let found = |whole: &Value| -> Vec<String> {
        let mut found = Vec::new();
        for (of, schema) in whole["components"]["schemas"].as_object().unwrap() {
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                assert!(
                    field.is_object(),
                    "{of}.{name} is said of a field that is not there"
                );
                let is_free = FREE
                    .iter()
                    .any(|(free, field, _)| (*free, *field) == (of.as_str(), name.as_str()));
                if looks_closed(schema, name, field) && !is_free {
                    found.push(format!("{of}.{name}"));
                }
            }
        }
        found.sort();
        found
    };
    assert_eq!(found(&whole), [] as [&str; 0]);
    for (of, name, reason) in FREE {
        let field = &whole["components"]["schemas"][of]["properties"][name];
        assert!(field["type"].to_string().contains("string"), "{of}.{name}");
        assert!(field["enum"].is_null() && reason.len() > 10, "{of}.{name}");
    }
    // A list that somebody leaves open is found.
    let field = &mut whole["components"]["schemas"]["SellRequest"]["properties"];
    field["tender"] = json!({"type": "string"});
    field["how_paid"] = json!({"type": ["string", "null"], "description": "`cash` or `chip`."});
    assert_eq!(
        found(&whole),
        ["SellRequest.how_paid", "SellRequest.tender"]
    );
}

/// The members of an enumeration of the document.
fn members(whole: &Value, list: &str) -> Vec<String> {
    let members = whole["components"]["schemas"][list]["enum"].as_array();
    let members = members.unwrap_or_else(|| panic!("{list} is no enumeration"));
    members
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn an_enumeration_is_the_list_of_the_code() {
    use keno_game::{DrawState, Intake, SelectionType, Tender};
    use keno_wire::coded::{Stage as CommandStage, VerdictCode};
    let whole = keno_central::api::openapi::whole().unwrap();
    let lists: [(&str, Vec<&str>); 10] = [
        ("DrawState", DrawState::ALL.map(DrawState::name).to_vec()),
        ("Intake", Intake::ALL.map(Intake::name).to_vec()),
        (
            "SelectionType",
            SelectionType::ALL.map(SelectionType::code).to_vec(),
        ),
        ("Tender", Tender::ALL.map(Tender::code).to_vec()),
        ("Stage", CommandStage::ALL.map(CommandStage::name).to_vec()),
        (
            "VerdictCode",
            VerdictCode::ALL.map(VerdictCode::name).to_vec(),
        ),
        ("Role", Role::ALL.map(Role::name).to_vec()),
        ("DeviceRole", DeviceRole::ALL.map(DeviceRole::name).to_vec()),
        (
            "EventKind",
            keno_log::EventKind::ALL
                .iter()
                .map(|kind| kind.name())
                .collect(),
        ),
        (
            "CancelReason",
            vec![
                "changed_mind",
                "keyed_wrong",
                "printed_badly",
                "not_paid",
                "other",
            ],
        ),
    ];
    for (list, expected) in lists {
        assert_eq!(members(&whole, list), expected, "{list}");
    }
    // Each member of a closed list that is said in a field is said by its list.
    let of = |schema: &str, field: &str| {
        whole["components"]["schemas"][schema]["properties"][field].clone()
    };
    for (schema, field, list) in [
        ("SellRequest", "tender", "Tender"),
        ("WallRow", "role", "DeviceRole"),
        ("CheckReply", "patron_refused", "PatronRefusal"),
        ("HeldView", "why", "WhyHeld"),
        ("AuditTicketReply", "state", "TicketState"),
    ] {
        assert!(
            of(schema, field)
                .to_string()
                .contains(&format!("schemas/{list}\"")),
            "{schema}.{field}"
        );
    }
    let roles = &of("PersonRequest", "roles")["items"]["$ref"];
    assert_eq!(*roles, "#/components/schemas/Role");
}

#[test]
fn the_document_is_short() {
    let bytes = document().to_string().len();
    assert!(bytes <= 150_000, "{bytes} bytes");
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
    if let Some(members) = schema["enum"].as_array()
        && !members.contains(value)
    {
        return Err(format!("{at} is {value}, which is not on the list"));
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
    let mut replies = replies::Replies::default();
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
        let reply = response(&document, &operation, "200");
        let kind = answer.header("content-type").split(';').next().unwrap();
        assert!(!reply["content"][kind].is_null(), "{name} answers {kind}");
        let described = &reply["content"]["application/json"]["schema"];
        if described.is_object() {
            let value = answer.value();
            fits(&document, described, &value, name).unwrap_or_else(|why| panic!("{why}\n{value}"));
            let shown = &reply["content"]["application/json"]["example"];
            let shown = fits(&document, described, shown, name);
            let shortened = replies::shortened(&document, described, &value);
            replies.given(name, shortened, shown);
        }
        run += 1;
    }
    assert!(run >= 40, "{run}");
    replies.hold();
}

#[test]
fn a_reply_that_is_not_as_described_is_caught() {
    let document = keno_central::api::openapi::whole().unwrap();
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
    let tender = json!({"$ref": "#/components/schemas/Tender"});
    assert_eq!(fits(&document, &tender, &json!("cash"), "tender"), Ok(()));
    assert!(fits(&document, &tender, &json!("gold"), "tender").is_err());
    let mut lacking = right;
    lacking.as_object_mut().unwrap().remove("zone");
    assert!(fits(&document, &schema, &lacking, "time").is_err());
}

//! `/openapi.json` against the running server: every address of the table is described, every
//! description has an address, and every example succeeds in a house where it makes sense.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

mod common;

use std::collections::BTreeSet;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use common::restored::restored;
use common::{House, Person, second, straight, sure_win};
use keno_central::api;
use keno_central::trust::authority::DeviceKey;
use keno_central::trust::enrolment::Asked;
use keno_service::authority::{Door, Operation, Second, Who};
use keno_service::identity::DeviceRole;
use keno_wire::enrolment::{EnrolmentCode, SALT_BYTES, Seen, digest};
use serde_json::{Value, json};

fn document() -> Value {
    serde_json::to_value(keno_central::api::openapi::openapi()).unwrap()
}

/// The paths of the document with their operations.
fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            found.push((method.to_uppercase(), path.clone(), operation.clone()));
        }
    }
    found
}

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

/// What the examples cannot know: codes, keys and leaves of the house that they run in.
struct Stage {
    house: House,
    clerk: Person,
    supervisor: Person,
    administrator: Person,
    auditor: Person,
}

impl Stage {
    async fn new() -> Self {
        Self::of(House::new(None)).await
    }

    async fn of(house: House) -> Self {
        Self {
            clerk: house.sign_on(1, "C1").await,
            supervisor: house.sign_on(2, "S1").await,
            administrator: house.sign_on(6, "X1").await,
            auditor: house.sign_on(5, "A1").await,
            house,
        }
    }

    /// The code of a printed ticket that wins draw 1 when it is settled.
    async fn ticket(&self) -> (u64, String) {
        let sold = self.house.sell_printed(&self.clerk, &sure_win(50, 1)).await;
        (sold.ticket.ticket, sold.ticket.claim_code.unwrap())
    }

    /// A device waits for its code; the name of its enrolment.
    fn wait_for(&self, code: &str) -> String {
        let trust = &self.house.app.trust;
        let key = rcgen::KeyPair::generate().unwrap();
        let key = rcgen::PublicKeyData::subject_public_key_info(&key);
        let seen = Seen {
            authority: trust.authority.fingerprint(),
            key: digest(&key),
        };
        let salt = [7; SALT_BYTES];
        let secret = EnrolmentCode::read(code).unwrap().secret(&salt).unwrap();
        let asked = Asked {
            key: DeviceKey::read(&key).unwrap(),
            salt,
            proof: secret.device_proof(&seen),
        };
        let now_ms = self.house.central.clock.monotonic_ms();
        trust
            .enrolments
            .begin(code.to_owned(), asked, now_ms)
            .unwrap();
        code.to_owned()
    }

    /// Puts the house in the state that an example speaks of, and fits the example to it.
    /// Returns who sends it.
    async fn prepare(&self, operation: &str, example: &mut Value) -> Option<Person> {
        let house = &self.house;
        if example.get("key").is_some() {
            example["key"] = house.key(&self.clerk);
        }
        match operation {
            "sign_on" => {
                *example = json!({"badge": "C2", "pin": common::pin_of("C2"), "float_cents": example["float_cents"]});
                return None;
            }
            "relieve" => {
                *example = json!({
                    "absent": "C1", "staying": common::second("C2"), "second": common::second("S2"),
                });
                return None;
            }
            "begin_anew" => {
                example["by"] = common::second("S1");
                return None;
            }
            "unlock" => {
                *example = json!({"badge": "C2", "pin": common::pin_of("C2")});
                return Some(house.sign_on(8, "C2").await);
            }
            "end_session" | "sign_off" => return Some(house.sign_on(8, "C2").await),
            "sell" | "price" | "close_shift" | "ask_key" | "close_key" => {}
            "confirm_print" => {
                let sold = house.sell(&self.clerk, &straight(&[1], 100, 1)).await;
                example["ticket"] = json!(sold.ticket.ticket);
            }
            "cancel" | "check" | "note_discrepancy" | "refuse_patron" => {
                example["code"] = json!(self.ticket().await.1);
            }
            "present" => {
                let (_, code) = self.ticket().await;
                house.until_settled(1);
                example["code"] = json!(code);
            }
            "present_afterwards" => {
                let (_, code) = self.ticket().await;
                house.until_settled(1);
                example["code"] = json!(code);
                example["presented_at_ms"] = json!(house.central.clock.now_ms());
                example["second"] = second("S1");
            }
            "read_damaged" => {
                let sold = house
                    .sell_printed(&self.clerk, &straight(&[4, 17, 33], 200, 1))
                    .await;
                example["number"] = json!(sold.ticket.control_number);
                example["reading"]["terminal"] = json!(sold.ticket.terminal);
                let draw = sold.ticket.first.draw;
                example["reading"]["first_draw"] = json!(draw);
                example["reading"]["last_draw"] = json!(draw);
                example["second"] = second("S1");
            }
            "files" => return Some(self.supervisor.clone()),
            "judge_file" => {
                let (_, code) = self.ticket().await;
                let number = &code[3..19];
                let order = json!({"number": number, "presented_by": "x", "note": "x"});
                let opened = house.post(&self.clerk, "/damaged/files", order).await;
                example["number"] = opened.value()["number"].clone();
                example["second"] = second("C2");
                house.clock.advance(24 * 3_600_000);
                common::blocking(|| house.central.tick());
                return Some(house.sign_on(2, "S1").await);
            }
            "move_till" | "count_till" => example["second"] = second("S1"),
            "shift_sheet" => {
                let counted = json!({"counted_cents": 0});
                house.post(&self.clerk, "/shifts/close", counted).await;
            }
            "unpaid" | "duplicate" => {
                example["code"] = json!(self.ticket().await.1);
                example["second"] = second("S1");
            }
            "release" => {
                let sold = house.sell(&self.clerk, &straight(&[1], 100, 1)).await;
                house.until_settled(1);
                example["code"] = json!(sold.ticket.control_number);
                example["second"] = second("C1");
                return Some(self.supervisor.clone());
            }
            "pay" | "reverse" => {
                let (_, code) = self.ticket().await;
                house.until_settled(1);
                let mut order = house.pay_order(&self.clerk, &code).await;
                if operation == "pay" {
                    order["second"] = second("S1");
                    *example = order;
                } else {
                    let paid = house.post(&self.clerk, "/payments", order).await.value();
                    example["payment"] = paid["payment"].clone();
                    example["second"] = second("S1");
                }
            }
            "suspend_draw" | "void_draw" | "resume_draw" | "suspend_sales" | "resume_sales"
            | "confirm_schedule" => {
                house.until_closed(2);
                if operation == "resume_draw" {
                    common::blocking(|| house.central.suspend_draw(2, "test", "S1")).unwrap();
                }
                if operation == "confirm_schedule" {
                    common::blocking(|| house.central.halt_schedule(1, 0, 0)).unwrap();
                }
                if example.get("second").is_some() {
                    example["second"] = second("S2");
                }
                return Some(self.supervisor.clone());
            }
            "publish_rules" => {
                example["text"] = json!(common::RULES.replace("version = 1", "version = 2"));
                example["second"] = second("S1");
                return Some(self.administrator.clone());
            }
            "amend_rules" => {
                example["second"] = second("S2");
                return Some(self.administrator.clone());
            }
            "amendable_rules" | "preview_amendment" | "people" => {
                return Some(self.administrator.clone());
            }
            "lift_badge" => {
                example["badge"] = json!("C2");
                example["second"] = second("S2");
                return Some(self.supervisor.clone());
            }
            "last_draw" | "transcript" => {
                house.until_settled(1);
            }
            "audit_ticket" | "ticket_report" => {
                example["code"] = json!(self.ticket().await.1);
                return Some(self.auditor.clone());
            }
            "draw_report" => {
                house.until_settled(1);
                return Some(self.auditor.clone());
            }
            "shift_report" => return Some(self.auditor.clone()),
            "alarms" | "slip" | "wall" | "approvals" | "send_message" | "stop_terminal"
            | "start_terminal" => {
                return Some(self.supervisor.clone());
            }
            "approval" | "grant_approval" | "refuse_approval" => {
                let content = json!({"what": "till_movement", "kind": "fill", "amount_cents": 1});
                let asked = json!({"content": content});
                let answer = house.post(&self.clerk, "/approvals", asked).await;
                assert_eq!(answer.value()["id"], 1, "{}", answer.text());
                if operation != "approval" {
                    example["pin"] = json!(common::pin_of("S1"));
                    return Some(self.supervisor.clone());
                }
            }
            "acknowledge_message" => {
                let text = json!({"fr": "x"});
                let answer = house.post(&self.supervisor, "/messages", text).await;
                assert_eq!(answer.value()["id"], 1, "{}", answer.text());
            }
            "take_over" | "return_device" => {
                // A neighbour has a place for the till when its own is counted.
                let counted = json!({"counted_cents": 0});
                house.post(&self.clerk, "/shifts/close", counted).await;
                let mut taken = json!({"device": 2, "reason": "x", "second": second("S1")});
                if operation == "take_over" {
                    taken["reason"] = example["reason"].clone();
                    *example = taken;
                } else {
                    let answer = house.post(&self.clerk, "/hand-overs", taken).await;
                    assert_eq!(answer.status, 200, "{}", answer.text());
                    example["by"] = second("X1");
                    example["second"] = second("X2");
                }
            }
            "record_person" | "make_card" | "withdraw_person" => {
                example["badge"] = json!("C2");
                if operation == "record_person" {
                    example["staff"] = json!("C2");
                }
                example["by"] = second("X1");
                example["second"] = second("X2");
                return Some(self.administrator.clone());
            }
            "name_acting" => {
                example["badge"] = json!("C2");
                example["by"] = second("X1");
                example["second"] = second("X2");
                return Some(self.administrator.clone());
            }
            "make_acting" => {
                example["badge"] = json!("C2");
                example["by"] = second("S1");
                common::blocking(|| self.house.central.name_acting("C2", true, "X1", "X2"))
                    .unwrap();
            }
            "choose_pin" => {
                example["badge"] = json!("C2");
                example["pin"] = json!(common::pin_of("C2"));
            }
            "reset_pin" => {
                example["badge"] = json!("C2");
                example["by"] = second("S1");
                example["second"] = second("S2");
            }
            "revoke_device" | "approve_enrolment" => {
                example["badge"] = json!("X1");
                example["pin"] = json!(common::pin_of("X1"));
                if operation == "approve_enrolment" {
                    example["second"] = second("X2");
                    self.wait_for(example["code"].as_str().unwrap());
                }
            }
            "ask_enrolment" => example["enrolment"] = json!(self.wait_for("ABCD-EFGH")),
            _ => {}
        }
        Some(self.clerk.clone())
    }
}

/// A path with the examples of its parameters, and a query with the others.
fn address(path: &str, operation: &Value) -> String {
    let mut address = path.to_owned();
    let mut query = Vec::new();
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        let example = parameter["example"].to_string();
        let example = example.trim_matches('"');
        if parameter["in"] == "path" {
            address = address.replace(&format!("{{{name}}}"), example);
        } else {
            query.push(format!("{name}={example}"));
        }
    }
    if query.is_empty() {
        address
    } else {
        format!("{address}?{}", query.join("&"))
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

/// Examples that need a house whose first draw is still open, or that leave it in a state in
/// which others make no sense: each has a house of its own.
const ALONE: [&str; 31] = [
    "acknowledge_message",
    "amend_rules",
    "approval",
    "choose_pin",
    "close_shift",
    "confirm_schedule",
    "grant_approval",
    "judge_file",
    "make_card",
    "make_acting",
    "name_acting",
    "pay",
    "present",
    "present_afterwards",
    "publish_rules",
    "record_person",
    "refuse_approval",
    "release",
    "reset_pin",
    "resume_draw",
    "resume_sales",
    "return_device",
    "reverse",
    "revoke_device",
    "shift_sheet",
    "stop_terminal",
    "suspend_draw",
    "suspend_sales",
    "take_over",
    "void_draw",
    "withdraw_person",
];

/// Examples that only a connection with TLS can send: the tests of the whole house send them.
const OVER_TLS: [&str; 3] = ["enrol", "renew_certificate", "confirm_key"];

#[actix_web::test]
async fn every_example_succeeds_and_its_reply_is_as_described() {
    let document = document();
    let shared = Stage::new().await;
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
            Some(Stage::new().await)
        } else {
            None
        };
        let stage = own.as_ref().unwrap_or(&shared);
        let mut example =
            operation["requestBody"]["content"]["application/json"]["example"].clone();
        let sender = stage.prepare(name, &mut example).await;
        if let Some(code) = lost {
            example["code"] = json!(code);
            example["second"] = second("S1");
        }
        // A code is money: it stands in no address.
        assert!(!path.contains("code"), "{path}");
        let mut address = address(&path, &operation);
        if name == "judge_file" {
            // The number of a file is a leaf: no example knows it.
            let number = example.as_object_mut().unwrap().remove("number").unwrap();
            address = path.replace("{number}", &number.to_string());
        }
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = TestRequest::default().method(method.clone()).uri(&address);
        request = match sender {
            Some(person) => person.sign(request),
            None => request.insert_header(("Boulier-Device", stage.house.device_header(8))),
        };
        if method == Method::POST {
            request = request.set_json(&example);
        }
        let answer = stage.house.call(request).await;
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

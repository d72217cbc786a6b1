//! Closed lists that are declared below the wire, or that have numbers in the record: the document
//! has each as an enumeration, from the code's own list. What is an enumeration on the wire already
//! says so itself (`keno_wire::coded`).

use keno_log::EventKind;
use keno_record::roles::{DeviceRole, Role};
use keno_record::ticket::MONEY_GIVEN_BACK;
use keno_service::counter::{CancelOrder, FileDecision, Named};
use keno_service::house::Held;
use keno_wire::slip_code::SlipLanguage;
use serde_json::{Value, json};

use crate::alarm::AlarmName;
use crate::api::reports::Form;
use crate::pages::view::Purpose;

/// A closed list: what the document calls it, its members, and the fields that say one of them.
type List = (
    &'static str,
    Vec<&'static str>,
    &'static [(&'static str, &'static str)],
);

fn reasons(of: &[(&'static str, u8)]) -> Vec<&'static str> {
    of.iter().map(|(name, _)| *name).collect()
}

/// Every list that is declared below the wire.
fn lists() -> [List; 9] {
    let patron_refusals = [&Named::REFUSAL_REASONS[..], &[MONEY_GIVEN_BACK]].concat();
    [
        (
            "AlarmName",
            AlarmName::ALL.map(AlarmName::name).to_vec(),
            &[("AlarmView", "name")],
        ),
        (
            "CancelReason",
            reasons(&CancelOrder::REASONS),
            &[("CancelRequest", "reason")],
        ),
        (
            "DeviceRole",
            DeviceRole::ALL.map(DeviceRole::name).to_vec(),
            &[
                ("ApproveRequest", "role"),
                ("Granted", "role"),
                ("WallRow", "role"),
            ],
        ),
        (
            "EventKind",
            EventKind::ALL.iter().map(|kind| kind.name()).collect(),
            &[
                ("EntryReply", "kind"),
                ("LeafRef", "kind"),
                ("LifeFact", "kind"),
            ],
        ),
        (
            "FileRefusal",
            reasons(&FileDecision::REASONS),
            &[
                ("JudgeFileRequest", "refused"),
                ("JudgementView", "refused"),
            ],
        ),
        (
            "PatronRefusal",
            reasons(&patron_refusals),
            &[
                ("CheckReply", "patron_refused"),
                ("PatronRefusalRequest", "reason"),
            ],
        ),
        (
            "Purpose",
            Purpose::ALL.map(Purpose::name).to_vec(),
            &[
                ("TicketRecordRequest", "purpose"),
                ("TicketReportRequest", "purpose"),
            ],
        ),
        (
            "Role",
            Role::ALL.map(Role::name).to_vec(),
            &[
                ("PersonRequest", "roles"),
                ("PersonView", "roles"),
                ("SignOnReply", "roles"),
            ],
        ),
        ("WhyHeld", Held::REASONS.to_vec(), &[("HeldView", "why")]),
    ]
}

/// What a parameter or a field says that is one of few words, where no name is needed for the list.
fn of_few(name: &str) -> Option<Vec<&'static str>> {
    match name {
        "format" => Some(Form::ALL.map(Form::name).to_vec()),
        "language" => Some(SlipLanguage::ALL.map(SlipLanguage::code).to_vec()),
        _ => None,
    }
}

/// Where the text of a field is described, whether it is one or several.
fn text_of(field: &mut Value) -> &mut Value {
    if field.get("items").is_some() {
        &mut field["items"]
    } else {
        field
    }
}

/// The fields of a schema; of one that takes another in, those that are its own.
fn fields_of(schema: &mut Value) -> &mut Value {
    let parts = schema.get("allOf").and_then(Value::as_array);
    let own = parts.and_then(|parts| parts.iter().position(|part| part["properties"].is_object()));
    match own {
        Some(own) => &mut schema["allOf"][own]["properties"],
        None => &mut schema["properties"],
    }
}

/// Puts every list where it is said.
pub(super) fn close(document: &mut Value) {
    for (list, members, fields) in lists() {
        let schemas = &mut document["components"]["schemas"];
        for (schema, field) in fields {
            let text = text_of(&mut fields_of(&mut schemas[schema])[field]);
            if let Some(text) = text.as_object_mut() {
                text.remove("type");
                let list = format!("#/components/schemas/{list}");
                text.insert("$ref".to_owned(), json!(list));
            }
        }
        schemas[list] = json!({"type": "string", "enum": members});
    }
    let format = &mut document["components"]["schemas"]["TicketReportRequest"]["properties"];
    format["format"]["enum"] = json!(of_few("format"));
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let operations = paths.flat_map(|(_, path)| path.as_object_mut().into_iter().flatten());
    for (_, operation) in operations {
        let parameters = operation
            .get_mut("parameters")
            .and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            if let Some(members) = parameter["name"].as_str().and_then(of_few) {
                parameter["schema"]["enum"] = json!(members);
            }
        }
    }
}

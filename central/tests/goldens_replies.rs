//! What central answers, byte for byte: the example of every operation of `/openapi.json`, and
//! scripted days with what is refused. Nothing in these houses is left to chance; what one leaf more
//! would shift is blanked by its kind. The examples of a tag of the document are one golden.
//!
//! `INSTA_UPDATE=always cargo test -p keno-central --test suite goldens_replies` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

mod doors;
mod house;
mod payments;
mod sales;
mod script;

use std::collections::BTreeMap;

use crate::common::House;
use crate::common::stage::{ALONE, OVER_TLS, Stage, document, operations};
use keno_testing::{Shapes, lines_of_json, redacted};
use script::{answer_text, goldens, request_text, sender_text};
use serde_json::Value;

#[actix_web::test]
async fn every_operation_answers_its_example_as_ever() {
    let shared = Stage::of(House::seeded()).await;
    let mut answers: BTreeMap<String, Shapes> = BTreeMap::new();
    for described in operations(&document()) {
        let (method, path, operation) = &described;
        let name = operation["operationId"].as_str().unwrap();
        if path == "/live" || OVER_TLS.contains(&name) || name == "refund_lost" {
            continue;
        }
        let own = match ALONE.contains(&name) {
            true => Some(Stage::of(House::seeded()).await),
            false => None,
        };
        let stage = own.as_ref().unwrap_or(&shared);
        let sent = stage.send(&described, None).await;
        let said = answer_text(&sent.address, &sent.answer);
        if name == "openapi" {
            goldens().hold(name, &lines_of_json(&without_replies(sent.answer.value())));
            continue;
        }
        let address = redacted(&sent.address);
        let heading = format!(
            "{method} {address} by {}\n{}{}",
            sender_text(sent.sender.as_ref()),
            request_text(&sent.example),
            sent.answer.status,
        );
        let tag = operation["tags"][0].as_str().unwrap().to_owned();
        answers.entry(tag).or_default().put(name, &heading, &said);
    }
    for (tag, answers) in answers {
        goldens().hold(&format!("of-{tag}"), answers.text());
    }
}

/// The document without the replies that it shows, which have goldens of their own.
fn without_replies(mut document: Value) -> String {
    fn of_responses(responses: &mut Value) {
        for response in responses.as_object_mut().into_iter().flatten() {
            let media = response.1.pointer_mut("/content/application~1json");
            if let Some(Value::Object(media)) = media {
                media.remove("example");
            }
        }
    }
    of_responses(&mut document["components"]["responses"]);
    for path in document["paths"].as_object_mut().into_iter().flatten() {
        for operation in path.1.as_object_mut().into_iter().flatten() {
            of_responses(&mut operation.1["responses"]);
        }
    }
    document.to_string()
}

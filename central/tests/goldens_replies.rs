//! What central answers, byte for byte: the example of every operation of `/openapi.json`, and
//! scripted days with what is refused. Nothing in these houses is left to chance; what differs all
//! the same from run to run is blanked by name.
//!
//! `INSTA_UPDATE=always cargo test -p keno-central --test suite goldens_replies` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

mod doors;
mod house;
mod payments;
mod sales;
mod script;

use crate::common::House;
use crate::common::stage::{ALONE, OVER_TLS, Stage, document, operations};
use script::{answer_text, goldens, request_text, sender_text};

#[actix_web::test]
async fn every_operation_answers_its_example_as_ever() {
    let goldens = goldens();
    let shared = Stage::of(House::seeded()).await;
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
        let text = format!(
            "{method} {} by {}\n{}\n{}",
            sent.address,
            sender_text(sent.sender.as_ref()),
            request_text(&sent.example),
            answer_text(&sent.answer)
        );
        goldens.hold(name, &text);
    }
}

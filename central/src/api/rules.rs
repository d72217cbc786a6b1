//! The rules in force, and publishing a version.

use std::sync::Arc;

use keno_book::rules_file;
use keno_record::state::PublishedRules;
use keno_service::authority::Operation;
use keno_service::refusal::Refusal;
use keno_service::{Central, house};
use keno_wire::reply::RecordedReply;
use keno_wire::request::PublishRulesRequest;

use super::handler::{App, By, Reply, look, web, write};
use super::types::{CertificateLineView, RulesReply};
use crate::request::second::second_at_the_screen;

/// The rules that govern a ticket sold now; those published last while no draw is open.
pub fn current_rules(central: &Central) -> Option<Arc<PublishedRules>> {
    let view = central.view.get();
    view.next_open()
        .and_then(|draw| view.rules_for(draw.number()))
        .or_else(|| view.rule_books.values().next_back())
        .cloned()
}

/// Least returns of a version, computed from its text. Takes milliseconds; a second or so for a
/// text that is made to take long.
pub fn certificate_lines(text: &str) -> Vec<CertificateLineView> {
    rules_file::read(text).map_or_else(
        |_| Vec::new(),
        |file| {
            file.certificate
                .lines
                .iter()
                .map(|line| CertificateLineView {
                    game: line.game.clone(),
                    spots: line.spots,
                    wager_cents: line.wager.get(),
                    exact: format!("{}/{}", line.rate.numerator, line.rate.denominator),
                    percent: line.rate.percent_text(2),
                })
                .collect()
        },
    )
}

/// The rules in force, with their certificate of returns.
#[utoipa::path(
    get, path = "/api/v1/rules/current", tag = "rules", operation_id = "current_rules",
    responses((status = 200, description = "The rules", body = RulesReply))
)]
pub(super) async fn current(app: web::Data<App>) -> Reply<RulesReply> {
    let rules = current_rules(&app.central).ok_or(Refusal::NoRules)?;
    shown(rules).await
}

/// A published version of the rules, with its certificate of returns.
#[utoipa::path(
    get, path = "/api/v1/rules/versions/{version}", tag = "rules", operation_id = "rules_version",
    params(("version" = u32, Path, description = "Version of the rule book", example = 1)),
    responses((status = 200, description = "The rules", body = RulesReply))
)]
pub(super) async fn version(app: web::Data<App>, path: web::Path<String>) -> Reply<RulesReply> {
    let version: u32 = path.parse().map_err(|_| Refusal::RecordUnknown)?;
    let rules = app.central.view.get().rule_books.get(&version).cloned();
    shown(rules.ok_or(Refusal::RecordUnknown)?).await
}

async fn shown(rules: Arc<PublishedRules>) -> Reply<RulesReply> {
    look(move || {
        Ok(RulesReply {
            version: rules.rules.version,
            effective_from: rules.effective_from,
            hash: hex::encode(rules.hash),
            leaf: rules.leaf,
            text: rules.text.clone(),
            certificate: certificate_lines(&rules.text),
        })
    })
    .await
}

/// Publish a version of the rules, by two people.
#[utoipa::path(
    post, path = "/api/v1/rules", tag = "rules", operation_id = "publish_rules",
    request_body(content = PublishRulesRequest, example = json!({
        "text": "format = 3\nversion = 2\n", "effective_from": 500, "second": {"badge": "S101", "pin": "246813"}
    })),
    responses((status = 200, description = "Published", body = RecordedReply))
)]
pub(super) async fn publish(
    By(app, caller, asked): By<PublishRulesRequest>,
) -> Reply<RecordedReply> {
    let central = app.central.clone();
    let second =
        second_at_the_screen(&app, &caller, &asked.second, Operation::PublishRules).await?;
    write(move || {
        house::publish_rules(
            &central,
            &asked.text,
            asked.effective_from,
            &caller.badge,
            &second.badge,
        )
    })
    .await
}

//! What a problem means, by its stable name: its sentences in the catalogue.

use keno_game::SlipRefusalCode;
use keno_service::refusal::Refusal;
use keno_wire::reply::Bilingual;

use super::Edge;
use crate::entrance::DoorRefusal;
use crate::trust::TrustRefusal;

/// Stands in a sentence where something is named, such as a draw or an amount.
const SOMETHING: &str = "…";

/// What a problem means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// HTTP status.
    pub status: u16,
    /// What is wrong and what to do: a sentence, or each of those that it may be.
    pub sentences: Vec<Bilingual>,
}

/// Every problem by its stable name, with its status and the area of the catalogue.
fn all() -> impl Iterator<Item = (&'static str, u16, &'static str)> {
    let rules = Refusal::NAMES.iter().zip(Refusal::STATUSES);
    let rules = rules.map(|(name, status)| (*name, *status, "refusal"));
    let slips = SlipRefusalCode::ALL.map(|of| (of.name(), 422, "slip"));
    let edge = Edge::ALL.map(|of| (of.name(), of.status(), "problem"));
    let doors = DoorRefusal::ALL.map(|of| (of.name(), of.status(), "door"));
    let trust = TrustRefusal::ALL.map(|of| (of.name(), of.status(), "trust"));
    rules.chain(slips).chain(edge).chain(doors).chain(trust)
}

/// The stable names of all problems.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|(name, ..)| name)
}

/// Every status that a problem can have.
pub fn statuses() -> impl Iterator<Item = u16> {
    all().map(|(_, status, _)| status)
}

/// The texts of a problem in its area; most have one, under the name of the problem.
fn texts_of(name: &'static str) -> &'static [&'static str] {
    match name {
        "ball_set_unusable" => &[
            "ball_set_unfit",
            "ball_set_used_up",
            "ball_set_outdated",
            "ball_set_aside",
        ],
        "device_key_known" => &["key_known"],
        "enrolment_code_unknown" => &["code_unknown"],
        "rule_for_interrupted" => &["rule_voids", "rule_completes"],
        "wager_above_maximum" | "wager_below_minimum" | "wager_off_step" => {
            &["wager", "wager_not_permitted"]
        }
        _ => &[],
    }
}

/// A text with nothing named in its places; it begins with a capital.
fn sentence(text: &str) -> String {
    let mut parts = text.split('{');
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        said.push_str(SOMETHING);
        said.push_str(part.split_once('}').map_or("", |(_, after)| after));
    }
    let mut signs = said.chars();
    let first = signs.next().into_iter().flat_map(char::to_uppercase);
    first.chain(signs.clone()).collect()
}

/// What a problem means.
pub fn of(name: &str) -> Option<Meaning> {
    let (name, status, area) = all().find(|(of, ..)| *of == name)?;
    let texts = match texts_of(name) {
        [] => vec![name],
        several => several.to_vec(),
    };
    let sentences: Vec<Bilingual> = texts
        .into_iter()
        .filter_map(|text| keno_words::text(&format!("{area}.{text}")))
        .map(|(fr, en)| Bilingual::new(&sentence(fr), &sentence(en)))
        .collect();
    Some(Meaning { status, sentences })
}

//! What came of a request, in the words of a table, and the checks that every problem must pass.

use keno_central::problem::Edge;
use keno_game::slip::SlipRefusalCode;
use keno_service::Refusal;
use keno_wire::Problem;
use keno_wire::reply::Bilingual;

use super::door::Answer;

/// What came of a line.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// The first word: `sold`, a verdict, or the name of a refusal.
    pub word: String,
    /// What a line may say beside it, in any order.
    pub facts: Vec<String>,
    /// The sentences, for `says "…"`.
    pub sentences: Vec<String>,
    /// A problem: nothing may have been recorded.
    pub is_refusal: bool,
    /// What is wrong with the answer whatever was expected.
    pub faults: Vec<String>,
}

/// Names that may be tried again as they are.
const RETRY: [&str; 18] = [
    "locked_out",
    "pins_busy",
    "approval_waiting",
    "terminal_stopped",
    "sales_suspended",
    "too_many_unknown",
    "no_choosing_draw",
    "not_drawn_yet",
    "result_not_official",
    "draw_differs",
    "second_computation_awaited",
    "opens_later",
    "nobody_begins",
    "line_reads",
    "record_refused",
    "set_not_chosen",
    "queue_full",
    "record_unavailable",
];

/// Words that would tell a caller how central is built or what broke in it.
const CAUSES: [&str; 16] = [
    "sqlite",
    "postgres",
    "diesel",
    "database",
    "trigger",
    "disk",
    "readonly",
    "read-only",
    "constraint",
    "socket",
    "server closed",
    "planted",
    "/tmp",
    "select",
    "insert",
    "transaction",
];

impl Outcome {
    /// An answer that is not a problem.
    pub fn of(word: &str) -> Self {
        Self {
            word: word.to_owned(),
            ..Self::default()
        }
    }

    /// Adds what a line may say.
    pub fn fact(mut self, fact: impl Into<String>) -> Self {
        self.facts.push(fact.into());
        self
    }

    /// Adds what a line may say, when it holds.
    pub fn fact_if(self, holds: bool, fact: &str) -> Self {
        if holds { self.fact(fact) } else { self }
    }

    /// Adds a sentence; both languages must say something, and not the same.
    pub fn sentence(mut self, sentence: &Bilingual) -> Self {
        let (fr, en) = (sentence.fr.trim(), sentence.en.trim());
        if fr.is_empty() || en.is_empty() {
            self.faults
                .push("a language of the sentence is empty".to_owned());
        } else if fr == en {
            self.faults
                .push(format!("French and English are the same: {fr:?}"));
        }
        let dates = dates(en);
        if dates != self::dates(fr) {
            self.faults
                .push(format!("the languages say other dates: {fr:?} {en:?}"));
        }
        for date in dates {
            self.facts.push(format!("date {date}"));
        }
        self.sentences.extend([fr.to_owned(), en.to_owned()]);
        self
    }

    /// All of it, for a failure.
    pub fn text(&self) -> String {
        let mut text = self.word.clone();
        for fact in &self.facts {
            text.push(' ');
            text.push_str(fact);
        }
        if let Some(english) = self.sentences.last() {
            text.push_str(&format!(" [{english}]"));
        }
        text
    }

    /// Whether this is what a line expects: the same first word, and nothing beside it that is
    /// not so. A refusal about a slip must say where it is.
    pub fn matches(&self, expected: &str) -> bool {
        let (expected, said) = match expected.split_once(" says ") {
            Some((expected, said)) => (expected, Some(said.trim().trim_matches('"'))),
            None => (expected, None),
        };
        let is_said = |said: &str| {
            self.sentences
                .iter()
                .any(|sentence| sentence.contains(said))
        };
        if said.is_some_and(|said| !is_said(said)) {
            return false;
        }
        let Some(mut rest) = expected.strip_prefix(self.word.as_str()) else {
            return false;
        };
        let about_a_slip = self.is_refusal && SlipRefusalCode::from_name(&self.word).is_some();
        if about_a_slip && !rest.starts_with(" in ") {
            return false;
        }
        loop {
            if rest.is_empty() {
                return true;
            }
            let Some(words) = rest.strip_prefix(' ') else {
                return false;
            };
            let longest = self
                .facts
                .iter()
                .filter(|fact| {
                    words
                        .strip_prefix(fact.as_str())
                        .is_some_and(|after| after.is_empty() || after.starts_with(' '))
                })
                .max_by_key(|fact| fact.len());
            match longest.and_then(|fact| words.strip_prefix(fact.as_str())) {
                Some(after) => rest = after,
                None => return false,
            }
        }
    }
}

/// Every `yyyy-mm-dd` of a sentence.
fn dates(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_ascii_digit() && character != '-')
        .filter(|piece| {
            piece.len() == 10
                && piece
                    .bytes()
                    .enumerate()
                    .all(|(at, byte)| (byte == b'-') == matches!(at, 4 | 7))
        })
        .map(str::to_owned)
        .collect()
}

/// Whether a name is one of the house's closed list.
pub fn is_known(name: &str) -> bool {
    Refusal::NAMES.contains(&name)
        || SlipRefusalCode::from_name(name).is_some()
        || Edge::from_name(name).is_some()
}

/// A selection's letter, A for 0.
fn letter(selection: u8) -> char {
    char::from(b'A'.saturating_add(selection))
}

/// A problem in the words of a table, with what every problem must be.
pub fn of_problem(answer: &Answer) -> Outcome {
    let problem: Problem = match serde_json::from_str(&answer.body) {
        Ok(problem) => problem,
        Err(error) => {
            let mut outcome = Outcome::of("unreadable_problem");
            outcome.is_refusal = true;
            outcome.faults.push(format!(
                "status {}: not a problem ({error}): {:?}",
                answer.status, answer.body
            ));
            return outcome;
        }
    };
    let name = problem.name().to_owned();
    let mut outcome = Outcome::of(&name)
        .fact(answer.status.to_string())
        .sentence(&problem.sentence);
    outcome.is_refusal = true;
    let mut fault = |holds: bool, words: String| {
        if !holds {
            outcome.faults.push(words);
        }
    };
    fault(is_known(&name), format!("{name} is no name of the list"));
    fault(
        problem.kind == format!("/problems/{name}"),
        format!("its type is {:?}", problem.kind),
    );
    fault(
        answer.content_type == "application/problem+json",
        format!("its media type is {:?}", answer.content_type),
    );
    fault(
        problem.status == answer.status && (400..600).contains(&answer.status),
        format!("it says status {} under {}", problem.status, answer.status),
    );
    fault(
        problem.retry == RETRY.contains(&name.as_str()),
        format!("retry is {} for {name}", problem.retry),
    );
    fault(
        !matches!(answer.status, 429 | 503) || answer.retry_after.is_some(),
        "it asks to wait and does not say how long".to_owned(),
    );
    if answer.status >= 500 {
        let body = answer.body.to_lowercase();
        for cause in CAUSES {
            fault(
                !body.contains(cause),
                format!("its body says {cause:?}: {}", answer.body),
            );
        }
    }
    match (problem.selection, &problem.field) {
        (Some(selection), Some(field)) => {
            outcome
                .facts
                .push(format!("in {} {field}", letter(selection)));
        }
        (None, Some(field)) => outcome.facts.push(format!("in {field}")),
        (Some(selection), None) => outcome.facts.push(format!("in {}", letter(selection))),
        (None, None) => {}
    }
    if let Some(next) = problem.next_draw {
        outcome.facts.push(format!("next {next}"));
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(name: &str, fr: &str, en: &str) -> Answer {
        Answer {
            status: 409,
            content_type: "application/problem+json".to_owned(),
            retry_after: None,
            bytes: Vec::new(),
            body: serde_json::json!({
                "type": format!("/problems/{name}"), "status": 409,
                "title": fr, "sentence": {"fr": fr, "en": en}, "selection": 1, "field": "numbers", "retry": false
            })
            .to_string(),
        }
    }

    #[test]
    fn a_good_problem_has_no_fault_and_each_bad_one_has() {
        let good = problem("draw_closed", "Fermé le 2026-11-20.", "Closed 2026-11-20.");
        assert_eq!(of_problem(&good).faults, Vec::<String>::new());
        let mut bad = vec![
            problem("draw_closed", "", "Closed."),
            problem("draw_closed", "Closed.", "Closed."),
            problem("draw_shut", "Fermé.", "Closed."),
            problem("draw_closed", "Fermé le 2026-11-20.", "Closed 2026-11-21."),
            problem("queue_full", "Occupé.", "Busy."),
        ];
        bad.push(Answer {
            content_type: "application/json".to_owned(),
            ..good.clone()
        });
        bad.push(Answer {
            status: 400,
            ..good.clone()
        });
        bad.push(Answer {
            body: "<html>".to_owned(),
            ..good.clone()
        });
        let cause = problem("outcome_unknown", "Inconnu.", "SQLite said no.");
        bad.push(Answer {
            status: 500,
            body: cause.body.replace("409", "500"),
            ..cause
        });
        for answer in bad {
            assert_ne!(
                of_problem(&answer).faults,
                Vec::<String>::new(),
                "{answer:?}"
            );
        }
    }

    #[test]
    fn only_what_is_so_matches() {
        let outcome = Outcome::of("draw_closed")
            .fact("409")
            .fact("next 2")
            .fact("in first_draw");
        for so in [
            "draw_closed",
            "draw_closed next 2",
            "draw_closed in first_draw 409",
        ] {
            assert!(outcome.matches(so), "{so}");
        }
        for not in [
            "draw_open",
            "draw_closed next 3",
            "draw_closed 409 next 2 more",
            "draw_close",
            "",
        ] {
            assert!(!outcome.matches(not), "{not}");
        }
    }

    #[test]
    fn a_refusal_of_a_slip_says_where() {
        let slip = of_problem(&problem("number_repeated", "Deux fois.", "Twice."));
        assert!(slip.matches("number_repeated in B numbers"));
        assert!(!slip.matches("number_repeated"));
        assert!(!slip.matches("number_repeated in A numbers"));
    }
}

//! What is done in the office: draws, rules, the clock.

use keno_central::api::types::{TimeReply, TranscriptReply};
use keno_wire::reply::DrawView;
use serde_json::json;

use super::house::{House, changed};
use super::outcome::{Outcome, of_problem};
use super::slip::amount;
use super::words::{Actor, unquoted};

impl House {
    /// `looks at draw 3`, `looks at draw last`.
    pub(super) fn looks(&self, actor: &Actor<'_>, draw: &str) -> Outcome {
        let draw = draw.trim_start_matches("at draw ");
        let answer = self.get(actor, &format!("draws/{draw}"));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: DrawView = answer.json();
        let outcome = Outcome::of(reply.state.as_str())
            .fact(format!("draw {}", reply.draw.draw))
            .fact(format!("numbers {}", reply.balls.len()))
            .fact(format!("maximum {}", amount(reply.cap_cents)))
            .fact_if(
                reply.commitments.iter().all(|c| c.secret.is_some()),
                "secrets published",
            )
            .fact_if(
                reply.commitments.iter().all(|c| c.secret.is_none()),
                "secrets kept",
            );
        match reply.seal {
            Some(seal) => outcome.fact(format!("tickets {}", seal.tickets)),
            None => outcome,
        }
    }

    pub(super) fn reads(&self, actor: &Actor<'_>, draw: &str) -> Outcome {
        let draw = draw.trim_start_matches("transcript of ");
        let answer = self.get(actor, &format!("draws/{draw}/transcript"));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: TranscriptReply = answer.json();
        Outcome::of("transcript")
            .fact(format!("numbers {}", reply.balls.len()))
            .fact(format!("holders {}", reply.holders.len()))
            .sentence(&reply.assurance)
    }

    pub(super) fn asks_time(&self, actor: &Actor<'_>) -> Outcome {
        let answer = self.get(actor, "time");
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: TimeReply = answer.json();
        Outcome::of(&reply.local)
            .fact_if(reply.schedule_halted, "schedule halted")
            .fact_if(!reply.schedule_halted, "schedule runs")
    }

    /// `publishes rules, version 2, from 30, with cap.per_draw = "60000.00", second S1`
    pub(super) fn publishes(&self, actor: &Actor<'_>) -> Outcome {
        let mut text = self.rules.clone();
        if let Some(version) = actor.option("version") {
            text = changed(&text, "version", version);
        }
        for change in actor.options.iter().filter_map(|o| o.strip_prefix("with ")) {
            let (place, value) = change.split_once('=').unwrap();
            text = changed(&text, place.trim(), value.trim());
        }
        if let Some(other) = actor.option("text") {
            text = unquoted(other).to_owned();
        }
        let from: u64 = actor.option("from").unwrap().parse().unwrap();
        let asked = json!({"text": text, "effective_from": from,
            "second": actor.second_or_nobody()});
        self.recorded(actor, "rules", &asked)
    }

    /// `call L the first loser of S1 to S21 in draw 1`: by the draw's published numbers.
    ///
    /// Returns false for a line about something else.
    pub fn naming(&mut self, action: &str) -> bool {
        let words: Vec<&str> = action.split_whitespace().collect();
        let [
            "call",
            name,
            "the",
            "first",
            which,
            "of",
            first,
            "to",
            last,
            "in",
            "draw",
            draw,
        ] = words.as_slice()
        else {
            return false;
        };
        let anyone = Actor {
            badge: "patron",
            device: "nowhere",
            options: Vec::new(),
        };
        let reply: DrawView = self.get(&anyone, &format!("draws/{draw}")).json();
        let (letters, from) = first.split_at(first.find(|c: char| c.is_ascii_digit()).unwrap());
        let to: u32 = last.trim_start_matches(letters).parse().unwrap();
        let found = (from.parse::<u32>().unwrap()..=to)
            .map(|number| format!("{letters}{number}"))
            .find(|of| {
                let number = &self.ticket(of).request["slip"]["selections"][0]["numbers"][0];
                let number = u8::try_from(number.as_u64().unwrap()).unwrap();
                reply.balls.contains(&number) == (*which == "winner")
            });
        let found = found.unwrap_or_else(|| panic!("no {which} among {first} to {last}"));
        let ticket = self.ticket(&found).clone();
        self.tickets.insert((*name).to_owned(), ticket);
        true
    }
}

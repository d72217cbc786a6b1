//! What is done at the desk of the draws: balls, and what two people decide.

use actix_web::http::Method;
use keno_wire::desk::{DecisionReply, DeskDraw, DeskReply};
use serde_json::json;

use super::house::House;
use super::outcome::{Outcome, of_problem};
use super::words::{Actor, unquoted};

/// Of draw 1 ball 1 is 4, ball 2 is 8, and so on to 80; of the next three one less with each.
fn usual_ball(draw: &str, position: u8) -> u8 {
    position * 4 - (draw.parse::<u8>().unwrap() - 1) % 4
}

/// A draw at the desk, in the words of a table.
fn seen(reply: &DeskReply, draw: u64) -> Outcome {
    let of = |it: &&DeskDraw| it.draw.draw.draw == draw;
    let Some(seen) = reply.draws.iter().find(of) else {
        return Outcome::of("gone");
    };
    let asked_again = (1_u8..).zip(&seen.entered).filter(|(_, it)| **it == 0);
    let mut outcome = Outcome::of("desk")
        .fact(seen.draw.state.as_str())
        .fact(format!("counted {}", seen.draw.balls.len()))
        .fact(format!("mine {}", seen.entered.len()))
        .fact_if(seen.next.is_none(), "nothing to enter")
        .fact_if(seen.sold, "sold");
    for (position, _) in asked_again {
        outcome = outcome.fact(format!("asked again {position}"));
    }
    if let Some(next) = seen.next {
        outcome = outcome.fact(format!("next {next}"));
    }
    for enterer in &seen.enterers {
        outcome = outcome.fact(format!("{} {}", enterer.badge, enterer.entered));
    }
    for offered in &seen.offered {
        outcome = outcome.fact(format!("offers {offered}"));
    }
    if let Some(waiting) = &seen.waiting {
        let by = format!("waits {} by {}", waiting.decision, waiting.by);
        outcome = outcome.fact(by).fact_if(waiting.may_agree, "may agree");
    }
    outcome
}

impl House {
    fn at_the_desk(&self, answer: &super::door::Answer, draw: u64) -> Outcome {
        match answer.is_good() {
            true => seen(&answer.json(), draw),
            false => of_problem(answer),
        }
    }

    /// `enters ball 3 66 in draw 1`, `enters balls 1 to 20 in draw 1`, `enters the balls of draw 1 in
    /// draw 4`.
    pub(super) fn enters(&self, actor: &Actor<'_>, what: &str) -> Outcome {
        let (what, draw) = what.split_once(" in draw ").unwrap();
        let number = |word: &str| word.parse::<u8>().unwrap();
        let words: Vec<&str> = what.split_whitespace().collect();
        let balls: Vec<(u8, u8)> = match words.as_slice() {
            ["ball", position, ball] => vec![(number(position), number(ball))],
            ["balls", from, "to", to] => (number(from)..=number(to))
                .map(|position| (position, usual_ball(draw, position)))
                .collect(),
            ["the", "balls", "of", "draw", other] => (1..=20)
                .map(|position| (position, usual_ball(other, position)))
                .collect(),
            other => panic!("no balls are {other:?}"),
        };
        let mut last = None;
        for (position, number) in balls {
            let asked = json!({"position": position, "number": number});
            let answer = self.post(actor, &format!("draws/{draw}/balls"), &asked);
            let is_good = answer.is_good();
            last = Some(answer);
            if !is_good {
                break;
            }
        }
        self.at_the_desk(&last.unwrap(), draw.parse().unwrap())
    }

    /// `sees draw 1`.
    pub(super) fn sees_desk(&self, actor: &Actor<'_>, draw: &str) -> Outcome {
        let answer = self
            .door
            .ask(self.request(actor, Method::GET, "/api/v1/desk"));
        let draw = draw.trim_start_matches("draw ");
        self.at_the_desk(&answer, draw.parse().unwrap())
    }

    /// `certifies draw 1`, `resumes draw 1, finding in_tubes`, `replaces V1 in draw 1`: done, or
    /// waiting for a second person.
    pub(super) fn decides(&self, actor: &Actor<'_>, verb: &str, object: &str) -> Outcome {
        let (leaving, draw) = object.rsplit_once("draw ").unwrap();
        let step = match verb {
            "certifies" => "certification",
            "replaces" => "replacement",
            "lets" => "computer",
            "postpones" => "postponement",
            other => other.trim_end_matches('s'),
        };
        let mut asked = json!({"reason": actor.option("reason").map_or("", unquoted)});
        if verb == "replaces" {
            asked["leaving"] = leaving.trim_end_matches(" in ").into();
        }
        if let Some(finding) = actor.option("finding") {
            asked["finding"] = finding.into();
        }
        if let Some(minutes) = actor.option("minutes") {
            asked["minutes"] = minutes.parse::<u16>().unwrap().into();
        }
        if let Some(second) = actor.second() {
            asked["second"] = second;
        }
        let answer = self.post(actor, &format!("draws/{draw}/{step}"), &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: DecisionReply = answer.json();
        Outcome::of(if reply.is_done { "ok" } else { "waits" })
    }
}

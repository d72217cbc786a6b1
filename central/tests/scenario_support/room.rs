//! What two people do in the draw room.

use actix_web::http::Method;
use keno_wire::room::RoomReply;
use serde_json::{Value, json};

use super::house::House;
use super::outcome::{Outcome, of_problem};
use super::words::{Actor, unquoted};

/// The room, in the words of a table.
fn seen(reply: &RoomReply) -> Outcome {
    let mut outcome = Outcome::of("room");
    outcome = match &reply.open {
        Some(open) => outcome
            .fact(format!("open with {}", open.set))
            .fact(format!("answer {}", open.people.join(" and "))),
        None => outcome.fact("not open"),
    };
    if let Some(choice) = &reply.choice {
        let chosen = choice.chosen.as_deref().unwrap_or("nothing yet");
        outcome = outcome
            .fact(format!("of {}", choice.sets.join(" ")))
            .fact(format!("by draw {}", choice.draw.draw))
            .fact(format!("chosen {chosen}"))
            .fact_if(choice.chosen.is_some(), "chosen");
    }
    for set in &reply.sets {
        let fault = set.fault.as_ref().map_or("good", |fault| fault.as_str());
        outcome = outcome
            .fact(format!("{} {fault}", set.name))
            .fact(format!("{} started {}", set.name, set.starts))
            .fact(format!("{} drew {}", set.name, set.draws));
    }
    for check in &reply.checks {
        let sign = if check.is_good { "has" } else { "lacks" };
        outcome = outcome.fact(format!("{sign} {}", check.check));
    }
    for lack in &reply.lacks {
        outcome = outcome.fact(format!("{} lacks {}", lack.step, lack.people));
    }
    for offered in &reply.offered {
        outcome = outcome.fact(format!("offers {offered}"));
    }
    if let Some(waits) = &reply.waits {
        outcome = outcome.fact(format!("draw {} waits", waits.draw));
    }
    if let Some(asked) = &reply.asked {
        outcome = outcome
            .fact(format!("waits {} by {}", asked.step, asked.by))
            .fact_if(asked.may_agree, "may agree");
    }
    outcome
}

/// The balls of `measures A, ball 7 of 3000`, `measures A, balls 79`: 2,700 mg each.
fn masses(actor: &Actor<'_>) -> Vec<u32> {
    let count = actor.option("balls").map_or(80, |it| it.parse().unwrap());
    let mut masses = vec![2_700; count];
    if let Some(ball) = actor.option("ball") {
        let (number, mass) = ball.split_once(" of ").unwrap();
        masses[number.parse::<usize>().unwrap() - 1] = mass.parse().unwrap();
    }
    masses
}

impl House {
    pub(super) fn is_of_room(verb: &str, what: &str) -> bool {
        match verb {
            "measures" | "hands" => true,
            "asks" => what == "for a set",
            "opens" | "ends" => what.ends_with("the room"),
            "agrees" => what == "in the room",
            "logs" => what.starts_with("an incident"),
            _ => false,
        }
    }

    fn asked_number(&self, actor: &Actor<'_>) -> Value {
        let answer = self.room(actor);
        let reply: Option<RoomReply> = answer.is_good().then(|| answer.json());
        let asked = reply.and_then(|reply| reply.asked);
        asked.map_or(json!(0), |asked| json!(asked.number))
    }

    fn room(&self, actor: &Actor<'_>) -> super::door::Answer {
        let request = self.request(actor, Method::GET, "/api/v1/room");
        self.door.ask(request)
    }

    /// `sees the room`.
    pub(super) fn sees_room(&self, actor: &Actor<'_>) -> Outcome {
        let answer = self.room(actor);
        match answer.is_good() {
            true => seen(&answer.json()),
            false => of_problem(&answer),
        }
    }

    /// `measures A`, `asks for a set`, `opens the room`, `hands over the room`, `ends the room`,
    /// `agrees in the room`, `logs an incident in draw 1`.
    pub(super) fn in_the_room(&self, actor: &Actor<'_>, verb: &str, what: &str) -> Outcome {
        let text = |word: &str| actor.option(word).map_or("", unquoted);
        let (path, asked) = match verb {
            "measures" => (
                "measures",
                json!({
                    "set": what, "masses_mg": masses(actor), "passed": !actor.has("gauge fails"),
                    "instruments": "scale B-1, gauge C-2",
                }),
            ),
            "asks" => ("choice", json!({"reason": text("reason")})),
            "opens" => {
                let counted = actor.option("balls").map_or(80, |it| it.parse().unwrap());
                let camera = text("camera");
                ("opening", json!({"counted": counted, "camera": camera}))
            }
            "hands" | "ends" => ("end", json!({"hands_over": verb == "hands"})),
            "agrees" => ("agreement", json!({"number": self.asked_number(actor)})),
            _ => {
                let draw = what.strip_prefix("an incident in draw ");
                let draw: Option<u64> = draw.map(|draw| draw.parse().unwrap());
                let (said, camera) = (text("text"), text("camera"));
                (
                    "incidents",
                    json!({"draw": draw, "text": said, "camera": camera}),
                )
            }
        };
        let answer = self.post(actor, &format!("room/{path}"), &asked);
        match (answer.is_good(), verb) {
            (true, "logs") => Outcome::of("ok"),
            (true, _) => seen(&answer.json()),
            (false, _) => of_problem(&answer),
        }
    }
}

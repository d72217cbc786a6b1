//! What anyone saw of the draws, as it was shown: nothing of it may be taken back.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::door::{Answer, Door};

/// What was last seen of a draw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// Its state.
    pub state: String,
    /// The most numbers that were ever shown, in order.
    pub balls: Vec<u8>,
    /// It was interrupted by people, who may have let it go on from its seal.
    pub was_suspended: bool,
}

/// Draws by number.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// What was seen.
    pub draws: BTreeMap<u64, Shown>,
    /// What was taken back.
    pub breaches: Vec<String>,
    /// Looks that were taken.
    pub looks: u64,
}

/// How far a draw is; what is over stays over.
fn rank(state: &str) -> u8 {
    match state {
        "scheduled" => 0,
        "open" => 1,
        "closed" | "suspended" => 2,
        "drawing" => 3,
        "drawn" => 4,
        "official" => 5,
        _ => 6,
    }
}

fn is_end(state: &str) -> bool {
    matches!(state, "settled" | "void")
}

impl Seen {
    /// Notes a draw as it was shown.
    pub fn note(&mut self, view: &Value) {
        let Some(number) = view["draw"]["draw"].as_u64() else {
            return;
        };
        self.looks += 1;
        let state = view["state"].as_str().unwrap_or("").to_owned();
        let balls: Vec<u8> = serde_json::from_value(view["balls"].clone()).unwrap_or_default();
        let before = self.draws.entry(number).or_default();
        before.was_suspended |= state == "suspended";
        let goes_back = rank(&state) < rank(&before.state)
            && !(before.was_suspended && rank(&state) == 2 && before.state == "drawing");
        let changes_end = is_end(&before.state) && state != before.state;
        if !before.state.is_empty() && (goes_back || changes_end) {
            self.breaches
                .push(format!("draw {number} was {} and is {state}", before.state));
        }
        // A void draw shows no number any more; the record keeps them.
        if state != "void" {
            let kept = balls.len().min(before.balls.len());
            let is_shorter = balls.len() < before.balls.len();
            if is_shorter || balls.get(..kept) != before.balls.get(..kept) {
                self.breaches.push(format!(
                    "draw {number} showed {:?} and shows {balls:?}",
                    before.balls
                ));
            }
            if balls.len() > before.balls.len() {
                before.balls = balls;
            }
        }
        before.state = state;
    }

    /// Looks at one draw; false when central does not answer.
    pub fn look(&mut self, door: &Door, number: u64) -> bool {
        match door.get(&format!("/draws/{number}")) {
            Answer::Done(view) => {
                self.note(&view);
                true
            }
            Answer::Refused(name) => {
                if self.draws.contains_key(&number) {
                    self.breaches
                        .push(format!("draw {number} was seen and is now {name}"));
                }
                true
            }
            Answer::Lost => false,
        }
    }

    /// Looks at the draws that are under way; false when central does not answer.
    pub fn look_around(&mut self, door: &Door) -> bool {
        let Answer::Done(next) = door.get("/draws/next") else {
            return false;
        };
        self.note(&next);
        let next = next["draw"]["draw"].as_u64().unwrap_or(1);
        (next.saturating_sub(2).max(1)..next).all(|number| self.look(door, number))
    }

    /// Looks again at every draw that was ever seen; false when central does not answer.
    pub fn look_again(&mut self, door: &Door) -> bool {
        let all: Vec<u64> = self.draws.keys().copied().collect();
        all.into_iter().all(|number| self.look(door, number))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn view(state: &str, balls: &[u8]) -> Value {
        json!({"draw": {"draw": 3}, "state": state, "balls": balls})
    }

    fn breaches(views: &[Value]) -> usize {
        let mut seen = Seen::default();
        views.iter().for_each(|one| seen.note(one));
        seen.breaches.len()
    }

    #[test]
    fn what_was_shown_is_not_taken_back() {
        let sound = [
            view("open", &[]),
            view("drawn", &[7]),
            view("drawn", &[7, 9]),
            view("settled", &[7, 9, 11]),
        ];
        assert_eq!(breaches(&sound), 0);
        let suspended = [
            view("drawing", &[]),
            view("suspended", &[]),
            view("closed", &[]),
        ];
        assert_eq!(breaches(&suspended), 0);
        assert_eq!(breaches(&[view("drawing", &[]), view("closed", &[])]), 1);
        for wrong in [
            view("drawn", &[9]),
            view("drawn", &[]),
            view("closed", &[7, 9]),
            view("void", &[]),
        ] {
            let count = breaches(&[view("settled", &[7, 9]), wrong.clone()]);
            assert!(count >= 1, "{wrong}");
        }
    }
}

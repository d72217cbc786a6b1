//! The people who decide about draws: now and then they make a draw void or interrupt one, so
//! that refunds are paid and a kill meets these states too.

use std::net::SocketAddr;

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::door::{Answer, Door};
use crate::founded::{OFFICE_BADGE, SECOND_BADGE, pin_of};

/// A supervisor at the office.
#[derive(Debug)]
pub struct Office {
    door: Door,
    chance: Chance,
    /// An interrupted draw, to go on with.
    suspended: Option<u64>,
}

fn two(reason: &str) -> Value {
    json!({
        "reason": reason, "second": {"badge": SECOND_BADGE, "pin": pin_of(SECOND_BADGE)},
    })
}

impl Office {
    /// An office that is not signed on.
    pub fn new(door: Door, chance: Chance) -> Self {
        Self {
            door,
            chance,
            suspended: None,
        }
    }

    /// Central is elsewhere now.
    pub fn moved(&mut self, address: SocketAddr) {
        self.door.moved(address);
    }

    /// Signs on; false when central does not answer.
    pub fn sign_on(&mut self) -> bool {
        let body = json!({"badge": OFFICE_BADGE, "pin": pin_of(OFFICE_BADGE)});
        match self.door.post("/sessions", &body) {
            Answer::Done(reply) => {
                let token = reply["token"].as_str().unwrap_or("");
                self.door.session = Some(format!("{}.{token}", reply["session"]));
                true
            }
            _ => false,
        }
    }

    /// `POST /draws/{number}/{step}`.
    pub fn step(&self, draw: u64, step: &str) -> Answer {
        let body = match step {
            "suspend" => json!({"reason": "the machine is looked at"}),
            _ => two("decided by two people"),
        };
        self.door.post(&format!("/draws/{draw}/{step}"), &body)
    }

    /// Makes a draw void that is on sale, some draws ahead; false when central does not answer.
    pub fn make_void(&mut self, ahead: u64) -> bool {
        let Answer::Done(next) = self.door.get("/draws/next") else {
            return false;
        };
        let Some(next) = next["draw"]["draw"].as_u64() else {
            return true;
        };
        self.step(next + ahead, "void") != Answer::Lost
    }

    /// One thing that happens at the office; false when central does not answer.
    pub fn act(&mut self) -> bool {
        if let Some(draw) = self.suspended.take() {
            let answer = self.step(draw, "resume");
            if answer == Answer::Lost {
                self.suspended = Some(draw);
                return false;
            }
            return true;
        }
        if self.chance.below(250) == 0 {
            let ahead = 2 + self.chance.below(6);
            return self.make_void(ahead);
        }
        if !self.chance.percent(4) {
            return true;
        }
        let Answer::Done(next) = self.door.get("/draws/next") else {
            return false;
        };
        let before = next["draw"]["draw"].as_u64().unwrap_or(1).saturating_sub(1);
        let Answer::Done(view) = self.door.get(&format!("/draws/{before}")) else {
            return before == 0;
        };
        if matches!(view["state"].as_str(), Some("closed" | "drawing")) {
            self.suspended = Some(before);
            return self.step(before, "suspend") != Answer::Lost;
        }
        true
    }
}

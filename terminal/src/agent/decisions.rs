//! What a supervisor decides at a terminal about a draw or the sales of the house; what lets them
//! go on, or ends them, takes two people.

use keno_slip::money::draw_number;
use keno_wire::request::{DrawActionRequest, SecondPerson};
use keno_words::{Say, agent as words};
use serde::Serialize;
use serde_json::json;

use super::Agent;
use super::session::ASK_AGAIN;
use crate::exit::{Exit, Stop};

impl Agent<'_> {
    /// Stops the sales of the whole house.
    pub fn stop_sales(&mut self, reason: &str) -> Result<Exit, Stop> {
        let request = json!({ "reason": reason });
        self.decide("/house/suspend", &request, &words::SalesStopped)
    }

    /// Lets the sales of the house go on.
    pub fn resume_sales(&mut self, second: SecondPerson) -> Result<Exit, Stop> {
        let request = json!({ "second": self.second_person(second)? });
        self.decide("/house/resume", &request, &words::SalesGoOn)
    }

    /// Interrupts a draw; its seal stands.
    pub fn suspend_draw(&mut self, draw: u64, reason: &str) -> Result<Exit, Stop> {
        let done = words::DrawInterrupted {
            name: &draw_number(draw),
        };
        self.act(draw, "suspend", reason, None, &done)
    }

    /// Goes on with an interrupted draw from its seal.
    pub fn resume_draw(&mut self, draw: u64, second: SecondPerson) -> Result<Exit, Stop> {
        let done = words::DrawResumed {
            name: &draw_number(draw),
        };
        self.act(draw, "resume", "", Some(second), &done)
    }

    /// Voids a draw: each of its wagers is given back.
    pub fn void_draw(
        &mut self,
        draw: u64,
        reason: &str,
        second: SecondPerson,
    ) -> Result<Exit, Stop> {
        let done = words::DrawVoided {
            name: &draw_number(draw),
        };
        self.act(draw, "void", reason, Some(second), &done)
    }

    /// One of the actions of a draw, by the second person where it takes two.
    fn act(
        &mut self,
        draw: u64,
        action: &str,
        reason: &str,
        second: Option<SecondPerson>,
        done: &dyn Say,
    ) -> Result<Exit, Stop> {
        let request = DrawActionRequest {
            finding: None,
            leaving: None,
            minutes: None,
            agreeing: None,
            reason: reason.to_owned(),
            second: self.second_person_if_any(second)?,
        };
        self.decide(&format!("/draws/{draw}/{action}"), &request, done)
    }

    fn decide<Q: Serialize>(
        &mut self,
        path: &str,
        request: &Q,
        done: &dyn Say,
    ) -> Result<Exit, Stop> {
        let _: serde_json::Value = self.command_without_key(path, request, ASK_AGAIN)?;
        self.told.tell(done);
        Ok(Exit::Done)
    }
}

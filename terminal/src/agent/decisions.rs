//! What a supervisor decides at a terminal about a draw or the sales of the house; what lets them
//! go on, or ends them, takes two people.

use keno_slip::money::draw_number;
use keno_wire::request::DrawActionRequest;
use keno_words::{Say, agent as words};
use serde::Serialize;

use super::Agent;
use super::done::Done;
use super::second::Second;
use super::session::ASK_AGAIN;
use crate::exit::{Exit, Stop};

impl Agent<'_> {
    /// Stops the sales of the whole house.
    pub fn stop_sales(&mut self, reason: &str) -> Done {
        self.at_work(|agent| {
            agent.decide(
                "/house/suspend",
                &serde_json::json!({ "reason": reason }),
                &words::SalesStopped,
            )
        })
    }

    /// Lets the sales of the house go on.
    pub fn resume_sales(&mut self, second: Second) -> Done {
        self.at_work(|agent| {
            let second = agent.second_person(second)?;
            agent.decide(
                "/house/resume",
                &serde_json::json!({ "second": second }),
                &words::SalesGoOn,
            )
        })
    }

    /// Interrupts a draw; its seal stands.
    pub fn suspend_draw(&mut self, draw: u64, reason: &str) -> Done {
        self.at_work(|agent| {
            let request = DrawActionRequest {
                reason: reason.to_owned(),
                second: None,
            };
            let name = draw_number(draw);
            agent.decide(
                &format!("/draws/{draw}/suspend"),
                &request,
                &words::DrawInterrupted { name: &name },
            )
        })
    }

    /// Goes on with an interrupted draw from its seal.
    pub fn resume_draw(&mut self, draw: u64, second: Second) -> Done {
        self.at_work(|agent| {
            let request = DrawActionRequest {
                reason: String::new(),
                second: Some(agent.second_person(second)?),
            };
            let name = draw_number(draw);
            agent.decide(
                &format!("/draws/{draw}/resume"),
                &request,
                &words::DrawResumed { name: &name },
            )
        })
    }

    /// Voids a draw: each of its wagers is given back.
    pub fn void_draw(&mut self, draw: u64, reason: &str, second: Second) -> Done {
        self.at_work(|agent| {
            let request = DrawActionRequest {
                reason: reason.to_owned(),
                second: Some(agent.second_person(second)?),
            };
            let name = draw_number(draw);
            agent.decide(
                &format!("/draws/{draw}/void"),
                &request,
                &words::DrawVoided { name: &name },
            )
        })
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

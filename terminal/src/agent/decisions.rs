//! What a supervisor decides at a terminal about a draw or the sales of the house; what lets them
//! go on, or ends them, takes two people.

use keno_slip::money::draw_number;
use keno_wire::request::DrawActionRequest;
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
                "Ventes arrêtées dans toute la maison.",
                "Sales are stopped in the whole house.",
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
                "Les ventes reprennent.",
                "Sales go on.",
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
                &format!("Tirage {name} interrompu."),
                &format!("Draw {name} is interrupted."),
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
                &format!("Le tirage {name} reprend depuis son sceau."),
                &format!("Draw {name} goes on from its seal."),
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
                &format!("Tirage {name} annulé : ses mises se remboursent aux comptoirs."),
                &format!("Draw {name} is void: its wagers are refunded at the counters."),
            )
        })
    }

    fn decide<Q: Serialize>(
        &mut self,
        path: &str,
        request: &Q,
        done_fr: &str,
        done_en: &str,
    ) -> Result<Exit, Stop> {
        let _: serde_json::Value = self.command_without_key(path, request, ASK_AGAIN)?;
        self.told.tell(done_fr, done_en);
        Ok(Exit::Done)
    }
}

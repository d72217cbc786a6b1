//! A patron at the counter who is not paid: a minor, or somebody excluded.
//!
//! No money moves and nothing is printed, so there is no key: given again after a lost answer, it
//! is another refusal that says the same. Nobody's name is asked, and none is sent.

use keno_wire::request::PatronRefusalRequest;
use keno_words::agent as words;

use super::Agent;
use super::done::Fact;
use crate::exit::{Exit, Stop};

impl Agent<'_> {
    /// The holder of a ticket is not paid; two people pay it from then on.
    pub fn refuse_patron(&mut self, request: PatronRefusalRequest) -> Result<Exit, Stop> {
        self.record("/patron-refusals", &request, &words::PaymentRefusedToHolder)?;
        self.so_far.fact = Some(Fact::PatronRefused {
            reason: request.reason,
        });
        Ok(Exit::Done)
    }
}

//! The clerk: does what the pages say, looks at the papers, and moves cash by papers alone.

use std::time::Duration;

use anyhow::bail;
use serde_json::{Value, json};

use super::agent::Pages;
use super::tray::{Kind, Paper, Tray};
use super::{Planted, TILL_CENTS};
use crate::clock::Stopwatch;
use crate::slips::Order;

/// A command as the clerk gives it.
#[derive(Debug, Clone)]
pub struct Given {
    command: &'static str,
    body: Value,
    kind: Kind,
    /// Price, refund or prize in cents.
    cents: i64,
}

impl Given {
    /// A sale.
    pub fn sale(order: &Order) -> Self {
        Self {
            command: "sales",
            body: json!({
                "slip": order.slip,
                "total_cents": order.total_cents,
                "confirm": "typed",
                "typed_cents": order.total_cents,
            }),
            kind: Kind::Ticket,
            cents: order.total_cents,
        }
    }

    /// A cancellation of a ticket of that price.
    pub fn cancellation(code: String, cents: i64) -> Self {
        Self {
            command: "cancellations",
            body: json!({"code": code, "reason": "changed_mind"}),
            kind: Kind::Cancellation,
            cents,
        }
    }

    /// A payment of that much.
    pub fn payment(code: String, cents: i64) -> Self {
        Self {
            command: "payments",
            body: json!({"code": code, "total_cents": cents}),
            kind: Kind::Payment,
            cents,
        }
    }

    /// The code of the ticket that is cancelled or paid.
    pub fn code(&self) -> Option<&str> {
        self.body["code"].as_str()
    }

    /// Gives it; none when nobody answered.
    pub fn give(&self, pages: &Pages) -> Option<Value> {
        pages.does(self.command, &self.body)
    }
}

/// The clerk of a shift.
#[derive(Debug)]
pub struct Clerk {
    plant: Option<Planted>,
    /// Cash in the drawer, in cents.
    pub drawer_cents: i64,
    /// Claim codes on tickets that patrons took away.
    pub tickets: Vec<String>,
    /// Receipts of cancellations.
    pub cancellations: u64,
    /// Receipts of payments.
    pub payments: u64,
    /// Commands that were put aside.
    pub parked: u64,
    /// The player of this sale had the money back when it was put aside.
    gave_back: bool,
    /// Sales whose money went back.
    pub given_back: u64,
    /// Tickets that were torn.
    pub torn: u64,
    /// What a clerk would complain about.
    pub breaches: Vec<String>,
}

impl Clerk {
    /// A clerk with a float.
    pub const fn new(plant: Option<Planted>) -> Self {
        Self {
            plant,
            drawer_cents: TILL_CENTS,
            tickets: Vec::new(),
            cancellations: 0,
            payments: 0,
            parked: 0,
            gave_back: false,
            given_back: 0,
            torn: 0,
            breaches: Vec::new(),
        }
    }

    /// Puts the command in doubt aside: its money is kept, and every other time given back.
    pub fn parks(&mut self, pages: &Pages) {
        let Some(state) = pages.state(None) else {
            return;
        };
        // What stands as not answered, or else what is asked about now.
        let open = state["open"].as_array().into_iter().flatten();
        let unanswered = open.filter(|item| item["stage"] == "asking");
        let key = unanswered
            .map(|item| &item["key"])
            .chain([&state["asking"]])
            .find(|key| !key.is_null());
        let gives_back = self.parked % 2 == 1;
        let money = if gives_back { "given_back" } else { "kept" };
        if let Some(key) = key
            && let Some(reply) = pages.does("park", &json!({ "key": key, "money": money }))
            && reply["exit"] == "done"
        {
            self.parked += 1;
            self.gave_back = gives_back;
        }
    }

    /// Works off what is open after a command until nothing is, then moves the cash by what lies
    /// in the tray. The stages that were open first.
    ///
    /// # Errors
    /// When it does not come to rest.
    pub fn work_off(
        &mut self,
        pages: &Pages,
        tray: &mut Tray,
        given: &Given,
        reply: Option<Value>,
        within: Duration,
    ) -> anyhow::Result<Vec<String>> {
        let since = Stopwatch::start();
        let mut papers = Vec::new();
        let mut first = None;
        let mut was_told_back = false;
        let mut change = None;
        loop {
            if since.elapsed() > within {
                bail!("not at rest after {within:?}: {:?}", pages.state(None));
            }
            let Some(state) = pages.state(change) else {
                bail!("the agent does not answer");
            };
            change = state["change"].as_u64();
            if state["central"]["state"] != "trusted" || !state["busy"].is_null() {
                continue;
            }
            let open = state["open"].as_array().cloned().unwrap_or_default();
            let stages = open
                .iter()
                .map(|item| text(&item["stage"]))
                .collect::<Vec<_>>();
            if first.is_none() {
                first = Some(stages.clone());
            }
            if open.is_empty() {
                break;
            }
            for item in &open {
                let key = &item["key"];
                match item["stage"].as_str() {
                    Some("to_tell") => {
                        was_told_back |= item["kind"] == "sale";
                        pages.does("acknowledge", &json!({"key": key}));
                    }
                    Some("to_hand_over") => {
                        pages.does("acknowledge", &json!({"key": key}));
                    }
                    Some("to_print" | "torn" | "to_withdraw") => {
                        let said = pages.does("resolve", &json!({}));
                        self.needs_two_people(said.as_ref());
                    }
                    Some("paper_in_doubt") => {
                        papers.extend(tray.take()?);
                        let wanted = match item["kind"].as_str() {
                            Some("sale") => Kind::Ticket,
                            Some("cancellation") => Kind::Cancellation,
                            _ => Kind::Payment,
                        };
                        let is_whole = papers
                            .iter()
                            .any(|paper| paper.kind == wanted && paper.is_whole);
                        let said = pages.does("paper", &json!({"key": key, "whole": is_whole}));
                        self.needs_two_people(said.as_ref());
                    }
                    _ => {}
                }
            }
        }
        papers.extend(tray.take()?);
        self.settle(given, &papers, was_told_back, reply.as_ref());
        Ok(first.unwrap_or_default())
    }

    /// What this clerk sells is far ahead: nothing of it should ever need a duplicate.
    fn needs_two_people(&mut self, said: Option<&Value>) {
        if let Some(said) = said
            && said.to_string().contains("duplicata")
        {
            self.breaches
                .push(format!("two people are asked for: {said}"));
        }
    }

    fn settle(
        &mut self,
        given: &Given,
        papers: &[Paper],
        was_told_back: bool,
        reply: Option<&Value>,
    ) {
        let whole = |kind: Kind| {
            papers
                .iter()
                .filter(move |it| it.kind == kind && it.is_whole)
        };
        let is_done = reply.is_some_and(|reply| reply["exit"] == "done");
        let originals = |kind: Kind| whole(kind).filter(|it| !it.is_reprint).count();
        let mut papers_of = whole(given.kind).count();
        if self.plant == Some(Planted::ReceiptLost) && given.kind != Kind::Ticket && papers_of > 0 {
            self.plant = None;
            papers_of = 0;
        }
        if originals(given.kind) > 1 {
            self.breaches.push(format!(
                "{} papers of one command, none marked",
                originals(given.kind)
            ));
        }
        // A receipt of a cancellation is also that of a torn ticket.
        let is_of_it = |it: &&Paper| {
            it.kind == given.kind || given.kind == Kind::Ticket && it.kind == Kind::Cancellation
        };
        for other in papers.iter().filter(|it| it.is_whole && !is_of_it(it)) {
            if other.kind != Kind::Other {
                let command = given.command;
                self.breaches.push(format!(
                    "of another command than this of {command}: {other:?}"
                ));
            }
        }
        if is_done && papers_of == 0 {
            self.breaches
                .push(format!("{}: done, without a paper", given.command));
        }
        match given.kind {
            Kind::Ticket => {
                let codes = whole(Kind::Ticket).filter_map(|it| it.code.clone());
                self.tickets.extend(codes);
                self.plants_a_ticket();
                if papers_of > 0 {
                    self.drawer_cents += given.cents;
                    if self.gave_back {
                        self.breaches
                            .push("a ticket, and its player had the money back".to_owned());
                    }
                    if was_told_back && self.parked == 0 {
                        self.breaches
                            .push("a ticket, and its money was to go back".to_owned());
                    }
                } else {
                    self.given_back += 1;
                }
                // A torn ticket was cancelled: in and out again.
                let torn = whole(Kind::Cancellation).count();
                if torn > 0 {
                    self.torn += 1;
                    self.cancellations += 1;
                    if papers_of > 0 {
                        let text = format!("a whole ticket was cancelled: {papers:?}");
                        self.breaches.push(text);
                    }
                }
            }
            Kind::Cancellation if papers_of > 0 => {
                self.cancellations += 1;
                self.drawer_cents -= given.cents;
            }
            Kind::Payment if papers_of > 0 => {
                self.payments += 1;
                self.drawer_cents -= given.cents;
            }
            _ => {}
        }
        self.gave_back = false;
        if self.plant == Some(Planted::BackTooEarly) && reply.is_none() {
            self.drawer_cents -= given.cents;
        }
    }
}

impl Clerk {
    /// What is planted in the papers that patrons took away; once.
    fn plants_a_ticket(&mut self) {
        match (self.plant, self.tickets.last().cloned()) {
            (Some(Planted::PaperTwice), Some(code)) => self.tickets.push(code),
            (Some(Planted::PaperLost), Some(_)) => drop(self.tickets.pop()),
            (Some(Planted::PaperForged), Some(code)) => {
                let forged = keno_wire::ClaimCode::parse(&code).map(|mut code| {
                    code.secret[0] ^= 1;
                    code.text()
                });
                self.tickets.extend(forged);
            }
            _ => return,
        }
        self.plant = None;
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

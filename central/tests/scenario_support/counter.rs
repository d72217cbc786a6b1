//! What is done at a counter or a kiosk: slips priced and sold, papers checked, cancelled, paid.

use keno_wire::reply::{CancelReply, CheckReply, PayReply, PriceReply, SellReply, TicketView};
use serde_json::{Value, json};

use super::door::Answer;
use super::house::{House, Ticket};
use super::outcome::{Outcome, of_problem};
use super::slip::{self, amount, cents};
use super::words::{Actor, unquoted};

impl House {
    pub(super) fn prices(&self, actor: &Actor<'_>, slip: &str) -> Outcome {
        let answer = self.post(actor, "prices", &json!({"slip": slip::read(slip)}));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: PriceReply = answer.json();
        Outcome::of("total")
            .fact(amount(reply.total_cents))
            .fact(format!("per draw {}", amount(reply.per_draw_cents)))
            .fact(format!("draws {} to {}", reply.first.draw, reply.last.draw))
    }

    pub(super) fn sells(&mut self, actor: &Actor<'_>, what: &str) -> Outcome {
        if let Some(name) = what.strip_suffix(" again") {
            let mut request = self.ticket(name).request.clone();
            if actor.has("other content") {
                let received = request["received_cents"].as_i64().unwrap();
                request["received_cents"] = (received + 500).into();
            }
            let answer = self.post(actor, "sales", &request);
            return self.sold(name, &answer, &request);
        }
        let (name, slip) = what
            .split_once(':')
            .unwrap_or_else(|| panic!("a sale names its ticket: sells A: {what}"));
        let Some((first, last)) = name.split_once(" to ") else {
            return self.sells_one(actor, name, slip);
        };
        // `S1 to S21: keno # @ 0.50`
        let (letters, from) = first.split_at(first.find(|c: char| c.is_ascii_digit()).unwrap());
        let to: u32 = last.trim_start_matches(letters).parse().unwrap();
        let mut outcome = Outcome::default();
        for number in from.parse::<u32>().unwrap()..=to {
            let slip = slip.replace('#', &number.to_string());
            let before = self.log_size();
            outcome = self.sells_one(actor, &format!("{letters}{number}"), &slip);
            if outcome.is_refusal {
                // The runner sees the record before the first of them only.
                outcome.is_refusal = false;
                if self.log_size() != before {
                    outcome
                        .faults
                        .push("a refusal that was recorded".to_owned());
                }
                break;
            }
        }
        outcome
    }

    pub(super) fn sells_one(&mut self, actor: &Actor<'_>, name: &str, slip: &str) -> Outcome {
        let slip = slip::read(slip);
        // The clerk tells the price that the terminal shows.
        let priced = self.post(actor, "prices", &json!({"slip": &slip}));
        let price = if priced.is_good() {
            priced.json::<PriceReply>().total_cents
        } else {
            0
        };
        let tender = ["cash", "coupon", "chip"]
            .into_iter()
            .find(|tender| actor.has(tender))
            .or(actor.option("tender"))
            .unwrap_or("cash");
        let mut request = json!({
            "key": self.key(actor),
            "slip": slip,
            "tender": tender,
            "received_cents": actor.option("received").map_or(price, cents),
            "total_cents": actor.option("told").map_or(price, cents),
            "intake": actor.option("intake").unwrap_or("slip"),
        });
        if let Some(name) = actor.option("replay of") {
            request["replay_of"] = name
                .parse()
                .unwrap_or_else(|_| self.ticket(name).leaf)
                .into();
        }
        if actor.has("in the background") {
            let (_, _, sales) = self.central.sequencer.waiting();
            let waiting = self
                .door
                .ask_later(self.posting(actor, "sales", &request), || {
                    self.central.sequencer.waiting().2 > sales
                });
            if waiting.is_finished() {
                return self.sold(name, &self.door.answer_of(waiting), &request);
            }
            self.waiting.insert(name.to_owned(), (waiting, request));
            return Outcome::of("waits");
        }
        let answer = self.post(actor, "sales", &request);
        self.sold(name, &answer, &request)
    }

    /// `hears of A`: the answer to a sale that was left waiting.
    pub(super) fn hears(&mut self, object: &str) -> Outcome {
        let name = object.trim_start_matches("of ");
        let (waiting, request) = self
            .waiting
            .remove(name)
            .unwrap_or_else(|| panic!("nothing waits under {name:?}"));
        let answer = self.door.answer_of(waiting);
        self.sold(name, &answer, &request)
    }

    pub(super) fn sold(&mut self, name: &str, answer: &Answer, request: &Value) -> Outcome {
        if !answer.is_good() {
            return of_problem(answer);
        }
        let reply: SellReply = answer.json();
        let ticket = &reply.ticket;
        let outcome = Outcome::of("sold")
            .fact(format!("total {}", amount(ticket.total_cents)))
            .fact(format!("per draw {}", amount(ticket.per_draw_cents)))
            .fact(format!("change {}", amount(ticket.change_cents)))
            .fact(format!(
                "draws {} to {}",
                ticket.first.draw, ticket.last.draw
            ))
            .fact(format!("tender {}", ticket.tender))
            .fact(format!("claim by {}", ticket.claim_by))
            .fact(format!("rules {}", ticket.rule_book))
            .fact(match ticket.claim_code {
                Some(_) => "with code",
                None => "without code",
            })
            .fact_if(reply.repeated, "repeated")
            .fact_if(ticket.selections.iter().any(|s| s.quick_pick), "quick pick");
        if !reply.repeated {
            let mut codes = std::collections::BTreeMap::new();
            if let Some(code) = &ticket.claim_code {
                codes.insert(ticket.copy, code.clone());
            }
            self.tickets.insert(
                name.trim().to_owned(),
                Ticket {
                    leaf: ticket.ticket,
                    number: ticket.control_number.clone(),
                    codes,
                    request: request.clone(),
                    payment: None,
                },
            );
        } else if reply.ticket.ticket != self.ticket(name.trim()).leaf {
            return Outcome::of("sold").fact("another ticket under the same key");
        }
        outcome
    }

    pub(super) fn cancels(&mut self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let asked = json!({
            "key": self.key(actor),
            "code": self.code(paper),
            "reason": actor.option("reason").unwrap_or("changed_mind"),
            "second": actor.second(),
        });
        let answer = self.post(actor, "cancellations", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: CancelReply = answer.json();
        Outcome::of("refund")
            .fact(amount(reply.refund_cents))
            .fact(format!("in {}", reply.tender))
            .fact(format!("handed {}", amount(reply.handed_cents())))
            .fact(format!("change {}", amount(reply.change_cents)))
            .fact_if(reply.repeated, "repeated")
    }

    pub(super) fn confirms_print(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let ticket = self.ticket(Self::name_of(paper));
        let newest = ticket.codes.keys().next_back().copied().unwrap_or(1);
        let copy = match paper.rsplit_once(" copy ") {
            Some((_, copy)) => copy.parse().unwrap(),
            None => newest,
        };
        let how = actor.option("by").unwrap_or("printer");
        let asked = json!({"ticket": ticket.leaf, "copy": copy, "how": how});
        self.recorded(actor, "prints", &asked)
    }

    pub(super) fn checks(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let answer = self.post(actor, "checks", &json!({"code": self.code(paper)}));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: CheckReply = answer.json();
        let mut outcome = Outcome::of(reply.verdict.code.as_str())
            .sentence(&reply.verdict.sentence)
            .fact_if(reply.second_person, "second person needed")
            .fact_if(!reply.second_person, "nobody needed")
            .fact_if(reply.cancel_by_two, "cancelled by two")
            .fact_if(!reply.cancel_by_two, "cancelled by one")
            .fact_if(reply.patron_refused.is_none(), "nobody refused")
            .fact_if(reply.for_the_cage, "for the cage")
            .fact_if(!reply.for_the_cage, "for this counter")
            .fact_if(reply.ticket.is_some(), "with ticket")
            .fact_if(reply.ticket.is_none(), "without ticket");
        // What is said of an amount is anywhere in the reply, so all of it is looked through.
        let says_amount = answer.body.contains("_cents") || answer.body.contains('$');
        outcome = match reply.payable_cents {
            Some(cents) => outcome.fact(format!("amount {}", amount(cents))),
            None => outcome.fact_if(!says_amount, "no amount"),
        };
        if let Some(reason) = &reply.patron_refused {
            outcome = outcome.fact(format!("refused as {reason}"));
        }
        for item in &reply.payable {
            outcome = outcome.fact(format!("draw {} {}", item.draw, amount(item.amount_cents)));
        }
        let has_code = reply
            .ticket
            .is_some_and(|ticket| ticket.claim_code.is_some());
        if has_code {
            outcome
                .faults
                .push("an inquiry gave the claim code".to_owned());
        }
        outcome
    }

    pub(super) fn pays(&mut self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let items: Vec<Value> = actor
            .options
            .iter()
            .filter_map(|option| option.strip_prefix("draw "))
            .map(|item| {
                let (draw, shown) = item.split_once(' ').unwrap();
                json!({"draw": draw.parse::<u64>().unwrap(), "amount_cents": cents(shown.trim())})
            })
            .collect();
        let mut asked = json!({"key": self.key(actor), "code": self.code(paper), "items": items});
        if let Some(second) = actor.second() {
            asked["second"] = second;
        }
        let answer = self.post(actor, "payments", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: PayReply = answer.json();
        let name = Self::name_of(paper).to_owned();
        self.tickets.get_mut(&name).unwrap().payment = Some(reply.payment);
        let outcome = Outcome::of("paid")
            .fact(amount(reply.total_cents))
            .fact(format!("in {}", reply.tender))
            .fact(format!("cash {}", amount(reply.cash_cents)))
            .fact(format!("draws left {}", reply.draws_left))
            .fact_if(reply.repeated, "repeated");
        match reply.second {
            Some(second) => outcome.fact(format!("second {second}")),
            None => outcome,
        }
    }

    pub(super) fn reverses(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let payment = match paper.strip_prefix("payment ") {
            Some(number) if number.parse::<u64>().is_ok() => number.parse().unwrap(),
            _ => {
                let name = Self::name_of(paper);
                let payment = self.ticket(name).payment;
                payment.unwrap_or_else(|| panic!("{name} was not paid"))
            }
        };
        let asked = json!({
            "payment": payment,
            "reason": actor.option("reason").map_or("", unquoted),
            "second": actor.second_or_nobody(),
        });
        self.recorded(actor, "reversals", &asked)
    }

    pub(super) fn duplicates(&mut self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let asked = json!({
            "code": self.code(paper),
            "reason": actor.option("reason").map_or("", unquoted),
            "second": actor.second_or_nobody(),
        });
        let answer = self.post(actor, "duplicates", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: TicketView = answer.json();
        let name = Self::name_of(paper).to_owned();
        let ticket = self.tickets.get_mut(&name).unwrap();
        let code = reply.claim_code.unwrap();
        if ticket.codes.values().any(|other| *other == code) {
            return Outcome::of("copy").fact("with the code of another copy");
        }
        ticket.codes.insert(reply.copy, code);
        Outcome::of("copy").fact(reply.copy.to_string())
    }

    /// `notes discrepancy on A, facts 1 5, note "…"`
    pub(super) fn notes(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let paper = paper.trim_start_matches("discrepancy on ");
        let facts: Vec<u8> = actor
            .option("facts")
            .unwrap_or("")
            .split_whitespace()
            .map(|fact| fact.parse().unwrap())
            .collect();
        let asked = json!({"code": self.code(paper), "facts": facts,
            "note": actor.option("note").map_or("", unquoted)});
        self.recorded(actor, "discrepancies", &asked)
    }
}

//! What people do: a line of a table becomes one request, and its answer an outcome.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use keno_central::api::types::{CloseShiftReply, DoneReply, TimeReply, TranscriptReply};
use keno_wire::reply::{
    CancelReply, CheckReply, DrawView, KeyReply, PayReply, PriceReply, RecordedReply, SellReply,
    SignOnReply, TicketView,
};
use serde_json::{Value, json};

use super::door::Answer;
use super::house::{House, PIN, Ticket, changed};
use super::outcome::{Outcome, of_problem};
use super::slip::{self, amount, cents};

/// Who acts and with what.
struct Actor<'a> {
    badge: &'a str,
    device: &'a str,
    /// What the line says after its main part, one by one.
    options: Vec<&'a str>,
}

impl<'a> Actor<'a> {
    /// The rest of the option that begins with a word.
    fn option(&self, word: &str) -> Option<&'a str> {
        self.options.iter().find_map(|option| {
            let rest = option.strip_prefix(word)?;
            (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim())
        })
    }

    fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    fn second(&self) -> Option<Value> {
        let mut words = self.option("second")?.split_whitespace();
        let badge = words.next().unwrap();
        let pin = match (words.next(), words.next()) {
            (Some("pin"), Some(pin)) => pin,
            _ => PIN,
        };
        Some(json!({"badge": badge, "pin": pin}))
    }

    /// The second person, where the request cannot be sent without one.
    fn second_or_nobody(&self) -> Value {
        self.second()
            .unwrap_or_else(|| json!({"badge": "", "pin": ""}))
    }
}

/// The parts of a line between commas; commas between quotation marks or in JSON divide nothing.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quoted) = (Vec::new(), 0, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"')
}

impl House {
    /// Carries out a person's line. `None` for a line that is not one.
    pub fn person(&mut self, action: &str) -> Option<Outcome> {
        let (who, rest) = action.split_once(' ')?;
        let (badge, device) = who.split_once('@')?;
        // Raw requests keep their commas.
        for method in [Method::POST, Method::GET, Method::DELETE] {
            if let Some(raw) = rest.strip_prefix(&format!("{method} ")) {
                let actor = Actor {
                    badge,
                    device,
                    options: Vec::new(),
                };
                return Some(self.raw(&actor, method, raw.trim()));
            }
        }
        let mut options = parts(rest);
        let main = options.remove(0);
        let actor = Actor {
            badge,
            device,
            options,
        };
        let (verb, object) = main.split_once(' ').unwrap_or((main, ""));
        Some(self.act(&actor, verb, object.trim()))
    }

    fn act(&mut self, actor: &Actor<'_>, verb: &str, object: &str) -> Outcome {
        match (verb, object) {
            ("signs", "on") => self.signs_on(actor),
            ("signs", "off") => self.recorded(actor, "sessions/end", &json!({})),
            ("prices", slip) => self.prices(actor, slip),
            ("sells", what) => self.sells(actor, what),
            ("hears", name) => self.hears(name),
            ("confirms", "the clock") => {
                let asked = json!({"second": actor.second_or_nobody()});
                self.done(actor, "schedule/confirm", &asked)
            }
            ("confirms", paper) => self.confirms_print(actor, paper),
            ("checks", paper) => self.checks(actor, paper),
            ("presents", paper) => {
                let asked = json!({"code": self.code(paper)});
                self.recorded(actor, "presentations", &asked)
            }
            ("cancels", paper) => self.cancels(actor, paper),
            ("pays", paper) => self.pays(actor, paper),
            ("reverses", paper) => self.reverses(actor, paper),
            ("marks", paper) => {
                let paper = paper.strip_suffix(" unpaid").unwrap_or(paper);
                let asked = json!({"code": self.code(paper), "second": actor.second_or_nobody()});
                self.recorded(actor, "unpaid", &asked)
            }
            ("releases", paper) => {
                let asked = json!({"code": self.code(paper), "second": actor.second_or_nobody(),
                    "evidence": actor.option("evidence").map_or("", unquoted)});
                self.recorded(actor, "releases", &asked)
            }
            ("duplicates", paper) => self.duplicates(actor, paper),
            ("notes", paper) => self.notes(actor, paper),
            ("closes", name) => self.closes_key(actor, name),
            ("asks", "the time") => self.asks_time(actor),
            ("asks", name) => self.asks_key(actor, name),
            ("counts", counted) => self.counts(actor, counted.trim_start_matches("the till ")),
            ("stops", "sales") => {
                let asked = json!({"reason": actor.option("reason").map_or("", unquoted)});
                self.done(actor, "house/suspend", &asked)
            }
            ("resumes", "sales") => {
                let asked = json!({"second": actor.second_or_nobody()});
                self.done(actor, "house/resume", &asked)
            }
            ("suspends" | "resumes" | "voids", draw) => self.draw_action(actor, verb, draw),
            ("looks", draw) => self.looks(actor, draw),
            ("reads", draw) => self.reads(actor, draw),
            ("publishes", "rules") => self.publishes(actor),
            _ => panic!("nobody knows how to: {verb} {object}"),
        }
    }

    // ---- requests ----

    fn request(&self, actor: &Actor<'_>, method: Method, path: &str) -> TestRequest {
        let mut request = TestRequest::default().method(method).uri(path);
        if actor.device != "nowhere" {
            let (number, mut key) = match self.devices.get(actor.device) {
                Some((number, key)) => (*number, key.clone()),
                None => (99, "00".repeat(32)),
            };
            if actor.has("wrong device key") {
                key = "00".repeat(32);
            }
            request = request.insert_header(("Boulier-Device", format!("{number}.{key}")));
        }
        let at = (actor.badge.to_owned(), actor.device.to_owned());
        if let Some((session, token)) = self.sessions.get(&at) {
            let token = if actor.has("wrong token") {
                "00".repeat(32)
            } else {
                token.clone()
            };
            request = request.insert_header(("Boulier-Session", format!("{session}.{token}")));
        }
        request
    }

    fn posting(&self, actor: &Actor<'_>, path: &str, body: &Value) -> TestRequest {
        self.request(actor, Method::POST, &format!("/api/v1/{path}"))
            .insert_header(("content-type", "application/json"))
            .set_payload(body.to_string())
    }

    fn post(&self, actor: &Actor<'_>, path: &str, body: &Value) -> Answer {
        self.door.ask(self.posting(actor, path, body))
    }

    fn get(&self, actor: &Actor<'_>, path: &str) -> Answer {
        self.door
            .ask(self.request(actor, Method::GET, &format!("/api/v1/{path}")))
    }

    fn raw(&self, actor: &Actor<'_>, method: Method, text: &str) -> Outcome {
        let (path, body) = text.split_once(' ').unwrap_or((text, ""));
        let body = match body.trim().strip_prefix("body of ") {
            Some(size) => {
                let size = size.strip_suffix(" bytes").unwrap().parse().unwrap();
                "7".repeat(size)
            }
            None => body.trim().to_owned(),
        };
        let request = self
            .request(actor, method, path)
            .insert_header(("content-type", "application/json"))
            .set_payload(body);
        let answer = self.door.ask(request);
        if answer.is_good() {
            Outcome::of("status").fact(answer.status.to_string())
        } else {
            of_problem(&answer)
        }
    }

    /// A request whose good answer is `ok`.
    fn recorded(&self, actor: &Actor<'_>, path: &str, body: &Value) -> Outcome {
        let answer = self.post(actor, path, body);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        answer.json::<RecordedReply>();
        Outcome::of("ok")
    }

    fn done(&self, actor: &Actor<'_>, path: &str, body: &Value) -> Outcome {
        let answer = self.post(actor, path, body);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        answer.json::<DoneReply>();
        Outcome::of("ok")
    }

    // ---- papers ----

    /// What is scanned or typed: `A`, `code of A copy 1`, `number of A mistyped`, `"…"`.
    fn code(&self, paper: &str) -> String {
        if paper.starts_with('"') {
            return unquoted(paper).to_owned();
        }
        let words: Vec<&str> = paper.split_whitespace().collect();
        match words.as_slice() {
            [name] | ["code", "of", name] => self.newest_code(name),
            ["code", "of", name, "copy", copy] => {
                self.ticket(name).codes[&copy.parse().unwrap()].clone()
            }
            ["code", "of", name, "torn"] => self.newest_code(name)[..60].to_owned(),
            ["code", "of", name, "wrong", "secret"] => {
                let mut code = self.newest_code(name);
                // The first character of the secret follows prefix, number and copy.
                let other = if code[21..].starts_with('0') {
                    "1"
                } else {
                    "0"
                };
                code.replace_range(21..22, other);
                code
            }
            ["number", "of", name] => self.ticket(name).number.clone(),
            ["number", "of", name, "mistyped"] => {
                let number = &self.ticket(name).number;
                let last = if number.ends_with('0') { "1" } else { "0" };
                format!("{}{last}", &number[..number.len() - 1])
            }
            _ => panic!("no paper is {paper:?}"),
        }
    }

    fn newest_code(&self, name: &str) -> String {
        let codes = &self.ticket(name).codes;
        codes.values().next_back().unwrap().clone()
    }

    /// The name of the ticket that a paper is of.
    fn name_of(paper: &str) -> &str {
        let mut words = paper.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("code" | "number" | "print" | "payment" | "key"), Some("of"), Some(name)) => name,
            (Some(name), ..) => name,
            _ => panic!("no paper is {paper:?}"),
        }
    }

    // ---- keys ----

    /// The key of a command: a fresh one, or the one that the line names.
    fn key(&mut self, actor: &Actor<'_>) -> Value {
        if let Some(name) = actor.option("key") {
            if let Some(ticket) = name.strip_prefix("of ") {
                return self.ticket(ticket).request["key"].clone();
            }
            if let Some((session, counter)) = self.keys.get(name) {
                return json!({"session": session, "counter": counter});
            }
        }
        let of = match actor.option("session of") {
            Some(other) => other.split_once('@').unwrap(),
            None => (actor.badge, actor.device),
        };
        let at = (of.0.to_owned(), of.1.to_owned());
        let session = self.sessions.get(&at).map_or(0, |(session, _)| *session);
        let counter = self.next_counter();
        if let Some(name) = actor.option("key") {
            self.keys.insert(name.to_owned(), (session, counter));
        }
        json!({"session": session, "counter": counter})
    }

    fn closes_key(&mut self, actor: &Actor<'_>, name: &str) -> Outcome {
        let asked = json!({"key": self.named_key(actor, name)});
        let answer = self.post(actor, "keys/close", &asked);
        key_outcome(&answer)
    }

    fn asks_key(&mut self, actor: &Actor<'_>, name: &str) -> Outcome {
        let asked = json!({"key": self.named_key(actor, name)});
        let answer = self.post(actor, "keys/question", &asked);
        key_outcome(&answer)
    }

    /// `key k1` or `key of A`.
    fn named_key(&mut self, actor: &Actor<'_>, name: &str) -> Value {
        let named = Actor {
            options: vec![name],
            ..*actor
        };
        self.key(&named)
    }

    // ---- people and tills ----

    fn signs_on(&mut self, actor: &Actor<'_>) -> Outcome {
        let mut asked = json!({"badge": actor.badge, "pin": actor.option("pin").unwrap_or(PIN)});
        if let Some(float) = actor.option("float") {
            asked["float_cents"] = cents(float).into();
        }
        let at = (actor.badge.to_owned(), actor.device.to_owned());
        let before = self.sessions.remove(&at);
        let answer = self.post(actor, "sessions", &asked);
        if !answer.is_good() {
            if let Some(before) = before {
                self.sessions.insert(at, before);
            }
            return of_problem(&answer);
        }
        let reply: SignOnReply = answer.json();
        self.sessions.insert(at, (reply.session, reply.token));
        let outcome = Outcome::of("ok").fact_if(reply.shift.is_none(), "no till");
        match reply.shift {
            Some(shift) => outcome.fact(format!("till {shift}")),
            None => outcome,
        }
    }

    fn counts(&self, actor: &Actor<'_>, counted: &str) -> Outcome {
        let asked = json!({"counted_cents": cents(counted)});
        let answer = self.post(actor, "shifts/close", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: CloseShiftReply = answer.json();
        let outcome = Outcome::of("expected").fact(amount(reply.expected_cents));
        match reply.difference_cents {
            0 => outcome.fact("even"),
            over if over > 0 => outcome.fact(format!("over {}", amount(over))),
            short => outcome.fact(format!("short {}", amount(-short))),
        }
    }

    // ---- sales ----

    fn prices(&self, actor: &Actor<'_>, slip: &str) -> Outcome {
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

    fn sells(&mut self, actor: &Actor<'_>, what: &str) -> Outcome {
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

    fn sells_one(&mut self, actor: &Actor<'_>, name: &str, slip: &str) -> Outcome {
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
    fn hears(&mut self, object: &str) -> Outcome {
        let name = object.trim_start_matches("of ");
        let (waiting, request) = self
            .waiting
            .remove(name)
            .unwrap_or_else(|| panic!("nothing waits under {name:?}"));
        let answer = self.door.answer_of(waiting);
        self.sold(name, &answer, &request)
    }

    fn sold(&mut self, name: &str, answer: &Answer, request: &Value) -> Outcome {
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

    fn cancels(&mut self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let asked = json!({
            "key": self.key(actor),
            "code": self.code(paper),
            "reason": actor.option("reason").unwrap_or("changed_mind"),
        });
        let answer = self.post(actor, "cancellations", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: CancelReply = answer.json();
        Outcome::of("refund")
            .fact(amount(reply.refund_cents))
            .fact(format!("in {}", reply.tender))
            .fact_if(reply.repeated, "repeated")
    }

    // ---- papers in hand ----

    fn confirms_print(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
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

    fn checks(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let answer = self.post(actor, "checks", &json!({"code": self.code(paper)}));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: CheckReply = answer.json();
        let mut outcome = Outcome::of(&reply.verdict.code)
            .sentence(&reply.verdict.sentence)
            .fact_if(reply.second_person, "second person needed")
            .fact_if(reply.ticket.is_some(), "with ticket")
            .fact_if(reply.ticket.is_none(), "without ticket");
        // What is said of an amount is anywhere in the reply, so all of it is looked through.
        let says_amount = answer.body.contains("_cents") || answer.body.contains('$');
        outcome = match reply.payable_cents {
            Some(cents) => outcome.fact(format!("amount {}", amount(cents))),
            None => outcome.fact_if(!says_amount, "no amount"),
        };
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

    fn pays(&mut self, actor: &Actor<'_>, paper: &str) -> Outcome {
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

    fn reverses(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
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

    fn duplicates(&mut self, actor: &Actor<'_>, paper: &str) -> Outcome {
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
    fn notes(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
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

    // ---- draws, rules, the house ----

    fn draw_action(&self, actor: &Actor<'_>, verb: &str, draw: &str) -> Outcome {
        let mut asked = json!({"reason": actor.option("reason").map_or("", unquoted)});
        if let Some(second) = actor.second() {
            asked["second"] = second;
        }
        let draw = draw.trim_start_matches("draw ");
        let step = verb.trim_end_matches('s');
        self.done(actor, &format!("draws/{draw}/{step}"), &asked)
    }

    /// `looks at draw 3`, `looks at draw last`.
    fn looks(&self, actor: &Actor<'_>, draw: &str) -> Outcome {
        let draw = draw.trim_start_matches("at draw ");
        let answer = self.get(actor, &format!("draws/{draw}"));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: DrawView = answer.json();
        let outcome = Outcome::of(&reply.state)
            .fact(format!("draw {}", reply.draw.draw))
            .fact(format!("numbers {}", reply.balls.len()))
            .fact(format!("maximum {}", amount(reply.cap_cents)))
            .fact_if(
                reply.commitments.iter().all(|c| c.secret.is_some()),
                "secrets published",
            )
            .fact_if(
                reply.commitments.iter().all(|c| c.secret.is_none()),
                "secrets kept",
            );
        match reply.seal {
            Some(seal) => outcome.fact(format!("tickets {}", seal.tickets)),
            None => outcome,
        }
    }

    fn reads(&self, actor: &Actor<'_>, draw: &str) -> Outcome {
        let draw = draw.trim_start_matches("transcript of ");
        let answer = self.get(actor, &format!("draws/{draw}/transcript"));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: TranscriptReply = answer.json();
        Outcome::of("transcript")
            .fact(format!("numbers {}", reply.balls.len()))
            .fact(format!("holders {}", reply.holders.len()))
            .sentence(&reply.assurance)
    }

    fn asks_time(&self, actor: &Actor<'_>) -> Outcome {
        let answer = self.get(actor, "time");
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: TimeReply = answer.json();
        Outcome::of(&reply.local)
            .fact_if(reply.schedule_halted, "schedule halted")
            .fact_if(!reply.schedule_halted, "schedule runs")
    }

    /// `publishes rules, version 2, from 30, with cap.per_draw = "60000.00", second S1`
    fn publishes(&self, actor: &Actor<'_>) -> Outcome {
        let mut text = self.rules.clone();
        if let Some(version) = actor.option("version") {
            text = changed(&text, "version", version);
        }
        for change in actor.options.iter().filter_map(|o| o.strip_prefix("with ")) {
            let (place, value) = change.split_once('=').unwrap();
            text = changed(&text, place.trim(), value.trim());
        }
        if let Some(other) = actor.option("text") {
            text = unquoted(other).to_owned();
        }
        let from: u64 = actor.option("from").unwrap().parse().unwrap();
        let asked = json!({"text": text, "effective_from": from,
            "second": actor.second_or_nobody()});
        self.recorded(actor, "rules", &asked)
    }

    /// `call L the first loser of S1 to S21 in draw 1`: by the draw's published numbers.
    ///
    /// Returns false for a line about something else.
    pub fn naming(&mut self, action: &str) -> bool {
        let words: Vec<&str> = action.split_whitespace().collect();
        let [
            "call",
            name,
            "the",
            "first",
            which,
            "of",
            first,
            "to",
            last,
            "in",
            "draw",
            draw,
        ] = words.as_slice()
        else {
            return false;
        };
        let anyone = Actor {
            badge: "patron",
            device: "nowhere",
            options: Vec::new(),
        };
        let reply: DrawView = self.get(&anyone, &format!("draws/{draw}")).json();
        let (letters, from) = first.split_at(first.find(|c: char| c.is_ascii_digit()).unwrap());
        let to: u32 = last.trim_start_matches(letters).parse().unwrap();
        let found = (from.parse::<u32>().unwrap()..=to)
            .map(|number| format!("{letters}{number}"))
            .find(|of| {
                let number = &self.ticket(of).request["slip"]["selections"][0]["numbers"][0];
                let number = u8::try_from(number.as_u64().unwrap()).unwrap();
                reply.balls.contains(&number) == (*which == "winner")
            });
        let found = found.unwrap_or_else(|| panic!("no {which} among {first} to {last}"));
        let ticket = self.ticket(&found).clone();
        self.tickets.insert((*name).to_owned(), ticket);
        true
    }
}

fn key_outcome(answer: &Answer) -> Outcome {
    if !answer.is_good() {
        return of_problem(answer);
    }
    let reply: KeyReply = answer.json();
    let code = reply
        .sale
        .as_ref()
        .and_then(|sale| sale.ticket.claim_code.as_ref());
    Outcome::of(&reply.state)
        .fact_if(code.is_some(), "with code")
        .fact_if(reply.sale.is_some() && code.is_none(), "without code")
}

#[test]
fn a_line_is_divided_at_its_commas_and_not_inside_quotation_marks() {
    assert_eq!(
        parts("pays A, draw 1 2.00, reason \"left, and came back\""),
        ["pays A", "draw 1 2.00", "reason \"left, and came back\""]
    );
}

//! What people do: a line of a table becomes one request, and its answer an outcome.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use keno_central::api::types::DoneReply;
use keno_wire::claim_code::{ClaimCode, secret_in_groups};
use keno_wire::reply::{
    CloseShiftReply, KeyReply, PieceLine, PresentationReply, RecordedReply, ShiftSheetReply,
    SignOnReply, TakenView, TillCountReply, TillMovementReply,
};
use serde_json::{Value, json};

use super::door::Answer;
use super::house::{House, PIN};
use super::outcome::{Outcome, of_problem};
use super::slip::{amount, cents};

/// Who acts and with what.
pub(super) struct Actor<'a> {
    pub(super) badge: &'a str,
    pub(super) device: &'a str,
    /// What the line says after its main part, one by one.
    pub(super) options: Vec<&'a str>,
}

impl<'a> Actor<'a> {
    /// The rest of the option that begins with a word.
    pub(super) fn option(&self, word: &str) -> Option<&'a str> {
        self.options.iter().find_map(|option| {
            let rest = option.strip_prefix(word)?;
            (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim())
        })
    }

    pub(super) fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    pub(super) fn second(&self) -> Option<Value> {
        if let Some(number) = self.option("approval") {
            return Some(json!({"approval": number.parse::<u64>().unwrap()}));
        }
        let mut words = self.option("second")?.split_whitespace();
        let badge = words.next().unwrap();
        let pin = match (words.next(), words.next()) {
            (Some("pin"), Some(pin)) => pin,
            _ => PIN,
        };
        Some(json!({"badge": badge, "pin": pin}))
    }

    /// The second person, where the request cannot be sent without one.
    pub(super) fn second_or_nobody(&self) -> Value {
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

pub(super) fn unquoted(text: &str) -> &str {
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

    pub(super) fn act(&mut self, actor: &Actor<'_>, verb: &str, object: &str) -> Outcome {
        match (verb, object) {
            ("measures" | "asks" | "opens" | "hands" | "ends" | "agrees" | "logs", what)
                if Self::is_of_room(verb, what) =>
            {
                self.in_the_room(actor, verb, what)
            }
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
            ("presents", paper) => self.presents(actor, paper),
            ("refuses", paper) => {
                let paper = paper.trim_start_matches("the holder of ");
                let reason = actor.option("reason").map_or("", unquoted);
                let asked = json!({"code": self.code(paper), "reason": reason});
                self.recorded(actor, "patron-refusals", &asked)
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
            ("remarks", paper) => {
                let ticket = paper.trim_start_matches("on ");
                let asked = json!({"ticket": self.tickets[ticket].leaf,
                    "text": actor.option("text").map_or("", unquoted)});
                self.recorded(actor, "audit/remarks", &asked)
            }
            ("closes", name) => self.closes_key(actor, name),
            ("asks", "the time") => self.asks_time(actor),
            ("asks", name) => self.asks_key(actor, name),
            ("counts", counted) if counted.ends_with(" and goes on") => {
                let counted = counted.trim_end_matches(" and goes on");
                self.counts_and_goes_on(actor, counted.trim_start_matches("the till "))
            }
            ("counts", counted) => self.counts(actor, counted.trim_start_matches("the till ")),
            ("fills" | "drops", amount) => {
                self.moves_till(actor, verb, amount.trim_start_matches("the till "))
            }
            ("takes", device) => self.takes_over(actor, device.trim_start_matches("over ")),
            ("stops", "sales") => {
                let asked = json!({"reason": actor.option("reason").map_or("", unquoted)});
                self.done(actor, "house/suspend", &asked)
            }
            ("resumes", "sales") => {
                let asked = json!({"second": actor.second_or_nobody()});
                self.done(actor, "house/resume", &asked)
            }
            (
                "suspends" | "resumes" | "voids" | "certifies" | "replaces" | "lets" | "postpones",
                draw,
            ) => self.decides(actor, verb, draw),
            ("opens", what) if what.starts_with("payouts of ") => {
                let draw = what.trim_start_matches("payouts of ");
                let asked = json!({"draw": draw.parse::<u64>().unwrap(),
                    "reason": actor.option("reason").map_or("", unquoted),
                    "second": actor.second_or_nobody()});
                self.done(actor, "follower/payouts", &asked)
            }
            ("puts", "the follower on record") => {
                let asked = json!({"began": "07".repeat(32), "second": actor.second_or_nobody()});
                self.done(actor, "follower/begin", &asked)
            }
            ("enters", balls) => self.enters(actor, balls),
            ("sees", "the room") => self.sees_room(actor),
            ("sees", draw) => self.sees_desk(actor, draw),
            ("looks", draw) => self.looks(actor, draw),
            ("reads", what) if what.starts_with("the sheet of till ") => {
                self.reads_sheet(actor, what.trim_start_matches("the sheet of till "))
            }
            ("reads", what) if what.starts_with("certificate of ") => {
                self.reads_certificate(actor, what.trim_start_matches("certificate of "))
            }
            ("reads", draw) => self.reads(actor, draw),
            ("publishes", "rules") => self.publishes(actor),
            _ => panic!("nobody knows how to: {verb} {object}"),
        }
    }

    pub(super) fn request(&self, actor: &Actor<'_>, method: Method, path: &str) -> TestRequest {
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
        let opened_at = actor.option("session opened at");
        let opened_at = opened_at.unwrap_or(actor.device);
        let at = (actor.badge.to_owned(), opened_at.to_owned());
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

    pub(super) fn posting(&self, actor: &Actor<'_>, path: &str, body: &Value) -> TestRequest {
        self.request(actor, Method::POST, &format!("/api/v1/{path}"))
            .insert_header(("content-type", "application/json"))
            .set_payload(body.to_string())
    }

    pub(super) fn post(&self, actor: &Actor<'_>, path: &str, body: &Value) -> Answer {
        self.door.ask(self.posting(actor, path, body))
    }

    pub(super) fn get(&self, actor: &Actor<'_>, path: &str) -> Answer {
        self.door
            .ask(self.request(actor, Method::GET, &format!("/api/v1/{path}")))
    }

    pub(super) fn raw(&self, actor: &Actor<'_>, method: Method, text: &str) -> Outcome {
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

    /// A ticket presented as a claim, and what its answer says of it.
    fn presents(&self, actor: &Actor<'_>, paper: &str) -> Outcome {
        let answer = self.post(actor, "presentations", &json!({"code": self.code(paper)}));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: PresentationReply = answer.json();
        Outcome::of("ok")
            .fact(format!("draws {}", list(&reply.draws)))
            .fact(if reply.repeated { "again" } else { "first" })
            .fact(format!("by {}", reply.claim_by))
            .fact(format!("at {}", reply.presented_at_local))
    }

    /// A request whose good answer is `ok`.
    pub(super) fn recorded(&self, actor: &Actor<'_>, path: &str, body: &Value) -> Outcome {
        let answer = self.post(actor, path, body);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        answer.json::<RecordedReply>();
        Outcome::of("ok")
    }

    pub(super) fn done(&self, actor: &Actor<'_>, path: &str, body: &Value) -> Outcome {
        let answer = self.post(actor, path, body);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        answer.json::<DoneReply>();
        Outcome::of("ok")
    }

    /// What is scanned or typed: `A`, `code of A copy 1`, `number of A mistyped`, `"…"`.
    pub(super) fn code(&self, paper: &str) -> String {
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
                // Its check signs are right.
                let mut code = ClaimCode::parse(&self.newest_code(name)).unwrap();
                code.secret[0] ^= 1;
                code.text()
            }
            ["code", "of", name, "wrong", "mark"] => {
                let mut code = ClaimCode::parse(&self.newest_code(name)).unwrap();
                code.log_root[31] ^= 1;
                code.text()
            }
            ["number", "and", "secret", "of", name] => {
                let code = ClaimCode::parse(&self.newest_code(name)).unwrap();
                format!("{} {}", code.control_number, secret_in_groups(&code.secret))
            }
            ["number", "and", "wrong", "secret", "of", name] => {
                let mut code = ClaimCode::parse(&self.newest_code(name)).unwrap();
                code.secret[0] ^= 1;
                format!("{} {}", code.control_number, secret_in_groups(&code.secret))
            }
            ["leaf", "of", name] => format!("#{}", self.ticket(name).leaf),
            ["number", "of", name] => self.ticket(name).number.clone(),
            ["number", "of", name, "mistyped"] => {
                let number = &self.ticket(name).number;
                let last = if number.ends_with('0') { "1" } else { "0" };
                format!("{}{last}", &number[..number.len() - 1])
            }
            _ => panic!("no paper is {paper:?}"),
        }
    }

    pub(super) fn newest_code(&self, name: &str) -> String {
        let codes = &self.ticket(name).codes;
        codes.values().next_back().unwrap().clone()
    }

    /// The name of the ticket that a paper is of.
    pub(super) fn name_of(paper: &str) -> &str {
        let mut words = paper.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("code" | "number" | "print" | "payment" | "key"), Some("of"), Some(name)) => name,
            (Some("number"), Some("and"), Some(_)) => paper.rsplit(' ').next().unwrap_or(paper),
            (Some(name), ..) => name,
            _ => panic!("no paper is {paper:?}"),
        }
    }

    /// The key of a command: a fresh one, or the one that the line names.
    pub(super) fn key(&mut self, actor: &Actor<'_>) -> Value {
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

    pub(super) fn closes_key(&mut self, actor: &Actor<'_>, name: &str) -> Outcome {
        let asked = json!({"key": self.named_key(actor, name)});
        let answer = self.post(actor, "keys/close", &asked);
        key_outcome(&answer)
    }

    pub(super) fn asks_key(&mut self, actor: &Actor<'_>, name: &str) -> Outcome {
        let asked = json!({"key": self.named_key(actor, name)});
        let answer = self.post(actor, "keys/question", &asked);
        key_outcome(&answer)
    }

    /// `key k1` or `key of A`.
    pub(super) fn named_key(&mut self, actor: &Actor<'_>, name: &str) -> Value {
        let named = Actor {
            options: vec![name],
            ..*actor
        };
        self.key(&named)
    }

    pub(super) fn signs_on(&mut self, actor: &Actor<'_>) -> Outcome {
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

    /// `fills the till 100.00, second S1`, `drops 40.00, second G1, key k1`.
    fn moves_till(&mut self, actor: &Actor<'_>, verb: &str, moved: &str) -> Outcome {
        let asked = json!({
            "key": self.key(actor),
            "kind": verb.trim_end_matches('s'),
            "amount_cents": cents(moved),
            "second": actor.second_or_nobody(),
        });
        let answer = self.post(actor, "shifts/movements", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: TillMovementReply = answer.json();
        Outcome::of("moved")
            .fact(amount(reply.amount_cents))
            .fact(format!("till {}", reply.shift))
            .fact(format!("second {}", reply.second))
            .fact_if(reply.repeated, "repeated")
    }

    /// `takes over T01, second S1, reason "…"`.
    fn takes_over(&self, actor: &Actor<'_>, device: &str) -> Outcome {
        let number = self.devices.get(device).map_or(99, |(number, _)| *number);
        let asked = json!({
            "device": number,
            "reason": actor.option("reason").map_or("en panne", unquoted),
            "second": actor.second_or_nobody(),
        });
        let answer = self.post(actor, "hand-overs", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: TakenView = answer.json();
        let outcome = Outcome::of("taken").fact(format!("unconfirmed {}", reply.unconfirmed.len()));
        match reply.shift {
            Some(shift) => outcome.fact(format!("till {shift}")),
            None => outcome.fact("no till"),
        }
    }

    /// `counts the till 570.00 and goes on, second S1, reason "…"`.
    fn counts_and_goes_on(&self, actor: &Actor<'_>, counted: &str) -> Outcome {
        let asked = json!({
            "counted_cents": cents(counted),
            "reason": actor.option("reason").map_or("", unquoted),
            "second": actor.second_or_nobody(),
        });
        let answer = self.post(actor, "shifts/counts", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: TillCountReply = answer.json();
        expected(reply.expected_cents, reply.difference_cents)
            .fact(format!("till {}", reply.shift))
            .fact(format!("second {}", reply.second))
    }

    /// `reads the sheet of till 1`.
    fn reads_sheet(&self, actor: &Actor<'_>, shift: &str) -> Outcome {
        let answer = self.get(actor, &format!("shifts/{shift}/sheet"));
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: ShiftSheetReply = answer.json();
        assert_eq!(reply.added_up_cents, reply.expected_cents);
        expected(reply.expected_cents, reply.difference_cents)
            .fact(format!("out {}", reply.outgoing))
            .fact(format!(
                "in {}",
                reply.incoming.as_deref().unwrap_or("nobody")
            ))
            .fact(format!("counts {}", reply.counts.len()))
            .fact(format!("terminal {}", reply.terminal))
            .fact(format!("coupons {}", piece_line(&reply.coupons)))
            .fact(format!("chips {}", piece_line(&reply.chips)))
            .fact(format!("payouts {}", amount(reply.payouts.cash_cents)))
    }

    pub(super) fn counts(&self, actor: &Actor<'_>, counted: &str) -> Outcome {
        let mut asked = json!({"counted_cents": cents(counted)});
        // `coupons 2 12.00`: how many, and what they come to.
        for kind in ["coupons", "chips"] {
            if let Some((pieces, total)) = actor.option(kind).and_then(|of| of.split_once(' ')) {
                let pieces: u32 = pieces.parse().unwrap();
                asked[kind] = json!({"pieces": pieces, "total_cents": cents(total)});
            }
        }
        if let Some(second) = actor.second() {
            asked["second"] = second;
        }
        let answer = self.post(actor, "shifts/close", &asked);
        if !answer.is_good() {
            return of_problem(&answer);
        }
        let reply: CloseShiftReply = answer.json();
        expected(reply.expected_cents, reply.difference_cents)
    }
}

/// `2 for 50.00 of 51.00`: how many, what they come to, and what was expected.
fn piece_line(line: &PieceLine) -> String {
    let (counted, expected) = (amount(line.counted_cents), amount(line.expected_cents));
    format!("{} for {counted} of {expected}", line.pieces)
}

fn expected(expected_cents: i64, difference_cents: i64) -> Outcome {
    let outcome = Outcome::of("expected").fact(amount(expected_cents));
    match difference_cents {
        0 => outcome.fact("even"),
        over if over > 0 => outcome.fact(format!("over {}", amount(over))),
        short => outcome.fact(format!("short {}", amount(-short))),
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
    let outcome = match &reply.till_movement {
        Some(moved) => Outcome::of(reply.state.as_str()).fact(amount(moved.amount_cents)),
        None => Outcome::of(reply.state.as_str()),
    };
    outcome
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

/// Numbers with a blank between.
fn list(numbers: &[u64]) -> String {
    let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
    texts.join(" ")
}

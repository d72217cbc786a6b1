//! Terminals that sell and look up over HTTP.

use std::io::{self, Write};
use std::net::SocketAddr;

use anyhow::{Context, ensure};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::client::{Asker, Load, Until};
use crate::house::{CLERK, FLOAT_CENTS, PIN, Terminal};

/// Selections of a measured ticket.
pub const SELECTIONS: usize = 3;
/// Wager of each, in cents.
const WAGER_CENTS: i64 = 100;
/// Numbers of each selection, by its place.
const SPOTS: [usize; SELECTIONS] = [4, 5, 8];

/// Distinct numbers of a pool of 80.
pub fn pick(chance: &mut ChaCha20Rng, spots: usize) -> Vec<u8> {
    let mut taken = 0_u128;
    let mut numbers = Vec::with_capacity(spots);
    while numbers.len() < spots {
        // 240 is the largest multiple of 80 in a byte.
        let byte = u8::try_from(chance.next_u32() & 0xff).unwrap_or(u8::MAX);
        if byte >= 240 {
            continue;
        }
        let number = byte % 80 + 1;
        if taken & (1 << number) == 0 {
            taken |= 1 << number;
            numbers.push(number);
        }
    }
    numbers
}

/// A signed-on terminal.
#[derive(Debug, Clone)]
pub struct Till {
    head: String,
    session: u64,
    counter: u64,
    draw: u64,
    chance: ChaCha20Rng,
    body: Vec<u8>,
    /// Answers that were read in full, while they are kept.
    pub kept: Option<Vec<Value>>,
}

/// One request that is asked once, and its answer.
struct Once {
    request: Vec<u8>,
    answer: Option<Value>,
}

impl Asker for Once {
    fn ask(&mut self, request: &mut Vec<u8>) {
        request.extend_from_slice(&self.request);
    }

    fn answered(&mut self, body: &[u8]) -> io::Result<()> {
        self.answer = Some(serde_json::from_slice(body)?);
        Ok(())
    }
}

/// Asks once, on a connection of its own.
///
/// # Errors
/// Unless the answer is 200 with JSON.
pub fn post(address: SocketAddr, path: &str, head: &str, body: &Value) -> anyhow::Result<Value> {
    let body = serde_json::to_vec(body)?;
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{head}\
         content-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend_from_slice(&body);
    let mut once = [Once {
        request,
        answer: None,
    }];
    Load::open(address, 1)?.run(&mut once, Until::Each(1))?;
    let [once] = once;
    once.answer.context("no answer")
}

impl Till {
    /// Signs a clerk on at a terminal and opens its till; sales are for `draw`.
    ///
    /// # Errors
    /// When that is refused.
    pub fn open(
        address: SocketAddr,
        terminal: &Terminal,
        draw: u64,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let device = format!("boulier-device: {}.{}\r\n", terminal.device, terminal.key);
        let reply = post(
            address,
            "/api/v1/sessions",
            &device,
            &json!({"badge": CLERK, "pin": PIN, "float_cents": FLOAT_CENTS}),
        )?;
        let session = reply["session"].as_u64().context("no session")?;
        let token = reply["token"].as_str().context("no token")?;
        ensure!(reply["shift"].is_u64(), "no till was opened");
        Ok(Self {
            head: format!("{device}boulier-session: {session}.{token}\r\n"),
            session,
            counter: 0,
            draw,
            chance: ChaCha20Rng::seed_from_u64(seed ^ (u64::from(terminal.device) << 32)),
            body: Vec::new(),
            kept: None,
        })
    }

    /// What this terminal asks a look-up of: its headers.
    pub fn head(&self) -> &str {
        &self.head
    }
}

impl Asker for Till {
    fn ask(&mut self, request: &mut Vec<u8>) {
        self.counter += 1;
        self.body.clear();
        let _ = write!(
            self.body,
            "{{\"key\":{{\"session\":{},\"counter\":{}}},\"slip\":{{\"selections\":[",
            self.session, self.counter
        );
        for (place, spots) in SPOTS.into_iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            let _ = write!(self.body, "{comma}{{\"type\":\"straight\",\"numbers\":[");
            for (at, number) in pick(&mut self.chance, spots).into_iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                let _ = write!(self.body, "{comma}{number}");
            }
            let _ = write!(self.body, "],\"wager_cents\":{WAGER_CENTS}}}");
        }
        let total = WAGER_CENTS * SELECTIONS as i64;
        let _ = write!(
            self.body,
            "],\"draws\":1,\"first_draw\":{}}},\"tender\":\"cash\",\"received_cents\":{total},\
             \"total_cents\":{total},\"intake\":\"slip\"}}",
            self.draw
        );
        let _ = write!(
            request,
            "POST /api/v1/sales HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{}\
             content-length: {}\r\n\r\n",
            self.head,
            self.body.len()
        );
        request.extend_from_slice(&self.body);
    }

    fn answered(&mut self, body: &[u8]) -> io::Result<()> {
        if let Some(kept) = &mut self.kept {
            kept.push(serde_json::from_slice(body)?);
        }
        Ok(())
    }
}

/// Looks tickets up by their control numbers, one after another.
#[derive(Debug)]
pub struct LookUps {
    requests: Vec<Vec<u8>>,
    next: usize,
    /// The numbers whose tickets each answer must be about.
    checked: Option<Vec<String>>,
    /// Answers that were read in full, while they are kept.
    pub kept: Option<Vec<Value>>,
}

impl LookUps {
    /// Of these control numbers, by a person signed on at a terminal.
    pub fn of(till: &Till, numbers: &[String]) -> Self {
        let requests = numbers
            .iter()
            .map(|number| {
                let body = json!({ "code": number }).to_string();
                format!(
                    "POST /api/v1/checks HTTP/1.1\r\nhost: localhost\r\ncontent-type: \
                     application/json\r\n{}content-length: {}\r\n\r\n{body}",
                    till.head(),
                    body.len()
                )
                .into_bytes()
            })
            .collect();
        Self {
            requests,
            next: 0,
            checked: None,
            kept: None,
        }
    }

    /// As [`Self::of`]; each answer must be about the ticket that was asked for.
    pub fn checked(till: &Till, numbers: &[String]) -> Self {
        Self {
            checked: Some(numbers.to_vec()),
            ..Self::of(till, numbers)
        }
    }
}

impl Asker for LookUps {
    fn ask(&mut self, request: &mut Vec<u8>) {
        if let Some(one) = self.requests.get(self.next) {
            request.extend_from_slice(one);
        }
        self.next = (self.next + 1) % self.requests.len().max(1);
    }

    fn answered(&mut self, body: &[u8]) -> io::Result<()> {
        let Some(numbers) = &self.checked else {
            return Ok(());
        };
        let asked = (self.next + numbers.len() - 1) % numbers.len().max(1);
        let reply: Value = serde_json::from_slice(body)?;
        // A code is `KT2`, the control number, and what follows.
        let code = numbers.get(asked);
        if reply["ticket"]["control_number"].as_str() != code.and_then(|code| code.get(3..19)) {
            return Err(io::Error::other(format!(
                "another ticket was found: {reply}"
            )));
        }
        if let Some(kept) = &mut self.kept {
            kept.push(reply);
        }
        Ok(())
    }
}

//! A counter of the campaign of backups: it sells, checks, and gives the price of lost tickets back.

use anyhow::{Context, bail};
use serde_json::json;

use crate::chance::Chance;
use crate::clock::{Stopwatch, now_ms};
use crate::door::{Answer, Door};
use crate::founded::{SECOND_BADGE, clerk_of, pin_of};
use crate::journal;
use crate::slips;

/// A ticket of the counter that is measured.
#[derive(Debug, Clone)]
pub(super) struct Paper {
    pub(super) ticket: u64,
    pub(super) code: String,
    pub(super) first_draw: u64,
}

/// A counter that only sells, and measures each sale.
pub(super) struct Till {
    pub(super) door: Door,
    device: u32,
    session: u64,
    counter: u64,
    chance: Chance,
    pub(super) papers: Vec<Paper>,
    /// The last answer that was no sale.
    pub(super) refused: String,
    /// When each sale was sent, UTC milliseconds, and how long it took, in microseconds.
    pub(super) sales: Vec<(i64, u128)>,
}

impl Till {
    pub(super) fn sign_on(
        address: std::net::SocketAddr,
        device: u32,
        key: &str,
    ) -> anyhow::Result<Self> {
        let mut door = Door::of_device(address, device, key);
        let badge = clerk_of(device);
        let body = json!({"badge": badge, "pin": pin_of(&badge), "float_cents": 500_000});
        let Answer::Done(reply) = door.post("/sessions", &body) else {
            bail!("counter {device} cannot sign on");
        };
        let session = reply["session"].as_u64().context("no session")?;
        let token = reply["token"].as_str().unwrap_or("");
        door.session = Some(format!("{session}.{token}"));
        Ok(Self {
            door,
            device,
            session,
            counter: 0,
            chance: Chance::new(session, u64::from(device)),
            papers: Vec::new(),
            refused: String::new(),
            sales: Vec::new(),
        })
    }

    fn request(&mut self) -> serde_json::Value {
        self.counter += 1;
        let order = slips::any(&mut self.chance, 0);
        let key = journal::Key {
            device: self.device,
            session: self.session,
            counter: self.counter,
        };
        json!({
            "key": key.value(),
            "slip": order.slip, "tender": "cash", "intake": "slip",
            "total_cents": order.total_cents, "received_cents": order.total_cents,
        })
    }

    /// One sale; false when central does not take it.
    pub(super) fn sell(&mut self) -> bool {
        let request = self.request();
        let (at_ms, since) = (now_ms(), Stopwatch::start());
        let reply = match self.door.post(journal::Kind::Sale.path(), &request) {
            Answer::Done(reply) => reply,
            other => {
                self.refused = format!("{other:?}");
                return false;
            }
        };
        self.sales.push((at_ms, since.elapsed().as_micros()));
        let view = &reply["ticket"];
        self.papers.push(Paper {
            ticket: view["ticket"].as_u64().unwrap_or(u64::MAX),
            code: view["claim_code"].as_str().unwrap_or("").to_owned(),
            first_draw: view["first"]["draw"].as_u64().unwrap_or(0),
        });
        true
    }

    pub(super) fn verdict(&self, code: &str) -> String {
        match self.door.post("/checks", &json!({"code": code})) {
            Answer::Done(reply) => reply["verdict"]["code"].as_str().unwrap_or("").to_owned(),
            Answer::Refused(name) => name,
            Answer::Lost => "no answer".to_owned(),
        }
    }

    /// The price of a lost ticket goes back, under a new key.
    pub(super) fn refund_lost(&mut self, code: &str) -> Answer {
        self.counter += 1;
        let key = journal::Key {
            device: self.device,
            session: self.session,
            counter: self.counter,
        };
        let request = json!({
            "key": key.value(), "code": code, "amount_cents": 100, "tender": "cash",
            "reason": "the price on the paper",
            "second": {"badge": SECOND_BADGE, "pin": pin_of(SECOND_BADGE)},
        });
        self.door.post("/lost-refunds", &request)
    }
}

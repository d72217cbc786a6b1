//! Hosts that draw, and hold the secrets of a draw, outside central (`RULES.md`, "Hosts").

use keno_log::Hash;
use keno_log::beacon::{Beacon, Round};
use keno_log::checkpoint::{SignatureLine, VerifyingKey};
use keno_log::event::{HostsNamed, HostsSigned};

use super::Replay;
use super::account::{DrawAccount, DrawState};
use super::draws::COMPUTER;
use crate::balls::{beacon_commitment, commitment, round_secret};

/// First line of what a machine signs.
const BALLS: &str = "boulier/balls/v1";
/// First line of what a holder signs.
const SECRET: &str = "boulier/secret/v1";

impl DrawAccount {
    /// Whether these are one for the machine and one for each holder, each a key, a beacon or empty, and
    /// one of them not empty. The machine is no beacon, and neither are all holders.
    fn are_hosts(&self, house: &str, keys: &[String]) -> bool {
        let is_host = |key: &String| key.is_empty() || VerifyingKey::parse(key).is_ok();
        let is_beacon = |(holder, key): (usize, &String)| {
            let bound = beacon_commitment(house, self.number, key);
            Beacon::parse(key).is_ok() && self.commitments.get(holder) == Some(&Some(bound))
        };
        let Some((machine, holders)) = keys.split_first() else {
            return false;
        };
        let mut of_holders = holders.iter().enumerate();
        holders.len() == self.holders.len()
            && keys.iter().any(|key| !key.is_empty())
            && is_host(machine)
            && of_holders.all(|(place, key)| is_host(key) || is_beacon((place, key)))
            && !holders.iter().all(|key| Beacon::is_meant(key))
    }

    /// Whether `secret` is what the holder of a place had committed to.
    pub(crate) fn opens(&self, house: &str, holder: usize, secret: &Hash) -> bool {
        let Some(Some(committed)) = self.commitments.get(holder) else {
            // A draw may be void before every holder has committed.
            return true;
        };
        let keys = self.hosts.as_deref().unwrap_or_default();
        let Some(beacon) = keys.get(holder + 1).filter(|key| Beacon::is_meant(key)) else {
            return *committed == commitment(house, self.number, secret);
        };
        // Balls are drawn with no round, and a draw that is void had none.
        let line = self
            .signatures
            .get(holder + 1)
            .filter(|_| self.is_by_computer());
        let round = line.and_then(|line| Round::parse(line));
        let signature = round.map_or(Vec::new(), |round| round.signature.to_vec());
        *committed == beacon_commitment(house, self.number, beacon)
            && *secret == round_secret(house, self.number, beacon, &signature)
    }

    /// Whether a computer gave its numbers.
    pub(super) fn is_by_computer(&self) -> bool {
        let balls = self.balls.as_ref();
        balls.is_some_and(|balls| balls.machine == COMPUTER)
    }

    /// Whether its numbers were recorded in the entry before this one.
    fn was_drawn_before(&self, entry: u64) -> bool {
        self.balls.is_some() && self.balls_at.checked_add(1) == Some(entry)
    }

    /// Whether nothing is missing of what its hosts sign.
    pub(super) fn is_signed_for(&self) -> bool {
        self.hosts.is_none()
            || !self.is_by_computer()
            || self.signed_at.is_some_and(|it| self.was_drawn_before(it))
    }

    /// What the host of a place has signed: 0 is the machine, then come the holders; none where the
    /// draw has not come so far.
    fn said_by(&self, house: &str, place: usize) -> Option<String> {
        let about = |tag: &str, of: Hash| {
            let close = self.close?;
            let root = hex::encode(close.seal_root);
            let (draw, size, of) = (self.number, close.entry + 1, hex::encode(of));
            Some(format!("{tag}\n{house}\n{draw}\n{size}\n{root}\n{of}\n"))
        };
        let Some(holder) = place.checked_sub(1) else {
            let balls = &self.balls.as_ref()?.balls;
            let balls: Vec<String> = balls.iter().map(u8::to_string).collect();
            let text = about(BALLS, self.rule_book_hash?)?;
            return Some(format!("{text}{}\n", balls.join(" ")));
        };
        about(SECRET, (*self.commitments.get(holder)?)?)
    }

    /// Whether each host that was named, and no other, has signed what it says of this draw.
    fn is_signed(&self, house: &str, signatures: &[String], at_ms: i64) -> bool {
        let Some(keys) = &self.hosts else {
            return false;
        };
        let mut places = keys.iter().zip(signatures).enumerate();
        keys.len() == signatures.len()
            && places.all(|(place, (key, line))| {
                if key.is_empty() {
                    return line.is_empty();
                }
                if let Ok(beacon) = Beacon::parse(key) {
                    let closed = self.close.as_ref();
                    let round = closed.and_then(|it| beacon.given_for(it.at_ms, line));
                    // What is on record before its moment was not given by the clock of the log.
                    return round.is_some_and(|it| beacon.moment_ms(it.number) <= at_ms);
                }
                let text = self.said_by(house, place);
                text.is_some_and(|text| has_signed(key, &text, line))
            })
    }
}

/// Whether a line is the signature line of a key under a text.
pub(super) fn has_signed(key: &str, text: &str, line: &str) -> bool {
    let Ok(key) = VerifyingKey::parse(key) else {
        return false;
    };
    SignatureLine::is_under(line, text, &key)
}

impl Replay {
    pub(super) fn hosts_named(&mut self, body: &HostsNamed) {
        self.judge_halt();
        let entry = self.now.entry;
        let house = self.house.as_ref().map_or("", |house| house.house.as_str());
        let Some(draw) = self.draws.get_mut(&body.draw) else {
            find!(self => DrawUnknown, "draw {}", body.draw);
            return;
        };
        let is_at_its_place = draw.is_committed()
            && draw.committed_at.and_then(|at| at.checked_add(1)) == Some(entry);
        let is_right = draw.state == DrawState::Scheduled
            && is_at_its_place
            && draw.hosts.is_none()
            && draw.are_hosts(house, &body.keys);
        draw.hosts.get_or_insert_with(|| body.keys.clone());
        must!(self, is_right => HostsMisnamed, "draw {}", body.draw);
    }

    pub(super) fn hosts_signed(&mut self, body: &HostsSigned) {
        self.judge_halt();
        let entry = self.now.entry;
        let at_ms = self.now.at_ms;
        let house = self.house.as_ref().map_or("", |house| house.house.as_str());
        let Some(draw) = self.draws.get_mut(&body.draw) else {
            find!(self => DrawUnknown, "draw {}", body.draw);
            return;
        };
        let is_right = draw.was_drawn_before(entry)
            && draw.is_by_computer()
            && draw.is_signed(house, &body.signatures, at_ms);
        draw.signed_at = Some(entry);
        draw.signatures.clone_from(&body.signatures);
        must!(self, is_right => HostSignatureWrong, "draw {}", body.draw);
    }
}

//! Hosts that draw, and hold the secrets of a draw, outside central (`RULES.md`, "Hosts").

use keno_log::Hash;
use keno_log::checkpoint::{SignatureLine, VerifyingKey};
use keno_log::event::{HostsNamed, HostsSigned};

use super::Replay;
use super::account::{DrawAccount, DrawState};
use super::draws::COMPUTER;

/// First line of what a machine signs.
const BALLS: &str = "boulier/balls/v1";
/// First line of what a holder signs.
const SECRET: &str = "boulier/secret/v1";

impl DrawAccount {
    /// Whether these are one for the machine and one for each holder, each a key or empty, and one of
    /// them a key.
    fn are_hosts(&self, keys: &[String]) -> bool {
        keys.len() == self.holders.len() + 1
            && keys.iter().any(|key| !key.is_empty())
            && keys
                .iter()
                .all(|key| key.is_empty() || VerifyingKey::parse(key).is_ok())
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
    fn is_signed(&self, house: &str, signatures: &[String]) -> bool {
        let Some(keys) = &self.hosts else {
            return false;
        };
        let mut places = keys.iter().zip(signatures).enumerate();
        keys.len() == signatures.len()
            && places.all(|(place, (key, line))| {
                if key.is_empty() {
                    return line.is_empty();
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
        let Some(draw) = self.draws.get_mut(&body.draw) else {
            find!(self => DrawUnknown, "draw {}", body.draw);
            return;
        };
        let is_at_its_place = draw.is_committed()
            && draw.committed_at.and_then(|at| at.checked_add(1)) == Some(entry);
        let is_right = draw.state == DrawState::Scheduled
            && is_at_its_place
            && draw.hosts.is_none()
            && draw.are_hosts(&body.keys);
        draw.hosts.get_or_insert_with(|| body.keys.clone());
        must!(self, is_right => HostsMisnamed, "draw {}", body.draw);
    }

    pub(super) fn hosts_signed(&mut self, body: &HostsSigned) {
        self.judge_halt();
        let entry = self.now.entry;
        let house = self.house.as_ref().map_or("", |house| house.house.as_str());
        let Some(draw) = self.draws.get_mut(&body.draw) else {
            find!(self => DrawUnknown, "draw {}", body.draw);
            return;
        };
        let is_right = draw.was_drawn_before(entry)
            && draw.is_by_computer()
            && draw.is_signed(house, &body.signatures);
        draw.signed_at = Some(entry);
        must!(self, is_right => HostSignatureWrong, "draw {}", body.draw);
    }
}

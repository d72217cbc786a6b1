//! Escrow of a holder's secret: two halves, which are the secret together and nothing alone, each
//! sealed to the key of one auditor (`RULES.md`, "Escrow"). The texts that are signed and sealed under,
//! which everybody can make again. What seals and opens is not here.

use crate::checkpoint::{Note, NoteFault, VerifyingKey};
use crate::hash::Hash;

/// First line of what a holder's host signs when it gives a secret into escrow.
const ESCROW: &str = "boulier/escrow/v1";
/// First line of what a half is sealed under.
const HALF: &str = "boulier/half/v1";
/// First line of what an auditor signs who opens halves.
const OPENED: &str = "boulier/opened/v1";
/// Bytes of a sealed half: an X25519 key, the half, a tag (RFC 9180).
pub const SEALED_BYTES: usize = 80;

/// The secret of a holder for a draw, by what it had committed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound<'a> {
    /// The house.
    pub house: &'a str,
    /// The draw.
    pub draw: u64,
    /// The commitment.
    pub commitment: &'a Hash,
}

impl Bound<'_> {
    fn lines(&self, tag: &str) -> String {
        let commitment = hex::encode(self.commitment);
        format!("{tag}\n{}\n{}\n{commitment}\n", self.house, self.draw)
    }

    /// What a half of the secret that `host` gives is sealed under, to an auditor's key or back to the
    /// host's own: it opens as no other, and for no other host.
    #[must_use]
    pub fn half(&self, host: &str, key: &str) -> String {
        format!("{}{host}\n{key}\n", self.lines(HALF))
    }

    /// What the holder's host signs of both.
    #[must_use]
    pub fn escrow(&self, auditors: &[String], halves: &[Vec<u8>]) -> String {
        let mut text = self.lines(ESCROW);
        for (auditor, half) in auditors.iter().zip(halves) {
            text.push_str(&format!("{auditor}\n{}\n", hex::encode(half)));
        }
        text
    }
}

/// Whether the halves are sealed to two, of whom neither is the other.
#[must_use]
pub fn is_of_two(auditors: &[String], halves: &[Vec<u8>]) -> bool {
    let keys: Vec<_> = auditors
        .iter()
        .map(|key| VerifyingKey::parse(key).map(|key| key.to_bytes()))
        .collect();
    let [Ok(one), Ok(other)] = &keys[..] else {
        return false;
    };
    one != other && halves.len() == 2 && halves.iter().all(|half| half.len() == SEALED_BYTES)
}

/// A half that its auditor has opened, and sealed again to the host of its holder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedHalf {
    /// The draw.
    pub draw: u64,
    /// What its holder had committed to.
    pub commitment: Hash,
    /// The half, as that host alone can open it.
    pub half: Vec<u8>,
}

/// Halves of one holder's secrets that one auditor has opened for its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The house.
    pub house: String,
    /// The holder.
    pub holder: String,
    /// By draw, ascending.
    pub halves: Vec<OpenedHalf>,
}

impl Opened {
    /// What the auditor signs: tag, house, holder, then a line for each draw of number, commitment and
    /// half.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{OPENED}\n{}\n{}\n", self.house, self.holder);
        for half in &self.halves {
            let (commitment, bytes) = (hex::encode(half.commitment), hex::encode(&half.half));
            text.push_str(&format!("{} {commitment} {bytes}\n", half.draw));
        }
        text
    }

    /// Reads a note that `auditor` signed.
    ///
    /// # Errors
    /// [`NoteFault`]: [`NoteFault::NotEnded`] for a text that is none of these.
    pub fn read(note: &str, auditor: &VerifyingKey) -> Result<Self, NoteFault> {
        let note = Note::parse(note)?;
        note.verify(auditor)?;
        Self::of_text(note.text()).ok_or(NoteFault::NotEnded)
    }

    fn of_text(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        if lines.next() != Some(OPENED) {
            return None;
        }
        let (house, holder) = (lines.next()?.to_owned(), lines.next()?.to_owned());
        let half = |line: &str| {
            let mut fields = line.split(' ');
            Some(OpenedHalf {
                draw: fields.next()?.parse().ok()?,
                commitment: hex::decode(fields.next()?).ok()?.try_into().ok()?,
                half: hex::decode(fields.next()?).ok()?,
            })
        };
        let opened = Self {
            house,
            holder,
            halves: lines.map(half).collect::<Option<_>>()?,
        };
        // In its one spelling.
        (opened.text() == text).then_some(opened)
    }
}

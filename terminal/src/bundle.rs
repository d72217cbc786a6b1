//! What a terminal that is left had open, written down for the neighbour that goes on: a code of
//! digits and capital letters, to be scanned off its screen, typed, or carried in a file.
//!
//! It holds no secret: no claim code, no PIN, no key of the device. Who has it can do nothing
//! with it that central does not let two people do.

use data_encoding::BASE32_NOPAD;
use keno_wire::reply::UnconfirmedView;
use keno_wire::request::{CommandKey, Slip};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::journal::{CommandKind, Item, Outcome, PaperState, Record};

/// What a code begins with: what it is, and its form.
const PREFIX: &str = "KH2";
/// Bytes of the digest at the end: a slip of the finger is noticed.
const DIGEST_BYTES: usize = 5;
/// Longest code that is read.
const LENGTH_MAX: usize = 16_384;

/// A code that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this is not the code of a terminal that was left, or part of it is missing")]
pub struct BundleFault;

/// What a terminal that is left had open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// Its number.
    #[serde(rename = "d")]
    pub device: u32,
    #[serde(rename = "i")]
    open: Vec<Item>,
    /// The slip that was being made, not sold.
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<Slip>,
}

impl Bundle {
    /// What these commands, and the slip that was being made, come to.
    pub fn new(device: u32, items: &[Item], draft: Option<Slip>) -> Self {
        Self {
            device,
            open: items.to_vec(),
            draft,
        }
    }

    /// How many commands were open.
    pub const fn len(&self) -> usize {
        self.open.len()
    }

    /// True when no command was open.
    pub const fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The code.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn code(&self) -> serde_json::Result<String> {
        let mut bytes = serde_json::to_vec(self)?;
        let digest = digest(&bytes);
        bytes.extend(digest);
        Ok(format!("{PREFIX}{}", BASE32_NOPAD.encode(&bytes)))
    }

    /// Reads a code; blanks, dashes and small letters do not matter.
    ///
    /// # Errors
    /// [`BundleFault`].
    pub fn read(text: &str) -> Result<Self, BundleFault> {
        if text.len() > LENGTH_MAX {
            return Err(BundleFault);
        }
        let clean: String = text
            .chars()
            .filter(|sign| !sign.is_whitespace() && *sign != '-')
            .map(|sign| sign.to_ascii_uppercase())
            .collect();
        let coded = clean.strip_prefix(PREFIX).ok_or(BundleFault)?;
        let bytes = BASE32_NOPAD
            .decode(coded.as_bytes())
            .map_err(|_| BundleFault)?;
        let end = bytes.len().checked_sub(DIGEST_BYTES).ok_or(BundleFault)?;
        let (body, given) = bytes.split_at(end);
        if digest(body) != given {
            return Err(BundleFault);
        }
        serde_json::from_slice(body).map_err(|_| BundleFault)
    }

    /// The records by which another journal has these commands open, each command's in a row of
    /// their own.
    ///
    /// A paper that is not known to be whole is looked for, whatever the terminal that was left
    /// knew of it: what stands here may be older than what that one did last, and there is never
    /// a second paper of a ticket.
    pub fn adopted(&self) -> Vec<Vec<Record>> {
        self.open
            .iter()
            .map(|open| {
                let key = open.key;
                let mut records = vec![Record::Sent {
                    key,
                    kind: open.kind,
                    request: torn_request(open.torn),
                    total_cents: open.total_cents,
                    received_cents: open.received_cents,
                    device: Some(open.device.unwrap_or(self.device)),
                }];
                if let Some(outcome) = open.outcome.clone() {
                    records.push(Record::Outcome { key, outcome });
                }
                if open.is_parked {
                    let money = open.money;
                    records.push(Record::Parked { key, money });
                }
                if let Some(cents) = open.owed_cents {
                    records.push(Record::Owed { key, cents });
                }
                let state = match &open.paper {
                    Some(known @ (PaperState::Printed { .. } | PaperState::Missing { .. })) => {
                        known.clone()
                    }
                    _ => PaperState::Unknown,
                };
                records.push(Record::Paper { key, state });
                records
            })
            .collect()
    }
}

/// What is known of the request of a command that another device sent.
fn torn_request(torn: Option<CommandKey>) -> serde_json::Value {
    torn.map_or(serde_json::Value::Null, |sale| json!({ "torn": sale }))
}

/// The records of a ticket that another device sold and whose paper nobody has confirmed: it is
/// looked for.
pub fn unconfirmed(device: u32, ticket: &UnconfirmedView) -> Vec<Record> {
    let key = ticket.key;
    vec![
        Record::Sent {
            key,
            kind: CommandKind::Sale,
            request: torn_request(None),
            total_cents: ticket.total_cents,
            received_cents: ticket.received_cents,
            device: Some(device),
        },
        Record::Outcome {
            key,
            outcome: Outcome::Recorded {
                leaf: ticket.ticket,
            },
        },
        Record::Paper {
            key,
            state: PaperState::Unknown,
        },
    ]
}

fn digest(bytes: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(PREFIX);
    hash.update(bytes);
    let mut digest = hash.finalize().to_vec();
    digest.truncate(DIGEST_BYTES);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::ParkedMoney;

    fn bundle() -> Bundle {
        let key = CommandKey {
            session: 17,
            counter: 42,
        };
        let item = Item {
            key,
            device: None,
            kind: CommandKind::Sale,
            total_cents: 400,
            received_cents: 500,
            outcome: None,
            paper: None,
            is_parked: true,
            money: Some(ParkedMoney::GivenBack),
            owed_cents: None,
            torn: None,
            draws: None,
            is_told: false,
            is_reported: false,
            left_at: None,
        };
        Bundle {
            device: 2,
            open: vec![item],
            draft: None,
        }
    }

    #[test]
    fn a_code_comes_back_as_it_went_and_a_scanner_can_read_it() {
        let code = bundle().code().unwrap();
        assert!(
            code.bytes()
                .all(|sign| sign.is_ascii_digit() || sign.is_ascii_uppercase())
        );
        assert_eq!(Bundle::read(&code), Ok(bundle()));
        let by_hand = format!(" {}\n{} ", &code[..20].to_lowercase(), &code[20..]);
        assert_eq!(Bundle::read(&by_hand), Ok(bundle()));
    }

    #[test]
    fn a_code_with_any_one_sign_wrong_or_missing_is_not_read() {
        let code = bundle().code().unwrap();
        for place in 0..code.len() {
            let mut signs = code.clone().into_bytes();
            signs[place] = if signs[place] == b'A' { b'B' } else { b'A' };
            let wrong = String::from_utf8(signs).unwrap();
            assert_eq!(Bundle::read(&wrong), Err(BundleFault), "{place}");
            let mut short = code.clone();
            short.remove(place);
            assert_eq!(Bundle::read(&short), Err(BundleFault), "{place}");
        }
        for hostile in ["", "KH2", "KH2A", "KH1MFRGG", &"KH2A".repeat(9_000)] {
            assert_eq!(Bundle::read(hostile), Err(BundleFault));
        }
    }
}

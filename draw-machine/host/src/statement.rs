//! What a host signs of a draw: the text of a C2SP signed note, whose signature line alone is given
//! and kept, since everybody can make the text again from what is published.

use std::fmt::Write as _;

use keno_draw::context::DrawContext;
use keno_draw::holder::Seal;
use keno_draw::transcript::HolderRecord;
use keno_draw::{Transcript, round_secret};
use keno_log::beacon::{Beacon, Round};
use keno_log::checkpoint::{SignatureLine, VerifyingKey};

/// First line of what a holder signs.
const SECRET_TAG: &str = "boulier/secret/v1";
/// First line of what a machine signs.
const BALLS_TAG: &str = "boulier/balls/v1";

/// The draw, and the seal for which something is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sealed<'a> {
    /// The house.
    pub house: &'a str,
    /// The draw.
    pub draw: u64,
    /// Its seal.
    pub seal: Seal,
}

impl Sealed<'_> {
    fn lines(&self, tag: &str) -> String {
        let Seal { size, root } = self.seal;
        let root = hex::encode(root);
        format!("{tag}\n{}\n{}\n{size}\n{root}\n", self.house, self.draw)
    }

    /// What a holder signs when it gives its secret: for this seal, and no other, the secret of this
    /// commitment was given.
    #[must_use]
    pub fn secret(&self, commitment: &[u8; 32]) -> String {
        let mut text = self.lines(SECRET_TAG);
        text.push_str(&hex::encode(commitment));
        text.push('\n');
        text
    }

    /// What a machine signs when it has drawn: for this seal and these rules, these balls.
    #[must_use]
    pub fn balls(&self, rule_book_hash: &[u8; 32], balls: &[u8]) -> String {
        let mut text = self.lines(BALLS_TAG);
        text.push_str(&hex::encode(rule_book_hash));
        for (place, ball) in balls.iter().enumerate() {
            let before = if place == 0 { '\n' } else { ' ' };
            // Writing to a text cannot fail.
            let _ = write!(text, "{before}{ball}");
        }
        text.push('\n');
        text
    }
}

/// Why the hosts of a transcript do not vouch for it. Closed; the order is the order of the checks.
#[derive(Debug, thiserror::Error)]
pub enum HostsFault {
    /// Not one for the machine and each holder.
    #[error("{found} hosts are named instead of {expected}")]
    Count {
        /// The machine and each holder.
        expected: usize,
        /// Hosts named.
        found: usize,
    },
    /// A key that is none.
    #[error("{key:?} is no key")]
    Key {
        /// What stands there.
        key: String,
    },
    /// A host did not sign this.
    #[error("host {host} did not sign this draw")]
    NotSigned {
        /// Its name.
        host: String,
    },
    /// A beacon did not give this round, or the secret is of another.
    #[error("beacon {beacon} did not give this secret")]
    NotGiven {
        /// Its name.
        beacon: String,
    },
}

impl HostsFault {
    /// Stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Count { .. } => "host_count",
            Self::Key { .. } => "host_key",
            Self::NotSigned { .. } => "host_not_signed",
            Self::NotGiven { .. } => "beacon_not_given",
        }
    }
}

/// Whether the secret of a holder is that of a round which its beacon gave. That it is the round of this
/// draw, which follows from when it closed, is for the log to prove.
fn check_round(context: &DrawContext, holder: &HolderRecord, line: &str) -> Result<(), HostsFault> {
    let beacon = Beacon::parse(&holder.beacon).map_err(|_| HostsFault::Key {
        key: holder.beacon.clone(),
    })?;
    let given = Round::parse(line).is_some_and(|round| {
        let secret = round_secret(
            &context.house,
            context.draw,
            &holder.beacon,
            &round.signature,
        );
        beacon.has_given(&round) && secret == holder.secret
    });
    if given {
        return Ok(());
    }
    let beacon = beacon.name().to_owned();
    Err(HostsFault::NotGiven { beacon })
}

/// Checks what each host of a transcript signed. That these are the keys which the log named before
/// the first wager is for the log to prove.
///
/// # Errors
/// The first [`HostsFault`].
pub fn check_hosts(transcript: &Transcript) -> Result<(), HostsFault> {
    let hosts = &transcript.hosts;
    if hosts.is_empty() {
        return Ok(());
    }
    let (expected, found) = (transcript.holders.len() + 1, hosts.len());
    if expected != found {
        return Err(HostsFault::Count { expected, found });
    }
    let context = &transcript.ctx;
    let sealed = Sealed {
        house: &context.house,
        draw: context.draw,
        seal: Seal {
            size: context.log_size,
            root: context.seal_root,
        },
    };
    let machine = sealed.balls(&context.rule_book_hash, &transcript.balls);
    let holders = transcript.holders.iter();
    let holders = holders.map(|holder| (Some(holder), sealed.secret(&holder.commitment)));
    let said = std::iter::once((None, machine)).chain(holders);
    for (host, (holder, text)) in hosts.iter().zip(said) {
        if host.key.is_empty() && host.signature.is_empty() {
            continue;
        }
        if let Some(holder) = holder.filter(|holder| !holder.beacon.is_empty()) {
            check_round(context, holder, &host.signature)?;
            continue;
        }
        let key = VerifyingKey::parse(&host.key).map_err(|_| HostsFault::Key {
            key: host.key.clone(),
        })?;
        if !is_signed(&text, &host.signature, &key) {
            let host = key.name().to_owned();
            return Err(HostsFault::NotSigned { host });
        }
    }
    Ok(())
}

/// Whether `line` is the signature line of `key` under `text`.
#[must_use]
pub fn is_signed(text: &str, line: &str, key: &VerifyingKey) -> bool {
    SignatureLine::is_under(line, text, key)
}

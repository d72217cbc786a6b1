//! The transcript as the JSON that is published beside a draw.
//!
//! JSON carries it, but is never what is hashed: `sha256` is over the canonical bytes. Hashes
//! and secrets are in lower-case hexadecimal, balls in the order drawn.

use serde::{Deserialize, Serialize};

use crate::context::DrawContext;
use crate::transcript::{HolderRecord, HostRecord, Transcript};

/// Value of the field `format`.
const FORMAT: &str = "boulier-transcript-v1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedTranscript {
    format: String,
    house: String,
    draw: u64,
    log_size: u64,
    seal_root: String,
    rule_book_hash: String,
    pool_size: u8,
    drawn: u8,
    holders: Vec<PublishedHolder>,
    balls: Vec<u8>,
    words_used: u64,
    rejected: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hosts: Vec<PublishedHost>,
    assurance: String,
    assurance_fr: String,
    assurance_en: String,
    sha256: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedHolder {
    name: String,
    commitment: String,
    secret: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedHost {
    key: String,
    signature: String,
}

/// Why a text is not a published transcript. Closed.
#[derive(Debug, thiserror::Error)]
pub enum PublishedFault {
    /// Not JSON, or not with these fields.
    #[error("not a published transcript")]
    Malformed(#[source] serde_json::Error),
    /// Another format or version.
    #[error("format {found:?} is not known here")]
    FormatUnknown {
        /// What the field says.
        found: String,
    },
    /// A hash or a secret is not 64 lower-case hexadecimal digits.
    #[error("field {field} is not 64 lower-case hexadecimal digits")]
    NotHexadecimal {
        /// Name of the field.
        field: &'static str,
    },
    /// What the transcript says that it proves is not what it proves.
    #[error("the statement of what the draw proves does not fit its holders")]
    AssuranceDiffers,
    /// The content is not what `sha256` says.
    #[error("the content does not have the digest that it declares")]
    DigestDiffers,
}

impl PublishedFault {
    /// Stable name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed",
            Self::FormatUnknown { .. } => "format_unknown",
            Self::NotHexadecimal { .. } => "not_hexadecimal",
            Self::AssuranceDiffers => "assurance_differs",
            Self::DigestDiffers => "digest_differs",
        }
    }
}

/// The published form of `transcript`, secrets included: only for a draw whose secrets may be
/// known.
///
/// # Errors
/// Never in practice: a struct of texts and integers always serializes.
pub fn to_json(transcript: &Transcript) -> Result<String, serde_json::Error> {
    let context = &transcript.ctx;
    let assurance = transcript.assurance();
    serde_json::to_string_pretty(&PublishedTranscript {
        format: FORMAT.to_owned(),
        house: context.house.clone(),
        draw: context.draw,
        log_size: context.log_size,
        seal_root: hex::encode(context.seal_root),
        rule_book_hash: hex::encode(context.rule_book_hash),
        pool_size: context.pool_size,
        drawn: context.drawn,
        holders: transcript
            .holders
            .iter()
            .map(|holder| PublishedHolder {
                name: holder.name.clone(),
                commitment: hex::encode(holder.commitment),
                secret: hex::encode(holder.secret),
            })
            .collect(),
        balls: transcript.balls.clone(),
        words_used: transcript.words_used,
        rejected: transcript.rejected,
        hosts: transcript
            .hosts
            .iter()
            .map(|host| PublishedHost {
                key: host.key.clone(),
                signature: host.signature.clone(),
            })
            .collect(),
        assurance: assurance.name().to_owned(),
        assurance_fr: assurance.sentence_fr(),
        assurance_en: assurance.sentence_en(),
        sha256: hex::encode(transcript.digest()),
    })
}

/// Reads a published transcript. It does not recompute the draw: see `Transcript::check`.
///
/// # Errors
/// [`PublishedFault`], in the order of the enum.
pub fn from_json(text: &str) -> Result<Transcript, PublishedFault> {
    let published: PublishedTranscript =
        serde_json::from_str(text).map_err(PublishedFault::Malformed)?;
    if published.format != FORMAT {
        return Err(PublishedFault::FormatUnknown {
            found: published.format,
        });
    }
    let holders = published
        .holders
        .into_iter()
        .map(|holder| {
            Ok(HolderRecord {
                name: holder.name,
                commitment: bytes_of("commitment", &holder.commitment)?,
                secret: bytes_of("secret", &holder.secret)?,
                beacon: String::new(),
            })
        })
        .collect::<Result<Vec<_>, PublishedFault>>()?;
    let mut transcript = Transcript {
        ctx: DrawContext {
            house: published.house,
            draw: published.draw,
            log_size: published.log_size,
            seal_root: bytes_of("seal_root", &published.seal_root)?,
            rule_book_hash: bytes_of("rule_book_hash", &published.rule_book_hash)?,
            pool_size: published.pool_size,
            drawn: published.drawn,
        },
        holders,
        balls: published.balls,
        words_used: published.words_used,
        rejected: published.rejected,
        hosts: published
            .hosts
            .into_iter()
            .map(|host| HostRecord {
                key: host.key,
                signature: host.signature,
            })
            .collect(),
    };
    transcript.take_beacons();
    let assurance = transcript.assurance();
    if published.assurance != assurance.name()
        || published.assurance_fr != assurance.sentence_fr()
        || published.assurance_en != assurance.sentence_en()
    {
        return Err(PublishedFault::AssuranceDiffers);
    }
    if bytes_of("sha256", &published.sha256)? != transcript.digest() {
        return Err(PublishedFault::DigestDiffers);
    }
    Ok(transcript)
}

/// 32 bytes from 64 hexadecimal digits. Upper case is refused so that one transcript has one
/// spelling.
pub(crate) fn bytes_of(field: &'static str, text: &str) -> Result<[u8; 32], PublishedFault> {
    let mut bytes = [0; 32];
    if text.bytes().any(|byte| byte.is_ascii_uppercase())
        || hex::decode_to_slice(text, &mut bytes).is_err()
    {
        return Err(PublishedFault::NotHexadecimal { field });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use keno_log::beacon::QUICKNET;

    use super::*;
    use crate::expand::commitment;

    fn transcript() -> Transcript {
        let context = DrawContext {
            house: "maison d'essai".to_owned(),
            draw: 77,
            log_size: 4_096,
            seal_root: [3; 32],
            rule_book_hash: [4; 32],
            pool_size: 80,
            drawn: 20,
        };
        let holders = [("machine", [1; 32]), ("audit", [2; 32])]
            .map(|(name, secret)| HolderRecord {
                name: name.to_owned(),
                commitment: commitment(&context.house, context.draw, &secret),
                secret,
                beacon: String::new(),
            })
            .to_vec();
        Transcript::compute(context, holders).unwrap()
    }

    /// The same with a host for each.
    fn of_hosts() -> Transcript {
        let host = |name: &str| HostRecord {
            key: format!("{name}+0a0b0c0d+AA{name}"),
            signature: format!("— {name} AAAA"),
        };
        Transcript {
            hosts: ["draw-room", "machine-room", "audit-office"]
                .map(host)
                .to_vec(),
            ..transcript()
        }
    }

    #[test]
    fn json_comes_back_as_it_was() {
        for transcript in [transcript(), of_hosts()] {
            let text = to_json(&transcript).unwrap();
            assert_eq!(from_json(&text).unwrap(), transcript);
            let bytes = transcript.encode();
            assert_eq!(Transcript::decode(&bytes), Some(transcript));
        }
    }

    #[test]
    fn the_assurance_is_that_of_the_hosts() {
        let name = |transcript: &Transcript| transcript.assurance().name();
        assert_eq!(name(&transcript()), "one_host");
        let mut hosts = of_hosts();
        assert_eq!(name(&hosts), "named_hosts");
        hosts.hosts[2] = hosts.hosts[1].clone();
        assert_eq!(name(&hosts), "one_host", "two holders on one host");
        hosts.hosts[2].key = "another-name+0a0b0c0d+AAmachine-room".to_owned();
        assert_eq!(name(&hosts), "one_host", "one key under two names");
        for (host, key) in hosts.hosts.iter_mut().zip(["ABC+", "ABD+", "A+E+"]) {
            host.key = format!("host+0a0b0c0d+{key}");
        }
        assert_eq!(name(&hosts), "named_hosts", "keys that end alike");
        hosts.hosts[2] = HostRecord::default();
        assert_eq!(name(&hosts), "one_host", "a holder within central");
        hosts.hosts[2].key = QUICKNET.to_owned();
        assert_eq!(name(&hosts), "public_round");
        hosts.hosts[2].key = QUICKNET.replacen("quicknet", "maison", 1);
        assert_eq!(name(&hosts), "unknown_round", "anybody can run one");
        let mut one = of_hosts();
        one.holders.pop();
        one.hosts.pop();
        assert_eq!(name(&one), "one_holder");
    }

    #[test]
    fn every_flipped_bit_of_the_text_is_caught() {
        flipped(&transcript());
        flipped(&of_hosts());
    }

    fn flipped(transcript: &Transcript) {
        let text = to_json(transcript).unwrap().into_bytes();
        for place in 0..text.len() {
            for bit in 0..8 {
                let mut flipped = text.clone();
                flipped[place] ^= 1 << bit;
                let Ok(flipped) = String::from_utf8(flipped) else {
                    continue;
                };
                assert!(from_json(&flipped).is_err(), "byte {place} bit {bit}");
            }
        }
    }

    #[test]
    fn each_fault_is_named() {
        let text = to_json(&transcript()).unwrap();
        let name = |text: &str| from_json(text).unwrap_err().name();
        assert_eq!(name("{}"), "malformed");
        assert_eq!(name(&text.replace("\"draw\"", "\"drow\"")), "malformed");
        assert_eq!(name(&text.replace("-v1", "-v2")), "format_unknown");
        assert_eq!(name(&text.replace("0303", "03zz")), "not_hexadecimal");
        assert_eq!(
            name(&text.replace("one_host\"", "several_holders\"")),
            "assurance_differs"
        );
        assert_eq!(
            name(&text.replace("\"machine\"", "\"machina\"")),
            "digest_differs"
        );
        assert_eq!(name(&text.replace("4096", "4097")), "digest_differs");
    }
}

//! A public beacon as a holder: what it commits to is which beacon it is, and its secret is the round
//! that follows from when the draw closed. Relays are asked for that round; what they say is believed
//! only when the beacon's signature holds, so they may be anybody's.

use std::time::Duration;

use keno_draw::holder::{HolderFault, Revealed, Seal, SealProof, SecretHolder};
use keno_draw::{beacon_commitment, round_secret};
use keno_log::Leaf;
use keno_log::beacon::{Beacon, Round};
use serde::Deserialize;
use ureq::Agent;

/// A relay has so long to answer.
const WITHIN: Duration = Duration::from_secs(1);
/// No answer of a relay is longer.
const ANSWER_MAX: u64 = 4 * 1024;

/// What a relay answers (drand's HTTP interface); it says more, which follows from these.
#[derive(Deserialize)]
struct Published {
    round: u64,
    signature: String,
}

/// What drand publishes of a network, in its first and its second spelling.
#[derive(Deserialize)]
struct Network {
    public_key: String,
    period: u64,
    genesis_time: u64,
    #[serde(alias = "schemeID")]
    scheme: String,
    #[serde(default)]
    beacon_id: Option<String>,
    #[serde(default)]
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "beaconID")]
    beacon_id: String,
}

/// The beacon in what drand publishes of a network (`/info`, JSON).
///
/// # Errors
/// What is wrong with it, in words.
pub fn beacon_of(info: &str) -> Result<Beacon, String> {
    let network: Network = serde_json::from_str(info).map_err(|fault| fault.to_string())?;
    let name = network
        .beacon_id
        .or(network.metadata.map(|it| it.beacon_id));
    let (first, period) = (network.genesis_time.to_string(), network.period.to_string());
    let name = name.as_deref().unwrap_or_default();
    Beacon::new(&network.scheme, name, &first, &period, &network.public_key)
        .map_err(|fault| fault.to_string())
}

/// A public beacon, and who is asked for its rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeaconPlace {
    /// The beacon.
    pub beacon: Beacon,
    /// Addresses before the number of a round, by HTTP.
    pub relays: Vec<String>,
}

/// A public beacon that holds one of a draw's secrets.
#[derive(Debug)]
pub struct BeaconHolder {
    house: String,
    name: String,
    place: BeaconPlace,
    agent: Agent,
}

impl BeaconHolder {
    /// The holder `name` of `house`.
    #[must_use]
    pub fn new(house: &str, name: &str, place: BeaconPlace) -> Self {
        let config = Agent::config_builder()
            .proxy(None)
            .timeout_global(Some(WITHIN))
            .max_redirects(0)
            .build();
        Self {
            house: house.to_owned(),
            name: name.to_owned(),
            place,
            agent: config.into(),
        }
    }

    /// What one relay says of a round; nothing that the beacon did not sign.
    fn ask(&self, relay: &str, number: u64) -> Result<Round, String> {
        let said = |fault: &dyn std::fmt::Display| format!("{relay}: {fault}");
        let answer = self.agent.get(format!("{relay}/{number}")).call();
        let mut answer = answer.map_err(|fault| said(&fault))?;
        let body = answer.body_mut().with_config().limit(ANSWER_MAX);
        let body = body.read_to_string().map_err(|fault| said(&fault))?;
        let published: Published = serde_json::from_str(&body).map_err(|fault| said(&fault))?;
        Round::parse(&format!("{} {}", published.round, published.signature))
            .filter(|round| round.number == number && self.place.beacon.has_given(round))
            .ok_or_else(|| said(&"it says a round that the beacon did not sign"))
    }

    /// The round, by the first relay that has it.
    fn round(&self, number: u64) -> Result<Round, HolderFault> {
        let mut said = Vec::new();
        for relay in &self.place.relays {
            match self.ask(relay, number) {
                Ok(round) => return Ok(round),
                Err(words) => said.push(words),
            }
        }
        let beacon = self.place.beacon.name();
        let words = format!(
            "round {number} of {beacon} is not to be had: {}",
            said.join("; ")
        );
        Err(HolderFault::Away(words))
    }
}

impl SecretHolder for BeaconHolder {
    fn name(&self) -> &str {
        &self.name
    }

    fn host(&self) -> String {
        self.place.beacon.to_string()
    }

    fn commit(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        Ok(beacon_commitment(
            &self.house,
            draw,
            &self.place.beacon.to_string(),
        ))
    }

    /// The proof's leaf says when the draw closed; whoever asks has it from the log that it keeps.
    fn reveal(
        &mut self,
        draw: u64,
        seal: &Seal,
        proof: &SealProof,
    ) -> Result<Revealed, HolderFault> {
        let leaf = Leaf::from_bytes(&proof.leaf).ok();
        let closing = leaf.filter(|leaf| leaf.header.draw == draw && !seal.is_missing());
        let closing = closing.ok_or(HolderFault::SealMissing { draw })?;
        let round = self.round(self.place.beacon.round_of(closing.header.at_ms))?;
        Ok(Revealed {
            secret: round_secret(&self.house, draw, &round.signature),
            signature: round.to_string(),
        })
    }

    /// A draw that is void, or of balls, has no round.
    fn publish_void(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        Ok(round_secret(&self.house, draw, &[]))
    }
}

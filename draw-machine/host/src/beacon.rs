//! A public beacon as a holder: what it commits to is which beacon it is, and its secret is the round
//! that follows from when the draw closed. Relays are asked for that round; what they say is believed
//! only when the beacon's signature holds, so they may be anybody's.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use keno_draw::holder::{HolderFault, Revealed, Seal, SealProof, SecretHolder};
use keno_draw::{beacon_commitment, round_secret};
use keno_log::Leaf;
use keno_log::beacon::{Beacon, Round};
use serde::Deserialize;
use ureq::Agent;

/// A relay has so long to answer.
const WITHIN: Duration = Duration::from_secs(2);
/// Who asks for a round waits so long for it; it is asked for all the same, and there when he comes back.
const WAITS: Duration = Duration::from_millis(200);
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

impl BeaconPlace {
    /// A round from the first relay that has it; nothing that the beacon did not sign. Takes up to two
    /// seconds a relay.
    ///
    /// # Errors
    /// What each of them said instead, in words.
    pub fn round(&self, number: u64) -> Result<Round, String> {
        let config = Agent::config_builder()
            .proxy(None)
            .timeout_global(Some(WITHIN))
            .max_redirects(0)
            .build();
        let agent = Agent::from(config);
        let mut said = Vec::new();
        for relay in &self.relays {
            match self.ask(&agent, relay, number) {
                Ok(round) => return Ok(round),
                Err(words) => said.push(words),
            }
        }
        let beacon = self.beacon.name();
        let said = said.join("; ");
        Err(format!(
            "round {number} of {beacon} is not to be had: {said}"
        ))
    }

    fn ask(&self, agent: &Agent, relay: &str, number: u64) -> Result<Round, String> {
        let said = |fault: &dyn std::fmt::Display| format!("{relay}: {fault}");
        let answer = agent.get(format!("{relay}/{number}")).call();
        let mut answer = answer.map_err(|fault| said(&fault))?;
        if !answer.status().is_success() {
            return Err(said(&answer.status()));
        }
        let body = answer.body_mut().with_config().limit(ANSWER_MAX);
        let body = body.read_to_string().map_err(|fault| said(&fault))?;
        let published: Published = serde_json::from_str(&body).map_err(|fault| said(&fault))?;
        Round::parse(&format!("{} {}", published.round, published.signature))
            .filter(|round| round.number == number && self.beacon.has_given(round))
            .ok_or_else(|| said(&"it says a round that the beacon did not sign"))
    }
}

/// A public beacon that holds one of a draw's secrets.
///
/// Relays are asked on a thread of their own: who asks here drives all draws, and a relay that says
/// nothing must not hold up their closing.
#[derive(Debug)]
pub struct BeaconHolder {
    house: String,
    name: String,
    place: BeaconPlace,
    /// Rounds that are asked for, by their number.
    asked: BTreeMap<u64, Receiver<Result<Round, String>>>,
}

impl BeaconHolder {
    /// The holder `name` of `house`.
    #[must_use]
    pub fn new(house: &str, name: &str, place: BeaconPlace) -> Self {
        Self {
            house: house.to_owned(),
            name: name.to_owned(),
            place,
            asked: BTreeMap::new(),
        }
    }

    /// The round, if it comes within a moment; else it is there when it is asked for again.
    fn round(&mut self, number: u64) -> Result<Round, String> {
        let waits = || format!("round {number} is being asked for");
        let said = match self.asked.get(&number) {
            Some(asked) => match asked.try_recv() {
                Err(TryRecvError::Empty) => return Err(waits()),
                said => said.ok(),
            },
            None => {
                let (tell, told) = channel();
                let place = self.place.clone();
                std::thread::spawn(move || {
                    // Central may have been stopped meanwhile.
                    let _ = tell.send(place.round(number));
                });
                let said = told.recv_timeout(WAITS).ok();
                self.asked.insert(number, told);
                if said.is_none() {
                    return Err(waits());
                }
                said
            }
        };
        self.asked.remove(&number);
        said.unwrap_or_else(|| Err(waits()))
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
        Ok(beacon_commitment(&self.house, draw, &self.host()))
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
        let number = self.place.beacon.round_of(closing.header.at_ms);
        let round = self.round(number).map_err(HolderFault::NotGiven)?;
        Ok(Revealed {
            secret: round_secret(&self.house, draw, &self.host(), &round.signature),
            signature: round.to_string(),
        })
    }

    /// A draw that is void, or of balls, has no round.
    fn publish_void(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        Ok(round_secret(&self.house, draw, &self.host(), &[]))
    }
}

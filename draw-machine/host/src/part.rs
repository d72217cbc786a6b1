//! Machine and holder, as they answer what central asks.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::Arc;

use keno_draw::adapter::{DrawEvent, DrawOrder, MachineFault, collect};
use keno_draw::context::DrawContext;
use keno_draw::health::{EntropySource, Health};
use keno_draw::holder::{HolderFault, SealProof};
use keno_draw::journal::{Journal, JournalFault};
use keno_draw::medium::FileMedium;
use keno_draw::transcript::HolderRecord;
use keno_draw::{FileHolder, RngMachine, SecretHolder as _, commitment, round_secret};
use keno_line::HostKey;
use keno_line::frame::Hex32;
use keno_line::server::{Part, Refused};
use keno_log::beacon::Beacon;
use keno_log::checkpoint::VerifyingKey;

use crate::line::{Answer, Ask, Given, Order};
use crate::seal::{ProvenSeal, SealFault, prove};
use crate::statement::{Sealed, is_signed};

/// A draw that closed so long ago is not drawn any more: whoever still asks has another reason.
pub const EXPIRES_AFTER_MS: i64 = 24 * 3_600_000;
/// The clocks of two hosts may differ by so much.
pub const CLOCKS_DIFFER_MS: i64 = 5 * 60_000;
/// Name of the journal of the draws that are never drawn.
pub const EXPIRED_JOURNAL: &str = "expired.journal";
/// Whose journal that is.
const EXPIRED_SUBJECT: &[u8] = b"boulier/expired/v1";

/// The host's clock, UTC milliseconds.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Why a host refuses. Closed; the name is that of the cause where there is one.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// What was asked is for another part.
    #[error("this host is no {0}")]
    NotThisPart(&'static str),
    /// A field is not what it should be.
    #[error("{0} cannot be read")]
    Unreadable(&'static str),
    /// The seal proves nothing.
    #[error(transparent)]
    Seal(#[from] SealFault),
    /// The draw closed too long ago. This stays so forever.
    #[error("draw {draw} closed more than a day ago and is never drawn here")]
    SealExpired {
        /// The draw.
        draw: u64,
    },
    /// The draw closed in this host's future.
    #[error("draw {draw} closed {ahead_ms} ms ahead of this host's clock")]
    ClocksDiffer {
        /// The draw.
        draw: u64,
        /// By how much.
        ahead_ms: i64,
    },
    /// The holders of the order are not those whose keys are pinned here.
    #[error("the holders of draw {draw} are not those that this machine knows")]
    HoldersDiffer {
        /// The draw.
        draw: u64,
    },
    /// A holder did not give its secret for this seal.
    #[error("{holder} did not sign that it gave its secret for this seal")]
    NotGivenForThisSeal {
        /// The holder.
        holder: String,
    },
    /// The holder refuses.
    #[error(transparent)]
    Holder(#[from] HolderFault),
    /// The machine refuses.
    #[error(transparent)]
    Machine(#[from] MachineFault),
}

impl Refusal {
    /// Stable name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotThisPart(_) => "not_this_part",
            Self::Unreadable(_) => "unreadable",
            Self::Seal(fault) => fault.name(),
            Self::SealExpired { .. } => "seal_expired",
            Self::ClocksDiffer { .. } => "clocks_differ",
            Self::HoldersDiffer { .. } => "holders_differ",
            Self::NotGivenForThisSeal { .. } => "not_given_for_this_seal",
            Self::Holder(fault) => fault.name(),
            Self::Machine(fault) => fault.name(),
        }
    }
}

impl From<JournalFault> for Refusal {
    fn from(fault: JournalFault) -> Self {
        Self::Machine(fault.into())
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Self {
        // The causes are told too: who reads this looks after the host.
        let mut words = refusal.to_string();
        let mut cause = std::error::Error::source(&refusal);
        while let Some(behind) = cause {
            words = format!("{words}: {behind}");
            cause = behind.source();
        }
        Refused::new(refusal.name(), words).into()
    }
}

/// A machine or a holder.
pub type DrawPart = dyn Part<Ask = Ask, Answer = Answer>;

fn proof_of(proof: crate::line::Proof) -> Result<SealProof, Refusal> {
    proof
        .try_into()
        .map_err(|_| Refusal::Unreadable("the leaf of the proof"))
}

/// A holder of secrets.
pub struct HolderPart<S> {
    holder: FileHolder<S>,
    house: String,
    key: HostKey,
    log: VerifyingKey,
}

impl<S: EntropySource + Send> HolderPart<S> {
    /// A holder whose seals are signed by `log` and which signs by `key`.
    pub fn new(holder: FileHolder<S>, house: &str, key: HostKey, log: VerifyingKey) -> Self {
        Self {
            holder,
            house: house.to_owned(),
            key,
            log,
        }
    }

    fn reveal(&mut self, draw: u64, proof: crate::line::Proof) -> Result<Answer, Refusal> {
        let proven = prove(draw, &proof_of(proof)?, &self.log)?;
        let secret = self.holder.reveal(draw, &proven.seal)?;
        let text = sealed(&self.house, &proven).secret(&commitment(&self.house, draw, &secret));
        Ok(Answer::Secret {
            secret: Hex32(secret),
            signature: self.key.sign(&text),
        })
    }

    fn one(&mut self, ask: Ask) -> Result<Answer, Refusal> {
        Ok(match ask {
            Ask::State => Answer::State {
                part: "holder".to_owned(),
                name: self.holder.name().to_owned(),
                draws: self.holder.draws_on_record(),
                healthy: self.holder.health() == Health::Healthy,
            },
            Ask::Commit { draw } => Answer::Commitment(Hex32(self.holder.commit(draw)?)),
            Ask::Reveal { draw, proof } => self.reveal(draw, proof)?,
            Ask::PublishVoid { draw } => Answer::VoidSecret(Hex32(self.holder.publish_void(draw)?)),
            Ask::Draw(_) => return Err(Refusal::NotThisPart("machine")),
        })
    }
}

fn sealed<'a>(house: &'a str, proven: &ProvenSeal) -> Sealed<'a> {
    Sealed {
        house,
        draw: proven.draw,
        seal: proven.seal,
    }
}

impl<S: EntropySource + Send> Part for HolderPart<S> {
    type Ask = Ask;
    type Answer = Answer;

    fn answer(
        &mut self,
        ask: Ask,
        say: &mut dyn FnMut(Answer) -> io::Result<()>,
    ) -> io::Result<()> {
        say(self.one(ask).unwrap_or_else(Answer::from))
    }
}

/// Draws that were asked for too late: they are never drawn, whatever the clock says afterwards.
struct Expired {
    journal: Journal,
    draws: BTreeSet<u64>,
}

impl Expired {
    fn open(folder: &Path) -> Result<Self, JournalFault> {
        let medium = FileMedium::open(folder, EXPIRED_JOURNAL)?;
        let (journal, records) = Journal::open(Box::new(medium), EXPIRED_SUBJECT)?;
        let mut draws = BTreeSet::new();
        for (index, (_, payload)) in records.iter().enumerate() {
            let contradiction = JournalFault::Contradiction { record: index + 1 };
            let draw = payload.as_slice().try_into().map_err(|_| contradiction)?;
            draws.insert(u64::from_be_bytes(draw));
        }
        Ok(Self { journal, draws })
    }

    fn add(&mut self, draw: u64) -> Result<(), JournalFault> {
        self.journal.append(&draw.to_be_bytes())?;
        self.draws.insert(draw);
        Ok(())
    }
}

/// Who vouches that a secret was given for the seal that is drawn with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Giver {
    /// The holder's own host, which signs that.
    Host(VerifyingKey),
    /// A public beacon, whose round follows from the seal.
    Beacon(Beacon),
}

impl Giver {
    /// Whether `given` is what it gave for this seal.
    fn vouches(&self, proven: &ProvenSeal, house: &str, given: &Given) -> bool {
        match self {
            Self::Host(key) => {
                let text = sealed(house, proven).secret(&given.commitment.0);
                is_signed(&text, &given.signature, key)
            }
            Self::Beacon(beacon) => {
                let round = beacon.given_for(proven.closed_at_ms, &given.signature);
                round.is_some_and(|round| {
                    round_secret(house, proven.draw, &beacon.to_string(), &round.signature)
                        == given.secret.0
                })
            }
        }
    }

    /// The text of the beacon; empty for a host.
    fn beacon(&self) -> String {
        match self {
            Self::Host(_) => String::new(),
            Self::Beacon(beacon) => beacon.to_string(),
        }
    }
}

/// A computer that draws.
pub struct MachinePart {
    machine: RngMachine,
    expired: Expired,
    house: String,
    key: HostKey,
    log: VerifyingKey,
    /// Who vouches for each secret, by the holder's name.
    holders: BTreeMap<String, Giver>,
    clock: Clock,
}

impl MachinePart {
    /// A machine with its journals in `folder`, whose seals are signed by `log`, which signs by `key`
    /// and draws with the secrets of these holders alone.
    ///
    /// # Errors
    /// A journal that cannot be used.
    pub fn open(
        folder: &Path,
        house: &str,
        key: HostKey,
        log: VerifyingKey,
        holders: BTreeMap<String, Giver>,
        clock: Clock,
    ) -> Result<Self, JournalFault> {
        Ok(Self {
            machine: RngMachine::open(folder, house)?,
            expired: Expired::open(folder)?,
            house: house.to_owned(),
            key,
            log,
            holders,
            clock,
        })
    }

    /// Refuses a draw that is asked for the first time when it closed too long ago, and for good.
    fn in_time(&mut self, proven: &ProvenSeal) -> Result<(), Refusal> {
        let draw = proven.draw;
        if self.machine.has_drawn(draw) {
            return Ok(());
        }
        if self.expired.draws.contains(&draw) {
            return Err(Refusal::SealExpired { draw });
        }
        let age_ms = (self.clock)().saturating_sub(proven.closed_at_ms);
        if age_ms < -CLOCKS_DIFFER_MS {
            let ahead_ms = age_ms.saturating_neg();
            return Err(Refusal::ClocksDiffer { draw, ahead_ms });
        }
        if age_ms > EXPIRES_AFTER_MS {
            self.expired.add(draw)?;
            return Err(Refusal::SealExpired { draw });
        }
        Ok(())
    }

    /// Refuses secrets that were not given, each by its own holder, for this very seal: else somebody
    /// could have had them before the sales were closed.
    fn given_for(
        &self,
        proven: &ProvenSeal,
        holders: Vec<Given>,
    ) -> Result<Vec<HolderRecord>, Refusal> {
        let draw = proven.draw;
        if holders.len() != self.holders.len() {
            return Err(Refusal::HoldersDiffer { draw });
        }
        let mut names = BTreeSet::new();
        let mut records = Vec::new();
        for given in holders {
            let giver = self.holders.get(&given.name);
            let giver = giver.filter(|_| names.insert(given.name.clone()));
            let giver = giver.ok_or(Refusal::HoldersDiffer { draw })?;
            if !giver.vouches(proven, &self.house, &given) {
                let holder = given.name;
                return Err(Refusal::NotGivenForThisSeal { holder });
            }
            records.push(HolderRecord {
                name: given.name,
                commitment: given.commitment.0,
                secret: given.secret.0,
                beacon: giver.beacon(),
            });
        }
        Ok(records)
    }

    /// The balls of an order, and the signature line under them.
    fn draw(&mut self, order: Order) -> Result<(Vec<u8>, String), Refusal> {
        let proven = prove(order.draw, &proof_of(order.proof)?, &self.log)?;
        let house = self.house.clone();
        let sealed = sealed(&house, &proven);
        let holders = self.given_for(&proven, order.holders)?;
        self.in_time(&proven)?;
        let context = DrawContext {
            house: house.clone(),
            draw: proven.draw,
            log_size: proven.seal.size,
            seal_root: proven.seal.root,
            rule_book_hash: order.rule_book_hash.0,
            pool_size: order.pool_size,
            drawn: order.drawn,
        };
        let order = DrawOrder::within(context, holders);
        let collected = collect(&mut self.machine, &order)?;
        if collected.end != DrawEvent::Complete {
            return Err(MachineFault::NotBegun.into());
        }
        let text = sealed.balls(&order.ctx.rule_book_hash, &collected.balls);
        Ok((collected.balls, self.key.sign(&text)))
    }
}

impl Part for MachinePart {
    type Ask = Ask;
    type Answer = Answer;

    fn answer(
        &mut self,
        ask: Ask,
        say: &mut dyn FnMut(Answer) -> io::Result<()>,
    ) -> io::Result<()> {
        let order = match ask {
            Ask::Draw(order) => order,
            Ask::State => {
                return say(Answer::State {
                    part: "machine".to_owned(),
                    name: self.key.verifying_key().name().to_owned(),
                    draws: self.machine.draws_on_record(),
                    healthy: true,
                });
            }
            Ask::Commit { .. } | Ask::Reveal { .. } | Ask::PublishVoid { .. } => {
                return say(Refusal::NotThisPart("holder").into());
            }
        };
        match self.draw(order) {
            Err(refusal) => say(refusal.into()),
            Ok((balls, signature)) => {
                for (number, position) in balls.into_iter().zip(1_u8..) {
                    say(Answer::Ball { position, number })?;
                }
                say(Answer::Drawn { signature })
            }
        }
    }
}

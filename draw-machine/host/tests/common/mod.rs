//! A house of hosts: a machine and two holders, each a program of its own on loopback, and a log that
//! closes draws.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::SystemTime;

use keno_draw::adapter::DrawOrder;
use keno_draw::holder::{Seal, SealProof, SecretHolder as _};
use keno_draw::transcript::HolderRecord;
use keno_draw::{DrawContext, commitment};
use keno_draw_machine::line::{Answer, Ask, BOUNDS};
use keno_draw_machine::part::Giver;
use keno_draw_machine::{RemoteHolder, RemoteMachine};
use keno_line::{Host, HostKey, HostPlace};
use keno_log::checkpoint::{Checkpoint, SigningKey, VerifyingKey, sign};
use keno_log::leaf::{Leaf, LeafHeader};
use keno_log::proof::inclusion_proof_of;
use keno_log::tree::root_of;
use keno_log::{EventKind, Hash};

pub const HOUSE: &str = "maison";
const ORIGIN: &str = "boulier/maison";

/// The key of a log.
pub fn log_key(seed: u8) -> SigningKey {
    SigningKey::from_seed(ORIGIN, &[seed; 32]).unwrap()
}

/// Central's key on the line.
pub fn central_key() -> HostKey {
    HostKey::from_seed("central", [2; 32]).unwrap()
}

#[expect(
    clippy::disallowed_methods,
    reason = "the programs that are tested look at the machine's clock"
)]
fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap().as_millis()).unwrap()
}

/// A draw in a log, up to some leaf.
pub struct Draw {
    leaves: Vec<Leaf>,
    /// The leaf that is shown.
    shown: usize,
}

fn leaf(index: usize, kind: EventKind, draw: u64, at_ms: i64) -> Leaf {
    Leaf {
        header: LeafHeader {
            kind,
            index: index as u64,
            at_ms,
            business_day: 20_261_127,
            draw,
        },
        commitment: [index as u8; 32],
    }
}

impl Draw {
    /// A log of `before` tickets and the close of the draw, `age_ms` ago.
    pub fn closed_ago(draw: u64, before: usize, age_ms: i64) -> Self {
        let at_ms = now_ms() - age_ms;
        let mut leaves: Vec<Leaf> = (0..before)
            .map(|index| leaf(index, EventKind::TicketSold, draw, at_ms))
            .collect();
        leaves.push(leaf(before, EventKind::DrawClosed, draw, at_ms));
        Self {
            leaves,
            shown: before,
        }
    }

    pub fn closed_in(draw: u64, before: usize) -> Self {
        Self::closed_ago(draw, before, 1_000)
    }

    /// Each draw closes at its own place of the log.
    pub fn closed(draw: u64) -> Self {
        Self::closed_in(draw, 12 + usize::try_from(draw).unwrap())
    }

    /// The same before it closed.
    pub fn open(draw: u64) -> Self {
        let mut open = Self::closed(draw);
        open.leaves.pop();
        open.shown -= 1;
        open
    }

    /// With a ticket after its close.
    pub fn followed(mut self) -> Self {
        let next = self.leaves.len();
        self.leaves
            .push(leaf(next, EventKind::TicketSold, 1, now_ms()));
        self
    }

    /// When it closed.
    pub fn closed_at_ms(&self) -> i64 {
        self.leaves[self.shown].header.at_ms
    }

    fn hashes(&self) -> Vec<Hash> {
        self.leaves.iter().map(Leaf::hash).collect()
    }

    pub fn seal(&self) -> Seal {
        Seal {
            size: self.leaves.len() as u64,
            root: root_of(&self.hashes()),
        }
    }

    pub fn signed_by(&self, key: &SigningKey) -> String {
        let Seal { size, root } = self.seal();
        sign(&Checkpoint::new(ORIGIN, size, root), key).unwrap()
    }

    pub fn proof(&self) -> SealProof {
        let path = inclusion_proof_of(self.shown as u64, &self.hashes()).unwrap();
        SealProof {
            checkpoint: self.signed_by(&log_key(1)),
            leaf: self.leaves[self.shown].to_bytes(),
            path,
        }
    }
}

/// A host that runs.
pub struct Running {
    pub folder: PathBuf,
    pub key: VerifyingKey,
    name: &'static str,
    address: String,
    child: Option<Child>,
}

impl Running {
    /// Makes the key of a host in its folder.
    fn new(folder: PathBuf, name: &'static str) -> Self {
        let key = HostKey::read_or_make(&folder.join("first"), name).unwrap();
        Self {
            folder,
            key: key.verifying_key().clone(),
            name,
            address: String::new(),
            child: None,
        }
    }

    fn settings(&self, further: &str) {
        let text = format!(
            "{further}\nhost = \"{}\"\nhouse = \"{HOUSE}\"\nlisten = \"127.0.0.1:0\"\nfolder = \"first\"\n\
             central = \"{}\"\nlog = \"{}\"\n",
            self.name,
            central_key().verifying_key(),
            log_key(1).verifying_key(),
        );
        // What is below a table's head belongs to it: the tables come last.
        let (tables, plain): (Vec<&str>, Vec<&str>) = text
            .lines()
            .partition(|line| line.starts_with('[') || line.starts_with("  "));
        let text = [plain.join("\n"), tables.join("\n")].join("\n");
        std::fs::write(self.folder.join("host.toml"), text).unwrap();
    }

    pub fn start(&mut self) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_keno-draw-machine"))
            .args(["serve", "--settings"])
            .arg(self.folder.join("host.toml"))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim_end().strip_prefix("listening\t");
        self.address = address.expect("it listens").to_owned();
        self.child = Some(child);
    }

    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    pub fn kill_and_start(&mut self) {
        self.kill();
        self.start();
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// As central reaches it.
    pub fn at(&self) -> Host {
        self.shown_to(&central_key())
    }

    /// As somebody with this key reaches it.
    pub fn shown_to(&self, own: &HostKey) -> Host {
        let place = HostPlace {
            address: self.address.clone(),
            key: self.key.clone(),
        };
        Host::new(HOUSE, &place, own, BOUNDS).unwrap()
    }

    /// What the host would sign: its key lies in its folder.
    pub fn sign(&self, text: &str) -> String {
        HostKey::read(&self.folder.join("first"), self.name)
            .unwrap()
            .sign(text)
    }

    pub fn draws(&self) -> u64 {
        match self.at().answer(&Ask::State).unwrap() {
            Answer::State { draws, .. } => draws,
            other => panic!("{other:?}"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A machine and two holders.
pub struct House {
    pub machine: Running,
    pub holders: [Running; 2],
    _place: tempfile::TempDir,
}

const HOLDERS: [&str; 2] = ["house", "audit"];

impl House {
    pub fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &'static str| Running::new(place.path().join(name), name);
        let mut holders = [at("machine-room"), at("audit-office")];
        for (holder, name) in holders.iter_mut().zip(HOLDERS) {
            holder.settings(&format!(
                "part = \"holder\"\nholder = \"{name}\"\nsecond_folder = \"second\""
            ));
            holder.start();
        }
        let mut machine = at("draw-room");
        let keys: Vec<String> = HOLDERS
            .iter()
            .zip(&holders)
            .map(|(name, holder)| format!("  {name} = \"{}\"", holder.key))
            .collect();
        machine.settings(&format!(
            "part = \"machine\"\n[holders]\n{}",
            keys.join("\n")
        ));
        machine.start();
        Self {
            machine,
            holders,
            _place: place,
        }
    }

    /// Who vouches for the secrets, by the names of the holders.
    pub fn givers(&self) -> BTreeMap<String, Giver> {
        let named = HOLDERS.iter().zip(&self.holders);
        named
            .map(|(name, host)| ((*name).to_owned(), Giver::Host(host.key.clone())))
            .collect()
    }

    pub fn machine(&self) -> RemoteMachine {
        RemoteMachine::new(self.machine.at())
    }

    pub fn holder(&self, place: usize) -> RemoteHolder {
        RemoteHolder::new(HOLDERS[place], self.holders[place].at())
    }

    /// The holders commit to the draw and give their secrets for its seal.
    pub fn order(&self, draw: &Draw) -> DrawOrder {
        let number = draw.leaves[draw.shown].header.draw;
        let seal = draw.seal();
        let (mut holders, mut signatures) = (Vec::new(), Vec::new());
        for place in 0..HOLDERS.len() {
            let mut holder = self.holder(place);
            let committed = holder.commit(number).unwrap();
            let revealed = holder.reveal(number, &seal, &draw.proof()).unwrap();
            assert_eq!(commitment(HOUSE, number, &revealed.secret), committed);
            signatures.push(revealed.signature);
            holders.push(HolderRecord {
                name: holder.name().to_owned(),
                commitment: committed,
                secret: revealed.secret,
                beacon: String::new(),
            });
        }
        DrawOrder {
            ctx: DrawContext {
                house: HOUSE.to_owned(),
                draw: number,
                log_size: seal.size,
                seal_root: seal.root,
                rule_book_hash: [5; 32],
                pool_size: 80,
                drawn: 20,
            },
            holders,
            proof: draw.proof(),
            signatures,
        }
    }
}

/// Exit code, output and errors of the program.
pub fn program(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_keno-draw-machine"))
        .args(arguments)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

//! The witness against logs that grow, shrink, are rewritten, or prove nothing.

use keno_log::checkpoint::{Checkpoint, SigningKey, sign};
use keno_log::event::{EpochOpened, HouseOpened};
use keno_log::hash::leaf_hash;
use keno_log::leaf::body_commitment;
use keno_log::proof::{consistency_proof_of, inclusion_proof_of};
use keno_log::tree::root_of;
use keno_log::{EventKind, LeafHeader};
use keno_words::Say;

use super::*;

/// A log in memory that answers as central does.
#[derive(Clone)]
struct Log {
    origin: &'static str,
    seed: u8,
    first: ProvenEntry,
    leaves: Vec<Hash>,
    /// It answers checkpoints and no proof.
    gives_no_proof: bool,
    /// It has been restored: the leaf of its epoch, and where it stands.
    epoch: Option<(ProvenEntry, usize)>,
    /// It proves the beginning of another log.
    proves_as: Option<Vec<Hash>>,
}

impl Log {
    fn new(origin: &'static str, seed: u8) -> Self {
        let opened = Event::from(HouseOpened {
            house: "essai".to_owned(),
            name: "Maison d’essai".to_owned(),
            zone: "America/Toronto".to_owned(),
            log_key: key(origin, seed).verifying_key().to_string(),
            first_draw: 1,
        });
        let (nonce, body) = ([7; 32], opened.encode());
        let leaf = Leaf {
            header: LeafHeader {
                index: 0,
                kind: EventKind::HouseOpened,
                at_ms: 1_000,
                business_day: 20_260_101,
                draw: 0,
            },
            commitment: body_commitment(&nonce, &body),
        };
        Self {
            origin,
            seed,
            leaves: vec![leaf.hash()],
            first: ProvenEntry {
                leaf: leaf.to_bytes(),
                nonce,
                body,
                proof: Vec::new(),
            },
            gives_no_proof: false,
            epoch: None,
            proves_as: None,
        }
    }

    fn grow(&mut self, leaves: &[&str]) -> &mut Self {
        let hashes = leaves.iter().map(|leaf| leaf_hash(leaf.as_bytes()));
        self.leaves.extend(hashes);
        self
    }
}

fn key(origin: &str, seed: u8) -> SigningKey {
    SigningKey::from_seed(origin, &[seed; 32]).unwrap()
}

impl LogSource for Log {
    type Fault = &'static str;

    fn checkpoint(&mut self) -> Result<String, Self::Fault> {
        let size = self.leaves.len() as u64;
        let newest = Checkpoint::new(self.origin, size, root_of(&self.leaves));
        let name = self.origin.strip_suffix("/2").unwrap_or(self.origin);
        Ok(sign(&newest, &key(name, self.seed)).unwrap())
    }

    fn first_entry(&mut self, size: u64) -> Result<ProvenEntry, Self::Fault> {
        if self.gives_no_proof {
            return Err("no proof");
        }
        let leaves = &self.leaves[..usize::try_from(size).unwrap()];
        Ok(ProvenEntry {
            proof: inclusion_proof_of(0, leaves).unwrap(),
            ..self.first.clone()
        })
    }

    fn epoch_after(&mut self, epoch: u32, size: u64) -> Result<Option<EpochEvidence>, Self::Fault> {
        assert_eq!(epoch, 1);
        let leaves = &self.leaves[..usize::try_from(size).unwrap()];
        Ok(self.epoch.as_ref().map(|(entry, index)| EpochEvidence {
            leaf: entry.leaf.clone(),
            nonce: entry.nonce,
            body: entry.body.clone(),
            inclusion: inclusion_proof_of(*index as u64, leaves).unwrap(),
            consistency: consistency_proof_of(*index as u64, leaves).unwrap(),
        }))
    }

    fn consistency(&mut self, from: u64, to: u64) -> Result<Vec<Hash>, Self::Fault> {
        if self.gives_no_proof {
            return Err("no proof");
        }
        let leaves = self.proves_as.as_ref().unwrap_or(&self.leaves);
        let leaves = &leaves[..usize::try_from(to).unwrap()];
        Ok(consistency_proof_of(from, leaves).unwrap())
    }
}

fn size(looked: Result<&Known, WitnessFault<&'static str>>) -> Result<u64, Mistrust> {
    match looked {
        Ok(known) => Ok(known.size),
        Err(WitnessFault::Mistrusted(mistrust)) => Err(mistrust),
        Err(other) => panic!("{other}"),
    }
}

const ORIGIN: &str = "boulier.example/log/essai";

#[test]
fn an_honest_log_may_grow_and_what_was_seen_outlives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::new(ORIGIN, 1);
    let mut witness = Witness::open(folder.path()).unwrap();
    assert_eq!(size(witness.look(&mut log)), Ok(1));
    for leaves in [&["a"][..], &[], &["b", "c", "d", "e"], &["f"]] {
        log.grow(leaves);
        let grown = log.leaves.len() as u64;
        assert_eq!(size(witness.look(&mut log)), Ok(grown));
        let known = witness.known().cloned();
        witness = Witness::open(folder.path()).unwrap();
        assert_eq!(witness.known().cloned(), known);
    }
}

#[test]
fn a_log_that_does_not_go_on_is_refused_until_a_person_has_looked() {
    let seen = Log::new(ORIGIN, 1).grow(&["a", "b", "c"]).clone();
    let rewritten = |leaves: &[&str]| Log::new(ORIGIN, 1).grow(leaves).clone();
    let mut lying = rewritten(&["a", "x", "c", "d"]);
    lying.proves_as = Some(seen.clone().grow(&["d"]).leaves.clone());
    let mut longer_key = Log::new(ORIGIN, 2);
    longer_key.grow(&["a", "b", "c", "d"]);
    let mut other_house = Log::new("boulier.example/log/autre", 1);
    other_house.grow(&["a", "b", "c", "d"]);
    for (mut offered, mistrust) in [
        // Set back, and signed again with other sales.
        (rewritten(&["a", "x", "y", "z", "w"]), Mistrust::Rewritten),
        // As long as before.
        (rewritten(&["a", "b", "x"]), Mistrust::Rewritten),
        // The true proof over a false tree.
        (lying, Mistrust::Rewritten),
        // Set back only.
        (rewritten(&["a", "b"]), Mistrust::Shorter),
        (longer_key, Mistrust::OtherKey),
        (other_house, Mistrust::OtherKey),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut witness = Witness::open(folder.path()).unwrap();
        size(witness.look(&mut seen.clone())).unwrap();
        assert_eq!(size(witness.look(&mut offered)), Err(mistrust));
        // Not even the true log is believed before a person has looked, nor after a restart.
        let mut witness = Witness::open(folder.path()).unwrap();
        assert_eq!(size(witness.look(&mut seen.clone())), Err(mistrust));
        let against = witness.against().unwrap();
        assert_eq!(against.offered, offered.checkpoint().unwrap());
        assert_eq!(witness.known().unwrap().size, 4);
        let past = witness.begin_anew("T301").unwrap().unwrap();
        let past = std::fs::read_to_string(past).unwrap();
        assert!(past.contains(mistrust.name()) && past.contains("T301"));
        assert_eq!(size(witness.look(&mut seen.clone())), Ok(4));
    }
}

#[test]
fn the_same_key_may_not_sign_for_another_house() {
    // A key's name is the log's: only a note signed under a foreign name by a known key differs.
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::new(ORIGIN, 1);
    let mut witness = Witness::open(folder.path()).unwrap();
    size(witness.look(&mut log)).unwrap();
    struct Foreign;
    impl LogSource for Foreign {
        type Fault = &'static str;
        fn checkpoint(&mut self) -> Result<String, Self::Fault> {
            let foreign = Checkpoint::new("boulier.example/log/autre", 9, [3; 32]);
            Ok(sign(&foreign, &key(ORIGIN, 1)).unwrap())
        }
        fn first_entry(&mut self, _size: u64) -> Result<ProvenEntry, Self::Fault> {
            Err("not asked")
        }
        fn epoch_after(
            &mut self,
            _epoch: u32,
            _size: u64,
        ) -> Result<Option<EpochEvidence>, Self::Fault> {
            Err("not asked")
        }
        fn consistency(&mut self, _from: u64, _to: u64) -> Result<Vec<Hash>, Self::Fault> {
            Err("not asked")
        }
    }
    assert_eq!(size(witness.look(&mut Foreign)), Err(Mistrust::OtherHouse));
}

#[test]
fn without_a_proof_nothing_is_believed_and_nothing_held_against_central() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::new(ORIGIN, 1);
    log.gives_no_proof = true;
    let mut witness = Witness::open(folder.path()).unwrap();
    let no_answer = |looked: Result<&Known, WitnessFault<&'static str>>| {
        matches!(looked, Err(WitnessFault::NoAnswer("no proof")))
    };
    assert!(no_answer(witness.look(&mut log)));
    assert_eq!(witness.known(), None);
    log.gives_no_proof = false;
    size(witness.look(&mut log)).unwrap();
    log.grow(&["a"]).gives_no_proof = true;
    assert!(no_answer(witness.look(&mut log)));
    assert_eq!(
        (witness.known().unwrap().size, witness.against()),
        (1, None)
    );
    log.gives_no_proof = false;
    assert_eq!(size(witness.look(&mut log)), Ok(2));
}

#[test]
fn a_first_entry_that_is_not_in_the_log_is_not_believed() {
    let changes: [fn(&mut Log); 4] = [
        |log| log.first.body.push(0),
        |log| log.first.nonce = [8; 32],
        |log| log.first = Log::new(ORIGIN, 3).first,
        |log| log.first.leaf.truncate(5),
    ];
    for change in changes {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::new(ORIGIN, 1).grow(&["a"]).clone();
        change(&mut log);
        let mut witness = Witness::open(folder.path()).unwrap();
        assert_eq!(size(witness.look(&mut log)), Err(Mistrust::NotOurLog));
    }
}

#[test]
fn a_memory_that_cannot_be_read_is_no_reason_to_trust() {
    let folder = tempfile::tempdir().unwrap();
    let mut witness = Witness::open(folder.path()).unwrap();
    size(witness.look(&mut Log::new(ORIGIN, 1))).unwrap();
    // A power cut before the rename leaves the old memory.
    std::fs::write(folder.path().join(format!("{FILE}.part")), "{").unwrap();
    assert!(Witness::open(folder.path()).unwrap().known().is_some());
    std::fs::write(folder.path().join(FILE), "{").unwrap();
    assert!(Witness::open(folder.path()).is_err());
}

#[test]
fn every_reason_has_its_sentence() {
    let mut names = std::collections::BTreeSet::new();
    for mistrust in Mistrust::ALL {
        assert!(names.insert(mistrust.name()));
        let sentence = mistrust.fr();
        assert!(
            sentence.contains("ne vendez et ne payez rien")
                || sentence.contains("Ne vendez et ne payez rien")
        );
        assert!(mistrust.en().contains("ell and pay nothing"));
    }
}

/// A log that was restored from the first `continues` leaves, and says that it lost `lost`.
fn restored(before: &Log, continues: usize, lost: (u64, Hash)) -> Log {
    let mut log = before.clone();
    log.leaves.truncate(continues);
    let opened = Event::from(EpochOpened {
        epoch: 2,
        continues_size: continues as u64,
        continues_root: root_of(&log.leaves),
        lost_size: lost.0,
        lost_root: lost.1,
        next_draw: 10,
        next_session: 10,
        next_shift: 10,
        reason: "the disk is gone".to_owned(),
        by: "D1".to_owned(),
        second: "D2".to_owned(),
    });
    let (nonce, body) = ([9; 32], opened.encode());
    let leaf = Leaf {
        header: LeafHeader {
            index: continues as u64,
            kind: EventKind::EpochOpened,
            at_ms: 2_000,
            business_day: 20_260_101,
            draw: 0,
        },
        commitment: body_commitment(&nonce, &body),
    };
    log.leaves.push(leaf.hash());
    log.origin = "boulier.example/log/essai/2";
    log.epoch = Some((
        ProvenEntry {
            leaf: leaf.to_bytes(),
            nonce,
            body,
            proof: Vec::new(),
        },
        continues,
    ));
    log
}

#[test]
fn a_restore_that_lost_nothing_is_believed_and_no_other() {
    let seen = Log::new(ORIGIN, 1).grow(&["a", "b", "c"]).clone();
    let root = root_of(&seen.leaves);
    let silent = || {
        let mut log = restored(&seen, 2, (4, root));
        log.epoch = None;
        log
    };
    let believed: [(&str, Log, Result<u64, Mistrust>); 6] = [
        ("all was kept", restored(&seen, 4, (4, root)), Ok(5)),
        (
            "the kept state was lost, and is named",
            restored(&seen, 2, (4, root)),
            Err(Mistrust::Restored),
        ),
        (
            "more was lost than was kept",
            restored(&seen, 2, (9, [5; 32])),
            Err(Mistrust::Restored),
        ),
        (
            "less is admitted than was kept",
            restored(&seen, 2, (3, [5; 32])),
            Err(Mistrust::Rewritten),
        ),
        (
            "another state of that size is admitted",
            restored(&seen, 2, (4, [5; 32])),
            Err(Mistrust::Rewritten),
        ),
        ("nothing is said", silent(), Err(Mistrust::Rewritten)),
    ];
    for (name, mut log, expected) in believed {
        let folder = tempfile::tempdir().unwrap();
        let mut witness = Witness::open(folder.path()).unwrap();
        size(witness.look(&mut seen.clone())).unwrap();
        assert_eq!(size(witness.look(&mut log)), expected, "{name}");
        if expected.is_err() {
            continue;
        }
        // From there on the new epoch is what it must go on from, and the old one is past.
        log.grow(&["x", "y"]);
        assert!(size(witness.look(&mut log)).is_ok(), "{name}");
        assert_eq!(
            size(witness.look(&mut seen.clone())),
            Err(Mistrust::Shorter),
            "{name}"
        );
    }
}

#[test]
fn a_house_in_a_later_epoch_is_met_as_any() {
    let seen = Log::new(ORIGIN, 1).grow(&["a"]).clone();
    let mut log = restored(&seen, 2, (2, root_of(&seen.leaves)));
    let folder = tempfile::tempdir().unwrap();
    let mut witness = Witness::open(folder.path()).unwrap();
    assert_eq!(size(witness.look(&mut log)), Ok(3));
}

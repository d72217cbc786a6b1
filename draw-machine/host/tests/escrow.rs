//! A holder whose secrets are in escrow, as a program of its own: what it gives, what it takes back from
//! two auditors after its journal is lost, and all that it does not.

#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)]

use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::{Draw, HOUSE, House, program};
use keno_draw::adapter::{DrawEvent, collect};
use keno_draw::holder::{Escrow, SecretHolder as _};
use keno_draw::{HostRecord, Transcript, commitment};
use keno_draw_machine::RemoteHolder;
use keno_draw_machine::line::{Answer, Ask, BOUNDS, HOST_BOUNDS};
use keno_draw_machine::statement::{Gave, Sealed, check_hosts};
use keno_line::frame::Hex32;
use keno_line::sealed::{open, seal};
use keno_line::server::{self, Part};
use keno_line::{Host, HostKey, HostPlace, trust};
use keno_log::checkpoint::Note;
use keno_log::escrow::{Bound, Opened, OpenedHalf};
use parking_lot::Mutex;

/// The holder whose secrets are in escrow.
const PLACE: usize = 1;
const NAME: &str = "audit";

fn auditors() -> [HostKey; 2] {
    [("one", 21), ("other", 22)].map(|(name, seed)| HostKey::from_seed(name, [seed; 32]).unwrap())
}

fn settings_of(escrow: &str) -> String {
    format!("part = \"holder\"\nholder = \"{NAME}\"\nsecond_folder = \"second\"\n{escrow}")
}

fn escrow_of(keys: &[&HostKey]) -> String {
    let keys = keys
        .iter()
        .map(|key| format!("\"{}\"", key.verifying_key()));
    format!("escrow = [{}]", keys.collect::<Vec<_>>().join(", "))
}

/// A house whose audit office gives its secrets into escrow.
fn house() -> House {
    let mut house = House::new();
    let [one, other] = &auditors();
    let host = &mut house.holders[PLACE];
    host.settings(&settings_of(&escrow_of(&[one, other])));
    host.kill_and_start();
    house
}

/// What an auditor opens of a draw, for the host of the holder.
fn opened(
    house: &House,
    key: &HostKey,
    draw: u64,
    committed: &[u8; 32],
    escrow: &Escrow,
) -> OpenedHalf {
    let own = key.verifying_key().to_string();
    let at = escrow.auditors.iter().position(|it| *it == own).unwrap();
    let bound = Bound {
        house: HOUSE,
        draw,
        commitment: committed,
    };
    let host = &house.holders[PLACE].key;
    let named = host.to_string();
    let half = open(key, &bound.half(&named, &own), &escrow.halves[at]).unwrap();
    let about = bound.half(&named, &named);
    OpenedHalf {
        draw,
        commitment: *committed,
        half: seal(host, &about, &half, [at as u8; 32]).unwrap(),
    }
}

fn signed(key: &HostKey, opened: &Opened) -> String {
    Note::sign(&opened.text(), key.signing())
        .unwrap()
        .to_string()
}

/// What both auditors opened of these draws.
fn both(house: &House, given: &[(u64, [u8; 32], Escrow)]) -> [Opened; 2] {
    auditors().map(|key| Opened {
        house: HOUSE.to_owned(),
        holder: NAME.to_owned(),
        halves: given
            .iter()
            .map(|(draw, committed, escrow)| opened(house, &key, *draw, committed, escrow))
            .collect(),
    })
}

fn given(house: &House, draws: &[u64]) -> Vec<(u64, [u8; 32], Escrow)> {
    let mut holder = house.holder(PLACE);
    let give = |draw: &u64| {
        let (committed, escrow) = holder.commit_escrowed(*draw).unwrap();
        (*draw, committed, escrow.expect("in escrow"))
    };
    draws.iter().map(give).collect()
}

/// The program puts back what stands in two files.
fn restore(settings: &Path, files: [&str; 2]) -> (Option<i32>, String, String) {
    let folder = settings.parent().unwrap();
    let paths: Vec<PathBuf> = ["one.txt", "other.txt"]
        .map(|name| folder.join(name))
        .to_vec();
    for (path, text) in paths.iter().zip(files) {
        std::fs::write(path, text).unwrap();
    }
    let [one, other] = &paths[..] else {
        unreachable!("two files");
    };
    program(&[
        "restore",
        "--settings",
        settings.to_str().unwrap(),
        one.to_str().unwrap(),
        other.to_str().unwrap(),
    ])
}

#[test]
fn a_lost_journal_comes_back_from_two_auditors_and_the_draw_is_drawn() {
    let mut house = house();
    let Answer::State { escrow, .. } = house.holders[PLACE].at().answer(&Ask::State).unwrap()
    else {
        panic!("no state");
    };
    let keys = auditors().map(|key| key.verifying_key().to_string());
    assert_eq!(escrow, keys);
    let keys_of_both = keys.clone();
    let given = given(&house, &[7, 8]);
    assert_eq!(given[0].2.auditors, keys);
    assert_eq!(house.holder(0).commit_escrowed(7).unwrap().1, None);
    let opened = both(&house, &given);
    let notes: Vec<String> = auditors()
        .iter()
        .zip(&opened)
        .map(|(key, opened)| signed(key, opened))
        .collect();

    let host = &mut house.holders[PLACE];
    let settings = host.folder.join("host.toml");
    let running = restore(&settings, [&notes[0], &notes[1]]);
    assert_eq!(running.0, Some(1), "not while it runs");
    assert!(running.2.contains("journal_io"), "{}", running.2);
    host.kill();
    for copy in ["first", "second"] {
        std::fs::remove_file(host.folder.join(copy).join("secrets.journal")).unwrap();
    }
    let restored = restore(&settings, [&notes[0], &notes[1]]);
    assert_eq!(restored.0, Some(0), "{}", restored.2);
    assert_eq!(restored.1, "draw\t7\trestored\ndraw\t8\trestored\n");
    // In any order.
    let again = restore(&settings, [&notes[1], &notes[0]]);
    assert_eq!(again.1, "draw\t7\ton record\ndraw\t8\ton record\n");
    host.start();

    let draw = Draw::closed(7);
    let order = house.order(&draw);
    let secret = &order.holders[PLACE];
    assert_eq!(secret.commitment, given[0].1);
    assert_eq!(secret.commitment, commitment(HOUSE, 7, &secret.secret));
    let sealed = Sealed {
        house: HOUSE,
        draw: 7,
        seal: draw.seal(),
    };
    let gave = |place: usize| {
        let line = &order.signatures[place];
        sealed.gave(
            &order.holders[place].commitment,
            line,
            &house.holders[place].key,
        )
    };
    assert_eq!([gave(0), gave(1)], [Some(Gave::Kept), Some(Gave::Restored)]);
    let collected = collect(&mut house.machine(), &order).unwrap();
    assert_eq!(collected.end, DrawEvent::Complete);
    // The transcript holds with the two who are named, and not without, or with what are not two.
    let mut transcript = Transcript::compute(order.ctx.clone(), order.holders.clone()).unwrap();
    let keys = [
        &house.machine.key,
        &house.holders[0].key,
        &house.holders[1].key,
    ];
    let lines = std::iter::once(&collected.signature).chain(&order.signatures);
    let hosts = keys.iter().zip(lines).map(|(key, line)| HostRecord {
        key: key.to_string(),
        signature: line.clone(),
        escrow: Vec::new(),
    });
    transcript.hosts = hosts.collect();
    assert_eq!(
        check_hosts(&transcript).unwrap_err().name(),
        "host_not_signed"
    );
    transcript.hosts[PLACE + 1].escrow = keys_of_both.to_vec();
    check_hosts(&transcript).unwrap();
    let [first, second] = keys_of_both.clone();
    for wrong in [
        vec![String::new()],
        vec![first.clone()],
        vec![first.clone(), first.clone()],
        vec![first, "ghost+00000000+zzz".to_owned()],
        vec![second.clone(), second.clone(), second],
    ] {
        transcript.hosts[PLACE + 1].escrow = wrong;
        assert_eq!(check_hosts(&transcript).unwrap_err().name(), "host_key");
    }
    transcript.hosts[PLACE + 1].escrow = keys_of_both.to_vec();
    transcript.hosts[0].escrow = keys_of_both.to_vec();
    assert_eq!(check_hosts(&transcript).unwrap_err().name(), "host_key");
    // What it commits to from now on it has on record from the first, and in escrow.
    let (_, committed, _) = self::given(&house, &[9])[0];
    let next = Draw::closed(9);
    let revealed = house
        .holder(PLACE)
        .reveal(9, &next.seal(), &next.proof())
        .unwrap();
    let sealed = Sealed {
        draw: 9,
        seal: next.seal(),
        ..sealed
    };
    let key = &house.holders[PLACE].key;
    assert_eq!(
        sealed.gave(&committed, &revealed.signature, key),
        Some(Gave::Escrowed)
    );
}

#[test]
fn nothing_is_taken_back_but_two_halves_of_one_secret_by_the_two_who_are_named() {
    let mut house = house();
    let given = given(&house, &[7, 8]);
    let [one, other] = auditors();
    let opened = both(&house, &given);
    let right = [signed(&one, &opened[0]), signed(&other, &opened[1])];
    let host = &mut house.holders[PLACE];
    host.kill();
    for copy in ["first", "second"] {
        std::fs::remove_file(host.folder.join(copy).join("secrets.journal")).unwrap();
    }
    let settings = host.folder.join("host.toml");
    let changed = |key: &HostKey, which: usize, change: fn(&mut Opened)| {
        let mut changed = opened[which].clone();
        change(&mut changed);
        signed(key, &changed)
    };
    let own_word = signed(&one, &opened[1]);
    let mut flipped = right[1].clone();
    flipped.replace_range(60..61, if &flipped[60..61] == "0" { "1" } else { "0" });
    let first = right[0].clone();
    let of_other = |change| [right[0].clone(), changed(&other, 1, change)];
    let wrongs: [(&str, [String; 2], &str); 9] = [
        (
            "one for both",
            [first.clone(), first.clone()],
            "what other opened",
        ),
        (
            "one writes for the other",
            [first.clone(), own_word],
            "what other opened",
        ),
        (
            "a sign is changed",
            [first.clone(), flipped],
            "what other opened",
        ),
        (
            "not signed",
            [opened[0].text(), opened[1].text()],
            "what one opened",
        ),
        (
            "another half",
            of_other(|it| it.halves[1].half[40] ^= 1),
            "draw\t8\tnot sealed to the key",
        ),
        (
            "the half of another draw",
            of_other(|it| it.halves[1].half = it.halves[0].half.clone()),
            "draw\t8\tnot sealed to the key",
        ),
        (
            "another commitment",
            of_other(|it| it.halves[0].commitment[9] ^= 1),
            "draw\t7\tnot sealed to the key",
        ),
        (
            "another holder's",
            of_other(|it| it.holder = "machine".to_owned()),
            "of holder machine",
        ),
        (
            "another house's",
            of_other(|it| it.house = "autre".to_owned()),
            "of house autre",
        ),
    ];
    // Nothing of what two did not open together, or of another house; of one bad half the draw alone.
    for (what, [first, second], expected) in &wrongs {
        let (code, said, words) = restore(&settings, [first, second]);
        assert_eq!(code, Some(1), "{what}");
        assert!(
            said.contains(expected) || words.contains(expected),
            "{what}: {said}{words}"
        );
        let is_of_a_draw = expected.starts_with("draw");
        assert_eq!(
            said.matches("\trestored").count(),
            usize::from(is_of_a_draw),
            "{what}: {said}"
        );
        for copy in ["first", "second"] {
            let journal = host.folder.join(copy).join("secrets.journal");
            assert_eq!(journal.exists(), is_of_a_draw, "{what}");
            let _ = std::fs::remove_file(journal);
        }
    }
    // Two halves that are sealed as they should be, and of no secret.
    let mut mixed = opened[1].clone();
    let bound = Bound {
        house: HOUSE,
        draw: 7,
        commitment: &given[0].1,
    };
    let named = host.key.to_string();
    let about = bound.half(&named, &named);
    mixed.halves[0].half = seal(&host.key, &about, &[5; 32], [6; 32]).unwrap();
    let (code, said, _) = restore(&settings, [&right[0], &signed(&other, &mixed)]);
    assert_eq!(code, Some(1));
    assert!(said.contains("draw\t7\tnot of the secret"), "{said}");
    for copy in ["first", "second"] {
        std::fs::remove_file(host.folder.join(copy).join("secrets.journal")).unwrap();
    }
    host.settings(&settings_of(""));
    let (code, _, words) = restore(&settings, [&right[0], &right[1]]);
    assert_eq!(code, Some(1));
    assert!(words.contains("the settings name no escrow"), "{words}");
    host.settings(&settings_of(&escrow_of(&[&one, &other])));
    // What both opened comes back, whoever opened more.
    let fewer = changed(&other, 1, |it| it.halves.truncate(1));
    let (code, said, _) = restore(&settings, [&right[0], &fewer]);
    let expected = "draw\t7\trestored\ndraw\t8\topened by one auditor alone\n";
    assert_eq!((code, said.as_str()), (Some(1), expected));
    let all = restore(&settings, [&right[0], &right[1]]);
    assert_eq!(all.1, "draw\t7\ton record\ndraw\t8\trestored\n");
    host.start();
    assert_eq!(host.draws(), 2);
}

#[test]
fn what_was_committed_to_without_escrow_has_none_and_with_it_no_other() {
    let mut house = House::new();
    let committed = house.holder(PLACE).commit(7).unwrap();
    let [one, other] = &auditors();
    let third = HostKey::from_seed("third", [23; 32]).unwrap();
    let host = &mut house.holders[PLACE];
    host.settings(&settings_of(&escrow_of(&[one, other])));
    host.kill_and_start();
    // Somebody who asks again has no halves that no log has.
    assert_eq!(
        house.holder(PLACE).commit_escrowed(7).unwrap(),
        (committed, None)
    );
    let first = given(&house, &[8]).remove(0);
    let host = &mut house.holders[PLACE];
    host.settings(&settings_of(&escrow_of(&[one, &third])));
    host.kill_and_start();
    let again = given(&house, &[8]).remove(0);
    assert_eq!(again.2.auditors, first.2.auditors);
    house.holders[PLACE].settings(&settings_of(""));
    house.holders[PLACE].kill_and_start();
    assert_eq!(given(&house, &[8]).remove(0).2.auditors, first.2.auditors);
    // A half is of this host: for another, that somebody puts in its place, it does not open.
    let bound = Bound {
        house: HOUSE,
        draw: 8,
        commitment: &first.1,
    };
    let own = one.verifying_key().to_string();
    let named = house.holders[PLACE].key.to_string();
    let another = house.holders[0].key.to_string();
    assert!(open(one, &bound.half(&named, &own), &first.2.halves[0]).is_some());
    assert!(open(one, &bound.half(&another, &own), &first.2.halves[0]).is_none());
}

#[test]
fn escrow_is_with_two_who_are_not_one() {
    let mut house = house();
    let [one, other] = &auditors();
    let renamed = HostKey::from_seed("another", [21; 32]).unwrap();
    let long = HostKey::from_seed(&"n".repeat(65), [24; 32]).unwrap();
    let host = &mut house.holders[PLACE];
    host.kill();
    let settings = host.folder.join("host.toml");
    for keys in [
        &[one][..],
        &[one, one],
        &[one, &renamed],
        &[one, other, &renamed],
        &[one, &long],
    ] {
        host.settings(&settings_of(&escrow_of(keys)));
        let (code, _, words) = program(&["serve", "--settings", settings.to_str().unwrap()]);
        assert_eq!(code, Some(1));
        assert!(words.contains("two auditors"), "{words}");
    }
    let own = HostKey::read(&host.folder.join("first"), "audit-office").unwrap();
    host.settings(&settings_of(&escrow_of(&[one, &own])));
    let (code, _, words) = program(&["serve", "--settings", settings.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(words.contains("its own auditor"), "{words}");
}

/// A host that says what it is told to.
struct Liar(Answer);

impl Part for Liar {
    type Ask = Ask;
    type Answer = Answer;

    fn answer(&mut self, _: Ask, say: &mut dyn FnMut(Answer) -> io::Result<()>) -> io::Result<()> {
        say(self.0.clone())
    }
}

/// What central makes of an answer to `commit`.
fn taken(key: &HostKey, answer: Answer) -> Result<Option<Escrow>, String> {
    let config =
        Arc::new(trust::server(key, crate::common::central_key().verifying_key()).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = HostPlace {
        address: listener.local_addr().unwrap().to_string(),
        key: key.verifying_key().clone(),
    };
    let liar = Arc::new(Mutex::new(Liar(answer)));
    std::thread::spawn(move || server::serve(&listener, &config, HOST_BOUNDS, &liar));
    let host = Host::new(HOUSE, &place, &crate::common::central_key(), BOUNDS).unwrap();
    let committed = RemoteHolder::new(NAME, host).commit_escrowed(7);
    committed
        .map(|(_, escrow)| escrow)
        .map_err(|fault| fault.to_string())
}

#[test]
fn central_takes_what_the_host_has_signed_of_this_draw_alone() {
    let key = HostKey::from_seed("audit-office", [9; 32]).unwrap();
    let [one, other] = auditors().map(|key| key.verifying_key().to_string());
    let commitment = [3; 32];
    let said = |house: &str, draw: u64, auditors: &[String], halves: &[Vec<u8>]| {
        let bound = Bound {
            house,
            draw,
            commitment: &commitment,
        };
        Answer::Escrowed {
            commitment: Hex32(commitment),
            auditors: auditors.to_vec(),
            halves: halves.iter().map(hex::encode).collect(),
            signature: key.sign(&bound.escrow(auditors, halves)),
        }
    };
    let (two, halves) = ([one.clone(), other.clone()], [vec![4; 80], vec![5; 80]]);
    let right = taken(&key, said(HOUSE, 7, &two, &halves)).unwrap();
    assert_eq!(right.unwrap().auditors, two);
    let mut exchanged = said(HOUSE, 7, &two, &halves);
    if let Answer::Escrowed { halves, .. } = &mut exchanged {
        halves.swap(0, 1);
    }
    for (wrong, expected) in [
        (exchanged, "does not hold"),
        (said(HOUSE, 8, &two, &halves), "does not hold"),
        (said("autre", 7, &two, &halves), "does not hold"),
        (said(HOUSE, 7, &two[..1], &halves[..1]), "not an answer"),
        (
            said(HOUSE, 7, &[one.clone(), one.clone()], &halves),
            "not an answer",
        ),
        (
            said(HOUSE, 7, &two, &[vec![4; 80], vec![5; 81]]),
            "not an answer",
        ),
    ] {
        let refused = taken(&key, wrong).unwrap_err();
        assert!(refused.contains(expected), "{refused}");
    }
}

//! Backup and restore as a technician meets them at a console, and what the restored house shows
//! to whoever kept a checkpoint.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use keno_log::Hash;
use keno_log::checkpoint::{Checkpoint, VerifyingKey, open};
use keno_log::epoch::{Continuity, ContinuityFault, EpochEvidence, consistent_or_new_epoch};
use keno_service::house_file::HouseFile;
use serde_json::Value;

struct Said {
    code: Option<i32>,
    out: String,
    notes: String,
}

fn run_with(pins: (&str, &str), arguments: &[&str]) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_keno-central"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env("BOULIER_LOG", "warn")
        .spawn()
        .unwrap();
    // A new person's PIN comes after those of the two who record them.
    let typed = format!("{}\n{}\n864297\n", pins.0, pins.1);
    // A command that asks nothing has no reader.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        notes: String::from_utf8(output.stderr).unwrap(),
    }
}

fn run(arguments: &[&str]) -> Said {
    run_with(("147028", "074129"), arguments)
}

#[track_caller]
fn done(arguments: &[&str]) -> Said {
    let said = run(arguments);
    assert_eq!(
        said.code,
        Some(0),
        "{arguments:?}: {}{}",
        said.out,
        said.notes
    );
    said
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A house with two administrators and rules, that listens on any port.
fn found(data: &Path) {
    let at = text(data);
    std::fs::create_dir_all(data).unwrap();
    let house = HouseFile::demonstration().replace("127.0.0.1:8480", "127.0.0.1:0");
    std::fs::write(data.join("house.toml"), house).unwrap();
    done(&[
        "init",
        "--data",
        at,
        "--administrator",
        "D001=1",
        "--administrator",
        "D002=2",
    ]);
    done(&[
        "admin", "person", "add", "--data", at, "--badge", "C003", "--staff", "3", "--roles",
        "clerk", "--by", "D001", "--second", "D002",
    ]);
    let rules = "../samples/rules/demonstration.toml";
    done(&[
        "rules", "publish", "--data", at, rules, "--from", "1", "--by", "D001", "--second", "D002",
    ]);
}

/// A central that serves.
struct Serving {
    child: Child,
    address: SocketAddr,
}

impl Serving {
    fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_keno-central"))
            .args(["serve", "--data", text(data)])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .env("BOULIER_LOG", "warn")
            .spawn()
            .unwrap();
        let mut notes = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let address = loop {
            let mut line = String::new();
            assert_ne!(notes.read_line(&mut line).unwrap(), 0, "{said}");
            if let Some(rest) = line.trim().strip_prefix("central listens on http://") {
                break rest.trim_end_matches('/').parse().unwrap();
            }
            said.push_str(&line);
        };
        // Whoever writes notes must find a reader for them.
        std::thread::spawn(move || notes.lines().map_while(Result::ok).for_each(drop));
        Self { child, address }
    }

    fn get(&self, path: &str) -> String {
        let (head, body) = self.answer(path);
        assert!(head.contains(" 200 "), "{path}: {head}");
        body
    }

    /// Head and body of an answer.
    fn answer(&self, path: &str) -> (String, String) {
        let mut stream = std::net::TcpStream::connect(self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.0\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    fn value(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path)).unwrap()
    }

    fn proof(&self, path: &str) -> Vec<Hash> {
        let reply = self.value(path);
        let list = reply["proof"].as_array().unwrap();
        list.iter().map(bytes32).collect()
    }

    fn checkpoint(&self, key: &VerifyingKey) -> Checkpoint {
        open(&self.get("/log/checkpoint"), key).unwrap()
    }

    /// Stops it in order.
    fn stop(mut self) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // A test that failed must not leave a house behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn bytes32(value: &Value) -> Hash {
    let mut hash = [0; 32];
    hex::decode_to_slice(value.as_str().unwrap(), &mut hash).unwrap();
    hash
}

/// The consistency of a kept checkpoint with the one that is shown, and the evidence of an epoch,
/// as a device asks for them.
fn ask(
    serving: &Serving,
    kept: &Checkpoint,
    newer: &Checkpoint,
) -> Result<Continuity, ContinuityFault> {
    let to = newer.size;
    let epochs = serving.value("/log/epochs");
    let evidence = epochs.as_array().unwrap().first().map(|entry| {
        let index = entry["index"].as_u64().unwrap();
        EpochEvidence {
            leaf: hex::decode(entry["leaf"].as_str().unwrap()).unwrap(),
            nonce: bytes32(&entry["nonce"]),
            body: hex::decode(entry["body"].as_str().unwrap()).unwrap(),
            inclusion: serving.proof(&format!("/log/inclusion/{index}?size={to}")),
            consistency: serving.proof(&format!("/log/consistency?from={index}&to={to}")),
        }
    });
    // A restored log may be shorter than what was kept: there is nothing to ask for then.
    let consistency = if kept.size <= to {
        serving.proof(&format!("/log/consistency?from={}&to={to}", kept.size))
    } else {
        Vec::new()
    };
    consistent_or_new_epoch("boulier/demo", kept, newer, &consistency, evidence.as_ref())
}

#[test]
fn a_house_is_backed_up_while_it_serves_and_restored_by_two_people() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let data = at("data");
    found(&data);
    let serving = Serving::start(&data);
    assert_eq!(serving.value("/log/epochs"), serde_json::json!([]));
    let is_on_sale = |serving: &Serving| {
        let (head, _) = serving.answer("/api/v1/draws/next");
        head.contains(" 200 ")
    };
    assert!(
        (0..50_000).any(|_| is_on_sale(&serving)),
        "no draw is announced"
    );

    // While central serves. Keys go elsewhere, or not at all.
    let made = done(&[
        "backup",
        "--data",
        text(&data),
        "--to",
        text(&at("records")),
    ]);
    let backup = PathBuf::from(made.out.trim());
    assert!(backup.join("manifest.toml").is_file());
    assert!(
        made.notes.contains("backed up and verified"),
        "{}",
        made.notes
    );
    let beside = run(&[
        "backup-keys",
        "--data",
        text(&data),
        "--to",
        text(&at("records")),
    ]);
    assert_eq!(beside.code, Some(1), "{}", beside.notes);
    assert!(
        beside.notes.contains("never kept in one place")
            && beside.notes.contains("(record_beside_keys)")
            && beside.notes.contains("jamais gardés au même endroit"),
        "{}",
        beside.notes
    );
    let kept_keys = done(&[
        "backup-keys",
        "--data",
        text(&data),
        "--to",
        text(&at("keys")),
    ]);
    let keys = PathBuf::from(kept_keys.out.trim());
    let checked = done(&["check-backup", text(&backup)]);
    assert!(
        checked.out.contains("house demo, epoch 1"),
        "{}",
        checked.out
    );

    // The house goes on, and is lost.
    let key_text = std::fs::read_to_string(keys.join("keys-manifest.toml")).unwrap();
    let key_line = key_text
        .lines()
        .find(|line| line.starts_with("log_key"))
        .unwrap();
    let key = VerifyingKey::parse(key_line.split('"').nth(1).unwrap()).unwrap();
    let manifest = std::fs::read_to_string(backup.join("manifest.toml")).unwrap();
    let size_line = manifest
        .lines()
        .find(|line| line.starts_with("size"))
        .unwrap();
    let size: u64 = size_line.split(' ').nth(2).unwrap().parse().unwrap();
    serving.stop();
    done(&[
        "sales",
        "stop",
        "--data",
        text(&data),
        "--by",
        "D001",
        "--reason",
        "essai",
    ]);
    let again = Serving::start(&data);
    let kept = again.checkpoint(&key);
    assert!(kept.size > size, "nothing was lost");
    drop(again);

    // Two people, and no fewer; what is refused leaves nothing.
    let new = at("new");
    let restore = |pins: (&str, &str), by: &str, second: &str, reason: &str| {
        run_with(
            pins,
            &[
                "restore",
                "--from",
                text(&backup),
                "--keys",
                text(&keys),
                "--data",
                text(&new),
                "--anchor",
                text(&data.join("anchors.log")),
                "--by",
                by,
                "--second",
                second,
                "--reason",
                reason,
            ],
        )
    };
    for (pins, by, second, reason, word) in [
        (
            ("9999", "074129"),
            "D001",
            "D002",
            "feu",
            "badge_or_pin_wrong",
        ),
        (
            ("147028", "9999"),
            "D001",
            "D002",
            "feu",
            "badge_or_pin_wrong",
        ),
        (
            ("147028", "147028"),
            "D001",
            "D001",
            "feu",
            "same_person_twice",
        ),
        (
            ("147028", "074129"),
            "D001",
            "C003",
            "feu",
            "pin_known_to_other",
        ),
        (("147028", "074129"), "D001", "D002", " ", "reason_needed"),
    ] {
        let refused = restore(pins, by, second, reason);
        assert!(refused.notes.contains(word), "{word}: {}", refused.notes);
        assert_eq!(refused.code, Some(1), "{word}: {}", refused.notes);
        assert!(!new.exists() && !at("new.part").exists(), "{word}");
    }
    let restored = restore(("147028", "074129"), "D001", "D002", "feu");
    assert_eq!(restored.code, Some(0), "{}", restored.notes);
    for words in [
        "in epoch 2",
        "LOST: at least",
        "VOID: draw 1:",
        "NUMBERS: draws go on from",
    ] {
        assert!(restored.out.contains(words), "{words}: {}", restored.out);
    }
    // Who is recorded, which two look at before sales go on; the same later.
    let standing = |out: &str| -> Vec<String> {
        let says = |line: &&str| line.starts_with("STAFF: ") || line.starts_with("DEVICE: ");
        out.lines().filter(says).map(str::to_owned).collect()
    };
    let staff = standing(&restored.out);
    assert_eq!(staff[1], "STAFF: D001, staff number 1: administrator");
    assert_eq!(staff.len(), 3, "{staff:?}");
    assert_eq!(standing(&done(&["staff", "--data", text(&new)]).out), staff);
    let verified = done(&["verify", "--data", text(&new)]);
    assert!(verified.notes.contains("all of it holds"));
    done(&["rebuild", "--data", text(&new)]);
    done(&["verify", "--data", text(&new)]);

    // Who kept a checkpoint of what was kept, of what was lost, and of more than is admitted.
    let serving = Serving::start(&new);
    let newer = serving.checkpoint(&key);
    assert_eq!(newer.origin, "boulier/demo/2");
    let export = at("export");
    done(&["export", "--data", text(&data), "--out", text(&export)]);
    let leaves = leaves_of(&export);
    let root = |size: u64| {
        let count = usize::try_from(size).unwrap();
        keno_log::tree::root_of(&leaves[..count])
    };
    let of_first = |size: u64| Checkpoint::new("boulier/demo", size, root(size));
    assert!(matches!(
        ask(&serving, &of_first(size), &newer),
        Ok(Continuity::NewEpoch(opened)) if opened.reason == "feu"
    ));
    // A device may not ask for consistency with what is lost: the log has another leaf there.
    let lost = ask(&serving, &kept, &newer);
    assert!(matches!(lost, Ok(Continuity::Lost(_))), "{lost:?}");
    let mut more = kept.clone();
    more.size += 1;
    assert!(matches!(
        ask(&serving, &more, &newer),
        Err(ContinuityFault::LossDenied { .. })
    ));
    let mut other = kept;
    other.root[0] ^= 1;
    assert!(matches!(
        ask(&serving, &other, &newer),
        Err(ContinuityFault::LossDenied { .. })
    ));
    serving.stop();
}

/// Leaf hashes of an export.
fn leaves_of(export: &Path) -> Vec<Hash> {
    let bytes = std::fs::read(export).unwrap();
    keno_log::export::ExportReader::new(&bytes)
        .unwrap()
        .filter_map(|record| match record.unwrap() {
            keno_log::export::ExportRecord::Entry(entry) => Some(entry.leaf_hash),
            keno_log::export::ExportRecord::End(_) => None,
        })
        .collect()
}

/// Keys that systemd hands over are backed up as those in the data folder, and so is the record;
/// where nobody hands them over, it is said what to do.
#[test]
fn keys_that_are_handed_over_are_backed_up() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (data, handed) = (at("data"), at("credentials"));
    found(&data);
    std::fs::create_dir(&handed).unwrap();
    std::fs::rename(data.join("keys.toml"), handed.join("central_keys")).unwrap();
    // An access list shows as the permission of a group.
    let mode = std::fs::Permissions::from_mode(0o440);
    std::fs::set_permissions(handed.join("central_keys"), mode).unwrap();
    let house = data.join("house.toml");
    let text_before = std::fs::read_to_string(&house).unwrap();
    let named = "\n[keys]\nfile = \"credential:central_keys\"\n";
    std::fs::write(&house, format!("{text_before}{named}")).unwrap();
    let (records, safe) = (at("records"), at("safe"));
    let both = [("backup", &records), ("backup-keys", &safe)];
    for (command, to) in both {
        let alone = run(&[command, "--data", text(&data), "--to", text(to)]);
        assert_eq!(alone.code, Some(2), "{}", alone.notes);
        for words in ["keys.file", "handed over by systemd", "boulier-central"] {
            assert!(alone.notes.contains(words), "{}", alone.notes);
        }
    }
    let mut made = Vec::new();
    for (command, to) in both {
        let output = Command::new(env!("CARGO_BIN_EXE_keno-central"))
            .args([command, "--data", text(&data), "--to", text(to)])
            .stdin(Stdio::null())
            .env("CREDENTIALS_DIRECTORY", &handed)
            .output()
            .unwrap();
        let notes = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {notes}");
        made.push(String::from_utf8(output.stdout).unwrap().trim().to_owned());
    }
    let kept = Path::new(&made[1]);
    let read = |path: &Path| std::fs::read(path).unwrap();
    assert_eq!(
        read(&kept.join("keys.toml")),
        read(&handed.join("central_keys"))
    );
    let mode = std::fs::metadata(kept.join("keys.toml"))
        .unwrap()
        .permissions();
    assert_eq!(mode.mode() & 0o777, 0o600);
    // Such a backup restores the house.
    let restored = at("restored");
    done(&[
        "restore",
        "--from",
        &made[0],
        "--keys",
        &made[1],
        "--data",
        text(&restored),
        "--by",
        "D001",
        "--second",
        "D002",
        "--reason",
        "disk lost",
    ]);
    assert!(restored.join("keys.toml").is_file());
}

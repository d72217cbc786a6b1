//! `keno-central hosts`: what it says of hosts that answer, of one that does not, and of one with
//! another key.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use keno_audit::follow::Follower;
use keno_draw::{FileHolder, OsEntropy};
use keno_draw_machine::line::HOST_BOUNDS;
use keno_draw_machine::part::{DrawPart, Giver, HolderPart, MachinePart};
use keno_draw_machine::settings::{Role, Settings};
use keno_line::{HostKey, follow, server, trust};
use parking_lot::Mutex;

const HOSTS: [(&str, &str); 3] = [
    ("draw-room", "127.0.0.1:8490"),
    ("machine-room", "127.0.0.1:8491"),
    ("audit-office", "127.0.0.1:8492"),
];

/// Exit code and output of a command on the house in `data`.
fn central(data: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_keno-central"))
        .args(arguments)
        .arg("--data")
        .arg(data)
        .env("BOULIER_LOG", "warn")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text)
}

/// Serves a host as its settings in the demonstration say, at a free port, which is returned.
fn serve(folder: &Path) -> String {
    let settings = Settings::read(&folder.join("host.toml")).unwrap();
    let key = HostKey::read(&settings.folder, &settings.host).unwrap();
    let config = Arc::new(trust::server(&key, &settings.central.0).unwrap());
    let log = settings.log.0.clone();
    let (house, at) = (settings.house.as_str(), settings.folder.as_path());
    let part: Arc<Mutex<DrawPart>> = if settings.part == Role::Machine {
        let keys = settings.holders.into_iter();
        let keys: BTreeMap<_, _> = keys.map(|(name, key)| (name, Giver::Host(key.0))).collect();
        let machine = MachinePart::open(at, house, key, log, keys, Arc::new(|| 0)).unwrap();
        Arc::new(Mutex::new(machine))
    } else {
        let second = settings.second_folder.unwrap();
        let name = settings.holder.unwrap();
        let holder = FileHolder::open_twice([at, &second], house, &name, OsEntropy).unwrap();
        Arc::new(Mutex::new(HolderPart::new(holder, house, key, log)))
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || server::serve(&listener, &config, HOST_BOUNDS, &part));
    address
}

/// Serves the follower of the demonstration at a free port, which is returned.
fn serve_follower(folder: &Path) -> String {
    let settings = keno_audit::follow::Settings::read(&folder.join("host.toml")).unwrap();
    let key = HostKey::read(&settings.folder, &settings.host).unwrap();
    let config = Arc::new(trust::server(&key, &settings.central.0).unwrap());
    let (log, clock) = (settings.log.0, Arc::new(|| 0));
    let part = Follower::open(&settings.folder, &settings.house, key, log, clock).unwrap();
    let part = Arc::new(Mutex::new(part));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || server::serve(&listener, &config, follow::BOUNDS, &part));
    address
}

#[test]
fn each_host_is_told_to_be_at_work_or_away() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("house");
    let made = central(&data, &["demo", "--hosts", "--prepare"]);
    assert_eq!(made.0, Some(0), "{}", made.1);
    let house_file = data.join("house.toml");
    let mut text = std::fs::read_to_string(&house_file).unwrap();
    let mut addresses = Vec::new();
    for (name, listed) in HOSTS {
        let address = serve(&data.join("hosts").join(name));
        text = text.replace(listed, &address);
        addresses.push(address);
    }
    let follower = serve_follower(&data.join("hosts/audit-follower"));
    text = text.replace("127.0.0.1:8493", &follower);
    std::fs::write(&house_file, &text).unwrap();
    let (code, said) = central(&data, &["hosts"]);
    assert_eq!(code, Some(0), "{said}");
    for wanted in [
        "house = \"demo\"".to_owned(),
        "central = \"central+".to_owned(),
        "log = \"boulier/demo+".to_owned(),
        format!(
            "# draw-room at {}: machine draw-room, 0 draws on record",
            addresses[0]
        ),
        format!(
            "# machine-room at {}: holder machine, 0 draws on record",
            addresses[1]
        ),
        format!(
            "# audit-office at {}: holder audit, 0 draws on record",
            addresses[2]
        ),
        format!("# audit-follower at {follower}: follower, 0 entries, 0 findings"),
    ] {
        assert!(said.contains(&wanted), "{wanted}\n{said}");
    }
    // The settings of the hosts say of central what is printed.
    for line in said.lines().filter(|line| !line.starts_with('#')) {
        let settings = data.join("hosts/draw-room/host.toml");
        assert!(
            std::fs::read_to_string(settings).unwrap().contains(line),
            "{line}"
        );
    }

    // The holder's address, and nobody there; the machine's, and another program.
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let free = nobody.local_addr().unwrap().to_string();
    drop(nobody);
    let away = text.replace(&addresses[1], &free);
    std::fs::write(&house_file, away.replace(&addresses[0], &addresses[2])).unwrap();
    let (code, said) = central(&data, &["hosts"]);
    assert_eq!(code, Some(1), "{said}");
    let line = |name: &str| {
        let lines = said
            .lines()
            .filter(|line| line.starts_with(&format!("# {name} at")));
        lines.collect::<Vec<_>>().join("")
    };
    assert!(line("machine-room").contains("does not answer"), "{said}");
    assert!(line("draw-room").contains("does not answer"), "{said}");
    assert!(line("audit-office").contains("0 draws on record"), "{said}");
}

//! Central as systemd sees it: ready, alive only while its writer works, its log for the journal;
//! and agents of other versions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::channel;

use crate::common::{House, pin_of};
use actix_web::test::TestRequest;
use keno_central::metrics::is_at_work;
use keno_daemon::Supervisor;
use keno_daemon::watchdog::look;
use keno_record::sequencer::Lane;
use serde_json::json;

/// What a supervisor hears.
struct Ear {
    folder: tempfile::TempDir,
    socket: UnixDatagram,
}

impl Ear {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
        Self { folder, socket }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("notify")
    }

    fn hears(&self) -> String {
        let mut buffer = [0; 512];
        let length = self.socket.recv(&mut buffer).unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    }

    fn hears_nothing(&self) -> bool {
        self.socket.set_nonblocking(true).unwrap();
        let nothing = self.socket.recv(&mut [0; 1]).is_err();
        self.socket.set_nonblocking(false).unwrap();
        nothing
    }
}

#[test]
fn a_writer_that_hangs_is_silent_and_one_that_stopped_too() {
    let house = House::new(None);
    let ear = Ear::new();
    let supervisor = Supervisor::of(Some(ear.path().as_os_str()), None, None);
    let central = &house.central;
    std::thread::scope(|scope| {
        let (hang, hangs) = channel();
        let (go_on, goes_on) = channel::<()>();
        let goes_on = std::sync::Mutex::new(goes_on);
        let writer = Arc::clone(central);
        let hung = scope.spawn(move || {
            writer.sequencer.submit_blocking(Lane::Draw, move |_| {
                hang.send(()).unwrap();
                let _ = goes_on.lock().unwrap().recv();
                Ok::<_, keno_service::Stop>(())
            })
        });
        hangs.recv().unwrap();
        let (looked, looks) = channel();
        let supervisor = &supervisor;
        let watched = scope.spawn(move || {
            look(
                supervisor,
                || {
                    looked.send(()).unwrap();
                    is_at_work(central)
                },
                || false,
            );
        });
        looks.recv().unwrap();
        // The look is on its way to a writer that cannot answer; the other thread gets its turns.
        for _ in 0..10_000 {
            assert!(ear.hears_nothing(), "told while the writer hung");
            std::thread::yield_now();
        }
        assert!(!watched.is_finished());
        go_on.send(()).unwrap();
        assert_eq!(ear.hears(), "WATCHDOG=1");
        watched.join().unwrap();
        assert!(hung.join().unwrap().is_ok());
    });
    // A writer that has stopped answers too, that it has.
    crate::common::blocking(|| central.sequencer.stop());
    look(
        &supervisor,
        || crate::common::blocking(|| is_at_work(central)),
        || false,
    );
    assert!(ear.hears_nothing(), "told although the writer has stopped");
}

#[test]
fn the_process_says_when_it_is_ready_alive_and_stopping() {
    let ear = Ear::new();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_keno-central"))
        .args(["demo", "--data", data, "--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .env("NOTIFY_SOCKET", ear.path())
        .env("WATCHDOG_USEC", "40000")
        .spawn()
        .unwrap();
    let ready = ear.hears();
    assert!(
        ready.starts_with("READY=1\nSTATUS=the house is open on 127.0.0.1:"),
        "{ready}"
    );
    assert_eq!(ear.hears(), "WATCHDOG=1");
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    // It may have told in between that it lives.
    let last = loop {
        let said = ear.hears();
        if said != "WATCHDOG=1" {
            break said;
        }
    };
    assert_eq!(last, "STOPPING=1\nSTATUS=stopping");
    assert!(child.wait().unwrap().success());
}

/// The log of a demonstration, led to a pipe of which it is told that it is the journal, from its
/// start to its end; and its keys, which the log must not have.
#[test]
fn the_journal_gets_priorities_and_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let (read, write) = std::io::pipe().unwrap();
    let about = rustix::fs::fstat(&write).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_keno-central"))
        .args(["demo", "--data", data, "--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(write)
        .env("BOULIER_LOG", "debug")
        .env(
            "JOURNAL_STREAM",
            format!("{}:{}", about.st_dev, about.st_ino),
        )
        .spawn()
        .unwrap();
    let log = std::thread::spawn(move || {
        let mut log = String::new();
        BufReader::new(read).read_to_string(&mut log).unwrap();
        log
    });
    let mut welcome = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    while !welcome.contains("Ctrl-C stops the house.") {
        assert_ne!(lines.read_line(&mut welcome).unwrap(), 0, "{welcome}");
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    let log = log.join().unwrap();
    assert!(log.contains("<6>stopped"), "{log}");
    for line in log.lines() {
        let bytes = line.as_bytes();
        assert!(
            matches!(bytes, [b'<', b'3' | b'4' | b'6' | b'7', b'>', ..]),
            "{line:?} has no priority"
        );
    }
    let keys = std::fs::read_to_string(folder.path().join("keys.toml")).unwrap();
    let terminal = std::fs::read_to_string(folder.path().join("terminal.toml")).unwrap();
    let secrets: Vec<&str> = keys
        .split('"')
        .chain(terminal.split('"'))
        .filter(|text| text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
        .collect();
    assert!(
        secrets.len() >= 6,
        "{} secrets were looked for",
        secrets.len()
    );
    for secret in secrets {
        assert!(!log.contains(secret), "a secret is in the log");
    }
}

/// Whoever is on the network could else fill the log, with lines for which somebody is called.
#[test]
fn what_is_no_http_gets_an_answer_and_no_line_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_keno-central"))
        .args(["demo", "--data", data, "--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_remove("BOULIER_LOG")
        .spawn()
        .unwrap();
    let mut said = child.stderr.take().unwrap();
    let log = std::thread::spawn(move || {
        let mut log = String::new();
        said.read_to_string(&mut log).unwrap();
        log
    });
    let mut welcome = String::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    while !welcome.contains("Ctrl-C stops the house.") {
        assert_ne!(lines.read_line(&mut welcome).unwrap(), 0, "{welcome}");
    }
    let (_, after) = welcome.split_once("http://").unwrap();
    let (address, _) = after.split_once('/').unwrap();
    for _ in 0..20 {
        let mut line = TcpStream::connect(address).unwrap();
        line.write_all(b"\x16\x03\x01 nothing\r\n\r\n").unwrap();
        let mut answer = String::new();
        line.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer:?}");
    }
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    let log = log.join().unwrap();
    assert!(log.contains("stopped"), "{log}");
    assert!(!log.contains("ERROR"), "{log}");
}

#[actix_web::test]
async fn an_agent_that_is_too_old_ends_what_it_began_and_signs_nobody_on() {
    let asks = |house: &House, agent: Option<&str>| {
        let mut request = TestRequest::post()
            .uri("/api/v1/sessions")
            .insert_header(("Boulier-Device", house.device_header(1)))
            .set_json(json!({"badge": "C1", "pin": pin_of("C1")}));
        if let Some(agent) = agent {
            request = request.insert_header(("Boulier-Agent", agent));
        }
        request
    };
    // Without a minimum of the house, an agent that says nothing of itself, or nonsense, signs on.
    let house = House::new(None);
    for agent in [None, Some("0.2.0"), Some("99.0.0"), Some("nonsense")] {
        assert_eq!(house.call(asks(&house, agent)).await.status, 200);
    }
    // Before what is on the wire changed: refused whatever the house says.
    for agent in ["0.0.1", "0.1.0", "0.1.99"] {
        let answer = house.call(asks(&house, Some(agent))).await;
        assert_eq!(answer.refusal(), (403, "agent_too_old".to_owned()));
        let title = answer.problem().sentence;
        for words in [&title.fr, &title.en] {
            assert!(words.contains("0.2.0") && words.contains(agent), "{words}");
        }
    }
    let time = house.get("/api/v1/time").await.value();
    assert_eq!(time["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(time["agents_minimum"], "0.2.0");

    let house = House::with_file(|said| said.agents_minimum = Some("2.10.0".to_owned()));
    let time = house.get("/api/v1/time").await.value();
    assert_eq!(time["agents_minimum"], "2.10.0");
    for agent in [None, Some("2.9.9"), Some("1.99.0"), Some("nonsense")] {
        let answer = house.call(asks(&house, agent)).await;
        assert_eq!(answer.refusal(), (403, "agent_too_old".to_owned()));
        let title = answer.problem().sentence;
        let shown = agent.filter(|agent| *agent != "nonsense").unwrap_or("(?)");
        for words in [&title.fr, &title.en] {
            assert!(words.contains("2.10.0") && words.contains(shown), "{words}");
        }
    }
    // A wrong key is what it always was: the version tells nobody who has none.
    let stranger = TestRequest::post()
        .uri("/api/v1/sessions")
        .insert_header(("Boulier-Device", format!("1.{}", "ab".repeat(32))))
        .set_json(json!({"badge": "C1", "pin": pin_of("C1")}));
    assert_eq!(house.call(stranger).await.refusal().1, "device_unknown");
    for agent in ["2.10.0", "2.11.0", "3.0.0"] {
        assert_eq!(house.call(asks(&house, Some(agent))).await.status, 200);
    }
    // Who is signed on sells on with whatever program there is.
    let answer = house.call(asks(&house, Some("2.10.0"))).await;
    let (session, token) = (
        answer.value()["session"].clone(),
        answer.value()["token"].clone(),
    );
    let price = TestRequest::post()
        .uri("/api/v1/prices")
        .insert_header(("Boulier-Device", house.device_header(1)))
        .insert_header((
            "Boulier-Session",
            format!("{session}.{}", token.as_str().unwrap()),
        ))
        .set_json(json!({"slip": crate::common::straight(&[7], 200, 1)}));
    assert_eq!(house.call(price).await.status, 200);
}

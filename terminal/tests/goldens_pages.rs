//! What the agent of a device serves to its screen, for each role: its pages and words in full, its
//! scripts and styles (which stand in the sources as they are served) by their hashes, and what it
//! says while central is away.
//!
//! `INSTA_UPDATE=always cargo test -p keno-terminal --test suite goldens_pages` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::fmt::Write as _;
use std::io::Read;
use std::io::Write;
use std::net::SocketAddr;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use keno_log::hash::sha256;
use keno_terminal::config::Config;
use keno_terminal::config::Role;
use keno_terminal::serve::Surroundings;
use keno_terminal::serve::start;
use keno_testing::Goldens;
use keno_testing::lines_of_json;

/// 20 November 2026, 12:00:00 in Montréal.
const NOON_MS: i64 = 1_795_194_000_000;

const ROLES: [Role; 6] = [
    Role::Pos,
    Role::Kiosk,
    Role::Display,
    Role::Audit,
    Role::Desk,
    Role::Office,
];

/// Every address of some role that is read.
const ADDRESSES: [&str; 58] = [
    "/",
    "/agent.css",
    "/agent.js",
    "/arming.js",
    "/ask.js",
    "/changes.css",
    "/changes.js",
    "/counter.css",
    "/counter.js",
    "/customer",
    "/customer.css",
    "/customer.js",
    "/damaged.js",
    "/device.js",
    "/dom.js",
    "/doubts.js",
    "/draft.js",
    "/en.json",
    "/favicon.ico",
    "/fr.json",
    "/frame.js",
    "/keys.js",
    "/limits",
    "/limits.css",
    "/limits.js",
    "/messages.js",
    "/nowhere",
    "/office",
    "/office.css",
    "/office.js",
    "/presentation.js",
    "/printer",
    "/reasons.js",
    "/redraw.js",
    "/refusal.js",
    "/sale.js",
    "/sale_view.js",
    "/scanner",
    "/shift.js",
    "/staff",
    "/staff.css",
    "/staff.js",
    "/technician",
    "/technician.css",
    "/technician.js",
    "/ticket.js",
    "/trial.css",
    "/trial.js",
    "/verdict.js",
    "/wall",
    "/wall.css",
    "/wall.js",
    "/wedge.js",
    "/words.js",
    "/agent/house",
    "/agent/scanner",
    "/draws",
    "/audit",
];

/// An answer: its status and headers but for the length and the date, and its body.
fn ask(at: SocketAddr, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(at).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let mut lines: Vec<&str> = head
        .lines()
        .filter(|line| {
            let name = line.split(':').next().unwrap().to_ascii_lowercase();
            !["content-length", "date", "connection"].contains(&name.as_str())
        })
        .collect();
    lines[1..].sort_unstable();
    (lines.join("\n"), body.to_owned())
}

fn get(at: SocketAddr, path: &str) -> (String, String) {
    ask(
        at,
        &format!("GET {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n"),
    )
}

fn post(at: SocketAddr, path: &str, headers: &str, body: &str) -> (String, String) {
    let length = body.len();
    ask(
        at,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: {at}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
        ),
    )
}

/// A body as text: what is read by a person in full, what is a file of the sources by its hash.
fn body_text(head: &str, body: &str) -> String {
    if head.contains("application/json") && body.len() < 20_000 {
        return lines_of_json(body);
    }
    if head.contains("javascript") || head.contains("text/css") {
        let hash = sha256(body.as_bytes())[..8]
            .iter()
            .fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
        return format!("{} bytes, SHA-256 {hash}", body.len());
    }
    body.to_owned()
}

#[test]
fn every_device_serves_its_screen_as_ever() {
    let goldens = Goldens::of(env!("CARGO_MANIFEST_DIR"), "tests/goldens/pages");
    let mut words = Vec::new();
    for role in ROLES {
        let folder = tempfile::tempdir().unwrap();
        let config = Config {
            // A port of this machine at which nobody listens.
            central: "http://127.0.0.1:9".to_owned(),
            role,
            listen: ([127, 0, 0, 1], 0).into(),
            device: 7,
            device_key: Some("00ff".to_owned()),
            journal: folder.path().join("journal"),
            trust: folder.path().join("trust"),
            printer_address: ([127, 0, 0, 1], 9).into(),
            ..Config::default()
        };
        let surroundings = Surroundings {
            wall: Arc::new(|| NOON_MS),
            time: || NOON_MS,
            answer: Duration::from_secs(20),
            heartbeat: Duration::from_secs(20),
            printer: None,
        };
        let running = start(&config, &surroundings).unwrap();
        let at = running.address;
        let mut text = String::new();
        for path in ADDRESSES {
            let (head, body) = get(at, path);
            if matches!(path, "/fr.json" | "/en.json") && head.contains("200") {
                words.push((path, body));
                continue;
            }
            let body = body_text(&head, &body);
            writeln!(text, "## GET {path}\n{head}\n\n{body}\n").unwrap();
        }
        for (title, path, headers) in [
            ("from elsewhere", "/agent/sign-on", ""),
            (
                "while central is away",
                "/agent/sign-on",
                "Boulier-Page: 1\r\n",
            ),
            ("nowhere", "/agent/nowhere", "Boulier-Page: 1\r\n"),
        ] {
            let body = r#"{"badge":"C1","pin":"471108"}"#;
            let (head, answer) = post(at, path, headers, body);
            let answer = body_text(&head, &answer);
            writeln!(text, "## POST {path}, {title}\n{head}\n\n{answer}\n").unwrap();
        }
        let foreign = "GET / HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n";
        let (head, body) = ask(at, foreign);
        let body = body_text(&head, &body);
        writeln!(text, "## GET /, as another host\n{head}\n\n{body}\n").unwrap();
        running.stop();
        let name = serde_json::to_value(role).unwrap();
        goldens.hold(name.as_str().unwrap(), &text);
    }
    // The same words at every device that has them, each text on a line of its own.
    for path in ["/fr.json", "/en.json"] {
        let mut all = words.iter().filter(|(of, _)| *of == path);
        let (_, first) = all.next().unwrap();
        assert!(all.all(|(_, other)| other == first), "{path}");
        goldens.hold(&format!("words-{}", &path[1..3]), first);
    }
}

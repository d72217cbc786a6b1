//! What the agent of a device serves to its screen, for each role: which address is which file of
//! the sources, every page and reply in full, each once, and what it says while central is away.
//!
//! Words, scripts and styles are served as they stand in the sources, so no copy of them is held:
//! that they are the same bytes is asserted here, and what they do is tried in `e2e/browser`.
//!
//! `INSTA_UPDATE=always cargo test -p keno-terminal --test suite goldens_pages` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeMap;
use std::io::Read;
use std::io::Write;
use std::net::SocketAddr;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use keno_terminal::config::Config;
use keno_terminal::config::Role;
use keno_terminal::serve::Surroundings;
use keno_terminal::serve::start;
use keno_testing::Goldens;
use keno_testing::Shapes;
use keno_testing::lines_of_json;

/// 20 November 2026, 12:00:00 in Montréal.
const NOON_MS: i64 = 1_795_194_000_000;

const ROLES: [(Role, &str); 6] = [
    (Role::Pos, "pos"),
    (Role::Kiosk, "kiosk"),
    (Role::Display, "display"),
    (Role::Audit, "audit"),
    (Role::Desk, "desk"),
    (Role::Office, "office"),
];

/// Every address of some role that is read.
const ADDRESSES: [&str; 59] = [
    "/",
    "/agent.css",
    "/agent.js",
    "/arming.js",
    "/balls.js",
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
    "/hearing.js",
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

/// The files of the sources that a device serves as they are, by what they hold.
fn sources() -> BTreeMap<String, String> {
    let pages = Path::new("src/serve/pages");
    let mut found = BTreeMap::new();
    for folder in ["", "counter", "words"] {
        for file in std::fs::read_dir(pages.join(folder)).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|kind| kind != "html") {
                let name = file.strip_prefix(pages).unwrap().display().to_string();
                found.insert(std::fs::read_to_string(&file).unwrap(), name);
            }
        }
    }
    found
}

/// An answer: its status and the headers that not every answer has, and its body.
type Said = (String, String);

/// Who asked for what.
type Asked = (String, &'static str);

/// Takes out of each answer the headers that all of them have, and returns those.
fn common_headers(answers: &mut [(Asked, Said)]) -> Vec<String> {
    let (_, (first, _)) = &answers[0];
    let is_common = |line: &&str| {
        answers
            .iter()
            .all(|(_, (head, _))| head.lines().any(|had| had == *line))
    };
    let common: Vec<String> = first.lines().filter(is_common).map(str::to_owned).collect();
    for (_, (head, _)) in answers {
        let own: Vec<&str> = head
            .lines()
            .filter(|line| !common.iter().any(|had| had == line))
            .collect();
        *head = own.join(", ");
    }
    common
}

/// Who got an answer at which addresses: a line for each set of roles.
fn who(asked: &[Asked]) -> String {
    let mut roles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (address, role) in asked {
        roles.entry(address).or_default().push(role);
    }
    let mut addresses: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for (address, roles) in roles {
        addresses.entry(roles).or_default().push(address);
    }
    let lines = addresses
        .iter()
        .map(|(roles, addresses)| format!("{}: {}", roles.join(", "), addresses.join(", ")));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_device_serves_its_screen_as_ever() {
    let mut answers: Vec<(Asked, Said)> = Vec::new();
    for (role, name) in ROLES {
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
        for path in ADDRESSES {
            answers.push(((format!("GET {path}"), name), get(at, path)));
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
            let asked = (format!("POST {path} {title}"), name);
            answers.push((asked, post(at, path, headers, body)));
        }
        let foreign = "GET / HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n";
        answers.push((("GET / as another host".to_owned(), name), ask(at, foreign)));
        running.stop();
    }
    let common = common_headers(&mut answers);
    let mut same: Vec<(Said, Vec<Asked>)> = Vec::new();
    for (asked, said) in answers {
        match same.iter_mut().find(|(known, _)| *known == said) {
            Some((_, all)) => all.push(asked),
            None => same.push((said, vec![asked])),
        }
    }
    let sources = sources();
    let mut files = Vec::new();
    let mut texts = Shapes::default();
    for ((head, body), asked) in &same {
        if let Some(name) = sources.get(body) {
            files.push(format!("{name} with {head} for {}", who(asked)));
            continue;
        }
        let is_copied = head.contains("javascript") || head.contains("css");
        assert!(!is_copied, "{head} of {asked:?} is no file of the sources");
        let body = match head.contains("application/json") {
            true => lines_of_json(body),
            false => body.clone(),
        };
        let (address, role) = &asked[0];
        texts.put(
            &format!("{address} of {role}"),
            &format!("{}\n{head}", who(asked)),
            &body,
        );
    }
    files.sort();
    let text = format!(
        "## every answer\n{}\n\n## files of the sources\n{}\n\n{}",
        common.join("\n"),
        files.join("\n"),
        texts.text()
    );
    Goldens::of("tests/goldens/pages").hold("devices", &text);
}

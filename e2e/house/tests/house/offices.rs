//! The offices: central's pages through a device of the office, on this machine alone.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use keno_house_tests::agent::{AtWork, How};
use keno_house_tests::counter::Counter;
use keno_house_tests::house::{House, pin_of, record};
use keno_house_tests::http::Request;
use keno_house_tests::line::Line;
use keno_house_tests::secure::{AUDIT, Terminal, revoke};
use keno_record::roles::Role as PersonRole;
use keno_service::staff::DeviceNumber;
use keno_terminal::config::{Config, Role};
use keno_testing::TestFolder;

use crate::straight;

/// An answer as it came.
struct Page {
    status: u16,
    head: String,
    text: String,
}

impl Page {
    fn header(&self, name: &str) -> &str {
        self.head
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name}: ")))
            .unwrap_or_default()
    }

    #[track_caller]
    fn says(&self, status: u16, words: &[&str]) {
        assert_eq!(self.status, status, "{}\n{}", self.head, self.text);
        for word in words {
            assert!(self.text.contains(word), "{word}: {}", self.text);
        }
    }
}

/// Asks with exactly these headers.
fn asks(at: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Page {
    let mut head = format!("{method} {path} HTTP/1.1\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if method == "POST" {
        head.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    let body = body.as_bytes().to_vec();
    let bytes = Request { head, body }.send(at).unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, text) = text.split_once("\r\n\r\n").unwrap();
    Page {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        head: head.to_owned(),
        text: text.to_owned(),
    }
}

struct Office {
    agent: AtWork,
    host: String,
    _folder: TestFolder,
}

impl Office {
    fn start(house: &House, line: &Line, role: Role) -> Self {
        Self::patient(house, line, role, Duration::from_secs(60))
    }

    fn patient(house: &House, line: &Line, role: Role, patience: Duration) -> Self {
        let key = DeviceNumber(AUDIT)
            .record(house.central(), "A01", 4, ("X1", "X2"))
            .unwrap();
        let folder = TestFolder::new().unwrap();
        let settings = Config {
            central: format!("http://{}", line.address),
            device: AUDIT.into(),
            device_key: Some(key),
            journal: folder.join("journal"),
            ..Config::default()
        };
        let how = How {
            role,
            patience,
            ..How::default()
        };
        let agent = AtWork::on(house, settings, patience, how).unwrap();
        Self {
            host: agent.address().to_string(),
            agent,
            _folder: folder,
        }
    }

    fn reads(&self, path: &str, cookie: &str) -> Page {
        let headers = [("host", &*self.host), ("cookie", cookie)];
        asks(self.agent.address(), "GET", path, &headers, "")
    }

    /// As a page of this address sends a form.
    fn sends(&self, path: &str, form: &str, cookie: &str) -> Page {
        let headers = [
            ("host", &*self.host),
            ("content-type", "application/x-www-form-urlencoded"),
            ("origin", "null"),
            ("sec-fetch-site", "same-origin"),
            ("cookie", cookie),
        ];
        asks(self.agent.address(), "POST", path, &headers, form)
    }
}

fn house_with_auditor() -> House {
    let house = House::new();
    record(house.central(), "A1", &[PersonRole::Auditor]);
    house
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    text.split_once(before)
        .and_then(|(_, rest)| rest.split_once(after))
        .map(|(found, _)| found)
        .unwrap_or_else(|| panic!("{before} is not in {text}"))
}

#[test]
fn an_auditor_works_through_the_device_of_the_audit_office() {
    let house = house_with_auditor();
    let counter = Counter::open(&house);
    let number = counter.sells(&straight(&[7, 18], 200, 1));
    let line = Line::to(house.address());
    let office = Office::start(&house, &line, Role::Audit);
    office.agent.until_central("trusted");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&office.reads("/agent/state", "").text).unwrap()
            ["role"],
        "audit"
    );
    let start = office.reads("/", "");
    assert_eq!((start.status, start.header("location")), (303, "/audit"));
    let moved = office.reads("/audit", "");
    assert_eq!(
        (moved.status, moved.header("location")),
        (303, "/audit/sign-in")
    );
    let page = office.reads("/audit/sign-in?lang=en", "");
    page.says(200, &["<form action=\"/audit/sign-in?lang=en\""]);
    assert!(
        page.header("content-security-policy")
            .contains("form-action 'self'")
    );
    let asset = between(&page.text, "rel=\"stylesheet\" href=\"", "\"");
    office.reads(asset, "").says(200, &[":root"]);
    // A wrong PIN is central's answer, and nothing is kept for it.
    let refused = office.sends("/audit/sign-in", "badge=A1&pin=0000&purpose=claim", "");
    assert_eq!((refused.status, refused.header("set-cookie")), (200, ""));
    let form = format!("badge=A1&pin={}&purpose=claim", pin_of("A1"));
    let welcome = office.sends("/audit/sign-in", &form, "");
    assert_eq!(
        (welcome.status, welcome.header("location")),
        (303, "/audit")
    );
    let set = welcome.header("set-cookie");
    assert!(
        set.starts_with("boulier-5-boulier-audit=")
            && set.contains("Path=/audit; HttpOnly; SameSite=Strict"),
        "{set}"
    );
    let cookie = set.split(';').next().unwrap();
    let page = office.reads("/audit", &format!("of-another-port=1; {cookie}"));
    page.says(200, &["A1"]);
    let token = between(&page.text, "name=\"form_token\" value=\"", "\"");
    let form = format!("number={number}&purpose=claim&form_token={token}");
    office.sends("/audit", &form, cookie).says(200, &["2,00"]);
    let out = office.sends("/audit/sign-out", &format!("form_token={token}"), cookie);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(office.reads("/audit", cookie).status, 303);
    // What passed carried the device's key, and no cookie but central's.
    let pages: Vec<_> = line
        .carried()
        .into_iter()
        .filter(|carried| carried.request.path().starts_with("/audit"))
        .collect();
    assert!(pages.len() > 6);
    for page in &pages {
        let head = page.request.head.to_ascii_lowercase();
        assert!(head.contains("\r\nboulier-device: 5."), "{head}");
        assert!(!head.contains("of-another-port") && !head.contains("boulier-5-"));
    }
}

#[test]
fn no_foreign_page_drives_an_office_and_nothing_else_passes() {
    let house = house_with_auditor();
    let line = Line::to(house.address());
    let office = Office::start(&house, &line, Role::Audit);
    office.agent.until_central("trusted");
    let form = format!("badge=A1&pin={}&purpose=claim", pin_of("A1"));
    let own = format!("http://{}", office.host);
    let post = |headers: &[(&str, &str)]| {
        let kind = ("content-type", "application/x-www-form-urlencoded");
        let headers: Vec<_> = headers.iter().copied().chain([kind]).collect();
        asks(
            office.agent.address(),
            "POST",
            "/audit/sign-in",
            &headers,
            &form,
        )
        .status
    };
    let host = ("host", &*office.host);
    for foreign in [
        &[host][..],
        &[host, ("origin", "http://127.0.0.1:1")],
        &[host, ("origin", "https://casino.example")],
        &[host, ("origin", "null")],
        &[host, ("origin", "null"), ("sec-fetch-site", "same-site")],
        &[host, ("origin", &own), ("sec-fetch-site", "same-site")],
        &[host, ("sec-fetch-site", "cross-site")],
        &[("host", "127.0.0.1"), ("origin", "http://127.0.0.1")],
        &[
            ("host", "casino.example"),
            ("origin", "http://casino.example"),
        ],
        &[
            ("host", "casino.example"),
            ("sec-fetch-site", "same-origin"),
        ],
    ] {
        assert_eq!(post(foreign), 403, "{foreign:?}");
    }
    for ours in [
        &[host, ("origin", &*own)][..],
        &[host, ("origin", &own), ("sec-fetch-site", "same-origin")],
        &[host, ("sec-fetch-site", "same-origin")],
    ] {
        assert_eq!(post(ours), 303, "{ours:?}");
    }
    let read = |headers: &[(&str, &str)]| {
        asks(office.agent.address(), "GET", "/audit/sign-in", headers, "").status
    };
    assert_eq!(read(&[host, ("sec-fetch-site", "cross-site")]), 403);
    let visit = [
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", "document"),
    ];
    let framed = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
    let site = ("sec-fetch-site", "same-site");
    assert_eq!(read(&[host, site, visit[0], visit[1]]), 200);
    assert_eq!(read(&[host, site, framed[0], framed[1]]), 403);
    assert_eq!(read(&[("host", "casino.example")]), 403);
    // Nothing but the pages of this office, as forms, and nothing that says its address otherwise.
    line.carried();
    for path in [
        "/api/v1/time",
        "/api/v1/sessions",
        "/check",
        "/board",
        "/live",
        "/metrics",
        "/auditor",
        "/audit/../api/v1/time",
        "/audit/..%2fmetrics",
        "/audit%2Fsign-in",
        "//audit",
        "/draws/1?lang=%00",
        "/wall",
        "/agent/sales",
    ] {
        office.reads(path, "").says(
            404,
            &["Cette page n’est pas de ce poste", "not one of this desk"],
        );
        assert_eq!(office.sends(path, "a=b", "").status, 404, "{path}");
    }
    assert_eq!(office.sends("/draws", "a=b", "").status, 404);
    let large = format!("number={}", "0".repeat(70_000));
    assert_eq!(office.sends("/audit", &large, "").status, 413);
    let json = [
        host,
        ("sec-fetch-site", "same-origin"),
        ("content-type", "application/json"),
    ];
    let address = office.agent.address();
    assert_eq!(asks(address, "POST", "/audit", &json, "{}").status, 413);
    let passed = line.carried();
    let strange = |path: &str| {
        !path.starts_with("/api/v1/") && path != "/healthz" && !path.starts_with("/log/")
    };
    let strange: Vec<_> = passed
        .iter()
        .map(|carried| carried.request.path())
        .filter(|path| strange(path))
        .collect();
    assert_eq!(strange, Vec::<&str>::new());
}

#[test]
fn each_office_has_its_pages() {
    let house = house_with_auditor();
    let line = Line::to(house.address());
    for (role, audit) in [(Role::Audit, 200), (Role::Office, 404), (Role::Desk, 404)] {
        let office = Office::start(&house, &line, role);
        office.agent.until_central("trusted");
        assert_eq!(office.reads("/audit/sign-in", "").status, audit, "{role:?}");
        office.reads("/draws", "").says(200, &["<html lang=\"fr"]);
        // No command of a counter is there.
        assert_eq!(office.sends("/agent/sales", "", "").status, 404);
    }
}

#[test]
fn an_office_says_when_central_is_silent_and_when_it_is_not_trusted() {
    let mut house = house_with_auditor();
    let line = Line::to(house.address());
    let how = Duration::from_millis(500);
    let office = Office::patient(&house, &line, Role::Audit, how);
    office.agent.until_central("trusted");
    line.freeze();
    let words = ["Le central ne répond pas", "Central does not answer"];
    office.reads("/audit/sign-in", "").says(503, &words);
    line.thaw();
    office.agent.until_central("trusted");
    office.reads("/audit/sign-in", "").says(200, &[]);
    line.cut();
    house.stop();
    let form = "badge=A1&pin=1&purpose=claim";
    office.sends("/audit/sign-in", form, "").says(503, &words);
    house.start();
    line.mend(house.address());
    office.agent.until_central("trusted");
}

#[test]
fn over_tls_the_pages_carry_the_certificate_and_the_cookie_works_without() {
    let house = house_with_auditor();
    let terminal = Terminal::enrolled_in_role(&house, AUDIT, "audit");
    let how = How {
        role: Role::Audit,
        ..How::default()
    };
    let settings = terminal.settings(house.secure());
    let agent = AtWork::on(&house, settings, how.patience, how).unwrap();
    agent.until_central("trusted");
    let office = Office {
        host: agent.address().to_string(),
        agent,
        _folder: TestFolder::new().unwrap(),
    };
    let form = format!("badge=A1&pin={}&purpose=claim", pin_of("A1"));
    let welcome = office.sends("/audit/sign-in", &form, "");
    assert_eq!(welcome.status, 303, "{}", welcome.text);
    let set = welcome.header("set-cookie");
    assert!(
        set.starts_with("boulier-5-") && !set.contains("Secure"),
        "{set}"
    );
    let cookie = set.split(';').next().unwrap();
    office.reads("/audit", cookie).says(200, &["A1"]);
    // And is told where they are not taken any more.
    revoke(&house, AUDIT);
    office.agent.until_central("denied");
    office
        .reads("/audit/sign-in", "")
        .says(503, &["retiré du service", "was revoked"]);
}

#[test]
fn an_office_sends_nobody_elsewhere() {
    let house = House::new();
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let line = Line::to(elsewhere.local_addr().unwrap());
    thread::spawn(move || {
        for stream in elsewhere.incoming() {
            let mut stream: TcpStream = stream.unwrap();
            let _ = Request::read(&mut stream);
            let _ = stream.write_all(
                b"HTTP/1.1 303 x\r\nlocation: https://casino.example/\r\nx-own: 1\r\n\
                  content-length: 0\r\nconnection: close\r\n\r\n",
            );
        }
    });
    let office = Office::start(&house, &line, Role::Audit);
    let page = office.reads("/audit", "");
    assert_eq!((page.status, page.header("location")), (503, ""));
    assert_eq!(page.header("x-own"), "");
}

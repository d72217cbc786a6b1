//! A small day of the real programs over TLS, their logs at their loudest; then every secret of
//! that day is looked for, in every form, in everything that lies about.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use keno_house_tests::canary::{Canary, Found, Search, forms, private_key};
use keno_house_tests::house::{House, pin_of, second};
use keno_house_tests::http::Request;
use keno_house_tests::programs::{Program, program};
use keno_house_tests::secure::{TECHNICIAN, Terminal, approve};
use keno_record::clock::{Clock, SystemClock};
use keno_terminal::exit::Exit;
use keno_testing::{Durability, PrivatePostgres, TestFolder};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{straight, sure_win};

/// A PIN that nobody has.
const WRONG_PIN: &str = "617283940571";

/// What a scanner could read by accident or malice.
const HOSTILE: [&str; 3] = [
    "KT2'; DROP TABLE ticket; --",
    "\u{1b}[2J<script>alert(1)</script>%00\\x00",
    "KT2000000000000000000AAAAAAAAAAAAAAAAAAAA",
];

/// Where a kind of secret may lie, and why; nothing else may lie anywhere. A place is matched by
/// how it begins and how it ends.
const ALLOWED: [(&str, &str, &str, &str); 9] = [
    (
        "server key",
        "data/",
        "/keys.toml",
        "the file of the server's keys, mode 0600",
    ),
    (
        "server key",
        "keys/",
        "/keys.toml",
        "the backup of the keys, which is locked away",
    ),
    (
        "authority key",
        "data/trust/",
        "/ca.key",
        "the house's authority, mode 0600",
    ),
    (
        "authority key",
        "keys/",
        "/ca.key",
        "the backup of the keys, which is locked away",
    ),
    (
        "draw secret",
        "data/",
        "/secrets.journal",
        "the holder's own journal, mode 0600",
    ),
    (
        "device key",
        "t0",
        "/device.key",
        "the device's key folder, mode 0600",
    ),
    (
        "session",
        "t01/",
        "/session.json",
        "the session of the device, mode 0600, ended with it",
    ),
    (
        "claim secret",
        "t01/papers/",
        "",
        "the papers themselves: who holds one may be paid",
    ),
    (
        "enrolment code",
        "said by t02 enrol",
        "",
        "the screen of the device, for five minutes",
    ),
];

fn now_ms() -> i64 {
    SystemClock::new().now_ms()
}

fn canary(kind: &'static str, name: impl Into<String>, secret: impl Into<Vec<u8>>) -> Canary {
    Canary {
        kind,
        name: name.into(),
        secret: secret.into(),
    }
}

fn is_allowed(found: &Found) -> Option<usize> {
    ALLOWED.iter().position(|(kind, begins, ends, _)| {
        *kind == found.kind && found.place.starts_with(begins) && found.place.ends_with(ends)
    })
}

/// The private keys that a device keeps, the one before too.
fn device_keys(name: &str, folder: &Path) -> Vec<Canary> {
    let mut keys = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path().join("device.key");
        if let Ok(pem) = std::fs::read(&path) {
            keys.push(canary("device key", name, private_key(&pem)));
        }
    }
    assert!(!keys.is_empty(), "{name} has no key");
    keys
}

/// The secrets that a holder gave its word for, by draw.
fn draw_secrets(journal: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let head = [0, 0, 0, 1, 1, 0, 0, 0, 8];
    journal
        .windows(head.len())
        .enumerate()
        .filter(|(_, window)| *window == head)
        .map(|(start, _)| {
            let rest = &journal[start + head.len()..];
            let draw = u64::from_be_bytes(rest[..8].try_into().unwrap());
            assert_eq!(rest[8..12], [0, 0, 0, 32]);
            (draw, rest[12..44].to_vec())
        })
        .collect()
}

/// Every key of the server's keys file: each is 32 bytes in hexadecimal.
fn server_keys(text: &str) -> Vec<Canary> {
    let keys: Vec<Canary> = text
        .lines()
        .filter_map(|line| {
            let (name, value) = line.split_once(" = ")?;
            let bytes = hex::decode(value.trim_matches('"')).ok()?;
            (bytes.len() == 32).then(|| canary("server key", name, bytes))
        })
        .collect();
    assert_eq!(
        keys.len(),
        6,
        "nonce, control, lookup, pepper, log, one claim key"
    );
    keys
}

/// The part of a claim code that nobody can know without the paper.
fn claim_secret(code: &str) -> &str {
    &code[21..41]
}

/// A day under way.
struct Day {
    house: House,
    /// The private server, where there is one.
    postgres: Option<PrivatePostgres>,
    /// Where the settings of the devices, the backups and the rest are.
    folder: TestFolder,
    first: Terminal,
    second: Terminal,
    central: Program,
    address: SocketAddr,
    secure: SocketAddr,
    public: SocketAddr,
    /// What programs said that have ended, and answers of public pages.
    said: Vec<(String, Vec<u8>)>,
    canaries: Vec<Canary>,
}

fn serving(line: &str, before: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once(before)?;
    rest.trim_end_matches('/').parse().ok()
}

impl Day {
    /// A house with a ticket that has won and was not paid, a little before now; then the real
    /// central.
    fn begin(postgres: Option<PrivatePostgres>) -> Self {
        let database = postgres
            .as_ref()
            .map(|postgres| postgres.server().address("postgres"));
        let mut house = House::at(database.as_deref(), now_ms() - 480_000);
        let first = Terminal::at(now_ms);
        let mut code = String::new();
        let enrolled = first.enrol(house.public(), |shown| {
            code = shown.to_owned();
            assert_eq!(approve(&house, shown, 1).status, 200);
        });
        enrolled.done.ended(Exit::Done);
        first.signs_on(house.secure()).ended(Exit::Done);
        let slip = first.folder.join("slip.json");
        std::fs::write(&slip, sure_win(100, 1)).unwrap();
        let draw = house.next_draw();
        first
            .keno(house.secure(), &["sell", "--yes", slip.to_str().unwrap()])
            .ended(Exit::Done);
        house.until_settled(draw);
        house.stop();
        std::fs::write(house.folder.join("house.toml"), house.file_text()).unwrap();
        let data = house.folder.path().to_str().unwrap();
        let central = Program::start(program("keno-central", &["serve", "--data", data]), "");
        // TLS is told of first.
        let secure = central.hears(|line| serving(line, "with TLS on https://"));
        let public = central.hears(|line| serving(line, "the public comes by https://"));
        let address = central.hears(|line| serving(line, "central listens on http://"));
        let canaries = vec![canary("enrolment code", "of t01", code)];
        Self {
            house,
            postgres,
            folder: TestFolder::new().unwrap(),
            first,
            second: Terminal::at(now_ms),
            central,
            address,
            secure,
            public,
            said: Vec::new(),
            canaries,
        }
    }

    fn data(&self) -> &Path {
        self.house.folder.path()
    }

    fn hides(&mut self, kind: &'static str, name: &str, secret: impl Into<Vec<u8>>) {
        self.canaries.push(canary(kind, name, secret));
    }

    /// Keeps what a program said.
    fn keeps(&mut self, who: &str, said: Vec<u8>) {
        self.said.push((format!("said by {who}"), said));
    }

    /// A command of central's, while a person types.
    #[track_caller]
    fn central(&mut self, who: &str, arguments: &[&str], typed: &str, code: i32) {
        let data = self.data().to_str().unwrap().to_owned();
        let mut all = arguments.to_vec();
        all.extend(["--data", &data]);
        let said = Program::start(program("keno-central", &all), typed).ends(code);
        self.keeps(who, said);
    }

    /// The settings of a device, without any secret.
    fn settings(&self, name: &str, terminal: &Terminal) -> PathBuf {
        let path = terminal.folder.join("terminal.toml");
        let text = format!(
            "central = \"https://{}\"\nenrol_at = \"https://{}\"\nlisten = \"127.0.0.1:0\"\n\
             printer = \"network\"\nprinter_address = \"{}\"\njournal = {:?}\ntrust = {:?}\n",
            self.secure,
            self.public,
            terminal.printer_address(),
            terminal.folder.join("journal"),
            terminal.folder.join("trust"),
        );
        std::fs::write(&path, text).unwrap();
        assert!(path.is_file(), "{name}");
        path
    }

    /// The second device is enrolled by people who mistype, and its key is changed.
    fn enrols_the_second(&mut self) {
        let settings = self.settings("t02", &self.second);
        let settings = settings.to_str().unwrap();
        let enrol = program("keno-terminal", &["--config", settings, "enrol"]);
        let device = Program::start(enrol, "");
        let code = device.hears(|line| line.strip_prefix("Code : ").map(str::to_owned));
        // A code that is well formed and of nobody who waits.
        let wrong = String::from_utf8(self.canaries[0].secret.clone()).unwrap();
        let pin = pin_of(TECHNICIAN);
        for (code, pin, exit) in [
            (wrong.as_str(), pin.as_str(), 1),
            (&code, WRONG_PIN, 1),
            (&code, &pin, 0),
        ] {
            let approve = [
                "admin", "device", "approve", "--code", code, "--number", "2", "--name", "T02",
                "--role", "counter", "--by", TECHNICIAN, "--second", "X2",
            ];
            let typed = format!("{pin}\n{}\n", pin_of("X2"));
            self.central("approve", &approve, &typed, exit);
        }
        let said = device.ends(0);
        self.keeps("t02 enrol", said);
        self.hides("enrolment code", "of t02", code.replace('-', ""));
        self.hides("enrolment code", "of t02 as shown", code);
        let trust = self.second.folder.join("trust");
        self.canaries.extend(device_keys("t02 at first", &trust));
        let rotate = program("keno-terminal", &["--config", settings, "rotate-key"]);
        let said = Program::start(rotate, "").ends(0);
        self.keeps("t02 rotate-key", said);
        self.canaries.extend(device_keys("t02", &trust));
        self.canaries
            .extend(device_keys("t01", &self.first.folder.join("trust")));
    }

    /// Someone signs on at the second device, and its token is known.
    fn signs_on_at_the_second(&mut self) {
        let mut line = self.second.connect(self.secure).unwrap();
        let body = json!({"badge": "C2", "pin": pin_of("C2"), "float_cents": 100_000});
        let answer = line.post("/sessions", &[], &body).unwrap();
        assert_eq!(
            answer.status,
            200,
            "{}",
            String::from_utf8_lossy(&answer.body)
        );
        let reply: Value = serde_json::from_slice(&answer.body).unwrap();
        let token = hex::decode(reply["token"].as_str().unwrap()).unwrap();
        self.hides("session", "of C2", token);
    }

    /// The first device at work, by its pages; the agent, still at work.
    fn works_at_the_first(&mut self) -> Program {
        let winner = self.first.claim_codes().pop().unwrap();
        let settings = self.settings("t01", &self.first);
        let settings = settings.to_str().unwrap();
        let agent = Program::start(
            program("keno-terminal", &["--config", settings, "serve"]),
            "",
        );
        let pages = agent.hears(|line| serving(line, "pages at http://"));
        let asks = |method: &str, path: &str, body: &Value| {
            let body = if method == "GET" {
                Vec::new()
            } else {
                body.to_string().into_bytes()
            };
            let path = format!("/agent/{path}");
            let answer = Request::new(method, &path, &[("boulier-page", "1")], body).ask(pages);
            serde_json::from_slice::<Value>(&answer.body).unwrap()
        };
        let does = |path: &str, body: &Value| asks("POST", path, body);
        let ends = |path: &str, body: &Value, exit: &str| {
            let said = does(path, body);
            assert_eq!(said["exit"], exit, "{path}: {said:#}");
        };
        let mut state = asks("GET", "state", &Value::Null);
        while state["central"]["state"] != "trusted" {
            state = asks(
                "GET",
                &format!("state?after={}", state["change"]),
                &Value::Null,
            );
        }
        ends(
            "sign-on",
            &json!({"badge": "C1", "pin": WRONG_PIN}),
            "refused",
        );
        ends(
            "sign-on",
            &json!({"badge": "C1", "pin": pin_of("C1")}),
            "done",
        );
        let sells = |slip: String| {
            let slip: Value = serde_json::from_str(&slip).unwrap();
            let told = does("draft", &json!({"slip": slip}));
            let total = told["draft"]["total_cents"].clone();
            ends(
                "sales",
                &json!({"slip": slip, "total_cents": total}),
                "done",
            );
        };
        sells(straight(&[7, 11], 200, 2));
        // A draw may close between a sale and its cancellation: then once more.
        let cancelled = (0..4).any(|_| {
            sells(straight(&[7], 200, 1));
            let code = self.first.claim_codes().pop().unwrap();
            let asked = json!({"code": code, "reason": "changed_mind"});
            does("cancellations", &asked)["exit"] == "done"
        });
        assert!(cancelled, "nothing could be cancelled");
        for code in HOSTILE {
            let said = does("checks", &json!({"code": code}));
            assert_ne!(said["exit"], "failed", "{said:#}");
        }
        // 80 ways at 100 cents, of which 20 win 300.
        let paid = json!({"code": winner, "total_cents": 6_000, "second": second("S1")});
        ends("payments", &paid, "done");
        ends("checks", &json!({"code": winner}), "done");
        self.first.claim_codes().iter().for_each(|code| {
            let name = format!("of {}", &code[3..19]);
            let secret = claim_secret(code);
            self.canaries.push(canary("claim secret", &name, secret));
            self.canaries
                .push(canary("claim secret", name, secret.to_lowercase()));
        });
        let session = std::fs::read(self.first.folder.join("journal/session.json")).unwrap();
        let session: Value = serde_json::from_slice(&session).unwrap();
        let token = hex::decode(session["token"].as_str().unwrap()).unwrap();
        self.hides("session", "of C1", token);
        agent
    }

    /// Backups of the record and of the keys, and the record as it is exported.
    fn is_backed_up(&mut self) {
        for name in ["backup", "keys", "export"] {
            std::fs::create_dir(self.folder.join(name)).unwrap();
        }
        let (record, keys) = (self.folder.join("backup"), self.folder.join("keys"));
        let export = self.folder.join("export/record");
        self.central(
            "backup",
            &["backup", "--to", record.to_str().unwrap()],
            "",
            0,
        );
        self.central(
            "backup-keys",
            &["backup-keys", "--to", keys.to_str().unwrap()],
            "",
            0,
        );
        self.central(
            "export",
            &["export", "--out", export.to_str().unwrap()],
            "",
            0,
        );
        self.central("verify", &["verify"], "", 0);
    }

    /// What anyone may ask.
    fn is_looked_at(&mut self) {
        for path in [
            "/",
            "/fr",
            "/en",
            "/healthz",
            "/metrics",
            "/openapi.json",
            "/log/checkpoint",
            "/log/epochs",
            "/log/entries/0",
            "/log/tile/0/000",
            "/log/tile/entries/000",
            "/api/v1/time",
            "/api/v1/alarms",
            "/api/v1/rules",
            "/api/v1/draws/next",
            "/api/v1/draws/last",
            "/api/v1/draws/1",
            "/api/v1/draws/1/transcript",
            "/nowhere",
        ] {
            let answer = Request::new("GET", path, &[], Vec::new())
                .send(self.address)
                .unwrap();
            self.said.push((format!("page {path}"), answer));
        }
    }

    /// Every secret of the day that is not known yet.
    fn knows_the_rest(&mut self) {
        for badge in keno_house_tests::house::badges() {
            self.hides("PIN", badge, pin_of(badge));
        }
        self.hides("PIN", "mistyped", WRONG_PIN);
        let text = std::fs::read_to_string(self.data().join("keys.toml")).unwrap();
        self.canaries.extend(server_keys(&text));
        let pem = std::fs::read(self.data().join("trust/ca.key")).unwrap();
        self.hides("authority key", "of the house", private_key(&pem));
        for holder in ["machine", "audit-office"] {
            let journal = std::fs::read(self.data().join(holder).join("secrets.journal")).unwrap();
            let secrets = draw_secrets(&journal);
            // Half an hour ahead: those of the draws before may have been revealed.
            assert!(secrets.len() > 20);
            for (draw, secret) in &secrets[secrets.len() - 5..] {
                self.hides(
                    "draw secret",
                    &format!("{holder}, draw {draw}"),
                    secret.clone(),
                );
            }
        }
    }

    /// Everything that lies about.
    fn everything(&self, search: &Search) -> BTreeSet<Found> {
        let mut found = BTreeSet::new();
        let mut folders = vec![
            ("data", self.data().to_owned()),
            ("t01", self.first.folder.path().to_owned()),
            ("t02", self.second.folder.path().to_owned()),
        ];
        for name in ["backup", "keys", "export"] {
            folders.push((name, self.folder.join(name)));
        }
        let dump;
        if let Some(postgres) = &self.postgres {
            let address = postgres.server().address("postgres");
            let (_, folder) = address.split_once("?host=").unwrap();
            folders.push(("postgres", folder.into()));
            dump = dumped(&address);
            assert!(dump.len() > 10_000);
            found.extend(search.bytes("dump of postgres", &dump));
        }
        for (place, folder) in folders {
            let (here, files) = search.folder(place, &folder);
            assert!(files > 0, "{place} is empty");
            found.extend(here);
        }
        for (place, bytes) in &self.said {
            assert!(!bytes.is_empty(), "{place} is empty");
            found.extend(search.bytes(place, bytes));
        }
        found
    }
}

/// A dump of a database as its own program makes it.
fn dumped(address: &str) -> Vec<u8> {
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path().join("bin/pg_dump"))
        .filter(|path| path.is_file())
        .collect();
    versions.sort();
    let program = versions.pop().unwrap_or_else(|| "pg_dump".into());
    let output = Command::new(program).arg(address).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

/// What a live process shows of itself.
fn shown_by(name: &str, process: &Program) -> Vec<(String, Vec<u8>)> {
    let limits = String::from_utf8(process.about("limits").unwrap()).unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    let words: Vec<&str> = core.split_whitespace().collect();
    assert_eq!(
        words[4..6],
        ["0", "0"],
        "{name} may leave an image of its memory: {core}"
    );
    // What its account may not even read is shown to nobody.
    ["cmdline", "environ"]
        .into_iter()
        .filter_map(|file| Some((format!("{file} of {name}"), process.about(file)?)))
        .collect()
}

/// Ends a process as a fault would; it leaves no image of its memory.
fn dies(process: &mut Program, name: &str) -> Vec<u8> {
    use std::os::unix::process::ExitStatusExt;
    process.signal(Signal::ABORT);
    let status = process.ended();
    assert_eq!(status.signal(), Some(Signal::ABORT.as_raw()), "{name}");
    assert!(!status.core_dumped(), "{name} left an image of its memory");
    process.said()
}

fn is_clean(found: BTreeSet<Found>) -> BTreeSet<usize> {
    let (allowed, leaked): (Vec<_>, Vec<_>) = found
        .into_iter()
        .map(|found| (is_allowed(&found), found))
        .partition(|(row, _)| row.is_some());
    let leaked: Vec<Found> = leaked.into_iter().map(|(_, found)| found).collect();
    assert!(leaked.is_empty(), "secrets lie about: {leaked:#?}");
    allowed.into_iter().filter_map(|(row, _)| row).collect()
}

fn no_secret_lies_about(postgres: Option<PrivatePostgres>) {
    let mut day = Day::begin(postgres);
    day.enrols_the_second();
    day.signs_on_at_the_second();
    let mut agent = day.works_at_the_first();
    day.is_backed_up();
    day.is_looked_at();
    day.knows_the_rest();
    day.said.extend(shown_by("central", &day.central));
    day.said.extend(shown_by("the agent", &agent));
    let search = Search::new(day.canaries.clone());
    // While everything is at work, with what is still in a write-ahead log.
    is_clean(day.everything(&search));
    let has_log = day.data().join("keno.sqlite-wal").is_file();
    assert_eq!(has_log, day.postgres.is_none());
    let said = dies(&mut agent, "the agent");
    day.keeps("t01 serve", said);
    let said = dies(&mut day.central, "central");
    day.keeps("central", said);
    let rows = is_clean(day.everything(&search));
    // The search sees each secret where it does lie, as the programs write it.
    assert_eq!(
        rows,
        (0..ALLOWED.len()).collect(),
        "a place of the table is empty"
    );
    planted_secrets_are_found(&mut day, &search);
}

/// Each form of a secret, at each kind of place, is found there.
fn planted_secrets_are_found(day: &mut Day, search: &Search) {
    let is_pepper = |canary: &&Canary| canary.name == "pepper";
    let pepper = day.canaries.iter().find(is_pepper).unwrap().secret.clone();
    let folders = [
        ("data", day.data().to_owned()),
        ("t01/journal", day.first.folder.join("journal")),
        ("backup", day.folder.join("backup")),
    ];
    let mut expected = BTreeSet::new();
    for (number, form) in forms().into_iter().enumerate() {
        let bytes = form.amid(&pepper);
        let mut expects = |place: String| {
            expected.insert(Found {
                kind: "server key",
                name: "pepper".to_owned(),
                form,
                place,
            });
        };
        for (place, folder) in &folders {
            let name = format!("left-behind-{number}");
            std::fs::write(folder.join(&name), &bytes).unwrap();
            expects(format!("{place}/{name}"));
        }
        let place = format!("log {number}");
        expects(place.clone());
        day.said.push((place, bytes));
    }
    let found = day.everything(search);
    let missed: Vec<&Found> = expected.difference(&found).collect();
    assert!(missed.is_empty(), "planted and not found: {missed:#?}");
    // The environment of a live process.
    let papers = day.folder.join("papers");
    let mut process = program(
        "keno-terminal",
        &[
            "virtual-printer",
            "--print",
            "127.0.0.1:0",
            "--web",
            "127.0.0.1:0",
            "--folder",
            papers.to_str().unwrap(),
        ],
    );
    process.env("LEFT_BEHIND", hex::encode(&pepper));
    let process = Program::start(process, "");
    process.hears(|line| line.contains("papers at").then_some(()));
    if let Some(environment) = process.about("environ") {
        assert!(!search.bytes("environ", &environment).is_empty());
    }
}

#[test]
fn no_secret_lies_about_on_sqlite() {
    no_secret_lies_about(None);
}

#[test]
fn no_secret_lies_about_on_postgres() {
    let postgres = PrivatePostgres::start(Durability::Fast).unwrap();
    no_secret_lies_about(Some(postgres));
}

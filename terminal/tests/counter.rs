//! Whole commands against a scripted central and the virtual printer: what is journaled, what
//! is printed, what is said, and how the process ends.
#![allow(clippy::unwrap_used)]

mod commands;
mod presentations;
mod sessions;
mod two_people;

use std::cell::{Cell, RefCell};
use std::io::Cursor;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use crate::central::{Answer, FakeCentral};
use keno_slip::Width;
use keno_terminal::agent::{Agent, Credentials, SaleOptions, SoFar};
use keno_terminal::bundle::Bundle;
use keno_terminal::central::{Central, Patience};
use keno_terminal::cli::Desk;
use keno_terminal::config::Language;
use keno_terminal::exit::{Exit, Stop};
use keno_terminal::journal::Journal;
use keno_terminal::printer::settings::Equipment;
use keno_terminal::printer::{Driver, Timing};
use keno_terminal::slip_file::SlipFile;
use keno_terminal::told::Told;
use keno_terminal::virtual_printer::server::{Options, Running, start};
use keno_terminal::virtual_printer::{Fault, decode};
use keno_testing::{Goldens, Shapes};
use keno_wire::request::SecondPerson;
use serde_json::{Value, json};

const ANY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

const SLIP: &str = r#"{"selections":[{"type":"straight","numbers":[7,18,33,42,71],"wager_cents":200}],
    "draws":5,"received_cents":4000}"#;

struct Counter {
    central: FakeCentral,
    folder: tempfile::TempDir,
    printer: Running,
    /// What its commands said, and what they asked central.
    story: RefCell<String>,
}

/// What a command did.
struct Done {
    exit: Exit,
    output: String,
    notes: String,
}

impl Counter {
    fn new(fault: Option<Fault>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let printer = printer(&folder, fault);
        Self {
            central: FakeCentral::start(),
            folder,
            printer,
            story: RefCell::default(),
        }
    }

    fn run(&self, typed: &str, command: impl FnOnce(&mut Agent<'_>) -> Result<Exit, Stop>) -> Done {
        let (mut input, mut output, mut notes) =
            (Cursor::new(typed.to_owned()), Vec::new(), Vec::new());
        let patient = Duration::from_secs(20);
        let mut agent = Agent {
            central: Central::new(
                &format!("http://{}", self.central.address),
                7,
                "00ff",
                Patience {
                    connect: patient,
                    answer: patient,
                },
            ),
            journal: Journal::open(&self.folder.path().join("journal")).unwrap(),
            told: Told::to(Desk {
                input: Box::new(&mut input),
                output: Box::new(&mut output),
                notes: Box::new(&mut notes),
                language: Language::Fr,
                echo: |_| {},
            }),
            so_far: SoFar::default(),
            device: 7,
            driver: Driver::Network(self.printer.print),
            timing: Timing {
                connect: patient,
                status: patient,
                confirmation: patient,
                ..Timing::default()
            },
            equipment: Equipment::default(),
            width: Width::Wide,
            folder: self.folder.path().join("journal"),
            credentials: Credentials {
                badge: Some("C142".to_owned()),
                pin: Some("246813".to_owned()),
            },
            pause: Box::new(|_, _| true),
            draft: None,
            acknowledges_by_hand: false,
        };
        let done = agent.carry_out(command);
        if let Some(error) = done.fault {
            panic!("{error:#}");
        }
        drop(agent);
        let done = Done {
            exit: done.exit,
            output: String::from_utf8(output).unwrap(),
            notes: String::from_utf8(notes).unwrap(),
        };
        let asked = self.central.story();
        let Done {
            exit,
            output,
            notes,
        } = &done;
        self.story.borrow_mut().push_str(&format!(
            "## a command, typed {typed:?}\n{asked}-- ended {exit:?}, said:\n{output}-- noted:\n{notes}\n"
        ));
        done
    }

    fn sell(&self, typed: &str) -> Done {
        self.sell_told(typed, None)
    }

    /// As a page sells, where the total was told before.
    fn sell_told(&self, typed: &str, told_cents: Option<i64>) -> Done {
        let file = SlipFile::parse(SLIP.as_bytes()).unwrap();
        let options = SaleOptions {
            tender: "cash".into(),
            received_cents: file.received_cents,
            told_cents,
            is_confirmed: true,
            intake: "slip".into(),
            replay_of: None,
        };
        self.run(typed, |agent| agent.sell(&file.slip(), &options))
    }

    fn expect_sign_on(&self) {
        self.central.expect(
            "/api/v1/sessions",
            Answer::Reply(
                json!({"session": 3, "token": "abc", "roles": ["clerk"], "central_ms": 0}),
            ),
        );
    }

    fn expect_price(&self) {
        let ticket = ticket();
        self.central.expect(
            "/api/v1/prices",
            Answer::Reply(json!({
            "selections": ticket["selections"], "first": ticket["first"], "last": ticket["last"],
            "draws": 5, "per_draw_cents": 500, "total_cents": 2500})),
        );
    }

    /// Texts of every paper, oldest first.
    fn papers(&self) -> Vec<String> {
        let mut numbers = self.printer.folder.papers().unwrap();
        numbers.reverse();
        numbers
            .iter()
            .map(|&number| {
                let bytes = std::fs::read(self.printer.folder.file(number, "escpos")).unwrap();
                decode(&bytes, 576)
                    .unwrap()
                    .iter()
                    .flat_map(|sheet| sheet.texts())
                    .collect::<Vec<_>>()
                    .join("\n")
            })
            .collect()
    }

    fn journal_text(&self) -> String {
        let folder = self.folder.path().join("journal");
        let mut text = String::new();
        for name in ["journal.sqlite", "journal.sqlite-wal"] {
            if let Ok(bytes) = std::fs::read(folder.join(name)) {
                text.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
        text
    }

    fn open_items(&self) -> usize {
        Journal::open(&self.folder.path().join("journal"))
            .unwrap()
            .open_items()
            .len()
    }
}

thread_local! {
    /// Counters that the test of this thread has closed.
    static COUNTERS: Cell<u32> = const { Cell::new(0) };
}

/// What the commands of a test said, asked and printed is its golden, by the name of the test.
///
/// `INSTA_UPDATE=always cargo test -p keno-terminal --test suite counter` accepts what it is now.
impl Drop for Counter {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let mut text = self.story.take();
        // There is no folder where nothing was printed.
        let mut numbers = self.printer.folder.papers().unwrap_or_default();
        numbers.reverse();
        let mut papers = Shapes::default();
        // `goldens_papers` holds it.
        let known = crate::support::printed(&crate::support::paper("full", Width::Wide)).texts();
        papers.know("ticket-full", &known.join("\n"));
        for (before, number) in numbers.into_iter().enumerate() {
            let bytes = std::fs::read(self.printer.folder.file(number, "escpos"));
            let sheets = bytes.ok().and_then(|bytes| decode(&bytes, 576).ok());
            let paper: Vec<String> = match sheets {
                Some(sheets) => sheets.iter().flat_map(|sheet| sheet.texts()).collect(),
                None => vec!["which is not whole".to_owned()],
            };
            papers.put(&format!("paper {}", before + 1), "", &paper.join("\n"));
        }
        text.push_str(papers.text());
        for (known, name) in [
            (self.central.address.to_string(), "[central]"),
            (self.printer.print.to_string(), "[printer]"),
            (self.folder.path().display().to_string(), "[folder]"),
        ] {
            text = text.replace(&known, name);
        }
        // A test may have several counters, one after the other.
        let number = COUNTERS.with(|counters| {
            counters.set(counters.get() + 1);
            counters.get()
        });
        let test = std::thread::current();
        let name = test.name().unwrap_or("unnamed");
        let name = name.trim_start_matches("counter::").replace("::", "-");
        let name = match number {
            1 => name,
            _ => format!("{name}-{number}"),
        };
        Goldens::of("tests/goldens/counter").hold(&name, &text);
    }
}

fn printer(folder: &tempfile::TempDir, fault: Option<Fault>) -> Running {
    start(&Options {
        print: ANY,
        web: ANY,
        folder: folder.path().join("papers"),
        fault,
        dots: 576,
    })
    .unwrap()
}

fn ticket() -> Value {
    serde_json::to_value(crate::support::sample("full")).unwrap()
}

fn key(counter: u64) -> Value {
    json!({"session": 3, "counter": counter})
}

fn sale(counter: u64, repeated: bool) -> Value {
    json!({"key": key(counter), "ticket": ticket(), "repeated": repeated})
}

fn paths(asked: &[(String, Value)]) -> Vec<&str> {
    asked
        .iter()
        .map(|(path, _)| path.strip_prefix("/api/v1").unwrap_or(path))
        .collect()
}

//! A terminal at a counter: its settings, its journal, its printers. Commands run through the
//! program's own entry point; those that must wait for central run with a pause of no length.

use std::collections::BTreeMap;
use std::io::{BufRead, Cursor};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use keno_slip::{Paper, Width};
use keno_terminal::agent::{Agent, Credentials, SaleOptions, SoFar};
use keno_terminal::central::{Central, Patience};
use keno_terminal::cli::{Desk, Streams, run};
use keno_terminal::config::{Config, Language};
use keno_terminal::exit::{Exit, Stop};
use keno_terminal::journal::{Item, Journal};
use keno_terminal::printer::settings::Equipment;
use keno_terminal::printer::{Driver, Job, JobId, Timing, print_job};
use keno_terminal::slip_file::SlipFile;
use keno_terminal::told::Told;
use keno_terminal::virtual_printer::server::{Options, Running, start};
use keno_terminal::virtual_printer::{Fault, Sheet, decode_torn};
use keno_testing::TestFolder;

use crate::house::{FLOAT_CENTS, House, pin_of};
use crate::line::Line;

const ANY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// What a command did.
#[derive(Debug)]
pub struct Done {
    /// How the process would have ended.
    pub exit: Exit,
    /// What it said on standard output.
    pub output: String,
    /// What it said on standard error.
    pub notes: String,
}

impl Done {
    /// The same, after seeing that it ended so.
    ///
    /// # Panics
    /// When it did not.
    #[track_caller]
    pub fn ended(self, exit: Exit) -> Self {
        assert_eq!(self.exit, exit, "{}\n{}", self.output, self.notes);
        self
    }

    /// The same, after seeing that all of these were said, on either side.
    ///
    /// # Panics
    /// When one was not.
    #[track_caller]
    pub fn said(self, words: &[&str]) -> Self {
        let all = format!("{}\n{}", self.output, self.notes).replace('\u{A0}', " ");
        for word in words {
            assert!(all.contains(word), "{word:?} was not said:\n{all}");
        }
        self
    }
}

/// A terminal at a counter.
pub struct Counter {
    folder: TestFolder,
    /// The wire to central.
    pub line: Line,
    device: u32,
    key: String,
    badge: String,
    language: Language,
    columns: u8,
    /// Printers that it had, the newest last.
    printers: Vec<Running>,
    /// Where it sends its papers.
    printer: SocketAddr,
    /// How long [`Self::agent`] waits for a printer's answer: longer than any that answers takes.
    pub printer_patience: Duration,
    /// What hangs on its printer.
    pub equipment: Equipment,
    /// A printer of another kind, which [`Self::agent`] uses instead.
    pub other_printer: Option<Driver>,
    /// What came out, by its file: a paper stays as it is, and is decoded once.
    decoded: Mutex<BTreeMap<PathBuf, Vec<Sheet>>>,
}

/// How a counter differs from the usual one.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its number in the house.
    pub device: u32,
    /// Which language comes first on the screen.
    pub language: Language,
    /// Columns of its paper.
    pub columns: u8,
}

impl Counter {
    /// The first counter, with clerk C1 signed on, a float in the till and a sound printer.
    pub fn open(house: &House) -> Self {
        Self::open_as(
            house,
            Kind {
                device: 1,
                language: Language::Fr,
                columns: 48,
            },
        )
    }

    /// Another counter, with the clerk of its number.
    pub fn open_as(house: &House, kind: Kind) -> Self {
        let counter = Self::placed(house, kind);
        counter.sign_on_with_float();
        counter
    }

    /// Another counter, with the clerk of its number signed on and no till.
    pub fn without_till(house: &House, kind: Kind) -> Self {
        let counter = Self::placed(house, kind);
        counter.keno(&["sign-on"]).ended(Exit::Done);
        counter
    }

    fn placed(house: &House, kind: Kind) -> Self {
        let mut counter = Self {
            folder: TestFolder::new().unwrap(),
            line: Line::to(house.address()),
            device: kind.device,
            key: house.keys[&kind.device].clone(),
            badge: format!("C{}", kind.device),
            language: kind.language,
            columns: kind.columns,
            printers: Vec::new(),
            printer: ANY,
            printer_patience: Duration::from_secs(60),
            equipment: Equipment::default(),
            other_printer: None,
            decoded: Mutex::default(),
        };
        counter.new_printer(None);
        counter
    }

    /// Opens the shift.
    pub fn sign_on_with_float(&self) {
        let float = FLOAT_CENTS.to_string();
        self.keno(&["sign-on", "--float-cents", &float])
            .ended(Exit::Done);
    }

    /// Someone else signs on.
    ///
    /// # Panics
    /// When nobody may.
    pub fn sign_on_as(&mut self, badge: &str) {
        self.badge = badge.to_owned();
        self.write_settings();
        self.keno(&["sign-on"]).ended(Exit::Done);
    }

    /// Another printer takes the place of the old one.
    pub fn new_printer(&mut self, fault: Option<Fault>) {
        let running = start(&Options {
            print: ANY,
            web: ANY,
            folder: self
                .folder
                .join(format!("papers-{}", self.printers.len() + 1)),
            fault,
            dots: self.width().dots(),
        })
        .unwrap();
        self.printer = running.print;
        self.printers.push(running);
        self.write_settings();
    }

    /// The printer is there, whatever it is.
    pub fn printer_at(&mut self, address: SocketAddr) {
        self.printer = address;
        self.write_settings();
    }

    /// Nobody listens where the printer was.
    pub fn no_printer(&mut self) {
        let free = std::net::TcpListener::bind(ANY).unwrap();
        self.printer = free.local_addr().unwrap();
        drop(free);
        self.write_settings();
    }

    fn width(&self) -> Width {
        if self.columns == 48 {
            Width::Wide
        } else {
            Width::Narrow
        }
    }

    /// What the terminal is told.
    pub fn settings(&self) -> Config {
        Config {
            central: format!("http://{}", self.line.address),
            device: u64::from(self.device),
            device_key: Some(self.key.clone()),
            badge: Some(self.badge.clone()),
            pin: Some(pin_of(&self.badge)),
            printer_address: self.printer,
            columns: self.columns,
            journal: self.folder.join("journal"),
            language: self.language,
            ..Config::default()
        }
    }

    fn settings_path(&self) -> PathBuf {
        self.folder.join("terminal.toml")
    }

    fn write_settings(&self) {
        let settings = self.settings();
        let language = match settings.language {
            Language::Fr => "fr",
            Language::En => "en",
        };
        let text = format!(
            "central = {:?}\ndevice = {}\ndevice_key = {:?}\nbadge = {:?}\npin = {:?}\n\
             printer = \"network\"\nprinter_address = \"{}\"\ncolumns = {}\njournal = {:?}\n\
             language = {language:?}\n",
            settings.central,
            settings.device,
            self.key,
            self.badge,
            pin_of(&self.badge),
            settings.printer_address,
            settings.columns,
            settings.journal,
        );
        std::fs::write(self.settings_path(), text).unwrap();
    }

    /// Runs a command line; nobody types.
    pub fn keno(&self, arguments: &[&str]) -> Done {
        self.keno_typing("", arguments)
    }

    /// Runs a command line while the person types. Codes, references and PINs that a test names among the
    /// arguments are typed as well: a program takes neither as an argument.
    pub fn keno_typing(&self, typed: &str, arguments: &[&str]) -> Done {
        let is_code = |it: &&&str| {
            // A control number may be in groups, as it is printed.
            let mut signs = it.chars().filter(|one| !one.is_whitespace());
            it.starts_with("KT2")
                || it.starts_with('#')
                || (0..16).all(|_| signs.next().is_some_and(|one| one.is_ascii_digit()))
        };
        let mut given = arguments
            .iter()
            .filter(is_code)
            .copied()
            .collect::<Vec<_>>()
            .join("\n");
        if !given.is_empty() {
            given.push('\n');
        }
        let mut words: Vec<&str> = arguments
            .iter()
            .filter(|it| !is_code(it))
            .copied()
            .collect();
        if let Some(at) = words.iter().position(|it| *it == "--second-pin") {
            words.remove(at);
            given.push_str(words.remove(at));
            given.push('\n');
        }
        given.push_str(typed);
        let arguments = words;
        let path = self.settings_path();
        let path = path.to_str().unwrap();
        let (mut input, mut output, mut notes) = (Cursor::new(given), Vec::new(), Vec::new());
        let exit = run(
            ["keno-terminal", "--config", path]
                .into_iter()
                .chain(arguments)
                .map(str::to_owned),
            Streams {
                input: &mut input,
                output: &mut output,
                notes: &mut notes,
                echo: |_| {},
                now_ms: || crate::house::NOON_MS,
            },
        );
        Done {
            exit,
            output: String::from_utf8(output).unwrap(),
            notes: String::from_utf8(notes).unwrap(),
        }
    }

    /// Runs a command of the agent as the command line does, but with no length of a pause
    /// between two questions, and with all the patience of the world.
    ///
    /// # Panics
    /// When the machine itself fails.
    pub fn agent(
        &self,
        typed: &str,
        command: impl FnOnce(&mut Agent<'_>) -> Result<Exit, Stop>,
    ) -> Done {
        self.agent_hearing(&mut Cursor::new(typed.to_owned()), command)
    }

    /// As [`Self::agent`], with a person who answers when asked.
    ///
    /// # Panics
    /// When the machine itself fails.
    pub fn agent_hearing(
        &self,
        input: &mut dyn BufRead,
        command: impl FnOnce(&mut Agent<'_>) -> Result<Exit, Stop>,
    ) -> Done {
        let settings = self.settings();
        let (mut output, mut notes) = (Vec::new(), Vec::new());
        let patient = Duration::from_secs(60);
        let mut agent = Agent {
            central: Central::new(
                &settings.central,
                settings.device,
                &self.key,
                Patience {
                    connect: patient,
                    answer: patient,
                },
            ),
            journal: Journal::open(&settings.journal).unwrap(),
            told: Told::to(Desk {
                input: Box::new(input),
                output: Box::new(&mut output),
                notes: Box::new(&mut notes),
                language: settings.language,
                echo: |_| {},
            }),
            so_far: SoFar::default(),
            device: settings.device,
            driver: self.driver(),
            timing: Timing {
                connect: patient,
                status: self.printer_patience,
                confirmation: self.printer_patience,
                // The fake and the virtual printer print in no time.
                millimetres_per_second: u32::MAX,
            },
            equipment: self.equipment,
            width: self.width(),
            folder: settings.journal.clone(),
            credentials: Credentials {
                badge: Some(self.badge.clone()),
                pin: Some(pin_of(&self.badge)),
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
        Done {
            exit: done.exit,
            output: String::from_utf8(output).unwrap(),
            notes: String::from_utf8(notes).unwrap(),
        }
    }

    /// Sells the text of a slip by [`Self::agent`].
    pub fn agent_sells(&self, typed: &str, slip: &str) -> Done {
        self.agent_sells_hearing(&mut Cursor::new(typed.to_owned()), slip)
    }

    /// As [`Self::agent_sells`], with a person who answers when asked.
    pub fn agent_sells_hearing(&self, input: &mut dyn BufRead, slip: &str) -> Done {
        let file = SlipFile::parse(slip.as_bytes()).unwrap();
        let options = SaleOptions {
            tender: file.tender.clone().unwrap_or_else(|| "cash".into()),
            received_cents: file.received_cents,
            told_cents: None,
            is_confirmed: true,
            intake: "slip".into(),
            replay_of: None,
        };
        self.agent_hearing(input, |agent| agent.sell(&file.slip(), &options))
    }

    /// The next start of the terminal, by [`Self::agent`].
    pub fn agent_status(&self, typed: &str) -> Done {
        self.agent(typed, |agent| agent.status(None))
    }

    /// Writes a slip file.
    pub fn slip(&self, text: &str) -> PathBuf {
        let path = self.folder.join("slip.json");
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Sells a slip file.
    pub fn sell(&self, slip: &Path) -> Done {
        self.keno(&["sell", "--yes", slip.to_str().unwrap()])
    }

    /// Sells the text of a slip, which must succeed; the claim code on its paper.
    ///
    /// # Panics
    /// When it does not.
    pub fn sells(&self, slip: &str) -> String {
        let before = self.papers().len();
        self.sell(&self.slip(slip)).ended(Exit::Done);
        let papers = self.papers();
        assert_eq!(papers.len(), before + 1, "a sale prints one paper");
        let codes = papers[before].qr_payloads();
        assert_eq!(codes.len(), 1);
        codes[0].to_owned()
    }

    /// Where the printer is.
    pub fn driver(&self) -> Driver {
        self.other_printer
            .clone()
            .unwrap_or(Driver::Network(self.printer))
    }

    /// Prints a paper as a supervisor's desk would, with the terminal's own way to the printer.
    ///
    /// # Panics
    /// When it does not come out.
    pub fn print(&self, paper: &Paper, number: u64) {
        let job = Job::of(paper, JobId::from_number(number)).unwrap();
        print_job(&self.driver(), &job, Timing::default()).unwrap();
    }

    /// Every paper that ever came out at this counter, torn ones too, in order.
    pub fn papers(&self) -> Vec<Sheet> {
        let mut decoded = self.decoded.lock().unwrap();
        let mut sheets = Vec::new();
        for printer in &self.printers {
            settle(printer.print);
            let mut numbers = printer.folder.papers().unwrap();
            numbers.sort_unstable();
            for number in numbers {
                let file = printer.folder.file(number, "escpos");
                let of_file = decoded.entry(file).or_insert_with_key(|file| {
                    decode_torn(&std::fs::read(file).unwrap(), self.width().dots())
                });
                sheets.extend_from_slice(of_file);
            }
        }
        sheets
    }

    /// The newest paper.
    ///
    /// # Panics
    /// When there is none.
    pub fn newest_paper(&self) -> Sheet {
        self.papers().pop().expect("a paper")
    }

    /// Bytes of the newest paper of the newest printer.
    ///
    /// # Panics
    /// When there is none.
    pub fn newest_bytes(&self) -> usize {
        let printer = self.printers.last().unwrap();
        settle(printer.print);
        let newest = printer.folder.papers().unwrap()[0];
        std::fs::read(printer.folder.file(newest, "escpos"))
            .unwrap()
            .len()
    }

    /// Commands that the journal holds open.
    pub fn open_items(&self) -> Vec<Item> {
        self.journal().open_items()
    }

    /// Commands in the journal.
    pub fn commands(&self) -> usize {
        self.journal().len()
    }

    fn journal(&self) -> Journal {
        Journal::open(&self.folder.join("journal")).unwrap()
    }

    /// The folder of the journal.
    pub fn journal_folder(&self) -> PathBuf {
        self.folder.join("journal")
    }

    /// The newest records of the journal as JSON, oldest of them first.
    pub fn newest_records(&self, count: u32) -> Vec<serde_json::Value> {
        let records = self.journal().newest_records(count).unwrap();
        records
            .iter()
            .map(|record| serde_json::to_value(record).unwrap())
            .collect()
    }

    /// The journal as a thief would read it.
    pub fn journal_text(&self) -> String {
        let folder = self.folder.join("journal");
        let mut text = String::new();
        for name in ["journal.sqlite", "journal.sqlite-wal"] {
            if let Ok(bytes) = std::fs::read(folder.join(name)) {
                text.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
        text
    }
}

/// Waits until a printer is done with every connection before this one: it takes them one by
/// one, so that its answer here says so. A printer that answers nothing hangs up or is asked no
/// more.
pub(crate) fn settle(print: SocketAddr) {
    use std::io::{Read, Write};
    use std::net::{Shutdown, TcpStream};
    let mut stream = TcpStream::connect(print).unwrap();
    let _ = stream.write_all(&[0x10, 4, 1]);
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.read_to_end(&mut Vec::new());
}

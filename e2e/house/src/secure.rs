//! Devices with certificates, their connections, and who may stand between them and central.

use std::io::{Cursor, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{io, thread};

use keno_central::console::{CONSOLE_FILE, CONSOLE_HEADER};
use keno_central::entrance::Door;
use keno_central::trust::authority::Authority;
use keno_central::trust::listener::server_config;
use keno_record::clock::{Clock, ManualClock};
use keno_slip::Width;
use keno_terminal::central::Patience;
use keno_terminal::cli::{Desk, Streams, run};
use keno_terminal::config::{Config, Language};
use keno_terminal::enrolment::TrustDesk;
use keno_terminal::exit::{Exit, Stop};
use keno_terminal::journal::Journal;
use keno_terminal::trust::connection::{FirstSight, of_identity};
use keno_terminal::trust::{Identity, Slot, Time, TrustFolder};
use keno_terminal::virtual_printer::decode_torn;
use keno_terminal::virtual_printer::server::{Options, Running, start};
use keno_testing::{TestFolder, copy_folder};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

use crate::counter::{Done, settle};
use crate::house::{FLOAT_CENTS, House, NAMES, NOON_MS, pin_of, refusal};
use crate::http::{Answer, Request};

/// Who types codes at central.
pub const TECHNICIAN: &str = "X1";

/// As long as a connection that is cut may live.
pub const CUT_WITHIN: Duration = Duration::from_secs(5);

/// Noon, as a terminal's clock.
pub fn noon() -> i64 {
    NOON_MS
}

/// A terminal that is, or is to be, enrolled.
pub struct Terminal {
    /// Its folder.
    pub folder: TestFolder,
    /// Its clock.
    pub time: Time,
    printer: Running,
}

/// What a terminal said while it was enrolled.
pub struct Enrolled {
    /// The code on its screen, if it came so far.
    pub code: Option<String>,
    /// How it ended.
    pub done: Done,
}

/// Passes on what is written, as it is written.
struct Told(Sender<Vec<u8>>);

impl Write for Told {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A test that has seen enough listens no more.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The code on a screen, once its line is whole.
fn code_in(screen: &str) -> Option<String> {
    let (_, rest) = screen.split_once("Code : ")?;
    let (code, _) = rest.split_once('\n')?;
    Some(code.to_owned())
}

impl Terminal {
    /// A terminal that nobody knows.
    pub fn new() -> Self {
        Self::at(noon)
    }

    /// As [`Self::new`], by another clock.
    pub fn at(time: Time) -> Self {
        let folder = TestFolder::new().unwrap();
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let printer = start(&Options {
            print: any,
            web: any,
            folder: folder.join("papers"),
            fault: None,
            dots: Width::Wide.dots(),
        })
        .unwrap();
        Self {
            folder,
            time,
            printer,
        }
    }

    /// A terminal that was enrolled as `device`.
    pub fn enrolled(house: &House, device: u32) -> Self {
        let terminal = Self::new();
        terminal.enrol_as(house, device);
        terminal
    }

    /// A device that was enrolled as `device`, in a role.
    ///
    /// # Panics
    /// When it is not enrolled.
    pub fn enrolled_in_role(house: &House, device: u32, role: &str) -> Self {
        let terminal = Self::new();
        let enrolled = terminal.enrol(house.public(), |code| {
            assert_eq!(approve_in_role(house, code, device, role).status, 200);
        });
        enrolled.done.ended(Exit::Done);
        terminal
    }

    /// Enrols it as `device`.
    ///
    /// # Panics
    /// When it is not enrolled.
    pub fn enrol_as(&self, house: &House, device: u32) {
        let enrolled = self.enrol(house.public(), |code| {
            assert_eq!(approve(house, code, device).status, 200);
        });
        enrolled.done.ended(Exit::Done);
    }

    /// Enrols it at an address; `typed` is told the code on the screen, once.
    pub fn enrol(&self, at: SocketAddr, typed: impl FnOnce(&str)) -> Enrolled {
        let (tell, told) = channel();
        let central = format!("https://{at}");
        thread::scope(|scope| {
            let enrolling = scope.spawn(move || {
                self.with_desk(central, Told(tell), |desk, journal| desk.enrol(journal))
            });
            let mut screen = Vec::new();
            let mut code = None;
            while code.is_none() {
                // It ends without a code when nobody can be trusted with one.
                let Ok(more) = told.recv() else { break };
                screen.extend(more);
                let text = String::from_utf8_lossy(&screen);
                code = code_in(&text);
            }
            if let Some(code) = &code {
                typed(code);
            }
            let (exit, notes) = enrolling.join().unwrap();
            screen.extend(told.iter().flatten());
            Enrolled {
                code,
                done: Done {
                    exit,
                    output: String::from_utf8(screen).unwrap(),
                    notes,
                },
            }
        })
    }

    /// What its agent is told, for a central at an address.
    pub fn settings(&self, at: SocketAddr) -> Config {
        Config {
            central: format!("https://{at}"),
            trust: self.trust().path().to_owned(),
            journal: self.folder.join("journal"),
            printer_address: self.printer.print,
            ..Config::default()
        }
    }

    /// Makes a new key.
    pub fn rotates(&self, at: SocketAddr) -> Exit {
        let (tell, _told) = channel();
        self.with_desk(format!("https://{at}"), Told(tell), |desk, _| {
            desk.rotate_key()
        })
        .0
    }

    fn with_desk(
        &self,
        central: String,
        mut output: Told,
        work: impl FnOnce(&mut TrustDesk<'_, '_>, &Journal) -> Result<Exit, Stop>,
    ) -> (Exit, String) {
        let journal = Journal::open(&self.folder.join("journal")).unwrap();
        let (mut input, mut notes) = (Cursor::new(Vec::new()), Vec::new());
        let mut told = keno_terminal::told::Told::to(Desk {
            input: Box::new(&mut input),
            output: Box::new(&mut output),
            notes: Box::new(&mut notes),
            language: Language::Fr,
            echo: |_| {},
        });
        let patient = Duration::from_secs(60);
        let mut trust = TrustDesk {
            folder: self.trust(),
            central,
            time: self.time,
            patience: Patience {
                connect: patient,
                answer: patient,
            },
            told: &mut told,
            pause: |_| thread::yield_now(),
        };
        let exit = match work(&mut trust, &journal) {
            Ok(exit) | Err(Stop::End(exit)) => exit,
            Err(Stop::Fault(error)) => panic!("{error:#}"),
        };
        drop(told);
        (exit, String::from_utf8(notes).unwrap())
    }

    /// Where its printer takes bytes.
    pub fn printer_address(&self) -> SocketAddr {
        self.printer.print
    }

    /// Claim codes of the papers that came out, oldest first.
    pub fn claim_codes(&self) -> Vec<String> {
        settle(self.printer.print);
        let mut numbers = self.printer.folder.papers().unwrap();
        numbers.sort_unstable();
        let mut codes = Vec::new();
        for number in numbers {
            let bytes = std::fs::read(self.printer.folder.file(number, "escpos")).unwrap();
            for sheet in decode_torn(&bytes, Width::Wide.dots()) {
                codes.extend(sheet.qr_payloads().into_iter().map(str::to_owned));
            }
        }
        codes
    }

    /// What it keeps about trust.
    pub fn trust(&self) -> TrustFolder {
        TrustFolder::new(self.folder.join("trust"))
    }

    /// What it is.
    ///
    /// # Panics
    /// When it is not enrolled.
    pub fn identity(&self) -> Identity {
        self.trust()
            .read(Slot::Current)
            .unwrap()
            .expect("it is enrolled")
    }

    /// A copy of the folder, as a thief takes it.
    pub fn copied(&self) -> Self {
        let copy = Self::at(self.time);
        copy_folder(&self.folder.join("trust"), &copy.folder.join("trust")).unwrap();
        copy
    }

    /// Runs a command line of the real program, over TLS.
    pub fn keno(&self, at: SocketAddr, arguments: &[&str]) -> Done {
        let path = self.folder.join("terminal.toml");
        let text = format!(
            "central = \"https://{at}\"\nbadge = \"C1\"\npin = {:?}\nprinter = \"network\"\n\
             printer_address = \"{}\"\njournal = {:?}\ntrust = {:?}\n",
            pin_of("C1"),
            self.printer.print,
            self.folder.join("journal"),
            self.folder.join("trust"),
        );
        std::fs::write(&path, text).unwrap();
        let (mut input, mut output, mut notes) = (Cursor::new(Vec::new()), Vec::new(), Vec::new());
        let exit = run(
            ["keno-terminal", "--config", path.to_str().unwrap()]
                .into_iter()
                .chain(arguments.iter().copied())
                .map(str::to_owned),
            Streams {
                input: &mut input,
                output: &mut output,
                notes: &mut notes,
                echo: |_| {},
                now_ms: self.time,
            },
        );
        Done {
            exit,
            output: String::from_utf8(output).unwrap(),
            notes: String::from_utf8(notes).unwrap(),
        }
    }

    /// Opens a till.
    pub fn signs_on(&self, at: SocketAddr) -> Done {
        let float = FLOAT_CENTS.to_string();
        self.keno(at, &["sign-on", "--float-cents", &float])
    }

    /// Sells a slip: one number, one dollar, one draw.
    pub fn sells(&self, at: SocketAddr) -> Done {
        let slip = self.folder.join("slip.json");
        let text =
            r#"{"selections":[{"type":"straight","numbers":[7],"wager_cents":100}],"draws":1}"#;
        std::fs::write(&slip, text).unwrap();
        self.keno(at, &["sell", "--yes", slip.to_str().unwrap()])
    }

    /// A connection of this device.
    ///
    /// # Errors
    /// When there is none.
    pub fn connect(&self, at: SocketAddr) -> io::Result<Secure> {
        Secure::connect(at, of_identity(&self.identity(), self.time).unwrap())
    }
}

impl Default for Terminal {
    fn default() -> Self {
        Self::new()
    }
}

/// The device of the audit office; the others that are enrolled are counters.
pub const AUDIT: u32 = 5;

/// A person types a code at central's own machine.
pub fn approve(house: &House, code: &str, device: u32) -> Answer {
    approve_in_role(house, code, device, "counter")
}

fn approve_in_role(house: &House, code: &str, device: u32, role: &str) -> Answer {
    let body = json!({
        "code": code, "device": device, "name": format!("T{device:02}"), "role": role,
        "badge": TECHNICIAN, "pin": pin_of(TECHNICIAN),
        "second": {"badge": "X2", "pin": pin_of("X2")},
    });
    post_plain(house, "/enrolments/approve", &body)
}

/// A request on central's own machine, of no device, by somebody who reads the data folder.
pub fn post_plain(house: &House, path: &str, body: &Value) -> Answer {
    let key = std::fs::read_to_string(house.folder.join(CONSOLE_FILE)).unwrap();
    post_with(house, path, &[(CONSOLE_HEADER, &key)], body)
}

/// A request on central's own machine, of no device, by anybody who has an account there.
pub fn post_of_nobody(house: &House, path: &str, body: &Value) -> Answer {
    post_with(house, path, &[], body)
}

fn post_with(house: &House, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    let bytes = serde_json::to_vec(body).unwrap();
    Request::new("POST", &format!("/api/v1{path}"), headers, bytes).ask(house.address())
}

/// Revokes a device on central's own machine.
///
/// # Panics
/// When that is refused.
pub fn revoke(house: &House, device: u32) {
    let body = json!({"badge": TECHNICIAN, "pin": pin_of(TECHNICIAN)});
    let answer = post_plain(house, &format!("/devices/{device}/revoke"), &body);
    assert_eq!(answer.status, 200);
}

/// A connection with TLS that is kept.
pub struct Secure(pub StreamOwned<ClientConnection, TcpStream>);

impl Secure {
    /// Connects; the handshake is done when this returns.
    ///
    /// # Errors
    /// When it fails.
    pub fn connect(at: SocketAddr, config: ClientConfig) -> io::Result<Self> {
        let name = ServerName::try_from("127.0.0.1").unwrap();
        let mut connection = ClientConnection::new(Arc::new(config), name).unwrap();
        let mut socket = TcpStream::connect(at)?;
        // As the terminal does it.
        socket.set_nodelay(true)?;
        connection.complete_io(&mut socket)?;
        Ok(Self(StreamOwned::new(connection, socket)))
    }

    /// A connection of nobody in particular.
    ///
    /// # Errors
    /// When there is none.
    pub fn of_nobody(at: SocketAddr) -> io::Result<Self> {
        Self::connect(at, FirstSight::new().config(noon).unwrap())
    }

    /// Sends a request and leaves the connection open.
    ///
    /// # Errors
    /// When it does not go out.
    pub fn send(&mut self, request: &Request) -> io::Result<()> {
        let whole = [request.head.as_bytes(), b"\r\n", &request.body].concat();
        self.0.write_all(&whole)?;
        self.0.flush()
    }

    /// One answer.
    ///
    /// # Errors
    /// When the connection ends first.
    pub fn answer(&mut self) -> io::Result<Answer> {
        read_answer(&mut self.0)
    }

    /// Sends a request and reads the answer.
    ///
    /// # Errors
    /// When the connection ends first.
    pub fn ask(&mut self, request: &Request) -> io::Result<Answer> {
        self.send(request)?;
        self.answer()
    }

    /// `POST /api/v1{path}` of what this connection is.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub fn post(
        &mut self,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> io::Result<Answer> {
        let bytes = serde_json::to_vec(body).unwrap();
        self.ask(&Request::new(
            "POST",
            &format!("/api/v1{path}"),
            headers,
            bytes,
        ))
    }

    /// Reads until the other side ends the connection, which it must do in time.
    ///
    /// # Panics
    /// When it goes on for longer.
    pub fn must_end(&mut self) {
        self.0.sock.set_read_timeout(Some(CUT_WITHIN)).unwrap();
        let mut buffer = [0; 4096];
        loop {
            match self.0.read(&mut buffer) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => {
                    let waited = matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                    );
                    assert!(!waited, "the connection is still open");
                    return;
                }
            }
        }
    }
}

/// Head and body of an answer, by its length.
fn read_answer(stream: &mut impl Read) -> io::Result<Answer> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())
                .unwrap_or(0_usize);
            let mut body = bytes.split_off(end + 4);
            while body.len() < length {
                match stream.read(&mut buffer)? {
                    0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                    count => body.extend_from_slice(&buffer[..count]),
                }
            }
            let status = head.split(' ').nth(1).unwrap().parse().unwrap();
            return Ok(Answer { status, body });
        }
        match stream.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

/// The name of a refusal, or the status of an answer that is none.
pub fn outcome(answer: &Answer) -> String {
    if answer.status < 400 {
        answer.status.to_string()
    } else {
        refusal(answer)
    }
}

/// An authority that is not the house's, with a listener under it.
pub struct Stranger {
    folder: TestFolder,
    /// The authority.
    pub authority: Arc<Authority>,
}

impl Stranger {
    /// Another authority, for a house of that code.
    pub fn new(house: &str) -> Self {
        let folder = TestFolder::new().unwrap();
        let authority = Authority::open(folder.path(), house, NOON_MS).unwrap();
        Self {
            folder,
            authority: Arc::new(authority),
        }
    }

    /// Where its files are.
    pub fn data(&self) -> &Path {
        self.folder.path()
    }

    /// How its listener speaks.
    pub fn config(&self) -> Arc<ServerConfig> {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(NOON_MS));
        let names = NAMES.map(str::to_owned);
        Arc::new(server_config(Door::Public, &self.authority, &names, &clock).unwrap())
    }
}

/// Listens with TLS, and gives each connection to `serve` once its handshake has ended, well or
/// not.
pub fn listen<S>(config: Arc<ServerConfig>, serve: S) -> SocketAddr
where
    S: Fn(io::Result<StreamOwned<ServerConnection, TcpStream>>) + Send + Sync + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let mut connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            serve(
                connection
                    .complete_io(&mut socket)
                    .map(|_| StreamOwned::new(connection, socket)),
            );
        }
    });
    address
}

/// A listener that takes whatever it is told; what it heard, for each connection.
pub fn listener_that_hears(config: Arc<ServerConfig>) -> (SocketAddr, Receiver<Vec<u8>>) {
    let (tell, told) = channel();
    let address = listen(config, move |stream| {
        let mut heard = Vec::new();
        if let Ok(mut stream) = stream {
            let mut buffer = [0; 4096];
            // Until the end of a head: whoever waits for an answer gets none.
            while !heard.windows(4).any(|four| four == b"\r\n\r\n") {
                match stream.read(&mut buffer) {
                    Ok(count @ 1..) => heard.extend_from_slice(&buffer[..count]),
                    // Whoever goes away in the middle has said what it said.
                    _ => break,
                }
            }
        }
        let _ = tell.send(heard);
    });
    (address, told)
}

/// Stands between a device and central: takes TLS off with its own authority, and puts it on
/// again towards central. `change` may answer in the place of central.
pub fn relay<C>(stranger: &Stranger, central: SocketAddr, change: C) -> SocketAddr
where
    C: Fn(&Request) -> Option<Vec<u8>> + Send + Sync + 'static,
{
    listen(stranger.config(), move |stream| {
        let Ok(mut stream) = stream else { return };
        let Some(request) = Request::read(&mut stream) else {
            return;
        };
        let answer = change(&request).unwrap_or_else(|| {
            let mut beyond = Secure::of_nobody(central).unwrap();
            let answer = beyond.ask(&request).unwrap();
            json_answer(answer.status, &answer.body)
        });
        let _ = stream.write_all(&answer);
        let _ = stream.flush();
        stream.conn.send_close_notify();
        let _ = stream.flush();
    })
}

/// An answer as it travels.
pub fn json_answer(status: u16, body: &[u8]) -> Vec<u8> {
    let kind = if status < 400 {
        "application/json"
    } else {
        "application/problem+json"
    };
    let mut bytes = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// What a [`Wire`] does with a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carry {
    /// Everything passes.
    All,
    /// The handshake passes, and what the client says after it; what central answers does not.
    NoAnswer,
}

/// A wire under TLS, which cannot read what it carries: it tells an answer from a handshake by
/// whose turn it is. Central sends nothing after the handshake but answers: it gives no tickets.
pub struct Wire {
    /// The device's end.
    pub address: SocketAddr,
    plan: Arc<Mutex<Vec<Carry>>>,
}

impl Wire {
    /// A wire to central; what is done with each connection in turn, then everything passes.
    pub fn to(central: SocketAddr, mut plan: Vec<Carry>) -> Self {
        plan.reverse();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let wire = Self {
            address: listener.local_addr().unwrap(),
            plan: Arc::new(Mutex::new(plan)),
        };
        let plan = Arc::clone(&wire.plan);
        thread::spawn(move || {
            for device in listener.incoming().flatten() {
                let next = plan.lock().unwrap_or_else(PoisonError::into_inner).pop();
                carry(device, central, next.unwrap_or(Carry::All));
            }
        });
        wire
    }

    /// Whether everything that was to be lost has been.
    pub fn is_done(&self) -> bool {
        self.plan
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
    }
}

fn carry(mut device: TcpStream, central: SocketAddr, what: Carry) {
    let mut beyond = TcpStream::connect(central).unwrap();
    let (has_answered, has_asked) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicBool::new(false)),
    );
    let (mut from, mut to) = (device.try_clone().unwrap(), beyond.try_clone().unwrap());
    let (answered, asked) = (Arc::clone(&has_answered), Arc::clone(&has_asked));
    let upward = thread::spawn(move || {
        let mut buffer = [0; 16 * 1024];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            asked.fetch_or(answered.load(Ordering::SeqCst), Ordering::SeqCst);
            if to.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Write);
    });
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = beyond.read(&mut buffer) {
        if what == Carry::NoAnswer && has_asked.load(Ordering::SeqCst) {
            break;
        }
        has_answered.store(true, Ordering::SeqCst);
        if device.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    let _ = device.shutdown(Shutdown::Both);
    let _ = beyond.shutdown(Shutdown::Both);
    upward.join().unwrap();
}

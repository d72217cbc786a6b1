//! The print port: bytes in, answers out, papers into the folder.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::decoder::{Decoder, Effect};
use super::fault::Fault;
use super::folder::Folder;
use super::sheet::{Cell, Row, Side};
use super::web;

/// Bytes of a pulse for the drawer.
const PULSE_BYTES: usize = 5;

/// How the virtual printer is to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where it takes bytes; loopback only.
    pub print: SocketAddr,
    /// Where it shows the papers; loopback only.
    pub web: SocketAddr,
    /// Where the papers are kept.
    pub folder: PathBuf,
    /// A trouble to have.
    pub fault: Option<Fault>,
    /// Printable dots of a line.
    pub dots: usize,
}

/// A virtual printer at work.
pub struct Running {
    /// Where it takes bytes.
    pub print: SocketAddr,
    /// Where it shows the papers.
    pub web: SocketAddr,
    /// Where the papers are kept.
    pub folder: Arc<Folder>,
    threads: Vec<JoinHandle<()>>,
}

impl Running {
    /// Waits until it ends, which it does not by itself.
    pub fn wait(self) {
        for thread in self.threads {
            // A panic has already been told on standard error.
            let _ = thread.join();
        }
    }
}

/// Papers carry claim codes, which are money: nobody but this machine may look.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    if !address.ip().is_loopback() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{address} is not a loopback address"),
        ));
    }
    TcpListener::bind(address)
}

/// Starts the print port and the page.
///
/// # Errors
/// As the operating system gives them; `InvalidInput` for an address that others can reach.
pub fn start(options: &Options) -> io::Result<Running> {
    let folder = Arc::new(Folder::open(&options.folder)?);
    let print = bind(options.print)?;
    let pages = bind(options.web)?;
    let (print_address, web_address) = (print.local_addr()?, pages.local_addr()?);
    let (fault, dots) = (options.fault, options.dots);
    let tray = Arc::clone(&folder);
    let printing = thread::spawn(move || {
        // One job at a time, as a printer does.
        for stream in print.incoming().flatten() {
            let mut connection = Connection::new(dots, fault, &tray);
            if let Err(error) = connection.serve(stream) {
                tracing::warn!(%error, "print connection");
            }
        }
    });
    let shelf = Arc::clone(&folder);
    let showing = thread::spawn(move || web::serve(&pages, &shelf));
    Ok(Running {
        print: print_address,
        web: web_address,
        folder,
        threads: vec![printing, showing],
    })
}

/// What becomes of the connection after some bytes.
#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    HangUp,
}

struct Connection<'a> {
    decoder: Decoder,
    fault: Option<Fault>,
    folder: &'a Folder,
    /// Bytes since the last cut, questions about the state left out.
    paper: Vec<u8>,
    /// Bytes of the job so far, questions about the state left out.
    job_bytes: usize,
    /// Bytes of a command that is not whole yet.
    pending: Vec<u8>,
}

impl<'a> Connection<'a> {
    const fn new(dots: usize, fault: Option<Fault>, folder: &'a Folder) -> Self {
        Self {
            decoder: Decoder::new(dots),
            fault,
            folder,
            paper: Vec::new(),
            job_bytes: 0,
            pending: Vec::new(),
        }
    }

    fn serve(&mut self, mut stream: TcpStream) -> io::Result<()> {
        let mut buffer = [0_u8; 4096];
        loop {
            let count = match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            for &byte in buffer.get(..count).unwrap_or_default() {
                if self.take(byte, &mut stream)? == Next::HangUp {
                    self.tear()?;
                    return Ok(());
                }
            }
        }
        self.tear()
    }

    /// What hangs from the printer when the connection ends is a torn paper.
    fn tear(&mut self) -> io::Result<()> {
        let sheet = self.decoder.hanging();
        if !sheet.rows.is_empty() {
            self.folder.keep(&self.paper, &sheet)?;
        }
        Ok(())
    }

    const fn is_stuck(&self) -> bool {
        matches!(self.fault, Some(Fault::OutOfPaper | Fault::CoverOpen))
    }

    fn take(&mut self, byte: u8, stream: &mut TcpStream) -> io::Result<Next> {
        self.pending.push(byte);
        self.decoder.push(&[byte]);
        match self.decoder.step() {
            Ok(None) => {}
            Ok(Some(effect)) => {
                let bytes = std::mem::take(&mut self.pending);
                if !matches!(effect, Effect::TellStatus(_)) {
                    self.job_bytes += bytes.len();
                    self.paper.extend_from_slice(&bytes);
                }
                self.act(effect, stream)?;
            }
            Err(fault) => {
                let mut sheet = self.decoder.hanging();
                sheet.rows.push(Row::Text {
                    cells: format!("!! {fault}")
                        .chars()
                        .map(|character| Cell {
                            character,
                            bold: true,
                            width: 1,
                            height: 1,
                        })
                        .collect(),
                    side: Side::Left,
                });
                self.folder.keep(&self.paper, &sheet)?;
                self.decoder = Decoder::new(sheet.dots);
                return Ok(Next::HangUp);
            }
        }
        let is_question = self.pending.first() == Some(&0x10);
        let is_job_byte = self.job_bytes > 0 || (!self.pending.is_empty() && !is_question);
        let taken = self.job_bytes + self.pending.len();
        if matches!(self.fault, Some(Fault::DieAfter(limit)) if is_job_byte && taken >= limit) {
            return Ok(Next::HangUp);
        }
        Ok(Next::Continue)
    }

    fn act(&mut self, effect: Effect, stream: &mut TcpStream) -> io::Result<()> {
        match effect {
            Effect::None => Ok(()),
            Effect::Drawer(pin) => {
                // A drawer that opens is no part of a paper.
                let before = self.paper.len().saturating_sub(PULSE_BYTES);
                self.paper.truncate(before);
                tracing::info!(pin, "drawer");
                Ok(())
            }
            Effect::TellStatus(question) => match self.fault {
                Some(Fault::Silent) => Ok(()),
                fault => stream.write_all(&[state(question, fault)]),
            },
            Effect::TellPrinted(_) if self.is_stuck() => Ok(()),
            Effect::TellPrinted(id) => match self.fault {
                Some(Fault::Silent) => Ok(()),
                _ => {
                    let [a, b, c, d] = id;
                    stream.write_all(&[0x37, 0x22, a, b, c, d, 0])
                }
            },
            Effect::Paper(_) if self.is_stuck() => Ok(()),
            Effect::Paper(sheet) => {
                let bytes = std::mem::take(&mut self.paper);
                let number = self.folder.keep(&bytes, &sheet)?;
                tracing::info!(number, "paper");
                Ok(())
            }
        }
    }
}

/// The answer to `DLE EOT`.
const fn state(question: u8, fault: Option<Fault>) -> u8 {
    const NOTHING: u8 = 0x12;
    let is_open = matches!(fault, Some(Fault::CoverOpen));
    let is_empty = matches!(fault, Some(Fault::OutOfPaper));
    match question {
        1 if is_open || is_empty => NOTHING | 0x08,
        2 if is_open => NOTHING | 0x04,
        2 if is_empty => NOTHING | 0x20,
        4 if is_empty => NOTHING | 0x60,
        4 if matches!(fault, Some(Fault::NearEnd)) => NOTHING | 0x0C,
        _ => NOTHING,
    }
}

//! What lies under the printer: every paper, whole or torn, as a person would read it.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;

use super::steps::Steps;
use super::wire::Wire;
use anyhow::Context;
use keno_terminal::virtual_printer::folder::Folder;
use keno_terminal::virtual_printer::server::{Options, Running, start};
use keno_terminal::virtual_printer::{Sheet, decode_torn};

/// Dots of a line of 80 mm.
const DOTS: usize = 576;

/// What a paper is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A ticket.
    Ticket,
    /// A receipt of a cancellation.
    Cancellation,
    /// A receipt of a payment.
    Payment,
    /// Anything else: in doubt, test pages, torn beyond reading.
    Other,
}

/// A paper.
#[derive(Debug, Clone)]
pub struct Paper {
    /// What it is.
    pub kind: Kind,
    /// It was cut and ends with `*** FIN / END`.
    pub is_whole: bool,
    /// It says that another may exist.
    pub is_reprint: bool,
    /// Its claim code, if one can be read.
    pub code: Option<String>,
}

fn read(sheet: &Sheet) -> Paper {
    let text = sheet.texts().join("\n");
    let code = sheet.qr_payloads().first().map(|code| (*code).to_owned());
    let kind = if text.contains("REÇU D’ANNULATION") {
        Kind::Cancellation
    } else if text.contains("REÇU DE PAIEMENT") {
        Kind::Payment
    } else if code.is_some() || text.contains("MISE TOTALE") {
        Kind::Ticket
    } else {
        Kind::Other
    };
    Paper {
        kind,
        is_whole: sheet.is_cut && text.contains("FIN / END"),
        is_reprint: text.contains("REPRINT"),
        code,
    }
}

/// A printer and what lies under it.
pub struct Tray {
    _running: Running,
    wire: Wire,
    folder: Arc<Folder>,
    taken: BTreeSet<u64>,
}

impl Tray {
    /// A sound printer with an empty tray.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn new(folder: std::path::PathBuf, steps: &Steps) -> anyhow::Result<Self> {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let running = start(&Options {
            print: any,
            web: any,
            folder,
            fault: None,
            dots: DOTS,
        })
        .context("the printer cannot be started")?;
        Ok(Self {
            folder: Arc::clone(&running.folder),
            wire: Wire::to_printer(running.print, steps)?,
            _running: running,
            taken: BTreeSet::new(),
        })
    }

    /// Where the printer takes bytes.
    pub fn printer(&self) -> SocketAddr {
        self.wire.address
    }

    /// A paper comes out that nobody asked for.
    pub fn prints_by_itself(&self) {
        if let Ok(mut stream) = TcpStream::connect(self.printer()) {
            let _ = stream.write_all(b"*** FIN / END\n\x1dV\x00");
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
        }
    }

    /// Papers that came out since the last call, in order.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn take(&mut self) -> anyhow::Result<Vec<Paper>> {
        self.settle();
        let mut numbers = self.folder.papers()?;
        numbers.sort_unstable();
        let mut papers = Vec::new();
        for number in numbers {
            if self.taken.insert(number) {
                let bytes = std::fs::read(self.folder.file(number, "escpos"))?;
                papers.extend(decode_torn(&bytes, DOTS).iter().map(read));
            }
        }
        Ok(papers)
    }

    /// Waits until the printer is done with every connection before this one: line and printer
    /// take them one by one, so that its answer here says so.
    fn settle(&self) {
        if let Ok(mut stream) = TcpStream::connect(self.printer()) {
            let _ = stream.write_all(&[0x10, 4, 1]);
            let _ = stream.shutdown(Shutdown::Write);
            let _ = stream.read_to_end(&mut Vec::new());
        }
    }
}

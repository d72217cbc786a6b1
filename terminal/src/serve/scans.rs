//! A scanner that is a device of its own: it is listened to on a thread, and what it reads goes to
//! the counter's page, or to the page that tries it. No key of it reaches a field.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::board::Board;
use crate::scanner::meaning::bare;
use crate::scanner::{self, Absence, Heard, Scan, ScannerSettings};
use parking_lot::Mutex;

/// How long one look at the scanner lasts.
const LOOK: Duration = Duration::from_millis(200);

/// Who waits for what the scanner reads.
#[derive(Default)]
struct Waiting {
    /// A page that tries the scanner has the next scan.
    trial: Option<Sender<Heard>>,
    /// What the counter's page has not taken yet: its number, and what was read.
    unread: Option<(u64, String)>,
    count: u64,
}

/// A scanner, listened to.
pub(super) struct Scans {
    settings: ScannerSettings,
    waiting: Mutex<Waiting>,
}

impl Scans {
    pub(super) fn new(settings: ScannerSettings) -> Arc<Self> {
        Arc::new(Self {
            settings,
            waiting: Mutex::default(),
        })
    }

    fn with<R>(&self, look: impl FnOnce(&mut Waiting) -> R) -> R {
        look(&mut self.waiting.lock())
    }

    /// What the settings say.
    pub(super) const fn settings(&self) -> &ScannerSettings {
        &self.settings
    }

    /// Listens until the other end of `stop` is gone; returns at once when the scanner is none of
    /// its own.
    pub(super) fn run(&self, board: &Board, stop: &Receiver<()>) {
        let Some(mut device) = scanner::open(&self.settings) else {
            return;
        };
        loop {
            let pause = match device.hear(LOOK) {
                Heard::Scan(scan) => {
                    self.read(scan, board);
                    Duration::ZERO
                }
                Heard::Nothing => Duration::ZERO,
                Heard::Absent(absence) => {
                    self.tell_trial(&Heard::Absent(absence));
                    LOOK
                }
            };
            match stop.recv_timeout(pause) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// True when a page that tries the scanner was waiting.
    fn tell_trial(&self, heard: &Heard) -> bool {
        self.with(|waiting| {
            let trial = waiting.trial.take();
            trial.is_some_and(|trial| trial.send(heard.clone()).is_ok())
        })
    }

    fn read(&self, scan: Scan, board: &Board) {
        let heard = Heard::Scan(scan);
        if self.tell_trial(&heard) {
            return;
        }
        let Heard::Scan(scan) = heard else { return };
        // What no code of ours has goes on as it is: central or the rules refuse it in words.
        let text = String::from_utf8_lossy(bare(&scan.bytes, &self.settings)).into_owned();
        let number = self.with(|waiting| {
            waiting.count += 1;
            waiting.unread = Some((waiting.count, text));
            waiting.count
        });
        board.set_scan(number);
    }

    /// The scan of that number, once: whoever has it can claim.
    pub(super) fn take(&self, number: u64) -> Option<String> {
        self.with(|waiting| {
            let is_it = waiting
                .unread
                .as_ref()
                .is_some_and(|(unread, _)| *unread == number);
            is_it.then(|| waiting.unread.take()).flatten()
        })
        .map(|(_, text)| text)
    }

    /// Waits for the next scan, for the page that tries the scanner; none while another page does.
    pub(super) fn try_next(&self, wait: Duration) -> Option<Heard> {
        let (tell, told) = channel();
        let is_first = self.with(|waiting| {
            let is_first = waiting.trial.is_none();
            if is_first {
                waiting.trial = Some(tell);
            }
            is_first
        });
        if !is_first {
            return None;
        }
        let heard = told.recv_timeout(wait).unwrap_or(Heard::Nothing);
        self.with(|waiting| waiting.trial = None);
        Some(heard)
    }

    /// Whether there is a device to listen to.
    pub(super) fn absence(&self) -> Option<Absence> {
        scanner::open(&self.settings)
            .is_none()
            .then_some(Absence::Unplugged)
    }
}

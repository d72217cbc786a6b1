//! Scanners: the input devices of this machine but its keyboard, and a scanner that is a device of
//! its own. They are listened to on threads, and what is read goes to the page of whoever is signed
//! on, or to the page that tries it. No key of them reaches a field.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use keno_daemon::private::write_whole;
use parking_lot::Mutex;
use serde::Serialize;

use super::board::Board;
use crate::chance;
use crate::clock::now;
use crate::printer::patience::Stopwatch;
use crate::scanner::owned::{self, InputIdentity, InputStanding, InputView, Owned, Owner};
use crate::scanner::{self, Absence, Heard, Scan, ScannerKind, ScannerSettings, meaning};

/// How long one look at the scanner lasts.
const LOOK: Duration = Duration::from_millis(200);

/// The keyboard that was registered, in the folder of the journal.
const KEYBOARD_FILE: &str = "keyboard.json";
/// So long a keyboard may be registered by the digits that are shown.
const REGISTERED_WITHIN: Duration = Duration::from_mins(1);
/// Digits by which a keyboard is registered.
const DIGITS: usize = 6;

/// Who waits for what the scanner reads.
#[derive(Default)]
struct Waiting {
    /// A page that tries the scanner has the next scan.
    trial: Option<Sender<Heard>>,
    /// What the counter's page has not taken yet: its number, and what was read.
    unread: Option<(u64, String)>,
    count: u64,
}

/// The input devices of this machine, as they stand.
#[derive(Default)]
struct Inputs {
    /// A keyboard is registered: every other device is held.
    is_owned: bool,
    /// The digits that are shown, and since when.
    digits: Option<(String, Instant)>,
    devices: Vec<InputView>,
}

/// A scanner, listened to.
pub(super) struct Scans {
    settings: ScannerSettings,
    keyboard: PathBuf,
    waiting: Mutex<Waiting>,
    inputs: Mutex<Inputs>,
}

impl Scans {
    /// Those of some settings, with the folder in which the keyboard is kept.
    pub(super) fn new(settings: ScannerSettings, folder: &Path) -> Arc<Self> {
        Arc::new(Self {
            settings,
            keyboard: folder.join(KEYBOARD_FILE),
            waiting: Mutex::default(),
            inputs: Mutex::default(),
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
            // Whoever owns all input devices has this one too.
            if self.settings.kind == ScannerKind::Evdev && self.inputs.lock().is_owned {
                return;
            }
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

    /// Owns the input devices until the other end of `stop` is gone.
    pub(super) fn own(&self, inputs: impl owned::Inputs, board: &Board, stop: &Receiver<()>) {
        let known = std::fs::read(&self.keyboard).ok();
        let keyboard: Option<InputIdentity> =
            known.and_then(|known| serde_json::from_slice(&known).ok());
        self.inputs.lock().is_owned = keyboard.is_some();
        let mut owner = Owner::new(inputs, self.settings.gap(), keyboard);
        let clock = Stopwatch::start();
        while matches!(stop.try_recv(), Err(TryRecvError::Empty)) {
            owner.register_by(self.digits());
            let heard = owner.turn(LOOK, clock.elapsed());
            board.hold_keys(!owner.is_settled(clock.elapsed()));
            for one in heard {
                match one {
                    Owned::Scan(scan) => self.read(scan, board),
                    Owned::Registered(keyboard) => self.registered(&keyboard),
                }
            }
            self.inputs.lock().devices = owner.view();
        }
    }

    fn registered(&self, keyboard: &InputIdentity) {
        tracing::warn!(
            name = keyboard.name,
            port = keyboard.port,
            "the keyboard is registered"
        );
        let mut inputs = self.inputs.lock();
        inputs.digits = None;
        inputs.is_owned = true;
        let kept = serde_json::to_vec(keyboard).map_err(Into::into);
        if let Err(error) = kept.and_then(|kept| write_whole(&self.keyboard, &kept)) {
            tracing::error!(%error, "the keyboard is not known any more after a restart");
        }
    }

    /// The digits by which a keyboard is registered now.
    pub(super) fn digits(&self) -> Option<String> {
        let mut inputs = self.inputs.lock();
        let is_over = |(_, since): &mut (String, Instant)| now() - *since > REGISTERED_WITHIN;
        if inputs.digits.as_mut().is_some_and(is_over) {
            inputs.digits = None;
        }
        inputs.digits.as_ref().map(|(digits, _)| digits.clone())
    }

    /// Begins to register a keyboard, by touch or mouse, or leaves it.
    ///
    /// # Errors
    /// As [`chance::bytes`].
    pub(super) fn register(&self, is_begun: bool) -> std::io::Result<()> {
        let random: [u8; DIGITS] = chance::bytes()?;
        let digits = random.iter().map(|byte| char::from(b'0' + byte % 10));
        self.inputs.lock().digits = is_begun.then(|| (digits.collect(), now()));
        Ok(())
    }

    /// The class of this device: whose the keys of its page may be.
    pub(super) fn class(&self) -> Class {
        let is_of_its_own = !matches!(self.settings.kind, ScannerKind::Wedge);
        let inputs = self.inputs.lock();
        let is_held = |one: &InputView| one.standing != InputStanding::NotHeld;
        if inputs.is_owned && inputs.devices.iter().all(is_held) {
            Class::Owned
        } else if is_of_its_own {
            Class::OfItsOwn
        } else if self.settings.start.is_empty() {
            Class::Stranger
        } else {
            Class::StartSign
        }
    }

    /// The same for the technician's page.
    pub(super) fn view(&self) -> InputsView {
        InputsView {
            class: self.class(),
            digits: self.digits(),
            devices: self.inputs.lock().devices.clone(),
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
        // Half of what was read may be a code by itself.
        let text = if scan.is_cut {
            "?".to_owned()
        } else {
            meaning::read(&[&scan.bytes], &self.settings)
        };
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
        (!self.is_listened_to()).then_some(Absence::Unplugged)
    }

    /// Scans come from a device that this program holds, and not as keys of a page.
    pub(super) fn is_listened_to(&self) -> bool {
        scanner::open(&self.settings).is_some() || self.inputs.lock().is_owned
    }
}

/// Whose the keys of a page may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Class {
    /// The keyboard's alone: every other device that types is held.
    Owned,
    /// A scanner's too that is no keyboard; another one that is plugged in is a stranger's.
    OfItsOwn,
    /// A scanner's too, which begins with a sign that no person types.
    StartSign,
    /// A scanner's too, of which nothing is known: it is told by its pace alone.
    Stranger,
}

/// The input devices, for the technician's page.
#[derive(Debug, Serialize)]
pub(super) struct InputsView {
    class: Class,
    /// What is to be typed on the keyboard to register it; none when none is.
    digits: Option<String>,
    devices: Vec<InputView>,
}

//! A scanner that is an input device of this machine, held alone: its keys never reach a page, so
//! that neither the focus nor the layout can spoil a scan.

use std::collections::VecDeque;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Duration;

use evdev::raw_stream::RawDevice;
use rustix::event::PollFlags;

use super::keys::Keyboard;
use super::scan::Scan;
use super::{Absence, Heard, Scanner};
use crate::printer::device::wait_for;
use crate::printer::patience::Stopwatch;

/// A scanner by its device, such as one below `/dev/input/by-id`.
pub struct InputScanner {
    path: PathBuf,
    device: Option<RawDevice>,
    keyboard: Keyboard,
    ready: VecDeque<Scan>,
    clock: Stopwatch,
}

impl InputScanner {
    /// The scanner at a device, which need not be there yet.
    pub fn new(path: PathBuf, gap: Duration) -> Self {
        Self {
            path,
            device: None,
            keyboard: Keyboard::new(gap),
            ready: VecDeque::new(),
            clock: Stopwatch::start(),
        }
    }

    fn read(&mut self, wait: Duration) -> std::io::Result<()> {
        let device = match &mut self.device {
            Some(device) => device,
            none => {
                // The raw stream: another would make up for events that the kernel dropped, and a
                // code with a character too few would look whole.
                let mut device = RawDevice::open(&self.path)?;
                device.grab()?;
                none.insert(device)
            }
        };
        if wait_for(&device.as_fd(), PollFlags::IN, wait)? {
            let at = self.clock.elapsed();
            for event in device.fetch_events()? {
                let (kind, code) = (event.event_type().0, event.code());
                let scan = self.keyboard.event(kind, code, event.value(), at);
                self.ready.extend(scan);
            }
        }
        Ok(())
    }
}

impl Scanner for InputScanner {
    fn hear(&mut self, wait: Duration) -> Heard {
        if self.ready.is_empty()
            && let Err(error) = self.read(wait)
        {
            self.device = None;
            self.keyboard.forget();
            return Heard::Absent(Absence::of(&error));
        }
        self.ready.pop_front().map_or(Heard::Nothing, Heard::Scan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scanner_that_is_not_there_is_told_and_looked_for_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scanner");
        let mut scanner = InputScanner::new(path.clone(), Duration::from_millis(100));
        assert_eq!(
            scanner.hear(Duration::ZERO),
            Heard::Absent(Absence::Unplugged)
        );
        // Something that is no input device is none either.
        std::fs::write(&path, "").unwrap();
        assert_eq!(
            scanner.hear(Duration::ZERO),
            Heard::Absent(Absence::Unplugged)
        );
    }
}

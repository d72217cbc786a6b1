//! Input devices of this machine, held alone: their keys never reach a page, so that neither the
//! focus nor the layout can spoil a scan.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use evdev::KeyCode;
use evdev::raw_stream::RawDevice;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::keys::Keyboard;
use super::owned::{InputEvents, InputIdentity, Inputs, Plugged};
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

/// Where the kernel has its input devices.
const FOLDER: &str = "/dev/input";

/// Keys of which every keyboard and every scanner that types has one at least.
const TYPING: [KeyCode; 4] = [
    KeyCode::KEY_1,
    KeyCode::KEY_KP1,
    KeyCode::KEY_A,
    KeyCode::KEY_ENTER,
];

/// One device of the kernel, as it is plugged in now.
struct Known {
    path: PathBuf,
    /// None for one that does not type.
    plugged: Option<Plugged>,
    held: Option<RawDevice>,
}

/// The input devices of this machine.
#[derive(Default)]
pub struct MachineInputs {
    /// By the number of their file: another plugging has another one.
    known: BTreeMap<u64, Known>,
}

fn identity(device: &RawDevice) -> InputIdentity {
    let id = device.input_id();
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    InputIdentity {
        id: [id.bus_type().0, id.vendor(), id.product(), id.version()],
        name: text(device.name()),
        port: text(device.physical_path()),
        serial: text(device.unique_name()),
    }
}

/// The device of a file, where it types.
fn typing(path: &Path, number: u64) -> io::Result<Option<Plugged>> {
    let device = RawDevice::open(path)?;
    let types = device
        .supported_keys()
        .is_some_and(|keys| TYPING.iter().any(|key| keys.contains(*key)));
    Ok(types.then(|| Plugged {
        number,
        identity: identity(&device),
    }))
}

impl MachineInputs {
    fn files() -> BTreeMap<u64, PathBuf> {
        let entries = fs::read_dir(FOLDER).into_iter().flatten().flatten();
        let events = entries.filter(|one| one.file_name().as_encoded_bytes().starts_with(b"event"));
        events
            .filter_map(|one| Some((fs::metadata(one.path()).ok()?.ino(), one.path())))
            .collect()
    }
}

impl Inputs for MachineInputs {
    fn plugged(&mut self) -> Vec<Plugged> {
        let (files, mut unknown) = (Self::files(), Vec::new());
        self.known.retain(|number, _| files.contains_key(number));
        for (number, path) in files {
            if self.known.contains_key(&number) {
                continue;
            }
            match typing(&path, number) {
                Ok(plugged) => {
                    let known = Known {
                        path,
                        plugged,
                        held: None,
                    };
                    self.known.insert(number, known);
                }
                // Nobody knows what it is: it is looked at again, and may not be held either.
                Err(_) => unknown.push(Plugged {
                    number,
                    identity: InputIdentity {
                        name: path.display().to_string(),
                        ..InputIdentity::default()
                    },
                }),
            }
        }
        let typing = self.known.values().filter_map(|one| one.plugged.clone());
        typing.chain(unknown).collect()
    }

    fn grab(&mut self, number: u64) -> io::Result<()> {
        let known = self.known.get_mut(&number);
        let known = known.ok_or(io::ErrorKind::NotFound)?;
        let mut device = RawDevice::open(&known.path)?;
        device.grab()?;
        known.held = Some(device);
        Ok(())
    }

    fn release(&mut self, number: u64) {
        if let Some(known) = self.known.get_mut(&number) {
            // Its file is closed, and with it it is let go.
            known.held = None;
        }
    }

    fn events(&mut self, wait: Duration) -> InputEvents {
        let held = self.known.iter_mut();
        let held = held.filter_map(|(number, one)| Some((*number, one.held.as_mut()?)));
        let mut held: Vec<(u64, &mut RawDevice)> = held.collect();
        let is_ready = {
            let mut files: Vec<PollFd<'_>> = held
                .iter()
                .map(|(_, device)| PollFd::new(&**device, PollFlags::IN))
                .collect();
            let timeout = Timespec {
                tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: wait.subsec_nanos().into(),
            };
            if poll(&mut files, Some(&timeout)).is_err() {
                return Vec::new();
            }
            files
                .iter()
                .map(|file| !file.revents().is_empty())
                .collect::<Vec<_>>()
        };
        let ready = held
            .iter_mut()
            .zip(is_ready)
            .filter(|(_, is_ready)| *is_ready);
        ready
            .map(|((number, device), _)| {
                let events = device.fetch_events().map(|events| {
                    let event = |it: evdev::InputEvent| (it.event_type().0, it.code(), it.value());
                    events.map(event).collect()
                });
                (*number, events)
            })
            .collect()
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

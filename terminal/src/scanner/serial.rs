//! A scanner on a serial line, or on USB as one: bytes, ended by CR or LF.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::PollFlags;

use super::scan::{Assembler, Scan};
use super::{Absence, Heard, Scanner};
use crate::printer::SerialLine;
use crate::printer::device::{open_device, wait_for};
use crate::printer::patience::Stopwatch;

/// A scanner by its device.
pub struct SerialScanner {
    path: PathBuf,
    line: SerialLine,
    device: Option<File>,
    assembler: Assembler,
    ready: VecDeque<Scan>,
    clock: Stopwatch,
}

impl SerialScanner {
    /// The scanner at a device, which need not be there yet.
    pub fn new(path: PathBuf, line: SerialLine, gap: Duration) -> Self {
        Self {
            path,
            line,
            device: None,
            assembler: Assembler::new(gap),
            ready: VecDeque::new(),
            clock: Stopwatch::start(),
        }
    }

    fn device(&mut self) -> std::io::Result<&mut File> {
        if self.device.is_none() {
            let file = open_device(&self.path)?;
            self.line.set(&file)?;
            self.device = Some(file);
        }
        self.device
            .as_mut()
            .ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn read(&mut self, wait: Duration) -> std::io::Result<Vec<u8>> {
        let device = self.device()?;
        if !wait_for(device, PollFlags::IN, wait)? {
            return Ok(Vec::new());
        }
        let mut buffer = [0_u8; 256];
        match device.read(&mut buffer) {
            Ok(0) => Err(ErrorKind::NotFound.into()),
            Ok(count) => Ok(buffer.get(..count).unwrap_or_default().to_vec()),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }
}

impl Scanner for SerialScanner {
    fn hear(&mut self, wait: Duration) -> Heard {
        if self.ready.is_empty() {
            match self.read(wait) {
                Ok(bytes) => {
                    let at = self.clock.elapsed();
                    for byte in bytes {
                        self.ready.extend(self.assembler.push(byte, at));
                    }
                }
                Err(error) => {
                    self.device = None;
                    self.assembler.forget();
                    return Heard::Absent(Absence::of(&error));
                }
            }
        }
        self.ready.pop_front().map_or(Heard::Nothing, Heard::Scan)
    }
}

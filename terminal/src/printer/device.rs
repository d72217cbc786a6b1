//! A printer that is a device of this machine: the kernel's USB printer class, or a serial line.
//! Nothing here blocks without an end: reading and writing wait for the device, and for so long.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::termios::{QueueSelector, tcflush};

use super::patience::Deadline;
use super::serial::SerialLine;
use super::transport::Transport;

/// What kind of device it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Usb,
    Serial,
}

/// An open device.
pub(super) struct Device {
    file: File,
    kind: Kind,
    /// How long it may take nothing of what is written.
    stall: Duration,
}

/// Opens a device to read and write, never waiting, and never as this process's own terminal.
///
/// # Errors
/// As the operating system gives them.
pub fn open_device(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
}

/// Waits until a device can do something; false when it could not within `wait`. A device that is
/// gone can do it: doing it says why.
///
/// # Errors
/// As the operating system gives them.
pub fn wait_for(file: &impl AsFd, what: PollFlags, wait: Duration) -> io::Result<bool> {
    let deadline = Deadline::after(wait);
    loop {
        let left = deadline.left().unwrap_or(Duration::ZERO);
        let timeout = Timespec::try_from(left).ok();
        let mut fds = [PollFd::new(file, what)];
        match poll(&mut fds, timeout.as_ref()) {
            Ok(count) => return Ok(count > 0),
            Err(rustix::io::Errno::INTR) if deadline.left().is_some() => {}
            Err(rustix::io::Errno::INTR) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
    }
}

impl Device {
    /// A printer on USB.
    pub(super) fn usb(path: &Path, stall: Duration) -> io::Result<Self> {
        Ok(Self {
            file: open_device(path)?,
            kind: Kind::Usb,
            stall,
        })
    }

    /// A printer on a serial line.
    pub(super) fn serial(path: &Path, line: SerialLine, stall: Duration) -> io::Result<Self> {
        let file = open_device(path)?;
        line.set(&file)?;
        Ok(Self {
            file,
            kind: Kind::Serial,
            stall,
        })
    }
}

impl Transport for Device {
    fn can_answer(&self) -> bool {
        true
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let deadline = Deadline::after(self.stall);
        loop {
            match self.file.write(bytes) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                written => return written,
            }
            let left = deadline.left().ok_or(ErrorKind::TimedOut)?;
            if !wait_for(&self.file, PollFlags::OUT, left)? {
                return Err(ErrorKind::TimedOut.into());
            }
        }
    }

    fn receive(&mut self, buffer: &mut [u8], wait: Duration) -> io::Result<usize> {
        if !wait_for(&self.file, PollFlags::IN, wait)? {
            return Err(ErrorKind::TimedOut.into());
        }
        match self.file.read(buffer) {
            // A printer on USB may answer with a packet of no bytes: it is there, and silent.
            Ok(0) if self.kind == Kind::Usb => Err(ErrorKind::TimedOut.into()),
            read => read,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        // Closing a USB printer's device gives up what is under way; once it can be written
        // again, all of it has left. A serial line has no such question that ends in time: its
        // bytes are counted into the wait for the confirmation.
        if self.kind == Kind::Usb && !wait_for(&self.file, PollFlags::OUT, self.stall)? {
            return Err(ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    fn discard(&mut self) {
        if self.kind == Kind::Serial
            && let Err(error) = tcflush(&self.file, QueueSelector::OFlush)
        {
            tracing::debug!(%error, "what was not sent may still leave");
        }
    }
}

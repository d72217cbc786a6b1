//! The wire to a machine that reads its own balls: a serial line or TCP. Nothing here waits longer
//! than a fiftieth of a second for a byte.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::termios::{ControlModes, OptionalActions, tcgetattr, tcsetattr};

/// For a byte, before others have their turn.
const WAIT: Duration = Duration::from_millis(20);
/// For a machine to take a connection or a question.
const PATIENCE: Duration = Duration::from_secs(1);

/// Where the machine is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BallPlace {
    /// Host and port.
    Network(String),
    /// A serial line, and its speed in bauds: eight bits, no parity, one stop bit, no flow control.
    Serial(PathBuf, u32),
}

/// A machine that reads its own balls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BallMachine {
    /// Its name, as people know it.
    pub name: String,
    /// Where it is.
    pub place: BallPlace,
}

impl fmt::Display for BallPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(address) => formatter.write_str(address),
            Self::Serial(path, _) => path.display().fmt(formatter),
        }
    }
}

/// An open wire.
#[derive(Debug)]
pub enum BallLink {
    /// A connection.
    Network(TcpStream),
    /// A device.
    Serial(File),
}

/// Opens a device as a line of raw bytes at this speed; what was on it before is not read.
///
/// # Errors
/// As the operating system gives them; `InvalidInput` for a speed that it does not have.
pub fn open_serial(path: &Path, bauds: u32) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    let mut modes = tcgetattr(&file)?;
    modes.make_raw();
    modes.set_speed(bauds)?;
    let bare = ControlModes::CSTOPB | ControlModes::PARENB | ControlModes::CRTSCTS;
    modes.control_modes.remove(bare);
    modes
        .control_modes
        .insert(ControlModes::CREAD | ControlModes::CLOCAL);
    tcsetattr(&file, OptionalActions::Flush, &modes)?;
    Ok(file)
}

/// Whether a device can do something within `wait`; one that is gone can: doing it says why.
///
/// # Errors
/// As the operating system gives them.
pub fn can(device: &impl AsFd, what: PollFlags, wait: Duration) -> io::Result<bool> {
    let timeout = Timespec::try_from(wait).ok();
    match poll(&mut [PollFd::new(device, what)], timeout.as_ref()) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(fault) => Err(fault.into()),
    }
}

impl BallLink {
    /// Opens the wire.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn open(place: &BallPlace) -> io::Result<Self> {
        match place {
            BallPlace::Serial(path, bauds) => open_serial(path, *bauds).map(Self::Serial),
            BallPlace::Network(address) => {
                let mut last = io::Error::from(ErrorKind::AddrNotAvailable);
                for address in address.to_socket_addrs()? {
                    match TcpStream::connect_timeout(&address, PATIENCE) {
                        Ok(stream) => {
                            stream.set_nodelay(true)?;
                            stream.set_read_timeout(Some(WAIT))?;
                            stream.set_write_timeout(Some(PATIENCE))?;
                            return Ok(Self::Network(stream));
                        }
                        Err(fault) => last = fault,
                    }
                }
                Err(last)
            }
        }
    }

    /// What has come by now; nothing is 0.
    ///
    /// # Errors
    /// The wire is lost.
    pub fn receive(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = match self {
            Self::Network(stream) => stream.read(bytes),
            Self::Serial(file) => match can(file, PollFlags::IN, WAIT)? {
                true => file.read(bytes),
                false => return Ok(0),
            },
        };
        match read {
            Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
            Err(fault)
                if matches!(
                    fault.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) =>
            {
                Ok(0)
            }
            other => other,
        }
    }

    /// Sends.
    ///
    /// # Errors
    /// The wire is lost, or the machine takes nothing.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Network(stream) => stream.write_all(bytes),
            Self::Serial(file) => match can(file, PollFlags::OUT, PATIENCE)? {
                true => file.write_all(bytes),
                false => Err(ErrorKind::TimedOut.into()),
            },
        }
    }
}

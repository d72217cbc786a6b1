//! The ways to a printer: a network address, a device, a file, a printer that is a window.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use super::device::Device;
use super::serial::SerialLine;
use super::transport::Transport;

/// Where the printer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driver {
    /// A printer on the network, usually at port 9100; also the virtual printer.
    Network(SocketAddr),
    /// A printer on USB, by the device that the kernel makes for it, such as `/dev/usb/lp0`.
    Usb(PathBuf),
    /// A printer on a serial line.
    Serial(PathBuf, SerialLine),
    /// A file; it answers nothing.
    File(PathBuf),
}

impl Driver {
    /// How long the way itself takes for so many bytes; only a serial line is slow.
    pub fn way_time(&self, bytes: usize) -> Duration {
        match self {
            Self::Serial(_, line) => line.time_of(bytes),
            Self::Network(_) | Self::Usb(_) | Self::File(_) => Duration::ZERO,
        }
    }
}

struct Network(TcpStream);

impl Transport for Network {
    fn can_answer(&self) -> bool {
        true
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], wait: Duration) -> io::Result<usize> {
        self.0
            .set_read_timeout(Some(wait.max(Duration::from_millis(1))))?;
        self.0.read(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }

    fn discard(&mut self) {
        // A connection that ends without lingering takes with it what the printer has not taken.
        if let Err(error) = rustix::net::sockopt::set_socket_linger(&self.0, Some(Duration::ZERO)) {
            tracing::debug!(%error, "what was not sent may still leave");
        }
    }
}

struct Paperless(File);

impl Transport for Paperless {
    fn can_answer(&self) -> bool {
        false
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn receive(&mut self, _buffer: &mut [u8], _wait: Duration) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Opens the way to a printer; `wait` bounds how long it may take to open, and later how long the
/// printer may take nothing of what is sent.
///
/// # Errors
/// As the operating system gives them: the printer is absent, or not ours to use.
pub fn open(driver: &Driver, wait: Duration) -> io::Result<Box<dyn Transport>> {
    match driver {
        Driver::Network(address) => {
            let stream = TcpStream::connect_timeout(address, wait)?;
            stream.set_nodelay(true)?;
            // A printer whose roll ends stops taking bytes without hanging up.
            stream.set_write_timeout(Some(wait))?;
            Ok(Box::new(Network(stream)))
        }
        Driver::Usb(path) => Ok(Box::new(Device::usb(path, wait)?)),
        Driver::Serial(path, line) => Ok(Box::new(Device::serial(path, *line, wait)?)),
        Driver::File(path) => Ok(Box::new(Paperless(
            OpenOptions::new().append(true).create(true).open(path)?,
        ))),
    }
}

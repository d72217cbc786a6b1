//! The ways to a printer: a network address, a file or device, a printer that is a window.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

/// Where the printer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driver {
    /// A printer on the network, usually at port 9100; also the virtual printer.
    Network(SocketAddr),
    /// A file or a device such as `/dev/usb/lp0`; it answers nothing.
    File(PathBuf),
}

/// A way to a printer, open.
pub trait Transport {
    /// False when nothing is ever said back, so that nothing is asked.
    fn can_answer(&self) -> bool;

    /// Writes some of the bytes and says how many.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn send(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Reads what the printer says, waiting at most `wait`. 0 means that it hung up.
    ///
    /// # Errors
    /// `TimedOut` or `WouldBlock` when it said nothing, `Unsupported` when it never can, others
    /// when the way is broken.
    fn receive(&mut self, buffer: &mut [u8], wait: Duration) -> io::Result<usize>;

    /// Everything sent is on its way.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn flush(&mut self) -> io::Result<()>;
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
}

struct Device(File);

impl Transport for Device {
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

/// Opens the way to a printer.
///
/// # Errors
/// As the operating system gives them: the printer is absent.
pub fn open(driver: &Driver, wait: Duration) -> io::Result<Box<dyn Transport>> {
    match driver {
        Driver::Network(address) => {
            let stream = TcpStream::connect_timeout(address, wait)?;
            stream.set_nodelay(true)?;
            // A printer whose roll ends stops taking bytes without hanging up.
            stream.set_write_timeout(Some(wait))?;
            Ok(Box::new(Network(stream)))
        }
        Driver::File(path) => Ok(Box::new(Device(
            OpenOptions::new().append(true).create(true).open(path)?,
        ))),
    }
}

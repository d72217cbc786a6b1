//! A connection that ends at a given moment, however slowly its other end speaks.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A stream with a moment after which nothing is waited for.
#[derive(Debug)]
pub(crate) struct Deadline {
    stream: TcpStream,
    ends: Instant,
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long a network connection may take is measured by the machine, whatever the \
              house's clock says; no draw depends on it"
)]
fn now() -> Instant {
    Instant::now()
}

impl Deadline {
    /// The stream, until `within` has passed.
    ///
    /// # Errors
    /// What the operating system says.
    pub(crate) fn new(stream: TcpStream, within: Duration) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            ends: now() + within,
        })
    }

    /// Until `within` has passed from now on.
    pub(crate) fn extend(&mut self, within: Duration) {
        self.ends = now() + within;
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.ends.saturating_duration_since(now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(left)
    }
}

impl Read for Deadline {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Deadline {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

//! Many clients of `/live` at once, as boards in a hall are: each has heard the snapshot and goes
//! on hearing what comes.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// How long a client waits for what must come: a heartbeat is due every two seconds.
const PATIENCE: Duration = Duration::from_secs(20);
/// Files of this process, and of central, besides the streams.
const FILES: usize = 1_000;
/// Descriptors that central keeps for whoever has not said anything yet, for devices and for its
/// own files.
const CENTRALS: usize = 2_048;

/// Clients that hear live events.
#[derive(Debug)]
pub struct Streams {
    all: Vec<TcpStream>,
    buffer: Vec<u8>,
}

fn silent(number: usize, why: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("stream {number} hears nothing: {why}"))
}

/// As many streams of so many as the descriptors of this machine allow, here and for central,
/// which keeps one for each stream and one for each stranger. Raises what this process may have.
///
/// # Errors
/// When the limit cannot be raised.
pub fn allowed(wanted: usize) -> io::Result<usize> {
    let limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(u64::MAX);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, raised)?;
    Ok(wanted.min(fitting(usize::try_from(most).unwrap_or(usize::MAX))))
}

/// How many streams so many descriptors suffice for.
fn fitting(descriptors: usize) -> usize {
    let here = descriptors.saturating_sub(FILES);
    let there = descriptors.saturating_sub(CENTRALS + FILES) / 2;
    here.min(there)
}

impl Streams {
    /// Opens so many, one after another: each has its snapshot before the next comes.
    ///
    /// # Errors
    /// When one is refused.
    pub fn open(address: SocketAddr, count: usize) -> io::Result<Self> {
        let mut streams = Self {
            all: Vec::with_capacity(count),
            buffer: vec![0; 64 * 1024],
        };
        for number in 0..count {
            let mut stream = TcpStream::connect(address)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(b"GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n")?;
            streams.all.push(stream);
            streams.hears(number, "event: snapshot")?;
        }
        Ok(streams)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Reads until a stream has heard an event.
    fn hears(&mut self, number: usize, event: &str) -> io::Result<()> {
        let Some(stream) = self.all.get_mut(number) else {
            return Err(silent(number, "it is not there"));
        };
        stream.set_nonblocking(false)?;
        let mut text = Vec::new();
        loop {
            let count = stream
                .read(&mut self.buffer)
                .map_err(|fault| silent(number, fault))?;
            if count == 0 {
                return Err(silent(number, String::from_utf8_lossy(&text)));
            }
            text.extend_from_slice(&self.buffer[..count]);
            if text
                .windows(event.len())
                .any(|some| some == event.as_bytes())
            {
                return Ok(());
            }
        }
    }

    /// Reads what has come so far on each, and forgets it.
    ///
    /// # Errors
    /// When one was closed.
    pub fn drain(&mut self) -> io::Result<()> {
        for (number, stream) in self.all.iter_mut().enumerate() {
            stream.set_nonblocking(true)?;
            loop {
                match stream.read(&mut self.buffer) {
                    Ok(0) => return Err(silent(number, "it was closed")),
                    Ok(_) => {}
                    Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => break,
                    Err(fault) => return Err(fault),
                }
            }
        }
        Ok(())
    }

    /// Waits until each has heard a heartbeat that was not there before.
    ///
    /// # Errors
    /// When one hears none.
    pub fn must_live(&mut self) -> io::Result<()> {
        self.drain()?;
        (0..self.count()).try_for_each(|number| self.hears(number, "event: hb"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_fit_both_sides_of_the_descriptors() {
        assert_eq!(fitting(20_000), 8_476);
        assert_eq!(fitting(4_096), 524);
        assert_eq!(fitting(1_024), 0);
        assert!(allowed(1).unwrap() <= 1);
    }
}

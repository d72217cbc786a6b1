//! Many clients of `/live` at once, as boards in a hall are: each has heard the snapshot and goes
//! on hearing what comes. One thread reads them all.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use rustix::event::{Timespec, epoll};
use rustix::fd::OwnedFd;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::clock::wall;

/// How long a client waits for what must come: a heartbeat is due every two seconds.
const PATIENCE: Duration = Duration::from_secs(20);
/// Files of this process, and of central, besides the streams.
const FILES: usize = 1_000;
/// Descriptors that central keeps for whoever has not said anything yet, for devices and for its
/// own files.
const CENTRALS: usize = 2_048;
/// How often each may be turned away, in the mean.
const TRIES: usize = 20;
/// What each asks.
const REQUEST: &[u8] = b"GET /live HTTP/1.1\r\nhost: localhost\r\n\r\n";
/// The event that says the time, in a stream and at its beginning.
const HEARTBEAT: &str = "event: hb";
const TIME: &[u8] = b"\"central_ms\":";

/// Clients that hear live events.
#[derive(Debug)]
pub struct Streams {
    all: Vec<TcpStream>,
    poll: OwnedFd,
    buffer: Vec<u8>,
}

/// A heartbeat that every client has heard.
#[derive(Debug, Clone, Copy)]
pub struct Heard {
    /// From the time that it says to when the first client had read it.
    pub first: Duration,
    /// The same of the last.
    pub last: Duration,
}

/// The time that a heartbeat says, once all of it is there, in milliseconds.
fn said_ms(text: &[u8]) -> Option<u64> {
    let at = text.windows(HEARTBEAT.len());
    let event = text.get(at.clone().position(|some| some == HEARTBEAT.as_bytes())?..)?;
    let at = event.windows(TIME.len()).position(|some| some == TIME)?;
    let rest = event.get(at + TIME.len()..)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(rest.get(..end)?).ok()?.parse().ok()
}

/// Connects and asks.
fn come(address: SocketAddr) -> io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(REQUEST)?;
    stream.set_nonblocking(true)?;
    Ok(stream)
}

/// Reads what is there of a stream that has something.
fn some_of<'a>(
    number: usize,
    stream: &mut TcpStream,
    buffer: &'a mut [u8],
) -> io::Result<&'a [u8]> {
    match stream.read(buffer)? {
        0 => Err(silent(number, "it was closed")),
        count => Ok(&buffer[..count]),
    }
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
            poll: epoll::create(epoll::CreateFlags::CLOEXEC)?,
            buffer: vec![0; 64 * 1024],
        };
        for number in 0..count {
            let mut stream = TcpStream::connect(address)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(REQUEST)?;
            streams.all.push(stream);
            streams.hears(number, "event: snapshot")?;
            streams.wait_for(number)?;
        }
        Ok(streams)
    }

    /// A stream is waited for under its number.
    fn wait_for(&self, number: usize) -> io::Result<()> {
        let data = epoll::EventData::new_u64(u64::try_from(number).unwrap_or(u64::MAX));
        let stream = self
            .all
            .get(number)
            .ok_or_else(|| silent(number, "it is not there"))?;
        Ok(epoll::add(&self.poll, stream, data, epoll::EventFlags::IN)?)
    }

    /// Hands every stream on which something happens to `happens`, until that says that it was all.
    fn until(
        &mut self,
        mut happens: impl FnMut(usize, &mut TcpStream, &mut [u8]) -> io::Result<bool>,
    ) -> io::Result<()> {
        let patience = Timespec {
            tv_sec: i64::try_from(PATIENCE.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: 0,
        };
        let mut events: Vec<epoll::Event> = Vec::with_capacity(1_024);
        loop {
            events.clear();
            let room = rustix::buffer::spare_capacity(&mut events);
            if epoll::wait(&self.poll, room, Some(&patience))? == 0 {
                return Err(io::Error::other("some streams hear nothing"));
            }
            for event in &events {
                let number = usize::try_from(event.data.u64()).unwrap_or(usize::MAX);
                if let Some(stream) = self.all.get_mut(number)
                    && happens(number, stream, &mut self.buffer)?
                {
                    return Ok(());
                }
            }
        }
    }

    /// Waits for a heartbeat that was not there before, until each has heard it. What makes it is
    /// called once nothing else is left to be read.
    ///
    /// # Errors
    /// When one hears none.
    pub fn heartbeat(&mut self, make: impl FnOnce()) -> io::Result<Heard> {
        self.drain()?;
        make();
        let count = self.all.len();
        let mut texts = vec![Vec::new(); count];
        // Some may have read it already while it was on its way to others: the next counts.
        let (mut newest, mut first, mut heard) = (0, Duration::ZERO, 0);
        self.until(|number, stream, buffer| {
            let text = &mut texts[number];
            text.extend_from_slice(some_of(number, stream, buffer)?);
            let Some(ms) = said_ms(text) else {
                return Ok(false);
            };
            text.clear();
            if ms > newest {
                (newest, first, heard) = (ms, wall(), 0);
            }
            heard += usize::from(ms == newest);
            Ok(heard == count)
        })?;
        let since = |moment: Duration| moment.saturating_sub(Duration::from_millis(newest));
        Ok(Heard {
            first: since(first),
            last: since(wall()),
        })
    }

    /// All come at once, as when central is back, wherever they were before: until each has its
    /// snapshot and the time. Who is turned away comes again at once. Gives how often that was.
    ///
    /// # Errors
    /// When they cannot connect, or some hear nothing.
    pub fn come_back(&mut self, address: SocketAddr) -> io::Result<usize> {
        let count = self.all.len();
        self.all.clear();
        for _ in 0..count {
            self.all.push(come(address)?);
        }
        for number in 0..count {
            self.wait_for(number)?;
        }
        let poll = self.poll.try_clone()?;
        let mut texts = vec![Some(Vec::new()); count];
        let (mut left, mut turned_away) = (count, 0);
        self.until(|number, stream, buffer| {
            let Some(text) = &mut texts[number] else {
                let _ = some_of(number, stream, buffer)?;
                return Ok(false);
            };
            match some_of(number, stream, buffer) {
                Ok(some) => text.extend_from_slice(some),
                Err(_) if turned_away < count * TRIES => {
                    turned_away += 1;
                    text.clear();
                    *stream = come(address)?;
                    let data = epoll::EventData::new_u64(u64::try_from(number).unwrap_or(u64::MAX));
                    epoll::add(&poll, &*stream, data, epoll::EventFlags::IN)?;
                }
                Err(fault) => return Err(fault),
            }
            if said_ms(text).is_some() {
                texts[number] = None;
                left -= 1;
            }
            Ok(left == 0)
        })?;
        Ok(turned_away)
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
        (0..self.count()).try_for_each(|number| self.hears(number, HEARTBEAT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heartbeat_is_heard_once_all_of_it_is_there() {
        let text = b"event: hb\ndata: {\"seq\":3,\"central_ms\":1700000000123}\n\n";
        let whole = text.len() - b"}\n\n".len();
        for cut in 0..=text.len() {
            let said = said_ms(&text[..cut]);
            assert_eq!(said.is_some(), cut > whole, "{cut}");
        }
        assert_eq!(said_ms(text), Some(1_700_000_000_123));
        // A snapshot says a time too.
        assert_eq!(
            said_ms(b"event: snapshot\ndata: {\"central_ms\":17}\n\n"),
            None
        );
    }

    #[test]
    fn streams_fit_both_sides_of_the_descriptors() {
        assert_eq!(fitting(20_000), 8_476);
        assert_eq!(fitting(4_096), 524);
        assert_eq!(fitting(1_024), 0);
        assert!(allowed(1).unwrap() <= 1);
    }
}

//! The load: many keep-alive connections on one thread, each with one request in flight.
//!
//! It shares two cores with the server, so it does as little as it can: no runtime, no parsing
//! beyond the status and the length, buffers that are used again. Both arms of every figure use
//! it.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use rustix::event::{Timespec, epoll};

use crate::clock::now;

/// What a connection asks, one request after another.
pub trait Asker {
    /// Writes the next request, whole, into an empty buffer.
    fn ask(&mut self, request: &mut Vec<u8>);

    /// Takes the body of the answer to the last request; the status is 200 unless
    /// [`Asker::status`] says otherwise.
    ///
    /// # Errors
    /// What is wrong with it.
    fn answered(&mut self, _body: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// The status that an answer must have.
    fn status(&self) -> u16 {
        200
    }
}

/// One answered request.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Which connection.
    pub connection: usize,
    /// When it was sent, or was due, if it has a moment of its own.
    pub sent: Instant,
    /// From then to the last byte of the answer.
    pub took: Duration,
}

/// When a round ends: no request is sent any more, and what is in flight is waited for.
#[derive(Debug, Clone, Copy)]
pub enum Until<'a> {
    /// After so long.
    Passed(Duration),
    /// After so many requests of each connection.
    Each(usize),
    /// Once the flag is set.
    Told(&'a std::sync::atomic::AtomicBool),
}

/// What a round came to.
#[derive(Debug, Clone)]
pub struct Round {
    /// Every answer.
    pub samples: Vec<Sample>,
    /// When the first request was sent.
    pub start: Instant,
    /// How long requests were sent.
    pub length: Duration,
}

impl Round {
    /// Answers a second, of those that came before the end.
    pub fn rate(&self) -> f64 {
        let end = self.start + self.length;
        let count = self
            .samples
            .iter()
            .filter(|sample| sample.sent + sample.took <= end)
            .count();
        #[expect(clippy::cast_precision_loss, reason = "a count of requests")]
        let count = count as f64;
        count / self.length.as_secs_f64()
    }

    /// How long the requests of these connections took.
    pub fn times(&self, connections: std::ops::Range<usize>) -> Vec<Duration> {
        self.samples
            .iter()
            .filter(|sample| connections.contains(&sample.connection))
            .map(|sample| sample.took)
            .collect()
    }
}

/// A keep-alive connection.
#[derive(Debug)]
struct Wire {
    stream: TcpStream,
    request: Vec<u8>,
    answer: Vec<u8>,
    filled: usize,
    sent: Option<Instant>,
    count: usize,
}

/// An answer that arrived whole.
#[derive(Debug, PartialEq, Eq)]
struct Parts {
    status: u16,
    body: std::ops::Range<usize>,
}

fn broken(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// Status and body, once all of it is there.
fn parts(bytes: &[u8]) -> io::Result<Option<Parts>> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| broken("a head that is not text"))?;
    let status = head
        .strip_prefix("HTTP/1.1 ")
        .and_then(|rest| rest.get(..3))
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| broken("an answer without a status"))?;
    let length: usize = head
        .lines()
        .find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse().ok())?
        })
        .ok_or_else(|| broken("an answer without a length"))?;
    let body = end + 4..end + 4 + length;
    Ok((bytes.len() >= body.end).then_some(Parts { status, body }))
}

impl Wire {
    fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            request: Vec::with_capacity(1024),
            answer: vec![0; 16 * 1024],
            filled: 0,
            sent: None,
            count: 0,
        })
    }

    fn send(&mut self, asker: &mut impl Asker) -> io::Result<()> {
        self.send_from(asker, now())
    }

    /// Sends; the time of the answer counts from a moment that may have passed.
    fn send_from(&mut self, asker: &mut impl Asker, moment: Instant) -> io::Result<()> {
        self.request.clear();
        asker.ask(&mut self.request);
        self.filled = 0;
        self.sent = Some(moment);
        // A request of one kilobyte always fits an empty socket.
        self.stream.write_all(&self.request)
    }

    /// Reads what is there; the answer's time once it is whole.
    fn read(&mut self, asker: &mut impl Asker) -> io::Result<Option<(Instant, Duration)>> {
        loop {
            if self.filled == self.answer.len() {
                self.answer.resize(self.answer.len() * 2, 0);
            }
            match self.stream.read(&mut self.answer[self.filled..]) {
                Ok(0) => return Err(broken("the server closed the connection")),
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            let bytes = &self.answer[..self.filled];
            let Some(parts) = parts(bytes)? else {
                continue;
            };
            let sent = self
                .sent
                .take()
                .ok_or_else(|| broken("an answer to nothing"))?;
            let took = sent.elapsed();
            let body = &bytes[parts.body];
            if parts.status != asker.status() {
                return Err(broken(format!(
                    "status {}: {}",
                    parts.status,
                    String::from_utf8_lossy(body)
                )));
            }
            asker.answered(body)?;
            self.count += 1;
            return Ok(Some((sent, took)));
        }
    }
}

/// Connections to one server.
#[derive(Debug)]
pub struct Load {
    address: SocketAddr,
    wires: Vec<Wire>,
    poll: rustix::fd::OwnedFd,
}

impl Load {
    /// Opens so many connections.
    ///
    /// # Errors
    /// When the server cannot be reached.
    pub fn open(address: SocketAddr, connections: usize) -> io::Result<Self> {
        let poll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut load = Self {
            address,
            wires: Vec::with_capacity(connections),
            poll,
        };
        for number in 0..connections {
            let wire = load.connect(number)?;
            load.wires.push(wire);
        }
        Ok(load)
    }

    /// A connection that is waited for under a number.
    fn connect(&self, number: usize) -> io::Result<Wire> {
        let wire = Wire::open(self.address)?;
        epoll::add(
            &self.poll,
            &wire.stream,
            epoll::EventData::new_u64(u64::try_from(number).unwrap_or(u64::MAX)),
            epoll::EventFlags::IN,
        )?;
        Ok(wire)
    }

    /// Opens connections again that the server closed while nothing was asked on them.
    fn mend(&mut self) -> io::Result<()> {
        for number in 0..self.wires.len() {
            let Some(wire) = self.wires.get_mut(number) else {
                continue;
            };
            match wire.stream.read(&mut wire.answer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                // Closed, or told that it waited too long: nothing was asked on it.
                Ok(_) | Err(_) => {
                    let wire = self.connect(number)?;
                    // The closed one leaves the list of those that are waited for.
                    self.wires[number] = wire;
                }
            }
        }
        Ok(())
    }

    /// Has each connection ask one request after another until the round ends. `askers` are as
    /// many as there are connections.
    ///
    /// # Errors
    /// A connection that broke, or an answer that is not what its asker wants.
    pub fn run<A: Asker>(&mut self, askers: &mut [A], until: Until<'_>) -> io::Result<Round> {
        if askers.len() != self.wires.len() {
            return Err(broken("as many askers as connections are needed"));
        }
        self.mend()?;
        let start = now();
        let mut samples = Vec::with_capacity(64 * 1024);
        let mut in_flight = 0_usize;
        for (wire, asker) in self.wires.iter_mut().zip(askers.iter_mut()) {
            wire.count = 0;
            if !matches!(until, Until::Each(0)) {
                wire.send(asker)?;
                in_flight += 1;
            }
        }
        let mut length = None;
        let mut events: Vec<epoll::Event> = Vec::with_capacity(self.wires.len());
        while in_flight > 0 {
            events.clear();
            epoll::wait(
                &self.poll,
                rustix::buffer::spare_capacity(&mut events),
                None,
            )?;
            for event in &events {
                let number = usize::try_from(event.data.u64()).unwrap_or(usize::MAX);
                let (Some(wire), Some(asker)) =
                    (self.wires.get_mut(number), askers.get_mut(number))
                else {
                    continue;
                };
                let Some((sent, took)) = wire.read(asker)? else {
                    continue;
                };
                samples.push(Sample {
                    connection: number,
                    sent,
                    took,
                });
                let goes_on = match until {
                    Until::Passed(limit) => start.elapsed() < limit,
                    Until::Each(count) => wire.count < count,
                    Until::Told(flag) => !flag.load(std::sync::atomic::Ordering::Acquire),
                };
                if goes_on {
                    wire.send(asker)?;
                } else {
                    in_flight -= 1;
                    length.get_or_insert_with(|| start.elapsed());
                }
            }
        }
        Ok(Round {
            samples,
            start,
            length: length.unwrap_or_else(|| start.elapsed()),
        })
    }
}

impl Load {
    /// Sends so many requests a second at moments that are set beforehand, for so long: each on a
    /// connection that waits for nothing, and later than it is due where there is none. Their times
    /// count from when they were due.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_at<A: Asker>(
        &mut self,
        askers: &mut [A],
        rate: f64,
        length: Duration,
    ) -> io::Result<Round> {
        if askers.len() != self.wires.len() || askers.is_empty() || rate <= 0.0 {
            return Err(broken(
                "as many askers as connections, and a rate, are needed",
            ));
        }
        self.mend()?;
        let start = now();
        let moments = (0_u32..).map(|at| Duration::from_secs_f64(f64::from(at) / rate));
        let mut moments = moments.take_while(|moment| *moment < length).peekable();
        let mut samples = Vec::with_capacity(64 * 1024);
        let mut idle: VecDeque<usize> = (0..self.wires.len()).collect();
        let mut events: Vec<epoll::Event> = Vec::with_capacity(self.wires.len());
        loop {
            let wait = loop {
                let (Some(moment), Some(&number)) = (moments.peek(), idle.front()) else {
                    break None;
                };
                let early = moment.saturating_sub(start.elapsed());
                if early > Duration::ZERO {
                    break Some(early);
                }
                self.wires[number].send_from(&mut askers[number], start + *moment)?;
                idle.pop_front();
                moments.next();
            };
            if wait.is_none() && idle.len() == self.wires.len() {
                break;
            }
            let wait = wait.map(|wait| Timespec {
                tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: i64::from(wait.subsec_nanos()),
            });
            events.clear();
            let room = rustix::buffer::spare_capacity(&mut events);
            epoll::wait(&self.poll, room, wait.as_ref())?;
            for event in &events {
                let number = usize::try_from(event.data.u64()).unwrap_or(usize::MAX);
                let (Some(wire), Some(asker)) =
                    (self.wires.get_mut(number), askers.get_mut(number))
                else {
                    continue;
                };
                if let Some((sent, took)) = wire.read(asker)? {
                    samples.push(Sample {
                        connection: number,
                        sent,
                        took,
                    });
                    idle.push_back(number);
                }
            }
        }
        Ok(Round {
            samples,
            start,
            length: start.elapsed(),
        })
    }
}

/// Asks one address again and again.
#[derive(Debug)]
pub struct Constant {
    request: Vec<u8>,
    status: u16,
}

impl Constant {
    /// A `GET` of a path, answered with a status.
    pub fn get(path: &str, status: u16) -> Self {
        Self {
            request: format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes(),
            status,
        }
    }
}

impl Asker for Constant {
    fn ask(&mut self, request: &mut Vec<u8>) {
        request.extend_from_slice(&self.request);
    }

    fn status(&self) -> u16 {
        self.status
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_whole_only_with_its_last_byte() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nx: y\r\n\r\nabc";
        for cut in 0..whole.len() {
            assert_eq!(parts(&whole[..cut]).unwrap(), None, "{cut}");
        }
        let parts = parts(whole).unwrap().unwrap();
        assert_eq!((parts.status, &whole[parts.body]), (200, &b"abc"[..]));
    }

    /// A server that answers each request, and stalls once before the first.
    fn stalls_once(stall: Duration) -> (SocketAddr, std::thread::JoinHandle<()>) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let stalled = now();
            while stalled.elapsed() < stall {
                std::thread::yield_now();
            }
            while stream.read(&mut request).unwrap() > 0 {
                let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
                stream.write_all(answer).unwrap();
            }
        });
        (address, server)
    }

    /// What is due while the server stalls has waited since it was due: one request a millisecond
    /// for a tenth of a second, and nothing is answered before that is over.
    #[test]
    fn a_stall_is_counted_from_when_each_request_was_due() {
        let stall = Duration::from_millis(100);
        let waited = |at_moments: bool| {
            let (address, server) = stalls_once(stall);
            let mut load = Load::open(address, 1).unwrap();
            let mut asker = [Constant::get("/", 200)];
            let round = if at_moments {
                load.run_at(&mut asker, 1_000.0, stall).unwrap()
            } else {
                load.run(&mut asker, Until::Each(100)).unwrap()
            };
            drop(load);
            server.join().unwrap();
            let mut times = round.times(0..1);
            assert_eq!(times.len(), 100);
            crate::ranks::percentile(&mut times, 0.5)
        };
        assert!(waited(true) > stall / 4);
        // Whoever asks only once it was answered waits for one of them and does not see the rest.
        assert!(waited(false) < stall / 4);
    }

    #[test]
    fn an_answer_without_a_length_is_refused() {
        assert!(parts(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}

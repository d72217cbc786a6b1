//! A line between devices and central that loses requests before central has seen them, and
//! answers after central has given them, and that delivers some requests twice, some of them late.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use crate::chance::Chance;

/// Of a hundred requests, so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loss {
    /// Never arrive.
    pub requests: u64,
    /// Are answered, and the answer is lost.
    pub replies: u64,
    /// Arrive twice: half of them at once, half of them after the next request.
    pub twice: u64,
}

/// What the line did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Carried {
    /// Requests taken from devices.
    pub requests: u64,
    /// Of these, lost.
    pub lost_requests: u64,
    /// Answers lost.
    pub lost_replies: u64,
    /// Requests delivered twice.
    pub twice: u64,
}

#[derive(Debug)]
struct State {
    chance: Chance,
    carried: Carried,
}

/// A line.
#[derive(Debug, Clone)]
pub struct Line {
    /// The devices' end.
    pub address: SocketAddr,
    central: SocketAddr,
    loss: Loss,
    state: Arc<Mutex<State>>,
}

/// What becomes of one request.
#[derive(Debug, Clone, Copy)]
struct Fate {
    loses_request: bool,
    loses_reply: bool,
    is_twice: bool,
    is_late: bool,
}

impl Line {
    /// A line to central.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn to(central: SocketAddr, loss: Loss, chance: Chance) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let line = Self {
            address: listener.local_addr()?,
            central,
            loss,
            state: Arc::new(Mutex::new(State {
                chance,
                carried: Carried::default(),
            })),
        };
        let shared = line.clone();
        std::thread::spawn(move || {
            for device in listener.incoming().flatten() {
                let line = shared.clone();
                std::thread::spawn(move || {
                    // An end that closes ends this connection, and is no matter of the line's.
                    let _ = line.carry(device);
                });
            }
        });
        Ok(line)
    }

    /// What was carried so far.
    pub fn carried(&self) -> Carried {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .carried
    }

    fn fate(&self) -> Fate {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let fate = Fate {
            loses_request: state.chance.percent(self.loss.requests),
            loses_reply: state.chance.percent(self.loss.replies),
            is_twice: state.chance.percent(self.loss.twice),
            is_late: state.chance.percent(50),
        };
        state.carried.requests += 1;
        state.carried.lost_requests += u64::from(fate.loses_request);
        state.carried.lost_replies += u64::from(!fate.loses_request && fate.loses_reply);
        state.carried.twice += u64::from(fate.is_twice);
        fate
    }

    fn carry(&self, mut device: TcpStream) -> io::Result<()> {
        device.set_nodelay(true)?;
        let mut central = TcpStream::connect(self.central)?;
        central.set_nodelay(true)?;
        let (mut from_device, mut from_central) = (Vec::new(), Vec::new());
        let mut late = None;
        while let Some(request) = message(&mut device, &mut from_device)? {
            let fate = self.fate();
            if fate.is_twice && fate.is_late {
                late = Some(request.clone());
            }
            if fate.loses_request {
                // A copy may still arrive, long after the device has given up: without an order.
                break;
            }
            if fate.is_twice && !fate.is_late {
                let copy = request.clone();
                let to = self.central;
                std::thread::spawn(move || sent_apart(to, &copy));
            }
            central.write_all(&request)?;
            let Some(answer) = message(&mut central, &mut from_central)? else {
                break;
            };
            if let Some(copy) = late.take().filter(|copy| *copy != request) {
                sent_apart(self.central, &copy)?;
            }
            if fate.loses_reply {
                break;
            }
            device.write_all(&answer)?;
        }
        device.shutdown(Shutdown::Both)?;
        match late {
            Some(copy) => sent_apart(self.central, &copy),
            None => Ok(()),
        }
    }
}

/// Delivers a request on a connection of its own and takes the answer, which nobody waits for.
fn sent_apart(to: SocketAddr, request: &[u8]) -> io::Result<()> {
    let mut stream = TcpStream::connect(to)?;
    stream.write_all(request)?;
    message(&mut stream, &mut Vec::new()).map(drop)
}

/// The next message of a connection, head and body; none when it ends. `kept` holds what was
/// read beyond it.
pub(crate) fn message(stream: &mut TcpStream, kept: &mut Vec<u8>) -> io::Result<Option<Vec<u8>>> {
    let mut buffer = [0_u8; 8192];
    loop {
        if let Some(end) = kept.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(kept.get(..end).unwrap_or(&[])).to_ascii_lowercase();
            let length: usize = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())
                .unwrap_or(0);
            let whole = end + 4 + length;
            if kept.len() >= whole {
                let rest = kept.split_off(whole);
                return Ok(Some(std::mem::replace(kept, rest)));
            }
        }
        match stream.read(&mut buffer)? {
            0 => return Ok(None),
            count => kept.extend_from_slice(buffer.get(..count).unwrap_or(&[])),
        }
    }
}

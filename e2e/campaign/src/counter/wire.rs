//! A line of the counter: to central, or to its printer. It can be cut at any byte, leads wherever
//! the other end is now, and remembers each request for money that it could read.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::steps::{Kind, Steps, WHOLE};

/// What a request for money begins with.
const MONEY: [&[u8]; 3] = [
    b"POST /api/v1/sales ",
    b"POST /api/v1/cancellations ",
    b"POST /api/v1/payments ",
];
/// Bytes that are taken at once.
const CHUNK: usize = 16 * 1024;
/// Bytes of a paper that are taken at once: a paper is many steps.
const PAPER_CHUNK: usize = 64;

#[derive(Debug, Default)]
struct State {
    far: Option<SocketAddr>,
    /// Both ends of what is being carried.
    ends: Vec<TcpStream>,
    money: Vec<Vec<u8>>,
}

/// The line.
#[derive(Debug, Clone)]
pub struct Wire {
    /// The counter's end.
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    steps: Steps,
    /// What is seen on the way there, and back.
    kinds: [Kind; 2],
}

impl Wire {
    /// A line to central.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn to_central(far: SocketAddr, steps: &Steps) -> std::io::Result<Self> {
        Self::to(far, steps, [Kind::Request, Kind::Answer])
    }

    /// A line to the printer.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn to_printer(far: SocketAddr, steps: &Steps) -> std::io::Result<Self> {
        Self::to(far, steps, [Kind::Print, Kind::Confirmation])
    }

    fn to(far: SocketAddr, steps: &Steps, kinds: [Kind; 2]) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let wire = Self {
            address: listener.local_addr()?,
            state: Arc::default(),
            steps: steps.clone(),
            kinds,
        };
        wire.mend(far);
        let shared = wire.clone();
        thread::spawn(move || {
            for near in listener.incoming().flatten() {
                // Here, and not beside: the printer takes connections in the order in which they
                // were made.
                let Some((near, far)) = shared.connected(near) else {
                    continue;
                };
                let wire = shared.clone();
                thread::spawn(move || wire.carry(near, far));
            }
        });
        Ok(wire)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cuts it: what is on its way is lost, and nothing passes.
    pub fn cut(&self) {
        let mut state = self.state();
        state.far = None;
        for end in state.ends.drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// It leads there.
    pub fn mend(&self, far: SocketAddr) {
        self.state().far = Some(far);
    }

    /// Requests for money since the last call, byte for byte; none of those that were encrypted.
    pub fn money(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.state().money)
    }

    fn connected(&self, near: TcpStream) -> Option<(TcpStream, TcpStream)> {
        let address = self.state().far?;
        let far = TcpStream::connect(address).ok()?;
        near.set_nodelay(true).ok()?;
        far.set_nodelay(true).ok()?;
        let mut state = self.state();
        if state.far != Some(address) {
            return None;
        }
        state.ends.retain(|end| end.peer_addr().is_ok());
        state.ends.extend(
            [&near, &far]
                .map(TcpStream::try_clone)
                .into_iter()
                .flatten(),
        );
        drop(state);
        Some((near, far))
    }

    fn carry(&self, near: TcpStream, far: TcpStream) {
        let (Ok(mut from_near), Ok(mut to_far)) = (near.try_clone(), far.try_clone()) else {
            return;
        };
        let (mut to_near, mut from_far) = (near, far);
        let there = self.clone();
        let upwards = thread::spawn(move || {
            let mut asked = Vec::new();
            let [kind, _] = there.kinds;
            there.copy(&mut from_near, &mut to_far, kind, Some(&mut asked));
            let _ = to_far.shutdown(Shutdown::Write);
            asked
        });
        let [_, kind] = self.kinds;
        self.copy(&mut from_far, &mut to_near, kind, None);
        let _ = to_near.shutdown(Shutdown::Both);
        if let Ok(asked) = upwards.join()
            && MONEY.iter().any(|money| asked.starts_with(money))
        {
            self.state().money.push(asked);
        }
    }

    fn copy(
        &self,
        from: &mut TcpStream,
        to: &mut TcpStream,
        kind: Kind,
        mut keep: Option<&mut Vec<u8>>,
    ) {
        let mut buffer = [0_u8; CHUNK];
        let size = if kind == Kind::Print {
            PAPER_CHUNK
        } else {
            CHUNK
        };
        while let Ok(count) = from.read(buffer.get_mut(..size).unwrap_or_default()) {
            let bytes = buffer.get(..count).unwrap_or_default();
            if bytes.is_empty() {
                return;
            }
            if let Some(keep) = &mut keep {
                keep.extend_from_slice(bytes);
            }
            if self.pass(bytes, to, kind).is_err() {
                return;
            }
        }
    }

    /// Lets bytes pass, and stops in the middle of them if that is the instant.
    fn pass(&self, bytes: &[u8], to: &mut TcpStream, kind: Kind) -> std::io::Result<()> {
        let Some((part, loses_rest)) = self.steps.step(kind) else {
            return to.write_all(bytes);
        };
        let whole = usize::try_from(WHOLE).unwrap_or(1);
        let passed = bytes.len() * usize::try_from(part).unwrap_or(0) / whole;
        let (before, after) = bytes.split_at(passed.min(bytes.len()));
        let written = to.write_all(before);
        self.steps.here();
        written?;
        if loses_rest && !after.is_empty() {
            return Err(std::io::ErrorKind::ConnectionAborted.into());
        }
        to.write_all(after)
    }
}

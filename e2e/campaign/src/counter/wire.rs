//! The wire between the counter and central: it can be cut at any byte, leads wherever central is
//! now, and remembers each request for money, to let a late copy of it arrive.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// What a request for money begins with.
const MONEY: [&[u8]; 3] = [
    b"POST /api/v1/sales ",
    b"POST /api/v1/cancellations ",
    b"POST /api/v1/payments ",
];
/// A late copy that is not answered by then is not answered.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Default)]
struct State {
    central: Option<SocketAddr>,
    /// Both ends of what is being carried.
    ends: Vec<TcpStream>,
    money: Vec<Vec<u8>>,
}

/// The wire.
#[derive(Debug, Clone)]
pub struct Wire {
    /// The counter's end.
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Wire {
    /// A wire to central.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn to(central: SocketAddr) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let wire = Self {
            address: listener.local_addr()?,
            state: Arc::default(),
        };
        wire.mend(central);
        let shared = wire.clone();
        thread::spawn(move || {
            for counter in listener.incoming().flatten() {
                let wire = shared.clone();
                thread::spawn(move || wire.carry(counter));
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
        state.central = None;
        for end in state.ends.drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// It leads to central.
    pub fn mend(&self, central: SocketAddr) {
        self.state().central = Some(central);
    }

    /// Requests for money since the last call, byte for byte.
    pub fn money(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.state().money)
    }

    fn carry(&self, counter: TcpStream) {
        let Some(address) = self.state().central else {
            return;
        };
        let Ok(central) = TcpStream::connect(address) else {
            return;
        };
        let Ok(
            [
                mut from_counter,
                mut to_counter,
                mut from_central,
                mut to_central,
            ],
        ) = ends(counter, central)
        else {
            return;
        };
        {
            let mut state = self.state();
            if state.central != Some(address) {
                return;
            }
            state.ends.retain(|end| end.peer_addr().is_ok());
            state.ends.extend(
                [&from_counter, &from_central]
                    .map(TcpStream::try_clone)
                    .into_iter()
                    .flatten(),
            );
        }
        let upwards = thread::spawn(move || {
            let mut asked = Vec::new();
            copy(&mut from_counter, &mut to_central, Some(&mut asked));
            let _ = to_central.shutdown(Shutdown::Write);
            asked
        });
        copy(&mut from_central, &mut to_counter, None);
        let _ = to_counter.shutdown(Shutdown::Both);
        if let Ok(asked) = upwards.join()
            && MONEY.iter().any(|money| asked.starts_with(money))
        {
            self.state().money.push(asked);
        }
    }
}

fn ends(counter: TcpStream, central: TcpStream) -> std::io::Result<[TcpStream; 4]> {
    counter.set_nodelay(true)?;
    central.set_nodelay(true)?;
    Ok([counter.try_clone()?, counter, central.try_clone()?, central])
}

fn copy(from: &mut TcpStream, to: &mut TcpStream, mut keep: Option<&mut Vec<u8>>) {
    let mut buffer = [0_u8; 16 * 1024];
    while let Ok(count) = from.read(&mut buffer) {
        let bytes = buffer.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            return;
        }
        if let Some(keep) = &mut keep {
            keep.extend_from_slice(bytes);
        }
        if to.write_all(bytes).is_err() {
            return;
        }
    }
}

/// Lets a copy of a request arrive late; the status of the answer.
pub fn arrives_late(request: &[u8], central: SocketAddr) -> Option<u16> {
    let mut stream = TcpStream::connect(central).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.write_all(request).ok()?;
    stream.shutdown(Shutdown::Write).ok()?;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let head = std::str::from_utf8(answer.get(..12)?).ok()?;
    head.split(' ').nth(1)?.parse().ok()
}

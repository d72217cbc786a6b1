//! A printer for tests that dies in every way, on a network address or on a line of this machine
//! (a pseudo-terminal), and says what a real one says.

pub mod death;
pub mod mechanism;
mod wire;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use keno_terminal::printer::{Driver, Flow, Parity, SerialLine};

pub use death::{Death, Plan};
pub use mechanism::{Mechanism, Printed, Received};
use wire::{Line, Network, Wire};

/// How the printer is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A network address.
    Network,
    /// A serial line.
    Serial,
    /// A line without settings, as the kernel gives a printer on USB.
    Usb,
}

/// What happens at the moment of death, besides it.
type Hook = Box<dyn FnOnce() + Send>;

/// What the printer and its wire share.
pub(crate) struct Shared {
    pub(crate) mechanism: Mechanism,
    pub(crate) at_death: Option<Hook>,
    /// A byte at a time.
    pub(crate) is_slow: bool,
}

/// A printer.
pub struct FakePrinter {
    way: Way,
    shared: Arc<Mutex<Shared>>,
    wire: Option<Box<dyn Wire + Send>>,
}

/// Waits for nobody: a thread that failed has told why.
pub(crate) fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes come from the wire: taken one by one; what becomes of the wire.
pub(crate) fn take(shared: &Mutex<Shared>, bytes: &[u8], out: &mut Vec<u8>) -> mechanism::Next {
    for &byte in bytes {
        let mut shared = lock(shared);
        let was_alive = shared.mechanism.died().is_none();
        let next = shared.mechanism.take(byte, out);
        if was_alive && shared.mechanism.died().is_some() {
            shared.is_slow = shared.mechanism.died() == Some(Death::Slow);
            if let Some(hook) = shared.at_death.take() {
                hook();
            }
        }
        if next != mechanism::Next::Continue {
            return next;
        }
    }
    mechanism::Next::Continue
}

impl FakePrinter {
    /// A sound printer that prints so many dots a line.
    pub fn new(way: Way, dots: usize) -> Self {
        let mut printer = Self {
            way,
            shared: Arc::new(Mutex::new(Shared {
                mechanism: Mechanism::new(dots),
                at_death: None,
                is_slow: false,
            })),
            wire: None,
        };
        printer.plug_in();
        printer
    }

    fn plug_in(&mut self) {
        self.wire = None;
        let shared = Arc::clone(&self.shared);
        self.wire = Some(match self.way {
            Way::Network => Box::new(Network::start(shared)),
            Way::Serial | Way::Usb => Box::new(Line::start(shared)),
        });
    }

    /// Where it is now: a printer that was plugged in again may have another device.
    ///
    /// # Panics
    /// While it is unplugged.
    pub fn driver(&self) -> Driver {
        let wire = self.wire.as_ref().expect("plugged in");
        match self.way {
            Way::Network => Driver::Network(wire.address().unwrap()),
            Way::Usb => Driver::Usb(self.device()),
            Way::Serial => Driver::Serial(
                self.device(),
                SerialLine {
                    speed: 115_200,
                    parity: Parity::None,
                    flow: Flow::None,
                },
            ),
        }
    }

    /// Its device.
    ///
    /// # Panics
    /// When it has none.
    pub fn device(&self) -> PathBuf {
        self.wire.as_ref().unwrap().device().unwrap()
    }

    /// The printer itself.
    pub fn mechanism<R>(&self, look: impl FnOnce(&mut Mechanism) -> R) -> R {
        look(&mut lock(&self.shared).mechanism)
    }

    /// The next job kills it.
    pub fn dies(&self, plan: Plan) {
        self.mechanism(|mechanism| mechanism.dies(plan));
    }

    /// What is done at the moment when it dies, before any further byte is taken.
    pub fn at_death(&self, hook: impl FnOnce() + Send + 'static) {
        lock(&self.shared).at_death = Some(Box::new(hook));
    }

    /// Waits until everything that was ever sent to it has been taken.
    pub fn settle(&self) {
        if let Some(wire) = &self.wire {
            wire.settle();
        }
    }

    /// Somebody mends it, and plugs it in again where the wire had ended.
    pub fn mend(&mut self) {
        self.settle();
        let died = self.mechanism(|mechanism| mechanism.died());
        let said = self.mechanism(Mechanism::mend);
        {
            let mut shared = lock(&self.shared);
            shared.is_slow = false;
            shared.at_death = None;
        }
        if died.is_some_and(Death::cuts_the_wire) {
            self.plug_in();
        } else if let Some(wire) = &self.wire {
            wire.say(&said);
        }
    }

    /// What came out and what hangs from it, as a person sees it.
    pub fn seen(&self) -> Vec<Printed> {
        self.settle();
        self.mechanism(|mechanism| mechanism.seen())
    }
}

/// Asks over a connection of its own, which is taken after all before it, whether they were.
pub(crate) fn settle_network(address: std::net::SocketAddr) {
    let Ok(mut stream) = TcpStream::connect(address) else {
        return;
    };
    let _ = stream.write_all(&[0x10, 0x05, b'S']);
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.read_to_end(&mut Vec::new());
}

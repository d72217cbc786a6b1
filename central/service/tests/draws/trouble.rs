//! Holders and a machine that get into trouble when a test says so; otherwise the house's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use keno_draw::adapter::{
    DrawEvent, DrawMachine, DrawOrder, InterruptReason, MachineFault, MachineKind,
};
use keno_draw::health::OsEntropy;
use keno_draw::holder::{FileHolder, HolderFault, Revealed, Seal, SealProof, SecretHolder};
use keno_draw::rng_machine::RngMachine;
use keno_service::central::{MachineParts, Options};

/// What goes wrong with a holder or with the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Trouble {
    None,
    SecretLost,
    SecretChanged,
    MachineAbsent,
    MachineInterrupted,
    MachineSilent,
    OtherNumbers,
    OtherOrder,
    NumberRepeated,
    TooMany,
    ARecording,
}

pub const TROUBLES: [Trouble; 10] = [
    Trouble::SecretLost,
    Trouble::SecretChanged,
    Trouble::MachineAbsent,
    Trouble::MachineInterrupted,
    Trouble::MachineSilent,
    Trouble::OtherNumbers,
    Trouble::OtherOrder,
    Trouble::NumberRepeated,
    Trouble::TooMany,
    Trouble::ARecording,
];

/// The trouble that holders and machine of a test are in now.
#[derive(Debug, Clone, Default)]
pub struct Switch(Arc<AtomicU8>);

impl Switch {
    pub fn set(&self, trouble: Trouble) {
        self.0.store(trouble as u8, Ordering::SeqCst);
    }

    fn is(&self, trouble: Trouble) -> bool {
        self.0.load(Ordering::SeqCst) == trouble as u8
    }

    /// Replaces the house's own holders and machine by the same ones with the switch before
    /// them.
    pub fn plant(&self, options: &mut Options) {
        let code = &options.house.code;
        let holders = options
            .house
            .holders
            .iter()
            .map(|holder| {
                let folder = options.folder.join(holder.folder().unwrap());
                let inner = FileHolder::open(&folder, code, holder.name(), OsEntropy).unwrap();
                Box::new(Holder {
                    inner,
                    switch: self.clone(),
                }) as Box<dyn SecretHolder>
            })
            .collect();
        let inner = RngMachine::open(&options.folder.join("draw-machine"), code).unwrap();
        options.machine = Some(MachineParts {
            machine: Box::new(Machine {
                inner,
                switch: self.clone(),
                yielded: Vec::new(),
                held_back: None,
            }),
            holders,
        });
    }
}

struct Holder {
    inner: FileHolder<OsEntropy>,
    switch: Switch,
}

impl SecretHolder for Holder {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn commit(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        self.inner.commit(draw)
    }

    fn reveal(
        &mut self,
        draw: u64,
        seal: &Seal,
        proof: &SealProof,
    ) -> Result<Revealed, HolderFault> {
        if self.name() == "audit" && self.switch.is(Trouble::SecretLost) {
            return Err(HolderFault::DrawUnknown { draw });
        }
        let mut revealed = SecretHolder::reveal(&mut self.inner, draw, seal, proof)?;
        if self.name() == "audit" && self.switch.is(Trouble::SecretChanged) {
            revealed.secret[31] ^= 1;
        }
        Ok(revealed)
    }

    fn publish_void(&mut self, draw: u64) -> Result<[u8; 32], HolderFault> {
        if self.name() == "audit" && self.switch.is(Trouble::SecretLost) {
            return Err(HolderFault::DrawUnknown { draw });
        }
        self.inner.publish_void(draw)
    }
}

struct Machine {
    inner: RngMachine,
    switch: Switch,
    yielded: Vec<u8>,
    held_back: Option<u8>,
}

impl DrawMachine for Machine {
    fn kind(&self) -> MachineKind {
        if self.switch.is(Trouble::ARecording) {
            return MachineKind::Replay;
        }
        self.inner.kind()
    }

    fn begin(&mut self, order: &DrawOrder) -> Result<(), MachineFault> {
        if self.switch.is(Trouble::MachineAbsent) {
            return Err(MachineFault::NotBegun);
        }
        self.yielded.clear();
        self.held_back = None;
        self.inner.begin(order)
    }

    fn next(&mut self) -> Result<DrawEvent, MachineFault> {
        let place = self.yielded.len();
        if self.switch.is(Trouble::MachineInterrupted) && place == 7 {
            return Ok(DrawEvent::Interrupted {
                reason: InterruptReason::ConnectionLost,
            });
        }
        if self.switch.is(Trouble::MachineSilent) && place == 7 {
            return Ok(DrawEvent::Waiting);
        }
        if let Some(number) = self.held_back.take() {
            self.yielded.push(number);
            return Ok(DrawEvent::Ball {
                position: 2,
                number,
                at_ms: None,
            });
        }
        let event = self.inner.next()?;
        let DrawEvent::Ball {
            position,
            mut number,
            at_ms,
        } = event
        else {
            if self.switch.is(Trouble::TooMany) && place == 20 {
                self.yielded.push(0);
                let number = (1..=80).find(|n| !self.yielded.contains(n)).unwrap();
                return Ok(DrawEvent::Ball {
                    position: 21,
                    number,
                    at_ms: None,
                });
            }
            return Ok(event);
        };
        if place == 19 {
            if self.switch.is(Trouble::OtherNumbers) {
                self.yielded.push(number);
                number = (1..=80).find(|n| !self.yielded.contains(n)).unwrap();
            } else if self.switch.is(Trouble::NumberRepeated) {
                number = self.yielded[3];
            }
        }
        if place == 0 && self.switch.is(Trouble::OtherOrder) {
            // The second ball first: the same set, in another order.
            self.held_back = Some(number);
            if let DrawEvent::Ball { number: second, .. } = self.inner.next()? {
                number = second;
            }
        }
        self.yielded.push(number);
        Ok(DrawEvent::Ball {
            position,
            number,
            at_ms,
        })
    }
}

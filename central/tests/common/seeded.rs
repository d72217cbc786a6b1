//! A house in which nothing is left to chance: keys, secrets of draws, credentials and tokens come
//! from known seeds, and the clock stands. What is sent to it in the same order is answered the
//! same, byte for byte.

use keno_draw::health::{EntropyFault, EntropySource};
use keno_draw::holder::{FileHolder, SecretHolder};
use keno_draw::rng_machine::RngMachine;
use keno_log::hash::sha256;
use keno_record::chance::Chance;
use keno_service::central::MachineParts;

use super::*;

/// Entropy of a known seed: hashes of a counter.
struct Counted {
    seed: String,
    next: u64,
}

impl EntropySource for Counted {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), EntropyFault> {
        for part in buffer.chunks_mut(32) {
            self.next += 1;
            let bytes = sha256(format!("{} {}", self.seed, self.next).as_bytes());
            part.copy_from_slice(&bytes[..part.len()]);
        }
        Ok(())
    }
}

fn options_of_a_seed(folder: &Path, clock: &Arc<ManualClock>) -> Options {
    let mut options = options(folder, clock, None);
    let house = &options.house;
    let holders: Vec<Box<dyn SecretHolder>> = house
        .holders
        .iter()
        .map(|holder| {
            let entropy = Counted {
                seed: holder.name().to_owned(),
                next: 0,
            };
            let at = folder.join(holder.folder().unwrap());
            let holder = FileHolder::open(&at, &house.code, holder.name(), entropy).unwrap();
            Box::new(holder) as Box<dyn SecretHolder>
        })
        .collect();
    let machine = RngMachine::open(&folder.join("draw-machine"), &house.code).unwrap();
    options.machine = Some(MachineParts {
        machine: Box::new(machine),
        holders,
    });
    options.chance = Chance::seeded([9; 32]);
    options.instance = Some("seeded".to_owned());
    options
}

impl House {
    /// A founded house as [`House::new`] makes one, where everything comes from seeds.
    pub fn seeded() -> Self {
        Self::founded((RULES, Pins::Quick(pin_of)), options_of_a_seed)
    }

    /// Waits until the checkpoint of all that is recorded is published, which comes after the
    /// answer: what is asked next may say it.
    pub fn published(&self) {
        blocking(|| {
            let size = self
                .central
                .sequencer
                .look_blocking(|state| Ok::<_, keno_service::Stop>(state.edge.size()))
                .unwrap();
            while self
                .central
                .checkpoint()
                .is_none_or(|newest| newest.size < size)
            {
                std::thread::yield_now();
            }
        });
    }
}

//! A house in which nothing is left to chance: keys, secrets of draws, credentials and tokens come
//! from known seeds, and the clock stands. What is sent to it in the same order is answered the
//! same, byte for byte.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version};
use keno_draw::health::{EntropyFault, EntropySource};
use keno_draw::holder::{FileHolder, SecretHolder};
use keno_draw::rng_machine::RngMachine;
use keno_log::event::PersonRecorded;
use keno_log::hash::sha256;
use keno_record::chance::Chance;
use keno_record::sequencer::Lane;
use keno_service::central::MachineParts;
use keno_service::draw::Conductor;
use keno_service::house;
use keno_service::staff::{Credential, DeviceNumber};

use super::*;

/// Badges and roles: clerks, supervisors (S2 also at the cage), an auditor.
const PEOPLE: [(&str, &[Role]); 5] = [
    ("C1", &[Role::Clerk]),
    ("C2", &[Role::Clerk]),
    ("S1", &[Role::Supervisor]),
    ("S2", &[Role::Supervisor, Role::Cage]),
    ("A1", &[Role::Auditor]),
];

/// Who recorded them, beside them.
const ADMINISTRATORS: [&str; 2] = ["X1", "X2"];

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

/// What a PIN is tried against, with a salt that is known and little work.
fn credential(central: &Central, badge: &str) -> Credential {
    let peppered = central.keys.peppered(badge, &pin_of(badge));
    let quick = Params::new(Params::MIN_M_COST, 1, 1, None).unwrap();
    let phc = Argon2::new(Algorithm::Argon2id, Version::V0x13, quick)
        .hash_password_with_salt(peppered.as_slice(), &sha256(badge.as_bytes())[..16])
        .unwrap()
        .to_string();
    Credential {
        hash: sha256(phc.as_bytes()),
        phc,
    }
}

fn record_people(central: &Central) {
    let founders = ADMINISTRATORS.map(|badge| (badge, &[Role::Administrator][..]));
    let people: Vec<PersonRecorded> = founders
        .into_iter()
        .chain(PEOPLE)
        .map(|(badge, roles)| {
            let made = credential(central, badge);
            made.make_known(central);
            let (by, second) = match roles {
                [Role::Administrator] => ("console", ""),
                _ => ("X1", "X2"),
            };
            PersonRecorded {
                badge: badge.to_owned(),
                staff: badge.to_owned(),
                name: String::new(),
                roles: roles.iter().map(|role| role.number()).collect(),
                credential: made.hash,
                must_change: false,
                card: 0,
                active: true,
                by: by.to_owned(),
                second: second.to_owned(),
            }
        })
        .collect();
    central
        .sequencer
        .submit_blocking(Lane::Money, move |judge| {
            for person in &people {
                judge.record(person.clone())?;
            }
            Ok::<_, keno_service::Stop>(())
        })
        .unwrap();
}

impl House {
    /// A founded house as [`House::new`] makes one, where everything comes from seeds.
    pub fn seeded() -> Self {
        let folder = TestFolder::new().unwrap();
        let clock = Arc::new(ManualClock::at(NOON_MS));
        blocking(move || {
            let central = Central::open(options_of_a_seed(folder.path(), &clock)).unwrap();
            record_people(&central);
            let keys: BTreeMap<u32, String> = DEVICES
                .into_iter()
                .map(|(number, name, role)| {
                    let key =
                        DeviceNumber(number).record(&central, name, role.number(), ("X1", "X2"));
                    (number, key.unwrap())
                })
                .collect();
            house::publish_rules(&central, RULES, 1, "X1", "S1").unwrap();
            Conductor::tick(&central);
            let app = web::Data::new(App::new(Arc::clone(&central), folder.path()).unwrap());
            Self {
                folder,
                clock,
                central,
                app,
                keys,
                counter: AtomicU64::new(0),
            }
        })
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

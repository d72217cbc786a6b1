//! Hosts of a house on loopback, each of which can be away, or die in the middle of an answer.

use std::collections::BTreeMap;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keno_draw::{FileHolder, OsEntropy};
use keno_draw_machine::line::{Answer, Ask, HOST_BOUNDS};
use keno_draw_machine::part::{DrawPart, Giver, HolderPart, MachinePart};
use keno_game::DrawState;
use keno_line::server::Part;
use keno_line::{HostKey, HostPlace, server, trust};
use keno_log::checkpoint::VerifyingKey;
use keno_record::chance::Chance;
use keno_record::clock::Clock;
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::past_draws::draw_range;
use keno_record::record::{keys_path, origin_of};
use keno_record::view::DrawInfo;
use keno_service::central::Options;
use keno_service::draw::Conductor;
use keno_service::house_file::Holder;
use parking_lot::Mutex;

use super::support::{House, RULES, slip, straight};

pub const HOLDERS: [&str; 2] = ["machine", "audit"];

/// A host that can be away, or die after so many lines of an answer.
pub struct Gate {
    pub part: Option<Box<DrawPart>>,
    pub dies_after: Option<usize>,
}

impl Part for Gate {
    type Ask = Ask;
    type Answer = Answer;

    fn answer(
        &mut self,
        ask: Ask,
        say: &mut dyn FnMut(Answer) -> io::Result<()>,
    ) -> io::Result<()> {
        let gone = || io::Error::from(io::ErrorKind::ConnectionReset);
        let mut left = self.dies_after.take().unwrap_or(usize::MAX);
        let part = self.part.as_mut().ok_or_else(gone)?;
        let mut died = false;
        let answered = part.answer(ask, &mut |answer| {
            if left == 0 {
                died = true;
                return Err(gone());
            }
            left -= 1;
            say(answer)
        });
        if died {
            self.part = None;
        }
        answered
    }
}

/// The hosts of a house, on loopback.
pub struct Hosts {
    pub folder: tempfile::TempDir,
    pub house: String,
    pub log: VerifyingKey,
    pub clock: Arc<dyn Clock>,
    pub places: Vec<HostPlace>,
    pub gates: Vec<Arc<Mutex<Gate>>>,
}

pub const MACHINE: usize = 0;

pub fn name_of(place: usize) -> &'static str {
    ["draw-room", "machine-room", "audit-office"][place]
}

impl Hosts {
    /// Starts the hosts of a house whose keys are these.
    pub fn start(keys: &ServerKeys, house: &str, clock: &Arc<dyn Clock>) -> Self {
        let log = signing_key(keys, &origin_of(house)).unwrap();
        let mut hosts = Self {
            folder: tempfile::tempdir().unwrap(),
            house: house.to_owned(),
            log: log.verifying_key().clone(),
            clock: Arc::clone(clock),
            places: Vec::new(),
            gates: Vec::new(),
        };
        let central = HostKey::of_central(*keys.draw_line_seed()).unwrap();
        for place in 0..=HOLDERS.len() {
            let own = HostKey::read_or_make(&hosts.at(place), name_of(place)).unwrap();
            let config = Arc::new(trust::server(&own, central.verifying_key()).unwrap());
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            hosts.places.push(HostPlace {
                address: listener.local_addr().unwrap().to_string(),
                key: own.verifying_key().clone(),
            });
            let gate = Arc::new(Mutex::new(Gate {
                part: None,
                dies_after: None,
            }));
            let served: Arc<Mutex<DrawPart>> = gate.clone();
            std::thread::spawn(move || server::serve(&listener, &config, HOST_BOUNDS, &served));
            hosts.gates.push(gate);
        }
        (0..=HOLDERS.len()).for_each(|place| hosts.come_back(place));
        hosts
    }

    pub fn at(&self, place: usize) -> PathBuf {
        self.folder.path().join(name_of(place))
    }

    pub fn part(&self, place: usize) -> Box<DrawPart> {
        let key = HostKey::read(&self.at(place), name_of(place)).unwrap();
        if place != MACHINE {
            let name = HOLDERS[place - 1];
            let (first, second) = (self.at(place), self.at(place).join("second"));
            let folders = [first.as_path(), second.as_path()];
            let holder = FileHolder::open_twice(folders, &self.house, name, OsEntropy).unwrap();
            return Box::new(HolderPart::new(holder, &self.house, key, self.log.clone()));
        }
        let keys = HOLDERS.iter().zip(&self.places[1..]);
        let keys: BTreeMap<String, Giver> = keys
            .map(|(name, place)| ((*name).to_owned(), Giver::Host(place.key.clone())))
            .collect();
        let clock = Arc::clone(&self.clock);
        let clock = Arc::new(move || clock.now_ms());
        let (at, log) = (self.at(place), self.log.clone());
        Box::new(MachinePart::open(&at, &self.house, key, log, keys, clock).unwrap())
    }

    /// The host is off.
    pub fn go_away(&self, place: usize) {
        self.gates[place].lock().part = None;
    }

    /// The host starts, with what its journal holds.
    pub fn come_back(&self, place: usize) {
        let mut gate = self.gates[place].lock();
        gate.part = None;
        gate.part = Some(self.part(place));
    }

    pub fn holders(&self) -> Vec<Holder> {
        let named = HOLDERS.iter().zip(&self.places[1..]);
        named
            .map(|(name, place)| Holder::Host((*name).to_owned(), Box::new(place.clone())))
            .collect()
    }

    pub fn in_house_file(&self, options: &mut Options) {
        options.house.machine = Some(self.places[MACHINE].clone());
        options.house.holders = self.holders();
    }

    pub fn draws_on_record(&self) -> u64 {
        match self.gates[MACHINE].lock().part.as_mut() {
            None => panic!("the machine is away"),
            Some(part) => {
                let mut draws = 0;
                part.answer(Ask::State, &mut |answer| {
                    if let Answer::State { draws: found, .. } = answer {
                        draws = found;
                    }
                    Ok(())
                })
                .unwrap();
                draws
            }
        }
    }
}

/// Makes the keys of a house that is not founded yet.
pub fn keys_in(folder: &Path) -> ServerKeys {
    let keys = ServerKeys::generate(&Chance::System).unwrap();
    keys.save_new(&keys_path(folder)).unwrap();
    keys
}

pub fn house_with_hosts(database: Option<&str>) -> (House, Hosts) {
    let mut hosts = None;
    let house = House::founded(database, RULES, |options| {
        let keys = keys_in(&options.folder);
        let started = Hosts::start(&keys, &options.house.code, &options.clock);
        started.in_house_file(options);
        hosts = Some(started);
    });
    (house, hosts.unwrap())
}

pub fn on_both(test: fn(House, Hosts)) {
    let (house, hosts) = house_with_hosts(None);
    test(house, hosts);
    let database = keno_testing::empty_postgres_database().unwrap();
    let (house, hosts) = house_with_hosts(Some(database.address()));
    test(house, hosts);
}

pub fn draw_of(house: &House, draw: u64) -> DrawInfo {
    draw_range(&house.central, draw, draw).unwrap().remove(0)
}

pub fn balls(house: &House, draw: u64) -> Vec<u8> {
    let interval = house.central.schedule.ball_interval_ms;
    draw_of(house, draw).shown(i64::MAX, interval).to_vec()
}

/// Lets time pass, a second at a time, until the numbers of a draw are due and asked for once.
pub fn until_asked(house: &House, draw: u64) {
    house.until_closed(draw);
    for _ in 0..600 {
        let state = draw_of(house, draw).state();
        if state != DrawState::Closed {
            return;
        }
        house.clock.advance(1_000);
        Conductor::tick(&house.central);
    }
    panic!("draw {draw} is not drawn");
}

pub fn sell(house: &House) -> u64 {
    let clerk = house.clerk(1, "C1");
    let sold = house.sell(&clerk, slip(vec![straight(&[1, 2, 3], 100)], 1));
    sold.sold.first_draw
}

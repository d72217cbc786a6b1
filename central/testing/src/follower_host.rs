//! A follower of the log on a host of its own, for tests: it can be away, and begin anew.

use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use keno_audit::follow::Follower;
use keno_line::follow::{Answer, Ask, BOUNDS};
use keno_line::server::Part;
use keno_line::{HostKey, HostPlace, server, trust};
use keno_log::checkpoint::VerifyingKey;
use keno_record::chance::Chance;
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::record::{keys_path, origin_of};
use keno_service::central::Options;
use parking_lot::Mutex;

/// Name of the host.
const NAME: &str = "audit-office";
/// What it takes for the time, in seconds since 1970.
pub const FOLLOWER_NOW: u64 = 1_790_000_000;

struct Gate {
    follower: Option<Follower>,
    lies: bool,
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
        let lies = self.lies;
        let follower = self.follower.as_mut().ok_or_else(gone)?;
        follower.answer(ask, &mut |mut answer| {
            if let (true, Answer::Followed { draws, .. }) = (lies, &mut answer) {
                for draw in draws {
                    // What it signed is the contrary.
                    draw.finding = match draw.finding.as_str() {
                        "" => "void_totals".to_owned(),
                        _ => String::new(),
                    };
                    draw.entry = None;
                }
            }
            say(answer)
        })
    }
}

/// The host of a follower, on loopback.
pub struct FollowerHost {
    folder: keno_testing::TestFolder,
    house: String,
    log: VerifyingKey,
    place: HostPlace,
    gate: Arc<Mutex<Gate>>,
}

impl FollowerHost {
    /// Starts the follower of a house, and names it in its file; the keys of a house that is not founded
    /// yet are made.
    ///
    /// # Errors
    /// When something of it cannot be made.
    pub fn start(options: &mut Options) -> anyhow::Result<Self> {
        let at = keys_path(&options.folder);
        if !at.exists() {
            ServerKeys::generate(&Chance::System)?.save_new(&at)?;
        }
        let keys = ServerKeys::load(&at)?;
        let house = options.house.code.clone();
        let folder = keno_testing::TestFolder::new()?;
        let own = HostKey::read_or_make(folder.path(), NAME)?;
        let central = HostKey::of_central(*keys.draw_line_seed())?;
        let config = Arc::new(trust::server(&own, central.verifying_key())?);
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let place = HostPlace {
            address: listener.local_addr()?.to_string(),
            key: own.verifying_key().clone(),
        };
        let gate = Arc::new(Mutex::new(Gate {
            follower: None,
            lies: false,
        }));
        let served = Arc::clone(&gate);
        std::thread::spawn(move || server::serve(&listener, &config, BOUNDS, &served));
        let log = signing_key(&keys, &origin_of(&house)).context("the log key")?;
        let host = Self {
            folder,
            house,
            log: log.verifying_key().clone(),
            place,
            gate,
        };
        host.come_back("copy")?;
        host.in_house_file(options);
        Ok(host)
    }

    /// Names it in a house file, as at the start.
    pub fn in_house_file(&self, options: &mut Options) {
        options.house.follower = Some(self.place.clone());
    }

    /// Its key.
    pub const fn key(&self) -> &VerifyingKey {
        &self.place.key
    }

    /// It starts with the copy in a folder; in an empty one it begins anew.
    ///
    /// # Errors
    /// What is wrong with the copy.
    pub fn come_back(&self, folder: &str) -> anyhow::Result<()> {
        let mut gate = self.gate.lock();
        gate.follower = None;
        let key = HostKey::read(self.folder.path(), NAME)?;
        let at = self.folder.path().join(folder);
        let clock = Arc::new(|| FOLLOWER_NOW);
        let opened = Follower::open(&at, &self.house, key, self.log.clone(), clock);
        gate.follower = Some(opened.map_err(|fault| anyhow!("{fault}"))?);
        Ok(())
    }

    /// From here on it says the contrary of what it signs.
    pub fn lie(&self) {
        self.gate.lock().lies = true;
    }

    /// The host is off.
    pub fn go_away(&self) {
        self.gate.lock().follower = None;
    }

    /// Entries that it has; none while it is away.
    pub fn size(&self) -> Option<u64> {
        self.gate.lock().follower.as_ref().map(Follower::size)
    }
}

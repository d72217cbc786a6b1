//! A beacon of randomness for tests: rounds of any number, by a key that everybody knows.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use blst::min_sig::SecretKey;
use sha2::{Digest as _, Sha256};

/// Moment of its round 1, UTC seconds: that of drand's quicknet, so that both have the same rounds.
const FIRST_S: u64 = 1_692_803_367;
/// From one round to the next, in seconds.
const PERIOD_S: u64 = 3;

/// A network of one node, by a number.
#[derive(Debug)]
pub struct Network {
    key: SecretKey,
}

impl Network {
    /// The network that follows from `number`.
    ///
    /// # Panics
    /// Never: 32 bytes make a key.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "a helper of tests, whose failures are the test's"
    )]
    pub fn new(number: u8) -> Self {
        let key = SecretKey::key_gen(&[number; 32], &[]).expect("32 bytes make a key");
        Self { key }
    }

    /// What a house file and the record have of it: scheme, name, moment of round 1, period, key.
    #[must_use]
    pub fn text(&self) -> String {
        let key = hex::encode(self.key.sk_to_pk().to_bytes());
        format!("bls-unchained-g1-rfc9380 testnet {FIRST_S} {PERIOD_S} {key}")
    }

    /// A round: number and signature.
    #[must_use]
    pub fn round(&self, number: u64) -> String {
        format!("{number} {}", self.signature(number))
    }

    /// The signature of a round, in hexadecimal.
    #[must_use]
    pub fn signature(&self, number: u64) -> String {
        let message = Sha256::digest(number.to_be_bytes());
        let domain = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
        hex::encode(self.key.sign(&message, domain, &[]).to_bytes())
    }
}

/// What a relay says of the rounds that it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// The round.
    Round,
    /// That there is no such round yet.
    NotYet,
    /// The round with another bit in it.
    Changed,
    /// The round before, under its own number.
    Before,
    /// The round before, under the number that was asked for.
    Passed,
    /// What is no answer.
    Noise,
    /// Nothing: it takes the connection and hangs up.
    Nothing,
    /// Nothing, and it keeps the connection: the round once it says something else.
    Later,
}

/// A relay of a network on loopback, for as long as the test runs.
#[derive(Debug)]
pub struct Relay {
    address: String,
    says: Arc<(Mutex<(Says, u32)>, Condvar)>,
}

impl Relay {
    /// Serves the rounds of `network`.
    ///
    /// # Errors
    /// No free port on loopback.
    pub fn of(network: Network) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}/public", listener.local_addr()?);
        let says = Arc::new((Mutex::new((Says::Round, 0)), Condvar::new()));
        let said = Arc::clone(&says);
        // It ends with the test: it only ever answers.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let says = {
                    let mut now = said.0.lock().unwrap_or_else(PoisonError::into_inner);
                    now.1 += 1;
                    while now.0 == Says::Later {
                        now = said.1.wait(now).unwrap_or_else(PoisonError::into_inner);
                    }
                    now.0
                };
                // Who asked may be gone.
                let _ = answer(stream, &network, says);
            }
        });
        Ok(Self { address, says })
    }

    /// The address before the number of a round.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Says this from here on.
    pub fn say(&self, says: Says) {
        self.now().0 = says;
        self.says.1.notify_all();
    }

    /// How often it was asked.
    #[must_use]
    pub fn asked(&self) -> u32 {
        self.now().1
    }

    fn now(&self) -> MutexGuard<'_, (Says, u32)> {
        self.says.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn answer(mut stream: TcpStream, network: &Network, says: Says) -> std::io::Result<()> {
    let mut request = String::new();
    let mut reader = BufReader::new(stream.try_clone()?);
    reader.read_line(&mut request)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let number = path.strip_prefix("/public/").unwrap_or_default();
    let number: u64 = number.parse().unwrap_or(0);
    let json = |number: u64, signature: &str| {
        format!("{{\"round\":{number},\"randomness\":\"unread\",\"signature\":\"{signature}\"}}")
    };
    let (status, body) = match says {
        Says::Nothing | Says::Later => return Ok(()),
        Says::NotYet => ("404 Not Found", String::new()),
        Says::Noise => ("200 OK", "a page of a hotel".to_owned()),
        Says::Round => ("200 OK", json(number, &network.signature(number))),
        Says::Before => ("200 OK", json(number - 1, &network.signature(number - 1))),
        Says::Passed => ("200 OK", json(number, &network.signature(number - 1))),
        Says::Changed => {
            let signature = network.signature(number);
            let last = if signature.ends_with('0') { "1" } else { "0" };
            let changed = format!("{}{last}", &signature[..signature.len() - 1]);
            ("200 OK", json(number, &changed))
        }
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

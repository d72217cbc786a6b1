//! Central's end of the line: a host at its place, which is asked.

use std::fmt;
use std::io::{self, BufReader};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::Duration;

use keno_log::checkpoint::VerifyingKey;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};
use serde::{Deserialize, Serialize};

use crate::deadline::Deadline;
use crate::host_key::HostKey;
use crate::{Bounds, frame, trust};

/// How long a connection is waited for.
const CONNECT_WITHIN: Duration = Duration::from_secs(1);

/// Where a host is, and the key that is pinned for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPlace {
    /// Name or IP address, colon, port.
    pub address: String,
    /// The host's key, which carries its name.
    pub key: VerifyingKey,
}

/// A host as central knows it.
#[derive(Clone)]
pub struct Host {
    house: String,
    place: HostPlace,
    config: Arc<ClientConfig>,
    bounds: Bounds,
}

impl fmt::Debug for Host {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HostPlace { address, key } = &self.place;
        write!(formatter, "{} at {address}", key.name())
    }
}

impl Host {
    /// The host at its place, to which central shows `own`.
    ///
    /// # Errors
    /// When TLS does not take the keys.
    pub fn new(
        house: &str,
        place: &HostPlace,
        own: &HostKey,
        bounds: Bounds,
    ) -> Result<Self, rustls::Error> {
        Ok(Self {
            house: house.to_owned(),
            place: place.clone(),
            config: Arc::new(trust::client(own, &place.key)?),
            bounds,
        })
    }

    /// The house that asks.
    #[must_use]
    pub fn house(&self) -> &str {
        &self.house
    }

    /// Its key.
    #[must_use]
    pub const fn key(&self) -> &VerifyingKey {
        &self.place.key
    }

    /// Its name: where it is, is nobody's business, and what is said of it may be recorded.
    #[must_use]
    pub fn name(&self) -> &str {
        self.place.key.name()
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for address in self.place.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT_WITHIN) {
                Ok(stream) => return Ok(stream),
                Err(fault) => last = fault,
            }
        }
        Err(last)
    }

    /// Asks, and gives the line on which the answers come.
    ///
    /// # Errors
    /// What the network did wrong.
    pub fn ask(&self, ask: &impl Serialize) -> io::Result<Answers> {
        let stream = Deadline::new(self.connect()?, self.bounds.within)?;
        // The key is the name: what is asked for here is looked at by nobody.
        let name = ServerName::from(std::net::Ipv4Addr::LOCALHOST);
        let tls =
            ClientConnection::new(Arc::clone(&self.config), name).map_err(io::Error::other)?;
        let mut line = BufReader::new(StreamOwned::new(tls, stream));
        frame::write(line.get_mut(), ask)?;
        let line_bytes = self.bounds.line_bytes;
        Ok(Answers { line, line_bytes })
    }

    /// Asks for one answer.
    ///
    /// # Errors
    /// What the network or the other end did wrong.
    pub fn answer<A: for<'de> Deserialize<'de>>(&self, ask: &impl Serialize) -> io::Result<A> {
        self.ask(ask)?.next()
    }
}

/// The answers to one ask.
#[derive(Debug)]
pub struct Answers {
    line: BufReader<StreamOwned<ClientConnection, Deadline>>,
    line_bytes: usize,
}

impl Answers {
    /// The next one.
    ///
    /// # Errors
    /// What the network or the other end did wrong; `UnexpectedEof` where there is none.
    #[expect(
        clippy::should_implement_trait,
        reason = "what ends before it should is a fault, and no end"
    )]
    pub fn next<A: for<'de> Deserialize<'de>>(&mut self) -> io::Result<A> {
        frame::read(&mut self.line, self.line_bytes)?
            .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

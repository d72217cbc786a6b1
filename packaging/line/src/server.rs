//! The host's end of the line: one ask a connection, of central alone.

use std::io::{self, BufReader};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde::{Deserialize, Serialize};

use crate::deadline::Deadline;
use crate::{Bounds, frame};

/// Connections at once; what is beyond is cut off at once. Central has one or two.
const CONNECTIONS_MAX: usize = 64;

/// How long a handshake may take.
const HANDSHAKE_WITHIN: Duration = Duration::from_secs(5);

/// No.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// Stable name.
    pub name: String,
    /// For people, in English.
    pub words: String,
}

impl Refused {
    /// No, by its name, and in words.
    #[must_use]
    pub fn new(name: &str, words: String) -> Self {
        Self {
            name: name.to_owned(),
            words,
        }
    }
}

/// An answer that can be no.
pub trait MayRefuse: From<Refused> {
    /// Why it is no.
    fn refusal(&self) -> Option<&Refused>;
}

/// What a host is.
pub trait Part: Send {
    /// What central asks of it.
    type Ask: for<'de> Deserialize<'de>;
    /// What it answers.
    type Answer: Serialize + MayRefuse;

    /// Answers an ask, one line or several, in their order.
    ///
    /// # Errors
    /// What `say` said: the other end has gone. What was journalled stays so.
    fn answer(
        &mut self,
        ask: Self::Ask,
        say: &mut dyn FnMut(Self::Answer) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// Answers at `listener` for as long as the program lives.
pub fn serve<P: Part + ?Sized + 'static>(
    listener: &TcpListener,
    config: &Arc<ServerConfig>,
    bounds: Bounds,
    part: &Arc<Mutex<P>>,
) {
    let open = Arc::new(AtomicUsize::new(0));
    let mut is_full = false;
    for stream in listener.incoming() {
        let stream = match stream {
            Ok(stream) => stream,
            Err(fault) => {
                tracing::warn!(%fault, "a connection could not be taken");
                continue;
            }
        };
        let place = Place::take(&open);
        // Told once each time: whoever floods this port is not to fill the disk as well.
        if place.is_none() {
            if !std::mem::replace(&mut is_full, true) {
                tracing::warn!("too many connections: they are cut off until there is a place");
            }
            continue;
        }
        is_full = false;
        let (config, part) = (Arc::clone(config), Arc::clone(part));
        let spawned = thread::Builder::new().spawn(move || {
            let _place = place;
            match answer(stream, config, bounds, &part) {
                Ok(()) => {}
                // Somebody looked whether anything listens here.
                Err(fault) if fault.kind() == io::ErrorKind::UnexpectedEof => {
                    tracing::debug!(%fault, "a connection ended without an answer");
                }
                Err(fault) => tracing::warn!(%fault, "a connection ended without an answer"),
            }
        });
        if let Err(fault) = spawned {
            tracing::error!(%fault, "no thread for a connection");
        }
    }
}

/// One of the connections that there may be.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(open: &Arc<AtomicUsize>) -> Option<Self> {
        let place = Self(Arc::clone(open));
        // Given back by the drop, also when there were too many.
        (open.fetch_add(1, Ordering::Relaxed) < CONNECTIONS_MAX).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn answer<P: Part + ?Sized>(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    bounds: Bounds,
    part: &Mutex<P>,
) -> io::Result<()> {
    // Whoever has not shown central's key by then has no place here for as long as an answer takes.
    let mut stream = Deadline::new(stream, bounds.within.min(HANDSHAKE_WITHIN))?;
    let mut tls = ServerConnection::new(config).map_err(io::Error::other)?;
    while tls.is_handshaking() {
        if let (0, 0) = tls.complete_io(&mut stream)? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    stream.extend(bounds.within);
    let mut line = BufReader::new(StreamOwned::new(tls, stream));
    let ask = match frame::read::<P::Ask>(&mut line, bounds.line_bytes) {
        Ok(Some(ask)) => ask,
        Ok(None) => return Ok(()),
        // Only central gets so far: what it says and this host does not know is of another version.
        Err(fault)
            if fault.kind() == io::ErrorKind::InvalidData
                && !line.get_ref().conn.is_handshaking() =>
        {
            let refused = P::Answer::from(Refused::new("unreadable", fault.to_string()));
            return frame::write(line.get_mut(), &refused);
        }
        Err(fault) => return Err(fault),
    };
    let mut said = Ok(());
    let answered = part.lock().answer(ask, &mut |answer| {
        if let Some(Refused { name, words }) = answer.refusal() {
            tracing::warn!(%name, %words, "refused");
        }
        frame::write(line.get_mut(), &answer)
    });
    if let Err(fault) = answered {
        said = Err(fault);
    }
    let out = line.get_mut();
    out.conn.send_close_notify();
    while out.conn.wants_write() {
        out.conn.write_tls(&mut out.sock)?;
    }
    said
}

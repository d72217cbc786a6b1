//! The host's end of the line: one ask a connection, of central alone.

use std::io::{self, BufReader};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::deadline::Deadline;
use crate::line::{self, Answer, Ask};
use crate::part::Part;

/// How long a connection may last: a stranger that says nothing is cut off after it.
const CONNECTION_WITHIN: Duration = Duration::from_secs(5);
/// Connections at once; what is beyond is cut off at once. Central has one or two.
const CONNECTIONS_MAX: usize = 64;

/// Answers at `listener` for as long as the program lives.
pub fn serve(listener: &TcpListener, config: &Arc<ServerConfig>, part: &Arc<Mutex<dyn Part>>) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let stream = match stream {
            Ok(stream) => stream,
            Err(fault) => {
                tracing::warn!(%fault, "a connection could not be taken");
                continue;
            }
        };
        let place = Place::take(&open);
        if place.is_none() {
            tracing::warn!("too many connections: one is cut off");
            continue;
        }
        let (config, part) = (Arc::clone(config), Arc::clone(part));
        let spawned = thread::Builder::new().spawn(move || {
            let _place = place;
            match answer(stream, config, &part) {
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

fn answer(stream: TcpStream, config: Arc<ServerConfig>, part: &Mutex<dyn Part>) -> io::Result<()> {
    let stream = Deadline::new(stream, CONNECTION_WITHIN)?;
    let tls = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut line = BufReader::new(StreamOwned::new(tls, stream));
    let ask = match line::read::<Ask>(&mut line) {
        Ok(Some(ask)) => ask,
        Ok(None) => return Ok(()),
        // Only central gets so far: what it says and this host does not know is of another version.
        Err(fault)
            if fault.kind() == io::ErrorKind::InvalidData
                && !line.get_ref().conn.is_handshaking() =>
        {
            let refused = Answer::Refused {
                name: "unreadable".to_owned(),
                words: fault.to_string(),
            };
            return line::write(line.get_mut(), &refused);
        }
        Err(fault) => return Err(fault),
    };
    let mut said = Ok(());
    let answered = part.lock().answer(ask, &mut |answer| {
        if let Answer::Refused { name, words } = &answer {
            tracing::warn!(%name, %words, "refused");
        }
        line::write(line.get_mut(), &answer)
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

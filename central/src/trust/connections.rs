//! Who is connected with TLS, by key: so that a device whose key ends is cut off at once, in the
//! middle of a stream if need be, and not when it next asks for something.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use actix_web::HttpRequest;
use keno_record::view::View;
use parking_lot::{Mutex, MutexGuard};

use super::Hash;
use super::rotation::Rotations;
use crate::entrance::Line;

#[derive(Debug, Default)]
struct Open {
    next: u64,
    by_number: HashMap<u64, (Hash, Arc<Line>)>,
}

/// Connections that showed a certificate.
#[derive(Debug, Default)]
pub struct Connections(Mutex<Open>);

/// The hash of no key: no device has it.
pub const NOBODY: Hash = [0; 32];

/// The other end of a connection with TLS; it is in every request of that connection.
#[derive(Debug)]
pub struct Peer {
    /// SHA-256 of the public key that it proved; `None` when it showed no certificate.
    pub key: Option<Hash>,
    /// Ends the entry with the connection.
    _entry: Option<Entry>,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    connections: Arc<Connections>,
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.connections.open().by_number.remove(&self.number);
    }
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock()
    }

    /// A connection was opened.
    pub fn enter(self: &Arc<Self>, key: Option<Hash>, line: &Arc<Line>) -> Peer {
        let entry = key.map(|key| {
            let mut open = self.open();
            let number = open.next;
            open.next += 1;
            open.by_number.insert(number, (key, Arc::clone(line)));
            Entry {
                number,
                connections: Arc::clone(self),
            }
        });
        Peer { key, _entry: entry }
    }

    /// Connections that showed a certificate and are open now.
    pub fn count(&self) -> usize {
        self.open().by_number.len()
    }

    /// Cuts every connection whose key is of no active device and does not wait to follow one.
    pub fn cut_ended(&self, view: &View, waiting: &Rotations) {
        let open = self.open();
        if open.by_number.is_empty() {
            return;
        }
        let active: HashSet<&Hash> = view
            .devices
            .values()
            .filter(|device| device.active)
            .map(|device| &device.key_hash)
            .collect();
        for (key, line) in open.by_number.values() {
            if !active.contains(key) && waiting.of_key(key).is_none() {
                line.cut();
            }
        }
    }
}

/// The key that the other end has proved: `None` without TLS, `Some(None)` without a certificate.
/// What came with TLS from nobody is of nobody: it is never taken for a request without TLS, which
/// may name a device in a header.
pub fn proved_key(request: &HttpRequest) -> Option<Option<Hash>> {
    let known = request.conn_data::<Peer>().map(|peer| peer.key);
    let is_over_tls = request
        .conn_data::<Arc<Line>>()
        .is_some_and(|line| line.door().is_over_tls());
    proved(known, is_over_tls)
}

const fn proved(known: Option<Option<Hash>>, is_over_tls: bool) -> Option<Option<Hash>> {
    match known {
        None if is_over_tls => Some(Some(NOBODY)),
        known => known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_tls_nobody_is_never_a_request_without_tls() {
        let key = Some([7; 32]);
        for is_over_tls in [false, true] {
            assert_eq!(proved(Some(key), is_over_tls), Some(key));
            assert_eq!(proved(Some(None), is_over_tls), Some(None));
        }
        assert_eq!(proved(None, false), None);
        let nobody = proved(None, true);
        assert!(matches!(nobody, Some(Some(_))), "{nobody:?}");
    }
}

//! What a door lets in at once.
//!
//! A connection begins as one of nobody. What its first request proves makes it a device's or a
//! stranger's. Each class has its own limit. Those of nobody are few, and the oldest goes when
//! another comes: a device says who it is in its first bytes and is through long before, however
//! many others open sockets and say nothing.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use futures_util::task::AtomicWaker;
use keno_service::house_file::Connections;
use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

use super::{Door, DoorRefusal};

/// Connections that have said nothing yet, at one door: as many as may come between the first byte
/// of a device's handshake or head and its last, on a machine that is busy with them.
const NOBODY_MAX: usize = 512;
/// Strangers at the door of the devices: those whose certificate no active device has.
const STRANGERS_AT_DEVICES: usize = 16;
/// A first request, with the handshake before it, is there within this time.
const NOBODY_LIFE: Duration = Duration::from_secs(8);
/// A stranger comes anew after this time, however slowly it reads.
const STRANGER_LIFE: Duration = Duration::from_secs(60);
/// A stranger's answers ask for a new connection from this age on, so that none is cut in the
/// middle of a request.
const STRANGER_OLD: Duration = Duration::from_secs(30);
/// Who hears live events as a stranger opens the stream anew after this time.
const STREAM_LIFE: Duration = Duration::from_secs(30 * 60);

/// Whose a connection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Nobody has said anything.
    Nobody = 0,
    /// Not of a device.
    Stranger = 1,
    /// Not of a device, and hears live events.
    Stream = 2,
    /// Of a device that has proved its key.
    Device = 3,
}

impl Class {
    const fn of(number: u8) -> Self {
        match number {
            0 => Self::Nobody,
            1 => Self::Stranger,
            2 => Self::Stream,
            _ => Self::Device,
        }
    }

    /// How long such a connection may be open; without an end for a device.
    const fn life(self) -> Option<Duration> {
        match self {
            Self::Nobody => Some(NOBODY_LIFE),
            Self::Stranger => Some(STRANGER_LIFE),
            Self::Stream => Some(STREAM_LIFE),
            Self::Device => None,
        }
    }
}

/// A connection, as its socket and its requests see it.
#[derive(Debug)]
pub struct Line {
    number: u64,
    address: IpAddr,
    accepted: Instant,
    budget: Arc<Budget>,
    class: AtomicU8,
    is_cut: AtomicBool,
    has_arrived: AtomicBool,
    waker: AtomicWaker,
}

impl Line {
    /// The door by which it came.
    pub fn door(&self) -> Door {
        self.budget.door
    }

    /// The names by which central is called over TLS.
    pub fn names(&self) -> &[String] {
        &self.budget.names
    }

    /// Whose it is.
    pub fn class(&self) -> Class {
        Class::of(self.class.load(Ordering::SeqCst))
    }

    /// Whether answers should ask for a new connection.
    pub fn is_old(&self) -> bool {
        self.class() != Class::Device && self.accepted.elapsed() > STRANGER_OLD
    }

    /// Ends the connection at once: not a byte passes any more.
    pub fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        self.waker.wake();
    }

    /// A request is there, head and body: it took no longer than it may.
    pub fn request_arrived(&self) {
        self.has_arrived.store(true, Ordering::SeqCst);
    }

    /// The connection is of this class from now on; it never goes back to a lesser one.
    ///
    /// # Errors
    /// When that class is full: [`DoorRefusal::StrangersBusy`] or [`DoorRefusal::StreamsFull`].
    pub fn become_of(&self, class: Class) -> Result<(), DoorRefusal> {
        let budget = &self.budget;
        let mut open = budget.open();
        let now = self.class();
        if class <= now {
            return Ok(());
        }
        if open.counts[class as usize] >= budget.most(class) {
            return Err(match class {
                Class::Stream => DoorRefusal::StreamsFull,
                _ => DoorRefusal::StrangersBusy,
            });
        }
        open.counts[now as usize] -= 1;
        open.counts[class as usize] += 1;
        open.nobody.remove(&self.number);
        self.class.store(class as u8, Ordering::SeqCst);
        Ok(())
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::SeqCst)
    }

    pub(super) fn take_arrived(&self) -> bool {
        self.has_arrived.swap(false, Ordering::SeqCst)
    }

    pub(super) fn ends_at(&self) -> Option<Instant> {
        self.class().life().map(|life| self.accepted + life)
    }

    pub(super) fn woken_by(&self, waker: &std::task::Waker) {
        self.waker.register(waker);
    }
}

/// The place of a connection: given back when it is dropped.
#[derive(Debug)]
pub struct Entry(pub Arc<Line>);

impl Drop for Entry {
    fn drop(&mut self) {
        self.0.budget.leave(&self.0);
    }
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    /// By class.
    counts: [usize; 4],
    /// Those of nobody, oldest first.
    nobody: BTreeMap<u64, Arc<Line>>,
    by_address: HashMap<IpAddr, usize>,
}

/// What one door lets in at once.
#[derive(Debug)]
pub struct Budget {
    door: Door,
    most: Connections,
    names: Vec<String>,
    open: Mutex<Open>,
}

impl Budget {
    /// A door that nobody has come by yet.
    pub fn new(door: Door, most: Connections, names: &[String]) -> Arc<Self> {
        Arc::new(Self {
            door,
            most,
            names: names.to_vec(),
            open: Mutex::default(),
        })
    }

    /// Which door it is.
    pub const fn door(&self) -> Door {
        self.door
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock()
    }

    fn most(&self, class: Class) -> usize {
        match (class, self.door) {
            (Class::Nobody, _) => NOBODY_MAX,
            (Class::Device, Door::Public) => 0,
            (Class::Device, _) => self.most.devices,
            (_, Door::Devices) => STRANGERS_AT_DEVICES,
            (Class::Stranger, _) => self.most.strangers,
            (Class::Stream, _) => self.most.streams,
        }
    }

    /// Sockets that this door holds at the most, with those that were cut and still end.
    pub fn sockets(&self) -> usize {
        let classes = [Class::Nobody, Class::Nobody, Class::Stranger, Class::Device];
        let streams = match self.door {
            Door::Devices => STRANGERS_AT_DEVICES,
            _ => self.most.streams,
        };
        streams + classes.map(|class| self.most(class)).iter().sum::<usize>()
    }

    /// Connections of a class that are open.
    pub fn count(&self, class: Class) -> usize {
        self.open().counts[class as usize]
    }

    /// A socket was accepted; `None` when there is no room for it.
    pub fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Entry> {
        let mut open = self.open();
        // Without TLS all come from this machine, and their address says nothing.
        let from_there = open.by_address.get(&address).copied().unwrap_or(0);
        let has_its_share = self.door.is_over_tls() && from_there >= self.most.per_address;
        if open.counts.iter().sum::<usize>() >= self.sockets() {
            return None;
        }
        if has_its_share || open.nobody.len() >= NOBODY_MAX {
            let mut silent = open.nobody.iter();
            let oldest = silent
                .find(|(_, line)| !has_its_share || line.address == address)
                .map(|(number, _)| *number);
            drop(silent);
            match oldest.and_then(|number| open.nobody.remove(&number)) {
                Some(oldest) => oldest.cut(),
                // All of its share are at work.
                None if has_its_share => return None,
                None => {}
            }
        }
        let line = Arc::new(Line {
            number: open.next,
            address,
            accepted: Instant::now(),
            budget: Arc::clone(self),
            class: AtomicU8::new(Class::Nobody as u8),
            is_cut: AtomicBool::new(false),
            has_arrived: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        });
        open.next += 1;
        open.counts[Class::Nobody as usize] += 1;
        *open.by_address.entry(address).or_default() += 1;
        open.nobody.insert(line.number, Arc::clone(&line));
        Some(Entry(line))
    }

    fn leave(&self, line: &Line) {
        let mut open = self.open();
        open.counts[line.class() as usize] -= 1;
        open.nobody.remove(&line.number);
        if let Some(count) = open.by_address.get_mut(&line.address) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&line.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: Connections = Connections {
        devices: 4,
        strangers: 3,
        streams: 2,
        per_address: 8,
    };

    fn here(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn strangers_take_no_place_of_a_device_and_give_theirs_back() {
        let door = Budget::new(Door::Own, FEW, &[]);
        let mut strangers = Vec::new();
        for _ in 0..3 {
            let entry = door.admit(here(1)).unwrap();
            entry.0.become_of(Class::Stranger).unwrap();
            strangers.push(entry);
        }
        let fourth = door.admit(here(1)).unwrap();
        let refused = fourth.0.become_of(Class::Stranger);
        assert_eq!(refused, Err(DoorRefusal::StrangersBusy));
        for _ in 0..4 {
            let entry = door.admit(here(1)).unwrap();
            entry.0.become_of(Class::Device).unwrap();
            strangers.push(entry);
        }
        // A stream gives its place among the strangers back, and there are fewer of them.
        for entry in &strangers[..2] {
            entry.0.become_of(Class::Stream).unwrap();
        }
        let third = strangers[2].0.become_of(Class::Stream);
        assert_eq!(third, Err(DoorRefusal::StreamsFull));
        fourth.0.become_of(Class::Stranger).unwrap();
        // It never goes back to a lesser class.
        strangers[0].0.become_of(Class::Stranger).unwrap();
        assert_eq!(door.count(Class::Stream), 2);
        drop(strangers);
        drop(fourth);
        for class in [Class::Nobody, Class::Stranger, Class::Stream, Class::Device] {
            assert_eq!(door.count(class), 0);
        }
        assert!(door.open().by_address.is_empty());
    }

    #[test]
    fn whoever_says_nothing_goes_for_whoever_comes() {
        let door = Budget::new(Door::Own, FEW, &[]);
        let silent: Vec<Entry> = (0..NOBODY_MAX)
            .map(|_| door.admit(here(1)).unwrap())
            .collect();
        assert!(silent.iter().all(|entry| !entry.0.is_cut()));
        let device = door.admit(here(1)).unwrap();
        assert!(silent[0].0.is_cut() && !silent[1].0.is_cut() && !device.0.is_cut());
        device.0.become_of(Class::Device).unwrap();
        // It is no longer of nobody: as many as there are places come, and it stays.
        let more: Vec<Entry> = (0..NOBODY_MAX - 8)
            .map(|_| door.admit(here(1)).unwrap())
            .collect();
        assert!(!device.0.is_cut());
        drop((silent, more));
    }

    #[test]
    fn an_address_has_its_share_where_it_says_something() {
        for (door, most) in [(Door::Public, 3), (Door::Devices, 4), (Door::Own, 7)] {
            let few = Connections {
                per_address: most,
                devices: 4,
                strangers: 3,
                streams: 3,
            };
            let budget = Budget::new(door, few, &[]);
            let class = match door {
                Door::Devices => Class::Device,
                _ => Class::Stranger,
            };
            let mut held = Vec::new();
            while held.len() < 3 {
                let entry = budget.admit(here(1)).unwrap();
                entry.0.become_of(class).unwrap();
                held.push(entry);
            }
            // Of those from there that say nothing the oldest goes; of the others none.
            let other = budget.admit(here(2)).unwrap();
            let silent: Vec<Entry> = (held.len()..most)
                .map(|_| budget.admit(here(1)).unwrap())
                .collect();
            let next = budget.admit(here(1));
            assert_eq!(next.is_some(), door != Door::Public, "{door:?}");
            let is_cut = silent.first().is_some_and(|entry| entry.0.is_cut());
            assert_eq!(is_cut, door == Door::Devices, "{door:?}");
            assert!(!other.0.is_cut() && held.iter().all(|entry| !entry.0.is_cut()));
        }
    }

    #[test]
    fn a_door_never_holds_more_than_its_descriptors() {
        let door = Budget::new(Door::Own, FEW, &[]);
        // Nobody ends what was cut: the door says no in the end.
        let held: Vec<Entry> = std::iter::from_fn(|| door.admit(here(1))).collect();
        assert_eq!(held.len(), door.sockets());
    }
}

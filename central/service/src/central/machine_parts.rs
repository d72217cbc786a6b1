//! Machine and holders, within central or on their hosts.

use keno_draw::adapter::DrawMachine;
use keno_draw::health::OsEntropy;
use keno_draw::holder::{FileHolder, SecretHolder};
use keno_draw::rng_machine::RngMachine;
use keno_draw_machine::line::BOUNDS;
use keno_draw_machine::{BeaconHolder, RemoteHolder, RemoteMachine};
use keno_line::{Host, HostKey, HostPlace};
use keno_record::fault::Fault;
use keno_record::record::Record;

use super::MachineParts;
use super::follower_line::FollowerLine;
use super::house_file::{Holder, HouseFile};

/// Central's key on the line to its hosts.
fn own_key(record: &Record) -> Result<HostKey, Fault> {
    HostKey::of_central(*record.keys.draw_line_seed())
        .map_err(|broken| Fault::Machine(broken.to_string()))
}

/// The line to the follower that the house file names, if it names one. Nothing is asked of it yet.
///
/// # Errors
/// [`Fault::Machine`]: a key that TLS does not take.
pub(crate) fn follower(record: &Record, house: &HouseFile) -> Result<Option<FollowerLine>, Fault> {
    let Some(place) = &house.follower else {
        return Ok(None);
    };
    let now_ms = record.clock.monotonic_ms();
    FollowerLine::new(&house.code, place, &own_key(record)?, now_ms).map(Some)
}

/// The machine and the holders that the house file names, within central or on their hosts. No host
/// is asked for anything yet.
///
/// # Errors
/// [`Fault::Machine`]: a journal that cannot be opened, a key that TLS does not take.
pub(crate) fn parts(record: &Record, house: &HouseFile) -> Result<MachineParts, Fault> {
    let fault = |words: String| Fault::Machine(words);
    let own = own_key(record)?;
    let host = |place: &HostPlace| {
        Host::new(&house.code, place, &own, BOUNDS).map_err(|broken| fault(broken.to_string()))
    };
    let mut holders: Vec<Box<dyn SecretHolder>> = Vec::new();
    for holder in &house.holders {
        holders.push(match holder {
            Holder::Host(name, place) => Box::new(RemoteHolder::new(name, host(place)?)),
            Holder::Beacon(name, place) => {
                Box::new(BeaconHolder::new(&house.code, name, (**place).clone()))
            }
            Holder::Within(name, folder) => {
                let at = record.folder.join(folder);
                let opened = FileHolder::open(&at, &house.code, name, OsEntropy);
                Box::new(opened.map_err(|broken| fault(broken.to_string()))?)
            }
        });
    }
    let machine: Box<dyn DrawMachine> = match &house.machine {
        Some(place) => Box::new(RemoteMachine::new(host(place)?)),
        None => {
            let at = record.folder.join("draw-machine");
            let opened = RngMachine::open(&at, &house.code);
            Box::new(opened.map_err(|broken| fault(broken.to_string()))?)
        }
    };
    Ok(MachineParts { machine, holders })
}

//! Machine and holders on hosts of their own: what proves a seal to them, and what their faults mean.

use keno_draw::adapter::MachineFault;
use keno_draw::holder::{HolderFault, Seal, SealProof};
use keno_draw::transcript::HostRecord;
use keno_record::fault::Fault;
use keno_record::past_draws::{DrawHosts, hosts_of};
use keno_record::view::DrawInfo;

use crate::central::Central;

/// What proves a seal to the hosts; nothing where there are none.
pub(super) fn proof(central: &Central, seal: &Seal) -> Result<SealProof, Fault> {
    let house = &central.house;
    if house.machine.is_none() && house.holders.iter().all(|holder| holder.folder().is_some()) {
        return Ok(SealProof::default());
    }
    let proven = central.last_leaf(seal.size, seal.root)?;
    Ok(SealProof {
        checkpoint: proven.checkpoint,
        leaf: proven.leaf,
        path: proven.path,
    })
}

/// The keys of machine and holders, machine first; none when all are within central.
pub(super) fn keys(central: &Central) -> Vec<String> {
    let mut keys = vec![central.machine.lock().host()];
    keys.extend(central.holders.lock().iter().map(|holder| holder.host()));
    if keys.iter().all(String::is_empty) {
        keys.clear();
    }
    keys
}

fn named(central: &Central, draw: &DrawInfo) -> Result<DrawHosts, Fault> {
    hosts_of(&mut *central.readers.get()?, draw)
}

/// Whether hosts were named for a draw before its first wager; it is ordered from no others. For one
/// that was announced while all was within central, none vouches: its secrets may have moved since to
/// where they are now.
pub(super) fn are_named(central: &Central, draw: &DrawInfo) -> Result<bool, Fault> {
    let named = named(central, draw)?.keys;
    if named.is_empty() || named == keys(central) {
        return Ok(!named.is_empty());
    }
    Err(Fault::Machine(format!(
        "the hosts that draw {} named are not those of house.toml",
        draw.number()
    )))
}

/// The hosts of a draw with what they signed, as they stand in its transcript.
pub(super) fn records(central: &Central, draw: &DrawInfo) -> Result<Vec<HostRecord>, Fault> {
    let hosts = named(central, draw)?;
    let with = |(key, signature): (String, String)| HostRecord { key, signature };
    Ok(hosts
        .keys
        .into_iter()
        .zip(hosts.signatures)
        .map(with)
        .collect())
}

pub(super) fn of_holder(fault: &HolderFault) -> Fault {
    if fault.may_be_tried_again() {
        Fault::Away(fault.to_string())
    } else {
        Fault::Machine(fault.to_string())
    }
}

pub(super) fn of_machine(fault: &MachineFault) -> Fault {
    match fault {
        MachineFault::Away(_) => Fault::Away(fault.to_string()),
        _ => Fault::Machine(fault.to_string()),
    }
}

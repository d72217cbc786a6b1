//! Machine and holders on hosts of their own: what proves a seal to them, and what their faults mean.

use keno_draw::adapter::MachineFault;
use keno_draw::holder::{HolderFault, Seal, SealProof, SecretHolder};
use keno_draw::transcript::HostRecord;
use keno_log::EventKind;
use keno_log::beacon::Beacon;
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

/// The hosts of a draw as the log has them: those that were named, and what they signed.
pub(super) fn named(central: &Central, draw: &DrawInfo) -> Result<DrawHosts, Fault> {
    hosts_of(&mut *central.readers.get()?, draw)
}

/// Whether hosts were named for a draw before its first wager; it is ordered from no others. For one
/// that was announced while all was within central, none vouches: its secrets may have moved since to
/// where they are now.
pub(super) fn are_named(central: &Central, draw: &DrawInfo) -> Result<bool, Fault> {
    let named = named(central, draw)?.keys;
    let mut found = vec![central.machine.lock().host()];
    let holders = central.holders.lock();
    found.extend(draw.holders().iter().map(|announced| {
        let mut known = holders.iter();
        let holder = known.find(|holder| holder.name() == announced.name);
        holder.map_or_else(String::new, |holder| holder.host())
    }));
    if named.is_empty() || named == found {
        return Ok(!named.is_empty());
    }
    Err(Fault::Machine(format!(
        "the hosts that draw {} named are not those of house.toml",
        draw.number()
    )))
}

/// A round is used once its moment has come by the house's own clock, and not asked for before: a log
/// that had it earlier would say that the clock is wrong.
pub(super) fn round_has_come(
    central: &Central,
    draw: &DrawInfo,
    holder: &dyn SecretHolder,
) -> Result<(), Fault> {
    let Ok(beacon) = Beacon::parse(&holder.host()) else {
        return Ok(());
    };
    let mut leaves = draw.leaves().iter();
    let closed = leaves.find(|(kind, _, _)| *kind == EventKind::DrawClosed);
    let closed_at_ms = closed.map_or(0, |(_, _, at_ms)| *at_ms);
    let number = beacon.round_of(closed_at_ms);
    if central.clock.now_ms() < beacon.moment_ms(number) {
        let words = format!("round {number} of {} has not come yet", beacon.name());
        return Err(Fault::Away(words));
    }
    Ok(())
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

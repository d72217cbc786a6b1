//! People, devices, sessions.

use std::collections::BTreeMap;

use diesel::prelude::*;
use keno_schema::rows::{CredentialRow, DeviceRow, PersonRow};
use keno_schema::tables::{credential, device, person, session};
use keno_schema::{Connection, on};

use super::big;
use crate::people::RECOVERY;

/// Records a person as they now stand.
///
/// # Errors
/// The database's.
pub fn upsert_person(connection: &mut Connection, row: &PersonRow) -> QueryResult<()> {
    on!(connection, c => diesel::insert_into(person::table)
        .values(row)
        .on_conflict(person::badge)
        .do_update()
        .set((
            person::staff.eq(&row.staff),
            person::name.eq(&row.name),
            person::roles.eq(&row.roles),
            person::credential.eq(row.credential.as_slice()),
            person::must_change.eq(row.must_change),
            person::active.eq(row.active),
            person::leaf.eq(big(row.leaf)),
            person::named_leaf.eq(row.named_leaf.map(big)),
            person::acting_leaf.eq(row.acting_leaf.map(big)),
        ))
        .execute(c))
    .map(drop)
}

/// Says at which leaves a badge was named as one that may act, and made one that does.
///
/// # Errors
/// The database's.
pub fn set_acting(
    connection: &mut Connection,
    badge: &str,
    named: Option<u64>,
    acting: Option<u64>,
) -> QueryResult<()> {
    set!(connection, person::table.find(badge) => (
        person::named_leaf.eq(named.map(big)),
        person::acting_leaf.eq(acting.map(big)),
    ))
}

/// Keeps a credential beside the record.
///
/// # Errors
/// The database's.
pub fn insert_credential(connection: &mut Connection, row: &CredentialRow) -> QueryResult<()> {
    on!(connection, c => diesel::insert_into(credential::table)
        .values(row)
        .on_conflict(credential::hash)
        .do_nothing()
        .execute(c))
    .map(drop)
}

/// Badges and devices that stand, in order; the recovery code is nobody's badge.
///
/// # Errors
/// The database's.
pub fn standing(connection: &mut Connection) -> QueryResult<(Vec<PersonRow>, Vec<DeviceRow>)> {
    let people = all!(&mut *connection, PersonRow => person::table
        .filter(person::active.eq(true).and(person::badge.ne(RECOVERY)))
        .order(person::badge))?;
    let devices = all!(connection, DeviceRow => device::table
        .filter(device::active.eq(true))
        .order(device::number))?;
    Ok((people, devices))
}

/// Every credential that is kept.
///
/// # Errors
/// The database's.
pub fn credentials(connection: &mut Connection) -> QueryResult<Vec<CredentialRow>> {
    all!(connection, CredentialRow => credential::table)
}

/// Records a device as it now stands.
///
/// # Errors
/// The database's.
pub fn upsert_device(connection: &mut Connection, row: &DeviceRow) -> QueryResult<()> {
    on!(connection, c => diesel::insert_into(device::table)
        .values(row)
        .on_conflict(device::number)
        .do_update()
        .set((
            device::name.eq(&row.name),
            device::role.eq(i16::from(row.role)),
            device::key_hash.eq(row.key_hash.as_slice()),
            device::active.eq(row.active),
            device::leaf.eq(big(row.leaf)),
        ))
        .execute(c))
    .map(drop)
}

/// Names of devices, by number.
///
/// # Errors
/// The database's.
pub fn device_names(connection: &mut Connection) -> QueryResult<BTreeMap<u32, String>> {
    let rows: Vec<(i64, String)> = on!(connection, c => device::table
        .select((device::number, device::name))
        .load(c))?;
    Ok(rows
        .into_iter()
        .filter_map(|(number, name)| Some((u32::try_from(number).ok()?, name)))
        .collect())
}

/// Ends a session.
///
/// # Errors
/// The database's.
pub fn end_session(connection: &mut Connection, number: u64, leaf: u64) -> QueryResult<()> {
    set!(connection, session::table.find(big(number)) => session::ended_leaf.eq(Some(big(leaf))))
}

/// Ends every session that is open.
///
/// # Errors
/// The database's.
pub fn end_every_session(connection: &mut Connection, leaf: u64) -> QueryResult<()> {
    set!(connection, session::table.filter(session::ended_leaf.is_null()) =>
        session::ended_leaf.eq(Some(big(leaf))))
}

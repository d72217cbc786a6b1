//! People, devices, sessions.

use std::collections::BTreeMap;

use diesel::prelude::*;
use keno_schema::rows::{CredentialRow, DeviceRow, PersonRow, SessionRow};
use keno_schema::tables::{credential, device, person, session};
use keno_schema::{Connection, on};

use crate::people::RECOVERY;

/// Records a person as they now stand.
///
/// # Errors
/// The database's.
pub fn upsert_person(connection: &mut Connection, row: &PersonRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(person::table)
        .values(row)
        .on_conflict(person::badge)
        .do_update()
        .set((
            person::staff.eq(&row.staff),
            person::name.eq(&row.name),
            person::roles.eq(&row.roles),
            person::credential.eq(&row.credential),
            person::must_change.eq(row.must_change),
            person::active.eq(row.active),
            person::leaf.eq(row.leaf),
            person::named_leaf.eq(row.named_leaf),
            person::acting_leaf.eq(row.acting_leaf),
        ))
        .execute(c))
}

/// Says at which leaves a badge was named as one that may act, and made one that does.
///
/// # Errors
/// The database's.
pub fn set_acting(
    connection: &mut Connection,
    badge: &str,
    named: Option<i64>,
    acting: Option<i64>,
) -> QueryResult<usize> {
    on!(connection, c => diesel::update(person::table.find(badge))
        .set((person::named_leaf.eq(named), person::acting_leaf.eq(acting)))
        .execute(c))
}

/// Keeps a credential beside the record.
///
/// # Errors
/// The database's.
pub fn insert_credential(connection: &mut Connection, row: &CredentialRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(credential::table)
        .values(row)
        .on_conflict(credential::hash)
        .do_nothing()
        .execute(c))
}

/// Badges and devices that stand, in order; the recovery code is nobody's badge.
///
/// # Errors
/// The database's.
pub fn standing(connection: &mut Connection) -> QueryResult<(Vec<PersonRow>, Vec<DeviceRow>)> {
    let people = on!(&mut *connection, c => person::table
        .filter(person::active.eq(true).and(person::badge.ne(RECOVERY)))
        .order(person::badge)
        .select(PersonRow::as_select())
        .load(c))?;
    let devices = on!(connection, c => device::table
        .filter(device::active.eq(true))
        .order(device::number)
        .select(DeviceRow::as_select())
        .load(c))?;
    Ok((people, devices))
}

/// Every credential that is kept.
///
/// # Errors
/// The database's.
pub fn credentials(connection: &mut Connection) -> QueryResult<Vec<CredentialRow>> {
    on!(connection, c => credential::table.select(CredentialRow::as_select()).load(c))
}

/// Records a device as it now stands.
///
/// # Errors
/// The database's.
pub fn upsert_device(connection: &mut Connection, row: &DeviceRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(device::table)
        .values(row)
        .on_conflict(device::number)
        .do_update()
        .set((
            device::name.eq(&row.name),
            device::role.eq(row.role),
            device::key_hash.eq(&row.key_hash),
            device::active.eq(row.active),
            device::leaf.eq(row.leaf),
        ))
        .execute(c))
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

/// Opens a session.
///
/// # Errors
/// The database's.
pub fn insert_session(connection: &mut Connection, row: &SessionRow) -> QueryResult<usize> {
    on!(connection, c => diesel::insert_into(session::table).values(row).execute(c))
}

/// Ends a session.
///
/// # Errors
/// The database's.
pub fn end_session(connection: &mut Connection, number: i64, leaf: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(session::table.find(number))
        .set(session::ended_leaf.eq(Some(leaf)))
        .execute(c))
}

/// Ends every session that is open.
///
/// # Errors
/// The database's.
pub fn end_every_session(connection: &mut Connection, leaf: i64) -> QueryResult<usize> {
    on!(connection, c => diesel::update(session::table.filter(session::ended_leaf.is_null()))
        .set(session::ended_leaf.eq(Some(leaf)))
        .execute(c))
}

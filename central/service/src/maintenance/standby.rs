//! What the database says of its own durability.

use diesel::sql_types::Text;
use diesel::{QueryableByName, RunQueryDsl};
use keno_record::fault::Fault;
use keno_schema::Connection;

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    value: String,
}

/// The synchronous standbys of a PostgreSQL server as it names them; `None` on SQLite, or when
/// it waits for none.
///
/// # Errors
/// The database's.
pub fn synchronous_standbys(connection: &mut Connection) -> Result<Option<String>, Fault> {
    let Connection::Postgres(connection) = connection else {
        return Ok(None);
    };
    let setting: Setting =
        diesel::sql_query("SELECT current_setting('synchronous_standby_names') AS value")
            .get_result(connection)?;
    Ok(Some(setting.value).filter(|names| !names.trim().is_empty()))
}

//! The record from one database into another that is empty: its leaves are copied, its tables are
//! made from them.

use keno_record::store::snapshot::on_snapshot;
use keno_record::store::{log, people};
use keno_schema::{Connection, WriteFault};

use super::ENTRIES_A_READ;
use super::replay::{RebuildFault, Sides, replay};

/// Copies the record of `from`, as it stands at one moment, into the migrated and empty `to`, and
/// makes every table there from the leaves, but for the credentials, which are copied: one
/// transaction, so that there is all of it or nothing. Returns the leaves.
///
/// # Errors
/// [`RebuildFault`]; then `to` is as it was.
pub fn transfer(from: &mut Connection, to: &mut Connection) -> Result<u64, RebuildFault> {
    on_snapshot(from, |from| {
        let outcome = keno_schema::write(to, |to| -> Result<u64, RebuildFault> {
            let (head, at_ms) = log::head(from)?.ok_or(RebuildFault::Empty)?;
            log::insert_head(to, &head, at_ms)?;
            let mut next = 0_u64;
            while next < head.size() {
                let rows = log::entries(from, next, ENTRIES_A_READ)?;
                if rows.is_empty() {
                    return Err(RebuildFault::Head);
                }
                next += u64::try_from(rows.len()).unwrap_or(0);
                log::insert_entries(to, &rows)?;
            }
            for row in people::credentials(from)? {
                people::insert_credential(to, &row)?;
            }
            let mut sides = Sides {
                record: None,
                tables: to,
            };
            let state = replay(&mut sides, &mut |_, _| ())?;
            if state.edge != head {
                return Err(RebuildFault::Head);
            }
            Ok(head.size())
        });
        outcome.map_err(|fault| match fault {
            WriteFault::Undone(fault) => fault,
            WriteFault::Begin(fault) | WriteFault::Unknown(fault) => RebuildFault::Commit(fault),
        })
    })
}

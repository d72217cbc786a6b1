//! Two databases, table by table and row by row.

use std::fmt;

use diesel::pg::PgRowByRowLoadingMode;
use diesel::prelude::*;
use keno_schema::column::Field;
use keno_schema::rows::{
    CommandRow, DamagedFileRow, DeviceRow, DrawHolderRow, DrawResultRow, DrawRow,
    DrawSettlementRow, EpochRow, HandOverRow, HouseRow, KeyPageRow, PaymentItemRow, PaymentRow,
    PersonRow, RuleBookRow, SessionRow, ShiftRow, SilenceRow, TicketFactRow, TicketRow,
    TillCountRow, TillMovementRow,
};
use keno_schema::{Connection, on, tables};

/// The first row of a table that is not what the leaves give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The table.
    pub table: &'static str,
    /// The row's key, as `column value` pairs.
    pub key: String,
    /// What differs: the row as a whole, or its columns.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({}): {}", self.table, self.key, self.what)
    }
}

/// Every row of a table, as it is asked for.
type Rows<'a, R> = Box<dyn Iterator<Item = QueryResult<R>> + 'a>;

/// A row that can be read in the order of its key.
trait Keyed: fmt::Debug + PartialEq + Sized {
    const TABLE: &'static str;
    /// What the rows are in order by: numbers, and then text.
    fn key(&self) -> (Vec<i64>, &str);
    fn key_text(&self) -> String;
    /// In one statement: each page of many would look for its beginning anew.
    fn rows(connection: &mut Connection) -> QueryResult<Rows<'_, Self>>;
}

/// A table whose key is numbers.
macro_rules! keyed_by_numbers {
    ($($table:ident $row:ident $($key:ident)+;)*) => {$(
        impl Keyed for $row {
            const TABLE: &'static str = stringify!($table);
            fn key(&self) -> (Vec<i64>, &str) {
                (vec![$(i64::from(self.$key.lent())),+], "")
            }
            fn key_text(&self) -> String {
                [$(format!(concat!(stringify!($key), " {}"), self.$key)),+].join(", ")
            }
            fn rows(connection: &mut Connection) -> QueryResult<Rows<'_, Self>> {
                use tables::$table::{table, $($key),+};
                macro_rules! rows {
                    () => { table.order(($($key.asc(),)+)).select(Self::as_select()) };
                }
                Ok(match connection {
                    Connection::Sqlite(c) => Box::new(rows!().load_iter(c)?),
                    Connection::Postgres(c) => {
                        Box::new(rows!().load_iter::<Self, PgRowByRowLoadingMode>(c)?)
                    }
                })
            }
        }
    )*};
}

keyed_by_numbers! {
    house HouseRow id;
    epoch EpochRow number;
    rule_book RuleBookRow version;
    device DeviceRow number;
    session SessionRow number;
    shift ShiftRow number;
    hand_over HandOverRow leaf;
    till_movement TillMovementRow leaf;
    till_count TillCountRow leaf;
    draw DrawRow number;
    draw_holder DrawHolderRow draw position;
    draw_result DrawResultRow draw;
    draw_settlement DrawSettlementRow draw;
    ticket TicketRow number;
    ticket_fact TicketFactRow leaf;
    payment PaymentRow number;
    payment_item PaymentItemRow payment draw;
    key_page KeyPageRow device session page;
    command CommandRow leaf;
    damaged_file DamagedFileRow leaf;
    silence SilenceRow leaf;
}

impl Keyed for PersonRow {
    const TABLE: &'static str = "person";

    fn key(&self) -> (Vec<i64>, &str) {
        (Vec::new(), &self.badge)
    }

    fn key_text(&self) -> String {
        format!("badge {}", self.badge)
    }

    /// Put in order here: databases order text each in their own way.
    fn rows(connection: &mut Connection) -> QueryResult<Rows<'_, Self>> {
        let mut rows: Vec<Self> = on!(connection, c => tables::person::table
            .select(Self::as_select())
            .load(c))?;
        rows.sort_by(|one, other| one.badge.cmp(&other.badge));
        Ok(Box::new(rows.into_iter().map(Ok)))
    }
}

/// Compares one table; the rows that are alike, and the first difference.
fn compare<R: Keyed>(
    record: &mut Connection,
    rebuilt: &mut Connection,
) -> QueryResult<(u64, Option<Difference>)> {
    let (mut found, mut wanted) = (R::rows(record)?, R::rows(rebuilt)?);
    let mut alike = 0;
    loop {
        let (row, what) = match (found.next().transpose()?, wanted.next().transpose()?) {
            (None, None) => return Ok((alike, None)),
            (Some(found), Some(wanted)) if found == wanted => {
                alike += 1;
                continue;
            }
            (Some(found), Some(wanted)) if found.key() == wanted.key() => {
                let what = columns_that_differ(&found, &wanted);
                (found, what)
            }
            (Some(found), Some(wanted)) if wanted.key() < found.key() => (wanted, MISSING.into()),
            (Some(found), _) => (found, EXTRA.into()),
            (None, Some(wanted)) => (wanted, MISSING.into()),
        };
        return Ok((
            alike,
            Some(Difference {
                table: R::TABLE,
                key: row.key_text(),
                what,
            }),
        ));
    }
}

const MISSING: &str = "the row is missing";
const EXTRA: &str = "no leaf gives this row";

/// Names the columns that differ; says the values of numbers, and never those of bytes or text,
/// which may be a credential.
fn columns_that_differ<R: fmt::Debug>(found: &R, wanted: &R) -> String {
    let (found, wanted) = (columns(found), columns(wanted));
    let differing: Vec<String> = found
        .iter()
        .zip(&wanted)
        .filter(|(one, other)| one != other)
        .map(|((name, found), (_, wanted))| {
            let is_number = |text: &str| text.parse::<i64>().is_ok();
            if is_number(found) && is_number(wanted) {
                format!("{name} is {found}, and the leaves give {wanted}")
            } else {
                format!("{name} is not what the leaves give")
            }
        })
        .collect();
    differing.join("; ")
}

/// Names and values of a row, from its debug text: one line a column, four spaces in.
fn columns<R: fmt::Debug>(row: &R) -> Vec<(String, String)> {
    let mut columns: Vec<(String, String)> = Vec::new();
    for line in format!("{row:#?}").lines() {
        let name_and_value = line
            .strip_prefix("    ")
            .filter(|rest| !rest.starts_with([' ', ']', ')', '}']))
            .and_then(|rest| rest.split_once(": "));
        match (name_and_value, columns.last_mut()) {
            (Some((name, value)), _) => {
                columns.push((name.to_owned(), value.trim_end_matches(',').to_owned()));
            }
            // The first and the last line are the row's own name and brace.
            (None, Some((_, value))) if line.starts_with(' ') => value.push_str(line.trim()),
            (None, _) => {}
        }
    }
    columns
}

/// Does something for each projection.
macro_rules! for_each_table {
    ($row:ident => $work:expr) => {
        for_each_table!(@ $row $work;
            HouseRow EpochRow RuleBookRow PersonRow DeviceRow SessionRow ShiftRow HandOverRow TillMovementRow TillCountRow DrawRow
            DrawHolderRow DrawResultRow DrawSettlementRow TicketRow TicketFactRow
            PaymentRow PaymentItemRow KeyPageRow CommandRow DamagedFileRow SilenceRow)
    };
    (@ $row:ident $work:expr; $($each:ident)*) => {$({
        type $row = $each;
        $work
    })*};
}

/// The first difference of each table, and how many rows are alike in all of them.
///
/// # Errors
/// Either database's.
pub(super) fn differences(
    record: &mut Connection,
    rebuilt: &mut Connection,
) -> QueryResult<(u64, Vec<Difference>)> {
    let mut rows = 0;
    let mut differences = Vec::new();
    for_each_table!(Row => {
        let (alike, difference) = compare::<Row>(record, rebuilt)?;
        rows += alike;
        differences.extend(difference);
    });
    Ok((rows, differences))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_projection_is_compared() {
        let mut compared: Vec<&str> = Vec::new();
        for_each_table!(Row => compared.push(Row::TABLE));
        let all: Vec<&str> = super::super::replay::projections().collect();
        assert_eq!(compared, all);
    }

    #[test]
    fn columns_are_named_and_only_numbers_are_said() {
        let row = PersonRow {
            badge: "C1".to_owned(),
            staff: "4711".to_owned(),
            name: "x: y".to_owned(),
            roles: vec![1, 2],
            credential: [1; 32],
            must_change: false,
            active: true,
            leaf: 7,
            named_leaf: None,
            acting_leaf: None,
        };
        let other = PersonRow {
            roles: vec![1, 2, 8],
            credential: [2; 32],
            leaf: 9,
            ..row.clone()
        };
        assert_eq!(
            columns_that_differ(&row, &other),
            "roles is not what the leaves give; credential is not what the leaves give; leaf is \
             7, and the leaves give 9"
        );
        assert_eq!(columns(&row).len(), 10);
    }
}

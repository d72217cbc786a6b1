//! Two databases, table by table and row by row.

use std::collections::VecDeque;
use std::fmt;

use diesel::prelude::*;
use keno_schema::column::Field;
use keno_schema::rows::{
    CommandKeyRow, DamagedFileRow, DeviceRow, DrawHolderRow, DrawResultRow, DrawRow,
    DrawSettlementRow, EpochRow, HandOverRow, HouseRow, LostRefundRow, PaymentItemRow, PaymentRow,
    PersonRow, PrizeRow, RuleBookRow, SessionRow, ShiftRow, SilenceRow, TicketFactRow, TicketRow,
    TillCountRow, TillMovementRow,
};
use keno_schema::{Connection, on, tables};

/// Rows read at a time.
const ROWS_A_READ: i64 = 5_000;

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

/// A row that can be read in the order of its key.
trait Keyed: fmt::Debug + PartialEq + Sized {
    const TABLE: &'static str;
    type Key: Ord + Clone;
    fn key(&self) -> Self::Key;
    fn key_text(&self) -> String;
    /// The rows after a key, at most [`ROWS_A_READ`].
    fn after(connection: &mut Connection, key: Option<&Self::Key>) -> QueryResult<Vec<Self>>;
}

/// A table whose key is a number.
macro_rules! keyed_by_number {
    ($($table:ident $row:ident $key:ident;)*) => {$(
        impl Keyed for $row {
            const TABLE: &'static str = stringify!($table);
            type Key = i64;
            fn key(&self) -> i64 { self.$key.lent() }
            fn key_text(&self) -> String { format!(concat!(stringify!($key), " {}"), self.$key) }
            fn after(connection: &mut Connection, key: Option<&i64>) -> QueryResult<Vec<Self>> {
                let after = key.copied().unwrap_or(i64::MIN);
                on!(connection, c => tables::$table::table
                    .filter(tables::$table::$key.gt(after))
                    .order(tables::$table::$key.asc())
                    .limit(ROWS_A_READ)
                    .select(Self::as_select())
                    .load(c))
            }
        }
    )*};
}

keyed_by_number! {
    epoch EpochRow number;
    rule_book RuleBookRow version;
    device DeviceRow number;
    session SessionRow number;
    shift ShiftRow number;
    hand_over HandOverRow leaf;
    till_movement TillMovementRow leaf;
    till_count TillCountRow leaf;
    draw DrawRow number;
    draw_result DrawResultRow draw;
    draw_settlement DrawSettlementRow draw;
    ticket TicketRow number;
    ticket_fact TicketFactRow leaf;
    payment PaymentRow number;
    lost_refund LostRefundRow leaf;
    damaged_file DamagedFileRow leaf;
    silence SilenceRow leaf;
}

/// A table whose key is a pair of numbers.
macro_rules! keyed_by_pair {
    ($($table:ident $row:ident $first:ident $second:ident $number:ident;)*) => {$(
        impl Keyed for $row {
            const TABLE: &'static str = stringify!($table);
            type Key = (i64, $number);
            fn key(&self) -> Self::Key { (self.$first.lent(), self.$second.lent()) }
            fn key_text(&self) -> String {
                format!(
                    concat!(stringify!($first), " {}, ", stringify!($second), " {}"),
                    self.$first, self.$second
                )
            }
            fn after(
                connection: &mut Connection,
                key: Option<&Self::Key>,
            ) -> QueryResult<Vec<Self>> {
                use tables::$table::{$first, $second, table};
                let (one, two) = key.copied().unwrap_or((i64::MIN, $number::MIN));
                on!(connection, c => table
                    .filter($first.gt(one).or($first.eq(one).and($second.gt(two))))
                    .order(($first.asc(), $second.asc()))
                    .limit(ROWS_A_READ)
                    .select(Self::as_select())
                    .load(c))
            }
        }
    )*};
}

keyed_by_pair! {
    draw_holder DrawHolderRow draw position i16;
    prize PrizeRow draw ticket i64;
    payment_item PaymentItemRow payment draw i64;
}

impl Keyed for CommandKeyRow {
    const TABLE: &'static str = "command_key";
    type Key = (i64, i64, i64);

    fn key(&self) -> Self::Key {
        (self.device.lent(), self.session.lent(), self.counter.lent())
    }

    fn key_text(&self) -> String {
        format!(
            "device {}, session {}, counter {}",
            self.device, self.session, self.counter
        )
    }

    fn after(connection: &mut Connection, key: Option<&Self::Key>) -> QueryResult<Vec<Self>> {
        use tables::command_key::{counter, device, session, table};
        let (one, two, three) = key.copied().unwrap_or((i64::MIN, i64::MIN, i64::MIN));
        on!(connection, c => table
            .filter(
                device.gt(one)
                    .or(device.eq(one).and(session.gt(two)))
                    .or(device.eq(one).and(session.eq(two)).and(counter.gt(three))),
            )
            .order((device.asc(), session.asc(), counter.asc()))
            .limit(ROWS_A_READ)
            .select(Self::as_select())
            .load(c))
    }
}

impl Keyed for HouseRow {
    const TABLE: &'static str = "house";
    type Key = i16;

    fn key(&self) -> i16 {
        self.id
    }

    fn key_text(&self) -> String {
        format!("id {}", self.id)
    }

    fn after(connection: &mut Connection, key: Option<&i16>) -> QueryResult<Vec<Self>> {
        use tables::house::{id, table};
        let after = key.copied().unwrap_or(i16::MIN);
        on!(connection, c => table.filter(id.gt(after)).order(id.asc())
            .select(Self::as_select()).load(c))
    }
}

impl Keyed for PersonRow {
    const TABLE: &'static str = "person";
    type Key = String;

    fn key(&self) -> String {
        self.badge.clone()
    }

    fn key_text(&self) -> String {
        format!("badge {}", self.badge)
    }

    /// All at once, put in order here: databases order text each in their own way.
    fn after(connection: &mut Connection, key: Option<&String>) -> QueryResult<Vec<Self>> {
        if key.is_some() {
            return Ok(Vec::new());
        }
        let mut rows: Vec<Self> = on!(connection, c => tables::person::table
            .select(Self::as_select())
            .load(c))?;
        rows.sort_by(|one, other| one.badge.cmp(&other.badge));
        Ok(rows)
    }
}

/// Rows of a table in order, read in slices.
struct Rows<'a, R: Keyed> {
    connection: &'a mut Connection,
    waiting: VecDeque<R>,
    last: Option<R::Key>,
    is_done: bool,
}

impl<'a, R: Keyed> Rows<'a, R> {
    fn new(connection: &'a mut Connection) -> Self {
        Self {
            connection,
            waiting: VecDeque::new(),
            last: None,
            is_done: false,
        }
    }

    fn next(&mut self) -> QueryResult<Option<R>> {
        if self.waiting.is_empty() && !self.is_done {
            self.waiting = R::after(self.connection, self.last.as_ref())?.into();
            self.is_done = self.waiting.is_empty();
            self.last = self.waiting.back().map(R::key).or(self.last.take());
        }
        Ok(self.waiting.pop_front())
    }
}

/// Compares one table; the rows that are alike, and the first difference.
fn compare<R: Keyed>(
    record: &mut Connection,
    rebuilt: &mut Connection,
) -> QueryResult<(u64, Option<Difference>)> {
    let (mut found, mut wanted) = (Rows::<R>::new(record), Rows::<R>::new(rebuilt));
    let mut alike = 0;
    loop {
        let (row, what) = match (found.next()?, wanted.next()?) {
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
            DrawHolderRow DrawResultRow DrawSettlementRow TicketRow TicketFactRow PrizeRow
            PaymentRow PaymentItemRow CommandKeyRow LostRefundRow DamagedFileRow SilenceRow)
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

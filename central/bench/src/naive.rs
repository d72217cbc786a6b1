//! The same settlement in SQL. On SQLite as anyone would write it: wagers and their numbers as rows,
//! joined with the drawn numbers and the pay table. On PostgreSQL as well as is known: the numbers
//! of a wager are bits of a mask, and what it caught is counted. Same durability, same prize table,
//! same sums.

use anyhow::Context;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use keno_book::rules_file;
use keno_game::Cents;
use keno_house_builder::RULES;
use keno_schema::{Connection, Database, on};

use crate::wagers::{WAGER_CENTS, Wager, questions};

/// How wagers meet the drawn numbers, and what they are paid for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// A wager that caught nothing stays, with a count of zero.
    Left,
    /// It falls out of the result, and with it every winner who was paid for catching nothing:
    /// the fault that the comparison must catch.
    Inner,
}

const ROWS: &str = "
CREATE TABLE wager (
    id INTEGER PRIMARY KEY,
    ticket INTEGER NOT NULL,
    spots INTEGER NOT NULL,
    cents INTEGER NOT NULL
) STRICT;
CREATE TABLE wager_number (
    wager INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (wager, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE ball (number INTEGER PRIMARY KEY) STRICT;
CREATE TABLE pays (
    spots INTEGER NOT NULL,
    catch INTEGER NOT NULL,
    hundredths INTEGER NOT NULL,
    PRIMARY KEY (spots, catch)
) STRICT, WITHOUT ROWID;
CREATE TABLE prize (
    draw INTEGER NOT NULL,
    ticket INTEGER NOT NULL,
    computed_cents INTEGER NOT NULL CHECK (computed_cents > 0),
    payable_cents INTEGER NOT NULL CHECK (payable_cents >= 0),
    PRIMARY KEY (draw, ticket),
    CHECK (payable_cents <= computed_cents)
) STRICT, WITHOUT ROWID;
";

const MASKS: &str = "
CREATE TABLE wager (
    ticket BIGINT NOT NULL,
    spots SMALLINT NOT NULL,
    cents BIGINT NOT NULL,
    mask BIT(80) NOT NULL
);
CREATE TABLE pays (
    spots SMALLINT NOT NULL,
    catch SMALLINT NOT NULL,
    hundredths BIGINT NOT NULL,
    PRIMARY KEY (spots, catch)
);
CREATE TABLE prize (
    draw BIGINT NOT NULL,
    ticket BIGINT NOT NULL,
    computed_cents BIGINT NOT NULL CHECK (computed_cents > 0),
    payable_cents BIGINT NOT NULL CHECK (payable_cents >= 0),
    PRIMARY KEY (draw, ticket),
    CHECK (payable_cents <= computed_cents)
);
";

/// Numbers as bits, the first on the left.
fn mask(numbers: impl IntoIterator<Item = u8>) -> String {
    let mut bits = "0".repeat(80);
    for number in numbers {
        let at = usize::from(number) - 1;
        bits.replace_range(at..=at, "1");
    }
    bits
}

fn say(connection: &mut Connection, sql: &str) -> anyhow::Result<()> {
    Ok(on!(connection, c => c.batch_execute(sql))?)
}

/// The rows that some wagers are, by table.
fn rows(
    connection: &Connection,
    (some, start): (&[Wager], usize),
) -> Vec<(&'static str, Vec<String>)> {
    let mut rows = Vec::new();
    let mut numbers = Vec::new();
    for (wager, id) in some.iter().zip(start..) {
        let (ticket, spots) = (wager.ticket, wager.numbers.len());
        rows.push(match connection {
            Connection::Sqlite(_) => format!("({id},{ticket},{spots},{WAGER_CENTS})"),
            Connection::Postgres(_) => {
                let mask = mask(wager.numbers);
                format!("({ticket},{spots},{WAGER_CENTS},B'{mask}')")
            }
        });
        if matches!(connection, Connection::Sqlite(_)) {
            let each = wager.numbers.iter();
            numbers.extend(each.map(|number| format!("({id},{number})")));
        }
    }
    vec![("wager", rows), ("wager_number", numbers)]
}

/// What makes the table `won` of a draw: ticket and cents of each wager that won.
fn won(connection: &Connection, balls: &[u8], join: Join) -> String {
    match connection {
        Connection::Sqlite(_) => {
            let balls: Vec<String> = balls.iter().map(|ball| format!("({ball})")).collect();
            format!(
                "DELETE FROM ball; INSERT INTO ball VALUES {};
                 CREATE TEMP TABLE won AS
                    SELECT wager.ticket, wager.cents * pays.hundredths / 100 AS cents
                    FROM wager
                    {} (SELECT wager_number.wager, count(*) AS catch
                          FROM wager_number JOIN ball ON ball.number = wager_number.number
                          GROUP BY wager_number.wager) AS caught ON caught.wager = wager.id
                    JOIN pays
                      ON pays.spots = wager.spots AND pays.catch = coalesce(caught.catch, 0);",
                balls.join(","),
                match join {
                    Join::Left => "LEFT JOIN",
                    Join::Inner => "JOIN",
                }
            )
        }
        Connection::Postgres(_) => format!(
            "CREATE TEMP TABLE won AS
                SELECT wager.ticket, wager.cents * pays.hundredths / 100 AS cents
                FROM wager
                JOIN pays ON pays.spots = wager.spots
                         AND pays.catch = bit_count(wager.mask & B'{}')
                         AND pays.catch >= {};",
            mask(balls.iter().copied()),
            match join {
                Join::Left => 0,
                Join::Inner => 1,
            }
        ),
    }
}

/// A database of wagers.
pub struct Naive {
    connection: Connection,
    cap_cents: i64,
    threshold_cents: i64,
}

#[derive(QueryableByName)]
struct Sums {
    #[diesel(sql_type = BigInt)]
    small: i64,
    #[diesel(sql_type = BigInt)]
    large: i64,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl std::fmt::Debug for Naive {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Naive(..)")
    }
}

impl Naive {
    /// Loads the wagers and the pay tables of the demonstration rules into an empty database.
    ///
    /// # Errors
    /// The database's.
    pub fn load(database: &Database, wagers: &[Wager]) -> anyhow::Result<Self> {
        let rules = rules_file::read(RULES)
            .map_err(|faults| anyhow::anyhow!("the rules have {} faults", faults.len()))?
            .rules;
        let game = rules.game("keno").context("no game of keno")?;
        let mut connection = database.open_writer()?;
        let c = &mut connection;
        let tables = match c {
            Connection::Sqlite(_) => ROWS,
            Connection::Postgres(_) => MASKS,
        };
        say(c, tables)?;
        say(c, "BEGIN")?;
        for spots in 1..=10_u8 {
            let table = game.table(spots).context("a pay table is missing")?;
            for catch in 0..=spots {
                // A prize for one dollar is the pay in hundredths.
                let pays = table.prize(Cents::new(100), catch).get();
                if pays > 0 {
                    say(
                        c,
                        &format!("INSERT INTO pays VALUES ({spots}, {catch}, {pays})"),
                    )?;
                }
            }
        }
        for some in wagers.chunks(500).zip((0_usize..).step_by(500)) {
            for (table, rows) in rows(c, some) {
                if !rows.is_empty() {
                    say(c, &format!("INSERT INTO {table} VALUES {}", rows.join(",")))?;
                }
            }
        }
        say(c, "COMMIT; ANALYZE;")?;
        Ok(Self {
            connection,
            cap_cents: rules.cap.get(),
            threshold_cents: rules.cap_threshold.get(),
        })
    }

    /// Settles a draw: prizes by wager, sums on both sides of the threshold, the cap's factors,
    /// one row a winning ticket, committed; and the count of the winners, read back.
    ///
    /// # Errors
    /// The database's.
    pub fn settle(&mut self, draw: u64, balls: &[u8], join: Join) -> anyhow::Result<i64> {
        let threshold = self.threshold_cents;
        let cap = self.cap_cents;
        let connection = &mut self.connection;
        let won = won(connection, balls, join);
        say(connection, &format!("BEGIN; {won}"))?;
        let query = format!(
            "SELECT CAST(coalesce(sum(CASE WHEN cents < {threshold} THEN cents END), 0) AS BIGINT)
                        AS small,
                    CAST(coalesce(sum(CASE WHEN cents >= {threshold} THEN cents END), 0) AS BIGINT)
                        AS large
             FROM won"
        );
        let sums: Sums = on!(&mut *connection, c => diesel::sql_query(&query).get_result(c))?;
        let (small, large) = if sums.small + sums.large <= cap {
            ((1, 1), (1, 1))
        } else if sums.small <= cap {
            ((1, 1), (cap - sums.small, sums.large))
        } else {
            let all = (cap, sums.small + sums.large);
            (all, all)
        };
        let prizes = format!(
            "INSERT INTO prize
                SELECT {draw}, ticket, sum(cents),
                       sum(CASE WHEN cents < {threshold} THEN cents * {} / {}
                                ELSE cents * {} / {} END)
                FROM won GROUP BY ticket;
             DROP TABLE won; COMMIT;",
            small.0, small.1, large.0, large.1
        );
        say(connection, &prizes)?;
        let query = format!("SELECT count(*) AS count FROM prize WHERE draw = {draw}");
        let count: Count = on!(&mut *connection, c => diesel::sql_query(&query).get_result(c))?;
        Ok(count.count)
    }

    /// The prizes of tickets all over a settled draw, each asked for by itself, in cents.
    ///
    /// # Errors
    /// The database's.
    pub fn asked(&mut self, draw: u64, wagers: usize) -> anyhow::Result<i64> {
        let connection = &mut self.connection;
        let mut sum = 0;
        for place in questions(wagers) {
            let query = diesel::sql_query(
                "SELECT CAST(coalesce(sum(payable_cents), 0) AS BIGINT) AS count FROM prize
                 WHERE draw = $1 AND ticket = $2",
            );
            let (draw, place) = (i64::try_from(draw)?, i64::try_from(place)?);
            let told: Count = on!(&mut *connection, c => query
                .bind::<BigInt, _>(draw)
                .bind::<BigInt, _>(place)
                .get_result(c))?;
            sum += told.count;
        }
        Ok(sum)
    }

    /// The connection, to read winners with.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

//! The same settlement as anyone would write it in SQL: wagers and their numbers as rows, joined
//! with the drawn numbers and the pay table. Same pragmas, same prize table, same sums.

use std::path::Path;

use anyhow::Context;
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use keno_book::rules_file;
use keno_game::Cents;
use keno_house_builder::RULES;
use keno_schema::{Connection, Database};

use crate::wagers::{WAGER_CENTS, Wager, questions};

/// How wagers meet the drawn numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// A wager that caught nothing stays, with a count of zero.
    Left,
    /// It falls out of the result, and with it every winner who was paid for catching nothing:
    /// the fault that the comparison must catch.
    Inner,
}

impl Join {
    fn sql(self) -> &'static str {
        match self {
            Self::Left => "LEFT JOIN",
            Self::Inner => "JOIN",
        }
    }
}

const TABLES: &str = "
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
    /// Loads the wagers and the pay tables of the demonstration rules.
    ///
    /// # Errors
    /// The database's.
    pub fn load(file: &Path, wagers: &[Wager]) -> anyhow::Result<Self> {
        let rules = rules_file::read(RULES)
            .map_err(|faults| anyhow::anyhow!("the rules have {} faults", faults.len()))?
            .rules;
        let game = rules.game("keno").context("no game of keno")?;
        let mut connection = Database::Sqlite(file.to_owned()).open_writer()?;
        let c = sqlite(&mut connection)?;
        c.batch_execute(TABLES)?;
        c.batch_execute("BEGIN IMMEDIATE")?;
        for spots in 1..=10_u8 {
            let table = game.table(spots).context("a pay table is missing")?;
            for catch in 0..=spots {
                // A prize for one dollar is the pay in hundredths.
                let pays = table.prize(Cents::new(100), catch).get();
                if pays > 0 {
                    c.batch_execute(&format!(
                        "INSERT INTO pays VALUES ({spots}, {catch}, {pays})"
                    ))?;
                }
            }
        }
        for (some, start) in wagers.chunks(500).zip((0_usize..).step_by(500)) {
            let (mut rows, mut numbers) = (Vec::new(), Vec::new());
            for (wager, id) in some.iter().zip(start..) {
                rows.push(format!(
                    "({id},{},{},{WAGER_CENTS})",
                    wager.ticket,
                    wager.numbers.len()
                ));
                numbers.extend(
                    wager
                        .numbers
                        .iter()
                        .map(|number| format!("({id},{number})")),
                );
            }
            c.batch_execute(&format!("INSERT INTO wager VALUES {}", rows.join(",")))?;
            c.batch_execute(&format!(
                "INSERT INTO wager_number VALUES {}",
                numbers.join(",")
            ))?;
        }
        c.batch_execute("COMMIT; ANALYZE;")?;
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
        let c = sqlite(&mut self.connection)?;
        let balls: Vec<String> = balls.iter().map(|ball| format!("({ball})")).collect();
        c.batch_execute(&format!(
            "BEGIN IMMEDIATE; DELETE FROM ball; INSERT INTO ball VALUES {};
             CREATE TEMP TABLE won AS
                SELECT wager.ticket, wager.cents * pays.hundredths / 100 AS cents
                FROM wager
                {} (SELECT wager_number.wager, count(*) AS catch
                      FROM wager_number JOIN ball ON ball.number = wager_number.number
                      GROUP BY wager_number.wager) AS caught ON caught.wager = wager.id
                JOIN pays ON pays.spots = wager.spots AND pays.catch = coalesce(caught.catch, 0);",
            balls.join(","),
            join.sql()
        ))?;
        let sums: Sums = diesel::sql_query(format!(
            "SELECT coalesce(sum(cents) FILTER (WHERE cents < {threshold}), 0) AS small,
                    coalesce(sum(cents) FILTER (WHERE cents >= {threshold}), 0) AS large
             FROM won"
        ))
        .get_result(c)?;
        let (small, large) = if sums.small + sums.large <= cap {
            ((1, 1), (1, 1))
        } else if sums.small <= cap {
            ((1, 1), (cap - sums.small, sums.large))
        } else {
            let all = (cap, sums.small + sums.large);
            (all, all)
        };
        c.batch_execute(&format!(
            "INSERT INTO prize
                SELECT {draw}, ticket, sum(cents),
                       sum(CASE WHEN cents < {threshold} THEN cents * {} / {}
                                ELSE cents * {} / {} END)
                FROM won GROUP BY ticket;
             DROP TABLE won; COMMIT;",
            small.0, small.1, large.0, large.1
        ))?;
        let count: Count = diesel::sql_query(format!(
            "SELECT count(*) AS count FROM prize WHERE draw = {draw}"
        ))
        .get_result(c)?;
        Ok(count.count)
    }

    /// The prizes of tickets all over a settled draw, each asked for by itself, in cents.
    ///
    /// # Errors
    /// The database's.
    pub fn asked(&mut self, draw: u64, wagers: usize) -> anyhow::Result<i64> {
        let c = sqlite(&mut self.connection)?;
        let mut sum = 0;
        for place in questions(wagers) {
            let query = diesel::sql_query(
                "SELECT coalesce(sum(payable_cents), 0) AS count FROM prize
                 WHERE draw = ? AND ticket = ?",
            );
            let query = query.bind::<BigInt, _>(i64::try_from(draw)?);
            let told: Count = query
                .bind::<BigInt, _>(i64::try_from(place)?)
                .get_result(c)?;
            sum += told.count;
        }
        Ok(sum)
    }

    /// The connection, to read winners with.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

fn sqlite(connection: &mut Connection) -> anyhow::Result<&mut diesel::SqliteConnection> {
    match connection {
        Connection::Sqlite(connection) => Ok(connection),
        Connection::Postgres(_) => anyhow::bail!("the naive settlement is measured on SQLite"),
    }
}

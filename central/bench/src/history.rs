//! Years of a house, as leaves: draws with their tickets, all settled, and a draw on sale with
//! many wagers. The leaves and the rows that are no ticket's are written straight to the record:
//! selling them would take hours, and a start reads nothing else.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use diesel::connection::SimpleConnection;
use keno_log::event::{
    BallsRecorded, CommitmentRecorded, ConditioningRecord, DrawCertified, DrawClosed, DrawOpened,
    DrawScheduled, DrawSettled, DrawStarted, DrawVoided, SecretsRevealed, SelectionRecord,
    SessionOpened, ShiftOpened, TicketSold,
};
use keno_log::leaf::body_commitment;
use keno_log::{CommandKey, Event, Leaf, LeafHeader};
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::project::{PendingRows, project};
use keno_record::publish::Anchor;
use keno_record::record::{keys_path, origin_of};
use keno_record::recover::recover;
use keno_record::snapshot::{Due, SNAPSHOT_LEAVES, SnapshotPlace, snapshot_path};
use keno_record::state::State;
use keno_record::store::log;
use keno_schema::rows::LogEntryRow;
use keno_schema::{Connection, Database, on};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::house::{CLERK, FLOAT_CENTS, found};
use crate::till::pick;

/// How much a house has behind it.
#[derive(Debug, Clone, Copy)]
pub struct Years {
    /// Tickets of draws that are over, a straight selection each.
    pub tickets: u64,
    /// Those draws.
    pub draws: u64,
    /// Tickets of the draw on sale, four selections each.
    pub open_tickets: u64,
}

/// Draws that are on sale.
const ON_SALE: u64 = 40;
/// Leaves of a transaction, and so between two anchors.
const A_COMMIT: u64 = 5_000;
/// Any day.
const BUSINESS_DAY: u32 = 20_261_120;
const WAGER_CENTS: i64 = 100;

/// The record of such a house, on a disk.
#[derive(Debug)]
pub struct History {
    /// Its data folder.
    pub folder: PathBuf,
    /// Leaves of the record.
    pub leaves: u64,
    /// Leaves before its newest snapshot.
    pub kept: u64,
}

struct Scribe {
    connection: Connection,
    state: State,
    pending: PendingRows,
    anchors: PathBuf,
    due: Due,
    kept: u64,
    keys: ServerKeys,
    folder: PathBuf,
    chance: ChaCha20Rng,
    counter: u64,
}

fn database(folder: &Path) -> Database {
    Database::Sqlite(folder.join("keno.sqlite"))
}

/// Statements as they are: a transaction here has many facts, and none of them is refused.
fn say(connection: &mut Connection, sql: &str) -> anyhow::Result<()> {
    Ok(on!(connection, c => c.batch_execute(sql))?)
}

impl Scribe {
    fn write(&mut self, event: impl Into<Event>) -> anyhow::Result<()> {
        let event = event.into();
        let body = event.encode();
        let nonce = self.keys.nonce(&body);
        let index = self.state.edge.size();
        let leaf = Leaf {
            header: LeafHeader {
                kind: event.kind(),
                index,
                at_ms: self.state.last_at_ms,
                business_day: BUSINESS_DAY,
                draw: event.draw(),
            },
            commitment: body_commitment(&nonce, &body),
        };
        let leaf_hash = leaf.hash();
        let mut no_sale = |_| Err(keno_record::Fault::Record("no ticket is taken back".into()));
        let state = &mut self.state;
        state.apply(
            &leaf.header,
            &event,
            leaf_hash,
            &mut no_sale,
            &mut Vec::new(),
        )?;
        self.pending.entries.push(LogEntryRow {
            leaf_index: index,
            leaf: leaf.to_bytes(),
            leaf_hash: leaf_hash.to_vec(),
            nonce: nonce.to_vec(),
            body,
        });
        if !matches!(event, Event::TicketSold(_)) {
            let (connection, pending) = (&mut self.connection, &mut self.pending);
            project(connection, pending, &self.state, &leaf.header, &event)?;
        }
        if self.state.edge.size().is_multiple_of(A_COMMIT) {
            self.commit()?;
        }
        Ok(())
    }

    fn commit(&mut self) -> anyhow::Result<()> {
        let connection = &mut self.connection;
        self.pending.flush(connection)?;
        let (head, _) = log::head(connection)?.context("a record without a head")?;
        let (edge, at_ms) = (&self.state.edge, self.state.last_at_ms);
        ensure!(log::advance_head(connection, head.size(), edge, at_ms)?);
        say(connection, "COMMIT; BEGIN")?;
        let mut file = OpenOptions::new().append(true).open(&self.anchors)?;
        let (size, root) = (self.state.edge.size(), self.state.edge.root());
        file.write_all(Anchor { size, root }.line().as_bytes())?;
        if let Some(snapshot) = self.due.of(&self.state) {
            let key = signing_key(&self.keys, &origin_of("demo")).context("no log key")?;
            snapshot.write(&snapshot_path(&self.folder), &key)?;
            self.kept = self.state.edge.size();
        }
        Ok(())
    }

    fn sell(&mut self, draw: u64, selections: usize, session: u64) -> anyhow::Result<()> {
        self.counter += 1;
        let chosen = (0..selections)
            .map(|_| {
                let numbers = pick(&mut self.chance, 5);
                SelectionRecord {
                    game: "keno".to_owned(),
                    kind: 1,
                    quick_pick: true,
                    groups: vec![numbers],
                    kings: Vec::new(),
                    conditioning: vec![ConditioningRecord {
                        ways: 1,
                        spots: 5,
                        wager_cents: WAGER_CENTS,
                    }],
                }
            })
            .collect();
        let total_cents = WAGER_CENTS * i64::try_from(selections)?;
        let mut hash = [7; 32];
        hash[..8].copy_from_slice(&self.counter.to_be_bytes());
        self.write(TicketSold {
            key: CommandKey {
                device: 1,
                session,
                counter: self.counter,
            },
            content_hash: hash,
            secret_key: 1,
            rule_book: 1,
            first_draw: draw,
            last_draw: draw,
            selections: chosen,
            per_draw_cents: total_cents,
            total_cents,
            cap_cents: 5_000_000,
            claim_by: BUSINESS_DAY,
            tender: 1,
            received_cents: total_cents,
            badge: CLERK.to_owned(),
            shift: session,
            intake: 1,
            replay_of: None,
            chip_change_cents: 0,
        })
    }

    fn open_draw(&mut self, draw: u64, holders: &[String]) -> anyhow::Result<()> {
        let closes_at_ms = self.state.last_at_ms + 3_600_000;
        self.write(DrawScheduled {
            draw,
            closes_at_ms,
            draws_at_ms: closes_at_ms + 10_000,
            source: 1,
            holders: holders.to_vec(),
            pool_size: 80,
            drawn: 20,
            cap_cents: 5_000_000,
            full_below_cents: 50_000,
        })?;
        for position in 0..holders.len() {
            self.write(CommitmentRecorded {
                draw,
                position: u8::try_from(position)?,
                commitment: [3; 32],
            })?;
        }
        self.write(DrawOpened { draw })
    }

    fn draw(&mut self, draw: u64, holders: usize) -> anyhow::Result<()> {
        let known = self.state.draws.get(&draw).context("a draw is gone")?;
        let (tickets, selections) = (known.tickets, known.selections);
        let wagered_cents = known.wagered_cents;
        self.write(DrawClosed {
            draw,
            tickets,
            selections,
            wagered_cents,
        })?;
        let balls = pick(&mut self.chance, 20);
        self.write(DrawStarted {
            draw,
            seal_size: self.state.edge.size(),
            seal_root: self.state.edge.root(),
            rule_book_hash: [5; 32],
        })?;
        self.write(BallsRecorded {
            draw,
            machine: 1,
            balls,
            words_used: 20,
            words_rejected: 0,
            secrets_hash: [6; 32],
        })?;
        self.write(DrawCertified {
            draw,
            certifiers: vec!["S1".to_owned()],
        })?;
        self.write(SecretsRevealed {
            draw,
            secrets: vec![[4; 32]; holders],
        })?;
        self.write(DrawSettled {
            draw,
            winners: 0,
            small_cents: 0,
            large_cents: 0,
            payable_cents: 0,
            small_numerator: 1,
            small_denominator: 1,
            large_numerator: 1,
            large_denominator: 1,
            breakage_cents: 0,
            prize_root: [0; 32],
        })
    }
}

/// Makes the record of a house with such a history in an empty folder.
///
/// # Errors
/// When a row is refused.
pub fn make(folder: &Path, years: &Years) -> anyhow::Result<History> {
    drop(found(folder, None, 1)?);
    let anchors = folder.join("anchors.log");
    let mut connection = database(folder).open_writer()?;
    let state = recover(&mut connection, &[], None, i64::MAX)?;
    let mut scribe = Scribe {
        connection,
        state,
        pending: PendingRows::default(),
        anchors,
        due: Due::new(SNAPSHOT_LEAVES),
        kept: 0,
        keys: ServerKeys::load(&keys_path(folder))?,
        folder: folder.to_owned(),
        chance: ChaCha20Rng::seed_from_u64(75),
        counter: 0,
    };
    say(&mut scribe.connection, "PRAGMA synchronous = OFF; BEGIN")?;
    let live: Vec<u64> = scribe.state.draws.keys().copied().collect();
    let of = scribe.state.draws.values().next();
    let of = of.context("no draw is on sale")?;
    let holders: Vec<String> = of.holders.iter().map(|one| one.name.clone()).collect();
    for draw in &live {
        scribe.write(DrawVoided {
            draw: *draw,
            reason: "history".to_owned(),
            by: "S1".to_owned(),
            second: "S2".to_owned(),
            tickets: 0,
            refund_cents: 0,
        })?;
    }
    let first = live.last().map_or(1, |last| last + 1);
    for draw in first..first + years.draws {
        scribe.open_draw(draw, &holders)?;
        let sold = (draw - first) * years.tickets / years.draws;
        let sells = (draw - first + 1) * years.tickets / years.draws - sold;
        for _ in 0..sells {
            scribe.sell(draw, 1, 0)?;
        }
        scribe.draw(draw, holders.len())?;
    }
    let on_sale = first + years.draws;
    for draw in on_sale..on_sale + ON_SALE {
        scribe.open_draw(draw, &holders)?;
    }
    let (session, shift) = (scribe.state.next_session, scribe.state.next_shift);
    scribe.write(SessionOpened {
        session,
        device: 1,
        badge: CLERK.to_owned(),
        token_hash: [1; 32],
    })?;
    scribe.write(ShiftOpened {
        shift,
        device: 1,
        badge: CLERK.to_owned(),
        float_cents: FLOAT_CENTS,
    })?;
    for _ in 0..years.open_tickets {
        scribe.sell(on_sale, 4, session)?;
    }
    scribe.commit()?;
    say(&mut scribe.connection, "COMMIT")?;
    Ok(History {
        folder: folder.to_owned(),
        leaves: scribe.state.edge.size(),
        kept: scribe.kept,
    })
}

/// What a start makes of it, with or without its snapshot.
///
/// # Errors
/// When the past is doubtful.
pub fn start(history: &History, with_snapshot: bool) -> anyhow::Result<State> {
    let keys = ServerKeys::load(&keys_path(&history.folder))?;
    let key = signing_key(&keys, &origin_of("demo")).context("no log key")?;
    let snapshots = SnapshotPlace::new(&history.folder, key.verifying_key().clone());
    let mut connection = database(&history.folder).open_reader()?;
    let anchors = [history.folder.join("anchors.log")];
    let known = with_snapshot.then_some(&snapshots);
    Ok(recover(&mut connection, &anchors, known, i64::MAX)?)
}

/// Reads every byte of the leaves and does nothing with them: what no start from leaves can do
/// without.
///
/// # Errors
/// The database's.
pub fn read(history: &History, from: u64) -> anyhow::Result<usize> {
    let mut connection = database(&history.folder).open_reader()?;
    let (mut at, mut bytes) = (from, 0);
    loop {
        let rows = log::entries(&mut connection, at, 2_000)?;
        if rows.is_empty() {
            return Ok(bytes);
        }
        at += rows.len() as u64;
        bytes += rows
            .iter()
            .map(|row| row.leaf.len() + row.body.len())
            .sum::<usize>();
    }
}

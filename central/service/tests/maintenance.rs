//! The record looked after: rebuilt, verified, exported, recovered; and every planted fault
//! named.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

mod edits;
mod memory;
mod start;
mod tables;

use std::path::PathBuf;

use crate::support::{House, quick, slip, straight, two_fours_one_eight, wait};
use diesel::RunQueryDsl;
use diesel::connection::SimpleConnection;
use keno_house_builder::without_guards;
use keno_log::event::DamagedReading;
use keno_log::export::{ExportReader, ExportRecord};
use keno_log::tree::Edge;
use keno_record::publish::SignedCheckpoint;
use keno_record::recover::recover;
use keno_record::sequencer::Lane;
use keno_record::store::snapshot::on_snapshot;
use keno_schema::{Connection, Database, on};
use keno_service::authority::identity::Caller;
use keno_service::counter::{
    FileOrder, Fragment, Named, PayOrder, TicketPicture, TillContents, TillMovementKind,
};
use keno_service::draw::Draw;
use keno_service::maintenance::{Finding, RebuildFault, export, rebuild, verify};
use keno_service::{Stop, draw};
use memory::digest;

/// A small day in which every kind of fact about money takes place, and that ends with draws
/// open, tickets in play and a till open.
fn small_day(house: &House) {
    let clerk = house.clerk(1, "C1");
    let supervisor = house.clerk(2, "S1");
    let draw = house.next_draw();
    let tickets: Vec<_> = (1..=20_u8)
        .map(|n| {
            let singles = [n, n + 20, n + 40, n + 60];
            house.sell(
                &clerk,
                slip(singles.map(|single| straight(&[single], 100)).to_vec(), 1),
            )
        })
        .collect();
    for sold in &tickets {
        house.confirm(&clerk, sold);
    }
    let ways = house.sell(&clerk, slip(vec![two_fours_one_eight(100)], 20));
    house.confirm(&clerk, &ways);
    let long = house.sell(&clerk, slip(vec![quick(7, 200), quick(2, 100)], 20));
    let cancelled = house.sell(&clerk, slip(vec![two_fours_one_eight(200)], 10));
    house.cancel(&clerk, &cancelled).unwrap();
    let unpaid = house.sell(&clerk, slip(vec![quick(3, 100)], 2));
    wait(Named::from(&house.paper(&unpaid)).mark_unpaid(
        &house.central,
        &clerk,
        &house.person("S1"),
    ))
    .unwrap();
    wait(clerk.close_key(&house.central, None, clerk.session, house.next_counter())).unwrap();
    wait(Named::from(&house.paper(&long)).duplicate(
        &house.central,
        &clerk,
        &house.person("S1"),
        "mouillé",
    ))
    .unwrap();

    let nothing = DamagedReading {
        first_draw: None,
        last_draw: None,
        total_cents: None,
        sold_at: None,
        numbers: Vec::new(),
    };
    let digits = house.number(&ways).digits();
    let file = FileOrder {
        fragment: Fragment::new(&digits, nothing).unwrap(),
        presented_by: "porteur".to_owned(),
        note: "mouillé".to_owned(),
    };
    wait(file.open(&house.central, &clerk)).unwrap();
    let fill = house.till_order(&clerk, TillMovementKind::Fill);
    wait(fill.move_cash(&house.central, &clerk)).unwrap();
    let count = house.count_order(&clerk, 12_345);
    wait(count.count(&house.central, &clerk)).unwrap();

    // Holders who are not paid: of every ticket one, and of one ticket another.
    for sold in tickets.iter().chain([&ways, &tickets[0]]) {
        let reason = if sold.ticket % 2 == 0 {
            "minor"
        } else {
            "excluded"
        };
        let paper = house.paper(sold);
        wait(Named::from(&paper).refuse_patron(&house.central, &clerk, reason)).unwrap();
    }
    let auditor = house.auditor();
    let remark = auditor.remark(&house.central, unpaid.ticket, "vu");
    wait(remark).unwrap();
    house.until_settled(draw);
    let mut paid = Vec::new();
    for sold in &tickets {
        let paper = house.paper(sold);
        let row = paper.find(&house.central).unwrap().unwrap();
        let picture = TicketPicture::of(&house.central, row).unwrap();
        let items: Vec<(u64, i64)> = picture
            .payable()
            .map(|due| (due.draw.number(), due.payable_cents))
            .collect();
        if items.is_empty() || paid.len() == 2 {
            continue;
        }
        let order = PayOrder {
            counter: house.next_counter(),
            session: clerk.session,
            paper: paper.into(),
            items,
            second: Some(house.person("S1")),
        };
        paid.push(wait(order.pay(&house.central, &clerk)).unwrap().leaf);
    }
    wait(clerk.reverse_payment(&house.central, &house.person("S1"), paid[1], "joueur parti"))
        .unwrap();

    house.until_closed(draw + 1);
    Draw(draw + 1)
        .void(&house.central, "essai", "S1", "S2")
        .unwrap();
    draw::suspend_sales(&house.central, "essai", "S1").unwrap();
    draw::resume_sales(&house.central, "S1", "S2").unwrap();
    wait(supervisor.close_shift(&house.central, TillContents::cash(50_000), None)).unwrap();
    wait(supervisor.sign_off(&house.central)).unwrap();
    house.until_settled(draw + 2);
    for (numbers, draws) in [(&[1, 2, 3][..], 1), (&[4, 5][..], 5)] {
        house.sell(&clerk, slip(vec![straight(numbers, 100)], draws));
    }
    let late = house.sell(&clerk, slip(vec![straight(&[9, 19], 100)], 4));
    house.cancel(&clerk, &late).unwrap();
    // The counter is left with its till; the tickets without a paper are the neighbour's affair.
    let opened = wait(
        house
            .person("S1")
            .sign_on(&house.central, &supervisor.device),
    );
    let neighbour = Caller {
        session: opened.unwrap().session,
        ..supervisor
    };
    let taken = wait(neighbour.take_over(
        &house.central,
        &house.person("C1"),
        clerk.device.device,
        "écran noir",
    ))
    .unwrap();
    let unconfirmed: Vec<u64> = taken.unconfirmed.iter().map(|one| one.ticket).collect();
    // The last two that were sold; a duplicate is the affair of whoever made it.
    assert_eq!(unconfirmed.len(), 2, "{unconfirmed:?}");
    assert!(!unconfirmed.contains(&long.ticket) && !unconfirmed.contains(&ways.ticket));
    assert!(!unconfirmed.contains(&late.ticket) && !unconfirmed.contains(&unpaid.ticket));
    let view = house.central.view.get();
    assert!(view.shift_at(1).is_none() && view.shift_at(2).is_some());
}

/// A stopped house after a small day.
struct Stopped {
    house: House,
    memory: String,
    checkpoint: SignedCheckpoint,
}

fn stopped(database: Option<&str>) -> Stopped {
    let mut house = House::new(database);
    small_day(&house);
    let memory = house
        .central
        .sequencer
        .submit_blocking(Lane::Draw, |judge| -> Result<String, Stop> {
            Ok(digest(judge.state))
        })
        .unwrap();
    let central = std::sync::Arc::clone(&house.central);
    let size = memory
        .lines()
        .find_map(|line| line.strip_prefix("edge "))
        .unwrap();
    // The publisher follows the commit on a thread of its own.
    let checkpoint = loop {
        match central.checkpoint() {
            Some(newest) if size.starts_with(&format!("{} ", newest.size)) => break newest,
            _ => std::thread::yield_now(),
        }
    };
    let checkpoint = SignedCheckpoint::clone(&checkpoint);
    drop(central);
    house.stop();
    Stopped {
        house,
        memory,
        checkpoint,
    }
}

impl Stopped {
    fn connection(&self) -> Connection {
        let database = match &self.house.database {
            Some(address) => Database::parse(address),
            None => Database::Sqlite(self.house.path().join("keno.sqlite")),
        };
        database.open_writer().unwrap()
    }

    fn anchors(&self) -> Vec<PathBuf> {
        vec![self.house.path().join("anchors.log")]
    }

    fn findings(&self) -> Vec<Finding> {
        let mut connection = self.connection();
        let outcome = verify(&mut connection, &self.anchors(), &self.house.path()).unwrap();
        let left: Vec<_> = std::fs::read_dir(self.house.path())
            .unwrap()
            .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
            .filter(|name| name.starts_with("verify-"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
        outcome.findings
    }

    fn words(&self) -> Vec<String> {
        self.findings().iter().map(ToString::to_string).collect()
    }

    fn sql(&self, statement: &str) {
        let mut connection = self.connection();
        on!(&mut connection, c => diesel::sql_query(statement).execute(c)).unwrap();
    }

    /// Someone with the database's own tools.
    fn tamper(&self, statement: &str) {
        without_guards(
            &mut self.connection(),
            |connection| on!(connection, c => diesel::sql_query(statement).execute(c)),
        )
        .unwrap();
    }

    fn bytes(&self, hexadecimal: &str) -> String {
        match self.house.database {
            Some(_) => format!("'\\x{hexadecimal}'::bytea"),
            None => format!("x'{hexadecimal}'"),
        }
    }

    fn tables(&self) -> Vec<tables::Table> {
        tables::all(&mut self.connection())
    }
}

/// Runs a test on SQLite and on PostgreSQL.
fn on_both(test: fn(&Stopped)) {
    test(&stopped(None));
    let database = keno_testing::empty_postgres_database().unwrap();
    test(&stopped(Some(database.address())));
}

#[test]
fn a_sound_record_verifies_and_rebuilds_to_the_same_tables() {
    on_both(|day| {
        assert_eq!(day.words(), Vec::<String>::new());
        let before = day.tables();
        let empty: Vec<_> = before
            .iter()
            .filter(|table| table.rows.is_empty())
            .map(|table| table.table)
            .collect();
        // Nothing was restored in this day, and central was not off: `backup.rs` and `claims.rs`
        // compare the tables after that.
        assert_eq!(
            empty,
            ["epoch", "silence"],
            "the day must fill every other table"
        );
        let rebuilt = rebuild(&mut day.connection()).unwrap();
        assert_eq!(rebuilt.leaves, day.checkpoint.size);
        assert_eq!(day.tables(), before);
        assert_eq!(day.words(), Vec::<String>::new());
    });
}

#[test]
fn memory_after_recovery_is_memory_before() {
    on_both(|day| {
        let now_ms = keno_record::clock::Clock::now_ms(day.house.clock.as_ref());
        let state = recover(&mut day.connection(), &day.anchors(), None, now_ms).unwrap();
        let recovered = digest(&state);
        for (before, after) in day.memory.lines().zip(recovered.lines()) {
            assert_eq!(before, after);
        }
        assert_eq!(day.memory, recovered);
        // The comparison sees a cent and a number.
        let mut other = recover(&mut day.connection(), &day.anchors(), None, now_ms).unwrap();
        other.shifts.values_mut().next().unwrap().expected_cents += 1;
        assert_ne!(digest(&other), recovered);
        let mut other = recover(&mut day.connection(), &day.anchors(), None, now_ms).unwrap();
        other.ranged.pop();
        assert_ne!(digest(&other), recovered);
    });
}

#[test]
fn a_changed_table_is_named_with_its_key_and_made_whole_by_a_rebuild() {
    on_both(|day| {
        let before = day.tables();
        for (statement, named) in [
            (
                "DELETE FROM ticket_fact WHERE ticket = (SELECT max(number) FROM ticket)",
                "table ticket_fact (leaf ",
            ),
            (
                "DELETE FROM ticket WHERE number = (SELECT max(number) FROM ticket)",
                "table ticket (number ",
            ),
            (
                "INSERT INTO payment_item (payment, draw, ticket, kind, amount_cents, reversed) \
                 SELECT payment, 3, ticket, kind, 500, 0 FROM payment_item WHERE reversed = 0",
                "table payment_item (payment ",
            ),
            (
                "UPDATE draw SET wagered_cents = wagered_cents - 100 WHERE number = 1",
                "table draw (number 1): wagered_cents is ",
            ),
            (
                "UPDATE person SET staff = 'mine' WHERE badge = 'S2'",
                "table person (badge S2): staff is not what the leaves give",
            ),
            (
                "UPDATE command SET device = 9 WHERE leaf = (SELECT min(leaf) FROM command)",
                "table command (leaf ",
            ),
            (
                "UPDATE house SET fence = 0 WHERE id = 1",
                "table house (id 1): fence is 0, and the leaves give 1",
            ),
        ] {
            day.sql(statement);
            assert_ne!(day.tables(), before, "{statement}");
            let words = day.words();
            assert!(
                words.iter().any(|words| words.starts_with(named)),
                "{statement}: {words:?}"
            );
        }
        rebuild(&mut day.connection()).unwrap();
        assert_eq!(day.tables(), before);
        assert_eq!(day.words(), Vec::<String>::new());
    });
}

/// A leaf of the middle of the day: the first ticket.
const TICKET: &str = "(SELECT min(number) FROM ticket)";

#[test]
fn a_changed_leaf_is_named_and_never_rebuilt_from() {
    on_both(|day| {
        let other = day.bytes(&"ab".repeat(32));
        let first_ticket = {
            let mut connection = day.connection();
            use diesel::prelude::*;
            use keno_schema::tables::ticket;
            let number: Option<i64> = on!(&mut connection, c => ticket::table
                .select(diesel::dsl::min(ticket::number)).first(c))
            .unwrap();
            number.unwrap()
        };
        let before = day.tables();
        for (column, value, what) in [
            (
                "body",
                other.clone(),
                "the body does not open the commitment in the leaf",
            ),
            (
                "nonce",
                other.clone(),
                "the body does not open the commitment in the leaf",
            ),
            (
                "leaf_hash",
                other.clone(),
                "its bytes are not what its hash says",
            ),
        ] {
            let kept =
                format!("CREATE TABLE kept AS SELECT * FROM log_entry WHERE leaf_index = {TICKET}");
            day.sql(&kept);
            day.tamper(&format!(
                "UPDATE log_entry SET {column} = {value} WHERE leaf_index = {TICKET}"
            ));
            let words = day.words();
            assert_eq!(words, [format!("leaf {first_ticket}: {what}")]);
            let refused = rebuild(&mut day.connection());
            assert!(
                matches!(&refused, Err(RebuildFault::Leaf { index, .. })
                    if i64::try_from(*index).unwrap() == first_ticket),
                "{refused:?}"
            );
            assert_eq!(day.tables(), before, "a refused rebuild changes nothing");
            day.tamper(&format!(
                "UPDATE log_entry SET {column} = (SELECT {column} FROM kept) \
                 WHERE leaf_index = {TICKET}"
            ));
            day.sql("DROP TABLE kept");
            assert_eq!(day.words(), Vec::<String>::new());
        }
        day.tamper(&format!(
            "DELETE FROM log_entry WHERE leaf_index = {TICKET}"
        ));
        assert_eq!(day.words(), [format!("leaf {first_ticket}: it is missing")]);
        let exported = export(&mut day.connection(), &day.checkpoint, &mut Vec::new());
        assert!(exported.is_ok(), "an export does not judge: {exported:?}");
    });
}

#[test]
fn tables_that_somebody_changed_are_named() {
    on_both(|day| {
        day.sql("CREATE INDEX mine ON payment (path)");
        let words = "the tables are not those that this program makes: index mine was added";
        assert_eq!(day.words(), [words]);
        day.sql("DROP INDEX mine");
        assert_eq!(day.words(), Vec::<String>::new());
    });
}

/// An index that is as it was made, and has lost what it held: nobody's facts are found by it.
#[test]
fn an_index_that_somebody_emptied_is_named_and_made_whole_by_a_rebuild() {
    let day = stopped(None);
    let made_as = |from: &str, to: &str| {
        format!(
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '{from}', '{to}') \
             WHERE name = 'ticket_fact_by_ticket'; PRAGMA schema_version = {}",
            from.len() + 1_000
        )
    };
    let batch = |statements: &str| {
        on!(&mut day.connection(), c => c.batch_execute(statements)).unwrap();
    };
    batch(&made_as("(ticket, leaf)", "(ticket, leaf) WHERE 0"));
    batch("REINDEX ticket_fact_by_ticket");
    batch(&made_as(" WHERE 0", ""));
    let words = day.words();
    assert!(
        words
            .iter()
            .any(|told| told.starts_with("the database is damaged: ")),
        "{words:?}"
    );
    rebuild(&mut day.connection()).unwrap();
    assert_eq!(day.words(), Vec::<String>::new());
}

#[test]
fn a_record_that_ends_early_is_seen_by_head_and_anchors() {
    on_both(|day| {
        let last = day.checkpoint.size - 1;
        day.tamper(&format!("DELETE FROM log_entry WHERE leaf_index = {last}"));
        let findings = day.findings();
        assert!(
            findings
                .iter()
                .any(|finding| matches!(finding, Finding::Head { .. })),
            "{findings:?}"
        );
        assert!(
            findings.iter().any(
                |finding| matches!(finding, Finding::Anchor { size, .. } if *size == last + 1)
            ),
            "{findings:?}"
        );
        assert!(matches!(
            rebuild(&mut day.connection()),
            Err(RebuildFault::Head)
        ));
        assert!(matches!(
            export(&mut day.connection(), &day.checkpoint, &mut Vec::new()),
            Err(fault) if fault.to_string() == "the record cannot be read"
        ));
    });
}

#[test]
fn a_rewritten_log_is_seen_by_an_anchor() {
    on_both(|day| {
        // An anchor of another history, at a size that the record has passed.
        let mut edge = Edge::new();
        for leaf in 0..10_u8 {
            edge.append([leaf; 32]);
        }
        let (size, root) = (edge.size(), edge.root());
        let line = keno_record::publish::Anchor { size, root }.line();
        let path = day.house.path().join("other-anchors.log");
        std::fs::write(&path, line).unwrap();
        let outcome = verify(
            &mut day.connection(),
            std::slice::from_ref(&path),
            &day.house.path(),
        )
        .unwrap();
        assert_eq!(
            outcome.findings,
            [Finding::Anchor {
                file: path,
                size: 10,
                what: "the root is another one"
            }]
        );
        assert!(!outcome.holds() && outcome.leaves == day.checkpoint.size);
    });
}

#[test]
fn an_export_holds_every_entry_and_the_checkpoint() {
    on_both(|day| {
        let mut bytes = Vec::new();
        on_snapshot(&mut day.connection(), |connection| {
            export(connection, &day.checkpoint, &mut bytes)
        })
        .unwrap();
        let mut edge = Edge::new();
        let mut end = None;
        for record in ExportReader::new(&bytes).unwrap() {
            match record.unwrap() {
                ExportRecord::Entry(exported) => {
                    let entry = exported.entry().unwrap();
                    assert_eq!(entry.leaf.hash(), exported.leaf_hash);
                    entry.event().unwrap();
                    edge.append(exported.leaf_hash);
                }
                ExportRecord::End(note) => end = Some(note),
            }
        }
        assert_eq!(end.as_deref(), Some(day.checkpoint.note.as_str()));
        assert_eq!(
            (edge.size(), edge.root()),
            (day.checkpoint.size, day.checkpoint.root)
        );
    });
}

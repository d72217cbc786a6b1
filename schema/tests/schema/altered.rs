//! A schema that somebody changed is seen, one object at a time.

use keno_schema::altered::altered;

use crate::schema::Own;

/// A change, what is told of it, and what takes it back.
type Edit = (&'static str, &'static str, &'static str);

const ON_SQLITE: &[Edit] = &[
    (
        "ALTER TABLE payment RENAME TO payment_kept; CREATE VIEW payment AS SELECT * FROM payment_kept WHERE number <> 5",
        "table payment is missing",
        "",
    ),
    (
        "CREATE TRIGGER mine AFTER INSERT ON ticket_fact BEGIN DELETE FROM ticket_fact WHERE leaf = NEW.leaf; END",
        "trigger mine was added",
        "DROP TRIGGER mine",
    ),
    (
        "DROP TRIGGER log_entry_never_deleted",
        "trigger log_entry_never_deleted is missing",
        "",
    ),
    // The same words, of which the condition is a text: it never fires again.
    (
        "DROP TRIGGER log_entry_never_replaced; \
         CREATE TRIGGER log_entry_never_replaced BEFORE INSERT ON log_entry WHEN \"EXISTS (SELECT 1 FROM log_entry WHERE leaf_index = NEW.leaf_index)\" BEGIN SELECT RAISE(ABORT, 'the record is insert-only'); END",
        "trigger log_entry_never_replaced is not as it was made",
        "",
    ),
    (
        "DROP INDEX ticket_fact_by_ticket",
        "index ticket_fact_by_ticket is missing",
        "",
    ),
    (
        "ALTER TABLE ticket ADD COLUMN mine TEXT",
        "table ticket is not as it was made",
        "",
    ),
    (
        "DROP INDEX payment_by_ticket; CREATE INDEX payment_by_ticket ON payment (ticket, number)",
        "index payment_by_ticket is not as it was made",
        "",
    ),
];

/// Our tables by names in other capitals, which SQLite takes for the same.
const IN_CAPITALS: &[Edit] = &[
    (
        "CREATE TRIGGER mine AFTER INSERT ON LOG_ENTRY BEGIN SELECT 1; END",
        "trigger mine was added",
        "DROP TRIGGER mine",
    ),
    (
        "CREATE INDEX mine ON ticket (shift); PRAGMA writable_schema = ON; \
         UPDATE sqlite_master SET tbl_name = 'TICKET' WHERE name = 'mine'",
        "index mine was added",
        "",
    ),
    (
        "CREATE TABLE mine (t INTEGER REFERENCES Ticket (number) ON DELETE CASCADE)",
        "reference of ticket by mine was added",
        "DROP TABLE mine",
    ),
];

const ON_POSTGRES: &[Edit] = &[
    (
        "ALTER TABLE payment RENAME TO payment_kept; CREATE VIEW payment AS SELECT * FROM payment_kept WHERE number <> 5",
        "column payment.badge is not as it was made",
        "",
    ),
    (
        "CREATE SCHEMA postgres; CREATE TABLE postgres.ticket (LIKE public.ticket INCLUDING ALL)",
        "reference of ticket is missing",
        "",
    ),
    (
        "CREATE RULE mine AS ON INSERT TO ticket_fact DO INSTEAD NOTHING",
        "rule ticket_fact.mine was added",
        "DROP RULE mine ON ticket_fact",
    ),
    (
        "CREATE OR REPLACE FUNCTION log_entry_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
        "trigger log_entry.log_entry_never_changes is not as it was made",
        "",
    ),
    (
        "ALTER TABLE log_entry DISABLE TRIGGER USER",
        "trigger log_entry.log_entry_never_changes is not as it was made",
        "ALTER TABLE log_entry ENABLE TRIGGER USER",
    ),
    (
        "ALTER TABLE payment DISABLE TRIGGER ALL",
        "reference of payment is not as it was made",
        "ALTER TABLE payment ENABLE TRIGGER ALL",
    ),
    (
        "CREATE TABLE mine () INHERITS (payment)",
        "table payment is not as it was made",
        "",
    ),
    (
        "ALTER TABLE payment_item DROP CONSTRAINT payment_item_ticket_draw_reversed_key",
        "constraint payment_item.payment_item_ticket_draw_reversed_key is missing",
        "",
    ),
    (
        "ALTER TABLE ticket_fact SET UNLOGGED",
        "table ticket_fact is not as it was made",
        "",
    ),
    (
        "ALTER TABLE ticket ENABLE ROW LEVEL SECURITY",
        "table ticket is not as it was made",
        "ALTER TABLE ticket DISABLE ROW LEVEL SECURITY",
    ),
    (
        "ALTER TABLE ticket ALTER COLUMN copy SET DEFAULT 9",
        "column ticket.copy is not as it was made",
        "ALTER TABLE ticket ALTER COLUMN copy DROP DEFAULT",
    ),
];

const NOTHING: [String; 0] = [];

impl Own {
    fn is_as_made(&mut self) {
        let name = self.name();
        assert_eq!(altered(&mut self.connection).unwrap(), NOTHING, "{name}");
    }
}

#[test]
fn every_change_of_the_schema_is_seen() {
    for edits in [ON_SQLITE, IN_CAPITALS, ON_POSTGRES] {
        for (change, told, back) in edits {
            let [sqlite, postgres] = [Own::sqlite as fn() -> Own, Own::postgres];
            let make = if edits == ON_POSTGRES {
                postgres
            } else {
                sqlite
            };
            let mut own = make();
            own.is_as_made();
            own.run(change).unwrap();
            let seen = altered(&mut own.connection).unwrap();
            assert!(seen.iter().any(|seen| seen == told), "{change}: {seen:?}");
            if !back.is_empty() {
                own.run(back).unwrap();
                own.is_as_made();
            }
        }
    }
}

/// What is none of ours is nobody's business: another table, a view of ours, an index of another.
#[test]
fn what_hangs_on_no_table_of_ours_is_left_alone() {
    for mut own in Own::both() {
        own.run(
            "CREATE TABLE other (id BIGINT); CREATE INDEX other_by_id ON other (id); \
             CREATE VIEW report AS SELECT count(*) AS sold FROM ticket",
        )
        .unwrap();
        own.is_as_made();
    }
}

/// Also by a connection that may only read.
#[test]
fn a_reader_may_ask() {
    for own in Own::both() {
        let mut reader = own.database.open_reader().unwrap();
        assert_eq!(altered(&mut reader).unwrap(), NOTHING, "{}", own.name());
    }
}

//! Every row travels into both databases and back unchanged.

use diesel::prelude::*;
use keno_schema::rows::*;
use keno_schema::{Connection, on, tables};

use crate::schema::Own;

/// Inserts rows of a table and reads them back in the order of its key.
macro_rules! there_and_back {
    ($connection:expr, $table:ident, $row:ident, $($key:ident),+; $($value:expr),+ $(,)?) => {{
        let rows: Vec<$row> = vec![$($value),+];
        let connection: &mut Connection = $connection;
        for row in &rows {
            on!(&mut *connection, c => diesel::insert_into(tables::$table::table).values(row).execute(c))
                .unwrap_or_else(|fault| panic!("{}: {fault}", stringify!($table)));
        }
        let read: Vec<$row> = on!(&mut *connection, c => tables::$table::table
            .select($row::as_select())
            .order(($(tables::$table::$key.asc(),)+))
            .load(c))
            .unwrap();
        assert_eq!(read, rows, "{}", stringify!($table));
        1
    }};
}

fn bytes(count: u8) -> Vec<u8> {
    (0..count).map(|byte| byte.wrapping_mul(37)).collect()
}

fn hash() -> [u8; 32] {
    bytes(32).try_into().unwrap()
}

/// The largest number that a column counts.
const MOST: u64 = i64::MAX.unsigned_abs();

const TEXT: &str = "Casino « à l’œil » \u{1F3B1}\n'; DROP TABLE ticket; --";

#[test]
fn every_row_comes_back_as_it_went() {
    for mut own in Own::both() {
        let c = &mut own.connection;
        let mut tried = 0;
        tried += there_and_back!(c, house, HouseRow, id; HouseRow {
            id: 1,
            code: "demo".into(),
            name: TEXT.into(),
            zone: "America/Toronto".into(),
            log_key: String::new(),
            first_draw: MOST,
            sales_suspended_leaf: Some(0),
            schedule_halted_leaf: None,
            fence: MOST,
            instance: "demo-1".into(),
        });
        let entry = |leaf_index, body| LogEntryRow {
            leaf_index,
            leaf: bytes(62),
            leaf_hash: bytes(32),
            nonce: vec![0; 32],
            body,
        };
        tried += there_and_back!(c, log_entry, LogEntryRow, leaf_index;
            entry(0, Vec::new()), entry(1, vec![0, 255, 0]), entry(MOST, vec![7; 100_000]));
        tried += there_and_back!(c, log_head, LogHeadRow, id; LogHeadRow {
            id: 1,
            size: 3,
            edge: bytes(100),
            root: bytes(32),
            at_ms: 1_795_194_000_000,
        });
        tried += there_and_back!(c, credential, CredentialRow, hash; CredentialRow {
            hash: hash(),
            phc: TEXT.into(),
        });
        tried += there_and_back!(c, epoch, EpochRow, number; EpochRow {
            number: 2,
            leaf: MOST,
            continues_size: MOST,
            continues_root: hash(),
            lost_size: MOST,
            lost_root: [0; 32],
            next_draw: 1,
            next_session: 2,
            next_shift: 3,
            reason: TEXT.into(),
            opened_by: "S1".into(),
            second: "S2".into(),
        });
        let book = |version, leaf| RuleBookRow {
            version,
            effective_from: 1,
            hash: hash(),
            text: TEXT.repeat(500),
            published_by: "S1".into(),
            second: "S2".into(),
            leaf,
        };
        tried += there_and_back!(c, rule_book, RuleBookRow, version; book(1, 5), book(2, 4));
        let person = |badge: &str, active| PersonRow {
            badge: badge.into(),
            staff: "4711".into(),
            name: TEXT.into(),
            roles: vec![1, 2],
            credential: hash(),
            must_change: true,
            active,
            leaf: 6,
            named_leaf: active.then_some(7),
            acting_leaf: active.then_some(MOST),
        };
        tried +=
            there_and_back!(c, person, PersonRow, badge; person("C1", true), person("C2", false));
        let device = |number, active| DeviceRow {
            number,
            name: "T01".into(),
            role: 4,
            key_hash: hash(),
            active,
            leaf: 7,
        };
        tried += there_and_back!(c, device, DeviceRow, number; device(1, true), device(2, false));
        let session = |number, ended_leaf| SessionRow {
            number,
            device: 1,
            badge: "C1".into(),
            token_hash: hash(),
            opened_leaf: 8,
            ended_leaf,
        };
        tried +=
            there_and_back!(c, session, SessionRow, number; session(1, None), session(2, Some(9)));
        let shift = |number, closed: Option<u64>| ShiftRow {
            number,
            device: 1,
            badge: "C1".into(),
            float_cents: 50_000,
            opened_leaf: 10,
            closed_leaf: closed,
            counted_cents: closed.map(u64::cast_signed),
            expected_cents: closed.map(|cents| -cents.cast_signed()),
        };
        tried += there_and_back!(c, shift, ShiftRow, number; shift(1, None), shift(2, Some(11)));
        let hand_over = |leaf, shift| HandOverRow {
            leaf,
            device: 1,
            to_device: 2,
            shift,
            reason: TEXT.into(),
            handed_by: "C1".into(),
            second: "S2".into(),
            returned_leaf: shift.map(|_| 20),
        };
        tried += there_and_back!(c, hand_over, HandOverRow, leaf;
            hand_over(13, Some(1)), hand_over(14, None));
        tried += there_and_back!(c, till_movement, TillMovementRow, leaf; TillMovementRow {
            leaf: 12,
            shift: 1,
            kind: 2,
            amount_cents: i64::MAX,
            moved_by: "S1".into(),
            second: "S2".into(),
        });
        tried += there_and_back!(c, till_count, TillCountRow, leaf; TillCountRow {
            leaf: 15,
            shift: 1,
            device: 1,
            counted_cents: i64::MAX,
            expected_cents: i64::MIN,
            reason: TEXT.into(),
            counted_by: "C1".into(),
            second: "S2".into(),
        });
        let draw = |number: u64, full: bool| DrawRow {
            number,
            state: if full { 9 } else { 1 },
            closes_at_ms: 1,
            draws_at_ms: 2,
            source: 2,
            pool_size: 70,
            drawn: 20,
            cap_cents: 1,
            full_below_cents: 0,
            scheduled_leaf: number,
            opened_leaf: full.then_some(1),
            closed_leaf: full.then_some(2),
            seal_root: full.then(hash),
            tickets: 3,
            selections: 4,
            wagered_cents: 5,
            started_leaf: full.then_some(6),
            voided_leaf: full.then_some(7),
            ball_set: full.then(|| "A".to_owned()),
            void_reason: full.then(|| TEXT.to_owned()),
        };
        tried += there_and_back!(c, draw, DrawRow, number; draw(1, false), draw(2, true));
        let holder = |position, full: bool| DrawHolderRow {
            draw: 1,
            position,
            holder: "machine".into(),
            commitment: full.then(hash),
            commitment_leaf: full.then_some(1),
            secret: full.then_some([0; 32]),
        };
        tried += there_and_back!(c, draw_holder, DrawHolderRow, draw, position;
            holder(0, true), holder(1, false));
        let result = |draw, full: bool| DrawResultRow {
            draw,
            machine: 1,
            balls: (1..=20).rev().collect(),
            words_used: 21,
            words_rejected: 1,
            secrets_hash: hash(),
            recorded_leaf: 1,
            recorded_at_ms: 2,
            certified_leaf: full.then_some(3),
            certifiers: full.then(|| "guard".to_owned()),
            revealed_leaf: full.then_some(4),
        };
        tried +=
            there_and_back!(c, draw_result, DrawResultRow, draw; result(1, false), result(2, true));
        tried += there_and_back!(c, draw_settlement, DrawSettlementRow, draw; DrawSettlementRow {
            draw: 1,
            leaf: 1,
            winners: 2,
            small_cents: 3,
            large_cents: 4,
            payable_cents: 5,
            small_numerator: 6,
            small_denominator: 7,
            large_numerator: 8,
            large_denominator: MOST,
            breakage_cents: 10,
            prize_root: hash(),
        });
        let ticket = |number, full: bool| TicketRow {
            number,
            device: 1,
            session: 2,
            first_draw: 7,
            last_draw: 9,
            badge: "C1".into(),
            shift: 12,
            state: 3,
            copy: 2,
            confirmed_copy: 1,
            held_leaf: full.then_some(16),
            released_leaf: full.then_some(16),
        };
        tried +=
            there_and_back!(c, ticket, TicketRow, number; ticket(1, false), ticket(MOST, true));
        tried += there_and_back!(c, ticket_fact, TicketFactRow, leaf;
            TicketFactRow { leaf: 2, ticket: 1, kind: 40 });
        let payment = |number, full: bool| PaymentRow {
            number,
            ticket: 1,
            total_cents: 1,
            tender: 2,
            rounding_cents: -2,
            path: 2,
            badge: "C1".into(),
            second: full.then(|| "S1".to_owned()),
            shift: 3,
            paid_at_ms: 4,
            reversed_leaf: full.then_some(5),
        };
        tried +=
            there_and_back!(c, payment, PaymentRow, number; payment(1, false), payment(2, true));
        let item = |payment, reversed| PaymentItemRow {
            payment,
            draw: 1,
            ticket: 1,
            kind: 2,
            amount_cents: 3,
            reversed,
        };
        tried +=
            there_and_back!(c, payment_item, PaymentItemRow, payment, draw; item(1, 0), item(2, 1));
        let page = |page| KeyPageRow {
            device: 1,
            session: MOST,
            page,
            keys: vec![0; 20],
        };
        tried +=
            there_and_back!(c, key_page, KeyPageRow, device, session, page; page(1), page(MOST));
        let command = |leaf| CommandRow { leaf, device: 1 };
        tried += there_and_back!(c, command, CommandRow, leaf; command(1), command(MOST));
        let silence = |leaf, served_leaf| SilenceRow { leaf, served_leaf };
        tried += there_and_back!(c, silence, SilenceRow, leaf; silence(8, 7), silence(9, 0));
        let file = |leaf, ticket| DamagedFileRow {
            leaf,
            ticket,
            device: 1,
            badge: "é".repeat(10),
            opened_at_ms: i64::MIN,
            judged_leaf: ticket.map(|_| MOST),
            is_paid: u8::from(ticket.is_some()),
            by_three: 1,
        };
        tried +=
            there_and_back!(c, damaged_file, DamagedFileRow, leaf; file(6, None), file(7, Some(1)));
        assert_eq!(tried, tables::TABLES.len(), "every table was tried");
    }
}

/// The database would count below nothing and keep a hash of any length where no guard stands.
#[test]
fn what_a_field_cannot_hold_is_not_read() {
    const SILENCE: SilenceRow = SilenceRow {
        leaf: 9,
        served_leaf: 8,
    };
    for mut own in Own::both() {
        let c = &mut own.connection;
        on!(&mut *c, c => diesel::insert_into(tables::silence::table).values(&SILENCE).execute(c))
            .unwrap();
        let read = |c: &mut Connection| on!(c, c => tables::silence::table.select(SilenceRow::as_select()).first(c));
        assert_eq!(read(c).unwrap(), SILENCE);
        let none = tables::silence::served_leaf.eq(-1);
        on!(&mut *c, c => diesel::update(tables::silence::table).set(none).execute(c)).unwrap();
        let fault = read(c).unwrap_err();
        assert!(
            matches!(fault, diesel::result::Error::DeserializationError(_)),
            "{fault}"
        );
        let lent = |number: u64| keno_schema::column::Field::lent(&number);
        assert_eq!((lent(MOST), lent(MOST + 1)), (i64::MAX, i64::MAX));
        let short = vec![0; 31];
        assert!(<[u8; 32] as keno_schema::column::Field>::from_column(short).is_err());
    }
}

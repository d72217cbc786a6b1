//! A record of before kind 6 of a key goes on with every key that it had, and a record that has
//! one of kind 6 is not taken back to a schema that has no room for it.

use crate::Own;

fn up_and_down(own: &Own) -> (&'static str, &'static str) {
    if own.is_sqlite() {
        (
            include_str!("../../../migrations/sqlite/0004_lost_refund/up.sql"),
            include_str!("../../../migrations/sqlite/0004_lost_refund/down.sql"),
        )
    } else {
        (
            include_str!("../../../migrations/postgres/0004_lost_refund/up.sql"),
            include_str!("../../../migrations/postgres/0004_lost_refund/down.sql"),
        )
    }
}

fn key(own: &Own, counter: u8, kind: u8) -> String {
    let hash = if own.is_sqlite() { "x'AB'" } else { "'\\xAB'" };
    format!(
        "INSERT INTO command_key (device, session, counter, kind, content_hash, leaf) \
         VALUES (1, 2, {counter}, {kind}, {hash}, {counter}0)"
    )
}

const KEYS: &str = "SELECT counter || ' ' || kind || ' ' || leaf || ' ' || \
                    CAST(length(content_hash) AS TEXT) AS value FROM command_key ORDER BY counter";

#[test]
fn every_key_of_before_is_kept() {
    for mut own in Own::both() {
        let (up, down) = up_and_down(&own);
        own.run(down).unwrap();
        for (counter, kind) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)] {
            let row = key(&own, counter, kind);
            own.run(&row).unwrap();
        }
        let sixth = key(&own, 6, 6);
        assert!(own.run(&sixth).is_err(), "{} has room already", own.name());
        let before = own.texts(KEYS);
        own.run(up).unwrap();
        assert_eq!(own.texts(KEYS), before);
        assert_eq!(before.len(), 5);
        own.run(&sixth).unwrap();
        // Two keys are still never the same.
        let again = key(&own, 6, 1);
        assert!(own.run(&again).is_err(), "{}", own.name());
    }
}

#[test]
fn a_key_that_fits_nowhere_is_not_dropped() {
    for mut own in Own::both() {
        let (_, down) = up_and_down(&own);
        let sixth = key(&own, 6, 6);
        own.run(&sixth).unwrap();
        let outcome = own.try_out(&[down.to_owned()]);
        assert!(outcome.is_err(), "{}", own.name());
        assert_eq!(own.texts(KEYS).len(), 1);
    }
}

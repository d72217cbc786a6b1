//! A selection says what it is in one text, and is read back from it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed helper is a failed test

use crate::common::selection_text::{SelectionTextError, Text, selection_of};
use keno_game::{BallError, Cents, SelectionType, WayError};

#[test]
fn each_type_reads_and_writes_its_text() {
    for (text, kind, ways, cents) in [
        (
            "keno 07 18 33 42 71 @ 2.00",
            SelectionType::Straight,
            1,
            200,
        ),
        ("keno QP 07 18 @ 1.00", SelectionType::Straight, 1, 100),
        (
            "keno (03 14 22 29)(40 51 66 80) 2/4 @ 1.00 1/8 @ 1.00",
            SelectionType::Way,
            3,
            300,
        ),
        (
            "keno K01 (02 03)(04 05 06) 1/6 @ 0.50",
            SelectionType::King,
            1,
            50,
        ),
        ("top-bottom K01 K80 2/1 @ 0.50", SelectionType::King, 2, 100),
    ] {
        let selection = selection_of(text).unwrap();
        assert_eq!(Text(&selection).to_string(), text);
        assert_eq!(selection.kind, kind);
        assert_eq!(selection.quick_pick, text.contains("QP"));
        assert_eq!(selection.ways_total(), ways);
        assert_eq!(selection.wager_per_draw(), Ok(Cents::new(cents)));
    }
}

#[test]
fn a_text_that_is_no_selection_is_refused() {
    use SelectionTextError as Error;
    for (text, error) in [
        ("keno", Error::GameMissing),
        ("Keno 07 @ 1.00", Error::GameMissing),
        ("keno 7 @ 1.00", Error::NumberMalformed),
        ("keno 00 @ 1.00", Error::Numbers(BallError::OutOfRange(0))),
        ("keno 81 @ 1.00", Error::Numbers(BallError::OutOfRange(81))),
        ("keno 07 07 @ 1.00", Error::Numbers(BallError::Repeated(7))),
        ("keno @ 1.00", Error::NumbersMissing),
        ("keno QP @ 1.00", Error::NumbersMissing),
        ("keno 07 1.00", Error::ConditioningMalformed),
        ("keno 07 @ 1", Error::ConditioningMalformed),
        ("keno (07 08) 1/2", Error::ConditioningMalformed),
        ("keno (07 08)", Error::ConditioningMalformed),
        ("keno (07 08) 0/2 @ 1.00", Error::ConditioningMalformed),
        (
            "keno (07 08) 1/2 @ 1.00 1/2 @ 1.00",
            Error::ConditioningMalformed,
        ),
        ("keno (07 08 1/2 @ 1.00", Error::GroupMalformed),
        (
            "keno (07)(08 07) 1/3 @ 1.00",
            Error::Groups(WayError::Overlap(7)),
        ),
        (
            "keno K07 (08 07) 1/3 @ 1.00",
            Error::Groups(WayError::Overlap(7)),
        ),
        (
            "keno K07 K07 (08) 1/3 @ 1.00",
            Error::Numbers(BallError::Repeated(7)),
        ),
    ] {
        assert_eq!(selection_of(text), Err(error), "{text}");
    }
}

//! A refused slip in words: each code has a sentence of its own in both languages.

use std::collections::BTreeSet;

use keno_book::slip_sentence::SlipSentence;
use keno_game::{Cents, SlipDetail, SlipRefusal, SlipRefusalCode as Code};
use keno_words::Say;

fn said(code: Code, detail: SlipDetail) -> (String, String) {
    let refusal = SlipRefusal {
        code,
        selection: Some(0),
        field: None,
        detail,
    };
    let sentence = SlipSentence(&refusal);
    (sentence.fr(), sentence.en())
}

#[test]
fn figures_stand_in_their_places() {
    let ways = SlipDetail::Ways {
        asked_ways: Some(2),
        asked_spots: 4,
        generated: vec![(4, 2), (6, 4), (4, 6), (1, 8)],
    };
    let (fr, en) = said(Code::WayNotGenerated, ways);
    assert_eq!(
        fr,
        "Sélection A : les groupes ne donnent pas 2/4; ils donnent 4/2, 6/4, 4/6, 1/8. Au besoin, faire deux sélections."
    );
    assert_eq!(
        en,
        "Selection A: the groups don’t give 2/4; they give 4/2, 6/4, 4/6, 1/8. If need be, make two selections."
    );
    let number = SlipDetail::NumberOfPool {
        number: 71,
        max: 70,
    };
    assert_eq!(
        said(Code::NumberOutOfRange, number).1,
        "Selection A: there is no number 71; choose from 1 to 70."
    );
    let wager = SlipDetail::Wager {
        asked: Cents::new(2_001),
        min: Cents::new(50),
        max: Cents::new(2_000),
        step: Cents::new(50),
    };
    assert_eq!(
        said(Code::WagerAboveMaximum, wager).0,
        "Sélection A : mise de 20,01\u{a0}$; elle doit être de 0,50\u{a0}$ à 20,00\u{a0}$, par tranche de 0,50\u{a0}$."
    );
}

#[test]
fn who_marks_the_numbers_of_a_set_is_told_that_they_are_fixed() {
    let (fr, en) = said(Code::NumbersNotOfType, SlipDetail::Named);
    assert!(fr.contains("les règles fixent les numéros") && en.contains("the rules fix"));
}

#[test]
fn without_a_selection_the_sentence_begins_with_a_capital() {
    for code in Code::ALL {
        let refusal = SlipRefusal {
            code,
            selection: None,
            field: None,
            detail: SlipDetail::None,
        };
        for said in [SlipSentence(&refusal).fr(), SlipSentence(&refusal).en()] {
            let first = said.chars().next();
            assert!(first.is_some_and(|first| !first.is_lowercase()), "{said}");
        }
    }
}

#[test]
fn each_code_is_told_in_both_languages() {
    let mut told = BTreeSet::new();
    for code in Code::ALL {
        let (fr, en) = said(code, SlipDetail::None);
        assert!(fr.ends_with('.') && en.ends_with('.'), "{fr} {en}");
        assert_ne!(fr, en);
        told.insert(fr);
    }
    // What is wrong with a wager is told by its bounds alone.
    assert_eq!(told.len(), Code::ALL.len() - 2);
}

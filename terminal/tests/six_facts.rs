//! The six facts of s. 82, read off the printer's bytes by a decoder that shares no code with
//! the printing path; for each a planted fault that the check must catch, in each language.
#![allow(clippy::unwrap_used)]

use crate::support::{paper, printed, sample};
use keno_slip::{Fact, Mark, Paper, Width};
use keno_terminal::virtual_printer::Sheet;

/// The paper's text with single plain spaces, as one string: wrapping is not a difference.
fn text(sheet: &Sheet) -> String {
    let joined = sheet.texts().join(" ").replace('\u{A0}', " ");
    joined
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// What a reader of each language must find for a fact of the sample `full`.
fn required(fact: Fact) -> [&'static [&'static str]; 2] {
    match fact {
        Fact::Selections => [
            &[
                "A SIMPLE, 5 NUMÉROS MISE-ÉCLAIR",
                "07 18 33 42 71",
                "B COMBINAISON, 8 NUMÉROS",
                "(03 14 22 29) (40 51 66 80)",
            ],
            &[
                "Straight, 5 spots Quick pick",
                "07 18 33 42 71",
                "Way, 8 spots",
                "(03 14 22 29) (40 51 66 80)",
            ],
        ],
        Fact::Wagers => [
            &[
                "Mise 2,00 $ x 5 tirages 10,00 $",
                "2 x 4 numéros 1,00 $",
                "1 x 8 numéros 1,00 $",
                "Mise 3,00 $ x 5 tirages 15,00 $",
                "MISE TOTALE 25,00 $",
            ],
            &[
                "Wager $2.00 x 5 draws $10.00",
                "2/4 $1.00",
                "1/8 $1.00",
                "Wager $3.00 x 5 draws $15.00",
                "Total wager $25.00",
            ],
        ],
        Fact::Draws => [
            &[
                "5 TIRAGES",
                "048 214 à / to 048 218",
                "Premier / First 2026-11-20 21:08",
                "Dernier, prévu / Last, planned 2026-11-20 21:24",
            ],
            &[
                "/ DRAWS",
                "048 214 à / to 048 218",
                "/ First 2026-11-20 21:08",
                "/ Last, planned 2026-11-20 21:24",
            ],
        ],
        Fact::ControlNumber => [&["N° 0731 5528 9014 6663"], &["N° 0731 5528 9014 6663"]],
        Fact::MaximumPerDraw => [
            &["Maximum payable en lots par tirage 50 000 $"],
            &["Maximum total aggregate payout per draw $50,000"],
        ],
        Fact::ClaimDeadline => [
            &[
                "RÉCLAMER AU PLUS TARD LE",
                "2027-11-20",
                "À Comptoirs Keno",
                "Dès 5 000 $, à Caisse principale",
            ],
            &[
                "/ CLAIM BY",
                "2027-11-20",
                "At Keno counters",
                "From $5,000 on, at Main cage",
            ],
        ],
    }
}

/// What is missing of a fact on a printed paper, in French and in English.
fn missing(sheet: &Sheet, fact: Fact) -> [Vec<&'static str>; 2] {
    let text = text(sheet);
    let times = |needle: &str| text.matches(needle).count();
    // The number stands at both edges; everything else once is enough.
    let least = if fact == Fact::ControlNumber { 2 } else { 1 };
    required(fact).map(|needles| {
        needles
            .iter()
            .copied()
            .filter(|needle| times(needle) < least)
            .collect()
    })
}

fn lines_of(paper: &Paper, fact: Fact) -> Vec<usize> {
    paper
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.fact == Some(fact))
        .map(|(position, _)| position)
        .collect()
}

/// The fact stands in both languages; each line of it that is dropped, and each character of
/// it that is changed (a digit for another, a letter for `#`), is noticed.
fn check(fact: Fact) {
    for width in [Width::Wide, Width::Narrow] {
        let whole = paper("full", width);
        assert_eq!(
            missing(&printed(&whole), fact),
            [Vec::<&str>::new(), vec![]]
        );
        let positions = lines_of(&whole, fact);
        assert!(!positions.is_empty());
        for position in positions {
            let mut dropped = whole.clone();
            dropped.lines.remove(position);
            let [french, english] = missing(&printed(&dropped), fact);
            assert!(
                !french.is_empty() || !english.is_empty(),
                "line {position} of {fact:?} dropped"
            );

            let Mark::Text(line) = &whole.lines[position].mark else {
                continue;
            };
            let characters: Vec<char> = line.text().chars().collect();
            for (at, character) in characters.iter().enumerate() {
                if *character == ' ' || *character == '\u{A0}' {
                    continue;
                }
                let mut changed = characters.clone();
                changed[at] = match character.to_digit(10) {
                    Some(digit) => char::from_digit((digit + 1) % 10, 10).unwrap(),
                    None => '#',
                };
                let mut altered = whole.clone();
                if let Mark::Text(line) = &mut altered.lines[position].mark {
                    line.spans[0].text = changed.iter().collect();
                }
                let [french, english] = missing(&printed(&altered), fact);
                assert!(
                    !french.is_empty() || !english.is_empty(),
                    "{fact:?}: {:?} instead of {:?} not noticed",
                    changed.iter().collect::<String>(),
                    line.text()
                );
            }
        }
        // All of the fact's lines gone: both languages miss it.
        let mut without = whole.clone();
        without.lines.retain(|line| line.fact != Some(fact));
        let [french, english] = missing(&printed(&without), fact);
        assert!(!french.is_empty() && !english.is_empty());
    }
}

#[test]
fn s_82_1_selections() {
    check(Fact::Selections);
}

#[test]
fn s_82_2_wagers() {
    check(Fact::Wagers);
}

#[test]
fn s_82_3_draws() {
    check(Fact::Draws);
}

#[test]
fn s_82_4_control_number() {
    check(Fact::ControlNumber);
}

#[test]
fn s_82_5_maximum_per_draw() {
    check(Fact::MaximumPerDraw);
}

#[test]
fn s_82_6_claim_deadline() {
    check(Fact::ClaimDeadline);
}

#[test]
fn the_number_is_first_and_last_and_in_both_codes() {
    for width in [Width::Wide, Width::Narrow] {
        let sheet = printed(&paper("full", width));
        let texts = sheet.texts();
        assert_eq!(
            texts.first().unwrap().replace('\u{A0}', " "),
            "N° 0731 5528 9014 6663"
        );
        // The secret, once more, stands below the lower number.
        assert_eq!(
            texts[texts.len() - 3].replace('\u{A0}', " "),
            "N° 0731 5528 9014 6663"
        );
        assert!(texts[texts.len() - 2].starts_with("CODE"), "{texts:?}");
        assert_eq!(texts.last().unwrap(), "*** FIN / END");
        assert_eq!(sheet.itf_digits(), ["0731552890146663"]);
        assert_eq!(sheet.qr_payloads(), [sample("full").claim_code.unwrap()]);
        assert!(sheet.is_cut);
    }
}

#[test]
fn accents_and_the_hyphen_survive_the_page() {
    let mut view = sample("full");
    view.house_name = "éèêàçùôîœÉÈÀÇ«»’ - Łódź".to_owned();
    view.terminal = "T-07".to_owned();
    let paper = keno_slip::ticket(&view, keno_slip::Issue::First, Width::Wide).unwrap();
    let texts = printed(&paper).texts();
    assert!(
        texts.contains(&"éèêàçùôîœÉÈÀÇ«»’ - Lódz".to_owned()),
        "{texts:#?}"
    );
    assert!(texts.iter().any(|line| line.starts_with("T-07")));
    // The byte itself: page 850 would have sent 0xF0.
    assert!(
        crate::support::bytes(&paper)
            .windows(4)
            .any(|window| window == b"T-07")
    );
}

#[test]
fn a_house_text_with_commands_in_it_is_text() {
    let mut view = sample("full");
    // Initialise, open the drawer, cut, ask for status, a bar code.
    view.house_name = "Casino\u{1B}@\u{1B}p\u{0}\u{19}\u{FA}\u{1D}VA\u{0} du\u{10}\u{4}\u{1} Lac\u{1D}k\u{5}12\u{0}".to_owned();
    view.rules_place.fr = "comptoir\u{1D}!\u{11} Keno".to_owned();
    let whole = keno_slip::ticket(&view, keno_slip::Issue::First, Width::Wide).unwrap();
    let sheet = printed(&whole);
    assert!(
        sheet.texts().contains(&"Casino@púVA du Lack12".to_owned()),
        "{:#?}",
        sheet.texts()
    );
    assert_eq!(sheet.itf_digits().len(), 1);

    // The same text put past the reduction is caught by the decoder.
    let mut planted = whole.clone();
    if let Mark::Text(line) = &mut planted.lines[2].mark {
        line.spans[0].text.clone_from(&view.house_name);
    }
    let bytes = crate::support::bytes(&planted);
    let sheets = keno_terminal::virtual_printer::decode(&bytes, 576);
    assert!(sheets.is_err() || sheets.unwrap().len() != 1);
}

#[test]
fn one_column_too_many_is_refused_by_the_decoder() {
    let mut whole = paper("full", Width::Narrow);
    if let Mark::Text(line) = &mut whole.lines[0].mark {
        line.spans[0].text = "x".repeat(33);
    }
    assert!(keno_terminal::virtual_printer::decode(&crate::support::bytes(&whole), 384).is_err());
}

//! Rule books that are too long, have too many faults or are no text.

use keno_book::rules_file::{RuleBookFault, read};
use keno_words::Say;

const DEMONSTRATION: &str = include_str!("../../../samples/rules/demonstration.toml");

fn faults(text: &str) -> Vec<RuleBookFault> {
    match read(text) {
        Ok(_) => panic!("the text should have a fault"),
        Err(faults) => faults,
    }
}

/// The demonstration with one passage replaced, and the line where the passage starts.
fn planted(passage: &str, replacement: &str) -> (String, usize) {
    planted_in(DEMONSTRATION, passage, replacement)
}

fn planted_in(text: &str, passage: &str, replacement: &str) -> (String, usize) {
    assert_eq!(
        text.matches(passage).count(),
        1,
        "{passage:?} must be there once"
    );
    let offset = text.find(passage).unwrap_or_default();
    // A passage may start with the line breaks that make it unique.
    let lead = passage.len() - passage.trim_start_matches('\n').len();
    let line = text[..offset + lead].matches('\n').count() + 1;
    (text.replacen(passage, replacement, 1), line)
}

#[test]
fn a_book_is_one_mebibyte_at_most() {
    let of = |bytes: usize| {
        let filling = "#".repeat(bytes - DEMONSTRATION.len() - 1);
        format!("{DEMONSTRATION}\n{filling}")
    };
    let whole = of(1_048_576);
    assert_eq!(whole.len(), 1_048_576);
    assert!(read(&whole).is_ok());
    let found = faults(&of(1_048_577));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind.name(), found[0].line), ("file_too_long", 1));
    assert_eq!(
        found[0].fr(),
        "ligne 1 : le fichier dépasse 1048576 octets, le plus qui se lise."
    );
    // Nothing of it is walked: seventy million bytes take no longer.
    assert_eq!(faults(&of(70_000_000))[0].kind.name(), "file_too_long");
}

#[test]
fn no_more_than_fifty_faults_are_told_and_the_last_says_so() {
    let unknown: String = (0..100_000).map(|at| format!("k{at}=1\n")).collect();
    let text = format!("{unknown}{DEMONSTRATION}");
    let broken = "=\n".repeat(500_000);
    for (text, first) in [(text, "key_unknown"), (broken, "toml_malformed")] {
        let found = faults(&text);
        assert_eq!(found.len(), 50);
        let told: usize = found.iter().map(|fault| fault.fr().len()).sum();
        assert!(told < 50_000, "{told}");
        assert_eq!(found[0].kind.name(), first);
        assert_eq!(found[48].kind.name(), first);
        assert_eq!(found[49].kind.name(), "faults_beyond");
        assert!(found[49].fr().contains("il y a d’autres fautes"));
    }
    // Fifty are told as they are.
    let fifty: String = (0..50).map(|at| format!("k{at}=1\n")).collect();
    let found = faults(&format!("{fifty}{DEMONSTRATION}"));
    assert_eq!(found.len(), 50);
    assert!(found.iter().all(|fault| fault.kind.name() == "key_unknown"));
}

#[test]
fn a_book_that_is_not_utf_8_names_its_line() {
    let (text, line) = planted("fr = \"Livre", "fr = \"é Livre");
    let latin: Vec<u8> = text
        .chars()
        .map(|one| u8::try_from(u32::from(one)).unwrap_or(b'?'))
        .collect();
    let Err(found) = keno_book::rules_file::read_bytes(&latin) else {
        panic!("bytes that are no text were read")
    };
    assert_eq!(found.len(), 1);
    let first = latin.iter().position(|byte| *byte >= 0x80);
    let before = &latin[..first.unwrap_or_default()];
    let first_line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    assert!(first_line <= line);
    assert_eq!(
        (found[0].kind.name(), found[0].line),
        ("not_text", first_line)
    );
    assert!(
        found[0]
            .fr()
            .starts_with(&format!("ligne {first_line} : le texte n’est pas en UTF-8"))
    );
    assert!(keno_book::rules_file::read_bytes(DEMONSTRATION.as_bytes()).is_ok());
}

/// What the reader of TOML says is in English, and stands in the English sentence alone.
#[test]
fn a_french_sentence_is_french() {
    for broken in [
        "size = = 80",
        "size = 80]",
        "size = \"80",
        "size = 8_",
        "size 80",
        "size = 80 80",
    ] {
        let (text, _) = planted("size = 80", broken);
        for fault in faults(&text) {
            let french = fault.fr();
            for english in [
                "expected",
                "invalid",
                "missing",
                "unexpected",
                "unclosed",
                "extra",
                "the ",
            ] {
                assert!(!french.contains(english), "{french}");
            }
        }
    }
}

//! What scans mean, and a scanner on a line that comes and goes.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use keno_slip::Width;
use keno_terminal::scanner::meaning::meaning_of_scan;
use keno_terminal::scanner::serial::SerialScanner;
use keno_terminal::scanner::trial::try_scan;
use keno_terminal::scanner::wedge::Wedge;
use keno_terminal::scanner::{Absence, Heard, Meaning, Scan, Scanner, ScannerSettings, meaning};
use keno_wire::ClaimCodeFault;
use keno_words::Say;
use proptest::prelude::*;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

fn claim_code() -> String {
    let sheet = crate::support::printed(&crate::support::paper("full", Width::Wide));
    sheet.qr_payloads()[0].to_owned()
}

#[test]
fn every_meaning_by_an_example() {
    let code = claim_code();
    let small = code.to_lowercase().replace('0', "o");
    let apart = format!("{} {}-{}", &code[..19], &code[19..60], &code[60..]);
    let torn = &code[..60];
    let misread = format!("{}!", &code[..code.len() - 1]).replace('!', "U");
    let wrong_check = code.replacen("0731552890146663", "0731552890146664", 1);
    let long = "7".repeat(161);
    let express = "KS18RQTZA02W6005QVWPG";
    let misread_slip = express.replacen("02W", "03W", 1);
    let typed = "0731552890146663MPJTB9D5MPJTB9D5MP0W";
    let misheard = typed.replacen("MPJTB", "MPJTC", 1);
    let cases: [(&str, &str); 28] = [
        ("", "empty"),
        (&long, "too_long"),
        ("https://example.org/?a=1", "not_our_alphabet"),
        ("kt2", "claim_code_not_whole"),
        ("KT2 07", "claim_code_not_whole"),
        (&code, "claim_code"),
        (&small, "claim_code"),
        (&apart, "claim_code"),
        (torn, "claim_code_not_whole"),
        (&misread, "claim_code_misread"),
        (&wrong_check, "claim_code_check_digits"),
        ("KT10731552890146663", "other_claim_code"),
        ("KT30731552890146663", "other_claim_code"),
        (typed, "typed_claim"),
        (&misheard, "claim_code_misread"),
        ("0731552890146663", "control_number"),
        ("0731552890146664", "control_number_check_digits"),
        ("0731552890", "fragment"),
        ("12", "foreign"),
        ("KTM5449000000996", "foreign"),
        ("KS10RQTZA0G70JVQR", "blank_slip"),
        (express, "express_card"),
        ("KS1GRQTZAA2018E945AHZ1G0P6GD4T8", "e_slip"),
        (&express[..9], "slip_code_unreadable"),
        (&misread_slip, "slip_code_check_wrong"),
        ("KS20RQTZA0G70JVQR", "other_slip_code"),
        ("KS", "foreign"),
        ("KSM5449000000996", "foreign"),
    ];
    let mut names = BTreeSet::new();
    for (raw, name) in cases {
        let found = meaning(raw.as_bytes());
        assert_eq!(found.name(), name, "{raw}");
        let (fr, en) = (found.fr(), found.en());
        assert!(fr.ends_with('.') && en.ends_with('.') && fr != en);
        names.insert(name);
    }
    assert_eq!(names.len(), 19, "every name once at least");
}

/// A code that is read short, swapped or misread at one place never passes for another ticket's.
#[test]
fn one_wrong_character_is_noticed_or_stays_within_the_secret() {
    let code = claim_code();
    let Meaning::ClaimCode(whole) = meaning(code.as_bytes()) else {
        panic!("the sample is whole");
    };
    for place in 0..code.len() {
        let mut short = code.clone();
        short.remove(place);
        assert!(!matches!(meaning(short.as_bytes()), Meaning::ClaimCode(_)));
        for other in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".chars() {
            let mut changed = code.clone();
            changed.replace_range(place..=place, &other.to_string());
            if let Meaning::ClaimCode(read) = meaning(changed.as_bytes()) {
                assert_eq!(read.control_number, whole.control_number, "{place} {other}");
            }
        }
    }
}

#[test]
fn what_a_scanner_puts_around_a_code_is_taken_off_and_told() {
    let settings = ScannerSettings {
        prefix: "Q3".to_owned(),
        suffix: "09".to_owned(),
        ..ScannerSettings::default()
    };
    let scan = |text: &str| Wedge::line(text).unwrap();
    let code = claim_code();
    for text in [format!("Q3{code}09"), code.clone()] {
        let found = meaning_of_scan(&scan(&text), &settings);
        assert_eq!(found.name(), "claim_code", "{text}");
    }
    let seen = try_scan(&scan(&format!("Q3{code}")), &settings);
    assert_eq!(
        (seen.has_prefix, seen.has_suffix),
        (Some(true), Some(false))
    );
    let lines: Vec<String> = seen.sentences().into_iter().map(|line| line.fr).collect();
    assert!(lines.contains(&"Suffixe : ABSENT".to_owned()), "{lines:?}");
    assert!(lines[0].starts_with("122 octets : Q3KT20731552890146663"));
    // The secret of a claim is not shown: who photographs the screen has no money.
    let secret = &code[21..41];
    assert!(!lines.concat().contains(secret) && !lines[1].contains("45 45 45"));
    let hexadecimal: String = secret.bytes().map(|byte| format!("{byte:02X} ")).collect();
    assert!(!lines[1].contains(hexadecimal.trim_end()));
    // However it comes, and whatever is around it: of what may be a claim code no more than the number
    // is shown, and never all of it.
    let signed = ScannerSettings {
        start: "~".to_owned(),
        ..ScannerSettings::default()
    };
    for before in ["", "~", "]Q1", "~]C1", "Q3", "QR:", "X"] {
        for code in [
            code.clone(),
            code.to_lowercase(),
            code.replace('0', "O"),
            code[1..].to_owned(),
            code[25..].to_owned(),
            code[..60].to_owned(),
            format!("{}U{}", &code[..30], &code[31..]),
            format!("{} {}", &code[..41], &code[41..]),
            "0731552890146663MPJTB9D5MPJTB9D5MP0W".to_owned(),
            "0731 5528 9014 6663 MPJTB 9D5MP JTB9D 5MP0W".to_owned(),
            "KB17KQ4M2PX0123ABCDC143".to_owned(),
            "KB19876543210KQ4M2PC143".to_owned(),
        ] {
            let text = format!("{before}{code}");
            let as_read = Scan {
                bytes: text.clone().into_bytes(),
                is_cut: false,
            };
            for scan in [scan(&text), as_read] {
                let trial = try_scan(&scan, &signed);
                let signs = trial
                    .text
                    .chars()
                    .filter(|sign| sign.is_ascii_alphanumeric());
                assert!(signs.count() <= 25, "{text}: {}", trial.text);
                let shown = trial.text.to_ascii_uppercase().replace(' ', "");
                let plain = text.to_ascii_uppercase().replace(' ', "");
                for part in ["MPJTB9D", "KQ4M2P", "9876543"] {
                    assert!(!plain.contains(part) || !shown.contains(part), "{text}");
                }
                let pairs = trial.hexadecimal.split(' ').filter(|pair| *pair != "··");
                assert!(pairs.count() <= 32, "{text}: {}", trial.hexadecimal);
            }
        }
    }
    let cut = Scan {
        bytes: vec![b'7'; 160],
        is_cut: true,
    };
    assert_eq!(meaning_of_scan(&cut, &settings), Meaning::TooLong);
    let none = ScannerSettings::default();
    assert_eq!(try_scan(&scan("12"), &none).has_prefix, None);
}

proptest! {
    #[test]
    fn any_bytes_have_a_meaning(raw in proptest::collection::vec(any::<u8>(), 0..400)) {
        let found = meaning(&raw);
        prop_assert!(!matches!(
            found,
            Meaning::ClaimCode(_) | Meaning::ControlNumber(_) | Meaning::SlipCode(_)
        ));
    }

    #[test]
    fn anything_of_our_alphabet_has_a_meaning(raw in "(K[ST][0-9])?[0-9A-Z]{0,170}") {
        let found = meaning(raw.as_bytes());
        prop_assert!(found != Meaning::NotOurAlphabet);
        prop_assert_eq!(raw.len() > 160, found == Meaning::TooLong);
        if raw.starts_with("KT2") && (4..=160).contains(&raw.len()) && raw.len() != 120 {
            prop_assert_eq!(found, Meaning::DamagedClaimCode(ClaimCodeFault::Length));
        }
    }
}

/// A line with a scanner at its other end.
struct Line {
    scanner: File,
    device: PathBuf,
}

impl Line {
    fn new() -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        Self {
            scanner: File::from(master),
            device: PathBuf::from(name.into_string().unwrap()),
        }
    }
}

/// The next thing that is not nothing.
fn next(scanner: &mut SerialScanner) -> Heard {
    loop {
        match scanner.hear(Duration::from_secs(60)) {
            Heard::Nothing => {}
            heard => return heard,
        }
    }
}

#[test]
fn a_scanner_on_a_line_is_heard_unplugged_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("boulier-scanner");
    let settings = ScannerSettings {
        device: Some(name.clone()),
        ..ScannerSettings::default()
    };
    // Patience enough for any machine: the pause within a scan is tested by itself.
    let gap = Duration::from_secs(60);
    let mut scanner = SerialScanner::new(name.clone(), settings.line(), gap);
    assert_eq!(
        scanner.hear(Duration::ZERO),
        Heard::Absent(Absence::Unplugged)
    );
    let heard = |bytes: &[u8]| {
        Heard::Scan(Scan {
            bytes: bytes.to_vec(),
            is_cut: false,
        })
    };
    let mut line = Line::new();
    std::os::unix::fs::symlink(&line.device, &name).unwrap();
    // It is opened before anything is scanned, as a counter is in the morning.
    assert_eq!(scanner.hear(Duration::ZERO), Heard::Nothing);
    line.scanner
        .write_all(b"0731552890146663\r\n12\r\nKT2")
        .unwrap();
    assert_eq!(next(&mut scanner), heard(b"0731552890146663"));
    assert_eq!(next(&mut scanner), heard(b"12"));
    // Half a code, and the cable is pulled.
    drop(line);
    assert_eq!(next(&mut scanner), Heard::Absent(Absence::Unplugged));
    std::fs::remove_file(&name).unwrap();
    let mut line = Line::new();
    std::os::unix::fs::symlink(&line.device, &name).unwrap();
    assert_eq!(scanner.hear(Duration::ZERO), Heard::Nothing);
    line.scanner.write_all(b"34\n").unwrap();
    assert_eq!(next(&mut scanner), heard(b"34"), "nothing of the half code");
}

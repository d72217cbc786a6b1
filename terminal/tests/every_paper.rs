//! Every paper as bytes: which commands are in them, whatever a house writes; what a second paper
//! says of itself; and how long each is, by which the printer is waited for.
#![allow(clippy::unwrap_used)]

use crate::papers::{Texts, every_paper};
use keno_slip::{Paper, Width};
use keno_terminal::virtual_printer::command::{Command, Reading, read};
use keno_terminal::virtual_printer::picture::picture;
use proptest::prelude::*;

const WIDTHS: [Width; 2] = [Width::Wide, Width::Narrow];

/// The commands in some bytes, characters left out.
fn commands(bytes: &[u8]) -> Vec<Command> {
    let mut rest = bytes;
    let mut commands = Vec::new();
    loop {
        match read(rest) {
            Reading::Command(command, length) => {
                if !matches!(command, Command::Character(_)) {
                    commands.push(command);
                }
                rest = &rest[length..];
            }
            Reading::More if rest.is_empty() => return commands,
            other => panic!("{other:?} before {:?}", &rest[..rest.len().min(8)]),
        }
    }
}

/// What is wrong with the commands of a paper; the commands that a text could smuggle in stand in
/// it at fixed places and in a fixed number.
fn faults(paper: &Paper, bytes: &[u8]) -> Vec<String> {
    let all = commands(bytes);
    let count = |is: fn(&Command) -> bool| all.iter().filter(|one| is(one)).count();
    let mut faults = Vec::new();
    let mut expect = |name: &str, found: usize, wanted: usize| {
        if found != wanted {
            faults.push(format!("{found} x {name}"));
        }
    };
    let marks =
        |is: fn(&keno_slip::Mark) -> bool| paper.lines.iter().filter(|line| is(&line.mark)).count();
    let qr = marks(|mark| matches!(mark, keno_slip::Mark::Qr { .. }));
    let itf = marks(|mark| matches!(mark, keno_slip::Mark::Itf { .. }));
    expect("initialise", count(|one| *one == Command::Initialise), 1);
    expect("page", count(|one| matches!(one, Command::Page(_))), 1);
    expect("cut", count(|one| *one == Command::Cut), 1);
    expect("pulse", count(|one| matches!(one, Command::Pulse(_))), 0);
    expect(
        "state",
        count(|one| matches!(one, Command::AskStatus(_))),
        0,
    );
    expect(
        "question",
        count(|one| matches!(one, Command::AskPrinted(_))),
        2,
    );
    expect("QR", count(|one| *one == Command::QrPrint), qr);
    expect("bars", count(|one| matches!(one, Command::Itf(_))), itf);
    faults
}

fn samples() -> Vec<(&'static str, keno_wire::reply::TicketView)> {
    ["full", "duplicate", "information", "king", "set", "way-190"]
        .into_iter()
        .map(|name| (name, crate::support::sample(name)))
        .collect()
}

const TEXTS: Texts<'static> = Texts {
    house: "Casino de l’Été à Trois-Cœurs",
    terminal: "T07",
    badge: "C142",
    tender: "cash",
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn whatever_a_house_writes_is_text(
        view in crate::generated::ticket_view(),
        house in crate::generated::house_text(), terminal in crate::generated::house_text(),
        badge in crate::generated::house_text(), tender in crate::generated::house_text(),
    ) {
        let texts = Texts { house: &house, terminal: &terminal, badge: &badge, tender: &tender };
        for width in WIDTHS {
            for (name, paper) in every_paper(&[("made-up", view.clone())], &texts, width) {
                let bytes = crate::support::bytes(&paper);
                prop_assert_eq!(faults(&paper, &bytes), Vec::<String>::new(), "{}", name);
                // And what is printed is what was laid out.
                let rule = "-".repeat(width.columns());
                let lines = crate::support::printed(&paper).texts();
                let lines: Vec<String> = lines.into_iter().filter(|line| *line != rule).collect();
                prop_assert_eq!(lines, paper.texts(), "{}", name);
            }
        }
    }
}

/// The worst that a house could write: the very bytes of commands.
#[test]
fn commands_in_a_text_are_not_commands() {
    let worst = "\u{1B}@\u{1B}p\0\u{19}\u{FA}\u{1D}V\0\u{10}\u{4}\u{1}\u{1D}(H\u{6}\0\u{30}\u{30}AAAA\u{1D}(k\u{3}\u{0}1Q0";
    let texts = Texts {
        house: worst,
        terminal: worst,
        badge: worst,
        tender: worst,
    };
    for width in WIDTHS {
        for (name, paper) in every_paper(&samples(), &texts, width) {
            let bytes = crate::support::bytes(&paper);
            assert_eq!(faults(&paper, &bytes), Vec::<String>::new(), "{name}");
        }
    }
}

/// The check above finds a command that came in with a text.
#[test]
fn a_command_that_passes_is_found() {
    let papers = every_paper(&samples(), &TEXTS, Width::Wide);
    let (_, paper) = &papers[0];
    let bytes = crate::support::bytes(paper);
    for smuggled in [
        &b"\x1Bp\0\x19\xFA"[..],
        b"\x1DVA\0",
        b"\x1B@",
        b"\x10\x04\x01",
    ] {
        let mut with = bytes.clone();
        // After the initialisation and the page: within the first text.
        let place = with.iter().position(|&byte| byte == b'N').unwrap();
        with.splice(place..place, smuggled.iter().copied());
        assert_eq!(faults(paper, &with).len(), 1, "{smuggled:?}");
    }
}

#[test]
fn a_second_paper_says_that_it_is_one() {
    for width in WIDTHS {
        for (name, paper) in every_paper(&samples(), &TEXTS, width) {
            let text = crate::support::printed(&paper).texts().join(" ");
            let is_reprint = name.ends_with("-reprint");
            assert_eq!(
                text.contains("RÉIMPRESSION / REPRINT"),
                is_reprint,
                "{name}"
            );
            let is_duplicate = name.starts_with("ticket-duplicate");
            assert_eq!(
                text.contains("DUPLICATA 2 / DUPLICATE 2"),
                is_duplicate,
                "{name}"
            );
            assert!(text.ends_with("*** FIN / END"), "{name}");
        }
    }
}

/// The length by which a printer is waited for is that of the paper.
#[test]
fn a_paper_is_as_long_as_it_is_said_to_be() {
    for width in WIDTHS {
        for (name, paper) in every_paper(&samples(), &TEXTS, width) {
            let png = picture(&crate::support::printed(&paper)).unwrap();
            let dots = u32::from_be_bytes(png[20..24].try_into().unwrap());
            let told = 8 * paper.length_millimetres();
            // The picture has an edge of 28 dots at either end, and no way to a cutter.
            let drawn = dots - 56 + 120;
            assert!(told.abs_diff(drawn) < 30, "{name}: {told} and {drawn}");
        }
    }
}

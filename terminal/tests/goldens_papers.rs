//! Every paper of a counter as it is, on both widths: its lines, and the bytes that go to the
//! printer, of one paper in full and of the others by their hash. Papers that begin with the same
//! word are one golden. French and English stand on the same paper.
//!
//! `INSTA_UPDATE=always cargo test -p keno-terminal --test suite goldens_papers` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::papers::{Texts, every_paper};
use keno_log::hash::sha256;
use keno_slip::{
    Align, Issue, Mark, Paper, Size, TextLine, Width, file_answer, file_receipt,
    presentation_receipt,
};
use keno_testing::{Goldens, Shapes};
use keno_wire::damaged::{FileView, JudgementView};
use keno_wire::reply::{Bilingual, PresentationReply};

const TEXTS: Texts<'static> = Texts {
    house: "Casino de l’Été à Trois-Cœurs",
    terminal: "T07",
    badge: "C142",
    tender: "cash",
};

const TICKETS: [&str; 6] = ["full", "duplicate", "information", "king", "set", "way-190"];

/// The papers of damaged tickets and of tickets that were presented.
fn further_papers(width: Width) -> Vec<(String, Paper)> {
    let text = str::to_owned;
    let file = FileView {
        number: 9_118_400,
        code: text("D9118400-7GY3RF1W"),
        digits: 12,
        reading: Default::default(),
        presented_by: text("Mme Tremblay"),
        note: text("déchiré sous les numéros / torn below the numbers"),
        opened_at_local: text("2026-11-20 21:05:11"),
        terminal: text(TEXTS.terminal),
        badge: text(TEXTS.badge),
        judged_from_local: text("2026-11-21 21:05:11"),
        is_ready: false,
        answer_by: text("2026-12-20"),
        complaints: Bilingual {
            fr: text("Régie des alcools, des courses et des jeux"),
            en: text("Board of alcohol, racing and gaming"),
        },
        house_name: text(TEXTS.house),
        judgement: None,
    };
    let accepted = JudgementView {
        is_paid: true,
        refused: None,
        words: None,
        note: text("the paper is ours"),
        at_local: text("2026-11-22 10:00:00"),
        by: text("S101"),
        second: text("C143"),
        third: None,
    };
    let refused = JudgementView {
        is_paid: false,
        refused: Some(text("not_genuine")),
        words: Some(Bilingual {
            fr: text("Le papier n’est pas de cette maison (art. 83)."),
            en: text("The paper is not of this house (s. 83)."),
        }),
        note: text("the face is another"),
        third: Some(text("S102")),
        ..accepted.clone()
    };
    let presented = |end: &str, draws: &[u64]| PresentationReply {
        leaf: 4_711,
        ticket: 12,
        number_end: text(end),
        presented_at_local: text("2026-11-21 23:59:59"),
        draws: draws.to_vec(),
        claim_by: text("2027-11-21"),
        repeated: false,
        terminal: text(TEXTS.terminal),
        badge: text(TEXTS.badge),
        house_name: text(TEXTS.house),
    };
    let presented = [
        presented("6663", &[1, 2, 3, 7]),
        presented("0042", &[48_213]),
    ];
    let mut papers = Vec::new();
    for (issue, word) in [(Issue::First, ""), (Issue::Reprint, "-reprint")] {
        for (name, paper) in [
            ("file-receipt", file_receipt(&file, issue, width)),
            ("file-accepted", file_answer(&file, &accepted, issue, width)),
            ("file-refused", file_answer(&file, &refused, issue, width)),
            (
                "presentation",
                presentation_receipt(&presented, issue, width),
            ),
        ] {
            papers.push((format!("{name}{word}"), paper));
        }
    }
    papers
}

fn style(line: &TextLine) -> String {
    let size = match line.size {
        Size::Normal => "",
        Size::Tall => " tall",
        Size::Double => " double",
    };
    let align = match line.align {
        Align::Left => "",
        Align::Centre => " centre",
    };
    format!("{align}{size}")
}

/// The lines of a paper: text between bars, what is darker between stars, and behind it how it
/// stands and which fact of s. 82 it is.
fn lines(paper: &Paper) -> String {
    let mut text = String::new();
    for line in &paper.lines {
        match &line.mark {
            Mark::Text(one) => {
                text.push('|');
                for span in &one.spans {
                    let star = if span.bold { "**" } else { "" };
                    write!(text, "{star}{}{star}", span.text).unwrap();
                }
                write!(text, "|{}", style(one)).unwrap();
            }
            Mark::Rule(dashes) => write!(text, "rule of {dashes}").unwrap(),
            Mark::Qr {
                payload,
                module_dots,
            } => write!(text, "QR {module_dots} dots {payload}").unwrap(),
            Mark::Itf { digits, bar_dots } => {
                write!(text, "bars {bar_dots} dots {digits}").unwrap();
            }
            Mark::Feed(count) => write!(text, "feed {count}").unwrap(),
            Mark::Cut => text.push_str("cut"),
        }
        if let Some(fact) = line.fact {
            write!(text, " = {}", fact.name()).unwrap();
        }
        text.push('\n');
    }
    text
}

/// Bytes as text: what is no sign of ASCII as its number; a line ends where the paper is fed
/// (`ESC d`).
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(*byte)),
            other => write!(text, "\\{other:02x}").unwrap(),
        }
        if bytes[..at].ends_with(b"\x1Bd") {
            text.push('\n');
        }
    }
    text
}

#[test]
fn every_paper_is_as_ever() {
    let goldens = Goldens::of("tests/goldens/papers");
    let tickets: Vec<_> = TICKETS
        .into_iter()
        .map(|name| (name, crate::support::sample(name)))
        .collect();
    let all = |width| {
        let mut papers = every_paper(&tickets, &TEXTS, width);
        papers.extend(further_papers(width));
        papers
    };
    let mut kinds: BTreeMap<String, Shapes> = BTreeMap::new();
    for ((name, wide), (_, narrow)) in all(Width::Wide).into_iter().zip(all(Width::Narrow)) {
        let mut text = String::new();
        for (width, paper) in [("80 mm", &wide), ("58 mm", &narrow)] {
            let bytes = crate::support::bytes(paper);
            let length = paper.length_millimetres();
            let (lines, count) = (lines(paper), bytes.len());
            let hash = hex::encode(sha256(&bytes));
            writeln!(
                text,
                "-- {width}, {length} mm long\n{lines}-- {width}, {count} bytes, SHA-256 {hash}"
            )
            .unwrap();
            if name == "ticket-full" {
                let title = format!("{name}, its bytes on {width}");
                kinds
                    .entry("bytes".to_owned())
                    .or_default()
                    .put(&title, "", &escaped(&bytes));
            }
        }
        let kind = name.split('-').next().unwrap().to_owned();
        kinds.entry(kind).or_default().put(&name, "", &text);
    }
    for (kind, papers) in kinds {
        goldens.hold(&kind, papers.text());
    }
}

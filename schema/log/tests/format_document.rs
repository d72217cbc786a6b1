//! What is made from the declaration of the facts: the chapters of `FORMAT.md` about bodies and
//! kinds, and the fields of the stranger's verifier. `BOULIER_WRITE_DOCS=1` writes them anew.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::fmt::Write;

use keno_log::encode::Declared;
use keno_log::event::{CommandKey, ConditioningRecord, DamagedReading, PaidItem, SelectionRecord};
use keno_log::{EventKind, RetiredKind};

/// The records that stand inside bodies, in the order of the document.
const RECORDS: [(&str, &[Declared]); 5] = [
    ("CommandKey", CommandKey::FIELDS),
    ("ConditioningRecord", ConditioningRecord::FIELDS),
    ("SelectionRecord", SelectionRecord::FIELDS),
    ("PaidItem", PaidItem::FIELDS),
    ("DamagedReading", DamagedReading::FIELDS),
];

/// Lines of a comment as paragraphs.
fn paragraphs(lines: &[&str]) -> Vec<String> {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    let parts = lines.split(|line| line.is_empty());
    parts.map(|lines| lines.join(" ")).collect()
}

/// The field that the header repeats.
fn draw_field(kind: EventKind) -> Option<&'static str> {
    let mut parts = kind.parts().iter();
    let found = parts.find(|(part, _)| matches!(*part, "draw" | "first_draw"));
    found.map(|(_, field)| *field)
}

fn records() -> String {
    let mut out = String::new();
    for (name, fields) in RECORDS {
        let fields = fields.iter().map(|it| format!("{} `{}`", it.name, it.kind));
        let fields = fields.collect::<Vec<_>>().join(", ");
        writeln!(out, "| `{name}` | {fields} |").unwrap();
    }
    out
}

fn kinds() -> String {
    let mut out = String::new();
    for &kind in EventKind::ALL {
        let public = if kind.is_public() { " (public)" } else { "" };
        writeln!(out, "\n### {} `{}`{public}", kind.number(), kind.name()).unwrap();
        let mut meaning = paragraphs(kind.meaning());
        if let Some(field) = draw_field(kind) {
            write!(meaning[0], " Draw: `{field}`.").unwrap();
        }
        writeln!(out, "\n{}\n", meaning.join("\n\n")).unwrap();
        writeln!(out, "| Field | Type | Meaning |\n|---|---|---|").unwrap();
        for field in kind.fields() {
            let meaning = paragraphs(field.meaning).join(" ");
            let added = if field.is_added { ", added" } else { "" };
            writeln!(
                out,
                "| `{}` | `{}`{added} | {meaning} |",
                field.name, field.kind
            )
            .unwrap();
        }
    }
    for kind in RetiredKind::ALL {
        writeln!(out, "\n### {} `{}` (retired)", kind.number(), kind.name()).unwrap();
        writeln!(out, "\n{} {RETIRED}", kind.meaning()).unwrap();
    }
    out
}

const RETIRED: &str = "An earlier version recorded it, no version reads it any more, and no other \
                       kind is given its number.";

/// The document with what is made in its place.
fn made(document: &str) -> String {
    let (before, rest) = document.split_once("| `CommandKey` |").unwrap();
    let (_, rest) = rest.split_once("\n\n").unwrap();
    let (between, _) = rest.split_once("\n### 1 `").unwrap();
    format!("{before}{}\n{between}{}", records(), kinds())
}

/// The fields as the stranger's verifier reads them.
fn fields() -> String {
    let line = |fields: &[Declared]| {
        let fields = fields.iter().map(|it| {
            let added = if it.is_added { "+" } else { "" };
            format!("{added}{}:{}", it.name, it.kind)
        });
        fields.collect::<Vec<_>>().join(" ")
    };
    let mut out = String::from(
        "\"\"\"Fields of every record and kind (FORMAT.md, \"Bodies\" and \"Kinds\").\n\n\
         Made from the declaration of the facts, as those chapters are; not written by hand.\n\
         \"\"\"\n\n\
         # Name, fields.\nRECORDS = (\n",
    );
    for (name, fields) in RECORDS {
        writeln!(out, "    (\"{name}\",\n     \"{}\"),", line(fields)).unwrap();
    }
    out.push_str(
        ")\n\n# Number, name, the field that the header repeats as its draw (None: the header \
         says 0), fields.\nKINDS = (\n",
    );
    for &kind in EventKind::ALL {
        let draw = draw_field(kind).map_or("None".to_owned(), |field| format!("\"{field}\""));
        let (number, name, fields) = (kind.number(), kind.name(), line(kind.fields()));
        writeln!(
            out,
            "    ({number}, \"{name}\", {draw},\n     \"{fields}\"),"
        )
        .unwrap();
    }
    out.push_str(
        ")\n\n# Number and name of the kinds that an earlier version recorded.\nRETIRED = (\n",
    );
    for kind in RetiredKind::ALL {
        writeln!(out, "    ({}, \"{}\"),", kind.number(), kind.name()).unwrap();
    }
    out.push_str(")\n");
    out
}

const DOCUMENT: &str = "FORMAT.md";
const FIELDS: &str = "../../e2e/stranger/stranger/fields.py";

/// Holds a file to what is made, or writes it.
fn hold(path: &str, of: impl Fn(&str) -> String) {
    let found = std::fs::read_to_string(path).unwrap_or_default();
    let made = of(&found);
    if std::env::var_os("BOULIER_WRITE_DOCS").is_some() {
        std::fs::write(path, made).unwrap();
        return;
    }
    assert_eq!(
        found, made,
        "a fact has changed: see that it is meant, then run this test with BOULIER_WRITE_DOCS=1"
    );
}

#[test]
fn the_document_is_the_declaration() {
    hold(DOCUMENT, made);
}

#[test]
fn the_fields_of_the_stranger_are_the_declaration() {
    hold(FIELDS, |_| fields());
}

#[test]
fn a_swapped_or_missing_field_in_the_document_is_noticed() {
    let document = include_str!("../FORMAT.md");
    for (from, to) in [
        ("| `lost_leaf` |", "| `lost_place` |"),
        ("| `seal_root` |", "| seal_root |"),
        ("(public)", ""),
        ("Draw: `first_draw`", "Draw: `last_draw`"),
        ("device `u32`, session `u64`", "session `u64`, device `u32`"),
        ("Badge of the clerk.", "Badge of a clerk."),
    ] {
        let changed = document.replacen(from, to, 1);
        assert_ne!(changed, document, "{from}");
        assert_ne!(made(&changed), changed, "{from}");
    }
}

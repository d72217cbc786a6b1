//! `FORMAT.md` and the code say the same: kinds, numbers, visibility, fields in order.

use keno_log::EventKind;

/// The part of the document about one kind, from its heading to the next.
fn section<'a>(document: &'a str, heading: &str) -> Option<&'a str> {
    let start = document.find(heading)?;
    let rest = &document[start + heading.len()..];
    Some(&rest[..rest.find("\n### ").unwrap_or(rest.len())])
}

fn disagreement(document: &str) -> Option<String> {
    for &kind in EventKind::ALL {
        let heading = format!(
            "### {} `{}`{}\n",
            kind.number(),
            kind.name(),
            if kind.is_public() { " (public)" } else { "" }
        );
        let Some(text) = section(document, &heading) else {
            return Some(format!("no heading {heading:?}"));
        };
        let documented: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .filter_map(|line| line.split('`').next())
            .collect();
        if documented != kind.fields() {
            return Some(format!(
                "{}: documented {documented:?}, coded {:?}",
                kind.name(),
                kind.fields()
            ));
        }
    }
    None
}

#[test]
fn document_and_code_agree() {
    assert_eq!(disagreement(include_str!("../FORMAT.md")), None);
}

#[test]
fn a_swapped_or_missing_field_in_the_document_is_noticed() {
    let document = include_str!("../FORMAT.md");
    let swapped = document.replacen("| `control_hash` |", "| `control_sum` |", 1);
    assert_ne!(swapped, document);
    assert!(disagreement(&swapped).is_some());
    let gone = document.replacen("| `seal_root` |", "| seal_root |", 1);
    assert_ne!(gone, document);
    assert!(disagreement(&gone).is_some());
}

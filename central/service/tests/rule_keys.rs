//! Every key of a rule book has a reader.

#![allow(
    clippy::unwrap_used,
    reason = "a failure of a test is a failure of the test"
)]

/// The demonstration rules.
const RULES: &str = include_str!("../../../samples/rules/demonstration.toml");

/// Where the house reads each key of a rule book beside what judges the book itself: the key, a
/// file, and the words in it that read the key. A rule that does nothing is no rule.
const READERS: &[(&str, &str, &str)] = &[
    ("format", "schema/book/src/rules_file.rs", "\"format\""),
    (
        "version",
        "central/service/src/counter/sell.rs",
        "rules.rules.version",
    ),
    ("name", "central/src/commands/rules.rs", "texts.name_fr"),
    (
        "pool.size",
        "central/service/src/draw/steps.rs",
        "rules.pool.size()",
    ),
    (
        "pool.drawn",
        "central/service/src/draw/steps.rs",
        "rules.pool.drawn()",
    ),
    (
        "cap.per_draw",
        "central/service/src/draw/steps.rs",
        "rules.cap.get()",
    ),
    (
        "cap.full_below",
        "central/service/src/draw/steps.rs",
        "rules.cap_threshold",
    ),
    (
        "limits.selections",
        "schema/game/src/slip/price.rs",
        "selections_max",
    ),
    ("limits.draws", "schema/game/src/slip/price.rs", "draws_max"),
    (
        "limits.draws_ahead",
        "central/service/src/counter/sell.rs",
        "limits.draws_ahead_max",
    ),
    (
        "limits.ways",
        "schema/game/src/slip/price.rs",
        "limits.ways_max",
    ),
    (
        "limits.liability",
        "central/service/src/counter/sell.rs",
        "rules.liability_max",
    ),
    (
        "confirm.second_key",
        "terminal/src/serve/counter/draft.rs",
        "thresholds.second_key",
    ),
    (
        "confirm.type_total",
        "terminal/src/serve/counter/draft.rs",
        "thresholds.type_total",
    ),
    (
        "confirm.draws",
        "terminal/src/serve/counter/draft.rs",
        "thresholds.draws",
    ),
    (
        "payout.second_person",
        "central/service/src/counter/pay.rs",
        "limits.second_person",
    ),
    (
        "payout.cage",
        "central/service/src/counter/pay.rs",
        "limits.cage",
    ),
    (
        "payout.cancel_alone",
        "schema/game/src/rules.rs",
        "self.cancel_alone",
    ),
    (
        "payout.typed_alone",
        "central/service/src/counter/ground.rs",
        "payout.typed_alone",
    ),
    (
        "payout.typed_per_day",
        "central/service/src/counter/ground.rs",
        "payout.typed_per_day",
    ),
    (
        "payout.federal_report",
        "central/service/src/counter/pay.rs",
        "payout.federal_report",
    ),
    (
        "claim.days",
        "central/service/src/counter/deadline.rs",
        "claim.days",
    ),
    (
        "limits.copies",
        "central/service/src/counter/papers.rs",
        "limits.copies_max",
    ),
    (
        "damaged.at_once",
        "central/service/src/counter/ground.rs",
        "damaged.at_once",
    ),
    (
        "damaged.per_day",
        "central/service/src/counter/ground.rs",
        "damaged.per_day",
    ),
    (
        "damaged.wait_hours",
        "central/service/src/counter/damaged.rs",
        "damaged.wait_hours",
    ),
    (
        "damaged.third_person",
        "central/service/src/counter/ground.rs",
        "damaged.third_person",
    ),
    (
        "damaged.answer_days",
        "central/service/src/counter/damaged.rs",
        "damaged.answer_days",
    ),
    (
        "damaged.complaints",
        "central/src/convert/files.rs",
        "damaged.complaints_fr",
    ),
    (
        "claim.place",
        "central/src/convert/reply.rs",
        "claim.place_fr",
    ),
    (
        "claim.cage",
        "central/src/convert/reply.rs",
        "claim.cage_fr",
    ),
    (
        "tenders.accepted",
        "central/service/src/counter/sell.rs",
        "rules.tenders",
    ),
    (
        "tenders.chip_change",
        "central/service/src/counter/sell.rs",
        "rules.chip_change",
    ),
    (
        "texts.rules_place",
        "central/src/convert/reply.rs",
        "texts.rules_place_fr",
    ),
    (
        "texts.notice",
        "central/src/convert/reply.rs",
        "texts.notice_fr",
    ),
    (
        "interrupted.machine_draw",
        "central/service/src/draw/interrupted.rs",
        "texts.interrupted",
    ),
    (
        "counter.wager",
        "terminal/src/serve/counter/on_sale.rs",
        "counter",
    ),
    (
        "counter.express",
        "terminal/src/serve/counter/on_sale.rs",
        "express",
    ),
    (
        "game.code",
        "central/record/src/state/house.rs",
        "game.code",
    ),
    ("game.name", "central/src/convert/reply.rs", "game.name_fr"),
    (
        "game.straight",
        "schema/game/src/slip/price.rs",
        "spots_allowed",
    ),
    ("game.way", "schema/game/src/slip/price.rs", "spots_allowed"),
    (
        "game.king",
        "schema/game/src/slip/price.rs",
        "spots_allowed",
    ),
    (
        "game.king_alone",
        "schema/game/src/slip/price.rs",
        "king_alone",
    ),
    ("game.wager", "schema/game/src/slip/price.rs", "game.wager"),
    (
        "game.pays",
        "central/record/src/state/house.rs",
        "game.tables",
    ),
];

/// Every key of a book, to its second level; tables in lists as the list.
fn keys(book: &toml::Table) -> Vec<String> {
    let mut found = std::collections::BTreeSet::new();
    for (name, value) in book {
        let inner: Vec<&toml::Table> = match value {
            toml::Value::Table(table) => vec![table],
            toml::Value::Array(list) => list.iter().filter_map(toml::Value::as_table).collect(),
            _ => Vec::new(),
        };
        let is_words = inner.iter().any(|table| table.contains_key("fr"));
        if inner.is_empty() || is_words {
            found.insert(name.clone());
            continue;
        }
        for table in inner {
            found.extend(table.keys().map(|key| format!("{name}.{key}")));
        }
    }
    found.into_iter().collect()
}

#[test]
fn every_key_of_a_rule_book_has_a_reader() {
    // What a book may leave out stands in this one.
    let whole = RULES.replace("ways = 2000", "ways = 2000\nliability = \"1000000.00\"");
    keno_book::rules_file::read(&whole).unwrap();
    let mut named: Vec<&str> = READERS.iter().map(|(key, _, _)| *key).collect();
    named.sort_unstable();
    assert_eq!(keys(&whole.parse().unwrap()), named);
    let top = std::path::Path::new("../..");
    for (key, file, words) in READERS {
        let text = std::fs::read_to_string(top.join(file)).unwrap();
        assert!(
            text.contains(words),
            "{key} is not read in {file}: {words:?}"
        );
    }
    // A key that nothing reads is no key.
    let more = whole.replace("[claim]", "[claim]\nhours = 1");
    keno_book::rules_file::read(&more).unwrap_err();
}

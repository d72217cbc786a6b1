//! Rule books as files: the demonstration is read, and every planted fault is found at its line.

use keno_book::rules_file::{
    InterruptedRule, RuleBookFault, RuleBookFaultKind, RuleBookFile, read,
};
use keno_game::{Cents, Fraction, RuleFaultCode, SelectionType, SpotsAllowed};
use keno_words::Say;

const DEMONSTRATION: &str = include_str!("../../../samples/rules/demonstration.toml");

fn faults(text: &str) -> Vec<RuleBookFault> {
    match read(text) {
        Ok(_) => panic!("the text should have a fault"),
        Err(faults) => faults,
    }
}

fn read_whole(text: &str) -> RuleBookFile {
    read(text).unwrap_or_else(|faults| {
        let sentences: Vec<String> = faults.iter().map(Say::en).collect();
        panic!("{sentences:#?}")
    })
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
fn the_demonstration_is_read_whole() {
    let file = read_whole(DEMONSTRATION);
    let rules = &file.rules;
    assert_eq!(rules.version, 1);
    assert_eq!((rules.pool.size(), rules.pool.drawn()), (80, 20));
    assert_eq!(rules.cap, Cents::new(5_000_000));
    assert_eq!(rules.cap_threshold, Cents::new(100_000));
    assert_eq!(rules.limits.selections_max, 4);
    assert_eq!(rules.limits.draws_max, 20);
    assert_eq!(rules.limits.draws_ahead_max, 100);
    assert_eq!(rules.limits.ways_max, 2_000);
    assert_eq!(rules.liability_max, None);
    assert_eq!(rules.confirm.second_key, Cents::new(2_500));
    assert_eq!(rules.confirm.type_total, Cents::new(10_000));
    assert_eq!(rules.confirm.draws, 10);
    assert_eq!(rules.payout.second_person, Cents::new(100_000));
    assert_eq!(rules.payout.cage, Cents::new(500_000));
    assert_eq!(rules.payout.federal_report, Cents::new(1_000_000));
    assert_eq!(rules.claim.days, 365);
    assert_eq!(rules.claim.place_fr, "Comptoirs Keno");
    assert_eq!(rules.claim.place_en, "Keno counters");
    assert_eq!(rules.claim.cage_fr, "Caisse principale");
    assert_eq!(rules.claim.cage_en, "Main cage");
    let tenders: Vec<&str> = rules.tenders.iter().map(|tender| tender.code()).collect();
    assert_eq!(tenders, ["cash", "coupon", "chip"]);
    assert_eq!(rules.games.len(), 1);
    let game = rules.game("keno").unwrap();
    let all = SpotsAllowed { min: 1, max: 10 };
    let types = [
        SelectionType::Straight,
        SelectionType::Way,
        SelectionType::King,
    ];
    let types = types.map(|kind| (kind, all));
    assert_eq!(game.types, types.into());
    assert!(game.king_alone);
    assert_eq!(game.wager.same_numbers_max, Cents::new(2_000));
    let spots: Vec<u8> = game.tables.iter().map(|table| table.spots()).collect();
    assert_eq!(spots, (1..=10).collect::<Vec<u8>>());
    assert_eq!(game.table(10).unwrap().pays(10).hundredths(), 250_000);
    assert_eq!(file.texts.name_en, "Demonstration rule book");
    assert_eq!(file.texts.rules_place_fr, "Comptoir et borne Keno");
    assert_eq!(file.texts.interrupted, InterruptedRule::Void);
    assert_eq!(file.text, DEMONSTRATION);
    // 40 wagers on each of 10 spot counts, and none is below 65 %.
    assert_eq!(file.certificate.lines.len(), 400);
    assert!(file.certificate.lowest.rate >= Fraction::new(65, 100).unwrap());
}

/// The hash is that of the bytes as published: a comment changes it, and nothing else.
#[test]
fn the_hash_is_that_of_the_bytes() {
    let file = read_whole(DEMONSTRATION);
    let commented = read_whole(&format!("{DEMONSTRATION}# read by nobody\n"));
    assert_ne!(file.hash, commented.hash);
    assert_eq!(file.rules, commented.rules);
    let digest = <sha2::Sha256 as sha2::Digest>::digest(DEMONSTRATION.as_bytes());
    assert_eq!(file.hash, <[u8; 32]>::from(digest));
}

/// One passage of the demonstration, what replaces it, the name of the fault, its place, and how
/// many lines below the start of the passage it is.
type Planted = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    usize,
);

const PLANTED: &[Planted] = &[
    // The form.
    ("format = 3", "format = 1", "format_unknown", "format", 0),
    ("format = 3", "format = 4", "format_unknown", "format", 0),
    ("format = 3", "format = \"3\"", "type_wrong", "format", 0),
    ("size = 80", "size = = 80", "toml_malformed", "", 0),
    (
        "accepted = [\"cash\"",
        "accepted = [\"cash",
        "toml_malformed",
        "",
        0,
    ),
    (
        "drawn = 20",
        "drawn = 20\ndrawn = 20",
        "key_repeated",
        "",
        1,
    ),
    ("[payout]", "[confirm]", "key_repeated", "", 0),
    (
        "days = 365",
        "days = 365\nweeks = 52",
        "key_unknown",
        "claim.weeks",
        1,
    ),
    (
        "king_alone = true",
        "king_alone = true\nqueen = 1",
        "key_unknown",
        "game[0].queen",
        1,
    ),
    (
        "[cap]\nper_draw = \"50000.00\"",
        "[cap]",
        "key_missing",
        "cap.per_draw",
        0,
    ),
    (
        "[interrupted]\nmachine_draw = \"void\"",
        "",
        "key_missing",
        "interrupted",
        usize::MAX,
    ),
    (
        "ways = 2000",
        "ways = \"2000\"",
        "type_wrong",
        "limits.ways",
        0,
    ),
    (
        "cage = \"5000.00\"",
        "cage = 5000.00",
        "type_wrong",
        "payout.cage",
        0,
    ),
    (
        "king_alone = true",
        "king_alone = \"yes\"",
        "type_wrong",
        "game[0].king_alone",
        0,
    ),
    (
        "3 = { 2 = \"1\", 3 = \"42\" }",
        "3 = { 2 = 1, 3 = \"42\" }",
        "type_wrong",
        "game[0].pays.3.2",
        0,
    ),
    (
        "selections = 4",
        "selections = 256",
        "number_out_of_range",
        "limits.selections",
        0,
    ),
    (
        "\nversion = 1",
        "\nversion = -1",
        "number_out_of_range",
        "version",
        0,
    ),
    (
        "\"void\"",
        "\"perhaps\"",
        "choice_unknown",
        "interrupted.machine_draw",
        0,
    ),
    (
        "\"cash\", \"coupon\"",
        "\"cash\",\n\"credit\"",
        "choice_unknown",
        "tenders.accepted[1]",
        1,
    ),
    // What only a rule book has.
    (
        "\"50000.00\"",
        "\"50000.001\"",
        "money_malformed",
        "cap.per_draw",
        0,
    ),
    (
        "\"25.00\"",
        "\"25,00\"",
        "money_malformed",
        "confirm.second_key",
        0,
    ),
    (
        "type_total = \"100.00\"",
        "type_total = \"1 00.00\"",
        "money_malformed",
        "confirm.type_total",
        0,
    ),
    (
        "ways = 2000",
        "ways = 2000\nliability = \"much\"",
        "money_malformed",
        "limits.liability",
        1,
    ),
    (
        "drawn = 20",
        "drawn = 22",
        "pool_unknown",
        "pool",
        usize::MAX - 1,
    ),
    (
        "\n10 = {",
        "\n010 = {",
        "spots_malformed",
        "game[0].pays.010",
        0,
    ),
    (
        "\n10 = {",
        "\n81 = {",
        "spots_malformed",
        "game[0].pays.81",
        0,
    ),
    (
        "1 = { 1 = \"3\" }",
        "1 = { 1 = \"3\", 2 = \"1\" }",
        "catch_malformed",
        "game[0].pays.1.2",
        0,
    ),
    (
        "5 = \"450\"",
        "5 = \"450.125\"",
        "pays_malformed",
        "game[0].pays.5.5",
        0,
    ),
    // What a counter offers at one key.
    (
        "[counter]\nwager = \"1.00\"",
        "[counter]\nwager = \"1.25\"",
        "counter_wager_refused",
        "counter.wager",
        1,
    ),
    (
        "[counter]\nwager = \"1.00\"",
        "[counter]\nwager = \"20.50\"",
        "counter_wager_refused",
        "counter.wager",
        1,
    ),
    (
        "[counter]\nwager = \"1.00\"",
        "[counter]\nwager = \"0.00\"",
        "counter_wager_refused",
        "counter.wager",
        1,
    ),
    (
        "[counter]\nwager = \"1.00\"",
        "[counter]\nwager = \"1,00\"",
        "money_malformed",
        "counter.wager",
        1,
    ),
    (
        "[counter]\nwager = \"1.00\"",
        "[counter]",
        "key_missing",
        "counter.wager",
        0,
    ),
    (
        "[counter]\nwager = \"1.00\"",
        "[counter]\nwager = \"1.00\"\nodds = 3",
        "key_unknown",
        "counter.odds",
        2,
    ),
    (
        "spots = 3\nwager = \"1.00\"",
        "spots = 3\nwager = \"0.75\"",
        "counter_wager_refused",
        "counter.express[0].wager",
        1,
    ),
    (
        "spots = 4\nwager = \"1.00\"",
        "spots = 11\nwager = \"1.00\"",
        "express_spots_refused",
        "counter.express[1].spots",
        0,
    ),
    (
        "spots = 4\nwager = \"1.00\"",
        "spots = 0\nwager = \"1.00\"",
        "express_spots_refused",
        "counter.express[1].spots",
        0,
    ),
    (
        "spots = 4\nwager = \"1.00\"",
        "spots = 256\nwager = \"1.00\"",
        "number_out_of_range",
        "counter.express[1].spots",
        0,
    ),
    (
        "spots = 10\nwager = \"5.00\"",
        "spots = 10\nwager = \"5.00\"\ngame = \"super\"",
        "express_game_unknown",
        "counter.express[7].game",
        2,
    ),
    (
        "spots = 10\nwager = \"5.00\"",
        "spots = 10\nwager = \"5.00\"\ngame = 7",
        "type_wrong",
        "counter.express[7].game",
        2,
    ),
    (
        "spots = 10\nwager = \"5.00\"",
        "spots = 10\nwager = \"5.00\"\n[[counter.express]]\nspots = 1\nwager = \"1.00\"",
        "express_too_many",
        "counter.express[8]",
        2,
    ),
    // Every rule about rules that a file can break.
    (
        "\nversion = 1",
        "\nversion = 0",
        "version_zero",
        "version",
        0,
    ),
    (
        "per_draw = \"50000.00\"\nfull_below = \"1000.00\"",
        "per_draw = \"0.00\"\nfull_below = \"0.00\"",
        "cap_not_positive",
        "cap.per_draw",
        0,
    ),
    (
        "full_below = \"1000.00\"",
        "full_below = \"50000.01\"",
        "cap_threshold_out_of_range",
        "cap.full_below",
        0,
    ),
    (
        "ways = 2000",
        "ways = 2001",
        "limit_out_of_range",
        "limits.ways",
        0,
    ),
    (
        "draws_ahead = 100",
        "draws_ahead = 100\nliability = \"0.00\"",
        "liability_not_positive",
        "limits.liability",
        1,
    ),
    (
        "federal_report = \"10000.00\"",
        "federal_report = \"10000.00\"\nsecond_computation = 0",
        "second_computation_out_of_range",
        "payout.second_computation",
        1,
    ),
    (
        "[\"cash\", \"coupon\", \"chip\"]",
        "[]",
        "tenders_missing",
        "tenders.accepted",
        0,
    ),
    (
        "\"coupon\"",
        "\"cash\"",
        "tender_repeated",
        "tenders.accepted[1]",
        0,
    ),
    (
        "type_total = \"100.00\"",
        "type_total = \"24.99\"",
        "confirm_out_of_range",
        "confirm.type_total",
        0,
    ),
    (
        "cage = \"5000.00\"",
        "cage = \"0.00\"",
        "payout_out_of_range",
        "payout.cage",
        0,
    ),
    (
        "\"10000.00\"",
        "\"10000.01\"",
        "federal_report_raised",
        "payout.federal_report",
        0,
    ),
    ("days = 365", "days = 0", "claim_days_zero", "claim.days", 0),
    (
        "copies = 4",
        "copies = 9",
        "limit_out_of_range",
        "limits.copies",
        0,
    ),
    (
        "wait_hours = 24",
        "wait_hours = 0",
        "damaged_out_of_range",
        "damaged.wait_hours",
        0,
    ),
    (
        "answer_days = 30",
        "answer_days = 0",
        "damaged_out_of_range",
        "damaged.answer_days",
        0,
    ),
    (
        "\"Gaming management\"",
        "\"\"",
        "text_missing",
        "damaged.complaints.en",
        0,
    ),
    ("\"Main cage\"", "\" \"", "text_missing", "claim.cage.en", 0),
    (
        "\"Demonstration rule book\"",
        "\"\"",
        "text_missing",
        "name.en",
        0,
    ),
    (
        "\"Keno counters\"",
        "\"Keno\\u001Bcounters\"",
        "text_malformed",
        "claim.place.en",
        0,
    ),
    (
        "\"Keno counter and kiosk\"",
        "\"a\\nb\"",
        "text_malformed",
        "texts.rules_place.en",
        0,
    ),
    (
        "code = \"keno\"",
        "code = \"Keno\"",
        "game_code_malformed",
        "game[0].code",
        0,
    ),
    (
        "way = { min = 1, max = 10 }",
        "way = { min = 0, max = 10 }",
        "spots_out_of_range",
        "game[0].way",
        0,
    ),
    (
        "straight = { min = 1, max = 10 }",
        "straight = { min = 1, max = 11 }",
        "table_missing",
        "game[0].straight",
        0,
    ),
    (
        "[game.pays]",
        "[game.pays]\n75 = { 20 = \"1\" }",
        "return_below_floor",
        "game[0].pays.75",
        1,
    ),
    (
        "step = \"0.50\"",
        "step = \"0\"",
        "wager_not_positive",
        "game[0].wager.step",
        0,
    ),
    (
        "\nmin = \"0.50\"",
        "\nmin = \"0.75\"",
        "wager_off_step",
        "game[0].wager.min",
        0,
    ),
    (
        "step = \"0.50\"\nmin = \"0.50\"\nmax = \"20.00\"",
        "step = \"0.50\"\nmin = \"20.00\"\nmax = \"0.50\"",
        "wager_reversed",
        "game[0].wager.max",
        2,
    ),
    (
        "same_numbers = \"20.00\"",
        "same_numbers = \"19.50\"",
        "same_numbers_below_maximum",
        "game[0].wager.same_numbers",
        0,
    ),
    (
        "4 = \"20\", 5 = \"450\"",
        "4 = \"18\", 5 = \"410\"",
        "return_below_floor",
        "game[0].pays.5",
        0,
    ),
];

#[test]
fn every_planted_fault_is_found_at_its_line() {
    for (passage, replacement, name, place, below) in PLANTED {
        let (text, start) = planted(passage, replacement);
        let line = match *below {
            // What is absent altogether is missing from the file.
            usize::MAX => 1,
            // The pair of numbers is judged at its table.
            below if below == usize::MAX - 1 => start - 2,
            below => start + below,
        };
        let found = faults(&text);
        let shown: Vec<String> = found.iter().map(Say::en).collect();
        assert_eq!(found.len(), 1, "{replacement:?}: {shown:#?}");
        let fault = &found[0];
        assert_eq!(
            (fault.kind.name(), fault.place.as_str(), fault.line),
            (*name, *place, line),
            "{shown:#?}"
        );
        assert!(fault.fr().starts_with(&format!("ligne {line} : ")));
        assert!(fault.en().starts_with(&format!("line {line}: ")));
        assert!(fault.fr().ends_with('.') && fault.en().ends_with('.'));
    }
}

#[test]
fn faults_of_form_and_of_rule_are_reported_together_by_line() {
    let (text, days) = planted("days = 365", "days = 0");
    let (text, cage) = planted_in(&text, "cage = \"5000.00\"", "cage = \"5000.005\"");
    let (text, unknown) = planted_in(&text, "king_alone = true", "king_alone = true\nqueen = 1");
    let found: Vec<(usize, &str)> = faults(&text)
        .iter()
        .map(|fault| (fault.line, fault.kind.name()))
        .collect();
    assert_eq!(
        found,
        [
            (cage, "money_malformed"),
            (days, "claim_days_zero"),
            (unknown + 1, "key_unknown"),
        ]
    );
}

#[test]
fn two_tables_below_the_floor_are_both_reported_with_an_unknown_key() {
    let (text, five) = planted("5 = \"450\"", "5 = \"300\"");
    let (text, six) = planted_in(&text, "6 = \"1600\"", "6 = \"1\"");
    let text = format!("{text}\n[game.note]\nx = 1\n");
    let found: Vec<(usize, &str)> = faults(&text)
        .iter()
        .map(|fault| (fault.line, fault.kind.name()))
        .collect();
    assert_eq!(
        found[..2],
        [(five, "return_below_floor"), (six, "return_below_floor")]
    );
    assert_eq!((found[2].1, found.len()), ("key_unknown", 3));
}

/// The five spots that a lottery plays elsewhere: 65.00 % rounded, and yet below 65 %.
#[test]
fn a_return_below_the_floor_is_named_with_its_exact_fraction() {
    let (text, line) = planted("4 = \"20\", 5 = \"450\"", "4 = \"18\", 5 = \"410\"");
    let found = faults(&text);
    assert_eq!(
        found[0].fr(),
        format!(
            "ligne {line} : game[0].pays.5 : jeu keno, 5 numéros, billet de 1 × 0,50\u{a0}$ sur les \
             mêmes numéros : le retour est 1335/2054 (64,995131 %), sous 65 % (art. 85)."
        )
    );
    assert_eq!(
        found[0].en(),
        format!(
            "line {line}: game[0].pays.5: game keno, 5 spots, a ticket of 1 × $0.50 on the same \
             numbers: the return is 1335/2054 (64.995131 %), below 65 % (s. 85)."
        )
    );
}

/// A cap that is too low for the prizes lowers returns: the same tables are refused.
#[test]
fn the_cap_is_part_of_the_return() {
    let (text, _) = planted("\"50000.00\"", "\"2000.00\"");
    let found = faults(&text);
    assert!(!found.is_empty());
    for fault in found {
        assert_eq!(
            fault.kind,
            RuleBookFaultKind::Rule(RuleFaultCode::ReturnBelowFloor)
        );
    }
}

#[test]
fn a_second_game_keeps_its_own_lines() {
    let start = DEMONSTRATION.find("[[game]]").unwrap();
    let first_line_of_second = DEMONSTRATION.lines().count() + 2;
    let twice = format!("{DEMONSTRATION}\n{}", &DEMONSTRATION[start..]);
    let found = faults(&twice);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind.name(), "game_code_repeated");
    assert_eq!(found[0].place, "game[1].code");
    assert_eq!(found[0].line, first_line_of_second + 1);
    let renamed = twice.replacen("code = \"keno\"", "code = \"special\"", 1);
    assert_eq!(read_whole(&renamed).rules.games.len(), 2);
}

#[test]
fn a_book_without_games_or_types_is_refused() {
    let start = DEMONSTRATION.find("[[game]]").unwrap();
    let found = faults(&DEMONSTRATION[..start]);
    assert_eq!((found.len(), found[0].kind.name()), (1, "games_missing"));
    let (text, line) = planted(
        "straight = { min = 1, max = 10 }\nway = { min = 1, max = 10 }\nking = { min = 1, max = 10 }\n",
        "",
    );
    let found = faults(&text);
    assert_eq!((found.len(), found[0].kind.name()), (1, "types_missing"));
    assert_eq!(
        (found[0].place.as_str(), found[0].line),
        ("game[0]", line - 4)
    );
}

#[test]
fn money_may_leave_out_decimals_but_not_add_any() {
    for (text, cents) in [
        ("50000", 5_000_000),
        ("50000.0", 5_000_000),
        ("50000.01", 5_000_001),
    ] {
        let (text, _) = planted("\"50000.00\"", &format!("\"{text}\""));
        assert_eq!(read_whole(&text).rules.cap, Cents::new(cents));
    }
    for text in [
        "",
        ".",
        "50000.",
        ".5",
        "+1",
        "1e3",
        "050.00",
        "1.000",
        "50 000",
        "99999999999999999999",
    ] {
        let (text, _) = planted("\"50000.00\"", &format!("\"{text}\""));
        assert_eq!(faults(&text)[0].kind, RuleBookFaultKind::MoneyMalformed);
    }
}

#[test]
fn line_ends_of_another_system_change_no_line() {
    let (text, line) = planted("days = 365", "days = 0");
    let found = faults(&text.replace('\n', "\r\n"));
    assert_eq!(
        (found[0].kind.name(), found[0].line),
        ("claim_days_zero", line)
    );
}

/// An empty text lacks everything, and says so for each table once.
#[test]
fn an_empty_text_lacks_every_table() {
    let places: Vec<String> = faults("").into_iter().map(|fault| fault.place).collect();
    assert_eq!(
        places,
        [
            "format",
            "version",
            "pool",
            "cap",
            "limits",
            "confirm",
            "payout",
            "claim",
            "damaged",
            "tenders",
            "name",
            "texts",
            "interrupted",
            "game",
        ]
    );
}

/// No text makes the reader panic, and what isn't read whole has a fault on a line that exists.
#[test]
fn a_mangled_text_is_refused_and_never_breaks_the_reader() {
    let characters: Vec<char> = DEMONSTRATION.chars().collect();
    let marks = ['"', '[', ']', '{', '}', '=', '.', '\n', '\\', '0', '-', 'é'];
    // A fixed walk over positions: primes, so that every kind of place is hit.
    for step in 0..400 {
        let position = step * 7_919 % characters.len();
        let mut mangled = characters.clone();
        match step % 3 {
            0 => drop(mangled.remove(position)),
            1 => mangled.insert(position, marks[step % marks.len()]),
            _ => mangled.truncate(position),
        }
        let text: String = mangled.into_iter().collect();
        if let Err(found) = read(&text) {
            assert!(!found.is_empty(), "refused without a fault: {text}");
            let last = text.lines().count().max(1);
            assert!(found.iter().all(|fault| (1..=last).contains(&fault.line)));
            assert!(found.is_sorted_by_key(|fault| fault.line));
        }
    }
}

#[test]
fn names_are_stable_words_and_differ() {
    let mut names: Vec<&str> = RuleBookFaultKind::all()
        .map(RuleBookFaultKind::name)
        .collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for name in names {
        assert!(
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{name}"
        );
    }
}

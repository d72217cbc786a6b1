//! The house of the demonstration is read, and every planted fault is found at its line.

use keno_words::Say;

use super::*;

mod hosts;

fn faults(text: &str) -> Vec<HouseFault> {
    HouseFile::read(text).expect_err("the text should have a fault")
}

fn planted(passage: &str, replacement: &str) -> (String, usize) {
    assert_eq!(
        DEMONSTRATION.matches(passage).count(),
        1,
        "{passage:?} must be there once"
    );
    let offset = DEMONSTRATION.find(passage).unwrap();
    let line = DEMONSTRATION[..offset].matches('\n').count() + 1;
    (DEMONSTRATION.replacen(passage, replacement, 1), line)
}

#[test]
fn the_demonstration_is_read_whole() {
    let house = HouseFile::read(&HouseFile::demonstration()).unwrap();
    assert_eq!(house.code, "demo");
    assert_eq!(house.name, "Casino de démonstration");
    assert_eq!(house.zone, "America/Toronto");
    assert_eq!(house.every_minutes, 2);
    assert_eq!(house.first, NaiveTime::MIN);
    assert_eq!(house.last, NaiveTime::from_hms_opt(23, 58, 0).unwrap());
    assert_eq!(house.close_before_seconds, 10);
    assert_eq!(house.ball_interval_ms, 2_000);
    assert_eq!(house.saleable_draws, 40);
    assert_eq!(house.start_lead_ms, 1_500);
    let holders: Vec<(&str, &Path)> = house
        .holders
        .iter()
        .map(|holder| (holder.name(), holder.folder().unwrap()))
        .collect();
    assert_eq!(
        holders,
        [
            ("machine", Path::new("machine")),
            ("audit", Path::new("audit-office"))
        ]
    );
    assert_eq!(house.sale_queue, 2_048);
    assert_eq!(house.unknown_numbers_per_minute, 5);
    assert_eq!(house.listen, "127.0.0.1:8480".parse().unwrap());
    assert_eq!(house.database_url, "keno.sqlite");
    assert!(house.database_is_a_file());
    assert_eq!(house.anchors_file, Path::new("anchors.log"));
    assert!(house.anchors_extra.is_empty());
    assert_eq!(house.alarm_command, None);
    assert_eq!((house.keys_file, house.agents_minimum), (None, None));
}

#[test]
fn what_is_optional_is_read_when_it_is_there() {
    let (text, _) = planted(
        "extra = []",
        "extra = [\"/mnt/b/anchors.log\"]\n[alarms]\ncommand = \"beep\"\n\
         [keys]\nfile = \"credential:central_keys\"\n[agents]\nminimum = \"1.4.2\"\n[wall]\n\
         cash_high_cents = 100000",
    );
    let text = text
        .replace(
            "\"keno.sqlite\"",
            "\"postgres://keno:swordfish@localhost/keno\"",
        )
        .replace("127.0.0.1:8480", "[::1]:0");
    let house = HouseFile::read(&text).unwrap();
    assert_eq!(house.anchors_extra, [PathBuf::from("/mnt/b/anchors.log")]);
    assert_eq!(house.alarm_command.as_deref(), Some("beep"));
    assert_eq!(
        house.keys_file.as_deref(),
        Some(Path::new("credential:central_keys"))
    );
    assert_eq!(house.agents_minimum.as_deref(), Some("1.4.2"));
    assert_eq!(
        (house.cash.low_cents, house.cash.high_cents),
        (10_000, 100_000)
    );
    assert!(!house.database_is_a_file());
    assert!(!format!("{house:?}").contains("swordfish"));
}

/// A passage, what replaces it, the name of the fault, its place, and how many lines below.
type Planted = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    usize,
);

const PLANTED: &[Planted] = &[
    ("format = 1", "format = 3", "format_unknown", "format", 0),
    ("[listen]", "[listen", "toml_malformed", "", 0),
    ("[limits]", "[listen]", "key_repeated", "", 4),
    (
        "extra = []",
        "extra = []\nmore = 1",
        "key_unknown",
        "anchors.more",
        1,
    ),
    (
        "ball_interval_ms = 2000",
        "",
        "key_missing",
        "schedule.ball_interval_ms",
        usize::MAX,
    ),
    (
        "extra = []",
        "extra = \"b.log\"",
        "type_wrong",
        "anchors.extra",
        0,
    ),
    (
        "fewest = 4",
        "fewest = 1",
        "number_out_of_range",
        "staff.fewest",
        0,
    ),
    ("fewest = 4", "cards = 1", "type_wrong", "staff.cards", 0),
    (
        "sale_queue = 2048",
        "sale_queue = \"2048\"",
        "type_wrong",
        "limits.sale_queue",
        0,
    ),
    (
        "every_minutes = 2",
        "every_minutes = 61",
        "number_out_of_range",
        "schedule.every_minutes",
        0,
    ),
    (
        "every_minutes = 2",
        "every_minutes = 0",
        "number_out_of_range",
        "schedule.every_minutes",
        0,
    ),
    (
        "close_before_seconds = 10",
        "close_before_seconds = 4",
        "number_out_of_range",
        "schedule.close_before_seconds",
        0,
    ),
    (
        "ball_interval_ms = 2000",
        "ball_interval_ms = 499",
        "number_out_of_range",
        "schedule.ball_interval_ms",
        0,
    ),
    (
        "saleable_draws = 40",
        "saleable_draws = 0",
        "number_out_of_range",
        "schedule.saleable_draws",
        0,
    ),
    (
        "unknown_numbers_per_minute = 5",
        "unknown_numbers_per_minute = 0",
        "number_out_of_range",
        "limits.unknown_numbers_per_minute",
        0,
    ),
    ("\"demo\"", "\"Demo\"", "code_malformed", "house.code", 0),
    (
        "\"demo\"",
        "\"a-code-of-17-sign\"",
        "code_malformed",
        "house.code",
        0,
    ),
    (
        "name = \"audit\"",
        "name = \"\"",
        "code_malformed",
        "holder[1].name",
        0,
    ),
    (
        "\"Casino de démonstration\"",
        "\" \"",
        "text_malformed",
        "house.name",
        0,
    ),
    (
        "\"anchors.log\"",
        "\"anchors\\n.log\"",
        "text_malformed",
        "anchors.file",
        0,
    ),
    (
        "America/Toronto",
        "America/Montmagny",
        "zone_unknown",
        "house.zone",
        0,
    ),
    (
        "\"00:00\"",
        "\"0:00\"",
        "time_malformed",
        "schedule.first",
        0,
    ),
    (
        "\"23:58\"",
        "\"24:00\"",
        "time_malformed",
        "schedule.last",
        0,
    ),
    (
        "\"00:00\"",
        "\"23:59\"",
        "schedule_reversed",
        "schedule.last",
        1,
    ),
    (
        "ball_interval_ms = 2000",
        "ball_interval_ms = 6000",
        "draws_overlap",
        "schedule.ball_interval_ms",
        0,
    ),
    (
        "start_lead_ms = 1500",
        "start_lead_ms = 10000",
        "lead_beyond_close",
        "schedule.start_lead_ms",
        0,
    ),
    (
        "name = \"audit\"",
        "name = \"machine\"",
        "holder_repeated",
        "holder[1].name",
        0,
    ),
    (
        "\"audit-office\"",
        "\"./machine/\"",
        "folder_repeated",
        "holder[1].folder",
        0,
    ),
    (
        "127.0.0.1:8480",
        "127.0.0.1",
        "address_malformed",
        "listen.address",
        0,
    ),
    (
        "127.0.0.1:8480",
        "0.0.0.0:8480",
        "address_not_loopback",
        "listen.address",
        0,
    ),
    (
        "\"keno.sqlite\"",
        "\"mysql://keno:swordfish@a/b\"",
        "database_unknown",
        "database.url",
        0,
    ),
    (
        "extra = []",
        "extra = [\"b.log\",\n\"anchors.log\"]",
        "anchor_repeated",
        "anchors.extra[1]",
        1,
    ),
    (
        "extra = []",
        "extra = []\n[agents]\nminimum = \"1.04.2\"",
        "version_malformed",
        "agents.minimum",
        2,
    ),
    (
        "extra = []",
        "extra = []\n[wall]\ncash_low_cents = 500\ncash_high_cents = 500",
        "cash_bands_reversed",
        "wall.cash_high_cents",
        3,
    ),
    (
        "extra = []",
        "extra = []\n[wall]\ncash_low_cents = -1",
        "number_out_of_range",
        "wall.cash_low_cents",
        2,
    ),
    (
        "extra = []",
        "extra = []\n[keys]\nfile = \" \"",
        "text_malformed",
        "keys.file",
        2,
    ),
];

#[test]
fn every_planted_fault_is_found_at_its_line() {
    for (passage, replacement, name, place, below) in PLANTED {
        let (text, start) = planted(passage, replacement);
        let line = if *below == usize::MAX {
            text[..text.find("[schedule]").unwrap()]
                .matches('\n')
                .count()
                + 1
        } else {
            start + below
        };
        let found = faults(&text);
        let shown: Vec<String> = found.iter().map(Say::en).collect();
        assert_eq!(found.len(), 1, "{replacement:?}: {shown:#?}");
        assert_eq!(
            (found[0].kind.name(), found[0].place.as_str(), found[0].line),
            (*name, *place, line),
            "{shown:#?}"
        );
        for sentence in [found[0].fr(), found[0].en()] {
            assert!(sentence.ends_with('.') && !sentence.contains("swordfish"));
        }
    }
}

#[test]
fn holders_are_one_to_four() {
    let start = DEMONSTRATION.find("[[holder]]").unwrap();
    let end = DEMONSTRATION.find("[limits]").unwrap();
    let of = |count: usize| {
        let holders: String = (0..count)
            .map(|index| format!("[[holder]]\nname = \"h{index}\"\nfolder = \"f{index}\"\n"))
            .collect();
        format!(
            "{}{holders}{}",
            &DEMONSTRATION[..start],
            &DEMONSTRATION[end..]
        )
    };
    for count in 1..=4 {
        assert_eq!(HouseFile::read(&of(count)).unwrap().holders.len(), count);
    }
    for count in [0, 5] {
        let found = faults(&of(count));
        assert_eq!(
            (found.len(), found[0].kind),
            (1, HouseFaultKind::HoldersOutOfRange)
        );
    }
}

#[test]
fn two_faults_are_both_reported_by_line() {
    let (text, zone) = planted("America/Toronto", "Mars/Phobos");
    let text = text.replace("127.0.0.1:8480", "10.0.0.1:8480");
    let found = faults(&text);
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[0].kind, found[0].line),
        (HouseFaultKind::ZoneUnknown, zone)
    );
    assert_eq!(found[1].kind, HouseFaultKind::AddressNotLoopback);
    assert!(found[0].line < found[1].line);
}

#[test]
fn as_many_draws_are_open_as_a_ticket_carries() {
    let rules = keno_book::rules_file::read(include_str!(
        "../../../../../samples/rules/demonstration.toml"
    ))
    .unwrap()
    .rules;
    assert!(HouseFile::read_for(DEMONSTRATION, &rules).is_ok());
    let (text, line) = planted("saleable_draws = 40", "saleable_draws = 19");
    assert!(HouseFile::read(&text).is_ok());
    let found = HouseFile::read_for(&text, &rules).expect_err("20 draws on a ticket");
    assert_eq!(
        (found[0].kind, found[0].line),
        (HouseFaultKind::SaleableBelowTicket, line)
    );
}

#[test]
fn what_is_wrong_with_an_address_is_said_in_english_as_the_fault_says_it() {
    let faults = [
        "postgres://keno@/keno?sslmode",
        "postgres://keno@/keno?sslmode=require",
        "postgres://keno@/keno?service=x",
        "postgres://keno@/keno?port=1&port=2",
        "postgres://keno@10.1.2.3/keno",
    ]
    .map(|text| PostgresAddress::parse(text).unwrap_err());
    let environment = AddressFault::Environment("PGHOST".to_owned());
    for fault in faults.iter().chain([&environment]) {
        let words = address_words(fault);
        assert_eq!(words.en, fault.to_string());
        assert_ne!(words.fr, words.en);
    }
}

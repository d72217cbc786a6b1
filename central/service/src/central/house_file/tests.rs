//! The house of the demonstration is read, and every planted fault is found at its line.

use keno_draw_machine::ball_link::BallPlace;
use keno_words::Say;

use super::*;

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

/// The demonstration with another holder `audit`, and a machine on a host if one is given.
fn with_hosts(holder: &str, machine: &str) -> String {
    let text = DEMONSTRATION.replacen("folder = \"audit-office\"", holder, 1);
    format!("{text}\n{machine}")
}

fn key(name: &str, seed: u8) -> String {
    let key = keno_log::checkpoint::SigningKey::from_seed(name, &[seed; 32]).unwrap();
    key.verifying_key().to_string()
}

/// As witnesses publish theirs (C2SP tlog-cosignature).
fn cosigner(name: &str, seed: u8) -> String {
    use base64::Engine as _;
    let key = keno_log::checkpoint::SigningKey::from_seed(name, &[seed; 32]).unwrap();
    let public = [&[4], &key.verifying_key().to_bytes()[..]].concat();
    let id = keno_log::hash::sha256(&[name.as_bytes(), b"\n", &public].concat());
    let public = base64::engine::general_purpose::STANDARD.encode(&public);
    format!("{name}+{}+{public}", hex::encode(&id[..4]))
}

#[test]
fn witnesses_and_a_ball_machine_are_read() {
    let all = DEMONSTRATION;
    let house_of = |text: &str| HouseFile::read(text).unwrap();
    let witness = |key: &str| format!("[[witness]]\nkey = \"{key}\"\n");
    let four = key("four", 4);
    let follows = format!("{all}[follower]\naddress = \"audit:8493\"\nkey = \"{four}\"\n");
    assert!(house_of(all).witnesses.is_empty() && house_of(all).ball_machine.is_none());
    let seen = [
        &follows,
        &witness(&key("five", 5)),
        &witness(&cosigner("six", 6)),
    ];
    let seen = house_of(&seen.map(String::as_str).concat()).witnesses;
    let keys: Vec<String> = seen.iter().map(ToString::to_string).collect();
    assert_eq!(keys, [key("five", 5), key("six", 6)]);
    let wire = "[ball_machine]\nname = \"k-1\"\naddress = \"10.0.4.20:7001\"\n";
    let place = house_of(&format!("{all}{wire}"))
        .ball_machine
        .unwrap()
        .place;
    assert_eq!(place, BallPlace::Network("10.0.4.20:7001".to_owned()));
    let wire = "[ball_machine]\nname = \"k-1\"\ndevice = \"/dev/ttyUSB0\"\nbauds = 9600\n";
    let place = house_of(&format!("{all}{wire}"))
        .ball_machine
        .unwrap()
        .place;
    assert_eq!(place, BallPlace::Serial("/dev/ttyUSB0".into(), 9_600));
    for (text, kind, place) in [
        // A witness is nobody of the house, and nobody twice, by key or by name.
        (
            format!("{follows}{}", witness(&key("four", 7))),
            "folder_repeated",
            "witness[0].key",
        ),
        (
            format!("{follows}{}", witness(&key("seven", 4))),
            "folder_repeated",
            "witness[0].key",
        ),
        (
            format!("{all}{}", witness(&key("boulier/maison", 7))),
            "folder_repeated",
            "witness[0].key",
        ),
        (
            format!("{all}{0}{0}", witness(&key("seven", 7))),
            "folder_repeated",
            "witness[1].key",
        ),
        (
            format!("{all}{}", witness(&key("se\u{202e}ven", 7))),
            "host_malformed",
            "witness[0].key",
        ),
        (
            format!(
                "{all}[ball_machine]\nname = \"k-1\"\naddress = \"x:1\"\ndevice = \"/dev/x\"\nbauds = 9600\n"
            ),
            "host_malformed",
            "ball_machine.device",
        ),
        (
            format!("{all}[ball_machine]\nname = \"k-1\"\ndevice = \"/dev/x\"\n"),
            "key_missing",
            "ball_machine.bauds",
        ),
        (
            format!("{all}[ball_machine]\nname = \"k-1\"\naddress = \"x\"\n"),
            "host_malformed",
            "ball_machine.address",
        ),
    ] {
        let found = faults(&text);
        let found = (found[0].kind.name(), found[0].place.as_str());
        assert_eq!(found, (kind, place), "{text}");
    }
}

#[test]
fn a_holder_is_in_a_folder_or_on_a_host_and_the_machine_asks_for_hosts() {
    let (one, other, room) = (key("one", 1), key("other", 2), key("room", 3));
    let host = |key: &str| format!("address = \"audit:8490\"\nkey = \"{key}\"");
    let machine = format!("[machine]\naddress = \"[::1]:8490\"\nkey = \"{room}\"\n");

    // A holder on a host beside one within central; the machine is within central too.
    let house = HouseFile::read(&with_hosts(&host(&one), "")).unwrap();
    assert_eq!(house.machine, None);
    assert_eq!(house.holders[1].host().unwrap().key.to_string(), one);
    assert_eq!(house.holders[1].folder(), None);

    let all = with_hosts(&host(&one), &machine);
    let all = all.replacen("folder = \"machine\"", &host(&other), 1);
    let house = HouseFile::read(&all).unwrap();
    assert_eq!(house.machine.unwrap().address, "[::1]:8490");
    assert!(house.holders.iter().all(|holder| holder.host().is_some()));

    assert_eq!(house.follower, None);
    let follows = format!("{all}[follower]\n{}\n", host(&key("four", 4)));
    let house = HouseFile::read(&follows).unwrap();
    assert_eq!(house.follower.unwrap().key.to_string(), key("four", 4));

    let folder_too = format!("folder = \"x\"\n{}", host(&one));
    for (text, kind, place) in [
        (
            with_hosts(&folder_too, ""),
            "host_malformed",
            "holder[1].folder",
        ),
        (
            with_hosts(&host(&one).replace("audit:8490", "audit"), ""),
            "host_malformed",
            "holder[1].address",
        ),
        (
            with_hosts(&host(&one).replace("8490", "0"), ""),
            "host_malformed",
            "holder[1].address",
        ),
        (
            // One sign of the key is mistyped: its own digits say so.
            with_hosts(&host(&one.replacen("one+", "one+0", 1)), ""),
            "host_malformed",
            "holder[1].key",
        ),
        (
            with_hosts("address = \"audit:8490\"", ""),
            "key_missing",
            "holder[1].key",
        ),
        (
            with_hosts(&format!("key = \"{one}\""), ""),
            "key_missing",
            "holder[1].address",
        ),
        (
            all.replace(&other, &one),
            "folder_repeated",
            "holder[1].key",
        ),
        // The machine's key under a holder's name.
        (
            all.replace(&other, &key("other", 3)),
            "folder_repeated",
            "machine.key",
        ),
        // Whoever follows the log is nobody else.
        (
            format!("{all}[follower]\n{}\n", host(&one)),
            "folder_repeated",
            "follower.key",
        ),
        (
            format!("{all}[follower]\n{}\n", host(&room)),
            "folder_repeated",
            "follower.key",
        ),
        (
            format!("{all}[follower]\nkey = \"{}\"\n", key("four", 4)),
            "key_missing",
            "follower.address",
        ),
        (
            with_hosts(&host(&one), &machine),
            "holder_within",
            "holder[0].folder",
        ),
    ] {
        let found = faults(&text);
        let said: Vec<(&str, &str)> = found
            .iter()
            .map(|fault| (fault.kind.name(), fault.place.as_str()))
            .collect();
        assert_eq!(said, [(kind, place)]);
    }
}

#[test]
fn a_public_beacon_is_one_more_holder_and_never_the_only_one() {
    let vectors = include_str!("../../../../../schema/log/vectors/quicknet.txt");
    let quicknet = vectors.lines().find(|line| !line.starts_with('#')).unwrap();
    let relays = "relays = [\"http://relay:8080/public\", \"http://10.0.0.9/quicknet/\"]";
    let beacon = format!("beacon = \"{quicknet}\"\n{relays}");
    let house = HouseFile::read(&with_hosts(&beacon, "")).unwrap();
    let place = house.holders[1].beacon().unwrap();
    assert_eq!(place.beacon.to_string(), quicknet);
    assert_eq!(
        place.relays,
        ["http://relay:8080/public", "http://10.0.0.9/quicknet"]
    );
    assert_eq!(
        (house.holders[1].folder(), house.holders[1].host()),
        (None, None)
    );

    // Beside a machine on a host of its own, the others are on hosts of theirs.
    let (one, room) = (key("one", 1), key("room", 3));
    let host = |key: &str| format!("address = \"audit:8490\"\nkey = \"{key}\"");
    let machine = format!("[machine]\n{}\n", host(&room));
    let all = with_hosts(&beacon, &machine).replacen("folder = \"machine\"", &host(&one), 1);
    assert!(HouseFile::read(&all).is_ok());

    let with = |from: &str, to: &str| with_hosts(&beacon.replacen(from, to, 1), "");
    for (text, kind, place) in [
        (
            with("quicknet 1", "quick net 1"),
            "host_malformed",
            "holder[1].beacon",
        ),
        (with("83cf", "83ce"), "host_malformed", "holder[1].beacon"),
        (
            with("http://relay", "https://relay"),
            "host_malformed",
            "holder[1].relays[0]",
        ),
        (
            with("http://10", "http:// 10"),
            "host_malformed",
            "holder[1].relays[1]",
        ),
        (
            with(relays, "relays = []"),
            "host_malformed",
            "holder[1].relays",
        ),
        (
            with(relays, &format!("relays = [{}]", "\"http://a\",".repeat(4))),
            "host_malformed",
            "holder[1].relays",
        ),
        (with(relays, ""), "key_missing", "holder[1].relays"),
        (with_hosts(relays, ""), "key_missing", "holder[1].beacon"),
        (
            with_hosts(&format!("folder = \"x\"\n{beacon}"), ""),
            "host_malformed",
            "holder[1].folder",
        ),
        (
            with("relays", &format!("{}\nrelays", host(&one))),
            "host_malformed",
            "holder[1].address",
        ),
        (
            with_hosts(
                &format!("{beacon}\n[[holder]]\nname = \"third\"\n{beacon}"),
                "",
            ),
            "folder_repeated",
            "holder[2].beacon",
        ),
        (
            DEMONSTRATION
                .replacen(
                    "[[holder]]\nname = \"audit\"\nfolder = \"audit-office\"",
                    "",
                    1,
                )
                .replacen("folder = \"machine\"", &beacon, 1),
            "beacon_alone",
            "holder",
        ),
    ] {
        let found = faults(&text);
        let found = (found[0].kind.name(), found[0].place.as_str());
        assert_eq!(found, (kind, place), "{text}");
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

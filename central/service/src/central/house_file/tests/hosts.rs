//! Who holds the secrets, draws, follows and witnesses: within central, on hosts, or a public beacon.

use keno_draw_machine::ball_link::BallPlace;
use keno_log::beacon::QUICKNET;

use super::*;

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
    let quicknet = QUICKNET;
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

//! Somebody who follows the log: what is said, signed and opened as it may not be, and payments that do
//! not wait. The verifier in Python judges the same logs, and must say the same.

mod lawful;

use super::*;
use crate::support::follower::{
    BEGAN, MINUTES, beginning, begun, finished_at, followed, followed_by, key_text, line, opened,
    play, rules, said, said_since,
};
use crate::support::payment;
use crate::support::scenario::person;
use lawful::{LAWFUL, LAWFUL_OF_TWO, OF_ANOTHER_ORIGIN};

/// A draw that nobody announced.
const NOWHERE: u64 = 99;

/// A fault in the fields of what stands at a label.
macro_rules! of {
    ($name:literal, $label:literal, $kind:ident, $it:ident => $change:expr) => {
        ($name, $label, alter!($kind, $it => $change), $label, 0)
    };
}

/// A fault in the first of some facts, which are put before what stands at a label.
macro_rules! told {
    ($name:literal, $label:literal, $log:pat => $facts:expr) => {
        (
            $name,
            $label,
            |events, $log| before(events, Vec::from($facts)),
            $label,
            0,
        )
    };
}

/// A fault in a fact that is put behind what stands at a label.
macro_rules! then {
    ($name:literal, $label:literal, $log:pat => $fact:expr) => {
        (
            $name,
            $label,
            |events, $log| events.push($fact.into()),
            $label,
            1,
        )
    };
}

/// Something else is signed when somebody begins.
macro_rules! begins {
    ($text:ident => $other:expr) => {
        of!("follower_wrong", "begin", FollowerBegan, it => {
            let $text = beginning(&it.began);
            let other: String = $other;
            assert_ne!(other, $text);
            it.signature = line(0, &other);
        })
    };
    ($at:expr, $line:ident => $other:expr) => {
        begins!(text => with_line(&text, $at, |$line| $other))
    };
}

/// Something else is signed of a draw; by the first key where it agrees, by the second where it
/// differs.
macro_rules! says {
    ($label:literal, $key:literal, $draw:literal, $right:literal, $text:ident => $other:expr) => {
        (
            "followed_wrong",
            $label,
            |events, log| {
                let $text = said(log, $draw, $right);
                let other: String = $other;
                assert_ne!(other, $text);
                put_line(events, line($key, &other));
            },
            $label,
            0,
        )
    };
    ($label:literal, $key:literal, $draw:literal, $right:literal, $at:expr, $line:ident => $other:expr) => {
        says!($label, $key, $draw, $right, text => with_line(&text, $at, |$line| $other))
    };
}

/// What agrees with draw 5.
macro_rules! agrees {
    ($at:expr, $line:ident => $other:expr) => {
        says!("agree 5", 0, 5, "agrees", $at, $line => $other)
    };
}

/// What says that draw 3 differs.
macro_rules! differs {
    ($at:expr, $line:ident => $other:expr) => {
        says!("differ 3", 1, 3, "differs void_totals 0", $at, $line => $other)
    };
}

/// A text with another line in the place of one of its own.
fn with_line(text: &str, at: usize, line: impl Fn(&str) -> String) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[at] = line(&lines[at]);
    lines.join("\n") + "\n"
}

fn put_line(events: &mut [Event], line: String) {
    let Some(Event::DrawFollowed(body)) = events.first_mut() else {
        panic!("another kind stands here");
    };
    body.signature = line;
}

/// Puts facts before what stands at a label.
fn before(events: &mut Vec<Event>, facts: Vec<Event>) {
    events.splice(0..0, facts);
}

/// Root of the first leaves, as it stands in what is signed.
fn root_at(log: &Log, size: u64) -> String {
    let leaves = log.entries[..size as usize].iter();
    let leaves: Vec<keno_log::Hash> = leaves.map(|entry| entry.leaf.hash()).collect();
    hex::encode(keno_log::tree::root_of(&leaves))
}

/// A finding by this name, signed as it stands.
fn named(events: &mut [Event], log: &Log, finding: &str) {
    events[0] = followed(log, 3, finding, Some(0)).into();
}

/// A payment of the ticket of a label, with a key that the story does not use.
fn paid(log: &Log, label: &str, items: &[(u64, u8, i64)]) -> Event {
    let mut body = payment(&mut Log::new(Fault::None), log.at(label), items);
    body.key = next_key(log.size());
    body.into()
}

/// Whoever opens payouts, by these two.
fn opened_by(draw: u64, by: &str, second: &str) -> PayoutsOpened {
    let (by, second) = (by.to_owned(), second.to_owned());
    PayoutsOpened {
        by,
        second,
        ..opened(draw)
    }
}

fn halted() -> Event {
    let halt = ScheduleHalted {
        reason: 1,
        seen_ms: 0,
        expected_ms: 0,
    };
    halt.into()
}

/// Two people who may not open payouts.
macro_rules! by {
    ($name:literal, $by:literal, $second:literal) => {
        of!($name, "payouts 7", PayoutsOpened, it =>
            (it.by, it.second) = ($by.to_owned(), $second.to_owned()))
    };
}

/// Two people who may not say who follows.
macro_rules! begun_by {
    ($name:literal, $by:literal, $second:literal) => {
        of!($name, "begin", FollowerBegan, it =>
            (it.by, it.second) = ($by.to_owned(), $second.to_owned()))
    };
}

/// A rule book that asks for this, which is no such number.
macro_rules! asks {
    ($value:literal) => {
        of!("rule_book_unreadable", "book 2", RuleBookPublished, it =>
            rehash(it, "second_computation = 60", concat!("second_computation = ", $value)))
    };
}

pub const PLANTED: &[Planted] = &[
    // Who begins.
    of!("follower_wrong", "begin", FollowerBegan, it => it.key.clear()),
    of!("follower_wrong", "begin", FollowerBegan, it =>
        (it.key, it.signature) = (String::new(), String::new())),
    of!("follower_wrong", "begin", FollowerBegan, it => it.key = "essai/suiveur".to_owned()),
    of!("follower_wrong", "begin", FollowerBegan, it => it.key.push('\n')),
    of!("follower_wrong", "begin", FollowerBegan, it => it.key.insert(0, ' ')),
    of!("follower_wrong", "begin", FollowerBegan, it =>
        it.key = it.key.replacen("suiveur", "suiveuse", 1)),
    of!("follower_wrong", "begin", FollowerBegan, it => it.key = key_text(1)),
    of!("follower_wrong", "begin anew", FollowerBegan, it => *it = begun(1, BEGAN[0])),
    of!("follower_wrong", "begin anew", FollowerBegan, it => *it = begun(0, BEGAN[0])),
    of!("follower_wrong", "begin again", FollowerBegan, it => *it = begun(1, BEGAN[0])),
    of!("follower_wrong", "begin again", FollowerBegan, it => *it = begun(1, BEGAN[1])),
    // What they sign.
    of!("follower_wrong", "begin", FollowerBegan, it => it.signature.clear()),
    of!("follower_wrong", "begin", FollowerBegan, it => it.signature.push('\n')),
    of!("follower_wrong", "begin", FollowerBegan, it =>
        it.signature = format!("{}\n{}", it.signature, it.signature)),
    of!("follower_wrong", "begin", FollowerBegan, it =>
        it.signature = it.signature.replacen("suiveur", "suiveuse", 1)),
    of!("follower_wrong", "begin", FollowerBegan, it =>
        it.signature = line(1, &beginning(&it.began))),
    of!("follower_wrong", "begin", FollowerBegan, it =>
        it.signature = line(0, &beginning(&BEGAN[1]))),
    begins!(0, it => it.replacen("v1", "v2", 1)),
    begins!(0, _it => "boulier/followed/v1".to_owned()),
    begins!(1, _it => "autre".to_owned()),
    begins!(2, it => it.to_uppercase()),
    begins!(text => format!("{text}fin\n")),
    begins!(text => text.lines().take(2).map(|it| format!("{it}\n")).collect()),
    begins!(text => {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.swap(1, 2);
        lines.join("\n") + "\n"
    }),
    // Which draws wait for what is said.
    of!("draw_unknown", "agree 5", DrawFollowed, it => it.draw = NOWHERE),
    told!("followed_wrong", "void 2", log => [followed(log, 2, "", None).into()]),
    told!("followed_wrong", "void 2", log => [followed(log, 2, "void_totals", None).into()]),
    // Finished before anybody followed, under rules that do not ask for it.
    told!("followed_wrong", "agree 5", log => [followed(log, 1, "", None).into()]),
    told!("followed_wrong", "agree 5", log => [followed(log, 1, "void_totals", None).into()]),
    // Released.
    then!("followed_wrong", "agree 5", log => followed(log, 5, "", None)),
    then!("followed_wrong", "agree 5", log => followed(log, 5, "settlement_root", Some(1))),
    then!("followed_wrong", "agree 4", log => followed(log, 4, "", None)),
    then!("followed_wrong", "payouts 7", log => followed(log, 7, "", None)),
    then!("followed_wrong", "payouts 6", log => followed(log, 6, "", None)),
    then!("followed_wrong", "payouts 6", log => followed(log, 6, "void_wrong", None)),
    (
        "followed_wrong",
        "agree 5",
        |events, log| {
            let again = [begun(1, BEGAN[1]).into()];
            events.extend(again);
            events.push(followed_by(log, (1, BEGAN[1]), 5, ("", None)).into());
        },
        "agree 5",
        2,
    ),
    // Nobody follows.
    ("followed_wrong", "begin", drop_it, "agree 5", 0),
    (
        "followed_wrong",
        "begin",
        |events, log| events[0] = followed(log, 4, "", None).into(),
        "begin",
        0,
    ),
    (
        "followed_wrong",
        "begin",
        |events, log| events[0] = followed(log, 4, "void_wrong", None).into(),
        "begin",
        0,
    ),
    // It differs, and nobody began since.
    then!("followed_wrong", "differ 2", log => followed(log, 2, "", None)),
    then!("followed_wrong", "differ 2", log => followed(log, 2, "void_totals", Some(41))),
    then!("followed_wrong", "differ 7", log => followed(log, 2, "", None)),
    ("followed_wrong", "begin anew", drop_it, "agree 2", 0),
    ("followed_wrong", "begin again", drop_it, "agree 3", 0),
    (
        "followed_wrong",
        "agree 2",
        |events, log| {
            let differs = followed(log, 2, "void_wrong", None);
            before(events, vec![differs.into()]);
        },
        "agree 2",
        1,
    ),
    // What is found.
    of!("followed_wrong", "differ 3", DrawFollowed, it => it.finding.clear()),
    of!("followed_wrong", "differ 3", DrawFollowed, it => it.finding = "void_wrong".to_owned()),
    of!("followed_wrong", "differ 3", DrawFollowed, it => it.entry = None),
    of!("followed_wrong", "differ 3", DrawFollowed, it => it.entry = Some(1)),
    of!("followed_wrong", "agree 3", DrawFollowed, it => it.finding = "void_wrong".to_owned()),
    of!("followed_wrong", "agree 3", DrawFollowed, it => it.entry = Some(0)),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, "Void_totals"),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, "void totals"),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, "void-totals"),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, "void_totals7"),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, "void_totals`"),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, "void_totals{"),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, "payé"),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, "void_totals\n"),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, " "),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "differ 3",
        |events, log| named(events, log, &"a".repeat(65)),
        "differ 3",
        0,
    ),
    (
        "followed_wrong",
        "agree 3",
        |events, log| {
            let mut body = followed(log, 3, "", None);
            body.entry = Some(0);
            events[0] = body.into();
        },
        "agree 3",
        0,
    ),
    (
        "followed_wrong",
        "agree 3",
        |events, log| events[0] = followed(log, 3, "", Some(0)).into(),
        "agree 3",
        0,
    ),
    // What is signed, where it agrees.
    agrees!(0, it => it.replacen("v1", "v2", 1)),
    agrees!(0, _it => "boulier/follower/v1".to_owned()),
    agrees!(1, _it => "autre".to_owned()),
    agrees!(2, _it => "6".to_owned()),
    agrees!(2, it => format!("0{it}")),
    agrees!(3, it => (it.parse::<u64>().unwrap() + 1).to_string()),
    agrees!(3, it => (it.parse::<u64>().unwrap() - 1).to_string()),
    agrees!(3, it => format!("0{it}")),
    agrees!(4, _it => "5".repeat(64)),
    agrees!(4, it => it.to_uppercase()),
    agrees!(5, _it => hex::encode(BEGAN[1])),
    agrees!(5, it => it.to_uppercase()),
    agrees!(6, _it => "differs".to_owned()),
    agrees!(6, _it => "differs ".to_owned()),
    agrees!(6, _it => "differs settlement_root".to_owned()),
    agrees!(6, _it => "Agrees".to_owned()),
    agrees!(6, it => format!("{it} ")),
    says!("agree 5", 0, 5, "agrees", text => format!("{text}fin\n")),
    says!("agree 5", 0, 5, "agrees", text => text.replacen("\nagrees", "", 1)),
    // Of the tree before the draw was finished, and of the tree as it is by now.
    (
        "followed_wrong",
        "agree 5",
        |events, log| {
            let size = finished_at(log, 5).unwrap();
            let text = with_line(&said(log, 5, "agrees"), 3, |_| size.to_string());
            let text = with_line(&text, 4, |_| root_at(log, size));
            put_line(events, line(0, &text));
        },
        "agree 5",
        0,
    ),
    (
        "followed_wrong",
        "agree 4",
        |events, log| {
            let text = with_line(&said(log, 4, "agrees"), 3, |_| log.size().to_string());
            let text = with_line(&text, 4, |_| root_at(log, log.size()));
            put_line(events, line(0, &text));
        },
        "agree 4",
        0,
    ),
    // Where it differs.
    differs!(1, _it => "autre".to_owned()),
    differs!(2, _it => "2".to_owned()),
    differs!(3, it => (it.parse::<u64>().unwrap() + 1).to_string()),
    differs!(5, _it => hex::encode(BEGAN[0])),
    differs!(6, _it => "agrees".to_owned()),
    differs!(6, _it => "differs".to_owned()),
    differs!(6, _it => "differs void_totals".to_owned()),
    differs!(6, _it => "differs void_totals 1".to_owned()),
    differs!(6, _it => "differs void_totals 00".to_owned()),
    differs!(6, _it => "differs void_totals  0".to_owned()),
    differs!(6, _it => "differs void_wrong 0".to_owned()),
    differs!(6, _it => "differs 0 void_totals".to_owned()),
    differs!(6, _it => "differs: void_totals 0".to_owned()),
    // Who has signed.
    of!("followed_wrong", "agree 5", DrawFollowed, it => it.signature.clear()),
    of!("followed_wrong", "agree 5", DrawFollowed, it => it.signature.push('\n')),
    of!("followed_wrong", "agree 5", DrawFollowed, it =>
        it.signature = it.signature.replacen("suiveur", "suiveuse", 1)),
    (
        "followed_wrong",
        "agree 5",
        |events, log| put_line(events, line(1, &said(log, 5, "agrees"))),
        "agree 5",
        0,
    ),
    (
        "followed_wrong",
        "differ 7",
        |events, log| put_line(events, line(1, &said(log, 7, "differs void_wrong"))),
        "differ 7",
        0,
    ),
    // Who began before the last.
    (
        "followed_wrong",
        "agree 3",
        |events, log| {
            events[0] = followed_by(log, (1, BEGAN[1]), 3, ("", None)).into();
        },
        "agree 3",
        0,
    ),
    (
        "followed_wrong",
        "agree 2",
        |events, log| {
            events[0] = followed_by(log, (0, BEGAN[1]), 2, ("", None)).into();
        },
        "agree 2",
        0,
    ),
    (
        "followed_wrong",
        "agree 2",
        |events, log| put_line(events, line(0, &said_since(log, 2, "agrees", &BEGAN[0]))),
        "agree 2",
        0,
    ),
    // When payouts are opened.
    of!("draw_unknown", "payouts 6", PayoutsOpened, it => it.draw = NOWHERE),
    told!("payouts_opened_wrong", "void 6", _ => [opened(6).into()]),
    told!("payouts_opened_wrong", "payouts 6", _ => [opened(1).into()]),
    told!("payouts_opened_wrong", "payouts 6", _ => [opened(5).into()]),
    then!("payouts_opened_wrong", "payouts 6", _ => opened(6)),
    then!("payouts_opened_wrong", "payouts 7", _ => opened(7)),
    told!("payouts_opened_wrong", "pay b", _ => [opened(2).into()]),
    told!("payouts_opened_wrong", "pay b", _ => [opened(6).into()]),
    // The rules of these do not ask for it.
    told!("payouts_opened_wrong", "payouts 6", _ => [opened(3).into()]),
    then!("payouts_opened_wrong", "payouts 6", _ => opened(3)),
    (
        "payouts_opened_wrong",
        "void 6",
        |events, _| before(events, vec![rules(3, 6, None).into()]),
        "payouts 6",
        0,
    ),
    (
        "payouts_opened_wrong",
        "void 6",
        |events, _| before(events, vec![rules(3, 6, Some(MINUTES + 1)).into()]),
        "payouts 6",
        0,
    ),
    // It differs, and nobody began since.
    then!("payouts_opened_wrong", "differ 7", _ => opened(7)),
    then!("payouts_opened_wrong", "differ 2", _ => opened(2)),
    then!("payouts_opened_wrong", "differ 3", _ => opened(3)),
    (
        "payouts_opened_wrong",
        "payouts 6",
        |events, log| {
            let differs = followed(log, 6, "void_totals", None);
            before(events, vec![differs.into()]);
        },
        "payouts 6",
        1,
    ),
    // Somebody began, and has not looked yet.
    then!("payouts_opened_wrong", "begin anew", _ => opened(7)),
    then!("payouts_opened_wrong", "begin again", _ => opened(3)),
    (
        "payouts_opened_wrong",
        "differ 7 again",
        drop_it,
        "payouts 7",
        0,
    ),
    // Who says that somebody follows.
    begun_by!("same_person", "S201", "S201"),
    begun_by!("same_person", "S201", ""),
    begun_by!("same_person", "", "I601"),
    begun_by!("badge_unknown", "X", "I601"),
    begun_by!("badge_unknown", "S201", "X"),
    begun_by!("role_wrong", "C142", "I601"),
    begun_by!("role_wrong", "I601", "T501"),
    begun_by!("role_wrong", "M301", "I601"),
    begun_by!("role_wrong", "S201", "S202"),
    // Who opens them.
    by!("same_person", "S201", "S201"),
    by!("same_person", "I601", "I601"),
    by!("same_person", "S201", ""),
    by!("same_person", "", "I601"),
    by!("badge_unknown", "X", "I601"),
    by!("badge_unknown", "S201", "X"),
    by!("role_wrong", "C142", "I601"),
    by!("role_wrong", "I601", "C142"),
    by!("role_wrong", "M301", "I601"),
    by!("role_wrong", "I601", "M301"),
    by!("role_wrong", "T501", "I601"),
    by!("role_wrong", "I601", "T501"),
    by!("role_wrong", "S201", "S202"),
    by!("role_wrong", "S202", "S201"),
    (
        "role_wrong",
        "payouts 7",
        |events, _| {
            events[0] = opened_by(7, "G401", "I601").into();
            before(events, vec![person("G401", &[3]).into()]);
        },
        "payouts 7",
        1,
    ),
    (
        "role_wrong",
        "payouts 7",
        |events, _| {
            events[0] = opened_by(7, "I601", "G401").into();
            before(events, vec![person("G401", &[3]).into()]);
        },
        "payouts 7",
        1,
    ),
    // Another badge of the same human.
    (
        "same_person",
        "payouts 7",
        |events, _| {
            let mut other = person("M309", &[5]);
            other.staff = "number of M302".to_owned();
            events[0] = opened_by(7, "M302", "M309").into();
            before(events, vec![other.into()]);
        },
        "payouts 7",
        1,
    ),
    (
        "pin_not_chosen",
        "payouts 7",
        |events, _| {
            let mut other = person("M309", &[5]);
            other.must_change = true;
            events[0] = opened_by(7, "S201", "M309").into();
            before(events, vec![other.into()]);
        },
        "payouts 7",
        1,
    ),
    // A draw that differs.
    then!("payment_frozen", "differ 2", log => paid(log, "sell small b", &[(2, 2, 250)])),
    then!("payment_frozen", "differ 2", log => paid(log, "sell b", &[(2, 2, 300)])),
    then!("payment_frozen", "begin anew", log => paid(log, "sell small b", &[(2, 2, 250)])),
    (
        "payment_frozen",
        "payouts 6",
        |events, log| {
            // Of the two draws, the first; and the second.
            events[0] = followed(log, 6, "void_totals", None).into();
            events.push(paid(log, "sell h", &[(6, 2, 250), (7, 2, 250)]));
        },
        "payouts 6",
        1,
    ),
    (
        "payment_frozen",
        "payouts 6",
        |events, log| {
            events[0] = followed(log, 6, "void_totals", None).into();
            events.push(paid(log, "sell h", &[(7, 2, 250), (6, 2, 250)]));
        },
        "payouts 6",
        1,
    ),
    // Its rules ask for nothing, and it is not much.
    (
        "payment_frozen",
        "pay a",
        |events, log| {
            let differs = followed(log, 3, "void_totals", None);
            before(events, vec![differs.into()]);
        },
        "pay c",
        0,
    ),
    (
        "payment_frozen",
        "pay small g",
        |events, log| {
            let differs = followed(log, 6, "void_totals", None);
            before(events, vec![differs.into()]);
        },
        "pay small g",
        1,
    ),
    // Much is paid before the follower has said anything.
    told!("payment_unfollowed", "agree 5", log => [paid(log, "sell f", &[(5, 1, 22_500)])]),
    ("payment_unfollowed", "agree 5", drop_it, "pay f", 0),
    told!("payment_unfollowed", "agree 4", log => [paid(log, "sell e", &[(4, 2, 500)])]),
    told!("payment_unfollowed", "begin", log => [paid(log, "sell e", &[(4, 2, 500)])]),
    ("payment_unfollowed", "agree 4", drop_it, "pay e", 0),
    ("payment_unfollowed", "payouts 6", drop_it, "pay g", 0),
    // The time is over, and nobody has opened it.
    told!("payment_unfollowed", "payouts 6", log => [paid(log, "sell g", &[(6, 2, 500)])]),
    // By the limit of the ticket's own rules, and by all that it comes to.
    told!("payment_unfollowed", "agree 4", log => [paid(log, "sell d", &[(4, 2, 150)])]),
    told!("payment_unfollowed", "payouts 6", log => [paid(log, "sell h", &[(6, 2, 250)])]),
    told!("payment_unfollowed", "payouts 6", log =>
        [paid(log, "sell h", &[(7, 2, 250), (6, 2, 250)])]),
    told!("payment_unfollowed", "agree 4", log =>
        [paid(log, "sell d", &[(3, 2, 150), (4, 2, 150)])]),
    // Rules that cannot be read.
    asks!("0"),
    asks!("-1"),
    asks!("10081"),
    asks!("65536"),
    asks!("\"60\""),
    asks!("60.0"),
    asks!("true"),
    asks!("[60]"),
    asks!("60\nsecond_computer = 60"),
    of!("rule_book_unreadable", "book 2", RuleBookPublished, it =>
        rehash(it, "\nsecond_computation = 60\n", "\nsecond_computation = 60\nsecond_computation = 60\n")),
];

/// A header with which an entry is not lawful any more.
const PLANTED_HEADERS: &[(&str, &str, HeaderChange)] = &[
    ("payouts_opened_wrong", "payouts 6", |header| {
        header.at_ms -= 1
    }),
    ("header_draw_wrong", "agree 5", |header| header.draw = 0),
    ("header_draw_wrong", "payouts 6", |header| header.draw = 7),
    ("header_draw_wrong", "begin", |header| header.draw = 1),
];

#[test]
fn each_fault_of_the_follower_is_named_in_its_entry() {
    let mut misses = Vec::new();
    for (name, at, change, label, offset) in PLANTED {
        let log = play(Fault::Events(at, *change));
        misses.extend(missed(&log, name, label, *offset));
    }
    for (name, label, change) in PLANTED_HEADERS {
        let log = play(Fault::Header(label, *change));
        misses.extend(missed(&log, name, label, 0));
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn what_may_be_said_and_paid_is_found_lawful() {
    let of_one = LAWFUL.iter().map(|it| (it.0, Fault::Events(it.1, it.2)));
    let of_two = LAWFUL_OF_TWO.iter().map(|it| (it.0, Fault::Both(it.1)));
    for (why, fault) in of_one.chain(of_two) {
        assert_eq!(judged(&play(fault)).findings, [], "{why}");
    }
    for (why, at, change) in OF_ANOTHER_ORIGIN {
        let found = judged(&play(Fault::Events(at, *change))).findings;
        assert!(
            found.iter().all(|it| it.entry.is_none()),
            "{why}: {found:?}"
        );
    }
}

#[test]
fn the_verifier_in_python_finds_the_same_first() {
    let planted = PLANTED.iter().map(|it| Fault::Events(it.1, it.2));
    let headers = PLANTED_HEADERS.iter().map(|it| Fault::Header(it.1, it.2));
    let lawful = LAWFUL.iter().chain(OF_ANOTHER_ORIGIN);
    let lawful = lawful.map(|it| Fault::Events(it.1, it.2));
    let of_two = LAWFUL_OF_TWO.iter().map(|it| Fault::Both(it.1));
    let faults = planted.chain(headers).chain(lawful).chain(of_two);
    let logs: Vec<Log> = faults.map(play).collect();
    assert_eq!(judged_alike(&logs), LAWFUL.len() + LAWFUL_OF_TWO.len());
}

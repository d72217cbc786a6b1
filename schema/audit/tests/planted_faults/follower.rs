//! Somebody who follows the log: what is signed that is not what is said. The verifier in Python judges
//! the same logs, and must say the same.

use super::*;
pub use crate::support::follower::{
    BEGAN, beginning, finished_at, followed, line, opened, play, said,
};

/// A fault in the fields of what stands at a label.
macro_rules! of {
    ($name:literal, $label:literal, $kind:ident, $it:ident => $change:expr) => {
        ($name, $label, alter!($kind, $it => $change), $label, 0)
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

pub const PLANTED: &[Planted] = &[
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
            let text = with_line(&text, 4, |_| hex::encode(log.root_at(size)));
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
            let text = with_line(&text, 4, |_| hex::encode(log.root_at(log.size())));
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
];

/// What is as lawful in another house or epoch: its origin is not that of the story's checkpoint.
const OF_ANOTHER_ORIGIN: &[(&str, &str, Change)] = &[
    (
        "in another house",
        "house",
        alter!(HouseOpened, it => it.house = "autre".to_owned()),
    ),
    ("followed in another epoch", "agree 3", |events, log| {
        epochs::before(events, log, (8, 2, 2), |_| {});
    }),
    ("begun in another epoch", "begin again", |events, log| {
        epochs::before(events, log, (8, 2, 2), |_| {});
    }),
    ("opened in another epoch", "agree 3", |events, log| {
        *events = vec![
            followed(log, 3, "void_wrong", None).into(),
            opened(3).into(),
        ];
        epochs::before(events, log, (8, 2, 2), |_| {});
    }),
];

#[test]
fn each_fault_of_the_follower_is_named_in_its_entry() {
    let mut misses = Vec::new();
    for (name, at, change, label, offset) in PLANTED {
        let log = play(Fault::Events(at, *change));
        misses.extend(missed(&log, name, label, *offset));
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn what_is_lawful_elsewhere_differs_in_its_origin_alone() {
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
    let elsewhere = OF_ANOTHER_ORIGIN.iter().map(|it| Fault::Events(it.1, it.2));
    let logs: Vec<Log> = planted.chain(elsewhere).map(play).collect();
    assert_eq!(judged_alike(&logs), 0);
}

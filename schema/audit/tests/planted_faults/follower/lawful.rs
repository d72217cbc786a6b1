//! What may be said, signed, opened and paid where somebody follows the log.

use super::*;

const NOTHING: Change = |_, _| {};

/// What is as lawful in another house or epoch: its origin is not that of the story's checkpoint.
pub const OF_ANOTHER_ORIGIN: &[(&str, &str, Change)] = &[
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

/// What takes two changes.
pub const LAWFUL_OF_TWO: &[(&str, [(&str, Change); 2])] = &[
    (
        "a draw whose rules have ceased to ask when it is finished",
        [
            ("void 6", |events, _| {
                before(events, vec![rules(3, 6, None).into()])
            }),
            ("payouts 6", drop_it),
        ],
    ),
    (
        "what it comes to in draws that do not wait",
        [
            ("payouts 6", |events, log| {
                before(events, vec![paid(log, "sell h", &[(7, 2, 250)])]);
            }),
            ("pay h", drop_it),
        ],
    ),
    (
        "of two draws the one that need not wait",
        [
            ("agree 4", |events, log| {
                before(events, vec![paid(log, "sell d", &[(3, 2, 150)])]);
            }),
            ("pay d", drop_it),
        ],
    ),
];

/// What may be said, signed, opened and paid.
pub const LAWFUL: &[(&str, &str, Change)] = &[
    ("as the story goes", "house", NOTHING),
    (
        "the same key begins anew, and another",
        "begin",
        |events, _| events.push(begun(0, [0xbb; 32]).into()),
    ),
    (
        "begun by a verifier and an auditor",
        "begin",
        |events, _| {
            let Some(Event::FollowerBegan(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            (body.by, body.second) = ("M302".to_owned(), "I601".to_owned());
        },
    ),
    ("a finding of one letter", "differ 3", |events, log| {
        named(events, log, "a")
    }),
    ("a finding of the last letter", "differ 3", |events, log| {
        named(events, log, "z")
    }),
    ("a finding that is no letter", "differ 3", |events, log| {
        named(events, log, "_")
    }),
    ("the longest finding", "differ 3", |events, log| {
        named(events, log, &"a".repeat(64))
    }),
    ("the last entry there can be", "differ 3", |events, log| {
        events[0] = followed(log, 3, "void_totals", Some(u64::MAX)).into();
    }),
    ("it differs, and differs again", "agree 3", |events, log| {
        let differs = followed(log, 3, "void_wrong", None).into();
        let agrees = followed_by(log, (1, [0xbb; 32]), 3, ("", None)).into();
        *events = vec![differs, begun(1, [0xbb; 32]).into(), agrees];
    }),
    ("opened once it was said again", "agree 3", |events, log| {
        *events = vec![
            followed(log, 3, "void_wrong", None).into(),
            opened(3).into(),
        ];
    }),
    (
        "followed while the clock is halted",
        "differ 3",
        |events, _| before(events, vec![halted()]),
    ),
    (
        "opened while the clock is halted",
        "payouts 6",
        |events, _| before(events, vec![halted()]),
    ),
    (
        "newer rules that ask for as much, before a draw is finished",
        "void 6",
        |events, _| before(events, vec![rules(3, 6, Some(MINUTES)).into()]),
    ),
    (
        "newer rules that ask for a week, of draws to come",
        "void 6",
        |events, _| events.push(rules(3, 8, Some(10_080)).into()),
    ),
    (
        "newer rules that ask for nothing, of draws to come",
        "void 6",
        |events, _| events.push(rules(3, 8, None).into()),
    ),
    (
        "newer rules that ask for a minute, of draws to come",
        "settle 5",
        |events, _| events.push(rules(3, 8, Some(1)).into()),
    ),
    ("a later moment", "payouts 6", |events, _| {
        before(events, vec![person("M309", &[5]).into()])
    }),
    (
        "little, to one who was refused once",
        "pay small g",
        |events, log| {
            let refused = PatronRefused {
                ticket: log.at("sell small g"),
                reason: 1,
                device: 7,
                badge: "C142".to_owned(),
            };
            before(events, vec![refused.into()]);
        },
    ),
    (
        "a presentation waits for nothing",
        "begin anew",
        |events, log| {
            let presented = ClaimPresented {
                ticket: log.at("sell b"),
                draws: vec![2],
                path: 1,
                device: 7,
                badge: "C142".to_owned(),
                presented_at_ms: None,
                second: None,
            };
            before(events, vec![presented.into()]);
        },
    ),
    ("a supervisor and a verifier", "payouts 7", |events, _| {
        events[0] = opened_by(7, "M302", "S201").into()
    }),
    ("a verifier and an auditor", "payouts 7", |events, _| {
        events[0] = opened_by(7, "I601", "M302").into()
    }),
    (
        "an administrator and a supervisor",
        "payouts 7",
        |events, _| events[0] = opened_by(7, "A401", "S202").into(),
    ),
    ("two administrators", "payouts 7", |events, _| {
        events[0] = opened_by(7, "A401", "A402").into()
    }),
    ("who opens it sold for it", "payouts 7", |events, _| {
        let mut other = person("S209", &[2]);
        other.staff = "number of C142".to_owned();
        events[0] = opened_by(7, "S209", "I601").into();
        before(events, vec![other.into()]);
    }),
];

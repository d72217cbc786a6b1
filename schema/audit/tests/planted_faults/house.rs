//! The house, its rules, and draws before they close.

use super::*;
use crate::support::scenario::{close, commit, person, scheduled};

pub const PLANTED: &[Planted] = &[
    // The house and its rules.
    (
        "house_not_first",
        "lease",
        |events, log| events.push(log.event("house")),
        "lease",
        1,
    ),
    (
        "zone_unknown",
        "house",
        alter!(HouseOpened, it => it.zone = "America/Nowhere".to_owned()),
        "house",
        0,
    ),
    (
        "business_day_wrong",
        "house",
        alter!(HouseOpened, it => it.zone = "Pacific/Honolulu".to_owned()),
        "house",
        0,
    ),
    (
        "log_key_unreadable",
        "house",
        alter!(HouseOpened, it => it.log_key.push('!')),
        "house",
        0,
    ),
    (
        "same_person",
        "book 1",
        alter!(RuleBookPublished, it => it.second = it.by.clone()),
        "book 1",
        0,
    ),
    (
        "same_person",
        "resume 2",
        alter!(DrawResumed, it => it.second = it.by.clone()),
        "resume 2",
        0,
    ),
    (
        "same_person",
        "void 3",
        alter!(DrawVoided, it => it.second.clear()),
        "void 3",
        0,
    ),
    (
        "same_person",
        "unpaid f",
        alter!(TicketUnpaid, it => it.second = it.by.clone()),
        "unpaid f",
        0,
    ),
    (
        "same_person",
        "reverse a",
        alter!(PaymentReversed, it => it.second = it.by.clone()),
        "reverse a",
        0,
    ),
    (
        "same_person",
        "copy g",
        alter!(TicketDuplicated, it => it.second = it.by.clone()),
        "copy g",
        0,
    ),
    (
        "same_person",
        "pay a",
        alter!(PrizePaid, it => it.second = Some(it.badge.clone())),
        "pay a",
        0,
    ),
    (
        "rule_book_hash",
        "book 2",
        alter!(RuleBookPublished, it => it.hash[0] ^= 1),
        "book 2",
        0,
    ),
    (
        "rule_book_version",
        "book 2",
        alter!(RuleBookPublished, it => it.version = 3),
        "book 2",
        0,
    ),
    (
        "rule_book_version",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "version = 2", "version = 3")),
        "book 2",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "[pool]", "[poll]")),
        "book 2",
        0,
    ),
    (
        "rule_book_return",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "\"450\"", "\"300\"")),
        "book 2",
        0,
    ),
    (
        "rule_book_return",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "3 = { 2 = \"2\", 3 = \"30\" }", "")),
        "book 2",
        0,
    ),
    (
        // A later draw is closed while an earlier one is open, and its rules come after its seal.
        "rule_book_late",
        "close 4",
        |events, _| {
            let closed_first = [
                scheduled(5, 1, &["machine", "audit"]).into(),
                commit(5, 0, &[51; 32]).into(),
                commit(5, 1, &[52; 32]).into(),
                DrawOpened { draw: 5 }.into(),
                close(5, 0, 0, 0).into(),
                book(3, 4).into(),
            ];
            events.splice(0..0, closed_first);
        },
        "close 4",
        5,
    ),
    (
        "rule_book_late",
        "book 2",
        alter!(RuleBookPublished, it => it.effective_from = 3),
        "book 2",
        0,
    ),
    (
        "rule_book_late",
        "sell b",
        |events, _| {
            let mut body = book(2, 2);
            rehash(&mut body, "2000.00", "3000.00");
            events.insert(0, body.into());
        },
        "sell b",
        0,
    ),
    (
        "rule_book_late",
        "sell b",
        |events, _| {
            // A change of cap from a draw that is announced, though nobody bought for it yet.
            let mut body = book(2, 3);
            rehash(
                &mut body,
                "per_draw = \"2000.00\"",
                "per_draw = \"3000.00\"",
            );
            events.insert(0, body.into());
        },
        "sell b",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "ways = 20", "ways = 2001")),
        "book 2",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "federal_report = \"10000.00\"", "federal_report = \"10000.01\"")),
        "book 2",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "code = \"plus\"", "code = \"keno\"")),
        "book 2",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "[claim]\n", "[claim]\nhours = 1\n")),
        "book 2",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        // A counter may offer no more than the games sell.
        alter!(RuleBookPublished, it => rehash(it, "[claim]\n", "[counter]\nwager = \"0.01\"\n[claim]\n")),
        "book 2",
        0,
    ),
    (
        "rule_book_return",
        "book 2",
        // Ways of six spots are offered, and nothing says what they pay.
        alter!(RuleBookPublished, it => rehash(it, "way = { min = 1, max = 5 }", "way = { min = 1, max = 6 }")),
        "book 2",
        0,
    ),
    (
        "fence_wrong",
        "lease",
        alter!(LeaseTaken, it => it.fence = 2),
        "lease",
        0,
    ),
    (
        "number_reused",
        "session",
        |events, _| events.push(events[0].clone()),
        "session",
        1,
    ),
    (
        "number_reused",
        "shift",
        |events, _| events.push(events[0].clone()),
        "shift",
        1,
    ),
    // Draws before the close.
    (
        "draw_number_wrong",
        "schedule 4",
        alter!(DrawScheduled, it => it.draw = 5),
        "schedule 4",
        0,
    ),
    (
        "draw_number_wrong",
        "schedule 4",
        alter!(DrawScheduled, it => it.draw = 3),
        "schedule 4",
        0,
    ),
    (
        "draw_terms_wrong",
        "schedule 4",
        alter!(DrawScheduled, it => it.cap_cents += 1),
        "schedule 4",
        0,
    ),
    (
        "draw_terms_wrong",
        "schedule 4",
        alter!(DrawScheduled, it => it.pool_size = 79),
        "schedule 4",
        0,
    ),
    (
        "draw_terms_wrong",
        "schedule 4",
        alter!(DrawScheduled, it => it.holders.clear()),
        "schedule 4",
        0,
    ),
    (
        "draw_unknown",
        "open 3",
        |events, _| events.push(DrawOpened { draw: 9 }.into()),
        "open 3",
        1,
    ),
    ("commitment_missing", "commit 1.1", drop_it, "open 1", 0),
    (
        "commitment_repeated",
        "commit 1.1",
        alter!(CommitmentRecorded, it => it.position = 0),
        "commit 1.1",
        0,
    ),
    (
        "commitment_repeated",
        "commit 1.1",
        alter!(CommitmentRecorded, it => it.position = 2),
        "commit 1.1",
        0,
    ),
    (
        "commitment_repeated",
        "commit 1.1",
        |events, log| {
            let Event::CommitmentRecorded(mut body) = log.event("commit 1.0") else {
                panic!()
            };
            body.position = 1;
            events[0] = body.into();
        },
        "commit 1.1",
        0,
    ),
    (
        "commitment_after_wager",
        "sell c",
        |events, log| events.push(log.event("commit 3.0")),
        "sell c",
        1,
    ),
    (
        "draw_step_out_of_order",
        "open 1",
        |events, log| events.push(log.event("commit 1.0")),
        "open 1",
        1,
    ),
    (
        "step_while_halted",
        "schedule 4",
        |events, _| {
            let halt = ScheduleHalted {
                reason: 1,
                seen_ms: 0,
                expected_ms: 0,
            };
            events.insert(0, halt.into());
        },
        "schedule 4",
        1,
    ),
    (
        "step_while_halted",
        "settle 2",
        |events, _| {
            let halt = ScheduleHalted {
                reason: 3,
                seen_ms: 0,
                expected_ms: 0,
            };
            events.insert(0, halt.into());
        },
        "settle 2",
        1,
    ),
    // Two people end a session: a supervisor, who is not the one who is absent.
    (
        "role_wrong",
        "void 3",
        |events, _| events.push(relieved("C143").into()),
        "void 3",
        1,
    ),
    (
        "same_person",
        "void 3",
        |events, _| {
            let mut again = person("S203", &[2]);
            again.staff = "number of C142".to_owned();
            events.push(again.into());
            events.push(relieved("S203").into());
        },
        "void 3",
        2,
    ),
    // Tills.
    (
        "same_person",
        "fill",
        alter!(TillMoved, it => it.second = it.by.clone()),
        "fill",
        0,
    ),
    (
        "key_repeated",
        "drop",
        alter!(TillMoved, it => it.key.counter = 1),
        "drop",
        0,
    ),
    (
        "till_wrong",
        "fill",
        alter!(TillMoved, it => it.kind = 3),
        "fill",
        0,
    ),
    (
        "till_wrong",
        "fill",
        alter!(TillMoved, it => it.amount_cents = -it.amount_cents),
        "fill",
        0,
    ),
    (
        "till_wrong",
        "fill",
        alter!(TillMoved, it => it.shift = 2),
        "fill",
        0,
    ),
    (
        "till_wrong",
        "sell a",
        alter!(TicketSold, it => it.shift = 2),
        "sell a",
        0,
    ),
    (
        "till_wrong",
        "shift",
        alter!(ShiftOpened, it => it.float_cents = -1),
        "shift",
        0,
    ),
    (
        "till_wrong",
        "fill",
        |events, log| {
            let Event::ShiftOpened(mut second) = log.event("shift") else {
                panic!()
            };
            second.shift = 2;
            events.insert(0, second.into());
        },
        "fill",
        0,
    ),
    (
        "till_wrong",
        "shift",
        alter!(ShiftOpened, it => it.device = 8),
        "sell a",
        0,
    ),
    (
        "till_expected",
        "close shift",
        alter!(ShiftClosed, it => it.expected_cents += 1),
        "close shift",
        0,
    ),
    (
        "till_expected",
        "count",
        alter!(TillCounted, it => it.expected_cents = it.counted_cents),
        "count",
        0,
    ),
    (
        "till_expected",
        "fill",
        alter!(TillMoved, it => it.amount_cents += 5),
        "count",
        0,
    ),
    // Of a till that is not open, not of this device, or by one person.
    (
        "till_wrong",
        "count",
        alter!(TillCounted, it => it.shift = 2),
        "count",
        0,
    ),
    (
        "till_wrong",
        "count",
        alter!(TillCounted, it => it.device = 8),
        "count",
        0,
    ),
    (
        "same_person",
        "count",
        alter!(TillCounted, it => it.second = it.by.clone()),
        "count",
        0,
    ),
    (
        "same_person",
        "count",
        alter!(TillCounted, it => it.second.clear()),
        "count",
        0,
    ),
    (
        "till_expected",
        "drop",
        alter!(TillMoved, it => it.kind = 1),
        "count",
        0,
    ),
    (
        "till_expected",
        "shift",
        alter!(ShiftOpened, it => it.float_cents += 1),
        "count",
        0,
    ),
];

/// The session of the story is ended as a supervisor ends one.
fn relieved(by: &str) -> SessionEnded {
    SessionEnded {
        session: 1,
        reason: 3,
        by: by.to_owned(),
    }
}

//! Papers without a code: what was read, what was paid on it, files and who judged them.

use super::*;

/// A planted fault in the event at a label, named there.
macro_rules! of {
    ($name:literal, $label:literal, $kind:ident, $body:ident => $change:expr) => {
        ($name, $label, alter!($kind, $body => $change), $label, 0)
    };
}

fn text(text: &str) -> String {
    text.to_owned()
}

fn read_paper(ticket: u64, draws: (u64, u64), total_cents: i64) -> DamagedTicketRead {
    DamagedTicketRead {
        ticket,
        reading: DamagedReading {
            first_draw: Some(draws.0),
            last_draw: Some(draws.1),
            total_cents: Some(total_cents),
            sold_at: Some(7),
            numbers: vec![9],
        },
        device: 7,
        badge: text("C142"),
        second: text("S201"),
    }
}

pub const PLANTED: &[Planted] = &[
    // Said to be unpaid though its paper came out.
    of!("unpaid_without_paper", "unpaid f", TicketUnpaid, it => it.on = 3),
    (
        "unpaid_without_paper",
        "unpaid f",
        |events, _| {
            let Some(Event::TicketUnpaid(body)) = events.first() else {
                panic!("another kind stands here");
            };
            let confirmed = PrintConfirmed {
                ticket: body.ticket,
                copy: 1,
                how: 1,
                device: 7,
            };
            events.insert(0, confirmed.into());
        },
        "unpaid f",
        1,
    ),
    of!("duplicate_without_paper", "copy g", TicketDuplicated, it => it.on = 3),
    // What was read is not the ticket's, or not all of it was read.
    of!("reading_wrong", "read d", DamagedTicketRead, it => it.reading.first_draw = Some(1)),
    of!("reading_wrong", "read d", DamagedTicketRead, it => it.reading.last_draw = None),
    of!("reading_wrong", "read d", DamagedTicketRead, it => it.reading.total_cents = Some(151)),
    of!("reading_wrong", "read d", DamagedTicketRead, it => it.reading.sold_at = Some(8)),
    of!("reading_wrong", "read d", DamagedTicketRead, it => it.reading.numbers.clear()),
    of!("ticket_unknown", "read d", DamagedTicketRead, it => it.ticket = 0),
    (
        "ticket_withdrawn",
        "read d",
        |events, log| {
            let Some(Event::DamagedTicketRead(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.ticket = log.at("sell e");
            body.reading.first_draw = Some(1);
            body.reading.last_draw = Some(1);
            body.reading.total_cents = Some(100);
        },
        "read d",
        0,
    ),
    of!("same_person", "read d", DamagedTicketRead, it => it.second = text("C142")),
    of!("role_wrong", "read d", DamagedTicketRead, it => it.second = text("C143")),
    of!("place_wrong", "read d", DamagedTicketRead, it => it.device = 99),
    // Presented on a path that was not open, and beside the hour that was entered.
    ("presentation_wrong", "read d", drop_it, "present d", 0),
    ("presentation_wrong", "file h", drop_it, "present h", 0),
    of!("presentation_wrong", "present d", ClaimPresented, it => it.path = 3),
    of!("presentation_wrong", "present d", ClaimPresented, it => it.path = 5),
    of!("presentation_wrong", "present d", ClaimPresented, it => it.presented_at_ms = Some(1)),
    of!("presentation_wrong", "present d", ClaimPresented, it => it.second = Some(text("S201"))),
    of!("presentation_wrong", "present a afterwards", ClaimPresented, it => it.second = None),
    of!("presentation_wrong", "present a afterwards", ClaimPresented, it => it.presented_at_ms = None),
    of!("presentation_wrong", "present a afterwards", ClaimPresented, it => {
        it.presented_at_ms = it.presented_at_ms.map(|at| at + 86_400_000);
    }),
    of!("presentation_wrong", "present a afterwards", ClaimPresented, it => {
        it.presented_at_ms = it.presented_at_ms.map(|at| at - 7 * 86_400_000);
    }),
    of!("same_person", "present a afterwards", ClaimPresented, it => it.second = Some(text("C142"))),
    of!("role_wrong", "present a afterwards", ClaimPresented, it => it.second = Some(text("C143"))),
    // A file that cannot be so.
    of!("file_wrong", "file h", FileOpened, it => it.fits = 2),
    of!("file_wrong", "file h", FileOpened, it => it.digits = 17),
    (
        "file_wrong",
        "file h",
        alter!(FileOpened, it => it.ticket = None),
        "file h",
        0,
    ),
    of!("reading_wrong", "file h", FileOpened, it => it.reading.total_cents = Some(300)),
    of!("ticket_unknown", "file h", FileOpened, it => it.ticket = Some(0)),
    of!("place_wrong", "file h", FileOpened, it => it.device = 99),
    of!("role_wrong", "file h", FileOpened, it => it.badge = text("T501")),
    // Judged twice, too early, by the wrong people, or for no reason.
    of!("file_unknown", "judge h", FileJudged, it => it.file += 1),
    of!("file_wrong", "judge h", FileJudged, it => it.reason = 1),
    of!("file_wrong", "judge h", FileJudged, it => it.ticket = None),
    of!("file_wrong", "judge h", FileJudged, it => it.is_paid = false),
    of!("file_wrong", "judge h", FileJudged, it => (it.is_paid, it.reason) = (false, 7)),
    (
        "file_wrong",
        "judge h",
        |events, _| events.push(events[0].clone()),
        "judge h",
        1,
    ),
    (
        "file_wrong",
        "judge h",
        |events, _| {
            let Some(Event::FileJudged(mut body)) = events.first().cloned() else {
                panic!("another kind stands here");
            };
            (body.is_paid, body.reason) = (false, 3);
            events.insert(0, body.into());
        },
        "judge h",
        1,
    ),
    (
        "file_early",
        "present h",
        |events, log| {
            let body = FileJudged {
                file: log.at("file h"),
                ticket: Some(log.at("sell h")),
                is_paid: false,
                reason: 6,
                picture: [9; 32],
                note: text("sans attendre"),
                by: text("S201"),
                second: text("C143"),
                third: None,
            };
            events.push(body.into());
        },
        "present h",
        1,
    ),
    of!("file_third", "judge h", FileJudged, it => it.third = None),
    of!("same_person", "judge h", FileJudged, it => it.by = text("C142")),
    of!("same_person", "judge h", FileJudged, it => it.second = text("C142")),
    of!("same_person", "judge h", FileJudged, it => it.second = text("S201")),
    of!("same_person", "judge h", FileJudged, it => it.third = Some(text("C142"))),
    of!("same_person", "judge h", FileJudged, it => it.third = Some(text("C143"))),
    of!("role_wrong", "judge h", FileJudged, it => it.by = text("A402")),
    of!("role_wrong", "judge h", FileJudged, it => it.second = text("A402")),
    of!("role_wrong", "judge h", FileJudged, it => it.third = Some(text("T501"))),
    // Paid on a file that nobody judged, that was refused, or on a reading of another.
    ("payment_without_code", "judge h", drop_it, "refund h", 0),
    (
        "payment_without_code",
        "judge h",
        alter!(FileJudged, it => (it.is_paid, it.reason) = (false, 2)),
        "refund h",
        0,
    ),
    of!("payment_without_code", "refund h", PrizePaid, it => it.path = 4),
    of!("payment_without_code", "pay d", PrizePaid, it => it.path = 3),
    (
        "payment_without_code",
        "read d",
        alter!(DamagedTicketRead, it => {
            it.badge = text("C143");
            it.second = text("S201");
        }),
        "pay d",
        0,
    ),
    // More than is paid at once, and one more than are paid in a day.
    (
        "payment_at_once",
        "pay c",
        |events, log| {
            let Some(Event::PrizePaid(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.path = 2;
            events.insert(0, read_paper(log.at("sell c"), (2, 3), 600).into());
        },
        "pay c",
        1,
    ),
    (
        "payment_at_once",
        "refund h",
        |events, log| {
            let Some(Event::PrizePaid(body)) = events.first_mut() else {
                panic!("another kind stands here");
            };
            body.path = 2;
            events.insert(0, read_paper(log.at("sell h"), (3, 3), 150).into());
        },
        "pay d",
        0,
    ),
    // Rules that no book may have.
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "wait_hours = 24", "wait_hours = 721")),
        "book 2",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "answer_days = 30", "answer_days = 0")),
        "book 2",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "third_person = \"1.50\"", "third_person = \"0\"")),
        "book 2",
        0,
    ),
    (
        "rule_book_unreadable",
        "book 2",
        alter!(RuleBookPublished, it => rehash(it, "copies = 4", "copies = 9")),
        "book 2",
        0,
    ),
];

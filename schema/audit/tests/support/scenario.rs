//! One small story of a house: six draws (computer, balls with a cap that bites, void, computer on
//! hosts, computer and balls in the draw room), ways, a king, a cancellation, a ticket never paid for,
//! payments, a reversal, expiry.

use keno_log::Hash;
use keno_log::event::*;
use keno_log::hash::sha256;

use super::*;

pub const SECRETS: [Hash; 2] = [[0x11; 32], [0x22; 32]];
pub const ALONE: [Hash; 1] = [[0x33; 32]];
pub const ON_HOSTS: [Hash; 2] = [[0x44; 32], [0x55; 32]];

pub fn scheduled(draw: u64, source: u8, holders: &[&str]) -> DrawScheduled {
    DrawScheduled {
        draw,
        closes_at_ms: FIRST_DAY_MS + draw as i64 * 300_000,
        draws_at_ms: FIRST_DAY_MS + draw as i64 * 300_000 + 10_000,
        source,
        holders: holders.iter().map(|name| (*name).to_owned()).collect(),
        pool_size: 80,
        drawn: 20,
        cap_cents: CAP_CENTS,
        full_below_cents: FULL_BELOW_CENTS,
    }
}

pub fn commit(draw: u64, position: u8, secret: &Hash) -> CommitmentRecorded {
    CommitmentRecorded {
        draw,
        position,
        commitment: commitment(draw, secret),
    }
}

pub fn close(draw: u64, tickets: u64, selections: u64, wagered_cents: i64) -> DrawClosed {
    DrawClosed {
        draw,
        tickets,
        selections,
        wagered_cents,
    }
}

fn start(log: &mut Log, label: &'static str, draw: u64, seal: (u64, Hash)) {
    let rule_book_hash = sha256(book_text(1).as_bytes());
    log.push(
        label,
        DrawStarted {
            draw,
            seal_size: seal.0,
            seal_root: seal.1,
            rule_book_hash,
        },
    );
}

fn moved(log: &mut Log, kind: u8, amount_cents: i64) -> TillMoved {
    TillMoved {
        shift: 1,
        key: log.key(),
        content_hash: sha256(b"request"),
        kind,
        amount_cents,
        by: "C142".to_owned(),
        second: "S201".to_owned(),
    }
}

pub fn cancelled(
    log: &mut Log,
    ticket: u64,
    first_draw: u64,
    refund_cents: i64,
) -> TicketCancelled {
    TicketCancelled {
        first_draw,
        ticket,
        key: log.key(),
        content_hash: sha256(b"request"),
        reason: 1,
        refund_cents,
        tender: 1,
        badge: "C142".to_owned(),
        shift: 1,
        on: 1,
        second: None,
    }
}

/// A ball as one of the two says it was, at the desk.
pub fn entered(draw: u64, position: u8, number: u8, by: &str) -> BallEntered {
    BallEntered {
        draw,
        position,
        number,
        by: by.to_owned(),
        device: DESK,
    }
}

/// A ball that counts.
pub fn drawn(draw: u64, position: u8, number: u8) -> BallDrawn {
    BallDrawn {
        draw,
        position,
        number,
        by: "M301".to_owned(),
        second: "M302".to_owned(),
    }
}

/// The two enter the balls of a draw, one after the other; the last three have labels.
fn enter(log: &mut Log, draw: u64, balls: &[u8]) {
    for (position, number) in (1_u8..).zip(balls) {
        let labels = match position {
            18 => ["enter 18", "enter 18 too", "ball 18"],
            19 => ["enter 19", "enter 19 too", "ball 19"],
            20 => ["enter 20", "enter 20 too", "ball 20"],
            _ => ["enter", "enter too", "ball"],
        };
        log.push(labels[0], entered(draw, position, *number, "M301"));
        log.push(labels[1], entered(draw, position, *number, "M302"));
        log.push(labels[2], drawn(draw, position, *number));
    }
}

/// Writes the story; `fault` is what is done to it on purpose.
pub fn play(fault: Fault) -> Log {
    let mut log = Log::new(fault);
    let house = HouseOpened {
        house: HOUSE.to_owned(),
        name: "Maison d'essai".to_owned(),
        zone: "America/Toronto".to_owned(),
        log_key: log.verifier_key(),
        first_draw: 1,
    };
    log.push("house", house);
    staff(&mut log);
    log.push("book 1", book(1, 1));
    log.push(
        "lease",
        LeaseTaken {
            instance: "a".to_owned(),
            fence: 1,
        },
    );
    log.push(
        "session",
        SessionOpened {
            session: 1,
            device: 7,
            badge: "C142".to_owned(),
            token_hash: [1; 32],
        },
    );
    log.push(
        "shift",
        ShiftOpened {
            shift: 1,
            device: 7,
            badge: "C142".to_owned(),
            float_cents: 50_000,
        },
    );

    log.push("schedule 1", scheduled(1, 1, &["machine", "audit"]));
    log.push("commit 1.0", commit(1, 0, &SECRETS[0]));
    log.push("commit 1.1", commit(1, 1, &SECRETS[1]));
    log.push("open 1", DrawOpened { draw: 1 });
    log.push("schedule 2", scheduled(2, 2, &[]));
    log.push("open 2", DrawOpened { draw: 2 });
    log.push("schedule 3", scheduled(3, 1, &["machine"]));
    log.push("commit 3.0", commit(3, 0, &ALONE[0]));
    log.push("open 3", DrawOpened { draw: 3 });

    let body = ticket(&mut log, (1, 2), vec![straight(&[1, 2, 3, 4, 5], 200)]);
    let a = log.push("sell a", body);
    let body = ticket(&mut log, (2, 2), vec![straight(&[1, 2, 3, 4, 5], 200)]);
    let b = log.push("sell b", body);
    let body = ticket(&mut log, (2, 3), vec![way(), straight(&[9], 100)]);
    let c = log.push("sell c", body);
    let body = ticket(&mut log, (2, 2), vec![king()]);
    let d = log.push("sell d", body);
    let body = ticket(&mut log, (1, 1), vec![straight(&[9], 100)]);
    let e = log.push("sell e", body);
    log.push(
        "print a",
        PrintConfirmed {
            ticket: a,
            copy: 1,
            how: 1,
            device: 7,
        },
    );
    let body = moved(&mut log, 1, 100_000);
    log.push("fill", body);
    let body = cancelled(&mut log, e, 1, 100);
    log.push("cancel e", body);
    let key = log.key();
    let badge = "C142".to_owned();
    log.push("close key", KeyClosed { key, badge });

    // Draw 1: the computer draws.
    log.push("close 1", close(1, 1, 1, 200));
    let seal = (log.size(), log.edge.root());
    let body = ticket(&mut log, (2, 3), vec![straight(&[10], 100)]);
    let f = log.push("sell f", body);
    let mut body = ticket(&mut log, (3, 3), vec![straight(&[76, 77, 78, 79, 80], 150)]);
    body.tender = 2;
    let h = log.push("sell h", body);
    start(&mut log, "start 1", 1, seal);
    let rule_book_hash = sha256(book_text(1).as_bytes());
    let (balls, used, rejected) = draw_balls(1, seal, rule_book_hash, &SECRETS);
    log.push(
        "balls 1",
        BallsRecorded {
            draw: 1,
            machine: 1,
            balls: balls.clone(),
            words_used: used,
            words_rejected: rejected,
            secrets_hash: sha256(&SECRETS.concat()),
        },
    );
    let certifiers = vec!["guard".to_owned()];
    let body = DrawCertified {
        draw: 1,
        certifiers,
    };
    log.push("certify 1", body);
    let secrets = SECRETS.to_vec();
    log.push("secrets 1", SecretsRevealed { draw: 1, secrets });
    let (body, _) = settled(1, &balls, &[(a, vec![1, 2, 3, 4, 5], 200)]);
    log.push("settle 1", body);

    // Draw 2: balls, interrupted once; the cap bites.
    let body = ticket(&mut log, (2, 2), vec![straight(&[1, 2, 3, 4, 5], 200)]);
    let g = log.push("sell g", body);
    log.push("close 2", close(2, 6, 7, 200 + 200 + 300 + 150 + 100 + 200));
    let seal = (log.size(), log.edge.root());
    log.push(
        "unpaid f",
        TicketUnpaid {
            first_draw: 2,
            ticket: f,
            amount_cents: 200,
            on: 2,
            by: "S201".to_owned(),
            second: "S202".to_owned(),
        },
    );
    start(&mut log, "start 2", 2, seal);
    log.push(
        "suspend 2",
        DrawSuspended {
            draw: 2,
            reason: "panne".to_owned(),
            by: "S201".to_owned(),
        },
    );
    log.push(
        "resume 2",
        DrawResumed {
            draw: 2,
            by: "S201".to_owned(),
            second: "S202".to_owned(),
        },
    );
    start(&mut log, "start 2 again", 2, seal);
    let balls: Vec<u8> = (1..=20).rev().collect();
    enter(&mut log, 2, &balls);
    log.push(
        "balls 2",
        BallsRecorded {
            draw: 2,
            machine: 2,
            balls: balls.clone(),
            words_used: 0,
            words_rejected: 0,
            secrets_hash: [0; 32],
        },
    );
    let certifiers = vec!["M301".to_owned(), "M302".to_owned()];
    let body = DrawCertified {
        draw: 2,
        certifiers,
    };
    log.push("certify 2", body);
    let solid = vec![1, 2, 3, 4, 5];
    let ways = [
        (a, solid.clone(), 200),
        (b, solid.clone(), 200),
        (c, vec![1, 2], 50),
        (c, vec![3, 4], 50),
        (c, vec![1, 2, 3, 4], 100),
        (c, vec![9], 100),
        (d, vec![6, 7], 50),
        (d, vec![5, 8], 50),
        (d, vec![5, 6, 7, 8], 50),
        (g, solid, 200),
    ];
    let (body, _) = settled(2, &balls, &ways);
    log.push("settle 2", body);

    // Draw 3: void after it was started.
    log.push("close 3", close(3, 2, 3, 300 + 150));
    let seal = (log.size(), log.edge.root());
    start(&mut log, "start 3", 3, seal);
    log.push(
        "void 3",
        DrawVoided {
            draw: 3,
            reason: "machine".to_owned(),
            by: "S201".to_owned(),
            second: "S202".to_owned(),
            tickets: 2,
            refund_cents: 450,
        },
    );
    let secrets = ALONE.to_vec();
    log.push("secrets 3", SecretsRevealed { draw: 3, secrets });

    // Payments.
    log.day = 20_260_106;
    let body = payment(&mut log, a, &[(2, 1, 62_260)]);
    let paid = log.push("pay a", body);
    log.push(
        "reverse a",
        PaymentReversed {
            payment: paid,
            ticket: a,
            reason: "parti".to_owned(),
            by: "C142".to_owned(),
            second: "S201".to_owned(),
            shift: 1,
            cash_cents: 62_260,
        },
    );
    let body = payment(&mut log, a, &[(2, 1, 62_260)]);
    log.push("pay a again", body);
    // A holder is not paid; the ticket then takes two people, below the limit too.
    log.push(
        "refuse c",
        PatronRefused {
            ticket: c,
            reason: 1,
            device: 7,
            badge: "C142".to_owned(),
        },
    );
    log.push(
        "remark c",
        TicketRemarked {
            ticket: c,
            text: "porteur entendu".to_owned(),
            badge: "I601".to_owned(),
        },
    );
    let mut body = payment(&mut log, c, &[(2, 1, 7_717), (3, 2, 300)]);
    body.rounding_cents = -2;
    log.push("pay c", body);
    log.push(
        "copy g",
        TicketDuplicated {
            ticket: g,
            copy: 2,
            on: 2,
            reason: "perdu".to_owned(),
            by: "S201".to_owned(),
            second: "S202".to_owned(),
        },
    );
    let paper = |draw, total_cents, numbers: &[u8]| DamagedReading {
        first_draw: Some(draw),
        last_draw: Some(draw),
        total_cents: Some(total_cents),
        sold_at: Some(7),
        numbers: numbers.to_vec(),
    };
    log.push(
        "read d",
        DamagedTicketRead {
            ticket: d,
            reading: paper(2, 150, &[5, 6, 7, 8]),
            device: 7,
            badge: "C142".to_owned(),
            second: "S201".to_owned(),
        },
    );
    log.push("present d", presented(d, 2, 2));
    log.push(
        "file h",
        FileOpened {
            ticket: Some(h),
            fits: 1,
            digits: 12,
            trace: [8; 32],
            reading: DamagedReading {
                sold_at: None,
                ..paper(3, 150, &[])
            },
            presented_by: "porteur".to_owned(),
            note: "brûlé".to_owned(),
            device: 7,
            badge: "C142".to_owned(),
        },
    );
    log.push("present h", presented(h, 3, 3));
    let mut body = presented(a, 2, 4);
    body.presented_at_ms = Some(FIRST_DAY_MS + 86_400_000);
    body.second = Some("S201".to_owned());
    log.push("present a afterwards", body);
    log.day = 20_260_301;
    let file = log.at("file h");
    log.push(
        "judge h",
        FileJudged {
            file,
            ticket: Some(h),
            is_paid: true,
            reason: 0,
            picture: [9; 32],
            note: "numéro lisible".to_owned(),
            by: "S201".to_owned(),
            second: "C143".to_owned(),
            third: Some("A401".to_owned()),
        },
    );
    let mut body = payment(&mut log, h, &[(3, 2, 150)]);
    body.tender = 2;
    body.second = None;
    body.path = 3;
    log.push("refund h", body);
    let mut body = payment(&mut log, d, &[(2, 1, 5_500)]);
    body.second = None;
    body.path = 2;
    log.push("pay d", body);
    let body = moved(&mut log, 2, 20_000);
    log.push("drop", body);
    // Whatever is counted, it is what the record expects that is judged; and the till goes on.
    log.push(
        "count",
        TillCounted {
            shift: 1,
            device: 7,
            counted_cents: 54_900,
            expected_cents: 50_000 + 1_850 - 100 - 200 + 80_000 - 62_260 - 8_015 - 5_500,
            reason: "monnaie contestée".to_owned(),
            by: "C142".to_owned(),
            second: "S201".to_owned(),
        },
    );
    leave(&mut log);
    // 50,000 of float, 1,850 of sales in cash less 100 cancelled and 200 unpaid, 100,000 filled
    // and 20,000 dropped, payments of 62,260 (the first one came back), 8,015 and 5,500, and
    // 1,000 dropped at the neighbour.
    log.push(
        "close shift",
        ShiftClosed {
            shift: 1,
            counted_cents: 54_000,
            expected_cents: 50_000 + 1_850 - 100 - 200 + 80_000 - 62_260 - 8_015 - 5_500 - 1_000,
            by: "C142".to_owned(),
            second: None,
            coupons: 2,
            coupon_cents: 1_000,
            chips: 1,
            chip_cents: 2_500,
        },
    );
    come_back(&mut log);
    log.push("book 2", book(2, 4));
    draw_on_hosts(&mut log);
    room::day(&mut log);
    log
}

/// Draw 4: the computer draws, and it and both holders are on hosts.
fn draw_on_hosts(log: &mut Log) {
    log.push("schedule 4", scheduled(4, 1, &["machine", "audit"]));
    log.push("commit 4.0", commit(4, 0, &ON_HOSTS[0]));
    log.push("commit 4.1", commit(4, 1, &ON_HOSTS[1]));
    log.push("hosts 4", hosts::named(4));
    log.push("open 4", DrawOpened { draw: 4 });
    log.push("close 4", close(4, 0, 0, 0));
    let seal = (log.size(), log.edge.root());
    let rule_book_hash = sha256(book_text(2).as_bytes());
    let body = DrawStarted {
        draw: 4,
        seal_size: seal.0,
        seal_root: seal.1,
        rule_book_hash,
    };
    log.push("start 4", body);
    let (balls, used, rejected) = draw_balls(4, seal, rule_book_hash, &ON_HOSTS);
    let body = BallsRecorded {
        draw: 4,
        machine: 1,
        balls: balls.clone(),
        words_used: used,
        words_rejected: rejected,
        secrets_hash: sha256(&ON_HOSTS.concat()),
    };
    log.push("balls 4", body);
    let body = hosts::signed(log, 4);
    log.push("signed 4", body);
    let certifiers = vec!["guard".to_owned()];
    let body = DrawCertified {
        draw: 4,
        certifiers,
    };
    log.push("certify 4", body);
    let secrets = ON_HOSTS.to_vec();
    log.push("secrets 4", SecretsRevealed { draw: 4, secrets });
    log.push("settle 4", settled(4, &balls, &[]).0);
}

/// A ticket is presented for one of its draws.
fn presented(ticket: u64, draw: u64, path: u8) -> ClaimPresented {
    ClaimPresented {
        ticket,
        draws: vec![draw],
        path,
        device: 7,
        badge: "C142".to_owned(),
        presented_at_ms: None,
        second: None,
    }
}

/// The counter is left in the middle of its shift, and a neighbour goes on.
fn leave(log: &mut Log) {
    log.push("end session", ended(1, 5));
    log.push(
        "hand over",
        DeviceHandedOver {
            device: 7,
            to: 8,
            shift: Some(1),
            reason: "imprimante".to_owned(),
            by: "C142".to_owned(),
            second: "S201".to_owned(),
        },
    );
    log.push("session at 8", opened(2, 8));
    let mut body = moved(log, 2, 1_000);
    body.key = CommandKey {
        device: 8,
        session: 2,
        counter: 1,
    };
    log.push("drop at 8", body);
}

/// The counter that was left is mended and serves again.
fn come_back(log: &mut Log) {
    log.push("end session at 8", ended(2, 1));
    log.push("device 7", counter(CAGE));
    log.push("session at 7", opened(3, 7));
}

/// Role of a device: a counter.
pub const COUNTER: u8 = 1;
/// Role of a device: a counter of the main cage.
pub const CAGE: u8 = 7;
/// Role of a device: a desk of the draws.
const DESK_ROLE: u8 = 5;
/// Number of the desk.
const DESK: u32 = 12;

/// People of the story, by the labels of their records, and their roles.
pub const PEOPLE: [(&str, &[u8]); 10] = [
    ("person A401", &[8]),
    ("person A402", &[8]),
    ("person C142", &[1]),
    ("person C143", &[1]),
    ("person S201", &[2]),
    ("person S202", &[2]),
    ("person M301", &[4]),
    ("person M302", &[5]),
    ("person T501", &[7]),
    ("person I601", &[6]),
];

/// The people and devices of the story.
pub fn staff(log: &mut Log) {
    for (label, roles) in PEOPLE {
        let badge = label.trim_start_matches("person ");
        let body = match roles {
            [8] => founder(badge),
            _ => person(badge, roles),
        };
        log.push(label, body);
    }
    log.push("counter", counter(CAGE));
    let desk = DeviceRecorded {
        device: DESK,
        ..counter(DESK_ROLE)
    };
    log.push("desk", desk);
    for device in [8, 9] {
        let neighbour = DeviceRecorded {
            device,
            ..counter(COUNTER)
        };
        log.push("neighbour", neighbour);
    }
}

/// The counter of the story, which pays what the main cage alone may pay.
fn counter(role: u8) -> DeviceRecorded {
    DeviceRecorded {
        device: 7,
        name: "T07".to_owned(),
        role,
        key_hash: [7; 32],
        active: true,
        by: "T501".to_owned(),
        second: "A401".to_owned(),
    }
}

/// Somebody as the two administrators record them.
pub fn person(badge: &str, roles: &[u8]) -> PersonRecorded {
    PersonRecorded {
        badge: badge.to_owned(),
        staff: format!("number of {badge}"),
        name: String::new(),
        roles: roles.to_vec(),
        credential: sha256(badge.as_bytes()),
        must_change: false,
        card: 0,
        active: true,
        by: "A401".to_owned(),
        second: "A402".to_owned(),
    }
}

/// One of the first two administrators.
fn founder(badge: &str) -> PersonRecorded {
    PersonRecorded {
        by: "console".to_owned(),
        second: String::new(),
        ..person(badge, &[8])
    }
}

fn opened(session: u64, device: u32) -> SessionOpened {
    SessionOpened {
        session,
        device,
        badge: "C142".to_owned(),
        token_hash: [1; 32],
    }
}

fn ended(session: u64, reason: u8) -> SessionEnded {
    SessionEnded {
        session,
        reason,
        by: "C142".to_owned(),
    }
}

pub fn book(version: u32, effective_from: u64) -> RuleBookPublished {
    book_of(version, effective_from, book_text(version))
}

/// A version with this text.
pub fn book_of(version: u32, effective_from: u64, text: String) -> RuleBookPublished {
    RuleBookPublished {
        version,
        effective_from,
        hash: sha256(text.as_bytes()),
        text,
        by: "A401".to_owned(),
        second: "A402".to_owned(),
    }
}

/// Two twos and a four of (1 2)(3 4): 2/2 at 0.50 and 1/4 at 1.00.
fn way() -> SelectionRecord {
    SelectionRecord {
        game: "keno".to_owned(),
        kind: 2,
        quick_pick: false,
        groups: vec![vec![1, 2], vec![3, 4]],
        kings: Vec::new(),
        conditioning: vec![line(2, 2, 50), line(1, 4, 100)],
    }
}

/// King 5 with (6 7)(8): the twos (6 7) and (5 8), and the four.
fn king() -> SelectionRecord {
    SelectionRecord {
        game: "keno".to_owned(),
        kind: 3,
        quick_pick: false,
        groups: vec![vec![6, 7], vec![8]],
        kings: vec![5],
        conditioning: vec![line(2, 2, 50), line(1, 4, 50)],
    }
}

fn line(ways: u32, spots: u8, wager_cents: i64) -> ConditioningRecord {
    ConditioningRecord {
        ways,
        spots,
        wager_cents,
    }
}

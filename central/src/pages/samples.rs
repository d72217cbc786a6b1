//! Views with known content, for tests and for the fixture server.

#![allow(missing_docs, dead_code)]

use keno_game::TicketState;
use keno_wire::reply::{
    Bilingual, CheckReply, CommitmentView, ConditioningView, DrawTime, DrawView, LeafRef, SealView,
    SelectionView, SettlementView, Snapshot, TicketDrawView, TicketView, VerdictView,
};
use keno_wire::request::PayItem;

use super::view::*;

/// 2026-11-20 21:04:36 in Toronto.
pub const NOW_MS: i64 = 1_795_226_676_000;

/// Minutes between draws.
const EVERY_MS: i64 = 240_000;

/// Twenty numbers in the order of their coming.
pub const BALLS: [u8; 20] = [
    12, 77, 4, 38, 55, 21, 9, 63, 70, 33, 48, 2, 80, 61, 17, 26, 44, 5, 59, 71,
];

pub fn both(fr: &str, en: &str) -> Bilingual {
    Bilingual {
        fr: fr.to_owned(),
        en: en.to_owned(),
    }
}

pub fn frame(path: &str) -> Frame {
    Frame {
        house_name: "Casino de démonstration".to_owned(),
        path: path.to_owned(),
        zone: chrono_tz::America::Toronto,
        form_token: "c0ffee".to_owned(),
    }
}

fn hex_of(seed: u64) -> String {
    (0..8_u64)
        .map(|part| {
            let mixed = (seed + part + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            format!("{:08x}", mixed >> 32)
        })
        .collect()
}

/// Draw 48213 is at 21:04:00; the others every four minutes.
pub fn draw_time(draw: u64) -> DrawTime {
    let draws_at_ms = 1_795_226_640_000 + (draw as i64 - 48_213) * EVERY_MS;
    DrawTime {
        draw,
        draws_at_ms,
        local: super::format::moment(draws_at_ms, chrono_tz::America::Toronto)[..16].to_owned(),
        zone_mark: String::new(),
    }
}

/// Twenty numbers that follow from the draw's number.
pub fn balls_of(draw: u64) -> Vec<u8> {
    if draw == 48_213 {
        return BALLS.to_vec();
    }
    let mut bag: Vec<u8> = (1..=80).collect();
    let mut state = draw.wrapping_mul(0x2545_f491_4f6c_dd1d);
    (0..20)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bag.swap_remove((state % bag.len() as u64) as usize)
        })
        .collect()
}

pub fn draw(number: u64, state: &str, shown: usize) -> DrawView {
    let time = draw_time(number);
    let at = |kind: &str, leaf: u64, after_ms: i64| LeafRef {
        kind: kind.to_owned(),
        leaf: 9_118_000 + leaf,
        at_ms: time.draws_at_ms + after_ms,
    };
    let done = matches!(state, "official" | "settled");
    let sealed = !matches!(state, "scheduled" | "open");
    DrawView {
        state: state.into(),
        closes_at_ms: time.draws_at_ms - 15_000,
        source: "computer".into(),
        ball_set: None,
        balls: balls_of(number).into_iter().take(shown).collect(),
        drawn: 20,
        pool: 80,
        cap_cents: 5_000_000,
        commitments: ["Ordinateur de tirage", "Bureau de la vérification"]
            .iter()
            .zip(1_u64..)
            .map(|(holder, place)| CommitmentView {
                holder: (*holder).to_owned(),
                commitment: hex_of(number * 10 + place),
                secret: done.then(|| hex_of(number * 1_000 + place)),
            })
            .collect(),
        seal: sealed.then(|| SealView {
            size: 9_118_204,
            root: hex_of(number),
            tickets: 143,
        }),
        settlement: (state == "settled").then(|| SettlementView {
            winners: 31,
            computed_cents: 128_450,
            payable_cents: 128_450,
            large_factor: "1/1".to_owned(),
            small_factor: "1/1".to_owned(),
            breakage_cents: 0,
            prize_root: hex_of(number * 7),
        }),
        leaves: if done {
            vec![
                at("CommitmentRecorded", 1, -600_000),
                at("DrawOpened", 2, -240_000),
                at("DrawClosed", 204, -15_000),
                at("DrawStarted", 205, -14_800),
                at("BallsRecorded", 206, -14_600),
                at("DrawCertified", 209, 47_300),
                at("SecretsRevealed", 210, 47_500),
                at("DrawSettled", 212, 48_100),
            ]
        } else {
            Vec::new()
        },
        draw: time,
    }
}

pub fn snapshot() -> Snapshot {
    Snapshot {
        seq: 1,
        central_ms: NOW_MS,
        house_name: "Casino de démonstration".to_owned(),
        current: Some(draw(48_213, "drawing", 14)),
        next: Some(draw(48_214, "open", 0)),
        last: (48_207..=48_212)
            .rev()
            .map(|number| draw(number, "settled", 20))
            .collect(),
        sales_suspended: false,
        ball_interval_ms: 2_000,
        cap_cents: 5_000_000,
    }
}

pub fn board() -> BoardView {
    BoardView {
        frame: frame("/board"),
        snapshot: Some(snapshot()),
        live_path: "/live".to_owned(),
        prizes: Some(prizes()),
    }
}

/// Invented prizes, for the look of a table only: no rule book and no return of any house.
pub fn prizes() -> PrizeTables {
    const PAYS: [&[(u8, u64)]; 10] = [
        &[(1, 300)],
        &[(2, 1_200)],
        &[(2, 100), (3, 4_200)],
        &[(2, 100), (3, 400), (4, 11_000)],
        &[(3, 200), (4, 2_000), (5, 45_000)],
        &[(3, 100), (4, 600), (5, 5_500), (6, 160_000)],
        &[(3, 50), (4, 300), (5, 1_500), (6, 12_500), (7, 400_000)],
        &[(4, 200), (5, 900), (6, 7_500), (7, 80_000), (8, 1_000_000)],
        &[
            (0, 200),
            (5, 500),
            (6, 4_000),
            (7, 25_000),
            (8, 250_000),
            (9, 2_000_000),
        ],
        &[
            (0, 500),
            (5, 200),
            (6, 1_500),
            (7, 7_500),
            (8, 50_000),
            (9, 400_000),
            (10, 2_500_000),
        ],
    ];
    let tables = PAYS
        .iter()
        .zip(1_u8..)
        .map(|(pays, spots)| SpotTable {
            spots,
            pays: pays.to_vec(),
            return_exact: if spots == 1 {
                "3/4".to_owned()
            } else {
                "31917874867/43328739740".to_owned()
            },
            return_percent: if spots == 1 {
                "75.00".to_owned()
            } else {
                "73.66".to_owned()
            },
            lowest_exact: "7667252348/10832184935".to_owned(),
            lowest_percent: "70.78".to_owned(),
        })
        .collect();
    PrizeTables {
        version: 1,
        effective_from: 1,
        hash: hex_of(12),
        pool: 80,
        drawn: 20,
        cap_cents: 5_000_000,
        full_below_cents: 100_000,
        selections_max: 4,
        draws_max: 20,
        claim_days: 365,
        claim_place: both("Comptoirs Keno", "Keno counters"),
        rules_place: both("comptoir et borne Keno", "Keno counter and kiosk"),
        games: vec![GamePrizes {
            code: "keno".to_owned(),
            name: both("Keno", "Keno"),
            spots: Some((1, 10)),
            set: None,
            wager_min_cents: 100,
            wager_max_cents: 2_000,
            wager_step_cents: 50,
            tables,
        }],
    }
}

/// The same with two named sets, each a game of its own, and one beside other types.
pub fn prizes_with_sets() -> PrizeTables {
    let mut prizes = prizes();
    let mut table = prizes.games[0].tables[0].clone();
    table.spots = 40;
    table.pays = (11..=20).map(|catch| (catch, 200)).collect();
    let mut game = GamePrizes {
        spots: None,
        tables: vec![table],
        ..prizes.games[0].clone()
    };
    for (code, name, numbers) in [
        (
            "heads",
            both("Face", "Heads"),
            (1..=40).collect::<Vec<u8>>(),
        ),
        (
            "evens",
            both("Numéros pairs", "Even numbers"),
            (2..=80).step_by(2).collect(),
        ),
    ] {
        game.code = code.to_owned();
        game.name = name;
        game.set = Some(numbers);
        prizes.games.push(game.clone());
    }
    prizes.games[0].set = Some((71..=80).collect());
    prizes
}

pub fn ticket() -> TicketView {
    let selection =
        |kind: &str, quick_pick, groups: Vec<Vec<u8>>, lines: &[(u32, u8, i64)], per| {
            SelectionView {
                game: "keno".to_owned(),
                game_name: both("Keno", "Keno"),
                kind: kind.into(),
                quick_pick,
                groups,
                kings: Vec::new(),
                conditioning: lines
                    .iter()
                    .map(|(ways, spots, wager_cents)| ConditioningView {
                        ways: *ways,
                        spots: *spots,
                        wager_cents: *wager_cents,
                    })
                    .collect(),
                per_draw_cents: per,
            }
        };
    TicketView {
        ticket: 9_118_190,
        house_name: "Casino de démonstration".to_owned(),
        control_number: "0731552890146663".to_owned(),
        claim_code: None,
        copy: 1,
        selections: vec![
            selection(
                "straight",
                true,
                vec![vec![7, 18, 33, 42, 71]],
                &[(1, 5, 200)],
                200,
            ),
            selection(
                "way",
                false,
                vec![vec![3, 14, 22, 29], vec![40, 51, 66, 80]],
                &[(2, 4, 100), (1, 8, 100)],
                300,
            ),
        ],
        first: draw_time(48_214),
        last: draw_time(48_218),
        draws: 5,
        per_draw_cents: 500,
        total_cents: 2_500,
        tender: "cash".into(),
        received_cents: 4_000,
        change_cents: 1_500,
        sold_at_ms: NOW_MS + 36_014,
        sold_at_local: "2026-11-20 21:05:12".to_owned(),
        cap_cents: 5_000_000,
        claim_by: "2027-11-20".to_owned(),
        claim_place: both("Comptoirs Keno", "Keno counters"),
        cage_from_cents: 500_000,
        cage_place: both("Caisse principale", "Main cage"),
        rules_place: both("comptoir et borne Keno", "Keno counter and kiosk"),
        notice: both("Démonstration.", "Demonstration."),
        rule_book: 1,
        terminal: "T07".to_owned(),
        badge: "C142".to_owned(),
        intake: "slip".into(),
    }
}

fn ticket_draw(
    number: u64,
    state: &str,
    balls: Vec<u8>,
    caught: Vec<u8>,
    cents: i64,
) -> TicketDrawView {
    TicketDrawView {
        draw: draw_time(number),
        state: state.into(),
        balls,
        caught,
        computed_cents: cents,
        payable_cents: cents,
        kind: if cents > 0 { "prize" } else { "none" }.into(),
        payment: if cents > 0 { "unpaid" } else { "none" }.into(),
    }
}

pub fn winner() -> CheckReply {
    let first = vec![
        7, 18, 33, 2, 4, 9, 11, 16, 20, 27, 30, 36, 45, 49, 52, 58, 60, 63, 75, 79,
    ];
    let second = vec![
        7, 18, 33, 42, 71, 3, 14, 22, 5, 10, 12, 25, 37, 46, 48, 53, 61, 68, 70, 77,
    ];
    CheckReply {
        verdict: VerdictView {
            code: "winner".into(),
            sentence: both(
                "Billet gagnant\u{a0}: 34,00\u{a0}$",
                "Winning ticket: $34.00",
            ),
        },
        payable_cents: Some(3_400),
        payable: vec![
            PayItem {
                draw: 48_214,
                amount_cents: 400,
            },
            PayItem {
                draw: 48_215,
                amount_cents: 3_000,
            },
        ],
        ticket: Some(ticket()),
        draws: vec![
            ticket_draw(48_214, "settled", first, vec![3, 0], 400),
            ticket_draw(48_215, "settled", second, vec![5, 3], 3_000),
            ticket_draw(48_216, "being_verified", Vec::new(), Vec::new(), 0),
            ticket_draw(48_217, "to_come", Vec::new(), Vec::new(), 0),
            ticket_draw(48_218, "to_come", Vec::new(), Vec::new(), 0),
        ],
        state: Some("sold".into()),
        second_person: false,
        cancel_by_two: false,
        code_needed: false,
        till_short: false,
        for_the_cage: false,
        patron_refused: None,
    }
}

pub fn bare_verdict(code: &str) -> CheckReply {
    CheckReply {
        verdict: VerdictView {
            code: code.into(),
            sentence: both(
                &format!("{code} en français"),
                &format!("{code} in English"),
            ),
        },
        payable_cents: None,
        payable: Vec::new(),
        ticket: None,
        draws: Vec::new(),
        state: None,
        second_person: false,
        cancel_by_two: false,
        code_needed: false,
        till_short: false,
        for_the_cage: false,
        patron_refused: None,
    }
}

pub fn check(reply: Option<CheckReply>) -> CheckView {
    CheckView {
        frame: frame("/check"),
        reply,
        next: Some(draw_time(48_214)),
        last: Some(draw(48_213, "settled", 20)),
        hide_from_cents: 100_000,
    }
}

pub fn draws() -> DrawsView {
    let mut draws: Vec<_> = (48_204..=48_213)
        .rev()
        .map(|number| draw(number, "settled", 20))
        .collect();
    if let Some(first) = draws.first_mut() {
        *first = draw(48_213, "drawing", 14);
    }
    if let Some(void) = draws.get_mut(4) {
        *void = draw(void.draw.draw, "void", 0);
    }
    if let Some(machine) = draws.get_mut(6) {
        machine.source = "balls".into();
    }
    DrawsView {
        frame: frame("/draws"),
        draws,
        next: Some(draw(48_214, "open", 0)),
        older_from: Some(48_203),
        newer_from: None,
    }
}

pub fn draw_page() -> DrawPageView {
    DrawPageView {
        hosts: Vec::new(),
        frame: frame("/draws/48213"),
        draw: draw(48_213, "settled", 20),
        rule_book: 1,
        rule_book_hash: hex_of(12),
        commands: vec!["keno-audit draw --log https://keno.example/log --draw 48213".to_owned()],
        previous: Some(48_212),
        following: Some(48_214),
    }
}

pub fn home() -> HomeView {
    HomeView {
        frame: frame("/"),
        next: Some(draw(48_214, "open", 0)),
        last: Some(draw(48_213, "settled", 20)),
        checkpoint: Some((9_118_212, hex_of(3))),
        cosigned: vec![
            ("audit-office".to_owned(), Some(9_118_207)),
            ("university.example".to_owned(), None),
        ],
    }
}

pub fn sign_in() -> SignInView {
    SignInView {
        frame: frame("/audit/sign-in"),
        refusal: Some(both("Insigne ou NIP refusé.", "Badge or PIN refused.")),
        badge: "A007".to_owned(),
    }
}

fn evaluation(reply: &CheckReply) -> Vec<EvaluationLine> {
    let mut out = Vec::new();
    for draw in &reply.draws {
        for (selection, numbers) in [
            (0_u8, vec![7, 18, 33, 42, 71]),
            (1, vec![3, 14, 22, 29, 40, 51, 66, 80]),
        ] {
            let settled = draw.state == "settled";
            let cents = if selection == 0 {
                draw.payable_cents
            } else {
                0
            };
            let caught = draw
                .caught
                .get(usize::from(selection))
                .copied()
                .unwrap_or(0);
            out.push(EvaluationLine {
                draw: draw.draw.clone(),
                selection,
                catches: if settled {
                    format!("{caught}/{}", numbers.len())
                } else {
                    String::new()
                },
                numbers,
                balls: draw.balls.clone(),
                stored_cents: settled.then_some(cents),
                recomputed_cents: settled.then_some(cents),
                before_cap_cents: None,
                payment: if cents > 0 { "unpaid" } else { "none" }.into(),
            });
        }
    }
    out
}

pub fn audit() -> AuditView {
    let reply = winner();
    let life = |after_ms: i64, kind: &str, leaf: Option<u64>, by: &str, detail: &str| LifeLine {
        at_ms: NOW_MS + after_ms,
        kind: kind.to_owned(),
        leaf,
        by: by.to_owned(),
        detail: both(detail, detail),
    };
    AuditView {
        frame: frame("/audit"),
        badge: "A007".to_owned(),
        purpose: Some(Purpose::Complaint),
        searched: "0731552890146663".to_owned(),
        found: AuditFinding::Ticket(Box::new(AuditTicket {
            verdict: reply.verdict.clone(),
            ticket: ticket(),
            state: TicketState::Sold,
            held: false,
            life: vec![
                life(
                    36_014,
                    "TicketSold",
                    Some(9_118_190),
                    "T07, C142",
                    "25,00\u{a0}$",
                ),
                life(
                    36_902,
                    "PrintConfirmed",
                    Some(9_118_191),
                    "T07",
                    "écho a7k2",
                ),
                life(189_000, "DrawClosed", Some(9_118_204), "", "048\u{a0}214"),
                life(
                    251_300,
                    "DrawCertified",
                    Some(9_118_209),
                    "",
                    "048\u{a0}214",
                ),
                life(252_100, "DrawSettled", Some(9_118_212), "", "048\u{a0}214"),
                life(1_586_000, "Checked", None, "K2", ""),
            ],
            evaluation: evaluation(&reply),
            recomputed_by: Some(Bilingual {
                fr: "Recalculé à partir de la feuille du billet.".to_owned(),
                en: "Computed again from the ticket's leaf.".to_owned(),
            }),
            money: vec![MoneyLine {
                at_ms: NOW_MS + 36_014,
                kind: "TicketSold".to_owned(),
                amount_cents: 2_500,
                tender: "cash".into(),
                terminal: "T07".to_owned(),
                shift: Some(2),
                badges: vec!["C142".to_owned()],
            }],
            integrity: Integrity {
                leaf: 9_118_190,
                leaf_hash: hex_of(99),
                checkpoint_size: 9_118_212,
                checkpoint_root: hex_of(3),
                included: Some(true),
                path: (0..12).map(hex_of).collect(),
            },
            before: Some("#94 · •••• •••• •••• 6651 · T02 · 2026-07-28 12:00:00".to_owned()),
            after: None,
            replay_of: None,
            incidents: Vec::new(),
            looked_at_ms: NOW_MS + 1_700_000,
        })),
        refusal: None,
    }
}

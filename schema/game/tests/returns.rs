//! Returns against published tables, and the gate of s. 85.
#![allow(clippy::unwrap_used, reason = "a helper of a test fails by panicking")]

use crate::common::{CHOSEN, cents, demonstration, georgia, georgia_book, table};
use keno_game::returns::{
    RETURN_FLOOR, ReturnError, hypergeometric, return_of_ticket, return_rate,
};
use keno_game::{
    Carried, Cents, CertificateLine, Fraction, PayTable, Pool, RuleFaultCode, SpotsAllowed,
};

struct Published {
    name: String,
    pool: Pool,
    table: PayTable,
    exact: String,
    percent: String,
    passes: bool,
}

fn published() -> Vec<Published> {
    let text = include_str!("data/paytables.json");
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    let number = |value: &serde_json::Value| u8::try_from(value.as_u64().unwrap()).unwrap();
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let spots = number(&entry["spots"]);
            let pays: Vec<(u8, &str)> = entry["pays"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(catch, pays)| (catch.parse().unwrap(), pays.as_str().unwrap()))
                .collect();
            Published {
                name: format!("{} {spots}", entry["table"]),
                pool: Pool::new(number(&entry["pool"]), number(&entry["drawn"])).unwrap(),
                table: table(spots, &pays),
                exact: entry["rtp_exact"].as_str().unwrap().to_owned(),
                percent: entry["rtp_percent"].to_string(),
                passes: entry["passes_65"].as_bool().unwrap(),
            }
        })
        .collect()
}

#[test]
fn every_published_table_returns_its_exact_fraction() {
    let tables = published();
    assert!(tables.len() >= 20);
    for entry in &tables {
        let rate = return_rate(&entry.table, entry.pool);
        assert_eq!(rate.to_string(), entry.exact, "{}", entry.name);
        assert_eq!(rate >= RETURN_FLOOR, entry.passes, "{}", entry.name);
        // The published percentage is rounded and ours is cut: at most one apart
        // in the sixth decimal.
        let millionths = |text: &str| {
            let (whole, part) = text.split_once('.').unwrap();
            format!("{whole}{part:0<6}").parse::<i64>().unwrap()
        };
        let (cut, rounded) = (
            millionths(&rate.percent_text(6)),
            millionths(&entry.percent),
        );
        assert!((0..=1).contains(&(rounded - cut)), "{}", entry.name);
        // One planted hundredth more on the top catch is another fraction.
        let mut pays: Vec<_> = entry.table.paying().collect();
        let top = pays.last_mut().unwrap();
        top.1 = keno_game::Pays::from_hundredths(top.1.hundredths() + 1);
        let planted = PayTable::new(entry.table.spots(), &pays).unwrap();
        assert!(return_rate(&planted, entry.pool) > rate);
    }
}

#[test]
fn michigan_five_rounds_to_65_and_is_below_it() {
    let michigan = table(5, &[(3, "2"), (4, "18"), (5, "410")]);
    let rate = return_rate(&michigan, Pool::TWENTY_OF_EIGHTY);
    assert_eq!(rate.to_string(), "1335/2054");
    assert_eq!(rate.percent_text(6), "64.995131");
    assert_eq!(rate.percent_text(2), "64.99", "cut, never rounded to 65.00");
    assert!(rate < RETURN_FLOOR);

    let mut book = demonstration();
    book.games[0].tables[4] = michigan;
    let faults = book.check().unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].path, "games[0].tables[4].pays");
    assert_eq!(faults[0].code, RuleFaultCode::ReturnBelowFloor);
    assert_eq!(faults[0].line.as_ref().unwrap().rate, rate);
    assert!(
        faults[0]
            .to_string()
            .contains("return 1335/2054 (64.995131 %)"),
        "{}",
        faults[0]
    );
}

#[test]
fn the_row_of_ten_spots_is_exact() {
    let row: [u128; 11] = [
        75_394_027_566,
        295_662_853_200,
        486_137_960_550,
        440_275_888_800,
        242_559_401_700,
        84_675_282_048,
        18_900_732_600,
        2_652_734_400,
        222_966_900,
        10_077_600,
        184_756,
    ];
    let mut sum = 0;
    for (catch, wanted) in (0u8..).zip(row) {
        let (draws, all) = hypergeometric(Pool::TWENTY_OF_EIGHTY, 10, catch);
        assert_eq!(all, 3_535_316_142_212_174_320);
        let chance = Fraction::new(draws, all).unwrap();
        assert_eq!(chance, Fraction::new(wanted, 1_646_492_110_120).unwrap());
        sum += draws;
    }
    assert_eq!(sum, 3_535_316_142_212_174_320);
}

#[test]
fn the_chances_of_every_spot_count_of_both_pools_sum_to_one() {
    for pool in [Pool::TWENTY_OF_EIGHTY, Pool::TWENTY_OF_SEVENTY] {
        for spots in 0..=pool.size() {
            let (_, all) = hypergeometric(pool, spots, 0);
            let sum: u128 = (0..=20).map(|k| hypergeometric(pool, spots, k).0).sum();
            assert_eq!(sum, all, "{spots} spots");
        }
        assert_eq!(hypergeometric(pool, pool.size() + 1, 0).0, 0);
        assert_eq!(hypergeometric(pool, 10, 21).0, 0);
        assert_eq!(hypergeometric(pool, 3, 4).0, 0);
    }
}

#[test]
fn georgia_is_lawful_at_10_and_not_at_20_in_one_selection_or_two() {
    let rate = |wager: &str, copies| {
        return_of_ticket(
            &georgia(),
            Pool::TWENTY_OF_EIGHTY,
            &[(cents(wager), copies)],
            cents("50000.00"),
            cents("1000.00"),
        )
        .unwrap()
    };
    assert_eq!(rate("1.00", 1).to_string(), "271803/417989");
    assert_eq!(rate("10.00", 1).to_string(), "271803/417989");
    assert!(rate("10.00", 1) >= RETURN_FLOOR);
    assert_eq!(rate("20.00", 1).to_string(), "19731/32153");
    assert_eq!(rate("10.00", 2).to_string(), "19731/32153");
    assert_eq!(rate("5.00", 4).to_string(), "19731/32153");
    assert_eq!(rate("20.00", 1).percent_text(3), "61.365");
    // A calculator that ignores the cap would pass it.
    let without_cap = return_rate(&georgia(), Pool::TWENTY_OF_EIGHTY);
    assert!(without_cap >= RETURN_FLOOR);
}

/// The wagers of a ticket that a line names, as [`return_of_ticket`] takes them.
fn carried(line: &CertificateLine) -> Vec<(Cents, u64)> {
    let Carried::Ticket(wagers) = &line.carried else {
        panic!("no ticket is named: {line:?}");
    };
    wagers.iter().map(|one| (one.wager, one.copies)).collect()
}

#[test]
fn a_book_with_georgia_is_judged_by_what_one_ticket_may_carry() {
    let certificate = georgia_book("10.00", "10.00").check().unwrap();
    assert_eq!(certificate.lowest.rate.to_string(), "271803/417989");
    assert_eq!(certificate.lines.len(), 20);

    for (max, same_numbers) in [("20.00", "20.00"), ("10.00", "20.00"), ("5.00", "20.00")] {
        let book = georgia_book(max, same_numbers);
        let faults = book.check().unwrap_err();
        assert_eq!(faults.len(), 1, "{max}");
        assert_eq!(faults[0].path, "games[0].tables[0].pays");
        let line = faults[0].line.as_ref().unwrap();
        // 20.00 in whatever wagers: each has 2,500 for one, a whole share of the cap.
        assert_eq!(line.rate.to_string(), "19731/32153", "{max}");
        let direct = return_of_ticket(
            &georgia(),
            book.pool,
            &carried(line),
            book.cap,
            book.cap_threshold,
        );
        assert_eq!(direct, Ok(line.rate), "{max}");
    }
    // With one selection a slip nothing can be carried twice.
    let mut book = georgia_book("10.00", "20.00");
    book.limits.selections_max = 1;
    assert!(book.check().is_ok());
    let mut book = georgia_book("20.00", "20.00");
    book.limits.selections_max = 1;
    let faults = book.check().unwrap_err();
    let line = faults[0].line.as_ref().unwrap();
    assert_eq!(line.rate.to_string(), "19731/32153");
    assert_eq!(carried(line), [(cents("20.00"), 1)]);
}

/// A book that was once published: each wager in its copies, and the fullest ticket of equal
/// wagers, return 65 % and more, and a ticket of 2.50 and 1.50 does not.
#[test]
fn unequal_wagers_on_the_same_numbers_are_judged() {
    let mut book = georgia_book("2.50", "4.00");
    let five = table(5, &[(1, "0.25"), (3, "4.64"), (4, "12.75"), (5, "450")]);
    let game = &mut book.games[0];
    game.tables = vec![five.clone()];
    let spots = SpotsAllowed { min: 5, max: 5 };
    game.types = CHOSEN.map(|kind| (kind, spots)).into();
    (book.cap, book.cap_threshold) = (cents("50.00"), Cents::ZERO);
    book.limits.selections_max = 2;
    for (wager, copies) in [
        ("0.50", 2),
        ("1.00", 2),
        ("1.50", 2),
        ("2.00", 2),
        ("2.50", 1),
    ] {
        let copies = return_of_ticket(
            &five,
            book.pool,
            &[(cents(wager), copies)],
            book.cap,
            book.cap_threshold,
        );
        assert!(copies.unwrap() >= RETURN_FLOOR, "{wager}");
    }
    let faults = book.check().unwrap_err();
    assert_eq!(faults.len(), 1);
    let line = faults[0].line.as_ref().unwrap();
    assert_eq!(line.rate.to_string(), "149313/230048");
    assert_eq!(line.rate.percent_text(4), "64.9051");
    assert_eq!(carried(line), [(cents("1.50"), 1), (cents("2.50"), 1)]);
    assert_eq!(
        faults[0].to_string(),
        "games[0].tables[0].pays: return_below_floor: 5 spots, ticket of 1 x 1.50 + 1 x 2.50, \
         return 149313/230048 (64.905150 %)"
    );
}

#[test]
fn the_fullest_ticket_is_judged_even_if_equal_wagers_miss_it() {
    // Three selections, 5.00 to 7.00 by 1.00, at most 16.00: equal wagers reach
    // 15.00 (5, 5, 5) while 6, 5, 5 reaches 16.00.
    let mut book = georgia_book("7.00", "16.00");
    book.limits.selections_max = 3;
    book.games[0].wager.step = cents("1.00");
    book.games[0].wager.min = cents("5.00");
    book.cap = cents("60000.00");
    let faults = book.check().unwrap_err();
    let line = faults[0].line.as_ref().unwrap();
    assert_eq!(carried(line), [(cents("5.00"), 2), (cents("6.00"), 1)]);
    let direct = return_of_ticket(
        &georgia(),
        book.pool,
        &carried(line),
        book.cap,
        book.cap_threshold,
    );
    assert_eq!(direct, Ok(line.rate));
    // 60,000.00 covers 15.00 × 4,000, so the equal wagers alone would pass.
    book.games[0].wager.same_numbers_max = cents("15.00");
    assert!(book.check().is_ok());
}

/// A second game stands on the same ticket, on the same numbers: each is lawful alone.
#[test]
fn two_games_on_the_same_numbers_share_the_cap() {
    let mut book = georgia_book("10.00", "19.50");
    book.limits.selections_max = 2;
    book.games[0].wager.min = cents("10.00");
    assert!(book.check().is_ok());
    let mut special = book.games[0].clone();
    special.code = "special".to_owned();
    (special.wager.min, special.wager.max) = (cents("5.00"), cents("5.00"));
    let mut alone = book.clone();
    alone.games = vec![special.clone()];
    assert!(alone.check().is_ok());
    book.games.push(special);
    let faults = book.check().unwrap_err();
    let tickets = [
        "1 x 10.00 + 1 x 5.00 (special)",
        "1 x 10.00 (keno) + 1 x 5.00",
    ];
    assert_eq!(faults.len(), tickets.len());
    for (fault, ticket) in faults.iter().zip(tickets) {
        let words = format!("7 spots, ticket of {ticket}, return");
        assert!(fault.to_string().contains(&words), "{fault}");
    }
    // The lower limit of both holds.
    book.games[1].wager.same_numbers_max = cents("14.50");
    assert!(book.check().is_ok());
}

/// Too many tickets to settle: the bound, which is the truth where shares are whole.
#[test]
fn many_tickets_are_judged_by_a_bound() {
    let mut book = georgia_book("20.00", "20.00");
    book.games[0].wager.step = cents("0.05");
    book.games[0].wager.min = cents("0.05");
    let faults = book.check().unwrap_err();
    let line = faults[0].line.as_ref().unwrap();
    let most = Carried::UpTo {
        selections: 4,
        total: cents("20.00"),
    };
    assert_eq!((line.wager, &line.carried), (cents("0.05"), &most));
    // Three cents less of 50,000.00 at 7 of 7, which happens once in 40,979.
    let lost = Fraction::new(3, 2_000 * 40_979).unwrap();
    let sum = Fraction::new(
        line.rate.numerator * lost.denominator + lost.numerator * line.rate.denominator,
        line.rate.denominator * lost.denominator,
    );
    let whole = Fraction::new(19_731, 32_153).unwrap();
    assert!(sum.unwrap() >= whole && line.rate < whole, "{line:?}");
    // Lawful at 10.00, however many the tickets are.
    book.games[0].wager.max = cents("10.00");
    book.games[0].wager.same_numbers_max = cents("10.00");
    let certificate = book.check().unwrap();
    assert_eq!(certificate.lowest.rate.to_string(), "271803/417989");
    assert_eq!(certificate.lines.len(), 200);
}

#[test]
fn a_book_asks_for_no_more_returns_than_can_be_judged() {
    let mut book = demonstration();
    let wager = &mut book.games[0].wager;
    (wager.step, wager.min) = (cents("0.01"), cents("0.50"));
    wager.max = cents("100.00");
    wager.same_numbers_max = cents("100.00");
    book.cap = cents("10000000.00");
    // 9,951 wagers × 10 tables, and once more: below and above 200,000.
    let certificate = book.check().unwrap();
    assert_eq!(certificate.lines.len(), 99_510);
    for code in ["two", "three"] {
        let mut game = book.games[0].clone();
        game.code = code.to_owned();
        book.games.push(game);
    }
    let faults = book.check().unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].code, RuleFaultCode::ReturnsTooMany);
    assert_eq!(faults[0].path, "games");
}

#[test]
fn floors_count_against_small_wagers() {
    // 3.50 for one on 0.01 is 0.03, not 0.035.
    let three_and_a_half = table(1, &[(1, "3.50")]);
    let rate = |wager: &str| {
        return_of_ticket(
            &three_and_a_half,
            Pool::TWENTY_OF_EIGHTY,
            &[(cents(wager), 1)],
            cents("50000.00"),
            cents("1000.00"),
        )
        .unwrap()
    };
    assert_eq!(rate("0.01").to_string(), "3/4");
    assert_eq!(rate("0.02").to_string(), "7/8");
}

#[test]
fn nothing_wagered_and_what_can_t_be_counted_are_told() {
    let pool = Pool::TWENTY_OF_EIGHTY;
    let rate = |wager, copies| {
        return_of_ticket(
            &georgia(),
            pool,
            &[(Cents::new(wager), copies)],
            cents("50000.00"),
            cents("1000.00"),
        )
    };
    assert_eq!(rate(0, 1), Err(ReturnError::NothingWagered));
    assert_eq!(rate(-100, 1), Err(ReturnError::NothingWagered));
    assert_eq!(rate(100, 0), Err(ReturnError::NothingWagered));
    assert_eq!(rate(100, u64::MAX), Err(ReturnError::Overflow));
    assert_eq!(
        return_of_ticket(&georgia(), pool, &[], Cents::ZERO, Cents::ZERO),
        Err(ReturnError::NothingWagered)
    );
}

#[test]
fn fractions_compare_beyond_128_bits() {
    let big = u128::MAX;
    let below = Fraction::new(big - 2, big - 1).unwrap();
    let above = Fraction::new(big - 1, big).unwrap();
    let third = Fraction::new(big / 3, big).unwrap();
    assert!(below < above);
    assert!(above > below);
    assert!(third < below);
    assert_eq!(above.cmp(&above), std::cmp::Ordering::Equal);
    assert_eq!(Fraction::new(1, 0), None);
    assert_eq!(Fraction::new(0, 7), Some(Fraction::ZERO));
    assert_eq!(above.percent_text(4), "99.9999");
    assert_eq!(Fraction::new(13, 20).unwrap(), RETURN_FLOOR);
    assert_eq!(RETURN_FLOOR.percent_text(0), "65");
    assert_eq!(Fraction::new(7, 2).unwrap().percent_text(1), "350.0");
}

//! The exact return of every line of a rule book, with the cap applied (s. 85).
//!
//! A line is a game, a number of spots and a permitted wager. It is evaluated for a ticket with
//! one such selection, and for a ticket that carries as much on the same numbers as it may: as
//! many selections of the wager as a slip has and the limit lets in, and one more with what is
//! left if that is a permitted wager. The ticket is alone in the draw, so that the cap is all its own: other winners can only lower it.

use std::fmt;

use crate::prizes::{Cap, Factors};
use crate::rule_book::{Game, RuleBook};

/// The least return, in hundredths of the wager (s. 85).
pub const LEAST_PERCENT: u128 = 65;

/// A return as an exact fraction, reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction {
    /// Numerator.
    pub numerator: u128,
    /// Denominator, never 0.
    pub denominator: u128,
}

impl Fraction {
    fn reduced(numerator: u128, denominator: u128) -> Self {
        let divisor = greatest_common_divisor(numerator, denominator).max(1);
        Self {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        }
    }

    /// Whether it is below [`LEAST_PERCENT`], compared as fractions.
    #[must_use]
    pub fn is_below_least(&self) -> bool {
        match (
            self.numerator.checked_mul(100),
            self.denominator.checked_mul(LEAST_PERCENT),
        ) {
            (Some(left), Some(right)) => left < right,
            // Too large to compare is too large to certify.
            _ => true,
        }
    }

    fn is_below(&self, other: &Self) -> bool {
        let left = self.numerator.checked_mul(other.denominator);
        let right = other.numerator.checked_mul(self.denominator);
        match (left, right) {
            (Some(left), Some(right)) => left < right,
            _ => self.percent_millionths() < other.percent_millionths(),
        }
    }

    /// The percentage in millionths of a percent, rounded down.
    #[must_use]
    pub fn percent_millionths(&self) -> u128 {
        let whole = self.numerator / self.denominator;
        let rest = self.numerator % self.denominator;
        let scale = 100_000_000;
        match rest.checked_mul(scale) {
            Some(scaled) => whole * scale + scaled / self.denominator,
            None => whole * scale + rest / (self.denominator / scale).max(1),
        }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.percent_millionths();
        let (whole, decimals) = (percent / 1_000_000, percent % 1_000_000);
        write!(
            formatter,
            "{}/{} ({whole}.{decimals:06} %)",
            self.numerator, self.denominator
        )
    }
}

/// The return of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Code of the game.
    pub game: String,
    /// Number of spots.
    pub spots: u8,
    /// Wagers of the ticket on the same numbers, in cents, each with how many times.
    pub wagers: Vec<(i64, u64)>,
    /// What comes back of one unit wagered.
    pub rate: Fraction,
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} spots", self.game, self.spots)?;
        for (wager, times) in &self.wagers {
            write!(formatter, " {times}x{}", crate::report::money_plain(*wager))?;
        }
        write!(formatter, ": {}", self.rate)
    }
}

/// Why the returns of a book cannot be stated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReturnFault {
    /// A line whose figures are beyond exact arithmetic.
    #[error("game {game}, {spots} spots: the figures are too large")]
    TooLarge {
        /// Code of the game.
        game: String,
        /// Number of spots.
        spots: u8,
    },
    /// A selection may be played that no pay table pays.
    #[error("game {game}: {spots} spots may be played but have no prize table")]
    TableMissing {
        /// Code of the game.
        game: String,
        /// Number of spots.
        spots: u8,
    },
}

/// The return of every line, in the order of the book.
///
/// # Errors
/// A [`ReturnFault`] when a line cannot be evaluated.
pub fn returns(book: &RuleBook) -> Result<Vec<Line>, ReturnFault> {
    let mut lines = Vec::new();
    let pascal = Pascal::new(book.pool_size, book.drawn);
    for game in &book.games {
        check_tables(game)?;
        for &spots in game.pays.keys() {
            let chances =
                Chances::new(&pascal, book, spots).ok_or_else(|| too_large(game, spots))?;
            let mut wager = game.min_cents;
            while wager <= game.max_cents {
                for wagers in tickets(game, wager, book.selections_max) {
                    let rate = chances
                        .rate(book, game, &wagers)
                        .ok_or_else(|| too_large(game, spots))?;
                    lines.push(Line {
                        game: game.code.clone(),
                        spots,
                        wagers,
                        rate,
                    });
                }
                wager += game.step_cents;
            }
        }
    }
    Ok(lines)
}

/// The lowest line of all; none when there is no line.
#[must_use]
pub fn lowest(lines: &[Line]) -> Option<&Line> {
    lines.iter().reduce(|lowest, line| {
        if line.rate.is_below(&lowest.rate) {
            line
        } else {
            lowest
        }
    })
}

fn check_tables(game: &Game) -> Result<(), ReturnFault> {
    let ranges = [game.straight, game.way, game.king];
    let mut played = ranges
        .into_iter()
        .flatten()
        .flat_map(|(from, to)| from..=to);
    match played.find(|spots| !game.pays.contains_key(spots)) {
        Some(spots) => Err(ReturnFault::TableMissing {
            game: game.code.clone(),
            spots,
        }),
        None => Ok(()),
    }
}

fn too_large(game: &Game, spots: u8) -> ReturnFault {
    ReturnFault::TooLarge {
        game: game.code.clone(),
        spots,
    }
}

/// The tickets that a wager is evaluated for.
fn tickets(game: &Game, wager: i64, selections_max: u64) -> Vec<Vec<(i64, u64)>> {
    let most = (game.same_numbers_cents / wager).unsigned_abs();
    let copies = most.min(selections_max);
    let rest = game.same_numbers_cents % wager;
    let mut full = vec![(wager, copies)];
    if copies < selections_max && rest >= game.min_cents && rest % game.step_cents == 0 {
        full.push((rest, 1));
    }
    let mut tickets = vec![vec![(wager, 1)]];
    if full != [(wager, 1)] {
        tickets.push(full);
    }
    tickets
}

/// For one number of spots: in how many of all draws each catch happens.
struct Chances {
    spots: u8,
    by_catch: Vec<u128>,
    draws: u128,
}

impl Chances {
    fn new(pascal: &Pascal, book: &RuleBook, spots: u8) -> Option<Self> {
        let (pool, drawn) = (book.pool_size, book.drawn);
        let by_catch = (0..=spots)
            .map(|catch| {
                if catch > drawn || drawn - catch > pool - spots {
                    return Some(0);
                }
                let caught = pascal.choose(spots, catch)?;
                caught.checked_mul(pascal.choose(pool - spots, drawn - catch)?)
            })
            .collect::<Option<Vec<u128>>>()?;
        Some(Self {
            spots,
            by_catch,
            draws: pascal.choose(pool, drawn)?,
        })
    }

    /// Σ chance × what the ticket is paid, over what it cost.
    fn rate(&self, book: &RuleBook, game: &Game, wagers: &[(i64, u64)]) -> Option<Fraction> {
        let cap = Cap {
            cap_cents: book.cap_cents,
            full_below_cents: book.full_below_cents,
        };
        let mut paid_sum = 0_u128;
        for (catch, draws) in (0_u32..).zip(&self.by_catch) {
            let prizes = wagers
                .iter()
                .map(|(wager, times)| (game.prize_cents(self.spots, catch, *wager), *times))
                .filter(|(prize, _)| *prize > 0);
            let factors = Factors::of(&cap, prizes.clone())?;
            for (prize, times) in prizes {
                let paid = u128::try_from(factors.payable(&cap, prize)?).ok()?;
                let paid = paid.checked_mul(u128::from(times))?;
                paid_sum = paid_sum.checked_add(paid.checked_mul(*draws)?)?;
            }
        }
        let mut cost = 0_u128;
        for (wager, times) in wagers {
            cost += u128::try_from(*wager)
                .ok()?
                .checked_mul(u128::from(*times))?;
        }
        let denominator = self.draws.checked_mul(cost)?;
        (denominator > 0).then(|| Fraction::reduced(paid_sum, denominator))
    }
}

/// Pascal's triangle up to the pool: numbers of ways to choose, by additions alone.
struct Pascal(Vec<Vec<u128>>);

impl Pascal {
    /// Rows 0 to `all`, each up to the choice of `taken`.
    fn new(all: u8, taken: u8) -> Self {
        let width = usize::from(taken) + 1;
        let mut rows = vec![vec![0_u128; width]];
        if let Some(one) = rows.first_mut().and_then(|row| row.first_mut()) {
            *one = 1;
        }
        for _ in 0..all {
            let above = rows.last().cloned().unwrap_or_default();
            let mut row = above.clone();
            for (here, left) in row.iter_mut().skip(1).zip(&above) {
                // Beyond 128 bits it stays at the largest number, which no product survives.
                *here = here.saturating_add(*left);
            }
            rows.push(row);
        }
        Self(rows)
    }

    fn choose(&self, all: u8, taken: u8) -> Option<u128> {
        let row = self.0.get(usize::from(all))?;
        row.get(usize::from(taken)).copied()
    }
}

fn greatest_common_divisor(mut larger: u128, mut smaller: u128) -> u128 {
    while smaller != 0 {
        (larger, smaller) = (smaller, larger % smaller);
    }
    larger
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A rule book with one game and the given table lines.
    pub(crate) fn book_text(pays: &str, cap: &str) -> String {
        let spots = pays.split(' ').next().unwrap_or("1");
        format!(
            r#"
format = 1
version = 1
name = {{ fr = "Essai", en = "Trial" }}
[pool]
size = 80
drawn = 20
[cap]
per_draw = "{cap}"
full_below = "1000.00"
[limits]
selections = 4
draws = 20
draws_ahead = 100
ways = 2000
[confirm]
second_key = "25.00"
type_total = "100.00"
draws = 10
[payout]
second_person = "1000.00"
cage = "5000.00"
federal_report = "10000.00"
[claim]
days = 365
place = {{ fr = "Ici", en = "Here" }}
cage = {{ fr = "Caisse", en = "Cage" }}
[tenders]
accepted = ["cash"]
[texts]
rules_place = {{ fr = "Ici", en = "Here" }}
notice = {{ fr = "Essai", en = "Trial" }}
[interrupted]
machine_draw = "void"
[[game]]
code = "keno"
name.fr = "Keno"
name.en = "Keno"
way = {{ min = {spots}, max = {spots} }}
king_alone = false
[game.wager]
step = "1.00"
min = "1.00"
max = "20.00"
same_numbers = "20.00"
[game.pays]
{pays}
"#
        )
    }

    fn lines(pays: &str, cap: &str) -> Vec<Line> {
        returns(&RuleBook::parse(&book_text(pays, cap)).unwrap()).unwrap()
    }

    fn rate_at(lines: &[Line], wagers: &[(i64, u64)]) -> String {
        let line = lines.iter().find(|line| line.wagers == wagers).unwrap();
        format!("{}/{}", line.rate.numerator, line.rate.denominator)
    }

    #[test]
    fn the_row_of_ten_spots_and_the_number_of_draws() {
        let pascal = Pascal::new(80, 20);
        assert_eq!(pascal.choose(80, 20), Some(3_535_316_142_212_174_320));
        let expected: [u128; 11] = [
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
        for (catch, drawn) in (0..).zip(expected) {
            let missed = pascal.choose(60, 10 - catch).unwrap();
            let ways = pascal.choose(20, catch).unwrap() * missed;
            assert_eq!(ways, drawn, "catch {catch}");
        }
    }

    /// Spots, pays, exact return, pool: tables as they were published.
    const PUBLISHED: &[(u8, &str, &str, u8)] = &[
        (
            10,
            "5=2 6=20 7=132 8=1000 9=4000 10=25000",
            "7667252348/10832184935",
            80,
        ),
        (
            10,
            "4=0.5 5=2 6=20 7=120 8=800 9=3800 10=50000",
            "31917874867/43328739740",
            80,
        ),
        (
            10,
            "5=2 6=10 7=80 8=900 9=5000 10=50000",
            "74880376/148386095",
            80,
        ),
        (7, "3=1 4=3 5=15 6=125 7=4000", "271803/417989", 80),
        (5, "3=2 4=20 5=450", "55350/79079", 80),
        (6, "3=1 4=7 5=50 6=1600", "19863/28756", 80),
        (7, "3=1 4=3 5=20 6=100 7=5000", "292407/417989", 80),
        (8, "4=2 5=10 6=50 7=1000 8=15000", "21054381/30513197", 80),
        (
            9,
            "4=1 5=5 6=25 7=200 8=4000 9=40000",
            "212914409/305131970",
            80,
        ),
        (
            10,
            "0=2 5=2 6=20 7=80 8=500 9=10000 10=100000",
            "190057807/274232530",
            80,
        ),
        (5, "3=2 4=18 5=410", "1335/2054", 80),
        (7, "3=1 4=5 5=11 6=100 7=2000", "2729403/4179890", 80),
        (
            10,
            "0=5 5=2 6=10 7=50 8=500 9=5000 10=100000",
            "349204463/548465060",
            80,
        ),
        (1, "1=3", "3/4", 80),
        (2, "2=7", "38/69", 70),
        (3, "3=25", "1425/2737", 70),
        (5, "4=5 5=250", "7125/16951", 70),
        (7, "5=5 6=50 7=5000", "1425/2948", 70),
        (8, "6=10 7=200 8=25000", "2156500/4627623", 70),
        (
            10,
            "0=2 6=5 7=25 8=200 9=5000 10=200000",
            "53241336585/99176131054",
            70,
        ),
    ];

    #[test]
    fn published_tables_give_their_exact_returns() {
        for (spots, pays, expected, pool) in PUBLISHED {
            let pays: Vec<String> = pays
                .split(' ')
                .map(|line| line.replace('=', " = \"") + "\"")
                .collect();
            let table = format!("{spots} = {{ {} }}", pays.join(", "));
            let text =
                book_text(&table, "100000000.00").replace("size = 80", &format!("size = {pool}"));
            let found = returns(&RuleBook::parse(&text).unwrap()).unwrap();
            assert_eq!(rate_at(&found, &[(100, 1)]), *expected, "{table}");
        }
    }

    #[test]
    fn what_rounds_to_65_is_still_below() {
        // Five spots of Michigan: 64.995131 %.
        let found = lines("5 = { 3 = \"2\", 4 = \"18\", 5 = \"410\" }", "100000000.00");
        let line = lowest(&found).unwrap();
        assert!(line.rate.is_below_least());
        assert_eq!(line.rate.to_string(), "1335/2054 (64.995131 %)");
    }

    #[test]
    fn a_ticket_has_no_more_selections_than_a_slip() {
        // 20 of 1.00 on the same numbers would exceed the cap by far; a slip has one.
        let text = book_text("1 = { 1 = \"3\" }", "60.00")
            .replace("same_numbers = \"20.00\"", "same_numbers = \"2000.00\"");
        let rates = |text: &str| returns(&RuleBook::parse(text).unwrap()).unwrap();
        let one = rates(
            &text
                .replace("full_below = \"1000.00\"", "full_below = \"0\"")
                .replace("selections = 4", "selections = 1"),
        );
        assert!(
            one.iter()
                .all(|line| line.wagers.len() == 1 && line.wagers[0].1 == 1)
        );
        assert!(one.iter().all(|line| !line.rate.is_below_least()));
        let four = rates(&text.replace("full_below = \"1000.00\"", "full_below = \"0\""));
        assert!(
            four.iter()
                .all(|line| line.wagers.iter().all(|it| it.1 <= 4))
        );
        assert!(lowest(&four).unwrap().rate.is_below_least());
    }

    #[test]
    fn a_cap_that_bites_lowers_the_return_of_the_larger_wager() {
        // Seven spots of Georgia with a cap of 50,000 $: lawful at 10 $ on the same numbers,
        // unlawful at 20 $, in one selection or in two.
        let georgia = r#"7 = { 3 = "1", 4 = "3", 5 = "15", 6 = "125", 7 = "4000" }"#;
        let found = lines(georgia, "50000.00");
        assert_eq!(rate_at(&found, &[(1_000, 1)]), "271803/417989");
        assert_eq!(rate_at(&found, &[(2_000, 1)]), "19731/32153");
        assert_eq!(rate_at(&found, &[(1_000, 2)]), "19731/32153");
        assert_eq!(rate_at(&found, &[(600, 3), (200, 1)]), "19731/32153");
        let is_below = |wagers: &[(i64, u64)]| {
            let mut lines = found.iter();
            lines
                .find(|line| line.wagers == wagers)
                .unwrap()
                .rate
                .is_below_least()
        };
        assert!(!is_below(&[(1_000, 1)]));
        assert!(is_below(&[(2_000, 1)]));
        assert!(is_below(&[(1_000, 2)]));
    }
}

//! The least that comes back of what one ticket carries on the same numbers, with the cap applied
//! (s. 85; `RULES.md`, "Return").
//!
//! A line is a game, a number of spots and a permitted wager. Where the cap bites no ticket, it is
//! that wager alone; where the tickets are few, the one of them that returns least; else a lower
//! bound of them all. The ticket is alone in the draw, so that the cap is all its own: other
//! winners can only lower it.

mod fraction;

use std::fmt;

use fraction::greatest_common_divisor;
pub use fraction::{Fraction, LEAST_PERCENT};

use crate::prizes::{Cap, Factors};
use crate::rule_book::{Game, RuleBook};

/// Which tickets on the same numbers a line speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// The wager alone.
    Alone,
    /// One ticket: code of the game, wager in cents, and how many selections carry it.
    Ticket(Vec<(String, i64, u64)>),
    /// All with the wager; the rate is a lower bound.
    UpTo {
        /// Most selections.
        selections: u64,
        /// Most that they come to, in cents.
        cents: i64,
    },
}

/// The return of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Code of the game.
    pub game: String,
    /// Number of spots.
    pub spots: u8,
    /// The wager, in cents.
    pub wager_cents: i64,
    /// What it is judged with.
    pub carried: Carried,
    /// What comes back of one unit wagered.
    pub rate: Fraction,
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wager = decimal(self.wager_cents);
        write!(formatter, "{} {} spots ", self.game, self.spots)?;
        match &self.carried {
            Carried::Alone => write!(formatter, "1x{wager}:")?,
            Carried::Ticket(wagers) => {
                for (at, (game, cents, times)) in wagers.iter().enumerate() {
                    let plus = if at == 0 { "" } else { " + " };
                    let cents = decimal(*cents);
                    write!(formatter, "{plus}{times}x{cents}")?;
                    if *game != self.game {
                        write!(formatter, " of {game}")?;
                    }
                }
                formatter.write_str(":")?;
            }
            Carried::UpTo { selections, cents } => {
                let cents = decimal(*cents);
                write!(
                    formatter,
                    "{wager} among up to {cents} in {selections} selections: at least"
                )?;
            }
        }
        write!(formatter, " {}", self.rate)
    }
}

/// An amount as a plain decimal.
fn decimal(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// Why the returns of a book cannot be stated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReturnFault {
    /// More lines than may be asked for.
    #[error("{0} lines are asked for, of at most {LINES_MAX}")]
    TooMany(u64),
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

/// Most lines of a book: wagers × tables, over all games.
const LINES_MAX: u64 = 200_000;
/// Most choices (game and wager) of one number of spots of which tickets are made.
const CHOICES_MAX: usize = 200;
/// Most tickets on one number of spots that are settled one by one.
const TICKETS_MAX: usize = 10_000;

/// The lines, in the order of the book: games, spots, wagers.
///
/// # Errors
/// A [`ReturnFault`] when a line cannot be evaluated.
pub fn returns(book: &RuleBook) -> Result<Vec<Line>, ReturnFault> {
    let mut asked = 0_u64;
    for game in &book.games {
        check_tables(game)?;
        let wagers = ((game.max_cents - game.min_cents) / game.step_cents + 1).unsigned_abs();
        asked = asked.saturating_add(wagers.saturating_mul(game.pays.len() as u64));
    }
    if asked > LINES_MAX {
        return Err(ReturnFault::TooMany(asked));
    }
    let pascal = Pascal::new(book.pool_size, book.drawn);
    let mut placed = Vec::new();
    for spots in 1..=book.pool_size {
        placed.extend(Spots::new(&pascal, book, spots)?.lines()?);
    }
    // By game and then spots; the wagers of both are in order already.
    placed.sort_by_key(|(game, line)| (*game, line.spots));
    Ok(placed.into_iter().map(|(_, line)| line).collect())
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
    let offers = game.offers.iter();
    let mut played = offers.flat_map(|offer| offer.from..=offer.to);
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

/// A wager of a game that may stand on a ticket.
struct Choice<'a> {
    /// Place of the game in the book.
    at: usize,
    game: &'a Game,
    wager: i64,
    /// What it wins, by catch.
    prizes: Vec<i64>,
    /// Most selections beside it on the same numbers.
    beside: i64,
    /// Most cents on the same numbers of a ticket with it.
    most: i64,
}

/// A ticket while it is being built: places of its choices, ascending, their sum and the lowest
/// limit of their games.
struct Built {
    choices: Vec<usize>,
    cents: i64,
    limit: i64,
}

/// What is played on one number of spots, over all games.
struct Spots<'a> {
    book: &'a RuleBook,
    spots: u8,
    choices: Vec<Choice<'a>>,
    /// In how many of all draws each catch happens.
    by_catch: Vec<u128>,
    draws: u128,
    /// At which catches the cap may come into play.
    bites: Vec<bool>,
}

impl<'a> Spots<'a> {
    fn new(pascal: &Pascal, book: &'a RuleBook, spots: u8) -> Result<Self, ReturnFault> {
        let mut found = Self {
            book,
            spots,
            choices: Vec::new(),
            by_catch: Vec::new(),
            draws: 0,
            bites: Vec::new(),
        };
        for (at, game) in book.games.iter().enumerate() {
            if game.pays.contains_key(&spots) {
                found.add_game(pascal, at, game)?;
            }
        }
        found.measure();
        Ok(found)
    }

    fn add_game(&mut self, pascal: &Pascal, at: usize, game: &'a Game) -> Result<(), ReturnFault> {
        let large = || too_large(game, self.spots);
        (self.by_catch, self.draws) = chances(pascal, self.book, self.spots).ok_or_else(large)?;
        let catches = (0_u32..).take(self.by_catch.len());
        let mut wager = game.min_cents;
        while wager <= game.max_cents {
            let prize = |catch| game.prize_cents(self.spots, catch, wager);
            let prizes: Vec<i64> = catches.clone().map(prize).collect();
            // As many as a ticket has selections are still an amount.
            let most = i128::from(prizes.iter().copied().max().unwrap_or(0))
                * i128::from(self.book.selections_max);
            if i64::try_from(most).is_err() {
                return Err(large());
            }
            self.choices.push(Choice {
                at,
                game,
                wager,
                prizes,
                beside: 0,
                most: wager,
            });
            wager += game.step_cents;
        }
        Ok(())
    }

    /// How far a ticket with each choice can be filled, and where the cap bites the fullest.
    fn measure(&mut self) {
        let (mut smallest, mut largest, mut unit) = (i64::MAX, 0, 0_u128);
        for Choice { game, .. } in &self.choices {
            smallest = smallest.min(game.min_cents);
            largest = largest.max(game.max_cents);
            unit = greatest_common_divisor(unit, u128::from(game.step_cents.unsigned_abs()));
        }
        let unit = i64::try_from(unit).unwrap_or(1).max(1);
        let selections = i64::try_from(self.book.selections_max).unwrap_or(i64::MAX);
        for choice in &mut self.choices {
            let room = choice.game.same_numbers_cents - choice.wager;
            choice.beside = (room / smallest).min(selections - 1);
            let whole_units = room - room % unit;
            let filled = choice.beside.saturating_mul(largest).min(whole_units);
            choice.most = choice.wager + filled;
        }
        let cap = i128::from(self.book.cap_cents);
        let bites = |catch: usize| {
            self.choices.iter().any(|choice| {
                let prize = choice.prizes.get(catch).copied().unwrap_or(0);
                i128::from(prize) * i128::from(choice.most) > cap * i128::from(choice.wager)
            })
        };
        self.bites = (0..self.by_catch.len()).map(bites).collect();
    }

    /// The lines of every choice, each with the place of its game.
    fn lines(&self) -> Result<Vec<(usize, Line)>, ReturnFault> {
        let is_bitten = self.bites.iter().any(|bites| *bites);
        let settled = if is_bitten { self.settled() } else { None };
        let mut lines = Vec::with_capacity(self.choices.len());
        for (at, choice) in self.choices.iter().enumerate() {
            let found = match &settled {
                _ if !is_bitten => self.bound(choice, 1).map(|rate| (Carried::Alone, rate)),
                Some(settled) => settled.get(at).cloned().flatten(),
                None => self.bound(choice, choice.most).map(|rate| {
                    let selections = choice.beside.unsigned_abs() + 1;
                    let cents = choice.most;
                    (Carried::UpTo { selections, cents }, rate)
                }),
            };
            let (carried, rate) = found.ok_or_else(|| too_large(choice.game, self.spots))?;
            let line = Line {
                game: choice.game.code.clone(),
                spots: self.spots,
                wager_cents: choice.wager,
                carried,
                rate,
            };
            lines.push((choice.at, line));
        }
        Ok(lines)
    }

    /// Σ draws × the lesser of what `most` cents at this wager win and what the cap leaves, over
    /// all draws × `most`; all of it over the wager too, so that nothing is cut.
    fn bound(&self, choice: &Choice<'_>, most: i64) -> Option<Fraction> {
        let left = (self.book.cap_cents - choice.beside).max(0).unsigned_abs();
        let wager = u128::from(choice.wager.unsigned_abs());
        let most = u128::from(most.unsigned_abs());
        let mut sum = 0_u128;
        for ((prize, draws), bites) in choice.prizes.iter().zip(&self.by_catch).zip(&self.bites) {
            let mut won = u128::from(prize.unsigned_abs()) * most;
            if *bites {
                won = won.min(u128::from(left) * wager);
            }
            sum = sum.checked_add(won.checked_mul(*draws)?)?;
        }
        let denominator = self.draws.checked_mul(wager.checked_mul(most)?)?;
        (denominator > 0).then(|| Fraction::reduced(sum, denominator))
    }

    /// By choice, the first of the tickets with it that return least; none where there are too
    /// many tickets to settle.
    fn settled(&self) -> Option<Vec<Option<(Carried, Fraction)>>> {
        let tickets = self.tickets()?;
        let mut least: Vec<Option<(&Built, Fraction)>> = Vec::new();
        least.resize_with(self.choices.len(), || None);
        for ticket in &tickets {
            let paid = self.paid(ticket);
            for choice in &ticket.choices {
                let slot = least.get_mut(*choice)?;
                // The number of draws is common to all: it is left out until one is chosen.
                let rate = Fraction {
                    numerator: paid?,
                    denominator: u128::from(ticket.cents.unsigned_abs()),
                };
                if slot.as_ref().is_none_or(|(_, least)| rate.is_below(least)) {
                    *slot = Some((ticket, rate));
                }
            }
        }
        let shown = |(ticket, rate): (&Built, Fraction)| {
            let denominator = rate.denominator.checked_mul(self.draws)?;
            let rate = Fraction::reduced(rate.numerator, denominator);
            Some((Carried::Ticket(self.wagers(ticket)), rate))
        };
        Some(least.into_iter().map(|found| shown(found?)).collect())
    }

    /// Every ticket: those of one selection, then of two, and so on.
    fn tickets(&self) -> Option<Vec<Built>> {
        if self.choices.len() > CHOICES_MAX {
            return None;
        }
        let mut tickets: Vec<Built> = Vec::new();
        let mut longest = vec![Built {
            choices: Vec::new(),
            cents: 0,
            limit: i64::MAX,
        }];
        for _ in 0..self.book.selections_max {
            let mut longer = Vec::new();
            for shorter in &longest {
                let from = shorter.choices.last().copied().unwrap_or(0);
                for (at, choice) in self.choices.iter().enumerate().skip(from) {
                    let limit = shorter.limit.min(choice.game.same_numbers_cents);
                    let cents = shorter.cents.checked_add(choice.wager)?;
                    if cents > limit {
                        continue;
                    }
                    if tickets.len() + longer.len() + longest.len() > TICKETS_MAX + 1 {
                        return None;
                    }
                    let mut choices = shorter.choices.clone();
                    choices.push(at);
                    longer.push(Built {
                        choices,
                        cents,
                        limit,
                    });
                }
            }
            tickets.append(&mut longest);
            longest = longer;
            if longest.is_empty() {
                break;
            }
        }
        tickets.append(&mut longest);
        // The first was without a selection.
        tickets.remove(0);
        (tickets.len() <= TICKETS_MAX).then_some(tickets)
    }

    /// Σ draws × what the ticket is paid, settled alone.
    fn paid(&self, ticket: &Built) -> Option<u128> {
        let cap = Cap {
            cap_cents: self.book.cap_cents,
            full_below_cents: self.book.full_below_cents,
        };
        let runs: Vec<(&Choice<'_>, u64)> = self.runs(ticket).collect();
        let mut sum = 0_u128;
        for (catch, draws) in self.by_catch.iter().enumerate() {
            let prizes = runs
                .iter()
                .filter_map(|(choice, times)| Some((*choice.prizes.get(catch)?, *times)))
                .filter(|(prize, _)| *prize > 0);
            let factors = Factors::of(&cap, prizes.clone())?;
            for (prize, times) in prizes {
                let paid = u128::try_from(factors.payable(&cap, prize)?).ok()?;
                let paid = paid.checked_mul(u128::from(times))?;
                sum = sum.checked_add(paid.checked_mul(*draws)?)?;
            }
        }
        Some(sum)
    }

    /// The choices of a ticket, each with how many times it stands there.
    fn runs(&self, ticket: &'a Built) -> impl Iterator<Item = (&Choice<'a>, u64)> + Clone {
        let runs = ticket.choices.chunk_by(|left, right| left == right);
        runs.filter_map(|run| Some((self.choices.get(*run.first()?)?, run.len() as u64)))
    }

    fn wagers(&self, ticket: &Built) -> Vec<(String, i64, u64)> {
        let shown =
            |(choice, times): (&Choice<'_>, u64)| (choice.game.code.clone(), choice.wager, times);
        self.runs(ticket).map(shown).collect()
    }
}

/// By catch, in how many of all draws it happens, and how many draws there are.
fn chances(pascal: &Pascal, book: &RuleBook, spots: u8) -> Option<(Vec<u128>, u128)> {
    let (pool, drawn) = (book.pool_size, book.drawn);
    let by_catch = (0..=spots.min(drawn))
        .map(|catch| {
            if drawn - catch > pool - spots {
                return Some(0);
            }
            let caught = pascal.choose(spots, catch)?;
            caught.checked_mul(pascal.choose(pool - spots, drawn - catch)?)
        })
        .collect::<Option<Vec<u128>>>()?;
    Some((by_catch, pascal.choose(pool, drawn)?))
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A rule book with one game and the given table lines.
    pub(crate) fn book_text(pays: &str, cap: &str) -> String {
        let spots = pays.split(' ').next().unwrap_or("1");
        format!(
            r#"
format = 3
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
copies = 4
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
[damaged]
at_once = "100.00"
per_day = 5
wait_hours = 24
third_person = "1000.00"
answer_days = 30
complaints = {{ fr = "Ici", en = "Here" }}
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

    fn line_at(lines: &[Line], wager_cents: i64) -> &Line {
        let line = lines.iter().find(|line| line.wager_cents == wager_cents);
        line.unwrap()
    }

    fn rate_at(lines: &[Line], wager_cents: i64) -> String {
        let rate = line_at(lines, wager_cents).rate;
        format!("{}/{}", rate.numerator, rate.denominator)
    }

    #[test]
    fn an_amount_is_a_plain_decimal() {
        assert_eq!(decimal(-1_205), "-12.05");
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
            assert_eq!(rate_at(&found, 100), *expected, "{table}");
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
        assert!(one.iter().all(|line| line.carried == Carried::Alone));
        assert!(one.iter().all(|line| !line.rate.is_below_least()));
        let four = rates(&text.replace("full_below = \"1000.00\"", "full_below = \"0\""));
        assert!(four.iter().all(|line| match &line.carried {
            Carried::Ticket(wagers) => wagers.iter().map(|it| it.2).sum::<u64>() <= 4,
            Carried::UpTo { selections, .. } => *selections <= 4,
            Carried::Alone => false,
        }));
        assert!(lowest(&four).unwrap().rate.is_below_least());
    }

    #[test]
    fn a_cap_that_bites_lowers_the_return_of_the_larger_wager() {
        // Seven spots of Georgia with a cap of 50,000 $: lawful at 10 $ on the same numbers,
        // unlawful at 20 $, in one selection or in two.
        let georgia = r#"7 = { 3 = "1", 4 = "3", 5 = "15", 6 = "125", 7 = "4000" }"#;
        let found = lines(georgia, "50000.00");
        // 20.00 leaves nothing beside it, and whatever comes to it has a whole share of the cap.
        let alone = Carried::Ticket(vec![("keno".to_owned(), 2_000, 1)]);
        assert_eq!(line_at(&found, 2_000).carried, alone);
        assert_eq!(rate_at(&found, 2_000), "19731/32153");
        assert_eq!(rate_at(&found, 1_000), "19731/32153");
        assert!(found.iter().all(|line| line.rate.is_below_least()));
        let text = book_text(georgia, "50000.00").replace("\"20.00\"", "\"10.00\"");
        let found = returns(&RuleBook::parse(&text).unwrap()).unwrap();
        assert!(found.iter().all(|line| line.carried == Carried::Alone));
        assert_eq!(rate_at(&found, 1_000), "271803/417989");
    }

    #[test]
    fn every_ticket_that_can_be_sold_is_judged() {
        // 5 spots, 0.50 to 2.50 by 0.50, at most 4.00 in two selections: lawful at every wager in
        // its copies, and below 65 % with 2.50 beside 1.50.
        let pays = r#"5 = { 1 = "0.25", 3 = "4.64", 4 = "12.75", 5 = "450" }"#;
        let text = book_text(pays, "50.00")
            .replace("selections = 4", "selections = 2")
            .replace("full_below = \"1000.00\"", "full_below = \"0\"")
            .replace(
                "step = \"1.00\"\nmin = \"1.00\"",
                "step = \"0.50\"\nmin = \"0.50\"",
            )
            .replace("max = \"20.00\"", "max = \"2.50\"")
            .replace("\"20.00\"", "\"4.00\"");
        let found = returns(&RuleBook::parse(&text).unwrap()).unwrap();
        let wagers: Vec<i64> = found.iter().map(|line| line.wager_cents).collect();
        assert_eq!(wagers, [50, 100, 150, 200, 250]);
        let line = lowest(&found).unwrap();
        assert!(line.rate.is_below_least());
        assert_eq!(
            line.to_string(),
            "keno 5 spots 1x1.50 + 1x2.50: 149313/230048 (64.905150 %)"
        );
        assert_eq!(
            line_at(&found, 200).carried,
            Carried::Ticket(vec![("keno".to_owned(), 200, 2)])
        );
    }

    #[test]
    fn more_lines_than_may_be_asked_for_are_refused() {
        let text = book_text(r#"1 = { 1 = "3" }"#, "1000000.00")
            .replace(
                "step = \"1.00\"\nmin = \"1.00\"",
                "step = \"0.01\"\nmin = \"0.01\"",
            )
            .replace("\"20.00\"", "\"100.00\"");
        assert_eq!(
            returns(&RuleBook::parse(&text).unwrap()).unwrap().len(),
            10_000
        );
        let tables: Vec<String> = (1..=21)
            .map(|it| format!("{it} = {{ 0 = \"3\" }}"))
            .collect();
        let many = text.replace(r#"1 = { 1 = "3" }"#, &tables.join("\n"));
        let fault = returns(&RuleBook::parse(&many).unwrap()).unwrap_err();
        assert_eq!(fault, ReturnFault::TooMany(210_000));
    }
}

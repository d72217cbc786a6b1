//! Rule books as they are asked for: from a seed, and such as take long to judge.

use std::collections::BTreeMap;
use std::fmt::Write;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What a table pays for one by catch, in hundredths.
pub type Pays = BTreeMap<u8, u64>;

/// One game of a book; amounts in cents.
#[derive(Debug, Clone)]
pub struct GameAsked {
    /// A wager is a multiple of it.
    pub step: u64,
    /// Smallest wager.
    pub min: u64,
    /// Largest wager.
    pub max: u64,
    /// Most on the same numbers.
    pub same_numbers: u64,
    /// Tables by number of spots.
    pub tables: BTreeMap<u8, Pays>,
}

/// A book: what its returns rest on; amounts in cents.
#[derive(Debug, Clone)]
pub struct Asked {
    /// 80 or 70.
    pub pool: u8,
    /// Most payable in one draw.
    pub cap: u64,
    /// Prizes below it are small.
    pub full_below: u64,
    /// Most selections of a ticket.
    pub selections: u64,
    /// In their order; codes are `game-0` and so on.
    pub games: Vec<GameAsked>,
}

fn money(cents: u64) -> String {
    format!("\"{}.{:02}\"", cents / 100, cents % 100)
}

impl Asked {
    /// The text of the rule book.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            r#"format = 3
version = 1
name = {{ fr = "Essai", en = "Trial" }}
[pool]
size = {}
drawn = 20
[cap]
per_draw = {}
full_below = {}
[limits]
selections = {}
draws = 1
draws_ahead = 1
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
"#,
            self.pool,
            money(self.cap),
            money(self.full_below),
            self.selections
        );
        for (at, game) in self.games.iter().enumerate() {
            game.write(at, &mut text);
        }
        text
    }
}

impl GameAsked {
    fn write(&self, at: usize, text: &mut String) {
        let spots = self.tables.keys().next().copied().unwrap_or(1);
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "[[game]]\ncode = \"game-{at}\"\nname = {{ fr = \"Jeu\", en = \"Game\" }}\n\
             straight = {{ min = {spots}, max = {spots} }}\nking_alone = false\n[game.wager]\n\
             step = {}\nmin = {}\nmax = {}\nsame_numbers = {}\n[game.pays]\n",
            money(self.step),
            money(self.min),
            money(self.max),
            money(self.same_numbers)
        );
        for (spots, pays) in &self.tables {
            let lines: Vec<String> = pays
                .iter()
                .map(|(catch, hundredths)| format!("{catch}={}", money(*hundredths)))
                .collect();
            let _ = writeln!(text, "{spots}={{{}}}", lines.join(","));
        }
    }
}

/// Choices from a seed.
struct Chance(ChaCha8Rng);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64().checked_rem(limit).unwrap_or(0)
    }

    fn within(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    fn of(&mut self, list: &[u64]) -> u64 {
        let place = usize::try_from(self.below(list.len() as u64)).unwrap_or(0);
        list.get(place).copied().unwrap_or(1)
    }

    fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// How wide a book is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// Few wagers and selections: each ticket is settled by the programs.
    Few,
    /// Many tickets, but not too many to settle them all here.
    Many,
    /// As a house would play it: many wagers, and a cap of thousands of dollars.
    House,
}

/// The book of a seed and a number. Its uncapped returns are from 65 % up; the cap lowers them.
#[must_use]
pub fn random(seed: u64, number: u64) -> (Width, Asked) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let mut chance = Chance(rng);
    let width = match chance.below(100) {
        0..80 => Width::Few,
        80..90 => Width::Many,
        _ => Width::House,
    };
    let pool = if chance.percent(90) { 80 } else { 70 };
    let (selections, wagers_max) = match width {
        Width::Few => (chance.within(1, 4), 5),
        Width::Many => (chance.within(7, 9), 8),
        Width::House => (chance.within(2, 6), 120),
    };
    let spots = u8::try_from(chance.within(1, 10)).unwrap_or(1);
    let games_count = if chance.percent(85) { 1 } else { 2 };
    let other_spots = chance.percent(20).then(|| spots % 10 + 1);
    let mut games = Vec::new();
    for _ in 0..games_count {
        // Two games have twice as many choices.
        let wagers_max = if games_count > 1 && width == Width::Many {
            wagers_max / 2
        } else {
            wagers_max
        };
        games.push(game(&mut chance, width, selections, wagers_max));
    }
    for game in &mut games {
        for spots in [Some(spots), other_spots].into_iter().flatten() {
            let pays = pays(&mut chance, pool, spots);
            game.tables.insert(spots, pays);
        }
    }
    let top = games.iter().map(|game| {
        let top = game.tables.values().flat_map(|pays| pays.values()).max();
        top.copied().unwrap_or(0).saturating_mul(game.same_numbers) / 100
    });
    let top = top.max().unwrap_or(1).max(1);
    let cap = top * chance.of(&[50, 80, 90, 95, 97, 98, 99, 99, 100, 105, 150]) / 100;
    let cap = if width != Width::House && chance.percent(15) {
        chance.within(1, top)
    } else {
        cap
    };
    let cap = cap.max(1);
    let full_below = match chance.below(4) {
        0 => 0,
        1 => cap,
        2 => chance.within(0, cap),
        _ => cap / 10,
    };
    let asked = Asked {
        pool,
        cap,
        full_below,
        selections,
        games,
    };
    (width, asked)
}

fn game(chance: &mut Chance, width: Width, selections: u64, wagers_max: u64) -> GameAsked {
    let step = match width {
        Width::House => chance.of(&[25, 50, 50, 100]),
        _ => match chance.below(3) {
            0 => chance.within(1, 100),
            _ => chance.of(&[5, 10, 25, 25, 50, 50, 100, 200]),
        },
    };
    let min = step * chance.within(1, 3);
    let low = if width == Width::Many {
        wagers_max - 2
    } else {
        0
    };
    let max = min + step * chance.within(low, wagers_max - 1);
    let room = (max * selections).max(max);
    let same_numbers = match chance.below(4) {
        0 => max,
        1 => room,
        _ => chance.within(max, room),
    };
    GameAsked {
        step,
        min,
        max,
        same_numbers,
        tables: BTreeMap::new(),
    }
}

/// Draws that catch so many, in parts of 2^40 of all: near enough to aim with.
fn share(pool: u8, spots: u8, catch: u8) -> u64 {
    let choose = |all: u8, taken: u8| {
        (0..u128::from(taken)).fold(1_u128, |value, at| {
            value * u128::from(all).saturating_sub(at) / (at + 1)
        })
    };
    let draws = choose(spots, catch) * choose(pool - spots, 20 - catch);
    u64::try_from((draws >> 2) * (1 << 40) / (choose(pool, 20) >> 2)).unwrap_or(0)
}

/// A table that returns 65 to 72 % without cap and cut cents.
fn pays(chance: &mut Chance, pool: u8, spots: u8) -> Pays {
    let aim = (u128::from(chance.within(6_500, 7_200)) << 40) / 100;
    let mut pays = Pays::new();
    let mut left = aim;
    let low = spots / 2;
    for catch in low..spots {
        let share = u128::from(share(pool, spots, catch)).max(1);
        let part = aim * u128::from(chance.within(0, 50)) / 100 / u128::from(spots - low);
        let unit = chance.of(&[1, 5, 25, 50, 100, 100]);
        let hundredths = u64::try_from(part / share).unwrap_or(0);
        let hundredths = hundredths - hundredths % unit;
        if hundredths > 0 {
            left = left.saturating_sub(u128::from(hundredths) * share);
            pays.insert(catch, hundredths);
        }
    }
    let top = left / u128::from(share(pool, spots, spots)).max(1);
    let top = u64::try_from(top).unwrap_or(0).min(0xffff_ffff);
    let unit = if top > 10_000 {
        chance.of(&[1, 100, 500])
    } else {
        1
    };
    pays.insert(spots, (top + unit - top % unit).min(0xffff_ffff));
    pays
}

/// Moves what the commonest catch pays by so many parts of 2^40 of the wager, up or down.
pub fn lift(asked: &mut Asked, game: usize, spots: u8, parts: i64) {
    let pool = asked.pool;
    let table = asked
        .games
        .get_mut(game)
        .and_then(|it| it.tables.get_mut(&spots));
    let Some(pays) = table else { return };
    let commonest = pays
        .keys()
        .copied()
        .max_by_key(|catch| share(pool, spots, *catch));
    let Some(catch) = commonest else { return };
    let Ok(share) = i64::try_from(share(pool, spots, catch).max(1)) else {
        return;
    };
    let by = parts.saturating_mul(100) / share;
    if let Some(hundredths) = pays.get_mut(&catch) {
        *hundredths = hundredths.saturating_add_signed(by).clamp(1, 0xffff_ffff);
    }
}

/// Books of at most a mebibyte that are lawful or nearly, and take long: a name, and the book.
#[must_use]
pub fn hostile() -> Vec<(&'static str, Asked)> {
    let every_catch = |spots: u8| -> Pays {
        let most = spots.min(20);
        (0..=most)
            .map(|catch| (catch, 100 + u64::from(catch)))
            .collect()
    };
    let tables = |spots: std::ops::RangeInclusive<u8>| -> BTreeMap<u8, Pays> {
        spots.map(|spots| (spots, every_catch(spots))).collect()
    };
    let one = |wagers: u64, selections: u64, cap: u64, spots| Asked {
        pool: 80,
        cap,
        full_below: cap / 2,
        selections,
        games: vec![GameAsked {
            step: 1,
            min: 1,
            max: wagers,
            same_numbers: wagers * selections,
            tables: spots,
        }],
    };
    let mut books = vec![
        (
            "20 tables of 10,000 wagers, a cap that bites",
            one(10_000, 4, 900, tables(20..=39)),
        ),
        (
            "80 tables of 2,500 wagers, no cap",
            one(2_500, 4, 1 << 40, tables(1..=80)),
        ),
        (
            "80 tables, 2 wagers, 139 selections",
            one(2, 139, 138, tables(1..=80)),
        ),
        (
            "80 tables, 7 wagers, 9 selections",
            one(7, 9, 31, tables(1..=80)),
        ),
        (
            "80 tables, 13 wagers, 5 selections",
            one(13, 5, 32, tables(1..=80)),
        ),
        (
            "80 tables, 200 wagers, 2 selections",
            one(200, 2, 199, tables(1..=80)),
        ),
    ];
    // As many games as the text holds, of one wager each that no other fits beside.
    let mut many = one(1, 2, 1, BTreeMap::from([(20, every_catch(20))]));
    if let Some(game) = many.games.first().cloned() {
        many.games = (0..2_400)
            .map(|at| GameAsked {
                min: 10 + at % 5,
                max: 10 + at % 5,
                same_numbers: 15 + at % 5,
                ..game.clone()
            })
            .collect();
    }
    books.push(("2,400 games of one wager", many.clone()));
    many.games.truncate(200);
    for game in &mut many.games {
        game.tables = tables(20..=39);
    }
    many.games.truncate(150);
    books.push(("150 games of one wager, 20 tables", many));
    books
}

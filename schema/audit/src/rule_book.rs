//! The rule book's text as published (`RULES.md`, "The rule book").
//!
//! A key that is not known is refused: a rule that this program does not know would be a rule
//! that it does not check.

mod text;

use std::collections::BTreeMap;

use text::{File, FileGame};

use crate::kind::Offer;

/// Numbers drawn, from any pool that is played.
const DRAWN: u8 = 20;
/// Most that a prize for one may be, in hundredths.
const PAYS_MAX: i64 = 0xffff_ffff;
/// Longest text of a rule book, in bytes.
const BYTES_MAX: usize = 1024 * 1024;
/// Largest single wager, in cents.
const WAGER_CENTS_MAX: i64 = 0xffff_ffff;
/// Most change for a chip where the text does not say it, in cents.
pub const CHIP_CHANGE_CENTS: i64 = 10_000;
/// Up to it one person cancels where the text does not say it, in cents.
pub const CANCEL_ALONE_CENTS: i64 = 10_000;
/// Up to it one person pays by what was typed where the text does not say it, in cents.
const TYPED_ALONE_CENTS: i64 = 5_000;
/// Such payments of one person in a day where the text does not say it.
const TYPED_PER_DAY: u16 = 5;
/// Most different wagers of a game.
const WAGERS_MAX: i64 = 10_000;

/// Why a text is not a rule book of this format.
#[derive(Debug, thiserror::Error)]
pub enum RuleBookFault {
    /// Not TOML, or not with these keys.
    #[error("the text is not a rule book: {0}")]
    Text(String),
    /// A value that is not what its place asks for.
    #[error("{place}: {value:?} is not {wanted}")]
    Value {
        /// Path of the value.
        place: String,
        /// The value.
        value: String,
        /// What the place asks for.
        wanted: &'static str,
    },
}

/// A version of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleBook {
    /// Version number.
    pub version: u32,
    /// Numbers in the pool.
    pub pool_size: u8,
    /// Numbers drawn.
    pub drawn: u8,
    /// Maximum payable in prizes per draw, in cents.
    pub cap_cents: i64,
    /// Prizes per way below it are paid in full when the cap bites, in cents.
    pub full_below_cents: i64,
    /// Most selections of a slip.
    pub selections_max: u64,
    /// Most draws of a ticket.
    pub draws_max: u64,
    /// How far the first draw of a ticket may be ahead of the lowest open one.
    pub draws_ahead_max: u64,
    /// Most ways of a selection.
    pub ways_max: u64,
    /// Numbers of the tenders accepted: 1 cash, 2 coupon, 3 chip.
    pub tenders: Vec<u8>,
    /// Most change for a chip, in cents; none where the text does not say it.
    pub chip_change_cents: Option<i64>,
    /// Payouts from it on need a second person, in cents.
    pub second_person_cents: i64,
    /// For so many minutes a payout from there on waits for the follower; none: it does not.
    pub second_computation_minutes: Option<u16>,
    /// Up to it one person cancels, in cents; none where the text does not say it.
    pub cancel_alone_cents: Option<i64>,
    /// Up to it one person pays by number and signs that were typed, in cents.
    pub typed_alone_cents: i64,
    /// Such payments of one person in a day.
    pub typed_per_day: u16,
    /// Payouts from it on are made at the cage, in cents.
    pub cage_cents: i64,
    /// Days to claim, after the day of the last draw.
    pub claim_days: u16,
    /// Most papers of a ticket.
    pub copies_max: u8,
    /// Up to it a ticket whose code cannot be read is paid at once, in cents.
    pub at_once_cents: i64,
    /// Such payments of one person in a day.
    pub at_once_per_day: u16,
    /// Hours from the opening of a file to its judgement.
    pub wait_hours: u16,
    /// From it on three people judge a file, in cents.
    pub third_person_cents: i64,
    /// Whether an interrupted draw of balls is completed, and not void.
    pub completes: bool,
    /// The games, in the order of the text.
    pub games: Vec<Game>,
}

/// A game of the rule book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Code.
    pub code: String,
    /// The kinds that it offers.
    pub offers: Vec<Offer>,
    /// Whether kings make a way without a group.
    pub king_alone: bool,
    /// A wager is a multiple of it, in cents.
    pub step_cents: i64,
    /// Smallest wager per way, in cents.
    pub min_cents: i64,
    /// Largest wager per way, in cents.
    pub max_cents: i64,
    /// Most that one ticket may carry on the same numbers, per draw, in cents.
    pub same_numbers_cents: i64,
    /// By number of spots: what each catch pays for one, in hundredths.
    pub pays: BTreeMap<u8, Vec<i64>>,
}

impl Game {
    /// How it offers the kind of a number; nothing when it does not.
    #[must_use]
    pub fn offer(&self, kind: u8) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.kind.number == kind)
    }

    /// Whether it offers a kind whose groups are combined.
    #[must_use]
    pub fn has_ways(&self) -> bool {
        self.offers.iter().any(|offer| offer.kind.combines)
    }

    /// What `catch` of `spots` pays for one, in hundredths; 0 when the table has no line.
    #[must_use]
    pub fn pays_hundredths(&self, spots: u8, catch: u32) -> i64 {
        let line = self.pays.get(&spots);
        let catch = usize::try_from(catch).unwrap_or(usize::MAX);
        line.and_then(|line| line.get(catch)).copied().unwrap_or(0)
    }

    /// The prize of one way, in cents: wager × pays, rounded down.
    #[must_use]
    pub fn prize_cents(&self, spots: u8, catch: u32, wager_cents: i64) -> i64 {
        let exact = i128::from(wager_cents) * i128::from(self.pays_hundredths(spots, catch));
        i64::try_from(exact / 100).unwrap_or(i64::MAX)
    }
}

impl RuleBook {
    /// Reads the text.
    ///
    /// # Errors
    /// A [`RuleBookFault`] naming the first place that is not what this format asks for.
    pub fn parse(text: &str) -> Result<Self, RuleBookFault> {
        if text.len() > BYTES_MAX {
            return Err(wrong("text", text.len(), "at most 1048576 bytes"));
        }
        let unread = |fault: toml::de::Error| RuleBookFault::Text(fault.to_string());
        text::judge_lists(&text.parse().map_err(unread)?)?;
        let file: File = toml::from_str(text).map_err(unread)?;
        if file.format != 3 {
            return Err(wrong("format", file.format, "3"));
        }
        if !matches!((file.pool.size, file.pool.drawn), (80 | 70, 20)) {
            return Err(wrong("pool", file.pool.size, "20 of 80 or 20 of 70"));
        }
        file.judge_words()?;
        let mut book = Self {
            version: file.version,
            pool_size: file.pool.size,
            drawn: file.pool.drawn,
            cap_cents: positive("cap.per_draw", &file.cap.per_draw)?,
            full_below_cents: cents("cap.full_below", &file.cap.full_below)?,
            selections_max: u64::from(file.limits.selections),
            draws_max: u64::from(file.limits.draws),
            draws_ahead_max: u64::from(file.limits.draws_ahead),
            ways_max: u64::from(file.limits.ways),
            tenders: Vec::new(),
            chip_change_cents: said("tenders.chip_change", &file.tenders.chip_change)?,
            second_person_cents: positive("payout.second_person", &file.payout.second_person)?,
            second_computation_minutes: file.payout.second_computation,
            cage_cents: positive("payout.cage", &file.payout.cage)?,
            cancel_alone_cents: said("payout.cancel_alone", &file.payout.cancel_alone)?,
            typed_alone_cents: said("payout.typed_alone", &file.payout.typed_alone)?
                .unwrap_or(TYPED_ALONE_CENTS),
            typed_per_day: file.payout.typed_per_day.unwrap_or(TYPED_PER_DAY),
            claim_days: file.claim.days,
            copies_max: file.limits.copies,
            at_once_cents: cents("damaged.at_once", &file.damaged.at_once)?,
            at_once_per_day: file.damaged.per_day,
            wait_hours: file.damaged.wait_hours,
            completes: file.interrupted.machine_draw == "complete",
            third_person_cents: positive("damaged.third_person", &file.damaged.third_person)?,
            games: Vec::new(),
        };
        file.judge_amounts(&book)?;
        for tender in &file.tenders.accepted {
            let number = match tender.as_str() {
                "cash" => 1,
                "coupon" => 2,
                "chip" => 3,
                _ => return Err(wrong("tenders.accepted", tender, "cash, coupon or chip")),
            };
            if book.tenders.contains(&number) {
                return Err(wrong("tenders.accepted", tender, "given once"));
            }
            book.tenders.push(number);
        }
        if book.tenders.is_empty() || file.game.is_empty() {
            return Err(wrong("tenders, game", 0, "one or more"));
        }
        for (at, game) in file.game.iter().enumerate() {
            let game = read_game(at, game, book.pool_size)?;
            if book.game(&game.code).is_some() {
                return Err(wrong(&format!("game[{at}].code"), game.code, "of one game"));
            }
            book.games.push(game);
        }
        file.judge_counter(&book)?;
        Ok(book)
    }

    /// The game of a code, with its place.
    #[must_use]
    pub fn game(&self, code: &str) -> Option<(usize, &Game)> {
        let mut games = self.games.iter().enumerate();
        games.find(|(_, game)| game.code == code)
    }
}

fn read_game(at: usize, file: &FileGame, pool: u8) -> Result<Game, RuleBookFault> {
    let place = |name: &str| format!("game[{at}].{name}");
    let money = |name: &str, text: &str| positive(&place(name), text);
    let is_code = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if !(1..=16).contains(&file.code.len()) || !file.code.bytes().all(is_code) {
        return Err(wrong(&place("code"), &file.code, "1 to 16 of a-z, 0-9, -"));
    }
    file.name.judge(&place("name"))?;
    let mut pays = BTreeMap::new();
    for (spots_text, lines) in &file.pays {
        let path = place(&format!("pays.{spots_text}"));
        let spots = small_number(&path, spots_text)?;
        if spots == 0 || spots > pool {
            return Err(wrong(&path, spots, "a number of spots"));
        }
        pays.insert(spots, read_line(&path, spots, lines)?);
    }
    let offers = file.offers();
    if let Some(offer) = offers.iter().find(|offer| !offer.is_of(pool)) {
        return Err(wrong(&place("straight, way, king"), offer.to, "a range"));
    }
    if offers.is_empty() {
        return Err(wrong(&place("straight"), "none", "a type of selection"));
    }
    let game = Game {
        offers,
        king_alone: file.king_alone,
        step_cents: money("wager.step", &file.wager.step)?,
        min_cents: money("wager.min", &file.wager.min)?,
        max_cents: money("wager.max", &file.wager.max)?,
        same_numbers_cents: money("wager.same_numbers", &file.wager.same_numbers)?,
        code: file.code.clone(),
        pays,
    };
    let (step, min, max) = (game.step_cents, game.min_cents, game.max_cents);
    let fits = min <= max
        && (min % step, max % step) == (0, 0)
        && max <= WAGER_CENTS_MAX
        && (max - min) / step < WAGERS_MAX
        && game.same_numbers_cents >= max;
    if !fits {
        return Err(wrong(&place("wager"), step, "steps from a minimum up"));
    }
    Ok(game)
}

/// What each catch of so many spots pays for one, in hundredths.
fn read_line(
    path: &str,
    spots: u8,
    lines: &BTreeMap<String, String>,
) -> Result<Vec<i64>, RuleBookFault> {
    let mut table = vec![0; usize::from(spots) + 1];
    for (catch_text, pays_text) in lines {
        let path = format!("{path}.{catch_text}");
        let catch = small_number(&path, catch_text)?;
        let slot = table.get_mut(usize::from(catch));
        let slot = slot.filter(|_| catch <= DRAWN);
        let pays = hundredths(&path, pays_text)?;
        if pays > PAYS_MAX {
            return Err(wrong(&path, pays_text, "at most 42949672.95"));
        }
        *slot.ok_or_else(|| wrong(&path, catch, "a catch of these spots"))? = pays;
    }
    Ok(table)
}

/// A decimal with at most two places and no leading zero, as an integer of hundredths.
fn cents(place: &str, text: &str) -> Result<i64, RuleBookFault> {
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    if whole.len() > 1 && whole.starts_with('0') {
        return Err(wrong(place, text, "a decimal without leading zero"));
    }
    hundredths(place, text)
}

/// The same of a key that may be absent.
fn said(place: &str, text: &Option<String>) -> Result<Option<i64>, RuleBookFault> {
    text.as_ref().map(|text| cents(place, text)).transpose()
}

/// The same, above zero.
fn positive(place: &str, text: &str) -> Result<i64, RuleBookFault> {
    match cents(place, text)? {
        0 => Err(wrong(place, text, "more than zero")),
        amount => Ok(amount),
    }
}

/// A decimal with at most two places, as an integer of hundredths.
fn hundredths(place: &str, text: &str) -> Result<i64, RuleBookFault> {
    let fault = || wrong(place, text, "a decimal with at most two places");
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() > 2 {
        return Err(fault());
    }
    let scale = if decimals.len() == 1 { 10 } else { 1 };
    let whole: i64 = whole.parse().map_err(|_| fault())?;
    let decimals: i64 = decimals.parse().map_err(|_| fault())?;
    whole
        .checked_mul(100)
        .and_then(|hundreds| hundreds.checked_add(decimals * scale))
        .ok_or_else(fault)
}

/// A number in its one spelling: digits, no sign, no leading zero.
fn small_number(place: &str, text: &str) -> Result<u8, RuleBookFault> {
    let number = text.parse().ok();
    number
        .filter(|number: &u8| number.to_string() == text)
        .ok_or_else(|| wrong(place, text, "a number"))
}

fn wrong(place: &str, value: impl ToString, wanted: &'static str) -> RuleBookFault {
    RuleBookFault::Value {
        place: place.to_owned(),
        value: value.to_string(),
        wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_at_most_two_places_and_no_sign() {
        for (text, value) in [
            ("3", 300),
            ("0.5", 50),
            ("0.50", 50),
            ("50000.00", 5_000_000),
        ] {
            assert_eq!(cents("place", text).unwrap(), value);
        }
        for text in [
            "",
            ".5",
            "1.",
            "-1",
            "+1",
            "1.005",
            "1,00",
            "1e3",
            "99999999999999999999",
            "01.00",
        ] {
            assert!(cents("place", text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_list_is_no_table_and_a_byte_order_mark_is_let_be() {
        let text = crate::returns::tests::book_text("1 = { 1 = \"3\" }", "50000.00");
        assert!(RuleBook::parse(&format!("\u{feff}{text}")).is_ok());
        let table: toml::Table = text.parse().unwrap();
        let listed = |change: fn(&mut toml::Table)| {
            let mut table = table.clone();
            change(&mut table);
            RuleBook::parse(&toml::to_string(&table).unwrap())
        };
        assert!(listed(|_| {}).is_ok());
        // Each has the right values in the right order.
        let pool = listed(|it| drop(it.insert("pool".to_owned(), vec![80, 20].into())));
        let range = listed(|it| {
            let game = it["game"][0].as_table_mut().unwrap();
            let range = vec![game["way"]["min"].clone(), game["way"]["max"].clone()];
            game.insert("way".to_owned(), range.into());
        });
        for refused in [pool, range] {
            let fault = refused.unwrap_err().to_string();
            assert!(
                fault.ends_with("is not a table or a single value"),
                "{fault}"
            );
        }
    }

    #[test]
    fn a_text_is_one_mebibyte_at_most() {
        let text = crate::returns::tests::book_text("1 = { 1 = \"3\" }", "50000.00");
        let of = |bytes: usize| format!("{text}\n{}", "#".repeat(bytes - text.len() - 1));
        assert!(RuleBook::parse(&of(1_048_576)).is_ok());
        let fault = RuleBook::parse(&of(1_048_577)).unwrap_err().to_string();
        assert_eq!(fault, "text: \"1048577\" is not at most 1048576 bytes");
    }

    #[test]
    fn a_second_computation_is_awaited_for_a_minute_to_a_week_or_not_at_all() {
        let text = crate::returns::tests::book_text("1 = { 1 = \"3\" }", "50000.00");
        let of = |value: &str| {
            let key = format!("[payout]\nsecond_computation = {value}\n");
            assert!(text.contains("[payout]\n"));
            RuleBook::parse(&text.replace("[payout]\n", &key))
        };
        let minutes = |book: RuleBook| book.second_computation_minutes;
        assert_eq!(RuleBook::parse(&text).map(minutes).unwrap(), None);
        assert_eq!(of("1").map(minutes).unwrap(), Some(1));
        assert_eq!(of("10080").map(minutes).unwrap(), Some(10_080));
        for value in ["0", "10081"] {
            let fault = of(value).unwrap_err().to_string();
            let said = format!("payout.second_computation: \"{value}\" is not from 1 to its limit");
            assert_eq!(fault, said);
        }
        for value in [
            "-1",
            "65536",
            "60.0",
            "\"60\"",
            "true",
            "[60]",
            "{ min = 60 }",
        ] {
            assert!(of(value).is_err(), "{value}");
        }
    }

    #[test]
    fn an_unknown_key_in_a_game_is_refused() {
        let text = crate::returns::tests::book_text("1 = { 1 = \"3\" }", "50000.00");
        assert!(RuleBook::parse(&text).is_ok());
        let changed = text.replace("code = ", "progressive = \"0.01\"\ncode = ");
        assert!(RuleBook::parse(&changed).is_err());
        let changed = text.replace("1 = { 1 =", "1 = { 2 =");
        let fault = RuleBook::parse(&changed).unwrap_err().to_string();
        assert_eq!(
            fault,
            "game[0].pays.1.2: \"2\" is not a catch of these spots"
        );
    }
}

//! The tables and keys of the text, and what its words and thresholds must be.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Game, RuleBook, RuleBookFault, cents, positive, small_number, wrong};
use crate::kind::{self, Offer};

/// Most ways of a selection that a book may permit.
const WAYS_MAX: u16 = 2_000;
/// Most papers of a ticket that a book may permit.
const COPIES_MAX: u32 = 8;
/// Most minutes that a payout waits for the follower.
const SECOND_COMPUTATION_MAX: u32 = 10_080;
/// Most hours that a file may wait.
const WAIT_HOURS_MAX: u32 = 720;
/// Most days within which the holder is answered.
const ANSWER_DAYS_MAX: u32 = 90;
/// The federal report may start below it, never above, in cents.
const FEDERAL_REPORT_CENTS_MAX: i64 = 1_000_000;
/// Most picks that a counter may offer at one key.
const EXPRESS_MAX: usize = 8;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) format: u32,
    pub(super) version: u32,
    name: FileWords,
    pub(super) pool: FilePool,
    pub(super) cap: FileCap,
    pub(super) limits: FileLimits,
    confirm: FileConfirm,
    pub(super) payout: FilePayout,
    pub(super) claim: FileClaim,
    pub(super) damaged: FileDamaged,
    pub(super) tenders: FileTenders,
    texts: FileTexts,
    pub(super) interrupted: FileInterrupted,
    counter: Option<FileCounter>,
    pub(super) game: Vec<FileGame>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileWords {
    fr: String,
    en: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FilePool {
    pub(super) size: u8,
    pub(super) drawn: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileCap {
    pub(super) per_draw: String,
    pub(super) full_below: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileLimits {
    pub(super) selections: u8,
    pub(super) draws: u16,
    pub(super) draws_ahead: u16,
    pub(super) ways: u16,
    pub(super) copies: u8,
    liability: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileConfirm {
    second_key: String,
    type_total: String,
    draws: u16,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FilePayout {
    pub(super) second_person: String,
    pub(super) second_computation: Option<u16>,
    pub(super) cage: String,
    federal_report: String,
    pub(super) cancel_alone: Option<String>,
    pub(super) typed_alone: Option<String>,
    pub(super) typed_per_day: Option<u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileClaim {
    pub(super) days: u16,
    place: FileWords,
    cage: FileWords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileDamaged {
    pub(super) at_once: String,
    pub(super) per_day: u16,
    pub(super) wait_hours: u16,
    pub(super) third_person: String,
    answer_days: u16,
    complaints: FileWords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileTenders {
    pub(super) accepted: Vec<String>,
    pub(super) chip_change: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTexts {
    rules_place: FileWords,
    notice: FileWords,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileInterrupted {
    pub(super) machine_draw: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileCounter {
    wager: String,
    #[serde(default)]
    express: Vec<FileExpress>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileExpress {
    game: Option<String>,
    spots: u8,
    wager: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileGame {
    pub(super) code: String,
    pub(super) name: FileWords,
    straight: Option<FileRange>,
    way: Option<FileRange>,
    king: Option<FileRange>,
    set: Option<String>,
    pub(super) king_alone: bool,
    pub(super) wager: FileWager,
    pub(super) pays: BTreeMap<String, BTreeMap<String, String>>,
}

impl FileGame {
    /// The kinds that are offered.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let said = [
            (kind::STRAIGHT, &self.straight),
            (kind::WAY, &self.way),
            (kind::KING, &self.king),
        ];
        let offered = said.into_iter().filter_map(|(kind, range)| {
            let FileRange { min: from, max: to } = *range.as_ref()?;
            let numbers = None;
            Some(Offer {
                kind,
                from,
                to,
                numbers,
            })
        });
        // A set that cannot be read has no number, and so is none that a game can offer.
        let set = self.set.as_deref();
        let set = set.map(|text| Offer::named(set_of(text).unwrap_or(0)));
        offered.chain(set).collect()
    }
}

/// Numbers and runs of numbers, ascending, a space between two, as bits.
fn set_of(text: &str) -> Option<u128> {
    let mut set = 0_u128;
    for part in text.split(' ') {
        let (first, last) = part.split_once('-').unwrap_or((part, ""));
        let first = small_number("set", first).ok()?;
        let last = match last {
            "" if part.contains('-') => return None,
            "" => first,
            last => small_number("set", last)
                .ok()
                .filter(|last| first < *last)?,
        };
        // Nothing at or above the first has been said before.
        if first == 0 || last > 80 || set >> (first - 1) != 0 {
            return None;
        }
        for number in first..=last {
            set |= 1 << (number - 1);
        }
    }
    Some(set)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRange {
    min: u8,
    max: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileWager {
    pub(super) step: String,
    pub(super) min: String,
    pub(super) max: String,
    pub(super) same_numbers: String,
}

/// Lists stand in three places alone. Without this a list of a table's values in their order would
/// be read as the table.
pub(super) fn judge_lists(file: &toml::Table) -> Result<(), RuleBookFault> {
    for (key, value) in file {
        match (key.as_str(), value) {
            ("game", toml::Value::Array(games)) => {
                games.iter().try_for_each(|game| no_list("game", game))?;
            }
            ("tenders", toml::Value::Table(tenders)) => {
                let mut others = tenders.iter().filter(|(key, _)| *key != "accepted");
                others.try_for_each(|(key, value)| no_list(key, value))?;
            }
            ("counter", toml::Value::Table(counter)) => {
                for (key, value) in counter {
                    match value {
                        toml::Value::Array(picks) if key == "express" => {
                            picks.iter().try_for_each(|pick| no_list(key, pick))?;
                        }
                        _ => no_list(key, value)?,
                    }
                }
            }
            (key, value) => no_list(key, value)?,
        }
    }
    Ok(())
}

fn no_list(place: &str, value: &toml::Value) -> Result<(), RuleBookFault> {
    match value {
        toml::Value::Array(_) => Err(wrong(place, value, "a table or a single value")),
        toml::Value::Table(table) => table
            .iter()
            .try_for_each(|(key, value)| no_list(&format!("{place}.{key}"), value)),
        _ => Ok(()),
    }
}

impl FileWords {
    /// Neither text is empty, neither has a control character.
    pub(super) fn judge(&self, place: &str) -> Result<(), RuleBookFault> {
        for text in [&self.fr, &self.en] {
            if text.trim().is_empty() || text.chars().any(char::is_control) {
                return Err(wrong(place, text, "a line of text in both languages"));
            }
        }
        Ok(())
    }
}

impl File {
    /// What no figure depends on.
    pub(super) fn judge_words(&self) -> Result<(), RuleBookFault> {
        self.name.judge("name")?;
        self.claim.place.judge("claim.place")?;
        self.claim.cage.judge("claim.cage")?;
        self.damaged.complaints.judge("damaged.complaints")?;
        self.texts.rules_place.judge("texts.rules_place")?;
        self.texts.notice.judge("texts.notice")?;
        match self.interrupted.machine_draw.as_str() {
            "void" | "complete" => Ok(()),
            other => Err(wrong("interrupted.machine_draw", other, "void or complete")),
        }
    }

    /// Limits and thresholds, beside those that `book` holds.
    pub(super) fn judge_amounts(&self, book: &RuleBook) -> Result<(), RuleBookFault> {
        if book.full_below_cents > book.cap_cents {
            let text = &self.cap.full_below;
            return Err(wrong("cap.full_below", text, "at most the cap"));
        }
        let (limits, confirm) = (&self.limits, &self.confirm);
        for (place, number, most) in [
            ("version", self.version, u32::MAX),
            ("limits.selections", u32::from(limits.selections), u32::MAX),
            ("limits.draws", u32::from(limits.draws), u32::MAX),
            ("limits.ways", u32::from(limits.ways), u32::from(WAYS_MAX)),
            ("limits.copies", u32::from(limits.copies), COPIES_MAX),
            ("confirm.draws", u32::from(confirm.draws), u32::MAX),
            ("claim.days", u32::from(self.claim.days), u32::MAX),
            (
                "damaged.wait_hours",
                u32::from(self.damaged.wait_hours),
                WAIT_HOURS_MAX,
            ),
            (
                "damaged.answer_days",
                u32::from(self.damaged.answer_days),
                ANSWER_DAYS_MAX,
            ),
            (
                "payout.second_computation",
                u32::from(self.payout.second_computation.unwrap_or(1)),
                SECOND_COMPUTATION_MAX,
            ),
        ] {
            if !(1..=most).contains(&number) {
                return Err(wrong(place, number, "from 1 to its limit"));
            }
        }
        if let Some(liability) = &limits.liability {
            positive("limits.liability", liability)?;
        }
        let second_key = positive("confirm.second_key", &confirm.second_key)?;
        if cents("confirm.type_total", &confirm.type_total)? < second_key {
            let text = &confirm.type_total;
            return Err(wrong("confirm.type_total", text, "second_key or more"));
        }
        if u32::from(self.damaged.answer_days) * 24 < u32::from(self.damaged.wait_hours) {
            let days = self.damaged.answer_days;
            return Err(wrong("damaged.answer_days", days, "after the wait"));
        }
        let text = &self.payout.federal_report;
        if positive("payout.federal_report", text)? > FEDERAL_REPORT_CENTS_MAX {
            return Err(wrong("payout.federal_report", text, "at most 10000.00"));
        }
        Ok(())
    }
    /// What a counter offers at one key is what the games sell.
    pub(super) fn judge_counter(&self, book: &RuleBook) -> Result<(), RuleBookFault> {
        let Some(counter) = &self.counter else {
            return Ok(());
        };
        let first = book.games.first();
        judge_sold("counter.wager", &counter.wager, first)?;
        if counter.express.len() > EXPRESS_MAX {
            let count = counter.express.len();
            return Err(wrong("counter.express", count, "at most 8"));
        }
        for (at, pick) in counter.express.iter().enumerate() {
            let place = format!("counter.express[{at}]");
            let game = match &pick.game {
                None => first,
                Some(code) => book.game(code).map(|(_, game)| game),
            };
            judge_sold(&place, &pick.wager, game)?;
            let straight = game.and_then(|game| game.offer(kind::STRAIGHT.number));
            if straight.is_none_or(|offer| !offer.has(pick.spots)) {
                return Err(wrong(&place, pick.spots, "spots of a straight selection"));
            }
        }
        Ok(())
    }
}

/// A wager that the game sells.
fn judge_sold(place: &str, text: &str, game: Option<&Game>) -> Result<(), RuleBookFault> {
    let Some(game) = game else {
        return Err(wrong(place, text, "of a game of the book"));
    };
    let wager = positive(place, text)?;
    if wager < game.min_cents || wager > game.max_cents || wager % game.step_cents != 0 {
        return Err(wrong(place, text, "a wager of its game"));
    }
    Ok(())
}

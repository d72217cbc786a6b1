//! What a counter offers at one key: the usual wager, and express picks (s. 80: a computer pick of
//! so many numbers for so much).
//!
//! Convenience, never law: a pick must be one that the game sells, and nothing else is decided by
//! it. It is judged here so that a counter is never given a key that central would refuse.

use keno_game::{Cents, Game, RuleBook, SelectionType, WagerLimits};

use super::place::overlap;
use super::{Reader, RuleBookFaultKind, money};
use keno_words::{Money, file_fault};

use crate::toml_faults::{Section, Words, quoted};

/// Most express picks: a counter has so many keys for them, `F1` to `F8`.
pub const EXPRESS_MAX: usize = 8;

/// What a counter offers at one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterRules {
    /// What a counter puts on a selection, per draw, when nothing is said; a wager of the first
    /// game.
    pub default_wager: Cents,
    /// The express picks, in the order of the keys; at most [`EXPRESS_MAX`].
    pub express: Vec<ExpressPick>,
}

/// A computer pick at one key: one straight selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressPick {
    /// Code of the game.
    pub game: String,
    /// How many numbers the computer picks.
    pub spots: u8,
    /// The wager per draw.
    pub wager: Cents,
}

/// The table as it stands in the file, before the games say what fits.
pub(super) struct Written {
    wager: Option<Cents>,
    express: Vec<WrittenPick>,
}

struct WrittenPick {
    place: String,
    game: WrittenGame,
    spots: Option<u8>,
    wager: Option<Cents>,
}

enum WrittenGame {
    First,
    Named(String),
    Unreadable,
}

/// Reads the table, if the book has one.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<Written> {
    if !root.has("counter") {
        return None;
    }
    let section = reader.section(root, "counter", &["wager", "express"]);
    let wager = money(reader, &section, "wager");
    let picks = reader.sections(&section, "express", &["game", "spots", "wager"]);
    let express = picks.iter().map(|pick| read_pick(reader, pick)).collect();
    Some(Written { wager, express })
}

fn read_pick(reader: &mut Reader, pick: &Section<'_>) -> WrittenPick {
    let game = if pick.has("game") {
        reader
            .text(pick, "game")
            .map_or(WrittenGame::Unreadable, |code| {
                WrittenGame::Named(code.to_owned())
            })
    } else {
        WrittenGame::First
    };
    WrittenPick {
        place: pick.place().to_owned(),
        game,
        spots: reader.number(pick, "spots", 0..=255),
        wager: money(reader, pick, "wager"),
    }
}

impl Written {
    /// Judges the table by the games, and gives it if nothing in it was refused.
    ///
    /// It comes after the games were judged: what cannot be known because a game is wrong itself
    /// is not reported a second time.
    pub(super) fn judged(&self, reader: &mut Reader, rules: &RuleBook) -> Option<CounterRules> {
        let first = rules.games.first().map(|game| (0, game));
        let default_wager = judged_wager(reader, "counter.wager", self.wager, first);
        if self.express.len() > EXPRESS_MAX {
            let detail = Words::of(&file_fault::ExpressBeyond {
                express_max: &EXPRESS_MAX,
            });
            let place = format!("counter.express[{EXPRESS_MAX}]");
            reader.fault(&place, RuleBookFaultKind::ExpressTooMany, detail);
        }
        // Every pick is judged, so that each of its faults is told at once.
        let express: Vec<Option<ExpressPick>> = self
            .express
            .iter()
            .map(|pick| judged_pick(reader, rules, pick))
            .collect();
        Some(CounterRules {
            default_wager: default_wager?,
            express: express.into_iter().collect::<Option<_>>()?,
        })
    }
}

fn judged_pick(reader: &mut Reader, rules: &RuleBook, pick: &WrittenPick) -> Option<ExpressPick> {
    let mut games = rules.games.iter().enumerate();
    let game = match &pick.game {
        WrittenGame::First => games.next(),
        WrittenGame::Named(code) => games.find(|(_, game)| game.code == *code),
        WrittenGame::Unreadable => None,
    };
    if let (WrittenGame::Named(code), None, true) = (&pick.game, game, codes_are_known(reader)) {
        let code = quoted(code);
        let detail = Words::of(&file_fault::GameUnknown { code: &code });
        let place = format!("{}.game", pick.place);
        reader.fault(&place, RuleBookFaultKind::ExpressGameUnknown, detail);
    }
    let wager = judged_wager(reader, &format!("{}.wager", pick.place), pick.wager, game);
    let (index, game) = game?;
    let spots = pick.spots?;
    let straight = game.spots_allowed(SelectionType::Straight);
    let is_played = straight.is_some_and(|straight| straight.contains(spots));
    if !is_played && is_known(reader, &format!("game[{index}].straight")) {
        let place = format!("{}.spots", pick.place);
        reader.fault(
            &place,
            RuleBookFaultKind::ExpressSpotsRefused,
            spots_words(game, spots),
        );
    }
    Some(ExpressPick {
        game: game.code.clone(),
        spots,
        wager: wager?,
    })
}

fn spots_words(game: &Game, spots: u8) -> Words {
    let code = &game.code;
    let Some(straight) = game.spots_allowed(SelectionType::Straight) else {
        return Words::of(&file_fault::NoStraightSelection { code: &code });
    };
    let (min, max) = (straight.min, straight.max);
    Words::of(&file_fault::ExpressSpotsOutOfRange {
        code: &code,
        max: &max,
        min: &min,
        spots: &spots,
    })
}

/// The wager, if it could be read; reported if the game does not sell it.
fn judged_wager(
    reader: &mut Reader,
    place: &str,
    wager: Option<Cents>,
    game: Option<(usize, &Game)>,
) -> Option<Cents> {
    let wager = wager?;
    let (index, game) = game?;
    let WagerLimits { step, min, max, .. } = game.wager;
    let is_sold = (min..=max).contains(&wager)
        && step.get() > 0
        && wager.get().checked_rem(step.get()) == Some(0);
    if !is_sold && is_known(reader, &format!("game[{index}].wager")) {
        let code = &game.code;
        let detail = Words::of(&file_fault::WagerOutOfSteps {
            code: &code,
            min: &Money(min.get()),
            max: &Money(max.get()),
            step: &Money(step.get()),
        });
        reader.fault(place, RuleBookFaultKind::CounterWagerRefused, detail);
    }
    Some(wager)
}

/// Whether nothing at, in or around a place was found wrong.
fn is_known(reader: &Reader, place: &str) -> bool {
    let mut faults = reader.faults().iter();
    !faults.any(|found| overlap(&found.place, place))
}

/// Whether every game's code could be read.
fn codes_are_known(reader: &Reader) -> bool {
    !reader.faults().iter().any(|found| {
        let of_game = found.place.strip_prefix("game");
        of_game
            .is_some_and(|rest| rest.is_empty() || rest.ends_with(']') || rest.ends_with("].code"))
    })
}

//! A selection: numbers, type, and the wager on each size of way (s. 80).
//!
//! Its text is what scenario tests, logs of a house and people read:
//!
//! ```text
//! keno 07 18 33 42 71 @ 2.00
//! keno QP 07 18 @ 1.00
//! keno (03 14 22 29)(40 51 66 80) 2/4 @ 1.00 1/8 @ 1.00
//! keno K01 (02 03)(04 05 06) 1/6 @ 0.50
//! ```

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::ball::{BallError, BallSet};
use crate::bet::SelectionType;
use crate::cents::{Cents, CentsOverflow};
use crate::ways::{WayError, check_groups};

/// The letter of a selection by its place on the slip, the first one 0: A to Z, then AA, AB, …
#[must_use]
pub fn letter(place: usize) -> String {
    let own = char::from(b'A' + u8::try_from(place % 26).unwrap_or_default());
    match place / 26 {
        0 => own.to_string(),
        before => format!("{}{own}", letter(before - 1)),
    }
}

/// One line of conditioning: `2/4 @ 1.00` is two ways of four spots, one dollar
/// for each way and draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Conditioning {
    /// How many ways; always all that the groups generate at this size.
    pub ways: u32,
    /// How many numbers one way has.
    pub spots: u8,
    /// The wager per way, per draw.
    pub wager: Cents,
}

/// What is recorded of one selection. Only recorded ways can win.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Selection {
    /// The code of the game in the rule book.
    pub game: String,
    /// Straight, way or king.
    pub kind: SelectionType,
    /// Whether the computer chose the numbers; the ticket says so.
    pub quick_pick: bool,
    /// Disjoint, none empty; exactly one for a straight.
    pub groups: Vec<BallSet>,
    /// The lone numbers of a king selection; otherwise empty.
    pub kings: BallSet,
    /// One line a size; exactly one line of one way for a straight.
    pub conditioning: Vec<Conditioning>,
}

impl Selection {
    /// Every number that is played.
    #[must_use]
    pub fn numbers(&self) -> BallSet {
        self.groups
            .iter()
            .fold(self.kings, |all, group| all.union(*group))
    }

    /// All ways of all lines; stays at `u32::MAX`.
    #[must_use]
    pub fn ways_total(&self) -> u32 {
        self.conditioning
            .iter()
            .fold(0, |total, line| total.saturating_add(line.ways))
    }

    /// Ways × wager, over all lines.
    ///
    /// # Errors
    /// [`CentsOverflow`] beyond 64 bits.
    pub fn wager_per_draw(&self) -> Result<Cents, CentsOverflow> {
        self.conditioning.iter().try_fold(Cents::ZERO, |sum, line| {
            line.wager
                .checked_mul(u64::from(line.ways))
                .and_then(|price| sum.checked_add(price))
                .ok_or(CentsOverflow)
        })
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.game)?;
        if self.quick_pick {
            formatter.write_str(" QP")?;
        }
        if !self.kind.has_ways() {
            let wager = self.conditioning.first().map_or(Cents::ZERO, |l| l.wager);
            return write!(formatter, " {} @ {wager}", self.numbers());
        }
        for king in self.kings.iter() {
            write!(formatter, " K{king:02}")?;
        }
        if !self.groups.is_empty() {
            formatter.write_str(" ")?;
        }
        for group in &self.groups {
            write!(formatter, "({group})")?;
        }
        for line in &self.conditioning {
            write!(formatter, " {}/{} @ {}", line.ways, line.spots, line.wager)?;
        }
        Ok(())
    }
}

/// A text that is not a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SelectionTextError {
    /// No code of a game at the start.
    #[error("a selection starts with the code of a game")]
    GameMissing,
    /// Something that is not a number of two digits.
    #[error("a number is written with two digits, such as 07")]
    NumberMalformed,
    /// A number out of range or repeated.
    #[error("the numbers can't be played")]
    Numbers(#[from] BallError),
    /// Groups that share a number, or an empty one.
    #[error("the groups can't be combined")]
    Groups(#[from] WayError),
    /// No number at all.
    #[error("a selection has at least one number")]
    NumbersMissing,
    /// Brackets that don't match or stand in the wrong place.
    #[error("a group is written in brackets, such as (07 18)")]
    GroupMalformed,
    /// A line that is not `2/4 @ 1.00`, or a size given twice.
    #[error("a wager is written as @ 1.00, and for ways as 2/4 @ 1.00")]
    ConditioningMalformed,
}

/// Reads what `Display` writes. What a rule book must decide (limits, tables,
/// whether the groups generate the ways) is not judged here.
impl FromStr for Selection {
    type Err = SelectionTextError;

    fn from_str(text: &str) -> Result<Selection, SelectionTextError> {
        let (game, rest) = text
            .trim()
            .split_once(' ')
            .ok_or(SelectionTextError::GameMissing)?;
        if game.is_empty() || !game.bytes().all(is_code_byte) {
            return Err(SelectionTextError::GameMissing);
        }
        let (quick_pick, rest) = match rest.trim().strip_prefix("QP ") {
            Some(rest) => (true, rest.trim()),
            None => (false, rest.trim()),
        };
        let (kings, groups, lines, kind) = if rest.starts_with(['K', '(']) {
            parse_groups(rest)?
        } else {
            parse_straight(rest)?
        };
        Ok(Selection {
            game: game.to_owned(),
            kind,
            quick_pick,
            groups,
            kings,
            conditioning: lines,
        })
    }
}

type Parsed = (BallSet, Vec<BallSet>, Vec<Conditioning>, SelectionType);

fn parse_straight(text: &str) -> Result<Parsed, SelectionTextError> {
    let (numbers, wager) = text
        .split_once('@')
        .ok_or(SelectionTextError::ConditioningMalformed)?;
    let set = parse_numbers(numbers)?;
    let line = Conditioning {
        ways: 1,
        spots: set.len(),
        wager: parse_wager(wager)?,
    };
    Ok((
        BallSet::EMPTY,
        vec![set],
        vec![line],
        SelectionType::Straight,
    ))
}

fn parse_groups(text: &str) -> Result<Parsed, SelectionTextError> {
    let mut rest = text;
    let mut kings = BallSet::EMPTY;
    while let Some(after) = rest.strip_prefix('K') {
        let (number, after) = after
            .split_once(' ')
            .ok_or(SelectionTextError::ConditioningMalformed)?;
        let number = parse_number(number)?;
        if !kings.insert(number)? {
            return Err(BallError::Repeated(number).into());
        }
        rest = after.trim_start();
    }
    let mut groups = Vec::new();
    while let Some(after) = rest.strip_prefix('(') {
        let (inside, after) = after
            .split_once(')')
            .ok_or(SelectionTextError::GroupMalformed)?;
        groups.push(parse_numbers(inside)?);
        rest = after.trim_start();
    }
    check_groups(&groups, kings)?;
    let kind = if kings.is_empty() {
        SelectionType::Way
    } else {
        SelectionType::King
    };
    Ok((kings, groups, parse_conditioning(rest)?, kind))
}

fn parse_conditioning(text: &str) -> Result<Vec<Conditioning>, SelectionTextError> {
    let malformed = SelectionTextError::ConditioningMalformed;
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut lines: Vec<Conditioning> = Vec::new();
    for line in words.chunks(3) {
        let [sizes, "@", wager] = line else {
            return Err(malformed);
        };
        let (ways, spots) = sizes.split_once('/').ok_or(malformed)?;
        let line = Conditioning {
            ways: parse_count(ways).ok_or(malformed)?,
            spots: parse_count(spots)
                .and_then(|spots| u8::try_from(spots).ok())
                .ok_or(malformed)?,
            wager: parse_wager(wager)?,
        };
        if lines.iter().any(|other| other.spots == line.spots) {
            return Err(malformed);
        }
        lines.push(line);
    }
    if lines.is_empty() {
        return Err(malformed);
    }
    Ok(lines)
}

/// A count of at least one, without leading zero, so that one count has one text.
fn parse_count(text: &str) -> Option<u32> {
    if text.starts_with('0') || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

fn parse_wager(text: &str) -> Result<Cents, SelectionTextError> {
    text.trim()
        .parse()
        .map_err(|_| SelectionTextError::ConditioningMalformed)
}

fn parse_numbers(text: &str) -> Result<BallSet, SelectionTextError> {
    let numbers = text
        .split_whitespace()
        .map(parse_number)
        .collect::<Result<Vec<u8>, _>>()?;
    if numbers.is_empty() {
        return Err(SelectionTextError::NumbersMissing);
    }
    Ok(BallSet::from_numbers(&numbers)?)
}

fn parse_number(text: &str) -> Result<u8, SelectionTextError> {
    if text.len() != 2 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(SelectionTextError::NumberMalformed);
    }
    text.parse()
        .map_err(|_| SelectionTextError::NumberMalformed)
}

/// The letters of a game's code: `a-z`, `0-9` and the hyphen.
pub(crate) fn is_code_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_reads_and_writes_its_text() {
        for (text, kind, ways, cents) in [
            (
                "keno 07 18 33 42 71 @ 2.00",
                SelectionType::Straight,
                1,
                200,
            ),
            ("keno QP 07 18 @ 1.00", SelectionType::Straight, 1, 100),
            (
                "keno (03 14 22 29)(40 51 66 80) 2/4 @ 1.00 1/8 @ 1.00",
                SelectionType::Way,
                3,
                300,
            ),
            (
                "keno K01 (02 03)(04 05 06) 1/6 @ 0.50",
                SelectionType::King,
                1,
                50,
            ),
            ("top-bottom K01 K80 2/1 @ 0.50", SelectionType::King, 2, 100),
        ] {
            let selection: Selection = text.parse().unwrap();
            assert_eq!(selection.to_string(), text);
            assert_eq!(selection.kind, kind);
            assert_eq!(selection.quick_pick, text.contains("QP"));
            assert_eq!(selection.ways_total(), ways);
            assert_eq!(selection.wager_per_draw(), Ok(Cents::new(cents)));
        }
    }

    #[test]
    fn a_text_that_is_no_selection_is_refused() {
        use SelectionTextError as Error;
        for (text, error) in [
            ("keno", Error::GameMissing),
            ("Keno 07 @ 1.00", Error::GameMissing),
            ("keno 7 @ 1.00", Error::NumberMalformed),
            ("keno 00 @ 1.00", Error::Numbers(BallError::OutOfRange(0))),
            ("keno 81 @ 1.00", Error::Numbers(BallError::OutOfRange(81))),
            ("keno 07 07 @ 1.00", Error::Numbers(BallError::Repeated(7))),
            ("keno @ 1.00", Error::NumbersMissing),
            ("keno QP @ 1.00", Error::NumbersMissing),
            ("keno 07 1.00", Error::ConditioningMalformed),
            ("keno 07 @ 1", Error::ConditioningMalformed),
            ("keno (07 08) 1/2", Error::ConditioningMalformed),
            ("keno (07 08)", Error::ConditioningMalformed),
            ("keno (07 08) 0/2 @ 1.00", Error::ConditioningMalformed),
            (
                "keno (07 08) 1/2 @ 1.00 1/2 @ 1.00",
                Error::ConditioningMalformed,
            ),
            ("keno (07 08 1/2 @ 1.00", Error::GroupMalformed),
            (
                "keno (07)(08 07) 1/3 @ 1.00",
                Error::Groups(WayError::Overlap(7)),
            ),
            (
                "keno K07 (08 07) 1/3 @ 1.00",
                Error::Groups(WayError::Overlap(7)),
            ),
            (
                "keno K07 K07 (08) 1/3 @ 1.00",
                Error::Numbers(BallError::Repeated(7)),
            ),
        ] {
            assert_eq!(text.parse::<Selection>(), Err(error), "{text}");
        }
    }
}

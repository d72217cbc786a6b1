//! The text of a selection, by which the tests say and read it:
//!
//! ```text
//! keno 07 18 33 42 71 @ 2.00
//! keno QP 07 18 @ 1.00
//! keno (03 14 22 29)(40 51 66 80) 2/4 @ 1.00 1/8 @ 1.00
//! keno K01 (02 03)(04 05 06) 1/6 @ 0.50
//! ```

use std::fmt;

use keno_game::ways::check_groups;
use keno_game::{BallError, BallSet, Cents, Conditioning, Selection, SelectionType, WayError};
use thiserror::Error;

/// The text of a selection.
pub struct Text<'a>(pub &'a Selection);

impl fmt::Display for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selection = self.0;
        formatter.write_str(&selection.game)?;
        if selection.quick_pick {
            formatter.write_str(" QP")?;
        }
        if !selection.kind.has_ways() {
            let wager = selection
                .conditioning
                .first()
                .map_or(Cents::ZERO, |l| l.wager);
            return write!(formatter, " {} @ {wager}", selection.numbers());
        }
        for king in selection.kings.iter() {
            write!(formatter, " K{king:02}")?;
        }
        if !selection.groups.is_empty() {
            formatter.write_str(" ")?;
        }
        for group in &selection.groups {
            write!(formatter, "({group})")?;
        }
        for line in &selection.conditioning {
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

/// Reads what [`Text`] writes. What a rule book must decide (limits, tables,
/// whether the groups generate the ways) is not judged here.
pub fn selection_of(text: &str) -> Result<Selection, SelectionTextError> {
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
fn is_code_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

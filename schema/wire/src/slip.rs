//! A slip as it travels, read as one of the rules.
//!
//! Nothing here decides: a number that no slip can have becomes one that the rules refuse, so
//! that refusals keep their order, at central and where a terminal tells the price beforehand.

use keno_game::slip::{SlipDetail, SlipRefusalCode};
use keno_game::{Cents, ConditioningAsked, Pick, SelectionType, Slip, SlipRefusal, SlipSelection};
use keno_words::{Say, selection_type};

use crate::request;

/// A number as a slip's number: one outside a byte becomes one that no pool has.
fn number(number: i64) -> u8 {
    u8::try_from(number).unwrap_or(if number < 0 { 0 } else { u8::MAX })
}

fn numbers(numbers: &[i64]) -> Vec<u8> {
    numbers.iter().copied().map(self::number).collect()
}

/// What people call a type of selection, in small letters.
pub fn type_words(kind: SelectionType) -> &'static dyn Say {
    match kind {
        SelectionType::Straight => &selection_type::Straight,
        SelectionType::Way => &selection_type::Way,
        SelectionType::King => &selection_type::King,
        SelectionType::NamedSet => &selection_type::NamedSet,
    }
}

fn misfit(code: SlipRefusalCode, selection: usize, field: &'static str) -> SlipRefusal {
    SlipRefusal {
        code,
        selection: u8::try_from(selection).ok(),
        field: Some(field),
        detail: SlipDetail::None,
    }
}

/// One selection of a slip, and its place there.
///
/// # Errors
/// For a type of selection that no house has, or numbers beside a quick pick.
pub fn selection(asked: &request::Selection, index: usize) -> Result<SlipSelection, SlipRefusal> {
    let kind = asked
        .kind
        .known()
        .ok_or_else(|| misfit(SlipRefusalCode::UnknownType, index, "type"))?;
    let pick = match asked.quick_pick {
        // Numbers beside a quick pick would be dropped in silence: which is meant?
        Some(_)
            if !(asked.numbers.is_empty() && asked.groups.is_empty() && asked.kings.is_empty()) =>
        {
            return Err(misfit(SlipRefusalCode::NumbersNotOfType, index, "numbers"));
        }
        Some(spots) => Pick::Quick { spots },
        None => {
            let mut groups: Vec<Vec<u8>> =
                asked.groups.iter().map(|group| numbers(group)).collect();
            if !asked.numbers.is_empty() {
                if kind.has_ways() {
                    return Err(misfit(SlipRefusalCode::NumbersNotOfType, index, "numbers"));
                }
                groups.insert(0, numbers(&asked.numbers));
            }
            Pick::Numbers {
                groups,
                kings: numbers(&asked.kings),
            }
        }
    };
    Ok(SlipSelection {
        game: asked.game.clone(),
        kind,
        pick,
        conditioning: asked
            .ways
            .iter()
            .map(|line| ConditioningAsked {
                ways: line.ways,
                spots: line.spots,
                wager: Cents::new(line.wager_cents),
            })
            .collect(),
        wager: asked.wager_cents.map(Cents::new),
    })
}

/// A slip, without its first draw.
///
/// # Errors
/// As [`selection`], of the first that is refused.
pub fn slip(asked: &request::Slip) -> Result<Slip, SlipRefusal> {
    let selections = asked
        .selections
        .iter()
        .enumerate()
        .map(|(index, asked)| selection(asked, index))
        .collect::<Result<_, _>>()?;
    Ok(Slip {
        selections,
        // More draws than fit are more than any rule book permits.
        draws: u16::try_from(asked.draws).unwrap_or(u16::MAX),
    })
}

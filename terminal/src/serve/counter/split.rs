//! What to offer when a patron wrote ways that the groups of a selection do not generate.
//!
//! Groups 2-2 / 2-2 generate six ways of four numbers. A patron who writes two ways of four means
//! the pairs taken together: that is another selection, of groups of four. A selection is never
//! read as what its groups do not say; it is offered as two.

use keno_wire::request::{Conditioning, Selection};
use serde::Serialize;

/// Ways that the groups of a selection generate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(in crate::serve) struct Generated {
    /// Numbers of each.
    pub spots: u8,
    /// How many.
    pub ways: u64,
    /// They can win by the rules of the game.
    pub is_playable: bool,
}

/// Two selections that say what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::serve) struct Split {
    /// The groups as they are, with the ways that they generate.
    pub first: Selection,
    /// Groups taken together, with the way that they did not generate.
    pub second: Selection,
}

/// Neighbouring groups taken together until each has `spots` numbers; none when they do not come
/// out even.
fn taken_together(groups: &[Vec<i64>], spots: usize) -> Option<Vec<Vec<i64>>> {
    let mut together: Vec<Vec<i64>> = Vec::new();
    let mut open: Vec<i64> = Vec::new();
    for group in groups.iter().filter(|group| !group.is_empty()) {
        open.extend(group);
        match open.len().cmp(&spots) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => together.push(std::mem::take(&mut open)),
            std::cmp::Ordering::Greater => return None,
        }
    }
    (open.is_empty() && !together.is_empty()).then_some(together)
}

/// The offer, when exactly one line was written that the groups do not generate and its neighbours
/// taken together do.
pub(super) fn split(asked: &Selection, generated: &[Generated]) -> Option<Split> {
    let is_generated = |line: &Conditioning| {
        generated.iter().any(|one| {
            one.spots == line.spots && line.ways.is_none_or(|ways| u64::from(ways) == one.ways)
        })
    };
    let (kept, missing): (Vec<Conditioning>, Vec<Conditioning>) =
        asked.ways.iter().cloned().partition(is_generated);
    let [line] = missing.as_slice() else {
        return None;
    };
    if !asked.kings.is_empty() || kept.is_empty() {
        return None;
    }
    let groups = taken_together(&asked.groups, usize::from(line.spots))?;
    if u32::try_from(groups.len()).ok() != line.ways || groups.len() == asked.groups.len() {
        return None;
    }
    Some(Split {
        first: Selection {
            ways: kept,
            ..asked.clone()
        },
        second: Selection {
            groups,
            ways: vec![line.clone()],
            ..asked.clone()
        },
    })
}

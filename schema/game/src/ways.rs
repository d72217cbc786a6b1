//! Ways: how many combinations of groups have so many numbers, and how many of
//! those catch so many. Counts are exact and come from a polynomial; nothing is
//! enumerated to settle or to price.
//!
//! A king is a lone number that joins any group or groups. Numbers made of kings
//! alone count only where the rule book lets a king play alone.

use thiserror::Error;

use crate::ball::{BallSet, NUMBER_MAX};
use crate::paytable::CATCH_MAX;

/// Sizes 0 to 80.
const SIZES: usize = NUMBER_MAX as usize + 1;
/// Catches 0 to 20.
const CATCHES: usize = CATCH_MAX as usize + 1;

/// Groups and kings that can't be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WayError {
    /// A group without numbers (index from 0).
    #[error("group {0} has no number")]
    EmptyGroup(usize),
    /// A number in two groups, or in a group and among the kings.
    #[error("the number {0} is in two groups")]
    Overlap(u8),
    /// More combinations than the caller wants listed.
    #[error("there are more than {0} ways")]
    TooMany(usize),
}

/// Checks that no group is empty and that no number is used twice.
///
/// # Errors
/// [`WayError::EmptyGroup`] or [`WayError::Overlap`], whichever comes first.
pub fn check_groups(groups: &[BallSet], kings: BallSet) -> Result<(), WayError> {
    let mut seen = kings;
    for (index, &group) in groups.iter().enumerate() {
        if group.is_empty() {
            return Err(WayError::EmptyGroup(index));
        }
        if let Some(number) = seen.intersection(group).iter().next() {
            return Err(WayError::Overlap(number));
        }
        seen = seen.union(group);
    }
    Ok(())
}

/// How many ways of each size the groups and kings generate; index is the size,
/// and size 0 has none. Exact up to `u64::MAX`, where a count stays (only beyond
/// 60 groups, far above any permitted number of ways).
///
/// # Errors
/// [`WayError::EmptyGroup`], [`WayError::Overlap`].
pub fn ways_by_size(
    groups: &[BallSet],
    kings: BallSet,
    king_alone: bool,
) -> Result<[u64; 81], WayError> {
    check_groups(groups, kings)?;
    let mut counts = [0u64; SIZES];
    counts[0] = 1;
    for group in groups {
        join_size(&mut counts, usize::from(group.len()));
    }
    // The empty choice of groups: alone it is no way, with kings only if they
    // may play alone.
    counts[0] = u64::from(king_alone);
    for _ in kings.iter() {
        join_size(&mut counts, 1);
    }
    counts[0] = 0;
    Ok(counts)
}

fn join_size(counts: &mut [u64; SIZES], added: usize) {
    for size in (added..SIZES).rev() {
        counts[size] = counts[size].saturating_add(counts[size - added]);
    }
}

/// How many ways of `spots` numbers catch each number of the drawn; index is the
/// catch, 0 to 20. The same bounds and the same reading of kings as
/// [`ways_by_size`]; the groups must be disjoint (a recorded selection's are).
#[must_use]
pub fn ways_by_catch(
    groups: &[BallSet],
    kings: BallSet,
    king_alone: bool,
    spots: u8,
    drawn: BallSet,
) -> [u64; 21] {
    let spots = usize::from(spots);
    let mut counts = vec![[0u64; CATCHES]; spots + 1];
    if let Some(first) = counts.first_mut() {
        first[0] = 1;
    }
    for group in groups {
        let caught = group.intersection(drawn).len();
        join_catch(&mut counts, usize::from(group.len()), usize::from(caught));
    }
    if let Some(first) = counts.first_mut() {
        first[0] = u64::from(king_alone);
    }
    for king in kings.iter() {
        join_catch(&mut counts, 1, usize::from(drawn.contains(king)));
    }
    match counts.pop() {
        // The empty choice is no way.
        Some(row) if spots > 0 => row,
        _ => [0; CATCHES],
    }
}

fn join_catch(counts: &mut [[u64; CATCHES]], added: usize, caught: usize) {
    for size in (added..counts.len()).rev() {
        let (lower, upper) = counts.split_at_mut(size);
        let Some(target) = upper.first_mut() else {
            continue;
        };
        let source = match lower.get(size - added) {
            Some(source) => *source,
            // Only for an empty group, which no recorded selection has.
            None => *target,
        };
        for (slot, count) in target.iter_mut().skip(caught).zip(source) {
            *slot = slot.saturating_add(count);
        }
    }
}

/// Every way of `spots` numbers, one by one: for display, for the limit on the
/// same numbers and for tests. Order: groups as given, kings last.
///
/// # Errors
/// [`WayError::EmptyGroup`], [`WayError::Overlap`], and [`WayError::TooMany`]
/// before more than `most` are listed.
pub fn enumerate(
    groups: &[BallSet],
    kings: BallSet,
    king_alone: bool,
    spots: u8,
    most: usize,
) -> Result<Vec<BallSet>, WayError> {
    let count = ways_by_size(groups, kings, king_alone)?
        .get(usize::from(spots))
        .copied()
        .unwrap_or(0);
    if u64::try_from(most).is_ok_and(|most| count > most) {
        return Err(WayError::TooMany(most));
    }
    let mut parts: Vec<BallSet> = groups.to_vec();
    for king in kings.iter() {
        let mut part = BallSet::EMPTY;
        // A number out of a set is in range.
        if part.insert(king).is_ok() {
            parts.push(part);
        }
    }
    // reachable[i] has bit s set if parts i.. can add up to s numbers, so that no
    // branch is entered that ends without a way.
    let mut reachable = vec![1u128; parts.len() + 1];
    for index in (0..parts.len()).rev() {
        reachable[index] = reachable[index + 1] | (reachable[index + 1] << parts[index].len());
    }
    let mut listing = Listing {
        parts: &parts,
        reachable: &reachable,
        kings_from: groups.len(),
        king_alone,
        found: Vec::new(),
    };
    if spots > 0 && spots <= NUMBER_MAX {
        listing.descend(0, spots, BallSet::EMPTY);
    }
    Ok(listing.found)
}

struct Listing<'a> {
    parts: &'a [BallSet],
    reachable: &'a [u128],
    kings_from: usize,
    king_alone: bool,
    found: Vec<BallSet>,
}

impl Listing<'_> {
    fn descend(&mut self, index: usize, missing: u8, chosen: BallSet) {
        let has_no_group = index >= self.kings_from && chosen.is_disjoint(self.groups_union());
        if has_no_group && !self.king_alone {
            return;
        }
        if missing == 0 {
            self.found.push(chosen);
            return;
        }
        let is_reachable = self
            .reachable
            .get(index)
            .is_some_and(|sizes| sizes & (1u128 << missing) != 0);
        let Some(&part) = self.parts.get(index) else {
            return;
        };
        if !is_reachable {
            return;
        }
        if let Some(rest) = missing.checked_sub(part.len()) {
            self.descend(index + 1, rest, chosen.union(part));
        }
        self.descend(index + 1, missing, chosen);
    }

    fn groups_union(&self) -> BallSet {
        self.parts
            .iter()
            .take(self.kings_from)
            .fold(BallSet::EMPTY, |union, part| union.union(*part))
    }
}

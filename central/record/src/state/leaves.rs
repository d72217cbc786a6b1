//! What memory knows of every leaf and of every ticket's life: enough to tell that a row which is
//! read is the leaf that was recorded, and that none is missing.
//!
//! Leaves are known by the roots of their blocks, 32 bytes for 256 of them: whoever believes one
//! reads the hashes of its block. Facts of tickets are known by their number, for 16 leaves of
//! sales together. A fact that is read proves itself; what a leaf cannot prove is that no other was
//! taken away, and that is what the number says.

use keno_log::Hash;
use keno_log::tree::{Edge, root_of};

/// Leaves in a block.
const BLOCK: u64 = 256;
/// Leaves whose tickets have their facts counted together.
const TICKETS: u64 = 16;

/// What memory knows of every leaf.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leaves {
    /// Roots of the blocks that are full.
    pub(super) blocks: Vec<Hash>,
    /// Hashes of the leaves after them.
    pub(super) last: Vec<Hash>,
    /// Facts of the tickets of each sixteen leaves.
    pub(super) facts: Vec<u32>,
}

/// What is known of a block of leaves.
#[derive(Debug, Clone, Copy)]
pub enum Block<'a> {
    /// Its first leaf, how many there are, and the root over their hashes.
    Full(u64, u64, &'a Hash),
    /// The hashes of those that there are yet.
    Last(&'a [Hash]),
}

/// The leaves whose tickets have their facts counted with those of a ticket: first and last.
pub const fn counted_with(ticket: u64) -> (u64, u64) {
    let first = ticket - ticket % TICKETS;
    (first, first + (TICKETS - 1))
}

impl Leaves {
    /// Adds a leaf. Answers what it takes to take it back: the block that it filled.
    pub fn append(&mut self, leaf_hash: Hash) -> Option<Vec<Hash>> {
        if self.last.len() as u64 + 1 < BLOCK {
            self.last.push(leaf_hash);
            return None;
        }
        let before = std::mem::take(&mut self.last);
        let whole = [before.as_slice(), &[leaf_hash]].concat();
        self.blocks.push(root_of(&whole));
        Some(before)
    }

    /// Takes the last leaf back.
    pub(super) fn take_back(&mut self, filled: Option<Vec<Hash>>) {
        match filled {
            None => drop(self.last.pop()),
            Some(before) => {
                self.blocks.pop();
                self.last = before;
            }
        }
    }

    /// Counts a fact of a ticket, or one less.
    pub(super) fn count(&mut self, ticket: u64, change: i32) {
        let at = usize::try_from(ticket / TICKETS).unwrap_or(usize::MAX);
        // A fact names a ticket that was sold before it.
        if at > self.blocks.len() * (BLOCK / TICKETS) as usize + self.last.len() {
            return;
        }
        if self.facts.len() <= at {
            self.facts.resize(at + 1, 0);
        }
        if let Some(count) = self.facts.get_mut(at) {
            *count = count.saturating_add_signed(change);
        }
        while self.facts.last() == Some(&0) {
            self.facts.pop();
        }
    }

    /// How many facts the tickets have that are counted with this one.
    pub fn facts_with(&self, ticket: u64) -> u32 {
        let at = usize::try_from(ticket / TICKETS).unwrap_or(usize::MAX);
        self.facts.get(at).copied().unwrap_or(0)
    }

    /// True when these are the leaves of a tree.
    pub fn are_of(&self, edge: &Edge) -> bool {
        let subtree = |level: u8, index: u64| {
            let (first, count) = match level.checked_sub(8) {
                Some(above) => (index << above, 1_usize << above),
                None => ((index << level) % BLOCK, 1_usize << level),
            };
            let of = if level < 8 { &self.last } else { &self.blocks };
            let first = usize::try_from(first).map_err(|_| ())?;
            let leaves = of.get(first..first.saturating_add(count)).ok_or(())?;
            Ok(root_of(leaves))
        };
        let size = self.blocks.len() as u64 * BLOCK + self.last.len() as u64;
        size == edge.size() && Edge::read::<()>(size, &mut { subtree }).as_ref() == Ok(edge)
    }

    /// What is known of the block that a leaf lies in; nothing of a leaf that there is not.
    pub fn block_of(&self, leaf: u64) -> Option<Block<'_>> {
        let number = leaf / BLOCK;
        let full = usize::try_from(number)
            .ok()
            .and_then(|at| self.blocks.get(at));
        match full {
            Some(root) => Some(Block::Full(number * BLOCK, BLOCK, root)),
            None if number == self.blocks.len() as u64 => Some(Block::Last(&self.last)),
            None => None,
        }
    }

    /// The place of a leaf in its block.
    pub fn place_of(leaf: u64) -> usize {
        usize::try_from(leaf % BLOCK).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_the_leaves_is_the_tree_of_them_at_every_size() {
        let (mut leaves, mut edge) = (Leaves::default(), Edge::new());
        let mut kept = Vec::new();
        for number in 0..1_100_u64 {
            let hash = keno_log::hash::leaf_hash(&number.to_be_bytes());
            kept.push((leaves.clone(), leaves.append(hash)));
            edge.append(hash);
            assert!(leaves.are_of(&edge), "after {number}");
            let mut other = leaves.clone();
            let hash = other.last.last_mut().or(other.blocks.last_mut());
            hash.unwrap()[0] ^= 1;
            assert!(!other.are_of(&edge), "another leaf after {number}");
        }
        for (before, filled) in kept.into_iter().rev() {
            leaves.take_back(filled);
            assert_eq!(leaves, before);
        }
    }

    #[test]
    fn facts_are_counted_by_sixteen_leaves_and_taken_back() {
        let mut leaves = Leaves::default();
        for number in 0..100_u8 {
            leaves.append([number; 32]);
        }
        for ticket in [0, 15, 16, 70, 70] {
            leaves.count(ticket, 1);
        }
        assert_eq!(leaves.facts_with(3), 2);
        assert_eq!(leaves.facts_with(31), 1);
        assert_eq!(leaves.facts_with(64), 2);
        assert_eq!(leaves.facts_with(u64::MAX), 0);
        for ticket in [70, 70, 16, 15, 0] {
            leaves.count(ticket, -1);
        }
        assert!(leaves.facts.is_empty());
        leaves.count(u64::MAX, 1);
        assert!(
            leaves.facts.is_empty(),
            "no ticket that nobody can have sold"
        );
        assert_eq!(counted_with(70), (64, 79));
    }
}

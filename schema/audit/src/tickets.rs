//! Every ticket of a log, in few bytes each: whatever many have in common is kept once, whatever few
//! have is kept apart.

use std::collections::HashMap;
use std::hash::Hash;

use crate::ticket::Wagers;

/// A ticket as the second computation knows it.
#[derive(Debug, Clone, Copy)]
pub struct Ticket {
    /// Its place among all tickets.
    pub place: usize,
    /// Index of its leaf.
    pub leaf: u64,
    /// What it is a ticket for.
    pub terms: Terms,
    /// Who sold it.
    pub seller: Seller,
    /// Leaf that withdrew it (cancelled, or void as unpaid); 0 while it stands.
    pub withdrawn: u64,
    /// Newest copy index.
    pub copy: u8,
    /// Newest copy index whose print was confirmed; 0 for none.
    pub confirmed: u8,
}

/// What many tickets of a draw have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Terms {
    /// First draw.
    pub first_draw: u64,
    /// Last draw.
    pub last_draw: u64,
    /// Wagers for one draw, in cents.
    pub per_draw_cents: i64,
    /// Price, in cents.
    pub total_cents: i64,
    /// Version of the rules.
    pub rule_book: u32,
    /// Last business day to claim.
    pub claim_by: u32,
    /// Number of selections.
    pub selections: u32,
    /// 1 cash, 2 coupon, 3 chip.
    pub tender: u8,
}

/// What the tickets of a shift have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seller {
    /// The clerk, by number.
    pub badge: u32,
    /// Number of the device.
    pub device: u32,
    /// Number of the shift.
    pub shift: u64,
}

impl Ticket {
    /// Whether its range holds the draw.
    #[must_use]
    pub fn covers(&self, draw: u64) -> bool {
        (self.terms.first_draw..=self.terms.last_draw).contains(&draw)
    }
}

/// What is kept of each ticket.
#[derive(Debug, Clone, Copy)]
struct Kept {
    leaf: u64,
    terms: u32,
    seller: u32,
    copy: u8,
    confirmed: u8,
}

/// Values by their number, each once.
#[derive(Debug)]
struct Numbered<T> {
    values: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            numbers: HashMap::new(),
        }
    }
}

impl<T: Copy + Eq + Hash> Numbered<T> {
    fn number(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX)
        })
    }

    fn value(&self, number: u32) -> Option<T> {
        self.values.get(usize::try_from(number).ok()?).copied()
    }
}

/// The tickets of a log, in the order of their leaves.
#[derive(Debug, Default)]
pub struct Tickets {
    kept: Vec<Kept>,
    terms: Numbered<Terms>,
    sellers: Numbered<Seller>,
    withdrawn: HashMap<usize, u64>,
    /// Of the tickets of which a draw is not over.
    wagers: HashMap<usize, Wagers>,
}

impl Tickets {
    /// Adds the ticket of a leaf that comes after those of all before. Returns its place.
    pub fn push(&mut self, leaf: u64, terms: Terms, seller: Seller, wagers: Wagers) -> usize {
        let place = self.kept.len();
        self.kept.push(Kept {
            leaf,
            terms: self.terms.number(terms),
            seller: self.sellers.number(seller),
            copy: 1,
            confirmed: 0,
        });
        self.wagers.insert(place, wagers);
        place
    }

    /// The place of the ticket of a leaf.
    #[must_use]
    pub fn place_of(&self, leaf: u64) -> Option<usize> {
        self.kept.binary_search_by_key(&leaf, |kept| kept.leaf).ok()
    }

    /// The ticket in a place.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<Ticket> {
        let kept = self.kept.get(place)?;
        Some(Ticket {
            place,
            leaf: kept.leaf,
            terms: self.terms.value(kept.terms)?,
            seller: self.sellers.value(kept.seller)?,
            withdrawn: self.withdrawn.get(&place).copied().unwrap_or(0),
            copy: kept.copy,
            confirmed: kept.confirmed,
        })
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Ticket> {
        (0..self.kept.len()).filter_map(|place| self.get(place))
    }

    /// The wagers of a ticket, while one of its draws is not over.
    #[must_use]
    pub fn wagers(&self, ticket: &Ticket) -> Option<&Wagers> {
        self.wagers.get(&ticket.place)
    }

    /// Lets go of the wagers of a ticket whose every draw is over.
    pub fn drop_wagers(&mut self, place: usize) {
        self.wagers.remove(&place);
    }

    /// A leaf withdrew a ticket.
    pub fn withdraw(&mut self, place: usize, leaf: u64) {
        self.withdrawn.insert(place, leaf);
    }

    /// A ticket has another newest copy.
    pub fn set_copy(&mut self, place: usize, copy: u8) {
        if let Some(kept) = self.kept.get_mut(place) {
            kept.copy = copy;
        }
    }

    /// The print of a copy was confirmed.
    pub fn confirm(&mut self, place: usize, copy: u8) {
        if let Some(kept) = self.kept.get_mut(place) {
            kept.confirmed = copy;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_stays_small() {
        // Ten million of them are kept at once.
        assert!(size_of::<Kept>() <= 24, "{}", size_of::<Kept>());
    }
}

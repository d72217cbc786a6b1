//! What a fact names, of all that more than one program asks about: said once, in the list of
//! facts, so that nobody repeats which field of which body it is.

use super::CommandKey;
use crate::hash::Hash;

/// Number of the tender that is cash.
const CASH: u8 = 1;

/// What a fact names; each is absent where it names none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Names<'a> {
    /// The draw whose life it belongs to.
    pub draw: Option<u64>,
    /// First draw of the ticket that is sold or withdrawn.
    pub first_draw: Option<u64>,
    /// Index of the leaf of the ticket whose life it belongs to.
    pub ticket: Option<u64>,
    /// The key that it answers.
    pub key: Option<CommandKey>,
    /// SHA-256 of the request of that key.
    pub content: Option<Hash>,
    /// Shift of the till.
    pub shift: Option<u64>,
    /// Number of the device where it was done.
    pub device: Option<u32>,
    /// Badge of who did it.
    pub by: Option<&'a str>,
    /// Badge of the second person.
    pub second: Option<&'a str>,
    /// Badge of the third person.
    pub third: Option<&'a str>,
    /// Copy index of the paper.
    pub copy: Option<u8>,
    /// Number of the tender; cash where none is named.
    pub tender: Option<u8>,
    /// What the till receives, in cents.
    pub received: Option<i64>,
    /// What the till gives, in cents, before rounding.
    pub given: Option<i64>,
    /// Cash given beyond that, in cents.
    pub rounding: Option<i64>,
    /// What somebody wrote about it.
    pub said: Option<&'a str>,
}

impl<'a> Names<'a> {
    /// Whose badges stand in it, in their order.
    pub fn badges(&self) -> impl Iterator<Item = &'a str> {
        let all = [self.by, self.second, self.third];
        all.into_iter().flatten().filter(|badge| !badge.is_empty())
    }

    /// What the till of its shift receives, in cents: negative where it gives. Before rounding.
    #[must_use]
    pub fn amount_cents(&self) -> Option<i64> {
        self.received.or(self.given.map(i64::wrapping_neg))
    }

    /// What becomes of the cash in the till of its shift, in cents.
    #[must_use]
    pub fn cash_cents(&self) -> Option<i64> {
        let is_cash = self.tender.is_none_or(|tender| tender == CASH);
        let (amount, beyond) = (self.amount_cents()?, self.rounding.unwrap_or(0));
        // Change for a chip is cash, whatever the tender.
        let cash = if is_cash { amount } else { 0 };
        (is_cash || beyond != 0).then(|| cash.saturating_sub(beyond))
    }
}

/// What is to be known of a fact beside its body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// Its body may be shown to anyone.
    pub public: bool,
    /// It is out of the ordinary: who audits should see it at once.
    pub incident: bool,
}

impl Marks {
    pub(super) const NONE: Self = Self {
        public: false,
        incident: false,
    };
}

/// A field as [`Names`] has it.
pub(super) trait Named<'a, T> {
    fn named(&'a self) -> Option<T>;
}

impl<T: Copy> Named<'_, T> for T {
    fn named(&self) -> Option<T> {
        Some(*self)
    }
}

impl<T: Copy> Named<'_, T> for Option<T> {
    fn named(&self) -> Option<T> {
        *self
    }
}

impl<'a> Named<'a, &'a str> for String {
    fn named(&'a self) -> Option<&'a str> {
        Some(self)
    }
}

impl<'a> Named<'a, &'a str> for Option<String> {
    fn named(&'a self) -> Option<&'a str> {
        self.as_deref()
    }
}

//! Bits, five to a character.

use keno_game::Cents;

use crate::claim_code::ALPHABET;

/// Bits that are written.
pub(super) struct Bits(Vec<bool>);

impl Bits {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// The lowest bits of a value, the highest of them first.
    pub(super) fn put(&mut self, value: u32, bits: u32) {
        self.0
            .extend((0..bits).rev().map(|bit| (value >> bit) & 1 == 1));
    }

    /// A number by groups of four bits, the lowest first.
    pub(super) fn number(&mut self, mut value: u32) {
        loop {
            let rest = value >> 4;
            self.put(u32::from(rest != 0), 1);
            self.put(value & 0xf, 4);
            if rest == 0 {
                return;
            }
            value = rest;
        }
    }

    /// The characters; the last is filled up with zeros.
    pub(super) fn text(&self) -> String {
        self.0
            .chunks(5)
            .map(|chunk| {
                let value = (0..5).fold(0_usize, |value, at| {
                    let is_set = chunk.get(at).copied().unwrap_or(false);
                    (value << 1) | usize::from(is_set)
                });
                char::from(*ALPHABET.get(value).unwrap_or(&b'0'))
            })
            .collect()
    }
}

/// Bits that are read. Every reading ends with nothing at the end of the bits, so that a count
/// that someone made up costs no more than the bits that are there.
pub(super) struct Reading {
    bits: Vec<bool>,
    at: usize,
}

impl Reading {
    /// The bits of some characters; nothing when one is not of the alphabet.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut bits = Vec::with_capacity(text.len() * 5);
        for character in text.bytes() {
            let value = ALPHABET.iter().position(|letter| *letter == character)?;
            bits.extend((0..5).rev().map(|bit| (value >> bit) & 1 == 1));
        }
        Some(Self { bits, at: 0 })
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        let bit = self.bits.get(self.at).copied()?;
        self.at += 1;
        Some(bit)
    }

    pub(super) fn take(&mut self, bits: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..bits {
            value = (value << 1) | u32::from(self.flag()?);
        }
        Some(value)
    }

    pub(super) fn seven(&mut self) -> Option<u8> {
        u8::try_from(self.take(7)?).ok()
    }

    /// A number in its one spelling.
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut value = 0_u64;
        for shift in (0..32).step_by(4) {
            let goes_on = self.flag()?;
            let group = self.take(4)?;
            value |= u64::from(group) << shift;
            if !goes_on {
                let is_one_spelling = group != 0 || shift == 0;
                return u32::try_from(value).ok().filter(|_| is_one_spelling);
            }
        }
        None
    }

    pub(super) fn money(&mut self) -> Option<Cents> {
        Some(Cents::new(i64::from(self.number()?)))
    }

    /// So many things as a number says, one after the other.
    pub(super) fn each<Thing>(
        &mut self,
        read: impl Fn(&mut Self) -> Option<Thing>,
    ) -> Option<Vec<Thing>> {
        let count = self.number()?;
        let mut things = Vec::new();
        for _ in 0..count {
            things.push(read(self)?);
        }
        Some(things)
    }

    /// Whether only the zeros are left that fill up the last character.
    pub(super) fn is_at_its_end(&self) -> bool {
        let rest = self.bits.get(self.at..).unwrap_or_default();
        rest.len() < 5 && rest.iter().all(|bit| !bit)
    }
}

//! Control numbers (s. 82(4)): a keyed permutation of where the leaves of tickets stand.
//!
//! A number is the place of its ticket's leaf, encrypted to 14 digits and two check digits (FF1 of
//! NIST SP 800-38G, radix 10). So no two places have one number, nothing of a number stands in the
//! record, and a number leads to its ticket without an index. Each epoch of the log has a series of
//! places of its own, by the minute in which it was opened: what a restore lost shares no number with
//! what is sold after it, also where a later restore knows nothing of an earlier one.

use std::sync::Arc;

use aes::Aes256;
use fpe::ff1::{FF1, NumeralString, Operations};
use keno_game::ControlNumber;

/// Digits of a payload.
const DIGITS: usize = 14;
/// Of a digit.
const RADIX: u32 = 10;
/// Leaves of a series that have a number: ten thousand million.
const LEAVES: u64 = 10_000_000_000;
/// Series of places, the first of which no ticket has.
const SERIES: u32 = 10_000;
/// The series of the first epoch.
const FIRST_SERIES: u32 = 1;

/// Where a ticket's leaf stands: the series of its epoch, and its index in the log of that epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Series.
    pub series: u32,
    /// Index of the leaf.
    pub leaf: u64,
}

impl Place {
    /// Where no ticket stands: no epoch has that series.
    pub const NOBODYS: Self = Self { series: 0, leaf: 0 };

    /// True when a ticket sold there has a number: up to leaf 9,999,999,999.
    pub fn has_number(self) -> bool {
        self.series < SERIES && self.leaf < LEAVES
    }

    fn ordinal(self) -> u64 {
        u64::from(self.series) * LEAVES + self.leaf
    }

    fn of_ordinal(ordinal: u64) -> Self {
        Self {
            series: u32::try_from(ordinal / LEAVES).unwrap_or(0),
            leaf: ordinal % LEAVES,
        }
    }
}

/// The permutation under one key.
pub(crate) struct Numbers(FF1<Aes256>);

/// Numbers of a half of a payload.
const HALF: u64 = 10_000_000;

/// A payload as the permutation takes it: all its digits at once, and so each half of it.
struct Payload(u64);

/// Seven digits.
struct Half(u64);

impl NumeralString for Payload {
    type Ops = Half;

    fn is_valid(&self, radix: u32) -> bool {
        radix == RADIX && self.0 < HALF * HALF
    }

    fn numeral_count(&self) -> usize {
        DIGITS
    }

    fn split(&self) -> (Half, Half) {
        (Half(self.0 / HALF), Half(self.0 % HALF))
    }

    fn concat(first: Half, second: Half) -> Self {
        Self(first.0 * HALF + second.0)
    }
}

/// The number of some bytes, the most significant first, by the numbers of a half.
fn of_bytes(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0, |number, byte| (number * 256 + u64::from(byte)) % HALF)
}

impl Operations for Half {
    type Bytes = Vec<u8>;

    fn numeral_count(&self) -> usize {
        DIGITS / 2
    }

    fn to_be_bytes(&self, _: u32, bytes: usize) -> Vec<u8> {
        let all = self.0.to_be_bytes();
        all[all.len().saturating_sub(bytes)..].to_vec()
    }

    fn add_mod_exp(self, other: impl Iterator<Item = u8>, _: u32, _: usize) -> Self {
        Self((self.0 + of_bytes(other)) % HALF)
    }

    fn sub_mod_exp(self, other: impl Iterator<Item = u8>, _: u32, _: usize) -> Self {
        Self((self.0 + HALF - of_bytes(other)) % HALF)
    }
}

impl Numbers {
    /// The permutation under a key; none where the key is not of 32 bytes.
    pub(crate) fn new(key: &[u8; 32]) -> Option<Self> {
        FF1::new(key, RADIX).ok().map(Self)
    }

    /// The number of a place; none of one that has none.
    pub(crate) fn of(&self, house: &str, place: Place) -> Option<ControlNumber> {
        let plain = Payload(Some(place).filter(|it| it.has_number())?.ordinal());
        let payload = self.0.encrypt(house.as_bytes(), &plain).ok()?;
        ControlNumber::from_payload(payload.0).ok()
    }

    /// The place of a number, whether or not anything stands there.
    pub(crate) fn place(&self, house: &str, number: &ControlNumber) -> Place {
        let payload = Payload(number.payload());
        let plain = self.0.decrypt(house.as_bytes(), &payload);
        plain.map_or(Place::NOBODYS, |plain| Place::of_ordinal(plain.0))
    }
}

/// A later epoch of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenedEpoch {
    /// Its number.
    pub number: u32,
    /// Its first leaf.
    pub first: u64,
    /// The series of its places.
    pub series: u32,
}

/// The later epochs of a log, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Epochs(pub(crate) Arc<Vec<OpenedEpoch>>);

impl Epochs {
    /// The later epochs, in their order.
    pub fn later(&self) -> &[OpenedEpoch] {
        &self.0
    }

    /// Opens an epoch with its first leaf, at this moment. Its series follows from the minute; where
    /// an earlier epoch has that one, it is the next that is free.
    pub(crate) fn open(&mut self, number: u32, first: u64, at_ms: i64) {
        let free = SERIES - FIRST_SERIES - 1;
        let minute = (at_ms / 60_000).rem_euclid(i64::from(free));
        let minute = u32::try_from(minute).unwrap_or(0);
        let mut all = (0..free).map(|later| FIRST_SERIES + 1 + (minute + later) % free);
        let is_free = |series: &u32| self.0.iter().all(|it| it.series != *series);
        // More epochs than series are no house's.
        let series = all.find(is_free).unwrap_or(SERIES);
        Arc::make_mut(&mut self.0).push(OpenedEpoch {
            number,
            first,
            series,
        });
    }

    /// Where a leaf of this log stands.
    pub fn place(&self, leaf: u64) -> Place {
        let before = self.0.iter().rev().find(|it| it.first <= leaf);
        Place {
            series: before.map_or(FIRST_SERIES, |it| it.series),
            leaf,
        }
    }

    /// The leaf of a place, where this log has it or may come to have it.
    pub fn leaf(&self, place: Place) -> Option<u64> {
        (self.place(place.leaf) == place).then_some(place.leaf)
    }

    /// The epoch in which a ticket was sold that this log lost: it has ended, and the log went on
    /// from before that leaf. A series that the log does not have is of the epoch that the paper's
    /// secret says: one that was passed over, or that another restore had opened.
    pub fn lost(&self, place: Place, said: Option<u32>) -> Option<u32> {
        let sold = match place.series {
            FIRST_SERIES => Some(1),
            series => self
                .0
                .iter()
                .find(|it| it.series == series)
                .map(|it| it.number),
        };
        let sold = sold.or(said).filter(|_| place != Place::NOBODYS)?;
        let ended_it = self.0.iter().find(|it| it.number > sold)?;
        (sold > 0 && place.leaf >= ended_it.first).then_some(sold)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use fpe::ff1::FlexibleNumeralString;
    use keno_game::control_number::PAYLOAD_LIMIT;

    use super::*;

    const HOUSE: &str = "essai";
    const MINUTE_MS: i64 = 60_000;

    fn numbers() -> Numbers {
        Numbers::new(&[7; 32]).unwrap()
    }

    fn opened(all: &[(u32, u64, i64)]) -> Epochs {
        let mut epochs = Epochs::default();
        for (number, first, minute) in all {
            epochs.open(*number, *first, minute * MINUTE_MS);
        }
        epochs
    }

    /// NIST's examples of FF1, AES-256, sample 7.
    #[test]
    fn the_permutation_is_that_of_the_standard() {
        let key: Vec<u8> = (0..32)
            .map(|at| {
                let text = "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94";
                u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()
            })
            .collect();
        let numbers = Numbers::new(&key.try_into().unwrap()).unwrap();
        let plain = FlexibleNumeralString::from((0..10).collect::<Vec<u16>>());
        let payload: Vec<u16> = numbers.0.encrypt(&[], &plain).unwrap().into();
        assert_eq!(payload, [6, 6, 5, 7, 6, 6, 7, 0, 0, 9]);
    }

    /// Digits one by one, as the library itself counts with them, come to the same number.
    #[test]
    fn all_digits_at_once_are_the_digits_one_by_one() {
        let numbers = numbers();
        let ordinals = [0, 1, HALF - 1, HALF, 5 * LEAVES + 7, HALF * HALF - 1];
        for ordinal in ordinals
            .into_iter()
            .chain((0..500).map(|it| it * 199_999_999_999 % (HALF * HALF)))
        {
            let digits = |number: u64| {
                let text = format!("{number:014}").into_bytes();
                text.into_iter()
                    .map(|it| u16::from(it - b'0'))
                    .collect::<Vec<u16>>()
            };
            let plain = FlexibleNumeralString::from(digits(ordinal));
            let one_by_one: Vec<u16> = numbers.0.encrypt(b"essai", &plain).unwrap().into();
            let at_once = numbers.0.encrypt(b"essai", &Payload(ordinal)).unwrap();
            assert_eq!(digits(at_once.0), one_by_one, "{ordinal}");
            assert_eq!(numbers.0.decrypt(b"essai", &at_once).unwrap().0, ordinal);
        }
        let beyond = Payload(HALF * HALF);
        assert!(numbers.0.encrypt(b"essai", &beyond).is_err());
    }

    /// Numbers of three epochs, the first two of which lost their ends: 50,000, or as many as
    /// `BOULIER_NUMBERS` says.
    #[test]
    fn no_number_comes_twice_and_each_leads_to_its_place() {
        let asked = std::env::var("BOULIER_NUMBERS").ok();
        let count: u64 = asked.map_or(50_000, |count| count.parse().unwrap());
        let part = |percent: u64| count / 100 * percent;
        let numbers = numbers();
        let log = [(2, part(30), 1_000), (4, part(50), 1_000)];
        let epochs = opened(&log);
        // While an epoch goes on, the log has it and those before.
        let places = [0..part(40), part(30)..part(65), part(50)..part(75)];
        let mut seen = HashSet::new();
        let mut payloads = Vec::new();
        for (later, leaves) in places.into_iter().enumerate() {
            let then = opened(&log[..later]);
            let end = log.get(later).map_or(u64::MAX, |(_, first, _)| *first);
            let sold = [1, 2, 4][later];
            for leaf in leaves {
                let place = then.place(leaf);
                let number = numbers.of(HOUSE, place).unwrap();
                assert!(seen.insert(number.payload()), "{place:?}");
                // Each tenth is read back.
                if leaf % 10 == 0 {
                    assert_eq!(numbers.place(HOUSE, &number), place);
                }
                let is_kept = leaf < end;
                let is_of = (epochs.leaf(place), epochs.lost(place, None));
                let wanted = (is_kept.then_some(leaf), (!is_kept).then_some(sold));
                assert_eq!(is_of, wanted, "{place:?}");
                payloads.push(number.payload());
            }
        }
        assert_eq!(seen.len() as u64, part(100));
        // Neither the order of sales nor their parity shows: each is what chance gives, within
        // five standard deviations of so many throws.
        let five = |share: u64| 5 * (part(100) * share * (10 - share)).isqrt() / 10;
        let is_chance =
            |count: usize, share: u64| (count as u64).abs_diff(part(10) * share) < five(share);
        let pairs = payloads.iter().zip(payloads.iter().skip(1));
        let rising = pairs.clone().filter(|(one, next)| one < next).count();
        let same_parity = pairs.filter(|(one, next)| *one % 2 == *next % 2).count();
        let upper = payloads
            .iter()
            .filter(|it| **it >= PAYLOAD_LIMIT / 2)
            .count();
        for count in [rising, same_parity, upper] {
            assert!(is_chance(count, 5), "{count}");
        }
        // First digits, each a tenth.
        for digit in 0..10 {
            let first = payloads
                .iter()
                .filter(|it| **it / (PAYLOAD_LIMIT / 10) == digit);
            let count = first.count();
            assert!(is_chance(count, 1), "{digit}: {count}");
        }
    }

    #[test]
    fn another_house_or_key_has_other_numbers_and_the_bounds_hold() {
        let place = Epochs::default().place(5);
        let of = |numbers: &Numbers, house| numbers.of(house, place).unwrap();
        let own = of(&numbers(), HOUSE);
        assert_ne!(own, of(&numbers(), "autre"));
        assert_ne!(own, of(&Numbers::new(&[8; 32]).unwrap(), HOUSE));
        let last = Place {
            series: SERIES - 1,
            leaf: LEAVES - 1,
        };
        let number = numbers().of(HOUSE, last).unwrap();
        assert_eq!(numbers().place(HOUSE, &number), last);
        for beyond in [
            Place {
                series: SERIES,
                ..last
            },
            Place {
                leaf: LEAVES,
                ..last
            },
        ] {
            assert_eq!(numbers().of(HOUSE, beyond), None);
        }
        let epochs = Epochs::default();
        let places = [Place::NOBODYS, place, Place { series: 2, ..place }];
        assert_eq!(places.map(|it| epochs.leaf(it)), [None, Some(5), None]);
        assert!(!places.iter().any(|it| epochs.lost(*it, Some(1)).is_some()));
    }

    /// Two restores of one backup, the second of which knows nothing of the first, and a third that
    /// goes on from the same place.
    #[test]
    fn what_a_restore_does_not_know_of_shares_no_number_with_it() {
        let first = opened(&[(2, 900, 70)]);
        let second = opened(&[(2, 900, 75)]);
        let (one, other) = (first.place(920), second.place(920));
        assert_ne!(one, other);
        assert_eq!((second.leaf(one), second.lost(one, Some(2))), (None, None));
        // An epoch that was passed over is the one that the secret says.
        let third = opened(&[(3, 900, 80)]);
        assert_eq!(third.lost(one, Some(2)), Some(2));
        assert_eq!(third.lost(one, None), None);
        let before = Place { leaf: 899, ..one };
        assert_eq!(third.lost(before, Some(2)), None);
    }
}

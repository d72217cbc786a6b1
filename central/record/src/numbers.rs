//! Control numbers (s. 82(4)): a keyed permutation of where the leaves of tickets stand.
//!
//! A number is the place of its ticket's leaf, encrypted to 14 digits and two check digits (FF1 of
//! NIST SP 800-38G, radix 10). So no two places have one number, nothing of a number stands in the
//! record, and a number leads to its ticket without an index. The place says the epoch too: what a
//! restore lost never shares a number with what is sold after it.

use std::sync::Arc;

use aes::Aes256;
use fpe::ff1::{FF1, FlexibleNumeralString};
use keno_game::ControlNumber;
use keno_game::control_number::PAYLOAD_LIMIT;

/// Digits of a payload.
const DIGITS: usize = 14;
/// Leaves of an epoch that have a number: a hundred thousand million.
const LEAVES: u64 = 100_000_000_000;

/// Where a ticket's leaf stands: the epoch in which it was recorded, from 1, and its index in the
/// log of that epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Epoch.
    pub epoch: u32,
    /// Index of the leaf.
    pub leaf: u64,
}

impl Place {
    /// Where no ticket stands: there is no epoch of that number.
    pub const NOBODYS: Self = Self { epoch: 0, leaf: 0 };

    /// True when a ticket sold there has a number: up to epoch 999, and leaf 99,999,999,999.
    pub fn has_number(self) -> bool {
        u64::from(self.epoch) < PAYLOAD_LIMIT / LEAVES && self.leaf < LEAVES
    }

    fn ordinal(self) -> u64 {
        u64::from(self.epoch)
            .wrapping_mul(LEAVES)
            .wrapping_add(self.leaf)
    }

    fn of_ordinal(ordinal: u64) -> Self {
        Self {
            epoch: u32::try_from(ordinal / LEAVES).unwrap_or(0),
            leaf: ordinal % LEAVES,
        }
    }
}

/// The permutation under one key.
pub(crate) struct Numbers(FF1<Aes256>);

fn digits_of(mut number: u64) -> FlexibleNumeralString {
    let mut digits = vec![0_u16; DIGITS];
    for digit in digits.iter_mut().rev() {
        *digit = u16::try_from(number % 10).unwrap_or(0);
        number /= 10;
    }
    digits.into()
}

fn number_of(digits: FlexibleNumeralString) -> u64 {
    let digits: Vec<u16> = digits.into();
    let add = |number, digit| number * 10 + u64::from(digit);
    digits.into_iter().fold(0, add)
}

impl Numbers {
    /// The permutation under a key; none where the key is not of 32 bytes.
    pub(crate) fn new(key: &[u8; 32]) -> Option<Self> {
        FF1::new(key, 10).ok().map(Self)
    }

    /// The number of a place; none of one that has none.
    pub(crate) fn of(&self, house: &str, place: Place) -> Option<ControlNumber> {
        let plain = digits_of(Some(place).filter(|it| it.has_number())?.ordinal());
        let payload = self.0.encrypt(house.as_bytes(), &plain).ok()?;
        ControlNumber::from_payload(number_of(payload)).ok()
    }

    /// The place of a number, whether or not anything stands there.
    pub(crate) fn place(&self, house: &str, number: &ControlNumber) -> Place {
        let payload = digits_of(number.payload());
        let plain = self.0.decrypt(house.as_bytes(), &payload);
        plain.map_or(Place::NOBODYS, |plain| Place::of_ordinal(number_of(plain)))
    }
}

/// Where the later epochs of a log begin: number and first leaf, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Epochs(pub(crate) Arc<Vec<(u32, u64)>>);

impl Epochs {
    /// Where a leaf of this log stands.
    pub fn place(&self, leaf: u64) -> Place {
        let before = self.0.iter().rev().find(|(_, first)| *first <= leaf);
        Place {
            epoch: before.map_or(1, |(epoch, _)| *epoch),
            leaf,
        }
    }

    /// The leaf of a place, where this log has it or may come to have it.
    pub fn leaf(&self, place: Place) -> Option<u64> {
        (self.place(place.leaf) == place).then_some(place.leaf)
    }

    /// True of a place that this log had and lost: its epoch has ended, and the log went on from
    /// before it.
    pub fn lost(&self, place: Place) -> bool {
        let ended_it = self.0.iter().find(|(epoch, _)| *epoch > place.epoch);
        place.epoch > 0 && ended_it.is_some_and(|(_, first)| place.leaf >= *first)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const HOUSE: &str = "essai";

    fn numbers() -> Numbers {
        Numbers::new(&[7; 32]).unwrap()
    }

    /// Appendix A of NIST's examples of FF1, AES-256, sample 7.
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

    /// A million numbers of three epochs, the first two of which lost their ends.
    #[test]
    fn no_number_comes_twice_and_each_leads_to_its_place() {
        let numbers = numbers();
        let epochs = Epochs(Arc::new(vec![(2, 300_000), (4, 500_000)]));
        let places = [
            (1, 0..400_000),
            (2, 300_000..650_000),
            (4, 500_000..750_000),
        ];
        let mut seen = HashSet::new();
        let mut payloads = Vec::new();
        for (epoch, leaves) in places {
            for leaf in leaves {
                let place = Place { epoch, leaf };
                let number = numbers.of(HOUSE, place).unwrap();
                assert!(seen.insert(number.payload()), "{place:?}");
                assert_eq!(numbers.place(HOUSE, &number), place);
                let kept = match epoch {
                    1 => leaf < 300_000,
                    2 => leaf < 500_000,
                    _ => true,
                };
                let is_of = (epochs.leaf(place), epochs.lost(place));
                assert_eq!(is_of, (kept.then_some(leaf), !kept), "{place:?}");
                payloads.push(number.payload());
            }
        }
        assert_eq!(seen.len(), 1_000_000);
        // Neither the order of sales nor their parity shows: each is what chance gives, within
        // five standard deviations of a million throws.
        let pairs = payloads.iter().zip(payloads.iter().skip(1));
        let rising = pairs.clone().filter(|(one, next)| one < next).count();
        let same_parity = pairs.filter(|(one, next)| *one % 2 == *next % 2).count();
        let upper = payloads
            .iter()
            .filter(|it| **it >= PAYLOAD_LIMIT / 2)
            .count();
        for count in [rising, same_parity, upper] {
            assert!(count.abs_diff(500_000) < 2_500, "{count}");
        }
        // First digits, each a tenth.
        for digit in 0..10 {
            let first = payloads
                .iter()
                .filter(|it| **it / (PAYLOAD_LIMIT / 10) == digit);
            assert!(first.count().abs_diff(100_000) < 1_500, "{digit}");
        }
    }

    #[test]
    fn another_house_or_key_has_other_numbers_and_the_bounds_hold() {
        let place = Place { epoch: 1, leaf: 5 };
        let of = |numbers: &Numbers, house| numbers.of(house, place).unwrap();
        let own = of(&numbers(), HOUSE);
        assert_ne!(own, of(&numbers(), "autre"));
        assert_ne!(own, of(&Numbers::new(&[8; 32]).unwrap(), HOUSE));
        let last = Place {
            epoch: 999,
            leaf: LEAVES - 1,
        };
        let number = numbers().of(HOUSE, last).unwrap();
        assert_eq!(numbers().place(HOUSE, &number), last);
        for beyond in [
            Place {
                epoch: 1_000,
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
        let places = [Place::NOBODYS, place, Place { epoch: 2, ..place }];
        assert_eq!(places.map(|it| epochs.leaf(it)), [None, Some(5), None]);
        assert!(!places.iter().any(|it| epochs.lost(*it)));
    }

    /// An epoch that the lost part had opened itself is passed over.
    #[test]
    fn a_number_of_an_epoch_that_was_passed_over_is_lost() {
        let epochs = Epochs(Arc::new(vec![(3, 900)]));
        let lost = |epoch, leaf| epochs.lost(Place { epoch, leaf });
        assert_eq!([lost(1, 899), lost(1, 900)], [false, true]);
        assert_eq!([lost(2, 920), lost(3, 920)], [true, false]);
        assert_eq!(
            epochs.leaf(Place {
                epoch: 2,
                leaf: 899
            }),
            None
        );
    }
}

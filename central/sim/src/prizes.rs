//! Prizes the plain way: every combination is listed, every catch counted. Slow, short, and
//! sharing nothing with what it judges.

use keno_log::event::SelectionRecord;

use crate::book::Book;

/// The combinations of a selection with so many numbers: every choice of groups and kings.
fn combinations(selection: &SelectionRecord, king_alone: bool, spots: usize) -> Vec<Vec<u8>> {
    let groups = selection.groups.iter().cloned();
    let kings = selection.kings.iter().map(|king| vec![*king]);
    let units: Vec<Vec<u8>> = groups.chain(kings).collect();
    (1_usize..1 << units.len())
        .filter(|choice| {
            let has_group = choice & ((1 << selection.groups.len()) - 1) != 0;
            has_group || king_alone
        })
        .map(|choice| {
            let chosen = units
                .iter()
                .enumerate()
                .filter(|(place, _)| choice >> place & 1 == 1);
            chosen.flat_map(|(_, unit)| unit.clone()).collect()
        })
        .filter(|numbers: &Vec<u8>| numbers.len() == spots)
        .collect()
}

/// What a selection costs for one draw.
pub fn price(selection: &SelectionRecord, book: &Book) -> i64 {
    selection
        .conditioning
        .iter()
        .map(|line| {
            let ways = combinations(selection, book.king_alone, usize::from(line.spots)).len();
            i64::try_from(ways).unwrap_or(i64::MAX) * line.wager_cents
        })
        .sum()
}

/// The prizes of a selection, one for each winning combination, before the maximum of the draw.
pub fn prizes(selection: &SelectionRecord, book: &Book, drawn: &[u8]) -> Vec<i64> {
    let mut won = Vec::new();
    for line in &selection.conditioning {
        let spots = usize::from(line.spots);
        for numbers in combinations(selection, book.king_alone, spots) {
            let catch = numbers.iter().filter(|number| drawn.contains(number));
            let prize = line.wager_cents * book.pays_hundredths(spots, catch.count()) / 100;
            if prize > 0 {
                won.push(prize);
            }
        }
    }
    won
}

/// How a draw pays: the share of prizes below the threshold and of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// Sum of the prizes below the threshold.
    pub small_cents: i64,
    /// Sum of the others.
    pub large_cents: i64,
    /// Paid of each small cent.
    pub small: (i64, i64),
    /// Paid of each large cent.
    pub large: (i64, i64),
}

impl Shares {
    /// The shares of a draw with these prizes.
    pub fn of(prizes: impl Iterator<Item = i64>, cap_cents: i64, full_below_cents: i64) -> Self {
        let (mut small_cents, mut large_cents) = (0, 0);
        for prize in prizes {
            if prize < full_below_cents {
                small_cents += prize;
            } else {
                large_cents += prize;
            }
        }
        let all = small_cents + large_cents;
        let (small, large) = if all <= cap_cents {
            ((1, 1), (1, 1))
        } else if small_cents <= cap_cents {
            ((1, 1), (cap_cents - small_cents, large_cents))
        } else {
            ((cap_cents, all), (cap_cents, all))
        };
        Self {
            small_cents,
            large_cents,
            small: if small_cents == 0 { (1, 1) } else { small },
            large: if large_cents == 0 { (1, 1) } else { large },
        }
    }

    /// What is paid of a prize.
    pub fn payable(&self, prize: i64, full_below_cents: i64) -> i64 {
        let (part, whole) = if prize < full_below_cents {
            self.small
        } else {
            self.large
        };
        prize * part / whole.max(1)
    }
}

//! What one patron can carry on the same numbers of one ticket, and the least that comes back of
//! it (s. 85; `RULES.md`, "Return").
//!
//! A ticket may carry many selections on one set of numbers: straights, or ways of it, of unequal
//! wagers and of several games. There are too many such tickets to settle each. So a number of
//! spots is judged in one of three ways, each as exact as it says:
//!
//! - The cap bites no ticket: a return is the mean of those of its selections, weighed by wager,
//!   and so never below that of one of them alone.
//! - The tickets are few: each is settled.
//! - They are many: with the cap `M`, a ticket that costs `c` in `m` selections is paid at least
//!   the lesser of its prizes and `M − (m − 1)`, since what is scaled sums to a whole number before
//!   each part is cut to the cent. That lesser is concave in the prizes, so that the ticket returns
//!   at least the weighed mean of what its selections would, each repeated (in fractions) up to
//!   `c`; and that only falls with `c` and `m`, which stand at the most that a ticket with this
//!   wager can reach.

use std::collections::BTreeSet;

use super::{Fraction, ReturnError, hypergeometric, paid_alone};
use crate::cents::Cents;
use crate::paytable::{CATCH_MAX, PayTable};
use crate::rules::{Game, RuleBook};

/// The most selections (game and wager) of one number of spots that are combined to tickets.
const KINDS_MAX: usize = 200;

/// The most tickets on one number of spots that are settled one by one.
const TICKETS_MAX: usize = 10_000;

/// The most lines that a rule book may ask for: wagers × tables over all games. It keeps the
/// judging of any book within a second or so.
pub(crate) const JUDGED_MAX: u64 = 200_000;

/// One wager of a ticket, and how many selections carry it on the same numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarriedWager {
    /// The code of the game.
    pub game: String,
    /// The wager of one selection (or way), per draw.
    pub wager: Cents,
    /// How many selections carry it; at least 1.
    pub copies: u64,
}

/// Which ticket a line speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carried {
    /// One selection of the line's wager and nothing else: the cap bites no ticket of these
    /// spots, so none returns less than its lowest selection alone.
    Alone,
    /// This one, which returns the least of all that carry the line's wager.
    Ticket(Vec<CarriedWager>),
    /// All that carry the line's wager; the rate is a lower bound.
    UpTo {
        /// The most selections on the same numbers.
        selections: u64,
        /// The most wagered on them together, per draw.
        total: Cents,
    },
}

/// The least return of one game × spots × wager on the same numbers, with the cap applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateLine {
    /// The code of the game.
    pub game: String,
    /// How many numbers are played.
    pub spots: u8,
    /// The wager of one selection (or way), per draw.
    pub wager: Cents,
    /// What is carried on the same numbers.
    pub carried: Carried,
    /// What that returns: exactly, or at least for [`Carried::UpTo`].
    pub rate: Fraction,
}

/// What shows that a rule book keeps s. 85: no ticket, whatever it carries on the same
/// numbers, returns less on them than the lowest line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Games in the order of the book, spots ascending, wagers ascending.
    pub lines: Vec<CertificateLine>,
    /// The line with the lowest rate, the first of equals.
    pub lowest: CertificateLine,
}

/// How many lines the book asks for, of whose games only those count that have steps at all.
pub(crate) fn judged_count(book: &RuleBook) -> u64 {
    let of_game = |game: &Game| {
        let wagers = wagers(game).count();
        u64::try_from(wagers.saturating_mul(game.tables.len())).unwrap_or(u64::MAX)
    };
    book.games.iter().map(of_game).fold(0, u64::saturating_add)
}

fn wagers(game: &Game) -> impl Iterator<Item = Cents> {
    let step = usize::try_from(game.wager.step.get()).unwrap_or(usize::MAX);
    (game.wager.min.get()..=game.wager.max.get())
        .step_by(step.max(1))
        .map(Cents::new)
}

/// A selection that may stand on a ticket.
struct Kind<'a> {
    /// Place of the game in the book.
    game_index: usize,
    game: &'a Game,
    wager: Cents,
    /// What it wins, by the catches that are judged.
    prizes: Vec<Cents>,
    /// The most selections beside it.
    others_max: u64,
    /// The most that a ticket with it carries.
    total_max: Cents,
}

/// All that is judged of one number of spots.
struct Table<'a> {
    book: &'a RuleBook,
    /// In the order of the book, wagers ascending.
    kinds: Vec<Kind<'a>>,
    /// Draws of each catch that any game pays, of `all_draws`.
    draws: Vec<u128>,
    all_draws: u128,
    /// Whether the cap may bite a ticket at that catch.
    is_bitten: Vec<bool>,
}

/// The lines of one number of spots over all games that have a table for it, each with the
/// place of its game in the book.
///
/// # Errors
/// The place of the first game whose figures are beyond what can be counted.
pub(crate) fn judge(book: &RuleBook, spots: u8) -> Result<Vec<(usize, CertificateLine)>, usize> {
    let table = Table::new(book, spots)?;
    let found = if !table.is_bitten.contains(&true) {
        table.alone()
    } else if let Some(tickets) = table.tickets() {
        table.settled(&tickets)
    } else {
        table.bounded()
    };
    table
        .kinds
        .iter()
        .zip(found)
        .map(|(kind, found)| {
            let (carried, rate) = found.map_err(|_| kind.game_index)?;
            let line = CertificateLine {
                game: kind.game.code.clone(),
                spots,
                wager: kind.wager,
                carried,
                rate,
            };
            Ok((kind.game_index, line))
        })
        .collect()
}

/// A ticket, as kinds with their copies, and what it returns.
type Least<'a> = (&'a [(usize, u64)], Fraction);

type Judged = Result<(Carried, Fraction), ReturnError>;

impl<'a> Table<'a> {
    fn new(book: &'a RuleBook, spots: u8) -> Result<Table<'a>, usize> {
        let played: Vec<(usize, &Game, &PayTable)> = book
            .games
            .iter()
            .enumerate()
            .filter_map(|(index, game)| Some((index, game, game.table(spots)?)))
            .collect();
        let paying: BTreeSet<u8> = played
            .iter()
            .flat_map(|(_, _, table)| table.paying().map(|(catch, _)| catch))
            .filter(|catch| *catch <= CATCH_MAX)
            .collect();
        let (_, all_draws) = hypergeometric(book.pool, spots, 0);
        let draws = paying
            .iter()
            .map(|catch| hypergeometric(book.pool, spots, *catch).0)
            .collect();
        let mut kinds = Vec::new();
        for &(game_index, game, table) in &played {
            for wager in wagers(game) {
                let prizes: Vec<Cents> = paying
                    .iter()
                    .map(|catch| table.prize(wager, *catch))
                    .collect();
                // Whatever a ticket carries, its prizes sum to no more than this.
                let selections = u64::from(book.limits.selections_max);
                let is_counted = prizes
                    .iter()
                    .all(|prize| prize.checked_mul(selections).is_some());
                if !is_counted {
                    return Err(game_index);
                }
                kinds.push(Kind {
                    game_index,
                    game,
                    wager,
                    prizes,
                    others_max: 0,
                    total_max: wager,
                });
            }
        }
        let mut table = Table {
            book,
            kinds,
            draws,
            all_draws,
            is_bitten: Vec::new(),
        };
        table.fill();
        Ok(table)
    }

    /// How much a ticket with each kind carries at most, and whether the cap can bite it.
    fn fill(&mut self) {
        let games = || self.kinds.iter().map(|kind| kind.game);
        let least = games().map(|game| game.wager.min.get()).min().unwrap_or(1);
        let most = games().map(|game| game.wager.max.get()).max().unwrap_or(1);
        let step = games().fold(0, |step, game| common_divisor(step, game.wager.step.get()));
        let (least, step) = (least.max(1), step.max(1));
        let others = i64::from(self.book.limits.selections_max) - 1;
        for kind in &mut self.kinds {
            let wager = kind.wager.get();
            // What the game leaves beside the wager, in whole steps.
            let left = (kind.game.wager.same_numbers_max.get() - wager) / step * step;
            let others = others.min(left / least).max(0);
            kind.others_max = others.unsigned_abs();
            kind.total_max = Cents::new(wager + left.min(others.saturating_mul(most)));
        }
        let cap = i128::from(self.book.cap.get());
        let is_above = |kind: &Kind<'_>, prize: Cents| {
            i128::from(prize.get()) * i128::from(kind.total_max.get())
                > cap * i128::from(kind.wager.get())
        };
        self.is_bitten = vec![false; self.draws.len()];
        for kind in &self.kinds {
            for (is_bitten, prize) in self.is_bitten.iter_mut().zip(&kind.prizes) {
                *is_bitten |= is_above(kind, *prize);
            }
        }
    }

    /// Each kind alone, uncapped.
    fn alone(&self) -> Vec<Judged> {
        let rate = |kind: &Kind<'_>| {
            let sum = self
                .draws
                .iter()
                .zip(&kind.prizes)
                .map(|(draws, prize)| draws * whole(*prize))
                .sum();
            // 2^62 draws × a wager of 2^32.
            Fraction::new(sum, self.all_draws * whole(kind.wager)).ok_or(ReturnError::Overflow)
        };
        let kinds = self.kinds.iter();
        kinds
            .map(|kind| Ok((Carried::Alone, rate(kind)?)))
            .collect()
    }

    /// Every ticket, each as kinds with their copies; `None` if they are too many.
    fn tickets(&self) -> Option<Vec<Vec<(usize, u64)>>> {
        if self.kinds.len() > KINDS_MAX {
            return None;
        }
        let mut tickets = Vec::new();
        let selections = self.book.limits.selections_max;
        let is_all = self.extend(&mut Vec::new(), selections, 0, i64::MAX, &mut tickets);
        is_all.then_some(tickets)
    }

    /// Adds every ticket that has the kinds of `ticket` and more of its last kind or of later
    /// ones; false once there are too many.
    fn extend(
        &self,
        ticket: &mut Vec<(usize, u64)>,
        selections_left: u8,
        total: i64,
        limit: i64,
        tickets: &mut Vec<Vec<(usize, u64)>>,
    ) -> bool {
        let Some(selections_left) = selections_left.checked_sub(1) else {
            return true;
        };
        let from = ticket.last().map_or(0, |(kind, _)| *kind);
        for (index, kind) in self.kinds.iter().enumerate().skip(from) {
            let limit = limit.min(kind.game.wager.same_numbers_max.get());
            let total = total.saturating_add(kind.wager.get());
            if total > limit {
                continue;
            }
            if tickets.len() == TICKETS_MAX {
                return false;
            }
            let before = ticket.last().copied();
            match ticket.last_mut().filter(|(last, _)| *last == index) {
                Some((_, copies)) => *copies += 1,
                None => ticket.push((index, 1)),
            }
            tickets.push(ticket.clone());
            let is_all = self.extend(ticket, selections_left, total, limit, tickets);
            if !is_all {
                return false;
            }
            ticket.pop();
            ticket.extend(before.filter(|(last, _)| *last == index));
        }
        true
    }

    /// For each kind the ticket with it that returns least, the first of equals.
    fn settled(&self, tickets: &[Vec<(usize, u64)>]) -> Vec<Judged> {
        let mut least: Vec<Option<Least<'_>>> = vec![None; self.kinds.len()];
        for ticket in tickets {
            // Over what was wagered alone: all share the number of draws.
            let Ok(rate) = self.paid_over_wagered(ticket) else {
                return self.uncounted();
            };
            for (kind, _) in ticket {
                let Some(least) = least.get_mut(*kind) else {
                    continue;
                };
                if least.as_ref().is_none_or(|(_, lowest)| rate < *lowest) {
                    *least = Some((ticket, rate));
                }
            }
        }
        let shown = |ticket: &[(usize, u64)]| {
            let wager = |&(kind, copies): &(usize, u64)| {
                let kind = self.kinds.get(kind)?;
                Some(CarriedWager {
                    game: kind.game.code.clone(),
                    wager: kind.wager,
                    copies,
                })
            };
            Carried::Ticket(ticket.iter().filter_map(wager).collect())
        };
        least
            .into_iter()
            .map(|found| {
                let (ticket, rate) = found.ok_or(ReturnError::Overflow)?;
                let denominator = rate.denominator.checked_mul(self.all_draws);
                let rate = denominator.and_then(|all| Fraction::new(rate.numerator, all));
                Ok((shown(ticket), rate.ok_or(ReturnError::Overflow)?))
            })
            .collect()
    }

    /// Σ draws × paid over what the ticket costs, not reduced.
    fn paid_over_wagered(&self, ticket: &[(usize, u64)]) -> Result<Fraction, ReturnError> {
        let (cap, threshold) = (self.book.cap, self.book.cap_threshold);
        let carried = || {
            ticket
                .iter()
                .filter_map(|&(kind, copies)| Some((self.kinds.get(kind)?, copies)))
        };
        let mut numerator = 0;
        for (catch, draws) in self.draws.iter().enumerate() {
            let prizes = carried()
                .filter_map(|(kind, copies)| Some((kind.prizes.get(catch).copied()?, copies)));
            // 2^62 draws × at most 2^63 cents, and the draws of all catches are 2^62.
            numerator += draws * whole(paid_alone(prizes, cap, threshold)?);
        }
        let denominator = carried()
            .map(|(kind, copies)| whole(kind.wager) * u128::from(copies))
            .sum();
        Ok(Fraction {
            numerator,
            denominator,
        })
    }

    /// The bound of each kind.
    fn bounded(&self) -> Vec<Judged> {
        let kinds = self.kinds.iter();
        kinds
            .map(|kind| {
                let rate = self.bound(kind).ok_or(ReturnError::Overflow)?;
                let carried = Carried::UpTo {
                    selections: kind.others_max + 1,
                    total: kind.total_max,
                };
                Ok((carried, rate))
            })
            .collect()
    }

    /// Σ draws × the lesser of prize over wager and what the cap leaves over the most carried.
    fn bound(&self, kind: &Kind<'_>) -> Option<Fraction> {
        let left = whole(self.book.cap).saturating_sub(u128::from(kind.others_max));
        let (wager, total) = (whole(kind.wager), whole(kind.total_max));
        let (mut in_full, mut capped) = (0u128, 0u128);
        for ((draws, prize), is_bitten) in self.draws.iter().zip(&kind.prizes).zip(&self.is_bitten)
        {
            // Prizes are below 2^58 and totals below 2^40.
            if *is_bitten && whole(*prize) * total > left * wager {
                capped += draws;
            } else {
                in_full += draws * whole(*prize);
            }
        }
        let capped = capped.checked_mul(left * wager)?;
        let sum = in_full.checked_mul(total)?.checked_add(capped)?;
        Fraction::new(sum, self.all_draws.checked_mul(wager * total)?)
    }

    fn uncounted(&self) -> Vec<Judged> {
        let kinds = self.kinds.iter();
        kinds.map(|_| Err(ReturnError::Overflow)).collect()
    }
}

/// An amount that is never below zero.
fn whole(amount: Cents) -> u128 {
    u128::try_from(amount.get()).unwrap_or(0)
}

fn common_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

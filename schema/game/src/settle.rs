//! Settlement: catches, prizes, the cap, what is payable.
//!
//! Two passes over packed wagers: the first sums prizes per way on both sides of
//! the threshold, the factors follow from the sums alone, and the second lists
//! each ticket's prize with the factor applied, floored per way. Sums add up, so a
//! draw may be settled in slices and in any order.

use thiserror::Error;

use crate::ball::BallSet;
use crate::cents::Cents;
use crate::paytable::PayTable;
use crate::ways::ways_by_catch;

/// Why a draw can't be settled; each means that the record is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SettleFault {
    /// A sum beyond 64 bits.
    #[error("the prizes of the draw are beyond what can be counted")]
    Overflow,
    /// A wager names a pay table that the caller doesn't hold.
    #[error("the wager of ticket {ticket} names the pay table {table}, which is not there")]
    UnknownTable {
        /// The ticket.
        ticket: u64,
        /// The index that it names.
        table: u16,
    },
}

/// A straight selection in 24 bytes: a million of them are read in one sweep.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedStraight {
    /// Numbers 1 to 64.
    pub mask_low: u64,
    /// Numbers 65 to 80.
    pub mask_high: u16,
    /// Index into the caller's pay tables.
    pub table: u16,
    /// Wager per draw.
    pub wager_cents: u32,
    /// The caller's name for the ticket.
    pub ticket: u64,
}

const _: () = assert!(std::mem::size_of::<PackedStraight>() == 24);

impl PackedStraight {
    /// Packs one straight selection.
    #[must_use]
    pub fn new(ticket: u64, numbers: BallSet, table: u16, wager_cents: u32) -> PackedStraight {
        let (mask_low, mask_high) = numbers.mask_parts();
        PackedStraight {
            mask_low,
            mask_high,
            table,
            wager_cents,
            ticket,
        }
    }

    /// The numbers that are played.
    #[must_use]
    pub fn numbers(&self) -> BallSet {
        BallSet::from_mask_parts(self.mask_low, self.mask_high)
    }

    fn catch(&self, drawn_low: u64, drawn_high: u16) -> u8 {
        ((self.mask_low & drawn_low).count_ones() + (self.mask_high & drawn_high).count_ones())
            as u8
    }
}

/// One conditioning line of a packed way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedLine {
    /// Numbers of one way.
    pub spots: u8,
    /// Index into the caller's pay tables.
    pub table: u16,
    /// Wager per way and draw.
    pub wager_cents: u32,
}

/// A way or king selection: one entry with its groups, whatever the ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedWay {
    /// The caller's name for the ticket.
    pub ticket: u64,
    /// Disjoint, none empty.
    pub groups: Box<[BallSet]>,
    /// Lone numbers that join any group.
    pub kings: BallSet,
    /// Whether kings may play without a group.
    pub king_alone: bool,
    /// The recorded sizes; only these can win.
    pub lines: Box<[PackedLine]>,
}

/// Sums of a draw, or of a slice of it, on both sides of the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PrizeTotals {
    /// Prizes (per way) below the threshold.
    pub small: Cents,
    /// Prizes (per way) from the threshold on.
    pub large: Cents,
    /// How many small prizes.
    pub small_count: u64,
    /// How many large prizes.
    pub large_count: u64,
}

impl PrizeTotals {
    /// The sums of two slices.
    ///
    /// # Errors
    /// [`SettleFault::Overflow`].
    #[allow(
        clippy::should_implement_trait,
        reason = "the operator could not refuse an overflow"
    )]
    pub fn add(self, other: PrizeTotals) -> Result<PrizeTotals, SettleFault> {
        let money = |a: Cents, b: Cents| a.checked_add(b).ok_or(SettleFault::Overflow);
        let count = |a: u64, b: u64| a.checked_add(b).ok_or(SettleFault::Overflow);
        Ok(PrizeTotals {
            small: money(self.small, other.small)?,
            large: money(self.large, other.large)?,
            small_count: count(self.small_count, other.small_count)?,
            large_count: count(self.large_count, other.large_count)?,
        })
    }

    /// Small and large together.
    ///
    /// # Errors
    /// [`SettleFault::Overflow`].
    pub fn total(&self) -> Result<Cents, SettleFault> {
        self.small
            .checked_add(self.large)
            .ok_or(SettleFault::Overflow)
    }

    pub(crate) fn add_prizes(
        &mut self,
        prize: Cents,
        ways: u64,
        threshold: Cents,
    ) -> Result<(), SettleFault> {
        if prize <= Cents::ZERO || ways == 0 {
            return Ok(());
        }
        let amount = prize.checked_mul(ways).ok_or(SettleFault::Overflow)?;
        let (sum, count) = if prize < threshold {
            (&mut self.small, &mut self.small_count)
        } else {
            (&mut self.large, &mut self.large_count)
        };
        *sum = sum.checked_add(amount).ok_or(SettleFault::Overflow)?;
        *count = count.checked_add(ways).ok_or(SettleFault::Overflow)?;
        Ok(())
    }
}

/// By what the prizes of a draw are multiplied: two fractions, exact and not
/// reduced, so that they read as the rule: (cap − small) / large. Both terms are
/// cents, or 1/1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Factors {
    /// For prizes below the threshold.
    pub small_num: i64,
    /// For prizes below the threshold; never 0.
    pub small_den: u64,
    /// For prizes from the threshold on.
    pub large_num: i64,
    /// For prizes from the threshold on; never 0.
    pub large_den: u64,
}

impl Factors {
    /// Everything is paid in full.
    pub const FULL: Factors = Factors {
        small_num: 1,
        small_den: 1,
        large_num: 1,
        large_den: 1,
    };

    /// Whether the cap left everything as it was.
    #[must_use]
    pub fn is_full(&self) -> bool {
        u64::try_from(self.small_num) == Ok(self.small_den)
            && u64::try_from(self.large_num) == Ok(self.large_den)
    }
}

/// A prize of one ticket in one draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TicketPrize {
    /// The caller's name for the ticket.
    pub ticket: u64,
    /// Before the cap.
    pub computed: Cents,
    /// After the cap.
    pub payable: Cents,
}

/// Sums the prizes of straight selections.
///
/// # Errors
/// [`SettleFault`].
pub fn totals_straight(
    wagers: &[PackedStraight],
    drawn: BallSet,
    tables: &[PayTable],
    threshold: Cents,
) -> Result<PrizeTotals, SettleFault> {
    let (drawn_low, drawn_high) = drawn.mask_parts();
    let mut totals = PrizeTotals::default();
    for wager in wagers {
        let prize = straight_prize(wager, drawn_low, drawn_high, tables)?;
        totals.add_prizes(prize, 1, threshold)?;
    }
    Ok(totals)
}

/// Sums the prizes of way and king selections, per way.
///
/// # Errors
/// [`SettleFault`].
pub fn totals_way(
    wagers: &[PackedWay],
    drawn: BallSet,
    tables: &[PayTable],
    threshold: Cents,
) -> Result<PrizeTotals, SettleFault> {
    let mut totals = PrizeTotals::default();
    for wager in wagers {
        for_each_prize(wager, drawn, tables, |prize, ways| {
            totals.add_prizes(prize, ways, threshold)
        })?;
    }
    Ok(totals)
}

/// The factors of a draw. Total within the cap: all in full. Small prizes within
/// it: small in full, the large share what is left. Otherwise all shrink alike. A
/// factor with nothing to apply to is one. A cap below zero pays nothing.
#[must_use]
pub fn factors(cap: Cents, totals: PrizeTotals) -> Factors {
    let cap = cap.get().max(0);
    let small = totals.small.get().max(0);
    let large = totals.large.get().max(0);
    // Two amounts of 63 bits always fit 64.
    let total = small.unsigned_abs() + large.unsigned_abs();
    if total <= cap.unsigned_abs() {
        return Factors::FULL;
    }
    if small <= cap {
        // The total is above the cap and the small are not, so large > 0.
        return Factors {
            large_num: cap - small,
            large_den: large.unsigned_abs(),
            ..Factors::FULL
        };
    }
    let shrunk = Factors {
        small_num: cap,
        small_den: total,
        large_num: cap,
        large_den: total,
    };
    if large == 0 {
        return Factors {
            large_num: Factors::FULL.large_num,
            large_den: Factors::FULL.large_den,
            ..shrunk
        };
    }
    shrunk
}

/// What is payable of one prize (of one way): prize × factor, floored to the cent.
#[must_use]
pub fn payable(prize: Cents, threshold: Cents, factors: &Factors) -> Cents {
    let (numerator, denominator) = if prize < threshold {
        (factors.small_num, factors.small_den)
    } else {
        (factors.large_num, factors.large_den)
    };
    if denominator == 0 {
        return Cents::ZERO;
    }
    let scaled = i128::from(prize.get()) * i128::from(numerator) / i128::from(denominator);
    // Factors never exceed one, so this never exceeds the prize.
    Cents::new(i64::try_from(scaled).unwrap_or(prize.get()))
}

/// Appends the prize of every winning straight selection.
///
/// # Errors
/// [`SettleFault`].
pub fn winners_straight(
    wagers: &[PackedStraight],
    drawn: BallSet,
    tables: &[PayTable],
    threshold: Cents,
    factors: &Factors,
    out: &mut Vec<TicketPrize>,
) -> Result<(), SettleFault> {
    let (drawn_low, drawn_high) = drawn.mask_parts();
    for wager in wagers {
        let prize = straight_prize(wager, drawn_low, drawn_high, tables)?;
        if prize > Cents::ZERO {
            out.push(TicketPrize {
                ticket: wager.ticket,
                computed: prize,
                payable: payable(prize, threshold, factors),
            });
        }
    }
    Ok(())
}

/// Appends the prize of every winning way or king selection: the sum over its
/// ways, each floored on its own.
///
/// # Errors
/// [`SettleFault`].
pub fn winners_way(
    wagers: &[PackedWay],
    drawn: BallSet,
    tables: &[PayTable],
    threshold: Cents,
    factors: &Factors,
    out: &mut Vec<TicketPrize>,
) -> Result<(), SettleFault> {
    for wager in wagers {
        let mut total = TicketPrize {
            ticket: wager.ticket,
            computed: Cents::ZERO,
            payable: Cents::ZERO,
        };
        for_each_prize(wager, drawn, tables, |prize, ways| {
            let add = |sum: Cents, one: Cents| {
                one.checked_mul(ways)
                    .and_then(|amount| sum.checked_add(amount))
                    .ok_or(SettleFault::Overflow)
            };
            total.computed = add(total.computed, prize)?;
            total.payable = add(total.payable, payable(prize, threshold, factors))?;
            Ok(())
        })?;
        if total.computed > Cents::ZERO {
            out.push(total);
        }
    }
    Ok(())
}

/// One prize a ticket: sorted by ticket, the selections of a ticket summed.
///
/// # Errors
/// [`SettleFault::Overflow`].
pub fn merge(mut prizes: Vec<TicketPrize>) -> Result<Vec<TicketPrize>, SettleFault> {
    prizes.sort_unstable_by_key(|prize| prize.ticket);
    let mut merged: Vec<TicketPrize> = Vec::with_capacity(prizes.len());
    for prize in prizes {
        match merged.last_mut() {
            Some(last) if last.ticket == prize.ticket => {
                let add = |a: Cents, b: Cents| a.checked_add(b).ok_or(SettleFault::Overflow);
                last.computed = add(last.computed, prize.computed)?;
                last.payable = add(last.payable, prize.payable)?;
            }
            _ => merged.push(prize),
        }
    }
    Ok(merged)
}

fn straight_prize(
    wager: &PackedStraight,
    drawn_low: u64,
    drawn_high: u16,
    tables: &[PayTable],
) -> Result<Cents, SettleFault> {
    let table = find_table(tables, wager.table, wager.ticket)?;
    let catch = wager.catch(drawn_low, drawn_high);
    Ok(table.prize(Cents::new(i64::from(wager.wager_cents)), catch))
}

fn for_each_prize(
    wager: &PackedWay,
    drawn: BallSet,
    tables: &[PayTable],
    mut visit: impl FnMut(Cents, u64) -> Result<(), SettleFault>,
) -> Result<(), SettleFault> {
    for line in &wager.lines {
        let table = find_table(tables, line.table, wager.ticket)?;
        let counts = ways_by_catch(
            &wager.groups,
            wager.kings,
            wager.king_alone,
            line.spots,
            drawn,
        );
        for (catch, ways) in (0u8..).zip(counts) {
            if ways > 0 {
                visit(
                    table.prize(Cents::new(i64::from(line.wager_cents)), catch),
                    ways,
                )?;
            }
        }
    }
    Ok(())
}

fn find_table(tables: &[PayTable], table: u16, ticket: u64) -> Result<&PayTable, SettleFault> {
    tables
        .get(usize::from(table))
        .ok_or(SettleFault::UnknownTable { ticket, table })
}

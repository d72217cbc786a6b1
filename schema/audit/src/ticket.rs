//! The wagers of a ticket, and their judgement against the rule book.

use std::collections::HashMap;

use keno_log::event::{SelectionRecord, TicketSold};

use crate::finding::FindingCode;
use crate::rule_book::{Game, RuleBook};
use crate::ways::{count_ways, each_way};

/// Most draws of a ticket that a rule book can permit, and so most that are followed.
pub const DRAWS_MAX: u64 = 65_535;

/// The wagers of a ticket. Nearly all tickets are one straight selection.
#[derive(Debug, Clone)]
pub enum Wagers {
    /// One straight selection, nothing beside the ticket itself.
    Straight(Straight),
    /// Anything else.
    Several(Box<[Selection]>),
    /// None that can be read.
    None,
}

/// A straight selection.
#[derive(Debug, Clone, Copy)]
pub struct Straight {
    /// Numbers, bit n-1 for number n, in two halves (a `u128` would widen all wagers).
    numbers: [u64; 2],
    wager_cents: i64,
    game: u16,
}

/// A selection with its parts.
#[derive(Debug, Clone)]
pub struct Selection {
    game: u16,
    kings: Box<[u128]>,
    groups: Box<[u128]>,
    lines: Box<[(u8, i64)]>,
}

impl Wagers {
    /// Adds the prizes of every way: equal prizes of this ticket together, as (prize, ways).
    pub fn prizes(&self, book: &RuleBook, drawn: u128, out: &mut Vec<(i64, u64)>) {
        match self {
            Self::Straight(straight) => {
                let [low, high] = straight.numbers;
                let numbers = u128::from(low) | u128::from(high) << 64;
                if let Some(game) = book.games.get(usize::from(straight.game)) {
                    let spots = numbers.count_ones() as u8;
                    add_prize(game, spots, straight.wager_cents, numbers & drawn, out);
                }
            }
            Self::Several(selections) => {
                for selection in selections {
                    let Some(game) = book.games.get(usize::from(selection.game)) else {
                        continue;
                    };
                    for (spots, wager) in &selection.lines {
                        each_way(
                            &selection.kings,
                            &selection.groups,
                            game.king_alone,
                            *spots,
                            &mut |way| {
                                add_prize(game, *spots, *wager, way & drawn, out);
                                true
                            },
                        );
                    }
                }
            }
            Self::None => {}
        }
    }
}

fn add_prize(game: &Game, spots: u8, wager: i64, caught: u128, out: &mut Vec<(i64, u64)>) {
    let prize = game.prize_cents(spots, caught.count_ones(), wager);
    if prize == 0 {
        return;
    }
    match out.iter_mut().find(|(other, _)| *other == prize) {
        Some((_, ways)) => *ways += 1,
        None => out.push((prize, 1)),
    }
}

/// Why a ticket is not lawful: what is wrong, and the figures.
pub type Unlawful = (FindingCode, String);

/// For each set of numbers that a ticket plays, in whatever game: what it carries, and the lowest
/// limit of the games in which it plays it.
type SameNumbers = HashMap<u128, (i64, i64)>;

/// Judges selections, wagers and price against the rules, and packs the wagers.
///
/// # Errors
/// The first thing that is wrong, in the order of [`FindingCode`].
pub fn judge(sold: &TicketSold, book: &RuleBook) -> Result<Wagers, Unlawful> {
    let draws = draws_of(sold)?;
    let count = sold.selections.len() as u64;
    if count == 0 || count > book.selections_max || draws > book.draws_max {
        let detail = format!("{count} selections, {draws} draws");
        return Err((FindingCode::TicketLimits, detail));
    }
    let mut same_numbers = SameNumbers::new();
    let mut packed = Vec::with_capacity(sold.selections.len());
    let mut per_draw_cents = 0_i64;
    for (at, record) in sold.selections.iter().enumerate() {
        let within = |(code, detail)| (code, format!("selection {}: {detail}", at + 1));
        let (selection, cents) =
            judge_selection(record, book, &mut same_numbers).map_err(within)?;
        per_draw_cents = per_draw_cents.saturating_add(cents);
        packed.push(selection);
    }
    let price = i64::try_from(draws)
        .ok()
        .and_then(|draws| per_draw_cents.checked_mul(draws));
    if sold.per_draw_cents != per_draw_cents || price != Some(sold.total_cents) {
        let detail = format!("{per_draw_cents} a draw, {draws} draws");
        return Err((FindingCode::TicketPrice, detail));
    }
    if sold.received_cents < sold.total_cents || !book.tenders.contains(&sold.tender) {
        let detail = format!("{} received, tender {}", sold.received_cents, sold.tender);
        return Err((FindingCode::TicketUnpaidFor, detail));
    }
    Ok(pack(packed))
}

/// The number of draws that the ticket covers.
fn draws_of(sold: &TicketSold) -> Result<u64, Unlawful> {
    let draws = sold.last_draw.checked_sub(sold.first_draw);
    draws
        .and_then(|draws| draws.checked_add(1))
        .filter(|draws| *draws <= DRAWS_MAX)
        .ok_or_else(|| {
            let detail = format!("draws {} to {}", sold.first_draw, sold.last_draw);
            (FindingCode::TicketLimits, detail)
        })
}

fn pack(mut selections: Vec<Selection>) -> Wagers {
    if let [only] = selections.as_mut_slice()
        && let ([], [numbers], [(spots, wager)]) = (&*only.kings, &*only.groups, &*only.lines)
        && u32::from(*spots) == numbers.count_ones()
    {
        return Wagers::Straight(Straight {
            numbers: [*numbers as u64, (*numbers >> 64) as u64],
            wager_cents: *wager,
            game: only.game,
        });
    }
    Wagers::Several(selections.into())
}

/// The selection packed, and its wagers for one draw.
fn judge_selection(
    record: &SelectionRecord,
    book: &RuleBook,
    same_numbers: &mut SameNumbers,
) -> Result<(Selection, i64), Unlawful> {
    let wrong = |detail: &str| (FindingCode::TicketSelection, detail.to_owned());
    let (place, game) = book
        .game(&record.game)
        .ok_or_else(|| wrong("no such game"))?;
    let offer = game
        .offer(record.kind)
        .ok_or_else(|| wrong("no such type of selection"))?;
    let (kings, groups) = numbers_of(record, book.pool_size)
        .ok_or_else(|| wrong("numbers repeated, out of order or out of the pool"))?;
    if record.conditioning.is_empty() || (kings.is_empty() && groups.is_empty()) {
        return Err(wrong("nothing is played"));
    }
    if !offer.fits(record) {
        return Err(wrong("groups, kings or lines that this type does not have"));
    }
    let mut lines: Vec<(u8, i64)> = Vec::with_capacity(record.conditioning.len());
    let (mut cents, mut all_ways) = (0_i64, 0_u64);
    for line in &record.conditioning {
        let spots = line.spots;
        if !offer.has(spots) || !game.pays.contains_key(&spots) {
            return Err(wrong(&format!("{spots} spots are not played")));
        }
        if lines.iter().any(|(other, _)| *other == spots) {
            return Err(wrong(&format!("{spots} spots stand twice")));
        }
        let ways = count_ways(&kings, &groups, game.king_alone, spots, book.ways_max + 1);
        all_ways += ways;
        if ways == 0 || ways != u64::from(line.ways) || all_ways > book.ways_max {
            let detail = format!("{ways}/{spots} generated, {}/{spots} recorded", line.ways);
            return Err((FindingCode::TicketWays, detail));
        }
        let wager = line.wager_cents;
        let permitted = (game.min_cents..=game.max_cents).contains(&wager);
        if !permitted || wager % game.step_cents != 0 {
            return Err((FindingCode::TicketWager, format!("{wager} a way")));
        }
        let mut over = false;
        each_way(&kings, &groups, game.king_alone, spots, &mut |way| {
            let limit = game.same_numbers_cents;
            let (sum, lowest) = same_numbers.entry(way).or_insert((0, limit));
            (*sum, *lowest) = (sum.saturating_add(wager), limit.min(*lowest));
            over = *sum > *lowest;
            !over
        });
        if over {
            let detail = "more on the same numbers than one ticket may carry".to_owned();
            return Err((FindingCode::TicketWager, detail));
        }
        cents = cents.saturating_add(wager.saturating_mul(i64::from(line.ways)));
        lines.push((spots, wager));
    }
    let selection = Selection {
        game: u16::try_from(place).unwrap_or(u16::MAX),
        kings: kings.into(),
        groups: groups.into(),
        lines: lines.into(),
    };
    Ok((selection, cents))
}

/// Kings and groups as sets; none when a number is out of the pool, repeated or out of order.
fn numbers_of(record: &SelectionRecord, pool_size: u8) -> Option<(Vec<u128>, Vec<u128>)> {
    let mut seen = 0_u128;
    let mut set_of = |numbers: &[u8]| {
        let mut set = 0_u128;
        let mut last = 0;
        for number in numbers {
            if *number <= last || *number > pool_size {
                return None;
            }
            last = *number;
            set |= 1_u128.checked_shl(u32::from(*number) - 1)?;
        }
        let repeated = seen & set != 0;
        seen |= set;
        (!repeated && set != 0).then_some(set)
    };
    let groups = record
        .groups
        .iter()
        .map(|group| set_of(group))
        .collect::<Option<Vec<u128>>>()?;
    let mut last = 0;
    let mut kings = Vec::with_capacity(record.kings.len());
    for king in &record.kings {
        if *king <= last {
            return None;
        }
        last = *king;
        kings.push(set_of(&[*king])?);
    }
    Some((kings, groups))
}

//! Wagers in memory: packed when a ticket is sold, taken out of play when it is withdrawn, let
//! go when their draw is over.

use std::collections::BTreeMap;

use keno_game::settle::{merge, winners_straight, winners_way};
use keno_game::ways::enumerate;
use keno_game::{
    BallSet, Cents, DrawState, Factors, PackedLine, PackedStraight, PackedWay, RuleBook,
    SelectionType, SettleFault, TicketPrize,
};
use keno_log::event::{SelectionRecord, TicketSold};

use super::undo::FinishedWagers;
use super::{Draw, RangedStraight, RangedWay, State, Undo, record_fault};
use crate::fault::Fault;

/// How many finished draws stay in memory for boards and history checks.
const FINISHED_KEPT: usize = 40;

/// The numbers of a recorded group.
pub(super) fn ball_set(numbers: &[u8]) -> Result<BallSet, Fault> {
    BallSet::from_numbers(numbers).map_err(|fault| record_fault(fault.to_string()))
}

/// The group and the wager of a selection that is one group played whole.
fn straight_of(selection: &SelectionRecord) -> Option<(&[u8], i64)> {
    if SelectionType::from_number(selection.kind)?.has_ways() {
        return None;
    }
    match (
        selection.groups.as_slice(),
        selection.conditioning.as_slice(),
    ) {
        ([group], [line]) => Some((group, line.wager_cents)),
        _ => None,
    }
}

/// What a ticket adds to the possible prizes on each set of numbers, in each of its draws: the top
/// prize of each of its ways, whatever kind of selection it is of, those on the same numbers
/// together. Ascending by numbers.
///
/// # Errors
/// [`Fault::Record`] for numbers or ways that the rules do not have.
pub fn exposure(
    rules: &RuleBook,
    selections: &[SelectionRecord],
) -> Result<Vec<(u128, i64)>, Fault> {
    let mut sums: BTreeMap<u128, i64> = BTreeMap::new();
    for selection in selections {
        let game = rules.game(&selection.game);
        let game = game.ok_or_else(|| record_fault(format!("no game {}", selection.game)))?;
        let groups: Result<Vec<BallSet>, Fault> = selection
            .groups
            .iter()
            .map(|group| ball_set(group))
            .collect();
        let (groups, kings) = (groups?, ball_set(&selection.kings)?);
        for line in &selection.conditioning {
            let top = game.table(line.spots).map_or(0, |table| {
                table.top_prize(Cents::new(line.wager_cents)).get()
            });
            let most = usize::try_from(line.ways).unwrap_or(usize::MAX);
            let ways = enumerate(&groups, kings, game.king_alone, line.spots, most)
                .map_err(|fault| record_fault(fault.to_string()))?;
            for way in ways {
                let sum = sums.entry(way.bits()).or_default();
                *sum = sum.saturating_add(top);
            }
        }
    }
    Ok(sums.into_iter().collect())
}

fn wager_u32(cents: i64) -> Result<u32, Fault> {
    u32::try_from(cents).map_err(|_| record_fault(format!("a wager of {cents} cents")))
}

/// A wager as settlement counts it.
enum Packed {
    Straight(PackedStraight),
    Way(PackedWay),
}

fn no_rules(ticket: u64) -> Fault {
    record_fault(format!("ticket {ticket} has no rule book"))
}

/// The wagers of a sale. `table` knows the pay table of a game and spot count by an index.
fn pack(
    rules: &RuleBook,
    ticket: u64,
    sold: &TicketSold,
    table: &mut dyn FnMut(&str, u8) -> Result<u16, Fault>,
) -> Result<Vec<Packed>, Fault> {
    let one = |selection: &SelectionRecord| {
        if let Some((group, wager)) = straight_of(selection) {
            let numbers = ball_set(group)?;
            let table = table(&selection.game, numbers.len())?;
            let wager = PackedStraight::new(ticket, numbers, table, wager_u32(wager)?);
            return Ok(Packed::Straight(wager));
        }
        let groups = selection.groups.iter().map(|group| ball_set(group));
        let lines = selection.conditioning.iter().map(|line| {
            Ok(PackedLine {
                spots: line.spots,
                table: table(&selection.game, line.spots)?,
                wager_cents: wager_u32(line.wager_cents)?,
            })
        });
        Ok(Packed::Way(PackedWay {
            ticket,
            groups: groups.collect::<Result<_, Fault>>()?,
            kings: ball_set(&selection.kings)?,
            king_alone: rules
                .game(&selection.game)
                .is_some_and(|game| game.king_alone),
            lines: lines.collect::<Result<_, Fault>>()?,
        }))
    };
    sold.selections.iter().map(one).collect()
}

/// The prize of one ticket in a settled draw: of its wagers, the numbers, and the factors of the
/// settling leaf. None when it won nothing.
///
/// # Errors
/// [`Fault::Record`] when the draw is not settled, or the ticket cannot be one of these rules.
pub fn prize_of(
    rules: &RuleBook,
    ticket: u64,
    sold: &TicketSold,
    draw: &Draw,
) -> Result<Option<TicketPrize>, Fault> {
    let (Some(balls), Some(settled)) = (&draw.balls, &draw.settlement) else {
        return Err(record_fault(format!("draw {} is not settled", draw.number)));
    };
    let mut tables = Vec::new();
    let mut table = |game: &str, spots| {
        let found = rules.game(game).and_then(|game| game.table(spots));
        tables.push(
            found
                .ok_or_else(|| no_table(rules.version, game, spots))?
                .clone(),
        );
        u16::try_from(tables.len() - 1).map_err(|_| no_rules(ticket))
    };
    let packed = pack(rules, ticket, sold, &mut table)?;
    let unsettled = |fault: SettleFault| record_fault(format!("ticket {ticket}: {fault}"));
    let factor = |part: u64| i64::try_from(part).map_err(|_| unsettled(SettleFault::Overflow));
    let factors = Factors {
        small_num: factor(settled.small_numerator)?,
        small_den: settled.small_denominator,
        large_num: factor(settled.large_numerator)?,
        large_den: settled.large_denominator,
    };
    let (drawn, threshold) = (ball_set(&balls.balls)?, Cents::new(draw.full_below_cents));
    let mut prizes = Vec::new();
    for wager in &packed {
        let out = &mut prizes;
        match wager {
            Packed::Straight(wager) => {
                let wager = std::slice::from_ref(wager);
                winners_straight(wager, drawn, &tables, threshold, &factors, out)
            }
            Packed::Way(wager) => {
                let wager = std::slice::from_ref(wager);
                winners_way(wager, drawn, &tables, threshold, &factors, out)
            }
        }
        .map_err(unsettled)?;
    }
    Ok(merge(prizes).map_err(unsettled)?.pop())
}

fn no_table(rule_book: u32, game: &str, spots: u8) -> Fault {
    record_fault(format!(
        "a ticket of rule book {rule_book} plays {game} with {spots} numbers, which has no pay table"
    ))
}

impl State {
    /// The pay table of a game and spot count of a rule book, by its index.
    fn table(&self, rule_book: u32, game: &str, spots: u8) -> Result<u16, Fault> {
        self.table_index
            .get(&(rule_book, spots))
            .and_then(|games| games.iter().find(|(code, _)| code == game))
            .map(|(_, index)| *index)
            .ok_or_else(|| no_table(rule_book, game, spots))
    }

    fn move_counters(
        &mut self,
        draw: u64,
        tickets: i64,
        selections: i64,
        cents: i64,
        undo: &mut Vec<Undo>,
    ) {
        if let Some(live) = self.draws.get_mut(&draw) {
            live.tickets = live.tickets.saturating_add_signed(tickets);
            live.selections = live.selections.saturating_add_signed(selections);
            live.wagered_cents = live.wagered_cents.saturating_add(cents);
            undo.push(Undo::Counters(draw, tickets, selections, cents));
        }
    }

    pub(super) fn add_ticket(
        &mut self,
        ticket: u64,
        sold: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        let device = sold.key.device;
        let sale = (self.last_at_ms, sold.total_cents);
        let before = self.last_sales.insert(device, sale);
        undo.push(Undo::LastSale(device, before));
        let selections = i64::try_from(sold.selections.len()).unwrap_or(i64::MAX);
        for draw in sold.first_draw..=sold.last_draw {
            self.move_counters(draw, 1, selections, sold.per_draw_cents, undo);
        }
        self.move_exposure(sold, 1, undo)?;
        let rules = self.rule_books.get(&sold.rule_book).cloned();
        let rules = rules.ok_or_else(|| no_rules(ticket))?;
        let mut tables = |game: &str, spots| self.table(sold.rule_book, game, spots);
        for wager in pack(&rules.rules, ticket, sold, &mut tables)? {
            let (first, last) = (sold.first_draw, sold.last_draw);
            match wager {
                Packed::Straight(wager) if first == last => {
                    self.single.entry(first).or_default().push(wager);
                    undo.push(Undo::Single(first));
                }
                Packed::Straight(wager) => {
                    self.ranged.push(RangedStraight { first, last, wager });
                    undo.push(Undo::Ranged);
                }
                Packed::Way(wager) => {
                    self.ways.push(RangedWay { first, last, wager });
                    undo.push(Undo::Way);
                }
            }
        }
        Ok(())
    }

    /// Adds what a ticket adds to the possible prizes (`sign` 1), or takes it away (-1), where its
    /// rules limit them. Of a draw that is over nothing is kept.
    fn move_exposure(
        &mut self,
        sold: &TicketSold,
        sign: i64,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        let rules = self.rule_books.get(&sold.rule_book);
        let Some(rules) = rules.filter(|it| it.rules.liability_max.is_some()) else {
            return Ok(());
        };
        let exposure = exposure(&rules.rules, &sold.selections)?;
        for draw in sold.first_draw..=sold.last_draw {
            if sign < 0 && !self.liability.contains_key(&draw) {
                continue;
            }
            for (numbers, top) in &exposure {
                self.move_liability(draw, *numbers, sign.saturating_mul(*top), undo);
            }
        }
        Ok(())
    }

    fn move_liability(&mut self, draw: u64, numbers: u128, cents: i64, undo: &mut Vec<Undo>) {
        let sum = self
            .liability
            .entry(draw)
            .or_default()
            .entry(numbers)
            .or_default();
        *sum = sum.saturating_add(cents);
        undo.push(Undo::Liability(draw, numbers, cents));
    }

    /// Takes a ticket's wagers out of play: a wager of nothing wins nothing.
    fn withdraw(&mut self, ticket: u64, undo: &mut Vec<Undo>) {
        for (draw, wagers) in &mut self.single {
            let start = wagers.partition_point(|wager| wager.ticket < ticket);
            for (offset, wager) in wagers.iter_mut().enumerate().skip(start) {
                if wager.ticket != ticket {
                    break;
                }
                undo.push(Undo::SingleWager(*draw, offset, wager.wager_cents));
                wager.wager_cents = 0;
            }
        }
        let start = self
            .ranged
            .partition_point(|ranged| ranged.wager.ticket < ticket);
        for (offset, ranged) in self.ranged.iter_mut().enumerate().skip(start) {
            if ranged.wager.ticket != ticket {
                break;
            }
            undo.push(Undo::RangedWager(offset, ranged.wager.wager_cents));
            ranged.wager.wager_cents = 0;
        }
        let start = self
            .ways
            .partition_point(|ranged| ranged.wager.ticket < ticket);
        for (offset, ranged) in self.ways.iter_mut().enumerate().skip(start) {
            if ranged.wager.ticket != ticket {
                break;
            }
            undo.push(Undo::WayWager(offset, Box::new(ranged.wager.clone())));
            ranged.wager.lines = Box::default();
        }
    }

    pub(super) fn withdraw_ticket(
        &mut self,
        ticket: u64,
        sold: &TicketSold,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        let selections = i64::try_from(sold.selections.len()).unwrap_or(i64::MAX);
        for draw in sold.first_draw..=sold.last_draw {
            // Only draws that are not closed yet lose the ticket: a closed draw's totals are
            // sealed, and what is void in it is kept apart.
            match self.draws.get(&draw).map(|draw| draw.state) {
                Some(DrawState::Open | DrawState::Scheduled) => {
                    self.move_counters(draw, -1, -selections, -sold.per_draw_cents, undo);
                }
                Some(DrawState::Closed | DrawState::Suspended) => {
                    self.with_draw(draw, undo, |draw| {
                        draw.unpaid_after_seal.0 += 1;
                        draw.unpaid_after_seal.1 += sold.per_draw_cents;
                    })?
                }
                _ => {}
            }
        }
        self.move_exposure(sold, -1, undo)?;
        self.withdraw(ticket, undo);
        Ok(())
    }

    /// The last draw in memory that is settled or void.
    pub fn last_finished(&self) -> Option<u64> {
        let mut draws = self.draws.values().rev();
        draws
            .find(|draw| matches!(draw.state, DrawState::Settled | DrawState::Void))
            .map(|draw| draw.number)
    }

    /// Lets go of what only an unfinished draw needs.
    pub(super) fn finish_draw(&mut self, number: u64, undo: &mut Vec<Undo>) {
        let single = self.single.remove(&number).unwrap_or_default();
        let liability = self.liability.remove(&number).unwrap_or_default();
        let oldest_live = self
            .draws
            .values()
            .find(|draw| !matches!(draw.state, DrawState::Settled | DrawState::Void))
            .map_or(u64::MAX, |draw| draw.number);
        let over = |last: u64| last < oldest_live;
        let (mut ranged, mut ways) = (Vec::new(), Vec::new());
        if self.ranged.iter().any(|ranged| over(ranged.last)) {
            ranged.clone_from(&self.ranged);
            self.ranged.retain(|ranged| !over(ranged.last));
        }
        if self.ways.iter().any(|ranged| over(ranged.last)) {
            ways.clone_from(&self.ways);
            self.ways.retain(|ranged| !over(ranged.last));
        }
        let finished: Vec<u64> = self
            .draws
            .values()
            .filter(|draw| matches!(draw.state, DrawState::Settled | DrawState::Void))
            .map(|draw| draw.number)
            .collect();
        let drop_count = finished.len().saturating_sub(FINISHED_KEPT);
        let old_draws = finished
            .iter()
            .take(drop_count)
            .filter_map(|number| self.draws.remove(number))
            .collect();
        undo.push(Undo::Finished(Box::new(FinishedWagers {
            draw: number,
            single,
            ranged,
            ways,
            liability,
            old_draws,
        })));
    }
}

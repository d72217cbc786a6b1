//! The checks of a slip, in their order, and its price.

use std::collections::BTreeMap;

use crate::ball::{BallError, BallSet, Pool};
use crate::bet::SelectionType;
use crate::cents::Cents;
use crate::rules::{Game, RuleBook};
use crate::selection::{Conditioning, Selection};
use crate::slip::{Pick, Priced, Slip, SlipDetail, SlipRefusal, SlipRefusalCode, SlipSelection};
use crate::ways::{enumerate, ways_by_size};

/// How often the computer chooses anew when its numbers would put too much on the
/// same numbers of one ticket (it happens with one number, hardly with two).
const QUICK_PICK_TRIES: usize = 100;

/// Validates a slip and prices it. `pick` fills the quick picks: so many distinct
/// numbers of the pool. It is called only once every other check of the selections
/// has passed, and again if its numbers would break the limit on the same numbers.
///
/// # Errors
/// [`SlipRefusal`], the first in the order of [`SlipRefusalCode`].
pub fn price(
    slip: &Slip,
    rules: &RuleBook,
    pick: &mut dyn FnMut(u8, Pool) -> BallSet,
) -> Result<Priced, SlipRefusal> {
    check_slip(slip, rules)?;
    let mut checked = Vec::with_capacity(slip.selections.len());
    for (asked, index) in slip.selections.iter().zip(0u8..) {
        let selection = check_selection(asked, rules).map_err(|refusal| SlipRefusal {
            selection: Some(index),
            ..refusal
        })?;
        checked.push(selection);
    }

    // What the patron chose comes first, so that the computer chooses around it.
    let mut carried = SameNumbers::default();
    for (index, (selection, game)) in (0u8..).zip(&checked) {
        if !selection.quick_pick {
            carried
                .add(selection, game)
                .map_err(|refusal| at_selection(refusal, index))?;
        }
    }
    let mut selections = Vec::with_capacity(checked.len());
    for (index, (mut selection, game)) in (0u8..).zip(checked) {
        if selection.quick_pick {
            fill_quick_pick(&mut selection, game, rules.pool, &mut carried, pick)
                .map_err(|refusal| at_selection(refusal, index))?;
        }
        selections.push(selection);
    }

    let overflow = || refuse(SlipRefusalCode::TotalOverflow, "wager", SlipDetail::None);
    let mut per_draw = Cents::ZERO;
    for selection in &selections {
        per_draw = selection
            .wager_per_draw()
            .ok()
            .and_then(|wager| per_draw.checked_add(wager))
            .ok_or_else(overflow)?;
    }
    let total = per_draw
        .checked_mul(u64::from(slip.draws))
        .ok_or_else(overflow)?;
    Ok(Priced {
        selections,
        per_draw,
        total,
    })
}

fn refuse(code: SlipRefusalCode, field: &'static str, detail: SlipDetail) -> SlipRefusal {
    SlipRefusal {
        code,
        selection: None,
        field: Some(field),
        detail,
    }
}

fn at_selection(refusal: SlipRefusal, index: u8) -> SlipRefusal {
    SlipRefusal {
        selection: Some(index),
        ..refusal
    }
}

fn check_slip(slip: &Slip, rules: &RuleBook) -> Result<(), SlipRefusal> {
    use SlipRefusalCode as Code;
    let count = slip.selections.len() as u64;
    let selections = SlipDetail::Count {
        asked: count,
        min: 1,
        max: u64::from(rules.limits.selections_max),
    };
    if count == 0 {
        return Err(refuse(Code::NoSelections, "selections", selections));
    }
    if count > u64::from(rules.limits.selections_max) {
        return Err(refuse(Code::TooManySelections, "selections", selections));
    }
    let draws = SlipDetail::Count {
        asked: u64::from(slip.draws),
        min: 1,
        max: u64::from(rules.limits.draws_max),
    };
    if slip.draws == 0 {
        return Err(refuse(Code::NoDraws, "draws", draws));
    }
    if slip.draws > rules.limits.draws_max {
        return Err(refuse(Code::TooManyDraws, "draws", draws));
    }
    Ok(())
}

/// One selection, all of its checks but those that concern the whole ticket. A
/// quick pick comes back with no group yet.
fn check_selection<'a>(
    asked: &SlipSelection,
    rules: &'a RuleBook,
) -> Result<(Selection, &'a Game), SlipRefusal> {
    use SlipRefusalCode as Code;
    let game = rules
        .game(&asked.game)
        .ok_or_else(|| refuse(Code::UnknownGame, "game", SlipDetail::None))?;
    let allowed = game
        .spots_allowed(asked.kind)
        .ok_or_else(|| refuse(Code::UnknownType, "type", SlipDetail::None))?;

    let has_ways = asked.kind.has_ways();
    let (groups, kings, spots) = match &asked.pick {
        Pick::Quick { .. } if !asked.kind.may_be_quick() => {
            let code = Code::QuickPickNotStraight;
            return Err(refuse(code, "numbers", SlipDetail::None));
        }
        Pick::Quick { spots: 0 } => {
            return Err(refuse(Code::NoNumbers, "numbers", SlipDetail::None));
        }
        Pick::Quick { spots } => (Vec::new(), BallSet::EMPTY, *spots),
        Pick::Numbers { groups, kings } => {
            let named = game.set.filter(|_| asked.kind.is_named());
            let (groups, kings) = match named {
                Some(set) if groups.is_empty() && kings.is_empty() => (vec![set], BallSet::EMPTY),
                _ => check_numbers(asked.kind, groups, kings, rules.pool)?,
            };
            // Whoever says the numbers of a set beside its name means those that it has.
            if named.is_some_and(|set| groups != [set]) {
                return Err(refuse(Code::NumbersNotOfType, "numbers", SlipDetail::Named));
            }
            let spots = groups.first().map_or(0, |group| group.len());
            (groups, kings, spots)
        }
    };
    if !has_ways {
        let detail = SlipDetail::Count {
            asked: u64::from(spots),
            min: u64::from(allowed.min),
            max: u64::from(allowed.max),
        };
        if spots > allowed.max {
            return Err(refuse(Code::TooManyNumbers, "numbers", detail));
        }
        if spots < allowed.min {
            return Err(refuse(Code::TooFewNumbers, "numbers", detail));
        }
    }
    let generated = if has_ways {
        generated_ways(&groups, kings, game.king_alone)?
    } else {
        vec![(1, spots)]
    };
    let conditioning = check_conditioning(asked, game, spots, &generated, rules.limits.ways_max)?;
    let selection = Selection {
        game: game.code.clone(),
        kind: asked.kind,
        quick_pick: matches!(asked.pick, Pick::Quick { .. }),
        groups,
        kings,
        conditioning,
    };
    Ok((selection, game))
}

/// The numbers as sets. Whether groups overlap is judged with the ways.
fn check_numbers(
    kind: SelectionType,
    groups: &[Vec<u8>],
    kings: &[u8],
    pool: Pool,
) -> Result<(Vec<BallSet>, BallSet), SlipRefusal> {
    use SlipRefusalCode as Code;
    let has_empty_group = groups.iter().any(Vec::is_empty);
    if has_empty_group || (groups.is_empty() && kings.is_empty()) {
        let field = if has_empty_group { "groups" } else { "numbers" };
        return Err(refuse(Code::NoNumbers, field, SlipDetail::None));
    }
    let misfit = if kings.is_empty() == kind.has_kings() {
        Some("kings")
    } else if !kind.has_ways() && groups.len() != 1 {
        Some("groups")
    } else {
        None
    };
    if let Some(field) = misfit {
        return Err(refuse(Code::NumbersNotOfType, field, SlipDetail::None));
    }
    let all = || {
        groups
            .iter()
            .map(|group| ("groups", group.as_slice()))
            .chain([("kings", kings)])
    };
    let name = |field: &'static str| if kind.has_ways() { field } else { "numbers" };
    for (field, numbers) in all() {
        if let Some(&number) = numbers.iter().find(|number| !pool.contains(**number)) {
            let detail = SlipDetail::NumberOfPool {
                number,
                max: pool.size(),
            };
            return Err(refuse(Code::NumberOutOfRange, name(field), detail));
        }
    }
    let mut sets = Vec::with_capacity(groups.len() + 1);
    for (field, numbers) in all() {
        let set = BallSet::from_numbers(numbers).map_err(|error| match error {
            BallError::Repeated(number) => {
                let detail = SlipDetail::Number(number);
                refuse(Code::NumberRepeated, name(field), detail)
            }
            BallError::OutOfRange(_) | BallError::BitsOutOfRange => {
                refuse(Code::NumberOutOfRange, name(field), SlipDetail::None)
            }
        })?;
        sets.push(set);
    }
    let kings = sets.pop().unwrap_or(BallSet::EMPTY);
    Ok((sets, kings))
}

/// Every size that the groups generate: (ways, spots), spots ascending.
fn generated_ways(
    groups: &[BallSet],
    kings: BallSet,
    king_alone: bool,
) -> Result<Vec<(u64, u8)>, SlipRefusal> {
    let counts = ways_by_size(groups, kings, king_alone).map_err(|error| {
        let detail = match error {
            crate::ways::WayError::Overlap(number) => SlipDetail::Number(number),
            _ => SlipDetail::None,
        };
        refuse(SlipRefusalCode::GroupsOverlap, "groups", detail)
    })?;
    Ok(counts
        .into_iter()
        .zip(0u8..)
        .filter(|(ways, _)| *ways > 0)
        .collect())
}

fn check_conditioning(
    asked: &SlipSelection,
    game: &Game,
    spots: u8,
    generated: &[(u64, u8)],
    ways_max: u16,
) -> Result<Vec<Conditioning>, SlipRefusal> {
    use SlipRefusalCode as Code;
    let is_short = !asked.kind.has_ways() && asked.conditioning.is_empty();
    // (ways generated, spots, wager)
    let mut lines: Vec<(u64, u8, Cents)> = Vec::new();
    if is_short {
        lines.push((1, spots, asked.wager.unwrap_or(Cents::ZERO)));
    }
    for line in &asked.conditioning {
        let ways = generated
            .iter()
            .find(|(_, size)| *size == line.spots)
            .map_or(0, |(ways, _)| *ways);
        if ways == 0 || line.ways.is_some_and(|wanted| u64::from(wanted) != ways) {
            let detail = SlipDetail::Ways {
                asked_ways: line.ways,
                asked_spots: line.spots,
                generated: generated.to_vec(),
            };
            return Err(refuse(Code::WayNotGenerated, "conditioning", detail));
        }
        lines.push((ways, line.spots, line.wager));
    }
    for (index, (_, size, _)) in lines.iter().enumerate() {
        if lines.iter().take(index).any(|(_, other, _)| other == size) {
            let detail = SlipDetail::Number(*size);
            return Err(refuse(Code::WayRepeated, "conditioning", detail));
        }
    }
    if lines.is_empty() {
        let detail = SlipDetail::Ways {
            asked_ways: None,
            asked_spots: 0,
            generated: generated.to_vec(),
        };
        return Err(refuse(Code::NoWaysChosen, "conditioning", detail));
    }
    let allowed = game.spots_allowed(asked.kind);
    for (_, size, _) in &lines {
        let can_win = allowed.is_some_and(|allowed| allowed.contains(*size))
            && game
                .table(*size)
                .is_some_and(|table| table.paying().next().is_some());
        if !can_win {
            let detail = SlipDetail::Spots {
                asked: *size,
                min: allowed.map_or(0, |allowed| allowed.min),
                max: allowed.map_or(0, |allowed| allowed.max),
            };
            return Err(refuse(Code::WayPaysNothing, "conditioning", detail));
        }
    }
    let ways_total = lines
        .iter()
        .fold(0u64, |total, (ways, _, _)| total.saturating_add(*ways));
    if ways_total > u64::from(ways_max) {
        let detail = SlipDetail::Count {
            asked: ways_total,
            min: 1,
            max: u64::from(ways_max),
        };
        return Err(refuse(Code::TooManyWays, "conditioning", detail));
    }
    check_wagers(asked, game, is_short, &lines)?;
    lines
        .into_iter()
        .map(|(ways, spots, wager)| {
            // At most `ways_max` by now.
            let ways = u32::try_from(ways)
                .map_err(|_| refuse(Code::TooManyWays, "conditioning", SlipDetail::None))?;
            Ok(Conditioning { ways, spots, wager })
        })
        .collect()
}

fn check_wagers(
    asked: &SlipSelection,
    game: &Game,
    is_short: bool,
    lines: &[(u64, u8, Cents)],
) -> Result<(), SlipRefusal> {
    use SlipRefusalCode as Code;
    let limits = &game.wager;
    let find = |code: Code, is_fault: &dyn Fn(Cents) -> bool| match lines
        .iter()
        .find(|(_, _, wager)| is_fault(*wager))
    {
        Some((_, _, wager)) => {
            let detail = SlipDetail::Wager {
                asked: *wager,
                min: limits.min,
                max: limits.max,
                step: limits.step,
            };
            Err(refuse(code, "wager", detail))
        }
        None => Ok(()),
    };
    find(Code::WagerMissing, &|wager| wager == Cents::ZERO)?;
    if !is_short && asked.wager.is_some() {
        return Err(refuse(Code::WagerGivenTwice, "wager", SlipDetail::None));
    }
    find(Code::WagerBelowMinimum, &|wager| wager < limits.min)?;
    find(Code::WagerAboveMaximum, &|wager| wager > limits.max)?;
    find(Code::WagerOffStep, &|wager| {
        wager.get().checked_rem(limits.step.get()) != Some(0)
    })
}

/// What one ticket carries on each set of numbers, over all its selections, games
/// and ways: the amount, and the lowest limit of the games involved.
#[derive(Default)]
struct SameNumbers(BTreeMap<BallSet, (Cents, Cents)>);

impl SameNumbers {
    /// Adds every way of a selection; leaves nothing behind if it is refused.
    fn add(&mut self, selection: &Selection, game: &Game) -> Result<(), SlipRefusal> {
        let limit = game.wager.same_numbers_max;
        let mut added = Vec::new();
        for line in &selection.conditioning {
            let most = usize::try_from(line.ways).unwrap_or(usize::MAX);
            let sets = enumerate(
                &selection.groups,
                selection.kings,
                game.king_alone,
                line.spots,
                most,
            )
            .map_err(|_| {
                let code = SlipRefusalCode::TooManyWays;
                refuse(code, "conditioning", SlipDetail::None)
            })?;
            for set in sets {
                let (amount, lowest) = self.0.get(&set).copied().unwrap_or((Cents::ZERO, limit));
                let lowest = lowest.min(limit);
                let amount = amount.checked_add(line.wager);
                match amount {
                    Some(amount) if amount <= lowest => added.push((set, (amount, lowest))),
                    _ => {
                        let detail = SlipDetail::Amount {
                            asked: amount.unwrap_or(Cents::new(i64::MAX)),
                            max: lowest,
                        };
                        let code = SlipRefusalCode::SameNumbersOverLimit;
                        return Err(refuse(code, "wager", detail));
                    }
                }
            }
        }
        // The ways of one selection are all different, so no set is added twice.
        self.0.extend(added);
        Ok(())
    }
}

fn fill_quick_pick(
    selection: &mut Selection,
    game: &Game,
    pool: Pool,
    carried: &mut SameNumbers,
    pick: &mut dyn FnMut(u8, Pool) -> BallSet,
) -> Result<(), SlipRefusal> {
    let failed = || {
        refuse(
            SlipRefusalCode::QuickPickFailed,
            "numbers",
            SlipDetail::None,
        )
    };
    let spots = selection.conditioning.first().map_or(0, |line| line.spots);
    let mut refusal = failed();
    for _ in 0..QUICK_PICK_TRIES {
        let set = pick(spots, pool);
        if set.len() != spots || !set.is_subset(pool.all()) {
            return Err(failed());
        }
        selection.groups = vec![set];
        match carried.add(selection, game) {
            Ok(()) => return Ok(()),
            Err(over) => refusal = over,
        }
    }
    Err(refusal)
}

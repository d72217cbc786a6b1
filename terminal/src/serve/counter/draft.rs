//! What a slip in the making comes to, by the rules of the house: told beside each key, before
//! central is asked. Pure. Central prices and judges again, and nothing is sold at another price.

use keno_book::slip_sentence::SlipSentence;
use keno_game::slip::{SlipRefusalCode, price};
use keno_game::ways::ways_by_size;
use keno_game::{
    BallSet, Game, Pool, RuleBook, Selection as Registered, SelectionType, Slip, Tender,
};
use keno_wire::coded::Name;
use keno_wire::reply::{Bilingual, DrawTime};
use keno_wire::request;
use keno_words::{Say, counter as words};
use serde::{Deserialize, Serialize};

use super::on_sale::OnSale;
use super::split::{Generated, Split, split};
use crate::agent::cash;

/// Stable name and sentences of a slip whose first draw other rules govern, which are not known here.
pub(in crate::serve) const RULES_UNKNOWN: &str = "rules_unknown";

/// A slip in the making, as the page has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct DraftAsked {
    /// The slip; parts of it may be missing.
    pub slip: request::Slip,
    /// What the patron hands over, in cents, when it is known.
    #[serde(default)]
    pub received_cents: Option<i64>,
    /// As what.
    #[serde(default = "cash")]
    pub tender: Name<Tender>,
    /// An earlier ticket is sold again.
    #[serde(default)]
    pub is_replay: bool,
    /// The patron before has gone: nothing of theirs stays on the screen.
    #[serde(default)]
    pub is_next: bool,
}

/// How a sale has to be confirmed, so that a key that repeats sells nothing big.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::serve) enum Confirm {
    /// The usual key.
    Enter,
    /// Another key than the usual one.
    Key,
    /// The total is typed.
    Typed,
}

/// How, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::serve) struct ConfirmView {
    /// How.
    pub how: Confirm,
    /// `total`, `draws`, `way`, `replay`.
    pub because: Vec<&'static str>,
}

/// Why a draft cannot be sold as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::serve) struct DraftRefusal {
    /// Stable name, as central has it.
    pub name: &'static str,
    /// The sentence.
    pub title: Bilingual,
    /// Which selection, from 0.
    pub selection: Option<u8>,
    /// Which field.
    pub field: Option<&'static str>,
    /// The next draw on sale, when the one that was asked is not.
    pub next_draw: Option<u64>,
}

/// A selection of a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::serve) struct DraftSelection {
    /// As it was asked.
    pub asked: request::Selection,
    /// Wager for one draw, in cents, when the selection is complete.
    pub per_draw_cents: Option<i64>,
    /// Every way that its groups generate.
    pub generated: Vec<Generated>,
    /// Why it cannot be sold so.
    pub refusal: Option<DraftRefusal>,
    /// Two selections that give what was written, where one does not.
    pub split: Option<Split>,
}

/// What a slip in the making comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(in crate::serve) struct DraftView {
    /// Selections, A first.
    pub selections: Vec<DraftSelection>,
    /// Number of draws.
    pub draws: u32,
    /// First draw.
    pub first: Option<DrawTime>,
    /// Last draw.
    pub last: Option<DrawTime>,
    /// The first draw is not today: it is announced.
    pub is_other_day: bool,
    /// The last draw is not on the day of the first.
    pub ends_other_day: bool,
    /// Wager for one draw, in cents.
    pub per_draw_cents: Option<i64>,
    /// Price, in cents, when the slip can be sold.
    pub total_cents: Option<i64>,
    /// What the patron hands over.
    pub received_cents: Option<i64>,
    /// Change, in cents; below zero when it is not enough.
    pub change_cents: Option<i64>,
    /// Why it cannot be sold so.
    pub refusal: Option<DraftRefusal>,
    /// How it has to be confirmed.
    pub confirm: ConfirmView,
}

/// Numbers that stand for those that the computer will pick: only how many counts for the price.
fn stand_in(spots: u8, pool: Pool) -> BallSet {
    let mut set = BallSet::EMPTY;
    for number in 1..=spots.min(pool.size()) {
        let _ = set.insert(number);
    }
    set
}

fn told(refusal: &keno_game::SlipRefusal) -> DraftRefusal {
    DraftRefusal {
        name: refusal.code.name(),
        title: Bilingual::of(&SlipSentence(refusal)),
        selection: refusal.selection,
        field: refusal.field,
        next_draw: None,
    }
}

fn refusal(name: &'static str, field: &'static str, words: &dyn Say) -> DraftRefusal {
    DraftRefusal {
        name,
        title: Bilingual::of(words),
        selection: None,
        field: Some(field),
        next_draw: None,
    }
}

/// The rules that govern the first draw of the slip are not known here.
fn rules_unknown() -> DraftRefusal {
    refusal(RULES_UNKNOWN, "first_draw", &words::RulesUnknown)
}

/// The price of a slip whose quick picks are stood in for. Two picks of the same size would look
/// like the same numbers, which only central can know: each is then priced on its own.
fn priced(slip: &Slip, rules: &RuleBook) -> Result<(Vec<Registered>, i64), keno_game::SlipRefusal> {
    match price(slip, rules, &mut stand_in) {
        Err(found)
            if matches!(
                found.code,
                SlipRefusalCode::QuickPickFailed | SlipRefusalCode::SameNumbersOverLimit
            ) && slip
                .selections
                .iter()
                .any(|one| matches!(one.pick, keno_game::Pick::Quick { .. })) =>
        {
            let mut selections = Vec::new();
            let mut total = 0_i64;
            for one in &slip.selections {
                let alone = Slip {
                    selections: vec![one.clone()],
                    draws: slip.draws,
                };
                let mut of_one = price(&alone, rules, &mut stand_in)?;
                total = total.saturating_add(of_one.total.get());
                selections.append(&mut of_one.selections);
            }
            Ok((selections, total))
        }
        Err(found) => Err(found),
        Ok(priced) => Ok((priced.selections, priced.total.get())),
    }
}

fn set_of(numbers: &[i64]) -> BallSet {
    let mut set = BallSet::EMPTY;
    for number in numbers {
        if let Ok(number) = u8::try_from(*number) {
            let _ = set.insert(number);
        }
    }
    set
}

/// Every way that the groups of a selection generate, smallest first.
fn generated(asked: &request::Selection, game: &Game) -> Vec<Generated> {
    let Some(kind) = asked.kind.known() else {
        return Vec::new();
    };
    if !kind.has_ways() {
        return Vec::new();
    }
    let groups: Vec<BallSet> = asked
        .groups
        .iter()
        .filter(|group| !group.is_empty())
        .map(|group| set_of(group))
        .collect();
    let allowed = game.spots_allowed(kind);
    let Ok(counts) = ways_by_size(&groups, set_of(&asked.kings), game.king_alone) else {
        return Vec::new();
    };
    (0_u8..)
        .zip(counts)
        .filter(|(_, ways)| *ways > 0)
        .map(|(spots, ways)| Generated {
            spots,
            ways,
            is_playable: allowed.is_some_and(|allowed| allowed.contains(spots))
                && game
                    .table(spots)
                    .is_some_and(|table| table.paying().next().is_some()),
        })
        .collect()
}

fn selection(asked: &request::Selection, index: usize, rules: &RuleBook) -> DraftSelection {
    let game = rules.game(&asked.game);
    let alone = keno_wire::slip::selection(asked, index).and_then(|selection| {
        let slip = Slip {
            selections: vec![selection],
            draws: 1,
        };
        priced(&slip, rules).map_err(|refusal| keno_game::SlipRefusal {
            selection: u8::try_from(index).ok(),
            ..refusal
        })
    });
    let generated = game.map_or_else(Vec::new, |game| generated(asked, game));
    let is_not_generated =
        matches!(&alone, Err(refusal) if refusal.code == SlipRefusalCode::WayNotGenerated);
    DraftSelection {
        asked: asked.clone(),
        per_draw_cents: alone.as_ref().ok().map(|(_, total)| *total),
        refusal: alone.as_ref().err().map(told),
        split: is_not_generated.then(|| split(asked, &generated)).flatten(),
        generated,
    }
}

/// First and last draw, or why there are none.
fn draws_of(
    slip: &request::Slip,
    sale: &OnSale,
) -> Result<(DrawTime, DrawTime), Box<DraftRefusal>> {
    let draws = sale.draws();
    let Some(next) = draws.first() else {
        return Err(Box::new(refusal(
            "draw_unknown",
            "first_draw",
            &words::NoDrawOnSale,
        )));
    };
    let asked = slip.first_draw.unwrap_or(next.draw.draw);
    let place = |number: u64| draws.iter().find(|draw| draw.draw.draw == number);
    let Some(first) = place(asked) else {
        let is_past = asked < next.draw.draw;
        let (name, words): (_, &dyn Say) = if is_past {
            ("draw_closed", &words::SalesClosed)
        } else {
            ("draw_unknown", &words::DrawNotOnSaleYet)
        };
        return Err(Box::new(DraftRefusal {
            next_draw: is_past.then_some(next.draw.draw),
            ..refusal(name, "first_draw", words)
        }));
    };
    let last = asked.saturating_add(u64::from(slip.draws.max(1)) - 1);
    match place(last) {
        Some(last) => Ok((first.draw.clone(), last.draw.clone())),
        None => Err(Box::new(refusal(
            "draw_unknown",
            "draws",
            &words::DrawsNotAllOnSaleYet,
        ))),
    }
}

/// How a sale of that price has to be confirmed.
pub(in crate::serve) fn confirm(
    rules: &RuleBook,
    slip: &request::Slip,
    total_cents: i64,
    is_replay: bool,
) -> ConfirmView {
    let thresholds = rules.confirm;
    let mut because = Vec::new();
    let mut how = Confirm::Enter;
    let mut at_least = |least: Confirm, reason: &'static str| {
        how = how.max(least);
        because.push(reason);
    };
    if total_cents >= thresholds.type_total.get() {
        at_least(Confirm::Typed, "total");
    } else if total_cents >= thresholds.second_key.get() {
        at_least(Confirm::Key, "total");
    }
    if slip.draws >= u32::from(thresholds.draws) {
        at_least(Confirm::Key, "draws");
    }
    let has_ways = |one: &request::Selection| one.kind.known().is_none_or(SelectionType::has_ways);
    if slip.selections.iter().any(has_ways) {
        at_least(Confirm::Key, "way");
    }
    if is_replay {
        at_least(Confirm::Key, "replay");
    }
    ConfirmView { how, because }
}

/// What a slip comes to; none while no rules are known.
pub(in crate::serve) fn view(asked: &DraftAsked, sale: &OnSale) -> Option<DraftView> {
    let slip = &asked.slip;
    let governing = sale.book_for(slip.first_draw);
    let rules = &governing.or(sale.book())?.rules;
    let mut selections: Vec<DraftSelection> = slip
        .selections
        .iter()
        .enumerate()
        .map(|(index, one)| selection(one, index, rules))
        .collect();
    if governing.is_none() {
        // What the rules of another draw say of it is not told.
        for one in &mut selections {
            one.per_draw_cents = None;
            one.generated.clear();
            one.refusal = None;
            one.split = None;
        }
    }
    let whole = keno_wire::slip::slip(slip).and_then(|slip| priced(&slip, rules));
    let draws = draws_of(slip, sale);
    let refusal = governing
        .is_none()
        .then(rules_unknown)
        .or_else(|| whole.as_ref().err().map(told))
        .or_else(|| draws.as_ref().err().map(|refusal| (**refusal).clone()));
    let total_cents = match &refusal {
        None => whole.as_ref().ok().map(|(_, total)| *total),
        Some(_) => None,
    };
    let (first, last) = match draws {
        Ok((first, last)) => (Some(first), Some(last)),
        Err(_) => (None, None),
    };
    let day = |draw: &Option<DrawTime>| {
        let draw = draw.as_ref()?;
        draw.local.split(' ').next().map(str::to_owned)
    };
    let (first_day, last_day) = (day(&first), day(&last));
    Some(DraftView {
        draws: slip.draws,
        is_other_day: first_day.as_deref().is_some_and(|day| day != sale.today()),
        ends_other_day: first_day != last_day,
        per_draw_cents: selections
            .iter()
            .map(|one| one.per_draw_cents)
            .sum::<Option<i64>>()
            .filter(|_| !selections.is_empty()),
        total_cents,
        received_cents: asked.received_cents,
        change_cents: total_cents
            .zip(asked.received_cents)
            .map(|(total, received)| {
                let tender = asked.tender.known().unwrap_or(Tender::Cash);
                tender.change_cents(received, total)
            }),
        confirm: confirm(rules, slip, total_cents.unwrap_or(0), asked.is_replay),
        selections,
        first,
        last,
        refusal,
    })
}

#[cfg(test)]
mod tests;

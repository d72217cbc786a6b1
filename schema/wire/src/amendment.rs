//! A change of express picks and limits at the wall: a version of the rule book by two people, from
//! a future draw on.

use macro_rules_attribute::apply;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::reply::Bilingual;
use crate::request::SecondPerson;

/// An express pick.
#[apply(request!)]
pub struct ExpressSetting {
    /// Code of the game; the first of the book when left out.
    pub game: Option<String>,
    /// How many numbers the computer picks.
    pub spots: i64,
    /// The wager per draw, in cents.
    pub wager_cents: i64,
}

/// What is to be another than it is in a game.
#[apply(request!)]
pub struct GameSetting {
    /// Its code.
    pub code: String,
    /// The largest wager, in cents.
    pub wager_max_cents: Option<i64>,
    /// The most on the same numbers of a ticket, in cents.
    pub same_numbers_cents: Option<i64>,
}

/// What is to be another than it is; what is left out stays. Prizes, maximum, pool, claims and
/// texts are not among it.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RulesChanges {
    /// What a counter puts on a selection when nothing is said, in cents.
    pub usual_wager_cents: Option<i64>,
    /// The express picks, all of them, F1 first; at most eight.
    pub express: Option<Vec<ExpressSetting>>,
    /// From this amount on, a sale is confirmed by another key, in cents.
    pub second_key_cents: Option<i64>,
    /// From this amount on, its total is typed, in cents.
    pub type_total_cents: Option<i64>,
    /// For so many draws or more, it is confirmed.
    pub confirm_draws: Option<i64>,
    /// From this amount on, two people pay, in cents.
    pub second_person_cents: Option<i64>,
    /// From this amount on, the main cage pays, in cents.
    pub cage_cents: Option<i64>,
    /// Most draws of a ticket.
    pub draws: Option<i64>,
    /// Most draws before the first of a ticket.
    pub draws_ahead: Option<i64>,
    /// Most selections of a ticket.
    pub selections: Option<i64>,
    /// Most ways of a selection.
    pub ways: Option<i64>,
    /// Wagers of games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameSetting>,
}

/// `POST /api/v1/rules/amendments/preview`: what a change would do, without recording anything.
#[apply(request!)]
pub struct PreviewRequest {
    /// The newest version when it was read.
    pub base_version: u32,
    /// What is to change.
    pub changes: RulesChanges,
    /// First draw; the earliest possible when left out.
    pub effective_from: Option<u64>,
}

/// `POST /api/v1/rules/amendments`: by two people, each supervisor or administrator.
#[apply(request!)]
pub struct AmendRequest {
    /// The newest version when it was read.
    pub base_version: u32,
    /// What is to change.
    pub changes: RulesChanges,
    /// First draw; the earliest possible when left out.
    pub effective_from: Option<u64>,
    /// Second person.
    pub second: SecondPerson,
}

/// A draw from which rules hold.
#[apply(reply!)]
pub struct EffectiveDraw {
    /// Its number.
    pub draw: u64,
    /// When it is drawn, in the house's zone, `yyyy-mm-dd HH:MM`; absent before it is announced.
    pub local: Option<String>,
}

/// A game as the newest version has it.
#[apply(reply!)]
pub struct GameNow {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: Bilingual,
    /// The largest wager, in cents.
    pub wager_max_cents: i64,
    /// The most on the same numbers of a ticket, in cents.
    pub same_numbers_cents: i64,
}

/// What can be changed, as the newest version has it.
#[apply(reply!)]
pub struct SettingsNow {
    /// What a counter puts on a selection when nothing is said, in cents; absent if the book does
    /// not say it.
    pub usual_wager_cents: Option<i64>,
    /// The express picks, F1 first, each with its game.
    pub express: Vec<ExpressSetting>,
    /// From this amount on, a sale is confirmed by another key, in cents.
    pub second_key_cents: i64,
    /// From this amount on, its total is typed, in cents.
    pub type_total_cents: i64,
    /// For so many draws or more, it is confirmed.
    pub confirm_draws: i64,
    /// From this amount on, two people pay, in cents.
    pub second_person_cents: i64,
    /// From this amount on, the main cage pays, in cents.
    pub cage_cents: i64,
    /// Most draws of a ticket.
    pub draws: i64,
    /// Most draws before the first of a ticket.
    pub draws_ahead: i64,
    /// Most selections of a ticket.
    pub selections: i64,
    /// Most ways of a selection.
    pub ways: i64,
    /// Games, in the order of the book.
    pub games: Vec<GameNow>,
}

/// `GET /api/v1/rules/amendments`: what can be changed.
#[apply(reply!)]
pub struct AmendableReply {
    /// The newest version.
    pub version: u32,
    /// First draw that it governs.
    pub effective: EffectiveDraw,
    /// The first draw that a version after it may govern.
    pub earliest: EffectiveDraw,
    /// The first whose sales close late enough for two people to look at the change before.
    pub proposed: EffectiveDraw,
    /// What can be changed, as the newest version has it.
    pub settings: SettingsNow,
}

/// A value that can be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RuleValue {
    /// An amount.
    Money {
        /// In cents.
        cents: i64,
    },
    /// A number.
    Number {
        /// The number.
        number: i64,
    },
    /// An express pick.
    Pick {
        /// Code of the game.
        game: String,
        /// Its name; absent where the book has one game alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Bilingual>,
        /// How many numbers.
        spots: u8,
        /// The wager per draw, in cents.
        wager_cents: i64,
    },
}

/// One value that is another than before.
#[apply(reply!)]
pub struct RuleDifference {
    /// The key as the rule book names it, such as `counter.express[2]` or `game[0].wager.max`.
    pub place: String,
    /// Name of the game whose value it is; absent where the book has one game alone.
    pub game: Option<Bilingual>,
    /// Before; absent when there was none.
    pub old: Option<RuleValue>,
    /// After; absent when there is none.
    pub new: Option<RuleValue>,
}

/// One fault of a change.
#[apply(reply!)]
pub struct RuleFaultView {
    /// Stable name.
    pub name: String,
    /// The key as the rule book names it, or `effective_from`; empty when it is about the whole.
    pub place: String,
    /// What is wrong.
    pub sentence: Bilingual,
}

/// What becomes of selection slips and express cards, by the names under which they are printed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SlipsFate {
    /// No longer taken from the first draw of the new version on.
    pub withdrawn: Vec<String>,
    /// To be printed anew: withdrawn, or not what the counter's key gives any more.
    pub print: Vec<String>,
}

/// What a change would do.
#[apply(reply!)]
pub struct PreviewReply {
    /// The version that it would be.
    pub version: u32,
    /// First draw.
    pub effective: EffectiveDraw,
    /// Earliest first draw.
    pub earliest: EffectiveDraw,
    /// What is another than before; empty if there are faults.
    pub differences: Vec<RuleDifference>,
    /// Why it would be refused.
    pub faults: Vec<RuleFaultView>,
    /// What becomes of slips and cards.
    pub slips: SlipsFate,
}

/// A change was recorded.
#[apply(reply!)]
pub struct AmendedReply {
    /// Its leaf.
    pub leaf: u64,
    /// The new version.
    pub version: u32,
    /// First draw.
    pub effective: EffectiveDraw,
    /// What is another than before.
    pub differences: Vec<RuleDifference>,
    /// What becomes of slips and cards.
    pub slips: SlipsFate,
}

/// A change as it waits for a second person.
#[apply(reply!)]
pub struct ApprovalAmendment {
    /// The version that it would be.
    pub version: u32,
    /// First draw.
    pub effective: EffectiveDraw,
    /// What is another than before.
    pub differences: Vec<RuleDifference>,
    /// What becomes of slips and cards.
    pub slips: SlipsFate,
}

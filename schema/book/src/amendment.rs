//! A version of the rule book made from the newest one by a closed set of changes: express picks,
//! the usual wager, what is confirmed, who pays, and limits. What decides a prize or a claim has no
//! place in it and cannot be changed by it.
//!
//! The new text is the old one with those values in their places and the version counted up;
//! comments and everything else stay byte for byte. It is then judged whole, as any other: a change
//! may break a rule that it does not name, such as the returns (s. 85).

mod text;

use keno_game::{Cents, Game, RuleBook};

use crate::rules_file::{self, CounterRules, ExpressPick, RuleBookFault, RuleBookFile};

/// What is to be another than it is; where there is none, it stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// What a counter puts on a selection when nothing is said.
    pub usual_wager: Option<Cents>,
    /// The express picks, all of them, in the order of the keys.
    pub express: Option<Vec<AskedPick>>,
    /// From this amount on, a sale is confirmed by another key.
    pub second_key: Option<Cents>,
    /// From this amount on, its total is typed.
    pub type_total: Option<Cents>,
    /// For so many draws or more, it is confirmed.
    pub confirm_draws: Option<i64>,
    /// From this amount on, two people pay.
    pub second_person: Option<Cents>,
    /// From this amount on, the main cage pays.
    pub cage: Option<Cents>,
    /// Most draws of a ticket.
    pub draws: Option<i64>,
    /// Most draws before the first of a ticket.
    pub draws_ahead: Option<i64>,
    /// Most selections of a ticket.
    pub selections: Option<i64>,
    /// Most ways of a selection.
    pub ways: Option<i64>,
    /// Wagers of games.
    pub games: Vec<GameChanges>,
}

/// What is to be another than it is in a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameChanges {
    /// Its code.
    pub code: String,
    /// The largest wager.
    pub wager_max: Option<Cents>,
    /// The most on the same numbers of a ticket, which is no less than the largest wager.
    pub same_numbers: Option<Cents>,
}

/// An express pick as it is asked for. Numbers are as wide as they came: the book says what is
/// wrong with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedPick {
    /// Code of the game; the first of the book when left out.
    pub game: Option<String>,
    /// How many numbers.
    pub spots: i64,
    /// The wager per draw.
    pub wager: Cents,
}

/// A version of the rule book that may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amended {
    /// The book before.
    pub before: RuleBookFile,
    /// The book after.
    pub after: RuleBookFile,
    /// What is another than before, in the order of the file. Read off the two books, and not off
    /// what was asked.
    pub differences: Vec<Difference>,
}

/// One value that is another than before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The key as the file names it, such as `counter.express[2]` or `game[0].wager.max`.
    pub place: String,
    /// Before; none when there was none.
    pub old: Option<Value>,
    /// After; none when there is none.
    pub new: Option<Value>,
}

/// A value that may be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// An amount.
    Money(Cents),
    /// A number.
    Number(i64),
    /// An express pick.
    Pick(ExpressPick),
}

/// The next version of a book.
///
/// # Errors
/// Every fault of the new text, by line, as `rules_file::read` finds them; a game that the book does
/// not have; a text whose other lines could not be kept.
pub fn amend(text: &str, changes: &Changes) -> Result<Amended, Vec<RuleBookFault>> {
    let before = rules_file::read(text)?;
    let edited = text::edited(&before, changes)?;
    let after = rules_file::read(&edited)?;
    let differences = differences(&before, &after);
    Ok(Amended {
        before,
        after,
        differences,
    })
}

/// One value that may be changed, in both books.
fn push(found: &mut Vec<Difference>, place: String, old: Option<Value>, new: Option<Value>) {
    if old != new {
        found.push(Difference { place, old, new });
    }
}

/// What may be changed of the rules outside games, in the order of the file.
fn values_of(rules: &RuleBook) -> [(&'static str, Value); 9] {
    let number = |number: u16| Value::Number(i64::from(number));
    let (limits, confirm, payout) = (&rules.limits, &rules.confirm, &rules.payout);
    [
        (
            "limits.selections",
            number(u16::from(limits.selections_max)),
        ),
        ("limits.draws", number(limits.draws_max)),
        ("limits.draws_ahead", number(limits.draws_ahead_max)),
        ("limits.ways", number(limits.ways_max)),
        ("confirm.second_key", Value::Money(confirm.second_key)),
        ("confirm.type_total", Value::Money(confirm.type_total)),
        ("confirm.draws", number(confirm.draws)),
        ("payout.second_person", Value::Money(payout.second_person)),
        ("payout.cage", Value::Money(payout.cage)),
    ]
}

/// What is asked of each of them, in the same order.
fn asked_of(changes: &Changes) -> [Option<Value>; 9] {
    let number = |asked: Option<i64>| asked.map(Value::Number);
    let money = |asked: Option<Cents>| asked.map(Value::Money);
    [
        number(changes.selections),
        number(changes.draws),
        number(changes.draws_ahead),
        number(changes.ways),
        money(changes.second_key),
        money(changes.type_total),
        number(changes.confirm_draws),
        money(changes.second_person),
        money(changes.cage),
    ]
}

fn wagers_of(game: &Game) -> [(&'static str, Value); 2] {
    [
        ("max", Value::Money(game.wager.max)),
        ("same_numbers", Value::Money(game.wager.same_numbers_max)),
    ]
}

fn differences(before: &RuleBookFile, after: &RuleBookFile) -> Vec<Difference> {
    let mut found = Vec::new();
    let (old, new) = (values_of(&before.rules), values_of(&after.rules));
    for ((place, old), (_, new)) in old.into_iter().zip(new) {
        push(&mut found, place.to_owned(), Some(old), Some(new));
    }
    let wager = |book: &RuleBookFile| {
        let counter = book.counter.as_ref();
        counter.map(|counter| Value::Money(counter.default_wager))
    };
    let place = "counter.wager".to_owned();
    push(&mut found, place, wager(before), wager(after));
    let picks = |counter: &Option<CounterRules>| {
        counter
            .as_ref()
            .map_or_else(Vec::new, |counter| counter.express.clone())
    };
    let (old, new) = (picks(&before.counter), picks(&after.counter));
    for at in 0..old.len().max(new.len()) {
        let pick = |picks: &[ExpressPick]| picks.get(at).cloned().map(Value::Pick);
        let place = format!("counter.express[{at}]");
        push(&mut found, place, pick(&old), pick(&new));
    }
    let games = before.rules.games.iter().zip(&after.rules.games);
    for (at, (old, new)) in games.enumerate() {
        for ((key, old), (_, new)) in wagers_of(old).into_iter().zip(wagers_of(new)) {
            let place = format!("game[{at}].wager.{key}");
            push(&mut found, place, Some(old), Some(new));
        }
    }
    found
}

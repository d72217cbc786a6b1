//! The text of a book with other values in their places. A value that is the same keeps its
//! spelling; whatever is not named stays byte for byte.

use keno_game::Cents;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use super::{AskedPick, Changes, Value as Setting, asked_of, values_of, wagers_of};
use crate::rules_file::{ExpressPick, RuleBookFault, RuleBookFaultKind, RuleBookFile};
use keno_words::file_fault;

use crate::toml_faults::{FileFault, Words, quoted};

/// The text of the next version.
///
/// # Errors
/// A game that the book does not have; a text that is not written again as it is.
pub(super) fn edited(book: &RuleBookFile, changes: &Changes) -> Result<String, Vec<RuleBookFault>> {
    for game in &changes.games {
        if !book.rules.games.iter().any(|one| one.code == game.code) {
            let code = quoted(&game.code);
            let detail = Words::of(&file_fault::GameUnknown { code: &code });
            return Err(fault("game", RuleBookFaultKind::ChangedGameUnknown, detail));
        }
    }
    // The editor ends each line with a line feed alone.
    let text = book.text.replace("\r\n", "\n");
    let ends_in_two = text.len() != book.text.len();
    let mut document = kept(book, &text, ends_in_two)?;
    change(&mut document, book, changes);
    let edited = document.to_string();
    Ok(if ends_in_two {
        edited.replace('\n', "\r\n")
    } else {
        edited
    })
}

fn fault(place: &str, kind: RuleBookFaultKind, detail: Words) -> Vec<RuleBookFault> {
    vec![FileFault {
        line: 1,
        place: place.to_owned(),
        kind,
        detail,
    }]
}

/// The document of a text, if it is written as it was read.
fn kept(
    book: &RuleBookFile,
    text: &str,
    ends_in_two: bool,
) -> Result<DocumentMut, Vec<RuleBookFault>> {
    let document: Option<DocumentMut> = text.parse().ok();
    let is_kept = |document: &DocumentMut| {
        let is_one_kind = !ends_in_two || text.replace('\n', "\r\n") == book.text;
        is_one_kind && document.to_string() == text
    };
    document.filter(is_kept).ok_or_else(|| {
        let detail = Words::of(&file_fault::OtherLinesWouldChange);
        fault("", RuleBookFaultKind::NotKept, detail)
    })
}

fn change(document: &mut DocumentMut, book: &RuleBookFile, changes: &Changes) {
    let rules = &book.rules;
    let root = document.as_table_mut();
    let version = i64::from(rules.version).saturating_add(1);
    put(root, "version", version.into());
    for ((place, was), asked) in values_of(rules).into_iter().zip(asked_of(changes)) {
        let (section, key) = place.split_once('.').unwrap_or(("", place));
        if let (Some(section), Some(asked)) = (section_of(root, section), asked) {
            put_changed(section, key, &was, asked);
        }
    }
    for asked in &changes.games {
        let mut games = rules.games.iter().enumerate();
        let Some((at, game)) = games.find(|(_, game)| game.code == asked.code) else {
            continue;
        };
        let Some(wager) = game_of(root, at).and_then(|game| section_of(game, "wager")) else {
            continue;
        };
        let amounts = [asked.wager_max, asked.same_numbers];
        for ((key, was), amount) in wagers_of(game).into_iter().zip(amounts) {
            if let Some(amount) = amount {
                put_changed(wager, key, &was, Setting::Money(amount));
            }
        }
    }
    change_counter(root, book, changes);
}

fn change_counter(root: &mut Table, book: &RuleBookFile, changes: &Changes) {
    if changes.usual_wager.is_none() && changes.express.is_none() {
        return;
    }
    if !root.contains_key("counter") {
        root.insert("counter", Item::Table(Table::new()));
    }
    let is_headed = matches!(root.get("counter"), Some(Item::Table(table)) if !table.is_dotted());
    let Some(counter) = section_of(root, "counter") else {
        return;
    };
    let was = book.counter.as_ref();
    if let Some(amount) = changes.usual_wager {
        let was = was.map(|counter| counter.default_wager);
        put_money(counter, "wager", was, amount);
    }
    let Some(picks) = &changes.express else {
        return;
    };
    if !counter.contains_key("express") {
        let none = if is_headed {
            Item::ArrayOfTables(ArrayOfTables::new())
        } else {
            Item::Value(Array::new().into())
        };
        counter.insert("express", none);
    }
    let old = was.map_or(&[][..], |counter| counter.express.as_slice());
    let first = book.rules.games.first().map(|game| game.code.as_str());
    match counter.get_mut("express") {
        Some(Item::ArrayOfTables(tables)) => {
            while tables.len() > picks.len() {
                tables.remove(tables.len() - 1);
            }
            for (at, pick) in picks.iter().enumerate() {
                if tables.get(at).is_none() {
                    tables.push(Table::new());
                }
                if let Some(table) = tables.get_mut(at) {
                    put_pick(table, old.get(at), pick, first);
                }
            }
        }
        Some(Item::Value(Value::Array(tables))) => {
            while tables.len() > picks.len() {
                tables.remove(tables.len() - 1);
            }
            for (at, pick) in picks.iter().enumerate() {
                if tables.get(at).is_none() {
                    tables.push(InlineTable::new());
                }
                if let Some(Value::InlineTable(table)) = tables.get_mut(at) {
                    put_pick(table, old.get(at), pick, first);
                }
            }
        }
        _ => {}
    }
}

/// One express pick. A pick of the first game need not name it.
fn put_pick(
    table: &mut dyn TableLike,
    was: Option<&ExpressPick>,
    pick: &AskedPick,
    first: Option<&str>,
) {
    let wanted = pick.game.as_deref().or(first);
    let is_same_game = was.map(|was| was.game.as_str()).or(first) == wanted;
    if let (false, Some(game)) = (is_same_game, wanted) {
        put(table, "game", game.into());
    }
    if was.is_none_or(|was| i64::from(was.spots) != pick.spots) {
        put(table, "spots", pick.spots.into());
    }
    put_money(table, "wager", was.map(|was| was.wager), pick.wager);
}

/// The table of a key, however it is written.
fn section_of<'a>(table: &'a mut dyn TableLike, key: &str) -> Option<&'a mut dyn TableLike> {
    table.get_mut(key)?.as_table_like_mut()
}

/// One of the games, however they are written.
fn game_of(root: &mut Table, at: usize) -> Option<&mut dyn TableLike> {
    match root.get_mut("game")? {
        Item::ArrayOfTables(games) => games.get_mut(at).map(|game| game as &mut dyn TableLike),
        Item::Value(Value::Array(games)) => games
            .get_mut(at)?
            .as_inline_table_mut()
            .map(|game| game as &mut dyn TableLike),
        _ => None,
    }
}

fn put_changed(table: &mut dyn TableLike, key: &str, was: &Setting, asked: Setting) {
    match asked {
        asked if asked == *was => {}
        Setting::Money(amount) => put(table, key, amount.to_string().into()),
        Setting::Number(number) => put(table, key, number.into()),
        // It has several keys, and is put by them.
        Setting::Pick(_) => {}
    }
}

fn put_money(table: &mut dyn TableLike, key: &str, was: Option<Cents>, amount: Cents) {
    if was != Some(amount) {
        put(table, key, amount.to_string().into());
    }
}

/// Another value at the place of a key, with the spaces and the comment around it.
fn put(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

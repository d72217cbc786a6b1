//! Places of a rule book and places of its file.

use keno_game::RuleBook;

/// Whether one place is the other or lies within it.
pub(super) fn overlap(left: &str, right: &str) -> bool {
    let is_within = |inner: &str, outer: &str| {
        inner
            .strip_prefix(outer)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    is_within(left, right) || is_within(right, left)
}

/// The place in the file of a place in the book: `games[0].tables[4].pays` is `game[0].pays.5`.
pub(super) fn file_place(rules: &RuleBook, path: &str) -> String {
    match path {
        "cap" => return "cap.per_draw".to_owned(),
        "cap_threshold" => return "cap.full_below".to_owned(),
        "liability_max" => return "limits.liability".to_owned(),
        "games" => return "game".to_owned(),
        _ => {}
    }
    if let Some(rest) = path.strip_prefix("tenders") {
        return format!("tenders.accepted{rest}");
    }
    if let Some((game, table)) = indices(path)
        && let Some(table) = rules
            .games
            .get(game)
            .and_then(|game| game.tables.get(table))
    {
        return format!("game[{game}].pays.{}", table.spots());
    }
    let path = path
        .strip_prefix("games")
        .map_or_else(|| path.to_owned(), |rest| format!("game{rest}"));
    for (ending, file_ending) in [("_max", ""), ("_fr", ".fr"), ("_en", ".en")] {
        if let Some(start) = path.strip_suffix(ending) {
            return format!("{start}{file_ending}");
        }
    }
    path
}

/// The game and the table of a path such as `games[0].tables[4].pays`.
fn indices(path: &str) -> Option<(usize, usize)> {
    let (game, rest) = path.strip_prefix("games[")?.split_once("].tables[")?;
    let (table, _) = rest.split_once(']')?;
    Some((game.parse().ok()?, table.parse().ok()?))
}

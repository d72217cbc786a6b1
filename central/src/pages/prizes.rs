//! `/prizes`: the prize tables of the rule book in force (s. 76), with exact return rates (s. 85).

use askama::Template;

use super::lang::Lang;
use super::page::{Page, fill};
use super::view::{GamePrizes, PrizesView, SpotTable};
use super::words::Words;
use super::{PageFault, format};

/// Prizes by numbers played (columns) and found (rows, most first).
pub(super) struct Matrix {
    pub name: String,
    pub spots: Vec<u8>,
    pub rows: Vec<MatrixRow>,
}

pub(super) struct MatrixRow {
    pub found: u8,
    /// One for each column; empty where nothing is paid.
    pub cells: Vec<String>,
}

/// The prizes of a game as a matrix; rows that pay nothing anywhere are left out.
pub(super) fn matrix(game: &GamePrizes, lang: Lang) -> Matrix {
    let most = game
        .tables
        .iter()
        .map(|table| table.spots)
        .max()
        .unwrap_or(0);
    let cell = |table: &SpotTable, found: u8| {
        table
            .pays
            .iter()
            .find(|(catch, pays)| *catch == found && *pays > 0)
            .map(|(_, pays)| format::pays(*pays, lang))
            .unwrap_or_default()
    };
    Matrix {
        name: lang.of(&game.name).to_owned(),
        spots: game.tables.iter().map(|table| table.spots).collect(),
        rows: (0..=most)
            .rev()
            .map(|found| MatrixRow {
                found,
                cells: game.tables.iter().map(|table| cell(table, found)).collect(),
            })
            .filter(|row| row.cells.iter().any(|cell| !cell.is_empty()))
            .collect(),
    }
}

struct GameSection<'a> {
    name: String,
    about: String,
    matrix: Matrix,
    tables: &'a [SpotTable],
}

#[derive(Template)]
#[template(path = "prizes.html")]
struct PrizesPage<'a> {
    page: Page<'a>,
    view: &'a PrizesView,
    pool: String,
    slip: String,
    claim: String,
    version: String,
    cap_rule: String,
    games: Vec<GameSection<'a>>,
}

/// Renders the prize tables.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_prizes(view: &PrizesView, lang: Lang) -> Result<String, PageFault> {
    let w = lang.words();
    let mut page = PrizesPage {
        page: Page::new(&view.frame, lang, "prizes"),
        view,
        pool: String::new(),
        slip: String::new(),
        claim: String::new(),
        version: String::new(),
        cap_rule: String::new(),
        games: Vec::new(),
    };
    if let Some(prizes) = &view.prizes {
        page.pool = fill(
            w.prizes_pool_value,
            &[("drawn", &prizes.drawn), ("pool", &prizes.pool)],
        );
        page.slip = fill(
            w.prizes_slip_value,
            &[
                ("selections", &prizes.selections_max),
                ("draws", &prizes.draws_max),
            ],
        );
        let place = lang.of(&prizes.claim_place);
        page.claim = fill(
            w.prizes_claim_value,
            &[("days", &prizes.claim_days), ("place", &place)],
        );
        let draw = format::draw_number(prizes.effective_from);
        page.version = fill(
            w.prizes_version,
            &[("version", &prizes.version), ("draw", &draw)],
        );
        let threshold = format::money_short(prizes.full_below_cents, lang);
        page.cap_rule = fill(w.prizes_cap_rule, &[("threshold", &threshold)]);
        page.games = prizes
            .games
            .iter()
            .map(|game| section(game, lang, w))
            .collect();
    }
    Ok(page.render()?)
}

/// Numbers as people read them, ascending: three and more in a row by the first and the last.
fn said(numbers: &[u8], w: &Words) -> String {
    let parts = numbers.chunk_by(|one, next| one.abs_diff(*next) == 1);
    let parts = parts.flat_map(|row| match row {
        [first, _, .., last] => vec![format!("{first} {} {last}", w.to)],
        few => few.iter().map(u8::to_string).collect(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// What may be played of a game, and at what wager.
fn about(game: &GamePrizes, name: &str, lang: Lang, w: &Words) -> String {
    let spots = game
        .spots
        .map(|(min, max)| fill(w.prizes_game_spots, &[("min", &min), ("max", &max)]));
    let set = game.set.as_ref().map(|set| {
        let (count, numbers) = (set.len(), said(set, w));
        fill(
            w.prizes_game_set,
            &[("name", &name), ("count", &count), ("numbers", &numbers)],
        )
    });
    let wager = fill(
        w.prizes_game_wager,
        &[
            ("low", &format::money_short(game.wager_min_cents, lang)),
            ("high", &format::money_short(game.wager_max_cents, lang)),
            ("step", &format::money_short(game.wager_step_cents, lang)),
        ],
    );
    let sentences = spots.into_iter().chain(set).chain([wager]);
    sentences.collect::<Vec<_>>().join(" ")
}

fn section<'a>(game: &'a GamePrizes, lang: Lang, w: &Words) -> GameSection<'a> {
    let matrix = matrix(game, lang);
    GameSection {
        name: matrix.name.clone(),
        about: about(game, &matrix.name, lang, w),
        matrix,
        tables: &game.tables,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::samples;

    #[test]
    fn the_matrix_has_each_prize_once_and_no_empty_row() {
        let prizes = samples::prizes();
        let game = &prizes.games[0];
        let matrix = matrix(game, Lang::Fr);
        assert_eq!(matrix.spots, (1..=10).collect::<Vec<u8>>());
        let shown: usize = matrix
            .rows
            .iter()
            .map(|row| row.cells.iter().filter(|cell| !cell.is_empty()).count())
            .sum();
        assert_eq!(
            shown,
            game.tables
                .iter()
                .map(|table| table.pays.len())
                .sum::<usize>()
        );
        assert!(matrix.rows.iter().all(|row| row.cells.len() == 10));
        assert_eq!(matrix.rows.first().map(|row| row.found), Some(10));
    }

    #[test]
    fn a_row_of_numbers_is_said_by_its_ends() {
        let said = |numbers: &[u8]| said(numbers, Lang::En.words());
        assert_eq!(said(&(1..=40).collect::<Vec<u8>>()), "1 to 40");
        assert_eq!(said(&[2, 4, 6]), "2, 4, 6");
        assert_eq!(said(&[1, 2, 4, 5, 6, 80]), "1, 2, 4 to 6, 80");
        assert_eq!(said(&[7]), "7");
    }

    #[test]
    fn the_page_states_cap_return_and_fraction() -> Result<(), PageFault> {
        let view = PrizesView {
            frame: samples::frame("/prizes"),
            prizes: Some(samples::prizes()),
        };
        let html = render_prizes(&view, Lang::Fr)?;
        assert!(html.contains("50\u{a0}000\u{a0}$"));
        assert!(html.contains("75,00\u{a0}%") && html.contains("3/4"));
        assert!(html.contains("20 tirés parmi 80"));
        let none = PrizesView {
            frame: samples::frame("/prizes"),
            prizes: None,
        };
        assert!(render_prizes(&none, Lang::En)?.contains("not published yet"));
        Ok(())
    }
}

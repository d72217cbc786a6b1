//! `/board`: the hall monitor, both languages at once.
//!
//! The server renders the board as its snapshot stands; the script then follows `/live`. States,
//! shapes and sentences are written here once and handed to the script in a `template`.

use std::fmt::Display;

use askama::Template;
use keno_game::{DrawSource, DrawState};
use keno_wire::reply::{Bilingual, DrawView, Snapshot};

use super::draws::state_shown;
use super::lang::Lang;
use super::page::{Page, both, fill};
use super::prizes::{Matrix, matrix};
use super::view::BoardView;
use super::words::{EN, FR, Words};
use super::{PageFault, format};

macro_rules! states {
    ($(#[doc = $about:literal] $state:ident: $name:literal, $shape:literal, $sentence:ident;)*) => {
        /// What the board shows at a moment.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum BoardState {
            $(#[doc = $about] $state,)*
        }

        impl BoardState {
            /// Every state.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$state),*];

            /// Stable name, as the script knows it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$state => $name,)*
                }
            }

            fn shape(self) -> &'static str {
                match self {
                    $(Self::$state => $shape,)*
                }
            }

            fn sentence(self, words: &Words) -> &'static str {
                match self {
                    $(Self::$state => words.$sentence,)*
                }
            }
        }
    };
}

states! {
    /// No snapshot yet.
    Connecting: "connecting", "clock", board_connecting;
    /// No draw is planned.
    Idle: "idle", "clock", board_idle;
    /// Sales are open; the last official board is dimmed.
    Open: "open", "dot", board_open;
    /// Less than a minute of sales is left.
    Closing: "closing", "triangle", board_closing;
    /// Sales are closed.
    Closed: "closed", "square", board_closed;
    /// Numbers are being shown.
    Drawing: "drawing", "play", board_drawing;
    /// All are shown; two people verify.
    Verifying: "verifying", "question", board_verifying;
    /// The result is official.
    Official: "official", "check", board_official;
    /// The draw is suspended.
    Suspended: "suspended", "pause", board_suspended;
    /// Sales are suspended for the whole house.
    SalesSuspended: "sales_suspended", "pause", board_sales_suspended;
    /// The draw is void.
    Cancelled: "cancelled", "cross", board_cancelled;
    /// Central was not heard for six seconds.
    Stale: "stale", "plug", board_stale;
}

/// Draws on the page of the rotation that lists them, as in `board.js`.
const PAST_ROWS: usize = 5;

/// From this much before the close the board counts down in its header.
const CLOSING_MS: i64 = 60_000;

impl BoardState {
    /// The state of a snapshot at its own moment (the script goes on from there).
    pub fn of(snapshot: Option<&Snapshot>) -> Self {
        let Some(snapshot) = snapshot else {
            return Self::Connecting;
        };
        let left_ms = snapshot
            .next
            .as_ref()
            .map(|next| next.closes_at_ms - snapshot.central_ms);
        if let Some(current) = &snapshot.current {
            match state_shown(current) {
                Some(DrawState::Closed) => return Self::Closed,
                Some(DrawState::Drawing) => return Self::Drawing,
                Some(DrawState::Drawn) => return Self::Verifying,
                Some(DrawState::Suspended) => return Self::Suspended,
                Some(DrawState::Void) => return Self::Cancelled,
                _ => {}
            }
        }
        if snapshot.sales_suspended {
            return Self::SalesSuspended;
        }
        match (left_ms, &snapshot.current) {
            (Some(left), _) if left <= 0 => Self::Closed,
            (Some(left), _) if left <= CLOSING_MS => Self::Closing,
            (_, Some(_)) => Self::Official,
            (Some(_), None) => Self::Open,
            (None, None) => Self::Idle,
        }
    }
}

struct StateRow {
    name: &'static str,
    shape: &'static str,
    words: Bilingual,
}

impl StateRow {
    fn new(state: BoardState) -> Self {
        Self {
            name: state.name(),
            shape: state.shape(),
            words: both(|words, _| state.sentence(words).to_owned()),
        }
    }

    fn with_time_left(mut self, left_ms: i64) -> Self {
        let left = countdown(left_ms);
        for words in [&mut self.words.fr, &mut self.words.en] {
            *words = fill(words, &[("left", &left)]);
        }
        self
    }
}

struct Cell {
    number: u8,
    lit: bool,
}

#[derive(Template)]
#[template(path = "board.html")]
struct BoardPage<'a> {
    page: Page<'a>,
    fr: &'static Words,
    en: &'static Words,
    view: &'a BoardView,
    state: StateRow,
    states: Vec<StateRow>,
    sentences: Vec<(&'static str, &'static str, &'static str)>,
    pool: u8,
    drawn: u8,
    shown_number: String,
    /// The numbers are those of the last draw, while the next one is on sale.
    is_last: bool,
    cells: Vec<Cell>,
    order: Vec<String>,
    next: Option<&'a DrawView>,
    last: &'a [DrawView],
    source: Option<Bilingual>,
    matrices: Vec<Matrix>,
    mentions: Vec<Bilingual>,
}

/// `mm:ss`, or `h:mm:ss` from an hour on; never below zero.
fn countdown(left_ms: i64) -> String {
    let seconds = left_ms.max(0) / 1_000 + i64::from(left_ms.max(0) % 1_000 > 0);
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{rest:02}")
    } else {
        format!("{minutes:02}:{rest:02}")
    }
}

/// The mentions of s. 77 and what else must be on the board, in both languages.
fn mentions(view: &BoardView) -> Vec<Bilingual> {
    let mut out = Vec::new();
    let snapshot = view.snapshot.as_ref();
    let cap_cents = view
        .prizes
        .as_ref()
        .map(|prizes| prizes.cap_cents)
        .or(snapshot.map(|snapshot| snapshot.cap_cents));
    if let Some(prizes) = &view.prizes {
        let spots = || prizes.games.iter().filter_map(|game| game.spots);
        let (min, max) = (spots().map(|of| of.0).min(), spots().map(|of| of.1).max());
        // Of named sets alone, nobody chooses how many.
        if let Some((min, max)) = min.zip(max) {
            let values: [(&str, &dyn Display); 2] = [("min", &min), ("max", &max)];
            out.push(both(|w, _| fill(w.board_mention_spots, &values)));
        }
        out.push(both(|w, lang| {
            let place = lang.of(&prizes.rules_place);
            fill(w.board_mention_rules, &[("place", &place)])
        }));
    }
    if let Some(cap_cents) = cap_cents {
        out.push(both(|w, lang| {
            let amount = format::money_short(cap_cents, lang);
            fill(w.board_mention_cap, &[("amount", &amount)])
        }));
    }
    out.push(both(|w, _| w.board_mention_record.to_owned()));
    out.push(both(|w, _| w.board_mention_age.to_owned()));
    out
}

fn sentences() -> Vec<(&'static str, &'static str, &'static str)> {
    macro_rules! rows {
        ($($name:literal = $key:ident),* $(,)?) => { vec![$(($name, FR.$key, EN.$key)),*] };
    }
    rows![
        "draw_title" = board_draw,
        "last_title" = board_last_title,
        "stale_where" = board_stale_where,
        "suspended_words" = board_suspended_words,
        "sales_suspended_words" = board_sales_suspended_words,
        "cancelled_words" = board_cancelled_words,
        "closed_words" = board_closed_words,
        "verifying_words" = board_verifying_words,
        "ball" = board_ball,
        "official_at" = board_official_at,
        "closes_in" = board_closes_in,
        "next" = board_next,
        "at" = board_at,
        "no_next" = board_no_next,
        "no_draw_yet" = board_no_draw_yet,
        "by_computer" = board_by_computer,
        "by_balls" = board_by_balls,
    ]
}

fn source_of(draw: &DrawView) -> Bilingual {
    let is_by_balls = draw.source.known() == Some(DrawSource::Balls);
    both(|words, _| match is_by_balls {
        true => words.board_by_balls.to_owned(),
        false => words.board_by_computer.to_owned(),
    })
}

/// Renders the hall monitor. It speaks both languages at once, French large, whatever `lang` is.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_board(view: &BoardView, _lang: Lang) -> Result<String, PageFault> {
    let snapshot = view.snapshot.as_ref();
    let shown = snapshot.and_then(|snapshot| snapshot.current.as_ref().or(snapshot.last.first()));
    let next = snapshot.and_then(|snapshot| snapshot.next.as_ref());
    let last = snapshot
        .map(|snapshot| snapshot.last.as_slice())
        .unwrap_or_default();
    let of_prizes = || {
        view.prizes
            .as_ref()
            .map(|prizes| (prizes.pool, prizes.drawn))
    };
    let of_draw = shown.or(next).map(|draw| (draw.pool, draw.drawn));
    let (pool, drawn) = of_draw.or_else(of_prizes).unwrap_or((80, 20));
    let balls = shown.map(|draw| draw.balls.as_slice()).unwrap_or_default();
    let state = BoardState::of(snapshot);
    let left_ms = match (next, snapshot) {
        (Some(next), Some(snapshot)) => next.closes_at_ms - snapshot.central_ms,
        _ => 0,
    };
    let page = BoardPage {
        page: Page::new(&view.frame, Lang::Fr, "board"),
        fr: &FR,
        en: &EN,
        view,
        state: StateRow::new(state).with_time_left(left_ms),
        states: BoardState::ALL.into_iter().map(StateRow::new).collect(),
        sentences: sentences(),
        pool,
        drawn,
        shown_number: shown.or(next).map_or_else(
            || "\u{2013}".to_owned(),
            |draw| format::draw_number(draw.draw.draw),
        ),
        is_last: shown.is_some() && matches!(state, BoardState::Open | BoardState::Closing),
        cells: (1..=pool)
            .map(|number| Cell {
                number,
                lit: balls.contains(&number),
            })
            .collect(),
        order: (0..usize::from(drawn))
            .map(|slot| {
                balls
                    .get(slot)
                    .map_or_else(String::new, |ball| format!("{ball:02}"))
            })
            .collect(),
        next,
        last,
        source: shown.map(source_of),
        matrices: view
            .prizes
            .iter()
            .flat_map(|prizes| prizes.games.iter().map(|game| matrix(game, Lang::Fr)))
            .collect(),
        mentions: mentions(view),
    };
    Ok(page.render()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::samples;

    #[test]
    fn states_of_snapshots() {
        assert_eq!(BoardState::of(None), BoardState::Connecting);
        let mut snapshot = samples::snapshot();
        snapshot.central_ms = 0;
        let next_closes_ms = 170_000;
        if let Some(next) = &mut snapshot.next {
            next.closes_at_ms = next_closes_ms;
        }
        for (state, shown, expected) in [
            ("closed", 0, BoardState::Closed),
            ("drawing", 7, BoardState::Drawing),
            ("drawn", 19, BoardState::Drawing),
            ("drawn", 20, BoardState::Verifying),
            ("official", 20, BoardState::Official),
            ("settled", 20, BoardState::Official),
            ("suspended", 7, BoardState::Suspended),
            ("void", 7, BoardState::Cancelled),
        ] {
            let current = samples::draw(48_213, state, shown);
            snapshot.current = Some(current);
            assert_eq!(BoardState::of(Some(&snapshot)), expected, "{state}");
        }
        snapshot.current = None;
        assert_eq!(BoardState::of(Some(&snapshot)), BoardState::Open);
        snapshot.central_ms = next_closes_ms - 60_000;
        assert_eq!(BoardState::of(Some(&snapshot)), BoardState::Closing);
        snapshot.central_ms = next_closes_ms;
        assert_eq!(BoardState::of(Some(&snapshot)), BoardState::Closed);
        snapshot.sales_suspended = true;
        assert_eq!(BoardState::of(Some(&snapshot)), BoardState::SalesSuspended);
        snapshot.sales_suspended = false;
        snapshot.next = None;
        assert_eq!(BoardState::of(Some(&snapshot)), BoardState::Idle);
    }

    #[test]
    fn a_countdown_never_promises_time_that_is_not_there() {
        assert_eq!(countdown(168_000), "02:48");
        assert_eq!(countdown(1), "00:01");
        assert_eq!(countdown(0), "00:00");
        assert_eq!(countdown(-5_000), "00:00");
        assert_eq!(countdown(3_600_000), "1:00:00");
    }

    #[test]
    fn the_script_has_a_sentence_for_every_state() -> Result<(), PageFault> {
        let html = render_board(&samples::board(), Lang::Fr)?;
        for state in BoardState::ALL {
            assert!(
                html.contains(&format!("data-key=\"{}\"", state.name())),
                "{}",
                state.name()
            );
        }
        Ok(())
    }

    #[test]
    fn the_board_shows_what_is_shown_and_no_more() -> Result<(), PageFault> {
        let mut view = samples::board();
        if let Some(snapshot) = &mut view.snapshot {
            snapshot.current = Some(samples::draw(48_213, "drawing", 7));
        }
        let html = render_board(&view, Lang::Fr)?;
        assert_eq!(html.matches("class=\"lit\"").count(), 7);
        assert!(html.contains("TIRAGE EN COURS") && html.contains("Tirage par ordinateur"));
        assert!(html.contains("50\u{a0}000\u{a0}$") && html.contains("$50,000"));
        assert!(html.contains("de 1 à 10 numéros"));
        Ok(())
    }

    #[test]
    fn the_title_over_numbers_of_the_past_is_that_of_their_draw() -> Result<(), PageFault> {
        let mut view = samples::board();
        let shown = samples::draw(48_213, "settled", 20);
        if let Some(snapshot) = &mut view.snapshot {
            snapshot.last = vec![shown];
            snapshot.current = None;
            if let Some(next) = &mut snapshot.next {
                next.closes_at_ms = snapshot.central_ms + 30_000;
            }
        }
        let html = render_board(&view, Lang::Fr)?;
        assert!(html.contains("data-state=\"closing\"") && html.contains(" data-dim>"));
        let title =
            "<span id=\"draw-label\">DERNIER TIRAGE</span> <span id=\"draw-number\">048\u{a0}213";
        assert!(html.contains(title), "{html}");
        Ok(())
    }

    #[test]
    fn a_board_without_anything_is_a_plain_page() -> Result<(), PageFault> {
        let mut view = samples::board();
        view.snapshot = None;
        view.prizes = None;
        let html = render_board(&view, Lang::En)?;
        assert!(html.contains("OUVERTURE DU TABLEAU"));
        assert_eq!(html.matches("data-number=").count(), 80);
        assert_eq!(html.matches("class=\"lit\"").count(), 0);
        Ok(())
    }
}

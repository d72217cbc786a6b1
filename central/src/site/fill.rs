//! Views of the public pages, filled from the picture of the state and the record.

use chrono_tz::Tz;
use keno_book::rules_file;
use keno_game::returns::return_rate;
use keno_game::{CertificateLine, DrawState};
use keno_record::fault::Fault;
use keno_record::past_draws::{draw_range, hosts_of};
use keno_record::state::PublishedRules;
use keno_record::view::DrawInfo;
use keno_service::Stop;
use keno_service::refusal::Refusal;
use keno_wire::reply::Bilingual;

use crate::api::current_rules;
use crate::app::App;
use crate::convert;
use crate::pages::check_commands;
use crate::pages::view::{
    BoardView, DrawPageView, DrawsView, Frame, GamePrizes, PrizeTables, PrizesView, SpotTable,
};

/// Draws on one page of the list.
const DRAWS_A_PAGE: u64 = 20;

/// What surrounds a page without a form that needs a sign-in.
pub fn frame(app: &App, path: &str) -> Frame {
    Frame {
        house_name: app.central.house_name.clone(),
        path: path.to_owned(),
        // The calendar was opened with this very name.
        zone: app.central.house.zone.parse().unwrap_or(Tz::UTC),
        form_token: String::new(),
    }
}

/// The hall monitor.
pub fn board(app: &App) -> BoardView {
    BoardView {
        frame: frame(app, "/board"),
        snapshot: Some(crate::live::snapshot(&app.central, 0)),
        live_path: "/live".to_owned(),
        prizes: prize_tables(app),
    }
}

/// The prize tables.
pub fn prizes(app: &App) -> PrizesView {
    PrizesView {
        frame: frame(app, "/prizes"),
        prizes: prize_tables(app),
    }
}

fn prize_tables(app: &App) -> Option<PrizeTables> {
    let rules = current_rules(&app.central)?;
    app.prize_cache.of(&rules.hash, || tables_of(&rules))
}

fn tables_of(published: &PublishedRules) -> Option<PrizeTables> {
    let rules = &published.rules;
    let certificate = rules_file::read(&published.text).ok()?.certificate;
    let games = rules
        .games
        .iter()
        .map(|game| {
            // The table of a named set says nothing of how many numbers a patron may play.
            let is_played = |spots: &u8| {
                let mut types = game.types.iter();
                types.any(|(kind, allowed)| !kind.is_named() && allowed.contains(*spots))
            };
            let spots = game.tables.iter().map(|table| table.spots());
            let spots: Vec<u8> = spots.filter(is_played).collect();
            GamePrizes {
                code: game.code.clone(),
                name: Bilingual::new(&game.name_fr, &game.name_en),
                spots: spots.iter().copied().min().zip(spots.iter().copied().max()),
                set: game.set.map(|numbers| numbers.iter().collect()),
                wager_min_cents: game.wager.min.get(),
                wager_max_cents: game.wager.max.get(),
                wager_step_cents: game.wager.step.get(),
                tables: game
                    .tables
                    .iter()
                    .map(|table| {
                        let rate = return_rate(table, rules.pool);
                        let lowest = certificate
                            .lines
                            .iter()
                            .filter(|line| line.game == game.code && line.spots == table.spots())
                            .min_by(|one, other| one.rate.cmp(&other.rate));
                        spot_table(table, rate, lowest)
                    })
                    .collect(),
            }
        })
        .collect();
    Some(PrizeTables {
        version: rules.version,
        effective_from: published.effective_from,
        hash: hex::encode(published.hash),
        pool: rules.pool.size(),
        drawn: rules.pool.drawn(),
        cap_cents: rules.cap.get(),
        full_below_cents: rules.cap_threshold.get(),
        selections_max: rules.limits.selections_max,
        draws_max: u32::from(rules.limits.draws_max),
        claim_days: u32::from(rules.claim.days),
        claim_place: Bilingual::new(&rules.claim.place_fr, &rules.claim.place_en),
        rules_place: Bilingual::new(
            &published.texts.rules_place_fr,
            &published.texts.rules_place_en,
        ),
        games,
    })
}

fn spot_table(
    table: &keno_game::PayTable,
    rate: keno_game::Fraction,
    lowest: Option<&CertificateLine>,
) -> SpotTable {
    let lowest = lowest.map_or(rate, |line| line.rate);
    SpotTable {
        spots: table.spots(),
        pays: table
            .paying()
            .map(|(catch, pays)| (catch, u64::from(pays.hundredths())))
            .collect(),
        return_exact: rate.to_string(),
        return_percent: rate.percent_text(2),
        lowest_exact: lowest.to_string(),
        lowest_percent: lowest.percent_text(2),
    }
}

/// The newest draw whose sales are over.
fn newest_over(app: &App) -> u64 {
    app.central
        .view
        .get()
        .draws
        .values()
        .rev()
        .find(|draw| !matches!(draw.state(), DrawState::Scheduled | DrawState::Open))
        .map_or(0, |draw| draw.number())
}

/// A page of draws, newest first, from `from` down.
///
/// # Errors
/// A fault.
pub fn draws(app: &App, from: Option<u64>) -> Result<DrawsView, Fault> {
    let central = &app.central;
    let newest = newest_over(app);
    let first = central
        .view
        .get()
        .house
        .as_ref()
        .map_or(1, |house| house.first_draw);
    let from = from.unwrap_or(newest).min(newest);
    let to = (from + 1).saturating_sub(DRAWS_A_PAGE).max(first);
    let now_ms = central.clock.now_ms();
    let shown = |draw: &DrawInfo| convert::draw_view(central, draw, now_ms);
    let found = if from < first {
        Vec::new()
    } else {
        draw_range(central, to, from)?
    };
    Ok(DrawsView {
        frame: frame(app, "/draws"),
        draws: found
            .iter()
            .rev()
            .filter(|draw| !matches!(draw.state(), DrawState::Scheduled | DrawState::Open))
            .map(shown)
            .collect(),
        next: central.view.get().next_open().map(|draw| shown(draw)),
        older_from: (to > first).then(|| to - 1),
        newer_from: (from < newest).then(|| (from + DRAWS_A_PAGE).min(newest)),
    })
}

/// One draw with what proves it.
///
/// # Errors
/// [`Refusal::RecordUnknown`], or a fault.
pub fn draw(app: &App, number: u64) -> Result<DrawPageView, Stop> {
    let central = &app.central;
    let around = draw_range(central, number.saturating_sub(1).max(1), number + 1)?;
    let has = |number: u64| around.iter().any(|draw| draw.number() == number);
    let found = around
        .iter()
        .find(|draw| draw.number() == number)
        .ok_or(Refusal::RecordUnknown)?;
    let view = central.view.get();
    let rules = view.rules_for(number);
    let hosts = hosts_of(&mut *central.readers.get()?, found)?;
    Ok(DrawPageView {
        hosts: hosts.keys,
        frame: frame(app, &format!("/draws/{number}")),
        draw: convert::draw_view(central, found, central.clock.now_ms()),
        rule_book: rules.map_or(0, |rules| rules.rules.version),
        rule_book_hash: found
            .rule_book_hash()
            .or_else(|| rules.map(|rules| rules.hash))
            .map(hex::encode)
            .unwrap_or_default(),
        commands: check_commands(number),
        previous: number.checked_sub(1).filter(|before| has(*before)),
        following: Some(number + 1).filter(|after| has(*after)),
    })
}

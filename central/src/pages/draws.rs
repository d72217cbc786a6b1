//! `/draws` and `/draws/{number}`: results, and what it takes to verify them oneself.

use askama::Template;
use keno_draw::Assurance;
use keno_draw::transcript::{beacon_in, host_name};
use keno_game::{DrawSource, DrawState};
use keno_wire::reply::DrawView;

use super::PageFault;
use super::lang::Lang;
use super::page::{Page, fill};
use super::view::{DrawPageView, DrawsView};
use super::words::Words;

/// How a draw stands to whoever watches it: all its numbers are one leaf, and it is being drawn
/// until the last of them was shown.
pub(super) fn state_shown(draw: &DrawView) -> Option<DrawState> {
    match draw.state.known() {
        Some(DrawState::Drawn) if draw.balls.len() < usize::from(draw.drawn) => {
            Some(DrawState::Drawing)
        }
        state => state,
    }
}

/// A draw's state as words, shape and tone: never colour alone.
struct Standing {
    words: &'static str,
    shape: &'static str,
    tone: &'static str,
}

fn standing(draw: &DrawView, w: &Words) -> Standing {
    let state = state_shown(draw);
    let (shape, tone) = match state {
        Some(DrawState::Official | DrawState::Settled) => ("check", "good"),
        Some(DrawState::Scheduled | DrawState::Open) => ("clock", "wait"),
        Some(DrawState::Closed) => ("square", "wait"),
        Some(DrawState::Drawing) => ("play", "wait"),
        Some(DrawState::Suspended) => ("pause", "care"),
        Some(DrawState::Void) => ("cross", "stop"),
        Some(DrawState::Drawn) | None => ("question", "care"),
    };
    Standing {
        words: w.state_of(state),
        shape,
        tone,
    }
}

#[derive(Template)]
#[template(path = "draws.html")]
struct DrawsPage<'a> {
    page: Page<'a>,
    view: &'a DrawsView,
    newer: Option<String>,
    older: Option<String>,
}

impl Page<'_> {
    /// How a draw stands.
    fn standing(&self, draw: &DrawView) -> Standing {
        standing(draw, self.lang.words())
    }

    /// The day and the hour of a draw.
    fn when(&self, draw: &DrawView) -> String {
        let (local, mark) = (&draw.draw.local, &draw.draw.zone_mark);
        let when = format!("{}, {} {mark}", self.day_of(local), self.hour(local));
        when.trim_end().to_owned()
    }
}

/// Renders the list of draws.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_draws(view: &DrawsView, lang: Lang) -> Result<String, PageFault> {
    let page = Page::new(&view.frame, lang, "draws");
    let from = |draw: u64| page.link(&format!("/draws?from={draw}"));
    let (newer, older) = (view.newer_from.map(from), view.older_from.map(from));
    Ok(DrawsPage {
        page,
        view,
        newer,
        older,
    }
    .render()?)
}

#[derive(Template)]
#[template(path = "draw.html")]
struct DrawPage<'a> {
    page: Page<'a>,
    view: &'a DrawPageView,
    standing: Standing,
    pool: String,
    partial: Option<String>,
    void_words: Option<&'static str>,
    capped: bool,
    holders: Option<String>,
    has_transcript: bool,
    has_certificate: bool,
    is_of_balls: bool,
    is_official: bool,
}

impl DrawPage<'_> {
    /// The host of the machine (0) or of a holder (from 1), when it has one of its own.
    fn host(&self, place: &usize) -> Option<&str> {
        self.view.hosts.get(*place).and_then(|key| host_name(key))
    }
}

/// Who would have to be trusted: a plain sentence that follows from where the holders are.
fn holders(view: &DrawPageView, w: &Words) -> Option<String> {
    let draw = &view.draw;
    if draw.source.known() == Some(DrawSource::Balls) {
        return Some(w.draw_by_balls.to_owned());
    }
    let keys = view.hosts.iter().map(String::as_str);
    match (
        draw.commitments.len(),
        Assurance::of(draw.commitments.len(), keys),
    ) {
        (n, Assurance::NamedHosts) => {
            let names: Vec<&str> = view.hosts.iter().filter_map(|key| host_name(key)).collect();
            let (machine, holders) = names.split_first()?;
            let holders = holders.join(", ");
            let words = fill(w.draw_named_hosts, &[("n", &n), ("machine", machine)]);
            Some(fill(&words, &[("hosts", &holders)]))
        }
        (n, Assurance::PublicRound) => Some(fill(w.draw_public_round, &[("n", &n)])),
        (n, Assurance::UnknownRound) => {
            let mut keys = view.hosts.iter();
            let beacon = keys.find(|key| !beacon_in(key).is_empty())?;
            let beacon = host_name(beacon)?;
            let words = fill(w.draw_unknown_round, &[("n", &n)]);
            Some(fill(&words, &[("beacon", &beacon)]))
        }
        (0, _) => None,
        (1, _) => Some(w.draw_one_holder.to_owned()),
        (n, _) => Some(fill(w.draw_many_holders, &[("n", &n)])),
    }
}

/// Commands that verify a draw from the published log, one a line.
pub fn check_commands(draw: u64) -> Vec<String> {
    vec![
        "keno-audit verify export.klog".to_owned(),
        format!("keno-audit draw export.klog {draw}"),
    ]
}

/// Renders one draw.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_draw(view: &DrawPageView, lang: Lang) -> Result<String, PageFault> {
    let w = lang.words();
    let draw = &view.draw;
    // What balls came to follows from nothing that could be published.
    let is_of_balls = draw.source.known() == Some(DrawSource::Balls);
    let is_told = draw
        .commitments
        .iter()
        .all(|holder| holder.secret.is_some());
    let is_official = matches!(
        draw.state.known(),
        Some(DrawState::Official | DrawState::Settled)
    );
    let page = DrawPage {
        has_transcript: !is_of_balls && is_told && is_official,
        has_certificate: (is_of_balls || is_told) && is_official,
        is_of_balls,
        is_official,
        page: Page::new(&view.frame, lang, "draws"),
        view,
        standing: standing(draw, w),
        pool: fill(
            w.prizes_pool_value,
            &[("drawn", &draw.drawn), ("pool", &draw.pool)],
        ),
        partial: (draw.balls.len() < usize::from(draw.drawn)).then(|| {
            let (n, total) = (draw.balls.len(), draw.drawn);
            fill(w.draw_partial, &[("n", &n), ("total", &total)])
        }),
        void_words: match draw.state.known() {
            Some(DrawState::Void) => Some(w.draw_void_words),
            Some(DrawState::Suspended) => Some(w.draw_suspended_words),
            _ => None,
        },
        capped: draw
            .settlement
            .as_ref()
            .is_some_and(|settlement| settlement.payable_cents < settlement.computed_cents),
        holders: holders(view, w),
    };
    Ok(page.render()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::samples;

    #[test]
    fn a_draw_with_one_holder_says_who_is_trusted() -> Result<(), PageFault> {
        let mut view = samples::draw_page();
        assert!(
            render_draw(&view, Lang::Fr)?
                .contains("Les 2 secrets de ce tirage sont tous sur la machine")
        );
        let host = |name: &str| format!("{name}+0a0b0c0d+AA{name}");
        view.hosts = ["salle", "machines", "audit"].map(host).to_vec();
        let of_hosts = render_draw(&view, Lang::Fr)?;
        assert!(of_hosts.contains("sur son propre hôte (machines, audit)"));
        assert!(of_hosts.contains("la machine qui tire (salle)"));
        assert!(!of_hosts.contains("sont tous sur la machine"));
        assert!(of_hosts.contains("</b> · audit</p>"));
        // One holder within central: nothing better is said than before.
        view.hosts[2].clear();
        assert!(render_draw(&view, Lang::Fr)?.contains("sont tous sur la machine"));
        view.hosts.clear();
        view.draw.commitments.truncate(1);
        assert!(render_draw(&view, Lang::Fr)?.contains("un détenteur"));
        assert!(render_draw(&view, Lang::En)?.contains("the house is trusted"));
        view.draw.source = "balls".into();
        let of_balls = render_draw(&view, Lang::En)?;
        assert!(of_balls.contains("answer for the balls"));
        assert!(of_balls.contains("fixed before the wagers it does not"));
        assert!(!of_balls.contains("balls could not be chosen"));
        assert!(!of_balls.contains("transcript.json"));
        Ok(())
    }

    #[test]
    fn a_draw_is_being_drawn_until_its_last_number_was_shown() {
        let words = |shown| standing(&samples::draw(8, "drawn", shown), Lang::En.words()).words;
        assert_eq!(words(19), "Drawing");
        assert_eq!(words(20), "Being verified, not official");
    }

    #[test]
    fn secrets_are_shown_when_revealed_and_promised_before() -> Result<(), PageFault> {
        let mut view = samples::draw_page();
        let secret = view.draw.commitments[0].secret.clone().unwrap_or_default();
        assert!(render_draw(&view, Lang::Fr)?.contains(&secret));
        for commitment in &mut view.draw.commitments {
            commitment.secret = None;
        }
        let html = render_draw(&view, Lang::Fr)?;
        assert!(!html.contains(&secret) && html.contains("révélé après la dernière boule"));
        Ok(())
    }

    #[test]
    fn reduced_prizes_are_said_to_be() -> Result<(), PageFault> {
        let mut view = samples::draw_page();
        assert!(render_draw(&view, Lang::En)?.contains("was not reached"));
        if let Some(settlement) = &mut view.draw.settlement {
            settlement.computed_cents += 1;
        }
        assert!(render_draw(&view, Lang::En)?.contains("prizes were prorated"));
        Ok(())
    }

    #[test]
    fn no_draw_yet_is_a_plain_page() -> Result<(), PageFault> {
        let view = DrawsView {
            frame: samples::frame("/draws"),
            draws: Vec::new(),
            next: None,
            older_from: None,
            newer_from: None,
        };
        assert!(render_draws(&view, Lang::Fr)?.contains("Aucun tirage officiel"));
        Ok(())
    }
}

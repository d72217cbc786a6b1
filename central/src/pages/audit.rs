//! `/audit`: a control number and all that is on record about it (`s. 82`, `s. 84`).

use std::fmt::Display;

use askama::Template;
use keno_game::{SelectionType, TicketState, selection_letter};
use keno_wire::coded::Name;
use keno_wire::reply::{SelectionView, TicketView};
use keno_wire::slip::type_words;

use super::check::{Mark, marks};
use super::lang::Lang;
use super::page::{Page, fill};
use super::verdict::verdict;
use super::view::{
    AuditFinding, AuditTicket, AuditView, EvaluationLine, MoneyLine, Purpose, SignInView,
};
use super::words::Words;
use super::{PageFault, format};

impl Words {
    /// Why somebody looks.
    fn purpose_of(&self, purpose: &Purpose) -> &'static str {
        match purpose {
            Purpose::Claim => self.purpose_claim,
            Purpose::Complaint => self.purpose_complaint,
            Purpose::Sampling => self.purpose_sampling,
            Purpose::Inquiry => self.purpose_inquiry,
        }
    }
}

impl AuditView {
    fn is_for(&self, purpose: &Purpose) -> bool {
        self.purpose.as_ref() == Some(purpose)
    }
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage<'a> {
    page: Page<'a>,
    view: &'a SignInView,
}

/// Renders the sign-in of the audit office.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_sign_in(view: &SignInView, lang: Lang) -> Result<String, PageFault> {
    let page = SignInPage {
        page: Page::new(&view.frame, lang, "audit"),
        view,
    };
    Ok(page.render()?)
}

struct SelectionLine<'a> {
    letter: String,
    kind: String,
    selection: &'a SelectionView,
    wagers: String,
}

struct EvaluationRow<'a> {
    line: &'a EvaluationLine,
    class: &'static str,
    letter: String,
    numbers: Vec<Mark>,
    stored: String,
    again: String,
    sign: &'static str,
    sign_words: &'static str,
    payment: &'a str,
    before_cap: String,
}

struct Found<'a> {
    ticket: &'a AuditTicket,
    shape: &'static str,
    tone: &'static str,
    state: String,
    selections: Vec<SelectionLine<'a>>,
    total: String,
    when: String,
    capped: bool,
    evaluation: Vec<EvaluationRow<'a>>,
    recomputed: String,
    agreement: String,
    proof: &'static str,
    proof_shape: &'static str,
    proof_tone: &'static str,
    path_summary: String,
    logged: String,
}

#[derive(Template)]
#[template(path = "audit.html")]
struct AuditPage<'a> {
    page: Page<'a>,
    view: &'a AuditView,
    searched: String,
    notice: Option<&'a str>,
    notice_shape: &'static str,
    found: Option<Found<'a>>,
}

/// `2 × 4 numéros 1,00 $`: in French `2/4` would read as "2 found of 4".
fn wagers(selection: &SelectionView, lang: Lang) -> String {
    let has_ways = selection.kind.known().is_none_or(SelectionType::has_ways);
    let lines: Vec<_> = selection
        .conditioning
        .iter()
        .map(|row| {
            let wager = format::money(row.wager_cents, lang);
            if !has_ways {
                return wager;
            }
            let values: [(&str, &dyn Display); 3] = [
                ("ways", &row.ways),
                ("spots", &row.spots),
                ("wager", &wager),
            ];
            fill(lang.words().ways_of_spots, &values)
        })
        .collect();
    if !has_ways {
        return lines.join(", ");
    }
    format!(
        "{} = {}",
        lines.join(", "),
        format::money(selection.per_draw_cents, lang)
    )
}

/// A type of selection, by its stable name; an unknown one as it is.
fn kind_name(kind: &Name<SelectionType>, lang: Lang, w: &Words) -> String {
    match (kind.known(), lang) {
        (Some(SelectionType::King), _) => w.kind_king.to_owned(),
        (Some(kind), Lang::Fr) => type_words(kind).fr(),
        (Some(kind), Lang::En) => type_words(kind).en(),
        (None, _) => kind.to_string(),
    }
}

/// What a selection is: its game and type, or of a set its game, which is its name.
fn kind_words(selection: &SelectionView, lang: Lang, w: &Words) -> String {
    let game = lang.of(&selection.game_name);
    match selection.kind.known() {
        Some(kind) if kind.is_named() => game.to_owned(),
        _ => format!("{game}, {}", kind_name(&selection.kind, lang, w)),
    }
}

fn selections<'a>(ticket: &'a TicketView, lang: Lang, w: &Words) -> Vec<SelectionLine<'a>> {
    ticket
        .selections
        .iter()
        .enumerate()
        .map(|(place, selection)| SelectionLine {
            letter: selection_letter(place),
            kind: kind_words(selection, lang, w),
            selection,
            wagers: wagers(selection, lang),
        })
        .collect()
}

fn evaluation_row<'a>(line: &'a EvaluationLine, lang: Lang) -> EvaluationRow<'a> {
    let w = lang.words();
    let money = |cents: Option<i64>| cents.map(|cents| format::money(cents, lang));
    let (class, sign, sign_words) = match line.agrees() {
        Some(true) => ("equal", "=", w.audit_equal),
        Some(false) => ("different", "≠", w.audit_different),
        None => ("pending", "", ""),
    };
    EvaluationRow {
        line,
        class,
        letter: selection_letter(line.selection.into()),
        numbers: marks(&line.numbers, &line.balls),
        stored: money(line.stored_cents).unwrap_or_else(|| w.audit_to_come.to_owned()),
        again: money(line.recomputed_cents).unwrap_or_else(|| "\u{2013}".to_owned()),
        sign,
        sign_words,
        payment: match line.stored_cents {
            None => "",
            Some(_) => w.payment_of(&line.payment),
        },
        before_cap: money(line.before_cap_cents)
            .map(|amount| fill(w.audit_before_cap, &[("amount", &amount)]))
            .unwrap_or_default(),
    }
}

fn agreement(lines: &[EvaluationLine], w: &Words) -> String {
    let compared = lines.iter().filter_map(EvaluationLine::agrees);
    let (count, differ) = compared.fold((0_u32, 0_u32), |(count, differ), agrees| {
        (count + 1, differ + u32::from(!agrees))
    });
    match (count, differ) {
        (0, _) => w.audit_nothing_compared.to_owned(),
        (_, 0) => w.audit_all_agree.to_owned(),
        (_, n) => fill(w.audit_some_differ, &[("n", &n)]),
    }
}

impl MoneyLine {
    /// Where it moved, and who was there.
    fn place(&self, w: &Words) -> String {
        let badges = self.badges.join(" + ");
        let shift = self.shift.unwrap_or_default();
        let sentence = match self.shift {
            Some(_) => w.audit_shift,
            None => w.audit_no_shift,
        };
        let values: [(&str, &dyn Display); 3] = [
            ("terminal", &self.terminal),
            ("shift", &shift),
            ("badges", &badges),
        ];
        fill(sentence, &values)
    }
}

fn found<'a>(view: &'a AuditView, found: &'a AuditTicket, page: &Page<'_>) -> Found<'a> {
    let (lang, w) = (page.lang, page.lang.words());
    let look = verdict(&found.verdict.code);
    let ticket = &found.ticket;
    let (proof, proof_shape, proof_tone) = match found.integrity.included {
        Some(true) => (w.audit_included, "check", "good"),
        Some(false) => (w.audit_not_included, "cross", "stop"),
        None => (w.audit_not_covered, "clock", "wait"),
    };
    let said = view.purpose.map_or("", |purpose| w.purpose_of(&purpose));
    Found {
        ticket: found,
        shape: look.shape,
        tone: look.tone,
        state: match found.state {
            TicketState::Sold => w.ticket_sold,
            TicketState::Cancelled => w.ticket_cancelled,
            TicketState::VoidUnpaid => w.ticket_void_unpaid,
        }
        .to_owned(),
        selections: selections(ticket, lang, w),
        total: fill(
            w.audit_total,
            &[
                ("per", &page.money(ticket.per_draw_cents)),
                ("draws", &ticket.draws),
                ("total", &page.money(ticket.total_cents)),
                ("tender", &w.tender_of(&ticket.tender)),
            ],
        ),
        when: format!(
            "{}, {} \u{2013} {}",
            page.day_of(&ticket.first.local),
            page.hour(&ticket.first.local),
            page.hour(&ticket.last.local)
        ),
        capped: found
            .evaluation
            .iter()
            .any(|line| line.before_cap_cents.is_some()),
        evaluation: found
            .evaluation
            .iter()
            .map(|line| evaluation_row(line, lang))
            .collect(),
        recomputed: fill(
            match found.recomputed_by {
                Some(_) => w.audit_recomputed,
                None => w.audit_not_recomputed,
            },
            &[("version", &ticket.rule_book)],
        ),
        agreement: agreement(&found.evaluation, w),
        proof,
        proof_shape,
        proof_tone,
        path_summary: fill(w.audit_path, &[("n", &found.integrity.path.len())]),
        logged: fill(
            w.audit_logged,
            &[
                ("at", &page.moment(found.looked_at_ms)),
                ("badge", &view.badge),
                ("purpose", &said.to_lowercase()),
            ],
        ),
    }
}

/// Renders the audit page: the search and, when there is one, all about the ticket.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_audit(view: &AuditView, lang: Lang) -> Result<String, PageFault> {
    let w = lang.words();
    let page = Page::new(&view.frame, lang, "audit");
    let (notice, notice_shape) = match &view.found {
        AuditFinding::Idle => (Some(w.audit_idle), "ticket"),
        AuditFinding::Malformed => (Some(w.audit_malformed), "question"),
        AuditFinding::Unknown => (Some(w.audit_unknown), "question"),
        AuditFinding::LostRefunded(words) => (Some(lang.of(words)), "check"),
        AuditFinding::Unavailable => (Some(w.audit_unavailable), "plug"),
        AuditFinding::Ticket(_) => (None, ""),
    };
    let found = match &view.found {
        AuditFinding::Ticket(ticket) => Some(found(view, ticket, &page)),
        _ => None,
    };
    let page = AuditPage {
        page,
        view,
        searched: format::control_number(&view.searched),
        notice,
        notice_shape,
        found,
    };
    Ok(page.render()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::samples;

    #[test]
    fn the_six_facts_are_there_as_registered() -> Result<(), PageFault> {
        let html = render_audit(&samples::audit(), Lang::Fr)?;
        for fact in [
            "2 × 4 numéros à 1,00\u{a0}$",
            "5,00\u{a0}$ par tirage × 5 = 25,00\u{a0}$",
            "048\u{a0}214",
            "048\u{a0}218",
            "0731\u{a0}5528\u{a0}9014\u{a0}6663",
            "50\u{a0}000\u{a0}$",
            "20\u{a0}novembre\u{a0}2027",
        ] {
            assert!(html.contains(fact), "{fact}");
        }
        assert!(html.contains("Cette consultation est inscrite"));
        Ok(())
    }

    #[test]
    fn a_prize_that_differs_is_marked_and_counted() -> Result<(), PageFault> {
        let mut view = samples::audit();
        assert!(render_audit(&view, Lang::Fr)?.contains("concorde avec le registre"));
        if let AuditFinding::Ticket(ticket) = &mut view.found {
            ticket.evaluation[0].recomputed_cents = Some(401);
        }
        let html = render_audit(&view, Lang::Fr)?;
        assert!(html.contains("≠") && html.contains("Lignes qui diffèrent du registre\u{a0}: 1."));
        assert!(!html.contains("concorde avec le registre"));
        Ok(())
    }

    #[test]
    fn nothing_compared_is_not_called_agreement() -> Result<(), PageFault> {
        let mut view = samples::audit();
        if let AuditFinding::Ticket(ticket) = &mut view.found {
            for line in &mut ticket.evaluation {
                line.recomputed_cents = None;
            }
            ticket.recomputed_by = None;
            ticket.integrity.included = None;
        }
        let html = render_audit(&view, Lang::En)?;
        assert!(html.contains("Nothing has been compared yet"));
        assert!(html.contains("no recomputation") && html.contains("No checkpoint covers"));
        assert!(!html.contains("agrees"));
        Ok(())
    }

    #[test]
    fn each_finding_has_its_sentence() -> Result<(), PageFault> {
        let mut view = samples::audit();
        for (finding, sentence) in [
            (AuditFinding::Idle, "Type a control number"),
            (AuditFinding::Malformed, "typing slip"),
            (AuditFinding::Unknown, "No ticket has this number"),
            (
                AuditFinding::LostRefunded(keno_wire::reply::Bilingual {
                    fr: "remboursé".to_owned(),
                    en: "refunded then, by these two".to_owned(),
                }),
                "refunded then, by these two",
            ),
            (AuditFinding::Unavailable, "cannot answer"),
        ] {
            view.found = finding;
            assert!(render_audit(&view, Lang::En)?.contains(sentence));
        }
        Ok(())
    }

    #[test]
    fn the_pin_is_never_sent_back() -> Result<(), PageFault> {
        let html = render_sign_in(&samples::sign_in(), Lang::Fr)?;
        let pin = html.split("name=\"pin\"").nth(1).unwrap_or_default();
        assert!(!pin.split('>').next().unwrap_or_default().contains("value="));
        assert!(html.contains("role=\"alert\"") && html.contains("name=\"form_token\""));
        Ok(())
    }
}

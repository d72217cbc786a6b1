//! `/check`: a patron asks about a ticket, at a kiosk or on a telephone.
//!
//! Both languages are in the page and one is shown, so that the switch needs no second visit to
//! the server and ends with the visit. The same answer is rendered here for a plain form and by
//! the script for a kiosk; a bare control number never brings an amount with it, since then the
//! reply has none.

use askama::Template;
use keno_game::selection_letter;
use keno_wire::coded::{Coded, Due, Payment, TicketDrawState, VerdictCode};
use keno_wire::reply::{Bilingual, CheckReply, SelectionView, TicketDrawView};

use super::lang::Lang;
use super::page::{Page, both, fill};
use super::verdict::{VERDICTS, Verdict, verdict};
use super::view::CheckView;
use super::words::{EN, FR, Words};
use super::{PageFault, format};

/// A number of a ticket or of a draw, and whether it stands on the other side too.
pub(super) struct Mark {
    pub number: u8,
    pub hit: bool,
}

/// Marks each of `numbers` that is among `others`.
pub(super) fn marks(numbers: &[u8], others: &[u8]) -> Vec<Mark> {
    numbers
        .iter()
        .map(|number| Mark {
            number: *number,
            hit: others.contains(number),
        })
        .collect()
}

/// Every number of a selection, in the order of its groups, kings first.
pub(super) fn numbers_of(selection: &SelectionView) -> Vec<u8> {
    let mut out = selection.kings.clone();
    for group in &selection.groups {
        out.extend(group.iter().copied());
    }
    out
}

struct SelectionLine {
    letter: String,
    numbers: Vec<Mark>,
    caught: String,
}

struct DrawLine {
    state: String,
    number: String,
    hour: String,
    prize: Bilingual,
    selections: Vec<SelectionLine>,
    balls: Vec<Mark>,
}

struct Claim {
    amount: Bilingual,
    /// Absent when the verdict itself sends the patron to the cage.
    place: Option<Bilingual>,
    by: Bilingual,
}

struct Answer {
    code: &'static str,
    shape: &'static str,
    tone: &'static str,
    sentence: Bilingual,
    hint: Option<Bilingual>,
    claim: Option<Claim>,
    covered: bool,
    draws: Vec<DrawLine>,
    masked: String,
}

#[derive(Template)]
#[template(path = "check.html")]
struct CheckPage<'a> {
    page: Page<'a>,
    fr: &'static Words,
    en: &'static Words,
    view: &'a CheckView,
    answer: Option<Answer>,
    sentences: Vec<[&'static str; 5]>,
    verdicts: [Verdict; 19],
}
fn prize(draw: &TicketDrawView) -> Bilingual {
    both(|w, lang| match (draw.state.known(), draw.kind.known()) {
        _ if draw.payment.known() == Some(Payment::Waits) => w.payment_of(&draw.payment).to_owned(),
        (Some(TicketDrawState::Void), Some(Due::Refund)) => {
            let amount = format::money(draw.payable_cents, lang);
            let refund = fill(w.check_draw_refund, &[("amount", &amount)]);
            format!("{refund}, {}", w.payment_of(&draw.payment))
        }
        (Some(TicketDrawState::Void), _) => w.check_draw_void.to_owned(),
        (Some(TicketDrawState::ToCome), _) => {
            let time = format::hour(&draw.draw.local);
            fill(w.check_draw_to_come, &[("time", &time)])
        }
        (Some(TicketDrawState::Settled), Some(Due::Prize)) => {
            let amount = format::money(draw.payable_cents, lang);
            let said = if draw.payable_cents < draw.computed_cents {
                let before = format::money(draw.computed_cents, lang);
                fill(
                    w.check_draw_capped,
                    &[("amount", &amount), ("before", &before)],
                )
            } else {
                amount
            };
            format!("{said}, {}", w.payment_of(&draw.payment))
        }
        (Some(TicketDrawState::Settled), _) => w.check_draw_nothing.to_owned(),
        // Not settled, or a state this page does not know: never read as a loss.
        _ => w.check_draw_verified.to_owned(),
    })
}

fn draw_line(draw: &TicketDrawView, selections: &[SelectionView]) -> DrawLine {
    let mine: Vec<u8> = selections.iter().flat_map(numbers_of).collect();
    let mut balls = draw.balls.clone();
    balls.sort_unstable();
    DrawLine {
        state: draw.state.to_string(),
        number: format::draw_number(draw.draw.draw),
        hour: format!("{} {}", format::hour(&draw.draw.local), draw.draw.zone_mark)
            .trim()
            .to_owned(),
        prize: prize(draw),
        selections: selections
            .iter()
            .enumerate()
            .map(|(place, selection)| {
                let numbers = numbers_of(selection);
                SelectionLine {
                    letter: selection_letter(place),
                    caught: draw
                        .caught
                        .get(place)
                        .map(|caught| format!("{caught}/{}", numbers.len()))
                        .unwrap_or_default(),
                    numbers: marks(&numbers, &draw.balls),
                }
            })
            .collect(),
        balls: marks(&balls, &mine),
    }
}

fn answer(reply: &CheckReply, hide_from_cents: i64) -> Answer {
    let look = verdict(&reply.verdict.code);
    let winner = matches!(look.code, VerdictCode::Winner | VerdictCode::WinnerAtCage);
    let payable = reply.payable_cents.filter(|cents| *cents > 0);
    let covered = payable.is_some_and(|cents| cents >= hide_from_cents);
    let ticket = reply.ticket.as_ref();
    let selections = ticket
        .map(|ticket| ticket.selections.as_slice())
        .unwrap_or_default();
    Answer {
        code: look.code.code(),
        shape: look.shape,
        tone: look.tone,
        sentence: if covered && winner {
            both(|w, _| w.check_winner.to_owned())
        } else {
            reply.verdict.sentence.clone()
        },
        hint: (winner && reply.payable_cents.is_none())
            .then(|| both(|w, _| w.check_scan_for_amount.to_owned())),
        claim: payable.and_then(|cents| {
            ticket.map(|ticket| Claim {
                amount: both(|_, lang| format::money(cents, lang)),
                place: (look.code != VerdictCode::WinnerAtCage).then(|| ticket.claim_place.clone()),
                by: both(|_, lang| format::date(&ticket.claim_by, lang)),
            })
        }),
        covered,
        // Amounts by draw would uncover what the button covers.
        draws: if covered {
            Vec::new()
        } else {
            reply
                .draws
                .iter()
                .map(|draw| draw_line(draw, selections))
                .collect()
        },
        masked: ticket
            .map(|ticket| format::masked(&ticket.control_number))
            .unwrap_or_default(),
    }
}

fn sentences() -> Vec<[&'static str; 5]> {
    macro_rules! rows {
        ($($name:literal = $key:ident $shape:literal $tone:literal),* $(,)?) => {
            vec![$([$name, FR.$key, EN.$key, $shape, $tone]),*]
        };
    }
    rows![
        "working" = check_working "clock" "wait",
        "central_down" = check_down "plug" "care",
        "unreadable" = check_unreadable "question" "plain",
        "pause" = check_pause "hourglass" "care",
        "winner" = check_winner "star" "good",
        "scan_for_amount" = check_scan_for_amount "" "",
        "to_claim" = check_to_claim "" "",
        "where" = check_where "" "",
        "by" = check_by "" "",
        "show" = check_show "" "",
        "all_numbers" = check_all_numbers "" "",
        "ticket" = check_ticket "" "",
        "help" = check_help "" "",
        "to_come" = check_draw_to_come "" "",
        "being_verified" = check_draw_verified "" "",
        "void" = check_draw_void "" "",
        "refund" = check_draw_refund "" "",
        "nothing" = check_draw_nothing "" "",
        "capped" = check_draw_capped "" "",
        "pay_unpaid" = payment_unpaid "" "",
        "pay_paid" = payment_paid "" "",
        "pay_expired" = payment_expired "" "",
        "pay_none" = payment_none "" "",
    ]
}

/// Renders the ticket check, with the answer to a form when there is one.
///
/// # Errors
/// A [`PageFault`] when the template fails.
pub fn render_check(view: &CheckView, lang: Lang) -> Result<String, PageFault> {
    let page = CheckPage {
        page: Page::new(&view.frame, lang, "check"),
        fr: &FR,
        en: &EN,
        view,
        answer: view
            .reply
            .as_ref()
            .map(|reply| answer(reply, view.hide_from_cents)),
        sentences: sentences(),
        verdicts: VERDICTS,
    };
    Ok(page.render()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::samples;

    fn main_of(html: &str) -> &str {
        html.split("<template").next().unwrap_or_default()
    }

    #[test]
    fn a_winner_says_how_much_where_until_when_and_why() -> Result<(), PageFault> {
        let html = render_check(&samples::check(Some(samples::winner())), Lang::Fr)?;
        let html = main_of(&html);
        assert!(html.contains("34,00\u{a0}$") && html.contains("$34.00"));
        assert!(html.contains("Comptoirs Keno") && html.contains("20\u{a0}novembre\u{a0}2027"));
        assert!(html.contains("shape-star") && html.contains("3/5"));
        assert!(html.contains("••••") && !html.contains("0731"));
        assert_eq!(
            html.matches("<details>").count(),
            2,
            "one for each draw that is done"
        );
        Ok(())
    }

    #[test]
    fn a_bare_control_number_brings_no_amount() -> Result<(), PageFault> {
        let mut reply = samples::winner();
        reply.payable_cents = None;
        reply.payable.clear();
        reply.ticket = None;
        reply.draws.clear();
        reply.verdict.sentence = Bilingual {
            fr: "Billet gagnant".to_owned(),
            en: "Winning ticket".to_owned(),
        };
        let html = render_check(&samples::check(Some(reply)), Lang::Fr)?;
        let html = main_of(&html);
        assert!(!html.contains('$'), "an amount is shown");
        assert!(html.contains("scannez le code du billet"));
        Ok(())
    }

    #[test]
    fn a_large_amount_is_covered_everywhere() -> Result<(), PageFault> {
        let mut view = samples::check(Some(samples::winner()));
        view.hide_from_cents = 3_400;
        let html = render_check(&view, Lang::Fr)?;
        let html = main_of(&html);
        assert_eq!(html.matches("34,00").count(), 1);
        let before = html.split("34,00").next().unwrap_or_default();
        assert!(
            before.rfind("<details>") > before.rfind("</details>"),
            "not behind the button"
        );
        Ok(())
    }

    #[test]
    fn a_patron_sent_to_the_cage_is_not_sent_to_the_counter_too() -> Result<(), PageFault> {
        let mut reply = samples::winner();
        reply.verdict.code = VerdictCode::WinnerAtCage.into();
        let html = render_check(&samples::check(Some(reply)), Lang::Fr)?;
        assert!(!main_of(&html).contains("Comptoirs Keno"));
        assert!(main_of(&html).contains("34,00"));
        Ok(())
    }

    #[test]
    fn what_is_not_settled_never_reads_as_a_loss() {
        for state in ["to_come", "being_verified", "something new"] {
            let mut draw = samples::winner().draws.remove(0);
            draw.state = state.into();
            draw.kind = "none".into();
            let said = prize(&draw);
            assert_ne!(said.fr, FR.check_draw_nothing, "{state}");
        }
    }

    #[test]
    fn every_verdict_is_rendered_in_both_languages() -> Result<(), PageFault> {
        for row in VERDICTS {
            for lang in Lang::ALL {
                let code = row.code.code();
                let reply = samples::bare_verdict(code);
                let html = render_check(&samples::check(Some(reply)), lang)?;
                assert!(html.contains(&format!("data-code=\"{code}\"")));
                assert!(html.contains(&format!("<html lang=\"{}\"", lang.code())));
                assert!(html.contains(&format!("{code} en français")));
                assert!(html.contains(&format!("{code} in English")));
            }
        }
        Ok(())
    }
}

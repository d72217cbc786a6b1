//! The sheet of a shift whose till was counted: what went through it, what was expected and
//! counted, and where the people of the hand-over sign.

use keno_wire::reply::{ShiftLine, ShiftSheetReply, TillCountReply};

use crate::layout::Draft;
use crate::money::french;
use crate::paper::{Issue, Paper, Size, Width};
use crate::receipt::{SIGNATURE_LINE, counted, head};

/// Which way a kind of movement moves the cash of the till.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

/// A kind of movement with its names.
struct Kind<'a> {
    way: Way,
    fr: &'static str,
    en: &'static str,
    line: &'a ShiftLine,
}

fn kinds(reply: &ShiftSheetReply) -> [Kind<'_>; 9] {
    let kind = |way, fr, en, line| Kind { way, fr, en, line };
    [
        kind(Way::In, "Ventes", "Sales", &reply.sales),
        kind(Way::Out, "Annulations", "Cancels", &reply.cancels),
        kind(Way::Out, "Non payées", "Unpaid", &reply.unpaid),
        kind(Way::Out, "Lots payés", "Payouts", &reply.payouts),
        kind(Way::Out, "Remboursements", "Refunds", &reply.refunds),
        kind(
            Way::Out,
            "Billets perdus",
            "Lost tickets",
            &reply.lost_refunds,
        ),
        kind(Way::In, "Renversés", "Reversed", &reply.reversals),
        kind(Way::In, "Approvisionnements", "Fills", &reply.fills),
        kind(Way::Out, "Dépôts", "Drops", &reply.drops),
    ]
}

/// A figure with both its names.
fn figure(draft: &mut Draft, sign: &str, fr: &str, en: &str, cents: i64) {
    draft.pair(0, &format!("{sign}{fr} / {en}"), &french(cents));
}

fn cash(draft: &mut Draft, reply: &ShiftSheetReply) {
    draft.centre("COMPTANT / CASH", Size::Normal, true);
    figure(draft, "", "Fonds de caisse", "Float", reply.float_cents);
    for kind in kinds(reply) {
        let sign = match kind.way {
            Way::In => "+\u{A0}",
            Way::Out => "-\u{A0}",
        };
        let en = format!("{} ({})", kind.en, kind.line.count);
        figure(draft, sign, kind.fr, &en, kind.line.cash_cents);
    }
    figure(
        draft,
        "-\u{A0}",
        "Arrondi 5 ¢",
        "Rounding",
        reply.rounding_cents,
    );
    draft.rule();
    counted(
        draft,
        reply.counted_cents,
        reply.expected_cents,
        reply.difference_cents,
    );
    if reply.added_up_cents != reply.expected_cents {
        draft.left_styled(
            0,
            "ATTENTION : la somme du quart donne / WARNING: the shift adds up to",
            Size::Normal,
            true,
        );
        draft.pair_bold(0, "", &french(reply.added_up_cents));
    }
    draft.rule();
}

/// What went through the till in another tender, where anything did.
fn other_tenders(draft: &mut Draft, reply: &ShiftSheetReply) {
    let kinds = kinds(reply);
    let coupons = kinds.iter().map(|kind| (kind, kind.line.coupon_cents));
    tender(draft, "COUPONS", &coupons.collect::<Vec<_>>());
    let chips = kinds.iter().map(|kind| (kind, kind.line.chip_cents));
    tender(draft, "JETONS / CHIPS", &chips.collect::<Vec<_>>());
}

fn tender(draft: &mut Draft, name: &str, figures: &[(&Kind<'_>, i64)]) {
    if figures.iter().all(|(_, cents)| *cents == 0) {
        return;
    }
    draft.centre(name, Size::Normal, true);
    for (kind, cents) in figures.iter().filter(|(_, cents)| *cents != 0) {
        figure(draft, "", kind.fr, kind.en, *cents);
    }
    draft.rule();
}

fn counts(draft: &mut Draft, counts: &[TillCountReply]) {
    if counts.is_empty() {
        return;
    }
    draft.centre("DÉCOMPTES EN COURS DE QUART", Size::Normal, true);
    draft.centre("Counts in the middle of the shift", Size::Normal, false);
    for count in counts {
        draft.pair(
            0,
            &format!("n° {}", count.leaf),
            &count.at_local.replace(' ', "\u{A0}"),
        );
        figure(draft, "", "Compté", "Counted", count.counted_cents);
        figure(draft, "", "Attendu", "Expected", count.expected_cents);
        figure(draft, "", "Écart", "Difference", count.difference_cents);
        let people = format!("{} + {}", count.badge, count.second);
        draft.left(2, &format!("{people} : {}", count.reason));
    }
    draft.rule();
}

/// The sheet of a shift; the people of the hand-over sign it.
pub fn shift_sheet(reply: &ShiftSheetReply, issue: Issue, width: Width) -> Paper {
    let mut draft = head(
        width,
        &reply.house_name,
        "FEUILLE DE QUART",
        "Shift sheet",
        issue,
    );
    draft.pair(0, "Jour d’affaires / Business day", &reply.business_day);
    draft.pair(
        0,
        "Caisse · quart / Till · shift",
        &format!("{} · {}", reply.terminal, reply.shift),
    );
    for (name, at) in [
        ("Ouverte / Opened", &reply.opened_at_local),
        ("Fermée / Closed", &reply.closed_at_local),
    ] {
        draft.pair(0, name, &at.replace(' ', "\u{A0}"));
    }
    draft.pair(0, "Ouverte pour / Opened for", &reply.holder);
    draft.pair(0, "Sortant / Outgoing", &reply.outgoing);
    if let Some(incoming) = &reply.incoming {
        draft.pair(0, "Entrant / Incoming", incoming);
    }
    if !reply.seconds.is_empty() {
        let seconds = reply.seconds.join(", ");
        draft.pair(0, "Deuxièmes personnes / Seconds", &seconds);
    }
    draft.rule();
    cash(&mut draft, reply);
    other_tenders(&mut draft, reply);
    counts(&mut draft, &reply.counts);
    draft.left(0, "Signatures");
    for (name, badge) in [
        ("Sortant / Outgoing", reply.outgoing.as_str()),
        (
            "Entrant / Incoming",
            reply.incoming.as_deref().unwrap_or(""),
        ),
        ("Superviseur / Supervisor", ""),
    ] {
        draft.feed(2);
        draft.left(0, name);
        draft.pair(0, badge, SIGNATURE_LINE);
    }
    draft.feed(1);
    draft.pair(0, &reply.at_local, &format!("n° {}", reply.closed_leaf));
    draft.finish()
}

//! What came of a reading, in words, in both languages; and as JSON.

use std::fmt::Write as _;

use keno_log::Hash;
pub use keno_words::Language;
use keno_words::{Money, Say, audit};

use crate::replay::{DrawAccount, Totals};
use crate::verify::Outcome;

/// Findings listed after the first.
const FURTHER_MAX: usize = 20;

/// The report, French first, then English.
#[must_use]
pub fn text(outcome: &Outcome) -> String {
    let french = in_language(outcome, Language::French);
    let english = in_language(outcome, Language::English);
    let mut out = format!("{french}\n{english}");
    for finding in outcome.findings.iter().skip(1).take(FURTHER_MAX) {
        line(&mut out, format!("  {finding}"));
    }
    out
}

/// The report in one language.
#[must_use]
pub fn in_language(outcome: &Outcome, language: Language) -> String {
    let mut out = String::new();
    match outcome.findings.first() {
        // Nothing was judged: nobody is told that a log does not hold.
        Some(first) if outcome.is_other_format() => {
            line(&mut out, labelled(&"Format", &first.code).said(language));
            line(&mut out, format!("  {}", first.detail));
            return out;
        }
        Some(first) => {
            let place = first.entry.map_or("export".to_owned(), |entry| {
                audit::Entry { entry: &entry }.said(language)
            });
            let mut words = vec![place];
            words.extend(first.kind.map(|kind| kind.name().to_owned()));
            words.push(first.name().to_owned());
            let words = words.join(" ");
            let named = labelled(&words, &first.code);
            let verdict = labelled(&audit::DoesNotHold, &named);
            line(&mut out, verdict.said(language));
            if !first.detail.is_empty() {
                line(&mut out, format!("  {}", first.detail));
            }
            let count = &(outcome.findings.len() - 1);
            if *count > 0 {
                let more = audit::MoreFindings { count }.said(language);
                line(&mut out, format!("  {more}"));
            }
            return out;
        }
        None => line(&mut out, audit::Holds.said(language)),
    }
    let replay = &outcome.replay;
    let (size, root) = (&replay.size(), &hex::encode(replay.root()));
    line(&mut out, audit::SizeAndRoot { size, root }.said(language));
    match (&outcome.outside_size, &outcome.outside_lost_in) {
        (Some(size), None) => line(&mut out, audit::ExtendsOutside { size }.said(language)),
        (Some(size), Some(epoch)) => {
            line(&mut out, audit::LostOutside { size, epoch }.said(language));
        }
        (None, _) => {}
    }
    for draw in replay.draws() {
        line(&mut out, draw_line(draw, language));
    }
    let totals = replay.totals();
    let tickets = labelled(&audit::TotalTickets, &totals.tickets);
    line(&mut out, tickets.said(language));
    for (_, name, cents) in sums(&totals) {
        line(&mut out, labelled(&name, &Money(cents)).said(language));
    }
    line(&mut out, audit::Proves.said(language));
    out
}

fn line(out: &mut String, text: String) {
    out.push_str(text.trim_end());
    out.push('\n');
}

fn draw_line(draw: &DrawAccount, language: Language) -> String {
    let mut parts = vec![draw.state.said(language)];
    if let Some(close) = &draw.close {
        let start = hex::encode(close.seal_root);
        parts.push(
            audit::Sealed {
                size: &(close.entry + 1),
                root: &start.get(..16).unwrap_or(""),
                tickets: &Tickets(close.tickets),
            }
            .said(language),
        );
    }
    if let (Some(committed), Some(wager)) = (&draw.committed_at, &draw.first_wager) {
        parts.push(audit::CommittedBefore { committed, wager }.said(language));
    }
    if draw.holders.len() == 1 {
        parts.push(audit::OneHolder.said(language));
    }
    if let Some(recorded) = &draw.balls {
        let numbers: Vec<String> = recorded.balls.iter().map(|it| format!("{it:02}")).collect();
        parts.push(numbers.join(" "));
        if recorded.machine == 1 && draw.secrets.is_some() {
            parts.push(audit::Recomputed.said(language));
        } else {
            parts.push(audit::NotRecomputable.said(language));
        }
    }
    if let Some(settlement) = &draw.settlement {
        let payable = Money(settlement.payable_cents).said(language);
        let winners = Winners(settlement.winners).said(language);
        parts.push(format!("{winners}, payable {payable}"));
    }
    if let Some((tickets, cents)) = draw.refund {
        parts.push(
            audit::ToRefund {
                tickets: &Tickets(tickets),
                sum: &Money(cents),
            }
            .said(language),
        );
    }
    let draw = audit::Draw { draw: &draw.number };
    let parts = parts.join(&audit::BetweenParts.said(language));
    labelled(&draw, &parts).said(language)
}

/// So many tickets; in French, none is singular.
struct Tickets(u64);

impl Say for Tickets {
    fn say(&self, language: Language, to: &mut String) {
        let count = &self.0;
        if is_singular(*count, language) {
            audit::Ticket { count }.say(language, to);
        } else {
            audit::Tickets { count }.say(language, to);
        }
    }
}

/// So many winning tickets.
struct Winners(u64);

impl Say for Winners {
    fn say(&self, language: Language, to: &mut String) {
        let count = &self.0;
        if is_singular(*count, language) {
            audit::WinningTicket { count }.say(language, to);
        } else {
            audit::WinningTickets { count }.say(language, to);
        }
    }
}

fn is_singular(count: u64, language: Language) -> bool {
    count == 1 || (count == 0 && language == Language::French)
}

/// A name and what it is.
fn labelled<'a>(name: &'a dyn Say, value: &'a dyn Say) -> audit::Labelled<'a> {
    audit::Labelled { name, value }
}

/// The sums, each with its name for programs and for people.
fn sums(totals: &Totals) -> [(&'static str, &'static dyn Say, i64); 8] {
    [
        ("sold_cents", &audit::TotalSold, totals.sold_cents),
        (
            "cancelled_cents",
            &audit::TotalCancelled,
            totals.cancelled_cents,
        ),
        ("unpaid_cents", &audit::TotalUnpaid, totals.unpaid_cents),
        ("payable_cents", &audit::TotalPayable, totals.payable_cents),
        ("paid_cents", &audit::TotalPaid, totals.paid_cents),
        (
            "refunded_cents",
            &audit::TotalRefunded,
            totals.refunded_cents,
        ),
        ("expired_cents", &audit::TotalExpired, totals.expired_cents),
        (
            "lost_refunded_cents",
            &audit::TotalLostRefunded,
            totals.lost_refunded_cents,
        ),
    ]
}

/// The report as JSON, for other programs: amounts in cents, hashes in hexadecimal.
#[must_use]
pub fn json(outcome: &Outcome) -> String {
    let findings = outcome.findings.iter().map(|finding| {
        object(&[
            ("entry", number(finding.entry)),
            (
                "kind",
                finding
                    .kind
                    .map_or("null".to_owned(), |it| quoted(it.name())),
            ),
            ("name", quoted(finding.name())),
            ("sentence_fr", quoted(&finding.code.fr())),
            ("sentence_en", quoted(&finding.code.en())),
            ("detail", quoted(&finding.detail)),
        ])
    });
    let totals = outcome.replay.totals();
    let mut of_totals = vec![("tickets", totals.tickets.to_string())];
    of_totals.extend(sums(&totals).map(|(name, _, cents)| (name, cents.to_string())));
    object(&[
        ("holds", outcome.holds().to_string()),
        ("size", outcome.replay.size().to_string()),
        ("root", quoted(&hex::encode(outcome.replay.root()))),
        ("outside_size", number(outcome.outside_size)),
        ("findings", list(findings)),
        ("draws", list(outcome.replay.draws().map(draw_json))),
        ("totals", object(&of_totals)),
        ("proves_fr", quoted(audit::Proves::FR)),
        ("proves_en", quoted(audit::Proves::EN)),
    ])
}

fn draw_json(draw: &DrawAccount) -> String {
    let close = draw.close.as_ref();
    let balls = draw.balls.iter().flat_map(|it| &it.balls);
    let settlement = draw.settlement.as_ref();
    object(&[
        ("draw", draw.number.to_string()),
        ("state", quoted(draw.state.name())),
        ("holders", draw.holders.len().to_string()),
        ("seal_size", number(close.map(|it| it.entry + 1))),
        (
            "seal_root",
            close.map_or("null".to_owned(), |it| quoted(&hex::encode(it.seal_root))),
        ),
        ("tickets", number(close.map(|it| it.tickets))),
        ("wagered_cents", number(close.map(|it| it.wagered_cents))),
        ("committed_at", number(draw.committed_at)),
        ("first_wager", number(draw.first_wager)),
        ("balls", list(balls.map(u8::to_string))),
        ("winners", number(settlement.map(|it| it.winners))),
        (
            "payable_cents",
            number(settlement.map(|it| it.payable_cents)),
        ),
        (
            "breakage_cents",
            number(settlement.map(|it| it.breakage_cents)),
        ),
        ("refund_cents", number(draw.refund.map(|(_, cents)| cents))),
    ])
}

fn number(value: Option<impl ToString>) -> String {
    value.map_or("null".to_owned(), |value| value.to_string())
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}:{value}", quoted(name)))
        .collect();
    format!("{{{}}}", fields.join(","))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            char if char < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// A hash, or a dash where there is none.
#[must_use]
pub fn hash_or_dash(hash: Option<&Hash>) -> String {
    hash.map_or("-".to_owned(), hex::encode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_each_language_does() {
        let fr = |cents| Money(cents).fr().replace('\u{a0}', " ");
        let en = |cents| Money(cents).en();
        assert_eq!(
            (fr(123_450), en(123_450)),
            ("1 234,50 $".into(), "$1,234.50".into())
        );
        assert_eq!((fr(5), en(-5)), ("0,05 $".into(), "-$0.05".into()));
        assert_eq!(en(100_000_000), "$1,000,000.00");
    }

    #[test]
    fn json_text_is_escaped() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c\\u000ad\"");
    }
}

//! What came of a reading, in words, in both languages; and as JSON.

use std::fmt::Write as _;

use keno_log::Hash;
pub use keno_words::Language;
use keno_words::Say;

use crate::replay::{DrawAccount, DrawState, Totals};
use crate::verify::Outcome;

/// What the check proves and what it does not, in French.
pub const PROVES_FR: &str = "Ce que ceci prouve : aucune mise n'a changé après le sceau, les numéros ne sont pas choisis après l'engagement, et chaque lot est celui que les règles publiées donnent. Ce que ceci ne prouve pas : qui connaîtrait tous les secrets d'un tirage et pourrait aussi inscrire des mises pourrait en essayer jusqu'à ce que les numéros lui conviennent ; seuls des détenteurs sur des machines distinctes l'empêchent, et le journal ne dit pas où étaient les secrets.";

/// What the check proves and what it does not, in English.
pub const PROVES_EN: &str = "What this proves: no wager changed after the seal, the numbers were not chosen after the commitment, and each prize is the one that the published rules give. What it does not prove: someone who knew all the secrets of a draw and could also write wagers could try wagers until the numbers suited him; only holders on separate machines prevent that, and the log does not show where the secrets lay.";

/// Findings listed after the first.
const FURTHER_MAX: usize = 20;

const ALONE_FR: &str =
    "un seul détenteur : la maison est crue sur parole de ne pas réunir les deux rôles";
const ALONE_EN: &str = "one holder: the house is trusted not to combine the two roles";

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
    let french = language == Language::French;
    let mut out = String::new();
    match outcome.findings.first() {
        // Nothing was judged: nobody is told that a log does not hold.
        Some(first) if outcome.is_other_format() => {
            line(
                &mut out,
                labelled("Format", &first.code.said(language), language),
            );
            line(&mut out, format!("  {}", first.detail));
            return out;
        }
        Some(first) => {
            let place = match (first.entry, french) {
                (Some(entry), true) => format!("entrée {entry}"),
                (Some(entry), false) => format!("entry {entry}"),
                (None, _) => "export".to_owned(),
            };
            let mut words = vec![place];
            words.extend(first.kind.map(|kind| kind.name().to_owned()));
            words.push(first.name().to_owned());
            let verdict = if french {
                "LE JOURNAL NE TIENT PAS"
            } else {
                "THE LOG DOES NOT HOLD"
            };
            let named = labelled(&words.join(" "), &first.code.said(language), language);
            line(&mut out, labelled(verdict, &named, language));
            if !first.detail.is_empty() {
                line(&mut out, format!("  {}", first.detail));
            }
            let others = outcome.findings.len() - 1;
            if others > 0 {
                line(
                    &mut out,
                    match french {
                        true => format!("  et encore {others}"),
                        false => format!("  and {others} more"),
                    },
                );
            }
            return out;
        }
        None => {
            let verdict = if french {
                "Le journal tient."
            } else {
                "The log holds."
            };
            line(&mut out, verdict.to_owned());
        }
    }
    let replay = &outcome.replay;
    let root = hexadecimal(&replay.root());
    line(
        &mut out,
        match french {
            true => format!("{} feuilles, racine {root}", replay.size()),
            false => format!("{} leaves, root {root}", replay.size()),
        },
    );
    if let Some(size) = outcome.outside_size {
        line(
            &mut out,
            match french {
                true => format!("Prolonge le point de contrôle extérieur de {size} feuilles."),
                false => format!("Extends the outside checkpoint of {size} leaves."),
            },
        );
    }
    for draw in replay.draws() {
        line(&mut out, draw_line(draw, language));
    }
    totals_lines(&mut out, &replay.totals(), language);
    line(
        &mut out,
        if french { PROVES_FR } else { PROVES_EN }.to_owned(),
    );
    out
}

fn line(out: &mut String, text: String) {
    out.push_str(text.trim_end());
    out.push('\n');
}

fn draw_line(draw: &DrawAccount, language: Language) -> String {
    let french = language == Language::French;
    let mut parts = Vec::new();
    parts.push(state_word(draw.state, language).to_owned());
    if let Some(close) = &draw.close {
        let start = hexadecimal(&close.seal_root)
            .get(..16)
            .unwrap_or("")
            .to_owned();
        let size = close.entry + 1;
        let tickets = counted(close.tickets, TICKETS, language);
        parts.push(match french {
            true => format!("scellé à {size} feuilles ({start}…), {tickets}"),
            false => format!("sealed at {size} leaves ({start}…), {tickets}"),
        });
    }
    if let (Some(committed), Some(wager)) = (draw.committed_at, draw.first_wager) {
        parts.push(match french {
            true => {
                format!("engagements (entrée {committed}) avant la première mise (entrée {wager})")
            }
            false => {
                format!("commitments (entry {committed}) before the first wager (entry {wager})")
            }
        });
    }
    if draw.holders.len() == 1 {
        parts.push(if french { ALONE_FR } else { ALONE_EN }.to_owned());
    }
    if let Some(recorded) = &draw.balls {
        let numbers: Vec<String> = recorded.balls.iter().map(|it| format!("{it:02}")).collect();
        parts.push(numbers.join(" "));
        let recomputed = recorded.machine == 1 && draw.secrets.is_some();
        parts.push(match (recomputed, french) {
            (true, true) => "recalculés des secrets et du sceau".to_owned(),
            (true, false) => "recomputed from secrets and seal".to_owned(),
            (false, true) => "numéros tels qu'inscrits, non recalculables".to_owned(),
            (false, false) => "numbers as recorded, not recomputable".to_owned(),
        });
    }
    if let Some(settlement) = &draw.settlement {
        let payable = money(settlement.payable_cents, language);
        let winners = counted(settlement.winners, WINNERS, language);
        parts.push(format!("{winners}, payable {payable}"));
    }
    if let Some((tickets, cents)) = draw.refund {
        let sum = money(cents, language);
        let tickets = counted(tickets, TICKETS, language);
        parts.push(match french {
            true => format!("{tickets} à rembourser, {sum}"),
            false => format!("{tickets} to refund, {sum}"),
        });
    }
    let name = if french { "Tirage" } else { "Draw" };
    let name = format!("{name} {}", draw.number);
    let between = if french { "\u{a0}; " } else { "; " };
    labelled(&name, &parts.join(between), language)
}

/// A number with its noun in the singular or the plural; in French, none is singular.
fn counted(count: u64, nouns: [&str; 4], language: Language) -> String {
    let [one_fr, many_fr, one_en, many_en] = nouns;
    let noun = match (language, count) {
        (Language::French, 0 | 1) => one_fr,
        (Language::French, _) => many_fr,
        (Language::English, 1) => one_en,
        (Language::English, _) => many_en,
    };
    format!("{count} {noun}")
}

const TICKETS: [&str; 4] = ["billet", "billets", "ticket", "tickets"];
const WINNERS: [&str; 4] = [
    "billet gagnant",
    "billets gagnants",
    "winning ticket",
    "winning tickets",
];

/// A name and what it is: French puts a space before the colon.
fn labelled(name: &str, value: &str, language: Language) -> String {
    match language {
        Language::French => format!("{name}\u{a0}: {value}"),
        Language::English => format!("{name}: {value}"),
    }
}

fn state_word(state: DrawState, language: Language) -> &'static str {
    let (french, english) = match state {
        DrawState::Scheduled => ("annoncé", "scheduled"),
        DrawState::Open => ("ouvert", "open"),
        DrawState::Closed => ("fermé", "closed"),
        DrawState::Drawing => ("en cours", "drawing"),
        DrawState::Drawn => ("tiré", "drawn"),
        DrawState::Official => ("officiel", "official"),
        DrawState::Settled => ("réglé", "settled"),
        DrawState::Suspended => ("suspendu", "suspended"),
        DrawState::Void => ("nul", "void"),
    };
    match language {
        Language::French => french,
        Language::English => english,
    }
}

fn totals_lines(out: &mut String, totals: &Totals, language: Language) {
    let names: [(&str, &str, i64); 8] = [
        ("Vendu", "Sold", totals.sold_cents),
        ("Annulé", "Cancelled", totals.cancelled_cents),
        (
            "Jamais payé (83)",
            "Never paid for (83)",
            totals.unpaid_cents,
        ),
        ("Lots payables", "Prizes payable", totals.payable_cents),
        ("Lots payés", "Prizes paid", totals.paid_cents),
        ("Remboursé", "Refunded", totals.refunded_cents),
        ("Prescrit", "Expired", totals.expired_cents),
        (
            "Billets perdus remboursés",
            "Lost tickets refunded",
            totals.lost_refunded_cents,
        ),
    ];
    let tickets = match language {
        Language::French => "Billets",
        Language::English => "Tickets",
    };
    line(
        out,
        labelled(tickets, &totals.tickets.to_string(), language),
    );
    for (french, english, cents) in names {
        let name = match language {
            Language::French => french,
            Language::English => english,
        };
        line(out, labelled(name, &money(cents, language), language));
    }
}

/// An amount as a language writes it: `1 234,50 $` or `$1,234.50`.
#[must_use]
pub fn money(cents: i64, language: Language) -> String {
    let digits = (cents.unsigned_abs() / 100).to_string();
    let separator = match language {
        Language::French => '\u{a0}',
        Language::English => ',',
    };
    let mut whole = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            whole.push(separator);
        }
        whole.push(digit);
    }
    let sign = if cents < 0 { "-" } else { "" };
    let decimals = cents.unsigned_abs() % 100;
    match language {
        Language::French => format!("{sign}{whole},{decimals:02}\u{a0}$"),
        Language::English => format!("{sign}${whole}.{decimals:02}"),
    }
}

/// Lower-case hexadecimal digits.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
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
    object(&[
        ("holds", outcome.holds().to_string()),
        ("size", outcome.replay.size().to_string()),
        ("root", quoted(&hexadecimal(&outcome.replay.root()))),
        ("outside_size", number(outcome.outside_size)),
        ("findings", list(findings)),
        ("draws", list(outcome.replay.draws().map(draw_json))),
        (
            "totals",
            object(&[
                ("tickets", totals.tickets.to_string()),
                ("sold_cents", totals.sold_cents.to_string()),
                ("cancelled_cents", totals.cancelled_cents.to_string()),
                ("unpaid_cents", totals.unpaid_cents.to_string()),
                ("payable_cents", totals.payable_cents.to_string()),
                ("paid_cents", totals.paid_cents.to_string()),
                ("refunded_cents", totals.refunded_cents.to_string()),
                ("expired_cents", totals.expired_cents.to_string()),
                (
                    "lost_refunded_cents",
                    totals.lost_refunded_cents.to_string(),
                ),
            ]),
        ),
        ("proves_fr", quoted(PROVES_FR)),
        ("proves_en", quoted(PROVES_EN)),
    ])
}

fn draw_json(draw: &DrawAccount) -> String {
    let close = draw.close.as_ref();
    let balls = draw.balls.iter().flat_map(|it| &it.balls);
    let settlement = draw.settlement.as_ref();
    object(&[
        ("draw", draw.number.to_string()),
        ("state", quoted(state_word(draw.state, Language::English))),
        ("holders", draw.holders.len().to_string()),
        ("seal_size", number(close.map(|it| it.entry + 1))),
        (
            "seal_root",
            close.map_or("null".to_owned(), |it| quoted(&hexadecimal(&it.seal_root))),
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
    hash.map_or("-".to_owned(), |hash| hexadecimal(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_each_language_does() {
        let fr = |cents| money(cents, Language::French).replace('\u{a0}', " ");
        let en = |cents| money(cents, Language::English);
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

//! The certificate of a draw, held against its transcript and its page.

use actix_web::http::Method;
use keno_central::api::types::TranscriptReply;
use keno_draw::published::from_json;
use keno_testing::pages_of_paper;
use keno_wire::reply::DrawView;

use super::house::House;
use super::outcome::{Outcome, of_problem};
use super::words::Actor;

/// A fact that must stand on a line: what the line begins with, and what it ends with.
type Line = (&'static str, String);

/// A paper in two columns, as its reader finds it.
struct Paper {
    lines: Vec<String>,
    french: String,
    english: String,
}

impl Paper {
    fn read(text: &str) -> Self {
        let lines: Vec<String> = text
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        let column = |of: fn(&str) -> &str| {
            let words: Vec<&str> = lines
                .iter()
                .flat_map(|line| of(line).split_whitespace())
                .collect();
            words.join(" ")
        };
        Self {
            // What is left of a gap of two spaces, and what is right of the last one.
            french: column(|line| line.split("  ").next().unwrap_or_default()),
            english: column(|line| line.rsplit("  ").next().unwrap_or_default()),
            lines,
        }
    }

    fn has(&self, (label, value): &Line) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|line| {
            let rest = line.strip_prefix(label);
            rest.is_some_and(|rest| rest == *value || rest.ends_with(&format!(" {value}")))
        })
    }
}

fn two_digits(balls: &[u8]) -> String {
    let all: Vec<String> = balls.iter().map(|ball| format!("{ball:02}")).collect();
    all.join(" ")
}

/// What every certificate says, by the public page of the draw.
fn of_the_draw(view: &DrawView) -> Vec<Line> {
    let mut ascending = view.balls.clone();
    ascending.sort_unstable();
    let number = format!("{:06}", view.draw.draw);
    let seal = view.seal.as_ref().unwrap();
    let source = match view.source.as_str() {
        "balls" => "boulier / draw machine",
        _ => "ordinateur / computer",
    };
    vec![
        (
            "Certificat du tirage",
            format!("{} {}", &number[..3], &number[3..]),
        ),
        (
            "Certificate of draw",
            format!("{} {}", &number[..3], &number[3..]),
        ),
        (
            "Premier numéro prévu /",
            format!("{}:00.000 -05:00", view.draw.local),
        ),
        ("Source des numéros (art. 75) /", source.to_owned()),
        ("", two_digits(&view.balls)),
        ("En ordre croissant / Ascending", two_digits(&ascending)),
        ("Feuilles sous le sceau /", seal.size.to_string()),
        ("Racine / Root", seal.root.clone()),
    ]
}

fn of_the_transcript(reply: &TranscriptReply) -> Vec<Line> {
    let mut lines = vec![
        ("Maison / House", format!("({})", reply.house)),
        ("", two_digits(&reply.balls)),
        ("Feuilles sous le sceau /", reply.log_size.to_string()),
        ("Racine / Root", reply.seal_root.clone()),
        (
            "Règles en vigueur (SHA-256) /",
            reply.rule_book_hash.clone(),
        ),
    ];
    for holder in &reply.holders {
        lines.extend([
            ("Détenteur / Holder", holder.name.clone()),
            ("Engagement / Commitment", holder.commitment.clone()),
            ("Secret publié / Secret published", holder.secret.clone()),
        ]);
    }
    lines
}

impl House {
    /// `reads certificate of 1`: public, by its page as by its interface, and the same bytes.
    pub(super) fn reads_certificate(&self, actor: &Actor<'_>, draw: &str) -> Outcome {
        let answer = self.get(actor, &format!("draws/{draw}/certificate"));
        let page = |path: &str| {
            let path = format!("/draws/{draw}/{path}");
            self.door.ask(self.request(actor, Method::GET, &path))
        };
        let from_page = page("certificate.pdf");
        if !answer.is_good() {
            assert_eq!(from_page.status, 404, "what one refuses the other gives");
            return of_problem(&answer);
        }
        let mut faults = Vec::new();
        let pages = pages_of_paper(&answer.bytes).unwrap();
        if answer.content_type != "application/pdf" || from_page.bytes != answer.bytes {
            faults.push("the page gives another certificate".to_owned());
        }
        let paper = Paper::read(&pages.concat());
        let view: DrawView = self.get(actor, &format!("draws/{draw}")).json();
        let mut wanted = of_the_draw(&view);
        let mut outcome = Outcome::of("certificate")
            .fact(format!("pages {}", pages.len()))
            .fact(format!("numbers {}", view.balls.len()));
        if let Some(set) = &view.ball_set {
            wanted.push(("Jeu de boules / Set of balls", set.clone()));
            outcome = outcome.fact(format!("set {set}"));
        }
        let transcript = self.get(actor, &format!("draws/{draw}/transcript"));
        if transcript.is_good() {
            let reply: TranscriptReply = transcript.json();
            wanted.extend(of_the_transcript(&reply));
            let assurance = reply.assurance;
            for (words, column) in [
                (&assurance.fr, &paper.french),
                (&assurance.en, &paper.english),
            ] {
                if !column.contains(&words.replace('\u{a0}', " ")) {
                    faults.push(format!("not assured: {words}\n{column}"));
                }
            }
            let published = from_json(&page("transcript.json").body).unwrap();
            for host in published.hosts {
                let signed = !host.signature.is_empty();
                wanted.push((
                    "",
                    format!("{} {}", host.key, if signed { "oui / yes" } else { "–" }),
                ));
            }
            outcome = outcome.fact(format!("holders {}", reply.holders.len()));
        } else {
            for holder in &view.commitments {
                wanted.push(("Engagement / Commitment", holder.commitment.clone()));
            }
            let proves = "Que les numéros étaient fixés avant les mises, il ne le prouve pas";
            let kept = paper.french.contains(proves)
                && view
                    .commitments
                    .iter()
                    .all(|holder| holder.secret.is_none());
            outcome = outcome.fact_if(kept, "of balls");
            let is_later = (paper.lines.iter()).any(|line| line.starts_with("Annoncé pour"));
            outcome = outcome.fact(if is_later {
                "held later"
            } else {
                "as announced"
            });
        }
        for (label, value) in wanted {
            let other: String = value.chars().rev().collect();
            if !paper.has(&(label, value.clone())) {
                faults.push(format!(
                    "no line {label:?} … {value:?} in\n{}",
                    paper.lines.join("\n")
                ));
            } else if other != value && paper.has(&(label, other)) {
                faults.push(format!("{label:?} is found with another value"));
            }
        }
        let mut swapped = view.balls.clone();
        swapped.swap(0, 1);
        if paper.has(&("", two_digits(&swapped))) {
            faults.push("two balls that are swapped are not seen".to_owned());
        }
        outcome.faults = faults;
        outcome
    }
}

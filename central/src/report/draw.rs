//! The sheet of a draw.

mod read;

use keno_draw_machine::transcript::Assurance;
use keno_game::{DrawSource, DrawState};
use keno_log::event::{DrawSettled, DrawVoided};
use read::At;

use super::sheet::{Block, Section, Sheet, Value, column, words};
use super::{House, facts};

pub use read::{DrawFacts, read};

fn state_words(state: DrawState) -> super::sheet::Words {
    match state {
        DrawState::Scheduled => words("annoncé", "announced"),
        DrawState::Open => words("ventes en cours", "sales open"),
        DrawState::Closed => words("ventes terminées, scellé", "sales closed, sealed"),
        DrawState::Drawing => words("en cours", "drawing"),
        DrawState::Drawn => words("tiré, pas encore officiel", "drawn, not yet official"),
        DrawState::Official => words(
            "officiel, lots pas encore fixés",
            "official, prizes not yet fixed",
        ),
        DrawState::Settled => words("officiel, lots payables", "official, prizes payable"),
        DrawState::Suspended => words("interrompu", "interrupted"),
        DrawState::Void => words("annulé, mises remboursées", "void, wagers refunded"),
    }
}

fn moment<T>(at: Option<&At<T>>) -> Value {
    at.map_or(Value::Absent, |at| Value::Moment(at.at_ms))
}

fn identity(facts: &DrawFacts) -> Section {
    let scheduled = &facts.scheduled.body;
    let mut section = Section::new("draw", "Tirage", "Draw");
    section.fact(
        "number",
        "Numéro de tirage",
        "Draw number",
        Value::Draw(scheduled.draw),
    );
    section.fact("state", "État", "State", state_words(facts.state));
    section.fact(
        "source",
        "Source des numéros (art. 75)",
        "Source of the numbers (s. 75)",
        if scheduled.source == DrawSource::Balls {
            words("boulier", "draw machine")
        } else {
            words("ordinateur", "computer")
        },
    );
    section.fact(
        "pool",
        "Numéros tirés",
        "Numbers drawn",
        words(
            format!("{} de {}", scheduled.drawn, scheduled.pool_size),
            format!("{} of {}", scheduled.drawn, scheduled.pool_size),
        ),
    );
    section.fact(
        "cap",
        "Maximum payable en lots (art. 77)",
        "Maximum payable in prizes (s. 77)",
        Value::Money(scheduled.cap_cents),
    );
    section.fact(
        "full_below",
        "Lots payés en entier au-dessous de",
        "Prizes paid in full below",
        Value::Money(scheduled.full_below_cents),
    );
    section.fact(
        "announced_at",
        "Annoncé le",
        "Announced at",
        Value::Moment(facts.scheduled.at_ms),
    );
    section.fact(
        "closes_at",
        "Fermeture des ventes prévue",
        "Close of sales planned",
        Value::Moment(scheduled.closes_at_ms),
    );
    section.fact(
        "closed_at",
        "Ventes closes et scellées",
        "Sales closed and sealed",
        moment(facts.closed.as_ref()),
    );
    section.fact(
        "draws_at",
        "Premier numéro prévu",
        "First number planned",
        Value::Moment(scheduled.draws_at_ms),
    );
    section.fact(
        "recorded_at",
        "Numéros inscrits",
        "Numbers recorded",
        moment(facts.balls.as_ref()),
    );
    section.fact(
        "official_at",
        "Officiel",
        "Official",
        moment(facts.certified.as_ref()),
    );
    section.fact(
        "settled_at",
        "Lots fixés",
        "Prizes fixed",
        moment(facts.settled.as_ref()),
    );
    section
}

fn numbers(facts: &DrawFacts) -> Section {
    let mut section = Section::new("numbers", "Numéros gagnants", "Winning numbers");
    match (&facts.balls, &facts.voided) {
        (Some(balls), _) => {
            let mut ascending = balls.body.balls.clone();
            ascending.sort_unstable();
            section.total(
                "in_order",
                "Dans l’ordre de sortie",
                "In the order drawn",
                Value::Numbers(balls.body.balls.clone()),
            );
            section.fact(
                "ascending",
                "En ordre croissant",
                "Ascending",
                Value::Numbers(ascending),
            );
            section.fact(
                "words_used",
                "Mots aléatoires lus",
                "Random words read",
                Value::Count(balls.body.words_used),
            );
            section.fact(
                "words_rejected",
                "Mots rejetés",
                "Words rejected",
                Value::Count(balls.body.words_rejected),
            );
        }
        (None, Some(_)) => section.note(
            "Le tirage est annulé. Les numéros qui auraient été inscrits restent au registre \
             comme preuve et n’ont aucun effet.",
            "The draw is void. Numbers that may have been recorded stay in the record as \
             evidence and have no effect.",
        ),
        (None, None) => section.note(
            "Pas encore officiel : aucun numéro ne paraît ici avant.",
            "Not official yet: no number stands here before that.",
        ),
    }
    let certifiers = facts
        .certified
        .as_ref()
        .map(|at| at.body.certifiers.join(", "));
    let by_guard = certifiers.as_deref() == Some("guard");
    section.fact(
        "certifiers",
        "Certifié par",
        "Certified by",
        match certifiers {
            None => Value::Absent,
            Some(_) if by_guard => words(
                "garde automatique (guard), tous contrôles réussis",
                "automatic guard (guard), every check passed",
            )
            .into(),
            Some(badges) => Value::Text(badges),
        },
    );
    section
}

fn holders(facts: &DrawFacts) -> Section {
    let mut section = Section::new(
        "commitments",
        "Engagements des détenteurs de secret",
        "Commitments of the holders of secrets",
    );
    let rows = facts
        .scheduled
        .body
        .holders
        .iter()
        .zip(&facts.commitments)
        .enumerate()
        .map(|(position, (name, commitment))| {
            let secret = facts
                .revealed
                .as_ref()
                .and_then(|at| at.body.secrets.get(position));
            vec![
                Value::Text(name.clone()),
                commitment
                    .as_ref()
                    .map_or(Value::Absent, |at| Value::Leaf(at.leaf)),
                commitment
                    .as_ref()
                    .map_or(Value::Absent, |at| Value::Hash(at.body)),
                secret.map_or(Value::Absent, |secret| Value::Hash(*secret)),
            ]
        })
        .collect();
    section.table(
        vec![
            column("holder", "Détenteur", "Holder"),
            column("leaf", "Feuille", "Leaf"),
            column("commitment", "Engagement", "Commitment"),
            column("secret", "Secret publié", "Secret published"),
        ],
        rows,
        words(
            "Aucun détenteur : tirage par boulier.",
            "No holder: draw by machine.",
        ),
    );
    section
}

fn seal(facts: &DrawFacts) -> Section {
    let mut section = Section::new("seal", "Sceau", "Seal");
    let Some(closed) = &facts.closed else {
        section.note("Les ventes ne sont pas closes.", "Sales are not closed.");
        return section;
    };
    section.fact(
        "leaf",
        "Feuille de fermeture",
        "Closing leaf",
        Value::Leaf(closed.leaf),
    );
    section.fact(
        "size",
        "Feuilles sous le sceau",
        "Leaves under the seal",
        Value::Leaf(closed.leaf + 1),
    );
    section.fact(
        "root",
        "Racine",
        "Root",
        facts.seal_root.map_or(Value::Absent, Value::Hash),
    );
    section.fact(
        "rule_book_hash",
        "Règles en vigueur (SHA-256)",
        "Rules in force (SHA-256)",
        facts
            .started
            .as_ref()
            .map_or(Value::Absent, |at| Value::Hash(at.body.rule_book_hash)),
    );
    section.fact(
        "tickets",
        "Billets scellés",
        "Tickets sealed",
        Value::Count(closed.body.tickets),
    );
    section.fact(
        "selections",
        "Sélections",
        "Selections",
        Value::Count(closed.body.selections),
    );
    section.fact(
        "wagered",
        "Mises du tirage",
        "Wagers for the draw",
        Value::Money(closed.body.wagered_cents),
    );
    section
}

/// What a void draw gives back.
fn refunds(section: &mut Section, voided: &At<DrawVoided>) {
    let body = &voided.body;
    section.fact(
        "voided_at",
        "Annulé le",
        "Voided at",
        Value::Moment(voided.at_ms),
    );
    section.fact(
        "void_reason",
        "Motif",
        "Reason",
        Value::Text(body.reason.clone()),
    );
    section.fact(
        "voided_by",
        "Annulé par",
        "Voided by",
        Value::Text(facts::badges(&body.by, &body.second)),
    );
    section.fact(
        "refund_tickets",
        "Billets à rembourser",
        "Tickets to refund",
        Value::Count(body.tickets),
    );
    section.total(
        "refund",
        "Remboursements",
        "Refunds",
        Value::Money(body.refund_cents),
    );
}

/// What the prizes come to, and what the cap leaves of them.
fn computed(section: &mut Section, body: &DrawSettled, cap_cents: i64) {
    let computed = body.small_cents.saturating_add(body.large_cents);
    section.fact(
        "winners",
        "Billets gagnants",
        "Winning tickets",
        Value::Count(body.winners),
    );
    section.fact(
        "small",
        "Lots au-dessous du seuil, calculés",
        "Prizes below the threshold, computed",
        Value::Money(body.small_cents),
    );
    section.fact(
        "large",
        "Autres lots, calculés",
        "Other prizes, computed",
        Value::Money(body.large_cents),
    );
    section.fact(
        "computed",
        "Total calculé",
        "Total computed",
        Value::Money(computed),
    );
    section.fact(
        "cap_applied",
        "Maximum appliqué",
        "Maximum applied",
        if computed > cap_cents {
            words("oui", "yes")
        } else {
            words("non", "no")
        },
    );
    section.fact(
        "small_factor",
        "Facteur des lots sous le seuil",
        "Factor of the prizes below",
        Value::Fraction(body.small_numerator, body.small_denominator),
    );
    section.fact(
        "large_factor",
        "Facteur des autres lots",
        "Factor of the other prizes",
        Value::Fraction(body.large_numerator, body.large_denominator),
    );
}

/// What is paid, and what the house keeps.
fn payable(section: &mut Section, facts: &DrawFacts, body: &DrawSettled) {
    section.total(
        "payable",
        "Total payable",
        "Total payable",
        Value::Money(body.payable_cents),
    );
    section.fact(
        "breakage",
        "Reste d’arrondi",
        "Breakage",
        Value::Money(body.breakage_cents),
    );
    if let Some(closed) = &facts.closed {
        let hold = closed.body.wagered_cents.saturating_sub(body.payable_cents);
        section.fact(
            "hold",
            "Mises moins lots",
            "Wagers less prizes",
            Value::Money(hold),
        );
    }
    section.fact(
        "prize_root",
        "Racine de la liste des lots",
        "Root of the prize list",
        Value::Hash(body.prize_root),
    );
}

fn totals(facts: &DrawFacts) -> Section {
    let mut section = Section::new("totals", "Lots", "Prizes");
    if let Some(voided) = &facts.voided {
        refunds(&mut section, voided);
        return section;
    }
    let Some(settled) = &facts.settled else {
        section.note(
            "Les lots ne sont pas encore fixés.",
            "Prizes are not fixed yet.",
        );
        return section;
    };
    computed(&mut section, &settled.body, facts.scheduled.body.cap_cents);
    payable(&mut section, facts, &settled.body);
    section
}

fn events(facts: &DrawFacts) -> Section {
    let mut section = Section::new("incidents", "Interruptions", "Interruptions");
    let rows = facts
        .incidents
        .iter()
        .map(|fact| {
            vec![
                Value::Moment(fact.at_ms),
                facts::kind(fact.event.kind()).into(),
                Value::text_or_absent(facts::by(&fact.event)),
                facts::detail(&fact.event).into(),
            ]
        })
        .collect();
    section.table(
        vec![
            column("at", "Quand", "When"),
            column("kind", "Quoi", "What"),
            column("by", "Par", "By"),
            column("detail", "Motif", "Reason"),
        ],
        rows,
        words("Aucune.", "None."),
    );
    section
}

fn leaves(facts: &DrawFacts) -> Section {
    let mut section = Section::new("leaves", "Feuilles du registre", "Leaves of the record");
    let rows = facts
        .leaves
        .iter()
        .map(|fact| {
            vec![
                Value::Leaf(fact.leaf),
                facts::kind(fact.event.kind()).into(),
                Value::Moment(fact.at_ms),
                Value::Hash(fact.leaf_hash),
            ]
        })
        .collect();
    section.table(
        vec![
            column("leaf", "Feuille", "Leaf"),
            column("kind", "Quoi", "What"),
            column("at", "Quand", "When"),
            column("leaf_hash", "Empreinte", "Hash"),
        ],
        rows,
        words("Aucune.", "None."),
    );
    section
}

fn verify(house: &House, facts: &DrawFacts) -> Section {
    let mut section = Section::new("verify", "Comment vérifier", "How to verify");
    let draw = facts.scheduled.body.draw;
    section.note(
        format!(
            "1. Recalculer les numéros : la transcription (/api/v1/draws/{draw}/transcript) donne \
             le sceau, les engagements et les secrets ; DRAW.md dit chaque octet, de HKDF-SHA256 \
             à l’ordre de sortie. Maison : {}.",
            house.code
        ),
        format!(
            "1. Compute the numbers again: the transcript (/api/v1/draws/{draw}/transcript) gives \
             seal, commitments and secrets; DRAW.md says every byte, from HKDF-SHA256 to the \
             order drawn. House: {}.",
            house.code
        ),
    );
    section.note(
        "2. Vérifier que chaque engagement précède la première mise et que la racine du sceau est \
         celle du journal publié (/log/inclusion, /log/consistency), à partir d’un point de \
         contrôle gardé hors de la maison.",
        "2. Check that each commitment comes before the first wager and that the root of the seal \
         is that of the published log (/log/inclusion, /log/consistency), from a checkpoint kept \
         out of the house's reach.",
    );
    section.note(
        "3. Recalculer gagnants et lots à partir des billets scellés : keno-central export, puis \
         keno-audit verify, qui ne partage aucun calcul avec central.",
        "3. Compute winners and prizes again from the sealed tickets: keno-central export, then \
         keno-audit verify, which shares no arithmetic with central.",
    );
    let assurance = Assurance::of(facts.scheduled.body.holders.len());
    if facts.scheduled.body.source != DrawSource::Balls {
        section.note(assurance.sentence_fr(), assurance.sentence_en());
    }
    section.blocks.push(Block::Signatures(vec![words(
        "Vérifié par (insigne)",
        "Verified by (badge)",
    )]));
    section
}

/// What the leaves say, as a sheet.
pub fn sheet(house: &House, facts: &DrawFacts) -> Sheet {
    let number = crate::pages::draw_number(facts.scheduled.body.draw);
    Sheet {
        title: words(
            format!("Feuille du tirage {number}"),
            format!("Draw sheet {number}"),
        ),
        house: house.name.clone(),
        made_at_ms: house.now_ms,
        calendar: house.calendar,
        sections: vec![
            identity(facts),
            numbers(facts),
            totals(facts),
            seal(facts),
            holders(facts),
            events(facts),
            leaves(facts),
            verify(house, facts),
        ],
    }
}

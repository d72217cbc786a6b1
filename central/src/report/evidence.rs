//! The evidence pack of one control number: what was registered, what happened, what it comes
//! to, and the proof that all of it stands in the log.

mod money;
mod read;

use keno_game::{Intake, SelectionType, TicketState, selection_letter};
use keno_log::event::TicketSold;
use keno_wire::reply::{SelectionView, TicketView};
use money::{evaluation, payments};

use super::sheet::{Block, Section, Sheet, Value, Words, column, words};
use super::{House, facts};
use crate::convert;
use crate::pages::view::Purpose;

pub use read::{Pack, read};

fn type_words(kind: u8) -> Words {
    match SelectionType::from_number(kind) {
        Some(kind) => words(kind.name_fr(), kind.name_en()),
        None => words("unknown", "unknown"),
    }
}

fn list(numbers: &[u8]) -> String {
    let each: Vec<String> = numbers
        .iter()
        .map(|number| format!("{number:02}"))
        .collect();
    each.join(" ")
}

fn numbers_of(selection: &SelectionView) -> Words {
    let groups: Vec<String> = selection.groups.iter().map(|group| list(group)).collect();
    let groups = groups.join(" / ");
    if selection.kings.is_empty() {
        return words(groups.clone(), groups);
    }
    let kings = list(&selection.kings);
    words(
        format!("{groups} · roi {kings}"),
        format!("{groups} · king {kings}"),
    )
}

fn composition(selection: &SelectionView) -> Words {
    let in_one = |amount: fn(&Words) -> &String| {
        selection
            .conditioning
            .iter()
            .map(|line| {
                let cents = facts::amount(line.wager_cents);
                format!("{}/{} @ {}", line.ways, line.spots, amount(&cents))
            })
            .collect::<Vec<_>>()
            .join(", ")
    };
    words(in_one(|words| &words.fr), in_one(|words| &words.en))
}

fn verdict(pack: &Pack) -> Section {
    let mut section = Section::new("verdict", "Verdict", "Verdict");
    let said = convert::verdict_view(&pack.record.verdict, true);
    section.total(
        "verdict",
        "Selon le registre",
        "By the record",
        words(said.sentence.fr, said.sentence.en).into(),
    );
    section.fact(
        "state",
        "État du billet",
        "State of the ticket",
        match convert::ticket_state(&pack.record.picture.row) {
            TicketState::Sold => words("enregistré et payé", "registered and paid for"),
            TicketState::Cancelled => {
                words("annulé avant la fermeture", "cancelled before the close")
            }
            TicketState::VoidUnpaid => words(
                "nul, mise non payée (art. 83)",
                "void, wager not paid (s. 83)",
            ),
        },
    );
    section.fact(
        "held",
        "Retenu",
        "Held",
        if pack.record.picture.held {
            words("oui", "yes")
        } else {
            words("non", "no")
        },
    );
    section.fact(
        "presented_at",
        "Présenté en réclamation",
        "Presented as a claim",
        pack.record
            .picture
            .row
            .presented_at_ms
            .map_or(Value::Absent, Value::Moment),
    );
    section.fact(
        "asked_by",
        "Demandé par",
        "Asked by",
        Value::Text(pack.badge.clone()),
    );
    let purpose = match pack.purpose {
        Purpose::Claim => words("réclamation", "claim"),
        Purpose::Complaint => words("plainte", "complaint"),
        Purpose::Sampling => words("échantillonnage", "sampling"),
        Purpose::Inquiry => words("enquête", "inquiry"),
    };
    section.fact(
        "purpose",
        "Motif inscrit au journal d’accès",
        "Purpose in the access log",
        purpose,
    );
    section
}

/// Selections and wagers.
fn wagers(section: &mut Section, view: &TicketView, sold: &TicketSold) {
    let rows = view
        .selections
        .iter()
        .zip(&sold.selections)
        .enumerate()
        .map(|(index, (selection, record))| {
            let pick = |fr: &str, en: &str| {
                words(
                    format!("{}{fr}", type_words(record.kind).fr),
                    format!("{}{en}", type_words(record.kind).en),
                )
            };
            vec![
                Value::Text(selection_letter(index)),
                words(
                    selection.game_name.fr.clone(),
                    selection.game_name.en.clone(),
                )
                .into(),
                if selection.quick_pick {
                    pick(" (mise-éclair)", " (quick pick)").into()
                } else {
                    pick("", "").into()
                },
                numbers_of(selection).into(),
                composition(selection).into(),
                Value::Money(selection.per_draw_cents),
            ]
        })
        .collect();
    section.note(
        "1° Sélections et 2° mises par tirage",
        "(1) Selections and (2) wagers per draw",
    );
    section.table(
        vec![
            column("selection", "Sél.", "Sel."),
            column("game", "Jeu", "Game"),
            column("type", "Type", "Type"),
            column("numbers", "Numéros", "Numbers"),
            column("composition", "Composition", "Conditioning"),
            column("wager", "Par tirage", "Per draw"),
        ],
        rows,
        words("Aucune.", "None."),
    );
    section.fact(
        "per_draw",
        "2° Mise par tirage",
        "(2) Wager per draw",
        Value::Money(view.per_draw_cents),
    );
    section.total(
        "total",
        "2° Mise totale",
        "(2) Total wager",
        Value::Money(view.total_cents),
    );
}

/// The draws in which the ticket takes part.
fn ranged(section: &mut Section, view: &TicketView) {
    section.fact(
        "first_draw",
        "3° Premier tirage",
        "(3) First draw",
        Value::Draw(view.first.draw),
    );
    section.fact(
        "last_draw",
        "3° Dernier tirage",
        "(3) Last draw",
        Value::Draw(view.last.draw),
    );
    section.fact(
        "first_at",
        "3° Premier tirage prévu",
        "(3) First draw planned",
        Value::Moment(view.first.draws_at_ms),
    );
    section.fact(
        "last_at",
        "3° Dernier tirage prévu",
        "(3) Last draw planned",
        Value::Moment(view.last.draws_at_ms),
    );
}

/// Control number, maximum, and where and until when to claim.
fn claimed(section: &mut Section, view: &TicketView, claim_by: u32) {
    section.total(
        "control_number",
        "4° Numéro de contrôle",
        "(4) Control number",
        Value::ControlNumber(view.control_number.clone()),
    );
    section.fact(
        "cap",
        "5° Maximum payable en lots par tirage",
        "(5) Maximum payable per draw",
        Value::Money(view.cap_cents),
    );
    section.fact(
        "claim_by",
        "6° Réclamer au plus tard le",
        "(6) Claim by",
        Value::Day(claim_by),
    );
    section.fact(
        "claim_place",
        "6° Lieu de réclamation",
        "(6) Where to claim",
        words(view.claim_place.fr.clone(), view.claim_place.en.clone()),
    );
    section.fact(
        "cage_from",
        "6° Ailleurs à partir de",
        "(6) Elsewhere from",
        Value::Money(view.cage_from_cents),
    );
    section.fact(
        "cage_place",
        "6° Lieu de réclamation à partir de là",
        "(6) Where to claim from there on",
        words(view.cage_place.fr.clone(), view.cage_place.en.clone()),
    );
}

fn six_facts(pack: &Pack) -> Section {
    let view = &pack.record.view;
    let mut section = Section::new(
        "facts",
        "Les six renseignements de l’article 82, tels qu’enregistrés",
        "The six facts of section 82, as registered",
    );
    wagers(&mut section, view, &pack.record.sold);
    ranged(&mut section, view);
    claimed(&mut section, view, pack.record.sold.claim_by);
    section
}

fn sale(pack: &Pack) -> Section {
    let view = &pack.record.view;
    let sold = &pack.record.sold;
    let mut section = Section::new("sale", "Enregistrement", "Registration");
    section.fact(
        "sold_at",
        "Enregistré le",
        "Registered at",
        Value::Moment(view.sold_at_ms),
    );
    section.fact(
        "ticket",
        "Billet (feuille)",
        "Ticket (leaf)",
        Value::Leaf(view.ticket),
    );
    section.fact(
        "terminal",
        "Terminal",
        "Terminal",
        Value::Text(view.terminal.clone()),
    );
    section.fact("badge", "Préposé", "Clerk", Value::Text(view.badge.clone()));
    section.fact("shift", "Quart", "Shift", Value::Count(sold.shift));
    section.fact(
        "tender",
        "Mode de paiement",
        "Tender",
        facts::tender(sold.tender),
    );
    section.fact(
        "received",
        "Reçu du joueur",
        "Received",
        Value::Money(view.received_cents),
    );
    section.fact("change", "Rendu", "Change", Value::Money(view.change_cents));
    let intake = match Intake::from_number(sold.intake) {
        Some(Intake::Slip) => words("fiche de sélection", "selection slip"),
        Some(Intake::ESlip) => words("fiche électronique", "e-slip"),
        Some(Intake::Screen) => words("à l’écran", "on screen"),
        Some(Intake::Replay) => words("rejouer", "replay"),
        Some(Intake::Express) => words("fiche express", "express slip"),
        None => words("unknown", "unknown"),
    };
    section.fact("intake", "Reçu par", "Taken in by", intake);
    section.fact(
        "copy",
        "Exemplaire en vigueur",
        "Copy in force",
        Value::Count(u64::from(view.copy)),
    );
    section.fact(
        "rule_book",
        "Version des règles",
        "Version of the rules",
        Value::Count(u64::from(view.rule_book)),
    );
    section
}

fn life(pack: &Pack) -> Section {
    let mut section = Section::new("life", "Ligne de vie", "Life line");
    let rows = pack
        .record
        .facts
        .iter()
        .map(|fact| {
            vec![
                Value::Leaf(fact.leaf),
                Value::Moment(fact.at_ms),
                facts::kind(fact.event.kind()).into(),
                Value::text_or_absent(facts::by(&fact.event)),
                facts::detail(&fact.event).into(),
            ]
        })
        .collect();
    section.table(
        vec![
            column("leaf", "Feuille", "Leaf"),
            column("at", "Quand", "When"),
            column("kind", "Quoi", "What"),
            column("by", "Par", "By"),
            column("detail", "Détail", "Detail"),
        ],
        rows,
        words("Aucun fait.", "No fact."),
    );
    section
}

fn proofs(pack: &Pack) -> Section {
    let mut section = Section::new("proofs", "Preuves d’inclusion", "Inclusion proofs");
    section.fact(
        "size",
        "Point de contrôle : feuilles",
        "Checkpoint: leaves",
        Value::Leaf(pack.checkpoint.size),
    );
    section.fact("root", "Racine", "Root", Value::Hash(pack.checkpoint.root));
    section.blocks.push(Block::Verbatim {
        name: "note",
        label: words(
            "Note signée par la clé de journal de la maison (C2SP) :",
            "Note signed by the house's log key (C2SP):",
        ),
        lines: pack.checkpoint.note.lines().map(str::to_owned).collect(),
    });
    let mut rows = Vec::new();
    for proof in &pack.proofs {
        rows.push(vec![
            Value::Leaf(proof.leaf),
            words("empreinte de la feuille", "leaf hash").into(),
            Value::Hash(proof.leaf_hash),
            if proof.holds {
                words("mène à la racine", "leads to the root").into()
            } else {
                words("NE MÈNE PAS À LA RACINE", "DOES NOT LEAD TO THE ROOT").into()
            },
        ]);
        for (step, hash) in proof.path.iter().enumerate() {
            rows.push(vec![
                Value::Leaf(proof.leaf),
                words(
                    format!("voisin {}", step + 1),
                    format!("sibling {}", step + 1),
                )
                .into(),
                Value::Hash(*hash),
                Value::Text(String::new()),
            ]);
        }
    }
    section.table(
        vec![
            column("leaf", "Feuille", "Leaf"),
            column("what", "Quoi", "What"),
            column("hash", "SHA-256", "SHA-256"),
            column("holds", "Preuve", "Proof"),
        ],
        rows,
        words("Aucune.", "None."),
    );
    section
}

fn statement() -> Section {
    let mut section = Section::new(
        "statement",
        "Ce que ce dossier prouve",
        "What this pack proves",
    );
    section.note(
        "Il prouve que les faits ci-dessus, avec leur heure et leur ordre, sont ceux que central a \
         inscrits sous le point de contrôle nommé : changer un seul octet d’une feuille changerait \
         la racine. Comparé à un point de contrôle gardé ailleurs (autre billet, ancre, bureau \
         d’audit), il prouve que le registre n’a pas été réécrit depuis. En cas de divergence avec \
         le papier, le registre prévaut (art. 84).",
        "It proves that the facts above, with their time and order, are those that central recorded \
         under the named checkpoint: changing one byte of a leaf would change the root. Compared \
         with a checkpoint kept elsewhere (another ticket, an anchor, the audit office), it proves \
         that the record was not rewritten since. Where paper and record differ, the record \
         prevails (s. 84).",
    );
    section.note(
        "Il ne prouve pas qui tenait le papier, ni que l’argent a changé de mains, ni qu’un fait \
         jamais inscrit n’a pas eu lieu. Que les numéros n’aient pas été choisis se vérifie par la \
         transcription du tirage ; que les lots soient exacts, par keno-audit sur le registre \
         exporté.",
        "It does not prove who held the paper, nor that money changed hands, nor that something \
         never recorded did not happen. That the numbers were not chosen is checked by the draw's \
         transcript; that the prizes are right, by keno-audit over the exported record.",
    );
    section.note(
        "Pour vérifier une preuve : RFC 6962 (2.1.1), de l’empreinte de la feuille à la racine, un \
         voisin à la fois ; FORMAT.md dit les octets d’une feuille.",
        "To check a proof: RFC 6962 (2.1.1), from the leaf hash to the root, one sibling at a time; \
         FORMAT.md says the bytes of a leaf.",
    );
    section.blocks.push(Block::Signatures(vec![words(
        "Établi et vérifié par (insigne)",
        "Made and verified by (badge)",
    )]));
    section
}

/// Everything, as a sheet.
pub fn evidence(house: &House, pack: &Pack) -> Sheet {
    let number = super::sheet::by_fours(&pack.record.view.control_number, '\u{a0}');
    Sheet {
        title: words(
            format!("Dossier de preuve · {number}"),
            format!("Evidence pack · {number}"),
        ),
        house: house.name.clone(),
        made_at_ms: house.now_ms,
        calendar: house.calendar,
        sections: vec![
            verdict(pack),
            six_facts(pack),
            sale(pack),
            life(pack),
            evaluation(pack),
            payments(pack),
            proofs(pack),
            statement(),
        ],
    }
}

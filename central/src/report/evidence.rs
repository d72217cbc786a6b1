//! The evidence pack of one control number: what was registered, what happened, what it comes
//! to, and the proof that all of it stands in the log.

use keno_log::checkpoint::{self, Checkpoint};
use keno_log::proof::{inclusion_proof, verify_inclusion};
use keno_log::{Event, Hash};
use keno_service::central::Central;
use keno_service::fault::{Fault, Stop};
use keno_service::keys::signing_key;
use keno_service::maintenance::on_snapshot;
use keno_service::publish::SignedCheckpoint;
use keno_service::store::log;
use keno_wire::reply::SelectionView;

use super::sheet::{Block, Section, Sheet, Value, Words, column, words};
use super::{Asking, House, facts};
use crate::api::{AuditRecord, audit_record, recomputed_by};
use crate::convert;
use crate::log_site::TreeReader;
use crate::server::App;

/// A proof that a leaf stands in the tree of the checkpoint.
#[derive(Debug, Clone)]
pub struct Proof {
    /// Leaf index.
    pub leaf: u64,
    /// Its hash.
    pub leaf_hash: Hash,
    /// Hashes from the leaf's sibling upwards.
    pub path: Vec<Hash>,
    /// The path leads to the root.
    pub holds: bool,
}

/// Everything that the pack says.
#[derive(Debug)]
pub struct Pack {
    /// What is on record.
    pub record: AuditRecord,
    /// Where the proofs lead to.
    pub checkpoint: SignedCheckpoint,
    /// One for each fact, the sale first.
    pub proofs: Vec<Proof>,
    /// Who asked.
    pub badge: String,
    /// Why.
    pub purpose: String,
}

/// The newest published checkpoint if it covers `last`; else one of the head, signed here.
fn checkpoint_over(central: &Central, last: u64) -> Result<SignedCheckpoint, Fault> {
    if let Some(newest) = central.checkpoint().filter(|newest| newest.size > last) {
        return Ok(newest.as_ref().clone());
    }
    let mut reader = central.readers.get()?;
    let (edge, _) =
        log::head(&mut reader)?.ok_or_else(|| Fault::Record("the record is empty".to_owned()))?;
    let key = signing_key(&central.keys, &central.origin).ok_or(Fault::Crypto("the log key"))?;
    let (size, root) = (edge.size(), edge.root());
    let note = checkpoint::sign(&Checkpoint::new(&central.origin, size, root), &key)
        .map_err(|_| Fault::Crypto("a checkpoint"))?;
    Ok(SignedCheckpoint { size, root, note })
}

/// Reads everything; the question is on disk in the access log before the answer is read.
pub fn read(app: &App, asking: Asking<'_>, code: &str) -> Result<Pack, Stop> {
    let record = audit_record(app, asking.badge, asking.device, code, asking.purpose)?;
    let last = record.facts.iter().map(|fact| fact.leaf).max().unwrap_or(0);
    let checkpoint = checkpoint_over(&app.central, last)?;
    let mut reader = app.central.readers.get().map_err(Fault::from)?;
    let proofs = on_snapshot(&mut reader, |reader| {
        let mut tree = TreeReader::new(reader, &app.tile_roots, checkpoint.size);
        record
            .facts
            .iter()
            .map(|fact| {
                let mut node = |level, index| tree.node(level, index);
                let path =
                    inclusion_proof(fact.leaf, checkpoint.size, &mut node).map_err(|fault| {
                        Fault::Record(format!("no proof for leaf {}: {fault}", fact.leaf))
                    })?;
                let (size, root) = (checkpoint.size, &checkpoint.root);
                Ok(Proof {
                    leaf: fact.leaf,
                    leaf_hash: fact.leaf_hash,
                    holds: verify_inclusion(&fact.leaf_hash, fact.leaf, size, &path, root).is_ok(),
                    path,
                })
            })
            .collect::<Result<Vec<_>, Fault>>()
    })?;
    Ok(Pack {
        record,
        checkpoint,
        proofs,
        badge: asking.badge.to_owned(),
        purpose: asking.purpose.to_owned(),
    })
}

fn letter(index: usize) -> String {
    u8::try_from(index)
        .ok()
        .filter(|index| *index < 26)
        .map_or_else(
            || (index + 1).to_string(),
            |index| char::from(b'A' + index).to_string(),
        )
}

fn type_words(kind: &str) -> Words {
    match kind {
        "straight" => words("simple", "straight"),
        "way" => words("combinaison", "way"),
        "king" => words("numéro roi", "king"),
        other => words(other, other),
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
        match pack.record.picture.row.state {
            1 => words("enregistré et payé", "registered and paid for"),
            2 => words("annulé avant la fermeture", "cancelled before the close"),
            _ => words(
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
    let purpose = match pack.purpose.as_str() {
        "claim" => words("réclamation", "claim"),
        "complaint" => words("plainte", "complaint"),
        "sampling" => words("échantillonnage", "sampling"),
        _ => words("enquête", "inquiry"),
    };
    section.fact(
        "purpose",
        "Motif inscrit au journal d’accès",
        "Purpose in the access log",
        purpose,
    );
    section
}

fn six_facts(pack: &Pack) -> Section {
    let view = &pack.record.view;
    let sold = &pack.record.sold;
    let mut section = Section::new(
        "facts",
        "Les six renseignements de l’article 82, tels qu’enregistrés",
        "The six facts of section 82, as registered",
    );
    let rows = view
        .selections
        .iter()
        .enumerate()
        .map(|(index, selection)| {
            let pick = |fr: &str, en: &str| {
                words(
                    format!("{}{fr}", type_words(&selection.kind).fr),
                    format!("{}{en}", type_words(&selection.kind).en),
                )
            };
            vec![
                Value::Text(letter(index)),
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
        Value::Day(sold.claim_by),
    );
    section.fact(
        "claim_place",
        "6° Lieu de réclamation",
        "(6) Where to claim",
        words(view.claim_place.fr.clone(), view.claim_place.en.clone()),
    );
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
    let intake = match view.intake.as_str() {
        "slip" => words("fiche de sélection", "selection slip"),
        "e_slip" => words("fiche électronique", "e-slip"),
        "screen" => words("à l’écran", "on screen"),
        "replay" => words("rejouer", "replay"),
        "express" => words("fiche express", "express slip"),
        other => words(other, other),
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

fn payment_words(state: &str, kind: &str) -> Words {
    match (state, kind) {
        ("paid", "refund") => words("remboursé", "refunded"),
        ("paid", _) => words("payé", "paid"),
        ("unpaid", _) => words("à payer", "unpaid"),
        ("expired", _) => words("expiré", "expired"),
        _ => words("rien à payer", "nothing due"),
    }
}

fn draw_state(state: &str) -> Words {
    match state {
        "to_come" => words("à venir", "to come"),
        "being_verified" => words("en vérification", "being verified"),
        "settled" => words("réglé", "settled"),
        "void" => words("annulé", "void"),
        other => words(other, other),
    }
}

fn evaluation(pack: &Pack) -> Section {
    let mut section = Section::new(
        "evaluation",
        "Évaluation par tirage : inscrit et recalculé",
        "Evaluation per draw: stored and recomputed",
    );
    let rows = pack
        .record
        .draws
        .iter()
        .map(|draw| {
            let stored = &draw.stored;
            let sum = draw.agrees.map(|_| {
                draw.recomputed
                    .iter()
                    .fold(0_i64, |sum, line| sum.saturating_add(line.payable_cents))
            });
            vec![
                Value::Draw(stored.draw.draw),
                draw_state(&stored.state).into(),
                Value::Money(stored.computed_cents),
                Value::Money(stored.payable_cents),
                sum.map_or(Value::Absent, Value::Money),
                match draw.agrees {
                    None => Value::Absent,
                    Some(true) => words("oui", "yes").into(),
                    Some(false) => words("NON", "NO").into(),
                },
                payment_words(&stored.payment, &stored.kind).into(),
            ]
        })
        .collect();
    section.table(
        vec![
            column("draw", "Tirage", "Draw"),
            column("state", "État", "State"),
            column("computed", "Calculé", "Computed"),
            column("payable", "Payable inscrit", "Payable stored"),
            column("recomputed", "Payable recalculé", "Payable recomputed"),
            column("agrees", "Concorde", "Agrees"),
            column("payment", "Paiement", "Payment"),
        ],
        rows,
        words("Aucun tirage.", "No draw."),
    );
    let drawn = pack
        .record
        .draws
        .iter()
        .filter(|draw| !draw.stored.balls.is_empty())
        .map(|draw| {
            vec![
                Value::Draw(draw.stored.draw.draw),
                Value::Numbers(draw.stored.balls.clone()),
            ]
        })
        .collect::<Vec<_>>();
    if !drawn.is_empty() {
        section.blocks.push(Block::Table {
            columns: vec![
                column("draw", "Tirage", "Draw"),
                column(
                    "numbers",
                    "Numéros gagnants dans l’ordre",
                    "Winning numbers in order",
                ),
            ],
            rows: drawn,
        });
    }
    let lines: Vec<Vec<Value>> = pack
        .record
        .draws
        .iter()
        .flat_map(|draw| {
            draw.recomputed.iter().map(|line| {
                vec![
                    Value::Draw(draw.stored.draw.draw),
                    Value::Text(letter(usize::from(line.selection))),
                    Value::Text(line.catches.clone()),
                    Value::Money(line.computed_cents),
                    Value::Money(line.payable_cents),
                ]
            })
        })
        .collect();
    if !lines.is_empty() {
        section.blocks.push(Block::Table {
            columns: vec![
                column("draw", "Tirage", "Draw"),
                column("selection", "Sél.", "Sel."),
                column("catches", "Numéros trouvés", "Catches"),
                column("computed", "Recalculé", "Recomputed"),
                column("payable", "Payable", "Payable"),
            ],
            rows: lines,
        });
    }
    let by = recomputed_by();
    section.note(by.fr, by.en);
    section
}

fn payments(pack: &Pack) -> Section {
    let mut section = Section::new("payments", "Paiements", "Payments");
    let reversed = |payment: u64| {
        pack.record.facts.iter().any(
            |fact| matches!(&fact.event, Event::PaymentReversed(body) if body.payment == payment),
        )
    };
    let rows = pack
        .record
        .facts
        .iter()
        .filter_map(|fact| match &fact.event {
            Event::PrizePaid(body) => Some((fact, body)),
            _ => None,
        })
        .flat_map(|(fact, body)| {
            let state = if reversed(fact.leaf) {
                words("annulé", "reversed")
            } else {
                words("remis", "handed over")
            };
            body.items.iter().map(move |item| {
                vec![
                    Value::Leaf(fact.leaf),
                    Value::Moment(fact.at_ms),
                    Value::Draw(item.draw),
                    if item.kind == 2 {
                        words("remboursement", "refund").into()
                    } else {
                        words("lot", "prize").into()
                    },
                    Value::Money(item.amount_cents),
                    facts::tender(body.tender).into(),
                    Value::Text(facts::badges(
                        &body.badge,
                        body.second.as_deref().unwrap_or_default(),
                    )),
                    state.clone().into(),
                ]
            })
        })
        .collect();
    section.table(
        vec![
            column("payment", "Paiement", "Payment"),
            column("at", "Quand", "When"),
            column("draw", "Tirage", "Draw"),
            column("kind", "Quoi", "What"),
            column("amount", "Montant", "Amount"),
            column("tender", "Mode", "Tender"),
            column("by", "Par", "By"),
            column("state", "État", "State"),
        ],
        rows,
        words("Aucun paiement.", "No payment."),
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

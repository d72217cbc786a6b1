//! The evidence pack of one control number: what was registered, what happened, what it comes
//! to, and the proof that all of it stands in the log.

mod money;
mod read;

use keno_game::{Intake, SelectionType, TicketState, selection_letter};
use keno_log::event::TicketSold;
use keno_wire::reply::{SelectionView, TicketView};
use keno_words::report;
use money::{evaluation, payments};

use super::sheet::{Block, Section, Sheet, Value, Words, column, said, words};
use super::{House, facts};
use crate::convert;
use crate::pages::view::Purpose;

pub use read::{Pack, read};

fn type_words(kind: u8) -> Words {
    match SelectionType::from_number(kind) {
        Some(kind) => words(kind.name_fr(), kind.name_en()),
        None => said(&"unknown"),
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
        return said(&groups);
    }
    let kings = list(&selection.kings);
    said(&report::GroupsAndKings {
        groups: &groups,
        kings: &kings,
    })
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
    Words {
        fr: in_one(|words| &words.fr),
        en: in_one(|words| &words.en),
    }
}

fn verdict(pack: &Pack) -> Section {
    let mut section = Section::new("verdict", &"Verdict");
    let verdict = convert::verdict_view(&pack.record.verdict, true);
    section.total("verdict", &report::ByRecord, said(&verdict.sentence).into());
    section.fact(
        "state",
        &report::StateOfTicket,
        match convert::ticket_state(&pack.record.picture.row) {
            TicketState::Sold => said(&report::RegisteredAndPaidFor),
            TicketState::Cancelled => said(&report::CancelledBeforeClose),
            TicketState::VoidUnpaid => said(&report::VoidWagerNotPaid),
        },
    );
    section.fact(
        "held",
        &report::Held,
        if pack.record.picture.held {
            said(&report::Yes)
        } else {
            said(&report::No)
        },
    );
    section.fact(
        "presented_at",
        &report::PresentedAsClaim,
        pack.record
            .picture
            .row
            .presented_at_ms
            .map_or(Value::Absent, Value::Moment),
    );
    section.fact(
        "asked_by",
        &report::AskedBy,
        Value::Text(pack.badge.clone()),
    );
    let purpose = match pack.purpose {
        Purpose::Claim => said(&report::Claim),
        Purpose::Complaint => said(&report::Complaint),
        Purpose::Sampling => said(&report::Sampling),
        Purpose::Inquiry => said(&report::Inquiry),
    };
    section.fact("purpose", &report::PurposeInAccessLog, purpose);
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
            // A set has no other name than its game's.
            let is_named = SelectionType::from_number(record.kind).is_some_and(|it| it.is_named());
            let kind = match is_named {
                true => said(&selection.game_name),
                false => type_words(record.kind),
            };
            vec![
                Value::Text(selection_letter(index)),
                said(&selection.game_name).into(),
                if selection.quick_pick {
                    said(&report::QuickPick { kind: &kind }).into()
                } else {
                    kind.into()
                },
                numbers_of(selection).into(),
                composition(selection).into(),
                Value::Money(selection.per_draw_cents),
            ]
        })
        .collect();
    section.note(&report::SelectionsAndWagers);
    section.table(
        vec![
            column("selection", &report::SelectionShort),
            column("game", &report::Game),
            column("type", &"Type"),
            column("numbers", &report::Numbers),
            column("composition", &report::Conditioning),
            column("wager", &report::PerDraw),
        ],
        rows,
        said(&report::None),
    );
    section.fact(
        "per_draw",
        &report::WagerPerDraw,
        Value::Money(view.per_draw_cents),
    );
    section.total("total", &report::TotalWager, Value::Money(view.total_cents));
}

/// The draws in which the ticket takes part.
fn ranged(section: &mut Section, view: &TicketView) {
    section.fact(
        "first_draw",
        &report::FirstDraw,
        Value::Draw(view.first.draw),
    );
    section.fact("last_draw", &report::LastDraw, Value::Draw(view.last.draw));
    section.fact(
        "first_at",
        &report::FirstDrawPlanned,
        Value::Moment(view.first.draws_at_ms),
    );
    section.fact(
        "last_at",
        &report::LastDrawPlanned,
        Value::Moment(view.last.draws_at_ms),
    );
}

/// Control number, maximum, and where and until when to claim.
fn claimed(section: &mut Section, view: &TicketView, claim_by: u32) {
    section.total(
        "control_number",
        &report::ControlNumber,
        Value::ControlNumber(view.control_number.clone()),
    );
    section.fact(
        "cap",
        &report::MaximumPayablePerDraw,
        Value::Money(view.cap_cents),
    );
    section.fact("claim_by", &report::ClaimBy, Value::Day(claim_by));
    section.fact(
        "claim_place",
        &report::WhereToClaim,
        said(&view.claim_place),
    );
    section.fact(
        "cage_from",
        &report::ElsewhereFrom,
        Value::Money(view.cage_from_cents),
    );
    section.fact(
        "cage_place",
        &report::WhereToClaimFrom,
        said(&view.cage_place),
    );
}

fn six_facts(pack: &Pack) -> Section {
    let view = &pack.record.view;
    let mut section = Section::new("facts", &report::SixFacts);
    wagers(&mut section, view, &pack.record.sold);
    ranged(&mut section, view);
    claimed(&mut section, view, pack.record.sold.claim_by);
    section
}

fn sale(pack: &Pack) -> Section {
    let view = &pack.record.view;
    let sold = &pack.record.sold;
    let mut section = Section::new("sale", &report::Registration);
    section.fact(
        "sold_at",
        &report::RegisteredAt,
        Value::Moment(view.sold_at_ms),
    );
    section.fact("ticket", &report::TicketLeaf, Value::Leaf(view.ticket));
    section.fact("terminal", &"Terminal", Value::Text(view.terminal.clone()));
    section.fact("badge", &report::Clerk, Value::Text(view.badge.clone()));
    section.fact("shift", &report::Shift, Value::Count(sold.shift));
    section.fact("tender", &report::Tender, facts::tender(sold.tender));
    section.fact(
        "received",
        &report::Received,
        Value::Money(view.received_cents),
    );
    section.fact("change", &report::Change, Value::Money(view.change_cents));
    let intake = match Intake::from_number(sold.intake) {
        Some(Intake::Slip) => said(&report::SelectionSlip),
        Some(Intake::ESlip) => said(&report::ESlip),
        Some(Intake::Screen) => said(&report::OnScreen),
        Some(Intake::Replay) => said(&report::Replay),
        Some(Intake::Express) => said(&report::ExpressSlip),
        None => said(&"unknown"),
    };
    section.fact("intake", &report::TakenInBy, intake);
    section.fact(
        "copy",
        &report::CopyInForce,
        Value::Count(u64::from(view.copy)),
    );
    section.fact(
        "rule_book",
        &report::VersionOfRules,
        Value::Count(u64::from(view.rule_book)),
    );
    section
}

fn life(pack: &Pack) -> Section {
    let mut section = Section::new("life", &report::LifeLine);
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
            column("leaf", &report::Leaf),
            column("at", &report::When),
            column("kind", &report::What),
            column("by", &report::By),
            column("detail", &report::Detail),
        ],
        rows,
        said(&report::NoFact),
    );
    section
}

fn proofs(pack: &Pack) -> Section {
    let mut section = Section::new("proofs", &report::InclusionProofs);
    section.fact(
        "size",
        &report::CheckpointLeaves,
        Value::Leaf(pack.checkpoint.size),
    );
    section.fact("root", &report::Root, Value::Hash(pack.checkpoint.root));
    section.blocks.push(Block::Verbatim {
        name: "note",
        label: said(&report::SignedNote),
        lines: pack.checkpoint.note.lines().map(str::to_owned).collect(),
    });
    let mut rows = Vec::new();
    for proof in &pack.proofs {
        rows.push(vec![
            Value::Leaf(proof.leaf),
            said(&report::LeafHash).into(),
            Value::Hash(proof.leaf_hash),
            if proof.holds {
                said(&report::LeadsToRoot).into()
            } else {
                said(&report::DoesNotLeadToRoot).into()
            },
        ]);
        for (step, hash) in proof.path.iter().enumerate() {
            rows.push(vec![
                Value::Leaf(proof.leaf),
                said(&report::Sibling { step: &(step + 1) }).into(),
                Value::Hash(*hash),
                Value::Text(String::new()),
            ]);
        }
    }
    section.table(
        vec![
            column("leaf", &report::Leaf),
            column("what", &report::What),
            column("hash", &"SHA-256"),
            column("holds", &report::Proof),
        ],
        rows,
        said(&report::None),
    );
    section
}

fn statement() -> Section {
    let mut section = Section::new("statement", &report::WhatThisPackProves);
    section.note(&report::PackProves);
    section.note(&report::PackDoesNotProve);
    section.note(&report::HowToCheckProof);
    section
        .blocks
        .push(Block::Signatures(vec![said(&report::MadeAndVerifiedBy)]));
    section
}

/// Everything, as a sheet.
pub fn evidence(house: &House, pack: &Pack) -> Sheet {
    let number = super::sheet::by_fours(&pack.record.view.control_number, '\u{a0}');
    Sheet {
        title: said(&report::EvidencePack { number: &number }),
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

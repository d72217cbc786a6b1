//! The evidence pack of one control number: what was registered, what happened, what it comes
//! to, and the proof that all of it stands in the log.

mod money;
mod read;

use keno_game::{Intake, SelectionType, TicketState, selection_letter};
use keno_log::event::{SelectionRecord, TicketSold};
use keno_wire::reply::{Bilingual, SelectionView, TicketView};
use keno_wire::slip;
use keno_words::{Say, report};
use money::{evaluation, payments};

use super::sheet::{Block, Section, Sheet, Value, columns, numbers, rows};
use super::{House, facts};
use crate::convert;
use crate::pages::view::Purpose;
use crate::pages::{Lang, control_number, money};

pub use read::{Pack, read};

fn type_words(kind: u8) -> Bilingual {
    match SelectionType::from_number(kind) {
        Some(kind) => Bilingual::of(slip::type_words(kind)),
        None => Bilingual::of(&"unknown"),
    }
}

fn numbers_of(selection: &SelectionView) -> Value {
    let groups: Vec<String> = selection.groups.iter().map(|one| numbers(one)).collect();
    let groups = &groups.join(" / ");
    if selection.kings.is_empty() {
        return Value::said(groups);
    }
    let kings = &numbers(&selection.kings);
    Value::said(&report::GroupsAndKings { groups, kings })
}

fn composition(selection: &SelectionView) -> Value {
    let in_one = |lang| {
        let lines = selection.conditioning.iter().map(|line| {
            let wager = money(line.wager_cents, lang);
            format!("{}/{} @ {wager}", line.ways, line.spots)
        });
        lines.collect::<Vec<_>>().join(", ")
    };
    Value::Words(Bilingual {
        fr: in_one(Lang::Fr),
        en: in_one(Lang::En),
    })
}

fn verdict(pack: &Pack) -> Section {
    let mut section = Section::new("verdict", &"Verdict");
    let verdict = convert::verdict_view(&pack.record.verdict, true);
    section.total("verdict", &report::ByRecord, Value::said(&verdict.sentence));
    let state: &dyn Say = match convert::ticket_state(&pack.record.picture.ticket) {
        TicketState::Sold => &report::RegisteredAndPaidFor,
        TicketState::Cancelled => &report::CancelledBeforeClose,
        TicketState::VoidUnpaid => &report::VoidWagerNotPaid,
    };
    let purpose: &dyn Say = match pack.purpose {
        Purpose::Claim => &report::Claim,
        Purpose::Complaint => &report::Complaint,
        Purpose::Sampling => &report::Sampling,
        Purpose::Inquiry => &report::Inquiry,
    };
    rows! { section:
        "state" StateOfTicket: Value::said(state),
        "held" Held: facts::yes_or_no(pack.record.picture.held),
        "presented_at" PresentedAsClaim: Value::moment(pack.record.picture.ticket.presented_at_ms()),
        "asked_by" AskedBy: Value::Text(pack.badge.clone()),
        "purpose" PurposeInAccessLog: Value::said(purpose),
    }
    section
}

/// Selections and wagers.
fn wagers(section: &mut Section, view: &TicketView, sold: &TicketSold) {
    let selections: Vec<_> = view
        .selections
        .iter()
        .zip(&sold.selections)
        .enumerate()
        .collect();
    let kind = |(_, (selection, record)): &(usize, (&SelectionView, &SelectionRecord))| {
        // A set has no other name than its game's.
        let is_named = SelectionType::from_number(record.kind).is_some_and(|it| it.is_named());
        let kind = match is_named {
            true => selection.game_name.clone(),
            false => type_words(record.kind),
        };
        match selection.quick_pick {
            true => Value::said(&report::QuickPick { kind: &kind }),
            false => kind.into(),
        }
    };
    section.note(&report::SelectionsAndWagers);
    section.table(
        &selections,
        columns![
            "selection" SelectionShort: |(index, _)| Value::Text(selection_letter(*index)),
            "game" Game: |(_, (one, _))| Value::said(&one.game_name),
            "type" "Type": kind,
            "numbers" Numbers: |(_, (one, _))| numbers_of(one),
            "composition" Conditioning: |(_, (one, _))| composition(one),
            "wager" PerDraw: |(_, (one, _))| Value::Money(one.per_draw_cents),
        ],
        &report::None,
    );
    let per_draw = Value::Money(view.per_draw_cents);
    section.fact("per_draw", &report::WagerPerDraw, per_draw);
    section.total("total", &report::TotalWager, Value::Money(view.total_cents));
}

/// The draws in which the ticket takes part.
fn ranged(section: &mut Section, view: &TicketView) {
    rows! { section:
        "first_draw" FirstDraw: Value::Draw(view.first.draw),
        "last_draw" LastDraw: Value::Draw(view.last.draw),
        "first_at" FirstDrawPlanned: Value::Moment(view.first.draws_at_ms),
        "last_at" LastDrawPlanned: Value::Moment(view.last.draws_at_ms),
    }
}

/// Control number, maximum, and where and until when to claim.
fn claimed(section: &mut Section, view: &TicketView, claim_by: u32) {
    let number = Value::ControlNumber(view.control_number.clone());
    section.total("control_number", &report::ControlNumber, number);
    rows! { section:
        "cap" MaximumPayablePerDraw: Value::Money(view.cap_cents),
        "claim_by" ClaimBy: Value::Day(claim_by),
        "claim_place" WhereToClaim: view.claim_place.clone(),
        "cage_from" ElsewhereFrom: Value::Money(view.cage_from_cents),
        "cage_place" WhereToClaimFrom: view.cage_place.clone(),
    }
}

fn six_facts(pack: &Pack) -> Section {
    let view = &pack.record.view;
    let mut section = Section::new("facts", &report::SixFacts);
    wagers(&mut section, view, &pack.record.picture.ticket.sale);
    ranged(&mut section, view);
    claimed(&mut section, view, pack.record.picture.ticket.sale.claim_by);
    section
}

fn sale(pack: &Pack) -> Section {
    let view = &pack.record.view;
    let sold = &pack.record.picture.ticket.sale;
    let mut section = Section::new("sale", &report::Registration);
    let intake: &dyn Say = match Intake::from_number(sold.intake) {
        Some(Intake::Slip) => &report::SelectionSlip,
        Some(Intake::ESlip) => &report::ESlip,
        Some(Intake::Screen) => &report::OnScreen,
        Some(Intake::Replay) => &report::Replay,
        Some(Intake::Express) => &report::ExpressSlip,
        None => &"unknown",
    };
    rows! { section:
        "sold_at" RegisteredAt: Value::Moment(view.sold_at_ms),
        "ticket" TicketLeaf: Value::Leaf(view.ticket),
        "terminal" "Terminal": Value::Text(view.terminal.clone()),
        "badge" Clerk: Value::Text(view.badge.clone()),
        "shift" Shift: Value::Count(sold.shift),
        "tender" Tender: facts::tender(sold.tender),
        "received" Received: Value::Money(view.received_cents),
        "change" Change: Value::Money(view.change_cents),
        "intake" TakenInBy: Value::said(intake),
        "copy" CopyInForce: Value::Count(view.copy.into()),
        "rule_book" VersionOfRules: Value::Count(view.rule_book.into()),
    }
    section
}

fn life(pack: &Pack) -> Section {
    let mut section = Section::new("life", &report::LifeLine);
    let columns = [
        facts::LEAF,
        facts::AT,
        facts::KIND,
        facts::BY,
        facts::DETAIL,
    ];
    section.table(&pack.record.facts, &columns, &report::NoFact);
    section
}

fn proofs(pack: &Pack) -> Section {
    let mut section = Section::new("proofs", &report::InclusionProofs);
    rows! { section:
        "size" CheckpointLeaves: Value::Leaf(pack.checkpoint.size),
        "root" Root: Value::Hash(pack.checkpoint.root),
    }
    section.blocks.push(Block::Verbatim {
        name: "note",
        label: Bilingual::of(&report::SignedNote),
        lines: pack.checkpoint.note.lines().map(str::to_owned).collect(),
    });
    let mut lines = Vec::new();
    for proof in &pack.proofs {
        let leads = match proof.holds {
            true => Value::said(&report::LeadsToRoot),
            false => Value::said(&report::DoesNotLeadToRoot),
        };
        lines.push((
            proof.leaf,
            Value::said(&report::LeafHash),
            proof.leaf_hash,
            leads,
        ));
        for (step, hash) in proof.path.iter().enumerate() {
            let sibling = Value::said(&report::Sibling { step: &(step + 1) });
            lines.push((proof.leaf, sibling, *hash, Value::Text(String::new())));
        }
    }
    section.table(
        &lines,
        columns![
            "leaf" Leaf: |(leaf, ..)| Value::Leaf(*leaf),
            "what" What: |(_, what, ..)| what.clone(),
            "hash" "SHA-256": |(_, _, hash, _)| Value::Hash(*hash),
            "holds" Proof: |(.., leads)| leads.clone(),
        ],
        &report::None,
    );
    section
}

fn statement() -> Section {
    let mut section = Section::new("statement", &report::WhatThisPackProves);
    section.note(&report::PackProves);
    section.note(&report::PackDoesNotProve);
    section.note(&report::HowToCheckProof);
    section.signatures(&[&report::MadeAndVerifiedBy]);
    section
}

/// Everything, as a sheet.
pub fn evidence(house: &House, pack: &Pack) -> Sheet {
    let number = control_number(&pack.record.view.control_number);
    Sheet {
        title: Bilingual::of(&report::EvidencePack { number: &number }),
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

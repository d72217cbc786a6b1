//! The evidence pack of one control number: what was registered, what happened, what it comes
//! to, and the proof that all of it stands in the log.

mod money;
mod read;

use keno_game::{Intake, SelectionType, TicketState, selection_letter};
use keno_log::event::{SelectionRecord, TicketSold};
use keno_wire::reply::{SelectionView, TicketView};
use keno_wire::slip;
use keno_words::report;
use money::{evaluation, payments};

use super::sheet::{Block, Section, Sheet, Value, Words, numbers, said};
use super::{House, facts};
use crate::convert;
use crate::pages::view::Purpose;

pub use read::{Pack, read};

fn type_words(kind: u8) -> Words {
    match SelectionType::from_number(kind) {
        Some(kind) => said(slip::type_words(kind)),
        None => said(&"unknown"),
    }
}

fn numbers_of(selection: &SelectionView) -> Words {
    let groups: Vec<String> = selection
        .groups
        .iter()
        .map(|group| numbers(group))
        .collect();
    let groups = groups.join(" / ");
    if selection.kings.is_empty() {
        return said(&groups);
    }
    let kings = numbers(&selection.kings);
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
        facts::yes_or_no(pack.record.picture.held),
    );
    let presented_at_ms = pack.record.picture.row.presented_at_ms;
    section.moment("presented_at", &report::PresentedAsClaim, presented_at_ms);
    section.text("asked_by", &report::AskedBy, &pack.badge);
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
            true => said(&selection.game_name),
            false => type_words(record.kind),
        };
        match selection.quick_pick {
            true => said(&report::QuickPick { kind: &kind }).into(),
            false => kind.into(),
        }
    };
    section.note(&report::SelectionsAndWagers);
    section.table(
        &selections,
        &[
            ("selection", &report::SelectionShort, &|(index, _)| {
                Value::Text(selection_letter(*index))
            }),
            ("game", &report::Game, &|(_, (one, _))| {
                said(&one.game_name).into()
            }),
            ("type", &"Type", &kind),
            ("numbers", &report::Numbers, &|(_, (one, _))| {
                numbers_of(one).into()
            }),
            ("composition", &report::Conditioning, &|(_, (one, _))| {
                composition(one).into()
            }),
            ("wager", &report::PerDraw, &|(_, (one, _))| {
                Value::Money(one.per_draw_cents)
            }),
        ],
        &report::None,
    );
    section.money("per_draw", &report::WagerPerDraw, view.per_draw_cents);
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
    section.moment(
        "first_at",
        &report::FirstDrawPlanned,
        view.first.draws_at_ms,
    );
    section.moment("last_at", &report::LastDrawPlanned, view.last.draws_at_ms);
}

/// Control number, maximum, and where and until when to claim.
fn claimed(section: &mut Section, view: &TicketView, claim_by: u32) {
    section.total(
        "control_number",
        &report::ControlNumber,
        Value::ControlNumber(view.control_number.clone()),
    );
    section.money("cap", &report::MaximumPayablePerDraw, view.cap_cents);
    section.fact("claim_by", &report::ClaimBy, Value::Day(claim_by));
    section.fact(
        "claim_place",
        &report::WhereToClaim,
        said(&view.claim_place),
    );
    section.money("cage_from", &report::ElsewhereFrom, view.cage_from_cents);
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
    section.moment("sold_at", &report::RegisteredAt, view.sold_at_ms);
    section.leaf("ticket", &report::TicketLeaf, view.ticket);
    section.text("terminal", &"Terminal", &view.terminal);
    section.text("badge", &report::Clerk, &view.badge);
    section.count("shift", &report::Shift, sold.shift);
    section.fact("tender", &report::Tender, facts::tender(sold.tender));
    section.money("received", &report::Received, view.received_cents);
    section.money("change", &report::Change, view.change_cents);
    let intake = match Intake::from_number(sold.intake) {
        Some(Intake::Slip) => said(&report::SelectionSlip),
        Some(Intake::ESlip) => said(&report::ESlip),
        Some(Intake::Screen) => said(&report::OnScreen),
        Some(Intake::Replay) => said(&report::Replay),
        Some(Intake::Express) => said(&report::ExpressSlip),
        None => said(&"unknown"),
    };
    section.fact("intake", &report::TakenInBy, intake);
    section.count("copy", &report::CopyInForce, view.copy);
    section.count("rule_book", &report::VersionOfRules, view.rule_book);
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
    section.leaf("size", &report::CheckpointLeaves, pack.checkpoint.size);
    section.fact("root", &report::Root, Value::Hash(pack.checkpoint.root));
    section.blocks.push(Block::Verbatim {
        name: "note",
        label: said(&report::SignedNote),
        lines: pack.checkpoint.note.lines().map(str::to_owned).collect(),
    });
    let mut rows = Vec::new();
    for proof in &pack.proofs {
        let leads = match proof.holds {
            true => said(&report::LeadsToRoot),
            false => said(&report::DoesNotLeadToRoot),
        };
        rows.push((
            proof.leaf,
            said(&report::LeafHash),
            proof.leaf_hash,
            leads.into(),
        ));
        for (step, hash) in proof.path.iter().enumerate() {
            let sibling = said(&report::Sibling { step: &(step + 1) });
            rows.push((proof.leaf, sibling, *hash, Value::Text(String::new())));
        }
    }
    section.table(
        &rows,
        &[
            ("leaf", &report::Leaf, &|(leaf, ..)| Value::Leaf(*leaf)),
            ("what", &report::What, &|(_, what, ..)| what.clone().into()),
            ("hash", &"SHA-256", &|(_, _, hash, _)| Value::Hash(*hash)),
            ("holds", &report::Proof, &|(.., leads)| leads.clone()),
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

//! When all is over: papers and cash against the record.

use anyhow::Context;
use keno_log::Event;
use serde_json::json;

use super::agent::Agent;
use super::clerk::Clerk;
use super::tray::Tray;
use super::world::World;
use super::{COUNTER, Planted, Report};
use crate::central::export;
use crate::door::Answer;
use crate::record::Record;

/// Closes the till and holds papers and cash against the record.
pub(super) fn finish(
    world: &mut World,
    tray: &mut Tray,
    clerk: Clerk,
    report: &mut Report,
) -> anyhow::Result<()> {
    if world.plan().plant == Some(Planted::PaperAtNight) {
        tray.prints_by_itself();
    }
    let late = tray.take()?;
    if !late.is_empty() {
        report
            .breaches
            .push(format!("{} papers came out by themselves", late.len()));
    }
    // Whose tickets they are, before the neighbour goes home.
    let mut leaves = Vec::new();
    if world.plan().plant == Some(Planted::CancelledNextDoor)
        && let Some(code) = clerk.tickets.last().cloned()
    {
        world.cancelled_next_door(&code);
    }
    for code in &clerk.tickets {
        match world.neighbour.post("/checks", &json!({"code": code})) {
            Answer::Done(check) => leaves.push(check["ticket"]["ticket"].as_u64()),
            other => {
                report
                    .breaches
                    .push(format!("central denies a ticket: {other:?}"));
            }
        }
    }
    world.agent.take().into_iter().for_each(Agent::kill);
    let counted = clerk.drawer_cents.to_string();
    let closed = std::process::Command::new(&world.plan().terminal)
        .arg("--config")
        .arg(&world.settings)
        .args(["close-till", &counted])
        .output()
        .context("the till cannot be closed")?;
    let said = String::from_utf8_lossy(&closed.stdout).into_owned();
    if !said.contains("Even:") {
        let notes = String::from_utf8_lossy(&closed.stderr).into_owned();
        report
            .breaches
            .push(format!("the till is not even: {said}{notes}"));
    }
    if let Some(central) = world.central.take() {
        central.kill();
    }
    let mut bytes = export(
        &world.founded.program,
        &world.founded.data(),
        &world.founded.beside("export"),
    )?;
    let record = Record::read(&bytes)?;
    report
        .breaches
        .extend(record_breaches(&record, &clerk, &leaves));
    if world.plan().plant == Some(Planted::ExportBit)
        && let Some(byte) = bytes.iter_mut().rev().nth(200)
    {
        *byte ^= 1;
    }
    let outcome = keno_audit::verify(
        bytes.as_slice(),
        keno_audit::Outside::default(),
        keno_audit::Options::default(),
    )?;
    let findings = outcome.findings.iter().take(5);
    report
        .breaches
        .extend(findings.map(|finding| format!("keno-audit: {finding:?}")));
    let totals = (
        clerk.tickets.len() as u64,
        clerk.cancellations,
        clerk.payments,
    );
    for (sum, one) in report.found.iter_mut().zip(<[u64; 3]>::from(totals)) {
        *sum += one;
    }
    report.breaches.extend(clerk.breaches);
    Ok(())
}

/// Each ticket, cancellation and payment of the counter in the record has one paper, and the
/// other way round.
fn record_breaches(record: &Record, clerk: &Clerk, leaves: &[Option<u64>]) -> Vec<String> {
    let mut breaches = Vec::new();
    let (mut cancelled_here, mut paid_here) = (0, 0);
    let mut cancelled = std::collections::BTreeSet::new();
    for fact in &record.facts {
        match &fact.event {
            Event::TicketCancelled(body) => {
                cancelled.insert(body.ticket);
                if body.key.device == COUNTER {
                    cancelled_here += 1;
                }
            }
            Event::PrizePaid(body) if body.key.device == COUNTER => paid_here += 1,
            _ => {}
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    for leaf in leaves {
        match leaf {
            Some(leaf) if !seen.insert(*leaf) => {
                breaches.push(format!("ticket {leaf} has two papers"));
            }
            Some(leaf) if cancelled.contains(leaf) => {
                breaches.push(format!(
                    "ticket {leaf} is cancelled, and the patron has its paper"
                ));
            }
            Some(_) => {}
            None => breaches.push("a paper is of no ticket".to_owned()),
        }
    }
    for (leaf, fact) in (0_u64..).zip(&record.facts) {
        if let Event::TicketSold(body) = &fact.event
            && body.key.device == COUNTER
            && !cancelled.contains(&leaf)
            && !seen.contains(&leaf)
        {
            breaches.push(format!("ticket {leaf} is sold, and nobody has its paper"));
        }
    }
    if cancelled_here != clerk.cancellations {
        breaches.push(format!(
            "{cancelled_here} cancellations in the record, {} receipts",
            clerk.cancellations
        ));
    }
    if paid_here != clerk.payments {
        breaches.push(format!(
            "{paid_here} payments in the record, {} receipts",
            clerk.payments
        ));
    }
    breaches
}

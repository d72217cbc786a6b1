//! One command, and what happens in the middle of it.

use std::time::Duration;

use anyhow::Context;
use keno_terminal::central::Central;
use serde_json::Value;

use super::clerk::{Clerk, Given};
use super::late::{Said, again, as_it_was, as_journaled, way};
use super::report::Report;
use super::steps::{Kind, Target};
use super::tray::Tray;
use super::world::World;
use super::{Fault, Money, Plan, Planted, files};
use crate::clock::{Stopwatch, pass};

/// Most faults are over before the agent loses patience: they last less than this.
const SHORT_BELOW_MS: u64 = 200;
/// Of a hundred faults so many are longer than its patience of two seconds.
const LONG_PERCENT: u64 = 12;
/// A long fault lasts so long.
const LONG_MS: u64 = 2_050;
/// And less than so much more.
const LONGER_BELOW_MS: u64 = 700;
/// One fault in a hundred is longer than the agent asks about a key by itself.
const ENDLESS_MS: u64 = 11_000;
/// Of a hundred clerks who are kept waiting for long, so many put the command aside.
const PARKS_PERCENT: u64 = 50;

/// What came of a command that something happened to.
struct Struck {
    reply: Option<Value>,
    /// How far the agent was.
    far: &'static str,
    is_reached: bool,
}

/// One command and what happens in the middle of it, until the counter is at rest.
#[expect(
    clippy::too_many_arguments,
    reason = "a house, its people, and what happens to them"
)]
pub(super) fn one(
    world: &mut World,
    tray: &mut Tray,
    clerk: &mut Clerk,
    given: &Given,
    money: Money,
    fault: Fault,
    target: Target,
    report: &mut Report,
) -> anyhow::Result<()> {
    let plan = world.plan().clone();
    let [orders, faults, rests, copies] = &mut report.spent;
    let watch = Stopwatch::start();
    let before = world.journaled()?;
    let late = tray.take()?;
    if !late.is_empty() {
        let after = &world.last;
        report.breaches.push(format!(
            "papers came out by themselves, after {after}: {late:?}"
        ));
    }
    *orders += watch.elapsed();
    let watch = Stopwatch::start();
    let struck = strike(world, &plan, fault, target, given, before, clerk)?;
    *faults += watch.elapsed();
    let place = if struck.is_reached {
        target.kind.name()
    } else {
        "after the answer"
    };
    let met = (money.name(), struck.far, place);
    *report.met.entry(met).or_default() += 1;
    let pages = world.pages()?;
    let resting = Stopwatch::start();
    let stages = clerk.work_off(&pages, tray, given, struck.reply, plan.rest_at_most())?;
    report.longest_rest = report.longest_rest.max(resting.elapsed());
    let (name, fault, far) = (money.name(), fault.name(), struck.far);
    world.last = format!("{name}, {fault}, {target:?}, {far}, open {stages:?}");
    *rests += resting.elapsed();
    if !stages.is_empty() {
        report.open_after += 1;
    }
    for stage in stages {
        *report.stages.entry(stage).or_default() += 1;
    }
    let watch = Stopwatch::start();
    for said in late_copies(world, &plan, given, before)? {
        report.late += 1;
        let name = match &said {
            Said::Repeated => "answered as before",
            Said::Refused(name) => name,
            Said::Taken => "taken",
            Said::Nothing => "nothing",
        };
        *report.said_to_late.entry(name.to_owned()).or_default() += 1;
        if matches!(said, Said::Taken | Said::Nothing) {
            let command = money.name();
            let text = format!("a late copy after a {command} was not refused: {said:?}");
            report.breaches.push(text);
        }
    }
    *copies += watch.elapsed();
    Ok(())
}

/// Lets a fault happen at an instant of the page's command.
fn strike(
    world: &mut World,
    plan: &Plan,
    fault: Fault,
    target: Target,
    given: &Given,
    before: i64,
    clerk: &mut Clerk,
) -> anyhow::Result<Struck> {
    let (journal, kept) = (world.journal(), world.founded.beside("kept"));
    if plan.plant == Some(Planted::JournalSetBack) {
        files::copied(&journal, &kept);
    }
    let length = world.chance.below(100);
    let is_long = length < LONG_PERCENT;
    let absent_ms = match length {
        0 => ENDLESS_MS,
        1..LONG_PERCENT => LONG_MS + world.chance.below(LONGER_BELOW_MS),
        _ => world.chance.below(SHORT_BELOW_MS),
    };
    let parks = is_long && world.chance.percent(PARKS_PERCENT);
    let target = Target {
        // What had not left a machine that lost its power is lost.
        loses_rest: fault == Fault::CentralKilled && target.kind == Kind::Answer,
        ..target
    };
    let pages = world.pages()?;
    let (asking, steps) = (pages.clone(), world.steps.clone());
    steps.begin(Some(target));
    std::thread::scope(|scope| {
        let ended = steps.clone();
        let at_work = scope.spawn(move || {
            let reply = given.give(&pages);
            ended.ended();
            reply
        });
        let is_reached = steps.wait();
        world.breaks(fault);
        let far = if fault == Fault::AgentKilled {
            files::records_left(&journal, &world.founded.beside("left"), before)
        } else {
            files::records(&journal, before)
        };
        steps.struck();
        if fault != Fault::AgentKilled {
            pass(Duration::from_millis(absent_ms));
            // A clerk with a queue does not wait for ever.
            if parks
                && let Some(state) = asking.state(None)
                && state["busy"] == "asking"
            {
                clerk.parks(&asking);
            }
        } else if plan.plant == Some(Planted::JournalSetBack) {
            files::copied(&kept, &journal);
        }
        // While the agent still asks, as a rule: the page hears of it when that is over.
        if fault != Fault::WireCut || plan.plant != Some(Planted::StaysCut) {
            world.mends(fault)?;
        }
        if fault == Fault::AgentKilled && plan.plant == Some(Planted::JournalSetBack) {
            // Keys that the journal forgot are not used again, or nothing is sold any more.
            world.sign_on()?;
        }
        let reply = at_work.join();
        Ok(Struck {
            reply: reply.map_err(|_| anyhow::anyhow!("a page panicked"))?,
            far: files::how_far(&far?),
            is_reached,
        })
    })
}

/// Late copies of every request for money of the command arrive now: those that could be read on
/// the line as they were, the others as the journal and the clerk know them.
fn late_copies(
    world: &World,
    plan: &Plan,
    given: &Given,
    before: i64,
) -> anyhow::Result<Vec<Said>> {
    let central = world.central.as_ref().context("there is no central")?;
    let other_key = plan.plant == Some(Planted::LateUnderNewKey);
    let Some(address) = central.tls else {
        let requests = world.wire.money();
        let arrived = requests
            .iter()
            .map(|request| as_it_was(request, central.address, other_key));
        return Ok(arrived.collect());
    };
    let journal = world.journal();
    let mut own: Option<Central> = None;
    let mut said = Vec::new();
    let records = files::records(&journal, before)?;
    // What never left the machine has no copies: over TLS nothing leaves before the handshake.
    let never_left = |key: &Value| {
        let is_it = |record: &Value| record["outcome"] == "not_sent" && record["key"] == *key;
        records.iter().any(|(_, record)| is_it(record))
    };
    for (_, record) in &records {
        if record["record"] != "sent" || never_left(&record["key"]) {
            continue;
        }
        let Some((path, body)) = as_journaled(record, given) else {
            continue;
        };
        let way = match own.take() {
            Some(way) => way,
            None => way(address, &world.founded.beside("trust"), &journal)?,
        };
        said.push(again(&way, path, body, other_key));
        own = Some(way);
    }
    Ok(said)
}

//! The record against the journals: what was acknowledged is there as it was acknowledged, what
//! is there was wanted, and the sums agree. Nothing here is taken from the server's code.

use std::collections::{BTreeMap, BTreeSet};

use keno_log::{Event, Hash};
use serde_json::Value;

use crate::journal::{Command, Deed, Ending, Journal, Key, Kind, Outcome, cash_of, is_masked};
use crate::record::{Record, key_of};
use crate::seen::Seen;

/// What was compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Compared {
    /// Leaves in the record.
    pub leaves: u64,
    /// Acknowledged commands found as they were acknowledged.
    pub commands: u64,
    /// Acknowledged deeds without a key.
    pub deeds: u64,
    /// Tills that were closed, whose expected cash is the journal's.
    pub tills: u64,
    /// Draws with numbers.
    pub draws: u64,
    /// (ticket, draw) paid.
    pub paid: u64,
}

/// Sums by the journals alone, as the second computation names them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    /// Tickets sold.
    pub tickets: u64,
    /// Price of all tickets sold.
    pub sold_cents: i64,
    /// Given back for cancelled tickets.
    pub cancelled_cents: i64,
    /// Never received.
    pub unpaid_cents: i64,
    /// Prizes and refunds paid, less reversals.
    pub paid_cents: i64,
}

/// A judgement.
#[derive(Debug, Default)]
pub struct Judgement {
    /// What is wrong.
    pub breaches: Vec<String>,
    /// What was compared.
    pub compared: Compared,
    /// What the journals sum up to.
    pub sums: Sums,
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn tender_number(name: &str) -> u8 {
    match name {
        "cash" => 1,
        "coupon" => 2,
        "chip" => 3,
        _ => 0,
    }
}

/// Numbers of a JSON list of lists, each ascending.
fn groups_of(value: &Value) -> Vec<Vec<u8>> {
    let mut groups: Vec<Vec<u8>> = serde_json::from_value(value.clone()).unwrap_or_default();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

/// Whether a recorded sale is the one that was asked for and the one that was acknowledged.
fn is_sale(command: &Command, reply: &Value, event: &Event, at_ms: i64) -> bool {
    let (Event::TicketSold(sold), request) = (event, &command.request) else {
        return false;
    };
    let slip = &request["slip"];
    let asked = slip["selections"].as_array().cloned().unwrap_or_default();
    let view = &reply["ticket"];
    let said = view["selections"].as_array().cloned().unwrap_or_default();
    let are_selections = asked.len() == sold.selections.len()
        && said.len() == asked.len()
        && asked
            .iter()
            .zip(&said)
            .zip(&sold.selections)
            .all(|((asked, said), kept)| is_selection(asked, said, kept));
    are_selections
        && Some(sold.last_draw + 1 - sold.first_draw) == slip["draws"].as_u64()
        && slip["first_draw"]
            .as_u64()
            .is_none_or(|first| first == sold.first_draw)
        && view["first"]["draw"].as_u64() == Some(sold.first_draw)
        && view["last"]["draw"].as_u64() == Some(sold.last_draw)
        && request["total_cents"].as_i64() == Some(sold.total_cents)
        && view["total_cents"].as_i64() == Some(sold.total_cents)
        && request["received_cents"].as_i64() == Some(sold.received_cents)
        && tender_number(text(&request["tender"])) == sold.tender
        && text(&view["badge"]) == sold.badge
        && is_number(text(&view["control_number"]))
        && view["sold_at_ms"].as_i64() == Some(at_ms)
        && sold.shift == command.shift
}

/// Sixteen digits, or the last four of them once nothing is to be printed any more.
fn is_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    digits == 16 || is_masked(text)
}

fn is_selection(asked: &Value, said: &Value, kept: &keno_log::event::SelectionRecord) -> bool {
    let kind = match text(&asked["type"]) {
        "straight" => 1,
        "way" => 2,
        _ => 3,
    };
    let numbers = match asked["quick_pick"].as_u64() {
        Some(spots) => {
            kept.quick_pick
                && kept.groups.len() == 1
                && kept.groups.first().map(Vec::len) == usize::try_from(spots).ok()
        }
        None if kind == 1 => {
            let mut one: Vec<u8> =
                serde_json::from_value(asked["numbers"].clone()).unwrap_or_default();
            one.sort_unstable();
            kept.groups == [one]
        }
        None => kept.groups == groups_of(&asked["groups"]),
    };
    let wagers: Vec<i64> = match asked["ways"].as_array() {
        Some(ways) => ways
            .iter()
            .filter_map(|line| line["wager_cents"].as_i64())
            .collect(),
        None => asked["wager_cents"].as_i64().into_iter().collect(),
    };
    let kept_wagers: Vec<i64> = kept
        .conditioning
        .iter()
        .map(|line| line.wager_cents)
        .collect();
    kept.kind == kind
        && numbers
        && wagers == kept_wagers
        && groups_of(&said["groups"]) == kept.groups
        && said["kings"] == serde_json::json!(kept.kings)
}

/// Whether a fact is what a command asked for and what its reply says.
fn is_fact_of(command: &Command, reply: &Value, event: &Event, at_ms: i64) -> bool {
    let request = &command.request;
    match event {
        Event::TicketSold(_) => command.kind == Kind::Sale && is_sale(command, reply, event, at_ms),
        Event::TicketCancelled(body) => {
            command.kind == Kind::Cancellation
                && reply["refund_cents"].as_i64() == Some(body.refund_cents)
                && tender_number(text(&reply["tender"])) == body.tender
                && body.shift == command.shift
        }
        Event::PrizePaid(body) => {
            let items: Vec<(u64, i64)> = body
                .items
                .iter()
                .map(|item| (item.draw, item.amount_cents))
                .collect();
            let asked: Vec<(u64, i64)> = request["items"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|item| Some((item["draw"].as_u64()?, item["amount_cents"].as_i64()?)))
                .collect();
            let cash = match body.tender {
                1 => cash_of(body.total_cents),
                _ => body.total_cents,
            };
            command.kind == Kind::Payment
                && items == asked
                && reply["total_cents"].as_i64() == Some(body.total_cents)
                && items.iter().map(|item| item.1).sum::<i64>() == body.total_cents
                && body.total_cents + body.rounding_cents == cash
                && body.shift == command.shift
        }
        Event::TillMoved(body) => {
            let kind = if text(&request["kind"]) == "fill" {
                1
            } else {
                2
            };
            command.kind == Kind::TillMovement
                && body.kind == kind
                && request["amount_cents"].as_i64() == Some(body.amount_cents)
                && body.shift == command.shift
        }
        _ => false,
    }
}

/// The record is the one that was exported before, and more.
pub fn is_continued(record: &Record, before: &mut Vec<Hash>) -> Option<String> {
    let kept = record.hashes.get(..before.len());
    let is_same = kept == Some(before.as_slice());
    let words = format!(
        "{} leaves were exported before, and the {} of now do not begin with them",
        before.len(),
        record.hashes.len()
    );
    before.clone_from(&record.hashes);
    (!is_same).then_some(words)
}

/// Judges a record by the journals of every device and by what was seen of the draws.
pub fn judge(record: &Record, journals: &[&Journal], seen: &Seen) -> Judgement {
    let mut judgement = Judgement::default();
    judgement.compared.leaves = u64::try_from(record.facts.len()).unwrap_or(0);
    let mut by_key: BTreeMap<Key, Vec<u64>> = BTreeMap::new();
    for (leaf, event) in record.numbered() {
        if let Some(key) = key_of(event) {
            by_key.entry(key).or_default().push(leaf);
        }
    }
    let mut wanted = BTreeSet::new();
    for command in journals.iter().flat_map(|journal| &journal.commands) {
        wanted.insert(command.key);
        let leaves = by_key.get(&command.key).map_or(&[][..], Vec::as_slice);
        judge_command(record, command, leaves, &mut judgement);
    }
    for (key, leaves) in &by_key {
        if !wanted.contains(key) {
            let words = format!("{key:?} is at leaves {leaves:?} and no device knows of it");
            judgement.breaches.push(words);
        }
    }
    judge_deeds(record, journals, &mut judgement);
    judge_payments(record, &mut judgement);
    judge_tills(record, journals, &mut judgement);
    judge_draws(record, seen, &mut judgement);
    judgement
}

fn judge_command(record: &Record, command: &Command, leaves: &[u64], to: &mut Judgement) {
    let key = command.key;
    let only = match leaves {
        [] => None,
        [leaf] => Some(*leaf),
        many => {
            to.breaches.push(format!(
                "{key:?} was done {} times, at {many:?}",
                many.len()
            ));
            return;
        }
    };
    match (&command.outcome, only) {
        (Outcome::Recorded { leaf, reply }, Some(found)) => {
            let is_same = *leaf == found
                && record
                    .fact(found)
                    .is_ok_and(|fact| is_fact_of(command, reply, &fact.event, fact.at_ms));
            if !is_same {
                let kept = record.fact(found).map(|fact| &fact.event);
                to.breaches.push(format!(
                    "{key:?} was acknowledged as leaf {leaf} with {reply}; the record has at \
                     {found}: {kept:?}"
                ));
            }
            to.compared.commands += 1;
            to.sums.add(command, reply);
        }
        (Outcome::Recorded { leaf, .. }, None) => to.breaches.push(format!(
            "{key:?} was acknowledged as leaf {leaf} and is not in the record"
        )),
        (Outcome::Refused(name), Some(found)) => to.breaches.push(format!(
            "{key:?} was refused as {name} and is at leaf {found}"
        )),
        (Outcome::Closed, Some(found)) => {
            let is_closing = record
                .fact(found)
                .is_ok_and(|fact| matches!(fact.event, Event::KeyClosed(_)));
            if !is_closing {
                to.breaches
                    .push(format!("{key:?} was closed and is done at leaf {found}"));
            }
        }
        // A key of a session that ended is closed without a leaf of its own.
        (Outcome::Closed | Outcome::Refused(_) | Outcome::Open, _) => {}
    }
}

impl Sums {
    fn add(&mut self, command: &Command, reply: &Value) {
        let cents = |value: &Value| value.as_i64().unwrap_or(0);
        match command.kind {
            Kind::Sale => {
                self.tickets += 1;
                self.sold_cents += cents(&command.request["total_cents"]);
            }
            Kind::Cancellation => self.cancelled_cents += cents(&reply["refund_cents"]),
            Kind::Payment => self.paid_cents += cents(&reply["total_cents"]),
            Kind::TillMovement | Kind::Nothing => {}
        }
    }
}

/// The deed that a fact without a key is, for comparison: what it is about.
fn subject(event: &Event) -> Option<(u8, u64)> {
    Some(match event {
        Event::PrintConfirmed(body) => (1, body.ticket),
        Event::PaymentReversed(body) => (2, body.payment),
        Event::TicketUnpaid(body) => (3, body.ticket),
        Event::TicketDuplicated(body) => (4, body.ticket),
        Event::ClaimPresented(body) => (5, body.ticket),
        Event::ShiftClosed(body) => (6, body.shift),
        _ => return None,
    })
}

fn subject_of(deed: Deed) -> Option<(u8, u64)> {
    Some(match deed {
        Deed::Print(ticket) => (1, ticket),
        Deed::Reversal { payment, .. } => (2, payment),
        Deed::Unpaid { ticket, .. } => (3, ticket),
        Deed::Duplicate(ticket) => (4, ticket),
        Deed::Present(ticket) => (5, ticket),
        Deed::CloseShift(shift) => (6, shift),
        Deed::SignOn => return None,
    })
}

/// Deeds without a key: acknowledged ones are there, and none is there that nobody tried.
fn judge_deeds(record: &Record, journals: &[&Journal], to: &mut Judgement) {
    let mut tried: BTreeMap<(u8, u64), (u64, u64)> = BTreeMap::new();
    let mut papers = BTreeSet::new();
    for attempt in journals.iter().flat_map(|journal| &journal.attempts) {
        let Some(about) = subject_of(attempt.deed) else {
            continue;
        };
        let (done, lost) = tried.entry(about).or_default();
        match &attempt.ending {
            Ending::Done(leaf) => {
                // A paper that is confirmed again is answered by the fact that confirmed it, and a
                // ticket that is presented again with nothing new by its first presentation.
                let is_repeated = matches!(attempt.deed, Deed::Print(_) | Deed::Present(_))
                    && leaf.is_some_and(|leaf| !papers.insert(leaf));
                *done += u64::from(!is_repeated);
                to.compared.deeds += 1;
                let Some(leaf) = leaf else { continue };
                let found = record.fact(*leaf).ok().and_then(|it| subject(&it.event));
                if found != Some(about) {
                    to.breaches.push(format!(
                        "{:?} was acknowledged as leaf {leaf} and is not there",
                        attempt.deed
                    ));
                }
            }
            Ending::Lost => *lost += 1,
            Ending::Refused(_) => {}
        }
    }
    let mut there: BTreeMap<(u8, u64), u64> = BTreeMap::new();
    for (_, event) in record.numbered() {
        if let Some(about) = subject(event) {
            *there.entry(about).or_default() += 1;
        }
    }
    for about in tried.keys().chain(there.keys()).collect::<BTreeSet<_>>() {
        let (done, lost) = tried.get(about).copied().unwrap_or_default();
        let count = there.get(about).copied().unwrap_or(0);
        if count < done || count > done + lost {
            to.breaches.push(format!(
                "deed {about:?} is {count} times in the record; {done} were acknowledged and \
                 {lost} had no answer"
            ));
        }
    }
    let mut unpaid: BTreeMap<u64, i64> = BTreeMap::new();
    for (_, event) in record.numbered() {
        if let Event::TicketUnpaid(body) = event {
            unpaid.insert(body.ticket, body.amount_cents);
        }
    }
    for deed in journals.iter().flat_map(|journal| journal.deeds_done()) {
        match deed {
            Deed::Unpaid { ticket, .. } => {
                to.sums.unpaid_cents += unpaid.get(&ticket).copied().unwrap_or(0);
            }
            Deed::Reversal { payment, .. } => {
                if let Ok(Event::PrizePaid(body)) = record.fact(payment).map(|it| &it.event) {
                    to.sums.paid_cents -= body.total_cents;
                }
            }
            _ => {}
        }
    }
}

/// Each (ticket, draw) is paid at most once, and no ticket gets more back than was paid for it.
fn judge_payments(record: &Record, to: &mut Judgement) {
    let mut open: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let mut prices: BTreeMap<u64, i64> = BTreeMap::new();
    let mut back: BTreeMap<u64, i64> = BTreeMap::new();
    for (leaf, event) in record.numbered() {
        match event {
            Event::TicketSold(body) => {
                prices.insert(leaf, body.total_cents);
            }
            Event::TicketCancelled(body) => {
                *back.entry(body.ticket).or_default() += body.refund_cents;
            }
            Event::TicketUnpaid(body) => {
                *back.entry(body.ticket).or_default() += body.amount_cents;
            }
            Event::PrizePaid(body) => {
                for item in &body.items {
                    if let Some(before) = open.insert((body.ticket, item.draw), leaf) {
                        to.breaches.push(format!(
                            "ticket {} was paid twice for draw {}: leaves {before} and {leaf}",
                            body.ticket, item.draw
                        ));
                    }
                    to.compared.paid += 1;
                    if item.kind == 2 {
                        *back.entry(body.ticket).or_default() += item.amount_cents;
                    }
                }
            }
            Event::PaymentReversed(body) => {
                if let Ok(Event::PrizePaid(paid)) = record.fact(body.payment).map(|it| &it.event) {
                    for item in &paid.items {
                        open.remove(&(paid.ticket, item.draw));
                        if item.kind == 2 {
                            *back.entry(paid.ticket).or_default() -= item.amount_cents;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    for (ticket, cents) in back {
        let price = prices.get(&ticket).copied().unwrap_or(0);
        if cents > price {
            to.breaches.push(format!(
                "ticket {ticket} cost {price} cents, and {cents} were given back for it"
            ));
        }
    }
}

/// What central expected in each till that was counted is what the journals say.
fn judge_tills(record: &Record, journals: &[&Journal], to: &mut Judgement) {
    let mut expected: BTreeMap<u64, i64> = BTreeMap::new();
    let mut opened: BTreeMap<u64, u64> = BTreeMap::new();
    for (_, event) in record.numbered() {
        match event {
            Event::ShiftClosed(body) => {
                expected.insert(body.shift, body.expected_cents);
            }
            Event::ShiftOpened(body) => {
                *opened.entry(body.shift).or_default() += 1;
            }
            _ => {}
        }
    }
    for journal in journals.iter().filter(|journal| journal.is_resolved()) {
        for till in &journal.tills {
            if opened.get(&till.shift) != Some(&1) {
                to.breaches
                    .push(format!("till {} is not once in the record", till.shift));
            }
            let Some(expected) = expected.get(&till.shift) else {
                continue;
            };
            let own = journal.expected_cents(till);
            to.compared.tills += 1;
            if own != *expected || till.expected_cents.is_some_and(|said| said != *expected) {
                to.breaches.push(format!(
                    "till {}: the record expects {expected}, central said {:?}, the journal says \
                     {own}",
                    till.shift, till.expected_cents
                ));
            }
        }
    }
}

/// One result a draw, and the one that was shown.
fn judge_draws(record: &Record, seen: &Seen, to: &mut Judgement) {
    let mut balls: BTreeMap<u64, Vec<&Vec<u8>>> = BTreeMap::new();
    let mut ends: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for (_, event) in record.numbered() {
        match event {
            Event::BallsRecorded(body) => balls.entry(body.draw).or_default().push(&body.balls),
            Event::DrawSettled(body) => ends.entry(body.draw).or_default().push("settled"),
            Event::DrawVoided(body) => ends.entry(body.draw).or_default().push("void"),
            _ => {}
        }
    }
    for (draw, recorded) in &balls {
        to.compared.draws += 1;
        if recorded.len() != 1 {
            to.breaches
                .push(format!("draw {draw} has {} results", recorded.len()));
        }
    }
    for (draw, ends) in &ends {
        if ends.len() != 1 {
            to.breaches.push(format!("draw {draw} ended as {ends:?}"));
        }
    }
    for (draw, shown) in &seen.draws {
        if shown.balls.is_empty() {
            continue;
        }
        let recorded = balls.get(draw).and_then(|all| all.first());
        if recorded.and_then(|all| all.get(..shown.balls.len())) != Some(shown.balls.as_slice()) {
            to.breaches.push(format!(
                "draw {draw} showed {:?}, and the record has {recorded:?}",
                shown.balls
            ));
        }
    }
}

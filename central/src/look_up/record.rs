//! Everything on record about one ticket, for the audit office: each view with a purpose, and on
//! record itself before it is shown.
//!
//! Prizes are computed here once more from the ticket's own leaf: every way is listed and counted
//! one by one, and the prize tables are read from the rule book's text. The computation that
//! shares no code at all with central is the program `keno-audit`, over the exported log.

use keno_game::{BallSet, DrawState, TicketState};
use keno_log::Event;
use keno_log::proof::{inclusion_proof, verify_inclusion};
use keno_record::fault::Fault;
use keno_record::log_tree::TreeReader;
use keno_record::store::leaves::{self, Fact};
use keno_record::store::{draws, tickets};
use keno_service::Stop;
use keno_service::central::Central;
use keno_service::counter::{Named, Paper, TicketPicture, Verdict};
use keno_service::refusal::Refusal;
use keno_wire::reply::{Bilingual, TicketDrawView, TicketReference, TicketView};
use keno_words::report::RecomputedByCentral;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::check::ticket_of;
use super::recompute::{RecomputedSelection, recompute};
use crate::app::App;
use crate::convert;
use crate::convert::{Said, Secret};
use crate::pages::view::Purpose;
use keno_service::access::{AccessKind, AccessLine};

/// One draw: stored beside recomputed.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditDraw {
    /// As stored.
    pub stored: TicketDrawView,
    /// Computed anew, once the draw is settled.
    pub recomputed: Vec<RecomputedSelection>,
    /// Both agree; absent while there is nothing to compare.
    pub agrees: Option<bool>,
}

/// Where a ticket stands in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InclusionView {
    /// Leaf index.
    pub leaf: u64,
    /// Leaf hash, 64 hexadecimal digits.
    pub leaf_hash: String,
    /// Size of the tree.
    pub size: u64,
    /// Root of the tree, 64 hexadecimal digits.
    pub root: String,
    /// Hashes from the leaf's sibling upwards, 64 hexadecimal digits each.
    pub proof: Vec<String>,
    /// The proof leads to the root.
    pub included: bool,
}

/// Everything on record about one ticket.
#[derive(Debug)]
pub struct AuditRecord {
    /// Verdict.
    pub verdict: Verdict,
    /// As registered.
    pub view: TicketView,
    /// What the verdict rests on.
    pub picture: TicketPicture,
    /// Its facts, the sale first.
    pub facts: Vec<Fact>,
    /// Its draws, with what was computed anew.
    pub draws: Vec<AuditDraw>,
    /// Place in the log.
    pub inclusion: Option<InclusionView>,
    /// The ticket sold just before, and just after.
    pub neighbours: (Option<TicketReference>, Option<TicketReference>),
    /// The ticket that it repeats.
    pub replay_of: Option<TicketReference>,
}

/// The words that say how prizes were computed anew.
pub fn recomputed_by() -> Bilingual {
    Bilingual::of(&RecomputedByCentral)
}

/// The draws of a ticket with stored and recomputed prizes.
fn audit_draws(central: &Central, picture: &TicketPicture) -> Result<Vec<AuditDraw>, Fault> {
    let now_ms = central.clock.now_ms();
    let sold = &picture.ticket.sale;
    let view = central.view.get();
    let rules = view
        .rule_books
        .get(&sold.rule_book)
        .ok_or_else(|| Fault::Record("a ticket has no rule book".to_owned()))?;
    picture
        .draws
        .iter()
        .map(|ticket_draw| {
            let stored = convert::ticket_draw_view(central, ticket_draw, &sold.selections, now_ms);
            let draw = &ticket_draw.draw;
            let settled = draw.settlement().filter(|_| {
                draw.state() == DrawState::Settled && picture.ticket.state == TicketState::Sold
            });
            let (recomputed, agrees) = match settled {
                None => (Vec::new(), None),
                Some(settlement) => {
                    let full_below_cents = {
                        let mut reader = central.readers.get()?;
                        draws::full(&mut reader, draw.number())?
                            .map(|(row, _, _)| row.full_below_cents)
                            .ok_or_else(|| Fault::Record("a draw has no row".to_owned()))?
                    };
                    let winning = BallSet::from_numbers(&stored.balls)
                        .map_err(|_| Fault::Record("the numbers of a draw".to_owned()))?;
                    let recomputed = sold
                        .selections
                        .iter()
                        .zip(0_u8..)
                        .map(|(record, index)| {
                            recompute(index, record, rules, winning, full_below_cents, settlement)
                        })
                        .collect::<Result<Vec<_>, _>>()?;
                    let sum = |of: fn(&RecomputedSelection) -> i64| {
                        recomputed.iter().map(of).fold(0_i64, i64::saturating_add)
                    };
                    let agrees = sum(|line| line.payable_cents) == stored.payable_cents
                        && sum(|line| line.computed_cents) == stored.computed_cents;
                    (recomputed, Some(agrees))
                }
            };
            Ok(AuditDraw {
                stored,
                recomputed,
                agrees,
            })
        })
        .collect()
}

/// The leaf's place in the tree of the newest checkpoint.
fn inclusion(
    app: &App,
    leaf: u64,
    leaf_hash: keno_log::Hash,
) -> Result<Option<InclusionView>, Fault> {
    let central = &app.central;
    let Some(checkpoint) = central.checkpoint().filter(|newest| newest.size > leaf) else {
        return Ok(None);
    };
    let mut reader = central.readers.get()?;
    let mut tree = TreeReader::new(&mut reader, &app.central.tile_roots, checkpoint.size);
    let proof = inclusion_proof(leaf, checkpoint.size, &mut |level, index| {
        tree.node(level, index)
    })
    .map_err(|fault| Fault::Record(format!("no proof for leaf {leaf}: {fault}")))?;
    let included =
        verify_inclusion(&leaf_hash, leaf, checkpoint.size, &proof, &checkpoint.root).is_ok();
    Ok(Some(InclusionView {
        leaf,
        leaf_hash: hex::encode(leaf_hash),
        size: checkpoint.size,
        root: hex::encode(checkpoint.root),
        proof: proof.iter().map(hex::encode).collect(),
        included,
    }))
}

/// Everything on record about the ticket of a code, after the view itself is on record. Blocks.
///
/// # Errors
/// A refusal, or a fault; nothing is shown when the access log cannot be written.
pub fn audit_record(
    app: &App,
    badge: &str,
    device: Option<u32>,
    code: &str,
    purpose: Purpose,
) -> Result<AuditRecord, Stop> {
    let central = &app.central;
    let named = convert::named(central, code)?;
    // A leaf that is no ticket is an unknown number: there is nothing to look at.
    let (number, known) = match &named {
        Named::Paper(paper) => (paper.number, None),
        Named::Reference(_) | Named::File(_) => {
            let ticket = named.find(central)?.ok_or(Refusal::NumberUnknown)?;
            let number = Paper::control_number(central, ticket.number);
            (number, Some(ticket))
        }
    };
    app.access
        .write(AccessLine {
            at_ms: central.clock.now_ms(),
            kind: AccessKind::AuditView,
            device,
            badge: badge.to_owned(),
            trace: hex::encode(central.keys.trace(&number.digits())),
            purpose: purpose.name().to_owned(),
        })
        .map_err(|fault| Fault::File(fault.to_string()))?;
    let (ticket, secret) = match (&named, known) {
        (Named::Paper(paper), _) => (ticket_of(central, paper)?, Secret::Withheld),
        // Nobody has shown its number.
        (_, Some(ticket)) => (ticket, Secret::Masked),
        (_, None) => return Err(Refusal::NumberUnknown.into()),
    };
    let view = convert::ticket_view(central, Said::of(&ticket, secret))?;
    let picture = TicketPicture::of(central, ticket)?;
    let verdict = picture.verdict(central);
    let (number, earlier) = (picture.ticket.number, picture.ticket.sale.replay_of);
    let mut reader = central.readers.get()?;
    let mut facts = vec![leaves::fact(&mut reader, number)?];
    facts.extend_from_slice(&picture.ticket.facts);
    let (before, after) = tickets::neighbours(&mut reader, number)?;
    let mut named = |number: Option<u64>| {
        let named = number.map(|it| convert::ticket_reference(central, &mut reader, it));
        named.transpose()
    };
    let (neighbours, replay_of) = ((named(before)?, named(after)?), named(earlier)?);
    drop(reader);
    let leaf_hash = facts.first().map_or([0; 32], |fact| fact.leaf_hash);
    Ok(AuditRecord {
        verdict,
        view,
        draws: audit_draws(central, &picture)?,
        picture,
        facts,
        inclusion: inclusion(app, number, leaf_hash)?,
        neighbours,
        replay_of,
    })
}

/// Who did it, and where.
pub(crate) fn who(central: &Central, event: &Event) -> String {
    let names = event.names();
    let badges: Vec<&str> = names.badges().collect();
    match (badges.as_slice(), names.device) {
        ([] | [_], Some(device)) => {
            let device = convert::terminal_name(&central.view.get(), device);
            let parts = badges.iter().copied().chain([device.as_str()]);
            parts.collect::<Vec<_>>().join(" ")
        }
        _ => badges.join(" + "),
    }
}

//! What the leaves say of a draw.

use keno_game::DrawState;
use keno_log::event::{
    BallsRecorded, DrawCertified, DrawClosed, DrawScheduled, DrawSettled, DrawStarted, DrawVoided,
    SecretsRevealed,
};
use keno_log::{Event, EventKind, Hash};
use keno_record::fault::Fault;
use keno_record::past_draws::hosts_behind;
use keno_record::store::leaves::{self, Fact};
use keno_record::store::{draws, log};
use keno_schema::Connection;

use crate::report::ReportFault;

/// A fact of a known kind, with its place and moment.
#[derive(Debug, Clone)]
pub(super) struct At<T> {
    pub(super) leaf: u64,
    pub(super) at_ms: i64,
    pub(super) body: T,
}

/// What the leaves say of a draw.
#[derive(Debug)]
pub struct DrawFacts {
    pub(super) state: DrawState,
    pub(super) scheduled: At<DrawScheduled>,
    /// The set of balls, where the house has a register of sets.
    pub(super) ball_set: Option<String>,
    /// By the position of the holder.
    pub(super) commitments: Vec<Option<At<Hash>>>,
    pub(super) closed: Option<At<DrawClosed>>,
    pub(super) seal_root: Option<Hash>,
    pub(super) started: Option<At<DrawStarted>>,
    /// Only once official.
    pub(super) balls: Option<At<BallsRecorded>>,
    pub(super) certified: Option<At<DrawCertified>>,
    pub(super) revealed: Option<At<SecretsRevealed>>,
    pub(super) settled: Option<At<DrawSettled>>,
    pub(super) voided: Option<At<DrawVoided>>,
    /// Keys of the hosts, machine first; none where all is within central.
    pub(super) hosts: Vec<String>,
    pub(super) incidents: Vec<Fact>,
    /// Every leaf about the draw that the sheet rests on.
    pub(super) leaves: Vec<Fact>,
}

macro_rules! body_of {
    ($facts:expr, $leaf:expr, $kind:ident) => {
        match $leaf {
            None => None,
            Some(leaf) => {
                let fact = $facts
                    .iter()
                    .find(|fact: &&Fact| fact.leaf == leaf)
                    .ok_or_else(|| Fault::Record(format!("leaf {leaf} is missing")))?;
                let Event::$kind(body) = &fact.event else {
                    return Err(Fault::Record(format!(
                        "leaf {leaf} is not a {}",
                        stringify!($kind)
                    ))
                    .into());
                };
                Some(At {
                    leaf,
                    at_ms: fact.at_ms,
                    body: body.clone(),
                })
            }
        }
    };
}

/// Reads a draw from its leaves.
pub fn read(connection: &mut Connection, number: u64) -> Result<DrawFacts, ReportFault> {
    let (row, result, settlement) = draws::full(connection, number)
        .map_err(Fault::from)?
        .ok_or(ReportFault::Unknown)?;
    let holders = draws::holders(connection, row.number).map_err(Fault::from)?;
    let state = DrawState::from_code(row.state)
        .ok_or_else(|| Fault::Record(format!("draw {number} is in an unknown state")))?;
    // A void draw shows what had been shown, which nobody can take back, and no more.
    let is_official = matches!(state, DrawState::Official | DrawState::Settled);
    let result = result.filter(|_| is_official);
    let settlement = settlement.filter(|_| state == DrawState::Settled);
    let mut named: Vec<u64> = holders
        .iter()
        .map(|holder| holder.commitment_leaf)
        .chain([
            Some(row.scheduled_leaf),
            row.opened_leaf,
            row.closed_leaf,
            row.started_leaf,
            row.voided_leaf,
            result.as_ref().map(|result| result.recorded_leaf),
            result.as_ref().and_then(|result| result.certified_leaf),
            result.as_ref().and_then(|result| result.revealed_leaf),
            settlement.as_ref().map(|settlement| settlement.leaf),
        ])
        .flatten()
        .collect();
    named.sort_unstable();
    named.dedup();
    let mut all = leaves::facts(connection, &named)?;
    let scheduled = body_of!(all, Some(row.scheduled_leaf), DrawScheduled)
        .ok_or_else(|| Fault::Record(format!("draw {number} was not announced")))?;
    let mut commitments = Vec::new();
    for holder in &holders {
        commitments.push(
            body_of!(all, holder.commitment_leaf, CommitmentRecorded).map(|at| At {
                leaf: at.leaf,
                at_ms: at.at_ms,
                body: at.body.commitment,
            }),
        );
    }
    let closed = body_of!(all, row.closed_leaf, DrawClosed);
    let recorded_leaf = result.as_ref().map(|result| result.recorded_leaf);
    let certified_leaf = result.as_ref().and_then(|result| result.certified_leaf);
    let revealed_leaf = result.as_ref().and_then(|result| result.revealed_leaf);
    let settled_leaf = settlement.as_ref().map(|settlement| settlement.leaf);
    let incidents = incidents(connection, number, &row)?;
    all.extend(incidents.iter().cloned());
    let known: Vec<_> = all
        .iter()
        .map(|fact| (fact.event.kind(), fact.leaf))
        .collect();
    let hosts = hosts_behind(connection, number, known)?;
    let keys = hosts.iter().find_map(|fact| match &fact.event {
        Event::HostsNamed(body) => Some(body.keys.clone()),
        _ => None,
    });
    all.extend(hosts);
    all.sort_by_key(|fact| fact.leaf);
    Ok(DrawFacts {
        state,
        scheduled,
        commitments,
        seal_root: row.seal_root,
        started: body_of!(all, row.started_leaf, DrawStarted),
        balls: body_of!(all, recorded_leaf, BallsRecorded),
        certified: body_of!(all, certified_leaf, DrawCertified),
        revealed: body_of!(all, revealed_leaf, SecretsRevealed),
        settled: body_of!(all, settled_leaf, DrawSettled),
        voided: body_of!(all, row.voided_leaf, DrawVoided),
        ball_set: row.ball_set.clone(),
        hosts: keys.unwrap_or_default(),
        closed,
        incidents,
        leaves: all,
    })
}

/// Interruptions, which no table names: they lie between the close and the end of the draw.
fn incidents(
    connection: &mut Connection,
    number: u64,
    row: &keno_schema::rows::DrawRow,
) -> Result<Vec<Fact>, Fault> {
    let Some(first) = row.closed_leaf else {
        return Ok(Vec::new());
    };
    let end = draws::full(connection, row.number)?
        .and_then(|(_, _, settlement)| settlement.map(|settlement| settlement.leaf))
        .or(row.voided_leaf);
    let last = match end {
        Some(leaf) => leaf,
        None => log::head(connection)?.map_or(0, |(edge, _)| edge.size()),
    };
    leaves::of_draw(
        connection,
        number,
        (first, last),
        &[
            EventKind::DrawSuspended,
            EventKind::DrawResumed,
            EventKind::EntererReplaced,
            EventKind::LineIncident,
            EventKind::TubesAttested,
            EventKind::ComputerStoodIn,
            EventKind::DrawPostponed,
            EventKind::IncidentLogged,
        ],
    )
}

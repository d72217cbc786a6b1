//! Draws that have left the memory, from their rows: for readers, never for a start.

use keno_game::DrawState;
use keno_log::event::DrawSettled;
use keno_log::{Event, EventKind};
use keno_schema::Connection;
use keno_schema::rows::{DrawHolderRow, DrawResultRow, DrawRow, DrawSettlementRow};

use crate::fault::Fault;
use crate::record::Record;
use crate::state::{Draw, Hands, HolderState, Leaves, RecordedBalls, SealState};
use crate::store::leaves::Fact;
use crate::store::{draws, leaves, log};
use crate::view::DrawInfo;

/// Draws by number, from memory and, for older ones, from the record.
///
/// # Errors
/// A fault.
pub fn draw_range(record: &Record, first: u64, last: u64) -> Result<Vec<DrawInfo>, Fault> {
    let view = record.view.get();
    let in_memory = view.draws.keys().next().copied().unwrap_or(u64::MAX);
    let mut found = Vec::new();
    if first < in_memory {
        let mut reader = record.readers.get()?;
        let to = last.min(in_memory.saturating_sub(1));
        found.extend(
            draws_from_record(&mut reader, first, to)?
                .into_iter()
                .map(DrawInfo::new),
        );
    }
    found.extend(
        view.draws
            .range(first.max(in_memory)..=last.max(in_memory))
            .filter(|(number, _)| **number >= first && **number <= last)
            .map(|(_, draw)| DrawInfo::clone(draw)),
    );
    Ok(found)
}

/// Draws by number from the record, with the times of their leaves.
///
/// # Errors
/// The database's, or [`Fault::Record`].
pub fn draws_from_record(
    connection: &mut Connection,
    first: u64,
    last: u64,
) -> Result<Vec<Draw>, Fault> {
    let mut found = Vec::new();
    for (row, result, settlement) in draws::range(connection, first, last)? {
        let holders = draws::holders(connection, row.number)?;
        found.extend(draw_from_rows(row, result, settlement, holders));
    }
    let leaves: Vec<u64> = found
        .iter()
        .flat_map(|draw| draw.leaves.iter().map(|(_, leaf, _)| *leaf))
        .collect();
    let times = log::leaf_times(connection, &leaves)?;
    for draw in &mut found {
        for (_, leaf, at_ms) in &mut draw.leaves {
            *at_ms = times.get(leaf).copied().unwrap_or(0);
        }
        draw.leaves.sort_by_key(|(_, leaf, _)| *leaf);
    }
    Ok(found)
}

/// Machine and holders of a draw that are on hosts of their own, as its record names them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawHosts {
    /// Their keys, machine first, then the holders in their order; empty for what is within central, and
    /// altogether where nothing is on a host.
    pub keys: Vec<String>,
    /// Their signature lines, in the same order, once the numbers are recorded.
    pub signatures: Vec<String>,
}

/// What is said of the hosts of a draw: directly behind its last commitment who they are, and directly
/// behind its numbers what they signed.
///
/// # Errors
/// The database's, or [`Fault::Record`].
pub fn hosts_behind(
    connection: &mut Connection,
    draw: u64,
    leaves: impl IntoIterator<Item = (EventKind, u64)>,
) -> Result<Vec<Fact>, Fault> {
    let (mut committed, mut recorded) = (None, None);
    for (kind, leaf) in leaves {
        match kind {
            EventKind::CommitmentRecorded => committed = committed.max(Some(leaf + 1)),
            EventKind::BallsRecorded => recorded = recorded.max(Some(leaf + 1)),
            _ => {}
        }
    }
    let size = log::count(connection)?;
    let behind = [committed, recorded].into_iter().flatten();
    let behind: Vec<u64> = behind.filter(|leaf| *leaf < size).collect();
    let mut facts = leaves::facts(connection, &behind)?;
    facts.retain(|fact| match &fact.event {
        Event::HostsNamed(body) => body.draw == draw,
        Event::HostsSigned(body) => body.draw == draw,
        _ => false,
    });
    Ok(facts)
}

/// The hosts of a draw.
///
/// # Errors
/// The database's, or [`Fault::Record`].
pub fn hosts_of(connection: &mut Connection, draw: &DrawInfo) -> Result<DrawHosts, Fault> {
    let leaves = draw.leaves().iter().map(|(kind, leaf, _)| (*kind, *leaf));
    let mut hosts = DrawHosts::default();
    for fact in hosts_behind(connection, draw.number(), leaves)? {
        match fact.event {
            Event::HostsNamed(body) => hosts.keys = body.keys,
            Event::HostsSigned(body) => hosts.signatures = body.signatures,
            _ => {}
        }
    }
    Ok(hosts)
}

/// Makes a finished draw what its leaves say: for who decides about cash. Its rows only say where
/// they are.
///
/// # Errors
/// The database's, or [`Fault::Record`] where rows and leaves differ.
pub fn prove(connection: &mut Connection, known: &Leaves, draw: &mut Draw) -> Result<(), Fault> {
    let kinds = [
        EventKind::DrawScheduled,
        EventKind::BallsRecorded,
        EventKind::DrawCertified,
        EventKind::DrawSettled,
        EventKind::DrawVoided,
    ];
    draw.leaves.retain(|(kind, _, _)| kinds.contains(kind));
    let named: Vec<u64> = draw.leaves.iter().map(|(_, leaf, _)| *leaf).collect();
    let facts = leaves::facts(connection, &named)?;
    leaves::must_be_known(connection, known, &facts)?;
    (draw.balls, draw.settlement) = (None, None);
    let mut state = None;
    for ((kind, _, at_ms), fact) in draw.leaves.iter_mut().zip(&facts) {
        if fact.event.kind() != *kind || fact.event.names().draw != Some(draw.number) {
            let (leaf, number) = (fact.leaf, draw.number);
            return Err(Fault::Record(format!(
                "leaf {leaf} is not that of draw {number}"
            )));
        }
        *at_ms = fact.at_ms;
        match &fact.event {
            Event::DrawScheduled(body) => draw.full_below_cents = body.full_below_cents,
            Event::BallsRecorded(body) => {
                draw.balls = Some(RecordedBalls {
                    balls: body.balls.clone(),
                    secrets_hash: body.secrets_hash,
                    recorded_at_ms: fact.at_ms,
                });
            }
            Event::DrawSettled(body) => {
                state = Some(DrawState::Settled);
                draw.settlement = Some(body.clone());
            }
            Event::DrawVoided(_) => state = Some(DrawState::Void),
            _ => {}
        }
    }
    let unfinished = || Fault::Record(format!("no leaf says how draw {} ended", draw.number));
    draw.state = state.ok_or_else(unfinished)?;
    Ok(())
}

/// A finished draw from its rows; none of a state that this program does not know.
fn draw_from_rows(
    row: DrawRow,
    result: Option<DrawResultRow>,
    settlement: Option<DrawSettlementRow>,
    holders: Vec<DrawHolderRow>,
) -> Option<Draw> {
    let numbers = result.as_ref();
    let mut leaves = vec![(EventKind::DrawScheduled, row.scheduled_leaf, 0)];
    let committed = holders.iter().filter_map(|holder| holder.commitment_leaf);
    leaves.extend(committed.map(|leaf| (EventKind::CommitmentRecorded, leaf, 0)));
    for (kind, leaf) in [
        (EventKind::DrawOpened, row.opened_leaf),
        (EventKind::DrawClosed, row.closed_leaf),
        (EventKind::DrawStarted, row.started_leaf),
        (EventKind::BallsRecorded, numbers.map(|r| r.recorded_leaf)),
        (
            EventKind::DrawCertified,
            numbers.and_then(|r| r.certified_leaf),
        ),
        (
            EventKind::SecretsRevealed,
            numbers.and_then(|r| r.revealed_leaf),
        ),
        (EventKind::DrawSettled, settlement.as_ref().map(|s| s.leaf)),
        (EventKind::DrawVoided, row.voided_leaf),
    ] {
        leaves.extend(leaf.map(|leaf| (kind, leaf, 0)));
    }
    let holder = |holder: DrawHolderRow| HolderState {
        name: holder.holder,
        commitment: holder.commitment,
        secret: holder.secret,
    };
    let seal = |(leaf, root)| SealState {
        size: leaf + 1,
        root,
    };
    let certifiers = numbers.and_then(|r| r.certifiers.as_ref());
    Some(Draw {
        number: row.number,
        state: DrawState::from_code(row.state)?,
        closes_at_ms: row.closes_at_ms,
        draws_at_ms: row.draws_at_ms,
        source: row.source,
        pool_size: row.pool_size,
        drawn: row.drawn,
        cap_cents: row.cap_cents,
        full_below_cents: row.full_below_cents,
        holders: holders.into_iter().map(holder).collect(),
        tickets: row.tickets,
        selections: row.selections,
        wagered_cents: row.wagered_cents,
        unpaid_after_seal: (0, 0),
        seal: row.closed_leaf.zip(row.seal_root).map(seal),
        rule_book_hash: None,
        hands: Hands::default(),
        ball_set: row.ball_set,
        certifiers: certifiers
            .map(|text| text.split(' ').map(str::to_owned).collect())
            .unwrap_or_default(),
        balls: result.map(|r| RecordedBalls {
            balls: r.balls,
            secrets_hash: r.secrets_hash,
            recorded_at_ms: r.recorded_at_ms,
        }),
        settlement: settlement.map(|s| DrawSettled {
            draw: s.draw,
            winners: s.winners,
            small_cents: s.small_cents,
            large_cents: s.large_cents,
            payable_cents: s.payable_cents,
            small_numerator: s.small_numerator,
            small_denominator: s.small_denominator,
            large_numerator: s.large_numerator,
            large_denominator: s.large_denominator,
            breakage_cents: s.breakage_cents,
            prize_root: s.prize_root,
        }),
        leaves,
    })
}

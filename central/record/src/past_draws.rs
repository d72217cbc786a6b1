//! Draws that have left the memory, from their rows: for readers, never for a start.

use keno_game::DrawState;
use keno_schema::Connection;

use crate::fault::Fault;
use crate::store::{draws, hash, log, unbig};

/// Draws by number from the record, with the times of their leaves.
///
/// # Errors
/// The database's, or [`Fault::Record`].
pub fn draws_from_record(
    connection: &mut Connection,
    first: i64,
    last: i64,
) -> Result<Vec<crate::state::Draw>, Fault> {
    let mut found = Vec::new();
    for (row, result, settlement) in draws::range(connection, first, last)? {
        let holders = draws::holders(connection, row.number)?;
        found.extend(draw_from_rows(
            &row,
            result.as_ref(),
            settlement.as_ref(),
            &holders,
        )?);
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

/// A finished draw from its rows.
///
/// # Errors
/// [`Fault::Record`] when a column is not what it must be.
fn draw_from_rows(
    row: &keno_schema::rows::DrawRow,
    result: Option<&keno_schema::rows::DrawResultRow>,
    settlement: Option<&keno_schema::rows::DrawSettlementRow>,
    holders: &[keno_schema::rows::DrawHolderRow],
) -> Result<Option<crate::state::Draw>, Fault> {
    use crate::state::{Draw, HolderState, RecordedBalls, SealState};
    use keno_log::EventKind;
    let Some(state) = u8::try_from(row.state).ok().and_then(DrawState::from_code) else {
        return Ok(None);
    };
    let small = |value: i16| u8::try_from(value).unwrap_or(0);
    let optional = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(hash).transpose();
    let mut leaves = vec![(EventKind::DrawScheduled, unbig(row.scheduled_leaf), 0)];
    leaves.extend(
        holders
            .iter()
            .filter_map(|holder| holder.commitment_leaf)
            .map(|leaf| (EventKind::CommitmentRecorded, unbig(leaf), 0)),
    );
    for (kind, leaf) in [
        (EventKind::DrawOpened, row.opened_leaf),
        (EventKind::DrawClosed, row.closed_leaf),
        (EventKind::DrawStarted, row.started_leaf),
        (EventKind::BallsRecorded, result.map(|r| r.recorded_leaf)),
        (
            EventKind::DrawCertified,
            result.and_then(|r| r.certified_leaf),
        ),
        (
            EventKind::SecretsRevealed,
            result.and_then(|r| r.revealed_leaf),
        ),
        (EventKind::DrawSettled, settlement.map(|s| s.leaf)),
        (EventKind::DrawVoided, row.voided_leaf),
    ] {
        if let Some(leaf) = leaf {
            leaves.push((kind, unbig(leaf), 0));
        }
    }
    Ok(Some(Draw {
        number: unbig(row.number),
        state,
        closes_at_ms: row.closes_at_ms,
        draws_at_ms: row.draws_at_ms,
        source: small(row.source),
        pool_size: small(row.pool_size),
        drawn: small(row.drawn),
        cap_cents: row.cap_cents,
        full_below_cents: row.full_below_cents,
        holders: holders
            .iter()
            .map(|holder| {
                Ok(HolderState {
                    name: holder.holder.clone(),
                    commitment: optional(&holder.commitment)?,
                    secret: optional(&holder.secret)?,
                })
            })
            .collect::<Result<_, Fault>>()?,
        tickets: unbig(row.tickets),
        selections: unbig(row.selections),
        wagered_cents: row.wagered_cents,
        unpaid_after_seal: (0, 0),
        seal: match (row.closed_leaf, optional(&row.seal_root)?) {
            (Some(leaf), Some(root)) => Some(SealState {
                size: unbig(leaf) + 1,
                root,
            }),
            _ => None,
        },
        rule_book_hash: None,
        balls: result
            .map(|r| {
                Ok::<_, Fault>(RecordedBalls {
                    balls: r.balls.clone(),
                    secrets_hash: hash(&r.secrets_hash)?,
                    recorded_at_ms: r.recorded_at_ms,
                })
            })
            .transpose()?,
        certifiers: result
            .and_then(|r| r.certifiers.as_ref())
            .map(|text| text.split(' ').map(str::to_owned).collect())
            .unwrap_or_default(),
        settlement: settlement
            .map(|s| {
                Ok::<_, Fault>(keno_log::event::DrawSettled {
                    draw: unbig(s.draw),
                    winners: unbig(s.winners),
                    small_cents: s.small_cents,
                    large_cents: s.large_cents,
                    payable_cents: s.payable_cents,
                    small_numerator: unbig(s.small_numerator),
                    small_denominator: unbig(s.small_denominator),
                    large_numerator: unbig(s.large_numerator),
                    large_denominator: unbig(s.large_denominator),
                    breakage_cents: s.breakage_cents,
                    prize_root: hash(&s.prize_root)?,
                })
            })
            .transpose()?,
        leaves,
    }))
}

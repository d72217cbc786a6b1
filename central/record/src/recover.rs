//! Start: a doubtful past is refused, in words that say what to do; then the memory is made
//! from leaves checked against their hashes.

use std::path::PathBuf;
use std::sync::Arc;

use keno_game::DrawState;
use keno_log::event::TicketSold;
use keno_log::tree::Edge;
use keno_log::{Event, Hash, Leaf, LeafHeader};
use keno_schema::{Connection, WriteFault, on};
use thiserror::Error;

use crate::fault::Fault;
use crate::project::sale_of;
use crate::publish::{Anchor, read_anchor_file};
use crate::state::{Served, Silence, State};
use crate::store::snapshot::on_snapshot;
use crate::store::{draws, hash, house, log, unbig};

/// The past is doubtful: central does not start on it.
#[derive(Debug, Error)]
pub enum DoubtfulPast {
    /// The record lies behind what was published of it.
    #[error(
        "the record ends at leaf {found}, but {anchor_file} proves that leaf {anchored} was \
         published: this is an older copy. Start the newest copy, or run `keno-central restore`, \
         which opens a new epoch by two people"
    )]
    BehindAnchor {
        /// Leaves in the record.
        found: u64,
        /// Leaves in the anchor.
        anchored: u64,
        /// The anchor file.
        anchor_file: String,
    },
    /// The record has another past than was published.
    #[error(
        "the record's root at leaf {size} is not the one in {anchor_file}: leaves were changed. \
         Keep this copy as evidence, call the audit office, and start a copy that verifies"
    )]
    OtherThanAnchor {
        /// Leaves at the comparison.
        size: u64,
        /// The anchor file.
        anchor_file: String,
    },
    /// An epoch that an anchor file was told of is not in the record.
    #[error(
        "{anchor_file} says that epoch {epoch} goes on from leaf {size}, and the record has no \
         such epoch: this is not the record that was restored. Start that one, or keep this copy \
         as evidence and call the audit office"
    )]
    EpochMissing {
        /// The epoch.
        epoch: u32,
        /// Leaves that it goes on from.
        size: u64,
        /// The anchor file.
        anchor_file: String,
    },
    /// Head and leaves disagree.
    #[error(
        "the head of the record and its leaves disagree ({what}). Run `keno-central verify`, and \
         start a copy that verifies"
    )]
    Head {
        /// What disagrees.
        what: String,
    },
    /// A leaf cannot be trusted.
    #[error("the record is damaged: {what}. Run `keno-central verify` to see the whole extent")]
    Leaf {
        /// Which leaf, and why.
        what: String,
    },
    /// The clock is behind the record.
    #[error(
        "the clock shows a time {seconds} s before the last leaf. Set the clock of this machine, \
         then start again"
    )]
    ClockBehind {
        /// By how much.
        seconds: i64,
    },
    /// Something else failed.
    #[error("the record cannot be read")]
    Fault(#[from] Fault),
}

impl From<diesel::result::Error> for DoubtfulPast {
    fn from(fault: diesel::result::Error) -> Self {
        Self::Fault(fault.into())
    }
}

/// A clock this far behind the last leaf is refused at start; less is waited out.
const CLOCK_BEHIND_MAX_MS: i64 = 2_000;
/// Leaf hashes read at a time.
const HASHES_A_READ: i64 = 20_000;
/// Finished draws that boards show.
const FINISHED_KEPT: i64 = 40;
/// Entries read at a time.
const ENTRIES_A_READ: i64 = 2_000;

/// Leaves that rows name as the place of a fact that still matters. Rows are pointers only; what
/// they point to is read from checked leaves.
fn pointed_leaves(connection: &mut Connection) -> Result<Pointers, diesel::result::Error> {
    use diesel::prelude::*;
    use keno_schema::tables::{
        device, draw, epoch, hand_over, log_entry, lost_refund, person, rule_book, session, shift,
    };
    let finished = [
        i16::from(DrawState::Settled.code()),
        i16::from(DrawState::Void.code()),
    ];
    let mut early: Vec<i64> = vec![0];
    early.extend(
        on!(&mut *connection, c => rule_book::table.select(rule_book::leaf).load::<i64>(c))?,
    );
    early.extend(on!(&mut *connection, c => epoch::table.select(epoch::leaf).load::<i64>(c))?);
    early.extend(on!(&mut *connection, c => person::table.select(person::leaf).load::<i64>(c))?);
    for pointers in on!(&mut *connection, c => person::table
        .filter(person::named_leaf.is_not_null())
        .select((person::named_leaf, person::acting_leaf))
        .load::<(Option<i64>, Option<i64>)>(c))?
    {
        early.extend([pointers.0, pointers.1].into_iter().flatten());
    }
    early.extend(on!(&mut *connection, c => device::table.select(device::leaf).load::<i64>(c))?);
    early.extend(
        on!(&mut *connection, c => hand_over::table.select(hand_over::leaf).load::<i64>(c))?,
    );
    // A device that serves again and was revoked later has its newest record after that.
    early.extend(on!(&mut *connection, c => hand_over::table
        .filter(hand_over::returned_leaf.is_not_null())
        .select(hand_over::returned_leaf.assume_not_null())
        .load::<i64>(c))?);
    early.extend(
        on!(&mut *connection, c => lost_refund::table.select(lost_refund::leaf).load::<i64>(c))?,
    );
    let open_sessions = on!(&mut *connection, c => session::table
        .filter(session::ended_leaf.is_null())
        .select(session::opened_leaf)
        .load::<i64>(c))?;
    let open_shifts = on!(&mut *connection, c => shift::table
        .filter(shift::closed_leaf.is_null())
        .select(shift::opened_leaf)
        .load::<i64>(c))?;
    let live_draws = on!(&mut *connection, c => draw::table
        .filter(draw::state.ne_all(finished))
        .select(draw::scheduled_leaf)
        .load::<i64>(c))?;
    let (suspended, halted, fence): (Option<i64>, Option<i64>, i64) = {
        use keno_schema::tables::house;
        on!(&mut *connection, c => house::table
            .select((house::sales_suspended_leaf, house::schedule_halted_leaf, house::fence))
            .first(c)
            .optional())?
        .unwrap_or((None, None, 0))
    };
    let next_session: Option<i64> = on!(&mut *connection, c => session::table.select(diesel::dsl::max(session::number)).first(c))?;
    let next_shift: Option<i64> =
        on!(&mut *connection, c => shift::table.select(diesel::dsl::max(shift::number)).first(c))?;
    let last: Option<i64> = on!(connection, c => log_entry::table
        .select(diesel::dsl::max(log_entry::leaf_index))
        .first(c))?;
    early.sort_unstable();
    early.dedup();
    let scan_from = open_sessions
        .iter()
        .chain(&open_shifts)
        .chain(&live_draws)
        .copied()
        .min()
        .unwrap_or(last.map_or(0, |last| last + 1));
    Ok(Pointers {
        early,
        scan_from: unbig(scan_from),
        suspended: suspended.map(unbig),
        halted: halted.map(unbig),
        fence: unbig(fence),
        next_session: unbig(next_session.unwrap_or(0)) + 1,
        next_shift: unbig(next_shift.unwrap_or(0)) + 1,
        last_leaf: last,
    })
}

struct Pointers {
    early: Vec<i64>,
    scan_from: u64,
    suspended: Option<u64>,
    halted: Option<u64>,
    fence: u64,
    next_session: u64,
    next_shift: u64,
    last_leaf: Option<i64>,
}

/// Reads the event of a checked entry.
fn checked_event(
    row: &keno_schema::rows::LogEntryRow,
) -> Result<(Leaf, Hash, Event), DoubtfulPast> {
    let damaged = |what: String| DoubtfulPast::Leaf { what };
    let (entry, leaf_hash) = log::checked_entry(row).map_err(|fault| damaged(fault.to_string()))?;
    let event = entry
        .event()
        .map_err(|fault| damaged(format!("leaf {}: {fault}", row.leaf_index)))?;
    Ok((entry.leaf, leaf_hash, event))
}

/// The newest anchor with its file, if there is one.
type Newest = Option<(Edge, String)>;

/// What the anchor files know.
struct Published {
    /// Every anchor that stands.
    anchors: Vec<Anchor>,
    /// The newest with its file.
    newest: Newest,
    /// Epochs that the files were told of: number, size that it goes on from, and the file.
    epochs: Vec<(u32, u64, String)>,
}

fn read_published(files: &[PathBuf]) -> Result<Published, Fault> {
    let mut all = Vec::new();
    let mut epochs = Vec::new();
    let mut newest: Newest = None;
    for file in files {
        let found = read_anchor_file(file)?;
        let anchors = found.anchors;
        for (number, size) in found.epochs {
            epochs.push((number, size, file.display().to_string()));
        }
        if let Some(last) = anchors.last()
            && newest
                .as_ref()
                .is_none_or(|(edge, _)| edge.size() < last.edge.size())
        {
            newest = Some((last.edge.clone(), file.display().to_string()));
        }
        all.extend(anchors);
    }
    Ok(Published {
        anchors: all,
        newest,
        epochs,
    })
}

/// An anchor file lets go of what was lost only where the record says so too.
fn check_epochs(
    connection: &mut Connection,
    published: &[(u32, u64, String)],
) -> Result<(), DoubtfulPast> {
    if published.is_empty() {
        return Ok(());
    }
    let recorded = house::epochs(connection)?;
    for (number, size, file) in published {
        let is_recorded = recorded
            .iter()
            .any(|row| row.number == i64::from(*number) && unbig(row.continues_size) == *size);
        if !is_recorded {
            return Err(DoubtfulPast::EpochMissing {
                epoch: *number,
                size: *size,
                anchor_file: file.clone(),
            });
        }
    }
    Ok(())
}

/// As [`recover`], of a record that no transaction can move any more.
///
/// PostgreSQL goes on with a commit whose central was killed: it would come between two of our
/// reads, or after the last of them. It holds the lock of the head's row until it has ended, so
/// that whoever has that lock sees all there will be of it.
///
/// # Errors
/// As [`recover`].
pub fn recover_settled(
    connection: &mut Connection,
    anchor_files: &[PathBuf],
    now_ms: i64,
) -> Result<State, DoubtfulPast> {
    // Had and let go: a start may take long, and whoever writes meanwhile moves the head, which
    // the first command of this central then notices.
    let locked = keno_schema::write(connection, |connection| {
        log::lock_head(connection).map(drop)
    });
    match locked {
        Ok(()) => {}
        Err(WriteFault::Undone(fault) | WriteFault::Begin(fault) | WriteFault::Unknown(fault)) => {
            return Err(fault.into());
        }
    }
    on_snapshot(connection, |connection| {
        recover(connection, anchor_files, now_ms)
    })
}

/// Makes the memory from the record.
///
/// # Errors
/// [`DoubtfulPast`], in words that say what to do.
pub fn recover(
    connection: &mut Connection,
    anchor_files: &[PathBuf],
    now_ms: i64,
) -> Result<State, DoubtfulPast> {
    let published = read_published(anchor_files)?;
    let newest = published.newest.as_ref();
    let head = log::head(connection).map_err(|fault| match fault {
        Fault::Record(what) => DoubtfulPast::Head { what },
        other => DoubtfulPast::Fault(other),
    })?;
    let found = head.as_ref().map_or(0, |(head, _)| head.size());
    if let Some((edge, file)) = newest
        && (head.is_none() || edge.size() > found)
    {
        return Err(DoubtfulPast::BehindAnchor {
            found,
            anchored: edge.size(),
            anchor_file: file.clone(),
        });
    }
    let Some((head, head_at_ms)) = head else {
        return Ok(State::default());
    };
    check_anchor(&head, newest)?;
    check_epochs(connection, &published.epochs)?;
    if now_ms < head_at_ms - CLOCK_BEHIND_MAX_MS {
        return Err(DoubtfulPast::ClockBehind {
            seconds: (head_at_ms - now_ms) / 1000,
        });
    }
    let pointers = pointed_leaves(connection)?;
    if pointers.last_leaf.map(|last| unbig(last) + 1) != Some(head.size()) {
        return Err(DoubtfulPast::Head {
            what: format!(
                "the head counts {} leaves and the last leaf is {:?}",
                head.size(),
                pointers.last_leaf
            ),
        });
    }

    let mut state = State::default();
    apply_early(connection, &pointers, &mut state)?;
    state.edge = edge_at(connection, &published, pointers.scan_from)?;
    scan(connection, newest, &mut state)?;
    if state.edge != head {
        return Err(DoubtfulPast::Head {
            what: format!(
                "the leaves give {} with root {}, the head says {} with root {}",
                state.edge.size(),
                hex::encode(state.edge.root()),
                head.size(),
                hex::encode(head.root())
            ),
        });
    }
    state.last_at_ms = head_at_ms;
    let (served, silences) = silences_of(connection)?;
    (state.served, state.silences) = (served, Arc::new(silences));
    forget_finished(&mut state);
    load_finished(connection, &mut state)?;
    Ok(state)
}

/// Facts that still hold from before the scan: house, rules, people, devices, lost tickets that
/// were refunded.
fn apply_early(
    connection: &mut Connection,
    pointers: &Pointers,
    state: &mut State,
) -> Result<(), DoubtfulPast> {
    let mut no_sale = |_| Err(Fault::Record("no ticket is read here".to_owned()));
    let early = pointers.early.iter().copied();
    for index in early.filter(|index| unbig(*index) < pointers.scan_from) {
        let (leaf, leaf_hash, event) = pointed(connection, index)?;
        let header = &leaf.header;
        state.apply(header, &event, leaf_hash, &mut no_sale, &mut Vec::new())?;
    }
    state.fence = pointers.fence;
    state.sales_suspended = pointers.suspended;
    state.schedule_halted = pointers.halted;
    // An epoch that is read here has set the least that they may be.
    state.next_session = state.next_session.max(pointers.next_session);
    state.next_shift = state.next_shift.max(pointers.next_shift);
    for (_, balls) in draws::all_results(connection)? {
        if let Ok(set) = keno_game::BallSet::from_numbers(&balls) {
            state.drawn_sets.insert(set.bits());
        }
    }
    Ok(())
}

/// The edge where the scan begins, from the nearest anchor before it.
fn edge_at(
    connection: &mut Connection,
    published: &Published,
    size: u64,
) -> Result<Edge, DoubtfulPast> {
    let anchors = published.anchors.iter().map(|anchor| &anchor.edge);
    let start = anchors
        .filter(|edge| edge.size() <= size)
        .max_by_key(|edge| edge.size());
    let mut edge = start.cloned().unwrap_or_default();
    while edge.size() < size {
        let wanted = size - edge.size();
        let count = i64::try_from(wanted).unwrap_or(i64::MAX).min(HASHES_A_READ);
        let hashes = log::leaf_hashes(connection, edge.size(), count)?;
        if hashes.is_empty() {
            return Err(DoubtfulPast::Head {
                what: format!("leaf {} is missing", edge.size()),
            });
        }
        for leaf_hash in hashes {
            edge.append(leaf_hash);
            check_anchor(&edge, published.newest.as_ref())?;
        }
    }
    Ok(edge)
}

/// Every leaf since the oldest fact that is still open.
fn scan(
    connection: &mut Connection,
    newest: Option<&(Edge, String)>,
    state: &mut State,
) -> Result<(), DoubtfulPast> {
    loop {
        let rows = log::entries(connection, state.edge.size(), ENTRIES_A_READ)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in &rows {
            let (leaf, leaf_hash, event) = checked_event(row)?;
            if leaf.header.index != state.edge.size() {
                return Err(DoubtfulPast::Leaf {
                    what: format!("leaf {} is missing", state.edge.size()),
                });
            }
            let mut sale = |ticket| sale_of(connection, ticket);
            apply_recovered(state, &leaf, &event, leaf_hash, &mut sale)?;
            check_anchor(&state.edge, newest)?;
        }
    }
}

/// The leaf that a row points to.
fn pointed(connection: &mut Connection, leaf: i64) -> Result<(Leaf, Hash, Event), DoubtfulPast> {
    let row = log::entry(connection, unbig(leaf))?.ok_or_else(|| DoubtfulPast::Leaf {
        what: format!("leaf {leaf} is missing"),
    })?;
    checked_event(&row)
}

/// The header of a leaf that a row points to.
fn pointed_header(connection: &mut Connection, leaf: i64) -> Result<LeafHeader, DoubtfulPast> {
    Ok(pointed(connection, leaf)?.0.header)
}

/// The last leaf by which somebody was served, and the silences: by the leaves that rows point to.
fn silences_of(
    connection: &mut Connection,
) -> Result<(Option<Served>, Vec<Silence>), DoubtfulPast> {
    let served = match house::last_served(connection)? {
        Some(leaf) => Served::by(&pointed_header(connection, leaf)?),
        None => None,
    };
    let mut found = Vec::new();
    for row in house::silences(connection)? {
        let before = Served::by(&pointed_header(connection, row.served_leaf)?);
        let header = pointed_header(connection, row.leaf)?;
        let silence = Silence::after(before, &header).ok_or_else(|| DoubtfulPast::Leaf {
            what: format!("leaf {} ends no silence", row.leaf),
        })?;
        found.push(silence);
    }
    Ok((served, found))
}

fn check_anchor(edge: &Edge, newest: Option<&(Edge, String)>) -> Result<(), DoubtfulPast> {
    if let Some((anchor, file)) = newest
        && anchor.size() == edge.size()
        && anchor.root() != edge.root()
    {
        return Err(DoubtfulPast::OtherThanAnchor {
            size: edge.size(),
            anchor_file: file.clone(),
        });
    }
    Ok(())
}

/// Applies a leaf of the scan. Facts about draws that were finished before the scan begins only
/// move the edge.
fn apply_recovered(
    state: &mut State,
    leaf: &Leaf,
    event: &Event,
    leaf_hash: Hash,
    sale: &mut dyn FnMut(u64) -> Result<TicketSold, Fault>,
) -> Result<(), Fault> {
    let number = event.draw();
    let is_draw_fact = number != 0
        && !matches!(
            event,
            Event::DrawScheduled(_)
                | Event::TicketSold(_)
                | Event::TicketCancelled(_)
                | Event::TicketUnpaid(_)
        );
    if is_draw_fact && !state.draws.contains_key(&number) {
        state.edge.append(leaf_hash);
        state.last_at_ms = leaf.header.at_ms;
        return Ok(());
    }
    state.apply(&leaf.header, event, leaf_hash, sale, &mut Vec::new())
}

/// Lets go of wagers that only finished draws had.
fn forget_finished(state: &mut State) {
    let live: std::collections::BTreeSet<u64> = state
        .draws
        .values()
        .filter(|draw| !matches!(draw.state, DrawState::Settled | DrawState::Void))
        .map(|draw| draw.number)
        .collect();
    state.single.retain(|draw, _| live.contains(draw));
    state.liability.retain(|draw, _| live.contains(draw));
    let oldest = live.first().copied().unwrap_or(u64::MAX);
    state.ranged.retain(|ranged| ranged.last >= oldest);
    state.ways.retain(|ranged| ranged.last >= oldest);
}

/// Loads the last finished draws for boards: their facts from rows checked against their leaves.
fn load_finished(connection: &mut Connection, state: &mut State) -> Result<(), DoubtfulPast> {
    let Some(last) = draws::last_number(connection)? else {
        return Ok(());
    };
    let from = state
        .draws
        .keys()
        .next()
        .map_or(last + 1, |first| crate::store::big(*first));
    // Between two epochs there are numbers that no draw has.
    let Some(first) = draws::number_before(connection, from, FINISHED_KEPT)? else {
        return Ok(());
    };
    for draw in draws_from_record(connection, first, from - 1)? {
        state.draws.insert(draw.number, draw);
    }
    Ok(())
}

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

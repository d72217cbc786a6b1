//! Start: the memory is made from leaves and from nothing else, each checked against its hash, and
//! all of them against the head and what was published of it. A signed snapshot spares the leaves
//! before it. A doubtful past is refused, in words that say what to do.

use std::path::PathBuf;

use keno_log::tree::Edge;
use keno_log::{Event, Hash, Leaf};
use keno_schema::{Connection, WriteFault};
use thiserror::Error;

use crate::fault::Fault;
use crate::project::sale_of;
use crate::publish::{Anchor, read_anchor_file};
use crate::snapshot::SnapshotPlace;
use crate::state::State;
use crate::store::snapshot::on_snapshot;
use crate::store::{leaves, log};

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
    /// The tables are not as this program makes them.
    #[error(
        "somebody changed the tables of the database ({what}). Nothing was recorded. Keep this copy \
         as evidence and call the audit office; then undo that, or restore a backup into an empty \
         database"
    )]
    Altered {
        /// What is not as it was made.
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
/// Entries read at a time.
const ENTRIES_A_READ: i64 = 2_000;

/// The newest anchor with its file, if there is one.
type Newest = Option<(Anchor, String)>;

/// What the anchor files know.
struct Published {
    /// The newest anchor with its file.
    newest: Newest,
    /// Epochs that the files were told of: number, size that it goes on from, and the file.
    epochs: Vec<(u32, u64, String)>,
}

fn read_published(files: &[PathBuf]) -> Result<Published, Fault> {
    let mut epochs = Vec::new();
    let mut newest: Newest = None;
    for file in files {
        let found = read_anchor_file(file)?;
        for (number, size) in found.epochs {
            epochs.push((number, size, file.display().to_string()));
        }
        if let Some(last) = found.anchors.last()
            && newest
                .as_ref()
                .is_none_or(|(known, _)| known.size < last.size)
        {
            newest = Some((*last, file.display().to_string()));
        }
    }
    Ok(Published { newest, epochs })
}

/// An anchor file lets go of what was lost only where the record says so too: the leaf that opens
/// an epoch stands where the log goes on.
fn check_epochs(
    connection: &mut Connection,
    published: &[(u32, u64, String)],
) -> Result<(), DoubtfulPast> {
    for (number, size, file) in published {
        let row = log::entry(connection, *size)?;
        let event = row.as_ref().map(checked_event).transpose()?;
        let is_recorded = matches!(
            event,
            Some((_, _, Event::EpochOpened(opened))) if opened.epoch == *number
        );
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
    snapshots: Option<&SnapshotPlace>,
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
        recover(connection, anchor_files, snapshots, now_ms)
    })
}

/// Makes the memory from the record: from the newest snapshot that leads to its head, or else from
/// the first leaf.
///
/// # Errors
/// [`DoubtfulPast`], in words that say what to do.
pub fn recover(
    connection: &mut Connection,
    anchor_files: &[PathBuf],
    snapshots: Option<&SnapshotPlace>,
    now_ms: i64,
) -> Result<State, DoubtfulPast> {
    let published = read_published(anchor_files)?;
    let newest = published.newest.as_ref();
    let head = log::head(connection).map_err(|fault| match fault {
        Fault::Record(what) => DoubtfulPast::Head { what },
        other => DoubtfulPast::Fault(other),
    })?;
    let found = head.as_ref().map_or(0, |(head, _)| head.size());
    if let Some((anchor, file)) = newest
        && (head.is_none() || anchor.size > found)
    {
        return Err(DoubtfulPast::BehindAnchor {
            found,
            anchored: anchor.size,
            anchor_file: file.clone(),
        });
    }
    let Some((head, head_at_ms)) = head else {
        return Ok(State::default());
    };
    if newest.is_none() {
        tracing::warn!("no anchor file knows of this record: an older copy would not be noticed");
    }
    check_anchor(&head, newest)?;
    check_epochs(connection, &published.epochs)?;
    let count = log::count(connection)?;
    if count != head.size() {
        return Err(DoubtfulPast::Head {
            what: format!(
                "the head counts {} leaves and the last leaf is {:?}",
                head.size(),
                count.checked_sub(1)
            ),
        });
    }
    let state = agreed(connection, &published, snapshots, &head)?;
    if state.last_at_ms != head_at_ms {
        return Err(DoubtfulPast::Head {
            what: format!(
                "the last leaf is of {} ms and the head says {head_at_ms} ms",
                state.last_at_ms
            ),
        });
    }
    // By the last leaf: whoever can write the head alone does not have a clock set.
    if now_ms < state.last_at_ms - CLOCK_BEHIND_MAX_MS {
        return Err(DoubtfulPast::ClockBehind {
            seconds: (state.last_at_ms - now_ms) / 1000,
        });
    }
    Ok(state)
}

/// The memory that leads to the head: from the snapshot if there is one that does, or else from the
/// first leaf. A snapshot of this epoch that the leaves contradict was signed for another past.
fn agreed(
    connection: &mut Connection,
    published: &Published,
    snapshots: Option<&SnapshotPlace>,
    head: &Edge,
) -> Result<State, DoubtfulPast> {
    let kept = snapshots.and_then(|place| Some((place.read()?, place.path().display())));
    let stated = kept
        .as_ref()
        .map(|(kept, file)| (kept.edge.clone(), kept.epoch.number, file.to_string()));
    if let Some((kept, _)) = kept.filter(|(kept, _)| kept.edge.size() <= head.size()) {
        match fold(connection, published, kept, &mut |_| ()) {
            Ok(state) if state.edge == *head => return Ok(state),
            Ok(_) => tracing::warn!("the snapshot of the state does not lead to the head"),
            Err(fault) => tracing::warn!(%fault, "the snapshot of the state leads nowhere"),
        }
    }
    let mut root = None;
    let state = fold(connection, published, State::default(), &mut |edge| {
        if stated
            .as_ref()
            .is_some_and(|(at, _, _)| at.size() == edge.size())
        {
            root = Some(edge.root());
        }
    })?;
    if state.edge != *head {
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
    match stated {
        // An epoch that was opened since goes on from before it.
        Some((_, epoch, _)) if epoch < state.epoch.number => Ok(state),
        Some((edge, _, anchor_file)) if edge.size() > head.size() => {
            Err(DoubtfulPast::BehindAnchor {
                found: head.size(),
                anchored: edge.size(),
                anchor_file,
            })
        }
        Some((edge, _, anchor_file)) if root != Some(edge.root()) => {
            Err(DoubtfulPast::OtherThanAnchor {
                size: edge.size(),
                anchor_file,
            })
        }
        _ => Ok(state),
    }
}

/// Every leaf since those that `state` was made from. `each` sees the edge after each.
fn fold(
    connection: &mut Connection,
    published: &Published,
    mut state: State,
    each: &mut dyn FnMut(&Edge),
) -> Result<State, DoubtfulPast> {
    check_anchor(&state.edge, published.newest.as_ref())?;
    let known = state.leaves.clone();
    let folded_from = state.edge.size();
    let mut undo = Vec::new();
    loop {
        let rows = log::entries(connection, state.edge.size(), ENTRIES_A_READ)?;
        if rows.is_empty() {
            return Ok(state);
        }
        for row in &rows {
            let (leaf, leaf_hash, event) = checked_event(row)?;
            if leaf.header.index != state.edge.size() {
                return Err(DoubtfulPast::Leaf {
                    what: format!("leaf {} is missing", state.edge.size()),
                });
            }
            let mut sale = |ticket| {
                if ticket < folded_from {
                    let fact = leaves::fact(connection, ticket)?;
                    leaves::must_be_known(connection, &known, &[fact])?;
                }
                sale_of(connection, ticket)
            };
            state.apply(&leaf.header, &event, leaf_hash, &mut sale, &mut undo)?;
            undo.clear();
            check_anchor(&state.edge, published.newest.as_ref())?;
            each(&state.edge);
        }
    }
}

/// Reads the event of a checked entry.
fn checked_event(
    row: &keno_schema::rows::LogEntryRow,
) -> Result<(Leaf, Hash, Event), DoubtfulPast> {
    let damaged = |what: String| DoubtfulPast::Leaf { what };
    let (entry, leaf_hash) = log::checked_entry(row).map_err(|fault| match fault {
        // Nobody has damaged it.
        Fault::Retired(_) => DoubtfulPast::Fault(fault),
        fault => damaged(fault.to_string()),
    })?;
    let event = entry
        .event()
        .map_err(|fault| damaged(format!("leaf {}: {fault}", row.leaf_index)))?;
    Ok((entry.leaf, leaf_hash, event))
}

fn check_anchor(edge: &Edge, newest: Option<&(Anchor, String)>) -> Result<(), DoubtfulPast> {
    if let Some((anchor, file)) = newest
        && anchor.size == edge.size()
        && anchor.root != edge.root()
    {
        return Err(DoubtfulPast::OtherThanAnchor {
            size: edge.size(),
            anchor_file: file.clone(),
        });
    }
    Ok(())
}

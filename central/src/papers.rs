//! What each paper knows of the log, held against the log.
//!
//! A claim code carries size and root of the newest checkpoint at its sale, under a mark that only
//! central can make. A true code that knows another log than this one means that the record behind
//! it was changed since: nobody but people can say how, so an alarm stands for as long as central
//! runs. The verdict of the ticket is not touched: payment follows the record (s. 84).
//!
//! It is done after the answer, on a thread of its own: nobody waits for it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;

use keno_log::Hash;
use keno_log::hash::node_hash;
use keno_record::fault::Fault;
use keno_record::log_tree::TreeReader;
use keno_record::store::log;
use keno_service::Central;
use keno_service::counter::TrueClaim;
use parking_lot::Mutex;

/// Papers that may wait to be held against the log.
const WAITING_MAX: usize = 1_024;
/// Sizes that are remembered to agree; many papers are of one checkpoint.
const KNOWN_MAX: usize = 65_536;

/// What a paper knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    epoch: u32,
    size: u64,
    root: Hash,
}

enum Asked {
    Paper(Known),
    /// Says when all before it was done.
    Sync(SyncSender<()>),
}

/// Sizes at which a true paper knows another root than the log.
type Disagreeing = Arc<Mutex<BTreeSet<u64>>>;

/// The papers that were checked since central started.
#[derive(Debug)]
pub struct Papers {
    sender: Option<SyncSender<Asked>>,
    thread: Option<JoinHandle<()>>,
    disagreeing: Disagreeing,
    passed_over: AtomicU64,
}

/// The root of the first `size` leaves (RFC 6962, 2.1), from the roots of complete subtrees.
fn root_at(tree: &mut TreeReader<'_>, size: u64) -> Result<Hash, Fault> {
    let mut root: Option<Hash> = None;
    // From the right, where the subtrees are small.
    for level in 0..64_u8 {
        if size >> level & 1 == 1 {
            let left = tree.node(level, (size >> level) - 1)?;
            root = Some(match root {
                None => left,
                Some(right) => node_hash(&left, &right),
            });
        }
    }
    Ok(root.unwrap_or(keno_log::hash::EMPTY_ROOT))
}

/// Whether the log begins with what a paper knows, or says itself that it lost that part.
fn agrees(central: &Central, known: Known) -> Result<bool, Fault> {
    let mut reader = central.readers.get()?;
    let view = central.view.get();
    let mut later = view.epochs.later().iter();
    let lost = later.any(|opened| opened.number > known.epoch && known.size > opened.first);
    if lost {
        return Ok(true);
    }
    let size = log::head(&mut reader)?.map_or(0, |(edge, _)| edge.size());
    if known.size > size {
        return Ok(false);
    }
    let mut tree = TreeReader::new(&mut reader, &central.tile_roots, size);
    Ok(root_at(&mut tree, known.size)? == known.root)
}

fn run(central: &Weak<Central>, asked: &Receiver<Asked>, disagreeing: &Disagreeing) {
    let mut agreed = BTreeSet::new();
    while let Ok(asked) = asked.recv() {
        let known = match asked {
            Asked::Paper(known) => known,
            Asked::Sync(done) => {
                // Whoever no longer waits need not be told.
                let _ = done.send(());
                continue;
            }
        };
        if agreed.contains(&known) {
            continue;
        }
        let Some(central) = central.upgrade() else {
            return;
        };
        match agrees(&central, known) {
            Ok(true) => {
                if agreed.len() >= KNOWN_MAX {
                    agreed.clear();
                }
                agreed.insert(known);
            }
            Ok(false) => {
                tracing::error!(
                    size = known.size,
                    root = hex::encode(known.root),
                    "a paper of this house knows another log"
                );
                let mut disagreeing = disagreeing.lock();
                disagreeing.insert(known.size);
            }
            Err(fault) => tracing::warn!(%fault, "a paper was not held against the log"),
        }
    }
}

impl Papers {
    /// Begins.
    ///
    /// # Errors
    /// When the thread cannot be made.
    pub fn start(central: &Arc<Central>) -> std::io::Result<Self> {
        let (sender, receiver) = sync_channel(WAITING_MAX);
        let disagreeing = Disagreeing::default();
        let central = Arc::downgrade(central);
        let found = Arc::clone(&disagreeing);
        let thread = std::thread::Builder::new()
            .name("papers".to_owned())
            .spawn(move || run(&central, &receiver, &found))?;
        Ok(Self {
            sender: Some(sender),
            thread: Some(thread),
            disagreeing,
            passed_over: AtomicU64::new(0),
        })
    }

    /// A true claim was shown: what it knows is held against the log after the answer.
    pub fn seen(&self, central: &Central, claim: &TrueClaim) {
        let (Some((size, root)), Some(sender)) = (claim.knows, &self.sender) else {
            return;
        };
        let epoch = central.keys.epoch_of_claim_key(claim.key);
        let known = Known { epoch, size, root };
        if let Err(TrySendError::Full(_)) = sender.try_send(Asked::Paper(known)) {
            // Its ticket is checked again before it is paid. Said at 1, 2, 4, 8 of them and so on:
            // whoever asks fast enough must not fill the process's log.
            let passed_over = self.passed_over.fetch_add(1, Ordering::Relaxed) + 1;
            if passed_over.is_power_of_two() {
                tracing::warn!(
                    passed_over,
                    "papers were not held against the log: too many wait"
                );
            }
        }
    }

    /// The sizes at which a true paper knew another log, once all that was shown is judged.
    pub fn judged(&self) -> Vec<u64> {
        let (done, waits) = sync_channel(1);
        if let Some(sender) = &self.sender
            && sender.send(Asked::Sync(done)).is_ok()
        {
            let _ = waits.recv();
        }
        self.disagreeing()
    }

    /// The sizes at which a true paper knew another log.
    pub fn disagreeing(&self) -> Vec<u64> {
        self.disagreeing.lock().iter().copied().collect()
    }
}

impl Drop for Papers {
    fn drop(&mut self) {
        drop(self.sender.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing more to say.
            let _ = thread.join();
        }
    }
}

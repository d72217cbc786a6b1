//! Signed checkpoints, anchors and snapshots, after the commit and off the writer.
//!
//! Every checkpoint is also appended, synced, to anchor files outside the database. A start
//! behind an anchor is refused: it would be a rolled-back record.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use keno_log::access::AccessAnchor;
use keno_log::checkpoint::{Checkpoint, SigningKey};
use keno_log::tree::Edge;
use keno_log::{Hash, checkpoint};
use parking_lot::{Condvar, Mutex, RwLock};

use crate::fault::{Fault, chain};
use crate::snapshot::Snapshot;

/// The newest signed checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    /// Leaves in the log.
    pub size: u64,
    /// Root of the tree.
    pub root: Hash,
    /// The signed note.
    pub note: String,
}

/// An anchor: what was published of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// Leaves.
    pub size: u64,
    /// Root of their tree.
    pub root: Hash,
}

/// An anchor file, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnchorFile {
    /// The anchors that stand, oldest first.
    pub anchors: Vec<Anchor>,
    /// Epochs that the file was told of: number, and the size that it goes on from.
    pub epochs: Vec<(u32, u64)>,
    /// What was published of the access log.
    pub access: Vec<AccessAnchor>,
}

/// Reads the anchors of a file, oldest first. A torn last line is passed over: it was never
/// acknowledged.
///
/// # Errors
/// [`Fault::File`] when the file cannot be read or a line before the last is not an anchor.
pub fn read_anchors(path: &Path) -> Result<Vec<Anchor>, Fault> {
    read_anchor_file(path).map(|file| file.anchors)
}

/// As [`read_anchors`], with the epochs that the file was told of: from such a line on, anchors
/// of what was lost do not stand any more.
///
/// # Errors
/// As [`read_anchors`].
pub fn read_anchor_file(path: &Path) -> Result<AnchorFile, Fault> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {
            return Ok(AnchorFile::default());
        }
        Err(fault) => return Err(Fault::File(format!("{}: {fault}", path.display()))),
    };
    let mut read = AnchorFile::default();
    let (mut reader, mut bytes, mut number) = (BufReader::new(file), Vec::new(), 0);
    let at = |fault| Fault::File(format!("{}: {fault}", path.display()));
    while reader.read_until(b'\n', &mut bytes).map_err(at)? > 0 {
        number += 1;
        let is_whole = bytes.ends_with(b"\n");
        let line = std::str::from_utf8(&bytes).unwrap_or_default().trim_end();
        match (
            parse_anchor(line),
            parse_epoch(line),
            AccessAnchor::parse(line),
        ) {
            (Some(anchor), ..) => read.anchors.push(anchor),
            (_, Some((epoch, size)), _) => {
                read.anchors.retain(|anchor| anchor.size <= size);
                read.epochs.retain(|(_, from)| *from < size);
                read.epochs.push((epoch, size));
            }
            (.., Some(anchor)) => read.access.push(anchor),
            _ if is_whole => {
                return Err(Fault::File(format!(
                    "{}: line {number} is not an anchor",
                    path.display()
                )));
            }
            _ => {}
        }
        bytes.clear();
    }
    Ok(read)
}

/// `epoch NUMBER SIZE`: the log goes on from so many leaves in this epoch.
fn parse_epoch(line: &str) -> Option<(u32, u64)> {
    let mut words = line.split(' ');
    let (mark, number, size) = (words.next()?, words.next()?, words.next()?);
    if mark != "epoch" || words.next().is_some() {
        return None;
    }
    Some((number.parse().ok()?, size.parse().ok()?))
}

/// The line that tells an anchor file of a new epoch.
pub fn epoch_line(number: u32, size: u64) -> String {
    format!("epoch {number} {size}\n")
}

/// `anchor SIZE ROOT`: the root in hexadecimal.
fn parse_anchor(line: &str) -> Option<Anchor> {
    let (size, root) = line.strip_prefix("anchor ")?.split_once(' ')?;
    Some(Anchor {
        size: size.parse().ok()?,
        root: hex::decode(root).ok()?.try_into().ok()?,
    })
}

impl Anchor {
    /// Its line.
    pub fn line(&self) -> String {
        format!("anchor {} {}\n", self.size, hex::encode(self.root))
    }
}

/// What is to be published.
#[derive(Default)]
struct Heads {
    /// Of the record.
    record: Option<Edge>,
    /// Of the access log, with the epoch in which it was begun.
    access: Option<(u32, Edge)>,
    /// The memory, for the next start.
    snapshot: Option<Snapshot>,
}

impl Heads {
    fn waits(&self) -> bool {
        self.record.is_some() || self.access.is_some() || self.snapshot.is_some()
    }
}

struct Inbox {
    newest: Heads,
    stopping: bool,
}

struct Shared {
    inbox: Mutex<Inbox>,
    arrived: Condvar,
    published: RwLock<Option<Arc<SignedCheckpoint>>>,
}

/// What signs and anchors.
struct Press {
    key: SigningKey,
    origin: String,
    files: Vec<File>,
    /// Where the snapshots of the memory go.
    snapshots: PathBuf,
    published: Published,
}

/// Signs and anchors the newest head on a thread of its own, or when told to.
pub struct Publisher {
    shared: Arc<Shared>,
    thread: Mutex<Option<std::thread::JoinHandle<()>>>,
    /// Here when no thread has it.
    press: Mutex<Option<Press>>,
}

impl std::fmt::Debug for Publisher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Publisher(..)")
    }
}

/// Called after each publication.
pub type Published = Box<dyn Fn(&SignedCheckpoint) + Send>;

impl Publisher {
    /// Starts the publisher. `anchors` are the files to append to, `snapshots` is the file of the
    /// newest. When `stepped`, nothing is published but by [`Self::publish_waiting`].
    ///
    /// # Errors
    /// When an anchor file cannot be opened or no thread can be started.
    pub fn start(
        key: SigningKey,
        origin: String,
        anchors: &[PathBuf],
        snapshots: PathBuf,
        published: Published,
        stepped: bool,
    ) -> Result<Self, Fault> {
        let mut files = Vec::new();
        for path in anchors {
            let at = |fault: std::io::Error| Fault::File(format!("{}: {fault}", path.display()));
            trim_torn_line(path).map_err(at)?;
            files.push(
                OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(path)
                    .map_err(at)?,
            );
        }
        let shared = Arc::new(Shared {
            inbox: Mutex::new(Inbox {
                newest: Heads::default(),
                stopping: false,
            }),
            arrived: Condvar::new(),
            published: RwLock::new(None),
        });
        let mut press = Press {
            key,
            origin,
            files,
            snapshots,
            published,
        };
        if stepped {
            return Ok(Self {
                shared,
                thread: Mutex::new(None),
                press: Mutex::new(Some(press)),
            });
        }
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("publisher".to_owned())
            .spawn(move || {
                while let Some(heads) = of_thread.wait() {
                    press.publish(&of_thread, &heads);
                }
            })
            .map_err(|fault| Fault::File(format!("no thread for the publisher: {fault}")))?;
        Ok(Self {
            shared,
            thread: Mutex::new(Some(thread)),
            press: Mutex::new(None),
        })
    }

    /// Publishes the newest head here and now, when no thread does. Returns whether one waited.
    pub fn publish_waiting(&self) -> bool {
        let mut press = self.press.lock();
        let Some(press) = press.as_mut() else {
            return false;
        };
        let newest = std::mem::take(&mut self.shared.inbox.lock().newest);
        if newest.waits() {
            press.publish(&self.shared, &newest);
        }
        newest.waits()
    }

    /// A handle that the writer calls after each commit, with a snapshot if one is due.
    pub fn sender(&self) -> impl Fn(&Edge, Option<Snapshot>) + Send + 'static {
        let shared = Arc::clone(&self.shared);
        move |edge: &Edge, snapshot: Option<Snapshot>| {
            let mut inbox = shared.inbox.lock();
            inbox.newest.record = Some(edge.clone());
            // One that waits already is older: the newest is enough.
            if snapshot.is_some() {
                inbox.newest.snapshot = snapshot;
            }
            drop(inbox);
            shared.arrived.notify_one();
        }
    }

    /// A handle that the writer of the access log calls after each commit, with the epoch in which
    /// that log was begun. It waits for nothing.
    pub fn access_sender(&self) -> impl Fn(u32, &Edge) + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move |epoch: u32, edge: &Edge| {
            shared.inbox.lock().newest.access = Some((epoch, edge.clone()));
            shared.arrived.notify_one();
        }
    }

    /// The newest signed checkpoint.
    pub fn newest(&self) -> Option<Arc<SignedCheckpoint>> {
        self.shared.published.read().clone()
    }

    /// Publishes what waits, then stops.
    pub fn stop(&self) {
        self.shared.inbox.lock().stopping = true;
        self.shared.arrived.notify_all();
        let thread = self.thread.lock().take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the publisher ended in a panic");
        }
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Cuts a line that a power cut left unfinished.
pub fn trim_torn_line(path: &Path) -> std::io::Result<()> {
    let Ok(bytes) = std::fs::read(path) else {
        return Ok(());
    };
    let whole = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    if whole < bytes.len() {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(u64::try_from(whole).unwrap_or(0))?;
        file.sync_all()?;
    }
    Ok(())
}

impl Shared {
    /// Waits for heads to publish; `None` once the publisher is to stop and none waits.
    fn wait(&self) -> Option<Heads> {
        let mut inbox = self.inbox.lock();
        loop {
            if inbox.newest.waits() {
                return Some(std::mem::take(&mut inbox.newest));
            }
            if inbox.stopping {
                return None;
            }
            self.arrived.wait(&mut inbox);
        }
    }
}

impl Press {
    /// Both heads go to disk together: that of the access log costs no sync of its own while the
    /// record moves.
    fn publish(&mut self, shared: &Shared, heads: &Heads) {
        let signed = heads.record.as_ref().and_then(|edge| self.sign(edge));
        let mut lines = String::new();
        if let Some(SignedCheckpoint { size, root, .. }) = signed {
            lines.push_str(&Anchor { size, root }.line());
        }
        if let Some((epoch, edge)) = &heads.access {
            match AccessAnchor::sign(self.key.name(), *epoch, edge, &self.key) {
                Some(anchor) => lines.push_str(&format!("{}\n", anchor.line())),
                None => tracing::error!("a checkpoint of the access log could not be signed"),
            }
        }
        for file in &mut self.files {
            if let Err(fault) = file
                .write_all(lines.as_bytes())
                .and_then(|()| file.sync_data())
            {
                tracing::error!(%fault, "an anchor could not be written");
            }
        }
        if let Some(signed) = signed {
            *shared.published.write() = Some(Arc::new(signed.clone()));
            (self.published)(&signed);
        }
        // Nobody waits for it, and a start without it only takes longer.
        if let Some(snapshot) = &heads.snapshot
            && let Err(fault) = snapshot.write(&self.snapshots, &self.key)
        {
            tracing::warn!(fault = %chain(&fault), "a snapshot of the state could not be written");
        }
    }

    fn sign(&self, edge: &Edge) -> Option<SignedCheckpoint> {
        let root = edge.root();
        let checkpoint = Checkpoint::new(&self.origin, edge.size(), root);
        match checkpoint::sign(&checkpoint, &self.key) {
            Ok(note) => Some(SignedCheckpoint {
                size: edge.size(),
                root,
                note,
            }),
            Err(fault) => {
                tracing::error!(%fault, "a checkpoint could not be signed");
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_survive_a_torn_line_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("anchors.log");
        let mut edge = Edge::new();
        let mut text = String::new();
        for leaf in 0..5_u8 {
            edge.append([leaf; 32]);
            let (size, root) = (edge.size(), edge.root());
            text.push_str(&Anchor { size, root }.line());
        }
        std::fs::write(&path, format!("{text}anchor 6 torn")).unwrap();
        assert_eq!(read_anchors(&path).unwrap().len(), 5);
        trim_torn_line(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        std::fs::write(&path, format!("{text}{}", epoch_line(2, 3))).unwrap();
        let told = read_anchor_file(&path).unwrap();
        assert_eq!((told.anchors.len(), told.epochs), (3, vec![(2, 3)]));
        let broken = text.replacen("anchor 2", "anchor two", 1);
        std::fs::write(&path, broken).unwrap();
        assert!(matches!(read_anchors(&path), Err(Fault::File(words)) if words.contains("line 2")));
        // A whole last line was acknowledged, whatever it is: nothing may be written after it.
        for last in ["\n", "hello\n", "anchor 6 torn\n"] {
            std::fs::write(&path, format!("{text}{last}")).unwrap();
            let refused = read_anchors(&path);
            assert!(matches!(refused, Err(Fault::File(words)) if words.contains("line 6")));
        }
        std::fs::write(&path, [text.as_bytes(), b"anchor 6 \xff\xfe"].concat()).unwrap();
        assert_eq!(read_anchors(&path).unwrap().len(), 5);
    }
}

//! The chain of the access log: who looked, as a second tree beside the game log
//! (`FORMAT.md`, "The access log").
//!
//! Each line is a leaf of an RFC 6962 tree of its own; its checkpoints are signed with the log's
//! key under another origin and stand in the anchor files. Nothing about money depends on it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::checkpoint::{self, Checkpoint, SigningKey, VerifyingKey};
use crate::encode::{DecodeFault, Field as _, Reader, record};
use crate::hash::{HASH_BYTES, Hash, leaf_hash};
use crate::tree::Edge;

/// First line of an exported access log.
pub const MAGIC: &str = "boulier-access/1";
/// First byte of a line's bytes.
const VERSION: u8 = 1;
/// Stands in an export for a line of which only the hash is kept.
const NOT_KEPT: &str = "-";

record! {
    /// One line.
    AccessRecord {
        /// When, UTC milliseconds.
        at_ms: i64,
        /// What happened, by its stable name.
        kind: String,
        /// Device number, if one proved its key.
        device: Option<u32>,
        /// Badge, as given.
        badge: String,
        /// Keyed hash of the number that was asked for.
        trace: String,
        /// Purpose of an audit view, or the reason of a refusal.
        purpose: String,
    }
}

impl AccessRecord {
    /// The bytes of the leaf.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        self.put(&mut bytes);
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote; nothing else is accepted.
    ///
    /// # Errors
    /// A [`DecodeFault`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeFault> {
        let mut reader = Reader::new(bytes);
        match u8::take(&mut reader)? {
            VERSION => {}
            other => return Err(DecodeFault::Version(other)),
        }
        let record = Self::take(&mut reader)?;
        reader.finish()?;
        Ok(record)
    }

    /// The hash of the leaf.
    #[must_use]
    pub fn hash(&self) -> Hash {
        leaf_hash(&self.to_bytes())
    }
}

/// The origin of the checkpoints of an access log that was begun in an epoch of the game log.
#[must_use]
pub fn origin(house_origin: &str, epoch: u32) -> String {
    format!("{house_origin}/access/{epoch}")
}

/// A line of an anchor file about the access log: `access EPOCH SIZE NOTE`, the signed note in
/// base64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessAnchor {
    /// The epoch of the game log in which the access log was begun.
    pub epoch: u32,
    /// Lines under the checkpoint.
    pub size: u64,
    /// Root of their tree.
    pub root: Hash,
    /// The signed note.
    pub note: String,
}

impl AccessAnchor {
    /// Signs what the access log is now. `None` when the origin cannot stand in a note.
    #[must_use]
    pub fn sign(house_origin: &str, epoch: u32, edge: &Edge, key: &SigningKey) -> Option<Self> {
        let checkpoint = Checkpoint::new(&origin(house_origin, epoch), edge.size(), edge.root());
        Some(Self {
            epoch,
            size: edge.size(),
            root: edge.root(),
            note: checkpoint::sign(&checkpoint, key).ok()?,
        })
    }

    /// The line, without its end.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "access {} {} {}",
            self.epoch,
            self.size,
            STANDARD.encode(&self.note)
        )
    }

    /// Reads what [`Self::line`] wrote. The signature is not judged.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (mark, epoch, size, note) =
            (words.next()?, words.next()?, words.next()?, words.next()?);
        if mark != "access" || words.next().is_some() {
            return None;
        }
        let note = String::from_utf8(STANDARD.decode(note).ok()?).ok()?;
        let anchor = Self::of_note(&note)?;
        let agrees = anchor.epoch.to_string() == epoch && anchor.size.to_string() == size;
        agrees.then_some(anchor)
    }

    /// What a signed note says of an access log. The signature is not judged.
    #[must_use]
    pub fn of_note(note: &str) -> Option<Self> {
        let body = checkpoint::Note::parse(note).ok()?;
        let body = Checkpoint::from_body(body.text()).ok()?;
        let (_, epoch) = body.origin.rsplit_once("/access/")?;
        Some(Self {
            epoch: epoch.parse().ok()?,
            size: body.size,
            root: body.root,
            note: note.to_owned(),
        })
    }

    /// Whether the house signed it, for an access log of its own.
    #[must_use]
    pub fn is_signed_by(&self, key: &VerifyingKey) -> bool {
        checkpoint::open_from(&self.note, &origin(key.name(), self.epoch), key)
            .is_ok_and(|it| it.size == self.size && it.root == self.root)
    }
}

/// Something of an access log that is not as it must be. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessFinding {
    /// A line is not the one that was written.
    Changed {
        /// Which.
        line: u64,
    },
    /// A line is not there, and only its hash is.
    Removed {
        /// Which.
        line: u64,
    },
    /// The hash of a line is not there: nothing after it can be judged.
    HashRemoved {
        /// Which.
        line: u64,
    },
    /// A line is there that central never wrote.
    Inserted {
        /// Which.
        line: u64,
    },
    /// The head of the chain is not what its hashes give.
    Head,
    /// Between two anchors lines were changed, removed or inserted, with their hashes.
    OtherRoot {
        /// The first line that no anchor proves to be as it was.
        from: u64,
        /// The anchor that disagrees.
        size: u64,
    },
    /// Lines that were anchored are not there any more: the end was cut off.
    Cut {
        /// Lines that are there.
        lines: u64,
        /// Lines that were anchored.
        anchored: u64,
    },
    /// An anchor is not signed with the house's key.
    NotSigned {
        /// Its size.
        size: u64,
    },
    /// The access log says that it was begun after the record.
    LaterEpoch {
        /// The epoch in which it says that it was begun.
        epoch: u32,
        /// The epoch of the record.
        record: u32,
    },
    /// The access log is older than one that was anchored.
    OlderEpoch {
        /// The epoch in which this one was begun.
        epoch: u32,
        /// That of the anchor.
        anchored: u32,
    },
}

impl AccessFinding {
    /// A line without a hash, by its number in the file.
    #[must_use]
    pub fn inserted(line: i64) -> Self {
        Self::Inserted {
            line: u64::try_from(line).unwrap_or(0),
        }
    }
}

/// Judges an access log, line by line, against what was anchored of it.
#[derive(Debug)]
pub struct Judge {
    anchors: Vec<AccessAnchor>,
    next: usize,
    edge: Edge,
    agreed: u64,
    /// What is wrong.
    pub findings: Vec<AccessFinding>,
    disagreed: bool,
    broken: bool,
}

impl Judge {
    /// A judge of the access log that was begun in `epoch`. Anchors of earlier ones are not held
    /// against it.
    #[must_use]
    pub fn new(epoch: u32, anchors: &[AccessAnchor], key: Option<&VerifyingKey>) -> Self {
        let mut findings = Vec::new();
        let mut own: Vec<AccessAnchor> = Vec::new();
        for anchor in anchors {
            if key.is_some_and(|key| !anchor.is_signed_by(key)) {
                findings.push(AccessFinding::NotSigned { size: anchor.size });
            } else if anchor.epoch == epoch {
                own.push(anchor.clone());
            }
        }
        if let Some(later) = anchors.iter().find(|anchor| anchor.epoch > epoch) {
            findings.push(AccessFinding::OlderEpoch {
                epoch,
                anchored: later.epoch,
            });
        }
        own.sort_by_key(|anchor| anchor.size);
        Self {
            anchors: own,
            next: 0,
            edge: Edge::new(),
            agreed: 0,
            findings,
            disagreed: false,
            broken: false,
        }
    }

    /// The next line: the hash that is kept of it, and its bytes where they are kept.
    pub fn line(&mut self, hash: Option<Hash>, bytes: Option<&[u8]>) {
        if self.broken {
            return;
        }
        let line = self.edge.size() + 1;
        let Some(hash) = hash else {
            self.findings.push(AccessFinding::HashRemoved { line });
            self.broken = true;
            return;
        };
        match bytes {
            None => self.findings.push(AccessFinding::Removed { line }),
            Some(bytes) if leaf_hash(bytes) != hash => {
                self.findings.push(AccessFinding::Changed { line });
            }
            Some(_) => {}
        }
        self.edge.append(hash);
        while let Some(anchor) = self.anchors.get(self.next)
            && anchor.size <= line
        {
            if anchor.size == line && !self.disagreed {
                if anchor.root == self.edge.root() {
                    self.agreed = line;
                } else {
                    self.disagreed = true;
                    self.findings.push(AccessFinding::OtherRoot {
                        from: self.agreed + 1,
                        size: line,
                    });
                }
            }
            self.next += 1;
        }
    }

    /// The end: what the log says of itself, and what was anchored beyond it.
    #[must_use]
    pub fn finish(mut self, head: Option<&Edge>) -> Judged {
        if !self.broken {
            if head.is_some_and(|head| *head != self.edge) {
                self.findings.push(AccessFinding::Head);
            }
            if let Some(last) = self.anchors.last()
                && last.size > self.edge.size()
            {
                self.findings.push(AccessFinding::Cut {
                    lines: self.edge.size(),
                    anchored: last.size,
                });
            }
        }
        Judged {
            lines: self.edge.size(),
            root: self.edge.root(),
            anchors: self.next,
            findings: self.findings,
        }
    }
}

/// What a judgement came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Lines that have a hash.
    pub lines: u64,
    /// Root of their tree.
    pub root: Hash,
    /// Anchors that were held against it.
    pub anchors: usize,
    /// What is wrong.
    pub findings: Vec<AccessFinding>,
}

/// A line of an export: the hash, and the line's bytes where they are kept.
#[must_use]
pub fn export_line(hash: &Hash, bytes: Option<&[u8]>) -> String {
    let bytes = bytes.map_or_else(|| NOT_KEPT.to_owned(), |bytes| STANDARD.encode(bytes));
    format!("{} {bytes}\n", STANDARD.encode(hash))
}

/// Why a file is no exported access log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AccessExportFault {
    /// It begins otherwise.
    #[error("not an exported access log: it does not begin with boulier-access/1")]
    Magic,
    /// A line cannot be read.
    #[error("line {0} of the file cannot be read")]
    Line(usize),
    /// There is no signed checkpoint at the end.
    #[error("the file has no signed checkpoint at its end")]
    NoCheckpoint,
}

/// Judges an exported access log against its own checkpoint and `anchors`.
///
/// # Errors
/// An [`AccessExportFault`] when the file cannot be read.
pub fn judge_export(
    text: &str,
    anchors: &[AccessAnchor],
    key: Option<&VerifyingKey>,
) -> Result<Judged, AccessExportFault> {
    let rest = text
        .strip_prefix(MAGIC)
        .and_then(|rest| rest.strip_prefix('\n'))
        .ok_or(AccessExportFault::Magic)?;
    let (lines, note) = match rest.strip_prefix('\n') {
        Some(note) => ("", note),
        None => rest
            .split_once("\n\n")
            .ok_or(AccessExportFault::NoCheckpoint)?,
    };
    let own = AccessAnchor::of_note(note).ok_or(AccessExportFault::NoCheckpoint)?;
    let mut all = anchors.to_vec();
    let (epoch, size) = (own.epoch, own.size);
    all.push(own);
    let mut judge = Judge::new(epoch, &all, key);
    for (index, line) in lines.lines().enumerate() {
        let unread = || AccessExportFault::Line(index + 2);
        let (hash, bytes) = line.split_once(' ').ok_or_else(unread)?;
        let hash: [u8; HASH_BYTES] = STANDARD
            .decode(hash)
            .ok()
            .and_then(|hash| hash.try_into().ok())
            .ok_or_else(unread)?;
        if bytes == NOT_KEPT {
            judge.line(Some(hash), None);
        } else {
            let bytes = STANDARD.decode(bytes).map_err(|_| unread())?;
            judge.line(Some(hash), Some(&bytes));
        }
    }
    let mut judged = judge.finish(None);
    for line in (size + 1)..=judged.lines {
        judged.findings.push(AccessFinding::Inserted { line });
    }
    Ok(judged)
}

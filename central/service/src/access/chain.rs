//! The access log judged against its anchors, and written out: each line is a leaf of an RFC 6962
//! tree of its own (`schema/log/FORMAT.md`, "The access log").

use std::fmt::Write as _;
use std::path::Path;

use keno_log::access::{AccessAnchor, AccessFinding, Judge, Judged, MAGIC, export_line};
use keno_log::checkpoint::{SigningKey, VerifyingKey};
use keno_record::fault::Fault;
use keno_record::publish::read_anchor_file;
use keno_record::store::access;
use keno_record::store::access::AccessFile;
use thiserror::Error;

use super::FILE;

/// The access log cannot be judged.
#[derive(Debug, Error)]
pub enum ChainFault {
    /// The file cannot be read.
    #[error("the access log cannot be read: {0}")]
    Read(String),
    /// An anchor file cannot be read.
    #[error(transparent)]
    Anchors(#[from] Fault),
    /// Its head cannot be signed.
    #[error("the head of the access log cannot be signed")]
    Sign,
}

impl From<diesel::result::Error> for ChainFault {
    fn from(fault: diesel::result::Error) -> Self {
        Self::Read(fault.to_string())
    }
}

/// What a judgement of the file came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedFile {
    /// Lines, anchors and findings.
    pub judged: Judged,
    /// What about the file's tables is not as this program makes them, in words.
    pub altered: Option<String>,
    /// Access logs of earlier epochs that were anchored and are not this one: epoch and lines. A
    /// restored house begins a new one.
    pub elsewhere: Vec<(u32, u64)>,
}

fn open(folder: &Path) -> Result<Option<AccessFile>, ChainFault> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(None);
    }
    let file = access::open_picture(&path);
    Ok(Some(
        file.map_err(|fault| ChainFault::Read(fault.to_string()))?,
    ))
}

fn anchored(files: &[impl AsRef<Path>]) -> Result<Vec<AccessAnchor>, ChainFault> {
    let mut anchors = Vec::new();
    for file in files {
        anchors.extend(read_anchor_file(file.as_ref())?.access);
    }
    Ok(anchors)
}

impl JudgedFile {
    /// True when nothing is wrong with it.
    pub fn holds(&self) -> bool {
        self.judged.findings.is_empty() && self.altered.is_none()
    }

    /// Judges the access log of a data folder against `anchor_files`: a line that was changed, removed
    /// or inserted, and an end that was cut off. `house` is the log's key and the epoch of the record.
    /// Central may run.
    ///
    /// # Errors
    /// A `ChainFault` when the judgement cannot be made.
    pub fn of(
        folder: &Path,
        anchor_files: &[impl AsRef<Path>],
        house: Option<&(String, u32)>,
    ) -> Result<JudgedFile, ChainFault> {
        // Read first: an anchor written after the picture was taken is not one of its own.
        let anchors = anchored(anchor_files)?;
        let key = house.and_then(|(key, _)| VerifyingKey::parse(key).ok());
        let mut file = open(folder)?;
        let (altered, head) = match &mut file {
            Some(file) => (
                access::altered(file).map_err(|fault| ChainFault::Read(fault.to_string()))?,
                access::head(file)?,
            ),
            None => (None, None),
        };
        // Where there is none, it would be begun in the epoch of the record.
        let epoch = head
            .as_ref()
            .map_or_else(|| house.map_or(1, |(_, epoch)| *epoch), |head| head.epoch);
        let mut judge = Judge::new(epoch, &anchors, key.as_ref());
        let mut without: Vec<i64> = Vec::new();
        if let Some(file) = &mut file {
            access::walk(file, &mut |hash, bytes| judge.line(hash, bytes.as_deref()))?;
            without = access::without_hash(file)?;
        }
        let mut judged = judge.finish(head.as_ref().map(|head| &head.edge));
        if let Some((_, of_record)) = house
            && epoch > *of_record
        {
            judged.findings.push(AccessFinding::LaterEpoch {
                epoch,
                record: *of_record,
            });
        }
        judged
            .findings
            .extend(without.into_iter().map(AccessFinding::inserted));
        let mut elsewhere: Vec<(u32, u64)> = Vec::new();
        for anchor in anchors.iter().filter(|anchor| anchor.epoch < epoch) {
            match elsewhere.iter_mut().find(|(of, _)| *of == anchor.epoch) {
                Some((_, lines)) => *lines = anchor.size.max(*lines),
                None => elsewhere.push((anchor.epoch, anchor.size)),
            }
        }
        Ok(JudgedFile {
            judged,
            altered,
            elsewhere,
        })
    }
}

/// The access log as text, with a signed checkpoint at its end: `keno-audit access` judges it.
/// Returns how many lines are in it.
///
/// # Errors
/// A `ChainFault`.
pub fn export(
    folder: &Path,
    house_origin: &str,
    key: &SigningKey,
) -> Result<Option<(u64, String)>, ChainFault> {
    let Some(mut file) = open(folder)? else {
        return Ok(None);
    };
    let Some(head) = access::head(&mut file)? else {
        return Ok(None);
    };
    let mut text = format!("{MAGIC}\n");
    access::walk(&mut file, &mut |hash, bytes| {
        if let Some(hash) = hash {
            text.push_str(&export_line(&hash, bytes.as_deref()));
        }
    })?;
    let anchor =
        AccessAnchor::sign(house_origin, head.epoch, &head.edge, key).ok_or(ChainFault::Sign)?;
    // A text is written to without fail.
    let _ = write!(text, "\n{}", anchor.note);
    Ok(Some((head.edge.size(), text)))
}

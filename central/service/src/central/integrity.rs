//! Whether program and tables are still those of the start: looked at before each draw (NJ (j), (k):
//! a draw is not begun where something critical was changed).

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use keno_record::fault::Fault;
use keno_schema::Connection;
use keno_schema::altered::Picture;
use parking_lot::Mutex;

/// A file as its system tells it from another: whoever writes to it, or puts another in its place,
/// changes one of these.
type FileMark = (u64, u64, u64, i64, i64, i64, i64);

fn mark(path: &Path) -> Option<FileMark> {
    let it = std::fs::metadata(path).ok()?;
    Some((
        it.dev(),
        it.ino(),
        it.size(),
        it.mtime(),
        it.mtime_nsec(),
        it.ctime(),
        it.ctime_nsec(),
    ))
}

/// Program and tables as they were at the start.
#[derive(Debug)]
pub(crate) struct Integrity {
    program: Option<(PathBuf, FileMark)>,
    tables: Picture,
    wrong: Mutex<Option<String>>,
}

impl Integrity {
    /// As they are now: the tables were judged by the start.
    ///
    /// # Errors
    /// The database's.
    pub(crate) fn of(program: Option<PathBuf>, connection: &mut Connection) -> Result<Self, Fault> {
        let program = program.and_then(|path| {
            let mark = mark(&path)?;
            Some((path, mark))
        });
        Ok(Self {
            program,
            tables: Picture::of(connection)?,
            wrong: Mutex::default(),
        })
    }

    /// Looks again.
    ///
    /// # Errors
    /// [`Fault::Record`] that says what was changed, or the database's.
    pub(crate) fn look(&self, connection: &mut Connection) -> Result<(), Fault> {
        let program = self.program.as_ref();
        let program = program.filter(|(path, known)| mark(path) != Some(*known));
        let found = match program {
            Some((path, _)) => Some(format!("program {}", path.display())),
            None => self.tables.changed(connection)?,
        };
        self.wrong.lock().clone_from(&found);
        match found {
            None => Ok(()),
            Some(what) => Err(Fault::Record(format!(
                "no draw begins: changed since the start: {what}"
            ))),
        }
    }

    /// What was changed, as last looked at.
    pub(crate) fn wrong(&self) -> Option<String> {
        self.wrong.lock().clone()
    }
}

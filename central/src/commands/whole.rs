//! Files for their owner alone that take their name once they are whole and on disk.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// A file on its way.
pub(super) struct WholeFile {
    path: PathBuf,
    draft: PathBuf,
    /// What is written.
    pub(super) file: BufWriter<File>,
}

impl WholeFile {
    /// Begins one, beside the place that it is to have.
    pub(super) fn new(path: &Path) -> anyhow::Result<Self> {
        let mut draft = path.to_owned().into_os_string();
        draft.push(".part");
        let draft = PathBuf::from(draft);
        let file = keno_daemon::private::create(&draft)
            .with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
            draft,
            file: BufWriter::with_capacity(1 << 20, file),
        })
    }

    /// Gives it its name.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        let cannot = || format!("{} cannot be written", self.path.display());
        self.file.flush().with_context(cannot)?;
        self.file.get_ref().sync_all().with_context(cannot)?;
        std::fs::rename(&self.draft, &self.path).with_context(cannot)
    }
}

/// Writes a whole file.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = WholeFile::new(path)?;
    let written = file.file.write_all(bytes);
    written.with_context(|| format!("{} cannot be written", path.display()))?;
    file.finish()
}

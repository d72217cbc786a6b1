//! Files for their owner alone that take their name once they are whole and on disk.

use std::path::Path;

use anyhow::Context;
use keno_daemon::private;
pub(super) use keno_daemon::private::WholeFile;

/// Writes a whole file.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    private::write_whole(path, bytes).with_context(cannot(path))
}

/// Says that a file cannot be written.
pub(super) fn cannot(path: &Path) -> impl Fn() -> String {
    move || format!("{} cannot be written", path.display())
}

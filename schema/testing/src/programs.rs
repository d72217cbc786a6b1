//! The real programs, built from the source that the test is of.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::TestingFault;

/// The environment variable that holds the folder of the programs where somebody has built them;
/// `scripts/run-tests` sets it.
pub const BINARIES_VARIABLE: &str = "BOULIER_BINARIES";

/// The folder of `keno-central`, `keno-terminal` and `keno-draw-machine` of this source: the one named
/// by [`BINARIES_VARIABLE`], or else cargo builds them in the profile of the test, once in a process,
/// when they are not there or older. Alone they need other features of the libraries than with all
/// tests, so that cargo would build half of everything a second time.
///
/// # Errors
/// [`TestingFault::Programs`].
pub fn programs() -> Result<&'static Path, TestingFault> {
    static FOLDER: OnceLock<Result<PathBuf, TestingFault>> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let given = std::env::var_os(BINARIES_VARIABLE);
            given.map_or_else(built, |folder| Ok(PathBuf::from(folder)))
        })
        .as_deref()
        .map_err(TestingFault::clone)
}

fn built() -> Result<PathBuf, TestingFault> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--package", "keno-central"]);
    cargo.args([
        "--package",
        "keno-terminal",
        "--package",
        "keno-draw-machine",
    ]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    // What the cargo above tells this test of its own package would pass for a change of the
    // surroundings: ring, and all that needs it, would be built anew at every run.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(name);
        }
    }
    let built = cargo.stdin(Stdio::null()).output()?;
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr).into_owned();
        return Err(TestingFault::Programs(said));
    }
    let own = std::env::current_exe()?;
    own.ancestors()
        .skip(1)
        .take(2)
        .map(Path::to_owned)
        .find(|folder| folder.join("keno-central").is_file())
        .ok_or_else(|| TestingFault::Programs("they are not beside this test".to_owned()))
}

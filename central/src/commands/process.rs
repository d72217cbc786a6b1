//! What this process leaves behind: nothing.

use anyhow::Context;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

/// Keys are in memory: a process that dies leaves no image of it on disk, and other programs of
/// the same account cannot read it.
///
/// # Errors
/// When the operating system refuses.
pub fn no_core_dumps() -> anyhow::Result<()> {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none).context("core dumps cannot be switched off")?;
    set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .context("the process cannot be made unreadable to others")
}

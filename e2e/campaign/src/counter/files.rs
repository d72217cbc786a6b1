//! Files at work, seen from outside: each write of central's record and of the agent's journal is
//! a step, and what the journal holds says how far the agent was.

use std::mem::MaybeUninit;
use std::path::Path;
use std::thread;

use anyhow::Context;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use rustix::fs::inotify;
use serde_json::Value;

use super::steps::{Kind, Steps};

/// Watches a folder: each write of a file whose name ends so is a step.
///
/// # Errors
/// When the folder cannot be watched.
pub fn watch(
    folder: &Path,
    name_end: &'static str,
    kind: Kind,
    steps: &Steps,
) -> anyhow::Result<()> {
    let seen = inotify::init(inotify::CreateFlags::CLOEXEC)?;
    inotify::add_watch(&seen, folder, inotify::WatchFlags::MODIFY)
        .with_context(|| format!("{} cannot be watched", folder.display()))?;
    let steps = steps.clone();
    thread::spawn(move || {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = inotify::Reader::new(seen, &mut buffer);
        while let Ok(event) = reader.next() {
            let is_it = event
                .file_name()
                .is_some_and(|name| name.to_bytes().ends_with(name_end.as_bytes()));
            if event.events().contains(inotify::ReadFlags::IGNORED) {
                return;
            }
            if is_it && steps.step(kind).is_some() {
                steps.here();
            }
        }
    });
    Ok(())
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    sequence: i64,
    #[diesel(sql_type = Text)]
    text: String,
}

fn rows(journal: &Path, mode: &str, after: i64) -> anyhow::Result<Vec<(i64, Value)>> {
    let file = journal.join("journal.sqlite");
    let mut connection =
        SqliteConnection::establish(&format!("file:{}?mode={mode}", file.display()))?;
    let rows: Vec<Row> =
        diesel::sql_query("SELECT sequence, text FROM record WHERE sequence > ? ORDER BY sequence")
            .bind::<BigInt, _>(after)
            .load(&mut connection)?;
    rows.into_iter()
        .map(|row| Ok((row.sequence, serde_json::from_str(&row.text)?)))
        .collect()
}

/// Records of a journal after a row, with their numbers; the agent may be at work.
///
/// # Errors
/// When the journal cannot be read.
pub fn records(journal: &Path, after: i64) -> anyhow::Result<Vec<(i64, Value)>> {
    rows(journal, "ro", after)
}

/// The same of a journal whose agent was killed: of a copy, so that the next agent finds it as it
/// was left.
///
/// # Errors
/// When the journal cannot be read.
pub fn records_left(journal: &Path, copy: &Path, after: i64) -> anyhow::Result<Vec<(i64, Value)>> {
    copied(journal, copy);
    // What was not yet taken over from the log beside it is, which writes.
    rows(copy, "rw", after)
}

/// Copies the journal of an agent that is at rest or dead, or puts it back.
pub fn copied(from: &Path, to: &Path) {
    let _ = std::fs::create_dir(to);
    // The third file is an index of the second one, and made anew when it is absent.
    for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
        let _ = std::fs::remove_file(to.join(name));
    }
    for name in ["journal.sqlite", "journal.sqlite-wal"] {
        let _ = std::fs::copy(from.join(name), to.join(name));
    }
}

/// How far the agent was, by what its journal holds of the command.
pub fn how_far(records: &[(i64, Value)]) -> &'static str {
    let Some((_, newest)) = records.last() else {
        return "1 before the journal";
    };
    let says = |name: &str| newest[name].as_str().unwrap_or_default();
    match (says("record"), says("outcome"), says("paper")) {
        ("sent", ..) => "2 journaled",
        ("outcome", "recorded", _) => "3 answered",
        ("paper", _, "started") => "4 paper begun",
        ("paper", _, "printed") => "5 paper confirmed",
        ("reported", ..) => "6 reported",
        _ => "7 being resolved",
    }
}

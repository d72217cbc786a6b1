//! How a command tells that it failed: the causes on one line, then hints.

use std::fmt;

use keno_record::record::OpenRecordFault;
use keno_record::recover::DoubtfulPast;
use keno_schema::OpenFault;
use keno_service::central::OpenCentralFault;
use keno_service::maintenance::{BackupFault, RebuildFault};
use keno_service::{Refusal, Stop};
use keno_words::Say;

use super::note;

/// An error with advice.
#[derive(Debug)]
pub struct Advised {
    text: String,
    hints: Vec<String>,
}

impl fmt::Display for Advised {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Advised {}

/// An error with advice.
pub fn advised(text: impl Into<String>, hints: &[&str]) -> anyhow::Error {
    Advised {
        text: text.into(),
        hints: hints.iter().map(|hint| (*hint).to_owned()).collect(),
    }
    .into()
}

/// The rules say no.
#[derive(Debug)]
pub struct Refused(Refusal);

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "refused ({}): {}\n  refus : {}",
            self.0.name(),
            self.0.en(),
            self.0.fr()
        )
    }
}

impl std::error::Error for Refused {}

/// The central that runs says no.
#[derive(Debug)]
pub struct RefusedByCentral(keno_wire::Problem);

impl fmt::Display for RefusedByCentral {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = &self.0;
        write!(
            formatter,
            "refused ({}): {}\n  refus : {}",
            problem.name(),
            problem.title.en,
            problem.title.fr
        )
    }
}

impl std::error::Error for RefusedByCentral {}

/// A refusal of the central that runs, as an error.
pub fn refused_by_central(problem: keno_wire::Problem) -> anyhow::Error {
    RefusedByCentral(problem).into()
}

/// A refusal as an error.
pub fn refused(refusal: Refusal) -> anyhow::Error {
    Refused(refusal).into()
}

/// A use case that stopped, as an error.
pub fn stopped(stop: Stop) -> anyhow::Error {
    match stop {
        Stop::Refused(refusal) => refused(refusal),
        Stop::Broke(fault) | Stop::Undone(fault) => fault.into(),
    }
}

/// Whether the rules said no.
pub fn is_refusal(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Refused>().is_some()
        || error.downcast_ref::<RefusedByCentral>().is_some()
        || of_backup(error).is_some()
}

/// The French sentence of what is wrong with a backup, or with what was asked of it.
fn of_backup(error: &anyhow::Error) -> Option<String> {
    error
        .chain()
        .find_map(|cause| cause.downcast_ref::<BackupFault>())
        .and_then(|fault| Some(format!("({}) {}", fault.name(), fault.words()?.fr)))
}

/// The French sentence of a record that this program does not open.
fn of_record(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        // What is transparent does not stand in the chain itself.
        let inner = match cause.downcast_ref::<BackupFault>() {
            Some(BackupFault::Open(fault)) => Some(fault),
            _ => cause.downcast_ref::<OpenCentralFault>(),
        };
        match inner {
            Some(OpenCentralFault::Record(OpenRecordFault::Open(fault))) => fault.sentence_fr(),
            _ => cause.downcast_ref::<OpenFault>()?.sentence_fr(),
        }
    })
}

/// Another program has the data folder.
pub fn locked(folder: &str, listen: std::net::SocketAddr) -> anyhow::Error {
    advised(
        format!("another central runs on {folder}"),
        &[
            "while central serves, rules, draws and sales are changed at its own doors: the \
             supervisor's wall, the back office, HTTP; `admin person`, `admin pin` and `admin \
             device approve`, `revoke` and `return` work as they are",
            &format!("its address is http://{listen}/, and /openapi.json there says how"),
            "or stop it first (SIGTERM), and run this command again",
        ],
    )
}

/// Prints an error with its causes, then what to do.
pub fn print(error: &anyhow::Error) {
    let mut said: Vec<String> = Vec::new();
    for cause in error.chain() {
        let words = cause.to_string();
        // Transparent errors say what their cause says.
        if said.last() != Some(&words) {
            said.push(words);
        }
    }
    keno_daemon::log::line(
        keno_daemon::log::Priority::Error,
        &format!("keno-central: {}", said.join(": ")),
    );
    if let Some(french) = of_backup(error) {
        note(&format!("  refus {french}"));
    } else if let Some(french) = of_record(error) {
        note(&format!("  refus : {french}"));
    }
    for hint in hints(error) {
        note(&format!("hint: {hint}"));
    }
}

fn hints(error: &anyhow::Error) -> Vec<String> {
    for cause in error.chain() {
        if let Some(advised) = cause.downcast_ref::<Advised>() {
            return advised.hints.clone();
        }
        if let Some(RebuildFault::Leaf { .. } | RebuildFault::Head) = cause.downcast_ref() {
            return vec![
                "nothing was changed; run `keno-central verify` to see what is wrong".to_owned(),
            ];
        }
        match cause.downcast_ref::<OpenCentralFault>() {
            Some(OpenCentralFault::Record(OpenRecordFault::OtherHouse { .. })) => {
                return vec!["is --data the folder that you mean?".to_owned()];
            }
            Some(
                OpenCentralFault::Record(OpenRecordFault::OtherKeys)
                | OpenCentralFault::Record(OpenRecordFault::Keys(_)),
            ) => {
                return vec![
                    "the keys are backed up apart from the record: bring back keys.toml of this \
                     house, readable by its owner alone"
                        .to_owned(),
                ];
            }
            Some(OpenCentralFault::Record(OpenRecordFault::Past(
                DoubtfulPast::Leaf { .. } | DoubtfulPast::Head { .. },
            ))) => {
                return vec!["keep this copy as evidence, and change nothing in it".to_owned()];
            }
            Some(OpenCentralFault::Machine(_)) => {
                return vec![
                    "the holders' folders and draw-machine/ belong to this record: bring back \
                     those of this house"
                        .to_owned(),
                ];
            }
            _ => {}
        }
    }
    Vec::new()
}

//! How a command tells that it failed: the causes on one line, then hints.

use keno_record::fault::RetiredLeaf;
use keno_record::record::OpenRecordFault;
use keno_record::recover::DoubtfulPast;
use keno_schema::OpenFault;
use keno_schema::connection::RECORD_FORMAT;
use keno_service::central::OpenCentralFault;
use keno_service::maintenance::{BackupFault, RebuildFault};
use keno_service::{Refusal, Stop};
use keno_words::{Say, record_format};
use thiserror::Error;

use super::note;

/// An error with advice.
#[derive(Debug, Error)]
#[error("{text}")]
pub struct Advised {
    text: String,
    hints: Vec<String>,
}

/// An error with advice.
pub fn advised(text: impl Into<String>, hints: &[&str]) -> anyhow::Error {
    Advised {
        text: text.into(),
        hints: hints.iter().map(|hint| (*hint).to_owned()).collect(),
    }
    .into()
}

/// The rules say no, or the central that runs does.
#[derive(Debug, Error)]
#[error("refused ({name}): {en}\n  refus : {fr}")]
pub struct Refused {
    name: String,
    en: String,
    fr: String,
}

/// A refusal of the central that runs, as an error.
pub fn refused_by_central(problem: keno_wire::Problem) -> anyhow::Error {
    Refused {
        name: problem.name().to_owned(),
        en: problem.sentence.en,
        fr: problem.sentence.fr,
    }
    .into()
}

/// A refusal as an error.
pub fn refused(refusal: Refusal) -> anyhow::Error {
    Refused {
        name: refusal.name().to_owned(),
        en: refusal.en(),
        fr: refusal.fr(),
    }
    .into()
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
    error.downcast_ref::<Refused>().is_some() || of_backup(error).is_some()
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
        if let Some(retired) = cause.downcast_ref::<RetiredLeaf>() {
            return Some(retired.fr());
        }
        // What is transparent does not stand in the chain itself.
        let inner = match cause.downcast_ref::<BackupFault>() {
            Some(BackupFault::Open(fault)) => Some(fault),
            _ => cause.downcast_ref::<OpenCentralFault>(),
        };
        let fault = match inner {
            Some(OpenCentralFault::Record(OpenRecordFault::Open(fault))) => fault,
            _ => cause.downcast_ref::<OpenFault>()?,
        };
        match fault {
            OpenFault::OtherFormat { found } => Some(other_format(found).fr()),
            _ => None,
        }
    })
}

/// What to do about a record of another format.
fn other_format(found: &u8) -> Box<dyn Say + '_> {
    let known = &RECORD_FORMAT;
    if found < known {
        Box::new(record_format::Earlier { found, known })
    } else {
        Box::new(record_format::Later { found, known })
    }
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
        let hint = match cause.downcast_ref::<OpenCentralFault>() {
            Some(OpenCentralFault::Record(OpenRecordFault::OtherHouse { .. })) => {
                "is --data the folder that you mean?"
            }
            Some(OpenCentralFault::Record(
                OpenRecordFault::OtherKeys | OpenRecordFault::Keys(_),
            )) => {
                "the keys are backed up apart from the record: bring back keys.toml of this \
                 house, readable by its owner alone"
            }
            Some(OpenCentralFault::Record(OpenRecordFault::Past(
                DoubtfulPast::Leaf { .. } | DoubtfulPast::Head { .. },
            ))) => "keep this copy as evidence, and change nothing in it",
            Some(OpenCentralFault::Machine(_)) => {
                "the holders' folders and draw-machine/ belong to this record: bring back \
                 those of this house"
            }
            _ => continue,
        };
        return vec![hint.to_owned()];
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_another_format_is_told_alike_in_both_languages() {
        for found in [RECORD_FORMAT - 1, RECORD_FORMAT + 1] {
            let fault = OpenFault::OtherFormat { found };
            let (french, english) = (other_format(&found).fr(), other_format(&found).en());
            assert_eq!(english, fault.to_string());
            assert!(french.contains(&format!("format {found}")), "{french}");
            assert!(french.contains("Rien n’a été changé"), "{french}");
            assert_eq!(of_record(&fault.into()), Some(french));
        }
    }
}

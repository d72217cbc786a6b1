//! Selection slips and express cards to file, from the rules in force or from a rule book that is
//! to be published.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use keno_central::report::slips;
use keno_record::clock::{Clock, SystemClock};
use keno_wire::slip_code::SlipLanguage;

use super::fail::advised;
use super::folder::Folder;
use super::report::whole;
use super::{Ending, rules};

/// What is made, and where it goes.
#[derive(Debug, Clone, Args)]
pub(super) struct SlipsArguments {
    /// The data folder: slips of the rules that govern a ticket sold now. Central may run.
    #[arg(
        long,
        value_name = "DIR",
        env = "BOULIER_DATA",
        required_unless_present = "rules"
    )]
    data: Option<PathBuf>,
    /// A rule book instead, to have its slips printed before it is published.
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// The folder for the files, one a slip; it is made when it is not there.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The language that comes first.
    #[arg(long, default_value = "fr", value_parser = ["fr", "en"])]
    language: String,
}

/// Makes every slip of the rules.
pub(super) fn run(arguments: &SlipsArguments) -> anyhow::Result<Ending> {
    let book = match (&arguments.rules, &arguments.data) {
        (Some(file), _) => match rules::read(file)? {
            Some(book) => book,
            None => return Ok(Ending::Wrong),
        },
        (None, Some(data)) => {
            let mut reader = Folder::read(data)?.reader()?;
            slips::book_in_force(&mut reader)?.ok_or_else(|| {
                let hint = "`keno-central rules publish` publishes one, by two people";
                advised("no rules are published".to_owned(), &[hint])
            })?
        }
        (None, None) => anyhow::bail!("neither a data folder nor a rule book is given"),
    };
    let language = SlipLanguage::ALL
        .into_iter()
        .find(|language| language.code() == arguments.language)
        .unwrap_or(SlipLanguage::French);
    let out = &arguments.out;
    std::fs::create_dir_all(out).with_context(|| format!("{} cannot be made", out.display()))?;
    let made_at_ms = SystemClock::new().now_ms();
    for name in slips::names(&book) {
        let form = slips::form(&book, language, &name).with_context(|| name.clone())?;
        let file = slips::file_name(&book, language, &name);
        whole(
            &out.join(format!("{file}.pdf")),
            &slips::pdf(&form, made_at_ms)?,
        )?;
    }
    Ok(Ending::Done)
}

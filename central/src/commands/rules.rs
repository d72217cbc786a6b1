//! Rule books: judged, and published.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use keno_book::rules_file;
use keno_book::rules_file::{CounterRules, RuleBookFile};
use keno_book::toml_faults::BYTES_MAX;
use keno_game::{Carried, CarriedWager, Cents, CertificateLine};
use keno_service::authority::Operation;
use keno_service::house;
use keno_words::{Money, Say};

use super::fail::{advised, stopped};
use super::folder::{Folder, fault_text, plural};
use super::{ByTwo, Data, Ending, note, people, say};

/// The bytes of a file, and of one that is too long only so many that it shows.
fn file_bytes(file: &Path) -> anyhow::Result<Vec<u8>> {
    let most = u64::try_from(BYTES_MAX).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|opened| opened.take(most.saturating_add(1)).read_to_end(&mut bytes))
        .with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(bytes)
}

/// A rule book, or its faults told.
pub(super) fn read(file: &Path) -> anyhow::Result<Option<RuleBookFile>> {
    let read = rules_file::read_bytes(&file_bytes(file)?);
    let read = read.and_then(|book| match rules_file::hidden_signs(&book.text) {
        faults if faults.is_empty() => Ok(book),
        faults => Err(faults),
    });
    match read {
        Ok(book) => Ok(Some(book)),
        Err(faults) => {
            for fault in &faults {
                say(&fault_text(file, fault))?;
            }
            let count = faults.len();
            note(&format!(
                "{} has {count} fault{}",
                file.display(),
                plural(count)
            ));
            Ok(None)
        }
    }
}

fn line_text(line: &CertificateLine) -> String {
    let carried = match &line.carried {
        Carried::Alone => "alone".to_owned(),
        Carried::Ticket(wagers) => {
            let shown = |one: &CarriedWager| {
                let game = if one.game == line.game { "" } else { &one.game };
                let text = format!("{}x{} {game}", one.copies, amount(one.wager));
                text.trim_end().to_owned()
            };
            let wagers: Vec<String> = wagers.iter().map(shown).collect();
            wagers.join(" + ")
        }
        Carried::UpTo { selections, total } => {
            format!("up to {} in {selections}, at least", amount(*total))
        }
    };
    format!(
        "{:<12} {:>5} {:>12}  {carried:<28} {:>10} %  {}",
        line.game,
        line.spots,
        amount(line.wager),
        line.rate.percent_text(4),
        line.rate
    )
}

fn amount(cents: Cents) -> String {
    Money(cents.get()).en()
}

/// The usual wager of a counter and its express picks, each with its key.
fn say_counter(counter: &CounterRules) -> anyhow::Result<()> {
    say(&format!(
        "counter: {} when nothing is said",
        amount(counter.default_wager)
    ))?;
    for (at, pick) in counter.express.iter().enumerate() {
        let plural = plural(usize::from(pick.spots));
        say(&format!(
            "F{} {} {} spot{plural} {}",
            at + 1,
            pick.game,
            pick.spots,
            amount(pick.wager)
        ))?;
    }
    Ok(())
}

/// Judges a rule book.
pub fn check(file: &Path) -> anyhow::Result<Ending> {
    let Some(book) = read(file)? else {
        return Ok(Ending::Wrong);
    };
    say(&format!(
        "{:<12} {:>5} {:>12}  {:<28} {:>12}  exact",
        "game", "spots", "wager", "on the same numbers", "return"
    ))?;
    for line in &book.certificate.lines {
        say(&line_text(line))?;
    }
    if let Some(counter) = &book.counter {
        say_counter(counter)?;
    }
    note(&format!(
        "version {}, {} lines, none below 65 % (s. 85); the lowest:",
        book.rules.version,
        book.certificate.lines.len()
    ));
    note(&line_text(&book.certificate.lowest));
    note(&format!("SHA-256 {}", hex::encode(book.hash)));
    note(&format!("{} / {}", book.texts.name_fr, book.texts.name_en));
    Ok(Ending::Done)
}

#[derive(Debug, Args)]
pub struct Publish {
    #[command(flatten)]
    data: Data,
    /// The rule book.
    file: PathBuf,
    /// First draw that it governs.
    #[arg(long, value_name = "DRAW")]
    from: u64,
    #[command(flatten)]
    people: ByTwo,
}

/// Publishes a rule book, by two administrators.
pub fn publish(asked: &Publish) -> anyhow::Result<Ending> {
    let (from, two) = (asked.from, &asked.people);
    let Some(book) = read(&asked.file)? else {
        return Ok(Ending::Wrong);
    };
    let folder = Folder::read(&asked.data.data)?;
    let draws_max = book.rules.limits.draws_max;
    if folder.house.saleable_draws < draws_max {
        return Err(advised(
            format!(
                "a ticket of this book may carry {draws_max} draws, and the house opens {} at once",
                folder.house.saleable_draws
            ),
            &[&format!(
                "set schedule.saleable_draws to {draws_max} or more in house.toml"
            )],
        ));
    }
    let central = folder.open()?;
    people::two(&central, two, Operation::PublishAtConsole)?;
    let leaf =
        house::publish_rules(&central, &book.text, from, &two.by, &two.second).map_err(stopped)?;
    note(&format!(
        "version {} is published from draw {from}, at leaf {leaf}",
        book.rules.version
    ));
    Ok(Ending::Done)
}

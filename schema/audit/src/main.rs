//! `keno-audit`: checks an exported log, one draw, one entry, or a rule book, with nothing but
//! the files that it is given.
//!
//! It ends with 0 when all holds, 1 when something is wrong, 2 when a file cannot be read.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use keno_audit::compare::{self, Witness};
use keno_audit::follow::{Follower, Settings};
use keno_audit::replay::Options;
use keno_audit::returns::{Line, lowest, returns};
use keno_audit::rule_book::RuleBook;
use keno_audit::verify::{Outcome, Outside, verify};
use keno_audit::{report, show};
use keno_line::HostKey;
use keno_line::follow::BOUNDS;
use keno_line::program::{self, ProgramFault, key_of};
use keno_log::access::{self, AccessAnchor, AccessFinding};
use keno_log::checkpoint::VerifyingKey;
use keno_words::{Say, audit, both};
use parking_lot::Mutex;

/// Entries are made on one thread and let go on another, which that of the C library is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Checks a Boulier log without the server's arithmetic.
#[derive(Debug, Parser)]
#[command(name = "keno-audit", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judges a whole exported log and names the first bad entry.
    Verify {
        /// The exported log.
        export: PathBuf,
        /// A signed checkpoint that was kept outside the house's reach.
        #[arg(long)]
        checkpoint: Option<PathBuf>,
        /// The house's verifier key, as published.
        #[arg(long)]
        key: Option<String>,
        /// Answers in JSON.
        #[arg(long)]
        json: bool,
        /// Accepts draws played back from a recording: the log of a drill.
        #[arg(long)]
        drill: bool,
    },
    /// Says whether two papers are of one log: each carries its state at the sale.
    ///
    /// A paper is given by its claim code, which is read from standard input, a line for each `-`,
    /// and never an argument: arguments are seen by everybody on the machine. Instead of a paper,
    /// an anchor file or a signed checkpoint. A paper that the house has not attested accuses
    /// nobody.
    Compare {
        /// An anchor file, a checkpoint, or - for a claim code.
        one: String,
        /// Another.
        other: String,
        /// The exported log that both should be of.
        #[arg(long, value_name = "EXPORT", conflicts_with = "proof")]
        log: Option<PathBuf>,
        /// The signed note in which the house attests papers (`keno-central attest`).
        #[arg(long, value_name = "FILE", requires = "log")]
        attested: Option<PathBuf>,
        /// What `/log/consistency` answered, from the smaller to the larger size.
        #[arg(long, value_name = "FILE")]
        proof: Option<PathBuf>,
    },
    /// Judges an exported access log: lines that were changed, removed or inserted, and an end that
    /// was cut off.
    Access {
        /// What `keno-central export --access-out` wrote.
        export: PathBuf,
        /// The house's verifier key, as published.
        #[arg(long)]
        key: Option<String>,
        /// An anchor file that was kept outside the house's reach.
        #[arg(long = "anchor", value_name = "FILE")]
        anchors: Vec<PathBuf>,
    },
    /// Recomputes the return of every line of a rule book (s. 85).
    Rules {
        /// The rule book.
        file: PathBuf,
        /// Prints every line, not only the lowest of each number of spots.
        #[arg(long)]
        all: bool,
    },
    /// Prints the transcript of one draw, recomputed.
    Draw {
        /// The exported log.
        export: PathBuf,
        /// Draw number.
        draw: u64,
    },
    /// Follows the log of a house, which hands it over: keeps a copy, judges each entry, says of each
    /// finished draw whether the record agrees, and cosigns checkpoints.
    Follow {
        /// The settings of this host (TOML).
        #[arg(long, env = "BOULIER_FOLLOWER")]
        settings: PathBuf,
    },
    /// Prints the public key of this host, which is made if there is none: central pins it.
    Key {
        /// The host's folder.
        #[arg(long)]
        folder: PathBuf,
        /// Name of the host, as people know the place.
        #[arg(long)]
        host: String,
    },
    /// Prints one entry, decoded.
    Leaf {
        /// The exported log.
        export: PathBuf,
        /// Index of the entry.
        index: u64,
    },
}

/// How a question ended.
enum Ending {
    Holds,
    Wrong,
    /// The file is of a format that this program does not judge.
    OtherFormat,
}

impl From<bool> for Ending {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Wrong }
    }
}

impl From<&Outcome> for Ending {
    fn from(outcome: &Outcome) -> Self {
        if outcome.is_other_format() {
            return Self::OtherFormat;
        }
        outcome.holds().into()
    }
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(Ending::Holds) => ExitCode::SUCCESS,
        Ok(Ending::Wrong) => ExitCode::from(1),
        Ok(Ending::OtherFormat) => ExitCode::from(2),
        Err(fault) => {
            let _ = writeln!(io::stderr(), "keno-audit: {fault:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<Ending> {
    match arguments.command {
        Command::Verify {
            export,
            checkpoint,
            key,
            json,
            drill,
        } => {
            let kept = checkpoint.as_deref().map(read_text).transpose()?;
            let outside = Outside {
                checkpoint: kept.as_deref(),
                key: key.as_deref(),
            };
            let outcome = read_export(&export, outside, Options { drill })?;
            if json {
                print(&format!("{}\n", report::json(&outcome)))?;
            } else {
                print(&report::text(&outcome))?;
            }
            Ok((&outcome).into())
        }
        Command::Compare {
            one,
            other,
            log,
            attested,
            proof,
        } => {
            let both = [witness(&one, 1)?, witness(&other, 2)?];
            Ok(compare(&both, log.as_deref(), attested.as_deref(), proof.as_deref())?.into())
        }
        Command::Access {
            export,
            key,
            anchors,
        } => Ok(access_log(&export, key.as_deref(), &anchors)?.into()),
        Command::Rules { file, all } => Ok(rules(&file, all)?.into()),
        Command::Draw { export, draw } => {
            let outcome = read_export(&export, Outside::default(), Options::default())?;
            if outcome.is_other_format() {
                print(&report::text(&outcome))?;
                return Ok(Ending::OtherFormat);
            }
            if let Some(first) = outcome.findings.first() {
                let _ = writeln!(io::stderr(), "{first}");
            }
            let account = outcome.replay.draw(draw);
            let account = account.with_context(|| format!("the log has no draw {draw}"))?;
            print(&show::transcript(&outcome.replay, account))?;
            Ok((&outcome).into())
        }
        Command::Follow { settings } => follow(&settings),
        Command::Key { folder, host } => {
            let key = HostKey::read_or_make(&folder, &host)?;
            print(&format!("{}\n", key.verifying_key()))?;
            Ok(Ending::Holds)
        }
        Command::Leaf { export, index } => {
            let shown = show::leaf(open(&export)?, index)
                .with_context(|| format!("{} cannot be read", export.display()))?;
            let shown = shown.with_context(|| format!("the export has no entry {index}"))?;
            print(&shown)?;
            Ok((!shown.contains("\nWRONG ")).into())
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the follower's clock: when it cosigned; no judgement depends on it"
)]
fn clock_seconds() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

fn follow(path: &Path) -> anyhow::Result<Ending> {
    keno_daemon::private::keep();
    keno_daemon::log::start("info");
    let settings = Settings::read(path)?;
    let Settings { folder, house, .. } = &settings;
    let told = |fault: ProgramFault| {
        let hint = fault.hint();
        anyhow::anyhow!("{:#}\nhint: {hint}", anyhow::Error::from(fault))
    };
    let key = key_of(settings.key.as_deref(), folder, &settings.host).map_err(told)?;
    let log = settings.log.0.clone();
    let follower = Follower::open(folder, house, key.clone(), log, Arc::new(clock_seconds))?;
    tracing::info!(entries = follower.size(), "the copy is read");
    for finding in follower.findings() {
        tracing::warn!(%finding, "wrong in the log");
    }
    let (central, part) = (&settings.central.0, Arc::new(Mutex::new(follower)));
    program::run(settings.listen, &key, central, BOUNDS, &part).map_err(told)?;
    Ok(Ending::Holds)
}

fn read_export(path: &Path, outside: Outside<'_>, options: Options) -> anyhow::Result<Outcome> {
    verify(open(path)?, outside, options)
        .with_context(|| format!("{} cannot be read", path.display()))
}

/// A claim code from standard input, or a file with what is known of a log.
fn witness(text: &str, number: usize) -> anyhow::Result<Witness> {
    let code = compare::printed_code(text);
    let version = code.strip_prefix("KT").unwrap_or_default();
    anyhow::ensure!(
        !version.starts_with(|first: char| first.is_ascii_digit()),
        "a claim code is no argument: give - and type it"
    );
    if text == "-" {
        let mut code = String::new();
        io::stdin()
            .read_line(&mut code)
            .context("the claim code cannot be read")?;
        // A code that is cut short is money all the same: it is not said again.
        let state = compare::state_of_code(&code)
            .with_context(|| format!("claim code {number} is not whole"))?;
        return Ok(Witness {
            name: both(&keno_words::compare::Paper { number: &number }),
            states: vec![state],
            paper: Some(compare::paper_hash(&code)),
        });
    }
    // What names no file may be a claim code, whatever stands before it: it is not said again.
    anyhow::ensure!(
        Path::new(text).exists(),
        "what is compared is a file that is there, or - for a claim code that is typed"
    );
    let states = compare::states_of_file(&read_text(Path::new(text))?);
    let states = states.with_context(|| format!("{text} is no anchor file and no checkpoint"))?;
    Ok(Witness {
        name: text.to_owned(),
        states,
        paper: None,
    })
}

/// Whether two papers are of one log.
fn compare(
    both: &[Witness; 2],
    log: Option<&Path>,
    attested: Option<&Path>,
    proof: Option<&Path>,
) -> anyhow::Result<bool> {
    let answer = match log {
        Some(path) => {
            let log = compare::read_log(open(path)?, both)
                .with_context(|| format!("{} cannot be read", path.display()))?;
            let attested = match (attested, &log.key) {
                (Some(note), Some(key)) => {
                    compare::attested(&read_text(note)?, key).with_context(|| {
                        format!("{} is no note of this house's papers", note.display())
                    })?
                }
                _ => BTreeSet::new(),
            };
            compare::against_log(both, &log, &attested)
        }
        None => {
            let proof = proof
                .map(|path| {
                    compare::proof_of_reply(&read_text(path)?)
                        .with_context(|| format!("{} is no proof", path.display()))
                })
                .transpose()?;
            let [one, other] = both;
            compare::against_each_other(one, other, proof.as_deref())
        }
    };
    print(&answer.text)?;
    answer
        .is_one
        .context("whether they are of one log cannot be told")
}

keno_words::says! { AccessWords of AccessFinding: access_finding {
    Changed { line }, Removed { line }, HashRemoved { line }, Inserted { line }, Head,
    OtherRoot { from, size }, Cut { lines, anchored }, NotSigned { size },
    LaterEpoch { epoch, record }, OlderEpoch { epoch, anchored },
} }

/// Judges an exported access log.
fn access_log(export: &Path, key: Option<&str>, anchors: &[PathBuf]) -> anyhow::Result<bool> {
    let key = key
        .map(|text| VerifyingKey::parse(text.trim()).context("the key cannot be read"))
        .transpose()?;
    let mut kept = Vec::new();
    for path in anchors {
        kept.extend(read_text(path)?.lines().filter_map(AccessAnchor::parse));
    }
    let judged = access::judge_export(&read_text(export)?, &kept, key.as_ref())
        .with_context(|| format!("{} cannot be read", export.display()))?;
    let mut text = String::new();
    for finding in &judged.findings {
        let what = &AccessWords(finding);
        say(&mut text, &audit::Wrong { what });
    }
    if key.is_none() {
        text.push_str(&both(&audit::SignaturesNotVerified));
        text.push('\n');
    }
    let (lines, anchors) = (&judged.lines, &judged.anchors);
    text.push_str(&both(&audit::LinesAndAnchors { lines, anchors }));
    text.push('\n');
    print(&text)?;
    Ok(judged.findings.is_empty())
}

fn rules(path: &Path, all: bool) -> anyhow::Result<bool> {
    let text = read_text(path)?;
    let book = RuleBook::parse(&text).map_err(|fault| fault.to_string());
    let lines = book.and_then(|book| returns(&book).map_err(|fault| fault.to_string()));
    let lines = match lines {
        Ok(lines) => lines,
        Err(fault) => {
            let _ = writeln!(io::stderr(), "{}: {fault}", path.display());
            return Ok(false);
        }
    };
    let mut out = String::new();
    let of_spots =
        |left: &Line, right: &Line| (&left.game, left.spots) == (&right.game, right.spots);
    let shown: Vec<&Line> = match all {
        true => lines.iter().collect(),
        false => lines.chunk_by(of_spots).filter_map(lowest).collect(),
    };
    for line in shown {
        out.push_str(&format!("{line}\n"));
    }
    let below: Vec<&Line> = lines
        .iter()
        .filter(|line| line.rate.is_below_least())
        .collect();
    let count = &lines.len();
    match below.first() {
        Some(first) => {
            let line = &first.to_string();
            let below = below.len();
            say(&mut out, &audit::Refused { line });
            out.push_str(&format!("{below} of {count} lines are below 65 %\n"));
        }
        None => say(&mut out, &audit::NoneBelow { lines: count }),
    }
    print(&out)?;
    Ok(below.is_empty() && !lines.is_empty())
}

/// A line in French, and one in English.
fn say(text: &mut String, words: &dyn Say) {
    text.push_str(&format!("{}\n{}\n", words.fr(), words.en()));
}

fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

fn print(text: &str) -> anyhow::Result<()> {
    io::stdout()
        .write_all(text.as_bytes())
        .context("the answer cannot be written")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}

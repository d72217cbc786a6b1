//! `keno-sim`: plays days.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use clap::{Parser, Subcommand};
use keno_house_builder::stranger;
use keno_sim::day::{Day, Report, Settings, Villain, play};
use keno_sim::judge::Failure;

/// Plays days of a whole house from seeds, and judges every step.
#[derive(Parser)]
#[command(name = "keno-sim", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays so many days.
    Days {
        /// First seed; the others follow it.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Days.
        #[arg(long, default_value_t = 50)]
        days: u64,
        /// Days played at a time.
        #[arg(long, default_value_t = 2)]
        threads: u64,
        /// Draws a day.
        #[arg(long, default_value_t = 200)]
        draws: usize,
        /// Commands a day.
        #[arg(long, default_value_t = 2_000)]
        commands: u64,
    },
    /// Plays days in which each dishonest person tries what he may not, alone and all together.
    Dishonest {
        /// First seed; the others follow it.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Days for each of them.
        #[arg(long, default_value_t = 20)]
        days: u64,
        /// Draws a day.
        #[arg(long, default_value_t = 200)]
        draws: usize,
        /// Commands a day.
        #[arg(long, default_value_t = 2_000)]
        commands: u64,
    },
    /// Has the verifier in Python and keno-audit judge a day and tampered copies of it.
    Stranger {
        /// The seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Tampered copies.
        #[arg(long, default_value_t = 500)]
        count: usize,
        /// Draws a day.
        #[arg(long, default_value_t = 200)]
        draws: usize,
        /// Commands a day.
        #[arg(long, default_value_t = 2_000)]
        commands: u64,
        /// The folder of verify.py and tamper.py.
        #[arg(long, default_value = "e2e/stranger")]
        verifier: std::path::PathBuf,
    },
    /// Plays a day and writes its exported log.
    Export {
        /// The seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Draws a day.
        #[arg(long, default_value_t = 200)]
        draws: usize,
        /// Commands a day.
        #[arg(long, default_value_t = 2_000)]
        commands: u64,
        /// Where to.
        file: std::path::PathBuf,
    },
}

fn exported(seed: u64, settings: Settings) -> Result<(Report, Vec<u8>)> {
    let played = Day::open(seed, settings).and_then(|mut day| {
        day.run()?;
        day.end()?;
        Ok((day.report(), day.export()?))
    });
    played.map_err(|failure| anyhow!("{}", words(&failure)))
}

fn strange(
    seed: u64,
    count: usize,
    settings: Settings,
    verifier: &std::path::Path,
) -> Result<bool> {
    let (report, export) = exported(seed, settings)?;
    let small = Settings {
        draws: 10,
        commands: 100,
        ..settings
    };
    let (_, other) = exported(seed.wrapping_add(1), small)?;
    let copies = stranger::Copies::made(&export, &other, seed, count, verifier)?;
    let compared = copies.compared(verifier, 0..count)?;
    println!(
        "{} leaves, {} tampered copies of {} sorts ({} with a first bad entry known beforehand):\n\
         {} differences; the same finding named {} times",
        report.leaves,
        compared.tampered,
        compared.sorts.len(),
        compared.known,
        compared.differences.len() + compared.elsewhere.len(),
        compared.same_finding,
    );
    for words in compared.differences.iter().chain(&compared.elsewhere) {
        println!("{words}");
    }
    Ok(compared.differences.is_empty() && compared.elsewhere.is_empty())
}

fn words(failure: &Failure) -> String {
    match failure {
        Failure::Wrong(wrong) => wrong.clone(),
        Failure::Broken(fault) => format!("{fault:#}"),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long it took is told; nothing is decided by it"
)]
fn days(first: u64, count: u64, threads: u64, settings: Settings) -> Result<bool> {
    let started = std::time::Instant::now();
    let threads = threads.clamp(1, 64);
    let results: Vec<(u64, Result<Report, String>)> = std::thread::scope(|scope| {
        let playing: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let seeds = (first + thread..first + count)
                        .step_by(usize::try_from(threads).unwrap_or(1));
                    seeds
                        .map(|seed| {
                            let played = play(seed, settings).map_err(|failure| words(&failure));
                            (seed, played)
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        playing
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow!("a day panicked")))
            .collect::<Result<Vec<_>>>()
            .map(|of| of.into_iter().flatten().collect())
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let mut sum = Report::default();
    let mut wrong = 0;
    for (seed, played) in &results {
        match played {
            Ok(report) => {
                sum.draws += report.draws;
                sum.void += report.void;
                sum.commands += report.commands;
                sum.copies += report.copies;
                sum.leaves += report.leaves;
                sum.tickets += report.tickets;
                sum.named_sets += report.named_sets;
                sum.payments += report.payments;
                sum.crashes += report.crashes;
                sum.failed_commits += report.failed_commits;
                sum.jumps += report.jumps;
                sum.long_offs += report.long_offs;
                sum.books += report.books;
                for (sums, of) in [
                    (&mut sum.facts, &report.facts),
                    (&mut sum.refusals, &report.refusals),
                ] {
                    for (name, times) in of {
                        *sums.entry(name).or_default() += times;
                    }
                }
                if count == 1 {
                    println!("root {}", report.root);
                }
            }
            Err(words) => {
                wrong += 1;
                println!("seed {seed}: {words}");
            }
        }
    }
    println!(
        "{} days from seed {first}, {wrong} wrong; {:.1} days a minute\n\
         {} draws ({} void), {} commands ({} copies), {} leaves, {} tickets ({} named sets),\n\
         {} payments, \
         {} crashes ({} for days), {} failed commits, {} jumps of the clock, {} rule books",
        results.len(),
        f64::from(u32::try_from(results.len())?) * 60.0 / seconds,
        sum.draws,
        sum.void,
        sum.commands,
        sum.copies,
        sum.leaves,
        sum.tickets,
        sum.named_sets,
        sum.payments,
        sum.crashes,
        sum.long_offs,
        sum.failed_commits,
        sum.jumps,
        sum.books,
    );
    for (title, of) in [("facts", &sum.facts), ("refusals", &sum.refusals)] {
        let list: Vec<String> = of
            .iter()
            .map(|(name, times)| format!("{name} {times}"))
            .collect();
        println!("{title}: {}", list.join(", "));
    }
    Ok(wrong == 0)
}

/// Each villain's days, then all together.
fn dishonest(first: u64, count: u64, settings: Settings) -> bool {
    let mut holds = true;
    let alone = Villain::ALL.chunks(1).map(|one| (one[0].name(), one));
    for (name, villains) in alone.chain([("all together", Villain::ALL)]) {
        let (mut tried, mut wrong) = (BTreeMap::<&str, u64>::new(), 0);
        for seed in first..first + count {
            match play(
                seed,
                Settings {
                    villains,
                    ..settings
                },
            ) {
                Ok(report) => {
                    for (words, times) in report.temptations {
                        *tried.entry(words).or_default() += times;
                    }
                }
                Err(failure) => {
                    wrong += 1;
                    println!("{name}, seed {seed}: {}", words(&failure));
                }
            }
        }
        println!("{name}: {count} days, {wrong} wrong");
        for (words, times) in tried {
            println!("    {words}: refused {times} times");
        }
        holds &= wrong == 0;
    }
    holds
}

fn run() -> Result<bool> {
    match Arguments::parse().command {
        Command::Days {
            seed,
            days: count,
            threads,
            draws,
            commands,
        } => {
            let settings = Settings {
                draws,
                commands,
                ..Settings::DAY
            };
            days(seed, count, threads, settings)
        }
        Command::Dishonest {
            seed,
            days,
            draws,
            commands,
        } => {
            let settings = Settings {
                draws,
                commands,
                ..Settings::DAY
            };
            Ok(dishonest(seed, days, settings))
        }
        Command::Stranger {
            seed,
            count,
            draws,
            commands,
            verifier,
        } => {
            let settings = Settings {
                draws,
                commands,
                bystanders: true,
                ..Settings::DAY
            };
            strange(seed, count, settings, &verifier)
        }
        Command::Export {
            seed,
            draws,
            commands,
            file,
        } => {
            let settings = Settings {
                draws,
                commands,
                bystanders: true,
                ..Settings::DAY
            };
            let (report, export) = exported(seed, settings)?;
            std::fs::write(&file, export)?;
            println!("{report:?}");
            Ok(true)
        }
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(fault) => {
            eprintln!("keno-sim: {fault:#}");
            ExitCode::from(2)
        }
    }
}

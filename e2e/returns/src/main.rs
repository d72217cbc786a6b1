//! `keno-returns`: the long forms, one command each.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use keno_book::rules_file;
use keno_returns::asked::hostile;
use keno_returns::compare::{Plan, Planted, run};

/// Rule books near 65 %, judged by both programs and by settling every ticket. Exit code 1 when
/// something is not as it must be.
#[derive(Debug, Parser)]
#[command(name = "keno-returns", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Random books: both programs agree to the fraction, and say no more than the truth.
    Books {
        /// How many.
        #[arg(long, default_value_t = 100_000)]
        count: u64,
        /// Seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The most tickets on the same numbers that are settled one by one for the truth.
        #[arg(long, default_value_t = 60_000)]
        tickets: u64,
        /// Threads.
        #[arg(long, default_value_t = 2)]
        threads: u64,
        /// Plant a fault, which must be caught.
        #[arg(long)]
        plant: Option<Planted>,
    },
    /// Books that are made to take long: how long each program takes.
    Hostile {
        /// The most milliseconds that either may take.
        #[arg(long, default_value_t = 5_000)]
        most_ms: u128,
    },
}

fn main() -> ExitCode {
    let answer = match Arguments::parse().command {
        Command::Books {
            count,
            seed,
            tickets,
            threads,
            plant,
        } => books(count, seed, tickets, threads.max(1), plant),
        Command::Hostile { most_ms } => judge_hostile(most_ms),
    };
    match answer {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(fault) => {
            let _ = writeln!(std::io::stderr(), "error: {fault:#}");
            ExitCode::from(2)
        }
    }
}

fn books(
    count: u64,
    seed: u64,
    tickets_max: u64,
    threads: u64,
    plant: Option<Planted>,
) -> anyhow::Result<bool> {
    let mut out = std::io::stdout();
    let reports: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads)
            .map(|thread| {
                // Each thread has a seed of its own.
                let plan = Plan {
                    books: count / threads + u64::from(thread < count % threads),
                    seed: seed.wrapping_mul(1_000).wrapping_add(thread),
                    tickets_max,
                    plant,
                };
                scope.spawn(move || run(&plan))
            })
            .collect();
        running.into_iter().map(|one| one.join()).collect()
    });
    let mut holds = true;
    for report in reports {
        let report = report.map_err(|_| anyhow::anyhow!("a thread has panicked"))?;
        holds &= report.breaches.is_empty();
        writeln!(out, "{report}")?;
    }
    Ok(holds)
}

#[allow(
    clippy::disallowed_methods,
    reason = "how long it takes is what is measured"
)]
fn judge_hostile(most_ms: u128) -> anyhow::Result<bool> {
    let mut out = std::io::stdout();
    let mut holds = true;
    for (name, asked) in hostile() {
        let text = asked.text();
        let begun = Instant::now();
        let first = rules_file::read(&text).map_or_else(
            |faults| format!("{} faults", faults.len()),
            |file| format!("{} lines", file.certificate.lines.len()),
        );
        let first_ms = begun.elapsed().as_millis();
        let begun = Instant::now();
        let second = keno_audit::rule_book::RuleBook::parse(&text)
            .map_err(|fault| anyhow::anyhow!("{name}: {fault}"))
            .map(|book| keno_audit::returns::returns(&book))?;
        let second_ms = begun.elapsed().as_millis();
        let second = second.map_or_else(
            |fault| fault.to_string(),
            |it| format!("{} lines", it.len()),
        );
        holds &= first_ms <= most_ms && second_ms <= most_ms;
        writeln!(
            out,
            "{name}: {} bytes; central {first} in {first_ms} ms, the audit {second} in {second_ms} ms",
            text.len()
        )?;
    }
    Ok(holds)
}

//! The draw machine's own program: recompute a published draw, test the machine itself.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use keno_draw_machine::published::from_json;
use keno_draw_machine::vectors::check_vectors;
use keno_draw_machine::{HealthChecked, OsEntropy};

/// Recomputes draws and tests this machine.
#[derive(Parser)]
#[command(name = "keno-draw-machine", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Recompute a published transcript; fails naming the first thing that does not hold.
    Check {
        /// The transcript as published (JSON).
        transcript: PathBuf,
    },
    /// Test this machine's entropy and recompute the frozen vectors.
    SelfTest,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check { transcript } => check(&transcript),
        Command::SelfTest => self_test(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {}", fault.error);
            eprintln!("hint: {}", fault.hint);
            ExitCode::FAILURE
        }
    }
}

/// What went wrong, with its stable name where it has one, and what to do about it.
struct Failure {
    error: String,
    hint: &'static str,
}

impl Failure {
    fn new(name: &str, error: &anyhow::Error, hint: &'static str) -> Self {
        Self {
            error: format!("{name}: {error:#}"),
            hint,
        }
    }
}

fn check(path: &Path) -> Result<(), Failure> {
    let text = fs::read_to_string(path)
        .with_context(|| format!("cannot read {}", path.display()))
        .map_err(|error| Failure::new("unreadable", &error, "give the path of a transcript"))?;
    let transcript = from_json(&text).map_err(|fault| {
        let hint = "fetch the transcript again from where the house publishes it";
        Failure::new(fault.name(), &fault.into(), hint)
    })?;
    transcript.check().map_err(|fault| {
        let hint = "compare with another copy; if it fails too, this draw is to be disputed";
        Failure::new(fault.name(), &fault.into(), hint)
    })?;
    println!("draw\t{}", transcript.ctx.draw);
    println!("house\t{}", transcript.ctx.house);
    println!("seal\t{}", hex::encode(transcript.ctx.seal_root));
    println!("log_size\t{}", transcript.ctx.log_size);
    for holder in &transcript.holders {
        println!(
            "holder\t{}\t{}",
            holder.name,
            hex::encode(holder.commitment)
        );
    }
    let balls: Vec<String> = transcript.balls.iter().map(u8::to_string).collect();
    println!("balls\t{}", balls.join(" "));
    println!("result\tholds");
    eprintln!("{}", transcript.assurance().sentence_en());
    eprintln!("Compare seal, log size and commitments with the published log: they are its part.");
    Ok(())
}

fn self_test() -> Result<(), Failure> {
    HealthChecked::new(OsEntropy).start_up().map_err(|fault| {
        let hint = "take this machine out of service until its entropy source was looked at";
        Failure::new(fault.name(), &fault.into(), hint)
    })?;
    println!("entropy\tok");
    let count = check_vectors().map_err(|fault| {
        let hint = "this program computes other draws than the published rule: do not draw with it";
        Failure::new("vectors", &fault.into(), hint)
    })?;
    println!("vectors\tok\t{count}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}

//! `keno-statistics`: the long forms of the questions, one command each.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use keno_statistics::ball_line::read_draws;
use keno_statistics::cold_starts::{self, ColdPlant};
use keno_statistics::draws::{Draws, make};
use keno_statistics::instants::{self, Image, calendar};
use keno_statistics::judge::{Judgement, LEVEL, judge};
use keno_statistics::plant::{Plant, plant};
use keno_statistics::probability::{draws_for_power, power};
use keno_statistics::quick_picks::{PickPlant, judge_picks};
use keno_statistics::tampering::InstantPlant;

/// Judges the draw by numbers. Exit code 1 when something is not as it must be.
#[derive(Parser)]
#[command(name = "keno-statistics", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Draws made the way that central makes them, judged as fair or not.
    Draws {
        /// How many.
        #[arg(long, default_value_t = 1_000_000)]
        count: u64,
        /// Seed of the secrets.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Balls in the pool: 80, or 70.
        #[arg(long, default_value_t = 80)]
        pool: u8,
        /// Threads.
        #[arg(long, default_value_t = 2)]
        threads: u64,
        /// Plant a fault, which must be caught.
        #[arg(long)]
        plant: Option<Plant>,
        /// How strong the fault is: a share.
        #[arg(long, requires = "plant")]
        strength: Option<f64>,
    },
    /// Draws of a simulated ball machine as central reads them over its line, judged as fair or not.
    BallLine {
        /// How many.
        #[arg(long, default_value_t = 1_000_000)]
        count: u64,
        /// Seed of the balls.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Plant a fault, which must be caught.
        #[arg(long)]
        plant: Option<Plant>,
        /// How strong the fault is: a share.
        #[arg(long, requires = "plant")]
        strength: Option<f64>,
    },
    /// Quick picks of central, judged as fair or not: pools of 80 and 70, 1 to 10 spots.
    QuickPicks {
        /// How many in all.
        #[arg(long, default_value_t = 10_000_000)]
        count: u64,
        /// Seed of the picks.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Plant a fault, which must be caught.
        #[arg(long)]
        plant: Option<PickPlant>,
    },
    /// Processes that start with the same disk and the same frozen clocks: no secret twice.
    ColdStarts {
        /// How many.
        #[arg(long, default_value_t = 10_000)]
        count: usize,
        /// Threads.
        #[arg(long, default_value_t = 2)]
        threads: usize,
        /// Plant a fault, which must be caught.
        #[arg(long)]
        plant: Option<ColdPlant>,
    },
    /// The same entropy at other hours of the year: the same balls.
    Instants {
        /// Days.
        #[arg(long, default_value_t = 400)]
        days: u32,
        /// Times of each day.
        #[arg(long, default_value_t = 50)]
        times: u32,
        /// Threads.
        #[arg(long, default_value_t = 2)]
        threads: usize,
        /// Plant a fault, which must be caught.
        #[arg(long)]
        plant: Option<InstantPlant>,
    },
    /// How many draws are needed to see one ball come more often.
    Power {
        /// How much more often: a share of its frequency.
        #[arg(long, default_value_t = 0.01)]
        relative: f64,
    },
    #[command(hide = true)]
    ColdStart {
        #[arg(long)]
        folder: PathBuf,
        #[arg(long)]
        plant: Option<ColdPlant>,
    },
    #[command(hide = true)]
    Instant {
        #[arg(long)]
        folder: PathBuf,
        #[arg(long)]
        plant: Option<InstantPlant>,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Does what is asked; false when the answer is not as it must be.
fn run(command: Command) -> Result<bool> {
    match command {
        Command::Draws {
            count,
            seed,
            pool,
            threads,
            plant: fault,
            strength,
        } => {
            let made = make(seed, count, threads, pool, 20)?;
            println!("health alarms\t{}", made.alarms);
            Ok(judged(made.draws, seed, fault, strength))
        }
        Command::BallLine {
            count,
            seed,
            plant: fault,
            strength,
        } => Ok(judged(read_draws(seed, count)?, seed, fault, strength)),
        Command::QuickPicks { count, seed, plant } => {
            if let Some(plant) = plant {
                println!("planted\t{plant:?}");
            }
            println!("picks\t{count}, seed {seed}");
            Ok(tell(&judge_picks(count, seed, plant)?))
        }
        Command::ColdStarts {
            count,
            threads,
            plant,
        } => {
            let folder = tempfile::tempdir()?;
            let program = std::env::current_exe()?;
            let seen = cold_starts::run(&program, folder.path(), count, threads, plant)?;
            println!("starts\t{}", seen.starts);
            println!("different commitments\t{}", seen.different);
            println!("refused by health tests\t{}", seen.refused);
            println!("commitments of the image\t{}", seen.of_the_image);
            println!("verdict\t{}", verdict(seen.is_sound()));
            Ok(seen.is_sound())
        }
        Command::Instants {
            days,
            times,
            threads,
            plant,
        } => {
            let folder = tempfile::tempdir()?;
            let program = std::env::current_exe()?;
            let image = Image::make(folder.path())?;
            let instants = calendar(image.due_ms, days, times);
            let seen = instants::run(&program, &image, &instants, threads, plant)?;
            print!("{}", seen.reference);
            println!("instants\t{}", instants.len());
            println!("evenings of days 147, 327, 363\t{}", seen.evenings);
            println!("different\t{}", seen.different.len());
            for (at_ms, said) in seen.different.iter().take(3) {
                print!("at {at_ms}\n{said}");
            }
            println!("verdict\t{}", verdict(seen.different.is_empty()));
            Ok(seen.different.is_empty())
        }
        Command::Power { relative } => {
            for pool in [80.0, 70.0] {
                let share = 20.0 / pool;
                for (name, level) in [
                    ("one ball named beforehand", LEVEL),
                    ("the worst of all balls", LEVEL / pool),
                    (
                        "the worst of all balls, one question of 17",
                        LEVEL / pool / 17.0,
                    ),
                ] {
                    println!(
                        "pool {pool}\t{name}\tlevel {level:.2e}\t99 % power at {:.0} draws, \
                         99.99 % at {:.0}; 1,000,000 draws have {:.1} %",
                        draws_for_power(share, relative, level, 0.99),
                        draws_for_power(share, relative, level, 0.9999),
                        100.0 * power(1e6, share, relative, level)
                    );
                }
            }
            Ok(true)
        }
        Command::ColdStart { folder, plant } => {
            println!("{}", cold_starts::start(&folder, plant)?);
            Ok(true)
        }
        Command::Instant { folder, plant } => {
            print!("{}", instants::once(&folder, plant)?);
            Ok(true)
        }
    }
}

/// Judges draws, in which a fault may be planted before.
fn judged(mut draws: Draws, seed: u64, fault: Option<Plant>, strength: Option<f64>) -> bool {
    if let Some(fault) = fault {
        let strength = strength.unwrap_or_else(|| fault.usual_strength());
        plant(&mut draws, fault, strength, seed);
        println!("planted\t{fault:?} at {strength}");
    }
    let pool = draws.pool;
    println!("draws\t{} of 20 from {pool}, seed {seed}", draws.len());
    let judgement = judge(&draws);
    tell_power(draws.len() as f64, 20.0 / f64::from(pool), 0.01, &judgement);
    tell(&judgement)
}

fn verdict(is_sound: bool) -> &'static str {
    if is_sound {
        "as it must be"
    } else {
        "NOT as it must be"
    }
}

fn tell_power(count: f64, share: f64, relative: f64, judgement: &Judgement) {
    let level = judgement.limit() * share / 20.0;
    println!(
        "power\t{:.1} % to see one ball come {} % more often",
        100.0 * power(count, share, relative, level),
        100.0 * relative
    );
}

fn tell(judgement: &Judgement) -> bool {
    println!("{judgement}");
    judgement.is_fair()
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

//! `keno-sim-planted`: plants one fault after the other, and says which day found it.

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use keno_record::{faults, with_planted};
use keno_sim_planted::day::{Settings, Villain, play};
use keno_sim_planted::judge::Failure;

/// Plants every fault of a folder in turn, and says which seed found it and how.
#[derive(Parser)]
#[command(name = "keno-sim-planted", version)]
struct Arguments {
    /// Which faults.
    #[arg(value_enum)]
    faults: Faults,
    /// Of these, this one alone.
    #[arg(long)]
    only: Option<String>,
    /// First seed; the others follow it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seeds tried for each.
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// Draws a day.
    #[arg(long, default_value_t = 200)]
    draws: usize,
    /// Commands a day.
    #[arg(long, default_value_t = 2_000)]
    commands: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Faults {
    /// Mistakes that an honest day meets.
    Mistakes,
    /// Doors left open: everybody dishonest is there to try them.
    Doors,
}

fn main() -> ExitCode {
    let asked = Arguments::parse();
    let settings = Settings {
        draws: asked.draws,
        commands: asked.commands,
        ..Settings::DAY
    };
    let (all, settings) = match asked.faults {
        Faults::Mistakes => (faults::MISTAKES, settings),
        Faults::Doors => {
            let villains = Villain::ALL;
            (
                faults::DOORS,
                Settings {
                    villains,
                    ..settings
                },
            )
        }
    };
    let named = |fault: &&str| asked.only.as_ref().is_none_or(|only| only == fault);
    let (mut tried, mut missed) = (0, 0);
    for fault in all.iter().copied().filter(named) {
        tried += 1;
        let mut seeds = asked.seed..asked.seed.saturating_add(asked.seeds);
        let found = seeds.find_map(|seed| {
            let played = with_planted(fault, || play(seed, settings));
            played.err().map(|failure| (seed, failure))
        });
        match found {
            Some((seed, Failure::Wrong(words))) => println!("{fault:<20} seed {seed}: {words}"),
            // A day that cannot be played has found nothing.
            Some((seed, Failure::Broken(words))) => {
                missed += 1;
                println!("{fault:<20} seed {seed} cannot be played: {words:#}");
            }
            None => {
                missed += 1;
                println!("{fault:<20} not found in {} seeds", asked.seeds);
            }
        }
    }
    if tried == 0 {
        eprintln!("keno-sim-planted: there is no such fault");
        return ExitCode::from(2);
    }
    ExitCode::from(u8::from(missed > 0))
}

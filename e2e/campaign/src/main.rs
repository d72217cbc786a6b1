//! The command line of the campaigns.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use clap::{Args, Parser, Subcommand};
use keno_campaign::founded::Kind;
use keno_campaign::proxy::Loss;
use keno_campaign::states::Place;
use keno_campaign::{backups, balls, central, counter, crash, doors, line, states, timing};
use keno_testing::Durability;

/// Campaigns against the real keno-central.
#[derive(Debug, Parser)]
#[command(name = "keno-campaign", version, about, after_help = EXITS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXITS: &str = "Exit: 0 all of it holds; 1 something is wrong with central, or what was \
                     planted was caught; 2 the campaign could not be run.";

#[derive(Debug, Clone, Args)]
struct World {
    /// Where the record is; a private PostgreSQL is started for it.
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Kind,
    /// Seed of every choice.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program, instead of the keno-central beside this one.
    #[arg(long, value_name = "FILE")]
    central: Option<PathBuf>,
}

impl World {
    fn program(&self) -> anyhow::Result<PathBuf> {
        self.central
            .clone()
            .map_or_else(central::program_beside, Ok)
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Kill central at any moment of a mixed load, and start it again.
    Crash {
        #[command(flatten)]
        world: World,
        /// Kills.
        #[arg(long, default_value_t = 200)]
        kills: u64,
        /// Counters.
        #[arg(long, default_value_t = 6)]
        devices: u32,
        /// Export and judge the whole record after every so many kills.
        #[arg(long, default_value_t = 20)]
        judge_every: u64,
        /// Plant a fault: the campaign must fail.
        #[arg(long, value_enum)]
        plant: Option<crash::Planted>,
        /// Machine and holders on hosts of their own, which are killed too: keno-draw-machine beside
        /// central.
        #[arg(long)]
        hosts: bool,
    },
    /// Kill central in each state of a draw.
    States {
        #[command(flatten)]
        world: World,
        /// Only these places.
        #[arg(long, value_enum)]
        only: Vec<Place>,
        /// Tickets for the draw.
        #[arg(long, default_value_t = 200)]
        tickets: u64,
        /// Draws that may go by before a place counts as not caught.
        #[arg(long, default_value_t = 4)]
        tries: u64,
        /// Houses at once.
        #[arg(long, default_value_t = 3)]
        together: usize,
        /// Plant a fault: a number that was shown is noted as another.
        #[arg(long)]
        plant_other_balls: bool,
    },
    /// Central, the machine that reads its balls, and the desks: each killed between the seal and the
    /// official result.
    Balls {
        #[command(flatten)]
        world: World,
        /// Only over these wires.
        #[arg(long, value_enum)]
        wire: Vec<balls::Wire>,
        /// Only these plays.
        #[arg(long, value_enum)]
        only: Vec<balls::Play>,
        /// Only after so many balls.
        #[arg(long, value_parser = clap::value_parser!(u8).range(0..=20))]
        after: Vec<u8>,
        /// Houses at once.
        #[arg(long, default_value_t = 2)]
        together: usize,
        /// Plant a fault: the campaign must fail.
        #[arg(long, value_enum)]
        plant: Option<balls::Planted>,
    },
    /// The real agent of a counter: itself killed, central killed or frozen, the wire cut, at any
    /// instant of each money command.
    Counter {
        #[command(flatten)]
        world: World,
        /// Instants for each money command and fault.
        #[arg(long, default_value_t = 500)]
        instants: u64,
        /// Houses side by side, which share the instants.
        #[arg(long, default_value_t = 6)]
        lanes: u64,
        /// The counter is a device with a certificate; otherwise it is on central's own machine.
        #[arg(long)]
        tls: bool,
        /// Only these commands.
        #[arg(long, value_enum)]
        command: Vec<counter::Money>,
        /// Only these faults.
        #[arg(long, value_enum)]
        only: Vec<counter::Fault>,
        /// The program, instead of the keno-terminal beside this one.
        #[arg(long, value_name = "FILE")]
        terminal: Option<PathBuf>,
        /// Plant a fault: the campaign must fail.
        #[arg(long, value_enum)]
        plant: Option<counter::Planted>,
    },
    /// Back central up under load, give it up, restore it, and go on.
    Backups {
        #[command(flatten)]
        world: World,
        /// Backups, each restored.
        #[arg(long, default_value_t = 20)]
        rounds: u64,
        /// Counters.
        #[arg(long, default_value_t = 6)]
        devices: u32,
        /// Load before and after each backup, in milliseconds.
        #[arg(long, default_value_t = 5_000)]
        load_ms: u64,
        /// Do not wait for a draw after each restore.
        #[arg(long)]
        no_draws: bool,
        /// Plant a fault: the campaign must fail.
        #[arg(long, value_enum)]
        plant: Option<backups::Planted>,
    },
    /// Money commands over a line that loses.
    Line {
        #[command(flatten)]
        world: World,
        /// Money commands.
        #[arg(long, default_value_t = 20_000)]
        commands: usize,
        /// Counters.
        #[arg(long, default_value_t = 8)]
        devices: u32,
        /// Of a hundred requests, so many never arrive.
        #[arg(long, default_value_t = 10)]
        lose_requests: u64,
        /// Of a hundred answers, so many are lost.
        #[arg(long, default_value_t = 30)]
        lose_replies: u64,
        /// Of a hundred requests, so many arrive twice.
        #[arg(long, default_value_t = 5)]
        twice: u64,
        /// Plant a fault: the campaign must fail.
        #[arg(long, value_enum)]
        plant: Option<line::Planted>,
    },
    /// Sell with strangers on every socket that they can get; then have PINs guessed, sign-ons in
    /// a flood and limits used up beside counters that go on.
    Doors {
        #[command(flatten)]
        world: World,
        /// Counters.
        #[arg(long, default_value_t = 16)]
        devices: u32,
        /// Sales of each counter, without strangers and beside them.
        #[arg(long, default_value_t = 100)]
        sales: usize,
        /// Sockets that strangers try to hold.
        #[arg(long, default_value_t = 6_000)]
        sockets: usize,
        /// Descriptors that central may have.
        #[arg(long, default_value_t = 2_200)]
        descriptors: u64,
        /// Guesses of PINs.
        #[arg(long, default_value_t = 10_000)]
        guesses: u64,
        /// Counters that go on while PINs are guessed.
        #[arg(long, default_value_t = 64)]
        counters: u32,
        /// How long checks are measured, each time, in milliseconds.
        #[arg(long, default_value_t = 20_000)]
        measure_ms: u64,
    },
    /// Ask about wrong secrets and unknown numbers: one verdict, one size, one time.
    Timing {
        #[command(flatten)]
        world: World,
        /// Questions of each sort in each form, in each run.
        #[arg(long, default_value_t = 10_000)]
        checks: u64,
        /// Runs, in one house.
        #[arg(long, default_value_t = 1)]
        runs: u64,
        /// Devices that ask: each may ask for 1,000 unknown numbers a minute.
        #[arg(long, default_value_t = 90)]
        devices: u32,
        /// Tickets, and unknown numbers.
        #[arg(long, default_value_t = 400)]
        tickets: u32,
        /// Plant a fault: every run must find it.
        #[arg(long, value_enum)]
        plant: Option<timing::Planted>,
        /// How long a planted delay is, in microseconds.
        #[arg(long, default_value_t = 100)]
        delay_us: u64,
    },
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(breaches) if breaches.is_empty() => {
            say("all of it holds");
            ExitCode::SUCCESS
        }
        Ok(breaches) => {
            for breach in breaches.iter().take(20) {
                say(&format!("WRONG {breach}"));
            }
            say(&format!("{} breaches", breaches.len()));
            ExitCode::from(1)
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "keno-campaign: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn run(command: Command) -> anyhow::Result<Vec<String>> {
    let durability = Durability::Synced;
    match command {
        Command::Crash {
            world,
            kills,
            devices,
            judge_every,
            plant,
            hosts,
        } => {
            let program = world.program()?;
            let machine = hosts.then(|| program.with_file_name("keno-draw-machine"));
            let report = crash::run(&crash::Plan {
                database: world.database,
                durability,
                kills,
                seed: world.seed,
                devices,
                judge_every: judge_every.max(1),
                plant,
                program,
                machine,
            })?;
            report.lines().iter().for_each(|line| say(line));
            Ok(report.breaches)
        }
        Command::States {
            world,
            only,
            tickets,
            tries,
            together,
            plant_other_balls,
        } => {
            let plan = states::Plan {
                database: world.database,
                durability,
                seed: world.seed,
                tickets,
                tries,
                other_balls: plant_other_balls,
                program: world.program()?,
            };
            let places = if only.is_empty() {
                Place::ALL.to_vec()
            } else {
                only
            };
            each_place(&plan, places, together.max(1))
        }
        Command::Balls {
            world,
            wire,
            only,
            after,
            together,
            plant,
        } => {
            let program = world.program()?;
            let report = balls::run(&balls::Plan {
                database: world.database,
                durability,
                seed: world.seed,
                wires: all_unless(wire, &[balls::Wire::Network, balls::Wire::Serial]),
                plays: all_unless(only, &balls::Play::ALL),
                after: all_unless(after, &(0..=20).collect::<Vec<_>>()),
                together,
                plant,
                terminal: program.with_file_name("keno-terminal"),
                machine: program.with_file_name("keno-draw-machine"),
                program,
            })?;
            report.lines().iter().for_each(|line| say(line));
            Ok(report.breaches)
        }
        Command::Counter {
            world,
            instants,
            lanes,
            tls,
            command,
            only,
            terminal,
            plant,
        } => {
            let report = counter::run(&counter::Plan {
                database: world.database,
                durability,
                tls,
                instants,
                lanes,
                commands: if command.is_empty() {
                    counter::Money::ALL.to_vec()
                } else {
                    command
                },
                faults: if only.is_empty() {
                    counter::Fault::ALL.to_vec()
                } else {
                    only
                },
                seed: world.seed,
                plant,
                program: world.program()?,
                terminal: terminal.map_or_else(counter::agent::program_beside, Ok)?,
            })?;
            report.lines().iter().for_each(|line| say(line));
            Ok(report.breaches)
        }
        Command::Backups {
            world,
            rounds,
            devices,
            load_ms,
            no_draws,
            plant,
        } => {
            let report = backups::run(&backups::Plan {
                database: world.database,
                durability,
                rounds,
                seed: world.seed,
                devices,
                load_ms,
                draws: !no_draws,
                plant,
                program: world.program()?,
            })?;
            report.lines().iter().for_each(|line| say(line));
            Ok(report.breaches)
        }
        Command::Doors {
            world,
            devices,
            sales,
            sockets,
            descriptors,
            guesses,
            counters,
            measure_ms,
        } => {
            let program = world.program()?;
            let guessed = doors::guesses::run(&doors::guesses::Plan {
                database: world.database,
                durability,
                guesses,
                counters,
                measured: std::time::Duration::from_millis(measure_ms),
                is_timed: true,
                seed: world.seed,
                program: program.clone(),
            })?;
            guessed.lines().iter().for_each(|line| say(line));
            let report = doors::run(&doors::Plan {
                database: world.database,
                durability,
                devices,
                sales,
                sockets,
                descriptors,
                seed: world.seed,
                program,
            })?;
            report.lines().iter().for_each(|line| say(line));
            Ok([guessed.breaches, report.breaches].concat())
        }
        Command::Timing {
            world,
            checks,
            runs,
            devices,
            tickets,
            plant,
            delay_us,
        } => {
            let report = timing::run(&timing::Plan {
                database: world.database,
                durability,
                checks,
                runs,
                devices,
                tickets,
                is_timed: true,
                plant,
                delay: std::time::Duration::from_micros(delay_us),
                seed: world.seed,
                program: world.program()?,
            })?;
            report.lines().iter().for_each(|line| say(line));
            Ok(report.breaches)
        }
        Command::Line {
            world,
            commands,
            devices,
            lose_requests,
            lose_replies,
            twice,
            plant,
        } => {
            let report = line::run(&line::Plan {
                database: world.database,
                durability,
                commands,
                seed: world.seed,
                devices,
                loss: Loss {
                    requests: lose_requests,
                    replies: lose_replies,
                    twice,
                },
                plant,
                program: world.program()?,
            })?;
            report.lines().iter().for_each(|line| say(line));
            Ok(report.breaches)
        }
    }
}

/// What was chosen, or all of it.
fn all_unless<T: Clone>(chosen: Vec<T>, all: &[T]) -> Vec<T> {
    match chosen.is_empty() {
        true => all.to_vec(),
        false => chosen,
    }
}

/// Each place in a house of its own, some houses at once.
fn each_place(
    plan: &states::Plan,
    places: Vec<Place>,
    together: usize,
) -> anyhow::Result<Vec<String>> {
    let waiting = Mutex::new(places.into_iter().rev().collect::<Vec<_>>());
    let next = || waiting.lock().ok().and_then(|mut it| it.pop());
    let all: Vec<anyhow::Result<Vec<String>>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..together)
            .map(|_| {
                scope.spawn(|| {
                    let mut breaches = Vec::new();
                    while let Some(place) = next() {
                        let caught = states::run(plan, place)?;
                        say(&caught.line());
                        let name = format!("{place:?}");
                        breaches.extend(caught.breaches.iter().map(|it| format!("{name}: {it}")));
                    }
                    Ok(breaches)
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|one| {
                one.join()
                    .unwrap_or_else(|_| Err(anyhow::anyhow!("a run panicked")))
            })
            .collect()
    });
    let mut breaches = Vec::new();
    for one in all {
        breaches.extend(one?);
    }
    Ok(breaches)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Arguments::command().debug_assert();
    }
}

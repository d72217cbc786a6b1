//! Measures the house, and says what its figures come to.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use keno_bench::figure::{Figure, ROUNDS_MIN, Verdict};
use keno_bench::history::Years;
use keno_bench::house::Way;
use keno_bench::{
    disk, follow, growth, idle, live, look_up, memory, open_loop, postgres, sales, settle,
    settle_sales, start,
};

/// Figures of the house, as ratios of two arms measured in turn.
#[derive(Debug, Parser)]
#[command(name = "keno-bench", version, about, after_help = EXITS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// A folder on the disk to measure; the current one when left out. What is made there is
    /// removed.
    #[arg(long, global = true, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Rounds of each arm.
    #[arg(long, global = true, default_value_t = 7)]
    rounds: usize,
    /// The program that is measured, when it is not beside this one.
    #[arg(long, global = true, value_name = "FILE")]
    central: Option<PathBuf>,
}

const EXITS: &str = "Exit: 0 every floor is met; 1 one is not; 2 could not be measured, or others \
took too much of the machine for a verdict.";

const MILLION: usize = 1_000_000;
/// Tickets of a short history, and of a long one.
const SHORT: u64 = 100_000;
const LONG: u64 = 1_000_000;
/// Boards of a large hall, and telephones.
const STREAMS: usize = 5_000;

#[derive(Debug, Clone, Copy, Subcommand)]
enum Command {
    /// Everything, one after another.
    All,
    /// Durable sales at 64 terminals over HTTP, by one sale a commit.
    Sales,
    /// As `sales`, on a private PostgreSQL, and by 32 connections that write the same rows; then
    /// settling wagers there, by the best SQL.
    Postgres {
        /// Wagers of a draw.
        #[arg(long, default_value_t = MILLION)]
        wagers: usize,
    },
    /// A sale at the only terminal, by one sync of the disk.
    Idle,
    /// Settling wagers end to end, by plain SQL, and by reading and writing the bytes.
    Settle {
        /// Wagers of a draw.
        #[arg(long, default_value_t = MILLION)]
        wagers: usize,
    },
    /// How long a sale waits while wagers are settled.
    SettleSales {
        /// Wagers of a draw.
        #[arg(long, default_value_t = MILLION)]
        wagers: usize,
    },
    /// A look-up by control number under full sales, by a constant answer.
    LookUp,
    /// The memory made again after a kill, from the newest snapshot by from the first leaf.
    Start {
        /// Tickets of draws that are over.
        #[arg(long, default_value_t = 200_000)]
        tickets: u64,
        /// Draws that are over.
        #[arg(long, default_value_t = 2_000)]
        draws: u64,
        /// Tickets of the draw on sale, four wagers each.
        #[arg(long, default_value_t = 25_000)]
        open_tickets: u64,
    },
    /// Sales, look-ups, `verify`, `backup` and starts with a long history, by a short one.
    Growth {
        /// Tickets of the short history.
        #[arg(long, default_value_t = SHORT)]
        from: u64,
        /// Tickets of the long one.
        #[arg(long, default_value_t = LONG)]
        tickets: u64,
        /// The last tickets of the long one that are sold at one till, which stays open.
        #[arg(long, default_value_t = 0)]
        till_open: u64,
        /// Rounds of `verify` and `backup`; one where the long history has more than a million.
        #[arg(long)]
        wholes: Option<usize>,
    },
    /// What the server holds in memory while every terminal sells and boards hear live events.
    Memory {
        /// Open wagers.
        #[arg(long, default_value_t = MILLION)]
        wagers: usize,
        /// Clients of the live stream; fewer, where the system allows fewer descriptors.
        #[arg(long, default_value_t = STREAMS)]
        streams: usize,
    },
    /// A log handed whole to a follower that begins, by `keno-audit verify` of it.
    Follow {
        /// Tickets of draws that are over.
        #[arg(long, default_value_t = 1_000_000)]
        tickets: u64,
        /// Tickets of one draw.
        #[arg(long, default_value_t = 1_000_000)]
        draw_tickets: u64,
    },
    /// An event at the last of many streams by a loop of writes, and all of them back after a kill.
    Live {
        /// Clients of the live stream; fewer, where the system allows fewer descriptors.
        #[arg(long, default_value_t = STREAMS)]
        streams: usize,
    },
    /// A sale at a third of the saturated rate, from when it was due, by one sync of the disk.
    OpenLoop,
}

fn measure(command: Command, arguments: &Arguments, folder: &Path) -> anyhow::Result<Vec<Figure>> {
    let way = match &arguments.central {
        Some(program) => Way::Program(program.clone()),
        None => Way::beside()?,
    };
    let rounds = arguments.rounds;
    let room = tempfile::Builder::new()
        .prefix("bench-")
        .tempdir_in(folder)?;
    let folder = room.path();
    match command {
        Command::All => {
            let mut figures = Vec::new();
            for command in [
                Command::Sales,
                Command::Idle,
                Command::LookUp,
                Command::Settle { wagers: MILLION },
                Command::SettleSales { wagers: MILLION },
                Command::Start {
                    tickets: 200_000,
                    draws: 2_000,
                    open_tickets: 25_000,
                },
                Command::Growth {
                    from: SHORT,
                    tickets: LONG,
                    till_open: 0,
                    wholes: None,
                },
                Command::Memory {
                    wagers: MILLION,
                    streams: STREAMS,
                },
                Command::Live { streams: STREAMS },
                Command::OpenLoop,
            ] {
                figures.extend(measure(command, arguments, folder)?);
            }
            Ok(figures)
        }
        Command::Sales => sales::measure(&way, folder, &sales::Size::full(rounds)),
        Command::Postgres { wagers } => {
            let size = sales::Size::full(rounds);
            let mut figures = postgres::measure(&way, folder, &size)?;
            figures.extend(settle::measure_postgres(folder, wagers, rounds)?);
            Ok(figures)
        }
        Command::Idle => idle::measure(&way, folder, rounds, Duration::from_millis(500)),
        Command::Settle { wagers } => settle::measure(folder, wagers, rounds),
        Command::SettleSales { wagers } => settle_sales::measure(
            folder,
            settle_sales::Size {
                wagers,
                terminals: 64,
                rounds,
                round: Duration::from_millis(1_000),
            },
        ),
        Command::LookUp => look_up::measure(&way, folder, look_up::Size::full(rounds)),
        Command::Start {
            tickets,
            draws,
            open_tickets,
        } => {
            let years = Years {
                tickets,
                draws,
                open_tickets,
            };
            start::measure(folder, &years, rounds)
        }
        Command::Growth {
            from,
            tickets,
            till_open,
            wholes,
        } => {
            let mut size = growth::Size::full((from, tickets), till_open, rounds);
            size.wholes = wholes.unwrap_or(size.wholes);
            growth::measure(&way, folder, &size)
        }
        Command::Memory { wagers, streams } => {
            memory::measure(&way, folder, memory::Size::full(wagers, streams, rounds))
        }
        Command::Follow {
            tickets,
            draw_tickets,
        } => follow::measure(
            &way,
            folder,
            follow::Size {
                tickets,
                draw_tickets,
                rounds,
            },
        ),
        Command::Live { streams } => live::measure(&way, folder, live::Size { streams, rounds }),
        Command::OpenLoop => open_loop::measure(&way, folder, open_loop::Size::full(rounds)),
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        arguments.rounds >= ROUNDS_MIN,
        "at least {ROUNDS_MIN} rounds are needed"
    );
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => std::env::current_dir()?,
    };
    disk::must_be_a_disk(&folder)?;
    let figures = measure(arguments.command, arguments, &folder)?;
    let mut out = std::io::stdout().lock();
    for figure in &figures {
        writeln!(out, "{figure}\n")?;
    }
    let judged = figures.iter().filter(|figure| figure.limits.is_some());
    let verdicts: Vec<Verdict> = judged.map(Figure::verdict).collect();
    Ok(if verdicts.contains(&Verdict::NotMet) {
        ExitCode::from(1)
    } else if verdicts.contains(&Verdict::None) {
        ExitCode::from(2)
    } else {
        ExitCode::SUCCESS
    })
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "keno-bench: {error:#}");
            ExitCode::from(2)
        }
    }
}

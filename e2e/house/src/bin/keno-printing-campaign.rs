//! The whole campaign against printers: every manner of dying at every so many bytes of a ticket,
//! over the network and over two kinds of lines.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;

use clap::Parser;
use keno_house_tests::fake_printer::{Death, Way};
use keno_house_tests::house::House;
use keno_house_tests::printing::{Booth, Case, judge_record};

/// Sales whose printer dies at each step of the ticket's bytes, each judged.
#[derive(Debug, Parser)]
#[command(version, after_help = "Exit: 0 all of it holds; 1 something is wrong.")]
struct Arguments {
    /// Every so many bytes.
    #[arg(long, default_value_t = 8)]
    step: usize,
    /// The first byte.
    #[arg(long, default_value_t = 0)]
    first: usize,
    /// Only this wire: network, serial or usb.
    #[arg(long, value_parser = way_of)]
    way: Option<Way>,
    /// Only this manner of dying, such as paper-end.
    #[arg(long, value_parser = death_of)]
    death: Option<Death>,
}

const WAYS: [(u32, Way); 3] = [(1, Way::Network), (2, Way::Serial), (3, Way::Usb)];

/// `PaperEnd` is `paper-end`.
fn is_named(it: &impl std::fmt::Debug, text: &str) -> bool {
    format!("{it:?}").eq_ignore_ascii_case(&text.replace('-', ""))
}

fn way_of(text: &str) -> Result<Way, String> {
    WAYS.into_iter()
        .map(|(_, way)| way)
        .find(|way| is_named(way, text))
        .ok_or_else(|| format!("there is {WAYS:?}"))
}

fn death_of(text: &str) -> Result<Death, String> {
    Death::ALL
        .into_iter()
        .find(|death| is_named(death, text))
        .ok_or_else(|| format!("there is {:?}", Death::ALL))
}

/// Goes through one way; the booth, and what was wrong.
fn campaign(house: &House, device: u32, way: Way, arguments: &Arguments) -> (Booth, Vec<String>) {
    let mut booth = Booth::open(house, device, way);
    let mut wrong = Vec::new();
    let bytes = match booth.job_bytes() {
        Ok(bytes) => bytes,
        Err(fault) => return (booth, vec![fault]),
    };
    for death in Death::ALL {
        if arguments.death.is_some_and(|only| only != death) {
            continue;
        }
        eprintln!("{way:?}: {death:?} from {} sales on", booth.sales);
        for at in (arguments.first..bytes).step_by(arguments.step.max(1)) {
            let case = Case {
                death,
                at,
                is_clerk_there: (at / arguments.step.max(1)).is_multiple_of(2),
            };
            if let Err(fault) = booth.run(case) {
                wrong.push(format!("{way:?} {case:?}: {fault}"));
                // What is left open would spoil what comes after it.
                if !booth.counter.open_items().is_empty() {
                    return (booth, wrong);
                }
            }
        }
    }
    (booth, wrong)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let house = House::new();
    let wanted = |(_, way): &(u32, Way)| arguments.way.is_none_or(|only| only == *way);
    let ways: Vec<(u32, Way)> = WAYS.into_iter().filter(wanted).collect();
    let results: Vec<(Booth, Vec<String>)> = thread::scope(|scope| {
        let (house, arguments) = (&house, &arguments);
        let threads: Vec<_> = ways
            .into_iter()
            .map(|(device, way)| scope.spawn(move || campaign(house, device, way, arguments)))
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panicked| resume_unwind(panicked))
            })
            .collect()
    });
    let mut wrong = Vec::new();
    let mut stood: BTreeMap<String, u64> = BTreeMap::new();
    let (mut sales, mut cancelled, mut questions, mut torn) = (0, 0, 0, 0);
    let mut booths = Vec::new();
    for (booth, faults) in results {
        wrong.extend(faults);
        sales += booth.sales;
        cancelled += booth.cancelled;
        questions += booth.questions;
        torn += booth.torn;
        for (name, count) in &booth.stood {
            *stood.entry(name.clone()).or_default() += count;
        }
        booths.push(booth);
    }
    if let Err(fault) = judge_record(&house, &booths) {
        wrong.push(format!("the record: {fault}"));
    }
    println!(
        "{sales} sales, {cancelled} of them cancelled in the end, {questions} questions to a \
         clerk, {torn} torn tickets cancelled"
    );
    println!("after the first command they stood:");
    for (name, count) in stood {
        println!("  {count:>6}  {name}");
    }
    for fault in &wrong {
        println!("WRONG {fault}");
    }
    println!("{} wrong", wrong.len());
    if wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

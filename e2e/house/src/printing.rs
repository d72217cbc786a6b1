//! Sales whose printer dies at a chosen byte of the ticket, in a chosen way: the real terminal
//! against the real central, and a judge who looks at what came out of the printer, at the
//! terminal's journal and at the record.
//!
//! Each sale ends issued, or cancelled with its receipt when its paper is torn, or in a doubt that
//! has a name and a way out, which is then taken and ends it. Never a second paper of a ticket,
//! never "printed" when the printer has not said so or a person has not looked, never money
//! without a record.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::path::Path;

use keno_terminal::exit::Exit;
use keno_terminal::virtual_printer::Sheet;
use serde_json::Value;

use crate::counter::{Counter, Kind};
use crate::fake_printer::{Death, FakePrinter, Plan, Printed, Way};
use crate::house::{FLOAT_CENTS, House};
use crate::paper::text;

/// The slip of every sale: three selections, so that the ticket has about 2,000 bytes.
pub const SLIP: &str = r#"{"selections":[
    {"type":"straight","numbers":[7,18,33,42,71],"wager_cents":200},
    {"type":"straight","numbers":[3,14,22,29],"wager_cents":100},
    {"type":"way","groups":[[3,14],[40,51],[66,80]],"ways":[{"ways":3,"spots":2,"wager_cents":50}]}
    ],"draws":2}"#;

/// One sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// How the printer dies.
    pub death: Death,
    /// After how many bytes.
    pub at: usize,
    /// The clerk answers at once; else only at the next command.
    pub is_clerk_there: bool,
}

/// How long a printer that says nothing is waited for, when it is known to say nothing.
const SHORT: std::time::Duration = std::time::Duration::from_millis(25);
/// Where an answer comes, however busy the machine is.
const PATIENT: std::time::Duration = std::time::Duration::from_secs(60);

const fn patience(death: Death) -> std::time::Duration {
    match death {
        // One that was reset or switched off takes connections again, and says nothing until it
        // is mended.
        Death::Silent
        | Death::Hung
        | Death::Garbage
        | Death::Reset
        | Death::PowerCycle
        | Death::TerminalDies => SHORT,
        _ => PATIENT,
    }
}

/// A clerk who looks at the printer when asked, and says what is so.
struct Clerk<'a> {
    looks: &'a dyn Fn() -> bool,
    is_there: bool,
    line: Vec<u8>,
    answers: Vec<bool>,
}

impl<'a> Clerk<'a> {
    fn new(is_there: bool, looks: &'a dyn Fn() -> bool) -> Self {
        Self {
            looks,
            is_there,
            line: Vec::new(),
            answers: Vec::new(),
        }
    }
}

impl Read for Clerk<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let line = self.fill_buf()?;
        let count = line.len().min(buffer.len());
        buffer[..count].copy_from_slice(&line[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Clerk<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.line.is_empty() && self.is_there {
            let is_whole = (self.looks)();
            self.answers.push(is_whole);
            self.line = if is_whole { b"1\n" } else { b"0\n" }.to_vec();
        }
        Ok(&self.line)
    }

    fn consume(&mut self, count: usize) {
        self.line.drain(..count);
    }
}

/// A counter with a printer that dies, and what was sold there.
pub struct Booth {
    /// The counter.
    pub counter: Counter,
    /// Its printer.
    pub printer: FakePrinter,
    /// Sales so far.
    pub sales: u64,
    /// How sales stood after their first command: by name.
    pub stood: BTreeMap<String, u64>,
    /// Questions that a clerk was asked.
    pub questions: u64,
    /// Sales whose paper was torn: the ticket was cancelled.
    pub torn: u64,
    /// Sales that were cancelled in the end.
    pub cancelled: u64,
    /// What the clerk says without looking, when a lie is planted.
    pub clerk_says: Option<bool>,
}

/// Characters of a claim code up to the end of its secret: version, number, copy, secret.
const PAYABLE: usize = 3 + 16 + 2 + 20;

/// Papers of tickets among those seen.
fn tickets(seen: &[Printed]) -> Vec<&Sheet> {
    seen.iter()
        .map(|printed| &printed.sheet)
        .filter(|sheet| !sheet.rows.is_empty())
        .collect()
}

/// Records of a journal in which the newest sale stands whole.
const NEWEST_RECORDS: u32 = 40;

/// Every record of the newest sale at a counter, in order.
fn newest_sale(counter: &Counter) -> Vec<Value> {
    let records = counter.newest_records(NEWEST_RECORDS);
    let key = records
        .iter()
        .rev()
        .find(|record| record["record"] == "sent" && record["kind"] == "sale")
        .map(|record| record["key"].clone());
    records
        .into_iter()
        .filter(|record| Some(&record["key"]) == key.as_ref())
        .collect()
}

/// Copies the files of a folder into another, in place of what is there.
fn copy_folder(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match std::fs::copy(entry.path(), to.join(entry.file_name())) {
            // A file that is only there while another is replaced: the power went just after.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => drop(copied.unwrap()),
        }
    }
}

fn state_of(records: &[Value]) -> String {
    let paper = records.iter().rev().find(|one| one["record"] == "paper");
    match paper {
        None => "no paper".to_owned(),
        Some(paper) => {
            let state = paper["paper"].as_str().unwrap_or("?");
            match paper["fault"].as_str().or(paper["how"].as_str()) {
                Some(detail) => format!("{state}: {detail}"),
                None => state.to_owned(),
            }
        }
    }
}

/// One sale in so many is cancelled once its paper is whole.
const CANCELLED_ONE_IN: u64 = 7;

/// Commands that may be needed to take the way out.
const ROUNDS_MAX: usize = 4;

impl Booth {
    /// Opens a counter of a house, with a printer on some way.
    pub fn open(house: &House, device: u32, way: Way) -> Self {
        let counter = Counter::open_as(
            house,
            Kind {
                device,
                language: keno_terminal::config::Language::Fr,
                columns: 48,
            },
        );
        Self {
            counter,
            printer: FakePrinter::new(way, 576),
            sales: 0,
            stood: BTreeMap::new(),
            questions: 0,
            torn: 0,
            cancelled: 0,
            clerk_says: None,
        }
    }

    /// Bytes of the job of one ticket, from a sale with which nothing is wrong.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn job_bytes(&mut self) -> Result<usize, String> {
        self.run(Case {
            death: Death::Slow,
            at: usize::MAX,
            is_clerk_there: false,
        })?;
        Ok(self.printer.mechanism(|one| one.jobs[0].bytes))
    }

    /// Sells while the printer dies, takes the way out, and judges.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn run(&mut self, case: Case) -> Result<(), String> {
        self.printer.mechanism(|one| {
            one.papers.clear();
            one.jobs.clear();
        });
        self.printer.dies(Plan {
            death: case.death,
            at: case.at,
        });
        let journal = self.counter.journal_folder();
        let kept = journal.with_extension("kept");
        let _ = std::fs::remove_dir_all(&kept);
        let dies_itself = case.death == Death::TerminalDies;
        if dies_itself {
            let (from, to) = (journal.clone(), kept.clone());
            // What is synced at that moment is what the next start finds.
            self.printer.at_death(move || copy_folder(&from, &to));
        }
        self.counter.other_printer = Some(self.printer.driver());
        self.counter.printer_patience = patience(case.death);
        let mut asked = Vec::new();
        let done = {
            let looks = || self.looks();
            let mut clerk = Clerk::new(case.is_clerk_there && !dies_itself, &looks);
            let done = self.counter.agent_sells_hearing(&mut clerk, SLIP);
            asked.append(&mut clerk.answers);
            done
        };
        self.sales += 1;
        self.printer.settle();
        if kept.exists() {
            copy_folder(&kept, &journal);
        }
        let stood = state_of(&newest_sale(&self.counter));
        *self.stood.entry(stood.clone()).or_default() += 1;
        let mut is_open = !self.counter.open_items().is_empty();
        if (done.exit == Exit::Done) == is_open && !dies_itself {
            return Err(format!("{:?} and {stood}", done.exit));
        }
        self.printer.mend();
        for _ in 0..ROUNDS_MAX {
            if !is_open {
                break;
            }
            self.counter.other_printer = Some(self.printer.driver());
            self.counter.printer_patience = PATIENT;
            let looks = || self.looks();
            let mut clerk = Clerk::new(true, &looks);
            self.counter
                .agent_hearing(&mut clerk, |agent| agent.status(None));
            is_open = !self.counter.open_items().is_empty();
            asked.append(&mut clerk.answers);
        }
        let noes = asked.iter().filter(|&&is_whole| !is_whole).count();
        self.questions += asked.len() as u64;
        if is_open {
            return Err("the way out does not end it".to_owned());
        }
        let torn = self.torn;
        self.judge(case, &asked, noes)?;
        if self.torn == torn && self.sales.is_multiple_of(CANCELLED_ONE_IN) {
            self.cancel()?;
        }
        Ok(())
    }

    /// The patron changes his mind: the paper that came out is the one that is good for it.
    fn cancel(&mut self) -> Result<(), String> {
        let seen = self.printer.seen();
        let whole = seen.iter().find(|one| one.is_whole());
        let code = whole.and_then(|one| {
            one.sheet
                .qr_payloads()
                .first()
                .map(|code| (*code).to_owned())
        });
        let code = code.ok_or("no code on a whole paper")?;
        self.counter.other_printer = Some(self.printer.driver());
        self.counter.printer_patience = PATIENT;
        let done = self
            .counter
            .agent("", |agent| agent.cancel(&code, "changed_mind", None));
        let receipt = self.printer.seen().pop().map(|one| text(&one.sheet));
        let has_receipt = receipt.is_some_and(|text| text.contains("REÇU D’ANNULATION"));
        if done.exit != Exit::Done || !has_receipt {
            return Err(format!("not cancelled: {}{}", done.output, done.notes));
        }
        self.cancelled += 1;
        Ok(())
    }

    /// Is the newest paper whole? As a person sees it.
    fn looks(&self) -> bool {
        let is_whole = self.printer.seen().last().is_some_and(Printed::is_whole);
        self.clerk_says.unwrap_or(is_whole)
    }

    fn judge(&mut self, case: Case, asked: &[bool], noes: usize) -> Result<(), String> {
        let seen = self.printer.seen();
        let jobs: Vec<_> = self.printer.mechanism(|one| {
            one.jobs
                .iter()
                .copied()
                .filter(|job| job.bytes > 0)
                .collect()
        });
        let records = newest_sale(&self.counter);
        let is_torn = state_of(&records) == "given";
        let whole: Vec<&Printed> = seen.iter().filter(|one| one.is_whole()).collect();
        if whole.len() != 1 {
            let papers: Vec<String> = seen.iter().map(|one| text(&one.sheet)).collect();
            return Err(format!(
                "{} whole papers, {jobs:?}, {records:?}:\n{}",
                whole.len(),
                papers.join("\n----\n")
            ));
        }
        let is_receipt = text(&whole[0].sheet).contains("REÇU D’ANNULATION");
        if is_torn != is_receipt {
            return Err("a torn ticket is cancelled, and no other".to_owned());
        }
        let papers = tickets(&seen);
        let mut codes: Vec<&str> = papers
            .iter()
            .flat_map(|sheet| sheet.qr_payloads())
            .collect();
        // Each print carries the newest checkpoint of the log; what makes it payable does not
        // change.
        for code in &mut codes {
            *code = code.get(..PAYABLE).unwrap_or(code);
        }
        if codes.len() > 1 || (codes.is_empty() && !is_torn) {
            return Err(format!("{} papers with a claim code", codes.len()));
        }
        // Cancelled: the clerk said that it is not whole, or its last line never left.
        if is_torn && jobs[0].has_last_line && noes == 0 {
            return Err("cancelled, and nobody had looked".to_owned());
        }
        let count = |state: &str| {
            let is_state = |one: &&Value| one["record"] == "paper" && one["paper"] == state;
            records.iter().filter(is_state).count()
        };
        // What follows the paper of a torn ticket are receipts.
        if count("started") != 1 || (!is_torn && jobs.len() != 1) {
            return Err(format!(
                "{} papers of the ticket in the journal, {} jobs",
                count("started"),
                jobs.len()
            ));
        }
        if is_torn {
            self.torn += 1;
            return Ok(());
        }
        if count("printed") != 1 || records.last().is_none_or(|one| one["record"] != "reported") {
            return Err(format!("the journal ends with {}", state_of(&records)));
        }
        match state_of(&records).as_str() {
            "printed: printer" if whole[0].confirmed && whole[0].sheet.is_cut => {}
            "printed: clerk" if asked.last() == Some(&true) => {}
            other => return Err(format!("{other}, and it was not so")),
        }
        let is_sound = case.death == Death::Slow;
        if is_sound && !asked.is_empty() {
            return Err("a person was asked what the printer had said".to_owned());
        }
        Ok(())
    }
}

/// Judges the record of a house once all is sold.
///
/// # Errors
/// What is wrong, in words.
pub fn judge_record(house: &House, booths: &[Booth]) -> Result<(), String> {
    let sales: u64 = booths.iter().map(|booth| booth.sales).sum();
    let outcome = house.verified(None);
    if !outcome.holds() {
        return Err(format!("{:?}", outcome.findings.first()));
    }
    let totals = outcome.replay.totals();
    if totals.tickets != sales {
        return Err(format!("{} tickets of {sales} sales", totals.tickets));
    }
    let torn: u64 = booths.iter().map(|booth| booth.torn).sum();
    let cancelled = torn + booths.iter().map(|booth| booth.cancelled).sum::<u64>();
    let price = totals.sold_cents / i64::try_from(sales.max(1)).unwrap_or(1);
    if totals.cancelled_cents != price * i64::try_from(cancelled).unwrap_or(i64::MAX) {
        return Err(format!("{} cents given back", totals.cancelled_cents));
    }
    let mut printed: BTreeMap<u64, u64> = BTreeMap::new();
    for event in house.events() {
        if let keno_log::Event::PrintConfirmed(confirmed) = event {
            *printed.entry(confirmed.ticket).or_default() += 1;
        }
    }
    if printed.len() as u64 != sales - torn || printed.values().any(|&times| times != 1) {
        return Err(format!(
            "{} of {sales} papers are confirmed once",
            printed.len()
        ));
    }
    for booth in booths {
        let own = i64::try_from(booth.sales - booth.cancelled - booth.torn).unwrap_or(i64::MAX);
        let expected = FLOAT_CENTS + price * own;
        let done = booth.counter.keno(&["close-till", &expected.to_string()]);
        // The till is closed whatever becomes of its sheet.
        let is_closed = matches!(done.exit, Exit::Done | Exit::PrinterTrouble);
        if !is_closed || !done.output.contains("Juste") {
            return Err(format!("the till: {}{}", done.output, done.notes));
        }
    }
    Ok(())
}

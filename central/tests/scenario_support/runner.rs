//! Runs a table on a house and tells every line that came out otherwise.

use std::fmt;

use super::house::{House, On, Wanted};
use super::outcome::Outcome;
use super::table::{self, Line};

/// A line that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The file.
    pub file: String,
    /// The line in it.
    pub line: usize,
    /// What was done.
    pub action: String,
    /// What was expected.
    pub expected: String,
    /// What came.
    pub got: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}:{}: {}\n    expected: {}\n    got:      {}",
            self.file, self.line, self.action, self.expected, self.got
        )
    }
}

/// Says where the table was when a line of it could not be carried out.
struct Place<'a>(&'a str, usize);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}:{}: this line cannot be carried out", self.0, self.1);
        }
    }
}

/// What one run of a table keeps.
struct Run<'a> {
    file: &'a str,
    on: On,
    wanted: Wanted,
    house: Option<House>,
    failures: Vec<Failure>,
    /// A refusal after which the record could not be asked, and the size before it.
    unproved: Option<(Line, u64)>,
}

/// Runs the table of a file and returns every line that came out otherwise.
///
/// A line `house` starts a new house; lines `with …` after it change the house file or the rule
/// book. A line `only sqlite:` or `only postgres:` keeps to that database what follows, up to
/// the next line `house`.
pub fn run(file: &str, text: &str, on: On) -> Vec<Failure> {
    let mut run = Run {
        file,
        on,
        wanted: Wanted::default(),
        house: None,
        failures: Vec::new(),
        unproved: None,
    };
    let mut elsewhere = false;
    for line in table::read(text) {
        if line.action == "house" {
            run.finish();
            run.wanted = Wanted::default();
            elsewhere = false;
        } else if let Some(only) = line.action.strip_prefix("only ") {
            elsewhere = only.trim_end_matches(':') != on.name();
        } else if elsewhere {
        } else if let Some(change) = line.action.strip_prefix("with ") {
            assert!(
                run.house.is_none(),
                "{file}:{}: the house is open",
                line.number
            );
            run.want(change);
        } else {
            run.line(&line);
        }
    }
    run.finish();
    run.failures
}

/// Judges one line whose outcome somebody else brings about: what the runner itself is tested
/// with.
pub fn run_with(
    file: &str,
    on: On,
    line: &Line,
    act: impl FnOnce(&mut House) -> Outcome,
) -> Vec<Failure> {
    let mut run = Run {
        file,
        on,
        wanted: Wanted::default(),
        house: None,
        failures: Vec::new(),
        unproved: None,
    };
    let mut house = House::open(on, &run.wanted);
    let expected = line.expected.clone().unwrap_or_default();
    run.person(&mut house, line, &expected, act);
    run.failures
}

impl Run<'_> {
    fn want(&mut self, change: &str) {
        let (what, rest) = change.split_once(' ').unwrap_or((change, ""));
        let pair = |text: &str| {
            let (place, value) = text.split_once('=').unwrap();
            (place.trim().to_owned(), value.trim().to_owned())
        };
        match (what, rest) {
            ("rules", change) => self.wanted.rules.push(pair(change)),
            ("no", "rules") => self.wanted.without_rules = true,
            ("own", "server") => self.wanted.own_server = true,
            ("file", change) => self.wanted.house.push(pair(change)),
            other => panic!("{}: no house is {other:?}", self.file),
        }
    }

    /// The house of this part is over: what was left unproved is proved now.
    fn finish(&mut self) {
        if let Some(house) = self.house.take() {
            self.prove(&house);
        }
        self.unproved = None;
    }

    fn fail(&mut self, line: &Line, expected: &str, got: String) {
        self.failures.push(Failure {
            file: self.file.to_owned(),
            line: line.number,
            action: line.action.clone(),
            expected: expected.to_owned(),
            got,
        });
    }

    /// Nothing may have been recorded since a refusal whose record could not be asked then.
    fn prove(&mut self, house: &House) {
        if let Some((line, before)) = self.unproved.clone()
            && let Some(now) = house.log_size()
        {
            self.unproved = None;
            if now != before {
                let got = format!("{} leaves more", now.abs_diff(before));
                self.fail(&line, "nothing recorded by a refusal", got);
            }
        }
    }

    fn line(&mut self, line: &Line) {
        let _place = Place(self.file, line.number);
        let mut house = match self.house.take() {
            Some(house) => house,
            None => House::open(self.on, &self.wanted),
        };
        self.prove(&house);
        match &line.expected {
            None => {
                let action = line.action.as_str();
                let known = house.time(action) || house.fault(action) || house.naming(action);
                assert!(
                    known,
                    "{}:{}: a line without an outcome: {action}",
                    self.file, line.number
                );
            }
            Some(expected) => self.person(&mut house, line, expected, |house| {
                house.person(&line.action).unwrap_or_else(|| {
                    panic!("nobody does: {}", line.action);
                })
            }),
        }
        self.house = Some(house);
    }

    fn person(
        &mut self,
        house: &mut House,
        line: &Line,
        expected: &str,
        act: impl FnOnce(&mut House) -> Outcome,
    ) {
        let before = house.log_size();
        let outcome = act(house);
        // What a refusal leaves in the record is said at the end of its line, or is nothing.
        let (expected, leaves) = match expected.rsplit_once(" leaves ") {
            Some((expected, leaves)) => (expected, leaves.parse().unwrap_or(0)),
            None => (expected, 0),
        };
        self.judge(line, expected, &outcome);
        if !outcome.is_refusal {
            self.unproved = None;
            return;
        }
        let before = before.or(self.unproved.as_ref().map(|(_, size)| *size));
        match (before, house.log_size()) {
            (Some(before), Some(after)) if after.abs_diff(before) != leaves => {
                let got = format!("{} leaves more", after.abs_diff(before));
                self.fail(line, "nothing recorded by a refusal", got);
            }
            (Some(before), None) => self.unproved = Some((line.clone(), before)),
            _ => {}
        }
    }

    fn judge(&mut self, line: &Line, expected: &str, outcome: &Outcome) {
        if !outcome.matches(expected) {
            self.fail(line, expected, outcome.text());
        }
        for fault in &outcome.faults {
            self.fail(line, expected, fault.clone());
        }
    }
}

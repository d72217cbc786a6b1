//! What came of a campaign at the counter.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Instants, by money command.
    pub instants: BTreeMap<&'static str, u64>,
    /// Instants by money command, how far the agent was, and where it was met.
    pub met: BTreeMap<(&'static str, &'static str, &'static str), u64>,
    /// Instants after which something was open.
    pub open_after: u64,
    /// Stages of what was open after the instant, counted.
    pub stages: BTreeMap<String, u64>,
    /// Commands that were put aside.
    pub parked: u64,
    /// Sales whose money went back.
    pub given_back: u64,
    /// Tickets that were torn, and cancelled.
    pub torn: u64,
    /// Whole tickets, cancellations, payments that were found in the record.
    pub found: [u64; 3],
    /// Late copies that arrived after all was at rest.
    pub late: u64,
    /// What was said to them.
    pub said_to_late: BTreeMap<String, u64>,
    /// The longest from the end of the fault until nothing was open.
    pub longest_rest: Duration,
    /// Time of the lanes: orders, faults, coming to rest, late copies.
    pub spent: [Duration; 4],
    /// What is wrong.
    pub breaches: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// Adds what another lane found.
    pub fn add(&mut self, other: Self) {
        sum(&mut self.instants, other.instants);
        sum(&mut self.met, other.met);
        sum(&mut self.stages, other.stages);
        sum(&mut self.said_to_late, other.said_to_late);
        self.open_after += other.open_after;
        self.parked += other.parked;
        self.given_back += other.given_back;
        self.torn += other.torn;
        self.late += other.late;
        for (sum, one) in self.found.iter_mut().zip(other.found) {
            *sum += one;
        }
        for (sum, one) in self.spent.iter_mut().zip(other.spent) {
            *sum += one;
        }
        self.longest_rest = self.longest_rest.max(other.longest_rest);
        self.breaches.extend(other.breaches);
    }

    /// The figures, for people.
    pub fn lines(&self) -> Vec<String> {
        let [tickets, cancelled, paid] = self.found;
        let mut lines = vec![format!(
            "{} instants in {:.0?}: {:?}",
            self.instants.values().sum::<u64>(),
            self.took,
            self.instants
        )];
        let mut last = ("", "");
        for ((money, far, place), count) in &self.met {
            if last != (*money, *far) {
                lines.push(format!("  {money}, {}:", far.get(2..).unwrap_or(far)));
                last = (*money, *far);
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(&format!(" {place} {count},"));
            }
        }
        let [orders, faults, rests, copies] = self.spent;
        lines.extend([
            format!(
                "something was open after {} of them: {:?}; {} put aside, {} times money went \
                 back, {} torn tickets cancelled",
                self.open_after, self.stages, self.parked, self.given_back, self.torn
            ),
            format!(
                "at rest after at most {:.1?}; the lanes spent {orders:.0?} on orders, \
                 {faults:.0?} under faults, {rests:.0?} coming to rest, {copies:.0?} on late copies",
                self.longest_rest
            ),
            format!(
                "{tickets} tickets, {cancelled} cancellations, {paid} payments; {} late copies: {:?}",
                self.late, self.said_to_late
            ),
        ]);
        lines
    }
}

fn sum<K: Ord>(into: &mut BTreeMap<K, u64>, other: BTreeMap<K, u64>) {
    for (key, count) in other {
        *into.entry(key).or_default() += count;
    }
}

/// Tells how far a long campaign is.
pub(super) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

//! What stands in the record at the end, beside what was played and what everyone saw.

use std::collections::{BTreeMap, BTreeSet};

use keno_audit::{Options, Outside};
use keno_draw::ball_reader::Incident;
use keno_log::Event;

use super::Played;
use super::world::{Part, World};
use crate::central::export;
use crate::record::Record;

/// What stands in the record of one draw.
#[derive(Debug, Default)]
struct Stands {
    started: usize,
    results: Vec<Vec<u8>>,
    certified: Vec<Vec<String>>,
    settled: usize,
    void: usize,
    suspended: usize,
    resumed: usize,
    /// Positions and numbers that the machine read.
    read: Vec<(u8, u8)>,
    incidents: Vec<u8>,
    /// Positions and people of what was entered.
    entered: Vec<(u8, String)>,
}

fn stands(record: &Record) -> BTreeMap<u64, Stands> {
    let mut all: BTreeMap<u64, Stands> = BTreeMap::new();
    for fact in &record.facts {
        let one = all.entry(fact.event.draw()).or_default();
        match &fact.event {
            Event::DrawStarted(_) => one.started += 1,
            Event::BallsRecorded(body) => one.results.push(body.balls.clone()),
            Event::DrawCertified(body) => one.certified.push(body.certifiers.clone()),
            Event::DrawSettled(_) => one.settled += 1,
            Event::DrawVoided(_) => one.void += 1,
            Event::DrawSuspended(_) => one.suspended += 1,
            Event::DrawResumed(_) => one.resumed += 1,
            Event::BallRead(body) => one.read.push((body.position, body.number)),
            Event::LineIncident(body) => one.incidents.push(body.incident),
            Event::BallEntered(body) => one.entered.push((body.position, body.by.clone())),
            _ => {}
        }
    }
    all
}

/// What is wrong with the record of a draw.
fn wrongs(played: &Played, found: &Stands) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut must = |is_so: bool, what: String| {
        if !is_so {
            wrong.push(what);
        }
    };
    let one = usize::from(!played.is_void);
    let again = usize::from(played.is_interrupted && !played.is_void);
    let results = &found.results;
    must(results.len() == one, format!("its results are {results:?}"));
    must(
        results.iter().all(|balls| *balls == played.fell),
        format!("its result is {results:?}, and {:?} fell", played.fell),
    );
    let two = found.certified.iter().all(|by| by.len() == 2);
    must(
        found.certified.len() == one && two,
        format!("declared by {:?}", found.certified),
    );
    let counts = [
        ("settled", found.settled, one),
        ("void", found.void, 1 - one),
        (
            "interrupted",
            found.suspended,
            usize::from(played.is_interrupted),
        ),
        ("gone on with", found.resumed, again),
        ("begun", found.started, 1 + again),
    ];
    for (what, count, expected) in counts {
        must(
            count == expected,
            format!("{what} {count} times, not {expected}"),
        );
    }
    let fell = (1..).zip(played.fell.iter().copied());
    must(
        found.read.iter().copied().eq(fell.take(found.read.len())),
        format!(
            "the machine read {:?}, and {:?} fell",
            found.read, played.fell
        ),
    );
    let once: BTreeSet<u8> = found.incidents.iter().copied().collect();
    must(
        once.len() == found.incidents.len(),
        format!("an incident twice: {:?}", found.incidents),
    );
    let named = [Incident::BallChanged, Incident::Forgotten].map(Incident::number);
    must(
        !played.must_stop || named.iter().any(|name| once.contains(name)),
        format!("what the machine was is not named: {:?}", found.incidents),
    );
    let entered: BTreeSet<_> = found.entered.iter().collect();
    must(
        entered.len() == found.entered.len()
            && entered.len() == if played.is_entered { 40 } else { 0 },
        format!(
            "{} entries, {} of them apart",
            found.entered.len(),
            entered.len()
        ),
    );
    wrong
}

impl World<'_> {
    /// Judges the record, with everything stopped but central, which is asked once more first.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(super) fn judged(&mut self) -> anyhow::Result<()> {
        self.kill(Part::Central);
        self.comes_back(Part::Central)?;
        self.seen.look_again(&self.watcher);
        let bytes = export(
            &self.founded.program,
            &self.founded.data(),
            &self.founded.beside("export"),
        )?;
        let record = Record::read(&bytes)?;
        let mut all = stands(&record);
        let breaches = &mut self.report.breaches;
        breaches.append(&mut self.seen.breaches);
        for played in &self.played {
            let found = all.remove(&played.draw).unwrap_or_default();
            let what = wrongs(played, &found).into_iter();
            breaches
                .extend(what.map(|it| format!("draw {} ({:?}): {it}", played.draw, played.play)));
            let shown = self.seen.draws.get(&played.draw).map(|shown| &shown.balls);
            if !played.is_void && shown != Some(&played.fell) {
                breaches.push(format!("draw {} is shown as {shown:?}", played.draw));
            }
            for number in found.incidents {
                let name = Incident::of(number).map_or("unknown", Incident::name);
                *self.report.incidents.entry(name).or_default() += 1;
            }
        }
        // None has a second result, one that was not played neither.
        for (draw, found) in all.iter().filter(|(_, found)| found.results.len() > 1) {
            breaches.push(format!("draw {draw} has {} results", found.results.len()));
        }
        let outcome = keno_audit::verify(bytes.as_slice(), Outside::default(), Options::default())?;
        let findings = outcome.findings.iter().take(5);
        breaches.extend(findings.map(|finding| format!("keno-audit: {finding:?}")));
        Ok(())
    }
}

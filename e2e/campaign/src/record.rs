//! The record as central exports it, read fact by fact.

use std::collections::BTreeMap;

use anyhow::Context;
use keno_log::export::{ExportReader, ExportRecord};
use keno_log::{Event, Hash};

use crate::journal::Key;

/// One fact.
#[derive(Debug, Clone)]
pub struct Fact {
    /// When, UTC milliseconds.
    pub at_ms: i64,
    /// What.
    pub event: Event,
}

/// A whole record.
#[derive(Debug)]
pub struct Record {
    /// Facts by leaf index.
    pub facts: Vec<Fact>,
    /// Leaf hashes, in order.
    pub hashes: Vec<Hash>,
}

/// The key in an event, if it has one.
pub fn key_of(event: &Event) -> Option<Key> {
    let key = match event {
        Event::TicketSold(body) => body.key,
        Event::TicketCancelled(body) => body.key,
        Event::PrizePaid(body) => body.key,
        Event::TillMoved(body) => body.key,
        Event::LostTicketRefunded(body) => body.key,
        Event::KeyClosed(body) => body.key,
        _ => return None,
    };
    Some(Key {
        device: key.device,
        session: key.session,
        counter: key.counter,
    })
}

impl Record {
    /// Reads an export.
    ///
    /// # Errors
    /// When it is not one.
    pub fn read(export: &[u8]) -> anyhow::Result<Self> {
        let mut record = Self {
            facts: Vec::new(),
            hashes: Vec::new(),
        };
        for part in ExportReader::new(export)? {
            if let ExportRecord::Entry(exported) = part? {
                let entry = exported.entry()?;
                record.facts.push(Fact {
                    at_ms: entry.leaf.header.at_ms,
                    event: entry.event()?,
                });
                record.hashes.push(exported.leaf_hash);
            }
        }
        Ok(record)
    }

    /// The fact of a leaf.
    ///
    /// # Errors
    /// When the record is shorter.
    pub fn fact(&self, leaf: u64) -> anyhow::Result<&Fact> {
        let at = usize::try_from(leaf)?;
        self.facts
            .get(at)
            .with_context(|| format!("leaf {leaf} of {} is not there", self.facts.len()))
    }

    /// Facts with their leaf index.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, &Event)> {
        (0_u64..).zip(self.facts.iter().map(|fact| &fact.event))
    }

    /// In which state the record stood, by draw, at each start of central after the first: where
    /// it was killed. Draws that are scheduled ahead or over long ago are left out.
    pub fn states_at_starts(&self) -> Vec<BTreeMap<u64, &'static str>> {
        let mut states: BTreeMap<u64, &'static str> = BTreeMap::new();
        let mut starts = Vec::new();
        for fact in &self.facts {
            let draw = fact.event.draw();
            let state = match &fact.event {
                Event::DrawScheduled(_) => "scheduled",
                Event::DrawOpened(_) => "open",
                Event::DrawClosed(_) | Event::DrawResumed(_) | Event::ComputerStoodIn(_) => {
                    "closed"
                }
                Event::DrawStarted(_) => "drawing",
                Event::BallsRecorded(_) => "drawn",
                Event::DrawCertified(_) => "official",
                Event::SecretsRevealed(_) if states.get(&draw) == Some(&"void") => "void, revealed",
                Event::SecretsRevealed(_) => "revealed",
                Event::DrawSettled(_) => "settled",
                Event::DrawSuspended(_) => "suspended",
                Event::DrawVoided(_) => "void",
                Event::LeaseTaken(_) => {
                    starts.push(states.clone());
                    continue;
                }
                _ => continue,
            };
            states.insert(draw, state);
        }
        starts
    }
}

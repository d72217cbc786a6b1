//! Old records are taken out of the journal once every command in them has ended: a terminal that
//! sells for years starts as fast as on its first day.
//!
//! One record stands in their place, in the same transaction, and the chain goes on over it. What
//! is open stays whole, however old it is, and so does everything after it.

use std::collections::HashMap;

use super::state::{State, place};
use super::store::Row;
use super::{Journal, JournalFault, Record, digest, replayed};

impl Journal {
    /// Takes the oldest records out when there are more than `at_most`, and leaves the newest
    /// `at_most / 2`, or more where an older command has not ended. Returns how many were taken
    /// out.
    ///
    /// # Errors
    /// A [`JournalFault`]; then none was taken out.
    pub fn cut(&mut self, at_most: u32) -> Result<usize, JournalFault> {
        if self.rows - self.first < i64::from(at_most) {
            return Ok(0);
        }
        let rows = self.store.rows()?;
        let keep = usize::try_from(at_most / 2).unwrap_or(usize::MAX);
        let taken_out = self.ended(&rows, rows.len().saturating_sub(keep))?;
        // The row that stands for what was taken out before is not worth another.
        let Some(last) = rows
            .get(taken_out.saturating_sub(1))
            .filter(|_| taken_out > 1)
        else {
            return Ok(0);
        };
        let mut before = State::default();
        for row in rows.iter().take(taken_out) {
            replayed(&mut before, row).ok_or(JournalFault::Damaged { row: row.sequence })?;
        }
        let commands = before.taken_out + before.items.len() as u64;
        let text = serde_json::to_string(&Record::Cut {
            commands,
            newest: before.newest_key,
            handed_out: before.is_handed_out,
            left: before.left,
            chain: hex::encode(&last.digest),
        })?;
        let row = Row {
            sequence: last.sequence,
            digest: digest(&last.digest, &text),
            text,
        };
        self.store.cut(&row)?;
        self.first = row.sequence;
        self.state
            .items
            .retain(|place, _| !before.items.contains_key(place));
        self.state.taken_out = commands;
        self.state.taken_out_key = before.newest_key;
        Ok(taken_out)
    }

    /// How many of the first `most` rows are about ended commands alone, none of which is spoken
    /// of later.
    fn ended(&self, rows: &[Row], most: usize) -> Result<usize, JournalFault> {
        // First and last row of each command.
        let mut spans: HashMap<(u64, u64), (usize, usize)> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            let record: Record = serde_json::from_str(&row.text)?;
            let Some(place) = record.key().map(place) else {
                continue;
            };
            let needed = self.state.items.get(&place);
            let is_needed = needed.is_some_and(|item| self.state.is_needed(item));
            let last = if is_needed { usize::MAX } else { at };
            spans.entry(place).or_insert((at, last)).1 = last;
        }
        let mut most = most;
        // Whoever reaches over the edge moves it before its own beginning.
        while let Some(first) = spans
            .values()
            .filter(|(first, last)| *first < most && *last >= most)
            .map(|(first, _)| *first)
            .min()
        {
            most = first;
        }
        Ok(most)
    }
}

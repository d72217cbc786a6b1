//! Old records are taken out of the journal once every command in them has ended: a terminal that
//! sells for years starts as fast as on its first day.
//!
//! One record stands in their place, in the same transaction, and the chain goes on over it. What
//! is open stays whole, however old it is, and so does everything after it.

use std::collections::HashMap;

use super::state::{Past, digest, place};
use super::store::Row;
use super::{Item, Journal, JournalFault, Record};

impl Journal {
    /// Takes the oldest records out when there are more than `at_most`, and leaves the newest
    /// `at_most / 2`, or more where an older command has not ended. Returns how many were taken
    /// out.
    ///
    /// # Errors
    /// A [`JournalFault`]; then none was taken out.
    pub fn cut(&mut self, at_most: u32) -> Result<usize, JournalFault> {
        if self.past.rows - self.past.first <= i64::from(at_most) {
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
        // Read as at a start: what was changed meanwhile is not covered up.
        let mut past = Past::default();
        for row in rows.iter().take(taken_out) {
            let number = past.rows + 1;
            past.read(row)
                .ok_or(JournalFault::Damaged { row: number })?;
        }
        let before = &past.state;
        let commands = before.taken_out + before.items.len() as u64;
        let mut settled = before.settled_keys();
        // What was left later than that may come back.
        let items = &self.past.state.items;
        settled.retain(|place| !items.get(place).is_some_and(Item::is_left));
        let text = serde_json::to_string(&Record::Cut {
            commands,
            newest: before.newest_key,
            handed_out: before.is_handed_out,
            left: before.left,
            settled: settled.iter().copied().collect(),
            chain: hex::encode(&past.newest),
        })?;
        let row = Row {
            sequence: last.sequence,
            digest: digest(&past.newest, &text),
            text,
        };
        self.store.cut(&row)?;
        self.past.first = row.sequence;
        let state = &mut self.past.state;
        for place in before.items.keys() {
            state.items.remove(place);
            state.adopted.remove(place);
        }
        state.taken_out = commands;
        state.taken_out_key = before.newest_key;
        state.settled = settled;
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
            let item = self.past.state.items.get(&place);
            let last = if item.is_some_and(Item::is_open) {
                usize::MAX
            } else {
                at
            };
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

//! What the records of a journal come to.

use std::collections::{BTreeMap, BTreeSet};

use keno_wire::request::CommandKey;
use sha2::{Digest, Sha256};

use super::record::{Item, PaperState, Record};
use super::store::Row;

/// The commands and the device, as the records so far tell them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub items: BTreeMap<(u64, u64), Item>,
    /// The key that was sent last.
    pub newest_key: Option<CommandKey>,
    /// What is open was written down for a neighbour.
    pub is_handed_out: bool,
    /// Leaf of the last time that this device was handed over, as far as it knows.
    pub left: Option<u64>,
    /// Commands that were taken out of the journal, and the last of their keys.
    pub taken_out: u64,
    pub taken_out_key: Option<CommandKey>,
    /// Commands that ended and were taken out, and that another could still name: adopted ones,
    /// those that came back, tickets whose paper nobody confirmed.
    pub settled: BTreeSet<(u64, u64)>,
    /// Commands so far that came from another device, or back from there.
    pub adopted: BTreeSet<(u64, u64)>,
}

/// The rows so far: what they come to, and where the chain of digests stands.
#[derive(Debug, Default)]
pub(super) struct Past {
    pub state: State,
    /// Rows so far, those that were taken out too.
    pub rows: i64,
    /// The row that stands for those that were taken out; 0 when none were.
    pub first: i64,
    /// Digest over which the chain goes on.
    pub newest: Vec<u8>,
}

const DIGEST_BYTES: usize = 8;

pub(super) fn digest(before: &[u8], text: &str) -> Vec<u8> {
    let mut hash = Sha256::new();
    hash.update(before);
    hash.update(text.as_bytes());
    let mut digest = hash.finalize().to_vec();
    digest.truncate(DIGEST_BYTES);
    digest
}

impl Past {
    /// Reads the next row; none when it is not one that was written here, after those before.
    pub fn read(&mut self, row: &Row) -> Option<()> {
        let record: Record = serde_json::from_str(&row.text).ok()?;
        match &record {
            Record::Cut { chain, .. } if self.rows == 0 => {
                let chain = hex::decode(chain).ok()?;
                (row.digest == digest(&chain, &row.text)).then_some(())?;
                self.first = row.sequence;
                self.newest = chain;
            }
            Record::Cut { .. } => return None,
            _ => {
                let is_next = row.sequence == self.rows + 1;
                (is_next && row.digest == digest(&self.newest, &row.text)).then_some(())?;
                self.newest.clone_from(&row.digest);
            }
        }
        self.state.apply(&record)?;
        self.rows = row.sequence;
        Some(())
    }
}

pub(super) const fn place(key: CommandKey) -> (u64, u64) {
    (key.session, key.counter)
}

impl State {
    /// Carries a record into the state; none when it speaks of a key that was never sent, or
    /// sends one twice.
    pub fn apply(&mut self, record: &Record) -> Option<()> {
        let Some(place) = record.key().map(place) else {
            self.apply_to_device(record);
            return Some(());
        };
        match Item::sent(record) {
            Some(item) => {
                let is_ours = item.device.is_none();
                if is_ours {
                    self.newest_key = Some(item.key);
                }
                // What was left to another device may come back from there.
                let before = self.items.insert(place, item);
                if before.is_some() || !is_ours {
                    self.adopted.insert(place);
                }
                before.is_none_or(|before| before.is_left()).then_some(())
            }
            None => {
                self.items.get_mut(&place)?.apply(record);
                Some(())
            }
        }
    }

    /// What is about this device and not about one command.
    fn apply_to_device(&mut self, record: &Record) {
        match record {
            Record::HandedOut => self.is_handed_out = true,
            Record::TakenBack => self.is_handed_out = false,
            Record::Left { leaf, .. } => {
                self.is_handed_out = false;
                self.left = Some(*leaf);
                for item in self.items.values_mut().filter(|item| item.is_open()) {
                    item.left_at = Some(*leaf);
                }
            }
            Record::Cut {
                commands,
                newest,
                handed_out,
                left,
                settled,
                chain: _,
            } => {
                self.taken_out = *commands;
                self.taken_out_key = *newest;
                self.newest_key = *newest;
                self.is_handed_out = *handed_out;
                self.left = *left;
                self.settled = settled.iter().copied().collect();
            }
            _ => {}
        }
    }

    /// What must be remembered of these commands, and of those before them, once they are taken
    /// out: the record, or a code that was written down, may name them as open.
    pub fn settled_keys(&self) -> BTreeSet<(u64, u64)> {
        let may_be_named = |(place, item): &(&(u64, u64), &Item)| {
            !item.is_left()
                && (self.adopted.contains(*place) || item.paper == Some(PaperState::Given))
        };
        let here = self.items.iter().filter(may_be_named);
        self.settled
            .iter()
            .copied()
            .chain(here.map(|(place, _)| *place))
            .collect()
    }

    /// True when it was open when this device was handed over the last time.
    pub fn is_left_last(&self, item: &Item) -> bool {
        item.is_left() && item.left_at == self.left
    }

    /// The highest counter of a session that was ever sent.
    pub fn highest(&self, session: u64) -> u64 {
        let here = self
            .items
            .range((session, 0)..=(session, u64::MAX))
            .next_back()
            .map_or(0, |((_, counter), _)| *counter);
        let taken_out = self.taken_out_key.filter(|key| key.session == session);
        here.max(taken_out.map_or(0, |key| key.counter))
    }
}

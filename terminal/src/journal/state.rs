//! What the records of a journal come to.

use std::collections::BTreeMap;

use keno_wire::request::CommandKey;

use super::record::{Item, Record};

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
                if item.device.is_none() {
                    self.newest_key = Some(item.key);
                }
                // What was left to another device may come back from there.
                let before = self.items.insert(place, item);
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
                ..
            } => {
                self.taken_out = *commands;
                self.taken_out_key = *newest;
                self.newest_key = *newest;
                self.is_handed_out = *handed_out;
                self.left = *left;
            }
            _ => {}
        }
    }

    /// True when something is still to be done, or shown, of a command.
    pub fn is_needed(&self, item: &Item) -> bool {
        item.is_open() || self.is_left_last(item)
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

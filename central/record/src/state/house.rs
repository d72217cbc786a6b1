//! The house, its rules, its epochs and the marks that hold for all of it.

use std::sync::Arc;

use keno_book::rules_file;
use keno_log::event::{EpochOpened, HouseOpened, RuleBookPublished};
use keno_log::{Hash, LeafHeader};
use keno_words::Say;

use super::{Epoch, House, PublishedRules, State, Undo, record_fault};
use crate::fault::Fault;

impl State {
    pub(super) fn open_house(&mut self, body: &HouseOpened, undo: &mut Vec<Undo>) {
        undo.push(Undo::House(self.house.take()));
        self.house = Some(House {
            code: body.house.clone(),
            name: body.name.clone(),
            zone: body.zone.clone(),
            log_key: body.log_key.clone(),
            first_draw: body.first_draw,
        });
    }

    pub(super) fn publish_rules(
        &mut self,
        leaf: u64,
        body: &RuleBookPublished,
        undo: &mut Vec<Undo>,
    ) -> Result<(), Fault> {
        let tables = self.tables.len();
        let version = self.add_rules(leaf, &body.text, body.effective_from, body.hash)?;
        undo.push(Undo::RuleBook(version, tables));
        Ok(())
    }

    /// Adds rules by their text, and returns their version.
    pub(super) fn add_rules(
        &mut self,
        leaf: u64,
        text: &str,
        effective_from: u64,
        hash: Hash,
    ) -> Result<u32, Fault> {
        let file = rules_file::read(text).map_err(|faults| {
            record_fault(format!(
                "the rule book of leaf {leaf} cannot be read: {}",
                faults.first().map(Say::en).unwrap_or_default()
            ))
        })?;
        let version = file.rules.version;
        let mut added = Vec::new();
        for game in &file.rules.games {
            for table in &game.tables {
                let index = u16::try_from(self.tables.len() + added.len())
                    .map_err(|_| record_fault("more than 65,536 pay tables are in use"))?;
                added.push((game.code.clone(), index, table.clone()));
            }
        }
        for (game, index, table) in added {
            let tables = self.table_index.entry((version, table.spots()));
            tables.or_default().push((game, index));
            self.tables.push(table);
        }
        let rules = PublishedRules {
            rules: file.rules,
            texts: file.texts,
            effective_from,
            hash,
            text: text.to_owned(),
            leaf,
        };
        self.rule_books.insert(version, Arc::new(rules));
        Ok(version)
    }

    /// The log goes on in a new epoch: sessions of before are over, and numbers that the lost
    /// part can have used are not used again.
    pub(super) fn open_epoch(
        &mut self,
        header: &LeafHeader,
        body: &EpochOpened,
        undo: &mut Vec<Undo>,
    ) {
        let opened = Epoch {
            number: body.epoch,
            next_draw: body.next_draw,
            opened_at_ms: Some(header.at_ms),
            leaf: Some(header.index),
        };
        self.epochs.open(body.epoch, header.index, header.at_ms);
        let next = (self.next_session, self.next_shift);
        undo.push(Undo::Epoch(
            std::mem::replace(&mut self.epoch, opened),
            next,
        ));
        let ended = std::mem::take(&mut self.keys);
        self.end_keys(ended, undo);
        for (number, session) in std::mem::take(&mut self.sessions) {
            undo.push(Undo::Session(number, Some(session), self.next_session));
        }
        self.next_session = self.next_session.max(body.next_session);
        self.next_shift = self.next_shift.max(body.next_shift);
        // Whoever was withdrawn and whatever was revoked in the lost part is good again: two people
        // look at who is recorded, and let sales go on.
        self.keep_marks(undo).sales_suspended = Some(header.index);
    }

    /// Notes the marks as they are, before one of them is set.
    pub(super) fn keep_marks(&mut self, undo: &mut Vec<Undo>) -> &mut Self {
        let (suspended, halted) = (self.sales_suspended, self.schedule_halted);
        undo.push(Undo::Marks(suspended, halted, self.fence));
        self
    }
}

//! What fails, and what people decide.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use keno_service::draw::Draw;
use keno_service::staff::DeviceNumber;
use keno_service::{draw, house};

use super::Day;
use crate::book::Book;
use crate::judge::Failure;
use crate::model::Stage;

impl Day {
    /// Something is going to fail.
    pub(super) fn trouble(&mut self) -> Result<(), Failure> {
        let faults = Arc::clone(&self.world.faults);
        let set = |fault: &std::sync::atomic::AtomicBool| fault.store(true, Ordering::SeqCst);
        match self.dice.below(4_000) {
            0..30 => set(&faults.undo),
            30..36 => set(&faults.unknown),
            36..42 => set(&faults.holder),
            42..46 => set(&faults.holder_crash),
            46..52 => set(&faults.machine),
            52..64 => faults.crash(),
            64..68 => {
                const HOUR_MS: i64 = 3_600_000;
                let by_ms = match self.dice.below(6) {
                    0 => -self.dice.between(6_000, HOUR_MS),
                    1 => self.dice.between(24 * HOUR_MS, 60 * HOUR_MS),
                    2 => self.dice.between(-5_000, 5_000),
                    _ => self.dice.between(6_000, 2 * HOUR_MS),
                };
                self.world.clock.jump(by_ms);
                self.report.jumps += 1;
                self.model.jumped |= by_ms.abs() > 5_000;
                if self.dice.below(4) == 0 {
                    // The record fails at the very moment when the jump should go into it.
                    set(&faults.undo);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What people decide: clock, sales, draws, rules.
    pub(super) fn people(&mut self) -> Result<(), Failure> {
        let central = Arc::clone(self.world.central()?);
        if self.model.halted && self.dice.in_thousand(150) {
            let _ = draw::confirm_schedule(&central, "S1", "S2");
        }
        if self.model.sales_suspended && self.dice.in_thousand(150) {
            let _ = draw::resume_sales(&central, "S1", "S2");
        }
        let suspended = self.draw_in(&[Stage::Suspended]);
        if let Some(draw) = suspended
            && self.dice.in_thousand(150)
        {
            if self.dice.below(2) == 0 {
                let _ = Draw(draw).resume(&central, "S1", "S2");
            } else {
                let _ = Draw(draw).void(&central, "essai", "S1", "S2");
            }
        }
        // The technician has mended a terminal that was left.
        let left = self.model.locked.first().copied();
        if let Some(left) = left
            && self.leaving.in_thousand(8)
        {
            let _ = DeviceNumber(left).serve_again(&central, "X1", "X2");
        }
        match self.dice.below(4_000) {
            0..4 => {
                let _ = draw::suspend_sales(&central, "essai", "S1");
            }
            4..34 => {
                if let Some(draw) = self.draw_in(&[Stage::Closed, Stage::Drawing, Stage::Drawn]) {
                    let _ = Draw(draw).suspend(&central, "essai", "S1");
                }
            }
            34..50 => {
                if let Some(draw) = self.draw_in(&[Stage::Closed, Stage::Drawing, Stage::Drawn]) {
                    let _ = Draw(draw).void(&central, "essai", "S1", "S2");
                }
            }
            50..54 => self.publish(&central),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn draw_in(&self, stages: &[Stage]) -> Option<u64> {
        let mut draws = self.model.draws.iter();
        let found = draws.find(|(_, draw)| stages.contains(&draw.stage));
        found.map(|(number, _)| *number)
    }

    pub(super) fn publish(&mut self, central: &keno_service::Central) {
        let version = u32::try_from(self.model.books.len() + 1).unwrap_or(u32::MAX);
        let (open, last) = (
            self.draw_in(&[Stage::Open]).unwrap_or(1),
            self.model.draws.keys().next_back().copied().unwrap_or(0),
        );
        let keeps = self.dice.below(2) == 0;
        let newest = self.model.books.values().next_back().map(|(_, book)| book);
        let names = self.counters.names.as_mut();
        let book = Book::random(&mut self.dice, names, version, newest.filter(|_| keeps));
        let ahead = u64::try_from(self.dice.between(0, 3)).unwrap_or(0);
        let from = if keeps { open } else { last + 1 } + ahead;
        let text = book.text();
        self.model.known_books.insert(version, book);
        // Refused when it comes too early: then the version is still to be written.
        let _ = house::publish_rules(central, &text, from, "S1", "S2");
    }
}

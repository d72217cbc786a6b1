//! The end of a day: nothing fails any more, and everything must come out even.

use std::sync::Arc;

use anyhow::Context;
use keno_audit::replay::Options as AuditOptions;
use keno_service::draw;
use keno_service::draw::Draw;

use super::{Day, EVERY_MINUTES};
use crate::command::Order;
use crate::judge;
use crate::judge::Failure;
use crate::model::{Stage, must};

impl Day {
    /// Nothing fails any more: the next draw must take place, every doubt end, and the whole
    /// record hold.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn end(&mut self) -> Result<(), Failure> {
        self.settings.faults = false;
        if self.world.faults.is_crashed() {
            self.restart()?;
        }
        self.world.faults.clear();
        self.calm()?;
        self.next_draw()?;
        self.close_counters()?;
        judge::whole_memory(&self.world, &self.model)?;
        let tickets: Vec<u64> = self.model.tickets.keys().copied().collect();
        let reader = self.reader.as_mut().context("no reader")?;
        for ticket in tickets.iter().step_by(7) {
            judge::ticket(&self.world, &self.model, reader, *ticket)?;
        }
        self.verify_export()?;
        Ok(())
    }

    /// A moment of an ordinary day.
    pub(super) fn moment(&mut self) -> Result<(), Failure> {
        self.world.central()?.sequencer.step();
        self.answers()?;
        self.look_round()?;
        self.absorb()?;
        judge::after_step(&self.world, &self.model)
    }

    /// People put right what they can, and the clock is right again.
    pub(super) fn calm(&mut self) -> Result<(), Failure> {
        let behind = self.model.last_at_ms - self.world.now_ms();
        if behind > 0 {
            self.world.clock.advance(behind);
        }
        for _ in 0..10 {
            self.moment()?;
            self.world.clock.advance(2_500);
            let central = Arc::clone(self.world.central()?);
            if self.model.halted {
                draw::confirm_schedule(&central, "S1", "S2").context("the clock")?;
            }
            draw::resume_sales(&central, "S1", "S2").context("sales")?;
            while let Some(draw) = self.draw_in(&[Stage::Suspended]) {
                Draw(draw).resume(&central, "S1", "S2").context("a draw")?;
                self.absorb()?;
            }
        }
        Ok(())
    }

    /// Once faults have stopped the next draw completes, a period after its hour at the latest.
    pub(super) fn next_draw(&mut self) -> Result<(), Failure> {
        let next = self.draw_in(&[Stage::Open]).context("no draw is on sale")?;
        let draws_at_ms = self
            .model
            .draws
            .get(&next)
            .map_or(0, |draw| draw.draws_at_ms);
        let latest_ms = draws_at_ms + i64::from(EVERY_MINUTES) * 60_000;
        while self.world.now_ms() < latest_ms {
            self.world.clock.advance(5_000);
            self.moment()?;
            let stage = self.model.draws.get(&next).map(|draw| draw.stage);
            if stage == Some(Stage::Settled) {
                return Ok(());
            }
        }
        let stage = self.model.draws.get(&next).map(|draw| draw.stage);
        Err(Failure::Wrong(format!(
            "nothing fails any more, and draw {next} is {stage:?} a period after its hour"
        )))
    }

    /// Every doubt ends, and every till is counted.
    pub(super) fn close_counters(&mut self) -> Result<(), Failure> {
        for _ in 0..200 {
            self.moment()?;
            self.world.clock.advance(50);
            let mut waits = !self.flights.is_empty();
            for place in 0..self.counters.devices.len() {
                let device = self.counters.devices.get(place).context("no device")?;
                let number = device.caller.device.device;
                if device.is_busy {
                    waits = true;
                } else if let Some(order) = device.next_of_taking(&self.model) {
                    waits = true;
                    self.send(place, order, false)?;
                } else if device.doubt.is_some() {
                    waits = true;
                    self.resolve(place)?;
                } else if self.model.tills.values().any(|till| till.device == number) {
                    waits = true;
                    // Only somebody who is signed on counts a till.
                    if !self.model.sessions.contains_key(&device.caller.session) {
                        let order = device.sign_on();
                        self.send(place, order, false)?;
                        continue;
                    }
                    let counted = device.drawer_cents.max(0);
                    self.send(place, Order::CloseTill(counted), false)?;
                }
            }
            if !waits {
                return Ok(());
            }
        }
        Err(Failure::Wrong("a doubt does not end".to_owned()))
    }

    pub(super) fn resolve(&mut self, place: usize) -> Result<(), Failure> {
        let device = self.counters.devices.get(place).context("no device")?;
        let Some(doubt) = device.doubt.clone() else {
            return Ok(());
        };
        if let Some((kind, leaf)) = self.model.keys.get(&doubt.key).copied() {
            if kind != "closed" {
                self.counters.learn(place, &doubt.order, leaf, &self.model);
            }
            self.clear_doubt(place);
            return Ok(());
        }
        let order = Order::CloseKey(doubt.key.counter, doubt.key.session, device.left_at());
        self.send(place, order, false)
    }

    /// The log as it is published, and the checkpoint that signs it.
    ///
    /// # Errors
    /// When it cannot be exported.
    pub fn export(&mut self) -> Result<Vec<u8>, Failure> {
        let central = Arc::clone(self.world.central()?);
        central.publish_waiting();
        let checkpoint = central.checkpoint().context("no checkpoint")?;
        let mut bytes = Vec::new();
        let reader = self.reader.as_mut().context("no reader")?;
        keno_service::maintenance::export(reader, &checkpoint, &mut bytes).context("the export")?;
        Ok(bytes)
    }

    pub(super) fn verify_export(&mut self) -> Result<(), Failure> {
        let bytes = self.export()?;
        let outside = keno_audit::Outside::default();
        let outcome = keno_audit::verify(bytes.as_slice(), outside, AuditOptions::default())
            .context("the audit")?;
        if let Some(finding) = outcome.findings.first() {
            return Err(Failure::Wrong(format!("the audit: {finding:?}")));
        }
        let (tickets, told) = (self.model.tickets.len(), outcome.replay.totals().tickets);
        must(u64::try_from(tickets) == Ok(told), || {
            format!("the audit counts {told} tickets of {tickets}")
        })?;
        let reader = self.reader.as_mut().context("no reader")?;
        let anchors = self.world.anchors();
        let verified = keno_service::maintenance::verify(reader, &anchors, self.world.path())
            .context("the verification")?;
        must(verified.holds(), || {
            format!("tables: {:?}", verified.findings.first())
        })?;
        Ok(())
    }
}

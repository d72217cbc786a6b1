//! Commands on their way: sent, doubled, lost, answered; and what an answer must be.

use std::sync::Arc;

use anyhow::Context;
use keno_service::Stop;
use keno_service::refusal::Refusal;

use super::{Day, Flight, TERMINALS};
use crate::command::{Order, Reply, ask, look};
use crate::counter::Doubt;
use crate::judge::Failure;
use crate::model::{Stage, must};

impl Day {
    /// Sends a command; `is_copy` when the network made it.
    pub(super) fn send(
        &mut self,
        place: usize,
        order: Order,
        is_copy: bool,
    ) -> Result<(), Failure> {
        let number = self
            .counters
            .devices
            .get(place)
            .context("no device")?
            .caller
            .device
            .device;
        self.send_from(place, number, order, is_copy)
    }

    /// As [`Self::send`], from the terminal that stood there then.
    fn send_from(
        &mut self,
        place: usize,
        number: u32,
        order: Order,
        is_copy: bool,
    ) -> Result<(), Failure> {
        let central = Arc::clone(self.world.central()?);
        let device = self.counters.devices.get_mut(place).context("no device")?;
        let mut caller = device.caller.clone();
        caller.device.device = number;
        let key = order.key(number);
        self.report.commands += 1;
        self.report.copies += u64::from(is_copy);
        let (mut request_is_lost, mut reply_is_lost) = (false, is_copy);
        if !is_copy {
            if self.settings.faults {
                request_is_lost = self.dice.in_thousand(20);
                reply_is_lost = self.dice.in_thousand(60);
            }
            device.is_busy = !request_is_lost;
            if let Some(key) = key {
                // In the journal before it is sent.
                device.doubt = Some(Doubt {
                    order: order.clone(),
                    key,
                });
                self.counters.sent.push((place, number, order.clone()));
            }
        } else if let Some(key) = key {
            // A copy carries what the first carried, its session among it.
            caller.session = key.session;
        }
        if request_is_lost {
            return Ok(());
        }
        let flight = Flight {
            place,
            device: number,
            answer: ask(central, caller, order.clone()),
            order,
            is_copy,
            reply_is_lost,
            sent_at: (self.model.size, self.failed()),
        };
        self.flights.push(flight);
        let last = self.flights.len() - 1;
        self.hear(last)?;
        Ok(())
    }

    /// Some device does something; or the network delivers an old command once more.
    pub(super) fn act(&mut self) -> Result<(), Failure> {
        let place = self.dice.below(self.counters.devices.len());
        if self.settings.faults && self.dice.in_thousand(60) {
            let newest = self.counters.sent.len().saturating_sub(30);
            let from = if self.dice.below(3) == 0 { 0 } else { newest };
            let old = self.counters.sent.get(from..);
            let old = old.and_then(|old| self.dice.one(old)).cloned();
            if let Some((place, number, order)) = old {
                return self.send_from(place, number, order, true);
            }
        }
        let central = Arc::clone(self.world.central()?);
        let device = self.counters.devices.get(place).context("no device")?;
        if device.is_busy {
            return Ok(());
        }
        if let Some(order) = device.next_of_taking(&self.model) {
            drop(central);
            return self.send(place, order, false);
        }
        if self.is_left(place) {
            return Ok(());
        }
        let device = self.counters.devices.get(place).context("no device")?;
        if let Some(doubt) = device.doubt.clone() {
            let (caller, left) = (device.caller.clone(), device.left_at());
            let asked = caller
                .device
                .ask_key(&central, left, doubt.key.session, doubt.key.counter);
            let known = asked.context("a key is asked for")?;
            drop(central);
            if let Some(leaf) = known.leaf
                && known.kind != Some(keno_record::state::KeyKind::Closed)
            {
                self.absorb()?;
                self.counters.learn(place, &doubt.order, leaf, &self.model);
                self.clear_doubt(place);
                return Ok(());
            }
            // Before cash or draft is given back the key is closed.
            let order = Order::CloseKey(doubt.key.counter, doubt.key.session, left);
            return self.send(place, order, false);
        }
        let next = self
            .counters
            .next(place, &mut self.dice, &self.model, &central);
        drop(central);
        match next {
            Some(order) => {
                let doubled =
                    order.key(0).is_some() && self.settings.faults && self.dice.in_thousand(30);
                let again = doubled.then(|| order.clone());
                self.send(place, order, false)?;
                if let Some(order) = again {
                    self.send(place, order, true)?;
                }
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Sometimes a terminal is left, whatever it has in doubt, and its person goes on at another.
    fn is_left(&mut self, place: usize) -> bool {
        if !self.settings.hand_overs || !self.leaving.in_thousand(4) {
            return false;
        }
        // What is on its way would come from two places at once.
        if self.flights.iter().any(|flight| flight.place == place) {
            return false;
        }
        let devices = &self.counters.devices;
        let is_free = |number: &u32| {
            !self.model.locked.contains(number)
                && devices.iter().all(|device| {
                    device.caller.device.device != *number && device.taking != Some(*number)
                })
                && self.model.tills.values().all(|till| till.device != *number)
        };
        let Some(number) = (1..=TERMINALS).find(is_free) else {
            return false;
        };
        match self.counters.devices.get_mut(place) {
            Some(device) => device.go_to(number),
            None => return false,
        }
        true
    }

    pub(super) fn clear_doubt(&mut self, place: usize) {
        if let Some(device) = self.counters.devices.get_mut(place) {
            device.doubt = None;
        }
    }

    /// Answers that have come are heard, or lost.
    pub(super) fn answers(&mut self) -> Result<(), Failure> {
        let mut place = 0;
        while place < self.flights.len() {
            if self.dice.in_thousand(800) && self.hear(place)? {
                continue;
            }
            place += 1;
        }
        Ok(())
    }

    /// Looks for the answer of a flight; true when it has landed.
    pub(super) fn hear(&mut self, index: usize) -> Result<bool, Failure> {
        let Some(flight) = self.flights.get_mut(index) else {
            return Ok(false);
        };
        let Some(answer) = look(&mut flight.answer) else {
            return Ok(false);
        };
        let flight = self.flights.swap_remove(index);
        if self.world.faults.is_crashed() {
            // Nothing leaves a house without power.
            self.release(&flight);
            return Ok(true);
        }
        self.absorb()?;
        match &answer {
            Ok(reply) => self.must_be_recorded(&flight, reply)?,
            Err(Stop::Refused(refusal)) => {
                *self.report.refusals.entry(refusal.name()).or_default() += 1;
                self.must_be_true(&flight, refusal)?;
            }
            Err(Stop::Broke(fault) | Stop::Undone(fault)) => {
                must(self.failed() > flight.sent_at.1, || {
                    format!("nothing failed, and {:?} did: {fault}", flight.order)
                })?;
            }
        }
        self.release(&flight);
        if flight.is_copy || flight.reply_is_lost {
            return Ok(true);
        }
        if let Ok(reply) = answer {
            self.told(&flight, &reply);
        }
        Ok(true)
    }

    /// The device waits no longer. What it sent under a key stays in doubt until it is told.
    pub(super) fn release(&mut self, flight: &Flight) {
        if !flight.is_copy
            && let Some(device) = self.counters.devices.get_mut(flight.place)
        {
            device.is_busy = false;
        }
    }

    /// No answer before the commit: what is told is in the record.
    pub(super) fn must_be_recorded(&self, flight: &Flight, reply: &Reply) -> Result<(), Failure> {
        let device = flight.device;
        let leaf = match reply {
            Reply::Leaf(leaf) | Reply::Sold(leaf, ..) => *leaf,
            _ => return Ok(()),
        };
        if let Some(key) = flight.order.key(device) {
            let recorded = self.model.keys.get(&key);
            must(recorded == Some(&(flight.order.kind(), leaf)), || {
                format!("leaf {leaf} was told for {key:?}, which ended as {recorded:?}")
            })?;
        } else if !matches!(flight.order, Order::OpenTill(_)) {
            must(leaf < self.model.size, || {
                format!(
                    "leaf {leaf} was told for {:?} and is not there",
                    flight.order
                )
            })?;
        }
        if let Order::Remark(ticket, text) = &flight.order {
            let said = self.model.remarks.get(&leaf);
            must(
                said.is_some_and(|said| (said.ticket, said.text.as_str()) == (*ticket, *text)),
                || {
                    format!(
                        "leaf {leaf} was told for {:?} and is {said:?}",
                        flight.order
                    )
                },
            )?;
        }
        Ok(())
    }

    /// What a refusal says must be so.
    pub(super) fn must_be_true(&self, flight: &Flight, refusal: &Refusal) -> Result<(), Failure> {
        let device = flight.device;
        let key = flight.order.key(device);
        let ended = key.and_then(|key| self.model.keys.get(&key));
        let stage = |draw: &u64| self.model.draws.get(draw).map(|draw| draw.stage);
        let holds = match refusal {
            Refusal::DrawClosed { draw, .. } | Refusal::CancelAfterClose { draw } => {
                stage(draw) != Some(Stage::Open)
            }
            Refusal::KeyClosed => ended.is_some_and(|(kind, _)| *kind == "closed"),
            // The same content under the same key is never another.
            Refusal::KeyOtherContent | Refusal::KeyForeign => false,
            // An answered key is answered as before, also when its session is over.
            Refusal::SessionEnded => ended.is_none(),
            // Only who was left is told so.
            Refusal::DeviceHandedOver { .. } => self.model.locked.contains(&device),
            Refusal::AlreadyPaid { draw, .. } => {
                let since = flight.sent_at.0;
                let mut paid = self.model.payments.values();
                paid.any(|payment| {
                    payment.draws.contains(draw)
                        && payment.reversed.is_none_or(|leaf| leaf >= since)
                })
            }
            // Whatever was sold can be remarked on.
            Refusal::TicketUnknown => match &flight.order {
                Order::Remark(ticket, _) => !self.model.tickets.contains_key(ticket),
                _ => true,
            },
            _ => true,
        };
        // A key that has an answer is not refused at all.
        let is_answered = ended
            .is_some_and(|(kind, leaf)| *kind == flight.order.kind() && *leaf < flight.sent_at.0);
        let before_the_key = matches!(
            refusal,
            Refusal::CopyReplaced
                | Refusal::PrintElsewhere
                | Refusal::ClaimCodeNeeded
                | Refusal::QueueFull
        );
        must(holds && (!is_answered || before_the_key), || {
            format!(
                "{:?} was refused: {refusal:?}, but its key ended as {ended:?}",
                flight.order
            )
        })?;
        Ok(())
    }

    /// The device hears the answer.
    pub(super) fn told(&mut self, flight: &Flight, reply: &Reply) {
        let place = flight.place;
        match (reply, &flight.order) {
            (Reply::Leaf(leaf) | Reply::Sold(leaf, ..), order) if order.key(0).is_some() => {
                self.counters.learn(place, order, *leaf, &self.model);
                self.clear_doubt(place);
            }
            (Reply::Leaf(_), Order::TakeOver(_)) => {
                if let Some(device) = self.counters.devices.get_mut(place) {
                    device.taking = None;
                }
            }
            (Reply::Key(None), _) => self.clear_doubt(place),
            (Reply::Key(Some(kind)), _) => {
                let doubt = self
                    .counters
                    .devices
                    .get(place)
                    .and_then(|device| device.doubt.clone());
                if let Some(doubt) = doubt
                    && let Some((of, leaf)) = self.model.keys.get(&doubt.key).copied()
                    && of == *kind
                {
                    self.counters.learn(place, &doubt.order, leaf, &self.model);
                    self.clear_doubt(place);
                }
            }
            (Reply::Session(session), _) => {
                if let Some(device) = self.counters.devices.get_mut(place) {
                    device.caller.session = *session;
                }
            }
            (Reply::Copy(copy), Order::Duplicate(paper)) => {
                let central = self.world.central().ok().map(Arc::clone);
                let mut papers = self.counters.papers.iter_mut();
                let held = papers.find(|held| {
                    central
                        .as_ref()
                        .and_then(|central| crate::counter::paper_of(central, held))
                        .is_some_and(|of| of.number == paper.number)
                });
                if let Some(held) = held {
                    held.copy = *copy;
                }
            }
            _ => {}
        }
        // The paper comes out at once, almost always.
        if let (Reply::Sold(ticket, ..), true) = (reply, self.dice.in_thousand(960)) {
            let order = Order::Print(*ticket, 1);
            // What fails here fails again at the next step.
            let _ = self.send(place, order, false);
        }
    }
}

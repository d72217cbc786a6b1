//! What is told of a ticket after its sale: its life, and what the audit office remarks.

use keno_log::Event;
use keno_log::event::TicketRemarked;

use super::{Model, Wrong, must};

/// Characters that a remark has at most.
const REMARK_MOST: usize = 500;

impl Model {
    /// A leaf stands in the life of each ticket that it names.
    pub(super) fn lived(&mut self, leaf: u64, event: &Event) {
        let mut of = |ticket: u64| self.lives.entry(ticket).or_default().push(leaf);
        match event {
            Event::TicketSold(_) => {}
            Event::PrizesExpired(body) => body.items.iter().for_each(|item| of(item.ticket)),
            _ => event.names().ticket.into_iter().for_each(of),
        }
    }

    /// A remark, on a ticket in whatever state; the same that was said of it last is not said again.
    pub(super) fn remark(&mut self, leaf: u64, body: &TicketRemarked) -> Result<(), Wrong> {
        self.ticket(body.ticket)?;
        let length = body.text.chars().count();
        must((1..=REMARK_MOST).contains(&length), || {
            format!("a remark of {length} characters")
        })?;
        let last = self.lives.get(&body.ticket).and_then(|life| life.last());
        let last = last.and_then(|last| self.remarks.get(last));
        must(last != Some(body), || format!("{body:?} is said twice"))?;
        self.remarks.insert(leaf, body.clone());
        Ok(())
    }
}

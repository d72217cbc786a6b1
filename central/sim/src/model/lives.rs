//! What is told of a ticket after its sale: its life, and what the audit office remarks.

use keno_log::Event;
use keno_log::event::TicketRemarked;

use super::{Model, Wrong, must};

/// Characters that a remark has at most.
const REMARK_MOST: usize = 500;

impl Model {
    /// A leaf stands in the life of the ticket that it names, or whose file it judges. An expiry
    /// names many tickets, and stands in the life of none.
    pub(super) fn lived(&mut self, leaf: u64, event: &Event) {
        let ticket = match event {
            Event::TicketSold(_) => None,
            Event::FileJudged(body) => {
                let file = self.files.get(&body.file);
                file.and_then(|file| file.opened.ticket)
            }
            _ => event.names().ticket,
        };
        if let Some(ticket) = ticket {
            self.lives.entry(ticket).or_default().push(leaf);
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

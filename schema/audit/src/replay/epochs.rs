//! Epochs: a log that goes on from an older state of itself, in words (`FORMAT.md`, "Epochs").

use keno_log::Event;
use keno_log::event::{EpochOpened, IncidentLogged};

use super::Replay;

impl Replay {
    /// The epoch that the log is in; the first is 1.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        self.epochs.last().map_or(1, |epoch| epoch.epoch)
    }

    /// The epochs that were opened, in their order.
    #[must_use]
    pub fn epochs(&self) -> &[EpochOpened] {
        &self.epochs
    }

    /// The least numbers of draws, sessions and shifts of this epoch.
    pub(super) fn epoch_numbers(&self) -> (u64, u64, u64) {
        let last = self.epochs.last();
        last.map_or((0, 0, 0), |epoch| {
            (epoch.next_draw, epoch.next_session, epoch.next_shift)
        })
    }

    pub(super) fn epoch_opened(&mut self, body: &EpochOpened) {
        let last = self.epoch();
        must!(self, body.epoch > last => EpochNumber, "{} after {last}", body.epoch);
        let continues = (body.continues_size, body.continues_root);
        let lost = (body.lost_size, body.lost_root);
        let goes_on =
            body.continues_size == self.now.entry && Some(body.continues_root) == self.root_before;
        let loses = body.lost_size > body.continues_size || lost == continues;
        must!(self, goes_on && loses => EpochPast,
            "from {}, lost {}", body.continues_size, body.lost_size);
        let (draw, session, shift) = self.epoch_numbers();
        let first = self.house.as_ref().map_or(1, |house| house.first_draw);
        let last_draw = self.draws.last_key_value().map(|(last, _)| *last);
        let (last_session, last_shift) = (self.last_session, self.last_shift);
        let is_above = |next: u64, last: Option<u64>| last.is_none_or(|last| next > last);
        let numbers_hold = body.next_draw >= draw.max(first)
            && body.next_session >= session
            && body.next_shift >= shift
            && is_above(body.next_draw, last_draw)
            && is_above(body.next_session, last_session)
            && is_above(body.next_shift, last_shift);
        must!(self, numbers_hold => EpochNumbers,
            "draw {}, session {}, shift {}", body.next_draw, body.next_session, body.next_shift);
        self.silence_ended();
        // Sales stand until two have looked at who is staff, and at the devices.
        self.sales_suspended = true;
        // Every session has ended: it is of an epoch before.
        self.open_sessions.clear();
        self.open_of_badge.clear();
        if self
            .highest_epoch()
            .is_none_or(|highest| body.epoch > highest)
        {
            self.rising_epochs.push(self.epochs.len());
        }
        self.epochs.push(body.clone());
    }

    fn highest_epoch(&self) -> Option<u32> {
        let last = self.epochs.get(*self.rising_epochs.last()?)?;
        Some(last.epoch)
    }

    /// The first epoch that was opened with a number above this one, whatever came between.
    pub(super) fn epoch_above(&self, number: u32) -> Option<&EpochOpened> {
        let of = |place: &usize| self.epochs.get(*place);
        let rising = &self.rising_epochs;
        let at = rising.partition_point(|place| of(place).is_some_and(|it| it.epoch <= number));
        rising.get(at).and_then(of)
    }

    /// What an epoch found announced is not taken further: the lost part may have drawn it.
    pub(super) fn judge_epoch(&mut self, event: &Event) {
        let (first_of_epoch, _, _) = self.epoch_numbers();
        let draw = match event {
            Event::CommitmentRecorded(body) => body.draw,
            Event::DrawOpened(body) => body.draw,
            Event::DrawClosed(body) => body.draw,
            Event::DrawStarted(body) => body.draw,
            Event::BallsRecorded(body) => body.draw,
            Event::DrawCertified(body) => body.draw,
            Event::DrawSuspended(body) => body.draw,
            Event::DrawResumed(body) => body.draw,
            Event::BallEntered(body) => body.draw,
            Event::BallDrawn(body) => body.draw,
            Event::EntererReplaced(body) => body.draw,
            Event::BallRead(body) => body.draw,
            Event::LineIncident(body) => body.draw,
            Event::TubesAttested(body) => body.draw,
            Event::ComputerStoodIn(body) => body.draw,
            Event::HostsNamed(body) => body.draw,
            Event::HostsSigned(body) => body.draw,
            Event::DrawPostponed(body) => body.draw,
            Event::IncidentLogged(IncidentLogged {
                draw: Some(draw), ..
            }) => *draw,
            Event::TicketSold(body) => body.first_draw,
            _ => return,
        };
        let is_old = draw < first_of_epoch && self.draws.contains_key(&draw);
        must!(self, !is_old => EpochDraw, "draw {draw}");
    }
}

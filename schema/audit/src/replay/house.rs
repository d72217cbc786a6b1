//! House, rule books, sessions, and who acted with whom.

use keno_log::Event;
use keno_log::event::{HouseOpened, LeaseTaken, RuleBookPublished, SessionEnded, SessionOpened};
use keno_log::hash::sha256;

use super::{DrawState, Published, Replay, Session};
use crate::calendar::Calendar;
use crate::finding::FindingCode;
use crate::returns::returns;
use crate::rule_book::RuleBook;

impl Replay {
    pub(super) fn house_opened(&mut self, body: &HouseOpened) {
        if self.house.is_none() {
            self.calendar = Calendar::of(&body.zone);
            let is_known = self.calendar.is_some();
            self.expect_that(is_known, FindingCode::ZoneUnknown, || body.zone.clone());
            self.judge_day();
            self.finished_through = body.first_draw.saturating_sub(1);
            self.house = Some(body.clone());
        }
    }

    /// The business day is the local day of the leaf's time, once the house's zone is known.
    pub(super) fn judge_day(&mut self) {
        let (at_ms, recorded) = (self.now.at_ms, self.now.business_day);
        let Some(day) = self.calendar.map(|calendar| calendar.day(at_ms)) else {
            return;
        };
        self.expect_that(day == Some(recorded), FindingCode::BusinessDayWrong, || {
            format!("{recorded} at {at_ms}")
        });
    }

    pub(super) fn rule_book_published(&mut self, body: &RuleBookPublished) {
        if sha256(body.text.as_bytes()) != body.hash {
            self.find(FindingCode::RuleBookHash, String::new());
        }
        let last = self
            .books
            .last_key_value()
            .map_or(0, |(version, _)| *version);
        if last.checked_add(1) != Some(body.version) {
            let detail = format!("{} after {last}", body.version);
            self.find(FindingCode::RuleBookVersion, detail);
        }
        let book = match RuleBook::parse(&body.text) {
            Ok(book) => book,
            Err(fault) => {
                self.find(FindingCode::RuleBookUnreadable, fault.to_string());
                return;
            }
        };
        if book.version != body.version {
            let detail = format!("the text says version {}", book.version);
            self.find(FindingCode::RuleBookVersion, detail);
        }
        match returns(&book) {
            Ok(lines) => {
                if let Some(line) = lines.iter().find(|line| line.rate.is_below_least()) {
                    self.find(FindingCode::RuleBookReturn, line.to_string());
                }
            }
            Err(fault) => self.find(FindingCode::RuleBookReturn, fault.to_string()),
        }
        self.judge_start(body.effective_from, &book);
        self.books.insert(
            body.version,
            Published {
                effective_from: body.effective_from,
                hash: body.hash,
                book,
            },
        );
    }

    /// A book governs from the lowest open draw on at the earliest, or from the next to be
    /// announced when none is open; and it says of every announced draw that it governs what was
    /// announced.
    fn judge_start(&mut self, effective_from: u64, book: &RuleBook) {
        let mut draws = self.draws.values();
        let open = draws.find(|draw| draw.state == DrawState::Open);
        let last = self.draws.last_key_value().map_or(0, |(last, _)| *last);
        let earliest = open.map_or(last.saturating_add(1), |draw| draw.number);
        let keeps_the_terms = self.draws.range(effective_from..).all(|(_, draw)| {
            let cap = (draw.cap.cap_cents, draw.cap.full_below_cents);
            cap == (book.cap_cents, book.full_below_cents)
                && (draw.pool_size, draw.drawn) == (book.pool_size, book.drawn)
        });
        self.expect_that(
            effective_from >= earliest && keeps_the_terms,
            FindingCode::RuleBookLate,
            || format!("from draw {effective_from}"),
        );
    }

    pub(super) fn session_opened(&mut self, body: &SessionOpened) {
        self.must_not_be_locked(body.device);
        let session = Session {
            device: body.device,
            ended: false,
        };
        let before = self.sessions.insert(body.session, session);
        let is_new = before.is_none() && body.session >= self.epoch_numbers().1;
        self.expect_that(is_new, FindingCode::NumberReused, || {
            format!("session {}", body.session)
        });
    }

    pub(super) fn session_ended(&mut self, body: &SessionEnded) {
        match self.sessions.get_mut(&body.session) {
            Some(session) if !session.ended => session.ended = true,
            _ => self.find(
                FindingCode::SessionWrong,
                format!("session {} is not open", body.session),
            ),
        }
    }

    pub(super) fn lease_taken(&mut self, body: &LeaseTaken) {
        let expected = self.fence.checked_add(1);
        self.expect_that(
            Some(body.fence) == expected,
            FindingCode::FenceWrong,
            || format!("{}", body.fence),
        );
        self.fence = body.fence;
    }

    /// Wherever two people act, they are two.
    pub(super) fn two_people(&mut self, event: &Event) {
        let pair = match event {
            Event::RuleBookPublished(body) => (&body.by, &body.second),
            Event::TillMoved(body) => (&body.by, &body.second),
            Event::ScheduleConfirmed(body) => (&body.by, &body.second),
            Event::SalesResumed(body) => (&body.by, &body.second),
            Event::EpochOpened(body) => (&body.by, &body.second),
            Event::DeviceHandedOver(body) => (&body.by, &body.second),
            Event::TillCounted(body) => (&body.by, &body.second),
            Event::DrawResumed(body) => (&body.by, &body.second),
            Event::DrawVoided(body) => (&body.by, &body.second),
            Event::TicketUnpaid(body) => (&body.by, &body.second),
            Event::TicketReleased(body) => (&body.by, &body.second),
            Event::TicketDuplicated(body) => (&body.by, &body.second),
            Event::PaymentReversed(body) => (&body.by, &body.second),
            Event::PrizePaid(body) => match &body.second {
                Some(second) => (&body.badge, second),
                None => return,
            },
            Event::LostTicketRefunded(body) => (&body.badge, &body.second),
            _ => return,
        };
        let (by, second) = pair;
        if by.is_empty() || second.is_empty() || by == second {
            self.find(FindingCode::SamePerson, format!("{by:?} and {second:?}"));
        }
    }
}

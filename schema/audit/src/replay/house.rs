//! House, rule books, sessions, and who acted with whom.

use keno_log::Event;
use keno_log::event::{HouseOpened, LeaseTaken, RuleBookPublished, SessionEnded, SessionOpened};
use keno_log::hash::sha256;

use super::{Published, Replay, Session};
use crate::finding::FindingCode;
use crate::returns::returns;
use crate::rule_book::RuleBook;

impl Replay {
    pub(super) fn house_opened(&mut self, body: &HouseOpened) {
        if self.house.is_none() {
            self.finished_through = body.first_draw.saturating_sub(1);
            self.house = Some(body.clone());
        }
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

    /// A book governs no draw that is closed; one that changes what belongs to the draw starts
    /// after the last draw that any ticket covers.
    fn judge_start(&mut self, effective_from: u64, book: &RuleBook) {
        let Some((_, last)) = self.books.last_key_value() else {
            return;
        };
        let terms = |book: &RuleBook| {
            (
                book.cap_cents,
                book.full_below_cents,
                book.pool_size,
                book.drawn,
            )
        };
        let settled_terms = if terms(&last.book) == terms(book) {
            self.last_closed_draw
        } else {
            self.last_closed_draw.max(self.last_sold_draw)
        };
        self.expect_that(
            effective_from > settled_terms,
            FindingCode::RuleBookLate,
            || format!("from draw {effective_from}"),
        );
    }

    pub(super) fn session_opened(&mut self, body: &SessionOpened) {
        let session = Session {
            device: body.device,
            ended: false,
        };
        let before = self.sessions.insert(body.session, session);
        self.expect_that(before.is_none(), FindingCode::NumberReused, || {
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
            _ => return,
        };
        let (by, second) = pair;
        if by.is_empty() || second.is_empty() || by == second {
            self.find(FindingCode::SamePerson, format!("{by:?} and {second:?}"));
        }
    }
}

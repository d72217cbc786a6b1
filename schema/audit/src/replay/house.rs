//! House, rule books and sessions.

use keno_log::event::{HouseOpened, LeaseTaken, RuleBookPublished, SessionEnded, SessionOpened};
use keno_log::hash::sha256;

use super::{Published, Replay, Session};
use crate::calendar::Calendar;
use crate::returns::returns;
use crate::rule_book::RuleBook;

/// Why a session ended: a supervisor and another person ended it.
const SUPERVISED: u8 = 3;

/// A start after more than this in which nobody was served ends a silence.
const SILENCE_MS: i64 = 24 * 60 * 60 * 1000;

/// Days to claim after a silence.
const DAYS_AFTER_SILENCE: u16 = 7;

impl Replay {
    pub(super) fn house_opened(&mut self, body: &HouseOpened) {
        if self.house.is_none() {
            self.calendar = Calendar::of(&body.zone);
            must!(self, self.calendar.is_some() => ZoneUnknown, "{}", body.zone);
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
        must!(self, day == Some(recorded) => BusinessDayWrong, "{recorded} at {at_ms}");
    }

    pub(super) fn rule_book_published(&mut self, body: &RuleBookPublished) {
        if sha256(body.text.as_bytes()) != body.hash {
            find!(self => RuleBookHash);
        }
        let last = self.books.last_version();
        if last.checked_add(1) != Some(body.version) {
            find!(self => RuleBookVersion, "{} after {last}", body.version);
        }
        let book = match RuleBook::parse(&body.text) {
            Ok(book) => book,
            Err(fault) => {
                find!(self => RuleBookUnreadable, "{fault}");
                return;
            }
        };
        if book.version != body.version {
            find!(self => RuleBookVersion, "the text says version {}", book.version);
        }
        match returns(&book) {
            Ok(lines) => {
                if let Some(line) = lines.iter().find(|line| line.rate.is_below_least()) {
                    find!(self => RuleBookReturn, "{line}");
                }
            }
            Err(fault) => find!(self => RuleBookReturn, "{fault}"),
        }
        self.judge_start(body.effective_from, &book);
        self.books.publish(
            body.version,
            Published {
                effective_from: body.effective_from,
                hash: body.hash,
                book,
            },
        );
    }

    /// A book governs from the lowest open draw on at the earliest, or from the next to be
    /// announced when none is open, and no draw that is closed: its hash is part of what the numbers
    /// follow from, and would be chosen after the seal. It says of every announced draw that it governs
    /// what was announced.
    fn judge_start(&mut self, effective_from: u64, book: &RuleBook) {
        let open = self.open_draws.first().copied();
        let last = self.draws.last_key_value().map_or(0, |(last, _)| *last);
        let earliest = open.unwrap_or(last.saturating_add(1));
        let keeps_the_terms = self.draws.range(effective_from..).all(|(_, draw)| {
            let cap = (draw.cap.cap_cents, draw.cap.full_below_cents);
            cap == (book.cap_cents, book.full_below_cents)
                && (draw.pool_size, draw.drawn) == (book.pool_size, book.drawn)
        });
        let governs_closed =
            (self.draws.range(effective_from..)).any(|(_, draw)| draw.close.is_some());
        let in_time = effective_from >= earliest && !governs_closed;
        must!(self, in_time && keeps_the_terms => RuleBookLate,
            "from draw {effective_from}");
    }

    pub(super) fn session_opened(&mut self, body: &SessionOpened) {
        self.must_not_be_locked(body.device);
        let badge = self.badge_number(&body.badge);
        let session = Session {
            device: body.device,
            badge,
            epoch: self.epochs.len(),
            ended: false,
        };
        let before = self.sessions.insert(body.session, session);
        if let Some(before) = before.filter(|before| self.is_open(before)) {
            self.leave_session(before, body.session);
        }
        let here = self.open_sessions.entry(body.device).or_default();
        here.insert(body.session);
        *self.open_of_badge.entry(badge).or_default() += 1;
        self.last_session = self.last_session.max(Some(body.session));
        let is_new = before.is_none() && body.session >= self.epoch_numbers().1;
        must!(self, is_new => NumberReused, "session {}", body.session);
    }

    pub(super) fn session_ended(&mut self, body: &SessionEnded) {
        let session = self.sessions.get(&body.session).copied();
        let Some(session) = session.filter(|session| self.is_open(session)) else {
            find!(self => SessionWrong, "session {} is not open", body.session);
            return;
        };
        if body.reason == SUPERVISED {
            self.judge_relief(&body.by, session.badge);
        }
        if let Some(kept) = self.sessions.get_mut(&body.session) {
            kept.ended = true;
        }
        self.leave_session(session, body.session);
    }

    /// Whether a session has not ended, by itself or with its epoch.
    pub(super) fn is_open(&self, session: &Session) -> bool {
        !session.ended && session.epoch == self.epochs.len()
    }

    /// Whether a device has an open session.
    pub(super) fn has_session(&self, device: u32) -> bool {
        self.open_sessions
            .get(&device)
            .is_some_and(|open| !open.is_empty())
    }

    /// The number of who is signed on at a device: in the open session of the highest number, of
    /// which a lawful log has one.
    pub(super) fn badge_at(&self, device: u32) -> Option<u32> {
        let session = self.open_sessions.get(&device)?.last()?;
        self.sessions.get(session).map(|session| session.badge)
    }

    /// How many sessions of a badge are open.
    pub(super) fn sessions_of(&self, badge: &str) -> u64 {
        let number = self.badges.get(badge);
        number
            .and_then(|number| self.open_of_badge.get(number))
            .copied()
            .unwrap_or(0)
    }

    /// The number of a badge, by which it is known here.
    pub(super) fn badge_number(&mut self, badge: &str) -> u32 {
        if let Some(known) = self.badges.get(badge) {
            return *known;
        }
        let next = u32::try_from(self.badges.len()).unwrap_or(u32::MAX);
        self.badges.insert(badge.to_owned(), next);
        next
    }

    fn leave_session(&mut self, session: Session, number: u64) {
        if let Some(open) = self.open_sessions.get_mut(&session.device) {
            open.remove(&number);
        }
        if let Some(open) = self.open_of_badge.get_mut(&session.badge) {
            *open = open.saturating_sub(1);
        }
    }

    pub(super) fn lease_taken(&mut self, body: &LeaseTaken) {
        let expected = self.fence.checked_add(1);
        must!(self, Some(body.fence) == expected => FenceWrong, "{}", body.fence);
        self.fence = body.fence;
        self.silence_ended();
    }

    /// What could be claimed when somebody was served last, more than a day ago, can be claimed
    /// until the seventh day from now.
    pub(super) fn silence_ended(&mut self) {
        let Some(served_ms) = self.served_ms else {
            return;
        };
        if self.now.at_ms.saturating_sub(served_ms) <= SILENCE_MS {
            return;
        }
        let days = self.calendar.and_then(|calendar| {
            let from = calendar.day(served_ms)?;
            Some((
                from,
                calendar.day_after(self.now.at_ms, DAYS_AFTER_SILENCE)?,
            ))
        });
        if let Some((from, until)) = days
            && until > self.silence_until(from)
        {
            // Days that began later and end no later say nothing any more.
            while let Some((&day, &last)) = self.silences.range(from..).next()
                && last <= until
            {
                self.silences.remove(&day);
            }
            self.silences.insert(from, until);
        }
    }

    /// The last day to claim after a silence what could be claimed until this day; 0 if none
    /// began by then.
    pub(super) fn silence_until(&self, day: u32) -> u32 {
        let began = self.silences.range(..=day);
        began.last().map_or(0, |(_, until)| *until)
    }
}

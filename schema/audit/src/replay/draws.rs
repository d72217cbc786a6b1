//! A draw, step by step.

use std::collections::{BTreeMap, HashSet};

use keno_log::event::{
    BallsRecorded, CommitmentRecorded, DrawCertified, DrawClosed, DrawOpened, DrawResumed,
    DrawScheduled, DrawStarted, DrawSuspended, DrawVoided, SecretsRevealed,
};

use super::Replay;
use super::account::{Close, DrawAccount, DrawState};
use crate::prizes::Cap;
use crate::tickets::Ticket;

/// Source and machine: a computer.
pub(super) const COMPUTER: u8 = 1;
/// Source and machine: balls.
pub(super) const BALLS: u8 = 2;
/// Machine: a recording played back.
const RECORDING: u8 = 3;
/// Most holders that can commit: a commitment's position is one byte. Those beyond never do.
const HOLDERS_MAX: usize = 256;
/// Who certifies a computer draw that passed every check.
const GUARD: &str = "guard";

impl Replay {
    pub(super) fn draw_scheduled(&mut self, body: &DrawScheduled) {
        self.judge_halt();
        let first = self.house.as_ref().map_or(1, |house| house.first_draw);
        let expected = self
            .draws
            .last_key_value()
            .map_or(first, |(last, _)| last.saturating_add(1))
            .max(self.epoch_numbers().0);
        if body.draw != expected {
            find!(self => DrawNumberWrong, "expected {expected}");
        }
        if self.draws.contains_key(&body.draw) {
            return;
        }
        let cap = Cap {
            cap_cents: body.cap_cents,
            full_below_cents: body.full_below_cents,
        };
        let mut holders: Vec<&String> = body.holders.iter().collect();
        holders.sort_unstable();
        holders.dedup();
        let holders_fit =
            holders.len() == body.holders.len() && (body.source != COMPUTER || !holders.is_empty());
        let as_the_book_says = self.book_of_draw(body.draw).is_some_and(|(_, published)| {
            let book = &published.book;
            (book.pool_size, book.drawn) == (body.pool_size, body.drawn)
                && (book.cap_cents, book.full_below_cents) == (cap.cap_cents, cap.full_below_cents)
        });
        let terms_hold = holders_fit
            && as_the_book_says
            && matches!(body.source, COMPUTER | BALLS)
            && body.closes_at_ms <= body.draws_at_ms;
        must!(self, terms_hold => DrawTermsWrong, "draw {}", body.draw);
        self.draws.insert(
            body.draw,
            DrawAccount {
                number: body.draw,
                source: body.source,
                closes_at_ms: body.closes_at_ms,
                draws_at_ms: body.draws_at_ms,
                holders: body.holders.clone(),
                pool_size: body.pool_size,
                drawn: body.drawn,
                cap,
                // One beyond those that can commit stands for all of them: it never does.
                commitments: vec![None; body.holders.len().min(HOLDERS_MAX + 1)],
                ..DrawAccount::default()
            },
        );
    }

    pub(super) fn commitment_recorded(&mut self, body: &CommitmentRecorded) {
        self.judge_halt();
        let entry = self.now.entry;
        let Some(draw) = self.draws.get_mut(&body.draw) else {
            find!(self => DrawUnknown, "draw {}", body.draw);
            return;
        };
        let (state, first_wager) = (draw.state, draw.first_wager);
        let repeated = draw.commitments.contains(&Some(body.commitment));
        let slot = draw.commitments.get_mut(usize::from(body.position));
        let fits = match slot {
            Some(slot @ None) if !repeated => {
                *slot = Some(body.commitment);
                draw.committed_at = Some(entry);
                true
            }
            _ => false,
        };
        if let Some(wager) = first_wager {
            find!(self => CommitmentAfterWager,
                "draw {}, first wager in entry {wager}", body.draw);
        } else if state != DrawState::Scheduled {
            find!(self => DrawStepOutOfOrder, "{state:?}");
        }
        must!(self, fits => CommitmentRepeated, "draw {}, position {}", body.draw, body.position);
    }

    pub(super) fn draw_opened(&mut self, body: &DrawOpened) {
        self.judge_halt();
        let Some(draw) = self.step(body.draw, &[DrawState::Scheduled], DrawState::Open) else {
            return;
        };
        let missing = draw.commitments.iter().position(Option::is_none);
        if let Some(position) = missing {
            find!(self => CommitmentMissing, "draw {}, position {position}", body.draw);
        }
    }

    pub(super) fn draw_closed(&mut self, body: &DrawClosed) {
        self.judge_halt();
        let mut close = Close {
            entry: self.now.entry,
            at_ms: self.now.at_ms,
            tickets: 0,
            selections: 0,
            wagered_cents: 0,
            seal_root: self.edge.root(),
        };
        // Wider than any figure: a sum beyond 64 bits is equal to none.
        let mut wagered_cents = 0_i128;
        for ticket in self.tickets_in(body.draw) {
            if ticket.withdrawn == 0 {
                close.tickets += 1;
                close.selections += u64::from(ticket.terms.selections);
                wagered_cents += i128::from(ticket.terms.per_draw_cents);
            }
        }
        close.wagered_cents = i64::try_from(wagered_cents).unwrap_or(i64::MAX);
        let Some(draw) = self.step(body.draw, &[DrawState::Open], DrawState::Closed) else {
            return;
        };
        draw.close = Some(close);
        let recorded = (
            body.tickets,
            body.selections,
            i128::from(body.wagered_cents),
        );
        let computed = (close.tickets, close.selections, wagered_cents);
        must!(self, recorded == computed => CloseTotals,
            "recorded {recorded:?}, computed {computed:?}");
    }

    pub(super) fn draw_started(&mut self, body: &DrawStarted) {
        self.judge_halt();
        let in_force = self
            .book_of_draw(body.draw)
            .map(|(_, published)| published.hash);
        let Some(draw) = self.step(body.draw, &[DrawState::Closed], DrawState::Drawing) else {
            return;
        };
        draw.rule_book_hash = Some(body.rule_book_hash);
        let seal = draw.close.map(|close| (close.entry + 1, close.seal_root));
        must!(self, seal == Some((body.seal_size, body.seal_root)) => SealWrong,
            "draw {}, size {}", body.draw, body.seal_size);
        must!(self, in_force == Some(body.rule_book_hash) => DrawRuleBook, "draw {}", body.draw);
        self.judge_room(body.draw);
    }

    pub(super) fn balls_recorded(&mut self, body: &BallsRecorded) {
        self.judge_halt();
        let (entry, drill) = (self.now.entry, self.options.drill);
        let Some(draw) = self.step(body.draw, &[DrawState::Drawing], DrawState::Drawn) else {
            return;
        };
        let source_fits = match body.machine {
            COMPUTER => draw.source == COMPUTER && draw.is_committed(),
            BALLS => draw.source == BALLS,
            RECORDING => drill,
            _ => false,
        };
        let mut set = 0_u128;
        for ball in &body.balls {
            if (1..=draw.pool_size).contains(ball) {
                set |= 1_u128.checked_shl(u32::from(*ball) - 1).unwrap_or(0);
            }
        }
        let expected = usize::from(draw.drawn);
        let is_draw = body.balls.len() == expected && set.count_ones() as usize == expected;
        (draw.balls, draw.balls_at) = (Some(body.clone()), entry);
        must!(self, source_fits => SourceWrong, "draw {}", body.draw);
        must!(self, is_draw => BallsInvalid, "draw {}", body.draw);
        let is_new = self.drawn_sets.insert(set);
        must!(self, is_new => BallsRepeated, "draw {}", body.draw);
        let no_words = body.machine == COMPUTER || (body.words_used, body.words_rejected) == (0, 0);
        must!(self, no_words => WordsDiffer, "draw {}", body.draw);
        self.judge_entered(body);
    }

    pub(super) fn draw_certified(&mut self, body: &DrawCertified) {
        self.judge_halt();
        let at_ms = self.now.at_ms;
        let Some(draw) = self.step(body.draw, &[DrawState::Drawn], DrawState::Official) else {
            return;
        };
        draw.decided_at_ms = Some(at_ms);
        draw.certifiers = body.certifiers.clone();
        let (by_computer, are_signed) = (draw.is_by_computer(), draw.is_signed_for());
        let mut people: Vec<&String> = body.certifiers.iter().collect();
        people.sort_unstable();
        people.dedup();
        let is_another = |place: usize| {
            let before = &people[..place];
            let staff = &self.staff;
            !before
                .iter()
                .any(|one| staff.is_one_human(one, people[place]))
        };
        let distinct = people.len() == body.certifiers.len()
            && people.iter().all(|it| !it.is_empty())
            && (0..people.len()).all(is_another);
        // The guard alone, for a computer draw; or two people, and never the guard beside them.
        let guarded = people.iter().any(|certifier| *certifier == GUARD);
        let enough = match people.len() {
            0 => false,
            1 => by_computer && guarded,
            _ => !guarded,
        };
        must!(self, distinct && enough => CertifierWrong, "{}", body.certifiers.join(", "));
        let sold = self.has_sold(body.draw, &people);
        must!(self, !sold => CertifierWrong, "a certifier sold for this draw");
        must!(self, are_signed => HostSignatureMissing, "draw {}", body.draw);
    }

    pub(super) fn secrets_revealed(&mut self, body: &SecretsRevealed) {
        self.judge_halt();
        let house = self
            .house
            .as_ref()
            .map_or(String::new(), |it| it.house.clone());
        let Some(draw) = self.draws.get_mut(&body.draw) else {
            find!(self => DrawUnknown, "draw {}", body.draw);
            return;
        };
        let revealable = matches!(draw.state, DrawState::Official | DrawState::Void);
        if !revealable || draw.secrets.is_some() {
            find!(self => DrawStepOutOfOrder, "{:?}", draw.state);
            return;
        }
        draw.secrets = Some(body.secrets.clone());
        let honoured = draw.commitments.len() == body.secrets.len()
            && (0..)
                .zip(&body.secrets)
                .all(|(holder, secret)| draw.opens(&house, holder, secret));
        if !honoured {
            find!(self => SecretNotCommitted, "draw {}", body.draw);
            return;
        }
        self.choose_set(&house, body.draw, &body.secrets);
        // Once revealed, a secret says beforehand what it will give a second time.
        for secret in &body.secrets {
            let is_new = self.secrets.insert(*secret);
            must!(self, is_new => SecretReused, "draw {}", body.draw);
        }
        self.judge_balls(&house, body.draw);
    }

    pub(super) fn draw_suspended(&mut self, body: &DrawSuspended) {
        let from = [DrawState::Closed, DrawState::Drawing];
        if self.step(body.draw, &from, DrawState::Suspended).is_some() {
            self.judge_interruption(body.draw, &body.by);
            self.line_stops(body.draw);
        }
    }

    pub(super) fn draw_resumed(&mut self, body: &DrawResumed) {
        let was = self.draws.get(&body.draw).map(|draw| draw.state);
        let from = [DrawState::Suspended];
        if self.step(body.draw, &from, DrawState::Closed).is_some() {
            self.judge_interrupted(body.draw, was, true, [&body.by, &body.second]);
        }
    }

    pub(super) fn draw_voided(&mut self, body: &DrawVoided) {
        let from = [
            DrawState::Scheduled,
            DrawState::Open,
            DrawState::Closed,
            DrawState::Drawing,
            DrawState::Drawn,
            DrawState::Suspended,
        ];
        let is_lost = body.draw < self.epoch_numbers().0;
        let was = self.draws.get(&body.draw).map(|draw| draw.state);
        let at_ms = self.now.at_ms;
        let Some(draw) = self.step(body.draw, &from, DrawState::Void) else {
            return;
        };
        draw.decided_at_ms = Some(at_ms);
        let (has_begun, has_numbers) = (draw.rule_book_hash.is_some(), draw.balls.is_some());
        let closed_at = draw.close.map_or(u64::MAX, |close| close.entry);
        let mut refund = (0_u64, 0_i128);
        for ticket in self.tickets_in(body.draw) {
            if ticket.withdrawn == 0 && ticket.leaf < closed_at {
                refund.0 += 1;
                refund.1 += i128::from(ticket.terms.per_draw_cents);
            }
        }
        // Of a draw that a restore ended, whoever restored the record voids what is left.
        let sold = has_begun && self.has_sold(body.draw, &[&body.by, &body.second]);
        let why = match has_numbers {
            true => "its numbers are recorded",
            false => "one of the two sold for this draw",
        };
        must!(self, is_lost || !(sold || has_numbers) => VoidWrong, "{why}");
        if !is_lost {
            self.judge_interrupted(body.draw, was, false, [&body.by, &body.second]);
        }
        must!(self, (body.tickets, i128::from(body.refund_cents)) == refund => VoidTotals,
            "computed {refund:?}");
        if let Some(draw) = self.draws.get_mut(&body.draw) {
            let cents = i64::try_from(refund.1).unwrap_or(i64::MAX);
            draw.refund = Some((refund.0, cents));
        }
        self.draw_waits(body.draw);
        self.finish();
    }

    /// Takes a step if it is lawful; a finding if it is not.
    pub(super) fn step(
        &mut self,
        number: u64,
        from: &[DrawState],
        to: DrawState,
    ) -> Option<&mut DrawAccount> {
        let state = self.draws.get(&number).map(|draw| draw.state);
        match state {
            None => find!(self => DrawUnknown, "draw {number}"),
            Some(state) if !from.contains(&state) => {
                find!(self => DrawStepOutOfOrder, "draw {number} is {state:?}");
            }
            Some(_) => {
                match to {
                    DrawState::Open => self.open_draws.insert(number),
                    _ => self.open_draws.remove(&number),
                };
                let draw = self.draws.get_mut(&number)?;
                draw.state = to;
                return Some(draw);
            }
        }
        None
    }

    /// Between a doubt of the clock and its confirmation no draw goes a step further.
    pub(super) fn judge_halt(&mut self) {
        let halted = self.halted;
        must!(self, !halted => StepWhileHalted);
    }

    /// Whether one of these sold a ticket for a draw that is not over.
    pub(super) fn has_sold(&self, draw: u64, badges: &[&String]) -> bool {
        // Whoever sold with one badge does not decide with another.
        let numbers: HashSet<u32> = self
            .badges
            .iter()
            .filter(|(sold, _)| badges.iter().any(|one| self.staff.is_one_human(one, sold)))
            .map(|(_, number)| *number)
            .collect();
        !numbers.is_empty()
            && self
                .tickets_in(draw)
                .any(|ticket| numbers.contains(&ticket.seller.badge))
    }

    /// The tickets whose range holds a draw that is not over, in no order.
    pub(super) fn tickets_in(&self, draw: u64) -> impl Iterator<Item = Ticket> {
        let places = self.live.range(draw..).flat_map(|(_, places)| places);
        places
            .filter_map(|place| self.tickets.get(*place))
            .filter(move |ticket| ticket.covers(draw))
    }

    /// Lets go of the wagers of tickets whose every draw is over.
    pub(super) fn finish(&mut self) {
        let mut through = self.finished_through;
        // Between two epochs there are numbers that no draw has.
        let (first_of_epoch, _, _) = self.epoch_numbers();
        let next = through.checked_add(1);
        for (number, draw) in next.into_iter().flat_map(|next| self.draws.range(next..)) {
            let follows = through.checked_add(1) == Some(*number) || *number == first_of_epoch;
            if !follows || !draw.is_over() {
                break;
            }
            through = *number;
        }
        self.finished_through = through;
        // None is above the highest number there is.
        let live = match through.checked_add(1) {
            Some(next) => self.live.split_off(&next),
            None => BTreeMap::new(),
        };
        let over = std::mem::replace(&mut self.live, live);
        for place in over.into_values().flatten() {
            self.tickets.drop_wagers(place);
        }
    }
}

//! Draws: the only steps, in the only order, at their hour, and what a settlement must be.

use std::collections::{BTreeMap, BTreeSet};

use keno_log::event::DrawSettled;
use keno_log::{Event, Hash};

use super::{Draw, Model, Stage, Standing, Ticket, Wrong, must};
use crate::prizes::{Shares, prizes};

impl Model {
    pub(super) fn draw_step(&mut self, at_ms: i64, event: &Event, root: Hash) -> Result<(), Wrong> {
        let number = event.draw();
        let by_schedule = matches!(
            event,
            Event::DrawScheduled(_)
                | Event::DrawClosed(_)
                | Event::DrawStarted(_)
                | Event::BallsRecorded(_)
                | Event::DrawCertified(_)
                | Event::DrawSettled(_)
        );
        must(!(by_schedule && (self.halted || self.jumped)), || {
            "a step by a clock that nobody confirmed".to_owned()
        })?;
        if let Event::DrawScheduled(body) = event {
            let last = self.draws.keys().next_back().copied().unwrap_or(0);
            must(number == last + 1, || format!("draw {number} after {last}"))?;
            must(body.closes_at_ms < body.draws_at_ms, || {
                "it draws before it closes".to_owned()
            })?;
            let after = self
                .draws
                .values()
                .all(|draw| draw.draws_at_ms < body.draws_at_ms);
            must(after, || "it draws before an earlier one".to_owned())?;
            let draw = Draw {
                stage: Stage::Scheduled,
                closes_at_ms: body.closes_at_ms,
                draws_at_ms: body.draws_at_ms,
                cap_cents: body.cap_cents,
                full_below_cents: body.full_below_cents,
                commitments: 0,
                holders: body.holders.len(),
                seal: None,
                started: false,
                balls: None,
                revealed: false,
                tickets: BTreeSet::new(),
                prizes: BTreeMap::new(),
                over_at_ms: None,
                decided_at_ms: None,
            };
            self.draws.insert(number, draw);
            return Ok(());
        }
        if let Event::DrawSettled(body) = event {
            return self.settle(at_ms, body);
        }
        if let Event::DrawClosed(body) = event {
            let in_draw = self.in_draw(number);
            let selections: usize = in_draw.iter().map(|one| one.sold.selections.len()).sum();
            let wagered: i64 = in_draw.iter().map(|one| one.sold.per_draw_cents).sum();
            let found = (in_draw.len(), selections, wagered);
            let told = (
                usize::try_from(body.tickets).unwrap_or(usize::MAX),
                usize::try_from(body.selections).unwrap_or(usize::MAX),
                body.wagered_cents,
            );
            must(found == told, || {
                format!("tickets, selections, cents: {told:?} and not {found:?}")
            })?;
        }
        if let Event::DrawVoided(body) = event {
            let in_draw = self.in_draw(number);
            let refund: i64 = in_draw.iter().map(|one| one.sold.per_draw_cents).sum();
            let tickets = u64::try_from(in_draw.len()).unwrap_or(u64::MAX);
            must(
                (body.tickets, body.refund_cents) == (tickets, refund) && body.by != body.second,
                || {
                    format!(
                        "{} to {} tickets and not {refund} to {tickets}, or one person",
                        body.refund_cents, body.tickets
                    )
                },
            )?;
        }
        let (size, ball_interval_ms) = (self.size, self.ball_interval_ms);
        let draw = self.draws.get_mut(&number);
        let draw = draw.ok_or_else(|| format!("draw {number} is unknown"))?;
        let stage = draw.stage;
        let from = |allowed: &[Stage]| {
            must(allowed.contains(&stage), || {
                format!("draw {number} is {stage:?}")
            })
        };
        let no_sooner = |due_ms: i64| {
            must(at_ms >= due_ms, || {
                format!("draw {number}: {} ms early", due_ms - at_ms)
            })
        };
        match event {
            Event::CommitmentRecorded(body) => {
                from(&[Stage::Scheduled])?;
                must(usize::from(body.position) == draw.commitments, || {
                    format!("commitment {} out of turn", body.position)
                })?;
                draw.commitments += 1;
            }
            Event::DrawOpened(_) => {
                from(&[Stage::Scheduled])?;
                must(draw.commitments == draw.holders, || {
                    "a holder has not committed".to_owned()
                })?;
                draw.stage = Stage::Open;
            }
            Event::DrawClosed(_) => {
                from(&[Stage::Open])?;
                no_sooner(draw.closes_at_ms)?;
                draw.stage = Stage::Closed;
                draw.seal = Some((size, root));
            }
            Event::DrawStarted(body) => {
                from(&[Stage::Closed])?;
                must(draw.seal == Some((body.seal_size, body.seal_root)), || {
                    format!("seal {} and not {:?}", body.seal_size, draw.seal)
                })?;
                (draw.stage, draw.started) = (Stage::Drawing, true);
            }
            Event::BallsRecorded(body) => {
                from(&[Stage::Drawing])?;
                let distinct: BTreeSet<u8> = body.balls.iter().copied().collect();
                let lawful = body.balls.len() == 20 && distinct.len() == 20;
                let in_pool = distinct.iter().all(|ball| (1..=80).contains(ball));
                must(lawful && in_pool && draw.balls.is_none(), || {
                    format!("numbers {:?} after {:?}", body.balls, draw.balls)
                })?;
                draw.balls = Some((body.balls.clone(), at_ms));
                draw.stage = Stage::Drawn;
            }
            Event::DrawCertified(_) => {
                from(&[Stage::Drawn])?;
                let recorded = draw.balls.as_ref().map_or(0, |(_, at_ms)| *at_ms);
                no_sooner(recorded.max(draw.draws_at_ms) + 20 * ball_interval_ms)?;
                (draw.stage, draw.decided_at_ms) = (Stage::Official, Some(at_ms));
            }
            Event::SecretsRevealed(_) => {
                from(&[Stage::Official, Stage::Void])?;
                must(!draw.revealed, || "the secrets are told twice".to_owned())?;
                draw.revealed = true;
            }
            Event::DrawSuspended(_) => {
                from(&[Stage::Closed, Stage::Drawing, Stage::Drawn])?;
                draw.stage = Stage::Suspended;
            }
            Event::DrawResumed(_) => {
                from(&[Stage::Suspended])?;
                // With its numbers it waits for certification, without them for its seal's turn.
                draw.stage = if draw.balls.is_some() {
                    Stage::Drawn
                } else {
                    Stage::Closed
                };
            }
            Event::DrawVoided(body) => {
                from(&[Stage::Closed, Stage::Drawing, Stage::Suspended])?;
                let sold = draw.tickets.iter().find(|ticket| {
                    let ticket = self.tickets.get(ticket);
                    ticket.is_some_and(|it| [&body.by, &body.second].contains(&&it.sold.badge))
                });
                must(
                    draw.balls.is_none() && !(draw.started && sold.is_some()),
                    || format!("draw {number} has numbers, or {sold:?} was sold by one of the two"),
                )?;
                (draw.stage, draw.over_at_ms) = (Stage::Void, Some(at_ms));
                draw.decided_at_ms = Some(at_ms);
            }
            other => return Err(format!("{} is not known here", other.kind().name())),
        }
        Ok(())
    }

    /// Tickets that take part in a draw.
    fn in_draw(&self, number: u64) -> Vec<&Ticket> {
        let of_draw = self.draws.get(&number).map(|draw| &draw.tickets);
        of_draw
            .into_iter()
            .flatten()
            .filter_map(|ticket| self.tickets.get(ticket))
            .filter(|ticket| ticket.standing == Standing::Sold)
            .collect()
    }

    fn settle(&mut self, at_ms: i64, body: &DrawSettled) -> Result<(), Wrong> {
        let draw = self.draws.get(&body.draw);
        let draw = draw.ok_or_else(|| format!("draw {} is unknown", body.draw))?;
        must(draw.stage == Stage::Official, || {
            format!("draw {} is {:?}", body.draw, draw.stage)
        })?;
        let (drawn, _) = draw.balls.clone().unwrap_or_default();
        let mut won: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
        for number in &draw.tickets {
            let ticket = self.ticket(*number)?;
            if ticket.standing != Standing::Sold {
                continue;
            }
            let book = self.book_of(ticket)?;
            for selection in &ticket.sold.selections {
                let of_selection = prizes(selection, book, &drawn);
                if !of_selection.is_empty() {
                    won.entry(*number).or_default().extend(of_selection);
                }
            }
        }
        let below = draw.full_below_cents;
        let shares = Shares::of(won.values().flatten().copied(), draw.cap_cents, below);
        let paid: BTreeMap<u64, (i64, i64)> = won
            .iter()
            .map(|(ticket, prizes)| {
                let payable = prizes.iter().map(|prize| shares.payable(*prize, below));
                (*ticket, (prizes.iter().sum(), payable.sum()))
            })
            .collect();
        let payable: i64 = paid.values().map(|(_, payable)| payable).sum();
        let all = shares.small_cents + shares.large_cents;
        let figures = [
            i64::try_from(paid.len()).unwrap_or(i64::MAX),
            shares.small_cents,
            shares.large_cents,
            payable,
            shares.small.0,
            shares.small.1,
            shares.large.0,
            shares.large.1,
            all.min(draw.cap_cents) - payable,
        ];
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let told = [
            signed(body.winners),
            body.small_cents,
            body.large_cents,
            body.payable_cents,
            signed(body.small_numerator),
            signed(body.small_denominator),
            signed(body.large_numerator),
            signed(body.large_denominator),
            body.breakage_cents,
        ];
        must(told == figures, || {
            format!(
                "winners, small, large, payable, factors, breakage: {told:?} and not {figures:?}"
            )
        })?;
        if let Some(draw) = self.draws.get_mut(&body.draw) {
            draw.prizes = paid;
            (draw.stage, draw.over_at_ms) = (Stage::Settled, Some(at_ms));
        }
        Ok(())
    }
}

//! The verdict on a ticket: one enum, one sentence per language, computed by one function for
//! clerk, kiosk and auditor. "Unknown" and "not settled yet" never read as a loss.

use keno_game::{DrawState, RuleBook, TicketState};
use keno_log::{Event, EventKind};
use keno_record::calendar::day_text;
use keno_record::fault::Fault;
use keno_record::past_draws::draw_range;
use keno_record::people::GUARD;
use keno_record::state::Following;
use keno_record::store::hand_overs;
use keno_record::store::leaves::Fact;
use keno_record::ticket::Ticket;
use keno_record::view::DrawInfo;
use keno_words::verdict as words;
use keno_words::{Money, Say};

use crate::central::Central;
use crate::counter::deadline::{Claims, Extensions};
use crate::counter::ticket::is_held;

/// The verdict on a ticket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// No draw of the ticket has taken place.
    NotYetDrawn {
        /// Local time of the next draw.
        time: String,
    },
    /// Some draws are settled, others to come; nothing to pay now.
    PartlyDrawn {
        /// Draws done.
        done: u64,
        /// Draws to come.
        to_come: u64,
    },
    /// Something can be paid here and now.
    Winner {
        /// What can be paid.
        cents: i64,
    },
    /// Something can be paid, at the main cage.
    WinnerAtCage,
    /// Every draw is settled and nothing was won.
    NotWinner,
    /// Everything won was paid.
    AlreadyPaid {
        /// When, local.
        date: String,
        /// Where.
        place: String,
    },
    /// Cancelled before its first draw closed.
    Cancelled {
        /// When, local; empty when unknown here.
        date: String,
    },
    /// Void: the wager was never paid (s. 83).
    VoidUnpaid,
    /// This paper was replaced by a duplicate.
    Replaced,
    /// The claim period is over.
    ClaimExpired {
        /// The last day, yyyy-mm-dd.
        date: String,
    },
    /// Held: its paper was never confirmed.
    InDoubt,
    /// Held: its win is so rare that people look at it first.
    WinHeld {
        /// Who answers for it; none where the house does not say.
        owner: Option<String>,
        /// Until when it is decided, local.
        until: String,
        /// That is over.
        is_late: bool,
    },
    /// A draw's numbers are out but not official or not settled, or what it owes waits for the second
    /// computation.
    DrawUnofficial,
    /// A draw of the ticket is void; its wager is refunded.
    DrawCancelled {
        /// What can be refunded now.
        cents: i64,
    },
    /// The number is not in the record.
    NotFound,
    /// Sold before a restore that lost its record: two people look into it.
    RecordLost {
        /// When the record was restored, local.
        date: String,
    },
    /// Lost in a restore, and its price was given back.
    LostRefunded {
        /// When, local.
        date: String,
        /// Where.
        place: String,
    },
    /// The code cannot be read.
    Unreadable,
    /// Central cannot be asked.
    CentralDown,
}

impl Verdict {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotYetDrawn { .. } => "not_yet_drawn",
            Self::PartlyDrawn { .. } => "partly_drawn",
            Self::Winner { .. } => "winner",
            Self::WinnerAtCage => "winner_at_cage",
            Self::NotWinner => "not_winner",
            Self::AlreadyPaid { .. } => "already_paid",
            Self::Cancelled { .. } => "cancelled",
            Self::VoidUnpaid => "void_unpaid",
            Self::Replaced => "replaced",
            Self::ClaimExpired { .. } => "claim_expired",
            Self::InDoubt => "in_doubt",
            Self::WinHeld { .. } => "win_held",
            Self::DrawUnofficial => "draw_unofficial",
            Self::DrawCancelled { .. } => "draw_cancelled",
            Self::NotFound => "not_found",
            Self::RecordLost { .. } => "record_lost",
            Self::LostRefunded { .. } => "lost_refunded",
            Self::Unreadable => "unreadable",
            Self::CentralDown => "central_down",
        }
    }

    /// The sentence. `amounts` is false where an amount is not shown.
    pub fn words(&self, amounts: bool) -> &dyn Say {
        match self {
            Self::Winner { .. } if !amounts => &words::WinnerNoAmount,
            Self::DrawCancelled { .. } if !amounts => &words::DrawCancelledNoAmount,
            _ => self,
        }
    }
}

keno_words::says! { Verdict: verdict {
    NotYetDrawn { time },
    PartlyDrawn { done, to_come },
    Winner { cents } => |say| say(&words::Winner { amount: &Money(*cents) }),
    WinnerAtCage,
    NotWinner,
    AlreadyPaid { date, place },
    Cancelled { date } => |say| match date.as_str() {
        "" => say(&words::CancelledUndated),
        date => say(&words::Cancelled { date: &date }),
    },
    VoidUnpaid,
    Replaced,
    ClaimExpired { date },
    InDoubt,
    WinHeld { owner, until, is_late } => |say| {
        let owner: &dyn Say = match owner {
            Some(owner) => owner,
            None => &words::Management,
        };
        match is_late {
            false => say(&words::WinHeld { owner: &owner, until }),
            true => say(&words::WinHeldLate { owner: &owner, until }),
        }
    },
    DrawUnofficial,
    DrawCancelled { cents } => |say| say(&words::DrawCancelled { amount: &Money(*cents) }),
    NotFound,
    RecordLost { date },
    LostRefunded { date, place },
    Unreadable,
    CentralDown,
} }

/// What a ticket's draw owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueKind {
    /// Nothing yet, or nothing.
    None,
    /// A prize.
    Prize,
    /// The wager of a void draw.
    Refund,
}

/// What became of what is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DueState {
    /// Nothing is due.
    None,
    /// Due and unpaid.
    Unpaid,
    /// Due, and to be paid once the second computation agrees.
    Waits,
    /// Paid: leaf of the payment, when, and at which device.
    Paid {
        /// Leaf of the payment.
        payment: u64,
        /// When.
        at_ms: i64,
        /// Shift that paid.
        shift: u64,
    },
    /// Not claimed in time.
    Expired,
}

/// One draw of a ticket.
#[derive(Debug, Clone)]
pub struct TicketDraw {
    /// The draw.
    pub draw: DrawInfo,
    /// What is due.
    pub kind: DueKind,
    /// Prize before the cap; the refund for a void draw.
    pub computed_cents: i64,
    /// What is payable.
    pub payable_cents: i64,
    /// What became of it.
    pub due: DueState,
    /// The last day to claim it, yyyymmdd: never before the day on the paper.
    pub claim_until: u32,
}

/// A ticket with everything that a verdict rests on.
#[derive(Debug, Clone)]
pub struct TicketPicture {
    /// The ticket.
    pub ticket: Ticket,
    /// Its draws, ascending.
    pub draws: Vec<TicketDraw>,
    /// Held for want of a confirmed paper.
    pub held: bool,
    /// All that was paid and is owed, in all its draws: what the limits are judged on.
    pub tier_cents: i64,
}

/// Puts a ticket's draws together: pure.
///
/// # Errors
/// [`Fault::Record`] when its prizes cannot be computed.
fn picture(
    ticket: Ticket,
    rules: &RuleBook,
    draws: Vec<DrawInfo>,
    now_ms: i64,
    claims: &Claims,
    (following, is_another): (&Following, bool),
) -> Result<TicketPicture, Fault> {
    let first_closes = draws
        .first()
        .filter(|draw| draw.is_sealed() || draw.state() == DrawState::Void)
        .map(DrawInfo::closes_at_ms);
    let held = is_held(&ticket, first_closes, now_ms);
    let sold = ticket.state == TicketState::Sold;
    let mut tier_cents = 0_i64;
    let draws: Result<Vec<TicketDraw>, Fault> = draws
        .into_iter()
        .map(|draw| {
            let number = draw.number();
            let prize = match draw.settled() {
                Some(settled) => ticket.prize(rules, settled)?,
                None => None,
            };
            let (kind, computed, payable) = match (prize, draw.state()) {
                (Some(prize), _) => {
                    let (computed, payable) = (prize.computed.get(), prize.payable.get());
                    (DueKind::Prize, computed, payable)
                }
                (None, DrawState::Void) if sold => {
                    let cents = ticket.sale.per_draw_cents;
                    (DueKind::Refund, cents, cents)
                }
                _ => (DueKind::None, 0, 0),
            };
            let due = if payable == 0 {
                DueState::None
            } else if let Some((payment, _)) = ticket.paid(Some(number)) {
                DueState::Paid {
                    payment: payment.number,
                    at_ms: payment.paid_at_ms,
                    shift: payment.shift,
                }
            } else if claims.is_over(draw.number(), draw.leaves()) {
                DueState::Expired
            } else {
                DueState::Unpaid
            };
            tier_cents = tier_cents.saturating_add(payable);
            Ok(TicketDraw {
                claim_until: claims.until(draw.leaves()),
                draw,
                kind,
                computed_cents: computed,
                payable_cents: payable,
                due,
            })
        })
        .collect();
    let mut draws = draws?;
    let is_large = tier_cents >= rules.payout.second_person.get();
    for draw in &mut draws {
        let waiting = following.waiting.get(&draw.draw.number());
        let waits = waiting.is_some_and(|waiting| waiting.holds_up(is_large))
            || (is_another && is_large && rules.payout.second_computation.is_some());
        if waits && draw.due == DueState::Unpaid {
            draw.due = DueState::Waits;
        }
    }
    Ok(TicketPicture {
        draws,
        ticket,
        held,
        tier_cents,
    })
}

impl TicketPicture {
    /// When it was cancelled or marked unpaid.
    pub fn withdrawn_at_ms(&self) -> Option<i64> {
        let mut facts = self.ticket.facts.iter();
        let withdrawn = facts.find(|fact| {
            let kind = fact.event.kind();
            matches!(kind, EventKind::TicketCancelled | EventKind::TicketUnpaid)
        });
        withdrawn.map(|fact| fact.at_ms)
    }

    /// What can be paid now, by draw.
    pub fn payable(&self) -> impl Iterator<Item = &TicketDraw> {
        self.draws
            .iter()
            .filter(|draw| draw.due == DueState::Unpaid)
    }

    /// When its win was held by the guard, if it was.
    pub fn win_held_at_ms(&self) -> Option<i64> {
        win_held_at_ms(&self.ticket)
    }

    /// The verdict: pure. `local` turns a moment into local text, `place` names where a shift
    /// paid, `held` is what is said of a ticket that is held, `cage_cents` is the limit above which only the cage pays.
    fn judged(
        &self,
        local: impl Fn(i64) -> String,
        place: impl Fn(u64) -> String,
        held: impl Fn() -> Verdict,
        cage_cents: i64,
    ) -> Verdict {
        if self.ticket.state == TicketState::Cancelled {
            return Verdict::Cancelled {
                date: self.withdrawn_at_ms().map(&local).unwrap_or_default(),
            };
        }
        if self.ticket.state == TicketState::VoidUnpaid {
            return Verdict::VoidUnpaid;
        }
        if self.held {
            return held();
        }
        let unpaid: i64 = self.payable().map(|draw| draw.payable_cents).sum();
        let prizes_unpaid = self.payable().any(|draw| draw.kind == DueKind::Prize);
        if unpaid > 0 {
            return if self.tier_cents >= cage_cents {
                Verdict::WinnerAtCage
            } else if prizes_unpaid {
                Verdict::Winner { cents: unpaid }
            } else {
                Verdict::DrawCancelled { cents: unpaid }
            };
        }
        if self.draws.iter().any(|draw| draw.due == DueState::Waits) {
            return Verdict::DrawUnofficial;
        }
        let is_done = |state: DrawState| matches!(state, DrawState::Settled | DrawState::Void);
        let done = self
            .draws
            .iter()
            .filter(|draw| is_done(draw.draw.state()))
            .count();
        let to_come = self.draws.len() - done;
        if to_come > 0 {
            let between = self.draws.iter().any(|draw| {
                matches!(
                    draw.draw.state(),
                    DrawState::Closed
                        | DrawState::Drawing
                        | DrawState::Drawn
                        | DrawState::Official
                        | DrawState::Suspended
                )
            });
            let next = self
                .draws
                .iter()
                .find(|draw| matches!(draw.draw.state(), DrawState::Scheduled | DrawState::Open));
            return match next {
                _ if between && done == 0 => Verdict::DrawUnofficial,
                None => Verdict::DrawUnofficial,
                Some(next) if done == 0 => Verdict::NotYetDrawn {
                    time: local(next.draw.draws_at_ms()),
                },
                Some(_) => Verdict::PartlyDrawn {
                    done: u64::try_from(done).unwrap_or(u64::MAX),
                    to_come: u64::try_from(to_come).unwrap_or(u64::MAX),
                },
            };
        }
        let last_paid = self.draws.iter().rev().find_map(|draw| match draw.due {
            DueState::Paid { at_ms, shift, .. } => Some((at_ms, shift)),
            _ => None,
        });
        if let Some((at_ms, shift)) = last_paid {
            return Verdict::AlreadyPaid {
                date: local(at_ms),
                place: place(shift),
            };
        }
        let expired = self.draws.iter().filter(|it| it.due == DueState::Expired);
        if let Some(day) = expired.map(|draw| draw.claim_until).max() {
            return Verdict::ClaimExpired {
                date: day_text(day),
            };
        }
        Verdict::NotWinner
    }
}

/// When a draw closed, once it has.
///
/// # Errors
/// A fault.
pub fn closes_at(central: &Central, draw: u64) -> Result<Option<i64>, Fault> {
    Ok(draw_range(central, draw, draw)?
        .first()
        .filter(|draw| draw.is_sealed())
        .map(DrawInfo::closes_at_ms))
}

impl TicketPicture {
    /// Everything that a verdict on a ticket rests on.
    ///
    /// # Errors
    /// A fault.
    pub fn of(central: &Central, ticket: Ticket) -> Result<TicketPicture, Fault> {
        let draws = draw_range(central, ticket.first_draw, ticket.last_draw)?;
        let now_ms = central.clock.now_ms();
        let view = central.view.get();
        let rules = view
            .rule_books
            .get(&ticket.sale.rule_book)
            .ok_or_else(|| Fault::Record(format!("ticket {} has no rules", ticket.number)))?;
        let extensions = Extensions::new(
            central.calendar,
            &view.rule_books,
            &view.silences,
            ticket.sale.rule_book,
        );
        let claims = Claims::of(extensions, now_ms, &ticket);
        let following: &Following = &view.following;
        let line = central.follower.as_ref();
        let is_another = line.is_some_and(|line| line.is_another_named(following));
        let following = (following, is_another);
        picture(ticket, &rules.rules, draws, now_ms, &claims, following)
    }

    /// What is said of a held ticket: of a win that is so rare, who decides and by when.
    fn held_verdict(&self, central: &Central) -> Verdict {
        let Some(held_at_ms) = self.win_held_at_ms() else {
            return Verdict::InDoubt;
        };
        let until_ms = decided_by_ms(central, held_at_ms);
        Verdict::WinHeld {
            owner: central.house.held_wins.owner.clone(),
            until: central.calendar.minute_text(until_ms),
            is_late: central.clock.now_ms() > until_ms,
        }
    }

    /// The verdict on a ticket's picture.
    pub fn verdict(&self, central: &Central) -> Verdict {
        let view = central.view.get();
        let book = view.rule_books.get(&self.ticket.sale.rule_book);
        let cage_cents = book.map_or(i64::MAX, |rules| rules.rules.payout.cage.get());
        self.judged(
            |at_ms| central.calendar.minute_text(at_ms),
            |shift| shift_place(central, shift),
            || self.held_verdict(central),
            cage_cents,
        )
    }
}

/// When the guard held a ticket's win, if it did last; none where people held it.
pub fn win_held_at_ms(ticket: &Ticket) -> Option<i64> {
    let held = |fact: &&Fact| matches!(fact.event, Event::PaymentHeld(_));
    let last = ticket.facts.iter().rev().find(held)?;
    match &last.event {
        Event::PaymentHeld(body) if body.by == GUARD => Some(last.at_ms),
        _ => None,
    }
}

/// Until when a win that was held then is decided.
pub fn decided_by_ms(central: &Central, held_at_ms: i64) -> i64 {
    held_at_ms + i64::from(central.house.held_wins.hours) * 3_600_000
}

/// Where a shift was: the name of its device.
pub fn shift_place(central: &Central, shift: u64) -> String {
    let found = central.readers.get().map_err(Fault::from);
    let found = found.and_then(|mut reader| Ok(hand_overs::place_of_shift(&mut reader, shift)?));
    found.ok().flatten().unwrap_or_default()
}

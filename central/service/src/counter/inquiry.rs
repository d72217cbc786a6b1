//! An inquiry about a ticket, by whoever asks: what is noted, what counts as a guess, and what is
//! told. Nothing moves.

use keno_game::Tender;
use keno_record::fault::Fault;
use keno_record::ticket::Ticket;

use crate::Stop;
use crate::access::{AccessKind, AccessLine, AccessLog};
use crate::central::Central;
use crate::counter::check::{TicketPicture, Verdict, shift_place};
use crate::counter::ground::typed_takes_two;
use crate::counter::guesses::{Asker, LookUpLimits};
use crate::counter::paper::Paper;
use crate::counter::pay::takes_two;
use crate::refusal::Refusal;

/// Who asks about a ticket.
#[derive(Debug, Clone)]
pub struct Viewer {
    /// Somebody on the staff, who is told that the paper's code is needed.
    pub is_person: bool,
    /// A person of the main cage.
    pub is_cage: bool,
    /// For limits.
    pub asker: Asker,
    /// For the access log.
    pub device: Option<u32>,
    /// For the access log.
    pub badge: String,
}

/// What an inquiry found.
#[derive(Debug)]
pub enum Found {
    /// No ticket: the verdict is all.
    Nothing(Verdict),
    /// A paper that a duplicate has replaced.
    Replaced,
    /// A ticket, and whether its paper's code was shown and is right. Without that it is answered
    /// with the verdict alone: never an amount, never the ticket.
    Ticket {
        /// The ticket.
        ticket: Box<Ticket>,
        /// Whether the code was right.
        is_whole: bool,
    },
}

/// A ticket in the record, with its verdict.
#[derive(Debug)]
pub struct Answered {
    /// What the verdict rests on.
    pub picture: TicketPicture,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether its paper's code was shown: only then is anything said of what was registered.
    pub is_whole: bool,
}

impl Viewer {
    /// Looks a paper up, which was judged by the keys alone. Whoever asks without a true code counts as
    /// one who guesses.
    ///
    /// # Errors
    /// [`Refusal::TooManyUnknown`], [`Refusal::NumberUnknown`], or a fault.
    pub fn look_up(
        &self,
        central: &Central,
        log: &AccessLog,
        limits: &LookUpLimits,
        paper: &Paper,
    ) -> Result<Found, Stop> {
        let taken_ms = central.clock.monotonic_ms();
        // A code with a true secret is no guess, whoever shows it.
        let is_guess = paper.true_claim().is_none();
        if is_guess {
            limits.take(self.asker, taken_ms)?;
        }
        let was_known = || {
            if is_guess {
                limits.was_known(self.asker, taken_ms);
            }
        };
        let note = |kind: AccessKind| {
            log.note(AccessLine {
                at_ms: central.clock.now_ms(),
                kind,
                device: self.device,
                badge: self.badge.clone(),
                trace: hex::encode(central.keys.trace(&paper.number.digits())),
                purpose: String::new(),
            });
        };
        let Some(ticket) = paper.find(central)? else {
            if let Some(verdict) = refunded_as_lost(central, paper)? {
                was_known();
                note(AccessKind::LookUp);
                return Ok(Found::Nothing(verdict));
            }
            if let Some(at_ms) = paper.lost_in_restore(central) {
                note(AccessKind::LookUp);
                let date = central.calendar.minute_text(at_ms);
                return Ok(Found::Nothing(Verdict::RecordLost { date }));
            }
            note(AccessKind::UnknownNumber);
            return Ok(Found::Nothing(Verdict::NotFound));
        };
        let is_whole = match paper.check_claim(&ticket) {
            Ok(()) => true,
            Err(Refusal::ClaimCodeNeeded) => false,
            Err(Refusal::CopyReplaced) => {
                note(AccessKind::LookUp);
                return Ok(Found::Replaced);
            }
            Err(refusal) => return Err(refusal.into()),
        };
        was_known();
        note(AccessKind::LookUp);
        let ticket = Box::new(ticket);
        Ok(Found::Ticket { ticket, is_whole })
    }
}

/// The verdict on a ticket that a restore lost and that was refunded. A secret that is not this
/// house's learns nothing.
fn refunded_as_lost(central: &Central, paper: &Paper) -> Result<Option<Verdict>, Fault> {
    let refund = paper.lost_refund(central)?;
    if paper.is_claimed() && paper.lost_in_restore(central).is_none() {
        return Ok(None);
    }
    Ok(refund.map(|(refunded, at_ms)| Verdict::LostRefunded {
        date: central.calendar.minute_text(at_ms),
        place: shift_place(central, refunded.shift),
    }))
}

impl Answered {
    /// The verdict on a ticket in the record.
    ///
    /// # Errors
    /// A fault.
    pub fn of(central: &Central, ticket: Ticket, is_whole: bool) -> Result<Answered, Fault> {
        let picture = TicketPicture::of(central, ticket)?;
        Ok(Answered {
            verdict: picture.verdict(central),
            picture,
            is_whole,
        })
    }

    /// What can be paid now, by draw, in cents: nothing while the verdict is another.
    pub fn payable(&self) -> Vec<(u64, i64)> {
        let is_payable = matches!(
            self.verdict,
            Verdict::Winner { .. } | Verdict::WinnerAtCage | Verdict::DrawCancelled { .. }
        );
        self.picture
            .payable()
            .filter(|_| is_payable)
            .map(|draw| (draw.draw.number(), draw.payable_cents))
            .collect()
    }

    /// The last day to claim what can still be paid, yyyymmdd. The paper is not the last word: a
    /// late draw or a silence of the house extends its day.
    pub fn claim_until(&self) -> Option<u32> {
        let days = self.picture.payable().map(|draw| draw.claim_until).min();
        days.or_else(|| self.picture.draws.iter().map(|draw| draw.claim_until).min())
    }

    /// Whether two people pay what can be paid now; `typed_by` is whose badge it is where the signs
    /// of the paper were typed.
    ///
    /// # Errors
    /// A fault.
    pub fn takes_two(
        &self,
        central: &Central,
        knows_refusals: bool,
        typed_by: Option<&str>,
    ) -> Result<bool, Fault> {
        let view = central.view.get();
        let (ticket, tier) = (&self.picture.ticket, self.picture.tier_cents);
        let Some(book) = view.rule_books.get(&ticket.sale.rule_book) else {
            return Ok(true);
        };
        let payout = &book.rules.payout;
        let was_refused = knows_refusals && ticket.refused_reason().is_some();
        if takes_two(payout.second_person.get(), tier, was_refused) {
            return Ok(true);
        }
        let Some(badge) = typed_by else {
            return Ok(false);
        };
        let now = (&view.people, central.calendar, central.clock.now_ms());
        let mut reader = central.readers.get()?;
        typed_takes_two(&mut reader, now, badge, (payout, tier))
    }

    /// Whether two people cancel it.
    pub fn cancels_by_two(&self, central: &Central) -> bool {
        let view = central.view.get();
        let sale = &self.picture.ticket.sale;
        let book = view.rule_books.get(&sale.rule_book);
        book.is_none_or(|book| book.rules.payout.is_cancelled_by_two(sale.total_cents))
    }

    /// Whether the till of a device has less cash than can be paid now. A ticket that was not paid in
    /// cash is paid in its own tender, of which no till runs out.
    pub fn is_till_short(&self, central: &Central, device: u32, cents: i64) -> bool {
        let view = central.view.get();
        let is_cash = self.is_whole && self.picture.ticket.sale.tender == Tender::Cash;
        view.shift_at(device)
            .is_some_and(|(_, shift)| is_cash && cents > shift.expected_cents)
    }
}

//! Numbers and prizes of a draw, recomputed and compared.

use keno_log::EventKind;
use keno_log::event::DrawSettled;

use super::account::DrawState;
use super::draws::COMPUTER;
use super::{Replay, add};
use crate::balls::{recompute, secrets_hash};
use crate::finding::FindingCode;
use crate::prizes::{Settlement, TicketPrizes, settle};

impl Replay {
    /// The numbers of a computer draw follow from secrets and seal. What is wrong is wrong in
    /// the entry that recorded them.
    pub(super) fn judge_balls(&mut self, house: &str, number: u64) {
        let Some(draw) = self.draws.get(&number) else {
            return;
        };
        let (Some(recorded), Some(secrets), Some(derivation)) =
            (&draw.balls, &draw.secrets, draw.derivation(house))
        else {
            return;
        };
        if recorded.machine != COMPUTER {
            return;
        }
        let computed = recompute(&derivation, secrets);
        let entry = draw.balls_at;
        let mut wrong = Vec::new();
        if recorded.secrets_hash != secrets_hash(secrets) {
            wrong.push((FindingCode::SecretsHash, format!("draw {number}")));
        }
        if recorded.balls != computed.balls {
            let detail = format!("draw {number}, computed {:?}", computed.balls);
            wrong.push((FindingCode::BallsDiffer, detail));
        }
        let words = (computed.words_used, computed.words_rejected);
        if (recorded.words_used, recorded.words_rejected) != words {
            let detail = format!("draw {number}, computed {} and {}", words.0, words.1);
            wrong.push((FindingCode::WordsDiffer, detail));
        }
        for (code, detail) in wrong {
            self.find_at(entry, Some(EventKind::BallsRecorded), code, detail);
        }
    }

    pub(super) fn draw_settled(&mut self, body: &DrawSettled) {
        self.judge_halt();
        let unrevealed = self.draws.get(&body.draw).is_some_and(|draw| {
            let by_computer = draw.balls.as_ref().is_some_and(|it| it.machine == COMPUTER);
            draw.state == DrawState::Official && by_computer && draw.secrets.is_none()
        });
        if unrevealed {
            // The draw stays official: what its secrets say of its numbers is still to come.
            find!(self => DrawStepOutOfOrder, "before the secrets are revealed");
            return;
        }
        if self
            .step(body.draw, &[DrawState::Official], DrawState::Settled)
            .is_none()
        {
            return;
        }
        match self.settlement_of(body.draw) {
            Some(computed) => {
                self.judge_settlement(body, &computed);
                add(&mut self.totals.payable_cents, computed.payable_cents);
                if let Some(draw) = self.draws.get_mut(&body.draw) {
                    draw.settlement = Some(computed);
                }
            }
            None => find!(self => TooLarge, "draw {}", body.draw),
        }
        self.draw_waits(body.draw);
        self.finish();
    }

    /// The settlement of a draw from its tickets and numbers.
    fn settlement_of(&self, number: u64) -> Option<Settlement> {
        let draw = self.draws.get(&number)?;
        let mut drawn = 0_u128;
        for ball in &draw.balls.as_ref()?.balls {
            drawn |= 1_u128.checked_shl(u32::from(ball.checked_sub(1)?))?;
        }
        let mut prizes: Vec<TicketPrizes> = Vec::new();
        let mut of_ticket = Vec::new();
        for ticket in self
            .tickets_in(number)
            .filter(|ticket| draw.takes_part(ticket))
        {
            let book = self.books.get(ticket.terms.rule_book);
            let (Some(published), Some(wagers)) = (book, self.tickets.wagers(&ticket)) else {
                continue;
            };
            of_ticket.clear();
            wagers.prizes(&published.book, drawn, &mut of_ticket);
            let each = of_ticket.iter();
            prizes.extend(each.map(|(prize, ways)| (ticket.leaf, *prize, *ways)));
        }
        // Stable: the equal prizes of one ticket stay together, as they came.
        prizes.sort_by_key(|(ticket, _, _)| *ticket);
        settle(&draw.cap, &prizes)
    }

    fn judge_settlement(&mut self, body: &DrawSettled, computed: &Settlement) {
        let factors = &computed.factors;
        must!(self, body.winners == computed.winners => SettlementWinners,
            "recorded {}, computed {}", body.winners, computed.winners);
        let sums = (factors.small_cents, factors.large_cents);
        must!(self, (body.small_cents, body.large_cents) == sums => SettlementSums,
            "computed {sums:?}");
        let recorded_factors = (
            (body.small_numerator, body.small_denominator),
            (body.large_numerator, body.large_denominator),
        );
        must!(self, recorded_factors == (factors.small, factors.large) => SettlementFactors,
            "computed {:?} and {:?}", factors.small, factors.large);
        let payable = (computed.payable_cents, computed.breakage_cents);
        must!(self, (body.payable_cents, body.breakage_cents) == payable => SettlementPayable,
            "computed {payable:?}");
        must!(self, body.prize_root == computed.prize_root => SettlementRoot,
            "draw {}", body.draw);
    }
}

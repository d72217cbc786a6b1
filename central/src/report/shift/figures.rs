//! What went through a till, added up.

use keno_game::{PaidKind, Tender, TillMovementKind};
use keno_log::Event;
use keno_log::event::TicketSold;
use keno_wire::reply::ShiftLine;

/// What facts speak of that may lie elsewhere in the record.
#[derive(Clone, Copy)]
pub struct Elsewhere<'a> {
    /// The sale of a ticket.
    pub sold: &'a dyn Fn(u64) -> Option<Sale>,
    /// What a payment owed in cents, before rounding, and its tender.
    pub paid: &'a dyn Fn(u64) -> Option<(i64, u8)>,
}

/// What a sale put into its till.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sale {
    /// The shift that sold it.
    pub shift: u64,
    /// Recorded number of the tender.
    pub tender: u8,
    /// What was handed over, in cents.
    pub received_cents: i64,
    /// Change for a chip, in cents.
    pub chip_change_cents: i64,
}

impl From<&TicketSold> for Sale {
    fn from(body: &TicketSold) -> Self {
        Self {
            shift: body.shift,
            tender: body.tender,
            received_cents: body.received_cents,
            chip_change_cents: body.chip_change_cents,
        }
    }
}

/// Adds an amount in cents, in the tender of a recorded number.
fn add(line: &mut ShiftLine, cents: i64, tender: u8) {
    line.count += 1;
    line.amount_cents = line.amount_cents.saturating_add(cents);
    let of_tender = match Tender::from_number(tender) {
        Some(Tender::Cash) => &mut line.cash_cents,
        Some(Tender::Coupon) => &mut line.coupon_cents,
        Some(Tender::Chip) => &mut line.chip_cents,
        // No rule book knows another.
        None => return,
    };
    *of_tender = of_tender.saturating_add(cents);
}

/// What went through a till, added up from the leaves alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShiftFigures {
    /// Opening float, in cents.
    pub float_cents: i64,
    /// Tickets sold.
    pub sales: ShiftLine,
    /// Tickets cancelled.
    pub cancels: ShiftLine,
    /// Tickets of this till that were marked unpaid.
    pub unpaid: ShiftLine,
    /// Prizes paid, by (ticket, draw).
    pub prizes: ShiftLine,
    /// Refunds of void draws paid, by (ticket, draw).
    pub refunds: ShiftLine,
    /// Tickets that a restore lost, refunded.
    pub lost: ShiftLine,
    /// Payments undone, before rounding.
    pub reversals: ShiftLine,
    /// Cash put in.
    pub fills: ShiftLine,
    /// Cash taken out.
    pub drops: ShiftLine,
    /// Cash rounding: paid out minus due, less that of payments undone, in cents.
    pub rounding_cents: i64,
    /// Change for chips, given in cash, in cents.
    pub chip_change_cents: i64,
    /// Coupons that should be in the till, in cents: what they say, and not the prices paid with them.
    pub coupons_cents: i64,
    /// Chips that should be in it, in cents.
    pub chips_cents: i64,
}

impl ShiftFigures {
    /// Takes coupons or chips in, or gives them back.
    fn pieces(&mut self, tender: u8, cents: i64) {
        match Tender::from_number(tender) {
            Some(Tender::Coupon) => self.coupons_cents += cents,
            Some(Tender::Chip) => self.chips_cents += cents,
            Some(Tender::Cash) | None => {}
        }
    }

    /// Adds the facts of shift `number` up.
    pub fn add_up(
        number: u64,
        float_cents: i64,
        events: &[&Event],
        elsewhere: Elsewhere<'_>,
    ) -> Self {
        let mut figures = Self {
            float_cents,
            ..Self::default()
        };
        for event in events {
            match event {
                Event::TicketSold(body) if body.shift == number => {
                    add(&mut figures.sales, body.total_cents, body.tender);
                    figures.chip_change_cents += body.chip_change_cents;
                    figures.pieces(body.tender, body.received_cents);
                }
                Event::TicketCancelled(body) if body.shift == number => {
                    add(&mut figures.cancels, body.refund_cents, body.tender);
                    // A coupon or a chip goes back whole, and its change comes back.
                    if let Some(sale) = (elsewhere.sold)(body.ticket) {
                        figures.chip_change_cents -= sale.chip_change_cents;
                        figures.pieces(body.tender, -sale.received_cents);
                    }
                }
                Event::TicketUnpaid(body) => {
                    if let Some(sale) = (elsewhere.sold)(body.ticket)
                        && sale.shift == number
                    {
                        add(&mut figures.unpaid, body.amount_cents, sale.tender);
                        figures.chip_change_cents -= sale.chip_change_cents;
                        figures.pieces(sale.tender, -sale.received_cents);
                    }
                }
                Event::PrizePaid(body) if body.shift == number => {
                    for item in &body.items {
                        let kind = if item.kind == PaidKind::Refund {
                            &mut figures.refunds
                        } else {
                            &mut figures.prizes
                        };
                        add(kind, item.amount_cents, body.tender);
                    }
                    figures.pieces(body.tender, -body.total_cents);
                    if body.tender == Tender::Cash {
                        figures.rounding_cents += body.rounding_cents;
                    }
                }
                Event::LostTicketRefunded(body) if body.shift == number => {
                    add(&mut figures.lost, body.amount_cents, body.tender);
                    figures.pieces(body.tender, -body.amount_cents);
                }
                Event::PaymentReversed(body) if body.shift == number => {
                    let (cents, tender) = (elsewhere.paid)(body.payment)
                        .unwrap_or((body.cash_cents, Tender::Cash.number()));
                    add(&mut figures.reversals, cents, tender);
                    figures.pieces(tender, cents);
                    if tender == Tender::Cash {
                        figures.rounding_cents -= body.cash_cents - cents;
                    }
                }
                Event::TillMoved(body) if body.shift == number => {
                    let kind = if body.kind == TillMovementKind::Fill {
                        &mut figures.fills
                    } else {
                        &mut figures.drops
                    };
                    add(kind, body.amount_cents, Tender::Cash.number());
                }
                _ => {}
            }
        }
        figures
    }

    /// Cash that should be in the till.
    pub fn expected_cents(&self) -> i64 {
        self.float_cents + self.sales.cash_cents
            - self.cancels.cash_cents
            - self.unpaid.cash_cents
            - self.prizes.cash_cents
            - self.refunds.cash_cents
            - self.lost.cash_cents
            - self.rounding_cents
            - self.chip_change_cents
            + self.reversals.cash_cents
            + self.fills.cash_cents
            - self.drops.cash_cents
    }
}

#[cfg(test)]
mod tests {
    use keno_log::CommandKey;
    use keno_log::event::{PaidItem, PaymentReversed, PrizePaid, TillMoved};

    use super::*;

    fn paid(tender: u8, rounding_cents: i64) -> Event {
        PrizePaid {
            ticket: 3,
            key: CommandKey {
                device: 1,
                session: 1,
                counter: 1,
            },
            content_hash: [0; 32],
            items: vec![
                PaidItem {
                    draw: 1,
                    kind: 1,
                    amount_cents: 1_003,
                },
                PaidItem {
                    draw: 2,
                    kind: 2,
                    amount_cents: 200,
                },
            ],
            total_cents: 1_203,
            tender,
            rounding_cents,
            path: 1,
            badge: "C1".to_owned(),
            second: None,
            shift: 7,
        }
        .into()
    }

    fn moved(kind: u8, amount_cents: i64, shift: u64) -> Event {
        TillMoved {
            shift,
            key: CommandKey {
                device: 1,
                session: 1,
                counter: 2,
            },
            content_hash: [0; 32],
            kind,
            amount_cents,
            by: "S1".to_owned(),
            second: "S2".to_owned(),
        }
        .into()
    }

    const NOTHING: Elsewhere<'_> = Elsewhere {
        sold: &|_| None,
        paid: &|_| None,
    };

    #[test]
    fn a_payment_undone_gives_its_rounding_back() {
        let undone = PaymentReversed {
            payment: 40,
            ticket: 3,
            reason: "parti".to_owned(),
            by: "C1".to_owned(),
            second: "S1".to_owned(),
            shift: 7,
            cash_cents: 1_205,
        };
        for (tender, total_cents, cash_cents, rounding) in [(1, 1_203, 1_205, 2), (2, 1_203, 0, 0)]
        {
            let back = PaymentReversed {
                cash_cents,
                ..undone.clone()
            };
            let all = [paid(tender, rounding), back.into()];
            let events: Vec<&Event> = all.iter().collect();
            let elsewhere = Elsewhere {
                paid: &|payment| (payment == 40).then_some((total_cents, tender)),
                ..NOTHING
            };
            let figures = ShiftFigures::add_up(7, 50_000, &events, elsewhere);
            assert_eq!(figures.reversals.amount_cents, total_cents);
            assert_eq!(
                figures.reversals.coupon_cents,
                if tender == 2 { total_cents } else { 0 }
            );
            assert_eq!(
                (figures.rounding_cents, figures.expected_cents()),
                (0, 50_000)
            );
        }
    }

    #[test]
    fn only_cash_of_this_till_counts_and_what_is_rounded_leaves_with_it() {
        let all = [
            paid(1, 2),
            paid(3, 0),
            moved(1, 10_000, 7),
            moved(2, 4_000, 7),
            moved(1, 99_999, 8),
        ];
        let events: Vec<&Event> = all.iter().collect();
        let figures = ShiftFigures::add_up(7, 50_000, &events, NOTHING);
        assert_eq!(
            (figures.prizes.count, figures.prizes.amount_cents),
            (2, 2_006)
        );
        assert_eq!(figures.prizes.cash_cents, 1_003);
        assert_eq!(figures.refunds.cash_cents, 200);
        assert_eq!(
            (figures.prizes.chip_cents, figures.refunds.chip_cents),
            (1_003, 200)
        );
        assert_eq!(
            figures.expected_cents(),
            50_000 - 1_203 - 2 + 10_000 - 4_000
        );
    }
}

//! What happens at a counter: sales, prizes, cancellations and what two people do, as chance has it.

use std::sync::PoisonError;

use serde_json::json;

use super::{Card, Device, InDoubt};
use crate::door::Answer;
use crate::journal::{Command, Deed, Kind, Outcome};
use crate::slips;

impl Device {
    /// One thing that happens at a counter.
    ///
    /// # Errors
    /// [`InDoubt`] when it was begun and nobody answered.
    pub fn act(&mut self) -> Result<(), InDoubt> {
        match self.chance.below(100) {
            0..=44 => self.sell(),
            45..=56 => self.confirm_print(),
            57..=66 => self.cancel(),
            67..=83 => self.pay(),
            84..=86 => self.move_till(),
            87..=89 => self.reverse(),
            90..=91 => self.mark_unpaid(),
            92..=93 => self.duplicate(),
            94..=95 => self.present(),
            96..=97 => {
                let key = self.new_key();
                let request = json!({"key": key.value()});
                self.journal.commands.push(Command {
                    key,
                    kind: Kind::Nothing,
                    request,
                    shift: self.shift,
                    outcome: Outcome::Open,
                });
                self.send(self.journal.commands.len() - 1).map(drop)
            }
            98 => self.change_shift(),
            _ => self.look(),
        }
    }

    /// One command that moves money.
    ///
    /// # Errors
    /// [`InDoubt`] when it was sent and nobody answered.
    pub fn act_with_key(&mut self) -> Result<(), InDoubt> {
        match self.chance.below(100) {
            0..=64 => self.sell(),
            65..=76 => self.cancel(),
            77..=94 => self.pay(),
            _ => self.move_till(),
        }
    }

    /// Hears which draw is next.
    ///
    /// # Errors
    /// [`InDoubt`].
    pub fn look(&mut self) -> Result<(), InDoubt> {
        match self.door.get("/draws/next") {
            Answer::Done(view) => {
                self.next_draw = view["draw"]["draw"].as_u64().unwrap_or(0);
                Ok(())
            }
            Answer::Refused(_) => Ok(()),
            Answer::Lost => Err(InDoubt),
        }
    }

    /// Sells any slip.
    ///
    /// # Errors
    /// [`InDoubt`].
    pub fn sell(&mut self) -> Result<(), InDoubt> {
        let order = slips::any(&mut self.chance, self.next_draw);
        self.sell_order(order)
    }

    /// Sells a slip.
    ///
    /// # Errors
    /// [`InDoubt`].
    pub fn sell_order(&mut self, order: slips::Order) -> Result<(), InDoubt> {
        let tender = match self.chance.below(10) {
            0 => "coupon",
            1 => "chip",
            _ => "cash",
        };
        let request = json!({
            "slip": order.slip, "tender": tender, "intake": "slip",
            "total_cents": order.total_cents,
            "received_cents": order.total_cents + 5 * i64::try_from(self.chance.below(40)).unwrap_or(0),
        });
        self.command(Kind::Sale, request).map(drop)
    }

    fn own_card(&mut self) -> Option<Card> {
        self.chance.pick(&self.cards).cloned()
    }

    fn confirm_print(&mut self) -> Result<(), InDoubt> {
        let Some(card) = self.cards.last().cloned() else {
            return self.sell();
        };
        let body = json!({"ticket": card.ticket, "copy": 1, "how": "printer"});
        self.deed(Deed::Print(card.ticket), "/prints", body)
            .map(drop)
    }

    fn cancel(&mut self) -> Result<(), InDoubt> {
        // Young tickets: a later one is past its draw.
        let from = self.cards.len().saturating_sub(10);
        let Some(card) = self
            .chance
            .pick(self.cards.get(from..).unwrap_or(&[]))
            .cloned()
        else {
            return self.sell();
        };
        let request = json!({"code": card.code, "reason": "changed_mind"});
        self.command(Kind::Cancellation, request).map(drop)
    }

    /// Pays whatever a ticket has to get; one in five is somebody else's, so that two counters
    /// sometimes hold copies of one ticket.
    fn pay(&mut self) -> Result<(), InDoubt> {
        let card = if self.chance.percent(20) {
            let patrons = self.patrons.lock().unwrap_or_else(PoisonError::into_inner);
            self.chance.pick(&patrons).cloned()
        } else if self.chance.percent(80) {
            let next = self.next_draw;
            let over: Vec<&Card> = self
                .cards
                .iter()
                .filter(|card| card.first_draw < next)
                .collect();
            self.chance.pick(&over).copied().cloned()
        } else {
            self.own_card()
        };
        let Some(card) = card else {
            return self.sell();
        };
        let check = match self.door.post("/checks", &json!({"code": card.code})) {
            Answer::Done(reply) => reply,
            Answer::Refused(_) => return Ok(()),
            Answer::Lost => return Err(InDoubt),
        };
        let items = check["payable"].as_array().cloned().unwrap_or_default();
        if items.is_empty() {
            let is_over = matches!(
                check["verdict"]["code"].as_str(),
                Some("no_prize" | "paid" | "cancelled" | "void_unpaid" | "replaced")
            );
            if is_over {
                self.forget_code(&card.code);
            }
            return Ok(());
        }
        let mut request = json!({"code": card.code, "items": items});
        if check["second_person"].as_bool() == Some(true) {
            request["second"] = Self::second();
        }
        self.command(Kind::Payment, request).map(drop)
    }

    fn move_till(&mut self) -> Result<(), InDoubt> {
        let kind = if self.chance.percent(60) {
            "fill"
        } else {
            "drop"
        };
        let cents = 100 * i64::try_from(self.chance.below(500) + 1).unwrap_or(1);
        let request = json!({"kind": kind, "amount_cents": cents, "second": Self::second()});
        self.command(Kind::TillMovement, request).map(drop)
    }

    fn reverse(&mut self) -> Result<(), InDoubt> {
        let shift = self.shift;
        let Some((payment, shift, cash_cents)) = self.payments.pop().filter(|it| it.1 == shift)
        else {
            return self.pay();
        };
        let body =
            json!({"payment": payment, "reason": "not handed over", "second": Self::second()});
        let deed = Deed::Reversal {
            payment,
            shift,
            cash_cents,
        };
        self.deed(deed, "/reversals", body).map(drop)
    }

    fn mark_unpaid(&mut self) -> Result<(), InDoubt> {
        let shift = self.shift;
        let card = self
            .cards
            .last()
            .filter(|card| card.shift == shift)
            .cloned();
        let Some(card) = card else {
            return self.sell();
        };
        let deed = Deed::Unpaid {
            ticket: card.ticket,
            shift,
            cash_cents: match card.tender.as_str() {
                "cash" => card.total_cents,
                "chip" => -card.change_cents,
                _ => 0,
            },
        };
        self.cards.pop();
        let body = json!({"code": card.code, "second": Self::second()});
        self.deed(deed, "/unpaid", body).map(drop)
    }

    fn duplicate(&mut self) -> Result<(), InDoubt> {
        let Some(card) = self.own_card() else {
            return self.sell();
        };
        let body = json!({"code": card.code, "reason": "torn", "second": Self::second()});
        let reply = self.deed(Deed::Duplicate(card.ticket), "/duplicates", body)?;
        self.forget_code(&card.code);
        let code = reply.as_ref().and_then(|view| view["claim_code"].as_str());
        if let Some(code) = code {
            self.cards.push(Card {
                code: code.to_owned(),
                ..card
            });
        }
        Ok(())
    }

    fn present(&mut self) -> Result<(), InDoubt> {
        let Some(card) = self.own_card() else {
            return self.sell();
        };
        let body = json!({"code": card.code});
        self.deed(Deed::Present(card.ticket), "/presentations", body)
            .map(drop)
    }
}

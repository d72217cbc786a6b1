//! The words of the pages: the area `page` of the catalogue, a table a language, and what says a
//! stable name in words.

use std::ops::Deref;

use keno_words::page;

/// The words of one language.
pub(super) struct Words(page::Words);

/// French.
pub(super) static FR: Words = Words(page::FR);

/// English.
pub(super) static EN: Words = Words(page::EN);

impl Deref for Words {
    type Target = page::Words;

    fn deref(&self) -> &page::Words {
        &self.0
    }
}

impl Words {
    /// A fact of the log in words: its kind name as `DrawClosed` or `draw_closed`.
    pub fn fact_of(&self, kind: &str) -> Option<&'static str> {
        let plain: String = kind
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_lowercase();
        Some(match plain.as_str() {
            "drawscheduled" => self.fact_draw_scheduled,
            "commitmentrecorded" => self.fact_commitment_recorded,
            "drawopened" => self.fact_draw_opened,
            "drawclosed" => self.fact_draw_closed,
            "drawstarted" => self.fact_draw_started,
            "ballsrecorded" => self.fact_balls_recorded,
            "drawcertified" => self.fact_draw_certified,
            "secretsrevealed" => self.fact_secrets_revealed,
            "drawsettled" => self.fact_draw_settled,
            "drawsuspended" => self.fact_draw_suspended,
            "drawresumed" => self.fact_draw_resumed,
            "drawvoided" => self.fact_draw_voided,
            "ticketsold" => self.fact_ticket_sold,
            "ticketcancelled" => self.fact_ticket_cancelled,
            "ticketunpaid" => self.fact_ticket_unpaid,
            "printconfirmed" => self.fact_print_confirmed,
            "ticketreleased" => self.fact_ticket_released,
            "ticketduplicated" => self.fact_ticket_duplicated,
            "claimpresented" => self.fact_claim_presented,
            "prizepaid" => self.fact_prize_paid,
            "paymentreversed" => self.fact_payment_reversed,
            "discrepancynoted" => self.fact_discrepancy_noted,
            "patronrefused" => self.fact_patron_refused,
            "prizesexpired" => self.fact_prizes_expired,
            "checked" => self.fact_checked,
            "printed" => self.fact_printed,
            _ => return None,
        })
    }

    /// A tender by its stable name; an unknown one as it is.
    pub fn tender_of<'t>(&self, code: &'t str) -> &'t str {
        match code {
            "cash" => self.cash,
            "coupon" => self.coupon,
            "chip" => self.chip,
            other => other,
        }
    }

    /// Whether a (ticket, draw) was paid, by its stable name; an unknown one as it is.
    pub fn payment_of<'t>(&self, code: &'t str) -> &'t str {
        match code {
            "unpaid" => self.payment_unpaid,
            "paid" => self.payment_paid,
            "expired" => self.payment_expired,
            "none" => self.payment_none,
            other => other,
        }
    }

    /// Where numbers come from (s. 75), by its stable name; an unknown one as it is.
    pub fn source_of<'t>(&self, code: &'t str) -> &'t str {
        match code {
            "computer" => self.source_computer,
            "balls" => self.source_balls,
            other => other,
        }
    }

    /// A type of selection, by its stable name; an unknown one as it is.
    pub fn kind_of<'t>(&self, code: &'t str) -> &'t str {
        match code {
            "straight" => self.kind_straight,
            "way" => self.kind_way,
            "king" => self.kind_king,
            other => other,
        }
    }

    /// A state of a draw in words.
    pub fn state_of(&self, code: &str) -> &'static str {
        match code {
            "scheduled" => self.state_scheduled,
            "open" => self.state_open,
            "closed" => self.state_closed,
            "drawing" => self.state_drawing,
            "drawn" => self.state_drawn,
            "official" => self.state_official,
            "settled" => self.state_settled,
            "suspended" => self.state_suspended,
            "void" => self.state_void,
            _ => self.state_unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_have_words_and_unknown_ones_are_shown_as_they_are() {
        assert_eq!(FR.fact_of("DrawClosed"), FR.fact_of("draw_closed"));
        assert_eq!(FR.fact_of("DrawClosed"), Some("Ventes fermées, sceau pris"));
        assert_eq!(EN.fact_of("SomethingNew"), None);
        assert_eq!(EN.tender_of("shells"), "shells");
        assert_eq!(FR.state_of("?"), FR.state_unknown);
    }
}

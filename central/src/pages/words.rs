//! The words of the pages: the area `page` of the catalogue, a table a language, and what says a
//! stable name in words.

use std::ops::Deref;

use keno_game::{DrawSource, DrawState, Tender};
use keno_log::EventKind;
use keno_wire::coded::{Name, Payment};
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

/// Finds a text among the words of a language.
type Text = fn(&page::Words) -> &'static str;

macro_rules! facts {
    ($($kind:ident: $page:ident $(on sheets $sheet:ident)?;)*) => {
        /// Facts in words: on sheets, and last on pages.
        const FACTS: &[(EventKind, &[Text])] = &[$(
            (EventKind::$kind, &[$(|words| words.$sheet,)? |words| words.$page]),
        )*];
    };
}

facts! {
    ShiftOpened: fact_shift_opened;
    ShiftClosed: fact_shift_closed;
    TillMoved: fact_till_moved;
    EpochOpened: fact_epoch_opened;
    DeviceHandedOver: fact_device_handed_over;
    TillCounted: fact_till_counted;
    ActingNamed: fact_acting_named;
    ActingMade: fact_acting_made;
    DrawScheduled: fact_draw_scheduled on sheets sheet_draw_scheduled;
    CommitmentRecorded: fact_commitment_recorded on sheets sheet_commitment_recorded;
    DrawOpened: fact_draw_opened;
    DrawClosed: fact_draw_closed on sheets sheet_draw_closed;
    DrawStarted: fact_draw_started on sheets sheet_draw_started;
    BallsRecorded: fact_balls_recorded on sheets sheet_balls_recorded;
    DrawCertified: fact_draw_certified on sheets sheet_draw_certified;
    SecretsRevealed: fact_secrets_revealed on sheets sheet_secrets_revealed;
    DrawSettled: fact_draw_settled on sheets sheet_draw_settled;
    DrawSuspended: fact_draw_suspended on sheets sheet_draw_suspended;
    DrawResumed: fact_draw_resumed;
    DrawPostponed: fact_draw_postponed;
    BallSetMeasured: fact_ball_set_measured;
    BallSetsOffered: fact_ball_sets_offered;
    DrawRoomOpened: fact_draw_room_opened;
    DrawRoomEnded: fact_draw_room_ended;
    IncidentLogged: fact_incident_logged;
    FollowerBegan: fact_follower_began;
    DrawFollowed: fact_draw_followed;
    PayoutsOpened: fact_payouts_opened;
    BallRead: fact_ball_read;
    LineIncident: fact_line_incident;
    EntererReplaced: fact_enterer_replaced;
    TubesAttested: fact_tubes_attested;
    ComputerStoodIn: fact_computer_stood_in;
    HostsNamed: fact_hosts_named;
    HostsSigned: fact_hosts_signed;
    DrawVoided: fact_draw_voided on sheets sheet_draw_voided;
    TicketSold: fact_ticket_sold on sheets sheet_ticket_sold;
    TicketCancelled: fact_ticket_cancelled on sheets sheet_ticket_cancelled;
    TicketUnpaid: fact_ticket_unpaid on sheets sheet_ticket_unpaid;
    PrintConfirmed: fact_print_confirmed;
    TicketReleased: fact_ticket_released on sheets sheet_ticket_released;
    TicketDuplicated: fact_ticket_duplicated;
    ClaimPresented: fact_claim_presented on sheets sheet_claim_presented;
    PrizePaid: fact_prize_paid on sheets sheet_prize_paid;
    PaymentReversed: fact_payment_reversed on sheets sheet_payment_reversed;
    DiscrepancyNoted: fact_discrepancy_noted on sheets sheet_discrepancy_noted;
    KeyClosed: fact_key_closed;
    PaymentHeld: fact_payment_held;
    TicketRemarked: fact_ticket_remarked;
    LostTicketRefunded: fact_lost_ticket_refunded;
    PatronRefused: fact_patron_refused;
}

/// What a fact is called on a sheet, in French and in English.
pub fn fact_on_sheets(kind: EventKind) -> Option<[&'static str; 2]> {
    let (_, said) = FACTS.iter().find(|(known, _)| *known == kind)?;
    let said = said.first()?;
    Some([said(&FR), said(&EN)])
}

/// What the tender of a recorded number is called, in French and in English.
pub fn tender_in_words(number: u8) -> [&'static str; 2] {
    match Tender::from_number(number) {
        Some(tender) => [&FR, &EN].map(|words| words.tender(tender)),
        None => ["unknown"; 2],
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
        match plain.as_str() {
            "checked" => Some(self.fact_checked),
            "printed" => Some(self.fact_printed),
            _ => FACTS
                .iter()
                .find(|(kind, _)| kind.name().eq_ignore_ascii_case(&plain))
                .and_then(|(_, said)| said.last())
                .map(|said| said(self)),
        }
    }

    /// A fact of the log in words; one that has none by its kind name.
    pub fn fact_named<'t>(&self, kind: &'t str) -> &'t str {
        self.fact_of(kind).unwrap_or(kind)
    }

    /// A tender by its stable name; an unknown one as it is.
    pub fn tender_of<'t>(&self, tender: &'t Name<Tender>) -> &'t str {
        match tender {
            Name::Known(tender) => self.tender(*tender),
            Name::Other(name) => name,
        }
    }

    fn tender(&self, tender: Tender) -> &'static str {
        match tender {
            Tender::Cash => self.cash,
            Tender::Coupon => self.coupon,
            Tender::Chip => self.chip,
        }
    }

    /// Whether a (ticket, draw) was paid; an unknown state by its name.
    pub fn payment_of<'t>(&self, payment: &'t Name<Payment>) -> &'t str {
        match payment {
            Name::Known(Payment::Unpaid) => self.payment_unpaid,
            Name::Known(Payment::Waits) => self.payment_waits,
            Name::Known(Payment::Paid) => self.payment_paid,
            Name::Known(Payment::Expired) => self.payment_expired,
            Name::Known(Payment::Nothing) => self.payment_none,
            Name::Other(name) => name,
        }
    }

    /// Where numbers come from (s. 75); an unknown source by its name.
    pub fn source_of<'t>(&self, source: &'t Name<DrawSource>) -> &'t str {
        match source {
            Name::Known(DrawSource::Computer) => self.source_computer,
            Name::Known(DrawSource::Balls) => self.source_balls,
            Name::Other(name) => name,
        }
    }

    /// A state of a draw in words; none is one that this program does not know.
    pub fn state_of(&self, state: Option<DrawState>) -> &'static str {
        match state {
            Some(DrawState::Scheduled) => self.state_scheduled,
            Some(DrawState::Open) => self.state_open,
            Some(DrawState::Closed) => self.state_closed,
            Some(DrawState::Drawing) => self.state_drawing,
            Some(DrawState::Drawn) => self.state_drawn,
            Some(DrawState::Official) => self.state_official,
            Some(DrawState::Settled) => self.state_settled,
            Some(DrawState::Suspended) => self.state_suspended,
            Some(DrawState::Void) => self.state_void,
            None => self.state_unknown,
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
        assert_eq!(EN.tender_of(&"shells".into()), "shells");
        assert_eq!(FR.state_of(None), FR.state_unknown);
    }
}

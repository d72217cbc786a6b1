//! What can be wrong with a log: a closed, ordered list with stable names.

use std::fmt;

use keno_log::EventKind;
use keno_words::Say;

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Index of the entry; none when it is the export as a whole.
    pub entry: Option<u64>,
    /// Kind of the entry, where it could be read.
    pub kind: Option<EventKind>,
    /// What is wrong.
    pub code: FindingCode,
    /// The figures, in few words.
    pub detail: String,
}

impl Finding {
    /// The stable name of what is wrong.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.code.name()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.entry {
            Some(entry) => write!(formatter, "entry {entry}")?,
            None => write!(formatter, "export")?,
        }
        if let Some(kind) = self.kind {
            write!(formatter, " {}", kind.name())?;
        }
        write!(formatter, ": {}: {}", self.name(), self.code.en())?;
        if !self.detail.is_empty() {
            write!(formatter, " ({})", self.detail)?;
        }
        Ok(())
    }
}

named! {
    /// What can be wrong, in the order in which it is judged.
    FindingCode: finding {
        Framing "framing",
        ExportFormat "export_format",
        LeafHashWrong "leaf_hash_wrong",
        LeafUnreadable "leaf_unreadable",
        KindRetired "kind_retired",
        IndexWrong "index_wrong",
        TimeDecreases "time_decreases",
        BusinessDayDecreases "business_day_decreases",
        BusinessDayWrong "business_day_wrong",
        BodyNotCommitted "body_not_committed",
        BodyUnreadable "body_unreadable",
        HeaderDrawWrong "header_draw_wrong",
        HouseNotFirst "house_not_first",
        ZoneUnknown "zone_unknown",
        LogKeyUnreadable "log_key_unreadable",
        KeyDiffers "key_differs",
        CheckpointUnsigned "checkpoint_unsigned",
        CheckpointOrigin "checkpoint_origin",
        CheckpointSize "checkpoint_size",
        CheckpointRoot "checkpoint_root",
        ExportShort "export_short",
        OutsideRoot "outside_root",
        OutsideLost "outside_lost",
        SamePerson "same_person",
        BadgeUnknown "badge_unknown",
        RoleWrong "role_wrong",
        PlaceWrong "place_wrong",
        SessionBadge "session_badge",
        PersonWrong "person_wrong",
        PinNotChosen "pin_not_chosen",
        PersonSession "person_session",
        RolesExcluded "roles_excluded",
        AdministratorsFew "administrators_few",
        ActingWrong "acting_wrong",
        DeviceWrong "device_wrong",
        NumberReused "number_reused",
        HandOverWrong "hand_over_wrong",
        DeviceLocked "device_locked",
        FenceWrong "fence_wrong",
        EpochNumber "epoch_number",
        EpochPast "epoch_past",
        EpochNumbers "epoch_numbers",
        EpochDraw "epoch_draw",
        RuleBookHash "rule_book_hash",
        RuleBookVersion "rule_book_version",
        RuleBookUnreadable "rule_book_unreadable",
        RuleBookReturn "rule_book_return",
        RuleBookLate "rule_book_late",
        DrawNumberWrong "draw_number_wrong",
        DrawTermsWrong "draw_terms_wrong",
        DrawUnknown "draw_unknown",
        DrawStepOutOfOrder "draw_step_out_of_order",
        StepWhileHalted "step_while_halted",
        CommitmentMissing "commitment_missing",
        CommitmentRepeated "commitment_repeated",
        CommitmentAfterWager "commitment_after_wager",
        TicketAfterClose "ticket_after_close",
        TicketDrawNotOpen "ticket_draw_not_open",
        TicketWhileSuspended "ticket_while_suspended",
        TicketRuleBook "ticket_rule_book",
        TicketLimits "ticket_limits",
        TicketSelection "ticket_selection",
        TicketWays "ticket_ways",
        TicketWager "ticket_wager",
        TicketPrice "ticket_price",
        TicketUnpaidFor "ticket_unpaid_for",
        TicketChange "ticket_change",
        TicketCap "ticket_cap",
        TicketClaimBy "ticket_claim_by",
        KeyRepeated "key_repeated",
        KeyClosed "key_closed",
        SessionWrong "session_wrong",
        TillWrong "till_wrong",
        TillExpected "till_expected",
        TicketUnknown "ticket_unknown",
        TicketWithdrawn "ticket_withdrawn",
        WithdrawnPaid "withdrawn_paid",
        CancelAfterClose "cancel_after_close",
        CancelAmount "cancel_amount",
        CancelAlone "cancel_alone",
        CancelWithoutPaper "cancel_without_paper",
        UnpaidAfterBall "unpaid_after_ball",
        UnpaidAmount "unpaid_amount",
        UnpaidWithoutPaper "unpaid_without_paper",
        DuplicateWithoutPaper "duplicate_without_paper",
        CopyWrong "copy_wrong",
        CloseTotals "close_totals",
        SealWrong "seal_wrong",
        DrawRuleBook "draw_rule_book",
        SourceWrong "source_wrong",
        BallsInvalid "balls_invalid",
        BallsRepeated "balls_repeated",
        BallEntryWrong "ball_entry_wrong",
        BallDrawnWrong "ball_drawn_wrong",
        BallReadWrong "ball_read_wrong",
        LineIncidentWrong "line_incident_wrong",
        EntererWrong "enterer_wrong",
        TubesWrong "tubes_wrong",
        StandInWrong "stand_in_wrong",
        InterruptedWrong "interrupted_wrong",
        BallsNotEntered "balls_not_entered",
        HostsMisnamed "hosts_misnamed",
        HostSignatureWrong "host_signature_wrong",
        HostSignatureMissing "host_signature_missing",
        PostponedWrong "postponed_wrong",
        MeasureWrong "measure_wrong",
        OfferWrong "offer_wrong",
        RoomOpenedWrong "room_opened_wrong",
        RoomEndedWrong "room_ended_wrong",
        RoomNotReady "room_not_ready",
        FollowerWrong "follower_wrong",
        FollowedWrong "followed_wrong",
        PayoutsOpenedWrong "payouts_opened_wrong",
        CertifierWrong "certifier_wrong",
        SecretNotCommitted "secret_not_committed",
        SecretReused "secret_reused",
        SecretsHash "secrets_hash",
        BallsDiffer "balls_differ",
        WordsDiffer "words_differ",
        SettlementWinners "settlement_winners",
        SettlementSums "settlement_sums",
        SettlementFactors "settlement_factors",
        SettlementPayable "settlement_payable",
        SettlementRoot "settlement_root",
        VoidWrong "void_wrong",
        VoidTotals "void_totals",
        PaymentNotDue "payment_not_due",
        PaymentAmount "payment_amount",
        PaymentTwice "payment_twice",
        PaymentTotal "payment_total",
        PresentationWrong "presentation_wrong",
        PaymentPlace "payment_place",
        PaymentWithoutCode "payment_without_code",
        PaymentAtOnce "payment_at_once",
        PaymentTyped "payment_typed",
        ReadingWrong "reading_wrong",
        FileWrong "file_wrong",
        FileUnknown "file_unknown",
        FileEarly "file_early",
        FileThird "file_third",
        PaymentAlone "payment_alone",
        PaymentWhileHeld "payment_while_held",
        PaymentFrozen "payment_frozen",
        PaymentUnfollowed "payment_unfollowed",
        PaymentLate "payment_late",
        ReversalWrong "reversal_wrong",
        ReversalAmount "reversal_amount",
        LostTicketEpoch "lost_ticket_epoch",
        LostTicketTwice "lost_ticket_twice",
        LostTicketAmount "lost_ticket_amount",
        TooLarge "too_large",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_distinct_and_in_snake_case() {
        let names: BTreeSet<&str> = FindingCode::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), FindingCode::ALL.len());
        for name in names {
            assert!(
                name.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            );
        }
    }
}

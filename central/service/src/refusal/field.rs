//! What of a request a refusal is about, whether it may be tried again, and names in its sentence.

use super::Refusal;

impl Refusal {
    /// The selection at fault, A is 0.
    pub fn selection(&self) -> Option<u8> {
        match self {
            Self::Slip { refusal } => refusal.selection,
            _ => None,
        }
    }

    /// The field at fault.
    pub fn field(&self) -> Option<&str> {
        Some(match self {
            Self::Slip { refusal } => return refusal.field,
            Self::TenderUnknown | Self::TenderNotAccepted => "tender",
            Self::IntakeUnknown => "intake",
            Self::FloatInvalid { .. } => "float_cents",
            Self::AmountInvalid { .. } => "amount_cents",
            Self::CountInvalid { .. } => "counted_cents",
            Self::TotalChanged { .. } => "total_cents",
            Self::ReceivedTooLittle { .. } | Self::ReceivedTooMuch { .. } => "received_cents",
            Self::TextTooLong { field, .. } | Self::TextSigns { field } => field,
            Self::Damaged { refusal } => return refusal.field(),
            Self::ReplayUnknown => "replay_of",
            Self::DrawUnknown { .. }
            | Self::DrawClosed { .. }
            | Self::DrawNotOpen { .. }
            | Self::DrawTooFarAhead { .. } => "first_draw",
            Self::KeyOtherContent | Self::KeyClosed | Self::KeyForeign => "key",
            Self::CodeUnreadable
            | Self::NumberMistyped
            | Self::NumberUnknown
            | Self::ClaimCodeNeeded
            | Self::TicketNotLost
            | Self::NothingLost
            | Self::LostRefunded { .. } => "code",
            Self::ReasonUnknown | Self::ReasonNeeded => "reason",
            Self::AmountChanged { .. }
            | Self::DrawNotOfTicket { .. }
            | Self::DrawListedTwice { .. } => "items",
            Self::SecondPersonNeeded
            | Self::SamePersonTwice
            | Self::SecondPersonRefused
            | Self::CardNeeded => "second",
            Self::PinTooEasy | Self::PinUnchanged => "new_pin",
            Self::NameNeeded { field } => field,
            Self::RolesExclude { .. } => "roles",
            Self::StaffNumberKept { .. } => "staff",
            Self::PinNotReset
            | Self::OwnBadge
            | Self::LooksLikeAnother { .. }
            | Self::BadgeSigns
            | Self::CannotAct
            | Self::NotNamedToAct => "badge",
            Self::RuleBookFaulty { .. }
            | Self::RuleBookVersion { .. }
            | Self::StaffTooFew { .. } => "text",
            Self::RuleBookMovedOn { .. } => "base_version",
            Self::RuleBookTooEarly { .. } => "effective_from",
            _ => return None,
        })
    }

    /// True when the same command may succeed later without being changed.
    pub fn may_be_tried_again(&self) -> bool {
        matches!(
            self,
            Self::LockedOut { .. }
                | Self::PinsBusy
                | Self::ApprovalWaiting
                | Self::TerminalStopped
                | Self::SalesSuspended
                | Self::TooManyUnknown
                | Self::FileWaits { .. }
                | Self::NotDrawnYet { .. }
                | Self::ResultNotOfficial { .. }
                | Self::QueueFull
                | Self::RecordUnavailable
        )
    }
}

/// Names in a sentence: *a, b or c*.
pub(super) fn listed<T: Copy>(all: &[T], name: fn(T) -> &'static str, last: &str) -> String {
    let names: Vec<&str> = all.iter().map(|one| name(*one)).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => (*only).to_owned(),
        Some((end, before)) => format!("{} {last} {end}", before.join(", ")),
    }
}

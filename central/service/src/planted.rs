//! Faults planted on purpose, so that what judges this crate can be judged itself: each is a
//! mistake that someone could make here, and a check that does not find it is no check.
//!
//! They are compiled in only with the feature `planted`, which nothing that ships asks for, and
//! then act only on the thread that planted one.

#[cfg(feature = "planted")]
use std::cell::Cell;

/// A mistake that someone could make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Plant {
    /// A sale is not judged against the draws that closed since it was prepared.
    LateSale,
    /// A payment does not ask whether the draw of the ticket was paid.
    PaidTwice,
    /// The keys of ended sessions are not looked up in the record.
    KeyForgotten,
    /// A closed key takes a late copy of its command.
    ClosedKeyOpen,
    /// A command whose transaction was undone is answered as if it had held.
    UndoneAnswered,
    /// What a failed transaction moved in a till stays moved in memory.
    UndoForgotten,
    /// A prize that the cap reduced is rounded up to the cent.
    RoundedUp,
    /// The refund of a ticket paid by coupon or chip is taken from the cash of the till.
    ChipAsCash,
    /// A payment that was reversed still counts as paid.
    ReversedStaysPaid,
    /// A ticket marked unpaid keeps its wagers in play.
    UnpaidWins,
    /// A start does not bring the way selections back.
    WaysForgotten,
    /// A ticket plays by the newest rules instead of those that it was sold under.
    NewestBook,
    /// A held ticket is paid.
    HeldPaid,
    /// A ticket whose holder was refused is paid by one person.
    RefusedPaidAlone,
    /// The boards show every number as soon as it is recorded.
    EarlyBalls,
    /// The machine is handed the newest head instead of the seal.
    SealMoved,
    /// The last day to claim is counted in UTC instead of the house's zone.
    ClaimDayInUtc,
    /// A clock that was set back sets the record back.
    TimeRunsBack,
    /// A clock that jumped is forgotten when the halt could not be recorded.
    JumpForgotten,
    /// The till of a terminal that is left stays there.
    TillLeftBehind,
    /// A terminal that is left keeps its session.
    LeftSignedOn,
}

impl Plant {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::LateSale,
        Self::PaidTwice,
        Self::KeyForgotten,
        Self::ClosedKeyOpen,
        Self::UndoneAnswered,
        Self::UndoForgotten,
        Self::RoundedUp,
        Self::ChipAsCash,
        Self::ReversedStaysPaid,
        Self::UnpaidWins,
        Self::WaysForgotten,
        Self::NewestBook,
        Self::HeldPaid,
        Self::RefusedPaidAlone,
        Self::EarlyBalls,
        Self::SealMoved,
        Self::ClaimDayInUtc,
        Self::TimeRunsBack,
        Self::JumpForgotten,
        Self::TillLeftBehind,
        Self::LeftSignedOn,
    ];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::LateSale => "late_sale",
            Self::PaidTwice => "paid_twice",
            Self::KeyForgotten => "key_forgotten",
            Self::ClosedKeyOpen => "closed_key_open",
            Self::UndoneAnswered => "undone_answered",
            Self::UndoForgotten => "undo_forgotten",
            Self::RoundedUp => "rounded_up",
            Self::ChipAsCash => "chip_as_cash",
            Self::ReversedStaysPaid => "reversed_stays_paid",
            Self::UnpaidWins => "unpaid_wins",
            Self::WaysForgotten => "ways_forgotten",
            Self::NewestBook => "newest_book",
            Self::HeldPaid => "held_paid",
            Self::RefusedPaidAlone => "refused_paid_alone",
            Self::EarlyBalls => "early_balls",
            Self::SealMoved => "seal_moved",
            Self::ClaimDayInUtc => "claim_day_in_utc",
            Self::TimeRunsBack => "time_runs_back",
            Self::JumpForgotten => "jump_forgotten",
            Self::TillLeftBehind => "till_left_behind",
            Self::LeftSignedOn => "left_signed_on",
        }
    }

    /// The plant of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plant| plant.name() == name)
    }
}

#[cfg(feature = "planted")]
thread_local! {
    static PLANTED: Cell<Option<Plant>> = const { Cell::new(None) };
}

/// Plants a fault on this thread, or takes the one there away.
#[cfg(feature = "planted")]
pub fn plant(plant: Option<Plant>) {
    PLANTED.set(plant);
}

/// True when this fault is planted on this thread.
#[cfg(feature = "planted")]
pub(crate) fn planted(plant: Plant) -> bool {
    PLANTED.get() == Some(plant)
}

/// Nothing is ever planted in what ships.
#[cfg(not(feature = "planted"))]
#[inline(always)]
pub(crate) const fn planted(_: Plant) -> bool {
    false
}

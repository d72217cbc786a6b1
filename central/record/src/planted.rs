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
    /// Nobody asks where somebody stands.
    AnyPlace,
    /// Nobody asks for the role of whoever acts.
    AnyRole,
    /// Nobody asks for the role of the second person.
    AnySecond,
    /// One person moves the cash of a till as two.
    SamePerson,
    /// Anybody closes anybody's till alone.
    AnothersTill,
    /// A command may name the session of another device.
    AnothersSession,
    /// A payment is reversed at any till.
    ReversedElsewhere,
    /// A payment that was reversed is reversed again.
    ReversedTwice,
    /// A draw with numbers is declared void.
    VoidShown,
    /// Who sold for a draw declares it void after its seal.
    VoidBySeller,
    /// The limits of a payment are judged on what is asked for.
    PaidInParts,
    /// Every counter pays what the cage alone may.
    CageAnywhere,
    /// A ticket is presented for draws to come.
    PresentedEarly,
    /// A ticket is cancelled after its draw closed.
    CancelledLate,
    /// A ticket that was cancelled is cancelled again.
    CancelledTwice,
    /// A ticket is marked unpaid after its draw began.
    UnpaidLate,
    /// The sessions of somebody who is withdrawn go on.
    WithdrawnStays,
    /// Sales go on while they are stopped.
    SoldWhileStopped,
    /// A copy that was replaced is as good as the newest.
    OldCopy,
    /// A wrong claim code is taken for a right one.
    GuessedCode,
    /// A control number is taken for a claim code.
    NumberAlone,
    /// A ticket is said to be unpaid though its paper is known to have come out.
    UnpaidWithPaper,
    /// A paper that one person read is paid by another.
    AnothersReading,
    /// A file is judged as soon as it is open.
    FileEarly,
    /// Who opened a file judges it.
    FileByOpener,
}

impl Plant {
    /// Mistakes that an honest day meets.
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

    /// Doors left open, which somebody must try before anything is wrong.
    pub const BREACHES: [Self; 25] = [
        Self::AnyPlace,
        Self::AnyRole,
        Self::AnySecond,
        Self::SamePerson,
        Self::AnothersTill,
        Self::AnothersSession,
        Self::ReversedElsewhere,
        Self::ReversedTwice,
        Self::VoidShown,
        Self::VoidBySeller,
        Self::PaidInParts,
        Self::CageAnywhere,
        Self::PresentedEarly,
        Self::CancelledLate,
        Self::CancelledTwice,
        Self::UnpaidLate,
        Self::WithdrawnStays,
        Self::SoldWhileStopped,
        Self::OldCopy,
        Self::GuessedCode,
        Self::NumberAlone,
        Self::UnpaidWithPaper,
        Self::AnothersReading,
        Self::FileEarly,
        Self::FileByOpener,
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
            Self::AnyPlace => "any_place",
            Self::AnyRole => "any_role",
            Self::AnySecond => "any_second",
            Self::SamePerson => "same_person",
            Self::AnothersTill => "anothers_till",
            Self::AnothersSession => "anothers_session",
            Self::ReversedElsewhere => "reversed_elsewhere",
            Self::ReversedTwice => "reversed_twice",
            Self::VoidShown => "void_shown",
            Self::VoidBySeller => "void_by_seller",
            Self::PaidInParts => "paid_in_parts",
            Self::CageAnywhere => "cage_anywhere",
            Self::PresentedEarly => "presented_early",
            Self::CancelledLate => "cancelled_late",
            Self::CancelledTwice => "cancelled_twice",
            Self::UnpaidLate => "unpaid_late",
            Self::WithdrawnStays => "withdrawn_stays",
            Self::SoldWhileStopped => "sold_while_stopped",
            Self::OldCopy => "old_copy",
            Self::GuessedCode => "guessed_code",
            Self::NumberAlone => "number_alone",
            Self::UnpaidWithPaper => "unpaid_with_paper",
            Self::AnothersReading => "anothers_reading",
            Self::FileEarly => "file_early",
            Self::FileByOpener => "file_by_opener",
        }
    }

    /// The plant of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter().chain(Self::BREACHES);
        all.find(|plant| plant.name() == name)
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
pub fn planted(plant: Plant) -> bool {
    PLANTED.get() == Some(plant)
}

/// Nothing is ever planted in what ships.
#[cfg(not(feature = "planted"))]
#[inline(always)]
pub const fn planted(_: Plant) -> bool {
    false
}

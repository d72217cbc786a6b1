//! Names of closed lists, as they travel: an enumeration on both sides, its stable name between
//! them. A newer program may say a name that this one does not know. It stays as it came, and
//! stands for nothing.

use std::borrow::Cow;
use std::fmt;

use keno_game::{
    DrawSource, DrawState, Intake, PaidKind, PrintMeans, SelectionType, Tender, TicketState,
    TubesFinding,
};
use keno_words::{Language, Say};
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// An enumeration whose members have stable names.
pub trait Coded: Copy + PartialEq + 'static {
    /// What the enumeration is called.
    const NAME: &'static str;

    /// Every member, in order.
    const MEMBERS: &'static [Self];

    /// Stable name.
    fn code(self) -> &'static str;

    /// What a name stands for.
    fn of_code(code: &str) -> Option<Self>;
}

/// A stable name, as what it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String", bound = "T: Coded")]
pub enum Name<T> {
    /// What it stands for.
    Known(T),
    /// A name that this program does not know.
    Other(String),
}

impl<T: Coded> Name<T> {
    /// What it stands for, if that is known here.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(known) => Some(*known),
            Self::Other(_) => None,
        }
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(known) => known.code(),
            Self::Other(name) => name,
        }
    }
}

impl<T: Coded> From<T> for Name<T> {
    fn from(known: T) -> Self {
        Self::Known(known)
    }
}

/// What a number of the record stands for: `unknown` if for nothing.
impl<T: Coded> From<Option<T>> for Name<T> {
    fn from(known: Option<T>) -> Self {
        known.map_or_else(|| "unknown".into(), Self::Known)
    }
}

impl<T: Coded> From<&str> for Name<T> {
    fn from(name: &str) -> Self {
        T::of_code(name).map_or_else(|| Self::Other(name.to_owned()), Self::Known)
    }
}

impl<T: Coded> From<String> for Name<T> {
    fn from(name: String) -> Self {
        Self::from(name.as_str())
    }
}

impl<T: Coded> From<Name<T>> for String {
    fn from(name: Name<T>) -> Self {
        name.as_str().to_owned()
    }
}

impl<T: Coded> PartialEq<&str> for Name<T> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl<T: Coded> fmt::Display for Name<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// A name that is no word of either language: of what is not known here, or is said as it is.
impl<T: Coded> Say for Name<T> {
    fn say(&self, _: Language, to: &mut String) {
        to.push_str(self.as_str());
    }
}

/// The document of the interface lists the members, from the enumeration itself.
impl<T: Coded> PartialSchema for Name<T> {
    fn schema() -> RefOr<Schema> {
        let members = T::MEMBERS.iter().map(|member| member.code());
        let of = ObjectBuilder::new().schema_type(Type::String);
        of.enum_values(Some(members)).into()
    }
}

impl<T: Coded> ToSchema for Name<T> {
    fn name() -> Cow<'static, str> {
        T::NAME.into()
    }
}

/// Each as a field has it: a [`Name`] that the document of the interface calls as its enumeration.
pub mod name {
    macro_rules! names {
        ($($name:ident,)*) => {$(
            #[doc = concat!("The name of a `", stringify!($name), "`.")]
            pub type $name = super::Name<super::$name>;
        )*};
    }

    names! {
        ApprovalRule,
        ApprovalState,
        Approved,
        CommandKind,
        DrawDecision,
        DrawSource,
        DrawState,
        Due,
        EnrolmentState,
        FollowerStanding,
        Intake,
        KeyEvidence,
        KeyState,
        LineStandingName,
        PaidKind,
        ParkedMoney,
        Payment,
        PrintMeans,
        RoomCheck,
        RoomStepName,
        SelectionType,
        SetFault,
        Stage,
        TeamStep,
        Tender,
        TerminalStanding,
        TicketDrawState,
        TicketState,
        TubesFinding,
        VerdictCode,
    }
}

/// Enumerations that travel by their names, with what says and what reads each.
macro_rules! travels {
    ($($name:ident $name_of:ident $from_name:ident,)*) => {$(
        impl Coded for $name {
            const NAME: &'static str = stringify!($name);
            const MEMBERS: &'static [Self] = &Self::ALL;

            fn code(self) -> &'static str {
                self.$name_of()
            }

            fn of_code(code: &str) -> Option<Self> {
                Self::$from_name(code)
            }
        }
    )*};
}

travels! {
    DrawSource name from_name,
    DrawState name from_name,
    Intake name from_name,
    PaidKind name from_name,
    PrintMeans name from_name,
    TubesFinding name from_name,
    SelectionType code from_code,
    Tender code from_code,
    TicketState name from_name,
}

/// Enumerations of the interface itself, each member with its name.
macro_rules! coded {
    ($($(#[$about:meta])* $name:ident $members:tt)*) => {$(
        keno_game::named! { $(#[$about])* $name $members }
        travels! { $name name from_name, }
    )*};
}

coded! {
    /// Where a ticket's draw is, as its holder is told.
    TicketDrawState {
        /// On sale, or planned.
        ToCome "to_come",
        /// Between its close and its prizes.
        BeingVerified "being_verified",
        /// Its prizes are payable.
        Settled "settled",
        /// Of no effect: its wager is refunded.
        Void "void",
    }

    /// What a ticket's draw owes.
    Due {
        /// Nothing yet, or nothing.
        Nothing "none",
        /// A prize.
        Prize "prize",
        /// The wager of a void draw.
        Refund "refund",
    }

    /// What became of what is due.
    Payment {
        /// Nothing is due.
        Nothing "none",
        /// Due and unpaid.
        Unpaid "unpaid",
        /// Due, and to be paid once the second computation agrees.
        Waits "waits",
        /// Paid.
        Paid "paid",
        /// Not claimed in time.
        Expired "expired",
    }

    /// The verdict on a ticket: one of the nineteen of the house.
    VerdictCode {
        /// No draw of the ticket has taken place.
        NotYetDrawn "not_yet_drawn",
        /// Some draws are settled, others to come.
        PartlyDrawn "partly_drawn",
        /// Something can be paid.
        Winner "winner",
        /// Something can be paid, at the main cage.
        WinnerAtCage "winner_at_cage",
        /// Every draw is settled and nothing was won.
        NotWinner "not_winner",
        /// Everything won was paid.
        AlreadyPaid "already_paid",
        /// Cancelled before its first draw closed.
        Cancelled "cancelled",
        /// Void: the wager was never paid (s. 83).
        VoidUnpaid "void_unpaid",
        /// This paper was replaced by a duplicate.
        Replaced "replaced",
        /// The claim period is over.
        ClaimExpired "claim_expired",
        /// Held: its paper was never confirmed.
        InDoubt "in_doubt",
        /// Held: its win is so rare that people look at it first.
        WinHeld "win_held",
        /// Numbers are out but not official or not settled.
        DrawUnofficial "draw_unofficial",
        /// A draw of the ticket is void.
        DrawCancelled "draw_cancelled",
        /// The number is not in the record.
        NotFound "not_found",
        /// Sold before a restore that lost its record.
        RecordLost "record_lost",
        /// Lost in a restore, and its price was given back.
        LostRefunded "lost_refunded",
        /// The code cannot be read.
        Unreadable "unreadable",
        /// Central cannot be asked.
        CentralDown "central_down",
    }

    /// What became of a key.
    KeyState {
        /// Central never heard of it.
        Unknown "unknown",
        /// A ticket was sold.
        Sale "sale",
        /// A ticket was cancelled.
        Cancellation "cancellation",
        /// Prizes or refunds were paid.
        Payment "payment",
        /// A till was filled or dropped.
        TillMovement "till_movement",
        /// A lost ticket was refunded.
        LostRefund "lost_refund",
        /// It has no outcome, and will have none.
        Closed "closed",
    }

    /// Whether a terminal counts.
    TerminalStanding {
        /// It does.
        Active "active",
        /// Its certificate was taken back.
        Revoked "revoked",
        /// It was handed over to another.
        Left "left",
    }

    /// How the follower of the log stands.
    FollowerStanding {
        /// It goes on.
        AtWork "at_work",
        /// Central was started just now, and has not heard of it yet.
        NotHeard "not_heard",
        /// Nothing was heard of it for a while.
        Away "away",
        /// It refuses what it is handed.
        Refuses "refuses",
        /// It answers, and two people have not said yet that it is who follows.
        NotOnRecord "not_on_record",
    }

    /// What the record says of a key.
    KeyEvidence {
        /// Nothing.
        Unknown "unknown",
        /// It has an outcome.
        Recorded "recorded",
        /// It has none, and will have none.
        Closed "closed",
    }

    /// What kind of command a key is for.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    CommandKind {
        /// A sale.
        Sale "sale",
        /// A cancellation.
        Cancellation "cancellation",
        /// A payment: prizes, and refunds of void draws.
        Payment "payment",
        /// A fill or a drop of the till.
        TillMovement "till_movement",
        /// The refund of a ticket that a restore lost.
        LostRefund "lost_refund",
    }

    /// How far a command is at its terminal. Everything but [`Stage::Done`] survives a restart and is
    /// taken up first.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    Stage {
        /// Sent, and nobody knows what became of it: nothing new before it is known or put aside.
        Asking "asking",
        /// The same, put aside with its money.
        Parked "parked",
        /// It came to nothing, and the clerk has not been told what to do with the money.
        ToTell "to_tell",
        /// It is in central's record, and no byte of its paper has left.
        ToPrint "to_print",
        /// Bytes of its paper have left, and nobody knows whether it is whole.
        PaperInDoubt "paper_in_doubt",
        /// The paper of a ticket is torn: the ticket is to be cancelled, and sold again.
        Torn "torn",
        /// A sale is in central's record whose money was given back when it was put aside: the ticket
        /// is to be cancelled, and nobody gets it.
        ToWithdraw "to_withdraw",
        /// The paper of a ticket is whole, and central does not know it.
        ToReport "to_report",
        /// It was in doubt and is recorded after all, and the clerk has not said that the cash by it
        /// is where it belongs.
        ToHandOver "to_hand_over",
        /// It is in central's record without a paper, and the clerk has not read that.
        NoPaper "no_paper",
        /// The same, and it was read: it waits for two people, and keeps nobody up.
        Referred "referred",
        /// Nothing is left to do.
        Done "done",
    }

    /// What becomes of the money of a sale that is put aside: said at that moment, while nobody can know
    /// what will be drawn, and never again. It decides what the sale may still come to.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    ParkedMoney {
        /// It lies in an envelope at the counter: a recorded sale is the player's.
        Kept "kept",
        /// The player has it back: a recorded sale is not paid for, and nobody gets its ticket.
        GivenBack "given_back",
    }

    /// What a second person is asked to approve.
    Approved {
        /// A payment.
        Payment "payment",
        /// A cancellation.
        Cancellation "cancellation",
        /// A fill or a drop of the till.
        TillMovement "till_movement",
        /// A count of the till.
        TillCount "till_count",
        /// A duplicate.
        Duplicate "duplicate",
        /// A ticket that was never paid for.
        Unpaid "unpaid",
        /// A release.
        Release "release",
        /// The reversal of a payment.
        Reversal "reversal",
        /// The refund of a ticket that a restore lost.
        LostRefund "lost_refund",
        /// What another device left open is taken over.
        TakeOver "take_over",
        /// A change of the rules.
        RulesAmendment "rules_amendment",
    }

    /// How the question for a second person stands.
    ApprovalState {
        /// Nobody answered.
        Waiting "waiting",
        /// Granted, and its command has not come.
        Granted "granted",
        /// Refused.
        Refused "refused",
        /// Its command was recorded, or is being.
        Used "used",
        /// Over, unanswered or unused.
        Expired "expired",
    }

    /// What is decided of a draw at its desk.
    DrawDecision {
        /// Its balls are official.
        Certify "certify",
        /// It goes on from its seal.
        Resume "resume",
        /// It goes on from the last ball.
        Complete "complete",
        /// It is void.
        Void "void",
        /// It is void, where it would be completed and cannot be.
        VoidUnfinished "void_unfinished",
        /// The computer draws in place of the ball machine.
        StandIn "stand_in",
        /// Somebody takes the place of another who entered balls.
        Replace "replace",
        /// It is held later.
        Postpone "postpone",
        /// It is interrupted, by one person.
        Suspend "suspend",
    }

    /// How the machine stands that reads the balls of a draw by itself.
    LineStandingName {
        /// It reads.
        Reads "reads",
        /// It has read every ball.
        Whole "whole",
        /// Nothing was heard of it for two seconds.
        Silent "silent",
        /// It read no ball for half a minute.
        Stalled "stalled",
        /// Its wire is not open.
        Away "away",
        /// It reads no more of this draw: people enter the balls.
        Stopped "stopped",
    }

    /// What two people do in the draw room.
    RoomStepName {
        /// A set of balls is measured.
        Measure "measure",
        /// Chance is to choose a set.
        Choose "choose",
        /// The room is opened.
        Open "open",
        /// The room passes to other people.
        HandOver "hand_over",
        /// The room's day is over.
        End "end",
    }

    /// Why a set of balls may not be used.
    SetFault {
        /// A ball is out of bounds, or does not pass the gauge.
        Unfit "unfit",
        /// It was in as many draws as it is good for.
        UsedUp "used_up",
        /// It was measured too long ago.
        Outdated "outdated",
        /// It was chosen and not used.
        Aside "aside",
    }

    /// What to look at before the draw room is opened.
    RoomCheck {
        /// A set was chosen, and may be used.
        Set "set",
        /// A draw of the computer is on sale whose secrets can choose one, or the room is open.
        Chooser "chooser",
        /// The holders have committed to the next draw of balls: the computer can stand in.
        Commitments "commitments",
        /// The generator of this machine passes its test.
        Generator "generator",
        /// Two draw desks, each with somebody signed on.
        Desks "desks",
        /// A till is open, with its float.
        Floats "floats",
        /// The machine that reads its own balls answers.
        BallMachine "ball_machine",
    }

    /// What people of the draw room do in an evening.
    TeamStep {
        /// Open the room, hand it over, end its day.
        Room "room",
        /// Enter balls.
        Enter "enter",
        /// Declare balls official.
        Certify "certify",
        /// Decide about an interrupted draw.
        Decide "decide",
    }

    /// Whether a device that asked to be enrolled waits.
    EnrolmentState {
        /// Its code was not typed yet.
        Waiting "waiting",
        /// It was.
        Granted "granted",
    }

    /// The rule that asks for two people.
    ApprovalRule {
        /// More than one person pays: by the amount, or on typed signs.
        PayoutLimit "payout_limit",
        /// More than one person cancels.
        CancelLimit "cancel_limit",
        /// The ticket was refused to a holder.
        PatronRefused "patron_refused",
        /// Always by two.
        AlwaysByTwo "always_by_two",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_and_one_that_is_not_known_stays_as_it_came() {
        let void = Name::<TicketDrawState>::from("void");
        assert_eq!(void, Name::Known(TicketDrawState::Void));
        let newer = Name::<DrawState>::from("postponed");
        assert_eq!((newer.known(), newer.as_str()), (None, "postponed"));
        assert_eq!(newer, "postponed");
        let travels: String = newer.into();
        assert_eq!(travels, "postponed");
        assert_eq!(Name::from(DrawState::Drawn).to_string(), "drawn");
    }
}

//! Every refusal as central says it: name, status, whether it may be tried again, field, and its
//! sentence in both languages; and every verdict.
//!
//! `INSTA_UPDATE=always cargo test -p keno-central --test suite goldens_refusals` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::collections::BTreeSet;
use std::fmt::Write;

use keno_book::rules_file;
use keno_central::entrance::DoorRefusal;
use keno_central::problem::{ApiError, Edge, Malformed, problem_of};
use keno_central::trust::TrustRefusal;
use keno_game::slip::{SlipDetail, SlipRefusalCode};
use keno_game::{Cents, SlipRefusal};
use keno_record::fault::Fault;
use keno_record::roles::{DeviceRole, Role};
use keno_record::state::Unusable;
use keno_service::counter::Verdict;
use keno_service::refusal::Refusal;
use keno_testing::Goldens;
use keno_wire::reply::Bilingual;
use keno_wire::{Problem, Version};

fn text(text: &str) -> String {
    text.to_owned()
}

/// Each refusal of the service, with figures where it has some.
fn refusals() -> Vec<Refusal> {
    let faulty = rules_file::read("format = 3\nversion = 0\n").unwrap_err();
    vec![
        Refusal::DeviceUnknown,
        Refusal::DeviceRevoked,
        Refusal::DeviceHandedOver { to: text("T02") },
        Refusal::NotSignedIn,
        Refusal::SessionEnded,
        Refusal::SessionElsewhere,
        Refusal::SessionIdle,
        Refusal::BadgeOrPinWrong,
        Refusal::LockedOut { seconds: 30 },
        Refusal::BadgeLocked,
        Refusal::PinsBusy,
        Refusal::WrongPlace {
            needed: &[DeviceRole::Counter, DeviceRole::Office],
        },
        Refusal::WrongPlace { needed: &[] },
        Refusal::WrongRole {
            needed: vec![Role::Clerk, Role::Supervisor],
        },
        Refusal::SecondPersonNeeded,
        Refusal::SamePersonTwice,
        Refusal::SecondPersonRefused,
        Refusal::PinTooEasy,
        Refusal::PinUnchanged,
        Refusal::PinMustChange,
        Refusal::PinNotReset,
        Refusal::CannotAct,
        Refusal::NotNamedToAct,
        Refusal::ActingOwnSale,
        Refusal::PinKnownToOther,
        Refusal::CardNeeded,
        Refusal::PinChosenElsewhere,
        Refusal::NameNeeded { field: "name" },
        Refusal::BadgeSigns,
        Refusal::RolesExclude {
            one: Role::Clerk,
            other: Role::Auditor,
        },
        Refusal::StaffNumberKept {
            staff: text("4711"),
        },
        Refusal::LooksLikeAnother { other: text("C1") },
        Refusal::AdministratorsTooFew,
        Refusal::HouseHasAdministrators,
        Refusal::HouseHasRecoveryCode,
        Refusal::OwnBadge,
        Refusal::ApprovalUnknown,
        Refusal::ApprovalWaiting,
        Refusal::ApprovalRefused,
        Refusal::ApprovalExpired,
        Refusal::ApprovalUsed,
        Refusal::ApprovalNotForThis,
        Refusal::KeyOtherContent,
        Refusal::KeyClosed,
        Refusal::KeyForeign,
        Refusal::NoOpenTill,
        Refusal::FloatInvalid { most: 100_000_000 },
        Refusal::TillAlreadyOpen,
        Refusal::TillStillOpen,
        Refusal::TillOfAnother,
        Refusal::DeviceIsThisOne,
        Refusal::DeviceNotHandedOver,
        Refusal::RevokedForGood,
        Refusal::NoSuchCounter,
        Refusal::AmountInvalid { most: 100_000_000 },
        Refusal::CountInvalid { most: 100_000_000 },
        Refusal::TerminalStopped,
        Refusal::SalesSuspended,
        Refusal::NoRules,
        Refusal::DrawUnknown { draw: 48_213 },
        Refusal::DrawUnknown { draw: 0 },
        Refusal::DrawClosed {
            draw: 48_213,
            next: Some(48_215),
        },
        Refusal::DrawClosed {
            draw: 48_213,
            next: None,
        },
        Refusal::DrawNotOpen { draw: 48_213 },
        Refusal::DrawTooFarAhead {
            draw: 48_213,
            furthest: 48_300,
        },
        Refusal::TenderUnknown,
        Refusal::TenderNotAccepted,
        Refusal::IntakeUnknown,
        Refusal::TotalChanged {
            told: 12_300,
            price: 123_450,
        },
        Refusal::ReceivedTooLittle {
            received: 500,
            price: 123_450,
        },
        Refusal::ReceivedTooMuch { most: 100_000_000 },
        Refusal::ChangeTooMuch { most: 10_000 },
        Refusal::LiabilityOverLimit,
        Refusal::ReplayUnknown,
        Refusal::CodeUnreadable,
        Refusal::NumberMistyped,
        Refusal::NumberUnknown,
        Refusal::TooManyUnknown,
        Refusal::ClaimCodeNeeded,
        Refusal::CopyReplaced,
        Refusal::MoneyGivenBack,
        Refusal::PaperIsWhole,
        Refusal::TicketNotLost,
        Refusal::NothingLost,
        Refusal::LostRefunded {
            at: text("2026-11-20 12:05"),
            device: text("T07"),
            by: text("C1"),
            second: text("S1"),
        },
        Refusal::PrintElsewhere,
        Refusal::TicketCancelled,
        Refusal::TicketVoidUnpaid,
        Refusal::TicketHeld,
        Refusal::TicketDoubtful,
        Refusal::NotHeld,
        Refusal::CancelAfterClose { draw: 48_213 },
        Refusal::UnpaidAfterFirstBall { draw: 48_213 },
        Refusal::ReasonUnknown,
        Refusal::PrintMeansUnknown,
        Refusal::ReasonNeeded,
        Refusal::TicketUnknown,
        Refusal::RemarkNeeded,
        Refusal::TextSigns { field: "name" },
        Refusal::TextTooLong {
            field: "name",
            most: 200,
        },
        Refusal::DuplicateAfterPayment,
        Refusal::CopiesUsedUp { most: 99 },
        Refusal::NothingToPay,
        Refusal::DrawNotOfTicket { draw: 48_213 },
        Refusal::NotDrawnYet { draw: 48_213 },
        Refusal::ResultNotOfficial { draw: 48_213 },
        Refusal::AlreadyPaid {
            draw: 48_213,
            at: text("2026-11-20 12:05"),
            device: text("T07"),
        },
        Refusal::ClaimExpired {
            day: text("2027-11-20"),
        },
        Refusal::AmountChanged {
            draw: 48_213,
            shown: 3_000,
            payable: 123_450,
        },
        Refusal::CageOnly,
        Refusal::MixedTenders,
        Refusal::DrawListedTwice { draw: 48_213 },
        Refusal::DrawDiffers { draw: 7 },
        Refusal::SecondComputationAwaited { draw: 7 },
        Refusal::NothingWaits { draw: 7 },
        Refusal::OpensLater {
            draw: 7,
            from: "2026-11-20 13:04".to_owned(),
        },
        Refusal::NothingHeldBack { draw: 7 },
        Refusal::RecordRefused,
        Refusal::NobodyBegins,
        Refusal::LineReads,
        Refusal::NotCosigned,
        Refusal::CosignedOtherwise,
        Refusal::PaymentUnknown,
        Refusal::PaymentReversed,
        Refusal::PaymentOtherShift,
        Refusal::PaymentOtherTill {
            device: text("T07"),
        },
        Refusal::RuleBookVersion { expected: 4 },
        Refusal::RuleBookMovedOn { version: 3 },
        Refusal::RuleBookTooEarly { earliest: 48_216 },
        Refusal::DrawStepRefused { state: "settled" },
        Refusal::RuleForInterrupted { rule: "void" },
        Refusal::RuleForInterrupted { rule: "complete" },
        Refusal::DrawByComputer { draw: 48_213 },
        Refusal::DrawnByBalls { draw: 48_213 },
        Refusal::BallOutOfTurn { next: 7 },
        Refusal::BallOutOfPool { most: 80 },
        Refusal::BallRepeated {
            number: 66,
            position: 3,
        },
        Refusal::TwoEnterAlready {
            first: text("M1"),
            second: text("V1"),
        },
        Refusal::NotEntering { badge: text("M2") },
        Refusal::BallsNotEntered,
        Refusal::BallsWereEntered,
        Refusal::NothingCommitted,
        Refusal::NothingToAttest,
        Refusal::RoomIsOpen,
        Refusal::RoomNotOpen,
        Refusal::NoBallSetUsable,
        Refusal::NoChoosingDraw,
        Refusal::NoChoice,
        Refusal::SetNotChosen { draw: 48_213 },
        Refusal::BallSetUnusable {
            set: text("A"),
            why: Unusable::Unfit,
        },
        Refusal::BallSetUnusable {
            set: text("A"),
            why: Unusable::UsedUp,
        },
        Refusal::BallSetUnusable {
            set: text("A"),
            why: Unusable::Outdated,
        },
        Refusal::BallSetUnusable {
            set: text("A"),
            why: Unusable::SetAside,
        },
        Refusal::BallsMiscounted {
            field: "counted",
            expected: 80,
        },
        Refusal::DrawUndecided { draw: 48_213 },
        Refusal::NothingAsked,
        Refusal::PostponedTooFar { most: 720 },
        Refusal::NumbersRepeated,
        Refusal::SoldForDraw {
            draw: 48_213,
            badge: text("C1"),
        },
        Refusal::NotHalted,
        Refusal::StaffTooFew {
            needed: 7,
            stated: 5,
        },
        Refusal::RecordUnknown,
        Refusal::FileWaits {
            from: text("2027-11-20"),
        },
        Refusal::QueueFull,
        Refusal::RecordUnavailable,
        Refusal::RuleBookFaulty { faults: faulty },
    ]
}

/// Each refusal of a paper whose code cannot be read.
const DAMAGED: [Refusal; 15] = [
    Refusal::PaperDisagrees,
    Refusal::FileNeeded,
    Refusal::PaidEnoughToday,
    Refusal::ReadAgain,
    Refusal::ReceiptNeeded,
    Refusal::PresenterNeeded,
    Refusal::NoteNeeded,
    Refusal::OpenerJudges,
    Refusal::FileUnknown,
    Refusal::FileNotJudged,
    Refusal::FileJudged,
    Refusal::FileRefused,
    Refusal::FileWithoutTicket,
    Refusal::ThirdPersonNeeded,
    Refusal::MomentInvalid,
];

/// Figures as a refused slip may have them.
fn details() -> Vec<SlipDetail> {
    vec![
        SlipDetail::None,
        SlipDetail::Count {
            asked: 25,
            min: 1,
            max: 20,
        },
        SlipDetail::Number(7),
        SlipDetail::NumberOfPool {
            number: 81,
            max: 80,
        },
        SlipDetail::Wager {
            asked: Cents::new(75),
            min: Cents::new(50),
            max: Cents::new(200_000),
            step: Cents::new(50),
        },
        SlipDetail::Amount {
            asked: Cents::new(300_000),
            max: Cents::new(200_000),
        },
        SlipDetail::Ways {
            asked_ways: Some(3),
            asked_spots: 4,
            generated: vec![(2, 4), (1, 8)],
        },
        SlipDetail::Ways {
            asked_ways: None,
            asked_spots: 5,
            generated: Vec::new(),
        },
        SlipDetail::Named,
        SlipDetail::Spots {
            asked: 16,
            min: 1,
            max: 15,
        },
    ]
}

/// A problem as lines: everything that it says but its type, which is its name.
fn lines(problem: &Problem) -> String {
    let mut text = format!("{}: {}", problem.name(), problem.status);
    if problem.retry {
        text.push_str(", retry");
    }
    if let Some(selection) = problem.selection {
        write!(text, ", selection {selection}").unwrap();
    }
    if let Some(field) = &problem.field {
        write!(text, ", field {field}").unwrap();
    }
    if let Some(draw) = problem.next_draw {
        write!(text, ", next draw {draw}").unwrap();
    }
    write!(
        text,
        "\n  {}\n  {}\n",
        problem.sentence.fr, problem.sentence.en
    )
    .unwrap();
    text
}

fn goldens() -> Goldens {
    Goldens::of("tests/goldens/refusals")
}

#[test]
fn every_refusal_is_said_as_ever() {
    let mut text = String::new();
    let mut said = BTreeSet::new();
    for refusal in refusals() {
        said.insert(refusal.name());
        text.push_str(&lines(&problem_of(&refusal)));
    }
    for refusal in DAMAGED {
        said.insert(refusal.name());
        text.push_str(&lines(&problem_of(&refusal)));
    }
    let unsaid = Refusal::NAMES.iter().filter(|name| !said.contains(*name));
    assert_eq!(unsaid.collect::<Vec<_>>(), [&""; 0]);
    goldens().hold("refusals", &text);
}

#[test]
fn every_slip_is_refused_in_the_same_words() {
    let mut text = String::new();
    for code in SlipRefusalCode::ALL {
        let mut said = BTreeSet::new();
        for detail in details() {
            let refusal = SlipRefusal {
                code,
                selection: Some(1),
                field: Some("numbers"),
                detail,
            };
            let lines = lines(&problem_of(&Refusal::from(refusal)));
            if said.insert(lines.clone()) {
                text.push_str(&lines);
            }
        }
    }
    let whole = SlipRefusal {
        code: SlipRefusalCode::NoSelections,
        selection: None,
        field: None,
        detail: SlipDetail::None,
    };
    text.push_str(&lines(&problem_of(&Refusal::from(whole))));
    goldens().hold("slips", &text);
}

#[test]
fn the_doors_refuse_in_the_same_words() {
    let version = |text: &str| text.parse::<Version>().unwrap();
    let edge = [
        ApiError::Malformed(Malformed {
            words: Bilingual {
                fr: text("Ce n’est pas du JSON."),
                en: text("This is no JSON."),
            },
            field: Some(text("slip")),
        }),
        ApiError::TooLarge,
        ApiError::MediaTypeUnsupported,
        ApiError::PathUnknown,
        ApiError::MethodNotAllowed { allow: "GET" },
        ApiError::Unsure(Fault::UnknownCommit),
        ApiError::FormExpired,
        ApiError::AgentTooOld {
            found: Some(version("0.1.0")),
            minimum: version("0.2.0"),
        },
    ];
    let mut text = String::new();
    for (error, of) in edge.iter().zip(Edge::ALL) {
        assert_eq!(error.problem().name(), of.name());
        text.push_str(&lines(&error.problem()));
    }
    text.push_str(&lines(&ApiError::Broke(Fault::HeadMoved).problem()));
    for refusal in DoorRefusal::ALL {
        text.push_str(&lines(&ApiError::from(refusal).problem()));
    }
    for refusal in TrustRefusal::ALL {
        text.push_str(&lines(&ApiError::from(refusal).problem()));
    }
    goldens().hold("doors", &text);
}

#[test]
fn every_verdict_is_said_as_ever() {
    let verdicts = [
        Verdict::NotYetDrawn {
            time: text("2026-11-20 12:05"),
        },
        Verdict::PartlyDrawn {
            done: 2,
            to_come: 3,
        },
        Verdict::Winner { cents: 123_450 },
        Verdict::WinnerAtCage,
        Verdict::NotWinner,
        Verdict::AlreadyPaid {
            date: text("2026-11-20 12:05"),
            place: text("T07"),
        },
        Verdict::Cancelled {
            date: text("2026-11-20 12:05"),
        },
        Verdict::Cancelled {
            date: String::new(),
        },
        Verdict::VoidUnpaid,
        Verdict::Replaced,
        Verdict::ClaimExpired {
            date: text("2026-11-20 12:05"),
        },
        Verdict::InDoubt,
        Verdict::WinHeld {
            owner: None,
            until: text("2026-11-23 12:05"),
            is_late: false,
        },
        Verdict::WinHeld {
            owner: Some(text("Direction des jeux")),
            until: text("2026-11-23 12:05"),
            is_late: true,
        },
        Verdict::DrawUnofficial,
        Verdict::DrawCancelled { cents: 123_450 },
        Verdict::NotFound,
        Verdict::RecordLost {
            date: text("2026-11-20 12:05"),
        },
        Verdict::LostRefunded {
            date: text("2026-11-20 12:05"),
            place: text("T07"),
        },
        Verdict::Unreadable,
        Verdict::CentralDown,
    ];
    let mut text = String::new();
    for verdict in verdicts {
        writeln!(text, "{}", verdict.name()).unwrap();
        for amounts in [true, false] {
            let shown = if amounts { "with amounts" } else { "without" };
            writeln!(
                text,
                "  {shown}: {}\n  {shown}: {}",
                verdict.words(amounts).fr(),
                verdict.words(amounts).en()
            )
            .unwrap();
        }
    }
    goldens().hold("verdicts", &text);
}

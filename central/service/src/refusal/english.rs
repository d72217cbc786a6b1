//! What each refusal says, in English.

use keno_game::Cents;
use keno_record::roles::{DeviceRole, Role};

use super::draw_state::state_words;
use super::field::listed;
use super::{DamagedRefusal, Refusal};

impl Refusal {
    /// The sentence in English.
    pub fn sentence_en(&self) -> String {
        match self {
            Self::DeviceUnknown => "This device is not enrolled. Call the technician.".to_owned(),
            Self::DeviceRevoked => "This device has been revoked. Call the technician.".to_owned(),
            Self::DeviceHandedOver { to } => format!("This terminal was handed over to {to}. Go on there."),
            Self::NotSignedIn => "Sign on with your badge first.".to_owned(),
            Self::SessionEnded => "This session has ended. Sign on again.".to_owned(),
            Self::SessionIdle => "Nobody touched this screen for a while. Unlock it with your PIN.".to_owned(),
            Self::BadgeOrPinWrong => "Badge, PIN or place is not right.".to_owned(),
            Self::LockedOut { seconds } => format!("Too many tries. Wait {seconds} s, or go to another terminal."),
            Self::BadgeLocked => "Too many wrong PINs for this badge: it only serves at terminals where it has served before, until two people lift that. Call the supervisor.".to_owned(),
            Self::PinsBusy => "Too many people sign on at once. Try again in a moment; no PIN was tried.".to_owned(),
            Self::WrongPlace { needed: [] } => "This is done on the central computer's own machine alone.".to_owned(),
            Self::WrongPlace { needed } => format!("This is not done at this device. Where: {}.", listed(needed, DeviceRole::name_en, "or")),
            Self::WrongRole { needed } => format!("Your role does not allow this. Needed: {}.", listed(needed, Role::name_en, "or")),
            Self::SecondPersonNeeded => "A second authorised person must give badge and PIN.".to_owned(),
            Self::SamePersonTwice => "The second person must be someone else.".to_owned(),
            Self::SecondPersonRefused => "The second person does not have the role for this.".to_owned(),
            Self::PinTooEasy => "Choose another PIN: 6 to 12 digits, no three in a row alike or following one another (111, 123, 321), and no piece repeated (1212, 483483).".to_owned(),
            Self::PinUnchanged => "That is the PIN that you have already: choose another.".to_owned(),
            Self::PinMustChange => "This PIN was set for you by somebody else: choose your own first, at a device of the house or with “keno-central admin pin choose”.".to_owned(),
            Self::PinNotReset => "This PIN is not replaced so: only a clerk's is, by a supervisor and another person. Two administrators can record it anew.".to_owned(),
            Self::CardNeeded => "Scan the card of this badge: badge and PIN alone are not enough here. Without it a second person answers at the wall, in their own session; a card that is lost is made anew by two administrators.".to_owned(),
            Self::CannotAct => "This badge cannot act as a supervisor: it is a supervisor's already, it is withdrawn, or its owner is an auditor, a technician or an administrator.".to_owned(),
            Self::NotNamedToAct => "This badge has not been named as one that may act as a supervisor: two administrators name it first.".to_owned(),
            Self::ActingOwnSale => "An acting supervisor does not judge a ticket that they sold themselves: ask another supervisor or the cage.".to_owned(),
            Self::PinKnownToOther => "One of you set the other's PIN, which its owner has not changed yet: ask another person.".to_owned(),
            Self::PinChosenElsewhere => "Whoever set this PIN is signed on here: choose yours at another device.".to_owned(),
            Self::NameNeeded { .. } => "The badge or the staff number is missing.".to_owned(),
            Self::BadgeSigns => "A badge is made of unaccented letters, digits and hyphens, a staff number of unaccented signs with no space around them; \"guard\", \"console\", \"central\", \"device\" and \"recovery\" are none.".to_owned(),
            Self::RolesExclude { one, other } => format!("Nobody is {} and {} at once. Give these roles to two people.", one.name_en(), other.name_en()),
            Self::StaffNumberKept { staff } => format!("This badge is that of staff number {staff}, and stays it. Record another badge."),
            Self::LooksLikeAnother { other } => format!("{other} is on record already and would be read as the same. Give it exactly so, or another."),
            Self::AdministratorsTooFew => "A house keeps two administrators: record another one first.".to_owned(),
            Self::HouseHasAdministrators => "This house has its two administrators: they record everybody else.".to_owned(),
            Self::HouseHasRecoveryCode => "This house has its recovery code: two administrators make another.".to_owned(),
            Self::OwnBadge => "Nobody withdraws their own badge. Ask two other administrators.".to_owned(),
            Self::ApprovalUnknown => "There is no such approval, or central has restarted: ask again.".to_owned(),
            Self::ApprovalWaiting => "Nobody has answered yet: wait, or call the supervisor.".to_owned(),
            Self::ApprovalRefused => "The supervisor has refused.".to_owned(),
            Self::ApprovalExpired => "This approval is over: ask again.".to_owned(),
            Self::ApprovalUsed => "This approval was used, or answered, already.".to_owned(),
            Self::ApprovalNotForThis => "This approval is for another request: ask for one for this.".to_owned(),
            Self::NoOpenTill => "Open a till with a float first.".to_owned(),
            Self::TillAlreadyOpen => "A till is already open at this terminal.".to_owned(),
            Self::TillStillOpen => "The till of this shift is not counted yet: its sheet comes after the count.".to_owned(),
            Self::TillOfAnother => "This till is another person’s: a supervisor and one other close it.".to_owned(),
            Self::DeviceIsThisOne => "Name the terminal that is left, not this one.".to_owned(),
            Self::DeviceNotHandedOver => "This device was not handed over to another.".to_owned(),
            Self::RevokedForGood => "The device that was named has been revoked and does not come back: record it under a new number.".to_owned(),
            Self::NoSuchCounter => "The device that was named is no counter of this house: there is nothing to take over.".to_owned(),
            Self::FloatInvalid { most } => format!("The float must be from $0.00 to {}.", Cents::new(*most).text_en()),
            Self::AmountInvalid { most } => format!("The amount must be from $0.01 to {}.", Cents::new(*most).text_en()),
            Self::TerminalStopped => "The supervisor has stopped this terminal: it sells nothing for now.".to_owned(),
            Self::CountInvalid { most } => format!("The cash counted must be from $0.00 to {}.", Cents::new(*most).text_en()),
            Self::KeyOtherContent => "This key was already used for another request. Nothing was done.".to_owned(),
            Self::KeyClosed => "This key is closed. Start again with a new request.".to_owned(),
            Self::KeyForeign => "This key does not belong to this device and session.".to_owned(),
            Self::Slip { refusal } => refusal.sentence_en(),
            Self::SalesSuspended => "Sales are suspended for the whole house.".to_owned(),
            Self::NoRules => "No version of the rules is published for this draw.".to_owned(),
            Self::DrawUnknown { draw: 0 } => "No draw is on sale.".to_owned(),
            Self::DrawUnknown { draw } => format!("Draw {draw} does not exist yet."),
            Self::DrawClosed { draw, next } => {
                let next_en = next.map_or_else(String::new, |next| format!(" Sell from {next} on?"));
                format!("Sales for draw {draw} are closed.{next_en}")
            }
            Self::DrawNotOpen { draw } => format!("Draw {draw} is not on sale."),
            Self::DrawTooFarAhead { draw, furthest } => format!("Draw {draw} is too far ahead. Latest first draw: {furthest}."),
            Self::TenderUnknown => "This tender does not exist. No credit is given (s. 5).".to_owned(),
            Self::TenderNotAccepted => "This tender is not accepted.".to_owned(),
            Self::IntakeUnknown => "The intake of the slip is not known.".to_owned(),
            Self::TotalChanged { told, price } => {
                let price_en = Cents::new(*price).text_en();
                let told_en = Cents::new(*told).text_en();
                format!("The total told ({told_en}) is not the price ({price_en}). Tell the right total.")
            }
            Self::ReceivedTooLittle { received, price } => {
                let price_en = Cents::new(*price).text_en();
                let received_en = Cents::new(*received).text_en();
                format!("Received {received_en} for {price_en}. No credit is given (s. 5).")
            }
            Self::ReceivedTooMuch { most } => format!("The amount received is at most {}.", Cents::new(*most).text_en()),
            Self::LiabilityOverLimit => "This selection would raise the possible prizes over the house's limit.".to_owned(),
            Self::ReplayUnknown => "The ticket to replay is not known.".to_owned(),
            Self::CodeUnreadable => "This code cannot be read. Show the ticket again, flat, or type the control number printed on it.".to_owned(),
            Self::NumberMistyped => "This number is not as it stands on the ticket. Compare it sign by sign and try again.".to_owned(),
            Self::NumberUnknown => "No ticket has this number and code: read them again. If it is a paper, keep it and call the supervisor.".to_owned(),
            Self::TooManyUnknown => "Too many unknown numbers, or readings that did not agree. Wait a minute.".to_owned(),
            Self::ClaimCodeNeeded => "The paper's code is needed: scan it, or type after the number the 20 signs printed on it. A number alone pays, cancels and replaces nothing. If the code cannot be read, keep the paper and call the supervisor.".to_owned(),
            Self::MoneyGivenBack => "The price of this ticket was given back when its sale was put aside: no paper of it is made, and nobody gets it.".to_owned(),
            Self::PaperIsWhole => "A paper of this ticket came out: it was paid for.".to_owned(),
            Self::CopyReplaced => "This paper was replaced by a duplicate. It is no longer valid.".to_owned(),
            Self::TicketNotLost => "This ticket is in the record: pay or cancel it as any other.".to_owned(),
            Self::NothingLost => "No restore has lost this ticket. Keep the paper and call the supervisor.".to_owned(),
            Self::LostRefunded { at, device, by, second } => format!("This lost ticket was refunded on {at}, {device}, by {by} and {second}."),
            Self::PrintElsewhere => "Only the device that issued this paper can say that it came out.".to_owned(),
            Self::TicketCancelled => "This ticket was cancelled.".to_owned(),
            Self::TicketVoidUnpaid => "Void ticket: wager not paid before the draw (s. 83).".to_owned(),
            Self::TicketHeld => "Ticket being checked: two people have to release it first. Call the supervisor.".to_owned(),
            Self::NotHeld => "This ticket is not held.".to_owned(),
            Self::CancelAfterClose { draw } => format!("Draw {draw} is closed: the ticket can no longer be cancelled."),
            Self::UnpaidAfterFirstBall { draw } => format!("Draw {draw} has begun: the wager can no longer be declared unpaid."),
            Self::ReasonUnknown => "This reason is not on the list.".to_owned(),
            Self::ReasonNeeded => "Give a reason.".to_owned(),
            Self::TextSigns { .. } => "This text has a sign that is neither seen nor printed: type it again, on one line.".to_owned(),
            Self::TextTooLong { most, .. } => format!("This text has more than {most} characters: shorten it."),
            Self::DuplicateAfterPayment => "A ticket that was paid, even in part, gets no duplicate.".to_owned(),
            Self::CopiesUsedUp { most } => format!("This ticket has {most} papers already, the most allowed: keep them and call the supervisor."),
            Self::NothingToPay => "Nothing to pay on this ticket.".to_owned(),
            Self::DrawNotOfTicket { draw } => format!("Draw {draw} is not on this ticket."),
            Self::NotDrawnYet { draw } => format!("Draw {draw} has not taken place yet."),
            Self::ResultNotOfficial { draw } => format!("The result of draw {draw} is being verified. Wait."),
            Self::AlreadyPaid { draw, at, device } => format!("Draw {draw} of this ticket was already paid on {at}, {device}."),
            Self::ClaimExpired { day } => format!("This prize or refund had to be claimed by {day}."),
            Self::AmountChanged { draw, shown, payable } => {
                let payable_en = Cents::new(*payable).text_en();
                let shown_en = Cents::new(*shown).text_en();
                format!("The amount for draw {draw} is not {shown_en} but {payable_en}. Tell the player again.")
            }
            Self::CageOnly => "This amount is paid at the main cage.".to_owned(),
            Self::MixedTenders => "Pay the prize and the refund apart: they are not given back in the same way.".to_owned(),
            Self::DrawListedTwice { draw } => format!("Draw {draw} is listed twice in the request."),
            Self::PaymentUnknown => "This payment is not known.".to_owned(),
            Self::PaymentReversed => "This payment was already reversed.".to_owned(),
            Self::PaymentOtherShift => "A payment can be reversed only in the same shift.".to_owned(),
            Self::PaymentOtherTill { device } => format!("A payment can be reversed only at the till that made it: {device}."),
            Self::RuleBookFaulty { faults } => {
                let count = faults.len();
                let first_en = faults.first().map(|fault| fault.sentence_en()).unwrap_or_default();
                format!("The rules have {count} fault(s). The first: {first_en}")
            }
            Self::StaffTooFew { needed, stated } => format!("These rules need {needed} people: a file of a damaged ticket is decided by people who did not open it (s. 83). The house states {stated} ([staff] fewest in house.toml): state more{}.", if *needed > 3 { ", or raise damaged.third_person above the cap" } else { "" }),
            Self::RuleBookVersion { expected } => format!("The version must be {expected}."),
            Self::RuleBookMovedOn { version } => format!("The rules have changed since they were read: version {version} is the newest. Read it, then make the change again."),
            Self::RuleBookTooEarly { earliest } => format!("These rules can only hold from draw {earliest} on."),
            Self::DrawStepRefused { state } => format!("The draw is {}: this step is not possible.", state_words(state).1),
            Self::RuleForInterrupted { rule: "void" } => "By the rules an interrupted draw of balls is void and refunded.".to_owned(),
            Self::RuleForInterrupted { .. } => "By the rules an interrupted draw of balls is completed.".to_owned(),
            Self::SoldForDraw { draw, badge } => format!("{badge} sold for draw {draw}: somebody else must decide about it."),
            Self::NotHalted => "The schedule is not halted.".to_owned(),
            Self::RecordUnknown => "There is no such entry in the record.".to_owned(),
            Self::FileWaits { from } => format!("{} It is decided from {from} on.", DamagedRefusal::FileWaits.sentence_en()),
            Self::Damaged { refusal } => refusal.sentence_en().to_owned(),
            Self::QueueFull => "The system is busy. Try again in a moment; nothing was done.".to_owned(),
            Self::RecordUnavailable => "The central record is unavailable. Nothing was done; try again.".to_owned(),
        }
    }
}

//! Refusals: a closed, ordered list. The order of the declaration is the order in which the
//! checks are made; the names are stable; each has a sentence in both languages that says what
//! to do next: the text of its name in the area `refusal` of the catalogue (keno-words).

mod draw_state;

use keno_book::rules_file::RuleBookFault;
use keno_book::slip_sentence::SlipSentence;
use keno_game::SlipRefusal;
use keno_record::fault::QueueFull;
use keno_record::roles::{DeviceRole, Role};
use keno_record::state::Unusable;
use keno_words::refusal as words;
use keno_words::{Money, OneOf};

use draw_state::state_words;

/// Why a command was not carried out.
pub type Stop = keno_record::Stop<Refusal>;

impl std::fmt::Display for Refusal {
    /// The stable name, for the log of the process.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<QueueFull> for Refusal {
    fn from(_: QueueFull) -> Self {
        Self::QueueFull
    }
}

impl From<SlipRefusal> for Refusal {
    fn from(refusal: SlipRefusal) -> Self {
        Self::Slip { refusal }
    }
}

/// Makes everything of one row a refusal: its case with what it names, its stable name, its HTTP
/// status, `again` where the same command may succeed later without being changed (else `final`),
/// the field of the request at fault if there is one. Its sentence has the places that the case
/// has fields, each as it is or as the value after `=`; where there are several sentences or fewer
/// places, what stands after `=>` chooses.
macro_rules! refusals {
    ($(
        $(#[doc = $doc:literal])*
        $case:ident $({ $($named:ident: $kind:ty $(= $value:expr)?),* })?
        $name:literal, $status:literal, $again:ident $(, $field:tt)? $(=> $said:expr)?;
    )*) => {
        /// The rules say no. Nothing was recorded.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Refusal {
            $(
                $(#[doc = $doc])*
                $case $({ $(
                    #[doc = "What the sentence names, or the field at fault."]
                    $named: $kind,
                )* })?,
            )*
            /// The slip is at fault: selection, field and sentence are inside.
            Slip {
                /// What the sentence says.
                refusal: SlipRefusal,
            },
        }

        impl Refusal {
            /// Every stable name that is not about a slip, in order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The HTTP status of each, in the same order.
            pub const STATUSES: &'static [u16] = &[$($status),*];

            /// The stable name.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$case { .. } => $name,)*
                    Self::Slip { refusal } => refusal.code.name(),
                }
            }

            /// The HTTP status.
            pub fn status(&self) -> u16 {
                match self {
                    $(Self::$case { .. } => $status,)*
                    Self::Slip { .. } => 422,
                }
            }

            /// True when the same command may succeed later without being changed.
            pub fn may_be_tried_again(&self) -> bool {
                match self {
                    $(Self::$case { .. } => refusals!(@$again),)*
                    Self::Slip { .. } => false,
                }
            }

            /// The field of the request at fault.
            #[allow(unused_variables)]
            pub fn field(&self) -> Option<&str> {
                match self {
                    $(Self::$case $({ $($named),* })? => refusals!(@field $($field)?),)*
                    Self::Slip { refusal } => refusal.field,
                }
            }
        }

        keno_words::says! { Refusal: refusal {
            $($case $({ $($named $(= $value)?),* })? $(=> $said)?,)*
            Slip { refusal } => |say| say(&SlipSentence(refusal)),
        } }
    };
    (@again) => { true };
    (@final) => { false };
    (@field) => { None };
    (@field $field:tt) => { Some($field) };
}

impl Refusal {
    /// Whether somebody asked for what is not theirs to do, or not alone: the access log has it. What
    /// the door of PINs refuses stands there already.
    pub const fn is_about_authority(&self) -> bool {
        matches!(
            self,
            Self::WrongPlace { .. }
                | Self::WrongRole { .. }
                | Self::SessionElsewhere
                | Self::SecondPersonNeeded
                | Self::SecondPersonRefused
                | Self::SamePersonTwice
                | Self::PinKnownToOther
                | Self::ActingOwnSale
                | Self::OwnBadge
                | Self::CannotAct
                | Self::NotNamedToAct
                | Self::PinNotReset
                | Self::ApprovalRefused
                | Self::ApprovalNotForThis
                | Self::TillOfAnother
                | Self::KeyForeign
                | Self::ClaimCodeNeeded
                | Self::CopyReplaced
                | Self::PaidEnoughToday
        )
    }
}

refusals! {
    /// This device is not enrolled. Call the technician.
    DeviceUnknown "device_unknown", 401, final;
    /// This device has been revoked. Call the technician.
    DeviceRevoked "device_revoked", 401, final;
    /// This terminal was handed over to `to`. Go on there.
    DeviceHandedOver { to: String } "device_handed_over", 403, final;
    /// Sign on with your badge first.
    NotSignedIn "not_signed_in", 401, final;
    /// This session has ended. Sign on again.
    SessionEnded "session_ended", 401, final;
    /// This session was opened at another device. Sign on here.
    SessionElsewhere "session_elsewhere", 401, final;
    /// Nobody was seen at this screen for a while. Unlock it with your PIN.
    SessionIdle "session_idle", 401, final;
    /// Badge, PIN or place is not right.
    BadgeOrPinWrong "badge_or_pin_wrong", 401, final;
    /// Too many tries. Wait `seconds` s, or go on at another terminal.
    LockedOut { seconds: i64 } "locked_out", 429, again;
    /// Too many wrong PINs for this badge: it only serves where it has served before, until two
    /// people lift that.
    BadgeLocked "badge_locked", 403, final;
    /// Too many people sign on at once. Try again in a moment; nothing was tried.
    PinsBusy "pins_busy", 429, again;
    /// This is not done at this device. Where: `needed`.
    WrongPlace { needed: &'static [DeviceRole] } "wrong_place", 403, final => |say| match needed {
        [] => say(&words::HereAlone),
        _ => say(&words::WrongPlace { needed: &OneOf(needed) }),
    };
    /// Your role does not allow this. Needed: `needed`.
    WrongRole { needed: Vec<Role> = OneOf(needed) } "wrong_role", 403, final;
    /// A second authorised person must give badge and PIN.
    SecondPersonNeeded "second_person_needed", 403, final, "second";
    /// The second person must be someone else.
    SamePersonTwice "same_person_twice", 403, final, "second";
    /// The second person does not have the role for this.
    SecondPersonRefused "second_person_refused", 403, final, "second";
    /// A PIN is 6 to 12 digits, without three in a row alike or following, or a repeated piece.
    PinTooEasy "pin_too_easy", 422, final, "new_pin";
    /// The new PIN is the one that the badge has already.
    PinUnchanged "pin_unchanged", 422, final, "new_pin";
    /// This PIN was set for you: choose your own first.
    PinMustChange "pin_must_change", 403, final;
    /// This PIN is not reset so.
    PinNotReset "pin_not_reset", 403, final, "badge";
    /// This badge cannot act as a supervisor.
    CannotAct "cannot_act", 403, final, "badge";
    /// Two administrators have not named this badge as one that may act as a supervisor.
    NotNamedToAct "not_named_to_act", 403, final, "badge";
    /// An acting supervisor does not judge a ticket that he sold himself.
    ActingOwnSale "acting_own_sale", 403, final;
    /// One of the two set the PIN of the other, who has not changed it yet.
    PinKnownToOther "pin_known_to_other", 403, final;
    /// The card of this badge is to be scanned, and not its letters typed.
    CardNeeded "card_needed", 403, final, "second";
    /// Who set this PIN is signed on at this device.
    PinChosenElsewhere "pin_chosen_elsewhere", 403, final;
    /// The field `field` is empty.
    NameNeeded { field: &'static str } "name_needed", 422, final, field => |say| say(&words::NameNeeded);
    /// A badge is letters, digits and hyphens, and no name that central goes by.
    BadgeSigns "badge_signs", 422, final, "badge";
    /// Nobody is `one` and `other` at once.
    RolesExclude { one: Role, other: Role } "roles_exclude", 422, final, "roles";
    /// This badge is that of staff number `staff`, and stays it.
    StaffNumberKept { staff: String } "staff_number_kept", 409, final, "staff";
    /// It would be read as `other`, who is there already.
    LooksLikeAnother { other: String } "looks_like_another", 409, final, "badge";
    /// A house keeps two administrators.
    AdministratorsTooFew "administrators_too_few", 409, final;
    /// This house has its two administrators: they make further people.
    HouseHasAdministrators "house_has_administrators", 409, final;
    /// This house has its recovery code: two administrators make another.
    HouseHasRecoveryCode "house_has_recovery_code", 403, final;
    /// Nobody withdraws their own badge.
    OwnBadge "own_badge", 403, final, "badge";
    /// There is no such approval.
    ApprovalUnknown "approval_unknown", 404, final;
    /// Nobody has answered yet. Wait, or call the supervisor.
    ApprovalWaiting "approval_waiting", 409, again;
    /// The supervisor has refused.
    ApprovalRefused "approval_refused", 403, final;
    /// This approval is over. Ask again.
    ApprovalExpired "approval_expired", 409, final;
    /// This approval was used or answered already.
    ApprovalUsed "approval_used", 409, final;
    /// This approval is for another command. Ask again.
    ApprovalNotForThis "approval_not_for_this", 409, final;
    /// This key was already used for another request. Nothing was done.
    KeyOtherContent "key_other_content", 409, final, "key";
    /// This key is closed. Start again with a new request.
    KeyClosed "key_closed", 409, final, "key";
    /// This key does not belong to this device and session.
    KeyForeign "key_foreign", 409, final, "key";
    /// Open a till with a float first.
    NoOpenTill "no_open_till", 409, final;
    /// The float must be from $0.00 to `most_en`.
    FloatInvalid { most: i64 = Money(*most) } "float_invalid", 422, final, "float_cents";
    /// A till is already open at this terminal.
    TillAlreadyOpen "till_already_open", 409, final;
    /// The till of this shift is not counted yet: its sheet comes after the count.
    TillStillOpen "till_still_open", 409, final;
    /// This till is another person's: a supervisor and one other close it.
    TillOfAnother "till_of_another", 409, final;
    /// Name the terminal that is left, not this one.
    DeviceIsThisOne "device_is_this_one", 409, final;
    /// This device was not handed over to another.
    DeviceNotHandedOver "device_not_handed_over", 409, final;
    /// The device that is to come back was revoked for good.
    RevokedForGood "revoked_for_good", 409, final;
    /// What is to be taken over is no counter of this house.
    NoSuchCounter "no_such_counter", 409, final;
    /// The amount must be from $0.01 to `most_en`.
    AmountInvalid { most: i64 = Money(*most) } "amount_invalid", 422, final, "amount_cents";
    /// Each amount counted is from $0.00 to `most_en`, and coupons or chips go with their number.
    CountInvalid { most: i64 = Money(*most) } "count_invalid", 422, final, "counted_cents";
    /// A supervisor has stopped this terminal: it sells nothing for now.
    TerminalStopped "terminal_stopped", 409, again;
    /// Sales are suspended for the whole house.
    SalesSuspended "sales_suspended", 409, again;
    /// No version of the rules is published for this draw.
    NoRules "no_rules", 409, final;
    /// Draw `draw` does not exist yet; 0 when no draw at all is on sale.
    DrawUnknown { draw: u64 } "draw_unknown", 422, final, "first_draw" => |say| match draw {
        0 => say(&words::NoDrawOnSale),
        _ => say(&words::DrawUnknown { draw }),
    };
    /// Sales for draw `draw` are closed.`next_en`
    DrawClosed {
        draw: u64,
        next: Option<u64> = next.as_ref().map(|next| words::SellFrom { next })
    } "draw_closed", 409, final, "first_draw";
    /// Draw `draw` is not on sale.
    DrawNotOpen { draw: u64 } "draw_not_open", 409, final, "first_draw";
    /// Draw `draw` is too far ahead. Latest first draw: `furthest`.
    DrawTooFarAhead { draw: u64, furthest: u64 } "draw_too_far_ahead", 422, final, "first_draw";
    /// This tender does not exist. No credit is given (s. 5).
    TenderUnknown "tender_unknown", 422, final, "tender";
    /// This tender is not accepted.
    TenderNotAccepted "tender_not_accepted", 422, final, "tender";
    /// The intake of the slip is not known.
    IntakeUnknown "intake_unknown", 422, final, "intake";
    /// The total told (`told_en`) is not the price (`price_en`). Tell the right total.
    TotalChanged { told: i64 = Money(*told), price: i64 = Money(*price) } "total_changed", 422, final, "total_cents";
    /// Received `received_en` for `price_en`. No credit is given (s. 5).
    ReceivedTooLittle { received: i64 = Money(*received), price: i64 = Money(*price) } "received_too_little", 422, final, "received_cents";
    /// The amount received is at most `most_en`.
    ReceivedTooMuch { most: i64 = Money(*most) } "received_too_much", 422, final, "received_cents";
    /// A chip gives at most `most_en` in change. Change the chip at the cage, or take another tender.
    ChangeTooMuch { most: i64 = Money(*most) } "change_too_much", 422, final, "received_cents";
    /// This selection would raise the possible prizes over the house's limit.
    LiabilityOverLimit "liability_over_limit", 409, final;
    /// The ticket to replay is not known.
    ReplayUnknown "replay_unknown", 422, final, "replay_of";
    /// This code cannot be read. Show the ticket again, flat, or type the control number printed on it.
    CodeUnreadable "code_unreadable", 422, final, "code";
    /// Mistyped number: the check digits do not agree.
    NumberMistyped "number_mistyped", 422, final, "code";
    /// No ticket has this number and code: the number is in no record, or the claim is not this
    /// house's, and nobody is told which.
    NumberUnknown "number_unknown", 404, final, "code";
    /// Too many unknown numbers. Wait a minute.
    TooManyUnknown "too_many_unknown", 429, again;
    /// The ticket's code is needed, scanned or typed: a number alone pays nothing.
    ClaimCodeNeeded "claim_code_needed", 422, final, "code";
    /// This paper was replaced by a duplicate. It is no longer valid.
    CopyReplaced "copy_replaced", 409, final;
    /// The price of this ticket was given back when its sale was put aside: no paper of it is made.
    MoneyGivenBack "money_given_back", 409, final;
    /// A paper of this ticket came out: it was paid for.
    PaperIsWhole "paper_is_whole", 409, final;
    /// This ticket is in the record: pay or cancel it as any other.
    TicketNotLost "ticket_not_lost", 409, final, "code";
    /// No restore has lost this ticket. Keep the paper and call the supervisor.
    NothingLost "nothing_lost", 409, final, "code";
    /// This lost ticket was refunded on `at`, `device`, by `by` and `second`.
    LostRefunded { at: String, device: String, by: String, second: String } "lost_refunded", 409, final, "code";
    /// Only the device that issued this paper can say that it came out.
    PrintElsewhere "print_elsewhere", 409, final;
    /// This ticket was cancelled.
    TicketCancelled "ticket_cancelled", 409, final;
    /// Void ticket: wager not paid before the draw (s. 83).
    TicketVoidUnpaid "ticket_void_unpaid", 409, final;
    /// Ticket being checked: two people have to release it first. Call the supervisor.
    TicketHeld "ticket_held", 409, final;
    /// What the tables say of this ticket is not what was recorded: pay nothing and have the record verified.
    TicketDoubtful "ticket_doubtful", 409, final;
    /// This ticket is not held.
    NotHeld "not_held", 409, final;
    /// Draw `draw` is closed: the ticket can no longer be cancelled.
    CancelAfterClose { draw: u64 } "cancel_after_close", 409, final;
    /// Draw `draw` has begun: the wager can no longer be declared unpaid.
    UnpaidAfterFirstBall { draw: u64 } "unpaid_after_first_ball", 409, final;
    /// This reason is not on the list.
    ReasonUnknown "reason_unknown", 422, final, "reason";
    /// This is no way in which a print is confirmed.
    PrintMeansUnknown "print_means_unknown", 422, final, "how";
    /// Give a reason.
    ReasonNeeded "reason_needed", 422, final, "reason";
    /// A leaf that is about to be remarked on is no ticket's.
    TicketUnknown "ticket_unknown", 404, final, "ticket";
    /// A remark says nothing.
    RemarkNeeded "remark_needed", 422, final, "text";
    /// This text has a sign that is neither seen nor printed.
    TextSigns { field: &'static str } "text_signs", 422, final, field => |say| say(&words::TextSigns);
    /// This text has more than `most` characters.
    TextTooLong { field: &'static str, most: usize } "text_too_long", 422, final, field
        => |say| say(&words::TextTooLong { most });
    /// A ticket that was paid, even in part, gets no duplicate.
    DuplicateAfterPayment "duplicate_after_payment", 409, final;
    /// A ticket has `most` papers at most.
    CopiesUsedUp { most: u8 } "copies_used_up", 409, final;
    /// Nothing to pay on this ticket.
    NothingToPay "nothing_to_pay", 409, final;
    /// Draw `draw` is not on this ticket.
    DrawNotOfTicket { draw: u64 } "draw_not_of_ticket", 422, final, "items";
    /// Draw `draw` has not taken place yet.
    NotDrawnYet { draw: u64 } "not_drawn_yet", 409, again;
    /// The result of draw `draw` is being verified. Wait.
    ResultNotOfficial { draw: u64 } "result_not_official", 409, again;
    /// Draw `draw` of this ticket was already paid on `at`, `device`.
    AlreadyPaid { draw: u64, at: String, device: String } "already_paid", 409, final;
    /// This prize or refund had to be claimed by `day`.
    ClaimExpired { day: String } "claim_expired", 409, final;
    /// The amount for draw `draw` is not `shown_en` but `payable_en`. Tell the player again.
    AmountChanged { draw: u64, shown: i64 = Money(*shown), payable: i64 = Money(*payable) } "amount_changed", 409, final, "items";
    /// This amount is paid at the main cage.
    CageOnly "cage_only", 403, final;
    /// Pay the prize and the refund apart: they are not given back in the same way.
    MixedTenders "mixed_tenders", 422, final;
    /// Draw `draw` is listed twice in the request.
    DrawListedTwice { draw: u64 } "draw_listed_twice", 422, final, "items";
    /// The second computation found something wrong with draw `draw`: nothing of it is paid.
    DrawDiffers { draw: u64 } "draw_differs", 409, again;
    /// The second computation of draw `draw` is awaited.
    SecondComputationAwaited { draw: u64 } "second_computation_awaited", 409, again;
    /// The payouts of draw `draw` wait for nothing.
    NothingWaits { draw: u64 } "nothing_waits", 409, final, "draw";
    /// Two people may open the payouts of draw `draw` from `from` on.
    OpensLater { draw: u64, from: String } "opens_later", 409, again, "draw";
    /// The rules of draw `draw` hold nothing back for the second computation.
    NothingHeldBack { draw: u64 } "nothing_held_back", 409, final, "draw";
    /// The follower refuses the record: nothing is opened before that is cleared up.
    RecordRefused "record_refused", 409, again;
    /// No follower answers that has not begun on record.
    NobodyBegins "nobody_begins", 409, again;
    /// The note is no checkpoint of this log with a cosignature of a witness that the house names.
    NotCosigned "not_cosigned", 422, final;
    /// A witness cosigned another log than this one, under the log's own key.
    CosignedOtherwise "cosigned_otherwise", 409, final;
    /// The machine reads the balls of this draw by itself.
    LineReads "line_reads", 409, again;
    /// This payment is not known.
    PaymentUnknown "payment_unknown", 404, final;
    /// This payment was already reversed.
    PaymentReversed "payment_reversed", 409, final;
    /// A payment can be reversed only in the same shift.
    PaymentOtherShift "payment_other_shift", 409, final;
    /// A payment can be reversed only at the till that paid: `device`.
    PaymentOtherTill { device: String } "payment_other_till", 409, final;
    /// The rules have `count` fault(s). The first: `first_en`
    RuleBookFaulty { faults: Vec<RuleBookFault> } "rule_book_faulty", 422, final, "text"
        => |say| say(&words::RuleBookFaulty {
            count: &faults.len(),
            first: &faults.first(),
        });
    /// The version must be `expected`.
    RuleBookVersion { expected: u32 } "rule_book_version", 409, final, "text";
    /// The rules have changed since they were read: version `version` is the newest. Read it, then
    /// make the change again.
    RuleBookMovedOn { version: u32 } "rule_book_moved_on", 409, final, "base_version";
    /// These rules can only hold from draw `earliest` on.
    RuleBookTooEarly { earliest: u64 } "rule_book_too_early", 409, final, "effective_from";
    /// The draw is in state `state`: this step is not possible.
    DrawStepRefused { state: &'static str = state_words(state) } "draw_step_refused", 409, final;
    /// The rules say what becomes of an interrupted draw of balls: `rule_en`.
    RuleForInterrupted { rule: &'static str } "rule_for_interrupted", 409, final => |say| match *rule {
        "void" => say(&words::RuleVoids),
        _ => say(&words::RuleCompletes),
    };
    /// Draw `draw` is computed: nobody enters balls for it.
    DrawByComputer { draw: u64 } "draw_by_computer", 409, final;
    /// Draw `draw` was drawn with balls: nothing computes them again.
    DrawnByBalls { draw: u64 } "drawn_by_balls", 404, final;
    /// It is the turn of ball `next`.
    BallOutOfTurn { next: u8 } "ball_out_of_turn", 409, final, "position";
    /// A ball is a number from 1 to `most`.
    BallOutOfPool { most: u8 } "ball_out_of_pool", 422, final, "number";
    /// You have entered `number` already, as ball `position`.
    BallRepeated { number: u8, position: u8 } "ball_repeated", 409, final, "number";
    /// `first` and `second` enter the balls of this draw.
    TwoEnterAlready { first: String, second: String } "two_enter_already", 409, final;
    /// `badge` does not enter the balls of this draw.
    NotEntering { badge: String } "not_entering", 409, final, "leaving";
    /// Both have not entered every ball alike yet.
    BallsNotEntered "balls_not_entered", 409, final;
    /// Balls were entered: the computer does not stand in any more.
    BallsWereEntered "balls_were_entered", 409, final;
    /// Nobody committed to secrets before the first wager: the computer cannot stand in.
    NothingCommitted "nothing_committed", 409, final;
    /// The draw room is open already.
    RoomIsOpen "room_is_open", 409, final;
    /// The draw room is not open.
    RoomNotOpen "room_not_open", 409, final;
    /// No set of balls may be used.
    NoBallSetUsable "no_ball_set_usable", 409, final;
    /// No draw of the computer is on sale whose secrets could choose a set.
    NoChoosingDraw "no_choosing_draw", 409, again;
    /// Chance was not asked for a set yet.
    NoChoice "no_choice", 409, final;
    /// Draw `draw` has not chosen a set yet.
    SetNotChosen { draw: u64 } "set_not_chosen", 409, again;
    /// Set `set` may not be used: `why`.
    BallSetUnusable { set: String, why: Unusable } "ball_set_unusable", 409, final => |say| match why {
        Unusable::Unfit => say(&words::BallSetUnfit { set }),
        Unusable::UsedUp => say(&words::BallSetUsedUp { set }),
        Unusable::Outdated => say(&words::BallSetOutdated { set }),
        Unusable::SetAside => say(&words::BallSetAside { set }),
    };
    /// A set has `expected` balls.
    BallsMiscounted { field: &'static str, expected: u8 } "balls_miscounted", 422, final, field
        => |say| say(&words::BallsMiscounted { expected });
    /// Draw `draw` is closed, and nobody has decided it yet.
    DrawUndecided { draw: u64 } "draw_undecided", 409, final;
    /// Nothing waits for a second person.
    NothingAsked "nothing_asked", 409, final;
    /// A draw is postponed by 1 to `most` minutes.
    PostponedTooFar { most: u16 } "postponed_too_far", 422, final, "minutes";
    /// These numbers are those of an earlier draw.
    NumbersRepeated "numbers_repeated", 409, final;
    /// No ball was entered: there is nothing in the tubes to attest.
    NothingToAttest "nothing_to_attest", 409, final, "finding";
    /// `badge` sold for draw `draw`: somebody else must decide about it.
    SoldForDraw { draw: u64, badge: String } "sold_for_draw", 409, final;
    /// The schedule is not halted.
    NotHalted "not_halted", 409, final;
    /// The rules need more people than the house says it has.
    StaffTooFew { needed: u8, stated: u8 } "staff_too_few", 409, final, "text"
        => |say| say(&words::StaffTooFew {
            needed,
            stated,
            otherwise: &(*needed > 3).then_some(words::OrRaiseThirdPerson),
        });
    /// There is no such entry in the record.
    RecordUnknown "record_unknown", 404, final;
    /// A file of a paper whose code cannot be read waits until `from`.
    FileWaits { from: String } "file_waits", 409, again;
    /// What was typed is of no ticket; which part of it is not said.
    PaperDisagrees "paper_disagrees", 422, final;
    /// More than is paid at once, or one too many today.
    FileNeeded "file_needed", 409, final;
    /// As many were paid so today by this person as the rules allow.
    PaidEnoughToday "paid_enough_today", 409, final;
    /// Somebody else read the paper, or in another shift.
    ReadAgain "read_again", 409, final;
    /// A file is named by its number alone.
    ReceiptNeeded "receipt_needed", 409, final;
    /// Nobody is named who presents the paper.
    PresenterNeeded "presenter_needed", 422, final, "presented_by";
    /// Nothing is said of what was seen.
    NoteNeeded "note_needed", 422, final, "note";
    /// Who opened a file decides about it.
    OpenerJudges "opener_judges", 409, final;
    /// There is no such file.
    FileUnknown "file_unknown", 404, final;
    /// Nobody has decided yet.
    FileNotJudged "file_not_judged", 409, final;
    /// Somebody has decided.
    FileJudged "file_judged", 409, final;
    /// It was decided that nothing is paid.
    FileRefused "file_refused", 409, final;
    /// What is legible does not leave one ticket.
    FileWithoutTicket "file_without_ticket", 409, final;
    /// The amount asks for a third person.
    ThirdPersonNeeded "third_person_needed", 403, final;
    /// The moment lies in the future, or too far back.
    MomentInvalid "moment_invalid", 422, final, "presented_at";
    /// The system is busy. Try again in a moment; nothing was done.
    QueueFull "queue_full", 503, again;
    /// The central record is unavailable. Nothing was done; try again.
    RecordUnavailable "record_unavailable", 503, again;
}

impl Refusal {
    /// The selection at fault, A is 0.
    pub fn selection(&self) -> Option<u8> {
        match self {
            Self::Slip { refusal } => refusal.selection,
            _ => None,
        }
    }
}

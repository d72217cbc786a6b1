//! Refusals: a closed, ordered list. The order of the declaration is the order in which the
//! checks are made; the names are stable; each has a sentence in both languages that says what
//! to do next.

mod draw_state;
mod field;
mod names;

use self::draw_state::state_words;
use keno_game::{Cents, SlipRefusal};

use keno_book::rules_file::RuleBookFault;

use crate::identity::{DeviceRole, Role};
use field::listed;

/// The rules say no. Nothing was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// This device is not enrolled. Call the technician.
    DeviceUnknown,
    /// This device has been revoked. Call the technician.
    DeviceRevoked,
    /// This terminal was handed over to `to`. Go on there.
    DeviceHandedOver {
        /// Name of the device that goes on.
        to: String,
    },
    /// Sign on with your badge first.
    NotSignedIn,
    /// This session has ended. Sign on again.
    SessionEnded,
    /// Nobody was seen at this screen for a while. Unlock it with your PIN.
    SessionIdle,
    /// Badge, PIN or place is not right.
    BadgeOrPinWrong,
    /// Too many tries. Wait `seconds` s, or go on at another terminal.
    LockedOut {
        /// Seconds until the next try is taken.
        seconds: i64,
    },
    /// Too many wrong PINs for this badge: it only serves where it has served before, until two
    /// people lift that.
    BadgeLocked,
    /// Too many people sign on at once. Try again in a moment; nothing was tried.
    PinsBusy,
    /// This is not done at this device. Where: `needed`.
    WrongPlace {
        /// What the sentence names; none where only the command line of central's machine will do.
        needed: &'static [DeviceRole],
    },
    /// Your role does not allow this. Needed: `needed`.
    WrongRole {
        /// What the sentence names.
        needed: &'static [Role],
    },
    /// A second authorised person must give badge and PIN.
    SecondPersonNeeded,
    /// The second person must be someone else.
    SamePersonTwice,
    /// The second person does not have the role for this.
    SecondPersonRefused,
    /// A PIN is 6 to 12 digits, without three in a row alike or following, or a repeated piece.
    PinTooEasy,
    /// The new PIN is the one that the badge has already.
    PinUnchanged,
    /// This PIN was set for you: choose your own first.
    PinMustChange,
    /// This PIN is not reset so.
    PinNotReset,
    /// The field `field` is empty.
    NameNeeded {
        /// Which field of the request.
        field: &'static str,
    },
    /// A badge is letters, digits and hyphens, and no name that central goes by.
    BadgeSigns,
    /// Nobody is `one` and `other` at once.
    RolesExclude {
        /// A role that excludes the other.
        one: Role,
        /// The other.
        other: Role,
    },
    /// This badge is that of staff number `staff`, and stays it.
    StaffNumberKept {
        /// What the badge has.
        staff: String,
    },
    /// A house keeps two administrators.
    AdministratorsTooFew,
    /// This house has its two administrators: they make further people.
    HouseHasAdministrators,
    /// Nobody withdraws their own badge.
    OwnBadge,
    /// There is no such approval.
    ApprovalUnknown,
    /// Nobody has answered yet. Wait, or call the supervisor.
    ApprovalWaiting,
    /// The supervisor has refused.
    ApprovalRefused,
    /// This approval is over. Ask again.
    ApprovalExpired,
    /// This approval was used or answered already.
    ApprovalUsed,
    /// This approval is for another command. Ask again.
    ApprovalNotForThis,
    /// This key was already used for another request. Nothing was done.
    KeyOtherContent,
    /// This key is closed. Start again with a new request.
    KeyClosed,
    /// This key does not belong to this device and session.
    KeyForeign,
    /// Open a till with a float first.
    NoOpenTill,
    /// The float must be from $0.00 to `most_en`.
    FloatInvalid {
        /// Most that a till takes, in cents.
        most: i64,
    },
    /// A till is already open at this terminal.
    TillAlreadyOpen,
    /// The till of this shift is not counted yet: its sheet comes after the count.
    TillStillOpen,
    /// This till is another person's: a supervisor and one other close it.
    TillOfAnother,
    /// Name the terminal that is left, not this one.
    DeviceIsThisOne,
    /// This device was not handed over to another.
    DeviceNotHandedOver,
    /// The device that is to come back was revoked for good.
    RevokedForGood,
    /// What is to be taken over is no counter of this house.
    NoSuchCounter,
    /// The amount must be from $0.01 to `most_en`.
    AmountInvalid {
        /// Most that is moved at once, in cents.
        most: i64,
    },
    /// The cash counted must be from $0.00 to `most_en`.
    CountInvalid {
        /// Most that a till takes, in cents.
        most: i64,
    },
    /// A supervisor has stopped this terminal: it sells nothing for now.
    TerminalStopped,
    /// The slip is at fault: selection, field and sentence are inside.
    Slip {
        /// What the sentence names.
        refusal: SlipRefusal,
    },
    /// Sales are suspended for the whole house.
    SalesSuspended,
    /// No version of the rules is published for this draw.
    NoRules,
    /// Draw `draw` does not exist yet; 0 when no draw at all is on sale.
    DrawUnknown {
        /// What the sentence names.
        draw: u64,
    },
    /// Sales for draw `draw` are closed.`next_en`
    DrawClosed {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        next: Option<u64>,
    },
    /// Draw `draw` is not on sale.
    DrawNotOpen {
        /// What the sentence names.
        draw: u64,
    },
    /// Draw `draw` is too far ahead. Latest first draw: `furthest`.
    DrawTooFarAhead {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        furthest: u64,
    },
    /// This tender does not exist. No credit is given (s. 5).
    TenderUnknown,
    /// This tender is not accepted.
    TenderNotAccepted,
    /// The intake of the slip is not known.
    IntakeUnknown,
    /// The total told (`told_en`) is not the price (`price_en`). Tell the right total.
    TotalChanged {
        /// What the sentence names.
        told: i64,
        /// What the sentence names.
        price: i64,
    },
    /// Received `received_en` for `price_en`. No credit is given (s. 5).
    ReceivedTooLittle {
        /// What the sentence names.
        received: i64,
        /// What the sentence names.
        price: i64,
    },
    /// The amount received is at most `most_en`.
    ReceivedTooMuch {
        /// What the sentence names, in cents.
        most: i64,
    },
    /// This selection would raise the possible prizes over the house's limit.
    LiabilityOverLimit,
    /// The ticket to replay is not known.
    ReplayUnknown,
    /// This code cannot be read. Show the ticket again, flat, or type the control number printed on it.
    CodeUnreadable,
    /// Mistyped number: the check digits do not agree.
    NumberMistyped,
    /// No ticket has this number and code: the number is in no record, or the claim is not this
    /// house's, and nobody is told which.
    NumberUnknown,
    /// Too many unknown numbers. Wait a minute.
    TooManyUnknown,
    /// The ticket's code is needed, scanned or typed: a number alone pays nothing.
    ClaimCodeNeeded,
    /// This paper was replaced by a duplicate. It is no longer valid.
    CopyReplaced,
    /// This ticket is in the record: pay or cancel it as any other.
    TicketNotLost,
    /// No restore has lost this ticket. Keep the paper and call the supervisor.
    NothingLost,
    /// This lost ticket was refunded on `at`, `device`, by `by` and `second`.
    LostRefunded {
        /// What the sentence names.
        at: String,
        /// What the sentence names.
        device: String,
        /// What the sentence names.
        by: String,
        /// What the sentence names.
        second: String,
    },
    /// Only the device that issued this paper can say that it came out.
    PrintElsewhere,
    /// This ticket was cancelled.
    TicketCancelled,
    /// Void ticket: wager not paid before the draw (s. 83).
    TicketVoidUnpaid,
    /// Ticket being checked: two people have to release it first. Call the supervisor.
    TicketHeld,
    /// This ticket is not held.
    NotHeld,
    /// Draw `draw` is closed: the ticket can no longer be cancelled.
    CancelAfterClose {
        /// What the sentence names.
        draw: u64,
    },
    /// Draw `draw` has begun: the wager can no longer be declared unpaid.
    UnpaidAfterFirstBall {
        /// What the sentence names.
        draw: u64,
    },
    /// This reason is not on the list.
    ReasonUnknown,
    /// Give a reason.
    ReasonNeeded,
    /// This text has more than `most` characters.
    TextTooLong {
        /// The field of the request.
        field: &'static str,
        /// What the sentence names.
        most: usize,
    },
    /// A ticket that was paid, even in part, gets no duplicate.
    DuplicateAfterPayment,
    /// A ticket has `most` papers at most.
    CopiesUsedUp {
        /// What the sentence names.
        most: u8,
    },
    /// Nothing to pay on this ticket.
    NothingToPay,
    /// Draw `draw` is not on this ticket.
    DrawNotOfTicket {
        /// What the sentence names.
        draw: u64,
    },
    /// Draw `draw` has not taken place yet.
    NotDrawnYet {
        /// What the sentence names.
        draw: u64,
    },
    /// The result of draw `draw` is being verified. Wait.
    ResultNotOfficial {
        /// What the sentence names.
        draw: u64,
    },
    /// Draw `draw` of this ticket was already paid on `at`, `device`.
    AlreadyPaid {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        at: String,
        /// What the sentence names.
        device: String,
    },
    /// This prize or refund had to be claimed by `day`.
    ClaimExpired {
        /// What the sentence names.
        day: String,
    },
    /// The amount for draw `draw` is not `shown_en` but `payable_en`. Tell the player again.
    AmountChanged {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        shown: i64,
        /// What the sentence names.
        payable: i64,
    },
    /// This amount is paid at the main cage.
    CageOnly,
    /// Pay the prize and the refund apart: they are not given back in the same way.
    MixedTenders,
    /// Draw `draw` is listed twice in the request.
    DrawListedTwice {
        /// What the sentence names.
        draw: u64,
    },
    /// This payment is not known.
    PaymentUnknown,
    /// This payment was already reversed.
    PaymentReversed,
    /// A payment can be reversed only in the same shift.
    PaymentOtherShift,
    /// A payment can be reversed only at the till that paid: `device`.
    PaymentOtherTill {
        /// Name of the device where that till is.
        device: String,
    },
    /// The rules have `count` fault(s). The first: `first_en`
    RuleBookFaulty {
        /// What the sentence names.
        faults: Vec<RuleBookFault>,
    },
    /// The version must be `expected`.
    RuleBookVersion {
        /// What the sentence names.
        expected: u32,
    },
    /// The rules have changed since they were read: version `version` is the newest. Read it, then
    /// make the change again.
    RuleBookMovedOn {
        /// What the sentence names.
        version: u32,
    },
    /// These rules can only hold from draw `earliest` on.
    RuleBookTooEarly {
        /// What the sentence names.
        earliest: u64,
    },
    /// The draw is in state `state`: this step is not possible.
    DrawStepRefused {
        /// What the sentence names.
        state: &'static str,
    },
    /// The rules say what becomes of an interrupted draw of balls: `rule_en`.
    RuleForInterrupted {
        /// The rule: `void` or `complete`.
        rule: &'static str,
    },
    /// `badge` sold for draw `draw`: somebody else must decide about it.
    SoldForDraw {
        /// What the sentence names.
        draw: u64,
        /// What the sentence names.
        badge: String,
    },
    /// The schedule is not halted.
    NotHalted,
    /// There is no such entry in the record.
    RecordUnknown,
    /// The system is busy. Try again in a moment; nothing was done.
    QueueFull,
    /// The central record is unavailable. Nothing was done; try again.
    RecordUnavailable,
}

impl Refusal {
    /// The stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DeviceUnknown => "device_unknown",
            Self::DeviceRevoked => "device_revoked",
            Self::DeviceHandedOver { .. } => "device_handed_over",
            Self::NotSignedIn => "not_signed_in",
            Self::SessionEnded => "session_ended",
            Self::SessionIdle => "session_idle",
            Self::BadgeOrPinWrong => "badge_or_pin_wrong",
            Self::LockedOut { .. } => "locked_out",
            Self::BadgeLocked => "badge_locked",
            Self::PinsBusy => "pins_busy",
            Self::WrongPlace { .. } => "wrong_place",
            Self::WrongRole { .. } => "wrong_role",
            Self::SecondPersonNeeded => "second_person_needed",
            Self::SamePersonTwice => "same_person_twice",
            Self::SecondPersonRefused => "second_person_refused",
            Self::PinTooEasy => "pin_too_easy",
            Self::PinUnchanged => "pin_unchanged",
            Self::PinMustChange => "pin_must_change",
            Self::PinNotReset => "pin_not_reset",
            Self::NameNeeded { .. } => "name_needed",
            Self::BadgeSigns => "badge_signs",
            Self::RolesExclude { .. } => "roles_exclude",
            Self::StaffNumberKept { .. } => "staff_number_kept",
            Self::AdministratorsTooFew => "administrators_too_few",
            Self::HouseHasAdministrators => "house_has_administrators",
            Self::OwnBadge => "own_badge",
            Self::ApprovalUnknown => "approval_unknown",
            Self::ApprovalWaiting => "approval_waiting",
            Self::ApprovalRefused => "approval_refused",
            Self::ApprovalExpired => "approval_expired",
            Self::ApprovalUsed => "approval_used",
            Self::ApprovalNotForThis => "approval_not_for_this",
            Self::KeyOtherContent => "key_other_content",
            Self::KeyClosed => "key_closed",
            Self::KeyForeign => "key_foreign",
            Self::NoOpenTill => "no_open_till",
            Self::FloatInvalid { .. } => "float_invalid",
            Self::TillAlreadyOpen => "till_already_open",
            Self::TillStillOpen => "till_still_open",
            Self::TillOfAnother => "till_of_another",
            Self::DeviceIsThisOne => "device_is_this_one",
            Self::DeviceNotHandedOver => "device_not_handed_over",
            Self::RevokedForGood => "revoked_for_good",
            Self::NoSuchCounter => "no_such_counter",
            Self::AmountInvalid { .. } => "amount_invalid",
            Self::CountInvalid { .. } => "count_invalid",
            Self::TerminalStopped => "terminal_stopped",
            Self::Slip { refusal } => refusal.code.name(),
            Self::SalesSuspended => "sales_suspended",
            Self::NoRules => "no_rules",
            Self::DrawUnknown { .. } => "draw_unknown",
            Self::DrawClosed { .. } => "draw_closed",
            Self::DrawNotOpen { .. } => "draw_not_open",
            Self::DrawTooFarAhead { .. } => "draw_too_far_ahead",
            Self::TenderUnknown => "tender_unknown",
            Self::TenderNotAccepted => "tender_not_accepted",
            Self::IntakeUnknown => "intake_unknown",
            Self::TotalChanged { .. } => "total_changed",
            Self::ReceivedTooLittle { .. } => "received_too_little",
            Self::ReceivedTooMuch { .. } => "received_too_much",
            Self::LiabilityOverLimit => "liability_over_limit",
            Self::ReplayUnknown => "replay_unknown",
            Self::CodeUnreadable => "code_unreadable",
            Self::NumberMistyped => "number_mistyped",
            Self::NumberUnknown => "number_unknown",
            Self::TooManyUnknown => "too_many_unknown",
            Self::ClaimCodeNeeded => "claim_code_needed",
            Self::CopyReplaced => "copy_replaced",
            Self::TicketNotLost => "ticket_not_lost",
            Self::NothingLost => "nothing_lost",
            Self::LostRefunded { .. } => "lost_refunded",
            Self::PrintElsewhere => "print_elsewhere",
            Self::TicketCancelled => "ticket_cancelled",
            Self::TicketVoidUnpaid => "ticket_void_unpaid",
            Self::TicketHeld => "ticket_held",
            Self::NotHeld => "not_held",
            Self::CancelAfterClose { .. } => "cancel_after_close",
            Self::UnpaidAfterFirstBall { .. } => "unpaid_after_first_ball",
            Self::ReasonUnknown => "reason_unknown",
            Self::ReasonNeeded => "reason_needed",
            Self::TextTooLong { .. } => "text_too_long",
            Self::DuplicateAfterPayment => "duplicate_after_payment",
            Self::CopiesUsedUp { .. } => "copies_used_up",
            Self::NothingToPay => "nothing_to_pay",
            Self::DrawNotOfTicket { .. } => "draw_not_of_ticket",
            Self::NotDrawnYet { .. } => "not_drawn_yet",
            Self::ResultNotOfficial { .. } => "result_not_official",
            Self::AlreadyPaid { .. } => "already_paid",
            Self::ClaimExpired { .. } => "claim_expired",
            Self::AmountChanged { .. } => "amount_changed",
            Self::CageOnly => "cage_only",
            Self::MixedTenders => "mixed_tenders",
            Self::DrawListedTwice { .. } => "draw_listed_twice",
            Self::PaymentUnknown => "payment_unknown",
            Self::PaymentReversed => "payment_reversed",
            Self::PaymentOtherShift => "payment_other_shift",
            Self::PaymentOtherTill { .. } => "payment_other_till",
            Self::RuleBookFaulty { .. } => "rule_book_faulty",
            Self::RuleBookVersion { .. } => "rule_book_version",
            Self::RuleBookMovedOn { .. } => "rule_book_moved_on",
            Self::RuleBookTooEarly { .. } => "rule_book_too_early",
            Self::DrawStepRefused { .. } => "draw_step_refused",
            Self::RuleForInterrupted { .. } => "rule_for_interrupted",
            Self::SoldForDraw { .. } => "sold_for_draw",
            Self::NotHalted => "not_halted",
            Self::RecordUnknown => "record_unknown",
            Self::QueueFull => "queue_full",
            Self::RecordUnavailable => "record_unavailable",
        }
    }

    /// The sentence in French.
    pub fn sentence_fr(&self) -> String {
        match self {
            Self::DeviceUnknown => "Cet appareil n’est pas inscrit. Appelez le technicien.".to_owned(),
            Self::DeviceRevoked => "Cet appareil a été retiré du service. Appelez le technicien.".to_owned(),
            Self::DeviceHandedOver { to } => format!("Ce terminal a été remis à {to} : continuez là-bas."),
            Self::NotSignedIn => "Ouvrez d’abord une session avec votre insigne.".to_owned(),
            Self::SessionEnded => "Cette session est terminée. Ouvrez-en une nouvelle.".to_owned(),
            Self::SessionIdle => "Personne n’a touché cet écran depuis un moment. Déverrouillez-le avec votre NIP.".to_owned(),
            Self::BadgeOrPinWrong => "L’insigne, le NIP ou le poste ne convient pas.".to_owned(),
            Self::LockedOut { seconds } => format!("Trop d’essais. Attendez {seconds} s, ou allez à un autre poste."),
            Self::BadgeLocked => "Trop de NIP inexacts pour cet insigne : il ne sert plus qu’aux postes où il a déjà servi, jusqu’à ce que deux personnes lèvent le blocage. Appelez le superviseur.".to_owned(),
            Self::PinsBusy => "Trop d’identifications à la fois. Réessayez dans un instant; aucun NIP n’a été essayé.".to_owned(),
            Self::WrongPlace { needed: [] } => "Cela ne se fait que sur la machine de l’ordinateur central.".to_owned(),
            Self::WrongPlace { needed } => format!("Cela ne se fait pas à cet appareil. Où : {}.", listed(needed, DeviceRole::name_fr, "ou")),
            Self::WrongRole { needed } => format!("Votre rôle ne le permet pas. Il faut : {}.", listed(needed, Role::name_fr, "ou")),
            Self::SecondPersonNeeded => "Une deuxième personne autorisée doit donner son insigne et son NIP.".to_owned(),
            Self::SamePersonTwice => "La deuxième personne doit être quelqu’un d’autre.".to_owned(),
            Self::SecondPersonRefused => "La deuxième personne n’a pas le rôle voulu.".to_owned(),
            Self::PinTooEasy => "Choisissez un autre NIP : de 6 à 12 chiffres, sans trois chiffres de suite pareils ou qui se suivent (111, 123, 321) et sans groupe répété (1212, 483483).".to_owned(),
            Self::PinUnchanged => "C’est le NIP que vous avez déjà : choisissez-en un autre.".to_owned(),
            Self::PinMustChange => "Ce NIP vous a été donné par quelqu’un d’autre : choisissez d’abord le vôtre, à un appareil de la maison ou avec « keno-central admin pin choose ».".to_owned(),
            Self::PinNotReset => "Ce NIP ne se remplace pas ainsi : seul celui d’un commis, par un superviseur et une autre personne. Deux administrateurs peuvent l’inscrire de nouveau.".to_owned(),
            Self::NameNeeded { .. } => "Il manque l’insigne ou le numéro d’employé.".to_owned(),
            Self::BadgeSigns => "Un insigne est fait de lettres sans accent, de chiffres et de traits d’union ; « guard », « console », « central » et « device » n’en sont pas.".to_owned(),
            Self::RolesExclude { one, other } => format!("Personne n’est à la fois {} et {}. Donnez ces rôles à deux personnes.", one.name_fr(), other.name_fr()),
            Self::StaffNumberKept { staff } => format!("Cet insigne est celui du numéro d’employé {staff} et le reste. Inscrivez un autre insigne."),
            Self::AdministratorsTooFew => "Une maison garde deux administrateurs : inscrivez-en d’abord un autre.".to_owned(),
            Self::HouseHasAdministrators => "Cette maison a ses deux administrateurs : ce sont eux qui inscrivent les autres personnes.".to_owned(),
            Self::OwnBadge => "Personne ne retire son propre insigne. Demandez-le à deux autres administrateurs.".to_owned(),
            Self::ApprovalUnknown => "Cette approbation n’existe pas, ou le central a redémarré : demandez-la de nouveau.".to_owned(),
            Self::ApprovalWaiting => "Personne n’a encore répondu : attendez, ou appelez le superviseur.".to_owned(),
            Self::ApprovalRefused => "Le superviseur a refusé.".to_owned(),
            Self::ApprovalExpired => "Cette approbation n’est plus valable : demandez-la de nouveau.".to_owned(),
            Self::ApprovalUsed => "Cette approbation a déjà servi, ou a déjà sa réponse.".to_owned(),
            Self::ApprovalNotForThis => "Cette approbation est pour une autre demande : demandez-en une pour celle-ci.".to_owned(),
            Self::NoOpenTill => "Ouvrez d’abord une caisse avec un fonds.".to_owned(),
            Self::TillAlreadyOpen => "Une caisse est déjà ouverte à ce terminal.".to_owned(),
            Self::TillStillOpen => "La caisse de ce quart n’est pas encore comptée : sa feuille vient après le décompte.".to_owned(),
            Self::TillOfAnother => "Ce tiroir est celui d’une autre personne : un superviseur et une deuxième personne le ferment.".to_owned(),
            Self::DeviceIsThisOne => "Nommez le terminal que l’on quitte, pas celui-ci.".to_owned(),
            Self::DeviceNotHandedOver => "Cet appareil n’a pas été remis à un autre.".to_owned(),
            Self::RevokedForGood => "L’appareil nommé a été révoqué et ne revient pas : inscrivez-le sous un nouveau numéro.".to_owned(),
            Self::NoSuchCounter => "L’appareil nommé n’est pas un comptoir de cette maison : il n’y a rien à reprendre.".to_owned(),
            Self::FloatInvalid { most } => format!("Le fonds de caisse va de 0,00 $ à {}.", Cents::new(*most).text_fr()),
            Self::AmountInvalid { most } => format!("Le montant va de 0,01 $ à {}.", Cents::new(*most).text_fr()),
            Self::TerminalStopped => "Le superviseur a arrêté ce terminal : il ne vend rien pour le moment.".to_owned(),
            Self::CountInvalid { most } => format!("L’argent compté va de 0,00 $ à {}.", Cents::new(*most).text_fr()),
            Self::KeyOtherContent => "Cette clé a déjà servi à une autre demande. Rien n’a été fait.".to_owned(),
            Self::KeyClosed => "Cette clé est fermée. Recommencez avec une nouvelle demande.".to_owned(),
            Self::KeyForeign => "Cette clé n’appartient pas à cet appareil ni à cette session.".to_owned(),
            Self::Slip { refusal } => refusal.sentence_fr(),
            Self::SalesSuspended => "Les ventes sont suspendues pour toute la maison.".to_owned(),
            Self::NoRules => "Aucune version des règles n’est publiée pour ce tirage.".to_owned(),
            Self::DrawUnknown { draw: 0 } => "Aucun tirage n’est en vente.".to_owned(),
            Self::DrawUnknown { draw } => format!("Le tirage {draw} n’existe pas encore."),
            Self::DrawClosed { draw, next } => {
                let next_fr = next.map_or_else(String::new, |next| format!(" Vendre à partir du {next} ?"));
                format!("Les ventes du tirage {draw} sont fermées.{next_fr}")
            }
            Self::DrawNotOpen { draw } => format!("Le tirage {draw} n’est pas en vente."),
            Self::DrawTooFarAhead { draw, furthest } => format!("Le tirage {draw} est trop loin. Premier tirage au plus tard : {furthest}."),
            Self::TenderUnknown => "Ce mode de paiement n’existe pas. Aucun crédit n’est accordé (art. 5).".to_owned(),
            Self::TenderNotAccepted => "Ce mode de paiement n’est pas accepté.".to_owned(),
            Self::IntakeUnknown => "La provenance de la fiche n’est pas connue.".to_owned(),
            Self::TotalChanged { told, price } => {
                let price_fr = Cents::new(*price).text_fr();
                let told_fr = Cents::new(*told).text_fr();
                format!("Le total annoncé ({told_fr}) n’est pas le prix ({price_fr}). Annoncez le bon total.")
            }
            Self::ReceivedTooLittle { received, price } => {
                let price_fr = Cents::new(*price).text_fr();
                let received_fr = Cents::new(*received).text_fr();
                format!("Reçu {received_fr} pour {price_fr}. Aucun crédit n’est accordé (art. 5).")
            }
            Self::ReceivedTooMuch { most } => format!("Le montant reçu est d’au plus {}.", Cents::new(*most).text_fr()),
            Self::LiabilityOverLimit => "Cette sélection porterait les lots possibles au-delà de la limite de la maison.".to_owned(),
            Self::ReplayUnknown => "Le billet à rejouer n’est pas connu.".to_owned(),
            Self::CodeUnreadable => "Ce code ne peut pas être lu. Présentez de nouveau le billet, à plat, ou saisissez le numéro de contrôle qui y est imprimé.".to_owned(),
            Self::NumberMistyped => "Ce numéro n’est pas écrit comme sur le billet. Comparez-le signe par signe et recommencez.".to_owned(),
            Self::NumberUnknown => "Aucun billet n’a ce numéro et ce code : relisez-les. Si c’est un papier, gardez-le et appelez le superviseur.".to_owned(),
            Self::TooManyUnknown => "Trop de numéros inconnus. Attendez une minute.".to_owned(),
            Self::ClaimCodeNeeded => "Il faut le code du papier : numérisez-le, ou tapez après le numéro les 20 signes qui y sont imprimés. Le numéro seul ne paie, n’annule et ne remplace rien. Si le code est illisible, gardez le papier et appelez le superviseur.".to_owned(),
            Self::CopyReplaced => "Ce papier a été remplacé par un duplicata. Il ne vaut plus.".to_owned(),
            Self::TicketNotLost => "Ce billet est au registre : payez-le ou annulez-le comme tout autre.".to_owned(),
            Self::NothingLost => "Aucune restauration n’a perdu ce billet. Gardez le papier et appelez le superviseur.".to_owned(),
            Self::LostRefunded { at, device, by, second } => format!("Ce billet perdu a été remboursé le {at}, {device}, par {by} et {second}."),
            Self::PrintElsewhere => "Seul l’appareil qui a émis ce papier peut dire qu’il est sorti.".to_owned(),
            Self::TicketCancelled => "Ce billet a été annulé.".to_owned(),
            Self::TicketVoidUnpaid => "Billet nul : mise non payée avant le tirage (art. 83).".to_owned(),
            Self::TicketHeld => "Billet en vérification : deux personnes doivent d’abord le libérer. Appelez le superviseur.".to_owned(),
            Self::NotHeld => "Ce billet n’est pas en vérification.".to_owned(),
            Self::CancelAfterClose { draw } => format!("Le tirage {draw} est fermé : le billet ne peut plus être annulé."),
            Self::UnpaidAfterFirstBall { draw } => format!("Le tirage {draw} a commencé : la mise ne peut plus être déclarée impayée."),
            Self::ReasonUnknown => "Ce motif n’est pas dans la liste.".to_owned(),
            Self::ReasonNeeded => "Indiquez un motif.".to_owned(),
            Self::TextTooLong { most, .. } => format!("Ce texte a plus de {most} caractères : abrégez-le."),
            Self::DuplicateAfterPayment => "Un billet payé, même en partie, ne reçoit pas de duplicata.".to_owned(),
            Self::CopiesUsedUp { most } => format!("Ce billet a déjà {most} papiers, le plus permis : gardez-les et appelez le superviseur."),
            Self::NothingToPay => "Rien à payer pour ce billet.".to_owned(),
            Self::DrawNotOfTicket { draw } => format!("Le tirage {draw} n’est pas sur ce billet."),
            Self::NotDrawnYet { draw } => format!("Le tirage {draw} n’a pas encore eu lieu."),
            Self::ResultNotOfficial { draw } => format!("Le résultat du tirage {draw} est en vérification. Attendez."),
            Self::AlreadyPaid { draw, at, device } => format!("Le tirage {draw} de ce billet a déjà été payé le {at}, {device}."),
            Self::ClaimExpired { day } => format!("Ce lot ou ce remboursement était à réclamer au plus tard le {day}."),
            Self::AmountChanged { draw, shown, payable } => {
                let payable_fr = Cents::new(*payable).text_fr();
                let shown_fr = Cents::new(*shown).text_fr();
                format!("Le montant du tirage {draw} n’est pas {shown_fr} mais {payable_fr}. Relisez-le au joueur.")
            }
            Self::CageOnly => "Ce montant se paie à la caisse principale.".to_owned(),
            Self::MixedTenders => "Payez à part le lot et le remboursement : ils ne se rendent pas de la même façon.".to_owned(),
            Self::DrawListedTwice { draw } => format!("Le tirage {draw} figure deux fois dans la demande."),
            Self::PaymentUnknown => "Ce paiement n’est pas connu.".to_owned(),
            Self::PaymentReversed => "Ce paiement a déjà été renversé.".to_owned(),
            Self::PaymentOtherShift => "Un paiement ne se renverse que dans le même quart.".to_owned(),
            Self::PaymentOtherTill { device } => format!("Un paiement ne se renverse qu’à la caisse qui l’a fait : {device}."),
            Self::RuleBookFaulty { faults } => {
                let count = faults.len();
                let first_fr = faults.first().map(|fault| fault.sentence_fr()).unwrap_or_default();
                format!("Les règles ont {count} faute(s). La première : {first_fr}")
            }
            Self::RuleBookVersion { expected } => format!("La version doit être {expected}."),
            Self::RuleBookMovedOn { version } => format!("Les règles ont changé depuis leur lecture : la version {version} est la plus récente. Relisez-la, puis refaites le changement."),
            Self::RuleBookTooEarly { earliest } => format!("Ces règles ne peuvent valoir qu’à partir du tirage {earliest}."),
            Self::DrawStepRefused { state } => format!("Le tirage est {} : cette étape n’est pas possible.", state_words(state).0),
            Self::RuleForInterrupted { rule: "void" } => "Selon les règles, un tirage de boules interrompu est annulé et remboursé.".to_owned(),
            Self::RuleForInterrupted { .. } => "Selon les règles, un tirage de boules interrompu est complété.".to_owned(),
            Self::SoldForDraw { draw, badge } => format!("{badge} a vendu pour le tirage {draw} : quelqu’un d’autre doit en décider."),
            Self::NotHalted => "L’horaire n’est pas arrêté.".to_owned(),
            Self::RecordUnknown => "Cette fiche n’existe pas au registre.".to_owned(),
            Self::QueueFull => "Le système est occupé. Réessayez dans un instant ; rien n’a été fait.".to_owned(),
            Self::RecordUnavailable => "Le registre central est indisponible. Rien n’a été fait ; réessayez.".to_owned(),
        }
    }

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
            Self::NameNeeded { .. } => "The badge or the staff number is missing.".to_owned(),
            Self::BadgeSigns => "A badge is made of unaccented letters, digits and hyphens; \"guard\", \"console\", \"central\" and \"device\" are none.".to_owned(),
            Self::RolesExclude { one, other } => format!("Nobody is {} and {} at once. Give these roles to two people.", one.name_en(), other.name_en()),
            Self::StaffNumberKept { staff } => format!("This badge is that of staff number {staff}, and stays it. Record another badge."),
            Self::AdministratorsTooFew => "A house keeps two administrators: record another one first.".to_owned(),
            Self::HouseHasAdministrators => "This house has its two administrators: they record everybody else.".to_owned(),
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
            Self::TooManyUnknown => "Too many unknown numbers. Wait a minute.".to_owned(),
            Self::ClaimCodeNeeded => "The paper's code is needed: scan it, or type after the number the 20 signs printed on it. A number alone pays, cancels and replaces nothing. If the code cannot be read, keep the paper and call the supervisor.".to_owned(),
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
            Self::RuleBookVersion { expected } => format!("The version must be {expected}."),
            Self::RuleBookMovedOn { version } => format!("The rules have changed since they were read: version {version} is the newest. Read it, then make the change again."),
            Self::RuleBookTooEarly { earliest } => format!("These rules can only hold from draw {earliest} on."),
            Self::DrawStepRefused { state } => format!("The draw is {}: this step is not possible.", state_words(state).1),
            Self::RuleForInterrupted { rule: "void" } => "By the rules an interrupted draw of balls is void and refunded.".to_owned(),
            Self::RuleForInterrupted { .. } => "By the rules an interrupted draw of balls is completed.".to_owned(),
            Self::SoldForDraw { draw, badge } => format!("{badge} sold for draw {draw}: somebody else must decide about it."),
            Self::NotHalted => "The schedule is not halted.".to_owned(),
            Self::RecordUnknown => "There is no such entry in the record.".to_owned(),
            Self::QueueFull => "The system is busy. Try again in a moment; nothing was done.".to_owned(),
            Self::RecordUnavailable => "The central record is unavailable. Nothing was done; try again.".to_owned(),
        }
    }
}

impl From<SlipRefusal> for Refusal {
    fn from(refusal: SlipRefusal) -> Self {
        Self::Slip { refusal }
    }
}

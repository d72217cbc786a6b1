//! What can be wrong with a log: a closed, ordered list with stable names.

use std::fmt;

use keno_log::EventKind;

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
        write!(formatter, ": {}: {}", self.name(), self.code.english())?;
        if !self.detail.is_empty() {
            write!(formatter, " ({})", self.detail)?;
        }
        Ok(())
    }
}

macro_rules! codes {
    ($($variant:ident $name:literal $french:literal $english:literal;)*) => {
        /// What can be wrong, in the order in which it is judged.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingCode {
            $(#[doc = $english] $variant),*
        }

        impl FindingCode {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The stable name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// One sentence in French.
            #[must_use]
            pub const fn french(self) -> &'static str {
                match self { $(Self::$variant => $french),* }
            }

            /// One sentence in English.
            #[must_use]
            pub const fn english(self) -> &'static str {
                match self { $(Self::$variant => $english),* }
            }
        }
    };
}

codes! {
    Framing "framing"
        "l'enregistrement ne se lit pas" "the record cannot be read";
    ExportFormat "export_format"
        "l'export est d'un autre format; vérifiez-le avec le keno-audit de la version qui l'a écrit" "the export is of another format; verify it with the keno-audit of the version that wrote it";
    LeafHashWrong "leaf_hash_wrong"
        "l'empreinte n'est pas celle de la feuille" "the hash is not the leaf's";
    LeafUnreadable "leaf_unreadable"
        "les octets ne sont pas une feuille" "the bytes are not a leaf";
    IndexWrong "index_wrong"
        "l'indice n'est pas la position dans le journal" "the index is not the place in the log";
    TimeDecreases "time_decreases"
        "l'heure est antérieure à celle de la feuille précédente" "the time is before that of the leaf before";
    BusinessDayDecreases "business_day_decreases"
        "le jour d'affaires recule" "the business day goes back";
    BusinessDayWrong "business_day_wrong"
        "le jour d'affaires n'est pas celui de l'heure dans le fuseau de la maison" "the business day is not that of the time in the house's zone";
    BodyNotCommitted "body_not_committed"
        "le corps n'ouvre pas l'engagement de la feuille" "the body does not open the leaf's commitment";
    BodyUnreadable "body_unreadable"
        "le corps ne se lit pas" "the body cannot be read";
    HeaderDrawWrong "header_draw_wrong"
        "l'en-tête nomme un autre tirage que le corps" "the header names another draw than the body";
    HouseNotFirst "house_not_first"
        "le journal ne s'ouvre pas une seule fois, par sa maison" "the log does not open once, with its house";
    ZoneUnknown "zone_unknown"
        "le fuseau de la maison n'est pas un fuseau IANA" "the house's zone is not an IANA zone";
    LogKeyUnreadable "log_key_unreadable"
        "la clé de la feuille 0 ne se lit pas" "the key in leaf 0 cannot be read";
    KeyDiffers "key_differs"
        "la clé n'est pas celle de la feuille 0" "the key is not the one in leaf 0";
    CheckpointUnsigned "checkpoint_unsigned"
        "le point de contrôle n'est pas un texte signé par la clé" "the checkpoint is not a text signed by the key";
    CheckpointOrigin "checkpoint_origin"
        "le point de contrôle est d'un autre journal" "the checkpoint is of another log";
    CheckpointSize "checkpoint_size"
        "le point de contrôle compte d'autres feuilles" "the checkpoint counts other leaves";
    CheckpointRoot "checkpoint_root"
        "la racine n'est pas celle du point de contrôle" "the root is not the checkpoint's";
    ExportShort "export_short"
        "il manque des feuilles que le point de contrôle extérieur connaît" "leaves that the outside checkpoint knows are missing";
    OutsideRoot "outside_root"
        "la racine n'est pas celle du point de contrôle extérieur" "the root is not the outside checkpoint's";
    OutsideLost "outside_lost"
        "le journal n'avoue pas la perte de ce que le point de contrôle extérieur connaît" "the log does not admit the loss of what the outside checkpoint knows";
    SamePerson "same_person"
        "les deux personnes n'en sont pas deux" "the two people are not two";
    BadgeUnknown "badge_unknown"
        "personne de cet insigne n'est inscrit et actif" "nobody of that badge is recorded and active";
    RoleWrong "role_wrong"
        "l'insigne n'a pas le rôle qu'il y faut" "the badge has not the role for it";
    PlaceWrong "place_wrong"
        "l'appareil est inconnu, révoqué ou d'un autre rôle" "the device is unknown, revoked or of another role";
    SessionBadge "session_badge"
        "la commande est d'un autre insigne que la séance" "the command is of another badge than the session";
    PersonWrong "person_wrong"
        "une personne n'est pas inscrite, retirée ou dotée d'un NIP par qui le doit" "a person is not recorded, withdrawn or given a PIN by those who must";
    PinNotChosen "pin_not_chosen"
        "quelqu'un agit avec un NIP que d'autres lui ont attribué" "somebody acts with a PIN that others set";
    PersonSession "person_session"
        "une session de la personne inscrite de nouveau est encore ouverte" "a session of the person who is recorded anew is still open";
    RolesExcluded "roles_excluded"
        "une personne a deux rôles qui s'excluent" "a person has two roles that exclude one another";
    AdministratorsFew "administrators_few"
        "il reste moins de deux administrateurs" "fewer than two administrators are left";
    ActingWrong "acting_wrong"
        "un superviseur suppléant n'est pas désigné ou nommé par qui le doit" "an acting supervisor is not named or made so by those who must";
    DeviceWrong "device_wrong"
        "un appareil n'est pas inscrit ou retiré par qui le doit" "a device is not recorded or revoked by those who must";
    NumberReused "number_reused"
        "un numéro sert deux fois" "a number is used twice";
    HandOverWrong "hand_over_wrong"
        "l'appareil n'est pas remis à un autre comme il se doit" "the device is not handed over as it must be";
    DeviceLocked "device_locked"
        "l'appareil a été remis à un autre et ne sert plus" "the device was handed over to another and is out of use";
    FenceWrong "fence_wrong"
        "le numéro de bail ne suit pas le précédent" "the fencing number does not follow the last";
    EpochNumber "epoch_number"
        "le numéro d'époque n'est pas supérieur au précédent" "the number of the epoch is not above the last";
    EpochPast "epoch_past"
        "l'époque ne reprend pas où le journal en est, ou perd moins que ce qu'elle reprend" "the epoch does not go on from where the log stands, or loses less than it goes on from";
    EpochNumbers "epoch_numbers"
        "l'époque laisse réutiliser des numéros de tirage, de session ou de quart" "the epoch lets numbers of draws, sessions or shifts be used again";
    EpochDraw "epoch_draw"
        "un tirage annoncé avant la reprise du journal est poursuivi" "a draw announced before the epoch is taken further";
    RuleBookHash "rule_book_hash"
        "l'empreinte n'est pas celle du texte des règles" "the hash is not that of the rule book's text";
    RuleBookVersion "rule_book_version"
        "la version ne suit pas la précédente" "the version does not follow the last";
    RuleBookUnreadable "rule_book_unreadable"
        "le texte des règles ne se lit pas" "the rule book's text cannot be read";
    RuleBookReturn "rule_book_return"
        "un taux de retour est inférieur à 65 %" "a return is below 65 %";
    RuleBookLate "rule_book_late"
        "les règles visent un tirage déjà fermé, ou changent un tirage déjà annoncé" "the rules govern a closed draw, or change one already announced";
    DrawNumberWrong "draw_number_wrong"
        "le numéro de tirage ne suit pas le précédent" "the draw number does not follow the last";
    DrawTermsWrong "draw_terms_wrong"
        "le tirage n'est pas annoncé comme les règles le disent" "the draw is not announced as the rules say";
    DrawUnknown "draw_unknown"
        "le tirage n'existe pas" "the draw does not exist";
    DrawStepOutOfOrder "draw_step_out_of_order"
        "cette étape ne peut pas suivre la précédente" "this step cannot follow the last";
    StepWhileHalted "step_while_halted"
        "une étape est prise alors que l'horloge est en doute" "a step is taken while the clock is in doubt";
    CommitmentMissing "commitment_missing"
        "un détenteur ne s'est pas engagé" "a holder has not committed";
    CommitmentRepeated "commitment_repeated"
        "un engagement est répété ou n'est celui d'aucun détenteur" "a commitment is repeated or is of no holder";
    CommitmentAfterWager "commitment_after_wager"
        "l'engagement vient après la première mise" "the commitment comes after the first wager";
    TicketAfterClose "ticket_after_close"
        "le billet vise un tirage fermé" "the ticket covers a closed draw";
    TicketDrawNotOpen "ticket_draw_not_open"
        "le billet vise un tirage qui n'est pas ouvert" "the ticket covers a draw that is not open";
    TicketWhileSuspended "ticket_while_suspended"
        "le billet est vendu pendant l'arrêt des ventes" "the ticket is sold while sales are stopped";
    TicketRuleBook "ticket_rule_book"
        "le billet ne relève pas des règles en vigueur" "the ticket is not under the rules in force";
    TicketLimits "ticket_limits"
        "le billet dépasse les limites des règles" "the ticket is beyond the limits of the rules";
    TicketSelection "ticket_selection"
        "une sélection n'est pas permise par les règles" "a selection is not one that the rules permit";
    TicketWays "ticket_ways"
        "le nombre de combinaisons est inexact" "the number of ways is wrong";
    TicketWager "ticket_wager"
        "une mise n'est pas permise par les règles" "a wager is not one that the rules permit";
    TicketPrice "ticket_price"
        "le prix du billet n'est pas la somme de ses mises" "the price of the ticket is not the sum of its wagers";
    TicketUnpaidFor "ticket_unpaid_for"
        "le montant reçu est inférieur au prix, ou le mode de paiement n'est pas accepté" "less was received than the price, or the tender is not accepted";
    TicketCap "ticket_cap"
        "le maximum payable du billet n'est pas celui du tirage" "the ticket's maximum payable is not the draw's";
    TicketClaimBy "ticket_claim_by"
        "la date limite n'est pas celle que les règles donnent" "the claim deadline is not the one that the rules give";
    ControlRepeated "control_repeated"
        "deux billets ont le même numéro de contrôle" "two tickets have the same control number";
    KeyRepeated "key_repeated"
        "la clé de commande a déjà eu son résultat" "the command key has had its outcome";
    KeyClosed "key_closed"
        "la clé de commande était close" "the command key was closed";
    SessionWrong "session_wrong"
        "la clé n'est pas celle d'une session ouverte de cet appareil" "the key is not of an open session of this device";
    TillWrong "till_wrong"
        "la caisse n'est pas celle, ouverte, de cet appareil, ou le mouvement n'en est pas un" "the till is not the open one of this device, or the movement is none";
    TillExpected "till_expected"
        "l'encaisse attendue n'est pas celle du calcul" "the cash expected in the till is not the one computed";
    TicketUnknown "ticket_unknown"
        "le billet n'existe pas" "the ticket does not exist";
    TicketWithdrawn "ticket_withdrawn"
        "le billet a déjà été retiré" "the ticket has been withdrawn";
    WithdrawnPaid "withdrawn_paid"
        "un tirage du billet retiré était déjà payé ou remboursé" "a draw of the withdrawn ticket had been paid or refunded";
    CancelAfterClose "cancel_after_close"
        "l'annulation vient après la fermeture du premier tirage" "the cancellation comes after the first draw closed";
    CancelAmount "cancel_amount"
        "le remboursement n'est pas le prix du billet, dans son mode de paiement" "the refund is not the price of the ticket in its tender";
    UnpaidAfterBall "unpaid_after_ball"
        "le retrait vient après le début du premier tirage" "the withdrawal comes after the first draw was started";
    UnpaidAmount "unpaid_amount"
        "le montant n'est pas le prix du billet" "the amount is not the price of the ticket";
    UnpaidWithoutPaper "unpaid_without_paper"
        "ni le code du papier, ni une impression jamais confirmée" "neither the code of the paper nor a print that was never confirmed";
    DuplicateWithoutPaper "duplicate_without_paper"
        "ni le code du papier d'avant, ni une impression jamais confirmée, ni un dossier accepté" "neither the code of the paper before, nor a print that was never confirmed, nor a file judged to be paid";
    CopyWrong "copy_wrong"
        "le numéro d'exemplaire n'est pas celui qui suit, ou le plus récent" "the copy index is not the next, or not the newest";
    CloseTotals "close_totals"
        "les totaux de la fermeture ne sont pas ceux du journal" "the closing totals are not those of the log";
    SealWrong "seal_wrong"
        "le sceau n'est pas celui de la fermeture" "the seal is not that of the closing";
    DrawRuleBook "draw_rule_book"
        "les règles du tirage ne sont pas celles en vigueur" "the draw's rules are not those in force";
    SourceWrong "source_wrong"
        "les numéros ne viennent pas de la source annoncée" "the numbers are not from the announced source";
    BallsInvalid "balls_invalid"
        "les numéros gagnants ne sont pas un tirage" "the winning numbers are not a draw";
    BallsRepeated "balls_repeated"
        "les numéros sont ceux d'un tirage antérieur" "the numbers are those of an earlier draw";
    CertifierWrong "certifier_wrong"
        "le résultat n'est pas certifié par qui peut le faire" "the result is not certified by who may";
    SecretNotCommitted "secret_not_committed"
        "un secret n'est pas celui de l'engagement" "a secret is not the one committed to";
    SecretReused "secret_reused"
        "un secret a déjà servi à un autre tirage" "a secret has served for another draw";
    SecretsHash "secrets_hash"
        "l'empreinte n'est pas celle des secrets révélés" "the hash is not that of the secrets revealed";
    BallsDiffer "balls_differ"
        "les numéros ne découlent pas des secrets et du sceau" "the numbers do not follow from secrets and seal";
    WordsDiffer "words_differ"
        "le flux n'a pas été lu comme le calcul le dit" "the key stream was not read as the computation says";
    SettlementWinners "settlement_winners"
        "le nombre de billets gagnants est inexact" "the number of winning tickets is wrong";
    SettlementSums "settlement_sums"
        "la somme des lots est inexacte" "the sum of the prizes is wrong";
    SettlementFactors "settlement_factors"
        "le facteur de réduction est inexact" "the reducing factor is wrong";
    SettlementPayable "settlement_payable"
        "la somme payable ou l'arrondi est inexact" "the payable sum or the breakage is wrong";
    SettlementRoot "settlement_root"
        "la liste des lots n'est pas celle du calcul" "the prize list is not the one computed";
    VoidWrong "void_wrong"
        "le tirage n'est pas annulé par qui peut le faire, ou ses numéros sont inscrits" "the draw is not voided by who may, or its numbers are recorded";
    VoidTotals "void_totals"
        "les totaux du remboursement sont inexacts" "the totals of the refund are wrong";
    PaymentNotDue "payment_not_due"
        "rien n'est dû pour ce billet et ce tirage" "nothing is due for this ticket and draw";
    PaymentAmount "payment_amount"
        "le montant n'est pas celui du calcul" "the amount is not the one computed";
    PaymentTwice "payment_twice"
        "le lot est déjà payé ou prescrit" "the prize has been paid or has expired";
    PaymentTotal "payment_total"
        "le total, l'arrondi ou le mode de paiement est inexact" "the total, the rounding or the tender is wrong";
    PresentationWrong "presentation_wrong"
        "un tirage présenté n'est pas du billet, n'a pas de numéros, l'était déjà ou est hors délai" "a draw presented is not of the ticket, has no numbers, was presented before or is late";
    PaymentPlace "payment_place"
        "ce montant ne se paie qu'à la caisse principale" "this amount is paid at the main cage alone";
    PaymentWithoutCode "payment_without_code"
        "le code du papier n'a pas été montré, ni le papier lu par deux personnes, ni un dossier accepté" "the code on the paper was not shown, nor the paper read by two people, nor a file judged to be paid";
    PaymentAtOnce "payment_at_once"
        "le paiement sans code dépasse ce qui se paie sur-le-champ" "the payment without code is beyond what is paid at once";
    ReadingWrong "reading_wrong"
        "ce qui a été lu sur le papier n'est pas du billet" "what was read from the paper is not the ticket's";
    FileWrong "file_wrong"
        "le dossier, ou la décision, ne peut être ainsi" "the file, or its judgement, cannot be so";
    FileUnknown "file_unknown"
        "il n'y a pas de tel dossier" "there is no such file";
    FileEarly "file_early"
        "le délai d'attente du dossier n'était pas écoulé" "the file had not waited long enough";
    FileThird "file_third"
        "une troisième personne devait juger le dossier" "a third person had to judge the file";
    PaymentAlone "payment_alone"
        "une deuxième personne était nécessaire" "a second person was needed";
    PaymentWhileHeld "payment_while_held"
        "le billet est retenu et n'a pas été libéré" "the ticket is held and was not released";
    PaymentLate "payment_late"
        "le billet a été présenté après la date limite" "the ticket was presented after the deadline";
    ReversalWrong "reversal_wrong"
        "il n'y a pas de tel paiement à renverser dans ce quart" "there is no such payment to reverse in this shift";
    ReversalAmount "reversal_amount"
        "la somme revenue à la caisse n'est pas celle du paiement" "the cash that returns to the till is not the payment's";
    ExpiryEarly "expiry_early"
        "le délai de réclamation n'est pas écoulé" "the claim period is not over";
    ExpiryNotDue "expiry_not_due"
        "ce lot n'est pas un lot impayé de ce montant" "this is not an unpaid prize of that amount";
    LostTicketEpoch "lost_ticket_epoch"
        "aucune reprise du journal n'a perdu l'époque où ce billet a été vendu" "no epoch that was opened has lost the one in which this ticket was sold";
    LostTicketKnown "lost_ticket_known"
        "le billet remboursé comme perdu est au journal" "the ticket refunded as lost is in the log";
    LostTicketTwice "lost_ticket_twice"
        "le billet perdu a déjà été remboursé" "the lost ticket has been refunded before";
    LostTicketAmount "lost_ticket_amount"
        "aucun billet ne coûte ce montant, ou le mode de paiement n'est d'aucunes règles" "no ticket costs that amount, or the tender is of no rules";
    TooLarge "too_large"
        "les montants dépassent ce qui se calcule" "the amounts are beyond what can be computed";
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

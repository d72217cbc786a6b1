//! What each refusal says, in French.

use keno_game::Cents;
use keno_record::roles::{DeviceRole, Role};

use super::draw_state::state_words;
use super::field::listed;
use super::{DamagedRefusal, Refusal};

impl Refusal {
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
            Self::CardNeeded => "Balayez la carte de cet insigne\u{a0}: l’insigne et le NIP seuls ne suffisent pas ici. Sans elle, une deuxième personne répond au mur, dans sa propre session\u{a0}; deux administrateurs refont une carte perdue.".to_owned(),
            Self::CannotAct => "Cet insigne ne peut pas être celui d’un superviseur suppléant : il est déjà celui d’un superviseur, il est retiré, ou c’est celui d’un auditeur, d’un technicien ou d’un administrateur.".to_owned(),
            Self::NotNamedToAct => "Cet insigne n’est pas désigné comme pouvant suppléer un superviseur : deux administrateurs le désignent d’abord.".to_owned(),
            Self::ActingOwnSale => "Un superviseur suppléant ne juge pas un billet qu’il a vendu lui-même : demandez un autre superviseur ou la caisse principale.".to_owned(),
            Self::PinKnownToOther => "L’un de vous a attribué le NIP de l’autre, que son titulaire n’a pas encore changé : demandez une autre personne.".to_owned(),
            Self::PinChosenElsewhere => "Qui a attribué ce NIP a une session ouverte ici : choisissez le vôtre à un autre appareil.".to_owned(),
            Self::NameNeeded { .. } => "Il manque l’insigne ou le numéro d’employé.".to_owned(),
            Self::BadgeSigns => "Un insigne est fait de lettres sans accent, de chiffres et de traits d’union, un numéro d’employé de signes sans accent ni espace autour ; « guard », « console », « central », « device » et « recovery » n’en sont pas.".to_owned(),
            Self::RolesExclude { one, other } => format!("Personne n’est à la fois {} et {}. Donnez ces rôles à deux personnes.", one.name_fr(), other.name_fr()),
            Self::StaffNumberKept { staff } => format!("Cet insigne est celui du numéro d’employé {staff} et le reste. Inscrivez un autre insigne."),
            Self::LooksLikeAnother { other } => format!("{other} est déjà inscrit et se lirait de même. Donnez-le exactement ainsi, ou donnez-en un autre."),
            Self::AdministratorsTooFew => "Une maison garde deux administrateurs : inscrivez-en d’abord un autre.".to_owned(),
            Self::HouseHasAdministrators => "Cette maison a ses deux administrateurs : ce sont eux qui inscrivent les autres personnes.".to_owned(),
            Self::HouseHasRecoveryCode => "Cette maison a son code de secours : deux administrateurs en font un autre.".to_owned(),
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
            Self::TooManyUnknown => "Trop de numéros inconnus, ou de lectures qui ne concordaient pas : attendez une minute.".to_owned(),
            Self::ClaimCodeNeeded => "Il faut le code du papier : numérisez-le, ou tapez après le numéro les 20 signes qui y sont imprimés. Le numéro seul ne paie, n’annule et ne remplace rien. Si le code est illisible, gardez le papier et appelez le superviseur.".to_owned(),
            Self::MoneyGivenBack => "Le prix de ce billet a été rendu quand sa vente a été mise de côté\u{a0}: aucun papier n’en est fait et personne ne l’obtient.".to_owned(),
            Self::PaperIsWhole => "Un papier de ce billet est sorti\u{a0}: il a été payé.".to_owned(),
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
            Self::TextSigns { .. } => "Ce texte contient un signe qui ne se voit pas et ne s’imprime pas : retapez-le, sur une ligne.".to_owned(),
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
            Self::StaffTooFew { needed, stated } => format!("Ces règles demandent {needed} personnes\u{a0}: le dossier d’un billet endommagé est jugé par des personnes qui ne l’ont pas ouvert (a. 83). La maison en déclare {stated} ([staff] fewest dans house.toml)\u{a0}: déclarez-en plus{}.", if *needed > 3 { ", ou portez damaged.third_person au-dessus du plafond" } else { "" }),
            Self::RuleBookVersion { expected } => format!("La version doit être {expected}."),
            Self::RuleBookMovedOn { version } => format!("Les règles ont changé depuis leur lecture : la version {version} est la plus récente. Relisez-la, puis refaites le changement."),
            Self::RuleBookTooEarly { earliest } => format!("Ces règles ne peuvent valoir qu’à partir du tirage {earliest}."),
            Self::DrawStepRefused { state } => format!("Le tirage est {} : cette étape n’est pas possible.", state_words(state).0),
            Self::RuleForInterrupted { rule: "void" } => "Selon les règles, un tirage de boules interrompu est annulé et remboursé.".to_owned(),
            Self::RuleForInterrupted { .. } => "Selon les règles, un tirage de boules interrompu est complété.".to_owned(),
            Self::SoldForDraw { draw, badge } => format!("{badge} a vendu pour le tirage {draw} : quelqu’un d’autre doit en décider."),
            Self::NotHalted => "L’horaire n’est pas arrêté.".to_owned(),
            Self::RecordUnknown => "Cette fiche n’existe pas au registre.".to_owned(),
            Self::FileWaits { from } => format!("{} On en décide à partir du {from}.", DamagedRefusal::FileWaits.sentence_fr()),
            Self::Damaged { refusal } => refusal.sentence_fr().to_owned(),
            Self::QueueFull => "Le système est occupé. Réessayez dans un instant ; rien n’a été fait.".to_owned(),
            Self::RecordUnavailable => "Le registre central est indisponible. Rien n’a été fait ; réessayez.".to_owned(),
        }
    }
}

//! What is refused of papers whose code cannot be read: a closed, ordered list.

use crate::Stop;
use crate::refusal::Refusal;

/// Each refusal with its stable name and its sentence in both languages.
macro_rules! refusals {
    ($($(#[doc = $words:literal])* $case:ident $name:literal $fr:literal $en:literal;)*) => {
        /// The rules say no to a paper without a code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum DamagedRefusal {
            $($(#[doc = $words])* $case,)*
        }

        impl DamagedRefusal {
            /// Every stable name, in order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// The stable name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$case => $name,)*
                }
            }

            /// The field of the request that is at fault.
            pub const fn field(self) -> Option<&'static str> {
                match self {
                    Self::PresenterNeeded => Some("presented_by"),
                    Self::NoteNeeded => Some("note"),
                    Self::MomentInvalid => Some("presented_at"),
                    _ => None,
                }
            }

            /// The sentence in French.
            pub const fn sentence_fr(self) -> &'static str {
                match self {
                    $(Self::$case => $fr,)*
                }
            }

            /// The sentence in English.
            pub const fn sentence_en(self) -> &'static str {
                match self {
                    $(Self::$case => $en,)*
                }
            }
        }
    };
}

impl From<DamagedRefusal> for Stop {
    fn from(refusal: DamagedRefusal) -> Self {
        Refusal::from(refusal).into()
    }
}

refusals! {
    /// What was typed is of no ticket; which part of it is not said.
    PaperDisagrees "paper_disagrees"
        "Ce qui a été saisi ne concorde avec aucun billet. Relisez le papier; s’il reste illisible, gardez-le et ouvrez un dossier."
        "What was typed agrees with no ticket. Read the paper again; if it stays illegible, keep it and open a file.";
    /// More than is paid at once, or one too many today.
    FileNeeded "file_needed"
        "Ce billet ne se paie pas sur-le-champ sans son code. Gardez le papier et ouvrez un dossier."
        "Without its code this ticket is not paid at once. Keep the paper and open a file.";
    /// As many were paid so today by this person as the rules allow.
    PaidEnoughToday "paid_enough_today"
        "Vous avez payé aujourd’hui autant de billets sans code que les règles le permettent. Un collègue peut relire celui-ci, avec une deuxième personne, et le payer ; sinon, gardez le papier et ouvrez un dossier."
        "You have paid as many tickets without a code today as the rules allow. A colleague can read this one again, with a second person, and pay it; else keep the paper and open a file.";
    /// Somebody else read the paper, or in another shift.
    ReadAgain "read_again"
        "Ce papier doit être relu, avec une deuxième personne, par qui le paie et pendant son quart."
        "This paper must be read again, with a second person, by whoever pays it and in their shift.";
    /// A file is named by its number alone.
    ReceiptNeeded "receipt_needed"
        "Il faut le code du reçu de ce dossier, tel qu’il y est imprimé. Le numéro seul ne paie rien."
        "The code on the receipt of this file is needed, as it is printed there. The number alone pays nothing.";
    /// Nobody is named who presents the paper.
    PresenterNeeded "presenter_needed"
        "Écrivez qui présente ce billet."
        "Write who presents this ticket.";
    /// Nothing is said of what was seen.
    NoteNeeded "note_needed"
        "Écrivez ce qui a été vu du papier."
        "Write what was seen of the paper.";
    /// Who opened a file decides about it.
    OpenerJudges "opener_judges"
        "Qui a ouvert ce dossier n’en décide pas, ni seul ni avec d’autres."
        "Whoever opened this file does not decide about it, alone or with others.";
    /// There is no such file.
    FileUnknown "file_unknown"
        "Il n’y a pas de dossier de ce numéro."
        "There is no file of this number.";
    /// The waiting period of the rules is not over.
    FileWaits "file_waits"
        "Le délai d’attente de ce dossier n’est pas écoulé."
        "This file has not waited long enough yet.";
    /// Nobody has decided yet.
    FileNotJudged "file_not_judged"
        "Ce dossier n’est pas encore décidé. La réponse vient à la date du reçu au plus tard."
        "This file is not decided yet. The answer comes by the date on the receipt.";
    /// Somebody has decided.
    FileJudged "file_judged"
        "Ce dossier est déjà décidé."
        "This file is decided already.";
    /// It was decided that nothing is paid.
    FileRefused "file_refused"
        "Ce dossier a été refusé : rien n’est payé."
        "This file was refused: nothing is paid.";
    /// What is legible does not leave one ticket.
    FileWithoutTicket "file_without_ticket"
        "Ce qui est lisible ne désigne pas un seul billet : ce dossier ne peut être accepté (art. 83)."
        "What is legible does not leave one ticket: this file cannot be accepted (s. 83).";
    /// The amount asks for a third person.
    ThirdPersonNeeded "third_person_needed"
        "À ce montant, une troisième personne doit aussi décider du dossier."
        "At this amount a third person must decide about the file as well.";
    /// The moment lies in the future, or too far back.
    MomentInvalid "moment_invalid"
        "L’heure de présentation doit être passée, et de moins de sept jours : HHMM, ou JJHHMM avec le jour du mois."
        "The hour of presentation must be past, by less than seven days: HHMM, or DDHHMM with the day of the month.";
}

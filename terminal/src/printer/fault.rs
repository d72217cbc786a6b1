//! What can be wrong with a printer, by name.

use thiserror::Error;

/// A trouble that a person can act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PrinterFault {
    /// There is nothing at the printer's address.
    #[error("the printer does not answer at its address")]
    Absent,
    /// The roll is at its end.
    #[error("the printer is out of paper")]
    OutOfPaper,
    /// The cover is open.
    #[error("the printer's cover is open")]
    CoverOpen,
    /// The printer says that it is not ready and gives no cause that is known here.
    #[error("the printer is offline")]
    Offline,
    /// The connection ended before the printer said that it had printed everything.
    #[error("the printer stopped in the middle of the paper")]
    DiedMidTicket,
}

impl PrinterFault {
    /// All of them, most telling first: an open cover also reports that it sees no paper.
    pub const ALL: [Self; 5] = [
        Self::Absent,
        Self::CoverOpen,
        Self::OutOfPaper,
        Self::Offline,
        Self::DiedMidTicket,
    ];

    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::OutOfPaper => "out_of_paper",
            Self::CoverOpen => "cover_open",
            Self::Offline => "offline",
            Self::DiedMidTicket => "died_mid_ticket",
        }
    }

    /// What is wrong and what to do, in French.
    pub const fn sentence_fr(self) -> &'static str {
        match self {
            Self::Absent => "Imprimante introuvable : vérifiez le câble et l’alimentation.",
            Self::OutOfPaper => "Plus de papier : changez le rouleau.",
            Self::CoverOpen => "Capot ouvert : fermez-le.",
            Self::Offline => "L’imprimante n’est pas prête : regardez ses voyants.",
            Self::DiedMidTicket => {
                "L’imprimante s’est arrêtée au milieu du papier : gardez tous les morceaux."
            }
        }
    }

    /// The same in English.
    pub const fn sentence_en(self) -> &'static str {
        match self {
            Self::Absent => "Printer not found: check its cable and power.",
            Self::OutOfPaper => "Out of paper: change the roll.",
            Self::CoverOpen => "Cover open: close it.",
            Self::Offline => "The printer is not ready: look at its lights.",
            Self::DiedMidTicket => "The printer stopped in mid-paper: keep all the pieces.",
        }
    }
}

/// A job that did not end well, and how far it had gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{sent} of {total} bytes had been sent")]
pub struct PrintFailure {
    /// What went wrong.
    #[source]
    pub fault: PrinterFault,
    /// Bytes of the paper that left for the printer; 0 means that no paper exists.
    pub sent: usize,
    /// Bytes of the whole paper.
    pub total: usize,
}

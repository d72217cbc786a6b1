//! What can be wrong with a printer, by name.

use thiserror::Error;

keno_game::named! {
    /// A trouble that a person can act on, the most telling first: an open cover also reports that it
    /// sees no paper, and whatever is wrong makes a printer offline.
    #[derive(Error)]
    PrinterFault {
        /// There is nothing at the printer's address.
        #[error("the printer does not answer at its address")]
        Absent "absent",
        /// The printer's device is there, and this program may not open it.
        #[error("this program may not open the printer's device")]
        Denied "denied",
        /// Another program holds the printer's device.
        #[error("another program holds the printer's device")]
        Busy "busy",
        /// The cover is open.
        #[error("the printer's cover is open")]
        CoverOpen "cover_open",
        /// The roll is at its end.
        #[error("the printer is out of paper")]
        OutOfPaper "out_of_paper",
        /// The cutter is stuck.
        #[error("the printer's cutter is stuck")]
        Cutter "cutter",
        /// An error that only switching off may end.
        #[error("the printer has an error that it does not recover from")]
        Unrecoverable "unrecoverable",
        /// A mechanical error that a person can clear.
        #[error("the printer has an error that a person can clear")]
        Recoverable "recoverable",
        /// An error that passes by itself, such as a head that is too hot.
        #[error("the printer has an error that passes by itself")]
        Passing "passing",
        /// The printer says that it is not ready and gives no cause that is known here.
        #[error("the printer is offline")]
        Offline "offline",
        /// The connection ended, or nothing was taken any more, before the printer said that it had
        /// printed everything.
        #[error("the printer stopped in the middle of the paper")]
        DiedMidTicket "died_mid_ticket",
    }
}

impl PrinterFault {
    /// True when the printer is there and waits for somebody: once that is done it may go on with
    /// what it was sent, so that nobody can say yet what came of the paper.
    pub const fn may_go_on(self) -> bool {
        match self {
            Self::CoverOpen
            | Self::OutOfPaper
            | Self::Cutter
            | Self::Unrecoverable
            | Self::Recoverable
            | Self::Passing
            | Self::Offline => true,
            Self::Absent | Self::Denied | Self::Busy | Self::DiedMidTicket => false,
        }
    }

    /// What it means that a printer's device could not be opened.
    pub fn of_opening(error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::PermissionDenied => Self::Denied,
            std::io::ErrorKind::ResourceBusy => Self::Busy,
            _ => Self::Absent,
        }
    }
}

// What is wrong and what to do.
keno_words::says! { PrinterFault: printer { Absent, Denied, Busy, CoverOpen, OutOfPaper, Cutter, Unrecoverable, Recoverable, Passing, Offline, DiedMidTicket } }

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
    /// Bytes up to the end of the last line. When fewer left, that line was not printed.
    pub last_line_end: usize,
}

impl PrintFailure {
    /// True when every line had left for the printer: the paper may have come out whole, and only
    /// a person who looks at it can tell.
    pub const fn may_be_whole(&self) -> bool {
        self.sent > 0 && self.sent >= self.last_line_end
    }
}

#[cfg(test)]
mod tests {
    use keno_words::Say;

    use super::*;

    #[test]
    fn every_trouble_has_a_name_and_two_sentences_of_its_own() {
        let all = PrinterFault::ALL;
        for (place, fault) in all.iter().enumerate() {
            assert!(fault.fr().ends_with('.') && fault.en().ends_with('.'));
            for other in &all[place + 1..] {
                assert_ne!(fault.name(), other.name());
                assert_ne!(fault.fr(), other.fr());
                assert_ne!(fault.en(), other.en());
            }
        }
    }

    #[test]
    fn a_device_that_cannot_be_opened_is_absent_denied_or_busy() {
        use std::io::{Error, ErrorKind};
        let of = |kind: ErrorKind| PrinterFault::of_opening(&Error::from(kind));
        assert_eq!(of(ErrorKind::NotFound), PrinterFault::Absent);
        assert_eq!(of(ErrorKind::ConnectionRefused), PrinterFault::Absent);
        assert_eq!(of(ErrorKind::PermissionDenied), PrinterFault::Denied);
        assert_eq!(of(ErrorKind::ResourceBusy), PrinterFault::Busy);
    }

    #[test]
    fn a_paper_may_be_whole_only_when_its_last_line_left() {
        let failure = |sent| PrintFailure {
            fault: PrinterFault::DiedMidTicket,
            sent,
            total: 100,
            last_line_end: 80,
        };
        assert!(!failure(0).may_be_whole() && !failure(79).may_be_whole());
        assert!(failure(80).may_be_whole() && failure(100).may_be_whole());
    }
}

//! How a command ends, as a number for scripts, and why one ends before its end.

use std::process::ExitCode;

use serde::{Serialize, Serializer};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// Something of this machine failed: a file, the configuration, the journal.
    Failed,
    /// Central said no, or the slip cannot be read: nothing was recorded.
    Refused,
    /// Central cannot be reached: nothing was recorded.
    CentralUnreachable,
    /// Recorded, but the paper is not known to be whole.
    PrinterTrouble,
    /// Central did not answer: it may or may not be recorded.
    InDoubt,
    /// The command line is not one of this program's.
    Usage,
}

impl Exit {
    /// The number of the process.
    pub const fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Refused => 2,
            Self::CentralUnreachable => 3,
            Self::PrinterTrouble => 4,
            Self::InDoubt => 5,
            Self::Usage => 64,
        }
    }
}

impl Exit {
    /// The stable name, as a page reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed | Self::Usage => "failed",
            Self::Refused => "refused",
            Self::CentralUnreachable => "central_unreachable",
            Self::PrinterTrouble => "printer_trouble",
            Self::InDoubt => "in_doubt",
        }
    }
}

impl Serialize for Exit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}

/// Why a command ends before its end.
#[derive(Debug)]
pub enum Stop {
    /// The person has been told; the process ends so.
    End(Exit),
    /// Something of this machine failed; told once, by who runs the command.
    Fault(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Fault(error.into())
    }
}

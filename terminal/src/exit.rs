//! How a command ends, as a number for scripts, and why one ends before its end.

use std::process::ExitCode;

use serde::Serialize;

/// How a command ended: the number of the process, and the name that a page reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Something of this machine failed: a file, the configuration, the journal.
    Failed = 1,
    /// Central said no, or the slip cannot be read: nothing was recorded.
    Refused = 2,
    /// Central cannot be reached: nothing was recorded.
    CentralUnreachable = 3,
    /// Recorded, but the paper is not known to be whole.
    PrinterTrouble = 4,
    /// Central did not answer: it may or may not be recorded.
    InDoubt = 5,
    /// The command line is not one of this program's.
    #[serde(rename = "failed")]
    Usage = 64,
}

impl Exit {
    /// The number of the process.
    pub const fn number(self) -> u8 {
        self as u8
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

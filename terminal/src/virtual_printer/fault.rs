//! Troubles that the virtual printer can be told to have.

use std::str::FromStr;

use thiserror::Error;

/// A trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The roll is at its end.
    OutOfPaper,
    /// The cover is open.
    CoverOpen,
    /// It hangs up after so many bytes of a job (questions about its state don't count).
    DieAfter(usize),
    /// It prints and never says a word.
    Silent,
    /// The roll is near its end; it prints.
    NearEnd,
}

/// Not the name of a trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("out_of_paper, cover_open, die_after:BYTES, silent or near_end")]
pub struct FaultNameError;

impl FromStr for Fault {
    type Err = FaultNameError;

    fn from_str(text: &str) -> Result<Self, FaultNameError> {
        match text.split_once(':') {
            None if text == "out_of_paper" => Ok(Self::OutOfPaper),
            None if text == "cover_open" => Ok(Self::CoverOpen),
            None if text == "silent" => Ok(Self::Silent),
            None if text == "near_end" => Ok(Self::NearEnd),
            Some(("die_after", bytes)) => bytes
                .parse()
                .map(Self::DieAfter)
                .map_err(|_| FaultNameError),
            _ => Err(FaultNameError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!("die_after:812".parse(), Ok(Fault::DieAfter(812)));
        assert_eq!("silent".parse(), Ok(Fault::Silent));
        assert_eq!("near_end".parse(), Ok(Fault::NearEnd));
        for text in [
            "",
            "die_after",
            "die_after:",
            "die_after:-1",
            "silent:1",
            "jam",
        ] {
            assert_eq!(text.parse::<Fault>(), Err(FaultNameError), "{text}");
        }
    }
}

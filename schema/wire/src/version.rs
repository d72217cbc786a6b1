//! Versions of the programs, told both ways: an agent tells its own with each request, central
//! tells its own with the time. The interface only grows within `/api/v1`, so that an older agent
//! goes on with a newer central; what is truly too old is told so in words.

use std::fmt;
use std::str::FromStr;

use keno_words::{Language, Say};
use thiserror::Error;

/// The oldest program on either side that speaks as this one does: what tickets, claim codes and
/// commands look like has changed since. Raised when it changes again.
pub const OLDEST: Version = Version {
    major: 0,
    minor: 2,
    patch: 0,
};

/// Header with the version of the agent that asks.
pub const AGENT_HEADER: &str = "Boulier-Agent";

/// The version of a program: three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// Raised by what an older program cannot follow.
    pub major: u32,
    /// Raised by what is new.
    pub minor: u32,
    /// Raised by what is mended.
    pub patch: u32,
}

/// Not three numbers with dots between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a version is three numbers, such as 1.4.2")]
pub struct VersionFault;

impl FromStr for Version {
    type Err = VersionFault;

    fn from_str(text: &str) -> Result<Self, VersionFault> {
        let number = |part: Option<&str>| {
            let part = part.ok_or(VersionFault)?;
            let is_plain = part.bytes().all(|byte| byte.is_ascii_digit())
                && (part.len() == 1 || !part.starts_with('0'));
            let number = part.parse().map_err(|_| VersionFault)?;
            if is_plain {
                Ok(number)
            } else {
                Err(VersionFault)
            }
        };
        let mut parts = text.split('.');
        let version = Self {
            major: number(parts.next())?,
            minor: number(parts.next())?,
            patch: number(parts.next())?,
        };
        match parts.next() {
            None => Ok(version),
            Some(_) => Err(VersionFault),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Say for Version {
    fn say(&self, _: Language, to: &mut String) {
        to.push_str(&self.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_numbers() {
        let version = |text: &str| text.parse::<Version>().unwrap();
        assert!(version("0.9.9") < version("0.10.0"));
        assert!(version("1.0.0") > version("0.99.99"));
        assert_eq!(version("1.4.2").to_string(), "1.4.2");
        for not in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "1.2.x",
            "+1.2.3",
            "01.2.3",
            "1..3",
            "1.2.3-rc1",
        ] {
            assert_eq!(not.parse::<Version>(), Err(VersionFault), "{not:?}");
        }
    }
}

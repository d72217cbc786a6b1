//! Do central's program and this one go together? Both are told, and the person in words.

use keno_wire::Version;
use keno_wire::reply::Bilingual;
use keno_wire::version::OLDEST;
use keno_words::counter as words;
use serde::Serialize;

/// The oldest central that this agent can work with.
const CENTRAL_MINIMUM: Version = OLDEST;

/// Why central's program and this one do not go together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MismatchView {
    /// `agent_too_old` or `central_too_old`.
    pub name: &'static str,
    /// The sentence.
    pub sentence: Bilingual,
}

/// This program's version.
pub(super) fn own() -> Option<Version> {
    env!("CARGO_PKG_VERSION").parse().ok()
}

/// What does not go together, when central is of this version and lets no agent sign on that is
/// older than `agents_minimum`. A central that says nothing is taken as it is.
pub(super) fn mismatch(
    central: Option<Version>,
    agents_minimum: Option<Version>,
) -> Option<MismatchView> {
    mismatch_of(own()?, central, agents_minimum)
}

fn mismatch_of(
    own: Version,
    central: Option<Version>,
    agents_minimum: Option<Version>,
) -> Option<MismatchView> {
    if let Some(minimum) = agents_minimum.filter(|minimum| own < *minimum) {
        return Some(MismatchView {
            name: "agent_too_old",
            sentence: Bilingual::of(&words::TerminalTooOld {
                minimum: &minimum,
                own: &own,
            }),
        });
    }
    let central = central.filter(|central| *central < CENTRAL_MINIMUM)?;
    Some(MismatchView {
        name: "central_too_old",
        sentence: Bilingual::of(&words::CentralTooOld {
            minimum: &CENTRAL_MINIMUM,
            central: &central,
            own: &own,
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_too_old_is_named_and_a_newer_central_is_none() {
        let version = |text: &str| text.parse::<Version>().unwrap();
        let name = |own: &str, central: Option<&str>, minimum: Option<&str>| {
            mismatch_of(version(own), central.map(version), minimum.map(version))
                .map(|view| view.name)
        };
        assert_eq!(name("0.2.0", None, None), None);
        assert_eq!(name("0.2.0", Some("0.2.0"), None), None);
        assert_eq!(name("0.2.0", Some("7.0.0"), None), None, "it only grows");
        assert_eq!(name("0.2.0", Some("7.0.0"), Some("0.2.0")), None);
        assert_eq!(
            name("0.2.0", Some("7.0.0"), Some("0.2.1")),
            Some("agent_too_old")
        );
        assert_eq!(name("0.2.0", Some("0.1.0"), None), Some("central_too_old"));
    }
}

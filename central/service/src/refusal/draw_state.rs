//! The states of a draw, as a refusal says them to a person.

/// The state of this name, in French and in English.
pub(super) fn state_words(state: &str) -> (&'static str, &'static str) {
    match state {
        "scheduled" => ("annoncé", "announced"),
        "open" => ("en vente", "on sale"),
        "closed" => ("fermé aux ventes", "closed to sales"),
        "drawing" => ("en cours", "being drawn"),
        "drawn" => ("tiré et pas encore certifié", "drawn and not yet certified"),
        "official" => ("officiel", "official"),
        "settled" => (
            "officiel, et ses lots sont calculés",
            "official, and its prizes are computed",
        ),
        "suspended" => ("suspendu", "suspended"),
        "void" => ("annulé", "void"),
        _ => ("inconnu", "unknown"),
    }
}

#[cfg(test)]
mod tests {
    use keno_game::DrawState;

    use super::*;

    #[test]
    fn every_state_has_words_of_its_own() {
        let mut said: Vec<_> = DrawState::ALL
            .into_iter()
            .map(|state| state_words(state.name()))
            .collect();
        assert!(!said.contains(&state_words("no state")));
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), DrawState::ALL.len());
    }
}

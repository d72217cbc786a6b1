//! The states of a draw, as a refusal says them to a person.

use keno_words::{Say, draw_state};

/// The words of a state by its name.
pub(super) fn state_words(state: &str) -> &'static dyn Say {
    match state {
        "scheduled" => &draw_state::Scheduled,
        "open" => &draw_state::Open,
        "closed" => &draw_state::Closed,
        "drawing" => &draw_state::Drawing,
        "drawn" => &draw_state::Drawn,
        "official" => &draw_state::Official,
        "settled" => &draw_state::Settled,
        "suspended" => &draw_state::Suspended,
        "void" => &draw_state::Void,
        _ => &draw_state::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use keno_game::DrawState;

    use super::*;

    #[test]
    fn every_state_has_words_of_its_own() {
        let words_of = |state: &str| (state_words(state).fr(), state_words(state).en());
        let mut said: Vec<_> = DrawState::ALL
            .into_iter()
            .map(|state| words_of(state.name()))
            .collect();
        assert!(!said.contains(&words_of("no state")));
        said.sort_unstable();
        said.dedup();
        assert_eq!(said.len(), DrawState::ALL.len());
    }
}

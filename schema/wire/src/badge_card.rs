//! The card of a badge: what a scanner reads of it, so that a second person is there and is not
//! only remembered. Digits and letters, as on a ticket, and survives any keyboard layout:
//!
//! ```text
//! KB1 <secret: 16 signs of Crockford's base 32> <badge>
//! ```
//!
//! without the spaces. The secret is 80 bits that only the house can compute.

use crate::claim_code::{ALPHABET, plain, without_identifier};
use crate::discreet::discreet;

const PREFIX: &str = "KB1";
/// Signs of the secret.
const SECRET_SIGNS: usize = 16;

/// A card, as it was read or is to be made.
#[derive(Clone, PartialEq, Eq)]
pub struct BadgeCard {
    /// Badge.
    pub badge: String,
    /// The secret's signs.
    pub secret: String,
}

impl BadgeCard {
    /// A card of a badge.
    pub fn of(badge: &str, secret: &str) -> Self {
        Self {
            badge: badge.to_owned(),
            secret: secret.to_owned(),
        }
    }

    /// Reads what a scanner gave; `None` for whatever is no card, such as a badge that was typed. A
    /// scanner or a keyboard that turns capitals into small letters turns those of the badge too.
    pub fn read(text: &str) -> Option<Self> {
        let text = without_identifier(text);
        let is_turned = text.starts_with(|first: char| first.is_ascii_lowercase());
        let turn = |sign: char| match sign {
            _ if !is_turned => sign,
            'a'..='z' => sign.to_ascii_uppercase(),
            other => other.to_ascii_lowercase(),
        };
        let text: String = text.chars().map(turn).collect();
        let (prefix, rest) = text.split_at_checked(PREFIX.len())?;
        if plain(prefix) != PREFIX {
            return None;
        }
        let (secret, badge) = rest.split_at_checked(SECRET_SIGNS)?;
        let secret = plain(secret);
        let is_card = !badge.is_empty()
            && secret.len() == SECRET_SIGNS
            && secret.bytes().all(|sign| ALPHABET.contains(&sign));
        is_card.then(|| Self::of(badge, &secret))
    }

    /// What the code on the card says.
    pub fn text(&self) -> String {
        format!("{PREFIX}{}{}", self.secret, self.badge)
    }
}

// A secret is never printed, whoever asks.
discreet!(BadgeCard { badge });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_read_as_it_was_made_and_a_badge_is_none() {
        let card = BadgeCard::of("S201", "7KQ4M2PX0123ABCD");
        assert_eq!(card.text(), "KB17KQ4M2PX0123ABCDS201");
        assert_eq!(BadgeCard::read(&card.text()), Some(card.clone()));
        for read in [
            " KB17KQ4M2PX0123ABCDS201\n",
            "]Q1KB17KQ4M2PX0123ABCDS201",
            "kb17kq4m2px0123abcds201",
            "KB17KQ4M2PXOI23ABCDS201",
        ] {
            assert_eq!(BadgeCard::read(read), Some(card.clone()), "{read}");
        }
        for none in [
            "",
            "S201",
            "KB1",
            "KB17KQ4M2PX0123ABCD",
            "KB17KQ4M2PX0123ABCUS201",
            "KB1éééééééé",
            "KT217KQ4M2PX0123ABCDS201",
        ] {
            assert_eq!(BadgeCard::read(none), None, "{none}");
        }
        let shown = format!("{:?}", BadgeCard::of("S201", "7KQ4M2PX0123ABCD"));
        assert!(!shown.contains("7KQ4"), "{shown}");
    }
}

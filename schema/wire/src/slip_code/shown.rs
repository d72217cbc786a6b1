//! What of a rule book a slip shows or depends on, and the mark that stands for it.
//!
//! A version of the rules that leaves these alone leaves the slips in the hall valid; one that
//! changes them withdraws them. The rest of the rules (prizes, thresholds, express picks, claims)
//! is not on a slip, and a slip promises none of it.
//!
//! The mark is the first 20 bits of the SHA-256 of these bytes, in which a `text` is its length as
//! 4 bytes and its UTF-8, a number is big-endian, and a flag is one byte, 0 or 1:
//!
//! ```text
//! "Keno slip 1"                   11 bytes
//! kind                            1 byte, as in the code
//! size of the pool                1 byte
//! maximum payable per draw        8 bytes, in cents (s. 77)
//! where the rules are             text in French, text in English (s. 77)
//! each game, as the code has them:
//!   code                          text
//!   several games                 flag; if so its names: text in French, text in English
//!   straight selections           flag; if so the fewest and the most numbers, 1 byte each (s. 77)
//! and of a blank slip
//!   asks the type of selection    flag
//!   panels                        1 byte
//!   boxes of wagers               how many, 1 byte; each 8 bytes, in cents
//!   boxes of draws                how many, 1 byte; each 2 bytes
//! ```

use keno_game::{Cents, Game, RuleBook, SelectionType};
use sha2::{Digest, Sha256};

use super::{MARK_BITS, RulesInForce, SlipContent};

/// Most panels of a blank slip.
const PANELS_MAX: u8 = 2;
/// Wagers that are offered where the game sells them.
const WAGERS: [i64; 10] = [50, 100, 200, 300, 500, 1_000, 2_000, 2_500, 5_000, 10_000];
/// Draws that are offered where the rules permit them, beside the most.
const DRAWS: [u16; 8] = [1, 2, 3, 5, 10, 20, 50, 100];

/// Panels that a blank slip offers where the paper has room for them.
pub fn panels_of(rules: &RuleBook) -> u8 {
    rules.limits.selections_max.min(PANELS_MAX)
}

/// Whether a blank slip asks for the type of selection.
pub fn asks_the_type(game: &Game) -> bool {
    game.has_ways()
}

/// The wagers that a blank slip offers: round ones where the game sells any, else its first.
pub fn wagers_of(game: &Game) -> Vec<Cents> {
    let is_sold = |wager: &i64| sells(game, Cents::new(*wager));
    let round: Vec<Cents> = WAGERS.into_iter().filter(is_sold).map(Cents::new).collect();
    if !round.is_empty() {
        return round;
    }
    let (step, min) = (game.wager.step.get(), game.wager.min.get());
    (0..4)
        .map(|steps| min.saturating_add(step.saturating_mul(steps)))
        .filter(is_sold)
        .map(Cents::new)
        .collect()
}

/// The counts of draws that a blank slip offers.
pub fn draws_of(rules: &RuleBook) -> Vec<u16> {
    let most = rules.limits.draws_max;
    let mut offered: Vec<u16> = DRAWS.into_iter().filter(|draws| *draws <= most).collect();
    if !offered.contains(&most) && most < 1_000 {
        offered.push(most);
    }
    offered
}

fn sells(game: &Game, wager: Cents) -> bool {
    let limits = game.wager;
    (limits.min..=limits.max).contains(&wager)
        && wager.get().checked_rem(limits.step.get()) == Some(0)
}

/// Whether the rules still sell what an express card is for. Any other slip is judged when it is
/// priced.
pub(super) fn is_sold(rules: &RuleBook, content: &SlipContent) -> bool {
    let SlipContent::Express { game, spots, wager } = content else {
        return true;
    };
    rules.games.get(usize::from(*game)).is_some_and(|game| {
        let straight = game.spots_allowed(SelectionType::Straight);
        let is_played = straight.is_some_and(|it| it.contains(*spots));
        is_played && sells(game, *wager)
    })
}

/// The games that a slip is for, by their places, each once and in order.
fn games_of(content: &SlipContent) -> Vec<u8> {
    let mut games = match content {
        SlipContent::Blank { game } | SlipContent::Express { game, .. } => vec![*game],
        SlipContent::ESlip(slip) => slip.selections.iter().map(|(game, _)| *game).collect(),
    };
    games.sort_unstable();
    games.dedup();
    games
}

/// What the mark is made of.
struct Shown(Sha256);

impl Shown {
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn text(&mut self, text: &str) {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.bytes(&length.to_be_bytes());
        self.bytes(text.as_bytes());
    }

    fn flag(&mut self, flag: bool) -> bool {
        self.bytes(&[u8::from(flag)]);
        flag
    }

    fn count(&mut self, count: usize) {
        self.bytes(&[u8::try_from(count).unwrap_or(u8::MAX)]);
    }

    fn mark(self) -> u32 {
        let [first, second, third, ..]: [u8; 32] = self.0.finalize().into();
        u32::from_be_bytes([0, first, second, third]) >> (24 - MARK_BITS)
    }
}

/// The mark of a slip under these rules; none if they lack a game that it is for.
pub(super) fn mark_of(in_force: RulesInForce<'_>, content: &SlipContent) -> Option<u32> {
    let rules = in_force.rules;
    let mut shown = Shown(Sha256::new());
    shown.bytes(b"Keno slip 1");
    shown.bytes(&[content.kind(), rules.pool.size()]);
    shown.bytes(&rules.cap.get().to_be_bytes());
    shown.text(in_force.rules_place_fr);
    shown.text(in_force.rules_place_en);
    for place in games_of(content) {
        let game = rules.games.get(usize::from(place))?;
        shown.text(&game.code);
        // A slip names its game where there are several.
        if shown.flag(rules.games.len() > 1) {
            shown.text(&game.name_fr);
            shown.text(&game.name_en);
        }
        let straight = game.spots_allowed(SelectionType::Straight);
        if shown.flag(straight.is_some())
            && let Some(straight) = straight
        {
            shown.bytes(&[straight.min, straight.max]);
        }
        if let SlipContent::Blank { .. } = content {
            shown.flag(asks_the_type(game));
            shown.bytes(&[panels_of(rules)]);
            let wagers = wagers_of(game);
            shown.count(wagers.len());
            for wager in wagers {
                shown.bytes(&wager.get().to_be_bytes());
            }
            let draws = draws_of(rules);
            shown.count(draws.len());
            for count in draws {
                shown.bytes(&count.to_be_bytes());
            }
        }
    }
    Some(shown.mark())
}

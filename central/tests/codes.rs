//! Codes that are not a paper's, of which none is taken for it; its printed secret, which is; and
//! papers that know another log.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use crate::common::{House, sure_win};
use keno_central::convert;
use keno_wire::ClaimCode;
use keno_wire::claim_code::{plain, secret_in_groups};
use serde_json::json;

/// Signs that a code may have.
const SIGNS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Seed of every choice.
const SEED: u64 = 20_261_122;

/// Choices that only depend on a seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit).unwrap()).unwrap()
    }
}

/// The code with one to five signs changed, anywhere.
fn with_changed_signs(code: &str, chance: &mut Chance) -> String {
    let mut signs = code.as_bytes().to_vec();
    for _ in 0..=chance.below(5) {
        let at = chance.below(signs.len());
        signs[at] = SIGNS[chance.below(SIGNS.len())];
    }
    String::from_utf8(signs).unwrap()
}

/// The code with one to five bits changed behind its number, and its check signs made right again:
/// what somebody writes who knows how codes are made and has no key.
fn with_changed_bits(code: &str, chance: &mut Chance) -> String {
    let mut code = ClaimCode::parse(code).unwrap();
    for _ in 0..=chance.below(5) {
        let bit = 1_u8 << chance.below(8);
        match chance.below(5) {
            0 => code.copy = (code.copy ^ bit) % 100,
            1 => code.secret[chance.below(11)] ^= bit,
            2 => code.log_size ^= u64::from(bit),
            3 => code.log_root[chance.below(32)] ^= bit,
            _ => code.mark[chance.below(10)] ^= bit,
        }
    }
    code.text()
}

/// Shows `count` changed codes of each kind at the door, behind every limit. Returns how many were
/// whole enough for the keys to judge them.
async fn no_changed_code_is_taken_for_the_paper(count: usize) -> usize {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let code = sold.ticket.claim_code.unwrap();
    let central = &house.app.central;
    let right = convert::paper(central, &code).unwrap();
    assert!(right.true_claim().is_some() && right.find(central).unwrap().is_some());
    let mut chance = Chance(SEED);
    let mut judged = 0;
    let mut shown = 0;
    while shown < 2 * count {
        let changed = if shown % 2 == 0 {
            with_changed_signs(&code, &mut chance)
        } else {
            with_changed_bits(&code, &mut chance)
        };
        // A letter that looks like a digit is that digit.
        if plain(&changed) == code {
            continue;
        }
        shown += 1;
        let Ok(paper) = convert::paper(central, &changed) else {
            continue;
        };
        judged += 1;
        assert!(paper.is_claimed(), "seed {SEED}: a number alone");
        assert_eq!(paper.true_claim(), None, "seed {SEED}: taken for true");
        assert!(paper.find(central).unwrap().is_none(), "seed {SEED}");
    }
    judged
}

/// How many are shown of each kind: ten thousand, or what the long form asks for
/// (`scripts/campaigns codes`).
fn shown_of_each_kind() -> usize {
    let asked = std::env::var("KENO_CHANGED_CODES").ok();
    asked.map_or(10_000, |count| count.parse().unwrap())
}

#[actix_web::test]
async fn changed_codes_are_not_the_paper() {
    let count = shown_of_each_kind();
    let judged = no_changed_code_is_taken_for_the_paper(count).await;
    // Most of those with changed signs are refused before, by their check signs.
    assert!(judged > count * 9 / 10, "the keys judged only {judged}");
}

/// The secret stands alone: typed behind the number it opens the ticket, as its QR does, and no
/// other secret does.
#[actix_web::test]
async fn the_printed_secret_typed_behind_the_number_is_a_claim() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let code = ClaimCode::parse(sold.ticket.claim_code.as_deref().unwrap()).unwrap();
    house.until_settled(1);
    let typed = |code: &ClaimCode| {
        let signs = secret_in_groups(&code.secret);
        format!("{} {}", code.control_number, signs.to_lowercase())
    };
    let mut wrong = code.clone();
    wrong.secret[3] ^= 4;
    let order = house.pay_order(&clerk, &typed(&wrong)).await;
    assert_eq!(order["items"], json!([]), "a wrong secret tells no amount");
    let order = house.pay_order(&clerk, &typed(&code)).await;
    let paid = house.post(&clerk, "/payments", order).await;
    assert_eq!(paid.status, 200, "{}", paid.text());
}

/// A paper of this house that knows another log stands as an alarm, and its verdict is untouched.
#[actix_web::test]
async fn a_paper_that_knows_another_log_is_said() {
    let house = House::new(None);
    let clerk = house.sign_on(1, "C1").await;
    let sold = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let later = house.sell_printed(&clerk, &sure_win(50, 1)).await;
    let central = &house.app.central;
    for sold in [&sold, &later] {
        let code = sold.ticket.claim_code.as_deref().unwrap();
        assert_eq!(
            house.check(&clerk, code).await.verdict.code,
            "not_yet_drawn"
        );
    }
    assert_eq!(house.app.papers.judged(), [0_u64; 0]);
    let code = ClaimCode::parse(sold.ticket.claim_code.as_deref().unwrap()).unwrap();
    let made = |log_size, log_root| {
        let number = code.control_number;
        let whole = central
            .keys
            .whole_code(1, &central.house_code, &number, 1, (log_size, log_root))
            .unwrap();
        ClaimCode {
            log_size,
            log_root,
            mark: whole.mark,
            ..code.clone()
        }
        .text()
    };
    // Another root at a size that the log has, and a size that it has not reached.
    for (size, root) in [(2, [7; 32]), (1_000_000, code.log_root)] {
        let checked = house.check(&clerk, &made(size, root)).await;
        assert_eq!(checked.verdict.code, "not_yet_drawn");
    }
    assert_eq!(house.app.papers.judged(), [2, 1_000_000]);
}

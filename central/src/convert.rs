//! Between what travels and what the service knows: written out, field by field.
//!
//! Nothing here decides.

mod reply;

pub use reply::{
    Said, Secret, bare_check_reply, cancel_reply, check_reply, draw_time, draw_view,
    lost_refund_reply, pay_reply, presentation_reply, price_reply, sell_reply, tender_name,
    ticket_draw_view, ticket_view, till_count_reply, till_movement_kind, till_movement_reply,
    with_refusal,
};
pub(crate) use reply::{numbers_of, terminal_name, verdict_view};

use keno_game::ControlNumber;
use keno_service::claim::{Paper, number_refusal};
use keno_service::refusal::Refusal;
use keno_service::sell::{SellOrder, SlipOrder};
use keno_wire::claim_code::{ClaimCode, ClaimCodeFault};
use keno_wire::request;

/// A slip with its first draw.
///
/// # Errors
/// [`Refusal::Slip`] for a type of selection that no house has, or numbers beside a quick pick.
pub fn slip_order(slip: &request::Slip) -> Result<SlipOrder, Refusal> {
    let first_draw = slip.first_draw;
    let slip = keno_wire::slip::slip(slip).map_err(|refusal| Refusal::Slip { refusal })?;
    Ok(SlipOrder { slip, first_draw })
}

/// A sale.
///
/// # Errors
/// As [`slip_order`].
pub fn sell_order(asked: &request::SellRequest) -> Result<SellOrder, Refusal> {
    Ok(SellOrder {
        counter: asked.key.counter,
        session: asked.key.session,
        order: slip_order(&asked.slip)?,
        tender: asked.tender.clone(),
        received_cents: asked.received_cents,
        total_cents: asked.total_cents,
        intake: asked.intake.clone(),
        replay_of: asked.replay_of,
    })
}

/// Reads a scanned claim code or a typed control number.
///
/// # Errors
/// [`Refusal::CodeUnreadable`] or [`Refusal::NumberMistyped`].
pub fn paper(code: &str) -> Result<Paper, Refusal> {
    let code = code.trim();
    if !ClaimCode::looks_like(code) {
        return Ok(Paper {
            number: ControlNumber::parse(code).map_err(number_refusal)?,
            claim: None,
        });
    }
    let read = ClaimCode::parse(code).map_err(|fault| match fault {
        ClaimCodeFault::CheckDigits => Refusal::NumberMistyped,
        ClaimCodeFault::Prefix | ClaimCodeFault::Length | ClaimCodeFault::Character => {
            Refusal::CodeUnreadable
        }
    })?;
    let secret = printed_secret_of(&read.secret).ok_or(Refusal::CodeUnreadable)?;
    Ok(Paper {
        number: read.control_number,
        claim: Some((read.copy, secret)),
    })
}

/// The alphabet of the printed secret (`keno_wire::claim_code`): Crockford's base 32.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The 100 bits of a printed secret in 13 bytes, the last four bits zero; `None` for another
/// length or a letter that is not of the alphabet.
fn printed_secret_of(text: &str) -> Option<[u8; 13]> {
    const CHARACTERS: usize = keno_wire::claim_code::SECRET_BITS / 5;
    if text.len() != CHARACTERS {
        return None;
    }
    let mut secret = [0_u8; 13];
    for (position, character) in text.bytes().enumerate() {
        let value = ALPHABET.iter().position(|&letter| letter == character)?;
        for bit in (0..5).filter(|bit| value & (0x10 >> bit) != 0) {
            let at = position * 5 + bit;
            *secret.get_mut(at / 8)? |= 0x80 >> (at % 8);
        }
    }
    Some(secret)
}

#[cfg(test)]
mod tests {
    use keno_game::Pick;
    use keno_service::claim::printed_secret;
    use keno_wire::claim_code::secret_text;

    use super::*;

    fn straight(numbers: &[i64]) -> request::Selection {
        request::Selection {
            game: "keno".to_owned(),
            kind: "straight".to_owned(),
            numbers: numbers.to_vec(),
            groups: Vec::new(),
            kings: Vec::new(),
            quick_pick: None,
            wager_cents: Some(100),
            ways: Vec::new(),
        }
    }

    #[test]
    fn the_printed_secret_reads_back_bit_for_bit() {
        for seed in 0..=255_u8 {
            let mac: [u8; 32] =
                std::array::from_fn(|at| seed.wrapping_mul(31).wrapping_add(at as u8 * 7));
            assert_eq!(
                printed_secret_of(&secret_text(&mac)),
                Some(printed_secret(&mac))
            );
        }
        assert_eq!(
            printed_secret_of(&secret_text(&[0xFF; 32])),
            Some(printed_secret(&[0xFF; 32]))
        );
    }

    #[test]
    fn a_changed_letter_of_the_secret_is_another_secret_and_a_foreign_one_is_none() {
        let text = secret_text(&[0xA5; 32]);
        for at in 0..text.len() {
            let mut changed = text.clone();
            let other = if text[at..].starts_with('0') {
                "1"
            } else {
                "0"
            };
            changed.replace_range(at..=at, other);
            assert_ne!(printed_secret_of(&changed), printed_secret_of(&text));
            changed.replace_range(at..=at, "U");
            assert_eq!(printed_secret_of(&changed), None);
        }
        assert_eq!(printed_secret_of(&text[1..]), None);
    }

    #[test]
    fn a_code_is_read_whole_or_refused_by_name() {
        let code = ClaimCode {
            control_number: ControlNumber::parse("0731552890146663").unwrap(),
            copy: 2,
            secret: secret_text(&[0x5A; 32]),
            log_size: 12,
            log_root: [9; 32],
        };
        let read = paper(&code.text()).unwrap();
        assert_eq!(read.number, code.control_number);
        assert_eq!(read.claim, Some((2, printed_secret(&[0x5A; 32]))));
        assert_eq!(paper(" 0731 5528 9014 6663 ").unwrap().claim, None);
        assert_eq!(paper("0731552890146664"), Err(Refusal::NumberMistyped));
        assert_eq!(paper(&code.text()[..60]), Err(Refusal::CodeUnreadable));
        assert_eq!(paper("https://example.net"), Err(Refusal::CodeUnreadable));
    }

    #[test]
    fn a_number_that_does_not_fit_is_one_that_no_pool_has() {
        let slip = request::Slip {
            selections: vec![straight(&[-3, 7, 300])],
            draws: 70_000,
            first_draw: None,
        };
        let order = slip_order(&slip).unwrap();
        assert_eq!(order.slip.draws, u16::MAX);
        let Pick::Numbers { groups, .. } = &order.slip.selections[0].pick else {
            panic!("numbers were chosen");
        };
        assert_eq!(groups, &[vec![0, 7, 255]]);
    }

    #[test]
    fn numbers_beside_a_quick_pick_are_refused_and_not_dropped() {
        let both = request::Selection {
            quick_pick: Some(4),
            ..straight(&[1, 2])
        };
        let way = request::Selection {
            kind: "way".to_owned(),
            ..straight(&[1, 2])
        };
        let odd = request::Selection {
            kind: "double".to_owned(),
            ..straight(&[1])
        };
        for (selection, name) in [
            (both, "numbers_not_of_type"),
            (way, "numbers_not_of_type"),
            (odd, "unknown_type"),
        ] {
            let slip = request::Slip {
                selections: vec![straight(&[1]), selection],
                draws: 1,
                first_draw: None,
            };
            let refusal = slip_order(&slip).unwrap_err();
            assert_eq!((refusal.name(), refusal.selection()), (name, Some(1)));
        }
    }
}

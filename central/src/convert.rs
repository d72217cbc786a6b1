//! Between what travels and what the service knows: written out, field by field.
//!
//! Nothing here decides.

mod check;
mod files;
mod reply;
mod tills;

use keno_game::ControlNumber;
use keno_record::paper_code::{Shown, WholeCode};
use keno_record::roles::Role;
use keno_service::Central;
use keno_service::counter::{Named, Paper, SellOrder, SlipOrder};
use keno_service::refusal::Refusal;
use keno_wire::claim_code::{ClaimCodeFault, PaperCode, file_code, reference};
use keno_wire::request;

pub(crate) use check::verdict_view;
pub use check::{
    at_a_counter, bare_check_reply, check_reply, presentation_reply, ticket_draw_view,
};
pub use files::{file_view, fragment, reading};
pub use reply::{
    Said, Secret, cancel_reply, draw_time, draw_view, price_reply, sell_reply, tender_name,
    ticket_reference, ticket_view, time_of, without_paper,
};
pub(crate) use reply::{numbers_of, terminal_name, ticket_state};
pub use tills::{
    lost_refund_reply, pay_reply, till_count_reply, till_movement_kind, till_movement_reply,
};

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
        tender: asked.tender.to_string(),
        received_cents: asked.received_cents,
        total_cents: asked.total_cents,
        intake: asked.intake.to_string(),
        replay_of: asked.replay_of,
    })
}

/// Reads what was scanned or typed of a paper, and judges its claim by the keys alone: before any
/// limit, and before the record is looked at.
///
/// # Errors
/// [`Refusal::CodeUnreadable`] or [`Refusal::NumberMistyped`]; [`Refusal::ClaimCodeNeeded`] for a leaf
/// or a file, by which this is not done.
pub fn paper(central: &Central, code: &str) -> Result<Paper, Refusal> {
    // What stands for a paper elsewhere is none: this is not done without the code.
    if code.trim_start().starts_with('#') {
        return Err(Refusal::ClaimCodeNeeded);
    }
    let (number, shown) = shown(code)?;
    Ok(Paper::shown(central, number, &shown))
}

/// A ticket as two people name it: by its paper, its number, or its leaf.
///
/// # Errors
/// As [`paper`].
pub fn named(central: &Central, code: &str) -> Result<Named, Refusal> {
    if let Some((file, secret)) = file_code(code) {
        return Ok(Named::by_receipt(central, file, &secret));
    }
    match reference(code) {
        Some(leaf) => Ok(Named::Reference(leaf)),
        None => paper(central, code).map(Named::Paper),
    }
}

/// What was scanned or typed of a paper, as yet judged by nobody.
///
/// # Errors
/// As [`paper`].
pub fn shown(code: &str) -> Result<(ControlNumber, Shown), Refusal> {
    let read = PaperCode::parse(code).map_err(|fault| match fault {
        ClaimCodeFault::CheckDigits | ClaimCodeFault::CheckSigns => Refusal::NumberMistyped,
        ClaimCodeFault::Prefix | ClaimCodeFault::Length | ClaimCodeFault::Character => {
            Refusal::CodeUnreadable
        }
    })?;
    let shown = match &read {
        PaperCode::Number(_) => Shown::Number,
        PaperCode::Typed { secret, .. } => Shown::Secret(*secret),
        PaperCode::Scanned(code) => Shown::Whole(WholeCode {
            copy: code.copy,
            secret: code.secret,
            log_size: code.log_size,
            log_root: code.log_root,
            mark: code.mark,
        }),
    };
    Ok((read.control_number(), shown))
}

/// Names of role numbers.
pub fn role_names(numbers: &[u8]) -> Vec<String> {
    Role::ALL
        .into_iter()
        .filter(|role| numbers.contains(&role.number()))
        .map(|role| role.name().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use keno_game::Pick;
    use keno_wire::claim_code::{ClaimCode, secret_in_groups};

    use super::*;

    fn straight(numbers: &[i64]) -> request::Selection {
        request::Selection {
            game: "keno".to_owned(),
            kind: "straight".into(),
            numbers: numbers.to_vec(),
            groups: Vec::new(),
            kings: Vec::new(),
            quick_pick: None,
            wager_cents: Some(100),
            ways: Vec::new(),
        }
    }

    #[test]
    fn a_code_is_read_whole_or_refused_by_name() {
        let mut secret = [0x5A; 12];
        secret[11] &= 0xC0;
        let code = ClaimCode {
            control_number: ControlNumber::parse("0731552890146663").unwrap(),
            copy: 2,
            secret,
            log_size: 12,
            log_root: [9; 32],
            mark: [7; 10],
        };
        let whole = WholeCode {
            copy: 2,
            secret,
            log_size: 12,
            log_root: [9; 32],
            mark: [7; 10],
        };
        let number = code.control_number;
        let signs = secret_in_groups(&secret);
        let is = |text: &str, wanted: Shown| assert!(shown(text) == Ok((number, wanted)), "{text}");
        is(&code.text(), Shown::Whole(whole));
        is(&format!("{number} {signs}"), Shown::Secret(secret));
        is(" 0731 5528 9014 6663 ", Shown::Number);
        let refused = |text: &str| shown(text).err();
        let swapped = format!("{number} {}{}", &signs[1..2], &signs[..1]) + &signs[2..];
        assert_eq!(refused(&swapped), Some(Refusal::NumberMistyped));
        assert_eq!(refused("0731552890146664"), Some(Refusal::NumberMistyped));
        assert_eq!(refused(&code.text()[..60]), Some(Refusal::CodeUnreadable));
        assert_eq!(
            refused("https://example.net"),
            Some(Refusal::CodeUnreadable)
        );
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
            kind: "way".into(),
            ..straight(&[1, 2])
        };
        let odd = request::Selection {
            kind: "double".into(),
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

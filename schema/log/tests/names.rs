//! What a fact names is what its body says, and its cash is what a till moves by.

use keno_log::event::{PaidItem, PaymentReversed, PrizePaid, TillMoved};
use keno_log::{CommandKey, Event, EventKind};

const KEY: CommandKey = CommandKey {
    device: 7,
    session: 3,
    counter: 9,
};

fn paid(tender: u8, second: Option<&str>) -> Event {
    PrizePaid {
        ticket: 41,
        key: KEY,
        content_hash: [5; 32],
        items: vec![PaidItem {
            draw: 2,
            kind: 1,
            amount_cents: 1_003,
        }],
        total_cents: 1_003,
        tender,
        rounding_cents: if tender == 1 { 2 } else { 0 },
        path: 1,
        badge: "C1".to_owned(),
        second: second.map(str::to_owned),
        shift: 8,
    }
    .into()
}

fn moved(kind: u8) -> Event {
    TillMoved {
        shift: 8,
        key: KEY,
        content_hash: [5; 32],
        kind,
        amount_cents: 10_000,
        by: "S1".to_owned(),
        second: "C1".to_owned(),
    }
    .into()
}

#[test]
fn ticket_key_till_and_people_are_named() {
    let event = paid(1, Some("S1"));
    let names = event.names();
    assert_eq!((names.ticket, names.shift), (Some(41), Some(8)));
    assert_eq!((names.key, names.content), (Some(KEY), Some([5; 32])));
    assert_eq!(names.badges().collect::<Vec<_>>(), ["C1", "S1"]);
    assert_eq!(paid(1, None).names().badges().collect::<Vec<_>>(), ["C1"]);
    assert_eq!((names.draw, event.draw()), (None, 0));
}

#[test]
fn cash_alone_moves_in_a_till_with_what_is_rounded() {
    assert_eq!(paid(1, None).cash(), Some((8, -1_005)));
    assert_eq!(paid(2, None).cash(), None);
    assert_eq!(paid(2, None).names().amount_cents(), Some(-1_003));
    assert_eq!(moved(1).cash(), Some((8, 10_000)));
    assert_eq!(moved(2).cash(), Some((8, -10_000)));
    let undone = PaymentReversed {
        payment: 50,
        ticket: 41,
        reason: "parti".to_owned(),
        by: "C1".to_owned(),
        second: "S1".to_owned(),
        shift: 8,
        cash_cents: 1_005,
    };
    assert_eq!(Event::from(undone).cash(), Some((8, 1_005)));
}

#[test]
fn kinds_ascend_and_each_name_is_of_a_field() {
    assert!(EventKind::ALL.is_sorted());
    for kind in EventKind::ALL {
        let fields: Vec<&str> = kind.fields().iter().map(|field| field.name).collect();
        for (part, field) in kind.parts() {
            let field = field.split('.').next().unwrap_or_default();
            assert!(fields.contains(&field), "{kind:?}: {part} is {field}");
        }
    }
}

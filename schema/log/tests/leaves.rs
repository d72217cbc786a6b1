//! The golden leaves, made from `FORMAT.md` by a program that shares no code with this crate.

use keno_log::leaf::{Entry, EntryFault, body_commitment};
use keno_log::{DecodeFault, Event, EventKind, Leaf, RetiredKind};

struct Golden {
    kind: EventKind,
    body: Vec<u8>,
    nonce: [u8; 32],
    leaf: Vec<u8>,
    leaf_hash: Vec<u8>,
}

fn bytes(text: &str) -> Vec<u8> {
    assert_eq!(text.len() % 2, 0);
    (0..text.len() / 2)
        .map(|at| {
            u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap_or_else(|_| panic!("{text}"))
        })
        .collect()
}

fn golden() -> Vec<Golden> {
    include_str!("../vectors/leaves.txt")
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let [number, name, body, nonce, leaf, leaf_hash] = words[..] else {
                panic!("not six words: {line}");
            };
            let kind = number
                .parse()
                .ok()
                .and_then(EventKind::from_number)
                .unwrap_or_else(|| panic!("kind {number} is unknown"));
            assert_eq!(kind.name(), name);
            Golden {
                kind,
                body: bytes(body),
                nonce: bytes(nonce).try_into().unwrap_or([0; 32]),
                leaf: bytes(leaf),
                leaf_hash: bytes(leaf_hash),
            }
        })
        .collect()
}

#[test]
fn every_kind_has_a_golden_leaf_and_reads_back_to_the_same_bytes() {
    let all = golden();
    assert_eq!(
        all.iter().map(|one| one.kind).collect::<Vec<_>>(),
        EventKind::ALL
    );
    for one in all {
        let name = one.kind.name();
        let event =
            Event::decode(one.kind, &one.body).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(event.kind(), one.kind);
        assert_eq!(event.encode(), one.body, "{name}");
        let leaf = Leaf::from_bytes(&one.leaf).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(leaf.to_bytes(), one.leaf, "{name}");
        assert_eq!(leaf.hash().as_slice(), one.leaf_hash, "{name}");
        assert_eq!(
            leaf.commitment,
            body_commitment(&one.nonce, &one.body),
            "{name}"
        );
        let entry = Entry {
            leaf,
            nonce: one.nonce,
            body: one.body,
        };
        assert_eq!(entry.event(), Ok(event), "{name}");
    }
}

#[test]
fn a_body_cut_short_lengthened_or_changed_is_refused() {
    for one in golden() {
        let name = one.kind.name();
        for length in 0..one.body.len() {
            assert!(
                Event::decode(one.kind, &one.body[..length]).is_err(),
                "{name} cut at {length}"
            );
        }
        let mut longer = one.body.clone();
        longer.push(0);
        assert!(Event::decode(one.kind, &longer).is_err(), "{name}");
        let leaf = Leaf::from_bytes(&one.leaf).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        for at in 0..one.body.len() {
            let mut changed = one.body.clone();
            changed[at] ^= 1;
            let entry = Entry {
                leaf,
                nonce: one.nonce,
                body: changed,
            };
            assert_eq!(
                entry.event(),
                Err(EntryFault::Commitment),
                "{name} byte {at}"
            );
        }
    }
}

#[test]
fn what_was_added_to_a_body_is_said_whole_or_not_at_all() {
    let one = golden()
        .into_iter()
        .find(|one| one.kind == EventKind::TicketCancelled);
    let Some(Golden { kind, body, .. }) = one else {
        panic!("no golden cancellation")
    };
    let decoded = |added: &[u8]| Event::decode(kind, &[&body[..], added].concat());
    let Ok(Event::TicketCancelled(of_before)) = decoded(&[]) else {
        panic!("a body of before")
    };
    assert_eq!((of_before.on, of_before.second.as_deref()), (0, None));
    for (on, second, added) in [
        (1, None, &[1, 0][..]),
        (2, Some("S1"), &[2, 1, 0, 0, 0, 2, b'S', b'1']),
    ] {
        let Ok(Event::TicketCancelled(read)) = decoded(added) else {
            panic!("{added:?}")
        };
        assert_eq!((read.on, read.second.as_deref()), (on, second));
        let written = Event::TicketCancelled(read).encode();
        assert_eq!(written, [&body[..], added].concat());
    }
    // One fact has one body: nothing said of what was added has no bytes at all.
    assert_eq!(decoded(&[0, 0]), Err(DecodeFault::Trailing(2)));
    assert_eq!(decoded(&[1]), Err(DecodeFault::Short("u8")));
}

#[test]
fn a_leaf_of_another_length_version_or_kind_is_refused() {
    let one = &golden()[0];
    for length in 0..one.leaf.len() {
        assert!(Leaf::from_bytes(&one.leaf[..length]).is_err());
    }
    for (at, value) in [(0, 0), (0, 1), (0, 2), (0, 3), (0, 5), (1, 0), (1, 9 + 200)] {
        let mut changed = one.leaf.clone();
        changed[at] = value;
        assert!(Leaf::from_bytes(&changed).is_err(), "byte {at} = {value}");
    }
}

#[test]
fn a_kind_of_an_earlier_version_is_told_from_one_that_never_was() {
    let Some(one) = golden().into_iter().next() else {
        panic!("no golden leaf")
    };
    for number in 0..=u8::MAX {
        let mut bytes = one.leaf.clone();
        bytes[1] = number;
        let found = Leaf::from_bytes(&bytes).map(|leaf| leaf.header.kind);
        let expected = match (EventKind::from_number(number), number) {
            (Some(kind), _) => Ok(kind),
            (None, 70) => Err(DecodeFault::Retired {
                number,
                name: "SecretEscrowed",
            }),
            (None, _) => Err(DecodeFault::Kind(number)),
        };
        assert_eq!(found, expected);
        let retired = RetiredKind::from_number(number);
        assert_eq!(
            retired.map(RetiredKind::number),
            (number == 70).then_some(70)
        );
    }
}

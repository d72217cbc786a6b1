//! Signed notes and checkpoints: published vectors, and what is refused.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a failed helper is a failed test

use base64::Engine;
use keno_log::checkpoint::note::{NOTE_BYTES_MAX, SIGNATURES_MAX};
use keno_log::checkpoint::{
    Checkpoint, KeyFault, Note, NoteFault, SignatureLine, SigningKey, VerifyingKey, open,
    open_from, sign,
};
use keno_log::hash::{EMPTY_ROOT, sha256};
use keno_log::tree::root_of;

const HOUSE_VECTOR: &str = include_str!("../vectors/house-checkpoint.txt");
const NOTE_VECTORS: &str = include_str!("../vectors/signed-note.txt");
const CHECKPOINT_VECTOR: &str = include_str!("../vectors/checkpoint.txt");

/// The rest of each line of the note vectors that begins with `kind`.
fn vectors(kind: &str) -> Vec<&'static str> {
    NOTE_VECTORS
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, rest)| (name == kind).then_some(rest))
        .collect()
}

fn published_text() -> String {
    vectors("text").join("\n") + "\n"
}

/// `PRIVATE+KEY+name+id+base64(0x01 ‖ seed)`, as the published library writes it.
fn published_key() -> SigningKey {
    let parts: Vec<&str> = vectors("secret")[0].splitn(5, '+').collect();
    let key = base64::engine::general_purpose::STANDARD
        .decode(parts[4])
        .unwrap();
    SigningKey::from_seed(parts[2], key[1..].try_into().unwrap()).unwrap()
}

fn house_key() -> SigningKey {
    SigningKey::from_seed("boulier.example/log/1", &[7; 32]).unwrap()
}

fn house_checkpoint() -> Checkpoint {
    Checkpoint::new("boulier.example/log/1", 20_852_163, sha256(b"root"))
}

#[test]
fn the_published_note_is_signed_byte_for_byte() {
    let key = published_key();
    assert_eq!((key.name(), key.key_id()), ("PeterNeumann", 0xc74f_20a3));
    assert_eq!(key.verifying_key().to_string(), vectors("verifier")[0]);

    let text = published_text();
    let note = Note::sign(&text, &key).unwrap();
    let expected = format!("{text}\n{}\n", vectors("signature")[0]);
    assert_eq!(note.to_string(), expected);
    assert_eq!(Note::parse(&expected), Ok(note));
}

#[test]
fn both_published_signatures_verify_and_come_back_unchanged() {
    let text = published_text();
    let whole = format!("{text}\n{}\n", vectors("signature").join("\n"));
    let note = Note::parse(&whole).unwrap();
    assert_eq!(note.to_string(), whole);
    assert_eq!(note.text(), text);
    assert_eq!(note.signatures().len(), 2);
    for vkey in vectors("verifier") {
        let key = VerifyingKey::parse(vkey).unwrap();
        assert_eq!(key.to_string(), vkey);
        assert_eq!(vkey.parse(), Ok(key.clone()));
        assert_eq!(note.verify(&key), Ok(()));
    }
    assert_eq!(
        note.verify(house_key().verifying_key()),
        Err(NoteFault::NotSigned)
    );
}

#[test]
fn every_flipped_bit_of_text_or_signature_is_refused() {
    let key = published_key();
    let note = Note::sign(&published_text(), &key).unwrap().to_string();
    for at in 0..note.len() {
        for bit in 0..8 {
            let mut bytes = note.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let Ok(wrong) = String::from_utf8(bytes) else {
                continue;
            };
            let verdict = Note::parse(&wrong).and_then(|note| note.verify(key.verifying_key()));
            assert!(verdict.is_err(), "byte {at}, bit {bit}: {wrong}");
        }
    }
    for length in (0..note.len()).filter(|length| note.is_char_boundary(*length)) {
        let verdict =
            Note::parse(&note[..length]).and_then(|note| note.verify(key.verifying_key()));
        assert!(verdict.is_err(), "cut to {length}");
    }
}

#[test]
fn signatures_of_others_are_ignored_but_a_forged_one_of_ours_is_not() {
    let key = published_key();
    let verifying = key.verifying_key();
    let note = Note::sign(&published_text(), &key).unwrap();
    let ours = &note.signatures()[0];
    let witness = Note::sign(&published_text(), &house_key()).unwrap();

    let mut cosigned = note.clone();
    cosigned.add(witness.signatures()[0].clone()).unwrap();
    cosigned.add(witness.signatures()[0].clone()).unwrap();
    assert_eq!(cosigned.signatures().len(), 2);
    assert_eq!(cosigned.verify(verifying), Ok(()));
    assert_eq!(Note::parse(&cosigned.to_string()), Ok(cosigned.clone()));

    // Our name with another id, and our id with another name, are other keys.
    let encoded = ours.to_string();
    let (head, base64) = encoded.rsplit_once(' ').unwrap();
    assert_eq!(head, "— PeterNeumann");
    let other_name = SignatureLine::parse(&format!("— PeterNewmann {base64}")).unwrap();
    let other_id = SignatureLine::parse(&format!("{head} AAAA{}", &base64[4..])).unwrap();
    assert_eq!(other_name.key_id(), ours.key_id());
    assert_eq!(other_id.name(), ours.name());
    let mut with_others = note.clone();
    with_others.add(other_name.clone()).unwrap();
    with_others.add(other_id.clone()).unwrap();
    assert_eq!(with_others.verify(verifying), Ok(()));
    for line in [other_name, other_id] {
        let alone = Note::parse(&format!("{}\n{line}\n", published_text())).unwrap();
        assert_eq!(alone.verify(verifying), Err(NoteFault::NotSigned));
    }

    // A good signature does not excuse a bad one in the same key's name.
    let forged = Note::sign("another text\n", &key).unwrap().signatures()[0].clone();
    let mut with_forged = note;
    with_forged.add(forged).unwrap();
    assert_eq!(
        with_forged.verify(verifying),
        Err(NoteFault::SignatureInvalid)
    );
    // A signature of another length in our name is not ours.
    let cut = SignatureLine::parse("— PeterNeumann x08gowE=").unwrap();
    assert_eq!(cut.key_id(), verifying.key_id());
    let cut = Note::parse(&format!("{}\n{cut}\n", published_text())).unwrap();
    assert_eq!(cut.verify(verifying), Err(NoteFault::SignatureInvalid));
}

#[test]
fn a_note_of_the_wrong_form_is_refused() {
    let line = vectors("signature")[0];
    let many = format!("text\n\n{}", format!("{line}\n").repeat(SIGNATURES_MAX + 1));
    let long = format!("{}\n\n{line}\n", "x".repeat(NOTE_BYTES_MAX));
    for (note, fault) in [
        (long, NoteFault::TooLong),
        (format!("te\rxt\n\n{line}\n"), NoteFault::ControlCharacter),
        (format!("te\0xt\n\n{line}\n"), NoteFault::ControlCharacter),
        (String::new(), NoteFault::NotEnded),
        (format!("text\n\n{line}"), NoteFault::NotEnded),
        (format!("text\n{line}\n"), NoteFault::NotDivided),
        ("text\n\n".to_owned(), NoteFault::NotDivided),
        (format!("text\n\n{line}\n\n"), NoteFault::NotDivided),
        (many, NoteFault::TooManySignatures),
        (
            format!("text\n\nno signature\n{line}\n"),
            NoteFault::SignatureMalformed,
        ),
        (
            format!("text\n\n-{}\n", &line[3..]),
            NoteFault::SignatureMalformed,
        ),
        (format!("text\n\n{line} \n"), NoteFault::SignatureMalformed),
        (
            format!("text\n\n{}\n", line.replace(' ', "\u{a0}")),
            NoteFault::SignatureMalformed,
        ),
        (
            format!("text\n\n{}\n", line.replace("M=", "N=")),
            NoteFault::SignatureMalformed,
        ),
        (
            format!("text\n\n{}\n", line.replace('=', "")),
            NoteFault::SignatureMalformed,
        ),
        (
            "text\n\n— a+b AAAAAAA=\n".to_owned(),
            NoteFault::SignatureMalformed,
        ),
        (
            "text\n\n—  AAAAAAA=\n".to_owned(),
            NoteFault::SignatureMalformed,
        ),
        (
            "text\n\n— a AAAAAA==\n".to_owned(),
            NoteFault::SignatureMalformed,
        ),
    ] {
        assert_eq!(
            Note::parse(&note),
            Err(fault),
            "{}",
            &note[..note.len().min(200)]
        );
    }
    let most = format!("text\n\n{}", format!("{line}\n").repeat(SIGNATURES_MAX));
    let mut most = Note::parse(&most).unwrap();
    let one_more = SignatureLine::parse(vectors("signature")[1]).unwrap();
    assert_eq!(most.add(one_more), Err(NoteFault::TooManySignatures));

    let key = house_key();
    assert_eq!(Note::sign("no newline", &key), Err(NoteFault::NotEnded));
    assert_eq!(Note::sign("a\tb\n", &key), Err(NoteFault::ControlCharacter));
    let long = "x".repeat(NOTE_BYTES_MAX - 10) + "\n";
    assert_eq!(Note::sign(&long, &key), Err(NoteFault::TooLong));
    // The last empty line divides: a text may have empty lines of its own.
    let note = Note::sign("one\n\ntwo\n\n", &key).unwrap();
    assert_eq!(
        Note::parse(&note.to_string()).unwrap().text(),
        "one\n\ntwo\n\n"
    );
}

#[test]
fn keys_of_the_wrong_form_are_refused() {
    for (text, fault) in [
        ("", KeyFault::Malformed),
        ("PeterNeumann+c74f20a3", KeyFault::Malformed),
        ("+c74f20a3+ARpc", KeyFault::NameInvalid),
        ("Peter Neumann+c74f20a3+ARpc", KeyFault::NameInvalid),
        ("Peter\u{2003}Neumann+c74f20a3+ARpc", KeyFault::NameInvalid),
        ("PeterNeumann+C74F20A3+ARpc", KeyFault::IdInvalid),
        ("PeterNeumann+c74f20a+ARpc", KeyFault::IdInvalid),
        ("PeterNeumann++c74f20a+ARpc", KeyFault::IdInvalid),
        ("PeterNeumann+c74f20a3+ARpc", KeyFault::KeyInvalid),
        ("PeterNeumann+c74f20a3+", KeyFault::KeyInvalid),
        (
            "PeterNeumann+c74f20a3+Ahpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
            KeyFault::OtherType,
        ),
        // The point of order one: it would verify what nobody signed.
        (
            "PeterNeumann+c74f20a3+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            KeyFault::PointInvalid,
        ),
        (
            "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
            KeyFault::IdMismatch,
        ),
        (
            "PeterNewmann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
            KeyFault::IdMismatch,
        ),
    ] {
        assert_eq!(VerifyingKey::parse(text), Err(fault), "{text}");
    }
    let name_with_plus = SigningKey::from_seed("a+b", &[1; 32]).map(|key| key.key_id());
    assert_eq!(name_with_plus, Err(KeyFault::NameInvalid));
}

#[test]
fn a_key_has_one_encoding() {
    let mut read_by_the_library = 0;
    // Every y from the prime 2^255 - 19 to 2^255 - 1, with either sign of x.
    for (lowest, highest) in (0xed..=0xff).flat_map(|low| [(low, 0x7f), (low, 0xff)]) {
        let mut bytes = [0xff; 32];
        (bytes[0], bytes[31]) = (lowest, highest);
        let key = ed25519_dalek::VerifyingKey::from_bytes(&bytes);
        read_by_the_library += usize::from(key.is_ok_and(|key| !key.is_weak()));
        let refused = VerifyingKey::from_bytes("house", &bytes);
        assert_eq!(refused, Err(KeyFault::PointInvalid), "{lowest:x}");
    }
    assert!(read_by_the_library > 0);
}

#[test]
fn a_signing_key_shows_no_secret() {
    let shown = format!("{:?}", published_key());
    assert!(shown.contains("PeterNeumann"));
    let secret = vectors("secret")[0];
    assert!(!shown.contains(&secret[secret.len() - 20..]));
    // The seed's bytes, as an array would be shown.
    assert!(
        !shown.contains("129, 10, 20") && !shown.contains("10, 20, 2, 213"),
        "{shown}"
    );
}

#[test]
fn the_published_checkpoint_is_read_and_printed_byte_for_byte() {
    let note = Note::parse(CHECKPOINT_VECTOR).unwrap();
    assert_eq!(note.to_string(), CHECKPOINT_VECTOR);
    let checkpoint = Checkpoint::from_body(note.text()).unwrap();
    assert_eq!(checkpoint.origin, "example.com/behind-the-sofa");
    assert_eq!(checkpoint.size, 20_852_163);
    assert_eq!(checkpoint.root[..4], [0x0a, 0xc5, 0x18, 0x6a]);
    assert!(checkpoint.extensions.is_empty());
    assert_eq!(checkpoint.body().unwrap(), note.text());
    // Its key is not published; with any other it is not signed.
    assert_eq!(
        open(CHECKPOINT_VECTOR, house_key().verifying_key()),
        Err(NoteFault::NotSigned)
    );
}

/// Frozen: a change here is a change of the format. Ed25519 has one signature
/// for each key and text (RFC 8032), so the whole note can be compared.
#[test]
fn a_checkpoint_signed_by_the_published_key_is_frozen() {
    let checkpoint = Checkpoint::new("boulier.example/log/1", 0, EMPTY_ROOT);
    let note = sign(&checkpoint, &published_key()).unwrap();
    let (body, signature) = note.split_once("\n\n").unwrap();
    assert_eq!(
        body,
        "boulier.example/log/1\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    );
    assert_eq!(
        signature,
        "— PeterNeumann x08go+6c3CX/08Q2XPPbzbIy1rBK/VLmbC6opAiiRsfB/RO2jTN4hUXdpSXpNDw018/DdC9wO7OKyIyvUgq0en57jg4=\n"
    );
    assert_eq!(open(&note, published_key().verifying_key()), Ok(checkpoint));
}

#[test]
fn a_signed_checkpoint_opens_with_its_key_and_origin_only() {
    let (key, checkpoint) = (house_key(), house_checkpoint());
    let note = sign(&checkpoint, &key).unwrap();
    assert_eq!(open(&note, key.verifying_key()), Ok(checkpoint.clone()));
    assert_eq!(
        open_from(&note, "boulier.example/log/1", key.verifying_key()),
        Ok(checkpoint.clone())
    );
    // The next epoch of the same log is another log.
    assert_eq!(
        open_from(&note, "boulier.example/log/2", key.verifying_key()),
        Err(NoteFault::OtherOrigin)
    );
    let namesake = SigningKey::from_seed(key.name(), &[8; 32]).unwrap();
    assert_eq!(
        open(&note, namesake.verifying_key()),
        Err(NoteFault::NotSigned)
    );
    let larger = note.replace("20852163", "20852164");
    assert_eq!(
        open(&larger, key.verifying_key()),
        Err(NoteFault::SignatureInvalid)
    );

    let extended = Checkpoint {
        extensions: vec!["first".to_owned(), "— second".to_owned()],
        ..checkpoint
    };
    let note = sign(&extended, &key).unwrap();
    assert_eq!(open(&note, key.verifying_key()), Ok(extended));
}

#[test]
fn a_body_in_another_spelling_is_refused_even_if_signed() {
    let root = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    let key = house_key();
    for (body, fault) in [
        (String::new(), NoteFault::NotEnded),
        (format!("log\n0\n{root}"), NoteFault::NotEnded),
        ("\n".to_owned(), NoteFault::SizeInvalid),
        (format!("\n0\n{root}\n"), NoteFault::OriginInvalid),
        ("log\n".to_owned(), NoteFault::SizeInvalid),
        (format!("log\n\n{root}\n"), NoteFault::SizeInvalid),
        (format!("log\n01\n{root}\n"), NoteFault::SizeInvalid),
        (format!("log\n+1\n{root}\n"), NoteFault::SizeInvalid),
        (format!("log\n-1\n{root}\n"), NoteFault::SizeInvalid),
        (format!("log\n 1\n{root}\n"), NoteFault::SizeInvalid),
        (
            format!("log\n18446744073709551616\n{root}\n"),
            NoteFault::SizeInvalid,
        ),
        ("log\n1\n".to_owned(), NoteFault::RootInvalid),
        ("log\n1\nAAAA\n".to_owned(), NoteFault::RootInvalid),
        (
            format!("log\n1\n{}\n", root.replace('=', "")),
            NoteFault::RootInvalid,
        ),
        (
            format!("log\n1\n{}\n", root.replace("U=", "V=")),
            NoteFault::RootInvalid,
        ),
        (format!("log\n1\n{} \n", root), NoteFault::RootInvalid),
        (
            format!("log\n0\n{}\n", root.replace('4', "5")),
            NoteFault::RootInvalid,
        ),
        (format!("log\n1\n{root}\n\n"), NoteFault::ExtensionInvalid),
        (
            format!("log\n1\n{root}\n\nmore\n"),
            NoteFault::ExtensionInvalid,
        ),
    ] {
        assert_eq!(Checkpoint::from_body(&body), Err(fault), "{body:?}");
        if let Ok(note) = Note::sign(&body, &key) {
            let opened = open(&note.to_string(), key.verifying_key());
            assert_eq!(opened, Err(fault), "signed {body:?}");
        }
    }
}

#[test]
fn a_checkpoint_that_could_not_be_read_again_is_not_signed() {
    let key = house_key();
    let with = |origin: &str, extension: &str| Checkpoint {
        extensions: vec![extension.to_owned()],
        ..Checkpoint::new(origin, 1, sha256(b"root"))
    };
    for (checkpoint, fault) in [
        (with("", "line"), NoteFault::OriginInvalid),
        (with("two\nlines", "line"), NoteFault::OriginInvalid),
        (with("tab\t", "line"), NoteFault::OriginInvalid),
        (with("log", ""), NoteFault::ExtensionInvalid),
        (with("log", "two\nlines"), NoteFault::ExtensionInvalid),
        (
            Checkpoint::new("log", 0, sha256(b"root")),
            NoteFault::RootInvalid,
        ),
    ] {
        assert_eq!(checkpoint.body(), Err(fault), "{checkpoint:?}");
        assert_eq!(sign(&checkpoint, &key), Err(fault));
    }
}

/// A house's verifier key on the first line, then a checkpoint that it signed: made with the
/// seed of 32 bytes 5, over the first three leaves of `leaves.txt`.
#[test]
fn a_checkpoint_of_a_house_opens_with_its_key() {
    let key = SigningKey::from_seed("boulier/essai", &[5; 32]).unwrap();
    let leaves: Vec<[u8; 32]> = include_str!("../vectors/leaves.txt")
        .lines()
        .take(3)
        .map(|line| hash_of(line.rsplit(' ').next().unwrap()))
        .collect();
    let checkpoint = Checkpoint::new("boulier/essai", 3, root_of(&leaves));
    let made = format!(
        "{}\n{}",
        key.verifying_key(),
        sign(&checkpoint, &key).unwrap()
    );
    assert_eq!(made, HOUSE_VECTOR);
    let (key, note) = HOUSE_VECTOR.split_once('\n').unwrap();
    let key: VerifyingKey = key.parse().unwrap();
    assert_eq!(open_from(note, "boulier/essai", &key), Ok(checkpoint));
}

fn hash_of(text: &str) -> [u8; 32] {
    let byte = |at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap();
    std::array::from_fn(byte)
}

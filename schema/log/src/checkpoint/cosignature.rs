//! Cosignatures (C2SP tlog-cosignature, Ed25519): somebody beside the log says that this checkpoint
//! goes on from every one that they signed before.

use super::Checkpoint;
use super::key::{SigningKey, TYPE_COSIGNATURE, VerifyingKey, key_id_of};
use super::note::{Note, NoteFault, SignatureLine};

/// First line of what is signed.
const HEADER: &str = "cosignature/v1";
/// Bytes of the moment before the signature.
const MOMENT_BYTES: usize = 8;

fn message(text: &str, seconds: u64) -> String {
    format!("{HEADER}\ntime {seconds}\n{text}")
}

/// The cosignature of a checkpoint's text at a moment, in seconds since 1970.
///
/// Whoever signs must be sure never to have signed an inconsistent checkpoint.
///
/// # Errors
/// The first [`NoteFault`] of the checkpoint.
pub fn cosign(text: &str, seconds: u64, key: &SigningKey) -> Result<SignatureLine, NoteFault> {
    Checkpoint::from_body(text)?;
    let signature = key.signature_over(&message(text, seconds));
    let key_id = key_id_of(
        TYPE_COSIGNATURE,
        key.name(),
        &key.verifying_key().to_bytes(),
    );
    let moment = seconds.to_be_bytes();
    Ok(SignatureLine::new(
        key.name(),
        key_id,
        [moment.as_slice(), &signature].concat(),
    ))
}

/// When `key` cosigned a checkpoint, in seconds since 1970: the newest of its cosignatures.
///
/// # Errors
/// [`NoteFault::NotSigned`] where it did not, [`NoteFault::SignatureInvalid`] where one in its name
/// is not its own.
pub fn cosigned_at(note: &Note, key: &VerifyingKey) -> Result<u64, NoteFault> {
    let key_id = key_id_of(TYPE_COSIGNATURE, key.name(), &key.to_bytes());
    let lines = note.signatures().iter();
    let mut newest = None;
    for line in lines.filter(|line| line.name() == key.name() && line.key_id() == key_id) {
        let invalid = NoteFault::SignatureInvalid;
        let (moment, signature) = line
            .signature()
            .split_first_chunk::<MOMENT_BYTES>()
            .ok_or(invalid)?;
        let seconds = u64::from_be_bytes(*moment);
        if !key.has_signed(&message(note.text(), seconds), signature) {
            return Err(invalid);
        }
        newest = newest.max(Some(seconds));
    }
    newest.ok_or(NoteFault::NotSigned)
}

#[cfg(test)]
mod tests {
    use super::super::sign;
    use super::*;

    fn signed(seconds: u64) -> (Note, SigningKey) {
        let log = SigningKey::from_seed("boulier/maison", &[1; 32]).unwrap();
        let checkpoint = Checkpoint::new("boulier/maison", 7, [9; 32]);
        let mut note = Note::parse(&sign(&checkpoint, &log).unwrap()).unwrap();
        let key = SigningKey::from_seed("audit-office", &[2; 32]).unwrap();
        note.add(cosign(note.text(), seconds, &key).unwrap())
            .unwrap();
        (note, key)
    }

    #[test]
    fn a_cosignature_stands_in_the_note_and_holds() {
        let (note, key) = signed(1_679_315_147);
        let read = Note::parse(&note.to_string()).unwrap();
        assert_eq!(cosigned_at(&read, key.verifying_key()), Ok(1_679_315_147));
        // It is no signature of the note itself.
        assert_eq!(read.verify(key.verifying_key()), Err(NoteFault::NotSigned));
    }

    #[test]
    fn what_is_changed_does_not_hold() {
        let (note, key) = signed(5);
        for (from, to) in [("\n7\n", "\n8\n"), ("boulier/maison\n", "boulier/maisom\n")] {
            let other = Note::parse(&note.to_string().replacen(from, to, 1)).unwrap();
            let judged = cosigned_at(&other, key.verifying_key());
            assert_eq!(judged, Err(NoteFault::SignatureInvalid), "{from:?}");
        }
        let other = SigningKey::from_seed("audit-office", &[3; 32]).unwrap();
        let judged = cosigned_at(&note, other.verifying_key());
        assert_eq!(judged, Err(NoteFault::NotSigned));
        // The moment is signed too.
        let line = &note.signatures()[1];
        let mut bytes = line.signature().to_vec();
        bytes[7] ^= 1;
        let mut other = Note::parse(&note.to_string()).unwrap();
        other
            .add(SignatureLine::new(line.name(), line.key_id(), bytes))
            .unwrap();
        let judged = cosigned_at(&other, key.verifying_key());
        assert_eq!(judged, Err(NoteFault::SignatureInvalid));
    }

    /// Figures made by `vectors/make_cosignature.py`, which shares no code with this.
    #[test]
    fn the_line_is_that_of_the_specification() {
        let vector = include_str!("../../vectors/cosignature.txt");
        let mut lines = vector.lines();
        let (key, note) = (
            lines.next().unwrap(),
            lines.collect::<Vec<_>>().join("\n") + "\n",
        );
        let key = VerifyingKey::parse(key).unwrap();
        let note = Note::parse(&note).unwrap();
        assert_eq!(cosigned_at(&note, &key), Ok(1_679_315_147));
        let own = SigningKey::from_seed("audit-office", &[2; 32]).unwrap();
        let line = cosign(note.text(), 1_679_315_147, &own).unwrap();
        assert!(note.signatures().contains(&line), "{line}");
    }
}

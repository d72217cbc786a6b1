//! What a printer says back, told apart byte by byte.
//!
//! Three kinds of answers come over one wire, at any moment and in any order: one byte to a
//! `DLE EOT` (`0xx1xx10`), four bytes of automatic status that nobody asked for (the first
//! `0xx1xx00`, the others with bits 4 and 7 clear), and seven bytes when a job was printed
//! (`37h 22h d1-d4 00h`). What is none of them is noise, and never an answer.

/// Bits by which the first byte of an answer is known.
const KIND_MASK: u8 = 0b1001_0011;
const STATE_BITS: u8 = 0b0001_0010;
const AUTOMATIC_BITS: u8 = 0b0001_0000;
/// Bits that the later bytes of an automatic status do not have.
const AUTOMATIC_REST_MASK: u8 = 0b1001_0000;

/// Automatic states that may stand within one confirmation.
const INSERTED_MAX: u8 = 8;

/// An answer about the printer's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The byte of a `DLE EOT`.
    State(u8),
    /// Automatic status.
    Automatic([u8; 4]),
}

const fn is_state(byte: u8) -> bool {
    byte & KIND_MASK == STATE_BITS
}

/// The automatic status at the beginning of some bytes; `Err` when they end within what may
/// become one.
fn automatic(bytes: &[u8]) -> Result<Option<[u8; 4]>, ()> {
    let Some((first, rest)) = bytes.split_first() else {
        return Err(());
    };
    if first & KIND_MASK != AUTOMATIC_BITS {
        return Ok(None);
    }
    if rest
        .iter()
        .take(3)
        .any(|byte| byte & AUTOMATIC_REST_MASK != 0)
    {
        return Ok(None);
    }
    match rest {
        [a, b, c, ..] => Ok(Some([*first, *a, *b, *c])),
        _ => Err(()),
    }
}

/// Bytes of the confirmation at the beginning of some bytes, whole or broken off; `Err` when they
/// end within it.
fn confirmation_length(bytes: &[u8]) -> Result<usize, ()> {
    match bytes {
        [0x37] => Err(()),
        [0x37, 0x22, rest @ ..] => {
            let id = rest
                .iter()
                .take(4)
                .take_while(|byte| (32..=126).contains(*byte))
                .count();
            match rest.get(id) {
                None => Err(()),
                Some(0) => Ok(2 + id + 1),
                Some(_) => Ok(2 + id),
            }
        }
        _ => Ok(0),
    }
}

/// Tells answers about the state out of what comes in.
#[derive(Debug, Default)]
pub struct Reader {
    /// Bytes that may be the beginning of an answer.
    held: Vec<u8>,
}

impl Reader {
    /// Bytes came in; the answers that are whole now.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Answer> {
        self.held.extend_from_slice(bytes);
        let mut answers = Vec::new();
        let mut rest = self.held.as_slice();
        while let Some((&first, after)) = rest.split_first() {
            match confirmation_length(rest) {
                Err(()) => break,
                Ok(0) => {}
                Ok(length) => {
                    rest = rest.get(length..).unwrap_or_default();
                    continue;
                }
            }
            if is_state(first) {
                answers.push(Answer::State(first));
                rest = after;
                continue;
            }
            match automatic(rest) {
                Err(()) => break,
                Ok(Some(status)) => {
                    answers.push(Answer::Automatic(status));
                    rest = rest.get(4..).unwrap_or_default();
                }
                Ok(None) => rest = after,
            }
        }
        self.held = rest.to_vec();
        answers
    }
}

/// True when `bytes` begin with what is left of a confirmation, in which answers about the state
/// may stand.
fn goes_on(bytes: &[u8], expected: &[u8], inserted: u8) -> bool {
    let Some((wanted, later)) = expected.split_first() else {
        return true;
    };
    let Some((first, rest)) = bytes.split_first() else {
        return false;
    };
    if first == wanted && goes_on(rest, later, inserted) {
        return true;
    }
    if inserted == 0 {
        return false;
    }
    if is_state(*first) && goes_on(rest, expected, inserted - 1) {
        return true;
    }
    matches!(automatic(bytes), Ok(Some(_)))
        && goes_on(bytes.get(4..).unwrap_or_default(), expected, inserted - 1)
}

/// True when the printer has said, somewhere in these bytes and in full, that everything up to
/// the question with this id is printed.
pub fn has_confirmed(heard: &[u8], id: [u8; 4]) -> bool {
    let [a, b, c, d] = id;
    let later = [0x22, a, b, c, d, 0x00];
    heard.iter().enumerate().any(|(place, &byte)| {
        byte == 0x37
            && heard
                .get(place + 1..)
                .is_some_and(|rest| goes_on(rest, &later, INSERTED_MAX))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: [u8; 4] = *b"04PL";

    fn whole() -> Vec<u8> {
        vec![0x37, 0x22, b'0', b'4', b'P', b'L', 0]
    }

    #[test]
    fn states_are_found_among_all_else() {
        let mut reader = Reader::default();
        // A late confirmation whose id looks like two states, noise, an automatic status, XON.
        let bytes = b"\x37\x2226RC\0\xFF\x14\0\0\x0F\x11\x1A";
        assert_eq!(
            reader.push(bytes),
            [Answer::Automatic([0x14, 0, 0, 0x0F]), Answer::State(0x1A)]
        );
        // Half a confirmation, half an automatic status: what follows them is heard all the same.
        for half in [
            &b"\x37"[..],
            b"\x37\x22",
            b"\x37\x2206",
            b"\x14",
            b"\x14\0\0",
        ] {
            let mut reader = Reader::default();
            assert_eq!(reader.push(half), []);
            assert_eq!(reader.push(&[0x12]), [Answer::State(0x12)], "{half:?}");
        }
    }

    #[test]
    fn automatic_states_may_stand_anywhere_in_a_confirmation() {
        let whole = whole();
        let cover: [u8; 4] = [0x38, 0, 0, 0x0F];
        for first in 1..whole.len() {
            for second in first..whole.len() {
                let mut heard = whole.clone();
                heard.splice(second..second, cover);
                heard.splice(first..first, [0x14, 0, 0x03, 0]);
                assert!(has_confirmed(&heard, ID), "{heard:?}");
            }
        }
    }

    #[test]
    fn less_than_a_confirmation_is_none() {
        let whole = whole();
        for missing in 0..whole.len() {
            let mut heard = whole.clone();
            heard.remove(missing);
            assert!(!has_confirmed(&heard, ID), "{heard:?}");
            // Half of it now, the other half of another job's later.
            let mut torn = whole[..missing].to_vec();
            torn.extend_from_slice(b"\x37\x2204QL\0");
            assert!(!has_confirmed(&torn, ID), "{torn:?}");
        }
        assert!(!has_confirmed(b"\x37\x2204PC\0", ID));
    }

    proptest! {
        #[test]
        fn noise_never_stops_the_reader_and_a_state_after_it_is_heard(
            noise in proptest::collection::vec(any::<u8>(), 0..64),
            state in 0_u8..=255,
        ) {
            let state = (state & !KIND_MASK) | STATE_BITS;
            let mut reader = Reader::default();
            reader.push(&noise);
            let _ = has_confirmed(&noise, ID);
            // At most three bytes are taken for the rest of something begun before it.
            let mut heard = Vec::new();
            for _ in 0..8 {
                heard.extend(reader.push(&[state]));
            }
            prop_assert!(heard.contains(&Answer::State(state)));
        }
    }
}

//! Secrets that a test knows, looked for in every form in which one could lie about.

use std::collections::BTreeSet;
use std::path::Path;

use aho_corasick::AhoCorasick;
use base64::Engine;
use base64::alphabet::{Alphabet, STANDARD, URL_SAFE};
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

/// Shorter forms would be found by chance.
const FORM_BYTES_MIN: usize = 6;

/// A secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Canary {
    /// What kind of secret: places are allowed by it.
    pub kind: &'static str,
    /// Which one of its kind, for people.
    pub name: String,
    /// Itself.
    pub secret: Vec<u8>,
}

/// How a secret is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// As it is.
    Raw,
    /// Hexadecimal digits, small letters.
    Hex,
    /// Hexadecimal digits, capitals.
    HexCapitals,
    /// Base64, `alignment` bytes after a multiple of three.
    Base64 {
        /// 0, 1 or 2.
        alignment: usize,
        /// The alphabet for addresses.
        is_url: bool,
    },
}

/// A secret where it must not be, or may be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its kind.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// How it is written there.
    pub form: Form,
    /// Where.
    pub place: String,
}

/// Every form.
pub fn forms() -> Vec<Form> {
    let mut all = vec![Form::Raw, Form::Hex, Form::HexCapitals];
    for is_url in [false, true] {
        all.extend((0..3).map(|alignment| Form::Base64 { alignment, is_url }));
    }
    all
}

/// Base64 of a secret with `alignment` bytes before it, without the letters into which bytes
/// before or after it enter.
fn base64_core(secret: &[u8], alignment: usize, alphabet: &Alphabet) -> Vec<u8> {
    let mut bytes = vec![0; alignment];
    bytes.extend_from_slice(secret);
    let whole = GeneralPurpose::new(alphabet, NO_PAD).encode(&bytes);
    let first = [0, 2, 3][alignment];
    let shared_last = usize::from(!bytes.len().is_multiple_of(3));
    whole.as_bytes()[first..whole.len() - shared_last].to_vec()
}

impl Form {
    /// The secret in this form.
    pub fn of(self, secret: &[u8]) -> Vec<u8> {
        match self {
            Self::Raw => secret.to_vec(),
            Self::Hex => hex::encode(secret).into_bytes(),
            Self::HexCapitals => hex::encode_upper(secret).into_bytes(),
            Self::Base64 { alignment, is_url } => {
                let alphabet = if is_url { &URL_SAFE } else { &STANDARD };
                base64_core(secret, alignment, alphabet)
            }
        }
    }

    /// The secret in this form amid other bytes, as a program would have written it.
    pub fn amid(self, secret: &[u8]) -> Vec<u8> {
        let coded = match self {
            Self::Base64 { alignment, is_url } => {
                let alphabet = if is_url { &URL_SAFE } else { &STANDARD };
                let mut bytes = b"~!"[..alignment].to_vec();
                bytes.extend_from_slice(secret);
                bytes.extend_from_slice(b"end");
                GeneralPurpose::new(alphabet, NO_PAD)
                    .encode(bytes)
                    .into_bytes()
            }
            _ => self.of(secret),
        };
        [b"before=".as_slice(), &coded, b";after\n"].concat()
    }
}

/// Looks for secrets.
pub struct Search {
    canaries: Vec<Canary>,
    needles: AhoCorasick,
    pem: AhoCorasick,
    /// Whose needle it is, and in which form.
    of: Vec<(usize, Form)>,
}

impl Search {
    /// A search for these secrets in every form.
    ///
    /// # Panics
    /// When one is so short that it would be found by chance.
    pub fn new(canaries: impl IntoIterator<Item = Canary>) -> Self {
        let unique: BTreeSet<Canary> = canaries.into_iter().collect();
        let canaries: Vec<Canary> = unique.into_iter().collect();
        let (mut needles, mut of) = (Vec::new(), Vec::new());
        for (place, canary) in canaries.iter().enumerate() {
            for form in forms() {
                let needle = form.of(&canary.secret);
                assert!(needle.len() >= FORM_BYTES_MIN, "{canary:?} is too short");
                needles.push(needle);
                of.push((place, form));
            }
        }
        Self {
            canaries,
            needles: AhoCorasick::new(needles).unwrap(),
            pem: AhoCorasick::new(["-----BEGIN"]).unwrap(),
            of,
        }
    }

    /// What is looked for.
    pub fn canaries(&self) -> &[Canary] {
        &self.canaries
    }

    /// What is found in these bytes; where something in PEM is among them, which is broken into
    /// lines, also in them without their line ends.
    pub fn bytes(&self, place: &str, bytes: &[u8]) -> BTreeSet<Found> {
        let mut joined = Vec::new();
        if self.pem.is_match(bytes) {
            joined.extend(bytes.iter().filter(|byte| !b"\r\n".contains(byte)));
        }
        let mut found = BTreeSet::new();
        for bytes in [bytes, &joined] {
            for hit in self.needles.find_overlapping_iter(bytes) {
                let (canary, form) = self.of[hit.pattern().as_usize()];
                found.insert(Found {
                    kind: self.canaries[canary].kind,
                    name: self.canaries[canary].name.clone(),
                    form,
                    place: place.to_owned(),
                });
            }
        }
        found
    }

    /// What is found in the files of a folder, and in their names; how many files there were.
    ///
    /// # Panics
    /// When the folder itself cannot be read.
    pub fn folder(&self, place: &str, folder: &Path) -> (BTreeSet<Found>, usize) {
        let (mut found, mut files) = (BTreeSet::new(), 0);
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            let here = format!("{place}/{}", name.to_string_lossy());
            found.extend(self.bytes(&here, name.as_encoded_bytes()));
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                let (below, count) = self.folder(&here, &entry.path());
                found.extend(below);
                files += count;
            } else if kind.is_file() {
                // A server removes files of its own while it runs.
                let Ok(bytes) = std::fs::read(entry.path()) else {
                    continue;
                };
                found.extend(self.bytes(&here, &bytes));
                files += 1;
            }
        }
        (found, files)
    }
}

/// The private key, 32 bytes, in the PEM of a PKCS#8 file.
///
/// # Panics
/// When there is none.
pub fn private_key(pem: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(pem).unwrap();
    let lines: String = text
        .lines()
        .filter(|line| !line.starts_with("-----"))
        .collect();
    let der = base64::engine::general_purpose::STANDARD
        .decode(lines)
        .unwrap();
    // An octet string of 32 bytes.
    let start = der.windows(2).position(|two| two == [4, 32]).unwrap() + 2;
    der[start..start + 32].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_is_found_amid_other_bytes_and_nothing_else_is() {
        let canary = |name: &str, secret: &[u8]| Canary {
            kind: "key",
            name: name.to_owned(),
            secret: secret.to_vec(),
        };
        let secret: Vec<u8> = (0..32_u8)
            .map(|byte| byte.wrapping_mul(37) ^ 0xC3)
            .collect();
        let search = Search::new([canary("one", &secret), canary("other", b"068172934057")]);
        for form in forms() {
            for (name, secret) in [("one", secret.as_slice()), ("other", b"068172934057")] {
                let found = search.bytes("here", &form.amid(secret));
                let expected = Found {
                    kind: "key",
                    name: name.to_owned(),
                    form,
                    place: "here".to_owned(),
                };
                assert!(found.contains(&expected), "{form:?} of {name}: {found:?}");
                // Alphabets agree where a secret has none of the letters that differ.
                assert!(found.iter().all(|found| found.name == name));
            }
        }
        assert!(search.bytes("here", &secret[..31]).is_empty());
        assert!(search.bytes("here", b"C1-1358").is_empty());
        let pem: Vec<u8> = STANDARD_ENGINE
            .encode(&secret)
            .into_bytes()
            .chunks(7)
            .flat_map(|line| [line, b"\r\n"].concat())
            .collect();
        let pem = [b"-----BEGIN X-----\n".as_slice(), &pem].concat();
        assert!(!search.bytes("here", &pem).is_empty(), "broken into lines");
    }

    const STANDARD_ENGINE: GeneralPurpose = base64::engine::general_purpose::STANDARD;
}

//! What a technician sees of a scan: its bytes, what is around the code, and what it means.

use super::meaning::{Meaning, before, meaning_of_scan};
use super::scan::Scan;
use super::settings::ScannerSettings;
use keno_wire::reply::Bilingual;
use keno_words::{Say, scanner as words};

/// A scan, taken apart. A claim code is money: of what may be one only the beginning is
/// shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanTrial {
    /// How many bytes came.
    pub bytes: usize,
    /// The bytes as hexadecimal digits, with dots for those of a secret.
    pub hexadecimal: String,
    /// The bytes as text, with dots for those of a secret and `\xNN` for what does not print.
    pub text: String,
    /// The prefix of the settings: none when there is none, else whether it was there.
    pub has_prefix: Option<bool>,
    /// The suffix of the settings, likewise.
    pub has_suffix: Option<bool>,
    /// What it means.
    pub meaning: Meaning,
}

/// Digits of a control number: the longest that is shown whole.
const NUMBER_DIGITS: usize = 16;
/// Of a claim code its number and copy are shown behind its first signs.
const SHOWN_OF_A_CLAIM: usize = NUMBER_DIGITS + 2;
/// So far from the beginning the first signs of a code are looked for: what a scanner put before
/// them may be in no setting.
const BEGINS_WITHIN: usize = 12;

/// How many of its bytes are shown from the first one on. Whatever is longer than a control number
/// may be a claim code that was misread, or came with signs around it, and is covered.
fn shown(code: &[u8], meaning: &Meaning) -> usize {
    let signs = code.iter().filter(|byte| !byte.is_ascii_whitespace());
    if signs.count() <= NUMBER_DIGITS || matches!(meaning, Meaning::SlipCode(_)) {
        return code.len();
    }
    let begins = |signs: &[u8]| {
        matches!(signs.to_ascii_uppercase().as_slice(), [b'K', b'B' | b'S' | b'T', version]
            if version.is_ascii_digit())
    };
    let first = code.windows(3).take(BEGINS_WITHIN).position(begins);
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
    let number = |from: usize, most: usize| {
        let rest = code.get(from..).unwrap_or_default();
        rest.iter()
            .take_while(|byte| is_number(byte))
            .count()
            .min(most)
    };
    match first {
        // The secret of a card stands there.
        Some(at) if code.get(at + 1).is_some_and(|kind| b"Bb".contains(kind)) => at + 3,
        Some(at) => at + 3 + number(at + 3, SHOWN_OF_A_CLAIM),
        None => number(0, NUMBER_DIGITS),
    }
}

/// Takes a scan apart.
pub fn try_scan(scan: &Scan, settings: &ScannerSettings) -> ScanTrial {
    let has = |affix: &str, is_there: bool| (!affix.is_empty()).then_some(is_there);
    let meaning = meaning_of_scan(scan, settings);
    let first = before(&scan.bytes, settings);
    let code = scan.bytes.get(first..).unwrap_or_default();
    let covered = first + shown(code, &meaning)..scan.bytes.len();
    let show = |one: fn(u8) -> String, dot: &str| -> Vec<String> {
        scan.bytes
            .iter()
            .enumerate()
            .map(|(place, &byte)| {
                if covered.contains(&place) {
                    dot.to_owned()
                } else {
                    one(byte)
                }
            })
            .collect()
    };
    ScanTrial {
        bytes: scan.bytes.len(),
        hexadecimal: show(|byte| format!("{byte:02X}"), "··").join(" "),
        text: show(
            |byte| match byte {
                b'!'..=b'~' => char::from(byte).to_string(),
                _ => format!("\\x{byte:02X}"),
            },
            "·",
        )
        .concat(),
        has_prefix: has(
            &settings.prefix,
            scan.bytes.get(..first).is_some_and(|before| {
                before
                    .to_ascii_uppercase()
                    .ends_with(settings.prefix.to_ascii_uppercase().as_bytes())
            }),
        ),
        has_suffix: has(
            &settings.suffix,
            scan.bytes.ends_with(settings.suffix.as_bytes()),
        ),
        meaning,
    }
}

impl ScanTrial {
    /// What it shows, a sentence a line.
    pub fn sentences(&self) -> Vec<Bilingual> {
        let there = |is_there: bool| -> &dyn Say {
            if is_there {
                &words::Present
            } else {
                &words::Missing
            }
        };
        let (bytes, text, hexadecimal) = (&self.bytes, &self.text, &self.hexadecimal);
        let mut lines = vec![
            Bilingual::of(&words::BytesRead { bytes, text }),
            Bilingual::of(&words::Hexadecimal { hexadecimal }),
        ];
        lines.extend(self.has_prefix.map(|is_there| {
            let word = there(is_there);
            Bilingual::of(&words::Prefix { word })
        }));
        lines.extend(self.has_suffix.map(|is_there| {
            let word = there(is_there);
            Bilingual::of(&words::Suffix { word })
        }));
        lines.push(Bilingual::of(&words::Named {
            meaning: &self.meaning,
            name: &self.meaning.name(),
        }));
        lines
    }
}

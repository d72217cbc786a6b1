//! What a technician sees of a scan: its bytes, what is around the code, and what it means.

use super::meaning::{Meaning, bare, meaning_of_scan};
use super::scan::Scan;
use super::settings::ScannerSettings;
use keno_wire::ClaimCode;
use keno_wire::reply::Bilingual;
use keno_words::{Say, scanner as words};

/// A scan, taken apart. A claim code is money: of one that is whole only the beginning is shown.
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

/// Bytes of a claim code that are shown: version, number and copy, and not the secret after them.
const SHOWN_OF_A_CLAIM: usize = 3 + 16 + 2;

/// Of a number with the secret behind it: the number.
const SHOWN_OF_A_TYPED_CLAIM: usize = 16;

/// Takes a scan apart.
pub fn try_scan(scan: &Scan, settings: &ScannerSettings) -> ScanTrial {
    let has = |affix: &str, is_there: bool| (!affix.is_empty()).then_some(is_there);
    let meaning = meaning_of_scan(scan, settings);
    let is_secret = matches!(
        meaning,
        Meaning::ClaimCode(_) | Meaning::TypedClaim | Meaning::DamagedClaimCode(_)
    );
    let has_prefix = scan.bytes.starts_with(settings.prefix.as_bytes());
    let code = bare(&scan.bytes, settings);
    let first = if has_prefix { settings.prefix.len() } else { 0 };
    let shown = if ClaimCode::looks_like(&String::from_utf8_lossy(code)) {
        SHOWN_OF_A_CLAIM
    } else {
        SHOWN_OF_A_TYPED_CLAIM
    };
    let hidden = first + shown..first + code.len();
    let show = |one: fn(u8) -> String, dot: &str| -> Vec<String> {
        scan.bytes
            .iter()
            .enumerate()
            .map(|(place, &byte)| {
                if is_secret && hidden.contains(&place) {
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
        has_prefix: has(&settings.prefix, has_prefix),
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

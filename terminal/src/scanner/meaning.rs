//! What a scan means, from its characters alone: nobody is asked, nothing is kept, and nothing
//! that anyone can hold before a scanner stops the program.

use keno_game::ControlNumber;
use keno_wire::claim_code::ClaimCodeFault;
use keno_wire::slip_code::{self, SlipContent};
use keno_wire::{ClaimCode, PaperCode, SlipCode, SlipCodeRefusal};
use keno_words::{Language, Say, scanner as words};

use super::scan::Scan;
use super::settings::ScannerSettings;

/// Characters of a code that a person could have typed from a control number: fewer are no help
/// in a search.
const FRAGMENT_DIGITS_MIN: usize = 4;
/// Digits of a control number.
const NUMBER_DIGITS: usize = 16;
/// What every claim code begins with, whichever the version.
const FAMILY: &str = "KT";

/// What a scan means. A claim code does not name its house: whether it is one of ours, only
/// central can say, and a code of another house ends there as an unknown number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// There is nothing in it.
    Empty,
    /// Longer than any code.
    TooLong,
    /// A character that no code of ours has: another kind of code, or a scanner that is set to
    /// another keyboard.
    NotOurAlphabet,
    /// A whole claim code.
    ClaimCode(Box<ClaimCode>),
    /// A claim code, of which something is missing or was misread.
    DamagedClaimCode(ClaimCodeFault),
    /// A claim code of a version that this program does not know: of another house, or of a newer
    /// program.
    OtherClaimCode,
    /// A whole code of a blank slip, an express card or an e-slip. Whether it was made under the
    /// rules in force is judged where they are known (`SlipCode::slip`).
    SlipCode(Box<SlipCode>),
    /// The code of a slip, of which something is missing or was misread.
    DamagedSlipCode(SlipCodeRefusal),
    /// The code of a slip, of a version that this program does not know.
    OtherSlipCode,
    /// A control number with the secret behind it, as a person types them: a claim.
    TypedClaim,
    /// A control number with its check digits right: for a search, never for a claim.
    ControlNumber(ControlNumber),
    /// Sixteen digits whose check digits are wrong.
    DamagedControlNumber,
    /// Some of the digits of a control number, as an auditor may search by; also what a bar code
    /// gives that was read short.
    Fragment(String),
    /// A code of something else.
    Foreign,
}

impl Meaning {
    /// Stable name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::TooLong => "too_long",
            Self::NotOurAlphabet => "not_our_alphabet",
            Self::ClaimCode(_) => "claim_code",
            Self::DamagedClaimCode(ClaimCodeFault::Length) => "claim_code_not_whole",
            Self::DamagedClaimCode(ClaimCodeFault::CheckDigits) => "claim_code_check_digits",
            Self::DamagedClaimCode(_) => "claim_code_misread",
            Self::OtherClaimCode => "other_claim_code",
            Self::SlipCode(code) => code.name(),
            Self::DamagedSlipCode(refusal) => refusal.name(),
            Self::OtherSlipCode => "other_slip_code",
            Self::TypedClaim => "typed_claim",
            Self::ControlNumber(_) => "control_number",
            Self::DamagedControlNumber => "control_number_check_digits",
            Self::Fragment(_) => "fragment",
            Self::Foreign => "foreign",
        }
    }
}

/// What it means and what to do next.
impl Say for Meaning {
    fn say(&self, language: Language, to: &mut String) {
        let words: &dyn Say = match self {
            Self::Empty => &words::Empty,
            Self::TooLong => &words::TooLong,
            Self::NotOurAlphabet => &words::NotOurAlphabet,
            Self::ClaimCode(_) => &words::ClaimCode,
            Self::DamagedClaimCode(ClaimCodeFault::Length) => &words::ClaimCodeNotWhole,
            Self::DamagedClaimCode(_) => &words::ClaimCodeMisread,
            Self::OtherClaimCode => &words::OtherClaimCode,
            Self::SlipCode(code) => match code.content {
                SlipContent::Blank { .. } => &words::SelectionSlip,
                SlipContent::Express { .. } => &words::ExpressSlip,
                SlipContent::ESlip(_) => &words::ESlip,
            },
            Self::DamagedSlipCode(_) => &words::SlipCodeMisread,
            Self::OtherSlipCode => &words::OtherSlipCode,
            Self::TypedClaim => &words::TypedClaim,
            Self::ControlNumber(_) => &words::ControlNumber,
            Self::DamagedControlNumber => &words::ControlNumberMisread,
            Self::Fragment(_) => &words::Fragment,
            Self::Foreign => &words::Foreign,
        };
        words.say(language, to);
    }
}

/// A scan without the prefix and suffix that the scanner is set to put around it, each taken off
/// once and only when it is there.
pub fn bare<'s>(bytes: &'s [u8], settings: &ScannerSettings) -> &'s [u8] {
    let bytes = bytes
        .strip_prefix(settings.prefix.as_bytes())
        .unwrap_or(bytes);
    bytes
        .strip_suffix(settings.suffix.as_bytes())
        .unwrap_or(bytes)
}

/// What a scan means, by the scanner's settings.
pub fn meaning_of_scan(scan: &Scan, settings: &ScannerSettings) -> Meaning {
    if scan.is_cut {
        return Meaning::TooLong;
    }
    meaning(bare(&scan.bytes, settings))
}

/// What some characters mean.
pub fn meaning(raw: &[u8]) -> Meaning {
    if raw.is_empty() {
        return Meaning::Empty;
    }
    if raw.len() > super::scan::SCAN_BYTES_MAX {
        return Meaning::TooLong;
    }
    let is_ours = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    let Some(text) = std::str::from_utf8(raw)
        .ok()
        .filter(|text| text.as_bytes().iter().all(is_ours))
    else {
        return Meaning::NotOurAlphabet;
    };
    if ClaimCode::looks_like(text) {
        return match ClaimCode::parse(text) {
            Ok(code) => Meaning::ClaimCode(Box::new(code)),
            Err(fault) => Meaning::DamagedClaimCode(fault),
        };
    }
    if let Some(version) = text.strip_prefix(FAMILY) {
        // `KT` alone, or followed by a letter, may be anything.
        return match version.bytes().next() {
            Some(b'0'..=b'9') => Meaning::OtherClaimCode,
            _ => Meaning::Foreign,
        };
    }
    if let Some(version) = text.strip_prefix(slip_code::FAMILY) {
        return match (version.bytes().next(), SlipCode::parse(text)) {
            (_, Ok(code)) => Meaning::SlipCode(Box::new(code)),
            (_, Err(SlipCodeRefusal::OtherFormat)) => Meaning::OtherSlipCode,
            (Some(b'0'..=b'9'), Err(refusal)) => Meaning::DamagedSlipCode(refusal),
            _ => Meaning::Foreign,
        };
    }
    match PaperCode::parse(text) {
        Ok(PaperCode::Typed { .. }) => return Meaning::TypedClaim,
        Err(fault @ ClaimCodeFault::CheckSigns) => return Meaning::DamagedClaimCode(fault),
        _ => {}
    }
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Meaning::Foreign;
    }
    match text.len() {
        NUMBER_DIGITS => {
            ControlNumber::parse(text).map_or(Meaning::DamagedControlNumber, Meaning::ControlNumber)
        }
        FRAGMENT_DIGITS_MIN..NUMBER_DIGITS => Meaning::Fragment(text.to_owned()),
        _ => Meaning::Foreign,
    }
}

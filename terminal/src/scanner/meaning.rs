//! What a scan means, from its characters alone: nobody is asked, nothing is kept, and nothing
//! that anyone can hold before a scanner stops the program.

use keno_game::ControlNumber;
use keno_wire::badge_card::BadgeCard;
use keno_wire::claim_code::{ClaimCodeFault, plain};
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

/// What stands before a code: the start sign, an AIM identifier, the prefix of the settings.
pub fn before(bytes: &[u8], settings: &ScannerSettings) -> usize {
    let starts = |from: usize, sign: &str| {
        let found = bytes.get(from..from + sign.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(sign.as_bytes()))
    };
    let is_aim = |from: usize| {
        matches!(bytes.get(from..from + 3), Some([b']', kind, modifier])
            if kind.is_ascii_alphanumeric() && modifier.is_ascii_alphanumeric())
    };
    let mut from = 0;
    for sign in [&settings.start, &settings.prefix] {
        if starts(from, sign) {
            from += sign.len();
        }
        if is_aim(from) {
            from += 3;
        }
    }
    from
}

/// A scan without what the scanner puts around it, each taken off once and only when it is there.
pub fn bare<'s>(bytes: &'s [u8], settings: &ScannerSettings) -> &'s [u8] {
    let bytes = bytes.get(before(bytes, settings)..).unwrap_or_default();
    bytes
        .strip_suffix(settings.suffix.as_bytes())
        .unwrap_or(bytes)
}

/// What a scanner read, as the doors of this program take it: a code of ours as it was printed, and
/// all else as it came, for whom it concerns to refuse. A scanner that types may be set to another
/// keyboard than this machine: its text comes by the one and by the other, and that counts which is
/// a code.
pub fn read(texts: &[&[u8]], settings: &ScannerSettings) -> String {
    let bares = || texts.iter().map(|text| bare(text, settings));
    let whole = bares().find_map(|text| {
        let text = String::from_utf8_lossy(text);
        if let Some(card) = BadgeCard::read(&text) {
            return Some(card.text());
        }
        let is_whole = matches!(
            meaning(text.as_bytes()),
            Meaning::ClaimCode(_)
                | Meaning::SlipCode(_)
                | Meaning::TypedClaim
                | Meaning::ControlNumber(_)
        );
        is_whole.then(|| plain(&text))
    });
    whole.unwrap_or_else(|| {
        let is_ours = |text: &&[u8]| !matches!(meaning(text), Meaning::NotOurAlphabet);
        let text = bares().find(is_ours).or_else(|| bares().next());
        String::from_utf8_lossy(text.unwrap_or_default()).into_owned()
    })
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
    let plain = std::str::from_utf8(raw).map(plain).unwrap_or_default();
    if plain.is_empty() || !plain.as_bytes().iter().all(is_ours) {
        return Meaning::NotOurAlphabet;
    }
    let text = plain.as_str();
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

//! The rule book as a file: the text that is published, hashed and put in the log (s. 76).
//!
//! Reading judges everything at once: the form of the file, then every rule about rules, then
//! every return (s. 85). Each fault has its line. A value that cannot be read is replaced by one
//! that offends no rule, so that the rest can still be judged; faults that such a stand-in may
//! have caused are not reported, and returns are judged only when nothing was replaced.

mod counter;
mod kind;
mod place;
mod sentence;

use keno_game::{
    BallSet, Cents, Certificate, Claim, ConfirmThresholds, Damaged, Game, Limits, PayTable,
    PayoutThresholds, Pays, Pool, RuleBook, RuleFault, RuleFaultCode, SelectionType, SpotsAllowed,
    Tender, WagerLimits,
};
use sha2::{Digest, Sha256};

use keno_words::file_fault;

use crate::toml_faults::{self, FileFault, FormFault, Section, Words, quoted};

pub use counter::{CounterRules, EXPRESS_MAX, ExpressPick};
pub use kind::RuleBookFaultKind;
use place::{file_place, overlap};

/// The one format of rule books that this program reads and publishes.
const FORMAT: i64 = 3;

/// One fault of a rule book's text.
pub type RuleBookFault = FileFault<RuleBookFaultKind>;

type Reader = toml_faults::Reader<RuleBookFaultKind>;

/// A rule book that may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleBookFile {
    /// The rules.
    pub rules: RuleBook,
    /// The returns of every ticket (s. 85).
    pub certificate: Certificate,
    /// What the rules of the game leave out.
    pub texts: RuleTexts,
    /// What a counter offers at one key, if the book says it.
    pub counter: Option<CounterRules>,
    /// SHA-256 of the text's bytes.
    pub hash: [u8; 32],
    /// The text as it was read.
    pub text: String,
}

/// What a rule book says beside the rules of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTexts {
    /// Name of the book, in French.
    pub name_fr: String,
    /// Name of the book, in English.
    pub name_en: String,
    /// Where the rules may be read (s. 76), in French.
    pub rules_place_fr: String,
    /// Where the rules may be read (s. 76), in English.
    pub rules_place_en: String,
    /// Printed on tickets, in French.
    pub notice_fr: String,
    /// Printed on tickets, in English.
    pub notice_en: String,
    /// What becomes of a machine draw that was interrupted.
    pub interrupted: InterruptedRule,
}

/// What becomes of a machine draw that was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InterruptedRule {
    /// It is void, and its wagers are refunded.
    Void,
    /// It is completed, if two people attest that the drawn balls are still in the tubes.
    Complete,
}

impl InterruptedRule {
    /// The word in the file.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Complete => "complete",
        }
    }
}

/// Reads and judges a rule book.
///
/// Deterministic: the same text gives the same answer, so that the record can be read again
/// from its own text.
///
/// # Errors
/// Every fault that was found, by line. A text that is no TOML, or of another format, is not
/// judged further.
pub fn read(text: &str) -> Result<RuleBookFile, Vec<RuleBookFault>> {
    let document = toml_faults::parse(text)?;
    let (mut reader, root) = Reader::new(text, &document);
    if !reader.format_is_known(&root, FORMAT) {
        return Err(reader.into_faults());
    }
    reader.only(
        &root,
        &[
            "format",
            "version",
            "name",
            "pool",
            "cap",
            "limits",
            "confirm",
            "payout",
            "claim",
            "damaged",
            "tenders",
            "texts",
            "interrupted",
            "counter",
            "game",
        ],
    );
    let rules = read_rules(&mut reader, &root);
    let texts = read_texts(&mut reader, &root);
    let counter = counter::read(&mut reader, &root);
    let checked = rules.check();
    for fault in checked.as_ref().err().into_iter().flatten() {
        report(&mut reader, &rules, fault);
    }
    let counter = counter.and_then(|written| written.judged(&mut reader, &rules));
    match checked {
        Ok(certificate) if reader.faults().is_empty() => Ok(RuleBookFile {
            rules,
            certificate,
            texts,
            counter,
            hash: Sha256::digest(text.as_bytes()).into(),
            text: text.to_owned(),
        }),
        _ => Err(reader.into_faults()),
    }
}

/// Reads and judges a rule book as a file holds it.
///
/// # Errors
/// As [`read`], and for bytes that are too many or no UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<RuleBookFile, Vec<RuleBookFault>> {
    read(toml_faults::text_of(bytes)?)
}

/// Where a text of a rule book has a sign that nobody sees. A new version has none; a book that
/// was published with one is read as ever.
pub fn hidden_signs(text: &str) -> Vec<RuleBookFault> {
    let Ok(document) = toml_faults::parse::<RuleBookFaultKind>(text) else {
        return Vec::new();
    };
    let (mut reader, _) = Reader::new(text, &document);
    for place in reader.hidden().to_vec() {
        let kind = RuleBookFaultKind::Rule(RuleFaultCode::TextMalformed);
        reader.fault(&place, kind, Words::of(&keno_words::rule::TextHidden));
    }
    reader.into_faults()
}

/// The line of a place in a text, or of the nearest thing around it.
pub fn line_of(text: &str, place: &str) -> usize {
    toml_faults::parse::<RuleBookFaultKind>(text)
        .map_or(1, |document| Reader::new(text, &document).0.line_of(place))
}

/// Reports what a rule about rules says, unless a stand-in may be the cause.
fn report(reader: &mut Reader, rules: &RuleBook, fault: &RuleFault) {
    use RuleFaultCode as Code;
    let place = file_place(rules, &fault.path);
    let rests_on_a_gap = reader
        .faults()
        .iter()
        .filter(|found| found.kind.leaves_a_gap())
        .any(|found| match fault.code {
            Code::ReturnBelowFloor | Code::ReturnNotCountable => true,
            Code::TableMissing => {
                let game = place.rsplit_once('.').map_or("", |(game, _)| game);
                overlap(&found.place, &place) || overlap(&found.place, &format!("{game}.pays"))
            }
            _ => overlap(&found.place, &place),
        });
    if !rests_on_a_gap {
        let kind = RuleBookFaultKind::Rule(fault.code);
        reader.fault(&place, kind, sentence::words(rules, fault));
    }
}

fn read_rules(reader: &mut Reader, root: &Section<'_>) -> RuleBook {
    let version = reader.number(root, "version", 0..=i64::from(u32::MAX));
    let pool = read_pool(reader, root);
    let cap = reader.section(root, "cap", &["per_draw", "full_below"]);
    let per_draw = money(reader, &cap, "per_draw");
    let full_below = money(reader, &cap, "full_below");
    let (limits, liability_max) = read_limits(reader, root);
    let confirm = read_confirm(reader, root);
    let payout = read_payout(reader, root);
    let claim = read_claim(reader, root);
    let damaged = read_damaged(reader, root);
    let (tenders, chip_change) = read_tenders(reader, root);
    let games = reader
        .sections(
            root,
            "game",
            &[
                "code",
                "name",
                "straight",
                "way",
                "king",
                "set",
                "king_alone",
                "wager",
                "pays",
            ],
        )
        .iter()
        .map(|game| read_game(reader, game, pool))
        .collect();
    RuleBook {
        version: version.unwrap_or(1),
        pool,
        cap: per_draw.unwrap_or(Cents::new(i64::MAX)),
        cap_threshold: full_below.unwrap_or(Cents::ZERO),
        games,
        limits,
        tenders,
        chip_change,
        confirm,
        payout,
        claim,
        damaged,
        liability_max,
    }
}

fn read_pool(reader: &mut Reader, root: &Section<'_>) -> Pool {
    let section = reader.section(root, "pool", &["size", "drawn"]);
    let size = reader.number(&section, "size", 0..=255);
    let drawn = reader.number(&section, "drawn", 0..=255);
    let (Some(size), Some(drawn)) = (size, drawn) else {
        return Pool::TWENTY_OF_EIGHTY;
    };
    Pool::new(size, drawn).unwrap_or_else(|_| {
        let detail = Words::of(&file_fault::MatrixUnknown {
            drawn: &drawn,
            size: &size,
        });
        reader.fault("pool", RuleBookFaultKind::PoolUnknown, detail);
        Pool::TWENTY_OF_EIGHTY
    })
}

fn read_limits(reader: &mut Reader, root: &Section<'_>) -> (Limits, Option<Cents>) {
    let section = reader.section(
        root,
        "limits",
        &[
            "selections",
            "draws",
            "draws_ahead",
            "ways",
            "copies",
            "liability",
        ],
    );
    let short = 0..=i64::from(u16::MAX);
    let selections = reader.number(&section, "selections", 0..=i64::from(u8::MAX));
    let draws = reader.number(&section, "draws", short.clone());
    let draws_ahead = reader.number(&section, "draws_ahead", short.clone());
    let ways = reader.number(&section, "ways", short);
    let copies = reader.number(&section, "copies", 0..=i64::from(u8::MAX));
    let liability = if section.has("liability") {
        money(reader, &section, "liability")
    } else {
        None
    };
    let limits = Limits {
        selections_max: selections.unwrap_or(1),
        draws_max: draws.unwrap_or(1),
        draws_ahead_max: draws_ahead.unwrap_or(0),
        ways_max: ways.unwrap_or(1),
        copies_max: copies.unwrap_or(1),
    };
    (limits, liability)
}

fn read_confirm(reader: &mut Reader, root: &Section<'_>) -> ConfirmThresholds {
    let section = reader.section(root, "confirm", &["second_key", "type_total", "draws"]);
    let second_key = money(reader, &section, "second_key");
    let type_total = money(reader, &section, "type_total");
    let draws = reader.number(&section, "draws", 0..=i64::from(u16::MAX));
    let second_key = second_key.or(type_total).unwrap_or(Cents::new(1));
    ConfirmThresholds {
        second_key,
        type_total: type_total.unwrap_or(second_key),
        draws: draws.unwrap_or(1),
    }
}

fn read_payout(reader: &mut Reader, root: &Section<'_>) -> PayoutThresholds {
    let section = reader.section(
        root,
        "payout",
        &[
            "second_person",
            "cage",
            "federal_report",
            "second_computation",
            "cancel_alone",
            "typed_alone",
            "typed_per_day",
        ],
    );
    let minutes = section.has("second_computation").then(|| {
        let bounds = 0..=i64::from(u16::MAX);
        reader
            .number(&section, "second_computation", bounds)
            .unwrap_or(1)
    });
    let per_day = section.has("typed_per_day").then(|| {
        let bounds = 0..=i64::from(u16::MAX);
        reader.number(&section, "typed_per_day", bounds)
    });
    let mut amount = |key, unsaid: Option<Cents>| match unsaid.filter(|_| !section.has(key)) {
        Some(unsaid) => unsaid,
        None => money(reader, &section, key).unwrap_or(Cents::new(1)),
    };
    PayoutThresholds {
        second_person: amount("second_person", None),
        cage: amount("cage", None),
        federal_report: amount("federal_report", None),
        cancel_alone: amount("cancel_alone", Some(PayoutThresholds::CANCEL_ALONE)),
        typed_alone: amount("typed_alone", Some(PayoutThresholds::TYPED_ALONE)),
        typed_per_day: per_day.flatten().unwrap_or(PayoutThresholds::TYPED_PER_DAY),
        second_computation: minutes,
    }
}

fn read_claim(reader: &mut Reader, root: &Section<'_>) -> Claim {
    let section = reader.section(root, "claim", &["days", "place", "cage"]);
    let days = reader.number(&section, "days", 0..=i64::from(u16::MAX));
    let (place_fr, place_en) = both_languages(reader, &section, "place");
    let (cage_fr, cage_en) = both_languages(reader, &section, "cage");
    Claim {
        days: days.unwrap_or(1),
        place_fr,
        place_en,
        cage_fr,
        cage_en,
    }
}

fn read_damaged(reader: &mut Reader, root: &Section<'_>) -> Damaged {
    let keys = [
        "at_once",
        "per_day",
        "wait_hours",
        "third_person",
        "answer_days",
        "complaints",
    ];
    let section = reader.section(root, "damaged", &keys);
    let at_once = money(reader, &section, "at_once");
    let third_person = money(reader, &section, "third_person");
    let mut number = |key| reader.number(&section, key, 0..=i64::from(u16::MAX));
    let per_day = number("per_day");
    let wait_hours = number("wait_hours");
    let answer_days = number("answer_days");
    let (complaints_fr, complaints_en) = both_languages(reader, &section, "complaints");
    // An answer is judged against the wait: with one of them gone, neither is.
    let is_gap = wait_hours.is_none() || answer_days.is_none();
    Damaged {
        at_once: at_once.unwrap_or(Cents::ZERO),
        per_day: per_day.unwrap_or(0),
        wait_hours: wait_hours.filter(|_| !is_gap).unwrap_or(1),
        third_person: third_person.unwrap_or(Cents::new(1)),
        answer_days: answer_days.filter(|_| !is_gap).unwrap_or(1),
        complaints_fr,
        complaints_en,
    }
}

fn read_tenders(reader: &mut Reader, root: &Section<'_>) -> (Vec<Tender>, Cents) {
    let section = reader.section(root, "tenders", &["accepted", "chip_change"]);
    let chip_change = match section.has("chip_change") {
        true => money(reader, &section, "chip_change"),
        false => None,
    };
    let choices = Tender::ALL.map(|tender| (tender.code(), tender));
    // A tender that cannot be read keeps its place, so that those after it keep theirs.
    let accepted = reader
        .texts(&section, "accepted")
        .into_iter()
        .map(|(place, word)| {
            reader
                .choice_of(&place, word, &choices)
                .unwrap_or(Tender::Cash)
        })
        .collect();
    (accepted, chip_change.unwrap_or(RuleBook::CHIP_CHANGE))
}

fn read_texts(reader: &mut Reader, root: &Section<'_>) -> RuleTexts {
    let (name_fr, name_en) = both_languages(reader, root, "name");
    let section = reader.section(root, "texts", &["rules_place", "notice"]);
    let (rules_place_fr, rules_place_en) = both_languages(reader, &section, "rules_place");
    let (notice_fr, notice_en) = both_languages(reader, &section, "notice");
    for (text, place) in [
        (&name_fr, "name.fr"),
        (&name_en, "name.en"),
        (&rules_place_fr, "texts.rules_place.fr"),
        (&rules_place_en, "texts.rules_place.en"),
        (&notice_fr, "texts.notice.fr"),
        (&notice_en, "texts.notice.en"),
    ] {
        let (is_empty, is_plain) = (text.trim().is_empty(), !text.chars().any(char::is_control));
        for (is_kept, code) in [
            (!is_empty, RuleFaultCode::TextMissing),
            (is_plain, RuleFaultCode::TextMalformed),
        ] {
            if !is_kept {
                let kind = RuleBookFaultKind::Rule(code);
                reader.fault(place, kind, Words::of(sentence::rule_words(code)));
            }
        }
    }
    let section = reader.section(root, "interrupted", &["machine_draw"]);
    let choices =
        [InterruptedRule::Void, InterruptedRule::Complete].map(|rule| (rule.code(), rule));
    let interrupted = reader.choice(&section, "machine_draw", &choices);
    RuleTexts {
        name_fr,
        name_en,
        rules_place_fr,
        rules_place_en,
        notice_fr,
        notice_en,
        interrupted: interrupted.unwrap_or(InterruptedRule::Void),
    }
}

fn read_game(reader: &mut Reader, game: &Section<'_>, pool: Pool) -> Game {
    let code = reader.text(game, "code");
    let (name_fr, name_en) = both_languages(reader, game, "name");
    let set = read_set(reader, game, pool);
    let types = SelectionType::ALL
        .into_iter()
        .filter_map(|kind| {
            let spots = match set.map(BallSet::len) {
                Some(count) if kind.is_named() => Some(SpotsAllowed {
                    min: count,
                    max: count,
                }),
                _ if kind.is_named() => None,
                _ => read_spots(reader, game, kind.code()),
            };
            Some((kind, spots?))
        })
        .collect();
    let king_alone = reader.flag(game, "king_alone");
    Game {
        // No two games stand in for one another: their places differ.
        code: code.map_or_else(|| game.at("code"), str::to_owned),
        name_fr,
        name_en,
        tables: read_tables(reader, game),
        types,
        set,
        king_alone: king_alone.unwrap_or(false),
        wager: read_wager(reader, game),
    }
}

fn read_spots(reader: &mut Reader, game: &Section<'_>, key: &str) -> Option<SpotsAllowed> {
    if !game.has(key) {
        return None;
    }
    let section = reader.section(game, key, &["min", "max"]);
    let min = reader.number(&section, "min", 0..=255);
    let max = reader.number(&section, "max", 0..=255);
    Some(SpotsAllowed {
        min: min?,
        max: max?,
    })
}

/// The numbers of a named set, which the pool has.
fn read_set(reader: &mut Reader, game: &Section<'_>, pool: Pool) -> Option<BallSet> {
    let key = SelectionType::NamedSet.code();
    if !game.has(key) {
        return None;
    }
    let text = reader.text(game, key)?;
    let shown = &quoted(text);
    let runs = runs_of(text);
    let set = runs.as_deref().map(|runs| set_of(runs, pool.size()));
    let (kind, detail) = match set {
        Some(Ok(set)) => return Some(set),
        Some(Err(number)) => {
            let (number, max) = (&number, &pool.size());
            let words = file_fault::SetOutside { shown, number, max };
            (FormFault::NumberOutOfRange, Words::of(&words))
        }
        None => {
            let words = file_fault::SetMalformed { shown };
            (FormFault::TypeWrong, Words::of(&words))
        }
    };
    reader.fault(&game.at(key), RuleBookFaultKind::Form(kind), detail);
    None
}

/// Numbers and runs of numbers, ascending, one space between two: `1-40`, `1 5 11-20`. Each from
/// its first to its last.
fn runs_of(text: &str) -> Option<Vec<(u8, u8)>> {
    let mut least = 1;
    let mut runs = Vec::new();
    for part in text.split(' ') {
        let (first, last) = match part.split_once('-') {
            Some((first, last)) => (small_number(first)?, small_number(last)?),
            None => (small_number(part)?, small_number(part)?),
        };
        if first < least || last < first || (part.contains('-') && last == first) {
            return None;
        }
        runs.push((first, last));
        least = last.saturating_add(1);
    }
    Some(runs)
}

/// The numbers of these runs, or the first that a pool of this size lacks.
fn set_of(runs: &[(u8, u8)], size: u8) -> Result<BallSet, u8> {
    let mut set = BallSet::EMPTY;
    for number in runs.iter().flat_map(|(first, last)| *first..=*last) {
        match set.insert(number) {
            Ok(_) if number <= size => {}
            _ => return Err(number),
        }
    }
    Ok(set)
}

fn read_wager(reader: &mut Reader, game: &Section<'_>) -> WagerLimits {
    let section = reader.section(game, "wager", &["step", "min", "max", "same_numbers"]);
    let step = money(reader, &section, "step");
    let min = money(reader, &section, "min");
    let max = money(reader, &section, "max");
    let same_numbers = money(reader, &section, "same_numbers");
    // Each stand-in keeps the rules that tie it to the others.
    let step = step.unwrap_or(Cents::new(1));
    let min = min.unwrap_or(step);
    let max = max.unwrap_or(min);
    WagerLimits {
        step,
        min,
        max,
        same_numbers_max: same_numbers.unwrap_or(max),
    }
}

/// The pay tables of a game, spots ascending.
fn read_tables(reader: &mut Reader, game: &Section<'_>) -> Vec<PayTable> {
    let pays = reader.open_section(game, "pays");
    let mut tables = Vec::new();
    for (key, value) in pays.entries() {
        let place = pays.at(key);
        let Some(spots) = small_number(key).filter(|spots| (1..=80).contains(spots)) else {
            let detail = Words::of(&file_fault::SpotsMalformed { key: &quoted(key) });
            reader.fault(&place, RuleBookFaultKind::SpotsMalformed, detail);
            continue;
        };
        let row = reader.section_of(place, value);
        let prizes = read_prizes(reader, &row, spots);
        // What can be wrong with a key has been told at the key itself.
        tables.extend(PayTable::new(spots, &prizes));
    }
    tables.sort_by_key(PayTable::spots);
    tables
}

fn read_prizes(reader: &mut Reader, row: &Section<'_>, spots: u8) -> Vec<(u8, Pays)> {
    let catch_max = spots.min(keno_game::paytable::CATCH_MAX);
    let mut prizes = Vec::new();
    for (key, value) in row.entries() {
        let place = row.at(key);
        let catch = small_number(key).filter(|catch| *catch <= catch_max);
        if catch.is_none() {
            let detail = Words::of(&file_fault::CatchImpossible {
                key: &quoted(key),
                spots: &spots,
            });
            reader.fault(&place, RuleBookFaultKind::CatchMalformed, detail);
        }
        let Some(text) = reader.text_of(&place, value) else {
            continue;
        };
        match (catch, text.parse::<Pays>()) {
            (Some(catch), Ok(prize)) => prizes.push((catch, prize)),
            (None, Ok(_)) => {}
            (_, Err(_)) => {
                let shown = quoted(text);
                let detail = Words::of(&file_fault::PrizeMalformed { shown: &shown });
                reader.fault(&place, RuleBookFaultKind::PaysMalformed, detail);
            }
        }
    }
    prizes
}

/// A number as it is written in one way only: digits, no sign, no leading zero.
fn small_number(key: &str) -> Option<u8> {
    key.parse()
        .ok()
        .filter(|number: &u8| number.to_string() == key)
}

/// The texts of a key in both languages; a stand-in for one that cannot be read.
fn both_languages(reader: &mut Reader, section: &Section<'_>, key: &str) -> (String, String) {
    let section = reader.section(section, key, &["fr", "en"]);
    let mut text = |language| reader.text(&section, language).unwrap_or("-").to_owned();
    (text("fr"), text("en"))
}

/// The amount of a key.
fn money(reader: &mut Reader, section: &Section<'_>, key: &str) -> Option<Cents> {
    let text = reader.text(section, key)?;
    let amount = amount_of(text);
    if amount.is_none() {
        let shown = quoted(text);
        let detail = Words::of(&file_fault::AmountMalformed { shown: &shown });
        reader.fault(&section.at(key), RuleBookFaultKind::MoneyMalformed, detail);
    }
    amount
}

/// `25`, `25.5` or `25.50`.
fn amount_of(text: &str) -> Option<Cents> {
    let full = match text.split_once('.') {
        None => format!("{text}.00"),
        Some((_, part)) if part.len() == 1 => format!("{text}0"),
        Some(_) => text.to_owned(),
    };
    full.parse().ok()
}

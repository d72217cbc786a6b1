//! The rules about rules: what a rule book must be before it may be published.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::ball::Pool;
use crate::cents::Cents;
use crate::numbered::named;
use crate::paytable::PayTable;
use crate::returns::{
    Carried, Certificate, CertificateLine, JUDGED_MAX, RETURN_FLOOR, judge, judged_count,
};
use crate::rules::{
    ANSWER_DAYS_MAX, COPIES_MAX, FEDERAL_REPORT_MAX, Game, RuleBook, SECOND_COMPUTATION_MAX,
    WAIT_HOURS_MAX, WAYS_MAX,
};
use crate::selection::is_code_byte;

/// The most different wagers that one game may permit: each gets its own line in
/// the certificate, for each spot count.
const WAGERS_MAX: i64 = 10_000;

/// The largest single wager: a packed selection keeps it in 32 bits.
const WAGER_MAX: Cents = Cents::new(u32::MAX as i64);

named! {
    /// What is wrong with a rule book. Closed; in the order of the checks.
    RuleFaultCode {
        /// Versions count from 1.
        VersionZero "version_zero",
        /// The cap is zero or less.
        CapNotPositive "cap_not_positive",
        /// The threshold is below zero or above the cap.
        CapThresholdOutOfRange "cap_threshold_out_of_range",
        /// A limit is zero, more ways than 2,000 or more copies than 8.
        LimitOutOfRange "limit_out_of_range",
        /// A liability limit of zero or less.
        LiabilityNotPositive "liability_not_positive",
        /// Nothing to pay with.
        TendersMissing "tenders_missing",
        /// The same tender twice.
        TenderRepeated "tender_repeated",
        /// Change for a chip below zero.
        ChipChangeNegative "chip_change_negative",
        /// A confirm threshold is zero or less, or typing comes before the second key.
        ConfirmOutOfRange "confirm_out_of_range",
        /// A payout threshold is zero or less.
        PayoutOutOfRange "payout_out_of_range",
        /// Payments that wait for the second computation: a minute at least, a week at most.
        SecondComputationOutOfRange "second_computation_out_of_range",
        /// The federal report starts above 10,000.00; a house may only lower it.
        FederalReportRaised "federal_report_raised",
        /// No day to claim in.
        ClaimDaysZero "claim_days_zero",
        /// An amount, a number of hours or days for damaged tickets that is not one.
        DamagedOutOfRange "damaged_out_of_range",
        /// A text is empty in one of the languages.
        TextMissing "text_missing",
        /// A text holds control characters.
        TextMalformed "text_malformed",
        /// No game.
        GamesMissing "games_missing",
        /// A code is not 1 to 16 of `a-z`, `0-9` and the hyphen.
        GameCodeMalformed "game_code_malformed",
        /// Two games have the same code.
        GameCodeRepeated "game_code_repeated",
        /// The game can be played by no type of selection.
        TypesMissing "types_missing",
        /// Spots of zero, reversed, or beyond the pool.
        SpotsOutOfRange "spots_out_of_range",
        /// A spot count that may be played has no pay table.
        TableMissing "table_missing",
        /// Two tables for one spot count.
        TableRepeated "table_repeated",
        /// A table for more spots than the pool has numbers.
        TableBeyondPool "table_beyond_pool",
        /// A step, minimum or maximum that is zero or less.
        WagerNotPositive "wager_not_positive",
        /// The minimum is above the maximum.
        WagerReversed "wager_reversed",
        /// The minimum or the maximum is not a multiple of the step.
        WagerOffStep "wager_off_step",
        /// A single wager above 42,949,672.95.
        WagerTooLarge "wager_too_large",
        /// More than 10,000 different wagers.
        WagersTooMany "wagers_too_many",
        /// The most on the same numbers is below the maximum of one wager.
        SameNumbersBelowMaximum "same_numbers_below_maximum",
        /// Wagers × tables over all games are more than 200,000.
        ReturnsTooMany "returns_too_many",
        /// A return is beyond what can be counted.
        ReturnNotCountable "return_not_countable",
        /// A return is below 65 % (s. 85).
        ReturnBelowFloor "return_below_floor",
    }
}

/// One fault of a rule book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFault {
    /// Where, such as `games[0].tables[4].pays`.
    pub path: String,
    /// What.
    pub code: RuleFaultCode,
    /// For [`RuleFaultCode::ReturnBelowFloor`]: the lowest line of that table, with
    /// its exact fraction.
    pub line: Option<CertificateLine>,
}

impl std::error::Error for RuleFault {}

/// `games[0].tables[4].pays: return_below_floor: 5 spots, ticket of 1 x 2.00 + 2 x 0.50, return
/// 1335/2054 (64.995131 %)`.
impl fmt::Display for RuleFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.code.name())?;
        let Some(line) = &self.line else {
            return Ok(());
        };
        write!(formatter, ": {} spots, ", line.spots)?;
        match &line.carried {
            Carried::Alone => write!(formatter, "ticket of 1 x {}, return", line.wager)?,
            Carried::Ticket(wagers) => {
                for (index, one) in wagers.iter().enumerate() {
                    let joined = if index == 0 { "ticket of" } else { " +" };
                    write!(formatter, "{joined} {} x {}", one.copies, one.wager)?;
                    if one.game != line.game {
                        write!(formatter, " ({})", one.game)?;
                    }
                }
                formatter.write_str(", return")?;
            }
            Carried::UpTo { selections, total } => write!(
                formatter,
                "{} among up to {total} in {selections} selections, return at least",
                line.wager
            )?,
        }
        write!(
            formatter,
            " {} ({} %)",
            line.rate,
            line.rate.percent_text(6)
        )
    }
}

/// Collects faults.
struct Faults(Vec<RuleFault>);

impl Faults {
    fn require(&mut self, is_kept: bool, code: RuleFaultCode, path: &str) {
        if !is_kept {
            self.0.push(RuleFault {
                path: path.to_owned(),
                code,
                line: None,
            });
        }
    }

    fn require_text(&mut self, text: &str, path: &str) {
        self.require(!text.trim().is_empty(), RuleFaultCode::TextMissing, path);
        let is_plain = !text.chars().any(char::is_control);
        self.require(is_plain, RuleFaultCode::TextMalformed, path);
    }
}

impl RuleBook {
    /// Checks every rule about rules, then the return of every ticket that can be
    /// sold on the same numbers, with the cap applied (s. 85): exactly, or by a lower
    /// bound where the tickets are many ([`Certificate`]).
    ///
    /// # Errors
    /// Every fault, each with its place in the book, such as
    /// `games[0].tables[4].pays`. Returns are judged only in a book that has no
    /// other fault, since they rest on the rest.
    pub fn check(&self) -> Result<Certificate, Vec<RuleFault>> {
        let mut faults = Faults(Vec::new());
        check_book(self, &mut faults);
        for (index, game) in self.games.iter().enumerate() {
            let path = format!("games[{index}]");
            let mut earlier = self.games.iter().take(index);
            let is_first = !earlier.any(|other| other.code == game.code);
            let code_path = format!("{path}.code");
            faults.require(is_first, RuleFaultCode::GameCodeRepeated, &code_path);
            check_game(game, self.pool, &path, &mut faults);
        }
        if !faults.0.is_empty() {
            return Err(faults.0);
        }
        certify(self)
    }
}

fn check_book(book: &RuleBook, faults: &mut Faults) {
    use RuleFaultCode as Code;
    let zero = Cents::ZERO;
    faults.require(book.version > 0, Code::VersionZero, "version");
    faults.require(book.cap > zero, Code::CapNotPositive, "cap");
    faults.require(
        (zero..=book.cap.max(zero)).contains(&book.cap_threshold),
        Code::CapThresholdOutOfRange,
        "cap_threshold",
    );
    let limits = &book.limits;
    for (is_kept, path) in [
        (limits.selections_max > 0, "limits.selections_max"),
        (limits.draws_max > 0, "limits.draws_max"),
        ((1..=WAYS_MAX).contains(&limits.ways_max), "limits.ways_max"),
        (
            (1..=COPIES_MAX).contains(&limits.copies_max),
            "limits.copies_max",
        ),
    ] {
        faults.require(is_kept, Code::LimitOutOfRange, path);
    }
    faults.require(
        book.liability_max.is_none_or(|most| most > zero),
        Code::LiabilityNotPositive,
        "liability_max",
    );
    faults.require(!book.tenders.is_empty(), Code::TendersMissing, "tenders");
    for (index, tender) in book.tenders.iter().enumerate() {
        let is_first = !book.tenders.iter().take(index).any(|other| other == tender);
        faults.require(is_first, Code::TenderRepeated, &format!("tenders[{index}]"));
    }
    let confirm = &book.confirm;
    for (is_kept, path) in [
        (confirm.second_key > zero, "confirm.second_key"),
        (
            confirm.type_total >= confirm.second_key,
            "confirm.type_total",
        ),
        (confirm.draws > 0, "confirm.draws"),
    ] {
        faults.require(is_kept, Code::ConfirmOutOfRange, path);
    }
    check_payout(book, faults);
    faults.require(book.claim.days > 0, Code::ClaimDaysZero, "claim.days");
    let damaged = &book.damaged;
    let answered_after = u32::from(damaged.answer_days) * 24;
    for (is_kept, path) in [
        (damaged.at_once >= zero, "damaged.at_once"),
        (damaged.third_person > zero, "damaged.third_person"),
        (
            (1..=WAIT_HOURS_MAX).contains(&damaged.wait_hours),
            "damaged.wait_hours",
        ),
        (
            damaged.answer_days <= ANSWER_DAYS_MAX
                && answered_after >= u32::from(damaged.wait_hours),
            "damaged.answer_days",
        ),
    ] {
        faults.require(is_kept, Code::DamagedOutOfRange, path);
    }
    for (text, path) in [
        (&book.claim.place_fr, "claim.place_fr"),
        (&book.claim.place_en, "claim.place_en"),
        (&book.claim.cage_fr, "claim.cage_fr"),
        (&book.claim.cage_en, "claim.cage_en"),
        (&book.damaged.complaints_fr, "damaged.complaints_fr"),
        (&book.damaged.complaints_en, "damaged.complaints_en"),
    ] {
        faults.require_text(text, path);
    }
    faults.require(!book.games.is_empty(), Code::GamesMissing, "games");
}

/// From which amounts money that leaves needs more than a clerk, and what a chip gives back.
fn check_payout(book: &RuleBook, faults: &mut Faults) {
    use RuleFaultCode as Code;
    let zero = Cents::ZERO;
    let payout = &book.payout;
    for (amount, path) in [
        (payout.second_person, "payout.second_person"),
        (payout.cage, "payout.cage"),
        (payout.federal_report, "payout.federal_report"),
    ] {
        faults.require(amount > zero, Code::PayoutOutOfRange, path);
    }
    faults.require(
        book.chip_change >= zero,
        Code::ChipChangeNegative,
        "tenders.chip_change",
    );
    for (amount, path) in [
        (payout.cancel_alone, "payout.cancel_alone"),
        (payout.typed_alone, "payout.typed_alone"),
    ] {
        faults.require(amount >= zero, Code::PayoutOutOfRange, path);
    }
    faults.require(
        payout.federal_report <= FEDERAL_REPORT_MAX,
        Code::FederalReportRaised,
        "payout.federal_report",
    );
    faults.require(
        payout
            .second_computation
            .is_none_or(|minutes| (1..=SECOND_COMPUTATION_MAX).contains(&minutes)),
        Code::SecondComputationOutOfRange,
        "payout.second_computation",
    );
}

fn check_game(game: &Game, pool: Pool, path: &str, faults: &mut Faults) {
    use RuleFaultCode as Code;
    faults.require(
        (1..=16).contains(&game.code.len()) && game.code.bytes().all(is_code_byte),
        Code::GameCodeMalformed,
        &format!("{path}.code"),
    );
    faults.require_text(&game.name_fr, &format!("{path}.name_fr"));
    faults.require_text(&game.name_en, &format!("{path}.name_en"));
    faults.require(!game.types.is_empty(), Code::TypesMissing, path);
    for (kind, allowed) in &game.types {
        let path = format!("{path}.{}", kind.code());
        let is_range = game.is_of(pool, *kind);
        faults.require(is_range, Code::SpotsOutOfRange, &path);
        let has_tables =
            !is_range || (allowed.min..=allowed.max).all(|spots| game.table(spots).is_some());
        faults.require(has_tables, Code::TableMissing, &path);
    }
    for (index, table) in game.tables.iter().enumerate() {
        let path = format!("{path}.tables[{index}].spots");
        let mut earlier = game.tables.iter().take(index);
        let is_first = !earlier.any(|other| other.spots() == table.spots());
        faults.require(is_first, Code::TableRepeated, &path);
        faults.require(table.spots() <= pool.size(), Code::TableBeyondPool, &path);
    }
    check_wager(game, path, faults);
}

fn check_wager(game: &Game, path: &str, faults: &mut Faults) {
    use RuleFaultCode as Code;
    let wager = &game.wager;
    let at = |field: &str| format!("{path}.wager.{field}");
    let amounts = [
        (wager.step, "step"),
        (wager.min, "min"),
        (wager.max, "max"),
        (wager.same_numbers_max, "same_numbers_max"),
    ];
    for (amount, field) in amounts {
        faults.require(amount > Cents::ZERO, Code::WagerNotPositive, &at(field));
    }
    if amounts.iter().any(|(amount, _)| *amount <= Cents::ZERO) {
        return;
    }
    faults.require(wager.min <= wager.max, Code::WagerReversed, &at("max"));
    for (amount, field) in [(wager.min, "min"), (wager.max, "max")] {
        let is_step = amount.get() % wager.step.get() == 0;
        faults.require(is_step, Code::WagerOffStep, &at(field));
    }
    faults.require(wager.max <= WAGER_MAX, Code::WagerTooLarge, &at("max"));
    let steps = (wager.max.get() - wager.min.get()) / wager.step.get();
    faults.require(steps < WAGERS_MAX, Code::WagersTooMany, &at("step"));
    faults.require(
        wager.same_numbers_max >= wager.max,
        Code::SameNumbersBelowMaximum,
        &at("same_numbers_max"),
    );
}

fn certify(book: &RuleBook) -> Result<Certificate, Vec<RuleFault>> {
    let fault = |path: String, code, line| RuleFault { path, code, line };
    if judged_count(book) > JUDGED_MAX {
        let path = "games".to_owned();
        return Err(vec![fault(path, RuleFaultCode::ReturnsTooMany, None)]);
    }
    let played = book.games.iter().flat_map(|game| &game.tables);
    let played: BTreeSet<u8> = played.map(PayTable::spots).collect();
    // By game and spots; a table that can't be counted hides the others of its spots.
    let mut judged: BTreeMap<(usize, u8), Vec<CertificateLine>> = BTreeMap::new();
    let mut uncounted = BTreeSet::new();
    for spots in played {
        match judge(book, spots) {
            Ok(lines) => {
                for (game, line) in lines {
                    judged.entry((game, spots)).or_default().push(line);
                }
            }
            Err(game) => {
                uncounted.insert((game, spots));
            }
        }
    }
    let mut faults = Vec::new();
    let mut lines: Vec<CertificateLine> = Vec::new();
    for (game_index, game) in book.games.iter().enumerate() {
        let mut tables: Vec<(usize, &PayTable)> = game.tables.iter().enumerate().collect();
        tables.sort_by_key(|(_, table)| table.spots());
        for (table_index, table) in tables {
            let path = format!("games[{game_index}].tables[{table_index}].pays");
            let place = (game_index, table.spots());
            if uncounted.contains(&place) {
                faults.push(fault(path, RuleFaultCode::ReturnNotCountable, None));
                continue;
            }
            let table_lines = judged.remove(&place).unwrap_or_default();
            let lowest = lowest_line(&table_lines);
            if let Some(line) = lowest.filter(|line| line.rate < RETURN_FLOOR) {
                let line = Some(line.clone());
                faults.push(fault(path, RuleFaultCode::ReturnBelowFloor, line));
            }
            lines.extend(table_lines);
        }
    }
    match lowest_line(&lines).cloned() {
        Some(lowest) if faults.is_empty() => Ok(Certificate { lines, lowest }),
        _ => Err(faults),
    }
}

/// The line with the lowest rate, the first of equals.
fn lowest_line(lines: &[CertificateLine]) -> Option<&CertificateLine> {
    lines.iter().min_by(|a, b| a.rate.cmp(&b.rate))
}

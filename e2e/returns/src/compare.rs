//! One book after another: both programs, and the truth where it can be had.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use keno_audit::returns as second;
use keno_book::rules_file;
use keno_game::returns::{RETURN_FLOOR, return_of_ticket};
use keno_game::{
    Cents, Fraction, PayTable, Pays, RuleBook, RuleFaultCode, SelectionType, SpotsAllowed,
    WagerLimits,
};

use crate::asked::{Asked, GameAsked, Width, lift, random};
use crate::every_ticket::{Least, least};

/// What may be planted, and must be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// Central judges each wager in its copies, and no unequal wagers.
    Copies,
    /// The bound forgets the cents that are cut of scaled prizes.
    Uncut,
}

/// What is run.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Books.
    pub books: u64,
    /// Seed of all of them.
    pub seed: u64,
    /// The most tickets of a number of spots that are settled for the truth.
    pub tickets_max: u64,
    /// A fault.
    pub plant: Option<Planted>,
}

/// Slack of bounds over books of one kind, in parts of 10^12 of the wager.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Slack {
    /// Numbers of spots that were compared.
    pub bounds: u64,
    /// Where the bound is the truth.
    pub equal: u64,
    /// The sum.
    pub sum: u128,
    /// The largest.
    pub largest: u128,
    /// Where the truth is 65 % or more and the bound is not.
    pub refused_above: u64,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Books.
    pub books: u64,
    /// Of them refused.
    pub refused: u64,
    /// Whose lowest return is within a tenth of a percent of 65.
    pub near: u64,
    /// Lines on which both programs say the same fraction.
    pub lines: u64,
    /// Numbers of spots judged by single wagers, by every ticket, by a bound.
    pub judged: [u64; 3],
    /// Numbers of spots of which every ticket was settled here, and the tickets.
    pub settled: (u64, u64),
    /// Slack of the bounds among them: of one game whose prizes are whole cents, of one whose prizes
    /// are rounded down, of two games.
    pub slack: [Slack; 3],
    /// What is wrong.
    pub breaches: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [alone, tickets, bounds] = self.judged;
        writeln!(
            formatter,
            "{} books, {} refused, {} within 0.1 % of 65 %; {} lines agree",
            self.books, self.refused, self.near, self.lines
        )?;
        writeln!(
            formatter,
            "numbers of spots: {alone} by single wagers, {tickets} by every ticket, {bounds} by a \
             bound; {} settled here, {} tickets",
            self.settled.0, self.settled.1
        )?;
        let kinds = ["one game, whole cents", "one game, cut cents", "two games"];
        for (kind, slack) in kinds.iter().zip(&self.slack) {
            writeln!(
                formatter,
                "bounds, {kind}: {} compared, {} equal, mean slack {} %, largest {} %, {} refused \
                 whose tickets all keep 65 %",
                slack.bounds,
                slack.equal,
                percent(slack.sum.checked_div(u128::from(slack.bounds)).unwrap_or(0)),
                percent(slack.largest),
                slack.refused_above
            )?;
        }
        for breach in self.breaches.iter().take(20) {
            writeln!(formatter, "BREACH {breach}")?;
        }
        write!(formatter, "{} breaches", self.breaches.len())
    }
}

/// Parts of 10^12 as a percentage with ten decimals.
fn percent(parts: u128) -> String {
    format!("{}.{:010}", parts / 10_000_000_000, parts % 10_000_000_000)
}

/// Least returns by place of the game and spots, wagers ascending.
type Lines = BTreeMap<(String, u8), Vec<(i64, Fraction)>>;

/// Runs the plan.
#[must_use]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::default();
    for number in 0..plan.books {
        let (width, mut asked) = random(plan.seed, number);
        aim(&mut asked);
        report.books += 1;
        if let Err(breach) = judge(plan, width, &asked, &mut report) {
            let breach = format!("book {number} of seed {}: {breach}", plan.seed);
            report.breaches.push(breach);
        }
    }
    report
}

/// Brings the lowest return of each table near 65 %, from below or from above.
fn aim(asked: &mut Asked) {
    for _ in 0..3 {
        let Ok(book) = second_book(asked) else { return };
        let Ok(lines) = second::returns(&book) else {
            return;
        };
        let tables = lines.chunk_by(|a, b| (&a.game, a.spots) == (&b.game, b.spots));
        for table in tables {
            let Some(lowest) = second::lowest(table) else {
                continue;
            };
            let game = lowest.game.strip_prefix("game-");
            let game = game.and_then(|at| at.parse().ok()).unwrap_or(0);
            let (above, below) = (lowest.rate.numerator, lowest.rate.denominator);
            let rate = match above.checked_mul(1 << 40) {
                Some(above) => above / below,
                None => above / (below >> 40).max(1),
            };
            let rate = i64::try_from(rate).unwrap_or(i64::MAX);
            let floor = 65 * (1_i64 << 40) / 100;
            lift(asked, game, lowest.spots, floor - rate);
        }
    }
}

fn second_book(asked: &Asked) -> Result<keno_audit::rule_book::RuleBook, String> {
    keno_audit::rule_book::RuleBook::parse(&asked.text()).map_err(|fault| fault.to_string())
}

fn judge(plan: &Plan, width: Width, asked: &Asked, report: &mut Report) -> Result<(), String> {
    let book = second_book(asked)?;
    let found = second::returns(&book).map_err(|fault| fault.to_string())?;
    let mut lines = Lines::new();
    for line in &found {
        let rate = Fraction {
            numerator: line.rate.numerator,
            denominator: line.rate.denominator,
        };
        if line.rate.is_below_least() != (rate < RETURN_FLOOR) {
            return Err(format!("{line}: below the floor, or not"));
        }
        let table = lines.entry((line.game.clone(), line.spots)).or_default();
        table.push((line.wager_cents, rate));
    }
    let is_refused = agree(asked, &lines, report)?;
    report.refused += u64::from(is_refused);
    let lowest = lines.values().flatten().map(|(_, rate)| *rate).min();
    let is_near = |rate: Fraction| {
        let (low, high) = (Fraction::new(649, 1_000), Fraction::new(651, 1_000));
        low.is_some_and(|low| low <= rate) && high.is_some_and(|high| rate <= high)
    };
    report.near += u64::from(lowest.is_some_and(is_near));
    let spots: BTreeSet<u8> = lines.keys().map(|(_, spots)| *spots).collect();
    for spots in spots {
        let of_spots = || found.iter().filter(move |line| line.spots == spots);
        let Some(line) = of_spots().next() else {
            continue;
        };
        let mode = match line.carried {
            second::Carried::Alone => 0,
            second::Carried::Ticket(_) => 1,
            second::Carried::UpTo { .. } => 2,
        };
        if let Some(count) = report.judged.get_mut(mode) {
            *count += 1;
        }
        if width == Width::House {
            continue;
        }
        let Some(truth) = least(asked, spots, plan.tickets_max) else {
            continue;
        };
        let said = lines
            .iter()
            .filter(|((_, of), _)| *of == spots)
            .flat_map(|(_, rates)| rates.iter().map(|(_, rate)| *rate))
            .min()
            .ok_or("no line")?;
        let said = match plan.plant {
            Some(Planted::Copies) => copies(asked, spots).unwrap_or(said),
            // A cent of each draw at the most, on all that a ticket can cost.
            Some(Planted::Uncut) if mode == 2 => uncut(asked, spots).unwrap_or(said),
            _ => said,
        };
        report.settled.0 += 1;
        report.settled.1 += truth.tickets;
        weigh(asked, mode, said, &truth, report)
            .map_err(|fault| format!("{spots} spots: {fault}"))?;
    }
    Ok(())
}

/// Whether central refuses what the second computation refuses, for the same fractions.
fn agree(asked: &Asked, lines: &Lines, report: &mut Report) -> Result<bool, String> {
    match rules_file::read(&asked.text()) {
        Ok(file) => {
            let mut others = Lines::new();
            for line in file.certificate.lines {
                let table = others.entry((line.game, line.spots)).or_default();
                table.push((line.wager.get(), line.rate));
            }
            if others != *lines {
                return Err("the lines of both programs differ".to_owned());
            }
            let all = || lines.values().flatten().map(|(_, rate)| *rate);
            if all().min() != Some(file.certificate.lowest.rate) {
                return Err("the lowest line is not the lowest".to_owned());
            }
            if let Some(rate) = all().find(|rate| *rate < RETURN_FLOOR) {
                return Err(format!("central publishes what the audit refuses: {rate}"));
            }
            report.lines += all().count() as u64;
            Ok(false)
        }
        Err(faults) => {
            let mut below: Lines = lines.clone();
            below.retain(|_, rates| rates.iter().any(|(_, rate)| *rate < RETURN_FLOOR));
            if below.is_empty() {
                return Err(format!("central refuses what the audit takes: {faults:?}"));
            }
            let rules = rules_of(asked)?;
            let faults = rules.check().err().ok_or("refused, and not refused")?;
            for fault in &faults {
                let line = fault.line.as_ref().ok_or_else(|| fault.to_string())?;
                let rates = below.remove(&(line.game.clone(), line.spots));
                let rates = rates.ok_or_else(|| format!("refused by central alone: {fault}"))?;
                let lowest = rates.iter().map(|(_, rate)| *rate).min();
                if fault.code != RuleFaultCode::ReturnBelowFloor || lowest != Some(line.rate) {
                    return Err(format!("{fault}, and the audit says {lowest:?}"));
                }
                report.lines += 1;
            }
            match below.keys().next() {
                Some(table) => Err(format!("refused by the audit alone: {table:?}")),
                None => Ok(true),
            }
        }
    }
}

/// The same book as central's rules have it, whether or not they would publish it.
fn rules_of(asked: &Asked) -> Result<RuleBook, String> {
    // Any lawful book gives what returns do not rest on.
    let one = GameAsked {
        step: 100,
        min: 100,
        max: 100,
        same_numbers: 100,
        tables: BTreeMap::from([(1, BTreeMap::from([(1, 300)]))]),
    };
    let lawful = Asked {
        pool: asked.pool,
        cap: 1_000_000,
        full_below: 0,
        selections: 1,
        games: vec![one],
    };
    let file = rules_file::read(&lawful.text()).map_err(|faults| format!("{faults:?}"))?;
    let mut rules = file.rules;
    let cents = |amount: u64| {
        i64::try_from(amount)
            .map(Cents::new)
            .map_err(|it| it.to_string())
    };
    rules.cap = cents(asked.cap)?;
    rules.cap_threshold = cents(asked.full_below)?;
    rules.limits.selections_max =
        u8::try_from(asked.selections).map_err(|fault| fault.to_string())?;
    let template = rules.games.pop().ok_or("a lawful book has a game")?;
    for (at, game) in asked.games.iter().enumerate() {
        let mut rule = template.clone();
        rule.code = format!("game-{at}");
        rule.wager = WagerLimits {
            step: cents(game.step)?,
            min: cents(game.min)?,
            max: cents(game.max)?,
            same_numbers_max: cents(game.same_numbers)?,
        };
        let first = game.tables.keys().next().copied().unwrap_or(1);
        let spots = SpotsAllowed {
            min: first,
            max: first,
        };
        rule.types.insert(SelectionType::Straight, spots);
        rule.tables = Vec::new();
        for (spots, pays) in &game.tables {
            let pays: Vec<(u8, Pays)> = pays
                .iter()
                .map(|(catch, paid)| {
                    let hundredths = u32::try_from(*paid).unwrap_or(u32::MAX);
                    (*catch, Pays::from_hundredths(hundredths))
                })
                .collect();
            let table = PayTable::new(*spots, &pays).map_err(|fault| fault.to_string())?;
            rule.tables.push(table);
        }
        rules.games.push(rule);
    }
    Ok(rules)
}

/// Puts the slack of a bound where it belongs.
fn weigh(
    asked: &Asked,
    mode: usize,
    said: Fraction,
    truth: &Least,
    report: &mut Report,
) -> Result<(), String> {
    let rate = Fraction::new(truth.paid, truth.wagered).ok_or("nothing is wagered")?;
    if said > rate {
        return Err(format!("{said} is said, and a ticket returns {rate}"));
    }
    if mode < 2 {
        return if said == rate {
            Ok(())
        } else {
            Err(format!("{said} is said to be exact, and it is {rate}"))
        };
    }
    let at = match &asked.games[..] {
        [game] if has_cut_cents(game) => 1,
        [_] => 0,
        _ => 2,
    };
    let Some(slack) = report.slack.get_mut(at) else {
        return Ok(());
    };
    let over = parts(rate).saturating_sub(parts(said));
    slack.bounds += 1;
    slack.equal += u64::from(said == rate);
    slack.sum += over;
    slack.largest = slack.largest.max(over);
    slack.refused_above += u64::from(said < RETURN_FLOOR && rate >= RETURN_FLOOR);
    Ok(())
}

/// Whether any prize of a wager is rounded down to the cent.
fn has_cut_cents(game: &GameAsked) -> bool {
    let mut pays = game.tables.values().flat_map(|pays| pays.values());
    pays.any(|pays| !(pays * game.step).is_multiple_of(100))
}

/// A fraction in parts of 10^12, cut, by long division.
fn parts(rate: Fraction) -> u128 {
    let (mut whole, mut rest) = (
        rate.numerator / rate.denominator,
        rate.numerator % rate.denominator,
    );
    for _ in 0..12 {
        let (mut digit, mut next) = (0, 0_u128);
        for _ in 0..10 {
            if next >= rate.denominator - rest {
                next -= rate.denominator - rest;
                digit += 1;
            } else {
                next += rest;
            }
        }
        whole = whole * 10 + digit;
        rest = next;
    }
    whole
}

/// Planted: each wager in as many copies as a ticket may carry.
fn copies(asked: &Asked, spots: u8) -> Option<Fraction> {
    let rules = rules_of(asked).ok()?;
    let mut least = None;
    for game in &rules.games {
        let Some(table) = game.table(spots) else {
            continue;
        };
        let mut wager = game.wager.min;
        while wager <= game.wager.max {
            let most = game.wager.same_numbers_max.get() / wager.get();
            let copies = most.min(i64::from(rules.limits.selections_max));
            let rate = return_of_ticket(
                table,
                rules.pool,
                &[(wager, copies.unsigned_abs())],
                rules.cap,
                rules.cap_threshold,
            );
            let rate = rate.ok()?;
            least = Some(least.map_or(rate, |least: Fraction| least.min(rate)));
            wager = Cents::new(wager.get() + game.wager.step.get());
        }
    }
    least
}

/// Planted: the bound of a cap that is larger by the cents which may be cut.
fn uncut(asked: &Asked, spots: u8) -> Option<Fraction> {
    let mut more = asked.clone();
    more.cap += asked.selections.saturating_sub(1);
    let lines = second::returns(&second_book(&more).ok()?).ok()?;
    let of_spots = lines.iter().filter(|line| line.spots == spots);
    let rates = of_spots.map(|line| Fraction {
        numerator: line.rate.numerator,
        denominator: line.rate.denominator,
    });
    rates.min()
}

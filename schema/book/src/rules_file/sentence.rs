//! What the rules about rules say.

use keno_game::{
    Carried, CarriedWager, CertificateLine, RuleBook, RuleFault, RuleFaultCode, SelectionType,
    SpotsAllowed,
};
use keno_words::{Decimal, Joined, Money, Say, rule};

use crate::toml_faults::Words;

/// The words of a fault, with its figures.
pub(super) fn words(rules: &RuleBook, fault: &RuleFault) -> Words {
    match (fault.code, &fault.line) {
        (RuleFaultCode::ReturnBelowFloor, Some(line)) => return_words(line),
        (RuleFaultCode::TableMissing, _) => table_words(rules, &fault.path),
        (code, _) => Words::of(rule_words(code)),
    }
}

/// Game, spots, what is carried on the same numbers and the exact fraction. The percentage is
/// cut, not rounded, so that what is below 65 never reads 65.
fn return_words(line: &CertificateLine) -> Words {
    let carried = match &line.carried {
        Carried::Alone => ticket_words(line, &[alone(line)]),
        Carried::Ticket(wagers) => ticket_words(line, wagers),
        Carried::UpTo { selections, total } => Words::of(&rule::CarriedUpTo {
            wager: &Money(line.wager.get()),
            total: &Money(total.get()),
            selections,
        }),
    };
    Words::of(&rule::ReturnBelow {
        game: &line.game,
        spots: &line.spots,
        carried: &carried,
        rate: &line.rate.to_string(),
        percent: &Decimal(&line.rate.percent_text(6)),
    })
}

fn alone(line: &CertificateLine) -> CarriedWager {
    CarriedWager {
        game: line.game.clone(),
        wager: line.wager,
        copies: 1,
    }
}

/// The wagers of one ticket, each with its game where that is another than the line's.
fn ticket_words(line: &CertificateLine, wagers: &[CarriedWager]) -> Words {
    let wagers: Vec<Words> = wagers
        .iter()
        .map(|one| {
            let (copies, wager) = (&one.copies, &Money(one.wager.get()));
            let other_game = (one.game != line.game).then_some(rule::InGame { game: &one.game });
            Words::of(&rule::CarriedWager {
                copies,
                wager,
                game: &other_game,
            })
        })
        .collect();
    Words::of(&rule::OnTicket {
        wagers: &Joined(&wagers, " + "),
    })
}

/// Which spots lack a table.
fn table_words(rules: &RuleBook, path: &str) -> Words {
    let missing = missing_spots(rules, path).unwrap_or_default();
    if missing.is_empty() {
        return Words::of(&rule::TableMissing);
    }
    Words::of(&rule::SpotsWithoutTable { missing: &missing })
}

fn missing_spots(rules: &RuleBook, path: &str) -> Option<String> {
    let (game, kind) = path.strip_prefix("games[")?.split_once("].")?;
    let game = rules.games.get(game.parse::<usize>().ok()?)?;
    let SpotsAllowed { min, max } = game.spots_allowed(SelectionType::from_code(kind)?)?;
    let missing: Vec<String> = (min..=max)
        .filter(|spots| game.table(*spots).is_none())
        .map(|spots| spots.to_string())
        .collect();
    Some(missing.join(", "))
}

/// The words of a rule, without figures.
pub(super) fn rule_words(code: RuleFaultCode) -> &'static dyn Say {
    use RuleFaultCode as Code;
    match code {
        Code::VersionZero => &rule::VersionZero,
        Code::CapNotPositive => &rule::CapNotPositive,
        Code::CapThresholdOutOfRange => &rule::CapThresholdOutOfRange,
        Code::LimitOutOfRange => &rule::LimitOutOfRange,
        Code::LiabilityNotPositive => &rule::LiabilityNotPositive,
        Code::TendersMissing => &rule::TendersMissing,
        Code::TenderRepeated => &rule::TenderRepeated,
        Code::ChipChangeNegative => &rule::ChipChangeNegative,
        Code::ConfirmOutOfRange => &rule::ConfirmOutOfRange,
        Code::PayoutOutOfRange => &rule::PayoutOutOfRange,
        Code::SecondComputationOutOfRange => &rule::SecondComputationOutOfRange,
        Code::FederalReportRaised => &rule::FederalReportRaised,
        Code::ClaimDaysZero => &rule::ClaimDaysZero,
        Code::DamagedOutOfRange => &rule::DamagedOutOfRange,
        Code::TextMissing => &rule::TextMissing,
        Code::TextMalformed => &rule::TextMalformed,
        Code::GamesMissing => &rule::GamesMissing,
        Code::GameCodeMalformed => &rule::GameCodeMalformed,
        Code::GameCodeRepeated => &rule::GameCodeRepeated,
        Code::TypesMissing => &rule::TypesMissing,
        Code::SpotsOutOfRange => &rule::SpotsOutOfRange,
        Code::TableMissing => &rule::TableMissing,
        Code::TableRepeated => &rule::TableRepeated,
        Code::TableBeyondPool => &rule::TableBeyondPool,
        Code::WagerNotPositive => &rule::WagerNotPositive,
        Code::WagerReversed => &rule::WagerReversed,
        Code::WagerOffStep => &rule::WagerOffStep,
        Code::WagerTooLarge => &rule::WagerTooLarge,
        Code::WagersTooMany => &rule::WagersTooMany,
        Code::SameNumbersBelowMaximum => &rule::SameNumbersBelowMaximum,
        Code::ReturnsTooMany => &rule::ReturnsTooMany,
        Code::ReturnNotCountable => &rule::ReturnNotCountable,
        Code::ReturnBelowFloor => &rule::ReturnBelowFloor,
    }
}

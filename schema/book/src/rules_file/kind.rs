//! What can be wrong with a rule book's text, by name.

use keno_game::RuleFaultCode;

use crate::toml_faults::FormFault;

/// What is wrong with a rule book's text. Closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleBookFaultKind {
    /// The form of the file.
    Form(FormFault),
    /// An amount of money that is not a decimal text with at most two decimals.
    MoneyMalformed,
    /// Neither 20 of 80 nor 20 of 70.
    PoolUnknown,
    /// A key of `pays` that is no count of spots.
    SpotsMalformed,
    /// A key of a pay table that is no catch of so many spots.
    CatchMalformed,
    /// A prize for one that is not a decimal text with at most two decimals.
    PaysMalformed,
    /// A counter's wager that the game does not sell.
    CounterWagerRefused,
    /// More express picks than a counter has keys.
    ExpressTooMany,
    /// An express pick of a game that the book does not have.
    ExpressGameUnknown,
    /// An express pick of more or fewer numbers than a straight selection of its game may have.
    ExpressSpotsRefused,
    /// A change of a game that the book does not have.
    ChangedGameUnknown,
    /// A text whose other lines could not be kept as they are.
    NotKept,
    /// A rule about rules.
    Rule(RuleFaultCode),
}

impl RuleBookFaultKind {
    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Form(form) => form.name(),
            Self::MoneyMalformed => "money_malformed",
            Self::PoolUnknown => "pool_unknown",
            Self::SpotsMalformed => "spots_malformed",
            Self::CatchMalformed => "catch_malformed",
            Self::PaysMalformed => "pays_malformed",
            Self::CounterWagerRefused => "counter_wager_refused",
            Self::ExpressTooMany => "express_too_many",
            Self::ExpressGameUnknown => "express_game_unknown",
            Self::ExpressSpotsRefused => "express_spots_refused",
            Self::ChangedGameUnknown => "changed_game_unknown",
            Self::NotKept => "not_kept",
            Self::Rule(code) => code.name(),
        }
    }

    /// Every one.
    pub fn all() -> impl Iterator<Item = Self> {
        let own = [
            Self::MoneyMalformed,
            Self::PoolUnknown,
            Self::SpotsMalformed,
            Self::CatchMalformed,
            Self::PaysMalformed,
            Self::CounterWagerRefused,
            Self::ExpressTooMany,
            Self::ExpressGameUnknown,
            Self::ExpressSpotsRefused,
            Self::ChangedGameUnknown,
            Self::NotKept,
        ];
        let forms = FormFault::ALL.into_iter().map(Self::Form);
        let rules = RuleFaultCode::ALL.into_iter().map(Self::Rule);
        forms.chain(own).chain(rules)
    }

    /// Whether a value could not be read, so that another stands in for it.
    pub(super) fn leaves_a_gap(self) -> bool {
        !matches!(
            self,
            Self::Form(FormFault::KeyUnknown)
                | Self::CounterWagerRefused
                | Self::ExpressTooMany
                | Self::ExpressGameUnknown
                | Self::ExpressSpotsRefused
                | Self::Rule(_)
        )
    }
}

impl From<FormFault> for RuleBookFaultKind {
    fn from(form: FormFault) -> Self {
        Self::Form(form)
    }
}

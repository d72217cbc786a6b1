//! What the rules about rules say, in both languages.

use std::fmt::Write;

use keno_game::{CertificateLine, RuleBook, RuleFault, RuleFaultCode, SpotsAllowed};

use crate::toml_faults::Words;

/// The words of a fault, with its figures.
pub(super) fn words(rules: &RuleBook, fault: &RuleFault) -> Words {
    match (fault.code, &fault.line) {
        (RuleFaultCode::ReturnBelowFloor, Some(line)) => return_words(line),
        (RuleFaultCode::TableMissing, _) => table_words(rules, &fault.path),
        (code, _) => rule_words(code),
    }
}

/// Game, spots, wager and the exact fraction. The percentage is cut, not rounded, so that what
/// is below 65 never reads 65.
fn return_words(line: &CertificateLine) -> Words {
    let (game, spots, copies, rate) = (&line.game, line.spots, line.copies, line.rate);
    let percent = rate.percent_text(6);
    let mut fr = format!(
        "jeu {game}, {spots} numéros, mise de {} portée {copies} fois sur les mêmes numéros",
        line.wager.text_fr()
    );
    let mut en = format!(
        "game {game}, {spots} spots, wager of {} carried {copies} times on the same numbers",
        line.wager.text_en()
    );
    if let Some((wager, copies)) = line.beside {
        // Writing to a String cannot fail.
        let _ = write!(fr, " et {} portée {copies} fois", wager.text_fr());
        let _ = write!(en, " and {} carried {copies} times", wager.text_en());
    }
    let _ = write!(
        fr,
        " : le retour est {rate} ({} %), sous 65 % (art. 85)",
        percent.replace('.', ",")
    );
    let _ = write!(
        en,
        ": the return is {rate} ({percent} %), below 65 % (s. 85)"
    );
    Words::new(fr, en)
}

/// Which spots lack a table.
fn table_words(rules: &RuleBook, path: &str) -> Words {
    let missing = missing_spots(rules, path).unwrap_or_default();
    if missing.is_empty() {
        return rule_words(RuleFaultCode::TableMissing);
    }
    Words::new(
        format!("il n’y a pas de table de lots pour {missing} numéros"),
        format!("there is no pay table for {missing} spots"),
    )
}

fn missing_spots(rules: &RuleBook, path: &str) -> Option<String> {
    let (game, kind) = path.strip_prefix("games[")?.split_once("].")?;
    let game = rules.games.get(game.parse::<usize>().ok()?)?;
    let SpotsAllowed { min, max } = match kind {
        "straight" => game.straight,
        "way" => game.way,
        "king" => game.king,
        _ => None,
    }?;
    let missing: Vec<String> = (min..=max)
        .filter(|spots| game.table(*spots).is_none())
        .map(|spots| spots.to_string())
        .collect();
    Some(missing.join(", "))
}

/// The words of a rule, without figures.
pub(super) fn rule_words(code: RuleFaultCode) -> Words {
    use RuleFaultCode as Code;
    let (fr, en) = match code {
        Code::VersionZero => (
            "les versions comptent à partir de 1",
            "versions count from 1",
        ),
        Code::CapNotPositive => (
            "le maximum payable par tirage doit être plus que zéro (art. 77)",
            "the maximum payable per draw must be more than zero (s. 77)",
        ),
        Code::CapThresholdOutOfRange => (
            "le seuil doit être de zéro au maximum payable par tirage",
            "the threshold must be from zero to the maximum payable per draw",
        ),
        Code::LimitOutOfRange => (
            "la limite doit être au moins 1, et pour les combinaisons au plus 2 000",
            "the limit must be at least 1, and for ways at most 2,000",
        ),
        Code::LiabilityNotPositive => (
            "la limite d’engagement doit être plus que zéro",
            "the liability limit must be more than zero",
        ),
        Code::TendersMissing => (
            "il faut au moins un mode de paiement",
            "at least one tender is needed",
        ),
        Code::TenderRepeated => (
            "ce mode de paiement est donné deux fois",
            "this tender is given twice",
        ),
        Code::ConfirmOutOfRange => (
            "le seuil doit être plus que zéro, et celui du total tapé au moins celui de l’autre touche",
            "the threshold must be more than zero, and that of the typed total at least that of the other key",
        ),
        Code::PayoutOutOfRange => (
            "le seuil doit être plus que zéro",
            "the threshold must be more than zero",
        ),
        Code::FederalReportRaised => (
            "la maison peut abaisser le seuil fédéral de 10 000,00 $, jamais le hausser",
            "the house may lower the federal threshold of $10,000.00, never raise it",
        ),
        Code::ClaimDaysZero => (
            "il faut au moins un jour pour réclamer un lot (art. 86)",
            "at least one day to claim a prize is needed (s. 86)",
        ),
        Code::TextMissing => ("le texte est vide", "the text is empty"),
        Code::TextMalformed => (
            "le texte contient des caractères de commande ou des sauts de ligne",
            "the text holds control characters or line breaks",
        ),
        Code::GamesMissing => ("il faut au moins un jeu", "at least one game is needed"),
        Code::GameCodeMalformed => (
            "le code est fait de 1 à 16 signes parmi a-z, 0-9 et le trait d’union",
            "the code is made of 1 to 16 of a-z, 0-9 and the hyphen",
        ),
        Code::GameCodeRepeated => (
            "un autre jeu a le même code",
            "another game has the same code",
        ),
        Code::TypesMissing => (
            "le jeu n’a ni sélection simple, ni à combinaisons, ni royale",
            "the game has no straight, way or king selection",
        ),
        Code::SpotsOutOfRange => (
            "les bornes vont de 1 à la taille du bassin, la petite d’abord",
            "the bounds go from 1 to the size of the pool, the smaller first",
        ),
        Code::TableMissing => ("il manque une table de lots", "a pay table is missing"),
        Code::TableRepeated => (
            "une autre table est pour autant de numéros",
            "another table is for as many spots",
        ),
        Code::TableBeyondPool => (
            "la table est pour plus de numéros que le bassin n’en a",
            "the table is for more spots than the pool has numbers",
        ),
        Code::WagerNotPositive => (
            "le montant doit être plus que zéro",
            "the amount must be more than zero",
        ),
        Code::WagerReversed => (
            "la mise maximale est sous la minimale",
            "the largest wager is below the smallest",
        ),
        Code::WagerOffStep => (
            "la mise n’est pas un multiple du pas",
            "the wager is not a multiple of the step",
        ),
        Code::WagerTooLarge => (
            "une mise ne peut dépasser 42 949 672,95 $",
            "a wager can't exceed $42,949,672.95",
        ),
        Code::WagersTooMany => (
            "plus de 10 000 mises différentes; élargir le pas",
            "more than 10,000 different wagers; widen the step",
        ),
        Code::SameNumbersBelowMaximum => (
            "le plus sur les mêmes numéros est sous la mise maximale",
            "the most on the same numbers is below the largest wager",
        ),
        Code::ReturnNotCountable => (
            "le retour dépasse ce qui peut se compter",
            "the return is beyond what can be counted",
        ),
        Code::ReturnBelowFloor => (
            "le retour est sous 65 % (art. 85)",
            "the return is below 65 % (s. 85)",
        ),
    };
    Words::new(fr, en)
}

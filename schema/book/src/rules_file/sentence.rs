//! What the rules about rules say, in both languages.

use keno_game::{
    Carried, CarriedWager, CertificateLine, RuleBook, RuleFault, RuleFaultCode, SelectionType,
    SpotsAllowed,
};

use crate::toml_faults::Words;

/// The words of a fault, with its figures.
pub(super) fn words(rules: &RuleBook, fault: &RuleFault) -> Words {
    match (fault.code, &fault.line) {
        (RuleFaultCode::ReturnBelowFloor, Some(line)) => return_words(line),
        (RuleFaultCode::TableMissing, _) => table_words(rules, &fault.path),
        (code, _) => rule_words(code),
    }
}

/// Game, spots, what is carried on the same numbers and the exact fraction. The percentage is
/// cut, not rounded, so that what is below 65 never reads 65.
fn return_words(line: &CertificateLine) -> Words {
    let (game, spots, rate) = (&line.game, line.spots, line.rate);
    let percent = rate.percent_text(6);
    let (fr, en) = match &line.carried {
        Carried::Alone => ticket_words(line, &[alone(line)]),
        Carried::Ticket(wagers) => ticket_words(line, wagers),
        Carried::UpTo { selections, total } => (
            format!(
                "mise de {} dans un billet qui porte jusqu’à {} en {selections} sélections sur les \
                 mêmes numéros : le retour n’est assuré qu’à",
                line.wager.text_fr(),
                total.text_fr()
            ),
            format!(
                "wager of {} on a ticket that carries up to {} in {selections} selections on the \
                 same numbers: the return is only sure to be",
                line.wager.text_en(),
                total.text_en()
            ),
        ),
    };
    Words::new(
        format!(
            "jeu {game}, {spots} numéros, {fr} {rate} ({} %), sous 65 % (art. 85)",
            percent.replace('.', ",")
        ),
        format!("game {game}, {spots} spots, {en} {rate} ({percent} %), below 65 % (s. 85)"),
    )
}

fn alone(line: &CertificateLine) -> CarriedWager {
    CarriedWager {
        game: line.game.clone(),
        wager: line.wager,
        copies: 1,
    }
}

/// The wagers of one ticket, each with its game where that is another than the line's.
fn ticket_words(line: &CertificateLine, wagers: &[CarriedWager]) -> (String, String) {
    let of = |one: &CarriedWager, before: &str| match one.game == line.game {
        true => String::new(),
        false => format!(" {before} {}", one.game),
    };
    let fr: Vec<String> = wagers
        .iter()
        .map(|one| {
            let of = of(one, "au jeu");
            format!("{} × {}{of}", one.copies, one.wager.text_fr())
        })
        .collect();
    let en: Vec<String> = wagers
        .iter()
        .map(|one| {
            let of = of(one, "in game");
            format!("{} × {}{of}", one.copies, one.wager.text_en())
        })
        .collect();
    (
        format!(
            "billet de {} sur les mêmes numéros : le retour est",
            fr.join(" + ")
        ),
        format!(
            "a ticket of {} on the same numbers: the return is",
            en.join(" + ")
        ),
    )
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
    let SpotsAllowed { min, max } = game.spots_allowed(SelectionType::from_code(kind)?)?;
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
            "la limite doit être au moins 1, pour les combinaisons au plus 2 000, pour les exemplaires au plus 8",
            "the limit must be at least 1, for ways at most 2,000, for copies at most 8",
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
        Code::DamagedOutOfRange => (
            "pour un billet endommagé, un montant n’est pas négatif, l’attente est de 1 à 720 heures, et la réponse vient après elle, en 90 jours au plus",
            "for a damaged ticket no amount is negative, the wait is 1 to 720 hours, and the answer comes after it, within 90 days",
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
        Code::ReturnsTooMany => (
            "le livre demande plus de 200 000 retours (mises permises × tables de lots, tous les jeux)",
            "the book asks for more than 200,000 returns (permitted wagers × pay tables, all games)",
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

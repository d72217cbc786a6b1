//! What a rule book whose return is too low is told, in both languages.

use keno_book::rules_file;
use keno_words::Say;

const DEMONSTRATION: &str = include_str!("../../../samples/rules/demonstration.toml");

/// Whoever reads it sees the ticket that returns too little, or how far tickets can be filled.
#[test]
fn a_return_below_the_floor_names_what_is_carried_on_the_same_numbers() {
    let changed = |changes: &[(&str, &str)]| {
        let from = DEMONSTRATION.find("[game.pays]").unwrap_or(0);
        let five = "[game.pays]\n5 = { 1 = \"0.25\", 3 = \"4.64\", 4 = \"12.75\", 5 = \"450\" }\n";
        let mut text = format!("{}{five}", &DEMONSTRATION[..from]);
        let (start, end) = (text.find("[counter]"), text.find("[[game]]"));
        text.replace_range(start.unwrap_or(0)..end.unwrap_or(0), "");
        for (old, new) in [
            ("min = 1, max = 10", "min = 5, max = 5"),
            ("\"50000.00\"", "\"50.00\""),
            ("full_below = \"1000.00\"", "full_below = \"0\""),
        ]
        .iter()
        .chain(changes)
        {
            assert!(text.contains(old), "{old}");
            text = text.replace(old, new);
        }
        let Err(found) = rules_file::read(&text) else {
            panic!("it is not refused");
        };
        assert_eq!(found.len(), 1, "{found:?}");
        (found[0].fr(), found[0].en())
    };
    let (fr, en) = changed(&[
        ("selections = 4", "selections = 2"),
        ("max = \"20.00\"", "max = \"2.50\""),
        ("same_numbers = \"20.00\"", "same_numbers = \"4.00\""),
    ]);
    let ends = |text: &str, end: &str| assert!(text.ends_with(end), "{text}");
    ends(
        &fr,
        "jeu keno, 5 numéros, billet de 1 × 1,50\u{a0}$ + 1 × 2,50\u{a0}$ sur les mêmes numéros : \
         le retour est 149313/230048 (64,905150 %), sous 65 % (art. 85).",
    );
    ends(
        &en,
        "game keno, 5 spots, a ticket of 1 × $1.50 + 1 × $2.50 on the same numbers: the return is \
         149313/230048 (64.905150 %), below 65 % (s. 85).",
    );
    let (fr, en) = changed(&[("step = \"0.50\"", "step = \"0.05\"")]);
    let holds = |text: &str, part: &str| assert!(text.contains(part), "{text}");
    holds(
        &fr,
        "dans un billet qui porte jusqu’à 20,00\u{a0}$ en 4 sélections sur les mêmes numéros : le \
         retour n’est assuré qu’à ",
    );
    holds(
        &en,
        "on a ticket that carries up to $20.00 in 4 selections on the same numbers: the return is \
         only sure to be ",
    );
}

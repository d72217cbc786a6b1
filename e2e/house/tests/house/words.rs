//! Both languages, whichever comes first on the screen, and a house whose name has accents.

use keno_house_tests::counter::{Counter, Kind};
use keno_house_tests::house::{House, NAME};
use keno_house_tests::paper::text;
use keno_terminal::config::Language;
use keno_terminal::exit::Exit;

use crate::{straight, sure_win};

/// A word of French and the same in English, on each kind of paper.
const TICKET: [(&str, &str); 8] = [
    ("MISE TOTALE", "Total wager"),
    (
        "Vérifiez ce billet avant le tirage.",
        "Check this ticket before the draw.",
    ),
    (
        "Divergence : l’ordinateur central prévaut.",
        "Discrepancy: the central computer prevails.",
    ),
    (
        "Règles et lots : Comptoir et borne Keno",
        "Rules and prizes: Keno counter and kiosk",
    ),
    ("À Comptoirs Keno", "At Keno counters"),
    (
        "Dès 5 000 $, à Caisse principale",
        "From $5,000 on, at Main cage",
    ),
    (
        "Démonstration : ce billet n’a aucune valeur.",
        "Demonstration: this ticket has no value.",
    ),
    ("18 ans et plus", "18 and over"),
];
const CANCELLED: [(&str, &str); 3] = [
    ("REÇU D’ANNULATION", "Cancellation receipt"),
    ("REMBOURSÉ, comptant", "Refunded, cash"),
    (
        "Ce billet ne participe plus au tirage.",
        "This ticket is no longer in the draw.",
    ),
];
const PAID: [(&str, &str); 3] = [
    ("REÇU DE PAIEMENT DE LOT", "Prize payment receipt"),
    ("REMIS, comptant", "Handed over, cash"),
    ("Aucun tirage à venir", "No draws left"),
];

fn newest_has(counter: &Counter, words: &[(&str, &str)]) {
    let paper = text(&counter.newest_paper());
    assert!(paper.contains(NAME), "{paper}");
    for (french, english) in words {
        assert!(paper.contains(french), "{french}: {paper}");
        assert!(paper.contains(english), "{english}: {paper}");
    }
}

/// Where the first of some words stands; all must be there.
fn places(output: &str, words: [&str; 2]) -> [usize; 2] {
    let output = output.replace('\u{A0}', " ");
    words.map(|word| {
        output
            .find(word)
            .unwrap_or_else(|| panic!("{word}: {output}"))
    })
}

#[test]
fn every_paper_speaks_both_languages_and_knows_its_house() {
    let house = House::new();
    for (device, language, columns) in [(1, Language::Fr, 48), (2, Language::En, 32)] {
        let counter = Counter::open_as(
            &house,
            Kind {
                device,
                language,
                columns,
            },
        );
        let slip = counter.slip(&straight(&[7], 50, 1));
        let sold = counter.sell(&slip).ended(Exit::Done);
        newest_has(&counter, &TICKET);
        let [french, english] = places(&sold.output, ["MISE TOTALE 0,50 $", "TOTAL WAGER $0.50"]);
        assert_eq!(french < english, language == Language::Fr);

        let paper = counter.newest_paper();
        let code = paper.qr_payloads()[0].to_owned();
        let checked = counter.keno(&["check", &code]).ended(Exit::Done);
        let [french, english] = places(&checked.output, ["Tirage à venir", "Draw to come"]);
        assert_eq!(french < english, language == Language::Fr);
        counter.keno(&["cancel", &code]).ended(Exit::Done);
        newest_has(&counter, &CANCELLED);

        let winner = counter.sells(&sure_win(50, 1));
        newest_has(&counter, &TICKET);
        house.until_settled(house.next_draw());
        counter.keno(&["pay", "--yes", &winner]).ended(Exit::Done);
        newest_has(&counter, &PAID);

        let refused = counter.keno(&["cancel", &winner]).ended(Exit::Refused);
        let [french, english] = places(&refused.notes, ["est fermé", "is closed"]);
        assert_eq!(french < english, language == Language::Fr);
    }
}

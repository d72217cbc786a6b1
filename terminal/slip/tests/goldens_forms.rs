//! Selection slips and express cards as they are: every box, mark and text with its place, in the
//! language that comes first.
//!
//! `INSTA_UPDATE=always cargo test -p keno-slip --test suite goldens_forms` accepts what it is now.

#![allow(clippy::unwrap_used, reason = "a test's failure is its own report")]

use std::fmt::Write;

use crate::common::demonstration;
use keno_game::Cents;
use keno_slip::form::{
    Area, CardPick, Field, Form, FormRules, Item, Text, blank_slip, express_card,
};
use keno_testing::{Goldens, Shapes};
use keno_wire::slip_code::{RulesInForce, SlipLanguage};

fn area(area: &Area) -> String {
    format!("{},{} {}x{}", area.x, area.y, area.width, area.height)
}

fn said(text: &Text) -> String {
    let bold = if text.is_bold { " bold" } else { "" };
    let (x, y, size) = (text.x, text.baseline, text.size);
    format!("{x},{y} size {size}{bold} |{}|", text.text)
}

fn field(field: Field) -> String {
    match field {
        Field::Cancel { panel } => format!("panel {panel} cancel"),
        Field::Number { panel, number } => format!("panel {panel} number {number}"),
        Field::QuickPick { panel, spots } => format!("panel {panel} quick pick {spots}"),
        Field::Straight { panel } => format!("panel {panel} straight"),
        Field::Way { panel } => format!("panel {panel} way"),
        Field::Wager { panel, wager } => format!("panel {panel} wager {}", wager.get()),
        Field::Draws { draws } => format!("draws {draws}"),
    }
}

fn lines(form: &Form) -> String {
    let mut text = format!("{} {}x{}\n", form.title, form.width, form.height);
    for item in &form.items {
        let line = match item {
            Item::Corner(at) => format!("corner {}", area(at)),
            Item::Timing(at) => format!("timing {}", area(at)),
            Item::Box {
                field: means,
                area: at,
                label,
            } => {
                let label = label.as_ref().map(said).unwrap_or_default();
                format!("box {} {} {label}", field(*means), area(at))
            }
            Item::Text(one) => format!("text {}", said(one)),
            Item::Rule { x, y, length } => format!("rule {x},{y} {length}"),
            Item::Qr { area: at, code } => format!("QR {} {code}", area(at)),
        };
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    text
}

#[test]
fn slips_and_cards_are_as_ever() {
    let goldens = Goldens::of("tests/goldens/forms");
    let mut book = demonstration();
    book.version = 12;
    let (mut slips, mut cards) = (Shapes::default(), Shapes::default());
    for (name, language) in [("fr", SlipLanguage::French), ("en", SlipLanguage::English)] {
        let rules = FormRules {
            in_force: RulesInForce {
                rules: &book,
                rules_place_fr: "Comptoir et borne Keno",
                rules_place_en: "Keno counter and kiosk",
            },
            language,
        };
        slips.put(name, "", &lines(&blank_slip(&rules, 0).unwrap()));
        let pick = CardPick {
            game: 0,
            spots: 10,
            wager: Cents::new(1_250),
            key: 8,
        };
        cards.put(name, "", &lines(&express_card(&rules, pick).unwrap()));
    }
    goldens.hold("slip", slips.text());
    goldens.hold("card", cards.text());
}

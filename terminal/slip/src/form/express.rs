//! Express cards: one computer pick each, the size of a bank card, to be handed over by the patron.

use keno_game::Cents;
use keno_wire::slip_code::SlipCode;
use keno_words::form;

use super::{Area, Form, FormFault, FormRules, Item, Sheet, both, width_of};
use crate::money::RoundMoney;
use crate::selection::numbers;

/// ISO/IEC 7810 ID-1: 85.60 × 53.98 mm.
const WIDTH: i32 = 8_560;
const HEIGHT: i32 = 5_398;
const LEFT: i32 = 450;
const RIGHT: i32 = 8_110;
const QR: Area = Area {
    x: 6_210,
    y: 400,
    width: 1_900,
    height: 1_900,
};
/// Where the white around the QR begins: four of its modules, of which it has 25 or more.
const BESIDE_QR: i32 = 5_850;

const TITLE: i32 = 500;
const NAME: i32 = 250;
const PICK: i32 = 400;
const COUNT: i32 = 1_300;
const MENTION: i32 = 190;
const SECOND: i32 = 176;

/// What a card is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardPick {
    /// Place of the game in the rule book, from 0.
    pub game: u8,
    /// How many numbers the computer picks.
    pub spots: u8,
    /// The wager per draw.
    pub wager: Cents,
    /// Its key at the counter: 1 is `F1`.
    pub key: u8,
}

/// The card of an express pick.
///
/// # Errors
/// [`FormFault`].
pub fn express_card(rules: &FormRules<'_>, pick: CardPick) -> Result<Form, FormFault> {
    let (game, spots) = rules.game(pick.game)?;
    let mut sheet = Sheet { items: Vec::new() };
    sheet.items.push(Item::Qr {
        area: QR,
        code: SlipCode::express(
            rules.in_force,
            rules.language,
            pick.game,
            pick.spots,
            pick.wager,
        )
        .text(),
    });
    let title = rules.order(&form::ExpressSlip);
    let end = sheet.text((LEFT, 780), TITLE, true, "KENO");
    sheet.text((end + 200, 640), NAME, true, &title.0);
    sheet.text((end + 200, 900), SECOND, false, &title.1);
    let name = rules.order(&form::QuickPick);
    let end = sheet.text((LEFT, 1_480), PICK, true, &name.0);
    sheet.text((end + 150, 1_480), NAME, false, &name.1);
    if rules.rules().games.len() > 1 {
        let name = rules.order(&both(&game.name_fr, &game.name_en));
        sheet.text((LEFT, 1_760), MENTION, true, &name.0);
    }
    write_figures(&mut sheet, rules, pick);
    sheet.items.push(Item::Rule {
        x: LEFT,
        y: 3_620,
        length: RIGHT - LEFT,
    });
    let mut baseline = 3_850;
    for (first, second) in rules.mentions(spots) {
        for (text, style) in [(first, (MENTION, true)), (second, (SECOND, false))] {
            baseline = sheet.paragraph((LEFT, baseline), RIGHT - LEFT, style, &text) + 218;
        }
    }
    // What comes next is the foot.
    if baseline > 5_170 {
        return Err(FormFault::Room);
    }
    let foot = rules.order(&form::OnlyTicketConfirmsShort);
    let end = sheet.text((LEFT, 5_190), SECOND, true, &foot.0);
    sheet.text((end + 106, 5_190), SECOND, false, &format!("/ {}", foot.1));
    let version = format!("F{} {}", pick.key, rules.version_text());
    let at = RIGHT - width_of(&version, SECOND);
    sheet.text((at, 2_920), SECOND, false, &version);
    Ok(sheet.form((WIDTH, HEIGHT), format!("Keno – {}", title.0)))
}

/// How many numbers and for how much, as large as they fit, and for how many draws.
fn write_figures(sheet: &mut Sheet, rules: &FormRules<'_>, pick: CardPick) {
    let count = pick.spots.to_string();
    let end = sheet.text((LEFT, 2_920), COUNT, true, &count);
    let words = rules.order(numbers(pick.spots));
    sheet.text((end + 100, 2_660), NAME, true, &words.0);
    sheet.text((end + 100, 2_920), SECOND, false, &words.1);
    let amount = rules.order(&RoundMoney(pick.wager.get()));
    let left = 3_700;
    // As large as it fits beside the white around the QR.
    let size = (1..=10)
        .rev()
        .map(|tenth| tenth * 80)
        .find(|size| left + width_of(&amount.0, *size) <= BESIDE_QR)
        .unwrap_or(80);
    sheet.text((left, 2_560), size, true, &amount.0);
    let per_draw = rules.order(&form::PerDraw);
    sheet.pair((left, 2_920), SECOND, &per_draw);
    let draws = rules.order(&form::NextDraw);
    sheet.text((LEFT, 3_240), MENTION, true, &draws.0);
    sheet.text((LEFT, 3_450), SECOND, false, &draws.1);
}

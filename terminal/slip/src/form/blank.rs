//! The blank selection slip: 95 × 200 mm, two panels where the rules and the paper permit it.

use keno_game::{Cents, Game, SelectionType};
use keno_wire::slip::type_words;
use keno_wire::slip_code::{SlipCode, asks_the_type, draws_of, panels_of, wagers_of};
use keno_words::form;

use super::{Area, Field, Form, FormFault, FormRules, Item, Sheet, Text, both, width_of};

const WIDTH: i32 = 9_500;
const HEIGHT: i32 = 20_000;
const MARGIN: i32 = 300;
const CORNER: i32 = 500;
const TIMING: (i32, i32) = (400, 100);
/// From one box to the next, across and down.
const PITCH: (i32, i32) = (700, 600);
/// A box.
const BOX: (i32, i32) = (500, 300);
/// Left edge of the first column; ten columns stand in the middle of the sheet.
const FIRST_COLUMN: i32 = 1_350;
const COLUMNS: usize = 10;
/// Left and right end of what is written.
const LEFT: i32 = 1_000;
const RIGHT: i32 = 8_500;
/// The QR, with more than four modules of white around it.
const QR: Area = Area {
    x: 7_200,
    y: 300,
    width: 1_200,
    height: 1_200,
};
/// Right end of what is written beside the QR, and where it may go on below it.
const BESIDE_QR: i32 = 6_900;
const BELOW_QR: i32 = 1_900;
/// Middle of the first row, unless the mentions need more, and the lowest that a row may have.
const FIRST_ROW: i32 = 4_200;
const LAST_ROW: i32 = 18_600;

const TITLE: i32 = 500;
const NAME: i32 = 300;
const MENTION: i32 = 212;
const SECOND: i32 = 188;
const LABEL: i32 = 176;
const IN_BOX: i32 = 194;

/// A row of boxes.
struct Row {
    /// Stands above it.
    label: Option<(String, String)>,
    boxes: Vec<(usize, Field, String)>,
    kind: RowKind,
}

enum RowKind {
    Boxes,
    /// The head of a panel: its name at the left, a rule above.
    Panel((String, String)),
    /// Types of selection, each written beside its box.
    Types,
    /// The row of the draws: a rule above.
    Draws,
}

/// The blank slip of a game, by its place in the rule book.
///
/// # Errors
/// [`FormFault`].
pub fn blank_slip(rules: &FormRules<'_>, game: u8) -> Result<Form, FormFault> {
    let (played, spots) = rules.game(game)?;
    let mut sheet = Sheet { items: Vec::new() };
    for (x, y) in [
        (MARGIN, MARGIN),
        (WIDTH - MARGIN - CORNER, MARGIN),
        (MARGIN, HEIGHT - MARGIN - CORNER),
        (WIDTH - MARGIN - CORNER, HEIGHT - MARGIN - CORNER),
    ] {
        sheet.items.push(Item::Corner(Area {
            x,
            y,
            width: CORNER,
            height: CORNER,
        }));
    }
    sheet.items.push(Item::Qr {
        area: QR,
        code: SlipCode::blank(rules.in_force, rules.language, game).text(),
    });
    let title = rules.order(&form::SelectionSlip);
    let end = sheet.text((LEFT, 730), TITLE, true, "KENO");
    sheet.text((end + 200, 640), NAME, true, &title.0);
    sheet.text((end + 200, 930), SECOND, false, &title.1);
    // The game is named where the house has several.
    if rules.rules().games.len() > 1 {
        let name = rules.order(&both(&played.name_fr, &played.name_en));
        sheet.text((LEFT, 1_200), MENTION, true, &name.0);
    }
    let first_row = write_mentions(&mut sheet, rules, spots).max(FIRST_ROW);
    let rows = rows(rules, played, spots, first_row)?;
    let mut middle = first_row;
    for row in &rows {
        write_row(&mut sheet, rules, row, middle);
        middle += PITCH.1;
    }
    let foot = rules.order(&form::OnlyTicketConfirms);
    sheet.text((LEFT, 19_370), MENTION, true, &foot.0);
    sheet.text((LEFT, 19_650), SECOND, false, &foot.1);
    let version = rules.version_text();
    let at = RIGHT - width_of(&version, SECOND);
    sheet.text((at, 19_650), SECOND, false, &version);
    Ok(sheet.form((WIDTH, HEIGHT), format!("Keno – {}", title.0)))
}

/// The mentions of s. 77 and how to mark; the middle of the first row that has room below them.
fn write_mentions(sheet: &mut Sheet, rules: &FormRules<'_>, spots: (u8, u8)) -> i32 {
    let how = rules.order(&form::OneCross);
    let mut baseline = 1_480;
    for (first, second) in rules.mentions(spots).into_iter().chain([how]) {
        for (text, style) in [(first, (MENTION, true)), (second, (SECOND, false))] {
            let right = if baseline < BELOW_QR {
                BESIDE_QR
            } else {
                RIGHT
            };
            baseline = sheet.paragraph((LEFT, baseline), right - LEFT, style, &text) + 262;
        }
        baseline += 62;
    }
    // The last step down and a half of the head of a panel.
    baseline + 180
}

/// Every row, from the first panel's head to the draws.
fn rows(
    rules: &FormRules<'_>,
    game: &Game,
    spots: (u8, u8),
    first_row: i32,
) -> Result<Vec<Row>, FormFault> {
    let draws = draws_row(rules);
    let room = usize::try_from((LAST_ROW - first_row) / PITCH.1 + 1).unwrap_or(0);
    let wanted = panels_of(rules.rules());
    // Fewer panels where they do not fit: a pool or a count of another house may need more rows.
    for panels in (1..=wanted).rev() {
        let mut all: Vec<Row> = (0..panels)
            .flat_map(|panel| panel_rows(rules, game, spots, panel))
            .collect();
        if all.len() < room {
            all.push(draws);
            return Ok(all);
        }
    }
    Err(FormFault::Room)
}

fn panel_rows(rules: &FormRules<'_>, game: &Game, spots: (u8, u8), panel: u8) -> Vec<Row> {
    let letter = &keno_game::selection_letter(usize::from(panel));
    let cancel = rules.order(&form::Cancel { letter });
    let mut rows = vec![Row {
        label: None,
        boxes: vec![(
            COLUMNS - 1,
            Field::Cancel { panel },
            format!("{} / {}", cancel.0, cancel.1),
        )],
        kind: RowKind::Panel(rules.order(&form::Selection { letter })),
    }];
    let numbers: Vec<u8> = (1..=rules.rules().pool.size()).collect();
    rows.extend(boxes_of(None, &numbers, |number| {
        (Field::Number { panel, number }, format!("{number:02}"))
    }));
    let counts: Vec<u8> = (spots.0..=spots.1).collect();
    let pick = rules.order(&form::OrQuickPick);
    rows.extend(boxes_of(Some(pick), &counts, |spots| {
        (Field::QuickPick { panel, spots }, spots.to_string())
    }));
    if asks_the_type(game) {
        rows.push(Row {
            label: Some(rules.order(&form::TypeOfSelection)),
            boxes: vec![
                (0, Field::Straight { panel }, String::new()),
                (4, Field::Way { panel }, String::new()),
            ],
            kind: RowKind::Types,
        });
    }
    let wager = rules.order(&form::WagerPerDraw);
    rows.extend(boxes_of(Some(wager), &wagers_of(game), |wager| {
        (Field::Wager { panel, wager }, wager_text(rules, wager))
    }));
    rows
}

/// Boxes by ten, the label above the first ten.
fn boxes_of<Value: Copy>(
    label: Option<(String, String)>,
    values: &[Value],
    of: impl Fn(Value) -> (Field, String),
) -> Vec<Row> {
    let mut label = label;
    values
        .chunks(COLUMNS)
        .map(|ten| Row {
            label: label.take(),
            boxes: ten
                .iter()
                .enumerate()
                .map(|(column, value)| {
                    let (field, text) = of(*value);
                    (column, field, text)
                })
                .collect(),
            kind: RowKind::Boxes,
        })
        .collect()
}

fn draws_row(rules: &FormRules<'_>) -> Row {
    let label = rules.order(&form::DrawsFromNext);
    Row {
        label: Some(label),
        boxes: draws_of(rules.rules())
            .into_iter()
            .enumerate()
            .map(|(column, draws)| (column, Field::Draws { draws }, draws.to_string()))
            .collect(),
        kind: RowKind::Draws,
    }
}

/// `2 $` or `$2`, `50 ¢` or `50¢`, in the language that comes first; no wider than a box.
fn wager_text(rules: &FormRules<'_>, wager: Cents) -> String {
    let (dollars, cents) = (wager.get() / 100, wager.get() % 100);
    let (fr, en) = match (dollars, cents) {
        (0, cents) => (format!("{cents}¢"), format!("{cents}¢")),
        (dollars, 0) => (format!("{dollars}$"), format!("${dollars}")),
        (dollars, cents) => (
            format!("{dollars},{cents:02}"),
            format!("{dollars}.{cents:02}"),
        ),
    };
    rules.order(&both(fr, en)).0
}

fn write_row(sheet: &mut Sheet, rules: &FormRules<'_>, row: &Row, middle: i32) {
    for x in [MARGIN, WIDTH - MARGIN - TIMING.0] {
        sheet.items.push(Item::Timing(Area {
            x,
            y: middle - TIMING.1 / 2,
            width: TIMING.0,
            height: TIMING.1,
        }));
    }
    // A label above the boxes needs the rule higher.
    let rule_above = match row.kind {
        RowKind::Panel(_) => Some(310),
        RowKind::Draws => Some(390),
        RowKind::Boxes | RowKind::Types => None,
    };
    if let Some(above) = rule_above {
        sheet.items.push(Item::Rule {
            x: LEFT,
            y: middle - above,
            length: RIGHT - LEFT,
        });
    }
    if let Some(label) = &row.label {
        sheet.pair((FIRST_COLUMN, middle - 200), LABEL, label);
    }
    if let RowKind::Panel(name) = &row.kind {
        sheet.pair((FIRST_COLUMN, middle + 90), 250, name);
    }
    for (column, field, label) in &row.boxes {
        let column = i32::try_from(*column).unwrap_or(0);
        let area = Area {
            x: FIRST_COLUMN + PITCH.0 * column,
            y: middle - BOX.1 / 2,
            width: BOX.0,
            height: BOX.1,
        };
        let inside = match &row.kind {
            RowKind::Boxes | RowKind::Draws => Some(Text {
                x: area.x + (area.width - width_of(label, IN_BOX)) / 2,
                baseline: middle + IN_BOX * 36 / 100,
                size: IN_BOX,
                is_bold: false,
                text: label.clone(),
            }),
            RowKind::Panel(_) => {
                let at = area.x - 100 - width_of(label, LABEL);
                sheet.text((at, middle + 60), LABEL, false, label);
                None
            }
            RowKind::Types => {
                let x = area.x + BOX.0 + 100;
                if matches!(field, Field::Way { .. }) {
                    let name = rules.order(type_words(SelectionType::Way));
                    let see = rules.order(&form::SeeClerk);
                    sheet.pair((x, middle + 8), LABEL, &name);
                    let see = format!("{} / {}", see.0, see.1);
                    sheet.text((x, middle + 198), LABEL * 9 / 10, false, &see);
                } else {
                    let name = rules.order(type_words(SelectionType::Straight));
                    sheet.pair((x, middle + 64), LABEL, &name);
                }
                None
            }
        };
        sheet.items.push(Item::Box {
            field: *field,
            area,
            label: inside,
        });
    }
}

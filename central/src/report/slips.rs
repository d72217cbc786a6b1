//! Selection slips and express cards of a rule book, on paper.
//!
//! What stands where is `keno_slip::form`'s; here it is only drawn, each slip on a page of its own
//! size.

use keno_book::rules_file::{self, RuleBookFile};
use keno_game::SelectionType;
use keno_log::Event;
use keno_record::fault::Fault;
use keno_record::store::snapshot::on_snapshot;
use keno_record::store::{house, leaves};
use keno_schema::Connection;
use keno_slip::form::{
    Area, CardPick, Form, FormFault, FormRules, Item, Text, blank_slip, express_card,
};
use keno_wire::SlipCode;
use keno_wire::slip_code::{RulesInForce, SlipLanguage};
use printpdf::{Cmyk, Color, Greyscale, Mm, Op, PaintMode, PdfPage, Pt};
use thiserror::Error;

use super::areas::{CodeFault, area_op, point, qr_ops};
use super::paper::{MM_PER_POINT, PaperFault, begun, shown, text_ops, written};

/// The colour that a red light does not see: boxes and what stands in them.
const DROP_OUT: Color = Color::Cmyk(Cmyk {
    c: 0.0,
    m: 0.72,
    y: 0.66,
    k: 0.0,
    icc_profile: None,
});
/// Marks, text and QR: black alone, never made of colours.
const BLACK: Color = Color::Greyscale(Greyscale {
    percent: 0.0,
    icc_profile: None,
});
const BOX_LINE_PT: f32 = 0.6;
const RULE_MM: f32 = 0.2;

/// A slip cannot be made.
#[derive(Debug, Error)]
pub enum SlipsFault {
    /// The rule book has no such slip.
    #[error("the rule book has no such slip")]
    Unknown,
    /// It cannot be laid out.
    #[error("the slip cannot be laid out")]
    Form(#[from] FormFault),
    /// It cannot be drawn.
    #[error("the slip cannot be drawn")]
    Paper(#[from] PaperFault),
    /// Its code does not fit a QR.
    #[error("the slip's code cannot be drawn")]
    Code(#[from] CodeFault),
}

/// Names of the slips that a rule book gives: a blank slip of each game that has straight
/// selections, `blank` for the first and `blank-CODE` for the others, and its express cards,
/// `express-1` for the first key.
pub fn names(book: &RuleBookFile) -> Vec<String> {
    let games = book.rules.games.iter().enumerate();
    let blanks = games
        .filter(|(_, game)| game.spots_allowed(SelectionType::Straight).is_some())
        .map(|(place, game)| match place {
            0 => "blank".to_owned(),
            _ => format!("blank-{}", game.code),
        });
    let express = book.counter.as_ref().map_or(0, |it| it.express.len());
    let cards = (1..=express).map(|key| format!("express-{key}"));
    blanks.chain(cards).collect()
}

/// The slip of a name, as marks.
///
/// # Errors
/// [`SlipsFault::Unknown`], [`SlipsFault::Form`].
pub fn form(book: &RuleBookFile, language: SlipLanguage, name: &str) -> Result<Form, SlipsFault> {
    let rules = FormRules {
        in_force: in_force(book),
        language,
    };
    match made_for(book, name)? {
        MadeFor::Blank(game) => Ok(blank_slip(&rules, game)?),
        MadeFor::Card(card) => Ok(express_card(&rules, card)?),
    }
}

/// What a slip of a name is.
enum MadeFor {
    Blank(u8),
    Card(CardPick),
}

fn in_force(book: &RuleBookFile) -> RulesInForce<'_> {
    RulesInForce {
        rules: &book.rules,
        rules_place_fr: &book.texts.rules_place_fr,
        rules_place_en: &book.texts.rules_place_en,
    }
}

fn made_for(book: &RuleBookFile, name: &str) -> Result<MadeFor, SlipsFault> {
    let place_of = |code: &str| {
        let place = book.rules.games.iter().position(|game| game.code == code);
        place
            .and_then(|place| u8::try_from(place).ok())
            .ok_or(SlipsFault::Unknown)
    };
    if !names(book).iter().any(|known| known == name) {
        return Err(SlipsFault::Unknown);
    }
    if let Some(key) = name.strip_prefix("express-") {
        let key: u8 = key.parse().map_err(|_| SlipsFault::Unknown)?;
        let picks = book.counter.iter().flat_map(|counter| &counter.express);
        let pick = picks.zip(1..).find(|(_, place)| *place == key);
        let (pick, key) = pick.ok_or(SlipsFault::Unknown)?;
        let card = CardPick {
            game: place_of(&pick.game)?,
            spots: pick.spots,
            wager: pick.wager,
            key,
        };
        return Ok(MadeFor::Card(card));
    }
    let game = name.strip_prefix("blank-").map_or(Ok(0), place_of)?;
    Ok(MadeFor::Blank(game))
}

/// What becomes of the slips of a book under the next, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fate {
    /// No longer taken.
    pub withdrawn: Vec<String>,
    /// To be printed: withdrawn, or not what the counter's key gives any more.
    pub print: Vec<String>,
}

/// What becomes of the slips of a book under the next.
pub fn fate(before: &RuleBookFile, after: &RuleBookFile) -> Fate {
    // Both languages carry the same mark.
    let code_of = |book: &RuleBookFile, name: &str| {
        let (in_force, language) = (in_force(book), SlipLanguage::French);
        made_for(book, name).ok().map(|made| match made {
            MadeFor::Blank(game) => SlipCode::blank(in_force, language, game),
            MadeFor::Card(card) => {
                SlipCode::express(in_force, language, card.game, card.spots, card.wager)
            }
        })
    };
    let is_taken = |code: &SlipCode| code.judge(in_force(after)).is_ok();
    let is_as_before = |name: &String| {
        let old = code_of(before, name).filter(is_taken);
        let new = code_of(after, name);
        matches!((old, new), (Some(old), Some(new)) if old.content == new.content)
    };
    let is_withdrawn = |name: &String| code_of(before, name).is_some_and(|code| !is_taken(&code));
    Fate {
        withdrawn: names(before).into_iter().filter(is_withdrawn).collect(),
        print: names(after)
            .into_iter()
            .filter(|name| !is_as_before(name))
            .collect(),
    }
}

/// Name of a file for a slip, without its ending.
pub fn file_name(book: &RuleBookFile, language: SlipLanguage, name: &str) -> String {
    format!("slip-v{}-{}-{name}", book.rules.version, language.code())
}

/// The rule book that governs a ticket sold now, as the record tells it; the last that was
/// published while no draw is on sale; nothing before the first.
///
/// # Errors
/// A fault of the record.
pub fn book_in_force(connection: &mut Connection) -> Result<Option<RuleBookFile>, Fault> {
    let text = on_snapshot(connection, |connection| {
        let Some(leaf) = house::rules_in_force(connection)? else {
            return Ok(None);
        };
        match leaves::fact(connection, leaf)?.event {
            Event::RuleBookPublished(body) => Ok(Some(body.text)),
            _ => Err(Fault::Record(format!(
                "leaf {leaf} does not publish a rule book"
            ))),
        }
    })?;
    let read = |text: String| {
        rules_file::read(&text)
            .map_err(|_| Fault::Record("a rule book on record is faulty".to_owned()))
    };
    text.map(read).transpose()
}

fn fill(col: &Color) -> Op {
    Op::SetFillColor { col: col.clone() }
}

/// A slip as PDF, dated with the moment when it was made.
///
/// # Errors
/// [`SlipsFault::Paper`], [`SlipsFault::Code`].
pub fn pdf(form: &Form, made_at_ms: i64) -> Result<Vec<u8>, SlipsFault> {
    let (document, faces) = begun(&form.title, made_at_ms)?;
    let text = |text: &Text| {
        let at = point(form.height, text.x, text.baseline);
        let face = if text.is_bold {
            &faces.bold
        } else {
            &faces.regular
        };
        let points = text.size as f32 / 100.0 / MM_PER_POINT;
        text_ops(
            at.x.0 * MM_PER_POINT,
            at.y.0 * MM_PER_POINT,
            face.clone(),
            points,
            shown(&faces.parsed, &text.text),
        )
    };
    let mut ops = vec![
        fill(&BLACK),
        Op::SetOutlineColor { col: DROP_OUT },
        Op::SetOutlineThickness {
            pt: Pt(BOX_LINE_PT),
        },
    ];
    for item in &form.items {
        match item {
            Item::Corner(area) | Item::Timing(area) => {
                ops.push(area_op(form.height, *area, PaintMode::Fill));
            }
            Item::Box { area, label, .. } => {
                ops.push(area_op(form.height, *area, PaintMode::Stroke));
                if let Some(label) = label {
                    ops.push(fill(&DROP_OUT));
                    ops.extend(text(label));
                    ops.push(fill(&BLACK));
                }
            }
            Item::Text(line) => ops.extend(text(line)),
            Item::Rule { x, y, length } => {
                let height = (RULE_MM * 100.0) as i32;
                let area = Area {
                    x: *x,
                    y: y - height / 2,
                    width: *length,
                    height,
                };
                ops.push(area_op(form.height, area, PaintMode::Fill));
            }
            Item::Qr { area, code } => ops.extend(qr_ops(form.height, *area, code)?),
        }
    }
    let mm = |hundredths: i32| Mm(hundredths as f32 / 100.0);
    let page = PdfPage::new(mm(form.width), mm(form.height), ops);
    Ok(written(document, vec![page])?)
}

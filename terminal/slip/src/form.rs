//! Selection slips and express cards as marks on a sheet, in 1/100 mm from its upper left corner.
//!
//! What is printed here is what a reader looks for later: each box says what a cross in it means,
//! and timing marks stand at its row on both edges, so that neither position nor skew of the paper
//! matters. Slips are made from the rule book in force and carry its version, and a mark over what
//! they show of it (`keno_wire::slip_code` says which that is); the three mentions
//! of s. 77 are its figures and are never typed by hand.
//!
//! The face is that of the tickets (DejaVu Sans Mono): every sign is as wide as any other, so that
//! all widths follow from counting, in whole numbers.

mod blank;
mod express;

use keno_game::{Cents, Game, RuleBook, SelectionType};
use keno_wire::reply::Bilingual;
use keno_wire::slip_code::{RulesInForce, SlipLanguage};
use keno_words::{Say, form};
use thiserror::Error;

use crate::layout::wrap;
use crate::money::RoundMoney;
use crate::selection::numbers;

pub use blank::blank_slip;
pub use express::{CardPick, express_card};

/// Advance of every sign of the face: 1233 of 2048 parts of its size.
const ADVANCE: (i32, i32) = (1_233, 2_048);

/// A sheet with everything on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// Width, 1/100 mm.
    pub width: i32,
    /// Height, 1/100 mm.
    pub height: i32,
    /// Name, in the language that comes first.
    pub title: String,
    /// What is on it; nothing covers anything else.
    pub items: Vec<Item>,
}

/// An area of the sheet, 1/100 mm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

impl Area {
    /// Whether the two have a point in common.
    pub const fn meets(self, other: Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// Something on the sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A corner of the sheet: full black.
    Corner(Area),
    /// The mark of a row at one of the edges: full black.
    Timing(Area),
    /// A box to be crossed, in the drop-out colour with its label inside.
    Box {
        /// What a cross in it means.
        field: Field,
        /// Where.
        area: Area,
        /// What stands in it.
        label: Option<Text>,
    },
    /// A line of text.
    Text(Text),
    /// A rule from left to right, a fifth of a millimetre high.
    Rule {
        /// Left end.
        x: i32,
        /// Its middle.
        y: i32,
        /// Length.
        length: i32,
    },
    /// A QR code, without the four modules around it that stay white.
    Qr {
        /// Where.
        area: Area,
        /// What it says.
        code: String,
    },
}

/// A line of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Left end.
    pub x: i32,
    /// The line on which the letters stand.
    pub baseline: i32,
    /// Size of the face, 1/100 mm.
    pub size: i32,
    /// In bold.
    pub is_bold: bool,
    /// The signs.
    pub text: String,
}

impl Text {
    /// Width, 1/100 mm.
    pub fn width(&self) -> i32 {
        width_of(&self.text, self.size)
    }

    /// What it covers: from the top of an accented capital to the foot of a comma; digits alone
    /// are lower and stand on the line.
    pub fn area(&self) -> Area {
        let is_digits = self.text.bytes().all(|byte| byte.is_ascii_digit());
        let parts = if is_digits { (76, 2) } else { (93, 24) };
        let (above, below) = (self.size * parts.0 / 100, self.size * parts.1 / 100);
        Area {
            x: self.x,
            y: self.baseline - above,
            width: self.width(),
            height: above + below,
        }
    }
}

/// What a cross in a box means. Panels count from 0, which is A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The panel does not count.
    Cancel {
        /// Panel.
        panel: u8,
    },
    /// A number is played.
    Number {
        /// Panel.
        panel: u8,
        /// The number.
        number: u8,
    },
    /// The computer picks so many numbers.
    QuickPick {
        /// Panel.
        panel: u8,
        /// How many.
        spots: u8,
    },
    /// A straight selection.
    Straight {
        /// Panel.
        panel: u8,
    },
    /// A way selection, whose groups the clerk asks.
    Way {
        /// Panel.
        panel: u8,
    },
    /// The wager per draw.
    Wager {
        /// Panel.
        panel: u8,
        /// How much.
        wager: Cents,
    },
    /// For so many draws, from the next.
    Draws {
        /// How many.
        draws: u16,
    },
}

/// From what slips are made.
#[derive(Debug, Clone, Copy)]
pub struct FormRules<'a> {
    /// The rules in force.
    pub in_force: RulesInForce<'a>,
    /// The language that comes first.
    pub language: SlipLanguage,
}

/// A slip cannot be laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FormFault {
    /// The rule book has no such game, or the game no straight selection.
    #[error("the game has no straight selection to print a slip for")]
    Game,
    /// The texts of the rule book leave no room for a panel.
    #[error("the texts of the rule book are too long for a slip")]
    Room,
}

fn both(fr: impl Into<String>, en: impl Into<String>) -> Bilingual {
    Bilingual {
        fr: fr.into(),
        en: en.into(),
    }
}

fn width_of(text: &str, size: i32) -> i32 {
    let signs = i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
    signs.saturating_mul(size).saturating_mul(ADVANCE.0) / ADVANCE.1
}

/// How many signs fit.
fn signs_in(width: i32, size: i32) -> usize {
    let signs = width * ADVANCE.1 / (size * ADVANCE.0).max(1);
    usize::try_from(signs).unwrap_or(0)
}

impl FormRules<'_> {
    fn rules(&self) -> &RuleBook {
        self.in_force.rules
    }

    /// The words that come first and those that come after.
    fn order(&self, words: &dyn Say) -> (String, String) {
        match self.language {
            SlipLanguage::French => (words.fr(), words.en()),
            SlipLanguage::English => (words.en(), words.fr()),
        }
    }

    fn game(&self, game: u8) -> Result<(&Game, (u8, u8)), FormFault> {
        let found = self.rules().games.get(usize::from(game));
        let straight =
            found.and_then(|game| Some((game, game.spots_allowed(SelectionType::Straight)?)));
        let (game, spots) = straight.ok_or(FormFault::Game)?;
        Ok((game, (spots.min, spots.max)))
    }

    /// The three mentions of s. 77: how many numbers, where the rules are, the most that is paid;
    /// each as [`FormRules::order`] has it.
    fn mentions(&self, (min, max): (u8, u8)) -> [(String, String); 3] {
        let numbers = &numbers(max);
        let counts = if min == max {
            let count = &max;
            self.order(&form::Choose { count, numbers })
        } else {
            let (min, max) = (&min, &max);
            self.order(&form::ChooseBetween { min, max, numbers })
        };
        let place = both(self.in_force.rules_place_fr, self.in_force.rules_place_en);
        let amount = &RoundMoney(self.rules().cap.get());
        [
            counts,
            self.order(&form::RulesPlace { place: &place }),
            self.order(&form::MaximumPerDraw { amount }),
        ]
    }

    /// `v12 FR`, as a person says which slip it is.
    fn version_text(&self) -> String {
        let language = self.language.code().to_uppercase();
        format!("v{} {language}", self.rules().version)
    }
}

/// Puts things on a sheet.
struct Sheet {
    items: Vec<Item>,
}

impl Sheet {
    fn text(&mut self, (x, baseline): (i32, i32), size: i32, is_bold: bool, text: &str) -> i32 {
        let text = Text {
            x,
            baseline,
            size,
            is_bold,
            text: text.to_owned(),
        };
        let end = x + text.width();
        self.items.push(Item::Text(text));
        end
    }

    /// `first / second` on one line, the first in bold; the end of it.
    fn pair(&mut self, at: (i32, i32), size: i32, words: &(String, String)) -> i32 {
        let end = self.text(at, size, true, &words.0);
        let after = (end + width_of(" ", size), at.1);
        self.text(after, size, false, &format!("/ {}", words.1))
    }

    /// A text on as many lines as it takes; the baseline of the last.
    fn paragraph(
        &mut self,
        at: (i32, i32),
        width: i32,
        (size, is_bold): (i32, bool),
        text: &str,
    ) -> i32 {
        let mut baseline = at.1;
        for (line, text) in wrap(text, signs_in(width, size)).iter().enumerate() {
            if line > 0 {
                baseline += size * 120 / 100;
            }
            self.text((at.0, baseline), size, is_bold, text);
        }
        baseline
    }

    fn form(self, (width, height): (i32, i32), title: String) -> Form {
        Form {
            width,
            height,
            title,
            items: self.items,
        }
    }
}

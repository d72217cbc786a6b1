//! A paper: lines and marks, in the order in which they are printed.

/// Width of the paper roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Width {
    /// 80 mm: 48 characters, 576 dots.
    #[default]
    Wide,
    /// 58 mm: 32 characters, 384 dots.
    Narrow,
}

impl Width {
    /// Characters of a line in normal size.
    pub const fn columns(self) -> usize {
        match self {
            Self::Wide => 48,
            Self::Narrow => 32,
        }
    }

    /// Printable dots of a line, at 203 dots an inch.
    pub const fn dots(self) -> usize {
        match self {
            Self::Wide => 576,
            Self::Narrow => 384,
        }
    }
}

keno_game::named! {
    /// The six facts that a ticket must carry (s. 82).
    Fact {
        /// s. 82(1): the player's selections.
        Selections "selections",
        /// s. 82(2): the amount of the wagers.
        Wagers "wagers",
        /// s. 82(3): the draws for which the selection is valid.
        Draws "draws",
        /// s. 82(4): the control number.
        ControlNumber "control_number",
        /// s. 82(5): the maximum payable in prizes per draw.
        MaximumPerDraw "maximum_per_draw",
        /// s. 82(6): the deadline for claim.
        ClaimDeadline "claim_deadline",
    }
}

/// Whether this paper may be the second one of the same content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Issue {
    /// Nothing of it has gone to a printer before.
    First,
    /// It went to a printer before and may exist: the paper says so.
    Reprint,
}

impl Issue {
    /// Of a paper that was printed before, or was not.
    pub const fn again_if(is_again: bool) -> Self {
        if is_again { Self::Reprint } else { Self::First }
    }
}

/// Where a line stands between the margins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// At the left margin.
    #[default]
    Left,
    /// In the middle.
    Centre,
}

/// Size of a line's characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Size {
    /// As the font is.
    #[default]
    Normal,
    /// Twice as high, as many characters on a line.
    Tall,
    /// Twice as wide and high, half as many characters on a line.
    Double,
}

impl Size {
    /// Times the width of a character in normal size.
    pub const fn width_factor(self) -> usize {
        match self {
            Self::Normal | Self::Tall => 1,
            Self::Double => 2,
        }
    }

    /// Times the height of a character in normal size.
    pub const fn height_factor(self) -> usize {
        match self {
            Self::Normal => 1,
            Self::Tall | Self::Double => 2,
        }
    }
}

/// A run of characters in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Characters of Windows-1252, none of them a control.
    pub text: String,
    /// Printed darker.
    pub bold: bool,
}

/// A line of text; never wider than the paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextLine {
    /// Runs, from the left.
    pub spans: Vec<Span>,
    /// Where the line stands.
    pub align: Align,
    /// Size of its characters.
    pub size: Size,
}

impl TextLine {
    /// The characters without their style.
    pub fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// Columns of normal size that the line takes.
    pub fn columns(&self) -> usize {
        let characters: usize = self
            .spans
            .iter()
            .map(|span| span.text.chars().count())
            .sum();
        characters * self.size.width_factor()
    }
}

/// What a line is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// Characters.
    Text(TextLine),
    /// A rule across the paper, of so many dashes.
    Rule(usize),
    /// A QR symbol (model 2, error correction M) in the middle.
    Qr {
        /// Digits and A-Z.
        payload: String,
        /// Dots of one module.
        module_dots: u8,
    },
    /// An interleaved 2 of 5 bar code in the middle, without its digits in print.
    Itf {
        /// An even number of digits.
        digits: String,
        /// Dots of a narrow bar.
        bar_dots: u8,
    },
    /// So many empty lines.
    Feed(u8),
    /// The paper is cut.
    Cut,
}

/// One line of a paper and the fact that it carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The fact of s. 82 that this line states, if it does.
    pub fact: Option<Fact>,
    /// What it is.
    pub mark: Mark,
}

/// A paper, ready for any printer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// Its width.
    pub width: Width,
    /// Its lines from the leading edge.
    pub lines: Vec<Line>,
}

/// Dots from one line to the next, in a printer's own spacing.
const LINE_DOTS: u32 = 30;
/// Dots of a character's height.
const CHARACTER_DOTS: u32 = 24;
/// Dots of a bar code's height.
const BAR_DOTS: u32 = 50;
/// Dots from the head to the cutter, about 15 mm.
const CUTTER_DOTS: u32 = 120;
/// Dots of a millimetre, at 203 dots an inch.
const DOTS_PER_MILLIMETRE: u32 = 8;
/// Characters (digits and A-Z) that a QR of error correction M holds, by its version from 1.
const QR_CHARACTERS: [usize; 12] = [20, 38, 61, 90, 122, 154, 178, 221, 262, 311, 366, 419];

/// Modules along the side of the smallest QR for so many characters.
fn qr_modules(characters: usize) -> u32 {
    let version = QR_CHARACTERS
        .iter()
        .position(|&most| characters <= most)
        .map_or(QR_CHARACTERS.len(), |place| place + 1);
    17 + 4 * u32::try_from(version).unwrap_or(0)
}

impl Mark {
    /// How far the paper moves for it, in dots.
    pub fn length_dots(&self) -> u32 {
        match self {
            Self::Text(line) => {
                let times = u32::try_from(line.size.height_factor()).unwrap_or(1);
                times * CHARACTER_DOTS + LINE_DOTS - CHARACTER_DOTS
            }
            Self::Rule(_) => LINE_DOTS,
            Self::Qr {
                payload,
                module_dots,
            } => qr_modules(payload.chars().count()) * u32::from(*module_dots),
            Self::Itf { .. } => BAR_DOTS,
            Self::Feed(lines) => u32::from(*lines) * LINE_DOTS,
            Self::Cut => CUTTER_DOTS,
        }
    }
}

impl Paper {
    /// How long the paper is, in millimetres: what a printer needs time for.
    pub fn length_millimetres(&self) -> u32 {
        let dots: u32 = self.lines.iter().map(|line| line.mark.length_dots()).sum();
        dots.div_ceil(DOTS_PER_MILLIMETRE)
    }

    /// The lines that state a fact.
    pub fn fact(&self, fact: Fact) -> impl Iterator<Item = &Line> {
        self.lines
            .iter()
            .filter(move |line| line.fact == Some(fact))
    }

    /// The texts of the lines that state a fact, without style.
    pub fn fact_texts(&self, fact: Fact) -> Vec<String> {
        self.fact(fact)
            .filter_map(|line| match &line.mark {
                Mark::Text(text) => Some(text.text()),
                _ => None,
            })
            .collect()
    }

    /// Every line of text, without style.
    pub fn texts(&self) -> Vec<String> {
        self.lines
            .iter()
            .filter_map(|line| match &line.mark {
                Mark::Text(text) => Some(text.text()),
                _ => None,
            })
            .collect()
    }
}

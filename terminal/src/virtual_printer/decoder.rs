//! From bytes to a paper, strictly: what this printer does not have is a fault with its place.

use thiserror::Error;

use super::command::{Command, Reading, read};
use super::sheet::{Cell, Row, Sheet, Side};

/// Dots of a character of font A.
pub const CHARACTER_DOTS: usize = 12;

/// Windows-1252 from 0x80 to 0x9F; the rest of it is Latin-1. a space is not assigned.
const PAGE_16_UPPER: &str = "€ ‚ƒ„…†‡ˆ‰Š‹\u{152} Ž  ‘’“”•–—˜™š›\u{153} žŸ";

/// Number of Windows-1252 in `ESC t`.
const PAGE_1252: u8 = 16;

/// Bytes that are not a paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DecodeFault {
    /// No command of this printer.
    #[error("no command of this printer at byte {offset}")]
    UnknownCommand {
        /// Place of its first byte.
        offset: usize,
    },
    /// The bytes end within a command or a line.
    #[error("the bytes end within a command or a line at byte {offset}")]
    Unfinished {
        /// Where they end.
        offset: usize,
    },
    /// A character that the page does not have, or another page than Windows-1252.
    #[error("a character that the page lacks at byte {offset}")]
    Character {
        /// Its place.
        offset: usize,
    },
    /// A line is wider than the paper.
    #[error("a line wider than the paper at byte {offset}")]
    TooWide {
        /// Place of the first character that does not fit.
        offset: usize,
    },
    /// A symbol that cannot be printed: no data, another model, within a line of text.
    #[error("a symbol that cannot be printed at byte {offset}")]
    Symbol {
        /// Place of its command.
        offset: usize,
    },
}

/// What the printer has to do besides printing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Tell its state.
    TellStatus(u8),
    /// Tell that everything before is printed.
    TellPrinted([u8; 4]),
    /// The drawer on that pin opens.
    Drawer(u8),
    /// A paper has been cut off.
    Paper(Sheet),
}

/// A printer's head: the state that commands change and the paper under it.
pub struct Decoder {
    dots: usize,
    bytes: Vec<u8>,
    /// Bytes already taken out of `bytes`.
    offset: usize,
    page: u8,
    side: Side,
    bold: bool,
    size: (u8, u8),
    bar_height: u8,
    bar_dots: u8,
    bar_text: u8,
    qr_model: u8,
    qr_module: u8,
    qr_level: char,
    qr_data: Option<String>,
    line: Vec<Cell>,
    sheet: Sheet,
}

impl Decoder {
    /// A printer just switched on, with so many printable dots in a line.
    pub const fn new(dots: usize) -> Self {
        Self {
            dots,
            bytes: Vec::new(),
            offset: 0,
            page: 0,
            side: Side::Left,
            bold: false,
            size: (1, 1),
            bar_height: 162,
            bar_dots: 3,
            bar_text: 0,
            qr_model: 50,
            qr_module: 3,
            qr_level: 'L',
            qr_data: None,
            line: Vec::new(),
            sheet: Sheet::new(dots),
        }
    }

    /// Bytes arrive.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Carries out the next command; none when more bytes are needed.
    ///
    /// # Errors
    /// A [`DecodeFault`] with the offset from the first byte ever pushed.
    pub fn step(&mut self) -> Result<Option<Effect>, DecodeFault> {
        match read(&self.bytes) {
            Reading::More => Ok(None),
            Reading::Unknown => Err(DecodeFault::UnknownCommand {
                offset: self.offset,
            }),
            Reading::Command(command, length) => {
                let effect = self.apply(command)?;
                self.bytes.drain(..length);
                self.offset += length;
                Ok(Some(effect))
            }
        }
    }

    /// What has been printed since the last cut, with the line under the head.
    pub fn hanging(&self) -> Sheet {
        let mut sheet = self.sheet.clone();
        if !self.line.is_empty() {
            sheet.rows.push(Row::Text {
                cells: self.line.clone(),
                side: self.side,
            });
        }
        sheet
    }

    /// True when bytes of an unfinished command, or of an unprinted line, are left.
    pub fn is_unfinished(&self) -> bool {
        !self.bytes.is_empty() || !self.line.is_empty()
    }

    fn end_line(&mut self) -> bool {
        if self.line.is_empty() {
            return false;
        }
        self.sheet.rows.push(Row::Text {
            cells: std::mem::take(&mut self.line),
            side: self.side,
        });
        true
    }

    fn character(&mut self, byte: u8) -> Result<(), DecodeFault> {
        let offset = self.offset;
        let character = match byte {
            0x20..=0x7E => Some(char::from(byte)),
            _ if self.page != PAGE_1252 => None,
            0x80..=0x9F => PAGE_16_UPPER
                .chars()
                .nth(usize::from(byte - 0x80))
                .filter(|character| *character != ' '),
            _ => Some(char::from(byte)),
        }
        .ok_or(DecodeFault::Character { offset })?;
        self.line.push(Cell {
            character,
            bold: self.bold,
            width: self.size.0,
            height: self.size.1,
        });
        let taken: usize = self
            .line
            .iter()
            .map(|cell| usize::from(cell.width) * CHARACTER_DOTS)
            .sum();
        if taken > self.dots {
            return Err(DecodeFault::TooWide { offset });
        }
        Ok(())
    }

    /// Symbols stand alone: a real printer drops them within a line.
    fn symbol(&mut self, row: Option<Row>) -> Result<(), DecodeFault> {
        match row {
            Some(row) if self.line.is_empty() => {
                self.sheet.rows.push(row);
                Ok(())
            }
            _ => Err(DecodeFault::Symbol {
                offset: self.offset,
            }),
        }
    }

    fn qr(&self) -> Option<Row> {
        (self.qr_model == 50).then_some(())?;
        Some(Row::Qr {
            payload: self.qr_data.clone()?,
            level: self.qr_level,
            module_dots: self.qr_module,
            side: self.side,
        })
    }

    fn initialise(&mut self) {
        let dots = self.dots;
        let fresh = Self {
            bytes: std::mem::take(&mut self.bytes),
            offset: self.offset,
            sheet: std::mem::replace(&mut self.sheet, Sheet::new(dots)),
            ..Self::new(dots)
        };
        *self = fresh;
    }

    fn apply(&mut self, command: Command) -> Result<Effect, DecodeFault> {
        match command {
            Command::Character(byte) => self.character(byte)?,
            Command::LineFeed => {
                if !self.end_line() {
                    self.sheet.rows.push(Row::Blank(1));
                }
            }
            Command::Feed(lines) => {
                let printed = u8::from(self.end_line());
                if let Some(blank @ 1..) = lines.checked_sub(printed) {
                    self.sheet.rows.push(Row::Blank(blank));
                }
            }
            Command::Initialise => self.initialise(),
            Command::Page(page) => self.page = page,
            Command::Justify(0) => self.side = Side::Left,
            Command::Justify(1) => self.side = Side::Centre,
            Command::Justify(_) => self.side = Side::Right,
            Command::Emphasis(bold) => self.bold = bold,
            Command::Size(width, height) => self.size = (width, height),
            Command::BarHeight(dots) => self.bar_height = dots,
            Command::BarWidth(dots) => self.bar_dots = dots,
            Command::BarText(place) => self.bar_text = place,
            Command::BarFont(_) => {}
            Command::Itf(digits) => {
                let row = (self.bar_text == 0).then(|| Row::Itf {
                    digits: digits.iter().copied().map(char::from).collect(),
                    bar_dots: self.bar_dots,
                    height: self.bar_height,
                    side: self.side,
                });
                self.symbol(row)?;
            }
            Command::QrModel(model) => self.qr_model = model,
            Command::QrModule(dots) => self.qr_module = dots,
            Command::QrLevel(level) => {
                self.qr_level = match level {
                    48 => 'L',
                    49 => 'M',
                    50 => 'Q',
                    _ => 'H',
                };
            }
            Command::QrStore(data) => {
                self.qr_data = data
                    .iter()
                    .all(u8::is_ascii)
                    .then(|| data.iter().copied().map(char::from).collect());
            }
            Command::QrPrint => {
                let row = self.qr();
                self.symbol(row)?;
            }
            Command::Pulse(pin) => return Ok(Effect::Drawer(pin)),
            Command::AskStatus(question) => return Ok(Effect::TellStatus(question)),
            Command::AskPrinted(id) => return Ok(Effect::TellPrinted(id)),
            Command::Cut => {
                self.end_line();
                let mut sheet = std::mem::replace(&mut self.sheet, Sheet::new(self.dots));
                sheet.is_cut = true;
                return Ok(Effect::Paper(sheet));
            }
        }
        Ok(Effect::None)
    }
}

/// All papers in some bytes, each of them cut and nothing left over.
///
/// # Errors
/// The first [`DecodeFault`].
pub fn decode(bytes: &[u8], dots: usize) -> Result<Vec<Sheet>, DecodeFault> {
    let mut decoder = Decoder::new(dots);
    decoder.push(bytes);
    let mut sheets = Vec::new();
    while let Some(effect) = decoder.step()? {
        if let Effect::Paper(sheet) = effect {
            sheets.push(sheet);
        }
    }
    if decoder.is_unfinished() || !decoder.hanging().rows.is_empty() {
        return Err(DecodeFault::Unfinished {
            offset: bytes.len(),
        });
    }
    Ok(sheets)
}

/// As [`decode`], of a job that may have been torn off: then what had been printed of it is the
/// last paper.
pub fn decode_torn(bytes: &[u8], dots: usize) -> Vec<Sheet> {
    let mut decoder = Decoder::new(dots);
    decoder.push(bytes);
    let mut sheets = Vec::new();
    while let Ok(Some(effect)) = decoder.step() {
        if let Effect::Paper(sheet) = effect {
            sheets.push(sheet);
        }
    }
    let torn = decoder.hanging();
    if !torn.rows.is_empty() {
        sheets.push(torn);
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Vec<u8> {
        vec![0x1B, b'@', 0x1B, b't', 16]
    }

    #[test]
    fn text_sizes_and_sides() {
        let mut bytes = page();
        bytes.extend_from_slice(
            b"\x1Ba\x01\x1BE\x01\x1D!\x11\xC9t\xE9\x9C\n\x1Ba\x00\x1D!\x00a-b\x1Bd\x03\x1DVA\x00",
        );
        let sheets = decode(&bytes, 576).unwrap();
        assert_eq!(sheets.len(), 1);
        assert_eq!(sheets[0].texts(), ["Étéœ", "a-b"]);
        assert!(
            matches!(&sheets[0].rows[0], Row::Text { cells, side: Side::Centre }
            if cells[0] == Cell { character: 'É', bold: true, width: 2, height: 2 })
        );
        assert_eq!(sheets[0].rows[2], Row::Blank(2));
    }

    #[test]
    fn strict() {
        let with = |tail: &[u8]| [page().as_slice(), tail].concat();
        assert_eq!(
            decode(&with(b"ab\x1Bq\x00"), 576),
            Err(DecodeFault::UnknownCommand { offset: 7 })
        );
        assert_eq!(
            decode(&with(b"a\x81"), 576),
            Err(DecodeFault::Character { offset: 6 })
        );
        assert_eq!(
            decode(b"\xE9", 576),
            Err(DecodeFault::Character { offset: 0 })
        );
        assert_eq!(
            decode(&with(&[b'x'; 49]), 576),
            Err(DecodeFault::TooWide { offset: 53 })
        );
        assert_eq!(
            decode(&with(b"abc\n"), 576),
            Err(DecodeFault::Unfinished { offset: 9 })
        );
        assert_eq!(
            decode(&with(b"\x1D(k\x03\x001Q0"), 576),
            Err(DecodeFault::Symbol { offset: 5 })
        );
    }
}

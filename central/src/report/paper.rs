//! A report as PDF: Letter, the French part and then the English one, each whole; or both languages
//! beside each other.
//!
//! The face is the one of the tickets (DejaVu Sans Mono, embedded whole): every sign is as
//! wide as any other, so that columns and line ends follow from counting.

use keno_record::calendar::Calendar;
use keno_slip::form::Area;
use keno_wire::reply::Bilingual;
use keno_words::{Say, both, report};
use printpdf::{
    Color, FontId, Greyscale, Line, LinePoint, Mm, OffsetDateTime, Op, ParsedFont, PdfDocument,
    PdfFont, PdfFontHandle, PdfPage, PdfSaveOptions, Point, Pt, TextItem,
};
use thiserror::Error;

use super::areas::{CodeFault, qr_ops};
use super::sheet::{Block, Column, Section, Sheet, Value};
use crate::pages::Lang;

const REGULAR: &[u8] = include_bytes!("../../../terminal/fonts/DejaVuSansMono.ttf");
const BOLD: &[u8] = include_bytes!("../../../terminal/fonts/DejaVuSansMono-Bold.ttf");

/// Letter, in millimetres.
const WIDTH_MM: f32 = 215.9;
const HEIGHT_MM: f32 = 279.4;
const MARGIN_MM: f32 = 16.0;
const FOOT_MM: f32 = 18.0;
/// Advance of every sign of the face, in ems (1233 of 2048).
const ADVANCE_EM: f32 = 0.602_05;
pub(super) const MM_PER_POINT: f32 = 0.352_778;

const TITLE_PT: f32 = 15.0;
const HEADING_PT: f32 = 10.0;
const TEXT_PT: f32 = 8.0;
const TABLE_PT: f32 = 7.0;
const SMALL_PT: f32 = 6.5;
/// Numbers of a draw, where they stand on a line of their own.
const NUMBERS_PT: f32 = 13.0;
/// Side of a QR.
const CODE_MM: f32 = 28.0;
/// Signs of a fact's label.
const LABEL_SIGNS: usize = 38;
/// Signs that amounts are set flush right in, so that their cents stand under each other.
const AMOUNT_SIGNS: usize = 16;
/// Signs between two columns.
const GAP_SIGNS: usize = 2;

/// The paper cannot be made.
#[derive(Debug, Error)]
pub enum PaperFault {
    /// The face that the program carries cannot be read.
    #[error("the typeface of the reports cannot be read")]
    Face,
    /// Its bytes cannot be written, which memory always takes.
    #[error("the paper cannot be written")]
    Bytes,
    /// An address is too long for a QR.
    #[error("the code of the paper cannot be drawn")]
    Code(#[from] CodeFault),
}

/// How a paper sets its two languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// French and then English, each whole and on pages of its own.
    InTurn,
    /// Beside each other.
    Beside {
        /// What the QR in its head says.
        code: Option<String>,
    },
}

/// In which language a layout says what is there in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tongue {
    One(Lang),
    Both,
}

impl Tongue {
    fn said(self, words: &dyn Say) -> String {
        match self {
            Self::One(lang) => lang.said(words),
            Self::Both if words.fr() == words.en() => words.fr(),
            Self::Both => both(words),
        }
    }

    /// In lines of at most so many signs; each language on its own where both do not fit one.
    fn lines(self, words: &Bilingual, signs: usize) -> Vec<String> {
        let said = self.said(words);
        if self != Self::Both || said.chars().count() <= signs {
            return wrap(&said, signs);
        }
        let mut lines = wrap(&format!("{} /", words.fr), signs);
        lines.extend(wrap(&words.en, signs));
        lines
    }

    fn value(self, value: &Value, calendar: Calendar) -> String {
        let in_one = |lang| value.text(lang, calendar);
        match self {
            Self::One(lang) => in_one(lang),
            Self::Both => self.said(&Bilingual {
                fr: in_one(Lang::Fr),
                en: in_one(Lang::En),
            }),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    Regular,
    Bold,
}

/// The faces of a document.
pub(super) struct Faces {
    pub(super) regular: PdfFontHandle,
    pub(super) bold: PdfFontHandle,
    pub(super) parsed: ParsedFont,
}

fn signs_in(width_mm: f32, points: f32) -> usize {
    let signs = width_mm / (points * ADVANCE_EM * MM_PER_POINT);
    // Far below any limit of the conversion; a negative width has no signs.
    signs.max(0.0) as usize
}

fn width_mm(signs: usize, points: f32) -> f32 {
    signs as f32 * points * ADVANCE_EM * MM_PER_POINT
}

/// Breaks a text into lines of at most `signs`, at spaces where there are any.
fn wrap(text: &str, signs: usize) -> Vec<String> {
    let signs = signs.max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        let mut length = 0;
        for word in paragraph.split(' ') {
            let mut rest: Vec<char> = word.chars().collect();
            if length > 0 && length + 1 + rest.len() <= signs {
                line.push(' ');
                length += 1;
            } else if length > 0 {
                lines.push(std::mem::take(&mut line));
                length = 0;
            }
            // In equal parts: a hash on two lines is easier to compare than one and a scrap.
            let part = rest.len().div_ceil(rest.len().div_ceil(signs).max(1));
            while rest.len() > signs {
                let tail = rest.split_off(part);
                lines.push(rest.into_iter().collect());
                rest = tail;
            }
            length += rest.len();
            line.extend(rest);
        }
        lines.push(line);
    }
    lines
}

/// How a table is set.
struct Grid {
    /// Signs of each column.
    widths: Vec<usize>,
    /// Columns that are set flush right.
    flush: Vec<bool>,
    points: f32,
}

struct Layout<'a> {
    sheet: &'a Sheet,
    faces: &'a Faces,
    tongue: Tongue,
    pages: Vec<Vec<Op>>,
    /// Distance of the next line's top from the top of the page.
    at_mm: f32,
    /// Down to where a QR stands at the right of the first page.
    code_until_mm: f32,
}

fn line_mm(points: f32) -> f32 {
    points * MM_PER_POINT * 1.35
}

impl Layout<'_> {
    fn text_width_mm() -> f32 {
        WIDTH_MM - 2.0 * MARGIN_MM
    }

    fn page(&mut self) {
        self.pages.push(Vec::new());
        self.at_mm = MARGIN_MM;
    }

    /// Makes sure that so much fits; true when a new page was begun.
    fn room(&mut self, needed_mm: f32) -> bool {
        let is_full = self.at_mm + needed_mm > HEIGHT_MM - FOOT_MM;
        if self.pages.is_empty() || is_full {
            self.page();
            return true;
        }
        false
    }

    fn ops(&mut self) -> &mut Vec<Op> {
        if self.pages.is_empty() {
            self.page();
        }
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    fn put(&mut self, x_mm: f32, points: f32, weight: Weight, text: &str) {
        if text.is_empty() {
            return;
        }
        let baseline_mm = HEIGHT_MM - self.at_mm - points * MM_PER_POINT;
        let text = shown(&self.faces.parsed, text);
        let font = match weight {
            Weight::Regular => self.faces.regular.clone(),
            Weight::Bold => self.faces.bold.clone(),
        };
        self.ops()
            .extend(text_ops(x_mm, baseline_mm, font, points, text));
    }

    fn rule(&mut self, weight_pt: f32) {
        let y_mm = HEIGHT_MM - self.at_mm;
        self.ops()
            .extend(rule_ops(MARGIN_MM, WIDTH_MM - MARGIN_MM, y_mm, weight_pt));
    }

    fn lines(&mut self, x_mm: f32, points: f32, weight: Weight, lines: &[String]) {
        for line in lines {
            self.room(line_mm(points));
            self.put(x_mm, points, weight, line);
            self.at_mm += line_mm(points);
        }
    }

    fn paragraph(&mut self, points: f32, weight: Weight, text: &str) {
        let signs = signs_in(Self::text_width_mm(), points);
        let lines = wrap(text, signs);
        self.lines(MARGIN_MM, points, weight, &lines);
    }

    fn head(&mut self) {
        self.page();
        let sheet = self.sheet;
        self.paragraph(TEXT_PT, Weight::Regular, &sheet.house);
        match self.tongue {
            Tongue::One(lang) => {
                self.paragraph(TITLE_PT, Weight::Bold, lang.of(&sheet.title));
                let made = Value::Moment(sheet.made_at_ms).text(lang, sheet.calendar);
                let made = lang.said(&report::MadeInTwoLanguages { made: &made });
                self.paragraph(TEXT_PT, Weight::Regular, &made);
            }
            Tongue::Both => {
                self.paragraph(TITLE_PT, Weight::Bold, &sheet.title.fr);
                self.paragraph(HEADING_PT, Weight::Bold, &sheet.title.en);
            }
        }
        self.at_mm += 1.5;
        self.rule(1.2);
    }

    /// A QR at the right; facts stand beside it.
    fn code(&mut self, code: &str) -> Result<(), CodeFault> {
        let hundredths = |mm: f32| (mm * 100.0) as i32;
        let area = Area {
            x: hundredths(WIDTH_MM - MARGIN_MM - CODE_MM),
            y: hundredths(self.at_mm + 3.0),
            width: hundredths(CODE_MM),
            height: hundredths(CODE_MM),
        };
        self.code_until_mm = self.at_mm + 3.0 + CODE_MM;
        let ops = qr_ops(hundredths(HEIGHT_MM), area, code)?;
        self.ops().extend(ops);
        Ok(())
    }

    fn section(&mut self, section: &Section) {
        // A heading does not stand alone at the foot of a page.
        self.room(line_mm(HEADING_PT) + 4.0 * line_mm(TEXT_PT));
        self.at_mm += 3.5;
        self.paragraph(HEADING_PT, Weight::Bold, &self.tongue.said(&section.title));
        self.at_mm += 0.8;
        // Amounts stand under each other where a section is one sum.
        let is_sum = section.blocks.iter().all(|block| match block {
            Block::Fact { value, .. } => matches!(value, Value::Money(_)),
            _ => true,
        });
        for block in &section.blocks {
            match block {
                Block::Fact {
                    label,
                    value,
                    strong,
                    ..
                } => self.fact(label, value, *strong, is_sum),
                Block::Table { columns, rows } => self.table(columns, rows),
                Block::Note(words) => {
                    self.note(words);
                    self.at_mm += 0.8;
                }
                Block::Verbatim { label, lines, .. } => {
                    self.paragraph(TEXT_PT, Weight::Regular, &self.tongue.said(label));
                    for line in lines {
                        self.paragraph(SMALL_PT, Weight::Regular, line);
                    }
                    self.at_mm += 0.8;
                }
                Block::Signatures(all) => self.signatures(all),
            }
        }
    }

    /// A paragraph; in both languages two columns.
    fn note(&mut self, words: &Bilingual) {
        if let Tongue::One(lang) = self.tongue {
            return self.paragraph(TEXT_PT, Weight::Regular, lang.of(words));
        }
        let signs = signs_in(Self::text_width_mm(), TABLE_PT).saturating_sub(GAP_SIGNS) / 2;
        let english_at = MARGIN_MM + width_mm(signs + GAP_SIGNS, TABLE_PT);
        let (french, english) = (wrap(&words.fr, signs), wrap(&words.en, signs));
        for row in 0..french.len().max(english.len()) {
            self.room(line_mm(TABLE_PT));
            for (x_mm, lines) in [(MARGIN_MM, &french), (english_at, &english)] {
                if let Some(line) = lines.get(row) {
                    self.put(x_mm, TABLE_PT, Weight::Regular, line);
                }
            }
            self.at_mm += line_mm(TABLE_PT);
        }
    }

    fn fact(&mut self, label: &Bilingual, value: &Value, strong: bool, is_sum: bool) {
        let is_beside_code = self.pages.len() == 1 && self.at_mm < self.code_until_mm;
        let taken_mm = if is_beside_code { CODE_MM + 4.0 } else { 0.0 };
        let signs = signs_in(Self::text_width_mm() - taken_mm, TEXT_PT);
        let weight = if strong {
            Weight::Bold
        } else {
            Weight::Regular
        };
        let labels = self.tongue.lines(label, LABEL_SIGNS);
        let text = self.tongue.value(value, self.sheet.calendar);
        if self.tongue == Tongue::Both && strong && matches!(value, Value::Numbers(_)) {
            self.paragraph(TEXT_PT, weight, &self.tongue.said(label));
            self.paragraph(NUMBERS_PT, Weight::Bold, &text);
            return;
        }
        let indent = match value {
            Value::Money(_) if is_sum => AMOUNT_SIGNS.saturating_sub(text.chars().count()),
            _ => 0,
        };
        let values = wrap(&text, signs.saturating_sub(LABEL_SIGNS + GAP_SIGNS));
        let value_at = MARGIN_MM + width_mm(LABEL_SIGNS + GAP_SIGNS + indent, TEXT_PT);
        for row in 0..labels.len().max(values.len()) {
            self.room(line_mm(TEXT_PT));
            if let Some(label) = labels.get(row) {
                self.put(MARGIN_MM, TEXT_PT, weight, label);
            }
            if let Some(value) = values.get(row) {
                self.put(value_at, TEXT_PT, Weight::Bold, value);
            }
            self.at_mm += line_mm(TEXT_PT);
        }
    }

    /// Signs of each column: as wide as its widest cell, the widest ones cut until all fit. True
    /// when none was cut.
    fn widths(&self, columns: &[Column], cells: &[Vec<String>], points: f32) -> (Vec<usize>, bool) {
        let length = |text: &String| text.chars().count();
        let mut widths: Vec<usize> = columns
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let heading = self.tongue.said(&column.label).chars().count();
                let widest = cells.iter().filter_map(|row| row.get(at)).map(length).max();
                widest.unwrap_or(0).max(heading)
            })
            .collect();
        let gaps = GAP_SIGNS * columns.len().saturating_sub(1);
        let all = signs_in(Self::text_width_mm(), points).saturating_sub(gaps);
        let fits = widths.iter().sum::<usize>() <= all;
        while widths.iter().sum::<usize>() > all {
            let Some(widest) = widths.iter_mut().max() else {
                break;
            };
            if *widest <= 4 {
                break;
            }
            *widest -= 1;
        }
        (widths, fits)
    }

    fn table(&mut self, columns: &[Column], rows: &[Vec<Value>]) {
        let calendar = self.sheet.calendar;
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|value| self.tongue.value(value, calendar))
                    .collect()
            })
            .collect();
        // Somewhat smaller where nothing needs to be broken then.
        let (widths, points) = match self.widths(columns, &cells, TABLE_PT) {
            (widths, true) => (widths, TABLE_PT),
            (cut, false) => match self.widths(columns, &cells, SMALL_PT) {
                (widths, true) => (widths, SMALL_PT),
                (_, false) => (cut, TABLE_PT),
            },
        };
        let headings: Vec<String> = columns
            .iter()
            .map(|column| self.tongue.said(&column.label))
            .collect();
        let flush: Vec<bool> = (0..columns.len())
            .map(|at| {
                rows.iter()
                    .any(|row| row.get(at).is_some_and(Value::is_figure))
            })
            .collect();
        let grid = Grid {
            widths,
            flush,
            points,
        };
        self.room(4.0 * line_mm(points));
        self.heading(&headings, &grid);
        for row in &cells {
            let height = row
                .iter()
                .zip(&grid.widths)
                .map(|(text, width)| wrap(text, *width).len())
                .max()
                .unwrap_or(1);
            if self.room(height as f32 * line_mm(points)) {
                self.heading(&headings, &grid);
            }
            self.row(row, &grid, Weight::Regular);
        }
        self.at_mm += 1.0;
    }

    fn heading(&mut self, headings: &[String], grid: &Grid) {
        self.row(headings, grid, Weight::Bold);
        self.rule(0.4);
        self.at_mm += 0.4;
    }

    fn row(&mut self, row: &[String], grid: &Grid, weight: Weight) {
        let (widths, points) = (&grid.widths, grid.points);
        let wrapped: Vec<Vec<String>> = row
            .iter()
            .zip(widths)
            .map(|(text, width)| wrap(text, *width))
            .collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            self.room(line_mm(points));
            let mut signs = 0;
            for (at, (lines, width)) in wrapped.iter().zip(widths).enumerate() {
                if let Some(text) = lines.get(line) {
                    let indent = if grid.flush.get(at).copied().unwrap_or(false) {
                        width.saturating_sub(text.chars().count())
                    } else {
                        0
                    };
                    let x_mm = MARGIN_MM + width_mm(signs + indent, points);
                    self.put(x_mm, points, weight, text);
                }
                signs += width + GAP_SIGNS;
            }
            self.at_mm += line_mm(points);
        }
    }

    fn signatures(&mut self, all: &[Bilingual]) {
        for words in all {
            self.room(13.0);
            self.at_mm += 9.0;
            let y_mm = HEIGHT_MM - self.at_mm;
            self.ops()
                .extend(rule_ops(MARGIN_MM, MARGIN_MM + 80.0, y_mm, 0.5));
            self.ops()
                .extend(rule_ops(MARGIN_MM + 90.0, MARGIN_MM + 140.0, y_mm, 0.5));
            self.at_mm += 0.6;
            let words = self.tongue.said(words);
            self.put(MARGIN_MM, SMALL_PT, Weight::Regular, &words);
            let date = self.tongue.said(&report::DateAndTime);
            self.put(MARGIN_MM + 90.0, SMALL_PT, Weight::Regular, &date);
            self.at_mm += line_mm(SMALL_PT);
        }
    }
}

/// A text as a face can show it.
pub(super) fn shown(face: &ParsedFont, text: &str) -> String {
    text.chars()
        .map(|sign| match sign {
            '\u{202f}' => '\u{a0}',
            control if control.is_control() => ' ',
            sign if face.lookup_glyph_index(u32::from(sign)).is_some() => sign,
            _ => '?',
        })
        .collect()
}

pub(super) fn text_ops(
    x_mm: f32,
    y_mm: f32,
    font: PdfFontHandle,
    points: f32,
    text: String,
) -> [Op; 5] {
    [
        Op::StartTextSection,
        Op::SetTextCursor {
            pos: Point::new(Mm(x_mm), Mm(y_mm)),
        },
        Op::SetFont {
            font,
            size: Pt(points),
        },
        Op::ShowText {
            items: vec![TextItem::Text(text)],
        },
        Op::EndTextSection,
    ]
}

fn rule_ops(from_mm: f32, to_mm: f32, y_mm: f32, weight_pt: f32) -> [Op; 3] {
    let point = |x_mm: f32| LinePoint {
        p: Point::new(Mm(x_mm), Mm(y_mm)),
        bezier: false,
    };
    [
        Op::SetOutlineColor {
            col: Color::Greyscale(Greyscale {
                percent: 0.0,
                icc_profile: None,
            }),
        },
        Op::SetOutlineThickness { pt: Pt(weight_pt) },
        Op::DrawLine {
            line: Line {
                points: vec![point(from_mm), point(to_mm)],
                is_closed: false,
            },
        },
    ]
}

/// The report as PDF, dated with the moment when it was made.
///
/// # Errors
/// [`PaperFault`].
pub fn pdf(sheet: &Sheet, setting: &Setting) -> Result<Vec<u8>, PaperFault> {
    let title = format!("{} / {}", sheet.title.fr, sheet.title.en);
    let (mut document, faces) = begun(&title, sheet.made_at_ms)?;
    let info = &mut document.metadata.info;
    info.author.clone_from(&sheet.house);
    info.subject.clone_from(&title);
    let mut parts = Vec::new();
    let tongues = match setting {
        Setting::InTurn => Lang::ALL.map(Tongue::One).to_vec(),
        Setting::Beside { .. } => vec![Tongue::Both],
    };
    for tongue in tongues {
        let mut layout = Layout {
            sheet,
            faces: &faces,
            tongue,
            pages: Vec::new(),
            at_mm: 0.0,
            code_until_mm: 0.0,
        };
        layout.head();
        if let Setting::Beside { code: Some(code) } = setting {
            layout.code(code)?;
        }
        for section in &sheet.sections {
            layout.section(section);
        }
        let count = layout.pages.len();
        for (number, ops) in layout.pages.into_iter().enumerate() {
            parts.push((tongue, number + 1, count, ops));
        }
    }
    let pages = parts
        .into_iter()
        .map(|(tongue, number, count, mut ops)| {
            let (number, count) = (&number, &count);
            let of = tongue.said(&report::PageOf { number, count });
            let foot = format!("{} · {} · {of}", sheet.house, tongue.said(&sheet.title));
            ops.extend(rule_ops(MARGIN_MM, WIDTH_MM - MARGIN_MM, 14.0, 0.4));
            ops.extend(text_ops(
                MARGIN_MM,
                10.5,
                faces.regular.clone(),
                SMALL_PT,
                foot,
            ));
            PdfPage::new(Mm(WIDTH_MM), Mm(HEIGHT_MM), ops)
        })
        .collect();
    written(document, pages)
}

/// A document without a page, dated with the moment when it was made, and its faces.
pub(super) fn begun(title: &str, made_at_ms: i64) -> Result<(PdfDocument, Faces), PaperFault> {
    let parse =
        |bytes: &[u8]| ParsedFont::from_bytes(bytes, 0, &mut Vec::new()).ok_or(PaperFault::Face);
    let (regular, bold) = (parse(REGULAR)?, parse(BOLD)?);
    let made = OffsetDateTime::from_unix_timestamp(made_at_ms.div_euclid(1_000))
        .map_err(|_| PaperFault::Face)?;
    let mut document = PdfDocument::new(title);
    let info = &mut document.metadata.info;
    info.creation_date = made;
    info.modification_date = made;
    info.metadata_date = made;
    "Boulier".clone_into(&mut info.creator);
    // By names of our own: those that would be made up differ each time.
    let mut face = |name: &str, font: &ParsedFont| {
        let id = FontId(name.to_owned());
        let fonts = &mut document.resources.fonts.map;
        fonts.insert(id.clone(), PdfFont::new(font.clone()));
        PdfFontHandle::External(id)
    };
    let faces = Faces {
        regular: face("Regular", &regular),
        bold: face("Bold", &bold),
        parsed: regular,
    };
    Ok((document, faces))
}

/// The bytes of a document, which are the same for the same pages.
pub(super) fn written(
    mut document: PdfDocument,
    pages: Vec<PdfPage>,
) -> Result<Vec<u8>, PaperFault> {
    let options = PdfSaveOptions::default();
    document.with_pages(pages);
    let mut file = document.to_lopdf_document(&options, &mut Vec::new());
    // It is made up anew each time, and a file that is not encrypted needs none (ISO 32000-1, 14.4).
    file.trailer.remove(b"ID");
    if options.optimize {
        file.compress();
    }
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).map_err(|_| PaperFault::Bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_long_words_anywhere() {
        assert_eq!(wrap("un deux trois", 8), ["un deux", "trois"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("été", 3), ["été"]);
        assert_eq!(wrap("", 3), [""]);
        assert_eq!(wrap("a\nb", 9), ["a", "b"]);
    }
}

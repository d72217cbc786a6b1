//! A paper as an image: 203 dots an inch, one pixel a dot.

use std::sync::OnceLock;

use fontdue::{Font, FontSettings};
use qrcode::{EcLevel, QrCode, Version};
use thiserror::Error;

use super::decoder::CHARACTER_DOTS;
use super::sheet::{Cell, Row, Sheet, Side};

const REGULAR: &[u8] = include_bytes!("../../fonts/DejaVuSansMono.ttf");
const BOLD: &[u8] = include_bytes!("../../fonts/DejaVuSansMono-Bold.ttf");

/// Dots of a character of font A, downward.
const CHARACTER_HEIGHT: usize = 24;
/// Dots from one line to the next.
const LINE_SPACING: usize = 30;
/// Empty paper before the first and after the last row.
const EDGE: usize = 28;
/// Dots between the teeth of a torn edge.
const TOOTH: usize = 12;
/// Rows of dots that an image may have: a runaway job must not take all memory.
const HEIGHT_MAX: usize = 60_000;

const PAPER: u8 = 252;
const INK: u8 = 24;
const TORN: u8 = 40;

/// A picture could not be made.
#[derive(Debug, Error)]
pub enum PictureFault {
    /// A font of the program cannot be read.
    #[error("a font cannot be read: {0}")]
    Font(&'static str),
    /// A QR that holds more than a QR can.
    #[error("a QR cannot be drawn")]
    Qr(#[source] qrcode::types::QrError),
    /// The image could not be written.
    #[error("the image cannot be written")]
    Png(#[from] png::EncodingError),
    /// The paper is longer than any.
    #[error("the paper is too long to be drawn")]
    TooLong,
}

/// A grey image.
struct Canvas {
    width: usize,
    /// Paper beside the printable dots, on either side.
    margin: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn height(&self) -> usize {
        self.pixels.len() / self.width.max(1)
    }

    /// More empty paper; the row where it begins.
    fn extend(&mut self, rows: usize) -> Result<usize, PictureFault> {
        let top = self.height();
        if top + rows > HEIGHT_MAX {
            return Err(PictureFault::TooLong);
        }
        self.pixels.resize((top + rows) * self.width, PAPER);
        Ok(top)
    }

    /// Lays ink (0 none, 255 full) on a dot; outside the paper nothing happens.
    fn ink(&mut self, x: usize, y: usize, cover: u8) {
        if x >= self.width {
            return;
        }
        if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
            let depth = u16::from(PAPER - INK) * u16::from(cover) / 255;
            let inked = PAPER - u8::try_from(depth).unwrap_or(PAPER - INK);
            *pixel = (*pixel).min(inked);
        }
    }

    fn block(&mut self, left: usize, top: usize, width: usize, height: usize) {
        for y in top..top + height {
            for x in left..left + width {
                self.ink(x, y, 255);
            }
        }
    }

    fn start(&self, width: usize, side: Side) -> usize {
        let room = self.width.saturating_sub(2 * self.margin + width);
        let inset = match side {
            Side::Left => 0,
            Side::Centre => room / 2,
            Side::Right => room,
        };
        self.margin + inset
    }
}

/// Both weights of the font.
struct Fonts {
    regular: Font,
    bold: Font,
}

/// Reading the fonts takes longer than drawing a paper: it is done once.
static FONTS: OnceLock<Result<Fonts, &'static str>> = OnceLock::new();

impl Fonts {
    fn read() -> Result<&'static Self, PictureFault> {
        let font = |bytes| Font::from_bytes(bytes, FontSettings::default());
        FONTS
            .get_or_init(|| {
                Ok(Self {
                    regular: font(REGULAR)?,
                    bold: font(BOLD)?,
                })
            })
            .as_ref()
            .map_err(|reason| PictureFault::Font(reason))
    }

    /// Draws a character in its cell. The font is scaled to the cell's height and then squeezed
    /// to its width, as a printer does with its dots.
    fn draw(&self, canvas: &mut Canvas, cell: &Cell, left: usize, top: usize) {
        let font = if cell.bold { &self.bold } else { &self.regular };
        let times_wide = usize::from(cell.width);
        let times_high = usize::from(cell.height);
        // 20 pixels make this font 12 dots wide.
        let (metrics, cover) = font.rasterize(cell.character, 20.0 * f32::from(cell.height));
        let baseline = top + 19 * times_high;
        let Ok(rise) = isize::try_from(metrics.height) else {
            return;
        };
        for (row, line) in cover.chunks(metrics.width.max(1)).enumerate() {
            let Some(y) = baseline.checked_add_signed(-(rise + metrics.ymin as isize)) else {
                continue;
            };
            let mut columns = vec![(0_u32, 0_u32); CHARACTER_DOTS * times_wide + 8];
            for (column, &dark) in line.iter().enumerate() {
                let Ok(from_left) = usize::try_from(column as isize + metrics.xmin as isize) else {
                    continue;
                };
                let first = from_left * times_wide / times_high;
                let last = ((from_left + 1) * times_wide / times_high).max(first + 1);
                for slot in columns.iter_mut().take(last).skip(first) {
                    slot.0 += u32::from(dark);
                    slot.1 += 1;
                }
            }
            for (x, (dark, count)) in columns.into_iter().enumerate() {
                if let Some(cover) = dark.checked_div(count) {
                    canvas.ink(left + x, y + row, u8::try_from(cover).unwrap_or(255));
                }
            }
        }
    }
}

fn draw_qr(
    canvas: &mut Canvas,
    payload: &str,
    level: char,
    module: usize,
    side: Side,
) -> Result<(), PictureFault> {
    let level = match level {
        'L' => EcLevel::L,
        'M' => EcLevel::M,
        'Q' => EcLevel::Q,
        _ => EcLevel::H,
    };
    let code = QrCode::with_error_correction_level(payload, level).map_err(PictureFault::Qr)?;
    debug_assert!(matches!(code.version(), Version::Normal(_)));
    let across = code.width();
    // A printer adds no quiet zone: the paper around the symbol has to be left free.
    let size = across * module;
    let left = canvas.start(size, side);
    let top = canvas.extend(size)?;
    for (position, colour) in code.to_colors().into_iter().enumerate() {
        if colour == qrcode::Color::Dark {
            canvas.block(
                left + position % across * module,
                top + position / across * module,
                module,
                module,
            );
        }
    }
    Ok(())
}

/// Wide bars of each digit in interleaved 2 of 5, from the first bit.
const ITF_DIGITS: [[bool; 5]; 10] = {
    const N: bool = false;
    const W: bool = true;
    [
        [N, N, W, W, N],
        [W, N, N, N, W],
        [N, W, N, N, W],
        [W, W, N, N, N],
        [N, N, W, N, W],
        [W, N, W, N, N],
        [N, W, W, N, N],
        [N, N, N, W, W],
        [W, N, N, W, N],
        [N, W, N, W, N],
    ]
};

/// Widths of bars and spaces in turn, a bar first.
fn itf_widths(digits: &str, narrow: usize) -> Vec<usize> {
    let wide = (narrow * 5).div_ceil(2);
    let dots = |is_wide: bool| if is_wide { wide } else { narrow };
    let pattern = |digit: u8| {
        ITF_DIGITS
            .get(usize::from(digit.wrapping_sub(b'0')))
            .copied()
            .unwrap_or_default()
    };
    let mut widths = vec![narrow; 4];
    for pair in digits.as_bytes().chunks(2) {
        if let [bars, spaces] = pair {
            for (bar, space) in pattern(*bars).into_iter().zip(pattern(*spaces)) {
                widths.push(dots(bar));
                widths.push(dots(space));
            }
        }
    }
    widths.extend([wide, narrow, narrow]);
    widths
}

fn draw_itf(
    canvas: &mut Canvas,
    digits: &str,
    narrow: usize,
    height: usize,
    side: Side,
) -> Result<(), PictureFault> {
    let widths = itf_widths(digits, narrow);
    let mut x = canvas.start(widths.iter().sum(), side);
    let top = canvas.extend(height)?;
    for (position, width) in widths.into_iter().enumerate() {
        if position % 2 == 0 {
            canvas.block(x, top, width, height);
        }
        x += width;
    }
    Ok(())
}

fn draw_row(canvas: &mut Canvas, fonts: &Fonts, row: &Row) -> Result<(), PictureFault> {
    match row {
        Row::Blank(lines) => {
            canvas.extend(usize::from(*lines) * LINE_SPACING)?;
        }
        Row::Text { cells, side } => {
            let high = cells.iter().map(|cell| cell.height).max().unwrap_or(1);
            let high = usize::from(high) * CHARACTER_HEIGHT;
            let width = |cell: &Cell| usize::from(cell.width) * CHARACTER_DOTS;
            let mut x = canvas.start(cells.iter().map(width).sum(), *side);
            let top = canvas.extend(high + LINE_SPACING - CHARACTER_HEIGHT)?;
            for cell in cells {
                // Characters of one line stand on one baseline.
                let drop = high - usize::from(cell.height) * CHARACTER_HEIGHT;
                fonts.draw(canvas, cell, x, top + drop);
                x += width(cell);
            }
        }
        Row::Qr {
            payload,
            level,
            module_dots,
            side,
        } => draw_qr(canvas, payload, *level, usize::from(*module_dots), *side)?,
        Row::Itf {
            digits,
            bar_dots,
            height,
            side,
        } => draw_itf(
            canvas,
            digits,
            usize::from(*bar_dots),
            usize::from(*height),
            *side,
        )?,
    }
    Ok(())
}

/// The edge where a paper that was not cut ends.
fn draw_torn_edge(canvas: &mut Canvas) -> Result<(), PictureFault> {
    let top = canvas.extend(TOOTH + 4)?;
    for x in 0..canvas.width {
        let phase = x % (2 * TOOTH);
        let depth = phase.min(2 * TOOTH - phase);
        for y in top + depth..canvas.height() {
            if let Some(pixel) = canvas.pixels.get_mut(y * canvas.width + x) {
                *pixel = TORN;
            }
        }
    }
    Ok(())
}

/// What the printer's head can reach as a PNG: as wide as its dots. A paper that was not cut
/// has a torn edge.
///
/// # Errors
/// A [`PictureFault`].
pub fn picture(sheet: &Sheet) -> Result<Vec<u8>, PictureFault> {
    draw(sheet, 0)
}

/// The whole paper as a PNG, with the margins that the head cannot reach: 640 dots for the
/// 576 of a roll of 80 mm, 464 for the 384 of 58 mm.
///
/// # Errors
/// A [`PictureFault`].
pub fn picture_of_paper(sheet: &Sheet) -> Result<Vec<u8>, PictureFault> {
    let margin = if sheet.dots > 400 { 32 } else { 40 };
    draw(sheet, margin)
}

fn draw(sheet: &Sheet, margin: usize) -> Result<Vec<u8>, PictureFault> {
    let fonts = Fonts::read()?;
    let mut canvas = Canvas {
        width: sheet.dots + 2 * margin,
        margin,
        pixels: Vec::new(),
    };
    canvas.extend(EDGE)?;
    for row in &sheet.rows {
        draw_row(&mut canvas, fonts, row)?;
    }
    canvas.extend(EDGE)?;
    if !sheet.is_cut {
        draw_torn_edge(&mut canvas)?;
    }
    encode(&canvas)
}

fn encode(canvas: &Canvas) -> Result<Vec<u8>, PictureFault> {
    let side = |length: usize| u32::try_from(length).map_err(|_| PictureFault::TooLong);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, side(canvas.width)?, side(canvas.height())?);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.pixels)?;
    writer.finish()?;
    Ok(bytes)
}

//! A paper as the bytes of an ESC/POS printer: a loop over lines with no decisions.
//!
//! The bytes are rendered into memory by a `Printer` of its own and sent by [`super::job`]:
//! the crate's own drivers keep what they could not send and would print it twice on a retry.

use std::sync::Arc;

use escpos::driver::Driver;
use escpos::errors::PrinterError;
use escpos::printer::Printer;
use escpos::printer_options::PrinterOptions;
use escpos::utils::{
    BarcodeFont, BarcodeHeight, BarcodeOption, BarcodePosition, BarcodeWidth, JustifyMode,
    PageCode, Protocol, QRCodeCorrectionLevel, QRCodeModel, QRCodeOption,
};
use keno_slip::{Align, Mark, Paper, TextLine};
use parking_lot::Mutex;
use thiserror::Error;

use crate::chance::bytes;

/// The paper could not be rendered; nothing was sent.
#[derive(Debug, Error)]
#[error("the paper could not be rendered: {0}")]
pub struct RenderFault(String);

impl From<PrinterError> for RenderFault {
    fn from(error: PrinterError) -> Self {
        Self(error.to_string())
    }
}

impl From<std::io::Error> for RenderFault {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// Three characters (digits and A-Z) that tell the confirmations of one job from another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobId([u8; 3]);

impl JobId {
    /// The last three base-36 digits of a number.
    pub fn from_number(number: u64) -> Self {
        let digit = |value: u64| {
            let value = u8::try_from(value % 36).unwrap_or_default();
            if value < 10 {
                b'0' + value
            } else {
                b'A' + value - 10
            }
        };
        Self([digit(number / 36 / 36), digit(number / 36), digit(number)])
    }

    /// One that an earlier job does not have, but for one in 46,656: what a printer says late of an
    /// earlier try of the same paper must not be taken for this one's.
    ///
    /// # Errors
    /// When the operating system has no chance to give.
    pub fn fresh() -> std::io::Result<Self> {
        Ok(Self::from_number(u64::from_le_bytes(bytes()?)))
    }

    /// What the printer repeats once the last line is printed.
    pub const fn after_last_line(self) -> [u8; 4] {
        let [a, b, c] = self.0;
        [a, b, c, b'L']
    }

    /// What the printer repeats once the paper is cut.
    pub const fn after_cut(self) -> [u8; 4] {
        let [a, b, c] = self.0;
        [a, b, c, b'C']
    }
}

/// `GS ( H` function 48: the printer sends `37h 22h d1-d4 00h` when everything before it has
/// been printed. The crate has no call for it.
fn ask_confirmation(id: [u8; 4]) -> [u8; 11] {
    let [a, b, c, d] = id;
    [0x1D, b'(', b'H', 6, 0, 48, 48, a, b, c, d]
}

/// Where the last line of a rendered paper ends: fewer bytes than that print no `FIN`.
pub(super) fn last_line_end(bytes: &[u8], id: JobId) -> usize {
    let question = ask_confirmation(id.after_last_line());
    bytes
        .windows(question.len())
        .rposition(|window| window == question)
        .unwrap_or(0)
}

/// A driver that keeps the bytes.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Driver for Memory {
    fn name(&self) -> String {
        "memory".to_owned()
    }

    fn write(&self, data: &[u8]) -> escpos::errors::Result<()> {
        self.0.lock().extend_from_slice(data);
        Ok(())
    }

    fn read(&self, _buffer: &mut [u8]) -> escpos::errors::Result<usize> {
        Ok(0)
    }

    fn flush(&self) -> escpos::errors::Result<()> {
        Ok(())
    }
}

fn text(printer: &mut Printer<Memory>, line: &TextLine) -> escpos::errors::Result<()> {
    let width = u8::try_from(line.size.width_factor()).unwrap_or(1);
    let height = u8::try_from(line.size.height_factor()).unwrap_or(1);
    printer.justify(justification(line.align))?;
    printer.size(width, height)?;
    for span in &line.spans {
        printer.bold(span.bold)?;
        printer.write(&span.text)?;
    }
    printer.feed()?;
    Ok(())
}

const fn justification(align: Align) -> JustifyMode {
    match align {
        Align::Left => JustifyMode::LEFT,
        Align::Centre => JustifyMode::CENTER,
    }
}

fn plain(printer: &mut Printer<Memory>, align: Align) -> escpos::errors::Result<()> {
    printer.justify(justification(align))?;
    printer.size(1, 1)?;
    printer.bold(false)?;
    Ok(())
}

fn mark(printer: &mut Printer<Memory>, mark: &Mark, id: JobId) -> escpos::errors::Result<()> {
    match mark {
        Mark::Text(line) => text(printer, line)?,
        Mark::Rule(columns) => {
            plain(printer, Align::Left)?;
            printer.writeln(&"-".repeat(*columns))?;
        }
        Mark::Qr {
            payload,
            module_dots,
        } => {
            plain(printer, Align::Centre)?;
            // The crate's default is model 1, which is obsolete and which phones don't read.
            printer.qrcode_option(
                payload,
                QRCodeOption::new(QRCodeModel::Model2, *module_dots, QRCodeCorrectionLevel::M),
            )?;
        }
        Mark::Itf { digits, bar_dots } => {
            plain(printer, Align::Centre)?;
            let width = match bar_dots {
                0..=2 => BarcodeWidth::S,
                3 => BarcodeWidth::M,
                _ => BarcodeWidth::L,
            };
            printer.itf_option(
                digits,
                BarcodeOption::new(
                    width,
                    BarcodeHeight::XS,
                    BarcodeFont::A,
                    BarcodePosition::None,
                ),
            )?;
        }
        Mark::Feed(lines) => {
            plain(printer, Align::Left)?;
            printer.feeds(*lines)?;
        }
        Mark::Cut => {
            printer.custom(&ask_confirmation(id.after_last_line()))?;
            // Feeds to the cutter and cuts. The crate's partial cut sends the same function
            // with a feed of one dot instead of another function.
            printer.cut()?;
            printer.custom(&ask_confirmation(id.after_cut()))?;
        }
    }
    Ok(())
}

/// The bytes of a paper, from the printer's initialisation to the question after the cut.
///
/// # Errors
/// [`RenderFault`] when the printing crate refuses a line.
pub fn render(paper: &Paper, id: JobId) -> Result<Vec<u8>, RenderFault> {
    let memory = Memory::default();
    let columns = u8::try_from(paper.width.columns()).unwrap_or(u8::MAX);
    // Of the pages that have œ and the euro, this one also prints every character of ASCII as
    // itself; 850 and 858 turn '-' into a soft hyphen.
    let options = PrinterOptions::new(Some(PageCode::WPC1252), None, columns);
    let mut printer = Printer::new(memory.clone(), Protocol::default(), Some(options));
    printer.init()?;
    for line in &paper.lines {
        mark(&mut printer, &line.mark, id)?;
    }
    printer.print()?;
    let rendered = memory.0.lock().clone();
    Ok(rendered)
}

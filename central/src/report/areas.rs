//! Areas and QR codes on a page of a PDF, in 1/100 mm from its upper left corner.

use keno_slip::form::Area;
use printpdf::{LinePoint, Mm, Op, PaintMode, Point, Polygon, PolygonRing, WindingOrder};
use qrcode::{EcLevel, QrCode};
use thiserror::Error;

/// A text is too long for a QR.
#[derive(Debug, Error)]
#[error("the text does not fit a QR")]
pub struct CodeFault;

/// A point of a page of this height.
pub(super) fn point(page_height: i32, x: i32, y: i32) -> Point {
    let mm = |hundredths: i32| Mm(hundredths as f32 / 100.0);
    Point::new(mm(x), mm(page_height - y))
}

/// An area, filled or with a line around it.
pub(super) fn area_op(page_height: i32, area: Area, mode: PaintMode) -> Op {
    let (right, foot) = (area.x + area.width, area.y + area.height);
    let corners = [
        (area.x, area.y),
        (right, area.y),
        (right, foot),
        (area.x, foot),
    ];
    Op::DrawPolygon {
        polygon: Polygon {
            rings: vec![PolygonRing {
                points: corners
                    .map(|(x, y)| LinePoint {
                        p: point(page_height, x, y),
                        bezier: false,
                    })
                    .to_vec(),
            }],
            mode,
            winding_order: WindingOrder::NonZero,
        },
    }
}

/// The dark modules of a QR, those of a row that touch each other as one bar.
pub(super) fn qr_ops(page_height: i32, area: Area, code: &str) -> Result<Vec<Op>, CodeFault> {
    let code = QrCode::with_error_correction_level(code, EcLevel::M).map_err(|_| CodeFault)?;
    let modules = code.width();
    let side = i32::try_from(modules).map_err(|_| CodeFault)?;
    let dark = code.to_colors();
    let at = |place: usize| {
        let place = i32::try_from(place).unwrap_or(side);
        area.width * place / side
    };
    let mut ops = Vec::new();
    for (row, colors) in dark.chunks(modules).enumerate() {
        let mut column = 0;
        while column < modules {
            let rest = colors.get(column..).unwrap_or_default();
            let is_dark = |color: &&qrcode::Color| **color == qrcode::Color::Dark;
            let bar = rest.iter().take_while(is_dark).count();
            if bar == 0 {
                column += 1;
                continue;
            }
            let bar_area = Area {
                x: area.x + at(column),
                y: area.y + at(row),
                width: at(column + bar) - at(column),
                height: at(row + 1) - at(row),
            };
            ops.push(area_op(page_height, bar_area, PaintMode::Fill));
            column += bar;
        }
    }
    Ok(ops)
}

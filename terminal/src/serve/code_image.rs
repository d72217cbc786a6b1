//! A code as an image for a page.

/// A QR code as an image for a page; nothing where the text is too long for one.
pub(super) fn code_image(text: &str, level: qrcode::EcLevel) -> String {
    let image = qrcode::QrCode::with_error_correction_level(text, level);
    let drawn = image.map(|image| {
        let mut drawing = image.render::<qrcode::render::svg::Color<'_>>();
        drawing.min_dimensions(360, 360).build()
    });
    drawn.unwrap_or_default()
}

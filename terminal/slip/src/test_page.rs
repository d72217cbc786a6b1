//! A paper that shows whether a printer prints everything that a ticket needs.

use keno_words::{both, paper};

use crate::layout::Draft;
use crate::paper::{Paper, Size, Width};

/// The columns of the paper, counted: a line that is cut short, or wrapped, shows another width.
fn ruler(draft: &mut Draft, columns: usize) {
    let tens: String = (1..=columns)
        .map(|column| match column % 10 {
            0 => char::from_digit(u32::try_from(column / 10 % 10).unwrap_or(0), 10).unwrap_or('0'),
            _ => '.',
        })
        .collect();
    let ones: String = (1..=columns)
        .map(|column| char::from_digit(u32::try_from(column % 10).unwrap_or(0), 10).unwrap_or('0'))
        .collect();
    draft.left(0, &tens);
    draft.left(0, &ones);
}

/// The test page: the columns, accents, sizes, a QR and bars, none of which is a claim code.
pub fn test_page(terminal: &str, width: Width) -> Paper {
    let mut draft = Draft::new(width);
    draft.title(&paper::PrinterTest, Size::Tall);
    draft.rule();
    draft.pair(0, "Terminal", terminal);
    draft.pair(0, &both(&paper::Columns), &width.columns().to_string());
    ruler(&mut draft, width.columns());
    draft.left(0, "éèêàçùôîœÉÈÀÇ«»’");
    draft.left(
        0,
        "ëâäûüöïæ ÊÔÎŒ «\u{A0}oui\u{A0}» l’été – 1\u{A0}234,50\u{A0}$ €",
    );
    draft.left(0, "- + x / ( ) 0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    draft.left_styled(0, &both(&paper::Bold), Size::Normal, true);
    draft.centre("K E N O", Size::Double, true);
    draft.feed(1);
    draft.qr("ESSAI0123456789TEST".to_owned());
    draft.feed(1);
    draft.itf("0123456789012345".to_owned());
    draft.feed(1);
    draft.finish()
}

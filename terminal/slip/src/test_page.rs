//! A paper that shows whether a printer prints everything that a ticket needs.

use crate::layout::Draft;
use crate::paper::{Paper, Size, Width};

/// The test page: accents, sizes, a QR and bars, none of which is a claim code.
pub fn test_page(terminal: &str, width: Width) -> Paper {
    let mut draft = Draft::new(width);
    draft.centre("ESSAI D’IMPRIMANTE", Size::Tall, true);
    draft.centre("Printer test, not a ticket", Size::Normal, false);
    draft.rule();
    draft.pair(0, "Terminal", terminal);
    draft.left(
        0,
        "éèêëàâäçùûüôöîïœæ ÉÈÊÀÇÔÎŒ «oui» l’été – 1\u{A0}234,50\u{A0}$ €",
    );
    draft.left(0, "- + x / ( ) 0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    draft.left_styled(0, "Gras / Bold", Size::Normal, true);
    draft.centre("K E N O", Size::Double, true);
    draft.feed(1);
    draft.qr("ESSAI0123456789TEST".to_owned());
    draft.feed(1);
    draft.itf("0123456789012345".to_owned());
    draft.feed(1);
    draft.finish()
}

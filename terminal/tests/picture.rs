//! The image of a paper, read by another program: what a scanner gets is the claim code.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::process::Command;

use crate::support::{paper, printed, sample};
use keno_slip::{Mark, Width};
use keno_terminal::virtual_printer::picture::picture;

/// What `zbarimg` (Debian package zbar-tools) reads of the codes on an image.
fn scan(image: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("paper.png");
    std::fs::write(&path, image).unwrap();
    let output = Command::new("zbarimg")
        .args(["--quiet", "-Si25.enable"])
        .arg(&path)
        .output()
        .expect("zbarimg of the Debian package zbar-tools");
    let mut codes: Vec<String> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    codes.sort();
    codes
}

#[test]
fn a_scanner_reads_the_claim_code_and_the_control_number() {
    for width in [Width::Wide, Width::Narrow] {
        for name in ["full", "duplicate", "way-190"] {
            let image = picture(&printed(&paper(name, width))).unwrap();
            let code = sample(name).claim_code.unwrap();
            let expected = [
                "I2/5:0731552890146663".to_owned(),
                format!("QR-Code:{code}"),
            ];
            assert_eq!(scan(&image), expected, "{name} {width:?}");
        }
    }
}

#[test]
fn a_code_with_one_other_character_is_another_code() {
    let mut planted = paper("full", Width::Wide);
    for line in &mut planted.lines {
        if let Mark::Qr { payload, .. } = &mut line.mark {
            payload.replace_range(30..31, if &payload[30..31] == "A" { "B" } else { "A" });
        }
    }
    let image = picture(&printed(&planted)).unwrap();
    let code = sample("full").claim_code.unwrap();
    assert!(!scan(&image).contains(&format!("QR-Code:{code}")));
}

#[test]
fn the_image_is_as_wide_as_the_paper_and_a_torn_one_differs() {
    let mut sheet = printed(&paper("full", Width::Wide));
    let size = |image: &[u8]| {
        let reader = png::Decoder::new(std::io::Cursor::new(image))
            .read_info()
            .unwrap();
        (reader.info().width, reader.info().height)
    };
    let whole = picture(&sheet).unwrap();
    assert_eq!(size(&whole).0, 576);
    sheet.is_cut = false;
    let torn = picture(&sheet).unwrap();
    assert!(size(&torn).1 > size(&whole).1);
}

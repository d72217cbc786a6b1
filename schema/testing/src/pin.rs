//! PINs of the people of a test.

/// The PIN of a badge: twelve digits, so that whoever searches files for it finds nothing else.
///
/// Small and large digits take turns: no three of them are alike or follow one another, which a
/// house refuses.
pub fn pin_of(badge: &str) -> String {
    // FNV-1a: any mixing would do, and this one needs no package.
    let mixed = badge.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let digits = (0..6).flat_map(|pair: u32| {
        let byte = (mixed >> (16 + 8 * pair)).to_le_bytes()[0];
        [byte & 3, 6 + (byte >> 4 & 3)]
    });
    digits.map(|digit| char::from(b'0' + digit)).collect()
}

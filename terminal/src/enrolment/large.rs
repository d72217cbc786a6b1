//! Letters and digits that are read from across a counter: each of five rows of five places.

/// Places of a row.
const WIDTH: u8 = 5;
/// Rows of a sign.
const HEIGHT: usize = 5;

/// The signs of a code: five rows, the place on the left the highest of five bits.
const SIGNS: [(char, [u8; HEIGHT]); 33] = [
    ('0', [0b01110, 0b10011, 0b10101, 0b11001, 0b01110]),
    ('1', [0b00100, 0b01100, 0b00100, 0b00100, 0b01110]),
    ('2', [0b11110, 0b00001, 0b01110, 0b10000, 0b11111]),
    ('3', [0b11110, 0b00001, 0b00110, 0b00001, 0b11110]),
    ('4', [0b10010, 0b10010, 0b11111, 0b00010, 0b00010]),
    ('5', [0b11111, 0b10000, 0b11110, 0b00001, 0b11110]),
    ('6', [0b01110, 0b10000, 0b11110, 0b10001, 0b01110]),
    ('7', [0b11111, 0b00001, 0b00010, 0b00100, 0b00100]),
    ('8', [0b01110, 0b10001, 0b01110, 0b10001, 0b01110]),
    ('9', [0b01110, 0b10001, 0b01111, 0b00001, 0b01110]),
    ('A', [0b01110, 0b10001, 0b11111, 0b10001, 0b10001]),
    ('B', [0b11110, 0b10001, 0b11110, 0b10001, 0b11110]),
    ('C', [0b01111, 0b10000, 0b10000, 0b10000, 0b01111]),
    ('D', [0b11110, 0b10001, 0b10001, 0b10001, 0b11110]),
    ('E', [0b11111, 0b10000, 0b11110, 0b10000, 0b11111]),
    ('F', [0b11111, 0b10000, 0b11110, 0b10000, 0b10000]),
    ('G', [0b01111, 0b10000, 0b10111, 0b10001, 0b01111]),
    ('H', [0b10001, 0b10001, 0b11111, 0b10001, 0b10001]),
    ('J', [0b00111, 0b00010, 0b00010, 0b10010, 0b01100]),
    ('K', [0b10001, 0b10010, 0b11100, 0b10010, 0b10001]),
    ('M', [0b10001, 0b11011, 0b10101, 0b10001, 0b10001]),
    ('N', [0b10001, 0b11001, 0b10101, 0b10011, 0b10001]),
    ('P', [0b11110, 0b10001, 0b11110, 0b10000, 0b10000]),
    ('Q', [0b01110, 0b10001, 0b10101, 0b10010, 0b01101]),
    ('R', [0b11110, 0b10001, 0b11110, 0b10010, 0b10001]),
    ('S', [0b01111, 0b10000, 0b01110, 0b00001, 0b11110]),
    ('T', [0b11111, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('V', [0b10001, 0b10001, 0b10001, 0b01010, 0b00100]),
    ('W', [0b10001, 0b10001, 0b10101, 0b11011, 0b10001]),
    ('X', [0b10001, 0b01010, 0b00100, 0b01010, 0b10001]),
    ('Y', [0b10001, 0b01010, 0b00100, 0b00100, 0b00100]),
    ('Z', [0b11111, 0b00010, 0b00100, 0b01000, 0b11111]),
    ('-', [0b00000, 0b00000, 0b01110, 0b00000, 0b00000]),
];

/// A code in large signs, line by line. A sign that is not drawn is left blank.
pub fn large(code: &str) -> Vec<String> {
    (0..HEIGHT)
        .map(|row| {
            let mut line = String::new();
            for one in code.chars() {
                let drawn = SIGNS.iter().find(|(sign, _)| *sign == one);
                let bits = drawn.and_then(|(_, rows)| rows.get(row)).copied();
                line.push_str("  ");
                for place in (0..WIDTH).rev() {
                    let is_ink = bits.is_some_and(|bits| bits >> place & 1 == 1);
                    line.push(if is_ink { '█' } else { ' ' });
                }
            }
            line
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_of_a_code_is_drawn_and_no_two_alike() {
        for sign in "0123456789ABCDEFGHJKMNPQRSTVWXYZ-".chars() {
            let lines = large(&sign.to_string());
            assert_eq!(lines.len(), HEIGHT);
            assert!(lines.iter().any(|line| line.contains('█')), "{sign}");
        }
        let mut drawn: Vec<_> = SIGNS.iter().map(|(_, rows)| rows).collect();
        drawn.sort();
        drawn.dedup();
        assert_eq!(drawn.len(), SIGNS.len());
        let widths = large("28T5-CY4T");
        assert!(widths.iter().all(|line| line.chars().count() == 9 * 7));
    }
}

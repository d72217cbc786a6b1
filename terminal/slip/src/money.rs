//! Amounts, draw numbers and dates as a person reads them, in both languages.
//!
//! Groups are separated by the plain no-break space U+00A0: Windows-1252 has it, which the
//! narrow one is not in.

const NO_BREAK_SPACE: char = '\u{00A0}';

/// The digits in groups of three from the right.
fn grouped(digits: &str, separator: char) -> String {
    let count = digits.len();
    let mut text = String::with_capacity(count + count / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (count - position).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    text
}

fn parts(cents: i64) -> (&'static str, String, u64) {
    let sign = if cents < 0 { "-" } else { "" };
    let size = cents.unsigned_abs();
    (sign, (size / 100).to_string(), size % 100)
}

/// `1 234,50 $`, every space a no-break one.
pub fn french(cents: i64) -> String {
    let (sign, dollars, rest) = parts(cents);
    format!(
        "{sign}{},{rest:02}{NO_BREAK_SPACE}$",
        grouped(&dollars, NO_BREAK_SPACE)
    )
}

/// `$1,234.50`.
pub fn english(cents: i64) -> String {
    let (sign, dollars, rest) = parts(cents);
    format!("{sign}${}.{rest:02}", grouped(&dollars, ','))
}

/// `50 000 $` when there are no cents, else as [`french`].
pub fn french_round(cents: i64) -> String {
    let (sign, dollars, rest) = parts(cents);
    if rest == 0 {
        format!(
            "{sign}{}{NO_BREAK_SPACE}$",
            grouped(&dollars, NO_BREAK_SPACE)
        )
    } else {
        french(cents)
    }
}

/// `$50,000` when there are no cents, else as [`english`].
pub fn english_round(cents: i64) -> String {
    let (sign, dollars, rest) = parts(cents);
    if rest == 0 {
        format!("{sign}${}", grouped(&dollars, ','))
    } else {
        english(cents)
    }
}

/// A draw number with at least six digits: `048 214`.
pub fn draw_number(draw: u64) -> String {
    grouped(&format!("{draw:06}"), NO_BREAK_SPACE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        assert_eq!(french(123_450), "1\u{A0}234,50\u{A0}$");
        assert_eq!(english(123_450), "$1,234.50");
        assert_eq!(french(0), "0,00\u{A0}$");
        assert_eq!(french(-5), "-0,05\u{A0}$");
        assert_eq!(english(-123_456_789), "-$1,234,567.89");
        assert_eq!(french_round(5_000_000), "50\u{A0}000\u{A0}$");
        assert_eq!(english_round(5_000_000), "$50,000");
        assert_eq!(english_round(5_000_050), "$50,000.50");
        assert_eq!(
            french(i64::MIN),
            "-92\u{A0}233\u{A0}720\u{A0}368\u{A0}547\u{A0}758,08\u{A0}$"
        );
    }

    #[test]
    fn draws() {
        assert_eq!(draw_number(48_214), "048\u{A0}214");
        assert_eq!(draw_number(1_048_214), "1\u{A0}048\u{A0}214");
        assert_eq!(draw_number(0), "000\u{A0}000");
    }
}

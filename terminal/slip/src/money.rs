//! Round amounts and draw numbers as a person reads them.
//!
//! Groups are separated by the plain no-break space U+00A0: Windows-1252 has it, which the
//! narrow one is not in.

use keno_words::{Language, Money, Say, grouped};

/// An amount of money in cents, without cents where there are none: `50 000 $` and `$50,000`.
pub struct RoundMoney(pub i64);

impl Say for RoundMoney {
    fn say(&self, language: Language, to: &mut String) {
        let no_cents = match language {
            Language::French => ",00",
            Language::English => ".00",
        };
        to.push_str(&Money(self.0).said(language).replacen(no_cents, "", 1));
    }
}

/// A draw number with at least six digits: `048 214`.
pub fn draw_number(draw: u64) -> String {
    grouped(&format!("{draw:06}"), '\u{A0}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        assert_eq!(Money(123_450).fr(), "1\u{A0}234,50\u{A0}$");
        assert_eq!(Money(123_450).en(), "$1,234.50");
        assert_eq!(Money(0).fr(), "0,00\u{A0}$");
        assert_eq!(Money(-5).fr(), "-0,05\u{A0}$");
        assert_eq!(Money(-123_456_789).en(), "-$1,234,567.89");
        assert_eq!(RoundMoney(5_000_000).fr(), "50\u{A0}000\u{A0}$");
        assert_eq!(RoundMoney(5_000_000).en(), "$50,000");
        assert_eq!(RoundMoney(5_000_050).en(), "$50,000.50");
        assert_eq!(
            Money(i64::MIN).fr(),
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

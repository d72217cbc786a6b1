//! Any text, reduced to what the printer's page can print.
//!
//! A printer takes its commands from the same bytes as its text. What a house writes (its
//! name, its places) is text and nothing else: control characters never pass, and a character
//! that Windows-1252 lacks is folded to one that looks or reads alike, because an encoder that
//! meets it would otherwise send its raw UTF-8 bytes.

/// What stands for a character that has no likeness in the page.
const SUBSTITUTE: char = '?';

/// Characters of Windows-1252 above ASCII that are printed as they are. The soft hyphen U+00AD
/// is left out: printers disagree on whether it shows.
const PRINTABLE: &str = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\u{00A0}¡¢£¤¥¦§¨©ª«¬®¯°±²³´µ¶·¸¹º»¼½¾¿\
ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";

/// A letter followed by a combining accent, and the one character for both.
const COMPOSED: &[(char, &str, &str)] = &[
    ('\u{0300}', "AEIOUaeiou", "ÀÈÌÒÙàèìòù"),
    ('\u{0301}', "AEIOUYaeiouy", "ÁÉÍÓÚÝáéíóúý"),
    ('\u{0302}', "AEIOUaeiou", "ÂÊÎÔÛâêîôû"),
    ('\u{0303}', "ANOano", "ÃÑÕãñõ"),
    ('\u{0308}', "AEIOUYaeiouy", "ÄËÏÖÜŸäëïöüÿ"),
    ('\u{030A}', "Aa", "Åå"),
    ('\u{0327}', "Cc", "Çç"),
    ('\u{030C}', "SZsz", "ŠŽšž"),
];

/// Letters outside the page and the text that stands for each.
const FOLDED: &[(&str, &str)] = &[
    ("ĀĂĄǍ", "A"),
    ("āăąǎ", "a"),
    ("ĆĈĊČ", "C"),
    ("ćĉċč", "c"),
    ("ĎĐ", "D"),
    ("ďđ", "d"),
    ("ĒĔĖĘĚ", "E"),
    ("ēĕėęě", "e"),
    ("ĜĞĠĢ", "G"),
    ("ĝğġģ", "g"),
    ("ĤĦ", "H"),
    ("ĥħ", "h"),
    ("ĨĪĬĮİ", "I"),
    ("ĩīĭįı", "i"),
    ("Ĵ", "J"),
    ("ĵ", "j"),
    ("Ķ", "K"),
    ("ķ", "k"),
    ("ĹĻĽĿŁ", "L"),
    ("ĺļľŀł", "l"),
    ("ŃŅŇŊ", "N"),
    ("ńņňŋ", "n"),
    ("ŌŎŐ", "O"),
    ("ōŏő", "o"),
    ("ŔŖŘ", "R"),
    ("ŕŗř", "r"),
    ("ŚŜŞȘ", "S"),
    ("śŝşș", "s"),
    ("ŢŤŦȚ", "T"),
    ("ţťŧț", "t"),
    ("ŨŪŬŮŰŲ", "U"),
    ("ũūŭůűų", "u"),
    ("Ŵ", "W"),
    ("ŵ", "w"),
    ("Ŷ", "Y"),
    ("ŷ", "y"),
    ("ŹŻ", "Z"),
    ("źż", "z"),
    ("ẞ", "SS"),
    ("ĳ", "ij"),
    ("Ĳ", "IJ"),
    ("ﬀ", "ff"),
    ("ﬁ", "fi"),
    ("ﬂ", "fl"),
    ("ﬃ", "ffi"),
    ("ﬄ", "ffl"),
    (
        "\u{2010}\u{2011}\u{2012}\u{2212}\u{2043}\u{FE63}\u{FF0D}",
        "-",
    ),
    ("\u{2015}", "—"),
    ("\u{2032}\u{02B9}\u{02BC}\u{201B}", "’"),
    ("\u{2033}\u{201F}", "”"),
    (
        "\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2008}\u{2009}\u{200A}\u{205F}\u{3000}",
        " ",
    ),
    ("\u{202F}\u{2007}", "\u{00A0}"),
    ("\u{2028}\u{2029}\u{0085}", " "),
    ("№", "No"),
    ("→", "->"),
    ("←", "<-"),
    ("≤", "<="),
    ("≥", ">="),
    ("✓✔", "*"),
    ("●", "•"),
];

/// Characters that take no room and say nothing on paper.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{00AD}'
            | '\u{0300}'..='\u{036F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
    )
}

fn compose(letter: char, accent: char) -> Option<char> {
    let (_, letters, whole) = COMPOSED.iter().find(|(mark, _, _)| *mark == accent)?;
    let position = letters.chars().position(|candidate| candidate == letter)?;
    whole.chars().nth(position)
}

/// The text as it can be printed: characters of Windows-1252 only, no control among them, each
/// one column wide. Line breaks and tabs become spaces; other controls (ESC, GS, DLE, …)
/// vanish.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        if (' '..='~').contains(&character) || PRINTABLE.contains(character) {
            printable.push(character);
        } else if matches!(character, '\n' | '\r' | '\t') {
            printable.push(' ');
        } else if let Some((_, fold)) = FOLDED.iter().find(|(from, _)| from.contains(character)) {
            printable.push_str(fold);
        } else if let Some(whole) = printable
            .chars()
            .next_back()
            .and_then(|letter| compose(letter, character))
        {
            printable.pop();
            printable.push(whole);
        } else if !character.is_control() && !is_invisible(character) {
            printable.push(SUBSTITUTE);
        }
    }
    printable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn french_survives_as_it_is() {
        let text = "éèêàçùôîœÉÈÀÇ«»’ œuvre - tiret – demi — cadratin 1\u{A0}234,50\u{A0}$ €";
        assert_eq!(printable(text), text);
    }

    #[test]
    fn controls_vanish_and_their_letters_stay_text() {
        assert_eq!(
            printable("Casino\u{1B}@\u{1D}V\u{0}A\u{10}\u{4}"),
            "Casino@VA"
        );
        assert_eq!(printable("a\nb\tc\u{7F}\u{9B}d"), "a b cd");
    }

    #[test]
    fn what_the_page_lacks_is_folded() {
        assert_eq!(printable("1\u{202F}234\u{2009}$"), "1\u{A0}234 $");
        assert_eq!(printable("Łódź Čapek ﬁn −5 5′"), "Lódz Capek fin -5 5’");
        assert_eq!(
            printable("e\u{301}te\u{302} c\u{327}a q\u{301}"),
            "étê ça q"
        );
        assert_eq!(printable("\u{1F3B2} 日\u{200B}本"), "? ??");
    }

    #[test]
    fn every_result_is_in_the_page() {
        for code in 0..=0x2_FFFF_u32 {
            let Some(character) = char::from_u32(code) else {
                continue;
            };
            for kept in printable(&character.to_string()).chars() {
                assert!(
                    (' '..='~').contains(&kept) || PRINTABLE.contains(kept),
                    "U+{code:04X} gives {kept:?}"
                );
            }
        }
    }
}

//! What shifts in a text of a house at work, by its name instead of its value.

use super::json::string_at;

/// Fields of JSON whose numbers are leaves, or how many there are. That they are right is judged
/// where the record is: `central/tests/api_site`, `schema/log/vectors`, `central/sim`.
const LEAVES: [&str; 8] = [
    "leaf",
    "log_size",
    "movement",
    "payment",
    "replay_of",
    "size",
    "ticket",
    "tile",
];

/// Fields whose lists follow from the balls, and so from every leaf before them. How they follow is
/// judged by `draw-machine/vectors.json` and `schema/game`.
const DRAWN: [&str; 3] = ["balls", "caught", "proof"];

/// Digits of a moment, in milliseconds.
const MOMENT_DIGITS: usize = 13;

/// Signs that a word of base64 has at least: those of a hash.
const BASE64: usize = 43;

/// Twenty numbers of two digits, as the balls of a draw are said.
const BALLS: usize = 20 * 2 + 19;

/// A text without what shifts when one leaf more or less comes before it: leaves, hashes and roots,
/// sizes, codes, control numbers and what is shown of them, balls that the computer drew, moments.
/// Each is said by its kind, so that something of another kind in its place is seen. What is
/// blanked is judged elsewhere: codes and control numbers by `terminal/slip` and
/// `central/tests/codes.rs`, moments by the scenarios of `central/tests`, the rest as said above.
pub fn redacted(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let within = out.chars().next_back().is_some_and(char::is_alphanumeric);
        let (taken, name) = match field_at(rest) {
            Some((name, value, kind)) => {
                out.push_str(rest.get(..name).unwrap_or_default());
                (name + value, kind)
            }
            None if within => (0, ""),
            None => word_at(rest, &out),
        };
        if taken > 0 {
            out.push_str(name);
            rest = rest.get(taken..).unwrap_or_default();
        } else {
            out.push(sign);
            rest = rest.get(sign.len_utf8()..).unwrap_or_default();
        }
    }
    out
}

/// A field that is blanked by its name: bytes of name and value, and what is said instead.
fn field_at(text: &str) -> Option<(usize, usize, &'static str)> {
    if !text.starts_with('"') {
        return None;
    }
    let name = string_at(text);
    let value = text.get(name..)?.strip_prefix(':')?;
    let name_text = text.get(1..name - 1)?;
    let digits = run(value, |sign| sign.is_ascii_digit());
    // A file about a damaged ticket has a leaf for its number; a ball has two digits.
    let is_leaf = LEAVES.contains(&name_text) || (name_text == "number" && digits > 2);
    if is_leaf && digits > 0 && digits < MOMENT_DIGITS {
        return Some((name + 1, digits, "[leaf]"));
    }
    let list = value.find(']').map_or(0, |end| end + 1);
    let plain = value.starts_with('[') && list > 2 && !value.get(1..list)?.contains(['[', '{']);
    (DRAWN.contains(&name_text) && plain).then_some((name + 1, list, "[drawn]"))
}

/// A word that is blanked by its looks: its bytes, and what is said instead.
fn word_at(text: &str, before: &str) -> (usize, &'static str) {
    let digits = run(text, |sign| sign.is_ascii_digit());
    let letters = run(text, |sign| sign.is_ascii_alphanumeric());
    let base64 = run(text, |sign| {
        sign.is_ascii_alphanumeric() || matches!(sign, '+' | '/' | '=')
    });
    let word = text.get(..letters).unwrap_or_default();
    let hexadecimal = word
        .bytes()
        .all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'f'));
    let masked =
        before.ends_with(['…', '•']) || before.ends_with("•\u{A0}") || before.ends_with("• ");
    let moment = moment_at(text);
    if word.starts_with("KT2") && letters == 120 {
        (letters, "[code]")
    } else if matches!(letters, 32 | 64) && hexadecimal {
        (letters, "[hash]")
    } else if moment.0 > 0 {
        moment
    } else if leaf_at(text, before) > 0 {
        (leaf_at(text, before), "[leaf]")
    } else if before.ends_with("\"#[leaf]-") {
        (letters, "[check]")
    } else if is_size_of_checkpoint(text, before) {
        (digits, "[leaf]")
    } else if digits == 16 && letters == 16 {
        (digits, "[number]")
    } else if digits == MOMENT_DIGITS && letters == digits {
        (digits, "[ms]")
    } else if begins_with(text, 4, 4) {
        (number_in_fours(text), "[number]")
    } else if masked && digits == 4 {
        (digits, "[end of the number]")
    } else if begins_with_balls(text) {
        (BALLS, "[balls]")
    } else if base64 >= BASE64 && is_mixed(text.get(..base64).unwrap_or_default()) {
        (base64, "[base64]")
    } else {
        (0, "")
    }
}

/// Bytes of a leaf that is no field of JSON: the number of a file about a damaged ticket, in its code
/// or in an address, or a value of a report that is said to be one.
fn leaf_at(text: &str, before: &str) -> usize {
    let digits = run(text, |sign| sign.is_ascii_digit());
    let after = text.get(digits..).unwrap_or_default();
    let is_leaf =
        before.ends_with("/files/") || before.ends_with("\"#") || after.starts_with(",leaf");
    if is_leaf { digits } else { 0 }
}

/// Whether a text begins with the second line of a checkpoint, which has the root in its third.
fn is_size_of_checkpoint(text: &str, before: &str) -> bool {
    let (size, after) = text.split_once('\n').unwrap_or_default();
    let is_size = !size.is_empty() && size.bytes().all(|sign| sign.is_ascii_digit());
    let root = after.lines().next().unwrap_or_default();
    before.ends_with('\n') && is_size && root.len() == BASE64 + 1 && root.ends_with('=')
}

/// How many bytes from the start of a text are of a kind.
fn run(text: &str, is_of: fn(char) -> bool) -> usize {
    text.find(|sign| !is_of(sign)).unwrap_or(text.len())
}

/// Whether a text begins with groups of so many digits, and none more.
fn begins_with(text: &str, groups: usize, digits: usize) -> bool {
    let mut rest = text;
    for group in 0..groups {
        if group > 0 {
            let Some(after) = rest.strip_prefix([' ', '\u{A0}']) else {
                return false;
            };
            rest = after;
        }
        if run(rest, |sign| sign.is_ascii_digit()) != digits {
            return false;
        }
        rest = rest.get(digits..).unwrap_or_default();
    }
    true
}

fn number_in_fours(text: &str) -> usize {
    let mut end = 0;
    for (count, (at, sign)) in text.char_indices().enumerate() {
        if count == 19 {
            break;
        }
        end = at + sign.len_utf8();
    }
    end
}

fn begins_with_balls(text: &str) -> bool {
    begins_with(text, 20, 2)
        && text
            .get(..BALLS)
            .is_some_and(|balls| !balls.contains('\u{A0}'))
}

fn is_mixed(word: &str) -> bool {
    let has = |is_of: fn(&u8) -> bool| word.as_bytes().iter().any(is_of);
    has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

/// A date with a time behind it, as exactly as it is said. The zone stays, and so does a date
/// alone: by which day something is claimed does not shift.
fn moment_at(text: &str) -> (usize, &'static str) {
    let fits = |pattern: &str| {
        let mut signs = text.char_indices();
        for wanted in pattern.chars() {
            let (_, sign) = signs.next()?;
            let is_as_wanted = match wanted {
                '0' => sign.is_ascii_digit(),
                ' ' => matches!(sign, ' ' | '\u{A0}' | 'T'),
                other => sign == other,
            };
            if !is_as_wanted {
                return None;
            }
        }
        Some(signs.next().map_or(text.len(), |(at, _)| at))
    };
    for (pattern, name) in [
        ("0000-00-00 00:00:00.000", "[millisecond]"),
        ("0000-00-00 00:00:00", "[second]"),
        ("0000-00-00 00:00", "[minute]"),
    ] {
        if let Some(taken) = fits(pattern) {
            return (taken, name);
        }
    }
    (0, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shifts_is_blanked_and_nothing_else() {
        let code = format!("KT2{}", "7".repeat(117));
        let hash = "0a".repeat(32);
        let text = format!(
            "N° •••• 6663, {code}, 0731552890146663, N° 0731\u{A0}5528 9014 6663, {hash}, \
             {hash}0, 25,00 6663, 1795194000000 17951940000001, 2026-11-20 12:05, \
             2026-11-20T12:05:11.000-05:00, 2027-11-20"
        );
        assert_eq!(
            redacted(&text),
            format!(
                "N° •••• [end of the number], [code], [number], N° [number], [hash], \
                 {hash}0, 25,00 6663, [ms] 17951940000001, [minute], \
                 [millisecond]-05:00, 2027-11-20"
            )
        );
        let balls = ["07"; 20].join(" ");
        assert_eq!(
            redacted(&format!("30,00 $  {balls}  payé 07 08")),
            "30,00 $  [balls]  payé 07 08"
        );
        assert_eq!(
            redacted("Feuille,Leaf,106,leaf"),
            "Feuille,Leaf,[leaf],leaf"
        );
        let address = "POST /api/v1/damaged/files/106/judgement \"#106\" #106";
        let wanted = "POST /api/v1/damaged/files/[leaf]/judgement \"#[leaf]\" #106";
        assert_eq!(redacted(address), wanted);
        let code = redacted("\"#106-4Y1C8AND\"");
        assert_eq!(code, "\"#[leaf]-[check]\"");
        let root = "tQj1q2x7T5vK3nD9M4p8c6Z0b1wEyRuIoAsDfGhJkLM=";
        assert_eq!(redacted(root), "[base64]");
        let checkpoint = format!("boulier/demo\n160\n{root}\n160\n");
        assert_eq!(
            redacted(&checkpoint),
            "boulier/demo\n[leaf]\n[base64]\n160\n"
        );
    }

    #[test]
    fn fields_are_blanked_by_their_names() {
        let text = r#"{"leaf":105,"ticket":{"ticket":104,"first":{"draw":1}},"payment":"unpaid","balls":[4,7],"caught":[],"x":"leaf"}"#;
        let wanted = r#"{"leaf":[leaf],"ticket":{"ticket":[leaf],"first":{"draw":1}},"payment":"unpaid","balls":[drawn],"caught":[],"x":"leaf"}"#;
        assert_eq!(redacted(text), wanted);
    }
}

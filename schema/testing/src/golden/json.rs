//! JSON over lines, every sign kept.

/// Signs of a line, beyond which an object with objects in it is laid over several.
const WIDTH: usize = 140;

/// A JSON text over lines. What fits into a line is one, and so is each object of plain values and
/// each list without objects, however long; of everything else each field and element begins a line
/// of its own, and what closes stands behind the last. No other sign is changed, and fields keep their order, so that two texts are alike
/// only where the bytes are.
pub fn lines_of_json(text: &str) -> String {
    let mut lines = String::new();
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let whole = match sign {
            '"' => string_at(rest),
            '{' | '[' => line_at(rest, signs_of_last_line(&lines)),
            _ => 0,
        };
        let (taken, after) = rest.split_at(if whole > 0 { whole } else { sign.len_utf8() });
        rest = after;
        match sign {
            '{' | '[' if whole == 0 => {
                depth += 1;
                lines.push(sign);
                new_line(&mut lines, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                lines.push(sign);
            }
            ',' => {
                lines.push(sign);
                new_line(&mut lines, depth);
            }
            _ => lines.push_str(taken),
        }
    }
    lines
}

/// A JSON text without the blanks between its signs.
pub fn tight_json(text: &str) -> String {
    let mut tight = String::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let length = if sign == '"' {
            string_at(rest)
        } else {
            sign.len_utf8()
        };
        let (taken, after) = rest.split_at(length);
        if !sign.is_whitespace() {
            tight.push_str(taken);
        }
        rest = after;
    }
    tight
}

/// Bytes of the string that a text begins with; to the end if it has none.
pub(super) fn string_at(text: &str) -> usize {
    let mut escaped = true;
    for (at, sign) in text.char_indices() {
        if sign == '"' && !escaped {
            return at + 1;
        }
        // The first sign opens the string.
        escaped = at > 0 && sign == '\\' && !escaped;
    }
    text.len()
}

/// Bytes of the object or list that a text begins with, if it is one line behind so many signs;
/// else 0.
fn line_at(text: &str, before: usize) -> usize {
    let (mut depth, mut at, mut objects, mut lists) = (0_usize, 0, 0_usize, 0_usize);
    while let Some(sign) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let word = if sign == '"' {
            string_at(rest)
        } else {
            blank_at(rest)
        };
        if word > 0 {
            at += word;
            if depth == 0 {
                return at;
            }
            continue;
        }
        match sign {
            '{' => objects += 1,
            '[' => lists += 1,
            _ => {}
        }
        match sign {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += sign.len_utf8();
        if depth == 0 {
            let plain = objects == 0 || (objects == 1 && lists == 0);
            let signs = text.get(..at).unwrap_or_default().chars().count();
            return if plain || before + signs <= WIDTH {
                at
            } else {
                0
            };
        }
    }
    0
}

/// Bytes of what `redacted` says instead of a number, if a text begins with it; else 0.
fn blank_at(text: &str) -> usize {
    let is_kind = text.strip_prefix('[').is_some_and(|kind| {
        let is_value = ["true", "false", "null"]
            .iter()
            .any(|value| kind.starts_with(value));
        !is_value && kind.starts_with(|sign: char| sign.is_ascii_lowercase())
    });
    text.find(']').filter(|_| is_kind).map_or(0, |end| end + 1)
}

fn signs_of_last_line(lines: &str) -> usize {
    lines
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
}

fn new_line(lines: &mut String, depth: usize) {
    lines.push('\n');
    lines.extend(std::iter::repeat_n(' ', 2 * depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_one_line_and_no_sign_is_lost() {
        let long = "y".repeat(WIDTH);
        let text = format!(
            r#"{{"b":[1,{{}}],"a":"x, \"{{y}}\\","c":[],"d":{{"e":null,"f":"{long}"}},"g":[[1],["],"],{{"h":"{long}"}}],"i":[[1],["{long}"]]}}"#
        );
        let lines = lines_of_json(&text);
        let wanted = format!(
            r#"{{
  "b":[1,{{}}],
  "a":"x, \"{{y}}\\",
  "c":[],
  "d":{{"e":null,"f":"{long}"}},
  "g":[
    [1],
    ["],"],
    {{"h":"{long}"}}],
  "i":[[1],["{long}"]]}}"#
        );
        assert_eq!(lines, wanted);
        let without = |text: &str| text.replace(['\n', ' '], "");
        assert_eq!(without(&lines), without(&text));
        assert_eq!(tight_json(&wanted), text);
        let blanked = format!(r#"[{{"leaf":[leaf],"at":"{long}"}},[true]]"#);
        let wanted = format!("[\n  {{\"leaf\":[leaf],\"at\":\"{long}\"}},\n  [true]]");
        assert_eq!(lines_of_json(&blanked), wanted);
        assert_eq!(lines_of_json(r#"{"a":{"b":[1]}}"#), r#"{"a":{"b":[1]}}"#);
    }
}

//! Rows that are alike but for one number, as one.

/// Rows that are worth it.
const FEW: usize = 3;

/// Lines, where those that follow each other and are alike but for one number are one line, with
/// all the numbers in its place: `draw {1, 2, 3} of 9`.
pub(super) fn folded(lines: &[String]) -> Vec<String> {
    let mut folded = Vec::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        let second = rest.get(1).and_then(|second| differs(first, second));
        let count = match second {
            Some(place) => {
                1 + rest
                    .iter()
                    .skip(1)
                    .take_while(|line| differs(first, line) == Some(place))
                    .count()
            }
            None => 1,
        };
        let Some(place) = second.filter(|_| count >= FEW) else {
            folded.push(first.clone());
            rest = rest.get(1..).unwrap_or_default();
            continue;
        };
        let numbers = rest.iter().take(count).filter_map(|line| {
            let number = *parts(line).get(place)?;
            Some(number)
        });
        let numbers = format!("{{{}}}", numbers.collect::<Vec<_>>().join(", "));
        let mut row = parts(first);
        if let Some(number) = row.get_mut(place) {
            *number = &numbers;
        }
        folded.push(row.concat());
        rest = rest.get(count..).unwrap_or_default();
    }
    folded
}

/// What a line is made of: words and numbers in turn, words first.
fn parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let is_number = parts.len() % 2 == 1;
        let end = rest.find(|sign: char| sign.is_ascii_digit() != is_number);
        let (part, after) = rest.split_at(end.unwrap_or(rest.len()));
        parts.push(part);
        rest = after;
    }
    parts
}

/// The place of the one number in which two lines differ.
fn differs(one: &str, other: &str) -> Option<usize> {
    let (one, other) = (parts(one), parts(other));
    let mut places = (0..one.len()).filter(|at| one.get(*at) != other.get(*at));
    let place = places.next().filter(|at| at % 2 == 1)?;
    (one.len() == other.len() && places.next().is_none()).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[&str]) -> Vec<String> {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        folded(&lines)
    }

    #[test]
    fn rows_that_differ_in_one_number_are_one() {
        assert_eq!(
            told(&["a", "1 of 9", "02 of 9", "3 of 9", "3 of 8", "b"]),
            ["a", "{1, 02, 3} of 9", "3 of 8", "b"]
        );
        let others = [
            "1 of 1", "2 of 2", "3 of 3", "x 1", "y 2", "z 3", "1", "1", "1",
        ];
        assert_eq!(told(&others), others);
    }
}

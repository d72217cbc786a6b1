//! Lists of what does not hold yet: a number each, which only falls.
//!
//! A number that is higher than the list says is a step back, one that is lower makes the list
//! untrue: both fail, so that what was won is written down and kept.

use std::collections::BTreeMap;

use crate::Breach;

/// A name with its number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// What is counted.
    pub name: String,
    /// How much of it there is.
    pub number: usize,
}

impl Row {
    /// A row of a list.
    pub fn new(name: impl Into<String>, number: usize) -> Self {
        Self {
            name: name.into(),
            number,
        }
    }
}

/// Where the numbers counted are not those of the list. A name that is not there stands for 0;
/// names that come several times are compared from the highest number down.
pub fn breaches(list: &str, listed: &[Row], counted: &[Row]) -> Vec<Breach> {
    let mut names: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for row in listed {
        names.entry(&row.name).or_default().0.push(row.number);
    }
    for row in counted.iter().filter(|row| row.number > 0) {
        names.entry(&row.name).or_default().1.push(row.number);
    }
    let mut found = Vec::new();
    for (name, (mut allowed, mut counts)) in names {
        let rows = allowed.len().max(counts.len());
        for numbers in [&mut allowed, &mut counts] {
            numbers.sort_unstable_by(|one, other| other.cmp(one));
            numbers.resize(rows, 0);
        }
        for (allowed, count) in allowed.into_iter().zip(counts) {
            let words = match (allowed, count) {
                (0, 0) => format!("is in {list} with 0: take it off"),
                (_, 0) => format!("is in {list} and keeps the rule by now: take it off"),
                (0, count) => format!("has {count}, and is not in {list}"),
                _ if count > allowed => format!("has {count}, of {allowed} by {list}"),
                _ if count < allowed => {
                    format!("has {count} by now: write so in {list}, which says {allowed}")
                }
                _ => continue,
            };
            found.push(Breach::whole(name, words));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_rose_or_fell_is_found_and_the_same_is_not() {
        let rows = |all: &[(&str, usize)]| -> Vec<Row> {
            all.iter()
                .map(|(name, number)| Row::new(*name, *number))
                .collect()
        };
        let listed = rows(&[("a", 3), ("b", 5), ("b", 2), ("c", 1)]);
        let told = |counted: &[(&str, usize)]| -> Vec<String> {
            let found = breaches("the list", &listed, &rows(counted));
            found.iter().map(ToString::to_string).collect()
        };
        let none: [String; 0] = [];
        assert_eq!(
            told(&[("a", 3), ("b", 2), ("b", 5), ("c", 1), ("d", 0)]),
            none
        );
        assert_eq!(
            told(&[("a", 4), ("b", 5), ("b", 1), ("d", 7)]),
            [
                "a: has 4, of 3 by the list",
                "b: has 1 by now: write so in the list, which says 2",
                "c: is in the list and keeps the rule by now: take it off",
                "d: has 7, and is not in the list",
            ]
        );
    }
}

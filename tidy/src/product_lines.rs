//! How many lines of Rust the product has.
//!
//! Lines of code of the packages that ship count, of libraries and programs alike; blank lines,
//! comments and what stands under `#[cfg(test)]` do not, nor do tests, benches, examples and
//! build scripts. `cargo run -p keno-tidy --bin count-product` prints the count; the first table of
//! `docs/product-lines.md` says what is allowed, and the second what it was at the beginning.

use crate::Breach;
use crate::packages::{Module, products};
use crate::ratchet::Row;
use crate::repository::TextFile;

/// The document with the count that is allowed.
pub const DOCUMENT: &str = "docs/product-lines.md";

/// The name of the row with the sum of all others.
const SUM: &str = "all";

/// The lines of each package that ships, by name, without those that have none.
pub fn counted(files: &[TextFile]) -> Vec<Row> {
    let mut found = Vec::new();
    for package in products(files) {
        let lines = package.modules().map(module_lines).sum();
        if lines > 0 {
            found.push(Row::new(&package.name, lines));
        }
    }
    found
}

fn module_lines(module: &Module) -> usize {
    let lines = module.text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).count()
}

/// The count as a table of Markdown, with the sum as its last row.
pub fn table(rows: &[Row]) -> String {
    let sum = rows.iter().map(|row| row.number).sum();
    let mut text = "| Package | Lines |\n|---|---:|\n".to_owned();
    for row in rows.iter().chain([&Row::new(SUM, sum)]) {
        text.push_str(&format!("| {} | {} |\n", row.name, row.number));
    }
    text
}

/// A product that is longer than is allowed, and a document whose sum is not that of its
/// rows.
pub fn breaches(files: &[TextFile]) -> Vec<Breach> {
    let document = files.iter().find(|file| file.path == DOCUMENT);
    let rows = read(document.map_or("", TextFile::text));
    let Some((allowed, packages)) = rows.split_last().filter(|(last, _)| last.name == SUM) else {
        return vec![Breach::whole(DOCUMENT, "has no table with a sum")];
    };
    let mut found = Vec::new();
    let sum: usize = packages.iter().map(|row| row.number).sum();
    if sum != allowed.number {
        let words = format!("says {} for the sum, which is {sum}", allowed.number);
        found.push(Breach::whole(DOCUMENT, words));
    }
    let now: usize = counted(files).iter().map(|row| row.number).sum();
    if now > allowed.number {
        let words = format!("allows {} lines, and there are {now}", allowed.number);
        found.push(Breach::whole(DOCUMENT, words));
    }
    found
}

/// The rows of the first table in a document: a name, and the number in the column after it.
fn read(document: &str) -> Vec<Row> {
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    rows.filter_map(|line| {
        let mut cells = line.split('|').skip(1).map(str::trim);
        let name = cells.next()?;
        Some(Row::new(name, cells.next()?.parse().ok()?))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package of two lines that ships, one that does not, and a document.
    fn repository(document: &str) -> Vec<TextFile> {
        let of_central = concat!(
            "//! Told.\n\nmod a; // why\n",
            "/* more\nof it */\n/// Told.\nconst A: &str = \"// b\n\";\n",
            "#[cfg(test)]\nmod tests {\n    fn c() {}\n}\n",
        );
        vec![
            TextFile::new("central/Cargo.toml", "[package]\nname = \"central\"\n"),
            TextFile::new("central/src/lib.rs", of_central),
            TextFile::new("central/src/a.rs", "//! Told.\n"),
            TextFile::new("central/tests/a.rs", "fn d() {}\n"),
            TextFile::new("central/sim/Cargo.toml", "[package]\nname = \"sim\"\n"),
            TextFile::new("central/sim/src/lib.rs", "fn e() {}\n"),
            TextFile::new(DOCUMENT, document),
        ]
    }

    #[test]
    fn lines_of_code_that_ships_count_and_nothing_else() {
        let counted = counted(&repository(""));
        assert_eq!(counted, [Row::new("central", 3)]);
        assert_eq!(
            read(&table(&counted)),
            [Row::new("central", 3), Row::new(SUM, 3)]
        );
    }

    #[test]
    fn a_product_that_grew_and_a_wrong_sum_are_found() {
        let told = |document: &str| -> Vec<String> {
            let found = breaches(&repository(document));
            found.iter().map(|breach| breach.words.clone()).collect()
        };
        let sound = "# Lines\n\n| a | 3 |\n| all | 3 |\n\n| b | 9 |\n";
        assert_eq!(told(sound), Vec::<String>::new());
        assert_eq!(told("| a | 4 |\n| all | 4 |\n"), Vec::<String>::new());
        assert_eq!(
            told("| a | 2 |\n| all | 2 |\n"),
            ["allows 2 lines, and there are 3"]
        );
        assert_eq!(
            told("| a | 1 |\n| b | 1 |\n| all | 3 |\n"),
            ["says 3 for the sum, which is 2"]
        );
        assert_eq!(told("nothing"), ["has no table with a sum"]);
    }
}

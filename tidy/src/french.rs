//! No French outside the catalogues.
//!
//! A word that a person reads stands in one file per language, where a translator finds it. What
//! is left in the code is counted here: the string literals of the product that hold a letter,
//! a quotation mark or a word of French. Each file has its number in `french-left.txt` beside
//! this package's manifest, which only falls. `cargo run -p keno-tidy --bin french-left` prints
//! that list as it is now.

use crate::Breach;
use crate::code::{has_word, string_literals, without_tests};
use crate::packages::products;
use crate::ratchet::{self, Row};
use crate::repository::TextFile;

/// The list, from the root of the repository.
pub const LIST: &str = "tidy/french-left.txt";

/// Signs that French has and the English of the product has not.
const SIGNS: &str = "àâçèéêëîïôùûœ«»";

/// Words of French without such a sign that stand in almost every sentence, and are no words of
/// English.
const WORDS: &[&str] = &[
    "au", "aux", "avec", "ce", "cette", "ces", "dans", "de", "des", "du", "elle", "est", "et",
    "il", "ils", "la", "le", "les", "leur", "ne", "ni", "nos", "notre", "ou", "par", "pas", "pour",
    "que", "qui", "sa", "sans", "ses", "sont", "sous", "sur", "un", "une", "vos", "votre", "vous",
    "billet", "billets", "tirage", "tirages", "mise", "mises", "lot", "lots", "caisse",
];

/// Files that have more French than the list says, or less by now.
pub fn breaches(files: &[TextFile]) -> Vec<Breach> {
    let list = files.iter().find(|file| file.path == LIST);
    let listed = rows(list.map_or("", TextFile::text));
    ratchet::breaches(LIST, &listed, &counted(files))
}

/// The literals with French of each Rust file of the product that has some, by path.
pub fn counted(files: &[TextFile]) -> Vec<Row> {
    let mut found = Vec::new();
    for package in products(files) {
        for module in package.modules() {
            let count = french_literals(&module.text).len();
            if count > 0 {
                found.push(Row::new(&module.file, count));
            }
        }
    }
    found.sort();
    found
}

/// The list as it is kept: a line a file, its number and its path.
pub fn written(rows: &[Row]) -> String {
    let sum: usize = rows.iter().map(|row| row.number).sum();
    let mut text = format!(
        "# {sum} string literals with French, of {} files\n",
        rows.len()
    );
    for row in rows {
        text.push_str(&format!("{} {}\n", row.number, row.name));
    }
    text
}

fn rows(list: &str) -> Vec<Row> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once(' '));
    pairs
        .filter_map(|(number, path)| Some(Row::new(path, number.parse().ok()?)))
        .collect()
}

/// The lines at which literals with French begin.
pub fn french_literals(text: &str) -> Vec<usize> {
    string_literals(&without_tests(text))
        .into_iter()
        .filter(|(_, literal)| is_french(literal))
        .map(|(line, _)| line)
        .collect()
}

fn is_french(text: &str) -> bool {
    let lower = text.to_lowercase();
    // A word alone may be a name, such as that of a language or of a column.
    let has_words = || text.contains(' ') && WORDS.iter().any(|word| has_word(&lower, word));
    lower.contains(|one| SIGNS.contains(one)) || has_words()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn french_is_told_from_english_and_from_names() {
        for text in [
            "déjà",
            "« oui »",
            "la mise",
            "Tirage {draw} du {day}",
            "Pas de tirage",
        ] {
            assert!(is_french(text), "{text}");
        }
        for text in [
            "the draw’s number…",
            "nothing to do",
            "fr/la-page",
            "SELECT a FROM b WHERE c <> 'x'",
            "under the table",
            "",
        ] {
            assert!(!is_french(text), "{text}");
        }
    }

    #[test]
    fn literals_count_and_comments_and_tests_do_not() {
        let text = concat!(
            "//! Le début.\n",
            "const A: &str = \"fin du tirage\"; // \"été\"\n",
            "fn b() { c(\"end\", 'é', r#\"très\"#) }\n",
            "#[cfg(test)]\nmod tests {\n    const D: &str = \"été\";\n}\n",
        );
        assert_eq!(french_literals(text), [2, 3]);
    }

    #[test]
    fn french_that_comes_to_a_file_is_found_and_a_list_reads_as_it_was_written() {
        let files = [
            TextFile::new("central/Cargo.toml", "[package]\nname = \"p\"\n"),
            TextFile::new("central/src/lib.rs", "const A: &str = \"été\";\n"),
            TextFile::new("tidy/Cargo.toml", "[package]\nname = \"q\"\n"),
            TextFile::new("tidy/src/lib.rs", "const A: &str = \"été\";\n"),
        ];
        let told = |files: &[TextFile]| -> Vec<String> {
            breaches(files).iter().map(ToString::to_string).collect()
        };
        let words = format!("central/src/lib.rs: has 1, and is not in {LIST}");
        assert_eq!(told(&files), [words]);
        let list = written(&counted(&files));
        assert_eq!(
            list,
            "# 1 string literals with French, of 1 files\n1 central/src/lib.rs\n"
        );
        let mut listed = files.to_vec();
        listed.push(TextFile::new(LIST, &list));
        assert_eq!(told(&listed), Vec::<String>::new());
        listed[1].text = Some("const A: &str = \"fait\";\n".to_owned());
        let found = told(&listed);
        assert!(found[0].ends_with("take it off"), "{found:?}");
    }
}

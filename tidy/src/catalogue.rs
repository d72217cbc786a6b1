//! No text of the catalogues that nobody asks for.
//!
//! That a text that is asked for is there is seen by the compiler, and that both languages have
//! it by the build script of keno-words. What stays in the catalogues after its last reader has
//! gone would be translated for nobody.

use std::collections::BTreeSet;

use crate::Breach;
use crate::packages::products;
use crate::repository::TextFile;

const CATALOGUE: &str = "schema/words/en.json";

/// Texts whose type, or whose field where an area is a table for templates, no product names.
pub fn idle_texts(files: &[TextFile]) -> Vec<Breach> {
    let asked = asked(files);
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.path == CATALOGUE) {
        for (index, line) in file.text().lines().enumerate() {
            let key = line.trim().trim_start_matches('"').split('"').next();
            let Some((_, name)) = key.and_then(|key| key.split_once('.')) else {
                continue;
            };
            if !asked.contains(name) && !asked.contains(&type_name(name)) {
                let words = format!("{name}: nobody asks for it");
                found.push(Breach::line(&file.path, index + 1, words));
            }
        }
    }
    found
}

/// Every word of the code and the templates of the product.
fn asked(files: &[TextFile]) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut add = |text: &str| {
        let all = text.split(|one: char| !one.is_alphanumeric() && one != '_');
        words.extend(all.map(str::to_owned));
    };
    for package in products(files) {
        for module in package.modules() {
            add(&module.code);
        }
    }
    let is_template = |file: &&TextFile| file.path.ends_with(".html");
    for file in files.iter().filter(is_template) {
        add(file.text());
    }
    words
}

/// `locked_out` as `LockedOut`, as the build script of keno-words has it.
fn type_name(name: &str) -> String {
    let mut kind = String::new();
    for word in name.split('_') {
        let (first, rest) = word.split_at(word.len().min(1));
        kind.push_str(&first.to_ascii_uppercase());
        kind.push_str(rest);
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_a_reader_is_found() {
        let catalogue =
            "{\n  \"a.locked_out\": \"x\",\n  \"page.title\": \"x\",\n  \"a.idle\": \"x\"\n}\n";
        let files = [
            TextFile::new(CATALOGUE, catalogue),
            TextFile::new("central/Cargo.toml", "[package]\nname = \"central\"\n"),
            TextFile::new(
                "central/src/lib.rs",
                "fn a() { b(&a::LockedOut); } // Idle\n",
            ),
            TextFile::new("central/templates/a.html", "{{ w.title }}\n"),
        ];
        let found = idle_texts(&files);
        let lines: Vec<usize> = found.iter().map(|breach| breach.line).collect();
        assert_eq!(lines, [4]);
    }
}

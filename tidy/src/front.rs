//! The public front of keno-service: what other packages may name of it.
//!
//! Whoever uses the service should have few names to learn, and what is not among them can be
//! changed without asking anybody. Counted are the items (functions, structures, enumerations,
//! traits, constants, statics, types) that are `pub` and stand in a module that is `pub` along
//! the whole way from the root, and the names that such a module passes on by `pub use` from one
//! that is not; `pub use x::*` counts all that it passes on, and so does `pub use` of a module. An
//! item within the braces of a macro counts as if it stood beside it. Methods, fields and variants
//! do not count, nor do names passed on of what counts already, or of another package.

use crate::Breach;
use crate::code::has_word;
use crate::packages::{Crate, Module, packages};
use crate::ratchet::{self, Row};
use crate::repository::TextFile;

/// The package whose front is counted.
const PACKAGE: &str = "keno-service";

/// How many names its front may have. The number only falls.
const NAMES_MAX: usize = 118;

/// A front of more names, or of fewer by now.
pub fn breaches(files: &[TextFile]) -> Vec<Breach> {
    let packages = packages(files);
    let names = packages
        .iter()
        .filter(|package| package.name == PACKAGE)
        .flat_map(|package| &package.crates)
        .map(|one| front(one).len())
        .sum();
    ratchet::breaches(
        "NAMES_MAX of tidy/src/front.rs",
        &[Row::new(PACKAGE, NAMES_MAX)],
        &[Row::new(PACKAGE, names)],
    )
}

/// Every name of a library's front, with the modules before it.
pub fn front(one: &Crate) -> Vec<String> {
    let mut names = Vec::new();
    for module in one.modules.iter().filter(|module| module.is_public) {
        for name in public_items(&module.code) {
            names.push(full(module, &name));
        }
        for (path, name) in passed_on(&module.code) {
            let Some(from) = target(one, module, &path).filter(|from| !from.is_public) else {
                continue;
            };
            let within = match name.as_str() {
                "*" => Some(from),
                name => target(one, from, &["self".to_owned(), name.to_owned()]),
            };
            match within {
                Some(within) => {
                    let all = public_items(&within.code);
                    names.extend(all.iter().map(|name| full(module, name)));
                }
                None => names.push(full(module, &name)),
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

fn full(module: &Module, name: &str) -> String {
    let mut steps = module.names.clone();
    steps.push(name.to_owned());
    steps.join("::")
}

/// The `pub` items of code that stand in no braces but those of a macro that is called.
fn public_items(code: &str) -> Vec<String> {
    const KINDS: [&str; 8] = [
        "fn", "struct", "enum", "trait", "const", "static", "type", "union",
    ];
    let outer = outer_code(code);
    let mut words = outer
        .split(|one: char| one.is_whitespace() || "(<{;:=".contains(one))
        .filter(|word| !word.is_empty());
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        if word != "pub" {
            continue;
        }
        // `pub const fn a`, `pub async fn b`: the last kind before the name.
        let mut is_item = false;
        for word in words.by_ref().take(4) {
            if KINDS.contains(&word) {
                is_item = true;
            } else if is_item && word != "unsafe" && word != "async" {
                found.push(word.to_owned());
                break;
            } else if !["unsafe", "async"].contains(&word) {
                break;
            }
        }
    }
    found
}

/// The code outside of all braces but those of a macro that is called; what stood within is gone.
fn outer_code(code: &str) -> String {
    let mut outer = String::new();
    let mut within = 0_usize;
    for one in code.chars() {
        match one {
            '{' if within > 0 || !calls_macro(&outer) => within += 1,
            '}' if within > 0 => {
                within -= 1;
                // What comes next is another item.
                outer.push(' ');
            }
            one if within == 0 => outer.push(one),
            _ => {}
        }
    }
    outer
}

/// Whether the brace after this code opens what a macro is called with. What a macro is made of
/// is no item.
fn calls_macro(before: &str) -> bool {
    let before = before.trim_end();
    let line = before.lines().next_back().unwrap_or_default();
    before.ends_with('!') && !has_word(line, "macro_rules")
}

/// What `pub use` passes on: the path of the module, and the name, or `*`.
fn passed_on(code: &str) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    for (place, _) in code.match_indices("pub use ") {
        let rest = code.get(place + "pub use ".len()..).unwrap_or_default();
        let text: String = rest.split(';').next().unwrap_or_default().to_owned();
        let text: String = text.split_whitespace().collect::<Vec<&str>>().join(" ");
        let (path, names) = match text.split_once('{') {
            Some((path, names)) => (path.to_owned(), names.trim_end_matches('}').to_owned()),
            None => match text.rsplit_once("::") {
                Some((path, name)) => (path.to_owned(), name.to_owned()),
                None => continue,
            },
        };
        let steps: Vec<String> = path
            .split("::")
            .map(str::trim)
            .filter(|step| !step.is_empty())
            .map(str::to_owned)
            .collect();
        for name in names
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            let name = name.rsplit(" as ").next().unwrap_or(name);
            found.push((steps.clone(), name.to_owned()));
        }
    }
    found
}

/// The module of the library that a path in `from` leads to.
fn target<'tree>(one: &'tree Crate, from: &Module, path: &[String]) -> Option<&'tree Module> {
    let mut names = from.names.clone();
    for step in path {
        match step.as_str() {
            "crate" => names.clear(),
            "self" => {}
            "super" => drop(names.pop()),
            step => names.push(step.to_owned()),
        }
    }
    one.modules.iter().find(|module| module.names == names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_named_from_outside_counts_and_nothing_else() {
        let files = [
            TextFile::new("p/Cargo.toml", "[package]\nname = \"p\"\n"),
            TextFile::new(
                "p/src/lib.rs",
                concat!(
                    "pub mod a;\nmod b;\nmod c;\n",
                    "pub use a::One;\npub use b::{Two, three as four};\npub use c::*;\n",
                    "pub use other::Five;\npub use b::d;\n",
                ),
            ),
            TextFile::new(
                "p/src/a.rs",
                concat!(
                    "pub struct One { pub field: u8 }\nimpl One {\n    pub fn method() {}\n}\n",
                    "pub const fn six() {}\npub(crate) fn no() {}\nfn nor() {}\n",
                    "pub enum Seven<A> { B }\npub const EIGHT: u8 = 8;\npub type Nine = u8;\n",
                    "made! {\n    /// Told.\n    pub enum Ten { C }\n}\n",
                    "macro_rules! made { () => { pub struct Not; } }\n",
                    "// pub fn neither() {}\npub async fn eleven() { pub_fn() }\n",
                    "#[cfg(test)]\npub fn tested() {}\n",
                ),
            ),
            TextFile::new(
                "p/src/b.rs",
                "pub mod d;\npub struct Two;\npub fn three() {}\npub fn no() {}\n",
            ),
            TextFile::new(
                "p/src/b/d.rs",
                "pub fn fourteen() {}\npub fn fifteen() {}\n",
            ),
            TextFile::new(
                "p/src/c.rs",
                "pub trait Twelve {}\npub static THIRTEEN: u8 = 1;\nfn no() {}\n",
            ),
        ];
        let packages = packages(&files);
        assert_eq!(
            front(&packages[0].crates[0]),
            [
                "THIRTEEN",
                "Twelve",
                "Two",
                "a::EIGHT",
                "a::Nine",
                "a::One",
                "a::Seven",
                "a::Ten",
                "a::eleven",
                "a::six",
                "fifteen",
                "four",
                "fourteen",
            ]
        );
    }

    #[test]
    fn a_name_more_on_the_front_is_found() {
        let names = "pub fn a() {}\n".repeat(NAMES_MAX + 1);
        let numbered: String = names
            .lines()
            .enumerate()
            .map(|(number, line)| line.replace('a', &format!("a{number}")) + "\n")
            .collect();
        let files = [
            TextFile::new(
                "s/Cargo.toml",
                &format!("[package]\nname = \"{PACKAGE}\"\n"),
            ),
            TextFile::new("s/src/lib.rs", &numbered),
        ];
        let found = breaches(&files);
        assert_eq!(found.len(), 1);
        assert!(
            found[0]
                .words
                .starts_with(&format!("has {}", NAMES_MAX + 1))
        );
    }
}

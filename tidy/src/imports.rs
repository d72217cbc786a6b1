//! Which module of a crate names which other one, by `use` and by paths in the code.
//!
//! A name that a module only passes on (`pub use`) leads to the module that defines it as well,
//! so that an arrow cannot be hidden behind a third module. Methods are not seen: who calls one
//! has named its type somewhere, or was handed a value of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::packages::{Crate, Module};

/// One module names another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// The number of the module that names, among those of the crate.
    pub from: usize,
    /// The number of the module that is named.
    pub to: usize,
    /// The line in the file of `from`, from 1.
    pub line: usize,
    /// What is named, as a path from the root of the crate.
    pub name: String,
}

/// A path in the code: its steps, and the name under which a `use` brings it in.
struct Named {
    steps: Vec<String>,
    line: usize,
    /// The local name of a `use`; `None` for a path in the code.
    alias: Option<String>,
}

/// How far a name is followed through modules that pass it on.
const PASSED_ON_MAX: usize = 8;

/// Every arrow between modules of the crate, a module's arrows in the order of its lines.
pub fn arrows(one: &Crate) -> Vec<Arrow> {
    let named: Vec<Vec<Named>> = one
        .modules
        .iter()
        .map(|module| named_in(&module.code))
        .collect();
    let names = Names::new(&one.modules, &named);
    let mut found = Vec::new();
    for (from, all) in named.iter().enumerate() {
        for path in all {
            // A path in the code may begin with a name that a `use` brought in.
            for to in names.reached(from, &path.steps, PASSED_ON_MAX) {
                if to != from {
                    found.push(Arrow {
                        from,
                        to,
                        line: path.line,
                        name: path.steps.join("::"),
                    });
                }
            }
        }
    }
    found
}

/// What the names of a crate lead to.
struct Names<'tree> {
    modules: &'tree [Module],
    /// Each module's local names with the paths that they stand for.
    aliases: Vec<BTreeMap<&'tree str, &'tree [String]>>,
    /// The paths of which each module brings in everything.
    globs: Vec<Vec<&'tree [String]>>,
}

impl<'tree> Names<'tree> {
    fn new(modules: &'tree [Module], named: &'tree [Vec<Named>]) -> Self {
        let mut aliases = Vec::new();
        let mut globs = Vec::new();
        for all in named {
            let mut own = BTreeMap::new();
            let mut everything = Vec::new();
            for path in all {
                match (path.alias.as_deref(), path.steps.split_last()) {
                    (Some("*"), Some((_, steps))) => everything.push(steps),
                    (Some(alias), _) => drop(own.insert(alias, path.steps.as_slice())),
                    (None, _) => {}
                }
            }
            aliases.push(own);
            globs.push(everything);
        }
        Self {
            modules,
            aliases,
            globs,
        }
    }

    fn child(&self, parent: usize, name: &str) -> Option<usize> {
        let children = &self.modules.get(parent)?.children;
        children.iter().copied().find(|child| {
            let module = self.modules.get(*child);
            module.is_some_and(|module| module.names.last().is_some_and(|last| last == name))
        })
    }

    /// The modules at which a path that stands in module `at` arrives: the one that it names, and
    /// the one that defines what the first only passes on. The root, which only passes on what is
    /// below it, is none of them unless nothing else is found.
    fn reached(&self, at: usize, steps: &[String], more: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let Some((mut place, mut rest)) = self.start(at, steps) else {
            // An alias of this module, or a name of another crate.
            if let (Some((first, rest)), true) = (steps.split_first(), more > 0)
                && let Some(path) = self.aliases.get(at).and_then(|own| own.get(first.as_str()))
                && !rest.is_empty()
            {
                let whole: Vec<String> = path.iter().chain(rest).cloned().collect();
                return self.reached(at, &whole, more - 1);
            }
            return reached;
        };
        while let Some((name, further)) = rest.split_first() {
            match self.child(place, name) {
                Some(child) => (place, rest) = (child, further),
                None => break,
            }
        }
        if place != 0 {
            reached.insert(place);
        }
        if let (Some(name), true) = (rest.first(), more > 0) {
            let passed_on = self
                .aliases
                .get(place)
                .and_then(|own| own.get(name.as_str()));
            if let Some(path) = passed_on {
                let whole: Vec<String> = path.iter().chain(rest.iter().skip(1)).cloned().collect();
                reached.extend(self.reached(place, &whole, more - 1));
            } else {
                for glob in self.globs.get(place).into_iter().flatten() {
                    let whole: Vec<String> = glob.iter().chain(rest).cloned().collect();
                    if let Some(definer) = self.definer(place, &whole) {
                        reached.insert(definer);
                    }
                }
            }
        }
        reached
    }

    /// The module from which a path goes on, and what is left of the path; `None` when it begins
    /// with a name that is no child of the module.
    fn start<'steps>(
        &self,
        at: usize,
        steps: &'steps [String],
    ) -> Option<(usize, &'steps [String])> {
        let (first, rest) = steps.split_first()?;
        match first.as_str() {
            "crate" => Some((0, rest)),
            "self" | "super" => {
                let (mut place, mut rest) = (at, steps);
                while let Some((step, further)) = rest.split_first() {
                    match step.as_str() {
                        "self" => {}
                        "super" => place = self.modules.get(place)?.parent?,
                        _ => break,
                    }
                    rest = further;
                }
                Some((place, rest))
            }
            name => self.child(at, name).map(|child| (child, rest)),
        }
    }

    /// The module that a path leads to, if that module itself defines what the path names.
    fn definer(&self, at: usize, steps: &[String]) -> Option<usize> {
        let (mut place, mut rest) = self.start(at, steps)?;
        while let Some((name, further)) = rest.split_first() {
            match self.child(place, name) {
                Some(child) => (place, rest) = (child, further),
                None => break,
            }
        }
        let name = rest.first()?;
        self.defines(place, name).then_some(place)
    }

    /// Whether an item of this name stands in the module.
    fn defines(&self, module: usize, name: &str) -> bool {
        const ITEMS: [&str; 8] = [
            "fn", "struct", "enum", "trait", "const", "static", "type", "union",
        ];
        let Some(module) = self.modules.get(module) else {
            return false;
        };
        module.code.match_indices(name).any(|(start, _)| {
            let before = module.code.get(..start).unwrap_or_default();
            let after = module.code.get(start + name.len()..).unwrap_or_default();
            let word = before.trim_end().rsplit(|one: char| !one.is_alphanumeric());
            let joins = |one: char| one.is_alphanumeric() || one == '_';
            let is_whole = !after.starts_with(joins) && before.ends_with(char::is_whitespace);
            is_whole && word.take(1).any(|word| ITEMS.contains(&word))
        })
    }
}

/// A word or a sign of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'code> {
    text: &'code str,
    line: usize,
}

fn tokens(code: &str) -> Vec<Token<'_>> {
    let joins = |one: char| one.is_alphanumeric() || one == '_';
    let mut found = Vec::new();
    let mut line = 1;
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if joins(first) => rest.find(|one| !joins(one)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        let (text, further) = rest.split_at(length);
        if !first.is_whitespace() {
            found.push(Token { text, line });
        }
        line += usize::from(first == '\n');
        rest = further;
    }
    found
}

/// Every path of two steps or more in the code, and every `use`.
fn named_in(code: &str) -> Vec<Named> {
    let tokens = tokens(code);
    let at = |place: usize| tokens.get(place).map_or("", |token| token.text);
    let is_name = |text: &str| {
        let mut characters = text.chars();
        let first = characters.next();
        first.is_some_and(|one| one.is_alphabetic() || one == '_')
    };
    let mut found = Vec::new();
    let mut place = 0;
    while place < tokens.len() {
        let is_path = is_name(at(place)) && at(place + 1) == "::";
        let goes_on = place > 0 && at(place - 1) == "::";
        // `use<'a>` says what a type captures.
        if at(place) == "use" && !goes_on && at(place + 1) != "<" {
            place = use_tree(&tokens, place + 1, &[], &mut found);
        } else if is_path && !goes_on {
            let line = tokens.get(place).map_or(0, |token| token.line);
            let mut steps = vec![at(place).to_owned()];
            while at(place + 1) == "::" && is_name(at(place + 2)) {
                steps.push(at(place + 2).to_owned());
                place += 2;
            }
            found.push(Named {
                steps,
                line,
                alias: None,
            });
            place += 1;
        } else {
            place += 1;
        }
    }
    found
}

/// Reads one branch of a `use` and returns the place after it.
fn use_tree(
    tokens: &[Token<'_>],
    mut place: usize,
    before: &[String],
    found: &mut Vec<Named>,
) -> usize {
    let mut steps = before.to_vec();
    let mut alias = None;
    let mut line = 0;
    while let Some(token) = tokens.get(place) {
        match token.text {
            "::" => place += 1,
            "{" => {
                place += 1;
                while tokens.get(place).is_some_and(|token| token.text != "}") {
                    place = use_tree(tokens, place, &steps, found);
                    // Between two branches a comma; what is neither is no `use`.
                    match tokens.get(place).map(|token| token.text) {
                        Some(",") => place += 1,
                        Some("}") => {}
                        _ => return place,
                    }
                }
                return place + 1;
            }
            "," | "}" | ";" => break,
            "as" => {
                alias = tokens.get(place + 1).map(|token| token.text.to_owned());
                place += 2;
            }
            "self" if !steps.is_empty() => place += 1,
            name => {
                steps.push(name.to_owned());
                line = token.line;
                place += 1;
            }
        }
        if line == 0 {
            line = token.line;
        }
    }
    if steps.len() > before.len() || !before.is_empty() {
        let alias = alias.or_else(|| steps.last().cloned());
        found.push(Named { steps, line, alias });
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packages::packages;
    use crate::repository::TextFile;

    /// The arrows of a library out of these files, as `from line name > to`.
    fn told(files: &[(&str, &str)]) -> Vec<String> {
        let mut all = vec![TextFile::new("p/Cargo.toml", "[package]\nname = \"p\"\n")];
        for (path, text) in files {
            all.push(TextFile::new(&format!("p/src/{path}"), text));
        }
        let packages = packages(&all);
        let one = &packages[0].crates[0];
        let name = |number: usize| one.modules[number].names.join("::");
        arrows(one)
            .iter()
            .map(|arrow| {
                let (from, to) = (name(arrow.from), name(arrow.to));
                format!("{from} {} {} > {to}", arrow.line, arrow.name)
            })
            .collect()
    }

    #[test]
    fn every_way_of_naming_is_seen() {
        let found = told(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::Door;\n"),
            (
                "a.rs",
                concat!(
                    "use crate::{b::{self, x as y}, c::*};\n",
                    "use super::Door;\n",
                    "// use crate::c;\n",
                    "fn f() { let _ = \"crate::c\"; b::inner::g(); crate::c::h() }\n",
                    "use std::fmt;\nfn i(j: fmt::Result) -> impl A + use<'_> { k; l }\n",
                    "#[cfg(test)]\nmod tests { use crate::c; }\n",
                ),
            ),
            (
                "b.rs",
                "mod inner;\npub use crate::c::Passed;\npub struct Door;\n",
            ),
            (
                "b/inner.rs",
                "use super::super::a;\nuse self::super::Door;\nuse super::self as up;\n",
            ),
            (
                "c.rs",
                "use crate::b::Passed;\npub(in crate::c) fn h() {}\n",
            ),
        ]);
        let expected = [
            "a 1 crate::b > b",
            "a 1 crate::b::x > b",
            "a 1 crate::c::* > c",
            "a 2 super::Door > b",
            "a 4 b::inner::g > b::inner",
            "a 4 crate::c::h > c",
            "b 2 crate::c::Passed > c",
            "c 1 crate::b::Passed > b",
            "b::inner 1 super::super::a > a",
            "b::inner 2 self::super::Door > b",
            "b::inner 3 super > b",
        ];
        let of_root: Vec<&String> = found.iter().filter(|one| one.starts_with(' ')).collect();
        assert_eq!(of_root, [" 4 b::Door > b"]);
        let rest: Vec<&String> = found.iter().filter(|one| !one.starts_with(' ')).collect();
        assert_eq!(rest, expected);
    }

    #[test]
    fn a_name_passed_on_by_everything_leads_to_its_definer() {
        let found = told(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("a.rs", "pub use crate::b::*;\n"),
            ("b.rs", "pub enum Kept {}\npub fn keep() {}\n"),
            ("c.rs", "fn f(g: crate::a::Kept) { crate::a::other() }\n"),
        ]);
        let expected = [
            "a 1 crate::b::* > b",
            "c 1 crate::a::Kept > a",
            "c 1 crate::a::Kept > b",
            "c 1 crate::a::other > a",
        ];
        assert_eq!(found, expected);
    }
}

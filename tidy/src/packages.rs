//! The packages of the repository, and the modules of each: what is compiled into a library or a
//! program, read as the compiler reads it, from its root along `mod`.

use std::collections::BTreeMap;

use crate::code::{code_only, without_comments, without_tests};
use crate::repository::TextFile;

/// The folders of the packages that ship. What only proves, measures or tests is no product.
/// A folder that is not there yet holds nothing.
const PRODUCT: &[&str] = &[
    "central",
    "central/record",
    "central/service",
    "draw-machine",
    "draw-machine/host",
    "packaging/daemon",
    "packaging/line",
    "schema",
    "schema/audit",
    "schema/book",
    "schema/game",
    "schema/log",
    "schema/wire",
    "schema/words",
    "terminal",
    "terminal/slip",
];

/// A package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// As its manifest says.
    pub name: String,
    /// From the root of the repository.
    pub folder: String,
    /// Its library and its programs.
    pub crates: Vec<Crate>,
}

impl Package {
    /// Whether it ships.
    pub fn is_product(&self) -> bool {
        PRODUCT.contains(&self.folder.as_str())
    }

    /// Every module of the package.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.crates.iter().flat_map(|one| &one.modules)
    }
}

/// A library or a program: its modules, the root first and each parent before its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crate {
    /// The root has number 0.
    pub modules: Vec<Module>,
}

/// A module that is a file of its own. A module within a file counts as part of that file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Its names from the root of the crate; none for the root.
    pub names: Vec<String>,
    /// The number of the parent among the crate's modules; `None` for the root.
    pub parent: Option<usize>,
    /// The numbers of its children.
    pub children: Vec<usize>,
    /// Declared by `pub mod`, as are all above it.
    pub is_public: bool,
    /// The file, from the root of the repository.
    pub file: String,
    /// The file without comments and tests. Lines are those of the file.
    pub text: String,
    /// The same without literals.
    pub code: String,
}

/// Every package with a manifest in the repository, by name.
pub fn packages(files: &[TextFile]) -> Vec<Package> {
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .map(|file| (file.path.as_str(), file.text()))
        .collect();
    let mut found = Vec::new();
    for (path, manifest) in &texts {
        let Some(folder) = path.strip_suffix("/Cargo.toml") else {
            continue;
        };
        let Some(name) = name_of(manifest) else {
            continue;
        };
        let sources = format!("{folder}/src");
        let roots = texts.keys().filter(|path| is_root(path, &sources));
        found.push(Package {
            name: name.to_owned(),
            folder: folder.to_owned(),
            crates: roots.map(|root| read_crate(&texts, root)).collect(),
        });
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

/// The packages that ship.
pub fn products(files: &[TextFile]) -> Vec<Package> {
    let mut all = packages(files);
    all.retain(Package::is_product);
    all
}

fn name_of(manifest: &str) -> Option<&str> {
    let (_, package) = manifest.split_once("[package]")?;
    let (_, name) = package.split_once("name = \"")?;
    name.split('"').next()
}

/// Whether a crate begins in the file: a library, a program, or one of several programs.
fn is_root(path: &str, sources: &str) -> bool {
    let Some(path) = path
        .strip_prefix(sources)
        .and_then(|rest| rest.strip_prefix('/'))
    else {
        return false;
    };
    let program = path.strip_prefix("bin/");
    let is_program = program.is_some_and(|name| name.ends_with(".rs") && !name.contains('/'));
    path == "lib.rs" || path == "main.rs" || is_program
}

fn read_crate(texts: &BTreeMap<&str, &str>, root: &str) -> Crate {
    let mut modules = vec![module(root, texts, Vec::new(), None, true)];
    let mut next = 0;
    while let Some(parent) = modules.get(next) {
        let declared = declared(&parent.code);
        let (names, file, is_public) =
            (parent.names.clone(), parent.file.clone(), parent.is_public);
        for (name, is_pub) in declared {
            let Some(path) = file_of(texts, &file, names.is_empty(), &name) else {
                continue;
            };
            let mut names = names.clone();
            names.push(name);
            let number = modules.len();
            modules.push(module(path, texts, names, Some(next), is_public && is_pub));
            if let Some(parent) = modules.get_mut(next) {
                parent.children.push(number);
            }
        }
        next += 1;
    }
    Crate { modules }
}

fn module(
    file: &str,
    texts: &BTreeMap<&str, &str>,
    names: Vec<String>,
    parent: Option<usize>,
    is_public: bool,
) -> Module {
    let text = without_tests(texts.get(file).copied().unwrap_or_default());
    Module {
        names,
        parent,
        children: Vec::new(),
        is_public,
        file: file.to_owned(),
        code: code_only(&text),
        text: without_comments(&text),
    }
}

/// The modules that code declares as files of their own, and whether by `pub mod`.
fn declared(code: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for line in code.lines() {
        let Some(rest) = line.trim().strip_suffix(';') else {
            continue;
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        if let [before @ .., "mod", name] = words.as_slice() {
            found.push(((*name).to_owned(), before == ["pub"]));
        }
    }
    found
}

/// The file of a child, which lies beside a root or a `mod.rs`, and else in the folder of its
/// parent's name.
fn file_of<'texts>(
    texts: &BTreeMap<&'texts str, &str>,
    parent: &str,
    is_root: bool,
    name: &str,
) -> Option<&'texts str> {
    let (folder, file) = parent.rsplit_once('/')?;
    let folder = match is_root || file == "mod.rs" {
        true => folder,
        false => parent.strip_suffix(".rs")?,
    };
    let candidates = [
        format!("{folder}/{name}.rs"),
        format!("{folder}/{name}/mod.rs"),
    ];
    candidates.iter().find_map(|path| {
        let found = texts.get_key_value(path.as_str());
        found.map(|(path, _)| *path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_as_the_compiler_finds_them() {
        let files = [
            TextFile::new("Cargo.toml", "[workspace]\n"),
            TextFile::new(
                "central/Cargo.toml",
                "[package]\nname = \"keno-central\"\n[[bin]]\nname = \"x\"\n",
            ),
            TextFile::new(
                "central/src/lib.rs",
                "// mod no;\npub mod a;\nmod b;\n#[cfg(test)]\nmod a_tests;\npub(crate) mod gone;\n",
            ),
            TextFile::new("central/src/a.rs", "pub mod c;\n"),
            TextFile::new("central/src/a/c.rs", "fn c() {} // told\n"),
            TextFile::new("central/src/a_tests.rs", ""),
            TextFile::new("central/src/b/mod.rs", "pub mod d;\n"),
            TextFile::new("central/src/b/d.rs", ""),
            TextFile::new("central/src/no.rs", ""),
            TextFile::new("central/src/main.rs", "mod e;\n"),
            TextFile::new("central/src/e.rs", ""),
            TextFile::new("central/src/bin/f.rs", "mod g;\n"),
            TextFile::new("central/src/bin/g.rs", ""),
            TextFile::new("central/tests/t.rs", ""),
            TextFile::new("tidy/Cargo.toml", "[package]\nname = \"keno-tidy\"\n"),
        ];
        let packages = packages(&files);
        let names: Vec<&str> = packages.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["keno-central", "keno-tidy"]);
        assert_eq!(products(&files).len(), 1);
        let of = |root: &str| -> Vec<(String, bool)> {
            let mut crates = packages[0].crates.iter();
            let found = crates.find(|one| one.modules[0].file.ends_with(root));
            let modules = found.unwrap().modules.iter();
            modules
                .map(|one| (one.names.join("::"), one.is_public))
                .collect()
        };
        let told = |all: &[(&str, bool)]| -> Vec<(String, bool)> {
            all.iter()
                .map(|(name, is_public)| ((*name).to_owned(), *is_public))
                .collect()
        };
        assert_eq!(
            of("src/lib.rs"),
            told(&[
                ("", true),
                ("a", true),
                ("b", false),
                ("a::c", true),
                ("b::d", false)
            ])
        );
        assert_eq!(of("src/main.rs"), told(&[("", true), ("e", false)]));
        // A program of several that has modules takes the others of the folder for crates.
        assert_eq!(of("bin/f.rs"), told(&[("", true), ("g", false)]));
        let modules: Vec<&Module> = packages[0].modules().collect();
        let deep = modules.iter().find(|one| one.file.ends_with("c.rs"));
        assert_eq!(deep.unwrap().code.trim(), "fn c() {}");
    }
}

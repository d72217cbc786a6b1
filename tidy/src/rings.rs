//! No import ring inside a package.
//!
//! Modules that name each other in a ring are one module in several files: none of them can be
//! read, tested or moved without the others. It is judged at two grains. The *rooms* of a
//! library or a program are its modules at the top, each with all below it. Its *files* are
//! judged one by one, but for a module and what lies below it: a parent that passes on what its
//! children have, and children that use what their parent has, are one room.
//!
//! Arrows are those of [`crate::imports`], which sees names and no calls of methods.

use std::collections::{BTreeMap, BTreeSet};

use crate::Breach;
use crate::imports::{Arrow, arrows};
use crate::packages::{Crate, Package, packages};
use crate::ratchet::{self, Row};
use crate::repository::TextFile;

/// Packages whose rings are not mended yet, with how many rooms stand in rings and how many
/// files. The numbers only fall.
const NOT_YET: &[(&str, usize, usize)] = &[];

/// The rings of the repository that are not on the list, and what is on the list and is better
/// by now.
pub fn breaches(files: &[TextFile]) -> Vec<Breach> {
    let packages = packages(files);
    let rings: Vec<Ring> = packages.iter().flat_map(rings).collect();
    let count = |package: &Package, grain: Grain| -> usize {
        let own = rings
            .iter()
            .filter(|ring| ring.package == package.name && ring.grain == grain);
        own.map(|ring| ring.members.len()).sum()
    };
    let mut found = Vec::new();
    for (grain, of) in [
        (
            Grain::Rooms,
            (|row| row.1) as fn(&(&str, usize, usize)) -> usize,
        ),
        (Grain::Files, |row| row.2),
    ] {
        let listed = NOT_YET
            .iter()
            .filter(|row| of(row) > 0)
            .map(|row| Row::new(row.0, of(row)));
        let counted = packages
            .iter()
            .map(|package| Row::new(&package.name, count(package, grain)));
        found.extend(ratchet::breaches(
            &format!("NOT_YET of tidy/src/rings.rs, {grain:?}"),
            &listed.collect::<Vec<Row>>(),
            &counted.collect::<Vec<Row>>(),
        ));
    }
    // Who has to mend a ring needs its arrows.
    let worse: BTreeSet<String> = found.iter().map(|breach| breach.place.clone()).collect();
    let told = rings.iter().filter(|ring| worse.contains(&ring.package));
    found.extend(told.flat_map(Ring::told));
    found
}

/// What is taken for one when rings are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    /// A module at the top with all below it.
    Rooms,
    /// A file.
    Files,
}

/// Modules of a package of which each leads to each other one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// The name of the package.
    pub package: String,
    /// What a member is.
    pub grain: Grain,
    /// The modules, as paths from the root of the crate, in the order of the alphabet.
    pub members: Vec<String>,
    /// The first arrow from each member to each other one: file, line, and what is said of it.
    pub arrows: Vec<(String, usize, String)>,
}

impl Ring {
    fn told(&self) -> Vec<Breach> {
        let (package, members) = (&self.package, self.members.join(", "));
        let head = format!("{:?} of {package} name each other: {members}", self.grain);
        let arrows = self
            .arrows
            .iter()
            .map(|(file, line, words)| Breach::line(file, *line, words));
        let mut all = vec![Breach::whole(package, head)];
        all.extend(arrows);
        all
    }
}

/// Every ring of a package, at both grains.
pub fn rings(package: &Package) -> Vec<Ring> {
    let mut found = Vec::new();
    for one in &package.crates {
        let arrows = arrows(one);
        found.extend(rings_of(package, one, &arrows, Grain::Rooms));
        found.extend(rings_of(package, one, &arrows, Grain::Files));
    }
    found
}

fn rings_of(package: &Package, one: &Crate, arrows: &[Arrow], grain: Grain) -> Vec<Ring> {
    let member = |module: usize| -> &[String] {
        let names = one
            .modules
            .get(module)
            .map(|module| module.names.as_slice());
        let names = names.unwrap_or_default();
        match grain {
            Grain::Rooms => names.get(..1).unwrap_or_default(),
            Grain::Files => names,
        }
    };
    // The first arrow between each two members. Of the root, which names what is below it, none.
    let mut first: BTreeMap<(&[String], &[String]), &Arrow> = BTreeMap::new();
    for arrow in arrows {
        let (from, to) = (member(arrow.from), member(arrow.to));
        let is_one_room = from.starts_with(to) || to.starts_with(from);
        if !is_one_room {
            first.entry((from, to)).or_insert(arrow);
        }
    }
    let mut next: BTreeMap<&[String], Vec<&[String]>> = BTreeMap::new();
    for (from, to) in first.keys() {
        next.entry(from).or_default().push(to);
    }
    let mut rings = Vec::new();
    for members in knots(&next) {
        let within = first
            .iter()
            .filter(|((from, to), _)| members.contains(from) && members.contains(to));
        let told = within.map(|((from, to), arrow)| {
            let file = one
                .modules
                .get(arrow.from)
                .map(|module| module.file.clone());
            let words = format!("{} → {}: {}", from.join("::"), to.join("::"), arrow.name);
            (file.unwrap_or_default(), arrow.line, words)
        });
        rings.push(Ring {
            package: package.name.clone(),
            grain,
            arrows: told.collect(),
            members: members.iter().map(|names| names.join("::")).collect(),
        });
    }
    rings
}

/// The sets of two or more of which each leads to each other one.
fn knots<'names>(
    next: &BTreeMap<&'names [String], Vec<&'names [String]>>,
) -> Vec<BTreeSet<&'names [String]>> {
    let reached = |from: &'names [String]| -> BTreeSet<&'names [String]> {
        let mut all = BTreeSet::new();
        let mut waiting = vec![from];
        while let Some(one) = waiting.pop() {
            for to in next.get(one).into_iter().flatten() {
                if all.insert(*to) {
                    waiting.push(to);
                }
            }
        }
        all
    };
    let reached: BTreeMap<&[String], BTreeSet<&[String]>> =
        next.keys().map(|from| (*from, reached(from))).collect();
    let mut knots: BTreeSet<BTreeSet<&[String]>> = BTreeSet::new();
    for (from, to) in &reached {
        if to.contains(from) {
            let leads_back =
                |other: &&&[String]| reached.get(**other).is_some_and(|back| back.contains(from));
            knots.insert(to.iter().filter(leads_back).copied().collect());
        }
    }
    knots.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rings of a package whose library has these files.
    fn found(files: &[(&str, &str)]) -> Vec<Ring> {
        let mut all = vec![TextFile::new("p/Cargo.toml", "[package]\nname = \"p\"\n")];
        for (path, text) in files {
            all.push(TextFile::new(&format!("p/src/{path}"), text));
        }
        rings(&packages(&all)[0])
    }

    const ROOT: (&str, &str) = (
        "lib.rs",
        "mod a;\nmod b;\nmod c;\npub use c::Door;\npub use a::a;\n",
    );

    #[test]
    fn a_ring_through_a_third_module_and_a_name_of_the_root_is_found() {
        let rings = found(&[
            ROOT,
            ("a.rs", "use crate::b::b;\npub fn a() {}\n"),
            ("b.rs", "pub fn b() { crate::Door::open() }\n"),
            ("c.rs", "//! A door.\n\nuse super::a;\npub struct Door;\n"),
        ]);
        assert_eq!(rings.len(), 2, "one at each grain: {rings:?}");
        assert_eq!(rings[0].grain, Grain::Rooms);
        assert_eq!(rings[0].members, ["a", "b", "c"]);
        let told: Vec<String> = rings[0].told().iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "p: Rooms of p name each other: a, b, c",
                "p/src/a.rs:1: a → b: crate::b::b",
                "p/src/b.rs:1: b → c: crate::Door::open",
                "p/src/c.rs:3: c → a: super::a",
            ]
        );
    }

    #[test]
    fn a_name_passed_on_by_a_third_module_does_not_hide_the_ring() {
        let rings = found(&[
            ROOT,
            ("a.rs", "use crate::c::Moved;\npub fn a() {}\n"),
            ("b.rs", "use crate::a::a;\npub struct Moved;\n"),
            ("c.rs", "pub use crate::b::Moved;\npub struct Door;\n"),
        ]);
        assert_eq!(rings[0].members, ["a", "b", "c"]);
    }

    #[test]
    fn a_parent_and_its_children_are_one_room_and_sisters_are_not() {
        let family = |of_d: &'static str| {
            found(&[
                ROOT,
                (
                    "a.rs",
                    "mod d;\nmod e;\npub use d::D;\npub fn a(_: e::E) {}\n",
                ),
                ("a/d.rs", of_d),
                ("a/e.rs", "use super::d::D;\npub struct E(crate::a::D);\n"),
                ("b.rs", ""),
                ("c.rs", "pub struct Door;\n"),
            ])
        };
        assert_eq!(family("use super::a;\npub struct D;\n"), []);
        let rings = family("use super::a;\nuse super::e::E;\npub struct D;\n");
        assert_eq!(rings.len(), 1);
        assert_eq!(rings[0].grain, Grain::Files);
        assert_eq!(rings[0].members, ["a::d", "a::e"]);
    }

    #[test]
    fn tests_prose_and_ways_down_make_no_ring() {
        let rings = found(&[
            ROOT,
            ("a.rs", "use crate::{b::b, c::Door};\npub fn a() {}\n"),
            (
                "b.rs",
                "// use crate::a;\npub fn b() { c(\"crate::a::a\") }\n#[cfg(test)]\nmod tests {\n    use crate::a::a;\n}\n",
            ),
            ("c.rs", "pub struct Door;\n"),
        ]);
        assert_eq!(rings, []);
    }
}

//! Which package may need which: the floors of the house.
//!
//! "Needs" points only downward; nothing needs its own floor or one above, and what a package
//! needs is exactly what is drawn, so that the drawing can be believed. The purity of the rules
//! is a missing line in a manifest, and this is what keeps the line missing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::Breach;

/// A package as drawn.
struct Drawn {
    name: &'static str,
    floor: u8,
    /// What it needs of ours: exactly these.
    needs: &'static [&'static str],
}

/// The drawing; `ARCHITECTURE.md` shows the same.
const DRAWN: &[Drawn] = &[
    Drawn {
        name: "keno-central",
        floor: 4,
        needs: &[
            "keno-service",
            "keno-record",
            "keno-slip",
            "keno-schema",
            "keno-draw",
            "keno-draw-machine",
            "keno-line",
            "keno-wire",
            "keno-daemon",
            "keno-book",
            "keno-log",
            "keno-game",
            "keno-words",
        ],
    },
    Drawn {
        name: "keno-terminal",
        floor: 4,
        needs: &[
            "keno-slip",
            "keno-wire",
            "keno-daemon",
            "keno-book",
            "keno-log",
            "keno-game",
            "keno-words",
        ],
    },
    Drawn {
        name: "keno-service",
        floor: 3,
        needs: &[
            "keno-record",
            "keno-schema",
            "keno-draw",
            "keno-draw-machine",
            "keno-line",
            "keno-daemon",
            "keno-book",
            "keno-log",
            "keno-game",
            "keno-words",
        ],
    },
    Drawn {
        name: "keno-record",
        floor: 2,
        needs: &[
            "keno-schema",
            "keno-daemon",
            "keno-book",
            "keno-log",
            "keno-game",
            "keno-words",
        ],
    },
    Drawn {
        name: "keno-slip",
        floor: 2,
        needs: &["keno-wire", "keno-game", "keno-words"],
    },
    Drawn {
        name: "keno-schema",
        floor: 1,
        needs: &[],
    },
    Drawn {
        name: "keno-draw-machine",
        floor: 2,
        needs: &["keno-line", "keno-draw", "keno-daemon", "keno-log"],
    },
    Drawn {
        name: "keno-line",
        floor: 1,
        needs: &["keno-daemon", "keno-log"],
    },
    Drawn {
        name: "keno-draw",
        floor: 1,
        needs: &["keno-log", "keno-words"],
    },
    Drawn {
        name: "keno-wire",
        floor: 1,
        needs: &["keno-game", "keno-words"],
    },
    Drawn {
        name: "keno-book",
        floor: 1,
        needs: &["keno-game", "keno-words"],
    },
    Drawn {
        name: "keno-audit",
        floor: 2,
        needs: &["keno-line", "keno-daemon", "keno-log", "keno-words"],
    },
    Drawn {
        name: "keno-game",
        floor: 0,
        needs: &[],
    },
    Drawn {
        name: "keno-log",
        floor: 0,
        needs: &[],
    },
    Drawn {
        name: "keno-words",
        floor: 0,
        needs: &[],
    },
    Drawn {
        name: "keno-daemon",
        floor: 0,
        needs: &[],
    },
];

/// Beside the house: what tests need, and these rules. They need nothing of ours, and no program
/// needs them.
const BESIDE: &[&str] = &[TESTING, "keno-tidy"];
const TESTING: &str = "keno-testing";

/// Beside the service: it founds houses for tests, and has a follower of their log. It stands on
/// [`SERVICE`] and what that needs, and on [`AUDIT`], and only tests of what stands on it, or of the service itself, may need it.
const BUILDER: &str = "keno-house-builder";
const SERVICE: &str = "keno-service";
const AUDIT: &str = "keno-audit";

/// Above the house: what judges and measures several programs together. They may need anything of
/// ours, and nothing needs them.
const ABOVE: &[&str] = &[
    "keno-bench",
    "keno-campaign",
    "keno-house-builder-planted",
    "keno-house-tests",
    "keno-record-planted",
    "keno-returns",
    "keno-service-planted",
    "keno-sim",
    "keno-sim-planted",
    "keno-statistics",
];

/// What the ground floor may take from others. Anything that knows of a clock, a file, a network
/// or chance would make the rules fail on account of the world.
const GROUND: &[(&str, &[&str])] = &[
    ("keno-game", &["thiserror"]),
    (
        "keno-log",
        &[
            "thiserror",
            "sha2",
            "ed25519-dalek",
            "blst",
            "base64",
            "hex",
        ],
    ),
    // What builds it reads the catalogues.
    ("keno-words", &["serde_json"]),
];

/// What must never be reached, not even through others or in a test: the edge talks to central
/// by HTTP alone, and an audit that shared the rules would repeat their faults.
const NEVER: &[(&str, &[&str])] = &[
    (
        "keno-terminal",
        &["keno-service", "keno-record", "keno-schema", "keno-central"],
    ),
    (
        "keno-audit",
        &[
            "keno-service",
            "keno-record",
            "keno-schema",
            "keno-wire",
            "keno-book",
            "keno-draw",
            "keno-draw-machine",
        ],
    ),
];

/// What one package of the workspace needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needs {
    /// For its programs and libraries, and to build them.
    pub normal: BTreeSet<String>,
    /// For its tests alone.
    pub tests: BTreeSet<String>,
}

/// Every package of the workspace with what it needs.
pub type Graph = BTreeMap<String, Needs>;

/// Why the output of `cargo metadata` could not be read.
#[derive(Debug, thiserror::Error)]
pub enum GraphFault {
    /// It is not JSON.
    #[error("the workspace's metadata is not JSON")]
    Json(#[from] serde_json::Error),
    /// A part that every version of the format has is not there.
    #[error("the workspace's metadata has no {0}")]
    Absent(&'static str),
}

/// The graph out of the JSON of `cargo metadata --no-deps --format-version 1`.
///
/// # Errors
/// [`GraphFault`] when the text is something else.
pub fn graph(metadata: &str) -> Result<Graph, GraphFault> {
    let metadata: Value = serde_json::from_str(metadata)?;
    let text = |value: &Value, key: &'static str| {
        let found = value.get(key).and_then(Value::as_str).map(str::to_owned);
        found.ok_or(GraphFault::Absent(key))
    };
    let list = |value: &Value, key: &'static str| {
        let found = value.get(key).and_then(Value::as_array).cloned();
        found.ok_or(GraphFault::Absent(key))
    };
    let mut graph = Graph::new();
    for package in list(&metadata, "packages")? {
        let needs = graph.entry(text(&package, "name")?).or_default();
        for dependency in list(&package, "dependencies")? {
            let name = text(&dependency, "name")?;
            match dependency.get("kind").and_then(Value::as_str) {
                Some("dev") => needs.tests.insert(name),
                // What builds a program is part of it.
                _ => needs.normal.insert(name),
            };
        }
    }
    Ok(graph)
}

/// What in the graph is not as drawn.
pub fn breaches(graph: &Graph) -> Vec<Breach> {
    let mut found = Vec::new();
    let floors: BTreeMap<&str, u8> = DRAWN.iter().map(|one| (one.name, one.floor)).collect();
    let is_ours = |name: &str| graph.contains_key(name) || name.starts_with("keno-");
    for (name, needs) in graph {
        let ours = |all: &BTreeSet<String>| -> BTreeSet<String> {
            all.iter().filter(|one| is_ours(one)).cloned().collect()
        };
        let mut tell = |words: String| found.push(Breach::whole(name, words));
        if BESIDE.contains(&name.as_str()) {
            for other in ours(&needs.normal).union(&ours(&needs.tests)) {
                if other != name {
                    tell(format!("stands beside the house and needs {other}"));
                }
            }
            continue;
        }
        if ABOVE.contains(&name.as_str()) {
            continue;
        }
        if name == BUILDER {
            let service = drawn_needs(SERVICE);
            for other in ours(&needs.normal) {
                let is_named = [SERVICE, TESTING, AUDIT].contains(&other.as_str());
                if !is_named && !service.contains(&other.as_str()) {
                    tell(format!("founds houses of the service and needs {other}"));
                }
            }
            continue;
        }
        let Some(drawn) = DRAWN.iter().find(|one| one.name == name) else {
            tell("is not drawn: give it a floor in tidy/src/floors.rs".to_owned());
            continue;
        };
        let wanted: BTreeSet<String> = drawn.needs.iter().map(ToString::to_string).collect();
        for other in ours(&needs.normal).difference(&wanted) {
            tell(format!("needs {other}, which is not drawn"));
        }
        for other in wanted.difference(&needs.normal) {
            tell(format!("is drawn to need {other} and does not"));
        }
        for other in ours(&needs.tests) {
            let lower = floors
                .get(other.as_str())
                .is_some_and(|floor| *floor < drawn.floor);
            let is_builder =
                other == BUILDER && (name == SERVICE || needs.normal.contains(SERVICE));
            if other != TESTING && !is_builder && !lower {
                tell(format!(
                    "needs {other} in its tests, which is not on a lower floor"
                ));
            }
        }
        if let Some((_, allowed)) = GROUND.iter().find(|(ground, _)| ground == name) {
            for other in needs.normal.iter().filter(|one| !is_ours(one)) {
                if !allowed.contains(&other.as_str()) {
                    tell(format!("stands on the ground and may not need {other}"));
                }
            }
        }
        if let Some((_, never)) = NEVER.iter().find(|(strict, _)| strict == name) {
            for other in reached(graph, name) {
                if never.contains(&other.as_str()) {
                    tell(format!("reaches {other}, and must never"));
                }
            }
        }
    }
    for drawn in DRAWN {
        if !graph.contains_key(drawn.name) {
            found.push(Breach::whole(drawn.name, "is drawn and not there"));
        }
        for need in drawn.needs {
            if floors.get(need).is_none_or(|floor| *floor >= drawn.floor) {
                let words = format!("is drawn to need {need}, which is not on a lower floor");
                found.push(Breach::whole(drawn.name, words));
            }
        }
    }
    found
}

/// What a package is drawn to need.
fn drawn_needs(name: &str) -> &'static [&'static str] {
    let drawn = DRAWN.iter().find(|one| one.name == name);
    drawn.map_or(&[], |one| one.needs)
}

/// Everything of ours that a package reaches, its tests included.
fn reached(graph: &Graph, from: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut waiting: Vec<String> = graph
        .get(from)
        .map(|needs| needs.normal.union(&needs.tests).cloned().collect())
        .unwrap_or_default();
    while let Some(name) = waiting.pop() {
        let Some(needs) = graph.get(&name) else {
            continue;
        };
        if all.insert(name) {
            waiting.extend(needs.normal.iter().cloned());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph that is exactly as drawn.
    fn sound() -> Graph {
        let mut graph = Graph::new();
        for drawn in DRAWN {
            let normal = drawn.needs.iter().map(ToString::to_string).collect();
            graph.insert(
                drawn.name.to_owned(),
                Needs {
                    normal,
                    ..Needs::default()
                },
            );
        }
        for name in BESIDE.iter().chain(ABOVE).chain(&[BUILDER]) {
            graph.insert((*name).to_owned(), Needs::default());
        }
        graph
    }

    /// The words of all breaches after `name` also needs `other`.
    fn after(name: &str, tests: bool, other: &str) -> Vec<String> {
        let mut graph = sound();
        let needs = graph.entry(name.to_owned()).or_default();
        if tests {
            &mut needs.tests
        } else {
            &mut needs.normal
        }
        .insert(other.to_owned());
        breaches(&graph).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_as_drawn_breaks_nothing() {
        assert_eq!(breaches(&sound()), []);
        assert_eq!(after("keno-service", true, TESTING), Vec::<String>::new());
        assert_eq!(
            after("keno-service", true, "keno-audit"),
            Vec::<String>::new()
        );
        for name in [SERVICE, "keno-central"] {
            assert_eq!(after(name, true, BUILDER), Vec::<String>::new());
        }
        for other in [SERVICE, TESTING, "keno-schema"] {
            assert_eq!(after(BUILDER, false, other), Vec::<String>::new());
        }
        assert_eq!(
            after("keno-central", false, "actix-web"),
            Vec::<String>::new()
        );
        assert_eq!(
            after("keno-house-tests", false, "keno-central"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_copy_with_faults_in_it_is_needed_by_nothing_that_ships_nor_by_the_builder() {
        for (name, tests, words) in [
            ("keno-central", false, "which is not drawn"),
            (SERVICE, true, "which is not on a lower floor"),
            (BUILDER, false, "founds houses of the service and needs"),
        ] {
            let found = after(name, tests, "keno-record-planted");
            assert_eq!(found.len(), 1, "{name}: {found:?}");
            assert!(found[0].contains(words), "{found:?}");
        }
        let copy = after("keno-sim-planted", false, "keno-record-planted");
        assert_eq!(copy, Vec::<String>::new());
    }

    #[test]
    fn planted_arrows_are_found() {
        for (name, tests, other, expected) in [
            (
                "keno-wire",
                false,
                "keno-log",
                "needs keno-log, which is not drawn",
            ),
            (
                "keno-wire",
                false,
                "keno-schema",
                "needs keno-schema, which is not drawn",
            ),
            (
                "keno-audit",
                false,
                "keno-game",
                "needs keno-game, which is not drawn",
            ),
            (
                "keno-terminal",
                false,
                "keno-service",
                "reaches keno-service, and must never",
            ),
            (
                "keno-terminal",
                true,
                "keno-service",
                "reaches keno-service, and must never",
            ),
            (
                "keno-slip",
                false,
                "keno-schema",
                "needs keno-schema, which is not drawn",
            ),
            (
                "keno-game",
                false,
                "chrono",
                "stands on the ground and may not need chrono",
            ),
            (
                "keno-log",
                false,
                "getrandom",
                "stands on the ground and may not need getrandom",
            ),
            (
                "keno-game",
                true,
                "keno-audit",
                "in its tests, which is not on a lower floor",
            ),
            (
                "keno-service",
                false,
                TESTING,
                "needs keno-testing, which is not drawn",
            ),
            (
                TESTING,
                false,
                "keno-schema",
                "stands beside the house and needs keno-schema",
            ),
            (
                TESTING,
                true,
                "keno-house-tests",
                "stands beside the house and needs keno-house-tests",
            ),
            (
                "keno-central",
                true,
                "keno-house-tests",
                "in its tests, which is not on a lower floor",
            ),
            (
                BUILDER,
                false,
                "keno-central",
                "founds houses of the service and needs keno-central",
            ),
            (
                "keno-central",
                false,
                BUILDER,
                "needs keno-house-builder, which is not drawn",
            ),
            (
                "keno-schema",
                true,
                BUILDER,
                "in its tests, which is not on a lower floor",
            ),
            (
                "keno-terminal",
                true,
                BUILDER,
                "needs keno-house-builder in its tests",
            ),
            ("keno-new", false, "keno-game", "is not drawn"),
        ] {
            let found = after(name, tests, other);
            assert!(
                found
                    .iter()
                    .any(|one| one.starts_with(name) && one.contains(expected)),
                "{name} needing {other} gave {found:?}"
            );
        }
    }

    #[test]
    fn a_forbidden_package_is_found_through_another() {
        // The edge would reach the tables through the slip.
        let found = after("keno-slip", false, "keno-schema");
        let wanted = "keno-terminal: reaches keno-schema, and must never";
        assert!(found.iter().any(|one| one == wanted), "{found:?}");
    }

    #[test]
    fn an_arrow_that_is_drawn_and_absent_is_found() {
        let mut graph = sound();
        graph
            .entry("keno-audit".to_owned())
            .or_default()
            .normal
            .clear();
        graph.remove("keno-slip");
        let found: Vec<String> = breaches(&graph).iter().map(ToString::to_string).collect();
        assert!(found.contains(&"keno-audit: is drawn to need keno-log and does not".to_owned()));
        assert!(found.contains(&"keno-slip: is drawn and not there".to_owned()));
    }

    #[test]
    fn the_kinds_of_a_dependency_are_told_apart() {
        let json = r#"{"packages": [{"name": "a", "dependencies": [
            {"name": "b", "kind": null}, {"name": "c", "kind": "dev"}, {"name": "d", "kind": "build"}
        ]}]}"#;
        let graph = graph(json).unwrap();
        let set = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let needs = Needs {
            normal: set(&["b", "d"]),
            tests: set(&["c"]),
        };
        assert_eq!(graph, Graph::from([("a".to_owned(), needs)]));
        assert!(super::graph("{}").is_err());
    }
}

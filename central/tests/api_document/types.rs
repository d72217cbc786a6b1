//! The types of the pages of a terminal that are central's: made from the document, as far as a page
//! names them, so that a field which a page asks for and central does not tell is found.
//!
//! `BOULIER_WRITE_DOCS=1 cargo test --locked -p keno-central --test suite the_types_of_the_pages`
//! writes them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// How a page names a type: `import("../central.d.ts").WallReply`.
const NAMED: &str = "import(\"../central.d.ts\").";

fn pages() -> PathBuf {
    PathBuf::from("../terminal/src/serve/pages")
}

/// The types that the scripts of a folder name.
fn named_in(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            named_in(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "js") {
            let script = std::fs::read_to_string(&path).unwrap();
            for after in script.split(NAMED).skip(1) {
                let name = after.split(|sign: char| !sign.is_alphanumeric()).next();
                names.insert(name.unwrap().to_owned());
            }
        }
    }
}

/// A schema as a type; what else it names is put to the names.
fn type_of(schema: &Value, names: &mut BTreeSet<String>) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        names.insert(name.to_owned());
        return name.to_owned();
    }
    for (of, between) in [("oneOf", " | "), ("anyOf", " | "), ("allOf", " & ")] {
        if let Some(all) = schema[of].as_array() {
            let all: Vec<String> = all
                .iter()
                .filter(|one| one["type"] != "null")
                .map(|one| type_of(one, names))
                .collect();
            return all.join(between);
        }
    }
    if let Some(members) = schema["enum"].as_array() {
        let members: Vec<String> = members.iter().map(Value::to_string).collect();
        return members.join(" | ");
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null").unwrap(),
        kind => kind,
    };
    match kind.as_str() {
        Some("integer" | "number") => "number".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        Some("string") => "string".to_owned(),
        Some("array") => match type_of(&schema["items"], names) {
            of if of.contains(' ') => format!("({of})[]"),
            of => format!("{of}[]"),
        },
        Some("object") if schema["properties"].is_object() => {
            let fields = fields_of(schema.as_object().unwrap(), names);
            format!("{{\n{fields}}}")
        }
        _ => "unknown".to_owned(),
    }
}

/// The fields of an object, a line each, with what they mean.
fn fields_of(schema: &Map<String, Value>, names: &mut BTreeSet<String>) -> String {
    let mut text = String::new();
    let required = schema.get("required").and_then(Value::as_array);
    let is_there = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    for (name, field) in schema["properties"].as_object().unwrap() {
        let mark = if is_there(name) { "" } else { "?" };
        let kind = type_of(field, names);
        let said = match field["description"].as_str() {
            Some(said) => format!("/** {} */ ", said.replace('\n', " ")),
            None => String::new(),
        };
        writeln!(text, "  {said}{name}{mark}: {kind};").unwrap();
    }
    text
}

/// The types by their names, with what they are made of.
fn types(whole: &Value, names: BTreeSet<String>) -> String {
    let mut text = String::from(
        "// Made from the document of central's addresses by `api_document` of keno-central: what the\n\
         // pages here are told that is central's.\n",
    );
    let mut waiting = names.clone();
    let mut all = names;
    let mut made = Vec::new();
    while let Some(name) = waiting.pop_first() {
        let schema = &whole["components"]["schemas"][&name];
        assert!(schema.is_object(), "central knows no {name}");
        let mut also = BTreeSet::new();
        let kind = type_of(schema, &mut also);
        let said = schema["description"].as_str().unwrap_or_default();
        made.push((name, said.replace('\n', " "), kind));
        waiting.extend(also.into_iter().filter(|name| all.insert(name.clone())));
    }
    made.sort();
    for (name, said, kind) in made {
        if !said.is_empty() {
            write!(text, "\n/** {said} */").unwrap();
        }
        write!(text, "\nexport type {name} = {kind};\n").unwrap();
    }
    text
}

#[test]
fn the_types_of_the_pages_are_made_from_the_document() {
    let whole = keno_central::api::openapi::whole().unwrap();
    let mut names = BTreeSet::new();
    named_in(&pages(), &mut names);
    assert!(names.len() >= 4, "{names:?}");
    let made = types(&whole, names);
    let path = pages().join("central.d.ts");
    if std::env::var_os("BOULIER_WRITE_DOCS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, made, "write {} anew", path.display());
}

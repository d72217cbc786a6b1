//! Makes the catalogues into types: `fr.json` and `en.json` beside this file become one module an
//! area and one type a text, with a field a place. A text of one language only, or with other
//! places in the other, does not compile; nor does code that asks for a text or a place that is
//! not there, or leaves a place open.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

type Catalogue = BTreeMap<String, String>;

/// Areas that templates read by name: one table a language, with a field a text.
const TABLES: &[&str] = &["page"];

/// Areas whose texts are looked up by their key too: what is explained by its stable name.
const LOOKED_UP: &[&str] = &["door", "problem", "refusal", "slip", "trust"];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::var("CARGO_MANIFEST_DIR")?;
    let french = read(&folder, "fr.json")?;
    let english = read(&folder, "en.json")?;
    if let Some(key) = french.keys().find(|key| !english.contains_key(*key)) {
        return Err(format!("{key} is in fr.json and not in en.json").into());
    }
    let mut areas: BTreeMap<&str, String> = BTreeMap::new();
    let mut tables: BTreeMap<&str, (String, String, String)> = BTreeMap::new();
    let mut looked_up = String::new();
    for (key, en) in &english {
        let fr = french
            .get(key)
            .ok_or_else(|| format!("{key} is in en.json and not in fr.json"))?;
        let (area, name) = key
            .split_once('.')
            .ok_or_else(|| format!("{key} has no area before a point"))?;
        let told = |fault| format!("{key}: {fault}");
        if LOOKED_UP.contains(&area) {
            writeln!(looked_up, "{key:?} => ({fr:?}, {en:?}),")?;
        }
        if TABLES.contains(&area) {
            same_places(fr, en).map_err(told)?;
            let table = tables.entry(area).or_default();
            writeln!(table.0, "pub {name}: &'static str,")?;
            writeln!(table.1, "{name}: {fr:?},")?;
            writeln!(table.2, "{name}: {en:?},")?;
        } else {
            let code = text_as_code(name, fr, en).map_err(told)?;
            areas.entry(area).or_default().push_str(&code);
        }
    }
    for (area, (fields, fr, en)) in tables {
        let code = format!(
            "pub struct Words {{\n{fields}}}\npub const FR: Words = Words {{\n{fr}}};\n\
             pub const EN: Words = Words {{\n{en}}};\n"
        );
        areas.insert(area, code);
    }
    let mut code = String::new();
    for (area, texts) in areas {
        writeln!(
            code,
            "/// Texts of the area `{area}`.\n#[allow(missing_docs, clippy::single_char_add_str)]"
        )?;
        writeln!(code, "pub mod {area} {{\n{texts}}}")?;
    }
    writeln!(
        code,
        "/// A text by its key, with its places as they are written, in French and in English.\n\
         pub fn text(key: &str) -> Option<(&'static str, &'static str)> {{\n\
         Some(match key {{\n{looked_up}_ => return None,\n}})\n}}"
    )?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("words.rs"), code)?;
    Ok(())
}

/// The texts of one language by key; a key stands on a line of its own, once.
fn read(folder: &str, name: &str) -> Result<Catalogue, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={name}");
    let text = fs::read_to_string(Path::new(folder).join(name))?;
    let texts: Catalogue = serde_json::from_str(&text)?;
    let lines = text.lines().filter(|line| line.starts_with("  \"")).count();
    if lines != texts.len() {
        return Err(format!("{name} has {} keys in {lines} lines", texts.len()).into());
    }
    Ok(texts)
}

/// A text as a type that says it.
fn text_as_code(name: &str, fr: &str, en: &str) -> Result<String, Box<dyn Error>> {
    let places = same_places(fr, en)?;
    let (fr_parts, en_parts) = (parts(fr)?, parts(en)?);
    let kind = type_name(name);
    let mut code = String::from("#[derive(Clone, Copy)]\n");
    if places.is_empty() {
        let (fr, en) = (unbraced(fr), unbraced(en));
        writeln!(code, "pub struct {kind};\nimpl {kind} {{")?;
        writeln!(code, "pub const FR: &'static str = {fr:?};")?;
        writeln!(code, "pub const EN: &'static str = {en:?};\n}}")?;
        writeln!(code, "impl crate::Say for {kind} {{")?;
    } else {
        writeln!(code, "pub struct {kind}<'a> {{")?;
        for place in places {
            writeln!(code, "pub {place}: &'a dyn crate::Say,")?;
        }
        writeln!(code, "}}\nimpl crate::Say for {kind}<'_> {{")?;
    }
    writeln!(
        code,
        "fn say(&self, language: crate::Language, to: &mut String) {{"
    )?;
    writeln!(code, "match language {{")?;
    for (language, parts) in [("French", fr_parts), ("English", en_parts)] {
        writeln!(code, "crate::Language::{language} => {{")?;
        for part in parts {
            match part {
                Part::Text(text) => {
                    let mut signs = text.chars();
                    match (signs.next(), signs.next()) {
                        (Some(sign), None) => writeln!(code, "to.push({sign:?});")?,
                        _ => writeln!(code, "to.push_str({text:?});")?,
                    }
                }
                Part::Place(place) => {
                    writeln!(code, "crate::Say::say(self.{place}, language, to);")?
                }
            }
        }
        writeln!(code, "}}")?;
    }
    writeln!(code, "}}\n}}\n}}")?;
    Ok(code)
}

/// The places of a text, which are those of the other language.
fn same_places<'a>(fr: &'a str, en: &str) -> Result<BTreeSet<&'a str>, Box<dyn Error>> {
    let places = places_of(&parts(fr)?);
    if places != places_of(&parts(en)?) {
        return Err("the places of the two languages differ".into());
    }
    Ok(places)
}

enum Part<'a> {
    Text(String),
    Place(&'a str),
}

/// A text cut at its places. `{{` and `}}` are braces that are read.
fn parts(text: &str) -> Result<Vec<Part<'_>>, Box<dyn Error>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut literal = String::new();
    while let Some(at) = rest.find(['{', '}']) {
        literal.push_str(&rest[..at]);
        let from = &rest[at..];
        if from.starts_with("{{") || from.starts_with("}}") {
            literal.push_str(&from[..1]);
            rest = &from[2..];
            continue;
        }
        let (place, after) = from
            .strip_prefix('{')
            .and_then(|from| from.split_once('}'))
            .ok_or("a brace stands alone")?;
        if place.is_empty()
            || !place
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it == b'_')
        {
            return Err(format!("{{{place}}} is no name of a place").into());
        }
        found.push(Part::Text(std::mem::take(&mut literal)));
        found.push(Part::Place(place));
        rest = after;
    }
    literal.push_str(rest);
    found.push(Part::Text(literal));
    found.retain(|part| !matches!(part, Part::Text(text) if text.is_empty()));
    Ok(found)
}

fn places_of<'a>(parts: &[Part<'a>]) -> BTreeSet<&'a str> {
    let places = parts.iter().filter_map(|part| match part {
        Part::Place(place) => Some(*place),
        Part::Text(_) => None,
    });
    places.collect()
}

fn unbraced(text: &str) -> String {
    text.replace("{{", "{").replace("}}", "}")
}

/// `locked_out` as `LockedOut`.
fn type_name(name: &str) -> String {
    let mut kind = String::new();
    for word in name.split('_') {
        let (first, rest) = word.split_at(word.len().min(1));
        kind.push_str(&first.to_ascii_uppercase());
        kind.push_str(rest);
    }
    kind
}

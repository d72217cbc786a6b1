//! The replies that the document shows: what the examples were answered, shortened.
//!
//! `BOULIER_WRITE_DOCS=1 cargo test --locked -p keno-central --test suite every_example_succeeds`
//! writes them.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Map, Value};

/// A longer text is cut.
const SIGNS: usize = 48;

/// What is always in a reply, with one of each list: the others are alike.
pub fn shortened(document: &Value, schema: &Value, reply: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let named = document.pointer(reference.trim_start_matches('#')).unwrap();
        return shortened(document, named, reply);
    }
    match reply {
        Value::Array(all) => {
            let first = all.iter().take(1);
            first
                .map(|one| shortened(document, &schema["items"], one))
                .collect()
        }
        Value::Object(fields) => {
            let required = schema["required"].as_array();
            let is_always = |name: &str| match required {
                Some(all) => all.iter().any(|one| one == name),
                None => schema["properties"].is_null(),
            };
            let fields = fields.iter().filter(|(name, _)| is_always(name));
            fields
                .map(|(name, field)| {
                    let described = &schema["properties"][name];
                    (name.clone(), shortened(document, described, field))
                })
                .collect()
        }
        Value::String(text) if text.chars().count() > SIGNS && schema["enum"].is_null() => {
            let begins: String = text.chars().take(SIGNS - 1).collect();
            Value::String(format!("{begins}…"))
        }
        other => other.clone(),
    }
}

/// Replies by their operations.
#[derive(Debug, Default)]
pub struct Replies {
    given: Map<String, Value>,
    wrong: Vec<String>,
}

impl Replies {
    /// A reply that was given, and whether the one that is shown fits the description.
    pub fn given(&mut self, name: &str, reply: Value, shown: Result<(), String>) {
        self.given.insert(name.to_owned(), reply);
        self.wrong.extend(shown.err());
    }

    /// What is shown fits; the whole document is a reply too, which shows itself.
    pub fn hold(mut self) {
        self.given.remove("openapi");
        if std::env::var_os("BOULIER_WRITE_DOCS").is_some() {
            let path = Path::new("src/api/openapi/replies.json");
            let mut text = String::from("{");
            for (at, (name, reply)) in self.given.iter().enumerate() {
                let comma = if at == 0 { "" } else { "," };
                write!(text, "{comma}\n\"{name}\": {reply}").unwrap();
            }
            text.push_str("\n}\n");
            std::fs::write(path, text).unwrap();
        } else {
            assert_eq!(self.wrong, [] as [&str; 0], "write the replies anew");
        }
    }
}

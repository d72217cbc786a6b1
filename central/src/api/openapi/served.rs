//! The document as it is served: what every address has in common is said once, and nothing is said
//! that goes without saying. All of it, with every description, is what the types of the pages are
//! made from (`whole`).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// A description that is shorter than this says no more of a field than its name, its type and what
/// the head of the document says of names.
const SAYS_MORE: usize = 120;

/// Content types of bytes, as a pointer names them.
const BYTES: [&str; 2] = ["application~1pdf", "application~1octet-stream"];

const SCHEMAS: &str = "#/components/schemas/";

/// Every value of an object, whatever its name.
fn values(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    let fields = value.as_object_mut().into_iter().flatten();
    fields.map(|(_, field)| field)
}

/// Every operation of the document.
pub(super) fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    values(&mut document["paths"]).flat_map(values)
}

/// What is not there is left out, so that nothing is ever null: of a type and null, the type is left.
fn never_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_mut_slice() {
            let only = only.take();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(all)) = schema.get_mut("oneOf") {
        all.retain(|one| one["type"] != "null");
        if let [Value::Object(only)] = all.as_mut_slice() {
            let only = std::mem::take(only);
            schema.remove("oneOf");
            schema.extend(only);
        }
    }
}

/// A schema without what goes without saying.
fn plain(schema: &mut Value) {
    if let Some(fields) = schema.as_object_mut() {
        never_null(fields);
        // Every number is whole, and has 64 bits.
        if fields.get("type").is_some_and(|of| of == "integer") {
            fields.remove("format");
            fields.remove("minimum");
        }
        // What is not listed is refused, whatever is asked.
        fields.remove("additionalProperties");
        let description = fields.get("description").and_then(Value::as_str);
        if description.is_some_and(|text| text.len() < SAYS_MORE) {
            fields.remove("description");
        }
        for of_several in ["oneOf", "allOf", "anyOf"] {
            let all = fields.get_mut(of_several).and_then(Value::as_array_mut);
            all.into_iter().flatten().for_each(plain);
        }
        if let Some(items) = fields.get_mut("items") {
            plain(items);
        }
        if let Some(properties) = fields.get_mut("properties") {
            values(properties).for_each(plain);
        }
    }
}

/// The schema of a reply, where it is one that has a name.
fn reply_of(operation: &Value) -> Option<String> {
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    Some(schema["$ref"].as_str()?.strip_prefix(SCHEMAS)?.to_owned())
}

/// A reply of several operations is described once, by what its schema says of itself.
fn share_replies(document: &mut Value) {
    let mut of_reply: BTreeMap<String, usize> = BTreeMap::new();
    for reply in operations(document).filter_map(|operation| reply_of(operation)) {
        *of_reply.entry(reply).or_default() += 1;
    }
    of_reply.retain(|_, operations| *operations > 1);
    let mut shared = BTreeMap::new();
    for operation in operations(document) {
        if let Some(reply) = reply_of(operation).filter(|reply| of_reply.contains_key(reply)) {
            let reference = json!({"$ref": format!("#/components/responses/{reply}")});
            let described = std::mem::replace(&mut operation["responses"]["200"], reference);
            shared.insert(reply, described);
        }
    }
    for (reply, mut described) in shared {
        let schema = &document["components"]["schemas"][&reply];
        described["description"] = schema["description"].clone();
        document["components"]["responses"][&reply] = described;
    }
}

/// The schema that a reference names.
fn named(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.strip_prefix(SCHEMAS)
}

fn count(value: &Value, times: &mut BTreeMap<String, usize>) {
    if let Some(name) = named(value) {
        *times.entry(name.to_owned()).or_default() += 1;
    }
    match value {
        Value::Object(fields) => fields.values().for_each(|field| count(field, times)),
        Value::Array(items) => items.iter().for_each(|item| count(item, times)),
        _ => {}
    }
}

/// Puts each of these schemas where it is named.
fn unfold(value: &mut Value, schemas: &mut Map<String, Value>) {
    let schema = named(value).and_then(|name| schemas.remove(name));
    if let (Some(Value::Object(schema)), Some(fields)) = (schema, value.as_object_mut()) {
        fields.remove("$ref");
        fields.extend(schema);
    }
    match value {
        Value::Object(_) => values(value).for_each(|field| unfold(field, schemas)),
        Value::Array(items) => items.iter_mut().for_each(|item| unfold(item, schemas)),
        _ => {}
    }
}

/// What is named in one place alone stands there.
fn unfold_what_is_named_once(document: &mut Value) {
    let mut times = BTreeMap::new();
    count(document, &mut times);
    let mut once = Map::new();
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        for (name, schema) in std::mem::take(schemas) {
            let kept = match times.get(&name) {
                Some(1) => &mut once,
                _ => &mut *schemas,
            };
            kept.insert(name, schema);
        }
    }
    unfold(document, &mut once);
}

/// The document as it is served, from all that there is to say.
pub(super) fn served(mut document: Value) -> Value {
    share_replies(&mut document);
    for schema in values(&mut document["components"]["schemas"]) {
        if let Some(fields) = schema.as_object_mut() {
            fields.remove("description");
        }
        plain(schema);
    }
    for operation in operations(&mut document) {
        let parameters = operation
            .get_mut("parameters")
            .and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            plain(&mut parameter["schema"]);
        }
        // Bytes are what their content type says, and nothing that a schema could say.
        for content in BYTES {
            let of_reply = format!("/responses/200/content/{content}");
            if let Some(described) = operation.pointer_mut(&of_reply) {
                *described = json!({});
            }
        }
    }
    unfold_what_is_named_once(&mut document);
    document
}

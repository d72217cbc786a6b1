//! What a page is told once: a JSON object whose fields stand in the order in which they are written
//! where it is told, without a structure of its own.

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// Fields by their names, in their order.
#[derive(Debug, Default)]
pub(super) struct Object(Vec<(&'static str, Box<RawValue>)>);

impl Object {
    /// Adds a field. What cannot be written as JSON is left out, and the log says so.
    pub(super) fn add(&mut self, name: &'static str, value: &impl Serialize) {
        match to_raw_value(value) {
            Ok(value) => self.0.push((name, value)),
            Err(error) => tracing::error!(%error, name, "a field of an answer"),
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// An object of these fields.
macro_rules! object {
    ($($name:literal: $value:expr),* $(,)?) => {{
        #[allow(unused_mut)]
        let mut object = $crate::serve::object::Object::default();
        $(object.add($name, &$value);)*
        object
    }};
}
pub(super) use object;

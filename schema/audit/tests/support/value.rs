//! A fact as a tree of its declared fields, so that a table can name one and put another value there.

use keno_log::encode::{Declared, Field, Reader};
use keno_log::event::{CommandKey, ConditioningRecord, DamagedReading, PaidItem, SelectionRecord};
use keno_log::{Event, EventKind, Hash};

use super::table::Step;

/// A value of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Number(i128),
    Flag(bool),
    Text(String),
    Hash(Hash),
    Maybe(Option<Box<Value>>),
    List(Vec<Value>),
    Record(Vec<(&'static str, Value)>),
}

impl Value {
    /// What is in a field or at a place of a list.
    pub fn within(self, step: &Step) -> Self {
        let found = match (step, self) {
            (step, Self::Maybe(Some(value))) => Some(value.within(step)),
            (Step::Field(name), Self::Record(fields)) => {
                let mut fields = fields.into_iter();
                fields.find(|(field, _)| field == name).map(|it| it.1)
            }
            (Step::Item(place), Self::List(items)) => items.into_iter().nth(*place),
            _ => None,
        };
        found.unwrap_or_else(|| panic!("there is no {step:?}"))
    }
}

/// A type as it is declared.
pub type Kind = &'static str;

/// The fields of a record that stands inside bodies.
pub fn fields_of(record: Kind) -> &'static [Declared] {
    match record {
        "CommandKey" => CommandKey::FIELDS,
        "ConditioningRecord" => ConditioningRecord::FIELDS,
        "DamagedReading" => DamagedReading::FIELDS,
        "PaidItem" => PaidItem::FIELDS,
        "SelectionRecord" => SelectionRecord::FIELDS,
        other => panic!("no value is a {other}"),
    }
}

/// What is within a list or an optional field.
pub fn inner(kind: Kind) -> Kind {
    let (_, rest) = kind.split_once('<').unwrap();
    rest.strip_suffix('>').unwrap()
}

/// What a field holds where nothing is said of it.
pub fn nothing(kind: Kind) -> Value {
    match kind {
        "u8" | "u16" | "u32" | "u64" | "i64" => Value::Number(0),
        "bool" => Value::Flag(false),
        "String" => Value::Text(String::new()),
        "Hash" => Value::Hash([0; 32]),
        _ if kind.starts_with("Option<") => Value::Maybe(None),
        _ if kind.starts_with("Vec<") => Value::List(Vec::new()),
        _ => record_of(fields_of(kind)),
    }
}

/// A record of which nothing is said.
pub fn record_of(fields: &'static [Declared]) -> Value {
    let fields = fields.iter().map(|it| (it.name, nothing(it.kind)));
    Value::Record(fields.collect())
}

/// The body of an event.
pub fn of_event(event: &Event) -> Value {
    let bytes = event.encode();
    let mut reader = Reader::new(&bytes);
    let value = take_record(event.kind().fields(), &mut reader);
    reader.finish().unwrap();
    value
}

/// The event of such a body.
pub fn to_event(kind: EventKind, body: &Value) -> Event {
    let mut bytes = Vec::new();
    put_record(kind.fields(), body, &mut bytes);
    Event::decode(kind, &bytes).unwrap()
}

fn take_record(fields: &'static [Declared], reader: &mut Reader<'_>) -> Value {
    let fields = fields.iter().map(|it| {
        // What was added to a body stands at its end, or nowhere.
        let is_said = !it.is_added || reader.left() > 0;
        (
            it.name,
            if is_said {
                take(it.kind, reader)
            } else {
                nothing(it.kind)
            },
        )
    });
    Value::Record(fields.collect())
}

fn take(kind: Kind, reader: &mut Reader<'_>) -> Value {
    fn number<T: Field + Into<i128>>(reader: &mut Reader<'_>) -> Value {
        Value::Number(T::take(reader).unwrap().into())
    }
    match kind {
        "u8" => number::<u8>(reader),
        "u16" => number::<u16>(reader),
        "u32" => number::<u32>(reader),
        "u64" => number::<u64>(reader),
        "i64" => number::<i64>(reader),
        "bool" => Value::Flag(bool::take(reader).unwrap()),
        "String" => Value::Text(String::take(reader).unwrap()),
        "Hash" => Value::Hash(Hash::take(reader).unwrap()),
        _ if kind.starts_with("Option<") => {
            let is_there = bool::take(reader).unwrap();
            Value::Maybe(is_there.then(|| Box::new(take(inner(kind), reader))))
        }
        _ if kind.starts_with("Vec<") => {
            let count = u32::take(reader).unwrap();
            Value::List((0..count).map(|_| take(inner(kind), reader)).collect())
        }
        _ => take_record(fields_of(kind), reader),
    }
}

fn put_record(fields: &'static [Declared], body: &Value, out: &mut Vec<u8>) {
    let Value::Record(values) = body else {
        panic!("{body:?} is no record");
    };
    let said = fields.iter().zip(values);
    let is_nothing =
        |(field, (_, value)): &(&Declared, &(&str, Value))| *value == nothing(field.kind);
    let added = said.clone().filter(|(field, _)| field.is_added);
    let says_nothing = added.clone().all(|it| is_nothing(&it));
    for (field, (_, value)) in said {
        if !field.is_added || !says_nothing {
            put(field.kind, value, out);
        }
    }
}

fn put(kind: Kind, value: &Value, out: &mut Vec<u8>) {
    match (kind, value) {
        ("u8", Value::Number(number)) => u8::try_from(*number).unwrap().put(out),
        ("u16", Value::Number(number)) => u16::try_from(*number).unwrap().put(out),
        ("u32", Value::Number(number)) => u32::try_from(*number).unwrap().put(out),
        ("u64", Value::Number(number)) => u64::try_from(*number).unwrap().put(out),
        ("i64", Value::Number(number)) => i64::try_from(*number).unwrap().put(out),
        ("bool", Value::Flag(flag)) => flag.put(out),
        ("String", Value::Text(text)) => text.put(out),
        ("Hash", Value::Hash(hash)) => hash.put(out),
        (_, Value::Maybe(maybe)) => {
            maybe.is_some().put(out);
            if let Some(value) = maybe {
                put(inner(kind), value, out);
            }
        }
        (_, Value::List(items)) => {
            u32::try_from(items.len()).unwrap().put(out);
            for item in items {
                put(inner(kind), item, out);
            }
        }
        (_, Value::Record(_)) => put_record(fields_of(kind), value, out),
        _ => panic!("{value:?} is no {kind}"),
    }
}

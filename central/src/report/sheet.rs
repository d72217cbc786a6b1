//! A report before it is laid out: sections of facts, tables and sentences, each value with its
//! kind. Paper and CSV are both made from it, so that they cannot say different things.

use keno_log::Hash;
use keno_record::calendar::{Calendar, day_text};
use keno_wire::reply::Bilingual;
use keno_words::{Say, grouped};

use crate::pages::{self, Lang};

const NBSP: char = '\u{a0}';

/// A value with its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// An amount in cents.
    Money(i64),
    /// How many.
    Count(u64),
    /// A moment, UTC milliseconds.
    Moment(i64),
    /// A day, yyyymmdd.
    Day(u32),
    /// A draw number.
    Draw(u64),
    /// An index in the log.
    Leaf(u64),
    /// Numbers of the game, in the order given.
    Numbers(Vec<u8>),
    /// SHA-256, a commitment or a secret: 32 bytes.
    Hash(Hash),
    /// A control number of 16 digits.
    ControlNumber(String),
    /// A factor.
    Fraction(u64, u64),
    /// Text as recorded: the same in both languages.
    Text(String),
    /// Words of the report itself.
    Words(Bilingual),
    /// Nothing on record.
    Absent,
}

/// A moment in the zone of the house, to the second, with its offset from UTC: the night when
/// the hour repeats stays unambiguous.
fn moment(calendar: Calendar, at_ms: i64) -> String {
    calendar
        .local(at_ms)
        .format("%Y-%m-%d %H:%M:%S%.3f %:z")
        .to_string()
}

/// Numbers of the game, each with two digits.
pub fn numbers(list: &[u8]) -> String {
    let each: Vec<String> = list.iter().map(|number| format!("{number:02}")).collect();
    each.join(" ")
}

impl Value {
    /// As paper says it.
    pub fn text(&self, lang: Lang, calendar: Calendar) -> String {
        match self {
            Self::Money(cents) => pages::money(*cents, lang),
            Self::Count(count) => match lang {
                Lang::Fr => grouped(&count.to_string(), NBSP),
                Lang::En => grouped(&count.to_string(), ','),
            },
            Self::Moment(at_ms) => moment(calendar, *at_ms),
            Self::Day(day) => pages::date(&day_text(*day), lang),
            Self::Draw(draw) => pages::draw_number(*draw),
            Self::Leaf(leaf) => leaf.to_string(),
            Self::Numbers(list) => numbers(list),
            Self::Hash(hash) => hex::encode(hash),
            Self::ControlNumber(digits) => pages::control_number(digits),
            Self::Fraction(numerator, denominator) => format!("{numerator}/{denominator}"),
            Self::Text(text) => text.clone(),
            Self::Words(words) => lang.of(words).to_owned(),
            Self::Absent => "–".to_owned(),
        }
    }

    /// As a program reads it, with its unit: money in dollars with a point, times as ISO 8601.
    pub fn plain(&self, calendar: Calendar) -> (String, &'static str) {
        match self {
            Self::Money(cents) => {
                let sign = if *cents < 0 { "-" } else { "" };
                let magnitude = cents.unsigned_abs();
                (
                    format!("{sign}{}.{:02}", magnitude / 100, magnitude % 100),
                    "CAD",
                )
            }
            Self::Count(count) => (count.to_string(), "count"),
            Self::Moment(at_ms) => (
                calendar
                    .local(*at_ms)
                    .format("%Y-%m-%dT%H:%M:%S%.3f%:z")
                    .to_string(),
                "time",
            ),
            Self::Day(day) => (day_text(*day), "day"),
            Self::Draw(draw) => (draw.to_string(), "draw"),
            Self::Leaf(leaf) => (leaf.to_string(), "leaf"),
            Self::Numbers(list) => (numbers(list), "numbers"),
            Self::Hash(hash) => (hex::encode(hash), "hex"),
            // Grouped: as one number a spreadsheet would keep 15 of its 16 digits.
            Self::ControlNumber(digits) => (
                pages::control_number(digits).replace(NBSP, " "),
                "control_number",
            ),
            // A bare a/b would become a date in a spreadsheet.
            Self::Fraction(numerator, denominator) => {
                (format!("{numerator} / {denominator}"), "fraction")
            }
            Self::Text(text) => (text.clone(), "text"),
            Self::Words(words) => (format!("{} | {}", words.fr, words.en), "text"),
            Self::Absent => (String::new(), "absent"),
        }
    }

    /// True for what is written flush right.
    pub fn is_figure(&self) -> bool {
        matches!(
            self,
            Self::Money(_) | Self::Count(_) | Self::Leaf(_) | Self::Draw(_)
        )
    }

    /// Words of the catalogue.
    pub fn said(words: &dyn Say) -> Self {
        Self::Words(Bilingual::of(words))
    }

    /// A moment, UTC milliseconds, or that there was none.
    pub fn moment(at_ms: Option<i64>) -> Self {
        at_ms.map(Self::Moment).into()
    }

    /// Text, or nothing on record when it is empty.
    pub fn text_or_absent(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            Self::Absent
        } else {
            Self::Text(text)
        }
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Into::into)
    }
}

impl From<Bilingual> for Value {
    fn from(words: Bilingual) -> Self {
        Self::Words(words)
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Stable name, for CSV.
    pub name: &'static str,
    /// Heading.
    pub label: Bilingual,
}

/// A column of a table about things of one kind: its stable name, its heading, and what stands in
/// it of each of them.
pub type ColumnOf<'a, T> = (&'static str, &'a dyn Say, &'a dyn Fn(&T) -> Value);

/// Adds facts to a section, a line each: its stable name, what it is (of the words of reports), and
/// the fact.
macro_rules! rows {
    ($section:ident: $($name:literal $label:tt: $value:expr,)*) => {
        $($section.fact($name, $crate::report::sheet::label!($label), $value);)*
    };
}

/// The columns of a table, a line each: its stable name, its heading, and what stands in it.
macro_rules! columns {
    ($($name:literal $label:tt: $value:expr,)*) => {
        &[$(($name, $crate::report::sheet::label!($label), &$value)),*]
    };
}

/// Words of reports by their name, or a text that is the same in both languages.
macro_rules! label {
    ($text:literal) => {
        &$text
    };
    ($name:ident) => {
        &keno_words::report::$name
    };
}

pub(super) use {columns, label, rows};

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A fact.
    Fact {
        /// Stable name, for CSV.
        name: &'static str,
        /// What it is.
        label: Bilingual,
        /// The fact.
        value: Value,
        /// A figure that the eye should find.
        strong: bool,
    },
    /// A table.
    Table {
        /// Columns.
        columns: Vec<Column>,
        /// Rows, each as long as the columns.
        rows: Vec<Vec<Value>>,
    },
    /// A paragraph.
    Note(Bilingual),
    /// Lines of text to be kept as they are, such as a signed note.
    Verbatim {
        /// Stable name, for CSV.
        name: &'static str,
        /// What it is.
        label: Bilingual,
        /// The lines.
        lines: Vec<String>,
    },
    /// Lines to sign on.
    Signatures(Vec<Bilingual>),
}

/// A section of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Stable name, for CSV.
    pub name: &'static str,
    /// Heading.
    pub title: Bilingual,
    /// Parts.
    pub blocks: Vec<Block>,
}

impl Section {
    /// A section with nothing in it.
    pub fn new(name: &'static str, title: &dyn Say) -> Self {
        Self {
            name,
            title: Bilingual::of(title),
            blocks: Vec::new(),
        }
    }

    /// Adds a fact.
    pub fn fact(&mut self, name: &'static str, label: &dyn Say, value: impl Into<Value>) {
        self.blocks.push(Block::Fact {
            name,
            label: Bilingual::of(label),
            value: value.into(),
            strong: false,
        });
    }

    /// Adds a figure that the eye should find.
    pub fn total(&mut self, name: &'static str, label: &dyn Say, value: Value) {
        self.blocks.push(Block::Fact {
            name,
            label: Bilingual::of(label),
            value,
            strong: true,
        });
    }

    /// Adds a table with a row for each thing, or words in its place when there is none.
    pub fn table<T>(&mut self, things: &[T], columns: &[ColumnOf<'_, T>], none: &dyn Say) {
        if things.is_empty() {
            return self.note(none);
        }
        let column = |(name, label, _): &ColumnOf<'_, T>| Column {
            name,
            label: Bilingual::of(*label),
        };
        let row = |thing| columns.iter().map(|(_, _, value)| value(thing)).collect();
        self.blocks.push(Block::Table {
            columns: columns.iter().map(column).collect(),
            rows: things.iter().map(row).collect(),
        });
    }

    /// Adds lines to sign on.
    pub fn signatures(&mut self, who: &[&dyn Say]) {
        let who = who.iter().map(|words| Bilingual::of(*words)).collect();
        self.blocks.push(Block::Signatures(who));
    }

    /// Adds a paragraph.
    pub fn note(&mut self, words: &dyn Say) {
        self.blocks.push(Block::Note(Bilingual::of(words)));
    }
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// What it is.
    pub title: Bilingual,
    /// Name of the house.
    pub house: String,
    /// When it was made, UTC milliseconds.
    pub made_at_ms: i64,
    /// Zone of the house.
    pub calendar: Calendar,
    /// Sections in order.
    pub sections: Vec<Section>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_paper_and_as_a_program_reads_them() {
        let calendar = Calendar::new("America/Toronto").unwrap();
        for (value, fr, en, plain) in [
            (
                Value::Money(-123_456),
                "−1 234,56 $",
                "−$1,234.56",
                "-1234.56",
            ),
            (Value::Money(5), "0,05 $", "$0.05", "0.05"),
            (Value::Count(12_345), "12 345", "12,345", "12345"),
            (Value::Numbers(vec![7, 80]), "07 80", "07 80", "07 80"),
            (
                Value::ControlNumber("0731552890146663".to_owned()),
                "0731 5528 9014 6663",
                "0731 5528 9014 6663",
                "0731 5528 9014 6663",
            ),
            (
                Value::Moment(1_795_194_000_000),
                "2026-11-20 12:00:00.000 -05:00",
                "2026-11-20 12:00:00.000 -05:00",
                "2026-11-20T12:00:00.000-05:00",
            ),
        ] {
            let text = |lang| value.text(lang, calendar).replace(NBSP, " ");
            assert_eq!((text(Lang::Fr).as_str(), text(Lang::En).as_str()), (fr, en));
            assert_eq!(value.plain(calendar).0, plain);
        }
    }
}

//! The walk over a document: values by key, gaps for what cannot be read, faults for all of it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use keno_words::{Say, file_fault};
use toml::de::{DeTable, DeValue};

use crate::signs::is_hidden;

use super::{FAULTS_MAX, FileFault, FormFault, Lines, Words, quoted, shortened};

/// A table of the document. One that is absent or no table has been reported: reading from it
/// gives gaps and no further faults.
#[derive(Clone)]
pub struct Section<'a> {
    place: String,
    table: Option<&'a DeTable<'a>>,
}

impl<'a> Section<'a> {
    /// Where it stands.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The place of one of its keys.
    pub fn at(&self, key: &str) -> String {
        let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let key = if !key.is_empty() && key.bytes().all(is_bare) {
            key.to_owned()
        } else {
            quoted(key)
        };
        if self.place.is_empty() {
            key
        } else {
            format!("{}.{key}", self.place)
        }
    }

    /// Whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Its keys and values.
    pub fn entries(&self) -> impl Iterator<Item = (&'a str, &'a DeValue<'a>)> + use<'a> {
        self.table
            .into_iter()
            .flat_map(|table| table.iter())
            .map(|(key, value)| (key.get_ref().as_ref(), value.get_ref()))
    }

    fn get(&self, key: &str) -> Option<&'a DeValue<'a>> {
        self.table?.get(key).map(|value| value.get_ref())
    }
}

/// The types of TOML that the files use.
#[derive(Clone, Copy)]
enum Wanted {
    Text,
    Number,
    Flag,
    List,
    Table,
}

/// A type in words.
fn type_words(name: &str) -> &'static dyn Say {
    match name {
        "string" => &file_fault::TypeText,
        "integer" => &file_fault::TypeWholeNumber,
        "float" => &file_fault::TypeNumber,
        "boolean" => &file_fault::TypeFlag,
        "datetime" => &file_fault::TypeTime,
        "array" => &file_fault::TypeList,
        "table" => &file_fault::TypeTable,
        _ => &file_fault::TypeOther,
    }
}

impl Wanted {
    fn words(self) -> &'static dyn Say {
        type_words(match self {
            Self::Text => "string",
            Self::Number => "integer",
            Self::Flag => "boolean",
            Self::List => "array",
            Self::Table => "table",
        })
    }
}

/// Reads values and collects faults.
pub struct Reader<Kind> {
    /// The line of each key and each element of a list.
    lines: BTreeMap<String, usize>,
    /// Where a text has a sign that nobody sees.
    hidden: Vec<String>,
    faults: Vec<FileFault<Kind>>,
}

impl<Kind: From<FormFault>> Reader<Kind> {
    /// A reader for the document of this text, and the document's root.
    pub fn new<'a>(text: &str, document: &'a DeTable<'a>) -> (Self, Section<'a>) {
        let mut reader = Self {
            lines: BTreeMap::new(),
            hidden: Vec::new(),
            faults: Vec::new(),
        };
        let root = Section {
            place: String::new(),
            table: Some(document),
        };
        reader.note_lines(&Lines::of(text), &root);
        (reader, root)
    }

    fn note_lines<'a>(&mut self, lines: &Lines, section: &Section<'a>) {
        let Some(table) = section.table else { return };
        for (key, value) in table {
            let place = section.at(key.get_ref());
            self.lines
                .insert(place.clone(), lines.line(key.span().start));
            self.note_lines_within(lines, place, value.get_ref());
        }
    }

    fn note_lines_within<'a>(&mut self, lines: &Lines, place: String, value: &'a DeValue<'a>) {
        match value {
            DeValue::Table(table) => {
                let table = Some(table);
                self.note_lines(lines, &Section { place, table });
            }
            DeValue::Array(array) => {
                for (index, element) in array.iter().enumerate() {
                    let place = format!("{place}[{index}]");
                    self.lines
                        .insert(place.clone(), lines.line(element.span().start));
                    self.note_lines_within(lines, place, element.get_ref());
                }
            }
            DeValue::String(text) if text.chars().any(is_hidden) => self.hidden.push(place),
            _ => {}
        }
    }

    /// Where a text has a sign that nobody sees.
    pub fn hidden(&self) -> &[String] {
        &self.hidden
    }

    /// The line of a place, or of the nearest thing around it.
    pub fn line_of(&self, place: &str) -> usize {
        let mut around = place;
        loop {
            if let Some(line) = self.lines.get(around) {
                return *line;
            }
            match around.rfind(['.', '[']) {
                Some(end) => around = around.get(..end).unwrap_or_default(),
                None => return 1,
            }
        }
    }

    /// Reports a fault at a place. One beyond those that are told is kept, and no further ones.
    pub fn fault(&mut self, place: &str, kind: impl Into<Kind>, detail: Words) {
        if self.faults.len() > FAULTS_MAX {
            return;
        }
        self.faults.push(FileFault {
            line: self.line_of(place),
            place: place.to_owned(),
            kind: kind.into(),
            detail,
        });
    }

    /// What was reported so far.
    pub fn faults(&self) -> &[FileFault<Kind>] {
        &self.faults
    }

    /// What was reported, by line; no more than [`FAULTS_MAX`].
    pub fn into_faults(mut self) -> Vec<FileFault<Kind>> {
        self.faults.sort_by_key(|fault| fault.line);
        shortened(self.faults)
    }

    /// Whether the file may be read on: `false` if it says that it is of another format than
    /// `known`, whose keys nobody here knows.
    pub fn format_is_known(&mut self, root: &Section<'_>, known: i64) -> bool {
        let format: Option<i64> = self.number(root, "format", i64::MIN..=i64::MAX);
        let detail = match format {
            Some(found) if found < known => Words::of(&file_fault::FormatEarlier {
                found: &found,
                known: &known,
            }),
            Some(found) if found > known => Words::of(&file_fault::FormatLater {
                found: &found,
                known: &known,
            }),
            _ => return true,
        };
        self.fault("format", FormFault::FormatUnknown, detail);
        false
    }

    /// Reports every key that is not one of these.
    pub fn only(&mut self, section: &Section<'_>, known: &[&str]) {
        for (key, _) in section.entries() {
            if !known.contains(&key) {
                let detail = Words::of(&file_fault::KeyUnknown {
                    known: &known.join(", "),
                });
                self.fault(&section.at(key), FormFault::KeyUnknown, detail);
            }
        }
    }

    fn required<'a>(&mut self, section: &Section<'a>, key: &str) -> Option<&'a DeValue<'a>> {
        let value = section.get(key);
        if value.is_none() && section.table.is_some() {
            let detail = Words::of(&file_fault::KeyMissing);
            self.fault(&section.at(key), FormFault::KeyMissing, detail);
        }
        value
    }

    fn type_wrong(&mut self, place: &str, wanted: Wanted, found: &DeValue<'_>) {
        let wanted = &wanted.words();
        let found = &type_words(found.type_str());
        let detail = Words::of(&file_fault::TypeWrong { wanted, found });
        self.fault(place, FormFault::TypeWrong, detail);
    }

    /// The table of a key, with none but these keys.
    pub fn section<'a>(&mut self, parent: &Section<'a>, key: &str, known: &[&str]) -> Section<'a> {
        let section = self.open_section(parent, key);
        self.only(&section, known);
        section
    }

    /// The table of a key, whose keys are for the caller to judge.
    pub fn open_section<'a>(&mut self, parent: &Section<'a>, key: &str) -> Section<'a> {
        let value = self.required(parent, key);
        let place = parent.at(key);
        match value {
            Some(value) => self.section_of(place, value),
            None => Section { place, table: None },
        }
    }

    /// A value that must be a table.
    pub fn section_of<'a>(&mut self, place: String, value: &'a DeValue<'a>) -> Section<'a> {
        let table = value.as_table();
        if table.is_none() {
            self.type_wrong(&place, Wanted::Table, value);
        }
        Section { place, table }
    }

    /// The tables of a list, with none but these keys; an absent list has none.
    pub fn sections<'a>(
        &mut self,
        parent: &Section<'a>,
        key: &str,
        known: &[&str],
    ) -> Vec<Section<'a>> {
        let elements = if parent.has(key) {
            self.elements(parent, key)
        } else {
            Vec::new()
        };
        elements
            .into_iter()
            .map(|(place, value)| {
                let section = self.section_of(place, value);
                self.only(&section, known);
                section
            })
            .collect()
    }

    fn elements<'a>(&mut self, section: &Section<'a>, key: &str) -> Vec<(String, &'a DeValue<'a>)> {
        let Some(value) = self.required(section, key) else {
            return Vec::new();
        };
        let place = section.at(key);
        let Some(array) = value.as_array() else {
            self.type_wrong(&place, Wanted::List, value);
            return Vec::new();
        };
        array
            .iter()
            .enumerate()
            .map(|(index, element)| (format!("{place}[{index}]"), element.get_ref()))
            .collect()
    }

    /// The texts of a list, each with its place.
    pub fn texts<'a>(&mut self, section: &Section<'a>, key: &str) -> Vec<(String, &'a str)> {
        self.elements(section, key)
            .into_iter()
            .filter_map(|(place, value)| {
                let text = self.text_of(&place, value)?;
                Some((place, text))
            })
            .collect()
    }

    /// The text of a key.
    pub fn text<'a>(&mut self, section: &Section<'a>, key: &str) -> Option<&'a str> {
        let value = self.required(section, key)?;
        self.text_of(&section.at(key), value)
    }

    /// A value that must be a text.
    pub fn text_of<'a>(&mut self, place: &str, value: &'a DeValue<'a>) -> Option<&'a str> {
        let text = value.as_str();
        if text.is_none() {
            self.type_wrong(place, Wanted::Text, value);
        }
        text
    }

    /// The flag of a key.
    pub fn flag(&mut self, section: &Section<'_>, key: &str) -> Option<bool> {
        let value = self.required(section, key)?;
        let flag = value.as_bool();
        if flag.is_none() {
            self.type_wrong(&section.at(key), Wanted::Flag, value);
        }
        flag
    }

    /// The whole number of a key, within bounds that `Number` can hold.
    pub fn number<Number: TryFrom<i64>>(
        &mut self,
        section: &Section<'_>,
        key: &str,
        bounds: RangeInclusive<i64>,
    ) -> Option<Number> {
        let value = self.required(section, key)?;
        let Some(integer) = value.as_integer() else {
            self.type_wrong(&section.at(key), Wanted::Number, value);
            return None;
        };
        let number = i64::from_str_radix(integer.as_str(), integer.radix())
            .ok()
            .filter(|number| bounds.contains(number))
            .and_then(|number| Number::try_from(number).ok());
        if number.is_none() {
            let (min, max) = (bounds.start(), bounds.end());
            let detail = Words::of(&file_fault::NumberOutOfRange {
                max: &max,
                min: &min,
            });
            self.fault(&section.at(key), FormFault::NumberOutOfRange, detail);
        }
        number
    }

    /// What the word of a key stands for.
    pub fn choice<Choice: Copy>(
        &mut self,
        section: &Section<'_>,
        key: &str,
        choices: &[(&str, Choice)],
    ) -> Option<Choice> {
        let word = self.text(section, key)?;
        self.choice_of(&section.at(key), word, choices)
    }

    /// What a word stands for.
    pub fn choice_of<Choice: Copy>(
        &mut self,
        place: &str,
        word: &str,
        choices: &[(&str, Choice)],
    ) -> Option<Choice> {
        let found = choices.iter().find(|(name, _)| *name == word);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let (names, word) = (names.join(", "), quoted(word));
            let detail = Words::of(&file_fault::ChoiceUnknown {
                names: &names,
                word: &word,
            });
            self.fault(place, FormFault::ChoiceUnknown, detail);
        }
        found.map(|(_, choice)| *choice)
    }
}

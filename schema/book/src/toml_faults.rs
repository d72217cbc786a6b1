//! Reading a TOML file of the house by hand: every fault is found, each with its line, its key
//! and a sentence in both languages.
//!
//! Serde stops at the first fault and speaks of Rust types; a person who edits a rule book wants
//! all of them at once, and where. So the document is walked key by key. A value that cannot be
//! read leaves a gap (`None`), and the walk goes on.

mod reader;

use std::fmt;

use keno_words::{Language, Say, file_fault};
use toml::de::DeTable;

pub use reader::{Reader, Section};

/// Longest file that is read, in bytes: a log holds every rule book for ever, and an export of it
/// must stay one that can be read.
pub const BYTES_MAX: usize = 1024 * 1024;

/// Most faults that are told of one file. The last of so many says that there are more.
pub const FAULTS_MAX: usize = 50;

/// One fault of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFault<Kind> {
    /// From 1: the line of the key, or of the table that lacks it.
    pub line: usize,
    /// The key as the file names it, such as `game[0].pays.5`; empty if the text is no TOML.
    pub place: String,
    /// What.
    pub kind: Kind,
    /// What exactly, with its figures.
    pub detail: Words,
}

/// The same words in both languages, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// In French.
    pub fr: String,
    /// In English.
    pub en: String,
}

impl Words {
    /// The same words in both languages.
    pub fn new(fr: impl Into<String>, en: impl Into<String>) -> Self {
        Self {
            fr: fr.into(),
            en: en.into(),
        }
    }

    /// Words of the catalogue.
    pub fn of(words: &dyn Say) -> Self {
        Self::new(words.fr(), words.en())
    }
}

/// `line 14: cap.per_draw: the key is missing.`
impl<Kind> Say for FileFault<Kind> {
    fn say(&self, language: Language, to: &mut String) {
        let (line, detail) = (&self.line, &self.detail);
        if self.place.is_empty() {
            file_fault::InLine { line, detail }.say(language, to);
        } else {
            let place = &self.place;
            file_fault::AtPlace {
                line,
                place,
                detail,
            }
            .say(language, to);
        }
    }
}

impl Say for Words {
    fn say(&self, language: Language, to: &mut String) {
        to.push_str(match language {
            Language::French => &self.fr,
            Language::English => &self.en,
        });
    }
}

impl<Kind> fmt::Display for FileFault<Kind> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.en())
    }
}

impl<Kind: fmt::Debug> std::error::Error for FileFault<Kind> {}

keno_game::named! {
    /// What can be wrong with the form of any of the files. Closed.
    FormFault {
        /// The file is longer than any that is read.
        FileTooLong "file_too_long",
        /// The file is not UTF-8.
        NotText "not_text",
        /// There are more faults than are told.
        FaultsBeyond "faults_beyond",
        /// The text is not TOML.
        TomlMalformed "toml_malformed",
        /// A key or a table is given twice.
        KeyRepeated "key_repeated",
        /// The file is of a format that this program does not know.
        FormatUnknown "format_unknown",
        /// The format has no such key.
        KeyUnknown "key_unknown",
        /// A key that the format asks for is absent.
        KeyMissing "key_missing",
        /// A number where a text belongs, and the like.
        TypeWrong "type_wrong",
        /// A whole number outside its bounds.
        NumberOutOfRange "number_out_of_range",
        /// A word that is not one of those permitted.
        ChoiceUnknown "choice_unknown",
    }
}

/// A value as it may be quoted in a sentence: escaped, and cut if it is long.
pub fn quoted(value: &str) -> String {
    const SHOWN_MAX: usize = 40;
    let mut shown: String = value.chars().take(SHOWN_MAX).collect();
    if value.chars().nth(SHOWN_MAX).is_some() {
        shown.push('…');
    }
    format!("{shown:?}")
}

/// Where the lines of a text start.
struct Lines {
    breaks: Vec<usize>,
    count: usize,
}

impl Lines {
    fn of(text: &str) -> Self {
        Self {
            breaks: text.match_indices('\n').map(|(offset, _)| offset).collect(),
            count: text.lines().count().max(1),
        }
    }

    /// The line of a byte, from 1; the end of the text belongs to its last line.
    fn line(&self, offset: usize) -> usize {
        let before = self
            .breaks
            .partition_point(|line_break| *line_break < offset);
        (before + 1).min(self.count)
    }
}

/// A fault that is of no key.
fn of_file<Kind: From<FormFault>>(line: usize, kind: FormFault, detail: Words) -> FileFault<Kind> {
    FileFault {
        line,
        place: String::new(),
        kind: kind.into(),
        detail,
    }
}

/// The first faults of many, by line; the last place says that there are more.
fn shortened<Kind: From<FormFault>>(mut faults: Vec<FileFault<Kind>>) -> Vec<FileFault<Kind>> {
    if faults.len() > FAULTS_MAX {
        faults.truncate(FAULTS_MAX - 1);
        let line = faults.last().map_or(1, |fault| fault.line);
        let detail = Words::of(&file_fault::FaultsBeyond);
        faults.push(of_file(line, FormFault::FaultsBeyond, detail));
    }
    faults
}

fn must_not_be_too_long<Kind: From<FormFault>>(bytes: usize) -> Result<(), Vec<FileFault<Kind>>> {
    if bytes <= BYTES_MAX {
        return Ok(());
    }
    let detail = Words::of(&file_fault::FileTooLong {
        bytes_max: &BYTES_MAX,
    });
    Err(vec![of_file(1, FormFault::FileTooLong, detail)])
}

/// The text of a file's bytes. Whoever reads a file need not read more than [`BYTES_MAX`] bytes and
/// one of it.
///
/// # Errors
/// One fault, for bytes that are too many, or the line of the first that are not UTF-8.
pub fn text_of<Kind: From<FormFault>>(bytes: &[u8]) -> Result<&str, Vec<FileFault<Kind>>> {
    must_not_be_too_long(bytes.len())?;
    std::str::from_utf8(bytes).map_err(|fault| {
        let before = bytes.get(..fault.valid_up_to()).unwrap_or_default();
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let detail = Words::of(&file_fault::NotText);
        vec![of_file(line, FormFault::NotText, detail)]
    })
}

/// The document of a text.
///
/// # Errors
/// A text that is too long. Each line at which the text is no TOML. Nothing else is judged then: what a broken document
/// seems to say is a guess.
pub fn parse<Kind: From<FormFault>>(text: &str) -> Result<DeTable<'_>, Vec<FileFault<Kind>>> {
    must_not_be_too_long(text.len())?;
    let (document, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return Ok(document.into_inner());
    }
    let lines = Lines::of(text);
    let mut faults: Vec<FileFault<Kind>> = errors
        .iter()
        .map(|error| {
            let reason = error.message();
            let (kind, detail) = if reason == "duplicate key" {
                (FormFault::KeyRepeated, Words::of(&file_fault::KeyRepeated))
            } else {
                (
                    FormFault::TomlMalformed,
                    // The reader's reason is in English alone.
                    Words::new(
                        file_fault::TomlMalformed::FR,
                        format!("{} ({reason})", file_fault::TomlMalformed::EN),
                    ),
                )
            };
            FileFault {
                line: lines.line(error.span().map_or(0, |span| span.start)),
                place: String::new(),
                kind: kind.into(),
                detail,
            }
        })
        .collect();
    // One slip of the pen often makes several errors on its line; the first names it.
    faults.sort_by_key(|fault| fault.line);
    faults.dedup_by_key(|fault| fault.line);
    Err(shortened(faults))
}

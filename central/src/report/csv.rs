//! A report as CSV: UTF-8, RFC 4180, one row for each value, the same columns in every report.
//!
//! A text that a spreadsheet would run as a formula is preceded by an apostrophe. Amounts and
//! counts are numbers made here, and stay as they are.

use keno_record::calendar::Calendar;
use keno_wire::reply::Bilingual;

use super::sheet::{Block, Section, Sheet, Value, rows};

/// The columns.
pub const HEADER: &str = "section,row,field,label_fr,label_en,value,unit";

/// A text made safe for spreadsheets.
fn guarded(text: &str) -> String {
    // Leading spaces do not keep a spreadsheet from seeing a formula.
    let starts_a_formula = text
        .trim_start_matches(' ')
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if starts_a_formula {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// A cell of RFC 4180. A space at either end is quoted too, since some programs drop it: that is
/// why the crate `csv`, which quotes only what it must, does not write these files.
fn cell(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

struct Rows {
    out: String,
    calendar: Calendar,
}

impl Rows {
    fn put(&mut self, at: (&str, usize, &str), label: &Bilingual, value: &Value) {
        let (section, row, field) = at;
        let (text, unit) = value.plain(self.calendar);
        let text = match value {
            Value::Text(_) | Value::Words(_) => guarded(&text),
            _ => text,
        };
        let (fr, en) = (guarded(&label.fr), guarded(&label.en));
        let cells = [section, &row.to_string(), field, &fr, &en, &text, unit];
        self.out.push_str(&cells.map(cell).join(","));
        self.out.push_str("\r\n");
    }
}

/// The report as CSV.
pub fn csv(sheet: &Sheet) -> String {
    let mut rows = Rows {
        out: format!("{HEADER}\r\n"),
        calendar: sheet.calendar,
    };
    let mut head = Section::new("report", &"");
    rows! { head:
        "title" Report: Value::Words(sheet.title.clone()),
        "house" House: Value::Text(sheet.house.clone()),
        "made_at" MadeAt: Value::Moment(sheet.made_at_ms),
    }
    for section in std::iter::once(&head).chain(&sheet.sections) {
        for block in &section.blocks {
            match block {
                Block::Fact {
                    name, label, value, ..
                } => rows.put((section.name, 0, name), label, value),
                Block::Table {
                    columns,
                    rows: lines,
                } => {
                    for (line, number) in lines.iter().zip(1..) {
                        for (column, value) in columns.iter().zip(line) {
                            rows.put((section.name, number, column.name), &column.label, value);
                        }
                    }
                }
                Block::Verbatim { name, label, lines } => {
                    for (line, number) in lines.iter().zip(1..) {
                        let value = Value::Text(line.clone());
                        rows.put((section.name, number, name), label, &value);
                    }
                }
                // Sentences and lines to sign on are for paper.
                Block::Note(_) | Block::Signatures(_) => {}
            }
        }
    }
    rows.out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(value: Value) -> String {
        let mut section = Section::new("s", &"S");
        section.fact("f", &Bilingual::new("é", "e"), value);
        let sheet = Sheet {
            title: Bilingual::new("t", "t"),
            house: "h".to_owned(),
            made_at_ms: 0,
            calendar: Calendar::new("America/Toronto").unwrap(),
            sections: vec![section],
        };
        let text = csv(&sheet);
        assert!(text.ends_with("\r\n"));
        text.trim_end().rsplit("\r\n").next().unwrap().to_owned()
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_text() {
        for formula in ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "＝1"] {
            let line = line_of(Value::Text(formula.to_owned()));
            let value = line
                .strip_prefix("s,0,f,é,e,")
                .unwrap()
                .trim_start_matches('"');
            assert!(value.starts_with('\''), "{line}");
        }
        assert_eq!(line_of(Value::Text("a=1".to_owned())), "s,0,f,é,e,a=1,text");
        assert_eq!(line_of(Value::Money(-5)), "s,0,f,é,e,-0.05,CAD");
    }

    #[test]
    fn quotes_commas_and_ends_of_lines_stay_in_their_cell() {
        let line = line_of(Value::Text("a \"b\", c".to_owned()));
        assert_eq!(line, "s,0,f,é,e,\"a \"\"b\"\", c\",text");
    }
}

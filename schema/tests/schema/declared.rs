//! What `tables.rs` declares, read from its text: diesel keeps no names at run time.

/// A column: name, diesel's type, whether it may be null.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    pub name: String,
    pub kind: String,
    pub nullable: bool,
}

/// A table with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    pub key: Vec<String>,
    pub columns: Vec<Column>,
}

/// Every declared table, in the order of the file.
pub fn tables() -> Vec<Table> {
    read(include_str!("../../src/tables.rs"))
}

fn read(text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for line in text.lines().map(str::trim) {
        let head = line
            .strip_suffix('{')
            .and_then(|head| head.split_once(" ("));
        if let Some((name, (key, _))) =
            head.and_then(|(name, of)| Some((name, of.split_once(')')?)))
            && !name.contains(' ')
        {
            tables.push(Table {
                name: name.to_owned(),
                key: key.split(", ").map(str::to_owned).collect(),
                columns: Vec::new(),
            });
        } else if let Some((field, kind)) = column(line) {
            let (name, _) = field.split_once(": ").unwrap();
            let inner = kind
                .strip_prefix("Nullable<")
                .and_then(|kind| kind.strip_suffix('>'));
            tables.last_mut().unwrap().columns.push(Column {
                name: name.to_owned(),
                kind: inner.unwrap_or(kind).to_owned(),
                nullable: inner.is_some(),
            });
        }
    }
    tables
}

/// The field of a line that declares one, and the type of its column.
fn column(line: &str) -> Option<(&str, &str)> {
    line.strip_suffix(',')?.split_once(" as ")
}

#[test]
fn the_declarations_are_all_read() {
    let read: Vec<String> = tables().into_iter().map(|table| table.name).collect();
    assert_eq!(read, keno_schema::tables::TABLES);
    let text = include_str!("../../src/tables.rs");
    let declared = text.lines().filter_map(column).count();
    let columns: usize = tables().iter().map(|table| table.columns.len()).sum();
    assert_eq!(columns, declared);
}

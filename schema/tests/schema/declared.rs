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
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("diesel::table!") {
            inside = true;
        } else if inside && line == "}" {
            // The first brace closes the columns, the second the macro.
            inside = false;
        } else if inside && !line.starts_with("//") {
            if let Some((name, key)) = line
                .strip_suffix(") {")
                .and_then(|head| head.split_once(" ("))
            {
                tables.push(Table {
                    name: name.to_owned(),
                    key: key.split(", ").map(str::to_owned).collect(),
                    columns: Vec::new(),
                });
            } else if let Some((name, kind)) = line
                .strip_suffix(',')
                .and_then(|line| line.split_once(" -> "))
            {
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
    }
    tables
}

#[test]
fn the_declarations_are_all_read() {
    let mut read: Vec<String> = tables().into_iter().map(|table| table.name).collect();
    let mut listed = keno_schema::tables::TABLES.to_vec();
    read.sort();
    listed.sort_unstable();
    assert_eq!(read, listed);
    let arrows = include_str!("../../src/tables.rs")
        .lines()
        .filter(|line| line.trim_end().ends_with(',') && line.contains(" -> "))
        .count();
    let columns: usize = tables().iter().map(|table| table.columns.len()).sum();
    assert_eq!(columns, arrows);
}

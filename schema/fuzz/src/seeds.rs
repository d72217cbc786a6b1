//! Writes what the targets begin with: `seeds FOLDER` makes a folder of a corpus for each.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use keno_audit::stream::Records;
use keno_log::export::ExportRecord;

const EPOCHS: &str = include_str!("../../log/vectors/epochs.json");
const BOOK: &[u8] = include_bytes!("../../../samples/rules/demonstration.toml");

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("seeds FOLDER")?;
    let folder = Path::new(&folder);
    let write = |target: &str, name: &str, bytes: &[u8]| -> Result<(), Box<dyn Error>> {
        fs::create_dir_all(folder.join(target))?;
        Ok(fs::write(folder.join(target).join(name), bytes)?)
    };
    let vectors: serde_json::Value = serde_json::from_str(EPOCHS)?;
    let export = STANDARD.decode(vectors["export"].as_str().ok_or("no export")?)?;
    write("export", "epochs", &export)?;
    let mut facts = Vec::new();
    for record in Records::new(export.as_slice())? {
        if let ExportRecord::Entry(exported) = record? {
            let entry = exported.entry()?;
            facts.push((entry.leaf.header.kind.number(), entry.body));
        }
    }
    let all = keno_fuzz::of_facts(facts.iter().map(|(kind, body)| (*kind, body.as_slice())));
    write("replay", "epochs", &all)?;
    for (place, (kind, body)) in facts.iter().enumerate() {
        let bytes = [&[*kind], body.as_slice()].concat();
        write("record", &format!("fact-{place}"), &bytes)?;
    }
    write("rule_book", "demonstration", BOOK)?;
    for (place, one) in vectors["outside"].as_array().into_iter().flatten().enumerate() {
        let note = one["note"].as_str().unwrap_or_default();
        write("checkpoint", &format!("outside-{place}"), note.as_bytes())?;
    }
    write("code", "amount", b"12.50")?;
    write("code", "address", b"postgres://u@127.0.0.1:5432/keno")?;
    Ok(())
}

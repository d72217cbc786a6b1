//! The record: begun, migrated, exported, verified, rebuilt.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use keno_book::toml_faults::Words;
use keno_central::trust::authority::{Authority, trust_folder};
use keno_log::access::AccessFinding;
use keno_log::checkpoint;
use keno_log::checkpoint::Checkpoint;
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::publish::SignedCheckpoint;
use keno_record::record::{origin_of, origin_of_epoch};
use keno_record::store::log;
use keno_record::store::snapshot::on_snapshot;
use keno_service::access;
use keno_service::access::JudgedFile;
use keno_service::counter::Paper;
use keno_service::house_file::HouseFile;
use keno_service::maintenance;
use keno_service::maintenance::{EpochOrder, Finding};
use keno_words::{Say, verify};

use super::fail::advised;
use super::folder::{Folder, HOUSE_FILE, plural};
use super::people::codes;
use super::whole::{WholeFile, cannot, write_whole};
use super::{Data, Ending, Founders, note, people, say};

/// A TOML basic string.
fn toml_text(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// The house file of the demonstration under another code and name.
fn house_text(code: &str, name: &str) -> String {
    let mut text = String::new();
    for line in HouseFile::demonstration().lines() {
        if line.starts_with("# The house of the demonstration.") {
            text.push_str("# The house. Paths are relative to the data folder.");
        } else if line.starts_with("code = ") {
            text.push_str(&format!(
                "code = {}  # part of every derivation: never change it",
                toml_text(code)
            ));
        } else if line.starts_with("name = \"Casino") {
            text.push_str(&format!("name = {}", toml_text(name)));
        } else {
            text.push_str(line);
        }
        text.push('\n');
    }
    text
}

#[derive(Debug, Args)]
pub struct Init {
    #[command(flatten)]
    data: Data,
    /// Short name of the house, part of every derivation: never changed.
    #[arg(long)]
    code: Option<String>,
    /// Name of the house, for people.
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    founders: Founders,
}

/// Makes a house.
pub fn init(asked: &Init) -> anyhow::Result<Ending> {
    let (data, administrators) = (&*asked.data.data, &*asked.founders.administrators);
    let (code, name) = (asked.code.as_deref(), asked.name.as_deref());
    let file = data.join(HOUSE_FILE);
    match (file.exists(), code, name) {
        (true, None, None) => {}
        (true, _, _) => {
            return Err(advised(
                format!(
                    "{} is there already, and says code and name",
                    file.display()
                ),
                &["leave --code and --name out to begin the record of that house"],
            ));
        }
        (false, Some(code), Some(name)) => {
            let text = house_text(code, name);
            if let Err(faults) = HouseFile::read(&text) {
                let words: Vec<String> = faults.iter().map(ToString::to_string).collect();
                return Err(advised(words.join("; "), &[]));
            }
            std::fs::create_dir_all(data)
                .with_context(|| format!("{} cannot be made", data.display()))?;
            std::fs::write(&file, text)
                .with_context(|| format!("{} cannot be written", file.display()))?;
            note(&format!(
                "{} is written: read it before you serve",
                file.display()
            ));
        }
        (false, _, _) => {
            return Err(advised(
                format!("{} is not there", file.display()),
                &[
                    "give --code and --name, and it is made: --code casino-nord --name \"Casino du \
                   Nord\"",
                ],
            ));
        }
    }
    let folder = Folder::read(data)?;
    let keys = folder.keys()?;
    let central = folder.open()?;
    Authority::open(data, &central.house_code, central.clock.now_ms())?;
    note(&format!(
        "the record of {} is begun or was there; back up {} and {} apart from it",
        central.house_name,
        keys.path().display(),
        trust_folder(data).join("ca.key").display()
    ));
    if administrators.is_empty() {
        note("next: `keno-central admin first`, then `rules publish`, then `serve`");
    } else {
        people::found(&central, administrators)?;
        note("next: `keno-central admin person add`, then `rules publish`, then `serve`");
    }
    Ok(Ending::Done)
}

/// Brings the schema up to date.
pub fn migrate(data: &Path) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    let _lock = folder.lock()?;
    let mut connection = folder
        .database()?
        .open_writer()
        .context("the record cannot be opened")?;
    log::must_know_every_kind(&mut connection)?;
    let ran = keno_schema::migrate::migrate(&mut connection)?;
    for name in &ran {
        say(name)?;
    }
    note(&match ran.len() {
        0 => "the schema is up to date".to_owned(),
        count => format!("{count} migration{} ran", plural(count)),
    });
    Ok(Ending::Done)
}

#[derive(Debug, Args)]
pub struct Export {
    #[command(flatten)]
    data: Data,
    /// The file; it appears once it is whole.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// A file for the signed checkpoint alone, to keep out of the house's reach.
    #[arg(long, value_name = "FILE")]
    checkpoint_out: Option<PathBuf>,
    /// A file for the access log, with its signed checkpoint: `keno-audit access` judges it.
    #[arg(long, value_name = "FILE")]
    access_out: Option<PathBuf>,
}

/// Exports the record with a checkpoint of its head, signed with the house's log key.
pub fn export(asked: &Export) -> anyhow::Result<Ending> {
    let (data, out) = (&*asked.data.data, &*asked.out);
    let folder = Folder::read(data)?;
    let keys = ServerKeys::load_from(&folder.keys()?)?;
    let origin = origin_of(&folder.house.code);
    let key = signing_key(&keys, &origin).context("the log key cannot be used")?;
    let mut reader = folder.reader()?;
    let mut file = WholeFile::new(out).with_context(cannot(out))?;
    let checkpoint = on_snapshot(&mut reader, |reader| -> anyhow::Result<SignedCheckpoint> {
        let Some((edge, _)) = log::head(reader)? else {
            return Err(advised("the record is empty", &[]));
        };
        let (size, root) = (edge.size(), edge.root());
        let epoch = EpochOrder::current(reader)?;
        let origin = origin_of_epoch(&folder.house.code, epoch);
        let note = checkpoint::sign(&Checkpoint::new(&origin, size, root), &key)?;
        let checkpoint = SignedCheckpoint { size, root, note };
        let found = maintenance::export(reader, &checkpoint, &mut file.file)?;
        if found != epoch {
            let what = format!("the leaves are of epoch {found}, and the table says {epoch}");
            return Err(advised(
                &what,
                &["keno-central verify", "keno-central rebuild"],
            ));
        }
        Ok(checkpoint)
    })?;
    file.finish().with_context(cannot(out))?;
    if let Some(path) = &asked.checkpoint_out {
        write_whole(path, checkpoint.note.as_bytes())?;
    }
    if let Some(path) = &asked.access_out {
        export_access(data, &origin, &key, path)?;
    }
    note(&format!(
        "{} leaves with root {} are in {}",
        checkpoint.size,
        hex::encode(checkpoint.root),
        out.display()
    ));
    note("the verifier key of the house, for `keno-audit verify --key`:");
    say(&key.verifying_key().to_string())?;
    Ok(Ending::Done)
}

fn export_access(
    data: &Path,
    origin: &str,
    key: &checkpoint::SigningKey,
    out: &Path,
) -> anyhow::Result<()> {
    let Some((lines, text)) = access::export(data, origin, key)? else {
        return Err(advised("there is no access log", &["`serve` begins one"]));
    };
    write_whole(out, text.as_bytes())?;
    let are = if lines == 1 { "is" } else { "are" };
    note(&format!(
        "{lines} line{} of the access log {are} in {}",
        if lines == 1 { "" } else { "s" },
        out.display()
    ));
    Ok(())
}

/// First line of a note that attests papers (`FORMAT.md`, "Papers").
const ATTESTED: &str = "boulier/attested/v1";

/// Attests, in a note signed with the log's key, those of the papers that this house made.
pub fn attest(data: &Path, out: &Path) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    let keys = ServerKeys::load_from(&folder.keys()?)?;
    let house = &folder.house.code;
    let key = signing_key(&keys, &origin_of(house)).context("the log key cannot be used")?;
    let epoch = EpochOrder::current(&mut folder.reader()?)?;
    let mut text = format!("{ATTESTED}\n");
    let (mut made, mut foreign) = (0_usize, 0_usize);
    for code in codes("claim code, an empty line at the end")? {
        let Ok((number, shown)) = keno_central::convert::shown(&code) else {
            foreign += 1;
            say("? : not a whole claim code")?;
            continue;
        };
        let paper = Paper::judged(&keys, house, epoch, number, &shown);
        let whole = paper.true_claim().and_then(|claim| claim.knows);
        if let Some((size, _)) = whole {
            made += 1;
            let hash = keno_log::hash::sha256(code.trim().as_bytes());
            text.push_str(&format!("{}\n", hex::encode(hash)));
            say(&format!("{}: of this house, size {size}", number.masked()))?;
        } else {
            foreign += 1;
            say(&format!("{}: NOT OF THIS HOUSE", number.masked()))?;
        }
    }
    if made > 0 {
        let signed = checkpoint::Note::sign(&text, &key)?;
        write_whole(out, signed.to_string().as_bytes())?;
        let papers = plural(made);
        note(&format!(
            "{made} paper{papers} attested in {}",
            out.display()
        ));
    }
    Ok(if made > 0 && foreign == 0 {
        Ending::Done
    } else {
        Ending::Wrong
    })
}

keno_words::says! { AccessWords of AccessFinding: access_finding {
    Changed { line }, Removed { line }, HashRemoved { line }, Inserted { line }, Head,
    OtherRoot { from, size }, Cut { lines, anchored }, NotSigned { size },
    LaterEpoch { epoch, record }, OlderEpoch { epoch, anchored },
} }

/// Judges the record, and the chain of the access log.
pub fn verify(data: &Path) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    let mut reader = folder.reader()?;
    let mut outcome = maintenance::verify(&mut reader, &folder.anchors(), data)?;
    if outcome.leaves > 0 {
        let empty = maintenance::without_anchors(&folder.anchors())?;
        outcome.findings.extend(empty);
    }
    for finding in &outcome.findings {
        let what = &Words::new(finding.fr(), finding.to_string());
        say_both(&verify::Wrong { what })?;
    }
    say_both(&verify::LeavesAndRoot {
        leaves: &outcome.leaves,
        root: &hex::encode(outcome.root),
        anchors: &outcome.anchors,
        rows: &outcome.rows,
    })?;
    let access = JudgedFile::of(data, &folder.anchors(), outcome.house.as_ref())?;
    if let Some(what) = access.altered.clone() {
        let finding = Finding::Schema { what };
        let what = &Words::new(finding.fr(), finding.to_string());
        say_both(&verify::WrongAccessLog { what })?;
    }
    for finding in &access.judged.findings {
        let what = &AccessWords(finding);
        say_both(&verify::WrongAccessLog { what })?;
    }
    say_both(&verify::AccessLog {
        lines: &access.judged.lines,
        root: &hex::encode(access.judged.root),
        anchors: &access.judged.anchors,
    })?;
    for (epoch, lines) in &access.elsewhere {
        note_both(&verify::AccessLogElsewhere { epoch, lines });
    }
    if outcome.holds() && access.holds() {
        note_both(&verify::AllHolds);
        return Ok(Ending::Done);
    }
    if outcome.holds() {
        note_both(&verify::AdviceOnAccessLog);
        return Ok(Ending::Wrong);
    }
    let is_snapshot =
        |finding: &Finding| matches!(finding, Finding::Snapshot { .. } | Finding::Unsigned { .. });
    if outcome.findings.iter().any(is_snapshot) {
        note_both(&verify::AdviceOnSnapshot);
    }
    if !outcome.findings.iter().all(is_snapshot) {
        note_both(&verify::AdviceOnTables);
    }
    Ok(Ending::Wrong)
}

fn say_both(words: &dyn Say) -> anyhow::Result<()> {
    say(&format!("{}\n{}", words.fr(), words.en()))
}

fn note_both(words: &dyn Say) {
    let both = format!("{}\n{}", words.fr(), words.en());
    both.lines().for_each(note);
}

/// Makes every table again.
pub fn rebuild(data: &Path) -> anyhow::Result<Ending> {
    let folder = Folder::read(data)?;
    let _lock = folder.lock()?;
    let mut connection = folder
        .database()?
        .open_writer()
        .context("the record cannot be opened")?;
    log::must_know_every_kind(&mut connection)?;
    let rebuilt = maintenance::rebuild(&mut connection)?;
    note(&format!(
        "{} tables are made again from {} leaves",
        rebuilt.tables, rebuilt.leaves
    ));
    Ok(Ending::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_house_has_its_own_code_and_name() {
        let text = house_text("casino-nord", "Casino « du \"Nord\" »");
        let house = HouseFile::read(&text).unwrap();
        assert_eq!(house.code, "casino-nord");
        assert_eq!(house.name, "Casino « du \"Nord\" »");
        assert!(!text.contains("emonstration") && !text.contains("émonstration"));
        assert!(HouseFile::read(&house_text("Not A Code", "x")).is_err());
    }
}

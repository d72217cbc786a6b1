//! The verifier in Python (`e2e/stranger`), written from the documents alone, beside keno-audit:
//! both read a day and hundreds of tampered copies of it, and must name the same first
//! bad entry of each.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use keno_audit::replay::Options;
use serde_json::Value;

/// What a comparison came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compared {
    /// Tampered copies.
    pub tampered: usize,
    /// Copies whose first bad entry was known when they were made.
    pub known: usize,
    /// Copies by sort.
    pub sorts: BTreeMap<String, usize>,
    /// Copies of which both name the same finding as well.
    pub same_finding: usize,
    /// What differs between the two, or is taken for sound, in words.
    pub differences: Vec<String>,
    /// Where both say the same, and another entry than the one that was known: people and devices of the day
    /// are not those that the copies are made for, and what is put in is wrong in one thing more.
    pub elsewhere: Vec<String>,
}

/// What someone says of an export: whether it holds, the first bad entry, the name of its finding.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Judgement {
    holds: bool,
    first: Option<u64>,
    name: String,
}

/// The judgements of the Python verifier, in the order of the files.
fn strange(verifier: &Path, files: &[PathBuf]) -> Result<Vec<Judgement>> {
    let output = Command::new("python3")
        .arg(verifier.join("verify.py"))
        .arg("--json")
        .args(files)
        .output()
        .context("python3 cannot be run")?;
    // 1 says that some export does not hold; anything above is a verifier that failed.
    if output.status.code().is_none_or(|code| code > 1) {
        bail!("verify.py: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout).context("verify.py's output")?;
    let judged: Vec<Judgement> = text
        .lines()
        .map(|line| {
            let said: Value = serde_json::from_str(line).context("verify.py's output")?;
            let name = said.pointer("/findings/0/what").and_then(Value::as_str);
            Ok(Judgement {
                holds: said.get("holds").and_then(Value::as_bool) == Some(true),
                first: said.get("first_bad").and_then(Value::as_u64),
                name: name.unwrap_or_default().to_owned(),
            })
        })
        .collect::<Result<_>>()?;
    if judged.len() != files.len() {
        bail!(
            "verify.py judged {} of {} exports",
            judged.len(),
            files.len()
        );
    }
    Ok(judged)
}

fn ours(bytes: &[u8]) -> Result<Judgement> {
    let outcome = keno_audit::verify(bytes, keno_audit::Outside::default(), Options::default())?;
    let first = outcome.findings.first();
    Ok(Judgement {
        holds: outcome.holds(),
        first: first.and_then(|finding| finding.entry),
        name: first.map_or_else(String::new, |finding| finding.name().to_owned()),
    })
}

/// As [`strange`], by two Pythons at once: each takes half of the files.
fn strange_by_two(verifier: &Path, files: &[PathBuf]) -> Result<Vec<Judgement>> {
    let (first, second) = files.split_at(files.len() / 2);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| strange(verifier, second));
        let mut judged = strange(verifier, first)?;
        judged.extend(other.join().map_err(|_| anyhow!("a thread panicked"))??);
        Ok(judged)
    })
}

/// A tampered copy of an export, and what keno-audit says of it.
#[derive(Debug)]
struct Copy {
    about: Value,
    file: PathBuf,
    own: Judgement,
}

/// An export, and tampered copies of it.
#[derive(Debug)]
pub struct Copies {
    folder: tempfile::TempDir,
    copies: Vec<Copy>,
}

fn text(of: &Value, key: &str) -> Option<String> {
    of.get(key).and_then(Value::as_str).map(str::to_owned)
}

impl Copies {
    /// Makes so many copies of an export by the verifier's own `tamper.py`; `other` is the log of
    /// another day, whose entries are put into some of them.
    ///
    /// # Errors
    /// When Python cannot be run, or the export itself does not hold for keno-audit.
    pub fn made(
        export: &[u8],
        other: &[u8],
        seed: u64,
        count: usize,
        verifier: &Path,
    ) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let whole = folder.path().join(WHOLE);
        std::fs::write(&whole, export)?;
        let other_day = folder.path().join("other.log");
        std::fs::write(&other_day, other)?;
        is_sound("keno-audit", &ours(export)?)?;
        let tampered = folder.path().join("tampered");
        let made = Command::new("python3")
            .arg(verifier.join("tamper.py"))
            .args(["--seed", &seed.to_string(), "--count", &count.to_string()])
            .arg("--other")
            .arg(&other_day)
            .arg(&whole)
            .arg(&tampered)
            .output()
            .context("python3 cannot be run")?;
        if !made.status.success() {
            bail!("tamper.py: {}", String::from_utf8_lossy(&made.stderr));
        }
        let manifest = std::fs::read_to_string(tampered.join("manifest.jsonl"))?;
        let copies = manifest.lines().map(|line| {
            let about: Value = serde_json::from_str(line)?;
            let file = tampered.join(text(&about, "file").context("a file without a name")?);
            let own = ours(&std::fs::read(&file)?)?;
            Ok(Copy { about, file, own })
        });
        Ok(Self {
            copies: copies.collect::<Result<_>>()?,
            folder,
        })
    }

    /// Has a verifier judge the export and some of its copies, beside what keno-audit said of them.
    ///
    /// # Errors
    /// When Python cannot be run, or the export itself does not hold.
    pub fn compared(&self, verifier: &Path, which: Range<usize>) -> Result<Compared> {
        let whole = self.folder.path().join(WHOLE);
        let copies = self.copies.get(which).context("so many were not made")?;
        is_sound("verify.py", &strange(verifier, &[whole])?.remove(0))?;
        let files: Vec<PathBuf> = copies.iter().map(|copy| copy.file.clone()).collect();
        let judged = strange_by_two(verifier, &files)?;
        let mut compared = Compared::default();
        for (Copy { about, own, .. }, said) in copies.iter().zip(&judged) {
            let sort = text(about, "sort").unwrap_or_default();
            compared.tampered += 1;
            *compared.sorts.entry(sort.clone()).or_default() += 1;
            let entry = about.get("entry").and_then(Value::as_u64);
            let told = |what: String| format!("{sort} at entry {entry:?}: {what}");
            let mut tell = |what: String| compared.differences.push(told(what));
            if said.holds || own.holds {
                tell(format!(
                    "taken for sound: keno-audit {own:?}, verify.py {said:?}"
                ));
            } else if said.first != own.first {
                tell(format!("keno-audit says {own:?}, verify.py {said:?}"));
            }
            if let Some(known) = about.get("exact") {
                compared.known += 1;
                if known.as_u64() != own.first {
                    let what = format!("{known} was changed, keno-audit says {own:?}");
                    compared.elsewhere.push(told(what));
                }
            }
            compared.same_finding += usize::from(said.name == own.name);
        }
        Ok(compared)
    }
}

/// The file of the export as it was.
const WHOLE: &str = "whole.log";

fn is_sound(who: &str, said: &Judgement) -> Result<()> {
    if !said.holds || said.first.is_some() || !said.name.is_empty() {
        bail!("{who} does not take the day for sound: {said:?}");
    }
    Ok(())
}

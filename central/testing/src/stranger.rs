//! The verifier in Python (`e2e/stranger`), written from the documents alone, beside keno-audit:
//! both read a day and hundreds of tampered copies of it, and must name the same first
//! bad entry of each.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
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
fn strange(verifier: &Path, files: &[std::path::PathBuf]) -> Result<Vec<Judgement>> {
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

/// Has both judge an export and so many tampered copies of it; `other` is the log of another day,
/// whose entries are put into some of them.
///
/// # Errors
/// When Python cannot be run, or the export itself does not hold for both.
pub fn compare(
    export: &[u8],
    other: &[u8],
    seed: u64,
    count: usize,
    verifier: &Path,
) -> Result<Compared> {
    let folder = tempfile::tempdir()?;
    let whole = folder.path().join("whole.log");
    std::fs::write(&whole, export)?;
    let other_day = folder.path().join("other.log");
    std::fs::write(&other_day, other)?;
    let sound = Judgement {
        holds: true,
        first: None,
        name: String::new(),
    };
    for (who, said) in [
        ("keno-audit", ours(export)?),
        (
            "verify.py",
            strange(verifier, std::slice::from_ref(&whole))?.remove(0),
        ),
    ] {
        if said != sound {
            bail!("{who} does not take the day for sound: {said:?}");
        }
    }
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
    let made: Vec<Value> = manifest
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let text = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
    let files = made
        .iter()
        .map(|one| Ok(tampered.join(text(one, "file").context("a file without a name")?)))
        .collect::<Result<Vec<_>>>()?;
    let judged = strange(verifier, &files)?;
    let mut compared = Compared::default();
    for ((one, file), said) in made.iter().zip(&files).zip(&judged) {
        let sort = text(one, "sort").unwrap_or_default();
        let own = ours(&std::fs::read(file)?)?;
        compared.tampered += 1;
        *compared.sorts.entry(sort.clone()).or_default() += 1;
        let entry = one.get("entry").and_then(Value::as_u64);
        let told = |what: String| format!("{sort} at entry {entry:?}: {what}");
        let mut tell = |what: String| compared.differences.push(told(what));
        if said.holds || own.holds {
            tell(format!(
                "taken for sound: keno-audit {own:?}, verify.py {said:?}"
            ));
        } else if said.first != own.first {
            tell(format!("keno-audit says {own:?}, verify.py {said:?}"));
        }
        if let Some(known) = one.get("exact") {
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

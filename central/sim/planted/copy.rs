//! Copies the sources of a package that ships into the build's own folder, with every fault
//! planted that fits; `tests/patches.rs` fails for those that do not.
//!
//! The package that this builds is called as the one that is copied, with `-planted` after it, and
//! its folder as that one's folder in `central`.

mod patch;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use patch::{FOLDERS, Patch};

/// Copies a folder; `file` is its path from the root of the repository.
fn copy(from: &Path, to: &Path, file: &str, patches: &[Patch]) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (to, file) = (to.join(&*name), format!("{file}/{name}"));
        if path.is_dir() {
            copy(&path, &to, &file, patches)?;
            continue;
        }
        let (mut text, _) = patch::plant_all(patches, &file, &fs::read_to_string(&path)?);
        if file.ends_with("/src/lib.rs") {
            // A file that is included has no head of its own.
            text = text.replace("//!", "//");
        }
        fs::write(to, text)?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let (package, out) = (folder("CARGO_MANIFEST_DIR"), folder("OUT_DIR"));
    let here = package.parent().unwrap_or(&package);
    let name = package.file_name().unwrap_or_default().to_string_lossy();
    let product = here.join("../..").join(&*name).join("src");
    // From the package's folder: checkouts that share a target folder each look at their own.
    let watched = FOLDERS.map(|kind| format!("../{kind}"));
    for path in watched.iter().chain([&format!("../../../{name}/src")]) {
        println!("cargo::rerun-if-changed={path}");
    }
    let patches = patch::read_all(here)?;
    // A file that is no more must not stay.
    let sources = out.join("src");
    if sources.exists() {
        fs::remove_dir_all(&sources)?;
    }
    copy(&product, &sources, &format!("central/{name}/src"), &patches)?;
    let lists = FOLDERS.map(|kind| {
        let of_kind = patches.iter().filter(|patch| patch.folder == kind);
        let names: Vec<&str> = of_kind.map(|patch| patch.name.as_str()).collect();
        let list = kind.to_uppercase();
        format!("/// `{kind}`.\npub const {list}: &[&str] = &{names:?};\n")
    });
    fs::write(out.join("faults.rs"), lists.concat())
}

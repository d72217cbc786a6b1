//! Scripts, styles, fonts: embedded, under names that carry a hash of their content.
//!
//! A browser may keep such a file for ever, and a page never meets the script of another version.
//! Files name each other as `"./name"`; those names are replaced before the hash is taken.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

/// Under which path the assets are served.
const PREFIX: &str = "/assets/";

/// Hexadecimal digits of the content's hash in a name: 48 bits, against mix-ups and not attackers.
const HASH_DIGITS: usize = 12;

#[derive(RustEmbed)]
#[folder = "assets/"]
struct Files;

/// One file as it is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// The content.
    pub bytes: &'static [u8],
    /// The content, compressed with gzip; nothing where that takes more.
    pub gzip: Option<&'static [u8]>,
    /// `Content-Type`.
    pub mime: &'static str,
    /// `Cache-Control`.
    pub cache: &'static str,
}

struct Shelf {
    /// Plain name to the path on which it is served.
    urls: BTreeMap<String, String>,
    /// Hashed name to the content.
    files: BTreeMap<String, File>,
}

struct File {
    bytes: Vec<u8>,
    gzip: Option<Vec<u8>>,
    mime: &'static str,
}

fn shelf() -> &'static Shelf {
    static SHELF: OnceLock<Shelf> = OnceLock::new();
    SHELF.get_or_init(|| {
        let mut shelf = Shelf {
            urls: BTreeMap::new(),
            files: BTreeMap::new(),
        };
        let mut open = BTreeSet::new();
        for name in Files::iter() {
            place(&mut shelf, &mut open, &name);
        }
        shelf
    })
}

/// Puts `name` and the files it names on the shelf. A file that names itself, through others or
/// not, keeps the plain name there (and a test says that none does).
fn place(shelf: &mut Shelf, open: &mut BTreeSet<String>, name: &str) -> Option<String> {
    if let Some(url) = shelf.urls.get(name) {
        return Some(url.clone());
    }
    let file = Files::get(name)?;
    if !open.insert(name.to_owned()) {
        return None;
    }
    let mime = mime_of(name);
    let bytes = match std::str::from_utf8(&file.data) {
        Ok(text) if mime.starts_with("text/") => link(shelf, open, text).into_owned().into_bytes(),
        _ => file.data.to_vec(),
    };
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "bin"));
    let hashed = format!("{stem}.{}.{extension}", short_hash(&bytes));
    let url = format!("{PREFIX}{hashed}");
    let gzip = compressed(&bytes).filter(|gzip| gzip.len() < bytes.len());
    shelf.files.insert(hashed, File { bytes, gzip, mime });
    shelf.urls.insert(name.to_owned(), url.clone());
    open.remove(name);
    Some(url)
}

fn compressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut to = GzEncoder::new(Vec::new(), Compression::best());
    to.write_all(bytes).and_then(|()| to.finish()).ok()
}

/// Replaces every `"./name"` of a known file by its served path.
fn link<'a>(shelf: &mut Shelf, open: &mut BTreeSet<String>, text: &'a str) -> Cow<'a, str> {
    const MARK: &str = "\"./";
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 256);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(MARK) {
        out.push_str(before);
        match after.split_once('"') {
            Some((name, tail)) if Files::get(name).is_some() => {
                match place(shelf, open, name) {
                    Some(url) => out.push_str(&format!("\"{url}\"")),
                    None => out.push_str(&format!("\"./{name}\"")),
                }
                rest = tail;
            }
            _ => {
                out.push_str(MARK);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// FNV-1a, 64 bits: names only have to differ when contents do; nothing is proved by them.
fn short_hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mut text = format!("{hash:016x}");
    text.truncate(HASH_DIGITS);
    text
}

fn mime_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("png") => "image/png",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The file served on `path`, which may carry the leading `/assets/`. Only hashed names exist.
pub fn asset(path: &str) -> Option<Asset> {
    let name = path.strip_prefix(PREFIX).unwrap_or(path);
    shelf().files.get(name).map(|file| Asset {
        bytes: &file.bytes,
        gzip: file.gzip.as_deref(),
        mime: file.mime,
        cache: "public, max-age=31536000, immutable",
    })
}

/// The path of the file called `name` in the sources; an unknown name gives a path that answers
/// nothing, and a test renders every page to see that none does.
pub fn asset_url(name: &str) -> &'static str {
    shelf()
        .urls
        .get(name)
        .map_or("/assets/missing", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    // What is read from a folder at run time is owned: it is another clone's, or gone.
    #[test]
    fn a_debug_program_carries_its_files_too() {
        for name in Files::iter() {
            let file = Files::get(&name).map(|file| file.data);
            assert!(matches!(file, Some(Cow::Borrowed(_))), "{name}");
        }
    }

    #[test]
    fn every_file_is_served_under_a_hashed_name_and_links_only_to_served_files() {
        assert!(shelf().urls.len() >= 10, "{:?}", shelf().urls.keys());
        for (name, url) in &shelf().urls {
            let served = asset(url).unwrap_or_else(|| panic!("{name} is not served on {url}"));
            assert!(served.cache.contains("immutable"));
            assert_ne!(served.mime, "application/octet-stream", "{name}");
            if let Ok(text) = std::str::from_utf8(served.bytes) {
                assert!(
                    !text.contains("\"./"),
                    "{name} names a file that is not there"
                );
                for part in text.split("\"/assets/").skip(1) {
                    let target = part.split('"').next().unwrap_or_default();
                    assert!(asset(target).is_some(), "{name} -> {target}");
                }
            }
        }
    }

    #[test]
    fn plain_names_and_escapes_are_not_served() {
        assert!(asset("/assets/board.js").is_none());
        assert!(asset("/assets/../Cargo.toml").is_none());
        assert_eq!(asset_url("nothing.js"), "/assets/missing");
    }

    #[test]
    fn the_hash_follows_the_content() {
        assert_ne!(short_hash(b"a"), short_hash(b"b"));
        assert_eq!(short_hash(b"").len(), HASH_DIGITS);
    }

    #[test]
    fn nothing_is_fetched_from_elsewhere() {
        for (name, File { bytes, mime, .. }) in &shelf().files {
            if *mime == "text/plain; charset=utf-8" {
                continue; // licences name their authors' sites; nothing follows them
            }
            if let Ok(text) = std::str::from_utf8(bytes) {
                let text = text.replace("http://www.w3.org/2000/svg", "");
                assert!(
                    !text.contains("http://") && !text.contains("https://"),
                    "{name}"
                );
                assert!(
                    !text.contains("eval(") && !text.contains("innerHTML"),
                    "{name}"
                );
            }
        }
    }
}

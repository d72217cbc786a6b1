//! The papers that came out, kept on disk: bytes, text and image of each.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::picture::picture_of_paper;
use super::sheet::Sheet;
use parking_lot::Mutex;

/// A folder of papers, numbered from 1.
pub struct Folder {
    path: PathBuf,
    next: Mutex<u64>,
}

/// Number of a paper from its file's name.
fn number(name: &str, extension: &str) -> Option<u64> {
    name.strip_prefix("paper-")?
        .strip_suffix(extension)?
        .parse()
        .ok()
}

impl Folder {
    /// Opens a folder, making it when it is not there; the papers in it stay.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn open(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        let folder = Self {
            path: path.to_owned(),
            next: Mutex::new(1),
        };
        let newest = folder.papers()?.first().copied().unwrap_or(0);
        *folder.next.lock() = newest + 1;
        Ok(folder)
    }

    /// Numbers of all papers, newest first.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn papers(&self) -> io::Result<Vec<u64>> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            if let Some(number) = entry?
                .file_name()
                .to_str()
                .and_then(|name| number(name, ".png"))
            {
                numbers.push(number);
            }
        }
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        Ok(numbers)
    }

    /// Path of a paper's file; `extension` is `png`, `txt` or `escpos`.
    pub fn file(&self, number: u64, extension: &str) -> PathBuf {
        self.path.join(format!("paper-{number:06}.{extension}"))
    }

    /// Keeps a paper and says its number. The image comes last and by a rename: a paper whose
    /// image is there is whole.
    ///
    /// # Errors
    /// As the operating system gives them, or an image that cannot be made.
    pub fn keep(&self, bytes: &[u8], sheet: &Sheet) -> io::Result<u64> {
        let image = picture_of_paper(sheet).map_err(io::Error::other)?;
        let mut next = self.next.lock();
        let number = *next;
        fs::write(self.file(number, "escpos"), bytes)?;
        fs::write(self.file(number, "txt"), sheet.reading().join("\n") + "\n")?;
        let partial = self.file(number, "partial");
        fs::write(&partial, image)?;
        fs::rename(partial, self.file(number, "png"))?;
        *next += 1;
        Ok(number)
    }
}

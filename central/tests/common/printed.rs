//! Papers as pictures, read by `pdftoppm` (poppler-utils) and `zbarimg` (zbar-tools).

use std::path::{Path, PathBuf};
use std::process::Command;

use keno_testing::pages_of_paper;

/// Dots of a millimetre in pictures made here: a dot is 1/10 mm.
const DOTS_PER_INCH: &str = "254";

fn output(program: &str, arguments: &[&str], file: &Path) -> Vec<u8> {
    let output = Command::new(program)
        .args(arguments)
        .arg(file)
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    // 4: zbarimg has found no code.
    let is_done =
        output.status.success() || (program, output.status.code()) == ("zbarimg", Some(4));
    assert!(is_done, "{program}: {output:?}");
    output.stdout
}

/// A paper on disk, to be read by other programs.
pub struct Printed {
    _folder: tempfile::TempDir,
    file: PathBuf,
}

impl Printed {
    pub fn new(pdf: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("paper.pdf");
        std::fs::write(&file, pdf).unwrap();
        Self {
            _folder: folder,
            file,
        }
    }

    /// Its text, with plain spaces.
    pub fn text(&self) -> String {
        let pdf = std::fs::read(&self.file).unwrap();
        pages_of_paper(&pdf).unwrap().concat()
    }

    /// Its picture, as a binary PPM.
    pub fn ppm(&self) -> Vec<u8> {
        output("pdftoppm", &["-r", DOTS_PER_INCH], &self.file)
    }

    /// What its codes say.
    pub fn codes(&self) -> Vec<String> {
        let picture = self.file.with_extension("ppm");
        std::fs::write(&picture, self.ppm()).unwrap();
        let found = output("zbarimg", &["--quiet", "--raw"], &picture);
        let found = String::from_utf8(found).unwrap();
        found.lines().map(str::to_owned).collect()
    }
}

//! The words of a paper.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::TestingFault;

/// The text of a PDF by page, as it stands there, with plain spaces: read by `pdftotext` of
/// poppler-utils.
///
/// # Errors
/// [`TestingFault::File`] where it is not there, or cannot read the paper.
pub fn pages_of_paper(pdf: &[u8]) -> Result<Vec<String>, TestingFault> {
    let unread = |why: String| TestingFault::File(format!("pdftotext of poppler-utils: {why}"));
    let mut child = Command::new("pdftotext")
        .args(["-layout", "-enc", "UTF-8", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| unread(error.to_string()))?;
    let mut input = child.stdin.take();
    let output = std::thread::scope(|scope| {
        scope.spawn(|| {
            // A reader that stops early says why by its status.
            let _ = input.as_mut().map(|input| input.write_all(pdf));
            drop(input);
        });
        child.wait_with_output()
    })?;
    if !output.status.success() {
        return Err(unread(output.status.to_string()));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| unread(error.to_string()))?;
    let text = text.replace('\u{a0}', " ");
    let pages = text.split('\u{c}').filter(|page| !page.is_empty());
    Ok(pages.map(str::to_owned).collect())
}

//! The counter as a device of a real house is: enrolled by a code that a person carries, and its
//! certificate from then on.

use std::io::{BufRead, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use super::COUNTER;
use crate::founded::{Founded, pin_of};

/// Who types codes at central.
const ADMINISTRATOR: &str = "X1";
const SECOND_ADMINISTRATOR: &str = "X2";

/// What the house file says so that central listens for other machines.
pub const HOUSE: &str = "\n[tls]\nlisten = \"127.0.0.1:0\"\nnames = [\"127.0.0.1\"]\n";

/// Enrols the counter: the terminal shows a code, and the administrator types it at central.
///
/// # Errors
/// When either says no.
pub fn enrol(
    terminal: &Path,
    settings: &Path,
    central: SocketAddr,
    founded: &Founded,
) -> anyhow::Result<()> {
    let mut device = Command::new(terminal)
        .arg("--config")
        .arg(settings)
        .args(["enrol", "--central", &format!("https://{central}")])
        .env("BOULIER_LOG", "off")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{} cannot be run", terminal.display()))?;
    let shown = device.stdout.take().context("the terminal says nothing")?;
    let mut lines = BufReader::new(shown).lines().map_while(Result::ok);
    let code = lines.find_map(|line| line.strip_prefix("Code : ").map(str::to_owned));
    if let Some(code) = &code {
        let mut approval = Command::new(&founded.program)
            .args(["admin", "device", "approve", "--data"])
            .arg(founded.data())
            .args(["--code", code, "--number", &COUNTER.to_string()])
            .args(["--name", "T01", "--role", "counter", "--by", ADMINISTRATOR])
            .args(["--second", SECOND_ADMINISTRATOR])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .context("the code cannot be typed")?;
        if let Some(mut typed) = approval.stdin.take() {
            // Central judges what it was told: a line that it did not read is refused there.
            let pins = [ADMINISTRATOR, SECOND_ADMINISTRATOR].map(pin_of);
            let _ = writeln!(typed, "{}", pins.join("\n"));
        }
        let approved = approval
            .wait_with_output()
            .context("the code cannot be typed")?;
        if !approved.status.success() {
            let _ = device.kill();
            let _ = device.wait();
            bail!(
                "central does not take the code: {}",
                String::from_utf8_lossy(&approved.stderr)
            );
        }
    }
    // What it still says must have somewhere to go.
    lines.for_each(drop);
    if !device.wait()?.success() || code.is_none() {
        bail!("the counter cannot be enrolled");
    }
    Ok(())
}

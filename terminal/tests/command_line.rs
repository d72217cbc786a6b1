//! The program as a script sees it: exit numbers, and what is said where.
#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::path::Path;

use keno_terminal::cli::{Streams, run};
use keno_terminal::exit::Exit;

struct Said {
    exit: Exit,
    output: String,
    notes: String,
}

fn keno_terminal(arguments: &[&str]) -> Said {
    typing("", arguments)
}

/// The same while this is typed.
fn typing(typed: &str, arguments: &[&str]) -> Said {
    let (mut input, mut output, mut notes) = (Cursor::new(typed), Vec::new(), Vec::new());
    let exit = run(
        std::iter::once("keno-terminal")
            .chain(arguments.iter().copied())
            .map(str::to_owned),
        Streams {
            input: &mut input,
            output: &mut output,
            notes: &mut notes,
            echo: |_| {},
            now_ms: || 0,
        },
    );
    Said {
        exit,
        output: String::from_utf8(output).unwrap(),
        notes: String::from_utf8(notes).unwrap(),
    }
}

/// Settings in a folder of their own, so that nothing of this machine is used.
fn settings(folder: &Path, text: &str) -> String {
    let path = folder.join("terminal.toml");
    let journal = folder.join("journal");
    std::fs::write(&path, format!("journal = {journal:?}\n{text}")).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn numbers() {
    let exits = [
        Exit::Done,
        Exit::Failed,
        Exit::Refused,
        Exit::CentralUnreachable,
        Exit::PrinterTrouble,
        Exit::InDoubt,
        Exit::Usage,
    ];
    assert_eq!(exits.map(Exit::number), [0, 1, 2, 3, 4, 5, 64]);
}

#[test]
fn help_is_output_and_a_wrong_command_is_a_note() {
    let help = keno_terminal(&["--help"]);
    assert_eq!(help.exit, Exit::Done);
    for command in [
        "sell",
        "check",
        "pay",
        "cancel",
        "replay",
        "duplicate",
        "release",
        "unpaid",
        "reverse",
        "fill",
        "drop",
        "close-till",
        "stop-sales",
        "resume-sales",
        "suspend-draw",
        "resume-draw",
        "void-draw",
        "sign-on",
        "sign-off",
        "status",
        "test-printer",
        "test-scanner",
        "render",
        "virtual-printer",
    ] {
        assert!(help.output.contains(command), "{command}");
    }
    let wrong = keno_terminal(&["sel"]);
    assert_eq!(wrong.exit, Exit::Usage);
    assert!(wrong.output.is_empty() && !wrong.notes.is_empty());
    assert_eq!(
        keno_terminal(&["virtual-printer", "--fault", "jam"]).exit,
        Exit::Usage
    );
    assert_eq!(
        keno_terminal(&["cancel", "--reason", "no reason"]).exit,
        Exit::Usage
    );
}

#[test]
fn a_malformed_slip_is_refused_with_its_place_before_anything_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let config = settings(folder.path(), "");
    let bad = "../samples/slips/bad/";
    for (name, place) in [
        ("malformed_json", "line 3, column 49"),
        ("malformed_unknown_field", "line 6, column 11"),
    ] {
        let said = keno_terminal(&["--config", &config, "sell", &format!("{bad}{name}.json")]);
        assert_eq!(said.exit, Exit::Refused, "{}", said.notes);
        assert!(
            said.notes
                .starts_with("La fiche n’est pas bien formée : ligne "),
            "{}",
            said.notes
        );
        assert!(said.notes.contains(place), "{}", said.notes);
    }
    let said = keno_terminal(&["--config", &config, "sell", "/nowhere/slip.json"]);
    assert_eq!(said.exit, Exit::Refused);
    assert!(!folder.path().join("journal").exists());
}

#[test]
fn settings_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let config = settings(folder.path(), "central = \"http://10.0.0.7:8480\"\n");
    let said = keno_terminal(&["--config", &config, "status"]);
    assert_eq!(said.exit, Exit::Failed);
    assert!(said.notes.contains("10.0.0.7"), "{}", said.notes);
    let config = settings(folder.path(), "");
    let said = keno_terminal(&["--config", &config, "status"]);
    assert!(said.notes.contains("device_key"), "{}", said.notes);
    let said = keno_terminal(&["--config", "/nowhere/terminal.toml", "status"]);
    assert_eq!(said.exit, Exit::Failed);
}

#[test]
fn nobody_anywhere_is_central_out_of_reach_and_an_absent_printer() {
    let folder = tempfile::tempdir().unwrap();
    // A port that was just free: nobody listens there.
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let config = settings(
        folder.path(),
        &format!(
            "central = \"http://{free}\"\nprinter_address = \"{free}\"\ndevice_key = \"00ff\"\nbadge = \"C142\"\npin = \"246813\"\n"
        ),
    );
    let said = keno_terminal(&["--config", &config, "status"]);
    assert_eq!(said.exit, Exit::CentralUnreachable, "{}", said.notes);
    assert!(
        said.output.contains("Imprimante : Imprimante introuvable"),
        "{}",
        said.output
    );
    assert_eq!(
        typing("0731552890146663\n", &["--config", &config, "check"]).exit,
        Exit::CentralUnreachable
    );
    let nothing = keno_terminal(&["--config", &config, "check"]);
    assert_eq!(nothing.exit, Exit::Usage, "{}", nothing.notes);
    assert!(
        nothing.notes.contains("Aucun code n’a été donné."),
        "{}",
        nothing.notes
    );
    assert_eq!(
        keno_terminal(&["--config", &config, "check", "0731552890146663"]).exit,
        Exit::Usage,
        "a code is no argument"
    );
    assert_eq!(
        keno_terminal(&["--config", &config, "printer-test"]).exit,
        Exit::PrinterTrouble
    );
}

#[test]
fn a_ticket_is_rendered_as_an_image_and_as_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (png, bytes) = (folder.path().join("t.png"), folder.path().join("t.escpos"));
    let ticket = "slip/tests/tickets/full.json";
    let said = keno_terminal(&[
        "render",
        ticket,
        "--png",
        png.to_str().unwrap(),
        "--bytes",
        bytes.to_str().unwrap(),
    ]);
    assert_eq!(said.exit, Exit::Done, "{}", said.notes);
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
    assert!(std::fs::read(bytes).unwrap().starts_with(b"\x1B@\x1Bt\x10"));
    assert_eq!(keno_terminal(&["render", ticket]).exit, Exit::Usage);
}

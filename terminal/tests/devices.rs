//! The commands about a counter's devices, as a technician gives them.
#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use keno_terminal::cli::{Streams, run};
use keno_terminal::exit::Exit;
use keno_terminal::virtual_printer::Fault;
use keno_terminal::virtual_printer::server::{Options, Running, start};

const ANY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

struct Said {
    exit: Exit,
    output: String,
    notes: String,
}

/// A technician's folder, its settings and what its command says.
fn technician(folder: &Path, settings: &str, typed: &str, arguments: &[&str]) -> Said {
    let path = folder.join("terminal.toml");
    std::fs::write(&path, settings).unwrap();
    let (mut input, mut output, mut notes) =
        (Cursor::new(typed.to_owned()), Vec::new(), Vec::new());
    let exit = run(
        ["keno-terminal", "--config", path.to_str().unwrap()]
            .into_iter()
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

fn printer(folder: &Path, fault: Option<Fault>) -> Running {
    start(&Options {
        print: ANY,
        web: ANY,
        folder: folder.join("papers"),
        fault,
        dots: 384,
    })
    .unwrap()
}

#[test]
fn the_printer_test_says_how_long_the_confirmation_took() {
    let folder = tempfile::tempdir().unwrap();
    let running = printer(folder.path(), None);
    let settings = format!(
        "printer = \"network\"\nprinter_address = \"{}\"\ncolumns = 32\n",
        running.print
    );
    let said = technician(folder.path(), &settings, "", &["test-printer"]);
    assert_eq!(said.exit, Exit::Done, "{}", said.notes);
    assert!(said.output.contains("L’imprimante est prête."));
    let line = said
        .output
        .lines()
        .find(|line| line.starts_with("Page d’essai imprimée et coupée, confirmée après "))
        .unwrap();
    assert!(line.ends_with(" ms."), "{line}");
    let page = std::fs::read_to_string(running.folder.file(1, "txt")).unwrap();
    assert!(
        page.contains("12345678901234567890123456789012\n"),
        "{page}"
    );
    assert!(page.contains("éèêàçùôîœÉÈÀÇ«»’"));
    assert!(page.contains("QR: ") && page.contains("ITF: "));
}

#[test]
fn a_printer_in_trouble_is_told_in_words_and_nothing_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let running = printer(folder.path(), Some(Fault::CoverOpen));
    let settings = format!("printer_address = \"{}\"\ncolumns = 32\n", running.print);
    let said = technician(folder.path(), &settings, "", &["test-printer"]);
    assert_eq!(said.exit, Exit::PrinterTrouble);
    assert!(
        said.output
            .contains("Capot ouvert : fermez-le.\nCover open: close it.")
    );
    assert!(said.output.contains("Rien n’a été imprimé."));
    assert!(running.folder.papers().unwrap().is_empty());
}

#[test]
fn a_roll_near_its_end_prints_and_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let running = printer(folder.path(), Some(Fault::NearEnd));
    let settings = format!("printer_address = \"{}\"\ncolumns = 32\n", running.print);
    let said = technician(folder.path(), &settings, "", &["test-printer"]);
    assert_eq!(said.exit, Exit::Done, "{}", said.notes);
    assert!(
        said.output.contains("Bientôt plus de papier.\n"),
        "{}",
        said.output
    );
}

/// A till is opened by what moves its cash, or at the page by whoever is signed on there.
#[test]
fn no_command_opens_the_drawer() {
    let folder = tempfile::tempdir().unwrap();
    let running = printer(folder.path(), None);
    let settings = format!(
        "printer_address = \"{}\"\n[printing]\ndrawer = \"pin5\"\n",
        running.print
    );
    let said = technician(folder.path(), &settings, "", &["open-drawer"]);
    assert_eq!(said.exit, Exit::Usage);
}

#[test]
fn the_scanner_test_shows_what_is_typed_and_what_it_means() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "[scanner]\nprefix = \"Q3\"\n";
    let said = technician(
        folder.path(),
        settings,
        "Q30731552890146663\nhttp://x\n",
        &["test-scanner", "--count", "2"],
    );
    assert_eq!(said.exit, Exit::Done, "{}", said.notes);
    for words in [
        "18 octets : Q30731552890146663",
        "Hexadécimal : 51 33 30 37",
        "Préfixe : présent",
        "(control_number)",
        "Préfixe : ABSENT",
        "(not_our_alphabet)",
    ] {
        assert!(said.output.contains(words), "{words}: {}", said.output);
    }
    let absent = "[scanner]\nkind = \"evdev\"\ndevice = \"/dev/input/by-id/none\"\n";
    let said = technician(folder.path(), absent, "", &["test-scanner"]);
    assert_eq!(said.exit, Exit::Refused);
    assert!(said.notes.contains("Lecteur introuvable"), "{}", said.notes);
    let wrong = "[scanner]\nkind = \"evdev\"\n";
    let said = technician(folder.path(), wrong, "", &["test-scanner"]);
    assert_eq!(said.exit, Exit::Failed);
    assert!(said.notes.contains("needs device"), "{}", said.notes);
}

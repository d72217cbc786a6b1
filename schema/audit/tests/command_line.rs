//! The program: what it says and how it ends.

// Helpers beside the tests unwrap too: a file that cannot be written fails its test.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::Fault;
use crate::support::scenario::play;

fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_keno-audit"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let said = [stdout, stderr].concat();
    (status.code().unwrap(), String::from_utf8(said).unwrap())
}

#[test]
fn it_ends_with_0_1_or_2() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let log = play(Fault::None);
    let mut export = log.export();
    fs::write(at.join("log"), &export).unwrap();
    fs::write(at.join("kept"), log.checkpoint(9)).unwrap();
    let key = log.verifier_key();
    let all = ["verify", "log", "--checkpoint", "kept", "--key", &key];
    let (code, said) = run(at, &all);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("The log holds.") && said.contains("Le registre tient."));
    let middle = export.len() / 2;
    export[middle] ^= 1;
    fs::write(at.join("bad"), &export).unwrap();
    let (code, said) = run(at, &["verify", "bad"]);
    assert_eq!(code, 1);
    assert!(said.contains("THE LOG DOES NOT HOLD: entry "), "{said}");
    let (code, said) = run(at, &["verify", "bad", "--json"]);
    assert_eq!(code, 1);
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(json["holds"], false);
    assert!(json["findings"][0]["entry"].is_u64());
    assert_eq!(run(at, &["verify", "absent"]).0, 2);
    assert_eq!(run(at, &["verify", "log", "--checkpoint", "absent"]).0, 2);
}

#[test]
fn an_export_of_another_format_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut export = play(Fault::None).export();
    for digit in [b'3', b'5'] {
        export[12] = digit;
        fs::write(at.join("other"), &export).unwrap();
        for command in [
            vec!["verify", "other"],
            vec!["draw", "other", "1"],
            vec!["leaf", "other", "0"],
        ] {
            let (code, said) = run(at, &command);
            assert_eq!(code, 2, "{command:?}: {said}");
            for words in [
                "vérifiez-le avec le keno-audit de la version qui l'a écrit",
                "verify it with the keno-audit of the version that wrote it",
            ] {
                assert!(said.contains(words), "{command:?}: {said}");
            }
            assert!(said.contains(char::from(digit)), "{command:?}: {said}");
        }
        let (code, said) = run(at, &["verify", "other", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&said).unwrap();
        let finding = &json["findings"][0];
        assert_eq!(
            (code, &finding["name"]),
            (2, &"export_format".into()),
            "{said}"
        );
        assert!(finding["entry"].is_null());
    }
}

#[test]
fn it_shows_a_draw_and_an_entry() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let log = play(Fault::None);
    fs::write(at.join("log"), log.export()).unwrap();
    let (code, said) = run(at, &["draw", "log", "1"]);
    assert_eq!(
        (code, said.contains("recomputed balls")),
        (0, true),
        "{said}"
    );
    assert_eq!(run(at, &["draw", "log", "99"]).0, 2);
    let (code, said) = run(at, &["leaf", "log", "0"]);
    assert_eq!((code, said.contains("HouseOpened")), (0, true));
    assert_eq!(run(at, &["leaf", "log", "9999"]).0, 2);
    let (code, said) = run(at, &["verify", "log", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (code, &json["draws"][1]["payable_cents"]),
        (0, &199_997.into())
    );
    assert_eq!(json["draws"][1]["state"], "settled");
}

#[test]
fn it_refuses_a_rule_book_below_65_naming_line_and_fraction() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let lawful = crate::support::book_text(1);
    fs::write(at.join("lawful.toml"), &lawful).unwrap();
    let (code, said) = run(at, &["rules", "lawful.toml"]);
    assert_eq!(code, 0, "{said}");
    assert!(
        said.contains("keno 1 spots 1x0.50: 3/4 (75.000000 %)"),
        "{said}"
    );
    fs::write(
        at.join("low.toml"),
        lawful
            .replace("\"450\"", "\"410\"")
            .replace("\"20\"", "\"18\""),
    )
    .unwrap();
    let (code, said) = run(at, &["rules", "low.toml"]);
    assert_eq!(code, 1);
    assert!(
        said.contains("REFUSED (s. 85): keno 5 spots 1x0.50: 1335/2054 (64.995131 %)"),
        "{said}"
    );
    fs::write(at.join("no.toml"), "format = 3").unwrap();
    assert_eq!(run(at, &["rules", "no.toml"]).0, 1);
    assert_eq!(run(at, &["rules", "absent.toml"]).0, 2);
}

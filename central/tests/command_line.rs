//! The command line as a person at a console meets it: exits, hints, and a house that is
//! stopped and started.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use keno_service::house_file::HouseFile;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn central(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_keno-central"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .env("BOULIER_LOG", "warn")
        // A PIN in the environment is no PIN.
        .env("BOULIER_PIN", "147028")
        .env("BOULIER_SECOND_PIN", "074129")
        .env("BOULIER_NEW_PIN", "147028");
    command
}

struct Said {
    code: Option<i32>,
    out: String,
    notes: String,
}

fn said(output: &Output) -> Said {
    Said {
        code: output.status.code(),
        out: String::from_utf8(output.stdout.clone()).unwrap(),
        notes: String::from_utf8(output.stderr.clone()).unwrap(),
    }
}

fn run(arguments: &[&str]) -> Said {
    said(&central(arguments).output().unwrap())
}

/// Runs a command while these lines are typed.
fn typing(lines: &[&str], arguments: &[&str]) -> Said {
    let mut child = central(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let typed: String = lines.iter().map(|line| format!("{line}\n")).collect();
    // A command that is refused before it asks has no reader any more.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    said(&child.wait_with_output().unwrap())
}

/// A demonstration that runs until it is stopped; its address from what it said.
struct Demonstration {
    child: Child,
    welcome: String,
    address: String,
}

impl Demonstration {
    fn start(folder: &Path) -> Self {
        let data = folder.to_str().unwrap();
        let mut child = central(&["demo", "--data", data, "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut welcome = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        // The last words of the welcome.
        while !welcome.contains("Ctrl-C stops the house.") {
            assert_ne!(lines.read_line(&mut welcome).unwrap(), 0, "{welcome}");
        }
        let address = welcome
            .split("http://")
            .nth(1)
            .unwrap()
            .split('/')
            .next()
            .unwrap()
            .to_owned();
        Self {
            child,
            welcome,
            address,
        }
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, signal).unwrap();
    }

    /// The status line of a `GET`.
    fn get(&self, path: &str) -> String {
        use std::io::Write;
        let mut stream = std::net::TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        )
        .unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Demonstration {
    fn drop(&mut self) {
        // A test that failed must not leave a house behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_house_is_locked_while_it_runs_stops_in_order_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let mut first = Demonstration::start(folder.path());
    assert!(first.welcome.contains("A demonstration house was made in"));
    assert!(first.get("/healthz").contains(" 200 "));

    // What writes is refused, and says where to turn; what reads is not.
    for command in [
        vec!["rebuild", "--data", data],
        vec!["migrate", "--data", data],
        vec![
            "draw", "suspend", "--data", data, "1", "--by", "S007", "--reason", "essai",
        ],
    ] {
        let refused = run(&command);
        assert_eq!(refused.code, Some(2), "{command:?}: {}", refused.notes);
        assert!(refused.out.is_empty());
        assert!(refused.notes.contains("another central runs on"));
        assert!(refused.notes.contains("hint: "), "{}", refused.notes);
        assert!(refused.notes.contains("HTTP"), "{}", refused.notes);
    }
    let judged = run(&["verify", "--data", data]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.notes);

    // SIGTERM ends it in order.
    first.signal(rustix::process::Signal::TERM);
    assert_eq!(first.child.wait().unwrap().code(), Some(0));

    // kill -9 loses nothing either.
    let mut second = Demonstration::start(folder.path());
    assert!(second.welcome.contains("goes on with all it had"));
    second.signal(rustix::process::Signal::KILL);
    second.child.wait().unwrap();
    let mut third = Demonstration::start(folder.path());
    assert!(third.welcome.contains("goes on with all it had"));
    third.signal(rustix::process::Signal::INT);
    assert_eq!(third.child.wait().unwrap().code(), Some(0));

    let export = folder.path().join("log.export");
    let exported = run(&[
        "export",
        "--data",
        data,
        "--out",
        export.to_str().unwrap(),
        "--checkpoint-out",
        folder.path().join("checkpoint").to_str().unwrap(),
    ]);
    assert_eq!(exported.code, Some(0), "{}", exported.notes);
    assert!(
        exported.out.starts_with("boulier/demo+"),
        "{}",
        exported.out
    );
    let bytes = std::fs::read(&export).unwrap();
    let records: Vec<_> = keno_log::export::ExportReader::new(&bytes)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let note = std::fs::read_to_string(folder.path().join("checkpoint")).unwrap();
    assert_eq!(
        records.last(),
        Some(&keno_log::export::ExportRecord::End(note))
    );

    // What the house did, its rebuilt tables say too.
    let rebuilt = run(&["rebuild", "--data", data]);
    assert_eq!(rebuilt.code, Some(0), "{}", rebuilt.notes);
    let judged = run(&["verify", "--data", data]);
    assert_eq!(judged.code, Some(0), "{}{}", judged.out, judged.notes);
}

#[test]
fn a_house_is_begun_and_governed_from_the_console() {
    let folder = tempfile::tempdir().unwrap();
    let house = folder.path().join("nord");
    let data = house.to_str().unwrap();
    let rules = "../samples/rules/demonstration.toml";
    let none = run(&["init", "--data", data]);
    assert_eq!(none.code, Some(2));
    assert!(none.notes.contains("hint: give --code and --name"));
    let begun = run(&[
        "init",
        "--data",
        data,
        "--code",
        "nord",
        "--name",
        "Casino du Nord",
    ]);
    assert_eq!(begun.code, Some(0), "{}", begun.notes);

    let with_pin = |pin: &str, arguments: &[&str]| {
        let lines: &[&str] = match arguments {
            ["admin", "first", ..] => &[pin, "074129"],
            ["admin", "person", "add", ..] => &["147028", "074129", pin],
            _ => &["147028", "074129"],
        };
        typing(lines, arguments)
    };
    let first = [
        "admin",
        "first",
        "--data",
        data,
        "--administrator",
        "D001=1",
        "--administrator",
        "D002=2",
    ];
    let alone = typing(&["147028"], &first[..6]);
    assert_eq!(alone.code, Some(2), "{}", alone.notes);
    assert!(
        alone.notes.contains("two administrators"),
        "{}",
        alone.notes
    );
    let publish = [
        "rules", "publish", "--data", data, rules, "--from", "1", "--by", "D001", "--second",
        "D002",
    ];
    let nobody = with_pin("", &publish);
    assert_eq!(nobody.code, Some(1), "{}", nobody.notes);
    assert!(
        nobody.notes.contains("badge_or_pin_wrong"),
        "{}",
        nobody.notes
    );
    for easy in ["47110", "123456", "121212"] {
        let refused = with_pin(easy, &first);
        assert_eq!(refused.code, Some(1), "{easy}");
        assert!(refused.notes.contains("pin_too_easy"), "{}", refused.notes);
    }
    let made = with_pin("147028", &first);
    assert_eq!(made.code, Some(0), "{}", made.notes);
    let again = with_pin("147028", &first);
    assert_eq!(again.code, Some(1));
    assert!(
        again.notes.contains("house_has_administrators"),
        "{}",
        again.notes
    );
    let add = |badge: &str, staff: &str, roles: &str| {
        let arguments = [
            "admin", "person", "add", "--data", data, "--badge", badge, "--staff", staff,
            "--roles", roles, "--by", "D001", "--second", "D002",
        ];
        with_pin("582917", &arguments)
    };
    let both = add("D003", "3", "administrator,auditor");
    assert_eq!(both.code, Some(1), "{}", both.notes);
    assert!(both.notes.contains("roles_exclude"), "{}", both.notes);
    let added = add("T003", "3", "technician");
    assert_eq!(added.code, Some(0), "{}", added.notes);
    // A badge of the same human is no second person.
    let again = add("D004", "1", "administrator");
    assert_eq!(again.code, Some(0), "{}", again.notes);
    let by_one = typing(
        &["147028", "582917"],
        &[
            "admin", "person", "withdraw", "--data", data, "--badge", "T003", "--by", "D001",
            "--second", "D004",
        ],
    );
    assert_eq!(by_one.code, Some(1), "{}", by_one.notes);
    assert!(
        by_one.notes.contains("same_person_twice"),
        "{}",
        by_one.notes
    );
    // A PIN that was set by others is good for nothing but to choose another.
    let device = |pin: &str| {
        typing(
            &[pin, "147028"],
            &[
                "admin", "device", "add", "--data", data, "--number", "2", "--name", "T02",
                "--role", "counter", "--by", "T003", "--second", "D001",
            ],
        )
    };
    let set = device("582917");
    assert_eq!(set.code, Some(1), "{}", set.notes);
    assert!(set.notes.contains("pin_known_to_other"), "{}", set.notes);
    let choose = ["admin", "pin", "choose", "--data", data, "--badge", "T003"];
    let chosen = typing(&["582917", "693028"], &choose);
    assert_eq!(chosen.code, Some(0), "{}", chosen.notes);
    let own = device("693028");
    assert_eq!(own.code, Some(0), "{}", own.notes);
    let published = with_pin("074129", &publish);
    assert_eq!(published.code, Some(0), "{}", published.notes);
    let key = with_pin(
        "",
        &[
            "admin", "device", "add", "--data", data, "--number", "1", "--name", "T01", "--role",
            "counter", "--by", "D001", "--second", "D002",
        ],
    );
    assert_eq!(key.code, Some(0), "{}", key.notes);
    assert_eq!(key.out.trim().len(), 64, "the key, and nothing else");
    let confirm = with_pin(
        "",
        &[
            "schedule", "confirm", "--data", data, "--by", "D001", "--second", "D002",
        ],
    );
    assert_eq!(confirm.code, Some(1), "nothing is halted");
    assert!(confirm.notes.contains("not_halted"), "{}", confirm.notes);
    let sales = |arguments: &[&str]| {
        let mut all = vec!["sales"];
        all.extend(arguments);
        all.extend(["--data", data, "--by", "D001"]);
        let done = with_pin("", &all);
        (done.code, done.notes)
    };
    let (code, notes) = sales(&["stop", "--reason", "the hall is flooded"]);
    assert_eq!(code, Some(0), "{notes}");
    assert!(notes.contains("sales are stopped"), "{notes}");
    let (code, notes) = sales(&["resume", "--second", "D001"]);
    assert_eq!(code, Some(1), "{notes}");
    assert!(notes.contains("same_person_twice"), "{notes}");
    let (code, notes) = sales(&["resume", "--second", "D002"]);
    assert_eq!(code, Some(0), "{notes}");
    assert!(notes.contains("sales go on"), "{notes}");
    let other = central(&["rebuild", "--data", data]).output().unwrap();
    assert_eq!(other.status.code(), Some(0));
    assert_eq!(run(&["verify", "--data", data]).code, Some(0));
}

#[test]
fn faults_of_files_are_named_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let absent = run(&["serve", "--data", data]);
    assert_eq!(absent.code, Some(2));
    assert!(
        absent
            .notes
            .contains("hint: is --data the folder that you mean?")
    );

    let text = HouseFile::demonstration()
        .replace("America/Toronto", "America/Nowhere")
        .replace("127.0.0.1:8480", "0.0.0.0:8480");
    std::fs::write(folder.path().join("house.toml"), &text).unwrap();
    let line_of = |words: &str| 1 + text.lines().position(|line| line.contains(words)).unwrap();
    for command in [
        vec!["serve", "--data", data],
        vec!["verify", "--data", data],
        vec!["demo", "--data", data],
    ] {
        let faulty = run(&command);
        assert_eq!(faulty.code, Some(2));
        for (words, place) in [("Nowhere", "house.zone"), ("0.0.0.0", "listen.address")] {
            let named = format!("house.toml:{}: {place}: ", line_of(words));
            assert!(faulty.notes.contains(&named), "{named}\n{}", faulty.notes);
        }
    }
    let refused = run(&["demo", "--data", data, "--listen", "0.0.0.0:1"]);
    assert_eq!(refused.code, Some(2));

    let rules = "../samples/rules/demonstration.toml";
    let sound = run(&["rules", "check", rules]);
    assert_eq!(sound.code, Some(0), "{}", sound.notes);
    assert!(sound.out.lines().count() > 10);
    for line in [
        "counter: $1.00 when nothing is said",
        "F1 keno 3 spots $1.00",
        "F8 keno 10 spots $5.00",
    ] {
        assert!(sound.out.lines().any(|said| said == line), "{}", sound.out);
    }
    let text = std::fs::read_to_string(rules).unwrap();
    // Too long, and not text: each is told as a fault of the file, before anything is opened.
    let path = folder.path().join("rules.toml");
    let long = format!("{text}\n{}", "#".repeat(70_000_000));
    let latin = [b"# un livre\n# r\xe8gles\n".as_slice(), text.as_bytes()].concat();
    for (bytes, line, words) in [
        (long.as_bytes(), 1, "le fichier dépasse 1048576 octets"),
        (latin.as_slice(), 2, "le texte n’est pas en UTF-8"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        for command in [
            vec!["rules", "check", path.to_str().unwrap()],
            vec![
                "rules",
                "publish",
                path.to_str().unwrap(),
                "--data",
                data,
                "--from",
                "1",
                "--by",
                "D001",
                "--second",
                "D002",
            ],
        ] {
            let wrong = run(&command);
            assert_eq!(wrong.code, Some(1), "{}", wrong.notes);
            let place = format!("rules.toml:{line}: ");
            assert!(
                wrong.out.contains(&place) && wrong.out.contains(words),
                "{}",
                wrong.out
            );
        }
    }
    let faulty = text.replace("drawn = 20", "drawn = 19");
    let path = folder.path().join("rules.toml");
    std::fs::write(&path, &faulty).unwrap();
    let wrong = run(&["rules", "check", path.to_str().unwrap()]);
    assert_eq!(wrong.code, Some(1), "{}", wrong.out);
    let line = 1 + faulty.lines().position(|line| line == "[pool]").unwrap();
    assert!(
        wrong.out.contains(&format!("rules.toml:{line}: pool: ")),
        "{}",
        wrong.out
    );
}

/// Every command of a list is refused with all of these words.
fn all_refused(commands: &[Vec<&str>], words: &[&str]) {
    for command in commands {
        let refused = run(command);
        assert_ne!(refused.code, Some(0), "{command:?}");
        for words in words {
            assert!(refused.notes.contains(words), "{command:?}: {words}");
        }
    }
}

/// A house just made, whose leaves are changed by this statement.
fn altered_house(folder: &std::path::Path, statement: &str) {
    use diesel::connection::SimpleConnection;
    let data = folder.to_str().unwrap();
    run(&["init", "--data", data, "--code", "nord", "--name", "Nord"]);
    let record = keno_schema::Database::Sqlite(folder.join("keno.sqlite"));
    let keno_schema::Connection::Sqlite(mut connection) = record.open_writer().unwrap() else {
        panic!("the house is on SQLite")
    };
    let statement = format!("DROP TRIGGER log_entry_never_changes; UPDATE log_entry {statement}");
    connection.batch_execute(&statement).unwrap();
}

#[test]
fn a_record_of_an_earlier_version_is_refused_by_every_command_and_set_aside_by_the_demonstration() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("demo-data");
    let data = folder.to_str().unwrap();
    altered_house(&folder, "SET leaf = CAST(x'01' || substr(leaf, 2) AS BLOB)");
    let (out, to) = (place.path().join("export"), place.path().join("backups"));
    let sheet = place.path().join("sheet.csv");
    let csv = sheet.to_str().unwrap();
    all_refused(
        &[
            vec!["serve", "--data", data],
            vec!["init", "--data", data],
            vec!["verify", "--data", data],
            vec!["migrate", "--data", data],
            vec!["rebuild", "--data", data],
            vec!["staff", "--data", data],
            vec!["export", "--data", data, "--out", out.to_str().unwrap()],
            vec!["backup", "--data", data, "--to", to.to_str().unwrap()],
            vec!["report", "draw", "--data", data, "--csv", csv, "1"],
        ],
        &[
            "the record is of format 1, of an earlier version",
            "`keno-central init`",
            "Le registre est du format 1, d’une version antérieure",
            "Rien n’a été changé",
        ],
    );
    assert!(!out.exists() && !sheet.exists());

    let aside = place.path().join("demo-data.format-1");
    let demonstration = Demonstration::start(&folder);
    for words in [
        "est d’une version antérieure : elle est rangée dans",
        "is of an earlier version: it is put away in",
        aside.to_str().unwrap(),
        "A demonstration house was made in",
    ] {
        assert!(
            demonstration.welcome.contains(words),
            "{}",
            demonstration.welcome
        );
    }
    assert!(demonstration.get("/healthz").contains(" 200 "));
    assert!(aside.join("keno.sqlite").exists() && aside.join("house.toml").exists());
}

#[test]
fn a_record_with_secrets_in_escrow_is_refused_by_all_that_open_or_copy_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("house");
    let data = folder.to_str().unwrap();
    // As an earlier version recorded it, but for its hash, which nobody comes to.
    altered_house(
        &folder,
        "SET leaf = CAST(substr(leaf, 1, 1) || x'46' || substr(leaf, 3) AS BLOB) \
         WHERE leaf_index = (SELECT max(leaf_index) FROM log_entry)",
    );
    let (out, to) = (place.path().join("export"), place.path().join("backups"));
    let [export, backup] = [&out, &to].map(|path| path.to_str().unwrap());
    let plain = ["serve", "init", "verify", "migrate", "rebuild", "staff"];
    let mut all = plain.map(|one| vec![one, "--data", data]).to_vec();
    all.push(vec!["export", "--data", data, "--out", export]);
    all.push(vec!["backup", "--data", data, "--to", backup]);
    all_refused(
        &all,
        &[
            "the record holds secrets in escrow (leaf ",
            ", kind 70), which this version of the program does not know",
            "The version that wrote it reads it",
            "Le registre contient des secrets sous séquestre (feuille ",
            "Rien n’a été changé",
            "La version qui l’a écrit le lit",
        ],
    );
    assert!(!out.exists());
}

#[test]
fn the_authority_is_made_and_devices_are_governed_while_central_runs() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let made = run(&["init", "--data", data, "--code", "nord", "--name", "Nord"]);
    assert_eq!(made.code, Some(0), "{}", made.notes);
    assert!(made.notes.contains("trust/ca.key"), "{}", made.notes);
    let key = folder.path().join("trust/ca.key");
    let kept = std::fs::read(&key).unwrap();
    let about = std::fs::metadata(&key).unwrap();
    assert_eq!(about.permissions().mode() & 0o777, 0o600);
    assert!(folder.path().join("trust/ca.pem").exists());

    let tls = "[tls]\nlisten = \"127.0.0.1:0\"\nnames = [\"localhost\"]\n";
    let demo = tempfile::tempdir().unwrap();
    let data = demo.path().to_str().unwrap();
    let text = format!("{}\n{tls}", HouseFile::demonstration());
    std::fs::write(demo.path().join("house.toml"), text).unwrap();
    let approve = |role: &str| {
        typing(
            &["147028", "074129"],
            &[
                "admin",
                "device",
                "approve",
                "--data",
                data,
                "--code",
                "ABCD-EFGH",
                "--number",
                "7",
                "--name",
                "T07",
                "--role",
                role,
                "--by",
                "D001",
                "--second",
                "D002",
            ],
        )
    };
    let idle = approve("counter");
    assert_eq!(idle.code, Some(2));
    assert!(
        idle.notes.contains("central does not run"),
        "{}",
        idle.notes
    );

    let house = Demonstration::start(demo.path());
    let unknown = approve("counter");
    assert_eq!(unknown.code, Some(1), "{}", unknown.notes);
    for words in [
        "enrolment_code_unknown",
        "Aucun appareil",
        "No device waits",
    ] {
        assert!(unknown.notes.contains(words), "{}", unknown.notes);
    }
    let revoke = |pin: &str| {
        let arguments = [
            "admin", "device", "revoke", "--data", data, "--number", "2", "--by", "D001",
        ];
        typing(&[pin], &arguments)
    };
    let refused = revoke("0000");
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.notes.contains("badge_or_pin_wrong"),
        "{}",
        refused.notes
    );
    let revoked = revoke("147028");
    assert_eq!(revoked.code, Some(0), "{}", revoked.notes);
    assert!(
        revoked.notes.contains("device 2 is revoked (leaf "),
        "{}",
        revoked.notes
    );

    // A process that dies leaves no image of its keys.
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", house.child.id())).unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    assert_eq!(
        core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(),
        ["0", "0"]
    );
    drop(house);

    // What is there is never replaced: a half of it stops the start.
    let data = folder.path().to_str().unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let open = run(&["init", "--data", data]);
    assert_eq!(open.code, Some(2));
    assert!(open.notes.contains("chmod 600"), "{}", open.notes);
    std::fs::remove_file(&key).unwrap();
    let half = run(&["init", "--data", data]);
    assert_eq!(half.code, Some(2));
    assert!(!key.exists());
    std::fs::write(&key, kept).unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(run(&["init", "--data", data]).code, Some(0));
}

#[test]
fn nothing_that_a_house_writes_is_for_others() {
    use std::os::unix::fs::PermissionsExt;
    fn is_private(path: &Path) {
        let about = std::fs::metadata(path).unwrap();
        let mode = about.permissions().mode() & 0o777;
        assert_eq!(mode & 0o037, 0, "{} is {mode:o}", path.display());
        if about.is_dir() {
            for entry in std::fs::read_dir(path).unwrap() {
                is_private(&entry.unwrap().path());
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (data, out, note) = (at("house"), at("log.export"), at("checkpoint"));
    let made = run(&["init", "--data", &data, "--code", "nord", "--name", "Nord"]);
    assert_eq!(made.code, Some(0), "{}", made.notes);
    let first = [
        "admin",
        "first",
        "--data",
        &data,
        "--administrator",
        "D001=1",
        "--administrator",
        "D002=2",
    ];
    assert_eq!(typing(&["147028", "074129"], &first).code, Some(0));
    let export = [
        "export",
        "--data",
        &data,
        "--out",
        &out,
        "--checkpoint-out",
        &note,
    ];
    assert_eq!(run(&export).code, Some(0));
    for (command, to) in [("backup", "records"), ("backup-keys", "keys")] {
        let backed_up = run(&[command, "--data", &data, "--to", &at(to)]);
        assert_eq!(backed_up.code, Some(0), "{}", backed_up.notes);
    }
    for name in ["house", "log.export", "checkpoint", "records", "keys"] {
        is_private(Path::new(&at(name)));
    }
}

#[test]
fn a_paper_of_another_house_is_not_attested() {
    let folder = tempfile::tempdir().unwrap();
    let (data, out) = (folder.path().join("house"), folder.path().join("note"));
    let (data, out) = (data.to_str().unwrap(), out.to_str().unwrap());
    let made = run(&["init", "--data", data, "--code", "nord", "--name", "Nord"]);
    assert_eq!(made.code, Some(0), "{}", made.notes);
    let code = "KT2073155289014666301MPJTB9D5MPJTB9D5MP0W000091182047GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY3RF1W7GY0JTB9D5MPJTB9D5MP";
    let attest = ["attest", "--data", data, "--out", out];
    let told = typing(&[code, ""], &attest);
    assert_eq!(told.code, Some(1), "{}", told.notes);
    assert!(told.out.contains("NOT OF THIS HOUSE"), "{}", told.out);
    assert!(!told.out.contains("0731552890146663") && !Path::new(out).exists());
}

/// The recovery code is said once, where the first administrators are made; typed with a badge and
/// a PIN it makes another administrator, and it is read from nowhere but standard input.
#[test]
fn one_administrator_who_is_left_makes_another() {
    let folder = tempfile::tempdir().unwrap();
    let house = folder.path().join("nord");
    let data = house.to_str().unwrap();
    let init = [
        "init",
        "--data",
        data,
        "--code",
        "nord",
        "--name",
        "Nord",
        "--administrator",
        "D001=1",
        "--administrator",
        "D002=2",
    ];
    let made = typing(&["147028", "074129"], &init);
    assert_eq!(made.code, Some(0), "{}", made.notes);
    let code = made.out.trim().to_owned();
    assert_eq!(code.len(), 23, "four groups of five: {code}");
    let recover = |code: &str, badge: &str| {
        let arguments = [
            "admin", "recover", "--data", data, "--badge", badge, "--staff", badge, "--by", "D001",
        ];
        typing(&["147028", code, "693028"], &arguments)
    };
    let wrong = recover("01234-56789-ABCDE-FGHJK", "D003");
    assert_eq!(wrong.code, Some(1), "{}", wrong.notes);
    assert!(
        wrong.notes.contains("badge_or_pin_wrong"),
        "{}",
        wrong.notes
    );
    let recovered = recover(&code, "D003");
    assert_eq!(recovered.code, Some(0), "{}", recovered.notes);
    assert!(!recovered.notes.contains(&code));
    let again = recover(&code, "D004");
    assert_eq!(again.code, Some(1), "{}", again.notes);
    let next = recover(recovered.out.trim(), "D004");
    assert_eq!(next.code, Some(0), "{}", next.notes);
    let renew = [
        "admin",
        "recovery-code",
        "--data",
        data,
        "--by",
        "D001",
        "--second",
        "D002",
    ];
    let renewed = typing(&["147028", "074129"], &renew);
    assert_eq!(renewed.code, Some(0), "{}", renewed.notes);
    assert_eq!(recover(next.out.trim(), "D005").code, Some(1));
    // Neither the record nor what stands beside it has a code.
    for entry in std::fs::read_dir(&house).unwrap() {
        let path = entry.unwrap().path();
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        for code in [&code, renewed.out.trim()] {
            let bare = code.replace('-', "");
            for form in [code.as_bytes(), bare.as_bytes()] {
                let is_there = bytes.windows(form.len()).any(|window| window == form);
                assert!(!is_there, "{}", path.display());
            }
        }
    }
}

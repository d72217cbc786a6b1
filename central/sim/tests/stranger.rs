//! A stranger's verifier agrees with keno-audit about a simulated day and 500 tampered copies of
//! it; `keno-sim stranger` does the same with a whole day.

use std::path::Path;

use keno_house_builder::stranger::{Compared, Copies};
use keno_sim::day::{Day, Settings};

const VERIFIER: &str = "../../e2e/stranger";

/// One at a time: a child that another test starts holds the locks of a day's folder for the moment
/// between its birth and its program.
static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn alone() -> std::sync::MutexGuard<'static, ()> {
    ALONE
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Tampered copies.
const COPIES: usize = 500;

fn exported(seed: u64, draws: usize, commands: u64) -> Vec<u8> {
    let _alone = alone();
    let settings = Settings {
        draws,
        commands,
        bystanders: true,
        ..Settings::DAY
    };
    let played = Day::open(seed, settings).and_then(|mut day| {
        day.run()?;
        day.end()?;
        day.export()
    });
    played.unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The verifier as it is, and then one that forgets to look at the rounding of cash, or at the seal,
/// at the numbers of a named set or at who remarks, which must be seen to differ: the comparison is
/// judged, too. All read the same copies.
#[test]
fn a_stranger_names_the_first_bad_entry_of_every_tampered_copy() {
    let copies = Copies::made(
        &exported(28, 10, 120),
        &exported(6, 4, 40),
        1,
        COPIES,
        Path::new(VERIFIER),
    )
    .unwrap_or_else(|fault| panic!("{fault:#}"));
    let compared = copies
        .compared(Path::new(VERIFIER), 0..COPIES)
        .unwrap_or_else(|fault| panic!("{fault:#}"));
    assert_eq!(compared.differences, Vec::<String>::new());
    assert_eq!(compared.elsewhere, Vec::<String>::new());
    assert_eq!(compared.tampered, COPIES);
    assert!(
        compared.known >= 300 && compared.sorts.len() >= 30,
        "too few sorts to say much: {compared:?}"
    );
    a_verifier_that_forgets_a_check_is_seen(&copies);
}

fn a_verifier_that_forgets_a_check_is_seen(copies: &Copies) {
    for (module, check, forgotten) in [
        (
            "payments.py",
            "rounding(body.total_cents) if",
            "body.rounding_cents if",
        ),
        ("tree.py", "b\"\\x01\"", "b\"\\x02\""),
        (
            "rules.py",
            "bytes(selection.groups[0]) != game.set",
            "selection.groups[0] is None",
        ),
        ("authority.py", "58: ({AUDITOR}", "58: (EVERY"),
    ] {
        let folder = tempfile::tempdir().unwrap_or_else(|fault| panic!("{fault}"));
        copy(Path::new(VERIFIER), folder.path());
        let module = folder.path().join("stranger").join(module);
        let text = std::fs::read_to_string(&module).unwrap_or_default();
        assert!(
            text.contains(check),
            "{check} is not in {}",
            module.display()
        );
        std::fs::write(&module, text.replacen(check, forgotten, 1))
            .unwrap_or_else(|fault| panic!("{fault}"));
        // With another node prefix no day holds at all: that is an error, and seen as well.
        let is_seen = |compared: &Compared| {
            !compared.differences.is_empty() || !compared.elsewhere.is_empty()
        };
        let mut some = (0..COPIES).step_by(50).map(|from| from..from + 50);
        let seen = some.any(|some| {
            let compared = copies.compared(folder.path(), some);
            compared.map_or(true, |compared| is_seen(&compared))
        });
        assert!(seen, "{check} was forgotten and nobody saw it");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap_or_else(|fault| panic!("{fault}"));
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap_or_else(|fault| panic!("{fault}"));
        }
    }
}

#[test]
fn a_stranger_reproduces_the_vectors() {
    let _alone = alone();
    let here = std::env::current_dir().unwrap();
    let files = [
        "../../schema/log/vectors",
        "../../draw-machine/vectors.json",
        "../../samples/rules/demonstration.toml",
    ];
    let output = std::process::Command::new("python3")
        .args(["-m", "stranger.vectors"])
        .args(files.map(|file| here.join(file)))
        .current_dir(VERIFIER)
        .output()
        .unwrap_or_else(|fault| panic!("{fault}"));
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

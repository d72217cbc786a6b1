//! The units and packages: nothing that constrains is lost by an edit, every file that a package
//! names is there, and no script of a package can remove data.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests, whose failures are the test's"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Units of services with the greatest exposure that `systemd-analyze security` may give, in
/// tenths: the figures of systemd 252, and one for another version's way to count.
const UNITS: [(&str, u32); 4] = [
    ("central/boulier-central.service", 13),
    ("terminal/boulier-terminal.service", 17),
    ("draw-machine/boulier-draw-machine-self-test.service", 5),
    ("draw-machine/boulier-draw-machine.service", 13),
];

/// What every unit says, word for word.
const CONSTRAINTS: [&str; 28] = [
    "UMask=0077",
    "LimitCORE=0",
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "PrivateTmp=yes",
    "DevicePolicy=closed",
    "PrivateIPC=yes",
    "RemoveIPC=yes",
    "ProtectProc=invisible",
    "ProcSubset=pid",
    "ProtectClock=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectControlGroups=yes",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "KeyringMode=private",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged @resources",
];

/// What a program that runs long says besides.
const LONG_LIVED: [&str; 5] = [
    "Type=notify",
    "Restart=on-failure",
    "StateDirectoryMode=0700",
    "ConfigurationDirectory=boulier",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
];

fn packaging() -> PathBuf {
    PathBuf::from("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Which of the constraints a unit does not say.
fn lacking(unit: &str, wanted: &[&'static str]) -> Vec<&'static str> {
    let lines: BTreeSet<&str> = unit.lines().collect();
    let absent = |one: &&&str| !lines.contains(**one);
    wanted.iter().filter(absent).copied().collect()
}

#[test]
fn every_unit_has_every_constraint() {
    for (name, _) in UNITS {
        let unit = read(&packaging().join(name));
        assert_eq!(lacking(&unit, &CONSTRAINTS), [""; 0], "{name}");
        if !name.contains("self-test") {
            assert_eq!(lacking(&unit, &LONG_LIVED), [""; 0], "{name}");
            assert!(unit.contains("\nWatchdogSec="), "{name}");
            assert!(unit.contains("\nLoadCredential="), "{name}");
        }
        let without = unit.replace("NoNewPrivileges=yes\n", "#NoNewPrivileges=yes\n");
        assert_eq!(lacking(&without, &CONSTRAINTS), ["NoNewPrivileges=yes"]);
    }
}

/// Exposure in tenths; `None` where there is no `systemd-analyze` that judges files.
fn exposure(unit: &Path) -> Option<u32> {
    let output = Command::new("systemd-analyze")
        .args(["security", "--offline=yes", "--no-pager"])
        .arg(unit)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text
        .lines()
        .find(|line| line.contains("Overall exposure level"))?;
    let figure = line.split(": ").nth(1)?.split(' ').next()?;
    figure.replace('.', "").parse().ok()
}

#[test]
fn the_exposure_stays_low_and_a_lost_constraint_shows() {
    for (name, bound) in UNITS {
        let path = packaging().join(name);
        let Some(found) = exposure(&path) else {
            // The other tests hold the constraints by word.
            return;
        };
        assert!(
            found <= bound,
            "{name}: exposure {found} tenths, at most {bound}"
        );
        let folder = tempfile::tempdir().unwrap();
        let weaker = folder.path().join(path.file_name().unwrap());
        let text = read(&path)
            .replace("ProtectSystem=strict\n", "")
            .replace("CapabilityBoundingSet=\n", "");
        std::fs::write(&weaker, text).unwrap();
        let found = exposure(&weaker).unwrap();
        assert!(
            found > bound,
            "{name}: a lost constraint does not show ({found})"
        );
    }
}

/// What `systemd-analyze verify` finds fault with, the program being there.
fn faults(unit: &str, name: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    // It looks whether the program is there, which it is on a machine with the package.
    let program = std::env::current_exe().unwrap();
    let text: String = unit
        .lines()
        .map(|line| match line.strip_prefix("ExecStart=/usr/bin/") {
            Some(rest) => {
                let arguments = rest.split_once(' ').map_or("", |(_, after)| after);
                format!("ExecStart={} {arguments}\n", program.display())
            }
            // A manual that is installed with the package.
            None if line.starts_with("Documentation=") => String::new(),
            None => format!("{line}\n"),
        })
        .collect();
    std::fs::write(&path, text).unwrap();
    let output = Command::new("systemd-analyze")
        .args(["verify", "--man=no"])
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    // Only of this unit: a machine has faults of its own.
    let ours = text.lines().filter(|line| line.contains(name));
    Some(ours.collect::<Vec<_>>().join("\n"))
}

#[test]
fn systemd_finds_no_fault_in_the_units() {
    for (name, _) in UNITS {
        let unit = read(&packaging().join(name));
        let file = name.rsplit('/').next().unwrap();
        let Some(found) = faults(&unit, file) else {
            return;
        };
        assert_eq!(found, "", "{name}");
        let misspelt = unit.replace("NoNewPrivileges=", "NoNewPrivilege=");
        let found = faults(&misspelt, file).unwrap();
        assert!(
            found.contains("NoNewPrivilege"),
            "a misspelt line is not found: {found:?}"
        );
    }
}

/// The manifests that make packages.
const MANIFESTS: [&str; 4] = [
    "central/Cargo.toml",
    "terminal/Cargo.toml",
    "draw-machine/host/Cargo.toml",
    "schema/audit/Cargo.toml",
];

#[test]
fn every_file_of_a_package_is_there() {
    let root = packaging().join("..");
    let mut units = 0;
    for name in MANIFESTS {
        let manifest: toml::Table = toml::from_str(&read(&root.join(name))).unwrap();
        let folder = root.join(name).parent().unwrap().to_owned();
        let deb = &manifest["package"]["metadata"]["deb"];
        let assets = deb["assets"].as_array().unwrap();
        let mut installed = BTreeSet::new();
        for asset in assets {
            let (from, to) = (asset[0].as_str().unwrap(), asset[1].as_str().unwrap());
            installed.insert(format!("/{to}{}", from.rsplit('/').next().unwrap()));
            if from.starts_with("target/") {
                continue;
            }
            units += usize::from(to.starts_with("lib/systemd/system/"));
            let place = folder.join(from);
            let is_there = if from.contains('*') {
                place.parent().unwrap().is_dir()
            } else {
                place.is_file()
            };
            assert!(is_there, "{name}: {from} is not there");
        }
        let configuration = deb.get("conf-files").and_then(toml::Value::as_array);
        for file in configuration.into_iter().flatten() {
            let file = file.as_str().unwrap();
            assert!(installed.contains(file), "{name}: {file} is not installed");
        }
        // What lies in /etc is a person's from then on.
        for file in installed.iter().filter(|file| file.starts_with("/etc/")) {
            let is_kept =
                configuration.is_some_and(|all| all.iter().any(|one| one.as_str() == Some(file)));
            assert!(is_kept, "{name}: an upgrade would overwrite {file}");
        }
        if let Some(scripts) = deb.get("maintainer-scripts") {
            assert!(
                folder
                    .join(scripts.as_str().unwrap())
                    .join("postinst")
                    .is_file()
            );
        }
    }
    assert_eq!(units, 5, "four services and a timer");
}

/// Words of a script that can remove something, outside of comments and of what it prints.
fn removing(script: &str) -> Vec<String> {
    const REMOVE: [&str; 9] = [
        "rm", "rmdir", "unlink", "shred", "find", "deluser", "userdel", "delgroup", "truncate",
    ];
    let mut found = Vec::new();
    let mut is_printed = false;
    for line in script.lines() {
        if line.contains("<<'WORDS'") {
            is_printed = true;
        } else if line == "WORDS" {
            is_printed = false;
        } else if !is_printed && !line.trim_start().starts_with('#') {
            let words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '-');
            found.extend(
                words
                    .filter(|word| REMOVE.contains(word))
                    .map(str::to_owned),
            );
        }
    }
    found
}

#[test]
fn no_script_of_a_package_removes_anything() {
    let mut seen = 0;
    for package in ["central", "terminal", "draw-machine"] {
        for script in ["postinst", "prerm", "postrm"] {
            let path = packaging().join(package).join("debian").join(script);
            let text = read(&path);
            assert_eq!(removing(&text), [""; 0], "{}", path.display());
            assert!(text.starts_with("#!/bin/sh\n"), "{}", path.display());
            assert!(text.contains("\nset -e\n"), "{}", path.display());
            let sound = Command::new("sh").arg("-n").arg(&path).status().unwrap();
            assert!(sound.success(), "{}", path.display());
            seen += 1;
        }
    }
    assert_eq!(seen, 9);
    let planted = "#!/bin/sh\nset -e\ncat <<'WORDS'\nrm nothing\nWORDS\nrm -rf /var/lib/x\n";
    assert_eq!(removing(planted), ["rm"]);
    assert_eq!(
        removing("if purge; then deluser boulier-central; fi"),
        ["deluser"]
    );
}

/// The unit does not see the kernel's file of it, and a terminal with a certificate needs it.
#[test]
fn the_terminal_is_told_which_start_of_the_machine_this_is() {
    let unit = Path::new("../terminal/boulier-terminal.service");
    let text = std::fs::read_to_string(unit).unwrap();
    assert!(
        text.lines()
            .any(|line| line == "Environment=BOULIER_BOOT_ID=%b")
    );
}

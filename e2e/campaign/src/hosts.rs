//! The hosts of a draw as child processes: killed with SIGKILL at any moment, and started again on what
//! they kept.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use keno_line::HostKey;
use keno_record::chance::Chance as Bytes;
use keno_record::keys::{ServerKeys, signing_key};
use keno_record::record::{keys_path, origin_of};

use crate::chance::Chance;
use crate::clock::pass;

/// How many there are.
pub const COUNT: usize = 3;
/// The hosts: name, and of a holder its name in the house file.
const HOSTS: [(&str, Option<&str>); COUNT] = [
    ("draw-room", None),
    ("machine-room", Some("machine")),
    ("audit-office", Some("audit")),
];

/// The hosts of a house.
#[derive(Debug)]
pub struct Hosts {
    program: PathBuf,
    folder: PathBuf,
    running: BTreeMap<&'static str, Child>,
    /// How many were killed.
    pub kills: u64,
}

impl Hosts {
    /// Makes the keys of the house in `data`, the hosts in `folder`, and says in the house file where
    /// they are; starts them.
    ///
    /// # Errors
    /// When a key cannot be made, or a host does not start.
    pub fn found(
        program: &Path,
        folder: &Path,
        data: &Path,
        house: &mut String,
    ) -> anyhow::Result<Self> {
        let keys = ServerKeys::generate(&Bytes::System)?;
        keys.save_new(&keys_path(data))?;
        let log = signing_key(&keys, &origin_of("demo")).context("the log key")?;
        let central = HostKey::of_central(*keys.draw_line_seed())?;
        let mut pinned = BTreeMap::new();
        let mut places = BTreeMap::new();
        for (name, _) in HOSTS {
            let key = HostKey::read_or_make(&folder.join(name), name)?;
            // Free now; a host that finds it taken at a start says so and the campaign ends.
            let free = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
            pinned.insert(name, key.verifying_key().to_string());
            places.insert(name, free.to_string());
        }
        for (name, holder) in HOSTS {
            let part = match holder {
                Some(holder) => {
                    format!(
                        "part = \"holder\"\nholder = \"{holder}\"\nsecond_folder = \"second\"\n"
                    )
                }
                None => "part = \"machine\"\n".to_owned(),
            };
            let holders: String = HOSTS
                .iter()
                .filter_map(|(name, holder)| {
                    Some(format!("{} = \"{}\"\n", (*holder)?, pinned[name]))
                })
                .collect();
            let holders = match holder {
                None => format!("[holders]\n{holders}"),
                Some(_) => String::new(),
            };
            let settings = format!(
                "{part}host = \"{name}\"\nhouse = \"demo\"\nlisten = \"{}\"\nfolder = \".\"\n\
                 central = \"{}\"\nlog = \"{}\"\n{holders}",
                places[name],
                central.verifying_key(),
                log.verifying_key()
            );
            std::fs::write(folder.join(name).join("host.toml"), settings)?;
            let place = format!("address = \"{}\"\nkey = \"{}\"", places[name], pinned[name]);
            let (from, to) = match holder {
                None => (
                    "[[holder]]".to_owned(),
                    format!("[machine]\n{place}\n\n[[holder]]"),
                ),
                Some("audit") => ("folder = \"audit-office\"".to_owned(), place),
                Some(holder) => (format!("folder = \"{holder}\""), place),
            };
            anyhow::ensure!(house.contains(&from), "the house file has no {from}");
            *house = house.replacen(&from, &to, 1);
        }
        let mut hosts = Self {
            program: program.to_owned(),
            folder: folder.to_owned(),
            running: BTreeMap::new(),
            kills: 0,
        };
        for (name, _) in HOSTS {
            hosts.start(name)?;
        }
        Ok(hosts)
    }

    fn start(&mut self, name: &'static str) -> anyhow::Result<()> {
        let mut child = Command::new(&self.program)
            .args(["serve", "--settings"])
            .arg(self.folder.join(name).join("host.toml"))
            .env("BOULIER_LOG", "error")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be run", self.program.display()))?;
        let mut said = String::new();
        let stdout = child.stdout.take().context("a host has no stdout")?;
        BufReader::new(stdout).read_line(&mut said)?;
        anyhow::ensure!(said.starts_with("listening\t"), "{name} does not start");
        self.running.insert(name, child);
        Ok(())
    }

    fn kill(&mut self, name: &str) {
        if let Some(mut child) = self.running.remove(name) {
            let _ = child.kill();
            let _ = child.wait();
            self.kills += 1;
        }
    }

    /// Kills the host at a place: the machine's first, then the holders'.
    pub fn kill_at(&mut self, place: usize) {
        if let Some((name, _)) = HOSTS.get(place) {
            self.kill(name);
        }
    }

    /// Starts it again on what it kept.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start_at(&mut self, place: usize) -> anyhow::Result<()> {
        HOSTS
            .get(place)
            .map_or(Ok(()), |(name, _)| self.start(name))
    }

    /// Kills one host after the other, and starts each again after a while, until `is_over`; counts
    /// them in `killed`.
    ///
    /// # Errors
    /// When one does not start again.
    pub fn suffer(
        &mut self,
        chance: &mut Chance,
        is_over: &AtomicBool,
        killed: &AtomicU64,
    ) -> anyhow::Result<()> {
        while !is_over.load(Ordering::SeqCst) {
            pass(Duration::from_millis(chance.below(1_200)));
            let place = usize::try_from(chance.below(3)).unwrap_or(0);
            let name = HOSTS.get(place).map_or("", |(name, _)| name);
            self.kill(name);
            killed.fetch_add(1, Ordering::SeqCst);
            pass(Duration::from_millis(chance.below(900)));
            self.start(name)?;
        }
        Ok(())
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for child in self.running.values_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

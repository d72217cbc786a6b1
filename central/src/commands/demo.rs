//! A demonstration house: made when it is not there, kept when it is.

mod devices;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use keno_record::record::lock_folder;
use keno_record::roles::{Role, has_any};
use keno_schema::connection::RECORD_FORMAT;
use keno_schema::{Database, OpenFault};
use keno_service::draw::Conductor;
use keno_service::house_file::HouseFile;
use keno_service::staff::NewPerson;
use keno_service::{Central, draw, house};
use keno_words::{Say, both, demo};

use devices::{DEVICES, enrol, write_terminals};

use super::fail::{advised, stopped};
use super::folder::{Folder, HOUSE_FILE};
use super::hosts::{demo_house, write_demo_hosts};
use super::serve::{must_be_loopback, until_stopped};
use super::whole::write_whole;
use super::{Data, Ending, say};

/// The rules of the demonstration.
const RULES: &str = include_str!("../../../samples/rules/demonstration.toml");

/// The record, as the house file of every demonstration named it.
const RECORD_FILE: &str = "keno.sqlite";

/// Someone of the demonstration.
struct Badge {
    badge: &'static str,
    pin: &'static str,
    role: Role,
}

const fn badge(badge: &'static str, pin: &'static str, role: Role) -> Badge {
    Badge { badge, pin, role }
}

const BADGES: [Badge; 10] = [
    badge("C142", "246813", Role::Clerk),
    badge("C143", "864297", Role::Clerk),
    badge("S007", "135792", Role::Supervisor),
    badge("S008", "753186", Role::Supervisor),
    badge("K021", "975316", Role::Cage),
    badge("M101", "319702", Role::Marker),
    badge("V102", "620819", Role::Verifier),
    badge("A300", "357924", Role::Auditor),
    badge("D001", "147028", Role::Administrator),
    badge("D002", "074129", Role::Administrator),
];

/// What a role is called in French and in English.
fn role_words(role: Role) -> String {
    both(match role {
        Role::Clerk => &demo::RoleClerk,
        Role::Supervisor => &demo::RoleSupervisor,
        Role::Cage => &demo::RoleCage,
        Role::Marker => &demo::RoleMarker,
        Role::Verifier => &demo::RoleVerifier,
        Role::Auditor => &demo::AuditOffice,
        Role::Administrator => &demo::RoleAdministrator,
        other => return other.name().to_owned(),
    })
}

/// Badges under which the demonstration publishes its rules and records its people and devices.
const PUBLISHERS: (&str, &str) = ("D001", "D002");
/// How often the demonstration looks whether a follower answers.
const ASKED_EVERY: Duration = Duration::from_millis(200);
/// Badges under which the demonstration confirms the clock.
const CONFIRMERS: (&str, &str) = ("S007", "S008");

/// Moves the folder of a demonstration of an earlier version out of the way; returns where to. Its
/// record is judged before its house file, which that version may have written otherwise.
fn set_aside(data: &Path) -> anyhow::Result<Option<PathBuf>> {
    let record = data.join(RECORD_FILE);
    if !record.exists() {
        return Ok(None);
    }
    match Database::Sqlite(record).open_reader() {
        Err(OpenFault::OtherFormat { found }) if found < RECORD_FORMAT => {
            let lock = lock_folder(data)?;
            let name = |count: u32| {
                let mut name = data.as_os_str().to_owned();
                name.push(match count {
                    1 => format!(".format-{found}"),
                    count => format!(".format-{found}-{count}"),
                });
                PathBuf::from(name)
            };
            let free = (1..).map(name).find(|path| !path.exists());
            let aside = free.context("there is no name for the old folder")?;
            std::fs::rename(data, &aside)
                .with_context(|| format!("{} cannot be moved aside", data.display()))?;
            drop(lock);
            Ok(Some(aside))
        }
        // Whatever else is wrong with it is said where central is opened.
        _ => Ok(None),
    }
}

/// Written where a demonstration begins.
const DEMONSTRATION_FILE: &str = "demonstration";
/// The keys that a house makes when it is first opened.
const KEYS_FILE: &str = "keys.toml";

/// Refuses a house that was not begun as a demonstration: it would get people whose PINs anybody
/// can read, in its administrators' names.
fn must_be_a_demonstration(data: &Path) -> anyhow::Result<()> {
    let mark = data.join(DEMONSTRATION_FILE);
    if mark.exists() {
        return Ok(());
    }
    if data.join(RECORD_FILE).exists() || data.join(KEYS_FILE).exists() {
        return Err(advised(
            format!(
                "{} is the folder of a house, and no demonstration",
                data.display()
            ),
            &[
                "serve it: keno-central serve --data FOLDER",
                "or give the demonstration a folder of its own",
            ],
        ));
    }
    std::fs::create_dir_all(data).with_context(|| format!("{} cannot be made", data.display()))?;
    write_whole(
        &mark,
        b"A demonstration: nothing in this folder has value.\n",
    )
}

/// Where a machine that reads its own balls is asked for.
const BALL_MACHINE: &str = "127.0.0.1:8494";

/// How the demonstration draws (s. 75).
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Draws {
    /// By the computer.
    Computer,
    /// With balls, which two people enter at the two desks.
    Hands,
    /// With balls, which their machine reads: `keno-draw-machine simulate` at port 8494.
    Line,
}

#[derive(Debug, Args)]
pub struct Demo {
    #[command(flatten)]
    data: Data,
    /// Where to listen on this machine, instead of what house.toml says.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// How a new house draws; one that is there goes on as it does.
    #[arg(long, value_enum, default_value_t = Draws::Computer)]
    draw: Draws,
    /// A new house draws with a machine and holders that are programs of their own, whose settings
    /// are written below hosts/.
    #[arg(long)]
    hosts: bool,
    /// Only make the house, in the place of one of an earlier version if there is one.
    #[arg(long, hide = true)]
    prepare: bool,
}

/// Runs a demonstration house; with `prepare` it only makes one.
pub fn demo(asked: &Demo) -> anyhow::Result<Ending> {
    let (data, listen) = (&*asked.data.data, asked.listen);
    if let Some(listen) = listen {
        must_be_loopback(listen)?;
    }
    if let Some(aside) = set_aside(data)? {
        let (shown, aside) = (&data, &aside);
        let words = demo::SetAside { shown, aside };
        say(&format!("{}\n{}\n", words.fr(), words.en()))?;
    }
    let house_file = data.join(HOUSE_FILE);
    must_be_a_demonstration(data)?;
    if !house_file.exists() {
        std::fs::create_dir_all(data)
            .with_context(|| format!("{} cannot be made", data.display()))?;
        let mut text = house_text(listen, asked.draw);
        if asked.hosts {
            text = demo_house(data, &text)?;
        }
        write_whole(&house_file, text.as_bytes())?;
    }
    let mut folder = Folder::read(data)?;
    if let Some(listen) = listen {
        folder.house.listen = listen;
    }
    let listen = folder.house.listen;
    must_be_loopback(listen)?;
    let central = folder.open()?;
    write_demo_hosts(data, &central.house, &central.keys)?;
    if asked.prepare {
        return Ok(Ending::Done);
    }
    furnish(&central)?;
    let devices = enrol(&central, data, PUBLISHERS)?;
    let confirmed = confirm_clock(&central)?;
    begin_following(&central)?;
    let paths = data.to_owned();
    let kept_draw = central
        .view
        .get()
        .draws
        .values()
        .next_back()
        .map(|draw| draw.number());
    until_stopped(data, central, listen, move |address| {
        let clerks = [&BADGES[0], &BADGES[1]].map(|clerk| (clerk.badge, clerk.pin));
        write_terminals(&paths, address, &devices, clerks)?;
        say(&welcome(&paths, address, kept_draw, confirmed))
    })
}

/// The house file, with the address where this demonstration is to be found from now on.
fn house_text(listen: Option<SocketAddr>, draws: Draws) -> String {
    let mut text = HouseFile::demonstration();
    if draws != Draws::Computer {
        // Two people take about a minute for twenty balls.
        let balls = "balls_from = \"00:00\"\nballs_until = \"23:58\"\n\n[ball_sets]";
        text = text
            .replace("every_minutes = 2", "every_minutes = 5")
            .replacen("\n[ball_sets]", balls, 1);
    }
    if draws == Draws::Line {
        text += &format!("\n[ball_machine]\nname = \"b-1\"\naddress = \"{BALL_MACHINE}\"\n");
    }
    match listen {
        Some(listen) => text.replace("\"127.0.0.1:8480\"", &format!("\"{listen}\"")),
        None => text,
    }
}

/// People and rules that are not there yet.
fn furnish(central: &Central) -> anyhow::Result<()> {
    let view = central.view.get();
    let missing = |one: &&Badge| !view.people.contains_key(one.badge);
    let (first, others): (Vec<&Badge>, Vec<&Badge>) = BADGES
        .iter()
        .filter(missing)
        .partition(|one| one.role == Role::Administrator);
    let founders: Vec<NewPerson<'_>> = first
        .iter()
        .map(|one| NewPerson::of(one.badge, std::slice::from_ref(&one.role), one.pin))
        .collect();
    NewPerson::record_founders(central, &founders).map_err(stopped)?;
    for one in others {
        let person = NewPerson::of(one.badge, std::slice::from_ref(&one.role), one.pin);
        person
            .record(central, PUBLISHERS.0, PUBLISHERS.1)
            .map_err(stopped)?;
    }
    if view.rule_books.is_empty() {
        // Where somebody follows the log, large payments wait for that.
        let waits = "[payout]\nsecond_computation = 60";
        let rules = match central.follower {
            Some(_) => RULES.replacen("[payout]", waits, 1),
            None => RULES.to_owned(),
        };
        house::publish_rules(central, &rules, 1, PUBLISHERS.0, PUBLISHERS.1).map_err(stopped)?;
    }
    Ok(())
}

/// Two of the demonstration say who follows the log, once somebody answers; where the same one goes on,
/// nobody has to.
fn begin_following(central: &Arc<Central>) -> anyhow::Result<()> {
    let Some(line) = central.follower.clone() else {
        return Ok(());
    };
    if central.view.get().following.last.is_some() {
        return Ok(());
    }
    let weak = Arc::downgrade(central);
    let (kept, nothing) = channel::<()>();
    let wait = move || {
        // Nothing comes: this waits and no more.
        let _kept = kept;
        while let Some(central) = weak.upgrade() {
            if line.begin_by(&central, PUBLISHERS.0, PUBLISHERS.1).is_ok() {
                return;
            }
            drop(central);
            let _ = nothing.recv_timeout(ASKED_EVERY);
        }
    };
    std::thread::Builder::new()
        .name("demonstration".to_owned())
        .spawn(wait)
        .context("no thread for the follower")?;
    Ok(())
}

/// A demonstration that was off for more than a day confirms its own clock; a house needs two
/// people for it.
fn confirm_clock(central: &Central) -> anyhow::Result<bool> {
    let last_at_ms = central.last_at_start_ms();
    Conductor::check_silence(central, last_at_ms).map_err(stopped)?;
    let view = central.view.get();
    let may_confirm = [CONFIRMERS.0, CONFIRMERS.1].iter().all(|badge| {
        view.people
            .get(*badge)
            .is_some_and(|person| person.active && has_any(&person.roles, &[Role::Supervisor]))
    });
    if view.schedule_halted.is_none() || !may_confirm {
        return Ok(false);
    }
    draw::confirm_schedule(central, CONFIRMERS.0, CONFIRMERS.1).map_err(stopped)?;
    Ok(true)
}

fn welcome(data: &Path, address: SocketAddr, kept_draw: Option<u64>, confirmed: bool) -> String {
    let mut lines = Vec::new();
    let place = &data;
    let in_each = |words: &dyn Say| [words.fr(), words.en()];
    match &kept_draw {
        None => lines.extend(in_each(&demo::Made { shown: place })),
        Some(draw) => lines.extend(in_each(&demo::GoesOn { shown: place, draw })),
    }
    if confirmed {
        let (one, two) = (&CONFIRMERS.0, &CONFIRMERS.1);
        lines.extend(in_each(&demo::ClockConfirmed { one, two }));
    }
    lines.push(String::new());
    let shown = data.display();
    for (what, place) in [
        ("Pages".to_owned(), format!("http://{address}/")),
        (both(&demo::Board), format!("http://{address}/board")),
        ("API".to_owned(), format!("http://{address}/openapi.json")),
        (
            both(&demo::CounterTerminal),
            format!("keno-terminal --config {shown}/terminal.toml"),
        ),
    ] {
        lines.push(format!("  {what:<20} {place}"));
    }
    let heads = [&demo::Badge as &dyn Say, &demo::Pin, &demo::Role].map(both);
    lines.push(format!("\n  {}", heads.join("   ")));
    for person in &BADGES {
        let role = role_words(person.role);
        lines.push(format!("  {:<17} {:<11} {role}", person.badge, person.pin));
    }
    lines.push(format!("\n  {}", both(&demo::Device)));
    for (number, name, _, place) in DEVICES {
        lines.push(format!("  {number:<3} {name:<13} {}", both(place)));
    }
    let keys = both(&demo::Keys);
    lines.push(format!("  ({keys}: {shown}/devices.toml)\n"));
    lines.extend(in_each(&demo::PinsArePublic));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use keno_service::staff::DeviceNumber;

    use super::*;

    #[test]
    fn the_rules_may_be_published_in_this_house() {
        let book = keno_book::rules_file::read(RULES).unwrap();
        assert_eq!(book.rules.version, 1);
        HouseFile::read_for(&HouseFile::demonstration(), &book.rules).unwrap();
    }

    #[test]
    fn a_demonstration_that_was_off_for_days_confirms_its_own_clock_and_keeps_what_it_had() {
        use keno_record::clock::ManualClock;
        use keno_service::central::Options;
        use std::sync::Arc;
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at(1_795_194_000_000));
        let open = || {
            let house = HouseFile::read(&HouseFile::demonstration()).unwrap();
            Central::open(Options::new(
                folder.path().to_owned(),
                house,
                Arc::clone(&clock) as Arc<_>,
            ))
            .unwrap()
        };
        let central = open();
        furnish(&central).unwrap();
        let keys = enrol(&central, folder.path(), PUBLISHERS).unwrap();
        assert!(!confirm_clock(&central).unwrap());
        Conductor::tick(&central);
        let leaves = central.view.get().log_size;
        drop(central);

        clock.advance(1_000);
        let central = open();
        furnish(&central).unwrap();
        let kept = enrol(&central, folder.path(), PUBLISHERS).unwrap();
        assert!(
            keys.iter()
                .zip(&kept)
                .all(|(one, other)| one.key == other.key)
        );
        assert!(!confirm_clock(&central).unwrap());
        // Nothing but the lease of this start was recorded.
        assert_eq!(central.view.get().log_size, leaves + 1);
        drop(central);

        clock.advance(3 * 86_400_000);
        let central = open();
        assert!(confirm_clock(&central).unwrap());
        assert!(central.view.get().schedule_halted.is_none());
        assert!(Conductor::tick(&central) > 0, "draws go on");
        drop(central);

        // A key that was not kept is made anew, and the old one is dead.
        std::fs::remove_file(folder.path().join("devices.toml")).unwrap();
        let central = open();
        let renewed = enrol(&central, folder.path(), PUBLISHERS).unwrap();
        assert_ne!(renewed[0].key, keys[0].key);
        let view = central.view.get();
        let old = hex::decode(&keys[0].key).unwrap();
        assert!(
            keno_service::authority::identity::DeviceCaller::of_sent_key(&view, 1, &old).is_err()
        );
        // One that was revoked stays so, whoever starts the demonstration again.
        DeviceNumber(2).revoke(&central, PUBLISHERS.0).unwrap();
        let again = enrol(&central, folder.path(), PUBLISHERS).unwrap();
        assert!(again.iter().all(|kept| kept.number != 2));
        assert!(!central.view.get().devices.get(&2).unwrap().active);
    }

    #[test]
    fn a_house_is_never_taken_for_a_demonstration() {
        let place = tempfile::tempdir().unwrap();
        for file in [RECORD_FILE, KEYS_FILE] {
            let data = place.path().join(format!("house of {file}"));
            std::fs::create_dir_all(&data).unwrap();
            std::fs::write(data.join(file), "").unwrap();
            assert!(must_be_a_demonstration(&data).is_err(), "{file}");
            let asked = Demo {
                data: Data { data: data.clone() },
                listen: None,
                draw: Draws::Computer,
                hosts: false,
                prepare: false,
            };
            assert!(demo(&asked).is_err(), "{file}");
        }
        let data = place.path().join("new");
        must_be_a_demonstration(&data).unwrap();
        std::fs::write(data.join(KEYS_FILE), "").unwrap();
        must_be_a_demonstration(&data).unwrap();
    }

    #[test]
    fn a_house_of_an_earlier_version_is_moved_aside_whole_and_no_other() {
        use diesel::connection::SimpleConnection;
        let place = tempfile::tempdir().unwrap();
        let data = place.path().join("demo-data");
        assert_eq!(set_aside(&data).unwrap(), None);
        let old_house = |format: u8, what: &str| {
            std::fs::create_dir_all(&data).unwrap();
            let database = Database::Sqlite(data.join(RECORD_FILE));
            let keno_schema::Connection::Sqlite(mut connection) = database.open_writer().unwrap()
            else {
                unreachable!()
            };
            connection
                .batch_execute(&format!(
                    "CREATE TABLE log_entry (leaf_index INTEGER PRIMARY KEY, leaf BLOB); \
                     INSERT INTO log_entry VALUES (0, x'0{format}00')"
                ))
                .unwrap();
            // A house file that this version could not read.
            std::fs::write(data.join(HOUSE_FILE), what).unwrap();
        };
        for (count, name) in [(1, "demo-data.format-1"), (2, "demo-data.format-1-2")] {
            let what = format!("an old house, {count}");
            old_house(1, &what);
            let aside = place.path().join(name);
            assert_eq!(set_aside(&data).unwrap().as_ref(), Some(&aside));
            assert!(!data.exists());
            assert!(aside.join(RECORD_FILE).exists());
            assert_eq!(
                std::fs::read_to_string(aside.join(HOUSE_FILE)).unwrap(),
                what
            );
        }
        // One of this version stays, and so does one of a later version.
        for format in [RECORD_FORMAT, RECORD_FORMAT + 1] {
            old_house(format, "");
            assert_eq!(set_aside(&data).unwrap(), None);
            assert!(data.exists());
            std::fs::remove_dir_all(&data).unwrap();
        }
    }

    #[test]
    fn the_address_is_kept_in_the_house_file() {
        let listen = SocketAddr::from(([127, 0, 0, 1], 9999));
        assert_eq!(
            HouseFile::read(&house_text(Some(listen), Draws::Computer))
                .unwrap()
                .listen,
            listen
        );
        assert_eq!(
            house_text(None, Draws::Computer),
            HouseFile::demonstration()
        );
        let of_balls = HouseFile::read(&house_text(None, Draws::Hands)).unwrap();
        assert!(of_balls.balls.is_some() && of_balls.every_minutes == 5);
        assert_eq!(of_balls.ball_machine, None);
        let read = HouseFile::read(&house_text(None, Draws::Line)).unwrap();
        assert!(read.balls.is_some() && read.ball_machine.is_some());
    }
}

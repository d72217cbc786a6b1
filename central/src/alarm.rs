//! Alarms: a closed list of things that a supervisor or a technician must know at once.
//!
//! Nothing below this edge knows of them. A watcher compares what the pictures of the state, the
//! reserve and the files show with what stands; an alarm is raised once, stands while its cause
//! does, and is cleared. Each change goes to the log of the process, to the metrics, and to the
//! command of the house, which runs on a thread of its own and can hold nothing up.

mod command;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use keno_service::Central;
use keno_words::{Language, Say, alarm};
use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;

pub use command::{AlarmCommand, CommandEnd, CommandLimits, Outcome, fatal, program_of};

/// Alarms that were cleared and are still told.
const RECENT_MAX: usize = 50;

keno_game::named! {
    /// What an alarm is about. The list is closed; names are stable.
    AlarmName {
        /// The clock is doubtful: no draw step is taken.
        ScheduleHalted "schedule_halted",
        /// A draw is interrupted.
        DrawSuspended "draw_suspended",
        /// Sales are stopped for the whole house.
        SalesSuspended "sales_suspended",
        /// The disk was full: the reserve is given up and sales are refused.
        DiskReserveReleased "disk_reserve_released",
        /// A step that needs a holder's secret or the machine does not succeed.
        HolderFailed "holder_failed",
        /// A draw of balls waits for the draw room.
        DrawWaitsForRoom "draw_waits_for_room",
        /// The machine that reads its own balls does not answer, and a draw of them is due.
        BallMachineAway "ball_machine_away",
        /// Program or tables were changed since the start: no draw begins.
        IntegrityLost "integrity_lost",
        /// A win that the guard holds was to be decided by now.
        WinHeldLong "win_held_long",
        /// Nothing was heard of the follower of the log for a while.
        FollowerAway "follower_away",
        /// The follower of the log refuses what it is handed.
        FollowerRefuses "follower_refuses",
        /// A follower answers of which two people have not said that it is who follows.
        FollowerNew "follower_new",
        /// The record names another follower of the log than the house file.
        FollowerOther "follower_other",
        /// The second computation found something wrong with a draw.
        DrawDiffers "draw_differs",
        /// An anchor file does not hold the newest checkpoint.
        AnchorFailed "anchor_failed",
        /// The write-ahead log of the database is above 256 MiB.
        WalLarge "wal_large",
        /// Many control numbers that do not exist were asked for.
        ManyUnknownNumbers "many_unknown_numbers",
        /// A badge was locked out after wrong PINs.
        LockOut "lock_out",
        /// The outcome of a commit is unknown.
        CommitUnknown "commit_unknown",
        /// Two machines hold the key of one device.
        DeviceCopied "device_copied",
        /// A paper that central made knows another log than the record.
        PaperDisagrees "paper_disagrees",
        /// A number came up so often, or so seldom, that it is no chance any more.
        NumbersUneven "numbers_uneven",
        /// An administrator was made with the recovery code, and one person alone knows the next one.
        RecoveryCodeUsed "recovery_code_used",
    }
}

/// An alarm: its name, and which one of several it is about (a draw, a file); else empty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alarm {
    /// Name.
    pub name: AlarmName,
    /// Draw number or file, as text.
    pub subject: String,
}

impl Alarm {
    /// An alarm about nothing in particular.
    pub fn plain(name: AlarmName) -> Self {
        Self::about(name, "")
    }

    /// An alarm about one of several.
    pub fn about(name: AlarmName, subject: impl Into<String>) -> Self {
        Self {
            name,
            subject: subject.into(),
        }
    }
}

/// What happened and what to do.
impl Say for Alarm {
    fn say(&self, language: Language, to: &mut String) {
        let subject = &self.subject;
        let words: &dyn Say = match self.name {
            AlarmName::ScheduleHalted => &alarm::ScheduleHalted,
            AlarmName::DrawSuspended => &alarm::DrawSuspended { subject },
            AlarmName::SalesSuspended => &alarm::SalesSuspended,
            AlarmName::DiskReserveReleased => &alarm::DiskReserveReleased,
            AlarmName::HolderFailed => &alarm::HolderFailed { subject },
            AlarmName::FollowerAway => &alarm::FollowerAway { subject },
            AlarmName::FollowerRefuses => &alarm::FollowerRefuses { subject },
            AlarmName::FollowerNew => &alarm::FollowerNew { subject },
            AlarmName::FollowerOther => &alarm::FollowerOther { subject },
            AlarmName::DrawDiffers => &alarm::DrawDiffers { subject },
            AlarmName::AnchorFailed => &alarm::AnchorFailed { subject },
            AlarmName::WalLarge => &alarm::WalLarge,
            AlarmName::ManyUnknownNumbers => &alarm::ManyUnknownNumbers,
            AlarmName::LockOut => &alarm::LockOut,
            AlarmName::CommitUnknown => &alarm::CommitUnknown,
            AlarmName::DeviceCopied => &alarm::DeviceCopied { subject },
            AlarmName::PaperDisagrees => &alarm::PaperDisagrees { subject },
            AlarmName::DrawWaitsForRoom => &alarm::DrawWaitsForRoom { subject },
            AlarmName::BallMachineAway => &alarm::BallMachineAway { subject },
            AlarmName::IntegrityLost => &alarm::IntegrityLost { subject },
            AlarmName::WinHeldLong => &alarm::WinHeldLong { subject },
            AlarmName::NumbersUneven => &alarm::NumbersUneven { subject },
            AlarmName::RecoveryCodeUsed => &alarm::RecoveryCodeUsed,
        };
        words.say(language, to);
    }
}

keno_game::named! {
    /// Raised or cleared.
    Change {
        /// The cause is there.
        Raised "raised",
        /// The cause is gone.
        Cleared "cleared",
    }
}

/// An alarm with its times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The alarm.
    pub alarm: Alarm,
    /// When it was raised, UTC milliseconds.
    pub since_ms: i64,
    /// When it was cleared; absent while it stands.
    pub cleared_ms: Option<i64>,
}

/// The label of an alarm's name.
type OfName = [(&'static str, &'static str); 1];

fn of_name(name: AlarmName) -> OfName {
    [("name", name.name())]
}

#[derive(Debug, Default)]
struct Book {
    standing: BTreeMap<Alarm, i64>,
    recent: VecDeque<Told>,
}

/// What stands, and where changes are told.
#[derive(Debug)]
pub struct Alarms {
    book: Mutex<Book>,
    raised: Family<OfName, Counter>,
    standing: Family<OfName, Gauge>,
    command: Option<AlarmCommand>,
    unknown_commits: AtomicU64,
}

impl Alarms {
    /// Nothing stands. Changes are told to the command too, if there is one.
    pub fn new(command: Option<AlarmCommand>) -> Self {
        let alarms = Self {
            book: Mutex::default(),
            raised: Family::default(),
            standing: Family::default(),
            command,
            unknown_commits: AtomicU64::new(0),
        };
        // Each name is there from the start, so that a rule over it is not silent for want of it.
        for name in AlarmName::ALL {
            drop(alarms.raised.get_or_create(&of_name(name)));
            drop(alarms.standing.get_or_create(&of_name(name)));
        }
        alarms
    }

    /// The alarms of an opened central, with the command that its `house.toml` names.
    pub fn of(central: &Central, folder: &Path) -> Self {
        let command = central.house.alarm_command.as_deref().and_then(|text| {
            let program = program_of(text, folder);
            let clock = Arc::clone(&central.clock);
            AlarmCommand::start(
                program,
                &central.house_code,
                clock,
                CommandLimits::default(),
                None,
            )
            .inspect_err(|fault| tracing::error!(%fault, "no thread for the alarm command"))
            .ok()
        });
        Self::new(command)
    }

    /// A request was answered that the outcome of its command is unknown.
    pub fn commit_unknown(&self) {
        self.unknown_commits.fetch_add(1, Ordering::Relaxed);
    }

    /// Requests that were answered so since the start.
    pub fn unknown_commits(&self) -> u64 {
        self.unknown_commits.load(Ordering::Relaxed)
    }

    /// Has `boulier_alarms_total` and `boulier_alarms_standing` told with the other metrics.
    pub fn register(&self, registry: &mut prometheus_client::registry::Registry) {
        registry.register("alarms", "Alarms raised", self.raised.clone());
        registry.register(
            "alarms_standing",
            "Alarms that stand",
            self.standing.clone(),
        );
    }

    /// What is seen now is compared with what stood: what is new is raised, what is gone is
    /// cleared, what still stands is not told again. Returns the changes.
    pub fn update(&self, seen: &BTreeSet<Alarm>, now_ms: i64) -> Vec<(Change, Alarm)> {
        let mut changes = Vec::new();
        {
            let mut book = self.book.lock();
            let gone: Vec<(Alarm, i64)> = book
                .standing
                .iter()
                .filter(|(alarm, _)| !seen.contains(*alarm))
                .map(|(alarm, since_ms)| (alarm.clone(), *since_ms))
                .collect();
            for (alarm, since_ms) in gone {
                book.standing.remove(&alarm);
                if book.recent.len() >= RECENT_MAX {
                    book.recent.pop_front();
                }
                book.recent.push_back(Told {
                    alarm: alarm.clone(),
                    since_ms,
                    cleared_ms: Some(now_ms),
                });
                changes.push((Change::Cleared, alarm));
            }
            for alarm in seen {
                if !book.standing.contains_key(alarm) {
                    book.standing.insert(alarm.clone(), now_ms);
                    changes.push((Change::Raised, alarm.clone()));
                }
            }
        }
        for (change, alarm) in &changes {
            self.tell(*change, alarm);
        }
        changes
    }

    fn tell(&self, change: Change, alarm: &Alarm) {
        let (name, subject) = (alarm.name.name(), alarm.subject.as_str());
        match change {
            Change::Raised => {
                self.raised.get_or_create(&of_name(alarm.name)).inc();
                self.standing.get_or_create(&of_name(alarm.name)).inc();
                tracing::error!(alarm = name, subject, words = %alarm.en(), "alarm");
            }
            Change::Cleared => {
                self.standing.get_or_create(&of_name(alarm.name)).dec();
                tracing::info!(alarm = name, subject, "alarm cleared");
            }
        }
        if let Some(command) = &self.command {
            command.run(change, alarm);
        }
    }

    /// What stands, by name.
    pub fn standing(&self) -> Vec<Told> {
        self.book
            .lock()
            .standing
            .iter()
            .map(|(alarm, since_ms)| Told {
                alarm: alarm.clone(),
                since_ms: *since_ms,
                cleared_ms: None,
            })
            .collect()
    }

    /// What was cleared lately, the newest first.
    pub fn recent(&self) -> Vec<Told> {
        self.book.lock().recent.iter().rev().cloned().collect()
    }
}

//! What is seen, and what it means: a thread that is woken by every new picture of the state and
//! looks by itself every few seconds, so that nothing below this edge has to know of alarms.

use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use keno_game::DrawState;
use keno_record::view::{DrawInfo, View};
use keno_service::Central;
use keno_service::draw::Step;
use keno_service::staff::LastHeard;
use keno_service::staff::RecoveryCode;
use parking_lot::{Condvar, Mutex};

use crate::alarm::{Alarm, AlarmName};
use crate::app::App;
use crate::wall::SILENT_AFTER_MS;

/// A write-ahead log above it alarms, in bytes.
pub const WAL_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Without news the watcher looks after so long.
const LOOK: Duration = Duration::from_secs(5);
/// Files are looked at so often.
const FILES_EVERY_MS: i64 = 60_000;
/// A step that is due for so long does not succeed.
const STUCK_MS: i64 = 10_000;
/// The window of unknown numbers.
const WINDOW_MS: i64 = 60_000;
/// Unknown numbers of the house in a minute that alarm, in those of one device.
const UNKNOWN_FACTOR: u64 = 2;
/// A lock-out stands so long after the last one: as long as a badge is locked out.
const LOCK_OUT_MS: i64 = 300_000;
/// An unknown outcome stands so long after the last one.
const COMMIT_UNKNOWN_MS: i64 = 900_000;

/// What the files of the house show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// Bytes in the database's write-ahead log; 0 where there is none.
    pub wal_bytes: u64,
    /// Leaves under the newest checkpoint, read before the anchors.
    pub checkpoint_size: u64,
    /// Each anchor file with the leaves under its last anchor; `None` when it cannot be read.
    pub anchors: Vec<(String, Option<u64>)>,
}

/// What is seen in one look. Counters only grow; the watcher compares them with earlier looks.
#[derive(Debug, Clone)]
pub struct Sight {
    /// The picture of the state.
    pub view: Arc<View>,
    /// The draw step that is due.
    pub due: Option<Step>,
    /// On the clock that nobody can set.
    pub monotonic_ms: i64,
    /// The disk's reserve is given up.
    pub reserve_released: bool,
    /// Control numbers, masked, of wins that were to be decided by now.
    pub late_wins: Vec<String>,
    /// What was changed since the start.
    pub changed: Option<String>,
    /// The draw of balls that waits for the draw room.
    pub waits_for_room: Option<u64>,
    /// What is wrong with the follower of the log, where the house has one.
    pub follower: Option<Alarm>,
    /// The machine that reads its own balls, where it does not answer and is to be asked.
    pub ball_machine_away: Option<String>,
    /// Files, as last looked at.
    pub files: Files,
    /// Unknown numbers asked for, ever.
    pub unknown_numbers: u64,
    /// Unknown numbers that one device may ask for in a minute.
    pub unknown_numbers_per_device: u64,
    /// Sign-ons refused because the badge is locked out, ever.
    pub lock_outs: u64,
    /// Commands answered with an unknown outcome, ever.
    pub unknown_commits: u64,
    /// Devices whose key two machines hold.
    pub copied_devices: Vec<u32>,
    /// Sizes at which a true paper knew another log.
    pub disagreeing_papers: Vec<u64>,
}

/// A counter whose growth stands for a while.
#[derive(Debug, Default)]
struct Recent {
    count: u64,
    until_ms: Option<i64>,
}

impl Recent {
    fn stands(&mut self, count: u64, now_ms: i64, for_ms: i64) -> bool {
        if count > self.count {
            self.count = count;
            self.until_ms = Some(now_ms.saturating_add(for_ms));
        }
        self.until_ms.is_some_and(|until_ms| now_ms < until_ms)
    }
}

/// Judges what is seen; remembers what must have lasted.
#[derive(Debug, Default)]
pub struct Watcher {
    stuck: Option<(Step, i64)>,
    unknown: VecDeque<(i64, u64)>,
    lock_outs: Recent,
    unknown_commits: Recent,
}

impl Watcher {
    /// The alarms whose cause is there.
    pub fn judge(&mut self, sight: &Sight) -> BTreeSet<Alarm> {
        let now_ms = sight.monotonic_ms;
        let view = &sight.view;
        let mut seen = BTreeSet::new();
        let mut plain = |is_there: bool, name: AlarmName| {
            if is_there {
                seen.insert(Alarm::plain(name));
            }
        };
        plain(view.schedule_halted.is_some(), AlarmName::ScheduleHalted);
        plain(view.sales_suspended.is_some(), AlarmName::SalesSuspended);
        plain(
            RecoveryCode::was_used(&view.people),
            AlarmName::RecoveryCodeUsed,
        );
        plain(sight.reserve_released, AlarmName::DiskReserveReleased);
        plain(sight.files.wal_bytes > WAL_BYTES_MAX, AlarmName::WalLarge);
        plain(self.many_unknown(sight), AlarmName::ManyUnknownNumbers);
        plain(
            self.lock_outs.stands(sight.lock_outs, now_ms, LOCK_OUT_MS),
            AlarmName::LockOut,
        );
        plain(
            self.unknown_commits
                .stands(sight.unknown_commits, now_ms, COMMIT_UNKNOWN_MS),
            AlarmName::CommitUnknown,
        );
        for draw in view.draws.values() {
            if draw.state() == DrawState::Suspended {
                let number = draw.number().to_string();
                seen.insert(Alarm::about(AlarmName::DrawSuspended, number));
            }
        }
        if let Some(draw) = sight.waits_for_room {
            seen.insert(Alarm::about(AlarmName::DrawWaitsForRoom, draw.to_string()));
        }
        seen.extend(sight.follower.clone());
        let away = sight.ball_machine_away.as_ref();
        seen.extend(away.map(|name| Alarm::about(AlarmName::BallMachineAway, name)));
        for (draw, waiting) in &view.following.waiting {
            if waiting.differs.is_some() {
                seen.insert(Alarm::about(AlarmName::DrawDiffers, draw.to_string()));
            }
        }
        for number in &sight.late_wins {
            seen.insert(Alarm::about(AlarmName::WinHeldLong, number.clone()));
        }
        if let Some(what) = &sight.changed {
            seen.insert(Alarm::about(AlarmName::IntegrityLost, what.clone()));
        }
        for frequency in &view.frequencies {
            for number in frequency.uneven() {
                let subject = match &frequency.set {
                    Some(set) => format!("{number} ({set})"),
                    None => number.to_string(),
                };
                seen.insert(Alarm::about(AlarmName::NumbersUneven, subject));
            }
        }
        for (file, anchored) in &sight.files.anchors {
            // Anchors are written before a checkpoint is shown: one behind it was not written.
            if anchored.is_none_or(|size| size < sight.files.checkpoint_size) {
                seen.insert(Alarm::about(AlarmName::AnchorFailed, file.clone()));
            }
        }
        for device in &sight.copied_devices {
            seen.insert(Alarm::about(AlarmName::DeviceCopied, device.to_string()));
        }
        for size in &sight.disagreeing_papers {
            seen.insert(Alarm::about(AlarmName::PaperDisagrees, size.to_string()));
        }
        if let Some(draw) = self.stuck_draw(sight) {
            seen.insert(Alarm::about(AlarmName::HolderFailed, draw.to_string()));
        }
        seen
    }

    /// More unknown numbers in the last minute than several patrons mistype.
    fn many_unknown(&mut self, sight: &Sight) -> bool {
        let now_ms = sight.monotonic_ms;
        // The last look before the window is what the window is measured from.
        while self
            .unknown
            .get(1)
            .is_some_and(|(at_ms, _)| now_ms - at_ms >= WINDOW_MS)
        {
            self.unknown.pop_front();
        }
        if self
            .unknown
            .back()
            .is_none_or(|(at_ms, _)| *at_ms != now_ms)
        {
            self.unknown.push_back((now_ms, sight.unknown_numbers));
        }
        let before = self.unknown.front().map_or(0, |(_, count)| *count);
        let many = sight
            .unknown_numbers_per_device
            .saturating_mul(UNKNOWN_FACTOR);
        sight.unknown_numbers.saturating_sub(before) >= many.max(1)
    }

    /// The draw whose step needs a secret or the machine, is due, and is not taken.
    fn stuck_draw(&mut self, sight: &Sight) -> Option<u64> {
        let needs_a_holder = |step: &Step| {
            matches!(
                step,
                Step::Schedule { .. } | Step::Record(_) | Step::Reveal(_)
            )
        };
        let Some(step) = sight.due.clone().filter(needs_a_holder) else {
            self.stuck = None;
            return None;
        };
        // The slot that a draw would get moves on with time: the draw is what is compared.
        let is_same = |before: &Step| {
            before.draw() == step.draw()
                && std::mem::discriminant(before) == std::mem::discriminant(&step)
        };
        let since_ms = match &self.stuck {
            Some((before, since_ms)) if is_same(before) => *since_ms,
            _ => sight.monotonic_ms,
        };
        let draw = step.draw();
        self.stuck = Some((step, since_ms));
        (sight.monotonic_ms - since_ms >= STUCK_MS).then_some(draw)
    }
}

/// The leaves under the last whole anchor of a file.
fn last_anchor(path: &Path) -> Option<u64> {
    const TAIL_BYTES: u64 = 64 * 1024;
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL_BYTES)))
        .ok()?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail).ok()?;
    let end = tail.iter().rposition(|&byte| byte == b'\n')?;
    // A line of the access log may stand after it.
    let line = tail
        .get(..end)?
        .rsplit(|&byte| byte == b'\n')
        .find(|line| !line.starts_with(b"access "))?;
    std::str::from_utf8(line)
        .ok()?
        .strip_prefix("anchor ")?
        .split(' ')
        .next()?
        .parse()
        .ok()
}

impl Files {
    /// Looks at the files of a house.
    pub fn look(central: &Central, folder: &Path) -> Self {
        let house = &central.house;
        // Before the anchors: a checkpoint that appears meanwhile is not held against them.
        let checkpoint_size = central.checkpoint().map_or(0, |newest| newest.size);
        let anchors = std::iter::once(&house.anchors_file)
            .chain(&house.anchors_extra)
            .map(|file| (file.display().to_string(), last_anchor(&folder.join(file))))
            .filter(|_| checkpoint_size > 0)
            .collect();
        let wal_bytes = if house.database_is_a_file() {
            let wal = folder.join(format!("{}-wal", house.database_url));
            std::fs::metadata(wal).map_or(0, |about| about.len())
        } else {
            0
        };
        Self {
            wal_bytes,
            checkpoint_size,
            anchors,
        }
    }
}

/// Wins that the guard holds and that were to be decided by now; none where the record cannot be read,
/// which is an alarm of its own.
fn late_wins(app: &App) -> Vec<String> {
    let now_ms = app.central.clock.now_ms();
    let held = app.wall.held(&app.central).unwrap_or_default();
    let late = held.into_iter().filter(|held| held.is_late(now_ms));
    late.map(|held| held.number).collect()
}

/// What is wrong with the follower of the log: one thing at a time, the worst first.
fn follower(central: &Central, view: &View) -> Option<Alarm> {
    let line = central.follower.as_ref()?;
    let heard = line.heard();
    // By the name alone: the words may count entries, and it would be another alarm each time.
    let (name, subject) = match &heard.refuses {
        _ if line.is_another_named(&view.following) => (AlarmName::FollowerOther, line.name()),
        _ if heard.is_away(central.clock.monotonic_ms()) => (AlarmName::FollowerAway, line.name()),
        Some(refused) => (AlarmName::FollowerRefuses, refused.name.as_str()),
        None if heard.beginning.is_some() && !heard.is_on_record(line, &view.following) => {
            (AlarmName::FollowerNew, line.name())
        }
        None => return None,
    };
    Some(Alarm::about(name, subject))
}

/// The machine that reads its own balls, where it does not answer while a draw waits for it or is read.
fn ball_machine_away(central: &Central, view: &View) -> Option<String> {
    let line = central.ball_line.as_ref()?;
    let is_due = |draw: &DrawInfo| {
        let state = draw.state();
        draw.is_of_balls()
            && draw.may_be_read()
            && !draw.is_drawn()
            && matches!(state, DrawState::Closed | DrawState::Drawing)
    };
    let is_away = !line.standing().answers && view.draws.values().any(|draw| is_due(draw));
    is_away.then(|| line.name().to_owned())
}

impl Sight {
    /// Looks around; files are given.
    pub fn look(app: &App, files: Files) -> Self {
        let central = &app.central;
        let view = central.view.get();
        let key_of = |device: u32| {
            let known = view.devices.get(&device).filter(|known| known.active)?;
            Some(known.key_hash)
        };
        Self {
            copied_devices: app.trust.copies.copied(key_of),
            disagreeing_papers: app.papers.disagreeing(),
            due: Step::due(
                &view,
                &central.schedule,
                central.calendar,
                central.clock.now_ms(),
                |_| false,
            ),
            waits_for_room: view
                .waits_for_room(central.clock.now_ms(), central.schedule.start_lead_ms)
                .map(|draw| draw.number()),
            follower: follower(central, &view),
            ball_machine_away: ball_machine_away(central, &view),
            view,
            monotonic_ms: central.clock.monotonic_ms(),
            reserve_released: central.reserve.is_released(),
            changed: central.changed_since_start(),
            late_wins: late_wins(app),
            files,
            unknown_numbers: app.metrics.unknown_numbers(),
            unknown_numbers_per_device: u64::from(central.house.unknown_numbers_per_minute),
            lock_outs: app.access.lock_outs(),
            unknown_commits: app.alarms.unknown_commits(),
        }
    }
}

#[derive(Debug, Default)]
struct Wake {
    state: Mutex<(bool, bool)>,
    arrived: Condvar,
}

impl Wake {
    fn news(&self) {
        self.state.lock().0 = true;
        self.arrived.notify_all();
    }

    fn stop(&self) {
        self.state.lock().1 = true;
        self.arrived.notify_all();
    }

    /// Waits for news, at most [`LOOK`]; false when it is time to stop.
    fn wait(&self) -> bool {
        let mut state = self.state.lock();
        self.arrived
            .wait_while_for(&mut state, |(news, stopping)| !*news && !*stopping, LOOK);
        state.0 = false;
        !state.1
    }
}

/// The watcher on a thread of its own; it stops when this is dropped.
#[derive(Debug)]
pub struct Watch {
    wake: Arc<Wake>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Watch {
    /// Starts watching.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(app: web::Data<App>, folder: PathBuf) -> std::io::Result<Self> {
        let wake = Arc::new(Wake::default());
        let (of_central, of_thread) = (Arc::clone(&wake), Arc::clone(&wake));
        app.central.watch(move || of_central.news());
        let thread = std::thread::Builder::new()
            .name("alarms".to_owned())
            .spawn(move || run(&app, &folder, &of_thread))?;
        Ok(Self {
            wake,
            thread: Some(thread),
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.wake.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the watcher of the alarms ended in a panic");
        }
    }
}

/// Ends the sessions that are as long as one may be.
pub fn end_overlong(app: &App) {
    let reports = app.wall.reports.all();
    let now_ms = app.central.clock.monotonic_ms();
    LastHeard::end_overlong(&app.central, |device| {
        let heard = reports.get(&device)?;
        let silent_ms = now_ms - heard.at_ms;
        Some(LastHeard {
            silent_ms,
            has_doubts: !heard.report.open.is_empty() || silent_ms > SILENT_AFTER_MS,
        })
    });
}

fn run(app: &App, folder: &Path, wake: &Wake) {
    let mut watcher = Watcher::default();
    let mut files: Option<(i64, Files)> = None;
    loop {
        let clock = &app.central.clock;
        let now_ms = clock.monotonic_ms();
        let seen = match files.take() {
            Some((at_ms, seen)) if now_ms - at_ms < FILES_EVERY_MS => (at_ms, seen),
            _ => (now_ms, Files::look(&app.central, folder)),
        };
        let sight = Sight::look(app, seen.1.clone());
        files = Some(seen);
        app.alarms.update(&watcher.judge(&sight), clock.now_ms());
        end_overlong(app);
        if !wake.wait() {
            return;
        }
    }
}

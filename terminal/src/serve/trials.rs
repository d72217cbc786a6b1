//! The pages on which a technician tries printer and scanner, and what they ask. Nothing is sold
//! here, and central is not asked. Nothing is tried while a command is at work or in doubt: a test
//! page in the middle of a doubt would make people look at the wrong paper. Nothing is tried on a
//! locked screen; while central is away, only where no till is open, and the drawer never.

use std::sync::Arc;
use std::time::Duration;

use actix_web::{HttpResponse, web};
use keno_wire::reply::Bilingual;
use keno_words::{Say, counter as words};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::assets;
use super::board::Link;
use super::door::{Left, Shared, answer, locked, refusal_of, refused};
use super::hands::{Beforehand, Work};
use super::task::Task;
use crate::agent::Agent;
use crate::exit::Exit;
use crate::printer::trial::{Trial, try_printer};
use crate::printer::{Condition, condition, open_drawer};
use crate::scanner::trial::try_scan;
use crate::scanner::wedge::Wedge;
use crate::scanner::{Heard, Scan, ScannerKind, ScannerSettings};

/// So long a page waits for a scan before it is told that nothing was read.
const PATIENCE: Duration = Duration::from_secs(20);

/// The printer, as the page shows it.
#[derive(Debug, Serialize)]
struct PrinterView {
    /// `ready`, `silent`, or the name of a trouble.
    state: &'static str,
    /// The same in words.
    sentence: Bilingual,
    /// The roll is near its end.
    near_end: bool,
    /// Whether the drawer is open, where its sensor is known.
    drawer_open: Option<bool>,
    /// Whether there is a drawer to open.
    has_drawer: bool,
}

fn printer_view(now: &Condition, agent: &Agent<'_>) -> PrinterView {
    let drawer = agent.equipment.drawer;
    PrinterView {
        state: now.standing.name(),
        sentence: Bilingual::of(&now.standing),
        near_end: now.is_near_end,
        drawer_open: drawer.and_then(|drawer| drawer.is_open(now)),
        has_drawer: drawer.is_some(),
    }
}

/// What a trial came to.
#[derive(Debug, Serialize)]
struct Tried {
    /// As a command ends.
    exit: Exit,
    /// The printer after it.
    printer: PrinterView,
    /// From the first question of the page to its confirmation, in milliseconds; none when the
    /// printer confirmed nothing.
    confirmed_ms: Option<u64>,
    /// What was seen, a sentence a line.
    said: Vec<Bilingual>,
}

/// Why nothing may be tried now.
fn not_now(shared: &Shared, is_drawer: bool) -> Option<HttpResponse> {
    if let Some(refusal) = locked(shared) {
        return Some(refusal);
    }
    let is_away = !matches!(shared.board.link(), Link::Trusted | Link::Skewed);
    let has_till = || {
        shared
            .board
            .on_sale()
            .is_some_and(|sale| sale.line().shift.is_some())
    };
    if is_away && is_drawer {
        return Some(refused("central_away", 503, &words::DrawerNeedsCentral));
    }
    (is_away && has_till()).then(|| refused("till_open", 409, &words::TillOpenWithoutCentral))
}

/// Does a trial in the hands, when nothing is in doubt.
async fn tried(
    shared: &Shared,
    task: Task,
    work: impl FnOnce(&mut Agent<'static>) -> anyhow::Result<Tried> + Send + 'static,
) -> HttpResponse {
    if let Some(refusal) = not_now(shared, task == Task::Drawer) {
        return refusal;
    }
    let lock = Arc::clone(&shared.lock);
    let told = Arc::new(Mutex::new(None));
    let tell = Arc::clone(&told);
    // Judged by the hands themselves: nothing can come to be in doubt in between.
    let work: Work = Box::new(move |agent| {
        if !agent.journal.open_items().is_empty() {
            return Ok(Exit::InDoubt);
        }
        // The screen may have been locked while this waited.
        if lock.is_locked() {
            return Ok(Exit::Refused);
        }
        *tell.lock() = Some(work(agent)?);
        Ok(Exit::Done)
    });
    let ended = shared.hands.run(task, Beforehand::default(), work).await;
    let tried = told.lock().take();
    match (tried, ended) {
        (Some(tried), Ok(_)) => HttpResponse::Ok().json(tried),
        (None, Ok(ended)) if ended.exit == Exit::InDoubt => in_doubt(),
        (None, Ok(ended)) if ended.exit == Exit::Refused => {
            locked(shared).unwrap_or_else(|| answer(Ok(ended)))
        }
        (_, ended) => answer(ended),
    }
}

fn in_doubt() -> HttpResponse {
    refused("in_doubt", 409, &words::CommandInDoubt)
}

async fn printer_state(shared: web::Data<Shared>) -> HttpResponse {
    tried(&shared, Task::PrinterState, |agent| {
        let now = condition(&agent.driver, agent.timing);
        let near_end = now.near_end(agent.equipment.near_end_tickets);
        Ok(Tried {
            exit: Exit::Done,
            printer: printer_view(&now, agent),
            confirmed_ms: None,
            said: near_end.into_iter().collect(),
        })
    })
    .await
}

async fn test_printer(shared: web::Data<Shared>) -> HttpResponse {
    tried(&shared, Task::PrinterTest, |agent| {
        let trial: Trial = try_printer(
            &agent.driver,
            &agent.device.to_string(),
            agent.width,
            agent.timing,
            agent.equipment,
        )?;
        let is_confirmed = matches!(
            trial.outcome,
            Some(Ok(crate::printer::Confirmation::Printer))
        );
        Ok(Tried {
            exit: if trial.is_good() {
                Exit::Done
            } else {
                Exit::PrinterTrouble
            },
            printer: printer_view(&trial.after, agent),
            confirmed_ms: is_confirmed
                .then(|| u64::try_from(trial.took.as_millis()).unwrap_or(u64::MAX)),
            said: trial.sentences(),
        })
    })
    .await
}

/// Opens the drawer for who is signed on and in front of the screen, and for nobody else; the log
/// keeps who it was.
async fn test_drawer(shared: web::Data<Shared>) -> HttpResponse {
    if shared.lock.is_due() {
        return refusal_of(Left::Untouched);
    }
    tried(&shared, Task::Drawer, |agent| {
        let refuses = |said: &dyn Say| (Bilingual::of(said), Exit::Refused);
        let on = agent.signed_on().filter(|_| !agent.journal.is_handed_out());
        let (said, exit) = match (on, agent.equipment.drawer) {
            (None, _) => refuses(&words::DrawerNeedsSignOn),
            (_, None) => refuses(&words::NoDrawer),
            (Some(badge), Some(drawer)) => {
                let opened = open_drawer(&agent.driver, drawer, agent.timing);
                tracing::warn!(
                    badge,
                    device = agent.device,
                    is_opened = opened.is_ok(),
                    "the drawer was opened by hand, without a sale"
                );
                match opened {
                    Ok(()) => (Bilingual::of(&words::DrawerOpens), Exit::Done),
                    Err(fault) => (
                        Bilingual::of(&words::DrawerByKey { fault: &fault }),
                        Exit::PrinterTrouble,
                    ),
                }
            }
        };
        let now = condition(&agent.driver, agent.timing);
        Ok(Tried {
            exit,
            printer: printer_view(&now, agent),
            confirmed_ms: None,
            said: vec![said],
        })
    })
    .await
}

/// A scan, as the page shows it.
#[derive(Debug, Default, Serialize)]
struct ScanView {
    /// How scans come in: `wedge`, `serial`, `evdev` or `off`.
    kind: ScannerKind,
    /// What it means, by its stable name; none when nothing was read.
    meaning: Option<&'static str>,
    /// Bytes that came.
    bytes: usize,
    /// They as hexadecimal digits, with dots for those of a secret.
    hexadecimal: String,
    /// They as text, likewise.
    text: String,
    /// Whether the prefix of the settings was there; none when there is none.
    has_prefix: Option<bool>,
    /// Whether the suffix was.
    has_suffix: Option<bool>,
    /// What it means, or why there is nothing, in words.
    sentence: Bilingual,
}

impl ScanView {
    fn nothing(kind: ScannerKind, why: &dyn Say) -> Self {
        Self {
            kind,
            sentence: Bilingual::of(why),
            ..Self::default()
        }
    }

    fn of(scan: &Scan, settings: &ScannerSettings) -> Self {
        let trial = try_scan(scan, settings);
        Self {
            kind: settings.kind,
            meaning: Some(trial.meaning.name()),
            bytes: trial.bytes,
            sentence: Bilingual::of(&trial.meaning),
            hexadecimal: trial.hexadecimal,
            text: trial.text,
            has_prefix: trial.has_prefix,
            has_suffix: trial.has_suffix,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Typed {
    /// What was typed on the page; a scanner with a device of its own is listened to instead.
    #[serde(default)]
    typed: String,
}

/// What came of waiting for a scan of a device of its own.
fn heard(heard: Heard, settings: &ScannerSettings) -> ScanView {
    const NOTHING: &dyn Say = &words::NothingRead;
    match heard {
        Heard::Scan(scan) => ScanView::of(&scan, settings),
        Heard::Nothing => ScanView::nothing(settings.kind, NOTHING),
        Heard::Absent(absence) => ScanView::nothing(settings.kind, &absence),
    }
}

async fn test_scanner(shared: web::Data<Shared>, asked: web::Json<Typed>) -> HttpResponse {
    if let Some(refusal) = not_now(&shared, false) {
        return refusal;
    }
    let now = shared.board.view();
    if now.busy.is_some() {
        return answer(Err(super::hands::NotTaken::Busy));
    }
    if !now.open.is_empty() {
        return in_doubt();
    }
    let scans = Arc::clone(&shared.scans);
    let is_typed = matches!(scans.settings().kind, ScannerKind::Wedge | ScannerKind::Off)
        && !scans.is_listened_to();
    let view = if is_typed {
        let nothing = || Scan {
            bytes: Vec::new(),
            is_cut: false,
        };
        let scan = Wedge::line(&asked.typed).unwrap_or_else(nothing);
        Some(ScanView::of(&scan, scans.settings()))
    } else {
        web::block(move || {
            let next = match scans.absence() {
                Some(absence) => Heard::Absent(absence),
                None => scans.try_next(PATIENCE)?,
            };
            Some(heard(next, scans.settings()))
        })
        .await
        .ok()
        .flatten()
    };
    match view {
        Some(view) => HttpResponse::Ok().json(view),
        None => refused("scanner_busy", 409, &words::ScanWaitedForElsewhere),
    }
}

/// The addresses of the trials, for a counter.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    assets::configure(cfg, &[assets::TRIALS]);
    cfg.route("/agent/printer-state", web::post().to(printer_state))
        .route("/agent/printer-test", web::post().to(test_printer))
        .route("/agent/drawer", web::post().to(test_drawer))
        .route("/agent/scanner-test", web::post().to(test_scanner));
}

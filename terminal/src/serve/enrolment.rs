//! A device that nobody knows yet: its one page, on which it shows the code that a technician
//! types at central. Once that is done the agent begins.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::serve::object::{Object, object};
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, HttpServer, web};
use anyhow::Context;
use keno_words::counter as words;
use parking_lot::Mutex;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;
use zeroize::Zeroizing;

use super::assets;
use super::door::{around, no_icon, path_unknown, refused};
use super::ended::Sentence;
use super::technician::ProgramView;
use super::{Surroundings, listener};
use crate::central::Patience;
use crate::clock::wait;
use crate::config::Config;
use crate::enrolment::TrustDesk;
use crate::exit::{Exit, Stop};
use crate::journal::Journal;
use crate::told::{Nobody, Told};
use crate::trust::{Slot, Time, TrustFolder};

/// How often the page shows that it is served.
const TURN_EVERY: Duration = Duration::from_secs(2);

/// How a try to be enrolled stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Try {
    /// None was made, or none since the last ended so.
    Ended(Vec<Sentence>),
    /// Central is asked for the first time.
    Asking,
    /// The code stands on the page.
    Code(Zeroizing<String>),
    /// This device is enrolled.
    Done,
}

impl Try {
    /// The same, for the page.
    fn view(&self) -> Object {
        let (state, code, said) = match self {
            Self::Ended(said) => ("idle", None, said.as_slice()),
            Self::Asking => ("asking", None, [].as_slice()),
            // For the person before this screen alone.
            Self::Code(code) => ("code", Some(code.as_str()), [].as_slice()),
            Self::Done => ("done", None, [].as_slice()),
        };
        object! { "state": state, "code": code, "said": said }
    }
}

/// What the requests share.
struct Shared {
    config: Config,
    time: Time,
    patience: Patience,
    now: Mutex<Try>,
    done: Notify,
}

impl Shared {
    fn with<R>(&self, look: impl FnOnce(&mut Try) -> R) -> R {
        look(&mut self.now.lock())
    }

    /// Enrols this device, as at the command line; what the person is told.
    fn enrol(&self) -> Result<(Exit, Vec<Sentence>), Stop> {
        let journal = Journal::open(&self.config.journal)?;
        let mut told = Told::to(Nobody);
        let mut trust = TrustDesk {
            folder: TrustFolder::new(&self.config.trust),
            central: self.config.enrolment_address(),
            time: self.time,
            patience: self.patience,
            told: &mut told,
            pause: wait,
        };
        let exit = trust.enrol_showing(&journal, |code| {
            let code = Zeroizing::new(code.to_owned());
            self.with(|now| *now = Try::Code(code));
        })?;
        Ok((exit, told.take().iter().map(Sentence::from).collect()))
    }

    fn try_once(&self) {
        let fault = || Sentence {
            is_fact: false,
            fr: words::EnrolmentHasFault::FR.to_owned(),
            en: words::EnrolmentHasFault::EN.to_owned(),
        };
        let after = match self.enrol() {
            Ok((Exit::Done, _)) => Try::Done,
            Ok((_, said)) => Try::Ended(said),
            Err(stop) => {
                tracing::error!(?stop, "the enrolment");
                Try::Ended(vec![fault()])
            }
        };
        let is_done = after == Try::Done;
        self.with(|now| *now = after);
        if is_done {
            self.done.notify_one();
        }
    }
}

/// What the page shows.
async fn status(shared: web::Data<Shared>) -> HttpResponse {
    let Ok(program) = web::block(ProgramView::own).await else {
        return HttpResponse::InternalServerError().finish();
    };
    let now = shared.with(|now| now.clone());
    HttpResponse::Ok().json(object! {
        "enrolled": false,
        "program": program,
        "central": shared.config.central,
        "enrolment": now.view(),
    })
}

async fn enrol(shared: web::Data<Shared>) -> HttpResponse {
    let begins = shared.with(|now| {
        let begins = matches!(now, Try::Ended(_));
        if begins {
            *now = Try::Asking;
        }
        begins
    });
    if !begins {
        return refused("terminal_busy", 409, &words::EnrolmentAtWork);
    }
    let trying = shared.clone();
    let thread = thread::Builder::new()
        .name("enrolment".to_owned())
        .spawn(move || trying.try_once());
    if let Err(error) = thread {
        tracing::error!(%error, "the enrolment");
        shared.with(|now| *now = Try::Ended(Vec::new()));
    }
    HttpResponse::Ok().json(json!({}))
}

fn configure(cfg: &mut web::ServiceConfig, shared: web::Data<Shared>) {
    let files = [assets::ENROLMENT, assets::TECHNICIAN, assets::FRAME];
    let scope = web::scope("")
        .app_data(shared)
        .wrap(from_fn(around))
        .configure(|cfg| assets::configure(cfg, &files))
        .route("/favicon.ico", web::get().to(no_icon))
        .route("/agent/technician", web::get().to(status))
        .route("/agent/enrol", web::post().to(enrol));
    cfg.service(scope.default_service(web::to(|| async { path_unknown() })));
}

/// Whether this device is known to central by a certificate, where it has to be.
///
/// # Errors
/// When what it keeps about trust cannot be read.
pub fn is_enrolled(config: &Config) -> anyhow::Result<bool> {
    if !config.is_over_tls() {
        return Ok(true);
    }
    Ok(TrustFolder::new(&config.trust)
        .read(Slot::Current)?
        .is_some())
}

/// The page of a device that is not enrolled.
pub struct Enrolling {
    /// Where it is.
    pub address: SocketAddr,
    turns: Arc<AtomicU64>,
    serving: JoinHandle<std::io::Result<bool>>,
}

impl Enrolling {
    /// Serves the page.
    ///
    /// # Errors
    /// When it cannot be served.
    pub fn start(config: &Config, surroundings: &Surroundings) -> anyhow::Result<Self> {
        let listener = listener(config)?;
        let address = listener.local_addr()?;
        let shared = web::Data::new(Shared {
            config: config.clone(),
            time: surroundings.time,
            patience: Patience::default(),
            now: Mutex::new(Try::Ended(Vec::new())),
            done: Notify::new(),
        });
        let turns = Arc::new(AtomicU64::new(0));
        let turning = Arc::clone(&turns);
        let serving = thread::Builder::new()
            .name("pages".to_owned())
            .spawn(move || {
                actix_web::rt::System::new().block_on(serve(listener, shared, &turning))
            })?;
        Ok(Self {
            address,
            turns,
            serving,
        })
    }

    /// Says each time whether the page has been served since the time before.
    pub fn is_at_work(&self) -> impl FnMut() -> bool + Send + use<> {
        let turns = Arc::clone(&self.turns);
        let mut seen = None;
        move || {
            let turned = Some(turns.load(Ordering::Relaxed));
            std::mem::replace(&mut seen, turned) != turned
        }
    }

    /// Waits until this device is enrolled, which is true, or for SIGINT or SIGTERM.
    ///
    /// # Errors
    /// When the page can be served no more.
    pub fn wait(self) -> anyhow::Result<bool> {
        self.serving
            .join()
            .map_err(|_| anyhow::anyhow!("the page ended in a panic"))?
            .context("the page cannot be served")
    }
}

async fn serve(
    listener: TcpListener,
    shared: web::Data<Shared>,
    turns: &AtomicU64,
) -> std::io::Result<bool> {
    let (mut interrupt, mut terminate) = (
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
    );
    let pages = shared.clone();
    let server = HttpServer::new(move || {
        let shared = pages.clone();
        actix_web::App::new().configure(move |cfg| configure(cfg, shared))
    })
    .workers(1)
    .shutdown_timeout(1)
    .disable_signals()
    .listen(listener)?
    .run();
    let handle = server.handle();
    let server = actix_web::rt::spawn(server);
    let mut turn = tokio::time::interval(TURN_EVERY);
    let is_enrolled = loop {
        tokio::select! {
            _ = turn.tick() => {
                turns.fetch_add(1, Ordering::Relaxed);
            }
            () = shared.done.notified() => break true,
            _ = interrupt.recv() => break false,
            _ = terminate.recv() => break false,
        }
    };
    handle.stop(true).await;
    server.await.map_err(std::io::Error::other)??;
    Ok(is_enrolled)
}

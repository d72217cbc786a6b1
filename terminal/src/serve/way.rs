//! The ways to central of the agent's threads: plain HTTP on this machine, or TLS with the device's
//! own certificate, which is renewed before it ends.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use keno_wire::reply::Bilingual;
use parking_lot::Mutex;

use crate::agent::kept_session;
use crate::central::{Central, Patience, Session};
use crate::config::{Config, Language};
use crate::enrolment::TrustDesk;
use crate::exit::Stop;
use crate::told::{Line, Nobody, Told};
use crate::trust::folder::Slot;
use crate::trust::{Identity, Time, TrustFolder};

/// Makes a way to central.
pub(super) type Connect = Box<dyn Fn() -> anyhow::Result<Central> + Send + Sync>;

/// A way to central beside that of the hands: nothing that goes by it waits for them, and no sale
/// waits for it.
pub(super) struct Beside {
    connect: Connect,
    central: Mutex<Option<Arc<Central>>>,
}

impl Beside {
    pub(super) fn new(connect: Connect) -> Self {
        Self {
            connect,
            central: Mutex::new(None),
        }
    }

    /// The certificate was renewed: the next call takes another way.
    pub(super) fn renewed(&self) {
        *self.central.lock() = None;
    }

    /// The way, made when it is first asked for.
    ///
    /// # Errors
    /// As [`connect`].
    pub(super) fn central(&self) -> anyhow::Result<Arc<Central>> {
        let mut kept = self.central.lock();
        if let Some(central) = kept.as_ref() {
            return Ok(Arc::clone(central));
        }
        let made = Arc::new((self.connect)()?);
        *kept = Some(Arc::clone(&made));
        Ok(made)
    }
}

/// The way to central of whoever is signed on here, beside that of the hands.
pub(super) struct InSession {
    /// Where the session is kept.
    pub(super) folder: PathBuf,
    /// Its way.
    pub(super) way: Beside,
}

impl InSession {
    /// Asks central in that session; none when nobody is signed on.
    ///
    /// # Errors
    /// As [`connect`].
    pub(super) fn call<R>(
        &self,
        ask: impl FnOnce(&Central, &Session) -> R,
    ) -> anyhow::Result<Option<R>> {
        let Some(session) = kept_session(&self.folder) else {
            return Ok(None);
        };
        let central = self.way.central()?;
        Ok(Some(ask(&central, &session)))
    }
}

/// The number of the device: of its certificate, where it has one.
pub(super) fn device(config: &Config) -> anyhow::Result<u64> {
    if config.is_over_tls() {
        return Ok(u64::from(identity(config)?.device));
    }
    Ok(config.device)
}

fn identity(config: &Config) -> anyhow::Result<Identity> {
    TrustFolder::new(&config.trust)
        .read(Slot::Current)?
        .context("this device is not enrolled: keno-terminal enrol")
}

/// Whether the certificate is to be renewed: less than a third of its life is left.
pub(super) fn is_due(config: &Config, time: Time) -> bool {
    config.is_over_tls() && identity(config).is_ok_and(|identity| identity.is_due(time()))
}

/// A way to central. A certificate that ends soon is renewed on the way; what fails in that holds
/// nothing up.
///
/// # Errors
/// When this machine fails, is not enrolled, or its certificate has ended.
pub(super) fn connect(config: &Config, patience: Patience, time: Time) -> anyhow::Result<Central> {
    if !config.is_over_tls() {
        let key = config.key()?;
        return Ok(Central::new(&config.central, config.device, &key, patience));
    }
    let mut told = Told::to(Nobody);
    let connected = TrustDesk {
        folder: TrustFolder::new(&config.trust),
        central: config.central.clone(),
        time,
        patience,
        told: &mut told,
        pause: |_: Duration| {},
    }
    .connect();
    match connected {
        Ok((central, _)) => Ok(central),
        Err(Stop::Fault(error)) => Err(error),
        Err(Stop::End(_)) => bail!("{}", why(config.language, &told.take())),
    }
}

/// What was told, for whoever reads the log: both languages, a line each.
fn why(language: Language, lines: &[Line]) -> String {
    let both = lines.iter().flat_map(|line| {
        let Bilingual { fr, en } = line.sentence();
        match language {
            Language::Fr => [fr, en],
            Language::En => [en, fr],
        }
    });
    both.collect::<Vec<_>>().join("\n")
}

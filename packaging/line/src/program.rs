//! A host as a program: its key, its place on the network, and its service manager.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use keno_daemon::credential::{NoCredential, named};
use keno_daemon::{Supervisor, Watchdog};
use keno_log::checkpoint::VerifyingKey;
use parking_lot::Mutex;

use crate::host_key::{HostKey, HostKeyFault};
use crate::server::{Part, serve};
use crate::{Bounds, trust};

/// Why a host cannot be at work.
#[derive(Debug, thiserror::Error)]
pub enum ProgramFault {
    /// The settings name a credential, and nobody handed it over.
    #[error("the key is not handed over")]
    Credential(#[source] NoCredential),
    /// The key cannot be used.
    #[error("the key of this host cannot be used")]
    Key(#[from] HostKeyFault),
    /// TLS does not take the keys.
    #[error("TLS does not take the keys")]
    Tls(#[from] rustls::Error),
    /// The address cannot be had.
    #[error("{at}")]
    Listen {
        /// The address.
        at: SocketAddr,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// No thread can be made.
    #[error("no thread can be made")]
    Watchdog(#[source] std::io::Error),
}

impl ProgramFault {
    /// Stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Credential(_) | Self::Key(_) => "key",
            Self::Tls(_) => "tls",
            Self::Listen { .. } => "listen",
            Self::Watchdog(_) => "watchdog",
        }
    }

    /// What to do about it, for who looks after the host.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Credential(_) => "start it by its unit, or name no key in the settings",
            Self::Key(_) => "the `key` command of this program makes the key of this host, once",
            Self::Tls(_) => "look at the keys in the settings",
            Self::Listen { .. } => "is another program there? ss -ltnp shows it",
            Self::Watchdog(_) => "the machine has no room for another thread",
        }
    }
}

/// The key that a host's settings name: a credential that systemd hands over, or `host.key` in its
/// folder.
///
/// # Errors
/// [`ProgramFault::Credential`] or [`ProgramFault::Key`].
pub fn key_of(setting: Option<&Path>, folder: &Path, host: &str) -> Result<HostKey, ProgramFault> {
    let key = match setting.map(named) {
        Some(Some(Ok(handed_over))) => HostKey::read_file(&handed_over, host),
        Some(Some(Err(fault))) => return Err(ProgramFault::Credential(fault)),
        // Whatever else is named there is a file of the host's folder.
        Some(None) | None => HostKey::read(folder, host),
    };
    Ok(key?)
}

/// Answers `central` at an address for as long as the program lives: says there where it listens, on
/// standard output, and to the service manager that it is ready and not hung.
///
/// # Errors
/// [`ProgramFault`], before anybody was answered.
pub fn run<P: Part + ?Sized + 'static>(
    at: SocketAddr,
    key: &HostKey,
    central: &VerifyingKey,
    bounds: Bounds,
    part: &Arc<Mutex<P>>,
) -> Result<(), ProgramFault> {
    let config = Arc::new(trust::server(key, central)?);
    let listener = TcpListener::bind(at).map_err(|source| ProgramFault::Listen { at, source })?;
    let listen = listener.local_addr().unwrap_or(at);
    tracing::info!(%listen, "at work");
    println!("listening\t{listen}");
    let supervisor = Arc::new(Supervisor::from_environment());
    supervisor.ready("at work");
    let at_work = Arc::clone(part);
    // Whoever hangs in its part holds it, and systemd hears nothing.
    let _watchdog = Watchdog::start(supervisor, move || {
        drop(at_work.lock());
        true
    })
    .map_err(ProgramFault::Watchdog)?;
    serve(&listener, &config, bounds, part);
    Ok(())
}

//! Trust between devices and central: the house's own authority, the listener with TLS, who is
//! connected, how a device is enrolled, given a new key, and cut off. `ENROLMENT.md` says byte by
//! byte why nobody between a device and central can take part in an enrolment.

pub mod authority;
pub mod connections;
pub mod copies;
pub mod enrolment;
pub mod listener;
pub mod refusal;
pub mod rotation;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

use authority::{Authority, TrustFault};
use connections::Connections;
use copies::Copies;
use enrolment::Enrolments;
use keno_record::clock::Clock;
use keno_service::Central;
use rotation::Rotations;

pub use connections::Peer;
pub use refusal::TrustRefusal;

/// A SHA-256 digest.
pub type Hash = [u8; 32];

/// Everything about trust that lasts while central runs.
#[derive(Debug)]
pub struct Trust {
    /// The house's authority.
    pub authority: Arc<Authority>,
    /// Who is connected with TLS.
    pub connections: Arc<Connections>,
    /// Devices that wait for their code to be typed.
    pub enrolments: Enrolments,
    /// New keys that were not proved yet.
    pub rotations: Arc<Rotations>,
    /// Keys that two machines hold.
    pub copies: Copies,
}

impl Trust {
    /// Opens the authority of a house, made where there is none, and has connections cut whose
    /// key ends.
    ///
    /// # Errors
    /// A [`TrustFault`].
    pub fn open(central: &Arc<Central>, folder: &Path) -> Result<Self, TrustFault> {
        let authority = Authority::open(folder, &central.house_code, central.clock.now_ms())?;
        let connections = Arc::new(Connections::default());
        let rotations = Arc::new(Rotations::default());
        // It holds the picture alone: were it central, it could be the last to let it go. The
        // writer only wakes it; it ends with the watchers of central.
        let (cut, waiting, view) = (
            Arc::clone(&connections),
            Arc::clone(&rotations),
            Arc::clone(&central.view),
        );
        let (wake, woken) = sync_channel(1);
        std::thread::Builder::new()
            .name("connections".to_owned())
            .spawn(move || {
                while let Ok(()) = woken.recv() {
                    cut.cut_ended(&view.get(), &waiting);
                }
            })
            .map_err(TrustFault::Thread)?;
        // One that is to be woken already looks at the newest picture when it is.
        central.watch(move || {
            let _ = wake.try_send(());
        });
        Ok(Self {
            authority: Arc::new(authority),
            connections,
            enrolments: Enrolments::default(),
            rotations,
            copies: Copies::default(),
        })
    }
}

/// Central's clock as TLS asks it: certificates begin and end by the time of the house.
pub(crate) struct HouseTime(pub(crate) Arc<dyn Clock>);

impl std::fmt::Debug for HouseTime {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("HouseTime")
    }
}

impl rustls::time_provider::TimeProvider for HouseTime {
    fn current_time(&self) -> Option<rustls::pki_types::UnixTime> {
        let seconds = u64::try_from(self.0.now_ms() / 1_000).ok()?;
        Some(rustls::pki_types::UnixTime::since_unix_epoch(
            std::time::Duration::from_secs(seconds),
        ))
    }
}

//! The listeners with TLS: 1.3, and 1.2 with forward secrecy and authenticated ciphers only. That of
//! the devices demands a certificate of the house's authority in the handshake; that of the public,
//! for the pages, the public log and enrolment, asks for none.

use std::sync::Arc;

use keno_record::clock::Clock;
use parking_lot::RwLock;
use rustls::crypto::CryptoProvider;
use rustls::server::{
    ClientHello, NoServerSessionStorage, ResolvesServerCert, WebPkiClientVerifier,
};
use rustls::sign::CertifiedKey;
use rustls::{ServerConfig, ServerConnection, version};

use super::authority::{Authority, CENTRAL_MS, TrustFault, key_hash_of};
use super::connections::{Connections, NOBODY};
use super::{HouseTime, Peer};
use crate::entrance::{Door, Line};

/// The one provider of cryptography.
pub fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// Central's certificate in force, with its time.
struct InForce {
    certificate: Arc<CertifiedKey>,
    made_ms: i64,
}

/// Gives central's certificate to each connection, and makes the next one when a third of the
/// life of this one is left: nothing stops for it.
pub struct CentralCertificate {
    authority: Arc<Authority>,
    names: Vec<String>,
    clock: Arc<dyn Clock>,
    provider: Arc<CryptoProvider>,
    in_force: RwLock<InForce>,
}

impl std::fmt::Debug for CentralCertificate {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("CentralCertificate")
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

fn make(
    authority: &Authority,
    names: &[String],
    provider: &CryptoProvider,
    now_ms: i64,
) -> Result<InForce, TrustFault> {
    let (chain, key) = authority.central_certificate(names, now_ms)?;
    let certificate = CertifiedKey::from_der(chain, key, provider)?;
    Ok(InForce {
        certificate: Arc::new(certificate),
        made_ms: now_ms,
    })
}

/// Whether another certificate is due; also when the clock was set to before this one.
fn is_due(made_ms: i64, now_ms: i64) -> bool {
    now_ms < made_ms || now_ms - made_ms > CENTRAL_MS / 3 * 2
}

impl CentralCertificate {
    /// A first certificate under these names.
    ///
    /// # Errors
    /// A [`TrustFault`].
    pub fn new(
        authority: Arc<Authority>,
        names: Vec<String>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, TrustFault> {
        let provider = provider();
        let in_force = make(&authority, &names, &provider, clock.now_ms())?;
        Ok(Self {
            authority,
            names,
            clock,
            provider,
            in_force: RwLock::new(in_force),
        })
    }

    fn certificate(&self) -> Arc<CertifiedKey> {
        let now_ms = self.clock.now_ms();
        {
            let in_force = self.in_force.read();
            if !is_due(in_force.made_ms, now_ms) {
                return Arc::clone(&in_force.certificate);
            }
        }
        let mut in_force = self.in_force.write();
        if is_due(in_force.made_ms, now_ms) {
            match make(&self.authority, &self.names, &self.provider, now_ms) {
                Ok(next) => *in_force = next,
                // The one in force is good for a while: the next connection tries again.
                Err(fault) => tracing::error!(%fault, "central's next certificate was not made"),
            }
        }
        Arc::clone(&in_force.certificate)
    }
}

impl ResolvesServerCert for CentralCertificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.certificate())
    }
}

/// What the listener at a door speaks.
///
/// # Errors
/// A [`TrustFault`].
pub fn server_config(
    door: Door,
    authority: &Arc<Authority>,
    names: &[String],
    clock: &Arc<dyn Clock>,
) -> Result<ServerConfig, TrustFault> {
    let provider = provider();
    let certificate =
        CentralCertificate::new(Arc::clone(authority), names.to_vec(), Arc::clone(clock))?;
    let time = Arc::new(HouseTime(Arc::clone(clock)));
    let builder = ServerConfig::builder_with_details(Arc::clone(&provider), time)
        .with_protocol_versions(&[&version::TLS13, &version::TLS12])?;
    let builder = if door == Door::Devices {
        let roots = Arc::new(authority.roots()?);
        let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider)
            .build()
            .map_err(|fault| rustls::Error::General(fault.to_string()))?;
        builder.with_client_cert_verifier(verifier)
    } else {
        builder.with_no_client_auth()
    };
    let mut config = builder.with_cert_resolver(Arc::new(certificate));
    // No session is taken up again: each connection proves its certificate, which may have ended.
    // Nothing is renegotiated either, so that 1.2 needs no extended master secret.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(config)
}

/// Who is at the other end of a connection with TLS.
pub fn peer_of(
    connections: &Arc<Connections>,
    session: &ServerConnection,
    line: &Arc<Line>,
) -> Peer {
    let key = session
        .peer_certificates()
        .and_then(|chain| chain.first())
        // The handshake has read this certificate: it cannot fail to be one. Were it so, it
        // would be of nobody.
        .map(|certificate| key_hash_of(certificate).unwrap_or(NOBODY));
    connections.enter(key, line)
}

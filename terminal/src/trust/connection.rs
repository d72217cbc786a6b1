//! TLS under requests. The handshake is finished before a byte of a request leaves: whatever
//! fails in it has sent nothing.

use std::fmt;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use keno_words::{Say, connection as words};
use parking_lot::Mutex;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::time_provider::TimeProvider;
use rustls::{
    AlertDescription, ClientConfig, ClientConnection, DigitallySignedStruct, RootCertStore,
    SignatureScheme, StreamOwned, version,
};
use thiserror::Error;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, Either, LazyBuffers, NextTimeout, Transport,
    TransportAdapter,
};

use super::Identity;

/// Where a terminal has the time from, in UTC milliseconds: certificates begin and end by it.
pub type Time = fn() -> i64;

/// A handshake that failed: no byte of a request has left.
#[derive(Debug, Error)]
#[error("no trusted connection to central")]
pub struct HandshakeFault(#[source] pub std::io::Error);

/// The TLS error behind another error.
fn tls_error<'e>(mut error: &'e (dyn std::error::Error + 'static)) -> Option<&'e rustls::Error> {
    loop {
        if let Some(found) = error.downcast_ref::<rustls::Error>() {
            return Some(found);
        }
        if let Some(io) = error.downcast_ref::<std::io::Error>()
            && let Some(inner) = io.get_ref()
        {
            error = inner;
            continue;
        }
        error = error.source()?;
    }
}

/// The TLS error behind an error of a request.
fn behind(error: &ureq::Error) -> Option<&rustls::Error> {
    match error {
        ureq::Error::Io(io) => tls_error(io),
        ureq::Error::Other(other) => tls_error(other.as_ref()),
        _ => None,
    }
}

/// Whether an error says that the connection was never made: in the handshake, or by an alert
/// about the device's certificate, which central gives instead of taking any request.
pub fn never_connected(error: &ureq::Error) -> bool {
    if let ureq::Error::Other(other) = error {
        return other.is::<HandshakeFault>();
    }
    matches!(
        behind(error),
        Some(rustls::Error::AlertReceived(
            AlertDescription::BadCertificate
                | AlertDescription::UnsupportedCertificate
                | AlertDescription::CertificateRevoked
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateUnknown
                | AlertDescription::UnknownCA
                | AlertDescription::AccessDenied
                | AlertDescription::DecryptError
        ))
    )
}

/// What a person is told when it was trust that failed.
pub fn words_of(error: &ureq::Error) -> Option<&'static dyn Say> {
    Some(match behind(error)? {
        rustls::Error::InvalidCertificate(
            rustls::CertificateError::NotValidForName
            | rustls::CertificateError::NotValidForNameContext { .. },
        ) => &words::CentralCertificateDoesNot,
        rustls::Error::InvalidCertificate(
            rustls::CertificateError::Expired
            | rustls::CertificateError::ExpiredContext { .. }
            | rustls::CertificateError::NotValidYet
            | rustls::CertificateError::NotValidYetContext { .. },
        ) => &words::CentralCertificateIsNot,
        rustls::Error::InvalidCertificate(_) => &words::WhatAnswersIsNot,
        rustls::Error::AlertReceived(_) => &words::CentralDoesNotTake,
        _ => return None,
    })
}

/// Trust cannot be prepared.
#[derive(Debug, Error)]
pub enum TlsFault {
    /// What is kept is not a certificate or a key.
    #[error("the certificate or the key of this device cannot be read: enrol it again")]
    Pem(#[source] rustls::pki_types::pem::Error),
    /// TLS does not take it.
    #[error("TLS cannot be prepared")]
    Tls(#[from] rustls::Error),
    /// The authority is not a certificate.
    #[error("the certificate of the authority cannot be used")]
    Authority(#[source] rustls::client::VerifierBuilderError),
}

#[derive(Debug)]
struct MachineTime(Time);

impl TimeProvider for MachineTime {
    fn current_time(&self) -> Option<UnixTime> {
        let seconds = u64::try_from((self.0)() / 1_000).ok()?;
        Some(UnixTime::since_unix_epoch(Duration::from_secs(seconds)))
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

type WantsVerifier = rustls::ConfigBuilder<ClientConfig, rustls::WantsVerifier>;

fn builder(time: Time) -> Result<WantsVerifier, TlsFault> {
    let time = Arc::new(MachineTime(time));
    Ok(ClientConfig::builder_with_details(provider(), time)
        .with_protocol_versions(&[&version::TLS13, &version::TLS12])?)
}

/// How a device that is enrolled speaks with central: the house's authority alone is believed.
///
/// # Errors
/// A [`TlsFault`].
pub fn of_identity(identity: &Identity, time: Time) -> Result<ClientConfig, TlsFault> {
    let authority = CertificateDer::from_pem_slice(identity.authority.as_bytes());
    let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes());
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).map_err(TlsFault::Pem)?;
    let mut roots = RootCertStore::empty();
    roots.add(authority.map_err(TlsFault::Pem)?)?;
    let chain = vec![certificate.map_err(TlsFault::Pem)?];
    Ok(builder(time)?
        .with_root_certificates(roots)
        .with_client_auth_cert(chain, key)?)
}

/// Believes the authority that the first connection shows, and no other after: for a device that
/// is not enrolled yet, until the person at central has vouched for it.
#[derive(Debug)]
pub struct FirstSight {
    provider: Arc<CryptoProvider>,
    seen: Mutex<Option<CertificateDer<'static>>>,
}

impl FirstSight {
    /// Nothing was seen yet.
    pub fn new() -> Arc<Self> {
        Arc::new(Self {
            provider: provider(),
            seen: Mutex::new(None),
        })
    }

    /// The authority that was seen.
    pub fn authority(&self) -> Option<CertificateDer<'static>> {
        self.seen.lock().clone()
    }

    /// How such a device speaks with central.
    ///
    /// # Errors
    /// A [`TlsFault`].
    pub fn config(self: &Arc<Self>, time: Time) -> Result<ClientConfig, TlsFault> {
        let verifier = Arc::clone(self) as Arc<dyn ServerCertVerifier>;
        Ok(builder(time)?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth())
    }
}

impl ServerCertVerifier for FirstSight {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        behind: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let unknown = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
        let [authority] = behind else {
            return Err(unknown);
        };
        let mut seen = self.seen.lock();
        if seen.as_ref().is_some_and(|before| before != authority) {
            return Err(unknown);
        }
        // The certificate must be of that very authority: whoever shows another's authority
        // cannot show a certificate of it.
        let mut roots = RootCertStore::empty();
        roots.add(authority.clone().into_owned())?;
        let judge = WebPkiServerVerifier::builder_with_provider(
            Arc::new(roots),
            Arc::clone(&self.provider),
        )
        .build()
        .map_err(|fault| rustls::Error::General(fault.to_string()))?;
        let judged = judge.verify_server_cert(certificate, &[], name, ocsp, now)?;
        *seen = Some(authority.clone().into_owned());
        Ok(judged)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// Puts TLS over a connection for `https`.
#[derive(Debug)]
pub struct TlsConnector {
    config: Arc<ClientConfig>,
}

impl TlsConnector {
    /// A connector that speaks so.
    pub fn new(config: ClientConfig) -> Self {
        Self {
            config: Arc::new(config),
        }
    }
}

impl<In: Transport> Connector<In> for TlsConnector {
    type Out = Either<In, TlsTransport>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, ureq::Error> {
        let Some(transport) = chained else {
            return Err(ureq::Error::ConnectionFailed);
        };
        if !details.needs_tls() || transport.is_tls() {
            return Ok(Some(Either::A(transport)));
        }
        let host = details.uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| ureq::Error::BadUri(host.to_owned()))?;
        let mut connection = ClientConnection::new(Arc::clone(&self.config), name)
            .map_err(|error| failed(std::io::Error::other(error)))?;
        let mut socket = TransportAdapter::new(transport.boxed(), details.current_time.clone());
        socket.set_timeout(details.timeout);
        connection.complete_io(&mut socket).map_err(failed)?;
        Ok(Some(Either::B(TlsTransport {
            buffers: LazyBuffers::new(
                details.config.input_buffer_size(),
                details.config.output_buffer_size(),
            ),
            stream: StreamOwned::new(connection, socket),
        })))
    }
}

fn failed(error: std::io::Error) -> ureq::Error {
    ureq::Error::Other(Box::new(HandshakeFault(error)))
}

/// A connection with TLS.
pub struct TlsTransport {
    buffers: LazyBuffers,
    stream: StreamOwned<ClientConnection, TransportAdapter>,
}

impl fmt::Debug for TlsTransport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("TlsTransport")
    }
}

impl Transport for TlsTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), ureq::Error> {
        self.stream.get_mut().set_timeout(timeout);
        let output = self.buffers.output().get(..amount).unwrap_or_default();
        self.stream.write_all(output)?;
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, ureq::Error> {
        self.stream.get_mut().set_timeout(timeout);
        let input = self.buffers.input_append_buf();
        let amount = self.stream.read(input)?;
        self.buffers.input_appended(amount);
        Ok(amount > 0)
    }

    fn is_open(&mut self) -> bool {
        self.stream.get_mut().get_mut().is_open()
    }

    fn is_tls(&self) -> bool {
        true
    }
}

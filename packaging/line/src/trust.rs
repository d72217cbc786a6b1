//! TLS 1.3 between two keys that know each other: raw public keys (RFC 7250), so that there is no
//! certificate to run out, no authority to trust and no name to look up.

use std::sync::Arc;

use keno_log::checkpoint::VerifyingKey;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{AlwaysResolvesClientRawPublicKeys, Resumption};
use rustls::crypto::{CryptoProvider, ring, verify_tls13_signature_with_raw_key};
use rustls::pki_types::{
    CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime,
};
use rustls::server::AlwaysResolvesServerRawPublicKeys;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::sign::CertifiedKey;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error, ServerConfig,
    SignatureScheme, version,
};
use zeroize::Zeroizing;

use crate::host_key::HostKey;

/// What stands before the seed in the PKCS #8 of an Ed25519 key (RFC 8410, 7): its one encoding.
const PKCS8_PREFIX: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
/// What stands before the point in the SubjectPublicKeyInfo of an Ed25519 key (RFC 8410, 4).
const SPKI_PREFIX: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

fn spki(key: &VerifyingKey) -> Vec<u8> {
    [SPKI_PREFIX.as_slice(), &key.to_bytes()].concat()
}

fn certified(own: &HostKey) -> Result<Arc<CertifiedKey>, Error> {
    let pkcs8 = Zeroizing::new([PKCS8_PREFIX.as_slice(), own.seed()].concat());
    let key = ring::sign::any_eddsa_type(&PrivatePkcs8KeyDer::from(pkcs8.as_slice()))?;
    let public = CertificateDer::from(spki(own.verifying_key()));
    Ok(Arc::new(CertifiedKey::new(vec![public], key)))
}

/// Believes one key.
#[derive(Debug)]
struct Pinned {
    spki: Vec<u8>,
    provider: Arc<CryptoProvider>,
}

impl Pinned {
    fn new(peer: &VerifyingKey, provider: &Arc<CryptoProvider>) -> Arc<Self> {
        Arc::new(Self {
            spki: spki(peer),
            provider: Arc::clone(provider),
        })
    }

    fn judge(&self, shown: &CertificateDer<'_>) -> Result<(), Error> {
        if shown.as_ref() == self.spki {
            return Ok(());
        }
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let key = SubjectPublicKeyInfoDer::from(shown.as_ref());
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature_with_raw_key(message, &key, signed, algorithms)
    }
}

/// TLS 1.2 is never spoken on this line.
fn too_old() -> Result<HandshakeSignatureValid, Error> {
    Err(Error::General("TLS 1.3 alone".to_owned()))
}

/// What both ends answer of a signature, each by a trait of its own: TLS 1.3, a raw key, Ed25519.
macro_rules! of_one_key {
    () => {
        fn verify_tls12_signature(
            &self,
            _message: &[u8],
            _shown: &CertificateDer<'_>,
            _signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            too_old()
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            shown: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            self.signature(message, shown, signed)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            vec![SignatureScheme::ED25519]
        }

        fn requires_raw_public_keys(&self) -> bool {
            true
        }
    };
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        _behind: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.judge(shown).map(|()| ServerCertVerified::assertion())
    }

    of_one_key!();
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        shown: &CertificateDer<'_>,
        _behind: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.judge(shown).map(|()| ClientCertVerified::assertion())
    }

    of_one_key!();
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// How central speaks with the host `peer`.
///
/// # Errors
/// When TLS does not take the keys.
pub fn client(own: &HostKey, peer: &VerifyingKey) -> Result<ClientConfig, Error> {
    let provider = provider();
    let pinned = Pinned::new(peer, &provider);
    let shown = AlwaysResolvesClientRawPublicKeys::new(certified(own)?);
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(pinned)
        .with_client_cert_resolver(Arc::new(shown));
    // Each connection shows both keys.
    config.resumption = Resumption::disabled();
    Ok(config)
}

/// How a host speaks with central, whose key is `peer`, and with nobody else.
///
/// # Errors
/// When TLS does not take the keys.
pub fn server(own: &HostKey, peer: &VerifyingKey) -> Result<ServerConfig, Error> {
    let provider = provider();
    let pinned = Pinned::new(peer, &provider);
    let shown = AlwaysResolvesServerRawPublicKeys::new(certified(own)?);
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&version::TLS13])?
        .with_client_cert_verifier(pinned)
        .with_cert_resolver(Arc::new(shown));
    config.send_tls13_tickets = 0;
    Ok(config)
}

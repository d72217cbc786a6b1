//! The way to central of a device that is enrolled, and what keeps it: a new certificate when
//! less than a third of the life of this one is left, and a new key when asked for. Both keys are
//! kept until central has confirmed the new one by a connection that proved it: whichever answer
//! is lost, the next command finds out which key counts.

use keno_wire::trust::{CertificateReply, CertificateRequest, KeyInForce};
use keno_words::enrolment as words;
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PublicKeyData};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::server::ParsedCertificate;

use super::TrustDesk;
use super::key::NewKey;
use crate::central::{CallFault, Central};
use crate::exit::{Exit, Stop};
use crate::trust::{Identity, Slot};

/// Puts what central gave beside the key that it is for; `None` when it is for another key, or
/// of another authority.
fn renewed(
    before: &Identity,
    key: &NewKey,
    given: &CertificateReply,
) -> Result<Option<Identity>, Stop> {
    let pem = |text: &str| CertificateDer::from_pem_slice(text.as_bytes());
    let certificate = pem(&given.certificate)?;
    let is_ours = ParsedCertificate::try_from(&certificate)?
        .subject_public_key_info()
        .as_ref()
        == key.public.as_slice();
    let is_same_house = pem(&given.authority)? == pem(&before.authority)?;
    Ok((is_ours && is_same_house).then(|| Identity {
        key: key.pem.clone(),
        certificate: given.certificate.clone(),
        not_before_ms: given.not_before_ms,
        not_after_ms: given.not_after_ms,
        ..before.clone()
    }))
}

/// What became of a new key.
enum NextKey {
    /// It counts.
    InForce,
    /// Central does not know it: the old one counts.
    Unknown,
    /// Nobody knows yet.
    Doubt(CallFault),
}

impl TrustDesk<'_, '_> {
    /// The set in force; the person is told when there is none, or when it has ended.
    fn identity(&mut self) -> Result<Identity, Stop> {
        let Some(identity) = self.folder.read(Slot::Current)? else {
            self.told.note(&words::NotEnrolled);
            return Err(Stop::End(Exit::Refused));
        };
        if identity.has_ended((self.time)()) {
            self.told.note(&words::CertificateEnded);
            return Err(Stop::End(Exit::Refused));
        }
        Ok(identity)
    }

    /// The way to central. A new key that is in doubt is asked about first; a certificate that
    /// ends soon is renewed on the way, and what fails in that holds nothing up.
    ///
    /// # Errors
    /// When this machine fails, or is not enrolled.
    pub fn connect(&mut self) -> Result<(Central, Identity), Stop> {
        self.resolve_next()?;
        let identity = self.identity()?;
        let central = self.way(&identity)?;
        if !identity.is_due((self.time)()) {
            return Ok((central, identity));
        }
        let pair = KeyPair::from_pkcs8_pem_and_sign_algo(&identity.key, &PKCS_ECDSA_P256_SHA256)?;
        let key = NewKey {
            pem: identity.key.clone(),
            public: pair.subject_public_key_info(),
        };
        let request = CertificateRequest {
            key: hex::encode(&key.public),
        };
        match central.post::<_, CertificateReply>("/certificates", &request) {
            Ok(given) => match renewed(&identity, &key, &given)? {
                Some(next) => {
                    self.folder.keep(Slot::Current, &next)?;
                    let central = self.way(&next)?;
                    return Ok((central, next));
                }
                None => tracing::error!("the renewed certificate is not of this key or house"),
            },
            Err(fault) => tracing::warn!(%fault, "the certificate was not renewed"),
        }
        Ok((central, identity))
    }

    fn confirm(&self, next: &Identity) -> Result<NextKey, Stop> {
        let nothing = serde_json::json!({});
        let confirmed = self
            .way(next)?
            .post::<_, KeyInForce>("/certificates/confirm", &nothing);
        Ok(match confirmed {
            Ok(_) => NextKey::InForce,
            Err(CallFault::Refused(problem)) if problem.name() == "device_unknown" => {
                NextKey::Unknown
            }
            Err(fault) => NextKey::Doubt(fault),
        })
    }

    /// Finds out what became of a new key that was not confirmed. While nobody knows, the old one
    /// is used: if it has ended, central says so, and the next command asks again.
    fn resolve_next(&mut self) -> Result<(), Stop> {
        let Some(next) = self.folder.read(Slot::Next)? else {
            return Ok(());
        };
        match self.confirm(&next)? {
            NextKey::InForce => self.folder.promote()?,
            NextKey::Unknown => self.folder.drop_next()?,
            NextKey::Doubt(fault) => tracing::warn!(%fault, "a new key is still in doubt"),
        }
        Ok(())
    }

    /// Makes a new key, has it certified, and proves it to central, which then forgets the old
    /// one.
    ///
    /// # Errors
    /// When this machine fails, or is not enrolled.
    pub fn rotate_key(&mut self) -> Result<Exit, Stop> {
        if !self.central.starts_with("https://") {
            self.told.note(&words::KeyNotRenewable);
            return Ok(Exit::Usage);
        }
        self.resolve_next()?;
        let identity = self.identity()?;
        let key = NewKey::make()?;
        let request = CertificateRequest {
            key: hex::encode(&key.public),
        };
        let given = match self
            .way(&identity)?
            .post::<_, CertificateReply>("/certificates", &request)
        {
            Ok(given) => given,
            Err(fault) => return Ok(self.told(&fault)),
        };
        let Some(next) = renewed(&identity, &key, &given)? else {
            return Err(anyhow::anyhow!("the new certificate is not of this key or house").into());
        };
        // Both keys are on disk before the new one can count.
        self.folder.keep(Slot::Next, &next)?;
        match self.confirm(&next)? {
            NextKey::InForce => {
                self.folder.promote()?;
                self.told.tell(&words::KeyRenewed);
                Ok(Exit::Done)
            }
            NextKey::Unknown => {
                self.folder.drop_next()?;
                self.told.note(&words::NewKeyLost);
                Ok(Exit::Refused)
            }
            NextKey::Doubt(fault) => {
                tracing::debug!(%fault, "the new key is in doubt");
                self.told.note(&words::KeyInDoubt);
                Ok(Exit::InDoubt)
            }
        }
    }
}

//! A device that nobody knows yet: its key, the code on its screen, and what it believes when
//! central answers. The reasoning, byte by byte, is in `central/src/trust/ENROLMENT.md`.

use keno_wire::enrolment::{EnrolmentCode, Given, SALT_BYTES, Seen, digest, same};
use keno_wire::trust::{EnrolReply, EnrolRequest, EnrolmentQuestion, EnrolmentReply, Granted};
use keno_words::enrolment as words;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::server::ParsedCertificate;
use std::time::Duration;
use thiserror::Error;
use zeroize::Zeroizing;

use super::TrustDesk;
use super::key::NewKey;
use super::large::large;
use crate::central::{CallFault, Central};
use crate::chance;
use crate::exit::{Exit, Stop};
use crate::journal::Journal;
use crate::trust::connection::FirstSight;
use crate::trust::{Identity, Slot};

/// Between two questions whether the code was typed.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// Questions without an answer, one after the other, after which nobody is there: five minutes.
const UNANSWERED_MAX: u32 = 150;

/// What central gave is not to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unproved {
    /// A part of it cannot be read.
    #[error("the answer is not one of central's")]
    Form,
    /// The authority is not the one that the connection showed.
    #[error("the authority is not the one that this connection showed")]
    Authority,
    /// The certificate is for another key.
    #[error("the certificate is for another key")]
    Key,
    /// Whoever answers does not know the code.
    #[error("whoever answers does not know the code")]
    Proof,
}

/// A device on its way to be enrolled.
pub struct Enrolling {
    code: EnrolmentCode,
    salt: [u8; SALT_BYTES],
    key: NewKey,
    seen: Seen,
}

impl Enrolling {
    /// A new key and a new code, for the authority that the connection showed.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn begin(authority: &CertificateDer<'_>) -> anyhow::Result<Self> {
        let random = Zeroizing::new(chance::bytes::<5>()?);
        let salt = chance::bytes::<SALT_BYTES>()?;
        let key = NewKey::make()?;
        let seen = Seen {
            authority: digest(authority),
            key: digest(&key.public),
        };
        Ok(Self {
            code: EnrolmentCode::from_random(*random),
            salt,
            key,
            seen,
        })
    }

    /// What is sent to central: everything but the code.
    ///
    /// # Errors
    /// When there is no memory for argon2id.
    pub fn request(&self) -> anyhow::Result<EnrolRequest> {
        let secret = self.code.secret(&self.salt);
        let secret = secret.ok_or_else(|| anyhow::anyhow!("argon2id cannot be computed"))?;
        Ok(EnrolRequest {
            key: hex::encode(&self.key.public),
            salt: hex::encode(self.salt),
            proof: hex::encode(secret.device_proof(&self.seen)),
        })
    }

    /// The code, for the person at the device alone.
    pub fn shown(&self) -> Zeroizing<String> {
        self.code.shown()
    }

    /// What central gave, once it has proved that the code was typed there.
    ///
    /// # Errors
    /// [`Unproved`].
    pub fn accept(&self, granted: &Granted) -> Result<Identity, Unproved> {
        let pem = |text: &str| {
            CertificateDer::from_pem_slice(text.as_bytes()).map_err(|_| Unproved::Form)
        };
        let certificate = pem(&granted.certificate.certificate)?;
        let authority = pem(&granted.certificate.authority)?;
        if digest(&authority) != self.seen.authority {
            return Err(Unproved::Authority);
        }
        let key = ParsedCertificate::try_from(&certificate)
            .map_err(|_| Unproved::Form)?
            .subject_public_key_info();
        if key.as_ref() != self.key.public.as_slice() {
            return Err(Unproved::Key);
        }
        let role = match granted.role.as_str() {
            "counter" => 1,
            "kiosk" => 2,
            "display" => 3,
            "audit" => 4,
            "desk" => 5,
            "office" => 6,
            "cage" => 7,
            _ => return Err(Unproved::Form),
        };
        let given = Given {
            certificate: digest(&certificate),
            device: granted.device,
            role,
            name: &granted.name,
        };
        let mut proof = [0; 32];
        hex::decode_to_slice(&granted.proof, &mut proof).map_err(|_| Unproved::Form)?;
        let secret = self.code.secret(&self.salt).ok_or(Unproved::Form)?;
        if !same(&proof, &secret.central_proof(&self.seen, &given)) {
            return Err(Unproved::Proof);
        }
        Ok(Identity {
            device: granted.device,
            name: granted.name.clone(),
            role: granted.role.clone(),
            key: self.key.pem.clone(),
            certificate: granted.certificate.certificate.clone(),
            authority: granted.certificate.authority.clone(),
            not_before_ms: granted.certificate.not_before_ms,
            not_after_ms: granted.certificate.not_after_ms,
        })
    }
}

impl TrustDesk<'_, '_> {
    /// Enrols this device: shows a code, and waits until it was typed at central.
    ///
    /// # Errors
    /// When this machine fails; the person has been told everything else.
    pub fn enrol(&mut self, journal: &Journal) -> Result<Exit, Stop> {
        self.enrol_showing(journal, |_| {})
    }

    /// As [`Self::enrol`]; `shown` is told the code as well, for a page.
    ///
    /// # Errors
    /// As [`Self::enrol`].
    pub fn enrol_showing(
        &mut self,
        journal: &Journal,
        shown: impl FnOnce(&str),
    ) -> Result<Exit, Stop> {
        if !self.central.starts_with("https://") {
            self.told.note(&words::AddressNeeded);
            return Ok(Exit::Usage);
        }
        if !journal.open_items().is_empty() {
            self.told.note(&words::DoubtFirst);
            return Ok(Exit::Refused);
        }
        let sight = FirstSight::new();
        let central =
            Central::over_tls(&self.central, sight.config(self.time)?, None, self.patience);
        // Nothing of this device is sent before it has seen who answers.
        if let Err(fault) = central.is_alive() {
            return Ok(self.told(&fault));
        }
        let Some(authority) = sight.authority() else {
            return Ok(Exit::CentralUnreachable);
        };
        let enrolling = Enrolling::begin(&authority)?;
        let waiting: EnrolReply = match central.post("/enrolments", &enrolling.request()?) {
            Ok(waiting) => waiting,
            Err(fault) => return Ok(self.told(&fault)),
        };
        self.show(&enrolling);
        shown(&enrolling.shown());
        let question = EnrolmentQuestion {
            enrolment: waiting.enrolment,
        };
        let mut unanswered = 0;
        let granted = loop {
            match central.post::<_, EnrolmentReply>("/enrolments/question", &question) {
                Ok(EnrolmentReply {
                    granted: Some(granted),
                    ..
                }) => break granted,
                Ok(_) => unanswered = 0,
                Err(fault @ CallFault::Refused(_)) => return Ok(self.told(&fault)),
                // The code may have been typed all the same: ask on, as long as it can matter.
                Err(fault) if unanswered < UNANSWERED_MAX => {
                    tracing::debug!(%fault, "no answer about the enrolment");
                    unanswered += 1;
                }
                Err(fault) => return Ok(self.told(&fault)),
            }
            (self.pause)(ASK_EVERY);
        };
        match enrolling.accept(&granted) {
            Ok(identity) => {
                // A new key of before belongs to what this device was before.
                if self.folder.read(Slot::Next)?.is_some() {
                    self.folder.drop_next()?;
                }
                self.folder.keep(Slot::Current, &identity)?;
                self.told.tell(&words::Enrolled {
                    central: &self.central,
                    device: &identity.device,
                    identity: &identity.name,
                });
                Ok(Exit::Done)
            }
            Err(why) => {
                tracing::error!(%why, "what central gave is not believed");
                self.told.note(&words::Unproven);
                Ok(Exit::Refused)
            }
        }
    }

    fn show(&mut self, enrolling: &Enrolling) {
        let code = enrolling.shown();
        self.told.tell_line("");
        for line in large(&code) {
            self.told.tell_line(&line);
        }
        self.told.tell_line("");
        self.told.tell_line(&format!("Code : {}", code.as_str()));
        self.told.tell(&words::HowToApprove);
    }
}

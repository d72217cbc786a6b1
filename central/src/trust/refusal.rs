//! Why nothing came of a request about trust: a closed list with stable names, and a sentence in
//! both languages that says what to do next.

/// The rules of enrolment say no. Nothing was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustRefusal {
    /// A device enrols over TLS, where it sees central's authority.
    TlsNeeded,
    /// This is done by a device that shows its certificate.
    CertificateNeeded,
    /// Too many devices wait for their code.
    EnrolmentsFull,
    /// There is no such enrolment, or it has ended.
    EnrolmentUnknown,
    /// The code was not typed in time.
    EnrolmentExpired,
    /// Five wrong codes ended what waited.
    EnrolmentLocked,
    /// The code was used.
    EnrolmentUsed,
    /// No device waits with this code.
    CodeUnknown,
    /// Another device has this key.
    KeyKnown,
}

impl TrustRefusal {
    /// Every refusal, in order.
    pub const ALL: [Self; 9] = [
        Self::TlsNeeded,
        Self::CertificateNeeded,
        Self::EnrolmentsFull,
        Self::EnrolmentUnknown,
        Self::EnrolmentExpired,
        Self::EnrolmentLocked,
        Self::EnrolmentUsed,
        Self::CodeUnknown,
        Self::KeyKnown,
    ];

    /// Stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TlsNeeded => "tls_needed",
            Self::CertificateNeeded => "certificate_needed",
            Self::EnrolmentsFull => "enrolments_full",
            Self::EnrolmentUnknown => "enrolment_unknown",
            Self::EnrolmentExpired => "enrolment_expired",
            Self::EnrolmentLocked => "enrolment_locked",
            Self::EnrolmentUsed => "enrolment_used",
            Self::CodeUnknown => "enrolment_code_unknown",
            Self::KeyKnown => "device_key_known",
        }
    }

    /// HTTP status.
    pub const fn status(self) -> u16 {
        match self {
            Self::CertificateNeeded => 401,
            Self::TlsNeeded => 403,
            Self::EnrolmentUnknown => 404,
            Self::EnrolmentExpired
            | Self::EnrolmentLocked
            | Self::EnrolmentUsed
            | Self::KeyKnown => 409,
            Self::CodeUnknown => 422,
            Self::EnrolmentsFull => 429,
        }
    }

    /// What happened and what to do, in French.
    pub const fn sentence_fr(self) -> &'static str {
        match self {
            Self::TlsNeeded => {
                "Un appareil s’inscrit par TLS : donnez-lui l’adresse https de central."
            }
            Self::CertificateNeeded => {
                "Il faut le certificat d’un appareil inscrit. Inscrivez d’abord cet appareil."
            }
            Self::EnrolmentsFull => {
                "Trop d’appareils attendent leur code. Tapez les leurs, ou attendez cinq minutes."
            }
            Self::EnrolmentUnknown => {
                "Cette inscription n’existe pas ou n’existe plus. Recommencez à l’appareil."
            }
            Self::EnrolmentExpired => {
                "Les cinq minutes de ce code sont passées. Recommencez à l’appareil."
            }
            Self::EnrolmentLocked => {
                "Cinq mauvais codes ont mis fin à cette inscription. Recommencez à l’appareil."
            }
            Self::EnrolmentUsed => {
                "Ce code a déjà servi. Si l’appareil n’est pas inscrit, recommencez à l’appareil."
            }
            Self::CodeUnknown => {
                "Aucun appareil n’attend avec ce code. Relisez-le à l’écran de l’appareil ; s’il est \
                 juste, quelque chose se tient entre l’appareil et central : voyez le câblage."
            }
            Self::KeyKnown => "Un autre appareil a déjà cette clé. Recommencez à l’appareil.",
        }
    }

    /// What happened and what to do, in English.
    pub const fn sentence_en(self) -> &'static str {
        match self {
            Self::TlsNeeded => "A device enrols over TLS: give it central's https address.",
            Self::CertificateNeeded => {
                "The certificate of an enrolled device is needed. Enrol this device first."
            }
            Self::EnrolmentsFull => {
                "Too many devices wait for their code. Type theirs, or wait five minutes."
            }
            Self::EnrolmentUnknown => {
                "There is no such enrolment, or no longer. Start again at the device."
            }
            Self::EnrolmentExpired => {
                "The five minutes of this code are over. Start again at the device."
            }
            Self::EnrolmentLocked => {
                "Five wrong codes have ended this enrolment. Start again at the device."
            }
            Self::EnrolmentUsed => {
                "This code was used already. If the device is not enrolled, start again at the \
                 device."
            }
            Self::CodeUnknown => {
                "No device waits with this code. Read it again on the device's screen; if it is \
                 right, something stands between the device and central: look at the cabling."
            }
            Self::KeyKnown => "Another device has this key already. Start again at the device.",
        }
    }
}

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
}

// What happened and what to do.
keno_words::says! { TrustRefusal: trust { TlsNeeded, CertificateNeeded, EnrolmentsFull, EnrolmentUnknown, EnrolmentExpired, EnrolmentLocked, EnrolmentUsed, CodeUnknown, KeyKnown } }

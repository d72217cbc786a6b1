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

    /// Stable name and HTTP status.
    const fn row(self) -> (&'static str, u16) {
        match self {
            Self::TlsNeeded => ("tls_needed", 403),
            Self::CertificateNeeded => ("certificate_needed", 401),
            Self::EnrolmentsFull => ("enrolments_full", 429),
            Self::EnrolmentUnknown => ("enrolment_unknown", 404),
            Self::EnrolmentExpired => ("enrolment_expired", 409),
            Self::EnrolmentLocked => ("enrolment_locked", 409),
            Self::EnrolmentUsed => ("enrolment_used", 409),
            Self::CodeUnknown => ("enrolment_code_unknown", 422),
            Self::KeyKnown => ("device_key_known", 409),
        }
    }

    /// Stable name.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// HTTP status.
    pub const fn status(self) -> u16 {
        self.row().1
    }
}

// What happened and what to do.
keno_words::says! { TrustRefusal: trust { TlsNeeded, CertificateNeeded, EnrolmentsFull, EnrolmentUnknown, EnrolmentExpired, EnrolmentLocked, EnrolmentUsed, CodeUnknown, KeyKnown } }

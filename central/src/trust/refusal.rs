//! Why nothing came of a request about trust: a closed list with stable names, and a sentence in
//! both languages that says what to do next.

crate::refusals::refusals! {
    /// The rules of enrolment say no. Nothing was recorded.
    TrustRefusal: trust {
        /// A device enrols over TLS, where it sees central's authority.
        TlsNeeded "tls_needed" 403,
        /// This is done by a device that shows its certificate.
        CertificateNeeded "certificate_needed" 401,
        /// Too many devices wait for their code.
        EnrolmentsFull "enrolments_full" 429,
        /// There is no such enrolment, or it has ended.
        EnrolmentUnknown "enrolment_unknown" 404,
        /// The code was not typed in time.
        EnrolmentExpired "enrolment_expired" 409,
        /// Five wrong codes ended what waited.
        EnrolmentLocked "enrolment_locked" 409,
        /// The code was used.
        EnrolmentUsed "enrolment_used" 409,
        /// No device waits with this code.
        CodeUnknown "enrolment_code_unknown" 422,
        /// Another device has this key.
        KeyKnown "device_key_known" 409,
    }
}

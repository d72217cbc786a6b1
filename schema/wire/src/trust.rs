//! What travels while a device is enrolled, renewed or revoked. Keys, salts and proofs are in
//! hexadecimal, certificates in PEM.

use crate::coded::name;
use crate::discreet::discreet;
use crate::people::Signer;

use macro_rules_attribute::apply;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A device that nobody knows yet asks to be enrolled.
#[apply(request!)]
pub struct EnrolRequest {
    /// SubjectPublicKeyInfo (DER) of the device's key, P-256.
    pub key: String,
    /// 16 bytes that the device drew by lot.
    pub salt: String,
    /// The device's proof, 32 bytes.
    pub proof: String,
}

/// Where the device asks what became of it.
#[apply(reply!)]
pub struct EnrolReply {
    /// Names this enrolment; nobody else knows it.
    pub enrolment: String,
    /// How long the code can be typed, in milliseconds.
    pub expires_in_ms: i64,
}

/// What became of an enrolment?
#[apply(request!)]
pub struct EnrolmentQuestion {
    /// As it was given.
    pub enrolment: String,
}

/// What became of an enrolment.
#[apply(reply!)]
pub struct EnrolmentReply {
    /// Whether it waits.
    pub state: name::EnrolmentState,
    /// What the device is given, once the code was typed.
    pub granted: Option<Granted>,
}

/// What an enrolled device is given.
#[apply(reply!)]
pub struct Granted {
    /// Its number.
    pub device: u32,
    /// Its name.
    pub name: String,
    /// What it is.
    pub role: String,
    /// Its certificate.
    #[serde(flatten)]
    pub certificate: CertificateReply,
    /// Central's proof of the code, 32 bytes.
    pub proof: String,
}

/// A certificate.
#[apply(reply!)]
pub struct CertificateReply {
    /// The device's certificate.
    pub certificate: String,
    /// The certificate of the house's own authority.
    pub authority: String,
    /// When the certificate begins, UTC milliseconds.
    pub not_before_ms: i64,
    /// When it ends, UTC milliseconds.
    pub not_after_ms: i64,
}

/// A technician or an administrator types the code of a device.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApproveRequest {
    /// The code on the device's screen.
    pub code: String,
    /// The number that the device gets; one that is taken passes to the new device.
    pub device: u32,
    /// Its name on screens and paper, 1 to 16 signs.
    pub name: String,
    /// `counter`, `kiosk`, `display` or `audit`.
    pub role: String,
    /// Badge of the technician or administrator.
    pub badge: String,
    /// PIN.
    pub pin: String,
    /// The secret on the card of that badge, where it is asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub card: String,
    /// The second person; one of the two is an administrator.
    pub second: Signer,
}

// Neither code nor PIN is ever printed, whoever asks.
discreet!(ApproveRequest { device, badge });

/// A device is enrolled.
#[apply(reply!)]
pub struct ApproveReply {
    /// Leaf of the fact.
    pub leaf: u64,
    /// Device number.
    pub device: u32,
}

/// A technician or an administrator revokes a device.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RevokeRequest {
    /// Badge of the technician or administrator.
    pub badge: String,
    /// PIN.
    pub pin: String,
}

// A PIN is never printed, whoever asks.
discreet!(RevokeRequest { badge });

/// A technician or an administrator lets a device serve again, with a second person.
#[apply(request!)]
pub struct ReturnRequest {
    /// The technician or administrator.
    pub by: Signer,
    /// The second person; one of the two is an administrator.
    pub second: Signer,
}

/// A device asks for a new certificate.
#[apply(request!)]
pub struct CertificateRequest {
    /// SubjectPublicKeyInfo (DER): of the key that it has, or of a new one.
    pub key: String,
}

/// The key that counts for a device.
#[apply(reply!)]
pub struct KeyInForce {
    /// Device number.
    pub device: u32,
    /// SHA-256 of its SubjectPublicKeyInfo.
    pub key_hash: String,
}

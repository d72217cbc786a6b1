//! People and PINs: recorded by two, withdrawn by two, a PIN chosen by its owner or reset by two.

use macro_rules_attribute::apply;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::discreet::discreet;

/// Where too many PINs failed within the hour, a refusal comes so long after its PIN and no sooner;
/// one that took longer, at the next multiple of it.
pub const PIN_REFUSED_AFTER_MS: u64 = 5_000;

/// Who gives a command, by badge and PIN.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Signer {
    /// Badge.
    pub badge: String,
    /// PIN.
    pub pin: String,
    /// The secret on the badge's card, where it was scanned.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub card: String,
}

/// `POST /api/v1/devices/begin-anew`: who lets a device begin anew, whose log of central was refused.
#[apply(request!)]
pub struct BeginAnewRequest {
    /// Who: a technician or a supervisor.
    pub by: Signer,
    /// What the device had against central's log, by its stable name.
    pub refused: String,
}

// A PIN is never printed, whoever asks.
discreet!(Signer { badge });

/// `POST /api/v1/sessions/relief`: two people end the session of somebody who does not come back.
#[apply(request!)]
pub struct ReliefRequest {
    /// Badge of who does not come back.
    pub absent: String,
    /// Who stays at the terminal.
    pub staying: Signer,
    /// The other one.
    pub second: Signer,
}

/// Two administrators record a person as they are to stand.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonRequest {
    /// Badge.
    pub badge: String,
    /// Staff number: two badges with the same are one human.
    pub staff: String,
    /// Name shown to colleagues; may be empty.
    #[serde(default)]
    pub name: String,
    /// `clerk`, `supervisor`, `cage`, `marker`, `verifier`, `auditor`, `technician` or
    /// `administrator`.
    pub roles: Vec<String>,
    /// A PIN, good until its owner has chosen another.
    pub pin: String,
    /// The first administrator.
    pub by: Signer,
    /// The second.
    pub second: Signer,
}

// A PIN is never printed, whoever asks.
discreet!(PersonRequest { badge, roles });

/// `POST /api/v1/people/card`: two administrators make a card for a badge.
#[apply(request!)]
pub struct CardRequest {
    /// Badge.
    pub badge: String,
    /// The first administrator.
    pub by: Signer,
    /// The second.
    pub second: Signer,
}

/// A card was made.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CardReply {
    /// Leaf of the fact.
    pub leaf: u64,
    /// What the code on the card is to say: said once.
    pub text: String,
}

// A secret is never printed, whoever asks.
discreet!(CardReply { leaf });

/// Two administrators withdraw a badge.
#[apply(request!)]
pub struct WithdrawRequest {
    /// Badge.
    pub badge: String,
    /// The first administrator.
    pub by: Signer,
    /// The second.
    pub second: Signer,
}

/// Whoever has a badge chooses another PIN.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoosePinRequest {
    /// Badge.
    pub badge: String,
    /// The PIN as it is.
    pub pin: String,
    /// The PIN as it is to be.
    pub new_pin: String,
    /// The secret on the badge's card, where it has one and others set the PIN.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub card: String,
}

// A PIN is never printed, whoever asks.
discreet!(ChoosePinRequest { badge });

/// A supervisor and a second person give a clerk another PIN.
#[apply(request!)]
pub struct ResetPinRequest {
    /// Badge of the clerk.
    pub badge: String,
    /// The supervisor.
    pub by: Signer,
    /// The second person.
    pub second: Signer,
}

/// A PIN was reset.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResetPinReply {
    /// Leaf of the fact.
    pub leaf: u64,
    /// The PIN: said once, kept nowhere, and good for nothing but to choose another.
    pub pin: String,
}

// A PIN is never printed, whoever asks.
discreet!(ResetPinReply { leaf });

/// Two administrators name somebody who may be made an acting supervisor, or take it back.
#[apply(request!)]
pub struct NameActingRequest {
    /// Badge.
    pub badge: String,
    /// False to take the naming back.
    pub may_act: bool,
    /// The first administrator.
    pub by: Signer,
    /// The second.
    pub second: Signer,
}

/// Somebody who was named is made an acting supervisor for the rest of the business day.
#[apply(request!)]
pub struct MakeActingRequest {
    /// Badge.
    pub badge: String,
    /// A supervisor, or the cage.
    pub by: Signer,
    /// The second person, where it is the cage.
    pub second: Option<Signer>,
}

/// `GET /api/v1/people`: who is on the staff, by badge. A badge that was withdrawn is not there.
#[apply(reply!)]
pub struct PeopleReply {
    /// By badge.
    pub people: Vec<PersonView>,
}

/// A badge that stands.
#[apply(reply!)]
pub struct PersonView {
    /// Badge.
    pub badge: String,
    /// Staff number: two badges with the same are one human.
    pub staff: String,
    /// Name shown to colleagues; may be empty.
    pub name: String,
    /// Names of the roles on record.
    pub roles: Vec<String>,
    /// A card of the badge counts.
    pub has_card: bool,
    /// The PIN was set by others, and is good for choosing another only.
    pub must_change: bool,
    /// Two administrators named them as one who may be made an acting supervisor.
    pub may_act: bool,
    /// They are an acting supervisor now.
    pub acts: bool,
    /// Too many wrong PINs keep the badge out wherever it never succeeded.
    pub is_locked: bool,
}

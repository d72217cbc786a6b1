//! Devices: enrolled by a code, renewed, given a new key, revoked.

use actix_web::HttpRequest;
use keno_record::roles::DeviceRole;
use keno_service::authority::Operation;
use keno_service::authority::identity::DeviceCaller;
use keno_service::refusal::Refusal;
use keno_service::staff::{DeviceNumber, Door};
use keno_wire::coded::EnrolmentState;
use keno_wire::enrolment::{CodeFault, EnrolmentCode};
use keno_wire::people::Signer;
use keno_wire::reply::RecordedReply;
use keno_wire::trust::{
    ApproveReply, ApproveRequest, CertificateReply, CertificateRequest, EnrolReply, EnrolRequest,
    EnrolmentQuestion, EnrolmentReply, KeyInForce, ReturnRequest, RevokeRequest,
};
use keno_words::malformed as words;

use super::handler::{ApiError, App, Body, Reply, Signing, blocking, web, write};
use super::types::Nothing;
use crate::request::signer::{signer, two_signers};
use crate::trust::authority::DeviceKey;
use crate::trust::connections::proved_key;
use crate::trust::enrolment::{Approval, Asked, CODE_MS, NotEnrolled};
use crate::trust::rotation::{CONFIRM_PATH, NewKey};
use crate::trust::{Hash, TrustRefusal};

/// Letters of a device's name.
const NAME_MAX: usize = 16;

fn bytes<const N: usize>(field: &str, text: &str) -> Result<[u8; N], ApiError> {
    let mut bytes = [0; N];
    hex::decode_to_slice(text, &mut bytes)
        .map_err(|_| ApiError::malformed(Some(field), &words::Bytes { n: &N }))?;
    Ok(bytes)
}

fn device_key(text: &str) -> Result<DeviceKey, ApiError> {
    hex::decode(text)
        .ok()
        .and_then(|bytes| DeviceKey::read(&bytes))
        .ok_or_else(|| ApiError::malformed(Some("key"), &words::DeviceKey))
}

/// A device that nobody knows yet asks to be enrolled; a person types its code at central.
#[utoipa::path(
    post, path = "/api/v1/enrolments", tag = "devices", operation_id = "enrol",
    request_body(content = EnrolRequest, example = json!({"key": "3059…", "salt": "00112233445566778899aabbccddeeff", "proof": "…"})),
    responses((status = 200, description = "It waits for its code", body = EnrolReply))
)]
pub(super) async fn enrol(
    app: web::Data<App>,
    request: HttpRequest,
    Body(asked): Body<EnrolRequest>,
) -> Reply<EnrolReply> {
    if proved_key(&request).is_none() {
        return Err(TrustRefusal::TlsNeeded.into());
    }
    let asked = Asked {
        key: device_key(&asked.key)?,
        salt: bytes("salt", &asked.salt)?,
        proof: bytes("proof", &asked.proof)?,
    };
    let enrolment = hex::encode(keno_record::chance::bytes()?.as_slice());
    let now_ms = app.central.clock.monotonic_ms();
    app.trust
        .enrolments
        .begin(enrolment.clone(), asked, now_ms)?;
    Ok(web::Json(EnrolReply {
        enrolment,
        expires_in_ms: CODE_MS,
    }))
}

/// What became of an enrolment: a device asks until its code was typed.
#[utoipa::path(
    post, path = "/api/v1/enrolments/question", tag = "devices", operation_id = "ask_enrolment",
    request_body(content = EnrolmentQuestion, example = json!({"enrolment": "…"})),
    responses((status = 200, description = "It waits, or what the device is given", body = EnrolmentReply))
)]
pub(super) async fn question(
    app: web::Data<App>,
    Body(asked): Body<EnrolmentQuestion>,
) -> Reply<EnrolmentReply> {
    let now_ms = app.central.clock.monotonic_ms();
    let granted = app.trust.enrolments.state(&asked.enrolment, now_ms)?;
    let state = match granted {
        Some(_) => EnrolmentState::Granted,
        None => EnrolmentState::Waiting,
    };
    Ok(web::Json(EnrolmentReply {
        state: state.into(),
        granted,
    }))
}

/// Type the code of a device: it is enrolled, or gets a number that another device had.
///
/// On central's own machine, or at a device that is enrolled.
#[utoipa::path(
    post, path = "/api/v1/enrolments/approve", tag = "devices", operation_id = "approve_enrolment",
    request_body(content = ApproveRequest, example = json!({
        "code": "28T5-CY4T", "device": 7, "name": "T07", "role": "counter", "badge": "T100", "pin": "471108",
        "second": {"badge": "D402", "pin": "582917"}
    })),
    responses((status = 200, description = "The device is enrolled; it learns so by itself", body = ApproveReply))
)]
pub(super) async fn approve(
    Signing(app, origin, asked): Signing<ApproveRequest>,
) -> Reply<ApproveReply> {
    let at = origin;
    let code = EnrolmentCode::read(&asked.code)
        .map_err(|CodeFault| ApiError::malformed(Some("code"), &words::EnrolmentCode))?;
    let role = DeviceRole::from_name(&asked.role).ok_or_else(|| {
        let names = DeviceRole::ALL.map(DeviceRole::name).join(", ");
        ApiError::malformed(Some("role"), &words::DeviceRole { names: &names })
    })?;
    let length = asked.name.chars().count();
    if !(1..=NAME_MAX).contains(&length) || asked.name.chars().any(char::is_control) {
        return Err(ApiError::malformed(Some("name"), &words::DeviceName));
    }
    if asked.device == 0 {
        return Err(ApiError::malformed(Some("device"), &words::DeviceNumber));
    }
    let operation = Operation::ApproveEnrolment;
    let first = Signer {
        badge: asked.badge,
        pin: asked.pin,
        card: asked.card,
    };
    let door = (operation, Door::Devices, at);
    two_signers(&app, door, &first, &asked.second).await?;
    let (device, name, shared) = (asked.device, asked.name, app.clone());
    let approved = web::block(move || {
        let approval = Approval {
            device,
            name: &name,
            role,
            by: &first.badge,
            second: &asked.second.badge,
        };
        let trust = &shared.trust;
        trust
            .enrolments
            .approve(&shared.central, &trust.authority, &code, &approval)
    })
    .await;
    let leaf = match approved {
        Ok(Ok(leaf)) => leaf,
        Ok(Err(NotEnrolled::Refused(refusal))) => return Err(refusal.into()),
        Ok(Err(NotEnrolled::Stopped(stop))) => return Err(ApiError::of_command(stop)),
        Err(_) => return Err(ApiError::Unsure(keno_service::Fault::Stopped)),
    };
    Ok(web::Json(ApproveReply { leaf, device }))
}

/// Revoke a device: its sessions end, and its connections are cut.
///
/// On central's own machine, or at a device that is enrolled.
#[utoipa::path(
    post, path = "/api/v1/devices/{number}/revoke", tag = "devices", operation_id = "revoke_device",
    params(("number" = u32, Path, description = "Device number", example = 4)),
    request_body(content = RevokeRequest, example = json!({"badge": "T100", "pin": "471108"})),
    responses((status = 200, description = "Revoked", body = RecordedReply))
)]
pub(super) async fn revoke(
    number: web::Path<u32>,
    Signing(app, origin, asked): Signing<RevokeRequest>,
) -> Reply<RecordedReply> {
    let door = (Operation::RevokeDevice, Door::Devices, origin);
    let by = Signer {
        badge: asked.badge,
        pin: asked.pin,
        card: String::new(),
    };
    signer(&app, door, &by).await?;
    write(move || DeviceNumber(number.into_inner()).revoke(&app.central, &by.badge)).await
}

/// A device that was handed over to another serves again.
///
/// On central's own machine, or at a device that is enrolled.
#[utoipa::path(
    post, path = "/api/v1/devices/{number}/return", tag = "devices", operation_id = "return_device",
    params(("number" = u32, Path, description = "Device number", example = 2)),
    request_body(content = ReturnRequest, example = json!({
        "by": {"badge": "T100", "pin": "471108"}, "second": {"badge": "D402", "pin": "582917"}
    })),
    responses((status = 200, description = "It serves again", body = RecordedReply))
)]
pub(super) async fn take_back(
    number: web::Path<u32>,
    Signing(app, origin, asked): Signing<ReturnRequest>,
) -> Reply<RecordedReply> {
    let door = (Operation::ReturnDevice, Door::Devices, origin);
    two_signers(&app, door, &asked.by, &asked.second).await?;
    write(move || {
        let (number, by, second) = (number.into_inner(), asked.by.badge, asked.second.badge);
        DeviceNumber(number).serve_again(&app.central, &by, &second)
    })
    .await
}

/// The key that a device has proved, and the device.
fn certified(app: &App, request: &HttpRequest) -> Result<(Hash, u32), ApiError> {
    let key = proved_key(request)
        .flatten()
        .ok_or(TrustRefusal::CertificateNeeded)?;
    let device = DeviceCaller::of_key(&app.central.view.get(), &key)?;
    Ok((key, device.device))
}

/// A new certificate for the device that asks: for its key, or for a new key, which counts once a
/// connection has proved it.
#[utoipa::path(
    post, path = "/api/v1/certificates", tag = "devices", operation_id = "renew_certificate",
    request_body(content = CertificateRequest, example = json!({"key": "3059…"})),
    responses((status = 200, description = "The certificate", body = CertificateReply))
)]
pub(super) async fn renew(
    app: web::Data<App>,
    request: HttpRequest,
    Body(asked): Body<CertificateRequest>,
) -> Reply<CertificateReply> {
    let (before, device) = certified(&app, &request)?;
    let key = device_key(&asked.key)?;
    let view = app.central.view.get();
    if key.hash() != before
        && DeviceCaller::of_key(&view, &key.hash()) != Err(Refusal::DeviceUnknown)
    {
        return Err(TrustRefusal::KeyKnown.into());
    }
    let now_ms = app.central.clock.now_ms();
    let certificate = app
        .trust
        .authority
        .device_certificate(device, &key, now_ms)
        .map_err(|fault| {
            tracing::error!(%fault, "no certificate could be made for a device");
            keno_service::Fault::Crypto("certificate")
        })?;
    if key.hash() != before {
        app.trust.rotations.offer(NewKey {
            device,
            before,
            key: key.hash(),
        });
    }
    Ok(web::Json(CertificateReply {
        certificate: certificate.pem,
        authority: app.trust.authority.pem().to_owned(),
        not_before_ms: certificate.not_before_ms,
        not_after_ms: certificate.not_after_ms,
    }))
}

/// The device that asks has a new key, which this connection has proved: it counts from here on,
/// and the old one no more. Asked again, it says so again.
#[utoipa::path(
    post, path = CONFIRM_PATH, tag = "devices", operation_id = "confirm_key",
    request_body(content = super::types::Nothing, example = json!({})),
    responses((status = 200, description = "The key counts", body = KeyInForce))
)]
pub(super) async fn confirm(
    app: web::Data<App>,
    request: HttpRequest,
    Body(Nothing {}): Body<Nothing>,
) -> Reply<KeyInForce> {
    let key = proved_key(&request)
        .flatten()
        .ok_or(TrustRefusal::CertificateNeeded)?;
    let device = match app.trust.rotations.of_key(&key) {
        Some(new) => {
            let central = app.central.clone();
            blocking(move || DeviceNumber(new.device).follow_key(&central, new.before, new.key))
                .await
                .map_err(ApiError::of_command)?;
            app.trust.rotations.done(&key);
            new.device
        }
        None => DeviceCaller::of_key(&app.central.view.get(), &key)?.device,
    };
    Ok(web::Json(KeyInForce {
        device,
        key_hash: hex::encode(key),
    }))
}

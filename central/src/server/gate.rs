//! The gate before every address of the listener with TLS: who shows a certificate that no
//! active device has is told so, whatever is asked for, and the connection ends.

use actix_web::HttpRequest;
use keno_service::authority::identity::DeviceCaller;
use keno_service::refusal::Refusal;

use crate::app::App;
use crate::problem::ApiError;
use crate::trust::connections::proved_key;
use crate::trust::copies::INSTANCE_HEADER;
use crate::trust::rotation::CONFIRM_PATH;
use crate::trust::{Peer, TrustRefusal};

/// Figures about the house: for central's own machine and for devices.
const METRICS_PATH: &str = "/metrics";

/// Whether the other end has proved the key of an active device.
pub fn is_of_a_device(peer: &Peer, app: &App) -> bool {
    peer.key
        .is_some_and(|key| DeviceCaller::of_key(&app.central.view.get(), &key).is_ok())
}

/// Judges who is at the other end, before anything else.
///
/// # Errors
/// [`Refusal::DeviceUnknown`] or [`Refusal::DeviceRevoked`]; [`TrustRefusal::CertificateNeeded`]
/// for the figures of the house without a certificate.
pub fn judge(request: &HttpRequest, app: &App) -> Result<(), ApiError> {
    let key = match proved_key(request) {
        None => return Ok(()),
        // What the house takes is not for whoever finds the listener.
        Some(None) if request.path() == METRICS_PATH => {
            return Err(TrustRefusal::CertificateNeeded.into());
        }
        Some(None) => return Ok(()),
        Some(Some(key)) => key,
    };
    match DeviceCaller::of_key(&app.central.view.get(), &key) {
        Ok(device) => {
            let value = request
                .headers()
                .get(INSTANCE_HEADER)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default();
            if app.trust.copies.note(device.device, key, value) {
                tracing::error!(
                    device = device.device,
                    "two machines hold the key of one device"
                );
            }
            Ok(())
        }
        Err(Refusal::DeviceUnknown)
            if request.path() == CONFIRM_PATH && app.trust.rotations.of_key(&key).is_some() =>
        {
            Ok(())
        }
        Err(refusal) => Err(refusal.into()),
    }
}

//! The gate before every address of the listener with TLS: who shows a certificate that no
//! active device has is told so, whatever is asked for, and the connection ends.

use std::sync::Arc;

use actix_web::HttpRequest;
use keno_service::identity::device_of_key;
use keno_service::refusal::Refusal;

use super::connections::NOBODY;
use super::copies::INSTANCE_HEADER;
use super::{Hash, Peer, TrustRefusal};
use crate::entrance::Line;
use crate::problem::ApiError;
use crate::server::App;

/// Where a new key is proved: the one address for which it need not count yet.
pub const CONFIRM_PATH: &str = "/api/v1/certificates/confirm";

/// Figures about the house: for central's own machine and for devices.
const METRICS_PATH: &str = "/metrics";

/// The key that the other end has proved: `None` without TLS, `Some(None)` without a certificate.
/// What came with TLS from nobody is of nobody: it is never taken for a request without TLS, which
/// may name a device in a header.
pub fn proved_key(request: &HttpRequest) -> Option<Option<Hash>> {
    let known = request.conn_data::<Peer>().map(|peer| peer.key);
    let is_over_tls = request
        .conn_data::<Arc<Line>>()
        .is_some_and(|line| line.door().is_over_tls());
    proved(known, is_over_tls)
}

const fn proved(known: Option<Option<Hash>>, is_over_tls: bool) -> Option<Option<Hash>> {
    match known {
        None if is_over_tls => Some(Some(NOBODY)),
        known => known,
    }
}

/// Whether the other end has proved the key of an active device.
pub fn is_of_a_device(peer: &Peer, app: &App) -> bool {
    peer.key
        .is_some_and(|key| device_of_key(&app.central.view.get(), &key).is_ok())
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
    match device_of_key(&app.central.view.get(), &key) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_tls_nobody_is_never_a_request_without_tls() {
        let key = Some([7; 32]);
        for is_over_tls in [false, true] {
            assert_eq!(proved(Some(key), is_over_tls), Some(key));
            assert_eq!(proved(Some(None), is_over_tls), Some(None));
        }
        assert_eq!(proved(None, false), None);
        let nobody = proved(None, true);
        assert!(matches!(nobody, Some(Some(_))), "{nobody:?}");
    }
}

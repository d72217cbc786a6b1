//! Who asks: a device by its key, a person by the session's token.
//!
//! `Boulier-Device: <number>.<key>` and `Boulier-Session: <session>.<token>`, keys and tokens in
//! hexadecimal. Over TLS the device is the one whose certificate the connection has proved.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use keno_service::authority::Place;
use keno_service::authority::identity::{Caller, DeviceCaller};
use keno_service::refusal::Refusal;
use keno_service::staff;
use keno_wire::Version;
use keno_wire::version::{AGENT_HEADER, OLDEST};

use crate::app::App;
use crate::console::CONSOLE_HEADER;
use crate::problem::ApiError;
use crate::trust::connections::proved_key;
use keno_service::counter::Asker;
use keno_service::staff::{DeviceNumber, Origin};

/// Header of a device.
pub const DEVICE_HEADER: &str = "Boulier-Device";
/// Header of a session.
pub const SESSION_HEADER: &str = "Boulier-Session";

/// A device that proved its key.
#[derive(Debug)]
pub struct Device(pub DeviceCaller);

/// A device that proved its key, whether it serves or was handed over to another.
#[derive(Debug)]
pub struct KnownDevice(pub DeviceCaller);

/// A device that proved its key and whose program is not older than the house lets sign on.
///
/// Only signing on asks for it. What was begun is ended by whatever program began it: a command
/// in doubt that was refused for its age would be taken for one that was never recorded.
#[derive(Debug)]
pub struct CurrentDevice(pub DeviceCaller);

/// A person signed on at a device.
#[derive(Debug)]
pub struct SignedOn(pub Caller);

/// Whoever asks: perhaps a device, perhaps a person at it. What is given must be right.
#[derive(Debug)]
pub struct Anyone {
    /// The device, if one is named.
    pub device: Option<DeviceCaller>,
    /// The person, if a session is named.
    pub person: Option<Caller>,
    /// For limits.
    pub asker: Asker,
}

pub(super) fn app_of(request: &HttpRequest) -> Result<&web::Data<App>, ApiError> {
    request
        .app_data::<web::Data<App>>()
        .ok_or(ApiError::PathUnknown)
}

/// Number and secret of a header.
fn credential(request: &HttpRequest, header: &str) -> Option<Option<(u64, Vec<u8>)>> {
    let value = request.headers().get(header)?;
    Some((|| {
        let (number, secret) = value.to_str().ok()?.split_once('.')?;
        Some((number.parse().ok()?, hex::decode(secret).ok()?))
    })())
}

/// What was recognised of a request stays recognised while it is answered: its judge, its limits and
/// its handler all ask.
fn once<T: Clone + 'static>(
    request: &HttpRequest,
    recognise: fn(&HttpRequest) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    if let Some(known) = request.extensions().get::<T>() {
        return Ok(known.clone());
    }
    let found = recognise(request)?;
    request.extensions_mut().insert(found.clone());
    Ok(found)
}

/// Over TLS a device is its certificate, whatever it says; without, it is the key that it sends,
/// which only central's own machine may do.
fn device(request: &HttpRequest) -> Result<DeviceCaller, ApiError> {
    once(request, |request| {
        let app = app_of(request)?;
        if let Some(proved) = proved_key(request) {
            let key = proved.ok_or(Refusal::DeviceUnknown)?;
            return Ok(DeviceCaller::of_key(&app.central.view.get(), &key)?);
        }
        let (number, key) = credential(request, DEVICE_HEADER)
            .flatten()
            .ok_or(Refusal::DeviceUnknown)?;
        let number = u32::try_from(number).map_err(|_| Refusal::DeviceUnknown)?;
        Ok(DeviceCaller::of_sent_key(
            &app.central.view.get(),
            number,
            &key,
        )?)
    })
}

/// A device that serves: one that was handed over to another does nothing any more.
fn serving_device(request: &HttpRequest) -> Result<DeviceCaller, ApiError> {
    let device = device(request)?;
    let view = app_of(request)?.central.view.get();
    DeviceNumber(device.device).must_serve(&view.handed_over, &view.devices)?;
    Ok(device)
}

/// Whether a request says which device it is of.
fn names_a_device(request: &HttpRequest) -> bool {
    proved_key(request).map_or_else(
        || request.headers().contains_key(DEVICE_HEADER),
        |proved| proved.is_some(),
    )
}

/// Where a request comes from. What is said of it must be right.
///
/// # Errors
/// [`Refusal::DeviceUnknown`] or [`Refusal::DeviceRevoked`].
pub(crate) fn place(request: &HttpRequest) -> Result<Place, ApiError> {
    if names_a_device(request) {
        return Ok(Place::Device(device(request)?.role));
    }
    let is_console = proved_key(request).is_none()
        && request
            .headers()
            .get(CONSOLE_HEADER)
            .is_some_and(|given| app_of(request).is_ok_and(|app| app.console.is(given.as_bytes())));
    Ok(if is_console {
        Place::Console
    } else {
        Place::Nowhere
    })
}

/// The person of a request.
///
/// # Errors
/// Why they are not recognised.
pub(crate) fn person(request: &HttpRequest) -> Result<Caller, ApiError> {
    once(request, |request| {
        let app = app_of(request)?;
        let device = serving_device(request)?;
        match credential(request, SESSION_HEADER) {
            None => Err(Refusal::NotSignedIn.into()),
            Some(None) => Err(Refusal::SessionEnded.into()),
            Some(Some((session, token))) => {
                let view = app.central.view.get();
                let staff = staff::staff_of(&app.central, &view);
                let caller = device.signed_on(&view, session, &token, staff)?;
                let asked = (request.method(), request.path());
                let now_ms = app.central.clock.monotonic_ms();
                if !app.idle.lets(caller.device.device, session, asked, now_ms) {
                    return Err(Refusal::SessionIdle.into());
                }
                Ok(caller)
            }
        }
    })
}

fn anyone(request: &HttpRequest) -> Result<Anyone, ApiError> {
    if request.headers().contains_key(SESSION_HEADER) {
        let person = person(request)?;
        return Ok(Anyone {
            asker: Asker::Device(person.device.device),
            device: Some(person.device.clone()),
            person: Some(person),
        });
    }
    if names_a_device(request) {
        let device = serving_device(request)?;
        return Ok(Anyone {
            asker: Asker::Device(device.device),
            device: Some(device),
            person: None,
        });
    }
    Ok(Anyone {
        asker: Asker::Peer(request.peer_addr().map(|address| address.ip())),
        device: None,
        person: None,
    })
}

/// The device that asks, if it says which it is and that is so.
pub(crate) fn device_that_asks(request: &HttpRequest) -> Option<DeviceCaller> {
    device(request).ok()
}

/// The badge of who is signed on and asks; empty where nobody was recognised.
pub(crate) fn badge_that_asks(request: &HttpRequest) -> String {
    let known = request.extensions();
    let caller = known.get::<Caller>();
    caller.map_or_else(String::new, |caller| caller.badge.clone())
}

/// The device of a request for a page, which must be one that serves.
///
/// # Errors
/// Why it is none.
pub(crate) fn device_of(request: &HttpRequest) -> Result<DeviceCaller, Refusal> {
    match serving_device(request) {
        Ok(device) => Ok(device),
        Err(ApiError::Refused(refusal)) => Err(refusal),
        Err(_) => Err(Refusal::DeviceUnknown),
    }
}

/// Where a PIN of this request was typed: at a device that is active, or by the command line on
/// central's own machine, which shows the key that central wrote into its data folder. Nobody else
/// has a PIN tried, so no stranger can use up anybody's tries.
pub(crate) fn origin_of(request: &HttpRequest) -> Result<Origin, ApiError> {
    match place(request)? {
        Place::Console => Ok(Origin::Console),
        Place::Device(_) => device(request).map(|device| Origin::Device(device.device)),
        Place::Nowhere => Err(Refusal::DeviceUnknown.into()),
    }
}

fn current_device(request: &HttpRequest) -> Result<DeviceCaller, ApiError> {
    let device = serving_device(request)?;
    let house = &app_of(request)?.central.house;
    let minimum = house
        .agents_minimum
        .as_deref()
        .and_then(|text| text.parse().ok());
    let found: Option<Version> = request
        .headers()
        .get(AGENT_HEADER)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.parse().ok());
    match minimum {
        Some(minimum) if found.is_none_or(|found| found < minimum) => {
            Err(ApiError::AgentTooOld { found, minimum })
        }
        _ if found.is_some_and(|found| found < OLDEST) => Err(ApiError::AgentTooOld {
            found,
            minimum: OLDEST,
        }),
        _ => Ok(device),
    }
}

/// How a handler that names its asker has it recognised.
macro_rules! recognised {
    ($($asker:ty: $recognise:expr;)*) => {$(
        impl FromRequest for $asker {
            type Error = ApiError;
            type Future = Ready<Result<Self, ApiError>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                ready($recognise(request))
            }
        }
    )*};
}

recognised! {
    Device: |request| serving_device(request).map(Self);
    KnownDevice: |request| device(request).map(Self);
    CurrentDevice: |request| current_device(request).map(Self);
    SignedOn: |request| person(request).map(Self);
    Anyone: anyone;
}

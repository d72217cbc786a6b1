//! A request as most handlers take it: the house, who asks, and what.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use keno_service::authority::identity::Caller;
use keno_service::staff::Origin;
use serde::de::DeserializeOwned;

use super::body::{Body, Read};
use super::caller::{app_of, origin_of, person};
use crate::app::App;
use crate::problem::ApiError;

/// Who asks is recognised before what is asked is read.
macro_rules! asked {
    ($($(#[$about:meta])* $name:ident: $who:ty = $recognise:expr;)*) => {$(
        $(#[$about])*
        #[derive(Debug)]
        pub struct $name<T>(pub web::Data<App>, pub $who, pub T);

        impl<T: DeserializeOwned + 'static> FromRequest for $name<T> {
            type Error = ApiError;
            type Future = Read<Self>;

            fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
                let (app, who) = (app_of(request).cloned(), $recognise(request));
                let body = Body::from_request(request, payload);
                Box::pin(async move { Ok(Self(app?, who?, body.await?.0)) })
            }
        }
    )*};
}

asked! {
    /// What a person asks who is signed on at a device.
    By: Caller = person;
    /// What people ask who sign it: where they do, on central's own machine or at a device.
    Signing: Origin = origin_of;
}

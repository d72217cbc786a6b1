//! An address of the server: what a router takes from the tables of addresses.

use actix_web::Route;
use actix_web::http::Method;

/// An address of the server with one method.
pub struct Endpoint {
    /// Method.
    pub method: Method,
    /// Path, with `{name}` for what varies.
    pub path: &'static str,
    /// What answers.
    pub route: Route,
}

impl Endpoint {
    /// A `GET`.
    pub fn get(path: &'static str, route: Route) -> Self {
        Self {
            method: Method::GET,
            path,
            route: route.method(Method::GET),
        }
    }

    /// A `POST`.
    pub fn post(path: &'static str, route: Route) -> Self {
        Self {
            method: Method::POST,
            path,
            route: route.method(Method::POST),
        }
    }

    /// A `DELETE`.
    pub fn delete(path: &'static str, route: Route) -> Self {
        Self {
            method: Method::DELETE,
            path,
            route: route.method(Method::DELETE),
        }
    }
}

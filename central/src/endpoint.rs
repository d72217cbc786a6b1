//! An address of the server: what a router takes from the tables of addresses.

use actix_web::Route;
use actix_web::guard;
use actix_web::http::Method;
use utoipa::openapi::HttpMethod;

/// An address of the server with one method.
pub struct Endpoint {
    /// Method.
    pub method: Method,
    /// Path, with `{name}` for what varies.
    pub path: String,
    /// What answers.
    pub route: Route,
}

impl Endpoint {
    fn new(method: Method, path: &str, route: Route) -> Self {
        let route = if method == Method::GET {
            // What is got can be asked for without its body (RFC 9110, s. 9.3.2).
            route.guard(guard::Any(guard::Get()).or(guard::Head()))
        } else {
            route.method(method.clone())
        };
        Self {
            route,
            path: path.to_owned(),
            method,
        }
    }

    /// A `GET`.
    pub fn get(path: &str, route: Route) -> Self {
        Self::new(Method::GET, path, route)
    }

    /// A `POST`.
    pub fn post(path: &str, route: Route) -> Self {
        Self::new(Method::POST, path, route)
    }

    /// The address of a handler, as its `utoipa::path` has it.
    pub fn of<P: utoipa::Path>(route: Route) -> Self {
        let method = match P::methods().first() {
            Some(HttpMethod::Post) => Method::POST,
            Some(HttpMethod::Delete) => Method::DELETE,
            _ => Method::GET,
        };
        Self::new(method, &pattern(&P::path()), route)
    }
}

/// A path of the document as the router has it: the last part of a tile's address is the rest of the
/// path.
pub fn pattern(path: &str) -> String {
    path.replace("{tile}", "{tile:.*}")
}

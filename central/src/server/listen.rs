//! A socket on its way to a request: let in by its door, through TLS where that is spoken, to
//! HTTP/1.1. Each door has threads of its own.

use std::future::ready;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_http::HttpService;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, fn_service, map_config};
use actix_tls::accept::rustls_0_23::{Acceptor, TlsStream};
use actix_web::dev::{AppConfig, Extensions, Server};
use actix_web::rt::net::TcpStream;
use actix_web::web;
use rustls::ServerConfig;

use super::gate;
use super::routes::configure;
use crate::app::App;
use crate::entrance::guarded::Guarded;
use crate::entrance::{Budget, Class};
use crate::trust::listener::peer_of;

/// A head is there within this time.
const HEAD_WITHIN: Duration = Duration::from_secs(5);
/// A connection between two requests is kept for this time.
const KEPT_FOR: Duration = Duration::from_secs(5);
/// What was refused in the middle of its body has this time to end.
const ENDED_WITHIN: Duration = Duration::from_secs(1);
/// A stop waits so long for what is being answered.
const STOPPED_WITHIN_SECONDS: u64 = 5;

/// The line becomes part of every request of its connection.
fn entered(_: &App, guarded: &Guarded, shared: &mut Extensions) {
    shared.insert(Arc::clone(guarded.line()));
}

/// As [`entered`], and the other end with it.
fn entered_over_tls(app: &App, stream: &TlsStream<Guarded>, shared: &mut Extensions) {
    let (guarded, session) = stream.get_ref();
    entered(app, guarded, shared);
    let peer = peer_of(&app.trust.connections, session, guarded.line());
    // A device has proved itself before it says anything. Where there is no room for it, its
    // first request is told so.
    if gate::is_of_a_device(&peer, app) {
        let _ = guarded.line().become_of(Class::Device);
    }
    shared.insert(peer);
}

macro_rules! http {
    ($app:expr, $stop:expr, $io:ty, $entered:expr) => {{
        let (app, entering) = ($app.clone(), $app.clone());
        let service = actix_web::App::new().configure(move |cfg| configure(cfg, app));
        let service = map_config(service.into_factory(), |()| AppConfig::default());
        let stop = $stop.clone();
        HttpService::build()
            .graceful_shutdown_signal(move || {
                let stop = stop.clone();
                async move { stop.notified().await }
            })
            .keep_alive(KEPT_FOR)
            .client_request_timeout(HEAD_WITHIN)
            .client_disconnect_timeout(ENDED_WITHIN)
            .on_connect_ext(move |stream: &$io, shared: &mut Extensions| {
                $entered(&entering, stream, shared);
            })
            .h1(service)
            .map_err(|_| ())
            .map_init_err(|_| ())
    }};
}

/// A server at one door.
///
/// # Errors
/// When threads or the listener cannot be set up.
pub fn serve(
    app: &web::Data<App>,
    budget: &Arc<Budget>,
    listener: TcpListener,
    tls: Option<ServerConfig>,
) -> std::io::Result<Server> {
    let name = format!("{:?}", budget.door());
    let builder = Server::build()
        .shutdown_timeout(STOPPED_WITHIN_SECONDS)
        // The program stops it, and what waits behind it, in order.
        .disable_signals()
        .max_concurrent_connections(budget.sockets());
    let stop = builder.graceful_shutdown_signal();
    let admitting = Arc::clone(budget);
    let app = app.clone();
    let builder = match tls {
        None => builder.listen(name, listener, move || {
            let budget = Arc::clone(&admitting);
            fn_service(move |socket: TcpStream| {
                let admitted = Guarded::admit(&budget, socket);
                ready(
                    admitted
                        .map(|guarded| {
                            let peer = guarded.peer();
                            (guarded, Some(peer))
                        })
                        .ok_or(()),
                )
            })
            .and_then(http!(app, stop, Guarded, entered))
        })?,
        Some(config) => builder.listen(name, listener, move || {
            let budget = Arc::clone(&admitting);
            fn_service(move |socket: TcpStream| ready(Guarded::admit(&budget, socket).ok_or(())))
                .and_then(Acceptor::new(config.clone()).map_err(|_| ()))
                .and_then(fn_service(|stream: TlsStream<Guarded>| {
                    let peer: Option<SocketAddr> = Some(stream.get_ref().0.peer());
                    ready(Ok((stream, peer)))
                }))
                .and_then(http!(app, stop, TlsStream<Guarded>, entered_over_tls))
        })?,
    };
    Ok(builder.run())
}

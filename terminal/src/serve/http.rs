//! The pages of this device, by its role, on loopback alone.

use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::{HttpServer, web};

use super::door::{Shared, around, json_config, no_icon, path_config, path_unknown, state};
use super::screen::presentations::Presentations;
use super::site::{self, Site};
use super::technician::About;
use super::{assets, people, scanner_door, screen, technician, trials, wall};
use crate::config::Role;

/// What the pages are made of.
#[derive(Clone)]
pub(super) struct Pages {
    /// What every request shares.
    pub(super) shared: web::Data<Shared>,
    /// Central's pages, where this device is an office.
    pub(super) site: Option<web::Data<Site>>,
    /// What the technician's page needs.
    pub(super) about: web::Data<About>,
    /// What is presented as claims.
    pub(super) presentations: web::Data<Presentations>,
}

fn configure(cfg: &mut web::ServiceConfig, pages: Pages) {
    let Pages {
        shared,
        site,
        about,
        presentations,
    } = pages;
    let role = shared.role;
    if let Some(site) = site {
        return site::configure(cfg, shared, site);
    }
    let json = json_config();
    let mut scope = web::scope("")
        .app_data(shared)
        .app_data(about)
        .app_data(presentations)
        .app_data(json)
        .app_data(path_config())
        .wrap(from_fn(around))
        .route("/favicon.ico", web::get().to(no_icon))
        .route("/agent/state", web::get().to(state));
    let page: &[_] = match role {
        Role::Kiosk => assets::KIOSK,
        Role::Display => assets::DISPLAY,
        Role::Pos | Role::Audit | Role::Desk | Role::Office => &[],
    };
    scope = scope.configure(|cfg| assets::configure(cfg, &[assets::AGENT, assets::LOOKS, page]));
    if matches!(role, Role::Pos | Role::Kiosk) {
        scope = scope.configure(screen::commands::configure_check);
    }
    if role == Role::Pos {
        scope = scope
            .configure(people::configure)
            .configure(screen::configure)
            .configure(technician::configure)
            .configure(scanner_door::configure)
            .configure(wall::configure)
            .configure(trials::configure);
    }
    cfg.service(scope.default_service(web::to(|| async { path_unknown() })));
}

/// A server on a listener of loopback.
///
/// # Errors
/// As the operating system gives them.
pub(super) fn serve(listener: TcpListener, pages: Pages) -> std::io::Result<Server> {
    Ok(HttpServer::new(move || {
        let pages = pages.clone();
        actix_web::App::new().configure(move |cfg| configure(cfg, pages))
    })
    .workers(1)
    .shutdown_timeout(5)
    .disable_signals()
    .listen(listener)?
    .run())
}

//! The server: listening at every door.
//!
//! - `routes`: the addresses, and what is done around every request;
//! - `judge`: what is refused before an address is looked at;
//! - `gate`: who shows a certificate that no active device has goes no further;
//! - `shared`: what everybody is answered alike, compressed and sent once;
//! - `listen`: a socket on its way to a request.

mod gate;
mod judge;
mod listen;
mod routes;
mod shared;

use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::web;
use keno_service::house_file::Tls;
use thiserror::Error;

use crate::app::App;
use crate::entrance::{Budget, Door, descriptors};
use crate::trust::authority::TrustFault;
use crate::trust::listener;

pub use routes::{BODY_BYTES_MAX, configure};

/// Connections that may wait to be accepted at the door of everybody, where every board of a house
/// comes back at once when central does. What is beyond is tried again by the other end after a
/// second. The other doors keep the 128 of the standard library: devices come by them, and must have
/// been read before as many others that say nothing push them out.
const WAITING_MAX: i32 = 4_096;

/// The server cannot listen.
#[derive(Debug, Error)]
pub enum ServeFault {
    /// Not an address of this machine alone.
    #[error(
        "{0} can be reached from other machines, and this listener has no TLS: listen on \
         127.0.0.1 or [::1] here, and name tls.listen for the others"
    )]
    NotLoopback(SocketAddr),
    /// TLS cannot be prepared.
    #[error("central cannot prepare TLS")]
    Tls(#[from] TrustFault),
    /// The system gives fewer descriptors than the doors need.
    #[error(
        "central needs {needed} descriptors for its connections and may have {allowed}: raise the \
         limit (LimitNOFILE of its unit, ulimit -n), or lower [connections] in house.toml"
    )]
    Descriptors {
        /// For all doors and files.
        needed: usize,
        /// What the system gives.
        allowed: u64,
    },
    /// The address is taken or may not be used.
    #[error("central cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// The servers of all doors: run them by awaiting this; stop them by its handle.
pub struct Servers {
    handles: Handles,
    all: Pin<Box<dyn Future<Output = std::io::Result<()>>>>,
}

/// Stops every server.
#[derive(Debug, Clone)]
pub struct Handles(Vec<actix_web::dev::ServerHandle>);

impl Handles {
    /// Takes nothing new, and waits for what is being answered where that is `graceful`.
    ///
    /// They are told at once; what is returned ends when they have ended.
    pub fn stop(&self, graceful: bool) -> impl Future<Output = ()> + use<> {
        let stopping: Vec<_> = self.0.iter().map(|one| one.stop(graceful)).collect();
        async move {
            futures_util::future::join_all(stopping).await;
        }
    }
}

impl Servers {
    fn of(servers: Vec<actix_web::dev::Server>) -> Self {
        let handles = servers.iter().map(actix_web::dev::Server::handle).collect();
        Self {
            handles: Handles(handles),
            all: Box::pin(async move {
                futures_util::future::try_join_all(servers).await?;
                Ok(())
            }),
        }
    }

    /// What stops them.
    pub fn handle(&self) -> Handles {
        self.handles.clone()
    }
}

impl Future for Servers {
    type Output = std::io::Result<()>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.all.as_mut().poll(context)
    }
}

/// A central that listens.
pub struct Served {
    /// Where it listens without TLS; the port is the one that was given out for port 0.
    pub address: SocketAddr,
    /// Where it listens for devices with TLS, if it does.
    pub tls: Option<SocketAddr>,
    /// Where it listens for everybody with TLS, if it does.
    pub public: Option<SocketAddr>,
    /// The servers.
    pub server: Servers,
}

/// Listens on an address of this machine alone, without TLS.
///
/// # Errors
/// [`ServeFault::NotLoopback`] or [`ServeFault::Listen`].
pub fn serve(app: web::Data<App>, address: SocketAddr) -> Result<Served, ServeFault> {
    serve_with(&app, address, None)
}

/// As [`serve`], and with TLS on two other addresses, which other machines may reach: one for
/// devices, one for everybody.
///
/// # Errors
/// A [`ServeFault`].
pub fn serve_with(
    app: &web::Data<App>,
    address: SocketAddr,
    tls: Option<&Tls>,
) -> Result<Served, ServeFault> {
    if !address.ip().is_loopback() {
        return Err(ServeFault::NotLoopback(address));
    }
    let names = tls.map_or(&[][..], |tls| tls.names.as_slice());
    let mut at = vec![(Door::Own, address)];
    at.extend(
        tls.iter()
            .flat_map(|tls| [(Door::Devices, tls.listen), (Door::Public, tls.public)]),
    );
    let most = app.central.house.connections;
    let doors: Vec<_> = at
        .into_iter()
        .map(|(door, address)| (Budget::new(door, most, names), address))
        .collect();
    let needed = doors.iter().map(|(budget, _)| budget.sockets()).sum();
    // The doors count for themselves: by its own limit the library would let nobody in while that
    // many others say nothing, instead of letting the oldest of them go.
    actix_tls::accept::max_concurrent_tls_connect(needed);
    descriptors::keep(needed).map_err(|allowed| ServeFault::Descriptors { needed, allowed })?;
    let (mut listening, mut servers) = (Vec::new(), Vec::new());
    for (budget, address) in doors {
        let fault = |source| ServeFault::Listen { address, source };
        let config = if budget.door().is_over_tls() {
            let (authority, clock) = (&app.trust.authority, &app.central.clock);
            Some(listener::server_config(
                budget.door(),
                authority,
                names,
                clock,
            )?)
        } else {
            None
        };
        let socket = TcpListener::bind(address).map_err(fault)?;
        if budget.door() == Door::Public {
            rustix::net::listen(&socket, WAITING_MAX).map_err(|errno| fault(errno.into()))?;
        }
        listening.push(socket.local_addr().map_err(fault)?);
        servers.push(listen::serve(app, &budget, socket, config).map_err(fault)?);
    }
    Ok(Served {
        address: listening[0],
        tls: listening.get(1).copied(),
        public: listening.get(2).copied(),
        server: Servers::of(servers),
    })
}

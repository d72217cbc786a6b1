//! What systemd is told (`sd_notify(3)`): one datagram a message, to the socket that it named.

use std::ffi::OsStr;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

/// Who started this program and wants to hear of it; perhaps nobody.
#[derive(Debug, Default)]
pub struct Supervisor {
    way: Option<(UnixDatagram, SocketAddr)>,
    watchdog: Option<Duration>,
}

impl Supervisor {
    /// The supervisor of the environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`.
    pub fn from_environment() -> Self {
        Self::of(
            std::env::var_os("NOTIFY_SOCKET").as_deref(),
            std::env::var("WATCHDOG_USEC").ok().as_deref(),
            std::env::var("WATCHDOG_PID").ok().as_deref(),
        )
    }

    /// As [`Self::from_environment`], with the three values; `socket` is a path, or a name of the
    /// abstract namespace after `@`, `watchdog_usec` is in microseconds.
    pub fn of(
        socket: Option<&OsStr>,
        watchdog_usec: Option<&str>,
        watchdog_pid: Option<&str>,
    ) -> Self {
        let way = socket.and_then(|socket| {
            let address = match socket.as_bytes() {
                [b'@', name @ ..] => SocketAddr::from_abstract_name(name),
                _ => SocketAddr::from_pathname(socket),
            };
            Some((UnixDatagram::unbound().ok()?, address.ok()?))
        });
        // A value that was meant for a parent is not ours.
        let is_ours = watchdog_pid.is_none_or(|pid| pid == std::process::id().to_string());
        let watchdog = watchdog_usec
            .filter(|_| is_ours && way.is_some())
            .and_then(|text| text.parse().ok())
            .filter(|microseconds| *microseconds > 0)
            .map(Duration::from_micros);
        Self { way, watchdog }
    }

    /// Within what time it wants to hear that this program lives; `None` when it does not ask.
    pub const fn watchdog(&self) -> Option<Duration> {
        self.watchdog
    }

    /// The program does its work from now on.
    pub fn ready(&self, status: &str) {
        self.tell(&format!("READY=1\nSTATUS={}", line(status)));
    }

    /// What it does now, for `systemctl status`.
    pub fn status(&self, status: &str) {
        self.tell(&format!("STATUS={}", line(status)));
    }

    /// It ends in order.
    pub fn stopping(&self) {
        self.tell("STOPPING=1\nSTATUS=stopping");
    }

    /// It lives.
    pub fn alive(&self) {
        self.tell("WATCHDOG=1");
    }

    fn tell(&self, message: &str) {
        if let Some((socket, address)) = &self.way {
            // Who does not listen cannot be told; the work goes on, and its watchdog decides.
            if let Err(error) = socket.send_to_addr(message.as_bytes(), address) {
                tracing::warn!(%error, "systemd cannot be told");
            }
        }
    }
}

/// A status is one line.
fn line(status: &str) -> String {
    status.replace(['\n', '\r'], " ")
}

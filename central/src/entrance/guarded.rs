//! A socket that ends at its time, or at once when it is cut. It knows nothing of HTTP: whoever
//! reads slowly, writes slowly or not at all is ended by the same clock.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::rt::net::{ActixStream, Ready, TcpStream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use super::budget::{Budget, Entry, Line};

/// From the first byte of a request to the last of its body.
const REQUEST_WITHIN: Duration = Duration::from_secs(20);
/// What was sent is acknowledged within this time, or the other end is gone.
const ACKNOWLEDGED_WITHIN_MS: u32 = 30_000;

/// A socket with its place.
#[derive(Debug)]
pub struct Guarded {
    socket: TcpStream,
    peer: SocketAddr,
    entry: Entry,
    request_ends: Option<Instant>,
    timer: Pin<Box<Sleep>>,
}

impl Guarded {
    /// Takes a socket in; `None` when its door has no room.
    pub fn admit(budget: &Arc<Budget>, socket: TcpStream) -> Option<Self> {
        let peer = socket.peer_addr().ok()?;
        let entry = budget.admit(peer.ip())?;
        // An answer is written whole: it never waits for an acknowledgement of the one before.
        socket.set_nodelay(true).ok()?;
        // Where this is not known a dead end is found later, by the system's own patience.
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&socket, ACKNOWLEDGED_WITHIN_MS);
        let ends = entry.0.ends_at().unwrap_or_else(Instant::now);
        Some(Self {
            socket,
            peer,
            entry,
            request_ends: None,
            timer: Box::pin(tokio::time::sleep_until(ends)),
        })
    }

    /// The address of the other end.
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// The connection, for its requests.
    pub fn line(&self) -> &Arc<Line> {
        &self.entry.0
    }

    /// Ready when the connection is over.
    fn poll_over(&mut self, context: &mut Context<'_>) -> Poll<io::Error> {
        let line = &self.entry.0;
        line.woken_by(context.waker());
        if line.is_cut() {
            return Poll::Ready(io::ErrorKind::ConnectionAborted.into());
        }
        if line.take_arrived() {
            self.request_ends = None;
        }
        loop {
            let ends = match (line.ends_at(), self.request_ends) {
                (Some(life), Some(request)) => life.min(request),
                (Some(ends), None) | (None, Some(ends)) => ends,
                (None, None) => return Poll::Pending,
            };
            if self.timer.deadline() != ends {
                self.timer.as_mut().reset(ends);
            }
            ready!(self.timer.as_mut().poll(context));
            // A place that became a device's in the meantime has another end, or none.
            if Instant::now() >= ends {
                return Poll::Ready(io::ErrorKind::TimedOut.into());
            }
        }
    }
}

impl AsyncRead for Guarded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Poll::Ready(over) = self.poll_over(context) {
            return Poll::Ready(Err(over));
        }
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.socket).poll_read(context, buffer));
        if buffer.filled().len() > before && self.request_ends.is_none() {
            self.request_ends = Some(Instant::now() + REQUEST_WITHIN);
        }
        Poll::Ready(read)
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(over) = self.poll_over(context) {
            return Poll::Ready(Err(over));
        }
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(over) = self.poll_over(context) {
            return Poll::Ready(Err(over));
        }
        Pin::new(&mut self.socket).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}

impl ActixStream for Guarded {
    fn poll_read_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_read_ready(&self.socket, context)
    }

    fn poll_write_ready(&self, context: &mut Context<'_>) -> Poll<io::Result<Ready>> {
        ActixStream::poll_write_ready(&self.socket, context)
    }
}

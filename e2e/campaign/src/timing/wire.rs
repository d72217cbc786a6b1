//! Requests whose bytes are made beforehand, on a connection that is kept: what is measured is
//! central and the loopback, and little else.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::json;

use crate::clock::Stopwatch;

/// Central that is silent for so long does not answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// An answer as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// Status line, headers and body: so many bytes.
    pub size: usize,
    /// The status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
    /// From before the first byte that was sent until after the last that was read, in
    /// nanoseconds.
    pub took_ns: u64,
}

/// A connection.
#[derive(Debug)]
pub struct Wire {
    address: SocketAddr,
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// The bytes of `POST /api/v1/checks` by a device.
pub fn request(address: SocketAddr, device: u32, key: &str, code: &str) -> Vec<u8> {
    let body = json!({ "code": code }).to_string();
    format!(
        "POST /api/v1/checks HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Boulier-Device: {device}.{key}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn broken(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

/// Where the headers end, what the status is, and how long the body.
fn head(bytes: &[u8]) -> io::Result<Option<(usize, u16, usize)>> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let text = std::str::from_utf8(bytes.get(..end).unwrap_or_default())
        .map_err(|_| broken("headers that are no text"))?;
    let mut lines = text.lines();
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1)?.parse().ok())
        .ok_or_else(|| broken("an answer without a status"))?;
    let length = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse().ok())
        .ok_or_else(|| broken("an answer without a length"))?;
    Ok(Some((end + 4, status, length)))
}

impl Wire {
    /// A connection to central.
    ///
    /// # Errors
    /// When central does not take it.
    pub fn to(address: SocketAddr) -> io::Result<Self> {
        Ok(Self {
            address,
            stream: connect(address)?,
            buffer: Vec::with_capacity(16_384),
        })
    }

    /// Begins anew, on another connection.
    ///
    /// # Errors
    /// When central does not take it.
    pub fn anew(&mut self) -> io::Result<()> {
        self.stream = connect(self.address)?;
        Ok(())
    }

    /// Asks; `longer` is spent idle before the last byte counts as read, for what is planted.
    ///
    /// # Errors
    /// When there is no whole answer.
    pub fn ask(&mut self, request: &[u8], longer: Duration) -> io::Result<Answered> {
        self.buffer.clear();
        let watch = Stopwatch::start();
        self.stream.write_all(request)?;
        let (begins, status, length) = loop {
            if let Some(head) = head(&self.buffer)? {
                break head;
            }
            self.more()?;
        };
        while self.buffer.len() < begins + length {
            self.more()?;
        }
        if !longer.is_zero() {
            let waited = Stopwatch::start();
            while waited.elapsed() < longer {
                std::hint::spin_loop();
            }
        }
        let took_ns = u64::try_from(watch.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let body = self.buffer.get(begins..begins + length).unwrap_or_default();
        Ok(Answered {
            size: self.buffer.len(),
            status,
            body: body.to_vec(),
            took_ns,
        })
    }

    fn more(&mut self) -> io::Result<()> {
        let mut bytes = [0_u8; 8_192];
        let count = self.stream.read(&mut bytes)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.buffer
            .extend_from_slice(bytes.get(..count).unwrap_or_default());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::head;

    #[test]
    fn the_head_of_an_answer_is_read() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(head(answer).unwrap(), Some((38, 200, 2)));
        assert_eq!(head(&answer[..20]).unwrap(), None);
        assert!(head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}

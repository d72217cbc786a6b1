//! One request, one answer, on a connection of its own.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Status.
    pub status: u16,
    /// Everything after the empty line.
    pub body: Vec<u8>,
}

/// A request as it travels.
#[derive(Debug, Clone)]
pub struct Request {
    /// `POST /path HTTP/1.1` and the headers, without the empty line.
    pub head: String,
    /// What follows it.
    pub body: Vec<u8>,
}

impl Request {
    /// A request with the headers that every one has.
    pub fn new(method: &str, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Self {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n",
            body.len()
        );
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        Self { head, body }
    }

    /// Reads a request; none when the connection ends before it does.
    pub fn read(stream: &mut impl Read) -> Option<Self> {
        let mut bytes = Vec::new();
        let mut buffer = [0_u8; 4096];
        loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = String::from_utf8(bytes[..end + 2].to_vec()).ok()?;
                let length = head
                    .to_ascii_lowercase()
                    .lines()
                    .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok())
                    .unwrap_or(0_usize);
                let mut body = bytes.split_off(end + 4);
                while body.len() < length {
                    match stream.read(&mut buffer).ok()? {
                        0 => return None,
                        count => body.extend_from_slice(&buffer[..count]),
                    }
                }
                return Some(Self { head, body });
            }
            match stream.read(&mut buffer).ok()? {
                0 => return None,
                count => bytes.extend_from_slice(&buffer[..count]),
            }
        }
    }

    /// The path that is asked for.
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    /// Sends it; the bytes of the answer, as they came, until the other side closes.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn send(&self, to: SocketAddr) -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(to)?;
        let kept: String = self
            .head
            .split_inclusive("\r\n")
            .filter(|line| !line.to_ascii_lowercase().starts_with("connection:"))
            .collect();
        stream.write_all(kept.as_bytes())?;
        stream.write_all(b"connection: close\r\n\r\n")?;
        stream.write_all(&self.body)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    }

    /// Sends it and reads the answer.
    ///
    /// # Panics
    /// When there is none.
    pub fn ask(&self, to: SocketAddr) -> Answer {
        let bytes = self.send(to).unwrap();
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .expect("an answer has a head");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            body: bytes[end + 4..].to_vec(),
        }
    }
}

//! The page that shows the papers, newest first.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::folder::Folder;

/// The page itself.
const PAGE: &str = include_str!("page.html");
/// Bytes of a request's head that are read.
const HEAD_BYTES_MAX: u64 = 8192;
/// A browser that sends nothing is let go.
const READ_WAIT: Duration = Duration::from_secs(5);

struct Answer {
    status: &'static str,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    const fn ok(kind: &'static str, body: Vec<u8>) -> Self {
        Self {
            status: "200 OK",
            kind,
            body,
        }
    }

    fn error(status: &'static str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            body: status.as_bytes().to_vec(),
        }
    }
}

/// Answers requests until the listener ends.
pub fn serve(listener: &TcpListener, folder: &Arc<Folder>) {
    for stream in listener.incoming().flatten() {
        let folder = Arc::clone(folder);
        thread::spawn(move || {
            if let Err(error) = answer(stream, &folder) {
                tracing::debug!(%error, "page connection");
            }
        });
    }
}

/// The request's path, when it is a `GET` for this machine by one of its own names: another
/// name would be a page elsewhere that had its name point here.
fn path(stream: &TcpStream) -> io::Result<Result<String, Answer>> {
    let mut head = BufReader::new(stream.take(HEAD_BYTES_MAX));
    let mut first = String::new();
    head.read_line(&mut first)?;
    let mut is_own_name = false;
    loop {
        let mut line = String::new();
        if head.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            let host = value.trim();
            let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
            is_own_name = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        }
    }
    let mut words = first.split_ascii_whitespace();
    Ok(match (words.next(), words.next()) {
        _ if !is_own_name => Err(Answer::error("421 Misdirected Request")),
        (Some("GET"), Some(path)) => Ok(path.to_owned()),
        (Some(_), Some(_)) => Err(Answer::error("405 Method Not Allowed")),
        _ => Err(Answer::error("400 Bad Request")),
    })
}

fn route(path: &str, folder: &Folder) -> io::Result<Answer> {
    if path == "/" {
        return Ok(Answer::ok("text/html; charset=utf-8", PAGE.into()));
    }
    if path == "/papers.json" {
        let numbers: Vec<String> = folder.papers()?.iter().map(u64::to_string).collect();
        let body = format!("[{}]", numbers.join(","));
        return Ok(Answer::ok("application/json", body.into()));
    }
    let file = path.strip_prefix("/paper/").and_then(|name| {
        let (number, extension) = name.split_once('.')?;
        let kind = match extension {
            "png" => "image/png",
            "txt" => "text/plain; charset=utf-8",
            _ => return None,
        };
        // A number and one of two endings: no path from outside reaches the disk.
        Some((folder.file(number.parse().ok()?, extension), kind))
    });
    match file {
        Some((file, kind)) if file.is_file() => Ok(Answer::ok(kind, fs::read(file)?)),
        _ => Ok(Answer::error("404 Not Found")),
    }
}

fn answer(mut stream: TcpStream, folder: &Folder) -> io::Result<()> {
    stream.set_read_timeout(Some(READ_WAIT))?;
    let answer = match path(&stream)? {
        Ok(path) => route(&path, folder)?,
        Err(answer) => answer,
    };
    write!(
        stream,
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Content-Security-Policy: default-src 'none'; img-src 'self'; connect-src 'self'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'\r\n\
         Connection: close\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    )?;
    stream.write_all(&answer.body)?;
    stream.flush()
}

//! The page of the virtual printer: what it shows, and whom it does not answer.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};

use keno_slip::Width;
use keno_terminal::virtual_printer::decode;
use keno_terminal::virtual_printer::server::{Options, start};

const ANY: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Status line and body of an answer.
fn ask(web: SocketAddr, request: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(web).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    (
        head.lines().next().unwrap().to_owned(),
        answer[end + 4..].to_vec(),
    )
}

fn get(web: SocketAddr, path: &str) -> (String, Vec<u8>) {
    ask(web, &format!("GET {path} HTTP/1.1\r\nHost: {web}\r\n\r\n"))
}

#[test]
fn papers_are_shown_to_this_machine_only() {
    let folder = tempfile::tempdir().unwrap();
    let running = start(&Options {
        print: ANY,
        web: ANY,
        folder: folder.path().to_owned(),
        fault: None,
        dots: 576,
    })
    .unwrap();
    let bytes = crate::support::bytes(&crate::support::paper("full", Width::Wide));
    let sheet = decode(&bytes, 576).unwrap().remove(0);
    running.folder.keep(&bytes, &sheet).unwrap();
    running.folder.keep(&bytes, &sheet).unwrap();
    let web = running.web;

    let (status, page) = get(web, "/");
    assert_eq!(status, "HTTP/1.1 200 OK");
    assert!(
        String::from_utf8(page)
            .unwrap()
            .contains("Imprimante virtuelle")
    );
    assert_eq!(get(web, "/papers.json").1, b"[2,1]");
    assert!(get(web, "/paper/2.png").1.starts_with(b"\x89PNG"));
    let text = String::from_utf8(get(web, "/paper/1.txt").1).unwrap();
    assert!(text.ends_with("*** FIN / END\n"));
    // Who has no scanner reads here what the codes say.
    let code = crate::support::sample("full").claim_code.unwrap();
    assert!(text.contains(&format!("\nQR: {code}\n")), "{text}");
    assert!(text.contains("\nITF: 0731552890146663\n"), "{text}");

    for path in [
        "/paper/3.png",
        "/paper/1.escpos",
        "/paper/../1.png",
        "/paper/..%2f1.png",
        "/etc/passwd",
        "/paper/1",
    ] {
        assert_eq!(get(web, path).0, "HTTP/1.1 404 Not Found", "{path}");
    }
    for host in ["evil.example", "127.0.0.1.evil.example:80", ""] {
        let (status, body) = ask(
            web,
            &format!("GET /papers.json HTTP/1.1\r\nHost: {host}\r\n\r\n"),
        );
        assert_eq!(
            (status.as_str(), body.as_slice()),
            (
                "HTTP/1.1 421 Misdirected Request",
                &b"421 Misdirected Request"[..]
            )
        );
    }
    assert_eq!(
        ask(web, &format!("POST / HTTP/1.1\r\nHost: {web}\r\n\r\n")).0,
        "HTTP/1.1 405 Method Not Allowed"
    );
    assert_eq!(
        ask(web, &format!("\r\nHost: {web}\r\n\r\n")).0,
        "HTTP/1.1 400 Bad Request"
    );
}

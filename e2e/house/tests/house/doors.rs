//! Strangers on every socket that they can get: sales go on, and whoever is slow is cut. Nothing
//! here is waited for but the end of a socket.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use keno_house_tests::counter::Counter;
use keno_house_tests::house::House;
use keno_house_tests::http::Request;
use keno_house_tests::secure::{Secure, Terminal};
use keno_terminal::exit::Exit;

use crate::straight;

/// Longer than the longest deadline of a door.
const PATIENCE: Duration = Duration::from_secs(90);

const HEAD: &str = "host: 127.0.0.1\r\n";

/// A stranger's socket that has said this much.
fn stranger(at: SocketAddr, said: &str) -> Option<TcpStream> {
    let mut socket = TcpStream::connect(at).ok()?;
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    // Central may have closed it already.
    let _ = socket.write_all(said.as_bytes());
    Some(socket)
}

/// The status line of an answer, or nothing when the socket was closed without one.
fn status(socket: &mut TcpStream) -> Option<u16> {
    let mut first = [0; 12];
    socket.read_exact(&mut first).ok()?;
    std::str::from_utf8(&first[9..]).ok()?.parse().ok()
}

/// Reads until central has closed it; the status of what it said.
fn ended(mut socket: TcpStream) -> Option<u16> {
    let status = status(&mut socket);
    let mut rest = [0; 4096];
    loop {
        match socket.read(&mut rest) {
            Ok(0) => return status,
            Ok(_) => {}
            Err(error) => {
                let waited = matches!(
                    error.kind(),
                    std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                );
                assert!(!waited, "a stranger is still let in");
                return status;
            }
        }
    }
}

fn streams(at: SocketAddr, count: usize) -> (Vec<TcpStream>, usize) {
    let (mut open, mut refused) = (Vec::new(), 0);
    for _ in 0..count {
        let mut socket = stranger(at, &format!("GET /live HTTP/1.1\r\n{HEAD}\r\n")).unwrap();
        match status(&mut socket) {
            Some(200) => open.push(socket),
            Some(503) => refused += 1,
            other => panic!("{other:?}"),
        }
    }
    (open, refused)
}

#[test]
fn with_every_socket_of_strangers_in_use_sales_go_on_and_the_slow_are_cut() {
    let house = House::new();
    let counter = Counter::open(&house);
    let at = house.address();
    let (live, refused) = streams(at, 150);
    assert_eq!((live.len(), refused), (128, 22));
    let body = format!("POST /api/v1/checks HTTP/1.1\r\n{HEAD}content-length: 50\r\n\r\nc");
    let second = format!("GET /healthz HTTP/1.1\r\n{HEAD}\r\nGET / HTTP/1.1\r\nhost");
    let slow: Vec<TcpStream> = [body.as_str(), "GET / HTTP/1.1\r\nhost", "", &second]
        .into_iter()
        .flat_map(|said| (0..150).filter_map(move |_| stranger(at, said)))
        .collect();
    // And some that go on coming while tickets are sold, so many to a sale, however fast either is.
    let sold = 10;
    let (sells, sales) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut held = Vec::new();
            for () in sales {
                held.extend((0..200).filter_map(|_| stranger(at, &body)));
                if held.len() > 300 {
                    held.clear();
                }
            }
        });
        for number in 1..=sold {
            sells.send(()).unwrap();
            counter.sells(&straight(&[number], 200, 1));
        }
        drop(sells);
    });
    assert_eq!(house.tickets(), u64::from(sold));
    let mut late = 0;
    for socket in slow {
        match ended(socket) {
            Some(408) => late += 1,
            Some(200 | 503) | None => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(late > 0, "no slow body was answered");
    // Their places are free again, and the streams were let be.
    assert_eq!(house.get("/healthz").status, 200);
    let mut first = &live[0];
    let mut told = [0; 16];
    assert_eq!(first.read(&mut told).unwrap(), told.len());
}

#[test]
fn strangers_at_both_doors_with_tls_take_nothing_from_devices() {
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    terminal.signs_on(house.secure()).ended(Exit::Done);
    let silent: Vec<TcpStream> = [house.public(), house.secure()]
        .into_iter()
        .flat_map(|at| (0..200).filter_map(move |_| stranger(at, "\u{16}\u{3}\u{1}")))
        .collect();
    for _ in 0..5 {
        terminal.sells(house.secure()).ended(Exit::Done);
    }
    assert_eq!(house.tickets(), 5);
    // An address has its share at the public door; who is through it is heard.
    let (mut open, mut refused) = (Vec::new(), 0);
    for _ in 0..140 {
        let live = Request::new("GET", "/live", &[], Vec::new());
        let heard = Secure::of_nobody(house.public()).and_then(|mut stranger| {
            stranger.send(&live)?;
            let mut first = [0; 12];
            stranger.0.read_exact(&mut first)?;
            Ok((first, stranger))
        });
        match heard {
            Ok((first, stranger)) if first.ends_with(b"200") => open.push(stranger),
            _ => refused += 1,
        }
    }
    assert_eq!((open.len(), refused), (128, 12));
    terminal.sells(house.secure()).ended(Exit::Done);
    for socket in silent {
        ended(socket);
    }
}

/// A socket of another of this machine's addresses, which says nothing.
fn silent_from(address: u8, at: SocketAddr) -> TcpStream {
    use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
    let made = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&made, &SocketAddr::from(([127, 0, 0, address], 0))).unwrap();
    connect(&made, &at).unwrap();
    TcpStream::from(made)
}

/// Whoever never begins the handshake gives its place to the next, and is not waited for.
#[test]
fn silence_before_the_handshake_keeps_no_device_waiting() {
    const SILENT: usize = 600;
    let house = House::new();
    let terminal = Terminal::enrolled(&house, 7);
    let silent: Vec<TcpStream> = (2..8_u8)
        .flat_map(|address| vec![address; SILENT / 6])
        .map(|address| silent_from(address, house.secure()))
        .collect();
    terminal.signs_on(house.secure()).ended(Exit::Done);
    terminal.sells(house.secure()).ended(Exit::Done);
    let is_open = |mut socket: &TcpStream| {
        socket.set_nonblocking(true).unwrap();
        let read = socket.read(&mut [0]);
        matches!(read, Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    };
    // Had the device waited for them to be cut for their silence, next to none would be there.
    let waiting = silent.iter().filter(|socket| is_open(socket)).count();
    assert!(waiting > SILENT / 2, "{waiting}");
}

#[test]
fn nobody_without_a_certificate_is_let_into_the_door_of_the_devices() {
    let house = House::new();
    let request = Request::new("GET", "/healthz", &[], Vec::new());
    let nobody = Secure::of_nobody(house.secure()).and_then(|mut nobody| nobody.ask(&request));
    assert!(nobody.is_err(), "{nobody:?}");
    let terminal = Terminal::enrolled(&house, 7);
    let mut own = terminal.connect(house.secure()).unwrap();
    assert_eq!(own.ask(&request).unwrap().status, 200);
    // At the public door nobody is asked who they are, and a device is one of many there.
    let mut nobody = Secure::of_nobody(house.public()).unwrap();
    assert_eq!(nobody.ask(&request).unwrap().status, 200);
    let time = Request::new("GET", "/metrics", &[], Vec::new());
    let mut own = terminal.connect(house.public()).unwrap();
    assert_eq!(own.ask(&time).unwrap().status, 401);
}

/// The head of an answer, in lower case.
fn head(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    text.split("\r\n\r\n").next().unwrap().to_owned()
}

#[test]
fn a_request_is_for_a_name_of_central_and_from_its_own_page() {
    let house = House::new();
    let at = house.address();
    let ask = |host: &str, origin: Option<&str>| {
        let origin = origin.map_or_else(String::new, |origin| format!("origin: {origin}\r\n"));
        let said = format!("GET / HTTP/1.1\r\nhost: {host}\r\n{origin}connection: close\r\n\r\n");
        let mut socket = stranger(at, &said).unwrap();
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        head(&answer)
    };
    let own = format!("http://{at}");
    for (host, origin, status) in [
        (at.to_string(), None, "200"),
        (at.to_string(), Some(own.as_str()), "200"),
        ("localhost".to_owned(), None, "200"),
        ("evil.example".to_owned(), None, "421"),
        (at.to_string(), Some("http://evil.example"), "403"),
        (at.to_string(), Some("null"), "403"),
    ] {
        let head = ask(&host, origin);
        assert!(
            head.starts_with(&format!("http/1.1 {status}")),
            "{host} {head}"
        );
        assert!(!head.contains("strict-transport-security"), "{head}");
    }
    let long = "a".repeat(5_000);
    let said = format!("GET /api/v1/{long} HTTP/1.1\r\n{HEAD}connection: close\r\n\r\n");
    assert_eq!(ended(stranger(at, &said).unwrap()), Some(431));
    // A body that is said to be too long is not waited for.
    let said = format!("POST /api/v1/checks HTTP/1.1\r\n{HEAD}content-length: 70000\r\n\r\n{{");
    assert_eq!(ended(stranger(at, &said).unwrap()), Some(413));
    // Over TLS a browser is told never to come without.
    let mut nobody = Secure::of_nobody(house.public()).unwrap();
    let request = Request::new("GET", "/", &[("connection", "close")], Vec::new());
    nobody.send(&request).unwrap();
    let mut answer = Vec::new();
    let _ = nobody.0.read_to_end(&mut answer);
    assert!(head(&answer).contains("strict-transport-security: max-age=31536000"));
}

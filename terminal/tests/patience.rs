//! How long a device waits for central's answer.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use keno_terminal::central::{CallFault, Central, Patience};
use serde_json::{Value, json};

/// A PIN that is refused is answered late on purpose: it is still waited for when all that was asked
/// after it has been given up. Seen to fail: where a PIN is waited for as all else is, and where only
/// that of the person here is known for one.
#[test]
fn a_pin_is_waited_for_longer_than_all_else() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let patience = Patience {
        connect: Duration::from_secs(20),
        answer: Duration::from_millis(200),
    };
    let ask = move |path: &str, request: &Value| {
        Central::new(&base, 7, "00ff", patience).post::<_, Value>(path, request)
    };
    let with_pin = [
        ("/sessions", json!({"badge": "C142", "pin": "246813"})),
        (
            "/payments",
            json!({"key": 1, "second": {"badge": "S007", "pin": "135792"}}),
        ),
    ];
    let asked = with_pin.map(|(path, request)| {
        let ask = ask.clone();
        let asked = thread::spawn(move || ask(path, &request));
        (path, asked, listener.accept().unwrap().0)
    });
    let without = ask("/sales", &json!({"key": 2, "second": {"approval": 3}}));
    assert!(matches!(without, Err(CallFault::Lost(_))), "{without:?}");
    for (path, asked, mut stream) in asked {
        stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
            .unwrap();
        let answer = asked.join().unwrap();
        assert!(answer.is_ok(), "{path}: {answer:?}");
    }
}

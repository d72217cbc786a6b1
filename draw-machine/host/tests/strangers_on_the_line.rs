//! Who reaches a host on the network without central's key, and whom central does not take for one.

#![allow(clippy::unwrap_used, clippy::expect_used, dead_code)]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;

use crate::common::{HOUSE, House, central_key};
use keno_draw_machine::line::{Answer, Ask, BOUNDS};
use keno_line::{Host, HostKey, HostPlace, trust};
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};

/// What a host answers to these bytes until it hangs up.
fn said(address: &str, bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(bytes).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    // Reset or closed: what was said before counts.
    let _ = stream.read_to_end(&mut answer);
    answer
}

#[test]
fn without_the_key_of_central_nobody_is_answered() {
    let house = House::new();
    for host in [&house.machine, &house.holders[0]] {
        // Without TLS: at most an alert.
        for bytes in [
            b"{\"ask\":\"state\"}\n".as_slice(),
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            b"",
            &[0; 4096],
        ] {
            let answer = said(host.address(), bytes);
            assert!(answer.len() < 16 && !answer.contains(&b'{'), "{answer:?}");
        }
        // With TLS and another key; and with the key of the host itself.
        let own = HostKey::read(&host.folder.join("first"), host.key.name()).unwrap();
        for stranger in [HostKey::from_seed("central", [3; 32]).unwrap(), own] {
            let fault = host
                .shown_to(&stranger)
                .answer::<Answer>(&Ask::State)
                .unwrap_err()
                .to_string();
            assert!(!fault.is_empty(), "refused");
        }
        let at = host.at().answer::<Answer>(&Ask::State).unwrap();
        assert!(matches!(at, Answer::State { draws: 0, .. }));
    }
}

#[test]
fn central_speaks_with_the_host_whose_key_is_pinned_and_with_no_other() {
    let house = House::new();
    // The machine's address, the holder's key: as when somebody puts another program there.
    let place = HostPlace {
        address: house.machine.address().to_owned(),
        key: house.holders[0].key.clone(),
    };
    let at = Host::new(HOUSE, &place, &central_key(), BOUNDS).unwrap();
    let fault = at.answer::<Answer>(&Ask::State).unwrap_err().to_string();
    assert!(fault.contains("certificate"), "{fault}");
}

#[test]
fn whoever_says_nothing_keeps_nobody_out() {
    let house = House::new();
    let idle: Vec<TcpStream> = (0..40)
        .map(|_| TcpStream::connect(house.machine.address()).unwrap())
        .collect();
    for _ in 0..3 {
        assert!(house.machine.at().answer::<Answer>(&Ask::State).is_ok());
    }
    drop(idle);
}

#[test]
fn what_is_no_ask_is_told_so_and_the_host_goes_on() {
    let house = House::new();
    for bytes in [
        b"\n".as_slice(),
        b"{}\n",
        b"{\"ask\":\"sell\"}\n",
        b"{\"ask\":\"commit\",\"draw\":-1}\n",
        b"{\"ask\":\"commit\",\"draw\":1,\"more\":2}\n",
        b"\xff\xfe\n",
        &[b'x'; 70_000],
    ] {
        let config = trust::client(&central_key(), &house.holders[0].key).unwrap();
        let name = ServerName::try_from("127.0.0.1").unwrap();
        let tls = ClientConnection::new(Arc::new(config), name).unwrap();
        let stream = TcpStream::connect(house.holders[0].address()).unwrap();
        let mut line = StreamOwned::new(tls, stream);
        line.write_all(bytes).unwrap();
        line.flush().unwrap();
        let mut answer = String::new();
        let _ = line.read_to_string(&mut answer);
        assert!(answer.contains("\"name\":\"unreadable\""), "{answer}");
    }
    assert_eq!(house.holders[0].draws(), 0);
}

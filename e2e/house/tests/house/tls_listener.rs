//! What the listener speaks: only versions and ciphers with forward secrecy and authentication of
//! what is sent.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Command, Stdio};

use keno_house_tests::house::House;

/// ECDHE-ECDSA-AES128-GCM-SHA256.
const GOOD: u16 = 0xc02b;

/// A ClientHello of one version with these ciphers, as bytes.
fn hello(version: u16, ciphers: &[u16]) -> Vec<u8> {
    let mut extensions = Vec::new();
    let mut extension = |kind: u16, body: &[u8]| {
        extensions.extend(kind.to_be_bytes());
        extensions.extend(u16::try_from(body.len()).unwrap().to_be_bytes());
        extensions.extend(body);
    };
    // Groups: P-256 and X25519. Signatures: ECDSA with P-256, RSA. Points: uncompressed.
    extension(10, &[0, 4, 0, 23, 0, 29]);
    extension(13, &[0, 6, 4, 3, 8, 4, 4, 1]);
    extension(11, &[1, 0]);
    // Extended master secret.
    extension(23, &[]);
    let mut body = version.to_be_bytes().to_vec();
    body.extend([7; 32]);
    body.push(0);
    body.extend(u16::try_from(ciphers.len() * 2).unwrap().to_be_bytes());
    body.extend(ciphers.iter().flat_map(|cipher| cipher.to_be_bytes()));
    body.extend([1, 0]);
    body.extend(u16::try_from(extensions.len()).unwrap().to_be_bytes());
    body.extend(extensions);
    let mut bytes = vec![22, 3, 1];
    bytes.extend(u16::try_from(body.len() + 4).unwrap().to_be_bytes());
    bytes.push(1);
    bytes.extend(&u32::try_from(body.len()).unwrap().to_be_bytes()[1..]);
    bytes.extend(body);
    bytes
}

/// The kind of the first record of the answer: 22 goes on with the handshake, 21 is an alert, with
/// what it says.
fn answer(at: SocketAddr, hello: &[u8]) -> (u8, Option<u8>) {
    let mut socket = TcpStream::connect(at).unwrap();
    socket.write_all(hello).unwrap();
    let mut record = [0; 7];
    socket.read_exact(&mut record).unwrap();
    (record[0], (record[0] == 21).then_some(record[6]))
}

#[test]
fn old_versions_and_ciphers_without_forward_secrecy_are_refused() {
    const PROTOCOL_VERSION: u8 = 70;
    const HANDSHAKE_FAILURE: u8 = 40;
    let house = House::new();
    let at = house.secure();
    // The hello itself is sound: with a good cipher the handshake goes on.
    assert_eq!(answer(at, &hello(0x0303, &[GOOD])), (22, None));
    for version in [0x0300, 0x0301, 0x0302] {
        assert_eq!(
            answer(at, &hello(version, &[GOOD])),
            (21, Some(PROTOCOL_VERSION)),
            "{version:#x}"
        );
    }
    for (cipher, name) in [
        (0x009c, "RSA-AES128-GCM-SHA256: no forward secrecy"),
        (0x002f, "RSA-AES128-SHA: no forward secrecy"),
        (0xc009, "ECDHE-ECDSA-AES128-SHA: not authenticated"),
        (0xc023, "ECDHE-ECDSA-AES128-SHA256: not authenticated"),
        (0xc008, "ECDHE-ECDSA-3DES"),
        (0xc007, "ECDHE-ECDSA-RC4"),
        (0xc006, "ECDHE-ECDSA-NULL"),
        (0xc018, "ECDH-anon-AES128-SHA"),
        (0x00a6, "DH-anon-AES128-GCM"),
        (0x008c, "PSK-AES128-SHA"),
    ] {
        assert_eq!(
            answer(at, &hello(0x0303, &[cipher])),
            (21, Some(HANDSHAKE_FAILURE)),
            "{name}"
        );
    }
}

/// What sslscan says is accepted: version and cipher.
fn accepted(report: &str) -> Vec<(String, String)> {
    report
        .lines()
        .filter_map(|line| {
            let line = line.trim();
            if !line.starts_with("<cipher ") {
                return None;
            }
            let field = |name: &str| {
                let start = line.find(&format!(" {name}=\""))? + name.len() + 3;
                line.get(start..)?.split('"').next().map(str::to_owned)
            };
            Some((field("sslversion")?, field("cipher")?))
        })
        .collect()
}

/// What of a report is not allowed.
fn faults(report: &str) -> Vec<String> {
    const ALLOWED: [(&str, &str); 6] = [
        ("TLSv1.3", "TLS_AES_128_GCM_SHA256"),
        ("TLSv1.3", "TLS_AES_256_GCM_SHA384"),
        ("TLSv1.3", "TLS_CHACHA20_POLY1305_SHA256"),
        ("TLSv1.2", "ECDHE-ECDSA-AES128-GCM-SHA256"),
        ("TLSv1.2", "ECDHE-ECDSA-AES256-GCM-SHA384"),
        ("TLSv1.2", "ECDHE-ECDSA-CHACHA20-POLY1305"),
    ];
    let mut faults: Vec<String> = accepted(report)
        .into_iter()
        .filter(|(version, cipher)| !ALLOWED.contains(&(version.as_str(), cipher.as_str())))
        .map(|(version, cipher)| format!("{version} {cipher}"))
        .collect();
    for line in report.lines().map(str::trim) {
        let is_on = |sign: &str| line.contains(sign);
        let old = line.starts_with("<protocol ")
            && is_on("enabled=\"1\"")
            && !is_on("type=\"tls\" version=\"1.2\"")
            && !is_on("type=\"tls\" version=\"1.3\"");
        let weak = (line.starts_with("<heartbleed ") && is_on("vulnerable=\"1\""))
            || (line.starts_with("<compression ") && is_on("supported=\"1\""))
            || (line.starts_with("<renegotiation ")
                && is_on("supported=\"1\"")
                && is_on("secure=\"0\""));
        if old || weak {
            faults.push(line.to_owned());
        }
    }
    faults
}

#[test]
fn sslscan_finds_only_what_is_allowed() {
    if Command::new("sslscan")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_err()
    {
        eprintln!("skipped: sslscan is not installed (scripts/test installs it)");
        return;
    }
    let house = House::new();
    let output = Command::new("sslscan")
        // At the other door it would have to show a certificate.
        .args(["--xml=-", "--no-colour", &house.public().to_string()])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    let found = accepted(&report);
    // It has really looked: all six are there.
    assert_eq!(found.len(), 6, "{report}");
    assert_eq!(faults(&report), [] as [String; 0], "{report}");
    // A report that names what is not allowed is a fault.
    for planted in [
        "<protocol type=\"tls\" version=\"1.0\" enabled=\"1\" />",
        "<protocol type=\"ssl\" version=\"3\" enabled=\"1\" />",
        "<cipher status=\"accepted\" sslversion=\"TLSv1.2\" bits=\"128\" cipher=\"AES128-GCM-SHA256\" />",
        "<heartbleed sslversion=\"TLSv1.2\" vulnerable=\"1\" />",
        "<compression supported=\"1\" />",
    ] {
        assert_eq!(
            faults(&format!("{report}\n{planted}")).len(),
            1,
            "{planted}"
        );
    }
}

//! The address of a PostgreSQL server, read whole before anything is sent.
//!
//! libpq knows more ways to say where a server is than whoever reads house.toml looks for: a list
//! of hosts, an address beside a name, a parameter that overrides the authority, a service file,
//! variables of the environment. So the text is never handed on. It is parsed and judged here,
//! against a closed list of parameters, and written anew with every place spelled out; a name is
//! never resolved. Its two forms are those of libpq: `postgres://…` and `key=value …`.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use thiserror::Error;

/// What an address may say. Nothing else is handed to libpq: `service` and `options` would decide
/// from afar what is written here.
pub const PARAMETERS: [&str; 10] = [
    "application_name",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "passfile",
    "password",
    "port",
    "sslmode",
    "user",
];

/// Where PostgreSQL listens unless it was told otherwise.
const PORT: u16 = 5432;
/// Longest list of hosts.
const HOSTS_MAX: usize = 16;

/// An address is not one of a server that this program may speak to. No sentence repeats what may
/// be a password.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressFault {
    /// It has not the form of an address.
    #[error("the address of the database is malformed: {0}")]
    Malformed(&'static str),
    /// A parameter outside the list.
    #[error(
        "the address of the database has a parameter that is none of {}",
        PARAMETERS.join(", ")
    )]
    ParameterUnknown,
    /// A parameter twice, or a place both before and after the question mark.
    #[error("the address of the database says {0} twice")]
    ParameterRepeated(&'static str),
    /// A host that is not this machine, in clear.
    #[error(
        "PostgreSQL at {0} is off this machine: that demands sslmode=verify-full; use a local \
         socket or loopback"
    )]
    Plain(String),
    /// TLS is asked for.
    #[error(
        "PostgreSQL{} is to be spoken to over TLS, and this build has no TLS for it: use a local \
         socket or loopback",
        .0.as_ref().map(|host| format!(" at {host}")).unwrap_or_default()
    )]
    NoTls(Option<String>),
    /// The environment would decide where the record is.
    #[error(
        "the variable {0} would decide how PostgreSQL is reached: unset it, and say all in the \
         address of the database"
    )]
    Environment(String),
}

/// One place where the server may be: of this machine alone.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// A socket in this folder; the usual folder when empty.
    Socket { folder: String, port: u16 },
    /// Loopback, and the name under which a password file knows it.
    Loopback {
        name: String,
        address: IpAddr,
        port: u16,
    },
}

/// The judged address of a server on this machine.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresAddress {
    places: Vec<Place>,
    others: BTreeMap<&'static str, String>,
}

/// It may hold a password: it is not shown.
impl std::fmt::Debug for PostgresAddress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("PostgresAddress")
            .field("places", &self.places)
            .finish_non_exhaustive()
    }
}

/// Whether a text is the address of a PostgreSQL server, well formed or not, and no file's name.
pub fn is_postgres(text: &str) -> bool {
    is_url(text)
        || text
            .split_once('=')
            .is_some_and(|(name, _)| PARAMETERS.contains(&name.trim()) || name.trim() == "service")
}

fn is_url(text: &str) -> bool {
    after_scheme(text).is_some()
}

fn after_scheme(text: &str) -> Option<&str> {
    ["postgres://", "postgresql://"]
        .into_iter()
        .find_map(|scheme| text.strip_prefix(scheme))
}

/// Refuses to go on beside a variable by which libpq would fill in what the address leaves out.
///
/// # Errors
/// [`AddressFault::Environment`] with the first of them.
pub fn judge_environment<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), AddressFault> {
    names
        .into_iter()
        // Where a server keeps its files says nothing to a client.
        .find(|name| name.starts_with("PG") && *name != "PGDATA")
        .map_or(Ok(()), |name| {
            Err(AddressFault::Environment(name.to_owned()))
        })
}

/// What a text says, not judged yet.
#[derive(Default)]
struct Said(BTreeMap<&'static str, String>);

impl Said {
    fn add(&mut self, name: &str, value: String) -> Result<(), AddressFault> {
        let name = *PARAMETERS
            .iter()
            .find(|known| **known == name)
            .ok_or(AddressFault::ParameterUnknown)?;
        if value.contains('\0') {
            return Err(AddressFault::Malformed("a zero byte"));
        }
        match self.0.insert(name, value) {
            None => Ok(()),
            Some(_) => Err(AddressFault::ParameterRepeated(name)),
        }
    }

    fn list(&mut self, name: &str) -> Vec<String> {
        match self.0.remove(name) {
            Some(list) if !list.is_empty() => list.split(',').map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }
}

/// `%41` is `A`; anything else behind a percent sign is refused, as libpq refuses it.
fn percent_decoded(text: &str) -> Result<String, AddressFault> {
    let fault = AddressFault::Malformed("a percent sign without two hexadecimal digits");
    let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let (Some(high), Some(low)) = (digit(bytes.next()), digit(bytes.next())) else {
            return Err(fault);
        };
        decoded.push(u8::try_from(high * 16 + low).map_err(|_| fault.clone())?);
    }
    String::from_utf8(decoded).map_err(|_| AddressFault::Malformed("not UTF-8"))
}

/// One host of an authority, its port, and what follows.
fn host_and_port(rest: &str) -> Result<(&str, &str, &str), AddressFault> {
    let is_end = |sign: char| matches!(sign, ',' | '/' | '?');
    let (host, rest) = match rest.strip_prefix('[') {
        Some(v6) => v6
            .split_once(']')
            .ok_or(AddressFault::Malformed("a bracket that is not closed"))?,
        None => rest.split_at(
            rest.find(|sign| is_end(sign) || sign == ':')
                .unwrap_or(rest.len()),
        ),
    };
    let Some(after_colon) = rest.strip_prefix(':') else {
        if !rest.is_empty() && !rest.starts_with(is_end) {
            return Err(AddressFault::Malformed("something behind the bracket"));
        }
        return Ok((host, "", rest));
    };
    let (port, rest) = after_colon.split_at(after_colon.find(is_end).unwrap_or(after_colon.len()));
    Ok((host, port, rest))
}

fn read_url(rest: &str) -> Result<Said, AddressFault> {
    let mut said = Said::default();
    // As libpq looks for it: the first at sign before the first slash.
    let (who, mut rest) = match rest.split(['/']).next().and_then(|start| start.find('@')) {
        Some(at) => (Some(&rest[..at]), &rest[at + 1..]),
        None => (None, rest),
    };
    if let Some(who) = who {
        let (user, password) = who.split_once(':').unwrap_or((who, ""));
        for (name, value) in [("user", user), ("password", password)] {
            if !value.is_empty() {
                said.add(name, percent_decoded(value)?)?;
            }
        }
    }
    let (mut hosts, mut ports) = (Vec::new(), Vec::new());
    loop {
        let (host, port, after) = host_and_port(rest)?;
        hosts.push(percent_decoded(host)?);
        ports.push(percent_decoded(port)?);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None => {
                rest = after;
                break;
            }
        }
    }
    for (name, list) in [("host", hosts), ("port", ports)] {
        if list.iter().any(|value| !value.is_empty()) {
            said.add(name, list.join(","))?;
        } else if name == "host" && list.len() > 1 {
            return Err(AddressFault::Malformed("a list of hosts without a host"));
        }
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    if let Some(name) = path.strip_prefix('/')
        && !name.is_empty()
    {
        said.add("dbname", percent_decoded(name)?)?;
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair
            .split_once('=')
            .ok_or(AddressFault::Malformed("a parameter without a value"))?;
        said.add(&percent_decoded(name)?, percent_decoded(value)?)?;
    }
    Ok(said)
}

fn read_pairs(text: &str) -> Result<Said, AddressFault> {
    let mut said = Said::default();
    // Blanks are those of C's isspace, not of Unicode.
    let is_blank = |sign: char| matches!(sign, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c');
    let mut rest = text.trim_start_matches(is_blank);
    while !rest.is_empty() {
        let (name, after) = rest
            .split_once('=')
            .ok_or(AddressFault::Malformed("a parameter without a value"))?;
        let name = name.trim_end_matches(is_blank);
        let after = after.trim_start_matches(is_blank);
        let (quoted, mut signs) = match after.strip_prefix('\'') {
            Some(inner) => (true, inner.chars()),
            None => (false, after.chars()),
        };
        let mut value = String::new();
        loop {
            match signs.next() {
                Some('\'') if quoted => break,
                Some(sign) if !quoted && is_blank(sign) => break,
                // The sign behind a backslash stands for itself, whatever it is.
                Some('\\') => value.extend(signs.next()),
                Some(sign) => value.push(sign),
                None if quoted => {
                    return Err(AddressFault::Malformed("a quotation that is not closed"));
                }
                None => break,
            }
        }
        said.add(name, value)?;
        rest = signs.as_str().trim_start_matches(is_blank);
    }
    Ok(said)
}

fn port_of(text: &str) -> Result<u16, AddressFault> {
    if text.is_empty() {
        return Ok(PORT);
    }
    // `parse` alone would take a sign before the digits.
    let port = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|number| port && *number != 0)
        .ok_or(AddressFault::Malformed("a port that is no number"))
}

/// The places that a host and the address beside it name; the name alone of a host that is not
/// this machine.
fn places_of(host: &str, address: &str, port: u16) -> Result<Vec<Place>, String> {
    let loopback = |name: &str, address| Place::Loopback {
        name: name.to_owned(),
        address,
        port,
    };
    let literal = |text: &str| text.parse::<IpAddr>().ok().filter(IpAddr::is_loopback);
    let is_socket = host.is_empty() || host.starts_with(['/', '@']);
    if !address.is_empty() {
        let is_here = is_socket || host == "localhost" || literal(host).is_some();
        return match literal(address) {
            Some(address) if is_here => Ok(vec![loopback(host, address)]),
            Some(_) => Err(host.to_owned()),
            None => Err(address.to_owned()),
        };
    }
    if is_socket {
        return Ok(vec![Place::Socket {
            folder: host.to_owned(),
            port,
        }]);
    }
    // Both loopbacks, in this order, instead of what a resolver would say.
    if host == "localhost" {
        return Ok(vec![
            loopback(host, Ipv4Addr::LOCALHOST.into()),
            loopback(host, Ipv6Addr::LOCALHOST.into()),
        ]);
    }
    literal(host)
        .map(|address| vec![loopback(host, address)])
        .ok_or_else(|| host.to_owned())
}

impl PostgresAddress {
    /// Reads and judges an address in either form.
    ///
    /// # Errors
    /// An [`AddressFault`] unless every place that it names is a local socket or loopback.
    pub fn parse(text: &str) -> Result<Self, AddressFault> {
        let mut said = match after_scheme(text) {
            Some(rest) => read_url(rest)?,
            None => read_pairs(text)?,
        };
        let (mut hosts, addresses) = (said.list("host"), said.list("hostaddr"));
        let ports = said.list("port");
        let count = hosts.len().max(addresses.len()).max(1);
        if count > HOSTS_MAX {
            return Err(AddressFault::Malformed("more than 16 hosts"));
        }
        if hosts.is_empty() {
            hosts = vec![String::new(); count];
        }
        let fits = |list: &[String]| list.is_empty() || list.len() == count;
        if hosts.len() != count || !fits(&addresses) || !(fits(&ports) || ports.len() == 1) {
            return Err(AddressFault::Malformed(
                "not as many hosts as addresses or ports",
            ));
        }
        let mut places = Vec::new();
        let mut foreign = None;
        for (at, host) in hosts.iter().enumerate() {
            let address = addresses.get(at).map_or("", String::as_str);
            let port = ports.get(at).or(ports.first()).map_or("", String::as_str);
            match places_of(host, address, port_of(port)?) {
                Ok(found) => places.extend(found),
                Err(host) => foreign = foreign.or(Some(host)),
            }
        }
        let mode = said.0.get("sslmode").map(String::as_str);
        match (foreign, mode) {
            (Some(host), Some("verify-full")) => Err(AddressFault::NoTls(Some(host))),
            (Some(host), _) => Err(AddressFault::Plain(host)),
            (None, None | Some("disable" | "allow" | "prefer")) => Ok(Self {
                places,
                others: said.0,
            }),
            (None, Some("require" | "verify-ca" | "verify-full")) => Err(AddressFault::NoTls(None)),
            (None, Some(_)) => Err(AddressFault::Malformed("an sslmode that does not exist")),
        }
    }

    /// What libpq is given: `key='value' …`, each place with its socket or its address, so that
    /// nothing is resolved and no default applies.
    pub fn connection_string(&self) -> String {
        let (mut hosts, mut addresses, mut ports) = (Vec::new(), Vec::new(), Vec::new());
        for place in &self.places {
            let (host, address, port) = match place {
                Place::Socket { folder, port } => (folder.clone(), String::new(), port),
                Place::Loopback {
                    name,
                    address,
                    port,
                } => (name.clone(), address.to_string(), port),
            };
            hosts.push(host);
            addresses.push(address);
            ports.push(port.to_string());
        }
        // A list of nothing but commas is no list of addresses to libpq.
        let addresses = if addresses.iter().all(String::is_empty) {
            String::new()
        } else {
            addresses.join(",")
        };
        let mut pairs = vec![
            ("host", hosts.join(",")),
            ("hostaddr", addresses),
            ("port", ports.join(",")),
        ];
        let others = self.others.iter();
        pairs.extend(others.map(|(name, value)| (*name, value.clone())));
        let quoted = |(name, value): &(&str, String)| {
            let value = value.replace('\\', "\\\\").replace('\'', "\\'");
            format!("{name}='{value}'")
        };
        pairs.iter().map(quoted).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn judged(text: &str) -> Result<String, AddressFault> {
        PostgresAddress::parse(text).map(|address| address.connection_string())
    }

    #[test]
    fn what_is_of_this_machine_is_written_anew_with_every_place() {
        for (text, written) in [
            (
                "postgres://u@/keno?host=/run/x",
                "host='/run/x' hostaddr='' port='5432' dbname='keno' user='u'",
            ),
            ("postgres://", "host='' hostaddr='' port='5432'"),
            (
                "postgresql://u:p%40ss@127.0.0.1:5433/keno",
                "host='127.0.0.1' hostaddr='127.0.0.1' port='5433' dbname='keno' password='p@ss' \
                 user='u'",
            ),
            (
                "postgres://u@[::1]:5432/keno",
                "host='::1' hostaddr='::1' port='5432' dbname='keno' user='u'",
            ),
            (
                "postgres://localhost/keno",
                "host='localhost,localhost' hostaddr='127.0.0.1,::1' port='5432,5432' \
                 dbname='keno'",
            ),
            (
                "postgres://%2Frun%2Fx,127.0.0.1:7/keno?connect_timeout=3",
                "host='/run/x,127.0.0.1' hostaddr=',127.0.0.1' port='5432,7' \
                 connect_timeout='3' dbname='keno'",
            ),
            ("host=/run/x port=5433 dbname = 'it''s'", "malformed"),
            (
                r"host=/run/x port=5433 dbname = 'it\'s' user=a\ b",
                r"host='/run/x' hostaddr='' port='5433' dbname='it\'s' user='a b'",
            ),
            (
                "hostaddr=127.0.0.1,::1 user=u sslmode=disable",
                "host=',' hostaddr='127.0.0.1,::1' port='5432,5432' sslmode='disable' user='u'",
            ),
        ] {
            match judged(text) {
                Ok(found) => assert_eq!(found, written, "{text}"),
                Err(AddressFault::Malformed(_) | AddressFault::ParameterUnknown) => {
                    assert_eq!(written, "malformed", "{text}");
                }
                Err(fault) => panic!("{text}: {fault}"),
            }
        }
    }

    #[test]
    fn what_is_off_this_machine_is_refused_however_it_is_said() {
        for text in [
            "postgres://u:p@db.house.example:5432/keno",
            "postgres://u:p@10.1.2.3/keno",
            "postgres://u@127.0.0.1:5432,db.example:5432/keno",
            "postgres://u@db.example,127.0.0.1/keno",
            "postgres://127.evil.example/keno",
            "postgres://127.1/keno",
            "postgres://2130706433/keno",
            "postgres://localhost.evil.example/keno",
            "postgres://LOCALHOST/keno",
            "postgres://[::ffff:10.1.2.3]/keno",
            "postgres://[fe80::1%25eth0]/keno",
            "postgres://0.0.0.0/keno",
            "postgres:///keno?host=10.1.2.3",
            "postgres:///keno?host=/run/x,10.1.2.3",
            "postgres:///keno?host=%2Frun%2Fx%2C10.1.2.3",
            "postgres:///keno?%68ost=10.1.2.3",
            "postgres://127.0.0.1%2C10.1.2.3/keno",
            "postgres://127.0.0.1/keno?hostaddr=10.1.2.3",
            "postgres://localhost/keno?hostaddr=10.1.2.3",
            "postgres:///keno?hostaddr=10.1.2.3",
            "postgres://db.example/keno?hostaddr=127.0.0.1",
            "host=db.example dbname=keno",
            "host = 'db.example'",
            "host=/run/x,db.example",
            "host=/run/x hostaddr=10.1.2.3",
            r"host=\d\b.example",
        ] {
            let fault = judged(text);
            assert!(
                matches!(fault, Err(AddressFault::Plain(_))),
                "{text}: {fault:?}"
            );
            // With TLS demanded it is refused too, with the sentence that says why.
            let sign = match (is_url(text), text.contains('?')) {
                (false, _) => ' ',
                (true, true) => '&',
                (true, false) => '?',
            };
            let demanded = judged(&format!("{text}{sign}sslmode=verify-full"));
            assert!(
                matches!(demanded, Err(AddressFault::NoTls(Some(_)))),
                "{text}"
            );
            let less = judged(&format!("{text}{sign}sslmode=require"));
            assert!(matches!(less, Err(AddressFault::Plain(_))), "{text}");
        }
    }

    #[test]
    fn what_is_outside_the_list_or_said_twice_is_refused() {
        for text in [
            "postgres:///keno?service=away",
            "service=away",
            "postgres:///keno?options=-c%20search_path%3Dx",
            "postgres:///keno?ssl=true",
            "postgres://127.0.0.1/keno?HOST=10.1.2.3",
            "host=/run/x requirepeer=root",
        ] {
            assert_eq!(judged(text), Err(AddressFault::ParameterUnknown), "{text}");
        }
        for (text, name) in [
            ("postgres://127.0.0.1/keno?host=/run/x", "host"),
            ("postgres://127.0.0.1:1/keno?port=2", "port"),
            ("host=/run/x host=db.example", "host"),
            ("postgres:///a?dbname=b", "dbname"),
        ] {
            let fault = AddressFault::ParameterRepeated(name);
            assert_eq!(judged(text), Err(fault), "{text}");
        }
        for text in [
            "postgres://127.0.0.1:0/keno",
            "postgres://127.0.0.1:+5/keno",
            "postgres://127.0.0.1:99999/keno",
            "postgres://127.0.0.1:a/keno",
            "postgres://u:pa/ss@127.0.0.1/keno",
            "postgres://[::1/keno",
            "postgres://[::1]evil.example/keno",
            "postgres://,/keno",
            "postgres:///keno?host",
            "postgres://%zz/keno",
            "postgres://%00/keno",
            "postgres://127.0.0.1,[::1]/keno?hostaddr=127.0.0.1",
            "host='/run/x",
            "host",
            "host=/run/x sslmode=never",
        ] {
            let fault = judged(text);
            assert!(
                matches!(fault, Err(AddressFault::Malformed(_))),
                "{text}: {fault:?}"
            );
        }
        assert_eq!(
            judged("postgres://127.0.0.1/keno?sslmode=require"),
            Err(AddressFault::NoTls(None))
        );
    }

    #[test]
    fn no_variable_of_the_environment_says_where_the_record_is() {
        assert_eq!(judge_environment(["HOME", "PGDATA", "PATH"]), Ok(()));
        for name in ["PGHOSTADDR", "PGSERVICE", "PGSYSCONFDIR", "PGOPTIONS"] {
            let fault = AddressFault::Environment(name.to_owned());
            assert_eq!(judge_environment(["HOME", name]), Err(fault));
        }
    }

    #[test]
    fn an_address_is_told_from_the_name_of_a_file() {
        for (text, is_address) in [
            ("postgres://x", true),
            ("host=/run/x dbname=keno", true),
            ("dbname = keno", true),
            ("service=away", true),
            ("keno.sqlite", false),
            ("folder/a=b.sqlite", false),
        ] {
            assert_eq!(is_postgres(text), is_address, "{text}");
        }
    }

    /// Hosts, and whether they are of this machine.
    fn host() -> impl Strategy<Value = (String, bool)> {
        prop_oneof![
            3 => prop_oneof![
                Just("127.0.0.1".to_owned()),
                Just("127.8.9.10".to_owned()),
                Just("localhost".to_owned()),
                Just("/run/x".to_owned()),
                Just("::1".to_owned()),
            ].prop_map(|host| (host, true)),
            1 => prop_oneof![
                Just("10.1.2.3".to_owned()),
                Just("127.evil.example".to_owned()),
                Just("db.example".to_owned()),
                Just("localhost.".to_owned()),
                Just("fe80::2".to_owned()),
                "[a-z0-9.-]{1,12}".prop_filter("here", |host| {
                    host != "localhost" && !host.starts_with("127.")
                }),
            ].prop_map(|host| (host, false)),
        ]
    }

    /// Each sign as itself or as its percent code.
    fn percent(text: &str, bits: u64) -> String {
        let mut coded = String::new();
        for (at, byte) in text.bytes().enumerate() {
            if bits >> (at % 64) & 1 == 1 || matches!(byte, b'/' | b'[' | b']') {
                coded.push_str(&format!("%{byte:02x}"));
            } else {
                coded.push(char::from(byte));
            }
        }
        coded
    }

    /// Whether every place of what libpq is given is of this machine; read by other means.
    fn is_all_local(written: &str) -> bool {
        // One value after the other: a value may hold the name of another.
        let mut rest = written;
        let mut value = |name: &str| -> Vec<String> {
            let from = rest.strip_prefix(&format!("{name}='")).unwrap();
            let (inner, after) = from.split_once('\'').unwrap();
            rest = after.trim_start();
            inner.split(',').map(str::to_owned).collect()
        };
        let (hosts, mut addresses) = (value("host"), value("hostaddr"));
        if addresses == [""] {
            addresses = vec![String::new(); hosts.len()];
        }
        hosts.len() == addresses.len()
            && hosts.iter().zip(&addresses).all(|(host, address)| {
                if address.is_empty() {
                    host.is_empty() || host.starts_with('/') || host.starts_with('@')
                } else {
                    address == "::1" || address.split('.').next() == Some("127")
                }
            })
    }

    #[test]
    fn a_socket_named_as_another_value_is_read_as_what_it_is() {
        let address = PostgresAddress::parse("postgres://127.0.0.1@@hostaddr=").unwrap();
        assert!(is_all_local(&address.connection_string()));
        assert!(!is_all_local("host='db.example' hostaddr='' port='5432'"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn one_host_off_this_machine_is_enough_in_any_form(
            hosts in prop::collection::vec(host(), 1..5),
            form in 0..4_u8,
            bits in any::<u64>(),
            is_tls in any::<bool>(),
        ) {
            let is_local = hosts.iter().all(|(_, is_local)| *is_local);
            let list: Vec<&str> = hosts.iter().map(|(host, _)| host.as_str()).collect();
            let list = list.join(",");
            let text = match form {
                0 => {
                    let authority: Vec<String> = hosts.iter().map(|(host, _)| {
                        if host.contains(':') { format!("[{host}]:5432") } else { percent(host, bits) }
                    }).collect();
                    format!("postgres://u:p@{}/keno?connect_timeout=2", authority.join(","))
                }
                1 => format!("postgresql://u@/keno?host={}", percent(&list, bits)),
                2 => format!("dbname=keno host={list}"),
                _ => format!("dbname=keno host = '{list}'"),
            };
            let text = match (is_tls, form) {
                (false, _) => text,
                (true, 0 | 1) => format!("{text}&sslmode=verify-full"),
                (true, _) => format!("{text} sslmode=verify-full"),
            };
            match judged(&text) {
                Ok(written) => prop_assert!(is_local && is_all_local(&written), "{text}"),
                Err(_) => prop_assert!(!is_local || is_tls, "{text}"),
            }
        }

        #[test]
        fn whatever_is_written_what_is_taken_is_of_this_machine(
            text in prop_oneof![
                "postgres://[a-z0-9.:@/?=&,%\\[\\]-]{0,40}",
                "postgres://(127\\.0\\.0\\.1|localhost|\\[::1\\]|)[,:@/?&%]{0,2}(host|hostaddr|port)?=?[a-z0-9.,:%/]{0,12}",
                "(host|hostaddr|port)[ =']{1,3}[a-z0-9.,:/' \\\\=]{0,30}",
                "\\PC{0,40}",
            ]
        ) {
            if let Ok(address) = PostgresAddress::parse(&text) {
                let written = address.connection_string();
                // A socket's folder may hold a quotation mark; the other reader can't.
                if !written.contains("\\'") {
                    prop_assert!(is_all_local(&written), "{text} -> {written}");
                }
                // What is written is taken again, as the same.
                prop_assert_eq!(PostgresAddress::parse(&written), Ok(address));
            }
        }
    }
}

//! `[tls]`: where central listens for other machines, and the names by which they call it.

use std::net::{IpAddr, SocketAddr};

use keno_book::toml_faults::{Section, Words, quoted};
use keno_words::file_fault;

use super::{HouseFaultKind, Reader};

/// Most names of central's certificate.
const NAMES_MAX: usize = 16;
/// Most letters of a name (RFC 1035).
const NAME_MAX: usize = 253;
/// Most letters between two points.
const LABEL_MAX: usize = 63;

/// Two listeners with TLS, so that nothing that strangers do at one takes room from the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    /// Where it listens for devices: a certificate is demanded in the handshake.
    pub listen: SocketAddr,
    /// Where it listens for everybody: pages, checks, the public log, and devices that enrol.
    pub public: SocketAddr,
    /// DNS names and IP addresses by which devices and patrons call central, as they were written:
    /// its certificate says these and no others.
    pub names: Vec<String>,
}

impl Tls {
    /// Where the public comes, as papers say it: `https://keno.example.org:8444`. The first host name,
    /// and an IP address where there is none; nothing where only this machine could follow it.
    pub fn public_address(&self) -> Option<String> {
        let ip = |name: &String| name.parse::<IpAddr>().ok();
        let is_reached = |name: &&String| match ip(name) {
            Some(address) => !address.is_loopback() && !address.is_unspecified(),
            None => *name != "localhost",
        };
        let reached = || self.names.iter().filter(is_reached);
        let named = reached().find(|name| ip(name).is_none());
        let host = match named.or_else(|| reached().next())? {
            address if address.contains(':') => format!("[{address}]"),
            name => name.clone(),
        };
        match self.public.port() {
            // Any: nobody could have been told which.
            0 => None,
            443 => Some(format!("https://{host}")),
            port => Some(format!("https://{host}:{port}")),
        }
    }
}

/// Letters, digits and hyphens between points.
fn is_dns_name(name: &str) -> bool {
    let is_label = |label: &str| {
        (1..=LABEL_MAX).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    // A name whose last part is a number is a mistyped address.
    let ends_in_letters = name
        .rsplit('.')
        .next()
        .is_some_and(|label| label.bytes().any(|byte| byte.is_ascii_alphabetic()));
    name.len() <= NAME_MAX && ends_in_letters && name.split('.').all(is_label)
}

/// Reads `[tls]`; without `listen` it is off.
pub(super) fn read(reader: &mut Reader, root: &Section<'_>) -> Option<Tls> {
    if !root.has("tls") {
        return None;
    }
    let section = reader.section(root, "tls", &["listen", "public", "names"]);
    let names = read_names(reader, &section);
    if !section.has("listen") {
        return None;
    }
    let listen = read_address(reader, &section, "listen");
    let public = if section.has("public") {
        read_address(reader, &section, "public")
    } else {
        // The port after that of the devices; any, where that one is any.
        listen.map(|listen| match listen.port() {
            0 => listen,
            port => SocketAddr::new(listen.ip(), port.checked_add(1).unwrap_or(port)),
        })
    };
    let (listen, public) = (listen?, public?);
    if listen == public && listen.port() != 0 {
        let detail = Words::of(&file_fault::PortUsed);
        reader.fault(
            &section.at("public"),
            HouseFaultKind::AddressMalformed,
            detail,
        );
    }
    if names.is_empty() || names.len() > NAMES_MAX {
        let detail = Words::of(&file_fault::NamesOutOfRange {
            names_max: &NAMES_MAX,
        });
        reader.fault(
            &section.at("names"),
            HouseFaultKind::TlsNameMalformed,
            detail,
        );
    }
    Some(Tls {
        listen,
        public,
        names,
    })
}

fn read_address(reader: &mut Reader, section: &Section<'_>, name: &str) -> Option<SocketAddr> {
    let text = reader.text(section, name)?;
    let Ok(address) = text.parse::<SocketAddr>() else {
        let shown = quoted(text);
        let detail = Words::of(&file_fault::TlsAddressMalformed { shown: &shown });
        reader.fault(&section.at(name), HouseFaultKind::AddressMalformed, detail);
        return None;
    };
    Some(address)
}

fn read_names(reader: &mut Reader, section: &Section<'_>) -> Vec<String> {
    if !section.has("names") {
        return Vec::new();
    }
    let mut names = Vec::new();
    for (place, text) in reader.texts(section, "names") {
        if text.parse::<IpAddr>().is_err() && !is_dns_name(text) {
            let shown = quoted(text);
            let detail = Words::of(&file_fault::NameMalformed { shown: &shown });
            reader.fault(&place, HouseFaultKind::TlsNameMalformed, detail);
        }
        let name = text.to_ascii_lowercase();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::HouseFile;
    use super::*;

    fn house(tls: &str) -> Result<Option<Tls>, Vec<HouseFaultKind>> {
        match HouseFile::read(&format!("{}\n[tls]\n{tls}\n", HouseFile::demonstration())) {
            Ok(house) => Ok(house.tls),
            Err(faults) => Err(faults.into_iter().map(|fault| fault.kind).collect()),
        }
    }

    #[test]
    fn papers_say_the_first_host_name_that_others_can_follow() {
        let address = |public: &str, names: &str| {
            let text =
                format!("listen = \"0.0.0.0:8443\"\npublic = \"{public}\"\nnames = [{names}]");
            house(&text).unwrap().unwrap().public_address()
        };
        for (public, names, wanted) in [
            (
                "0.0.0.0:8444",
                r#""10.0.0.5", "keno.example.org", "a.example.org""#,
                Some("https://keno.example.org:8444"),
            ),
            ("0.0.0.0:443", r#""10.0.0.5""#, Some("https://10.0.0.5")),
            ("[::]:8444", r#""fd00::5""#, Some("https://[fd00::5]:8444")),
            ("0.0.0.0:8444", r#""localhost", "127.0.0.1", "::1""#, None),
            ("0.0.0.0:0", r#""keno.example.org""#, None),
        ] {
            assert_eq!(address(public, names).as_deref(), wanted, "{names}");
        }
    }

    #[test]
    fn it_is_off_unless_it_listens_and_then_it_has_names() {
        assert_eq!(house(""), Ok(None));
        assert_eq!(house("names = [\"keno.example.org\"]"), Ok(None));
        let tls =
            house("listen = \"0.0.0.0:8443\"\nnames = [\"10.0.0.5\", \"Keno-1.Example.org\"]");
        let tls = tls.unwrap().unwrap();
        assert_eq!(tls.listen, SocketAddr::from(([0, 0, 0, 0], 8443)));
        assert_eq!(tls.public, SocketAddr::from(([0, 0, 0, 0], 8444)));
        assert_eq!(tls.names, ["10.0.0.5", "keno-1.example.org"]);
        let tls =
            house("listen = \"[::]:8443\"\npublic = \"10.0.0.5:443\"\nnames = [\"10.0.0.5\"]");
        assert_eq!(
            tls.unwrap().unwrap().public,
            "10.0.0.5:443".parse().unwrap()
        );
        for (text, kind) in [
            (
                "listen = \"0.0.0.0:8443\"",
                HouseFaultKind::TlsNameMalformed,
            ),
            ("listen = \"8443\"", HouseFaultKind::AddressMalformed),
            (
                "listen = \"0.0.0.0:65535\"\nnames = [\"a\"]",
                HouseFaultKind::AddressMalformed,
            ),
            (
                "listen = \"0.0.0.0:1\"\npublic = \"0.0.0.0:1\"\nnames = [\"a\"]",
                HouseFaultKind::AddressMalformed,
            ),
            ("names = [\"a b\"]", HouseFaultKind::TlsNameMalformed),
            ("names = [\"10.0.0\"]", HouseFaultKind::TlsNameMalformed),
            ("names = [\"-a.org\"]", HouseFaultKind::TlsNameMalformed),
            ("names = [\"a..org\"]", HouseFaultKind::TlsNameMalformed),
        ] {
            assert_eq!(house(text), Err(vec![kind]), "{text}");
        }
    }
}

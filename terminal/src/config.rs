//! `terminal.toml` and the environment.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use figment::Figment;
use figment::providers::{Format, Serialized, Toml};
use keno_daemon::credential::NoCredential;
use keno_slip::Width;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::printer::settings::PrintingFault;
use crate::printer::{Driver, PrintingSettings};
use crate::scanner::{ScannerFault, ScannerSettings};

/// Which language comes first on the screen; the other one follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// French.
    Fr,
    /// English.
    En,
}

/// What this device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A counter: sells, cancels, pays.
    #[default]
    Pos,
    /// A kiosk: answers patrons; never moves money.
    Kiosk,
    /// A display: shows.
    Display,
    /// The audit office: central's pages for auditors, at this machine alone.
    Audit,
    /// The draw desk: central's pages for whoever conducts a draw.
    Desk,
    /// The back office: central's pages for administrators and supervisors.
    Office,
}

/// How the printer is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrinterKind {
    /// The window of `keno-terminal virtual-printer` at `printer_address`.
    Virtual,
    /// A printer on the network at `printer_address`.
    Network,
    /// A printer on USB: the device at `printer_file`, such as `/dev/usb/lp0`.
    Usb,
    /// A printer on a serial line: the device at `printer_file`, as `[printing]` describes it.
    Serial,
    /// A file at `printer_file`; nothing is asked of it.
    File,
}

/// Settings of a terminal. In the environment each has the prefix `BOULIER_`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where central is, such as `https://keno.example.org:8443`; `http://127.0.0.1:8480` on its
    /// own machine.
    pub central: String,
    /// Where central lets devices enrol, which is where the public comes; the port after that of
    /// `central` when it is not here.
    #[serde(default)]
    pub enrol_at: Option<String>,
    /// What this device is.
    pub role: Role,
    /// Where its pages are, on this machine alone.
    pub listen: SocketAddr,
    /// Number of this device.
    pub device: u64,
    /// Key of this device, hexadecimal.
    pub device_key: Option<String>,
    /// File with the key of this device, or `credential:NAME`.
    pub device_key_file: Option<PathBuf>,
    /// Badge of the clerk.
    pub badge: Option<String>,
    /// PIN of the clerk; asked when it is not here. It is no setting of the environment, which
    /// others can read.
    pub pin: Option<String>,
    /// How the printer is reached.
    pub printer: PrinterKind,
    /// Address of the printer, an IP address and a port.
    pub printer_address: SocketAddr,
    /// File or device of the printer.
    pub printer_file: Option<PathBuf>,
    /// Columns of the paper: 48 (80 mm) or 32 (58 mm).
    pub columns: u8,
    /// Folder of the journal.
    pub journal: PathBuf,
    /// Folder of this device's key and certificate, for a central over `https`.
    pub trust: PathBuf,
    /// Which language comes first on the screen.
    pub language: Language,
    /// Seconds without a hand after which the screen of a counter locks itself; never when 0.
    #[serde(default = "five_minutes")]
    pub lock_after_seconds: u64,
    /// What the printer and its drawer are like.
    #[serde(default)]
    pub printing: PrintingSettings,
    /// What the scanner is like.
    #[serde(default)]
    pub scanner: ScannerSettings,
}

const fn five_minutes() -> u64 {
    300
}

/// Settings that are tables: `BOULIER_PRINTING_DRAWER` is `drawer` of `[printing]`.
const TABLES: [&str; 2] = ["printing", "scanner"];

/// Where a variable of the environment stands among the settings, and whether it is a number; none
/// when it is no setting. Where a setting is a number by its default it is one here too: digits of
/// any other, such as a key, stay text.
fn place(name: &str, defaults: &Figment) -> Option<(String, bool)> {
    let key = match name.split_once('_') {
        // A PIN is no setting of the environment.
        _ if name == "pin" || TABLES.contains(&name) => return None,
        _ if defaults.contains(name) => name.to_owned(),
        Some((table, field)) if TABLES.contains(&table) => format!("{table}.{field}"),
        _ => return None,
    };
    let default = defaults.find_value(&key).ok();
    let is_number = default.is_some_and(|value| value.to_u128().is_some());
    let is_number = is_number || key == "printing.near_end_tickets";
    Some((key, is_number))
}

impl Default for Config {
    fn default() -> Self {
        Self {
            central: "http://127.0.0.1:8480".to_owned(),
            enrol_at: None,
            role: Role::Pos,
            listen: SocketAddr::from(([127, 0, 0, 1], 8482)),
            device: 1,
            device_key: None,
            device_key_file: None,
            badge: None,
            pin: None,
            printer: PrinterKind::Virtual,
            printer_address: SocketAddr::from(([127, 0, 0, 1], 9100)),
            printer_file: None,
            columns: 48,
            journal: PathBuf::from("terminal-journal"),
            trust: PathBuf::from("terminal-trust"),
            language: Language::Fr,
            lock_after_seconds: five_minutes(),
            printing: PrintingSettings::default(),
            scanner: ScannerSettings::default(),
        }
    }
}

/// Settings that cannot be used.
#[derive(Debug, Error)]
pub enum ConfigFault {
    /// The file or the environment is not one of settings.
    #[error("the settings cannot be read")]
    Settings(#[source] Box<figment::Error>),
    /// Plain HTTP to another machine would show keys and claim codes to the network.
    #[error("{0} is not on this machine: plain http may not leave it, use https")]
    NotLoopback(String),
    /// Neither `http://…` nor `https://HOST:PORT`.
    #[error("{0} is not an address of central, such as https://keno.example.org:8443")]
    NotAddress(String),
    /// There is no key, or two.
    #[error("set exactly one of device_key and device_key_file")]
    NoDeviceKey,
    /// The file of the key cannot be read.
    #[error("{path} cannot be read")]
    DeviceKeyFile {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The key is a credential that was not handed over.
    #[error("the key of this device")]
    Credential(#[from] NoCredential),
    /// The key is not hexadecimal.
    #[error("the device's key is not hexadecimal digits")]
    DeviceKey,
    /// The paper has another width.
    #[error("columns must be 48 or 32")]
    Columns,
    /// A printer that is a device or a file, without `printer_file`.
    #[error("printer = \"usb\", \"serial\" or \"file\" needs printer_file")]
    PrinterFile,
    /// The table `[printing]` cannot be used.
    #[error("in [printing]: {0}")]
    Printing(#[from] PrintingFault),
    /// The table `[scanner]` cannot be used.
    #[error("in [scanner]: {0}")]
    Scanner(#[from] ScannerFault),
}

impl Config {
    /// Reads a file and over it the environment. Without a path the file is `terminal.toml` of
    /// the working folder, when it is there.
    ///
    /// # Errors
    /// A [`ConfigFault`]; a field that does not exist is one.
    pub fn read(path: Option<&Path>) -> Result<Self, ConfigFault> {
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            let name = name
                .to_str()?
                .strip_prefix("BOULIER_")?
                .to_ascii_lowercase();
            Some((name, value.to_string_lossy().into_owned()))
        });
        Self::from_sources(path, environment)
    }

    /// As [`Config::read`], with the settings of an environment by their names in lower case.
    fn from_sources(
        path: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigFault> {
        let own = Path::new("terminal.toml");
        let defaults = Figment::from(Serialized::defaults(Self::default()));
        let mut settings = defaults.clone();
        if let Some(path) = path.or_else(|| own.is_file().then_some(own)) {
            settings = settings.merge(Toml::file_exact(path));
        }
        for (name, value) in environment {
            let Some((key, is_number)) = place(&name, &defaults) else {
                continue;
            };
            // The library's own reading of the environment would take a PIN of digits for a
            // number, and lose its zeros.
            settings = match value.parse::<u64>() {
                Ok(number) if is_number => settings.merge(Serialized::default(&key, number)),
                _ => settings.merge(Serialized::default(&key, value)),
            };
        }
        let config: Self = settings
            .extract()
            .map_err(|error| ConfigFault::Settings(Box::new(error)))?;
        config.check_central()?;
        config.printing.check()?;
        config.scanner.check()?;
        Ok(config)
    }

    /// Whether central is reached with TLS: the device is its certificate then.
    pub fn is_over_tls(&self) -> bool {
        self.central.starts_with("https://")
    }

    /// Where this device enrols: no certificate is asked for there.
    pub fn enrolment_address(&self) -> String {
        if let Some(address) = &self.enrol_at {
            return address.clone();
        }
        let central = self.central.trim_end_matches('/');
        match central.rsplit_once(':') {
            Some((host, port)) => match port.parse::<u16>() {
                Ok(port) if port < u16::MAX => format!("{host}:{}", port + 1),
                _ => central.to_owned(),
            },
            None => central.to_owned(),
        }
    }

    /// Judges the address of central.
    ///
    /// # Errors
    /// [`ConfigFault::NotLoopback`] or [`ConfigFault::NotAddress`].
    pub fn check_central(&self) -> Result<(), ConfigFault> {
        if let Some(rest) = self.central.strip_prefix("https://") {
            let authority = rest.trim_end_matches('/');
            let is_plain = !authority.is_empty()
                && !authority.contains(['/', '@', '?', '#'])
                && !authority.chars().any(char::is_whitespace);
            return if is_plain {
                Ok(())
            } else {
                Err(ConfigFault::NotAddress(self.central.clone()))
            };
        }
        let refused = || ConfigFault::NotLoopback(self.central.clone());
        let rest = self.central.strip_prefix("http://").ok_or_else(refused)?;
        let authority = rest.split('/').next().unwrap_or(rest);
        if authority.contains('@') {
            return Err(refused());
        }
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => authority,
        };
        let address = host.trim_start_matches('[').trim_end_matches(']');
        let is_loopback = address == "localhost"
            || address
                .parse::<IpAddr>()
                .is_ok_and(|address| address.is_loopback());
        if is_loopback { Ok(()) } else { Err(refused()) }
    }

    /// The key of this device, lower-case hexadecimal.
    ///
    /// # Errors
    /// A [`ConfigFault`] about the key.
    pub fn key(&self) -> Result<String, ConfigFault> {
        let key = match (&self.device_key, &self.device_key_file) {
            (Some(key), None) => key.clone(),
            (None, Some(setting)) => {
                let path = match keno_daemon::credential::named(setting) {
                    Some(credential) => credential?,
                    None => setting.clone(),
                };
                std::fs::read_to_string(&path)
                    .map_err(|source| ConfigFault::DeviceKeyFile { path, source })?
            }
            _ => return Err(ConfigFault::NoDeviceKey),
        };
        let key = key.trim().to_ascii_lowercase();
        match hex::decode(&key) {
            Ok(bytes) if !bytes.is_empty() => Ok(key),
            _ => Err(ConfigFault::DeviceKey),
        }
    }

    /// Where the printer is.
    ///
    /// # Errors
    /// [`ConfigFault::PrinterFile`].
    pub fn driver(&self) -> Result<Driver, ConfigFault> {
        let file = || self.printer_file.clone().ok_or(ConfigFault::PrinterFile);
        Ok(match self.printer {
            PrinterKind::Virtual | PrinterKind::Network => Driver::Network(self.printer_address),
            PrinterKind::Usb => Driver::Usb(file()?),
            PrinterKind::Serial => Driver::Serial(file()?, self.printing.line()),
            PrinterKind::File => Driver::File(file()?),
        })
    }

    /// Width of the paper.
    ///
    /// # Errors
    /// [`ConfigFault::Columns`].
    pub const fn width(&self) -> Result<Width, ConfigFault> {
        match self.columns {
            48 => Ok(Width::Wide),
            32 => Ok(Width::Narrow),
            _ => Err(ConfigFault::Columns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_stays_on_this_machine() {
        for (central, is_allowed) in [
            ("http://127.0.0.1:8480", true),
            ("http://127.9.9.9", true),
            ("http://localhost:1/", true),
            ("http://[::1]:8480", true),
            ("http://10.0.0.7:8480", false),
            ("http://localhost.example:8480", false),
            ("http://127.0.0.1@10.0.0.7:8480", false),
            ("https://127.0.0.1", true),
            ("https://keno.example.org:8443/", true),
            ("https://[::1]:8443", true),
            ("https://keno.example.org/a", false),
            ("https://a@keno.example.org", false),
            ("https://", false),
            ("ftp://127.0.0.1", false),
            ("", false),
        ] {
            let config = Config {
                central: central.to_owned(),
                ..Config::default()
            };
            assert_eq!(config.check_central().is_ok(), is_allowed, "{central}");
        }
    }

    #[test]
    fn a_device_enrols_at_the_port_after_central_unless_it_is_told_another() {
        for (central, enrol_at, expected) in [
            (
                "https://keno.example.org:8443",
                None,
                "https://keno.example.org:8444",
            ),
            ("https://[::1]:8443/", None, "https://[::1]:8444"),
            ("https://keno.example.org", None, "https://keno.example.org"),
            ("https://a.example:65535", None, "https://a.example:65535"),
            (
                "https://a.example:1",
                Some("https://b.example"),
                "https://b.example",
            ),
        ] {
            let config = Config {
                central: central.to_owned(),
                enrol_at: enrol_at.map(str::to_owned),
                ..Config::default()
            };
            assert_eq!(config.enrolment_address(), expected);
        }
    }

    #[test]
    fn a_misspelt_setting_is_an_answer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("terminal.toml");
        assert!(
            Config::read(Some(&path)).is_err(),
            "a file that was named must be there"
        );
        std::fs::write(&path, "device = 7\nprintr = \"file\"\n").unwrap();
        assert!(matches!(
            Config::read(Some(&path)),
            Err(ConfigFault::Settings(_))
        ));
        std::fs::write(&path, "device = 7\ncolumns = 32\ndevice_key = \"00Ff\"\n").unwrap();
        let config = Config::read(Some(&path)).unwrap();
        assert_eq!(config.device, 7);
        assert_eq!(config.width().unwrap(), Width::Narrow);
        assert_eq!(config.key().unwrap(), "00ff");
    }

    #[test]
    fn the_environment_prevails_and_digits_stay_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("terminal.toml");
        std::fs::write(&path, "device = 7\nbadge = \"C142\"\n").unwrap();
        let read = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Config::from_sources(Some(&path), pairs.collect::<Vec<_>>().into_iter())
        };
        let config = read(&[
            ("pin", "0042"),
            ("device_key", "0011"),
            ("device", "9"),
            ("columns", "32"),
            ("printer", "file"),
            ("printer_file", "/dev/usb/lp0"),
            ("printer_address", "127.0.0.1:9101"),
            ("language", "en"),
            ("house", "of another program"),
            ("printing_near_end_tickets", "12"),
            ("printing_drawer", "pin2"),
            ("scanner_kind", "evdev"),
            ("scanner_device", "/dev/boulier-scanner"),
            ("scanner_suffix", "09"),
        ])
        .unwrap();
        assert_eq!(config.pin, None, "others read the environment");
        assert_eq!(config.key().unwrap(), "0011");
        assert_eq!((config.device, config.columns), (9, 32));
        assert_eq!(config.badge.as_deref(), Some("C142"));
        assert_eq!(
            config.driver().unwrap(),
            Driver::File(PathBuf::from("/dev/usb/lp0"))
        );
        assert_eq!(config.printer_address.port(), 9101);
        assert_eq!(config.language, Language::En);
        assert_eq!(config.printing.near_end_tickets, Some(12));
        assert_eq!(config.scanner.suffix, "09");
        assert!(read(&[("scanner_kind", "evdev")]).is_err(), "which device?");
        assert!(read(&[("printing_baud", "1")]).is_err());
        assert!(read(&[("printing_colour", "red")]).is_err());
        assert!(read(&[("device", "seven")]).is_err());
        assert!(read(&[("printer", "laser")]).is_err());
        assert!(read(&[("central", "http://10.0.0.7")]).is_err());
    }

    #[test]
    fn each_kind_of_printer_has_its_way() {
        let config = |printer, file: Option<&str>| Config {
            printer,
            printer_file: file.map(PathBuf::from),
            ..Config::default()
        };
        let path = PathBuf::from("/dev/boulier-printer");
        for (kind, driver) in [
            (PrinterKind::Usb, Driver::Usb(path.clone())),
            (
                PrinterKind::Serial,
                Driver::Serial(path.clone(), PrintingSettings::default().line()),
            ),
            (PrinterKind::File, Driver::File(path)),
        ] {
            assert!(matches!(
                config(kind, None).driver(),
                Err(ConfigFault::PrinterFile)
            ));
            let with = config(kind, Some("/dev/boulier-printer"));
            assert_eq!(with.driver().unwrap(), driver);
        }
    }

    #[test]
    fn the_settings_of_the_package_are_settings() {
        let path = "../packaging/terminal/terminal.toml";
        let config = Config::from_sources(Some(Path::new(path)), std::iter::empty()).unwrap();
        assert_eq!(config.role, Role::Pos);
        assert_eq!(config.journal, Path::new("/var/lib/boulier-terminal"));
        // Its key is a credential, and nobody hands one to a test.
        let fault = config.key().unwrap_err();
        assert!(matches!(fault, ConfigFault::Credential(_)), "{fault}");
        let cause = std::error::Error::source(&fault).unwrap().to_string();
        assert!(cause.contains("credential:terminal_device-key"), "{cause}");
    }

    #[test]
    fn the_key_comes_from_one_place_only() {
        assert!(matches!(
            Config::default().key(),
            Err(ConfigFault::NoDeviceKey)
        ));
        let both = Config {
            device_key: Some("00".to_owned()),
            device_key_file: Some(PathBuf::from("key")),
            ..Config::default()
        };
        assert!(matches!(both.key(), Err(ConfigFault::NoDeviceKey)));
        let text = Config {
            device_key: Some("clé".to_owned()),
            ..Config::default()
        };
        assert!(matches!(text.key(), Err(ConfigFault::DeviceKey)));
    }
}

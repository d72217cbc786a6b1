//! The house's own authority: a key and a certificate in `trust/` of the data folder, and the
//! certificates that it gives.
//!
//! ```text
//! trust/ca.pem   the authority's certificate: no secret
//! trust/ca.key   its key, mode 0600: backed up apart from the record
//! ```
//!
//! Both appear together: the folder is made whole under another name, synced, and renamed. What
//! is there is never replaced: a half of it stops the start.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::net::IpAddr;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use keno_wire::enrolment::digest;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, PublicKeyData, SanType,
    SignatureAlgorithm, date_time_ymd,
};
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::ParsedCertificate;
use thiserror::Error;
use zeroize::Zeroizing;

use super::Hash;

const DAY_MS: i64 = 86_400_000;
/// How long the authority lasts.
const AUTHORITY_MS: i64 = 20 * 365 * DAY_MS;
/// How long a certificate of central lasts.
pub const CENTRAL_MS: i64 = 7 * DAY_MS;
/// How long a certificate of a device lasts.
pub const DEVICE_MS: i64 = 90 * DAY_MS;
/// A certificate begins a little before it is given: the clocks of two machines differ.
const EARLIER_MS: i64 = 3_600_000;

/// What stands before the point in the SubjectPublicKeyInfo of a P-256 key: its one encoding.
const P256_PREFIX: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];
/// Bytes of an uncompressed point, with the 4 before it.
const POINT_BYTES: usize = 65;

/// The authority cannot be used.
#[derive(Debug, Error)]
pub enum TrustFault {
    /// A file cannot be read or written.
    #[error("{path} cannot be used")]
    File {
        /// Its path.
        path: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Others than its owner can read the key.
    #[error("{0} can be read by others: chmod 600 it")]
    Mode(String),
    /// The files are not an authority of this house.
    #[error(
        "{path}: {what}; bring back trust/ca.key and trust/ca.pem of this house from their backup"
    )]
    Form {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A certificate cannot be made.
    #[error("a certificate cannot be made")]
    Make(#[from] rcgen::Error),
    /// The thread that cuts connections cannot be started.
    #[error("no thread for connections")]
    Thread(#[source] io::Error),
    /// TLS does not take what was made.
    #[error("TLS cannot be prepared")]
    Tls(#[from] rustls::Error),
    /// The names of central do not fit a certificate.
    #[error("the names of central in tls.names do not fit a certificate")]
    Names,
}

/// A public key of a device: P-256, in the one encoding that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceKey {
    key: Vec<u8>,
}

impl DeviceKey {
    /// Reads a SubjectPublicKeyInfo; `None` when it is not of a P-256 key.
    pub fn read(key: &[u8]) -> Option<Self> {
        let point = key.strip_prefix(&P256_PREFIX)?;
        let is_point = point.len() == POINT_BYTES && point.first() == Some(&4);
        is_point.then(|| Self { key: key.to_vec() })
    }

    /// SHA-256 of the SubjectPublicKeyInfo: what the record knows the device by.
    pub fn hash(&self) -> Hash {
        digest(&self.key)
    }
}

impl PublicKeyData for DeviceKey {
    fn der_bytes(&self) -> &[u8] {
        self.key.get(P256_PREFIX.len()..).unwrap_or_default()
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

/// SHA-256 of the public key of a certificate.
///
/// # Errors
/// When it is no certificate.
pub fn key_hash_of(certificate: &CertificateDer<'_>) -> Result<Hash, rustls::Error> {
    let parsed = ParsedCertificate::try_from(certificate)?;
    Ok(digest(parsed.subject_public_key_info().as_ref()))
}

/// A certificate that was given to a device.
#[derive(Debug, Clone)]
pub struct DeviceCertificate {
    /// As PEM.
    pub pem: String,
    /// SHA-256 of its DER.
    pub hash: Hash,
    /// When it begins, UTC milliseconds.
    pub not_before_ms: i64,
    /// When it ends, UTC milliseconds.
    pub not_after_ms: i64,
}

/// The house's authority.
pub struct Authority {
    certificate: CertificateDer<'static>,
    pem: String,
    fingerprint: Hash,
    issuer: Issuer<'static, KeyPair>,
    house: String,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Authority")
            .field("house", &self.house)
            .finish_non_exhaustive()
    }
}

/// Where the files of the authority are.
pub fn trust_folder(data: &Path) -> PathBuf {
    data.join("trust")
}

fn at(path: &Path) -> impl Fn(io::Error) -> TrustFault + '_ {
    |source| TrustFault::File {
        path: path.display().to_string(),
        source,
    }
}

fn name_of(words: &str) -> DistinguishedName {
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, words);
    name
}

/// What every certificate of the house begins with.
fn parameters(words: &str, begins_ms: i64, ends_ms: i64) -> Option<CertificateParams> {
    let at = |ms: i64| Some(date_time_ymd(1970, 1, 1) + Duration::from_millis(ms.try_into().ok()?));
    let mut parameters = CertificateParams::default();
    parameters.distinguished_name = name_of(words);
    parameters.not_before = at(begins_ms)?;
    parameters.not_after = at(ends_ms)?;
    parameters.use_authority_key_identifier_extension = true;
    Some(parameters)
}

/// The authority's own parameters; name and uses are the same whenever it is read again.
fn authority_parameters(house: &str, now_ms: i64) -> Option<CertificateParams> {
    let words = format!("Boulier {house}");
    let mut parameters = parameters(&words, now_ms - EARLIER_MS, now_ms + AUTHORITY_MS)?;
    parameters.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    Some(parameters)
}

const NO_TIME: TrustFault = TrustFault::Form {
    path: String::new(),
    what: "the clock is before 1970",
};

impl Authority {
    /// The authority of a data folder; a new one where there is none.
    ///
    /// # Errors
    /// A [`TrustFault`]: also when others can read the key, when one of the two files is
    /// missing, and when they do not belong together or to this house.
    pub fn open(data: &Path, house: &str, now_ms: i64) -> Result<Self, TrustFault> {
        let folder = trust_folder(data);
        if !folder.exists() {
            make(data, &folder, house, now_ms)?;
        }
        Self::read(&folder, house, now_ms)
    }

    fn read(folder: &Path, house: &str, now_ms: i64) -> Result<Self, TrustFault> {
        let (certificate_path, key_path) = (folder.join("ca.pem"), folder.join("ca.key"));
        let pem = fs::read_to_string(&certificate_path).map_err(at(&certificate_path))?;
        let form = |path: &Path, what| TrustFault::Form {
            path: path.display().to_string(),
            what,
        };
        let certificate = CertificateDer::from_pem_slice(pem.as_bytes())
            .map_err(|_| form(&certificate_path, "is not a certificate"))?;
        let mode = fs::metadata(&key_path)
            .map_err(at(&key_path))?
            .permissions()
            .mode();
        if mode & 0o077 != 0 {
            return Err(TrustFault::Mode(key_path.display().to_string()));
        }
        let text = Zeroizing::new(fs::read_to_string(&key_path).map_err(at(&key_path))?);
        let key = KeyPair::from_pkcs8_pem_and_sign_algo(&text, &PKCS_ECDSA_P256_SHA256)
            .map_err(|_| form(&key_path, "is not a key of this program's"))?;
        let of_certificate = key_hash_of(&certificate)
            .map_err(|_| form(&certificate_path, "is not a certificate"))?;
        if of_certificate != digest(&key.subject_public_key_info()) {
            return Err(form(&key_path, "is not the key of ca.pem"));
        }
        let parameters = authority_parameters(house, now_ms).ok_or(NO_TIME)?;
        let authority = Self {
            fingerprint: digest(&certificate),
            certificate,
            pem,
            issuer: Issuer::new(parameters, key),
            house: house.to_owned(),
        };
        authority.must_be_of_house(&certificate_path)?;
        Ok(authority)
    }

    /// What it signs names the authority by the code of the house: so must its certificate.
    fn must_be_of_house(&self, path: &Path) -> Result<(), TrustFault> {
        // With its length before it: codes of houses may begin alike.
        let name = format!("Boulier {}", self.house);
        let mut whole = vec![u8::try_from(name.len()).unwrap_or(u8::MAX)];
        whole.extend_from_slice(name.as_bytes());
        let is_named = self
            .certificate
            .windows(whole.len())
            .any(|window| window == whole);
        if is_named {
            return Ok(());
        }
        Err(TrustFault::Form {
            path: path.display().to_string(),
            what: "is the authority of another house",
        })
    }

    /// The authority's certificate, as PEM.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// SHA-256 of the authority's certificate.
    pub fn fingerprint(&self) -> Hash {
        self.fingerprint
    }

    /// What a certificate of this house must lead to.
    ///
    /// # Errors
    /// When TLS does not take the certificate.
    pub fn roots(&self) -> Result<RootCertStore, TrustFault> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone())?;
        Ok(roots)
    }

    /// A certificate for the key of a device.
    ///
    /// # Errors
    /// A [`TrustFault`].
    pub fn device_certificate(
        &self,
        device: u32,
        key: &DeviceKey,
        now_ms: i64,
    ) -> Result<DeviceCertificate, TrustFault> {
        let (not_before_ms, not_after_ms) = (now_ms - EARLIER_MS, now_ms + DEVICE_MS);
        let mut parameters = parameters(
            &format!("Boulier {} device {device}", self.house),
            not_before_ms,
            not_after_ms,
        )
        .ok_or(NO_TIME)?;
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        // It never passes for central: devices ask for the other purpose.
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let certificate = parameters.signed_by(key, &self.issuer)?;
        Ok(DeviceCertificate {
            pem: certificate.pem(),
            hash: digest(certificate.der()),
            not_before_ms,
            not_after_ms,
        })
    }

    /// A new key and certificate of central, with the certificate of the authority behind it.
    ///
    /// # Errors
    /// A [`TrustFault`].
    pub fn central_certificate(
        &self,
        names: &[String],
        now_ms: i64,
    ) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), TrustFault> {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        let mut parameters = parameters(
            &format!("Boulier {} central", self.house),
            now_ms - EARLIER_MS,
            now_ms + CENTRAL_MS,
        )
        .ok_or(NO_TIME)?;
        for name in names {
            parameters
                .subject_alt_names
                .push(match name.parse::<IpAddr>() {
                    Ok(address) => SanType::IpAddress(address),
                    Err(_) => {
                        SanType::DnsName(name.as_str().try_into().map_err(|_| TrustFault::Names)?)
                    }
                });
        }
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let certificate = parameters.signed_by(&key, &self.issuer)?;
        let chain = vec![certificate.der().clone(), self.certificate.clone()];
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        Ok((chain, PrivateKeyDer::from(key)))
    }
}

/// Makes an authority: whole under another name, on disk, then renamed.
fn make(data: &Path, folder: &Path, house: &str, now_ms: i64) -> Result<(), TrustFault> {
    let draft = data.join("trust.part");
    if draft.exists() {
        // What a power cut left was never the authority: its name was not given.
        fs::remove_dir_all(&draft).map_err(at(&draft))?;
    }
    DirBuilder::new()
        .mode(0o700)
        .create(&draft)
        .map_err(at(&draft))?;
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
    let certificate = authority_parameters(house, now_ms)
        .ok_or(NO_TIME)?
        .self_signed(&key)?;
    let text = Zeroizing::new(key.serialize_pem());
    for (name, text, mode) in [
        ("ca.key", text.as_str(), 0o600),
        ("ca.pem", certificate.pem().as_str(), 0o644),
    ] {
        let path = draft.join(name);
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(mode)
            .open(&path)
            .map_err(at(&path))?;
        file.write_all(text.as_bytes()).map_err(at(&path))?;
        file.sync_all().map_err(at(&path))?;
    }
    let sync = |path: &Path| File::open(path).and_then(|file| file.sync_all());
    sync(&draft).map_err(at(&draft))?;
    fs::rename(&draft, folder).map_err(at(folder))?;
    sync(data).map_err(at(data))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_795_194_000_000;

    #[test]
    fn it_is_made_once_and_read_after() {
        let data = tempfile::tempdir().unwrap();
        let made = Authority::open(data.path(), "casino-nord", NOW_MS).unwrap();
        let read = Authority::open(data.path(), "casino-nord", NOW_MS + 1).unwrap();
        assert_eq!(made.fingerprint(), read.fingerprint());
        let mode = |name: &str| {
            let about = fs::metadata(trust_folder(data.path()).join(name)).unwrap();
            about.permissions().mode() & 0o777
        };
        assert_eq!(mode("ca.key"), 0o600);
        // A power cut before the name was given leaves a part that counts for nothing.
        let other = tempfile::tempdir().unwrap();
        fs::create_dir(other.path().join("trust.part")).unwrap();
        fs::write(other.path().join("trust.part/ca.key"), "half").unwrap();
        Authority::open(other.path(), "casino-nord", NOW_MS).unwrap();
        assert!(!other.path().join("trust.part").exists());
    }

    #[test]
    fn what_is_not_the_authority_of_the_house_stops_it_and_stays() {
        let data = tempfile::tempdir().unwrap();
        Authority::open(data.path(), "nord", NOW_MS).unwrap();
        let opened = |house: &str| Authority::open(data.path(), house, NOW_MS).map(drop);
        for house in ["sud", "nor", "nord-2"] {
            assert!(
                matches!(opened(house), Err(TrustFault::Form { .. })),
                "{house}"
            );
        }
        let key = trust_folder(data.path()).join("ca.key");
        fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(opened("nord"), Err(TrustFault::Mode(_))));
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
        let kept = fs::read(&key).unwrap();
        let foreign = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap();
        fs::write(&key, foreign.serialize_pem()).unwrap();
        assert!(matches!(opened("nord"), Err(TrustFault::Form { .. })));
        fs::write(&key, "nothing").unwrap();
        assert!(matches!(opened("nord"), Err(TrustFault::Form { .. })));
        fs::remove_file(&key).unwrap();
        assert!(matches!(opened("nord"), Err(TrustFault::File { .. })));
        fs::write(&key, kept).unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
        opened("nord").unwrap();
    }

    #[test]
    fn only_the_one_encoding_of_a_key_is_taken() {
        let pair = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap();
        let key = pair.subject_public_key_info();
        assert_eq!(DeviceKey::read(&key).unwrap().hash(), digest(&key));
        let mut longer = key.clone();
        longer.push(0);
        let mut compressed = key.clone();
        compressed[P256_PREFIX.len()] = 2;
        for other in [
            &longer,
            &compressed,
            &key[..key.len() - 1].to_vec(),
            &Vec::new(),
        ] {
            assert_eq!(DeviceKey::read(other), None);
        }
    }
}

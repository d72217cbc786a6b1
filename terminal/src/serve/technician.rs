//! The technician's page: which program this is, how it stands with central, what it keeps, and
//! whether this terminal can be taken away. Nothing here moves money, and nobody has to be signed
//! on.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::serve::object::object;
use actix_web::{HttpResponse, web};
use keno_wire::reply::Bilingual;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::assets;
use super::board::{BoardView, Link};
use super::door::Shared;
use crate::config::Config;
use crate::scanner::ScannerKind;
use crate::trust::{Identity, Slot, Time, TrustFolder};

/// What the page needs of the settings.
pub(super) struct About {
    central: String,
    journal: PathBuf,
    trust: Option<TrustFolder>,
    time: Time,
}

impl About {
    pub(super) fn of(config: &Config, time: Time) -> Self {
        Self {
            central: config.central.clone(),
            journal: config.journal.clone(),
            trust: config
                .is_over_tls()
                .then(|| TrustFolder::new(&config.trust)),
            time,
        }
    }
}

/// The program that runs.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ProgramView {
    name: &'static str,
    version: &'static str,
    /// SHA-256 of its own file, hexadecimal; none when the file cannot be read.
    sha256: Option<String>,
}

/// Bytes that are read at once.
const PIECE_BYTES: usize = 64 * 1024;

fn hash_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex::encode(hash.finalize())),
            count => hash.update(piece.get(..count).unwrap_or_default()),
        }
    }
}

impl ProgramView {
    /// This program. Its file is read once: the kernel keeps the one that runs, also when another
    /// has taken its name.
    pub(super) fn own() -> Self {
        static HASH: OnceLock<Option<String>> = OnceLock::new();
        let hash = HASH.get_or_init(|| {
            hash_of(Path::new("/proc/self/exe"))
                .map_err(|error| tracing::error!(%error, "the program's own file"))
                .ok()
        });
        Self {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            sha256: hash.clone(),
        }
    }
}

/// The certificate of this device.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct CertificateView {
    /// Hexadecimal; none when the certificate cannot be read.
    serial: Option<String>,
    /// Number, name and role that it is for.
    device: u32,
    name: String,
    role: String,
    /// When it begins, UTC milliseconds.
    begins_ms: i64,
    /// When it ends, UTC milliseconds.
    ends_ms: i64,
    /// Less than a third of its life is left: it is renewed by itself when central answers.
    renewal_due: bool,
    /// It has ended: the device must be enrolled again.
    has_ended: bool,
}

fn serial(certificate: &str) -> Option<String> {
    let der = CertificateDer::from_pem_slice(certificate.as_bytes()).ok()?;
    let certificate = webpki::EndEntityCert::try_from(&der).ok()?;
    Some(hex::encode(certificate.serial()))
}

impl CertificateView {
    fn of(identity: Identity, now_ms: i64) -> Self {
        Self {
            serial: serial(&identity.certificate),
            device: identity.device,
            begins_ms: identity.not_before_ms,
            ends_ms: identity.not_after_ms,
            renewal_due: identity.is_due(now_ms),
            has_ended: identity.has_ended(now_ms),
            name: identity.name,
            role: identity.role,
        }
    }
}

/// What the page shows.
async fn status(shared: web::Data<Shared>, about: web::Data<About>) -> HttpResponse {
    let (trust, time) = (about.trust.clone(), about.time);
    let read = web::block(move || {
        let identity = trust.and_then(|folder| folder.read(Slot::Current).ok().flatten());
        (
            ProgramView::own(),
            identity.map(|identity| CertificateView::of(identity, time())),
        )
    });
    let Ok((program, certificate)) = read.await else {
        return HttpResponse::InternalServerError().finish();
    };
    let kind = shared.scans.settings().kind;
    // What types like a keyboard is never missed.
    let is_device = matches!(kind, ScannerKind::Serial | ScannerKind::Evdev);
    let absence = shared.scans.absence().filter(|_| is_device);
    HttpResponse::Ok().json(object! {
        // False on the page of a device that nobody knows yet.
        "enrolled": true,
        "program": program,
        // Where central is called.
        "central": about.central,
        "state": shared.board.view(),
        // Commands that were ever sent from here.
        "commands": shared.board.commands(),
        // None where central is reached without TLS.
        "certificate": certificate,
        // The scanner, as it is set, and why nothing is heard from it.
        "scanner": object! {
            "kind": kind,
            "absence": absence.map(|absence| Bilingual::of(&absence)),
            "inputs": shared.scans.view(),
        },
        // The folders of the journal, and of key and certificate, where there is one.
        "journal": about.journal,
        "trust": about.trust.as_ref().map(TrustFolder::path),
    })
}

/// Why this terminal cannot be taken away yet, in the order in which it is dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Stay {
    /// A command is at work.
    AtWork,
    /// What is open here was written down for a neighbour, and nobody took it over.
    NotTakenOver,
    /// A command is in doubt, or its paper is.
    InDoubt,
    /// Central has not said whether its till is open.
    TillUnknown,
    /// Its till is open.
    TillOpen,
    /// Somebody is signed on.
    SignedOn,
}

/// Why a terminal cannot be taken away. One that was handed over can: all is its neighbour's.
fn stays(state: &BoardView, is_handed_over: bool) -> Vec<Stay> {
    if is_handed_over {
        return Vec::new();
    }
    let till = state.sale.as_ref().map(|sale| sale.shift);
    [
        (state.busy.is_some(), Stay::AtWork),
        (state.handed_out, Stay::NotTakenOver),
        (!state.open.is_empty(), Stay::InDoubt),
        (till.is_none(), Stay::TillUnknown),
        (till.flatten().is_some(), Stay::TillOpen),
        (state.badge.is_some(), Stay::SignedOn),
    ]
    .into_iter()
    .filter_map(|(is_so, stay)| is_so.then_some(stay))
    .collect()
}

/// Judges whether this terminal can be taken away. It changes nothing: what comes after that is
/// judged anew.
async fn replacement(shared: web::Data<Shared>) -> HttpResponse {
    let is_handed_over = matches!(shared.board.link(), Link::HandedOver(_));
    let stays = stays(&shared.board.view(), is_handed_over);
    // Empty when it can be taken away now.
    HttpResponse::Ok().json(object! { "stays": stays })
}

/// The addresses of the page at a counter.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    assets::configure(cfg, &[assets::TECHNICIAN]);
    cfg.route("/agent/technician", web::get().to(status))
        .route("/agent/replacement", web::post().to(replacement));
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::task::Task;
    use super::*;

    fn board() -> BoardView {
        Board::new(crate::config::Role::Pos, 7).view()
    }

    #[test]
    fn a_terminal_stays_until_all_is_known_to_be_done() {
        // Nothing was heard from central yet.
        assert_eq!(stays(&board(), false), [Stay::TillUnknown]);
        let busy = BoardView {
            busy: Some(Task::Sale),
            badge: Some("C143".to_owned()),
            handed_out: true,
            ..board()
        };
        assert_eq!(
            stays(&busy, false),
            [
                Stay::AtWork,
                Stay::NotTakenOver,
                Stay::TillUnknown,
                Stay::SignedOn
            ]
        );
        assert_eq!(stays(&busy, true), []);
    }

    #[test]
    fn the_hash_is_that_of_the_whole_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = vec![7; PIECE_BYTES + 1];
        std::fs::write(file.path(), &bytes).unwrap();
        let hash = hex::encode(Sha256::digest(&bytes));
        assert_eq!(hash_of(file.path()).unwrap(), hash);
        assert!(ProgramView::own().sha256.is_some());
    }

    #[test]
    fn a_certificate_says_its_serial_and_what_is_left_of_it() {
        let key = rcgen::KeyPair::generate().unwrap();
        let mut wanted = rcgen::CertificateParams::new(Vec::new()).unwrap();
        wanted.serial_number = Some(rcgen::SerialNumber::from_slice(&[0x12, 0xAB]));
        let certificate = wanted.self_signed(&key).unwrap().pem();
        let identity = Identity {
            device: 7,
            name: "T07".to_owned(),
            role: "counter".to_owned(),
            key: zeroize::Zeroizing::new(String::new()),
            certificate,
            authority: String::new(),
            not_before_ms: 0,
            not_after_ms: 90,
        };
        let view = |now_ms| CertificateView::of(identity.clone(), now_ms);
        assert_eq!(view(0).serial.as_deref(), Some("12ab"));
        assert_eq!((view(60).renewal_due, view(61).renewal_due), (false, true));
        assert_eq!((view(90).has_ended, view(91).has_ended), (false, true));
    }
}

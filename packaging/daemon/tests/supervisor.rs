//! What a supervisor hears, at its socket.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::os::unix::net::UnixDatagram;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use keno_daemon::watchdog::look;
use keno_daemon::{Supervisor, Watchdog};

struct Ear {
    _folder: tempfile::TempDir,
    socket: UnixDatagram,
    path: std::path::PathBuf,
}

impl Ear {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        Self {
            socket: UnixDatagram::bind(&path).unwrap(),
            path,
            _folder: folder,
        }
    }

    fn supervisor(&self, watchdog_usec: Option<&str>) -> Supervisor {
        Supervisor::of(Some(self.path.as_os_str()), watchdog_usec, None)
    }

    /// The next message that is told.
    fn hears(&self) -> String {
        let mut buffer = [0; 512];
        let length = self.socket.recv(&mut buffer).unwrap();
        String::from_utf8(buffer[..length].to_vec()).unwrap()
    }

    /// Whether nothing waits to be heard.
    fn hears_nothing(&self) -> bool {
        self.socket.set_nonblocking(true).unwrap();
        let nothing = self.socket.recv(&mut [0; 1]).is_err();
        self.socket.set_nonblocking(false).unwrap();
        nothing
    }
}

#[test]
fn it_hears_the_words_of_the_protocol() {
    let ear = Ear::new();
    let supervisor = ear.supervisor(None);
    supervisor.status("reading the record\nREADY=1");
    supervisor.ready("open");
    supervisor.alive();
    supervisor.stopping();
    assert_eq!(ear.hears(), "STATUS=reading the record READY=1");
    assert_eq!(ear.hears(), "READY=1\nSTATUS=open");
    assert_eq!(ear.hears(), "WATCHDOG=1");
    assert_eq!(ear.hears(), "STOPPING=1\nSTATUS=stopping");
}

#[test]
fn without_a_supervisor_nothing_is_told_and_nothing_breaks() {
    let nobody = Supervisor::of(None, Some("1000000"), None);
    assert_eq!(nobody.watchdog(), None);
    nobody.ready("open");
    let gone = Ear::new();
    let supervisor = gone.supervisor(None);
    drop(gone);
    supervisor.alive();
    assert!(
        Watchdog::start(Arc::new(nobody), || true)
            .unwrap()
            .is_none()
    );
}

#[test]
fn a_watchdog_for_another_process_is_not_ours() {
    let ear = Ear::new();
    let of = |usec: &str, pid: Option<&str>| {
        Supervisor::of(Some(ear.path.as_os_str()), Some(usec), pid).watchdog()
    };
    let own = std::process::id().to_string();
    assert_eq!(of("30000000", None), Some(Duration::from_secs(30)));
    assert_eq!(of("30000000", Some(&own)), Some(Duration::from_secs(30)));
    assert_eq!(of("30000000", Some("1")), None);
    assert_eq!(of("0", None), None);
    assert_eq!(of("soon", None), None);
}

#[test]
fn only_work_is_told() {
    let ear = Ear::new();
    let mut looks = [true, false, false, true].into_iter();
    let mut pauses = 0;
    look(
        &ear.supervisor(None),
        || looks.next().unwrap(),
        || {
            pauses += 1;
            let told = !ear.hears_nothing();
            assert_eq!(told, pauses == 1 || pauses == 4, "after look {pauses}");
            pauses < 4
        },
    );
}

#[test]
fn work_that_hangs_is_silent_until_it_goes_on() {
    let ear = Ear::new();
    let (asked, is_asked) = channel();
    let (go_on, goes_on) = channel::<()>();
    let watchdog = Watchdog::start(Arc::new(ear.supervisor(Some("1000"))), move || {
        asked.send(()).unwrap();
        goes_on.recv().is_ok()
    })
    .unwrap();
    is_asked.recv().unwrap();
    assert!(ear.hears_nothing(), "it told while the work hung");
    go_on.send(()).unwrap();
    assert_eq!(ear.hears(), "WATCHDOG=1");
    drop(go_on);
    drop(watchdog);
}

//! The two wires of the fake printer: a TCP port and a pseudo-terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use keno_testing::TestFolder;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use super::mechanism::Next;
use super::{Death, Shared, lock, settle_network, take};

/// A wire.
pub(super) trait Wire {
    fn address(&self) -> Option<SocketAddr>;
    fn device(&self) -> Option<PathBuf>;
    /// Returns once everything before was taken, or the wire has ended.
    fn settle(&self);
    /// Says something, whether or not anybody listens.
    fn say(&self, bytes: &[u8]);
}

/// How many bytes are taken at once.
fn room(shared: &Mutex<Shared>) -> usize {
    if lock(shared).is_slow { 1 } else { 512 }
}

/// A TCP port, one connection at a time.
pub(super) struct Network {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Network {
    pub(super) fn start(shared: Arc<Mutex<Shared>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let (own, over) = (Arc::clone(&shared), Arc::clone(&is_over));
        let thread = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::Acquire) || is_unplugged(&own) {
                    return;
                }
                serve(&own, stream);
                if is_unplugged(&own) {
                    return;
                }
            }
        });
        Self {
            address,
            shared,
            is_over,
            thread: Some(thread),
        }
    }
}

fn is_unplugged(shared: &Mutex<Shared>) -> bool {
    lock(shared).mechanism.died() == Some(Death::Unplugged)
}

fn serve(shared: &Mutex<Shared>, mut stream: TcpStream) {
    let mut buffer = [0_u8; 512];
    loop {
        let room = room(shared);
        let Ok(count @ 1..) = stream.read(&mut buffer[..room]) else {
            return;
        };
        let mut out = Vec::new();
        let next = take(shared, &buffer[..count], &mut out);
        // Whoever hung up does not hear it.
        let _ = stream.write_all(&out);
        match next {
            Next::Continue | Next::Settled => {}
            Next::End => return,
            Next::Reset => {
                rustix::net::sockopt::set_socket_linger(&stream, Some(Duration::ZERO)).unwrap();
                return;
            }
        }
    }
}

impl Wire for Network {
    fn address(&self) -> Option<SocketAddr> {
        Some(self.address)
    }

    fn device(&self) -> Option<PathBuf> {
        None
    }

    fn say(&self, _bytes: &[u8]) {
        // Without a connection there is nobody.
    }

    fn settle(&self) {
        if !is_unplugged(&self.shared) {
            settle_network(self.address);
        }
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        // It waits for a connection; this is one.
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// How often the wire was asked whether it had taken everything, and whether it has ended.
#[derive(Default)]
struct Pace {
    asked: u64,
    settled: u64,
    has_ended: bool,
}

/// A pseudo-terminal.
pub(super) struct Line {
    /// A name of its own, which is gone with the printer: that of the kernel is given to the next.
    device: PathBuf,
    _folder: TestFolder,
    /// Keeps the kernel's name from being given to another wire while someone may still open it.
    _kept: File,
    /// What the printer says unasked, while nobody listens.
    voice: Arc<Mutex<Option<File>>>,
    pace: Arc<(Mutex<Pace>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Line {
    pub(super) fn start(shared: Arc<Mutex<Shared>>) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let named = PathBuf::from(ptsname(&master, Vec::new()).unwrap().into_string().unwrap());
        let folder = TestFolder::new().unwrap();
        let device = folder.join("printer");
        std::os::unix::fs::symlink(&named, &device).unwrap();
        let kept = File::options()
            .read(true)
            .write(true)
            .open(&device)
            .unwrap();
        // A printer's device adds nothing to what passes.
        let mut modes = tcgetattr(&kept).unwrap();
        modes.make_raw();
        tcsetattr(&kept, OptionalActions::Now, &modes).unwrap();
        let pace = Arc::new((Mutex::new(Pace::default()), Condvar::new()));
        let own = Arc::clone(&pace);
        let mut master = File::from(master);
        let name = device.clone();
        let voice = Arc::new(Mutex::new(Some(master.try_clone().unwrap())));
        let last = Arc::clone(&voice);
        let thread = thread::spawn(move || {
            answer(&shared, &mut master, &own);
            // Nobody asks a line that has ended.
            own.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .has_ended = true;
            own.1.notify_all();
            std::fs::remove_file(name).unwrap();
            // Without a printer the wire ends for whoever holds it.
            drop(master);
            drop(last.lock().unwrap_or_else(PoisonError::into_inner).take());
        });
        Self {
            device,
            _folder: folder,
            _kept: kept,
            voice,
            pace,
            thread: Some(thread),
        }
    }
}

fn answer(shared: &Mutex<Shared>, master: &mut File, pace: &(Mutex<Pace>, Condvar)) {
    let mut buffer = [0_u8; 512];
    loop {
        let room = room(shared);
        let Ok(count @ 1..) = master.read(&mut buffer[..room]) else {
            return;
        };
        let mut rest = &buffer[..count];
        while !rest.is_empty() {
            // One by one: what follows a question of the test belongs to what is after it.
            let mut out = Vec::new();
            let next = take(shared, &rest[..1], &mut out);
            rest = &rest[1..];
            let _ = master.write_all(&out);
            match next {
                Next::Continue => {}
                Next::Settled => {
                    let mut pace = pace.0.lock().unwrap_or_else(PoisonError::into_inner);
                    pace.settled += 1;
                    if pace.settled == u64::MAX {
                        return;
                    }
                }
                Next::End | Next::Reset => return,
            }
        }
        pace.1.notify_all();
        if pace
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .has_ended
        {
            return;
        }
    }
}

impl Line {
    fn ask(&self) -> bool {
        File::options()
            .write(true)
            .open(&self.device)
            .and_then(|mut line| line.write_all(&[0x10, 0x05, b'S']))
            .is_ok()
    }
}

impl Wire for Line {
    fn address(&self) -> Option<SocketAddr> {
        None
    }

    fn device(&self) -> Option<PathBuf> {
        Some(self.device.clone())
    }

    fn say(&self, bytes: &[u8]) {
        let mut voice = self.voice.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(voice) = voice.as_mut() {
            let _ = voice.write_all(bytes);
        }
    }

    fn settle(&self) {
        let wanted = {
            let mut pace = self.pace.0.lock().unwrap_or_else(PoisonError::into_inner);
            if pace.has_ended {
                return;
            }
            pace.asked += 1;
            pace.asked
        };
        if !self.ask() {
            return;
        }
        let pace = self.pace.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(
            self.pace
                .1
                .wait_while(pace, |pace| pace.settled < wanted && !pace.has_ended),
        );
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let has_ended = {
            let mut pace = self.pace.0.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut pace.has_ended, true)
        };
        if !has_ended {
            // It waits for a byte; this is one.
            let _ = self.ask();
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

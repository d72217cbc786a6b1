//! The wire between a counter and central. The counter knows only this end of it, so that
//! central can stop and come back elsewhere, and requests and answers are lost where a test
//! wants them lost.

use std::collections::VecDeque;
use std::io::Write;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::http::Request;

/// What is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// The request, before central has seen a byte of it.
    Request,
    /// The answer, after central has given it.
    Answer,
}

/// A request that the wire took from the counter.
#[derive(Debug, Clone)]
pub struct Carried {
    /// The request.
    pub request: Request,
    /// Status of the answer that the counter got; none when it got none.
    pub status: Option<u16>,
}

#[derive(Debug, Default)]
struct State {
    /// Where central is; none while the wire is cut.
    central: Option<SocketAddr>,
    /// Requests are taken and never answered.
    is_frozen: bool,
    /// Requests for these paths are lost.
    deaf: Vec<&'static str>,
    faults: VecDeque<(&'static str, Lost, bool)>,
    carried: Vec<Carried>,
}

/// A wire.
#[derive(Debug, Clone)]
pub struct Line {
    /// The counter's end.
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Line {
    /// A wire to central.
    pub fn to(central: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let line = Self {
            address: listener.local_addr().unwrap(),
            state: Arc::default(),
        };
        line.mend(central);
        let shared = line.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let line = shared.clone();
                thread::spawn(move || line.carry(stream));
            }
        });
        line
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next request for that path, or its answer, is lost.
    pub fn lose(&self, path: &'static str, what: Lost) {
        self.state().faults.push_back((path, what, false));
    }

    /// All that was to be lost came by.
    pub fn has_lost(&self) -> bool {
        self.state().faults.is_empty()
    }

    /// As [`Self::lose`], and the wire is cut with it: nothing passes until it is mended.
    pub fn lose_and_cut(&self, path: &'static str, what: Lost) {
        self.state().faults.push_back((path, what, true));
    }

    /// Nothing passes from here on.
    pub fn cut(&self) {
        self.state().central = None;
    }

    /// Requests for that path are lost from here on.
    pub fn deafen(&self, path: &'static str) {
        self.state().deaf.push(path);
    }

    /// Requests for any path pass again.
    pub fn hear_all(&self) {
        self.state().deaf.clear();
    }

    /// Central is there and answers nothing more: what is asked from here on waits.
    pub fn freeze(&self) {
        self.state().is_frozen = true;
    }

    /// It answers again; what waited is lost.
    pub fn thaw(&self) {
        self.state().is_frozen = false;
    }

    /// Central is there.
    pub fn mend(&self, central: SocketAddr) {
        self.state().central = Some(central);
    }

    /// What was carried since the last call.
    ///
    /// # Panics
    /// When something that was to be lost did not come by.
    pub fn carried(&self) -> Vec<Carried> {
        let mut state = self.state();
        assert!(
            state.faults.is_empty(),
            "nothing to lose came by: {:?}",
            state.faults
        );
        std::mem::take(&mut state.carried)
    }

    fn carry(&self, mut counter: TcpStream) {
        let Some(request) = Request::read(&mut counter) else {
            return;
        };
        if self.state().is_frozen {
            // Until the counter gives up.
            let _ = std::io::Read::read(&mut counter, &mut [0]);
            return;
        }
        let (central, lost) = {
            let mut state = self.state();
            let central = state.central;
            let is_next = central.is_some()
                && state
                    .faults
                    .front()
                    .is_some_and(|(path, ..)| request.path() == *path);
            let lost = if is_next {
                state.faults.pop_front()
            } else {
                None
            };
            if let Some((_, Lost::Request, true)) = lost {
                state.central = None;
            }
            let is_deaf = state.deaf.iter().any(|path| request.path() == *path);
            (central.filter(|_| !is_deaf), lost)
        };
        let mut status = None;
        let answer = match (central, lost) {
            (None, _) | (_, Some((_, Lost::Request, _))) => None,
            (Some(central), lost) => {
                let answer = request.send(central).ok();
                match lost {
                    None => answer,
                    Some((_, _, is_cut)) => {
                        if is_cut {
                            self.cut();
                        }
                        None
                    }
                }
            }
        };
        if let Some(answer) = &answer {
            status = std::str::from_utf8(&answer[..answer.len().min(12)])
                .ok()
                .and_then(|head| head.split(' ').nth(1)?.parse().ok());
        }
        self.state().carried.push(Carried { request, status });
        if let Some(answer) = answer {
            let _ = counter.write_all(&answer);
        }
        let _ = counter.shutdown(Shutdown::Both);
    }
}
